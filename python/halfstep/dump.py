"""A dump, fields_000000.vtkhdf: the flow at one time."""
import h5py
import numpy

from .errors import Unreadable

AXES = "xyz"


class Dump:
    """The fields of a dump by name, read when they are asked for.

    `time`, `step`, `dt` (of the step before), `gamma`, `title`, `precision`, `backend`, `git`: how it was made. `deck`: its text
    with all defaults, "" where the file has none.
    `cells`, `origin`, `spacing`: the mesh, three numbers each, x first; the spacing of a stretched axis, whose cells
    are not all of one width, is None. A dump of curved elements has no axes: its cells are the points of an element,
    the elements, and 1; `places` are the coordinates of all points, [point, axis], and `volumes` what they stand for
    in sums; its origin and spacing are None, and its fields have an entry for each point. `swept`: the axes, 0 to 2, that have more than one cell; [0] if none has. Raises
    Unreadable for a file that is gone or is not a dump.
    """

    def __init__(self, path):
        self.path = path
        try:
            self.file = h5py.File(path, "r")
        except FileNotFoundError as error:
            raise Unreadable(f"the dump '{path}' is gone") from error
        except OSError as error:
            raise Unreadable(f"'{path}' is not a dump of halfstep ({_first_line(error)})") from error
        try:
            self._read_attributes()
        except (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError,
                ValueError) as error:
            self.file.close()
            raise Unreadable(f"'{path}' is not a dump of halfstep ({_first_line(error)})") from error

    def _read_attributes(self):
        image, about = self.file["VTKHDF"], self.file["halfstep"].attrs
        self.fields = image["CellData"]
        self.places = self.volumes = None
        self._read_elements() if "elements" in self.file else self._read_box(image)
        self.swept = [axis for axis in range(3) if self.cells[axis] > 1] or [0]
        self.time, self.dt, self.gamma = (float(about[name]) for name in ("time", "dt", "gamma"))
        self.step = int(about["step"])
        self.title, self.git, self.precision, self.backend = (
            _text(about[name]) for name in ("title", "git", "precision", "backend"))
        self.deck = _text(about.get("deck", ""))

    def _read_elements(self):
        elements = self.file["elements"]
        self.places, self.volumes = elements["places"][...], elements["volumes"][...]
        points = int(elements.attrs["points_of_element"])
        self.cells = [points, len(self.volumes) // points, 1]
        self.origin = self.spacing = self._faces = None

    def _read_box(self, image):
        extent = [int(n) for n in image.attrs["WholeExtent"]]
        self.cells = [extent[2 * axis + 1] - extent[2 * axis] for axis in range(3)]
        # A dump of a stretched mesh has all faces in place of origin and spacing.
        self._faces = _read_faces(image, self.cells) if "XCoordinates" in image else None
        if self._faces:
            self.origin = [float(faces[0]) for faces in self._faces]
            self.spacing = [_common_width(faces) for faces in self._faces]
        else:
            self.origin = [float(x) for x in image.attrs["Origin"]]
            self.spacing = [float(x) for x in image.attrs["Spacing"]]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def __iter__(self):
        return iter(self.fields)

    def __contains__(self, name):
        return name in self.fields

    def __getitem__(self, name):
        """The field as an array [z, y, x], a vector with its three components last. Axes of one cell are dropped, so
        that a tube's density has the shape (nx,) and its velocity (nx, 3). Those of curved elements are [point], and
        [point, component]. Raises KeyError with the names there are."""
        if name not in self.fields:
            raise KeyError(f"no field '{name}' in '{self.path}': it has {', '.join(self.fields)}")
        values = self.fields[name][...]
        if self.places is not None:
            return values
        return values.reshape([self.cells[axis] for axis in reversed(self.swept)] + list(values.shape[3:]))

    def faces(self, axis):
        """Coordinates of the cells' faces along `axis`, 0 to 2: one more than it has cells. Raises Unreadable for
        curved elements, which have no axes."""
        self._expect_box()
        if self._faces:
            return self._faces[axis].copy()
        return self.origin[axis] + numpy.arange(self.cells[axis] + 1) * self.spacing[axis]

    def centres(self, axis):
        """Coordinates of the cells' centres along `axis`, 0 to 2. Raises Unreadable as faces()."""
        self._expect_box()
        if self._faces:
            return 0.5 * (self._faces[axis][:-1] + self._faces[axis][1:])
        return self.origin[axis] + (numpy.arange(self.cells[axis]) + 0.5) * self.spacing[axis]

    def _expect_box(self):
        if self.places is not None:
            raise Unreadable(f"'{self.path}' is of curved elements, which have no axes: see its places")

    @property
    def coordinates(self):
        """The cells' centres by "x", "y", "z", along those axes that an array of a field has."""
        return {AXES[axis]: self.centres(axis) for axis in self.swept}


def _read_faces(image, cells):
    faces = [image[f"{axis.upper()}Coordinates"][...].astype(float) for axis in AXES]
    for axis, along, count in zip(AXES, faces, cells):
        if along.shape != (count + 1,) or not (numpy.isfinite(along).all() and (numpy.diff(along) > 0).all()):
            raise ValueError(f"its faces along {axis} are none of a mesh")
    return faces


def _common_width(faces):
    """The width of all cells, or None where they differ by more than round-off."""
    mean = float(faces[-1] - faces[0]) / (len(faces) - 1)
    return mean if numpy.ptp(numpy.diff(faces)) <= 1e-9 * mean else None


def _text(attribute):
    return attribute.decode("utf-8", "replace") if isinstance(attribute, bytes) else str(attribute)


def _first_line(error):
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
