"""The interpreter's lock: left to others in waits, and held at the end."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

import punctually
from punctually import InvalidInputError, LatenessStats, Sleeper, Ticker, now_ns, switch_interval


@contextmanager
def computing(steps: list[int]) -> Iterator[None]:
    """A thread that holds the lock whenever it can."""
    is_over = False

    def compute() -> None:
        while not is_over:
            steps[0] += sum(range(100))

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        yield
    finally:
        is_over = True
        thread.join()


def test_a_thread_that_computes_goes_on_in_every_wait() -> None:
    steps = [0]
    with warnings.catch_warnings(), computing(steps):
        warnings.simplefilter("ignore")
        sleeper = Sleeper()
        for length in (0.02, 0.001):
            before = steps[0]
            for _ in range(10):
                sleeper.sleep(length)
            assert steps[0] > before


def test_it_learns_to_ask_for_a_taken_lock_early_and_is_never_early_itself() -> None:
    sleeper, stats = Sleeper(), LatenessStats()
    with warnings.catch_warnings(), computing([0]):
        warnings.simplefilter("ignore")
        while sleeper.lead_ns(0.01) == 0:
            wake = sleeper.sleep(0.01)
            assert wake.woke_ns >= wake.deadline_ns
        for tick, _ in zip(Ticker(hz=100, sleeper=sleeper), range(10)):
            assert tick.woke_ns >= tick.deadline_ns
            stats.record(tick)
    # A switch interval and a millisecond: longer is not predictable.
    assert sleeper.lead_ns(0.01) <= (sys.getswitchinterval() + 0.001) * 1e9
    assert stats.lock().count == 10


def test_the_lead_follows_the_switch_interval() -> None:
    sleeper = Sleeper.exact()
    with switch_interval(0.0005), warnings.catch_warnings(), computing([0]):
        warnings.simplefilter("ignore")
        for _ in range(30):
            sleeper.sleep(0.004)
    assert sleeper.lead_ns(0.01) <= 1_500_000


def test_the_switch_interval_is_restored() -> None:
    interval = sys.getswitchinterval()
    with pytest.raises(KeyError), switch_interval(timedelta(milliseconds=1)):
        assert sys.getswitchinterval() == pytest.approx(0.001)
        raise KeyError
    assert sys.getswitchinterval() == interval
    for wrong in (0, -1, float("nan"), 1e9):
        with pytest.raises(InvalidInputError, match="interval"), switch_interval(wrong):
            pass


def test_it_warns_once_where_no_lead_helps() -> None:
    # In a process of its own: once is once in a process.
    program = (
        "import threading, punctually\n"
        "is_over = False\n"
        "def compute():\n"
        "    while not is_over: sum(range(100))\n"
        "thread = threading.Thread(target=compute); thread.start()\n"
        "for _ in range(200): punctually.sleep(0.0005)\n"
        "is_over = True; thread.join()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0
    assert ran.stderr.count("SwitchIntervalWarning") == 1
    assert "sys.getswitchinterval()" in ran.stderr and "another process" in ran.stderr


def test_nothing_is_said_while_nobody_computes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(50):
            punctually.sleep(0.0003)


def test_the_clocks_of_the_time_module_are_the_same() -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only on Linux are they known to be one clock")
    for clock in (time.monotonic_ns, time.perf_counter_ns):
        before = clock()
        now = now_ns()
        assert before <= now <= clock()
    assert "CLOCK_MONOTONIC" in time.get_clock_info("perf_counter").implementation
