"""How a picture and a table show themselves in a notebook."""

from dataclasses import dataclass
from html import escape
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
    width: int

    def png(self) -> bytes:
        """The picture as a file, the same bytes each time."""
        self.figure.dpi = PIXELS / self.figure.get_figwidth()
        drawn, size = FigureCanvasAgg(self.figure).print_to_buffer()
        image = Image.frombytes("RGBA", size, drawn).convert("RGB").quantize(24, Image.Quantize.FASTOCTREE)
        file = BytesIO()
        image.save(file, "png")
        return file.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        metadata = {"image/png": {"alt": self.alt, "width": self.width}}
        return {"image/png": self.png(), "text/plain": self.alt}, metadata


@dataclass(frozen=True)
class Table:
    """A table of texts: its columns, and rows of as many cells; a new line in a cell stays one."""

    columns: list[str]
    rows: list[list[str]]

    def _repr_mimebundle_(self, include=None, exclude=None):
        style = 'style="text-align: left; vertical-align: top"'
        head = "".join(f"<th {style}>{column}</th>" for column in self.columns)
        cells = [[escape(cell, quote=False).replace("\n", "<br>") for cell in row] for row in self.rows]
        body = "".join(f"<tr>{''.join(f'<td {style}>{cell}</td>' for cell in row)}</tr>\n" for row in cells)
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        escaped = [[cell.replace("|", r"\|").replace("$", r"\$").replace("\n", " / ") for cell in row] for row in lines]
        plain = ["\n".join(map("{}: {}".format, self.columns, row)) for row in self.rows]
        return {
            "text/html": f'<table class="tex2jax_ignore mathjax_ignore">\n<tr>{head}</tr>\n{body}</table>',
            "text/markdown": "\n".join(f"| {' | '.join(row)} |" for row in escaped),
            "text/plain": "\n\n".join(plain),
        }


def numbers(data) -> Table:
    """Every statement of a number, with what is printed, who says it, and the passages that it conflicts with."""
    rows, stated = [], _rows(data.statements)
    for row in stated:
        same = [other for other in stated if other.fact == row.fact]
        conflicts = [f"{how} {other.where}" for other in same if (how := row.number.conflict_with(other.number))]
        notes = ". ".join([*conflicts, row.note] if row.note else conflicts)
        who = f"{row.person} of {row.who}" if row.person else row.who
        number = f"{row.as_printed}\n{row.number}"
        rows.append([data.facts.quantity[row.fact], number, f"{row.where}, {who}\n{notes}".strip()])
    return Table(["What is counted", "As printed, and in English", "Where, who, note"], rows)


def times(data) -> Table:
    """Every mention of a time, with what is printed and the date that we read in it."""
    rows = []
    for row in _rows(data.events):
        date = row.earliest if row.earliest == row.latest else f"{row.earliest} to {row.latest}"
        date += ", year inferred" if row.year_from == "inferred" else ""
        time = f"{row.as_printed}\n{row.in_english}\n{date or 'no date'}"
        rows.append([row.what, time, f"{row.where}\n{row.note}".strip()])
    return Table(["What happens", "As printed, in English, and the date", "Where, note"], rows)


def passages(data, *about: str) -> Table:
    """What the articles say to each question, or to those that hold one of `about`; ValueError if none holds it."""
    said = {}
    for row in _rows(data.positions):
        star = "*" if row.who.endswith("*") else ""
        said.setdefault(row.question, []).append(f"{row.where}{star}: {row.position}")
    for words in about:
        if not any(words in question for question in said):
            raise ValueError(f'no question of positions.csv holds "{words}"')
    asked = [question for question in said if not about or any(words in question for words in about)]
    return Table(["Question", "What is said"], [[question, "\n".join(said[question])] for question in asked])


def gaps(data) -> Table:
    """What neither article states, what it would tell, and the passage that comes nearest."""
    rows = [[row.missing, row.would_tell, row.nearest] for row in _rows(data.gaps)]
    return Table(["Not stated", "Would tell", "Nearest"], rows)


def articles(data) -> Table:
    """The headline of each article, its translation, and what the text says of its own source."""
    rows = [[f"{row.article}: {row.title}", row.title_in_english, row.retells] for row in _rows(data.articles)]
    return Table(["Headline", "In English", "Its source"], rows)


def _rows(table):
    """The rows of a table, with their keys; a text that is missing is an empty one."""
    rows = table.reset_index()
    return list(rows.fillna(dict.fromkeys(rows.select_dtypes("string"), "")).itertuples())
