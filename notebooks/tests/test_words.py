"""No number is typed in our words, no hedge stands by hand before a computed one, and each reference has a row."""

import ast
import re
import unicodedata

import pytest
from conftest import TOP
from rebuild import EVAL

SOURCE = (TOP / "notebooks" / "trainium.md").read_text(encoding="utf-8")
LINES = (TOP / "data" / "articles.csv").read_text(encoding="utf-8").splitlines()[1:]
ARTICLES = "|".join(line.split(",")[0] for line in LINES)
SPELT = r"hundreds?|thousands?|(m|b|tr)illions?|dozens?|per ?cent|thirds?|(twen|thir|for|fif|six|seven|eigh|nine)ty"
MODULES = ("tables", "printed", "bounds", "charts", "display")  # the messages of checks give figures as examples
HEDGE = r"roughly|exactly|more than|over|fewer than|less than|at least|at most|up to|about|around|nearly|almost|only"
NOT_A_NUMBER = re.compile(
    rf"\b({ARTICLES}) \d+\b"  # a reference
    r"|^#+ \d\. "  # a section
    r"|\b(Trainium|Trn|EC)\d\b"  # a name
    r"|^\| “[^|]*” \|",  # what is easily said, in quotation marks
    re.MULTILINE,
)


def words(source):
    """The words of trainium.md, line by line, without front matter and code."""
    front = re.sub(r"\A---\n.*?\n---\n", lambda match: "\n" * match[0].count("\n"), source, flags=re.DOTALL)
    code = re.sub(
        r"^```\{code-cell\}\n.*?^```$", lambda m: "\n" * m[0].count("\n"), front, flags=re.DOTALL | re.MULTILINE
    )
    return code.splitlines()


def typed(source):
    """Each number typed in the words, and each hedge typed before a computed number, with its line."""
    for line, text in enumerate(words(source), 1):
        left = NOT_A_NUMBER.sub("", EVAL.sub("", text)).replace("more than two thirds", "")  # a heading that is guarded
        if number := re.search(rf"\d|\b({SPELT})\b", left, re.IGNORECASE):
            yield f"trainium.md, line {line}: the number {number[0]} is typed, expected {{eval}} and a name: {text}"
        if hedge := re.search(rf"\b({HEDGE}) [“*]*\{{eval\}}", text, re.IGNORECASE):
            yield f"trainium.md, line {line}: a hedge is typed before a name: {hedge[0]}"
        if hedge := re.search(r"\{eval\}`[^`]*`[”*]* (or (more|less|so)|and (more|over)|at (least|most))\b", text):
            yield f"trainium.md, line {line}: a hedge is typed after a name: {hedge[0]}"
        if sign := next(
            (sign for sign in text if sign == "<" or (sign > "\x7f" and unicodedata.numeric(sign, None))), ""
        ):
            yield f"trainium.md, line {line}: the sign {sign} is typed"


def lost(source, data):
    """Each reference of the words to a paragraph that has no row."""
    rows = {where for table in (data.statements, data.events, data.positions) for where in table["where"]}
    rows |= set(data.gaps.nearest.dropna())
    for line, text in enumerate(words(source), 1):
        for reference in re.findall(rf"\b(?:{ARTICLES}) \d+\b", text):
            if reference not in rows:
                yield f"trainium.md, line {line}: {reference} has no row in data/"


def test_no_number_and_no_hedge_is_typed():
    assert list(typed(SOURCE)) == []


def test_each_name_is_bound_once():
    """A name that is bound again would say something else in the words below than in those above."""
    code = "\n".join(re.findall(r"^```\{code-cell\}\n(.*?)^```$", SOURCE, re.DOTALL | re.MULTILINE))
    bound = [
        node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    assert len(bound) > 20 and sorted(bound) == sorted({*bound})


def test_each_reference_has_a_row(data):
    assert list(lost(SOURCE, data)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Not stated: chips per generation;", "Not stated: 3 chips per generation;"),
        ("Not stated: a typical saving;", "Not stated: a typical saving, perhaps thirty percent;"),
        ("| On {eval}`claude`;", "| On more than {eval}`claude`;"),
        ("| By {eval}`ro.cost_cut`,", "| By up to {eval}`ro.cost_cut`,"),
        ("| On {eval}`claude`;", "| On {eval}`claude` or more;"),
        ("Not stated: a typical saving;", "Not stated: a typical saving, perhaps ½;"),
        ("(ro 11)", "(ro 11, ro 46)"),
    ],
)
def test_what_is_typed_is_found_with_its_line(old, new, data):
    assert SOURCE.count(old) == 1
    line = SOURCE[: SOURCE.index(old)].count("\n") + 1
    changed = SOURCE.replace(old, new)
    assert any(f"line {line}: " in fault for fault in [*typed(changed), *lost(changed, data)])


@pytest.mark.parametrize("module", MODULES)
def test_no_number_is_typed_in_what_a_module_says(module):
    """Its text literals, those that hold words: no digit that is not part of a name or of a format."""
    tree = ast.parse((TOP / "notebooks" / f"{module}.py").read_text(encoding="utf-8"))
    documented = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docstrings = {id(node.body[0].value) for node in documented if isinstance(node.body[0], ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for node in texts:
        if id(node) not in docstrings and " " in node.value.strip() and not re.search(r"[\\\[\]|]", node.value):
            assert not re.search(r"(?<![A-Za-z#])\d", NOT_A_NUMBER.sub("", node.value)), (
                f"{module}.py, line {node.lineno}: {node.value}"
            )


def test_no_text_that_a_reader_sees_has_a_pair_of_dollars():
    """A pair of them in one block becomes mathematics; those that are printed stand in tables, apart."""
    assert "$" not in SOURCE and "$" not in (TOP / "README.md").read_text(encoding="utf-8")


def test_files_are_as_git_and_its_stock_hooks_want_them():
    """LF on every system, no blanks at the end of a line, one new line at the end of a file."""
    assert "* text=auto eol=lf" in (TOP / ".gitattributes").read_text(encoding="utf-8")
    folders = (TOP, TOP / "data", TOP / "notebooks", TOP / "notebooks" / "tests")
    kinds = {".py", ".md", ".csv", ".json", ".ipynb", ".txt", ".in", ".mplstyle"}
    for path in (path for folder in folders for path in folder.iterdir() if path.suffix in kinds):
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("\n") and not text.endswith("\n\n"), path
        assert not re.search(r"[ \t\r]$", text, re.MULTILINE), path
