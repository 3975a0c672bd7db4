"""How the voters of the metadata quorum elect a leader, commit records, change (KIP-595, KIP-996, KIP-853).

Read in raft/src/main/java/org/apache/kafka/raft at the tags 3.6.2 and 3.7.0; the pre-vote in what
apache/kafka PR 17807 and PR 18240 merged for 4.0; changes of the voters at 3.9.0-rc3 and 4.1.1.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from core.kafka.epochs import Entries, end_of_epoch
from core.kafka.switches import CheckQuorum, PreVote, VoterChange
from core.trace.vocabulary import VoterRefusal

NO_VOTE: Final = -1
"""In the place of a voter's id: none."""
FETCH_TIMEOUT_MS: Final = 2000
"""controller.quorum.fetch.timeout.ms where nobody sets it."""
_CHECK_QUORUM: Final = (3, 2)
"""LeaderState.CHECK_QUORUM_TIMEOUT_FACTOR: 1.5 times the fetch timeout."""
_BACKOFF_BASE_MS: Final = 100
_BACKOFF_MAX_MS: Final = 1_000
_MOST_RETRIES: Final = 20


class LogEnd(NamedTuple):
    """Where a voter's log ends: the epoch of its last record, then its end offset. Greater is further."""

    epoch: int
    offset: int


def is_majority(members: int, voters: int) -> bool:
    """Whether so many members of so many voters are more than half."""
    return members > voters // 2


def grants_vote(
    own: LogEnd, *, candidate: int, candidates_end: LogEnd, voted: int = NO_VOTE, leader: int = NO_VOTE
) -> bool:
    """Whether a voter gives its vote to a candidate of its own epoch.

    Once an epoch, to a candidate whose log goes at least as far as its own, and not where it knows who leads
    the epoch (KafkaRaftClient.handleVoteRequest, EpochState.canGrantVote). Asked again by the one that has
    it, it says yes again.
    """
    if voted != NO_VOTE:
        return voted == candidate
    return leader == NO_VOTE and candidates_end >= own


def grants_pre_vote(own: LogEnd, *, candidates_end: LogEnd, leads: bool, has_fetched: bool) -> bool:
    """Whether a voter says that it would vote for one that has not raised the epoch yet (4.0, KIP-996).

    A leader says no, and so does a follower that has fetched from its leader in this epoch: it has not lost
    the leader. All others compare the logs. Nothing is promised by it.
    """
    return not leads and not has_fetched and candidates_end >= own


def lost_election(rejecting: int, voters: int) -> bool:
    """Whether those that have not refused are no majority any more (EpochElection.isVoteRejected)."""
    return not is_majority(voters - rejecting, voters)


def first_to_ask(rule: PreVote) -> str:
    """What a voter without a leader becomes first: a candidate, or (4.0) one that asks whether it may be."""
    return "prospective" if rule == "asked" else "candidate"


def backoff_bound_ms(retries: int) -> int:
    """Below how many ms a candidate waits after its election number `retries`, of which each counts from 1.

    A random number of tenths of a second, from a range that doubles, at most a second
    (KafkaRaftClient.binaryExponentialElectionBackoffMs, 3.6).
    """
    return min(_BACKOFF_BASE_MS * (2 << min(_MOST_RETRIES, retries - 1)), _BACKOFF_MAX_MS + 1)


