"""Finds every fault of data/.

What the descriptor rules out, Frictionless finds. Here stands only what that lets pass (`of_the_file`) and how
the rows of several tables fit together (`between_rows`), one generator a rule.
"""

import csv
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from bounds import ENDS, Bound
from printed import HEDGES, UnreadableError, parts, pieces

DATA = Path(__file__).parent.parent / "data"
TABLES = ("articles", "words", "facts", "statements", "events", "positions", "gaps")
ENGLISH = "en"
NARRATION = "narration"
ALSO_KNOWN_AS = {"Amazon": ["AWS"]}
NUMBERS = ("paragraph", "paragraphs", "low", "high")  # Frictionless reads 1e6 and 1_000 as numbers too
RESAVE = "re-save it as UTF-8 without byte-order mark, with lines that end in LF"
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
    text: str

    def __str__(self):
        return f"{self.file}, line {self.line}, column {self.column}: {self.text}"


class Row(dict):
    """The cells of one line by column, None if empty; paragraphs as int, ends as Fraction."""

    def __init__(self, cells, file, line):
        super().__init__(cells)
        self.file, self.line = file, line
        self.where = f"{self.get('article')} {self.get('paragraph')}"

    def fault(self, column, wrong, expected) -> Fault:
        return Fault(self.file, self.line, column, f"{wrong}, expected {expected}")


def faults(folder: Path = DATA) -> list[str]:
    """Every fault of the tables in a folder, a line each, in the order of the tables."""
    files = ["datapackage.json", *(f"{name}.csv" for name in TABLES)]
    found = [fault for name in files for fault in of_the_file(folder / name)]
    if "datapackage.json" not in {fault.file for fault in found}:
        found += by_the_descriptor(folder, {fault.file for fault in found})
    if "datapackage.json" not in {fault.file for fault in found}:
        found += between_rows(folder, found)
    found.sort(key=lambda fault: (files.index(fault.file), fault.line))
    return list(dict.fromkeys(map(str, found)))


# What Frictionless lets pass


def of_the_file(path: Path) -> Iterator[Fault]:
    """A file that is missing, not UTF-8, marked, cut off or without rows; a cell that only a computer sees."""
    try:
        content = path.read_bytes()
    except OSError:
        yield Fault(path.name, 1, "1", "the file is missing or cannot be read, expected it in data/")
        return
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + content[: error.start].count(b"\n")
        wrong = f"byte {content[error.start]:#04x} is not UTF-8"
        yield Fault(path.name, line, "1", f"{wrong}, expected text in UTF-8: {RESAVE}")
        return
    if path.suffix == ".json":
        return
    head, *lines = text.split("\n")
    for sign, called in (("\ufeff", "a byte-order mark"), ("\r", "a carriage return"), ("\0", "a NUL byte")):
        if sign in text:
            line = 1 + text[: text.index(sign)].count("\n")
            yield Fault(path.name, line, "1", f"{called} stands here, expected none: {RESAVE}")
            return
    if not lines or lines[-1]:
        yield Fault(path.name, 1 + len(lines), "1", "the last line is cut off, expected LF at its end")
    if not any(lines):
        yield Fault(path.name, 1, "1", "the table has no rows, expected at least one")
    columns = head.split(",")
    for line, text in enumerate(lines, 2):
        try:
            cells = next(csv.reader([text], strict=True), [])
        except csv.Error:
            yield Fault(path.name, line, "1", "a quotation mark is open, expected a row in one line")
            return
        for column, cell in zip(columns, cells, strict=False):
            unseen = next((sign for sign in cell if _unseen(sign)), None)
            if unseen:
                yield Fault(path.name, line, column, f'"{cell}", expected no unseen sign (U+{ord(unseen):04X})')
            elif column in NUMBERS and not re.fullmatch("([0-9]+([.][0-9]+)?)?", cell):
                yield Fault(path.name, line, column, f'"{cell}", expected a number in plain figures, such as 1.5')


def _unseen(sign):
    joiners = "\u200c\u200d"  # Marathi is written with them
    return unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp", "Co") and sign not in joiners


