"""Durations as text."""

from __future__ import annotations


def duration(nanos: float) -> str:
    """A duration with three digits: ``77.1 µs``."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        # 999.6 µs would be shown as 1000 µs.
        if abs(nanos) >= 0.9995 * size:
            amount = nanos / size
            digits = 2 if abs(amount) < 9.995 else 1 if abs(amount) < 99.95 else 0
            return f"{amount:.{digits}f} {unit}"
    return f"{nanos:.0f} ns"
