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
WIDTH, EDGE, SIZE = 329, 8, 11  # units: the canvas, its empty edge, plain words
LEAD = 1.15  # the height of a line to the size of its words
INNER = WIDTH - 2 * EDGE
GROUND, INK, GREY, PALE = "#ffffff", "#1d2733", "#56606b", "#c3c9d0"
MARKS = {"Amazon": "#d95f0e", "narration": "#2c4a68"}  # whoever else speaks: INK
WORDS = MARKS | {"Amazon": "#ad4a06"}
FILLS = {
    "stated": {},
    "anywhere": {"facecolor": GROUND, "hatch": "//////"},
    "rest": {"facecolor": GROUND},
    "inferred": {"facecolor": GROUND, "linestyle": (0, (2, 1.4))},
}
LANGUAGES = {"ro": "Romanian", "mr": "Marathi"}
NBSP = "\u00a0"  # holds a figure, and "ro 9", on one line
STAR = "* The text says “the company”, read as Amazon."
TWO_THIRDS = Fraction(200, 3)  # in percent

styled = matplotlib.style.context(["default", STYLE])
ruler = RendererAgg(1, 1, 72 * PIXELS / WIDTH)


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
    """A canvas on which sentences are set and axes placed; y grows downwards from its top."""

    def __init__(self):
        self.figure, self.placed = Canvas(), []
        self.axes = self.plot(0, 0, 0, WIDTH)

    def plot(self, y, height, low, high, x=0, width=WIDTH):
        """Axes in data units from `low` to `high` across, and in those of the page downwards."""
        axes = self.figure.add_axes(
            (0, 0, 1, 1), xlim=(low, high), zorder=-len(self.placed), label=str(len(self.placed))
        )
        axes.axis("off")
        self.placed.append((axes, x, y, width, height))
        return axes

    def write(self, y, pieces, x=EDGE, width=INNER, right=False, **look):
        """Sets a sentence in lines of at most `width`, its top at y; returns the y below it."""
        for line in _lines(pieces, width):
            size = max(piece.size for piece in line)
            at = x + width - sum(map(_wide, line)) if right else x
            for piece in line:
                font = {"color": piece.colour, "size": piece.size, "weight": "bold" if piece.bold else "normal"}
                self.axes.text(at, y + 0.93 * size, piece.text, **font, **look)
                at += _wide(piece)
            y += LEAD * size
        return y

    def rule(self, y):
        """A thin line across."""
        self.axes.hlines(y, EDGE, WIDTH - EDGE, color=PALE, lw=0.8)

    def picture(self, tall, alt, width=420):
        """What was drawn, as a picture `tall` units tall."""
        self.figure.set_size_inches(WIDTH / 72, tall / 72)
        for axes, x, y, across, height in self.placed:
            height = height or tall
            axes.set_position((x / WIDTH, 1 - (y + height) / tall, across / WIDTH, height / tall))
            axes.set_ylim(y + height, y)
        return Picture(self.figure, " ".join(alt).replace("*", "").replace(NBSP, " "), width)


@cache
def _wide(piece):
    font = FontProperties(family="DejaVu Sans", weight="bold" if piece.bold else "normal", size=piece.size)
    return ruler.get_text_width_height_descent(piece.text, font, ismath=False)[0] * WIDTH / PIXELS


def _lines(pieces, width):
    """The pieces in lines of at most `width` units, broken at spaces."""
    words, lines, room = [[]], [], 0
    for piece in pieces:
        for text in re.findall(" |[^ ]+", piece.text):
            if text == " ":
                words.append([])
            words[-1].append(piece._replace(text=text))
    for word in words:
        wide = sum(map(_wide, word))
        if wide > room:
            lines, room = [*lines, []], width
            word = [piece for piece in word if piece.text != " "]
        room -= wide
        for piece in word:
            if lines[-1] and lines[-1][-1][1:] == piece[1:]:
                piece = piece._replace(text=lines[-1].pop().text + piece.text)
            lines[-1].append(piece)
    return [line for line in lines if line]


