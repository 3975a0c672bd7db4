"""From traces to a picture on the disk, as `export` and `demo` write it."""

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.compare.align import compare, make_run, make_runs
from core.compare.comparison import Comparison, Run
from core.errors import QuestionError
from core.picture.comparison import ComparisonView
from core.picture.figure import comparison_figure, history_window, timeline_figure
from core.picture.marks import Picture
from core.picture.notes import PlacedNote
from core.picture.timeline import TimelineView
from core.trace.times import clock, parse_time
from core.trace.trace import Trace
from db.anchors import resolve

if TYPE_CHECKING:
    from db.notes import Note

_FRAME: Final = 120
"""Ruler, overview and margins, in logical pixels."""
_RUN: Final = 40
_LANE: Final = 150


def write_picture(
    traces: Sequence[Trace],
    notes: "Sequence[Note]",
    target: Path,
    *,
    partition: str | None = None,
    window: tuple[str | None, str | None] = (None, None),
    theme: str = "light",
    width: int = 1600,
    replace: bool = False,
) -> None:
    """The timeline of one trace, the comparison of several. Raises TidegaugeError.

    `window` are the first and the last time that a timeline shows.
    """
    from gui.export import export_picture

    if len(traces) == 1:
        picture = timeline_figure(timeline_view(make_run(traces[0], partition), notes, window, width))
    else:
        if window != (None, None):
            raise QuestionError("A comparison has stops, not times", advice="Leave out --from and --to")
        picture = _comparison(compare(make_runs(traces, partition)), notes, width)
    export_picture(picture, target, theme=theme, replace=replace)


def write_page(
    traces: Sequence[Trace],
    notes: "Sequence[Note]",
    target: Path,
    *,
    partition: str | None = None,
    window: tuple[str | None, str | None] = (None, None),
    width: int = 1600,
) -> None:
    """The page of one partition, that scrubs without the program. Raises TidegaugeError."""
    from gui.commands.files import write_text
    from gui.export import offscreen_app
    from gui.scrub.page import page

    if len(traces) != 1:
        raise QuestionError("A page shows one run", advice="Choose one of them with --trace NAME")
    offscreen_app()
    write_text(target, page(timeline_view(make_run(traces[0], partition), notes, window, width)))


def timeline_view(
    run: Run, notes: "Sequence[Note]", window: tuple[str | None, str | None], width: int
) -> TimelineView:
    """What a figure of a run shows, with its notes. Raises QuestionError where that is nothing."""
    history = run.history
    trace = history.trace
    if len(history.seqs) == 0:
        raise QuestionError("The partition has no events to draw")
    first, last = history_window(history)
    first = first if window[0] is None else parse_time(window[0])
    last = last if window[1] is None else parse_time(window[1])
    if last <= first:
        raise QuestionError(
            "The stretch of time ends before it begins", advice="Let --from be earlier than --to"
        )
    placed: list[tuple[int, Note, str]] = []
    for note in notes:
        cursor = resolve(trace, note.anchor) if note.trace_name == trace.name else None
        if cursor is not None:
            placed.append((cursor, note, clock(int(trace.columns["at"][cursor - 1])) if cursor else "start"))
    return TimelineView(
        history=history,
        verdict=run.verdict,
        cursor=None,
        window=(first, last),
        width=width,
        height=_FRAME + _LANE * len(history.replicas),
        notes=_numbered(placed),
    )


def _comparison(comparison: Comparison, notes: "Sequence[Note]", width: int) -> Picture:
    placed: list[tuple[int, Note, str]] = []
    for note in notes:
        for index, run in enumerate(comparison.runs):
            trace = run.history.trace
            cursor = resolve(trace, note.anchor) if note.trace_name == trace.name else None
            if cursor is None:
                continue
            stop = bisect_left(comparison.stops, cursor, key=lambda one, index=index: one.cursors[index])
            stop = min(stop, len(comparison.stops) - 1)
            placed.append((stop, note, _label(comparison, stop)))
            break
    lanes = sum(len(run.history.replicas) for run in comparison.runs)
    view = ComparisonView(
        comparison=comparison,
        stop=None,
        width=width,
        height=_FRAME + _RUN * len(comparison.runs) + _LANE * lanes,
        notes=_numbered(placed),
    )
    return comparison_figure(view)


def _label(comparison: Comparison, stop: int) -> str:
    """The anchor at a stop, or the last one before it."""
    return next((one.anchor for one in reversed(comparison.stops[: stop + 1]) if one.anchor), "")


def _numbered(placed: "Sequence[tuple[int, Note, str]]") -> tuple[PlacedNote, ...]:
    """Notes as they are drawn, numbered by position."""
    ordered = sorted((one for one in placed if one[1].kind != "bookmark"), key=lambda one: one[:1])
    return tuple(
        PlacedNote(number, position, note.text, broker=note.broker, where=where, note_id=note.note_id)
        for number, (position, note, where) in enumerate(ordered, start=1)
    )
