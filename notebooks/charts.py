"""The four pictures of the notebook: one function each, which returns a display.Picture.

Colour says who speaks, fill how sure it is, and the words beside each mark say both again. The canvas is 329 units
wide, one CSS pixel each on a phone, and as tall as what stands on it; y counts units down from its top.
"""

import re
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from textwrap import wrap

import matplotlib.style
from display import Picture
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation
from matplotlib.transforms import Affine2D
from tables import NO_SOURCE

STYLE = Path(__file__).parent / "trainium.mplstyle"
WIDTH, EDGE = 329, 8
SIZE, LEAD = 11, 1.11  # the size of plain words, in units; the height of a line by the size of its words
BASE = 0.78  # from the top of a line to its base, by the size of its words
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
STAR = "* The text says “the company”, apparently Amazon"
NBSP = "\u00a0"  # holds "1.4 million", and "ro 9", on one line
HELD = re.compile(r"(?<=\d) (?=GW|[mbtr]+illion)|(?<=\(\w\w) (?=\d)")
# What is bold, with the width of a letter, on average, by its size. A blank belongs to the words that follow it.
FIGURES = re.compile(rf" ?(?<![\w{NBSP}])\d(?:[\d,.]*\d)?(?:%|{NBSP}GW|{NBSP}[mbtr]+illion)?\*?"), 0.53
TITLE = re.compile(".+"), 0.6
SIGN, LABEL = (22, 34), 39  # where a mark of the map stands, and where its words begin
styled = matplotlib.style.context(["default", STYLE])


class Canvas(Figure):
    """A figure that is drawn, too, under our style alone."""

    draw = styled(Figure.draw)


