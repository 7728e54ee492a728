"""Finds every fault of data/, in three steps; what a step finds is mended before the next one looks.

`in_the_files`: what is wrong with a file as such. `by_the_descriptor`: what datapackage.json rules out, as Frictionless
finds it. `between_rows`: how the rows of several tables fit together, one generator a rule.
"""

import csv
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from printed import HEDGES, Parts, UnreadableError, pieces

DATA = Path(__file__).parent.parent / "data"
TABLES = ("articles", "words", "facts", "statements", "events", "positions", "gaps")
FILES = ["datapackage.json", *(f"{name}.csv" for name in TABLES)]
ENGLISH = "en"
NARRATION = "narration"
ALSO_KNOWN_AS = {"Amazon": ["AWS"]}
READ = {"string": str, "integer": int, "number": Fraction, "boolean": lambda cell: cell == "true"}
PLAIN = re.compile("([0-9]+([.][0-9]+)?)?")  # pandas and Frictionless take 1e6 and 1_000 for numbers, too
RESAVE = "re-save it as UTF-8 without byte-order mark, with commas and with lines that end in LF"
UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Co")  # the Unicode categories of signs that nobody sees
JOINERS = "\u200c\u200d"  # Marathi is written with them
# Our own sentences, by table: a figure in them is one of the paragraph that they speak of.
OURS = {
    "articles": ["title_in_english", "retells"],
    "facts": ["quantity", "after_number"],
    "statements": ["note"],
    "events": ["what", "label", "note"],
    "positions": ["question", "position"],
    "gaps": ["missing", "would_tell"],
}


class Fault(NamedTuple):
    """What is wrong in one place, and what was expected there."""

    file: str
    line: int
    column: str
    wrong: str
    expected: str

    def __str__(self):
        return f"{self.file}, line {self.line}, column {self.column}: {self.wrong}, expected {self.expected}"


class Row(dict):
    """The cells of one line by column, None if empty; paragraphs as int, ends as Fraction."""

    def __init__(self, cells, file, line):
        super().__init__(cells)
        self.file, self.line = file, line
        self.where = self.get("nearest") or f"{self.get('article')} {self.get('paragraph')}"

    def place(self) -> tuple[str, int]:
        """The article and the paragraph that the row speaks of."""
        article, paragraph = self.where.split(" ")
        return article, int(paragraph)

    def fault(self, column, expected, wrong=None) -> Fault:
        """A fault in one of the columns."""
        wrong = wrong or ("the cell is empty" if self.get(column) is None else f'"{self[column]}"')
        return Fault(self.file, self.line, column, wrong, expected)

    def unless(self, sound, column, expected) -> Fault | None:
        """A fault in one of the columns, or None if the row is sound."""
        return None if sound else self.fault(column, expected)


class Tables:
    """The rows of each table of a folder, and what is printed in them."""

    def __init__(self, folder: Path):
        for name, schema in schemas(folder).items():
            head, types = zip(*((field["name"], READ[field["type"]]) for field in schema["fields"]), strict=True)
            with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                lines = [*csv.reader(file)][1:]
            typed = [[read(cell) if cell else None for read, cell in zip(types, line, strict=True)] for line in lines]
            rows = [Row(zip(head, row, strict=True), f"{name}.csv", line) for line, row in enumerate(typed, 2)]
            setattr(self, name, rows)
        self.quoting = [*self.statements, *self.events]  # these say how a figure or a time is printed
        self.placed = [*self.quoting, *self.positions, *(row for row in self.gaps if row["nearest"])]
        self.article_by_key = {row["article"]: row for row in self.articles}
        self.meanings = defaultdict(dict)
        for row in self.words:
            self.meanings[row["language"]][row["printed"]] = row["means"]

    def pieces(self, row: Row, column: str) -> list[tuple[str, str]]:
        """What stands in `as_printed` or `in_english`, taken apart; UnreadableError if it cannot be."""
        if column == "in_english":
            return pieces(row[column], self.meanings[ENGLISH], ".", ",")
        article = self.article_by_key[row["article"]]
        return pieces(row[column], self.meanings[article["language"]], article["decimal"], article["thousands"])

    def parts(self, row: Row, column: str) -> Parts:
        """The same, as the parts of a figure or a time."""
        return Parts.of(self.pieces(row, column))


