"""Sentences on elections, rules and causes, on what would have prevented them, and headings of a story."""

from collections.abc import Mapping
from typing import Final

from core.message import Message, message

ELECTIONS: Final[Mapping[str, Message]] = {
    "first": message("story.election.first"),
    "clean": message("story.election.clean"),
    "preferred": message("story.election.preferred"),
    "controlled": message("story.election.controlled"),
    "unclean": message("story.election.unclean"),
    "elr": message("story.election.elr"),
    "last-known": message("story.election.last-known"),
    "unknown": message("story.election.unknown"),
}
RULES: Final[Mapping[str, Message]] = {
    "high-watermark": message("story.rule.high-watermark"),
    "leader-epoch": message("story.rule.leader-epoch"),
    "diverging-epoch": message("story.rule.diverging-epoch"),
    "leader-end": message("story.rule.leader-end"),
    "reset": message("story.rule.reset"),
    "recovery": message("story.rule.recovery"),
    "unknown": message("story.rule.unknown"),
}
CAUSES: Final[Mapping[str, Message]] = {
    "high-watermark-truncation": message("story.cause.high-watermark-truncation"),
    "unknown-epoch": message("story.cause.unknown-epoch"),
    "stale-isr": message("story.cause.stale-isr"),
    "stale-leader": message("story.cause.stale-leader"),
    "late-write": message("story.cause.late-write"),
    "not-replicated": message("story.cause.not-replicated"),
    "unclean-election": message("story.cause.unclean-election"),
    "disk-loss": message("story.cause.disk-loss"),
    "last-copy-gone": message("story.cause.last-copy-gone"),
    "divergence": message("story.cause.divergence"),
}
CLASSES: Final[Mapping[str, Message]] = {
    "committed": message("story.class.committed"),
    "acknowledged": message("story.class.acknowledged"),
    "possibly-acknowledged": message("story.class.possibly-acknowledged"),
    "uncommitted": message("story.class.uncommitted"),
    "uncommitted-read": message("story.class.uncommitted.read"),
}
PREVENTION: Final[Mapping[str, Message]] = {
    "high-watermark-truncation": message("story.prevention.high-watermark-truncation"),
    "unknown-epoch": message("story.prevention.unknown-epoch"),
    "stale-isr": message("story.prevention.stale-isr"),
    "stale-leader": message("story.prevention.stale-leader"),
    "late-write": message("story.prevention.late-write"),
    "not-replicated": message("story.prevention.not-replicated"),
    "unclean-election": message("story.prevention.unclean-election"),
    "disk-loss": message("story.prevention.disk-loss"),
    "last-copy-gone": message("story.prevention.last-copy-gone"),
    "divergence": message("story.prevention.divergence"),
}
"""By cause: the setting or the release that would have prevented it."""
PREVENTED_FROM: Final[Mapping[str, tuple[int, ...]]] = {
    "unknown-epoch": (2, 1),
    "stale-isr": (3, 5),
    "stale-leader": (2, 1),
    "divergence": (2, 1),
}
"""By cause: the last release that its sentence in PREVENTION names, where it names nothing but releases."""
PREVENTED_AS_RELEASED: Final[Mapping[str, tuple[int, ...]]] = {
    **PREVENTED_FROM,
    "high-watermark-truncation": (0, 11),
}
"""The same where no older protocol is set: that of a simulated run is its release's."""
HEADINGS: Final[Mapping[str, Message]] = {
    "happened": message("story.heading.happened"),
    "committed": message("story.heading.committed"),
    "cuts": message("story.heading.cuts"),
    "losses": message("story.heading.losses"),
    "lives": message("story.heading.lives"),
    "divergences": message("story.heading.divergences"),
    "contents": message("story.heading.contents"),
    "notes": message("story.heading.notes"),
    "end": message("story.heading.end"),
    "unknown": message("story.heading.unknown"),
    "prevention": message("story.heading.prevention"),
    "words": message("story.heading.words"),
    "evidence": message("story.heading.evidence"),
}
WORDS: Final = (
    message("story.word.leo"),
    message("story.word.hw"),
    message("story.word.isr"),
    message("story.word.epoch"),
)
"""What the terms of a story mean."""
