"""What is measured, and what the command prints. Nothing here depends on how fast anything is."""

from __future__ import annotations

import json
import subprocess
import sys
from array import array
from datetime import timedelta

import pytest

import punctually
from punctually import doctor, measuring, simulate
from punctually.errors import InvalidInputError
from punctually.measuring import WAYS, Account, AnyWay, AwaitedWay, Measurement, Series, Way, measure
from punctually.measuring.durations import duration
from punctually.measuring.neighbours import Neighbours
from punctually.measuring.run import Run
from punctually.measuring.ways import Turn

NEVER_EARLY = ("punctually", "punctually-coarse", "punctually.aio", "spin")


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "punctually", *arguments], capture_output=True, text=True)


def test_a_wait_serves_all_deadlines_that_passed_meanwhile() -> None:
    turn = Turn(start_ns=1000, period_ns=100, deadlines=6, lateness_ns=[])
    assert turn.next_deadline() == 1100
    turn.serve(1107)
    assert turn.next_deadline() == 1200
    # Past 1300 and 1400.
    turn.serve(1405)
    assert turn.lateness_ns == [7, 205, 105, 5]
    assert (turn.missed, turn.next_deadline()) == (2, 1500)
    # No more deadlines than the turn has.
    turn.serve(9000)
    assert turn.lateness_ns[4:] == [7500, 7400]
    assert (turn.missed, turn.next_deadline()) == (3, None)


def test_an_early_wait_has_a_negative_lateness() -> None:
    turn = Turn(start_ns=0, period_ns=100, deadlines=1, lateness_ns=[])
    turn.serve(99)
    series = Series("any", array("q", turn.lateness_ns))
    assert (turn.lateness_ns, series.early) == ([-1], 1)


def test_every_way_serves_as_many_deadlines_as_asked() -> None:
    found = measure(0.0002, count=30)
    assert list(found) == [way.name for way in WAYS]
    for series in found.values():
        assert len(series.lateness_ns) == 30
        assert sum(turn.deadlines for turn in series.turns) == 30
        assert memoryview(series.lateness_ns).format == "q"
    assert all(found[way].early == 0 for way in NEVER_EARLY)


def test_a_turn_has_no_more_deadlines_than_asked() -> None:
    plan = measuring.plan(0.001, count=250)
    assert list(plan.rounds()) == [100, 100, 100, 50]
    assert list(measuring.plan(0.001, count=7).rounds()) == [7, 7]
    assert list(measuring.plan(0.1, count=25).rounds()) == [10, 10, 10, 5]


def test_a_period_may_be_a_timedelta() -> None:
    assert measuring.plan(timedelta(microseconds=1500)).period_ns == 1_500_000
    found = simulate("windows-7", call="sleep", duration=timedelta(milliseconds=20), count=2)
    assert found.duration_ns == 20_000_000


def test_a_way_of_ones_own_is_measured() -> None:
    waited: list[int] = []

    async def awaited(deadline_ns: int) -> None:
        waited.append(deadline_ns)

    ways: list[AnyWay] = [Way("mine", lambda: waited.append), AwaitedWay("awaited", lambda: awaited)]
    found = measure(0.001, count=3, ways=ways)
    assert set(found) == {"mine", "awaited"}
    # Neither waits, so each of both wakes early, in the warm-up as well.
    assert (found["mine"].early, found["awaited"].early, len(waited)) == (3, 3, 12)


def test_neighbours_compute_and_are_counted_apart() -> None:
    found = measure(0.002, count=50, ways=["time.sleep", "punctually"], neighbours=1)
    assert found.free_laps_per_second > 0
    with Neighbours(2) as neighbours:
        while neighbours.laps() == 0:
            pass
    # They have ended.
    assert neighbours.laps() == neighbours.laps()


def test_a_measurement_can_be_read_while_it_is_made() -> None:
    run = Run(measuring.plan(0.0005, count=400, ways=["spin"]))
    shares, turns = [], run.turns()
    shares.append(next(turns))
    assert run.measurement().count() == 0  # the warm-up
    shares.append(next(turns))
    assert run.measurement().count() == 200
    shares += turns
    assert shares == [1 / 3, 2 / 3, 1.0]


def test_figures_are_those_of_all_deadlines() -> None:
    series = Series("any", array("q", range(1, 1001)))
    assert series.quantiles_ns(0, 0.5, 0.99, 1) == [1, 500, 990, 1000]
    assert series.late_share(900e-9) == 0.1
    series.turns = [Account(500, 1, 1000, 100, 4), Account(500, 2, 1000, 300, 6)]
    assert (series.missed, series.processor_share) == (3, 0.2)
    found = Measurement(1000, 1, {"any": series}, free_laps_per_second=10e6)
    assert found.neighbours_share("any") == 0.5
    with pytest.raises(ValueError, match="nothing was measured"):
        Series("none").quantiles_ns(0.5)


