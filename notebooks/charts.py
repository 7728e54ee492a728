"""The four pictures of the notebook: one function each, which returns a display.Picture.

Colour says who speaks, fill how sure it is, and the words beside each mark say both again. The canvas is 329 units
wide, one CSS pixel each on a phone, and as tall as what stands on it; y counts units down from its top.
"""

import re
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import matplotlib.style
from display import Picture
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea
from matplotlib.transforms import Affine2D
from tables import NO_SOURCE

STYLE = Path(__file__).parent / "trainium.mplstyle"
WIDTH, EDGE = 329, 8
SIZE, TITLE, LEAD = 11, 13, 1.11  # plain words and titles in units; the height of a line by the size of its words
BASE = 0.78  # from the top of a line to its base, by the size of its words
LETTER = {False: 0.53, True: 0.6}  # the width of a letter by its size, over a line: regular, bold
GROUND, INK, GREY, PALE = "#ffffff", "#1d2733", "#56606b", "#c3c9d0"
MARKS = {"Amazon": "#d95f0e", "narration": "#2c4a68"}  # whoever else speaks: INK
WORDS = MARKS | {"Amazon": "#ad4a06"}
FILLS = {
    "stated": {},
    "anywhere": {"facecolor": GROUND, "hatch": "////"},
    "rest": {"facecolor": GROUND},
    "inferred": {"facecolor": GROUND, "linestyle": (0, (2, 1.4))},
}
LANGUAGES = {"ro": "Romanian", "mr": "Marathi", "en": "English"}
FIGURE = re.compile(r"(\b\d[\d,.]*%?(?: [mb]illion)?)")
NBSP = "\u00a0"  # holds a figure, and "ro 9", on one line
STAR = "* The text says “the company”, apparently Amazon."
SIGN, LABEL = (22, 34), 39  # where a mark of the map stands, and where its words begin
styled = matplotlib.style.context(["default", STYLE])


class Words(NamedTuple):
    """A piece of a sentence, and how it is set."""

    text: str
    colour: str = INK
    bold: bool = False
    size: float = SIZE


class Canvas(Figure):
    """A figure that is drawn, too, under our style alone."""

    draw = styled(Figure.draw)


class Page:
    """A canvas on which sentences are set and bars drawn."""

    def __init__(self):
        self.figure = Canvas()
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(WIDTH, 0))
        self.axes.axis("off")
        self.ground = None  # what lies under words: nothing, or white where lines pass

    def bar(self, low, high, y, height, colour, fill="stated", scale=None):
        """A bar with its middle at y, in units or on a scale, whose fill says how sure it is."""
        look = {"facecolor": colour, "edgecolor": colour} | FILLS[fill] | (scale.how(self.axes) if scale else {})
        self.axes.barh(y, high - low, height, low, **look)

    def arrow(self, low, high, y):
        """An arrow from low to high, in units."""
        self.axes.plot([low, high], [y, y], color=INK, lw=1.5, marker=">", markevery=[1], ms=4)

    def write(self, y, *pieces, x=EDGE, width=WIDTH - 2 * EDGE, right=False):
        """Sets a sentence in lines of about `width`, its top at y; returns the y below it."""
        pieces = [Words(piece) if isinstance(piece, str) else piece for piece in pieces]
        size, at = max(piece.size for piece in pieces), x + width * right
        for line in _lines(pieces, int(width / size / LETTER[all(piece.bold for piece in pieces)])):
            if len(line) == 1:  # the same as a box of one piece, drawn in half the time
                (text, piece), side = line[0], "right" if right else "left"
                self.axes.text(at, y + BASE * size, text, ha=side, bbox=self.ground, **_look(piece))
            else:
                areas = [TextArea(text, textprops=_look(piece)) for text, piece in line]
                box = HPacker(children=areas, pad=0, sep=0, align="baseline")
                how = {"box_alignment": (float(right), 1), "pad": 0, "frameon": self.ground is not None}
                self.axes.add_artist(AnnotationBbox(box, (at, y), bboxprops=self.ground, annotation_clip=False, **how))
            y += LEAD * size
        return y

    def rule(self, y):
        """A thin line across."""
        self.axes.hlines(y, EDGE, WIDTH - EDGE, color=PALE, lw=0.8)

    def picture(self, y, alt, width=400):
        """What was drawn, as a picture that ends a little below y."""
        self.figure.set_size_inches(WIDTH / 72, (y + EDGE) / 72)
        self.axes.set_ylim(y + EDGE, 0)
        told = " ".join(text[:1].upper() + text[1:] for text in alt)
        return Picture(self.figure, told.replace("*", "").replace(NBSP, " "), width)


