"""What durations, rates and periods may be."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Literal, SupportsFloat, Union

#: Seconds, or a timedelta.
Duration = Union[SupportsFloat, timedelta]

#: Hertz. A float is read as the decimal that it prints as.
Rate = Union[float, Fraction, Decimal]

#: Seconds, or a timedelta. A float is read as the decimal that it prints as.
Period = Union[float, Fraction, Decimal, timedelta]

#: What a late loop gets of the periods that passed: see `Ticker`.
MissedTicks = Union[Literal["skip", "burst", "delay"], int]
