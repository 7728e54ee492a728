import json
import shutil
from pathlib import Path

import articles
import charts
import pytest


def pytest_addoption(parser):
    parser.addoption("--articles", type=Path, help="folder with the texts of the articles")


@pytest.fixture(scope="session")
def data():
    return articles.load()


@pytest.fixture(scope="session")
def texts(request, data):
    """The paragraphs of each article, from --articles; a test that needs them is skipped without it."""
    folder = request.config.getoption("--articles")
    if folder is None:
        pytest.skip("needs the articles' texts: --articles DIR")
    return {
        key: (folder / name).read_text(encoding="utf-8").strip().split("\n\n")
        for key, name in data.articles.file.items()
    }


@pytest.fixture
def copy(tmp_path):
    """A copy of data/ that a test may spoil."""
    return Path(shutil.copytree(articles.DATA, tmp_path / "data"))


@pytest.fixture(scope="session")
def notebook():
    return json.loads((articles.DATA.parent / "notebooks" / "trainium.ipynb").read_text(encoding="utf-8"))["cells"]


@pytest.fixture(scope="session")
def pictures(notebook):
    """Every Chart that the notebook draws, by the id of its cell."""
    drawn, names, real = {}, {}, charts.Chart
    with pytest.MonkeyPatch.context() as patch:
        for cell in notebook:
            if cell["cell_type"] == "code":
                patch.setattr(charts, "Chart", lambda *made, cell=cell["id"]: drawn.setdefault(cell, real(*made)))
                exec("".join(cell["source"]), names)
    return drawn
