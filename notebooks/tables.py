"""Reads the tables of data/ into pandas."""

import json
from pathlib import Path
from types import SimpleNamespace

import checks
import pandas as pd
from bounds import Bound
from checks import DATA
from printed import pieces, spans, step

DTYPES = {"string": "string", "boolean": "boolean", "integer": "Int64", "number": "Float64"}
NO_SOURCE = "no source named"
AMAZON = {"Amazon", "Amazon*", NO_SOURCE}


class Faults(ValueError):  # noqa: N818 (it is a list of them)
    """Every fault found, one a line."""

    def _render_traceback_(self):  # what a notebook shows: the faults and nothing else
        return str(self).splitlines()


def load(folder: Path = DATA) -> SimpleNamespace:
    """The tables of data/ as DataFrames, each indexed by its key; raises Faults if they cannot be relied on.

    Text is "string", numbers "Int64" or "Float64", an empty cell <NA>. What has a paragraph has it in `where`
    ("ro 9") and what has a speaker has it in `who` ("Amazon*": read from the context). Statements have their
    Bound in `number`, with its English translation.
    """
    try:
        package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        schemas = {resource["name"]: resource["schema"] for resource in package["resources"]}
        frames = {name: _frame(folder / f"{name}.csv", schemas[name]) for name in checks.TABLES}
        faults = [str(fault) for fault in checks.between_rows(folder)]
    except (OSError, LookupError, ValueError) as error:
        faults = [
            f"{type(error).__name__}: {error}",
            "data/ cannot be read; python notebooks/rebuild.py lists every fault",
        ]
    if faults:
        raise Faults("\n".join(faults))
    tables = SimpleNamespace(**frames)
    english = tables.words.means[checks.ENGLISH].to_dict()
    tables.statements["number"] = [
        _number(row, tables.facts.unit[row["fact"]], pieces(row["in_english"], english, ".", ","))
        for row in checks.rows(folder, "statements")
    ]
    return tables


def said(data: SimpleNamespace, article: str) -> SimpleNamespace:
    """What an article says of each fact where it first does, as a Bound: claude-chips is `claude_chips`."""
    stated = data.statements.loc[article].reset_index().drop_duplicates("fact")
    return SimpleNamespace(**dict(zip(stated.fact.str.replace("-", "_"), stated.number, strict=True)))


def _number(row, unit, found):
    printed = {"printed": row["as_printed"], "told": spans(row["in_english"], found), "step": step(found)}
    return Bound.stated(row["bound"], row["low"], row["high"], unit, **printed)


def _frame(path, schema):
    types = {field["name"]: DTYPES[field["type"]] for field in schema["fields"]}
    frame = pd.read_csv(path, dtype=types, keep_default_na=False, na_values=[""], encoding="utf-8")
    if {"article", "paragraph"} <= set(frame):
        frame["where"] = frame.article + " " + frame.paragraph.astype("string")
    if "said_by" in frame:
        star = frame.attribution.map({"inferred": "*"}).fillna("")
        frame["who"] = (frame.said_by + star).where(frame.said_by != checks.NARRATION, NO_SOURCE)
    keyed = frame.set_index(schema["primaryKey"])
    if not keyed.index.is_unique:
        raise ValueError(f"{path.name} has a key twice")
    return keyed
