"""What this interpreter and this machine permit a program that waits."""

from __future__ import annotations

import gc
import json
import os
import platform
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass

import punctually
from punctually.errors import PunctualError
from punctually.measuring.durations import duration

__all__ = ["Finding", "as_json", "as_text", "examine"]

#: Readings behind the cost of one.
READINGS = 10_000
#: A program whose loop runs a hundred times a second has no time for more than this.
LONG_INTERVAL = 0.001


@dataclass(frozen=True)
class Finding:
    """One thing on which punctual waits depend."""

    #: Its name.
    what: str
    #: How good it is for waits: ``good``, ``limited``, ``missing`` or ``unknown``.
    state: str
    #: What its state means.
    effect: str
    #: What would make it good, if there is something.
    remedy: str | None = None


def examine() -> list[Finding]:
    """Everything that is known. What is tried for this is undone."""
    return list(_findings())


def as_text() -> str:
    """The findings in at most 80 columns."""
    lines = []
    for finding in examine():
        sign = {"good": "+", "limited": "~", "missing": "-"}.get(finding.state, "?")
        head = f"{sign} {finding.what:16} "
        lines.append(textwrap.fill(finding.effect, 80, initial_indent=head, subsequent_indent=" " * 19))
        if finding.remedy:
            lines.append(
                textwrap.fill(finding.remedy, 80, initial_indent=" " * 19, subsequent_indent=" " * 19)
            )
    lines.append("+ good   ~ limited   - missing   ? unknown")
    return "\n".join(lines)


def as_json() -> str:
    """The findings as JSON."""
    rows = [asdict(finding) for finding in examine()]
    return json.dumps({"schema": "punctually.doctor/1", "findings": rows}, indent=2)


def _findings() -> Iterator[Finding]:
    yield _interpreter()
    yield _lock()
    yield _switch_interval()
    yield _collector()
    yield _clock()
    yield _timer_slack()
    yield _processors()
    yield _attempt(
        "high priority",
        "with punctually.priority('high'), a thread comes before ordinary ones",
        punctually.priority("high"),
    )
    yield _attempt(
        "slice",
        "with a short slice of its own, a thread gets its turn sooner",
        punctually.slice(0.0001),
    )


def _interpreter() -> Finding:
    name = platform.python_implementation()
    version = f"{name} {platform.python_version()}"
    if name == "CPython":
        return Finding("interpreter", "good", version)
    return Finding("interpreter", "unknown", f"{version}: nobody has measured waits with it")


def _lock() -> Finding:
    is_enabled = getattr(sys, "_is_gil_enabled", lambda: True)()
    if is_enabled:
        effect = "one thread at a time runs Python, so one that computes makes the waits of others late"
        return Finding("lock", "limited", effect, "compute in another process, or in C without the lock")
    return Finding("lock", "unknown", "this build has none: nobody has measured waits with it")


def _switch_interval() -> Finding:
    interval = sys.getswitchinterval()
    effect = (
        f"{interval * 1e3:g} ms: beside a thread that computes, it takes so long to get the lock "
        f"back. Waits of {interval * 1e3:g} ms or less can't be punctual there"
    )
    if interval <= LONG_INTERVAL:
        return Finding("switch interval", "good", effect)
    remedy = "with punctually.switch_interval(0.0005): threads change more often, and lose some time to it"
    return Finding("switch interval", "limited", effect, remedy)


def _collector() -> Finding:
    if not gc.isenabled():
        return Finding("collector", "good", "disabled: it makes no wait late")
    began = time.perf_counter_ns()
    gc.collect()
    took = duration(time.perf_counter_ns() - began)
    effect = f"a full collection took {took} just now, with the lock held; more objects, more time"
    remedy = "gc.freeze() when the program is set up, or gc.disable()"
    return Finding("collector", "limited", effect, remedy)


def _clock() -> Finding:
    began = time.perf_counter_ns()
    for _ in range(READINGS):
        punctually.now_ns()
    cost = (time.perf_counter_ns() - began) / READINGS
    name = time.get_clock_info("perf_counter").implementation
    state = "good" if cost < 1000 else "limited"
    return Finding("clock", state, f"{name}; punctually.now_ns() takes {cost:.0f} ns")


def _timer_slack() -> Finding:
    try:
        with open("/proc/self/timerslack_ns", encoding="ascii") as file:
            slack = int(file.read())
    except (OSError, ValueError):
        return Finding("timer slack", "unknown", "the system does not tell")
    effect = f"{duration(slack)}: time.sleep ends so much later; punctually's waits don't"
    return Finding("timer slack", "good", effect)


def _processors() -> Finding:
    online = os.cpu_count()
    affinity = getattr(os, "sched_getaffinity", None)
    usable = len(affinity(0)) if affinity else online
    if usable is None or online is None:
        return Finding("processors", "unknown", "the system does not tell")
    if usable == 1:
        return Finding("processors", "limited", f"1 of {online}: every other thread is in the way of a wait")
    return Finding("processors", "good", f"{usable} of {online}")


def _attempt(what: str, effect: str, guard: AbstractContextManager[object]) -> Finding:
    try:
        with guard:
            return Finding(what, "good", effect)
    except PunctualError as error:
        return Finding(what, "missing", effect, str(error))
