#!/usr/bin/env python3
"""Real programs, run as under some versions of Windows, against what the simulation predicts for their runtimes.

    proof.py [--punctual COMMAND] [--long] [--only WORDS] [--named] [--control] [--json FILE]

Each program (see programs.py) makes the same wait again and again and tells how long each took. `punctual measure --for
--persona` says what they take on a simulated machine, which knows nothing of Linux. The medians must agree to within a
millisecond, and to within 0.3 ms where a timer interval of 1 ms is in force or the timer does not end at ticks.

Where the prediction has more than one cluster, the means are compared. How often a wait falls into which cluster
depends on how soon it follows the one before. A simulated program takes no time for that and a real one does, so the
mean must be among those that the simulation predicts for some times from none to 200 µs, again to within 0.3 ms.

This checks that a program's waits reach the rules and come back from them. It cannot check the rules.

Personas are recognised where they can be (see programs.py), and the summary must name them. With --named all are named.

--control runs the same programs without Punctual. Then nearly all must disagree, or the comparison would show nothing.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import BUILDS, CASES, LONG_FROM, Missing

# Version, and what runs beside the program: another process that requests an interval of 1 ms makes it so for all.
QUICK = [
    ("windows-7", ()),
    ("windows-10-1909", ()),
    ("windows-10-2004", ()),
    ("windows-10-1909", ("requester=1ms",)),
]
LONG = QUICK + [
    ("windows-8", ()),
    ("windows-11", ()),
    ("windows-7", ("requester=1ms",)),
    ("windows-10-2004", ("requester=1ms",)),
]
LENGTHS = ["1ms"]
LONG_LENGTHS = ["1ms", "5ms", "20ms"]
NANOSECONDS = {"1ms": 1_000_000, "5ms": 5_000_000, "20ms": 20_000_000}
WAITS = 40
# The first waits of a program load its code, and a runtime compiles it.
WARM_UP = 8
# Other programs may have had the processors meanwhile: a disagreement counts if it comes again.
ATTEMPTS = 3

COARSE, FINE = 1.0, 0.3
# From a program that does nothing between its waits to one that a tracer and a busy machine hold up.
BETWEEN = ["0us", "50us", "100us", "200us"]


def median(nanoseconds):
    return statistics.median(nanoseconds) / 1e6


def mean(nanoseconds):
    return statistics.fmean(nanoseconds) / 1e6


class Prediction:
    """What the waits of a persona take on a simulated machine: for several times between one wait and the next."""

    def __init__(self, series):
        quarters = statistics.quantiles(series[0], n=4)
        is_mixed = (quarters[2] - quarters[0]) / 1e6 > FINE or statistics.stdev(series[0]) / 1e6 > FINE
        self.statistic = mean if is_mixed else median
        predicted = [self.statistic(durations) for durations in series]
        self.milliseconds = predicted[0]
        self.range = (min(predicted), max(predicted)) if is_mixed else (predicted[0], predicted[0])
        # Waits that end at 15.6 ms ticks, or at others.
        self.tolerance = COARSE if self.milliseconds > 8 else FINE

    def agrees(self, measured, case):
        least, most = self.range
        tolerance = max(self.tolerance, case.tolerance)
        return least - tolerance <= measured <= most + tolerance


def simulated(punctual, version, beside, length, personas):
    """A prediction for each of the personas that run there."""
    durations = {}
    for work in BETWEEN:
        words = [punctual, "sleep", length, "--on", version, "--work", work, "--count", "400", "--json"]
        for persona in personas:
            words += ["--persona", persona]
        for who in beside:
            words += ["--with", who]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        for each in json.loads(done.stdout)["series"]:
            durations.setdefault(each["call"], []).append(each["durations_ns"])
    return {persona: Prediction(series) for persona, series in durations.items()}


def runs_there(punctual, version, personas):
    """Those of the personas whose runtimes run on that version of Windows."""
    there = []
    for persona in personas:
        words = [punctual, "sleep", "--on", version, "--persona", persona, "--count", "1"]
        if subprocess.run(words, capture_output=True).returncode == 0:
            there.append(persona)
    return there


def waits(command, entry, length):
    """How long each of a program's waits took, in nanoseconds."""
    words = [str(word) for word in [*command, entry, NANOSECONDS[length], WAITS]]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()[-300:]}")
    return [int(line) for line in done.stdout.split()][WARM_UP:]


def under(arguments, version, beside, case, summary):
    """The words before a program that run it as under that version."""
    words = [arguments.punctual, "run", "--as", version, "--quiet", "--json", summary]
    words += ["--persona", "auto" if case.recognised and not arguments.named else case.persona]
    for who in beside:
        words += ["--with", who]
    return [*words, "--"]


