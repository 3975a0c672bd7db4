"""Ties made by hand: cursors of all runs that a person says are the same moment. They override anchors."""

from collections.abc import Sequence
from itertools import pairwise

from core.compare.comparison import Run
from core.compare.stops import Anchor
from core.errors import QuestionError
from core.message import Count, message


def with_ties(
    runs: Sequence[Run], anchors: Sequence[Anchor], ties: Sequence[Sequence[int]]
) -> tuple[Anchor, ...]:
    """The anchors and the ties in order; an anchor that a tie contradicts, or replaces, is left out.

    A tie is a cursor per run, in the order of the runs. Raises QuestionError for a tie that has not one
    cursor a run, that lies outside of a run, or that crosses another.
    """
    made = sorted(_checked(runs, tie) for tie in ties)
    for before, after in pairwise(made):
        if any(left >= right for left, right in zip(before, after, strict=True)):
            raise QuestionError(
                message("error.tie.crossed", one=_text(before), other=_text(after)),
                background=message("error.tie.crossed.why"),
                advice=message("error.tie.crossed.way-out"),
            )
    # The first anchor is the beginning of all runs and stays.
    kept = [anchors[0], *(one for one in anchors[1:] if all(_apart(one.cursors, tie) for tie in made))]
    kept += [
        Anchor(f"tie {number}", message("compare.tie", number=number), message("compare.by-hand"), tie)
        for number, tie in enumerate(made, start=1)
    ]
    return tuple(sorted(kept, key=lambda one: one.cursors))


def _checked(runs: Sequence[Run], tie: Sequence[int]) -> tuple[int, ...]:
    if len(tie) != len(runs):
        raise QuestionError(
            message("error.tie.cursors", tie=_text(tie), count=Count(len(tie)), runs=len(runs)),
            advice=message("error.tie.cursors.form"),
        )
    for run, cursor in zip(runs, tie, strict=True):
        last = len(run.history.trace)
        if not 0 < cursor <= last:
            raise QuestionError(
                message("error.tie.outside", tie=_text(tie), run=run.title),
                advice=message("error.tie.outside.cursors", last=last),
            )
    return tuple(tie)


def _apart(cursors: Sequence[int], tie: Sequence[int]) -> bool:
    """Whether an anchor lies wholly before or wholly after a tie."""
    pairs = list(zip(cursors, tie, strict=True))
    return all(mine < other for mine, other in pairs) or all(mine > other for mine, other in pairs)


def _text(tie: Sequence[int]) -> str:
    return "=".join(map(str, tie))
