"""Lets ways of waiting take turns, so that a disturbance of the machine affects all alike."""

from __future__ import annotations

import random
import threading
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from punctually.measuring.measurement import Measurement
from punctually.measuring.neighbours import Neighbours
from punctually.measuring.series import Account, Series
from punctually.measuring.ways import AnyWay, Turn, Waiter, now
from punctually.switching import untold

#: The length of a turn: long enough that the change of turns costs nothing, and short enough that
#: a disturbance affects every way.
TURN_NS = 100_000_000
#: No turn is shorter than this, so that the first wait after a change of turns counts for little.
LEAST_DEADLINES = 10


@dataclass(frozen=True)
class Plan:
    """What to measure."""

    ways: Sequence[AnyWay]
    period_ns: int
    count: int
    neighbours: int
    seed: int

    @property
    def deadlines_per_turn(self) -> int:
        """How many deadlines a full turn has."""
        return min(max(TURN_NS // self.period_ns, LEAST_DEADLINES), self.count)

    def rounds(self) -> Iterator[int]:
        """How many deadlines each turn of each round has. The first round is the warm-up."""
        each = self.deadlines_per_turn
        yield each
        for _ in range(self.count // each):
            yield each
        if self.count % each:
            yield self.count % each

    @property
    def expected_s(self) -> float:
        """How long it takes if every way keeps its deadlines."""
        deadlines = sum(self.rounds()) * (len(self.ways) + bool(self.neighbours))
        return deadlines * self.period_ns / 1e9


class Run:
    """A measurement while it is made. What it has so far can be read at any time."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.series = {way.name: Series(way.name) for way in plan.ways}
        self._nobody = Series("")

    def measurement(self) -> Measurement:
        """What has been measured so far."""
        plan = self.plan
        free = self._nobody.laps_per_second
        return Measurement(plan.period_ns, plan.neighbours, self.series, free)

    def turns(self) -> Iterator[float]:
        """Runs one turn after the other, and says after each what share of all is done."""
        plan = self.plan
        order: list[tuple[Waiter, Series]] = []
        chance = random.Random(plan.seed)
        rounds = list(plan.rounds())
        done, deadlines = 0, sum(rounds) * (len(plan.ways) + bool(plan.neighbours))
        # The figures show what it would tell of.
        with untold(), Neighbours(plan.neighbours) as neighbours:
            try:
                order += ((way.waiter(), self.series[way.name]) for way in plan.ways)
                if plan.neighbours:
                    order.append((_Nobody(), self._nobody))
                for number, each in enumerate(rounds):
                    for waiter, series in chance.sample(order, len(order)):
                        self._turn(waiter, series if number else Series(""), each, neighbours)
                        done += each
                        yield done / deadlines
            finally:
                for waiter, _ in order:
                    waiter.close()

    def _turn(self, waiter: Waiter, series: Series, deadlines: int, neighbours: Neighbours) -> None:
        laps, processor, began = neighbours.laps(), neighbours.own_processor_ns(), now()
        turn = Turn(began, self.plan.period_ns, deadlines, [])
        waiter.keep(turn)
        account = Account(
            deadlines=deadlines,
            missed=turn.missed,
            elapsed_ns=now() - began,
            processor_ns=neighbours.own_processor_ns() - processor,
            laps=neighbours.laps() - laps,
        )
        # Only a whole turn counts: Ctrl-C may end it anywhere.
        series.lateness_ns += array("q", turn.lateness_ns)
        series.turns.append(account)


class _Nobody:
    """Waits for a whole turn at once: what the neighbours do when nothing waits beside them."""

    def __init__(self) -> None:
        self._never = threading.Lock()
        self._never.acquire()

    def keep(self, turn: Turn) -> None:
        self._never.acquire(timeout=turn.deadlines * turn.period_ns / 1e9)

    def close(self) -> None:
        pass
