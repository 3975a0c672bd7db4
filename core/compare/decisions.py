"""A decision that sets two runs apart, in words: the question, and what each run answered by which rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, LiteralString

import numpy as np
from numpy.typing import NDArray

from core.compare.comparison import Run
from core.diagnose.verdict.facts import LossClass, Truncation
from core.history.state import Band
from core.message import Between, Listing, Message, Value, message
from core.trace.broker_names import full_name, short_name
from core.trace.trace import Event, Trace
from core.trace.vocabulary import NUMBER

_CUT_TO: Final[Mapping[str, Message]] = {
    "high-watermark": message("compare.cut.high-watermark"),
    "local-high-watermark": message("compare.cut.high-watermark"),
    "leader-epoch": message("compare.cut.leader-epoch"),
    "diverging-epoch": message("compare.cut.diverging-epoch"),
    "leader-end": message("compare.cut.leader-end"),
    "reset": message("compare.cut.reset"),
    "recovery": message("compare.cut.recovery"),
}
_QUESTIONS: Final[Mapping[str, LiteralString]] = {
    "leader": "compare.question.leader",
    "isr": "compare.question.isr",
    "leo": "compare.question.leo",
    "hw": "compare.question.hw",
}
_KEPT: Final[Mapping[str, LiteralString]] = {
    "epoch_end_answered": "compare.kept.epoch-ends",
    "truncation_noop": "compare.kept.nothing-from",
    "truncation_not_needed": "compare.kept.agrees",
    "fetch_sent": "compare.kept.unanswered",
    "fetch_failed": "compare.kept.unanswered",
    "epoch_end_asked": "compare.kept.question-unanswered",
    "became_follower": "compare.kept.nothing-tells",
}
"""By the event that shows it: why a replica kept its log."""
ANSWER: Final = "compare.answer"
"""The id of an answer that says `what` a run did, and `why`."""


_LIFE: Final = tuple(NUMBER[kind] for kind in ("broker_starting", "became_leader", "became_follower"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What one run did, by which rule, None where none is known, and the event that shows it."""

    message: Message
    rule: Message | None
    seq: int | None


