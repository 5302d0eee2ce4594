"""Reports of studies as `halfstep study NAME --output DIR` writes them, with figures made up for the pictures' tests."""

PROVENANCE = {"command": "halfstep study NAME", "date": "2026-01-31", "git": "0123456789",
              "device": "A device, sm_90", "driver": "580.65.06", "compiler": "nvcc 13.0.48"}
NOT_MEASURED = "not measured"


def table(title, columns, rows, name=None):
    made = {"title": title, "columns": columns, "notes": [],
            "rows": [dict(zip(columns, row, strict=True)) for row in rows]}
    return made if name is None else {"name": name, **made}


def report(study, main, *others):
    return {"study": study, "provenance": {**PROVENANCE, "command": f"halfstep study {study}"}, **main,
            "tables": list(others), "findings": [], "failures": []}


def timers():
    columns = ["measured", "timer", "runs", "median (ms)", "mean (ms)", "deviation (ms)", "a K80 (ms)"]
    rows = []
    for measured, base in (("cold", 300.0), ("warm", 20.0), ("kernel, waited for", 0.02), ("kernel, launched", 0.005)):
        for n, timer in enumerate(("gettimeofday", "cudaEvent", "clock", "chrono")):
            rows.append([measured, timer, 10, base * (1 + 0.1 * n), base, base * 0.1, "-"])
    rows[-1][3:6] = [NOT_MEASURED] * 3
    rows[-2][3] = 0.0
    return report("timers", table("vectorAdd of 5000000 floats by four timers", columns, rows))


def transfers():
    columns = ["bytes", "way", "pageable", "pinned", "write-combined", "mapped", "mapped write-combined"]
    rows = [[2**n, way, *(peak / (1 + 2**(17 - n)) for peak in (10, 54, 55, 48 if way == "up" else 50, 49))]
            for n in range(12, 31) for way in ("up", "down")]
    rows[-2][2:] = rows[-1][2:] = [NOT_MEASURED] * 5
    return report("transfers", table("Between the memories of host and device, GB/s (medians)", columns, rows))


def streams():
    columns = ["schedule", "time (ms)", "quartiles", "gain over one stream", "overlap (%)"]

    def rows(ms):
        return [["copies up alone", 12.0, "11.9 to 12.2", "-", "-"], ["kernels alone", ms, "- to -", "-", "-"],
                ["copies down alone", 6.0, "5.9 to 6", "-", "-"], ["no overlap: their sum", 18.0 + ms, "-", "-", 0.0],
                ["one stream", 18.5 + ms, "18 to 19.5", 1.0, 0.0],
                ["two streams, depth-first", 15.0, "14.8 to 15.2", 1.3, 60.0],
                ["two streams, breadth-first", 13.0, "12.7 to 13.1", 1.5, 90.0],
                ["full overlap: the longest", 12.0, "-", "-", 100.0]]
    return report("streams", table("10 chunks: two copies up, a kernel, a copy down", columns, rows(2.0)),
                  table("The same with a long kernel", columns, rows(12.0), "long_kernel"))


def atomics():
    columns = ["histogram by", "random (ms)", "quartiles", "G/s", "all equal (ms)", "quartiles ", "G/s "]
    rows = [["CPU, 1 thread", 55.0, "54 to 56", 1.8, 80.0, "79 to 81", 1.2],
            ["CPU, 16 threads", 5.0, "4.9 to 5.2", 20.0, 6.0, "5.9 to 6.2", 16.0],
            ["GPU, global atomics", 2.0, "2 to 2", 50.0, 40.0, "40 to 40", 2.5],
            ["GPU, shared atomics", 0.1, "0.1 to 0.1", 1000.0, 1.0, "1 to 1", 100.0],
            ["GPU, warp-aggregated", "not measured: no device", "-", "-", "-", "-", "-"]]
    dot = table("A dot product of 50000000 floats", ["dot product by", "ms", "quartiles", "GB/s"],
                [["CPU, 1 thread", 40.0, "39 to 41", 10.0], ["GPU, two passes", 0.1, "0.1 to 0.1", 4000.0]], "dot")
    return report("atomics", table("A histogram of 100 million bytes, 256 bins", columns, rows), dot)


