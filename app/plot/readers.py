"""The readers of the Python package, whose folder lies beside app/ in the sources and where the program puts its scripts."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from halfstep.dump import AXES, Dump  # noqa: E402,F401
from halfstep.errors import Unreadable  # noqa: E402,F401
from halfstep.events import read_events  # noqa: E402,F401
from halfstep.table import read_table  # noqa: E402,F401

from refusal import Unusable  # noqa: E402


def usable_table(path, remedy):
    """read_table(), which refuses what it cannot read."""
    try:
        return read_table(path)
    except Unreadable as error:
        raise Unusable(str(error), remedy) from error
