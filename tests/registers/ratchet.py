#!/usr/bin/env python3
"""The ratchet: no stage kernel takes more registers or memory of its own than tests/registers/table.txt says.

Usage: ratchet.py BUILD [--bless] [--table FILE]

BUILD is a Release build with CUDA. What ptxas reported when it compiled the kernels is compared with the table, kernel
by kernel; no GPU is needed. --bless writes the table anew, from a BUILD for all of its architectures.

Exit codes: 0 nothing grew, 1 something grew or the table names other kernels, 77 BUILD cannot be compared.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ("registers", "stack", "spills", "shared")
HEADER = """\
# What the stage kernels take, as ptxas of nvcc {release} reports it in a Release build. Per thread: registers,
# bytes of stack, bytes spilled (stores and loads together); per block: bytes of static shared memory. A test
# fails when one of them grows. To move the table on purpose:
#   cmake -S . -B BUILD -DCMAKE_CUDA_ARCHITECTURES="80-real;90" && cmake --build BUILD --target halfstep
#   tests/registers/ratchet.py BUILD --bless
"""


class Skip(Exception):
    """Raised with the reason why BUILD cannot be compared."""


def stage_compilations(build):
    """Returns (object, words of the command) of each file of stage kernels in the build."""
    database = build / "compile_commands.json"
    if not database.exists():
        raise Skip(f"{build} is not a build")
    compilations = []
    for entry in json.loads(database.read_text()):
        if re.search(r"/stages/cuda_[^/]*\.cu$", entry["file"]):
            words = shlex.split(entry["command"])
            compilations.append((build / words[words.index("-o") + 1], words))
    if not compilations:
        raise Skip("built without CUDA")
    return compilations


def release_of(words):
    """Returns the release of the nvcc in a command, such as 13.0."""
    nvcc = next((word for word in words if pathlib.PurePath(word).name.startswith("nvcc")), "")
    try:
        told = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise Skip(f"no nvcc: '{nvcc}' does not run") from None
    return re.search(r"release (\d+\.\d+)", told)[1]


def enumerators(name):
    """Returns the enumerators of an enum class in physics/flux, in order."""
    if name == "Limiter":
        return re.findall(r'LIMITER\((\w+), "', (SOURCE / "physics/flux/reconstruction/limiter.hpp").read_text())
    text = (SOURCE / "physics/flux/scheme.hpp").read_text()
    return re.search(rf"enum class {name} {{ ([^}}]*) }};", text)[1].split(", ")


def split_arguments(text):
    """Splits template arguments at the commas that are not within brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def argument_words(argument):
    """Returns a template argument in the words of a deck: `Plm<(Limiter)1>` is `plm van_leer`, `float` is `single`."""
    if argument == "float":
        return "single"
    enumerator = re.fullmatch(r"\((\w+)\)(\d+)", argument)
    if enumerator:
        return enumerators(enumerator[1])[int(enumerator[2])]
    outer, inner = re.fullmatch(r"([^<]*)(?:<(.*)>)?", argument).groups()
    words = [re.sub(r"(?<=[a-z])([A-Z])", r"_\1", outer).lower()]
    return " ".join(words + [argument_words(a) for a in split_arguments(inner or "") if a])


def kernel_words(signature):
    """Returns a demangled kernel in the words of a deck: `weno5z characteristic hllc double`."""
    name = re.sub(r"\b(\w+::)+", "", signature)
    name = re.sub(r"^(void )?(.*)\([^()]*\)$", r"\2", name)
    stage = re.fullmatch(r"stage_of_(?:registers|blocks)<(.*)>", name)
    if not stage:
        return name
    body = (SOURCE / "physics/cuda/stage/body.cuh").read_text()
    parameters = re.findall(r"template <([^>]*)>\s*__global__[^;{]*\bstage_of_blocks\(", body)[0]
    words = []
    for parameter, argument in zip(split_arguments(parameters), split_arguments(stage[1]), strict=True):
        what = parameter.split()[-1]
        if argument in ("true", "false"):  # has_scalars, writes_twins
            words += [what.split("_")[-1]] * (argument == "true")
        elif argument.isdigit():
            words.append(f"{what}={argument}")
        elif argument not in ("RaiseOnce", "NoCorrection"):  # the usual policies are not named
            words.append(argument_words(argument))
    return " ".join(words)


