"""The four pictures of the notebook: one function each, which returns a display.Picture.

Colour says who speaks, fill how sure it is, and the words beside each mark say both again. The canvas is 329 units
wide, one CSS pixel each on a phone, and as tall as what stands on it.
"""

import re
from calendar import month_name
from fractions import Fraction
from functools import cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

import matplotlib.style
from display import PIXELS, Picture
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from tables import NO_SOURCE

STYLE = Path(__file__).parent / "trainium.mplstyle"
WIDTH, EDGE = 329, 8  # units: the canvas, and its edge that stays empty
INNER = WIDTH - 2 * EDGE
SIZE, TITLE, LEAD = 11, 14, 1.18  # units: plain words, the title; the height of a line by the size of its words
GROUND, INK, GREY, PALE = "#ffffff", "#1d2733", "#56606b", "#c3c9d0"
MARKS = {"Amazon": "#d95f0e", "narration": "#2c4a68"}  # whoever else speaks: INK
WORDS = MARKS | {"Amazon": "#ad4a06"}
FILLS = {
    "stated": {},
    "anywhere": {"facecolor": GROUND, "hatch": "//////"},
    "rest": {"facecolor": GROUND},
    "inferred": {"facecolor": GROUND, "linestyle": (0, (2, 1.4))},
}
FIGURE = r"(\b\d[\d,.]*%?(?: [mb]illion)?)"
LANGUAGES = {"ro": "Romanian", "mr": "Marathi"}
NBSP = "\u00a0"  # holds a figure, and "ro 9", on one line
STAR = "* The text says “the company”, read as Amazon."
SIGN, LABEL = (21, 34), 39  # units: from where to where a mark of the map reaches, and where its words begin
COVER = {"bbox": {"facecolor": GROUND, "edgecolor": "none", "pad": 0}}  # words over a line
TWO_THIRDS = Fraction(200, 3)  # in percent

styled = matplotlib.style.context(["default", STYLE])
ruler = RendererAgg(1, 1, 72 * PIXELS / WIDTH)


class Words(NamedTuple):
    """A piece of a sentence, and how it is set."""

    text: str
    colour: str = INK
    bold: bool = False
    size: float = SIZE

    @cache  # noqa: B019 (as few as there are words)
    def wide(self):
        font = FontProperties(family="DejaVu Sans", weight="bold" if self.bold else "normal", size=self.size)
        return ruler.get_text_width_height_descent(self.text, font, ismath=False)[0] * WIDTH / PIXELS


class Canvas(Figure):
    """A figure that is drawn, too, under our style alone."""

    draw = styled(Figure.draw)


class Page:
    """A canvas on which sentences are set and axes placed; y grows downwards from its top."""

    def __init__(self):
        self.figure, self.placed = Canvas(), []
        self.axes = self.plot(0, None, (0, WIDTH))

    def plot(self, y, height, ends, x=0, width=WIDTH):
        """Axes in data units across, from one of `ends` to the other, and in units of the page downwards."""
        axes = self.figure.add_axes((0, 0, 1, 1), label=len(self.placed), xlim=ends, zorder=-len(self.placed))
        axes.axis("off")
        self.placed.append((axes, x, y, width, height))
        return axes

    def write(self, y, pieces, x=EDGE, width=INNER, right=False, colour=INK, bold=False, size=SIZE, **look):
        """Sets a sentence in lines of at most `width`, its top at y; returns the y below it."""
        pieces = [pieces] if isinstance(pieces, str) else pieces
        pieces = [Words(piece, colour, bold, size) if isinstance(piece, str) else piece for piece in pieces]
        for line in _lines(pieces, width):
            tall = max(piece.size for piece in line)
            at = x + width - sum(piece.wide() for piece in line) if right else x
            for piece in line:
                font = {"color": piece.colour, "size": piece.size, "weight": "bold" if piece.bold else "normal"}
                self.axes.text(at, y + 0.93 * tall, piece.text, **font, **look)
                at += piece.wide()
            y += LEAD * tall
        return y

    def rule(self, y):
        """A thin line across."""
        self.axes.hlines(y, EDGE, WIDTH - EDGE, color=PALE, lw=0.8)

    def picture(self, y, alt, width=420):
        """What was drawn, as a picture that ends a little below y."""
        tall = y + EDGE
        self.figure.set_size_inches(WIDTH / 72, tall / 72)
        for axes, x, top, across, height in self.placed:
            bottom = top + (height or tall)
            axes.set(position=(x / WIDTH, 1 - bottom / tall, across / WIDTH, (bottom - top) / tall), ylim=(bottom, top))
        return Picture(
            self.figure,
            " ".join(text[:1].upper() + text[1:] for text in alt).replace("*", "").replace(NBSP, " "),
            width,
        )


