"""Places images of equal aspect in rows and columns, as large as their labels leave room for, and their scales."""
import numpy
from matplotlib.layout_engine import LayoutEngine

import style

# In inches.
EDGE, APART = 0.08, 0.15  # around all panels with their labels, and between them
GAP, BAR = 0.12, 0.17  # between a panel and its scale, and the width of a scale
LEAST = 0.3  # of the panels of a row together, however wide their labels are


def lengths(axes):
    """What is seen of the flow, across and up."""
    return [abs(high - low) for low, high in (axes.get_xlim(), axes.get_ylim())]


def overhang(axes, made):
    """How far its labels reach beyond the left, right, upper and lower side, in inches."""
    inner = axes.get_window_extent()
    outer = axes.get_tightbbox(made.canvas.get_renderer(), for_layout_only=True)
    return numpy.array([inner.x0 - outer.x0, outer.x1 - inner.x1, outer.y1 - inner.y1, inner.y0 - outer.y0]) / made.dpi


class Panels(LayoutEngine):
    """`grid`: the axes, row by row. `scales`: the axes of a colour bar by those of the last panel beside it; they lie to
    the right or below. matplotlib's own engines find no size for the figure, and make scales taller than their panels."""

    _adjust_compatible = _colorbar_gridspec = False

    def __init__(self, grid, scales, are_below):
        super().__init__()
        self.grid, self.scales, self.are_below, self.rect = grid, scales, are_below, (0, 0, 1, 1)
        sizes = numpy.array([[lengths(axes) if axes.get_visible() else (0, 0) for axes in row] for row in grid])
        self.widths, self.heights = sizes[..., 0].max(axis=0), sizes[..., 1].max(axis=1)

    def set(self, rect):
        """The part of the figure that is left by the footer."""
        self.rect = rect

    def fit(self, made, width, tallest):
        """Makes the figure at most `width` wide, with panels of at most that height, in inches."""
        for _ in range(2):  # how many numbers an axis has depends on its length
            across, up = (sum(rooms.sum(axis=0)) for rooms in self.rooms(made))
            scale = self.scale(width - across, tallest * self.heights.sum() / self.heights.max())
            made.set_size_inches(max(across + scale * self.widths.sum(), 4.5), 0.6 + up + scale * self.heights.sum())
            self.execute(made)

    def scale(self, across, up):
        """Inches a unit of length, for panels in that room."""
        return max(min(across / self.widths.sum(), up / self.heights.sum()), LEAST / self.widths.sum())

    def rooms(self, made):
        """What labels and scales take left and right of each column, and above and below each row."""
        taken = numpy.zeros((*self.grid.shape, 4))
        for place, axes in numpy.ndenumerate(self.grid):
            if axes.get_visible():
                taken[place] = overhang(axes, made)
            if axes in self.scales:
                _, right, _, below = overhang(self.scales[axes], made)
                if self.are_below:
                    taken[place][3] += GAP + BAR + below
                else:
                    taken[place][1] = GAP + BAR + right
        return (taken[..., :2].max(axis=0) + APART / 2, taken[..., 2:].max(axis=1) + APART / 2)

    def execute(self, made):
        for _ in range(2):
            rooms = self.rooms(made)
            self.place(made, *rooms)
        # Where one length asks for more numbers, and with room for these another for fewer, both have room.
        self.place(made, *map(numpy.maximum, rooms, self.rooms(made)))

    def place(self, made, beside, around):
        """Places all panels in the middle of what the title and the footer leave."""
        size = made.get_size_inches()
        left, below, width, height = numpy.array(self.rect) * [*size, *size]
        if made._suptitle:
            made._suptitle.set_y(1 - EDGE / size[1])
            height -= made._suptitle.get_window_extent().height / made.dpi + EDGE
        scale = self.scale(width - beside.sum(), height - around.sum())
        up = below + (height + around.sum() + scale * self.heights.sum()) / 2
        for row, tall, (over, under) in zip(self.grid, scale * self.heights, around):
            up -= over + tall
            across = left + (width - beside.sum() - scale * self.widths.sum()) / 2
            for axes, wide, (before, behind) in zip(row, scale * self.widths, beside):
                across += before
                put(axes, made, across, up, wide, tall)
                bar = self.scales.get(axes)
                if bar and self.are_below:
                    put(bar, made, across + 0.15 * wide, up - overhang(axes, made)[3] - GAP - BAR, 0.7 * wide, BAR)
                elif bar:
                    put(bar, made, across + wide + GAP, up, BAR, tall)
                    bar.set_ylabel(style.wrapped(bar.get_ylabel(), max(int(11 * tall), 12)))  # letters that fit
                across += wide + behind
            up -= under


def put(axes, made, *inches):
    size = made.get_size_inches()
    axes.set_position(numpy.array(inches) / [*size, *size])
