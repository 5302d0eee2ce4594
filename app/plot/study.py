"""Draws what `halfstep study NAME --output DIR` left: DIR/NAME.json to STEM.png and STEM.svg.

Usage: study.py FILE.json STEM [SOURCE]

Exit codes: 0 drawn, 3 numpy or matplotlib is missing, 4 there is nothing to draw (its last line says why), 1 anything
else.
"""
import math
import re
import sys

try:
    import numpy
    import style
    from refusal import NothingToDraw, exit_code
except ImportError as error:
    print(error)
    sys.exit(3)


# --- reading tables -------------------------------------------------------------------------------------------

class Table:
    """A table of a study. Columns are found by their names' beginnings: "ms" finds "ms" and "ms a step"."""

    def __init__(self, json_table):
        self.title = json_table.get("title", "")
        self.rows = json_table["rows"]
        self.columns = json_table.get("columns") or list(self.rows[0] if self.rows else ())

    def column(self, *names):
        """The full name of the first of `names` there is. Raises KeyError if there is none."""
        for name in names:
            if name in self.columns:
                return name
        for name in names:
            for column in self.columns:
                if column.strip().lower().startswith(name.lower()):
                    return column
        raise KeyError(f"no column {' or '.join(names)}")

    def texts(self, *names):
        column = self.column(*names)
        return [str(row[column]) for row in self.rows]

    def numbers(self, *names):
        """NaN for what was not measured."""
        column = self.column(*names)
        return numpy.array([number(row[column]) for row in self.rows])

    def measured(self, *names):
        """The table without the rows that have no number there. Raises NothingToDraw if none has one."""
        column = self.column(*names)
        if not self.has(column):
            raise NothingToDraw(f"nothing was measured in the column {column}")
        return self.where(lambda row: not math.isnan(number(row[column])))

    def has(self, *names):
        """Whether a number was measured in that column."""
        return not numpy.isnan(self.numbers(*names)).all()

    def where(self, condition):
        return Table({"title": self.title, "columns": self.columns, "rows": [r for r in self.rows if condition(r)]})

    def groups(self, *names):
        """(values, table) for each combination of values in these columns, in the order of their first rows."""
        columns = [self.column(name) for name in names]
        keys = unique(tuple(str(row[c]) for c in columns) for row in self.rows)
        for key in keys:
            yield key, self.where(lambda row, key=key: tuple(str(row[c]) for c in columns) == key)


def unique(values):
    return list(dict.fromkeys(values))


def number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan


def quartiles(cell):
    """The two ends of "0.98 to 1.02"."""
    ends = re.fullmatch(r"\s*(\S+) to (\S+)\s*", str(cell))
    return (number(ends[1]), number(ends[2])) if ends else (math.nan, math.nan)


def errors(table, middle, name):
    """For error bars: how far the quartiles in the column `name` are below and above the values `middle`."""
    try:
        ends = numpy.array([quartiles(text) for text in table.texts(name)]).reshape(-1, 2)
    except KeyError:
        return None
    below, above = middle - ends[:, 0], ends[:, 1] - middle
    return numpy.nan_to_num(numpy.clip([below, above], 0, None))


class Report:
    def __init__(self, json_report):
        self.table = Table(json_report)
        self.others = {table["name"]: Table(table) for table in json_report.get("tables", [])}


# --- a study each ---------------------------------------------------------------------------------------------

def grouped_bars(axes, groups, series, values, spreads=None):
    """Bars side by side: values[s][g] of series s in group g; NaN leaves a gap."""
    width = 0.8 / len(series)
    for s, name in enumerate(series):
        places = numpy.arange(len(groups)) + (s + 0.5) * width - 0.4
        axes.bar(places, values[s], 0.92 * width, label=name, color=style.COLOURS[s % 8], hatch=style.HATCHES[s % 8],
                 edgecolor="white", yerr=None if spreads is None else spreads[s],
                 error_kw={"elinewidth": 0.9, "capsize": 2})
    axes.set_xticks(range(len(groups)), groups)
    axes.grid(axis="x", visible=False)


def legend_below(made, axes):
    """Draws one legend for all axes."""
    entries = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    style.legend_below(made, list(entries.values()), list(entries))


