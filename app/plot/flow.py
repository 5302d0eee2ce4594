"""A dump drawn: lines in one dimension, an image in two, three slices through the middle in three."""
import numpy
from matplotlib import colors

import quantity
import style
from dump import AXES, Dump
from refusal import Refused


class Panel:
    """An image of one quantity: `across` and `up` are the axes it lies along, `where` says which slice it is."""

    def __init__(self, values, across, up, where=""):
        self.values, self.across, self.up, self.where = values, across, up, where


def panels_of(dump, one):
    """The images of a quantity in two or three dimensions; all share their colours."""
    if len(dump.swept) == 2:
        across, up = dump.swept
        values = one.of(dump.whole())
        panels = [Panel(numpy.squeeze(values, axis=2 - quantity.normal_of(dump)), across, up)]
    else:
        panels = []
        for normal in (2, 1, 0):
            index = dump.cells[normal] // 2
            slab, place = dump.slab(normal, index)
            values = numpy.take(one.of(slab), place, axis=2 - normal)
            across, up = (axis for axis in range(3) if axis != normal)
            panels.append(Panel(values, across, up, f"{AXES[normal]} = {dump.centres(normal)[index]:.4g}"))
    if one.name == "schlieren":
        together = quantity.schlieren(numpy.concatenate([panel.values.ravel() for panel in panels]))
        for panel in panels:
            panel.values, together = (together[:panel.values.size].reshape(panel.values.shape),
                                      together[panel.values.size:])
    return panels


def limits_of(dump, chosen):
    """(least, greatest) of each quantity, as the picture of this dump would have them."""
    if len(dump.swept) == 1:
        return [one.limits(one.of(dump.whole())) for one in chosen]
    return [(0.0, 1.0) if one.name == "schlieren" else
            one.limits(numpy.concatenate([panel.values.ravel() for panel in panels_of(dump, one)])) for one in chosen]


