"""The pictures of the notebook: one function each, which returns a Chart.

All are drawn in points (1/72 inch) on a canvas 5 inches wide, y downwards, in 12-point text: shown 343
pixels wide on a phone, no text is smaller than 11 pixels. How a kind of number looks, `_mark` tells.
"""

import calendar
from dataclasses import dataclass
from functools import cache, wraps
from io import BytesIO
from pathlib import Path

import matplotlib.style
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.image import imsave
from matplotlib.patches import Circle, Rectangle
from matplotlib.textpath import text_to_path

STYLE = Path(__file__).parent / "trainium.mplstyle"
GROUND, INK, GREY, PALE, ACCENT = "#ffffff", "#222222", "#555555", "#dddddd", "#2266aa"
DASHED = (0, (3, 2))
NBSP = "\u00a0"  # keeps "ro 9" on one line
WIDTH, EDGE, LINE = 360, 14, 15.5  # points: the canvas, its empty edge, one line of text to the next
INNER = WIDTH - 2 * EDGE
CHIPS_A_SQUARE, SQUARES_A_COLUMN = 10_000, 10
SHADES = bytes(round(value / 17) * 17 for value in range(256))  # 16 a channel: half the size, the same to the eye
KINDS = {
    "plain": "stated without a hedge",
    "about": '"about": roughly this much',
    "more than": '"more than": no upper end',
    "up to": '"up to": anywhere in here',
    "between": '"3 to 4": anywhere in here',
    "order of magnitude": '"billions": that size or more',
    "follows": "follows from what is stated",
    "hypothetical": "only if something unsaid is true",
}


def _styled(function):
    """Under our style alone, whatever settings the reader has."""

    @wraps(function)
    def inner(*args, **kwargs):
        with matplotlib.style.context(["default", STYLE]):
            return function(*args, **kwargs)

    return inner


@dataclass(frozen=True)
class Chart:
    """A figure and its alt text; a notebook shows the picture and carries the alt text with it."""

    figure: Figure
    alt: str

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/png": self.saved("png"), "text/plain": self.alt}, {"image/png": {"alt": self.alt, "width": 480}}

    @_styled
    def saved(self, form: str) -> bytes:
        """The picture as "png" or "svg"; the same bytes each time."""
        buffer = BytesIO()
        if form == "svg":
            self.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
            return buffer.getvalue()
        canvas = FigureCanvasAgg(self.figure)
        canvas.draw()
        across, down = canvas.get_width_height()
        pixels = memoryview(bytes(canvas.buffer_rgba()).translate(SHADES)).cast("B", (down, across, 4))
        imsave(buffer, pixels, format="png", metadata={"Software": None})
        return buffer.getvalue()


@cache
def _width(sign, weight, size):
    font = FontProperties(family="DejaVu Sans", weight=weight, size=size)
    return text_to_path.get_text_width_height_descent(sign, font, ismath=False)[0]


def _wrap(text, width, weight="normal", size=12):
    """The text in lines of at most `width` points."""
    lines, room, space = [], 0, _width(" ", weight, size)
    for word in text.split(" "):
        needs = sum(_width(sign, weight, size) for sign in word) + space
        if needs > room + space or not lines:
            lines, room = [*lines, word], width
        else:
            lines[-1] += f" {word}"
        room -= needs
    return lines


def _write(axes, x, y, text, width=INNER, colour=INK, weight="normal", size=12):
    """Writes wrapped text with its top left at x, y; returns the y below it."""
    for line in _wrap(text, width, weight, size):
        y += LINE * size / 12
        axes.text(x, y - 4, line, color=colour, weight=weight, size=size, parse_math=False)
    return y