def _figures(text, *look):
    """A text with its figures bold."""
    cut = re.split(r"(\d[\d,.]*%?(?: [mb]illion)?)", text)
    return [_words(part, place % 2 == 1, *look) for place, part in enumerate(cut) if part]


def _words(text, bold, colour=INK, size=SIZE):
    return Words(text.replace(" ", NBSP) if bold else text, colour, bold, size)


def _number(bound, *look, star="", digits=None):
    """A number in words, its hedge regular and its figure bold, with a star right after the figure."""
    pieces = [_words(*part, *look) for part in bound.told] or _figures(bound.reads(digits), *look)
    last = max((place for place, piece in enumerate(pieces) if piece.bold), default=len(pieces) - 1)
    pieces[last] = pieces[last]._replace(text=pieces[last].text + star)
    return pieces


def _bar(axes, low, high, y, height, colour, fill="stated"):
    """A bar with its middle at y, whose fill says how sure it is."""
    axes.barh(y, high - low, height, low, edgecolor=colour, clip_on=False, **{"facecolor": colour} | FILLS[fill])


def _arrow(axes, low, high, y, style="-"):
    axes.plot([low, high], [y, y], style, color=INK, lw=1.5, marker=">", markevery=[1], ms=4, clip_on=False)


def _title(text, colour=INK):
    return Words(text, colour, True, 14)


def _star(row):
    return "*" if row.who.endswith("*") else ""


def _and(items):
    *first, last = dict.fromkeys(items)
    return f"{', '.join(first)} and {last}" if first else last


def _language(article):
    return LANGUAGES.get(article, article)


def _paragraphs(rows):
    """Where rows stand, article by article."""
    numbers = rows.groupby("article", sort=False).paragraph.agg(lambda each: _and(map(str, sorted(set(each)))))
    return "; ".join(f"{_language(key)} article, paragraphs {each}" for key, each in numbers.items()) + "."


@styled
def hero(data) -> Picture:
    """The four main numbers, each with its hedge, its speaker and what it leaves open."""
    rows = data.statements.reset_index().drop_duplicates("fact").set_index("fact", drop=False)
    says = {
        "chips-deployed": f"Trainium chips deployed, across {rows.number['generations']}",
        "claude-chips": "Trainium2 chips that Claude runs on; how many more (hatched) is not stated",
        "openai-capacity": "of Trainium capacity for OpenAI, a commitment by AWS; the text names no source for the figure",
        "cost-cut": "lower running cost (anywhere hatched), claims Amazon of new chips on Trn3 UltraServers, at performance "
        "comparable to that of classic cloud servers",
    }
    rows = rows.loc[data.facts.index[data.facts.headline]]
    chips = max(number.high or number.low for number in rows.number if number.unit == "chips")
    wholes = {"chips": int(chips), "percent": 100}
    unnamed = (rows.who == NO_SOURCE).sum()
    title = [
        _title(f"Trainium in {len(rows)} numbers: "),
        _title(f"{len(rows) - unnamed} are Amazon’s own*", WORDS["Amazon"]),
        _title(", "),
        _title(f"{unnamed} names no source", WORDS["narration"]),
    ]
    page = Page()
    y, alt = page.write(EDGE, title) + 7, ["".join(piece.text for piece in title) + "."]
    for row in rows.itertuples():
        number, colour = row.number, MARKS.get(row.said_by, INK)
        page.rule(y)
        pieces = _number(number, WORDS.get(row.said_by, INK), 15, star=_star(row))
        below = page.write(y + 5, [piece for piece in pieces if piece.text.strip() != number.unit])
        whole = wholes.get(number.unit, 2 * int(number.high or number.low))
        axes, sure, last = (
            page.plot(y + 9, 11, 0, whole, 180, INNER - 172),
            int(number.low or 0),
            int(number.high or whole),
        )
        parts = [(0, sure, "stated"), (sure, last, "anywhere"), (last, whole, "rest")]
        if number.unit not in wholes:  # a block for each
            parts = [(block, block + 0.95, "stated") for block in range(sure)]
        for low, high, fill in parts:
            if low < high:
                _bar(axes, low, high, y + 14.5, 11, colour, fill)
        said = says.get(row.fact, data.facts.quantity[row.fact])
        y = page.write(below + 1, [Words(said)]) + 6
        source = ", says “the company”, read as Amazon" if _star(row) else ""
        alt.append(f"{str(number).removesuffix(' chips')} {said}{source}.")
    y = page.write(y + 2, [Words(f"{STAR} {_paragraphs(rows)}", GREY)])
    return page.picture(y + EDGE, alt, 560)


