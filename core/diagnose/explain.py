"""Sentences about losses, with the numbers of the trace itself."""

from typing import Final

from core.diagnose.commitment import Watermark
from core.diagnose.verdict import Loss, LossClass, Truncation
from core.history.control import Term
from core.trace.vocabulary import Election

RULE_WORDS: Final = {
    "high-watermark": "to its own high watermark",
    "leader-epoch": "to the end of its epoch as the leader told it",
    "diverging-epoch": "to where the leader's answer to its fetch diverged",
    "leader-end": "to the leader's log end offset, because its fetch was out of range",
    "reset": "by dropping its whole log",
    "recovery": "because the tail had not reached the disk",
    "unknown": "by a rule that nothing names",
}
"""How a replica cut, as the end of a sentence."""

_ELECTED: Final = {
    Election.CLEAN: "was elected from the in-sync replicas",
    Election.PREFERRED: "was elected as the preferred replica",
    Election.CONTROLLED: "took over in a controlled shutdown",
    Election.UNCLEAN: "was elected uncleanly, out of sync",
    Election.ELR: "was elected from the eligible leader replicas",
    Election.LAST_KNOWN: "was elected as the last known leader",
    Election.FIRST: "was the first leader",
    Election.UNKNOWN: "took over",
}


def offsets_text(first: int, end: int) -> str:
    """Half-open offsets as a person says them, the last one included."""
    return f"offset {first}" if end - first == 1 else f"offsets {first} to {end - 1}"


def brokers_text(brokers: tuple[int, ...]) -> str:
    """1; 1 and 2; 1, 2 and 3."""
    names = [str(broker) for broker in brokers]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def explain_loss(
    loss: Loss, term: Term, start: int, own: Truncation | None, mark: Watermark | None,
) -> str:
    """At most three sentences: who led without the records and why, what promise they had, where they are now."""
    what = offsets_text(loss.first_offset, loss.end_offset)
    parts = [f"Broker {term.leader} {_ELECTED[term.election]} in epoch {term.epoch} with log end offset {start}"]
    if own is not None:
        came = "" if own.from_offset is None else f" from {own.from_offset}"
        parts[0] = (
            f"Broker {own.broker} cut its log{came} to {own.to_offset} {RULE_WORDS[own.rule]}, and "
            f"{_ELECTED[term.election]} in epoch {term.epoch} with log end offset {start}"
        )
    if loss.loss_class is LossClass.COMMITTED and mark is not None:
        parts.append(
            f"The records at {what} of epoch {loss.epoch} had been committed: "
            f"broker {mark.broker} had a high watermark of {mark.value}",
        )
    elif loss.loss_class is LossClass.ACKNOWLEDGED:
        parts.append(f"A producer had been told that {what} of epoch {loss.epoch} were written")
    elif loss.loss_class is LossClass.UNCOMMITTED:
        parts.append(f"The records at {what} of epoch {loss.epoch} were never acknowledged or visible")
    else:
        parts.append(
            f"The records at {what} of epoch {loss.epoch} had been appended by its leader, "
            "and nothing shows that they were committed",
        )
    if loss.survives_on:
        parts.append(f"Broker {brokers_text(loss.survives_on)} still holds them, and no leader serves them")
    elif loss.removed_from:
        parts.append(f"Broker {brokers_text(loss.removed_from)} removed them")
    return ". ".join(parts) + "."
