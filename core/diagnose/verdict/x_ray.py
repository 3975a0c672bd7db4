"""From a cut to its x-ray: what the replica knew and asked, and what other eras would do in the same state.

The logs of both sides as known right before the cut go through core/kafka's own rules with the switches of
every era. Where the state is bounded the rules are applied at both bounds; where it is not known, neither is
the outcome.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import EraOutcome, LogThen, Truncation, XRay
from core.diagnose.verdict.made import number_value
from core.diagnose.verdict.two_logs import ENDLESS, Sides, sides_at, unclean_allowed, unclean_stated, walks
from core.history.view import Row
from core.kafka.epochs import UNDEFINED, EpochEnd, end_of_epoch, latest_epoch
from core.kafka.eras import ERAS, Era
from core.kafka.rejoin import Step, Walk
from core.message import Message, Sentences, Value, message
from core.trace.vocabulary import CutReason

RELEASES: Final[Mapping[str, tuple[Message | None, tuple[str, ...]]]] = {
    "high-watermark": (message("cut.releases.high-watermark"), ("KIP-101", "KAFKA-1211", "KAFKA-3919")),
    "leader-epoch": (
        message("cut.releases.leader-epoch"),
        ("KIP-101", "KAFKA-1211", "KIP-279", "KAFKA-6361"),
    ),
    "diverging-epoch": (message("cut.releases.diverging-epoch"), ("KIP-595", "KAFKA-10554")),
    "leader-end": (message("cut.releases.leader-end"), ("KAFKA-7414",)),
    "reset": (message("cut.releases.reset"), ("KAFKA-2477",)),
    "recovery": (message("cut.releases.recovery"), ()),
    "unknown": (None, ()),
}
"""By rule of truncation: the releases that have it, and the tickets that tell of it."""


def x_rays(case: Case, cuts: Sequence[Truncation]) -> tuple[XRay, ...]:
    """One for each truncation, in their order."""
    return tuple(_x_ray(case, cut) for cut in cuts)


def _x_ray(case: Case, cut: Truncation) -> XRay:
    """The x-ray of one truncation."""
    place = case.place_of(cut.seq)
    unclean = unclean_stated(case, cut.at)
    sides = sides_at(case, cut.broker, place)
    rows = _asked(case, cut, place)
    question, answer = _question(cut, sides, rows), _answer(cut, sides, rows)
    release, tickets = RELEASES[cut.rule]
    outcomes = () if cut.rule == "recovery" else tuple(_outcome(era, sides, unclean=unclean) for era in ERAS)
    seqs = [cut.seq, *(row.seq for row in rows.values())]
    return XRay(
        seq=cut.seq,
        broker=cut.broker,
        leader=sides.leader,
        own=sides.own,
        other=sides.other,
        question=question,
        answer=answer,
        branch=_branch(cut, sides),
        rule=cut.rule,
        release=release,
        tickets=tickets,
        from_offset=cut.from_offset,
        to_offset=cut.to_offset,
        hw_before=sides.own.hw,
        hw_after=case.hw(cut.broker, place),
        outcomes=outcomes,
        evidence=tuple(dict.fromkeys([*seqs, *cut.evidence])),
    )


_BEGINS: Final = frozenset({"became_follower", "became_leader", "log_loaded"})
_ASKED: Final = _BEGINS | {
    "epoch_end_asked",
    "fetch_sent",
    "epoch_end_answered",
    "fetch_diverged",
    "fetch_offset_reset",
    "truncation_decided",
    "truncated",
}
"""Questions, answers, and where they begin."""


def _asked(case: Case, cut: Truncation, place: int) -> dict[str, Row]:
    """The last rows of a question and of an answer of this replica since it follows, by kind."""
    found: dict[str, Row] = {}
    for row in reversed(case.of(_ASKED)):
        if row.number >= place or row.replica != cut.broker:
            continue
        if row.kind in _BEGINS or (row.kind == "truncated" and row.seq != cut.seq):
            break
        if row.kind != "truncated":
            found.setdefault(row.kind, row)
    return found


def _question(cut: Truncation, sides: Sides, rows: dict[str, Row]) -> Message:
    """The request, with the epochs in it as far as known."""
    asked, fetched = rows.get("epoch_end_asked"), rows.get("fetch_sent")
    leader = sides.called
    if cut.rule == "leader-epoch":
        epoch = asked.aux if asked is not None else _latest(sides.own)
        return message("xray.question.end-of-epoch", leader=leader, epoch=number_value(epoch))
    if cut.rule == "diverging-epoch":
        offset, epoch = fetched.offset if fetched is not None else sides.own.leo, _latest(sides.own)
        return message(
            "xray.question.fetch-with-epoch",
            leader=leader,
            offset=number_value(offset),
            epoch=number_value(epoch),
        )
    if cut.rule in ("leader-end", "reset"):
        reset = rows.get("fetch_offset_reset")
        offset = reset.from_offset if reset is not None else cut.from_offset
        return message("xray.question.fetch", leader=leader, offset=number_value(offset))
    if cut.rule == "high-watermark":
        return message("xray.question.none-before-it-follows", leader=leader)
    return message("xray.question.none")


def _answer(cut: Truncation, sides: Sides, rows: dict[str, Row]) -> Message:
    """The answer as a row states it, else as the leader's cache makes it; where there is none, why."""
    leader = sides.called
    if cut.rule == "leader-epoch":
        return _end_of_epoch(cut, sides, rows.get("epoch_end_answered"))
    if cut.rule == "diverging-epoch":
        diverged = rows.get("fetch_diverged")
        if diverged is None:
            return message("xray.answer.diverging-untold", to=cut.to_offset)
        epoch, offset = number_value(diverged.aux), number_value(diverged.offset)
        return message("xray.answer.diverging", leader=leader, epoch=epoch, offset=offset)
    if cut.rule == "leader-end":
        return message("xray.answer.log-ends", leader=leader, to=cut.to_offset)
    if cut.rule == "reset":
        return message("xray.answer.log-begins", leader=leader, to=cut.to_offset)
    return message("xray.answer.none")


