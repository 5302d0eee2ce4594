"""Tells what a picture cannot be made of, to the person who asked for it."""
import difflib
import json
import os
import sys


# Lists what Python says of values that are not what they should be.
DAMAGE = (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError,
          ValueError)


def one_line(error):
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


class NothingToDraw(Exception):
    """Why there is no picture of an input that is as it should be."""


class Refused(Exception):
    """An input that cannot be drawn: what is wrong with it, and what to do instead."""

    def __init__(self, message, remedy=""):
        super().__init__(message)
        self.remedy = remedy


class Unusable(Refused):
    """A file that is gone or is not what it should be. Other pictures of its run do without it."""


def not_among(name, kind, choices, where):
    """The refusal of a name that is not one of `choices`, with the nearest that are."""
    near = difflib.get_close_matches(name.lower(), choices, n=2, cutoff=0.6)
    hint = f"; did you mean {' or '.join(repr(one) for one in near)}?" if near else ""
    return Refused(f"no {kind} '{name}' in '{where}'{hint}", f"choose {', '.join(choices)}")


def exit_code(draw, rows_of):
    """That of a script called with FILE.json STEM [SOURCE], after draw(what FILE.json holds, STEM, SOURCE); study.py
    lists them. Its last line is the path of the PNG. `rows_of`: what has the rows that draw() knows, for the refusal of
    others."""
    _, json_file, *arguments = sys.argv
    try:
        with open(json_file, encoding="utf-8") as file:
            png, _ = draw(json.load(file), *arguments)
        sys.stdout.buffer.write(os.fsencode(png) + b"\n")  # a path may be no text
    except NothingToDraw as reason:
        print(f"no picture: {reason}")
        return 4
    except DAMAGE as error:
        print(f"the rows are not those of {rows_of} ({one_line(error)})")
        return 2
    return 0
