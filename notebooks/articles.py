"""Reads the tables in data/ and finds every fault in them.

What a table schema can say stands in data/datapackage.json and is read from there; what it cannot
say stands below: how figures and dates are read, and how the rows of several tables fit together.
"""

import csv
import json
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
from bounds import Bound

DATA = Path(__file__).parent.parent / "data"
TABLES = ("articles", "words", "facts", "statements", "events", "positions", "gaps")
DTYPES = {"string": "string", "boolean": "boolean", "integer": "Int64", "number": "Float64"}
FORMS = {"integer": r"-?[0-9]{1,15}", "number": r"-?[0-9]{1,15}(?:\.[0-9]{1,6})?", "boolean": "true|false"}

HEDGES = ("about", "more than", "up to", "between")
WORD = re.compile(rf"({'|'.join(HEDGES)})? ?(?:times ([0-9]+))?([0-9]+)? ?(.*)")  # what words.csv means


class Faults(ValueError):  # noqa: N818 (it is a list of them)
    """Every fault of the data, one a line: file, line, column: what is wrong and what was expected."""

    def _render_traceback_(self):  # what a notebook shows: the faults and nothing else
        return str(self).splitlines()


class Row(dict):
    """The cells of one line, by column; `sound` until a fault is found in it."""

    def __init__(self, cells, file, line, faults):
        super().__init__(cells)
        self.file, self.line, self.faults, self.sound, self.value = file, line, faults, True, None

    def fault(self, column, wrong, expected):
        self.sound = False
        self.faults.append((self.file, self.line, f"column {column}: {wrong}; expected {expected}"))


def load(folder: Path = DATA) -> SimpleNamespace:
    """The tables of data/ as DataFrames, each indexed by its key; raises Faults, which lists all there are.

    Text is "string", numbers "Int64" or "Float64", an empty cell <NA>. Statements have their Bound in
    `number`, and what has a paragraph has it in `where` ("ro 9").
    """
    schemas, tables, faults = check(folder)
    if faults:
        raise Faults("\n".join(faults))
    return SimpleNamespace(**{name: _frame(rows, schemas[name]) for name, rows in tables.items()})


def check(folder: Path = DATA) -> tuple[dict, dict, list[str]]:
    """The schema of each table, its rows, and every fault in them."""
    found = []
    schemas = _schemas(folder / "datapackage.json", found)
    tables = {}
    try:
        tables = {name: _read(folder / f"{name}.csv", schema, found) for name, schema in schemas.items()}
        if tables and all(rows is not None for rows in tables.values()):
            _check_keys(tables, schemas)
            _check_rules(SimpleNamespace(**tables))
    except (LookupError, TypeError, AttributeError, ValueError) as error:  # the checks rely on the descriptor's own
        wrong = f"column 1: it lets through what the tables cannot hold ({type(error).__name__}: {error})"
        found.append(("datapackage.json", 1, f"{wrong}; expected the fields and constraints that the README lists"))
    files = ["datapackage.json", *(f"{name}.csv" for name in TABLES)]
    found.sort(key=lambda fault: (files.index(fault[0]), fault[1]))
    return schemas, tables, [f"{file}, line {line}, {text}" for file, line, text in found]


def _frame(rows, schema):
    frame = pd.DataFrame()
    for name, dtype in ((field["name"], DTYPES[field["type"]]) for field in schema["fields"]):
        cells = [row[name] for row in rows]
        if dtype == "Float64":
            cells = [None if cell is None else float(cell) for cell in cells]
        frame[name] = pd.array(cells, dtype)
    if rows and rows[0].value:
        frame["number"] = [row.value for row in rows]
    if {"article", "paragraph"} <= set(frame):
        frame["where"] = frame.article + " " + frame.paragraph.astype("string")
    return frame.set_index(schema["primaryKey"])


# What datapackage.json can say


def _schemas(path, faults):
    """The schema of each table; none if datapackage.json cannot be used."""
    try:
        package = json.loads(path.read_bytes().decode("utf-8"))
        schemas = {resource["name"]: resource["schema"] for resource in package["resources"]}
        for name in TABLES:
            fields = {field["name"]: field for field in schemas[name]["fields"]}
            keys = [*schemas[name]["primaryKey"]]
            for key in schemas[name].get("foreignKeys", []):
                keys += key["fields"]
                schemas[key["reference"]["resource"]], key["reference"]["fields"][0]
            for field in [*fields.values(), *(fields[key] for key in keys)]:
                DTYPES[field["type"]], re.compile(field.get("constraints", {}).get("pattern", ""))
        return {name: schemas[name] for name in TABLES}
    except json.JSONDecodeError as error:
        wrong, line = f"column {error.colno}: {error.msg}", error.lineno
    except OSError:
        wrong, line = "column 1: the file is missing or cannot be read", 1
    except UnicodeDecodeError as error:
        wrong, line = f"column 1: {_bad_byte(error)}", 1 + error.object[: error.start].count(b"\n")
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError, re.error) as error:
        wrong, line = f"column 1: a resource, field or key is missing or not of its form ({error})", 1
    faults.append(("datapackage.json", line, f"{wrong}; expected a data package that describes {', '.join(TABLES)}"))
    return {}


