"""Waits for asyncio."""

from __future__ import annotations

import asyncio
import gc
import threading
from fractions import Fraction

import pytest

from punctually import InvalidInputError, LatenessStats, aio, now_ns
from punctually._native import LoopAlarm


def test_no_wait_is_early() -> None:
    async def wait(length_ns: int) -> None:
        deadline = now_ns() + length_ns
        await aio.sleep_until(deadline)
        assert now_ns() >= deadline

    async def main() -> None:
        for length_ns in (-10, 0, 1, 20_000, 500_000, 3_000_000):
            await wait(length_ns)
        await asyncio.gather(*(wait(1000 * (number % 7) * 333) for number in range(200)))
        await aio.sleep(0.001)

    asyncio.run(main())


def test_a_wait_can_be_cancelled_and_the_others_go_on() -> None:
    async def main() -> None:
        later = now_ns() + 5_000_000
        waits = [asyncio.ensure_future(aio.sleep_until(later + 1000 * n)) for n in range(10)]
        long = asyncio.ensure_future(aio.sleep(3600))
        await asyncio.sleep(0)
        cancelled = [wait.cancel() for wait in waits[:5]]
        done, _ = await asyncio.wait(waits)
        assert now_ns() >= later + 9000
        assert [wait.cancelled() for wait in waits] == cancelled + [False] * 5
        assert len(done) == 10
        long.cancel()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(aio.sleep(3600), 0.01)
        await aio.sleep(0.001)

    asyncio.run(main())


def test_ticks_do_not_drift() -> None:
    async def main() -> None:
        stats = LatenessStats()
        ticker = aio.Ticker(hz=3000, missed_ticks="burst")
        assert ticker.period == Fraction(1, 3000)
        first = None
        async for tick in ticker:
            first = tick.deadline_ns if first is None else first
            assert tick.deadline_ns == first + tick.index * 10**9 // 3000
            assert now_ns() >= tick.woke_ns >= tick.deadline_ns
            assert tick.timer_ns + tick.queue_ns + tick.lock_ns == tick.lateness_ns
            stats.record(tick)
            if tick.index == 20:
                break
        assert stats.summary().count == 21
        ticker.set_period(period=100)
        ticker.restart()
        assert (await ticker.__anext__()).missed == 0
        assert ticker.hz == pytest.approx(0.01)

    asyncio.run(main())


def test_arguments_are_checked() -> None:
    with pytest.raises(InvalidInputError):
        aio.Ticker()
    with pytest.raises(InvalidInputError):
        asyncio.run(aio.sleep(-1))


def test_loops_in_several_threads_have_alarms_of_their_own() -> None:
    async def main() -> None:
        for _ in range(20):
            await aio.sleep(0.0003)

    threads = [threading.Thread(target=lambda: asyncio.run(main())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert len(aio._OF_LOOPS) == 0


def test_a_loop_that_polls_nothing_is_called_instead() -> None:
    class Proactor(asyncio.SelectorEventLoop):
        """Like the usual loop of Windows."""

        def add_reader(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            raise NotImplementedError

        def _add_reader(self, fd: int, callback: object, *args: object) -> object:
            return super()._add_reader(fd, callback, *args)  # type: ignore[misc]

    async def main() -> None:
        for _ in range(20):
            deadline = now_ns() + 300_000
            await aio.sleep_until(deadline)
            assert now_ns() >= deadline
        [waits] = [waits for loop, waits in aio._OF_LOOPS.items() if loop is asyncio.get_running_loop()]
        assert isinstance(waits._alarm, LoopAlarm) and waits._alarm.fileno() == -1

    loop = Proactor()
    loop.run_until_complete(main())
    loop.close()
