"""The steps of a script about the remote tier (KIP-405)."""

from dataclasses import dataclass

from core.trace.ids import Offset


@dataclass(frozen=True, slots=True)
class CopyToTier:
    """The leader copies its closed segments, those below an offset, to the remote tier (KIP-405)."""

    offset: Offset
    start: Offset | None = None
    """Where the leader's segment begins, if below what is there already."""
    partition: int = 0


@dataclass(frozen=True, slots=True)
class CleanTier:
    """The leader deletes what retention no longer keeps in the remote tier (KIP-405)."""

    offset: Offset
    """Segments wholly below are old enough, or too much."""
    partition: int = 0
