#!/usr/bin/env python3
"""fields.xmf, and that of slices and boxes, names what the dumps hold, at every moment of a run; ParaView reads it where
pvpython is there.

Usage: read_xdmf.py HALFSTEP
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing} (apt-get install python3-h5py)")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE.parents[2] / "inputs"
HALFSTEP = ""
RUNS = {}


def command(*words):
    return [HALFSTEP, "run", *words, "--backend=host", "--threads=1", "--quiet"]


def compute(deck, directory, *words):
    """Runs a deck of inputs/, or with `deck` None goes on as `words` say, and returns the directory."""
    done = subprocess.run(command(*([INPUTS / f"{deck}.yaml"] if deck else []), "--output", directory, *words),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return directory


def numbers(text):
    return [float(word) for word in text.split()]


def ends(origin, spacing, points):
    """The two ends of each axis of a mesh whose cells are as wide."""
    return [[low, low + (count - 1) * width] for low, width, count in zip(origin, spacing, points)]


def read_geometry(geometry, points, directory):
    """The faces along each axis, x first, of an axis whose cells are as wide its ends alone."""
    if geometry.get("GeometryType") == "ORIGIN_DXDYDZ":
        return ends(*(numbers(item.text)[::-1] for item in geometry), points)
    assert geometry.get("GeometryType") == "VXVYVZ"
    faces = []
    for item, count in zip(geometry, points, strict=True):
        name, path = item.text.split(":")
        with h5py.File(directory / name) as file:
            faces.append(file[path][...].tolist())
        assert int(item.get("Dimensions")) == count == len(faces[-1])
    return faces


def read_grid(grid, directory):
    """The points, faces (x first) and arrays by name of a grid of fields.xmf."""
    fields = {}
    for attribute in grid.iter("Attribute"):
        assert attribute.get("Center") == "Cell"
        item = attribute.find("DataItem")
        name, path = item.text.split(":")
        with h5py.File(directory / name) as file:
            values = file[path][...]
        assert list(values.shape) == list(map(int, item.get("Dimensions").split())), path
        assert values.dtype.itemsize == int(item.get("Precision")), path
        assert attribute.get("AttributeType") == ("Vector" if values.ndim == 4 else "Scalar"), path
        fields[attribute.get("Name")] = values
    points = list(map(int, grid.find("Topology").get("Dimensions").split()))[::-1]
    faces = read_geometry(grid.find("Geometry"), points, directory)
    return {"time": float(grid.find("Time").get("Value")), "points": points, "faces": faces, "fields": fields}


def read_xdmf(directory, series="fields"):
    root = ElementTree.fromstring((directory / f"{series}.xmf").read_text())
    collection = root.find("Domain/Grid")
    assert (root.get("Version"), collection.get("CollectionType")) == ("3.0", "Temporal")
    return [read_grid(grid, directory) for grid in collection.iter("Grid") if grid is not collection]


def setUpModule():
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    root = pathlib.Path(scratch.name)
    RUNS["line"] = compute("detonation", root / "line", "mesh.cells=[64,1,1]", "time.end=0.2", "output.every=0.05",
                           "output.fields=[density,velocity,pressure,mass_fraction]")
    # Stopped after its second dump, gone on from a checkpoint before that, with fewer fields, in slices.
    RUNS["plane"] = compute("double_mach", root / "plane", "mesh.cells=[48,12,1]", "time.dt=0.001", "time.end=0.02",
                            "output.every=0.005", "checkpoint.every_steps=7", "checkpoint.keep=9", "time.max_steps=12",
                            "interruptible.enabled=true", "interruptible.launch_budget_ms=0.1")
    compute(None, root / "plane", "--restart", root / "plane/checkpoint_00000007.h5", "time.max_steps=0",
            "output.fields=[density,velocity]")
    box = ["mesh.cells=[7,5,3]", "mesh.lower=[-1,0.5,2]", "mesh.upper=[1,1.25,5]", "case.position=0.1",
           "scheme.precision=single", "output.every=0.05",
           "outputs=[{kind: slice, name: cut, axis: x, position: 0, every: 0.05, fields: [speed, vorticity]}, "
           "{kind: box, name: part, lower: [-0.5, 0.5, 3], upper: [1, 1.25, 5], every_cell: 2, every_steps: 1, "
           "precision: single}]"]
    compute("sod", root / "space", *box, "time.end=0.1")
    RUNS["space"] = compute("sod", root / "space", *box)
    RUNS["earlier run"] = root / "space.previous"
    RUNS["stretched"] = compute("uniform", root / "stretched", "mesh.cells=[9,7,8]", "time.end=0.1", "output.every=0.05",
                                "mesh.spacing.x={kind: tanh, strength: 0.8}", "mesh.spacing.z={kind: geometric}",
                                "outputs=[{kind: slice, name: cut, axis: x, position: 0.1, every: 0.05}, "
                                "{kind: box, name: part, lower: [0.1, 0, 0.3], upper: [0.9, 1, 1], every_cell: 2, "
                                "every: 0.05}]")


def all_series():
    """Every run's directory, with the name of a series in it."""
    yield from ((directory, "fields") for directory in RUNS.values())
    yield from ((RUNS[run], series) for run in ("space", "earlier run", "stretched") for series in ("cut", "part"))


