"""From a lost record to the one cause that its loss is named by.

The names are those of the JSON of `check`; their texts are in `story_words.py`.
"""

from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import LossClass, Truncation
from core.diagnose.verdict.takeovers import Takeover
from core.history.state import Role
from core.trace.evidence import evidence_of
from core.trace.vocabulary import Election

UNKNOWN_OFFSET: Final = "leader replied with an unknown offset"
"""What a follower prints where the leader has no entry of its epoch (ReplicaFetcherThread, 0.11 to 2.7)."""
_UNDEFINED: Final = -1
_BEFORE_A_CUT: Final = frozenset({"epoch_end_answered", "became_follower", "broker_starting"})
_APPENDED: Final = frozenset({"appended"})


def cause_of(
    case: Case, takeover: Takeover, record: tuple[int, int], own: Truncation | None, loss_class: LossClass
) -> str:
    """Why the leader of a takeover does not hold a record (epoch, offset).

    `own` is the cut by which it lost the record itself, if it ever held it.

    - unclean-election: it was out of sync when it was elected
    - disk-loss: its log came back shorter from the disk; stale-isr if it joined the in-sync set after that
      (KAFKA-14139)
    - high-watermark-truncation: it had cut to its own high watermark, by the rule of its release and protocol
    - unknown-epoch: it had cut so because the leader had no entry of its epoch (KAFKA-7415)
    - late-write: a leader whose epoch was over wrote the record
    - stale-leader: a leader whose epoch was over had answered where to cut (KIP-320)
    - stale-isr: it was in the in-sync set without a record that had been committed (KAFKA-7128)
    - last-copy-gone: nobody leads, and the disk of the last replica that held it came back without it
      (`nowhere.py`)
    - not-replicated: only leaders before held it, and nothing had been promised of other replicas
    """
    if takeover.tenure.election is Election.UNCLEAN:
        return "unclean-election"
    if own is None:
        if _written_too_late(case, record):
            return "late-write"
        return "stale-isr" if loss_class is LossClass.COMMITTED else "not-replicated"
    if own.rule == "recovery":
        return "stale-isr" if _joined_between(case, own, takeover) else "disk-loss"
    if own.rule == "high-watermark" and not _answered_unknown(case, own):
        return "high-watermark-truncation"
    if _followed_stale_leader(case, own):
        return "stale-leader"
    if own.rule in ("high-watermark", "unknown"):
        return "unknown-epoch" if own.rule == "high-watermark" else "unknown"
    return "stale-isr" if loss_class is LossClass.COMMITTED else "not-replicated"


def _joined_between(case: Case, own: Truncation, takeover: Takeover) -> bool:
    """Whether the replica joined the in-sync set after its log was found short and before its election."""
    place, inside = case.place_of(own.seq), True
    for change in case.control.isr_changes:
        if change.place <= place:
            inside = own.broker in change.isr
        elif change.place < takeover.tenure.place and own.broker in change.isr:
            return not inside
    return False


def _answered_unknown(case: Case, own: Truncation) -> bool:
    """Whether the leader had answered that it does not know the epoch."""
    trace = case.history.trace
    texts = (evidence_of(trace, seq) for seq in own.evidence)
    if any(text is not None and UNKNOWN_OFFSET in text.text for text in texts):
        return True
    place = case.place_of(own.seq)
    before = (row for row in reversed(case.view.rows.of(_BEFORE_A_CUT)) if row.number < place)
    last = next((row for row in before if row.replica == own.broker), None)
    return last is not None and last.kind == "epoch_end_answered" and last.offset == _UNDEFINED


def _followed_stale_leader(case: Case, own: Truncation) -> bool:
    """Whether the replica followed, when it cut, in an epoch that was over."""
    place = case.place_of(own.seq)
    believed, current = case.roles[own.broker].epoch_at[place], case.control.epoch_at[place]
    return believed is not None and current is not None and believed < current


def _written_too_late(case: Case, record: tuple[int, int]) -> bool:
    """Whether a leader surely appended a record after another had been elected in a later epoch."""
    epoch, offset = record
    for row in case.of(_APPENDED):
        own = None if row.replica is None else case.roles.get(row.replica)
        if own is None or row.offset is None or row.offset <= offset:
            continue
        place = row.number + 1
        if own.role_at[place] is Role.LEADER and own.epoch_at[place] == epoch:
            current = case.control.epoch_at[place]
            return current is not None and current > epoch
    return False
