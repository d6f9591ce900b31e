"""Guards of a thread: they change something for a `with` block, and restore it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Literal

from punctually import _native
from punctually._native import Held
from punctually._types import Duration
from punctually.errors import BusyError

__all__ = ["ThreadGuard", "locked_memory", "pin", "priority", "slice"]


class ThreadGuard:
    """Changes something for the thread that enters it, until the end of the `with` block.

    Made by `priority`, `slice`, `pin` and `locked_memory`. It can be entered again later, by any thread.
    """

    def __init__(self, hold: Callable[[], Held]) -> None:
        self._hold = hold
        self._held: Held | None = None
        self._thread = 0

    def __enter__(self) -> ThreadGuard:
        if self._held is not None:
            raise BusyError("this guard is entered already; make another")
        self._held = self._hold()
        self._thread = threading.get_ident()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._thread != threading.get_ident():
            raise BusyError("another thread has entered this guard; leave it there")
        self._held = None


def priority(level: Literal["high", "realtime"] | int) -> ThreadGuard:
    """Raises the priority of this thread for a `with` block.

    level: "high", before ordinary threads; "realtime", always before them; or a number from 1 to 99, a
    priority of SCHED_FIFO on Linux. A thread that spins at such a priority can keep a processor from all
    other programs.

    Entering it raises NotPermittedError, with the missing privilege. A program can go on without.

    >>> try:
    ...     with priority("high"):
    ...         wake = sleep(0.0005)
    ... except NotPermittedError:
    ...     wake = sleep(0.0005)
    """
    return ThreadGuard(lambda: _native.hold_priority(level))


def slice(length: Duration) -> ThreadGuard:
    """Sets how long this thread may compute at a time, for a `with` block.

    length: seconds from 0.0001 to 0.1, or a timedelta. On a busy machine a thread with a shorter slice gets
    its turn sooner when it wakes. A `Sleeper` sets the shortest one itself.

    Linux 6.12 and later have slices. Entering it raises UnsupportedError elsewhere.
    """
    return ThreadGuard(lambda: _native.hold_slice(length))


def pin(*processors: int) -> ThreadGuard:
    """Keeps this thread on these processors for a `with` block. They are numbered from 0.

    Entering it raises InvalidInputError if this thread may not use one of them. The message lists those
    that it may use.
    """
    return ThreadGuard(lambda: _native.hold_processors(list(processors)))


def locked_memory() -> ThreadGuard:
    """Keeps all memory of this process in RAM for a `with` block. Linux only.

    Entering it raises NotPermittedError, with the privilege and the limit.
    """
    return ThreadGuard(_native.hold_memory)
