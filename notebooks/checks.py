"""Finds every fault of data/.

What the descriptor rules out, Frictionless finds. Here stands only what that lets pass (`of_the_file`) and how
the rows of several tables fit together (`between_rows`), one generator a rule.
"""

import csv
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from bounds import Bound
from printed import HEDGES, UnreadableError, parts, pieces

DATA = Path(__file__).parent.parent / "data"
TABLES = ("articles", "words", "facts", "statements", "events", "positions", "gaps")
ENGLISH = "en"
NARRATION = "narration"
ALSO_KNOWN_AS = {"Amazon": ["AWS"]}
NUMBERS = ("paragraph", "paragraphs", "low", "high")  # Frictionless reads 1e6 and 1_000 as numbers too
RESAVE = "re-save it as UTF-8 without byte-order mark, with lines that end in LF"
TORN = ("extra-cell", "missing-cell", "blank-row")  # other faults of such a row follow from this one
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
        self.where = self.get("nearest") or f"{self.get('article')} {self.get('paragraph')}"

    def unless(self, sound, column, expected, wrong=None) -> Fault | None:
        """None if the row is sound, else a fault in one of its columns."""
        wrong = wrong or ("the cell is empty" if self.get(column) is None else f'"{self[column]}"')
        return None if sound else Fault(self.file, self.line, column, f"{wrong}, expected {expected}")


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
    for line, text in enumerate([head, *lines], 1):
        try:
            cells = next(csv.reader([text], strict=True), [])
        except csv.Error:
            yield Fault(path.name, line, "1", "a quotation mark is open, expected a row in one line")
            return
        for column, cell in zip(columns if line > 1 else "1" * len(cells), cells, strict=False):
            unseen = next((sign for sign in cell if _unseen(sign)), None)
            if unseen:
                yield Fault(path.name, line, column, f"{cell!r}, expected no unseen sign (U+{ord(unseen):04X})")
                return
            if column in NUMBERS and not re.fullmatch("([0-9]+([.][0-9]+)?)?", cell):
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
            resources[name]["dialect"] = {"header": True, "delimiter": ","}  # Frictionless would guess another
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
        found = [error for error in found if hasattr(error, "labels")][:1] or found  # all else follows from the header
        torn = {error.row_number: error for error in reversed(found) if error.type in TORN}
        for error in found:
            if torn.get(getattr(error, "row_number", 0), error) is error:
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
    elif error.type in TORN:
        wrong = "the row is empty" if error.type == "blank-row" else f"the row has {len(error.cells)} cells"
        expected = f"{len(fields)} cells, each with a comma in quotes"
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
    head, *cells = csv.reader(lines)
    kinds = {"paragraph": int, "paragraphs": int, "low": Fraction, "high": Fraction, "headline": "true".__eq__}
    pairs = ((line, zip(head, row, strict=True)) for line, row in enumerate(cells, 2) if row)
    typed = (
        (line, {column: kinds.get(column, str)(cell) if cell else None for column, cell in row}) for line, row in pairs
    )
    return [Row(row, f"{name}.csv", line) for line, row in typed]


def between_rows(folder: Path = DATA, found: Iterable[Fault] = ()) -> list[Fault]:
    """The faults of RULES. What is faulty already is left out, and so is a rule that would have to rely on it."""
    new, bad = [], {fault.file.removesuffix(".csv") for fault in found}
    t = SimpleNamespace(**{name: [] if name in bad else rows(folder, name) for name in TABLES})
    for rule, relies_on in RULES:
        try:
            told = [] if bad & set(relies_on) else [fault for fault in rule(t) if fault]
        except (LookupError, TypeError, AttributeError, ValueError) as error:  # the descriptor rules that out
            wrong = f"it lets pass what the tables cannot hold ({type(error).__name__}: {error})"
            told = [Fault("datapackage.json", 1, "1", f"{wrong}, expected the rules that the tables were made by")]
        bad |= {fault.file.removesuffix(".csv") for fault in told}
        new += told
    return new