class Xdmf(unittest.TestCase):
    def test_the_grids_are_the_dumps(self):
        for directory, series in all_series():
            with self.subTest(directory=directory.name, series=series):
                dumps = sorted(directory.glob(f"{series}_*.vtkhdf"))
                grids = read_xdmf(directory, series)
                self.assertEqual(len(grids), len(dumps))
                self.assertGreater(len(grids), 2)
                for grid, dump in zip(grids, dumps):
                    self.check_grid(grid, dump)

    def check_grid(self, grid, dump):
        with h5py.File(dump) as file:
            image, cells = file["VTKHDF"].attrs, file["VTKHDF/CellData"]
            self.assertEqual(grid["time"], file["halfstep"].attrs["time"])
            self.assertEqual(grid["points"], [last + 1 for last in image["WholeExtent"][1::2]])
            if image["Type"] == b"ImageData":
                self.assertEqual(grid["faces"], ends(image["Origin"], image["Spacing"], grid["points"]))
            else:
                faces = [file[f"VTKHDF/{axis}Coordinates"][...].tolist() for axis in "XYZ"]
                self.assertEqual(grid["faces"], faces)
                self.assertEqual(list(map(len, faces)), grid["points"])
            self.assertEqual(sorted(grid["fields"]), sorted(cells))
            for name, values in grid["fields"].items():
                numpy.testing.assert_array_equal(values, cells[name][...])

    def test_values_at_known_cells(self):
        first = read_xdmf(RUNS["space"])[0]
        density = first["fields"]["density"]
        self.assertEqual(density.shape, (3, 5, 7))
        self.assertEqual((density[2, 4, 0], density[2, 4, 6]), (1, 0.125))  # left and right of case.position

    def test_a_restart_changes_the_fields_of_later_dumps_only(self):
        fields = [sorted(grid["fields"]) for grid in read_xdmf(RUNS["plane"])]
        self.assertEqual(fields, 2 * [["density", "pressure", "velocity"]] + 3 * [["density", "velocity"]])

    def test_it_is_whole_at_every_moment(self):
        directory = RUNS["line"].parent / "watched"
        run = subprocess.Popen(command(INPUTS / "sod.yaml", "--output", directory, "mesh.cells=[32,1,1]",
                                       "output.every_steps=1", "output.every=0", "time.max_steps=150", "time.end=10"))
        seen = [0]
        while run.poll() is None:
            if (directory / "fields.xmf").exists():
                seen.append(len(read_xdmf(directory)))
                json.loads((directory / "fields.vtkhdf.series").read_text())
        self.assertEqual(run.returncode, 0)
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(len(read_xdmf(directory)), 151)

    @unittest.skipUnless(shutil.which("pvpython"), "no pvpython")
    def test_paraview_reads_every_time(self):
        for directory, series in all_series():
            done = subprocess.run(["pvpython", HERE / "open_in_paraview.py", directory / f"{series}.xmf"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            grids = read_xdmf(directory, series)
            for reader, read in json.loads(done.stdout.splitlines()[-1]).items():
                with self.subTest(directory=directory.name, series=series, reader=reader):
                    self.assertEqual(len(read), len(grids))
                    for found, grid in zip(read, grids):
                        self.check_read(found, grid)

    def check_read(self, found, grid):
        self.assertEqual((found["time"], found["points"]), (grid["time"], grid["points"]))
        for read, faces in zip(found["faces"], grid["faces"], strict=True):
            numpy.testing.assert_allclose(read, faces, rtol=1e-15)
        self.assertLessEqual(set(grid["fields"]), set(found["fields"]))
        for name, values in grid["fields"].items():
            numpy.testing.assert_array_equal(numpy.ravel(found["fields"][name]), values.ravel())


if __name__ == "__main__":
    HALFSTEP = sys.argv.pop(1)
    if not shutil.which("pvpython"):
        print("not opened in ParaView: no pvpython on the PATH (Debian has it in python3-paraview, which does not go "
              "with python3-vtk9)")
    unittest.main()
