"""A run on one page: report.html, which needs no other file and no network."""
import base64
import hashlib
import html
import json
import pathlib
import re

import events
import style
from refusal import Refused, Unusable

SHOWN_EVENTS = 1000  # beyond that a browser is slow, and a person, too

STYLE = """
:root { color-scheme: light dark; --page: #f4f5f7; --card: #ffffff; --text: #1b2330; --quiet: #5b6676; --line: #dde1e7;
  --accent: #0067a5; --good: #00714f; --bad: #b3420a; --waiting: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --page: #10151c; --card: #19212b; --text: #e4e9f0; --quiet: #9aa7b8;
  --line: #2d3846; --accent: #6cbcf0; --good: #4cc79b; --bad: #ff9466; --waiting: #f0b94d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
main, header, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.2rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .8rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .4rem 0; }
a { color: var(--accent); }
.quiet { color: var(--quiet); }
.status { display: inline-block; padding: .1rem .7rem; border: 1.5px solid currentColor; border-radius: 1rem;
  font-weight: 600; font-size: .9rem; margin-right: .5rem; }
.finished { color: var(--good); } .exhausted, .failed { color: var(--bad); }
.interrupted, .stopped_at_max_steps, .underway { color: var(--waiting); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 1rem 0 1.4rem; font-size: .92rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; padding: 1.1rem 1.25rem;
  margin: 0 0 1.25rem; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1rem 1.5rem; margin: 0; }
.tiles dt { color: var(--quiet); font-size: .82rem; }
.tiles dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tiles dd small { display: block; font-size: .82rem; font-weight: 400; color: var(--quiet); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent);
  outline-offset: 2px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { text-align: right; padding: .3rem .9rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.word, th.word { text-align: left; }
thead th { font-weight: 600; border-bottom: 2px solid var(--line); }
thead button { all: unset; cursor: pointer; font-weight: 600; }
thead button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th[aria-sort=ascending] button::after { content: " ▲"; font-size: .7em; }
th[aria-sort=descending] button::after { content: " ▼"; font-size: .7em; }
#events .long { max-height: 32rem; overflow-y: auto; }
#events thead th { position: sticky; top: 0; background: var(--card); }
figure { margin: 0 0 1rem; }
figure img { display: block; margin: 0 auto; max-width: 100%; height: auto; background: #fff; border-radius: .4rem; }
pre { margin: 0; font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-x: auto; }
summary { cursor: pointer; color: var(--quiet); }
details[open] summary { margin-bottom: .8rem; }
footer { padding: 0 1.25rem 2rem; font-size: .85rem; }
@media (max-width: 40rem) { body { font-size: 15px; }
  main, header, footer { padding-left: .75rem; padding-right: .75rem; }
  section { padding: .9rem; } h1 { font-size: 1.4rem; } th, td { padding: .3rem .45rem; }
  figure img { max-width: none; width: 40rem; } /* too small to be read, were it as wide as a phone: it is moved */
  .tiles { grid-template-columns: repeat(2, 1fr); }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .4rem; } }
@media print { :root { --page: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #bbb; }
  body { font-size: 10pt; } nav { display: none; } section { border: 0; padding: 0; }
  section, figure { break-inside: avoid; } #deck, #events { break-inside: auto; } pre { white-space: pre-wrap; }
  #events .long { max-height: none; overflow: visible; }
  figure img { max-width: 100%; width: auto; } }
"""

SCRIPT = """
// A click on a column's name sorts the rows by it, a second one the other way round.
for (const button of document.querySelectorAll('thead button')) {
  button.addEventListener('click', () => {
    const head = button.parentElement, body = head.closest('table').tBodies[0];
    const column = [...head.parentElement.children].indexOf(head);
    const down = head.getAttribute('aria-sort') === 'ascending';
    for (const other of head.parentElement.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const key = row => row.cells[column].textContent;
    const order = (a, b) => {
      if (key(a) === '' || key(b) === '') return (key(a) === '') - (key(b) === '');
      const difference = Number(key(a)) - Number(key(b));
      return (down ? -1 : 1) * (Number.isNaN(difference) ? key(a).localeCompare(key(b)) : difference);
    };
    body.append(...[...body.rows].sort(order));
  });
}
// What is folded on the screen is printed all the same.
addEventListener('beforeprint', () => { for (const one of document.querySelectorAll('details')) one.open = true; });
"""

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

ALTERNATIVES = {"flow": "The flow in the last dump", "together": "The flow at several times",
                "histogram": "How a field is distributed over the cells, at several times",
                "history": "Totals and extrema over the time",
                "dissipation": "Kinetic energy and dissipation over the time, with reference values",
                "events": "When and where steps were redone",
                "output": "What an output of the run holds"}


def text(value):
    return html.escape(style.printable(str(value)))


