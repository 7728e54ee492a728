"""The committed notebook is what its data and code produce, reads in order, and survives whatever happens to it."""

import json
import platform
import re
import shutil
import signal
import subprocess
import sys
from itertools import pairwise

import articles
import pytest
import rebuild

TOP = articles.DATA.parent
NOTEBOOK = TOP / "notebooks" / "trainium.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
OUTPUTS = {cell["id"]: cell["outputs"] for cell in CELLS if cell["cell_type"] == "code"}


def shown(cell):
    """What a cell shows, as lines of text with single spaces."""
    text = "".join(part for output in OUTPUTS[cell] for part in output["data"]["text/plain"])
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]


def sections():
    """The numbered and unnumbered sections: heading and cells."""
    found = []
    for cell in CELLS:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and source.startswith(("# ", "## ")):
            found.append((source.splitlines()[0], []))
        found[-1][1].append(cell)
    return found


def test_it_is_what_its_data_and_code_produce():
    for path, content in rebuild.run().items():
        if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
            assert path.read_bytes() == content, f"{path.name}: run rebuild.py"
        elif path == NOTEBOOK:  # elsewhere pictures may differ by bytes
            pictures = re.compile(rb'"image/png": "[^"]*"')
            assert pictures.sub(b"", path.read_bytes()) == pictures.sub(b"", content)
    assert NOTEBOOK.stat().st_size <= 600_000


def test_the_first_table_has_the_four_numbers():
    table = shown("first-table")
    for row in (
        '1.4 million chips Trainium chips deployed Amazon (ro 9). The text says "the company"; we read Amazon, though',
        'more than 1 million chips Trainium2 chips that Claude runs on Amazon (ro 9). The text says "the company"; we',
        "2 GW Trainium capacity for OpenAI narration (ro 8). Reported as AWS's commitment; the text names no source",
        "up to 50% how much lower running cost can be Amazon (ro 13). New chips on Trn3 UltraServers, at performance",
    ):
        assert sum(line.startswith(row) for line in table) == 1, (row, table)
    assert len(table) == 5 and not any(line.endswith("ordinary cloud servers") for line in table)


@pytest.mark.parametrize(
    ("cell", "row"),
    [
        ("chips-table", "their share of all more than 71% more than 68.9% follows"),
        ("chips-table", "first and third generation fewer than 400,000 chips fewer than 450,000 chips follows"),
        (
            "rainier-table",
            "Rainier, if both hold at one moment more than 500,000, at most 1.4 million chips hypothetical",
        ),
        ("rainier-table", "Rainier as it went live 500,000 chips narration, ro 44"),
        ("power-table", "where the two would match 1,429 W per chip hypothetical, from ro 8 and ro 9"),
        ("power-table", "the same, if 1.4 million is rounded 1,379 to 1,482 W per chip hypothetical"),
        ("cost-table", "running cost that is left at least 50% follows from ro 13"),
        ("cost-table", "what a budget for running costs buys at most 2 times as much follows from ro 13"),
        ("cost-table", "deployed chips that can be Trainium3 less than 29% follows from ro 9"),
        ("cost-table", "the same, if 1.4 million is rounded less than 31.1% follows from ro 9"),
        ("voices-count", "Amazon 7 1 8"),
        ("voices-count", "narration 12 5 17"),
        ("second-count", "ro 18 4"),
        ("second-count", "ro and mr 1 0"),
        ("second-count", "mr 4 0"),
    ],
)
def test_a_result_stands_in_its_table(cell, row):
    assert any(line.startswith(row) for line in shown(cell)), shown(cell)


