"""Helpers of the tests of pictures: the program, a temporary directory, checks of files."""
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

HALFSTEP = None
ROOT = pathlib.Path(__file__).parents[2]


def run(*words, **environment):
    return subprocess.run([HALFSTEP, *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, **environment})


def compute(deck, directory, *overrides):
    """Runs a deck, by its path or its name in inputs/, and returns the directory."""
    path = deck if isinstance(deck, pathlib.Path) else ROOT / "inputs" / f"{deck}.yaml"
    done = run("run", path, "--output", directory, "--backend", "host", "--threads", 1,
               "--quiet", "--no-progress", *overrides)
    assert done.returncode == 0, done.stderr
    return directory


def pixel_rows(png):
    """Returns the set of distinct rows of pixels of a PNG file, as they are filtered."""
    width, _, bits, colour = struct.unpack(">IIBB", png[16:26])
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    packed, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at:at + 4])
        if png[at + 4:at + 8] == b"IDAT":
            packed += png[at + 8:at + 8 + length]
        at += 12 + length
    pixels, row = zlib.decompress(packed), 1 + (width * channels * bits + 7) // 8
    return {pixels[n:n + row] for n in range(0, len(pixels), row)}


class Test(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def without(self, module):
        """Returns an environment in which Python lacks the module."""
        modules = self.directory / "modules"
        modules.mkdir()
        (modules / f"{module}.py").write_text("raise ImportError('not here')\n")
        return {"PYTHONPATH": str(modules)}

    def check_png(self, file):
        data = file.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(data[-8:-4], b"IEND")
        width, height = struct.unpack(">II", data[16:24])
        self.assertGreater(width, 600)
        self.assertGreater(height, 200)
        self.assertGreater(len(pixel_rows(data)), 80)  # empty axes have 72

    def texts(self, file):
        root = xml.etree.ElementTree.parse(file).getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        return [" ".join("".join(text.itertext()).split()) for text in root.iter("{http://www.w3.org/2000/svg}text")]

    def check_svg(self, file, *texts):
        shown = self.texts(file)
        for text in texts:
            self.assertTrue(any(text in one for one in shown), f"{file.name} does not show '{text}' but {shown}")
