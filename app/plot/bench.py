"""Draws what `halfstep bench --json FILE.json` left as a roofline: FILE.json to STEM.png and STEM.svg.

Each row is a point, its rate over the operations it has for a byte; nothing can be above the lines, which are the copy
and the FMA loop of the same run. S. Williams, A. Waterman & D. Patterson, Commun. ACM 52 (2009) 65.

Usage: bench.py FILE.json STEM [SOURCE]

Exit codes: as study.py's.
"""
import sys

try:
    import numpy
    import style
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter
    from refusal import NothingToDraw, exit_code
except ImportError as error:
    print(error)
    sys.exit(3)

GIGA = 1e-9


def label(row):
    scheme = row["scheme"]
    names = ("reconstruction", "limiter", "variables", "integrator", "precision")  # a limiter is plm's alone
    return " ".join(scheme[name] for name in names if name in scheme)


def intensity(row):
    return row["flops_per_cell_update"] / row["bytes_per_cell_update"]


def roofline(report):
    rows = [row for row in report["rows"] if "flops_per_second" in row]
    if not rows:
        raise NothingToDraw("no row has its operations counted")
    made, ((axes,),) = style.figure(height=5.2)
    places = [intensity(row) for row in rows]
    ridges = [limit["fma_flops_per_second"] / limit["copy_bytes_per_second"] for limit in report["limits"]]
    x = numpy.geomspace(min(places + ridges) / 3, max(places + ridges) * 3, 200)
    for n, limit in enumerate(report["limits"]):
        copy, fma = GIGA * limit["copy_bytes_per_second"], GIGA * limit["fma_flops_per_second"]
        axes.loglog(x, numpy.minimum(copy * x, fma), color=style.QUIET, linestyle=style.LINES[n], linewidth=1.2,
                    label=f"limit, {limit['precision']}: copy {copy:.5g} GB/s, FMA {fma:.5g} GFLOP/s")
    for n, row in enumerate(rows):
        rate = GIGA * row["flops_per_second"]
        low, _, high = row["quartiles"]
        spread = rate * row["quartiles"][1] * numpy.array([[1 / high], [1 / low]])
        axes.errorbar([intensity(row)], [rate], yerr=abs(spread - rate), color=style.COLOURS[n % 8],
                      marker=style.MARKERS[n % 8], markersize=6, linestyle="none", capsize=2, elinewidth=0.9,
                      label=f"{label(row)}: {rate:.5g} GFLOP/s, {100 * row['share_of_fma']:.0f} % of FMA, "
                            f"{100 * row['share_of_copy']:.0f} % of copy")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(FormatStrFormatter("%g"))
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("FLOP a byte, of the fewest bytes that stages can move")
    axes.set_ylabel("GFLOP/s")
    style.legend_below(made, *axes.get_legend_handles_labels())
    return made


def title(report):
    first = report["rows"][0]
    cells = " x ".join(str(n) for n in first["cells"])
    return f"{report['bench']}: {first['case']}, {cells} cells, {first['scheme']['riemann']}"


def draw(report, stem, source=""):
    """Writes the files of style.save() and returns their paths. Raises NothingToDraw."""
    made = roofline(report)
    provenance = {**report["provenance"], "device": report["rows"][0]["device"]}  # a processor, if it was the host
    return style.save(made, title(report), provenance, stem, source)


if __name__ == "__main__":
    sys.exit(exit_code(draw, "a benchmark"))
