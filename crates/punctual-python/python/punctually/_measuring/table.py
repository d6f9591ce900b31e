"""A measurement as a table."""

from __future__ import annotations

from .series import Measurement, Series

#: What counts as late in the table, in seconds.
LATE = 100e-6


def duration(nanos: float) -> str:
    """A duration with three digits: ``77.1 µs``."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        # 999.6 µs would be shown as 1000 µs.
        if abs(nanos) >= 0.9995 * size:
            amount = nanos / size
            digits = 2 if abs(amount) < 9.995 else 1 if abs(amount) < 99.95 else 0
            return f"{amount:.{digits}f} {unit}"
    return f"{nanos:.0f} ns"


def table(measurement: Measurement) -> str:
    """At most 80 columns: a row for each way, in the order in which they were given."""
    measured = [series for series in measurement.values() if series.lateness_ns]
    period = duration(measurement.period_ns)
    lines = [f"Lateness of {measurement.count()} deadlines every {period}{_beside(measurement)}"]
    last = "others" if measurement.neighbours else "early"
    lines.append(f"{'':17} {'p50':>9}{'p99':>9}{'max':>9} {'late':>6} {'missed':>7} {'cpu':>6} {last:>7}")
    lines += (_row(measurement, series) for series in measured)
    lines.append(f"late: more than {duration(LATE * 1e9)} after the deadline")
    if measurement.neighbours:
        lines.append("others: how fast the computing threads were, compared with no waits")
    return "\n".join(lines)


def _beside(measurement: Measurement) -> str:
    count = measurement.neighbours
    if not count:
        return ""
    return f", beside {count} computing thread{'s' if count > 1 else ''}"


def _row(measurement: Measurement, series: Series) -> str:
    figures = "".join(f"{duration(nanos):>9}" for nanos in series.quantiles_ns(0.5, 0.99, 1))
    late, share = series.late_share(LATE), series.processor_share
    if measurement.neighbours:
        last = f"{measurement.neighbours_share(series.way):>7.0%}"
    else:
        last = f"{series.early:>7}"
    return f"{series.way:17} {figures} {late:>6.1%} {series.missed:>7} {share:>6.1%} {last}"
