#!/usr/bin/env python3
"""Dumps of curved elements are unstructured grids that VTK's own reader opens, fields.xmf names what they hold, and the
Python package reads them.

Usage: read_elements.py HALFSTEP
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

try:
    import h5py
    import numpy
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print(f"skipped: {missing} (apt-get install python3-h5py python3-vtk9)")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
import halfstep  # noqa: E402

HALFSTEP = ""
BENT = ["scheme.method=flux_reconstruction", "mesh.map={kind: bend, amplitude: 0.05}", "mesh.order=3",
        "output.every=0", "time.max_steps=2"]


def compute(directory, deck, *words):
    done = subprocess.run([HALFSTEP, "run", ROOT / f"inputs/{deck}.yaml", *BENT, *words, "--output", directory, "--quiet",
                           "--backend=host"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return sorted(directory.glob("fields_*.vtkhdf"))[-1]


def sizes(grid):
    measure = vtk.vtkCellSizeFilter()
    measure.SetInputData(grid)
    measure.Update()
    name = "Volume" if grid.GetCellType(0) == vtk.VTK_HEXAHEDRON else "Area"
    return vtk_to_numpy(measure.GetOutput().GetCellData().GetArray(name))


class Elements(unittest.TestCase):
    def check(self, deck, dimensions, cells, degree, extent, *words):
        with tempfile.TemporaryDirectory() as scratch:
            dump = compute(pathlib.Path(scratch), deck, f"mesh.cells={cells}", f"scheme.degree={degree}", *words)
            points = numpy.prod([n for n in cells[:dimensions]]) * (degree + 1) ** dimensions
            reader = vtk.vtkHDFReader()
            reader.SetFileName(str(dump))
            reader.Update()
            grid = reader.GetOutput()
            self.assertEqual(grid.GetNumberOfCells(), points)
            self.assertEqual(grid.GetCellType(0), vtk.VTK_HEXAHEDRON if dimensions == 3 else vtk.VTK_QUAD)
            own = sizes(grid)
            self.assertGreater(own.min(), 0)
            self.assertAlmostEqual(own.sum() / extent ** dimensions, 1, places=9)
            with halfstep.Dump(dump) as ours:
                self.assertEqual(ours.places.shape, (points, 3))
                self.assertAlmostEqual(ours.volumes.sum() / extent ** dimensions, 1, places=6)
                density = vtk_to_numpy(grid.GetCellData().GetArray("density"))
                numpy.testing.assert_array_equal(density, ours["density"])
                # Each point lies in the cell that it stands for.
                locator = vtk.vtkCellLocator()
                locator.SetDataSet(grid)
                locator.BuildLocator()
                for n in range(0, points, 7):
                    self.assertEqual(locator.FindCell(ours.places[n]), n)
            self.check_xdmf(dump, dimensions, points)

    def check_xdmf(self, dump, dimensions, points):
        grid = ElementTree.parse(dump.parent / "fields.xmf").getroot().findall("Domain/Grid/Grid")[-1]
        topology = grid.find("Topology")
        self.assertEqual(topology.get("TopologyType"), "Hexahedron" if dimensions == 3 else "Quadrilateral")
        self.assertEqual(int(topology.get("NumberOfElements")), points)
        for item in grid.iter("DataItem"):
            name, path = item.text.split(":")
            with h5py.File(dump.parent / name) as file:
                expected = list(map(int, item.get("Dimensions").split()))
                self.assertEqual(numpy.prod(file[path].shape), numpy.prod(expected), path)

    def test_in_a_plane(self):
        self.check("isentropic_vortex", 2, [4, 5, 1], 3, 20)

    def test_in_space(self):
        self.check("uniform", 3, [3, 2, 2], 2, 1)


if __name__ == "__main__":
    HALFSTEP = sys.argv.pop(1)
    unittest.main()
