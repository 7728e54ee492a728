"""Finds every fault of data/, in three steps; what a step finds is mended before the next one looks.

`in_the_files`: what is wrong with a file as such. `by_the_descriptor`: what datapackage.json rules out, as Frictionless
finds it. `between_rows`: how rows fit together, one generator a rule.
"""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import product, takewhile
from pathlib import Path
from statistics import median_low, mode

from printed import HEDGES, Parts, UnreadableError, pieces

DATA = Path(__file__).parent.parent / "data"
TABLES = ("articles", "words", "facts", "statements", "events", "positions", "gaps")
RESAVE = "re-save it as UTF-8 without byte-order mark, with commas and with lines that end in LF"
LF_AND_JOINERS = "\n\u200c\u200d"  # Marathi is written with these joiners
NARRATION = "narration"
NAMES = {"Amazon": "Amazon|AWS"}
ENGLISH = {"language": "en", "decimal": ".", "thousands": ","}
PRINTED = ("as_printed", "in_english")
# Our own sentences: a figure in them is one of the paragraph that they speak of.
OURS = ("title_in_english", "retells", "quantity", "after_number", "note", "what", "label", "question", "position")
OURS += ("missing", "would_tell")


def faults(folder: Path = DATA) -> list[str]:
    """Every fault that the first unsound step finds, a line each."""
    for step in (in_the_files, by_the_descriptor, lambda folder: between_rows(Tables(folder))):
        try:
            found = [*step(folder)]
        except Exception as error:  # a missing file, or what a broken or a loosened descriptor lets the steps meet
            path = Path(getattr(error, "filename", None) or "datapackage.json").name
            wrong, expected = f"{type(error).__name__}: {error}", f"{', '.join(TABLES)}, as datapackage.json tells them"
            found = [(path, getattr(error, "lineno", 1), "1", wrong, expected)]
        if found:
            return told(found)
    return []


def told(found: Iterable[tuple]) -> list[str]:
    """A line for each fault (file, line, column, what stands there, what was expected), in that order, each once."""
    return ["{}, line {}, column {}: {}, expected {}".format(*fault) for fault in sorted(set(found))]


def _fault(row, column, expected, wrong=None):
    wrong = wrong or (f'"{row[column]}"' if row[column] else "the cell is empty")
    return f"{row['table']}.csv", row["line"], column, wrong, expected


def schemas(folder: Path) -> dict[str, dict]:
    """The schema of each table, from datapackage.json; OSError, ValueError or LookupError if it has none."""
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    found = {resource["path"]: resource["schema"] for resource in package["resources"]}
    return {name: found[f"{name}.csv"] for name in TABLES}


def in_the_files(folder: Path) -> Iterator[tuple]:
    """What is wrong first in each file: a sign that cannot be seen, a last line cut off, no rows, or a torn row."""
    for name, schema in schemas(folder).items():
        columns = [field["name"] for field in schema["fields"]]
        text = (folder / f"{name}.csv").read_bytes().decode("utf-8", "surrogateescape")
        seen = "".join(takewhile(lambda sign: sign.isprintable() or sign in LF_AND_JOINERS, text))
        lines = seen.split("\n")
        row = {"table": name, "line": len(lines)}
        if seen != text:
            cells = next(csv.reader([lines[-1] + "?"]))
            wrong = f"a sign that cannot be seen or is not UTF-8, U+{ord(text[len(seen)]):04X}"
            yield _fault(row, columns[: len(cells)][-1], f"none: {RESAVE}", wrong)
        elif lines[-1] or len(lines) < 3:
            wrong = "the last line is cut off, or the table has no rows"
            yield _fault(row, "1", "at least one row, and LF at the end of each", wrong)
        else:
            rows = [*map(_cells, lines[:-1])]
            torn = [n for n, cells in enumerate(rows, 1) if len(cells) != len(columns) or (n == 1 and cells != columns)]
            for line in torn[:1]:
                expected = f"{','.join(columns)}, a cell with a comma in quotes; {RESAVE}"
                yield _fault({"table": name, "line": line, "1": lines[line - 1]}, "1", expected)


def _cells(line):
    try:
        return next(csv.reader([line], strict=True), [])
    except csv.Error:  # a quotation mark is open
        return []


