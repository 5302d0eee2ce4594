"""Draws what a run left, and puts its report together.

Usage: run.py ORDER.json ANSWER.json

ORDER: "damaged", dumps and tables that must not be opened, each with the reason;
"pictures", each with its "kind", the "arguments" of the function of that name, the "stem" of its files, the "source"
that its files must not replace those of another, if any, and whether it is "one_of_several", which are drawn as far as
their files can be used; or "report", of report.page, with the pictures in it and those of the run's "outputs". ANSWER: for each picture its "files", or "why_not"; or "refused" and "remedy".

Exit codes: 0 drawn, 2 refused, 3 a module is missing, 1 anything else.
"""
import json
import sys

try:
    import dump
    import events
    import flow
    import histogram
    import history
    import movie
    import probes
    import report
    import spectrum
    import style
    from refusal import DAMAGE, NothingToDraw, Refused, Unusable, one_line
except ImportError as error:
    print(error)
    sys.exit(3)

KINDS = {"flow": flow.flow, "together": flow.together, "difference": flow.difference, "history": history.history,
         "histogram": histogram.histogram, "dissipation": history.dissipation,
         "probes": probes.probes, "spectrum": spectrum.spectrum, "events": events.events}


def broken(order, error):
    """Returns what Python stumbled over, as the refusal of the file that has it."""
    arguments = order["arguments"]
    file = arguments.get("file") or arguments["files"][0]
    return Unusable(f"'{file}' holds what cannot be drawn ({one_line(error)})")


def tried(order, draw):
    """Returns what draw() returns, or None and the reason why there is no picture."""
    try:
        try:
            return draw(), None
        except DAMAGE as error:
            raise broken(order, error) from error
    except NothingToDraw as reason:
        return None, reason
    except Unusable as reason:
        if not order["one_of_several"]:
            raise
        return None, reason


def drawn(order):
    """The picture, or None and the reason."""
    def draw():
        try:
            return KINDS[order["kind"]](**order["arguments"])
        except OSError as error:  # values of a dump that are not there
            raise broken(order, error) from error
    return tried(order, draw)


def saved(orders):
    """The answers, in their order. Raises Unusable where that leaves no picture at all."""
    answers, unusable = [], []
    for order in orders:
        seal = style.seal_of(order["source"])
        if order["kind"] == "movie":
            files, why_not = tried(order, lambda: movie.movie(**order["arguments"], stem=order["stem"], seal=seal))
        else:
            picture, why_not = drawn(order)
            files = []
            if picture:
                files, why_not = tried(order, lambda: picture.save(order["stem"], seal))
                picture.close()
        if isinstance(why_not, Unusable):
            unusable.append(why_not)
        answers.append({"files": [str(file) for file in files or []], "why_not": str(why_not or "")})
    if unusable and not any(answer["files"] for answer in answers):
        raise unusable[0]
    return answers


def heading(order):
    """The name of an output."""
    return dump.name_of_output(order["stem"]) if order["kind"] == "flow" else order["stem"]


def main():
    _, source, answer_file = sys.argv
    with open(source, encoding="utf-8") as file:
        order = json.load(file)
    dump.damaged = order["damaged"]
    try:
        if "report" in order:
            parts = [(one["kind"], *drawn(one)) for one in order["pictures"]]
            outputs = [(heading(one), *drawn(one)) for one in order["outputs"]]
            try:
                answer = {"files": [report.write(parts, outputs, **order["report"])]}
            except DAMAGE as error:
                where = order["report"]["directory"]
                raise Refused(f"'{where}' cannot be put on a page ({one_line(error)})") from error
        else:
            answer = {"pictures": saved(order["pictures"])}
        status = 0
    except Refused as refused:
        answer = {"refused": str(refused), "remedy": refused.remedy}
        status = 2
    with open(answer_file, "w", encoding="utf-8") as file:
        json.dump(answer, file)
    return status


if __name__ == "__main__":
    sys.exit(main())