def interruptible():
    columns = ["scheme", "kernel", "safe points", "arguments", "registers", "local (B)", "occupancy (%)", "ms",
               "quartiles", "extra (%)", "ns a check"]
    rows = []
    for scheme, ms in (("plm", 1.0), ("weno5z", 3.0)):
        rows.append([scheme, "ordinary", "none", "value", 100, 0, 25.0, ms, "1 to 1", "+0.00", "-"])
        for kernel, cost in (("tile queue", 0.2), ("record in registers", 0.7), ("record in memory", 2.0)):
            for n, density in enumerate(("one a tile", "one a pencil", "one a cell")):
                for arguments in ("value", "pointer"):
                    rows.append([scheme, kernel, density, arguments, 110, 0, 25.0, ms, "1 to 1",
                                 f"{cost * 2**n * (1 if arguments == 'value' else 1.5):+.2f}", "12.5"])
    return report("interruptible", table("What a safe point costs a kernel that is not interrupted", columns, rows))


def detection():
    columns = ["kernel", "precision", "registers", "ms a step", "time ratio", "quartiles", "noise"]
    rows = [[kernel, precision, 80, 9.0, ratio, f"{ratio - 0.003:.4f} to {ratio + 0.002:.4f}", "0.99 to 1.01"]
            for kernel, ratio in (("plm primitive", 0.998), ("ppm primitive", 1.004), ("weno5z characteristic", 1.0))
            for precision in ("double", "single")]
    return report("detection", table("Stage kernels with the soft-error channel and without", columns, rows))


METHODS = {"none": 0, "printf": 62, "assert": 30, "payload": 9, "raise once": 1, "printf, launch bounds": 20,
           "printf, register cap": 0, "none, as shipped": -10, "raise once, as shipped": -10}
KERNELS = (("plm primitive hllc", 80), ("weno5z characteristic hllc", 150), ("ppm characteristic hllc", 118))


