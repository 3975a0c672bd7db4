"""From rows to numbers that cannot all be so: a leader epoch, a log end or a high watermark against others.

Each rule names what cannot fail. In logs of real brokers the bands find contradictions of log ends and high
watermarks; there only epochs are checked here. In a simulation every change is an event, so each must fit the
one before.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.made import made, who
from core.history.state import Role
from core.history.view import Row
from core.message import message
from core.trace.vocabulary import Election

_NAMES_LEADER: Final = frozenset(
    {
        "leader_elected",
        "became_leader",
        "became_follower",
        "leader_and_isr_received",
        "leader_and_isr_sent",
        "metadata_applied",
        "metadata_sent",
        "partition_state",
        "partition_created",
        "isr_committed",
    }
)
_REPEATS_HW: Final = frozenset({"became_leader", "became_follower", "hw_checkpointed", "truncation_decided"})
_CONTROLS: Final = frozenset(
    {"leader_elected", "leaderless", "isr_committed", "partition_state", "partition_created"}
)
_APPLIED: Final = frozenset({"became_leader", "became_follower"})
_ANEW: Final = frozenset({"log_created", "log_deleted"})


def inconsistencies(case: Case) -> Iterable[Finding]:
    """Every contradiction once for each broker and rule, as the check `sources-disagree`."""
    found: dict[tuple[object, ...], Finding] = {}
    for rule in (_leaders, _epochs):
        for key, finding in rule(case):
            found.setdefault(key, finding)
    if case.view.exact:
        for rule in (_elections, _sent_watermarks):
            for key, finding in rule(case):
                found.setdefault(key, finding)
        for broker in case.history.replicas:
            for key, finding in _exact_values(case, broker):
                found.setdefault(key, finding)
    return tuple(found.values())


_Found = Iterator[tuple[tuple[object, ...], Finding]]


def _leaders(case: Case) -> _Found:
    """An epoch has one leader: the controller raises the epoch with every change of leader."""
    known: dict[int, int] = {}
    for row in case.of(_NAMES_LEADER):
        if row.epoch is None or row.disk:
            continue
        leader = row.replica if row.kind == "became_leader" else row.leader
        if leader is None or leader < 0:
            continue
        first = known.setdefault(row.epoch, leader)
        if first != leader:
            sentence = message(
                "finding.sources-disagree.two-leaders", who=who(case, first, leader), epoch=row.epoch
            )
            yield ("leaders", row.epoch), made(case, "sources-disagree", row, (first, leader), sentence)


def _epochs(case: Case) -> _Found:
    """A broker that is notified of an older epoch than its own ignores that (KIP-101; ReplicaManager)."""
    now: dict[int, int] = {}
    for row in case.of(_APPLIED | _ANEW):
        if row.kind in _ANEW and row.replica is not None:
            now.pop(row.replica, None)
        if row.kind not in _APPLIED or row.epoch is None or row.replica is None or row.broker != row.replica:
            continue
        before = now.get(row.replica)
        if before is not None and row.epoch < before:
            sentence = message(
                "finding.sources-disagree.older-epoch",
                who=who(case, row.replica),
                before=before,
                epoch=row.epoch,
            )
            yield ("epochs", row.replica), made(case, "sources-disagree", row, (row.replica,), sentence)
        now[row.replica] = row.epoch


def _elections(case: Case) -> _Found:
    """An epoch begins with a decision of the controller, and the next one is higher."""
    known: set[int] = set()
    last: int | None = None
    for row in case.rows():
        if row.epoch is None:
            continue
        if row.kind in ("leader_elected", "leaderless"):
            # The first leader begins in the epoch with which the partition was created.
            first = row.aux == Election.FIRST and known and row.epoch not in known
            if first or row.epoch < 0 or (last is not None and row.epoch <= last):
                before = -1 if last is None else last
                brokers = () if row.leader is None or row.leader < 0 else (row.leader,)
                sentence = message(
                    "finding.sources-disagree.controller-epoch", before=before, epoch=row.epoch
                )
                yield ("control",), made(case, "sources-disagree", row, brokers, sentence)
            last = row.epoch
        if row.kind in _CONTROLS:
            known.add(row.epoch)
        elif row.kind in _APPLIED and row.replica is not None and row.epoch not in known:
            sentence = message(
                "finding.sources-disagree.unnamed-epoch", who=who(case, row.replica), epoch=row.epoch
            )
            yield ("elected", row.replica), made(case, "sources-disagree", row, (row.replica,), sentence)


def _exact_values(case: Case, broker: int) -> _Found:
    """Each change begins where the one before ended."""
    leo: int | None = None
    hw: int | None = None
    for row in case.rows():
        if row.replica != broker:
            continue
        before, after = _ends(row)
        if (
            row.kind == "truncated"
            and row.leo is not None
            and row.offset is not None
            and row.leo > row.offset
        ):
            yield ("leo", broker), _other_end(case, row, broker, row.offset, row.leo)
        if row.kind == "log_loaded" and row.leo is not None and leo is not None and row.leo > leo:
            yield ("leo", broker), _other_end(case, row, broker, leo, row.leo)
        if row.kind == "hw_moved" and row.hw is not None:
            led = case.roles[broker].role_at[row.number + 1] is Role.LEADER
            if led and ((leo is not None and row.hw > leo) or (hw is not None and row.hw < hw)):
                yield ("hw", broker), _other_mark(case, row, broker, hw or 0, row.hw)
        if leo is not None and before is not None and before != leo:
            yield ("leo", broker), _other_end(case, row, broker, leo, before)
        leo = after if after is not None else leo
        if row.kind in _REPEATS_HW and hw is not None and row.hw is not None and row.hw != hw:
            yield ("hw", broker), _other_mark(case, row, broker, hw, row.hw)
        hw = _mark(row, hw)


def _sent_watermarks(case: Case) -> _Found:
    """A leader sends what it has, or had just before; a follower takes no more than what it was sent."""
    now: dict[int, int] = {}
    before: dict[int, int] = {}
    sent: dict[int, int] = {}
    ends: dict[int, int] = {}
    for row in case.rows():
        if row.kind in ("fetch_answered", "consumed") and row.broker is not None and row.hw is not None:
            known = now.get(row.broker)
            if known is not None and row.hw not in (known, before.get(row.broker)):
                yield ("told", row.broker), _other_mark(case, row, row.broker, known, row.hw)
        elif row.kind == "fetch_delivered" and row.replica is not None and row.hw is not None:
            sent[row.replica] = row.hw
        if row.replica is None:
            continue
        end = _ends(row)[1]
        if end is not None:
            ends[row.replica] = end
        if row.kind == "hw_moved" and row.hw is not None:
            role = case.roles[row.replica].role_at[row.number + 1]
            limit = sent.get(row.replica) if role is Role.FOLLOWER else None
            end = ends.get(row.replica)
            if limit is not None and end is not None and row.hw != min(limit, end):
                yield ("heard", row.replica), _other_mark(case, row, row.replica, limit, row.hw)
        if row.kind in ("became_follower", "broker_starting"):
            sent.pop(row.replica, None)
        mark = _mark(row, now.get(row.replica))
        if mark is None:
            now.pop(row.replica, None)
        elif mark != now.get(row.replica):
            before[row.replica], now[row.replica] = now.get(row.replica, mark), mark


def _ends(row: Row) -> tuple[int | None, int | None]:
    """The log end before and after a row, as far as the row states them."""
    if row.kind in ("appended", "tier_joined", "truncated"):
        return row.from_offset, row.leo if row.leo is not None else row.offset
    if row.kind == "log_reset":
        return row.from_offset, row.offset
    if row.kind in ("became_leader", "became_follower"):
        return row.leo, row.leo
    if row.kind in ("log_loaded", "log_created", "log_gap"):
        return None, row.leo
    if row.kind == "fetch_sent" and row.broker == row.replica:
        return row.offset, None
    return None, None


def _mark(row: Row, before: int | None) -> int | None:
    """The high watermark after a row."""
    if row.kind in ("hw_moved", "hw_loaded", "became_leader", "became_follower", "log_loaded"):
        return row.hw if row.hw is not None else before
    if row.kind in ("truncated", "log_reset", "log_created", "log_deleted"):
        return None
    return before


def _other_end(case: Case, row: Row, broker: int, before: int, now: int) -> Finding:
    """The finding of two log ends that contradict each other."""
    sentence = message("finding.sources-disagree.other-end", who=who(case, broker), before=before, now=now)
    return made(case, "sources-disagree", row, (broker,), sentence)


def _other_mark(case: Case, row: Row, broker: int, before: int, now: int) -> Finding:
    """The finding of two high watermarks that contradict each other."""
    sentence = message("finding.sources-disagree.other-mark", who=who(case, broker), before=before, now=now)
    return made(case, "sources-disagree", row, (broker,), sentence)