class Scale(NamedTuple):
    """A stretch of the page that stands for data from `low` to `high`."""

    low: float
    high: float
    x: float = EDGE
    width: float = WIDTH - 2 * EDGE

    def how(self, axes):
        """How what is drawn on this scale comes to its place."""
        shrink = self.width / (self.high - self.low)
        place = Affine2D().scale(shrink, 1).translate(self.x - self.low * shrink, 0)
        return {"transform": place + axes.transData, "gid": f"{self.low} to {self.high}"}


def _look(piece):
    return {"color": piece.colour, "size": piece.size, "weight": "bold" if piece.bold else "normal"}


def _lines(pieces, letters):
    """The pieces in lines of at most so many letters, each line as (text, piece) from left to right."""
    text, at = "".join(piece.text for piece in pieces), 0
    owner = [piece for piece in pieces for _ in piece.text]
    for line in wrap(text, letters, break_on_hyphens=False):
        at = text.index(line, at)
        runs = [list(run) for _, run in groupby(range(at, at + len(line)), key=lambda place: id(owner[place]))]
        yield [(text[run[0] : run[-1] + 1], owner[run[0]]) for run in runs]


def _figures(text, colour=INK, size=SIZE, told=()):
    """A text with its figures bold; `told` says which those are, where a Bound knows it."""
    told = told or [(part, bool(FIGURE.fullmatch(part))) for part in FIGURE.split(text) if part]
    pieces = []
    for part, bold in told:
        space = pieces and pieces[-1].text.endswith(" ")  # a packer drops the space at the end of a piece
        if space:
            pieces[-1] = pieces[-1]._replace(text=pieces[-1].text[:-1])
        part = part.replace(" ", NBSP) if bold else part
        pieces.append(Words(" " * bool(space) + part, colour, bold, size))
    return pieces


def _number(bound, colour=INK, size=SIZE, star="", unit=True):
    """A number in words, its hedge regular and its figure bold, with a star right after the figure."""
    pieces = _figures(str(bound), colour, size, bound.told)
    last = max((place for place, piece in enumerate(pieces) if piece.bold), default=len(pieces) - 1)
    pieces[last] = pieces[last]._replace(text=pieces[last].text + star)
    return pieces if unit else pieces[: last + 1]


def _text(data, article):
    language = data.articles.language[article]
    return f"{LANGUAGES.get(language, language)} text"


def _and(items):
    *first, last = dict.fromkeys(items)
    return f"{', '.join(first)} and {last}" if first else last


@styled
def hero(data) -> Picture:
    """The four main numbers, each with its hedge, its speaker and what it leaves open."""
    rows = data.statements.reset_index().drop_duplicates("fact").set_index("fact", drop=False)
    unnamed = rows.who == NO_SOURCE
    says = {  # what a number counts, and what it leaves open
        "chips-deployed": (f"Trainium chips deployed, across {rows.number['generations']}", ""),
        "claude-chips": ("Trainium2 chips that Claude runs on", "how many more (hatched) is not stated"),
        "openai-capacity": (
            "of Trainium capacity for OpenAI, a commitment by AWS",
            "the text names no source for it" if unnamed["openai-capacity"] else "",
        ),
        "cost-cut": (
            f"lower running cost (hatched), {rows.said_by['cost-cut']} claims, with new chips on Trn3 UltraServers, "
            "at performance comparable to that of classic cloud servers",
            "",
        ),
    }
    rows = rows.loc[data.facts.index[data.facts.headline]]
    chips = max(number.high or number.low for number in rows.number if number.unit == "chips")
    wholes = {"chips": int(chips), "percent": 100}
    own, nobody = rows.said_by.eq("Amazon").sum(), (rows.who == NO_SOURCE).sum()
    others = f" {len(rows) - own - nobody} are others’," if own + nobody < len(rows) else ""
    page, title = Page(), f"Trainium in {len(rows)} numbers:"
    own = Words(f" {own} are Amazon’s own*,{others}", WORDS["Amazon"], True, TITLE)
    nobody = Words(f" {nobody} {'names' if nobody == 1 else 'name'} no source", WORDS["narration"], True, TITLE)
    y = page.write(EDGE, Words(title, INK, True, TITLE), own, nobody) + 7
    alt = [f"{title}{own.text}{nobody.text}."]
    for row in rows.itertuples():
        number, starred, colour = row.number, row.who.endswith("*"), MARKS.get(row.said_by, INK)
        page.rule(y)
        pieces = _number(number, WORDS.get(row.said_by, INK), 15, star="*" * starred, unit=False)
        below = page.write(y + 4, *pieces)
        if number.unit in wholes:
            whole = wholes[number.unit]
            scale, sure, last = (
                Scale(0, whole, 180, WIDTH - EDGE - 180),
                int(number.low or 0),
                int(number.high or whole),
            )
            for low, high, fill in ((0, sure, "stated"), (sure, last, "anywhere"), (last, whole, "rest")):
                if low < high:
                    page.bar(low, high, y + 13.5, 11, colour, fill, scale)
        else:  # no number of chips: a block for each unit, off the scale of the chips
            for block in range(int(number.low)):
                page.bar(180 + 22 * block, 200 + 22 * block, y + 13.5, 11, colour)
            page.write(y + 7, Words("= ? chips", WORDS.get(row.said_by, INK), True), x=186 + 22 * int(number.low))
        what, open_ = says.get(row.fact, (data.facts.quantity[row.fact], ""))
        y = page.write(below, what + f"; {open_}" * bool(open_)) + 5
        source = ", says “the company”, apparently Amazon" if starred else ""
        told = f"{''.join(piece.text for piece in pieces)} {what}{source}.", f"{open_}." * bool(open_)
        alt += [re.sub(r" \([^)]*hatched[^)]*\)", "", text) for text in told]
    places = _and(map(str, sorted(rows.paragraph)))
    y = page.write(y + 2, Words(f"{STAR} {_text(data, rows.article.iloc[0])}, paragraphs {places}.", GREY))
    return page.picture(y, alt, 560)


