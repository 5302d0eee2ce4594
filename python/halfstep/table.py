"""A CSV file of a run: history.csv, histogram.csv and those of probes."""
import csv
import io

import numpy

from .errors import Unreadable


def read_table(path):
    """The columns by name, a numpy array each: of numbers, or of text where a column has other words. Half a last row,
    as a run that goes on may have written, is left out. Raises Unreadable."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        whole = text[:text.rfind("\n") + 1]
        names, *rows = list(csv.reader(io.StringIO(whole, newline=""))) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Unreadable(f"'{path}' cannot be read as a table: {error}") from error
    rows = [row for row in rows if len(row) == len(names)]
    return {name: _column([row[n] for row in rows]) for n, name in enumerate(names)}


def _column(words):
    try:
        return numpy.array([float(word) for word in words])
    except ValueError:
        return numpy.array(words)
