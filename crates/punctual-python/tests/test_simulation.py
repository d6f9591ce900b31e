"""What simulated machines answer. Their time is virtual, so that figures are exact."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
import threading
from array import array
from pathlib import Path

import pytest

from punctually import simulation
from punctually.errors import InvalidInputError
from punctually.simulation import simulate

STUDY = Path(__file__).parent.parent / "examples" / "study.py"


def test_python_3_10_waits_for_the_next_tick_on_windows_10() -> None:
    found = simulate("windows-10-2004", persona="python-3.10", duration=0.001, count=100)
    assert set(found.lateness_ns) == {14_625_000}
    assert (found.duration_ns, found.asked_ns, found.mean_ns) == (1_000_000, 1_000_000, 15_625_000)


def test_the_request_of_another_program_shortens_waits_up_to_1909() -> None:
    def mean_ms(machine: str) -> int:
        found = simulate(machine, call="sleep", companions=["requester=1ms"], count=200)
        return round(found.mean_ns / 1e6)

    assert (mean_ms("windows-10-1909"), mean_ms("windows-10-2004")) == (2, 16)


def test_a_request_of_its_own_shortens_waits() -> None:
    found = simulate("windows-11", call="sleep", request=0.001, count=200)
    assert found.mean_ns < 3_000_000


def test_lateness_has_the_buffer_protocol() -> None:
    found = simulate("windows-7", call="sleep", count=10)
    view = memoryview(found.lateness_ns)
    assert (view.format, view.itemsize, len(view)) == ("q", 8, 10)
    assert isinstance(found.lateness_ns, array)


def test_numpy_reads_lateness_without_a_copy() -> None:
    numpy = pytest.importorskip("numpy")
    found = simulate("windows-7", call="sleep", count=10)
    seen = numpy.asarray(found.lateness_ns)
    found.lateness_ns[0] = 7
    assert (seen.dtype, seen[0]) == (numpy.int64, 7)


def test_a_seed_decides_all_random_numbers() -> None:
    def waits(seed: int) -> array[int]:
        found = simulate("windows-10-2004", persona="python-3.11", at="random", count=50, seed=seed)
        return found.lateness_ns

    assert waits(1) == waits(1) != waits(2)


def test_it_says_how_far_a_figure_can_be_trusted_and_why() -> None:
    confidence = simulate("windows-11", persona="python-3.11", count=10).confidence
    assert confidence is not None
    assert confidence.level == "contradicted"
    assert confidence.rests_on[0].rule == "high-resolution"
    assert "hr-half" in confidence.rests_on[0].cases


def test_an_answer_can_be_pickled() -> None:
    found = simulate("windows-7", call="sleep", count=10)
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"machine": "windows-95"}, "there are windows-xp, windows-7"),
        ({"machine": "windows-7,cores=2"}, "settings are default-interval"),
        ({"call": "slumber"}, "there are sleep, wait"),
        ({"call": "slumber"}, "python-3.10"),
        ({"machine": "windows-xp", "persona": "python-3.11", "call": None}, "windows-8 and later"),
        ({"persona": "python-3.11"}, "not both"),
        ({"call": None}, "give a persona"),
        ({"duration": -0.001}, "duration is -0.001 seconds; it must be"),
        ({"duration": float("nan")}, "duration is nan seconds; it must be"),
        ({"count": 0}, "count is 0; it must be"),
        ({"seed": 2**64}, "it must be from 1 to"),
        ({"at": "noon"}, "tight, random, aligned"),
        ({"companions": ["requester"]}, "requester=2ms"),
        ({"load": "memory"}, "it can have cpu"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(changed: dict[str, object], complaint: str) -> None:
    asked = {"machine": "windows-7", "call": "sleep", **changed}
    with pytest.raises(InvalidInputError) as refused:
        simulate(**asked)  # type: ignore[arg-type]
    assert complaint in str(refused.value)


def test_every_name_that_is_listed_is_known() -> None:
    for call in simulation.calls():
        assert simulate("windows-11", call=call, count=2).call == call
    for machine in simulation.machines():
        assert simulate(machine, call="sleep", count=2).machine == machine
    assert {"python-3.10", "python-3.11"} <= set(simulation.personas())


def test_other_threads_compute_while_a_machine_is_simulated() -> None:
    steps = itertools.count()
    simulated = threading.Event()

    def compute() -> None:
        while not simulated.is_set():
            next(steps)

    computing = threading.Thread(target=compute)
    computing.start()
    # However short, it has to give the lock away, and to wait for it behind the other thread.
    for _ in range(10):
        before = next(steps)
        simulate("windows-10-2004", call="sleep", count=20_000)
        if next(steps) > before + 1:
            break
    else:
        pytest.fail("the other thread never ran")
    simulated.set()
    computing.join()


def test_ctrl_c_ends_a_simulation() -> None:
    script = """
import signal, threading, punctually
threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
try:
    punctually.simulate("windows-7", call="sleep", count=10**12)
except KeyboardInterrupt:
    print("interrupted")
"""
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert said.stdout == "interrupted\n"


def test_a_study_runs_on_dasks_scheduler() -> None:
    pytest.importorskip("distributed")
    said = subprocess.run([sys.executable, STUDY], check=True, capture_output=True, text=True)
    rows = [line.split() for line in said.stdout.splitlines()]
    assert len(rows) == 6 * 4
    longest = {(machine, request): float(most) for machine, request, _, _, most, _ in rows}
    # "The Great Rule Change": up to 1909 a request shortens the waits of all programs.
    assert longest["windows-10-1909", "requester=1ms"] < 3
    assert longest["windows-10-2004", "requester=1ms"] > 6
