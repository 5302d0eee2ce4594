"""Runs of halfstep, opened and started from Python.

    import halfstep
    run = halfstep.open("out/sod")
    dump = run.dump(time=0.1)
    dump["density"], dump.coordinates["x"], run.history["energy"], run.summary["steps"]

    run = halfstep.run("sod", {"scheme.riemann": "roe", "mesh.cells": [512, 1, 1]}, output="out/roe")
"""
from .dump import Dump
from .errors import RunFailed, Unreadable
from .program import find_program, run, sweep
from .run_directory import Run, Series

open = Run

__all__ = ["Dump", "Run", "RunFailed", "Series", "Unreadable", "find_program", "open", "run", "sweep"]
