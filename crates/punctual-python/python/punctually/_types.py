"""What durations, rates and periods may be."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Optional, SupportsFloat, Union

#: Seconds, or a timedelta.
Duration = Union[SupportsFloat, timedelta]

#: Hertz. A float is read as the decimal that it prints as.
Rate = Union[float, Fraction, Decimal]

#: Seconds, or a timedelta. A float is read as the decimal that it prints as.
Period = Union[float, Fraction, Decimal, timedelta]

#: What a late loop gets of the periods that passed: see `Ticker`.
MissedTicks = Union[Literal["skip", "burst", "delay"], int]

#: The rule, what it stands on, how far it can be trusted, and the cases that say so.
Ground = tuple[str, str, str, list[str]]
#: How far, the case that publishes it, what it rests on, and what is unusual about the machine.
Trust = tuple[str, Optional[str], list[Ground], list[str]]


def seconds(duration: Duration) -> float:
    """A duration as a number."""
    return duration.total_seconds() if isinstance(duration, timedelta) else float(duration)
