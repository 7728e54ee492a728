"""Every number in the words of the notebook, its pictures and the README is traced, with its unit and its hedge."""

import re

import articles
import pytest
from matplotlib.text import Text

TOP = articles.DATA.parent
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SPELT = dict(enumerate(WORDS)) | {16: "sixteen", 17: "seventeen", 18: "eighteen", 25: "twenty-five"}
HEDGE = r"(?:more than|fewer than|less than|at least|at most|up to|about|practically) "
# A number in figures, with its currency, scale and percent sign, or in a word; "one" only before what is measured.
NUMBER = re.compile(
    r"(?<![\w.,])\$?\d+(?:,\d{3})*(?:\.\d+)*(?: (?:million|billion|trillion)\b)?%?(?![\w%])"
    rf"|\b(?:{'|'.join(WORDS[2:])}|(?:four|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|tenths?|fifths?|hundreds?|thousands?|millions?"
    r"|billions?|trillions?|half|thirds?|quarters?|double|twice|dozens?"
    r"|one(?= (?:hotel|line|night|month|week|year)\b))\b",
    re.IGNORECASE,
)
# Numbers that are neither in the data nor computed from it, and why they may stand.
OTHERS = {
    r"\b(?:ro|mr)[ \u00a0]\d+": "a paragraph, held by test_every_reference_leads_to_a_paragraph",
    r"\bsection [1-8]\b|^## [1-8]\. |^\d\. ": "a section or a numbered step",
    r"`[^`]*`|^    .*|\]\([^)]*\)": "code and addresses",
    r"Python 3\.11|pandas 2\.2|matplotlib 3\.9|UTF-8|x86-64|SHA-256|BCP 47|ISO 8601": "versions and standards",
    r"version 1\.0\.0": "our own version",
    r"about 450 MB|about two minutes|digits 0 to 9|last two\b|other two": "how to use this page",
    r"\b24/7\b": "an idiom, refused as a quantity",
    r"headline (?:is|being) 1\b|paragraph 9 of|at most (?:eight|four)(?: words|;)": "how we count paragraphs and words",
    r"two commands|second (?:article|telling)|two (?:statements|passages)|two would match|the two keep": "on the page",
    r'"3 to 4"': "an example of a span",
    r"Trainium 2\b|last quarter": "a name as printed, and our reading of the end of a year",
    r"(?:first and )?third generation": "an ordinal",
}


# Our own sentences in the tables, which the page shows as they are.
FREE_TEXTS = {
    "statements": ["note"],
    "events": ["what", "note"],
    "positions": ["position"],
    "gaps": ["missing", "would_tell"],
    "articles": ["retells"],
}


@pytest.fixture(scope="session")
def lines(notebook, pictures, data):
    """All words of the page, as (where, line)."""
    found = [("README.md", line) for line in (TOP / "README.md").read_text(encoding="utf-8").splitlines()]
    for cell in notebook:
        if cell["cell_type"] == "markdown":
            found += [(cell["id"], line) for line in "".join(cell["source"]).replace("\\$", "$").splitlines()]
    for name, columns in FREE_TEXTS.items():
        table = getattr(data, name).reset_index()
        found += [(f"{name}.csv", text) for column in columns for text in table[column].dropna()]
    for cell, chart in pictures.items():
        found.append((f"{cell}, alt text", chart.alt))
        texts = (text.get_text().replace("\n", " ").replace("\u00a0", " ") for text in chart.figure.findobj(Text))
        found += [(f"{cell}, in the picture", text) for text in texts if text]
    return found


def spelt(number):
    return rf"(?:{number:,}|{SPELT[number]})" if number in SPELT else f"{number:,}"


