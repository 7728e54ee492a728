"""Checks data/, runs trainium.md, and writes trainium.ipynb, trainium.png and the README's first part from it.

    python notebooks/rebuild.py           check, run and write
    python notebooks/rebuild.py --check   check, run and compare with what is there; writes nothing
    python notebooks/rebuild.py --force   write even over a notebook that was edited by hand

Exit code 1, with what is wrong and nothing written, if the data has a fault, a cell fails, a name in the words
or a heading does not hold, the notebook was edited by hand, or --check finds a difference.
"""

import argparse
import ast
import asyncio
import base64
import hashlib
import json
import os
import re
import signal
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE, NOTEBOOK, PICTURE = HERE / "trainium.md", HERE / "trainium.ipynb", HERE / "trainium.png"
README = HERE.parent / "README.md"
FIRST_PART = re.compile("(?<=<!-- written by notebooks/rebuild.py -->\n).*(?=<!-- up to here -->)", re.DOTALL)
QUOTES = "## To quote"
EVAL = re.compile(r"\{eval\}`([^`]*)`")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
GUARD = re.compile(r"^% holds: (\w+)\n+(#+ .*)$", re.MULTILINE)  # a name that must be true, above a heading
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}
# What is asked of the kernel for a name: whether it may be said (a Bound, a count, a text, a yes or no), and its words.
ASK = "(lambda said: (type(said).__name__, str(said)))({})"
SAID = ("Bound", "int", "str")
# What the kernel does first: no warning where listing fonts is slow, and all that takes long to import.
FIRST = "import logging; logging.getLogger('matplotlib').setLevel('ERROR'); import charts, display, tables"


class Stopped(Exception):  # noqa: N818 (it is told like any other end of a run)
    """Why the run ended, in words for whoever started it, and what was written."""

    written = "Nothing was written."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--force", action="store_true", help="write over a notebook that was edited by hand")
    arguments = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):  # a console that cannot print Devanagari
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    stopped = []

    def stop(number, frame):
        stopped.append(number)  # whatever libraries make of the interrupt, it was one
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    try:
        careful = not (arguments.check or arguments.force)
        if careful:
            refuse_if_edited()
        made = build()
        if careful:
            refuse_if_edited(json.loads(made[NOTEBOOK])["metadata"]["trainium"]["sources"])
        changed = {path: new for path, new in made.items() if not path.exists() or path.read_bytes() != new}
        if not arguments.check:
            write(changed)
    except (KeyboardInterrupt, Exception) as error:  # of whatever kind: it is told, and not as a traceback
        told = str(error) if isinstance(error, (Stopped, OSError)) else f"{type(error).__name__}: {error}"
        print("Stopped." if stopped else told, getattr(error, "written", Stopped.written), sep="\n")
        return 1
    for path in changed:
        differs = f"{path.name} is not what its data and code produce: run rebuild.py"
        print(differs if arguments.check else f"Written: {path.name}")
    if not changed:
        print("Run, and everything is as it was.")
    return 1 if arguments.check and changed else 0


def build() -> dict[Path, bytes]:
    """What data/ and trainium.md make: each file with its content."""
    import nbformat  # these three here, so that Ctrl-C while they load is caught too
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    os.environ.pop("JUPYTER_PATH", None)  # no kernel of the reader's
    client = NotebookClient(nbformat.v4.new_notebook(), record_timing=False, resources={"metadata": {"path": HERE}})
    client.extra_arguments = ["--log-level=ERROR"]
    client.shutdown_kernel = "immediate"  # there is nothing to save in it
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.environ |= {"JUPYTER_PREFER_ENV_PATH": "1", "IPYTHONDIR": scratch}
        manager = client.create_kernel_manager()
        manager.connection_file = f"{scratch}/kernel.json"
        if os.name == "posix":  # no port that another program may take meanwhile
            manager.transport, manager.ip = "ipc", f"{scratch}/kernel"
        try:
            client.start_new_kernel(cwd=str(HERE), env=_environment(scratch))
            cells = read()  # while the kernel starts
            client.nb.cells = cells
            client.start_new_kernel_client()
            with client.setup_kernel():
                client.kc.execute(FIRST, silent=True)
                check()  # while the kernel imports
                for number, cell in enumerate(cells):
                    print(f"\rcell {number + 1} of {len(cells)}", end="", file=sys.stderr, flush=True)
                    client.execute_cell(cell, number)
                said = _ask(client, cells)
        except CellExecutionError as error:
            number = cells.index(cell) + 1
            raise Stopped(f"cell {number} fails: {error.ename}: {error.evalue}") from None
        except (DeadKernelError, RuntimeError) as error:
            raise Stopped(f"Python, as Jupyter starts it, stopped or did not start: {error}") from None
        finally:
            print(file=sys.stderr)
            if client.km is not None and client.km.has_kernel:
                asyncio.run(client.km.shutdown_kernel(now=True))
    return finish(cells, said)


