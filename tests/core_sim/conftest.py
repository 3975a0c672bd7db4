"""Replays a trace by its events alone, apart from the engine, and writes it down step by step."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from core.sim.scenario import parse_scenario
from core.sim.step_words import label_of
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason, Election, QuorumRole, StopReason, TierDeletion, VoterRefusal

HOLE = ("nothing", -1)
"""An offset that holds no record."""


@dataclass
class Seen:
    """One replica as the events tell it."""

    role: str = "none"
    epoch: int | None = None
    start: int = 0  # the log start offset
    log: list[tuple[str, int]] = field(default_factory=list)  # (record, epoch)
    hw: int = 0
    disk: int = 0
    disk_start: int = 0
    entries: list[tuple[int, int]] = field(default_factory=list)
    remote: dict[int, int | None] = field(default_factory=dict)

    @property
    def leo(self) -> int:
        return self.start + len(self.log)

    @property
    def records(self) -> list[str]:
        return [name for name, _ in self.log]

    def names(self, first: int, end: int) -> list[str]:
        return [name for name, _ in self.log[first - self.start : end - self.start]]


@dataclass
class Replay:
    """The partition after some events. `at(step)` is the state at the end of a step."""

    trace: Trace
    replicas: dict[str, Seen]
    leader: str = "-"
    epoch: int = -1
    isr: tuple[str, ...] = ()
    partition: int = 0

    def name(self, broker: int) -> str:
        return "-" if broker < 0 else self.trace.brokers[broker - 1].name

    def apply(self, event: Event) -> None:
        get = event.get
        if get("partition") not in (None, self.partition):
            return
        if event.kind in ("partition_created", "leader_elected", "leaderless", "isr_committed"):
            self.leader, self.epoch = self.name(get("leader") or -1), get("epoch") or 0
            isr = self.trace.isrs[event.values["isr"]] if "isr" in event.values else ()
            self.isr = tuple(self.name(one) for one in isr)
        who = get("replica")
        if who is None:
            return
        seen = self.replicas[self.name(who)]
        if event.kind == "follower_leo_recorded":
            self.replicas[self.name(event.values["broker"])].remote[who] = event.values["leo"]
        elif event.kind in ("appended", "tier_joined", "truncated", "log_gap"):
            self.apply_to_log(seen, event)
        elif event.kind in ("log_created", "log_reset", "log_start_moved", "log_deleted"):
            move_start(seen, event)
        elif event.kind == "local_start_moved":
            seen.disk_start = event.values["offset"]
        elif event.kind in ("hw_moved", "hw_loaded"):
            seen.hw = event.values["hw"]
        elif event.kind == "hw_checkpointed":
            seen.disk = event.values["hw"]
        elif event.kind.startswith("epoch_"):
            apply_to_cache(seen, event)
        else:
            self.apply_to_role(seen, who, event)

    def apply_to_log(self, seen: Seen, event: Event) -> None:
        if event.kind == "tier_joined":
            del seen.log[event.values["from_offset"] - seen.start :]
        if event.kind == "appended" and event.values["from_offset"] > seen.leo:
            seen.log += [HOLE] * (event.values["from_offset"] - seen.leo)  # copied with the gap before it
        assert seen.leo == event.values["from_offset"]
        if event.kind == "log_gap":
            seen.log += [HOLE] * (event.values["offset"] - seen.leo)
        elif event.kind == "truncated":
            del seen.log[event.values["offset"] - seen.start :]
            if event.values["aux"] == CutReason.RECOVERY:
                seen.hw = min(seen.hw, seen.leo)  # nothing is in memory before hw_loaded
        else:
            first, count = event.values["aux"], event.values["offset"] - event.values["from_offset"]
            names = self.trace.records[first : first + count]
            seen.log += [(name, event.values["epoch"]) for name in names]
        assert seen.leo == event.values["leo"]

    def apply_to_role(self, seen: Seen, who: int, event: Event) -> None:
        if event.kind == "became_leader":
            if seen.role != "leader":
                seen.remote = {one: None for one in holders(self.trace, self.partition) if one != who}
            seen.role, seen.epoch = "leader", event.values["epoch"]
        elif event.kind == "became_follower":
            seen.role, seen.epoch, seen.remote = "follower", event.values["epoch"], {}
        elif event.kind in ("broker_crashed", "broker_exited", "broker_stopped"):
            seen.role, seen.epoch, seen.remote = "down", None, {}
        elif event.kind == "broker_starting":
            seen.role = "starting"


def holders(trace: Trace, partition: int) -> list[int]:
    """The nodes in whose logs a partition may stand: with a quorum its voters have one of their own."""
    if any(one.tp.of_quorum for one in trace.partitions):
        return [int(one) for one in trace.partitions[partition].replicas]
    return [int(one.broker_id) for one in trace.brokers]


def move_start(seen: Seen, event: Event) -> None:
    if event.kind == "log_start_moved":
        start = event.values["log_start"]
        del seen.log[: start - seen.start]
        seen.start = start
        return
    if event.kind == "log_created":
        seen.hw = seen.disk = event.values["log_start"]
    if event.get("aux") == CutReason.RECOVERY:
        seen.hw = seen.disk = 0  # the disk is a new one
    if event.kind == "log_deleted":
        seen.role, seen.epoch, seen.hw, seen.disk, seen.remote = "none", None, 0, 0, {}
    seen.log, seen.entries, seen.disk_start = [], [], 0
    seen.start = event.values.get("offset", event.values.get("log_start", 0))


def apply_to_cache(seen: Seen, event: Event) -> None:
    if event.kind == "epoch_cache_loaded":
        seen.entries = []
    elif event.kind == "epoch_assigned":
        epoch, start = event.values["epoch"], event.values["offset"]
        seen.entries = [one for one in seen.entries if one[0] < epoch and one[1] < start]
        seen.entries.append((epoch, start))
    elif event.kind == "epoch_cache_cut":
        seen.entries = [one for one in seen.entries if one[1] < event.values["offset"]]


def begin(trace: Trace) -> Replay:
    return Replay(trace, {broker.name: Seen() for broker in trace.brokers})


def replay_to(trace: Trace, step: int) -> Replay:
    """The state at the end of a step (0: before the first)."""
    state = begin(trace)
    for seq in range(len(trace)):
        event = trace.event(seq)
        if event.position > step:
            break
        state.apply(event)
    return state


_TOLD = {
    "broker_crashed": "{r} crashes",
    "broker_exited": "{r} exits",
    "shutdown_requested": "{r} is asked to stop",
    "broker_stopped": "{r} stops",
    "broker_started": "{r} starts",
    "controller_elected": "{who} begins",
    "controller_resigned": "{r} is the controller no more",
    "leader_elected": "{l} is elected in epoch {epoch}{by}",
    "leaderless": "no leader in epoch {epoch}",
    "leader_recovery_changed": "the partition recovers: {aux}",
    "isr_committed": "ISR {isr}",
    "broker_fenced": "{r} is fenced",
    "broker_unfenced": "{r} is unfenced",
    "elr_changed": "eligible leader replicas {isr}",
    "appended": "{r} appends {span} at {from_offset}",
    "acknowledged": "{span} acknowledged (acks {aux})",
    "produce_failed": "produce{span} fails",
    "fetch_sent": "{r} fetches at {offset} from {l}",
    "fetch_parked": "{b} parks the fetch of {r} at {offset}",
    "fetch_answered": "{b} answers {r}: {aux} record(s) from {from_offset}, HW {hw}",
    "fetch_failed": "the fetch of {r} at {offset} fails: {stop}",
    "fetch_diverged": "{b} tells {r}: epoch {aux} ends at {offset}",
    "epoch_end_asked": "{r} asks {l} where epoch {aux} ends",
    "epoch_end_answered": "{b} answers {r}: at {offset}",
    "epoch_end_failed": "the question of {r} fails: {stop}",
    "truncated": "{r} cuts {from_offset} -> {offset} ({cut})",
    "log_gap": "{r} holds nothing in {from_offset}..{offset}: a whole batch went",
    "consumed": "{c} reads {span} from {b}, now at {offset}",
    "consume_parked": "{c} waits at {b} for {offset}, HW {hw}",
    "consumer_out_of_range": "{c} asks {b} for {offset}: out of range, its log ends at {leo}",
    "consumer_positioned": "{c} goes to {offset}",
    "produce_retried": "the producer tries again, at {b}",
    "duplicate_dropped": "{b} knows {span} at {from_offset} already, and appends nothing",
    "sequence_refused": "{b} refuses sequence number {aux}: out of order",
    "transaction_written": "{r} holds {from_offset}..{offset} of a transaction of {aux}, epoch {epoch}",
    "transaction_committed": "{r} holds the commit of {aux} at {offset}, begun at {from_offset}",
    "transaction_aborted": "{r} holds the abort of {aux} at {offset}, begun at {from_offset}",
    "lso_moved": "{r} has last stable offset {offset}",
    "transaction_refused": "{b} refuses a batch of producer {aux}: no such transaction",
    "producer_fenced": "{b} fences a batch of producer {aux}: its epoch {epoch} is old",
    "quorum_role_changed": "{b} knows no leader of the quorum in epoch {epoch}: {role}",
    "vote_answered": "{b} answers {l}, who asks for a vote in epoch {epoch}: {vote}",
    "voters_changed": "{b} knows the voters of the record at {offset}: {isr}",
    "snapshot_written": "{b} writes a snapshot up to {offset}, of epoch {epoch}",
    "voter_change_refused": "{b} does not change whether {r} votes ({refusal})",
    "transaction_timed_out": "the coordinator aborts the transaction of producer {aux}",
    "truncation_noop": "{r} would cut to {offset}, its log ends at {leo} ({cut})",
    "truncation_not_needed": "{r} cuts nothing: answer {offset}, its log ends at {leo} ({cut})",
    "log_start_moved": "{r} begins at {log_start}",
    "local_start_moved": "{r} holds nothing below {offset} on its disk",
    "log_moved": "{r} moves its log to another directory",
    "tier_copied": "{r} copies {from_offset}..{offset} to the remote tier",
    "tier_deleted": "{r} deletes {from_offset}..{offset} from the remote tier ({gone})",
    "tier_joined": "{r} has {span} at {from_offset}, in the remote tier",
    "log_reset": "{r} drops its log to {from_offset} and begins anew at {offset} ({cut})",
    "log_deleted": "{r} deletes its log",
    "broker_frozen": "{r} is frozen",
    "broker_thawed": "{r} goes on",
    "hw_moved": "{r} has HW {hw}",
    "hw_checkpointed": "{r} writes HW {hw} to disk",
    "condition_not_met": "CONDITION NOT MET",
}


VOTES = ("no", "yes", "it would not", "it would")
"""By what `aux` of vote_answered has."""
REFUSED = ("fetch_failed", "epoch_end_failed")


def shortly(names: list[str]) -> str:
    """Long logs by their ends."""
    if len(names) <= MANY:
        return " ".join(names)
    return f"{names[0]} {names[1]} .. {names[-1]} ({len(names)})"


MANY = 40


def _tell(state: Replay, event: Event) -> str:
    words = dict(event.values)
    trace, aux = state.trace, event.get("aux")
    texts = {
        "span": "",
        "r": state.name(event.get("replica") or -1),
        "b": state.name(event.get("broker") or -1),
        "l": state.name(event.get("leader") or -1),
        "isr": " ".join(state.name(one) for one in trace.isrs[words["isr"]]) or "none"
        if "isr" in words
        else "",
        "cut": CutReason(aux).name.lower().replace("_", " ")
        if event.kind.startswith(("trunc", "log_reset"))
        else "",
        "stop": StopReason(aux).name.lower().replace("_", " ") if event.kind in REFUSED else "",
        "gone": TierDeletion(aux).name.lower().replace("_", " ") if event.kind == "tier_deleted" else "",
        "who": state.name(event.get("replica") or -1).replace("-", "a new controller"),
        "role": QuorumRole(aux).name.lower() if event.kind == "quorum_role_changed" else "",
        "vote": VOTES[aux or 0] if event.kind == "vote_answered" else "",
    }
    if event.kind == "voter_change_refused":
        texts["refusal"] = VoterRefusal(aux).name.lower().replace("_", " ")
    of_partition = event.kind == "leader_elected" and aux is not None
    texts["by"] = f", ISR {texts['isr']} ({Election(aux).name.lower()})" if of_partition else ""
    held = state.replicas.get(texts["r"])
    if event.kind.startswith("consume"):
        texts["c"] = trace.facts["consumers"].split(",")[words["aux"] - 1]
    spans = ("appended", "tier_joined", "acknowledged", "consumed", "duplicate_dropped")
    if event.kind in spans and held is not None:
        texts["span"] = shortly(held.names(words["from_offset"], words["offset"]))
    if event.kind == "produce_failed" and "offset" in words and held is not None:
        texts["span"] = f" of {shortly(held.names(words['from_offset'], words['offset']))}"
    if event.kind == "acknowledged":
        texts["aux"] = {-1: "all"}.get(words["aux"], str(words["aux"]))
    return _TOLD[event.kind].format(**{**words, **texts})


def _state_lines(state: Replay) -> list[str]:
    lines: list[str] = []
    shown = {state.name(one) for one in holders(state.trace, state.partition)}
    for name, seen in ((one, held) for one, held in state.replicas.items() if one in shown):
        role = seen.role if seen.epoch is None else f"{seen.role} e{seen.epoch}"
        log = shortly(["[]" if one == HOLE else f"{one[0]}/e{one[1]}" for one in seen.log]) or "-"
        cache = " ".join(f"({epoch},{start})" for epoch, start in seen.entries) or "-"
        begins = f"  start {seen.start}" if seen.start else ""
        begins += f"  on disk from {seen.disk_start}" if seen.disk_start > seen.start else ""
        line = f"    {name}  {role:11}{begins}  LEO {seen.leo}  HW {seen.hw}  disk {seen.disk}"
        line += f"  log {log:18}  epochs {cache:12}"
        remotes = [f"{state.name(one)} {'?' if leo is None else leo}" for one, leo in seen.remote.items()]
        lines.append(f"{line}{'  remote ' + ', '.join(remotes) if remotes else ''}".rstrip())
    isr = " ".join(state.isr)
    lines.append(f"    leader {state.leader}, epoch {state.epoch}, ISR {isr}")
    return lines


def timeline_of(trace: Trace) -> str:
    """The run as text: for each step what happened, then every replica; one partition after the other."""
    lines = [f"{trace.facts['scenario']} in {trace.name}"]
    for index, partition in enumerate(trace.partitions):
        if len(trace.partitions) > 1:
            lines += ["", f"== {partition.tp}"]
        lines += _lines_of(trace, index)
    return "\n".join(lines) + "\n"


def _lines_of(trace: Trace, index: int) -> list[str]:
    script = parse_scenario(trace.facts["script"])
    labels = {0: "before the first step", **{step.number: label_of(step) for step in script.steps}}
    state = begin(trace)
    state.partition = index
    of_step: dict[int, list[Event]] = {step: [] for step in labels}
    for event in map(trace.event, range(len(trace))):
        if event.get("partition") in (None, index):
            of_step[event.position].append(event)
    lines: list[str] = []
    for step, label in labels.items():
        lines += ["", f"step {step}: {label}"]
        for event in of_step[step]:
            state.apply(event)
            if event.kind in _TOLD and step > 0:
                lines.append(f"  {event.at // 1_000_000:>6} ms  {_tell(state, event)}")
        lines += _state_lines(state)
    return lines


@pytest.fixture
def timeline() -> Callable[[Trace], str]:
    return timeline_of


@pytest.fixture
def replay() -> Callable[[Trace, int], Replay]:
    return replay_to


@pytest.fixture
def start_replay() -> Callable[[Trace], Replay]:
    return begin


@pytest.fixture(scope="session")
def start_replay_of() -> Callable[[Trace], Replay]:
    """The same for property tests, whose fixtures may not be made anew for each example."""
    return begin
