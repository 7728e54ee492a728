"""Numbers with their hedge: "more than", "up to" and "about" as values that can be computed with."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from operator import mul, sub, truediv

SCALES = {10**12: "trillion", 10**9: "billion", 10**6: "million"}
# How a number is written with its unit, where it is not "NUMBER UNIT"; and the units that are measured, not counted.
WRITTEN = {"USD": "{} dollars", "percent": "{}%", "times": "{} times as much"}
MEASURED = {"USD", "percent", "GW", "nm", "W per chip", "times"}


@dataclass(frozen=True, repr=False)
class Bound:
    """Every value that a statement allows, from low to high, in `unit`; nothing in it is below zero.

    low, high: exact, or None for an end that is not stated. `about`: the number is hedged by a width
    that nobody states. An order of magnitude ("billions") has a low end alone. A stated number also has `printed`,
    `told`, its English translation, and `step`, what its last printed digit stands for; what is computed from it
    has none of them. ValueError where no value is left.
    """

    low: Fraction | None
    high: Fraction | None
    unit: str
    low_included: bool = True
    high_included: bool = True
    about: bool = False
    told: str = field(default="", compare=False)
    printed: str = field(default="", compare=False)
    step: Fraction | None = field(default=None, compare=False)

    @classmethod
    def stated(cls, bound, low, high, unit, **words) -> Bound:
        """The values that a row of statements.csv allows; its columns fit each other, as checks.py holds."""
        low, high = (None if end is None else Fraction(str(end)) for end in (low, high))
        return cls(low, high, unit, low_included=bound != "more than", about=bound == "about", **words)

    def __post_init__(self):
        if not _meet(self._low, self._high):
            raise ValueError(f"no number of {self.unit} is above {float(self.low):g} and below {float(self.high):g}")

    def __truediv__(self, whole: Bound) -> Bound:
        """What part of a whole this is, in percent and never above 100; with another unit, how much per one of it."""
        if self.unit == whole.unit:
            return self._quotient(whole, "").times(100, "percent").at_most(exactly(100, "percent"))
        return self._quotient(whole, f"{self.unit} per {whole.unit.removesuffix('s')}")

    def __rtruediv__(self, number: int) -> Bound:
        """How many times this goes into a number of the same unit."""
        return exactly(number, self.unit)._quotient(self, "times")

    def __sub__(self, part: Bound) -> Bound:
        """What is left of this whole without a part of it: never below zero."""
        self._same_unit(part)
        nothing = Fraction(0), True
        low = max(_both(sub, self._low, part._high) or nothing, nothing)
        return _bound(low, _both(sub, self._high, part._low), self.unit, self.about or part.about)

    def __rsub__(self, number: int) -> Bound:
        """What is left of a number of the same unit without this."""
        return exactly(number, self.unit) - self

    def of(self, whole: Bound) -> Bound:
        """This percentage of a whole, in the unit of the whole and never above it."""
        share = self.at_most(exactly(100, "percent"))
        low, high = (_both(mul, end, other) for end, other in ((share._low, whole._low), (share._high, whole._high)))
        return _bound(low, high, whole.unit, self.about or whole.about).times(Fraction(1, 100), whole.unit)

    def at_most(self, limit: Bound) -> Bound:
        """Those values that are not above the upper end of `limit`."""
        self._same_unit(limit)
        if limit.high is None or (self.high is not None and self.high <= limit.high):
            return self
        return _bound(self._low, limit._high, self.unit, self.about or limit.about)

    def times(self, factor, unit: str) -> Bound:
        """Each value times an exact number, in another unit."""
        by = Fraction(factor), True
        return _bound(_both(mul, self._low, by), _both(mul, self._high, by), unit, self.about)

    def if_rounded(self) -> Bound:
        """What a stated number can stand for if it was rounded to its last printed digit."""
        half = self.step / 2
        return _bound((self.low - half, True), (self.high + half, True), self.unit, self.about)

    def agrees_with(self, other: Bound) -> str:
        """Whether one value can satisfy both: "yes", "NO", or "open" where that hangs on how wide "about" is."""
        self._same_unit(other)
        if _meet(self._low, other._high) and _meet(other._low, self._high):
            return "yes"
        return "open" if self.about or other.about else "NO"

    def reads(self, digits: int | None = None) -> str:
        """The value in words: a stated one as translated, a computed one with its shown ends rounded outwards.

        digits: decimals of a computed one (None: as few as tell it).
        """
        if self.told:
            return self.told
        if self.low is None and self.high is None:
            return "anything"
        low, high = (
            None if end is None else _number(end, way, digits) for end, way in ((self.low, floor), (self.high, ceil))
        )
        about = "about " if self.about else ""
        over = "at least" if self.low_included else "more than"
        below = "less than" if self.unit in MEASURED else "fewer than"
        if self.low == self.high:
            exact = low == high and not self.about
            text = low if exact else f"about {_number(self.low, round, digits)}"
        elif self.high is None or self._up_to_the_whole():
            text = f"{over} {about}{low}"
        elif not self.low:
            text = f"{('up to' if self.low is None else 'at most') if self.high_included else below} {about}{high}"
        elif self.low_included and self.high_included:
            text = f"{about}{low} to {high}"
        else:
            text = f"{over} {about}{low}, {'at most' if self.high_included else 'below'} {about}{high}"
        unit = self.unit.removesuffix("s") if text.split()[-1] == "1" else self.unit
        return WRITTEN.get(self.unit, f"{{}} {unit}").format(text)

    __repr__ = __str__ = reads

    def _up_to_the_whole(self):
        """Whether the upper end is that of every share, and goes without saying."""
        return self.unit == "percent" and self.high == 100 and self.low and not self.low_included

    def _same_unit(self, other):
        if self.unit != other.unit:
            raise ValueError(f"{other.unit} cannot be part of {self.unit}")

    def _quotient(self, other, unit):
        low = _both(truediv, self._low, other._high) or (Fraction(0), not self.low)
        return _bound(low, _both(truediv, self._high, other._low), unit, self.about or other.about)

    @property
    def _low(self):
        return None if self.low is None else (self.low, self.low_included)

    @property
    def _high(self):
        return None if self.high is None else (self.high, self.high_included)


def exactly(number, unit: str) -> Bound:
    """One value, without a hedge."""
    return Bound(Fraction(number), Fraction(number), unit)


def _bound(low, high, unit, about):
    """A Bound from its ends, each (value, whether it is included) or None if it is not stated."""
    (low, low_in), (high, high_in) = low or (None, True), high or (None, True)
    return Bound(low, high, unit, low_in, high_in, about)


def _both(operation, one, other):
    """The end that two ends make: included if both are, not stated if either is not."""
    if one is None or other is None or (operation is truediv and other[0] == 0):
        return None
    return operation(one[0], other[0]), one[1] and other[1]


def _meet(low, high):
    """Whether a value lies between two ends."""
    return low is None or high is None or low[0] < high[0] or (low[0] == high[0] and low[1] and high[1])


def _number(value, direction, digits):
    """A number in figures, with "million" and the like from a million up; exact if a few decimals can tell it."""
    scale = next((scale for scale in SCALES if value >= scale), 1)
    shown = value / scale
    if digits is None:
        exact = (digits for digits in range(7) if (shown * 10**digits).denominator == 1)
        digits = next(exact, 0 if scale == 1 else 2)
    shown = Fraction(direction(shown * 10**digits), 10**digits)
    return f"{float(shown):,.{digits}f}" + (f" {SCALES[scale]}" if scale > 1 else "")
