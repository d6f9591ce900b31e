"""Subinterpreters are refused."""

from __future__ import annotations

import pytest

import punctually

try:
    # Python 3.13 and later.
    import _interpreters as interpreters  # type: ignore[import-not-found]
except ImportError:
    interpreters = pytest.importorskip("_xxsubinterpreters")

PROGRAM = """
try:
    import punctually
except ImportError as error:
    assert "subinterpreters" in str(error), error
else:
    raise AssertionError("imported")
"""


def test_a_subinterpreter_is_refused() -> None:
    assert punctually.sleep(0).slept_ns == 0
    interpreter = interpreters.create()
    try:
        run = getattr(interpreters, "exec", None) or interpreters.run_string
        assert run(interpreter, PROGRAM) is None
    finally:
        interpreters.destroy(interpreter)