def whole_decades_from(values):
    """Where a logarithmic axis of bars begins: at a power of ten, well below the shortest of them."""
    values = numpy.asarray(values)
    return 10 ** math.floor(math.log10(values[values > 0].min() / 2))  # a clock may count nothing


def timers(report):
    table = report.table.measured("median (ms)", "median")
    made, ((axes,),) = style.figure()
    groups, names = unique(table.texts("measured")), unique(table.texts("timer"))
    values = numpy.full((len(names), len(groups)), math.nan)
    spread = numpy.zeros_like(values)
    for row, median, deviation in zip(table.rows, table.numbers("median (ms)", "median"),
                                      table.numbers("deviation (ms)", "deviation")):
        place = names.index(str(row[table.column("timer")])), groups.index(str(row[table.column("measured")]))
        values[place], spread[place] = median, numpy.nan_to_num(deviation)
    # A bar on a logarithmic axis ends at its lower error bar, never below zero.
    grouped_bars(axes, groups, names, values, [[numpy.minimum(s, 0.9 * v), s] for s, v in zip(spread, values)])
    axes.set_yscale("log")
    axes.set_ylim(bottom=whole_decades_from(values))
    axes.set_ylabel("ms (median, ± standard deviation)")
    legend_below(made, [axes])
    return made


def bytes_text(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.4g} {unit}"
        count /= 1024


def transfers(report):
    table = report.table
    kinds = [c for c in table.columns if c not in (table.column("bytes"), table.column("way"))]
    ways = list(table.groups("way"))
    made, (panels,) = style.figure(1, len(ways), sharey=True)
    if not any(table.has(kind) for kind in kinds):
        raise NothingToDraw("nothing was measured")
    for axes, ((way,), part) in zip(panels, ways):
        for n, kind in enumerate(kinds):
            axes.plot(part.numbers("bytes"), part.numbers(kind), linestyle=style.LINES[n % 8],
                      color=style.COLOURS[n % 8], marker=style.MARKERS[n % 8], markersize=4, label=kind)
        axes.set_xscale("log", base=2)
        sizes = part.numbers("bytes")
        ticks = [size for size in sizes if size >= sizes[0] and math.log2(size / sizes[0]) % 6 == 0] or sizes
        axes.set_xticks(ticks, [bytes_text(size) for size in ticks])
        axes.set_title({"up": "up: to the device", "down": "down: to the host"}.get(way, way))
        axes.set_xlabel("bytes a copy")
    panels[0].set_ylabel("GB/s")
    panels[0].set_ylim(bottom=0)
    legend_below(made, panels)
    return made


def streams(report):
    """The schedules between their two bounds; grey: each engine alone."""
    tables = [report.table.measured("time (ms)"), *report.others.values()]
    made, panels = style.figure(len(tables), 1, height=1.1 + 1.7 * len(tables), sharex=True)
    for n, ((axes,), table) in enumerate(zip(panels, tables)):
        times = table.numbers("time (ms)")
        spread = errors(table, times, "quartiles")
        bars = 0
        for row, (name, ms) in enumerate(zip(table.texts("schedule"), times)):
            if "overlap" in name:
                full = name.startswith("full")
                axes.axvline(ms, color=style.COLOURS[2 if full else 4], linestyle=style.LINES[1 + full], label=name)
            else:
                axes.barh(name, ms, 0.65, color=style.QUIET if name.endswith("alone") else style.COLOURS[0],
                          xerr=spread[:, [row]], error_kw={"elinewidth": 0.9, "capsize": 2})
                axes.text(ms, bars, f"  {ms:.4g}", va="bottom", fontsize=7.5)
                bars += 1
        axes.invert_yaxis()
        axes.margins(x=0.1)
        if n > 0:  # the first one's title is the picture's
            axes.set_title(style.wrapped(table.title, 100), loc="left", fontsize=9)
        axes.grid(axis="y", visible=False)
    panels[-1][0].set_xlabel("ms")
    legend_below(made, [axes for (axes,) in panels])
    return made