def _environment(scratch):
    """The kernel's: no settings of the reader's for Python, Jupyter and matplotlib, but their list of fonts."""
    theirs = ("PYTHON", "JUPYTER", "IPYTHON", "MPL", "MATPLOTLIB")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
    ours = {
        "IPYTHONDIR": scratch,
        "MATPLOTLIBRC": str(HERE / "trainium.mplstyle"),
        "PYTHONPATH": str(HERE),
        "PYTHONUTF8": "1",
    }
    return kept | ours


def check():
    """Stops at any fault of the data."""
    sys.path.insert(0, str(HERE))
    import checks

    if faults := checks.faults():
        raise Stopped("\n".join([*faults, f"{len(faults)} fault{'s' * (len(faults) > 1)} in data/."]))


def read() -> list:
    """The cells of trainium.md; stops where the words say a name that is not bound once, above them."""
    import jupytext
    import nbformat

    if len(FIRST_PART.findall(README.read_text(encoding="utf-8"))) != 1:
        raise Stopped("README.md: the two comments around its first part, written by rebuild.py, are not there")
    cells = jupytext.read(SOURCE, fmt="md:myst").cells
    if not any(EVAL.search(cell.source) for cell in cells):
        raise Stopped("trainium.md says no {eval} any more: an editor that pairs it with the notebook wrote over it")
    bound, kinds = set(), {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    for number, cell in enumerate(cells):
        if cell.cell_type == "code":
            bound |= _names(cell.source, bound)
        else:
            _check_words(cell.source, bound)
        cells[number] = kinds[cell.cell_type](cell.source, id=f"cell-{number + 1:02}")
    return cells


def _names(code, bound):
    """The names that a cell binds; stops where one is bound again."""
    names = re.findall(r"^(\w+) = ", code, re.MULTILINE)
    twice = [name for place, name in enumerate(names) if name in bound or name in names[:place]]
    if twice:
        raise Stopped(f"trainium.md binds {', '.join(twice)} again; each name is bound once")
    return set(names)


def _check_words(words, bound):
    """Stops at words that say what is not a name, or one that no cell above binds, and at a guard of no heading."""
    for expression in EVAL.findall(words):
        if not NAME.fullmatch(expression):
            raise Stopped(f"{_place(expression)}: {{eval}} takes a name or a dotted name, not `{expression}`")
        if expression.split(".")[0] not in bound:
            raise Stopped(f"{_place(expression)}: no cell above binds `{expression.split('.')[0]}`")
    if brace := re.search(r".{0,20}\{.{0,20}", EVAL.sub("", words)):
        raise Stopped(f'trainium.md: "{brace[0]}", expected a brace only in {{eval}} and a name in backquotes')
    if len(re.findall("^%", words, re.MULTILINE)) != len(GUARD.findall(words)):
        raise Stopped('trainium.md: a line that begins with "%" is not "% holds: NAME" above a heading')


def _place(expression):
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    line = next((line for line, text in enumerate(lines, 1) if f"{{eval}}`{expression}`" in text), 1)
    return f"trainium.md, line {line}"


def _ask(client, cells):
    """The words for each name that the words say; stops at a heading that no longer holds."""
    from jupyter_core.utils import run_sync

    words = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    guards = dict(GUARD.findall(words))
    asked = {name: ASK.format(name) for name in [*EVAL.findall(words), *guards]}

    async def ask():
        return await client.kc.execute("", silent=True, user_expressions=asked, reply=True, timeout=60)

    said = {}
    for name, answer in run_sync(ask)()["content"]["user_expressions"].items():
        if answer["status"] != "ok":
            raise Stopped(f"{_place(name)}: `{name}` cannot be said: {answer['ename']}: {answer['evalue']}")
        kind, said[name] = ast.literal_eval(answer["data"]["text/plain"])
        if name in guards and said[name] != "True":
            raise Stopped(
                f'trainium.md: the heading "{guards[name]}" no longer holds: {name} is {said[name]}; reword both'
            )
        if name not in guards and kind not in SAID:
            raise Stopped(f"{_place(name)}: `{name}` is a {kind}, and neither a Bound nor a count nor a text")
    return said


def finish(cells, said) -> dict[Path, bytes]:
    """The files that the cells make once they have run, with what is said in place of each name."""
    import nbformat

    for number, cell in enumerate(cells, 1):
        if cell.cell_type == "markdown":
            source = re.sub(r"^%.*\n+", "", cell.source, flags=re.MULTILINE)
            cell.source = EVAL.sub(lambda name: said[name[1]], source)
        for output in cell.get("outputs", []):
            if output.output_type in ("stream", "error"):
                raise Stopped(f"cell {number} prints or warns: {output.get('text', '')[:300]}")
        cell.metadata.clear()
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=METADATA | {"trainium": {"sources": _hashes(cells)}})
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    first = next(output for output in outputs if "image/png" in output.get("data", {}))
    quotes = next(cell.source for cell in cells if cell.source.startswith(QUOTES))
    alt = first.metadata["image/png"]["alt"]
    part = f"\n{quotes}\n\n![{alt}](notebooks/{PICTURE.name})\n\n"
    return {
        NOTEBOOK: (nbformat.writes(notebook) + "\n").encode(),
        PICTURE: base64.b64decode(first.data["image/png"]),
        README: FIRST_PART.sub(lambda _: part, README.read_text(encoding="utf-8")).encode(),
    }


