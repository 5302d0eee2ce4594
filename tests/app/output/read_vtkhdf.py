"""Reads dumps with VTK's own reader and compares them with the formula of test_dump.cpp.

usage: read_vtkhdf.py UNIT_TESTS   (the unit test program, which writes the dumps)
Exit status 77, which CTest counts as skipped: this Python has no vtk.
"""
import math
import os
import subprocess
import sys
import tempfile

try:
    import vtk
except ImportError:
    print("skipped: this Python has no module vtk")
    sys.exit(77)

# Before 9.3 (ParaView 5.12) VTK reads the cell data of an image by the extent of its points, one too many along each
# axis, and fails on every such file. Asked for an extent one shorter it reads exactly the cells.
READS_CELL_DATA = (vtk.vtkVersion().GetVTKMajorVersion(), vtk.vtkVersion().GetVTKMinorVersion()) >= (9, 3)

MESHES = {  # cells, lower, upper
    "box": ((5, 3, 2), (-1, 0, 2), (1, 0.75, 3)),
    "line": ((4, 1, 1), (0, 0, 0), (2, 1, 1)),
}


def check(what, found, expected, tolerance=0):
    found, expected = tuple(found), tuple(expected)
    if len(found) != len(expected) or any(
        not math.isclose(f, e, rel_tol=tolerance, abs_tol=tolerance) for f, e in zip(found, expected)
    ):
        sys.exit(f"{what}: found {found}, expected {expected}")


def check_dump(path, mesh, precision):
    cells, lower, upper = MESHES[mesh]
    nx, ny, nz = cells
    reader = vtk.vtkHDFReader()
    if not reader.CanReadFile(path):
        sys.exit(f"{path}: VTK's reader does not take it")
    reader.SetFileName(path)

    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    spacing = [(u - l) / n for l, u, n in zip(lower, upper, cells)]
    whole_extent = vtk.vtkStreamingDemandDrivenPipeline.WHOLE_EXTENT()
    check("extent", information.Get(whole_extent), (0, nx, 0, ny, 0, nz))
    check("origin", information.Get(vtk.vtkDataObject.ORIGIN()), lower)
    check("spacing", information.Get(vtk.vtkDataObject.SPACING()), spacing, 1e-15)

    if READS_CELL_DATA:
        reader.Update()
        image = reader.GetOutput()
        check("cells", [image.GetNumberOfCells()], [nx * ny * nz])
        check("bounds", image.GetBounds(), [b for pair in zip(lower, upper) for b in pair], 1e-15)
        cell_id = image.ComputeCellId
    else:
        reader.UpdateExtent((0, nx - 1, 0, ny - 1, 0, nz - 1))
        image = reader.GetOutput()
        cell_id = lambda at: at[0] + nx * (at[1] + ny * at[2])

    data = image.GetCellData()
    density, velocity, pressure = (data.GetArray(name) for name in ("density", "velocity", "pressure"))
    for array, components in ((density, 1), (velocity, 3), (pressure, 1)):
        check("components", [array.GetNumberOfComponents()], [components])
        check("values", [array.GetNumberOfTuples()], [nx * ny * nz])
        check("type", [array.GetDataType()], [vtk.VTK_FLOAT if precision == "single" else vtk.VTK_DOUBLE])
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                c = cell_id((i, j, k))
                at = f"{os.path.basename(path)}, cell ({i}, {j}, {k})"
                check(f"{at}, density", density.GetTuple(c), [1 + i + 16 * j + 256 * k])
                check(f"{at}, velocity", velocity.GetTuple(c), (0.5 * i, -0.25 * j, 2 * k), 1e-6)
                check(f"{at}, pressure", pressure.GetTuple(c), [10 + i + 32 * j + 1024 * k], 1e-6)


with tempfile.TemporaryDirectory() as directory:
    case = "A dump holds the selected fields by z*"
    subprocess.run(
        [sys.argv[1], f"--test-case={case}"], env={**os.environ, "HALFSTEP_DUMPS": directory}, check=True
    )
    names = [(mesh, precision) for mesh in MESHES for precision in ("double", "single")]
    for mesh, precision in names:
        check_dump(os.path.join(directory, f"{mesh}_{precision}.vtkhdf"), mesh, precision)
    how = "" if READS_CELL_DATA else ", its cell data by a reduced extent"
    print(f"VTK {vtk.vtkVersion().GetVTKVersion()} reads all {len(names)} dumps as written{how}")