def _end_of_epoch(cut: Truncation, sides: Sides, answered: Row | None) -> Message:
    """The answer on the end of an epoch."""
    leader, end = sides.called, _leader_end(sides)
    if answered is not None and answered.aux is None:
        return message(
            "xray.answer.end-of-epoch-unnamed", leader=leader, offset=number_value(answered.offset)
        )
    if answered is not None:
        epoch, offset = number_value(answered.aux), number_value(answered.offset)
        return message("xray.answer.end-of-epoch", leader=leader, epoch=epoch, offset=offset)
    if end is not None and end.offset == cut.to_offset:
        return message("xray.answer.end-of-epoch-by-cache", leader=leader, offset=end.offset)
    return message("xray.answer.end-of-epoch-untold", to=cut.to_offset)


def _branch(cut: Truncation, sides: Sides) -> Message:
    """The branch of the rule that was taken, with its numbers."""
    to, end, epoch = cut.to_offset, number_value(cut.from_offset), _latest(sides.own)
    if cut.rule == "high-watermark":
        return message("xray.branch.high-watermark", to=to, end=end)
    if cut.rule in ("leader-epoch", "diverging-epoch"):
        if epoch is None:
            return message("xray.branch.epoch-unknown", to=to, end=end)
        return message("xray.branch.epoch", to=to, end=end, epoch=epoch)
    if cut.rule == "leader-end":
        return message("xray.branch.leader-end", to=to, end=end)
    if cut.rule == "reset":
        return message("xray.branch.reset", to=to, end=end)
    if cut.rule == "recovery":
        return message("xray.branch.recovery", to=to)
    return message("xray.branch.unknown")


def _latest(log: LogThen) -> int | None:
    """The latest epoch that a log has, or None."""
    return None if log.entries is None else latest_epoch(log.entries)


def _leader_end(sides: Sides) -> EpochEnd | None:
    """What the leader's cache has as the end of the follower's last epoch."""
    other, asked = sides.other, _latest(sides.own)
    if other is None or other.entries is None or asked is None:
        return None
    end = end_of_epoch(other.entries, other.leo.lo or 0, asked, "lowest-start")
    return None if end.offset == UNDEFINED else end


def _outcome(era: Era, sides: Sides, *, unclean: bool | None) -> EraOutcome:
    """What a follower of an era does with this state, if the leader answers at once."""
    found = walks(era, sides, unclean=unclean_allowed(era, stated=unclean))
    if not found:
        return EraOutcome(era.id, None, None, None, message("xray.era.unknown"))
    low = min(found, key=lambda walk: walk.leo)
    most = max(walk.leo for walk in found)
    high = most if most < ENDLESS else None
    exits = {walk.exits for walk in found}
    if low.leo == high:
        sentence = _walked(low, sides.called)
    elif high is None:
        sentence = message("xray.era.or-more", lo=low.leo)
    else:
        sentence = message("xray.era.between", lo=low.leo, hi=high)
    return EraOutcome(
        era=era.id,
        leo_lo=low.leo,
        leo_hi=high,
        exits=exits.pop() if len(exits) == 1 else None,
        message=sentence,
    )


def _walked(walk: Walk, leader: Value) -> Message:
    """The whole walk: its steps, and where it ends."""
    steps = tuple(_stepped(step, leader) for step in walk.steps) or (message("xray.step.agree"),)
    if walk.exits:
        return message("xray.era.exits", steps=Sentences(steps))
    return message("xray.era.ends-at", steps=Sentences(steps), leo=walk.leo)


def _stepped(step: Step, leader: Value) -> Message:
    """One step of a walk."""
    cut = message("xray.cut.nothing") if step.to is None else message("xray.cut.to", to=step.to)
    if step.reason is CutReason.LOCAL_HIGH_WATERMARK:
        if step.asked_epoch is None:
            return message("xray.step.high-watermark", cut=cut)
        return message("xray.step.no-end-of-epoch", leader=leader, epoch=step.asked_epoch, cut=cut)
    answered = number_value(step.said_offset)
    if step.reason in (CutReason.LEADER_END, CutReason.RESET):
        offset = number_value(step.asked_offset)
        return message("xray.step.out-of-range", leader=leader, offset=offset, answered=answered, cut=cut)
    epoch = number_value(step.asked_epoch if step.said_epoch is None else step.said_epoch)
    return message("xray.step.end-of-epoch", leader=leader, epoch=epoch, answered=answered, cut=cut)
