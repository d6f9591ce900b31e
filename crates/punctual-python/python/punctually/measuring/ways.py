"""Ways in which a Python program can wait for a deadline.

A way is made for one thread and used by that thread alone. Deadlines are readings of
:func:`punctually.now_ns`.
"""

from __future__ import annotations

import asyncio
import select
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, Union

import punctually
from punctually import _native
from punctually.errors import InvalidInputError

#: The clock of all deadlines: where it is one of Python's own, that is faster to read.
now: Callable[[], int] = time.perf_counter_ns if sys.platform == "linux" else _native.now_ns

#: How early the usual recipe stops sleeping and begins to spin: a fixed millisecond.
SPUN_BY_HAND_NS = 1_000_000


class Waiter(Protocol):
    """Waits for deadlines, one after the other, in the thread that made it."""

    def keep(self, turn: Turn) -> None:
        """Waits for all deadlines of the turn."""

    def close(self) -> None:
        """Ends what it holds."""


@dataclass
class Turn:
    """The deadlines of one turn: a grid that begins one period after ``start_ns``."""

    start_ns: int
    period_ns: int
    deadlines: int
    #: How late each deadline was served, in order, those that were missed with the rest.
    lateness_ns: list[int]
    #: Deadlines that passed while the way still waited for an earlier one.
    missed: int = 0

    def next_deadline(self) -> int | None:
        """The next deadline to wait for; ``None`` if the turn is over."""
        if len(self.lateness_ns) >= self.deadlines:
            return None
        return self.start_ns + (len(self.lateness_ns) + 1) * self.period_ns

    def serve(self, woke_ns: int) -> None:
        """One wait is over. It serves its own deadline and all that have passed meanwhile."""
        lateness = woke_ns - self.start_ns - (len(self.lateness_ns) + 1) * self.period_ns
        self.lateness_ns.append(lateness)
        while lateness >= self.period_ns and len(self.lateness_ns) < self.deadlines:
            lateness -= self.period_ns
            self.lateness_ns.append(lateness)
            self.missed += 1


@dataclass(frozen=True)
class Way:
    """A way of waiting, for :func:`punctually.measure`.

    ``make`` is called in the thread that waits, and returns a function that waits for a deadline,
    a reading of :func:`punctually.now_ns`::

        def by_hand(deadline_ns):
            while punctually.now_ns() < deadline_ns:
                pass

        punctually.measure(ways=["time.sleep", Way("by hand", lambda: by_hand)])
    """

    name: str
    make: Callable[[], Callable[[int], object]]
    #: What is called, in one line.
    summary: str = ""

    def waiter(self) -> Waiter:
        """Makes it for the calling thread."""
        return _Called(self.make())


@dataclass(frozen=True)
class SleeperWay:
    """A sleeper. The time between its turns is left out of its budget."""

    name: str
    make: Callable[[], punctually.Sleeper]
    summary: str = ""

    def waiter(self) -> Waiter:
        """Makes it for the calling thread."""
        return _Slept(self.make())


@dataclass(frozen=True)
class AwaitedWay:
    """A way of waiting in a coroutine. ``make`` is called inside of a running event loop."""

    name: str
    make: Callable[[], Callable[[int], Awaitable[object]]]
    summary: str = ""

    def waiter(self) -> Waiter:
        """Makes it for the calling thread, with an event loop of its own."""
        return _Awaited(self.make)


class _Called:
    def __init__(self, wait_until: Callable[[int], object]) -> None:
        self.wait_until = wait_until

    def keep(self, turn: Turn) -> None:
        wait_until = self.wait_until
        while (deadline := turn.next_deadline()) is not None:
            wait_until(deadline)
            turn.serve(now())

    def close(self) -> None:
        pass


class _Slept(_Called):
    def __init__(self, sleeper: punctually.Sleeper) -> None:
        super().__init__(sleeper.sleep_until)
        self.sleeper = sleeper

    def keep(self, turn: Turn) -> None:
        self.sleeper.resume()
        super().keep(turn)
        # What it holds of the system would help the others, too.
        self.sleeper.pause()


class _Awaited:
    def __init__(self, make: Callable[[], Callable[[int], Awaitable[object]]]) -> None:
        self.make = make
        self.loop = asyncio.new_event_loop()

    async def _keep(self, turn: Turn) -> None:
        wait_until = self.make()
        while (deadline := turn.next_deadline()) is not None:
            await wait_until(deadline)
            turn.serve(now())

    def keep(self, turn: Turn) -> None:
        task = self.loop.create_task(self._keep(turn))
        try:
            self.loop.run_until_complete(task)
        except BaseException:
            # Ctrl-C ends the loop and leaves the task as it was.
            task.cancel()
            self.loop.run_until_complete(asyncio.wait([task]))
            raise

    def close(self) -> None:
        self.loop.close()


def _time_sleep() -> Callable[[int], object]:
    def wait_until(deadline: int) -> None:
        rest = deadline - now()
        if rest > 0:
            time.sleep(rest / 1e9)

    return wait_until


def _event() -> Callable[[int], object]:
    never = threading.Event()
    return lambda deadline: never.wait(max(deadline - now(), 0) / 1e9)


def _select() -> Callable[[int], object]:
    return lambda deadline: select.select([], [], [], max(deadline - now(), 0) / 1e9)


def _spin() -> Callable[[int], object]:
    def wait_until(deadline: int) -> None:
        while now() < deadline:
            pass

    return wait_until


def _sleep_and_spin() -> Callable[[int], object]:
    def wait_until(deadline: int) -> None:
        rest = deadline - now() - SPUN_BY_HAND_NS
        if rest > 0:
            time.sleep(rest / 1e9)
        while now() < deadline:
            pass

    return wait_until


def _asyncio_sleep() -> Callable[[int], Awaitable[object]]:
    return lambda deadline: asyncio.sleep(max(deadline - now(), 0) / 1e9)


def _aio() -> Callable[[int], Awaitable[object]]:
    from punctually import aio

    return aio.sleep_until


AnyWay = Union[Way, SleeperWay, AwaitedWay]

#: Every way that comes with the package, in the order of tables.
WAYS: tuple[AnyWay, ...] = (
    Way("time.sleep", _time_sleep, "time.sleep for the rest of the time"),
    Way("Event.wait", _event, "threading.Event.wait with a timeout"),
    Way("sleep-spin", _sleep_and_spin, "time.sleep until a millisecond before, then a loop"),
    Way("spin", _spin, "a loop that reads the clock"),
    AwaitedWay("asyncio.sleep", _asyncio_sleep, "asyncio.sleep for the rest of the time"),
    SleeperWay("punctually-coarse", punctually.Sleeper.coarse, "Sleeper.coarse(): never spins"),
    SleeperWay("punctually-exact", punctually.Sleeper.exact, "Sleeper.exact(): spins without a bound"),
    SleeperWay("punctually", punctually.Sleeper, "Sleeper(), as it ships"),
    AwaitedWay("punctually.aio", _aio, "punctually.aio.sleep_until"),
)
if sys.platform != "win32":
    # On Windows select refuses to wait for nothing.
    WAYS = (*WAYS[:2], Way("select", _select, "select.select with a timeout"), *WAYS[2:])


def named(name: str) -> AnyWay:
    """The way of this name.

    Raises :class:`InvalidInputError`, which lists all names, if there is none.
    """
    for way in WAYS:
        if way.name == name:
            return way
    names = ", ".join(way.name for way in WAYS)
    raise InvalidInputError(f"there is no way {name!r}; there are {names}")
