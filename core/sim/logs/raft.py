"""What the voters of a simulated metadata quorum print, and what stands in the log that they keep.

The records of a written log begin with some that a simulation does not have (features, topics): its offsets
are some further.
"""

from dataclasses import replace
from typing import Any

from core.kafka.raft import check_quorum_ns
from core.sim.logs import kraft, life, metadata, raft_states
from core.sim.logs.names import CLUSTER_ID, directory_id
from core.sim.logs.quorum_book import NO_NODE, Member, QuorumBook
from core.sim.logs.scribe import Scribe, port, say
from core.trace.trace import Event
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import CutReason, QuorumRole, VoterRefusal


def begin(scribe: Scribe, book: QuorumBook) -> None:
    """The voters of a new cluster start, and elect the first of them in epoch 1."""
    first, *others = book.members
    for node in book.members:
        say(scribe, node, "raft-starting")
        _enter(scribe, book, node, QuorumRole.UNATTACHED, 0)
    book.members[first].voted = first
    _enter(scribe, book, first, QuorumRole.CANDIDATE, 1)
    _lead(scribe, book, first, 1, 0)
    for node in others:
        _follow(scribe, book, node, first, 1)
    book.members[first].ends = {one: 1 for one in others if one in book.members[first].voters}
    for node in book.members:
        _watermark(scribe, book, node, 1)


def settle(scribe: Scribe, book: QuorumBook, told: list[Event]) -> None:
    """All that was there before the first step is written: from now on offsets are so much further."""
    for event in told:
        if event.kind == "appended" and event.get("partition") == book.partition:
            _note(book, event, scribe.created_at)
    first = next(iter(book.members.values()))
    book.shift = kraft.log_of(scribe).end - len(first.log)


def stamp(scribe: Scribe, book: QuorumBook, before: int) -> None:
    """Records bear the time at which their leader wrote them, not that at which they are committed."""
    entries = kraft.log_of(scribe).entries
    for offset in range(before, len(entries)):
        at = book.written.get((entries[offset].raft_epoch, offset - book.shift), entries[offset].at)
        entries[offset] = replace(entries[offset], at=at)


def held(scribe: Scribe, node: int) -> int | None:
    """How many records of the log a voter holds at the end; None for another node, or without a quorum."""
    book = scribe.quorum
    member = None if book is None else book.members.get(node)
    return None if book is None or member is None else book.end_of(node)


def base(scribe: Scribe, node: int) -> int:
    """The offset at which the first segment of a node's metadata log begins."""
    book = scribe.quorum
    member = None if book is None else book.members.get(node)
    return 0 if book is None or member is None or not member.base else member.base + book.shift


def on_event(scribe: Scribe, book: QuorumBook, event: Event) -> None:
    """Tell of an event of the quorum."""
    node, get = event.values.get("replica", NO_NODE), event.get
    member, epoch = book.members.get(node, Member()), get("epoch") or 0
    match event.kind:
        case "appended" | "truncated" | "log_loaded" | "log_reset" | "log_start_moved" | "snapshot_written":
            _log_changes(scribe, book, event)
        case "became_leader":
            _lead(scribe, book, node, epoch, book.end_of(node))
            metadata.put_leader(kraft.log_of(scribe), scribe.at, epoch, node, member.voters)
        case "became_follower":
            _follow(scribe, book, node, get("leader") or NO_NODE, epoch)
        case "quorum_role_changed":
            _seek(scribe, book, node, event)
        case "vote_answered":
            _answer(scribe, book, node, event)
        case "follower_leo_recorded":
            book.members[event.values["broker"]].ends[node] = event.values["leo"] + book.shift
        case "voters_changed":
            _change_voters(scribe, book, node, event)
        case "voter_change_refused":
            _refuse(scribe, event)
        case "hw_moved":
            _watermark(scribe, book, node, event.values["hw"] + book.shift)
        case _:
            _on_process(scribe, book, event)


