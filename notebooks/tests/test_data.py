"""The tables are sound, every fault in them is found where it is, and a second judge agrees."""

import csv
import json
import re

import articles
import frictionless
import pytest

FAULT = re.compile(r"(\S+), line (\d+), column \S+: .+; expected .+")
TABLES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(articles.DATA.glob("*.csv"))}
# What one changed cell may become without a fault, because no table, number or mark of the notebook is wrong then.
FREE = {
    "articles": {"title_in_english", "retells"},
    "facts": {"quantity", "topic"},  # our words and our grouping
    "statements": {"note"},
    "events": {"event", "what", "note"},
    "positions": {"question", "position"},
    "gaps": {"gap", "missing", "would_tell", "nearest"},
}
# What only the articles' texts can tell: test_texts refuses it where they can (where a paragraph holds no such words).
TEXT_TELLS = {
    "articles": {"title", "file", "sha256", "paragraphs"},
    "statements": {"paragraph", "attributed_as"},
    "events": {"paragraph", "as_printed"},  # as_printed: of what has no date
    "positions": {"article", "paragraph", "said_by", "person"},
}


def rewritten(rows):
    class Lines(list):
        write = list.append

    lines = Lines()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return "".join(lines)


def found(folder):
    """The faults of a folder, each with file and line and an expectation."""
    faults = articles.check(folder)[2]
    assert all(FAULT.fullmatch(fault) for fault in faults), faults
    return faults


def test_the_data_has_no_fault_and_frictionless_agrees():
    assert found(articles.DATA) == []
    report = frictionless.validate(str(articles.DATA / "datapackage.json"))
    assert report.valid and len(report.tasks) == len(TABLES) == 7, report.flatten(["rowNumber", "fieldName", "message"])


def test_text_stays_text_and_an_empty_cell_is_missing(data):
    assert str(data.statements.low.dtype) == "Float64" and str(data.facts.headline.dtype) == "boolean"
    assert data.statements.loc[("ro", 13, "cost-cut"), ["low", "person"]].isna().all()
    assert list(data.facts.index[data.facts.headline]) == [
        "chips-deployed",
        "claude-chips",
        "openai-capacity",
        "cost-cut",
    ]


def spoilt(value, below):
    """One cell, made wrong in about ten ways."""
    digits = re.search(r"[0-9]+", value)
    ways = {
        "emptied": "",
        "misspelt": value[:-2] + value[-1:] + value[-2:-1] if value[-1:] != value[-2:-1] else value + "x",
        "the cell below": below,
        "times ten": value[: digits.end()] + "0" + value[digits.end() :] if digits else value,
        "decimal comma": value.replace(".", ",") if "." in value else value + ",5",
        "hedge dropped": re.sub(r"\b(more than|up to|about|peste|pana la|aproximativ|practic) ?", "", value),
        "hedge changed": re.sub(r"\b(more than|about)\b", "up to", value),
        "unknown": "zzz",
        "trailing space": value + " ",
        "look-alike letter": value.translate(str.maketrans("aeo", "аео")),
        "NA": "NA",
    }
    return {way: new for way, new in ways.items() if new != value}


@pytest.mark.parametrize("name", TABLES)
def test_a_spoilt_cell_is_refused_where_it_stands(name, copy):
    head, *rows = csv.reader(TABLES[name].splitlines())
    path = copy / f"{name}.csv"
    for line, row in enumerate(rows, 2):
        below = rows[(line - 1) % len(rows)]
        for place, column in enumerate(head):
            for way, new in spoilt(row[place], below[place]).items():
                changed = [*row[:place], new, *row[place + 1 :]]
                path.write_text(rewritten([head, *rows[: line - 2], changed, *rows[line - 1 :]]), encoding="utf-8")
                faults = found(copy)
                assert not any(fault.startswith("datapackage.json") for fault in faults), faults
                where = f"{name}.csv, line {line}, column {column}, {way}: {row[place]!r} became {new!r}"
                if not faults:
                    assert column in FREE.get(name, set()) | TEXT_TELLS.get(name, set()), where
                elif name in ("statements", "events") and column not in ("article", "paragraph", "fact", "event"):
                    assert any(fault.startswith(f"{name}.csv, line {line}, ") for fault in faults), (where, faults)


CORRUPT = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "header only": lambda path: path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n"),
    "doubled header": lambda path: path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n" + path.read_bytes()),
    "byte-order mark": lambda path: path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes()),
    "CRLF": lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n")),
    "UTF-16": lambda path: path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16")),
    "UTF-16 without mark": lambda path: path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16-le")),
    "Latin-1": lambda path: path.write_bytes(path.read_bytes() + "é\n".encode("latin-1")),
    "cut in a row": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "cut at a cell": lambda path: path.write_bytes(path.read_bytes().rpartition(b",")[0] + b"\n"),
    "open quotation": lambda path: path.write_bytes(b'\n"'.join(path.read_bytes().rsplit(b"\n", 2)[:2]) + b"\n"),
    "extra column": lambda path: change(path, lambda rows: [[*row, "x"] for row in rows]),
    "column gone": lambda path: change(path, lambda rows: [row[:-1] for row in rows]),
    "columns swapped": lambda path: change(path, lambda rows: [[row[1], row[0], *row[2:]] for row in rows]),
    "an extra cell": lambda path: change(path, lambda rows: [*rows[:-1], [*rows[-1], "x"]]),
    "a cell too few": lambda path: change(path, lambda rows: [*rows[:-1], rows[-1][:-1]]),
    "a row twice": lambda path: change(path, lambda rows: [*rows, rows[-1]]),
    "two rows swapped": lambda path: change(path, lambda rows: [*rows[:1], rows[2], rows[1], *rows[3:]]),
}


