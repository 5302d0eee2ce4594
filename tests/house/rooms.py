#!/usr/bin/env python3
"""Holds every #include of app/, physics/ and runtime/ to the table in rooms.txt. Usage: rooms.py SOURCE_DIR

A room of physics/ also holds about a dozen files at most; cases/, where every flow is a file, may hold more. A test
below tests/app, tests/physics or tests/runtime is in the folder of the room that it tests.
"""
import collections
import pathlib
import re
import sys

HOUSE = pathlib.Path(__file__).resolve().parent
SUFFIXES = {".hpp", ".h", ".cpp", ".cu", ".cuh", ".in"}
INCLUDE = re.compile(r'#\s*include\s*["<]((?:app|physics|runtime)/[^">]+)[">]')
MOST_FILES = 18
TOPS = ("app", "physics", "runtime")


def table():
    """Returns {room: rooms it may include} from the lines `room: room room ...`; indented lines continue it."""
    allowed, room = {}, None
    for line in (HOUSE / "rooms.txt").read_text().splitlines():
        line = line.partition("#")[0]
        if not line.strip():
            continue
        if not line[0].isspace():
            room, _, line = line.partition(":")
            allowed[room] = {room}
        allowed[room].update(line.split())
    unknown = {a for rooms in allowed.values() for a in rooms} - set(allowed) - set(TOPS)
    if unknown:
        raise SystemExit(f"rooms.txt names {sorted(unknown)}, which are no rooms of its own")
    return allowed


def room_of(path, rooms):
    """Returns the room that a file is or is in, or None."""
    file = pathlib.PurePosixPath(path)
    return next((str(p) for p in (file, *file.parents) if str(p) in rooms), None)


def faults(source):
    allowed = table()
    files = collections.Counter()
    for file in sorted(f for top in TOPS for f in (source / top).rglob("*")):
        if file.suffix not in SUFFIXES:
            continue
        name = file.relative_to(source).as_posix()
        room = room_of(name, allowed)
        if room is None:
            yield f"{name} is in no room of tests/house/rooms.txt"
            continue
        files[file.parent.relative_to(source).as_posix()] += 1
        # Includes in strings count, too: kernels compiled at run time have them.
        for included in INCLUDE.findall(file.read_text().replace('\\"', '"')):
            other = room_of(included, allowed)
            if other not in allowed[room] and included.split("/")[0] not in allowed[room]:
                yield f"{name} includes {included}: {room} may include {' '.join(sorted(allowed[room]))}"
    for folder, count in files.items():
        if folder.startswith("physics/") and folder != "physics/cases" and count > MOST_FILES:
            yield f"{folder} holds {count} files: {MOST_FILES} at most"
    for test in sorted(t for top in TOPS for t in (source / "tests" / top).rglob("test_*.cpp")):
        name = test.relative_to(source)
        if not (source / name.relative_to("tests")).parent.is_dir():
            yield f"{name.as_posix()} tests no room: there is no {name.relative_to('tests').parent.as_posix()}"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every room includes what it may")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
