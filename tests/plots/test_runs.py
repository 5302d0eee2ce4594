#!/usr/bin/env python3
"""`halfstep plot` on runs: the pictures exist and show the right fields, and the numbers drawn are right.

Usage: test_runs.py HALFSTEP
"""
import html
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

import pictures
from pictures import ROOT, compute, run

try:
    import h5py
    import numpy
    from PIL import Image
    sys.path.insert(0, str(ROOT / "app/plot"))
    import dump
    import flow
    import history
    import quantity
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


class Runs(pictures.Test):
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

    def test_a_directory_gives_the_last_dump_the_history_and_the_events(self):
        self.plot(RUNS["tube"])
        self.assertEqual(sorted(file.name for file in self.directory.iterdir()),
                         ["events.png", "events.svg", "fields_000004.png", "fields_000004.svg", "history.png",
                          "history.svg"])
        self.check_svg(self.directory / "fields_000004.svg", "Sod shock tube, step too long, t = 0.2", "exact",
                       "density (mass / length³)", "velocity along x (length / time)", "x (length)", "64 cells")
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
        self.check_svg(file, "Cost: $5 & <more> $6, t = 0.04", "48 × 12 cells", "vorticity along z (1 / time)",
                       "schlieren", "Mach number", "temperature p / ρ", "entropy", "velocity along x", "speed")
        self.assertEqual(file.read_text().count("data:image/png"), 14)  # seven fields with a colour scale each
        self.plot(RUNS["plane"] / "events.jsonl")
        self.check_svg(self.directory / "events.svg", "behind them the density at t = 0.04", "rejected: cfl overrun")

    def test_space_is_three_slices_through_the_middle(self):
        self.plot(RUNS["space"], "--field", "vorticity")
        self.check_svg(self.directory / "fields_000001_vorticity.svg", "magnitude of vorticity (1 / time)",
                       "z = 3.534", "y = 3.456", "x = 3.403")

    def test_a_tube_along_y_is_drawn_along_y_over_its_exact_solution(self):
        self.plot(RUNS["up"])
        self.check_svg(self.directory / "fields_000001.svg", "velocity along y (length / time)", "y (length)", "exact")
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
        self.check_svg(self.directory / "fields_000001.svg", "velocity along x (length / time)", "exact")
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
        (tools / "ffmpeg").write_text("#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\n")
        (tools / "ffmpeg").chmod(0o755)
        path = f"{tools}:{pictures.os.environ['PATH']}"
        done = run("plot", RUNS["plane"], "--movie", "--output", self.directory, PATH=path)
        self.assertIn(f"{self.directory}/movie.mp4\n", done.stdout)
        self.assertEqual((self.directory / "movie.mp4").read_bytes().count(b"\x89PNG\r\n\x1a\n"), 3)

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
        self.refused("missing.vtkhdf' cannot be read", self.directory / "missing.vtkhdf")
        self.refused("missing' cannot be read", self.directory / "missing")
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
                      "<span>time.max_steps is 3</span>", page)
        self.assertIn(".stopped_at_max_steps, .underway { color", page)

    def test_without_h5py_plot_fails_and_says_what_to_install(self):
        done = run("plot", RUNS["tube"], **self.without("h5py"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "halfstep: error: python3 with matplotlib and h5py was not found "
                         "(apt-get install python3-matplotlib python3-h5py)\n")


def write_dump(path, cells, lower, upper, gamma, fields):
    """Writes a dump; `fields` maps each name to a function of x, y, z."""
    spacing = [(b - a) / n for a, b, n in zip(lower, upper, cells)]
    x, y, z = (a + (numpy.arange(n) + 0.5) * h for a, n, h in zip(lower, cells, spacing))
    z, y, x = numpy.meshgrid(z, y, x, indexing="ij")
    with h5py.File(path, "w") as file:
        image = file.create_group("VTKHDF")
        image.attrs["WholeExtent"] = [0, cells[0], 0, cells[1], 0, cells[2]]
        image.attrs["Origin"], image.attrs["Spacing"] = lower, spacing
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
            slab, place = made.slab(2, index)
            numpy.testing.assert_allclose(curl.of(slab)[place], 4, rtol=1e-12)
        # In the plane of x and z the component along y is drawn: d u_x / dz - d u_z / dx.
        shear = lambda x, y, z: numpy.stack([5 * z, 0 * x, 2 * x], axis=-1)
        curl, made = self.one("vorticity", (5, 1, 7), velocity=shear)
        numpy.testing.assert_allclose(curl.of(made.whole()), 3, rtol=1e-12)

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
