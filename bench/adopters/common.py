"""What the scripts of this folder share: they take a pinned version of a project from its registry, apply a
patch of a few lines, run the project's own tests before and after, measure both in turns, and print rows of
docs/adopters.md, each also as JSON.

Everything goes into target/adopters. Needs cargo, `patch`, and for packages of Python a python3 with venv.
"""

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target" / "adopters"
WAYS = ("before", "after")


class Failed(Exception):
    """Why there is no row."""


def run(what: str, command: list, **options) -> str:
    """What a command prints; its end is the reason if it fails."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ran.returncode:
        raise Failed(f"{what}: status {ran.returncode}\n{ran.stdout[-3000:]}")
    return ran.stdout


@dataclasses.dataclass
class Case:
    """One row: what the program is asked to do, and its arguments."""

    name: str
    arguments: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Adopter:
    """A pinned version of a project. `NAME.patch` stands beside the script."""

    name: str
    version: str
    sha256: str
    cases: list[Case]
    # What the measurement, or the tests of a package of Python, also need.
    needs: list[str] = dataclasses.field(default_factory=list)

    @property
    def folder(self) -> pathlib.Path:
        return WORK / self.name

    @property
    def stem(self) -> str:
        return self.name.replace("-", "_").replace(".", "_")

    def take(self) -> None:
        """Leaves two copies, one of them patched."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        archive = self.fetch()
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != self.sha256:
            raise Failed(f"{archive.name} has the checksum {found}, not {self.sha256}")
        for way in WAYS:
            with tarfile.open(archive) as packed:
                packed.extractall(self.folder, filter="data")
                top = packed.getnames()[0].split("/")[0]
            (self.folder / top).rename(self.folder / way)
        patch = HERE / f"{self.stem}.patch"
        run(
            f"{patch.name} does not apply",
            ["patch", "-p1", "--forward", "-i", str(patch)],
            cwd=self.folder / "after",
        )

    def prepare(self) -> dict[str, str]:
        """Takes, builds and tests both; says how many of the tests pass."""
        self.take()
        self.build()
        passed, told = {}, {}
        for way in WAYS:
            results = self.tests(self.folder / way)
            passed[way] = {name for name, is_passed in results.items() if is_passed}
            if not passed[way]:
                raise Failed(f"none of its tests pass, {way}")
            told[way] = f"{len(passed[way])} of {len(results)}"
        lost = sorted(passed["before"] - passed["after"])
        if lost:
            raise Failed(f"tests that the patch breaks: {', '.join(lost)}")
        (self.folder / "tests.json").write_text(json.dumps(told))
        return told


class Crate(Adopter):
    """One of crates.io. `benches/NAME.rs` prints `{"late": [nanoseconds, …]}`."""

    def cargo(self, what: str, arguments: list[str], folder: pathlib.Path) -> str:
        # As cargo has it for what comes from a registry: what a later Rust warns of does not end the build.
        environment = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "build"), "RUSTFLAGS": "--cap-lints warn"}
        return run(what, ["cargo", *arguments], cwd=folder, env=environment)

    def fetch(self) -> pathlib.Path:
        self.manifest(self.folder / "fetch", f'{self.name} = "={self.version}"', "[lib]\npath = 'lib.rs'")
        (self.folder / "fetch" / "lib.rs").touch()
        self.cargo("it cannot be had from crates.io", ["fetch"], self.folder / "fetch")
        cache = (
            pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry" / "cache"
        )
        return next(cache.glob(f"*/{self.name}-{self.version}.crate"))

    def manifest(self, folder: pathlib.Path, needs: str, target: str) -> None:
        folder.mkdir()
        package = f'[package]\nname = "{self.name}-{folder.name}"\nversion = "0.0.0"\nedition = "2021"'
        (folder / "Cargo.toml").write_text(f"{package}\n[dependencies]\n{needs}\n{target}\n[workspace]\n")

    def build(self) -> None:
        for way in WAYS:
            # It is no part of the workspace around it.
            with (self.folder / way / "Cargo.toml").open("a") as manifest:
                manifest.write("\n[workspace]\n")
            # A library's own is not that of its users, and may be older than what `punctual` needs.
            (self.folder / way / "Cargo.lock").unlink(missing_ok=True)
            folder = self.folder / f"measure-{way}"
            needs = "\n".join([f'{self.name} = {{ path = "../{way}" }}', *self.needs])
            source = HERE / "benches" / f"{self.stem}.rs"
            self.manifest(folder, needs, f"[[bin]]\nname = '{self.name}-{way}'\npath = '{source}'")
            self.cargo(f"{way} does not build", ["build", "--release"], folder)

    def tests(self, folder: pathlib.Path) -> dict[str, bool]:
        # Not its examples, which may need what is not in the package.
        said = "".join(
            self.cargo("its tests do not pass", ["test", *kinds], folder)
            for kinds in (["--lib", "--tests"], ["--doc"])
        )
        found = re.findall(r"^test (.+) \.\.\. (ok|FAILED)$", said, re.M)
        return {name: result == "ok" for name, result in found}

    def turn(self, way: str, case: Case) -> dict:
        program = WORK / "build" / "release" / f"{self.name}-{way}"
        return measured([str(program), *case.arguments])


