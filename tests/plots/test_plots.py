#!/usr/bin/env python3
"""`halfstep plot` on sample reports: the pictures exist, are complete and show the figures of the report.

Usage: test_plots.py HALFSTEP
"""
import json
import pathlib
import sys
import tempfile
import unittest

import pictures
import samples
from pictures import run


def has_matplotlib():
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "timers.json"
        file.write_text(json.dumps(samples.timers()))
        return "matplotlib was not found" not in run("plot", file).stderr


class Plots(pictures.Test):
    def put(self, name, report):
        file = self.directory / name
        file.write_text(report if isinstance(report, str) else json.dumps(report))
        return file

    def names(self):
        return sorted(file.name for file in self.directory.iterdir())

    def test_every_study_has_its_picture(self):
        for name, (report, texts) in samples.SAMPLES.items():
            with self.subTest(name):
                file = self.put("study.json", report)
                done = run("plot", file)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                png, svg = self.directory / "study.png", self.directory / "study.svg"
                self.assertEqual(done.stdout, f"{png}\n{svg}\n")
                self.check_png(png)
                self.assertLess(png.stat().st_size, 150_000)
                self.check_svg(svg, report["title"], "git 0123456789", "A device, sm_90", *texts)
                png.unlink()
                svg.unlink()

    def test_a_benchmark_is_drawn_as_a_roofline(self):
        report = samples.bench()
        file = self.put("bench.json", report)
        done = run("plot", file)
        png, svg = self.directory / "bench.png", self.directory / "bench.svg"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{png}\n{svg}\n", ""))
        self.check_png(png)
        self.check_svg(svg, "The built-in set: linear_wave, 256 x 256 x 256 cells, hllc", "git 0123456789",
                       "A device, sm_90", "limit, double: copy 4000 GB/s, FMA 34000 GFLOP/s",
                       "limit, single: copy 4000 GB/s, FMA 67000 GFLOP/s",
                       "plm primitive ssprk2 double: 4013.9 GFLOP/s, 12 % of FMA, 21 % of copy", "FLOP a byte")
        self.assertFalse([text for text in self.texts(svg) if "ppm" in text])  # its operations are not counted
        for rows, reason in ((report["rows"][-1:], "no row has its operations counted"),
                             ([{"deck": "a"}], "no row has its operations counted")):
            done = run("plot", self.put("other.json", {**report, "rows": rows}))
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"no picture: {reason}", done.stdout)
            self.assertFalse((self.directory / "other.png").exists())
        done = run("plot", self.put("other.json", {**report, "rows": [{"flops_per_second": 1}]}))
        self.assertEqual(done.returncode, 2)
        self.assertIn("other.json' cannot be drawn: the rows are not those of a benchmark", done.stderr)

    def test_the_same_report_gives_the_same_files(self):
        file = self.put("a.json", samples.measured("registers"))
        pictures = []
        for name in ("first", "second"):
            self.assertEqual(run("plot", file, "--output", self.directory / name).returncode, 0)
            pictures.append([(self.directory / name / f"a.{kind}").read_bytes() for kind in ("png", "svg")])
        self.assertEqual(*pictures)

    def test_several_files_go_into_a_directory(self):
        files = [self.put("a.json", samples.measured("streams")), self.put("b.json", samples.other())]
        self.assertEqual(run("plot", *files, "--output", self.directory / "deep/er").returncode, 0)
        drawn = sorted(file.name for file in (self.directory / "deep/er").iterdir())
        self.assertEqual(drawn, ["a.png", "a.svg", "b.png", "b.svg"])
        self.assertEqual(self.names(), ["a.json", "b.json", "deep"])

    def test_columns_of_another_version_are_drawn_as_bars(self):
        report = samples.timers()
        for row in report["rows"]:
            row["clock"] = row.pop("timer")
        report["columns"][1] = "clock"
        self.assertEqual(run("plot", self.put("timers.json", report)).returncode, 0)
        self.check_svg(self.directory / "timers.svg", "cold · gettimeofday", "runs")

    def test_where_there_is_nothing_to_draw_that_is_said(self):
        nothing = samples.timers()
        for row in nothing["rows"]:
            row["median (ms)"] = samples.NOT_MEASURED
        for report, reason in ((nothing | {"study": "async-error"}, "the table says it all"), (nothing, "nothing was measured")):
            file = self.put("a.json", report)
            done = run("plot", file)
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"{file}: no picture: {reason}", done.stdout)
            self.assertEqual(self.names(), ["a.json"])

    def test_rows_that_are_not_those_of_a_study_are_refused(self):
        for change in ({"columns": ["another"]}, {"rows": [5]}):
            file = self.put("a.json", {**samples.other(), **change})
            done = run("plot", file)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"'{file}' cannot be drawn: the rows are not those of a study", done.stderr)
            self.assertEqual(self.names(), ["a.json"])

    def test_what_cannot_be_drawn_is_one_message_and_exit_code_2(self):
        good = self.put("good.json", samples.other())
        for name, text, message in (
                ("a.json", "{\"study\": ", "is not JSON: byte 11 is wrong"),
                ("a.json", {"study": "timers", "rows": []}, "has no rows"),
                ("a.json", {"bench": "a deck", "rows": []}, "has no rows"),
                ("a.json", {"rows": [{"a": 1}]}, "is not of a study or a benchmark"),
                ("a.json", [1, 2], "is not of a study or a benchmark"),
                ("a.csv", "a,b", "is not a history"),
                ("a.txt", "a,b", "cannot draw")):
            done = run("plot", good, self.put(name, text))
            self.assertEqual(done.returncode, 2, message)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("error:"), 1)
            (self.directory / name).unlink()
        done = run("plot", good, self.directory / "missing.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("missing.json' does not exist", done.stderr)
        self.assertEqual(self.names(), ["good.json"])

    def test_without_matplotlib_plot_fails_and_says_what_to_install(self):
        done = run("plot", self.put("a.json", samples.other()), **self.without("matplotlib"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get install python3-matplotlib", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_study_that_writes_files_draws_too(self):
        done = run("study", "atomics", "--output", self.directory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_png(self.directory / "atomics.png")
        self.check_svg(self.directory / "atomics.svg", "halfstep study atomics", "ms (median)")

    def test_without_matplotlib_a_study_says_so_and_is_done(self):
        done = run("study", "atomics", "--output", self.directory, **self.without("matplotlib"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "no picture: python3 with matplotlib was not found (apt-get install "
                         f"python3-matplotlib); 'halfstep plot {self.directory}/atomics.json' draws it later\n")
        self.assertIn("atomics.json", self.names())
        self.assertNotIn("atomics.png", self.names())

    def test_a_picture_that_cannot_be_written_fails(self):
        (self.directory / "a.png").mkdir()
        done = run("plot", self.put("a.json", samples.other()))
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.png", done.stderr)


if __name__ == "__main__":
    pictures.HALFSTEP = sys.argv.pop(1)
    if not has_matplotlib():
        print("skipped: python3 has no matplotlib (apt-get install python3-matplotlib)")
        sys.exit(77)
    unittest.main()
