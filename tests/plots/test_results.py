#!/usr/bin/env python3
"""Tests docs/results/make.py on sample reports, and that the committed page is the one that its reports give."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import samples

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs/results"


def make(*words):
    return subprocess.run([sys.executable, str(RESULTS / "make.py"), *map(str, words)], capture_output=True, text=True)


class Results(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def page(self):
        done = make(self.directory, "--text-only")
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.directory / "README.md").read_text()

    def test_a_study_is_a_section_with_its_run_text_picture_findings_and_tables(self):
        report = samples.measured("atomics")
        report["findings"] = [{"claim": "Shared | fast", "there": "13", "here": "20", "standing": "holds",
                               "why": "banks"}]
        report["failures"] = ["too slow"]
        (self.directory / "atomics.json").write_text(json.dumps(report))
        (self.directory / "text").mkdir()
        (self.directory / "text/atomics.md").write_text("How to read it.\n")
        (self.directory / "atomics.png").touch()
        page = self.page()
        for part in ("## atomics\n\n`halfstep study atomics`, 2026-01-31: A device, sm_90, driver 580.65.06, "
                     "nvcc 13.0.48, commit 0123456789.\n\nHow to read it.\n\n![", "](atomics.png)",
                     "**Falls short:** too slow", "| Shared \\| fast | 13 | 20 | holds | banks |", "| GPU, shared atomics | 0.0",
                     "**A dot product of 33554432 floats**", "- [atomics](#atomics)"):
            self.assertIn(part, page)

    def test_registers_begin_with_the_source_s_tables_and_the_findings(self):
        report = samples.report("registers", "Long", ["n"], [[1]])
        report["tables"] = [dict(report, name=name, title=name.upper()) for name in ("cliffs", "table_1", "table_2")]
        report["findings"] = [{"claim": "Costly", "there": "13", "here": "20", "standing": "holds", "why": "spills"}]
        (self.directory / "registers.json").write_text(json.dumps(report))
        page = self.page()
        order = [page.index(part) for part in ("TABLE_2", "TABLE_1", "| Costly |", "Long", "CLIFFS")]
        self.assertEqual(order, sorted(order))

    def test_a_long_table_is_folded_and_a_very_long_one_left_to_the_report(self):
        for rows, expected in ((31, "<details><summary>Long: 31 rows"), (401, "Long: 401 rows, in [x.json](x.json).")):
            report = samples.report("x", "Long", ["n"], [[n] for n in range(rows)])
            (self.directory / "x.json").write_text(json.dumps(report))
            page = self.page()
            self.assertIn(expected, page)
            self.assertEqual("| 30 |" in page, rows == 31)

    def test_the_page_is_what_its_reports_give(self):
        if not list(RESULTS.glob("*.json")):
            self.skipTest("no results yet")
        copy = self.directory / "results"
        shutil.copytree(RESULTS, copy)
        self.assertEqual(make(copy, "--text-only").returncode, 0)
        self.assertEqual((copy / "README.md").read_text(), (RESULTS / "README.md").read_text(),
                         "run docs/results/make.py")

    def test_no_picture_of_the_pages_is_stale(self):
        done = subprocess.run([sys.executable, str(RESULTS.parent / "pictures.py"), "--check"], capture_output=True,
                              text=True)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))


if __name__ == "__main__":
    unittest.main()
