#!/usr/bin/env python3
"""Runs decks at the edge of what round-off can hold, and looks at every state that they accepted.

usage: fuzz_states.py HALFSTEP [--decks N] [--seed N] [--jobs N]

No density or pressure in a dump, a checkpoint or a row of history.csv may be at or below zero, subnormal or not finite,
and time always advances. Pressures of checkpoints are computed as readers do, in their own precision and in double. A
deck that fails is printed and kept. Exit code 77: this Python has no h5py.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SECONDS = 120  # a run


def draw_deck(r):
    """Returns a deck as JSON, which is YAML: two states of gas, or a jet."""
    gamma = r.choice([1.0001, 1.001, 1.1, 1.4, 5 / 3, 2, 3, r.uniform(1.0005, 3)])
    two_axes = r.random() < 0.3
    cells = [r.randint(8, 20), r.randint(8, 20), 1] if two_axes else [r.randint(16, 64), 1, 1]
    speeds = []

    def state():
        density, pressure = 10 ** r.uniform(-6, 6), 10 ** r.uniform(-6, 6)
        sound = (gamma * pressure / density) ** 0.5
        mach = r.choice([0, 10 ** r.uniform(-1, 3), 10 ** r.uniform(-1, 7)])
        velocity = [r.choice([-1, 1]) * mach * sound, r.choice([0, mach * sound * r.random()]), 0]
        speeds.append(mach * sound + sound)
        return {"density": density, "velocity": velocity, "pressure": pressure}

    if two_axes and r.random() < 0.3:
        left = state()
        case = {"name": "jet", "density": left["density"], "speed": abs(left["velocity"][0]) + 1e-3,
                "half_width": 0.2, "ambient_density": 10 ** r.uniform(-6, 6), "pressure": left["pressure"]}
        speeds.append((gamma * left["pressure"] / case["ambient_density"]) ** 0.5)
        boundary = {"x": ["inflow", "outflow"], "y": ["outflow", "outflow"]}
    else:
        case = {"name": "riemann", "axis": "x", "position": 0.5, "left": state(), "right": state()}
        if r.random() < 0.3:  # the same gas on both sides except for its density or speed
            case["right"] = {**case["left"], **{key: case["right"][key] for key in [r.choice(["density", "velocity"])]}}
            speeds.append((gamma * case["right"]["pressure"] / case["right"]["density"]) ** 0.5)
        sides = ["outflow", "reflecting", "inflow"]
        boundary = {"x": r.choice([["periodic"] * 2, [r.choice(sides), r.choice(sides)]]), "y": ["outflow"] * 2}
    steps = r.randint(5, 40)
    riemann = r.choice(["rusanov", "hll", "hllc", "lhllc", "roe"])
    return {
        "case": case,
        "mesh": {"cells": cells, "lower": [0, -0.5, 0], "upper": [1, 0.5, 1], "boundary": boundary},
        "gas": {"gamma": gamma},
        "scheme": {
            "reconstruction": r.choice(["constant", "plm", "ppm", "weno5z"]),
            "limiter": r.choice(["minmod", "van_leer", "mc"]),
            "variables": r.choice(["primitive", "characteristic"]),
            "riemann": riemann,
            "integrator": r.choice(["euler", "ssprk2", "ssprk3"]),
            "precision": r.choice(["single", "double"]),
        },
        "positivity": r.choice(["none", "hu_adams_shu"]) if riemann == "hllc" else "none",
        "time": {"end": steps / max(cells) / max(speeds), "cfl": r.choice([0.1, 0.4, 0.8, 1.5]), "max_steps": 120},
        "soft_error": {
            "on_exhausted": r.choice(["abort", "first_order", "floor"]),
            "face": r.choice(["repair", "repair", "raise"]),
            "cfl_limit": r.choice([0, 1, 1]),
            "floor": {"density": 10 ** r.uniform(-10, -6), "pressure": 10 ** r.uniform(-10, -6)},
        },
        "output": {"every_steps": 7, "directory": "out"},
        "checkpoint": {"every_steps": 11, "keep": 100},
    }


def pressure_of(fields, gamma, real):
    """Returns the pressure as readers compute it in the precision `real`."""
    density, mu, mv, mw, energy = (field.astype(real) for field in fields)
    with np.errstate(all="ignore"):
        volume = real(1) / density
        twice_kinetic = mu * (mu * volume) + mv * (mv * volume) + mw * (mw * volume)
        return (real(gamma) - real(1)) * (energy - real(0.5) * twice_kinetic)


def objection(what, values):
    """Returns why values are no densities or pressures, or None."""
    values = np.asarray(values)
    good = np.isfinite(values) & (values >= np.finfo(values.dtype).tiny)
    return None if good.all() else f"{what}: {values[~good].flat[0]!r}"


def objections(out, gamma):
    """Returns what is wrong with the files of a run."""
    for path in sorted(out.glob("fields_*.vtkhdf")):
        with h5py.File(path) as file:
            for field in ("density", "pressure"):
                yield objection(f"{path.name} {field}", file["VTKHDF/CellData"][field][...])
    for path in sorted(out.glob("checkpoint_0*.h5")):
        with h5py.File(path) as file:
            names = ("density", "momentum_x", "momentum_y", "momentum_z", "energy")
            fields = [file["fields"][name][...] for name in names]
        yield objection(f"{path.name} density", fields[0])
        for real in {np.float64, fields[0].dtype.type}:
            yield objection(f"{path.name} pressure in {real.__name__}", pressure_of(fields, gamma, real))
    before = -1.0
    for row in csv.DictReader((out / "history.csv").open()):
        row = {name: float(value) for name, value in row.items()}
        for name in ("min_density", "min_pressure"):
            yield objection(f"history.csv step {row['step']:g} {name}", row[name])
        if not all(np.isfinite(list(row.values()))):
            yield f"history.csv step {row['step']:g}: {row}"
        if not row["time"] > before:
            yield f"history.csv step {row['step']:g}: time {row['time']!r} after {before!r}"
        before = row["time"]


def fuzz(halfstep, seed):
    """Runs the deck of a seed. Returns (exit code, what is wrong or None)."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix=f"halfstep_fuzz_{seed}_"))
    deck = draw_deck(random.Random(seed))
    (directory / "deck.yaml").write_text(json.dumps(deck, indent=1))
    try:
        done = subprocess.run([halfstep, "run", "deck.yaml", "--backend", "host", "--threads", "1", "--quiet"],
                              cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, f"{directory}: ran longer than {SECONDS} s"
    wrong = None
    if done.returncode not in (0, 2, 3):
        wrong = f"exit code {done.returncode}: {done.stderr}"
    elif done.returncode != 2:
        wrong = next(filter(None, objections(directory / "out", deck["gas"]["gamma"])), None)
    if wrong is None:
        shutil.rmtree(directory)
        return done.returncode, None
    return done.returncode, f"{directory}: {wrong}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("halfstep", type=pathlib.Path)
    parser.add_argument("--decks", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1, help="of the first deck")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    codes, failed = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.decks)
        for code, wrong in pool.map(lambda seed: fuzz(arguments.halfstep.resolve(), seed), seeds):
            codes[code] += 1
            if wrong:
                failed += 1
                print(wrong, flush=True)
    told = ", ".join(f"{count} with exit code {code}" for code, count in codes.most_common())
    print(f"{arguments.decks} decks: {told}; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