def by_the_descriptor(folder: Path, unreadable: set[str]) -> Iterator[Fault]:
    """What datapackage.json rules out, in the tables that can be read."""
    from frictionless import FrictionlessException, Package, system  # slow to import; a reader's notebook needs it not

    expected = f"expected a data package that describes {', '.join(TABLES)}"
    try:
        descriptor = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        resources = {resource["name"]: resource for resource in descriptor["resources"]}
        if list(resources) != list(TABLES) or any(resources[name]["path"] != f"{name}.csv" for name in TABLES):
            yield Fault("datapackage.json", 1, "1", f"it describes {', '.join(resources)}, {expected}")
            return
        readable = [name for name in TABLES if f"{name}.csv" not in unreadable]
        for name in readable:
            keys = resources[name]["schema"].get("foreignKeys", [])
            kept = [key for key in keys if key["reference"]["resource"] in readable]
            resources[name]["schema"]["foreignKeys"] = kept
        descriptor["resources"] = [resources[name] for name in readable]
        with system.use_context(trusted=True):
            package = Package.from_descriptor(descriptor, basepath=str(folder))
            report = package.validate()
    except (FrictionlessException, LookupError, TypeError, AttributeError, ValueError, re.error) as error:
        yield Fault("datapackage.json", getattr(error, "lineno", 1), "1", f"{error}, {expected}")
        return
    for error in report.errors:
        yield Fault("datapackage.json", 1, "1", f"{error.note}, {expected}")
    errors = {task.name: [error for error in task.errors if error.type != "foreign-key"] for task in report.tasks}
    for name, found in errors.items():
        fields = {field.name: field for field in package.get_resource(name).schema.fields}
        torn = {error.row_number for error in found if error.type in ("extra-cell", "missing-cell")}
        for error in found:
            if error.type in ("extra-cell", "missing-cell") or getattr(error, "row_number", 0) not in torn:
                yield _in_words(f"{name}.csv", error, fields)
    if not any(errors.values()):
        lost = [(f"{task.name}.csv", error) for task in report.tasks for error in task.errors]
        once = {error.note: (file, error) for file, error in reversed(lost)}  # a key that is gone is one fault
        for note, (file, error) in once.items():
            column, key, table = re.match('for "(.+?)": values "(.*)" not found in .* "(.+?)" as', note).groups()
            others = sum(other.note == note for _, other in lost) - 1
            if others:
                wrong = f'no row has the key "{key}", which {file}, line {error.row_number}, and {others} more rows use'
                yield Fault(f"{table}.csv", 1, column, f"{wrong}, expected a row with it")
            else:
                wrong = f'"{key}" is not in {table}.csv'
                yield Fault(file, error.row_number, column, f"{wrong}, expected a key of {table}.csv")


def _in_words(file, error, fields):
    """An error of Frictionless as a Fault."""
    line, column = getattr(error, "row_number", 1), getattr(error, "field_name", "")
    if hasattr(error, "labels"):
        wrong, expected = f"the header is {','.join(error.labels)}", ",".join(fields)
    elif error.type in ("extra-cell", "missing-cell"):
        wrong, expected = f"the row has {len(error.cells)} cells", f"{len(fields)} cells, each with a comma in quotes"
    elif error.type in ("type-error", "constraint-error"):
        field = fields[column]
        wrong = f'"{error.cell}"' if error.cell else "the cell is empty"
        expected = " | ".join(field.constraints.get("enum", [])) or field.custom.get("inWords", field.type)
    else:  # a key that stands twice, or what else Frictionless may know
        wrong, expected = error.note.replace("position ", "line "), "each key once, and no empty line"
    return Fault(file, line, column or next(iter(fields)), f"{wrong}, expected {expected}")


# How rows fit together


def rows(folder: Path, name: str) -> list[Row]:
    """The rows of a table, with their lines."""
    lines = (folder / f"{name}.csv").read_text(encoding="utf-8").split("\n")
    head = next(csv.reader(lines[:1]))
    kinds = {"paragraph": int, "paragraphs": int, "low": Fraction, "high": Fraction, "headline": "true".__eq__}
    found = []
    for line, cells in enumerate(csv.reader(lines[1:]), 2):
        if cells:
            pairs = zip(head, cells, strict=True)
            typed = {column: kinds.get(column, str)(cell) if cell else None for column, cell in pairs}
            found.append(Row(typed, f"{name}.csv", line))
    return found


def between_rows(folder: Path = DATA, found: list[Fault] = ()) -> list[Fault]:
    """The faults of RULES. What is faulty already is left out, and so is a rule that would have to rely on it."""
    new, bad = [], {fault.file.removesuffix(".csv") for fault in found}
    t = SimpleNamespace(**{name: [] if name in bad else rows(folder, name) for name in TABLES})
    for rule, relies_on in RULES:
        if not bad & set(relies_on):
            faults = list(rule(t))
            new += faults
            bad |= {fault.file.removesuffix(".csv") for fault in faults}
    return new