@styled
def share(deployed, claude) -> Picture:
    """How many of the deployed chips Claude runs on: what is stated is solid, what may come on top is hatched."""
    rounded, title = (
        deployed.if_rounded(),
        "By our arithmetic, Claude runs on more than two thirds of the deployed chips",
    )
    part, rest, part_if, rest_if = claude / deployed, deployed - claude, claude / rounded, rounded - claude
    if claude.high is not None or min(part.low, part_if.low) <= Fraction(200, 3):
        raise ValueError(f'the heading "{title}" no longer holds: it is {part}, or {part_if.reads(1)} if rounded')
    sure, whole, orange = int(claude.low), int(deployed.high), WORDS["Amazon"]
    edge = EDGE + (WIDTH - 2 * EDGE) * sure / whole
    page = Page()
    y = page.write(EDGE, Words(title, INK, True, TITLE)) + 5
    y = page.write(y, *_number(deployed, orange, star="*"), " deployed, across all generations") + 3
    page.bar(0, sure, y + 15, 30, MARKS["Amazon"], "stated", Scale(0, whole))
    page.bar(sure, whole, y + 15, 30, MARKS["Amazon"], "anywhere", Scale(0, whole))
    page.axes.plot([EDGE, EDGE, edge - 2, edge - 2], [y + 34, y + 38, y + 38, y + 34], color=INK, lw=1.2)
    open_ = "some of these; how many is not stated"
    page.write(y + 36, f"and on {open_}", x=edge + 6, width=WIDTH - EDGE - edge - 6)
    y = page.write(y + 40, *_number(part, size=18))
    solid = ["of them: Claude runs on", *_after_space(_number(claude, orange, star="*")), ", all Trainium2"]
    y = page.write(y, *solid, width=edge - EDGE - 6) + 5
    page.rule(y)
    y = page.write(y + 4, "Left for other generations:", *_after_space(_number(rest))) + 2
    figure = _number(deployed, unit=False)[-1].text.replace(NBSP, " ")
    if_rounded = f"If {figure} is rounded: {part_if.reads(1)}, and {rest_if} left"
    y = page.write(y, *_figures(if_rounded)) + 2
    shared = "Others may use Claude’s chips too: Trainium2 also serves Amazon’s Bedrock (ro 11)."
    y = page.write(y, shared) + 5
    y = page.write(y, Words(f"{STAR[:-1]} (ro 9). We count Claude’s chips among these.", GREY))
    alt = [
        f"{title}. A bar of {deployed}, deployed across all generations, says “the company”, apparently Amazon.",
        f"Its solid part: Claude runs on {claude}, all Trainium2.",
        f"That is {part} of them, if Claude’s chips are among those deployed.",
        f"Its hatched part: Claude runs on {open_}. Left for other generations: {rest}. {if_rounded}. {shared}",
    ]
    return page.picture(y, alt)


