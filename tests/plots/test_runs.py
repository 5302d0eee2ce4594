#!/usr/bin/env python3
"""`halfstep plot` on runs: the pictures exist and show the right fields, and the numbers drawn are right.

Usage: test_runs.py HALFSTEP
"""
import html
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import pictures
from pictures import ROOT, compute, run

try:
    import h5py
    import matplotlib
    import numpy
    from PIL import Image
    sys.path.insert(0, str(ROOT / "app/plot"))
    import dump
    import events
    import flow
    import histogram
    import history
    import probes
    import quantity
    import report
    import spectrum
    import style
    import sweep
    import view
    from refusal import Refused
except ImportError as missing:
    print(f"skipped: {missing} (apt-get install python3-matplotlib python3-h5py)")
    sys.exit(77)

RUNS = {}


def setUpModule():
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    root = pathlib.Path(scratch.name)
    RUNS["tube"] = compute("too_long_step", root / "tube", "mesh.cells=[64,1,1]", "time.dt=0.05", "output.every=0.05")
    RUNS["plane"] = compute("double_mach", root / "plane", "mesh.cells=[48,12,1]", "time.dt=0.01", "time.end=0.04",
                            "output.every=0.02", "title='Cost: $5 & <more> $6'")
    RUNS["space"] = compute("taylor_green", root / "space", "mesh.cells=[12,10,8]", "time.end=0.1", "output.every=0.1")
    RUNS["up"] = compute("sod", root / "up", "case.axis=y", "mesh.cells=[1,64,1]", "time.end=0.1", "output.every=0.1",
                         "mesh.boundary.x=[periodic,periodic]", "mesh.boundary.y=[outflow,outflow]")
    for name, solver in (("hll", "hll"), ("roe", "roe")):
        RUNS[name] = compute("sod", root / name, "mesh.cells=[48,1,1]", "time.end=0.1", "output.every=0.05",
                             f"scheme.riemann={solver}", "output.histogram.field=density")
    RUNS["probed"] = compute(
        "sod", root / "probed", "mesh.cells=[32,4,1]", "time.end=0.1", "output.every=0.1",
        "mesh.boundary.y=[periodic,periodic]",
        "outputs=[{kind: probes, name: wall, every_steps: 1, points: [[0.1, 0, 0], [0.9, 0.5, 0]]}, "
        "{kind: line, name: along, axis: x, through: [0, 0.5, 0], every: 0.02, fields: [density, velocity_x]}, "
        "{kind: slice, name: cut, axis: y, position: 0.5, every: 0.05, fields: [schlieren, vorticity_z]}, "
        "{kind: probes, name: numbers, format: hdf5, every_steps: 1, points: [[0.1, 0, 0], [0.9, 0.5, 0]]}]")
    RUNS["curved"] = compute("cylinder_elements", root / "curved", "mesh.cells=[4,8,1]", "scheme.degree=2",
                             "time.max_steps=2", "output.every=0", "output.every_steps=1")
    for name in ("plm", "ppm"):
        RUNS[name] = compute(
            "taylor_green", root / name, "mesh.cells=[16,16,16]", "time.max_steps=6", f"scheme.reconstruction={name}",
            "outputs=[{kind: spectrum, name: energies, every_steps: 2, format: hdf5}, "
            "{kind: histogram, name: speeds, every_steps: 3, field: speed, bins: 8}, "
            "{kind: slice, name: plane, axis: z, position: 1, every_steps: 3, fields: [mach, temperature]}, "
            "{kind: fields, name: whole, every_steps: 6, fields: [entropy]}]", "output.budgets=true")


class Plot(pictures.Test):
    def plot(self, *words):
        done = run("plot", *words, "--output", self.directory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in done.stdout.splitlines():
            if line.endswith(".png"):
                self.check_png(pathlib.Path(line))
        return done.stdout

    def refused(self, message, *words):
        done = run("plot", *words, "--output", self.directory)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("error:"), 1)
        self.assertIn(message, done.stderr)


