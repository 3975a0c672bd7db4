"""What conformance is made of: decisions that a trace shows, and what an era has to say to each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from core.diagnose.verdict.case import Case
from core.kafka.eras import Era
from core.message import Message

Fits: TypeAlias = Callable[[Era], bool | None]
"""Whether brokers of an era can have decided so; None where the state that decides is not known, or where a
setting does that nothing states."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing that a broker or the controller did, at the event with this Seq."""

    seq: int
    broker: int | None
    """Whose rules decide; None is the controller."""
    fits: Fits
    message: Message
    evidence: tuple[int, ...] = ()
    """Further events that show it."""
    instead: Callable[[Era], Message | None] | None = None
    """What brokers of an era would have come to, where that can be said."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the table of rules (core/conform/table.py)."""

    id: str
    switch: str
    """The switch whose value decides (core/kafka/switches.py): it names release and ticket. "" for words of
    lines, which are asked where no rule of replication is broken."""
    needs: Message
    """What of a trace it reads."""
    decisions: Callable[[Case], Iterator[Decision]]
    missing: Message | None = None
    """What is not known where it leaves a decision open; None where it never does."""