def _after_space(pieces):
    return [pieces[0]._replace(text=" " + pieces[0].text), *pieces[1:]]


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
    page, title = Page(), f"Of {len(rows)} statements of a number, {yes} name a source: always {sources}"
    y, alt = page.write(EDGE, Words(title, INK, True, TITLE)) + 4, [f"{title}."]
    page.bar(*SIGN, y + 6, 7, MARKS["Amazon"])
    page.bar(140 + SIGN[0], 140 + SIGN[1], y + 6, 7, MARKS["narration"], "rest")
    page.write(y, Words(f"{yes} name a source", WORDS["Amazon"]), x=LABEL)
    y = page.write(y, Words(f"{no} name no source", WORDS["narration"]), x=140 + LABEL)
    for article, paragraphs in data.articles.paragraphs.items():
        here = [row for row in rows if row.article == article]
        heading = f"{_text(data, article)}, {paragraphs} paragraphs as lines: {len(here)} of the {len(rows)}"
        y = _as_lines(page, page.write(y + 4, Words(heading, GREY)) + 2, here, paragraphs)
        alt.append(f"{_text(data, article)}: {len(here)} of the {len(rows)}.")
        for speaker in dict.fromkeys(row.speaker for row in here if row.named):
            says = "; ".join(f"{row.number}{row.counts}" for row in here if row.speaker == speaker)
            alt.append(f"{speaker}{', apparently' if speaker[-1] == '*' else ''}: {says}.")
    y = page.write(y + 5, Words(f"{STAR} Left: paragraphs. No source does not mean untrue.", GREY))
    return page.picture(y, [*alt, f"{no} name no source, which does not mean untrue."])


def _as_lines(page, y, rows, paragraphs):
    """An article from y on: its paragraphs as lines, as far apart as the words beside them need; returns its end."""
    below, edge, before, grey = y, y, 0, []
    for paragraph in [*dict.fromkeys(row.paragraph for row in rows), paragraphs + 1]:
        group, lines, before = [row for row in rows if row.paragraph == paragraph], paragraph - before, paragraph
        y = max(below, edge + 2.2 * lines - 3.5)
        grey += [edge + (y + 3.5 - edge) * line / lines for line in range(1, lines)]
        if group:
            page.write(y, Words(str(paragraph), GREY), x=0, width=SIGN[0] - 4, right=True)
            if y - below > LEAD * SIZE - 1:
                page.write(below, Words(f"no number in {lines - 1} paragraphs", GREY), x=LABEL)
        for row in group:
            mark, colour = MARKS.get(row.said_by, INK), WORDS.get(row.said_by, INK)
            page.bar(*SIGN, y + 6, 7, mark, "stated" if row.named else "rest")
            number = _number(row.number, colour)
            pieces = [Words(f"{row.speaker}:", colour), *_after_space(number)] if row.named else number
            edge, y = y + 10.5, page.write(y, *pieces, row.counts, x=LABEL, width=WIDTH - LABEL)
        below = y
    page.axes.hlines(grey, *SIGN, color=PALE, lw=1.3)
    return below


class Calendar:
    """Years across a page, all equally wide; a gap stands for those that are missing."""

    def __init__(self, rows):
        self.years = sorted({year for row in rows.itertuples() for year in range(int(row.low), ceil(row.high))})
        self.runs = [year for year in self.years if year - 1 not in self.years]
        self.gap, self.end, self.marks = 30, self.years[-1] + 1, []
        self.step = (WIDTH - 2 * EDGE - self.gap * (len(self.runs) - 1)) / len(self.years)

    def across(self, moment):
        """Where a moment stands on the page."""
        place, year = max((place, year) for place, year in enumerate(self.years) if year <= moment)
        return EDGE + self.step * (place + moment - year) + self.gap * sum(first <= moment for first in self.runs[1:])

    def mark(self, page, y, pieces, low, high, fill):
        """Notes a mark, and sets words on that side of it which has more room; returns the y below them."""
        self.marks.append((low, high, fill, y + 6))
        before, after = self.across(low) - 5, self.across(high) + 5
        if before > WIDTH - after:
            return page.write(y, *pieces, x=EDGE, width=before - EDGE, right=True) + 2
        return page.write(y, *pieces, x=after, width=WIDTH - EDGE - after) + 2

    def draw(self, page, top, bottom):
        """The lines of the years behind the words, and the marks on them."""
        for first in self.runs:
            end = next(year + 1 for year in self.years if year >= first and year + 1 not in self.years)
            ends = self.across(first), self.across(first) + self.step * (end - first)
            scale = Scale(first, end, ends[0], ends[1] - ends[0])
            lines = [ends[0] + self.step * year for year in range(end - first + 1)]
            page.axes.vlines(lines, top, bottom, color=PALE, lw=0.8, zorder=0)
            page.axes.hlines(top, *ends, color=INK, lw=1.5)
            for low, high, fill, y in (mark for mark in self.marks if first <= mark[0] < end):
                if fill == "later":
                    page.arrow(self.across(low), ends[1], y)
                else:
                    page.bar(low, high, y, 9, INK, fill, scale)


