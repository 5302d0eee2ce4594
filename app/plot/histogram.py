"""histogram.csv, or such a file of `outputs`, drawn: how a field is distributed over the cells, at several times or in several runs."""
import numpy

import style
from quantity import in_words
from readers import usable_table
from refusal import NothingToDraw, Refused, Unusable
from view import View

SHOWN_TIMES = 5
COLUMNS = ("time", "field", "bin", "lower", "upper", "count", "probability_density")


class Histograms:
    """The distributions in a file: `times`, in order, and what is at each."""

    def __init__(self, path):
        self.path, remedy = path, "draw the histogram.csv of a run"
        self.columns = usable_table(path, remedy)
        for name in COLUMNS:
            if name not in self.columns:
                raise Unusable(f"'{path}' has no column '{name}'", remedy)
        if not self.columns["time"].size:
            raise NothingToDraw(f"'{path}' has no rows yet")
        self.times = numpy.unique(self.columns["time"])
        self.field = str(self.columns["field"][0])

    def nearest(self, time):
        """The time nearest to that one. Raises Refused for one outside the run."""
        if time is None:
            return self.times[-1]
        if not self.times[0] <= time <= self.times[-1]:
            raise Refused(f"t = {time:g} is outside '{self.path}'",
                          f"it reaches from t = {self.times[0]:g} to {self.times[-1]:g}")
        return self.times[numpy.argmin(abs(self.times - time))]

    def at(self, time):
        """Edges of the bins and the probability density between them, without what is outside the range."""
        rows = (self.columns["time"] == time) & numpy.isfinite(self.columns["lower"]) \
            & numpy.isfinite(self.columns["upper"])
        lower, upper = self.columns["lower"][rows], self.columns["upper"][rows]
        return numpy.append(lower, upper[-1:]), self.columns["probability_density"][rows]


def is_hidden(peaks):
    """Whether the highest peak leaves another flat on a linear axis."""
    return max(peaks) > 100 * min((peak for peak in peaks if peak > 0), default=max(peaks))


def histogram(files, title, names=None, time=None, view=None):
    """Draws one file at several times, or at the one nearest to `time`; several files, each with its name, at one."""
    view, tables = View(**view or {}), [Histograms(file) for file in files]
    if len(tables) > 1 and len({table.field for table in tables}) > 1:
        raise Refused("the histograms are of different fields: " + ", ".join(
            f"'{table.path}' of {table.field}" for table in tables), "give runs with the same output.histogram.field")
    if len(tables) == 1:
        times = style.evenly(tables[0].times, SHOWN_TIMES) if time is None else [tables[0].nearest(time)]
        drawn = [(tables[0], at, f"t = {at:.6g}") for at in times]
    else:
        drawn = [(table, table.nearest(time), f"{name}, t = {table.nearest(time):.6g}")
                 for table, name in zip(tables, names)]
    made, ((axes,),) = style.figure(width=8.0, height=4.6)
    view.fit(made)
    least, peaks = [], []
    for n, (table, at, label) in enumerate(drawn):
        edges, density = table.at(at)
        least += list(density[density > 0])
        peaks.append(density.max(initial=0))
        axes.stairs(density, edges, **style.look(n), linewidth=1.3, label=label)
    if least and (view.log or (is_hidden(peaks) and not view.range)):
        axes.set_yscale("log")
        axes.set_ylim(bottom=min(least) / 2)
    if view.range:
        axes.set_ylim(*view.range)
    field = in_words(tables[0].field)
    axes.set_xlabel(field)
    axes.set_ylabel("probability density")
    style.legend_below(made, *axes.get_legend_handles_labels())
    said = f"{title or 'halfstep'}, histogram of {field}"
    is_whole = len(tables) == 1 and time is None
    return style.Picture(made, view.title or said, [style.part_of(len(drawn), len(tables[0].times))] if is_whole else [])
