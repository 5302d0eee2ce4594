#!/usr/bin/env python3
"""Attacks the program with mutated decks, mutated files of every kind, and calls of the system that fail.

usage: attack.py HALFSTEP [--decks N] [--files N] [--faults N] [--kills N] [--pictures N] [--seed S] [--limit SECONDS]

A mutated input has to end in time, by itself, with an exit code that is documented and, unless all is well, with a
message; a failed call with exit code 1 and a message, and every dump and checkpoint that is there is whole. A run
killed before any of its calls lets the next run into its directory, can be restarted, and loses no earlier run.
Exit code: 0 nothing found, 1 something was; what was found is printed with the seed and the case that repeat it.
"""
import argparse
import concurrent.futures
import errno
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WORDS = ["", "0", "-1", "1e308", "1e-320", "nan", ".inf", "true", "[]", "{}", "[1, 2]", "2147483648",
         "9223372036854775807", "-0.0", "'", '"', "*a", "&a", "- x", "{a: {b: {c: d}}}", "riemann", "\u0085",
         "é", "\t", "a" * 30000, "1" + " + x" * 8000]
SEAL = 512
PATIENCE = 10  # seconds of the wall for each of processor time


def crc64(data, table=[]):
    """Returns the CRC-64/XZ of the data, as the seal holds it."""
    if not table:
        for byte in range(256):
            for _ in range(8):
                byte = byte >> 1 ^ (0xC96C5795D7870F42 if byte & 1 else 0)
            table.append(byte)
    state = 2**64 - 1
    for byte in data:
        state = table[(state ^ byte) & 255] ^ state >> 8
    return state ^ (2**64 - 1)


def sealed(data):
    """Returns the bytes of a sealed file with the length and the checksum of its contents."""
    lines = data[:SEAL].split(b"\n")[:3]
    seal = lambda crc: b"\n".join([*lines, b"bytes %d" % len(data), b"crc64 %016x" % crc, b""]).ljust(SEAL, b"\0")
    return seal(crc64(seal(0) + data[SEAL:])) + data[SEAL:]


