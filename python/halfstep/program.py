"""The program halfstep: where it is, and runs by it."""
import json
import os
import pathlib
import shutil
import subprocess

from .errors import RunFailed
from .run_directory import Run


def find_program():
    """The path of the program: $HALFSTEP, the one on the PATH, or build/release/halfstep of the sources that this
    package lies in. Raises FileNotFoundError that says how to name it."""
    named = os.environ.get("HALFSTEP")
    if named:
        if not shutil.which(named):
            raise FileNotFoundError(f"HALFSTEP is '{named}', which is no program; set it to the path of halfstep")
        return named
    built = pathlib.Path(__file__).resolve().parents[2] / "build/release/halfstep"
    found = shutil.which("halfstep") or shutil.which(built)
    if not found:
        raise FileNotFoundError("the program halfstep was not found; put it on the PATH, or set HALFSTEP to its path")
    return str(found)


def run(deck, overrides=None, *, output, options=()):
    """Runs a deck to its end and opens what it has left.

    deck: a file, or the name of a deck that the program carries.
    overrides: values by their full key, such as {"scheme.riemann": "roe", "mesh.cells": [512, 1, 1]}.
    output: the directory to write into; an earlier run there is moved aside.
    options: further words of the command line, such as ["--backend", "host"].

    Raises RunFailed with the program's exit code and message: a wrong deck is 2, a run that gave up 3, a stopped one 4.
    """
    words = [f"{key}={_spelling(value)}" for key, value in (overrides or {}).items()]
    code, message = _call("run", deck, *words, "--output", output, "--quiet", *options)
    if code != 0:
        raise RunFailed(code, message)
    return Run(output)


def sweep(deck, values, *, output, options=()):
    """Runs a deck with every combination of values, but for runs that `output` has the result of.

    values: a list by each key that varies, such as {"scheme.riemann": ["hll", "roe"], "mesh.cells.x": [64, 128]};
    text is spelt as in a deck.

    Returns the rows of sweep.json, a dictionary a run, with "run" what was opened of it. A row of a run that gave up
    has the status "exhausted". Raises RunFailed if a value is not possible, a run failed or the sweep was stopped.
    """
    words = [f"{key}={','.join(one if isinstance(one, str) else _spelling(one) for one in several)}"
             for key, several in values.items()]
    code, message = _call("sweep", deck, *words, "--output", output, *options)
    if code not in (0, 3):
        raise RunFailed(code, message)
    rows = json.loads((pathlib.Path(output) / "sweep.json").read_text(encoding="utf-8"))["rows"]
    return [{**row, "run": Run(pathlib.Path(output) / row["directory"])} for row in rows]


def _call(*words):
    """The program's exit code and what it said of errors."""
    process = subprocess.Popen([find_program(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    try:
        message = process.communicate()[1].decode("utf-8", "replace").strip()
    except KeyboardInterrupt:  # the program writes a checkpoint before it ends
        process.terminate()
        process.communicate()
        raise
    return process.returncode, message or f"halfstep ended with exit code {process.returncode}"


def _spelling(value):
    """A value as a deck has it: JSON is YAML."""
    return json.dumps(value, default=lambda array: array.tolist())