def figure(number, digits=4):
    """A number as people write it: 3.25, 1.01·10⁻¹⁴. What is no number stays as it is."""
    try:
        shown, _, power = f"{float(number):.{digits}g}".partition("e")
    except (TypeError, ValueError):
        return str(number)
    return shown.replace("-", "−") + (f"·10{str(int(power)).translate(RAISED)}" if power else "")


def size(count):
    """Writes a number of bytes, as the program's own table has it."""
    units = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")
    power = next((n for n in range(5) if count < 1024 ** (n + 1)), 5)
    return f"{count / 1024 ** power:.1f} {units[power]}" if power else f"{count} bytes"


def hashed(inline):
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"


def picture_html(kind, picture):
    """Lines stay lines, unless there are so many that an image is smaller."""
    kind_of_image, data = "svg+xml", picture.svg().encode()
    if len(data) > 1_500_000:
        kind_of_image, data = "png", picture.png()
    width, height = (round(96 * inches) for inches in picture.made.get_size_inches())
    picture.close()
    return (f'<figure class="scroll" tabindex="0"><img alt="{text(ALTERNATIVES[kind])}" width="{width}" '
            f'height="{height}" src="data:image/{kind_of_image};base64,{base64.b64encode(data).decode()}"></figure>')


def read_summary(directory):
    """{} where the run has not ended yet."""
    path = directory / "summary.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, RecursionError, ValueError) as error:
        raise Refused(f"'{path}' cannot be read: {error}") from error
    if not isinstance(summary, dict):
        raise Refused(f"'{path}' is not a run's summary")
    return summary


def tiles(summary):
    def tile(name, value, more=""):
        return f"<div><dt>{text(name)}</dt><dd>{text(value)}{f'<small>{text(more)}</small>' if more else ''}</dd></div>"
    made = [tile("time", figure(summary.get("time"), 6), f"of {figure(summary.get('end_time'), 6)}"),
            tile("steps", summary.get("steps"), f"in {style.counted(summary.get('attempts'), 'attempt')}"),
            tile("rejected attempts", summary.get("rejections"),
                 f"{figure(summary.get('redo_cost_percent'), 3)} % of the wall time"),
            tile("repaired faces", summary.get("repaired_faces")),
            *([tile("steps with scaled elements", summary["scaled_steps"])] if summary.get("scaled_steps") else []),
            tile("first-order steps", summary.get("first_order_steps"),
                 f"floors in {style.counted(summary.get('floored_cells'), 'cell')}"),
            tile("wall time", f"{figure(summary.get('wall_seconds'))} s",
                 f"{figure(summary.get('cell_updates_per_second'), 3)} cell-updates/s")]
    totals = summary.get("totals", {})
    for key, name in (("drift", "unexplained mass"), ("change", "change of mass")):
        if key in totals:
            made.append(tile(name, figure(totals[key]["mass"], 3),
                             f"energy {figure(totals[key]['energy'], 3)}, relative"))
    return f'<dl class="tiles">{"".join(made)}</dl>'


def table(name, told, columns, rows, more=""):
    """`columns`: (HTML, whether it holds words)."""
    head = "".join(f'<th scope="col"{" class=word" if words else ""}>{column}</th>' for column, words in columns)
    return (f'<p class="quiet">{text(told)}</p><div class="scroll{more}" tabindex="0"><table aria-label="{text(name)}">'
            f'<thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>')


def cells(values):
    inner = "".join(f'<td{" class=word" if words else ""}>{text(value)}</td>' for value, words in values)
    return f"<tr>{inner}</tr>"


def verdict(summary):
    if not summary.get("steps"):
        return '<p class="quiet">No step was accepted.</p>'
    if not summary.get("verdict"):
        return '<p class="quiet">There is no exact solution to compare with.</p>'
    rows = [cells([(field, True)] + [(figure(norms[norm], 4), False) for norm in ("l1", "l2", "linf")])
            for field, norms in summary["verdict"].items()]
    told = f"Distance from the exact solution at t = {figure(summary.get('time'), 6)}; both are cell averages."
    columns = [("field", True), ("L1", False), ("L2", False), ("L∞", False)]
    return table("Error norms", told, columns, rows)


COLUMNS = ("event", "what", "step", "attempt", "stage", "time", "dt", "cells", "first cell", "value")
WORDS = ("event", "what", "first cell")


def six_digits(value):
    """As a script can sort it."""
    return f"{value:.6g}" if isinstance(value, float) else value


def event_row(event):
    what = next((event[key] for key in ("kind", "rung", "signal", "reason", "file") if key in event), "")
    if event["event"] == "rejection":
        what = f"next dt {six_digits(event.get('next_dt'))}"
    cell = event.get("cell")
    shown = {**event, "event": str(event["event"]).replace("_", " "), "what": str(what).replace("_", " "),
             "cells": event.get("cells", event.get("count", "")),
             "first cell": "(" + ", ".join(map(str, cell)) + ")" if isinstance(cell, list) else ""}
    return cells([(six_digits(shown.get(name, "")), name in WORDS) for name in COLUMNS])