def faults(folder: Path = DATA) -> list[str]:
    """Every fault that the first unsound step finds, a line each, in the order of the tables."""
    for step in (in_the_files, by_the_descriptor, lambda folder: between_rows(Tables(folder))):
        try:
            found = set(step(folder))
        except Exception as error:  # what a broken or a loosened descriptor lets the steps meet
            wrong, expected = f"{type(error).__name__}: {error}", f"a package that describes {', '.join(TABLES)}"
            found = {Fault("datapackage.json", getattr(error, "lineno", 1), "1", wrong, expected)}
        if found:
            return [str(fault) for fault in sorted(found, key=lambda fault: (FILES.index(fault.file), *fault[1:]))]
    return []


def schemas(folder: Path) -> dict[str, dict]:
    """The schema of each table, from datapackage.json; OSError, ValueError or LookupError if it has none."""
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    found = {resource["path"]: resource["schema"] for resource in package["resources"]}
    return {name: found[f"{name}.csv"] for name in TABLES}


def in_the_files(folder: Path) -> Iterator[Fault]:
    """The first fault of each file that cannot be read, is cut off, or holds what cannot be seen or is no number."""
    for name, schema in schemas(folder).items():
        yield from [*_in_the_file(folder / f"{name}.csv", schema["fields"])][:1]


def _in_the_file(path, fields):
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except OSError:
        lines = []
        yield Fault(path.name, 1, "1", "the file is missing or cannot be read", "it in data/")
    except UnicodeDecodeError as error:
        lines, line = [], 1 + error.object[: error.start].count(b"\n")
        yield Fault(path.name, line, "1", f"byte {error.object[error.start]:#04x} is not UTF-8", f"UTF-8: {RESAVE}")
    for number, line in enumerate(lines, 1):
        cells = next(csv.reader([line.replace("\r", "\f")]), [])
        for field, cell in zip(fields, cells, strict=False):
            unseen = (sign for sign in cell if unicodedata.category(sign) in UNSEEN and sign not in JOINERS)
            for sign in unseen:
                sign = ord(sign.replace("\f", "\r"))
                yield Fault(path.name, number, field["name"], f"an unseen sign, U+{sign:04X}", f"none: {RESAVE}")
            if number > 1 and field["type"] in ("integer", "number") and not PLAIN.fullmatch(cell):
                yield Fault(
                    path.name, number, field["name"], f'"{cell}"', "a number in plain figures, such as 15 or 1.5"
                )
    if lines and (lines[-1] or len(lines) < 3):
        wrong = "the last line is cut off" if lines[-1] else "the table has no rows"
        yield Fault(path.name, len(lines), "1", wrong, "at least one row, and LF at the end of each")


def by_the_descriptor(folder: Path) -> Iterator[Fault]:
    """What datapackage.json rules out in a cell, a torn row, and a key that stands twice."""
    from frictionless import Package  # slow to import; a reader's notebook needs it not

    described = schemas(folder)
    report = Package(str(folder / "datapackage.json")).validate()
    for error in report.errors:
        yield Fault("datapackage.json", 1, "1", error.note, f"a package that describes {', '.join(TABLES)}")
    for task in report.tasks:
        schema = described[task.name]
        fields = {field["name"]: field for field in schema["fields"]}
        for error in task.errors:
            file, line = f"{task.name}.csv", getattr(error, "row_number", 1)
            if error.type in ("type-error", "constraint-error"):
                field = fields[error.field_name]
                wrong = f'"{error.cell}"' if error.cell else "the cell is empty"
                expected = " | ".join(field["constraints"].get("enum", [])) or field["inWords"]
                yield Fault(file, line, error.field_name, wrong, expected)
            elif error.type == "primary-key":
                wrong = error.note.replace("position ", "line ")
                yield Fault(file, line, schema["primaryKey"][0], wrong, "each key once")
            elif error.type != "foreign-key":  # places_exist tells that, once for each key that is gone
                expected = f"{','.join(fields)}, a cell with a comma in quotes; {RESAVE}"
                yield Fault(file, line, "1", error.message, expected)