class Page:
    """A canvas on which sentences are set and bars drawn; its alt text is what is written on it."""

    def __init__(self, *title):
        self.figure, self.down = Canvas(), Affine2D()  # y is turned once the height is known
        self.units = self.down + self.figure.dpi_scale_trans
        self.alt, self.ground = "", None  # what lies under words: nothing, or white where lines pass
        self.top = self.write(EDGE, *title, size=13, bold=TITLE) + 4

    def bar(self, low, high, y, height, colour, fill="stated"):
        """A bar with its middle at y, whose fill says how sure it is."""
        look = {"facecolor": colour, "edgecolor": colour} | FILLS[fill]
        self.figure.add_artist(Rectangle((low, y - height / 2), high - low, height, transform=self.units, **look))

    def line(self, xs, ys, colour=INK, **look):
        """A line through points."""
        self.figure.add_artist(Line2D(xs, ys, color=colour, transform=self.units, **look))

    def rule(self, y):
        """A thin line across."""
        self.line((EDGE, WIDTH - EDGE), (y, y), PALE, lw=0.8)

    def sign(self, x, y, text, **look):
        """A sign on its base at y, which the alt text leaves out."""
        self.figure.text(x, y, text, transform=self.units, **look)

    def write(self, y, *pieces, x=EDGE, width=WIDTH - 2 * EDGE, size=SIZE, bold=FIGURES, right=False, end=". "):
        """Sets a sentence of texts and (text, colour), in lines of about `width`, its top at y; returns the y below.

        Figures are bold, but for those in grey. `end` follows the sentence in the alt text.
        """
        pieces = [piece if isinstance(piece, tuple) else (piece, INK) for piece in pieces]
        text, (what, letter) = HELD.sub(NBSP, "".join(words for words, _ in pieces)), bold
        heavy = {place for match in what.finditer(text) for place in range(*match.span())}
        colours = [colour for words, colour in pieces for _ in words]
        looks = [(colour, place in heavy and colour != GREY) for place, colour in enumerate(colours)]
        side, ahead, order, at = ("right", 0, -1, 0) if right else ("left", 1, 1, 0)
        for line in wrap(text, int(width / (letter * size)), break_on_hyphens=False):
            at = text.index(line, at)
            signs = zip(line, looks[at : at + len(line)], strict=True)
            runs = [(look, "".join(sign for sign, _ in run)) for look, run in groupby(signs, key=itemgetter(1))]
            place, beside = x + width * right, self.units
            for (colour, is_bold), run in runs[::order]:
                look = {"color": colour, "weight": "bold" if is_bold else "normal", "size": size, "bbox": self.ground}
                where = {"xy": (place, y + BASE * size), "xycoords": (beside, self.units), "ha": side}
                beside = self.figure.add_artist(Annotation(run, **where, **look))
                place = ahead  # the next text begins where this one ends
            y += LEAD * size
        self.alt += (text[0].upper() + text[1:] if self.alt.endswith(". ") else text) + end
        return y

    def picture(self, y, width=400):
        """What was drawn, as a picture that ends a little below y."""
        self.figure.set_size_inches(WIDTH / 72, (y + EDGE) / 72)
        self.down.scale(1, -1).translate(0, y + EDGE).scale(1 / 72)
        return Picture(self.figure, self.alt.replace(NBSP, " ").strip(), width)


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
        "chips-deployed": f"Trainium chips deployed, across {rows.number['generations']}",
        "claude-chips": "Trainium2 chips that Claude runs on; how many more (hatched) is not stated",
        "openai-capacity": "of Trainium capacity for OpenAI, a commitment by AWS",
        "cost-cut": f"lower running cost (hatched), {rows.who['cost-cut']} claims, with new chips on Trn3 "
        "UltraServers, at performance comparable to that of classic cloud servers",
    }
    rows = rows.loc[[*says]]
    own, nobody = (rows.said_by == "Amazon").sum(), (rows.who == NO_SOURCE).sum()
    if [*says] != [*data.facts.index[data.facts.headline]] or own + nobody < len(rows):
        raise ValueError(f"the first picture is made for {', '.join(says)}, each by Amazon or without a source")
    deployed, claude, capacity = rows.number[[*says][:3]]
    if deployed.high is None or claude.high is not None or capacity.low != capacity.high or capacity.low % 1:
        raise ValueError("the first picture is made for a count of chips, more than so many of them, and whole GW")
    wholes = {"chips": deployed.high, "percent": 100}
    page = Page(
        f"Trainium in {len(rows)} numbers:",
        (f" {own} are Amazon's own*,", WORDS["Amazon"]),
        (f" {nobody} {'names' if nobody == 1 else 'name'} no source", WORDS["narration"]),
    )
    y, left, right = page.top + 3, 180, WIDTH - EDGE
    for row in rows.itertuples():
        mark, colour, below = MARKS[row.said_by], WORDS[row.said_by], says[row.Index]
        star = "*" if row.who.endswith("*") else ""
        page.rule(y)
        if whole := wholes.get(row.number.unit):
            ends = row.number.low or 0, row.number.high or whole
            sure, most = (left + (right - left) * float(end / whole) for end in ends)
            for low, high, fill in ((left, sure, "stated"), (sure, most, "anywhere"), (most, right, "rest")):
                if low < high:
                    page.bar(low, high, y + 13.5, 11, mark, fill)
        else:  # no number of chips: a block for each unit, off the scale of the chips
            blocks = [left + 22 * block for block in range(int(row.number.low))]
            for block in blocks:
                page.bar(block, block + 20, y + 13.5, 11, mark)
            page.sign(blocks[-1] + 28, y + 17, "= ? chips", color=colour, weight="bold")
        figure = str(row.number).removesuffix(" chips") + star
        y = page.write(y + 4, (figure, colour), size=15, end=" ")
        y = page.write(y, f"{below}; the text names no source for it" if row.who == NO_SOURCE else below) + 5
    places = _and(map(str, sorted(rows.paragraph)))
    y = page.write(y + 2, (f"{STAR}. {_text(data, rows.article.iloc[0])}, paragraphs {places}.", GREY), end="")
    return page.picture(y, 560)


