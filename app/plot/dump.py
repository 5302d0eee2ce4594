"""A dump of halfstep, fields_000000.vtkhdf, as the pictures read it: a plane at a time, for a field may be large."""
import os

import numpy

import readers
from readers import AXES  # noqa: F401
from refusal import Refused, Unusable

# Files that must not be opened, each with its reason: HDF5 crashes or hangs on some that are damaged.
damaged = {}


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
        if self.places is not None:
            raise Unusable(f"'{path}' is of curved elements, which no picture is drawn of",
                           "ParaView opens it, and fields.xmf beside it")
        if not len(self.fields):
            raise Unusable(f"'{path}' has no field", "name them in output.fields of the deck")
        if "velocity" in self.fields and self.fields["velocity"].shape[3:] != (3,):
            raise Unusable(f"'velocity' of '{path}' has not three components", remedy)

    def extent(self, axis):
        """The lower and the upper end of the domain."""
        faces = self.faces(axis)
        return float(faces[0]), float(faces[-1])

    def in_cells(self, axis, position):
        """The position counted in cells from the lower end, linear between faces."""
        if self.spacing[axis] is None:
            faces = self.faces(axis)
            return numpy.interp(position, faces, numpy.arange(len(faces)))
        return (position - self.origin[axis]) / self.spacing[axis]

    def index(self, axis, position):
        """The cell along `axis` that holds the position. Raises Refused for one outside the mesh."""
        low, high = self.extent(axis)
        if not low <= position <= high:
            raise Refused(f"{AXES[axis]} = {position:g} is outside the mesh of '{self.path}'",
                          f"it reaches from {low:g} to {high:g} along {AXES[axis]}")
        return min(int(self.in_cells(axis, position)), self.cells[axis] - 1)

    def is_on_mesh_of(self, other):
        return self.cells == other.cells and all(numpy.array_equal(self.faces(axis), other.faces(axis))
                                                 for axis in range(3))

    def footer(self):
        """Where the picture's numbers are from."""
        cells = " × ".join(str(self.cells[axis]) for axis in self.swept)
        return [("step", self.step), ("", f"{cells} cells"), ("", f"{self.precision} precision"), ("", self.backend),
                ("git", self.git)]

    def whole(self):
        return Slab(self, {})

    def slab(self, indices):
        """The cells whose index along some axes, {axis: index}, is given, with their neighbours for gradients."""
        return Slab(self, indices)


class Slab:
    """A part of a dump; fields are read when they are asked for."""

    def __init__(self, dump, indices):
        self.dump = dump
        self.cut, self.within = [slice(None)] * 3, [slice(None)] * 3
        for axis, index in indices.items():
            low = max(index - 1, 0)
            self.cut[2 - axis] = slice(low, index + 2)
            self.within[2 - axis] = slice(index - low, index - low + 1)

    def __getitem__(self, name):
        return self.dump.fields[name][tuple(self.cut)].astype(float)

    def solid(self):
        """Whether cells lie in bodies, [z, y, x]; None in a run without any."""
        return self["solid"] > 0 if "solid" in self.dump.fields else None

    def without_neighbours(self, values):
        """The values [z, y, x] at the indices alone."""
        return values[tuple(self.within)]

    def gradient(self, values, axis):
        """Central differences, one-sided at the ends; 0 along an axis that is not swept."""
        if values.shape[2 - axis] < 2:
            return numpy.zeros_like(values)
        spacing = self.dump.spacing[axis]
        if spacing is None:
            spacing = self.dump.centres(axis)[self.cut[2 - axis]]
        return numpy.gradient(values, spacing, axis=2 - axis)