def between_rows(tables: Tables) -> list[Fault]:
    """How the rows do not fit together: the faults of the first of RULES that finds any, for the next rely on it."""
    for rules in RULES:
        found = [fault for rule in rules for fault in rule(tables) if fault]
        if found:
            return found
    return []


def places_exist(t: Tables) -> Iterator[Fault | None]:
    """An article, a paragraph and a fact are those of articles.csv and facts.csv; a key that is gone is told once."""
    for table, column, rows in ((t.articles, "article", t.placed), (t.facts, "fact", t.statements)):
        known, gone = {row[column] for row in table}, {}
        for row in rows:
            key = row.place()[0] if column == "article" else row[column]
            if key not in known:
                gone.setdefault(key, row)
        for row in gone.values():
            yield row.fault("nearest" if "nearest" in row else column, f"a key of {table[0].file}")
    for article in t.articles:
        here = [row for row in t.placed if row.place()[0] == article["article"]]
        beyond = [row for row in here if row.place()[1] > article["paragraphs"]]
        if len(beyond) > 1:
            most = max(row.place()[1] for row in beyond)
            yield article.fault("paragraphs", f"at least {most}, which rows of other tables name")
        elif beyond:
            column = "nearest" if "nearest" in beyond[0] else "paragraph"
            yield beyond[0].fault(column, f"a paragraph from 1 to {article['paragraphs']}")


def languages_fit(t: Tables) -> Iterator[Fault | None]:
    """An article has two different signs in its figures and words of its language in words.csv, and they an article."""
    for row in t.articles:
        yield row.unless(row["decimal"] != row["thousands"], "thousands", "another sign than in decimal")
        is_spoken = row["language"] in t.meanings or not any(r["article"] == row["article"] for r in t.quoting)
        yield row.unless(is_spoken, "language", "a language that words.csv has words of")
    if not any(row["language"] not in t.meanings for row in t.articles):
        languages = {ENGLISH, *(row["language"] for row in t.articles)}
        for row in t.words:
            yield row.unless(row["language"] in languages, "language", f"the language of an article, or {ENGLISH}")


def words_are_known(t: Tables) -> Iterator[Fault | None]:
    """What is printed, and its translation, can be read as a figure or a time with words.csv."""
    for row in t.quoting:
        for column in ("as_printed", "in_english"):
            try:
                parts = t.parts(row, column)
                _ = parts.figure() if "fact" in row else parts.date()
            except UnreadableError as error:
                yield row.fault(column, f"a figure or a time that words.csv can read; it {error}")


def figures_agree(t: Tables) -> Iterator[Fault | None]:
    """A figure is the same as printed, in English and as numbers, in the unit of its fact."""
    units = defaultdict(dict)
    for row in t.statements:
        printed, english = t.parts(row, "as_printed"), t.parts(row, "in_english")
        figure = printed.figure()
        units[row["fact"]].setdefault(figure.unit, row)
        is_printed = all(row[column] == getattr(figure, column) for column in ("bound", "low", "high"))
        if printed != english:  # the odd one out of three is at fault
            odd, other = ("in_english", "as_printed") if is_printed else ("as_printed", "in_english")
            same = f'the same parts as "{row[other]}" (hedge, number, multiplier, unit; a word is not a figure)'
            yield row.fault(odd, same)
            continue
        for column in ("bound", "low", "high"):
            reads = getattr(figure, column)
            expected = f'{"an empty cell" if reads is None else reads}, as "{row["as_printed"]}" reads'
            yield row.unless(row[column] == reads, column, expected)
    for fact in t.facts:
        told, unit = units[fact["fact"]], fact["unit"]
        for printed, row in told.items():
            if unit not in told:
                yield fact.fault("unit", f"{printed}, as {row.file}, line {row.line} prints")
            elif printed != unit:
                yield row.fault("fact", f"a fact in {printed}, as printed, and not in {unit}")


