"""The committed page is what its data and words produce; whatever goes wrong, it is told and nothing is written."""

import json
import os
import platform
import re
import signal
import sys
import threading

import checks
import pytest
import rebuild
from conftest import TOP

NOTEBOOK = TOP / "notebooks" / "trainium.ipynb"
LINUX = (platform.system(), platform.machine()) == ("Linux", "x86_64")


def cells(project):
    return json.loads((project.notebooks / "trainium.ipynb").read_text(encoding="utf-8"))["cells"]


def shown(project):
    """All words and tables of the page, and the alt texts of its pictures."""
    texts = ["".join(cell["source"]) for cell in cells(project)]
    for output in (output for cell in cells(project) for output in cell.get("outputs", [])):
        texts.append("".join(output["data"]["text/plain"]))
    return "\n".join(texts)


def test_the_committed_page_is_what_its_data_and_words_produce():
    for path, content in rebuild.build().items():
        if LINUX:
            assert path.read_bytes() == content, f"{path.name}: run rebuild.py"
        elif path == NOTEBOOK:  # elsewhere pictures may differ by bytes
            pictures = re.compile(rb'"image/png": "[^"]*"')
            assert pictures.sub(b"", path.read_bytes()) == pictures.sub(b"", content)


def test_one_cell_of_the_data_changes_every_word_that_rests_on_it(project):
    """1.2 million deployed: 1 / 1.2 is 83.3%, 1 / 1.25 is 80%; 2 GW / 1.2 million is 1,666.7 W."""
    project.replace(
        "data/statements.csv",
        '1400000,1400000,"1,4 milioane de cipuri",1.4',
        '1200000,1200000,"1,2 milioane de cipuri",1.2',
    )
    code, printed = project.rebuild()
    assert code == 0, printed
    page, readme = shown(project), (project.folder / "README.md").read_text(encoding="utf-8")
    for words in (
        "more than 83%; more than 80.0%",
        "fewer than 200,000 chips, less than 17%; fewer than 250,000",
        "1,667 W per chip",
    ):
        assert words in page
    for text in (page, readme):
        assert "1.4 million chips of Amazon's" not in text and "1.2 million chips of Amazon's" in text
    assert "Written: trainium.png" in printed


def test_a_heading_that_no_longer_holds_stops_the_rebuild(project):
    """1 million of 1.6 million is less than two thirds."""
    project.replace(
        "data/statements.csv",
        '1400000,1400000,"1,4 milioane de cipuri",1.4',
        '1600000,1600000,"1,6 milioane de cipuri",1.6',
    )
    before = project.files()
    code, printed = project.rebuild()
    assert code == 1 and "Claude runs on more than two thirds of the deployed chips" in printed, printed
    assert project.files() == before and "Traceback" not in printed


SPOILT = [
    ("data/statements.csv", "pana la 50%", "pana la 5%", 'statements.csv, line 8, column as_printed: "pana la 5%"'),
    ("data/words.csv", "ro,milion,", "ro,mili\u200bon,", "no unseen sign"),
    ("notebooks/trainium.md", "share = claude / deployed", "share = claude / nothing", "name 'nothing' is not defined"),
    ("notebooks/trainium.md", "| {eval}`share`;", "| {eva l}`share`;", "expected a brace only in {eval}"),
    ("notebooks/trainium.md", "| {eval}`share`;", "| {eval}`shares`;", "no cell above binds `shares`"),
    ("notebooks/trainium.md", "| {eval}`share`;", "| {eval}`share.low + 1`;", "takes a name or a dotted name"),
    ("notebooks/trainium.md", "| {eval}`share`;", "| {eval}`share.lower`;", "`share.lower` cannot be said"),
    ("notebooks/trainium.md", "| {eval}`share`;", "| {eval}`share.low`;", "neither a Bound nor a count nor a text"),
    (
        "notebooks/trainium.md",
        "none_in_mr = not ",
        "none_in_mr = ",
        'the heading "## 5. The Marathi article carries none',
    ),
    ("notebooks/trainium.md", "% holds: to_half", "% hold: to_half", "above a heading"),
    ("notebooks/trainium.md", "## To quote", "## Quotes", "Nothing was written"),
    ("notebooks/trainium.md", "others_2 = ", "share = 1\nothers_2 = ", "each name is bound once"),
    (
        "notebooks/trainium.md",
        "share = claude / deployed",
        "share = claude / deployed\nprint(share)",
        "prints or warns",
    ),
    ("README.md", "<!-- up to here -->", "", "the two comments around its first part"),
]


@pytest.mark.parametrize(("path", "old", "new", "told"), SPOILT)
def test_whatever_is_wrong_is_told_and_nothing_is_written(project, path, old, new, told):
    project.replace(path, old, new)
    before = project.files()
    code, printed = project.rebuild()
    assert code == 1 and told in printed and "Nothing was written" in printed and "Traceback" not in printed, printed
    assert project.files() == before


