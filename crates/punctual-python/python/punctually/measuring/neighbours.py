"""Threads of this process that compute and never wait: what the lock is shared with."""

from __future__ import annotations

import threading
import time
from types import TracebackType

#: Steps of a lap: a few microseconds, so that a turn has thousands of laps.
STEPS = 100


class Neighbours:
    """So many threads that run Python code without a pause, while this is entered."""

    def __init__(self, count: int) -> None:
        self._laps = [0] * count
        self._is_over = False
        self._threads = [
            threading.Thread(target=self._compute, args=(number,), name=f"neighbour-{number}", daemon=True)
            for number in range(count)
        ]

    def _compute(self, number: int) -> None:
        laps, total = self._laps, 0
        while not self._is_over:
            for step in range(STEPS):
                total ^= step
            laps[number] += 1

    def __enter__(self) -> Neighbours:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over = True
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def laps(self) -> int:
        """The laps of all of them since they began."""
        return sum(self._laps)

    def own_processor_ns(self) -> int:
        """The processor time of this process without theirs.

        Where a thread's account can't be read from another thread, as on Windows, it is that of
        the calling thread.
        """
        if not self._threads:
            return time.process_time_ns()
        clock_of = getattr(time, "pthread_getcpuclockid", None)
        if clock_of is None:
            return time.thread_time_ns()
        total = time.process_time_ns()
        for thread in self._threads:
            total -= time.clock_gettime_ns(clock_of(thread.ident))
        return total