def dates_agree(t: Tables) -> Iterator[Fault | None]:
    """A date is the same as printed, in English and as earliest and latest; an inferred year stands in the note."""
    for row in t.events:
        printed, english = t.parts(row, "as_printed"), t.parts(row, "in_english")
        yield row.unless(printed == english, "in_english", f'the same parts as "{row["as_printed"]}"')
        years, first, last = printed.date()
        year_from = "printed" if years else None
        if row["year_from"] == "inferred" and first and not years:
            year_from, years = "inferred", re.findall(r"\binferred as ([0-9]{4})\b", row["note"] or "")
            if not years:
                yield row.fault("note", 'the words "inferred as" and the year')
                continue
        ends = [f"{years[0]}-{first}".rstrip("-"), f"{years[-1]}-{last}".rstrip("-")] if years else [None, None]
        for column, wanted in zip(("earliest", "latest", "year_from"), (*ends, year_from), strict=True):
            expected = f'{wanted or "an empty cell"}, as "{row["as_printed"]}" and the note say'
            yield row.unless(row[column] == wanted, column, expected)


def speakers_fit(t: Tables) -> Iterator[Fault | None]:
    """Narration names nobody; any other speaker is named in print, or the note says as whom it is read."""
    told, speaks_for = [*t.statements, *t.positions], defaultdict(Counter)
    for row in told:
        speaks_for[row["person"]][row["said_by"]] += 1
    for row in told:
        who, person = row["said_by"], row["person"]
        if who == NARRATION:
            for column in ("person", "attribution", "attributed_as"):
                yield row.unless(row.get(column) is None, column, "an empty cell beside narration")
            continue
        shown = "attributed_as" if "attributed_as" in row else "position"
        said = f"{row[shown]} {row.get('note')}"
        names = [person.split()[-1]] if person else [who, *ALSO_KNOWN_AS.get(who, [])]
        named = row[shown] and re.search(rf"\b({'|'.join(map(re.escape, names))})\b", said, re.IGNORECASE)
        words = "a sentence that names" if shown == "position" else "printed words, or a note, that name"
        yield row.unless(named, shown, f"{words} {person or who}")
        usual = speaks_for[person].most_common(1)[0][0] if person else who
        yield row.unless(usual == who, "said_by", f"{usual}, for whom {person} speaks in other rows")
        attribution = "inferred" if f"read as {who}" in said else "printed"
        expected = f'{attribution}: only what is inferred is told to be "read as {who}"'
        yield row.unless(row["attribution"] == attribution, "attribution", expected)


def labels_stand_once(t: Tables) -> Iterator[Fault | None]:
    """Each event has a label in its first row, and in no other."""
    first = {row["event"]: row for row in reversed(t.events)}
    for row in t.events:
        expected = "a label in the first row of an event, and none in its others"
        yield row.unless((row["label"] is not None) == (first[row["event"]] is row), "label", expected)


