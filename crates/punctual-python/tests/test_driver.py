"""Callbacks on a thread of their own."""

from __future__ import annotations

import functools
import gc
import subprocess
import sys
import threading
import weakref

import pytest

from punctually import (
    BusyError,
    Cancellation,
    Driver,
    Firing,
    InvalidInputError,
    LatenessStats,
    ShutDownError,
    Sleeper,
    Tick,
    now_ns,
)


def test_a_callback_is_called_once_and_never_early() -> None:
    called, firings = threading.Event(), []
    stats = LatenessStats()

    def callback(firing: Firing) -> None:
        firings.append((firing.deadline_ns, firing.woke_ns, now_ns(), threading.current_thread().name))
        assert firing.timer_ns + firing.queue_ns + firing.lock_ns == firing.lateness_ns
        stats.record(firing)
        called.set()

    deadline = now_ns() + 1_000_000
    with Driver() as driver:
        driver.once(deadline, callback)
        called.wait()
        assert driver.counters().fired == 1
        assert driver.counters().errors == 0
    [(its_deadline, woke, called_at, name)] = firings
    assert its_deadline == deadline <= woke <= called_at
    assert name == "punctual-driver"
    assert stats.summary().count == 1


def test_callbacks_come_in_the_order_of_their_deadlines() -> None:
    order: list[int] = []
    done = threading.Event()

    def append(number: int, _: Firing) -> None:
        order.append(number)

    with Driver() as driver:
        start = now_ns() + 2_000_000
        for number in (3, 1, 4, 0, 2):
            driver.once(start + number * 1000, functools.partial(append, number))
        driver.once(start + 5000, lambda _: done.set())
        done.wait()
    assert order == [0, 1, 2, 3, 4]


def test_zero_means_as_soon_as_possible_and_a_tolerance_is_a_window() -> None:
    done = threading.Event()
    windows = []
    with Driver() as driver:
        driver.after(0, lambda _: done.set())
        done.wait()
        done.clear()

        def callback(firing: Firing) -> None:
            windows.append(firing.latest_ns - firing.deadline_ns)
            done.set()

        driver.after(0.001, callback, tolerance=0.002)
        done.wait()
    assert windows == [2_000_000]


def test_a_repeating_callback_keeps_its_schedule_until_it_is_cancelled() -> None:
    ticks: list[Tick] = []
    enough = threading.Event()

    def callback(tick: Tick) -> None:
        ticks.append(tick)
        if len(ticks) == 5:
            enough.set()

    with Driver() as driver:
        start = now_ns()
        beat = driver.every(callback, hz=3000, start_ns=start, missed_ticks="burst")
        enough.wait()
        assert beat.set_period(hz=1000)
        assert beat.cancel() in (Cancellation.PREVENTED, Cancellation.UNDER_WAY)
        assert beat.cancel() is not Cancellation.PREVENTED
        assert not beat.set_period(hz=1000)
    for index, tick in enumerate(ticks[:5]):
        assert tick.deadline_ns == start + index * 10**9 // 3000 <= tick.woke_ns


def test_a_timer_moves() -> None:
    done = threading.Event()
    with Driver() as driver:
        timer = driver.after(3600, lambda _: done.set())
        assert len(driver) == 1
        assert timer.move_to(now_ns() + 1000)
        done.wait()
        assert not timer.move_to(now_ns())


def test_an_exception_ends_only_its_own_callback() -> None:
    errors: list[BaseException] = []
    reported, calls = threading.Event(), []

    def on_error(error: BaseException) -> None:
        errors.append(error)
        reported.set()

    def callback(tick: Tick) -> None:
        calls.append(tick.index)
        raise KeyError(tick.index)

    with Driver(on_error=on_error) as driver:
        other = threading.Event()
        driver.every(callback, period_ns=1000)
        reported.wait()
        driver.after(0.001, lambda _: other.set())
        other.wait()
        assert driver.counters().errors == 1
    assert len(calls) == 1
    assert [type(error) for error in errors] == [KeyError]


def test_without_a_handler_it_goes_to_the_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    reported = threading.Event()

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        seen.append(type(unraisable.exc_value))
        reported.set()

    monkeypatch.setattr(sys, "unraisablehook", hook)
    with Driver() as driver:
        driver.after(0, lambda _: 1 / 0)
        reported.wait()
    assert seen == [ZeroDivisionError]


def test_stop_iteration_ends_a_callback_without_a_word() -> None:
    calls: list[int] = []

    def callback(tick: Tick) -> None:
        calls.append(tick.index)
        if len(calls) == 3:
            raise StopIteration

    with Driver() as driver:
        driver.every(callback, period_ns=100_000, missed_ticks="burst")
        while len(driver) or len(calls) < 3:
            Sleeper().sleep(0.0005)
        assert driver.counters().errors == 0
    assert calls == [0, 1, 2]


def test_a_closed_driver_drops_what_waits_and_takes_no_more() -> None:
    class Callback:
        def __call__(self, _: Firing) -> None:
            raise AssertionError

    callback = Callback()
    dropped = weakref.ref(callback)
    driver = Driver()
    driver.after(3600, callback)
    del callback
    driver.close()
    driver.close()
    gc.collect()
    assert driver.is_closed and dropped() is None and not driver._thread.is_alive()
    with pytest.raises(ShutDownError):
        driver.after(0, print)
    assert "closed" in repr(driver)


def test_a_callback_may_close_its_driver() -> None:
    driver = Driver()
    driver.after(0, lambda _: driver.close())
    driver._thread.join()
    assert driver.is_closed


def test_a_driver_that_is_forgotten_ends() -> None:
    driver = Driver()
    thread = driver._thread
    del driver
    gc.collect()
    thread.join()
    assert not thread.is_alive()


def test_arguments_are_checked_before_anything_waits() -> None:
    with Driver() as driver:
        for wrong in (-1, float("nan")):
            with pytest.raises(InvalidInputError, match="delay"):
                driver.after(wrong, print)
        with pytest.raises(InvalidInputError, match="exactly one"):
            driver.every(print)
        with pytest.raises(InvalidInputError, match="tolerance"):
            driver.once(0, print, tolerance=-1)
        assert len(driver) == 0


def test_its_sleeper_is_its_own() -> None:
    sleeper = Sleeper()
    done = threading.Event()
    with Driver(sleeper=sleeper) as driver:
        driver.after(0, lambda _: done.set())
        done.wait()
        with pytest.raises(BusyError):
            sleeper.sleep(0)
    assert sleeper.sleep(0).slept_ns == 0


def test_an_interpreter_ends_although_a_driver_runs() -> None:
    program = (
        "import punctually\n"
        "driver = punctually.Driver()\n"
        "driver.every(lambda tick: None, hz=2000)\n"
        "driver.after(3600, print)\n"
        "punctually.sleep(0.01)\n"
        "print('done')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