def articles_fit(t) -> Iterator[Fault | None]:
    """An article has the paragraphs that several rows name, words in its language, and two different signs."""
    spoken = {row["language"] for row in t.words}
    for row in t.articles:
        places = [other.where.split(" ") for other in [*t.statements, *t.events, *t.positions, *t.gaps]]
        named = sorted(int(paragraph) for article, paragraph in places if article == row["article"])
        told = not named or row["language"] in spoken
        enough = len(named) < 2 or row["paragraphs"] >= named[-2]
        yield row.unless(enough, "paragraphs", f"{max(named, default=0)} or more, which other tables name")
        yield row.unless(row["decimal"] != row["thousands"], "thousands", "another sign than in decimal")
        yield row.unless(told, "language", "a language that words.csv has words of")


def words_fit(t) -> Iterator[Fault | None]:
    """Words are in the language of an article, or in English."""
    spoken = {ENGLISH, *(row["language"] for row in t.articles)}
    for language, run in groupby(t.words, key=lambda row: row["language"]):
        yield next(run).unless(language in spoken, "language", f"the language of an article, or {ENGLISH}")


def paragraphs_exist(t) -> Iterator[Fault | None]:
    """A paragraph is one that its article has."""
    last = {row["article"]: row["paragraphs"] for row in t.articles}
    for row in [*t.statements, *t.events, *t.positions, *t.gaps]:
        article, paragraph = row.where.split(" ")
        there = row.where == "None None" or 1 <= int(paragraph) <= last.get(article, 0)
        column = "nearest" if "nearest" in row else "paragraph"
        yield row.unless(
            there, column, f"a paragraph from 1 to {last.get(article)}" if article in last else "an article"
        )


def speakers_fit(t) -> Iterator[Fault | None]:
    """Narration names nobody; any other speaker is named in print, or the note says as whom it is read."""
    told, speaks_for = [*t.statements, *t.positions], defaultdict(Counter)
    for row in told:
        speaks_for[row["person"]][row["said_by"]] += 1
    for row in told:
        who, person = row["said_by"], row["person"]
        shown = "attributed_as" if "attributed_as" in row else "position"
        if who == NARRATION:
            for column in ("person", "attribution", "attributed_as"):
                yield row.unless(row.get(column) is None, column, "an empty cell beside narration")
            continue
        said = f"{row[shown]} {row.get('note')}"
        names = [person.split()[-1]] if person else [who, *ALSO_KNOWN_AS.get(who, [])]
        named = row[shown] and any(re.search(rf"\b{re.escape(name)}\b", said, re.IGNORECASE) for name in names)
        usual = speaks_for[person].most_common(1)[0][0] if person else who
        attribution = "inferred" if f"read as {who}" in said else "printed"
        yield row.unless(named, shown, f"printed words that name {person or who}, or a note that does")
        yield row.unless(usual == who, "said_by", f"{usual}, for whom {person} speaks in other rows")
        why = f'{attribution}: only what is inferred is told to be "read as {who}"'
        yield row.unless(row["attribution"] == attribution, "attribution", why)


def labels_once(t) -> Iterator[Fault | None]:
    """Each event has a label in its first row, and in no other."""
    first = {row["event"]: row for row in reversed(t.events)}
    for row in t.events:
        expected = "a label in the first row of an event, and none in its others"
        yield row.unless((row["label"] is not None) == (first[row["event"]] is row), "label", expected)


