"""Opens fields.xmf with each of ParaView's readers and prints what they read, as JSON.

usage: pvpython open_in_paraview.py FIELDS.XMF
"""
import json
import sys

from paraview import servermanager, simple

READERS = {  # as a user types them
    "OpenDataFile": lambda file: simple.OpenDataFile(file),
    "XDMFReader": lambda file: simple.XDMFReader(FileNames=[file]),
    "Xdmf3ReaderS": lambda file: simple.Xdmf3ReaderS(FileName=[file]),
    "Xdmf3ReaderT": lambda file: simple.Xdmf3ReaderT(FileName=[file]),
}


def values(array):
    return [array.GetTuple(cell) for cell in range(array.GetNumberOfTuples())]


def faces(grid):
    """The faces along each axis, x first, of a uniform grid its ends alone."""
    if grid.IsA("vtkRectilinearGrid"):
        axes = (grid.GetXCoordinates(), grid.GetYCoordinates(), grid.GetZCoordinates())
        return [[axis.GetValue(n) for n in range(axis.GetNumberOfTuples())] for axis in axes]
    bounds = grid.GetBounds()
    return [bounds[0:2], bounds[2:4], bounds[4:6]]


def read(reader, time):
    reader.UpdatePipeline(time)
    grid = servermanager.Fetch(reader)
    if grid.IsA("vtkMultiBlockDataSet"):
        grid = grid.GetBlock(0)
    data = grid.GetCellData()
    arrays = [data.GetArray(n) for n in range(data.GetNumberOfArrays())]
    return {"time": time, "faces": faces(grid), "points": grid.GetDimensions(),
            "fields": {array.GetName(): values(array) for array in arrays}}


found = {}
for name, opened in READERS.items():
    reader = opened(sys.argv[1])
    reader.UpdatePipelineInformation()
    found[name] = [read(reader, time) for time in reader.TimestepValues]
print(json.dumps(found))
