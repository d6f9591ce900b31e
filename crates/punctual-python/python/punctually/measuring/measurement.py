"""What was measured of all ways, and its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from punctually.measuring.durations import duration
from punctually.measuring.series import Series

#: What counts as late in the table, in seconds.
LATE = 100e-6


@dataclass
class Measurement(Mapping[str, Series]):
    """How late each way served its deadlines: a :class:`Series` for each name of a way."""

    #: The time between two deadlines.
    period_ns: int
    #: Threads of this process that computed meanwhile.
    neighbours: int
    #: The name of each way with its series.
    series: dict[str, Series]
    #: How fast the neighbours compute when nothing waits beside them.
    free_laps_per_second: float = 0.0

    def __getitem__(self, way: str) -> Series:
        return self.series[way]

    def __iter__(self) -> Iterator[str]:
        return iter(self.series)

    def __len__(self) -> int:
        return len(self.series)

    def count(self) -> int:
        """Deadlines of the way that has most: after Ctrl-C, some have fewer."""
        return max((len(series.lateness_ns) for series in self.values()), default=0)

    def neighbours_share(self, way: str) -> float:
        """How fast the neighbours computed beside this way: 1 is as fast as without it."""
        free = self.free_laps_per_second
        return self.series[way].laps_per_second / free if free else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it, with the units in the names of the keys."""
        return {
            "schema": "punctually.measure/1",
            "period_ns": self.period_ns,
            "neighbours": self.neighbours,
            "free_laps_per_second": self.free_laps_per_second,
            "series": [
                {
                    "way": series.way,
                    "missed": series.missed,
                    "processor_share": series.processor_share,
                    "laps_per_second": series.laps_per_second,
                    "lateness_ns": series.lateness_ns.tolist(),
                }
                for series in self.series.values()
            ],
        }

    def table(self) -> str:
        """The figures as a table of at most 80 columns."""
        return _table(self)


def _table(measurement: Measurement) -> str:
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
