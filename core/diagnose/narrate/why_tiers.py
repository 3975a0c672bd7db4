"""Tiered storage (KIP-405): what goes to the remote tier, and what a log has there."""

from collections.abc import Mapping
from typing import Final

from core.diagnose.narrate.scene import Explanation, Scene
from core.diagnose.narrate.values import number
from core.message import Message, message
from core.trace.vocabulary import TierDeletion

_SINCE: Final[Message] = message("why.since.tier")
_DELETED: Final[Mapping[TierDeletion, Message]] = {
    TierDeletion.UNKNOWN: message("why.tier.deleted.unknown"),
    TierDeletion.RETENTION: message("why.tier.deleted.retention"),
    TierDeletion.LOG_START: message("why.tier.deleted.log-start"),
    TierDeletion.NO_EPOCH: message("why.tier.deleted.no-epoch"),
}
_EXPIRY: Final[Message] = message("why.rule.tier.deleted")
_RULES: Final[Mapping[TierDeletion, Message]] = {
    **dict.fromkeys(TierDeletion, _EXPIRY),
    TierDeletion.NO_EPOCH: message("why.rule.tier.deleted.no-epoch"),
}


def copied(scene: Scene) -> Explanation:
    """A leader has copied segments."""
    row, who = scene.row, scene.who
    what = scene.records(row.replica, row.from_offset, row.offset)
    return Explanation(
        message("why.tier.copied.title", who=who, what=what),
        (message("why.tier.copied", end=number(row.offset)),),
        message("why.rule.tier.copied"),
        _SINCE,
    )


def deleted(scene: Scene) -> Explanation:
    """A leader deletes a segment from the remote tier. A real line has no start of it."""
    row = scene.row
    reason = TierDeletion(row.aux or 0)
    return Explanation(
        message(
            "why.tier.deleted.title", who=scene.who, first=number(row.from_offset), end=number(row.offset)
        ),
        (_DELETED[reason],),
        _RULES[reason],
        _SINCE,
    )


def local_start(scene: Scene) -> Explanation:
    """The disk of a replica begins above its log start."""
    offset = number(scene.row.offset)
    return Explanation(
        message("why.tier.local-start.title", who=scene.who, offset=offset),
        (message("why.tier.local-start", who=scene.who, offset=offset),),
        message("why.rule.tier.local-start"),
        _SINCE,
    )


def joined(scene: Scene) -> Explanation:
    """What the remote tier holds belongs to the log of a follower that was built behind it."""
    row, who = scene.row, scene.who
    what = scene.records(row.replica, row.from_offset, row.offset)
    return Explanation(
        message("why.tier.joined.title", who=who, what=what),
        (message("why.tier.joined", who=who, epoch=number(row.epoch), end=number(row.leo)),),
        message("why.rule.tier.joined"),
        _SINCE,
    )