@styled
def timeline(data) -> Picture:
    """Each mention of a time at its place on a calendar, if it has one; listed below, if it has none."""
    rows = data.events.reset_index()
    rows["label"] = rows.event.map(rows.dropna(subset="label").set_index("event").label)
    rows["where"] = rows["where"].str.replace(" ", NBSP)
    dated, undated = rows[rows.earliest.notna()].copy(), rows[rows.earliest.isna()]
    dated["low"] = [_years(date, 1) - 1 / 12 for date in dated.earliest]
    dated["high"] = [_years(date, 12) for date in dated.latest]
    dated["inferred"] = dated.year_from.eq("inferred").map({True: ", year inferred", False: ""})
    dated = dated.sort_values("low", kind="stable")
    page, calendar = Page(), Calendar(dated)
    page.ground = {"facecolor": GROUND, "edgecolor": "none", "boxstyle": "square,pad=0"}
    title = f"Of {len(rows)} mentions of a time, {len(undated)} give no date"
    y, alt = page.write(EDGE, Words(title, INK, True, TITLE)) + 4, [f"{title}."]
    for x, wide, fill, sign in ((EDGE, 16, "anywhere", "at some time in here"), (158, 6, "inferred", "year inferred")):
        page.bar(x, x + wide, y + 6, 9, INK, fill)
        page.write(y, Words(sign, GREY), x=x + wide + 5)
    page.arrow(255, 270, y + 6)
    y = page.write(y, Words("or later", GREY), x=276) + 4
    for year in calendar.years:
        page.write(y, Words(str(year), INK, True), x=calendar.across(year))
    for first in calendar.runs[1:]:
        page.write(y + 7, "//", x=calendar.across(first) - calendar.gap / 2 - 3)
    top, y, seen = y + 14, y + 19, set()
    for row in dated.itertuples():
        fill = "inferred" if row.inferred else "stated" if row.high - row.low < 0.1 else "anywhere"
        label = "The same" if row.event in seen else row.label
        seen.add(row.event)
        pieces = [f"{label},", *_after_space(_figures(row.in_english)), Words(f" ({row.where})", GREY)]
        y = calendar.mark(page, y, pieces, row.low, row.high, fill)
    for time, group in dated.groupby(dated.in_english + dated.inferred, sort=False):
        alt.append(f"{time}: {'; '.join(group.label)}.")
    page.rule(y + 1)
    y = page.write(y + 4, Words("When the texts were written", INK, True)) + 1
    for article, group in dated.groupby("article", sort=False):
        row = group.sort_values(["high", "year_from"]).iloc[-1]  # of two, the one whose year is printed
        year = row.latest[:4]
        start = _years(row.latest, 1) - 1 / 12  # the last month or year that it surely speaks of
        when = f"{'end of ' * (start > int(year))}{year} or later"
        why = f" (speaks of “{row.in_english}”{row.inferred})"
        y = calendar.mark(
            page, y, [f"{_text(data, article)}:", *_after_space(_figures(when)), why], start, calendar.end, "later"
        )
        alt.append(f"{_text(data, article)} written: {when}{why}.")
    calendar.draw(page, top, y)
    heading = f"{len(undated)} cannot be put on a calendar"
    y = page.write(y + 5, Words(heading, INK, True)) + 2
    for label, group in undated.groupby("label", sort=False):
        page.rule(y)
        times = _and(f"“{time}”" for time in group.in_english)
        where = Words(f" ({', '.join(group['where'])})", GREY)
        y = page.write(y + 2, f"{label}:", *_after_space(_figures(times)), where) + 1
    times = [f"{label} ({len(group)})" for label, group in undated.groupby("label", sort=False)]
    return page.picture(y, [*alt, f"{heading}: {'; '.join(times)}."])


def _years(date, month):
    """The end of a month, or of the given month of a year, in years."""
    return int(date[:4]) + int(date[5:] or month) / 12
