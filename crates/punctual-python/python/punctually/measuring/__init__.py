"""How late this machine's Python serves deadlines, by each way of waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from punctually._types import Duration, seconds
from punctually.errors import InvalidInputError
from punctually.measuring.measurement import Measurement
from punctually.measuring.run import Plan, Run
from punctually.measuring.series import Account, Series
from punctually.measuring.ways import WAYS, AnyWay, AwaitedWay, SleeperWay, Way, named

__all__ = [
    "WAYS",
    "Account",
    "AnyWay",
    "AwaitedWay",
    "Measurement",
    "Plan",
    "Run",
    "Series",
    "SleeperWay",
    "Way",
    "measure",
    "plan",
]


def plan(
    period: Duration = 0.001,
    *,
    count: int = 1000,
    ways: Iterable[str | AnyWay] = (),
    neighbours: int = 0,
    seed: int = 1,
) -> Plan:
    """Checks a question before anything runs. Arguments and errors are those of :func:`measure`."""
    length = seconds(period)
    if not 1e-6 <= length <= 3600:
        raise InvalidInputError(f"period is {length}; it must be from 1e-6 to 3600 seconds")
    if count < 1:
        raise InvalidInputError(f"count is {count}; it must be 1 or more")
    if neighbours < 0:
        raise InvalidInputError(f"neighbours is {neighbours}; it must be 0 or more")
    chosen = [named(way) if isinstance(way, str) else way for way in ways] or list(WAYS)
    names = [way.name for way in chosen]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(f"the way {name!r} is given twice; give it once")
    return Plan(chosen, round(length * 1e9), count, neighbours, seed)


def measure(
    period: Duration = 0.001,
    *,
    count: int = 1000,
    ways: Iterable[str | AnyWay] = (),
    neighbours: int = 0,
    seed: int = 1,
    progress: Callable[[float], object] | None = None,
) -> Measurement:
    """Measures how late each way of waiting serves ``count`` deadlines, one ``period`` apart.

    All ways wait in the calling thread, in turns of a tenth of a second and in a random order, so
    that a disturbance of the machine affects all of them alike. The first turn of each is not
    counted. A deadline that passes while a way still waits for an earlier one is missed: it counts
    with the lateness with which it was then served.

    :param period: the time between two deadlines: seconds, or a timedelta
    :param count: deadlines of each way
    :param ways: names, or ways of your own (:class:`~punctually.measuring.Way`); all that
        ``punctually.measuring.WAYS`` lists if there are none
    :param neighbours: threads of this process that compute meanwhile
    :param seed: decides the order of the turns
    :param progress: is called after each turn with the share of all that is done, from 0 to 1
    :raises InvalidInputError: if an argument is out of range, or if there is no way of some name

    It takes about ``period · count`` seconds for each way. Ctrl-C ends it with
    :class:`KeyboardInterrupt`.

    >>> found = measure(0.001, count=20, ways=["time.sleep", "punctually"])
    >>> len(found["punctually"].lateness_ns)
    20
    """
    run = Run(plan(period, count=count, ways=ways, neighbours=neighbours, seed=seed))
    for done in run.turns():
        if progress is not None:
            progress(done)
    return run.measurement()
