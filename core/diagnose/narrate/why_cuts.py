"""Why a log was cut, or was not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from core.diagnose.narrate.holds import answer_on_epoch, followed, holds_the_same, out_of_range_before
from core.diagnose.narrate.rules import fetches_name_epochs
from core.diagnose.narrate.scene import EVERY_RELEASE, Explanation, Scene
from core.diagnose.narrate.values import number
from core.diagnose.verdict.counted import LostPart, amount_of, each_once
from core.diagnose.verdict.facts import LossClass, Severity, Truncation
from core.diagnose.verdict.ranges import joined
from core.diagnose.verdict.truncations import rule_in_release
from core.history.tenures import Tenure
from core.message import Count, Message, Value, how_many, message
from core.trace.vocabulary import CutReason

CUT_RULES: Final[Mapping[str, tuple[Message, Message | None]]] = {
    "high-watermark": (message("why.rule.cut.high-watermark"), message("why.since.cut.high-watermark")),
    "leader-epoch": (message("why.rule.cut.leader-epoch"), message("why.since.epoch-end")),
    "diverging-epoch": (message("why.rule.cut.diverging-epoch"), message("why.since.diverging-epoch")),
    "leader-end": (message("why.rule.cut.leader-end"), message("why.since.cut.leader-end")),
    "reset": (message("why.rule.cut.reset"), message("why.since.first")),
    "recovery": (message("why.rule.cut.recovery"), EVERY_RELEASE),
    "unknown": (message("why.rule.cut.unknown"), None),
}
"""By rule: what it says, and since when."""


_ANSWERS: Final = {"leader-epoch": "epoch_end_answered", "diverging-epoch": "fetch_diverged"}


def _because(rule: str, hw: Value, leader: Value, to: Value, came: Value) -> Message:
    """Why the rule led to this offset."""
    told = {
        "high-watermark": message("why.cut.because.high-watermark", hw=hw),
        "leader-epoch": message("why.cut.because.leader-epoch", leader=leader, to=to),
        "diverging-epoch": message("why.cut.because.diverging-epoch", leader=leader, to=to),
        "leader-end": message("why.cut.because.leader-end", came=came, leader=leader, to=to),
        "reset": message("why.cut.because.reset", leader=leader),
        "recovery": message("why.cut.because.recovery", to=to),
        "unknown": message("why.cut.because.unknown"),
    }
    return told[rule]


def _stated_end(scene: Scene, rule: str, to: int) -> Value:
    """Where the leader's log ends, as it said: a cut inside a batch goes to the start of the batch."""
    row = out_of_range_before(scene) if rule == "leader-end" else None
    return to if row is None or row.offset is None else row.offset


def _answered(scene: Scene, rule: str) -> Message | None:
    """What the leader had answered, with its own numbers: where the cut goes is the follower's to find."""
    kind = _ANSWERS.get(rule)
    row = None if kind is None else answer_on_epoch(scene, (kind,))
    if row is None or row.aux is None or row.offset is None:
        return None
    leader = scene.name(row.leader if row.leader is not None else scene.after.leader)
    return message("why.cut.because.answered", leader=leader, epoch=row.aux, end=row.offset)


def _fate(scene: Scene, cut: Truncation | None, first: int, end: int | None) -> tuple[Message, ...]:
    """What became of the records, for the last sentences."""
    broker, leader = scene.row.replica, scene.after.leader
    if cut is None or end is None:
        return ()
    cited = [part for part in each_once(scene.verdict.losses) if cut.seq in part.loss.evidence]
    cited = [part for part in map(partial(_within, first, end), cited) if part.records > 0]
    lost = [part for part in cited if part.loss.severity is Severity.LOSS]
    now = [part for part in lost if part.loss.seq == cut.seq]
    state = scene.now(leader)
    was = scene.was(broker)
    holds = (
        state is not None and was is not None and leader != broker and holds_the_same(was, state, first, end)
    )
    gone = now or [part for part in lost if not holds and not _led_in_between(scene, part)]
    if gone:
        return _lost(scene, gone)
    if lost and not holds:
        return ()
    if lost:
        size, evidence = amount_of(lost), _evidence(lost)
        who = scene.name(leader)
        return (message("why.cut.held-for-now", evidence=evidence, count=size, leader=who),)
    if holds:
        return (message("why.cut.held", leader=scene.name(leader)),)
    if cited and cut.below_high_watermark is not True and _cover(cited, first, end):
        return (message("why.cut.not-committed"),)
    return ()