@styled
def share(deployed, claude) -> Picture:
    """How many of the deployed chips Claude runs on: what is stated is solid, what may come on top is hatched."""
    rounded, orange = deployed.if_rounded(), WORDS["Amazon"]
    end, edge = WIDTH - EDGE, EDGE + (WIDTH - 2 * EDGE) * float(claude.low / deployed.high)
    figure, runs_on = (str(number).removesuffix(" chips") for number in (deployed, claude))
    if claude.low / rounded.high <= 2 / 3:
        raise ValueError("charts.share has the title that Claude runs on more than two thirds of the deployed chips")
    page = Page("By our arithmetic, Claude runs on more than two thirds of the deployed chips")
    y = page.write(page.top + 1, (f"{figure}* chips", orange), " deployed, across all generations") + 3
    page.bar(EDGE, edge, y + 15, 30, MARKS["Amazon"])
    page.bar(edge, end, y + 15, 30, MARKS["Amazon"], "anywhere")
    page.line([EDGE, EDGE, edge - 2, edge - 2], [y + 34, y + 38, y + 38, y + 34], lw=1.2)
    below = page.write(y + 40, str(claude / deployed), size=18, end=" ")
    solid = "of them: Claude runs on", (f" {runs_on}* chips", orange), ", all Trainium2"
    below = page.write(below, *solid, width=edge - EDGE - 6) + 5
    page.write(y + 36, "and on some of these; how many is not stated", x=edge + 6, width=end - edge - 6)
    page.rule(below)
    y = page.write(below + 4, f"Left for other generations: {deployed - claude}") + 2
    y = page.write(y, f"If {figure} is rounded: {(claude / rounded).reads(1)}, and {rounded - claude} left") + 2
    y = page.write(y, "Others may use Claude's chips too: Trainium2 also serves Amazon's Bedrock (ro 11).", end=" ") + 5
    y = page.write(y, (f"{STAR} (ro 9). We count Claude's chips among these.", GREY), end="")
    return page.picture(y)


@styled
def told(data) -> Picture:
    """The articles as pages: a mark a number where it stands, solid if the text names a source; a line if none does."""
    rows = data.statements.reset_index()
    rows["named"] = rows.who != NO_SOURCE
    rows["speaker"] = (rows.person.fillna(rows.who) + ": ").where(rows.named, "")
    rows["counts"] = (" " + rows.fact.map(data.facts.after_number)).fillna("")
    yes, no = rows.named.sum(), (~rows.named).sum()
    sources = _and(who + "*" * (f"{who}*" in {*rows.who}) for who in rows.said_by[rows.named])
    page = Page(f"Of {len(rows)} statements of a number, {yes} name a source: always {sources}")
    y = page.top
    page.bar(*SIGN, y + 6, 7, MARKS["Amazon"])
    page.bar(140 + SIGN[0], 140 + SIGN[1], y + 6, 7, MARKS["narration"], "rest")
    page.write(y, (f"{yes} name a source", WORDS["Amazon"]), x=LABEL)
    y = page.write(y, (f"{no} name no source", WORDS["narration"]), x=140 + LABEL)
    for article, paragraphs in data.articles.paragraphs.items():
        here = rows[rows.article == article]
        heading = f"{_text(data, article)}, {paragraphs} paragraphs as lines: {len(here)} of the {len(rows)}"
        y = edge = page.write(y + 4, (heading, GREY)) + 2  # edge: from where on a line may stand
        numbers = {*here.paragraph}
        for paragraph, run in groupby(range(1, paragraphs + 1), key=lambda number: number * (number in numbers)):
            if not paragraph:
                lines = [edge + 2.2 * line for line, _ in enumerate(run)]
                for line in lines:
                    page.line(SIGN, (line, line), PALE, lw=1.3)
                if lines[-1] - y > LEAD * SIZE:
                    page.write(y, (f"no number in {len(lines)} paragraphs", GREY), x=LABEL)
                y = max(y, lines[-1] - 1)
                continue
            page.sign(SIGN[0] - 4, y + BASE * SIZE, str(paragraph), color=GREY, ha="right")
            page.alt += f"Paragraph {paragraph}: "
            for row in here[here.paragraph == paragraph].itertuples():
                mark, colour = MARKS.get(row.said_by, INK), WORDS.get(row.said_by, INK)
                page.bar(*SIGN, y + 6, 7, mark, "stated" if row.named else "rest")
                said = f"{row.speaker}{row.number}", colour
                edge, y = y + 12, page.write(y, said, row.counts, x=LABEL, width=WIDTH - LABEL)
    y = page.write(y + 5, (f"{STAR}. Left: paragraphs. No source does not mean untrue.", GREY), end="")
    return page.picture(y)


