"""Draws what a run left, and puts its report together.

Usage: run.py ORDER.json ANSWER.json

ORDER: "pictures", each with its "kind", the "arguments" of the function of that name, the "stem" of its files, and
whether it is "one_of_several", which are drawn as far as their files can be used; or "report", of report.page, with
the pictures in it. ANSWER: for each picture its "files", or "why_not"; or "refused" and "remedy".

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
    from refusal import NothingToDraw, Refused, Unusable
except ImportError as error:
    print(error)
    sys.exit(3)

KINDS = {"flow": flow.flow, "history": history.history, "dissipation": history.dissipation, "events": events.events}


def drawn(order):
    """The picture, or None and the reason."""
    try:
        return KINDS[order["kind"]](**order["arguments"]), None
    except NothingToDraw as reason:
        return None, reason
    except Unusable as reason:
        if not order["one_of_several"]:
            raise
        return None, reason


def saved(orders):
    """The answers, in their order. Raises Unusable where that leaves no picture at all."""
    answers, unusable = [], []
    for order in orders:
        if order["kind"] == "movie":
            files, why_not = movie.movie(**order["arguments"], stem=order["stem"]), None
        else:
            picture, why_not = drawn(order)
            files = picture.save(order["stem"]) if picture else []
            if picture:
                picture.close()
        if isinstance(why_not, Unusable):
            unusable.append(why_not)
        answers.append({"files": [str(file) for file in files], "why_not": str(why_not or "")})
    if unusable and not any(answer["files"] for answer in answers):
        raise unusable[0]
    return answers


def main():
    _, source, answer_file = sys.argv
    with open(source, encoding="utf-8") as file:
        order = json.load(file)
    try:
        if "report" in order:
            parts = [(one["kind"], *drawn(one)) for one in order["pictures"]]
            answer = {"files": [report.write(parts, **order["report"])]}
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
