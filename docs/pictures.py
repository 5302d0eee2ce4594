#!/usr/bin/env python3
"""Makes the pictures of docs/ anew that are stale: what they show, or the scripts that draw it, has changed since.

usage: pictures.py [--check | --all] [--halfstep PROGRAM]

--check names the stale ones and ends with 1 if there are any; it needs neither matplotlib nor a GPU. pictures.json
beside this script has a hash of the sources of each picture, as they were when it was drawn. PROGRAM, build/release/halfstep
by default, is for pictures of runs.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRAWN = ROOT / "docs/pictures.json"
STYLE = ["app/plot/style.py"]


def pictures():
    """Returns by picture, without its suffix, its sources and how it is drawn."""
    studies = {f"docs/results/{report.stem}": ([f"docs/results/{report.name}", "app/plot/study.py", *STYLE], draw_studies)
               for report in sorted((ROOT / "docs/results").glob("*.json")) if report.with_suffix(".png").exists()}
    vortex = "docs/verification/taylor_green"
    runs = sorted(f"{vortex}/{file.name}" for file in (ROOT / vortex).glob("*.csv"))
    return {**studies,
            f"{vortex}/taylor_green": ([*runs, f"{vortex}/make.py", "tests/reference/taylor_green_re1600.csv", *STYLE],
                                       draw_vortex),
            "docs/jet_events": (["inputs/jet.yaml", "app/plot/events.py", *STYLE], draw_jet)}


def draw_studies(_):
    subprocess.run([sys.executable, ROOT / "docs/results/make.py"], check=True)


def draw_vortex(_):
    subprocess.run([sys.executable, ROOT / "docs/verification/taylor_green/make.py"], check=True)


def draw_jet(program):
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([program, "run", ROOT / "inputs/jet.yaml", "mesh.cells=[256,128,1]", "--quiet", "--backend", "host",
                        "--output", scratch + "/jet"], check=True)
        subprocess.run([program, "plot", scratch + "/jet/events.jsonl", "--output", scratch], check=True)
        drawn, = pathlib.Path(scratch).glob("events*.png")
        (ROOT / "docs/jet_events.png").write_bytes(drawn.read_bytes())


def hash_of(sources):
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.encode() + b"\0" + (ROOT / source).read_bytes() + b"\0")
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="name what is stale")
    parser.add_argument("--all", action="store_true", help="draw all of them")
    parser.add_argument("--halfstep", default=ROOT / "build/release/halfstep", help="the program")
    options = parser.parse_args()
    known = pictures()
    drawn = json.loads(DRAWN.read_text()) if DRAWN.exists() else {}
    hashes = {picture: hash_of(sources) for picture, (sources, _) in known.items()}
    stale = [picture for picture in known if options.all or drawn.get(picture) != hashes[picture]]
    if options.check:
        for picture in stale:
            print(f"{picture}.png is stale: run docs/pictures.py")
        sys.exit(bool(stale))
    for draw in dict.fromkeys(known[picture][1] for picture in stale):
        draw(options.halfstep)
    DRAWN.write_text(json.dumps(hashes, indent=1) + "\n")
    print("\n".join(f"drawn: {picture}.png" for picture in stale) or "every picture is of what is there")


if __name__ == "__main__":
    main()