class Runs(Plot):
    def test_a_directory_gives_the_last_dump_the_history_and_the_events(self):
        self.plot(RUNS["tube"])
        self.assertEqual(sorted(file.name for file in self.directory.iterdir()),
                         ["events.png", "events.svg", "fields_000004.png", "fields_000004.svg", "history.png",
                          "history.svg"])
        self.check_svg(self.directory / "fields_000004.svg", "Sod shock tube, step too long, t = 0.2", "exact",
                       "density", "velocity along x", "64 cells")
        self.check_svg(self.directory / "history.svg", "greatest Mach number", "kinetic energy", "attempts a step")
        events = [json.loads(line) for line in (RUNS["tube"] / "events.jsonl").read_text().splitlines()]
        kinds = [event["kind"].replace("_", " ") for event in events if event["event"] == "soft_error"]
        self.assertGreater(len(set(kinds)), 1)
        self.check_svg(self.directory / "events.svg", f"{len(kinds)} attempts rejected in",
                       *(f"rejected: {kind} ({kinds.count(kind)})" for kind in kinds))

    def test_a_plane_is_an_image_of_any_field_and_its_title_is_a_persons_words(self):
        self.plot(RUNS["plane"] / "fields_000002.vtkhdf", *(f"--field={name}" for name in (
            "schlieren", "vorticity", "mach", "temperature", "entropy", "velocity_x", "velocity")))
        file = self.directory / "fields_000002_schlieren_vorticity_mach_temperature_entropy_velocity_x_velocity.svg"
        self.check_svg(file, "Cost: $5 & <more> $6, t = 0.04", "48 × 12 cells", "vorticity along z",
                       "schlieren", "Mach number", "temperature p / ρ", "entropy", "velocity along x", "speed")
        self.assertEqual(file.read_text().count("data:image/png"), 14)  # seven fields with a colour scale each
        self.plot(RUNS["plane"] / "events.jsonl")
        self.check_svg(self.directory / "events.svg", "behind them the density at t = 0.04", "rejected: cfl overrun")

    def test_space_is_three_slices_through_the_middle(self):
        self.plot(RUNS["space"], "--field", "vorticity")
        self.check_svg(self.directory / "fields_000001_vorticity.svg", "magnitude of vorticity",
                       "z = 3.534", "y = 3.456", "x = 3.403")

    def test_a_tube_along_y_is_drawn_along_y_over_its_exact_solution(self):
        self.plot(RUNS["up"])
        self.check_svg(self.directory / "fields_000001.svg", "velocity along y", "exact")
        self.assertNotIn("events.png", [file.name for file in self.directory.iterdir()])

    def test_where_no_step_was_redone_there_is_no_picture_of_events(self):
        said = self.plot(RUNS["up"] / "events.jsonl")
        self.assertEqual(said, f"{RUNS['up']}/events.jsonl: every step was accepted at its first attempt\n")

    def test_cells_are_drawn_over_what_is_given_as_exact(self):
        picture = flow.flow(str(RUNS["up"] / "fields_000001.vtkhdf"), ["pressure"],
                            {"position": [0, 1], "pressure": [0.25, 0.75]})
        exact, halfstep = picture.made.axes[0].lines
        picture.close()
        self.assertEqual(list(exact.get_ydata()), [0.25, 0.75])
        with h5py.File(RUNS["up"] / "fields_000001.vtkhdf") as file:
            numpy.testing.assert_array_equal(halfstep.get_ydata(), file["VTKHDF/CellData/pressure"][0, :, 0])

    def test_columns_of_a_history_may_be_chosen(self):
        self.plot(RUNS["tube"] / "history.csv", "--column", "mass", "--column", "min_density")
        self.check_svg(self.directory / "history_mass_min_density.svg", "mass", "least density",
                       "Sod shock tube, step too long, history")

    def test_runs_in_one_directory_have_pictures_of_their_own(self):
        target = self.directory / "pictures"
        done = run("plot", RUNS["tube"], RUNS["up"], RUNS["tube"], "--output", target)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(file.name for file in target.glob("*.png")),
                         ["tube_events.png", "tube_fields_000004.png", "tube_history.png", "up_fields_000001.png",
                          "up_history.png"])
        for name in ("a", "b"):
            shutil.copytree(RUNS["tube"], self.directory / name / "run")
        target = self.directory / "same names"
        done = run("plot", *(self.directory / name / "run/history.csv" for name in ("a", "b")), "--output", target)
        self.assertEqual(done.stdout.splitlines(), [f"{target}/{name}.{kind}" for name in (
            "run_history", "run_history_2") for kind in ("png", "svg")])
        for line in done.stdout.splitlines():
            self.assertTrue(pathlib.Path(line).exists())

    def test_a_vacuum_in_the_exact_solution_is_a_gap(self):
        vacuum = compute("sod", self.directory / "vacuum", "mesh.cells=[64,1,1]", "time.end=0.02",
                         "output.every=0.02", "case.left={density: 1, velocity: [-8,0,0], pressure: 0.4}",
                         "case.right={density: 1, velocity: [8,0,0], pressure: 0.4}")
        self.plot(vacuum)
        self.check_svg(self.directory / "fields_000001.svg", "velocity along x", "exact")
        done = run("report", vacuum)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_smallest_viscosity_is_drawn(self):
        self.plot(compute("taylor_green", self.directory / "thin", "mesh.cells=[8,8,8]", "time.end=0.05",
                          "gas.viscosity=4e-320"))

    def test_a_users_matplotlibrc_changes_nothing(self):
        (self.directory / "matplotlibrc").write_text(
            "text.usetex: True\naxes.facecolor: red\nfont.size: 30\nsvg.fonttype: path\nlines.linewidth: 9\n"
            "savefig.format: pdf\nsavefig.bbox: tight\naxes.prop_cycle: cycler('color', ['k'])\n")
        drawn = []
        for name, environment in (("plain", {}), ("own", {"MATPLOTLIBRC": str(self.directory)})):
            done = run("plot", RUNS["tube"], "--output", self.directory / name, **environment)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            drawn.append({file.name: file.read_bytes() for file in (self.directory / name).iterdir()})
        self.assertEqual(*drawn)

    def test_no_picture_is_written_through_a_symbolic_link(self):
        kept = self.directory / "kept"
        shutil.copytree(RUNS["plane"], kept)
        notes = self.directory / "notes"
        notes.write_text("mine")
        for name in ("history.png", ".history.svg.partial", "report.html", ".report.html.partial", "movie.gif"):
            (kept / name).symlink_to(notes)
        self.assertEqual(run("plot", kept, "--movie").returncode, 0)
        self.assertEqual(run("report", kept).returncode, 0)
        self.assertEqual(notes.read_text(), "mine")
        for name in ("history.png", "history.svg", "report.html", "movie.gif"):
            self.assertFalse((kept / name).is_symlink(), name)
            self.assertGreater((kept / name).stat().st_size, 1000, name)
        self.assertEqual([file.name for file in kept.iterdir() if file.name.endswith(".partial")], [])

    def test_a_movie_has_a_frame_a_dump_all_of_one_size(self):
        self.plot(RUNS["plane"], "--movie")
        with Image.open(self.directory / "movie.gif") as movie:
            self.assertEqual(movie.n_frames, 3)
            pixels = []
            for frame in range(3):
                movie.seek(frame)
                pixels.append(numpy.asarray(movie.convert("RGB")).copy())
        self.assertEqual(len({frame.shape for frame in pixels}), 1)
        self.assertGreater((pixels[0] != pixels[2]).any(axis=2).sum(), 1000)

    def test_with_ffmpeg_there_is_an_mp4_too(self):
        tools = self.directory / "tools"
        tools.mkdir()
        (tools / "ffmpeg").write_text("#!/bin/sh\nfor last; do :; done\n{ echo \"$@\"; cat; } > \"$last\"\n")
        (tools / "ffmpeg").chmod(0o755)
        path = f"{tools}:{pictures.os.environ['PATH']}"
        for mine, name in ((False, "movie"), (True, "movie_2"), (True, "movie_2")):
            if mine:
                (self.directory / "movie.mp4").write_text("a person's")
            done = run("plot", RUNS["plane"], "--movie", "--output", self.directory, PATH=path)
            self.assertIn(f"{self.directory}/{name}.gif\n{self.directory}/{name}.mp4\n", done.stdout)
            self.assertEqual((self.directory / f"{name}.mp4").read_bytes().count(b"\x89PNG\r\n\x1a\n"), 3)
        self.assertEqual((self.directory / "movie.mp4").read_text(), "a person's")

    def test_the_same_run_gives_the_same_files(self):
        twice = []
        for name in ("first", "second"):
            self.assertEqual(run("plot", RUNS["tube"], "--output", self.directory / name).returncode, 0)
            twice.append({file.name: file.read_bytes() for file in (self.directory / name).iterdir()})
        self.assertEqual(*twice)

    def test_what_cannot_be_drawn_is_one_message_and_exit_code_2(self):
        last = RUNS["tube"] / "fields_000004.vtkhdf"
        self.refused("no field 'presure' in", last, "--field", "presure")
        self.refused("did you mean 'pressure'?", last, "--field", "presure")
        self.refused("choose density, velocity, pressure", last, "--field", "presure")
        self.refused("--movie is for the directory", RUNS["tube"] / "history.csv", "--movie")
        self.refused("--field is for a dump", RUNS["tube"] / "history.csv", "--field", "density")
        self.refused("--column is for a history", RUNS["tube"] / "events.jsonl", "--column", "mass")
        self.refused("no column 'mas'", RUNS["tube"] / "history.csv", "--column", "mas")
        self.refused("missing.vtkhdf' does not exist", self.directory / "missing.vtkhdf")
        self.refused("missing' does not exist", self.directory / "missing")
        self.refused("holds no run", self.directory)
        self.refused("is not of a study", RUNS["tube"] / "summary.json")
        cut = self.directory / "fields_000000.vtkhdf"
        cut.write_bytes(last.read_bytes()[:3000])
        self.refused("is not a dump of halfstep", cut)
        shutil.copy(RUNS["tube"] / "checkpoint_latest.h5", cut)
        self.refused("is not a dump of halfstep", cut)
        text = self.directory / "events.jsonl"
        text.write_text('{"event": "soft_error"\n')
        self.refused("line 1", text)
        rows = self.directory / "history.csv"
        rows.write_text("step,time,dt,attempts\n0,0,zero,0\n")
        self.refused("cannot be read as a history", rows)
        rows.write_text("step,time,dt,attempts\n")
        self.refused("has no rows", rows)
        self.assertEqual(list(self.directory.glob("*.png")), [])

    def test_of_a_run_whose_dumps_are_gone_the_rest_is_drawn(self):
        kept = self.directory / "kept"
        shutil.copytree(RUNS["tube"], kept)
        (kept / "fields_000004.vtkhdf").unlink()
        self.assertIn("fields_000003.png", self.plot(kept))
        for file in kept.glob("fields_*.vtkhdf"):
            file.unlink()
        said = self.plot(kept)
        self.assertEqual([pathlib.Path(line).name for line in said.splitlines()[1:]],
                         ["history.png", "history.svg", "events.png", "events.svg"])
        gone = f"the dump '{kept}/fields_000004.vtkhdf' is gone"
        self.assertEqual(said.splitlines()[0], f"no picture of the flow in '{kept}': {gone}")
        self.check_svg(self.directory / "events.svg", "attempts rejected in", "dt of accepted steps")
        self.refused("holds no dumps for a movie", kept, "--movie")
        done = run("report", kept)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (kept / "report.html").read_text()
        self.assertIn(f"No picture: {html.escape(gone)}.", page)
        self.assertEqual(page.count("<img "), 2)

    def test_a_file_that_cannot_be_used_leaves_the_others_until_none_is_left(self):
        kept = self.directory / "kept"
        shutil.copytree(RUNS["tube"], kept)
        (kept / "events.jsonl").write_text('{"event": "soft_error"\n')
        self.assertIn(f"no picture of the events in '{kept}': '{kept}/events.jsonl', line 1", self.plot(kept))
        (kept / "history.csv").write_text("step,time,dt,attempts\n0,0,zero,0\n")
        (kept / "fields_000004.vtkhdf").write_bytes(b"no dump")
        self.refused("is not a dump of halfstep", kept)
        for name in ("events.jsonl", "history.csv", "fields.vtkhdf.series"):
            (kept / name).unlink()
        self.refused("holds nothing to be drawn", kept)

    def test_a_history_of_the_initial_state_alone_is_drawn(self):
        lines = (RUNS["tube"] / "history.csv").read_text().splitlines()[:2]
        (self.directory / "history.csv").write_text("\n".join(lines) + "\n")
        self.plot(self.directory / "history.csv")
        self.assertTrue((self.directory / "history.png").exists())

    def test_a_history_has_the_force_on_each_body_along_the_axes_that_have_some(self):
        head, *rows = (RUNS["tube"] / "history.csv").read_text().splitlines()
        (self.directory / "history.csv").write_text("\n".join(
            [head + ",ball_force_x,ball_force_y,ball_force_z", *(f"{row},{n},0,{-2 * n}" for n, row in enumerate(rows))]) + "\n")
        picture = history.history([str(self.directory / "history.csv")], [], "bodies")
        self.addCleanup(picture.close)
        shown = [axes for axes in picture.made.axes if axes.get_visible()]
        self.assertEqual([axes.get_title() for axes in shown][-1], "force on ball")
        self.assertEqual([line.get_label() for line in shown[-1].lines], ["along x", "along z"])
        numpy.testing.assert_array_equal(shown[-1].lines[1].get_ydata(), -2.0 * numpy.arange(len(rows)))

    def test_half_a_line_of_a_run_that_goes_on_is_left_out(self):
        rows = self.directory / "history.csv"
        whole = (RUNS["tube"] / "history.csv").read_text()
        rows.write_text(whole[:-20])
        self.assertEqual(len(history.History(str(rows))["time"]), whole.count("\n") - 2)

    def test_a_report_says_that_a_run_stopped_at_its_number_of_steps(self):
        directory = compute("sod", self.directory / "sod", "mesh.cells=[32,1,1]", "time.max_steps=3")
        self.assertEqual(run("report", directory).returncode, 0)
        page = (directory / "report.html").read_text()
        self.assertIn('<span class="status stopped_at_max_steps">stopped at max steps</span> '
                      "<span>time.max_steps is 3</span> ·", page)
        self.assertIn(".stopped_at_max_steps, .underway { color", page)

    def test_a_report_without_budgets_has_the_change_of_the_totals(self):
        directory = compute("sod", self.directory / "sod", "mesh.cells=[32,1,1]", "time.max_steps=3", "output.budgets=false")
        self.assertEqual(run("report", directory).returncode, 0)
        totals = json.loads((directory / "summary.json").read_text())["totals"]
        change = totals["end"]["momentum"][0] - totals["start"]["momentum"][0]
        page = (directory / "report.html").read_text()
        self.assertRegex(page, f"<td class=word>change</td><td>[^<]*</td><td>{report.text(report.figure(change, 6))}</td>")
        self.assertNotIn("unexplained", page)

    def test_a_report_says_what_was_run_where_and_how(self):
        directory = self.directory / "run"
        shutil.copytree(RUNS["plane"], directory)
        done = run("report", directory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (directory / "report.html").read_text()
        summary = json.loads((directory / "summary.json").read_text())
        self.assertIn("double_mach.yaml --output ", summary["command"])
        self.assertTrue(summary["command"].startswith(pictures.HALFSTEP))
        self.assertEqual(summary["host"], pictures.os.uname().nodename)
        self.assertRegex(summary["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        for name, value in (("command", html.escape(summary["command"])), ("host", summary["host"]),
                            ("ended", summary["date"]), ("mesh", "48 × 12 cells; x from 0 to 4, y from 0 to 1"),
                            ("Riemann solver", "hllc"), ("time step", "0.01")):
            self.assertIn(f"<dt>{name}</dt><dd>{value}</dd>", page)
        for alternative in ("The flow in the last dump", "The flow at several times"):
            self.assertEqual(page.count(f'alt="{alternative}"'), 1)
        start, end = (summary["totals"][which]["mass"] for which in ("start", "end"))
        for part, value in (("at the start", start), ("at the end", end)):
            self.assertIn(f"<td class=word>{part}</td><td>{report.text(report.figure(value, 6))}</td>", page)
        self.assertNotIn("Why it gave up", page)
        for fetched in ("http://", "https://", "<link", "url("):
            self.assertNotIn(fetched, re.sub(r"base64,[^\"]*", "", page))

    def test_a_report_shows_the_outputs(self):
        directory = shutil.copytree(RUNS["probed"], self.directory / "probed")
        self.assertEqual(run("report", directory).returncode, 0)
        page = (directory / "report.html").read_text()
        section = re.search('<section id="outputs">(.*?)</section>', page, re.DOTALL)[1]
        self.assertEqual(re.findall("<h3>(.*?)</h3>", section), ["wall", "along", "cut", "numbers"])
        self.assertEqual(section.count("<img "), 4)
        for dump in directory.glob("cut_*.vtkhdf"):
            dump.unlink()
        (directory / "wall.csv").write_text("step,time,density_0\n0,0,one\n")
        self.assertEqual(run("report", directory).returncode, 0)
        page = (directory / "report.html").read_text()
        self.assertIn("has a column &#x27;density_0&#x27; of no field and point", page)
        self.assertIn("cut_000002.vtkhdf&#x27; is gone", page)

    def test_a_report_says_why_a_run_gave_up(self):
        directory = self.directory / "gave up"
        done = run("run", ROOT / "inputs/too_long_step.yaml", "--output", directory, "--backend", "host", "--quiet",
                   "soft_error.max_halvings=1", "soft_error.on_exhausted=abort", "mesh.cells=[64,1,1]", "time.dt=0.2")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(run("report", directory).returncode, 0)
        page = (directory / "report.html").read_text()
        events = [json.loads(line) for line in (directory / "events.jsonl").read_text().splitlines()]
        errors = [event for event in events if event["event"] == "soft_error"]
        self.assertIn(f"Step {errors[-1]['step']} failed in {len(errors)} attempts, also with a shorter dt.", page)
        self.assertIn(f"<dt>last soft error</dt><dd>{errors[-1]['kind'].replace('_', ' ')}</dd>", page)
        self.assertIn(f"<dt>dt</dt><dd>{errors[0]['dt']:.6g} at first, {errors[-1]['dt']:.6g} at last</dd>", page)

    def test_a_report_names_the_remedies_that_were_tried_alone(self):
        def said(*rows):
            return re.match("<p>(.*?)</p>", report.why_it_gave_up(rows))[1]
        error = {"event": "soft_error", "kind": "bad_boundary", "step": 3, "dt": 0.5}
        abort = {"event": "rung", "rung": "abort", "step": 3, "dt": 1e-18}
        self.assertEqual(said(error, abort), "Step 3 failed in 1 attempt, and no remedy was tried.")
        self.assertEqual(said({**abort, "rung": "floor", "step": 2}, error, {**error, "dt": 0.25},
                              {**abort, "rung": "first_order"}, {**error, "dt": 0.25}, abort),
                         "Step 3 failed in 3 attempts, also with a shorter dt and first-order fluxes.")
        halving = {"event": "rejection", "step": 2, "dt": 4, "next_dt": 2}
        self.assertEqual(said({**halving, "step": 0}, halving, {**halving, "dt": 2, "next_dt": 1}, error, abort),
                         "Step 3 failed in 1 attempt, and no remedy was tried. Step 2 had halved dt 2 times, from 4.")
        self.assertIn("<dt>dt</dt><dd>0.5</dd>", report.why_it_gave_up([error, abort]))
        self.assertEqual(said({**error, "step": 2}, abort),
                         "The dt of step 3, 1e-18, is lost in the round-off of the time.")

    def test_without_h5py_plot_fails_and_says_what_to_install(self):
        done = run("plot", RUNS["tube"], **self.without("h5py"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "halfstep: error: python3 with matplotlib and h5py was not found "
                         "(apt-get install python3-matplotlib python3-h5py)\n")


def write_dump(path, cells, lower, upper, gamma, fields):
    """Writes a dump; `fields` maps each name to a function of x, y, z."""
    spacing = [(b - a) / n for a, b, n in zip(lower, upper, cells)]
    centres = [a + (numpy.arange(n) + 0.5) * h for a, n, h in zip(lower, cells, spacing)]
    return put_dump(path, centres, gamma, fields, {"Origin": lower, "Spacing": spacing}, {})


def write_stretched_dump(path, faces, fields):
    """Writes a dump of a stretched mesh with those faces along x, y, z."""
    faces = [numpy.array(along, dtype=float) for along in faces]
    return put_dump(path, [(along[:-1] + along[1:]) / 2 for along in faces], 1.4, fields, {},
                    {f"{axis}Coordinates": along for axis, along in zip("XYZ", faces)})


def put_dump(path, centres, gamma, fields, attributes, coordinates):
    extent = [end for along in centres for end in (0, len(along))]
    z, y, x = numpy.meshgrid(*centres[::-1], indexing="ij")
    with h5py.File(path, "w") as file:
        image = file.create_group("VTKHDF")
        image.attrs.update({"WholeExtent": extent, **attributes})
        for name, along in coordinates.items():
            image[name] = along
        for name, value in fields.items():
            image[f"CellData/{name}"] = value(x, y, z)
        file.create_group("halfstep").attrs.update({"time": 0.5, "step": 3, "dt": 0.1, "gamma": gamma, "title": "",
                                                    "git": "", "precision": "double", "backend": "host"})
    return dump.Dump(str(path))


class Quantities(pictures.Test):
    def one(self, name, cells, **fields):
        file = self.directory / f"{len(list(self.directory.iterdir()))}.vtkhdf"
        made = write_dump(file, cells, (-1, -2, 0), (1, 1, 4), 1.5, fields)
        return quantity.chosen(made, [name])[0], made

    def test_a_solid_body_turns_with_twice_its_rate(self):
        turning = lambda x, y, z: numpy.stack([-3 * y, 3 * x, 0 * z], axis=-1)
        curl, made = self.one("vorticity", (8, 6, 1), velocity=turning)
        numpy.testing.assert_allclose(curl.of(made.whole()), 6, rtol=1e-12)
        # The vortex turns about x in space: its vorticity is drawn as magnitude, in a slice inside and at the end.
        turning = lambda x, y, z: numpy.stack([0 * x, -2 * z, 2 * y], axis=-1)
        curl, made = self.one("vorticity", (5, 6, 7), velocity=turning)
        for index in (0, 3, 6):
            slab = made.slab({2: index})
            self.assertEqual(slab.without_neighbours(curl.of(slab)).shape, (1, 6, 5))
            numpy.testing.assert_allclose(slab.without_neighbours(curl.of(slab)), 4, rtol=1e-12)
        # In the plane of x and z the component along y is drawn: d u_x / dz - d u_z / dx.
        shear = lambda x, y, z: numpy.stack([5 * z, 0 * x, 2 * x], axis=-1)
        curl, made = self.one("vorticity", (5, 1, 7), velocity=shear)
        numpy.testing.assert_allclose(curl.of(made.whole()), 3, rtol=1e-12)

    def test_derivatives_know_periodic_sides(self):
        with dump.Dump(str(RUNS["space"] / "fields_000001.vtkhdf")) as made:
            speed = made.whole()["velocity"][..., 0]
            for axis in range(3):
                self.assertTrue(made.is_periodic(axis))
                central = (numpy.roll(speed, -1, 2 - axis) - numpy.roll(speed, 1, 2 - axis)) / (2 * made.spacing[axis])
                numpy.testing.assert_allclose(made.whole().gradient(speed, axis), central, atol=1e-13)
                for index in (0, 4, made.cells[axis] - 1):  # the planes at the ends, too
                    slab = made.slab({axis: index})
                    own = slab.without_neighbours(slab.gradient(slab["velocity"][..., 0], axis))
                    numpy.testing.assert_allclose(own, numpy.take(central, [index], axis=2 - axis), atol=1e-13)
        with dump.Dump(str(RUNS["plane"] / "fields_000001.vtkhdf")) as made:
            self.assertFalse(any(made.is_periodic(axis) for axis in (0, 1)))

    def test_averages_over_time_are_called_what_they_are(self):
        for name, label in (("density_mean", "mean of the density"), ("velocity_x_rms", "deviation of the velocity along x"),
                            ("dye", "mass fraction of dye")):
            one, _ = self.one(name, (4, 4, 1), **{name: lambda x, y, z: 1 + 0 * x})
            self.assertEqual(one.label, label)

    def test_fields_of_an_output_are_in_the_order_of_its_deck(self):
        means, covariance = ("velocity_x_mean", "dye_mean", "density_mean"), "velocity_x_density_covariance"
        file = self.directory / "mean_000001.vtkhdf"
        write_dump(file, (4, 4, 1), (0, 0, 0), (1, 1, 1), 1.4,
                   {name: lambda x, y, z: x for name in (*means, covariance, "density_rms")})
        with h5py.File(file, "r+") as there:
            there["halfstep"].attrs["deck"] = ("outputs: [{kind: slice, name: cut, fields: [density]},\n"
                                               "  {kind: averages, name: mean, fields: [velocity_x, dye, density]}]")
        with dump.Dump(str(file)) as made:
            self.assertEqual([one.name for one in quantity.chosen(made, [], True)], [*means, "density_rms"])
            (one,) = quantity.chosen(made, [covariance])
            self.assertEqual(one.label, "covariance of velocity along x and density")

    def test_mach_number_temperature_and_entropy(self):
        state = {"density": lambda x, y, z: 0 * x + 4, "pressure": lambda x, y, z: 0 * x + 6,
                 "velocity": lambda x, y, z: numpy.stack([0 * x + 3, 0 * x, 0 * x - 4], axis=-1)}
        for name, value in (("mach", 5 / 1.5), ("temperature", 1.5), ("entropy", 6 / 8)):
            one, made = self.one(name, (4, 3, 2), **state)
            numpy.testing.assert_allclose(one.of(made.whole()), value, rtol=1e-12)

    def test_schlieren_is_black_at_the_steepest_gradient_and_white_where_there_is_none(self):
        one, made = self.one("schlieren", (9, 4, 1), density=lambda x, y, z: numpy.where(x < 0.3, 1.0, 2.0))
        (panel,) = flow.panels_of(made, one)
        self.assertAlmostEqual(panel.values.min(), numpy.exp(-10))
        numpy.testing.assert_array_equal(panel.values[:, [0, 1, 7, 8]], 1)

    def test_a_line_of_schlieren_has_the_values_of_their_picture(self):
        one, made = self.one("schlieren", (9, 1, 1), density=lambda x, y, z: numpy.where(x < 0.3, 1.0, 2.0))
        values = flow.along_line(made, one, view.View())
        self.assertAlmostEqual(values.min(), numpy.exp(-10))
        self.assertEqual(values.max(), 1)

    def test_a_field_of_that_name_is_drawn_as_it_is(self):
        one, made = self.one("schlieren", (9, 4, 1), schlieren=lambda x, y, z: 7 * (x + 1))
        (panel,) = flow.panels_of(made, one)
        low, high = flow.ends_in(made, [one], view.View())[0]
        self.assertEqual((panel.values.min(), panel.values.max()), (low, high))
        self.assertAlmostEqual(low + high, 14)

    def test_what_has_no_logarithm_is_below_the_scale(self):
        _, made = self.one("density", (4, 4, 1), density=lambda x, y, z: numpy.where(x < 0.5, 0.0, 100.0))
        picture = flow.flow(made.path, ["density"], view={"log": True, "range": (1, 10)})
        (image,) = picture.made.axes[0].images
        self.assertFalse(numpy.ma.getmaskarray(image.get_array()).any())
        picture.close()

    def test_slices_are_the_planes_of_the_middle_cells(self):
        one, made = self.one("density", (4, 6, 8), density=lambda x, y, z: 100 * x + 10 * y + z)
        for panel, normal in zip(flow.panels_of(made, one), (2, 1, 0)):
            places = [made.centres(axis) for axis in range(3)]
            places[normal] = places[normal][[made.cells[normal] // 2]]
            z, y, x = numpy.meshgrid(*places[::-1], indexing="ij")
            numpy.testing.assert_allclose(panel.values, (100 * x + 10 * y + z).squeeze(2 - normal), rtol=1e-12)

    def test_a_tube_shows_the_components_of_the_velocity_that_move(self):
        state = {"density": lambda x, y, z: 1 + 0 * x, "pressure": lambda x, y, z: 1 + 0 * x}
        for across, along, shown in ((3, 1e-6, ["velocity_x"]), (1e-6, 3, ["velocity_y"]), (0, 0, ["velocity_y"]),
                                     (3, 2, ["velocity_x", "velocity_y"])):
            made = write_dump(self.directory / f"{across}_{along}.vtkhdf", (1, 8, 1), (0, 0, 0), (1, 1, 1), 1.4, {
                **state, "velocity": lambda x, y, z: numpy.stack([across * y, along + 0 * y, 0 * y], axis=-1)})
            names = [one.name for one in quantity.chosen(made, [])]
            self.assertEqual(names, ["density", *shown, "pressure"])

    def test_only_a_state_over_decades_gets_a_logarithmic_scale(self):
        for name, value, logarithmic in (("density", 1e-3, True), ("density", 0.1, False),
                                         ("velocity_x", 1e-3, False)):
            _, made = self.one(name, (9, 1, 1), density=lambda x, y, z: value ** (x + 1),
                               velocity=lambda x, y, z: numpy.stack([value ** (x + 1)] * 3, axis=-1))
            picture = flow.flow(made.path, [name])
            self.assertEqual(picture.made.axes[0].get_yscale(), "log" if logarithmic else "linear", name)
            picture.close()

    def test_only_what_the_fields_of_a_dump_suffice_for_is_offered(self):
        _, made = self.one("density", (4, 4, 1), density=lambda x, y, z: 1 + 0 * x)
        self.assertEqual(list(quantity.quantities(made)), ["density", "schlieren"])


class Table(dict):
    """The columns of a history whose steps end at multiples of these times."""
    due = (0.5, 1.25)


class Histories(pictures.Test):
    def test_columns_of_budgets_are_named_by_what_they_are(self):
        for column, said in (("drift_mass", "unexplained mass, relative"), ("dye_mass", "mass of dye"),
                             ("budget_x_lower_mass", "budget: x lower mass")):
            self.assertEqual(history.label(column), said)

    def test_steps_to_a_due_time_end_there_and_are_shorter_than_their_neighbours(self):
        dt = numpy.array([0.2, 0.2, 0.1, 0.2, 0.05, 0.2, 0.05, 0.2, 0.05])  # at 0.75 it is short for another reason
        table = Table(time=numpy.append(0, numpy.cumsum(dt)), dt=numpy.append(0, dt), attempts=numpy.ones(len(dt) + 1))
        table["attempts"][3] = 2  # redone with a remedy, which keeps the dt
        short = history.cut_short(table)
        self.assertEqual([f"{time:.6g}" for time in table["time"][1:][short]], ["0.5", "1", "1.25"])
        none = Table(time=numpy.zeros(1), dt=numpy.zeros(1), attempts=numpy.ones(1))
        self.assertFalse(history.cut_short(none).any())

    def test_titles_and_legends_stay_in_their_panels(self):
        file = self.directory / "history.csv"
        names = ["step", "time", "dt", "attempts", "mass", "momentum_x", "momentum_y", "momentum_z", "energy",
                 "kinetic_energy", "min_density", "min_pressure", "max_mach",
                 *(f"drift_{name}" for name in ("mass", "energy", "momentum_x", "momentum_y", "momentum_z"))]
        file.write_text("".join(",".join(row) + "\n" for row in (names, *(
            [f"{n}", f"{n}", *["1"] * (len(names) - 7), *[f"{n}e-16"] * 5] for n in range(9)))))
        made = history.history([str(file)], [], "Vortex").made
        for axes in made.axes:
            title = axes.title.get_window_extent()
            self.assertTrue(0 < title.x0 and title.x1 < made.bbox.width, axes.get_title())
        panel, legend = (one.get_window_extent() for one in (made.axes[0], made.axes[0].get_legend()))
        self.assertTrue(panel.x0 < legend.x0 and legend.x1 < panel.x1)
        style.pyplot.close(made)

    def test_a_run_without_a_step_shows_where_it_begins(self):
        file = self.directory / "history.csv"
        names = ["step", "time", "dt", "attempts", "mass", "momentum_x", "momentum_y", "momentum_z", "energy",
                 "kinetic_energy", "min_density", "min_pressure", "max_mach"]
        file.write_text(",".join(names) + "\n" + ",".join("0" if name in names[:4] else "1" for name in names) + "\n")
        picture = history.history([str(file)], [], "Tube")
        self.assertIn("no step was accepted", picture.made._suptitle.get_text())
        self.assertEqual(picture.made.axes[1].lines[0].get_marker(), "o")
        picture.close()


class Events(pictures.Test):
    def test_remedies_are_thinned_out_and_the_last_dt_lasts_to_the_end_of_its_step(self):
        lines = Table(time=numpy.array([0, 0.25, 1.75]), dt=numpy.array([0, 0.25, 1.5]))
        rows = [{"event": "rung", "rung": "scaling", "time": n} for n in range(500)]
        made, ((axes,),) = style.figure()
        self.addCleanup(style.pyplot.close, made)
        events.draw_when(axes, rows, [], lines)
        self.assertEqual(axes.lines[0].get_xydata().tolist(), [[0, 0.25], [0.25, 1.5], [1.75, 1.5]])
        marks = axes.collections[0].get_offsets()[:, 0]
        self.assertEqual((len(marks), marks[0], marks[-1]), (40, 0, 499))
        self.assertEqual(axes.get_legend_handles_labels()[1], ["dt of accepted steps", "elements scaled"])

    def test_steps_to_a_due_time_are_left_out(self):
        lines = Table(time=numpy.array([0, 0.375, 0.5, 0.875]), dt=numpy.array([0, 0.375, 0.125, 0.375]))
        made, ((axes,),) = style.figure()
        self.addCleanup(style.pyplot.close, made)
        events.draw_when(axes, [], [], lines)
        self.assertEqual(axes.lines[0].get_xydata().tolist(), [[0, 0.375], [0.5, 0.375], [0.875, 0.375]])
        self.assertEqual(axes.lines[0].get_label(), "dt of accepted steps, without 1 step to a due time")


class CurvedElements(Plot):
    def figure(self, field, **view):
        picture = flow.flow(str(RUNS["curved"] / "fields_000002.vtkhdf"), [field], view=view)
        self.addCleanup(picture.close)
        return picture.made.axes[0]

    def test_where_steps_were_redone_is_drawn_over_the_elements(self):
        directory = compute("forward_step_elements", self.directory / "step", "mesh.cells=[15,5,1]", "time.max_steps=4")
        self.plot(directory / "events.jsonl")
        self.check_svg(self.directory / "events.svg", "attempts rejected in 4 steps", "elements scaled")

    def test_every_point_has_its_value_on_its_part_of_the_plane(self):
        axes = self.figure("pressure")
        (drawn,) = axes.collections
        with h5py.File(RUNS["curved"] / "fields_000002.vtkhdf") as file:
            numpy.testing.assert_array_equal(drawn.get_array(), file["VTKHDF/CellData/pressure"])
            places = file["elements/places"][:, :2]
        self.assertEqual(len(places), 4 * 8 * 9)
        for path, place in zip(drawn.get_paths(), places, strict=True):
            self.assertTrue(path.contains_point(place))
        numpy.testing.assert_allclose([*axes.get_xlim(), *axes.get_ylim()], [-30, 30, -30, 30], rtol=0.02)

    def test_a_zoom_has_the_range_of_what_it_shows(self):
        axes = self.figure("pressure", zoom={"x": [-2, 2], "y": [0, 2]})
        (drawn,) = axes.collections
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((-2, 2), (0, 2)))
        shown = [path.vertices for path, is_out in zip(drawn.get_paths(), drawn.get_array().mask) if not is_out]
        self.assertTrue(0 < len(shown) < 4 * 8 * 9)
        for corners in shown:
            self.assertTrue(corners[:, 0].max() >= -2 and corners[:, 0].min() <= 2 and corners[:, 1].max() >= 0)
        values = drawn.get_array().compressed()
        self.assertEqual(drawn.get_clim(), (values.min(), values.max()))

    def test_a_run_is_drawn_and_its_report_and_differences(self):
        self.plot(RUNS["curved"], "--field", "velocity", "--field", "mach")
        self.check_svg(self.directory / "fields_000002_velocity_mach.svg", "speed", "Mach number",
                       "32 elements of 9 points")
        self.plot(RUNS["curved"] / "fields_000002.vtkhdf", RUNS["curved"] / "fields_000001.vtkhdf", "--difference")
        directory = self.directory / "run"
        shutil.copytree(RUNS["curved"], directory)
        self.assertEqual(run("report", directory).returncode, 0)
        self.assertIn("<dt>mesh</dt><dd>32 curved elements of degree 2; map {kind: cylinder, radius: 0.5",
                      (directory / "report.html").read_text())

    def test_what_it_has_not_is_refused(self):
        last = RUNS["curved"] / "fields_000002.vtkhdf"
        self.refused("no cut is drawn through the curved elements", last, "--cut", "x=0")
        self.refused("no field 'vorticity' of the curved elements in", last, "--field", "vorticity")
        self.refused("x from 40 to 50 is outside the mesh", last, "--zoom", "x=40,50")
        plane = RUNS["plane"] / "fields_000002.vtkhdf"
        self.refused("is of another mesh than", last, plane, "--difference")
        self.refused("is of another mesh than", plane, last, "--difference")

    def test_elements_in_space_are_left_to_others(self):
        file = compute("taylor_green", self.directory / "space", "mesh.cells=[2,2,2]", "time.max_steps=1",
                       "scheme.method=flux_reconstruction", "scheme.degree=1",
                       "mesh.map={kind: bend, amplitude: 0.01}") / "fields_000001.vtkhdf"
        self.refused("is of curved elements in space, which no picture is drawn of", file)


class Bodies(pictures.Test):
    """A ball of radius 0.5 about the origin; the state in it is none of the gas."""

    def dump(self, cells):
        active = [axis for axis in range(3) if cells[axis] > 1]

        def distance(*at):
            return numpy.sqrt(sum(at[axis] ** 2 for axis in active)) - 0.5
        return write_dump(self.directory / "fields_000003.vtkhdf", cells, (-1, -1, -1), (1, 1, 1), 1.4, {
            "density": lambda *at: numpy.where(distance(*at) < 0, 1e9, 2 + at[0]),
            "solid": lambda *at: (distance(*at) < 0) * 1.0, "distance": distance})

    def drawn(self, cells, field, **view):
        picture = flow.flow(self.dump(cells).path, [field] if field else [], view=view)
        self.addCleanup(picture.close)
        return [axes for axes in picture.made.axes if axes.get_visible()]

    def surfaces(self, axes):
        return numpy.concatenate([path.vertices for drawn in axes.collections for path in drawn.get_paths()])

    def test_a_plane_leaves_bodies_out_and_shows_their_outline(self):
        axes = self.drawn((20, 20, 1), "density")[0]
        (image,) = axes.images
        x, y = numpy.meshgrid(*[numpy.linspace(-0.95, 0.95, 20)] * 2)
        numpy.testing.assert_array_equal(numpy.ma.getmaskarray(image.get_array()), x ** 2 + y ** 2 < 0.25)
        self.assertEqual([round(end, 9) for end in (image.norm.vmin, image.norm.vmax)], [1.05, 2.95])
        self.assertEqual(image.cmap(numpy.ma.masked)[:3], matplotlib.colors.to_rgb(style.BODY))
        numpy.testing.assert_allclose(numpy.hypot(*self.surfaces(axes).T), 0.5, atol=0.01)

    def test_the_fields_of_bodies_are_drawn_within_them(self):
        for field, low in (("solid", 0), ("distance", -0.84)):
            (image,) = self.drawn((20, 20, 1), field)[0].images
            self.assertFalse(numpy.ma.getmaskarray(image.get_array()).any())
            self.assertAlmostEqual(image.norm.vmin, low, delta=0.01)

    def test_schlieren_and_a_zoom_leave_bodies_out(self):
        for field, view in (("schlieren", {}), ("density", {"zoom": {"x": (-0.5, 1)}})):
            (image,) = self.drawn((20, 20, 1), field, **view)[0].images
            self.assertEqual(numpy.ma.getmaskarray(image.get_array()).sum(), 80)

    def test_schlieren_are_black_at_the_steepest_gradient_of_the_gas(self):
        shown = quantity.schlieren(numpy.ma.masked_array([0.0, 2.0, 100.0], [False, False, True]))
        numpy.testing.assert_allclose(shown.compressed(), [1, numpy.exp(-10)])

    def test_in_space_the_greatest_value_is_that_of_the_gas(self):
        for view, masked in ({}, 80), ({"maximum": True}, 0):
            for axes in self.drawn((20, 20, 20), "density", **view)[:3]:
                (image,) = axes.images
                self.assertLess(image.get_array().max(), 3)
                self.assertEqual(numpy.ma.getmaskarray(image.get_array()).sum(), masked)
                self.assertEqual(len(axes.collections), 0 if masked == 0 else 1)

    def test_lines_have_gaps(self):
        axes = self.drawn((20, 1, 1), "")
        self.assertEqual([one.get_title() for one in axes], ["density"])
        (line,) = axes[0].lines
        self.assertEqual(numpy.ma.getmaskarray(line.get_ydata()).sum(), 10)
        self.assertLess(axes[0].get_ylim()[1], 4)

    def test_a_difference_leaves_out_bodies_of_either_dump(self):
        made = self.dump((20, 20, 1))
        other = self.directory / "other.vtkhdf"
        write_dump(other, (20, 20, 1), (-1, -1, -1), (1, 1, 1), 1.4, {"density": lambda x, y, z: 1 + 0 * x})
        for files in ([made.path, str(other)], [str(other), made.path]):
            picture = flow.difference(files, ["a", "b"], ["density"])
            self.addCleanup(picture.close)
            (image,) = picture.made.axes[0].images
            self.assertEqual(numpy.ma.getmaskarray(image.get_array()).sum(), 80)


class Views(pictures.Test):
    """What is drawn of a flow, read from the figure."""

    def setUp(self):
        super().setUp()
        self.made = write_dump(self.directory / "fields_000003.vtkhdf", (4, 6, 8), (0, 0, 0), (4, 3, 2), 1.4, {
            "density": lambda x, y, z: 1 + 100 * x + 10 * y + z,
            "pressure": lambda x, y, z: 1 + 0 * x})

    def figure(self, fields=("density",), **view):
        picture = flow.flow(self.made.path, list(fields), view=view)
        self.addCleanup(picture.close)
        return picture.made

    def density(self, x, y, z):
        return 1 + 100 * x + 10 * y + z

    def test_a_cut_is_the_plane_of_the_cells_at_that_position(self):
        # Of the eight cells between 0 and 2 the one that holds 1.3 has its centre at 1.375.
        made = self.figure(cuts={"z": 1.3})
        x, y = self.made.centres(0), self.made.centres(1)
        numpy.testing.assert_allclose(made.axes[0].images[0].get_array(), self.density(x, y[:, None], 1.375))
        self.assertEqual(made.axes[0].get_title(), "z = 1.375")
        self.assertEqual(made.axes[0].images[0].get_extent(), (0, 4, 0, 3))

    def test_two_cuts_leave_a_line_and_the_upper_end_is_in_the_last_cell(self):
        (axes,) = self.figure(cuts={"z": 2, "x": 0}).axes
        numpy.testing.assert_allclose(axes.lines[0].get_xdata(), self.made.centres(1))
        numpy.testing.assert_allclose(axes.lines[0].get_ydata(), self.density(0.5, self.made.centres(1), 1.875))

    def test_maxima_are_along_the_whole_axis(self):
        made = self.figure(maximum=True)
        places = [self.made.centres(axis) for axis in range(3)]
        for axes, (across, up, along) in zip(made.axes, ((0, 1, 2), (0, 2, 1), (1, 2, 0))):
            at = [None] * 3
            at[across], at[up], at[along] = places[across], places[up][:, None], places[along][-1]
            numpy.testing.assert_allclose(axes.images[0].get_array(), self.density(*at))
            self.assertEqual(axes.get_title(), f"maximum along {'xyz'[along]}")

    def test_a_zoom_shows_its_cells_and_their_range(self):
        made = self.figure(cuts={"z": 0.1}, zoom={"x": [1.2, 2.9]})
        image = made.axes[0].images[0]
        x, y = self.made.centres(0)[1:3], self.made.centres(1)
        numpy.testing.assert_allclose(image.get_array(), self.density(x, y[:, None], 0.125))
        self.assertEqual(image.get_extent(), (1, 3, 0, 3))
        self.assertEqual(made.axes[0].get_xlim(), (1.2, 2.9))
        numpy.testing.assert_allclose(image.get_clim(), [self.density(1.5, 0.25, 0.125), self.density(2.5, 2.75, 0.125)])

    def test_range_logarithm_colours_title_and_size_are_those_asked_for(self):
        made = self.figure(range=[2, 300], log=True, colours="turbo", title="Mine $x$", size=[1300, 650])
        image = made.axes[0].images[0]
        self.assertEqual(image.get_clim(), (2, 300))
        self.assertEqual(type(image.norm).__name__, "LogNorm")
        self.assertEqual(image.get_cmap().name, "turbo")
        values = numpy.concatenate([axes.images[0].get_array().ravel() for axes in made.axes if axes.images])
        self.assertTrue(values.min() > 2 and values.max() > 300)
        for view, arrows in (({"range": [2, 300]}, "max"), ({"range": [100, 300]}, "both"), ({}, "neither")):
            images = [axes.images[0] for axes in self.figure(**view).axes if axes.images]
            self.assertEqual([image.colorbar.extend for image in images if image.colorbar], [arrows])
        self.assertEqual(made._suptitle.get_text(), "Mine $x$")
        numpy.testing.assert_allclose(1.3 * made.dpi * made.get_size_inches(), [1300, 650])

    def test_a_picture_has_the_pixels_that_were_asked_for_and_a_small_one_small_letters(self):
        for size in ([640, 480], [1430, 760], [333, 217], [1001, 999]):
            picture = flow.flow(self.made.path, ["pressure", "density"], view={"size": size})
            self.addCleanup(picture.close)
            self.assertEqual(list(picture.image().size), size)
            self.assertEqual(picture.made.dpi < 100, size[0] < 1072)  # three quarters of its own

    def test_a_velocity_of_one_sign_has_the_whole_of_its_scale(self):
        dump = write_dump(self.directory / "fields_000005.vtkhdf", (8, 4, 1), (0, 0, 0), (1, 1, 1), 1.4, {
            "velocity": lambda x, y, z: numpy.stack([1 + x, x - 0.25, -1 - y], axis=-1)})
        for field, limits, colours in (("velocity_x", (1.0625, 1.9375), "viridis"), ("velocity_y", (-0.6875, 0.6875), "RdBu_r"),
                                       ("velocity_z", (-1.875, -1.125), "viridis")):
            picture = flow.flow(dump.path, [field])
            self.addCleanup(picture.close)
            image = picture.made.axes[0].images[0]
            self.assertEqual((image.get_clim(), image.get_cmap().name), (limits, colours))
        self.assertTrue(quantity.has_both_signs(-0.01, 1))
        self.assertFalse(quantity.has_both_signs(-1e-7, 1))  # round-off
        picture = flow.flow(dump.path, ["velocity_y"], view={"cuts": {"y": 0.4}})
        self.addCleanup(picture.close)
        numpy.testing.assert_allclose(picture.made.axes[0].get_ylim(), [-0.1875 - 0.06 * 0.875, 0.6875 + 0.06 * 0.875])

    def test_labels_of_any_width_have_room_and_scales_the_height_of_their_panels(self):
        wide = write_dump(self.directory / "fields_000004.vtkhdf", (4, 4, 1), (0, 0, 0), (2e-6, 2e-6, 1), 1.4, {
            "pressure": lambda x, y, z: 101325 + x})
        for file in (wide.path, self.made.path):
            for size in (None, [1300, 500], [700, 900]):
                picture = flow.flow(file, ["pressure"], view={"size": size})
                self.addCleanup(picture.close)
                shown = [axes for axes in picture.made.axes if axes.get_visible()]
                outer = matplotlib.transforms.Bbox.union(
                    [axes.get_tightbbox(picture.made.canvas.get_renderer()) for axes in shown])
                left, right = outer.x0, picture.made.bbox.width - outer.x1
                self.assertGreater(min(left, right, outer.y0), 0)
                self.assertAlmostEqual(left, right, delta=10)
                panel, scale = shown[0].get_window_extent(), shown[-1].get_window_extent()
                numpy.testing.assert_allclose([scale.y0, scale.y1], [panel.y0, panel.y1], atol=1)

    def test_what_a_mesh_does_not_have_is_refused(self):
        for message, view in (("z = 2.1 is outside the mesh", {"cuts": {"z": 2.1}}),
                              ("y from 3 to 4 is outside the mesh", {"zoom": {"y": [3, 4]}}),
                              ("the cuts leave nothing", {"cuts": {"x": 1, "y": 1, "z": 1}}),
                              ("a cut and a zoom along x", {"cuts": {"x": 1}, "zoom": {"x": [1, 2]}}),
                              ("no colour map 'virids'; did you mean 'viridis'", {"colours": "virids"}),
                              ("no logarithm of 'density', which goes down to -5", {"range": [-5, 5], "log": True})):
            with self.assertRaisesRegex(Refused, message):
                flow.flow(self.made.path, ["density"], view=view)
        with self.assertRaisesRegex(Refused, "--range is for one field, and 2 are drawn"):
            flow.flow(self.made.path, ["density", "pressure"], view={"range": [0, 1]})

    def test_a_difference_is_the_first_less_the_second(self):
        other = write_dump(self.directory / "fields_000004.vtkhdf", (4, 6, 8), (0, 0, 0), (4, 3, 2), 1.4, {
            "density": lambda x, y, z: 1 + 100 * x + 9 * y + z})
        picture = flow.difference([self.made.path, other.path], ["a", "b"], [], {"cuts": {"z": 1}})
        image = picture.made.axes[0].images[0]
        numpy.testing.assert_allclose(image.get_array(), self.made.centres(1)[:, None] + 0 * self.made.centres(0))
        self.assertEqual(image.get_clim(), (-2.75, 2.75))
        picture.close()
        coarse = write_dump(self.directory / "fields_000005.vtkhdf", (4, 6, 4), (0, 0, 0), (4, 3, 2), 1.4, {
            "density": lambda x, y, z: 1 + 0 * x})
        with self.assertRaisesRegex(Refused, "is of another mesh than"):
            flow.difference([self.made.path, coarse.path], ["a", "b"], [])

    def test_images_together_share_their_scale(self):
        other = write_dump(self.directory / "fields_000004.vtkhdf", (4, 6, 8), (0, 0, 0), (4, 3, 2), 1.4, {
            "density": lambda x, y, z: 2000 + x})
        picture = flow.together([self.made.path, other.path], ["a", "b"], ["density"], view={"cuts": {"z": 1}})
        shown = [axes for axes in picture.made.axes if axes.images]
        self.assertEqual([axes.get_title() for axes in shown], ["a, z = 1.125", "b, z = 1.125"])
        for axes in shown:
            self.assertEqual(axes.images[0].get_clim(), (self.density(0.5, 0.25, 1.125), 2003.5))
        picture.close()

    def test_a_uniform_first_dump_does_not_widen_the_scale_of_the_others(self):
        first = write_dump(self.directory / "fields_000004.vtkhdf", (4, 6, 8), (0, 0, 0), (4, 3, 2), 1.4, {
            "density": lambda x, y, z: 100 + 0 * x})
        picture = flow.together([first.path, self.made.path], None, [], view={"cuts": {"z": 1}})
        self.assertEqual(picture.made.axes[0].images[0].get_clim(), (self.density(0.5, 0.25, 1.125),
                                                                     self.density(3.5, 2.75, 1.125)))
        picture.close()
        limits = [one.made.axes[0].images[0].get_clim() for one in flow.frames([first.path, self.made.path], [],
                                                                               {"cuts": {"z": 1}})]
        self.assertEqual(limits, [(self.density(0.5, 0.25, 1.125), self.density(3.5, 2.75, 1.125))] * 2)

    def test_ticks_have_no_offset_and_uniform_fields_a_middle(self):
        near = write_dump(self.directory / "fields_000006.vtkhdf", (9, 1, 1), (0, 0, 0), (1, 1, 1), 1.4, {
            "density": lambda x, y, z: 1 + 1e-5 * x, "pressure": lambda x, y, z: 1e-5 + 0 * x})
        picture = flow.flow(near.path, ["density", "pressure"])
        picture.made.draw_without_rendering()
        for axes in picture.made.axes[:2]:
            self.assertNotIn("+", axes.yaxis.get_offset_text().get_text())
        self.assertEqual(picture.made.axes[0].yaxis.get_offset_text().get_text(), "")
        numpy.testing.assert_allclose(sum(picture.made.axes[1].get_ylim()) / 2, 1e-5)
        self.assertLess(picture.made.axes[1].get_ylim()[1], 3e-5)
        picture.close()


class StretchedViews(pictures.Test):
    X, Y, Z = [0, 1, 2, 3, 4], [0, 0.1, 0.3, 0.7, 1.5, 3], [0, 1, 3]

    def plane(self, name="plane", y=None, density=lambda x, y, z: 1 + 100 * x + 10 * y, **fields):
        return write_stretched_dump(self.directory / f"{name}.vtkhdf", [self.X, y or self.Y, [0, 1]],
                                    {"density": density, **fields})

    def drawn(self, picture):
        self.addCleanup(picture.close)
        return picture.made

    def test_an_image_has_the_cells_between_their_faces(self):
        made = self.drawn(flow.flow(self.plane().path, ["density"]))
        (mesh,) = made.axes[0].collections
        numpy.testing.assert_allclose(mesh.get_coordinates()[:, 0, 1], self.Y)
        numpy.testing.assert_allclose(mesh.get_coordinates()[0, :, 0], self.X)
        drawn = mesh.get_array().reshape(5, 4)[:, 0]
        numpy.testing.assert_allclose(drawn, 51 + 10 * numpy.array([0.05, 0.2, 0.5, 1.1, 2.25]))
        self.assertEqual((made.axes[0].get_ylim(), made.axes[0].get_aspect()), ((0, 3), 1))
        self.assertEqual(self.plane().spacing[:2], [1, None])

    def test_cuts_and_zooms_are_by_position(self):
        plane = self.plane()
        (axes,) = self.drawn(flow.flow(plane.path, ["density"], view={"cuts": {"y": 1.4}})).axes
        numpy.testing.assert_allclose(axes.lines[0].get_ydata(), 1 + 100 * plane.centres(0) + 11)
        for cut, centre in ((0.3, 0.5), (3, 2.25), (0, 0.05)):  # on a face the upper cell, at the end the last
            (axes,) = self.drawn(flow.flow(plane.path, ["density"], view={"cuts": {"y": cut}})).axes
            self.assertAlmostEqual(axes.lines[0].get_ydata()[0], 51 + 10 * centre)
        (axes,) = self.drawn(flow.flow(plane.path, ["density"], view={"cuts": {"x": 0}})).axes
        numpy.testing.assert_allclose(axes.lines[0].get_xdata(), [0.05, 0.2, 0.5, 1.1, 2.25])
        axes = self.drawn(flow.flow(plane.path, ["density"], view={"zoom": {"y": [0.2, 0.7]}})).axes[0]
        numpy.testing.assert_allclose(axes.collections[0].get_coordinates()[:, 0, 1], [0.1, 0.3, 0.7])
        self.assertEqual(axes.get_ylim(), (0.2, 0.7))

    def test_slices_are_through_the_middle_of_the_domain(self):
        space = write_stretched_dump(self.directory / "space.vtkhdf", [self.X, self.Y, self.Z],
                                     {"density": lambda x, y, z: 1 + 100 * x + 10 * y + z})
        titles = [axes.get_title() for axes in self.drawn(flow.flow(space.path, ["density"])).axes if axes.get_title()]
        self.assertEqual(titles, ["z = 2", "y = 2.25", "x = 2.5"])

    def test_gradients_are_exact_for_parabolas(self):
        shear = lambda x, y, z: numpy.stack([y**2, 0 * x, 0 * x], axis=-1)
        plane = self.plane(velocity=shear)
        curl = quantity.chosen(plane, ["vorticity"])[0].of(plane.whole())[0]
        numpy.testing.assert_allclose(curl[1:-1, 0], -2 * plane.centres(1)[1:-1], rtol=1e-12)

    def test_a_difference_is_of_one_mesh(self):
        plane, other = self.plane(), self.plane("other", density=lambda x, y, z: 1 + 100 * x)
        made = self.drawn(flow.difference([plane.path, other.path], ["a", "b"], []))
        less = made.axes[0].collections[0].get_array().reshape(5, 4)
        numpy.testing.assert_allclose(less[:, 0], 10 * plane.centres(1), rtol=1e-9)
        moved = self.plane("moved", [0, 0.1, 0.3, 0.8, 1.5, 3])
        with self.assertRaisesRegex(Refused, "is of another mesh than"):
            flow.difference([plane.path, moved.path], ["a", "b"], [])

    def test_faces_that_are_none_of_a_mesh_are_refused(self):
        for faces in ([0, 0.1, 0.3, 0.2, 1.5, 3], [0, 0.1, 0.3, 0.7, 1.5, numpy.inf]):
            with self.assertRaisesRegex(Refused, "is not a dump of halfstep .its faces along y are none of a mesh"):
                self.plane(y=faces)


class Several(Plot):
    """Runs of one deck in one picture."""

    def drawn(self, function, *arguments, **more):
        picture = function(*arguments, **more)
        self.addCleanup(picture.close)
        return picture.made

    def test_tubes_lie_over_each_other_and_over_the_exact_solution(self):
        files = [str(RUNS[name] / "fields_000002.vtkhdf") for name in ("hll", "roe")]
        made = self.drawn(flow.together, files, ["hll", "roe"], ["density"],
                          {"position": [0, 1], "density": [1, 0.125]})
        exact, *both = made.axes[0].lines
        self.assertEqual([line.get_label() for line in both], ["hll", "roe"])
        self.assertEqual(list(exact.get_ydata()), [1, 0.125])
        for file, line in zip(files, both):
            with h5py.File(file) as there:
                numpy.testing.assert_array_equal(line.get_ydata(), there["VTKHDF/CellData/density"][0, 0])

    def test_histories_and_histograms_lie_over_each_other(self):
        made = self.drawn(history.history, [str(RUNS[name] / "history.csv") for name in ("hll", "roe")], ["dt"], "Sod",
                          ["hll", "roe"])
        for line, name in zip(made.axes[0].lines, ("hll", "roe")):
            rows = numpy.genfromtxt(RUNS[name] / "history.csv", delimiter=",", names=True)
            numpy.testing.assert_array_equal(line.get_ydata(), rows["dt"][1:])
            self.assertEqual(line.get_label(), name)
        made = self.drawn(histogram.histogram, [str(RUNS[name] / "histogram.csv") for name in ("hll", "roe")], "Sod",
                          ["hll", "roe"], 0.04)
        for patch, name in zip(made.axes[0].patches, ("hll", "roe")):
            rows = numpy.genfromtxt(RUNS[name] / "histogram.csv", delimiter=",", names=True, dtype=None,
                                    encoding="utf-8")
            there = rows[(rows["time"] == 0.05) & (rows["bin"] >= 0) & (rows["bin"] < 64)]
            numpy.testing.assert_array_equal(patch.get_data().values, there["probability_density"])
            numpy.testing.assert_array_equal(patch.get_data().edges[:-1], there["lower"])
            self.assertEqual(patch.get_label(), f"{name}, t = 0.05")

    def test_a_histogram_is_drawn_at_several_times(self):
        made = self.drawn(histogram.histogram, [str(RUNS["hll"] / "histogram.csv")], "Sod")
        self.assertEqual([patch.get_label() for patch in made.axes[0].patches], ["t = 0", "t = 0.05", "t = 0.1"])
        with self.assertRaisesRegex(Refused, "t = 3 is outside"):
            histogram.histogram([str(RUNS["hll"] / "histogram.csv")], "Sod", time=3)
        self.plot(RUNS["hll"])
        self.check_svg(self.directory / "histogram.svg", "histogram of density", "probability density", "t = 0.05")

    def test_a_histogram_with_peaks_decades_apart_is_logarithmic(self):
        file = self.directory / "hist.csv"
        for peak, scale in ((90, "linear"), (500, "log")):
            file.write_text("step,time,field,bin,lower,upper,count,probability_density\n" + "".join(
                f"{t},{t},density,{n},{n},{n + 1},1,{density}\n" for t in (0, 1)
                for n, density in enumerate((0, 0 if t else peak, 1 if t else 0))))
            axes = self.drawn(histogram.histogram, [str(file)], "Peaks").axes[0]
            self.assertEqual(axes.get_yscale(), scale)
            self.assertGreaterEqual(axes.get_ylim()[0], 0)
        axes = self.drawn(histogram.histogram, [str(file)], "Peaks", view={"range": [0, 2]}).axes[0]
        self.assertEqual((axes.get_yscale(), axes.get_ylim()), ("linear", (0, 2)))

    def test_probes_are_lines_over_time_and_lines_images(self):
        table = numpy.genfromtxt(RUNS["probed"] / "wall.csv", delimiter=",", names=True)
        made = self.drawn(probes.probes, str(RUNS["probed"] / "wall.csv"), [], "Sod, wall",
                          {"points": [[0.1, 0, 0], [0.9, 0.5, 0]]})
        panels = {axes.get_ylabel(): axes.lines for axes in made.axes}
        self.assertEqual(list(panels), ["density", "velocity along x", "pressure"])  # the others are 0
        for point, line in enumerate(panels["density"]):
            numpy.testing.assert_array_equal(line.get_ydata(), table[f"density_{point}"])
            numpy.testing.assert_array_equal(line.get_xdata(), table["time"])
        self.assertEqual([line.get_label() for line in panels["pressure"]],
                         ["point 0 at (0.1, 0, 0)", "point 1 at (0.9, 0.5, 0)"])
        places = [(n + 0.5) / 32 for n in range(32)]
        made = self.drawn(probes.probes, str(RUNS["probed"] / "along.csv"), ["density"], "Sod, along",
                          {"axis": "x", "places": places})
        rows = numpy.genfromtxt(RUNS["probed"] / "along.csv", delimiter=",", names=True)
        image = made.axes[0].collections[0].get_array().reshape(6, 32)
        for n in range(32):
            numpy.testing.assert_array_equal(image[:, n], rows[f"density_{n}"])
        self.assertEqual(made.axes[0].get_ylim(), (rows["time"][0], rows["time"][-1]))
        with self.assertRaisesRegex(Refused, "densit"):
            probes.probes(str(RUNS["probed"] / "along.csv"), ["densty"], "Sod")

    def test_a_range_of_a_line_keeps_its_colours_and_a_logarithm_has_plain_numbers(self):
        file = self.directory / "along.csv"
        file.write_text("step,time,velocity_x_0,velocity_x_1,density_0,density_1\n0,0,-1,1,3,4\n1,1,-2,1,3,5\n")
        cells = {"axis": "x", "places": [0.25, 0.75]}
        made = self.drawn(probes.probes, str(file), ["velocity_x"], "A line", cells, {"range": [-1, 1]})
        self.assertEqual(made.axes[0].collections[0].get_cmap().name, "RdBu_r")
        for points in (None, cells):
            self.drawn(probes.probes, str(file), ["density"], "A line", points, {"log": True}).savefig(
                self.directory / "line.svg")
            self.assertIn("4", self.texts(self.directory / "line.svg"))

    def test_probes_in_numbers_are_drawn_as_those_in_text(self):
        pictures_of = [self.drawn(probes.probes, str(RUNS["probed"] / name), ["pressure"], "Sod")
                       for name in ("wall.csv", "numbers.h5")]
        for text, numbers in zip(*(made.axes[0].lines for made in pictures_of)):
            numpy.testing.assert_array_equal(text.get_xydata(), numbers.get_xydata())
        damaged = self.directory / "damaged.h5"
        damaged.write_bytes((RUNS["probed"] / "numbers.h5").read_bytes()[:3000])
        self.refused("cannot be read as a table", damaged)

    def test_spectra_and_histograms_of_outputs_are_drawn_and_lie_over_each_other(self):
        with h5py.File(RUNS["plm"] / "energies.h5") as file:
            rows = file["rows"][...]
        made = self.drawn(spectrum.spectrum, [str(RUNS["plm"] / "energies.h5")], "Vortex")
        self.assertEqual(len(made.axes[0].lines), 4)  # steps 0, 2, 4, 6
        for line, row in zip(made.axes[0].lines, rows):
            shells = line.get_xdata()
            self.assertGreater(shells[0], 0)
            energy = row["energy"][shells]
            is_round_off = energy < 1e-12 * rows["energy"][:, 1:].max()
            numpy.testing.assert_array_equal(line.get_ydata(), numpy.where(is_round_off, numpy.nan, energy))
        self.assertEqual(numpy.isfinite(made.axes[0].lines[0].get_ydata()).sum(), 1)  # a single wave, seen as a point
        self.assertEqual(made.axes[0].lines[0].get_marker(), ".")
        self.plot(RUNS["plm"])
        self.check_svg(self.directory / "energies.svg", "spectrum", "waves along the longest side", "kinetic energy per mass", "t = 0")
        self.check_svg(self.directory / "speeds.svg", "histogram of speed", "probability density")
        self.plot(RUNS["plm"] / "energies.h5", "--time", 0)
        drawn = self.texts(self.directory / "energies.svg")
        self.assertEqual([text for text in drawn if text.startswith("t = ")], ["t = 0"])
        self.plot(RUNS["plm"], RUNS["ppm"], "--together")
        self.assertLessEqual({"plm_ppm_energies.png", "plm_ppm_speeds.png"},
                             {file.name for file in self.directory.glob("*.png")})
        self.check_svg(self.directory / "plm_ppm_energies.svg", "plm, t = ", "ppm, t = ")

    def test_a_directory_gives_its_outputs_too(self):
        self.plot(RUNS["probed"])
        self.assertEqual(sorted(file.name for file in self.directory.glob("*.png")),
                         ["along.png", "cut_000002.png", "fields_000001.png", "history.png", "numbers.png", "wall.png"])
        self.check_svg(self.directory / "along.svg", "Sod shock tube, line along x", "velocity along x")
        self.check_svg(self.directory / "cut_000002.svg", "density gradient", "t = 0.1")
        self.plot(RUNS["probed"] / "wall.csv", "--field", "pressure", "--range", "0,2", "--title", "A wall")
        self.check_svg(self.directory / "wall_pressure.svg", "A wall", "point 1 at (0.9, 0.5, 0)")
        self.plot(RUNS["probed"] / "cut.vtkhdf.series", "--time", 0.06, "--field", "schlieren", "--movie")
        self.check_svg(self.directory / "cut_000001_schlieren.svg", "t = 0.05", "density gradient")
        self.assertTrue((self.directory / "movie_cut_schlieren.gif").exists())

    def test_an_output_is_drawn_by_the_fields_that_it_was_asked_for(self):
        self.plot(RUNS["plm"])
        self.check_svg(self.directory / "plane_000002.svg", "slice at z = 1, t = ", "Mach number", "temperature p / ρ")
        self.check_svg(self.directory / "whole_000001.svg", "output 'whole', t = ", "entropy p / ρ^γ")

    def test_runs_with_budgets_lie_over_each_other_with_what_is_unexplained(self):
        files = [str(RUNS[name] / "history.csv") for name in ("plm", "ppm")]
        made = self.drawn(history.history, files, [], "Taylor-Green", ["plm", "ppm"])
        shown = [axes.get_ylabel().replace("\n", " ") for axes in made.axes if axes.get_visible()]
        self.assertEqual(shown[-2:], ["unexplained mass, relative", "unexplained energy, relative"])
        self.assertEqual(len(shown), len(history.SHARED))

    def test_together_draws_one_picture_of_each_kind(self):
        self.plot(RUNS["hll"], RUNS["roe"], "--together", "--time", 0.06)
        self.assertEqual(sorted(file.name for file in self.directory.glob("*.png")),
                         ["hll_roe_fields.png", "hll_roe_histogram.png", "hll_roe_history.png"])
        self.check_svg(self.directory / "hll_roe_fields.svg", "Sod shock tube, t = 0.05", "hll", "roe", "exact")

    def test_a_name_keeps_its_dots(self):
        runs = [shutil.copytree(RUNS[name], self.directory / f"scheme.riemann={name}") for name in ("hll", "roe")]
        self.plot(*runs, "--difference")
        self.check_svg(self.directory / "scheme.riemann=hll_scheme.riemann=roe_difference.svg",
                       "density: scheme.riemann=hll −", "scheme.riemann=roe")

    def test_times_of_a_run_together(self):
        self.plot(RUNS["hll"], "--together", "--time", 0, "--dump", 2, "--field", "pressure")
        self.check_svg(self.directory / "hll_fields_pressure.svg", "t = 0", "t = 0.1", "pressure")

    def test_a_difference_of_two_runs_and_of_two_times(self):
        self.plot(RUNS["hll"], RUNS["roe"], "--difference")
        self.check_svg(self.directory / "hll_roe_difference.svg", "density: hll − roe", "difference, t = 0.1")
        self.plot(RUNS["hll"], "--difference", "--dump", 2, "--dump", 0)
        self.check_svg(self.directory / "hll_difference.svg", "density: dump 2 − dump 0")

    def test_without_output_the_pictures_are_in_the_present_directory(self):
        done = pictures.subprocess.run([pictures.HALFSTEP, "plot", RUNS["hll"], RUNS["roe"], "--difference"],
                                       cwd=self.directory, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "hll_roe_difference.png\nhll_roe_difference.svg\n"))
        self.assertTrue((self.directory / "hll_roe_difference.png").exists())

    def test_no_picture_of_another_run_is_replaced(self):
        kept = {}
        for name, file in (("hll", "history"), ("roe", "history_2"), ("hll", "history")):
            done = run("plot", RUNS[name] / "history.csv", "--output", self.directory)
            self.assertEqual(done.stdout, f"{self.directory}/{file}.png\n{self.directory}/{file}.svg\n")
            data = (self.directory / f"{file}.png").read_bytes()
            self.assertEqual(kept.setdefault(file, data), data)
        mine = self.directory / "histogram.svg"
        mine.write_text("a person's")
        self.plot(RUNS["hll"] / "histogram.csv")
        self.assertEqual(mine.read_text(), "a person's")
        self.assertTrue((self.directory / "histogram_2.svg").exists())
        self.assertNotIn(str(RUNS["hll"]), (self.directory / "history.svg").read_text())

    def test_what_is_no_regular_file_stays_and_is_not_read(self):
        for name, put in (("history", lambda path: path.symlink_to(self.directory / "missing")),
                          ("history_2", lambda path: path.symlink_to("/dev/zero")),
                          ("history_3", pictures.os.mkfifo), ("history_4", pathlib.Path.mkdir)):
            put(self.directory / f"{name}.png")
        self.assertEqual(self.plot(RUNS["hll"] / "history.csv").split()[0], f"{self.directory}/history_5.png")
        self.assertEqual(len(list(self.directory.glob("*.png"))), 5)

    def test_options_of_scales_hold_for_whatever_has_one(self):
        self.plot(RUNS["hll"] / "histogram.csv", "--range", "0,3", "--title", "A histogram", "--time", 0.05)
        self.check_svg(self.directory / "histogram.svg", "A histogram", "t = 0.05")
        self.plot(RUNS["hll"] / "history.csv", "--column", "energy", "--log", "--range", "1,3", "--size", "800x500")
        self.plot(RUNS["hll"] / "events.jsonl", "--title", "Events")

    def test_a_time_without_dumps_is_that_of_the_histogram(self):
        kept = shutil.copytree(RUNS["hll"], self.directory / "kept")
        for file in (*kept.glob("fields*"), kept / "fields.vtkhdf.series"):
            file.unlink(missing_ok=True)
        self.plot(kept, "--time", 0.05)
        self.assertEqual([text for text in self.texts(self.directory / "histogram.svg") if text.startswith("t = ")],
                         ["t = 0.05"])

    def test_pictures_of_a_dump_have_names_that_say_what_of_it_they_show(self):
        last = RUNS["space"] / "fields_000001.vtkhdf"
        for words, name in ((["--cut", "z=0.5"], "fields_000001_density_z=0.5"),
                            (["--maximum"], "fields_000001_density_maximum"),
                            (["--zoom", "x=1e-3,2"], "fields_000001_density_x=0.001..2"),
                            (["--range", "0,2", "--colours", "magma", "--size", "800x500"], "fields_000001_density")):
            self.assertEqual(self.plot(last, "--field", "density", *words).split()[0], f"{self.directory}/{name}.png")
        with Image.open(self.directory / "fields_000001_density.png") as image:
            self.assertEqual(image.size, (800, 500))

    def test_a_later_run_moves_all_of_them_aside(self):
        kept = compute("taylor_green", self.directory / "kept", "mesh.cells=[8,8,8]", "time.end=0.05",
                       "scalars={dye: 0.5}", "output.fields=[density,velocity,pressure,mass_fraction]",
                       "output.histogram.field=mach")
        for words in (["--field", "dye", "--cut", "z=0.5"], ["--field", "velocity_x", "--zoom", "x=-1,2.5"],
                      ["--field", "entropy", "--maximum", "--movie"], ["--column", "dye_mass"]):
            done = run("plot", kept, *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        drawn = {file.name for file in kept.iterdir() if file.suffix in (".png", ".svg", ".gif")}
        self.assertGreater(len(drawn), 8)
        (kept / "fields_000001_mine.png").write_text("a person's")
        compute("taylor_green", kept, "mesh.cells=[8,8,8]", "time.end=0.01")
        self.assertEqual({file.name for file in kept.iterdir() if file.suffix in (".png", ".svg", ".gif")},
                         {"fields_000001_mine.png"})
        self.assertLessEqual(drawn, {file.name for file in (self.directory / "kept.previous").iterdir()})

    def test_no_scalar_has_the_name_of_what_is_drawn(self):
        with dump.Dump(str(RUNS["space"] / "fields_000001.vtkhdf")) as made:
            for name in quantity.quantities(made):
                done = run("check", ROOT / "inputs/sod.yaml", f"scalars={{{name}: 0.5}}")
                self.assertEqual(done.returncode, 2, name)
                self.assertIn(f"'scalars' cannot name a scalar '{name}'", done.stderr)

    def test_options_that_make_no_sense_are_refused(self):
        one, two, space, table = RUNS["hll"], RUNS["roe"], RUNS["space"], self.directory / "sweep.json"
        gone = self.directory / "cut.vtkhdf.series"
        gone.write_text('{"file-series-version": "1.0", "files": [{"name": "cut_000000.vtkhdf", "time": 0}]}')
        for message, words in (
                ("t = 0.2 is outside the run in", [one, "--time", 0.2]),
                ("its dumps reach from t = 0 to 0.1", [one, "--time", -1]),
                ("no dump 7 in", [one, "--dump", 7]),
                ("lines have no colour map", [one, "--field", "density", "--colours", "magma"]),
                ("--range is '2,1', which ends where it begins", [one, "--field", "density", "--range", "2,1"]),
                ("--range is '2', which is not LOW,HIGH", [one, "--range", 2]),
                ("--range is for one field, and 3 are drawn", [one, "--range", "1,2"]),
                ("no logarithm of 'velocity_x'", [one, "--log", "--field", "velocity_x", "--time", 0]),
                ("no colour map 'blu'", [one, "--colours", "blu"]),
                ("z = 70 is outside the mesh", [space, "--cut", "z=70"]),
                ("does not vary along z", [one, "--cut", "z=0"]),
                ("--cut is 'w=1', which is not AXIS=POSITION", [space, "--cut", "w=1"]),
                ("--cut is 'z=up', whose position is no number", [space, "--cut", "z=up"]),
                ("--cut is given twice along z", [space, "--cut", "z=1", "--cut", "z=2"]),
                ("--maximum and --cut exclude each other", [space, "--cut", "z=1", "--maximum"]),
                ("a maximum along each axis is of a flow in space", [one, "--maximum"]),
                ("--size is '10x10', which is not WIDTHxHEIGHT", [one, "--size", "10x10"]),
                ("--cut is for a dump", [one / "history.csv", "--cut", "x=0"]),
                ("--time is for the directory of a run", [one / "fields_000001.vtkhdf", "--time", 0]),
                ("--time is for the directory of a run, a list of dumps, a histogram or a spectrum", [one / "history.csv", "--time", 0]),
                ("--range is for a dump", [one / "history.csv", "--range", "0,1"]),
                ("--log is for a dump", [one / "history.csv", "--log"]),
                ("--log is for a dump", [one / "events.jsonl", "--log"]),
                ("--column is for a history", [RUNS["probed"] / "wall.csv", "--column", "mass"]),
                ("no dump 7 in", [RUNS["probed"] / "cut.vtkhdf.series", "--dump", 7]),
                ("no field 'densty'", [RUNS["probed"] / "wall.csv", "--field", "densty"]),
                ("--range is for one field, and 3 are drawn", [RUNS["probed"] / "wall.csv", "--range", "0,1"]),
                ("names no dump that is there", [gone, "--movie"]),
                ("--column is for a history", [one / "histogram.csv", "--column", "mass"]),
                ("--range is for a dump", [table, "--range", "0,1"]),
                ("--title is for the directory of a run or a file in it", [table, "--title", "x"]),
                ("--size is for the directory of a run or a file in it", [table, "--size", "800x500"]),
                ("--column is of histories", [one, two, "--difference", "--column", "mass"]),
                ("--difference is of two different dumps, and one is given", [one, "--difference"]),
                ("there is one thing to draw", [one, one, "--together"]),
                ("is of another mesh than", [one, RUNS["tube"], "--difference"]),
                ("differ in their number of dimensions", [one, space, "--together"]),
                ("cannot be drawn together", [one, two / "events.jsonl", "--together"]),
                ("--together and --difference exclude", [one, two, "--together", "--difference"]),
                ("are of different fields", [one, compute("sod", self.directory / "mach", "mesh.cells=[48,1,1]",
                                                          "time.end=0.1", "output.histogram.field=mach"),
                                             "--together"])):
            self.refused(message, *words)


class Sweeps(Plot):
    def test_a_sweep_has_a_picture_of_its_errors_over_the_mesh(self):
        done = run("sweep", ROOT / "inputs/sod.yaml", "scheme.riemann=hll,roe", "mesh.cells.x=16,32", "time.end=0.05",
                   "--backend", "host", "--output", self.directory / "sweep")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith(f"{self.directory}/sweep/sweep.png\n{self.directory}/sweep/sweep.svg\n"))
        self.check_png(self.directory / "sweep/sweep.png")
        self.check_svg(self.directory / "sweep/sweep.svg", "scheme.riemann = roe", "order 1", "L1 error, density",
                       "cells along an axis")
        for named in ("sweep/sweep.json", "sweep"):
            self.assertEqual(self.plot(self.directory / named).splitlines()[0], f"{self.directory}/sweep.png")

    def test_no_picture_of_another_sweep_is_replaced(self):
        row = {"time.cfl": 0.2, "status": "finished", "steps": 4, "rejections": 0, "seconds": 0.5}
        for name, file in (("one", "sweep"), ("two", "sweep_2"), ("one", "sweep")):
            source = self.directory / name / "sweep.json"
            source.parent.mkdir(exist_ok=True)
            source.write_text(json.dumps({"sweep": f"{name}.yaml", "columns": list(row), "rows": [row]}))
            done = run("plot", source, "--output", self.directory)
            self.assertEqual(done.stdout, f"{self.directory}/{file}.png\n{self.directory}/{file}.svg\n")
            self.check_svg(self.directory / f"{file}.svg", f"Sweep of {name}.yaml")

    def test_errors_are_lines_of_runs_that_differ_in_their_mesh_alone(self):
        rows = [{"mesh.cells": f"[{n}, {n}, 1]", "scheme.riemann": name, "status": "finished", "steps": n,
                 "rejections": 0, "seconds": 1.0, "L1 density": factor / n if n < 64 else "-"}
                for n in (32, 16, 64) for name, factor in (("hll", 1), ("roe", 2))]
        table = {"sweep": "sod.yaml", "columns": list(rows[0]), "rows": rows}
        self.assertEqual(sweep.series(table, "L1 density"),
                         [("scheme.riemann = hll", (16, 32), (1 / 16, 1 / 32)),
                          ("scheme.riemann = roe", (16, 32), (2 / 16, 2 / 32))])
        lines = sweep.errors(table, ["L1 density"]).axes[0].lines
        numpy.testing.assert_allclose(lines[-1].get_ydata(), [2 / 16, 2 / 64])  # second order

    def test_errors_of_runs_that_did_not_finish_are_left_out(self):
        rows = [{"mesh.cells": n, "status": "exhausted" if n == 32 else "finished", "steps": n, "rejections": 0,
                 "seconds": 1.0, "L1 density": 1e-4 / n} for n in (16, 32, 64)]
        table = {"sweep": "sod.yaml", "columns": list(rows[0]), "rows": rows}
        self.assertEqual(sweep.series(table, "L1 density"), [("", (16, 64), (1e-4 / 16, 1e-4 / 64))])
        (self.directory / "sweep.json").write_text(json.dumps(table))
        self.plot(self.directory / "sweep.json")
        self.check_svg(self.directory / "sweep.svg", "Sweep of sod.yaml: 2 of 3 runs finished")
        bars = sweep.bars(table, ["L1 density", "steps"])
        self.assertEqual([bar.get_width() for bar in bars.axes[0].patches], [1e-4 / 16, 0, 1e-4 / 64])
        self.assertEqual([text.get_text() for text in bars.axes[0].texts], [" exhausted"])
        self.assertEqual([bar.get_width() for bar in bars.axes[1].patches], [16, 32, 64])

    def test_numbers_below_bars_have_room(self):
        rows = [{"scheme.riemann": name, "status": "finished", "steps": 1, "rejections": 0, "seconds": 1.0,
                 "L1 density": 0.00193} for name in ("hll", "roe")]
        made = sweep.bars({"columns": list(rows[0]), "rows": rows}, ["L1 density"] * 3)
        made.draw_without_rendering()
        for axes in made.axes:
            labels = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
            self.assertTrue(all(left.x1 < right.x0 for left, right in zip(labels, labels[1:])))

    def test_a_sweep_without_a_mesh_has_a_bar_a_run(self):
        rows = [{"time.cfl": cfl, "status": "finished", "steps": steps, "rejections": 0, "seconds": 0.5}
                for cfl, steps in ((0.2, 40), (0.4, 20))]
        (self.directory / "sweep.json").write_text(json.dumps({"sweep": "sod.yaml", "columns": list(rows[0]),
                                                               "rows": rows}))
        made = sweep.bars({"columns": list(rows[0]), "rows": rows}, ["steps"])
        self.assertEqual([bar.get_width() for bar in made.axes[0].patches], [40, 20])
        self.plot(self.directory / "sweep.json")
        self.check_svg(self.directory / "sweep.svg", "time.cfl = 0.4", "rejections")
        for broken in ({"sweep": "x", "rows": [{}]}, {"sweep": "x", "columns": ["a"], "rows": [{"a": 1}]}):
            (self.directory / "sweep.json").write_text(json.dumps(broken))
            self.refused("the rows are not those of a sweep", self.directory / "sweep.json")


class Dissipation(pictures.Test):
    def test_rates_are_in_units_of_the_vortex_and_drawn_over_those_of_dns(self):
        # In the vortex' units E = exp(-t / 4) / 8; here density 2, speed 3, length 0.5, volume (2 pi 0.5)^3.
        units = {"volume": numpy.pi ** 3, "density": 2, "speed": 3, "length": 0.5, "viscosity": 2 * 3 * 0.5 / 1600}
        t = numpy.linspace(0, 10, 4001)
        energy = numpy.exp(-t / 4) / 8
        # The enstrophy that gives this dissipation, which is 2 / 1600 * omega^2 / 2 in those units.
        omega = energy / 4 * 1600 / 2
        rows = [f"{n},{a:.17g},0.001,1,{b:.17g},{c:.17g}" for n, (a, b, c) in enumerate(zip(
            t * 0.5 / 3, energy * units["volume"] * 2 * 9, omega * units["volume"] * 2 * (3 / 0.5) ** 2))]
        file = self.directory / "history.csv"
        file.write_text("step,time,dt,attempts,kinetic_energy,enstrophy\n" + "\n".join(rows) + "\n")
        picture = history.dissipation(str(file), "Vortex", units)
        left, right = picture.made.axes
        numpy.testing.assert_allclose(left.lines[0].get_xdata(), t, atol=1e-12)
        numpy.testing.assert_allclose(left.lines[0].get_ydata(), energy, rtol=1e-12)
        rate, resolved, dns = right.lines
        numpy.testing.assert_allclose(rate.get_ydata()[1:-1], numpy.exp(-rate.get_xdata()[1:-1] / 4) / 32, rtol=1e-4)
        numpy.testing.assert_allclose(resolved.get_ydata(), energy / 4, rtol=1e-12)
        known = numpy.genfromtxt(ROOT / "tests/reference/taylor_green_re1600.csv", delimiter=",")[1:]  # below the names
        numpy.testing.assert_array_equal(dns.get_xdata(), known[:, 0])
        numpy.testing.assert_array_equal(dns.get_ydata(), known[:, 2])
        picture.save(self.directory / "dissipation")
        picture.close()
        self.check_svg(self.directory / "dissipation.svg", "Vortex, dissipation", "spectral DNS",
                       "halfstep, from the enstrophy")

    def test_the_program_carries_the_reference_with_it(self):
        vortex = compute("taylor_green_re1600", self.directory / "vortex", "mesh.cells=[8,8,8]", "time.end=0.3")
        self.assertEqual(run("plot", vortex).returncode, 0)
        self.check_svg(vortex / "dissipation.svg", "dissipation", "spectral DNS")


if __name__ == "__main__":
    pictures.HALFSTEP = sys.argv.pop(1)
    unittest.main()