def figures_agree(t) -> Iterator[Fault | None]:
    """A figure is the same as printed, in English and as numbers, in the unit of its fact."""
    facts, units = {row["fact"]: row for row in t.facts}, defaultdict(list)
    for row in t.statements:
        numbers = tuple(row[column] for column in ("bound", "low", "high"))
        try:
            Bound.stated(*numbers, "")
            column = "as_printed"
            printed = parts(_taken_apart(t, row, column))
            *ends, unit = printed.figure()
            column = "in_english"
            english = parts(_taken_apart(t, row, column))
            translated = english.figure()[:3] == numbers
        except UnreadableError as error:
            yield row.unless(False, column, f"a figure that words.csv can read; it {error}")
            continue
        except ValueError as error:
            yield row.unless(False, "bound", f"{error} for it")
            continue
        if tuple(ends) != numbers and not translated:
            for column, end in zip(("bound", "low", "high"), ends, strict=True):
                yield row.unless(
                    row[column] == end, column, f'{end or "an empty cell"}, as "{row["as_printed"]}" reads'
                )
        else:  # the odd one out of three is at fault
            column, other = ("in_english", "as_printed") if tuple(ends) == numbers else ("as_printed", "in_english")
            same = f'the same parts as "{row[other]}" (hedge, number, multiplier, unit; a word is not a figure)'
            yield row.unless(printed == english, column, same)
            units[row["fact"]].append((row, unit))
    for fact, told in units.items():
        unit = facts[fact]["unit"]
        fits = [row for row, printed in told if printed == unit]
        yield facts[fact].unless(fits, "unit", f"{told[0][1]}, as {told[0][0].file}, line {told[0][0].line} prints")
        for row, printed in told:
            yield row.unless(not fits or printed == unit, "fact", f"a fact in {printed}, as printed, and not in {unit}")


def dates_agree(t) -> Iterator[Fault | None]:
    """A date is the same as printed, in English and as earliest and latest; an inferred year stands in the note."""
    for row in t.events:
        column = "as_printed"
        try:
            printed = parts(_taken_apart(t, row, column))
            years, first, last = printed.date()
            column = "in_english"
            same = parts(_taken_apart(t, row, column)) == printed
        except UnreadableError as error:
            yield row.unless(False, column, f"a date or a time that words.csv can read; it {error}")
            continue
        yield row.unless(same, "in_english", f'the same parts as "{row["as_printed"]}"')
        yield row.unless(list(years) == sorted(years), "as_printed", "the earlier year first")
        year_from = "printed" if years else None
        if row["year_from"] == "inferred" and first and not years:
            year_from, years = "inferred", re.findall(r"\binferred as ([0-9]{4})\b", row["note"] or "")
        ends = [f"{years[0]}-{first}".rstrip("-"), f"{years[-1]}-{last}".rstrip("-")] if years else [None, None]
        for column, wanted in zip(("earliest", "latest", "year_from"), (*ends, year_from), strict=True):
            expected = f'{wanted or "an empty cell"}, as "{row["as_printed"]}" and the note say'
            yield row.unless(row[column] == wanted, column, expected)


def rows_together(t) -> Iterator[Fault | None]:
    """Facts of one topic, and passages of one question, stand together."""
    for table, column in ((t.facts, "topic"), (t.positions, "question")):
        runs = [list(run) for _, run in groupby(table, key=lambda row, column=column: row[column])]
        longest = {}
        for run in sorted(runs, key=len, reverse=True):
            longest.setdefault(run[0][column], run)
        for run in runs:
            home = longest[run[0][column]]
            yield run[0].unless(
                home is run, column, f"this row after line {home[-1].line}: one {column} stands together"
            )


def rows_in_order(t) -> Iterator[Fault | None]:
    """Rows stand in the order that the README tells; the row that is told is the one to move."""
    articles, facts = [row["article"] for row in t.articles], [row["fact"] for row in t.facts]
    languages = [*dict.fromkeys(row["language"] for row in t.articles if row["language"] != ENGLISH), ENGLISH]
    place = {"article": articles.index, "fact": facts.index, "language": languages.index, "paragraph": int}
    questions = [list(run) for _, run in groupby(t.positions, key=lambda row: row["question"])]
    columns = ["article", "paragraph", "fact"]
    for table, by in [
        (t.words, ["language"]),
        (t.statements, columns),
        *((run, columns[:2]) for run in [t.events, *questions]),
    ]:
        keys = [tuple(place[column](row[column]) for column in by) for row in table]
        for at in (at for at in range(1, len(keys)) if keys[at] < keys[at - 1]):
            moved = at if at + 1 == len(keys) or keys[at - 1] <= keys[at + 1] else at - 1
            column = next(column for column, one, other in zip(by, keys[at - 1], keys[at], strict=True) if one != other)
            later = [row.line for row, key in zip(table, keys, strict=True) if key > keys[moved]]
            there = f"before line {later[0]}" if later else f"after line {table[-1].line}"
            yield table[moved].unless(False, column, f"this row {there}: rows stand by {', '.join(by)}")


