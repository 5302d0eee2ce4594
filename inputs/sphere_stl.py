#!/usr/bin/env python3
"""Writes sphere.stl: a sphere of radius 0.5 about the origin, as 1280 triangles in a binary STL file.

The triangles are those of an icosahedron, divided into four three times. Their corners lie a little outside of the
sphere, so that they enclose its volume. Usage: sphere_stl.py [FILE]
"""
import itertools
import math
import struct
import sys

RADIUS, DIVISIONS = 0.5, 3


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return tuple(x / length for x in v)


def six_volumes(a, b, c):
    """Returns six times the volume between a triangle and the origin, positive if its corners go counter-clockwise."""
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]))


def icosahedron():
    t = 0.5 * (1 + math.sqrt(5))
    corners = [v for p, q in itertools.product((-1, 1), (-t, t)) for v in ((p, q, 0), (0, p, q), (q, 0, p))]
    beside = [{n for n, w in enumerate(corners) if w != v and math.dist(v, w) < 2.1} for v in corners]
    for a, b, c in itertools.combinations(range(len(corners)), 3):
        if b in beside[a] and c in beside[a] and c in beside[b]:
            face = tuple(unit(corners[n]) for n in (a, b, c))
            yield face if six_volumes(*face) > 0 else (face[0], face[2], face[1])


def divided(faces):
    for a, b, c in faces:
        ab, bc, ca = (unit([0.5 * (x + y) for x, y in zip(*pair)]) for pair in ((a, b), (b, c), (c, a)))
        yield from ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))


def main(path):
    faces = list(icosahedron())
    for _ in range(DIVISIONS):
        faces = list(divided(faces))
    radius = RADIUS * (8 * math.pi / sum(six_volumes(*face) for face in faces)) ** (1 / 3)
    with open(path, "wb") as file:
        file.write(b"a sphere of radius 0.5, by sphere_stl.py".ljust(80) + struct.pack("<I", len(faces)))
        for face in faces:
            corners = [radius * x for corner in face for x in corner]
            file.write(struct.pack("<12fH", 0, 0, 0, *corners, 0))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "sphere.stl")
