"""Why a follower's fetch was sent, parked, answered or refused, and what it asked of the epochs."""

from collections.abc import Mapping
from typing import Final

from core.diagnose.narrate.rules import answers_a_rise, answers_after
from core.diagnose.narrate.scene import EVERY_RELEASE, NO_RECORDS, Explanation, Scene
from core.diagnose.narrate.values import number
from core.diagnose.narrate.why_data import FOLLOWER_RULE, HW_RULE
from core.history.state import Role
from core.message import Count, Message, Value, message
from core.trace.ids import Seq
from core.trace.vocabulary import StopReason

_PARKED_RULE: Final = (message("why.rule.parked-answer"), EVERY_RELEASE)
_WAITING_RULE: Final = (message("why.rule.parked"), message("why.since.parked"))
_WOKEN_RULE: Final = (message("why.rule.parked.woken"), message("why.since.parked.woken"))
_AFTER_RULE: Final = (message("why.rule.answer.after"), message("why.since.answer.after"))
_FETCH_RULE: Final = (message("why.rule.answer"), message("why.since.answer"))


def fetched(scene: Scene) -> Explanation:
    """A fetch on its way: sent, received, parked, answered or delivered."""
    row = scene.row
    follower = scene.name(row.replica)
    leader = scene.name(row.leader if row.leader is not None else row.broker)
    if row.kind in ("fetch_sent", "fetch_received"):
        return _asks(scene, leader, follower)
    if row.kind == "follower_leo_recorded":
        end = number(row.leo)
        return Explanation(
            message("why.follower-end.title", leader=leader, follower=follower, end=end),
            (
                message("why.follower-end.nothing", follower=follower, end=end)
                if row.leo == 0
                else message("why.follower-end", follower=follower, end=end),
            ),
            *HW_RULE,
        )
    if row.kind == "fetch_parked":
        offset = number(row.offset)
        return Explanation(
            message("why.fetch.parked.title", leader=leader, follower=follower, offset=offset),
            (message("why.fetch.parked", offset=offset),),
            *(_WOKEN_RULE if answers_a_rise(scene) else _WAITING_RULE),
        )
    if row.kind == "fetch_answered":
        return _answered(scene, leader, follower)
    return _delivered(scene, follower)


def _asks(scene: Scene, leader: Value, follower: Value) -> Explanation:
    """A fetch on its way to the leader."""
    row, offset = scene.row, number(scene.row.offset)
    if row.kind == "fetch_sent":
        return Explanation(
            message("why.fetch.sent.title", follower=follower, offset=offset),
            (message("why.fetch.sent", follower=follower, leader=leader, offset=offset),),
            message("why.rule.fetch-sent"),
            EVERY_RELEASE,
        )
    return Explanation(
        message("why.fetch.received.title", leader=leader, follower=follower, offset=offset),
        (
            message("why.fetch.received.nothing", follower=follower)
            if row.offset == 0
            else message("why.fetch.received", follower=follower, offset=offset),
        ),
        message("why.rule.fetch-received"),
        EVERY_RELEASE,
    )


def _answered(scene: Scene, leader: Value, follower: Value) -> Explanation:
    """What a leader sends, and which high watermark with it."""
    row, hw = scene.row, number(scene.row.hw)
    what = scene.records(row.broker, row.from_offset, row.offset)
    state = scene.now(row.broker)
    sentences = [message("why.fetch.answered", leader=leader, what=what, hw=hw)]
    if state is not None and state.hw.exact is not None and row.hw is not None and row.hw < state.hw.exact:
        sentences.append(message("why.fetch.answered.behind", own=state.hw.exact, follower=follower))
    at_once = _AFTER_RULE if answers_after(scene) else _FETCH_RULE
    rule = _PARKED_RULE if scene.parked() else at_once
    return Explanation(
        message("why.fetch.answered.title", leader=leader, follower=follower, what=what, hw=hw),
        tuple(sentences),
        *rule,
    )


def _delivered(scene: Scene, follower: Value) -> Explanation:
    """What a follower appends, and what it takes over."""
    row, hw = scene.row, number(scene.row.hw)
    what = scene.records(row.leader, row.from_offset, row.offset)
    return Explanation(
        message("why.fetch.delivered.title", follower=follower, what=what, hw=hw),
        (
            message("why.fetch.delivered.nothing", follower=follower, hw=hw)
            if what == NO_RECORDS
            else message("why.fetch.delivered", follower=follower, hw=hw),
        ),
        *FOLLOWER_RULE,
    )


_STOPPED: Final[Mapping[StopReason, Message]] = {
    StopReason.UNKNOWN: message("why.failed.unknown"),
    StopReason.UNREACHABLE: message("why.failed.unreachable"),
    StopReason.FENCED_LEADER_EPOCH: message("why.failed.fenced-epoch"),
    StopReason.UNKNOWN_LEADER_EPOCH: message("why.failed.unknown-epoch"),
    StopReason.NOT_LEADER: message("why.failed.not-leader"),
    StopReason.OFFSET_OUT_OF_RANGE: message("why.failed.out-of-range"),
    StopReason.OFFSET_MOVED_TO_TIERED_STORAGE: message("why.failed.moved"),
    StopReason.REMOTE_STATE_MISSING: message("why.failed.no-remote-state"),
}