class Package(Adopter):
    """One of PyPI. The script measures a turn itself, in a process of its own: see `main`."""

    @property
    def python(self) -> str:
        return str(WORK / f"venv-{sys.version_info.major}.{sys.version_info.minor}" / "bin" / "python")

    def fetch(self) -> pathlib.Path:
        """Its source distribution, which has the tests."""
        if not pathlib.Path(self.python).exists():
            run(
                "no virtual environment",
                [sys.executable, "-m", "venv", str(pathlib.Path(self.python).parents[1])],
            )
        pinned = self.folder / "pinned.txt"
        pinned.write_text(f"{self.name}=={self.version} --hash=sha256:{self.sha256}\n")
        options = [
            "--no-deps",
            "--no-binary",
            ":all:",
            "--require-hashes",
            "-d",
            str(self.folder),
            "-r",
            str(pinned),
        ]
        run("it cannot be had from PyPI", [self.python, "-m", "pip", "download", *options])
        return next(self.folder.glob("*.tar.gz"))

    def build(self) -> None:
        install = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run("what its tests need cannot be had from PyPI", [*install, *self.needs])
        run("punctually does not build", [*install, "--no-deps", str(ROOT / "crates" / "punctual-python")])

    def environment(self, way: str) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": f"{self.folder / way}:{HERE}", "PYTHONDONTWRITEBYTECODE": "1"}

    def tests(self, folder: pathlib.Path) -> dict[str, bool]:
        """What fails is tried twice more, alone: some tests expect an idle machine. What then fails as well
        may stay, if it fails without the patch."""
        options = ["-q", "-rA", "-p", "no:cacheprovider", "-o", "addopts=", "--continue-on-collection-errors"]
        results: dict[str, bool] = {}
        for _ in range(3):
            failed = [name for name, is_passed in results.items() if not is_passed]
            if results and not failed:
                break
            command = [self.python, "-m", "pytest", *options, *failed]
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
            ran = subprocess.run(command, cwd=folder, env=self.environment(folder.name), **pipes)
            found = re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", ran.stdout, re.M)
            results.update({name: result == "PASSED" for result, name in found})
        return results

    def turn(self, way: str, case: Case) -> dict:
        # Its own package is found before a script of the same name.
        return measured(
            [self.python, "-P", sys.argv[0], "--turn", *case.arguments], env=self.environment(way)
        )


def measured(command: list[str], **options) -> dict:
    """What a program prints, with its share of a processor unless it says that itself."""
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(run("the measurement", command, **options).splitlines()[-1])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"share": used / (time.monotonic() - begun), **found}


def main_thread(seconds: float, computes: bool) -> dict[str, float]:
    """What the main thread does while others send: what share of a processor it has, and they have."""
    begun, used, own = time.perf_counter(), time.process_time(), time.thread_time()
    while time.perf_counter() < begun + seconds:
        if computes:
            sum(range(1000))
        else:
            time.sleep(0.1)
    took, own = time.perf_counter() - begun, time.thread_time() - own
    found = {"share": (time.process_time() - used - own) / took}
    return {**found, "main": own / took} if computes else found


def spread(values: list[float]) -> dict[str, float]:
    """The median of the rounds, and half their range."""
    return {"median": statistics.median(values), "half_range": (max(values) - min(values)) / 2}


def summary(turns: list[dict]) -> dict[str, dict[str, float]]:
    """Of one way: lateness in nanoseconds, the rest as the turns have it."""
    rounds = []
    for turn in turns:
        late = sorted(turn.pop("late"))
        rounds.append({"p50": late[len(late) // 2], "p99": late[int(len(late) * 0.99)], **turn})
    return {key: spread([one[key] for one in rounds]) for key in rounds[0]}


def told(key: str, value: dict[str, float]) -> str:
    """A median and half of the range, as in the documents."""
    median, half = value["median"], value["half_range"]
    if key == "rate":
        return f"{median:.0f} ± {half:.0f} /s"
    if key not in ("p50", "p99"):
        name = "" if key == "share" else f"{key} "
        return f"{name}{median * 100:.1f} ± {half * 100:.1f} %"
    unit, size = next(
        pair for pair in (("ms", 1e6), ("µs", 1e3), ("ns", 1)) if median >= pair[1] or pair[1] == 1
    )
    digits = 1 if median < 10 * size and size > 1 else 0
    return f"{median / size:.{digits}f} ± {half / size:.{digits}f} {unit}"


def main(adopter: Adopter, turn=None) -> None:
    """Prints a row of Markdown and one of JSON for each case. `turn` measures, with its arguments."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument(
        "--prepared", action="store_true", help="measure what an earlier run has built and tested"
    )
    parser.add_argument("--case", action="append", help="only cases whose name has this in it")
    parser.add_argument("--turn", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.turn is not None:
        print(json.dumps(turn(*asked.turn)))
        return
    try:
        tests = (
            json.loads((adopter.folder / "tests.json").read_text()) if asked.prepared else adopter.prepare()
        )
        for case in adopter.cases:
            if asked.case and not any(part in case.name for part in asked.case):
                continue
            turns: dict[str, list[dict]] = {way: [] for way in WAYS}
            for _ in range(1 if asked.quick else asked.rounds):
                for way in WAYS:
                    turns[way].append(adopter.turn(way, case))
            found = {way: summary(each) for way, each in turns.items()}
            cells = [f"{adopter.name} {adopter.version}", case.name]
            for way in WAYS:
                cells.append(", ".join(told(key, value) for key, value in found[way].items()))
            print(f"| {' | '.join([*cells, ' / '.join(tests.values())])} |")
            row = {
                "name": adopter.name,
                "version": adopter.version,
                "case": case.name,
                "tests": tests,
                **found,
            }
            print(json.dumps(row), flush=True)
    except (Failed, FileNotFoundError) as reason:
        sys.exit(f"{adopter.name}: {reason}")