@styled
def timeline(data) -> Picture:
    """Each mention of a time at its place on a calendar, if it has one; listed below, if it has none."""
    rows = data.events.reset_index()
    rows["label"] = rows.groupby("event").label.transform("first")
    dated, undated = rows[rows.earliest.notna()].copy(), rows[rows.earliest.isna()]
    dated["low"], dated["high"] = dated.earliest.map(_start), dated.latest.map(_end)
    dated["told"] = dated.in_english + dated.year_from.map({"inferred": ", year inferred"}).fillna("")
    dated = dated.sort_values("low", kind="stable")
    dated["label"] = dated.label.mask(dated.event == dated.event.shift(fill_value=""), "The same")
    years = sorted({year for row in dated.itertuples() for year in range(int(row.low), int(row.high) + 1)})
    gaps = [year for year in years[1:] if year - 1 not in years]
    starts = {year: place + 0.4 * sum(gap <= year for gap in gaps) for place, year in enumerate(years)}
    a_year = (WIDTH - 2 * EDGE) / (starts[years[-1]] + 1)

    def across(moment):
        return EDGE + a_year * (starts[int(moment)] + moment % 1)

    def beside(low, high):  # where there is more room for words
        if low > WIDTH - high:
            return {"x": EDGE, "width": low - 5 - EDGE, "right": True}
        return {"x": high + 5, "width": WIDTH - EDGE - high - 5}

    page = Page(f"Of {len(rows)} mentions of a time, {len(undated)} give no date")
    top = page.write(page.top, ("Hatched: at some time in here", GREY)) + 16
    y = top + 5
    page.ground = {"facecolor": GROUND, "edgecolor": "none", "boxstyle": "square,pad=0"}
    for row in dated.itertuples():
        low, high = across(row.low), across(row.high)
        sure = "stated" if row.high - row.low < 0.1 else "anywhere"
        page.bar(low, high, y + 6, 9, INK, "inferred" if row.year_from == "inferred" else sure)
        y = page.write(y, f"{row.label}, {row.told}", (f" ({row.where})", GREY), **beside(low, high)) + 2
    page.rule(y + 1)
    y = page.write(y + 3, "When the texts were written", bold=TITLE) + 1
    for article, group in dated.groupby("article", sort=False):
        latest = group[group.high == group.high.max()]
        row = latest.loc[(latest.year_from == "printed").idxmax()]  # one whose year is printed, if there is one
        low, high = across(max(row.low, int(row.high))), across(years[-1] + 1 - TINY)  # in the last year it speaks of
        page.line((low, high), (y + 6, y + 6), lw=1.5, marker=">", markevery=[1], ms=4)
        when = f"{row.in_english if row.latest[4:] else row.latest} or later"
        words = f"{_text(data, article)}: {when}", (f" (speaks of “{row.told}”)", GREY)
        y = page.write(y, *words, **beside(low, high)) + 2
    for year in years:
        left, right = across(year), across(year + 1 - TINY)
        page.sign(left, top - 6, str(year), weight="bold")
        page.line((left, right), (top, top), lw=1.5)
        for x in (left, right):
            page.line((x, x), (top, y), PALE, lw=0.8, zorder=0)
    for year in gaps:
        page.sign(across(year) - 0.2 * a_year - 3, top + 2, "//")
    y = page.write(y + 3, f"{len(undated)} cannot be put on a calendar", bold=TITLE) + 2
    for label, group in undated.groupby("label", sort=False):
        page.rule(y)
        times = _and(f"“{time}”" for time in group.in_english)
        y = page.write(y + 2, f"{label}: {times}", (f" ({', '.join(group['where'])})", GREY)) + 1
    return page.picture(y)


TINY = 1e-9  # a year ends before the next begins


def _start(date):
    """When a year or a month begins, in years."""
    return int(date[:4]) + (int(date[5:] or 1) - 1) / 12


def _end(date):
    """When a year or a month ends, in years."""
    return int(date[:4]) + int(date[5:] or 12) / 12 - TINY
