"""How often threads change."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from punctually._types import Duration
from punctually.errors import InvalidInputError

__all__ = ["switch_interval"]

_is_told = False


@contextmanager
def switch_interval(interval: Duration) -> Iterator[None]:
    """Sets Python's switch interval for a `with` block: seconds, or a timedelta.

    After this time a thread that computes is asked to give up the interpreter's lock. A wait beside such a
    thread can be punctual only if it is longer. The interval is that of the whole interpreter. The
    shorter it is, the more time is lost to changes. Python's own is 5 ms.

    >>> import sys
    >>> with switch_interval(0.0005):
    ...     sys.getswitchinterval()
    0.0005
    """
    seconds = interval.total_seconds() if isinstance(interval, timedelta) else float(interval)
    if not 0 < seconds < 3600:
        raise InvalidInputError(f"interval must be above 0 and below an hour of seconds, not {interval}")
    found = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(found)


def tell_once() -> None:
    """Logs, the first time in a process, that waits are shorter than the switch interval."""
    global _is_told
    if _is_told:
        return
    _is_told = True
    # Most programs never need it here, and it takes longer to import than all of this package.
    import logging

    logging.getLogger("punctually").warning(
        "another thread computes, and Python takes the lock from it only after %.1f ms "
        "(sys.getswitchinterval()): waits that are shorter end late. With "
        "punctually.switch_interval(0.0005) threads change more often. Or compute in another process, or "
        "run the loop in C",
        sys.getswitchinterval() * 1e3,
    )


@contextmanager
def untold() -> Iterator[None]:
    """Nothing of this is logged in a `with` block."""
    global _is_told
    before, _is_told = _is_told, True
    try:
        yield
    finally:
        _is_told = before
