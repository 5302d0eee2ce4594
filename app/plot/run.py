"""Draws what a run left, and puts its report together.

Usage: run.py ORDER.json ANSWER.json

ORDER: "pictures", each with its "kind", the "arguments" of the function of that name, and the "stem" of its files; or
"report", of report.page, with the pictures in it. ANSWER: for each picture its "files", or "why_not"; or "refused" and
"remedy".

Exit codes: 0 drawn, 2 refused, 3 a module is missing, 1 anything else.
"""
import json
import sys

try:
    import events
    import flow
    import history
    import movie
    import report
    from refusal import NothingToDraw, Refused
except ImportError as error:
    print(error)
    sys.exit(3)

KINDS = {"flow": flow.flow, "history": history.history, "dissipation": history.dissipation, "events": events.events}


def drawn(order):
    """The picture, or why there is none."""
    try:
        return KINDS[order["kind"]](**order["arguments"]), None
    except NothingToDraw as reason:
        return None, str(reason)


def saved(order):
    if order["kind"] == "movie":
        return {"files": [str(file) for file in movie.movie(**order["arguments"], stem=order["stem"])]}
    picture, why_not = drawn(order)
    if picture is None:
        return {"files": [], "why_not": why_not}
    files = picture.save(order["stem"])
    picture.close()
    return {"files": [str(file) for file in files]}


def main():
    _, source, answer_file = sys.argv
    with open(source, encoding="utf-8") as file:
        order = json.load(file)
    try:
        if "report" in order:
            parts = [(one["kind"], *drawn(one)) for one in order["pictures"]]
            answer = {"files": [report.write(parts, **order["report"])]}
        else:
            answer = {"pictures": [saved(one) for one in order["pictures"]]}
        status = 0
    except Refused as refused:
        answer = {"refused": str(refused), "remedy": refused.remedy}
        status = 2
    with open(answer_file, "w", encoding="utf-8") as file:
        json.dump(answer, file)
    return status


if __name__ == "__main__":
    sys.exit(main())
