#!/usr/bin/env python3
"""Checks that the kernels of NVIDIA's demonstration take no more registers with CASerror.h than with NVIDIA's header.

Usage: caserror.py [NVCC]

Exit codes: 0 no kernel takes more, 1 one does, 77 there is nothing to compare with.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from ratchet import SOURCE, Skip, release_of

RELEASE = "13.0"
LIMITS = {("sm_80", "kernel_a"): 18, ("sm_80", "kernel_b"): 18, ("sm_90", "kernel_a"): 22, ("sm_90", "kernel_b"): 20}


def registers(nvcc):
    """Returns {(architecture, kernel): registers} of the sample's kernels."""
    facade, sample = SOURCE / "runtime/soft_error/facade", SOURCE / "tests/device_code/caserror_sample.cu"
    architectures = sorted({architecture for architecture, _ in LIMITS})
    targets = [f"-gencode=arch={a.replace('sm', 'compute')},code={a}" for a in architectures]
    with tempfile.TemporaryDirectory() as scratch:
        command = [nvcc, "-std=c++17", *targets, f"-I{facade}", "-Xptxas=-v", "-c", sample,
                   "-o", pathlib.Path(scratch) / "sample.o"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    found = re.findall(r"entry function '\w*?(kernel_[ab])\w*' for '(\w+)'.*?Used (\d+) registers", done.stderr, re.S)
    return {(architecture, kernel): int(number) for kernel, architecture, number in found}


def main():
    if len(sys.argv) < 2:
        raise Skip("no nvcc")
    release = release_of([sys.argv[1]])
    if release != RELEASE:
        raise Skip(f"what NVIDIA's header takes was measured with nvcc {RELEASE}, this is {release}")
    taken = registers(sys.argv[1])
    for (architecture, kernel), limit in LIMITS.items():
        print(f"{architecture} {kernel}: {taken[architecture, kernel]} registers, with NVIDIA's header {limit}")
    return any(taken[key] > limit for key, limit in LIMITS.items())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skip as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
