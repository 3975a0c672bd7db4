"""What a run answers to a question, and how an answer is judged: by the run, never by the text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final, TypeAlias

from core.compare.comparison import Run
from core.errors import QuestionError
from core.history.state import Band
from core.message import message
from core.teaching.facts import broker_ids, holds, lost_offsets
from core.teaching.lesson import Ask, AskKind, Spot
from core.teaching.places import cursor_of

NOBODY: Final = -1
"""The leader where nobody leads."""

Given: TypeAlias = int | frozenset[int] | tuple[int, ...]
"""An offset, a broker or the place of an option; a set of offsets or brokers; places of events in order."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the run answers: a value between bounds, a set, or an order.

    `known` False: the evidence does not decide, and the question cannot be asked of this run.
    """

    known: bool = True
    lo: int | None = None
    hi: int | None = None
    members: frozenset[int] | None = None
    order: tuple[int, ...] | None = None
    before: frozenset[tuple[int, int]] = frozenset()
    """Of an order: which event caused which, by place; any order that keeps to them is right."""

    @property
    def exact(self) -> int | None:
        """The one value, where there is one."""
        return self.lo if self.lo is not None and self.lo == self.hi else None


class Mark(StrEnum):
    """How an answer is judged."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Judged:
    """The mark of an answer, and its part of one point, before hints and tries are counted."""

    mark: Mark
    share: float


UNKNOWN: Final = Answer(known=False)


def answer_of(ask: Ask, stop: Spot, run: Run) -> Answer:
    """What the run answers to a question that is asked at `stop`.

    Raises QuestionError where the run lacks a place or a broker that the question names.
    """
    first, last = cursor_of(stop, run), cursor_of(ask.judged, run)
    if last < first:
        raise QuestionError(message("error.lesson.judged-before", run=run.title))
    return _ANSWERS[ask.kind](ask, run, first, last)


def judge(ask: Ask, given: Given | None, answer: Answer) -> Judged:
    """How an answer is judged; None is no answer. A value within the bounds of the evidence is right."""
    if given is None:
        return Judged(Mark.SKIPPED, 0.0)
    if answer.members is not None and isinstance(given, frozenset):
        return _judge_set(given, answer.members)
    if answer.order is not None and isinstance(given, tuple):
        kept = all(given.index(one) < given.index(two) for one, two in answer.before)
        fits = sorted(given) == sorted(answer.order) and kept
        return Judged(Mark.RIGHT, 1.0) if fits else Judged(Mark.WRONG, 0.0)
    if not isinstance(given, int) or not answer.known:
        raise TypeError(ask.kind, given)
    low = answer.lo is None or given >= answer.lo
    high = answer.hi is None or given <= answer.hi
    return Judged(Mark.RIGHT, 1.0) if low and high else Judged(Mark.WRONG, 0.0)


def _judge_set(given: frozenset[int], members: frozenset[int]) -> Judged:
    """Right less wrong, of all that there are; never below 0."""
    if given == members:
        return Judged(Mark.RIGHT, 1.0)
    share = (len(given & members) - len(given - members)) / max(len(members), 1)
    return Judged(Mark.PARTLY, share) if share > 0 else Judged(Mark.WRONG, 0.0)


def _broker(ask: Ask, run: Run) -> int:
    number = broker_ids(run).get(ask.broker)
    if number is None or number not in run.history.replicas:
        raise QuestionError(message("error.lesson.no-broker", broker=ask.broker or "-", run=run.title))
    return number


def _within(band: Band) -> Answer:
    return UNKNOWN if band.lo is None and band.hi is None else Answer(lo=band.lo, hi=band.hi)


def _cut(ask: Ask, run: Run, first: int, last: int) -> Answer:
    """The log end after the first cut that follows; where nothing was cut, the log end at the stop."""
    broker = _broker(ask, run)
    for cut in sorted(run.verdict.truncations, key=lambda one: one.seq):
        if cut.broker == broker and first <= cut.seq < last:
            return Answer(lo=cut.to_offset, hi=cut.to_offset)
    return _within(run.history.at(first).replica(broker).leo)


def _leader(_ask: Ask, run: Run, first: int, last: int) -> Answer:
    """The next leader that the controller names; nobody where it names none until the end."""
    before = run.history.leader.at(first), run.history.leader_epoch.at(first)
    seqs = run.history.seqs
    for seq in seqs[(seqs >= first) & (seqs < last)].tolist():
        leader, epoch = run.history.leader.at(seq + 1), run.history.leader_epoch.at(seq + 1)
        if leader is not None and leader != NOBODY and (leader, epoch) != before:
            return Answer(lo=leader, hi=leader)
    then = run.history.leader.at(last)
    return UNKNOWN if then is None else Answer(lo=then, hi=then)


def _lost(_ask: Ask, run: Run, _first: int, last: int) -> Answer:
    return Answer(members=lost_offsets(run, last))


def _watermark(ask: Ask, run: Run, _first: int, last: int) -> Answer:
    return _within(run.history.at(last).replica(_broker(ask, run)).hw)


def _in_sync(_ask: Ask, run: Run, _first: int, last: int) -> Answer:
    isr = run.history.isr.at(last)
    return UNKNOWN if isr is None else Answer(members=frozenset(isr))


def _order(ask: Ask, run: Run, _first: int, _last: int) -> Answer:
    seqs = [cursor_of(one.spot, run) - 1 for one in ask.events]
    places = tuple(sorted(range(len(seqs)), key=seqs.__getitem__))
    before = {(one, two) for one in places for two in places if _caused(run, seqs[one], seqs[two])}
    if not run.history.trace.facts.get("script"):
        # What really happened names few causes: only the order of its time is right.
        before = set(pairwise(places))
    return Answer(order=places, before=frozenset(before))


def _caused(run: Run, earlier: int, later: int) -> bool:
    """Whether an event led to another: by causes, or as an earlier event of the same broker."""
    columns = run.history.trace.columns
    seen, todo = set[int](), [later]
    while todo:
        seq = todo.pop()
        if seq == earlier and seq != later:
            return True
        if seq < earlier or seq in seen:
            continue
        seen.add(seq)
        todo += [one for one in (int(columns["cause"][seq]), _previous(run, seq)) if one >= 0]
    return False


def _previous(run: Run, seq: int) -> int:
    """The event before, of the same broker; -1 where there is none."""
    broker = run.history.trace.columns["broker"]
    seqs = run.history.seqs[: int(run.history.seqs.searchsorted(seq))]
    same = seqs[broker[seqs] == broker[seq]]
    return int(same[-1]) if len(same) else -1


def _choice(ask: Ask, run: Run, _first: int, last: int) -> Answer:
    """The one option that holds; not known where none, or more than one, is shown to hold."""
    told = [holds(one.fact, run, last) for one in ask.options]
    right = [place for place, one in enumerate(told) if one]
    if len(right) != 1 or None in told:
        return UNKNOWN
    return Answer(lo=right[0], hi=right[0])


_ANSWERS: Final[Mapping[AskKind, Callable[[Ask, Run, int, int], Answer]]] = {
    AskKind.CUT: _cut,
    AskKind.LEADER: _leader,
    AskKind.LOST: _lost,
    AskKind.WATERMARK: _watermark,
    AskKind.IN_SYNC: _in_sync,
    AskKind.ORDER: _order,
    AskKind.CHOICE: _choice,
}