def _hashes(cells):
    """A short hash of each cell's source, however an editor wraps it."""
    sources = ["".join(cell["source"]).replace("\r\n", "\n").rstrip() for cell in cells]
    return [hashlib.sha256(source.encode()).hexdigest()[:8] for source in sources]


def refuse_if_edited(new: list[str] | None = None):
    """Stops if the notebook that is there holds a cell that the last rebuild did not write.

    Where a cleaner took the hashes of its cells away, it has to hold what this rebuild writes: the hashes in `new`.
    """
    if not NOTEBOOK.exists():
        return
    advice = "move the edit to trainium.md, or use --force to write over it"
    try:
        there = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        hashes, written = _hashes(there["cells"]), there["metadata"].get("trainium", {}).get("sources", new)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Stopped(f"trainium.ipynb cannot be read as a notebook: {advice}") from None
    if written is None or hashes == written:
        return
    edited = [str(number) for number, pair in enumerate(zip(hashes, written, strict=False), 1) if pair[0] != pair[1]]
    same = len(hashes) == len(written)
    which = f"cell {', '.join(edited)} of" if same else "the number of cells in"
    raise Stopped(f"{which} trainium.ipynb was changed by hand: {advice}")


def write(made: dict[Path, bytes]):
    """Writes all files under other names, then puts one after the other in place."""
    new = {path: path.with_name(f"{path.name}.{os.getpid()}.new") for path in made}
    try:
        for path, content in made.items():
            new[path].write_bytes(content)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # from here on it is done in a moment
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for path in made:
            new[path].replace(path)
            del new[path]
    except OSError as error:
        stopped = Stopped(error)
        if done := [path.name for path in made if path not in new]:
            stopped.written = f"Written: {', '.join(done)}, and nothing else; run it again."
        raise stopped from None
    finally:
        for path in new.values():
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
