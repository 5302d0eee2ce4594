#!/usr/bin/env python3
"""Writes README.md of this folder from reports of `halfstep verify`.

    halfstep verify --output out/quick
    halfstep verify --full riemann --json out/riemann.json
    docs/verification/make.py out/quick/verify.json out/riemann.json

The first report gives the table of checks, the last the table of all Riemann problems and schemes. The pictures beside the first one
are taken along.
"""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
PREFACE = """\
# Verification

`halfstep verify` runs flows of which something is known and compares. A check is a deck, what is changed of it, a number
that is taken from its runs, and a bar, and every bar says where it comes from: a paper, an exact solution, another scheme on the same mesh,
or, where nothing better is known, what was measured once, with its margin. Exit code 5 says that a bar was missed. `--full` adds finer
meshes and every scheme, and is meant for a GPU.

L1, L2 and Linf are means over the cells of |density - exact cell average|, unless a row says of what else; the order is that of L1, observed
between the last two meshes. RMS-L1 is the root of the sum over the conserved fields of the squares of their L1, as Athena++ and AthenaK print it.

Of the Riemann problems, schemes are judged by one another: n steps spread a contact that moves over about n^(1/(p+1)) cells at order p, and
what remains of the error goes as the width of a cell, whatever the scheme (J. W. Banks, T. Aslam & W. J. Rider, J. Comput. Phys. 227 (2008)
6985). So, the constants being taken as equal, plm has to leave no more than n^(1/3 - 1/2) of what first order leaves on the same mesh, and weno5z no
more than plm. No contact moves in
toro_2 and toro_5, and there the bars are still what was measured.

Not within a bar, and so no check: a planar shock of Mach 6 along the mesh, in which one cell of a duct 20 cells wide was disturbed by 2.4e-4
(Quirk 1994). With hllc and roe the disturbance grows to a carbuncle, until density differs across the duct by 26 % (plm) and 65 % (weno5z)
of itself with hllc, by 71 % and 72 % with roe. hll and rusanov, which are checked, keep the shock straight to 1e-6; Noh's implosions in 2D and 3D run with
hll for that reason. Wall heating in Noh's centres, and what coarse meshes leave of the density of 16 and 64 behind the shock, is in the bars. The double
conversion between averages and point values makes every scheme second order in nonlinear flow, Becker's shock with fourth-order viscous terms too;
`scheme.averages: fourth_order` corrects that of the inviscid fluxes, and the vortex shows the fourth order.

The 253 checks of `--full` that are not of viscous flows have run on an H200 on 2026-11-23, and those of viscous flows without `--full`; all are
within their bars, after a minute. The vortex of Taylor and Green on 256³ cells takes three and a half minutes more and ran there the day before, with kernels whose
arithmetic is the same.

Those of elements with `--full`, among them Woodward and Colella's step (with collocated terms; with the split form, as it is now, on a host), the bump of the workshops on high-order methods and the wake of a cylinder, have run on an H200 on 2026-11-28
(9576c43), and so have all 164 without `--full`: all are within their bars. The bump's entropy is known, that of the reservoir; its largest error falls with order 2.99 and 4.15
(degrees 2 and 3, 24 × 8 to 48 × 16 elements).

The vortex of Taylor and Green at Re 1600 has [pages of its own](taylor_green/).

This page is made by [make.py](make.py); its first lines say how to make it anew.
"""
HEADING = {"riemann": "Riemann problems", "shocks": "Shocks that meet something", "waves": "Smooth waves", "slow": "Slow flow",
           "blasts": "Blast waves", "interactions": "Shocks that run into one another", "instabilities": "Instabilities",
           "viscous": "Viscosity, conduction, walls", "invariants": "What must not change"}
OF_EVERY_SCHEME = "L1 / first order's"  # what is judged where a check stands for one of all schemes
PICTURES = {"verify_curves": "Points: this run. Lines: what is known.", "verify_convergence": "Errors and observed orders."}


