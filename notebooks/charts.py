"""The four pictures of the notebook: one function each, which returns a display.Picture.

Colour says who speaks, fill how sure it is, and the words beside each mark say both again. The canvas is 329 units
wide, one CSS pixel each on a phone, and as tall as what stands on it; y counts units down from its top.
"""

import re
from fractions import Fraction
from itertools import cycle, groupby
from math import ceil
from pathlib import Path
from textwrap import wrap

import matplotlib.style
from display import Picture
from matplotlib.figure import Figure
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
FIGURE = re.compile(r"(?<!\w)\d[\d,.]*(?:%| GW| [mbtr]+illion)?\*?")
BOLD = "\x02"  # stands before and after what is set bold; no text of data/ can hold it
NBSP = "\u00a0"  # holds a figure, and "ro 9", on one line
STAR = "* The text says “the company”, apparently Amazon."
SIGN, LABEL = (22, 34), 39  # where a mark of the map stands, and where its words begin
styled = matplotlib.style.context(["default", STYLE])


class Canvas(Figure):
    """A figure that is drawn, too, under our style alone."""

    draw = styled(Figure.draw)


class Page:
    """A canvas on which sentences are set and bars drawn."""

    def __init__(self, title):
        self.figure = Canvas()
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(WIDTH, 0))
        self.axes.axis("off")
        self.ground = None  # what lies under words: nothing, or white where lines pass
        self.top = self.write(EDGE, *title, size=TITLE) + 4

    def bar(self, low, high, y, height, colour, fill="stated"):
        """A bar with its middle at y, whose fill says how sure it is."""
        self.axes.barh(y, high - low, height, low, **{"facecolor": colour, "edgecolor": colour} | FILLS[fill])

    def arrow(self, low, high, y):
        """An arrow from low to high."""
        self.axes.plot([low, high], [y, y], color=INK, lw=1.5, marker=">", markevery=[1], ms=4)

    def rule(self, y):
        """A thin line across."""
        self.axes.hlines(y, EDGE, WIDTH - EDGE, color=PALE, lw=0.8)

    def write(self, y, *pieces, x=EDGE, width=WIDTH - 2 * EDGE, size=SIZE, right=False):
        """Sets a sentence of texts and (text, colour), in lines of about `width`, its top at y; returns the y below."""
        side, ahead, runs = ("right", 0, []) if right else ("left", 1, [])
        for text, colour in (piece if isinstance(piece, tuple) else (piece, INK) for piece in pieces):
            text = re.sub(r"(?<=\(\w\w) (?=\d)", NBSP, text)
            weights = zip(text.split(BOLD), cycle(("normal", "bold")), strict=False)
            runs += [(run, {"color": colour, "weight": weight}) for run, weight in weights if run]
        letter = LETTER[all(look["weight"] == "bold" for _, look in runs)] * size
        for line in _lines(runs, int(width / letter)):
            at, beside, base = x + width * right, "data", y + BASE * size
            for text, look in line[::-1] if right else line:
                look |= {"size": size, "ha": side, "bbox": self.ground, "annotation_clip": False}
                before = self.axes.annotate(text, (at, base), xycoords=(beside, "data"), **look)
                at, beside = ahead, before  # the next text begins where this one ends
            y += LEAD * size
        return y

    def picture(self, y, alt, width=400):
        """What was drawn, as a picture that ends a little below y."""
        self.figure.set_size_inches(WIDTH / 72, (y + EDGE) / 72)
        self.axes.set_ylim(y + EDGE, 0)
        told = " ".join(text[0].upper() + text[1:] for text in alt)
        return Picture(self.figure, re.sub(f"[*{BOLD}]", "", told).replace(NBSP, " "), width)


def _lines(runs, letters):
    """The runs in lines of at most so many letters; a space between two runs stands at the start of the second."""
    text, at = "".join(run for run, _ in runs), 0
    looks = [look for run, look in runs for _ in run]
    for place, sign in enumerate(text[:-1]):
        if sign == " ":
            looks[place] = looks[place + 1]
    for line in wrap(text, letters, break_on_hyphens=False):
        at = text.index(line, at)
        places = [list(run) for _, run in groupby(range(at, at + len(line)), key=lambda place: id(looks[place]))]
        yield [(text[run[0] : run[-1] + 1], looks[run[0]]) for run in places]
        at += len(line)


def _bold(number, star=""):
    """A number or a text with its figures bold, and a star right after them."""
    text = FIGURE.sub(lambda figure: f"{BOLD}{figure[0].replace(' ', NBSP)}{star}{BOLD}", str(number))
    return text if BOLD in text else text + star


def _title(text, colour=INK):
    return f"{BOLD}{text}{BOLD}", colour