def test_a_table_has_at_most_80_columns() -> None:
    series = Series("punctually-coarse", array("q", [999_999_999, 999_999_999_999]))
    series.turns = [Account(2, 1_000_000, 10, 10, 10)]
    for neighbours in (0, 11):
        found = Measurement(999_999, neighbours, {series.way: series}, 1e12)
        assert max(map(len, found.table().splitlines())) <= 80, found.table()


def test_durations_have_three_digits() -> None:
    shown = {0: "0 ns", 999: "999 ns", 1000: "1.00 µs", 77_149: "77.1 µs", 999_600: "1.00 ms"}
    assert {nanos: duration(nanos) for nanos in shown} == shown
    assert duration(-1500) == "-1.50 µs"


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"period": 0}, "period is 0.0; it must be"),
        ({"period": float("nan")}, "period is nan; it must be"),
        ({"period": float("inf")}, "period is inf; it must be"),
        ({"count": 0}, "count is 0; it must be"),
        ({"neighbours": -1}, "neighbours is -1; it must be"),
        ({"ways": ["nap"]}, "there are time.sleep, Event.wait"),
        ({"ways": ["spin", "spin"]}, "given twice"),
    ],
)
def test_what_cannot_be_measured_is_refused(asked: dict[str, object], complaint: str) -> None:
    with pytest.raises(InvalidInputError, match=complaint):
        measure(**asked)  # type: ignore[arg-type]


def test_the_command_prints_a_table_without_and_one_with_a_neighbour() -> None:
    said = command("--count", "20", "--way", "time.sleep", "--way", "punctually")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.count("\npunctually ") == 2
    assert "beside 1 computing thread\n" in said.stdout
    assert max(map(len, said.stdout.splitlines())) <= 80


def test_the_command_prints_json() -> None:
    said = command("measure", "--period", "500us", "--count", "10", "--neighbours", "0", "--json")
    found = json.loads(said.stdout)
    assert found["punctually_version"] == punctually.__version__
    (measurement,) = found["measurements"]
    assert (measurement["period_ns"], measurement["neighbours"]) == (500_000, 0)
    assert [len(series["lateness_ns"]) for series in measurement["series"]] == [10] * len(WAYS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--period", "1"], "argument --period: '1' is not a duration; write"),
        (["--count", "0"], "count is 0; it must be"),
        (["--way", "nap"], "there are time.sleep"),
        (["nap"], "choose from"),
        (["doctor", "--count", "3"], "argument --count: only 'measure' has it"),
    ],
)
def test_bad_input_is_refused_with_status_2(arguments: list[str], complaint: str) -> None:
    said = command(*arguments)
    assert (said.returncode, said.stdout) == (2, "")
    assert complaint in said.stderr


def test_ctrl_c_prints_what_was_measured() -> None:
    script = """
import signal, sys, threading
from punctually import __main__
turns = __main__.Run.turns
def interrupted(run):
    for number, share in enumerate(turns(run)):
        yield share
        if number == 3:
            threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()
__main__.Run.turns = interrupted
sys.exit(__main__.main(["--count", "1000000", "--way", "punctually.aio", "--neighbours", "0"]))
"""
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (130, "")
    assert "\npunctually.aio " in said.stdout


def test_a_reader_that_has_seen_enough_ends_the_command() -> None:
    script = f"{sys.executable} -m punctually doctor | true"
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
    assert said.stderr == ""


def test_the_doctor_names_the_switch_interval_and_a_remedy() -> None:
    found = {finding.what: finding for finding in doctor.examine()}
    assert found["switch interval"].effect.startswith("5 ms")
    assert "switch_interval(0.0005)" in (found["switch interval"].remedy or "")
    assert {finding.state for finding in found.values()} <= {
        "good",
        "limited",
        "missing",
        "unknown",
    }
    said = command("doctor")
    assert said.returncode == 0
    assert max(map(len, said.stdout.splitlines())) <= 80
    assert json.loads(command("doctor", "--json").stdout)["schema"] == "punctually.doctor/1"


def test_help_says_what_the_command_does() -> None:
    said = command("--help")
    assert said.returncode == 0
    assert "doctor" in said.stdout
    assert "Raises" in (measure.__doc__ or "") or ":raises" in (measure.__doc__ or "")
