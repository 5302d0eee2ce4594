"""events.jsonl drawn: when and where steps were redone, over the flow."""
import numpy
from matplotlib import colors

import flow
import quantity
import style
from dump import AXES, Dump
from history import History, cut_short, without
from readers import Unreadable, read_events
from refusal import NothingToDraw, Unusable
from view import View

# A colour and a mark for each kind of soft error, the same in every picture.
KINDS = {"negative_density": 0, "negative_pressure": 4, "not_finite": 6, "spike": 3, "cfl_overrun": 1,
         "source_failure": 2, "bad_face": 5, "bad_boundary": 7}
FAINT = colors.LinearSegmentedColormap.from_list("faint", ["white", "0.55"])  # on which marks stand out
SHOWN_REMEDIES = 40  # of each kind: more would be a bar
RUNGS = {"scaling": ("v", "elements scaled"), "first_order": ("^", "first-order fluxes"), "floor": ("s", "floors"),
         "abort": ("X", "the run gave up")}


def read(path):
    """The events of a run, without their replays. Raises Unusable."""
    try:
        events = read_events(path)
    except Unreadable as error:
        raise Unusable(str(error), "draw the events.jsonl of a run") from error
    for event in events:
        event.pop("replay", None)
    return events


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def by_kind(errors):
    """(kind, its errors, colour and mark) in the order of KINDS."""
    for kind, n in KINDS.items():
        those = [error for error in errors if error.get("kind") == kind]
        if those:
            yield kind, those, {"color": style.COLOURS[n], "marker": style.MARKERS[n]}


def usable(kind, path):
    """The Dump or History at `path`; None where there is none that can be used."""
    try:
        return kind(path) if path else None
    except Unusable:
        return None


def times(events):
    return numpy.array([number(event.get("time")) for event in events])


def events(file, history, dump, title, view=None, due=()):
    """Above: where the first bad cell of each redone step was. Below: when, and with what dt. `due`: see History."""
    view = View(**view or {})
    rows = read(file)
    errors = [event for event in rows if event["event"] == "soft_error"]
    flow_there = usable(Dump, dump)
    swept = flow_there.swept if flow_there else [0]
    if not errors:
        raise NothingToDraw("every step was accepted at its first attempt")
    tall = 3.8 if len(swept) == 1 else height_of_flow(flow_there)
    made = style.pyplot.figure(figsize=(10.0, tall + 3.1), layout="constrained")
    view.fit(made)
    grid = made.add_gridspec(2, 2, height_ratios=(tall, 2.2), width_ratios=(3.2, 1))
    when = made.add_subplot(grid[1, 0] if len(swept) == 1 else grid[1, :])
    draw_when(when, rows, errors, usable(lambda path: History(path, due), history))
    if len(swept) == 1:
        where_on_a_line(made, grid, errors, flow_there, swept[0], when)
    else:
        where_in_the_flow(made, grid[0, :], errors, flow_there)
    style.legend_below(made, *when.get_legend_handles_labels())
    steps, cells = len({error["step"] for error in errors}), sum(int(number(error["count"])) for error in errors)
    footer = [("shown are the first bad cells of", f"{cells} flagged")]
    if flow_there:
        where = "beside" if len(swept) == 1 else "behind"
        footer += [(f"{where} them the density", f"at t = {flow_there.time:.6g}"), *flow_there.footer()]
    said = f"{title or 'halfstep'}: {style.counted(len(errors), 'attempt')} rejected in {style.counted(steps, 'step')}"
    if any(row.get("rung") == "abort" for row in rows):
        said += "; the run gave up"
    return style.Picture(made, view.title or said, footer)