@styled
def share(deployed, claude) -> Picture:
    """How many of the deployed chips Claude runs on: what is stated is solid, what may come on top is hatched."""
    part, rest, rounded = claude / deployed, deployed - claude, deployed.if_rounded()
    part_if, rest_if = claude / rounded, rounded - claude
    if min(part.low, part_if.low) <= TWO_THIRDS:
        raise ValueError(f"charts.py: a title says “more than two thirds”, the data says {part}, {part_if.reads(1)}")
    sure, whole, orange = int(claude.low), int(deployed.high), WORDS["Amazon"]
    page, title, edge = Page(), "Claude runs on more than two thirds of the deployed chips", INNER * sure / whole
    y = page.write(EDGE, [_title(title)]) + 7
    y = page.write(y, [*_number(deployed, orange, star="*"), Words(" deployed, across all generations")]) + 4
    axes = page.plot(y, 36, 0, whole, EDGE, INNER)
    _bar(axes, 0, sure, y + 18, 36, MARKS["Amazon"])
    _bar(axes, sure, whole, y + 18, 36, MARKS["Amazon"], "anywhere")
    page.axes.plot([EDGE, EDGE, EDGE + edge - 2, EDGE + edge - 2], [y + 40, y + 44, y + 44, y + 40], color=INK, lw=1.2)
    open_ = "and on some of these; how many is not stated"
    right = page.write(y + 41, [Words(open_)], EDGE + edge + 6, INNER - edge - 6)
    y = page.write(y + 46, _number(part, INK, 18), width=edge) + 1
    on = [Words("of them: Claude runs on "), *_number(claude, orange, star="*"), Words(", all Trainium2")]
    y = max(right, page.write(y, on, width=edge - 6)) + 7
    page.rule(y)
    y = page.write(y + 5, [Words("The other generations: "), *_number(rest), Words(".")]) + 3
    if_rounded = [Words("If "), *_number(deployed)[:1], Words(" is rounded: "), *_number(part_if, digits=1)]
    y = page.write(y, [*if_rounded, Words(" and "), *_number(rest_if), Words(".")]) + 3
    shared = "Others may use Claude’s chips too: Trainium2 also handles inference for Bedrock (ro 11)."
    y = page.write(y, [Words(shared)]) + 7
    read = (
        "The share is our arithmetic, in chips, not capacity; Claude’s “installed” chips are read as “deployed” ones."
    )
    y = page.write(y, [Words(f"{STAR} {read} Romanian article, undated (ro 9).", GREY)])
    alt = [
        f"{title}. A bar of {deployed}, deployed across all generations, says “the company”, read as Amazon.",
        f"Its solid part: Claude runs on {claude}, all Trainium2; by our arithmetic {part} of them.",
        f"Its hatched part: {open_.removeprefix('and on ')}. The other generations: {rest}.",
        f"If {deployed.told[0][0]} is rounded: {part_if.reads(1)} and {rest_if}. {shared}",
    ]
    return page.picture(y + EDGE, alt)


