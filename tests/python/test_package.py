#!/usr/bin/env python3
"""The Python package opens and starts runs.

Usage: test_package.py HALFSTEP
"""
import csv
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
try:
    import h5py
    import halfstep
    import numpy
    from halfstep.table import read_table
except ImportError as missing:
    print(f"skipped: {missing} (apt-get install python3-h5py)")
    sys.exit(77)

HOST = ["--backend", "host", "--threads", "1"]
RUNS = {}


def has(module):
    return importlib.util.find_spec(module) is not None


def setUpModule():
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    root = RUNS["root"] = pathlib.Path(scratch.name)
    RUNS["line"] = halfstep.run("too_long_step", {"mesh.cells": [64, 1, 1], "time.dt": 0.05, "output.every": 0.05},
                                output=root / "line", options=HOST)
    RUNS["space"] = halfstep.run("sod", {"mesh": {"cells": [7, 5, 3]}, "output.every": numpy.float64(0.1), "outputs": [
                                     {"kind": "probes", "name": "wake", "every_steps": 2, "fields": ["density", "mach"],
                                      "points": [[0.1, 0.5, 0.5], [0.9, 0.5, 0.5]]},
                                     {"kind": "probes", "name": "numbers", "every_steps": 2, "format": "hdf5",
                                      "fields": ["density", "mach"], "points": [[0.1, 0.5, 0.5], [0.9, 0.5, 0.5]]},
                                     {"kind": "histogram", "name": "counts", "every": 0.1, "bins": 4},
                                     {"kind": "slice", "name": "middle", "every": 0.05, "fields": ["density", "speed"],
                                      "axis": "y", "position": 0.5}]},
                                 output=root / "space", options=HOST)