def traced(data, refused, looked_for):
    """A pattern for each number that may stand in the words, with its hedge, and the word for its unit."""
    said, counts = data.statements.number, data.statements.said_by.value_counts()
    deployed, claude = said["ro", 9, "chips-deployed"], said["ro", 9, "claude-chips"]
    capacity, cut = said["ro", 8, "openai-capacity"], said["ro", 13, "cost-cut"]
    rounded, left = deployed.if_rounded_to(100_000), 100 - cut
    computed = [
        claude / deployed,
        deployed - claude,
        (deployed - claude) / deployed,
        rounded - claude,
        left,
        100 / left,
    ]
    computed += [(capacity / chips).times(10**9, "W per chip") for chips in (deployed, rounded)]
    rainier = str(said["ro", 44, "rainier-share"].of(claude.at_most(deployed)))
    readings = [*map(str, [*said, *computed]), (claude / rounded).reads(1), *rainier.split(", ")]
    for reading in readings:
        if re.match(r"(?:tens of )?\w+s of ", reading):
            yield reading.split(" of ")[0] if "tens" not in reading else "tens of thousands", None
            continue
        if span := re.fullmatch(r"([\d,]+) to ([\d,]+) (\w+).*", reading):
            low, high = (spelt(int(end.replace(",", ""))) for end in span.groups()[:2])
            yield f"{low} to {high} {span[3].removesuffix('s')}", None
            continue
        hedge, number, unit = re.fullmatch(
            rf"({HEDGE})?([\d$].*?\d*(?: [mb]illion)?%?)(?: ([a-zA-Z]\w*).*)?", reading
        ).groups()
        hedge = {"about ": "(?:about|practically) "}.get(hedge, hedge or "")
        number = spelt(int(number)) if number.isdigit() else re.escape(number)
        if unit and not unit.startswith("chip"):  # "chips" may stand further on, other units stand at their number
            number, unit = rf"{number} (?:hotel )?{unit.removesuffix('s')}", None
        if reading == "500,000 chips":
            yield r"(?:with|The|Rainier's|live:) 500,000|^500,000 chips", None
        elif reading == "18 months":
            yield r"18 months of looking back|18 months$|unbelievable: 18 months", None
        else:
            yield f"{hedge}{number}", unit and "chip"
    named, told = len(said) - counts["narration"], data.statements.reset_index().groupby("fact").article.agg(set)
    undated = int(data.events.earliest.isna().sum())
    only = {article: int((told == {article}).sum()) for article in data.articles.index}
    money, headlines = int((data.facts.topic == "money").sum()), int(data.facts.headline.sum())
    squares, solid = deployed.low // 10_000, claude.low // 10_000
    decembers = int((data.events.year_from == "inferred").sum())
    yield f"{spelt(named)} of (?:the )?{spelt(len(said))} statements|{spelt(len(data.facts))} quantities|2×", None
    articles_told = data.statements.index.get_level_values("article").value_counts()
    totals = {**counts, **articles_told, "customer or independent": 0}
    yield "|".join(f"{name} {total}$" for name, total in totals.items()) + "|is empty: 0", None
    yield f"Of the {spelt(len(said))} statements of a number, {spelt(named)} have", None
    yield f"other {spelt(int(counts['narration']))} are narration", None
    yield f"{spelt(headlines)} (?:main )?numbers|the {spelt(headlines)} of the first", None
    yield (
        f"{spelt(only['ro'])} numbers stand in the Romanian article alone|{spelt(only['mr'])} stand in the Marathi one",
        None,
    )
    yield f"{spelt(len(data.articles))} (?:news )?(?:articles|texts)|of the {spelt(len(data.articles))} is right", None
    yield f"{spelt(money)} sums|{spelt(money)} kinds", None
    yield f"{spelt(refused)} calculations|{spelt(looked_for)} things", None
    said_as_company = data.statements.attributed_as.eq("a precizat compania").sum()
    yield f"For {spelt(int(said_as_company))} of them", None
    events = data.events.reset_index()
    undated_events = events.event[events.earliest.isna()].nunique()
    yield f"{spelt(events.event.nunique())} happenings|on {spelt(undated_events)} happenings", None
    half = "half" if 2 * undated == len(events) else "some"
    yield f"{half} of the mentions of a time", None
    yield f"{spelt(len(events))} (?:passages|mentions)|{spelt(undated)} (?:of these passages|cannot)", None
    yield f"{spelt(decembers)} (?:passages|Decembers)", None
    yield f"{squares} squares of 10,000|{solid} are solid|{squares - solid} are hatched|square is 10,000", None
    yield (
        rf"{left.low} to 100|to {left.low}|at least {left.low} remains|server(?:: | = )100|(?:to|at) 100|Two bars",
        None,
    )
    yield "one half" if cut.high == 50 else "nothing", None
    yield "|".join(sorted({day[:4] for day in [*data.events.earliest.dropna(), *data.events.latest.dropna()]})), None


