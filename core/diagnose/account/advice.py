"""What an advice is worth, and how that is known: by the sentence that it is."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.message import Message, message


class Helps(StrEnum):
    """Whether it would have lost nothing, keeps what it can, or does not help here."""

    PREVENTS = "prevents"
    KEEPS = "keeps"
    NOT = "does not help"


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, what it brings, and where that is from."""

    message: Message
    helps: Helps
    outcome: Message
    basis: Message


_REPLAYED: Final = message("incident.basis.replayed")
_HERE: Final = message("incident.basis.here")
_RULE: Final = message("incident.basis.rule")
_OUTCOMES: Final = {
    Helps.PREVENTS: message("incident.outcome.prevents"),
    Helps.KEEPS: message("incident.outcome.keeps"),
    Helps.NOT: message("incident.outcome.not"),
}
_KNOWN: Final = {
    "incident.do.save": (Helps.KEEPS, _HERE),
    "incident.do.apart": (Helps.KEEPS, _HERE),
    "incident.do.acks-all": (Helps.PREVENTS, _RULE),
    "incident.do.raise": (Helps.PREVENTS, _RULE),
    "incident.do.rule-held": (Helps.NOT, _HERE),
    "incident.do.unclean.forbidden": (Helps.NOT, _HERE),
    "incident.do.not-replayed": (Helps.NOT, message("incident.basis.none")),
    "incident.do.replayed": (Helps.PREVENTS, _REPLAYED),
    "incident.do.replayed.release": (Helps.PREVENTS, _REPLAYED),
    "incident.do.replayed.settings": (Helps.PREVENTS, _REPLAYED),
    "incident.do.replayed.nothing": (Helps.NOT, _REPLAYED),
}
_RULES: Final = ("incident.do.upgrade", "incident.do.unclean.")
"""Ids that begin so: rules of Kafka that prevent the cause."""


def advised(one: Message) -> Advice:
    """An action of an incident with its outcome; what a check advises keeps what it can, by the rule."""
    helps, basis = _KNOWN.get(one.id, (Helps.KEEPS, _RULE))
    if one.id not in _KNOWN and one.id.startswith(_RULES):
        helps, basis = Helps.PREVENTS, _RULE
    outcome = _OUTCOMES[helps]
    if one.id == "incident.do.not-replayed":
        outcome = message("incident.outcome.unknown")
    return Advice(one, helps, outcome, basis)
