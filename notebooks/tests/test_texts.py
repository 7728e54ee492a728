"""What the tables say stands in the articles, and no number of the articles is forgotten. Needs --articles."""

import hashlib
import re

import checks
import pytest

# By language: what looks like a number, and what of it is none by the rules of this project.
NUMERAL = {
    "ro": r"\w*\d(?:[\d.,/]*\d)?\w*|\b(?:un|o|una|unul|unuia|unei|unui|intr-un|intr-o|dintr-un|printr-un"
    r"|doi|doua|trei|patru|cinci|sase|sapte|opt|noua|zece|zeci|suta|sute|mie|mii|milion\w*|miliard\w*|trili\w*"
    r"|bilion\w*|jumatate|jumate|sfert|treime|dublu\w*|triplu\w*|deceni\w*|majorit\w*|cea mai mare parte"
    r"|prim(?:a|ul|ele|ii)|singur\w*)\b",
    "mr": r"\w*\d(?:[\d.,]*\d)?\w*|\b(?:one|two|three|four|five|ten|hundred|thousand|million|billion|trillion|half"
    r"|twice|most|first|second|third)\b|एक|दोन|तीन|चार|पाच|दहा|शंभर|हजार|लाख|कोटी|अब्ज|बहुतेक|बहुतांश|अर्ध|दुप्पट",
}
NOT_COUNTED = {
    "ro": [
        r"un|o|unei|unui|intr-un|intr-o|dintr-un|printr-un",  # the article a, an
        r"(unul|una|unuia) dintre",  # one of many: a rank or a pick
        r"(prima|primul|primele)( \w+)?",  # first: an ordinal, or the early days of something
        r"(Trainium|Trn|EC)[0-9]",  # part of a name
        r"24/7",  # an idiom for without a pause
    ],
    "mr": [
        r"एक",  # the article a, an
        r"Trainium 2",  # a name
        r"second-generation",  # an ordinal
        r"एकत्रीकरण",  # one inside another word
    ],
}


@pytest.fixture(scope="module")
def tables():
    return checks.Tables(checks.DATA)


def test_the_articles_are_those_that_were_read(request, texts, tables):
    for row in tables.articles:
        path, paragraphs = request.config.getoption("--articles") / row["file"], texts[row["article"]]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"], row
        assert (paragraphs[0], len(paragraphs)) == (row["title"], int(row["paragraphs"]))


def test_what_is_quoted_stands_in_its_paragraph(texts, tables):
    for row in [*tables.statements, *tables.events, *tables.positions]:
        paragraph = texts[row["article"]][int(row["paragraph"]) - 1]
        if "as_printed" in row:
            assert re.search(rf"(?<!\w){re.escape(row['as_printed'])}(?!\w)", paragraph), row
        if shown := row.get("attributed_as"):
            assert shown in paragraph, row
        if person := row.get("person"):
            assert person in " ".join(texts[row["article"]]), row
            assert person.split()[-1] in f"{paragraph} {row.get('note')}", row


def test_no_hedge_of_the_text_was_left_out(texts, tables, data):
    bounds = data.words.means.map(checks.HEDGES).dropna()
    for row in tables.statements:
        language, paragraph = data.articles.language[row["article"]], texts[row["article"]][int(row["paragraph"]) - 1]
        words = [word for spoken, word in bounds.index[bounds != "between"] if spoken == language]
        hedge, figure = "|".join(map(re.escape, words)) or "(?!)", re.escape(row["as_printed"])
        assert not re.search(rf"\b({hedge}) (\w+ )?{figure}|{figure} ({hedge})(?!\w)", paragraph), row


def test_every_numeral_and_number_word_is_counted_or_listed(texts, tables, data):
    used, forgotten = set(), []
    for article, paragraphs in texts.items():
        language = data.articles.language[article]
        for number, paragraph in enumerate(paragraphs, 1):
            rows = [*tables.statements, *tables.events]
            printed = [row["as_printed"] for row in rows if row["where"] == f"{article} {number}"]
            for figure in sorted(printed, key=len):  # of half a figure, counted too, the other half is left over
                paragraph = paragraph.replace(figure, " ")
            for rule in NOT_COUNTED.get(language, []):
                paragraph, times = re.subn(rf"(?<!\w)({rule})(?!\w)", " ", paragraph, flags=re.IGNORECASE)
                used |= {rule} if times else set()
            left = re.findall(NUMERAL.get(language, "(?!)"), paragraph, re.IGNORECASE)  # a language may not be listed
            forgotten += [(article, number, word) for word in left]
    assert forgotten == []
    assert used == {rule for rules in NOT_COUNTED.values() for rule in rules}