def change(path, how):
    path.write_text(rewritten(how(list(csv.reader(path.read_text(encoding="utf-8").splitlines())))), encoding="utf-8")


@pytest.mark.parametrize("way", CORRUPT)
@pytest.mark.parametrize("name", TABLES)
def test_a_spoilt_file_is_refused_by_name(name, way, copy):
    CORRUPT[way](copy / f"{name}.csv")
    faults = found(copy)
    if (name, way) in {(name, "two rows swapped") for name in ("gaps", "facts", "words", "articles")}:
        return  # these tables stand in the order that their author chose
    assert any(fault.startswith(f"{name}.csv, line ") for fault in faults), faults


def test_many_faults_are_all_told_at_once(copy):
    for name, old, new in (
        ("statements", "pana la 50%", "pana la 60%"),
        ("statements", "Andy Jassy,el a spus", ",el a spus"),
        ("facts", "use,tokens processed", "uses,tokens processed"),
        ("gaps", "ro 52", "ro 56"),
    ):
        path = copy / f"{name}.csv"
        path.write_text(TABLES[name].replace(old, new) if name != "statements" else path.read_text().replace(old, new))
    assert len(found(copy)) == 4


# One fault of each kind that the descriptor rules out: (table, column, line, what the cell becomes), None: a whole row.
RULED_OUT = {
    "type integer": ("statements", 1, "2.5"),
    "type number": ("statements", 4, "many"),
    "type boolean": ("facts", 4, "yes"),
    "required": ("facts", 2, ""),
    "enum": ("facts", 3, "furlongs"),
    "pattern": ("gaps", 0, "Upper Case"),
    "minimum": ("statements", 1, "0"),
    "unique": ("articles", 5, "000_cb2235fd2041469b.txt"),
    "primary key": ("gaps", 0, "power-per-chip"),
    "foreign key": ("positions", 1, "fr"),
}


@pytest.mark.parametrize("kind", [*RULED_OUT, "missing", "Latin-1", *list(CORRUPT)[12:17]])
def test_frictionless_refuses_what_the_descriptor_rules_out_and_so_do_we(kind, copy):
    if kind in RULED_OUT:
        name, column, new = RULED_OUT[kind]
        change(
            copy / f"{name}.csv", lambda rows: [rows[0], [*rows[1][:column], new, *rows[1][column + 1 :]], *rows[2:]]
        )
    else:
        CORRUPT[kind](copy / "events.csv")
    assert not frictionless.validate(str(copy / "datapackage.json")).valid
    assert found(copy)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"resources": [', '"resources": ['[:-1]),
        ('"name": "facts"', '"name": "fact"'),
        ('"primaryKey"', '"primaryKeys"'),
        ('"type": "boolean"', '"type": "bool"'),
        ('"pattern": "', '"pattern": "('),
        ('"resource": "facts"', '"resource": "things"'),
    ],
)
def test_a_spoilt_descriptor_is_refused(old, new, copy):
    path = copy / "datapackage.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    for content in (text.replace(old, new, 1), text[: text.index(old)]):
        path.write_text(content, encoding="utf-8")
        assert found(copy)[0].startswith("datapackage.json, line ")
    path.unlink()
    assert found(copy)[0].startswith("datapackage.json, line 1")


@pytest.mark.parametrize("column", ["paragraph", "bound", "as_printed", "said_by"])
def test_a_loosened_descriptor_is_refused_with_the_data_that_it_lets_through(column, copy):
    path = copy / "datapackage.json"
    package = json.loads(path.read_text(encoding="utf-8"))
    fields = {field["name"]: field for field in package["resources"][3]["schema"]["fields"]}
    del fields[column]["constraints"]["required"]
    path.write_text(json.dumps(package), encoding="utf-8")
    assert found(copy) == []
    place = list(fields).index(column)
    change(copy / "statements.csv", lambda rows: [*rows[:4], [*rows[4][:place], "", *rows[4][place + 1 :]], *rows[5:]])
    assert found(copy)


def test_the_readme_has_the_descriptors_dictionary():
    readme = (articles.DATA.parent / "README.md").read_text(encoding="utf-8")
    for resource in json.loads((articles.DATA / "datapackage.json").read_text(encoding="utf-8"))["resources"]:
        key = resource["schema"]["primaryKey"]
        assert f"`{resource['path']}`" in readme and f"Key: {' + '.join(f'`{column}`' for column in key)}" in readme
        for field in resource["schema"]["fields"]:
            needed = "required" if field.get("constraints", {}).get("required") else "may be empty"
            assert f"| `{field['name']}` | {field['type']}, {needed} | {field['description']} |" in readme
