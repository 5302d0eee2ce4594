"""Says what of a flow is drawn, and how: cuts, a window, the range of the values, colours, title and size."""
import difflib

import matplotlib
import numpy

import style
from dump import AXES
from refusal import Refused

DOTS = 130  # of a PNG, an inch
LEAST = 0.75  # of a figure's own width and height, that its labels find room in


class View:
    """`cuts`: a position by axis, 0 to 2; each takes one dimension away. `zoom`: (low, high) by axis. `range`: (low,
    high) of the one field that is drawn. `maximum`: the greatest value along each axis instead of slices. `size`: width
    and height of the PNG in pixels. Raises Refused for a colour map that matplotlib has not."""

    def __init__(self, cuts=None, zoom=None, range=None, log=False, maximum=False, colours=None, title=None,
                 size=None):
        self.cuts = {AXES.index(axis): position for axis, position in (cuts or {}).items()}
        self.zoom = {AXES.index(axis): tuple(ends) for axis, ends in (zoom or {}).items()}
        self.range, self.log, self.maximum, self.colours, self.title = range, log, maximum, colours, title
        self.size = size
        if colours and colours not in matplotlib.colormaps:
            near = difflib.get_close_matches(colours, list(matplotlib.colormaps), n=2, cutoff=0.6)
            hint = f"; did you mean {' or '.join(repr(one) for one in near)}?" if near else ""
            raise Refused(f"no colour map '{colours}'{hint}",
                          "matplotlib's names, such as viridis, cividis, magma, gray, RdBu_r, turbo")

    def fit(self, made):
        """Gives a figure the size that was asked for. One much smaller than its own has smaller letters, too."""
        if self.size:
            inches = [(pixels + 1e-6) / DOTS for pixels in self.size]  # a part of a pixel would be cut off
            letters = min(1, *(asked / (LEAST * own) for asked, own in zip(inches, made.get_size_inches())))
            made.set_dpi(letters * made.dpi)
            made.set_size_inches([asked / letters for asked in inches])

    def axes_of(self, dump):
        """The axes that the picture of this dump has. Raises Refused for a view that its mesh does not have."""
        for axis in (*self.cuts, *self.zoom):
            if axis not in dump.swept:
                raise Refused(f"the flow of '{dump.path}' does not vary along {AXES[axis]}",
                              f"it varies along {', '.join(AXES[one] for one in dump.swept)}")
        left = [axis for axis in dump.swept if axis not in self.cuts]
        if not left:
            raise Refused(f"the cuts leave nothing of '{dump.path}' to be drawn", "leave one axis without a cut")
        for axis in self.zoom:
            if axis in self.cuts:
                raise Refused(f"a cut and a zoom along {AXES[axis]}", "give one of them")
        if self.maximum and len(left) < 3:
            raise Refused("a maximum along each axis is of a flow in space",
                          f"the flow of '{dump.path}' has {style.counted(len(left), 'dimension')}: leave --maximum out")
        return left

    def indices(self, dump):
        """The cells of the cuts, {axis: index}."""
        return {axis: dump.index(axis, position) for axis, position in self.cuts.items()}

    def part(self, dump, axis):
        """The ends of the zoom along an axis. Raises Refused where it shows nothing of the mesh."""
        (low, high), (begin, end) = self.zoom[axis], dump.extent(axis)
        if high <= begin or low >= end:
            raise Refused(f"{AXES[axis]} from {low:g} to {high:g} is outside the mesh of '{dump.path}'",
                          f"it reaches from {begin:g} to {end:g} along {AXES[axis]}")
        return low, high

    def window(self, dump, axis):
        """The cells along an axis that are seen, a slice. Raises Refused where there are none."""
        if axis not in self.zoom:
            return slice(None)
        low, high = self.part(dump, axis)
        first = max(int(numpy.floor(dump.in_cells(axis, low) * (1 + 1e-12))), 0)
        return slice(min(first, dump.cells[axis] - 1), max(int(numpy.ceil(dump.in_cells(axis, high))), first + 1))

    def faces(self, dump, axis):
        """The faces of the cells that are seen along an axis."""
        first, last, _ = self.window(dump, axis).indices(dump.cells[axis])
        return dump.faces(axis)[first:last + 1]

    def extent(self, dump, axis):
        """The ends of the cells that are seen along an axis."""
        faces = self.faces(dump, axis)
        return float(faces[0]), float(faces[-1])

    def ends(self, dump, axis):
        """The ends of the picture's axis: of the zoom within the domain, or of the domain."""
        low, high = dump.extent(axis)
        return (max(low, self.zoom[axis][0]), min(high, self.zoom[axis][1])) if axis in self.zoom else (low, high)

    def seen(self, dump, values):
        """The values [z, y, x] inside the window."""
        return values[tuple(slice(None) if axis in self.cuts else self.window(dump, axis) for axis in (2, 1, 0))]

    def seen_of_points(self, dump, values):
        """The values [point] of curved elements, those outside the zoom masked."""
        outside = numpy.zeros(len(values), bool)
        for axis in self.zoom:
            low, high = self.part(dump, axis)
            corners = dump.corners[..., axis]
            outside |= (corners.max(axis=1) < low) | (corners.min(axis=1) > high)
        return numpy.ma.masked_array(values, outside)

    def where(self, dump):
        """The cuts in words, with the centres of the cells that are drawn."""
        return ", ".join(f"{AXES[axis]} = {dump.centres(axis)[index]:.4g}"
                         for axis, index in self.indices(dump).items())

    def scale(self, axes, name, remedy):
        """Gives the y axis of drawn lines the range and the logarithm that were asked for. Raises Refused where there
        is none."""
        if self.log and not axes.dataLim.minposy <= axes.dataLim.y0:
            raise Refused(f"no logarithm of '{name}', which goes down to {axes.dataLim.y0:g}", remedy)
        if self.log:
            style.logarithmic(axes, *(self.range or axes.dataLim.intervaly))
        else:
            style.logarithmic_where_wide(axes)
        if self.range:
            axes.set_ylim(*self.range)

    def limits(self, name, found):
        """The range of a field that is drawn from `found`, (least, greatest). Raises Refused where --log cannot."""
        low, high = self.range or found
        if self.log and low <= 0:
            raise Refused(f"no logarithm of '{name}', which goes down to {low:g}",
                          "give a range above 0 with --range, or another field with --field")
        return low, high

    def is_logarithmic(self, one, low, high):
        return self.log or (not self.range and one.spans_decades(low, high))
