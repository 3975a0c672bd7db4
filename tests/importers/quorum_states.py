"""What the samples of the quorum's rules state: from the texts, and what KafkaRaftClient means by them."""

from core.trace.vocabulary import Basis, QuorumRole, VoterRefusal
from importers.kafka.drafts import Said

QUORUM = ("__cluster_metadata", 0)


def seeks(broker: int, epoch: int, role: QuorumRole) -> list[Said]:
    return [Said("quorum_role_changed", QUORUM, broker=broker, epoch=epoch, aux=role)]


def votes(voter: int, asks: int, epoch: int, answer: int, end: int) -> list[Said]:
    """The answer, and the end of the log of who asks, as he states it."""
    return [
        Said("vote_answered", QUORUM, broker=voter, leader=asks, epoch=epoch, aux=answer),
        Said(
            "leo_sample", QUORUM, broker=voter, replica=asks, leo=end, at_least=("leo",), basis=Basis.REPORTED
        ),
    ]


QUORUM_STATES: dict[str, list[list[Said]]] = {
    "raft-starting": [[Said("quorum_member_starting", QUORUM, broker=1)]],
    "raft-stopped-to-3.8": [[Said("quorum_member_stopped", QUORUM, broker=3)]],
    "raft-stopped": [[Said("quorum_member_stopped", QUORUM, broker=102)]],
    "raft-leads": [
        [Said("became_leader", QUORUM, broker=1, leader=1, epoch=1, leo=0)],
        [Said("became_leader", QUORUM, broker=3, leader=3, epoch=2, leo=32)],
    ],
    "raft-follows": [
        [Said("became_follower", QUORUM, broker=1, leader=2, epoch=1)],
        *([[Said("became_follower", QUORUM, broker=1, leader=3, epoch=2)]] * 2),
    ],
    "raft-seeks": [
        seeks(1, 0, QuorumRole.UNATTACHED),
        seeks(1, 2, QuorumRole.VOTED),
        seeks(2, 0, QuorumRole.PROSPECTIVE),
        seeks(100, 1, QuorumRole.CANDIDATE),
        seeks(2, 1, QuorumRole.RESIGNED),
    ],
    # Voter 1 has not fetched yet; what the leader says of itself is not a follower's log.
    "raft-leader-watermark": [
        [
            Said("hw_sample", QUORUM, broker=3, hw=33),
            Said("follower_leo_recorded", QUORUM, broker=3, replica=2, leader=3, leo=33),
        ],
        [
            Said("hw_sample", QUORUM, broker=1, hw=3),
            Said("follower_leo_recorded", QUORUM, broker=1, replica=2, leader=1, leo=3),
        ],
    ],
    "raft-watermark": [[Said("hw_sample", QUORUM, broker=1, hw=9)]],
    "raft-vote": [votes(2, 3, 1, 3, 32), votes(1, 2, 4, 0, 120)],
    "raft-voters": [
        [Said("voters_changed", QUORUM, broker=3, offset=2, isr=(100,))],
        [Said("voters_changed", QUORUM, broker=1, offset=57, isr=(1, 3))],
    ],
    "raft-voter-refused": [
        [Said("voter_change_refused", QUORUM, broker=1, replica=4, aux=VoterRefusal.LAGGING)],
        [Said("voter_change_refused", QUORUM, broker=1, replica=4, aux=VoterRefusal.UNREACHABLE)],
    ],
    "raft-cut": [[Said("truncated", QUORUM, broker=1, offset=120)]],
    "raft-from-snapshot": [[Said("log_reset", QUORUM, broker=3, offset=158)]],
}