def lines(dump, chosen, limits, exact):
    """Panels side by side. Under the solution the exact one, where it is known."""
    axis = dump.swept[0]
    places = dump.centres(axis)
    columns = min(len(chosen), 3 if len(chosen) != 4 else 2)
    rows = -(-len(chosen) // columns)
    made, grid = style.figure(rows, columns, width=max(3.7 * columns, 6), height=0.7 + 2.9 * rows, sharex=True)
    flat = [axes for row in grid for axes in row]
    for axes, one, (low, high) in zip(flat, chosen, limits):
        values = one.of(dump.whole()).ravel()
        known = exact and one.name in exact
        if known:
            defined = exact[one.name][numpy.isfinite(exact[one.name])]  # a vacuum has no velocity
            low, high = min(low, *defined), max(high, *defined)
        few = len(places) <= 512
        if known:
            axes.plot(exact["position"], exact[one.name], color="black", linewidth=0.9, label="exact")
        axes.plot(places, values, color=style.COLOURS[0], linewidth=0 if known and few else 0.9,
                  marker="o" if few else "", markersize=2.6, markeredgewidth=0.7,
                  markerfacecolor="none" if known else style.COLOURS[0], label="halfstep")
        if one.spans_decades(low, high):
            axes.set_yscale("log")
        else:
            axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
        axes.set_title(one.label)
        axes.set_xlim(*dump.extent(axis))
    for axes in flat[len(chosen):]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel(f"{AXES[axis]} (length)")
    if exact and any(one.name in exact for one in chosen):
        handles, labels = flat[0].get_legend_handles_labels()
        style.legend_below(made, handles[::-1], labels[::-1])
    return made


def shown(axes, dump, panel, one, low, high, colours):
    norm = colors.LogNorm(low, high) if one.spans_decades(low, high) else colors.Normalize(low, high)
    # Neighbouring cells are not blended: the picture shows the cells.
    image = axes.imshow(panel.values, origin="lower", cmap=colours, norm=norm,
                        interpolation="nearest" if panel.values.size < 250_000 else "antialiased",
                        extent=(*dump.extent(panel.across), *dump.extent(panel.up)))
    style.boxed(axes)
    return image


def images(dump, chosen, limits):
    """A row of panels for each quantity of a flow in space; in a plane, as many side by side as fit."""
    parts = [panels_of(dump, one) for one in chosen]
    length = [dump.extent(axis)[1] - dump.extent(axis)[0] for axis in range(3)]
    three = len(dump.swept) == 3
    shape = max(length[panel.up] for panel in parts[0]) / max(length[panel.across] for panel in parts[0])
    low_and_wide = not three and shape < 0.6  # its scale lies below it
    columns = 3 if three else 1 if low_and_wide or len(chosen) == 1 else 2
    rows = sum(len(panels) for panels in parts) // columns + (0 if three else len(chosen) % columns > 0)
    # In inches: a panel, and beside it room for its labels and its scale.
    widths = [length[panel.across] for panel in parts[0]] if three else [1.0] * columns
    room = 0.75 * columns + 0.9 if three else 0.75 if low_and_wide else 1.7 * columns
    across = (11.0 if three or columns == 2 else 9.0 if low_and_wide else 7.2) - room
    tall = across / sum(widths) * (max(length[panel.up] for panel in parts[0]) if three else shape)
    if tall > 6.5:
        across, tall = across * 6.5 / tall, 6.5
    made, grid = style.figure(rows, columns, width=max(across + room, 4.5),
                              height=0.6 + rows * (tall + (1.2 if low_and_wide else 0.8 if three else 0.55)),
                              gridspec_kw={"width_ratios": widths})
    places = (axes for row in grid for axes in row)
    for one, panels, (low, high) in zip(chosen, parts, limits):
        for panel in panels:
            axes = next(places)
            image = shown(axes, dump, panel, one, low, high, one.colours)
            axes.set_xlabel(f"{AXES[panel.across]} (length)")
            axes.set_ylabel(f"{AXES[panel.up]} (length)")
            axes.set_title(panel.where)
        if low_and_wide:
            scale, way = axes.inset_axes([0.15, -0.2 / tall - 0.45 / tall, 0.7, 0.14 / tall]), "horizontal"
        else:
            scale, way = axes.inset_axes([1.04, 0, 0.16 * sum(widths) / across / widths[-1], 1]), "vertical"
        made.colorbar(image, cax=scale, label=one.label, orientation=way).outline.set_linewidth(0.5)
    for axes in places:
        axes.set_visible(False)
    return made


def drawn(dump, chosen, limits, exact=None):
    made = lines(dump, chosen, limits, exact) if len(dump.swept) == 1 else images(dump, chosen, limits)
    return style.Picture(made, f"{dump.title or 'halfstep'}, t = {dump.time:.6g}", dump.footer())


def flow(file, fields, exact=None):
    """The picture of a dump. `exact`: values by their names; what is not finite is a word."""
    exact = exact and {name: numpy.array(values, dtype=float) for name, values in exact.items()}
    with Dump(file) as dump:
        chosen = quantity.chosen(dump, fields)
        return drawn(dump, chosen, limits_of(dump, chosen), exact)


def frames(files, fields):
    """Pictures of the dumps, one after the other, with one scale for all. Each is read twice, for a run may have more
    dumps than memory holds."""
    bounds, cells = [], None
    for file in files:
        with Dump(file) as dump:
            cells = cells or dump.cells
            if dump.cells != cells:
                raise Refused(f"'{file}' is of another mesh than '{files[0]}'", "draw them one by one")
            bounds.append(limits_of(dump, quantity.chosen(dump, fields)))
    limits = list(zip(numpy.min(bounds, axis=0)[:, 0], numpy.max(bounds, axis=0)[:, 1]))
    for file in files:
        with Dump(file) as dump:
            yield drawn(dump, quantity.chosen(dump, fields), limits)