def _on_process(scribe: Scribe, book: QuorumBook, event: Event) -> None:
    node = event.values.get("replica", NO_NODE)
    if event.kind == "broker_crashed":
        life.go_down(scribe, node)
    elif event.kind == "broker_starting":
        scribe.life(node).gone_at = None
        kraft.start_controller(scribe, node)
        say(scribe, node, "raft-starting")
        member = book.members[node]
        member.state, member.knows_hw, member.ends, member.leads = "null", False, {}, False
    elif event.kind == "controller_elected":
        scribe.controller, scribe.controller_epoch = node, event.get("epoch") or 0
        kraft.say_active(scribe, kraft.log_of(scribe).end)


def _note(book: QuorumBook, event: Event, at: int) -> None:
    member, values = book.members[event.values["replica"]], event.values
    member.log += [values["epoch"]] * (values["offset"] - values["from_offset"])
    for offset in range(values["from_offset"], values["offset"]):
        if values["replica"] == member.leader or at < 0:
            book.written[values["epoch"], offset] = at


def _log_changes(scribe: Scribe, book: QuorumBook, event: Event) -> None:
    member = book.members[event.values["replica"]]
    if event.kind == "appended":
        _note(book, event, scribe.at)
        return
    if event.kind not in ("truncated", "log_loaded"):
        _on_snapshot(scribe, book, event)
        return
    del member.log[event.values["leo"] :]
    if event.kind == "truncated":
        to = event.values["offset"] + book.shift
        say(scribe, event.values["replica"], "raft-cut", to=to, leader=member.leader)


def _on_snapshot(scribe: Scribe, book: QuorumBook, event: Event) -> None:
    """A snapshot is written; the log below one is deleted; a follower drops its log for one (KIP-630)."""
    node = event.values["replica"]
    member = book.members[node]
    if event.kind == "log_start_moved":
        say(scribe, node, "raft-log-start", to=event.values["log_start"] + book.shift)
        return
    to = event.values["offset"] + book.shift
    if event.kind == "snapshot_written":
        epoch = event.values["epoch"]
        say(scribe, node, "raft-snapshot", last=to - 1, epoch=epoch, name=f"{to:020d}-{epoch:010d}")
        say(scribe, node, "raft-snapshot-written", name=f"{to:020d}-{epoch:010d}")
    elif event.get("aux") == CutReason.RECOVERY:
        member.log, member.base, member.voted = [], 0, NO_NODE
    else:
        member.base = event.values["offset"]
        member.log = book.members[member.leader].log[: member.base]
        words: dict[str, Any] = {"to": to, "epoch": member.log[-1], "leader": member.leader}
        say(scribe, node, "raft-fetching-snapshot", **words)
        say(scribe, node, "raft-from-snapshot", **words)


def _lead(scribe: Scribe, book: QuorumBook, node: int, epoch: int, start: int) -> None:
    member = book.members[node]
    member.epoch, member.leader, member.leads, member.knows_hw, member.ends = epoch, node, True, False, {}
    _transition(scribe, book, node, raft_states.leader(scribe, book, node, start))


def _follow(scribe: Scribe, book: QuorumBook, node: int, leader: int, epoch: int) -> None:
    member = book.members[node]
    if epoch != member.epoch:
        member.voted = NO_NODE
    member.epoch, member.leader, member.leads = epoch, leader, False
    _transition(scribe, book, node, raft_states.follower(scribe, book, node))


def _seek(scribe: Scribe, book: QuorumBook, node: int, event: Event) -> None:
    member, role = book.members[node], QuorumRole(event.get("aux") or QuorumRole.UNATTACHED)
    if role == QuorumRole.RESIGNED and member.leads:
        _resign(scribe, book, node)
    if event.get("epoch") != member.epoch:
        member.voted, member.leader = NO_NODE, NO_NODE
    if role == QuorumRole.CANDIDATE:
        member.voted = node
    vote = scribe.trace.event(event.seq + 1) if event.seq + 1 < len(scribe.trace) else event
    if vote.kind == "vote_answered" and vote.get("replica") == node and vote.get("aux") == 1:
        member.voted = vote.values["leader"]
    _enter(scribe, book, node, role, event.get("epoch") or 0)


