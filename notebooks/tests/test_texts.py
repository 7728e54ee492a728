"""What the tables say stands in the articles, and no number of the articles is forgotten. Needs --articles."""

import hashlib
import re

import checks
import pytest

# What looks like a number and is none by the rules of this project, by language. Words of the list that stand inside a
# figure of statements.csv or events.csv of their paragraph are counted, and not looked at here.
NOT_COUNTED = {
    "ro": {
        r"(un|o|unei|unui|intr-un|intr-o|dintr-un|printr-un)": "the article a, an",
        r"(unul|una|unuia) dintre": "one of many: a rank or a pick",
        r"(prima|primul|primele)( \w+)?": "first: an ordinal, or the early days of something",
        r"(Trainium|Trn|EC)[0-9]": "part of a name",
        r"24/7": "an idiom for without a pause",
        r"o zi|intr-o zi": "one day, some day",
    },
    "mr": {
        r"एक": "the article a, an",
        r"Trainium 2": "a name",
        r"second-generation": "an ordinal",
        r"एकत्रीकरण": "one inside another word",
    },
}
NUMERAL = {
    "ro": r"\w*\d(?:[\d.,/]*\d)?\w*|\b(?:un|o|una|unul|unuia|unei|unui|intr-un|intr-o|dintr-un|printr-un"
    r"|doi|doua|trei|patru|cinci|sase|sapte|opt|noua|zece|zeci|suta|sute|mie|mii|milion\w*|miliard\w*|trili\w*|bilion\w*|jumatate|jumate|sfert"
    r"|treime|dublu\w*|triplu\w*|deceni\w*|majorit\w*|cea mai mare parte|prim(?:a|ul|ele|ii)|singur\w*)\b",
    "mr": r"\w*\d(?:[\d.,]*\d)?\w*|\b(?:one|two|three|four|five|ten|hundred|thousand|million|billion|trillion|half"
    r"|twice|most|first|second|third)\b|एक|दोन|तीन|चार|पाच|दहा|शंभर|हजार|लाख|कोटी|अब्ज|बहुतेक|बहुतांश|अर्ध|दुप्पट",
}


def text_faults(tables, texts):
    """Each row of the tables whose words are not in its paragraph, as (table, line, column)."""
    printed = [(row["article"], row["paragraph"], row["as_printed"]) for row in tables["statements"]]
    for row in tables["statements"]:  # no figure is part of another
        article, paragraph, figure = row["article"], row["paragraph"], row["as_printed"]
        if any((article, paragraph) == (a, p) and figure != f and figure in f for a, p, f in printed):
            yield "statements", row.line, "as_printed"
    for name in ("statements", "events", "positions"):
        for row in tables[name]:
            paragraph = texts[row["article"]][row["paragraph"] - 1]
            person, shown = row.get("person"), row.get("attributed_as")
            if "as_printed" in row and not re.search(rf"(?<!\w){re.escape(row['as_printed'])}(?!\w)", paragraph):
                yield name, row.line, "as_printed"
            if shown and shown not in paragraph:
                yield name, row.line, "attributed_as"
            if person and not (
                person.split()[-1] in paragraph + (row.get("note") or "") and person in " ".join(texts[row["article"]])
            ):
                yield name, row.line, "person"
    for row in tables["articles"]:
        if texts[row["article"]][0] != row["title"] or len(texts[row["article"]]) != row["paragraphs"]:
            yield "articles", row.line, "title or paragraphs"


@pytest.fixture(scope="session")
def tables(texts):
    return vars(checks.Tables(checks.DATA))


def test_the_files_are_those_that_were_read(request, data):
    folder = request.config.getoption("--articles") or pytest.skip("needs the articles' texts: --articles=FOLDER")
    for row in data.articles.itertuples():
        assert hashlib.sha256((folder / row.file).read_bytes()).hexdigest() == row.sha256, row.file


def test_what_is_printed_stands_in_its_paragraph(tables, texts):
    assert list(text_faults(tables, texts)) == []


def test_no_hedge_of_the_text_was_left_out(tables, texts, data):
    single = [hedge for hedge, bound in checks.HEDGES.items() if bound != "between"]
    hedges = data.words.means[data.words.means.isin(single)].reset_index()
    for row in tables["statements"]:
        language = data.articles.language[row["article"]]
        words = "|".join(map(re.escape, hedges.printed[hedges.language == language]))
        figure, paragraph = re.escape(row["as_printed"]), texts[row["article"]][row["paragraph"] - 1]
        assert not words or not re.search(rf"\b({words}) (\w+ )?{figure}|{figure} ({words})(?!\w)", paragraph), row


def test_every_numeral_and_number_word_is_counted_or_listed(tables, texts, data):
    used, forgotten = set(), []
    for article, language in data.articles.language.items():
        if language not in NUMERAL:
            continue  # its number words are not listed here
        for number, paragraph in enumerate(texts[article], 1):
            for row in [*tables["statements"], *tables["events"]]:
                if (row["article"], row["paragraph"]) == (article, number):
                    paragraph = paragraph.replace(row["as_printed"], " ")
            for word in re.finditer(NUMERAL[language], paragraph, re.IGNORECASE):
                around = [
                    rule
                    for rule in NOT_COUNTED[language]
                    for match in re.finditer(rf"(?<!\w){rule}(?!\w)", paragraph, re.IGNORECASE)
                    if match.start() <= word.start() and word.end() <= match.end()
                ]
                used |= set(around)
                if not around:
                    forgotten.append((article, number, word[0]))
    assert forgotten == []
    assert used == {rule for rules in NOT_COUNTED.values() for rule in rules}


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("statements", "paragraph", 12),
        ("statements", "attributed_as", "Amazon promite"),
        ("events", "as_printed", "Acum"),
        ("positions", "person", "Kristopher Kings"),
    ],
)
def test_what_only_the_text_can_tell_is_refused(tables, texts, table, column, value):
    row = next(row for row in tables[table] if row["article"] == "ro" and row[column] is not None)
    good, row[column] = row[column], value
    told = list(text_faults(tables, texts))
    row[column] = good
    assert (table, row.line) in [fault[:2] for fault in told]
