"""What the waits of Python and other languages take on simulated Windows machines."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from punctually import _lab
from punctually._types import Duration, Trust, seconds
from punctually.errors import InvalidInputError

__all__ = ["Confidence", "Ground", "Simulation", "calls", "machines", "personas", "simulate"]


@dataclass(frozen=True)
class Ground:
    """A rule of a simulated Windows that a figure rests on."""

    #: The rule.
    rule: str
    #: What it stands on: ``measured``, ``inferred``, …
    basis: str
    #: How far a figure can be trusted that rests on it; the words of :attr:`Confidence.level`.
    level: str
    #: The published measurements that say so.
    cases: tuple[str, ...]


@dataclass(frozen=True)
class Confidence:
    """How far the mean of a simulation can be trusted, and why not further."""

    #: The best first: ``published`` for these conditions, ``rule measured elsewhere``,
    #: ``inferred``, or ``contradicted`` by a published number.
    level: str
    #: The published measurement of this very mean, if there is one.
    case: str | None
    #: What it rests on, the weakest first.
    rests_on: tuple[Ground, ...]
    #: Settings and rules of the machine with which nobody has measured.
    unusual: tuple[str, ...]


@dataclass(frozen=True)
class Simulation:
    """Waits on a simulated machine.

    ``lateness_ns`` has the buffer protocol: ``numpy.asarray(found.lateness_ns)`` copies nothing.
    Simulations can be pickled, so they travel between processes.
    """

    #: The machine.
    machine: str
    #: The persona or the call.
    call: str
    #: How long each wait was to take.
    duration_ns: int
    #: What Windows was asked for: whole units of the call.
    asked_ns: int
    #: The seed of all random numbers. The same question with the same seed has the same answer.
    seed: int
    #: How much longer than ``duration_ns`` each wait took, in nanoseconds and in order. It is
    #: negative for waits that ended early.
    lateness_ns: array[int]
    #: How far the mean can be trusted.
    confidence: Confidence | None

    @property
    def mean_ns(self) -> float:
        """How long a wait took on average."""
        return self.duration_ns + sum(self.lateness_ns) / len(self.lateness_ns)


def machines() -> list[str]:
    """The names of the simulated machines, the oldest Windows first."""
    return _lab.simulated_names()[0]


def personas() -> list[str]:
    """The names of the personas: waits of a runtime, in the versions that make the same calls."""
    return _lab.simulated_names()[1]


def calls() -> list[str]:
    """The names of Windows' own calls."""
    return _lab.simulated_names()[2]


def simulate(
    machine: str,
    *,
    persona: str | None = None,
    call: str | None = None,
    duration: Duration = 0.001,
    count: int = 1000,
    at: str = "tight",
    companions: Iterable[str] = (),
    load: str = "none",
    request: Duration | None = None,
    seed: int = 1,
) -> Simulation:
    """Simulates ``count`` waits on a version of Windows, in virtual time.

    :param machine: a name of :func:`machines`, and settings after commas, as in
        ``"windows-10-2004,processors=2"``
    :param persona: whose wait: a name of :func:`personas`, such as ``"python-3.10"``, which is
        ``time.sleep`` in CPython 3.5 to 3.10
    :param call: a bare call of Windows instead, a name of :func:`calls`
    :param duration: how long each wait is to take: seconds, or a timedelta
    :param count: waits
    :param at: when each begins: ``"tight"``, when the one before has ended; ``"random"``, at any
        moment; ``"aligned"``, just after the machine's timer has ticked
    :param companions: other programs, such as ``"requester=1ms"``, which requests a timer interval
    :param load: ``"cpu"``, ``"switch"`` or ``"timers"``: other programs that compute or wait
    :param request: a timer interval, in seconds or a timedelta, that the waiting process requests itself
    :param seed: of all random numbers
    :raises InvalidInputError: which is a :class:`ValueError`; it names what would be right

    The interpreter's lock is released meanwhile. Ctrl-C ends it.

    >>> found = simulate("windows-10-2004", persona="python-3.10", duration=0.001, count=100)
    >>> round(found.mean_ns / 1e6, 1)
    15.6
    >>> found.confidence.level
    'rule measured elsewhere'
    """
    if (persona is None) == (call is None):
        raise InvalidInputError('give a persona, as in persona="python-3.10", or a call; not both')
    durations, asked_ns, trust = _lab.simulate(
        machine,
        persona or call or "",
        _nanos("duration", duration),
        _at_least_one("count", count),
        at=at,
        companions=list(companions),
        load=load,
        request_ns=None if request is None else _nanos("request", request),
        seed=_at_least_one("seed", seed),
    )
    duration_ns = _nanos("duration", duration)
    lateness = array("q")
    lateness.frombytes(durations)
    for index, nanos in enumerate(lateness):
        lateness[index] = nanos - duration_ns
    return Simulation(
        machine=machine,
        call=persona or call or "",
        duration_ns=duration_ns,
        asked_ns=asked_ns,
        seed=seed,
        lateness_ns=lateness,
        confidence=None if trust is None else _confidence(trust),
    )


def _nanos(name: str, duration: Duration) -> int:
    length = seconds(duration)
    if not 0 <= length <= 86_400:
        raise InvalidInputError(f"{name} is {length} seconds; it must be from 0 to 86400")
    return round(length * 1e9)


def _at_least_one(name: str, number: int) -> int:
    if not 1 <= number < 2**63:
        raise InvalidInputError(f"{name} is {number}; it must be from 1 to 2**63 - 1")
    return number


def _confidence(trust: Trust) -> Confidence:
    level, case, rests_on, unusual = trust
    grounds = (Ground(rule, basis, of, tuple(cases)) for rule, basis, of, cases in rests_on)
    return Confidence(level, case, tuple(grounds), tuple(unusual))
