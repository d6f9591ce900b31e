"""Virtual time: a user's own code, without waiting."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections.abc import Iterator

import pytest

import punctually
from punctually import (
    BusyError,
    Cancel,
    Cancelled,
    InvalidInputError,
    Sleeper,
    Ticker,
    UnsupportedError,
    aio,
    testing,
)
from punctually.testing import VirtualTime

SECOND = 10**9
YEAR = 365 * 24 * 3600
#: What reading the clock moves it by, some times.
READINGS = 1000


@pytest.fixture
def clock() -> Iterator[VirtualTime]:
    with VirtualTime() as clock:
        yield clock


def heart(beats: int) -> list[float]:
    """A program that knows nothing of the tests."""
    return [tick.lateness for tick, _ in zip(Ticker(hz=1), range(beats))]


def test_a_program_waits_for_a_year_at_once(clock: VirtualTime) -> None:
    began = time.monotonic()
    sleeper = Sleeper()
    for wait in (punctually.sleep, sleeper.sleep):
        before = clock.now_ns()
        wake = wait(YEAR)
        assert 0 <= wake.deadline_ns - before - YEAR * SECOND <= READINGS
        assert wake.lateness_ns == 0 and wake.slept_ns >= YEAR * SECOND - READINGS
        assert 0 <= punctually.now_ns() - wake.woke_ns <= READINGS
    deadline = punctually.now_ns() + SECOND
    assert punctually.sleep_until(deadline).woke_ns == deadline
    assert sleeper.sleep_within(deadline + SECOND, deadline + 2 * SECOND).woke_ns == deadline + SECOND
    # Nobody waits for so long.
    assert time.monotonic() - began < YEAR


def test_it_begins_at_zero_and_answers_alike_every_time() -> None:
    def run() -> list[int]:
        with VirtualTime(late=0.0001):
            first = punctually.now_ns()
            return [first, *(tick.woke_ns for tick, _ in zip(Ticker(hz=1000), range(5)))]

    assert run() == run()
    assert run()[0] == 0
    assert run()[2] == run()[1] + SECOND // 1000 + 100_000


def test_waits_are_as_late_as_the_system_is_said_to_be(clock: VirtualTime) -> None:
    assert heart(3) == [0, 0, 0]
    clock.set_late(0.25)
    # The first is due when it is asked for.
    assert heart(3) == [0, 0.25, 0.25]
    assert punctually.sleep(1).lateness_ns == SECOND // 4
    with pytest.raises(InvalidInputError, match="late"):
        clock.set_late(-1)


def test_a_slow_step_misses_ticks(clock: VirtualTime) -> None:
    ticker = Ticker(hz=100)
    first = ticker.tick()
    clock.advance(0.035)
    late = ticker.tick()
    assert (late.missed, late.index) == (2, 3)
    assert late.deadline_ns == first.deadline_ns + 30_000_000
    ticker.set_period(hz=10)
    assert ticker.phase == "as-asked"


def test_what_is_cancelled_ends(clock: VirtualTime) -> None:
    cancel = Cancel()
    punctually.sleep(1, cancel=cancel)
    cancel.cancel()
    before = punctually.now_ns()
    with pytest.raises(Cancelled):
        punctually.sleep(1, cancel=cancel)
    assert punctually.now_ns() - before <= READINGS
    assert punctually.sleep_until(0, cancel=cancel).deadline_ns == 0


def test_it_is_of_one_thread_and_of_one_block() -> None:
    real = punctually.now_ns()
    others: list[int] = []
    with VirtualTime() as clock:
        thread = threading.Thread(target=lambda: others.append(punctually.now_ns()))
        thread.start()
        thread.join()
        with pytest.raises(BusyError), VirtualTime():
            pass
        refused: list[object] = []

        def leave() -> None:
            with pytest.raises(BusyError):
                clock.__exit__(None, None, None)
            refused.append(True)

        thread = threading.Thread(target=leave)
        thread.start()
        thread.join()
        assert refused
        with pytest.raises(UnsupportedError, match="virtual time"):
            punctually.Driver()
        assert punctually.now_ns() < real
    assert others[0] >= real
    assert punctually.now_ns() >= real
    assert punctually.sleep(0.0001).woke_ns >= real


def test_coroutines_wait_in_the_order_of_their_deadlines(clock: VirtualTime) -> None:
    order: list[tuple[str, int]] = []

    async def wait(name: str, seconds: float) -> None:
        await aio.sleep(seconds)
        order.append((name, round(clock.now_ns() / SECOND)))

    async def beat() -> None:
        async for tick in aio.Ticker(period=3600):
            order.append(("beat", tick.index))
            assert tick.lateness_ns <= READINGS
            if tick.index == 2:
                break

    async def main() -> None:
        await asyncio.gather(wait("last", 9000), wait("first", 1), beat(), wait("second", 5000))

    asyncio.run(main())
    assert order == [("beat", 0), ("first", 1), ("beat", 1), ("second", 5000), ("beat", 2), ("last", 9000)]


def test_the_timeouts_of_asyncio_move_with_it(clock: VirtualTime) -> None:
    async def main() -> None:
        await aio.sleep(1)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(aio.sleep(YEAR), 10)
        assert 11 <= clock.now_ns() / SECOND < 12
        # What was cancelled moves nothing.
        await asyncio.sleep(100)
        assert 111 <= clock.now_ns() / SECOND < 112
        one, other = socket.socketpair()
        one.setblocking(False)
        other.send(b"?")
        assert await asyncio.get_running_loop().sock_recv(one, 1) == b"?"
        # A thread that tells the loop is waited for, because nothing else is to come.
        assert await asyncio.get_running_loop().run_in_executor(None, lambda: 7) == 7
        one.close()
        other.close()

    asyncio.run(main())


def test_a_loop_that_lives_on_has_its_own_time_again() -> None:
    loop = asyncio.new_event_loop()
    try:
        for _ in range(2):
            with VirtualTime() as clock:
                loop.run_until_complete(aio.sleep(YEAR))
                assert clock.now_ns() >= YEAR * SECOND
                assert loop.time() - time.monotonic() > YEAR / 2
            assert abs(loop.time() - time.monotonic()) < YEAR / 2
            before = punctually.now_ns()
            loop.run_until_complete(aio.sleep(0.001))
            assert punctually.now_ns() >= before + 1_000_000
        with VirtualTime():
            loop.run_until_complete(aio.sleep(1))
            loop.close()
    finally:
        loop.close()
    gc.collect()


def test_a_loop_without_a_selector_is_told(clock: VirtualTime) -> None:
    class Strange(asyncio.BaseEventLoop):
        """A loop of another kind, such as uvloop's."""

    loop = Strange()
    with pytest.raises(UnsupportedError, match="SelectorEventLoop"):
        testing.waits_of(loop)
    loop.close()