def by_the_descriptor(folder: Path) -> Iterator[tuple]:
    """What datapackage.json rules out in a cell, and a key that stands twice."""
    from frictionless import Package  # slow to import; a reader's notebook needs it not

    described, report = schemas(folder), Package(str(folder / "datapackage.json")).validate()
    if report.errors:
        raise ValueError(report.errors[0].note)
    for task in report.tasks:
        schema = described[task.name]
        fields = {field["name"]: field for field in schema["fields"]}
        errors = task.flatten(["type", "rowNumber", "fieldName", "cell", "note", "message"])
        for kind, line, column, cell, note, message in errors:
            row = {"table": task.name, "line": line or 1, column: cell}
            if kind in ("type-error", "constraint-error"):
                field = fields[column]
                yield _fault(row, column, field.get("inWords") or " | ".join(field["constraints"]["enum"]))
            elif kind in ("primary-key", "unique-error"):
                yield _fault(row, column or schema["primaryKey"][0], "no key twice", note.replace("position ", "line "))
            elif kind != "foreign-key":  # places_exist tells that, once for each key that is gone
                yield _fault(row, "1", "what datapackage.json describes", message)


class Tables:
    """The rows of each table of a folder, and what is printed in them.

    A row has its cells by column, and its `table`, `line` and `where`: the article and paragraph that it speaks of.
    """

    def __init__(self, folder: Path):
        self.rows = []
        for name in TABLES:
            with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                head, *lines = csv.reader(file)
            rows = [dict(zip(head, cells, strict=True), table=name, line=line) for line, cells in enumerate(lines, 2)]
            setattr(self, name, rows)
            self.rows += rows
        for row in self.gaps:
            row["article"], _, row["paragraph"] = row["nearest"].partition(" ")
        for row in self.rows:
            row["where"] = f"{row.get('article')} {row.get('paragraph')}"
        self.quoting = [*self.statements, *self.events]  # these say how a figure or a time is printed
        self.placed = [*self.quoting, *self.positions, *(row for row in self.gaps if row["nearest"])]
        self.article_by_key = {row["article"]: row for row in self.articles}
        self.meanings = defaultdict(dict)
        for row in self.words:
            self.meanings[row["language"]][row["printed"]] = row["means"]

    def written(self, row: dict, column: str) -> dict:
        """The language and the signs that one of PRINTED is written with: those of its article, or ENGLISH."""
        return ENGLISH if column == "in_english" else self.article_by_key[row["article"]]

    def pieces(self, row: dict, column: str) -> list[tuple[str, str]]:
        """What stands in one of PRINTED, taken apart; UnreadableError if it cannot be."""
        written = self.written(row, column)
        return pieces(row[column], self.meanings[written["language"]], written["decimal"], written["thousands"])

    def parts(self, row: dict, column: str) -> Parts:
        """The same, as the parts of a figure or a time."""
        return Parts.of(self.pieces(row, column))


def between_rows(tables: Tables) -> list[tuple]:
    """How the rows do not fit together: the faults of the first of RULES that finds any, for the next rely on it.

    A rule yields what has to hold: (whether it does, row, column, what was expected there[, what is wrong]).
    """
    for rules in RULES:
        found = [_fault(*claim) for rule in rules for holds, *claim in rule(tables) if not holds]
        if found:
            return found
    return []


def places_exist(t: Tables) -> Iterator[tuple]:
    """The article, the paragraph and the fact of a row are there; a key that is gone is told once."""
    for table, column, rows in (("articles", "article", t.placed), ("facts", "fact", t.statements)):
        known = {row[column] for row in getattr(t, table)}
        gone = {row[column]: row for row in reversed(rows) if row[column] not in known}
        for row in gone.values():
            yield False, row, _column(row, column), f"a key of {table}.csv"
    for article in t.articles:
        here = [row for row in t.placed if row["article"] == article["article"]]
        beyond = [row for row in here if int(row["paragraph"]) > int(article["paragraphs"])]
        if len(beyond) > 1:
            most = max(int(row["paragraph"]) for row in beyond)
            yield False, article, "paragraphs", f"at least {most}, which rows of other tables name"
        elif beyond:
            yield False, beyond[0], _column(beyond[0], "paragraph"), f"a paragraph from 1 to {article['paragraphs']}"
    numbered = [(row, "paragraphs", row["paragraphs"]) for row in t.articles]
    numbered += [(row, _column(row, "paragraph"), row["paragraph"]) for row in t.placed]
    for row, column, number in numbered:  # Frictionless and pandas take 1_000 and 007 for numbers, too
        yield number == str(int(number)), row, column, "a number in plain figures, such as 15"


def _column(row, column):
    """Where a row has its article or its paragraph: gaps.csv has both in one column."""
    return "nearest" if "nearest" in row else column


