"""Runs trainium.ipynb from top to bottom and writes it anew, with the README's chart beside it.

    python notebooks/rebuild.py           run and write
    python notebooks/rebuild.py --check   run and compare with what is there; writes nothing

Exit code 1 if the data has faults, a cell fails or --check finds a difference; nothing is written then.
"""

import argparse
import base64
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}


def run() -> dict[Path, bytes]:
    """What the notebook's own code and data make of it: its file, and its first chart as PNG and SVG."""
    notebook = nbformat.read(HERE / "trainium.ipynb", as_version=4)
    svg = nbformat.v4.new_code_cell('print(picture.saved("svg").decode())', id="svg")
    total = len(notebook.cells)
    notebook.cells.append(svg)
    with tempfile.TemporaryDirectory() as nobodys:  # no settings of the reader's reach the kernel
        own = {"IPYTHONDIR": nobodys, "MPLCONFIGDIR": nobodys, "MATPLOTLIBRC": str(HERE / "trainium.mplstyle")}
        client = NotebookClient(notebook, record_timing=False, resources={"metadata": {"path": str(HERE)}})
        client.extra_arguments = ["--log-level=ERROR"]
        client.shutdown_kernel = "immediate"  # there is nothing to save in it
        try:
            with client.setup_kernel(env=os.environ | own | {"JUPYTER_PREFER_ENV_PATH": "1"}):
                for number, cell in enumerate(notebook.cells):
                    if cell is not svg:
                        print(f"\rcell {number + 1} of {total}", end="", file=sys.stderr, flush=True)
                    client.execute_cell(cell, number)
        finally:
            print(file=sys.stderr)
    notebook.cells.remove(svg)
    notebook.metadata = nbformat.from_dict(METADATA)
    png = next(cell for cell in notebook.cells if cell.id == "chips-picture").outputs[0].data["image/png"]
    return {
        HERE / "trainium.ipynb": (nbformat.writes(notebook) + "\n").encode(),
        HERE / "trainium.png": base64.b64decode(png),
        HERE / "trainium.svg": svg.outputs[0].text.encode(),
    }


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true", help="compare, and write nothing")
    check = arguments.parse_args().check
    try:
        made = run()
    except CellExecutionError as error:
        print(error.evalue if error.ename == "Faults" else f"A cell failed: {error.ename}: {error.evalue}")
        print("Nothing was written.")
        return 1
    except KeyboardInterrupt:
        print("Stopped. Nothing was written.")
        return 1
    changed = [path for path, content in made.items() if not path.exists() or path.read_bytes() != content]
    if check:
        for path in changed:
            print(f"{path.name} is not what its data and code produce: run rebuild.py")
        return 1 if changed else 0
    new = {path: path.with_name(f"{path.name}.new") for path in changed}
    for path in changed:
        new[path].write_bytes(made[path])
    for path in changed:
        new[path].replace(path)
    print(
        f"Written: {', '.join(path.name for path in changed)}"
        if changed
        else "Run, and everything is as it was: nothing to write."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
