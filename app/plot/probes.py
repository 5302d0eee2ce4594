"""NAME.csv or NAME.h5 of probes and lines drawn: values over time at some points, or along an axis and time."""
import re

import numpy

import dump
import style
from quantity import SIGNED, beyond, ends_of, has_both_signs, in_words
from readers import usable_table
from refusal import NothingToDraw, Refused, Unusable, not_among
from view import View

SHOWN_POINTS, SHOWN_FIELDS = 8, 6
COLUMN = re.compile(r"(.+)_(\d+)")


class Probes:
    """The values of a file by field: an array [row, point] each. `time`: of the rows."""

    def __init__(self, path):
        self.path, remedy = path, "draw the NAME.csv or NAME.h5 of probes or of a line among a run's outputs"
        if path in dump.damaged:
            raise Unusable(f"'{path}' cannot be read as a table: {dump.damaged[path]}", remedy)
        columns = usable_table(path, remedy)
        if list(columns)[:2] != ["step", "time"]:
            raise Unusable(f"'{path}' has no columns 'step' and 'time'", remedy)
        self.time, of_field = columns["time"], {}
        for name, column in list(columns.items())[2:]:
            found = COLUMN.fullmatch(name)
            if not found or column.dtype.kind != "f":
                raise Unusable(f"'{path}' has a column '{name}' of no field and point", remedy)
            of_field.setdefault(found[1], []).append(column)
        if not self.time.size:
            raise NothingToDraw(f"'{path}' has no rows yet")
        self.fields = {name: numpy.stack(values, axis=1) for name, values in of_field.items()}
        self.points = min((values.shape[1] for values in self.fields.values()), default=0)
        if not self.points or any(values.shape[1] != self.points for values in self.fields.values()):
            raise Unusable(f"'{path}' has not every field of every point", remedy)

    def chosen(self, names):
        """The fields of those names, by default the first few that are not 0 throughout. Raises Refused for one that is
        not there."""
        for name in names:
            if name not in self.fields:
                raise not_among(name, "field", list(self.fields), self.path)
        moving = [name for name, values in self.fields.items() if values.any()] or list(self.fields)
        return {name: self.fields[name] for name in names or moving[:SHOWN_FIELDS]}


def probes(file, fields, title, cells=None, view=None):
    """A panel for each of the fields. `cells`: the "points" of probes, or the "axis" of a line and the "places" of its
    cells along it; without them the numbers of the points stand for them."""
    view, table = View(**view or {}), Probes(file)
    chosen, cells = table.chosen(fields), cells or {}
    if view.range and len(chosen) > 1:
        raise Refused(f"--range is for one field, and {len(chosen)} are drawn", "choose one with --field")
    is_line = "axis" in cells and len(cells["places"]) == table.points
    across = 1 if len(chosen) == 1 else 2
    rows = -(-len(chosen) // across)
    width, height = (7.5, 4.2) if across == 1 else (11.0, 1.0 + 2.6 * rows)
    made, grid = style.figure(rows, across, width=width, height=height)
    view.fit(made)
    panels = [axes for row in grid for axes in row]
    for axes, (field, values) in zip(panels, chosen.items()):
        if is_line and len(table.time) > 1:
            along_time(made, axes, table, field, values, cells, view)
        elif is_line:
            along_axis(axes, field, values[0], cells, view)
        else:
            over_time(axes, table, field, values, cells.get("points"), view)
    for axes in panels[len(chosen):]:
        axes.remove()
    if not is_line and table.points > 1:
        style.legend_below(made, *panels[0].get_legend_handles_labels())
    footer = [("", style.counted(len(table.time), "row")), ("", f"to t = {table.time[-1]:.6g}")]
    if not is_line and table.points > SHOWN_POINTS:
        footer.append(("", f"{SHOWN_POINTS} of {table.points} points"))
    return style.Picture(made, view.title or title, footer)


def over_time(axes, table, field, values, points, view):
    """A line for each point; of many, some that are evenly spread."""
    for n, point in enumerate(style.evenly(numpy.arange(table.points), SHOWN_POINTS)):
        where = f" at ({', '.join(f'{x:.6g}' for x in points[point])})" if points and point < len(points) else ""
        axes.plot(table.time, values[:, point], **style.look(n), linewidth=1.2, label=f"point {point}{where}")
    axes.set_xlabel("time")
    scaled(axes, field, view)


def along_axis(axes, field, values, cells, view):
    axes.plot(cells["places"], values, color=style.COLOURS[0], linewidth=1.2)
    axes.set_xlabel(cells["axis"])
    scaled(axes, field, view)


def scaled(axes, field, view):
    view.scale(axes, field, "choose another field with --field")
    axes.set_ylabel(in_words(field))
    axes.margins(x=0.01)


def along_time(made, axes, table, field, values, cells, view):
    """An image over the axis and time: what moves is a slanted line."""
    low, high = ends_of(values)
    if not view.range and low > high:
        raise NothingToDraw(f"'{table.path}' has no finite number of '{field}'")
    signed = field in SIGNED and has_both_signs(low, high)
    if signed:
        high = max(-low, high)
        low = -high
    low, high = view.limits(field, (low, high))
    image = axes.pcolormesh(cells["places"], table.time, values, shading="nearest", rasterized=True,
                            cmap=view.colours or ("RdBu_r" if signed else "viridis"),
                            norm="log" if view.log else None)
    image.set_clim(low, high)
    axes.set_ylim(table.time[0], table.time[-1])  # cells reach beyond
    style.boxed(axes)
    axes.set_xlabel(cells["axis"])
    axes.set_ylabel("time")
    scale = made.colorbar(image, ax=axes, label=in_words(field), extend=beyond([ends_of(values)], low, high))
    if view.log and high < 10 * low:
        style.plain_numbers(scale.ax.yaxis)