def _lines(pieces, width):
    """The pieces in lines of at most `width` units, broken at spaces."""
    words, lines, room = [[]], [], 0
    for piece in pieces:
        for text in re.findall(" |[^ ]+", piece.text):
            if text == " ":
                words.append([])
            words[-1].append(piece._replace(text=text))
    for word in words:
        wide = sum(piece.wide() for piece in word)
        if wide > room:
            lines, room = [*lines, []], width
            word = [piece for piece in word if piece.text != " "]
        room -= wide
        for piece in word:
            if lines[-1] and lines[-1][-1][1:] == piece[1:]:
                piece = piece._replace(text=lines[-1].pop().text + piece.text)
            lines[-1].append(piece)
    return [line for line in lines if line]


def _figures(text, *look, told=()):
    """A text with its figures bold; `told` says which those are, where a Bound knows it."""
    told = told or [(part, bool(re.match(FIGURE, part))) for part in re.split(FIGURE, text) if part]
    colour, size = [*look, *(INK, SIZE)[len(look) :]]
    return [Words(part.replace(" ", NBSP) if bold else part, colour, bold, size) for part, bold in told]


def _number(bound, *look, star=""):
    """A number in words, its hedge regular and its figure bold, with a star right after the figure."""
    pieces = _figures(str(bound), *look, told=bound.told)
    last = max((place for place, piece in enumerate(pieces) if piece.bold), default=len(pieces) - 1)
    pieces[last] = pieces[last]._replace(text=pieces[last].text + star)
    return pieces


def _bar(axes, low, high, y, height, colour, fill="stated"):
    """A bar with its middle at y, whose fill says how sure it is."""
    axes.barh(y, high - low, height, low, edgecolor=colour, clip_on=False, **{"facecolor": colour} | FILLS[fill])


def _arrow(axes, low, high, y, style="-"):
    axes.plot([low, high], [y, y], style, color=INK, lw=1.5, marker=">", markevery=[1], ms=4, clip_on=False)


def _and(items):
    *first, last = dict.fromkeys(items)
    return f"{', '.join(first)} and {last}" if first else last


def _paragraphs(rows):
    """Where rows stand, article by article."""
    places = rows.groupby("article", sort=False).paragraph
    told = [f"{_text(key)}, paragraphs {_and(map(str, sorted(set(numbers))))}" for key, numbers in places]
    return "; ".join(told) + "."


def _text(article):
    return f"{LANGUAGES.get(article, article)} text"


@styled
def hero(data) -> Picture:
    """The four main numbers, each with its hedge, its speaker and what it leaves open."""
    rows = data.statements.reset_index().drop_duplicates("fact").set_index("fact", drop=False)
    says = {
        "chips-deployed": f"Trainium chips deployed, across {rows.number['generations']}",
        "claude-chips": "Trainium2 chips that Claude runs on; how many more (hatched) is not stated",
        "openai-capacity": "of Trainium capacity for OpenAI, a commitment by AWS; "
        "the text names no source for the figure",
        "cost-cut": "lower running cost (anywhere hatched), claims Amazon of new chips on Trn3 UltraServers, "
        "at performance comparable to that of classic cloud servers",
    }
    rows = rows.loc[data.facts.index[data.facts.headline]]
    chips = max(number.high or number.low for number in rows.number if number.unit == "chips")
    wholes = {"chips": int(chips), "percent": 100}
    unnamed = (rows.who == NO_SOURCE).sum()
    own = Words(f"{len(rows) - unnamed} are Amazon’s own*", WORDS["Amazon"], True, TITLE)
    nobody = Words(f"{unnamed} unsourced", WORDS["narration"], True, TITLE)
    page, title = Page(), f"Trainium in {len(rows)} numbers: "
    y = page.write(EDGE, [title, own, ", ", nobody], bold=True, size=TITLE) + 7
    alt = [f"{title}{own.text}, {nobody.text}."]
    for row in rows.itertuples():
        number, inferred = row.number, row.who.endswith("*")
        page.rule(y)
        pieces = _number(number, WORDS.get(row.said_by, INK), 15, star="*" if inferred else "")
        pieces = [piece for piece in pieces if piece.text.strip() != number.unit]
        below = page.write(y + 4, pieces)
        whole = wholes.get(number.unit, 2 * int(number.high or number.low))
        axes = page.plot(y + 9, 11, (0, whole), 180, WIDTH - EDGE - 180)
        sure, last = int(number.low or 0), int(number.high or whole)
        parts = [(0, sure, "stated"), (sure, last, "anywhere"), (last, whole, "rest")]
        if number.unit not in wholes:  # a block for each
            parts = [(block, block + 0.95, "stated") for block in range(sure)]
        for low, high, fill in parts:
            if low < high:
                _bar(axes, low, high, y + 14.5, 11, MARKS.get(row.said_by, INK), fill)
        said = says.get(row.fact, data.facts.quantity[row.fact])
        y = page.write(below, said) + 6
        source = ", says “the company”, read as Amazon" if inferred else ""
        alt.append(f"{''.join(piece.text for piece in pieces)} {said}{source}.")
    y = page.write(y + 2, f"{STAR} {_paragraphs(rows)}", colour=GREY)
    return page.picture(y, alt, 560)


