"""Runs trainium.ipynb from top to bottom and writes it anew, with the README's chart beside it.

    python notebooks/rebuild.py           run and write
    python notebooks/rebuild.py --check   run and compare with what is there; writes nothing

Exit code 1 if the data has faults, a cell fails or --check finds a difference; nothing is written then.
"""

import argparse
import asyncio
import base64
import os
import signal
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.resolve()
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}


def run() -> dict[Path, bytes]:
    """What the notebook's own code and data make of it: its file, and its first chart as PNG and SVG."""
    import nbformat  # here, so that Ctrl-C while they load is caught too
    from nbclient import NotebookClient

    notebook = nbformat.read(HERE / "trainium.ipynb", as_version=4)
    total = len(notebook.cells)
    if "chips-picture" not in {cell.id for cell in notebook.cells}:
        raise ValueError('trainium.ipynb has no cell "chips-picture", whose picture the README shows')
    for cell in notebook.cells:  # what an editor leaves behind: timings, folded outputs, "skip this cell"
        cell.metadata.clear()
        cell.pop("attachments", None)
        if cell.cell_type == "code":
            cell.outputs = []
    os.environ.pop("JUPYTER_PATH", None)  # nor does a kernel of theirs
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    svg = nbformat.v4.new_code_cell('print(picture.saved("svg").decode())', id="svg")
    notebook.cells.append(svg)
    with tempfile.TemporaryDirectory(
        ignore_cleanup_errors=True
    ) as nobodys:  # no settings of the reader's reach the kernel
        own = {"IPYTHONDIR": nobodys, "MPLCONFIGDIR": nobodys, "MATPLOTLIBRC": str(HERE / "trainium.mplstyle")}
        own |= {"PYTHONPATH": str(HERE)}
        client = NotebookClient(notebook, record_timing=False, resources={"metadata": {"path": str(HERE)}})
        client.extra_arguments = ["--log-level=ERROR"]
        client.shutdown_kernel = "immediate"  # there is nothing to save in it
        client.create_kernel_manager().connection_file = f"{nobodys}/kernel.json"
        try:
            with client.setup_kernel(env=os.environ | own):
                for number, cell in enumerate(notebook.cells):
                    if cell is not svg:
                        print(f"\rcell {number + 1} of {total}", end="", file=sys.stderr, flush=True)
                    client.execute_cell(cell, number)
        finally:
            print(file=sys.stderr)
            if client.km is not None and client.km.has_kernel:  # stopped while it was starting
                asyncio.run(client.km.shutdown_kernel(now=True))
    notebook.cells.remove(svg)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type in ("stream", "error"):
                raise ValueError(f"cell {cell.id} prints or warns: {output.get('text', '')[:300]}")
    notebook.metadata = nbformat.from_dict(METADATA)
    png = next(cell for cell in notebook.cells if cell.id == "chips-picture").outputs[0].data["image/png"]
    return {
        HERE / "trainium.ipynb": (nbformat.writes(notebook) + "\n").encode(),
        HERE / "trainium.png": base64.b64decode(png),
        HERE / "trainium.svg": svg.outputs[0].text.encode(),
    }


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
    finally:
        for path in new.values():
            path.unlink(missing_ok=True)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true", help="compare, and write nothing")
    check = arguments.parse_args().check
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where a shell had it ignored, too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        made = run()
        changed = {path: new for path, new in made.items() if not path.exists() or path.read_bytes() != new}
        if not check:
            write(changed)
    except KeyboardInterrupt:
        print("Stopped. Nothing was written.")
        return 1
    except Exception as error:  # of whatever kind: who runs this gets what is wrong and no traceback
        kind, value = getattr(error, "ename", type(error).__name__), getattr(error, "evalue", error)
        print(value if kind == "Faults" else f"Failed: {kind}: {value}")
        print("Nothing was written.")
        return 1
    for path in changed:
        print(
            f"{path.name} is not what its data and code produce: run rebuild.py" if check else f"Written: {path.name}"
        )
    if not changed:
        print("Run, and everything is as it was.")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