def _bad_byte(error):
    return f"byte {error.object[error.start]:#04x} is not UTF-8"


def _read(path, schema, faults):
    """The rows of one table; None if its lines or its header cannot be read."""
    names = [field["name"] for field in schema["fields"]]
    top = Row({}, path.name, 1, faults)
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError:
        return top.fault(names[0], "the file is missing or cannot be read", "it in data/")
    except UnicodeDecodeError as error:
        top.line += error.object[: error.start].count(b"\n")
        return top.fault(names[0], _bad_byte(error), "text in UTF-8")
    for sign, called in (("\ufeff", "a byte-order mark"), ("\0", "a NUL byte"), ("\r", "a carriage return")):
        if sign in text:
            top.line += text[: text.index(sign)].count("\n")
            return top.fault(names[0], f"{called} stands here", "UTF-8 without mark, lines that end in LF alone")
    *lines, rest = text.split("\n")
    head = _cells(lines[0] if lines else rest)
    if head != names:
        at = next((i for i, name in enumerate(names) if head[i : i + 1] != [name]), len(names))
        column = names[at] if at < len(names) else head[at]
        return top.fault(column, f"the header is {','.join(head) or 'empty'}", ",".join(names))
    if rest:
        Row({}, path.name, len(lines) + 1, faults).fault(names[-1], "the last line is cut off", "LF at its end")
    if len(lines) == 1:
        top.fault(names[0], "the table has no rows", "at least one")
    return [_typed(_cells(line), path.name, number, schema, faults) for number, line in enumerate(lines[1:], 2)]


def _cells(line):
    try:
        return next(csv.reader([line], strict=True), [])
    except csv.Error:
        return [line]


def _typed(cells, file, line, schema, faults):
    """One row with its cells as values, None if empty; what its fields rule out becomes a fault."""
    fields = schema["fields"]
    row = Row({field["name"]: None for field in fields}, file, line, faults)
    if len(cells) != len(fields):
        column = fields[min(len(cells), len(fields) - 1)]["name"]
        row.fault(column, f"the row has {len(cells)} cells, or a quotation mark is open", f"{len(fields)} cells")
        return row
    for field, cell in zip(fields, cells, strict=True):
        name, kind, rules = field["name"], field["type"], field.get("constraints", {})
        form = FORMS.get(kind, "(?s:.*)")
        if cell == "":
            if rules.get("required"):
                row.fault(name, "the cell is empty", "a value")
        elif not re.fullmatch(form, cell):
            row.fault(name, f'"{cell}"', f"{kind} in plain figures" if kind != "boolean" else "true or false")
        elif "enum" in rules and cell not in rules["enum"]:
            row.fault(name, f'"{cell}"', f"one of: {' | '.join(rules['enum'])}")
        elif not re.fullmatch(rules.get("pattern", form), cell):
            row.fault(name, f'"{cell}"', f"the pattern {rules['pattern']}")
        else:
            row[name] = {"string": str, "boolean": "true".__eq__, "integer": int, "number": Fraction}[kind](cell)
            if "minimum" in rules and row[name] < rules["minimum"]:
                row.fault(name, cell, f"{rules['minimum']} or more")
    return row


def _check_keys(tables, schemas):
    """Each key stands once, and what refers to a key finds it."""
    for name, schema in schemas.items():
        unique = [[field["name"]] for field in schema["fields"] if field.get("constraints", {}).get("unique")]
        for columns in [schema["primaryKey"], *unique]:
            seen = {}
            for row in tables[name]:
                key = tuple(row[column] for column in columns)
                first = seen.setdefault(key, row.line)
                if first != row.line and row.sound:
                    row.fault(columns[-1], f"the same {' + '.join(columns)} as in line {first}", "each once")
        for key in schema.get("foreignKeys", []):
            [column], target, [there] = key["fields"], key["reference"]["resource"], key["reference"]["fields"]
            known = {row[there] for row in tables[target]}
            for row in tables[name]:
                if row[column] is not None and row[column] not in known:
                    row.fault(column, f'"{row[column]}" is not in {target}.csv', f"a key of {target}.csv")