@styled
def share(deployed, claude) -> Picture:
    """How many of the deployed chips Claude runs on: what is stated is solid, what may come on top is hatched."""
    rounded = deployed.if_rounded()
    part, rest, part_if, rest_if = claude / deployed, deployed - claude, claude / rounded, rounded - claude
    if min(part.low, part_if.low) <= TWO_THIRDS:
        raise ValueError(f"charts.py: a title says “more than two thirds”, the data says {part}, {part_if.reads(1)}")
    sure, whole, orange = int(claude.low), int(deployed.high), WORDS["Amazon"]
    page, title, edge = Page(), "Claude runs on more than two thirds of the deployed chips", EDGE + INNER * sure / whole
    y = page.write(EDGE, title, bold=True, size=TITLE) + 7
    y = page.write(y, [*_number(deployed, orange, star="*"), " deployed, across all generations"]) + 4
    axes = page.plot(y, 36, (0, whole), EDGE, INNER)
    _bar(axes, 0, sure, y + 18, 36, MARKS["Amazon"])
    _bar(axes, sure, whole, y + 18, 36, MARKS["Amazon"], "anywhere")
    corners = [EDGE, EDGE, edge - 2, edge - 2], [y + 40, y + 44, y + 44, y + 40]
    page.axes.plot(*corners, color=INK, lw=1.2)
    open_ = "some of these; how many is not stated"
    right = page.write(y + 41, f"and on {open_}", edge + 6, WIDTH - EDGE - edge - 6)
    y = page.write(y + 46, _number(part, INK, 18))
    solid = ["of them: Claude runs on ", *_number(claude, orange, star="*"), ", all Trainium2"]
    y = max(right, page.write(y, solid, width=edge - EDGE - 6)) + 6
    page.rule(y)
    y = page.write(y + 5, ["The other generations: ", *_number(rest), "."]) + 3
    figure = deployed.told[0][0]
    if_rounded = f"If {figure} is rounded: {part_if.reads(1)} and {rest_if}."
    y = page.write(y, _figures(if_rounded)) + 3
    shared = "Others may use Claude’s chips too: Trainium2 also handles inference for Bedrock (ro 11)."
    y = page.write(y, shared) + 7
    foot = (
        "The share is our arithmetic, in chips, not capacity; Claude’s “installed” chips are read as “deployed” ones."
    )
    y = page.write(y, f"{STAR} {foot} Romanian text, undated (ro 9).", colour=GREY)
    alt = [
        f"{title}. A bar of {deployed}, deployed across all generations, says “the company”, read as Amazon.",
        f"Its solid part: Claude runs on {claude}, all Trainium2; by our arithmetic {part} of them.",
        f"Its hatched part: Claude runs on {open_}. The other generations: {rest}. {if_rounded} {shared}",
    ]
    return page.picture(y, alt)


