"""The committed page is what its data and words produce; whatever goes wrong, it is told and nothing is written."""

import json
import platform
import sys
from contextlib import nullcontext

import checks
import pytest
import rebuild
from conftest import TOP

LINUX = (platform.system(), platform.machine()) == ("Linux", "x86_64")
SOURCE, NOTEBOOK, STATEMENTS = "notebooks/trainium.md", "notebooks/trainium.ipynb", "data/statements.csv"
DEPLOYED = '1400000,1400000,"1,4 milioane de cipuri",1.4'
CELL = "unnamed = total - named"  # a line of code in section 4
BY_HAND = "report on a tour of the lab", "report on an edit by hand"


def shown(project):
    """All words and tables of the page, and the alt texts of its pictures."""
    cells = json.loads((project.folder / NOTEBOOK).read_text(encoding="utf-8"))["cells"]
    outputs = [output["data"]["text/plain"] for cell in cells for output in cell.get("outputs", [])]
    return "\n".join("".join(text) for text in [*(cell["source"] for cell in cells), *outputs])


def test_whatever_the_readers_settings_the_sources_produce_what_is_committed(project, tmp_path):
    """--check tells what differs and writes nothing; --force writes, also over an edit by hand."""
    page, committed = shown(project), project.files()
    project.replace(NOTEBOOK, *BY_HAND)
    (project.notebooks / "trainium.png").write_bytes(b"")
    mine = tmp_path / "mine"
    (mine / "kernels" / "python3").mkdir(parents=True)
    kernel = '{"argv": ["nowhere"], "display_name": "Broken", "language": "python"}'
    (mine / "kernels" / "python3" / "kernel.json").write_text(kernel, encoding="utf-8")
    (mine / "matplotlibrc").write_text("font.size: 30\n", encoding="utf-8")
    settings = {"JUPYTER_PATH": f"{mine}", "MATPLOTLIBRC": f"{mine}", "PYTHONWARNINGS": "error", "PYTHONSAFEPATH": "1"}
    spoilt = project.files()
    code, printed = project.rebuild("--check", **settings)
    assert code == 1 and project.files() == spoilt
    for name in ("trainium.ipynb", "trainium.png"):
        assert f"{name} is not what its data and code produce" in printed
    assert "README.md is not" not in printed
    assert project.rebuild("--force", **settings)[0] == 0
    assert shown(project) == page
    if LINUX:  # elsewhere, pictures may differ by bytes
        assert [path.name for path, content in committed.items() if path.read_bytes() != content] == []


def test_one_cell_of_the_data_changes_every_word_that_rests_on_it(project):
    """1.2 million deployed: 1 / 1.2 is 83.3%, 1 / 1.25 is 80%; 2 GW / 1.2 million is 1,666.7 W."""
    project.replace(STATEMENTS, DEPLOYED, DEPLOYED.replace("4", "2"))
    (project.folder / NOTEBOOK).unlink()  # that is no edit by hand
    code, printed = project.rebuild()
    assert code == 0 and "trainium.png" in printed, printed
    page, readme = shown(project), (project.folder / "README.md").read_text(encoding="utf-8")
    assert "more than 83%; more than 80.0%" in page
    assert "fewer than 200,000 chips, less than 17%; fewer than 250,000" in page
    assert "1,667 W per chip" in page
    for text in (page, readme):
        assert "1.2 million chips of Amazon's" in text and "1.2 million* Trainium chips deployed" in text
        assert "1.4 million" not in text


SIGNAL = "import os, signal, time\nos.kill(os.getppid(), signal.{})\ntime.sleep(99)"  # to rebuild.py, from its kernel
STOPS = [  # what is changed in which file, and what is told
    (STATEMENTS, "दहा हजारो", "दहा  हजारो", r'\u0902\u0924", expected at most eight words'),
    # 1 million of 1.6 million is less than two thirds
    (STATEMENTS, DEPLOYED, DEPLOYED.replace("4", "6"), 'two thirds of the deployed chips": it no longer holds: assert'),
    (SOURCE, CELL, f"{CELL}\nshare = 1", "binds share again"),
    (SOURCE, CELL, f"{CELL}\nprint('here')", "prints or warns: here"),
    (SOURCE, '"supply keep up"', '"supply keeps up"', 'no question of positions.csv holds "supply keeps up"'),
    (SOURCE, "{eval}", "", "trainium.md says no {eval} any more"),
    ("README.md", "<!-- up to here -->", "", "the two comments around its first part"),
    (NOTEBOOK, *BY_HAND, "cell 1 of trainium.ipynb was changed by hand: move the edit to trainium.md, or use --force"),
]
if sys.platform != "win32":
    STOPS += [(SOURCE, CELL, SIGNAL.format(sent), "Stopped by KeyboardInterrupt") for sent in ("SIGINT", "SIGTERM")]