@styled
def told(data) -> Picture:
    """The articles as pages, a line a paragraph: each number where it stands, solid if the text names a source."""
    rows = data.statements.reset_index()
    rows["speaker"] = rows.person.fillna(rows.who)
    named = rows.who != NO_SOURCE
    sources = _and(f"{name}*" if f"{name}*" in set(rows.who) else name for name in rows.said_by[named])
    title = f"{named.sum()} of {len(rows)} statements of a number name a source, always {sources}"
    page, left, right, label, step = Page(), 20, 33, 38, 2.8
    y, alt = page.write(EDGE, [_title(title)]) + 5, [f"{title}."]
    for x, said_by, fill, text in (
        (EDGE, "Amazon", "stated", f"{named.sum()} name a source"),
        (150, "narration", "rest", f"{(~named).sum()} name no source"),
    ):
        _bar(page.axes, x, x + 13, y + 7, 7, MARKS[said_by], fill)
        page.write(y, [Words(text, WORDS[said_by])], x + 18)
    y += LEAD * SIZE
    for article, paragraphs in data.articles.paragraphs.items():
        here = rows[rows.article == article]
        heading = f"{_language(article)} text, {paragraphs} paragraphs as lines: {len(here)} statements"
        below = edge = page.write(y + 5, [Words(heading, GREY)]) + 3
        before, grey = 0, []
        for paragraph, group in [*here.groupby("paragraph"), (paragraphs + 1, here[:0])]:
            lines, before = paragraph - before, paragraph
            y = max(below, edge + lines * step - 3.5)
            grey += [edge + (y + 3.5 - edge) * line / lines for line in range(1, lines)]
            if group.empty:
                continue
            page.write(y, [Words(str(paragraph), GREY)], 0, left - 4, right=True)
            if y - below > LEAD * SIZE - 1:
                page.write(below, [Words(f"no number in {lines - 1} paragraphs", GREY)], label)
            for row in group.itertuples():
                fill, speaker = ("rest", "") if row.who == NO_SOURCE else ("stated", f"{row.speaker}: ")
                _bar(page.axes, left, right, y + 7, 7, MARKS.get(row.said_by, INK), fill)
                colour, counts = WORDS.get(row.said_by, INK), data.facts.after_number[row.fact]
                pieces = [Words(speaker, colour), *_number(row.number, colour), Words(f" {counts}")]
                edge, y = y + 10.5, page.write(y, pieces, label, WIDTH - label - 3) + 1
            below = y
        page.axes.hlines(grey, left, right, color=PALE, lw=1.3)
        alt.append(f"{heading}.")
        for speaker, group in here[here.who != NO_SOURCE].groupby("speaker", sort=False):
            counts = [f"{row.number} {data.facts.after_number[row.fact]}" for row in group.itertuples()]
            alt.append(f"{speaker}{', read from the context' * speaker.endswith('*')}: {'; '.join(counts)}.")
    unsure = "No source named does not mean untrue."
    y = page.write(y + 6, [Words(f"{STAR} {unsure}", GREY)])
    return page.picture(y + EDGE, [*alt, f"{(~named).sum()} name no source.", unsure])


