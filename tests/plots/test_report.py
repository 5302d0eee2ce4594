#!/usr/bin/env python3
"""`halfstep report` in a real browser: the page of a run stands alone, shows everything, and fits a phone.

Usage: test_report.py HALFSTEP
"""
import html
import json
import pathlib
import re
import sys
import tempfile
import unittest

import browser
import pictures
from pictures import compute, run

TITLE = "<script>document.body.remove()</script> Tube & \"quotes\" $x$"
RUN, PAGE = {}, {}


def setUpModule():
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    root = pathlib.Path(scratch.name)
    deck = root / "deck.yaml"
    text = (pictures.ROOT / "inputs/too_long_step.yaml").read_text()
    deck.write_text(re.sub("^title: .*", lambda _: f"title: {json.dumps(TITLE)}", text, flags=re.M))
    RUN["directory"] = compute(deck, root / "a run", "mesh.cells=[64,1,1]", "time.dt=0.05")
    done = run("report", RUN["directory"])
    if "was not found (apt-get install" in done.stderr:
        print(f"skipped: {done.stderr}")
        sys.exit(77)
    assert (done.returncode, done.stdout) == (0, f"{RUN['directory']}/report.html\n"), done.stderr
    RUN["page"] = RUN["directory"] / "report.html"
    RUN["summary"] = json.loads((RUN["directory"] / "summary.json").read_text())
    PAGE["browser"] = browser.Browser(browser.find())
    unittest.addModuleCleanup(PAGE["browser"].close)


