#!/usr/bin/env python3
"""Tests that rooms.py finds a forbidden include in every room and accepts all others. Usage: test_rooms.py"""
import pathlib
import tempfile
import unittest

import rooms


class Rooms(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.source = pathlib.Path(scratch.name)

    def faults_of(self, name, text):
        file = self.source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        found = list(rooms.faults(self.source))
        file.unlink()
        return found

    def may(self, room, other):
        allowed = rooms.table()[room]
        return other in allowed or other.split("/")[0] in allowed

    def test_a_forbidden_include_is_found_in_every_room(self):
        table = rooms.table()
        for room in table:
            for other in table:
                with self.subTest(room=room, other=other):
                    found = self.faults_of(room if room.endswith(".cpp") else f"{room}/planted.hpp", f'#include "{other}/any.hpp"\n')
                    self.assertEqual(len(found), 0 if self.may(room, other) else 1, found)

    def test_every_room_has_something_forbidden(self):
        table = rooms.table()
        free = [room for room in table if all(self.may(room, other) for other in table)]
        self.assertLessEqual(set(free), {"app/study"})

    def test_every_kind_of_file_is_looked_at(self):
        for suffix in rooms.SUFFIXES:
            found = self.faults_of(f"physics/host/planted{suffix}", '#include "physics/cuda/stage/stage.hpp"\n')
            self.assertEqual(len(found), 1, suffix)

    def test_an_include_in_a_string_is_found(self):
        self.assertEqual(len(self.faults_of("physics/gas/planted.cpp",
                                            'const char* source = "#include \\"physics/cuda/stage/stage.hpp\\"\\n";\n')), 1)

    def test_a_file_outside_of_all_rooms_is_found(self):
        self.assertEqual(len(self.faults_of("physics/planted.hpp", "")), 1)
        self.assertEqual(len(self.faults_of("physics/attic/planted.hpp", "")), 1)

    def test_a_test_of_no_room_is_found(self):
        (self.source / "physics/gas").mkdir(parents=True)
        self.assertEqual(self.faults_of("tests/physics/gas/test_planted.cpp", ""), [])
        self.assertEqual(len(self.faults_of("tests/physics/attic/test_planted.cpp", "")), 1)

    def test_a_crowded_room_is_found(self):
        for n in range(rooms.MOST_FILES):
            self.assertEqual(list(rooms.faults(self.source)), [])
            (self.source / "physics/gas").mkdir(parents=True, exist_ok=True)
            (self.source / f"physics/gas/file_{n}.hpp").write_text("")
        self.assertEqual(len(self.faults_of("physics/gas/one_more.hpp", "")), 1)


if __name__ == "__main__":
    unittest.main()
