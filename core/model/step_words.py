"""What a step is called: each as a message."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, LiteralString

from core.message import Message, message
from core.model.actions import Action, Step

_SAID: Final[Mapping[Action, LiteralString]] = MappingProxyType(
    {
        "controller-removes": "model.step.controller-removes",
        "controller-elects": "model.step.controller-elects",
        "becomes-leader": "model.step.becomes-leader",
        "becomes-follower": "model.step.becomes-follower",
        "writes": "model.step.writes",
        "leader-removes": "model.step.leader-removes",
        "leader-adds": "model.step.leader-adds",
        "raises-high-watermark": "model.step.raises-high-watermark",
        "copies": "model.step.copies",
        "cuts-later": "model.step.cuts-later",
        "controller-accepts": "model.step.controller-accepts",
        "leader-asks-to-remove": "model.step.leader-asks-to-remove",
        "leader-asks-to-add": "model.step.leader-asks-to-add",
        "leader-learns": "model.step.leader-learns",
        "leader-appends": "model.step.leader-appends",
        "follower-copies": "model.step.follower-copies",
    }
)


def step_message(step: Step) -> Message:
    """A step as a sentence."""
    return message(_SAID[step.action], broker=step.broker, other=step.other, epoch=step.epoch)
