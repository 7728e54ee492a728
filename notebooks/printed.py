"""Reads a figure or a date as it is printed, in the language of an article or in English.

data/words.csv gives the meaning of each printed word: a number ("3"), a multiplier ("times 1000000"), a unit,
number and unit ("10 years"), one of HEDGES, "most", a span of months ("month 10 to 12"), or a time that leads
to no date ("undated this month").
"""

import re
from dataclasses import dataclass
from fractions import Fraction

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
SYMBOLS = ("percent", "GW")  # units that belong to the figure as it is read
NO_UNIT = re.compile("times |month |undated |most")
YEAR = re.compile("[12][0-9]{3}")
NUMBER_AND_UNIT = re.compile(r"([1-9][0-9]*)(?: (.+))?")


class UnreadableError(ValueError):
    """What is printed cannot be taken apart, or its parts make no figure or date."""


@dataclass(frozen=True)
class Piece:
    """A printed figure or word, where it ends in what is printed, and what it means (a figure: its number)."""

    text: str
    end: int
    means: str
    is_figure: bool = False


@dataclass(frozen=True)
class Parts:
    """What is printed, taken apart: the same in an article's language and in English.

    `numbers` stand as written, figures apart from words and in their order; `others` are all other meanings, sorted.
    """

    numbers: tuple
    others: tuple

    def figure(self) -> tuple[str, Fraction | None, Fraction | None, str]:
        """bound, low, high and unit, as in statements.csv; UnreadableError if this is not one figure with one unit."""
        if self == Parts((), ("most",)):
            return "more than", Fraction(50), None, "percent"
        hedges = [part for part in self.others if part in HEDGES]
        factors = [int(part.split()[1]) for part in self.others if part.startswith("times ")]
        units = [part for part in self.others if part not in hedges and not NO_UNIT.match(part)]
        numbers = [Fraction(number) for number, _ in self.numbers]
        if len(units) == 1 and (both := NUMBER_AND_UNIT.fullmatch(units[0])):
            numbers, units = [*numbers, Fraction(both[1])], [both[2]]
        bound = HEDGES[hedges[0]] if hedges else "plain"
        of_magnitude = not numbers and factors  # "billions"; a hedge before it ("up to billions") adds no end
        wanted = 0 if of_magnitude else 2 if bound == "between" else 1
        known = len(hedges) + len(factors) + len(units) == len(self.others)
        if not known or len(numbers) != wanted or len(units) != 1 or len(hedges) > 1 or len(factors) > 1:
            raise UnreadableError("is not one figure with one unit")
        if of_magnitude:
            return "order of magnitude", Fraction(factors[0]), None, units[0]
        low, high = (number * (factors or [1])[0] for number in (numbers[0], numbers[-1]))
        return bound, None if bound == "up to" else low, None if bound == "more than" else high, units[0]

    def date(self) -> tuple[tuple[str, ...], str, str]:
        """Years, first and last month ("" where none is printed; no year and no month: a time that leads to no date).

        UnreadableError if this is not a date or a time.
        """
        undated = (), "", ""
        if not self.numbers and len(self.others) == 1 and self.others[0].startswith("undated "):
            return undated
        months = [part for part in self.others if part.startswith("month ")]
        joints = [part for part in self.others if HEDGES.get(part) == "between"]
        years = tuple(number for number, is_figure in self.numbers if is_figure and YEAR.fullmatch(number))
        alone = len(years) == len(self.numbers) and len(months) + len(joints) == len(self.others)
        if alone and len(months) <= 1 and len(joints) == max(0, len(years) - 1) <= 1:
            first, last = months[0].split()[1::2] if months else ("", "")
            return years, first, last
        if self.figure()[3] == "months earlier":
            return undated
        raise UnreadableError("is not a date")


def pieces(printed: str, words: dict[str, str], decimal: str, thousands: str) -> list[Piece]:
    """Takes apart what is printed; UnreadableError at the first piece that is neither a figure nor one of `words`."""
    figure = re.compile(
        rf"([0-9]{{1,3}}(?:{re.escape(thousands)}[0-9]{{3}})+|[0-9]+)({re.escape(decimal)}[0-9]+)?(?![0-9.,])"
    )
    found, at = [], 0
    while at < len(printed):
        rest = printed[at:]
        if match := figure.match(rest):
            number = match[1].replace(thousands, "") + (match[2] or "").replace(decimal, ".")
            found.append(Piece(match[0], at + match.end(), number, is_figure=True))
        else:
            # A word ends where no letter follows; a sign such as % or $ may stand right at a number.
            fits = [
                word for word in words if rest.startswith(word) and not (word[-1] + rest[len(word) :])[:2].isalpha()
            ]
            fits += [word for word in words if rest.startswith(word) and len(rest) == len(word)]
            if not fits:
                raise UnreadableError(f'holds "{rest}", for which words.csv has no word')
            word = max(fits, key=len)
            found.append(Piece(word, at + len(word), words[word]))
        at = found[-1].end + (printed[found[-1].end :][:1] == " ")
    return found


def parts(found: list[Piece]) -> Parts:
    """The parts that pieces make."""
    numbers = [piece for piece in found if piece.is_figure or piece.means.isdigit()]
    others = sorted(piece.means for piece in found if piece not in numbers)
    return Parts(tuple((piece.means, piece.is_figure) for piece in numbers), tuple(others))


def spans(printed: str, found: list[Piece]) -> tuple[tuple[str, bool], ...]:
    """What is printed, cut into (text, whether it is a figure with what multiplies it or makes it a percentage)."""
    bold = [piece.is_figure for piece in found]
    for place, piece in enumerate(found[1:], 1):
        bold[place] |= bold[place - 1] and (piece.means.startswith("times ") or piece.means in SYMBOLS)
    starts = [0, *(piece.end for piece in found[:-1])]
    cut = []
    for start, piece, strong in zip(starts, found, bold, strict=True):
        text = printed[start : piece.end]
        if cut and cut[-1][1] == strong:
            cut[-1] = (cut[-1][0] + text, strong)
        else:
            gap = len(text) - len(text.lstrip(" ")) if cut and strong else 0
            if gap:
                cut[-1] = (cut[-1][0] + text[:gap], False)
            cut.append((text[gap:], strong))
    return tuple(cut)


def step(found: list[Piece]) -> Fraction:
    """What the last printed digit of the first figure stands for: 100000 for "1.4 million"."""
    figure = next((piece for piece in found if piece.is_figure), None)
    factor = next((int(piece.means.split()[1]) for piece in found if piece.means.startswith("times ")), 1)
    return Fraction(factor, 10 ** len(figure.means.partition(".")[2])) if figure else Fraction(1)
