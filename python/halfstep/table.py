"""A table of a run: history.csv, histogram.csv and those of probes, as text or as numbers."""
import csv
import io
import os

import h5py
import numpy

from .errors import Unreadable


def read_table(path):
    """The columns by name, a numpy array each: of numbers, or of text where a column has other words. Half a last row,
    as a run that goes on may have written, is left out. Raises Unreadable."""
    if os.fspath(path).endswith(".h5"):
        return _read_numbers(path)
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        whole = text[:text.rfind("\n") + 1]
        names, *rows = list(csv.reader(io.StringIO(whole, newline=""))) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Unreadable(f"'{path}' cannot be read as a table: {error}") from error
    rows = [row for row in rows if len(row) == len(names)]
    return {name: _column([row[n] for row in rows]) for n, name in enumerate(names)}


def _read_numbers(path):
    """The columns of NAME.h5, called as those of NAME.csv."""
    try:
        with h5py.File(path, "r") as file:
            rows = file["rows"][...]
        fields = [name for name in rows.dtype.names if name not in ("step", "time")]
        places = rows[fields[0]].shape[1]
        of_fields = {f"{name}_{place}": rows[name][:, place].astype(float)
                     for place in range(places) for name in fields}
        return {"step": rows["step"].astype(float), "time": rows["time"], **of_fields}
    except (LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise Unreadable(f"'{path}' cannot be read as a table: {str(error).splitlines()[0]}") from error


def _column(words):
    try:
        return numpy.array([float(word) for word in words])
    except ValueError:
        return numpy.array(words)