def test_sections_stand_in_order_each_with_its_limits_and_each_picture_with_alt_text_and_table():
    levels = [
        len(line.split()[0])
        for cell in CELLS
        if cell["cell_type"] == "markdown"
        for line in "".join(cell["source"]).splitlines()
        if re.match("#+ ", line)
    ]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    numbered = [heading for heading, _ in sections() if re.match(r"## \d", heading)]
    assert [int(heading[3]) for heading in numbered] == list(range(1, 9))
    for heading, cells in sections():
        prose = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        outputs = [output["data"] | output["metadata"] for cell in cells for output in cell.get("outputs", [])]
        assert heading not in numbered or "**What this does not tell you.**" in prose, heading
        pictures = [data for data in outputs if "image/png" in data]
        tables = [data for data in outputs if "text/html" in data]
        assert not pictures or tables, heading
        assert all("\ufffd" not in str(data) and "<NA>" not in str(data) for data in tables)
    for outputs in OUTPUTS.values():
        for output in outputs:
            if "image/png" in output["data"]:
                assert len(output["metadata"]["image/png"]["alt"]) > 80
                assert output["data"]["text/plain"]


def test_no_block_of_words_is_set_as_mathematics():
    for cell in CELLS:
        assert cell["cell_type"] == "code" or len(re.findall(r"(?<!\\)\$", "".join(cell["source"]))) < 2, cell["id"]


def test_a_cell_is_short_and_runs_in_its_turn():
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert [cell["id"] for cell in code if len(cell["source"]) > 10] == []


def test_the_readme_shows_the_first_chart_with_its_alt_text():
    alt = OUTPUTS["chips-picture"][0]["metadata"]["image/png"]["alt"]
    assert f"![{alt}](notebooks/trainium.svg)" in (TOP / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path):
    """A copy of the project that a test may spoil."""
    shutil.copytree(TOP / "data", tmp_path / "data")
    shutil.copytree(TOP / "notebooks", tmp_path / "notebooks", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    return tmp_path


def rebuilt(project, **how):
    command = [sys.executable, str(project / "notebooks" / "rebuild.py")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=project, **how)


def files(project):
    return {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def faulty_data(project):
    path = project / "data" / "statements.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("pana la 50%", "pana la 5%"), encoding="utf-8")


def failing_cell(project):
    path = project / "notebooks" / "trainium.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("share = claude / deployed", "share = claude / nothing"))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (faulty_data, 'statements.csv, line 8, column high: 50; expected 5, as "pana la 5%" reads'),
        (failing_cell, "NameError: name 'nothing' is not defined"),
        (None, "Stopped"),
    ],
)
def test_whatever_goes_wrong_the_notebook_stays_as_it_was(spoil, told, project):
    if spoil:
        spoil(project)
    before = files(project)
    process = rebuilt(project)
    if spoil is None:
        while "cell 9 " not in (progress := locals().get("progress", "") + process.stderr.read(1)):
            pass  # Ctrl-C while it runs
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and told in out and "Traceback" not in out + err, (out, err)
    assert files(project) == before


def test_a_third_article_shows_up_and_its_contradiction_too(project):
    data, add = (
        project / "data",
        {
            "articles": f'en,en,A third telling,A third telling,Nothing,third.txt,{"0" * 64},4,.,","',
            "words": "en,million,times 1000000\nen,chips,chips\nen,December,month 12 to 12",
            "statements": "en,2,chips-deployed,plain,1600000,1600000,1.6 million chips,OpenAI,,OpenAI says,",
            "events": "later-deal,en,2,A later deal,2025-12,2025-12,printed,December 2025,",
        },
    )
    for name, lines in add.items():
        path = data / f"{name}.csv"
        path.write_text(path.read_text(encoding="utf-8") + (lines and lines + "\n"), encoding="utf-8")
    out, err = rebuilt(project).communicate(timeout=60)
    assert "Written: trainium.ipynb" in out, (out, err)
    cells = json.loads((project / "notebooks" / "trainium.ipynb").read_text(encoding="utf-8"))["cells"]
    text = {
        c["id"]: re.sub(r"\s+", " ", "".join(c["outputs"][0]["data"]["text/plain"])) for c in cells if c.get("outputs")
    }
    assert "1.6 million chips Trainium chips deployed OpenAI (en 2)" in text["first-table"]
    assert "en 2 1.6 million chips OpenAI NO" in text["second-agree"]
    assert "1.4 million chips / 1.6 million chips" in text["voices-picture"]
    assert "December 2025 (year inferred): Trainium3" in text["dates-picture"]
    assert "December 2025: A later deal (en 2)" in text["dates-picture"].replace("\u00a0", " ")