@styled
def told(data) -> Picture:
    """The articles as pages, a line a paragraph: each number where it stands, solid if the text names a source."""
    rows = data.statements.reset_index()
    rows["named"] = rows.who != NO_SOURCE
    rows["speaker"] = rows.person.fillna(rows.who)
    rows["counts"] = (" " + rows.fact.map(data.facts.after_number)).fillna("")
    rows, yes, no = list(rows.itertuples()), rows.named.sum(), (~rows.named).sum()
    starred = {row.said_by for row in rows if row.who.endswith("*")}
    sources = _and(row.said_by + "*" * (row.said_by in starred) for row in rows if row.named)
    page, title = Page(), f"{yes} of {len(rows)} statements of a number name a source, always {sources}"
    y, alt = page.write(EDGE, title, bold=True, size=TITLE) + 5, [f"{title}."]
    _bar(page.axes, *SIGN, y + 7, 7, MARKS["Amazon"])
    page.write(y, f"{yes} name a source", LABEL, colour=WORDS["Amazon"])
    _bar(page.axes, 160 + SIGN[0], 160 + SIGN[1], y + 7, 7, MARKS["narration"], "rest")
    y = page.write(y, f"{no} name no source", 160 + LABEL, colour=WORDS["narration"])
    for article, paragraphs in data.articles.paragraphs.items():
        here = [row for row in rows if row.article == article]
        heading = f"{_text(article)}, {paragraphs} paragraphs as lines: {len(here)} of the {len(rows)}"
        y = _as_lines(page, page.write(y + 6, heading, colour=GREY) + 3, here, paragraphs)
        alt.append(f"{heading}.")
        for speaker in dict.fromkeys(row.speaker for row in here if row.named):
            says = "; ".join(f"{row.number}{row.counts}" for row in here if row.speaker == speaker)
            alt.append(f"{speaker}{', read from the context' if speaker[-1] == '*' else ''}: {says}.")
    foot = f"{no} name no source, which does not mean untrue."
    lines = "At the left: paragraph numbers; grey lines: paragraphs that state no number."
    y = page.write(y + 6, f"{STAR} {foot} {lines}", colour=GREY)
    return page.picture(y, [*alt, foot])


def _as_lines(page, y, rows, paragraphs):
    """An article from y on: its paragraphs as lines, as far apart as the words beside them need; returns its end."""
    below, edge, before, grey, marks = y, y, 0, [], {}
    for paragraph in [*dict.fromkeys(row.paragraph for row in rows), paragraphs + 1]:
        group, lines, before = [row for row in rows if row.paragraph == paragraph], paragraph - before, paragraph
        y = max(below, edge + 2.8 * lines - 3.5)
        grey += [edge + (y + 3.5 - edge) * line / lines for line in range(1, lines)]
        if group:
            page.write(y, str(paragraph), 0, SIGN[0] - 4, right=True, colour=GREY)
            if y - below > LEAD * SIZE - 2:
                page.write(below, f"no number in {lines - 1} paragraphs", LABEL, colour=GREY)
        for row in group:
            marks.setdefault((row.said_by, row.named), []).append(y + 7)
            speaker, colour = f"{row.speaker}: " if row.named else "", WORDS.get(row.said_by, INK)
            pieces = [Words(speaker, colour), *_number(row.number, colour), row.counts]
            edge, y = y + 10.5, page.write(y, pieces, LABEL, WIDTH - LABEL - 3) + 1
        below = y
    page.axes.hlines(grey, *SIGN, color=PALE, lw=1.3)
    for (said_by, named), middles in marks.items():
        _bar(page.axes, *SIGN, middles, 7, MARKS.get(said_by, INK), "stated" if named else "rest")
    return below


class Calendar:
    """Years across a page, all equally wide; a gap stands for those that are missing."""

    def __init__(self, rows):
        self.years = sorted({year for row in rows.itertuples() for year in range(int(row.low), ceil(row.high))})
        self.runs = [year for year in self.years if year - 1 not in self.years]
        self.gap, self.end = 30, self.years[-1] + 1
        self.step = (INNER - self.gap * (len(self.runs) - 1)) / len(self.years)
        self.marks = []

    def across(self, moment):
        """Where a moment stands on the page."""
        place, year = max((place, year) for place, year in enumerate(self.years) if year <= moment)
        return EDGE + self.step * (place + moment - year) + self.gap * sum(first <= moment for first in self.runs[1:])

    def mark(self, page, y, pieces, low, high, fill):
        """Notes a mark, and sets words on that side of it which has more room; returns the y below them."""
        self.marks.append((low, high, fill, y + 7))
        before, after = self.across(low) - 6, self.across(high) + 6
        if before > WIDTH - after:
            return page.write(y, pieces, EDGE, before - EDGE, right=True, **COVER) + 4
        return page.write(y, pieces, after, WIDTH - EDGE - after, **COVER) + 4

    def draw(self, page, top, bottom):
        """The lines of the years behind the words, and the marks on them."""
        for first in self.runs:
            end = next(year + 1 for year in self.years if year >= first and year + 1 not in self.years)
            axes = page.plot(top, bottom - top, (first, end), self.across(first), self.step * (end - first))
            axes.vlines(range(first, end + 1), top, bottom, color=PALE, lw=0.8, clip_on=False, zorder=0)
            axes.hlines(top, first, end, color=INK, lw=1.5, clip_on=False)
            for low, high, fill, y in self.marks:
                if first <= low < end:
                    _bar(axes, low, high, y, 9, INK, fill) if fill in FILLS else _arrow(axes, low, high, y, fill)


