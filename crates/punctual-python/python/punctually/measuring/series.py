"""What was measured of one way of waiting."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Account:
    """What one turn took."""

    #: Deadlines of the turn.
    deadlines: int
    #: How many of them passed while the way still waited for an earlier one.
    missed: int
    #: How long it took.
    elapsed_ns: int
    #: Processor time of this process, without that of the neighbours.
    processor_ns: int
    #: What the neighbours did meanwhile, in laps of their loops.
    laps: int


@dataclass
class Series:
    """How late one way of waiting served its deadlines.

    ``lateness_ns`` has the buffer protocol: ``numpy.asarray(series.lateness_ns)`` copies nothing.
    """

    #: The name of the way.
    way: str
    #: How late each deadline was served, in nanoseconds and in order. A deadline that passed
    #: while the way still waited for an earlier one was served when that wait ended. A wait that
    #: ended early has a negative one.
    lateness_ns: array[int] = field(default_factory=lambda: array("q"))
    #: What each turn took, in order.
    turns: list[Account] = field(default_factory=list)

    @property
    def missed(self) -> int:
        """Deadlines that passed while the way still waited for an earlier one."""
        return sum(turn.missed for turn in self.turns)

    @property
    def early(self) -> int:
        """Waits that ended before their deadline."""
        return sum(lateness < 0 for lateness in self.lateness_ns)

    @property
    def processor_share(self) -> float:
        """The share of one processor that waiting took."""
        elapsed = sum(turn.elapsed_ns for turn in self.turns)
        return sum(turn.processor_ns for turn in self.turns) / elapsed if elapsed else 0.0

    @property
    def laps_per_second(self) -> float:
        """How fast the neighbours computed meanwhile. Zero if there are none."""
        elapsed = sum(turn.elapsed_ns for turn in self.turns)
        return sum(turn.laps for turn in self.turns) * 1e9 / elapsed if elapsed else 0.0

    def quantiles_ns(self, *shares: float) -> list[int]:
        """For each share, the shortest lateness that at least this share does not exceed.

        Raises :class:`ValueError` if nothing was measured.
        """
        if not self.lateness_ns:
            raise ValueError(f"{self.way}: nothing was measured")
        ordered = sorted(self.lateness_ns)
        last = len(ordered) - 1
        return [ordered[min(max(math.ceil(share * len(ordered)) - 1, 0), last)] for share in shares]

    def late_share(self, bound: float) -> float:
        """The share of deadlines that were served more than ``bound`` seconds late."""
        bound_ns = bound * 1e9
        late = sum(lateness > bound_ns for lateness in self.lateness_ns)
        return late / len(self.lateness_ns) if self.lateness_ns else 0.0
