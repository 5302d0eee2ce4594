#!/usr/bin/env python3
"""Sod's shock tube on three meshes: runs the deck, prints errors and orders, and where the shock is.

usage: shock_tube.py [DIRECTORY]   (out/shock_tube by default)
"""
import math
import sys

import numpy

import halfstep

directory = sys.argv[1] if len(sys.argv) > 1 else "out/shock_tube"
runs = [halfstep.run("sod", {"mesh.cells": [cells, 1, 1]}, output=f"{directory}/{cells}") for cells in (64, 128, 256)]

print("cells  steps  L1 error of density  order")
error_before = None
for run in runs:
    error, cells = run.summary["verdict"]["density"]["l1"], len(run.dump()["density"])
    order = f"{math.log2(error_before / error):5.2f}" if error_before else ""
    print(f"{cells:5}  {run.summary['steps']:5}  {error:19.3e}  {order}".rstrip())
    error_before = error

finest = runs[-1]
with finest.dump(time=0.2) as dump:
    x, density = dump.coordinates["x"], dump["density"]
right = x > 0.8  # the contact discontinuity is left of that
shock = x[right][abs(numpy.diff(density[right])).argmax()]
print(f"shock at t = {dump.time:g}: x = {shock:.3f} (exact: 0.850)")

history = finest.history
print(f"energy: {history['energy'][0]:.12g} at the start, {history['energy'][-1]:.12g} at the end")