def _text(data, article):
    language = data.articles.language[article]
    return f"{LANGUAGES.get(language, language)} text"


def _and(items):
    *first, last = dict.fromkeys(items)
    return f"{', '.join(first)} and {last}" if first else last


@styled
def hero(data) -> Picture:
    """The four main numbers, each with its hedge, its speaker and what it leaves open."""
    rows = data.statements.reset_index().drop_duplicates("fact").set_index("fact")
    says = {  # what each number counts, and what it leaves open
        "chips-deployed": (f"Trainium chips deployed, across {rows.number['generations']}", ""),
        "claude-chips": ("Trainium2 chips that Claude runs on", "how many more (hatched) is not stated"),
        "openai-capacity": ("of Trainium capacity for OpenAI, a commitment by AWS", ""),
        "cost-cut": (
            f"lower running cost (hatched), {rows.who['cost-cut']} claims, with new chips on Trn3 UltraServers, "
            "at performance comparable to that of classic cloud servers",
            "",
        ),
    }
    rows = rows.loc[[*says]]
    own, nobody = (rows.said_by == "Amazon").sum(), (rows.who == NO_SOURCE).sum()
    if [*says] != [*data.facts.index[data.facts.headline]] or own + nobody < len(rows):
        raise ValueError(f"the first picture is made for {', '.join(says)}, each by Amazon or without a source")
    if rows.number["claude-chips"].high is not None:
        raise ValueError("it is stated on how many chips Claude runs at most; several sentences say that it is not")
    wholes = {"chips": rows.number["chips-deployed"].high, "percent": 100}
    names = "names" if nobody == 1 else "name"
    title = [f"Trainium in {len(rows)} numbers:", f" {own} are Amazon's own*,", f" {nobody} {names} no source"]
    page = Page([_title(title[0]), _title(title[1], WORDS["Amazon"]), _title(title[2], WORDS["narration"])])
    y, left, right, alt = page.top + 3, 180, WIDTH - EDGE, [f"{''.join(title)}."]
    for row in rows.itertuples():
        number, starred = str(row.number).removesuffix(" chips"), row.who.endswith("*")
        mark, colour = MARKS[row.said_by], WORDS[row.said_by]
        page.rule(y)
        if whole := wholes.get(row.number.unit):
            ends = row.number.low or 0, row.number.high or whole
            sure, most = (left + (right - left) * float(end / whole) for end in ends)
            for low, high, fill in ((left, sure, "stated"), (sure, most, "anywhere"), (most, right, "rest")):
                if low < high:
                    page.bar(low, high, y + 13.5, 11, mark, fill)
        else:  # no number of chips: a block for each unit, off the scale of the chips
            for block in range(int(row.number.low)):
                page.bar(left + 22 * block, left + 20 + 22 * block, y + 13.5, 11, mark)
            page.write(y + 7, _title("= ? chips", colour), x=left + 6 + 22 * int(row.number.low))
        counts, left_open = says[row.Index]
        left_open = "the text names no source for it" if row.who == NO_SOURCE else left_open
        y = page.write(y + 4, (_bold(number, "*" if starred else ""), colour), size=15)
        y = page.write(y, f"{counts}; {left_open}" if left_open else counts) + 5
        source = ", says “the company”, apparently Amazon" if starred else ""
        told = f"{number} {counts}{source}.", f"{left_open}."
        alt += [text.replace(" (hatched)", "") for text in told if text != "."]
    places = _and(map(str, sorted(rows.paragraph)))
    y = page.write(y + 2, (f"{STAR} {_text(data, rows.article.iloc[0])}, paragraphs {places}.", GREY))
    return page.picture(y, alt, 560)


