"""Virtual time, in which your own code waits without waiting: for tests.

>>> import punctually
>>> from punctually.testing import VirtualTime
>>> with VirtualTime() as clock:
...     ticks = punctually.Ticker(period=3600)
...     [ticks.tick().deadline_ns // 10**9 for _ in range(3)]
[0, 3600, 7200]

With pytest, as a fixture::

    @pytest.fixture
    def clock():
        with punctually.testing.VirtualTime() as clock:
            yield clock

    def test_a_slow_step_misses_ticks(clock):
        ticker = punctually.Ticker(hz=100)
        ticker.tick()
        clock.advance(0.035)
        assert ticker.tick().missed == 2

It is a clock of one thread. `sleep`, `sleep_until`, `Sleeper`, `Ticker` and `now_ns` use it there, and so
does `aio` in the event loops of that thread. Other threads keep the clock of the machine, so a `Driver`
refuses to start. `time.sleep` and `time.monotonic` know nothing of it.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import Any

from punctually import _native, aio
from punctually._native import VirtualClock
from punctually._types import Duration
from punctually.errors import BusyError, UnsupportedError

__all__ = ["VirtualTime"]


class VirtualTime:
    """Makes the time of this thread virtual for a `with` block. It begins at zero, and waits end at once.

    late: how late the system wakes every wait: seconds, or a timedelta. `set_late` changes it.

    A wait that is cancelled already raises `Cancelled`, and no thread can cancel one that has begun. The
    clock moves a nanosecond whenever it is read, so that a loop that reads it until it changes ends.

    In a coroutine the clock moves when all tasks of the event loop wait. Timeouts of asyncio itself, and
    `asyncio.sleep`, move with it from the first wait of `aio` in the loop on. The loop then looks for input
    and output without waiting for it, unless nothing else is to come.

    >>> with VirtualTime(late=0.002):
    ...     wake = sleep(0.5)
    ...     wake.deadline_ns < 500_001_000, wake.lateness_ns
    (True, 2000000)
    """

    def __init__(self, late: Duration = 0) -> None:
        self._clock = VirtualClock()
        self._clock.set_late(late)
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Waits] = (
            weakref.WeakKeyDictionary()
        )

    def __enter__(self) -> VirtualTime:
        if _native.is_virtual():
            raise BusyError("the time of this thread is virtual already; leave that first")
        self._clock.enter()
        _HERE.time = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if getattr(_HERE, "time", None) is not self:
            raise BusyError("another thread has entered this virtual time; leave it there")
        for waits in self._loops.values():
            waits.leave()
        del _HERE.time
        VirtualClock.leave()

    def now_ns(self) -> int:
        """What `punctually.now_ns()` reads: nanoseconds since the clock began."""
        return _native.now_ns()

    def advance(self, duration: Duration) -> None:
        """Moves the clock: seconds, or a timedelta. As a program does that computes for so long."""
        self._clock.advance(duration)

    def set_late(self, late: Duration) -> None:
        """Sets how late the system wakes the waits that follow: seconds, or a timedelta."""
        self._clock.set_late(late)


class _Here(threading.local):
    time: VirtualTime


_HERE = _Here()


def waits_of(loop: asyncio.AbstractEventLoop) -> aio._Waits:
    """The waits of an event loop of this thread, whose time is virtual."""
    loops = _HERE.time._loops
    waits = loops.get(loop)
    if waits is None:
        waits = loops[loop] = _Waits(loop)
    return waits


class _Alarm:
    """Rings at once: the loop asks for it when its time has come."""

    def arm(self, deadline_ns: int) -> None:
        pass

    def hush(self) -> None:
        pass

    def rang(self, deadline_ns: int) -> int | None:
        now = _native.now_ns()
        return now if now >= deadline_ns else None

    def resumed(self, deadline_ns: int) -> int:
        return _native.now_ns()


class _Waits(aio._Waits):
    """The waits of a loop, whose selector moves the clock where it would wait itself."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        selector: Any = getattr(loop, "_selector", None)
        if selector is None:
            raise UnsupportedError(
                "this event loop has no selector that could move a clock; use asyncio.SelectorEventLoop"
            )
        super().__init__(_Alarm())
        self._changed = (vars(selector), "select"), (vars(loop), "time")
        select: Callable[[float | None], list[Any]] = selector.select
        offset = loop.time() - _native.now_ns() / 1e9
        me = weakref.ref(self)

        def look(timeout: float | None = None) -> list[Any]:
            waits = me()
            until_ns = None if waits is None else waits._next_ns(timeout)
            if waits is None or until_ns is None:
                return select(timeout)
            found = select(0)
            if not found:
                _native.sleep_until(until_ns)
                waits._rang()
            return found

        vars(selector)["select"] = look
        vars(loop)["time"] = lambda: offset + _native.now_ns() / 1e9

    def _next_ns(self, timeout: float | None) -> int | None:
        """Where the clock is to move, if nobody can go on before."""
        self._drop_done()
        rest = [] if timeout is None else [_native.deadline_ns(max(timeout, 0))]
        due = [deadline_ns for deadline_ns, _, _ in self._waiting[:1]]
        return None if timeout is not None and timeout <= 0 else min(rest + due, default=None)

    def leave(self) -> None:
        """Gives the loop its own time again."""
        for names, name in self._changed:
            names.pop(name, None)
