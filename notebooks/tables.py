"""Reads the tables of data/ into pandas."""

from pathlib import Path
from types import SimpleNamespace

import checks
import pandas as pd
from bounds import Bound

DTYPES = {"string": "string", "boolean": "boolean", "integer": "Int64", "number": "Float64"}
NO_SOURCE = "no source named"


class Faults(ValueError):  # noqa: N818 (it is a list of them)
    """Every fault found, one a line."""

    def _render_traceback_(self):  # what a notebook shows: the faults and nothing else
        return str(self).splitlines()


def load(folder: Path = checks.DATA) -> SimpleNamespace:
    """The tables of data/ as DataFrames, each indexed by its key; raises Faults if they cannot be relied on.

    Text is "string", numbers "Int64" or "Float64", an empty cell <NA>. What has a paragraph has it in `where`
    ("ro 9") and what has a speaker has it in `who` ("Amazon*": read from the context). Statements have their
    Bound in `number`, with its English translation.
    """
    try:
        frames = {name: _frame(folder / f"{name}.csv", schema) for name, schema in checks.schemas(folder).items()}
        rows = checks.Tables(folder)
        faults = checks.told(checks.between_rows(rows))
    except Exception as error:  # whatever spoilt tables lead to
        advice = "data/ cannot be read; python notebooks/rebuild.py lists every fault"
        faults = [f"{type(error).__name__}: {error}", advice]
    if faults:
        raise Faults("\n".join(faults))
    tables = SimpleNamespace(**frames)
    tables.statements["number"] = [_number(row, rows.parts(row, "in_english")) for row in rows.statements]
    return tables


def said(data: SimpleNamespace, article: str) -> SimpleNamespace:
    """What an article says of each fact where it first does, as a Bound: claude-chips is `claude_chips`."""
    stated = data.statements.loc[article].reset_index().drop_duplicates("fact")
    return SimpleNamespace(**dict(zip(stated.fact.str.replace("-", "_"), stated.number, strict=True)))


def _number(row, parts):
    return Bound.stated(*parts.figure(), told=row["in_english"], printed=row["as_printed"], step=parts.step())


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