def number(value):
    return f"{value:.3g}" if isinstance(value, (int, float)) else str(value)


def bar(judged):
    if "at_least" not in judged:
        return f"≤ {number(judged['at_most'])}"
    if "at_most" not in judged:
        return f"≥ {number(judged['at_least'])}"
    return f"{judged['at_least']:.4g} to {judged['at_most']:.4g}"


def mesh(run):
    cells = run["cells"]
    while len(cells) > 1 and cells[-1] == 1:
        cells = cells[:-1]
    return "×".join(map(str, cells))


def made_by(report):
    made = report["provenance"]
    device = "" if made["device"] == "none" or report["backend"] == "host" else f", {made['device']}"
    return f"`{made['command']}`, {made['date']}, halfstep {made['git']}, {made['compiler']}{device}."


def checks_section(report):
    for group in dict.fromkeys(check["group"] for check in report["checks"]):
        yield from (f"## {HEADING.get(group, group)}", "",
                    "| check | scheme | cells | L1 | L2 | Linf | order | judged | value | bar | | where the bar is from |",
                    "|---|---|---|---|---|---|---|---|---|---|---|---|")
        for check in report["checks"]:
            if check["group"] != group:
                continue
            run = check["runs"][-1]
            norms = [number(run[name]) if name in run else "" for name in ("l1", "l2", "linf")]
            scheme = run["scheme"] + ("" if check["error_of"] == "density" else f"; of {check['error_of']}")
            order = f"{check['order']:.2f}" if "order" in check else ""
            left = [check["name"], scheme, " ".join(dict.fromkeys(map(mesh, check["runs"]))), *norms, order]
            if check["gave_up"]:
                yield "| " + " | ".join([*left, "the run", check["gave_up"], "", "**FAIL**", ""]) + " |"
            for judged in check["judged"]:
                verdict = "pass" if judged["passed"] else "**FAIL**"
                yield "| " + " | ".join([*left, judged["what"], number(judged["value"]), bar(judged), verdict,
                                         judged["source"]]) + " |"
                left = [""] * len(left)
        yield ""


def riemann_section(report):
    schemes, decks, errors = [], [], {}
    for check in report["checks"]:
        if check["judged"][0]["what"] != OF_EVERY_SCHEME:
            continue
        reconstruction, *_, riemann, integrator = check["runs"][-1]["scheme"].split()
        scheme = f"{reconstruction} {riemann}"
        schemes.append(scheme)
        decks.append(check["deck"])
        errors[scheme, check["deck"]] = number(check["runs"][-1].get("l1", check["gave_up"]))
    decks = list(dict.fromkeys(decks))
    yield from ("## Every Riemann problem with every scheme", "",
                "L1 of density, at the mesh of each deck, reconstructing characteristic variables, with ssprk3. First order is never better than a "
                "higher one with the same Riemann solver, unless a cell is marked.", "",
                "| scheme | " + " | ".join(decks) + " |", "|---|" + "---:|" * len(decks))
    worse = {(check["runs"][-1]["scheme"].split()[0] + " " + check["runs"][-1]["scheme"].split()[-2], check["deck"])
             for check in report["checks"] if check["judged"][0]["what"] == OF_EVERY_SCHEME and not check["passed"]}
    for scheme in dict.fromkeys(schemes):
        row = [errors[scheme, deck] + (" (!)" if (scheme, deck) in worse else "") for deck in decks]
        yield f"| {scheme} | " + " | ".join(row) + " |"
    yield from ("", made_by(report), "")


def main(checks_path, riemann_path):
    reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in (checks_path, riemann_path)]
    lines = [PREFACE, made_by(reports[0]), ""]
    for stem, caption in PICTURES.items():
        picture = pathlib.Path(checks_path).with_name(stem + ".png")
        if picture.exists():
            shutil.copy(picture, HERE / picture.name)
            lines += [f"![{caption}]({picture.name})", "", caption, ""]
    lines += [*checks_section(reports[0]), *riemann_section(reports[1])]
    (HERE / "README.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