# What it cannot say


def _check_rules(t):
    """How rows fit together: paragraphs, speakers, figures, dates, order, and that nothing is left over."""
    articles, facts = {row["article"]: row for row in t.articles}, {row["fact"]: row for row in t.facts}
    words, used, speaks_for = {(row["language"], row["printed"]): row["means"] for row in _sound(t.words)}, set(), {}
    for row in _sound(t.articles):
        if row["decimal"] == row["thousands"]:
            row.fault("thousands", f'"{row["thousands"]}" is also the decimal sign', "the other sign")
    for row in _sound(t.gaps):
        if row["nearest"]:
            article, paragraph = row["nearest"].split(" ")
            _check_paragraph(row, "nearest", articles.get(article), int(paragraph))
    for row in _sound(t.statements, t.events, t.positions):
        _check_paragraph(row, "paragraph", articles.get(row["article"]), row["paragraph"])
    for row in _sound(t.statements, t.positions):
        _check_speaker(row, speaks_for)
    for row in _sound(t.statements, t.events):
        article, fact = articles[row["article"]], facts.get(row.get("fact"))
        undated = not (fact or row.get("earliest") or row.get("latest") or row.get("year_from"))
        if not (article.sound and (fact is None or fact.sound)):
            continue
        try:
            meanings = _meanings(row["as_printed"], article, words, used)
            _check_figure(row, meanings, fact["unit"]) if fact else _check_date(row, meanings)
        except ValueError as error:
            if not undated:
                row.fault("as_printed", f'"{row["as_printed"]}" {error}', "a figure or date that words.csv can read")
    _check_order(t, articles, facts)
    spoken_of = {row["fact"] for row in t.statements}
    for row in _sound(t.facts):
        if row["fact"] not in spoken_of and all(statement.sound for statement in t.statements):
            row.fault("fact", f'no statement is about "{row["fact"]}"', "a row for it in statements.csv")
    headlines = [row for row in t.facts if row["headline"]]
    if t.facts and len(headlines) != 4 and all(row.sound for row in t.facts):
        t.facts[0].fault("headline", f"{len(headlines)} facts are headlines", "the four of the first screen")
    if all(row.sound for row in t.statements + t.events):
        for row in _sound(t.words):
            if (row["language"], row["printed"]) not in used:
                row.fault("printed", f'no figure or date uses "{row["printed"]}"', "a word that one uses")


def _sound(*tables):
    return [row for table in tables for row in table if row.sound]


def _check_paragraph(row, column, article, paragraph):
    if article is None:
        row.fault(column, f'"{row[column]}" names no article', "a key of articles.csv")
    elif article.sound and not 1 <= paragraph <= article["paragraphs"]:
        row.fault(column, f'"{row[column]}" is beyond the last paragraph', f"1 to {article['paragraphs']}")


def _check_speaker(row, speaks_for):
    """Narration names nobody; a statement by someone shows it in print or says in its note how it was read."""
    who, person, shown = row["said_by"], row["person"], row.get("attributed_as")
    if who == "narration":
        for column in ("person", "attributed_as"):
            if row.get(column):
                row.fault(column, f'"{row[column]}" beside narration', "an empty cell, or the organisation in said_by")
        return
    if person:
        first = speaks_for.setdefault(person, row)
        if first["said_by"] != who:
            row.fault(
                "said_by", f"{person} speaks for {who}", f"{first['said_by']}, as in {first.file}, line {first.line}"
            )
    if "attributed_as" in row:
        named = f"{shown or ''} {row['note'] or ''}"
        if not shown:
            row.fault("attributed_as", "the cell is empty", f"the printed words that name {who}")
        elif (person or who).split()[-1] not in named:
            row.fault("attributed_as", f'"{shown}" does not name {person or who}', "a name, or a note that explains it")


def _meanings(printed, article, words, used):
    """What a figure or date says, part by part: numbers, and the meanings that words.csv gives its words."""
    known = {word: means for (language, word), means in words.items() if language == article["language"]}
    decimal, thousands = re.escape(article["decimal"]), re.escape(article["thousands"])
    number = re.compile(rf"([0-9]{{1,3}}(?:{thousands}[0-9]{{3}})+|[0-9]+)({decimal}[0-9]+)?(?![0-9.,])")
    found, rest = [], printed
    while rest:
        if figure := number.match(rest):
            whole, fraction = figure[1].replace(article["thousands"], ""), (figure[2] or "").replace(",", ".")
            found.append(Fraction(whole + fraction))
            rest = rest[figure.end() :].lstrip(" ")
            continue
        # A word ends where no letter follows; signs such as % and $ may stand right at a number.
        fits = [word for word in known if rest.startswith(word) and not rest[len(word) : len(word) + 1].isalpha()]
        fits += [word for word in known if rest.startswith(word) and not any(map(str.isalpha, word))]
        if not fits:
            raise ValueError(f'holds "{rest}", which {article["language"]} has no word for')
        word = max(fits, key=len)
        used.add((article["language"], word))
        found.append(known[word])
        rest = rest[len(word) :].lstrip(" ")
    return found


