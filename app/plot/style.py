"""Sets what every picture of halfstep has in common: colours, the footer that says where it was measured, the files."""
import hashlib
import io
import itertools
import math
import os
import pathlib
import re
import textwrap

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib import ticker  # noqa: E402
from PIL import Image  # noqa: E402 (matplotlib needs it, too)
from PIL.PngImagePlugin import PngInfo  # noqa: E402

# Okabe and Ito's colours: told apart by colour-blind readers, and in print by their lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 3)))
HATCHES = ("", "//", "..", "xx", "\\\\", "--", "++", "oo")
QUIET = "#888888"  # of what is not the subject: grids, limits, references
BODY = "#bdbdbd"  # of cells in bodies
REFERENCE = {"color": "black", "marker": "D", "markersize": 6, "markerfacecolor": "none", "linestyle": "none"}

matplotlib.rcdefaults()  # a picture does not hang on a user's matplotlibrc
pyplot.rcParams.update({
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,  # a tick says its whole value
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "legend.edgecolor": "none",
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


def evenly(values, count):
    """At most `count` of them, with the first and the last."""
    return values[numpy.unique(numpy.linspace(0, len(values) - 1, min(count, len(values))).round().astype(int))]


def part_of(drawn, there):
    """What a footer says of a picture that has not all times."""
    return ("", f"{drawn} of {there} times" if drawn < there else "")


def counted(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def logarithmic_where_wide(axes):
    """A logarithmic y axis for what spans more than a decade; on a linear one what is constant stays a line, however
    it rounds."""
    low, high = (float(end) for end in axes.dataLim.intervaly)
    if not (math.isfinite(low) and math.isfinite(high)):
        return  # nothing is drawn
    if axes.dataLim.minposy > 0 and low > 0 and high > 10 * low:
        logarithmic(axes, low, high)
    elif high - low <= 1e-6 * max(abs(low), abs(high)):
        half = 0.5 * max(abs(low), abs(high)) or 0.5
        axes.set_ylim(low - half, high + half)


def logarithmic(axes, low, high):
    """A logarithmic y axis for what goes from low to high."""
    axes.set_yscale("log")
    if high < 10 * low:
        plain_numbers(axes.yaxis)
    elif high < 300 * low:
        number_decades(axes.yaxis)


def plain_numbers(axis):
    """Numbers without powers of ten: a logarithmic axis of less than a decade has none of them."""
    said = ticker.FuncFormatter(lambda value, _: f"{value:.12g}")  # neighbours may be close together
    axis.set_major_formatter(said)
    axis.set_minor_formatter(said)


def number_decades(axis):
    """Numbers between the powers of ten, too: a logarithmic axis of few decades has hardly any without."""
    axis.set_minor_locator(ticker.LogLocator(subs=(2, 5)))
    plain_numbers(axis)


def label_columns(shown, columns, text):
    """Labels the x axis below the last panel of each column; `shown`: the panels that are seen, row by row."""
    for axes in shown[-columns:]:
        axes.tick_params(labelbottom=True)
        axes.set_xlabel(text)


def boxed(axes):
    """A frame on all sides and no grid: for images."""
    axes.spines[["top", "right"]].set_visible(True)
    axes.grid(visible=False)


def look(n):
    """The colour and the kind of the n-th of several lines; no two of the first 64 have both in common."""
    return {"color": COLOURS[n % len(COLOURS)], "linestyle": LINES[(n + n // len(COLOURS)) % len(LINES)]}


def marker(n):
    """The marker of the n-th of several lines, which changes as its kind does."""
    return MARKERS[(n + n // len(COLOURS)) % len(MARKERS)]


def legend_below(made, handles, labels):
    """Draws one legend for the whole figure, between its axes and the footer."""
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


class Picture:
    """A figure with its title and its footer. `footer`: what it says, in its order, as (name, value); "" and "none"
    are left out."""

    def __init__(self, made, title, footer):
        self.made = made
        width = int(made.get_figwidth() * 11)  # letters of a bold line
        # Titles are a person's words: a dollar in one is a dollar.
        made.suptitle(wrapped(printable(title), width), fontsize=11, fontweight="bold", parse_math=False)
        said = " · ".join(f"{name} {value}".strip() for name, value in footer if value not in ("", "none"))
        footer = wrapped(printable(said), int(made.get_figwidth() * 18))
        # Inches, not parts of the height: a tall picture's footer would be among its axes.
        made.text(0.01, 0.06 / made.get_figheight(), footer, fontsize=6.5, color="#555555", va="bottom",
                  parse_math=False).set_in_layout(False)
        strip = (0.08 + 0.14 * (1 + footer.count("\n"))) / made.get_figheight()  # below the axes, a part of the height
        for legend in made.legends:
            legend.set_bbox_to_anchor((0.5, strip))
            strip += 0.01 + legend.get_window_extent(made.canvas.get_renderer()).height / made.bbox.height
        made.get_layout_engine().set(rect=(0, strip, 1, 1 - strip))
        # The layout is solved to within round-off, which differs from run to run.
        made.draw_without_rendering()
        made.set_layout_engine("none")
        for axes in made.axes:
            axes.set_position([round(bound, 4) for bound in axes.get_position(original=True).bounds])

    def image(self, finer=1.3):
        """The picture as PIL's; `finer`: how many dots it has for one of the figure's."""
        drawn = io.BytesIO()
        self.made.savefig(drawn, dpi=finer * self.made.dpi)
        image = Image.open(drawn).convert("RGB")
        # With 256 colours a picture is half as large, and looks the same; a field's scale needs more of them.
        has_scale = any(axes.images or any(one.get_array() is not None for one in axes.collections)
                        for axes in self.made.axes)
        return image if has_scale else image.quantize(256)

    def png(self, seal=""):
        """The bytes of the file. `seal`: a text that is kept in it."""
        drawn, told = io.BytesIO(), PngInfo()
        if seal:
            told.add_text("Source", seal)
        self.image().save(drawn, format="png", optimize=True, pnginfo=told)
        return drawn.getvalue()

    def svg(self, seal=""):
        drawn = io.StringIO()
        self.made.savefig(drawn, format="svg", dpi=1.3 * self.made.dpi, metadata={"Date": None, "Creator": None})
        return smaller(drawn.getvalue()) + (f"<!-- {seal} -->\n" if seal else "")

    def save(self, stem, seal=""):
        """Writes stem.png and stem.svg, or with a seal the first of stem_2 and so on that no other source has, and
        returns their paths."""
        png, svg = free_files(stem, ("png", "svg"), seal)
        put(png, self.png(seal))
        put(svg, self.svg(seal).encode())
        return [png, svg]

    def close(self):
        pyplot.close(self.made)


def seal_of(source):
    """A text that tells pictures of one source from those of others, without naming it; "" for no source."""
    return f"halfstep source {hashlib.sha256(source.encode()).hexdigest()[:32]}" if source else ""


def free_files(stem, kinds, seal):
    """The paths of a picture of those kinds: of STEM, or with a seal of the first among STEM, STEM_2, ... that holds no
    file without that seal."""
    for number in itertools.count(1):
        name = f"{stem}_{number}" if number > 1 else str(stem)
        paths = [pathlib.Path(f"{name}.{kind}") for kind in kinds]
        if not seal or not any(is_of_another(path, seal) for path in paths):
            return paths


def is_of_another(path, seal):
    """Whether something is there without that seal. Opens regular files alone: reading a pipe or a device may never
    end."""
    if not os.path.lexists(path):
        return False
    return path.is_symlink() or not path.is_file() or seal.encode() not in path.read_bytes()


def partial_name(path):
    """For a file on its way to that path. What is there, a symbolic link perhaps, is removed."""
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    return partial


def put(path, data):
    """Writes a file whole or not at all, and never through a symbolic link."""
    partial = partial_name(path)
    with open(partial, "xb") as file:
        file.write(data)
    os.replace(partial, path)


def printable(text):
    """Without the characters that an SVG must not hold."""
    return "".join(c if c.isprintable() else " " for c in text)


def save(made, title, provenance, stem, source=""):
    """Writes stem.png and stem.svg, or with a source what Picture.save() chooses, and returns their paths.
    `provenance`: a report's, for the footer."""
    footer = [(name, provenance.get(key, "")) for name, key in (
        ("", "command"), ("on", "device"), ("driver", "driver"), ("", "compiler"), ("git", "git"), ("", "date"))]
    picture = Picture(made, title, footer)
    files = picture.save(stem, seal_of(source))
    picture.close()
    return files
