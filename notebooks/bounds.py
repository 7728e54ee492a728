"""Numbers with their hedge: "more than", "up to" and "about" as values that can be computed with."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from operator import mul, sub, truediv
from typing import Self

SCALES = {10**12: " trillion", 10**9: " billion", 10**6: " million"}
# How a number is written with its unit, where it is not "NUMBER UNIT"; and the units that are measured, not counted.
WRITTEN = {"USD": "{} dollars", "percent": "{}%", "times": "{} times as much"}
MEASURED = {"USD", "percent", "GW", "nm", "W per chip", "times"}


@dataclass(frozen=True, repr=False)
class Bound:
    """Every value that a statement allows, from `low` to `high`, in `unit`; nothing in it is below zero.

    An end is exact, or None if it is not stated, as the upper one of "billions". What is computed has none of
    the last three fields. ValueError where no value is left, and for two units that have to be one.
    """

    low: Fraction | None
    high: Fraction | None
    unit: str
    low_included: bool = True
    high_included: bool = True
    about: bool = False  # hedged by a width that nobody states
    told: str = field(default="", compare=False)  # the English translation
    printed: str = field(default="", compare=False)
    step: Fraction | None = field(default=None, compare=False)  # what the last printed digit stands for

    @classmethod
    def stated(cls, bound, low, high, unit, **words) -> Self:
        """The values that a row of statements.csv allows; its columns fit each other, as checks.py holds."""
        low, high = (None if end is None else Fraction(str(end)) for end in (low, high))
        return cls(low, high, unit, low_included=bound != "more than", about=bound == "about", **words)

    def __post_init__(self):
        if not self._reaches(self):
            raise ValueError(f"no number of {self.unit} is above {float(self.low):g} and below {float(self.high):g}")

    def __truediv__(self, whole: Self) -> Self:
        """What part of a whole this is, in percent and never above 100; with another unit, how much per one of it."""
        if self.unit != whole.unit:
            return self._made(truediv, whole, f"{self.unit} per {whole.unit.removesuffix('s')}")
        return self._made(truediv, whole, "").times(100, "percent").at_most(exactly(100, "percent"))

    def __rtruediv__(self, number: int) -> Self:
        """How many times this goes into a number of the same unit."""
        return exactly(number, self.unit)._made(truediv, self, "times")

    def __sub__(self, part: Self) -> Self:
        """What is left of this whole without a part of it: never below zero."""
        self._same_unit(part)
        return self._made(sub, part, self.unit)

    def __rsub__(self, number: int) -> Self:
        """What is left of a number of the same unit without this."""
        return exactly(number, self.unit) - self

    def of(self, whole: Self) -> Self:
        """This percentage of a whole, in the unit of the whole and never above it."""
        share = self.at_most(exactly(100, "percent")).times(Fraction(1, 100), "")
        return share._made(mul, whole, whole.unit)

    def times(self, factor, unit: str) -> Self:
        """Each value times an exact number, in another unit."""
        return self._made(mul, exactly(factor, unit), unit)

    def at_most(self, limit: Self) -> Self:
        """Those values that are not above the upper end of `limit`."""
        self._same_unit(limit)
        end = limit.high, limit.high_included
        if limit.high is None or (self.high is not None and (self.high, self.high_included) <= end):
            return self
        return Bound(self.low, limit.high, self.unit, self.low_included, limit.high_included, self.about or limit.about)

    def if_rounded(self) -> Self:
        """What a stated number can stand for if it was rounded to its last printed digit."""
        return Bound(self.low - self.step / 2, self.high + self.step / 2, self.unit, about=self.about)

    def conflict_with(self, other: Self) -> str:
        """What table A says: "" if a value satisfies both, "May conflict with" if that hangs on how wide "about" is."""
        self._same_unit(other)
        if self._reaches(other) and other._reaches(self):
            return ""
        return "May conflict with" if self.about or other.about else "Conflicts with"

    def reads(self, digits: int | None = None) -> str:
        """In words, as translated; if computed, rounded outwards to `digits` decimals (None: as few as tell it)."""
        if self.told:
            return self.told
        if self.low is None and self.high is None:
            return "anything"
        about = "about " if self.about else ""
        low, high = about + _number(self.low or 0, floor, digits), about + _number(self.high or 0, ceil, digits)
        above = f"{'at least' if self.low_included else 'more than'} {low}"
        below = "at most" if self.high_included else "less than" if self.unit in MEASURED else "fewer than"
        to_the_whole = self.unit == "percent" and self.high == 100  # the upper end of every share
        if self.low == self.high:
            text = low if low == high else f"about {_number(self.low, round, digits)}"
        elif self.high is None or (to_the_whole and self.low and not self.low_included):
            text = above
        elif not self.low:
            text = f"{'up to' if self.low is None and self.high_included else below} {high}"
        elif self.low_included and self.high_included:
            text = f"{low} to {high.removeprefix(about)}"
        else:
            text = f"{above}, {'at most' if self.high_included else 'below'} {high}"
        unit = self.unit.removesuffix("s") if text.split()[-1] == "1" else self.unit
        return WRITTEN.get(self.unit, f"{{}} {unit}").format(text)

    __repr__ = __str__ = reads

    def _same_unit(self, other):
        if self.unit != other.unit:
            raise ValueError(f"{other.unit} cannot be part of {self.unit}")

    def _reaches(self, other):
        """Whether the lower end of this is not above the upper end of another."""
        gap, closed = _end(sub, (other.high, other.high_included), (self.low, self.low_included))
        return gap is None or gap > 0 or (gap == 0 and closed)

    def _made(self, operation, other, unit):
        """What an operation makes of each value of this and of another: the more is taken off, the less is left."""
        least, most = (other.low, other.low_included), (other.high, other.high_included)
        if operation is not mul:
            least, most = most, least
        low, low_in = _end(operation, (self.low, self.low_included), least)
        high, high_in = _end(operation, (self.high, self.high_included), most)
        if operation is sub and (low is None or low <= 0):
            low, low_in = Fraction(0), True
        if operation is truediv and low is None:
            low, low_in = Fraction(0), not self.low
        return Bound(low, high, unit, low_in, high_in, self.about or other.about)


def exactly(number, unit: str) -> Bound:
    """One value, without a hedge."""
    return Bound(Fraction(number), Fraction(number), unit)


def _end(operation, one, other):
    """The end that two make, each (value, whether it is included): not stated if one is not, or divides by nothing."""
    (value, included), (by, by_included) = one, other
    if value is None or by is None or (operation is truediv and by == 0):
        return None, True
    reached = included and by_included
    if operation is not sub:  # nothing of whatever is nothing
        reached = reached or (included and value == 0) or (by_included and by == 0)
    return operation(value, by), reached


def _number(value, direction, digits):
    """A number in figures, with "million" and the like from a million up; exact if a few decimals can tell it."""
    scale = next((scale for scale in SCALES if value >= scale), 1)
    shown = Fraction(value, scale)
    if digits is None:
        exact = (digits for digits in range(7) if (shown * 10**digits).denominator == 1)
        digits = next(exact, 0 if scale == 1 else 2)
    return f"{direction(shown * 10**digits) / 10**digits:,.{digits}f}" + SCALES.get(scale, "")