def languages_fit(t: Tables) -> Iterator[tuple]:
    """An article has two different signs in its figures, and words of its language; a word is of an article's."""
    quoted = {row["article"] for row in t.quoting}
    languages = {row["language"] for row in (ENGLISH, *t.articles)}
    mute = [row for row in t.articles if row["article"] in quoted and row["language"] not in t.meanings]
    for row in t.articles:
        yield row["decimal"] != row["thousands"], row, "thousands", "another sign than in decimal"
        yield row not in mute, row, "language", "a language that words.csv has words of"
    for row in {row["language"]: row for row in reversed(t.words)}.values():  # a language that is gone is told once
        yield mute or row["language"] in languages, row, "language", "the language of an article, or en"


def _reads(row, parts):
    """What the columns of a statement or of an event have to say, as the parts of its figure or time tell."""
    if "fact" in row:
        bound, *ends, _ = parts.figure()
        low, high = ("" if end is None else f"{Decimal(end.numerator) / end.denominator:f}" for end in ends)
        return {"bound": bound, "low": low, "high": high}
    years, first, last = parts.date()
    year_from = "printed" if years else ""
    if first and not years and row["year_from"] == "inferred":
        year_from, years = "inferred", re.findall(r"\binferred as ([0-9]{4})\b", row["note"])
        if not years:
            return {"note": 'the words "inferred as" and the year'}
    ends = [f"{years[0]}-{first}", f"{years[-1]}-{last}"] if years else ["", ""]
    return {"earliest": ends[0].rstrip("-"), "latest": ends[1].rstrip("-"), "year_from": year_from}


def words_are_known(t: Tables) -> Iterator[tuple]:
    """What is printed, and its translation, can be read as a figure or a time with words.csv."""
    for row, column in product(t.quoting, PRINTED):
        try:
            _reads(row, t.parts(row, column))
        except UnreadableError as error:
            yield False, row, column, f"a figure or a time that words.csv can read; it {error}"


def three_agree(t: Tables) -> Iterator[tuple]:
    """A figure and a date are the same as printed, in English and in columns; the odd one out of the three is told."""
    for row in t.quoting:
        printed, english = (t.parts(row, column) for column in PRINTED)
        reads = _reads(row, printed)
        wrong = [column for column in reads if row[column] != reads[column]]
        if printed != english:
            odd, other = PRINTED if wrong else PRINTED[::-1]
            same = f'the same parts as "{row[other]}" (hedge, number, multiplier, unit; a word is not a figure)'
            yield False, row, odd, same
            continue
        for column in wrong:
            yield False, row, column, f'{reads[column] or "an empty cell"}, where "{row["as_printed"]}" is printed'


def units_agree(t: Tables) -> Iterator[tuple]:
    """A fact has the unit that its figures are printed with."""
    for fact in t.facts:
        rows = [row for row in t.statements if row["fact"] == fact["fact"]]
        units = [t.parts(row, "as_printed").figure().unit for row in rows]
        if units and fact["unit"] not in units:
            yield False, fact, "unit", f"{units[0]}, as statements.csv, line {rows[0]['line']} prints"
            continue
        for row, unit in zip(rows, units, strict=True):
            yield unit == fact["unit"], row, "fact", f"a fact in {unit}, as printed, and not in {fact['unit']}"


def speakers_fit(t: Tables) -> Iterator[tuple]:
    """Narration names nobody; any other speaker is named in print, or the note says as whom it is read."""
    speaking = [*t.statements, *t.positions]
    for row in speaking:
        who, person = row["said_by"], row["person"]
        if who == NARRATION:
            for column in ("person", "attribution", "attributed_as"):
                yield not row.get(column), row, column, "an empty cell beside narration"
            continue
        shown = "attributed_as" if "attributed_as" in row else "position"
        said = f"{row[shown]} {row.get('note')}"
        name = re.escape(person.split()[-1]) if person else NAMES.get(who, re.escape(who))
        is_named = row[shown] and re.search(rf"\b({name})\b", said, re.IGNORECASE)
        yield is_named, row, shown, f"words, there or in a note, that name {person or who}"
        usual = mode(other["said_by"] for other in speaking if other["person"] == person) if person else who
        yield who == usual, row, "said_by", f"{usual}, for whom {person} speaks in other rows"
        attribution = "inferred" if f"read as {who}" in said else "printed"
        expected = f'{attribution}: only what is inferred is told to be "read as {who}"'
        yield row["attribution"] == attribution, row, "attribution", expected


