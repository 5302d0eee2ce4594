"""NAME.csv of a spectrum drawn: the kinetic energy by wave number, at several times or in several runs."""
import numpy

import style
from probes import Probes
from refusal import NothingToDraw, Refused
from view import View

SHOWN_TIMES, SHOWN_DECADES = 5, 12  # what is less is soon round-off


class Spectra(Probes):
    """The spectra in a file: `energy` [row, shell] at the times `time`."""

    def __init__(self, path):
        super().__init__(path)
        self.energy = self.fields["energy"]

    def nearest(self, time):
        """The row nearest to that time, by default the last. Raises Refused for one outside the run."""
        if time is None:
            return len(self.time) - 1
        if not self.time[0] <= time <= self.time[-1]:
            raise Refused(f"t = {time:g} is outside '{self.path}'",
                          f"it reaches from t = {self.time[0]:g} to {self.time[-1]:g}")
        return int(numpy.argmin(abs(self.time - time)))


def spectrum(files, title, names=None, time=None, view=None):
    """Draws one file at several times, or at the one nearest to `time`; several files, each with its name, at one. The
    mean flow, shell 0, and shells without energy have no place on logarithmic axes."""
    view, tables = View(**view or {}), [Spectra(file) for file in files]
    if len(tables) == 1:
        rows = style.evenly(numpy.arange(len(tables[0].time)), SHOWN_TIMES) if time is None else [tables[0].nearest(time)]
        drawn = [(tables[0], row, f"t = {tables[0].time[row]:.6g}") for row in rows]
    else:
        drawn = [(table, table.nearest(time), f"{name}, t = {table.time[table.nearest(time)]:.6g}")
                 for table, name in zip(tables, names)]
    if not any((table.energy[row, 1:] > 0).any() for table, row, _ in drawn):
        raise NothingToDraw(f"'{tables[0].path}' has no energy in any wave")
    made, ((axes,),) = style.figure(width=8.0, height=4.6)
    view.fit(made)
    least = max(table.energy[row, 1:].max() for table, row, _ in drawn) * 10.0 ** -SHOWN_DECADES
    for n, (table, row, label) in enumerate(drawn):
        energy = table.energy[row]
        shells = numpy.arange(1, len(energy))
        seen = numpy.where(energy[1:] > least, energy[1:], numpy.nan)
        axes.plot(shells, seen, **style.look(n), linewidth=1.3, marker="." if numpy.isfinite(seen).sum() == 1 else "", label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    if view.range:
        axes.set_ylim(*view.range)
    style.number_decades(axes.xaxis)
    axes.set_xlabel("waves along the longest side")
    axes.set_ylabel("kinetic energy per mass")
    style.legend_below(made, *axes.get_legend_handles_labels())
    is_whole = len(tables) == 1 and time is None
    return style.Picture(made, view.title or f"{title or 'halfstep'}, spectrum",
                         [style.part_of(len(drawn), len(tables[0].time))] if is_whole else [])
