"""Guards change something for a `with` block, and restore it."""

from __future__ import annotations

import os
import sys
import threading
from datetime import timedelta

import pytest

import punctually
from punctually import BusyError, InvalidInputError, NotPermittedError, UnsupportedError

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux what was changed")


@linux
def test_a_pinned_thread_stays_and_may_move_again() -> None:
    before = os.sched_getaffinity(0)
    processor = min(before)
    with punctually.pin(processor):
        assert os.sched_getaffinity(0) == {processor}
    assert os.sched_getaffinity(0) == before
    for wrong in ((), (10_000,)):
        with pytest.raises(InvalidInputError), punctually.pin(*wrong):
            pass


@linux
def test_a_priority_falls_back() -> None:
    before = os.sched_getscheduler(0)
    try:
        with punctually.priority(7):
            assert os.sched_getscheduler(0) == os.SCHED_FIFO
            assert os.sched_getparam(0).sched_priority == 7
    except NotPermittedError as error:
        assert "CAP_SYS_NICE" in str(error)
        assert isinstance(error, PermissionError)
        pytest.skip("no privilege for real-time priority")
    assert os.sched_getscheduler(0) == before


@pytest.mark.parametrize("level", [0, 100, "highest", None])
def test_there_are_no_other_priorities(level: int) -> None:
    with pytest.raises(InvalidInputError), punctually.priority(level):
        pass


def test_a_slice_is_refused_or_restored() -> None:
    for length in (0.003, timedelta(milliseconds=3)):
        try:
            with punctually.slice(length):
                punctually.sleep(0.0001)
        except (UnsupportedError, NotPermittedError):
            pytest.skip("no slices here")
    with pytest.raises(InvalidInputError), punctually.slice(5):
        pass


def test_memory_is_locked_or_the_privilege_is_named() -> None:
    guard = punctually.locked_memory()
    try:
        with guard:
            with pytest.raises(BusyError), guard:
                pass
    except (NotPermittedError, UnsupportedError) as error:
        assert str(error)
        pytest.skip("memory cannot be locked here")


@linux
def test_a_guard_is_left_where_it_was_entered() -> None:
    before = os.sched_getaffinity(0)
    guard = punctually.pin(min(before))
    outcome: list[object] = []

    def leave() -> None:
        try:
            guard.__exit__(None, None, None)
        except BusyError as error:
            outcome.append(error)

    with guard:
        with pytest.raises(BusyError, match="entered already"), guard:
            pass
        thread = threading.Thread(target=leave)
        thread.start()
        thread.join()
        assert os.sched_getaffinity(0) == {min(before)}
    assert len(outcome) == 1
    assert os.sched_getaffinity(0) == before