def event_table(rows):
    shown = [row for row in rows if row["event"] != "repair"]
    repairs = len(rows) - len(shown)
    told = (style.counted(len(shown), "event") + (f", without {style.counted(repairs, 'repair')}" if repairs else "")
            + ". Click a column to sort by it; events.jsonl has all of them, with the replays.")
    if len(shown) > SHOWN_EVENTS:
        told = f"The first {SHOWN_EVENTS} of {told}"
    columns = [(f'<button type="button">{name}</button>', name in WORDS) for name in COLUMNS]
    return table("Events", told, columns, [event_row(row) for row in shown[:SHOWN_EVENTS]], " long") if shown else ""


def facts(pairs):
    """A list of names with their values; those that are not known are left out."""
    rows = "".join(f"<dt>{text(name)}</dt><dd>{text(value)}</dd>" for name, value in pairs if value not in (None, ""))
    return f'<dl class="facts">{rows}</dl>'


def environment(summary):
    memory = ", ".join(f"{size(summary.get(f'{where}_bytes', 0))} on the {where}" for where in ("device", "host"))
    return facts((("command", summary.get("command")), ("host", summary.get("host")), ("ended", summary.get("date")),
                  ("backend", summary.get("backend")), ("device", summary.get("device")),
                  ("precision", summary.get("precision")), ("memory", memory), ("git", summary.get("git"))))


def amounts(of, prefix=""):
    """The mass, the momenta and the energy of a part of a budget, and the kinetic energy if it has one."""
    momentum = of.get("momentum") or [of.get(f"{prefix}momentum_{axis}", 0) for axis in "xyz"]
    return [of.get(f"{prefix}mass", 0), *momentum, of.get(f"{prefix}energy", 0), of.get("kinetic_energy", "")]


def budget(summary):
    """Tabulates what the flow held at the start, what came in by each way, and what it holds at the end."""
    totals, ways = summary["totals"], summary.get("budget")
    parts = [("at the start", amounts(totals["start"]))]
    for way, of in (ways or {}).items():
        side = re.fullmatch("([xyz])_(lower|upper)", way)
        other = f"by the {way}" if way in ("forces", "source", "bodies") else f"through {way}"
        parts.append((f"through the {side[2]} side of {side[1]}" if side else other, amounts(of)))
    parts += [("by floors", amounts(summary, "floor_")), ("by sponges", amounts(summary.get("sponges") or {}))]
    parts = [parts[0], *(part for part in parts[1:] if any(part[1][:-1]))]
    parts.append(("at the end", amounts(totals["end"])))
    told = ("Mass, momentum and energy change by what passes the boundaries and bodies, by sources, forces and floors. Kinetic "
            "energy is also turned into heat and back.")
    if ways is None:
        parts.append(("change", [last - first for first, last in zip(parts[0][1], parts[-1][1])]))
    else:
        parts.append(("unexplained", amounts(totals["drift"])))
        told = ("What came in by each way since the start. Unexplained is what is left of the change: of mass and energy relative "
                "to the totals, of momentum to √(2 mass energy). Kinetic energy is also turned into heat and back.")
    names = ["mass", *(f"momentum along {axis}" for axis in "xyz"), "energy", "kinetic energy"]
    shown = [n for n in range(len(names)) if any(values[n] not in (0, "") for _, values in parts)]
    rows = [cells([(part, True), *((figure(values[n], 6), False) for n in shown)]) for part, values in parts]
    return table("Budget", told, [("", True), *((names[n], False) for n in shown)], rows)


REMEDIES = {"scaling": "elements scaled towards their averages", "first_order": "first-order fluxes", "floor": "floors"}


def halved_before(rows, step):
    """Says how often the steps right before that one halved dt, as far as one follows the other; "" for never."""
    halvings = [row for row in rows if row["event"] == "rejection" and isinstance(row.get("step"), int)
                and events.number(row.get("next_dt")) < events.number(row.get("dt"))]
    steps, first = {row["step"] for row in halvings}, step
    while isinstance(first, int) and first - 1 in steps:
        first -= 1
    if first == step:
        return ""
    those = [row for row in halvings if first <= row["step"] < step]
    who = f"Step {first}" if first == step - 1 else f"Steps {first} to {step - 1}"
    return f" {who} had halved dt {style.counted(len(those), 'time')}, from {six_digits(those[0].get('dt'))}."