_ASKS: Final[Mapping[int, Message]] = {
    StopReason.OFFSET_OUT_OF_RANGE: message("why.failed.asks-end"),
    StopReason.OFFSET_MOVED_TO_TIERED_STORAGE: message("why.failed.asks-local-start"),
}
"""What a follower asks next; else it tries again."""


def begun(scene: Scene) -> Explanation:
    """A fetcher was added or removed, or a log created."""
    row, who = scene.row, scene.who
    if row.kind == "fetcher_added":
        return _fetcher_added(scene)
    if row.kind == "fetcher_removed":
        state = scene.now(row.replica)
        leads = state is not None and state.role is Role.LEADER
        then = message("why.fetcher.removed.leads") if leads else message("why.fetcher.removed")
        return Explanation(message("why.fetcher.removed.title", who=who), (then,))
    return Explanation(
        message("why.log-created.title", who=who),
        (message("why.log-created", who=who, start=row.log_start or 0),),
    )


def _fetcher_added(scene: Scene) -> Explanation:
    """A fetcher was added. An offset below the log end is the high watermark, and no fetch begins there.

    From 1.1 to 2.7 the line has that one (ReplicaManager.makeFollowers): the follower asks for the end of its
    epoch first, and fetches from where its log ends after the cut. Else the line has the log end.
    """
    row, who, leader = scene.row, scene.who, scene.leader
    asks = message("why.fetcher.added", who=who, leader=leader)
    if row.offset is None:
        return Explanation(message("why.fetcher.added.title", who=who, leader=leader), (asks,))
    state = scene.now(row.replica)
    end = None if state is None else state.leo
    if end is not None and (end.lo or 0) > row.offset:
        cuts = message("why.fetcher.added.cuts", offset=row.offset)
        return Explanation(message("why.fetcher.added.title", who=who, leader=leader), (asks, cuts))
    return Explanation(
        message("why.fetcher.added.at.title", who=who, leader=leader, offset=row.offset), (asks,)
    )


def failed(scene: Scene) -> Explanation:
    """A fetch or a question about an epoch got no answer, or an error."""
    row, who, leader = scene.row, scene.who, scene.name(scene.row.leader)
    reason = _STOPPED[StopReason(row.aux or 0)]
    if row.kind == "epoch_end_failed":
        title = message("why.epoch-end.failed.title", who=who)
        did = message("why.epoch-end.failed", who=who, leader=leader, reason=reason)
    elif row.offset is None:
        title = message("why.fetch.failed.title", who=who)
        did = message("why.fetch.failed", who=who, leader=leader, reason=reason)
    else:
        title = message("why.fetch.failed.at.title", who=who, offset=row.offset)
        did = message("why.fetch.failed.at", who=who, offset=row.offset, leader=leader, reason=reason)
    then = _ASKS.get(row.aux or 0, message("why.failed.again", who=who))
    trace = scene.case.history.trace
    cause = trace.event(Seq(row.seq)).cause
    if cause is not None and trace.event(cause).kind == "fetch_diverged":
        then = message("why.failed.gives-up", who=who)
    return Explanation(title, (did, then))


def asked(scene: Scene) -> Explanation:
    """The request of KIP-101 and its answer; a fetch that found the logs apart."""
    row, who, leader = scene.row, scene.who, scene.name(scene.row.leader)
    if row.kind == "epoch_end_asked":
        epoch = number(row.aux)
        return Explanation(
            message("why.epoch-end.asked.title", who=who, leader=leader, epoch=epoch),
            (
                message("why.epoch-end.asked.none", who=who)
                if row.aux is not None and row.aux < 0
                else message("why.epoch-end.asked", who=who, epoch=epoch),
            ),
            message("why.rule.epoch-end.asked"),
            message("why.since.epoch-end"),
        )
    offset = number(row.offset)
    if row.kind == "fetch_diverged":
        return Explanation(
            message("why.fetch.diverged.title", leader=leader, epoch=number(row.aux), offset=offset),
            (message("why.fetch.diverged", who=who, leader=leader),),
            message("why.rule.fetch-diverged"),
            message("why.since.diverging-epoch"),
        )
    if row.offset is not None and row.offset < 0:
        return Explanation(
            message("why.epoch-end.undefined.title", leader=leader),
            (message("why.epoch-end.undefined"),),
            message("why.rule.epoch-end.answered"),
            message("why.since.epoch-end"),
        )
    return Explanation(
        message("why.epoch-end.answered.title", leader=leader, offset=offset),
        (message("why.epoch-end.answered", leader=leader),),
        message("why.rule.epoch-end.answered"),
        message("why.since.epoch-end"),
    )


def in_vain(scene: Scene) -> Explanation:
    """A follower of a simulated run has asked so often without effect that it waits for a change."""
    row, who = scene.row, scene.who
    leader = scene.name(row.leader)
    return Explanation(
        message("why.in-vain.title", who=who, leader=leader),
        (
            message("why.in-vain", who=who, count=Count(row.aux or 0), end=number(row.offset)),
            message("why.in-vain.then", who=who, leader=leader),
        ),
    )