def atomics(report):
    parts = [(report.table, [c for c in report.table.columns if c.endswith("(ms)")])]
    if "dot" in report.others:
        parts.append((report.others["dot"], ["ms"]))
    made, panels = style.figure(len(parts), 1, height=1.2 + 2.4 * len(parts))
    for n, ((axes,), (table, columns)) in enumerate(zip(panels, parts)):
        table = table.measured(columns[0])
        names = table.texts(table.columns[0])
        for c, column in enumerate(columns):
            places = numpy.arange(len(names)) + (c + 0.5) * 0.8 / len(columns) - 0.4
            bars = axes.barh(places, table.numbers(column), 0.74 / len(columns), color=style.COLOURS[c],
                             hatch=style.HATCHES[c], edgecolor="white", label=column.removesuffix(" (ms)"))
            axes.bar_label(bars, [f" {ms:.3g}" for ms in table.numbers(column)], fontsize=7.5)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.margins(x=0.12)
        axes.set_xlim(left=whole_decades_from([table.numbers(column) for column in columns]))
        if n > 0:  # the first one's title is the picture's
            axes.set_title(table.title)
        axes.grid(axis="y", visible=False)
        if len(columns) > 1:
            axes.legend()
    panels[-1][0].set_xlabel("ms (median)")
    return made


def interruptible(report):
    table = report.table.measured("extra (%)")
    schemes = list(table.groups("scheme"))
    names = unique(f"{row['kernel']}, by {row['arguments']}" for row in table.rows)
    made, (panels,) = style.figure(1, len(schemes), sharex=True, sharey=True, height=1.6 + 0.36 * len(names))
    for axes, ((scheme,), part) in zip(panels, schemes):
        axes.axvline(0, color="black", linewidth=0.8)
        for n, density in enumerate(unique(table.texts("safe points"))):
            rows = part.where(lambda row, density=density: str(row["safe points"]) == density)
            places = [names.index(f"{row['kernel']}, by {row['arguments']}") for row in rows.rows]
            axes.scatter(rows.numbers("extra (%)"), places, s=44, marker=style.MARKERS[n % 8], zorder=3,
                         color=style.COLOURS[n % 8], edgecolors="white", linewidths=0.5,
                         label=f"safe points: {density}")
        axes.set_title(scheme)
        axes.set_xlabel("time beyond the ordinary kernel (%)")
    if numpy.nanmax(numpy.abs(table.numbers("extra (%)"))) > 50:
        panels[0].set_xscale("symlog", linthresh=10)
        panels[0].set_xlim(min(-5, 1.5 * table.numbers("extra (%)").min()))
        ticks = [-5, 0, 5, 10, 100]
        panels[0].set_xticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
    panels[0].set_yticks(range(len(names)), names)
    panels[0].invert_yaxis()
    legend_below(made, panels)
    return made


def detection(report):
    table = report.table.measured("time ratio")
    made, ((axes,),) = style.figure(height=1.6 + 0.28 * len(table.rows))
    precisions = unique(table.texts("precision"))
    names = unique(table.texts("kernel"))
    for n, ((precision,), part) in enumerate(table.groups("precision")):
        middle = part.numbers("time ratio")
        places = [names.index(name) + (n - (len(precisions) - 1) / 2) * 0.3 for name in part.texts("kernel")]
        axes.errorbar(middle, places, xerr=errors(part, middle, "quartiles"), linestyle="none", capsize=3,
                      color=style.COLOURS[n], marker=style.MARKERS[n], label=precision)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.axvline(1.01, color=style.COLOURS[4], linestyle="--", linewidth=1, label="the limit: 1.01")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel("time with reports / without (median, quartiles)")
    legend_below(made, [axes])
    return made


BLOCK = 256  # threads of the program's own stage kernels
DOTTED = "Dotted: up to there so many blocks fit onto a multiprocessor"