@styled
def share(deployed, claude) -> Picture:
    """How many of the deployed chips Claude runs on: what is stated is solid, what may come on top is hatched."""
    title = "By our arithmetic, Claude runs on more than two thirds of the deployed chips"
    rounded = deployed.if_rounded()
    part, rest, part_if, rest_if = claude / deployed, deployed - claude, claude / rounded, rounded - claude
    end, edge, orange = WIDTH - EDGE, EDGE + (WIDTH - 2 * EDGE) * float(claude.low / deployed.high), WORDS["Amazon"]
    page = Page([_title(title)])
    y = page.write(page.top + 1, (_bold(deployed, "*"), orange), " deployed, across all generations") + 3
    page.bar(EDGE, edge, y + 15, 30, MARKS["Amazon"])
    page.bar(edge, end, y + 15, 30, MARKS["Amazon"], "anywhere")
    page.axes.plot([EDGE, EDGE, edge - 2, edge - 2], [y + 34, y + 38, y + 38, y + 34], color=INK, lw=1.2)
    left_open = "some of these; how many is not stated"
    page.write(y + 36, f"and on {left_open}", x=edge + 6, width=end - edge - 6)
    y = page.write(y + 40, _bold(part), size=18)
    solid = "of them: Claude runs on ", (_bold(claude, "*"), orange), ", all Trainium2"
    y = page.write(y, *solid, width=edge - EDGE - 6) + 5
    page.rule(y)
    y = page.write(y + 4, f"Left for other generations: {_bold(rest)}") + 2
    figure = str(deployed).removesuffix(" chips")
    if_rounded = f"If {figure} is rounded: {part_if.reads(1)}, and {rest_if} left"
    y = page.write(y, _bold(if_rounded)) + 2
    shared = "Others may use Claude's chips too: Trainium2 also serves Amazon's Bedrock (ro 11)."
    y = page.write(y, shared) + 5
    y = page.write(y, (f"{STAR[:-1]} (ro 9). We count Claude's chips among these.", GREY))
    alt = [
        f"{title}. A bar of {deployed}, deployed across all generations, says “the company”, apparently Amazon.",
        f"Its solid part: Claude runs on {claude}, all Trainium2.",
        f"That is {part} of them, if Claude's chips are among those deployed.",
        f"Its hatched part: Claude runs on {left_open}. Left for other generations: {rest}. {if_rounded}. {shared}",
    ]
    return page.picture(y, alt)


@styled
def told(data) -> Picture:
    """The articles as pages, a line a paragraph: each number where it stands, solid if the text names a source."""
    rows = data.statements.reset_index()
    rows["named"] = rows.who != NO_SOURCE
    rows["speaker"] = rows.person.fillna(rows.who)
    rows["counts"] = (" " + rows.fact.map(data.facts.after_number)).fillna("")
    yes, no = rows.named.sum(), (~rows.named).sum()
    sources = _and(who + "*" * (f"{who}*" in {*rows.who}) for who in rows.said_by[rows.named])
    title = f"Of {len(rows)} statements of a number, {yes} name a source: always {sources}"
    page = Page([_title(title)])
    y, alt = page.top, [f"{title}."]
    page.bar(*SIGN, y + 6, 7, MARKS["Amazon"])
    page.bar(140 + SIGN[0], 140 + SIGN[1], y + 6, 7, MARKS["narration"], "rest")
    page.write(y, (f"{yes} name a source", WORDS["Amazon"]), x=LABEL)
    y = page.write(y, (f"{no} name no source", WORDS["narration"]), x=140 + LABEL)
    for article, paragraphs in data.articles.paragraphs.items():
        here = rows[rows.article == article]
        heading = f"{_text(data, article)}, {paragraphs} paragraphs as lines: {len(here)} of the {len(rows)}"
        y = edge = page.write(y + 4, (heading, GREY)) + 2
        alt.append(f"{_text(data, article)}: {len(here)} of the {len(rows)}.")
        before, lines = 0, []
        for paragraph in [*here.paragraph.unique(), paragraphs + 1]:
            empty, top = paragraph - before, max(y, edge + 2.2 * (paragraph - before) - 3.5)
            lines += [edge + (top + 3.5 - edge) * line / empty for line in range(1, empty)]
            if top - y > LEAD * SIZE - 1:
                page.write(y, (f"no number in {empty - 1} paragraphs", GREY), x=LABEL)
            if paragraph <= paragraphs:
                page.write(top, (str(paragraph), GREY), x=0, width=SIGN[0] - 4, right=True)
            y, before = top, paragraph
            for row in here[here.paragraph == paragraph].itertuples():
                mark, colour = MARKS.get(row.said_by, INK), WORDS.get(row.said_by, INK)
                page.bar(*SIGN, y + 6, 7, mark, "stated" if row.named else "rest")
                said = (f"{row.speaker}: " if row.named else "") + _bold(row.number)
                edge, y = y + 10.5, page.write(y, (said, colour), row.counts, x=LABEL, width=WIDTH - LABEL)
        page.axes.hlines(lines, *SIGN, color=PALE, lw=1.3)
        for speaker, group in here[here.named].groupby("speaker", sort=False):
            says = "; ".join(group.number.astype(str) + group.counts)
            alt.append(f"{speaker}{', apparently' if speaker.endswith('*') else ''}: {says}.")
    y = page.write(y + 5, (f"{STAR} Left: paragraphs. No source does not mean untrue.", GREY))
    return page.picture(y, [*alt, f"{no} name no source, which does not mean untrue."])


