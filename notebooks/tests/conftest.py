import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import tables

TOP = Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--articles", type=Path, help="folder with the texts of the articles")


def pytest_configure(config):
    folder = config.getoption("--articles")
    if folder and not folder.is_dir():
        raise pytest.UsageError(f"--articles: there is no folder {folder}")


@pytest.fixture(scope="session")
def data():
    return tables.load()


@pytest.fixture(scope="session")
def two(data):
    """The data as the two articles alone make it, for what is worked out by hand from them."""
    by_article = {name: getattr(data, name) for name in ("articles", "statements", "events")}
    kept = {name: rows[rows.index.isin(["ro", "mr"], level="article")] for name, rows in by_article.items()}
    return SimpleNamespace(**vars(data) | kept)


@pytest.fixture(scope="session")
def texts(request, data):
    """The paragraphs of each article, from --articles; a test that needs them is skipped without it."""
    folder = request.config.getoption("--articles")
    if folder is None:
        pytest.skip("needs the articles' texts: --articles=FOLDER")
    paths = {article: folder / name for article, name in data.articles.file.items()}
    for path in paths.values():
        assert path.is_file(), f"--articles: there is no file {path}"
    return {article: path.read_text(encoding="utf-8").strip().split("\n\n") for article, path in paths.items()}


class Project:
    """A copy of the project that a test may spoil."""

    def __init__(self, folder):
        self.folder, self.data, self.notebooks = folder, folder / "data", folder / "notebooks"
        ignored = shutil.ignore_patterns("tests", "__pycache__", "requirements*")
        for name in ("data", "notebooks"):  # without the modes: the original may be read-only
            shutil.copytree(TOP / name, folder / name, ignore=ignored, copy_function=shutil.copyfile)
            (folder / name).chmod(0o755)
        shutil.copyfile(TOP / "README.md", folder / "README.md")

    def replace(self, path, old, new):
        """Puts `new` for `old`, wherever that stands in the file."""
        text = (self.folder / path).read_bytes().decode("utf-8")
        assert old in text, (path, old)
        (self.folder / path).write_bytes(text.replace(old, new).encode("utf-8"))

    def add(self, table, row):
        with (self.data / f"{table}.csv").open("ab") as file:
            file.write(f"{row}\n".encode())

    def rebuild(self, *arguments, **settings):
        """Exit code and all that is printed, on a console that can print ASCII alone."""
        command = [sys.executable, str(self.notebooks / "rebuild.py"), *arguments]
        environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"} | settings
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", timeout=60)
        return done.returncode, done.stdout + done.stderr

    def files(self):
        paths = [path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        return {path: path.read_bytes() for path in paths}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