def rows_in_order(t: Tables) -> Iterator[Fault | None]:
    """Rows stand in the order that the README tells; a table where one does not is told with the row that has moved."""
    languages = dict.fromkeys(row["language"] for row in t.articles if row["language"] != ENGLISH)
    known = {"language": [*languages, ENGLISH], "article": [*t.article_by_key], "fact": [f["fact"] for f in t.facts]}

    def keys(rows):  # by line; a topic and a question have the rank of their first row
        ranks = known | {by: [*dict.fromkeys(row.get(by) for row in rows)] for by in ("topic", "question")}
        return {row.line: [ranks[by].index(row[by]) if by in ranks else row[by] for by in columns] for row in rows}

    def in_order(rows):
        return [*keys(rows).values()] == sorted(keys(rows).values())

    ordered = (t.words, "language"), (t.facts, "topic"), (t.statements, "article, paragraph, fact")
    for table, order in (*ordered, (t.events, "article, paragraph"), (t.positions, "question, article, paragraph")):
        columns = order.split(", ")
        if in_order(table):
            continue
        rests = {row.line: [other for other in table if other is not row] for row in table}
        moved = next((row for row in table if in_order(rests[row.line])), table[-1])
        key = keys([*rests[moved.line], moved])
        passed = [n for n in key if (key[n] > key[moved.line] if n < moved.line else key[n] < key[moved.line])]
        there = f"before line {passed[0]}" if passed[0] < moved.line else f"after line {passed[-1]}"
        column = next(
            by for by, one, other in zip(columns, key[passed[0]], key[moved.line], strict=True) if one != other
        )
        yield moved.fault(column, f"this row {there}: rows stand by {order}")


def figures_in_our_words(t: Tables) -> Iterator[Fault | None]:
    """A figure in our sentences is one of the paragraph that they speak of, hedge included; a reference has a row."""
    told, bare = defaultdict(set), defaultdict(set)
    for row in t.quoting:
        dates = [row[end][:4] for end in ("earliest", "latest") if row.get(end)]
        told[row.where] |= {row["in_english"], *dates}
        first, means = t.pieces(row, "in_english")[0]
        if means in HEDGES:  # without its hedge, the figure is another one
            bare[row.where].add(row["in_english"].removeprefix(first).strip())
    known = {row.where for row in t.placed}
    reference = re.compile(rf"\b(?:{'|'.join(t.article_by_key)}) [0-9]+\b")
    for row in (row for name in OURS for row in getattr(t, name)):
        stated = sorted(told[row.where], key=len, reverse=True)
        phrase = "|".join(rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in stated) or "(?!)"
        for column in OURS[row.file.removesuffix(".csv")]:
            text = row[column] or ""
            for place in sorted(set(reference.findall(text)) - known):
                yield row.fault(column, "a paragraph that a table speaks of", f'"{place}" has no row')
            text = re.sub(phrase, " ", reference.sub(" ", text), flags=re.IGNORECASE)
            figures = re.findall("(?<![A-Za-z0-9])[0-9][0-9.,%]*", text)
            for figure in [*figures, *(core for core in bare[row.where] if core.lower() in text.lower())]:
                expected = f"as in in_english there: {' | '.join(stated) or 'no figure'}"
                yield row.fault(column, expected, f'"{figure}" is not what {row.where} states')


def nothing_is_left_over(t: Tables) -> Iterator[Fault | None]:
    """Each fact is stated, each word is used, and four facts are those of the first screen."""
    stated, headlines = {row["fact"] for row in t.statements}, sum(row["headline"] for row in t.facts)
    for row in t.facts:
        yield row.unless(row["fact"] in stated, "fact", "a row about it in statements.csv")
    if headlines != 4:
        yield t.facts[0].fault("headline", "four, those of the first screen", f"{headlines} facts are true")
    used = {(ENGLISH, text) for row in t.quoting for text, _ in t.pieces(row, "in_english")}
    for row in t.quoting:
        language = t.article_by_key[row["article"]]["language"]
        used |= {(language, text) for text, _ in t.pieces(row, "as_printed")}
    for row in t.words:
        yield row.unless((row["language"], row["printed"]) in used, "printed", "a word that a figure or a date uses")


# Those in one line can be told together; each line relies on those above it.
RULES = (
    [places_exist],
    [languages_fit],
    [words_are_known],
    [figures_agree, dates_agree, speakers_fit, labels_stand_once, rows_in_order],
    [figures_in_our_words, nothing_is_left_over],
)
