"""The program halfstep: where it is, and a run by it."""
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
    command = [find_program(), "run", str(deck), *words, "--output", str(output), "--quiet", *map(str, options)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        message = process.communicate()[1].decode("utf-8", "replace").strip()
    except KeyboardInterrupt:  # the program writes a checkpoint before it ends
        process.terminate()
        process.communicate()
        raise
    if process.returncode != 0:
        raise RunFailed(process.returncode, message or f"halfstep ended with exit code {process.returncode}")
    return Run(output)


def _spelling(value):
    """A value as a deck has it: JSON is YAML."""
    return json.dumps(value, default=lambda array: array.tolist())
