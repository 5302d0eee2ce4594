#!/usr/bin/env python3
"""Runs of several ranks as processes: their files are those of one rank, restarts take any number of ranks, signals
and errors end all of them, and a rank that dies leaves a checkpoint and no process behind.

Usage: test_runs.py HALFSTEP STRIKE [TEST...], where STRIKE is the library of strike.cpp. With
HALFSTEP_TEST_BACKEND=cuda the runs are on GPUs; then leave out the tests whose strikes count the host's messages.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

if not shutil.which("mpirun"):
    print("skipped: no mpirun (apt-get install openmpi-bin)")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE.parents[1] / "inputs"
HALFSTEP = STRIKE = ""
BACKENDS = {"host": ["--backend=host", "--threads=1"], "cuda": ["--backend=cuda", "--share-devices"]}
BACKEND = os.environ.get("HALFSTEP_TEST_BACKEND", "host")
LIMIT = 120  # seconds; a run that takes longer hangs
BLAST = [INPUTS / "sedov_2d.yaml", "mesh.cells=[96,64,1]", "time.end=0.3", "output.every=0.1", "checkpoint.every_steps=20"]
REDONE = [INPUTS / "near_vacuum.yaml"]
SLICED = ["interruptible.enabled=true", "interruptible.launch_budget_ms=0.2"]
# Odd numbers of cells, velocities along all axes and a scalar.
ODD = """
case:
  name: regions
  background: {density: '1 + 0.1*x', velocity: [0.2, '-0.1*y', '0.3*z'], pressure: '1 + (x < 0.4)*(y > 0.3)*(z < 0.6)'}
scalars: {dye: '0.25 + 0.5*(x > 0.5)'}
mesh: {cells: [23, 14, 9]}
scheme: {precision: %s}
time: {end: 0.1, max_steps: 12}
output: {budgets: true, every_steps: 4, fields: [density, velocity, pressure, mass_fraction]}
checkpoint: {every_steps: 5, keep: 9}
outputs:
  - {kind: slice, name: plane, axis: y, position: 0.4, every_steps: 3, fields: [density, vorticity, mass_fraction]}
  - {kind: box, name: corner, lower: [0.3, 0.2, 0], upper: [0.9, 1, 0.7], every_cell: 2, every_steps: 4}
  - {kind: averages, name: mean, every_steps: 4, covariances: true, fields: [density, schlieren, mass_fraction]}
"""
# Bodies within a block and across blocks, and their fields in dumps, slices and boxes.
BODIES = """
case: {name: uniform, density: 1, velocity: [0.5, 0.1, 0], pressure: 1}
mesh: {cells: [40, 30, 1], upper: [2, 1.5, 1]}
scheme: {precision: %s}
solids:
  - {shape: ball, center: [0.95, 0.7, 0], radius: 0.25}
  - {shape: box, lower: [1.3, 0.2, 0], upper: [1.5, 0.5, 1], name: step}
time: {end: 0.1}
output: {every: 0.05}
outputs:
  - {kind: slice, name: plane, axis: y, position: 0.7, every: 0.05, fields: [density]}
  - {kind: box, name: corner, lower: [0.3, 0.2, 0], upper: [1.4, 1, 1], every_cell: 2, every: 0.05}
"""

# A blast about the corner of the domain, in elements: its remedies reach across edges and corners of blocks.
ELEMENTS = """
case:
  name: regions
  background: {density: 1, velocity: [0.3, 0.2, 0], pressure: 0.01}
  regions:
    - {shape: ball, center: [0.5, 0.5, 0], radius: 0.15, state: {density: 1, velocity: [0.3, 0.2, 0], pressure: 1000}}
