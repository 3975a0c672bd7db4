"""The data of a page: for each position, where its cursor is, and what every run holds and says there."""

import json
from collections.abc import Sequence
from typing import Any, Final

from core.compare.comparison import Run
from core.diagnose.narrate.why import why
from core.errors import QuestionError
from core.history.as_json import partition_dict
from core.message import Message, message
from core.picture.agreement import difference_words
from core.picture.axis import OrderAxis
from core.picture.comparison import ComparisonView, geometry, verdict_words
from core.picture.marks import Picture
from core.picture.ruler import stop_words
from core.picture.timeline import TimelineView, moment, timeline_lanes
from core.trace.evidence import evidence_of
from core.words import Language, said
from gui.scrub.words import script_words
from gui.text.render import renderer
from gui.workspace.script_lines import script_lines

_EVIDENCE: Final = 3
"""Lines of evidence that a position shows."""
_MOST: Final = 20_000
"""Positions of one page."""


class _Table:
    """Values that are written once and named by their number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def put(self, value: Any) -> int:  # noqa: ANN401 - plain JSON values
        """The number of a value."""
        key = json.dumps(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


class _Tables:
    """What positions share: texts, states of a partition, states of a replica."""

    def __init__(self, lang: Language) -> None:
        self.lang: Language = lang
        self.texts, self.heads, self.replicas = _Table(), _Table(), _Table()

    def state(self, run: Run, cursor: int) -> dict[str, Any]:
        """One run at a cursor. A replica and a head are as `state --json` has them."""
        history = run.history
        trace = history.trace
        state = history.at(cursor)
        partition = partition_dict(history, state)
        held: Sequence[dict[str, Any]] = partition.pop("replicas")
        told, words = why(history, run.verdict, cursor, script_lines(trace, self.lang)), renderer(self.lang)
        seqs = dict.fromkeys((*(() if told.seq is None else (told.seq,)), *told.evidence))
        lines = [found for seq in seqs if (found := evidence_of(trace, seq)) is not None]
        once = list(dict.fromkeys((found.file, found.line, found.text) for found in lines))
        return {
            "cursor": cursor,
            "rank": history.rank(cursor),
            "at": "" if state.at is None else moment(trace, state.at),
            "head": self.heads.put(partition),
            "replicas": [self.replicas.put(one) for one in held],
            "what": self.texts.put(words(told.title)),
            "why": [self.texts.put(words(one)) for one in told.sentences],
            "evidence": [
                [self.texts.put(file), line, self.texts.put(text)] for file, line, text in once[:_EVIDENCE]
            ],
        }


def page_data(
    view: TimelineView | ComparisonView, picture: Picture, stops: tuple[int, int] | None
) -> dict[str, Any]:
    """What page.js reads. Raises QuestionError where there is nothing, or too much, to show."""
    tables = _Tables(view.lang)
    if isinstance(view, TimelineView):
        runs: tuple[Run, ...] = (Run("", None, view.history, view.verdict),)
        span, positions = _of_timeline(view, runs[0], tables)
    else:
        runs = view.comparison.runs
        span, positions = _of_comparison(view, tables, stops)
    return {
        "width": picture.width,
        "height": picture.height,
        "top": span[0],
        "bottom": span[1],
        "words": script_words(),
        "runs": [{"ranks": len(run.history.seqs)} for run in runs],
        "texts": tables.texts.values,
        "heads": tables.heads.values,
        "replicas": tables.replicas.values,
        "positions": positions,
    }


def _of_timeline(
    view: TimelineView, run: Run, tables: _Tables
) -> tuple[tuple[float, float], list[dict[str, Any]]]:
    history = run.history
    lanes = timeline_lanes(view)
    if not lanes:
        raise QuestionError(message("error.export.no-replicas"))
    axis = lanes[0].axis
    ranks = range(history.rank(axis.first), history.rank(axis.last) + 1)
    _refuse_many(len(ranks), message("error.export.choose-times"))
    shift = axis.scale.slot * 0.7 if isinstance(axis, OrderAxis) else 0.0
    positions = [
        {
            "x": round(axis.x(cursor) + (shift if rank else 0.0), 1),
            "place": rank,
            "runs": [tables.state(run, cursor)],
        }
        for rank in ranks
        for cursor in (history.cursor_of_rank(rank),)
    ]
    return (lanes[0].box.band, lanes[-1].box.end), positions


def _of_comparison(
    view: ComparisonView, tables: _Tables, stops: tuple[int, int] | None
) -> tuple[tuple[float, float], list[dict[str, Any]]]:
    comparison, parts = view.comparison, geometry(view)
    last = len(comparison.stops) - 1
    first, end = stops or (0, last)
    if end > last:
        raise QuestionError(
            message("error.export.no-stop", number=end), advice=message("error.export.stops", last=last)
        )
    _refuse_many(end - first + 1, message("error.export.choose-stops"))
    differences = {one.stop: difference_words(one) for one in reversed(comparison.differences)}
    label = ""
    positions: list[dict[str, Any]] = []
    for place, stop in enumerate(comparison.stops[: end + 1]):
        label = (stop_words(stop.label) or stop.anchor) if stop.anchor else label
        if place >= first:
            pairs = zip(comparison.runs, stop.cursors, strict=True)
            positions.append(
                {
                    "x": round(parts.columns.cursor_x(place), 1),
                    "place": place,
                    "label": tables.texts.put(label),
                    "difference": tables.texts.put(differences.get(place, "")),
                    "differing": list(comparison.differing[place]),
                    "runs": [tables.state(run, cursor) for run, cursor in pairs],
                }
            )
    return (parts.ruler, parts.lanes[-1][-1].box.end), positions


def _refuse_many(positions: int, advice: Message) -> None:
    if positions > _MOST:
        raise QuestionError(
            message("error.export.long-page", count=positions),
            why=message("error.export.long-page.most", count=_MOST),
            advice=advice,
        )


def run_heads(view: TimelineView | ComparisonView) -> tuple[tuple[str, str], ...]:
    """(name, verdict) of each run; a timeline has one without a name."""
    if isinstance(view, TimelineView):
        return (("", ""),)
    return tuple(
        (said("page.run", number=place, title=run.title), verdict_words(run)[0])
        for place, run in enumerate(view.comparison.runs, start=1)
    )
