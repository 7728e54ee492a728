"""Reads a figure or a date as it is printed, in the language of an article or in English.

data/words.csv gives the meaning of each printed word: a number ("3"), a multiplier ("times 1000000"), a unit,
number and unit ("10 years"), one of HEDGES, "most", a span of months ("month 10 to 12"), or a time that leads
to no date ("undated this month").
"""

import re
from collections import namedtuple
from fractions import Fraction
from math import prod
from string import digits
from typing import NamedTuple

# What each hedge counts as in the column `bound`; "between" and "and" stand between two numbers, the lower first.
HEDGES = {hedge: hedge for hedge in ("about", "more than", "up to", "between")}
HEDGES |= {"practically": "about", "equivalent to": "about", "and": "between", "all": "plain"}
NO_UNIT = "month ", "undated ", "most"
NUMBER = re.compile("[0-9.]+")
Figure = namedtuple("Figure", "bound low high unit")  # as in a row of statements.csv; low, high: a Fraction or None


class UnreadableError(ValueError):
    """What is printed cannot be taken apart, or its parts make no figure or date."""


def pieces(printed: str, words: dict[str, str], decimal: str, thousands: str) -> list[tuple[str, str]]:
    """Each (figure or word, its meaning), a figure meaning its number, "1.4"; UnreadableError at what is neither."""
    point, comma = re.escape(decimal), re.escape(thousands)
    figure = rf"((?:[0-9]{{1,3}}(?:{comma}[0-9]{{3}})+|[0-9]+)(?:{point}[0-9]+)?)(?![0-9.,])"
    longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or "(?!)"
    # A word ends where no letter follows; a sign such as % or $ may stand right at a number.
    piece = rf"(?:{figure}|({longest})(?!(?<=\w)\w)) ?|(.+)"
    found = []
    for number, word, rest in re.findall(piece, printed, re.DOTALL):
        if rest:
            raise UnreadableError(
                f'holds "{rest}", which begins with no word of words.csv; add it there if it is sound'
            )
        found.append((word, words[word]) if word else (number, number.replace(thousands, "").replace(decimal, ".")))
    return found


class Parts(NamedTuple):
    """What is printed, taken apart: the same in an article's language and in English."""

    numbers: tuple[tuple[str, bool], ...]  # as written, and whether in figures, in their order
    others: tuple[str, ...]  # all other meanings, sorted

    @classmethod
    def of(cls, found: list[tuple[str, str]]):
        """The parts that pieces make."""
        numbers = [(means, text[0] in digits) for text, means in found if NUMBER.fullmatch(means)]
        return cls(tuple(numbers), tuple(sorted(means for _, means in found if not NUMBER.fullmatch(means))))

    def figure(self) -> Figure:
        """The figure that the parts make; UnreadableError if this is not one figure with one unit."""
        if self == Parts((), ("most",)):
            return Figure("more than", Fraction(50), None, "percent")
        factors = self._factors()
        hedges = [part for part in self.others if part in HEDGES]
        units = [part for part in self.others if part not in HEDGES and not part.startswith("times ")]
        amount, unit = re.fullmatch("([0-9]*) ?(.*)", "".join(units[:1])).groups()  # as in "10 years"
        numbers = [Fraction(number) for number, _ in (*self.numbers, (amount, False)) if number]
        bound = HEDGES[hedges[0]] if hedges else "plain"
        if factors and not numbers:  # "billions"; a hedge before it ("up to billions") adds no end
            bound, numbers = "order of magnitude", [Fraction(1)]
        is_one = len(units) == 1 and len(hedges) <= 1 and len(factors) <= 1 and not unit.startswith(NO_UNIT)
        if not is_one or len(numbers) != (2 if bound == "between" else 1):
            raise UnreadableError("is not one figure with one unit")
        low, high = numbers[0] * prod(factors), numbers[-1] * prod(factors)
        if bound == "between" and low >= high:
            raise UnreadableError("does not name the lower number first")
        one_sided = {"up to": (None, high), "more than": (low, None), "order of magnitude": (low, None)}
        return Figure(bound, *one_sided.get(bound, (low, high)), unit)

    def date(self) -> tuple[tuple[str, ...], str, str]:
        """(years, first month, last month), each empty if not printed, all for "this month"; else UnreadableError."""
        years = [number for number, is_figure in self.numbers if is_figure and re.fullmatch("[12][0-9]{3}", number)]
        months = [part.split()[1::2] for part in self.others if part.startswith("month ")]
        joints = [part for part in self.others if HEDGES.get(part) == "between"]
        alone = len(years) == len(self.numbers) and len(months) + len(joints) == len(self.others)
        if alone and len(months) <= 1 and len(joints) == max(0, len(years) - 1) <= 1 and years == sorted(years):
            first, last = months[0] if months else ("", "")
            return tuple(years), first, last
        is_time = not self.numbers and len(self.others) == 1 and self.others[0].startswith("undated ")
        if is_time or self.figure().unit == "months earlier":
            return (), "", ""
        raise UnreadableError("is not a date")

    def step(self) -> Fraction:
        """What the last printed digit stands for: 100000 for "1.4 million"."""
        decimals = len(self.numbers[0][0].partition(".")[2]) if self.numbers else 0
        return Fraction(prod(self._factors()), 10**decimals)

    def _factors(self):
        return [int(part.removeprefix("times ")) for part in self.others if part.startswith("times ")]
