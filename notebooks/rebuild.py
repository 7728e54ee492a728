"""Checks data/, runs trainium.md, and writes trainium.ipynb, trainium.png and the README's first part from it.

    python notebooks/rebuild.py           check, run and write
    python notebooks/rebuild.py --check   check, run and compare with what is there; writes nothing
    python notebooks/rebuild.py --force   write even over a notebook that was edited by hand

Exit code 1, with what is wrong and nothing written, if the data has a fault, a cell fails (a heading that no longer
holds is a cell that fails), a name in the words cannot be said, the notebook was edited by hand, or --check finds a
difference.
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
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE, NOTEBOOK, PICTURE = HERE / "trainium.md", HERE / "trainium.ipynb", HERE / "trainium.png"
README = HERE.parent / "README.md"
FIRST_PART = re.compile("(?<=<!-- written by notebooks/rebuild.py -->\n).*(?=<!-- up to here -->)", re.DOTALL)
QUOTES = "## To quote"
EVAL = re.compile(r"\{eval\}`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)`")
NO_EVAL = re.compile(rf"(?!{EVAL.pattern})\{{.{{0,30}}|(?<!\{{)eval`.{{0,30}}|^%.*", re.MULTILINE)
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}
# What is asked of the kernel for a name: whether it may be said (a Bound, a count, a text), and its words.
ASK = "(lambda said: (type(said).__name__, str(said)))({})"
SAID = ("Bound", "int", "str")
# What the kernel begins while it starts: all that takes long to import, without a warning where listing fonts is slow.
FIRST = """import logging, threading
logging.getLogger("matplotlib").setLevel("ERROR")
threading.Thread(target=__import__, args=["charts"]).start()"""


class Stopped(Exception):  # noqa: N818 (it is told like any other end of a run)
    """Why the run ended, in words for whoever started it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--force", action="store_true", help="write over a notebook that was edited by hand")
    arguments = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):  # a console that cannot print Devanagari
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    written = []
    try:
        made = build()
        changed = {path: new for path, new in made.items() if not path.exists() or path.read_bytes() != new}
        if not (arguments.check or arguments.force):
            refuse_if_edited(json.loads(made[NOTEBOOK])["metadata"]["trainium"]["sources"])
        if not arguments.check:
            write(changed, written)
    except (KeyboardInterrupt, Exception) as error:  # of whatever kind: it is told, and not as a traceback
        told = isinstance(error, Stopped | OSError)
        print(error if told else f"Stopped by {type(error).__name__}: {error}")
        print(f"Written: {', '.join(written)}, and nothing else; run it again." if written else "Nothing was written.")
        return 1
    for path in changed:
        differs = f"{path.name} is not what its data and code produce: run rebuild.py"
        print(differs if arguments.check else f"Written: {path.name}")
    if not changed:
        print("Run, and everything is as it was.")
    return 1 if arguments.check and changed else 0


def build() -> dict[Path, bytes]:
    """What data/ and trainium.md make: each file with its content."""
    from nbclient import NotebookClient  # here, so that Ctrl-C while it loads is caught too
    from nbformat.v4 import new_notebook

    with ThreadPoolExecutor(1) as pool, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        source = pool.submit(read)  # while the kernel starts
        os.environ |= {"JUPYTER_PREFER_ENV_PATH": "1", "JUPYTER_PATH": "", "IPYTHONDIR": scratch}
        client = NotebookClient(new_notebook(), record_timing=False, resources={"metadata": {"path": HERE}})
        client.extra_arguments = ["--log-level=ERROR", f"--IPKernelApp.exec_lines={FIRST}"]
        client.shutdown_kernel = "immediate"  # there is nothing to save in it
        manager = client.create_kernel_manager()
        manager.connection_file = f"{scratch}/kernel.json"
        if os.name == "posix":  # no port that another program may take meanwhile
            manager.transport, manager.ip = "ipc", f"{scratch}/kernel"
        try:
            with client.setup_kernel(env=_environment(scratch)):
                client.nb = source.result()
                run(client)
                say(client)
        finally:  # where an interrupt came while the kernel started
            if manager.has_kernel:
                asyncio.run(manager.shutdown_kernel(now=True))
    return finish(client.nb.cells)


def _environment(scratch):
    """The kernel's: no settings of the reader's for Python, Jupyter and matplotlib, but their list of fonts."""
    theirs = ("PYTHON", "JUPYTER", "IPYTHON", "MPL", "MATPLOTLIB")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
    ours = {"IPYTHONDIR": scratch, "MATPLOTLIBRC": f"{HERE}/trainium.mplstyle", "PYTHONPATH": f"{HERE}"}
    return kept | ours | {"PYTHONUTF8": "1"}


