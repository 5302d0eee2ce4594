"""What every picture of halfstep has in common: colours, the footer that says where it was measured, the files."""
import io
import pathlib
import re
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from PIL import Image  # noqa: E402 (matplotlib needs it, too)

# Okabe and Ito's colours: told apart by colour-blind readers, and in print by their lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 3)))
HATCHES = ("", "//", "..", "xx", "\\\\", "--", "++", "oo")
QUIET = "#888888"  # of what is not the subject: grids, limits, references

pyplot.rcParams.update({
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.dpi": 100,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "halfstep",  # the same figures give the same file
})


def figure(rows=1, columns=1, width=9.0, height=4.5, **options):
    """A figure and its axes, always as a list of rows."""
    made, axes = pyplot.subplots(rows, columns, figsize=(width, height), squeeze=False, layout="constrained",
                                 **options)
    return made, axes


def wrapped(text, width):
    return "\n".join(textwrap.wrap(text, width))


def legend_below(made, handles, labels):
    """One legend for the whole figure, between its axes and the footer."""
    for columns in range(min(len(labels), 6), 0, -1):
        legend = made.legend(handles, labels, loc="lower center", ncols=columns)
        legend.set_in_layout(False)
        if columns == 1 or legend.get_window_extent(made.canvas.get_renderer()).width < 0.98 * made.bbox.width:
            return
        legend.remove()


def smaller(svg):
    """The same picture in half the bytes: marks that look alike say so once, as a group, and places to 0.01 points."""
    def group(match):
        styles = set(re.findall(r' style="[^"]*"', match[2]))
        if len(styles) != 1:
            return match[0]
        style = styles.pop()
        return f"{match[1]}{style}>{match[2].replace(style, '')}</g>"
    svg = re.sub(r'(<g(?: clip-path="[^"]*")?)>((?:\s*<use [^>]*/>)+)\s*</g>', group, svg)
    svg = re.sub(r' (?:x|y|d)="[^"]*"', lambda match: re.sub(r"(\.\d\d)\d+", r"\1", match[0]), svg)
    return re.sub(r"\n\s+", "\n", svg)


def save(made, title, provenance, stem):
    """Writes stem.png and stem.svg. `provenance`: what the footer says, in its order; "" and "none" are left out."""
    width = int(made.get_figwidth() * 13)
    made.suptitle(wrapped(title, width), fontsize=11, fontweight="bold")
    said = " · ".join(f"{name} {value}".strip() for name, value in provenance if value not in ("", "none"))
    footer = wrapped(said, int(width * 1.4))
    made.text(0.01, 0.01, footer, fontsize=6.5, color="#555555", va="bottom").set_in_layout(False)
    strip = (0.08 + 0.14 * (1 + footer.count("\n"))) / made.get_figheight()  # below the axes, a part of the height
    for legend in made.legends:
        legend.set_bbox_to_anchor((0.5, strip))
        strip += 0.01 + legend.get_window_extent(made.canvas.get_renderer()).height / made.bbox.height
    made.get_layout_engine().set(rect=(0, strip, 1, 1 - strip))
    # The layout is solved to within round-off, which differs from run to run.
    made.draw_without_rendering()
    made.set_layout_engine("none")
    for axes in made.axes:
        axes.set_position([round(bound, 4) for bound in axes.get_position().bounds])
    stem = pathlib.Path(stem)
    drawn = io.BytesIO()
    made.savefig(drawn, dpi=130)
    # With 256 colours a picture is half as large, and looks the same.
    Image.open(drawn).convert("RGB").quantize(256).save(stem.with_name(stem.name + ".png"), optimize=True)
    drawn = io.StringIO()
    made.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    stem.with_name(stem.name + ".svg").write_text(smaller(drawn.getvalue()), encoding="utf-8")
    pyplot.close(made)
