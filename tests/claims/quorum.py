"""Sentences on the metadata quorum, of simulated ones and of real clusters (KIP-595)."""

from core.trace.trace import Event
from core.trace.vocabulary import QuorumRole, VoterRefusal
from tests.claims.claim import At, claim

ROLES = {
    "unattached": QuorumRole.UNATTACHED,
    "voted": QuorumRole.VOTED,
    "prospective": QuorumRole.PROSPECTIVE,
    "candidate": QuorumRole.CANDIDATE,
    "resigned": QuorumRole.RESIGNED,
}
VOTES = {"refused": 0, "granted": 1, "would-refuse": 2, "would-grant": 3}


def _of_quorum(at: At) -> bool:
    return at.run.trace.partitions[at.run.partition].tp.topic == "__cluster_metadata"


def _says(at: At) -> bool:
    """Every value of the sentence is that of the row."""
    said, event = at.said, at.event
    numbers = {"epoch": "epoch", "end": "leo", "hw": "hw"}
    right = [at.number(name) == event.get(column) for name, column in numbers.items() if name in said]
    if "leader" in said:
        right.append(at.is_broker("leader", event.get("leader")))
    if "who" in said:
        right.append(at.is_broker("who", event.get("leader") if "lead" in at.message.id else at.who))
    return _of_quorum(at) and all(right)


@claim(
    "why.quorum.leads.title",
    "why.quorum.begins",
    "why.quorum.elected",
    "why.quorum.follows.title",
    "why.quorum.follows",
    "why.rule.quorum.follows",
    "why.rule.quorum.leader",
    "why.quorum.seeks.title",
    "why.quorum.starting.title",
    "why.quorum.starting",
    "why.quorum.stopped.title",
    "why.quorum.stopped",
    "why.rule.quorum.appended",
    "why.quorum.watermark.leader",
    "why.quorum.watermark.follower",
    "why.rule.quorum.watermark",
    "why.since.quorum",
    by_lines=True,
)
def the_quorum_has_that(at: At) -> bool:
    """The row is of the quorum's log, and states what the sentence says of it."""
    told = {
        "why.quorum.begins": ("became_leader",),
        "why.quorum.elected": ("leader_elected",),
        "why.quorum.leads.title": ("became_leader", "leader_elected"),
        "why.quorum.follows": ("became_follower",),
        "why.quorum.follows.title": ("became_follower",),
        "why.quorum.seeks.title": ("quorum_role_changed",),
        "why.quorum.starting": ("quorum_member_starting",),
        "why.quorum.stopped": ("quorum_member_stopped",),
    }
    kinds = told.get(at.message.id)
    named = at.message.id == "why.quorum.elected" and at.is_broker("who", at.event.get("leader"))
    return (kinds is None or at.event.kind in kinds) and (named or _says(at))


@claim(*(f"why.quorum.{role}" for role in ROLES), by_lines=True)
def it_knows_no_leader(at: At) -> bool:
    return (
        at.event.kind == "quorum_role_changed" and at.event.get("aux") == ROLES[at.message.id.split(".")[-1]]
    )


@claim(*(f"why.quorum.vote.{vote}.title" for vote in VOTES), by_lines=True)
def it_answers_so(at: At) -> bool:
    answer = VOTES[at.message.id.split(".")[-2]]
    return at.event.kind == "vote_answered" and at.event.get("aux") == answer and _says(at)


@claim("why.quorum.vote.granted", "why.quorum.vote.refused", by_lines=True)
def so_it_answers(at: At) -> bool:
    """The answer's last bit says whether it votes; whose log goes further no line of the voter says."""
    granted = at.message.id.endswith("granted")
    right = (at.event.get("aux") or 0) % 2 == granted
    return at.event.kind == "vote_answered" and right and at.is_broker("leader", at.event.get("leader"))


@claim("why.rule.quorum.pre-vote", "why.since.quorum.pre-vote", by_lines=True)
def it_asks_before(at: At) -> bool:
    """A pre-vote, or a member that is about to ask for one; from 4.0 on."""
    answer = at.event.get("aux")
    return answer in (2, 3) if at.event.kind == "vote_answered" else answer == QuorumRole.PROSPECTIVE