@dataclass(frozen=True, slots=True)
class RunSpan:
    """One run between two anchors: cursors (begin, end], and its brokers by place."""

    run: Run
    begin: int
    end: int
    line: tuple[int, ...]

    def name(self, place: int) -> Message:
        """The name of a replica's broker: "broker 2", or "broker B" in a simulation."""
        return full_name(self.run.history.trace, self.line[place])

    def truncations(self, place: int) -> tuple[Truncation, ...]:
        """The cuts of a replica in this span that removed records."""
        return tuple(
            cut
            for cut in self.run.verdict.truncations
            if cut.broker == self.line[place] and self.begin <= cut.seq < self.end and cut.records != 0
        )

    def cuts(self, place: int, *, exact: bool) -> tuple[object, ...]:
        """What makes two runs' cuts equal: the offsets of a script, the rules elsewhere."""
        return tuple(cut.to_offset if exact else cut.rule for cut in self.truncations(place))

    def lost_so_far(self, broker: int) -> bool:
        """Whether a replica lost committed or acknowledged records up to the end of the span."""
        lost = [
            range(loss.first_offset, loss.end_offset)
            for loss in self.run.verdict.losses
            if loss.loss_class in (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
        ]
        # A loss is complete with its last removal; a replica is short of the records from its own cut on.
        return any(
            cut.broker == broker
            and cut.seq < self.end
            and any(cut.to_offset < records.stop for records in lost)
            for cut in self.run.verdict.truncations
            if cut.records != 0
        )

    def events(self, place: int) -> Sequence[Event]:
        """The events of the span about a replica; where it starts in it, from its last start on."""
        seqs = self.run.history.seqs
        first, end = np.searchsorted(seqs, (self.begin, self.end)).tolist()
        mine = _about(self.run.history.trace, seqs[first:end], self.line[place])
        starts = [index for index, event in enumerate(mine) if event.kind == "broker_starting"]
        return mine[starts[-1] :] if starts else mine

    def begins_to_follow(self, place: int) -> bool:
        """Whether the span has the first role that a replica takes after a start of its broker."""
        before = self.run.history.seqs[: int(np.searchsorted(self.run.history.seqs, self.end))]
        kinds = self.run.history.trace.columns["kind"][before]
        life = before[np.isin(kinds, _LIFE)]
        mine = _about(self.run.history.trace, life, self.line[place])
        last = next(
            (index for index in range(len(mine), 0, -1) if mine[index - 1].kind == "broker_starting"), None
        )
        roles = [] if last is None else mine[last:]
        return bool(roles) and roles[0].seq >= self.begin


def cut_question(asked: RunSpan, other: RunSpan, place: int) -> Message:
    """The question before a cut: how far back a replica cuts, and whom it follows if both runs say the same.

    `asked` is the run that cuts. Where the other run has another leader, or none, whom it follows is
    no part of the question: that is another decision.
    """
    trace, who = asked.run.history.trace, _in_full(asked, place)
    leader, others = _followed(asked, place), _followed(other, place)
    if leader is None:
        whom: Value = message("compare.some-leader")
    elif others is None or full_name(other.run.history.trace, others) != full_name(trace, leader):
        return message("compare.question.cuts", who=who)
    else:
        whom = full_name(trace, leader)
    if asked.begins_to_follow(place) and other.begins_to_follow(place):
        return message("compare.question.starts", who=who, whom=whom)
    return message("compare.question.follows", who=who, whom=whom)


def _followed(span: RunSpan, place: int) -> int | None:
    """The leader that a replica follows: the one at the end of a span, else the first in it."""
    leader = span.run.history.at(span.end).leader
    if leader is not None and leader >= 0 and leader != span.line[place]:
        return leader
    named = [event.get("leader") for event in span.events(place) if event.kind == "became_follower"]
    return next((one for one in named if one is not None and one >= 0), None)


def cut_answer(span: RunSpan, place: int) -> Answer:
    """How far a replica cut in a span, or why it kept what it had."""
    cuts = span.truncations(place)
    if not cuts:
        return _kept(span, place)
    path = _offset(cuts[0].from_offset)
    if cuts[0].from_offset is not None and cuts[0].basis.name == "BOUNDED":
        path = Between(cuts[0].from_offset, None)
    for cut in cuts:
        path = message("compare.cut.path", head=path, last=cut.to_offset)
    first, *later = dict.fromkeys(_cut_to(cut.rule) for cut in cuts)
    where = first
    for one in later:
        where = message("compare.cut.then", head=where, last=one)
    answer = message(ANSWER, what=path, why=message("compare.cut.to", where=where))
    return Answer(answer, span.run.rule, cuts[0].seq)


def _cut_to(rule: str) -> Value:
    return _CUT_TO.get(rule) or rule.replace("-", " ") or "?"


def _kept(span: RunSpan, place: int) -> Answer:
    state = span.run.history.at(span.end)
    leo = state.replica(span.line[place]).leo
    keeps = message("compare.keeps.all")
    if leo.exact is not None:
        keeps = message("compare.keeps.up-to", offset=leo.exact)
    why, seq = _why_kept(list(span.events(place)))
    if state.leader == span.line[place]:
        why = message("compare.kept.leads")
    return Answer(message(ANSWER, what=keeps, why=why), span.run.rule, seq)


def _why_kept(events: Sequence[Event]) -> tuple[Message, int | None]:
    """The strongest reason in the events of a replica why it did not cut."""
    first = {event.kind: event for event in reversed(events)}
    for kind in ("epoch_end_answered", "truncation_noop", "truncation_not_needed"):
        if kind in first:
            return message(_KEPT[kind], offset=_offset(first[kind].get("offset"))), first[kind].seq
    answered = first.get("fetch_delivered")
    if answered is not None:
        return message("compare.kept.no-divergence"), answered.seq
    for kind in ("fetch_sent", "fetch_failed", "epoch_end_asked", "became_follower"):
        if kind in first:
            return message(_KEPT[kind], offset=_offset(first[kind].get("offset"))), first[kind].seq
    return message("compare.kept.no-cut"), None


def value_question(span: RunSpan, place: int, name: str) -> Message:
    """The question behind a value that differs."""
    return message(_QUESTIONS[name], who=span.name(place) if place >= 0 else "")


def value_answer(mine: RunSpan, place: int, name: str) -> Answer:
    """The value that a run has at the end of the span."""
    state = mine.run.history.at(mine.end)
    history, trace = mine.run.history, mine.run.history.trace
    if name == "leader":
        value: Value = message("compare.nobody")
        if state.leader is not None and state.leader >= 0:
            value = full_name(trace, state.leader)
        since = history.leader.changed_at(mine.end)
    elif name == "isr":
        members = tuple(full_name(trace, broker) for broker in state.isr or ())
        value = Listing(members) if members else message("compare.none")
        since = history.isr.changed_at(mine.end)
    else:
        steps = getattr(history.replicas[mine.line[place]], name)
        value = _bounds(steps.at(mine.end))
        since = steps.changed_at(mine.end)
    answer = message("compare.value", value=value)
    return Answer(answer, None, since - 1 if since > mine.begin else None)


def _about(trace: Trace, seqs: NDArray[np.int64], broker: int) -> list[Event]:
    """The events among `seqs` that are about a broker."""
    mine = seqs[trace.columns["replica"][seqs] == broker]
    return [trace.event(seq) for seq in mine.tolist()]


def _in_full(span: RunSpan, place: int) -> Message:
    """As `RunSpan.name`, with the id where the name is not the id: "broker B (2)"."""
    name, broker = span.name(place), span.line[place]
    if short_name(span.run.history.trace, broker) == str(broker):
        return name
    return message("compare.broker-and-id", name=name, number=broker)


def _bounds(value: Band) -> Value:
    return "?" if value.lo is None and value.hi is None else Between(value.lo, value.hi)


def _offset(value: int | None) -> Value:
    return "?" if value is None else value