def why_it_gave_up(rows):
    """The last step of a run that exhausted its remedies: its last soft error, and what was tried against it."""
    ends = [row for row in rows if row["event"] in ("soft_error", "rung")]
    if not ends:
        return '<p class="quiet">events.jsonl does not say.</p>'
    step = ends[-1].get("step")
    those = [row for row in ends if row.get("step") == step]
    errors = [row for row in those if row["event"] == "soft_error"]
    if not errors:
        told = f"The dt of step {step}, {six_digits(ends[-1].get('dt'))}, is lost in the round-off of the time."
        return f"<p>{text(told)}</p>"
    first, last = errors[0], errors[-1]
    tried = ["a shorter dt"] if events.number(last.get("dt")) < events.number(first.get("dt")) else []
    tried += dict.fromkeys(REMEDIES[row["rung"]] for row in those if row.get("rung") in REMEDIES)
    more = f", also with {' and '.join(tried)}" if tried else ", and no remedy was tried"
    place = last.get("position")
    where = f" at ({', '.join(six_digits(x) if isinstance(x, str) else f'{x:.6g}' for x in place)})" if place else ""
    told = f"Step {step} failed in {style.counted(len(errors), 'attempt')}{more}.{halved_before(rows, step)}"
    dts = list(dict.fromkeys((six_digits(first.get("dt")), six_digits(last.get("dt")))))
    return f"<p>{text(told)}</p>" + facts((
        ("last soft error", str(last.get("kind", "")).replace("_", " ")),
        ("first bad cell", f"{tuple(last['cell'])}{where}" if isinstance(last.get("cell"), list) else None),
        ("bad cells", last.get("count")), ("value", six_digits(last.get("value"))),
        ("time", six_digits(last.get("time"))),
        ("dt", f"{dts[0]} at first, {dts[1]} at last" if len(dts) > 1 else dts[0])))


def part_html(kind, picture, why_not):
    return picture_html(kind, picture) if picture else f'<p class="quiet">No picture: {text(why_not)}.</p>'


def page(directory, title, case, setup, deck, rows, parts, outputs):
    """The page's text. `setup`: names and values. `parts`: (kind, picture or None, why there is none). `outputs`: the
    same of the run's outputs, with their names."""
    summary = read_summary(directory)
    status = str(summary.get("status", "under way"))
    pictures = {kind: part_html(kind, picture, why_not) for kind, picture, why_not in parts}
    sections = {}  # heading and what is below it, in the order of the page
    if summary:
        if summary.get("status") == "exhausted":
            sections["end"] = "Why it gave up", why_it_gave_up(rows)
        sections["figures"] = "Figures", tiles(summary)
        sections["verdict"] = "Verdict", verdict(summary)
    sections["flow"] = "The flow", (pictures.get("flow", '<p class="quiet">There is no dump.</p>')
                                    + pictures.get("together", ""))
    sections["history"] = "History", (pictures.get("history", '<p class="quiet">There is no history.csv.</p>')
                                      + pictures.get("dissipation", "") + pictures.get("histogram", ""))
    if outputs:
        sections["outputs"] = "Outputs", "".join(f"<h3>{text(name)}</h3>{part_html('output', picture, why_not)}"
                                                 for name, picture, why_not in outputs)
    if summary.get("totals"):
        sections["budget"] = "Budget", budget(summary)
    sections["events"] = "Events", pictures.get("events", "") + event_table(rows)
    if setup:
        sections["setup"] = "Setup", facts(setup)
    sections["deck"] = "Deck", ("<details><summary>With every default filled in</summary>"
                                f'<pre tabindex="0">{html.escape(deck)}</pre></details>')
    if summary:
        sections["environment"] = "Environment", environment(summary)
    body = "\n".join(f'<section id="{name}"><h2>{heading}</h2>{below}</section>'
                     for name, (heading, below) in sections.items())
    links = "".join(f'<a href="#{name}">{name}</a>' for name in sections)
    reason = f' <span>{text(summary["reason"])}</span> ·' if summary.get("reason") else ""
    policy = f"default-src 'none'; img-src data:; style-src {hashed(STYLE)}; script-src {hashed(SCRIPT)}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)} · halfstep</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>{text(title)}</h1>
<p><span class="status {text(status.replace(" ", ""))}">{text(status.replace("_", " "))}</span>{reason}
<span class="quiet">case {text(case)}</span></p>
<nav aria-label="Sections">{links}</nav>
</header>
<main>
{body}
</main>
<footer class="quiet">Made by halfstep report.</footer>
<script>{SCRIPT}</script>
</body>
</html>
"""


def write(parts, outputs, directory, title, case, setup, deck):
    """Writes DIR/report.html, whole or not at all, and returns its path."""
    directory = pathlib.Path(directory)
    log = directory / "events.jsonl"
    try:
        rows = events.read(log)
    except Unusable:  # the part on events says so
        rows = []
    target = directory / "report.html"
    made = page(directory, title or "A run of halfstep", case, setup, deck, rows, parts, outputs)
    style.put(target, made.encode())
    return str(target)
