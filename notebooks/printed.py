"""Reads a figure or a date as it is printed, in the language of an article or in English.

data/words.csv gives the meaning of each printed word: a number ("3"), a multiplier ("times 1000000"), a unit,
number and unit ("10 years"), one of HEDGES, "most", a span of months ("month 10 to 12"), or a time that leads
to no date ("undated this month").
"""

import re
from fractions import Fraction
from typing import NamedTuple

# What each hedge counts as in the column `bound`; "between" and "and" stand between two numbers, the lower first.
HEDGES = {
    "about": "about",
    "practically": "about",
    "equivalent to": "about",
    "more than": "more than",
    "up to": "up to",
    "between": "between",
    "and": "between",
    "all": "plain",
}
NO_UNIT = re.compile("times |month |undated |most")


class UnreadableError(ValueError):
    """What is printed cannot be taken apart, or its parts make no figure or date."""


class Figure(NamedTuple):
    """A figure as a row of statements.csv has it."""

    bound: str
    low: Fraction | None
    high: Fraction | None
    unit: str


class Piece(NamedTuple):
    """A printed figure or word, and what it means (a figure: its number)."""

    text: str
    means: str
    is_figure: bool


def pieces(printed: str, words: dict[str, str], decimal: str, thousands: str) -> list[Piece]:
    """Takes apart what is printed; UnreadableError at the first piece that is neither a figure nor one of `words`."""
    point, comma = re.escape(decimal), re.escape(thousands)
    figure = rf"((?:[0-9]{{1,3}}(?:{comma}[0-9]{{3}})+|[0-9]+)(?:{point}[0-9]+)?)(?![0-9.,])"
    longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or "(?!)"
    # A word ends where no letter follows; a sign such as % or $ may stand right at a number.
    piece = re.compile(rf"(?:{figure}|({longest})(?!(?<=\w)\w)) ?")
    found, at = [], 0
    while at < len(printed):
        match = piece.match(printed, at)
        if not match:
            raise UnreadableError(f'holds "{printed[at:]}", which begins with no word of words.csv')
        number, word = match.groups()
        means = words[word] if word else number.replace(thousands, "").replace(decimal, ".")
        found.append(Piece(number or word, means, word is None))
        at = match.end()
    return found


class Parts(NamedTuple):
    """What is printed, taken apart: the same in an article's language and in English.

    `numbers` are (as written, whether in figures) in their order; `others` are all other meanings, sorted.
    """

    numbers: tuple[tuple[str, bool], ...]
    others: tuple[str, ...]

    @classmethod
    def of(cls, found: list[Piece]):
        """The parts that pieces make."""
        numbers = [piece for piece in found if piece.is_figure or piece.means.isdigit()]
        others = sorted(piece.means for piece in found if piece not in numbers)
        return cls(tuple((piece.means, piece.is_figure) for piece in numbers), tuple(others))

    def figure(self) -> Figure:
        """The figure that the parts make; UnreadableError if this is not one figure with one unit."""
        if self == Parts((), ("most",)):
            return Figure("more than", Fraction(50), None, "percent")
        hedges = [part for part in self.others if part in HEDGES]
        factors = self._factors()
        units = [part for part in self.others if part not in hedges and not NO_UNIT.match(part)]
        numbers = [Fraction(number) for number, _ in self.numbers]
        if len(units) == 1 and (both := re.fullmatch("([1-9][0-9]*) (.+)", units[0])):
            numbers, units = [*numbers, Fraction(both[1])], [both[2]]
        bound = HEDGES[hedges[0]] if hedges else "plain"
        of_magnitude = not numbers and factors  # "billions"; a hedge before it ("up to billions") adds no end
        wanted = 0 if of_magnitude else 2 if bound == "between" else 1
        known = len(hedges) + len(factors) + len(units) == len(self.others)
        if not known or len(numbers) != wanted or len(units) != 1 or len(hedges) > 1 or len(factors) > 1:
            raise UnreadableError("is not one figure with one unit")
        if of_magnitude:
            return Figure("order of magnitude", Fraction(factors[0]), None, units[0])
        low, high = (number * (factors or [1])[0] for number in (numbers[0], numbers[-1]))
        if low > high or (low == high and bound == "between"):
            raise UnreadableError("does not name the lower number first")
        return Figure(bound, None if bound == "up to" else low, None if bound == "more than" else high, units[0])

    def date(self) -> tuple[tuple[str, ...], str, str]:
        """Years, first and last month ("" where none is printed; no year and no month: a time that leads to no date).

        UnreadableError if this is not a date or a time.
        """
        undated = (), "", ""
        if not self.numbers and len(self.others) == 1 and self.others[0].startswith("undated "):
            return undated
        months = [part for part in self.others if part.startswith("month ")]
        joints = [part for part in self.others if HEDGES.get(part) == "between"]
        years = tuple(
            number for number, is_figure in self.numbers if is_figure and re.fullmatch("[12][0-9]{3}", number)
        )
        alone = len(years) == len(self.numbers) and len(months) + len(joints) == len(self.others)
        if alone and len(months) <= 1 and len(joints) == max(0, len(years) - 1) <= 1 and list(years) == sorted(years):
            _, first, _, last = months[0].split() if months else ("",) * 4
            return years, first, last
        if self.figure().unit == "months earlier":
            return undated
        raise UnreadableError("is not a date")

    def step(self) -> Fraction:
        """What the last printed digit stands for: 100000 for "1.4 million"."""
        decimals = [len(number.partition(".")[2]) for number, _ in self.numbers] or [0]
        return Fraction((self._factors() or [1])[0], 10 ** decimals[0])

    def _factors(self):
        return [int(part.split()[1]) for part in self.others if part.startswith("times ")]
