"""Sentences about losses, with the numbers of the trace itself."""

from collections.abc import Mapping, Sequence
from typing import Final

from core.diagnose.verdict.commitment import Watermark
from core.diagnose.verdict.facts import Loss, LossClass, Truncation
from core.history.terms import Term
from core.trace.trace import Trace
from core.trace.vocabulary import Election

RULE_WORDS: Final = {
    "high-watermark": "its own high watermark",
    "leader-epoch": "where the leader said that its epoch ended",
    "diverging-epoch": "where the leader said that the logs diverge",
    "leader-end": "the leader's log end offset, as its fetch was out of range",
    "reset": "its whole log, to start anew",
    "recovery": "it was not on the disk",
    "unknown": "nothing names the rule",
}
"""Why a replica cut to an offset, in brackets after it."""

_ELECTED: Final = {
    Election.CLEAN: "was elected from the in-sync replicas in epoch {epoch}",
    Election.PREFERRED: "was elected as the preferred replica in epoch {epoch}",
    Election.CONTROLLED: "took over in a controlled shutdown in epoch {epoch}",
    Election.UNCLEAN: "was elected in epoch {epoch} although it was out of sync,",
    Election.ELR: "was elected from the eligible leader replicas in epoch {epoch}",
    Election.LAST_KNOWN: "was elected as the last known leader in epoch {epoch}",
    Election.FIRST: "was the first leader in epoch {epoch}",
    Election.UNKNOWN: "took over in epoch {epoch}",
}


def offsets_text(first: int, end: int) -> str:
    """Half-open offsets as a person says them, the last one included."""
    if end - first <= 2:
        return f"offset {first}" if end - first == 1 else f"offsets {first} and {end - 1}"
    return f"offsets {first} to {end - 1}"


def broker_names(trace: Trace) -> dict[int, str]:
    """What a person calls each broker: its name in a simulation, else "broker 1"."""
    found: dict[int, str] = {}
    for broker in trace.brokers:
        number = int(broker.broker_id)
        found[number] = broker.name if broker.name and not broker.name.isdigit() else f"broker {number}"
    return found


def brokers_text(names: Mapping[int, str], brokers: Sequence[int]) -> str:
    """A; A and B; A, B and C."""
    words = [names.get(broker, f"broker {broker}") for broker in brokers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _why(mark: Watermark) -> str:
    """Beside a high watermark that no line states."""
    return ", as its log end and the in-sync set show" if mark.derived else ""


def explain_loss(
    loss: Loss,
    term: Term,
    start: int | None,
    own: Truncation | None,
    mark: Watermark | None,
    names: Mapping[int, str],
    *,
    unlike: bool = False,
) -> str:
    """At most three sentences.

    Who led without the records and why, what promise they had, where they are now. `unlike`: that leader
    holds other records at their offsets.
    """
    what = offsets_text(loss.first_offset, loss.end_offset)
    leader = brokers_text(names, (term.leader,))
    elected = _ELECTED[term.election].format(epoch=term.epoch)
    led = elected.rstrip(",") if start is None else f"{elected} with log end offset {start}"
    parts = [f"{leader} {led}"]
    if unlike:
        parts = [f"{leader} {led}, and holds other records at {what}"]
    elif own is not None:
        came = "" if own.from_offset is None else f" from {own.from_offset}"
        parts = [f"{leader} cut its log{came} to {own.to_offset} ({RULE_WORDS[own.rule]}), and {led}"]
    one = loss.end_offset - loss.first_offset == 1
    records = f"the {'record' if one else 'records'} at {what}"
    record = records if loss.epoch is None else f"{records} of epoch {loss.epoch}"
    was = "was" if one else "were"
    if loss.loss_class is LossClass.COMMITTED and mark is not None:
        had = brokers_text(names, (mark.broker,))
        parts.append(f"{record} {was} committed: {had} had a high watermark of {mark.value}{_why(mark)}")
    elif loss.loss_class is LossClass.ACKNOWLEDGED:
        parts.append(f"a producer had been told that {record} {was} written")
    elif loss.loss_class is LossClass.UNCOMMITTED:
        parts.append(f"{record} {was} never acknowledged or visible")
    elif loss.epoch is None:
        parts.append(f"{record} {was} in a log; in which epoch, and whether as committed, is not known")
    else:
        parts.append(
            f"{record} {was} in the leader's log, and nothing shows that {'it was' if one else 'they were'} "
            "committed",
        )
    them = "it" if one else "them"
    if loss.survives_on:
        verb = "holds" if len(loss.survives_on) == 1 else "hold"
        parts.append(
            f"{brokers_text(names, loss.survives_on)} still {verb} {them}, and no leader serves {them}"
        )
    elif loss.removed_from:
        parts.append(f"{brokers_text(names, loss.removed_from)} removed {them}")
    return " ".join(f"{capital(part)}." for part in parts)