def changed(project, how):
    path = project.notebooks / "trainium.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    how(notebook)
    path.write_bytes(json.dumps(notebook).encode("utf-8"))


def edited(notebook):
    notebook["cells"][0]["source"] = ["An edit by hand"]


def another_cell(notebook):
    notebook["cells"].append(notebook["cells"][0])


@pytest.mark.parametrize(("how", "told"), [(edited, "cell 1 of trainium.ipynb"), (another_cell, "the number of cells")])
def test_an_edit_by_hand_is_refused_and_kept(project, how, told):
    changed(project, how)
    before = project.files()
    code, printed = project.rebuild()
    assert code == 1 and told in printed and "move the edit to trainium.md" in printed
    assert project.files() == before


def test_an_edit_is_kept_where_a_cleaner_took_the_hashes_away(project):
    def cleaned(notebook):
        notebook["metadata"].pop("trainium")
        edited(notebook)

    changed(project, cleaned)
    before = project.files()
    code, printed = project.rebuild()
    assert code == 1 and "cell 1 of trainium.ipynb" in printed and project.files() == before


def test_force_writes_over_an_edit_by_hand(project):
    changed(project, edited)
    assert project.rebuild("--force")[0] == 0 and "An edit by hand" not in shown(project)


def test_what_editors_and_cleaners_change_does_not_stop_a_rebuild(project):
    def stripped(notebook):
        notebook["metadata"] = {"kernelspec": {"name": "other", "display_name": "Other"}}
        notebook["nbformat_minor"] = 4
        for cell in notebook["cells"]:
            cell.pop("id")
            cell["metadata"] = {"tags": ["x"]}
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}

    changed(project, stripped)
    code, printed = project.rebuild()
    assert code == 0, printed
    assert not LINUX or (project.notebooks / "trainium.ipynb").read_bytes() == NOTEBOOK.read_bytes()


def test_check_tells_what_differs_and_writes_nothing(project):
    (project.notebooks / "trainium.png").write_bytes(b"")
    before = project.files()
    code, printed = project.rebuild("--check")
    assert code == 1 and "trainium.png is not what its data and code produce" in printed
    assert project.files() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_ctrl_c_leaves_everything_as_it_was(project):
    before = project.files()
    process = project.start()
    stop = threading.Timer(60, process.kill)  # whatever happens, this test ends
    stop.start()
    heard = ""
    while "cell 3 " not in heard and (sign := process.stderr.read(1)):
        heard += sign
    process.send_signal(signal.SIGINT)
    printed = "".join(process.communicate())
    stop.cancel()
    assert process.returncode == 1 and "Stopped." in printed and "Traceback" not in printed
    assert project.files() == before


def test_a_reader_s_settings_and_console_do_not_reach_the_result(project, tmp_path):
    """Their matplotlib and Python settings, and a console that cannot print what a fault quotes."""
    (tmp_path / "matplotlibrc").write_text("font.size: 30\n", encoding="utf-8")
    theirs = {
        "MATPLOTLIBRC": str(tmp_path),
        "PYTHONWARNINGS": "error",
        "PYTHONSAFEPATH": "1",
        "JUPYTER_PATH": "/nowhere",
    }
    code, printed = project.rebuild("--check", env=os.environ | theirs)
    assert code == 0 or not LINUX, printed
    project.replace("data/statements.csv", "दहा हजारो chips पर्यंत", "दहा हजारो chips")
    code, printed = project.rebuild(env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert code == 1 and "statements.csv, line 23, column in_english" in printed and "Traceback" not in printed


def test_another_article_shows_up_and_so_does_its_contradiction(project):
    def add(table, line):
        project.append(f"data/{table}.csv", f"{line}\n")

    statements = len(checks.rows(checks.DATA, "statements"))
    add("articles", f'xx,en,Another telling,Another telling,Nothing,xx.txt,{"0" * 64},4,.,","')
    add("statements", 'xx,2,claude-chips,plain,900000,900000,"900,000 chips","900,000 chips",narration,,,,')
    add("events", "later-deal,xx,2,A later deal,A later deal,2025-12,2025-12,printed,December 2025,December 2025,")
    add("positions", "What does it say?,xx,3,OpenAI says that it uses Trainium.,OpenAI,,printed")
    slow = 'import logging; logging.getLogger("matplotlib.font_manager").warning("slow")'  # as where fonts are many
    project.replace("notebooks/trainium.md", "data = tables.load()\n", f"data = tables.load()\n{slow}\n")
    code, printed = project.rebuild()
    assert code == 0, printed
    page = shown(project)
    assert "Conflicts with ro 9" in page and "Conflicts with xx 2" in page
    assert "A later deal" in page and "xx 3: OpenAI says" in page
    assert f"Of {statements + 1} statements of a number" in page
