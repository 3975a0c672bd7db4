"""From a cursor to the answer for its last event: who did what, why, by which rule, since which release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, LiteralString

from core.diagnose.narrate import (
    why_clients,
    why_control,
    why_cuts,
    why_data,
    why_directories,
    why_fetches,
    why_metadata,
    why_tiers,
    why_transactions,
)
from core.diagnose.narrate.rules import since_here
from core.diagnose.narrate.scene import Explanation, Scene, ScriptLine
from core.diagnose.narrate.values import number
from core.diagnose.narrate.why_quorum import OF_QUORUM
from core.diagnose.verdict.case import Case, open_case
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.history.view import Row
from core.message import Message, message
from core.trace.times import rfc3339
from core.trace.vocabulary import KIND, Basis

NO_SCRIPT: Final[Mapping[int, ScriptLine]] = MappingProxyType({})
"""Of a trace without a script, or where nobody needs its words."""


@dataclass(frozen=True, slots=True)
class Why:
    """The answer for one cursor. `seq` is None at cursor 0.

    At most three `sentences`; each has the events that prove it. `since` is the release from which the rule
    holds. `facts` are label and value.
    """

    seq: int | None
    title: Message
    sentences: tuple[Message, ...]
    rule: Message | None = None
    since: Message | None = None
    basis: Basis = Basis.UNKNOWN
    evidence: tuple[int, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


NOTHING_YET: Final = Why(None, message("why.nothing-yet.title"), (message("why.nothing-yet"),))

_TELLERS: Final[MappingProxyType[str, Callable[[Scene], Explanation]]] = MappingProxyType(
    {
        **dict.fromkeys(("truncated", "log_reset"), why_cuts.truncated),
        **dict.fromkeys(("truncation_noop", "truncation_not_needed"), why_cuts.not_truncated),
        "truncation_decided": why_cuts.decided,
        "fetch_offset_reset": why_cuts.out_of_range,
        **dict.fromkeys(("leader_elected", "partition_created"), why_control.elected),
        "leaderless": why_control.leaderless,
        "became_leader": why_control.became_leader,
        "became_follower": why_control.became_follower,
        **dict.fromkeys(
            (
                "leader_and_isr_sent",
                "leader_and_isr_received",
                "metadata_sent",
                "metadata_applied",
                "stale_request_ignored",
            ),
            why_control.role_notified,
        ),
        **dict.fromkeys(
            ("isr_shrink_proposed", "isr_expand_proposed", "isr_committed"), why_control.isr_changed
        ),
        "partition_state": why_metadata.partition_state_stated,
        "partition_removed": why_metadata.removed,
        "replicas_assigned": why_metadata.reassigned,
        "elr_changed": why_metadata.elr_changed,
        "leader_recovery_changed": why_metadata.recovery_changed,
        **dict.fromkeys(("broker_crashed", "broker_stopped"), why_control.stopped),
        **dict.fromkeys(("fetcher_added", "fetcher_removed", "log_created"), why_fetches.begun),
        "appended": why_data.appended,
        "log_loaded": why_data.loaded,
        **dict.fromkeys(
            ("leo_sample", "flushed", "batch_on_disk", "log_end_on_disk", "epoch_cache_loaded"),
            why_data.stated,
        ),
        **dict.fromkeys(("hw_loaded", "hw_sample", "hw_moved", "hw_checkpointed"), why_data.watermark),
        **dict.fromkeys(
            (
                "fetch_sent",
                "fetch_received",
                "follower_leo_recorded",
                "fetch_parked",
                "fetch_answered",
                "fetch_delivered",
            ),
            why_fetches.fetched,
        ),
        **dict.fromkeys(("fetch_failed", "epoch_end_failed"), why_fetches.failed),
        "rounds_in_vain": why_fetches.in_vain,
        **dict.fromkeys(("epoch_end_asked", "epoch_end_answered", "fetch_diverged"), why_fetches.asked),
        **dict.fromkeys(("epoch_assigned", "epoch_cache_cut"), why_data.epoch_entry),
        **dict.fromkeys(("produced", "acknowledged", "produce_failed", "consumed"), why_data.client),
        "consume_parked": why_clients.waits,
        "consumer_out_of_range": why_clients.out_of_range,
        "consumer_positioned": why_clients.positioned,
        "produce_retried": why_clients.sent_again,
        "duplicate_dropped": why_clients.dropped,
        "sequence_refused": why_clients.refused,
        "transaction_written": why_transactions.written,
        **dict.fromkeys(("transaction_committed", "transaction_aborted"), why_transactions.ended),
        "lso_moved": why_transactions.moved,
        "transaction_refused": why_transactions.refused,
        "producer_fenced": why_transactions.fenced,
        "transaction_timed_out": why_transactions.timed_out,
        "log_gap": why_cuts.gap,
        "tier_copied": why_tiers.copied,
        "tier_deleted": why_tiers.deleted,
        "local_start_moved": why_tiers.local_start,
        "tier_joined": why_tiers.joined,
        "log_moved": why_directories.moved,
        **{kind: teller for kind, teller in OF_QUORUM.items() if KIND[kind].group == "quorum"},
    },
)
"""Who tells which kind of event; the others are told from the table of processes or from their columns."""

_COLUMNS: Final = (
    ("leader epoch", "epoch"),
    ("offset", "offset"),
    ("from offset", "from_offset"),
    ("log end offset", "leo"),
    ("high watermark", "hw"),
    ("log start offset", "log_start"),
    ("partition epoch", "partition_epoch"),
)
_PLAIN: Final[Mapping[str, tuple[LiteralString, LiteralString]]] = {
    "isr_update_rejected": ("why.isr-rejected.title", "why.isr-rejected"),
    "log_deleted": ("why.log-deleted.title", "why.log-deleted"),
    "log_start_moved": ("why.log-start.title", "why.log-start"),
    "segment_rolled": ("why.segment-rolled.title", "why.segment-rolled"),
    "log_dir_failed": ("why.log-dir.title", "why.log-dir"),
}
"""Kinds with no story of their own: their title, and the sentence where they state no value."""


def _plain(scene: Scene) -> Explanation:
    """An event without an explanation of its own: its name and what it states."""
    row, who = scene.row, scene.who
    if row.kind in why_control.PROCESS:
        return why_control.process(scene)
    if row.kind in ("step", "condition_not_met"):
        return _step(scene)
    title, bare = _PLAIN[row.kind]
    if row.kind == "isr_update_rejected" and row.epoch is not None:
        states = message("why.isr-rejected.epoch", who=who, epoch=row.epoch)
    elif row.kind == "log_start_moved" and row.log_start is not None:
        states = message("why.log-start.offset", who=who, offset=row.log_start)
    elif row.kind == "segment_rolled" and row.offset is not None:
        states = message("why.segment-rolled.offset", who=who, offset=row.offset)
    else:
        states = message(bare, who=who)
    return Explanation(message(title, who=who), (states,))


def _step(scene: Scene) -> Explanation:
    """A step of the script, in the text of the scenario where its line is known."""
    row = scene.row
    step = number(row.aux)
    if row.kind == "condition_not_met":
        return Explanation(message("why.step.impossible.title", step=step), (message("why.step.impossible"),))
    line = scene.script.get(row.aux or 0, ScriptLine("", ""))
    return Explanation(
        message("why.step.label.title", step=step, label=line.label)
        if line.label
        else message("why.step.title", step=step),
        (
            message("why.step.effect", effect=line.effect)
            if line.effect
            else message("why.step.begins", step=step),
        ),
    )


def _facts(row: Row) -> tuple[tuple[str, str], ...]:
    """What the event itself states."""
    values = row._asdict()
    return tuple((label, str(values[column])) for label, column in _COLUMNS if values[column] is not None)


def _changes(scene: Scene) -> tuple[tuple[str, str], ...]:
    """Log end and high watermark of the replica concerned, right before and right after, where they moved.

    What may happen until the next event is not what this one did.
    """
    was, broker = scene.was(scene.row.replica), scene.row.replica
    if was is None or broker is None or scene.now(broker) is None:
        return ()
    place = scene.case.place_of(scene.row.seq)
    found: list[tuple[str, str]] = []
    for label, before, after in (
        ("LEO", was.leo, scene.case.leo(broker, place)),
        ("HW", was.hw, scene.case.hw(broker, place)),
    ):
        path = str(after) if str(before) == str(after) else f"{before} → {after}"
        found.append((label, path))
    return tuple(found)


def _evidence(scene: Scene) -> tuple[int, ...]:
    """The event itself, then what the verdict cites beside it."""
    seq = scene.row.seq
    cited = [cut.evidence for cut in scene.verdict.truncations if cut.seq == seq]
    cited += [loss.evidence for loss in scene.verdict.losses if loss.seq == seq]
    return tuple(dict.fromkeys([seq, *(one for seqs in cited for one in seqs)]))


_RECENT: Final[list[Case]] = []
_MOST_RECENT: Final = 4
"""As many partitions as a comparison shows: a person scrubs, and the same few are asked again and again."""


def _case_of(history: History) -> Case:
    """The opened case of a history, from the last few."""
    for case in _RECENT:
        if case.history is history:
            return case
    case = open_case(history)
    _RECENT.append(case)
    del _RECENT[:-_MOST_RECENT]
    return case


def why(
    history: History,
    verdict: PartitionVerdict,
    cursor: int,
    script: Mapping[int, ScriptLine] = NO_SCRIPT,
) -> Why:
    """The answer for the last event of this partition's view before `cursor`.

    `script` has the lines of the scenario by number of their step. Labels of facts are words of the model.
    """
    rank = history.rank(cursor)
    if rank == 0:
        return NOTHING_YET
    opened = _case_of(history)
    row = opened.view.rows[rank - 1]
    scene = Scene(
        case=opened,
        verdict=verdict,
        row=row,
        before=history.at(opened.view.cursors[rank - 1]),
        after=history.at(opened.view.cursors[rank]),
        script=script,
    )
    told = _teller(opened, row.kind)(scene)
    return Why(
        seq=row.seq,
        title=_proved(told.title, row),
        sentences=tuple(_proved(one, row) for one in told.sentences[:3]),
        rule=told.rule,
        since=since_here(scene, told.since),
        basis=row.basis,
        evidence=_evidence(scene),
        facts=(("at", rfc3339(row.at)), *_changes(scene), *_facts(row)),
    )


def _teller(case: Case, kind: str) -> Callable[[Scene], Explanation]:
    """Who tells of an event: the log of the metadata quorum has rules of its own."""
    of_quorum = OF_QUORUM.get(kind) if case.view.of_quorum else None
    return of_quorum or _TELLERS.get(kind, _plain)


def _proved(told: Message, row: Row) -> Message:
    """An explanation whose first evidence is the event itself."""
    return replace(told, evidence=tuple(dict.fromkeys((row.seq, *told.evidence))))