mesh: {cells: [9, 8, %d], boundary: {x: %s, y: periodic, z: outflow}}
scheme: {method: flux_reconstruction, degree: 3, precision: %s}
time: {end: 1, max_steps: 25}
soft_error: {max_halvings: 1, on_exhausted: floor, face: %s}
output: {budgets: true, every_steps: 10}
checkpoint: {every_steps: 5, keep: 9}
"""

# Elements that METIS cuts: a vortex in bent ones, viscous flow around a cylinder, a tube that needs remedies, and so many
# straight ones that a rank waits while it sends whose they are.
STEPS = ["time.max_steps=24", "output.every=0", "output.every_steps=8", "checkpoint.every_steps=5", "checkpoint.keep=9"]
CURVED = {
    "bent": [INPUTS / "vortex_bent.yaml", "mesh.cells=[5,4,3]", "scheme.degree=2", *STEPS],
    "split": [INPUTS / "vortex_bent.yaml", "mesh.cells=[6,5,1]", "scheme.dealiasing=split_form", "scheme.precision=single",
              *STEPS],
    "cylinder": [INPUTS / "cylinder_elements.yaml", "mesh.cells=[5,6,1]", "scheme.degree=4", "time.cfl=0.4", *STEPS],
    "spikes": [INPUTS / "spike_elements.yaml", "mesh.cells=[32,4,1]", "time.end=0.08", *STEPS, "time.max_steps=0"],
    "many": [INPUTS / "taylor_green.yaml", "scheme.method=flux_reconstruction", "scheme.degree=1",
             "mesh.map=straight", "mesh.cells=[12,11,10]", "gas.viscosity=0.01", *STEPS],
    "tube": [INPUTS / "sod.yaml", "scheme.method=flux_reconstruction", "scheme.degree=3",
             "mesh.map={kind: bend, amplitude: 0.05}", "mesh.order=3", "mesh.cells=[12,4,1]",
             "mesh.boundary={x: outflow, y: reflecting, z: outflow}", "case.left.pressure=100", "soft_error.face=raise",
             "soft_error.max_halvings=1", "soft_error.on_exhausted=floor", *STEPS]}


def command(ranks, *words):
    program = [HALFSTEP, "run", *map(str, words), *BACKENDS[BACKEND], "--no-progress"]
    return program if ranks == 0 else [HERE / "mpirun.sh", str(ranks), *program]


def run(ranks, *words):
    """Runs on `ranks` ranks, 0: without mpirun. Returns the finished process."""
    return subprocess.run(command(ranks, *words), capture_output=True, text=True, timeout=LIMIT)


def struck(ranks, victim, call, count, number, *words, grace=0, after=None):
    """Starts a run whose rank `victim` gets a signal at its `count`-th call of a kind. See strike.cpp.

    `grace`: seconds, 1 by default, that mpirun waits twice before it kills the other ranks. `after`: the signal waits
    for a file of this pattern.
    """
    start, ranks, *program = command(ranks, *words)
    program = ["env", f"STRIKE={victim} {call} {count} {number}", f"LD_PRELOAD={STRIKE}",
               *([f"STRIKE_AFTER={after}"] if after else []), *program]
    return subprocess.Popen([start, ranks, *program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            env=os.environ | {"OMPI_MCA_odls_base_sigkill_timeout": str(grace)})


def processes_in(directory):
    """The ranks that run into a directory: their numbers as processes, the first rank's first."""
    found = subprocess.run(["pgrep", "-f", f"^{HALFSTEP} run .*{directory}"], capture_output=True, text=True).stdout
    return sorted(map(int, found.split()))


def dumps_in(directory):
    return {path.name: path.read_bytes() for path in sorted(directory.glob("*.vtkhdf"))}