def _change_voters(scribe: Scribe, book: QuorumBook, node: int, event: Event) -> None:
    """A controller has a record of who votes; the one that leads has written it just now."""
    member = book.members[node]
    member.voters = tuple(sorted(int(one) for one in scribe.trace.isrs[event.values["isr"]]))
    offset = event.values["offset"] + book.shift
    say(scribe, node, "raft-voters", voters=raft_states.voter_set(member), offset=offset)
    if member.leads:
        ports = {one: port(one) for one in member.voters}
        metadata.put_voters(kraft.log_of(scribe), scribe.at, member.epoch, ports)


def _refuse(scribe: Scribe, event: Event) -> None:
    """What a leader prints as it adds no voter. Other refusals it only answers."""
    leader, who = event.values["broker"], event.values["replica"]
    whys = {
        VoterRefusal.LAGGING: "it is lagging behind: Optional.empty",
        VoterRefusal.UNREACHABLE: "API_VERSIONS returned an error BROKER_NOT_AVAILABLE",
    }
    why = whys.get(VoterRefusal(event.values["aux"]))
    if why is not None:
        key, where = raft_states.key(who), raft_states.endpoints(who)
        say(scribe, leader, "raft-voter-refused", key=key, where=where, why=why)


def _enter(scribe: Scribe, book: QuorumBook, node: int, role: QuorumRole, epoch: int) -> None:
    """A voter is without a leader from now on."""
    member = book.members[node]
    member.epoch, member.leads = epoch, False
    _transition(scribe, book, node, raft_states.seeking(scribe, book, node, role))


def _resign(scribe: Scribe, book: QuorumBook, node: int) -> None:
    """Why a leader resigns."""
    member = book.members[node]
    keys = f"[{', '.join(raft_states.key(one) for one in member.voters)}]"
    if node not in member.voters:
        say(scribe, node, "raft-no-voter", keys=keys, epoch=member.epoch)
        return
    limit = check_quorum_ns(book.plan.fetch_timeout_ns) // MILLISECOND_NS
    say(scribe, node, "raft-not-fetched", limit_ms=limit, keys=keys)


def _answer(scribe: Scribe, book: QuorumBook, node: int, event: Event) -> None:
    asks, aux = event.values["leader"], event.get("aux") or 0
    log = book.members[asks].log
    words: dict[str, Any] = {
        "cluster": CLUSTER_ID,
        "epoch": event.get("epoch"),
        "asks": asks,
        "asks_directory": directory_id(asks),
        "last_epoch": log[-1] if log else 0,
        "leo": book.end_of(asks),
        "pre_vote": "true" if aux > 1 else "false",
        "vote": "granted" if aux % 2 else "rejected",
    }
    say(scribe, node, "raft-vote", **words)


def _watermark(scribe: Scribe, book: QuorumBook, node: int, hw: int) -> None:
    """A leader says its first high watermark of an epoch, a follower the first one since its start."""
    member = book.members[node]
    if member.knows_hw:
        return
    member.knows_hw = True
    if not member.leads:
        say(scribe, node, "raft-watermark", hw=hw, epoch=member.epoch)
        return
    own = max(book.end_of(node), hw)
    ends = {one: own if one == node else member.ends.get(one) for one in member.voters}
    order = sorted(ends, key=lambda one: -1 if ends[one] is None else ends[one] or 0, reverse=True)
    told = ", ".join(raft_states.replica(scribe, one, ends[one], node) for one in order)
    index = len(member.voters) // 2
    say(scribe, node, "raft-leader-watermark", hw=hw, epoch=member.epoch, index=index, ends=told)


def _transition(scribe: Scribe, book: QuorumBook, node: int, state: str) -> None:
    member = book.members[node]
    say(scribe, node, "raft-state", state=state, state_before=member.state)
    member.state = state
