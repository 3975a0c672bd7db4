"""The words of a page: of its frame, and what its script puts together."""

from collections.abc import Mapping
from typing import Final

from core.message import Message
from core.words import text

_FRAME: Final = {
    "word_lang": "page.lang",
    "word_theme": "page.theme",
    "word_back": "page.back",
    "word_position": "page.cursor",
    "word_on": "page.on",
    "word_keys": "page.keys",
    "word_noscript": "page.noscript",
    "word_broker": "page.broker",
    "word_role": "page.role",
    "word_epoch": "page.epoch",
    "word_in_isr": "page.in-isr",
    "word_log_start": "page.log-start",
    "word_epochs": "page.epochs",
    "word_evidence": "page.evidence",
}
"""Ids by place in page.html and run.html."""
_SCRIPT: Final = {
    "none": "page.none",
    "in": "page.in",
    "out": "page.out",
    "unknown": "page.leader-unknown",
    "leaderless": "page.leaderless",
    "leader": "page.leader",
    "caption": "page.caption",
    "stop": "page.stop",
    "position": "page.position",
}
_ROLES: Final = {
    "leader": "page.role.leader",
    "follower": "page.role.follower",
    "starting": "page.role.starting",
    "seeking": "page.role.seeking",
    "offline": "page.role.offline",
    "absent": "page.role.absent",
    "unknown": "page.role.unknown",
}


def frame_words() -> Mapping[str, str]:
    """What stands in page.html and run.html, by place."""
    return _texts(_FRAME)


def script_words() -> Mapping[str, str | Mapping[str, str]]:
    """What page.js says, with {places} that it fills. Roles are by their name in the data."""
    return {**_texts(_SCRIPT), "roles": _texts(_ROLES)}


def _texts(ids: Mapping[str, str]) -> dict[str, str]:
    """Without values: each place stays as it is written."""
    return {name: text(Message(id_)) for name, id_ in ids.items()}