def occupancy_steps(axes, registers, threads=BLOCK):
    """Where a block more fits onto a multiprocessor: its 65536 registers are dealt out in eights."""
    blocks_at = {65536 // (blocks * threads) // 8 * 8: blocks for blocks in range(1, 2048 // threads + 1)}
    for last, blocks in blocks_at.items():
        if min(registers) <= last < min(max(registers) + 8, 255):
            axes.axvline(last + 0.5, color=style.QUIET, linewidth=0.8, linestyle=":")
            axes.text(last, 0.995, f"{blocks} ", transform=axes.get_xaxis_transform(), ha="right", va="top",
                      fontsize=7.5, color="#555555")


def method_styles(table):
    """Colour and marker of each method; one "as shipped" has its method's colour, and a ring around a dot."""
    methods = unique(table.texts("method"))
    plain = [method for method in methods if not method.endswith(", as shipped")]
    styles = {method: (style.COLOURS[n % 8], style.MARKERS[n % 8]) for n, method in enumerate(plain)}
    for method in methods:
        if method not in plain:
            styles[method] = (styles.get(method.removesuffix(", as shipped"), ("black",))[0], "$\\odot$")
    return styles


def threads_of(block):
    return math.prod(int(n) for n in re.findall(r"\d+", str(block)))


def kernel_name(row):
    return f"{row['kernel']}, {row['precision']}"


def striped(axes, rows):
    """Every other row a little darker, so that marks are seen to belong to it."""
    for row in range(0, rows, 2):
        axes.axhspan(row - 0.5, row + 0.5, color="#f3f3f3", zorder=0)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def methods_by_registers(axes, table, names, styles):
    """Draws what the methods take of each kernel if nothing holds them back."""
    for (method,), rows in table.groups("method"):
        colour, marker = styles[method]
        places = [names.index(kernel_name(row)) for row in rows.rows]
        axes.scatter(rows.numbers("registers"), places, s=34, marker=marker, color=colour, edgecolors="white",
                     linewidths=0.5, zorder=3, label=method)
    threads = threads_of(table.rows[0]["block"])
    occupancy_steps(axes, table.numbers("registers"), threads)
    axes.set_xlabel("registers a thread")
    axes.set_title(f"No cap, blocks of {threads} threads.\n{DOTTED}", fontsize=8.5, loc="left")


def methods_by_time(axes, sweep, shipped, names, styles):
    """Each method against none in blocks of the same threads with the same cap: a mark for every such pair."""
    def setting(row):
        return kernel_name(row), row["threads"], row["register cap"]
    without = {setting(row): number(row["ms"]) for row in sweep.rows if row["method"] == "none"}
    methods = [method for method in unique(sweep.texts("method")) if method != "none"]
    for n, method in enumerate(methods):
        rows = [row for row in sweep.rows if row["method"] == method and setting(row) in without]
        ratios = [number(row["ms"]) / without[setting(row)] for row in rows]
        lane = 0.8 * ((n + 0.5) / len(methods) - 0.5)
        colour, marker = styles[method]
        axes.scatter(ratios, [names.index(kernel_name(row)) + lane for row in rows], s=12, marker=marker, color=colour,
                     linewidths=0, alpha=0.8, zorder=3, label=method)
    for (method,), rows in shipped.groups("method"):
        axes.scatter(rows.numbers("ratio to none"), [names.index(kernel_name(row)) for row in rows.rows], s=60,
                     marker="o", facecolors="none", edgecolors="black", linewidths=1.1, zorder=4, label=method)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("time / time without reports")
    threads = sweep.numbers("threads")
    axes.set_title(f"Blocks of {min(threads):.0f} to {max(threads):.0f} threads, with caps and without:\n"
                   "a mark for each, against none in the same block", fontsize=8.5, loc="left")


def cliff(times, shares, kernel, styles):
    """Time, and below it occupancy, against registers: the methods from blocks of 256 threads, and the best of all."""
    own = kernel.where(lambda row: number(row["threads"]) == BLOCK)
    for (method,), line in own.groups("method"):
        order = numpy.argsort(line.numbers("registers"), kind="stable")
        colour, marker = styles[method]
        times.plot(line.numbers("registers")[order], line.numbers("ms")[order], color=colour, marker=marker,
                   markersize=4, linewidth=0.9)
    for n, ((threads,), part) in enumerate(kernel.groups("threads")):
        steps = sorted(set(zip(part.numbers("registers"), part.numbers("occupancy (%)"))))
        steps.insert(0, (steps[0][0] - 8, steps[0][1]))
        shares.plot(*zip(*steps), drawstyle="steps-pre", color=style.QUIET if number(threads) != BLOCK else "black",
                    linestyle=style.LINES[n % 8], linewidth=1.1, label=f"{threads} threads")
    best = min(kernel.rows, key=lambda row: number(row["ms"]))
    times.axhline(best["ms"], color=style.QUIET, linewidth=0.8, linestyle="--")
    times.text(0.98, 0.03, f"fastest: {best['method']}, {best['threads']} threads, {best['registers']} registers",
               transform=times.transAxes, ha="right", va="bottom", fontsize=6.5, color="#555555")
    times.tick_params(labelbottom=False)
    times.set_ylim(0, 1.1 * own.numbers("ms").max())
    shares.set_ylim(0, 1.15 * max(kernel.numbers("occupancy (%)")))
    shares.set_xlabel("registers a thread")


def steepest(sweep, count):
    """The kernels whose slowest point from blocks of 256 threads is furthest from their fastest."""
    kernels = list(sweep.groups("kernel", "precision"))

    def height(kernel):
        ms = [number(row["ms"]) for row in kernel[1].rows if number(row["threads"]) == BLOCK]
        return max(ms) / min(ms) if ms else 0
    return sorted(kernels, key=height, reverse=True)[:count]


def registers_alone(report):
    """Without a GPU: what the compiler tells, for two of the architectures."""
    table = report.table
    architectures = unique(table.texts("architecture"))
    shown = [a for a in ("sm_80", "sm_90") if a in architectures] or architectures[:2]
    styles = method_styles(table)
    names = [f"{kernel}, {precision}" for (kernel, precision), _ in table.groups("kernel", "precision")]
    made, (panels,) = style.figure(1, len(shown), sharey=True, width=11, height=1.8 + 0.24 * len(names))
    for axes, architecture in zip(panels, shown):
        part = table.where(lambda row: row["architecture"] == architecture)
        for (method,), rows in part.groups("method"):
            places = [names.index(f"{row['kernel']}, {row['precision']}") for row in rows.rows]
            colour, marker = styles[method]
            axes.scatter(rows.numbers("registers"), places, s=50 if "$" in marker else 26, marker=marker, color=colour,
                         label=method, zorder=3)
        occupancy_steps(axes, part.numbers("registers"))
        axes.set_title(architecture)
        axes.set_xlabel(f"registers a thread. {DOTTED}", fontsize=8)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].invert_yaxis()
    legend_below(made, panels)
    return made


