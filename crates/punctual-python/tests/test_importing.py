"""What takes long to import is imported when it is asked for."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

import punctually
from punctually import _lab, _native

SLOW = ["asyncio", "dataclasses", "fractions", "logging", "threading", "typing"]
LATER = ["aio", "driver", "guards", "measuring", "simulation", "switching", "testing"]


def test_an_import_imports_little() -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import punctually\n"
        "punctually.sleep(0.0001); punctually.Sleeper().sleep(0.0001)\n"
        "print(*sorted(set(sys.modules) - before))\n"
        "punctually.simulate('windows-11', persona='python-3.10', count=1)\n"
        "assert 'punctually._lab' in sys.modules\n"
    )
    # Without the site, which may have imported anything.
    path = str(pathlib.Path(punctually.__file__).parent.parent)
    program = f"import sys; sys.path.insert(0, {path!r})\n{program}"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    imported = ran.stdout.split()
    assert "punctually._native" in imported
    assert not {*SLOW, *(f"punctually.{name}" for name in (*LATER, "_lab"))} & set(imported)


def test_everything_is_there_when_it_is_asked_for() -> None:
    for name in (*punctually.__all__, *LATER):
        assert getattr(punctually, name) is not None
        assert name in dir(punctually)
    everything: dict[str, object] = {}
    exec("from punctually import *", everything)
    assert set(punctually.__all__) <= set(everything)
    with pytest.raises(AttributeError, match="no attribute 'sleeep'"):
        punctually.sleeep  # type: ignore[attr-defined]  # noqa: B018 # pyright: ignore


def test_programs_that_simulate_nothing_load_no_simulator() -> None:
    rules = b"windows-10-2004"
    assert rules in pathlib.Path(_lab.__file__).read_bytes()
    assert rules not in pathlib.Path(_native.__file__).read_bytes()
