"""What `help()` shows: everything has a text, and every example runs."""

from __future__ import annotations

import doctest
import inspect
import sys

import pytest

import punctually
from punctually import aio, testing

PUBLIC = [(name, getattr(punctually, name)) for name in punctually.__all__ if name != "__version__"]
PUBLIC += [("VirtualTime", testing.VirtualTime)]


def members(thing: object) -> list[tuple[str, object]]:
    if not inspect.isclass(thing):
        return []
    return [(name, member) for name, member in vars(thing).items() if not name.startswith("_")]


@pytest.mark.parametrize(("name", "thing"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_everything_public_has_a_text(name: str, thing: object) -> None:
    assert inspect.getdoc(thing), name
    for member_name, member in members(thing):
        if not isinstance(member, punctually.Cancellation):
            assert inspect.getdoc(member), f"{name}.{member_name}"


def test_the_examples_run() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    things: list[tuple[str, object]] = [
        ("punctually", punctually),
        ("aio", aio),
        ("testing", testing),
        *PUBLIC,
    ]
    for name, thing in things:
        for part, member in [("", thing), *members(thing)]:
            text = inspect.getdoc(member) or ""
            example = parser.get_doctest(
                text, {**vars(punctually), **vars(testing)}, f"{name}.{part}", None, None
            )
            runner.run(example)
    assert runner.tries >= 10
    assert runner.failures == 0


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("sleep", "(duration, *, cancel=None)"),
        ("Sleeper", "(*, late_rate=None, budget=None)"),
        (
            "Ticker",
            "(*, hz=None, period=None, period_ns=None, missed_ticks=None, start_ns=None, cancel=None, "
            "sleeper=None)",
        ),
    ],
)
def test_help_shows_the_arguments(name: str, signature: str) -> None:
    shown = getattr(punctually, name).__text_signature__
    if shown is None and sys.version_info < (3, 10):
        pytest.skip("Python 3.9 shows no arguments of classes of the stable ABI")
    assert shown == signature