def measured(compilations):
    """Returns {(architecture, kernel): figures} of the reports that were kept when the kernels were compiled."""
    found, current, entry = {}, None, None
    for object_file, _ in compilations:
        report = object_file.with_name(object_file.name + ".ptxas")
        if not report.exists():
            sys.exit(f"{report} is not there: build the program first")
        for line in report.read_text().splitlines():
            if match := re.search(r"Compiling entry function '(\w+)' for '(\w+)'", line):
                current = entry = (match[2], match[1])
                found[entry] = dict.fromkeys(FIGURES, 0)
            elif match := re.search(r"Function properties for (\w+)", line):
                current = (entry[0], match[1]) if entry else None
            elif current != entry or entry is None:
                continue  # a function that the kernel calls: its registers and stack are part of the kernel's
            elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill .*, (\d+) bytes spill", line):
                found[entry]["stack"] = int(match[1])
                found[entry]["spills"] = int(match[2]) + int(match[3])
            elif match := re.search(r"Used (\d+) registers(?:.*?(\d+) bytes smem)?", line):
                found[entry]["registers"] = int(match[1])
                found[entry]["shared"] = int(match[2] or 0)
    mangled = "\n".join(name for _, name in found)
    signatures = subprocess.run(["c++filt"], input=mangled, capture_output=True, text=True, check=True).stdout
    return {(architecture, kernel_words(signature)): figures
            for ((architecture, _), figures), signature in zip(found.items(), signatures.splitlines(), strict=True)}


def order(key):
    """Returns a sorting key: architectures by number, kernels of an architecture by name."""
    return int(key[0].strip("sm_af")), key[1]


def write_table(table, figures, release):
    names = ["# architecture", *FIGURES, "kernel"]
    lines = ["  ".join(names)]
    for key in sorted(figures, key=order):
        cells = [key[0], *(str(figures[key][figure]) for figure in FIGURES)]
        lines.append("  ".join(f"{cell:>{len(name)}}" for cell, name in zip(cells, names)) + f"  {key[1]}")
    table.write_text(HEADER.format(release=release) + "\n".join(lines) + "\n")


def read_table(path):
    """Returns ({(architecture, kernel): figures}, release of nvcc)."""
    table = {}
    text = path.read_text()
    for line in text.splitlines():
        if not line.startswith("#"):
            architecture, *figures, kernel = line.split(maxsplit=1 + len(FIGURES))
            table[architecture, kernel] = dict(zip(FIGURES, map(int, figures), strict=True))
    return table, re.search(r"of nvcc (\d+\.\d+)", text)[1]


def compare(table, figures):
    """Returns (what is wrong, what could be lowered in the table), a line each, for the architectures both have."""
    both = {a for a, _ in table} & {a for a, _ in figures}
    wrong, slack = [], []
    for key in sorted({k for k in table.keys() | figures.keys() if k[0] in both}, key=order):
        name = f"{key[0]} {key[1]}"
        if key not in table:
            wrong.append(f"{name}: not in the table")
        elif key not in figures:
            wrong.append(f"{name}: in the table, but there is no such kernel")
        else:
            changes = [(figure, table[key][figure], figures[key][figure]) for figure in FIGURES]
            for figure, before, now in changes:
                if now != before:
                    (wrong if now > before else slack).append(f"{name}: {before} -> {now} {figure}")
    return wrong, slack


def architectures_of(figures):
    return sorted({architecture for architecture, _ in figures}, key=lambda a: order((a, "")))


def bless(path, figures, release):
    lost = set(architectures_of(read_table(path)[0])) - set(architectures_of(figures)) if path.exists() else ()
    if lost:
        sys.exit(f"{path} is also for {', '.join(sorted(lost))}, which this build is not for")
    write_table(path, figures, release)
    print(f"{path}: {len(figures)} kernels")
    return 0


def check(path, figures, release, build):
    if not path.exists():
        sys.exit(f"{path} is not there; --bless writes it")
    table, of_table = read_table(path)
    if release != of_table:
        raise Skip(f"the table is for nvcc {of_table}, this is {release}")
    compared = [a for a in architectures_of(figures) if a in architectures_of(table)]
    if not compared:
        raise Skip(f"the table has no figures for {', '.join(architectures_of(figures))}")
    wrong, slack = compare(table, figures)
    if wrong:
        print("\n".join(wrong))
        print(f"\nMend the kernels, or move the table on purpose: {sys.argv[0]} {build} --bless")
        return 1
    if slack:
        print("\n".join(["Less than the table allows; --bless tightens it:", *slack]))
    count = sum(architecture in compared for architecture, _ in figures)
    print(f"{count} kernels for {' and '.join(compared)} stay within their table")
    return 0


def ratchet(build, path, blesses):
    compilations = stage_compilations(build)
    words = compilations[0][1]
    if "-O3" not in words or "-DHALFSTEP_STRICT_FP=1" in words:
        raise Skip("the table is for Release builds without HALFSTEP_STRICT_FP")
    release = release_of(words)
    figures = measured(compilations)
    return bless(path, figures, release) if blesses else check(path, figures, release, build)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--bless", action="store_true", help="write the table anew")
    parser.add_argument("--table", type=pathlib.Path, default=pathlib.Path(__file__).with_name("table.txt"))
    options = parser.parse_args()
    try:
        return ratchet(options.build.resolve(), options.table, options.bless)
    except Skip as reason:
        print(f"skipped: {reason}")
        return 77


if __name__ == "__main__":
    sys.exit(main())
