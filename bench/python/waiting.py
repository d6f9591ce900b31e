"""How late do Python's ways of waiting wake, with and without a thread that computes beside them?

Usage: waiting.py [--rate HERTZ]... [--neighbours N]... [--way NAME]... [--seconds S] [--quick]
                  [--switch-interval S] [--json]

All ways take turns in one run, in a random order. Needs the package punctually.
"""

import argparse
import json
import statistics
import sys

from punctually.__main__ import Progress, about, heading
from punctually.measuring import Measurement, Run, plan
from punctually.measuring.durations import duration
from punctually.measuring.measurement import LATE

RATES = (100, 1000)
NEIGHBOURS = (0, 1)
#: All others are what the aims compare with.
OURS = ("punctually", "punctually-coarse", "punctually-exact", "punctually.aio")
#: What counts as the same speed of the neighbours: a sleeper may spin for 5 %, and shares vary by some.
SAME = 0.9


def late_shares(measurement: Measurement, way: str) -> list[float]:
    """The share of late deadlines of each turn, in order."""
    series, begin, shares = measurement[way], 0, []
    for turn in series.turns:
        turns = series.lateness_ns[begin : begin + turn.deadlines]
        shares.append(sum(lateness > LATE * 1e9 for lateness in turns) / len(turns))
        begin += turn.deadlines
    return shares


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """The quartiles, of one value thrice itself."""
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return low, middle, high


def figures(measurement: Measurement, way: str) -> dict:
    """What one way did under one condition."""
    series = measurement[way]
    p50, p99 = series.quantiles_ns(0.5, 0.99)
    return {
        "way": way,
        "rate_hertz": 1e9 / measurement.period_ns,
        "neighbours": measurement.neighbours,
        "deadlines": len(series.lateness_ns),
        "p50_ns": p50,
        "p99_ns": p99,
        "late_share": series.late_share(LATE),
        "late_share_quartiles": quartiles(late_shares(measurement, way)),
        "missed": series.missed,
        "processor_share": series.processor_share,
        "neighbours_share": measurement.neighbours_share(way) if measurement.neighbours else None,
    }


def table(rows: list[dict]) -> str:
    """All ways under one condition."""
    first = rows[0]
    beside = f", beside {first['neighbours']} computing" if first["neighbours"] else ""
    lines = [f"{first['rate_hertz']:g} Hz{beside}, {first['deadlines']} deadlines each"]
    lines.append(f"{'':17} {'p50':>9}{'p99':>9}   late (quartiles)      missed    cpu  others")
    for row in rows:
        low, _, high = row["late_share_quartiles"]
        others = "" if row["neighbours_share"] is None else f"{row['neighbours_share']:.0%}"
        lines.append(
            f"{row['way']:17} {duration(row['p50_ns']):>9}{duration(row['p99_ns']):>9}"
            f"{row['late_share']:>7.1%} ({low:.0%} to {high:.0%})".ljust(58)
            + f"{row['missed']:>8}{row['processor_share']:>7.1%}{others:>8}"
        )
    return "\n".join(lines)


def aims(rows: list[dict]) -> list[dict]:
    """The goals at this condition, reached or not."""
    by_way = {row["way"]: row for row in rows}
    ours, spin = by_way.get("punctually"), by_way.get("spin")
    found = []
    if ours and spin and not ours["neighbours"] and ours["rate_hertz"] == 1000:
        found.append(("median below 5 µs", ours["p50_ns"] < 5000, duration(ours["p50_ns"])))
        share = ours["processor_share"] / spin["processor_share"]
        found.append(("at most a third of a spin's processor time", share <= 1 / 3, f"{share:.0%}"))
    if ours and ours["neighbours"]:
        for row in rows:
            if row["way"] not in OURS:
                # A way that leaves less to others may be punctual at their cost.
                ratio = ours["neighbours_share"] / row["neighbours_share"]
                is_less_late = ours["late_share"] < row["late_share"]
                value = f"{ours['late_share']:.1%} and {row['late_share']:.1%}, others {ratio:.2f}"
                aim = f"less late than {row['way']}, and others as fast"
                found.append((aim, is_less_late and ratio >= SAME, value))
    condition = {key: rows[0][key] for key in ("rate_hertz", "neighbours")}
    return [
        {"aim": aim, "reached": bool(reached), "value": value, **condition} for aim, reached, value in found
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=int, action="append", help="hertz; default: 100 and 1000")
    parser.add_argument("--neighbours", type=int, action="append", help="default: 0 and 1")
    parser.add_argument("--way", action="append", help="only this way")
    parser.add_argument("--seconds", type=float, default=10, help="of each way; default: 10")
    parser.add_argument("--switch-interval", type=float, help="seconds; default: Python's, 0.005")
    parser.add_argument("--quick", action="store_true", help="two seconds of each way")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    seconds = 2 if asked.quick else asked.seconds
    runs = []
    try:
        if asked.switch_interval is not None:
            sys.setswitchinterval(asked.switch_interval)
        for rate in asked.rate or RATES:
            for neighbours in NEIGHBOURS if asked.neighbours is None else asked.neighbours:
                count = max(round(rate * seconds), 1)
                ways = asked.way or ()
                runs.append(Run(plan(1 / rate, count=count, ways=ways, neighbours=neighbours)))
    except ValueError as error:
        parser.error(str(error))
    progress = Progress(len(runs))
    for number, run in enumerate(runs):
        for share in run.turns():
            progress.reach(number, share)
    progress.clear()
    rows = [[figures(run.measurement(), way) for way in run.series] for run in runs]
    reached = [aim for each in rows for aim in aims(each)]
    if asked.json:
        flat = [row for each in rows for row in each]
        print(json.dumps({**about(), "late_s": LATE, "rows": flat, "aims": reached}))
        return 0
    print(heading(), f"late: more than {duration(LATE * 1e9)}", sep="\n")
    for each in rows:
        print("", table(each), sep="\n")
    print("\nAims")
    for aim in reached:
        where = f"{aim['rate_hertz']:g} Hz, {aim['neighbours']} computing"
        is_reached = "reached" if aim["reached"] else "missed"
        print(f"{is_reached:7} {where}: {aim['aim']}: {aim['value']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
