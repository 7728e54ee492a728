"""How a picture and a table show themselves in a notebook."""

import html
from dataclasses import dataclass
from io import BytesIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

PIXELS = 940  # across; with 1,200, as with more than 24 colours, the notebook would be above 500 kB


@dataclass(frozen=True)
class Picture:
    """A drawn figure, its alt text, and the width at which a notebook shows it, in CSS pixels."""

    figure: Figure
    alt: str
    width: int = 400

    def png(self) -> bytes:
        """The picture as a file, the same bytes each time."""
        canvas = FigureCanvasAgg(self.figure)
        self.figure.dpi = PIXELS / self.figure.get_figwidth()
        canvas.draw()
        image = Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())).convert("RGB")
        file = BytesIO()
        image.quantize(24, Image.Quantize.FASTOCTREE).save(file, "png")
        return file.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        metadata = {"image/png": {"alt": self.alt, "width": self.width}}
        return {"image/png": self.png(), "text/plain": self.alt}, metadata


class Table:
    """A table of texts, as (column, ...) and rows of as many cells; a new line in a cell stays one."""

    def __init__(self, columns: list[str], rows: list[list[str]]):
        self.columns, self.rows = columns, [[str(cell) for cell in row] for row in rows]

    def _repr_mimebundle_(self, include=None, exclude=None):
        cells = [[html.escape(cell, quote=False).replace("\n", "<br>") for cell in row] for row in self.rows]
        style = 'style="text-align: left; vertical-align: top"'
        head = "".join(f"<th {style}>{html.escape(column)}</th>" for column in self.columns)
        body = "".join(f"<tr>{''.join(f'<td {style}>{cell}</td>' for cell in row)}</tr>\n" for row in cells)
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        escaped = [[cell.replace("|", r"\|").replace("$", r"\$").replace("\n", " / ") for cell in row] for row in lines]
        pairs = [zip(self.columns, row, strict=True) for row in self.rows]
        return {
            "text/html": f'<table class="tex2jax_ignore mathjax_ignore">\n<tr>{head}</tr>\n{body}</table>',
            "text/markdown": "\n".join(f"| {' | '.join(row)} |" for row in escaped),
            "text/plain": "\n\n".join("\n".join(f"{column}: {cell}" for column, cell in row) for row in pairs),
        }


def numbers(data) -> Table:
    """Every statement of a number, with what is printed, who says it, and the passages that it conflicts with."""
    rows, stated = [], data.statements.reset_index()
    for row in stated.itertuples():
        same = stated[stated.fact == row.fact]
        agree = {other.where: row.number.agrees_with(other.number) for other in same.itertuples()}
        told = {"NO": "Conflicts with", "open": "May conflict with"}
        conflicts = [f"{told[how]} {where}" for where, how in agree.items() if how != "yes" and where != row.where]
        notes = ". ".join(note for note in (*conflicts, row.note) if isinstance(note, str))
        source = row.where + ", " + (f"{row.person} of {row.who}" if isinstance(row.person, str) else row.who)
        rows.append([data.facts.quantity[row.fact], f"{row.as_printed}\n{row.number}", f"{source}\n{notes}".strip()])
    return Table(["What is counted", "As printed, and in English", "Where, who, note"], rows)


def times(data) -> Table:
    """Every mention of a time, with what is printed and the date that we read in it."""
    rows = []
    for row in data.events.reset_index().itertuples():
        date = "no date"
        if isinstance(row.earliest, str):
            date = row.earliest if row.earliest == row.latest else f"{row.earliest} to {row.latest}"
            date += ", year inferred" if row.year_from == "inferred" else ""
        note = row.note if isinstance(row.note, str) else ""
        rows.append([row.what, f"{row.as_printed}\n{row.in_english}\n{date}", f"{row.where}\n{note}".strip()])
    return Table(["What happens", "As printed, in English, and the date", "Where, note"], rows)


def passages(data, *about: str) -> Table:
    """What the articles say to each question, or to those questions that hold one of the words of `about`."""
    asked = data.positions.reset_index().groupby("question", sort=False)
    for words in about:
        if not any(words in question for question, _ in asked):
            raise ValueError(f'no question of positions.csv holds "{words}"')
    rows = [
        [question, "\n".join(f"{row.where}{_star(row)}: {row.position}" for row in said.itertuples())]
        for question, said in asked
        if not about or any(words in question for words in about)
    ]
    return Table(["Question", "What is said"], rows)


def gaps(data) -> Table:
    """What neither article states, what it would tell, and the passage that comes nearest."""
    shown = data.gaps[["missing", "would_tell", "nearest"]].fillna("")
    return Table(["Not stated", "Would tell", "Nearest"], shown.values.tolist())


def articles(data) -> Table:
    """The headline of each article, its translation, and what the text says of its own source."""
    shown = data.articles.reset_index()
    titles = shown.article + ": " + shown.title
    rows = zip(titles, shown.title_in_english, shown.retells, strict=True)
    return Table(["Headline", "In English", "Its source"], list(rows))


def _star(row):
    return "*" if row.who.endswith("*") else ""