@styled
def timeline(data) -> Picture:
    """Each mention of a time at its place on a calendar, if it has one; listed below, if it has none."""
    rows = data.events.reset_index()
    rows["label"] = rows.event.map(rows.dropna(subset="label").set_index("event").label)
    dated, undated = rows[rows.earliest.notna()].copy(), rows[rows.earliest.isna()]
    dated["low"], dated["high"] = dated.earliest.map(_begins), dated.latest.map(_ends)
    dated["inferred"] = dated.year_from.eq("inferred").map({True: ", year inferred", False: ""})
    dated = dated.sort_values("low", kind="stable")
    page, calendar, title = Page(), Calendar(dated), f"{len(undated)} of {len(rows)} mentions of a time give no date"
    y, x, alt = page.write(EDGE, title, bold=True, size=TITLE) + 6, EDGE, [f"{title}."]
    for wide, fill, sign in ((16, "anywhere", "at some time in here"), (6, "inferred", "year inferred")):
        _bar(page.axes, x, x + wide, y + 7, 9, INK, fill)
        page.write(y, sign, x + wide + 5, colour=GREY)
        x += wide + Words(sign).wide() + 18
    _arrow(page.axes, x, x + 16, y + 7)
    y = page.write(y, "or later", x + 23, colour=GREY) + 6
    for year in calendar.years:
        page.write(y, str(year), calendar.across(year), bold=True)
    for first in calendar.runs[1:]:
        page.write(y + 7, "//", calendar.across(first) - calendar.gap / 2 - 3)
    top, y = y + 14, y + 20
    for row in dated.itertuples():
        fill = "inferred" if row.inferred else "stated" if row.high - row.low < 0.1 else "anywhere"
        where = Words(f" ({row.where.replace(' ', NBSP)})", GREY)
        y = calendar.mark(page, y, [f"{row.label}, ", *_figures(row.in_english), where], row.low, row.high, fill)
    for time, group in dated.groupby(dated.in_english + dated.inferred, sort=False):
        alt.append(f"{time}: {'; '.join(group.label)}.")
    page.rule(y + 1)
    y = page.write(y + 5, "When the texts were written", bold=True, **COVER) + 2
    for article, group in dated.groupby("article", sort=False):
        row = max(group.itertuples(), key=lambda row: _begins(_since(row)))
        year, _, month = _since(row).partition("-")
        when = f"{month_name[int(month or 0)]} {year}".strip()
        pieces = [
            f"{_text(article)}: ",
            *_figures(when),
            f" or later, since it speaks of “{row.in_english}”{row.inferred}",
        ]
        y = calendar.mark(page, y, pieces, _begins(_since(row)), calendar.end, "--" if row.inferred else "-")
        alt.append(f"{_text(article)}: {when} or later{row.inferred}.")
    calendar.draw(page, top, y)
    heading = f"{len(undated)} cannot be put on a calendar"
    page.write(y + 8, "mentions", right=True, colour=GREY)
    y = page.write(y + 8, heading, bold=True) + 3
    for label, group in undated.groupby("label", sort=False):
        page.rule(y)
        page.write(y + 3, str(len(group)), right=True, bold=True)
        times = _and(f"“{time}”" for time in group.in_english)
        y = page.write(y + 3, [f"{label}: ", *_figures(times)], width=INNER - 16) + 2
    y = page.write(y + 6, _paragraphs(rows), colour=GREY)
    return page.picture(y, [*alt, f"{heading}: {'; '.join(dict.fromkeys(undated.label))}."])


def _since(row):
    """The last month or year that a mention surely reaches: both of two years, but not each month of an "end"."""
    return row.earliest if row.latest[5:] else row.latest


def _begins(date):
    return int(date[:4]) + (int(date[5:] or 1) - 1) / 12


def _ends(date):
    return int(date[:4]) + int(date[5:] or 12) / 12
