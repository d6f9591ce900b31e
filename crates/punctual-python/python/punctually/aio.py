"""Waits for asyncio.

>>> import asyncio
>>> from punctually import aio
>>> async def main() -> None:
...     await aio.sleep(0.0005)
...     async for tick in aio.Ticker(hz=1000):
...         if tick.index >= 5:
...             break
>>> asyncio.run(main())

`asyncio.sleep` ends at a millisecond of the event loop's own wait, rounded up. These end at the
microsecond: a thread without the interpreter's lock waits for the next of them and wakes the loop, early
by as much as the loop lately took, and the loop spins for what is left, at most 5 % of the time.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import weakref
from collections.abc import AsyncIterator
from fractions import Fraction
from typing import Protocol

from punctually import _native
from punctually._native import LoopAlarm, Tick
from punctually._types import Duration, MissedTicks, Period, Rate

__all__ = ["Ticker", "sleep", "sleep_until"]


async def sleep(duration: Duration) -> None:
    """Sleeps for a duration: seconds, or a timedelta. Never shorter."""
    await sleep_until(_native.deadline_ns(duration))


async def sleep_until(deadline_ns: int) -> None:
    """Sleeps until an instant, in nanoseconds of the clock. If it has passed, others get their turn."""
    if deadline_ns <= _native.now_ns():
        await asyncio.sleep(0)
        return
    await _waits().until(deadline_ns)


class Ticker(AsyncIterator[Tick]):
    """Ticks once per period, on a schedule that does not drift. Iterate over it with `async for`.

    The rate or the period, `missed_ticks` and `start_ns` are those of `punctually.Ticker`. The time that
    the loop was busy after the alarm is the tick's `queue_ns`. The time for the interpreter's lock is not
    known apart: it is in `timer_ns`.
    """

    def __init__(
        self,
        *,
        hz: Rate | None = None,
        period: Period | None = None,
        period_ns: int | None = None,
        missed_ticks: MissedTicks = "skip",
        start_ns: int | None = None,
    ) -> None:
        self._ticker = _native.Ticker(
            hz=hz, period=period, period_ns=period_ns, missed_ticks=missed_ticks, start_ns=start_ns
        )

    def set_period(
        self,
        *,
        hz: Rate | None = None,
        period: Period | None = None,
        period_ns: int | None = None,
    ) -> None:
        """Changes the period from now on, without a jump of the phase."""
        self._ticker.set_period(hz=hz, period=period, period_ns=period_ns)

    def restart(self) -> None:
        """Makes the next tick come at once. Use it after a pause: nothing counts as missed."""
        self._ticker.restart()

    @property
    def period(self) -> Fraction:
        """The period: a Fraction of seconds."""
        return self._ticker.period

    @property
    def hz(self) -> float:
        """The rate in hertz, for display."""
        return self._ticker.hz

    def __aiter__(self) -> Ticker:
        return self

    async def __anext__(self) -> Tick:
        deadline_ns = self._ticker._next_deadline_ns()
        due_ns = None
        if deadline_ns is not None and deadline_ns > _native.now_ns():
            due_ns = await _waits().until(deadline_ns)
        else:
            # A loop that is always late must not keep the others from their turn.
            await asyncio.sleep(0)
        tick = self._ticker._tick_now(due_ns)
        if tick is None:
            raise StopAsyncIteration
        return tick


class Alarm(Protocol):
    """Wakes an event loop: see `LoopAlarm`."""

    def arm(self, deadline_ns: int) -> None: ...
    def hush(self) -> None: ...
    def rang(self, deadline_ns: int) -> int | None: ...
    def resumed(self, deadline_ns: int) -> int: ...


class _Waits:
    """The waits of one event loop: those that are due next first."""

    def __init__(self, alarm: Alarm) -> None:
        self._alarm = alarm
        self._waiting: list[tuple[int, int, asyncio.Future[int]]] = []
        self._numbers = itertools.count()

    @classmethod
    def of(cls, loop: asyncio.AbstractEventLoop) -> _Waits:
        """With an alarm that rings this loop."""
        me: weakref.ref[_Waits]
        its_loop = weakref.ref(loop)

        def rang() -> None:
            waits = me()
            if waits is not None:
                waits._rang()

        def call_loop() -> None:
            target = its_loop()
            if target is not None and not target.is_closed():
                target.call_soon_threadsafe(rang)

        try:
            alarm = LoopAlarm(None)
            loop.add_reader(alarm.fileno(), rang)
        except NotImplementedError:
            # A loop that polls no file descriptors, as the usual one of Windows.
            alarm = LoopAlarm(call_loop)
        waits = cls(alarm)
        me = weakref.ref(waits)
        return waits

    async def until(self, deadline_ns: int) -> int:
        """Waits until a deadline, and returns when the loop could go on."""
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (deadline_ns, next(self._numbers), future))
        if self._waiting[0][2] is future:
            self._alarm.arm(deadline_ns)
        due_ns = await future
        self._alarm.resumed(deadline_ns)
        return due_ns

    def _rang(self) -> None:
        self._drop_done()
        if not self._waiting:
            self._alarm.hush()
            return
        due_ns = self._alarm.rang(self._waiting[0][0])
        if due_ns is None:
            return
        while self._waiting and self._waiting[0][0] <= due_ns:
            future = heapq.heappop(self._waiting)[2]
            if not future.done():
                future.set_result(due_ns)
        self._drop_done()
        if self._waiting:
            self._alarm.arm(self._waiting[0][0])

    def _drop_done(self) -> None:
        """Forgets those that were cancelled."""
        while self._waiting and self._waiting[0][2].done():
            heapq.heappop(self._waiting)


_OF_LOOPS: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Waits] = weakref.WeakKeyDictionary()


def _waits() -> _Waits:
    loop = asyncio.get_running_loop()
    if _native.is_virtual():
        from punctually import testing

        return testing.waits_of(loop)
    waits = _OF_LOOPS.get(loop)
    if waits is None:
        waits = _OF_LOOPS[loop] = _Waits.of(loop)
    return waits