def registers(report):
    if "architecture" in report.table.columns:
        return registers_alone(report)
    sweep = report.others["cliffs"].measured("ms")
    timed = report.table.measured("ratio to none")
    styles = method_styles(report.table)
    names = unique(kernel_name(row) for row in timed.rows)
    shipped = timed.where(lambda row: row["method"].endswith("as shipped") and not row["method"].startswith("none"))
    free = timed.where(lambda row: row["method"] in unique(sweep.texts("method")))
    narrow = min(threads_of(block) for block in free.texts("block"))
    cliffs = steepest(sweep, 4)
    made = style.pyplot.figure(figsize=(11, 5.6 + 0.3 * len(names)), layout="constrained")
    upper, lower = made.add_gridspec(2, 1, height_ratios=(1 + 0.3 * len(names), 3.6))
    upper = upper.subgridspec(1, 2)
    lower = lower.subgridspec(2, len(cliffs), height_ratios=(1.7, 1))
    left = made.add_subplot(upper[0])
    right = made.add_subplot(upper[1], sharey=left)
    methods_by_registers(left, free.where(lambda row: threads_of(row["block"]) == narrow), names, styles)
    methods_by_time(right, sweep, shipped, names, styles)
    left.set_yticks(range(len(names)), names)
    for axes in (left, right):
        striped(axes, len(names))
    right.tick_params(labelleft=False)
    for n, (name, kernel) in enumerate(cliffs):
        times = made.add_subplot(lower[0, n])
        shares = made.add_subplot(lower[1, n], sharex=times)
        cliff(times, shares, kernel, styles)
        times.set_title(style.wrapped(", ".join(name), 36), fontsize=8.5)
        if n == 0:
            times.set_ylabel(f"ms a launch, {BLOCK} threads")
            shares.set_ylabel("occupancy (%)")
            shares.legend(fontsize=6.5)
    legend_below(made, [left, right])
    return made


