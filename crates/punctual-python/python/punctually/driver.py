"""Many timers on one thread."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from punctually._native import DriverCore, Firing, Sleeper, Tick, Ticker, Timer, is_virtual
from punctually._types import Duration, MissedTicks, Period, Rate
from punctually.errors import UnsupportedError

__all__ = ["Counters", "Driver"]


@dataclass(frozen=True)
class Counters:
    """Counters of a driver's work."""

    #: Callbacks that were called.
    fired: int
    #: Those that were called more than a microsecond after the end of their windows.
    late: int
    #: Periods of repeating callbacks that passed without a call.
    missed: int
    #: Calls of repeating callbacks that were still running at their next deadline.
    overruns: int
    #: Calls that raised an exception.
    errors: int
    #: The longest time from the end of a window until its call, in nanoseconds.
    worst_excess_ns: int


class Driver:
    """Calls your functions on time, on a thread of its own.

    A callback gets one argument, which says when it should have been called and when it was: a `Firing`,
    or a `Tick` if it repeats. A callback may do anything except wait for its own driver. One that takes
    long makes those after it late.

    An exception ends its callback, which is not called again. The others go on. The exception goes to
    `on_error`, or else to `sys.unraisablehook`. `StopIteration` ends a repeating callback without a word.

    sleeper: the `Sleeper` that the thread waits with. By default it has one of its own.

    The thread ends with `close()`, at the end of a `with` block, when the driver is collected, or when
    the interpreter exits. Callbacks that still wait are dropped, and a running one finishes. A driver
    whose waiting callbacks refer to it is not collected: close it.

    >>> with Driver() as driver:
    ...     beat = driver.every(lambda tick: None, hz=1000)
    ...     cancellation = beat.cancel()
    """

    def __init__(
        self,
        *,
        sleeper: Sleeper | None = None,
        on_error: Callable[[BaseException], object] | None = None,
    ) -> None:
        if is_virtual():
            raise UnsupportedError(
                "a Driver has a thread, and virtual time has none but this; use Ticker or aio"
            )
        self._core = DriverCore(sleeper or Sleeper(), on_error)
        # A daemon, because it is for `close` to end it, and not for the interpreter to wait for it.
        self._thread = threading.Thread(target=self._core.serve, name="punctual-driver", daemon=True)
        self._thread.start()
        self._end = weakref.finalize(self, _close, self._core, self._thread)

    def after(
        self,
        delay: Duration,
        callback: Callable[[Firing], object],
        *,
        tolerance: Duration | None = None,
    ) -> Timer:
        """Calls a function once, after a delay: seconds, or a timedelta. Zero means as soon as possible.

        tolerance: how much later it may come, so that several timers share a wake-up.
        """
        return self._core.after(delay, callback, tolerance)

    def once(
        self,
        deadline_ns: int,
        callback: Callable[[Firing], object],
        *,
        tolerance: Duration | None = None,
    ) -> Timer:
        """Calls a function once, at an instant in nanoseconds of the clock."""
        return self._core.once(deadline_ns, callback, tolerance)

    def every(
        self,
        callback: Callable[[Tick], object],
        *,
        hz: Rate | None = None,
        period: Period | None = None,
        period_ns: int | None = None,
        missed_ticks: MissedTicks = "skip",
        start_ns: int | None = None,
        tolerance: Duration | None = None,
    ) -> Timer:
        """Calls a function now and then once per period, on a schedule that does not drift.

        The rate or the period, `missed_ticks` and `start_ns` are those of `Ticker`.
        """
        when = Ticker(hz=hz, period=period, period_ns=period_ns, missed_ticks=missed_ticks, start_ns=start_ns)
        return self._core.every(callback, when, tolerance)

    def counters(self) -> Counters:
        """What the driver has done: how many calls, and how many of them late."""
        return Counters(*self._core.counters())

    def __len__(self) -> int:
        """How many timers wait."""
        return self._core.len()

    def __bool__(self) -> bool:
        """Always true: an idle driver is a driver."""
        return True

    @property
    def is_closed(self) -> bool:
        """Whether it takes no more timers."""
        return self._core.is_shut_down()

    def close(self) -> None:
        """Ends the driver and waits for its thread. In a callback of its own it does not wait."""
        self._end()

    def __enter__(self) -> Driver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self.is_closed else f"{len(self)} waiting"
        return f"<Driver {state}>"


def _close(core: DriverCore, thread: threading.Thread) -> None:
    core.shut_down()
    if not core.is_forked() and thread is not threading.current_thread():
        thread.join()