def draw_when(axes, rows, errors, lines):
    """The dt of rejected attempts over that of the steps that were accepted; rungs of the ladder above their step."""
    if lines is not None and lines["time"].size > 1:
        short = cut_short(lines)
        end, dt = lines["time"][1:], lines["dt"][1:]
        starts, dt = (end - dt)[~short], dt[~short]  # a dt lasts to the next step's start, the last one to its end
        axes.plot([*starts, end[-1]], [*dt, dt[-1]], color=style.QUIET, linewidth=0.9, drawstyle="steps-post",
                  label="dt of accepted steps" + without(short))
    for kind, those, look in by_kind(errors):
        axes.scatter(times(those), [number(error.get("dt")) for error in those], s=24, alpha=0.85, linewidths=0.4,
                     edgecolors="white", zorder=3, label=f"rejected: {kind.replace('_', ' ')} ({len(those)})",
                     rasterized=len(those) > 2000, **look)
    for rung, (marker, said) in RUNGS.items():
        those = [row for row in rows if row["event"] == "rung" and row.get("rung") == rung]
        if those:
            axes.set_title(" ")  # keeps the labels above away from the marks
            shown = style.evenly(times(those), SHOWN_REMEDIES)
            axes.scatter(shown, numpy.full(len(shown), 1.04), transform=axes.get_xaxis_transform(), s=26,
                         marker=marker, facecolors="none", edgecolors="black", clip_on=False, linewidths=0.8,
                         label=said)
    for event, colour in (("fault", style.COLOURS[3]), ("restart", style.COLOURS[2]), ("signal", style.COLOURS[5])):
        for n, row in enumerate(row for row in rows if row["event"] == event):
            axes.axvline(number(row.get("time")), color=colour, linewidth=1, linestyle=":",
                         label=event if n == 0 else None)
    style.logarithmic_where_wide(axes)
    axes.set_ylabel("dt of the attempt")
    axes.set_xlabel("time")


def height_of_flow(dump):
    """In inches, of panels side by side with room for their labels."""
    length = {axis: dump.extent(axis)[1] - dump.extent(axis)[0] for axis in dump.swept}
    if len(dump.swept) == 2:
        across, up = dump.swept
        return min(9.0 * length[up] / length[across], 5.0) + 0.5
    # Seen along z, y and x.
    widths, heights = (length[0], length[0], length[1]), (length[1], length[2], length[2])
    return min(7.6 * max(heights) / sum(widths), 5.0) + 0.9


def positions(errors):
    return numpy.array([[number(x) for x in error["position"]] for error in errors])


def where_on_a_line(made, grid, errors, dump, axis, when):
    """Time across, the position up; the last dump at the right-hand side shares the position."""
    axes = made.add_subplot(grid[0, 0], sharex=when)
    for kind, those, look in by_kind(errors):
        axes.scatter(times(those), positions(those)[:, axis], s=30, alpha=0.85, linewidths=0.4, edgecolors="white",
                     rasterized=len(those) > 2000, **look)
    axes.set_ylabel(f"{AXES[axis]} of the first bad cell")
    axes.tick_params(labelbottom=False)
    if dump is None:
        return
    axes.set_ylim(*dump.extent(axis))
    beside = made.add_subplot(grid[0, 1], sharey=axes)
    one = quantity.chosen(dump, [])[0]
    values = flow.flat(dump, one, View(), {})
    beside.plot(values, dump.centres(axis), color=style.QUIET, linewidth=1.4)
    if one.spans_decades(*one.limits(values)):
        beside.set_xscale("log")
    beside.tick_params(labelleft=False)
    beside.set_xlabel(one.label)


def where_in_the_flow(made, place, errors, dump):
    """The last dump in grey, and on it the cells; in space all of them, seen along each axis."""
    one = quantity.chosen(dump, [])[0]
    panels = flow.panels_of(dump, one)
    low, high = one.limits(numpy.ma.concatenate([panel.values.ravel() for panel in panels]))
    grid = place.subgridspec(1, len(panels))
    for n, panel in enumerate(panels):
        axes = made.add_subplot(grid[n])
        flow.shown(axes, dump, panel, one, low, high, FAINT)
        for kind, those, look in by_kind(errors):
            at = positions(those)
            axes.scatter(at[:, panel.across], at[:, panel.up], s=26, alpha=0.85, linewidths=0.4, edgecolors="white",
                         rasterized=len(those) > 2000, **look)
        axes.set_xlabel(AXES[panel.across])
        axes.set_ylabel(AXES[panel.up])
        seen = f"seen along {AXES[3 - panel.across - panel.up]}, density at {panel.where}"
        axes.set_title(style.wrapped(seen if len(panels) > 1 else panel.where, 28))
