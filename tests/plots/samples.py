"""Reports of studies for the pictures' tests: those of docs/results where there is one, changed or made up elsewhere."""
import json
import pathlib

PROVENANCE = {"command": "halfstep study NAME", "date": "2026-01-31", "git": "0123456789",
              "device": "A device, sm_90", "driver": "580.65.06", "compiler": "nvcc 13.0.48"}
NOT_MEASURED = "not measured"
RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs/results"


def measured(study, *columns):
    """Returns the report of docs/results as of one device; the named columns lack figures in the last two rows."""
    report = json.loads((RESULTS / f"{study}.json").read_text())
    for row in report["rows"][-2:]:
        row |= dict.fromkeys(columns, NOT_MEASURED)
    return {**report, "provenance": {**PROVENANCE, "command": f"halfstep study {study}"}}


def report(study, title, columns, rows, *others):
    made = {"title": title, "columns": columns, "notes": [],
            "rows": [dict(zip(columns, row, strict=True)) for row in rows]}
    return {"study": study, "provenance": {**PROVENANCE, "command": f"halfstep study {study}"}, **made,
            "tables": list(others), "findings": [], "failures": []}


def timers():
    return measured("timers", "median (ms)", "mean (ms)", "deviation (ms)")


def transfers():
    return measured("transfers", "pageable", "pinned", "write-combined", "mapped", "mapped write-combined")


def registers_without_gpu():
    static = next(table for table in measured("registers")["tables"] if table["name"] == "static")
    return {**report("registers", static["title"], static["columns"], []), "rows": static["rows"]}


def bit_flips():
    columns = ["precision", "stage", "spike", "field", "from bit", "to bit", "noticed as", "least error", "largest",
               "when"]
    rows = []
    for precision, bits, spike in (("double", 64, "off"), ("double", 64, "1.5"), ("single", 32, "off")):
        for field in ("density", "momentum_x", "momentum_y", "momentum_z", "energy"):
            rows.append([precision, 3, spike, field, bits - 4, 0, "not noticed", 0.0, 0.0035, ""])
            rows.append([precision, 3, spike, field, bits - 2, bits - 3, "cfl_overrun", 0, 1e-5, "2 steps later"])
            rows.append([precision, 3, spike, field, bits - 1, bits - 1, "negative_density", 0, 0, "in that stage"])
    return report("bit-flips", "A bit flipped in one cell of a smooth flow", columns, rows)


def other():
    return report("something-new", "A study without a drawing of its own", ["what", "how long (ms)", "remark"],
                  [["one", 1.5, "short"], ["another", 12.0, "long"], ["third", NOT_MEASURED, ""]])


def bench():
    """Returns a report as `halfstep bench --json FILE` writes it; the last row's operations are not counted."""
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


# By study: (report, texts that its picture must show).
SAMPLES = {
    "timers": (timers(), ["cudaEvent", "kernel, launched", "ms (median"]),
    "transfers": (transfers(), ["write-combined", "GB/s", "16 MiB", "down: to the host"]),
    "streams": (measured("streams"), ["two streams, breadth-first", "full overlap: the longest",
                                      "The same with a kernel"]),
    "atomics": (measured("atomics", "random (ms)"), ["CPU, one thread", "all equal", "A dot product"]),
    "interruptible": (measured("interruptible"), ["one a pencil", "record in memory, by pointer", "weno5z"]),
    "detection": (measured("detection"), ["weno5z characteristic", "the limit: 1.01", "single"]),
    "registers": (measured("registers"), ["raise once", "registers a thread", "so many blocks fit", "occupancy (%)",
                                          "128 threads", "time / time without reports"]),
    "registers, of faces": ({**measured("registers_of_faces"), "title": "Faces"},
                            ["degree 5 roe viscous", "128 threads", "raise once, as shipped"]),
    "registers, no GPU": (registers_without_gpu(), ["raise once, as shipped", "sm_80",
                                                    "weno5z characteristic hllc, double"]),
    "bit-flips": (bit_flips(), ["momentum_y", "not noticed: leaves 0 to 0.004", "noticed as cfl_overrun",
                                "spike.factor 1.5"]),
    "something-new": (other(), ["another · long", "how long (ms)"]),
}