@styled
def timeline(data) -> Picture:
    """Each mention of a time at its place on a calendar, if it has one; listed below, if it has none."""
    rows = data.events.reset_index()
    rows["label"] = rows.event.map(rows.dropna(subset="label").set_index("event").label)
    dated, undated = rows[rows.earliest.notna()].copy(), rows[rows.earliest.isna()]
    dated["low"], dated["high"] = dated.earliest.map(_begins), dated.latest.map(_ends)
    dated = dated.sort_values("low", kind="stable")
    runs, gap = [], 30
    for year in sorted({year for row in dated.itertuples() for year in range(int(row.low), ceil(row.high))}):
        if not runs or year > runs[-1][-1] + 1:
            runs.append([])
        runs[-1].append(year)
    step = (INNER - gap * (len(runs) - 1)) / sum(map(len, runs))
    starts = [EDGE + gap * place + step * sum(map(len, runs[:place])) for place in range(len(runs))]
    page, marks, cover = Page(), [], {"bbox": {"facecolor": GROUND, "edgecolor": "none", "pad": 0}}

    def beside(y, pieces, low, high, fill):
        """A mark, and words on that side of it which has more room."""
        marks.append((low, high, fill, y + 7))
        before, after = (
            [x + step * (moment - run[0]) for run, x in zip(runs, starts, strict=True) if moment >= run[0]][-1]
            for moment in (low, high or runs[-1][-1] + 1)
        )
        if before > WIDTH - after:
            return page.write(y, pieces, EDGE, before - 6 - EDGE, right=True, **cover) + 4
        return page.write(y, pieces, after + 6, WIDTH - EDGE - after - 6, **cover) + 4

    title = f"{len(undated)} of {len(rows)} mentions of a time give no date"
    y, x = page.write(EDGE, [_title(title)]) + 6, EDGE
    for wide, fill, text in (
        (16, "anywhere", "at some time in here"),
        (6, "inferred", "year inferred"),
        (18, "", "or later"),
    ):
        if fill:
            _bar(page.axes, x, x + wide, y + 7, 9, INK, fill)
        else:
            _arrow(page.axes, x, x + wide - 2, y + 7)
        page.write(y, [Words(text, GREY)], x + wide + 5)
        x += wide + 5 + _wide(Words(text)) + 13
    y += 20
    for run, x in zip(runs, starts, strict=True):
        for year in run:
            page.write(y, [Words(str(year), INK, True)], x + step * (year - run[0]))
        if x > EDGE:
            page.write(y + 7, [Words("//")], x - gap / 2 - 3)
    top, y = y + 14, y + 20
    for row in dated.itertuples():
        fill = "inferred" if row.year_from == "inferred" else "stated" if row.high - row.low < 0.1 else "anywhere"
        where = Words(f" ({row.where.replace(' ', NBSP)})", GREY)
        y = beside(y, [Words(f"{row.label}, "), *_figures(row.in_english), where], row.low, row.high, fill)
    page.rule(y + 1)
    y = page.write(y + 5, [Words("When the texts were written", INK, True)], **cover) + 2
    alt = [f"{title}."]
    for time, group in dated.groupby("in_english", sort=False):
        alt.append(
            f"{time}{', year inferred' if 'inferred' in set(group.year_from) else ''}: {'; '.join(group.label)}."
        )
    for article in dict.fromkeys(dated.article):
        last = dated[dated.article == article].sort_values("high", kind="stable").iloc[-1]
        inferred = last.year_from == "inferred"
        since = f"{month_name[int(last.latest[5:] or 0)]} {last.latest[:4]}".strip()
        why = f" or later, since it speaks of “{last.in_english}”{', year inferred' if inferred else ''}"
        pieces = [Words(f"{_language(article)} text: "), *_figures(since), Words(why)]
        y = beside(y, pieces, _begins(last.latest), None, "--" if inferred else "-")
        alt.append("".join(piece.text for piece in pieces) + ".")
    for run, x in zip(runs, starts, strict=True):
        axes = page.plot(top, y - top, run[0], run[-1] + 1, x, step * len(run))
        axes.vlines([*run, run[-1] + 1], top, y, color=PALE, lw=0.8, clip_on=False, zorder=0)
        axes.hlines(top, run[0], run[-1] + 1, color=INK, lw=1.5, clip_on=False)
        for low, high, fill, middle in marks:
            if run[0] <= low < run[-1] + 1 and high:
                _bar(axes, low, high, middle, 9, INK, fill)
            elif run[0] <= low <= run[-1] + 1 and run is runs[-1]:
                _arrow(axes, low, run[-1] + 1, middle, fill)
    page.write(y + 8, [Words("mentions", GREY)], right=True)
    heading = f"{len(undated)} cannot be put on a calendar"
    y = page.write(y + 8, [Words(heading, INK, True)]) + 3
    alt.append(f"{heading}: {'; '.join(dict.fromkeys(undated.label))}.")
    for _, group in undated.groupby("event", sort=False):
        page.rule(y)
        times = f"{group.label.iloc[0]}: {', '.join(f'“{time}”' for time in dict.fromkeys(group.in_english))}"
        page.write(y + 3, [Words(str(len(group)), INK, True)], right=True)
        y = page.write(y + 3, [Words(times)], width=INNER - 16) + 2
    y = page.write(y + 6, [Words(_paragraphs(rows), GREY)])
    return page.picture(y + EDGE, alt)


def _begins(date):
    return int(date[:4]) + (int(date[5:] or 1) - 1) / 12


def _ends(date):
    return int(date[:4]) + int(date[5:] or 12) / 12