def bit_flips(report):
    """A map a setting, fields downwards and bits across: what notices a flip, or what it leaves if nothing does."""
    from matplotlib import patches
    table = report.table
    kinds = [kind for kind in unique(table.texts("noticed as")) if kind != "not noticed"]
    settings = list(table.groups("precision", "stage", "spike"))
    made, panels = style.figure(len(settings), 1, width=10, height=0.9 + 1.75 * len(settings))
    for (axes,), ((precision, stage, spike), part) in zip(panels, settings):
        fields = unique(part.texts("field"))
        top, bottom = part.numbers("from bit"), part.numbers("to bit")
        for n, (field, kind, when) in enumerate(zip(part.texts("field"), part.texts("noticed as"), part.texts("when"))):
            noticed = kind in kinds
            axes.add_patch(patches.Rectangle(
                (bottom[n] - 0.5, fields.index(field) - 0.5), top[n] - bottom[n] + 1, 1, edgecolor="white",
                facecolor=style.COLOURS[kinds.index(kind) % 8] if noticed else "#eeeeee",
                hatch="///" if noticed and when != "in that stage" else ""))
            if not noticed and top[n] - bottom[n] > max(top) / 4:  # wide enough to be written in
                least, largest = part.numbers("least error")[n], part.numbers("largest")[n]
                axes.text((top[n] + bottom[n]) / 2, fields.index(field),
                          f"not noticed: leaves {least:.1g} to {largest:.1g}", ha="center", va="center", fontsize=7.5,
                          color="#444444")
        axes.set_yticks(range(len(fields)), fields)
        axes.set_xlim(max(top) + 0.5, -0.5)  # the sign on the left, as it is written
        axes.set_ylim(len(fields) - 0.5, -0.5)
        axes.grid(visible=False)
        watch = "no watch for spikes" if spike == "off" else f"spike.factor {spike}"
        axes.set_title(f"{precision}, struck in stage {stage}, {watch}", loc="left", fontsize=9)
    panels[-1][0].set_xlabel("bit (the highest is the sign)")
    names = [f"noticed as {kind}" for kind in kinds] + ["noticed later than in the stage it struck", "not noticed"]
    fills = [{"facecolor": style.COLOURS[n % 8]} for n in range(len(kinds))]
    fills += [{"facecolor": style.QUIET, "hatch": "///", "edgecolor": "white"}, {"facecolor": "#eeeeee"}]
    style.legend_below(made, [patches.Patch(**fill) for fill in fills], names)
    return made


def general(report):
    """For a study that nobody has drawn before: its first column of numbers as bars."""
    table = report.table
    numeric = [column for column in table.columns if table.has(column)]
    if not numeric:
        raise NothingToDraw("its table has no numbers")
    column = numeric[0]
    table = table.measured(column)
    shown, count = Table({"title": table.title, "columns": table.columns, "rows": table.rows[:40]}), len(table.rows)
    words = [c for c in table.columns if c not in numeric][:3] or [column]
    names = [style.wrapped(" · ".join(str(row[c]) for c in words), 60) for row in shown.rows]
    made, ((axes,),) = style.figure(height=1.5 + 0.3 * len(names))
    bars = axes.barh(range(len(names)), shown.numbers(column), 0.7, color=style.COLOURS[0])
    axes.bar_label(bars, [f" {x:.4g}" for x in shown.numbers(column)], fontsize=7.5)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.set_xlabel(column if count == len(names) else f"{column}, the first {len(names)} rows of {count}")
    axes.grid(axis="y", visible=False)
    return made


DRAWINGS = {"timers": timers, "transfers": transfers, "streams": streams, "atomics": atomics,
            "interruptible": interruptible, "detection": detection, "registers": registers, "bit-flips": bit_flips}
TABLE_SUFFICES = {"async-error", "kernel", "tune"}


def draw(json_report, stem, source=""):
    """Writes the files of style.save() and returns their paths. Raises NothingToDraw."""
    if json_report["study"] in TABLE_SUFFICES:
        raise NothingToDraw("the table says it all")
    report = Report(json_report)
    try:
        made = DRAWINGS.get(json_report["study"], general)(report)
    except KeyError:  # of another version, with other columns
        made = general(report)
    return style.save(made, report.table.title, json_report.get("provenance", {}), stem, source)


if __name__ == "__main__":
    sys.exit(exit_code(draw, "a study"))