def occupancy(registers, threads=256):
    return 100 * (65536 // (threads * ((registers + 7) // 8 * 8))) * threads / 2048


def used(base, more, precision):
    return min(255, max((base + more) // (1 if precision == "double" else 2), 16))


def registers():
    columns = ["kernel", "precision", "block", "method", "registers", "local (B)", "spill (B)", "occupancy (%)",
               "achieved (%)", "ms", "quartiles", "ratio to none"]
    rows = [["toy of the blog", "single", "32 x 8", "none", 16, 0, 0, 100.0, *[NOT_MEASURED] * 2, "", NOT_MEASURED]]
    cliffs = []
    for kernel, base in KERNELS:
        for precision in ("double", "single"):
            for block, threads in (("32 x 4", 128), ("32 x 8", 256)):
                for method, more in METHODS.items():
                    n = used(base, more, precision)
                    ratio = 1 + 0.01 * (occupancy(used(base, 0, precision)) - occupancy(n)) + 0.001 * more
                    rows.append([kernel, precision, block, method, n, 0, 0, occupancy(n, threads), NOT_MEASURED,
                                 3 * ratio, "2.9 to 3.1", ratio])
                for method in ("none", "printf", "payload", "raise once"):
                    for cap in (0, 168, 128, 96, 80, 64):
                        n = min(cap or 255, used(base, METHODS[method], precision))
                        ms = 60 / (20 + occupancy(n, threads)) + (used(base, METHODS[method], precision) - n) / 100
                        cliffs.append([kernel, precision, method, threads, cap, n, 0, occupancy(n, threads), ms])
    sweep = table("The sweep: time against registers and occupancy, by block and register cap",
                  ["kernel", "precision", "method", "threads", "register cap", "registers", "spill (B)",
                   "occupancy (%)", "ms"], cliffs, "cliffs")
    main = table("Reporting from the stage kernels, 256^3 cells, by method and block", columns, rows)
    return report("registers", main, sweep)


def registers_without_gpu():
    columns = ["kernel", "precision", "method", "architecture", "registers", "local (B)", "spill (B)", "occupancy (%)"]
    rows = [[kernel, precision, method, architecture, n, 0, 0, occupancy(n)]
            for kernel, base in KERNELS for precision in ("double", "single")
            for architecture in ("sm_75", "sm_80", "sm_90") for method, more in METHODS.items()
            for n in [used(base, more, precision)]]
    return report("registers", table("What the compiler tells, nvcc 13.0, blocks of 256 threads", columns, rows))


def bit_flips():
    columns = ["precision", "stage", "spike", "field", "from bit", "to bit", "noticed as", "least error", "largest",
               "when"]
    rows = []
    for precision, bits, spike in (("double", 64, "off"), ("double", 64, "1.5"), ("single", 32, "off")):
        for field in ("density", "momentum_x", "momentum_y", "momentum_z", "energy"):
            rows.append([precision, 3, spike, field, bits - 4, 0, "not noticed", 0.0, 0.0035, ""])
            rows.append([precision, 3, spike, field, bits - 2, bits - 3, "cfl_overrun", 0, 1e-5, "2 steps later"])
            rows.append([precision, 3, spike, field, bits - 1, bits - 1, "negative_density", 0, 0, "in that stage"])
    return report("bit-flips", table("A bit flipped in one cell of a smooth flow", columns, rows))


def other():
    rows = [["one", 1.5, "short"], ["another", 12.0, "long"], ["third", NOT_MEASURED, ""]]
    return report("something-new",
                  table("A study without a drawing of its own", ["what", "how long (ms)", "remark"], rows))


def async_error():
    return report("async-error", table("What the host sees", ["line", "output"], [[1, "no error"]]))


# By study: (report, texts that its picture must show).
def bench():
    """As `halfstep bench --json FILE` writes it; the last row's operations are not counted."""
    limits = [{"backend": "cuda", "device": "A device", "threads": 0, "precision": precision,
               "copy_bytes_per_second": 4e12, "fma_flops_per_second": fma, "copy_rates": [4e12], "fma_rates": [fma]}
              for precision, fma in (("double", 3.4e13), ("single", 6.7e13))]
    rows = []
    for reconstruction, integrator, precision, seconds, moved, flops in (
            ("plm", "ssprk2", "double", 4e-3, 200, 957), ("weno5z", "ssprk3", "double", 9e-3, 320, 4940),
            ("plm", "ssprk2", "single", 2e-3, 100, 957), ("ppm", "ssprk3", "single", 4e-3, 160, None)):
        updates = 256**3 / seconds
        rows.append({"deck": "inputs/linear_wave_3d.yaml", "overrides": [], "case": "linear_wave",
                     "cells": [256, 256, 256], "backend": "cuda", "device": "A device, sm_90", "threads": 0,
                     "scheme": {"reconstruction": reconstruction, "variables": "primitive", "riemann": "hllc",
                                "integrator": integrator, "positivity": "none", "precision": precision},
                     "steps": 100, "seconds_per_step": [seconds], "quartiles": [0.9 * seconds, seconds, 1.2 * seconds],
                     "cell_updates_per_second": updates, "bytes_per_cell_update": moved,
                     "bytes_per_second": moved * updates, "share_of_copy": moved * updates / 4e12})
        if flops:
            fma = limits[precision == "single"]["fma_flops_per_second"]
            rows[-1] |= {"flops_per_cell_update": flops, "flops_per_second": flops * updates,
                         "share_of_fma": flops * updates / fma}
    return {"bench": "The built-in set", "provenance": {**PROVENANCE, "command": "halfstep bench"}, "limits": limits,
            "rows": rows}


SAMPLES = {
    "timers": (timers(), ["cudaEvent", "kernel, launched", "ms (median"]),
    "transfers": (transfers(), ["write-combined", "GB/s", "16 MiB", "down: to the host"]),
    "streams": (streams(), ["two streams, breadth-first", "full overlap: the longest", "The same with a long kernel"]),
    "atomics": (atomics(), ["GPU, shared atomics", "all equal", "A dot product of 50000000 floats"]),
    "interruptible": (interruptible(), ["one a pencil", "record in memory, by pointer", "weno5z"]),
    "detection": (detection(), ["weno5z characteristic", "the limit: 1.01", "single"]),
    "registers": (registers(), ["raise once", "registers a thread", "so many blocks fit", "occupancy (%)",
                                "128 threads", "time / time without reports"]),
    "registers, no GPU": (registers_without_gpu(), ["raise once, as shipped", "sm_80",
                                                    "weno5z characteristic hllc, double"]),
    "bit-flips": (bit_flips(), ["momentum_y", "not noticed: leaves 0 to 0.004", "noticed as cfl_overrun",
                                "spike.factor 1.5"]),
    "something-new": (other(), ["another · long", "how long (ms)"]),
}
