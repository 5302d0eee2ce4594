"""history.csv drawn: what the flow as a whole did, step by step."""
import csv
import functools
import pathlib

import numpy

import style
from readers import usable_table
from refusal import Refused, Unusable, not_among
from view import View

LABELS = {"mass": "mass", "momentum_x": "momentum along x", "momentum_y": "momentum along y",
          "momentum_z": "momentum along z", "energy": "energy", "kinetic_energy": "kinetic energy",
          "enstrophy": "enstrophy ∫ ρ ω² / 2 dV", "dt": "dt", "attempts": "attempts a step",
          "min_density": "least density", "min_pressure": "least pressure", "max_mach": "greatest Mach number",
          "repaired_faces": "repaired faces a step", "floored_cells": "floored cells a step",
          "floor_mass": "mass that floors added"}


def label(column):
    words = column.replace("_", " ")
    if column.startswith("budget_"):
        return words.replace("budget", "budget:", 1)
    if column.startswith("drift_"):
        return words.replace("drift", "unexplained", 1) + ", relative"
    if column.endswith("_mass") and column not in LABELS:
        return "mass of " + column.removesuffix("_mass")
    if column.endswith("_volume"):
        return "volume of " + column.removesuffix("_volume")
    return LABELS.get(column, words)


class History:
    """Columns by name, a number a row; row 0 is the initial state. `due`: at multiples of these times steps end."""

    def __init__(self, path, due=()):
        self.path, self.due = path, due
        self.columns = usable_table(path, "draw the history.csv of a run")
        for name in ("step", "time"):
            if name not in self.columns:
                raise Unusable(f"'{path}' has no column '{name}'", "draw the history.csv of a run")
        for name, column in self.columns.items():
            if column.dtype.kind != "f":
                raise Unusable(f"'{path}' cannot be read as a history: column '{name}' is not of numbers",
                               "draw the history.csv of a run")
        if not self.columns["step"].size:
            raise Unusable(f"'{path}' has no rows", "draw the history.csv of a run that has begun")

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        if name not in self.columns:
            raise not_among(name, "column", list(self.columns), self.path)
        return self.columns[name]


SHOWN_BODIES = 3
SHARED = ("mass", "energy", "kinetic_energy", "dt", "min_density", "min_pressure", "attempts", "drift_mass",
          "drift_energy")  # by several runs in one picture


