"""events.jsonl: soft errors, rejections, remedies, checkpoints, signals."""
import json
import os

import numpy

from .errors import Unreadable


def read_events(path):
    """The events as dictionaries, in the order they were written. Half a last line, as a run that goes on may have
    written, is left out. Raises Unreadable."""
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe never opens
        raise Unreadable(f"'{path}' is no regular file")
    events = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    break
                event = json.loads(line)
                if not isinstance(event, dict) or "event" not in event:
                    raise Unreadable(f"'{path}', line {number}: not an event of a run")
                events.append(event)
    except OSError as error:
        raise Unreadable(f"'{path}' cannot be read: {error.strerror}") from error
    except (RecursionError, ValueError) as error:
        raise Unreadable(f"'{path}', line {number}: {error}") from error
    return events


def columns(events):
    """The events' values by key, a numpy array each, with an entry an event. A value that an event lacks is nan among
    numbers and None among others. "nan" and "inf", as JSON has no number for them, are numbers again."""
    keys = dict.fromkeys(key for event in events for key in event)
    return {key: _column([event.get(key) for event in events]) for key in keys}


def _column(values):
    try:
        return numpy.array([numpy.nan if value is None else float(value) for value in values])
    except (TypeError, ValueError):
        column = numpy.empty(len(values), dtype=object)
        column[:] = values
        return column
