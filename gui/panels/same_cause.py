"""Which partitions share the cause of one, as the account has it. No Qt, and no number of its own."""

from dataclasses import dataclass

from core.diagnose.account.page import AccountPage, Cause, Chip
from gui.terms import counted_up_to
from gui.text.spoken import worded


@dataclass(frozen=True, slots=True)
class SameCause:
    """A cause that is not of one partition alone: how large it is, what it is, and who else has it."""

    size: str
    sentence: str
    others: tuple[tuple[str, str], ...]
    """Name and what was lost of each other partition, in the order of the account."""


def same_cause(account: AccountPage, partition: int) -> SameCause | None:
    """The first cause of the worst incident that a partition is of; None where it stands alone."""
    cause = next((one for page in account.pages for one in page.causes if _has(one, partition)), None)
    if cause is None:
        return None
    names = [str(one.tp) for one in account.trace.partitions]
    others = tuple(
        (names[chip.partition], count_words(chip)) for chip in _chips(cause) if chip.partition != partition
    )
    return SameCause(worded(cause.size), worded(cause.sentence), others) if others else None


def count_words(chip: Chip) -> str:
    """What one partition lost, "" where it lost nothing: "−20", or with a bound "≤ 20" or "≥ 20"."""
    if chip.lost and not chip.at_least:
        return f"−{chip.lost:,}"
    return counted_up_to(chip.count.number, at_least=chip.at_least) if chip.count.number else ""


def _chips(cause: Cause) -> tuple[Chip, ...]:
    return tuple(chip for group in cause.groups for chip in group.chips)


def _has(cause: Cause, partition: int) -> bool:
    return any(chip.partition == partition for chip in _chips(cause))
