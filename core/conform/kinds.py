"""Rules on events that only some eras know: what is sent, and who decides."""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from core.conform.decision import Decision, Fits, Rule
from core.diagnose.verdict.case import Case
from core.history.view import Row
from core.kafka.eras import Era
from core.message import Message, Value, message
from core.trace.broker_names import broker_value
from core.trace.vocabulary import Basis, Election, StopReason

_FENCES: Final = (StopReason.FENCED_LEADER_EPOCH, StopReason.UNKNOWN_LEADER_EPOCH)
_BY_ELIGIBLE: Final = (Election.ELR, Election.LAST_KNOWN)
ELIGIBLE_LEADERS: Final = message("conform.missing.eligible")
"""What is not known of eligible leader replicas where a release has them by choice."""


def named(case: Case, broker: int | None) -> Value:
    """A broker as a value of a message."""
    return message("conform.somebody") if broker is None else broker_value(case.history.trace, broker)


def _of(
    kinds: Collection[str],
    fits: Fits,
    what: Callable[[Case, Row], Message | None],
    *,
    of_replica: bool = False,
) -> Callable[[Case], Iterator[Decision]]:
    """A decision for each row of some kinds that somebody printed, and of which `what` says something.

    It is one of the broker that the row is from, or of the one whose replica it is about: a leader answers
    what its follower asks for.
    """

    def decisions(case: Case) -> Iterator[Decision]:
        for row in case.view.rows.of(kinds):
            told = what(case, row) if row.basis <= Basis.REPORTED else None
            if told is not None:
                yield Decision(row.seq, row.replica if of_replica else row.broker, fits, told)

    return decisions


def _last_epoch_named(case: Case, row: Row) -> Message | None:
    if row.aux is None:
        return None
    return message("conform.last-epoch-named", who=named(case, row.replica), epoch=row.aux)


def _leader_epoch_named(case: Case, row: Row) -> Message | None:
    if row.epoch is None:
        return None
    return message("conform.leader-epoch-named", who=named(case, row.replica), epoch=row.epoch)


def _no_leader_epoch_named(case: Case, row: Row) -> Message | None:
    """In a simulation all that a fetch names is stated."""
    if not case.view.exact or row.epoch is not None:
        return None
    return message("conform.no-leader-epoch-named", who=named(case, row.replica))


def _fenced(case: Case, row: Row) -> Message | None:
    return message("conform.fenced", who=named(case, row.replica)) if row.aux in _FENCES else None


def _eligible(_case: Case, row: Row) -> Message | None:
    if row.kind == "elr_changed":
        return message("conform.eligible-kept")
    return message("conform.eligible-elected") if row.aux in _BY_ELIGIBLE else None


def _may_be_eligible(era: Era) -> bool | None:
    """From 4.0 on eligible leader replicas can be switched on: there KRaft obeys the setting of elections."""
    switches = era.switches
    by_choice = switches.controller == "kraft" and switches.unclean_setting == "obeyed"
    return True if switches.eligible_leaders == "on" else None if by_choice else False


def _by_quorum(case: Case, row: Row) -> Message | None:
    """Brokers over ZooKeeper print what they cached by UpdateMetadata, and that is read as applied, too."""
    if row.kind == "metadata_applied":
        return message("conform.metadata-read") if case.view.exact else None
    return message("conform.by-quorum")


def _asked(case: Case, row: Row) -> Message | None:
    return message("conform.epoch-asked", who=named(case, row.replica))


KIND_RULES: Final = (
    Rule(
        "controller.zookeeper",
        "controller",
        message("conform.needs.state-change"),
        _of(
            frozenset({"leader_and_isr_received", "leader_and_isr_sent", "session_expired"}),
            lambda era: era.switches.controller == "zookeeper",
            lambda _case, _row: message("conform.by-zookeeper"),
        ),
    ),
    Rule(
        "controller.kraft",
        "controller",
        message("conform.needs.state-change"),
        _of(
            frozenset({"broker_fenced", "broker_unfenced", "metadata_applied"}),
            lambda era: era.switches.controller == "kraft",
            _by_quorum,
        ),
    ),
    Rule(
        "truncation.asked",
        "truncation",
        message("conform.needs.fetchers"),
        _of(
            frozenset({"epoch_end_asked", "epoch_end_answered"}),
            lambda era: era.switches.truncation == "epoch-request",
            _asked,
            of_replica=True,
        ),
    ),
    Rule(
        "truncation.told-on-fetch",
        "truncation",
        message("conform.needs.fetchers"),
        _of(
            frozenset({"fetch_diverged"}),
            lambda era: era.switches.truncation == "fetch-divergence",
            lambda case, row: message("conform.fetch-diverged", who=named(case, row.replica)),
            of_replica=True,
        ),
    ),
    Rule(
        "fetch.last-epoch",
        "truncation",
        message("conform.needs.requests"),
        _of(
            frozenset({"fetch_sent"}),
            lambda era: era.switches.truncation == "fetch-divergence",
            _last_epoch_named,
        ),
    ),
    Rule(
        "fetch.leader-epoch",
        "fencing",
        message("conform.needs.requests"),
        _of(
            frozenset({"fetch_sent", "epoch_end_asked"}),
            lambda era: era.switches.fencing == "leader-epoch",
            _leader_epoch_named,
        ),
    ),
    Rule(
        "fetch.no-leader-epoch",
        "fencing",
        message("conform.needs.requests"),
        _of(
            frozenset({"fetch_sent", "epoch_end_asked"}),
            lambda era: era.switches.fencing == "none",
            _no_leader_epoch_named,
        ),
    ),
    Rule(
        "fencing.refused",
        "fencing",
        message("conform.needs.fetchers"),
        _of(
            frozenset({"fetch_failed", "epoch_end_failed"}),
            lambda era: era.switches.fencing == "leader-epoch",
            _fenced,
        ),
    ),
    Rule(
        "epochs.known",
        "epoch-entry",
        message("conform.needs.epochs"),
        _of(
            frozenset({"epoch_assigned", "epoch_cache_loaded"}),
            lambda era: era.switches.epoch_entry != "none",
            lambda case, row: message("conform.epoch-known", who=named(case, row.replica)),
        ),
    ),
    Rule(
        "producer.sequence",
        "producer-sequence",
        message("conform.needs.requests"),
        _of(
            frozenset({"duplicate_dropped", "sequence_refused"}),
            lambda era: era.switches.producer_sequence != "ignored",
            lambda case, row: message("conform.sequence-checked", who=named(case, row.broker)),
        ),
    ),
    Rule(
        "election.eligible",
        "eligible-leaders",
        message("conform.needs.controller"),
        _of(frozenset({"leader_elected", "elr_changed"}), _may_be_eligible, _eligible),
        ELIGIBLE_LEADERS,
    ),
)
