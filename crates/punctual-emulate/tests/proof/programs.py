"""The programs of the proof: where each comes from, and which persona each of its entries is."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Case:
    """One entry of one program."""

    program: str
    entry: str
    # What Windows' side of it is, by the name in `punctual windows personas`.
    persona: str
    # Whether `--persona auto` finds it. If not, the persona is named: neither the calls nor the executable tell one
    # entry of the runtime from another.
    recognised: bool = True
    # The rule that the summary names instead, where the runtime itself does on Linux what the persona does on Windows.
    rule: str = ""
    # By how many milliseconds it may differ, where Linux' side of the runtime does not ask for what Windows' does.
    tolerance: float = 0.0


class Missing(Exception):
    """A runtime that is not here."""


def run(*words, **settings):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **settings)
    if done.returncode:
        raise Missing((done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1])
    return done.stdout


def needed(name):
    return shutil.which(name) or _refuse(f"no {name}")


def _refuse(why):
    raise Missing(why)


def python(version):
    """A CPython of this version: of pyenv, or of the system."""

    def build(_):
        kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
        found = sorted(kept.glob(f"{version}.*/bin/python{version}"), key=lambda path: path.parts[-3].split("."))
        executable = found[-1] if found else shutil.which(f"python{version}") or _refuse(f"no python{version}")
        return [executable, HERE / "waits.py"], run(executable, "--version").strip()

    return build


def go(toolchain):
    """A static program, by this toolchain; the one that is installed if none is named."""

    def build(folder):
        needed("go")
        chosen = {"GOTOOLCHAIN": toolchain} if toolchain else {}
        # Flags that a machine sets for all toolchains may be unknown to old ones. No flag would mean the machine's.
        settings = {"env": os.environ | {"CGO_ENABLED": "0", "GOFLAGS": "-trimpath"} | chosen}
        built = folder / f"waits-{toolchain or 'go'}"
        run("go", "build", "-o", built, HERE / "waits.go", **settings)
        return [built], run("go", "version", **settings).split()[2]

    return build


def rust(toolchain):
    def build(folder):
        needed("rustup")
        built = folder / f"waits-rust-{toolchain}"
        run("rustup", "run", toolchain, "rustc", "--edition", "2021", "-O", "-o", built, HERE / "waits.rs")
        return [built], run("rustup", "run", toolchain, "rustc", "--version").rsplit(" (", 1)[0]

    return build


def tokio(folder):
    manifest = HERE / "tokio" / "Cargo.toml"
    target = folder / "tokio"
    run("cargo", "build", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target)
    package = run("cargo", "pkgid", "--manifest-path", manifest, "tokio").strip()
    return [target / "release" / "waits-tokio"], f"tokio {package.rsplit('@', 1)[-1]}"


def node(_):
    return [needed("node"), HERE / "waits.js"], f"node {run('node', '--version').strip()}"


def java(folder):
    run(needed("javac"), "-d", folder, HERE / "Waits.java")
    said = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    return [needed("java"), "-cp", folder, "Waits"], f"Java {said.split(chr(34))[1]}"


def cpp(folder):
    built = folder / "waits-cpp"
    run(needed("g++"), "-O2", "-std=c++17", "-pthread", "-o", built, HERE / "waits.cpp")
    return [built], f"g++ {run('g++', '-dumpfullversion').strip()}"


# How each is made ready: it answers with its command, and with its version in words.
BUILDS = {
    "python3.6": python("3.6"),
    "python3.10": python("3.10"),
    "python3.11": python("3.11"),
    "python3.12": python("3.12"),
    "python3.13": python("3.13"),
    "go1.15": go("go1.15.15"),
    "go1.20": go("go1.20.14"),
    "go": go(""),
    "rust1.74": rust("1.74.1"),
    "rust1.75": rust("1.75.0"),
    "tokio": tokio,
    "node": node,
    "java": java,
    "c++": cpp,
}

CASES = [
    Case("python3.10", "sleep", "python-3.10"),
    Case("python3.10", "threads", "python-3.10"),
    Case("python3.10", "lock", "python-3.10-lock"),
    Case("python3.10", "asyncio", "python-3.12-asyncio"),
    Case("python3.11", "sleep", "python-3.11"),
    Case("python3.11", "queue", "python-3.10-lock"),
    Case("python3.12", "asyncio", "python-3.12-asyncio"),
    Case("python3.13", "sleep", "python-3.11"),
    Case("python3.13", "threads", "python-3.11"),
    Case("python3.13", "asyncio", "python-3.13-asyncio"),
    Case("go1.15", "sleep", "go-1.15"),
    # Recognised, its sleeps take 16.3 ms instead of 15.6: the sleeps of its monitor thread are steered, too, and the
    # simulated one has no monitor. How the one leads to the other is not known.
    Case("go1.20", "sleep", "go-1.16", recognised=False),
    Case("go", "sleep", "go-1.23"),
    # Go asks Linux for whole milliseconds, at least one (runtime/netpoll_epoll.go), and Windows for what it needs. That
    # may be why a period of 1 ms takes up to half as long again.
    Case("go", "ticker", "go-ticker", rule="go-1.23", tolerance=0.6),
    Case("rust1.74", "sleep", "rust-1.74"),
    Case("rust1.75", "sleep", "rust-1.75"),
    Case("rust1.75", "park", "rust-park"),
    Case("rust1.75", "condvar", "rust-park"),
    Case("tokio", "sleep", "tokio", rule="wait, ms up"),
    Case("node", "timeout", "node"),
    Case("java", "sleep", "java-thread-sleep"),
    Case("java", "park", "java-park-nanos", recognised=False),
    Case("java", "wait", "java-object-wait", recognised=False),
    Case("c++", "sleep", "msvc", recognised=False),
    Case("c++", "condvar", "msvc-condvar", recognised=False),
    # Only where there is time for all.
    Case("python3.6", "sleep", "python-3.10"),
    Case("python3.6", "lock", "python-3.9-lock"),
    Case("python3.11", "select", "python-3.12-select"),
    Case("python3.12", "lock", "python-3.10-lock"),
    Case("go", "after", "go-1.23"),
    Case("rust1.74", "channel", "rust-park"),
    Case("tokio", "threads", "tokio", rule="wait, ms up"),
]

LONG_FROM = 25
