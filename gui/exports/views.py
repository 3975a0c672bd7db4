"""From material and plan to what pictures and pages are laid out from, notes included. No Qt."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from core.compare.align import compare, make_run, make_runs
from core.compare.comparison import Comparison, Run
from core.diagnose.account.fields import account
from core.diagnose.account.report import incidents_of
from core.document.lane_order import USUAL
from core.document.notes import NoteKind
from core.errors import QuestionError
from core.message import message
from core.picture.callouts import FULL, telling
from core.picture.comparison import ComparisonView, brokers_with_callouts
from core.picture.figure import (
    FigureText,
    comparison_figure,
    comparison_words,
    timeline_figure,
    timeline_words,
)
from core.picture.lanes import room_for
from core.picture.marks import Picture
from core.picture.notes import PlacedNote
from core.picture.patterns import patterned
from core.picture.slide import PIXELS, slide
from core.picture.timeline import TimelineView, moment
from core.picture.whole import history_window
from core.picture.words import place_words
from core.trace.broker_names import broker_name
from core.trace.times import parse_time
from core.trace.trace import Origin, Trace
from core.words import speaking, text
from core.work import Work
from db.anchors import resolve
from db.notes import Note
from gui.exports.material import Material
from gui.exports.plan import DOCUMENTS, Plan
from gui.text.render import renderer
from gui.workspace.named import position_of

View: TypeAlias = TimelineView | ComparisonView
FRAME: Final = 120
"""Ruler, overview and margins, in logical pixels."""
_RUN: Final = 40
_LANE: Final = 150


def view_of(material: Material, plan: Plan, work: Work) -> View:
    """The timeline of one trace, the comparison of several. Raises QuestionError."""
    work.step(0, 0, message("progress.events"))
    told = replace(plan, lanes=material.lanes) if plan.lanes is None else plan
    if len(material.traces) == 1:
        if plan.stops is not None:
            raise QuestionError(
                message("error.export.timeline-no-stops"),
                advice=message("error.export.timeline-no-stops.way-out"),
            )
        return timeline_view(make_run(material.traces[0], plan.partition), material.notes, told)
    if plan.window != (None, None):
        raise QuestionError(
            message("error.export.no-times"), advice=message("error.export.text-whole.way-out")
        )
    comparison = compare(make_runs(material.traces, plan.partition), material.tied)
    return comparison_view(comparison, material.notes, told)


def figure_of(view: View, plan: Plan, ending: str = "") -> Picture:
    """The figure of a view, with the words and the parts that the plan wants. Raises QuestionError."""
    words = words_of(view, plan, ending)
    if plan.slide:
        made = slide(view, words, plan.left_out)
    elif isinstance(view, TimelineView):
        made = timeline_figure(view, words, plan.left_out)
    else:
        made = comparison_figure(view, words, plan.left_out)
    return patterned(made) if plan.patterns else made


def zoom_of(picture: Picture, plan: Plan) -> float:
    """How much larger a figure comes out than it is laid out."""
    return PIXELS[0] / picture.width if plan.slide else 1.0


def words_of(view: View, plan: Plan, ending: str = "") -> FigureText:
    """The words of a figure: those of the plan where it has some, else proposed ones.

    What is read as a document begins with the account of the incident; `ending` is that of the file.
    """
    if isinstance(view, TimelineView):
        proposed = timeline_words(view)
        if ending in DOCUMENTS and not plan.slide:
            proposed = replace(proposed, account=_account(view))
    else:
        proposed = comparison_words(view.comparison, view.lang)
    return replace(proposed, title=plan.title or proposed.title, caption=plan.caption or proposed.caption)


def _account(view: TimelineView) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The worst incident of a partition in its six fields, as `check` tells it; () where there is none."""
    trace = view.history.trace
    if trace.origin is Origin.SIMULATED:
        return ()
    with speaking(view.lang):
        return tuple(
            (text(field.label), tuple(map(text, field.lines)))
            for one in incidents_of(trace, view.verdict)[:1]
            for field in account(trace, one)
        )