def rules_of(summary):
    """The rules that were applied to a program's waits, by name."""
    return {call["rule"] for call in json.loads(Path(summary).read_text())["calls"]}


def compare(arguments, case, command, version, beside, length, prediction):
    """The row of the table, and whether it agrees."""
    row = {
        "program": case.program,
        "entry": case.entry,
        "persona": case.persona,
        "version": version,
        "with": list(beside),
        "length": length,
        "predicted_ms": prediction.milliseconds,
        "range_ms": prediction.range,
        "tolerance_ms": max(prediction.tolerance, case.tolerance),
        "statistic": prediction.statistic.__name__,
    }
    for attempt in range(ATTEMPTS):
        with tempfile.TemporaryDirectory() as folder:
            summary = os.path.join(folder, "summary.json")
            before = [] if arguments.control else under(arguments, version, beside, case, summary)
            try:
                took = waits(before + command, case.entry, length)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                return row | {"agrees": False, "why": str(error)}
            row["measured_ms"] = prediction.statistic(took)
            row["spread_ms"] = (max(took) - min(took)) / 1e6
            row["agrees"] = prediction.agrees(row["measured_ms"], case)
            rule = case.persona if arguments.named else case.rule or case.persona
            if not arguments.control and rule not in (rules := rules_of(summary)):
                return row | {"agrees": False, "why": f"the summary has not {rule}, but {', '.join(sorted(rules))}"}
        row["attempts"] = attempt + 1
        if row["agrees"] or arguments.control:
            break
    return row


def show(row):
    conditions = " ".join([row["version"], *row["with"]])
    measured = f"{row['measured_ms']:9.2f}" if "measured_ms" in row else "        –"
    sign = "" if row["agrees"] else "  <- differs"
    if row.get("attempts", 1) > 1 and row["agrees"]:
        sign = f"  (attempt {row['attempts']})"
    print(
        f"{row['program']:11}{row['entry']:9}{row['persona']:20}{conditions:30}"
        f"{row['length']:>5}{row['predicted_ms']:8.2f}{measured}{sign}",
        flush=True,
    )
    if why := row.get("why"):
        print(f"    {why}", flush=True)


def prepared(folder, cases):
    """The command of each program that is here."""
    commands = {}
    for name in dict.fromkeys(case.program for case in cases):
        try:
            commands[name], version = BUILDS[name](folder)
            print(f"{name}: {version}", flush=True)
        except Missing as why:
            print(f"skipped: {name}: {why}", flush=True)
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--punctual", default="punctual", help="the command")
    parser.add_argument("--folder", default=None, help="where to build; a temporary one by default")
    parser.add_argument("--long", action="store_true", help="all versions, lengths and entries")
    parser.add_argument("--only", default="", help="rows that have all of these words")
    parser.add_argument("--named", action="store_true", help="name every persona, also those that are recognised")
    parser.add_argument("--control", action="store_true", help="without Punctual")
    parser.add_argument("--json", help="the file for all rows")
    arguments = parser.parse_args()

    cases = CASES if arguments.long else CASES[:LONG_FROM]
    conditions = LONG if arguments.long else QUICK
    wanted = arguments.only.split()
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.folder or temporary).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        if wanted:
            named = {name for name in BUILDS if name in wanted}
            cases = [case for case in cases if not named or case.program in named]
        commands = prepared(folder, cases)
        cases = [case for case in cases if case.program in commands]
        personas = sorted({case.persona for case in cases})
        print("\nprogram    entry    persona             as                            asked predicted measured, ms")
        for version, beside in conditions:
            there = runs_there(arguments.punctual, version, personas)
            for length in LONG_LENGTHS if arguments.long else LENGTHS:
                predictions = simulated(arguments.punctual, version, beside, length, there)
                for case in cases:
                    words = [case.program, case.entry, case.persona, version, length, *beside]
                    if case.persona in predictions and all(word in words for word in wanted):
                        row = compare(
                            arguments, case, commands[case.program], version, beside, length, predictions[case.persona]
                        )
                        rows.append(row)
                        show(row)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=2) + "\n")
    agree = sum(row["agrees"] for row in rows)
    print(f"\n{agree} of {len(rows)} agree")
    if arguments.control:
        # Where Windows takes as long as Linux (high-resolution timers), there is nothing to disagree about.
        return 0 if rows and agree < len(rows) / 2 else 1
    return 0 if rows and agree == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