class Runs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def copy(self):
        return halfstep.open(shutil.copytree(RUNS["line"].directory, self.directory / "copy"))

    def test_probes_are_columns_by_field_and_point(self):
        probes = RUNS["space"].probes("wake")
        self.assertEqual(list(probes), ["step", "time", "density_0", "mach_0", "density_1", "mach_1"])
        self.assertEqual(list(probes["step"][:3]), [0, 2, 4])
        self.assertEqual([probes["density_0"][0], probes["density_1"][0]], [1, 0.125])
        with self.assertRaises(halfstep.Unreadable):
            RUNS["space"].probes("wall")

    def test_probes_in_numbers_have_the_columns_of_probes_in_text(self):
        text, numbers = RUNS["space"].probes("wake"), RUNS["space"].probes("numbers")
        self.assertEqual(list(numbers), list(text))
        for name, column in text.items():
            numpy.testing.assert_array_equal(numbers[name], column)
        self.assertEqual(list(RUNS["space"].probes("counts")["bin"][:3]), [-1, 0, 1])
        with h5py.File(RUNS["space"].directory / "numbers.h5") as file:
            self.assertEqual(file["rows"]["density"].shape, (len(text["step"]), 2))
        broken = RUNS["space"].directory / "broken.h5"
        broken.write_bytes(b"no HDF5")
        with self.assertRaisesRegex(halfstep.Unreadable, "broken.h5"):
            RUNS["space"].probes("broken")
        broken.unlink()

    def test_a_row_that_a_killed_run_left_half_is_no_row(self):
        whole = (RUNS["space"].directory / "wake.csv").read_text()
        rows = len(whole.splitlines()) - 1
        broken = self.directory / "wake.csv"
        for cut in 1, 5, len(whole.splitlines()[-1].rpartition(",")[2]) + 1:  # line end, digits, up to the last comma
            broken.write_text(whole[:-cut])
            table = read_table(broken)
            self.assertEqual({len(column) for column in table.values()}, {rows - 1})
            self.assertTrue(all(column.dtype.kind == "f" for column in table.values()))

    def test_slices_are_dumps_of_a_plane(self):
        run = RUNS["space"]
        middle = run.series("middle")
        numpy.testing.assert_allclose(middle.times, [0, 0.05, 0.1, 0.15, 0.2])
        self.assertEqual(len(middle), 5)
        with middle.dump(time=0.1) as plane, run.dump(time=0.1) as whole:
            self.assertEqual((list(plane), plane["density"].shape), (["density", "speed"], (3, 7)))
            numpy.testing.assert_array_equal(plane["density"], whole["density"][:, 2])
            numpy.testing.assert_array_equal(plane.coordinates["z"], whole.coordinates["z"])
        self.assertRaisesRegex(halfstep.Unreadable, "no slices or boxes 'wake'", run.series, "wake")
        if has("xarray"):
            self.assertEqual(dict(middle.to_xarray().sizes), {"time": 5, "z": 3, "x": 7})

    def test_dumps_by_number_and_by_time(self):
        run = RUNS["line"]
        numpy.testing.assert_allclose(run.times, [0, 0.05, 0.1, 0.15, 0.2])
        for dump, time in ((run.dump(), 0.2), (run.dump(0), 0), (run.dump(-2), 0.15), (run.dump(time=0.11), 0.1)):
            with dump:
                self.assertAlmostEqual(dump.time, time)
        for wrong in (5, -6):
            self.assertRaisesRegex(IndexError, "which has 5", run.dump, wrong)

    def test_fields_are_those_of_the_file(self):
        for name, shape in (("line", (64,)), ("space", (3, 5, 7))):
            with RUNS[name].dump() as dump, h5py.File(dump.path) as file:
                self.assertEqual(list(dump), ["density", "pressure", "velocity"])
                self.assertEqual((dump["density"].shape, dump["velocity"].shape), (shape, (*shape, 3)))
                for field in dump:
                    numpy.testing.assert_array_equal(dump[field].ravel(), file["VTKHDF/CellData"][field][...].ravel())
                self.assertEqual([len(x) for x in dump.coordinates.values()], list(reversed(shape)))
                self.assertRaisesRegex(KeyError, "it has density, pressure, velocity", lambda: dump["mach"])
        numpy.testing.assert_allclose(dump.coordinates["z"], [1 / 6, 1 / 2, 5 / 6])

    def test_bodies_are_fields_of_a_dump(self):
        ball = {"shape": "ball", "center": [0.7, 0.5, 0], "radius": 0.2}
        run = halfstep.run("sod", {"mesh.cells": [20, 10, 1], "time.max_steps": 1, "solids": [ball]},
                           output=self.directory / "ball", options=HOST)
        with run.dump() as dump:
            x, y = numpy.meshgrid(dump.coordinates["x"], dump.coordinates["y"])
            away = numpy.hypot(x - 0.7, y - 0.5) - 0.2
            numpy.testing.assert_allclose(dump["distance"], away, atol=1e-14)
            numpy.testing.assert_array_equal(dump["solid"], away < 0)
            self.assertGreater(dump["solid"].sum(), 10)

    def test_a_stretched_mesh_has_faces_and_no_spacing(self):
        faces = numpy.array([0, 0.1, 0.3, 0.7, 1.5])
        path = self.directory / "stretched.vtkhdf"
        shutil.copy(sorted(RUNS["line"].directory.glob("fields_*.vtkhdf"))[0], path)
        with h5py.File(path, "r+") as file:
            image = file["VTKHDF"]
            del image.attrs["Origin"], image.attrs["Spacing"], image["CellData"]
            image.attrs["WholeExtent"] = [0, 4, 0, 2, 0, 1]
            image["CellData/density"] = numpy.arange(8.0).reshape(1, 2, 4)
            image["XCoordinates"], image["YCoordinates"], image["ZCoordinates"] = faces, [1.0, 2.0, 3.0], [0.0, 1.0]
        with halfstep.Dump(path) as dump:
            self.assertEqual((dump.origin, dump.spacing), ([0, 1, 0], [None, 1, 1]))
            numpy.testing.assert_array_equal(dump.faces(0), faces)
            numpy.testing.assert_allclose(dump.coordinates["x"], [0.05, 0.2, 0.5, 1.1])
            numpy.testing.assert_array_equal(dump.coordinates["y"], [1.5, 2.5])
            self.assertEqual(dump["density"].shape, (2, 4))
        with RUNS["space"].dump() as dump:
            numpy.testing.assert_allclose(dump.faces(1), [0, 0.2, 0.4, 0.6, 0.8, 1])

    def test_history_is_that_of_the_file(self):
        run = RUNS["line"]
        with open(run.directory / "history.csv") as file:
            rows = list(csv.DictReader(file))
        for name, column in run.history.items():
            self.assertEqual(list(column), [float(row[name]) for row in rows])
        self.assertGreater(len(rows), 4)

    def test_events_are_dictionaries_or_columns_of_a_kind(self):
        run = RUNS["line"]
        rejections = [event for event in run.events if event["event"] == "rejection"]
        columns = run.events_of("rejection")
        self.assertEqual(len(rejections), run.summary["rejections"])
        self.assertGreater(len(rejections), 0)
        self.assertEqual(list(columns["next_dt"]), [event["next_dt"] for event in rejections])
        self.assertEqual(list(run.events_of("soft_error")["cell"]),
                         [event["cell"] for event in run.events if event["event"] == "soft_error"])
        self.assertEqual(run.events_of("signal"), {})

    def test_values_that_json_has_no_number_for(self):
        columns = halfstep.events.columns([{"value": "nan"}, {"value": "-inf"}, {"kind": "spike"}, {"value": 2}])
        numpy.testing.assert_array_equal(columns["value"], [numpy.nan, -numpy.inf, numpy.nan, 2])
        self.assertEqual(list(columns["kind"]), [None, None, "spike", None])

    def test_half_a_line_of_a_run_that_goes_on_is_left_out(self):
        run, copy = RUNS["line"], self.copy()
        for name, half in (("history.csv", "9,0.1,0."), ("events.jsonl", '{"event":"reje')):
            with open(copy.directory / name, "a") as file:
                file.write(half)
        self.assertEqual(len(copy.history["step"]), len(run.history["step"]))
        self.assertEqual(copy.events, run.events)

    def test_files_that_are_gone_or_damaged_are_named(self):
        copy = self.copy()
        (copy.directory / "fields_000001.vtkhdf").unlink()
        (copy.directory / "fields_000002.vtkhdf").write_bytes(b"no dump")
        (copy.directory / "events.jsonl").write_text("{}\n")
        (copy.directory / "summary.json").write_text("{")
        (copy.directory / "history.csv").unlink()
        for named, read in (("fields_000001.vtkhdf' is gone", lambda: copy.dump(1)),
                            ("fields_000002.vtkhdf' is not a dump", lambda: copy.dump(2)),
                            ("events.jsonl', line 1: not an event", lambda: copy.events),
                            ("summary.json' cannot be read", lambda: copy.summary),
                            ("history.csv' cannot be read", lambda: copy.history),
                            ("nowhere' is not the directory of a run", lambda: halfstep.open("nowhere"))):
            self.assertRaisesRegex(halfstep.Unreadable, named, read)

    @unittest.skipUnless(has("yaml"), "no PyYAML")
    def test_the_deck_is_resolved(self):
        deck = RUNS["line"].deck
        self.assertEqual((deck["mesh"]["cells"], deck["time"]["dt"]), ([64, 1, 1], 0.05))
        self.assertEqual(deck["scheme"]["riemann"], "hllc")

    @unittest.skipUnless(has("xarray"), "no xarray")
    def test_a_dataset_of_all_dumps(self):
        dataset = RUNS["space"].to_xarray()
        self.assertEqual(dataset["velocity"].dims, ("time", "z", "y", "x", "component"))
        self.assertEqual(dict(dataset.sizes), {"time": 3, "z": 3, "y": 5, "x": 7, "component": 3})
        with RUNS["space"].dump(1) as dump:
            numpy.testing.assert_array_equal(dataset["density"].sel(time=dump.time), dump["density"])

    def test_modules_that_are_missing_are_named(self):
        with mock.patch.dict(sys.modules, {"yaml": None, "xarray": None}):
            self.assertRaisesRegex(ImportError, "PyYAML", lambda: RUNS["line"].deck)
            self.assertRaisesRegex(ImportError, "xarray", RUNS["line"].to_xarray)
        self.assertIn("riemann: hllc", RUNS["line"].deck_text)


