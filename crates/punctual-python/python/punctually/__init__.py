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
    Firing,
    LatenessStats,
    Sleeper,
    Summary,
    Tick,
    Ticker,
    Timer,
    Wake,
    __version__,
    now_ns,
    set_process_budget,
    sleep,
    sleep_until,
)
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

# What takes long to import is imported when it is asked for.
# As in `typing`, of which this is no import: checkers of types take it for true.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from punctually import aio as aio
    from punctually import testing as testing
    from punctually.driver import Counters, Driver
    from punctually.guards import locked_memory, pin, priority, slice
    from punctually.measuring import Measurement, Series, measure
    from punctually.simulation import Simulation, simulate
    from punctually.switching import switch_interval
else:
    _LATER = {
        "aio": (),
        "driver": ("Counters", "Driver"),
        "guards": ("locked_memory", "pin", "priority", "slice"),
        "measuring": ("Measurement", "Series", "measure"),
        "simulation": ("Simulation", "simulate"),
        "switching": ("switch_interval",),
        "testing": (),
    }

    def __getattr__(name):
        from importlib import import_module

        for module, names in _LATER.items():
            if name == module:
                return import_module(f"{__name__}.{module}")
            if name in names:
                found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__, *_LATER})


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
