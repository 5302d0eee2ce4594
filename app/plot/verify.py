"""Draws what `halfstep verify --output DIR` left: DIR/verify.json to STEM_KIND.png and STEM_KIND.svg.

Usage: verify.py FILE.json STEM

Exit codes: as study.py's.
"""
import json
import math
import sys

try:
    import numpy
    import style
except ImportError as error:
    print(error)
    sys.exit(3)

COLUMNS = 4


def grid_of(count, height):
    """A figure with that many axes in rows of COLUMNS, the rest of the last row left empty."""
    rows = math.ceil(count / COLUMNS)
    made, axes = style.figure(rows, min(count, COLUMNS), width=11.0, height=height * rows + 1.0)
    flat = [one for row in axes for one in row]
    for empty in flat[count:]:
        empty.set_visible(False)
    return made, flat[:count]


def curves(report, stem):
    """Each check that has a curve: points over the line they should lie on."""
    shown = [check for check in report["checks"] if "curve" in check]
    if not shown:
        return False
    made, axes = grid_of(len(shown), 2.3)
    for one, check in zip(axes, shown):
        curve = check["curve"]
        if curve["line_x"]:
            one.plot(curve["line_x"], curve["line_y"], color=style.COLOURS[4], linewidth=1.0, label="known")
        one.plot(curve["x"], curve["y"], "o", color=style.COLOURS[0], markersize=1.8, markeredgewidth=0, label="here")
        if curve["logarithmic"]:
            one.set_yscale("log")
        one.set_title(check["name"] + ("" if check["passed"] else " (missed a bar)"), fontsize=8.5)
        one.set_xlabel(curve["across"])
        one.set_ylabel(curve["up"])
    handles, labels = axes[0].get_legend_handles_labels()
    style.legend_below(made, handles, labels)
    style.save(made, "Flows over what is known of them", report["provenance"], stem + "_curves")
    return True


def convergence(report, stem):
    """L1 over the cells along the longest axis, of every check with more than one mesh; axes for each deck."""
    decks = {}
    for check in report["checks"]:
        points = [(max(run["cells"]), run["l1"]) for run in check["runs"] if "l1" in run]
        if len({cells for cells, _ in points}) > 1:
            decks.setdefault(check["deck"], []).append((check, numpy.array(points, dtype=float)))
    if not decks:
        return False
    made, axes = grid_of(len(decks), 3.2)
    for one, (deck, lines) in zip(axes, decks.items()):
        for n, (check, points) in enumerate(lines):
            order = f": order {check['order']:.2f}" if isinstance(check.get("order"), float) else ""
            one.loglog(points[:, 0], points[:, 1], color=style.COLOURS[n % 8], marker=style.MARKERS[n % 8],
                       linestyle=style.LINES[n % 8], markersize=4, label=check["name"] + order)
        meshes = sorted({int(cells) for _, points in lines for cells in points[:, 0]})
        one.set_xticks(meshes, [str(cells) for cells in meshes])
        one.minorticks_off()
        one.margins(0.12)
        one.set_title(deck)
        one.set_xlabel("cells along the longest axis")
        one.set_ylabel(f"L1 of {lines[0][0]['error_of'].split(',')[0]}")
        one.legend(fontsize=6, loc="upper center", bbox_to_anchor=(0.5, -0.22))
    style.save(made, "How errors fall as the mesh is refined", report["provenance"], stem + "_convergence")
    return True


def main(path, stem):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    drawn = [draw(report, stem) for draw in (curves, convergence)]
    if not any(drawn):
        print("none of these checks has a curve or more than one mesh")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