def timeline_view(run: Run, notes: Sequence[Note], plan: Plan) -> TimelineView:
    """What a figure of a run shows, with its notes. Raises QuestionError where that is nothing."""
    history = run.history
    trace = history.trace
    if len(history.seqs) == 0:
        raise QuestionError(message("error.export.no-events"))
    first, last = history_window(history)
    first = first if plan.window[0] is None else parse_time(plan.window[0])
    last = last if plan.window[1] is None else parse_time(plan.window[1])
    if last <= first:
        raise QuestionError(
            message("error.export.backwards"), advice=message("error.export.backwards.way-out")
        )

    def label(cursor: int) -> str:
        return (
            moment(trace, int(trace.columns["at"][cursor - 1]))
            if cursor
            else renderer(plan.lang)(message("compare.start"))
        )

    lanes = (plan.lanes or USUAL).drawn(history.replicas)
    placed: list[PlacedNote] = []
    for note in notes:
        ends = _ends(trace, note)
        if ends is not None and (note.kind == NoteKind.LANE or _is_within(trace, ends, (first, last))):
            placed.append(_placed(trace, note, ends[0], ends[1], label))
    shelves = FULL * len(telling(history, run.verdict))
    return TimelineView(
        history=history,
        verdict=run.verdict,
        cursor=None if plan.at is None else position_of(trace, plan.at)[0],
        window=(first, last),
        width=plan.width,
        height=FRAME + room_for(lanes, lanes.brokers(history.replicas), _LANE) + shelves,
        notes=_numbered(placed),
        lang=plan.lang,
        lanes=lanes,
        drawing=plan.drawing,
    )


def comparison_view(comparison: Comparison, notes: Sequence[Note], plan: Plan) -> ComparisonView:
    """What a figure of a comparison shows, with its notes."""
    placed: list[PlacedNote] = []
    for note in notes:
        for index, run in enumerate(comparison.runs):
            ends = _ends(run.history.trace, note)
            if ends is None:
                continue
            first, last = (None if end is None else _stop_of(comparison, index, end) for end in ends)
            with speaking(plan.lang):
                made = _placed(run.history.trace, note, first or 0, last, partial(place_words, comparison))
            placed.append(replace(made, run=index))
            break
    brokers = {broker: None for run in comparison.runs for broker in run.history.replicas}
    lanes = (plan.lanes or USUAL).drawn(brokers)
    rooms = (room_for(lanes, lanes.brokers(run.history.replicas), _LANE) for run in comparison.runs)
    view = ComparisonView(
        comparison=comparison,
        stop=None if plan.at is None else _stop(comparison, plan.at),
        width=plan.width,
        height=FRAME + _RUN * len(comparison.runs) + sum(rooms),
        notes=_numbered(placed),
        lang=plan.lang,
        lanes=lanes,
        drawing=plan.drawing,
    )
    shelves = FULL * sum(len(brokers_with_callouts(view, run)) for run in comparison.runs)
    return replace(view, height=view.height + shelves)


def _stop(comparison: Comparison, text: str) -> int:
    """The stop of that number. Raises QuestionError."""
    last = len(comparison.stops) - 1
    if not text.isdecimal() or int(text) > last:
        raise QuestionError(
            message("error.export.no-stop", number=text), advice=message("error.export.stops", last=last)
        )
    return int(text)


def _stop_of(comparison: Comparison, run: int, cursor: int) -> int:
    """The first stop at which a run has reached a cursor; the last one where none has."""
    stop = bisect_left(comparison.stops, cursor, key=lambda one: one.cursors[run])
    return min(stop, len(comparison.stops) - 1)


def _ends(trace: Trace, note: Note) -> tuple[int, int | None] | None:
    """The cursors of a note on this trace; None where the evidence of one of them is not there."""
    if note.trace_name != trace.name:
        return None
    first = resolve(trace, note.anchor)
    last = None if note.end is None else resolve(trace, note.end)
    return None if first is None or (note.end is not None and last is None) else (first, last)


def _is_within(trace: Trace, ends: tuple[int, int | None], window: tuple[int, int]) -> bool:
    """Whether a note, or a part of it, lies in a stretch of time: what is not drawn is not listed."""
    cursors = [ends[0], ends[0] if ends[1] is None else ends[1]]
    begin, end = (int(trace.columns["at"][max(cursor, 1) - 1]) for cursor in sorted(cursors))
    return begin <= window[1] and end >= window[0]


def _placed(
    trace: Trace, note: Note, first: int, last: int | None, label: Callable[[int], str]
) -> PlacedNote:
    """A note between two positions, with their names; its number comes later."""
    where = label(first) if last is None else " – ".join(dict.fromkeys((label(first), label(last))))
    return PlacedNote(
        0,
        first,
        note.text,
        note.broker,
        broker_name(trace, note.broker) if note.kind == NoteKind.LANE and note.broker is not None else where,
        note.note_id,
        note.kind,
        last,
        note.end_broker,
        note.colour,
        note.shape,
    )


def _numbered(placed: Sequence[PlacedNote]) -> tuple[PlacedNote, ...]:
    """Notes as they are drawn, numbered by position. Bookmarks are for whoever works with the document."""
    ordered = sorted((one for one in placed if one.kind != NoteKind.BOOKMARK), key=lambda one: one.position)
    return tuple(replace(note, number=number) for number, note in enumerate(ordered, start=1))
