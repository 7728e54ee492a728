"""Every kind of fault in data/ is told at its place, with what was expected; sound rows are not forbidden."""

import csv
import io
import json
import re

import checks
import pandas as pd
import pytest
import tables

LINE = re.compile(r"(\S+), line \d+, column [^:]+: .+, expected .+", re.DOTALL)


def spoil(folder, table, key, column, value):
    """Puts a value in the row whose cells begin with key; returns file, line and column as a fault names them."""
    path = folder / f"{table}.csv"
    head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    line = next(line for line, row in enumerate(rows, 2) if row[: len(key)] == key)
    rows[line - 2][head.index(column)] = value
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    path.write_bytes(text.getvalue().encode("utf-8"))
    return f"{table}.csv, line {line}, column {column}: "


def found(folder):
    faults = checks.faults(folder)
    assert all(LINE.fullmatch(fault) for fault in faults), faults
    return faults


DEPLOYED, CLAUDE, CUT = ["ro", "9", "chips-deployed"], ["ro", "9", "claude-chips"], ["ro", "13", "cost-cut"]
LAB, MOVE = "Who showed the lab?", "What does a move from Nvidia to Trainium take?"
CELLS = [
    # a figure stands three times
    ("statements", DEPLOYED, "low", "1500000", "low", '1400000, where "1,4 milioane de cipuri" is printed'),
    ("statements", CLAUDE, "low", "2000000", "low", '1000000, where "peste 1 milion de cipuri" is printed'),
    ("statements", CLAUDE, "bound", "about", "bound", 'more than, where "peste 1 milion'),
    ("statements", CLAUDE, "as_printed", "1 milion de cipuri", "as_printed", 'the same parts as "more than 1 million'),
    ("statements", CLAUDE, "in_english", "1 million chips", "in_english", 'the same parts as "peste 1 milion'),
    ("events", ["rainier-start"], "as_printed", "2025", "as_printed", 'the same parts as "end of 2025"'),
    ("statements", ["mr", "7"], "in_english", "tens of thousands of chips", "in_english", "the same parts"),
    ("statements", ["ro", "11"], "in_english", "more than 50%", "in_english", "a word is not a figure"),
    ("statements", ["ro", "21"], "in_english", "about a single line", "in_english", "the same parts"),
    ("statements", ["ro", "53"], "in_english", "four to three weeks", "in_english", "the lower number first"),
    ("statements", ["ro", "9", "generations"], "in_english", "three generations", "in_english", "the same parts"),
    ("statements", CUT, "in_english", "up to 50% zzz", "in_english", "which begins with no word of words.csv"),
    ("statements", ["ro", "8"], "fact", "process-node", "fact", "a fact in GW, as printed, and not in nm"),
    ("facts", ["openai-capacity"], "unit", "nm", "unit", "GW, as statements.csv, line 3 prints"),
    # who says it
    ("statements", CUT, "attribution", "inferred", "attribution", '"read as Amazon"'),
    ("statements", DEPLOYED, "attribution", "printed", "attribution", "inferred: only what is inferred"),
    ("statements", DEPLOYED, "attribution", "", "attribution", "the cell is empty"),
    ("statements", ["ro", "8"], "said_by", "Amazon", "attributed_as", "words, there or in a note, that name Amazon"),
    ("statements", CUT, "said_by", "narration", "attribution", "beside narration"),
    ("statements", ["ro", "8"], "person", "Andy Jassy", "person", "an empty cell beside narration"),
    ("statements", ["ro", "21"], "said_by", "Apple", "said_by", "Amazon, for whom Mark Carroll speaks in other rows"),
    ("statements", ["ro", "21"], "person", "Mark Carrol", "attributed_as", "that name Mark Carrol"),
    ("positions", [LAB, "mr", "3"], "said_by", "Apple", "position", "words, there or in a note, that name Apple"),
    # dates
    ("events", ["rainier-start"], "earliest", "2025-11", "earliest", '2025-10, where "final de 2025"'),
    ("events", ["rainier-start"], "in_english", "2025", "in_english", 'the same parts as "final de 2025"'),
    ("events", ["trainium3-launch"], "year_from", "printed", "year_from", "an empty cell"),
    ("events", ["trainium3-launch"], "note", "", "note", 'the words "inferred as" and the year'),
    ("events", ["trainium3-launch"], "latest", "2026-12", "latest", "2025-12"),
    ("events", ["deal-with-cerebras"], "in_english", "in the past days", "in_english", "the same parts"),
    ("events", ["apple-praise"], "label", "", "label", "in the first row of an event"),
    ("events", ["annapurna-purchase", "mr"], "label", "Twice", "label", "none in its others"),
    ("events", ["apple-praise"], "earliest", "x2025-12", "earliest", "a year (2025) or a month (2025-12)"),
    # our own words
    ("statements", CUT, "note", "Some say 60%", "note", '"60%" is not what ro 13 states'),
    ("gaps", ["typical-saving"], "missing", "Who saves 50% in full", "missing", '"50%" is not what ro 13 states'),
    ("positions", [MOVE, "ro", "21"], "position", "A single line, says Carroll.", "position", "practically a single"),
    ("gaps", ["delay"], "would_tell", "What ro 49 and mr 11 say", "would_tell", '"mr 11" has no row'),
    ("statements", CUT, "note", "It costs $5", "note", "no dollar sign"),
    ("facts", ["cost-cut"], "quantity", "Saving in 2025", "quantity", '"2025" is not what'),
    # places, keys and order
    ("statements", CUT, "paragraph", "56", "paragraph", "a paragraph from 1 to 55"),
    ("statements", CUT, "paragraph", "31", "paragraph", "this row after line 14"),
    ("articles", ["ro"], "paragraphs", "5", "paragraphs", "at least 55, which rows"),
    ("articles", ["ro"], "article", "ru", None, 'statements.csv, line 2, column article: "ro", expected a key'),
    ("articles", ["ro"], "decimal", ".", "thousands", "another sign than in decimal"),
    ("articles", ["mr"], "language", "hi", "language", "a language that words.csv has words of"),
    ("facts", ["chips-deployed"], "headline", "TRUE", "headline", "true or false in small letters"),
    ("facts", ["chips-deployed"], "headline", "false", "headline", "3 facts are true, expected four"),
    ("facts", ["process-node"], "topic", "use", "topic", "this row after line"),
    ("words", ["ro", "peste"], "printed", "pestex", "as_printed", "holds \"peste"),
    ("words", ["ro", "peste"], "language", "zz", "language", "the language of an article, or en"),
    ("gaps", ["output"], "nearest", "ro 99", "nearest", "a paragraph from 1 to 55"),
    ("positions", [LAB, "ro"], "question", "Who", "question", "a question in English"),
    ("positions", [LAB, "mr"], "question", "Does Trainium earn money?", "question", "this row before line"),
    # what the descriptor alone rules out, in words
    ("statements", CUT, "attributed_as", "a b c d e", "attributed_as", "at most four words"),
    ("statements", CLAUDE, "low", "1e6", "low", '"1e6", expected 1000000'),
    ("statements", CLAUDE, "low", "1_000_000", "low", '"1_000_000", expected 1000000'),
    ("statements", CUT, "paragraph", "1_3", "paragraph", "a number in plain figures"),
    ("articles", ["ro"], "paragraphs", "5_5", "paragraphs", "a number in plain figures"),
    ("statements", CUT, "low", "1x", "low", "a number from 0 in plain figures"),
    ("statements", CUT, "said_by", "Amazn", "said_by", "expected Amazon | Anthropic"),
    ("statements", CUT, "fact", "cost-cuts", "fact", '"cost-cuts", expected a key of facts.csv'),
    ("statements", CUT, "in_english", "", "in_english", "the cell is empty, expected at most ten words"),
    ("events", ["apple-praise"], "what", "Apple\u2028praises", "what", "cannot be seen or is not UTF-8, U+2028"),
    ("events", ["apple-praise"], "what", "Apple\u200bpraises", "what", "cannot be seen or is not UTF-8, U+200B"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "key", "column", "value", "told_in", "told"), CELLS)