def _led_in_between(scene: Scene, part: LostPart) -> bool:
    """Whether another one leads after the event, before the leader that lacks records, and may hold them.

    Who leads while the log is cut may do so again in the same epoch: its broker starts before it is fenced.
    """
    begun, lacks = scene.after.leader_epoch, part.loss.took_over
    if lacks is None:
        return False
    leader = scene.now(scene.after.leader)
    if begun is not None and begun < lacks and leader is not None and scene.after.leader != scene.row.replica:
        end = leader.leo.hi
        if end is None or end > part.first_offset:
            return True
    return any(
        tenure.epoch is not None
        and (-1 if begun is None else begun) < tenure.epoch < lacks
        and _may_hold(scene, tenure, part.first_offset)
        for tenure in scene.case.control.tenures
    )


def _may_hold(scene: Scene, tenure: Tenure, offset: int) -> bool:
    """Whether the log of the leader of a tenure may reach above an offset when the tenure begins."""
    replica = scene.case.history.replicas.get(tenure.leader)
    if replica is None:
        return tenure.leader != -1
    end = replica.leo.at(scene.case.view.cursors[tenure.place]).hi
    return end is None or end > offset


def _cover(parts: Sequence[LostPart], first: int, end: int) -> bool:
    """Whether all of the offsets [first, end) are in one of the losses."""
    for part in sorted(parts, key=lambda one: one.first_offset):
        if part.first_offset > first:
            break
        first = max(first, part.end_offset)
    return first >= end


def _within(first: int, end: int, part: LostPart) -> LostPart:
    """What a cut from `end` to `first` removed of a part."""
    return replace(part, first_offset=max(part.first_offset, first), end_offset=min(part.end_offset, end))


def _evidence(parts: Sequence[LostPart]) -> tuple[int, ...]:
    """The evidence of all parts, each Seq once."""
    return tuple(dict.fromkeys(seq for part in parts for seq in part.loss.evidence))


def _lost(scene: Scene, parts: Sequence[LostPart]) -> tuple[Message, ...]:
    """What had been promised of the records that are lost: a sentence a promise and range of offsets."""
    told: list[Message] = []
    for promise in (LossClass.COMMITTED, LossClass.ACKNOWLEDGED):
        mine = [part for part in parts if part.loss.loss_class is promise]
        evidence = _evidence(mine)
        for first, end in joined((part.first_offset, part.end_offset) for part in mine):
            open_ended = any(part.at_least and part.end_offset == end for part in mine)
            size = how_many(end - first, at_least=open_ended)
            what = scene.records(scene.row.replica, first, end)
            if promise is LossClass.COMMITTED:
                told.append(message("why.cut.lost.committed", evidence=evidence, count=size, what=what))
            else:
                told.append(message("why.cut.lost.acknowledged", evidence=evidence, count=size, what=what))
    return tuple(told)


def truncated(scene: Scene) -> Explanation:
    """A log was cut."""
    row, who = scene.row, scene.who
    to = row.offset if row.offset is not None else row.leo or 0
    cut = next((one for one in scene.verdict.truncations if one.seq == row.seq), None)
    was = scene.was(row.replica)
    came = cut.from_offset if cut is not None else row.from_offset
    shows_no_end = was is None or was.leo.exact is None or was.leo.exact <= to
    if cut is None and row.kind != "log_reset" and shows_no_end:
        return Explanation(
            message("why.cut.nothing.title", who=who),
            (message("why.cut.was-told", who=who, to=to), message("why.cut.not-longer")),
            *CUT_RULES[
                "high-watermark" if scene.case.view.before(row.replica, 0, 11, at=row.seq) else "unknown"
            ],
        )
    rule = cut.rule if cut is not None else _stated_rule(scene)
    if row.kind == "log_reset" and row.from_offset is not None:
        title = message("why.reset.title", who=who, to=to)
        did = message("why.reset", who=who, start=row.from_offset, to=to)
    elif came is None:
        title = message("why.cut.title.unknown-end", who=who, to=to)
        did = message("why.cut.unknown-end", who=who, to=to)
    else:
        title = message("why.cut.title", who=who, start=came, to=to)
        what = scene.records(row.replica, to, came)
        did = message("why.cut", who=who, start=came, to=to, count=Count(came - to), what=what)
    own = number(was.hw) if was is not None and was.hw.exact is not None else to
    fate = _fate(scene, cut, to, came)
    reason = _answered(scene, rule) or _because(
        rule, own, followed(scene), _stated_end(scene, rule, to), number(came)
    )
    return Explanation(title, (did, reason, *fate), *CUT_RULES[rule])


def _stated_rule(scene: Scene) -> str:
    """The rule that the row itself states, of a cut that removes nothing: an empty log that begins anew."""
    reason = scene.row.aux
    if scene.row.kind == "log_reset" and reason is not None:
        return _in_release(scene, _REASONS.get(CutReason(reason), "reset"))
    return "unknown"


