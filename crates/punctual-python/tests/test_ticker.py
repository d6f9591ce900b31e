"""Loops that do not drift."""

from __future__ import annotations

import threading
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from punctually import Cancel, Cancelled, InvalidInputError, LatenessStats, Sleeper, Ticker, now_ns
from punctually._types import MissedTicks


@pytest.mark.parametrize(
    ("arguments", "period"),
    [
        ({"hz": 1000}, Fraction(1, 1000)),
        ({"hz": 59.94}, Fraction(50, 2997)),
        ({"hz": Fraction(30000, 1001)}, Fraction(1001, 30000)),
        ({"hz": Decimal("0.5")}, Fraction(2)),
        ({"period": Fraction(1001, 30000)}, Fraction(1001, 30000)),
        ({"period": 0.001}, Fraction(1, 1000)),
        ({"period": 1e-7}, Fraction(1, 10**7)),
        ({"period": 2}, Fraction(2)),
        ({"period": timedelta(milliseconds=4)}, Fraction(1, 250)),
        ({"period_ns": 16_666_667}, Fraction(16_666_667, 10**9)),
    ],
)
def test_a_period_is_exact(arguments: dict[str, object], period: Fraction) -> None:
    ticker = Ticker(**arguments)  # type: ignore[arg-type]
    assert ticker.period == period
    assert ticker.hz == pytest.approx(float(1 / period))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"hz": 10, "period": 0.1},
        {"hz": 0},
        {"hz": -1.5},
        {"hz": float("nan")},
        {"period": 0},
        {"period": float("inf")},
        {"period": 1e-10},
        {"period": timedelta(0)},
        {"period_ns": 0},
        {"hz": 1, "missed_ticks": "sometimes"},
    ],
)
def test_what_is_no_period_is_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError):
        Ticker(**arguments)  # type: ignore[arg-type]


def test_deadlines_do_not_drift() -> None:
    start = now_ns() + 100_000
    ticker = Ticker(hz=3000, start_ns=start, missed_ticks="burst")
    for index, tick in zip(range(20), ticker):
        assert tick.index == index
        assert tick.deadline_ns == start + index * 10**9 // 3000
        assert tick.woke_ns >= tick.deadline_ns
        assert tick.timer_ns + tick.queue_ns + tick.lock_ns == tick.lateness_ns


def long_period_ns() -> int:
    """A period that no pause of the machine lasts for, of which five fit in the time since it booted.

    The clock began then, and has counted nothing before."""
    return min(100 * 10**9, now_ns() // 5)


def test_the_policy_says_what_a_late_loop_gets() -> None:
    def indices(missed_ticks: MissedTicks) -> list[int]:
        # The first five ticks are due, and the sixth is far off.
        period = long_period_ns()
        ticker = Ticker(period_ns=period, start_ns=now_ns() - period * 9 // 2, missed_ticks=missed_ticks)
        return [tick.index for tick in (ticker.tick() for _ in range(count[missed_ticks]))]

    count: dict[MissedTicks, int] = {"skip": 1, "burst": 5, 2: 2, "delay": 1}
    assert indices("skip") == [4]
    assert indices("burst") == [0, 1, 2, 3, 4]
    assert indices(2) == [3, 4]
    assert indices("delay") == [0]


def test_an_overdue_tick_was_late_in_the_queue() -> None:
    period = long_period_ns()
    tick = Ticker(period_ns=period, start_ns=now_ns() - period // 2).tick()
    assert tick.queue_ns == tick.lateness_ns >= period // 2
    assert tick.lateness == pytest.approx(tick.lateness_ns / 1e9)


def test_the_rate_changes_without_a_jump() -> None:
    second = 10**9
    # Half of the period, or as much of it as the machine runs: its clock has counted no more.
    gone = min(5000 * second, now_ns())
    start = now_ns() - gone
    ticker = Ticker(period=10_000, start_ns=start)
    assert ticker.tick().index == 0
    # What is left of the period passes ten times as fast.
    before = now_ns()
    ticker.set_period(period=1000)
    passed = now_ns() - before
    assert ticker.period == 1000
    next_deadline = ticker._next_deadline_ns()
    assert next_deadline is not None
    assert abs(next_deadline - (before + (10_000 * second - gone) // 10)) <= second + passed
    with pytest.raises(InvalidInputError):
        ticker.set_period(hz=0)


def phase(ticker: Ticker) -> str:
    return ticker.phase


def test_a_ticker_says_where_its_deadlines_lie() -> None:
    ticker = Ticker(hz=1000)
    assert phase(ticker) == "as-asked"
    first = ticker.tick()
    if phase(ticker) == "off-ticks":
        # Wherever a millisecond fits the ticks, its middle is off them.
        assert 250_000 <= first.deadline_ns % 1_000_000 <= 750_000
    ticker.set_period(hz=500)
    assert phase(ticker) == "as-asked"
    given = Ticker(hz=1000, start_ns=now_ns())
    given.tick()
    assert phase(given) == "as-asked"
    coarse = Ticker(hz=1000, sleeper=Sleeper.coarse())
    coarse.tick()
    assert phase(coarse) == "as-asked"


def test_a_restart_misses_nothing() -> None:
    ticker = Ticker(period=1e-6)
    ticker.tick()
    ticker.sleeper.sleep(0.001)
    ticker.restart()
    assert ticker.tick().missed == 0


def test_a_cancel_ends_the_loop() -> None:
    cancel = Cancel()
    ticker = Ticker(period=3600, cancel=cancel)
    thread = threading.Thread(target=cancel.cancel)
    seen = []
    for tick in ticker:
        seen.append(tick.index)
        thread.start()
    thread.join()
    assert seen == [0]
    with pytest.raises(Cancelled):
        ticker.tick()


def test_a_sleeper_can_be_given() -> None:
    sleeper = Sleeper.coarse()
    ticker = Ticker(hz=1000, sleeper=sleeper)
    assert ticker.sleeper is sleeper
    assert [ticker.tick().index, Ticker(hz=1000).sleeper is sleeper] == [0, False]


def test_statistics_count_ticks_and_waits() -> None:
    stats = LatenessStats()
    for _, tick in zip(range(10), Ticker(hz=2000, missed_ticks="burst")):
        stats.record(tick)
    stats.record(Sleeper().sleep(0.0001))
    summary = stats.summary()
    assert summary.count == stats.timer().count == stats.queue().count == stats.lock().count == 11
    assert summary.p50_ns <= summary.p99_ns <= summary.worst_ns
    assert summary.missed == 0
    with pytest.raises(TypeError, match="Arrival"):
        stats.record(1)  # type: ignore[arg-type]
    stats.reset()
    assert stats.summary().count == 0
