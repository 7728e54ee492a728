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
import base64
import hashlib
import json
import os
import re
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE, NOTEBOOK, PICTURE = HERE / "trainium.md", HERE / "trainium.ipynb", HERE / "trainium.png"
README = HERE.parent / "README.md"
FIRST_PART = re.compile("(?<=<!-- written by notebooks/rebuild.py -->\n).*(?=<!-- up to here -->)", re.DOTALL)
# A name that the words say; without a name: a brace for something else, a comment, or a role that lost its brace.
EVAL = re.compile(r"\{eval\}`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)`|(?:\{|eval`).{0,30}|^%.*", re.MULTILINE)
# What the kernel begins with: how a value is said, and, while it starts, to import all that takes long to import,
# without a warning where listing fonts is slow.
FIRST = """
import logging, threading
logging.getLogger("matplotlib").setLevel("ERROR")
threading.Thread(target=__import__, args=["charts"]).start()
def _said(value):
    if type(value).__name__ not in ("Bound", "int", "str"):
        raise TypeError(f"{value!r} is neither a Bound nor a count nor a text")
    return str(value)
"""


class Stopped(Exception):  # noqa: N818 (it is told like any other end of a run)
    """Why the run ended, in words for whoever started it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--force", action="store_true", help="write over a notebook that was edited by hand")
    arguments = parser.parse_args()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console that cannot print Devanagari
    _when_interrupted(signal.default_int_handler)
    written = []
    try:
        made = build()
        changed = {path: new for path, new in made.items() if not path.exists() or path.read_bytes() != new}
        if arguments.check and changed:
            raise Stopped("\n".join(f"{path.name} is not what its data and code produce" for path in changed))
        if NOTEBOOK.exists() and not (arguments.check or arguments.force):
            refuse_if_edited(json.loads(made[NOTEBOOK])["metadata"]["trainium"]["sources"])
        write(changed, written)
    except (KeyboardInterrupt, Exception) as error:  # of whatever kind: it is told, and not as a traceback
        print(error if isinstance(error, Stopped | OSError) else f"Stopped by {type(error).__name__}: {error}")
        print(f"Written: {', '.join(written)}, and nothing else; run it again." if written else "Nothing was written.")
        return 1
    print(f"Written: {', '.join(written)}" if written else "Run, and everything is as it was.")
    return 0


def build() -> dict[Path, bytes]:
    """What data/ and trainium.md make: each file with its content; Stopped if there is a fault in them."""
    from nbclient import NotebookClient  # here, so that Ctrl-C while it loads is caught too
    from nbformat.v4 import new_notebook

    with ThreadPoolExecutor(1) as pool, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        source = pool.submit(read)  # while the kernel starts
        # No settings of the reader's for Python, Jupyter and matplotlib, but their list of fonts.
        theirs = ("PYTHON", "JUPYTER", "IPYTHON", "MPL", "MATPLOTLIB")
        kernels = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
        kernels |= {"MATPLOTLIBRC": f"{HERE}/trainium.mplstyle", "IPYTHONDIR": scratch}
        kernels |= {"PYTHONPATH": f"{HERE}", "PYTHONUTF8": "1"}
        os.environ |= {"JUPYTER_PREFER_ENV_PATH": "1", "JUPYTER_PATH": "", "IPYTHONDIR": scratch}
        client = NotebookClient(
            new_notebook(),
            allow_errors=True,  # run() looks for them
            record_timing=False,
            shutdown_kernel="immediate",  # there is nothing to save in it
            extra_arguments=["--log-level=ERROR", f"--IPKernelApp.exec_lines={FIRST}"],
        )
        manager, noted = client.create_kernel_manager(), []
        manager.connection_file = f"{scratch}/kernel.json"
        if os.name == "posix":  # no port that another program may take meanwhile
            manager.transport, manager.ip = "ipc", f"{scratch}/kernel"
        _when_interrupted(lambda *_: noted.append(True))  # amid an import or a launch it would leave a lock or a kernel
        with client.setup_kernel(cwd=HERE, env=kernels):
            client.nb = source.result()
            _when_interrupted(signal.default_int_handler)
            if noted:
                raise KeyboardInterrupt
            run(client)
            say(client)
    return finish(client.nb)


def _when_interrupted(handler):
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, handler)


def read():
    """The notebook that trainium.md is the source of, not run yet; Stopped if it, the README or data/ has a fault."""
    sys.path.insert(0, str(HERE))
    import checks
    import jupytext

    if faults := checks.faults():
        raise Stopped("\n".join(["The data has faults:", *faults]))
    if len(FIRST_PART.findall(README.read_text(encoding="utf-8"))) != 1:
        raise Stopped("README.md: the two comments around its first part, written by rebuild.py, are not there")
    notebook = jupytext.read(SOURCE, fmt="md:myst")
    code = ast.parse("\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code"))
    names = [node.id for node in ast.walk(code) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise Stopped(f"trainium.md binds {', '.join(twice)} again; each name is bound once")
    return notebook


def run(client):
    """Runs the cells; Stopped where one fails or prints, with the heading above it."""
    headings, cells = [], client.nb.cells
    for number, cell in enumerate(cells):
        print(f"cell {number + 1} of {len(cells)}", end="\r", file=sys.stderr, flush=True)
        client.execute_cell(cell, number)
        if cell.cell_type == "markdown":
            headings += re.findall("^#+ .*", cell.source, re.MULTILINE)
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                raise Stopped(f'"{headings[-1]}": a cell prints or warns: {output.text[:300]}')
            if output.output_type == "error":
                held = " | ".join(re.findall("^assert .*", cell.source, re.MULTILINE))
                failed = output.ename == "AssertionError"
                why = f"it no longer holds: {held}" if failed else f"a cell fails: {output.ename}: {output.evalue}"
                raise Stopped(f'"{headings[-1]}": {why}')


def say(client):
    """Puts the value of each name, as the kernel has it, into the words; Stopped with all that cannot be said."""
    from jupyter_core.utils import ensure_event_loop

    words = [cell for cell in client.nb.cells if cell.cell_type == "markdown"]
    found = {match[0]: match[1] for cell in words for match in EVAL.finditer(cell.source)}
    if not any(found.values()):
        raise Stopped("trainium.md says no {eval} any more: an editor that pairs it with the notebook wrote over it")

    asked = {part: f"_said({name})" for part, name in found.items() if name}
    reply = client.kc.execute("", silent=True, user_expressions=asked, reply=True, timeout=60)
    answers = ensure_event_loop().run_until_complete(reply)["content"]["user_expressions"]
    said, wrong = {}, dict.fromkeys(found, "is no {eval} and a name in backquotes, and a brace is for nothing else")
    for part, answer in answers.items():
        if answer["status"] == "ok":
            said[part] = ast.literal_eval(answer["data"]["text/plain"])
            del wrong[part]
        else:
            wrong[part] = f"cannot be said: {answer['ename']}: {answer['evalue']}"
    lines = enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1)
    told = [f"trainium.md, line {n}: {part} {why}" for n, line in lines for part, why in wrong.items() if part in line]
    if told:
        raise Stopped("\n".join(told))
    for cell in words:
        cell.source = EVAL.sub(lambda match: said[match[0]], cell.source)


def finish(notebook) -> dict[Path, bytes]:
    """The files that a notebook makes once it has run."""
    from nbformat import writes

    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number:02}", {}
    notebook.metadata = {
        "kernelspec": notebook.metadata.kernelspec,
        "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
        "trainium": {"sources": _hashes(notebook.cells)},
    }
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    picture = next(output for output in outputs if "image/png" in output.data)
    quotes = next(cell.source for cell in notebook.cells if cell.source.startswith("## To quote"))
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