class Ranks(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)

    def expect_same(self, one, other):
        done = subprocess.run([HALFSTEP, "compare", one, other], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((one / "history.csv").read_bytes(), (other / "history.csv").read_bytes())

    def test_files_are_those_of_one_rank(self):
        for name, deck in ("blast", BLAST), ("redone", REDONE):
            one = self.directory / f"{name}_1"
            self.assertEqual(run(0, *deck, "--output", one).returncode, 0)
            for ranks in 1, 2, 3:
                other = self.directory / f"{name}_of_{ranks}"
                done = run(ranks, *deck, "--output", other)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.expect_same(one, other)
                self.assertEqual(sorted(p.name for p in one.iterdir()), sorted(p.name for p in other.iterdir()))
                self.assertEqual(dumps_in(one), dumps_in(other))
        events = (one / "events.jsonl").read_text(), (other / "events.jsonl").read_text()
        errors = [[json.loads(line) for line in text.splitlines() if '"soft_error"' in line] for text in events]
        self.assertGreater(len(errors[0]), 0)
        self.assertEqual(errors[0], [{k: v for k, v in error.items() if k != "rank"} for error in errors[1]])
        self.assertTrue(all(0 <= error["rank"] < 3 for error in errors[1]))

    def test_all_ranks_write_their_blocks_however_the_mesh_is_cut(self):
        for precision in "double", "single":
            deck = self.directory / f"{precision}.yaml"
            deck.write_text(ODD % precision)
            one = self.directory / f"{precision}_1"
            self.assertEqual(run(0, deck, "--output", one).returncode, 0)
            self.assertEqual(len(dumps_in(one)), 4 + 5 + 4 + 3)
            for blocks in (1, 1, 3), (3, 1, 1), (1, 2, 1), (2, 2, 1):
                other = self.directory / "{}_{}_{}_{}".format(precision, *blocks)
                ranks = blocks[0] * blocks[1] * blocks[2]
                done = run(ranks, deck, "mesh.ranks=[{},{},{}]".format(*blocks), "--output", other)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.expect_same(one, other)
                for dump in dumps_in(one):
                    self.assert_same_file(one / dump, other / dump)
                self.assert_same_file(one / "checkpoint_00000005.h5", other / "checkpoint_00000005.h5")

    def test_files_of_runs_with_bodies_are_those_of_one_rank(self):
        for precision, more, cuts in ("double", [], [(2, 2, 1), (1, 3, 1)]), ("single", [], [(2, 1, 1)]), \
                ("double", ["output.compress=1"], [(2, 1, 1)]):
            deck = self.directory / "bodies.yaml"
            deck.write_text(BODIES % precision)
            made = self.directory / f"{precision}{len(more)}"
            done = run(0, deck, *more, "--output", made / "one")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(dumps_in(made / "one")), 9)
            self.assertIn("CellData/distance", (made / "one/fields.xmf").read_text())
            for blocks in cuts:
                other = made / "{}_{}_{}".format(*blocks)
                ranks = blocks[0] * blocks[1] * blocks[2]
                done = run(ranks, deck, *more, "mesh.ranks=[{},{},{}]".format(*blocks), "--output", other)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.expect_same(made / "one", other)
                for dump in dumps_in(other):
                    self.assert_same_file(made / "one" / dump, other / dump)

    def test_files_of_runs_in_elements_are_those_of_one_rank(self):
        cuts = (2, 1, 1), (1, 3, 1), (2, 2, 1), (4, 1, 1)
        for deep, sides, precision, face in (1, "periodic", "double", "raise"), (1, "outflow", "double", "raise"), \
                (1, "periodic", "single", "repair"), (2, "outflow", "double", "raise"):
            made = self.directory / f"{deep}{sides}{precision}"
            deck = self.directory / "elements.yaml"
            deck.write_text(ELEMENTS % (deep, sides, precision, face))
            self.assertEqual(run(0, deck, "--output", made / "one").returncode, 0)
            rungs = self.rungs_of(made / "one")
            self.assertGreaterEqual(rungs, {"scaling", "first_order"} if face == "raise" else set())
            for blocks in cuts if deep == 1 else cuts[:1]:
                other = made / "{}_{}_{}".format(*blocks)
                done = run(blocks[0] * blocks[1] * blocks[2], deck, "mesh.ranks=[{},{},{}]".format(*blocks),
                           "--output", other)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.expect_same(made / "one", other)
                for dump in dumps_in(made / "one"):
                    self.assert_same_file(made / "one" / dump, other / dump)
                self.assertEqual(self.rungs_of(other), rungs)
                self.assert_same_file(made / "one/checkpoint_00000005.h5", other / "checkpoint_00000005.h5")

    def bent_blast(self):
        """The words of the blast in elements, but in bent ones."""
        deck = self.directory / "bent_blast.yaml"
        deck.write_text(ELEMENTS % (1, "periodic", "double", "raise"))
        return [deck, "mesh.map={kind: bend, amplitude: 0.03}", "mesh.order=3"]

    def test_files_of_runs_in_curved_elements_are_those_of_one_rank(self):
        for name, deck in {**CURVED, "blast": self.bent_blast()}.items():
            one = self.directory / name
            done = run(0, *deck, "--output", one)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreaterEqual(self.rungs_of(one), {"spikes": {"scaling"}, "tube": {"scaling"},
                                                         "blast": {"scaling", "first_order"}}.get(name, set()))
            for ranks in 2, 3, 4:
                other = self.directory / f"{name}_of_{ranks}"
                done = run(ranks, *deck, "--output", other)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.expect_same(one, other)
                self.assertEqual(dumps_in(one), dumps_in(other))
                self.assertEqual(self.rungs_of(one), self.rungs_of(other))
                checkpoints = sorted(path.name for path in one.glob("checkpoint_0*.h5"))
                self.assertTrue(checkpoints)
                for checkpoint in checkpoints:
                    self.assert_same_file(one / checkpoint, other / checkpoint)
                self.assertIn("elements cut by METIS", (other / "summary.json").read_text())

    def test_outputs_of_curved_elements_are_those_of_one_rank(self):
        deck = self.directory / "outputs.yaml"
        deck.write_text((INPUTS / "vortex_bent.yaml").read_text() + """
outputs:
  - {kind: averages, name: mean, every_steps: 8, covariances: true, fields: [density, velocity_x]}
""")
        words = [deck, "mesh.cells=[6,5,1]", *STEPS, "output.compress=2"]
        one, other = self.directory / "one", self.directory / "other"
        done = run(0, *words, "--output", one)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(3, *words, "--output", other)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_same(one, other)
        self.assertEqual(dumps_in(one), dumps_in(other))

    def test_a_restart_of_curved_elements_takes_any_number_of_ranks(self):
        for name in "cylinder", "spikes":
            one, other = self.directory / name, self.directory / f"{name}_stopped"
            self.assertEqual(run(0, *CURVED[name], "--output", one).returncode, 0)
            last = json.loads((one / "summary.json").read_text())["steps"]
            self.assertEqual(run(2, *CURVED[name], f"time.max_steps={last // 3}", "--output", other).returncode, 0)
            for ranks, steps in (4, last // 2), (0, 2 * last // 3), (3, 0 if name == "spikes" else 24):
                done = run(ranks, "--restart", other, f"time.max_steps={steps}")
                self.assertEqual(done.returncode, 0, done.stderr)
            self.expect_same(one, other)

    def test_curved_elements_have_no_blocks_along_axes_and_one_for_each_rank_at_least(self):
        deck = CURVED["split"]
        for ranks, more, text in (2, "mesh.ranks=[2,1,1]", "have no blocks along axes"), \
                (5, "mesh.cells=[2,2,1]", "a mesh of 4 elements cannot be cut for 5 ranks"):
            done = run(ranks, *deck, more, "--output", self.directory / "bad")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(text), 1, done.stderr)
            self.assertFalse((self.directory / "bad").exists())

    def rungs_of(self, directory):
        events = map(json.loads, (directory / "events.jsonl").read_text().splitlines())
        return {event["rung"] for event in events if event["event"] == "rung"}

    def assert_same_file(self, one, other):
        done = subprocess.run([HALFSTEP, "compare", one, other], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_blocks_make_the_initial_state_of_one_rank(self):
        decks = ("decaying_turbulence", "mesh.cells=[18,14,12]"), ("jet", "mesh.cells=[36,24,1]"), \
            ("double_mach", "mesh.cells=[36,16,1]")
        for name, cells in decks:
            deck = [INPUTS / f"{name}.yaml", cells, "time.max_steps=2"]
            one, other = self.directory / f"{name}_1", self.directory / name
            self.assertEqual(run(0, *deck, "--output", one).returncode, 0)
            done = run(4, *deck, "mesh.ranks=[2,2,1]", "--output", other)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.expect_same(one, other)

    def test_compressed_files_are_those_of_one_rank(self):
        one, other = self.directory / "one", self.directory / "other"
        deck = [*BLAST, "output.compress=3", "checkpoint.compress=1"]
        self.assertEqual(run(0, *deck, "--output", one).returncode, 0)
        self.assertEqual(run(3, *deck, "--output", other).returncode, 0)
        self.expect_same(one, other)
        self.assertEqual(dumps_in(one), dumps_in(other))

    def test_a_state_from_a_file_is_that_of_one_rank(self):
        run(0, *BLAST, "--output", self.directory / "first")
        deck = self.directory / "from_file.yaml"
        deck.write_text(f"case: {{name: file, file: {self.directory}/first/fields_000002.vtkhdf}}\n"
                        "mesh: {cells: [96, 64, 1], upper: [1, 1, 1]}\ntime: {max_steps: 10, end: 1}\n")
        one, other = self.directory / "one", self.directory / "other"
        done = run(0, deck, "--output", one)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(4, deck, "mesh.ranks=[2,2,1]", "--output", other)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_same(one, other)

    def test_a_file_that_cannot_be_written_is_one_error_and_leaves_nothing(self):
        other = self.directory / "limited"
        deck = [*BLAST, "mesh.cells=[800,800,1]"]  # a dump of 25 MB; MPI itself needs files of some MB
        limited = subprocess.run(["bash", "-c", 'ulimit -f 20000; exec "$@"', "bash",
                                  *map(str, command(3, *deck, "--output", other))],
                                 capture_output=True, text=True, timeout=LIMIT)
        self.expect_file_error(limited, other, "see 'ulimit -f'")

    def test_a_full_disk_is_one_error_and_leaves_nothing(self):
        mounted = self.directory / "disk"
        mounted.mkdir()
        other = mounted / "run"
        deck = [*BLAST, "mesh.cells=[300,300,1]"]
        script = f"mount -t tmpfs -o size=2m tmpfs {mounted} || exit 77; \"$@\"; code=$?; ls -A {other} >&2; exit $code"
        full = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh",
                               *map(str, command(3, *deck, "--output", other))],
                              capture_output=True, text=True, timeout=LIMIT)
        if full.returncode == 77 or "unshare failed" in full.stderr:
            self.skipTest("no file system can be mounted here")
        self.expect_file_error(full, other, "the disk is full")

    def test_an_error_of_any_rank_is_told_once_with_its_rank(self):
        other = self.directory / "faulty"
        process = struck(3, 2, "fields_", 3, 0, *BLAST, "--output", other)
        said = process.communicate(timeout=LIMIT)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertEqual(said.count(f"cannot write '{other}/fields_000000.vtkhdf' on rank 2: Input/output error"), 1, said)
        self.assertEqual(said.count("halfstep: error"), 1, said)
        self.assertEqual(json.loads((other / "summary.json").read_text())["status"], "failed")
        self.assertEqual([p.name for p in other.iterdir() if p.name.endswith(".partial")], [])

    def expect_file_error(self, done, directory, reason):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count(reason), 1, done.stderr)
        self.assertIn(f"cannot write '{directory}/fields_000000.vtkhdf'", done.stderr)
        self.assertIn("rank 0", done.stderr)
        self.assertNotIn(".partial", done.stderr)
        if directory.exists():
            self.assertEqual([p.name for p in directory.iterdir() if p.name.endswith(".partial")], [])

    def test_a_restart_takes_any_number_of_ranks(self):
        one, other = self.directory / "one", self.directory / "other"
        run(0, *REDONE, "--output", one)
        run(2, *REDONE, "time.max_steps=40", "--output", other)
        for ranks, steps in (3, 80), (0, 120), (4, 0):
            done = run(ranks, "--restart", other, f"time.max_steps={steps}")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_same(one, other)

    def test_two_checkpoints_of_one_step_are_written_one_after_the_other(self):
        deck = [*REDONE, "soft_error.on_exhausted=abort", "checkpoint.every_steps=1"]
        one, other = self.directory / "one", self.directory / "other"
        self.assertEqual(run(0, *deck, "--output", one).returncode, 3)
        # The disk is slow: the checkpoint after the last step is not in its place when the end wants one of that step.
        process = struck(2, 0, "sync", 0, -100, *deck, "--output", other)
        said = process.communicate(timeout=LIMIT)[1]
        self.assertEqual(process.returncode, 3, said)
        files = [[json.loads(line)["file"] for line in (each / "events.jsonl").read_text().splitlines()
                  if '"checkpoint"' in line] for each in (one, other)]
        self.assertEqual(*files)
        self.assertEqual(files[0][-2], files[0][-1])
        done = run(2, "--restart", other, "soft_error.on_exhausted=first_order")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_blocks_may_be_given_and_changed_by_a_restart(self):
        one, other = self.directory / "one", self.directory / "other"
        run(0, *BLAST, "--output", one)
        run(4, *BLAST, "mesh.ranks=[4,1,1]", "time.max_steps=50", "--output", other)
        done = run(4, "--restart", other, "mesh.ranks=[2,2,1]", "time.max_steps=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_same(one, other)

    def test_slices_leave_the_files_of_steps(self):
        one, other = self.directory / "one", self.directory / "other"
        run(0, *REDONE, "--output", one)
        self.assertEqual(run(2, *REDONE, *SLICED, "time.max_steps=60", "--output", other).returncode, 0)
        self.assertEqual(run(3, "--restart", other, "time.max_steps=0").returncode, 0)
        self.expect_same(one, other)

    def test_a_step_under_way_goes_on_with_any_number_of_ranks(self):
        odd = self.directory / "odd.yaml"
        odd.write_text(ODD % "double")
        elements = self.directory / "elements.yaml"
        elements.write_text(ELEMENTS % (1, "periodic", "double", "raise"))
        decks = (("stages", [*BLAST, "checkpoint.every_steps=3"], 60),
                 ("all axes", [odd, "time.max_steps=60", "time.end=9", "mesh.boundary.y=[periodic,periodic]"], 25),
                 ("remedies", [*REDONE, "mesh.cells=[600,1,1]", "checkpoint.every_steps=5"], 60),
                 ("elements", [elements, "time.max_steps=60", "checkpoint.every_steps=3"], 40),
                 ("curved elements", [*self.bent_blast(), "time.max_steps=60", "checkpoint.every_steps=3"], 40),
                 ("source", [INPUTS / "detonation.yaml", "mesh.cells=[240,1,1]", "time.max_steps=120",
                             "checkpoint.every_steps=5"], 60))
        chance = random.Random(12)
        for name, deck, most in decks:
            one, other = self.directory / name, self.directory / f"{name}_stopped"
            self.assertEqual(run(0, *deck, "--output", one).returncode, 0)
            words, phases = [*deck, *SLICED, "interruptible.launch_budget_ms=0.02", "--output", other], set()
            for ranks in 3, 1, 2, 4, 2:
                call, count = ("checkpoint_", chance.randint(1, 4)) if ranks == 1 else \
                    ("call" if BACKEND == "cuda" else "exchange", chance.randint(most // 4, most))
                process = struck(ranks, chance.randrange(ranks), call, count, int(signal.SIGTERM), *words)
                said = process.communicate(timeout=LIMIT)[1]
                self.assertEqual(process.returncode, 4, f"{name} on {ranks} ranks, {call} {count}: {said}")
                words = ["--restart", other]
                *_, last = (event for line in (other / "events.jsonl").read_text().splitlines()
                            if (event := json.loads(line))["event"] == "checkpoint")
                if "under_way" in last and ranks > 1:
                    self.assertEqual(last["under_way"]["tiles"], 0)
                    phases.add(last["under_way"]["phase"])
            self.assertTrue(phases)
            done = run(2, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.expect_same(one, other)

    def expect_end(self, process, number, victim, other):
        """Expects that a run whose rank got a signal ends, says which rank it was, and leaves no process."""
        try:
            said = process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("the run hangs")
        self.assertNotIn(process.returncode, (0, 2), said)
        if number == signal.SIGKILL:
            self.assertRegex(said, rf"process rank {victim} .*on signal 9")
        else:
            self.assertEqual(process.returncode, 1, said)
            self.assertRegex(said, rf"error: rank \d+ on \S+: rank {victim} on \S+ has been silent for 2 s.*--restart")
        self.assertEqual(processes_in(other), [])

    def test_a_rank_that_dies_or_stops_in_any_phase_ends_the_run_and_the_checkpoint_serves(self):
        blast = [*BLAST, "mesh.cells=[64,40,1]", "checkpoint.every_steps=10", "output.every=0", "output.every_steps=45",
                 "ranks.watchdog=2"]
        redone = [*REDONE, "checkpoint.every_steps=10", "ranks.watchdog=2"]
        # A rank writes the 40 rows of three arrays of a dump, of steps 0 and 45, and of five of a checkpoint.
        phases = (("stage", blast, ("exchange", 90), ("exchange", 91)),
                  ("stage in slices", [*blast, *SLICED], ("exchange", 90), ("exchange", 91)),
                  ("reduction", blast, ("reduction", 150), ("reduction", 151)),
                  ("reduction in slices", [*blast, *SLICED], ("reduction", 350), ("reduction", 351)),
                  ("dump", blast, ("fields_", 170), ("fields_", 171)),
                  ("checkpoint", blast, ("checkpoint_", 300), ("checkpoint_", 301)),
                  ("diagnosis", redone, ("diagnosis", 30), ("diagnosis", 31)))
        ones = {}
        for deck in blast, redone:
            ones[deck[0]] = self.directory / deck[0].stem
            self.assertEqual(run(0, *deck, "--output", ones[deck[0]]).returncode, 0)
        chance = random.Random(31)
        for name, deck, of_first, of_later in phases:
            # The first rank is killed and another stopped, or the other way round.
            for number, is_later in zip((signal.SIGKILL, signal.SIGSTOP), chance.sample([False, True], 2)):
                ranks = chance.choice([2, 3])
                victim = chance.randrange(1, ranks) if is_later else 0
                with self.subTest(phase=name, signal=number.name, victim=victim, ranks=ranks):
                    other = self.directory / f"{name}_{number.name}"
                    call, count = of_later if victim else of_first
                    process = struck(ranks, victim, call, count, int(number), *deck, "--output", other,
                                     grace=int(name == "stage"), after=other / "checkpoint_0*.h5")
                    self.expect_end(process, number, victim, other)
                    self.assertTrue(list(other.glob("checkpoint_0*.h5")))
                    done = run(chance.choice([0, 5 - ranks]), "--restart", other)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.expect_same(ones[deck[0]], other)

    def test_twenty_killed_ranks_later_the_run_has_the_bits_of_one_that_nobody_disturbed(self):
        one, other = self.directory / "one", self.directory / "killed"
        deck = [*BLAST, "mesh.cells=[64,40,1]", "time.end=3", "checkpoint.every_steps=10", "output.every=0.5"]
        self.assertEqual(run(0, *deck, "--output", one).returncode, 0)
        chance = random.Random(4711)
        words = [*deck, "--output", other]
        for _ in range(20):
            ranks = chance.choice([1, 2, 3, 4])
            victim = chance.randrange(ranks)
            calls = [("checkpoint_", 1, 4)] if ranks == 1 else \
                [("call", 40, 100)] if BACKEND == "cuda" else [("exchange", 40, 150), ("reduction", 60, 300)]
            call, least, most = chance.choice(calls)
            process = struck(ranks, victim, call, chance.randint(least, most), 9, *words)
            self.expect_end(process, signal.SIGKILL, victim, other)
            if list(other.glob("checkpoint_0*.h5")):
                words = ["--restart", other]
        done = run(chance.choice([1, 2, 3, 4]), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_same(one, other)

    def test_a_long_computation_and_a_suspended_job_are_no_silence(self):
        one, other = self.directory / "one", self.directory / "long"
        self.assertEqual(run(0, *BLAST, "--output", one).returncode, 0)
        process = struck(3, 1, "exchange", 90, -4000, *BLAST, "ranks.watchdog=2", "--output", other)
        self.assertEqual(process.wait(timeout=LIMIT), 0, process.stderr.read())
        process.stderr.close()
        self.expect_same(one, other)
        other = self.directory / "suspended"
        process = struck(3, 1, "exchange", 90, -1000, *BLAST, "ranks.watchdog=2", "--output", other)
        self.wait_for_steps(other)
        # A rank goes on before the one it listens to does, and after it has heard all beats of that.
        job = [process.pid, *processes_in(other)]
        self.assertEqual(len(job), 4)
        for each in job:
            os.kill(each, signal.SIGSTOP)
            time.sleep(0.45)
        time.sleep(2)
        for each in reversed(job):
            os.kill(each, signal.SIGCONT)
            time.sleep(0.45)
        self.assertEqual(process.wait(timeout=LIMIT), 0, process.stderr.read())
        process.stderr.close()
        self.expect_same(one, other)

    def wait_for_steps(self, directory):
        """Waits until a run into the directory has made some steps."""
        for _ in range(20 * LIMIT):
            history = directory / "history.csv"
            if history.exists() and history.read_text().count("\n") > 5:
                return
            time.sleep(0.05)
        self.fail("the run makes no steps")

    def test_a_signal_to_any_rank_stops_all_after_the_same_step(self):
        other = self.directory / "stopped"
        process = subprocess.Popen(command(3, *BLAST, "mesh.cells=[200,200,1]", "--output", other),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_steps(other)
        os.kill(processes_in(other)[-1], signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), 4)
        self.assertEqual(json.loads((other / "summary.json").read_text())["status"], "interrupted")
        self.assertTrue(list(other.glob("checkpoint_0*.h5")))

    def test_a_signal_to_all_ranks_writes_one_checkpoint(self):
        other = self.directory / "asked"
        process = subprocess.Popen(command(3, *BLAST, "time.end=1000", "checkpoint.every_steps=0", "--output", other),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_steps(other)
        ranks = processes_in(other)
        for rank in ranks:
            os.kill(rank, signal.SIGUSR1)
            time.sleep(0.15)  # the first checkpoint is on its way when the others get theirs
        time.sleep(1.5)
        os.kill(ranks[-1], signal.SIGUSR1)
        time.sleep(0.7)
        os.kill(ranks[0], signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), 4)
        events = [json.loads(line) for line in (other / "events.jsonl").read_text().splitlines()]
        reasons = [event["reason"] for event in events if event["event"] == "checkpoint"]
        self.assertEqual(reasons, ["signal SIGUSR1", "signal SIGUSR1", "signal SIGTERM"])

    def test_errors_are_told_once_with_their_exit_code(self):
        for words, code, text in (
                ([BLAST[0], "mesh.cels=3"], 2, "unknown key 'cels'"),
                ([BLAST[0], "mesh.ranks=[3,1,1]"], 2, "which is not the 2 ranks"),
                ([INPUTS / "sod.yaml", "mesh.cells=[4,1,1]"], 2, "cannot be cut into 2 blocks"),
                ([INPUTS / "sod.yaml", "case.left.pressure=1e-300", "case.left.velocity=[1e5,0,0]"], 2, "unphysical"),
                ([self.directory / "none.yaml"], 2, "none.yaml")):
            done = run(2, *words, "--output", self.directory / "bad")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(done.stderr.count(text), 1, done.stderr)
            self.assertFalse((self.directory / "bad").exists())

    def test_a_state_that_only_a_later_block_cannot_have_ends_all(self):
        deck = self.directory / "later.yaml"
        deck.write_text("case: {name: regions, background: {density: 1, velocity: [0, 0, 0], pressure: '1 - (x > 0.8)*2'}}\n"
                        "mesh: {cells: [60, 1, 1]}\ntime: {end: 0.1}\n")
        done = run(3, deck, "--output", self.directory / "bad")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("is unphysical"), 1, done.stderr)

    def test_the_first_bad_cell_is_told_of_however_the_mesh_is_cut(self):
        deck = self.directory / "bad.yaml"
        # Bad cells in three blocks: the first cell in their order is not in the first of these blocks.
        deck.write_text("case: {name: regions, background: {density: 1, velocity: [0, 0, 0], "
                        "pressure: '1 - 2*(y > 0.3)*(x < 0.4) - 3*(y > 0.2)*(x > 0.6)'}}\n"
                        "mesh: {cells: [20, 20, 6]}\ntime: {end: 0.1}\n")
        one = run(0, deck, "--output", self.directory / "bad")
        self.assertEqual(one.returncode, 2, one.stderr)
        self.assertIn("in cell [12, 4, 0]", one.stderr)
        for blocks in (2, 2, 1), (1, 1, 2), (4, 1, 1):
            done = run(blocks[0] * blocks[1] * blocks[2], deck, "mesh.ranks=[{},{},{}]".format(*blocks),
                       "--output", self.directory / "bad")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(one.stderr.strip(), done.stderr)

    def test_remarks_on_the_initial_state_are_those_of_one_rank(self):
        deck = self.directory / "cold.yaml"
        deck.write_text("case: {name: regions, background: {density: 1, velocity: [2e3, 0, 0], "
                        "pressure: '1e-7*(1 + (x - 0.7)^2)'}}\n"
                        "mesh: {cells: [24, 8, 1]}\ntime: {end: 1, max_steps: 1}\n")
        one = run(0, deck, "--output", self.directory / "one")
        said = [line for line in one.stdout.splitlines() + one.stderr.splitlines() if "kinetic energy" in line]
        self.assertEqual(len(said), 1, one.stdout + one.stderr)
        other = run(4, deck, "mesh.ranks=[2,2,1]", "--output", self.directory / "other")
        # mpirun's output may be a terminal, whose width sentences fit.
        self.assertIn(said[0], " ".join((other.stdout + other.stderr).split()))

    def test_faces_at_a_cut_periodic_end_are_counted_as_with_one_rank(self):
        deck = self.directory / "seam.yaml"
        deck.write_text("case: {name: regions, background: {density: '1 - 0.9*(x > 0.95) - 0.9*(x < 0.05)', "
                        "velocity: ['(x < 0.5)*120 - 60', 0, 0], pressure: 0.01}}\n"
                        "mesh: {cells: [60, 1, 1], boundary: {x: periodic}}\n"
                        "scheme: {reconstruction: ppm, variables: characteristic, riemann: hllc}\n"
                        "time: {end: 0.02, cfl: 0.4}\n")
        one, other = self.directory / "one", self.directory / "other"
        self.assertEqual(run(0, deck, "--output", one).returncode, 0)
        self.assertEqual(run(3, deck, "--output", other).returncode, 0)
        self.expect_same(one, other)
        faces = [json.loads((d / "summary.json").read_text())["repaired_faces"] for d in (one, other)]
        self.assertGreater(faces[0], 0)
        self.assertEqual(*faces)

    def test_a_sweep_refuses_ranks(self):
        done = subprocess.run([HERE / "mpirun.sh", "2", HALFSTEP, "sweep", INPUTS / "sod.yaml", "time.cfl=0.2,0.4"],
                              capture_output=True, text=True, timeout=LIMIT, cwd=self.directory)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not run on several ranks", done.stderr)


if __name__ == "__main__":
    HALFSTEP, STRIKE = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
