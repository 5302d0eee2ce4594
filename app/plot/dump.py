"""A dump of halfstep, fields_000000.vtkhdf, as the pictures read it: a plane at a time, for a field may be large."""
import os
import re

import numpy

import readers
from readers import AXES  # noqa: F401
from refusal import Refused, Unusable

# Files that must not be opened, each with its reason: HDF5 crashes or hangs on some that are damaged.
damaged = {}


def name_of_output(stem):
    """The name in the deck, which the names of dumps follow with a number."""
    return re.sub(r"_\d+$", "", stem)


class Dump(readers.Dump):
    """Cells are counted from 0 along x, y, z; a slab holds its fields as [z, y, x], vectors with a fourth axis."""

    def __init__(self, path):
        remedy = "a dump is fields_NUMBER.vtkhdf in the directory of a run"
        if path in damaged:
            raise Unusable(f"'{path}' is not a dump of halfstep ({damaged[path]})", remedy)
        try:
            super().__init__(path)
        except readers.Unreadable as error:
            raise Unusable(str(error), remedy if os.path.exists(path) else "it takes another run to have it again") \
                from error
        self.corners = None if self.places is None else self._corners_of_points()
        if not len(self.fields):
            raise Unusable(f"'{path}' has no field", "name them in output.fields of the deck")
        if "velocity" in self.fields and self.fields["velocity"].shape[1 if self.is_curved else 3:] != (3,):
            raise Unusable(f"'velocity' of '{path}' has not three components", remedy)

    @property
    def is_curved(self):
        """Whether it is of curved elements; its fields have an entry for each point, which `corners` surround,
        [point, corner, axis]."""
        return self.corners is not None

    def _corners_of_points(self):
        if int(self.file["elements"].attrs["dimensions"]) != 2:
            raise Unusable(f"'{self.path}' is of curved elements in space, which no picture is drawn of",
                           "ParaView opens it, and fields.xmf beside it")
        image = self.file["VTKHDF"]
        return image["Points"][:, :2][image["Connectivity"][...].reshape(len(self.places), 4)]

    def is_periodic(self, axis):
        """Whether its first and its last cell along `axis` are neighbours: it has all of the mesh there."""
        cells = re.search(r"^  cells: \[(\d+), (\d+), (\d+)\]$", self.deck, re.MULTILINE)
        sides = re.search(rf"^  boundary: \{{.*\b{AXES[axis]}: \[periodic, periodic\]", self.deck, re.MULTILINE)
        return bool(sides and cells) and int(cells[axis + 1]) == self.cells[axis]

    def fields_of_deck(self):
        """The fields that the deck asks of the output that it is one of, in their order; [] of no output."""
        name = name_of_output(os.path.splitext(os.path.basename(self.path))[0])
        found = re.search(rf'\bname: "?{re.escape(name)}"?,\s+fields: \[(.*?)\]', self.deck, re.DOTALL)
        return [field.strip() for field in found[1].split(",")] if found else []

    def extent(self, axis):
        """The lower and the upper end of the domain, or of the box around curved elements."""
        if self.is_curved:
            return float(self.corners[..., axis].min()), float(self.corners[..., axis].max())
        faces = self.faces(axis)
        return float(faces[0]), float(faces[-1])

    def in_cells(self, axis, position):
        """The position counted in cells from the lower end, linear between faces."""
        if self.spacing[axis] is None:
            faces = self.faces(axis)
            return numpy.interp(position, faces, numpy.arange(len(faces)))
        return (position - self.origin[axis]) / self.spacing[axis]

    def index(self, axis, position):
        """The cell along `axis` that holds the position. Raises Refused for one outside the mesh, and for curved
        elements."""
        if self.is_curved:
            raise Refused(f"no cut is drawn through the curved elements of '{self.path}'",
                          "give a part of them with --zoom")
        low, high = self.extent(axis)
        if not low <= position <= high:
            raise Refused(f"{AXES[axis]} = {position:g} is outside the mesh of '{self.path}'",
                          f"it reaches from {low:g} to {high:g} along {AXES[axis]}")
        return min(int(self.in_cells(axis, position)), self.cells[axis] - 1)

    def is_on_mesh_of(self, other):
        if self.is_curved or other.is_curved:
            return self.is_curved and other.is_curved and numpy.array_equal(self.places, other.places)
        return self.cells == other.cells and all(numpy.array_equal(self.faces(axis), other.faces(axis))
                                                 for axis in range(3))

    def precision_in_words(self):
        """That of the run, and that of an output's numbers where it is another."""
        of_run = re.search(r"^scheme:.*?\bprecision: (\w+)", self.deck, re.DOTALL | re.MULTILINE)
        if not of_run or of_run[1] == self.precision:
            return f"{self.precision} precision"
        return f"{of_run[1]} precision, written in {self.precision}"

    def footer(self):
        """Where the picture's numbers are from."""
        cells = " × ".join(str(self.cells[axis]) for axis in self.swept) + " cells"
        if self.is_curved:
            cells = f"{self.cells[1]} elements of {self.cells[0]} points"
        return [("step", self.step), ("", cells), ("", self.precision_in_words()), ("", self.backend),
                ("git", self.git)]

    def whole(self):
        return self.slab({})

    def slab(self, indices):
        """The cells whose index along some axes, {axis: index}, is given, with their neighbours for gradients; all points
        of curved elements."""
        return PointsOfElements(self) if self.is_curved else Slab(self, indices)


