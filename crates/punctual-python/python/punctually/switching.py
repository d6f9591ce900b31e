"""How often threads change."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from punctually._types import Duration
from punctually.errors import InvalidInputError

__all__ = ["switch_interval"]


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