def paragraphs_exist(t) -> Iterator[Fault]:
    """A paragraph is one that its article has."""
    beyond = defaultdict(list)
    articles = {row["article"]: row for row in t.articles}
    for row in [*t.statements, *t.events, *t.positions, *t.gaps]:
        column = "nearest" if "nearest" in row else "paragraph"
        key, paragraph = row["nearest"].split(" ") if row.get("nearest") else (row.get("article"), row.get("paragraph"))
        if key is None:
            continue
        if key not in articles:
            yield row.fault(column, f'"{row[column]}" names no article', "a key of articles.csv and a paragraph")
        elif not 1 <= int(paragraph) <= articles[key]["paragraphs"]:
            beyond[key].append((row, column))
    for key, places in beyond.items():
        last = articles[key]["paragraphs"]
        if len(places) > 1:
            row = places[0][0]
            wrong = f"{last}, but {row.file}, line {row.line}, and {len(places) - 1} more name a later paragraph"
            yield articles[key].fault("paragraphs", wrong, "the number of paragraphs of its text")
        for row, column in places if len(places) == 1 else ():
            yield row.fault(column, f'"{row[column]}" is beyond the last paragraph', f"1 to {last}")


def languages_fit(t) -> Iterator[Fault]:
    """Words are in the language of an article or in English, and an article's two signs differ."""
    known = {row["language"] for row in t.words}
    telling = {row["article"] for row in [*t.statements, *t.events]}
    for row in t.articles:
        if row["decimal"] == row["thousands"]:
            yield row.fault("thousands", f'"{row["thousands"]}" is also the decimal sign', "the other sign")
        if row["language"] not in known and row["article"] in telling:
            yield row.fault("language", f'words.csv has no words in "{row["language"]}"', "a language with words there")
            return
    spoken = [*dict.fromkeys(row["language"] for row in t.articles), ENGLISH]
    strange = {row["language"]: row for row in reversed(t.words) if row["language"] not in spoken}
    for language, row in strange.items():
        yield row.fault("language", f'no article is in "{language}"', f"the language of an article, or {ENGLISH}")


def speakers_fit(t) -> Iterator[Fault]:
    """Narration names nobody; any other speaker is named in print, or the note says as whom it is read."""
    speaks_for = defaultdict(Counter)
    for row in [*t.statements, *t.positions]:
        speaks_for[row["person"]][row["said_by"]] += 1
    for row in [*t.statements, *t.positions]:
        who, person = row["said_by"], row["person"]
        if who == NARRATION:
            for column in ("person", "attribution", "attributed_as"):
                if row.get(column):
                    yield row.fault(
                        column, f'"{row[column]}" beside narration', "an empty cell, or a speaker in said_by"
                    )
            continue
        usual = speaks_for[person].most_common(1)[0][0] if person else who
        if usual != who:
            yield row.fault("said_by", f"{person} speaks for {who}", f"{usual}, as in other rows")
        if "attributed_as" in row and not row["attributed_as"]:
            yield row.fault("attributed_as", "the cell is empty", f"the printed words that name {who}")
            continue
        column = "attributed_as" if "attributed_as" in row else "position"
        said = f"{row[column]} {row.get('note') or ''}"
        names = [person.split()[-1], person] if person else [who, *ALSO_KNOWN_AS.get(who, [])]
        if not any(re.search(rf"\b{re.escape(name)}\b", said) for name in names):
            yield row.fault(column, f'"{row[column]}" does not name {names[-1]}', "the name, or a note with it")
        inferred = f"read as {who}" in said
        if row["attribution"] != ("inferred" if inferred else "printed"):
            wrong = "the cell is empty" if row["attribution"] is None else f'"{row["attribution"]}"'
            expected = f'"printed", or "inferred" and the words "read as {who}" in the note or position'
            yield row.fault("attribution", wrong, '"inferred", as the note says' if inferred else expected)


