"""Numbers with their hedge: "more than", "up to" and "about" as values that can be computed with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor
from operator import mul, sub, truediv

SCALES = {10**12: "trillion", 10**9: "billion", 10**6: "million"}
ORDERS = (10**3, 10**4, 10**6, 10**9, 10**12)
# How a number is written with its unit, where it is not "NUMBER UNIT"; and the units that are measured, not counted.
WRITTEN = {"USD": "{} dollars", "percent": "{}%", "times": "{} times as much"}
MEASURED = {"USD", "percent", "GW", "nm", "W per chip", "times"}
# What `low` and `high` of a statement hold, by its hedge.
ENDS = {
    "plain": "the same number in low and high",
    "about": "the same number in low and high",
    "more than": "a number in low alone",
    "up to": "a number in high alone",
    "between": "a smaller number in low than in high",
    "order of magnitude": f"one of {', '.join(map(str, ORDERS))} in low alone",
}


COMPUTED = {"told": (), "step": None, "printed": ""}


@dataclass(frozen=True, repr=False)
class Bound:
    """Every value that a statement allows, from low to high, in `unit`; nothing in it is below zero.

    low, high: exact, or None for an end that is not stated. `about`: the number is hedged by a width
    that nobody states. An order of magnitude ("billions") has a low end alone. A stated number also has `printed`,
    `told`, its English translation as (text, whether it is a figure), and `step`, what its last printed digit
    stands for; what is computed from it has none of them.
    """

    low: Fraction | None
    high: Fraction | None
    unit: str
    low_included: bool = True
    high_included: bool = True
    about: bool = False
    told: tuple[tuple[str, bool], ...] = field(default=(), compare=False)
    step: Fraction | None = field(default=None, compare=False)
    printed: str = field(default="", compare=False)

    @classmethod
    def stated(cls, bound, low, high, unit, **printed) -> Bound:
        """The values that a row of statements.csv allows; ValueError if `low` and `high` do not fit `bound`."""
        low, high = (None if end is None else Fraction(str(end)) for end in (low, high))
        fits = {
            ("plain", True, True): low == high,
            ("about", True, True): low == high,
            ("between", True, True): None not in (low, high) and low < high,
            ("more than", True, False): True,
            ("up to", False, True): True,
            ("order of magnitude", True, False): low in ORDERS,
        }
        if not fits.get((bound, low is not None, high is not None)):
            raise ValueError(ENDS[bound])
        return cls(low, high, unit, low_included=bound != "more than", about=bound == "about", **printed)

    def __post_init__(self):
        empty = None not in (self.low, self.high) and (
            self.low > self.high or (self.low == self.high and not (self.low_included and self.high_included))
        )
        if empty:
            raise ValueError(f"no number of {self.unit} is above {float(self.low):g} and below {float(self.high):g}")

    def __truediv__(self, whole: Bound) -> Bound:
        """What part of a whole this is, in percent and never above 100; with another unit, how much per one of it."""
        if self.unit == whole.unit:
            return self._quotient(whole, "").times(100, "percent").at_most(exactly(100, "percent"))
        return self._quotient(whole, f"{self.unit} per {_count(whole.unit, 1)}")

    def __rtruediv__(self, number: int) -> Bound:
        """How many times this goes into a number of the same unit."""
        return exactly(number, self.unit)._quotient(self, "times")

    def __sub__(self, part: Bound) -> Bound:
        """What is left of this whole without a part of it: never below zero."""
        self._same_unit(part)
        low = max(_both(sub, self._low, part._high) or (Fraction(0), True), (Fraction(0), True))
        high = _both(sub, self._high, part._low)
        return _bound(low, high, self.unit, self.about or part.about)

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
        about = self.about or limit.about
        return replace(self, high=limit.high, high_included=limit.high_included, about=about, **COMPUTED)

    def times(self, factor, unit: str) -> Bound:
        """Each value times an exact number, in another unit."""
        low, high = (None if end is None else end * factor for end in (self.low, self.high))
        return replace(self, low=low, high=high, unit=unit, **COMPUTED)

    def if_rounded(self) -> Bound:
        """What a stated number can stand for if it was rounded to its last printed digit."""
        half = self.step / 2
        return replace(self, low=self.low - half, high=self.high + half, **COMPUTED)

    def agrees_with(self, other: Bound) -> str:
        """Whether one value can satisfy both: "yes", "NO", or "open" where that hangs on how wide "about" is."""
        self._same_unit(other)
        for low, high in ((self._low, other._high), (other._low, self._high)):
            if low and high and (low[0] > high[0] or (low[0] == high[0] and not (low[1] and high[1]))):
                return "open" if self.about or other.about else "NO"
        return "yes"

    @property
    def kind(self) -> str:
        """The hedge: as in statements.csv, or "less than" or "at most" for a value that was computed."""
        if self.about and self.low == self.high:
            return "about"
        if self.low is not None and self.low == self.high:
            return "plain"
        if self._top is None:
            return "at least" if self.low_included else "more than"
        if not self.low:
            return "less than" if not self.high_included else "up to" if self.low is None else "at most"
        return "between"

    def reads(self, digits: int | None = None) -> str:
        """The value in words: a stated one as translated, a computed one with its shown ends rounded outwards.

        digits: decimals of a computed one (None: as few as tell it).
        """
        if self.told:
            return "".join(text for text, _ in self.told)
        if self.low is None and self.high is None:
            return "anything"
        kind, rounded = self.kind, False
        low = None if self.low is None else _number(self.low, floor, digits)
        high = None if self.high is None else _number(self.high, ceil, digits)
        if kind in ("plain", "about"):
            text = _number(self.low, round, digits)
            decimals = len(text.split(" ")[0].partition(".")[2])
            rounded = _number(self.low, floor, decimals) != _number(self.low, ceil, decimals)
        elif kind == "between" and self.low_included and self.high_included:
            text = f"{low} to {high}"
        elif kind == "between":
            text = f"{'at least' if self.low_included else 'more than'} {{}}, "
            text = text.format(low) + f"{'at most' if self.high_included else 'below'} {high}"
        else:
            text = low if self._top is None else high
            kind = "fewer than" if kind == "less than" and self.unit not in MEASURED else kind
        text = WRITTEN[self.unit].format(text) if self.unit in WRITTEN else f"{text} {_count(self.unit, text)}"
        about = "about " if self.about or rounded else ""
        return about + text if kind in ("plain", "about", "between") else f"{kind} {about}{text}"

    __repr__ = __str__ = reads

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

    @property
    def _top(self):
        """The upper end worth showing: that a share ends at 100% goes without saying."""
        whole = self.unit == "percent" and self.high == 100 and self.low and not self.low_included
        return None if whole else self.high


def exactly(number, unit: str) -> Bound:
    """One value, without a hedge."""
    return Bound.stated("plain", number, number, unit)


def _bound(low, high, unit, about):
    (low, low_in), (high, high_in) = low or (None, True), high or (None, True)
    return Bound(low, high, unit, low_in, high_in, about)


def _both(operation, one, other):
    """The end that two ends make: included if both are, not stated if either is not."""
    if one is None or other is None or (operation is truediv and other[0] == 0):
        return None
    return operation(one[0], other[0]), one[1] and other[1]


def _count(unit, number):
    """The unit as it stands after a number."""
    return unit.removesuffix("s") if str(number) == "1" else unit


def _number(value, direction, digits):
    """A number in figures, with "million" and the like from a million up."""
    scale = next((scale for scale in SCALES if value >= scale), 1)
    shown = value / scale
    if digits is None:  # exact if a few decimals can tell it
        exact = (digits for digits in range(7 if direction is round else 3) if (shown * 10**digits).denominator == 1)
        digits = next(exact, 0 if scale == 1 else 2)
    shown = Fraction(direction(shown * 10**digits), 10**digits)
    return f"{float(shown):,.{digits}f}" + (f" {SCALES[scale]}" if scale > 1 else "")