class Program(unittest.TestCase):
    def test_overrides_of_every_kind_reach_the_deck(self):
        run = halfstep.run("sod", {"title": "two words: here", "time.max_steps": 1, "mesh.cells": numpy.array([16, 1, 1]),
                                   "scheme.riemann": "roe", "case.left.velocity": (0.5, 0, 0), "time.cfl": 1e-5,
                                   "mesh.boundary.x": ["reflecting", "outflow"], "interruptible.enabled": True},
                           output=RUNS["root"] / "overrides", options=HOST)
        for line in ("cells: [16, 1, 1]", "riemann: roe", "velocity: [0.5, 0.0, 0.0]", "cfl: 1.0e-05",
                     "x: [reflecting, outflow]", "enabled: true"):
            self.assertIn(line, run.deck_text)
        self.assertEqual(run.summary["title"], "two words: here")

    def test_a_run_that_fails_raises_the_programs_own_message(self):
        with self.assertRaises(halfstep.RunFailed) as raised:
            halfstep.run("sod", {"scheme.riemann": "hlcl"}, output=RUNS["root"] / "none")
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("did you mean 'hll'", str(raised.exception))
        self.assertFalse((RUNS["root"] / "none").exists())

    def test_a_sweep_gives_a_row_a_run(self):
        values = {"scheme.riemann": ["hll", "roe"], "mesh.cells.x": numpy.array([16, 32]), "time.end": [0.1]}
        rows = halfstep.sweep("sod", values, output=RUNS["root"] / "sweep", options=HOST)
        self.assertEqual([(row["scheme.riemann"], row["mesh.cells.x"]) for row in rows],
                         [("hll", 16), ("hll", 32), ("roe", 16), ("roe", 32)])
        for row in rows:
            self.assertEqual(row["L1 density"], row["run"].summary["verdict"]["density"]["l1"])
            self.assertEqual(row["run"].summary["end_time"], 0.1)
        with self.assertRaises(halfstep.RunFailed) as raised:
            halfstep.sweep("sod", {"scheme.riemann": ["hll", "hlcl"]}, output=RUNS["root"] / "no sweep")
        self.assertEqual(raised.exception.code, 2)

    def test_an_interrupted_run_leaves_a_checkpoint(self):
        script = ("import halfstep, sys\n"
                  f"halfstep.run('sod', {{'mesh.cells': [4000, 1, 1]}}, output=sys.argv[1], options={HOST})\n")
        out = RUNS["root"] / "interrupted"
        process = subprocess.Popen([sys.executable, "-c", script, out], stderr=subprocess.PIPE,
                                   env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
        while process.poll() is None and not (out / "history.csv").exists():
            pass
        process.send_signal(signal.SIGINT)
        self.assertIn(b"KeyboardInterrupt", process.communicate()[1])
        self.assertEqual(halfstep.open(out).summary["status"], "interrupted")
        self.assertTrue((out / "checkpoint_latest.h5").exists())

    def test_the_program_is_found_or_the_message_says_how(self):
        with mock.patch.dict(os.environ, {"HALFSTEP": "/nowhere/halfstep"}):
            self.assertRaisesRegex(FileNotFoundError, "HALFSTEP is '/nowhere", halfstep.find_program)
        folder = RUNS["root"] / "bin"
        folder.mkdir()
        (folder / "halfstep").symlink_to(os.environ["HALFSTEP"])
        with mock.patch.dict(os.environ, {"PATH": str(folder)}):
            del os.environ["HALFSTEP"]
            self.assertEqual(halfstep.find_program(), str(folder / "halfstep"))

    def test_the_example_runs(self):
        done = subprocess.run([sys.executable, ROOT / "python/examples/shock_tube.py", RUNS["root"] / "example"],
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        shock = re.search(r"shock at t = 0.2: x = (\S+)", done.stdout)
        self.assertAlmostEqual(float(shock[1]), 0.850, delta=0.01)
        self.assertEqual(len(re.findall(r"^ +\d+ +\d+ +\d\.\d+e-03", done.stdout, re.MULTILINE)), 3)


    def test_the_lines_of_the_readme_run(self):
        block = re.search(r"```python\n(import halfstep\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
        needs = {"PyYAML": "yaml", "xarray": "xarray", "pandas.": "pandas"}
        lines = [line for line in block.splitlines()
                 if all(has(module) for word, module in needs.items() if word in line)]
        names = {"h5py": h5py, "pandas": importlib.import_module("pandas") if has("pandas") else None}
        exec("\n".join(lines).replace('"out/', f'"{RUNS["root"]}/readme/'), names)
        self.assertEqual(names["density"].shape, (512,))
        if has("pandas"):
            self.assertEqual(len(names["history"]), names["run"].summary["steps"] + 1)


class Installation(unittest.TestCase):
    def test_its_version_is_that_of_the_program(self):
        version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
        self.assertRegex((ROOT / "CMakeLists.txt").read_text(), rf"VERSION {re.escape(version)}\b")

    @unittest.skipUnless(has("pip") and has("setuptools"), "no pip or no setuptools")
    def test_it_installs_without_a_network(self):
        source = RUNS["root"] / "source"  # pip writes beside the sources
        shutil.copytree(ROOT / "python", source / "python")
        shutil.copy(ROOT / "pyproject.toml", source)
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation",
                               "--no-deps", "--target", RUNS["root"] / "site", source], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        installed = subprocess.run([sys.executable, "-c", "import halfstep; print(halfstep.__file__)"],
                                   capture_output=True, text=True, cwd=RUNS["root"],
                                   env={**os.environ, "PYTHONPATH": str(RUNS["root"] / "site")})
        self.assertEqual(installed.stdout.strip(), str(RUNS["root"] / "site/halfstep/__init__.py"))


if __name__ == "__main__":
    os.environ["HALFSTEP"] = sys.argv.pop(1)
    unittest.main()
