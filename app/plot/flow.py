"""Dumps drawn: lines in one dimension, images in two, slices or maxima in three; several of them together."""
import contextlib

import numpy
from matplotlib import collections, colors

import quantity
import style
from dump import AXES, Dump
from panels import Panels
from refusal import Refused
from view import View


class Panel:
    """An image of one quantity: `across` and `up` are the axes it lies along, `where` says which part it shows.
    `distance`: from the nearest surface of a body, in a run that has some; its values are masked within bodies."""

    def __init__(self, values, across, up, where=""):
        self.values, self.across, self.up, self.where = values, across, up, where
        self.distance = None


def flat(dump, one, view, indices):
    """The values of a quantity where some axes have one cell, those axes left out; [point] of curved elements. Those in
    bodies are masked."""
    slab = dump.slab(indices)
    if dump.is_curved:
        return view.seen_of_points(dump, one.of(slab))
    values, solid = one.of(slab), None if one.of_bodies else slab.solid()
    if solid is not None:
        values = numpy.ma.masked_array(values, solid)
    values = view.seen(dump, slab.without_neighbours(values))
    return values.squeeze(tuple(2 - axis for axis in range(3) if axis in indices or axis not in dump.swept))


def panels_of(dump, one, view=View()):
    """The images of a quantity in two or three dimensions; all share their colours."""
    panels = parts_of(dump, one, view)
    if one.darkens:
        together = quantity.schlieren(numpy.ma.concatenate([panel.values.ravel() for panel in panels]))
        for panel in panels:
            panel.values, together = (together[:panel.values.size].reshape(panel.values.shape),
                                      together[panel.values.size:])
    if "distance" in dump.fields:
        for panel, surfaces in zip(panels, parts_of(dump, quantity.BODIES["distance"], view)):
            panel.distance = surfaces.values
    return panels


def parts_of(dump, one, view):
    """The panels of a quantity as the dump has it."""
    left, cuts = view.axes_of(dump), view.indices(dump)
    if len(left) == 2:
        panels = [Panel(flat(dump, one, view, cuts), *left, view.where(dump))]
    elif view.maximum:
        panels = maxima(dump, one, view)
    else:
        panels = []
        for normal in (2, 1, 0):
            index = middle(dump, view, normal)
            values = flat(dump, one, View(zoom=zoom_without(view, normal)), {normal: index})
            panels.append(Panel(values, *(axis for axis in range(3) if axis != normal),
                                f"{AXES[normal]} = {dump.centres(normal)[index]:.4g}"))
    return panels


def middle(dump, view, axis):
    """The cell in the middle of what is seen along an axis."""
    if dump.spacing[axis] is None:
        return dump.index(axis, sum(view.ends(dump, axis)) / 2)
    first, last, _ = view.window(dump, axis).indices(dump.cells[axis])
    return (first + last) // 2


def zoom_without(view, normal):
    return {AXES[axis]: ends for axis, ends in view.zoom.items() if axis != normal}


def maxima(dump, one, view):
    """The greatest value along z, y and x, a plane of cells at a time. Cells that are not finite, and those in
    bodies, are left out."""
    along_z, rows, columns = None, [], []
    inside = View(zoom=zoom_without(view, 2))
    for index in range(*view.window(dump, 2).indices(dump.cells[2])):
        plane = numpy.ma.filled(flat(dump, one, inside, {2: index}), numpy.nan)
        along_z = plane if along_z is None else numpy.fmax(along_z, plane)
        rows.append(numpy.fmax.reduce(plane, axis=0))
        columns.append(numpy.fmax.reduce(plane, axis=1))
    return [Panel(numpy.ma.masked_invalid(values) if "solid" in dump.fields else values, across, up,
                  f"maximum along {AXES[3 - across - up]}")
            for values, across, up in ((along_z, 0, 1), (numpy.array(rows), 0, 2), (numpy.array(columns), 1, 2))]


def dimensions(dump, view):
    return len(view.axes_of(dump))


def ends_in(dump, chosen, view):
    """(least, greatest) of each quantity in the picture of this dump."""
    if dimensions(dump, view) == 1:
        return [quantity.ends_of(along_line(dump, one, view)) for one in chosen]
    return [(0.0, 1.0) if one.darkens and not view.log else
            quantity.ends_of(numpy.ma.concatenate([panel.values.ravel() for panel in panels_of(dump, one, view)]))
            for one in chosen]


def limits_for(chosen, ends, view, of_lines):
    """The limits of each quantity in pictures with those ends, as of ends_in(), a list a picture. `of_lines`: in one
    dimension."""
    if view.range and len(chosen) > 1:
        raise Refused(f"--range is for one field, and {len(chosen)} are drawn", "choose one with --field")
    return [view.limits(one.name, one.scale([those[n] for those in ends], of_lines)) for n, one in enumerate(chosen)]


