#!/usr/bin/env python3
"""Draws taylor_green.png and .svg of this folder: kinetic energy and dissipation of the runs in it, N.csv of N^3 cells, over
what direct numerical simulation gives.

    make.py                           draws what is here
    make.py 128 out/run [256 ...]     takes anew from run directories of inputs/taylor_green_re1600.yaml, then draws
"""
import pathlib
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "app" / "plot"))
import history  # noqa: E402
import style  # noqa: E402

VOLUME = (2 * numpy.pi) ** 3
VISCOSITY = 1 / 1600
COLUMNS = ("time", "kinetic_energy", "dissipation", "from_enstrophy")


def take(cells, directory):
    """Every 0.1 of time; -dE/dt over 0.1."""
    table = history.History(directory / "history.csv")
    time, energy = table["time"], table["kinetic_energy"] / VOLUME
    places = numpy.arange(0.1, time[-1] - 0.05, 0.1)
    at = lambda shifted: numpy.interp(shifted, time, energy)  # noqa: E731
    rows = zip(places, at(places), (at(places - 0.05) - at(places + 0.05)) / 0.1,
               2 * VISCOSITY * numpy.interp(places, time, table["enstrophy"] / VOLUME))
    lines = [",".join(COLUMNS), *(",".join(f"{value:.5g}" for value in row) for row in rows)]
    (HERE / f"{cells}.csv").write_text("\n".join(lines) + "\n")


def draw():
    made, ((left, right),) = style.figure(1, 2, width=10, height=4.2)
    runs = sorted((int(path.stem), path) for path in HERE.glob("*.csv"))
    for (cells, path), colour in zip(runs, style.COLOURS):
        table = numpy.genfromtxt(path, delimiter=",", names=True)
        left.plot(table["time"], table["kinetic_energy"], color=colour, label=f"{cells}³ cells")
        right.plot(table["time"], table["dissipation"], color=colour, label=f"{cells}³ cells, −dE/dt")
        right.plot(table["time"], table["from_enstrophy"], color=colour, linestyle="--", linewidth=1,
                   label=f"{cells}³ cells, from the enstrophy")
    left.plot(*history.dns("kinetic_energy"), **style.REFERENCE, label="spectral DNS")
    right.plot(*history.dns("dissipation"), **style.REFERENCE, label="spectral DNS")
    left.set_title("kinetic energy E")
    right.set_title("dissipation")
    for axes in (left, right):
        axes.set_xlabel("time · speed / length")
        axes.set_ylim(bottom=0)
        axes.legend()
    made.suptitle("Taylor–Green vortex, Re 1600, Mach 0.1, weno5z with hllc", fontweight="bold")
    for suffix in ("png", "svg"):
        made.savefig(HERE / f"taylor_green.{suffix}", metadata={"Date": None} if suffix == "svg" else {"Software": None})


def main():
    pairs = sys.argv[1:]
    for cells, directory in zip(pairs[::2], pairs[1::2]):
        take(cells, pathlib.Path(directory))
    draw()


main()
