"""What is open: runs under one row of positions, and where its landmarks are."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from core.compare.align import tied as tied_by
from core.compare.comparison import Comparison, Run
from core.diagnose.account.partition_story import partition_steps, seq_of
from core.diagnose.narrate.why import why
from core.diagnose.verdict.facts import Severity
from core.history.state import Steps
from core.picture.lane import seqs_of_kind
from core.picture.marks import Ref
from core.picture.metrics import text_width
from core.picture.trend import trends_of
from core.sim.questions import Lesson
from core.sim.scenario import parse_scenario
from core.sim.translations import translated
from core.trace.ids import Nanos
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER
from core.words import Language

_STOPS_AND_STARTS: Final = tuple(
    NUMBER[name]
    for name in (
        "broker_crashed",
        "broker_stopped",
        "broker_exited",
        "broker_frozen",
        "shutdown_requested",
        "broker_started",
        "broker_starting",
        "unclean_restart_detected",
    )
)
_GAPS: Final = (NUMBER["evidence_gap"],)
EVENTS: Final = ("event", "loss", "truncation")
"""Kinds of marks whose key is the number of an event of the trace."""
LANDMARKS: Final = ("loss", "truncation", "election", "isr", "crash", "gap", "story", "difference", "anchor")
"""What one can jump to. "story" is a step of what went wrong.

"anchor" is a step of the script, or a place where all compared runs meet.
"""


@dataclass(frozen=True, slots=True)
class Moment:
    """A place in what is open: a time, ns, and where it is told more closely the cursor of the trace.

    Without a cursor it is after the last event of that time.
    """

    at: int
    cursor: int | None = None

    def cursor_in(self, trace: Trace) -> int:
        """The cursor of a trace at this moment."""
        return trace.cursor_at(Nanos(self.at)) if self.cursor is None else self.cursor


@dataclass(frozen=True, slots=True)
class Tied:
    """How many positions share one place of the ruler, and how many of them the cursor has passed.

    They are the events of one time of a timeline, or the stops of one step or landmark of a comparison.
    """

    passed: int
    size: int


@dataclass(frozen=True, slots=True)
class Content:
    """Runs under positions 0..last: the ranks of the partition's events, or the stops of a comparison."""

    title: str
    runs: tuple[Run, ...]
    comparison: Comparison | None = None
    landmarks: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    proven_losses: frozenset[int] = frozenset()
    """Those of the losses at which records are shown to be lost; at the others that is only possible."""
    largest_tie: int = 1
    """The size of the largest tie; 1 where no two positions share a place."""
    lesson: Lesson | None = None
    """What it was opened to show; None where nobody asked."""

    @property
    def last(self) -> int:
        """The last position; the first is 0."""
        return len(self.comparison.stops) - 1 if self.comparison else len(self.runs[0].history.seqs)

    @property
    def ties(self) -> tuple[tuple[int, ...], ...]:
        """What a person tied: a cursor of each run, of the same moment."""
        return self.comparison.ties if self.comparison else ()

    @property
    def partition(self) -> str:
        """The name of the first run's partition."""
        history = self.runs[0].history
        return str(history.trace.partitions[history.partition].tp)

    def cursors(self, position: int) -> tuple[int, ...]:
        """The cursor of each run at a position."""
        if self.comparison:
            return self.comparison.stops[position].cursors
        return (self.runs[0].history.cursor_of_rank(position),)

    def has(self, ref: Ref) -> bool:
        """Whether what a mark stands for is here: its run, the broker of its lane, its event.

        Notes are the session's: of one it is only asked whether its run is here.
        """
        if not 0 <= ref.run < len(self.runs):
            return False
        history = self.runs[ref.run].history
        if ref.kind == "lane":
            return ref.broker in history.replicas
        if ref.kind in EVENTS:
            in_lane = ref.broker < 0 or ref.broker in history.replicas
            return in_lane and 0 <= ref.key < len(history.trace)
        return True

    def position_of(self, run: int, cursor: int) -> int:
        """The first position at which a run has reached a cursor; the last one where none has."""
        if self.comparison is None:
            return self.runs[0].history.rank(cursor)
        return min(bisect_left(self.comparison.stops, cursor, key=lambda stop: stop.cursors[run]), self.last)

    def place(self, moment: Moment) -> int:
        """The position of the first run at a moment."""
        return self.position_of(0, moment.cursor_in(self.runs[0].history.trace))

    def moved(self, position: int) -> Iterator[tuple[int, int, int]]:
        """(run, cursor before, cursor now) of the runs that moved on arriving at a position."""
        if position <= 0:
            return
        pairs = zip(self.cursors(position - 1), self.cursors(position), strict=True)
        for run, (before, now) in enumerate(pairs):
            if now > before:
                yield run, before, now

    def seqs_at(self, run: int, before: int, now: int) -> tuple[int, ...]:
        """The events of a run's view between two cursors."""
        seqs = self.runs[run].history.seqs
        first, end = np.searchsorted(seqs, (before, now))
        return tuple(int(seq) for seq in seqs[first:end])

    def next_of(self, landmark: str, position: int, step: int) -> int | None:
        """The next (step 1) or previous (step -1) position of a landmark, or None where there is no more."""
        places = self.landmarks.get(landmark, ())
        found = bisect_right(places, position) if step > 0 else bisect_left(places, position) - 1
        return places[found] if 0 <= found < len(places) else None

    def tied_at(self, position: int) -> Tied:
        """What shares the place of a position on the ruler; a size of 1 is no tie."""
        anchors = self.landmarks.get("anchor", ())
        # An anchor of a timeline is the end of a time, that of a comparison the beginning of a step.
        before = (
            bisect_left(anchors, position) if self.comparison is None else bisect_right(anchors, position)
        )
        head = anchors[before - 1] if before else 0
        past = 0 if self.comparison is None else 1
        end = anchors[before] if before < len(anchors) else self.last + past
        return Tied(position - head + past, max(end - head, 1))

    def is_at(self, landmark: str, position: int) -> bool:
        """Whether a position is one of a landmark."""
        return self.next_of(landmark, position - 1, 1) == position


