"""Signals end waits, and forks and subinterpreters are told what they cannot do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

import punctually
from punctually import BusyError, Driver, ForkedError, Sleeper, now_ns

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals, and forks")

WAITS = [
    "punctually.sleep(3600)",
    "punctually.sleep_until(punctually.now_ns() + 3600 * 10**9)",
    "punctually.Sleeper().sleep(3600)",
    "[tick for tick in punctually.Ticker(period=3600)]",
    "asyncio.run(aio.sleep(3600))",
    "driver = punctually.Driver(); driver.after(3600, print); punctually.sleep(3600)",
]


@pytest.mark.parametrize("wait", WAITS)
def test_control_c_ends_any_wait(wait: str) -> None:
    program = f"import asyncio, punctually\nfrom punctually import aio\nprint('ready', flush=True)\n{wait}\n"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    # It ends within an hour, or the test fails here.
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert process.returncode == -signal.SIGINT


def test_a_signal_that_comes_just_before_the_wait_is_not_lost() -> None:
    # The signal is handled by another thread, so that it does not interrupt the wait of this one: as if
    # it had come between the look for signals and the wait.
    def raised(*_: object) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGUSR1, raised)
    try:
        is_waiting = threading.Event()

        def kill() -> None:
            is_waiting.wait()
            Sleeper().sleep(0.02)
            signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

        thread = threading.Thread(target=kill)
        thread.start()
        with pytest.raises(InterruptedError):
            is_waiting.set()
            punctually.sleep(3600)
        thread.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_handler_that_returns_lets_the_wait_go_on() -> None:
    handled = []

    def handler(*_: object) -> None:
        # A handler may sleep itself.
        punctually.sleep(0.0001)
        handled.append(now_ns())

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        deadline = now_ns() + 30_000_000
        wake = punctually.sleep_until(deadline)
        signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert wake.woke_ns >= deadline
    assert handled


def test_a_handler_that_uses_the_same_sleeper_is_told() -> None:
    sleeper = Sleeper()

    def handler(*_: object) -> None:
        sleeper.sleep(0)

    before = signal.signal(signal.SIGALRM, handler)
    try:
        # More than once: the first may come before the wait has begun.
        with pytest.raises(BusyError):
            signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
            sleeper.sleep(3600)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert sleeper.sleep(0).slept_ns == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_has_no_driver_of_its_parent() -> None:
    def outcome_of_child(driver: Driver) -> int:
        try:
            driver.after(0, print)
        except ForkedError as error:
            if "make a new Driver" not in str(error) or not driver.is_closed or len(driver) != 0:
                return 2
        else:
            return 3
        driver.close()
        punctually.sleep(0.0005)
        done = threading.Event()
        with Driver() as own:
            own.after(0, lambda _: done.set())
            done.wait()
        return 0

    with Driver() as driver:
        driver.every(lambda _: None, hz=1000)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = outcome_of_child(driver)
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        assert status == 0
        assert not driver.is_closed