class Report(pictures.Test):
    def open(self, page=None, **options):
        PAGE["browser"].open((page or RUN["page"]).as_uri(), **options)
        return PAGE["browser"]

    def test_it_loads_without_a_complaint_and_fetches_nothing(self):
        page = self.open()
        self.assertEqual(page.complaints, [])
        self.assertEqual([url for url in page.fetched if not url.startswith("data:")], [RUN["page"].as_uri()])

    def test_its_pictures_are_decoded_and_described(self):
        page = self.open()
        images = page.value("[...document.images].map(image => [image.naturalWidth, image.naturalHeight, image.alt])")
        self.assertEqual(len(images), 4)  # the flow at its end and at several times, the history, the events
        for width, height, alt in images:
            self.assertGreater(width, 600)
            self.assertGreater(height, 200)
            self.assertGreater(len(alt), 10)

    def test_the_title_is_text_whatever_is_in_it(self):
        page = self.open()
        self.assertEqual(page.value("document.querySelector('h1').textContent"), TITLE)
        self.assertEqual(page.value("document.scripts.length"), 1)
        self.assertNotIn(TITLE, RUN["page"].read_text())
        self.assertIn(html.escape(TITLE), RUN["page"].read_text())

    def test_a_script_that_is_not_the_pages_own_does_not_run(self):
        bad = self.directory / "bad.html"
        bad.write_text(RUN["page"].read_text().replace("</main>", "<script>window.broken = 1</script></main>"))
        page = self.open(bad)
        self.assertIsNone(page.value("window.broken"))
        self.assertTrue(any("Content Security Policy" in complaint for complaint in page.complaints))

    def test_status_verdict_figures_and_environment_are_seen(self):
        page = self.open()
        shown = page.value("document.body.innerText")
        summary = RUN["summary"]
        self.assertEqual(page.value("document.querySelector('.status').textContent"), "finished")
        for field, norms in summary["verdict"].items():
            self.assertRegex(shown, rf"{field}\s+{norms['l1']:.4g}\s+{norms['l2']:.4g}\s+{norms['linf']:.4g}")
        for text in (f"{summary['steps']}\nin {summary['attempts']} attempts", summary["device"], summary["git"],
                     f"rejected attempts\n{summary['rejections']}"):
            self.assertIn(text, shown)

    def test_setup_origin_and_budget_are_seen(self):
        shown = self.open().value("document.body.innerText")
        summary = RUN["summary"]
        for text in ("64 cells; x from 0 to 1", "weno5z, characteristic", "Riemann solver\nhllc", summary["host"],
                     summary["date"], f"--output '{RUN['directory']}'"):
            self.assertIn(text, shown)
        for part, of in (("at the start", summary["totals"]["start"]), ("at the end", summary["totals"]["end"])):
            self.assertRegex(shown, rf"{part}\s+{of['mass']:.6g}\s")
        for side in ("lower", "upper"):
            came = abs(summary["budget"][f"x_{side}"]["momentum"][0])
            self.assertRegex(shown, rf"through the {side} side of x\s+.*{came:.3g}")
        self.assertRegex(shown, "unexplained\\s")

    def test_the_deck_is_that_of_the_run(self):
        page = self.open()
        self.assertEqual(page.value("document.querySelector('#deck pre').textContent"),
                         (RUN["directory"] / "deck.yaml").read_text())

    def test_every_event_is_a_row_and_a_click_sorts_them(self):
        page = self.open()
        events = [json.loads(line) for line in (RUN["directory"] / "events.jsonl").read_text().splitlines()]
        told = [event for event in events if event["event"] != "repair"]
        column = "[...document.querySelectorAll('#events tbody tr')].map(row => row.cells[%d].textContent)"
        self.assertEqual(page.value(column % 0), [event["event"].replace("_", " ") for event in told])
        heads = page.value("[...document.querySelectorAll('#events thead button')].map(head => head.textContent)")
        dt = heads.index("dt")
        before = [float(value) for value in page.value(column % dt) if value]
        self.assertNotEqual(before, sorted(before))
        for order, down in (("ascending", False), ("descending", True)):
            page.value(f"document.querySelectorAll('#events thead button')[{dt}].click()")
            values = page.value(column % dt)
            numbers = [float(value) for value in values if value]
            self.assertEqual(numbers, sorted(before, reverse=down))
            head = f"document.querySelectorAll('#events th')[{dt}]"
            self.assertEqual(page.value(f"{head}.getAttribute('aria-sort')"), order)
            self.assertEqual(values[len(numbers):], [""] * (len(values) - len(numbers)))  # empty cells come last
        self.assertEqual(page.complaints, [])

    def test_a_phone_shows_it_without_moving_sideways_and_every_colour_is_readable(self):
        for width in (360, 390, 820, 1280):
            for dark in (False, True):
                page = self.open(width=width, dark=dark)
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                self.assertGreater(page.value("""(() => {
                    // The least contrast of text on its background (WCAG 2.1).
                    const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
                        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                        .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
                    const behind = element => {
                        while (element && /, 0\\)|transparent/.test(getComputedStyle(element).backgroundColor))
                            element = element.parentElement;
                        return light(getComputedStyle(element || document.body).backgroundColor);
                    };
                    return Math.min(...[...document.querySelectorAll('h1,h2,p,a,dt,dd,small,th,td,pre,summary,span')]
                        .map(one => [light(getComputedStyle(one).color), behind(one)].sort((a, b) => b - a))
                        .map(([a, b]) => (a + 0.05) / (b + 0.05)));
                })()"""), 4.5)

    def test_a_run_without_an_exact_solution_or_events_says_so(self):
        directory = compute("double_mach", self.directory / "mach", "mesh.cells=[48,12,1]", "time.end=0.01")
        self.assertEqual(run("report", directory).returncode, 0)
        page = self.open(directory / "report.html")
        shown = page.value("document.body.innerText")
        self.assertIn("There is no exact solution to compare with", shown)
        self.assertIn("No picture: every step was accepted at its first attempt.", shown)
        self.assertEqual(page.value("document.images.length"), 3)

    def test_a_run_that_has_not_ended_has_a_report_too(self):
        directory = compute("sod", self.directory / "sod", "mesh.cells=[32,1,1]", "time.end=0.05")
        for gone in ("summary.json", "fields.vtkhdf.series"):
            (directory / gone).unlink()
        self.assertEqual(run("report", directory).returncode, 0)
        page = self.open(directory / "report.html")
        self.assertEqual(page.value("document.querySelector('.status').textContent"), "under way")
        self.assertIn("There is no dump.", page.value("document.body.innerText"))
        self.assertEqual(page.complaints, [])

    def test_a_directory_without_a_run_is_exit_code_2(self):
        for place in (self.directory, self.directory / "missing"):
            done = run("report", place)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"'{place}' holds no run", done.stderr)


if __name__ == "__main__":
    pictures.HALFSTEP = sys.argv.pop(1)
    if not browser.find():
        print("skipped: there is no browser (apt-get install chromium)")
        sys.exit(77)
    unittest.main()
