#!/usr/bin/env python3
"""Writes README.md and the pictures of this folder from the reports in it: NAME.json of `halfstep study NAME`.

Usage: make.py [DIRECTORY] [--text-only]

The reports themselves it writes anew with a row a line, which takes a third less room.
A second report of a study has a name of its own, NAME_MORE.json.
text/NAME.md, where there is one, goes before the tables of a study. DIRECTORY is by default the one this script is in;
--text-only leaves the pictures as they are, and needs no matplotlib.
"""
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = """\
## Sources

- NVIDIA blog: [Asynchronous Error Reporting: When printf Just Won't
  Do](https://developer.nvidia.com/blog/asynchronous-error-reporting-when-printf-just-wont-do/), NVIDIA Technical Blog, 2023. Table 1 has the
  registers of its kernel on sm_80, Table 2 those, occupancy and times of a flux kernel of hpMusic. Its header is CASerror.h.
- USTH lecture: Atomics, pinned memory and streams in CUDA, lecture at the University of Science and Technology of Hanoi, 2019-20, measured
  on a Quadro M2200 and a laptop.
- Timing CUDA code, 2016: four timers around a vectorAdd of 5,000,000 elements on a K80.
- C. Bozza: GPU interruptible kernels, 2012. The interface of its kernels is that of
  [IntKernel.h](../../runtime/interruptible/facade/IntKernel.h).
"""
ORDER = ("registers", "registers_of_faces", "tune", "detection", "timers", "transfers", "streams", "atomics", "interruptible", "bit-flips",
         "async-error")
COMPARED = {"registers": ("table_2", "table_1"), "registers_of_faces": ("table_2", "table_1")}  # tables beside a source's figures: a study's first
SHOWN, FOLDED = 30, 400  # rows of a table that is shown, or shown on request; longer ones stay in the JSON
PREFACE = """\
# Results

What the studies found, as measured: `halfstep study NAME --output DIR` makes each of them anew, on your own
machine. This page is made by [make.py](make.py) from the reports beside it; every figure is of the run named there.

A commit that ends in `-dirty` is the one that the measured working tree was on top of: here that tree became the change that
brought this page. Times vary between machines; ratios of one run are what can be compared.
"""


def cell_text(cell):
    text = f"{cell:.5g}" if isinstance(cell, float) else str(cell)
    return text.replace("|", "\\|")


def table_lines(columns, rows):
    numeric = [all(isinstance(row[c], (int, float)) for row in rows) for c in columns]
    yield "| " + " | ".join(cell_text(c).strip() for c in columns) + " |"
    yield "|" + "|".join("---:" if n else "---" for n in numeric) + "|"
    for row in rows:
        yield "| " + " | ".join(cell_text(row[c]) for c in columns) + " |"


def table_section(table, source):
    rows, columns = table["rows"], table["columns"]
    title = table["title"]
    if len(rows) > FOLDED:
        yield f"{title}: {len(rows)} rows, in [{source}]({source})."
    elif len(rows) > SHOWN:
        yield from (f"<details><summary>{title}: {len(rows)} rows</summary>", "", *table_lines(columns, rows), "",
                    "</details>")
    else:
        yield from (f"**{title}**", "", *table_lines(columns, rows))
    for note in table["notes"]:
        yield from ("", note)


def findings_section(report):
    if not report["findings"]:
        return
    columns = {"claim": "finding", "there": "there", "here": "here", "standing": "it", "why": "because"}
    rows = [{name: finding[key] for key, name in columns.items()} for finding in report["findings"]]
    yield from ("", "**What others found, and what became of it here**", "", *table_lines(list(columns.values()), rows))


def study_section(directory, stem, report):
    made = report["provenance"]
    yield f"## {stem}"
    yield ""
    yield (f"`{made['command']}`, {made['date']}: {made['device']}, driver {made['driver']}, {made['compiler']}, "
           f"commit {made['git']}.")
    tables = {table["name"]: table for table in report["tables"]}
    compared = [tables.pop(name) for name in COMPARED.get(stem, ()) if name in tables]
    for table in compared:
        yield from ("", *table_section(table, f"{stem}.json"))
    if compared:
        yield from findings_section(report)
    text = directory / "text" / f"{stem}.md"
    if text.exists():
        yield from ("", text.read_text().strip())
    if (directory / f"{stem}.png").exists():
        yield from ("", f"![{report['title']}]({stem}.png)", "", f"The same as [SVG]({stem}.svg).")
    for failure in report["failures"]:
        yield from ("", f"**Falls short:** {failure}")
    if not compared:
        yield from findings_section(report)
    for table in [report, *tables.values()]:
        yield from ("", *table_section(table, f"{stem}.json"))


def compact(value):
    """JSON of a report, a line for every row."""
    if isinstance(value, dict) and "rows" in value:
        return "{\n" + ",\n".join(f"{json.dumps(key)}: {compact(part)}" for key, part in value.items()) + "\n}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(compact(part) for part in value) + "\n]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def page(directory, reports):
    lines = [PREFACE]
    lines += [f"- [{stem}](#{stem})" for stem in reports]
    lines += ["- [sources](#sources)"]
    for stem, report in reports.items():
        lines += ["", *study_section(directory, stem, report)]
    return "\n".join([*lines, "", SOURCES])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    parser.add_argument("--text-only", action="store_true", help="leave the pictures as they are")
    options = parser.parse_args()
    reports = {file.stem: json.loads(file.read_text()) for file in sorted(options.directory.glob("*.json"))}
    if not reports:
        sys.exit(f"{options.directory} has no reports: put the NAME.json of studies there")
    known = [name for name in ORDER if name in reports]
    reports = {name: reports[name] for name in known + [name for name in reports if name not in known]}
    if not options.text_only:
        sys.path.insert(0, str(ROOT / "app/plot"))
        import study
        for stem, report in reports.items():
            try:
                study.draw(report, options.directory / stem)
            except study.NothingToDraw as reason:
                print(f"{stem}: no picture: {reason}")
    for stem, report in reports.items():
        (options.directory / f"{stem}.json").write_text(compact(report) + "\n")
    (options.directory / "README.md").write_text(page(options.directory, reports))


if __name__ == "__main__":
    main()