def not_truncated(scene: Scene) -> Explanation:
    """The log was asked about and left as it is."""
    row, who = scene.row, scene.who
    was = scene.was(row.replica)
    end = number(row.leo if row.leo is not None else was.leo if was is not None else None)
    to = number(row.offset)
    if row.aux == CutReason.LOCAL_HIGH_WATERMARK:
        why = message("why.not-cut.high-watermark", to=to, end=end)
        rule = CUT_RULES["high-watermark"]
    elif row.aux == CutReason.DIVERGING_EPOCH:
        why = message("why.not-cut.leader-epoch", leader=scene.leader, to=to, who=who, end=end)
        rule = CUT_RULES["diverging-epoch"]
    elif row.kind == "truncation_not_needed" or row.aux == CutReason.LEADER_EPOCH:
        why = message("why.not-cut.leader-epoch", leader=scene.leader, to=to, who=who, end=end)
        rule = CUT_RULES[_in_release(scene, "leader-epoch")]
    else:
        why = message("why.not-cut", to=to, end=end)
        old = scene.case.view.before(row.replica, 0, 11, at=row.seq)
        rule = CUT_RULES["high-watermark"] if old else CUT_RULES["unknown"]
    return Explanation(
        message("why.cut.nothing.title", who=who), (message("why.not-cut.kept", who=who), why), *rule
    )


def _in_release(scene: Scene, rule: str) -> str:
    """The rule in the release of the broker that the event is about."""
    broker = scene.row.replica
    return rule if broker is None else rule_in_release(scene.case, broker, rule, scene.row.seq)


_REASONS: Final = {
    CutReason.LOCAL_HIGH_WATERMARK: "high-watermark",
    CutReason.LEADER_EPOCH: "leader-epoch",
    CutReason.DIVERGING_EPOCH: "diverging-epoch",
    CutReason.LEADER_END: "leader-end",
    CutReason.RESET: "reset",
    CutReason.RECOVERY: "recovery",
}


def decided(scene: Scene) -> Explanation:
    """A follower decided to where it cuts."""
    row, who = scene.row, scene.who
    rule = _in_release(scene, _REASONS.get(CutReason(row.aux or 0), "unknown"))
    was = scene.was(row.replica)
    to = number(row.offset)
    end = number(row.from_offset if row.from_offset is not None else was.leo if was is not None else None)
    return Explanation(
        message("why.cut.decided.title", who=who, to=to),
        (
            message("why.cut.decided.nothing-above", who=who, end=end, to=to)
            if end == to
            else message("why.cut.decided", who=who, end=end, to=to),
            _because(rule, number(row.hw), followed(scene), to, number(row.from_offset)),
        ),
        *CUT_RULES[rule],
    )


def out_of_range(scene: Scene) -> Explanation:
    """A follower's fetch was beyond the leader's log."""
    row, who = scene.row, scene.who
    came, to = number(row.from_offset), number(row.offset)
    if row.from_offset is not None and row.offset is not None and row.offset > row.from_offset:
        leader = scene.name(row.leader)
        return Explanation(
            message("why.fetch.out-of-range.title", who=who, came=came),
            (
                message("why.fetch.out-of-range.below", who=who, came=came, leader=leader, to=to),
                message("why.fetch.out-of-range.anew", to=to),
            ),
            *CUT_RULES["reset"],
        )
    if row.from_offset == row.offset:
        return _in_range(scene, came)
    return Explanation(
        message("why.fetch.out-of-range.title", who=who, came=came),
        (
            message("why.fetch.out-of-range", who=who, came=came, leader=scene.name(row.leader), to=to),
            message("why.fetch.out-of-range.then", to=to),
        ),
        *CUT_RULES["leader-end"],
    )


def _in_range(scene: Scene, came: Value) -> Explanation:
    """The leader's log reaches the offset: it has grown since, or did not know the follower's last epoch."""
    row, leader = scene.row, scene.name(scene.row.leader)
    title = message("why.fetch.out-of-range.title", who=scene.who, came=came)
    again = message("why.fetch.out-of-range.again", leader=leader, who=scene.who, to=came)
    here, there = scene.was(row.replica), scene.was(row.leader)
    known = there.epochs if there is not None else None
    own = here.epochs if here is not None else None
    if not own or known is None or not fetches_name_epochs(scene) or (known and own[-1][0] <= known[-1][0]):
        return Explanation(title, (again,))
    return Explanation(
        title,
        (message("why.fetch.out-of-range.epoch", leader=leader, who=scene.who, epoch=own[-1][0]), again),
        message("why.rule.out-of-range.epoch"),
        message("why.since.diverging-epoch"),
    )


def gap(scene: Scene) -> Explanation:
    """A cut fell inside a batch."""
    row = scene.row
    to = number(row.offset)
    return Explanation(
        message("why.gap.title", who=scene.who, start=number(row.from_offset), to=to),
        (message("why.gap.because", to=to), message("why.gap.then", end=number(row.leo))),
        message("why.rule.gap"),
        EVERY_RELEASE,
    )
