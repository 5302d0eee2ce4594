"""The directory that a run wrote."""
import json
import pathlib

import numpy

from .dump import AXES, Dump
from .errors import Unreadable
from .events import columns, read_events
from .table import read_table


class Run:
    """What a run has left, or has written so far: each attribute reads its file anew. All raise Unreadable where it is
    gone or is not of a run. Units are those of the deck."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not (self.directory / "deck.yaml").is_file():
            raise Unreadable(f"'{directory}' is not the directory of a run: it has no deck.yaml")

    def __repr__(self):
        return f"halfstep.open({str(self.directory)!r})"

    @property
    def _fields(self):
        return Series(self.directory, "fields")

    @property
    def times(self):
        """The times of the dumps, a number each."""
        return self._fields.times

    def dump(self, number=-1, *, time=None):
        """The dump with that number, from 0, or from the end below 0: by default the last. With `time` the dump
        nearest to that time. Raises IndexError where there is none."""
        return self._fields.dump(number, time=time)

    def series(self, name):
        """The slices or boxes of that name among `outputs`, a Series. Raises Unreadable where there are none."""
        series = Series(self.directory, name)
        if not series.path.is_file():
            raise Unreadable(f"'{self.directory}' has no slices or boxes '{name}': '{series.path.name}' is not there")
        return series

    @property
    def history(self):
        """history.csv: its columns by name, an entry a step; entry 0 is the initial state."""
        return read_table(self.directory / "history.csv")

    @property
    def histogram(self):
        """histogram.csv: its columns by name, an entry a bin and time."""
        return read_table(self.directory / "histogram.csv")

    def probes(self, name):
        """The probes of that name among `outputs`: the columns of NAME.csv or NAME.h5, an entry a row; density_0 is the
        density at point 0. The same of lines, profiles, spectra and histograms."""
        numbers = self.directory / f"{name}.h5"
        return read_table(numbers if numbers.is_file() else self.directory / f"{name}.csv")

    @property
    def events(self):
        """events.jsonl: a dictionary an event, in order."""
        return read_events(self.directory / "events.jsonl")

    def events_of(self, kind):
        """The events of a kind, such as "rejection", as a dictionary of arrays with an entry an event."""
        return columns([event for event in self.events if event["event"] == kind])

    @property
    def summary(self):
        """summary.json: how the run ended, what it cost, its totals and error norms. There once a run has ended."""
        return _json(self.directory / "summary.json")

    @property
    def deck_text(self):
        """The resolved deck, every default filled in, as YAML."""
        return (self.directory / "deck.yaml").read_text(encoding="utf-8")

    @property
    def deck(self):
        """The resolved deck as nested dictionaries. Raises ImportError without PyYAML."""
        try:
            import yaml
        except ImportError as missing:
            raise ImportError("the deck as a dictionary needs PyYAML (pip install pyyaml); "
                              "deck_text needs nothing") from missing
        return yaml.safe_load(self.deck_text)

    def to_xarray(self):
        """All dumps, as Series.to_xarray() has them."""
        return self._fields.to_xarray()


class Series:
    """The dumps of a run, or those of one of its outputs, in order of time."""

    def __init__(self, directory, name):
        self.directory, self.name = directory, name
        self.path = directory / f"{name}.vtkhdf.series"

    def _listed(self):
        """The dumps that the series lists: a time and a path each."""
        if not self.path.exists():
            return []
        return [(entry["time"], self.directory / entry["name"]) for entry in _json(self.path)["files"]]

    def __len__(self):
        return len(self._listed())

    @property
    def times(self):
        """The times of the dumps, a number each."""
        return numpy.array([time for time, _ in self._listed()])

    def dump(self, number=-1, *, time=None):
        """The dump with that number, from 0, or from the end below 0: by default the last. With `time` the dump
        nearest to that time. Raises IndexError where there is none."""
        listed = self._listed()
        if not listed:
            raise IndexError(f"'{self.directory}' has no dump yet")
        if time is not None:
            return Dump(min(listed, key=lambda one: abs(one[0] - time))[1])
        if not -len(listed) <= number < len(listed):
            raise IndexError(f"no dump {number} in '{self.directory}', which has {len(listed)}")
        return Dump(listed[number][1])

    def to_xarray(self):
        """All dumps as an xarray.Dataset over time and the axes of more than one cell, vectors over `component` as
        well. Takes memory for all of them. Raises ImportError without xarray."""
        try:
            import xarray
        except ImportError as missing:
            raise ImportError("a dataset needs xarray (pip install xarray)") from missing
        return xarray.concat([self._dataset(xarray, Dump(path)) for _, path in self._listed()], "time")

    @staticmethod
    def _dataset(xarray, dump):
        axes = [AXES[axis] for axis in reversed(dump.swept)]
        with dump:
            arrays = {name: dump[name] for name in dump}
        variables = {name: (axes + ["component"] * (values.ndim - len(axes)), values)
                     for name, values in arrays.items()}
        has_vector = any(values.ndim > len(axes) for values in arrays.values())
        return xarray.Dataset(variables, coords={**dump.coordinates, "time": dump.time,
                                                 **({"component": list(AXES)} if has_vector else {})},
                              attrs={"title": dump.title, "gamma": dump.gamma})


def _json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Unreadable(f"'{path}' is not there") from error
    except (OSError, ValueError) as error:
        raise Unreadable(f"'{path}' cannot be read: {error}") from error
