#!/usr/bin/env python3
"""A test that fails on Windows and nowhere else, as its project reported it, fails here under a Windows and passes
without.

    flaky.py [--punctual COMMAND]

pyOCD 0.28.3, test/unit/test_timeout.py, test_no_timeout: four sleeps of 10 ms must fit into 50 ms. "Test
test_no_timeout will always fail on Windows" (github.com/pyocd/pyOCD/issues/1050) says that they take 62.5 ms there.
With CPython 3.11, whose sleeps end between ticks, they fit. With 3.10 they fit on Windows 10 up to 1909 while any
program requests a timer interval of a millisecond, and since 2004 only if the program does so itself.

It needs the package index, and CPython 3.10 and 3.11.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from programs import BUILDS, Missing, run

PACKAGE = "pyocd==0.28.3"
PYTEST = "pytest==8.3.5"
# Of the package only what the test uses: the rest of it needs drivers of debug probes.
FILES = ["pyocd/utility/timeout.py", "test/unit/test_timeout.py"]
TEST = "test/unit/test_timeout.py::TestTimeout::test_no_timeout"

# Python, what is put before it, and whether the test passes.
RUNS = [
    ("python3.10", [], True),
    ("python3.10", ["--as", "windows-10-2004"], False),
    ("python3.10", ["--as", "windows-10-1909"], False),
    ("python3.10", ["--as", "windows-10-1909", "--with", "requester=1ms"], True),
    ("python3.10", ["--as", "windows-10-2004", "--with", "requester=1ms"], False),
    ("python3.10", ["--as", "windows-10-2004", "--request", "1ms"], True),
    ("python3.11", ["--as", "windows-10-2004"], True),
    ("python3.10", ["--as", "windows-10-2004", "--repeat", "20", "--until-fails"], False),
]
# A machine that is busy may make any test with a time limit fail.
ATTEMPTS = 3


def prepared(folder):
    """The test beside what it tests, and a pytest for each Python."""
    pythons = {}
    for name in dict.fromkeys(name for name, _, _ in RUNS):
        [python, _], version = BUILDS[name](folder)
        run(python, "-m", "venv", folder / name)
        pythons[name] = folder / name / "bin" / "python"
        run(pythons[name], "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTEST)
        print(f"{name}: {version}", flush=True)
    pip = [pythons["python3.10"], "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run(*pip, "--no-binary", ":all:", "--dest", folder, PACKAGE)
    with tarfile.open(next(folder.glob("pyocd-*.tar.gz"))) as archive:
        for file in FILES:
            member = next(member for member in archive.getmembers() if member.name.endswith("/" + file))
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(archive.extractfile(member).read())
    return pythons


def passes(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    # pytest says 1 for tests that failed, and other numbers where it could not ask them.
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit status {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--punctual", default="punctual", help="the command")
    arguments = parser.parse_args()
    punctual = shutil.which(arguments.punctual)
    if not punctual:
        parser.error(f"no command {arguments.punctual}")
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            pythons = prepared(folder)
        except Missing as why:
            print(f"skipped: a known flaky test: {why}")
            return 0
        for name, under, expected in RUNS:
            before = [os.path.abspath(punctual), "run", *under, "--"] if under else []
            words = [*before, pythons[name], "-m", "pytest", "-q", "-p", "no:cacheprovider", TEST]
            found = any(passes(words, folder) == expected for _ in range(ATTEMPTS))
            outcome = {True: "passes", False: "fails"}[expected if found else not expected]
            print(
                f"{name:11}{' '.join(under) or 'without':50}{outcome}{'' if found else '  <- unexpected'}", flush=True
            )
            wrong += not found
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
