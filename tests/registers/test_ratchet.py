#!/usr/bin/env python3
"""Tests the ratchet on made-up builds: when it holds, fails and skips, and how its table is written anew."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RATCHET = pathlib.Path(__file__).with_name("ratchet.py")
HLLC = ("_ZN8halfstep18stage_of_registersINS_6Weno5zELNS_9VariablesE1ENS_4HllcEdNS_9RaiseOnceELb0ENS_12NoCorrectionE"
        "Lb0ELb0ELb0EEEvNS_9CudaStageIT2_EE")
SILENT = ("_ZN8halfstep15stage_of_blocksINS_3PlmILNS_7LimiterE1EEELNS_9VariablesE0ENS_4HllcEfNS_9NoReportsELb1ENS"
          "_17PositivityLimiterELb1ELb1ELb1EEEvNS_9CudaStageIT2_EE")
CALLED = "_ZN8halfstep7handlerEi"


def report(name, architecture="sm_90", registers=128, stack=0, stores=0, loads=0):
    return (f"ptxas info    : 0 bytes gmem\n"
            f"ptxas info    : Compiling entry function '{name}' for '{architecture}'\n"
            f"ptxas info    : Function properties for {CALLED}\n"
            f"    8000 bytes stack frame, 9 bytes spill stores, 9 bytes spill loads\n"
            f"ptxas info    : Function properties for {name}\n"
            f"    {stack} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads\n"
            f"ptxas info    : Used {registers} registers, used 1 barriers, 16 bytes smem, 568 bytes cmem[0]\n")


class Ratchet(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = pathlib.Path(scratch.name)
        self.table = self.build / "table.txt"
        self.compiler("13.0")
        self.compiled(report(HLLC) + report(HLLC, "sm_80"))
        self.run_ratchet("--bless")

    def compiler(self, release):
        nvcc = self.build / "nvcc"
        nvcc.write_text(f"#!/bin/sh\necho 'Cuda compilation tools, release {release}, V{release}.1'\n")
        nvcc.chmod(0o755)

    def compiled(self, text, options="-O3"):
        command = f"launcher {self.build}/nvcc {options} -c a.cu -o a.cu.o"
        entry = {"directory": str(self.build), "file": "generated/stages/cuda_a.cu", "command": command}
        (self.build / "compile_commands.json").write_text(json.dumps([entry]))
        (self.build / "a.cu.o.ptxas").write_text(text)

    def run_ratchet(self, *options):
        command = [sys.executable, str(RATCHET), str(self.build), "--table", str(self.table), *options]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def expect(self, code, *parts):
        status, text = self.run_ratchet()
        self.assertEqual(status, code, text)
        for part in parts:
            self.assertIn(part, text)

    def test_the_same_figures_pass(self):
        self.assertIn("weno5z characteristic hllc double\n", self.table.read_text())
        self.expect(0, "2 kernels for sm_80 and sm_90 stay within their table")

    def test_more_registers_fail_and_the_way_to_move_the_table_is_told(self):
        self.compiled(report(HLLC, registers=136) + report(HLLC, "sm_80"))
        self.expect(1, "sm_90 weno5z characteristic hllc double: 128 -> 136 registers", "--bless")
        self.assertEqual(self.run_ratchet("--bless")[0], 0)
        self.expect(0)

    def test_spills_fail(self):
        self.compiled(report(HLLC, stores=8, loads=4, stack=16) + report(HLLC, "sm_80"))
        self.expect(1, "double: 0 -> 12 spills", "double: 0 -> 16 stack")

    def test_fewer_registers_pass_and_are_told(self):
        self.compiled(report(HLLC, registers=96) + report(HLLC, "sm_80"))
        self.expect(0, "128 -> 96 registers", "--bless tightens it")

    def test_one_that_grows_fails_though_another_shrinks(self):
        self.compiled(report(HLLC, registers=96) + report(HLLC, "sm_80", registers=129))
        self.expect(1, "sm_80 weno5z characteristic hllc double: 128 -> 129 registers")

    def test_a_kernel_that_is_not_in_the_table_fails(self):
        self.compiled(report(HLLC) + report(HLLC, "sm_80") + report(SILENT))
        self.expect(1, "sm_90 plm van_leer primitive hllc single no_reports scalars positivity_limiter twins stretched gases: "
                    "not in the table")

    def test_a_kernel_that_is_gone_fails(self):
        self.compiled(report(SILENT) + report(HLLC, "sm_80"))
        self.expect(1, "sm_90 weno5z characteristic hllc double: in the table, but there is no such kernel")

    def test_an_architecture_alone_is_compared(self):
        self.compiled(report(HLLC, registers=136))
        self.expect(1, "136 registers")
        self.compiled(report(HLLC))
        self.expect(0, "1 kernels for sm_90")

    def test_blessing_loses_no_architecture(self):
        self.compiled(report(HLLC))
        status, text = self.run_ratchet("--bless")
        self.assertEqual(status, 1)
        self.assertIn("also for sm_80", text)

    def test_what_cannot_be_compared_is_skipped_with_the_reason(self):
        self.compiled(report(HLLC, "sm_120"))
        self.expect(77, "no figures for sm_120")
        self.compiled(report(HLLC, registers=255), options="-O3 -DHALFSTEP_STRICT_FP=1")
        self.expect(77, "Release")
        self.compiled(report(HLLC, registers=255), options="-g")
        self.expect(77, "Release")
        self.compiler("13.1")
        self.compiled(report(HLLC, registers=255))
        self.expect(77, "the table is for nvcc 13.0, this is 13.1")
        (self.build / "nvcc").unlink()
        self.expect(77, "no nvcc")
        (self.build / "compile_commands.json").write_text("[]")
        self.expect(77, "without CUDA")

    def test_kernels_that_were_not_compiled_fail(self):
        (self.build / "a.cu.o.ptxas").unlink()
        self.expect(1, "build the program first")


if __name__ == "__main__":
    unittest.main()