def mutated_bytes(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(max(len(data), 1))
        how = rng.randrange(6)
        if how == 0:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif how == 1:
            data[at:at + 8] = rng.choice((b"\0" * 8, b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\1" + b"\0" * 7))
        elif how == 2:
            del data[at:]
        elif how == 3:
            del data[at:at + rng.randrange(1, 64)]
        elif how == 4:
            data[at:at] = data[at:at + rng.randrange(1, 64)] * rng.randrange(1, 4)
        else:
            data[at:at + 1] = bytes([data[at] ^ 1 << rng.randrange(8)]) if data else b"x"
    return bytes(data)


def mutated_text(text, rng):
    if rng.random() < 0.3:
        return mutated_bytes(text.encode(), rng)
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(lines))
        how = rng.randrange(6)
        key, separator, value = lines[at].partition(":" if ":" in lines[at] else ",")
        if how == 0:
            lines[at] = key + separator + " " + rng.choice(WORDS)
        elif how == 1:
            del lines[at]
            lines = lines or [""]
        elif how == 2:
            lines.insert(at, rng.choice(lines))
        elif how == 3:
            lines[at] = " " * rng.randrange(5) + lines[at].strip()
        elif how == 4:  # a key that may be long
            indent = " " * (len(key) - len(key.lstrip()))
            lines[at] = f"{indent}? {rng.choice(WORDS)}\n{indent}:{value}"
        else:
            lines[at] = value + separator + key
    return "\n".join(lines).encode("utf-8", "surrogateescape")


class Attack:
    def __init__(self, options, directory):
        self.options, self.directory = options, directory
        self.found, self.slowest, self.codes = [], (0.0, ""), {}

    def halfstep(self, *arguments, limit=None, **environment):
        """Runs the program. Returns exit code (a signal is negative, a hang None), its output, seconds of the wall."""
        began = time.monotonic()
        limit = limit or self.options.limit
        with subprocess.Popen([self.options.halfstep, *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env={**os.environ, "OMP_NUM_THREADS": "1", **environment}) as process:
            # Processor time does not depend on what else the machine does.
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit + 1))
            try:
                said = process.communicate(timeout=PATIENCE * limit)[0].decode("utf-8", "replace")
                return process.returncode, said, time.monotonic() - began
            except subprocess.TimeoutExpired:
                process.kill()
                return None, "", time.monotonic() - began

    def expect(self, case, result, codes):
        code, said, seconds = result
        self.slowest = max(self.slowest, (seconds, case))
        self.codes[code] = self.codes.get(code, 0) + 1
        what = (f"no end within {seconds:.1f} s" if code is None else
                "too much processor time" if code == -signal.SIGXCPU else f"signal {-code}" if code < 0 else
                f"exit code {code}" if code not in codes else "a traceback" if "Traceback" in said else
                "no message" if code != 0 and not said.strip() else "")
        if what:
            self.found.append(f"{case}: {what}: {said.strip()[-300:]}")

    def each(self, count, kind, one):
        """Calls one(rng, directory, case) for each case, two at a time; its name and the seed repeat a case."""
        def case(n):
            directory = self.directory / f"{kind}{n}"
            directory.mkdir()
            try:
                one(random.Random(f"{self.options.seed} {kind} {n}"), directory, f"{kind} {n}, seed "
                    f"{self.options.seed}")
            finally:
                shutil.rmtree(directory)
        if not count:
            return
        before, began = len(self.found), time.monotonic()
        self.slowest, self.codes = (0.0, ""), {}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(case, range(count)))
        codes = ", ".join(f"{n} x {code}" for code, n in sorted(self.codes.items(), key=str))
        print(f"{count} {kind}s: {len(self.found) - before} found, exit codes {codes or 'none'}, "
              f"slowest {self.slowest[0]:.2f} s ({self.slowest[1]}), {time.monotonic() - began:.0f} s in all", flush=True)

    def deck(self, rng, directory, case):
        deck = directory / "a.yaml"
        deck.write_bytes(mutated_text(rng.choice(self.decks), rng))
        self.expect(case, self.halfstep("check", deck), (0, 2))

    def file(self, rng, directory, case):
        """Mutates one file of a run; a third of the sealed ones are sealed again, a third lose their seal."""
        run = directory / "run"
        shutil.copytree(self.run, run, symlinks=True)
        path = rng.choice(sorted(path for path in run.iterdir() if path.is_file() and not path.is_symlink()))
        data = path.read_bytes()
        if path.suffix in (".vtkhdf", ".h5"):
            kind = rng.randrange(3)
            body = data[:SEAL] + mutated_bytes(data[SEAL:], rng)
            # Without its seal a dump counts as one of an earlier version.
            data = mutated_bytes(data, rng) if kind == 0 else sealed(body) if kind == 1 else body[SEAL:]
            self.put(path, data)
            self.expect(f"{case}, {path.name}", self.halfstep("compare", self.run / path.name, path), (0, 1, 5))
        else:
            self.put(path, mutated_text(data.decode(), rng))
            self.expect(f"{case}, {path.name}", self.halfstep("compare", self.run, run), (0, 1, 2, 5))
        if path.suffix not in (".vtkhdf",):
            self.expect(f"{case}, {path.name}, restart",
                        self.halfstep("run", "--restart", run, "--backend", "host", "--quiet"), (0, 1, 2, 3))

    @staticmethod
    def put(path, data):
        path.write_bytes(data)
        return path

    def picture(self, rng, directory, case):
        run = directory / "run"
        shutil.copytree(self.run, run, symlinks=True)
        path = rng.choice(sorted(path for path in run.iterdir() if path.suffix != ".h5"))
        data = path.read_bytes()
        is_dump = path.suffix == ".vtkhdf"
        self.put(path, mutated_bytes(data[SEAL:], rng) if is_dump else mutated_text(data.decode(), rng))
        command = rng.choice((("report",), ("plot",)))
        self.expect(f"{case}, {path.name}, {command[0]}", self.halfstep(*command, run, limit=60), (0, 2))

    RUN = ("--no-progress", "--backend", "host", "--threads", "1", "mesh.cells=[32,1,1]", "output.every_steps=5",
           "checkpoint.every_steps=5", "output.histogram={field: density, bins: 4}")

    def fault(self, rng, directory, case):
        run, count = directory / "run", directory / "count"
        at, code = rng.randrange(1, self.calls + 1), rng.choice((errno.ENOSPC, errno.EIO, 0))
        result = self.halfstep("run", self.sod, *self.RUN, "--output", run, LD_PRELOAD=str(self.shim),
                               FAULT_AT=str(at), FAULT_ERRNO=str(code), FAULT_COUNT=str(count))
        case = f"{case}, call {at} of {self.calls} with errno {code}"
        self.expect(case, result, (0, 1) if code == 0 else (1,))
        summary = run / "summary.json"
        if result[0] == 1 and summary.exists() and json.loads(summary.read_text()).get("status") != "failed":
            self.found.append(f"{case}: summary.json says {summary.read_text()[:60]}")
        files = sorted(run.glob("*")) if run.exists() else []
        for path in files:
            if path.suffix in (".vtkhdf", ".h5") and path.exists():
                self.expect(f"{case}, {path.name} afterwards", self.halfstep("compare", path, path), (0,))
        if (run / "fields.vtkhdf.series").exists():
            for entry in json.loads((run / "fields.vtkhdf.series").read_text())["files"]:
                if not (run / entry["name"]).exists():
                    self.found.append(f"{case}: the series lists {entry['name']}, which is not there")
        if any(path.suffix == ".h5" and not path.is_symlink() for path in files):
            self.expect(f"{case}, restart",
                        self.halfstep("run", "--restart", run, "--backend", "host", "--quiet"), (0,))
            self.expect(f"{case}, restarted",
                        self.halfstep("compare", run / "history.csv", self.run / "history.csv"), (0,))

    def kill(self, rng, directory, case):
        """Kills a run before one of its calls, often one of the first, in a new directory or another run's."""
        at, has_earlier = rng.randrange(1, rng.choice((20, self.calls + 1))), rng.randrange(2)
        run, again = directory / "run", directory / "again" / "run"
        if has_earlier:
            shutil.copytree(self.run, run, symlinks=True)
            self.put(run / "notes.txt", b"mine")
        code = self.halfstep("run", self.sod, *self.RUN, "--output", run, LD_PRELOAD=str(self.shim),
                             FAULT_AT=str(at), FAULT_KILL="1")[0]
        case = f"{case}, killed before call {at}{', with an earlier run there' if has_earlier else ''}"
        if code != -signal.SIGKILL:
            self.found.append(f"{case}: ends with {code}")
        shutil.copytree(directory, again.parent, symlinks=True)
        self.expect(f"{case}, next run", self.halfstep("run", self.sod, *self.RUN, "--output", again), (0,))
        whole = (self.run / "history.csv").read_bytes()
        kept = [path for path in again.parent.rglob("history.csv") if path.read_bytes() == whole]
        if len(kept) < 1 + has_earlier or (has_earlier and (again / "notes.txt").read_bytes() != b"mine"):
            self.found.append(f"{case}: an earlier run or a user's file is gone")
        if leftovers := [path.name for path in again.parent.rglob(".*partial") if path.parent == again]:
            self.found.append(f"{case}: the next run leaves {leftovers}")
        if not has_earlier and list(run.glob("checkpoint_0*.h5")):
            self.expect(f"{case}, restart",
                        self.halfstep("run", "--restart", run, "--backend", "host", "--quiet"), (0,))
            self.expect(f"{case}, restarted",
                        self.halfstep("compare", run / "history.csv", self.run / "history.csv"), (0,))

    def main(self):
        self.sod = SOURCE / "inputs/sod.yaml"
        self.decks = [path.read_text(encoding="utf-8") for path in sorted((SOURCE / "inputs").glob("*.yaml"))]
        self.run = self.directory / "whole"
        code, said, _ = self.halfstep("run", self.sod, *self.RUN, "--output", self.run, limit=60)
        if code != 0:
            sys.exit(f"the run to be attacked ends with {code}: {said}")
        self.each(self.options.decks, "deck", self.deck)
        self.each(self.options.files, "file", self.file)
        self.each(self.options.pictures, "picture", self.picture)
        if self.options.faults or self.options.kills:
            self.shim = self.directory / "faults.so"
            subprocess.run(["cc", "-shared", "-fPIC", "-o", self.shim, SOURCE / "tests/attack/faults.c", "-ldl"],
                           check=True)
            count = self.directory / "count"
            self.halfstep("run", self.sod, *self.RUN, "--output", self.directory / "counted", limit=60,
                          LD_PRELOAD=str(self.shim), FAULT_COUNT=str(count))
            self.calls = int(count.read_text())
            self.each(self.options.faults, "fault", self.fault)
            self.each(self.options.kills, "kill", self.kill)
        for line in self.found:
            print("found:", line)
        return 1 if self.found else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("halfstep", type=os.path.abspath)
    for name in ("decks", "files", "faults", "kills", "pictures", "seed"):
        parser.add_argument(f"--{name}", type=int, default=0)
    parser.add_argument("--limit", type=int, default=5, help="seconds of processor time")
    with tempfile.TemporaryDirectory(prefix="halfstep-attack-") as scratch:
        sys.exit(Attack(parser.parse_args(), pathlib.Path(scratch)).main())