def untraced(line, patterns):
    """The numbers of a line that nothing traces."""
    held = [match.span() for rule in OTHERS for match in re.finditer(rule, line, re.IGNORECASE)]
    found = []
    for pattern, unit in patterns:
        if unit is None or re.search(unit, line):
            held += [m.span() for m in re.finditer(rf"(?<![\w$.,])(?:{pattern})(?![\d%]|,\d)", line, re.IGNORECASE)]
    for number in NUMBER.finditer(line):
        if not any(start <= number.start() and number.end() <= end for start, end in held):
            found.append(number[0])
    return found


@pytest.fixture(scope="session")
def patterns(data, lines):
    rows = [where for where, line in lines if line.startswith("| ")]
    return list(traced(data, rows.count("refused") - 2, rows.count("looked-for") - 2))


def test_every_number_is_traced(lines, patterns):
    found = [f"{where}: {untraced(line, patterns)} in: {line}" for where, line in lines if untraced(line, patterns)]
    assert not found, "\n".join(found)


def test_a_changed_number_or_a_dropped_hedge_is_found(lines, patterns):
    """Each number in turn becomes another, and each hedge before a number is dropped: all are found."""
    tried, missed = 0, []
    for where, line in lines:
        if "picture" in where:  # written by charts.py from the data, not by hand
            continue
        held = [match.span() for rule in OTHERS for match in re.finditer(rule, line, re.IGNORECASE)]
        for number in NUMBER.finditer(line):
            if any(start <= number.start() and number.end() <= end for start, end in held):
                continue
            digit = re.search(r"\d", number[0])
            other = number[0].replace(digit[0], str((int(digit[0]) + 1) % 10), 1) if digit else "eleven"
            bent = [line[: number.start()] + other + line[number.end() :]]
            if hedge := re.search(rf"(?:{HEDGE})$", line[: number.start()], re.IGNORECASE):
                bent.append(line[: hedge.start()] + line[hedge.end() :])
            tried += len(bent)
            missed += [f"{where}: {new}" for new in bent if not untraced(new, patterns)]
    assert tried > 120 and not missed, f"{tried} tried\n" + "\n".join(missed)


# Ways to bend a number that are no number themselves: another hedge before it, one after it, another unit in its place.
BENT = re.compile(
    r"(?:almost|over|nearly|roughly|around|only|(?:no|not) more than|~|≈|[<>]) ?\$?\d"
    r"|(?:million|billion|%|\d)(?:\+| (?:and|or) more)"
    r"|\d(?:[GMk]?Wh?|bn|[mMk])\b|GWh|‰|percentage|(?:million|,000) (?:servers|racks|requests|users|GPUs)"
)


def test_no_number_is_bent_by_what_stands_beside_it(lines):
    assert [(where, line) for where, line in lines if BENT.search(re.sub(r"`[^`]*`|^    .*", "", line))] == []


def test_what_is_copied_stands_as_it_was_weighed(lines):
    """The sentences that people copy, word by word, as weighed against ro 8, ro 9 and ro 13."""
    page = {line for where, line in lines if where != "README.md"}
    for sentence in (
        '- 1.4 million Trainium chips of three generations are deployed, says "the company", apparently Amazon, in an '
        "undated Romanian article.",
        '- Claude, Anthropic\'s AI model, runs on more than 1 million Trainium2 chips, says "the company", apparently '
        "Amazon, in an undated Romanian article.",
        "- AWS, Amazon's cloud business, has committed itself to 2 GW of Trainium computing capacity for OpenAI, "
        "reports an undated Romanian article, which names no source for the figure.",
        "- Amazon claims in an undated Romanian article that its new chips, on servers called Trn3 UltraServer, can "
        "lower running costs by up to 50%, at performance comparable to that of ordinary cloud servers.",
        "## 1. More than 71% of the deployed chips are Trainium2, and Claude runs on them",
        "## 2. How many chips 2 GW stands for cannot be known from the articles",
        '## 3. "Up to 50%" allows any saving from none to one half',
        "## 4. Eight of 25 statements have a source, always Amazon as we read it",
        "## 5. The Marathi article carries none of the four numbers",
    ):
        assert sentence in page, sentence


def test_every_reference_leads_to_a_paragraph(lines, data):
    for where, line in lines:
        for article, paragraph in re.findall(r"\b([a-z]{2})[ \u00a0](\d+)\b", line):
            if article in data.articles.index:
                assert 1 <= int(paragraph) <= data.articles.paragraphs[article], (where, line)
