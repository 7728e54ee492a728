"""No number is typed in our words, no hedge stands by hand beside a computed one, and each reference has a row."""

import ast
import re
import unicodedata

import pytest
from conftest import TOP
from rebuild import EVAL

SOURCE = (TOP / "notebooks" / "trainium.md").read_text(encoding="utf-8")
NOT_OURS = re.compile(r"\A---\n.*?\n---\n|^```\{code-cell\}\n.*?^```$", re.DOTALL | re.MULTILINE)
OURS = [*enumerate(NOT_OURS.sub(lambda code: "\n" * code[0].count("\n"), SOURCE).splitlines(), 1)]  # with line numbers
LINES = (TOP / "data" / "articles.csv").read_text(encoding="utf-8").splitlines()[1:]
REFERENCE = rf"\b(?:{'|'.join(line.split(',')[0] for line in LINES)}) \d+\b"
SPELT = r"hundreds?|thousands?|(m|b|tr)illions?|dozens?|per ?cent|thirds?|(twen|thir|for|fif|six|seven|eigh|nine)ty"
HEDGE = r"roughly|exactly|more than|over|fewer than|less than|at least|at most|up to|about|around|nearly|almost|only"
AFTER = r"or (more|less|so)|and (more|over)|at (least|most)"
TYPED = re.compile(rf"\b({SPELT})\b|\b({HEDGE}) [“*]*NAME|NAME[”*]* ({AFTER})\b", re.IGNORECASE)
NOT_A_NUMBER = re.compile(
    rf"{REFERENCE}"
    r"|^#+ \d\. "  # a section
    r"|\b(Trainium|Trn|EC)\d\b"  # a name
    r"|^\| “[^|]*” \|"  # what is easily said, in quotation marks
    r"|more than two thirds"  # a heading that is guarded
)


def typed(line):
    """The numbers in a line of our words, and the hedges beside what {eval} says."""
    left = NOT_A_NUMBER.sub("", EVAL.sub(lambda match: "NAME" if match[1] else match[0], line))
    signs = [sign for sign in left if sign == "<" or unicodedata.numeric(sign, None) is not None]
    return signs + [found[0] for found in TYPED.finditer(left)]


def test_no_number_and_no_hedge_is_typed():
    assert [f"trainium.md, line {number}: {found}" for number, line in OURS if (found := typed(line))] == []


@pytest.mark.parametrize(
    "line",
    [
        "Not stated: 3 chips per generation",
        "perhaps thirty percent",
        "perhaps ½",
        "On more than {eval}`claude`",
        "By “up to {eval}`ro.cost_cut`”",
        "On {eval}`claude` or more",
    ],
)
def test_what_is_typed_is_found(line):
    assert typed(line)


def test_each_reference_has_a_row(data):
    known = {where for table in (data.statements, data.events, data.positions) for where in table["where"]}
    known |= {*data.gaps.nearest.dropna()}
    told = ((number, reference) for number, line in OURS for reference in re.findall(REFERENCE, line))
    assert [f"trainium.md, line {number}: {reference}" for number, reference in told if reference not in known] == []


@pytest.mark.parametrize("module", ["tables", "printed", "bounds", "charts", "display"])
def test_no_number_is_typed_in_what_a_module_says(module):
    """Its texts of several words: no digit but in a name or a format. (checks.py gives figures as examples.)"""
    nodes = [*ast.walk(ast.parse((TOP / "notebooks" / f"{module}.py").read_text(encoding="utf-8")))]
    docstrings = [node.value for node in nodes if isinstance(node, ast.Expr)]
    texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for text in (node.value for node in texts if node not in docstrings):
        is_pattern = re.search(r"[\\\[\]|]", text)
        if " " in text.strip() and not is_pattern:
            assert not re.search(r"(?<![A-Za-z#])\d", NOT_A_NUMBER.sub("", text)), text


def test_no_text_that_a_reader_sees_has_a_dollar_sign():
    """A pair of them in one block becomes mathematics; those that are printed stand in tables, apart."""
    assert "$" not in SOURCE and "$" not in (TOP / "README.md").read_text(encoding="utf-8")


def test_files_are_as_git_and_its_stock_hooks_want_them():
    """LF on every system, no blanks at the end of a line, one new line at the end of a file."""
    assert "* text=auto eol=lf" in (TOP / ".gitattributes").read_text(encoding="utf-8")
    folders = (TOP, TOP / "data", TOP / "notebooks", TOP / "notebooks" / "tests")
    kinds = {".py", ".md", ".csv", ".json", ".ipynb", ".txt", ".in", ".mplstyle"}
    for path in (path for folder in folders for path in folder.iterdir() if path.suffix in kinds):
        text = path.read_bytes().decode("utf-8")
        assert not re.search(r"[ \t\r]$|\n\n\Z|[^\n]\Z", text, re.MULTILINE), path