def history(files, columns, title, names=None, view=None, due=None):
    """The columns of those names, a panel each; without names what tells how a run went. Of several files, each with
    its name, every panel has a line each. `view`: the arguments of View. `due`: of each file, the times at whose
    multiples steps end."""
    view, tables = View(**view or {}), [History(*file) for file in zip(files, due or [()] * len(files))]
    if columns or len(tables) > 1:
        made, grid = panels(tables, columns or [name for name in SHARED if all(name in one for one in tables)],
                            names or ["halfstep"], view, stacked=bool(columns))
    else:
        bodies = [name.removesuffix("_force_x") for name in tables[0].columns if name.endswith("_force_x")]
        drawn = (drift, kinetic_energy, step_length, least, greatest_mach, attempts,
                 *(functools.partial(force, body=body) for body in bodies[:SHOWN_BODIES]))
        rows = -(-len(drawn) // 3)
        made, grid = style.figure(rows, 3, width=11.0, height=2.8 * rows, sharex=True)
        view.fit(made)
        places = [axes for row in grid for axes in row]
        for axes, draw in zip(places, drawn):
            draw(axes, tables[0])
        for axes in places[len(drawn):]:
            axes.set_visible(False)
    shown = [axes for row in grid for axes in row if axes.get_visible()]
    has_steps = any(table["step"].size > 1 for table in tables)
    for axes in shown:
        axes.xaxis.get_major_formatter().set_powerlimits((-3, 6))  # ticks of a short time would run into each other
        if not has_steps:  # a line through one point is not seen
            for line in axes.lines:
                line.set_marker("o")
    style.label_columns(shown, len(grid[0]), "time")
    for row in grid:
        for axes in row:
            axes.margins(x=0.01)
    table = tables[0]
    footer = [("", f"{int(table['step'][-1])} steps"), ("", f"to t = {table['time'][-1]:.6g}")]
    if not columns and len(tables) == 1 and len(bodies) > SHOWN_BODIES:
        footer.append(("", f"forces on {SHOWN_BODIES} of {len(bodies)} bodies"))
    said = f"{title or 'halfstep'}, history"
    if not has_steps:
        said += ": no step was accepted"
    return style.Picture(made, view.title or said, footer if len(tables) == 1 else [])


def panels(tables, columns, names, view, stacked):
    """A panel for each column with a line for each table. Raises Refused for a range or a logarithm without sense."""
    if view.range and len(columns) > 1:
        raise Refused(f"--range is for one column, and {len(columns)} are drawn", "choose one with --column")
    across = 1 if stacked else 3
    rows = -(-len(columns) // across)
    width, height = (9.0, 1.0 + 1.9 * rows) if stacked else (11.0, 0.8 + 2.4 * rows)
    made, grid = style.figure(rows, across, width=width, height=height, sharex=True)
    view.fit(made)
    places = [axes for row in grid for axes in row]
    for axes in places[len(columns):]:
        axes.set_visible(False)
    for axes, column in zip(places, columns):
        said = label(column)
        for n, (table, name) in enumerate(zip(tables, names)):
            first = 1 if column in ("dt", "attempts") else 0  # the initial state had no step before it
            time, values = table["time"][first:], table[column][first:]
            if column == "dt" and not stacked and (short := cut_short(table)).any():
                time, values, said = time[~short], values[~short], "dt, without steps to a due time"
            axes.plot(time, values, **style.look(n), linewidth=1.1, label=name)
        view.scale(axes, column, "choose another column with --column")
        if column == "attempts" and axes.get_yscale() == "linear":
            axes.yaxis.get_major_locator().set_params(integer=True)
        axes.set_ylabel(style.wrapped(said, 22))
    if len(tables) > 1:
        style.legend_below(made, *grid[0][0].get_legend_handles_labels())
    return made, grid


def drift(axes, table):
    """Draws what a run's budget does not explain of the change of the totals; without budgets the whole change. The
    momenta are relative to √(2 mass · energy), for they may be 0 at the start."""
    unexplained = "drift_mass" in table
    mass, energy = table["mass"][0], table["energy"][0]
    momentum = numpy.sqrt(abs(2 * mass * energy))
    changes = {}
    scales = {"mass": abs(mass), "energy": abs(energy), **{f"momentum_{axis}": momentum for axis in "xyz"}}
    for column, scale in scales.items():
        change = table[f"drift_{column}"] if unexplained else (table[column] - table[column][0]) / (scale or 1)
        if change.any() or column in ("mass", "energy"):
            changes[column] = change
    largest = max(numpy.nanmax(abs(change)) for change in changes.values())
    power = int(numpy.floor(numpy.log10(largest))) if 0 < largest < 1e-2 else 0
    for n, (column, change) in enumerate(changes.items()):
        axes.plot(table["time"], change / 10.0 ** power, **style.look(n), linewidth=1.2,
                  label=column.replace("momentum_", "momentum "))
    named(axes, ("unexplained change" if unexplained else "change since the start") + ", relative"
          + (", of momenta to √(2mE)" if len(changes) > 2 else "") + (f", in 1e{power}" if power else ""))
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + (0.35 + 0.1 * (len(changes) > 4)) * (high - low))  # room for the legend
    axes.legend(loc="upper center", ncols=2, columnspacing=1)


def named(axes, title):
    """Sets the title of one of three panels beside each other."""
    axes.set_title(style.wrapped(title, int(11 * axes.figure.get_figwidth() / 3)))


def kinetic_energy(axes, table):
    axes.plot(table["time"], table["kinetic_energy"], color=style.COLOURS[0])
    style.logarithmic_where_wide(axes)
    axes.set_title("kinetic energy")


def cut_short(table):
    """Which steps end when an output is due, or the run, and are shorter than those beside them. Steps that were redone
    are among them: a remedy keeps the dt, and a step whose dt was halved does not end at a due time."""
    time, dt = table["time"][1:], table["dt"][1:]
    is_due = numpy.zeros(len(dt), bool)
    for every in table.due:
        is_due |= numpy.isclose(time, numpy.round(time / every) * every, rtol=1e-12, atol=0)
    beside = numpy.concatenate([dt[:1], dt, [numpy.inf]])
    return is_due & (dt < 0.99 * numpy.minimum(beside[:-2], beside[2:]))


def without(short):
    """What a line says of the steps that it leaves out."""
    return f", without {style.counted(short.sum(), 'step')} to a due time" if short.any() else ""


def step_length(axes, table):
    """The initial state had no step before it."""
    time, dt = table["time"][1:], table["dt"][1:]
    short = cut_short(table)
    axes.plot(time[~short], dt[~short], color=style.COLOURS[0], linewidth=1)
    style.logarithmic_where_wide(axes)
    named(axes, "dt" + without(short))


def least(axes, table):
    for n, column in enumerate(("min_density", "min_pressure")):
        axes.plot(table["time"], table[column], **style.look(n),
                  label=label(column).removeprefix("least "))
    style.logarithmic_where_wide(axes)
    axes.set_title("least in the domain")
    axes.legend()


def greatest_mach(axes, table):
    axes.plot(table["time"], table["max_mach"], color=style.COLOURS[0])
    style.logarithmic_where_wide(axes)
    axes.set_title("greatest Mach number")


def attempts(axes, table):
    """A step that was redone stands out from those that took one attempt."""
    redone = table["attempts"] > 1
    axes.plot(table["time"][1:], table["attempts"][1:], color=style.QUIET, linewidth=0.8, drawstyle="steps-pre")
    axes.plot(table["time"][redone], table["attempts"][redone], color=style.COLOURS[4], marker="o", markersize=3.5,
              linestyle="none")
    axes.set_ylim(0, max(table["attempts"].max() * 1.15, 2))
    axes.yaxis.get_major_locator().set_params(integer=True)
    named(axes, "attempts a step" + (f", {redone.sum()} of {len(redone) - 1} redone" if redone.any() else ""))


def force(axes, table, body):
    """On a body or a wall; axes along which there is none are left out."""
    for n, axis in enumerate("xyz"):
        along = table[f"{body}_force_{axis}"]
        if along.any():
            axes.plot(table["time"], along, **style.look(n), label=f"along {axis}")
    axes.set_title(f"force on {body.replace('_', ' ')}")
    if axes.lines:
        axes.legend()


# --- the Taylor-Green vortex at Re 1600 ------------------------------------------------------------------------------

def dns(column):
    """Times and values of direct numerical simulation at Re 1600, whose file says more; where one is known."""
    file = pathlib.Path(__file__).resolve().parents[2] / "tests/reference/taylor_green_re1600.csv"
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    known = [row for row in csv.DictReader(lines) if row[column]]
    return [float(row["time"]) for row in known], [float(row[column]) for row in known]


def dissipation(file, title, units, view=None):
    """`units`: "volume" of the domain, "density" and "speed" at the start, "length" (box / 2π), "viscosity"."""
    view, table = View(**view or {}), History(file)
    time = table["time"] * units["speed"] / units["length"]
    mass = units["volume"] * units["density"]
    energy = table["kinetic_energy"] / (mass * units["speed"] ** 2)
    made, ((left, right),) = style.figure(1, 2, width=10.0, height=4.2)
    view.fit(made)
    left.plot(time, energy, color=style.COLOURS[0], label="halfstep")
    left.plot(*dns("kinetic_energy"), **style.REFERENCE, label="spectral DNS")
    left.set_title("kinetic energy E")
    if time[-1] > 0.1:
        # The difference over one step is mostly round-off: rates are those over 0.05.
        places = numpy.arange(time[0], time[-1], 0.05)
        rate = -numpy.gradient(numpy.interp(places, time, energy), 0.05)
        right.plot(places, rate, color=style.COLOURS[0], label="halfstep, −dE/dt")
    if "enstrophy" in table:
        # What viscosity takes out of the flow as it is resolved; the rest of −dE/dt is the scheme's.
        viscous = 2 * units["viscosity"] / units["density"] * table["enstrophy"] / mass
        right.plot(time, viscous * units["length"] / units["speed"] ** 3, color=style.COLOURS[1], linestyle="--",
                   label="halfstep, from the enstrophy")
    right.plot(*dns("dissipation"), **style.REFERENCE, label="spectral DNS")
    right.set_title("dissipation")
    for axes in (left, right):
        axes.set_xlabel("time · speed / length")
        axes.set_ylim(bottom=0)
        axes.legend()
    return style.Picture(made, view.title or f"{title or 'halfstep'}, dissipation",
                         [("", f"{int(table['step'][-1])} steps"), ("", "DNS: van Rees et al. (2011)")])