def _canvas(title, measures, foot, height):
    """A figure and its axes in points, from 0, 0 to INNER, `height`; title and measures stand above, foot below."""
    head = EDGE + LINE * (len(_wrap(title, INNER, "bold", 14)) * 14 / 12 + len(_wrap(measures, INNER))) + 14
    tall = head + height + 12 + LINE * len(_wrap(foot, INNER)) + EDGE
    figure = Figure(figsize=(WIDTH / 72, tall / 72))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-EDGE, WIDTH - EDGE), ylim=(tall - head, -head))
    axes.axis("off")
    y = _write(axes, 0, EDGE - head, title, weight="bold", size=14)
    _write(axes, 0, y + 2, measures, colour=GREY)
    _write(axes, 0, height + 12, foot, colour=GREY)
    return figure, axes


def _arrow(axes, start, end, colour=INK):
    """A line with an open head at its end, level or upright."""
    along, across = ((to > at) - (to < at) for at, to in zip(start, end, strict=True))  # -1, 0 or 1
    heads = [(end[0] - 4 * (along + side * across), end[1] - 4 * (across + side * along)) for side in (-1, 1)]
    xs, ys = zip(start, end, heads[0], end, heads[1], strict=True)
    axes.plot(xs, ys, color=colour, lw=1.8, solid_joinstyle="miter", zorder=2)


def _box(axes, x, y, width, height, colour=ACCENT, **how):
    axes.add_artist(Rectangle((x, y), width, height, **{"facecolor": colour, "edgecolor": colour} | how))


def _mark(axes, x, y, kind, width=30):
    """The sign for one of KINDS, `width` points wide, its middle line at y."""
    top, tall = y - 5, 10
    if kind in ("up to", "between"):
        _box(axes, x, top, width, tall, facecolor="none", hatch="/////")
    elif kind == "order of magnitude":
        axes.add_artist(Circle((x + width / 2, y + 2), 4, color=ACCENT))
        _arrow(axes, (x + width / 2, y), (x + width / 2, y - 12), ACCENT)
    elif kind in ("follows", "hypothetical"):
        _box(axes, x, top, width, tall, facecolor="none", linestyle="-" if kind == "follows" else DASHED)
    elif kind == "more than":
        _box(axes, x, top, width * 0.5, tall)
        _arrow(axes, (x + width * 0.5, y), (x + width + 2, y), ACCENT)
    elif kind == "about":  # an end that fades
        for step in range(7):
            _box(axes, x + step * width / 7, top, width / 7, tall, linewidth=0, alpha=min(1, 1.4 - 0.2 * step))
    else:
        _box(axes, x, top, width, tall)


def _capital(text):
    return text[:1].upper() + text[1:]


class Table:
    """A table as a reader needs it: nothing cut off, text to the left, the name of the first column above it."""

    def __init__(self, frame):
        self.frame = frame.rename_axis(index=None, columns=frame.index.name).astype(object).map(self._cell)
        self.frame.columns = self.frame.columns.str.replace("_", " ")

    @staticmethod
    def _cell(value):
        whole = isinstance(value, float) and value.is_integer()
        return "" if value is pd.NA else f"{value:,.0f}" if whole else str(value)

    def _repr_mimebundle_(self, include=None, exclude=None):
        with pd.option_context("display.max_colwidth", None, "display.width", None):
            html = self.frame.to_html(border=1, justify="left", max_rows=None, max_cols=None)
            plain = self.frame.to_string(justify="left")
        for tag in ("td", "th"):
            html = html.replace(f"<{tag}>", f'<{tag} style="text-align: left; vertical-align: top">')
        return {"text/html": html.replace(r"\n", "<br>"), "text/plain": plain}


@_styled
def key() -> Chart:
    """How each kind of number looks in every picture."""
    figure, axes = _canvas(
        "How each kind of number is drawn",
        "The marks of all pictures below",
        "They work without colour too.",
        24 * len(KINDS),
    )
    for place, (kind, means) in enumerate(KINDS.items()):
        _mark(axes, 4, 12 + place * 24, kind, width=36)
        axes.text(58, 12 + place * 24, means, va="center")
    alt = "How each kind of number is drawn. " + "; ".join(f"{kind}: {means}" for kind, means in KINDS.items()) + "."
    return Chart(figure, alt)