def read():
    """The notebook that trainium.md is the source of, not run yet; Stopped if it, the README or data/ has a fault."""
    sys.path.insert(0, str(HERE))
    import checks
    import jupytext
    from nbformat import v4

    if faults := checks.faults():
        raise Stopped("\n".join(["The data has faults:", *faults]))
    if len(FIRST_PART.findall(README.read_text(encoding="utf-8"))) != 1:
        raise Stopped("README.md: the two comments around its first part, written by rebuild.py, are not there")
    kinds = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell}
    cells = jupytext.read(SOURCE, fmt="md:myst").cells
    if not any(EVAL.search(cell.source) for cell in cells):
        raise Stopped("trainium.md says no {eval} any more: an editor that pairs it with the notebook wrote over it")
    code = ast.parse("\n".join(cell.source for cell in cells if cell.cell_type == "code"))
    names = (node for node in ast.walk(code) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    if twice := [name for name, times in Counter(node.id for node in names).items() if times > 1]:
        raise Stopped(f"trainium.md binds {', '.join(twice)} again; each name is bound once")
    cells = [kinds[cell.cell_type](cell.source, id=f"cell-{n:02}") for n, cell in enumerate(cells, 1)]
    return v4.new_notebook(cells=cells)


def run(client):
    """Runs the cells; Stopped where one fails, with the heading above it."""
    from nbclient.exceptions import CellExecutionError

    heading, cells = "", client.nb.cells
    for number, cell in enumerate(cells):
        print(f"cell {number + 1} of {len(cells)}", end="\r", file=sys.stderr, flush=True)
        try:
            client.execute_cell(cell, number)
        except CellExecutionError as error:
            why = f"a cell fails: {error.ename}: {error.evalue}"
            if error.ename == "AssertionError":
                why = f"it no longer holds: {' | '.join(re.findall('^assert .*', cell.source, re.MULTILINE))}"
            raise Stopped(f'"{heading}": {why}') from None
        if cell.cell_type == "markdown":
            heading = re.findall("^#+ .*", f"{heading}\n{cell.source}", re.MULTILINE)[-1]


def say(client):
    """Puts the value of each name, as the kernel has it, into the words; Stopped with all that cannot be said."""
    from jupyter_core.utils import run_sync

    words = [cell for cell in client.nb.cells if cell.cell_type == "markdown"]
    names = {name: ASK.format(name) for cell in words for name in EVAL.findall(cell.source)}

    async def ask():
        return await client.kc.execute("", silent=True, user_expressions=names, reply=True, timeout=60)

    said, wrong = {}, {}
    for name, answer in run_sync(ask)()["content"]["user_expressions"].items():
        if answer["status"] != "ok":
            wrong[f"`{name}`"] = f"cannot be said: {answer['ename']}: {answer['evalue']}"
            continue
        kind, said[name] = ast.literal_eval(answer["data"]["text/plain"])
        if kind not in SAID:
            wrong[f"`{name}`"] = f"is a {kind}, and neither a Bound nor a count nor a text"
    for cell in words:
        for match in NO_EVAL.finditer(cell.source):
            wrong[match[0]] = "is no {eval} and a name in backquotes, and a brace is for nothing else"
        cell.source = EVAL.sub(lambda name: said.get(name[1], ""), cell.source)
    lines = enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1)
    found = [f"trainium.md, line {n}: {part} {why}" for n, line in lines for part, why in wrong.items() if part in line]
    if found:
        raise Stopped("\n".join(found))


def finish(cells) -> dict[Path, bytes]:
    """The files that the cells make once they have run."""
    from nbformat import v4, writes

    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    for number, cell in enumerate(cells, 1):
        if printed := [output for output in cell.get("outputs", []) if output.output_type in ("stream", "error")]:
            raise Stopped(f"cell {number} prints or warns: {printed[0].get('text', '')[:300]}")
        cell.metadata.clear()
    notebook = v4.new_notebook(cells=cells, metadata=METADATA | {"trainium": {"sources": _hashes(cells)}})
    picture = next(output for output in outputs if "image/png" in output.get("data", {}))
    quotes = next(cell.source for cell in cells if cell.source.startswith(QUOTES))
    part = f"\n{quotes}\n\n![{picture.metadata['image/png']['alt']}](notebooks/{PICTURE.name})\n\n"
    return {
        NOTEBOOK: (writes(notebook) + "\n").encode(),
        PICTURE: base64.b64decode(picture.data["image/png"]),
        README: FIRST_PART.sub(lambda _: part, README.read_text(encoding="utf-8")).encode(),
    }


def _hashes(cells):
    """A short hash of each cell's source, however an editor wraps it."""
    sources = ["".join(cell["source"]).replace("\r\n", "\n").rstrip() for cell in cells]
    return [hashlib.sha256(source.encode()).hexdigest()[:8] for source in sources]


def refuse_if_edited(new: list[str]):
    """Stops if the notebook that is there holds a cell that the last rebuild did not write.

    Where a cleaner took the hashes of its cells away, it has to hold what this rebuild writes: the hashes in `new`.
    """
    if not NOTEBOOK.exists():
        return
    advice = "move the edit to trainium.md, or use --force to write over it"
    try:
        there = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        pairs = zip_longest(_hashes(there["cells"]), there["metadata"].get("trainium", {}).get("sources", new))
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Stopped(f"trainium.ipynb cannot be read as a notebook: {advice}") from None
    if edited := [str(number) for number, (is_now, was) in enumerate(pairs, 1) if is_now != was]:
        raise Stopped(f"cell {', '.join(edited)} of trainium.ipynb was changed by hand: {advice}")


def write(made: dict[Path, bytes], written: list[str]):
    """Writes all files under other names, then puts one after the other in place and notes it in `written`."""
    new = {path: path.with_name(f"{path.name}.{os.getpid()}.new") for path in made}
    try:
        for path, content in made.items():
            new[path].write_bytes(content)
        for path in made:
            new[path].replace(path)
            written.append(path.name)
    finally:
        for path in new.values():
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