def figures_agree(t) -> Iterator[Fault]:
    """A figure is the same as printed, in English and as numbers, in the unit of its fact."""
    facts, disagree = {row["fact"]: row for row in t.facts}, defaultdict(list)
    for row in t.statements:
        try:
            Bound.stated(row["bound"], row["low"], row["high"], "")
        except ValueError:
            yield row.fault("bound", f'"{row["bound"]}" does not fit low and high', f"there {ENDS[row['bound']]}")
            continue
        read = {}
        for column in ("as_printed", "in_english"):
            try:
                read[column] = parts(_taken_apart(t, row, column))
                read[column, "figure"] = read[column].figure()
            except UnreadableError as error:
                yield row.fault(column, f'"{row[column]}" {error}', "a figure that words.csv can read")
        if len(read) < 4:
            continue
        stands = tuple(row[column] for column in ("bound", "low", "high"))
        fits = [column for column in ("as_printed", "in_english") if read[column, "figure"][:3] == stands]
        unit = read["as_printed", "figure"][3]
        if not fits:
            for column, cell, wanted in zip(
                ("bound", "low", "high"), stands, read["as_printed", "figure"], strict=False
            ):
                if cell != wanted:
                    given, wanted = ("an empty cell" if value is None else str(value) for value in (cell, wanted))
                    yield row.fault(column, given, f'{wanted}, as "{row["as_printed"]}" reads')
        elif read["as_printed"] != read["in_english"]:
            column = "in_english" if "as_printed" in fits else "as_printed"
            same = f'the same parts as "{row["as_printed" if column == "in_english" else "in_english"]}"'
            yield row.fault(
                column, f'"{row[column]}"', f"{same} (hedge, number, multiplier, unit; a word is not a figure)"
            )
        elif unit != facts[row["fact"]]["unit"]:
            disagree[row["fact"]].append((row, unit))
    for fact, told in disagree.items():
        all_told = [row for row in t.statements if row["fact"] == fact]
        if len(told) == len(all_told):
            wrong = f'"{facts[fact]["unit"]}", but {told[0][0].file}, line {told[0][0].line}, prints {told[0][1]}'
            yield facts[fact].fault("unit", wrong, "the unit that is printed")
        for row, unit in told if len(told) < len(all_told) else ():
            yield row.fault("fact", f'"{fact}" is measured in {facts[fact]["unit"]}', f"a fact in {unit}, as printed")


def dates_agree(t) -> Iterator[Fault]:
    """A date is the same as printed, in English and as earliest and latest; an inferred year stands in the note."""
    for row in t.events:
        try:
            column = "as_printed"
            printed = parts(_taken_apart(t, row, column))
            years, first, last = printed.date()
            column = "in_english"
            translated = parts(_taken_apart(t, row, column))
        except UnreadableError as error:
            yield row.fault(column, f'"{row[column]}" {error}', "a date or a time that words.csv can read")
            continue
        if printed != translated:
            yield row.fault("in_english", f'"{row["in_english"]}"', f'the same parts as "{row["as_printed"]}"')
            continue
        year_from = "printed" if years else None
        if row["year_from"] == "inferred" and first and not years:
            year_from, years = "inferred", re.findall(r"\binferred as ([0-9]{4})\b", row["note"] or "")
        ends = (
            [f"{year}-{month}".rstrip("-") for year, month in ((min(years), first), (max(years), last))]
            if years
            else [None] * 2
        )
        for column, wanted in zip(("earliest", "latest", "year_from"), (*ends, year_from), strict=True):
            if row[column] != wanted:
                given, wanted = (cell or "an empty cell" for cell in (row[column], wanted))
                yield row.fault(column, given, f'{wanted}, as "{row["as_printed"]}" and the note say')
        if years and list(years) != sorted(years):
            yield row.fault("as_printed", f'"{row["as_printed"]}"', "the earlier year first")


def figures_in_our_words(t) -> Iterator[Fault]:
    """A figure in our sentences is one of the paragraph that they speak of, hedge included; a reference has a row."""
    told, bare = defaultdict(set), defaultdict(set)
    for row in [*t.statements, *t.events]:
        told[row.where].add(row["in_english"])
        told[row.where] |= {(row.get(end) or "")[:4] for end in ("earliest", "latest")} - {""}
        found = _taken_apart(t, row, "in_english")
        hedged = found[0].means in HEDGES and HEDGES[found[0].means] != "between"
        if hedged:
            bare[row.where].add(row["in_english"][found[0].end :].strip())
    rows_there = {row.where for row in [*t.statements, *t.events, *t.positions]} | {row["nearest"] for row in t.gaps}
    references = re.compile(rf"\b(?:{'|'.join(row['article'] for row in t.articles)}) [0-9]+\b")
    for row in (row for name in OURS for row in getattr(t, name)):
        where = row.get("nearest") or row.where
        for column in OURS[row.file.removesuffix(".csv")]:
            text = row[column] or ""
            for reference in references.findall(text):
                if reference not in rows_there:
                    yield row.fault(column, f'"{reference}" has no row', "a paragraph that a table speaks of")
            rest = references.sub(" ", text)
            for phrase in sorted(told[where], key=len, reverse=True):
                rest = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", " ", rest)
            left = re.search(r"(?<![A-Za-z0-9])[0-9][0-9.,]*", rest)
            lost = next((phrase for phrase in bare[where] if phrase in rest), left and left[0])
            if lost:
                stated = " | ".join(sorted(told[where])) or "no figure"
                yield row.fault(column, f'"{lost}" is not what {where} states', f"as in in_english there: {stated}")