def test_a_spoilt_cell_is_told_at_its_place(project, table, key, column, value, told_in, told):
    place = spoil(project.data, table, key, column, value)
    faults = found(project.data)
    wanted = re.sub(r"column .*", f"column {told_in}: ", place)
    if told_in is None:  # told where it is used, once
        wanted = told
    if table == "words" and told_in == "as_printed":  # told where the word is missed
        wanted = "statements.csv, line "
    assert any(fault.startswith(wanted) and told in fault for fault in faults), (wanted, told, faults)
    assert len({fault.split(",")[0] for fault in faults}) == 1, f"one bad cell, faults in several files: {faults}"
    assert len(faults) <= 3, faults


def rows_changed(how):
    def change(raw):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(how(list(csv.reader(raw.decode().splitlines()))))
        return text.getvalue().encode()

    return change


LAST = len((checks.DATA / "articles.csv").read_text(encoding="utf-8").splitlines())
FILES = {
    "No such file": lambda raw: None,
    "or the table has no rows": lambda raw: raw.split(b"\n")[0] + b"\n",
    "or is not UTF-8, U+FEFF, expected none: re-save it as UTF-8 without byte-order mark": lambda raw: (
        b"\xef\xbb\xbf" + raw
    ),
    "or is not UTF-8, U+000D, expected none: re-save it as UTF-8": lambda raw: raw.replace(b"\n", b"\r\n"),
    "is not UTF-8, U+DCFF": lambda raw: raw.decode().encode("utf-16"),
    "U+0000": lambda raw: raw.replace(b",", b"\0,", 1),
    f"line {LAST}, column 1: the last line is cut off, or": lambda raw: raw[:-5],
    'has an extra value in field at position "11", expected article,language,': lambda raw: raw[:-1] + b',"\n',
    "does not match the field name in": rows_changed(lambda rows: [[row[1], row[0], *row[2:]] for row in rows]),
    "a cell with a comma in quotes": rows_changed(lambda rows: [*rows[:-1], [*rows[-1], "x"]]),
    "is completely blank": lambda raw: raw + b"\n",
    "line 1, column": lambda raw: raw.replace(b",", b";"),
    "expected no key twice": rows_changed(lambda rows: [*rows, rows[-1]]),
}


