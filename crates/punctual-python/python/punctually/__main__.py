"""``python -m punctually``: measures this machine, and says what it permits."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import time
from collections.abc import Sequence
from typing import Any

import punctually
from punctually import doctor
from punctually.errors import PunctualError
from punctually.measuring import WAYS, Run, plan

#: As shells have it for a program that Ctrl-C ended: 128 and the number of the signal.
INTERRUPTED = 130
#: The number of computing threads of each table, unless the command says otherwise.
USUAL_NEIGHBOURS = (0, 1)

UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def duration(text: str) -> float:
    """The seconds of a text such as 1ms or 500us."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s)", text)
    if not found:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a duration; write a number and a unit (ns, us, ms, s), as in 1ms"
        )
    return float(found[1]) * UNITS[found[2]]


def flags() -> argparse.ArgumentParser:
    """The flags of the command."""
    names = ", ".join(way.name for way in WAYS)
    parser = argparse.ArgumentParser(
        prog="python -m punctually",
        description="Measures how late each way of waiting of Python wakes on this machine.",
        epilog="'measure' is what runs without a command. 'doctor' says what this machine and this "
        "interpreter permit. Exit status: 0; 1 if a measurement failed; 2 for bad input; "
        f"{INTERRUPTED} after Ctrl-C, which prints what was measured.",
    )
    parser.add_argument(
        "command", nargs="?", choices=("measure", "doctor"), default="measure", help="what to do"
    )
    parser.add_argument(
        "--period", type=duration, metavar="TIME", help="time between deadlines (default: 1ms)"
    )
    parser.add_argument("--count", type=int, metavar="N", help="deadlines of each way (default: 1000)")
    parser.add_argument(
        "--way", action="append", metavar="NAME", help=f"only this way; may be repeated: {names}"
    )
    parser.add_argument(
        "--neighbours",
        type=int,
        metavar="N",
        help="threads that compute meanwhile (default: a table without and a table with one)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--version", action="version", version=f"punctually {punctually.__version__}")
    return parser


class Progress:
    """How far a measurement is, on standard error if that is a terminal."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._began = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def reach(self, run: int, share: float) -> None:
        """``run`` runs are over, and this share of the next."""
        if self._is_shown:
            done = (run + share) / self._runs
            left = (time.monotonic() - self._began) * (1 - done) / done
            sys.stderr.write(f"\r\x1b[Kmeasuring {done:4.0%}, {left:.0f} s left")
            sys.stderr.flush()

    def clear(self) -> None:
        """Leaves an empty line."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")


def measure(asked: argparse.Namespace) -> int:
    """Measures and prints, and returns the exit status."""
    count = 1000 if asked.count is None else asked.count
    neighbours = USUAL_NEIGHBOURS if asked.neighbours is None else (asked.neighbours,)
    period = 0.001 if asked.period is None else asked.period
    runs = [Run(plan(period, count=count, ways=asked.way or (), neighbours=number)) for number in neighbours]
    progress, status = Progress(len(runs)), 0
    try:
        for number, run in enumerate(runs):
            for share in run.turns():
                progress.reach(number, share)
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:
        progress.clear()
    found = [run.measurement() for run in runs]
    found = [measurement for measurement in found if measurement.count()]
    if asked.json:
        print(json.dumps({**about(), "measurements": [each.to_dict() for each in found]}))
    elif found:
        print("\n\n".join([heading(), *(each.table() for each in found)]))
    return status


def about() -> dict[str, Any]:
    """What a measurement depends on."""
    return {
        "punctually_version": punctually.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()}",
        "processors": os.cpu_count(),
        "switch_interval_s": sys.getswitchinterval(),
    }


def heading() -> str:
    """The same in one line."""
    facts = about()
    return (
        f"{facts['python']} on {facts['system']}, {facts['processors']} processors, "
        f"switch interval {sys.getswitchinterval() * 1e3:g} ms"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns the exit status."""
    parser = flags()
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "measure":
            status = measure(asked)
            sys.stdout.flush()
            return status
        for flag in ("period", "count", "way", "neighbours"):
            if getattr(asked, flag) is not None:
                parser.error(f"argument --{flag}: only 'measure' has it")
        print(doctor.as_json() if asked.json else doctor.as_text(), flush=True)
        return 0
    except ValueError as error:
        parser.error(str(error))
    except PunctualError as error:
        print(f"punctually: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever reads has seen enough. What is still buffered must not complain at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