@_styled
def squares(deployed, claude, share, rest, foot) -> Chart:
    """All deployed chips as squares; those that Claude surely runs on are solid, those it may run on hatched."""
    total, sure = (round(count / CHIPS_A_SQUARE) for count in (deployed.low, claude.low))
    title = f"{_capital(str(share))} of the deployed chips are Trainium2, and Claude runs on them"
    measures = f"Trainium chips deployed, all generations: {deployed}. One square is {CHIPS_A_SQUARE:,} chips."
    step = INNER / -(-total // SQUARES_A_COLUMN)
    edge = sure // SQUARES_A_COLUMN * step
    notes = (
        f"Claude runs on more than these: {claude}, all Trainium2",
        "and on some of these: how many, the article does not say",
    )
    widths = (edge - 12, INNER - edge)
    height = 18 + SQUARES_A_COLUMN * step + max(len(_wrap(*both)) for both in zip(notes, widths, strict=True)) * LINE
    figure, axes = _canvas(title, measures, foot, height)
    for number in range(total):
        x, y = number // SQUARES_A_COLUMN * step, 12 + number % SQUARES_A_COLUMN * step
        _box(
            axes,
            x + 1,
            y + 1,
            step - 4,
            step - 4,
            **({} if number < sure else {"facecolor": "none", "hatch": "////", "linewidth": 1}),
        )
    axes.plot([edge - 1, edge - 1], [2, 12 + SQUARES_A_COLUMN * step + 4], color=INK)
    _arrow(axes, (edge - 1, 5), (edge + 46, 5))
    below = 18 + SQUARES_A_COLUMN * step
    _write(axes, 0, below, notes[0], widths[0], ACCENT, "bold")
    _write(axes, edge + 4, below, notes[1], widths[1])
    alt = (
        f"{title}. {total} squares of {CHIPS_A_SQUARE:,} chips each. {sure} are solid: {notes[0]}. "
        f"{total - sure} are hatched: {notes[1]}. First and third generation together: {rest}."
    )
    return Chart(figure, alt)


@_styled
def power(capacity, deployed, per_chip, foot) -> Chart:
    """A line of watts per chip with one mark, where the capacity would hold exactly as many chips as are deployed."""
    title = f"Neither article states the power per chip, so {capacity} cannot be turned into chips"
    measures = f"Hypothetical: {capacity} divided by {deployed}"
    figure, axes = _canvas(title, measures, foot, 112)
    middle, y = INNER / 2, 34
    sides = (
        f"less power per chip: {capacity} holds more chips than are deployed",
        f"more power per chip: {capacity} holds fewer chips than are deployed",
    )
    for side, x, end in zip(sides, (0, middle + 12), (0, INNER), strict=True):
        _arrow(axes, (middle, y), (end, y), GREY)
        _write(axes, x, y + 22, side.replace(f"{capacity}", f"{capacity}".replace(" ", NBSP)), middle - 12)
    _box(axes, middle - 5, y - 12, 10, 24, facecolor=GROUND, linestyle=DASHED, zorder=3)
    axes.text(middle, y - 18, f"{per_chip}", color=ACCENT, weight="bold", ha="center")
    alt = f"{title}. A line of watts per chip has one dashed mark, {per_chip}, and no other. "
    alt += f"To its left, {sides[0]}; to its right, {sides[1]}."
    return Chart(figure, alt)


@_styled
def cost(cut, left, foot) -> Chart:
    """Running cost of an ordinary server as 100, and below it all that the claim allows for a Trn3 UltraServer."""
    title = f'"{_capital(str(cut))} lower" allows any running cost from {left.low} to 100'
    measures = "Running cost at comparable performance; ordinary cloud server = 100, our reading of what is compared"
    figure, axes = _canvas(title, measures, foot, 172)
    sure, here = INNER * float(left.low) / 100, "the claim fits anywhere here"
    axes.text(0, 8, "Ordinary cloud server: 100", va="center")
    _box(axes, 1, 20, INNER - 2, 26, GREY)
    axes.text(0, 72, f"Trn3 UltraServer: {left.low} to 100", va="center", color=ACCENT, weight="bold")
    _box(axes, 1, 84, sure - 1, 26, facecolor="none")
    _box(axes, sure, 84, INNER - sure - 1, 26, facecolor="none", hatch="////")
    _write(axes, 0, 118, f"at least {left.low} remains", sure - 8)
    _write(axes, sure, 118, f"{here}; that it ends at 100 is our reading", INNER - sure)
    alt = (
        f"{title}. Two bars. Ordinary cloud server: 100. Trn3 UltraServer: outlined to {left.low}, hatched from there "
    )
    alt += f"to 100: {here}. That it ends at 100 is our reading, and so is what the cost is compared with."
    return Chart(figure, alt)


@_styled
def everything(facts, statements, foot) -> Chart:
    """Every number of the articles: a fact a row; across, who says it and which article carries it."""
    articles = list(dict.fromkeys(statements.index.get_level_values("article")))
    columns = ["Amazon", "narration", "customer or independent", *articles]
    sources = statements.said_by.where(statements.said_by.isin(columns[:2]), columns[2])
    named = statements.said_by[statements.said_by != "narration"]
    who = " or ".join(dict.fromkeys(named))
    title = f"{len(named)} of {len(statements)} statements have a source, always {who} as we read it"
    measures = f"The {len(facts)} quantities in the articles: who says each (left), in which article (right)"
    first, head = 184, 96
    step = (INNER - first) / len(columns)
    told = dict(iter(statements.assign(source=sources).reset_index().groupby("fact")))
    values = {fact: list(dict.fromkeys(map(str, said.number))) for fact, said in told.items()}
    labels = {fact: " / ".join(values[fact]) for fact in facts.index}
    talls = {fact: (1 + len(_wrap(label, first - 4, "bold"))) * LINE + 7 for fact, label in labels.items()}
    figure, axes = _canvas(title, measures, foot, head + sum(talls.values()))
    for place, column in enumerate(columns):
        x = first + (place + 0.5) * step
        total = (sources == column).sum() + (statements.index.get_level_values("article") == column).sum()
        label = f"{column} {total}".replace(" or ", " or\n")
        axes.text(x, head - 8, label, rotation=90, ha="center", va="bottom", linespacing=1.1)
    y = head
    for fact, label in labels.items():
        said = told[fact]
        axes.plot([0, INNER], [y, y], color=PALE, lw=1)
        _write(axes, 0, y + 4, facts.quantity[fact], INNER, GREY)
        _write(axes, 0, y + 4 + LINE, label, first - 4, weight="bold")
        places = [*said.source, *said.article]
        for column, value in dict(zip(places[::-1], [*said.number][::-1] * 2, strict=True)).items():
            middle = first + (columns.index(column) + 0.5) * step
            _mark(axes, middle - 11, y + 27, value.kind, width=22)
            if places.count(column) > 1:
                axes.text(middle, y + 12, f"{places.count(column)}×", ha="center", va="center")
        y += talls[fact]
    x = first + 3 * step
    axes.plot([x, x], [head - 4, y], color=INK, lw=1)
    nobody = "" if (sources == columns[2]).any() else f' The column "{columns[2]}" is empty: 0.'
    rows = "; ".join(f"{facts.quantity[fact]}: {label}" for fact, label in labels.items())
    alt = f"{title}; the rest is narration.{nobody} The rows are: {rows}."
    return Chart(figure, alt)


@_styled
def timeline(events, foot) -> Chart:
    """What the articles date, from top to bottom, with a break where years are missing; then what has no date."""
    events = events.reset_index()
    events["where"] = events["where"].str.replace(" ", NBSP)
    events["text"] = events.what + " (" + events["where"] + ")"
    dated, undated = events[events.earliest.notna()], events[events.earliest.isna()]
    years, tall, left, tops, y = sorted({int(day[:4]) for day in [*dated.earliest, *dated.latest]}), 104, 96, {}, 4
    for before, year in zip([years[0], *years], years, strict=False):
        y += 34 if year - before > 1 else 0
        tops[year], y = y, y + tall
    blocks, below = [], 0
    spans = ["earliest", "latest"]
    dated = dated.sort_values(spans, kind="stable")
    for (*span, year_from), group in dated.groupby([*spans, "year_from"], sort=False):
        ends = zip(span, _months(*span), strict=True)
        top, bottom = (tops[int(day[:4])] + tall * months / 12 for day, months in ends)
        inferred = year_from == "inferred"
        blocks.append((top, bottom, max(below, top), when(*span, inferred), inferred, list(group.text)))
        below = blocks[-1][2] + (1 + sum(len(_wrap(text, INNER - left)) for text in group.text)) * LINE + 9
    alike = undated.groupby("event", sort=False)
    texts = [
        f"{what} ({where})"
        for what, where in alike.agg({"what": lambda what: "; ".join(dict.fromkeys(what)), "where": ", ".join}).values
    ]
    lane, room = max(y, below) + 18, INNER - left
    height = lane + (1 + sum(len(_wrap(text, room)) for text in texts)) * LINE + 5 * len(texts)
    title = f"Of {len(events)} mentions of a time, {len(undated)} cannot be put on a calendar"
    figure, axes = _canvas(title, "Each bar covers all that the printed words allow, as we read them", foot, height)
    for year, top in tops.items():
        axes.plot([44, 44], [top, top + tall], color=INK)
        axes.plot([38, 44], [top, top], color=INK)
        axes.text(34, top + 2, str(year), ha="right", va="top", weight="bold")
        if year - 1 not in tops and year != years[0]:
            for dash in (-22, -16):
                axes.plot([36, 52], [top + dash + 4, top + dash - 4], color=INK)
    for track, (top, bottom, label, heading, inferred, lines) in enumerate(blocks):
        x = 52 + track % 3 * 13
        look = {} if inferred else {"hatch": "////"} if bottom - top > tall / 12 + 1 else {"facecolor": ACCENT}
        _box(axes, x, top, 9, bottom - top, **{"facecolor": GROUND} | look)
        axes.plot([x + 9, left - 4], [max(top, min(label + 7, bottom)), label + 7], color=GREY, lw=0.8)
        label = _write(axes, left, label, heading, weight="bold")
        for line in lines:
            label = _write(axes, left, label, line, INNER - left)
    axes.plot([44, 44], [lane, height], color=GREY, linestyle=":")
    y = _write(axes, left, lane, "No date printed", weight="bold")
    for text in texts:
        y = _write(axes, left, y, text, room) + 5
    told = [f"{heading}: {'; '.join(lines)}" for _, _, _, heading, _, lines in blocks]
    return Chart(figure, f"{title}. {'. '.join(told)}. No date printed: {'; '.join(texts)}.")


def _months(earliest, latest):
    """The months of their years that pass before a span begins, and until it ends."""
    return int(earliest[5:] or 1) - 1, int(latest[5:] or 12)


def when(earliest, latest, inferred=False) -> str:
    """A span of ISO years or months in words."""
    first, last = (f"{calendar.month_name[int(day[5:])]} {day[:4]}" if day[5:] else day for day in (earliest, latest))
    if earliest[:4] == latest[:4] and first != last:
        first = first[:-5]
    both = "and" if last == str(int(earliest[:4]) + 1) else "to"
    return (first if first == last else f"{first} {both} {last}") + (" (year inferred)" if inferred else "")
