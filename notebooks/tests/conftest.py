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
    kept = {
        name: table[table.index.get_level_values("article").isin(["ro", "mr"])]
        for name, table in vars(data).items()
        if "article" in table.index.names
    }
    return SimpleNamespace(**vars(data) | kept)


@pytest.fixture(scope="session")
def texts(request, data):
    """The paragraphs of each article, from --articles; a test that needs them is skipped without it."""
    folder = request.config.getoption("--articles")
    if folder is None:
        pytest.skip("needs the articles' texts: --articles=FOLDER")
    paths = {article: folder / name for article, name in data.articles.file.items()}
    missing = [str(path) for path in paths.values() if not path.is_file()]
    assert not missing, f"--articles: there is no file {', '.join(missing)}"
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
        """Puts `new` for `old`, which stands in the file once."""
        text = (self.folder / path).read_bytes().decode("utf-8")
        assert text.count(old) == 1, (path, old, text.count(old))
        (self.folder / path).write_bytes(text.replace(old, new).encode("utf-8"))

    def append(self, path, lines):
        with (self.folder / path).open("ab") as file:
            file.write(lines.encode("utf-8"))

    def start(self, *arguments, **how):
        command = [sys.executable, str(self.notebooks / "rebuild.py"), *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", "errors": "replace"}
        return subprocess.Popen(command, cwd=self.folder, **pipes | how)

    def rebuild(self, *arguments, **how):
        """Exit code and all that is printed."""
        process = self.start(*arguments, **how)
        printed = "".join(process.communicate(timeout=60))
        return process.returncode, printed

    def files(self):
        paths = [path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        return {path: path.read_bytes() for path in paths}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