REFUSED = {
    "unsupported": VoterRefusal.UNSUPPORTED,
    "pending": VoterRefusal.PENDING,
    "already": VoterRefusal.ALREADY,
    "none-such": VoterRefusal.NONE_SUCH,
    "unreachable": VoterRefusal.UNREACHABLE,
    "lagging": VoterRefusal.LAGGING,
}


def _set(at: At, event: Event) -> tuple[int, ...]:
    return tuple(int(one) for one in at.run.trace.isrs[event.values["isr"]])


@claim("why.quorum.voters.title", "why.quorum.voters.record.title", "why.quorum.voters", by_lines=True)
def the_record_names_them(at: At) -> bool:
    """The row has these voters; where they are counted, so many."""
    told, reader = _set(at, at.event), at.event.get("replica")
    right = [at.event.kind == "voters_changed", _of_quorum(at)]
    if "voters" in at.said:
        right.append(at.brokers("voters") == told)
        right.append((reader is None) == at.message.id.endswith("record.title"))
    if "who" in at.said:
        right.append(at.is_broker("who", reader))
    if "count" in at.said:
        right.append(at.number("count") == len(told))
    return all(right)


@claim("why.quorum.refused.title", *(f"why.quorum.refused.{why}" for why in REFUSED), by_lines=True)
def the_leader_refuses(at: At) -> bool:
    """The row is of a refusal, for that reason, and about that controller."""
    reason = REFUSED.get(at.message.id.split(".")[-1])
    right = [at.event.kind == "voter_change_refused", _of_quorum(at)]
    right.append(reason is None or at.event.get("aux") == reason)
    if "who" in at.said:
        right.append(at.is_broker("who", at.event.get("replica")))
    return all(right)


@claim("why.rule.quorum.voters", "why.since.quorum.voters", by_lines=True)
def one_voter_at_a_time(at: At) -> bool:
    """A record differs by one voter from those that it comes after, in the log of the quorum."""
    if at.event.kind == "voter_change_refused":
        return _of_quorum(at)
    trace = at.run.trace
    earlier = [
        event
        for event in map(trace.event, range(at.event.seq))
        if event.kind == "voters_changed" and event.values["offset"] < at.event.values["offset"]
    ]
    last = max(earlier, key=_offset, default=None)
    before = trace.partitions[at.run.partition].replicas if last is None else _set(at, last)
    return len({int(one) for one in before} ^ set(_set(at, at.event))) <= 1


@claim("why.quorum.snapshot.title", "why.quorum.snapshot")
def it_stands_for_what_is_committed(at: At) -> bool:
    """Up to the member's high watermark, with the epoch of the record before."""
    event, one = at.event, at.after.of(at.who)
    right = [event.kind == "snapshot_written", _of_quorum(at), event.values["offset"] == one.hw]
    if "end" in at.said:
        right += [at.number("end") == event.values["offset"], at.is_broker("who", at.who)]
    if "epoch" in at.said:
        right.append(at.number("epoch") == one.log[event.values["offset"] - one.start - 1][1])
    return all(right)


@claim("why.quorum.from-snapshot")
def its_leader_has_that_snapshot(at: At) -> bool:
    """The leader, or who led before, has written a snapshot that ends there, or was given it."""
    to, trace = at.event.values["offset"], at.run.trace
    earlier = map(trace.event, range(at.event.seq))
    ends = [one.get("offset") for one in earlier if one.kind == "snapshot_written"]
    return at.event.kind == "log_reset" and _of_quorum(at) and at.number("to") == to and to in ends


@claim("why.rule.quorum.snapshot", "why.since.quorum.snapshot")
def a_snapshot_in_place_of_records(at: At) -> bool:
    """A member that drops its log has had nothing at the end of the snapshot, which goes further."""
    if at.event.kind == "snapshot_written":
        return _of_quorum(at)
    one = at.before.of(at.who)
    return _of_quorum(at) and one.end < at.event.values["offset"] == at.after.of(at.who).start


def _offset(event: Event) -> int:
    return event.values["offset"]