@styled
def timeline(data) -> Picture:
    """Each mention of a time at its place on a calendar, if it has one; listed below, if it has none."""
    rows = data.events.reset_index()
    rows["label"] = rows.event.map(rows.dropna(subset="label").set_index("event").label)
    rows["where"] = rows["where"].str.replace(" ", NBSP)
    dated, undated = rows[rows.earliest.notna()].copy(), rows[rows.earliest.isna()]
    dated["low"], dated["high"] = dated.earliest.map(_start), dated.latest.map(_end)
    dated["inferred"] = dated.year_from.map({"inferred": ", year inferred"}).fillna("")
    dated = dated.sort_values("low", kind="stable")
    years = sorted({year for row in dated.itertuples() for year in range(int(row.low), ceil(row.high))})
    gaps = [year for year in years[1:] if year - 1 not in years]
    starts = {year: place + 0.4 * sum(gap <= year for gap in gaps) for place, year in enumerate(years)}
    a_year = (WIDTH - 2 * EDGE) / (starts[years[-1]] + 1)

    def across(moment, year):
        return EDGE + a_year * float(starts[year] + moment - year)

    def mark(y, low, high, fill, *pieces):  # with words on that side which has more room
        low, high = across(low, int(low)), across(high, ceil(high) - 1)
        if fill == "later":
            page.arrow(low, high, y + 6)
        else:
            page.bar(low, high, y + 6, 9, INK, fill)
        if low > WIDTH - high:
            return page.write(y, *pieces, x=EDGE, width=low - 5 - EDGE, right=True) + 2
        return page.write(y, *pieces, x=high + 5, width=WIDTH - EDGE - high - 5) + 2

    title = f"Of {len(rows)} mentions of a time, {len(undated)} give no date"
    page, alt = Page([_title(title)]), [f"{title}."]
    page.ground, y = {"facecolor": GROUND, "edgecolor": "none", "boxstyle": "square,pad=0"}, page.top
    for x, wide, fill, sign in ((EDGE, 16, "anywhere", "at some time in here"), (158, 6, "inferred", "year inferred")):
        page.bar(x, x + wide, y + 6, 9, INK, fill)
        page.write(y, (sign, GREY), x=x + wide + 5)
    page.arrow(255, 270, y + 6)
    y = page.write(y, ("or later", GREY), x=276) + 4
    for year in years:
        page.write(y, _title(year), x=across(year, year))
    for year in gaps:
        page.write(y + 7, "//", x=across(year, year) - 0.2 * a_year - 3)
    top, y, seen = y + 14, y + 19, set()
    for row in dated.itertuples():
        fill = "inferred" if row.inferred else "stated" if row.high - row.low < 0.1 else "anywhere"
        label = "The same" if row.event in seen else row.label
        seen.add(row.event)
        y = mark(y, row.low, row.high, fill, f"{label}, {_bold(row.in_english)}", (f" ({row.where})", GREY))
    for time, group in dated.groupby(dated.in_english + dated.inferred, sort=False):
        alt.append(f"{time}: {'; '.join(group.label)}.")
    page.rule(y + 1)
    y = page.write(y + 4, _title("When the texts were written")) + 1
    for article, group in dated.groupby("article", sort=False):
        latest = group[group.high == group.high.max()]
        row = latest.loc[(latest.inferred == "").idxmax()]  # one whose year is printed, if there is one
        start = _start(row.latest)  # of the last month or year that it speaks of
        when = f"{row.in_english if row.latest[4:] else row.latest} or later"
        why = f" (speaks of “{row.in_english}”{row.inferred})"
        y = mark(y, start, Fraction(years[-1] + 1), "later", f"{_text(data, article)}: {_bold(when)}{why}")
        alt.append(f"{_text(data, article)} written: {when}{why}.")
    for year in years:
        ends = across(year, year), across(year + 1, year)
        page.axes.vlines(ends, top, y, color=PALE, lw=0.8, zorder=0)
        page.axes.hlines(top, *ends, color=INK, lw=1.5)
    heading = f"{len(undated)} cannot be put on a calendar"
    y = page.write(y + 5, _title(heading)) + 2
    for label, group in undated.groupby("label", sort=False):
        page.rule(y)
        times = _and(f"“{time}”" for time in group.in_english)
        y = page.write(y + 2, f"{label}: {_bold(times)}", (f" ({', '.join(group['where'])})", GREY)) + 1
    times = [f"{label} ({len(group)})" for label, group in undated.groupby("label", sort=False)]
    return page.picture(y, [*alt, f"{heading}: {'; '.join(times)}."])


def _start(date):
    """When a year or a month begins, in years."""
    return Fraction(date[:4]) + Fraction(int(date[5:] or 1) - 1, 12)


def _end(date):
    """When a year or a month ends, in years."""
    return Fraction(date[:4]) + Fraction(int(date[5:] or 12), 12)