def labels_once(t) -> Iterator[Fault]:
    """Each event has a label in its first row, and in no other."""
    seen = set()
    for row in t.events:
        if row["event"] not in seen and not row["label"]:
            yield row.fault("label", "the cell is empty", "a label, in the first row of an event")
        if row["event"] in seen and row["label"]:
            yield row.fault("label", f'"{row["label"]}"', "an empty cell: only the first row of an event has a label")
        seen.add(row["event"])


def rows_in_order(t) -> Iterator[Fault]:
    """Rows stand in the order that the README tells; the row that is told is the one to move."""
    articles, facts = ([row[key] for row in rows] for rows, key in ((t.articles, "article"), (t.facts, "fact")))
    languages = [*dict.fromkeys(row["language"] for row in t.articles if row["language"] != ENGLISH), ENGLISH]
    place = {"article": articles.index, "fact": facts.index, "language": languages.index, "paragraph": int}
    for rows_of, group, columns, rule in (
        (t.words, None, ["language"], "words stand by language, in the order of articles.csv, English last"),
        (t.facts, "topic", [], "facts of one topic stand together"),
        (
            t.statements,
            None,
            ["article", "paragraph", "fact"],
            "rows stand by article, paragraph, and as facts.csv does",
        ),
        (t.events, None, ["article", "paragraph"], "rows stand by article, then paragraph"),
        (
            t.positions,
            "question",
            ["article", "paragraph"],
            "rows of one question stand together, by article, paragraph",
        ),
    ):
        runs = [list(run) for _, run in groupby(rows_of, key=lambda row: group and row[group])]
        longest = {run[0][group]: run for run in sorted(runs[::-1], key=len)} if group else {}
        for run in runs:
            home = longest.get(group and run[0][group], run)
            if home is not run:
                there = f"this row after line {home[-1].line}: {rule}"
                yield run[0].fault(group, f'"{run[0][group]}" stands apart', there)
            keys = [tuple(place[column](row[column]) for column in columns) for row in run]
            for at in (at for at in range(1, len(keys)) if keys[at] < keys[at - 1]):
                moved = at if at + 1 == len(keys) or keys[at - 1] <= keys[at + 1] else at - 1
                column = next(column for column, a, b in zip(columns, keys[at - 1], keys[at], strict=True) if a != b)
                later = [row.line for row, key in zip(run, keys, strict=True) if key > keys[moved]]
                there = f"before line {later[0]}" if later else f"after line {run[-1].line}"
                wrong = f'"{run[moved][column]}" is out of order'
                yield run[moved].fault(column, wrong, f"this row {there}: {rule}")


def nothing_left_over(t) -> Iterator[Fault]:
    """Each fact is stated, each word is used, and four facts are those of the first screen."""
    stated = {row["fact"] for row in t.statements}
    for row in t.facts:
        if row["fact"] not in stated:
            yield row.fault("fact", f'no statement is about "{row["fact"]}"', "a row for it in statements.csv")
    headlines = sum(row["headline"] for row in t.facts)
    if headlines != 4:
        yield t.facts[0].fault("headline", f"{headlines} facts are true", "four, those of the first screen")
    spoken = {row["article"]: row["language"] for row in t.articles}
    used = set()
    for row in [*t.statements, *t.events]:
        for column, language in (("as_printed", spoken[row["article"]]), ("in_english", ENGLISH)):
            used |= {(language, piece.text) for piece in _taken_apart(t, row, column)}
    for row in t.words:
        if (row["language"], row["printed"]) not in used:
            yield row.fault("printed", f'no figure or date uses "{row["printed"]}"', "a word that one uses")


# Each rule, and the tables that must be sound for it.
RULES = (
    (paragraphs_exist, ["articles"]),
    (languages_fit, ["articles", "words"]),
    (speakers_fit, []),
    (labels_once, []),
    (figures_agree, ["articles", "words", "facts"]),
    (dates_agree, ["articles", "words"]),
    (rows_in_order, ["articles", "facts", "words"]),
    (figures_in_our_words, ["articles", "words", "statements", "events", "positions", "gaps"]),
    (nothing_left_over, ["articles", "words", "facts", "statements", "events"]),
)


def _taken_apart(t, row, column):
    if column == "in_english":
        language, decimal, thousands = ENGLISH, ".", ","
    else:
        article = next(article for article in t.articles if article["article"] == row["article"])
        language, decimal, thousands = article["language"], article["decimal"], article["thousands"]
    known = {word["printed"]: word["means"] for word in t.words if word["language"] == language}
    return pieces(row[column], known, decimal, thousands)