def alone(title: str, run: Run) -> Content:
    """The content of a timeline of one partition."""
    return _with_landmarks(Content(title, (run,)))


def compared(title: str, comparison: Comparison) -> Content:
    """The content of a comparison of two to four runs."""
    return _with_landmarks(Content(title, comparison.runs, comparison))


def tied(content: Content, ties: Sequence[Sequence[int]]) -> Content:
    """A comparison with other ties. Raises QuestionError for ties that cannot be."""
    if content.comparison is None:
        return content
    return replace(compared(content.title, tied_by(content.comparison, ties)), lesson=content.lesson)


def said_in(content: Content, lang: Language) -> Content:
    """The same content with the title of its script in another language."""
    script = content.runs[0].history.trace.facts.get("script", "")
    titles = translated(parse_scenario(script)).title if script else {}
    title = titles.get(lang, content.title) if content.title in titles.values() else content.title
    return replace(content, title=title)


def _with_landmarks(content: Content) -> Content:
    places: dict[str, set[int]] = {name: set() for name in LANDMARKS}
    proven: set[int] = set()
    for index, run in enumerate(content.runs):
        verdict, history = run.verdict, run.history
        for loss in verdict.losses:
            if loss.severity in (Severity.LOSS, Severity.DANGER):
                at = content.position_of(index, loss.seq + 1)
                places["loss"].add(at)
                proven.update((at,) if loss.severity is Severity.LOSS else ())
        places["truncation"].update(content.position_of(index, cut.seq + 1) for cut in verdict.truncations)
        places["election"].update(
            content.position_of(index, cursor) for cursor in _terms(history.leader_epoch)
        )
        places["isr"].update(content.position_of(index, cursor) for cursor in _terms(history.isr))
        steps = partition_steps(history.trace, verdict, history.replicas)
        told = (seq_of(history.trace, step) for step in steps)
        places["story"].update(content.position_of(index, seq + 1) for seq in told)
        kinds = history.trace.columns["kind"][history.seqs]
        for landmark, told in (("crash", _STOPS_AND_STARTS), ("gap", _GAPS)):
            seqs = history.seqs[np.isin(kinds, told)]
            places[landmark].update(content.position_of(index, int(seq) + 1) for seq in seqs)
    if content.comparison:
        places["difference"].update(difference.stop for difference in content.comparison.differences)
        stops_ = content.comparison.stops
        places["anchor"].update(place for place, stop in enumerate(stops_) if stop.anchor)
    else:
        history = content.runs[0].history
        times = history.trace.columns["at"][history.seqs]
        # Alone, all runs meet everywhere: what is left to jump between are distinct times.
        ends = np.flatnonzero(np.diff(times)) + 1
        places["anchor"].update({0, len(times), *(int(end) for end in ends)})
        apart = [
            divergence.evidence[0]
            for divergence in content.runs[0].verdict.divergences
            if divergence.evidence
        ]
        places["difference"].update(content.position_of(0, seq + 1) for seq in apart)
    ordered = {name: tuple(sorted(found)) for name, found in places.items()}
    past = 0 if content.comparison is None else 1
    anchors = (0, *ordered["anchor"], content.last + past)
    tie = max(1, int(np.diff(anchors).max()))
    return replace(content, landmarks=ordered, proven_losses=frozenset(proven), largest_tie=tie)


def _terms(steps: Steps[Any]) -> Iterator[int]:
    """Cursors at which a value gives way to another known one; the first is no change that anyone saw."""
    known = None
    for cursor, value in zip(steps.cursors, steps.values, strict=True):
        if value is None:
            continue
        if known is not None and value != known:
            yield cursor
        known = value


def made_ready(content: Content) -> Content:
    """The same content, with what a window will ask of it at once found out already.

    For whoever opens it, beside the window: of a million events this takes seconds, and is remembered.
    """
    text_width("", 11)
    for run in content.runs:
        trends_of(run.history)
        seqs_of_kind(run.history, "step")
        why(run.history, run.verdict, run.history.cursor_of_rank(1))
    return content


def marked_times(content: Content, first: int, last: int) -> tuple[int, int]:
    """The times of two positions of a timeline, ns."""
    times = content.runs[0].history.trace.columns["at"]
    begin, end = (int(times[max(content.cursors(at)[0], 1) - 1]) for at in (first, last))
    return begin, end


def with_room(times: tuple[int, int]) -> tuple[int, int]:
    """A stretch with a little room on both sides."""
    room = max((times[1] - times[0]) // 20, 500_000)
    return times[0] - room, times[1] + room


def first_of(content: Content) -> int:
    """Where to look first: the first difference, or the first loss; in a timeline without one, the end."""
    losses = content.landmarks.get("loss", ())
    if content.comparison:
        return (content.landmarks.get("difference", ()) or losses or (0,))[0]
    return (losses or (content.last,))[0]