def committed_end(ends: Collection[int | None], epoch_start: int, now: int | None) -> int | None:
    """A leader's high watermark: what a majority of the voters holds; None where it does not know one yet.

    `ends` are the log ends that it knows of all voters, its own among them, None of one that has not fetched.
    It must lie above the start of the leader's epoch: only with a record of its own epoch does it commit
    those of epochs before (LeaderState.maybeUpdateHighWatermark). It never goes back.
    """
    known = sorted((-1 if end is None else end for end in ends), reverse=True)
    end = known[len(known) // 2]
    if end <= epoch_start or (now is not None and end <= now):
        return now
    return end


def diverging_end(
    entries: Entries, leo: int, fetch_offset: int, last_epoch: int, *, oldest: LogEnd | None = None
) -> LogEnd | None:
    """What a leader answers a fetch that does not fit its log: an epoch and its end; None where it fits.

    ReplicatedLog.validateOffsetAndEpoch. A fetch from offset 0 of a log that begins there always fits. With
    snapshots (3.0, KIP-630) `oldest` is the earliest: an epoch that ends where this one does, below all of
    the log, is answered with this one's (KafkaMetadataLog.endOffsetForEpoch).
    """
    if fetch_offset == 0:
        return None
    known = end_of_epoch(entries, leo, last_epoch, "lowest-start")
    epoch, offset = known.epoch, known.offset
    if oldest is not None and (last_epoch, oldest.offset) == (epoch, offset):
        epoch = oldest.epoch
    if epoch == last_epoch and offset >= fetch_offset:
        return None
    return LogEnd(epoch, offset)


def cut_to(entries: Entries, leo: int, answer: LogEnd) -> int:
    """Where a follower cuts its log on such an answer (KafkaMetadataLog.truncateToEndOffset)."""
    if answer.epoch == 0:
        return min(answer.offset, leo)
    own = end_of_epoch(entries, leo, answer.epoch, "lowest-start")
    return min(own.offset, answer.offset) if own.epoch == answer.epoch else own.offset


def check_quorum_ns(fetch_timeout_ns: int) -> int:
    """How long a leader waits for fetches of a majority before it resigns, in ns (3.7, KAFKA-15489)."""
    numerator, denominator = _CHECK_QUORUM
    return fetch_timeout_ns * numerator // denominator


def resigns(rule: CheckQuorum, voters: int, silent_ns: int, fetch_timeout_ns: int) -> bool:
    """Whether a leader resigns to which no majority of the voters has come to fetch for so long.

    To 3.6 it leads on for as long as it hears of no later epoch: cut off from the others it takes itself for
    the leader beside the one that they elect (KAFKA-15489). An only voter waits for nobody.
    """
    return rule == "resigns" and voters > 1 and silent_ns >= check_quorum_ns(fetch_timeout_ns)


def fetched_by_majority(fetching: Collection[int], voters: int, *, with_leader: bool = True) -> bool:
    """Whether those voters that have fetched are a majority (3.7, LeaderState).

    The leader counts itself, but not (3.9) where it is no voter any more.
    """
    return len(fetching) >= voters // 2 + (0 if with_leader else 1)


def is_caught_up(fetch_offset: int, leo: int, leo_before: int | None) -> bool:
    """Whether a fetch shows that a member has caught up with its leader.

    It asks for the leader's log end, or for what that was at its fetch before (3.9,
    LeaderState.ReplicaState.updateFollowerState). Who has once caught up may become a voter, if it has
    fetched within the last hour (LeaderState.isReplicaCaughtUp).
    """
    return fetch_offset >= leo or (leo_before is not None and 0 < leo_before <= fetch_offset)


def refusal(
    rule: VoterChange,
    voters: Collection[int],
    who: int,
    *,
    adds: bool,
    committed: int | None,
    changed_at: int,
    answers: bool,
    caught_up: bool,
) -> VoterRefusal | None:
    """Why a leader does not add or remove a voter; None where it writes the record of that (3.9, KIP-853).

    AddVoterHandler.handleAddVoterRequest and RemoveVoterHandler.handleRemoveVoterRequest. One change at a
    time: the record of before, at `changed_at`, lies below the high watermark `committed`, which is known.
    One that is added answers, and has caught up. The only voter is not removed (VoterSet.removeVoter).
    """
    if rule == "none":
        return VoterRefusal.UNSUPPORTED
    if committed is None or changed_at >= committed:
        return VoterRefusal.PENDING
    if adds and who in voters:
        return VoterRefusal.ALREADY
    if not adds and (who not in voters or len(voters) == 1):
        return VoterRefusal.NONE_SUCH
    if not adds:
        return None
    if not answers:
        return VoterRefusal.UNREACHABLE
    return None if caught_up else VoterRefusal.LAGGING


def preferred_successors(ends: Sequence[tuple[int, int | None]]) -> tuple[int, ...]:
    """The other voters as a leader that resigns names them: whose log is known to go furthest comes first."""
    known = sorted(ends, key=lambda one: -1 if one[1] is None else one[1], reverse=True)
    return tuple(voter for voter, _ in known)


def successor_waits_ms(place: int, successors: int) -> int:
    """How long a voter that is named waits until it is a candidate: the first not at all, then 2^n apart.

    KafkaRaftClient.endEpochElectionBackoff and strictExponentialElectionBackoffMs.
    """
    if place <= 0:
        return 0
    base = _BACKOFF_MAX_MS >> (successors - 1)
    return min(_BACKOFF_MAX_MS, base << (place - 1))
