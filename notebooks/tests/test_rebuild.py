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
DEPLOYED = '1400000,1400000,"1,4 milioane de cipuri",1.4'


def shown(project):
    """All words and tables of the page, and the alt texts of its pictures."""
    cells = json.loads((project.notebooks / "trainium.ipynb").read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    for output in (output for cell in cells for output in cell.get("outputs", [])):
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
    project.replace("data/statements.csv", DEPLOYED, DEPLOYED.replace("4", "2"))
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
    assert "trainium.png" in printed


STOPS = {
    "a fault in a cell that this console cannot print": (
        ("data/statements.csv", "दहा हजारो chips पर्यंत", "दहा हजारो chips"),
        r'expected the same parts as "\u0926\u0939\u093e',
    ),
    "a heading that no longer holds: 1 million of 1.6 million is less than two thirds": (
        ("data/statements.csv", DEPLOYED, DEPLOYED.replace("4", "6")),
        '"## 1. By our arithmetic, Claude runs on more than two thirds of the deployed chips": it no longer',
    ),
    "another heading": (
        ("notebooks/trainium.md", "assert in_both ==", "assert in_both !="),
        '"## 5. The Marathi article carries none of the four numbers": it no longer holds: assert',
    ),
    "a name bound again": (
        ("notebooks/trainium.md", "unnamed = total - named", "unnamed = total - named\nshare = 1"),
        "binds share again",
    ),
    "a cell that prints": (
        ("notebooks/trainium.md", "unnamed = total - named", "unnamed = total - named\nprint('here')"),
        "prints or warns: here",
    ),
    "a README without its marks": (("README.md", "<!-- up to here -->", ""), "the two comments around its first part"),
}


@pytest.mark.parametrize("why", STOPS)
def test_whatever_is_wrong_is_told_and_nothing_is_written(project, why):
    edit, told = STOPS[why]
    project.replace(*edit)
    before = project.files()
    code, printed = project.rebuild(env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert code == 1 and told in printed and "Nothing was written" in printed and "Traceback" not in printed, printed
    assert project.files() == before


def test_what_cannot_be_said_is_told_with_its_line(project):
    wrong = {
        "{eval}`shares`": "NameError",
        "{eval}`share.lower`": "AttributeError",
        "{eval}`share.low`": "neither a Bound nor a count nor a text",
        "{eval}`share + 1`": "is no {eval}",
        "{eva l}`share`": "is no {eval}",
        "eval`share`": "is no {eval}",
        "% a comment": "is no {eval}",
    }
    project.replace("notebooks/trainium.md", "Not stated: a typical", "\n".join([*wrong, "Not stated: a typical"]))
    lines = (project.notebooks / "trainium.md").read_text(encoding="utf-8").splitlines()
    code, printed = project.rebuild()
    assert code == 1 and "Nothing was written" in printed
    for words, told in wrong.items():
        place = f"trainium.md, line {lines.index(words) + 1}: "
        assert any(fault.startswith(place) and told in fault for fault in printed.splitlines()), (place, printed)


def edited(notebook):
    notebook["cells"][0]["source"] = ["An edit by hand"]


def cleaned(notebook):
    """As editors and cleaners leave it: other ids, kernel, format; neither outputs nor our metadata."""
    notebook["metadata"] = {"kernelspec": {"name": "other", "display_name": "Other"}}
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        cell.pop("id")
        cell["metadata"] = {"tags": ["x"]}
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}


def edited_and_cleaned(notebook):
    edited(notebook)
    cleaned(notebook)


def lengthened(notebook):
    notebook["cells"].insert(1, notebook["cells"][0])


def emptied(notebook):
    notebook.clear()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (edited, "cell 1 of trainium.ipynb was changed by hand: move the edit to trainium.md"),
        (lengthened, "cell 2, "),
        (edited_and_cleaned, "cell 1 of"),
        (emptied, "cannot be read as a notebook"),
        (cleaned, None),
    ],
)
def test_an_edit_by_hand_is_refused_and_nothing_else_is(tmp_path, monkeypatch, how, told):
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    sources = notebook["metadata"]["trainium"]["sources"]
    how(notebook)
    monkeypatch.setattr(rebuild, "NOTEBOOK", tmp_path / "trainium.ipynb")
    rebuild.NOTEBOOK.write_text(json.dumps(notebook), encoding="utf-8")
    if told:
        with pytest.raises(rebuild.Stopped, match=re.escape(told)):
            rebuild.refuse_if_edited(sources)
    else:
        rebuild.refuse_if_edited(sources)


