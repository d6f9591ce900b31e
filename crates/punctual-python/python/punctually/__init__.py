"""Precise waits: sleeps, tickers and timers that wake when they asked to.

>>> import punctually
>>> wake = punctually.sleep(0.0005)
>>> for tick in punctually.Ticker(hz=1000):
...     if tick.index >= 5:
...         break

Every wait is never early. It leaves the interpreter's lock to other threads while the system waits, takes
it back shortly before the deadline, and spins for the rest, within a budget.

An instant is a number of nanoseconds of the clock `now_ns()`. On Linux that is `time.monotonic_ns()` and
`time.perf_counter_ns()`. A duration is a number of seconds, or a timedelta.

`python -m punctually` measures this machine.
"""

from punctually._native import (
    Arrival,
    Cancel,
    Cancellation,
    Counters,
    Firing,
    LatenessStats,
    Sleeper,
    Summary,
    Tick,
    Ticker,
    Timer,
    Wake,
    __version__,
    locked_memory,
    now_ns,
    set_process_budget,
    sleep,
    sleep_until,
)
from punctually.driver import Driver
from punctually.errors import (
    BusyError,
    Cancelled,
    ForkedError,
    InvalidInputError,
    NotPermittedError,
    PunctualError,
    ShutDownError,
    SimulationError,
    SystemCallError,
    UnsupportedError,
)
from punctually.guards import pin, priority, slice
from punctually.measuring import Measurement, Series, measure
from punctually.simulation import Simulation, simulate
from punctually.switching import switch_interval

__all__ = [
    "Arrival",
    "BusyError",
    "Cancel",
    "Cancellation",
    "Cancelled",
    "Counters",
    "Driver",
    "Firing",
    "ForkedError",
    "InvalidInputError",
    "LatenessStats",
    "Measurement",
    "NotPermittedError",
    "PunctualError",
    "Series",
    "ShutDownError",
    "Simulation",
    "SimulationError",
    "Sleeper",
    "Summary",
    "SystemCallError",
    "Tick",
    "Ticker",
    "Timer",
    "UnsupportedError",
    "Wake",
    "__version__",
    "locked_memory",
    "measure",
    "now_ns",
    "pin",
    "priority",
    "set_process_budget",
    "simulate",
    "slice",
    "sleep",
    "sleep_until",
    "switch_interval",
]