def rows_in_order(t: Tables) -> Iterator[tuple]:
    """Rows stand in the order that the README tells; where they do not, the row that has moved is told."""
    languages = [row["language"] for row in t.articles if row["language"] != ENGLISH["language"]]
    ranks = {
        "language": [*languages, ENGLISH["language"]].index,
        "topic": lambda topic: median_low(row["line"] for row in t.facts if row["topic"] == topic),
        "question": lambda question: median_low(row["line"] for row in t.positions if row["question"] == question),
        "article": [*t.article_by_key].index,
        "paragraph": int,
        "fact": [row["fact"] for row in t.facts].index,
    }
    for rows in (t.words, t.facts, t.statements, t.events, t.positions):
        columns = [column for column in ranks if column in rows[0]]
        keys = {row["line"]: [ranks[column](row[column]) for column in columns] for row in rows}
        in_order = sorted(keys, key=keys.get)
        changed = [(here, due) for here, due in zip(keys, in_order, strict=True) if here != due]
        if not changed:
            continue
        here, due = changed[0]  # the line that stands first where another one is due; one of the two has moved
        others = [keys[line] for line in keys if line != here]
        ahead = in_order[in_order.index(here) - 1]
        line, there, other = (here, "after", ahead) if others == sorted(others) else (due, "before", here)
        column = next(by for by, one, two in zip(columns, keys[line], keys[other], strict=True) if one != two)
        yield False, rows[line - 2], column, f"this row {there} line {other}: rows stand by {', '.join(columns)}"


def figures_in_our_words(t: Tables) -> Iterator[tuple]:
    """A figure in our sentences is one of the paragraph that they speak of, hedge included; a reference has a row."""
    stated, bare = defaultdict(set), defaultdict(set)
    for row in t.quoting:
        stated[row["where"]] |= {row["in_english"], *(row[end][:4] for end in ("earliest", "latest") if row.get(end))}
        first, means = t.pieces(row, "in_english")[0]
        if means in HEDGES:  # without its hedge, the figure is another one
            bare[row["where"]].add(row["in_english"].removeprefix(first).strip())
    english = t.meanings[ENGLISH["language"]].items()
    hedges = [word for word, means in english if HEDGES.get(means) in ("about", "more than", "up to")]
    unhedged = "".join(rf"(?<!\b{re.escape(hedge)} )" for hedge in hedges)
    known = {row["where"] for row in t.placed}
    reference = re.compile(rf"\b(?:{'|'.join(t.article_by_key)}) [0-9]+\b")
    for row, column in product(t.rows, OURS):
        text = row.get(column, "")
        for place in {*reference.findall(text)} - known:
            yield False, row, column, "a paragraph that a table speaks of", f'"{place}" has no row'
        text = reference.sub(" ", text)
        phrases = sorted(stated[row["where"]], key=len, reverse=True)
        for phrase in phrases:
            text = re.sub(rf"{unhedged}(?<!\w){re.escape(phrase)}(?!\w)", " ", text, flags=re.IGNORECASE)
        figures = "|".join([*map(re.escape, bare[row["where"]]), "(?<![A-Za-z0-9])[0-9][0-9.,%]*"])
        for figure in re.findall(figures, text, re.IGNORECASE):
            expected = f"as in in_english there: {' | '.join(phrases) or 'no figure'}"
            yield False, row, column, expected, f'"{figure}" is not what {row["where"]} states'


def nothing_is_left_over(t: Tables) -> Iterator[tuple]:
    """Each fact is stated, each word used, each event labelled once, and four facts are those of the first screen."""
    stated = {row["fact"] for row in t.statements}
    for row in t.facts:
        yield row["fact"] in stated, row, "fact", "a row about it in statements.csv"
    headlines = [row["headline"] for row in t.facts].count("true")
    yield headlines == 4, t.facts[0], "headline", "four, those of the first screen", f"{headlines} facts are true"
    used = set()
    for row, column in product(t.quoting, PRINTED):
        language = t.written(row, column)["language"]
        used |= {(language, text) for text, _ in t.pieces(row, column)}
    for row in t.words:
        yield (row["language"], row["printed"]) in used, row, "printed", "a word that a figure or a date uses"
    first = {row["event"]: row["line"] for row in reversed(t.events)}
    for row in t.events:
        is_sound = bool(row["label"]) == (row["line"] == first[row["event"]])
        yield is_sound, row, "label", "a label in the first row of an event, and none in its others"


# Those in one line can be told together; each line relies on those above it.
RULES = (
    [places_exist],
    [languages_fit],
    [words_are_known],
    [three_agree, speakers_fit, rows_in_order],
    [units_agree],
    [figures_in_our_words, nothing_is_left_over],
)