def _figure(meanings):
    """The bound, low, high and unit that the parts of a printed figure give together."""
    hedges, numbers, factors, units = [], [], [], []
    for part in meanings:
        if isinstance(part, Fraction):
            numbers.append(part)
            continue
        hedge, factor, number, unit = WORD.fullmatch(part).groups()
        hedges += [hedge] * bool(hedge)
        factors += [int(factor)] if factor else []
        numbers += [Fraction(number)] if number else []
        units += [unit] * bool(unit)
    alone = not numbers and len(factors) == 1  # "billions": a hedge before it ("up to billions") adds no end
    wanted = 0 if alone else 2 if hedges == ["between"] else 1
    if len(numbers) != wanted or len(hedges) > 1 or len(factors) > 1 or len(units) != 1:
        raise ValueError("is not one number with one unit")
    bound = "order of magnitude" if alone else hedges[0] if hedges else "plain"
    low, high = (end * (factors or [1])[0] for end in (min(numbers or [1]), max(numbers or [1])))
    return {
        "bound": bound,
        "low": None if bound == "up to" else low,
        "high": None if bound in ("more than", "order of magnitude") else high,
        "unit": units[0],
    }


def _check_figure(row, meanings, unit):
    """The figure as printed gives the row's bound, low and high, in the unit of its fact."""
    try:
        row.value = Bound.stated(row["bound"], row["low"], row["high"], unit)
    except ValueError as error:
        row.fault("bound", f'"{row["bound"]}" does not fit low and high', error)
    read = _figure(meanings)
    if read["unit"] != unit:
        row.fault("fact", f'"{row["fact"]}" is measured in {unit}', f"a fact in {read['unit']}, as printed")
    for column in ("bound", "low", "high"):
        if row[column] != read[column]:
            given, wanted = ("an empty cell" if value is None else value for value in (row[column], read[column]))
            row.fault(column, f"{given}", f'{wanted}, as "{row["as_printed"]}" reads')


def _check_date(row, meanings):
    """The date as printed gives earliest and latest; an inferred year stands in the note; else all are empty."""
    year_from = row["year_from"]
    years = [str(part) for part in meanings if isinstance(part, Fraction) and 1000 <= part <= 2999]
    months = [part.removeprefix("month ").split(" to ") for part in meanings if str(part).startswith("month ")]
    first, last = months[0] if months else ("", "")
    joints = [part for part in meanings if part in HEDGES]
    if years and joints != ["between"] * (len(years) - 1):
        raise ValueError("is not one date, or two with a word between them")
    if year_from == "inferred":
        years = re.findall(r"\binferred as ([0-9]{4})\b", row["note"] or "")
    read = dict.fromkeys(("earliest", "latest", "year_from"))
    if years:
        ends = (f"{min(years)}-{first}".rstrip("-"), f"{max(years)}-{last}".rstrip("-"))
        read = dict(zip(read, (*ends, year_from if year_from == "inferred" else "printed"), strict=True))
    for column, wanted in read.items():
        if row[column] != wanted:
            row.fault(column, f"{row[column]}", f'{wanted}, as "{row["as_printed"]}" and the note say')


def _check_order(t, articles, facts):
    """Rows stand by article, then paragraph, then fact; those of one topic, language or question together."""
    place = {key: number for number, key in enumerate([*articles, *facts])}

    def group(rows, column):
        seen = list(dict.fromkeys(row[column] for row in rows))
        return lambda row: seen.index(row[column])

    question = group(t.positions, "question")
    for rows, column, key in (
        (t.facts, "topic", group(t.facts, "topic")),
        (t.words, "language", group(t.articles, "language")),
        (t.statements, "paragraph", lambda row: (place[row["article"]], row["paragraph"], place[row["fact"]])),
        (t.events, "paragraph", lambda row: (place[row["article"]], row["paragraph"])),
        (t.positions, "paragraph", lambda row: (question(row), place[row["article"]], row["paragraph"])),
    ):
        sound = _sound(rows)
        for before, row in pairwise(sound):
            if key(row) < key(before):
                row.fault(column, f'"{row[column]}" is out of order', f"this row before line {before.line}")
