"""Waits end when they should, and never before."""

from __future__ import annotations

import math
import threading
import time
from datetime import timedelta
from fractions import Fraction

import pytest

import punctually
from punctually import Cancel, Cancelled, InvalidInputError, Sleeper, Wake, now_ns

CENTURY_NS = 100 * 365 * 24 * 3600 * 10**9


def sleepers() -> list[Sleeper]:
    return [
        Sleeper(),
        Sleeper(late_rate=0.001, budget=0.2),
        Sleeper.coarse(),
        Sleeper.exact(),
        Sleeper.fixed(0.0001),
        Sleeper.fixed(timedelta(microseconds=100)),
    ]


def test_the_clock_is_that_of_the_time_module() -> None:
    before = time.monotonic_ns()
    now = now_ns()
    assert before <= now <= time.monotonic_ns()
    assert time.get_clock_info("monotonic").monotonic


def test_the_process_has_a_budget() -> None:
    punctually.set_process_budget(0)
    try:
        assert Sleeper().sleep(0.002).spun_ns == 0
    finally:
        punctually.set_process_budget(0.05)
    for share in (-0.1, 1.1, math.nan):
        with pytest.raises(InvalidInputError, match="budget"):
            punctually.set_process_budget(share)


@pytest.mark.parametrize("sleeper", sleepers(), ids=range(6))
def test_no_wait_is_early(sleeper: Sleeper) -> None:
    for length_ns in (0, 1, 1_000, 50_000, 300_000, 2_000_000):
        deadline = now_ns() + length_ns
        wake = sleeper.sleep_until(deadline)
        assert wake.deadline_ns == deadline
        assert deadline <= wake.woke_ns <= now_ns()
        assert time.monotonic_ns() >= deadline


@pytest.mark.parametrize("length", [0.0005, 1, 0, Fraction(1, 2000), timedelta(microseconds=500), 1e-12])
def test_durations_are_what_python_has(length: float | Fraction | timedelta) -> None:
    seconds = length.total_seconds() if isinstance(length, timedelta) else float(length)
    sleeper = Sleeper() if seconds < 1 else None
    began = now_ns()
    wake = sleeper.sleep(length) if sleeper else punctually.sleep(length)
    assert wake.deadline_ns >= began + math.ceil(seconds * 1e9)
    assert wake.woke_ns >= wake.deadline_ns


@pytest.mark.parametrize("length", [-1, -1e-9, math.nan, math.inf, timedelta(seconds=-1)])
def test_other_durations_are_refused(length: float) -> None:
    with pytest.raises(InvalidInputError, match="duration"):
        punctually.sleep(length)
    with pytest.raises(ValueError):
        Sleeper().sleep(length)


@pytest.mark.parametrize("length", ["1", None, [1]])
def test_what_is_no_number_is_a_type_error(length: object) -> None:
    with pytest.raises(TypeError):
        punctually.sleep(length)  # type: ignore[arg-type]


def test_a_deadline_that_has_passed_is_no_wait() -> None:
    for deadline in (now_ns() - 1_000_000, 0, -5):
        wake = punctually.sleep_until(deadline)
        assert wake.deadline_ns == max(deadline, 0)
        assert (wake.slept_ns, wake.spun_ns) == (0, 0)
        # Nothing but the queue made it late: the wait began too late.
        assert (wake.queue_ns, wake.lock_ns) == (wake.lateness_ns, 0)


def test_a_window_ends_within_itself_or_later() -> None:
    earliest = now_ns() + 500_000
    wake = Sleeper().sleep_within(earliest, earliest + 1_000_000)
    assert wake.woke_ns >= earliest


def test_the_parts_of_the_lateness_add_up() -> None:
    sleeper = Sleeper()
    for _ in range(50):
        wake = sleeper.sleep(0.0003)
        assert wake.timer_ns + wake.queue_ns + wake.lock_ns == wake.lateness_ns
        assert wake.lateness == pytest.approx(wake.lateness_ns / 1e9)
        assert wake.queue_ns == 0


def test_limits_are_checked_when_the_sleeper_is_made() -> None:
    for wrong in ({"late_rate": 0.0}, {"late_rate": 2.0}, {"budget": -0.1}, {"budget": 1.5}):
        with pytest.raises(InvalidInputError):
            Sleeper(**wrong)


def test_another_thread_cancels() -> None:
    cancel = Cancel()
    outcome: list[object] = []

    def wait() -> None:
        try:
            outcome.append(Sleeper().sleep_until(now_ns() + CENTURY_NS, cancel=cancel))
        except Cancelled as cancelled:
            outcome.append(cancelled)

    thread = threading.Thread(target=wait)
    thread.start()
    cancel.cancel()
    thread.join()
    assert isinstance(outcome[0], Cancelled)
    assert cancel.is_cancelled
    with pytest.raises(Cancelled):
        punctually.sleep(1, cancel=cancel)
    cancel.reset()
    assert isinstance(punctually.sleep(0.0001, cancel=cancel), Wake)


def test_a_sleeper_waits_in_one_thread_at_a_time() -> None:
    sleeper, cancel = Sleeper(), Cancel()
    is_waiting = threading.Event()

    def wait() -> None:
        is_waiting.set()
        with pytest.raises(Cancelled):
            sleeper.sleep(3600, cancel=cancel)

    thread = threading.Thread(target=wait)
    thread.start()
    is_waiting.wait()
    # It may take a moment until the wait has begun.
    with pytest.raises(punctually.BusyError, match="give each its own"):
        while True:
            sleeper.sleep(0)
    cancel.cancel()
    thread.join()


def test_other_threads_run_while_one_waits() -> None:
    cancel, steps = Cancel(), []

    def wait() -> None:
        with pytest.raises(Cancelled):
            punctually.sleep(3600, cancel=cancel)

    thread = threading.Thread(target=wait)
    thread.start()
    for step in range(1000):
        steps.append(step)
    cancel.cancel()
    thread.join()
    assert len(steps) == 1000


def test_the_lead_is_zero_while_nobody_else_wants_the_lock() -> None:
    assert Sleeper().lead_ns(0.01) == 0
    assert Sleeper.coarse().margin_ns(0.01) == 0
    assert Sleeper.fixed(0.0001).margin_ns(0.01) == 100_000
