"""From a place in the words of a lesson to a cursor of a run."""

import numpy as np

from core.compare.comparison import Run
from core.compare.script import step_cursors
from core.errors import QuestionError
from core.message import message
from core.teaching.facts import broker_ids
from core.teaching.lesson import Spot
from core.trace.vocabulary import NUMBER


def cursor_of(spot: Spot, run: Run) -> int:
    """The cursor just after the event, at the end of the step, or at the time.

    Raises QuestionError where the run has no such step, broker or event.
    """
    if spot.cursor is not None:
        return spot.cursor
    if spot.event:
        return _event(spot, run) + 1
    if spot.at_ns is not None:
        return int(np.searchsorted(run.history.trace.columns["at"], spot.at_ns, side="right"))
    return len(run.history.trace) if spot.step is None else _span_of_step(spot.step, run)[1]


def _span_of_step(step: int, run: Run) -> tuple[int, int]:
    """The cursors at which a step begins and ends; step 0 is the state before the first."""
    begun = step_cursors(run.history.trace)
    if step and step not in begun:
        raise QuestionError(message("error.lesson.no-step", step=step, run=run.title))
    first, following = begun.get(step, 0), begun.get(step + 1)
    # The event of the next step marks its begin.
    return first, len(run.history.trace) if following is None else following - 1


def _event(spot: Spot, run: Run) -> int:
    trace = run.history.trace
    columns, seqs = trace.columns, run.history.seqs
    if spot.step is not None:
        first, last = _span_of_step(spot.step, run)
    else:
        since = 0 if spot.at_ns is None else int(np.searchsorted(columns["at"], spot.at_ns))
        first, last = since, len(trace)
    inside = seqs[(seqs >= first) & (seqs < last)]
    found = inside[columns["kind"][inside] == NUMBER[spot.event]]
    if spot.broker:
        number = broker_ids(run).get(spot.broker)
        if number is None:
            raise QuestionError(message("error.lesson.no-broker", broker=spot.broker, run=run.title))
        about = columns["replica"][found] == number
        found = found[about | (columns["broker"][found] == number) & (columns["replica"][found] < 0)]
    if len(found) < spot.nth:
        raise QuestionError(
            message("error.lesson.no-event", event=spot.event, broker=spot.broker or "-", run=run.title)
        )
    return int(found[spot.nth - 1])