@pytest.mark.parametrize(("path", "old", "new", "told"), STOPS)
def test_whatever_is_wrong_is_told_and_nothing_is_written(project, path, old, new, told):
    project.replace(path, old, new)
    before = project.files()
    code, printed = project.rebuild()
    assert code == 1 and told in printed and "Nothing was written" in printed and "Traceback" not in printed, printed
    assert project.files() == before


def test_what_cannot_be_said_is_told_with_its_line(project):
    wrong = {
        "{eval}`shares`": "NameError",
        "{eval}`share.low`": "neither a Bound nor a count nor a text",
        "{eva l}`share`": "is no {eval}",
        "eval`share`": "is no {eval}",
        "% a comment": "is no {eval}",
    }
    project.replace(SOURCE, "Not stated: a typical", "\n".join([*wrong, "Not stated: a typical"]))
    lines = (project.folder / SOURCE).read_text(encoding="utf-8").splitlines()
    code, printed = project.rebuild()
    assert code == 1 and "Nothing was written" in printed
    for words, told in wrong.items():
        place = f"trainium.md, line {lines.index(words) + 1}: "
        assert any(fault.startswith(place) and told in fault for fault in printed.splitlines()), (place, printed)


def test_another_article_shows_up_and_so_does_its_contradiction(project):
    statements = len(checks.Tables(checks.DATA).statements)
    project.add("articles", f'xx,en,Another telling,Another telling,Nothing,xx.txt,{"0" * 64},4,.,","')
    project.add("statements", 'xx,2,claude-chips,plain,900000,900000,"900,000 chips","900,000 chips",narration,,,,')
    project.add("events", "xx,xx,2,A later deal,A later deal,2025-12,2025-12,printed,December 2025,December 2025,")
    project.add("positions", "What does it say?,xx,3,OpenAI says that it uses Trainium.,OpenAI,,printed")
    slow = 'import logging; logging.getLogger("matplotlib.font_manager").warning("slow")'  # as where fonts are many
    project.replace(SOURCE, "data = tables.load()\n", f"data = tables.load()\n{slow}\n")
    code, printed = project.rebuild()
    assert code == 0, printed
    page = shown(project)
    assert "Conflicts with ro 9" in page and "Conflicts with xx 2" in page
    assert "A later deal" in page and "xx 3: OpenAI says" in page
    assert f"Of {statements + 1} statements of a number" in page
    assert f"4 paragraphs as lines: 1 of the {statements + 1}" in page


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda notebook: None, None),
        (lambda notebook: notebook["cells"][0].update(source=["An edit by hand"]), "cell 1 of trainium.ipynb was"),
        (lambda notebook: notebook["cells"].append(notebook["cells"][0]), r"^cell \d+ of trainium.ipynb was changed"),
        (lambda notebook: notebook.clear(), "cannot be read as a notebook"),
    ],
)
def test_an_edit_by_hand_is_refused_and_a_cleaner_is_not(tmp_path, monkeypatch, edit, told):
    """Editors and cleaners take away ids, outputs and our metadata, and add their own."""
    notebook = json.loads((TOP / NOTEBOOK).read_text(encoding="utf-8"))
    sources = notebook.pop("metadata")["trainium"]["sources"]
    cells = [{"cell_type": cell["cell_type"], "source": cell["source"], "metadata": {}} for cell in notebook["cells"]]
    notebook |= {"cells": cells, "metadata": {"kernelspec": {"name": "other"}}}
    edit(notebook)
    monkeypatch.setattr(rebuild, "NOTEBOOK", tmp_path / "trainium.ipynb")
    rebuild.NOTEBOOK.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(rebuild.Stopped, match=told) if told else nullcontext():
        rebuild.refuse_if_edited(sources)


def test_what_was_written_is_known_where_a_file_cannot_be_replaced(tmp_path):
    (tmp_path / "b").mkdir()
    written = []
    with pytest.raises(OSError):
        rebuild.write({tmp_path / "a": b"new", tmp_path / "b": b"new"}, written)
    assert written == ["a"] and sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