@pytest.mark.parametrize("told", FILES)
def test_a_spoilt_file_is_told_and_raises_no_fault_elsewhere(project, told):
    path = project.data / "articles.csv"
    raw = FILES[told](path.read_bytes())
    path.unlink() if raw is None else path.write_bytes(raw)
    faults = found(project.data)
    assert any(told in fault for fault in faults) and all(fault.startswith("articles.csv, ") for fault in faults), (
        faults
    )


def test_a_joiner_that_marathi_is_written_with_is_no_fault(project):
    spoil(project.data, "articles", ["mr"], "title", "क्\u200dष")
    assert found(project.data) == []


def test_the_example_of_the_readme_has_no_fault(project):
    readme = (project.folder / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\d\. `(\w+)\.csv`[^\n]*\n\n {7}(\S[^\n]*)", readme, re.MULTILINE))
    assert [*rows] == ["articles", "facts", "statements", "events", "words", "positions", "gaps"]
    assert rows.pop("facts") in (project.data / "facts.csv").read_text(encoding="utf-8")
    for table, row in rows.items():
        head, *lines = (project.data / f"{table}.csv").read_text(encoding="utf-8").splitlines()
        question = [number for number, line in enumerate(lines, 1) if line.split(",")[0] == row.split(",")[0]]
        lines.insert(question[-1] if table == "positions" else len(lines), row.replace("FINGERPRINT", "0" * 64))
        (project.data / f"{table}.csv").write_bytes("\n".join([head, *lines, ""]).encode())
    assert found(project.data) == []


@pytest.mark.parametrize(
    ("table", "row", "told"),
    [
        ("words", "en,dozens of,times 12", "a word that a figure or a date uses"),
        ("facts", "requests,use,Requests,a day,chips,false", "a row about it in statements.csv"),
    ],
)
def test_what_nothing_uses_is_told(project, table, row, told):
    project.append(f"data/{table}.csv", f"{row}\n")
    faults = found(project.data)
    assert len(faults) == 1 and told in faults[0] and faults[0].startswith(f"{table}.csv"), faults


@pytest.mark.parametrize(
    ("old", "new"),
    [('"resources"', "resources"), ('"name": "gaps"', '"name": "gapes"'), ('"type": "integer"', '"type": 7')],
)
def test_a_broken_descriptor_is_told_as_such(project, old, new):
    path = project.data / "datapackage.json"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert all(fault.startswith("datapackage.json, line ") for fault in found(project.data))
    assert found(project.data)


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("in_english", "", "statements.csv, line 8, column in_english: the cell is empty, expected a figure"),
        ("paragraph", "x", "datapackage.json, line 1, column 1: ValueError"),
    ],
)
def test_a_loosened_descriptor_is_told_where_it_lets_nonsense_pass(project, column, value, told):
    path = project.data / "datapackage.json"
    package = json.loads(path.read_text(encoding="utf-8"))
    fields = package["resources"][checks.TABLES.index("statements")]["schema"]["fields"]
    field = next(field for field in fields if field["name"] == column)
    del field["constraints"]
    field["type"] = "string"
    path.write_text(json.dumps(package), encoding="utf-8")
    spoil(project.data, "statements", CUT, column, value)
    assert found(project.data)[0].startswith(told)
    with pytest.raises(tables.Faults, match=r"the cell is empty|rebuild\.py lists every fault"):
        tables.load(project.data)


