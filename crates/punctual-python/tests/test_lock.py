"""The interpreter's lock: left to others in waits, and held at the end."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
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
    with computing(steps):
        sleeper = Sleeper()
        for length in (0.02, 0.001):
            before = steps[0]
            for _ in range(10):
                sleeper.sleep(length)
            assert steps[0] > before


def test_it_learns_to_ask_for_a_taken_lock_early_and_is_never_early_itself() -> None:
    sleeper, stats = Sleeper(), LatenessStats()
    with computing([0]):
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
    with switch_interval(0.0005), computing([0]):
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


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs it in a process of its own: what is told once is told once in a process."""
    command = [sys.executable, *arguments, "-c", BESIDE_A_COMPUTING_THREAD.format(program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


BESIDE_A_COMPUTING_THREAD = """
import logging, sys, threading, punctually
from punctually.switching import untold
is_over = False
def compute():
    while not is_over: sum(range(100))
thread = threading.Thread(target=compute); thread.start()
try:
{}
finally:
    is_over = True; thread.join()
"""


def test_waits_that_no_lead_helps_are_told_of_once_by_logging() -> None:
    until_told = "    while not punctually.switching._is_told: punctually.sleep(0.0005)\n"
    more = "    for _ in range(300): punctually.sleep(0.0005)"
    # Nothing that a program makes an exception of.
    ran = run(until_told + more, "-W", "error")
    assert (ran.returncode, ran.stderr.count("another thread computes")) == (0, 1), ran.stderr
    assert "sys.getswitchinterval()" in ran.stderr and "another process" in ran.stderr
    handled = "    logging.basicConfig(format='%(name)s %(levelname)s', stream=sys.stdout)\n"
    assert run(handled + until_told).stdout == "punctually WARNING\n"


def test_a_program_that_fails_to_hear_of_it_goes_on() -> None:
    program = (
        "    class Full(logging.Filter):\n"
        "        tries = 0\n"
        "        def filter(self, record):\n"
        "            Full.tries += 1\n"
        "            raise OSError('full')\n"
        "    logging.getLogger('punctually').addFilter(Full())\n"
        "    while not Full.tries: punctually.sleep(0.0005)\n"
        "    for _ in range(300): punctually.sleep(0.0005)\n"
        "    print('done', Full.tries)"
    )
    ran = run(program)
    assert (ran.returncode, ran.stdout) == (0, "done 1\n"), ran.stderr
    assert "OSError: full" in ran.stderr


def test_nothing_is_told_of_longer_periods() -> None:
    # The first ticks may come late, and the waits after them are short.
    loops = "    for tick, _ in zip(punctually.Ticker(period=0.008), range(100)): pass\n"
    loops += "    with untold():\n        for _ in range(100): punctually.sleep(0.0005)"
    ran = run(loops)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_nothing_is_told_while_nobody_computes(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(50):
        punctually.sleep(0.0003)
    assert caplog.records == []


def test_the_clocks_of_the_time_module_are_the_same() -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only on Linux are they known to be one clock")
    for clock in (time.monotonic_ns, time.perf_counter_ns):
        before = clock()
        now = now_ns()
        assert before <= now <= clock()
    assert "CLOCK_MONOTONIC" in time.get_clock_info("perf_counter").implementation