def figures_in_our_words(t) -> Iterator[Fault | None]:
    """A figure in our sentences is one of the paragraph that they speak of, hedge included; a reference has a row."""
    told, bare = defaultdict(set), defaultdict(set)
    for row in [*t.statements, *t.events]:
        first = _taken_apart(t, row, "in_english")[0]
        told[row.where] |= {row["in_english"], *((row.get(end) or "")[:4] for end in ("earliest", "latest"))} - {""}
        if HEDGES.get(first.means, "between") != "between":  # without its hedge, the figure is another one
            bare[row.where].add(row["in_english"][first.end :].strip())
    known = {row.where for row in [*t.statements, *t.events, *t.positions, *t.gaps]}
    references = re.compile(rf"\b(?:{'|'.join(row['article'] for row in t.articles)}) [0-9]+\b")
    for row in (row for name in OURS for row in getattr(t, name)):
        for column in OURS[row.file.removesuffix(".csv")]:
            text, stated = row[column] or "", sorted(told[row.where], key=len, reverse=True)
            lost = [reference for reference in references.findall(text) if reference not in known]
            yield row.unless(
                not lost, column, "a paragraph that a table speaks of", f'"{"".join(lost[:1])}" has no row'
            )
            text = references.sub(" ", text)
            for phrase in stated:
                text = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", " ", text, flags=re.IGNORECASE)
            left = [
                *re.findall("(?<![A-Za-z0-9])[0-9][0-9.,%]*", text),
                *(core for core in bare[row.where] if core in text),
            ]
            wrong = f'"{"".join(left[-1:])}" is not what {row.where} states'
            yield row.unless(not left, column, f"as in in_english there: {' | '.join(stated) or 'no figure'}", wrong)


def nothing_left_over(t) -> Iterator[Fault | None]:
    """Each fact is stated, each word is used, and four facts are those of the first screen."""
    stated, headlines = {row["fact"] for row in t.statements}, sum(row["headline"] for row in t.facts)
    for row in t.facts:
        yield row.unless(row["fact"] in stated, "fact", "a row about it in statements.csv")
    yield t.facts[0].unless(
        headlines == 4, "headline", "four, those of the first screen", f"{headlines} facts are true"
    )
    spoken = {row["article"]: row["language"] for row in t.articles}
    used = {(ENGLISH, piece.text) for row in [*t.statements, *t.events] for piece in _taken_apart(t, row, "in_english")}
    for row in [*t.statements, *t.events]:
        used |= {(spoken[row["article"]], piece.text) for piece in _taken_apart(t, row, "as_printed")}
    for row in t.words:
        yield row.unless((row["language"], row["printed"]) in used, "printed", "a word that a figure or a date uses")


# Each rule, and the tables that must be sound for it.
RULES = (
    (articles_fit, ["articles", "words"]),
    (words_fit, ["articles", "words"]),
    (paragraphs_exist, ["articles"]),
    (speakers_fit, []),
    (labels_once, []),
    (rows_together, []),
    (rows_in_order, ["articles", "facts", "words"]),
    (figures_agree, ["articles", "words", "facts"]),
    (dates_agree, ["articles", "words"]),
    (figures_in_our_words, ["articles", "words", "statements", "events", "positions", "gaps"]),
    (nothing_left_over, ["articles", "words", "facts", "statements", "events"]),
)


def _taken_apart(t, row, column):
    language, decimal, thousands = ENGLISH, ".", ","
    if column == "as_printed":
        article = next(article for article in t.articles if article["article"] == row["article"])
        language, decimal, thousands = article["language"], article["decimal"], article["thousands"]
    known = {word["printed"]: word["means"] for word in t.words if word["language"] == language}
    return pieces(row[column], known, decimal, thousands)
