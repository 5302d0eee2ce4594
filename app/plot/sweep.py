"""Draws the sweep.json of `halfstep sweep`: errors over mesh size, or what the runs gave, one beside the other.

Usage: sweep.py SWEEP.json STEM [SOURCE]
"""
import math
import re
import sys

try:
    import style
    from refusal import NothingToDraw, exit_code
except ImportError as error:
    print(error)
    sys.exit(3)

RESULTS = ("status", "steps", "rejections", "seconds")


def is_of_mesh(key):
    return key == "mesh.cells" or key.startswith("mesh.cells.")


def cells_of(value):
    """The greatest cell count in a swept value, 64 or "[64, 64, 1]"."""
    return max(int(number) for number in re.findall(r"\d+", str(value)))


def number(value):
    """A figure of the table, or None where there is none."""
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def swept_keys(report):
    """The columns before the results."""
    return report["columns"][:report["columns"].index("status")]


def name_of(row, keys):
    return ", ".join(f"{key.split('.', 1)[-1] if len(keys) > 1 else key} = {row[key]}" for key in keys)


def series(report, column):
    """(name, cells, values) of each set of runs that differ in their mesh alone, cells ascending. Runs that did not finish,
    or without a value, are left out."""
    keys = swept_keys(report)
    mesh, others = [key for key in keys if is_of_mesh(key)], [key for key in keys if not is_of_mesh(key)]
    found = {}
    for row in report["rows"]:
        value = number(row.get(column))
        if is_finished(row) and value is not None and value > 0:
            found.setdefault(name_of(row, others), []).append((max(cells_of(row[key]) for key in mesh), value))
    return [(name, *zip(*sorted(points))) for name, points in found.items()]


def is_finished(row):
    """Whether its error is one at the end of the run, as those of the others are."""
    return row["status"] == "finished"


def draw(report, stem, source=""):
    if not report["rows"]:
        raise NothingToDraw("the sweep has no runs")
    columns = [column for column in report["columns"] if column.startswith("L1 ")]
    has_mesh = any(is_of_mesh(key) for key in swept_keys(report))
    made = errors(report, columns) if columns and has_mesh else bars(report, columns or ["steps", "rejections",
                                                                                          "seconds"])
    title = f"Sweep of {report['sweep']}"
    without = sum(not is_finished(row) for row in report["rows"])
    if columns and without:
        title += f": {len(report['rows']) - without} of {len(report['rows'])} runs finished"
    return style.save(made, title, report.get("provenance", {}), stem, source)


def errors(report, columns):
    """A panel a field: the L1 error over the cells along an axis, with the slope between neighbours."""
    made, (row,) = style.figure(1, len(columns), width=max(4.0 * len(columns), 6), height=4.4)
    for axes, column in zip(row, columns):
        for n, (name, cells, values) in enumerate(series(report, column)):
            axes.plot(cells, values, **style.look(n), marker=style.marker(n), linewidth=1.2, markersize=4,
                      label=name or "all runs")
        if not axes.lines:
            axes.text(0.5, 0.5, "no finished run has an error norm", ha="center", transform=axes.transAxes)
            continue
        reference(axes)
        axes.set_xscale("log", base=2)
        style.logarithmic(axes, axes.dataLim.minposy, axes.dataLim.y1)
        counts = sorted({count for line in axes.lines for count in line.get_xdata()})
        axes.set_xticks(counts, [f"{count:g}" for count in counts])
        axes.xaxis.set_minor_locator(style.pyplot.NullLocator())
        axes.set_xlabel("cells along an axis")
        axes.set_title(f"L1 error, {column.removeprefix('L1 ')}")
    handles, labels = max((axes.get_legend_handles_labels() for axes in row), key=lambda one: len(one[1]))
    if labels:
        style.legend_below(made, handles, labels)
    return made


def reference(axes):
    """Lines of first and second order through the first error of the coarsest mesh."""
    cells = sorted({count for line in axes.lines for count in line.get_xdata()})
    start = max(line.get_ydata()[0] for line in axes.lines if line.get_xdata()[0] == cells[0])
    for order, pattern in ((1, ":"), (2, "--")):
        axes.plot(cells, [start * (cells[0] / count) ** order for count in cells], color=style.QUIET, linewidth=0.8,
                  linestyle=pattern, label=f"order {order}", zorder=0)


def bars(report, columns):
    """A panel a column, a bar a run."""
    rows, keys = report["rows"], swept_keys(report)
    made, (row,) = style.figure(1, len(columns), width=max(3.6 * len(columns), 6), height=1.3 + 0.28 * len(rows),
                                sharey=True)
    for axes, column in zip(row, columns):
        is_error = column.startswith("L1 ")
        drawn = [not is_error or is_finished(one) for one in rows]
        values = [number(one.get(column)) or 0 if there else 0 for one, there in zip(rows, drawn)]
        axes.barh(range(len(rows)), values, color=style.COLOURS[0], height=0.7)
        axes.set_xlim(0, 1.05 * max(values) or 1)
        for place, (one, there) in enumerate(zip(rows, drawn)):
            if not there:
                axes.text(0, place, f" {str(one['status']).replace('_', ' ')}", va="center", color=style.QUIET)
        axes.xaxis.set_major_locator(style.ticker.MaxNLocator(4))
        axes.xaxis.get_major_formatter().set_powerlimits((-3, 6))  # ticks of a small error would run into each other
        axes.set_title(f"L1 error, {column.removeprefix('L1 ')}" if is_error else column)
        axes.grid(axis="y", visible=False)
    row[0].set_yticks(range(len(rows)), [name_of(one, keys) for one in rows])
    row[0].invert_yaxis()
    return made


if __name__ == "__main__":
    sys.exit(exit_code(draw, "a sweep"))