def limits_of_all(dumps, chosen, view):
    """The limits of each quantity in all the dumps; `chosen` has the quantities of each dump."""
    return limits_for(chosen[0], [ends_in(dump, those, view) for dump, those in zip(dumps, chosen)], view,
                      dimensions(dumps[0], view) == 1)


def along_line(dump, one, view):
    """The values of a quantity in one dimension."""
    values = flat(dump, one, view, view.indices(dump))
    return quantity.schlieren(values) if one.darkens else values


def columns_for(count):
    return min(count, 2 if count == 4 else 3)


def lines(dumps, names, chosen, limits, exact, view):
    """A panel for each quantity, and in it a line for each dump. Under them the exact solution, where it is known."""
    axis = view.axes_of(dumps[0])[0]
    columns = columns_for(len(chosen[0]))
    rows = -(-len(chosen[0]) // columns)
    made, grid = style.figure(rows, columns, width=max(3.7 * columns, 6), height=0.7 + 2.9 * rows, sharex=True)
    view.fit(made)
    places = [axes for row in grid for axes in row]
    ends = view.ends(dumps[0], axis)
    for n, (axes, one, (low, high)) in enumerate(zip(places, chosen[0], limits)):
        known = exact and one.name in exact
        if known:
            inside = (exact["position"] >= ends[0]) & (exact["position"] <= ends[1])
            defined = exact[one.name][inside & numpy.isfinite(exact[one.name])]  # a vacuum has no velocity
            if not view.range:
                low, high = min(low, *defined), max(high, *defined)
            axes.plot(exact["position"], exact[one.name], color="black", linewidth=0.9, label="exact")
        for which, (dump, those, name) in enumerate(zip(dumps, chosen, names)):
            line(axes, dump, those[n], axis, view, name, known and len(dumps) == 1, which, len(dumps) == 1)
        if view.is_logarithmic(one, low, high):
            style.logarithmic(axes, low, high)
            if view.range:
                axes.set_ylim(low, high)
        else:
            margin = 0 if view.range else 0.06 * (high - low)
            axes.set_ylim(low - margin, high + margin)
        axes.set_title(style.wrapped(one.label, int(11 * made.get_figwidth() / columns)))  # letters that fit
        axes.set_xlim(*ends)
    for axes in places[len(chosen[0]):]:
        axes.set_visible(False)
    style.label_columns(places[:len(chosen[0])], columns, AXES[axis])
    handles, labels = places[0].get_legend_handles_labels()
    if len(labels) > 1:
        first = 1 if "exact" in labels else 0  # which is drawn first, and named last
        style.legend_below(made, handles[first:] + handles[:first], labels[first:] + labels[:first])
    return made


def line(axes, dump, one, axis, view, name, has_exact, which, alone):
    """Marks for the cells where they can be told apart."""
    cells = dump.centres(axis)[view.window(dump, axis)]
    few = len(cells) <= (512 if alone else 64)  # of several, the markers of one would hide the others
    look = style.look(which)
    axes.plot(cells, along_line(dump, one, view), **look, linewidth=0 if has_exact and few else 0.9,
              marker=style.marker(which) if few else "", markersize=2.6, markeredgewidth=0.7,
              markerfacecolor="none" if has_exact else look["color"], label=name)


def outline(axes, dump, panel, view):
    """Draws the surfaces of bodies, as far as the picture reaches."""
    if min(panel.distance.shape) > 1 and panel.distance.min() < 0 < panel.distance.max():
        places = []
        for axis in (panel.across, panel.up):
            low, high = view.extent(dump, axis)
            places.append([low, *dump.centres(axis)[view.window(dump, axis)], high])
        # The distance at the picture's edge, half a cell beyond the last centres.
        beyond = numpy.pad(panel.distance, 1, mode="reflect", reflect_type="odd")
        axes.contour(*places, (beyond + numpy.pad(panel.distance, 1, mode="edge")) / 2, [0], colors="black", linewidths=0.9)


def shown(axes, dump, panel, one, low, high, colours, view=View()):
    norm = (colors.LogNorm if view.is_logarithmic(one, low, high) else colors.Normalize)(low, high)
    if panel.distance is not None:
        colours = style.pyplot.get_cmap(colours).with_extremes(bad=style.BODY)
    if isinstance(norm, colors.LogNorm):  # what has no logarithm is below the scale
        panel.values = numpy.ma.where(panel.values <= 0, numpy.finfo(float).tiny, panel.values)
    if dump.is_curved:
        # Edges that are blended would leave seams.
        image = axes.add_collection(collections.PolyCollection(
            dump.corners, array=panel.values, cmap=colours, norm=norm, edgecolors="none", antialiaseds=False, rasterized=True))
        axes.set_aspect("equal")
    elif None in (dump.spacing[panel.across], dump.spacing[panel.up]):
        # An SVG of a square a cell would be slow to open.
        image = axes.pcolormesh(view.faces(dump, panel.across), view.faces(dump, panel.up), panel.values, cmap=colours,
                                norm=norm, rasterized=True)
        axes.set_aspect("equal")
    else:
        # Neighbouring cells are not blended: the picture shows the cells.
        image = axes.imshow(panel.values, origin="lower", cmap=colours, norm=norm,
                            interpolation="nearest" if panel.values.size < 250_000 else "antialiased",
                            extent=(*view.extent(dump, panel.across), *view.extent(dump, panel.up)))
    if panel.distance is not None:
        outline(axes, dump, panel, view)
    axes.set_xlim(*view.ends(dump, panel.across))
    axes.set_ylim(*view.ends(dump, panel.up))
    style.boxed(axes)
    return image


def images(dumps, names, chosen, limits, view):
    """A row of panels for each quantity and dump in space; in a plane, as many side by side as fit."""
    three = dimensions(dumps[0], view) == 3
    parts = [(dump, those[n], panels_of(dump, those[n], view), limits[n], name)
             for n in range(len(limits)) for dump, those, name in zip(dumps, chosen, names)]

    def length(axis):
        low, high = view.ends(dumps[0], axis)
        return high - low
    first = parts[0][2]
    shape = max(length(panel.up) for panel in first) / max(length(panel.across) for panel in first)
    low_and_wide = not three and shape < 0.6  # its scale lies below it
    columns = 3 if three else 1 if low_and_wide or len(parts) == 1 else 2
    rows = len(parts) if three else -(-len(parts) // columns)
    made, grid = style.figure(rows, columns)
    scales = {}  # by the last of their panels
    places = (axes for row in grid for axes in row)
    for dump, one, panels, (low, high), name in parts:
        row = [next(places) for _ in panels]
        for axes, panel in zip(row, panels):
            image = shown(axes, dump, panel, one, low, high, view.colours or one.colours_of(low, high), view)
            axes.set_xlabel(AXES[panel.across])
            axes.set_ylabel(AXES[panel.up])
            axes.set_title(", ".join(filter(None, (name if len(dumps) > 1 else "", panel.where))))
        arrows = quantity.beyond([quantity.ends_of(panel.values) for panel in panels], low, high)
        scales[row[-1]] = made.add_axes([0, 0, 0.1, 0.1])
        scale = made.colorbar(image, cax=scales[row[-1]], label=one.label, extend=arrows,
                              orientation="horizontal" if low_and_wide else "vertical")
        scale.outline.set_linewidth(0.5)
        if view.is_logarithmic(one, low, high) and high < 10 * low:
            style.plain_numbers(scale.ax.xaxis if scale.orientation == "horizontal" else scale.ax.yaxis)
    for axes in places:
        axes.set_visible(False)
    layout = Panels(grid, scales, low_and_wide)
    made.set_layout_engine(layout)
    layout.fit(made, width=11.0 if columns > 1 else 9.0 if low_and_wide else 7.2, tallest=6.5)
    view.fit(made)
    return made


def drawn(dumps, names, chosen, limits, exact, view, title, shown_part=""):
    """The picture, and below it what is true of all the dumps. `shown_part`: says what part of them is drawn."""
    if len({dimensions(dump, view) for dump in dumps}) > 1:
        raise Refused("the flows differ in their number of dimensions", "cut one with --cut, or draw them one by one")
    if dimensions(dumps[0], view) == 1:
        if view.colours:
            raise Refused("lines have no colour map", "leave --colours out")
        made = lines(dumps, names, chosen, limits, exact, view)
        where = view.where(dumps[0])
    else:
        made, where = images(dumps, names, chosen, limits, view), ""
    said = [pair for pair in dumps[0].footer() if all(pair in dump.footer() for dump in dumps)]
    if view.title and len({dump.time for dump in dumps}) == 1:
        said.insert(0, ("", time_of(dumps[0])))
    return style.Picture(made, view.title or ", ".join(filter(None, (title, where))), [*said, ("", shown_part)])


def time_of(dump):
    return f"t = {dump.time:.6g}"


def finite(exact):
    """The exact solution as arrays by name; what is not finite is a word."""
    return exact and {name: numpy.array(values, dtype=float) for name, values in exact.items()}


def flow(file, fields, exact=None, view=None, title="", of_output=False):
    """The picture of a dump. `exact`: values by their names. `view`: the arguments of View. `of_output`: it is one of an
    output, which has the fields that it was asked for."""
    view = View(**view or {})
    with Dump(file) as dump:
        chosen = quantity.chosen(dump, fields, of_output)
        limits = limits_of_all([dump], [chosen], view)
        held = len(quantity.held(dump))
        is_part = of_output and not fields and len(dump.swept) > 1 and len(chosen) < held
        return drawn([dump], ["halfstep"], [chosen], limits, finite(exact), view,
                     f"{title or dump.title or 'halfstep'}, {time_of(dump)}",
                     f"{len(chosen)} of {held} fields" if is_part else "")


def together(files, names, fields, exact=None, view=None, title=None):
    """Dumps laid over each other where they are lines, side by side where they are images. Without names their times
    tell them apart."""
    view = View(**view or {})
    with contextlib.ExitStack() as opened:
        dumps = [opened.enter_context(Dump(file)) for file in files]
        chosen = [quantity.chosen(dump, fields or [one.name for one in quantity.chosen(dumps[0], [])])
                  for dump in dumps]
        limits = limits_of_all(dumps, chosen, view)
        times = dict.fromkeys(time_of(dump) for dump in dumps)
        if not names:
            names, exact, times = [time_of(dump) for dump in dumps], None, {}
        elif len(times) > 1:
            names, exact = [f"{name}, {time_of(dump)}" for name, dump in zip(names, dumps)], None
        titles = list(dict.fromkeys(dump.title or "halfstep" for dump in dumps))
        said = title or (titles[0] if len(titles) == 1 else "Several runs")
        return drawn(dumps, names, chosen, limits, finite(exact), view,
                     ", ".join([said, *times]) if len(times) == 1 else said)


class Difference:
    """Two dumps of one mesh as one: quantities of it are those of the first less those of the second."""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def __getattr__(self, name):
        return getattr(self.first, name)

    def slab(self, indices):
        return SlabDifference(self.first.slab(indices), self.second.slab(indices))

    def footer(self):
        """What is true of both dumps."""
        return [pair for pair in self.first.footer() if pair in self.second.footer()]


class SlabDifference:
    def __init__(self, first, second):
        self.first, self.second = first, second
        self.without_neighbours = first.without_neighbours

    def __getitem__(self, name):
        """A field of the first dump, for what is no difference: bodies."""
        return self.first[name]

    def solid(self):
        """Whether cells lie in bodies of either dump; None where neither has any."""
        there = [solid for solid in (self.first.solid(), self.second.solid()) if solid is not None]
        return numpy.logical_or.reduce(there) if there else None


def less(one, names):
    """The quantity of a Difference that is `one` of the first dump less `one` of the second."""
    label = f"{one.label}: {names[0]} − {names[1]}"
    return quantity.Quantity(one.name, label, one.needs, lambda slab: one.of(slab.first) - one.of(slab.second),
                             "RdBu_r", symmetric=True)


def difference(files, names, fields, view=None):
    """The first dump less the second. Raises Refused for dumps of different meshes."""
    view = View(**view or {})
    with Dump(files[0]) as first, Dump(files[1]) as second:
        if not second.is_on_mesh_of(first):
            raise Refused(f"'{files[1]}' is of another mesh than '{files[0]}'",
                          "a difference is of two dumps of one mesh; --together draws both")
        found = quantity.chosen(first, fields)
        if any(one.darkens for one in found):
            raise Refused("schlieren have no difference: each picture has its own scale", "--together draws both")
        chosen = [less(one, names) for one in found]
        quantity.chosen(second, [one.name for one in chosen])
        both = Difference(first, second)
        limits = limits_of_all([both], [chosen], view)
        same = first.time == second.time
        times = time_of(first) if same else f"{time_of(first)} and {time_of(second)}"
        return drawn([both], ["difference"], [chosen], limits, None, view,
                     f"{first.title or 'halfstep'}, difference, {times}")


def frames(files, fields, view=None, title=""):
    """Pictures of the dumps, one after the other, with one scale for all. Each is read twice, for a run may have more
    dumps than memory holds."""
    view, ends, cells = View(**view or {}), [], None
    for file in files:
        with Dump(file) as dump:
            cells = cells or dump.cells
            if dump.cells != cells:
                raise Refused(f"'{file}' is of another mesh than '{files[0]}'", "draw them one by one")
            chosen = quantity.chosen(dump, fields)
            ends.append(ends_in(dump, chosen, view))
            of_lines = dimensions(dump, view) == 1
    limits = limits_for(chosen, ends, view, of_lines)
    for file in files:
        with Dump(file) as dump:
            yield drawn([dump], ["halfstep"], [quantity.chosen(dump, fields)], limits, None, view,
                        f"{title or dump.title or 'halfstep'}, {time_of(dump)}")