class PointsOfElements:
    """The points of a dump of curved elements as a slab; fields are [point]."""

    def __init__(self, dump):
        self.dump = dump

    def __getitem__(self, name):
        return self.dump.fields[name][...].astype(float)

    def solid(self):
        return None

    def without_neighbours(self, values):
        return values


class Slab:
    """A part of a dump; fields are read when they are asked for. Across a periodic side lies the other end."""

    def __init__(self, dump, indices):
        self.dump = dump
        self.pieces = [[range(dump.cells[axis])] for axis in range(3)]  # of each axis, to be joined
        self.within = [slice(None)] * 3
        for axis, index in indices.items():
            count, wraps = dump.cells[axis], dump.is_periodic(axis) and dump.cells[axis] > 2
            low, high = max(index - 1, 0), min(index + 2, count)
            before = [range(count - 1, count)] if wraps and index == 0 else []
            behind = [range(1)] if wraps and index == count - 1 else []
            self.pieces[axis] = [*before, range(low, high), *behind]
            first = index - low + len(before)
            self.within[2 - axis] = slice(first, first + 1)

    def __getitem__(self, name):
        field = self.dump.fields[name]

        def read(axis, chosen):
            if axis < 0:
                return field[tuple(chosen)].astype(float)
            parts = [read(axis - 1, [*chosen, slice(piece.start, piece.stop)]) for piece in self.pieces[axis]]
            return parts[0] if len(parts) == 1 else numpy.concatenate(parts, axis=2 - axis)
        return read(2, [])

    def solid(self):
        """Whether cells lie in bodies, [z, y, x]; None in a run without any."""
        return self["solid"] > 0 if "solid" in self.dump.fields else None

    def without_neighbours(self, values):
        """The values [z, y, x] at the indices alone."""
        return values[tuple(self.within)]

    def gradient(self, values, axis):
        """Central differences, one-sided at sides that are not periodic; 0 along an axis that is not swept."""
        count, along = values.shape[2 - axis], 2 - axis
        if count < 2:
            return numpy.zeros_like(values)
        places = self._places(axis)
        if count < self.dump.cells[axis] or count < 3 or not self.dump.is_periodic(axis):
            return numpy.gradient(values, places, axis=along)
        low, high = self.dump.extent(axis)
        around = numpy.take(values, [-1, *range(count), 0], axis=along, mode="wrap")
        places = [places[-1] - (high - low), *places, places[0] + (high - low)]
        inside = [slice(None)] * values.ndim
        inside[along] = slice(1, -1)
        return numpy.gradient(around, places, axis=along)[tuple(inside)]

    def _places(self, axis):
        """The cells' centres along `axis`, as far as needed beyond the ends."""
        centres, (low, high) = self.dump.centres(axis), self.dump.extent(axis)
        first, last = self.pieces[axis][0], self.pieces[axis][-1]
        places = [centres[piece.start:piece.stop] for piece in self.pieces[axis]]
        if len(places) > 1:
            if first.start > last.start:
                places[0] = places[0] - (high - low)
            else:
                places[-1] = places[-1] + (high - low)
        return numpy.concatenate(places)