def test_the_package_is_kept_for_pandas_and_sqlite(tmp_path, monkeypatch):
    """Types, missing values and keys as datapackage.json states them; Frictionless publishes it to SQLite."""
    from frictionless import Package
    from frictionless.formats.sql import adapter

    sqlite3 = pytest.importorskip("sqlite3")

    # Frictionless 5.21 searches NULL with a pattern and stumbles; in SQL, NULL passes a CHECK.
    monkeypatch.setattr(adapter, "regexp", lambda pattern, cell: cell is None or bool(re.search(pattern, cell)))
    Package(str(checks.DATA / "datapackage.json")).publish(f"sqlite:///{tmp_path}/data.sqlite")
    with sqlite3.connect(f"{tmp_path}/data.sqlite") as database:
        sums = database.execute("select sum(low), count(*) from statements where said_by = 'Amazon'").fetchall()
    frame = pd.read_csv(checks.DATA / "statements.csv", keep_default_na=False, na_values=[""])
    amazon = frame[frame.said_by == "Amazon"]
    assert [tuple(map(int, row)) for row in sums] == [(int(amazon.low.sum()), len(amazon))]


def test_patterns_can_be_read_by_other_tools_and_are_told_in_words():
    package = json.loads((checks.DATA / "datapackage.json").read_text(encoding="utf-8"))
    for resource in package["resources"]:
        assert resource["profile"] == "tabular-data-resource" and resource["type"] == "table"
        for field in resource["schema"]["fields"]:
            pattern = field.get("constraints", {}).get("pattern", "^(?:)$")
            assert pattern.startswith("^(?:") and pattern.endswith(")$") and not re.search(r"'|:\w", pattern), field
            assert ("enum" in field.get("constraints", {})) != ("inWords" in field), field
        for key in resource["schema"].get("foreignKeys", []):
            target = next(other for other in package["resources"] if other["name"] == key["reference"]["resource"])
            assert key["reference"]["fields"] == target["schema"]["primaryKey"]