def test_an_edit_by_hand_is_kept_unless_forced(project):
    path = project.notebooks / "trainium.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    edited(notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    before = project.files()
    code, printed = project.rebuild()
    assert code == 1 and "cell 1 of trainium.ipynb" in printed and project.files() == before
    assert project.rebuild("--force")[0] == 0 and "An edit by hand" not in shown(project)


def test_check_tells_what_differs_and_no_setting_of_the_reader_does(project, tmp_path):
    (tmp_path / "matplotlibrc").write_text("font.size: 30\n", encoding="utf-8")
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    broken = {"argv": ["nowhere"], "display_name": "Broken", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(broken), encoding="utf-8")
    theirs = {
        "MATPLOTLIBRC": str(tmp_path),
        "PYTHONWARNINGS": "error",
        "PYTHONSAFEPATH": "1",
        "JUPYTER_PATH": str(tmp_path),
    }
    (project.notebooks / "trainium.png").write_bytes(b"")
    before = project.files()
    code, printed = project.rebuild("--check", env=os.environ | theirs)
    assert code == 1 and "trainium.png is not what its data and code produce" in printed
    assert not LINUX or "trainium.ipynb" not in printed
    assert project.files() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_everything_as_it_was(project, sent):
    before = project.files()
    process = project.start()
    stop = threading.Timer(60, process.kill)  # whatever happens, this test ends
    stop.start()
    heard = ""
    while "cell 3 " not in heard and (sign := process.stderr.read(1)):
        heard += sign
    process.send_signal(sent)
    printed = "".join(process.communicate())
    stop.cancel()
    assert process.returncode == 1 and "Stopped by " in printed and "Traceback" not in printed
    assert project.files() == before


def test_what_was_written_is_known_where_a_file_cannot_be_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(rebuild.signal, "signal", lambda *_: None)
    (tmp_path / "b").mkdir()
    written = []
    with pytest.raises(OSError):
        rebuild.write({tmp_path / "a": b"new", tmp_path / "b": b"new"}, written)
    assert written == ["a"] and sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_another_article_shows_up_and_so_does_its_contradiction(project):
    def add(table, line):
        project.append(f"data/{table}.csv", f"{line}\n")

    statements = len(checks.Tables(checks.DATA).statements)
    add("articles", f'xx,en,Another telling,Another telling,Nothing,xx.txt,{"0" * 64},4,.,","')
    add("statements", 'xx,2,claude-chips,plain,900000,900000,"900,000 chips","900,000 chips",narration,,,,')
    add("events", "another-deal,xx,2,A later deal,A later deal,2025-12,2025-12,printed,December 2025,December 2025,")
    add("positions", "What does it say?,xx,3,OpenAI says that it uses Trainium.,OpenAI,,printed")
    slow = 'import logging; logging.getLogger("matplotlib.font_manager").warning("slow")'  # as where fonts are many
    project.replace("notebooks/trainium.md", "data = tables.load()\n", f"data = tables.load()\n{slow}\n")
    code, printed = project.rebuild()
    assert code == 0, printed
    page = shown(project)
    assert "Conflicts with ro 9" in page and "Conflicts with xx 2" in page
    assert "A later deal" in page and "xx 3: OpenAI says" in page
    assert f"Of {statements + 1} statements of a number" in page
