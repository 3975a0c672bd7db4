"""What samples of rules state (KRaft: kraft_states.py): from the texts, and what Kafka means by them."""

from core.trace.vocabulary import CutReason, Election, StopReason, TierDeletion
from importers.kafka.drafts import Said
from importers.kafka.requests import request_key
from tests.importers.kraft_states import CLICKS_ID, KRAFT_STATES
from tests.importers.quorum_states import QUORUM_STATES

ORDERS, CLICKS, T1 = ("orders", 0), ("clicks", 1), ("t1", 0)
LEDGER, MOVES, TRADES = ("ledger", 0), ("moves", 0), ("trades", 0)


def added(tp: tuple[str, int], broker: int, leader: int, epoch: int, offset: int, topic_id: str) -> Said:
    return Said(
        "fetcher_added", tp, broker=broker, leader=leader, epoch=epoch, offset=offset, topic_id=topic_id
    )


LOG_STATES: dict[str, list[list[Said]]] = {
    "log-loaded-1.0.2": [[Said("log_loaded", ("trades", 1), leo=30, log_start=0)]],
    # highWatermark=0 in the text is a default, not a statement
    "log-loaded-2.6": [
        [Said("log_loaded", ("clicks", 2), leo=251, log_start=0)],
        [Said("log_loaded", LEDGER, leo=26, log_start=3, topic_id="pmtMAnWcQ6-BgvYr-m5KvA")],
        # what is below 20 lies in the remote tier alone
        [
            Said("log_loaded", LEDGER, leo=26, log_start=3, topic_id="pmtMAnWcQ6-BgvYr-m5KvA"),
            Said("local_start_moved", LEDGER, offset=20),
        ],
    ],
    "truncated-1.0.2": [[Said("truncated", ("audit", 0), offset=257)]] * 3,
    # the largest offset is one below the log end
    "truncation-noop-1.0.2": [
        [Said("truncation_noop", ORDERS, offset=0, leo=0)],
        *([[Said("truncation_noop", ORDERS, offset=42, leo=41)]] * 2),
    ],
    # The batches from there on are gone when the log is loaded
    "log-cut-by-recovery": [[Said("unclean_restart_detected", ORDERS, offset=41)]] * 3,
    "recovering-1.0.2": [
        [Said("unclean_restart_detected", ("clicks", 2))],
        *([[Said("unclean_restart_detected", ("events", 2))]] * 2),
    ],
    "producer-snapshot": [
        [Said("leo_sample", ("clicks", 2), leo=251, at_least=("leo",))],
        *([[Said("leo_sample", CLICKS, leo=46, at_least=("leo",))]] * 2),
    ],
    "producer-snapshot-0.11": [[Said("leo_sample", CLICKS, leo=46, at_least=("leo",))]],
    "hw-lowered": [[Said("hw_moved", ("clicks", 0), hw=56)], *([[Said("hw_moved", ORDERS, hw=201)]] * 2)],
    "log-start-moved": [
        [Said("log_start_moved", MOVES, log_start=183)],
        [Said("log_start_moved", MOVES, log_start=100)],
        [Said("log_start_moved", ("clicks", 0), log_start=11)],
    ],
    "log-start-moved-0.11": [[Said("log_start_moved", MOVES, log_start=100)]],
    "segment-rolled": [
        [Said("segment_rolled", MOVES, offset=158)],
        *([[Said("segment_rolled", CLICKS, offset=46)]] * 2),
    ],
    "log-set-aside": [
        [Said("log_deleted", MOVES)],
        *([[Said("log_deleted", ("temp", 0))]] * 2),
        [Said("log_deleted", MOVES)],
    ],
    "log-deleted": [[Said("log_deleted", ORDERS)]],
    "log-dir-failed": [
        [Said("log_dir_failed", ORDERS, broker=1), Said("log_dir_failed", CLICKS, broker=1)],
        [Said("log_dir_failed", ORDERS)],
        [Said("log_dir_failed", ORDERS, broker=1)],
        [Said("log_dir_failed", broker=1)],
        [Said("log_dir_failed")],
        [Said("log_dir_failed", ORDERS), Said("log_dir_failed", CLICKS)],
        [Said("log_dir_failed", broker=1)],
        [Said("log_dir_failed", ORDERS, broker=1), Said("log_dir_failed", CLICKS, broker=1)],
    ],
    "disk-halt-0.8": [[Said("broker_exited")]] * 7,
    "disk-halt": [[Said("broker_exited")]] * 5,
    # the log begins anew where the remote tier ends, and all of it can be read from 3 on
    "tier-restored": [
        [
            Said("log_start_moved", ORDERS, log_start=3),
            Said("leo_sample", ORDERS, leo=500),
            Said("local_start_moved", ORDERS, offset=500),
        ]
    ],
    # a line names the last offset of the segment
    "tier-deleted-below": [[Said("tier_deleted", ORDERS, offset=7, aux=TierDeletion.LOG_START)]],
    "tier-deleted-no-epoch": [[Said("tier_deleted", ORDERS, offset=4, aux=TierDeletion.NO_EPOCH)]] * 2,
    "tier-built": [[Said("local_start_moved", ORDERS, offset=500)]],
    "local-start-moved": [
        [Said("local_start_moved", T1, offset=100)],
        [Said("local_start_moved", ORDERS, offset=100)],
    ],
    "log-moved": [[Said("log_moved", ORDERS)]] * 2,
    "all-log-dirs-failed": [[Said("broker_exited")]],
    "epoch-appended": [[Said("epoch_assigned", T1, epoch=1, offset=60, aux=2)]] * 2,
    "epochs-cut-2.1": [[Said("epoch_cache_cut", ORDERS, offset=30, aux=2)]],
    # nothing is left of it
    "epochs-lost": [[Said("epoch_cache_cut", ORDERS, offset=0, aux=0)]] * 4,
}
REPLICA_STATES: dict[str, list[list[Said]]] = {
    "isr-shrinking": [
        [
            Said("isr_shrink_proposed", CLICKS, broker=2, leader=2, isr=(2,), hw=20, leo=30),
            # -1 is a follower that the leader knows nothing of
            Said("follower_leo_recorded", CLICKS, broker=2, replica=3, leader=2, leo=20),
        ],
        [Said("isr_shrink_proposed", ORDERS, broker=1, leader=1, isr=(1,))],
        [
            Said("isr_shrink_proposed", ("metrics", 1), broker=2, leader=2, isr=(2,), hw=216, leo=218),
            Said("follower_leo_recorded", ("metrics", 1), broker=2, replica=1, leader=2, leo=216),
            Said("follower_leo_recorded", ("metrics", 1), broker=2, replica=3, leader=2, leo=216),
        ],
    ],
    "isr-updated": [
        *([[Said("isr_committed", CLICKS, broker=2, leader=2, isr=(2, 1), partition_epoch=3)]] * 2),
        [Said("isr_committed", CLICKS, broker=2, leader=2, isr=(2,), partition_epoch=3)],
    ],
    "leader-starts-2.5": [[Said("became_leader", ORDERS, broker=1, leader=1, epoch=5, leo=42, hw=40)]],
    "isr-rejected": [[Said("isr_update_rejected", ORDERS, broker=1)]] * 7,
    "isr-updated-0.8": [
        [Said("isr_committed", T1, broker=1, leader=1, isr=(3, 1), partition_epoch=5)],
        [Said("isr_committed", T1, broker=1, leader=1, isr=(1, 2), partition_epoch=1)],
    ],
}
FETCH_STATES: dict[str, list[list[Said]]] = {
    "fetcher-added-2.1": [
        [Said("fetcher_added", ORDERS, broker=1, leader=2, epoch=2, offset=30)],
        [
            Said("fetcher_added", ORDERS, broker=1, leader=2, epoch=2, offset=30),
            Said("fetcher_added", ("orders", 1), broker=1, leader=2, epoch=0, offset=7),
        ],
    ],
    "fetcher-added-2.7": [
        [added(("clicks", 0), 3, 1, 0, 41, CLICKS_ID)],
        [added(ORDERS, 3, 2, 1, 10, "8VSRivgKSmSC3x9iq5VHEw")],
        [
            Said("fetcher_added", ORDERS, broker=2, leader=1, epoch=2, offset=259),
            Said("fetcher_added", ("orders", 1), broker=2, leader=1, epoch=0, offset=0),
        ],
        [added(("carts", 2), 1, 3, 4, 16, "sa13CsJbRGiPllj0nHH9wA")],
    ],
    # below the leader's log start the whole log goes
    "fetch-offset-reset": [
        [Said("log_reset", ORDERS, broker=1, from_offset=54, offset=206, aux=CutReason.RESET)],
        [Said("fetch_offset_reset", ORDERS, broker=1, leader=2, from_offset=254, offset=206)],
    ],
    "fetch-offset-reset-1.0": [
        [Said("log_reset", ("clicks", 0), broker=3, from_offset=41, offset=60, aux=CutReason.RESET)],
        [Said("fetch_offset_reset", ORDERS, broker=1, leader=2, from_offset=251, offset=201)],
    ],
    "cut-to-high-watermark": [
        [Said("truncation_decided", tp, broker=broker, offset=hw, hw=hw, aux=CutReason.LOCAL_HIGH_WATERMARK)]
        for tp, broker, hw in ((CLICKS, 1, 0), (ORDERS, 2, 203))
    ],
    "epoch-unknown": [
        [Said("truncation_decided", TRADES, broker=2, offset=7, hw=7, aux=CutReason.LOCAL_HIGH_WATERMARK)],
        [Said("truncation_decided", ORDERS, offset=0, hw=0, aux=CutReason.LOCAL_HIGH_WATERMARK)],
    ],
    "epoch-unreachable": [
        [Said("epoch_end_failed", ("cart", 0), broker=2, leader=1, aux=StopReason.UNREACHABLE)],
        [
            Said("epoch_end_failed", ORDERS, leader=1, aux=StopReason.UNREACHABLE),
            Said("epoch_end_failed", CLICKS, leader=1, aux=StopReason.UNREACHABLE),
        ],
    ],
    "fetch-ahead": [
        [
            Said(
                "fetch_failed",
                ORDERS,
                broker=broker,
                leader=leader,
                epoch=epoch,
                aux=StopReason.UNKNOWN_LEADER_EPOCH,
            )
        ]
        for broker, leader, epoch in ((3, 2, 1), (2, 1, 6))
    ],
    # the state says where the cut goes; 36 is where the leader's epoch ends
    "cut-by-epoch": [
        [Said("truncation_decided", LEDGER, broker=1, epoch=0, offset=20, aux=CutReason.LEADER_EPOCH)]
    ],
    "cut-step": [
        [Said("truncation_decided", ("carts", 2), broker=2, epoch=1, offset=14, aux=CutReason.LEADER_EPOCH)]
    ],
    "cut-to-leader-offset": [
        [Said("truncation_decided", ORDERS, broker=2, epoch=1, offset=20, aux=CutReason.LEADER_EPOCH)]
    ],
    "cut-by-old-protocol": [
        [Said("truncation_decided", ORDERS, broker=2, offset=20, aux=CutReason.LEADER_EPOCH)]
    ],
    "fetch-offset-kept": [
        [Said("fetch_offset_reset", ORDERS, broker=2, leader=3, from_offset=0, offset=0)],
    ],
    "tier-state-missing": [
        [Said("fetch_failed", ORDERS, broker=7, leader=6, aux=StopReason.REMOTE_STATE_MISSING)],
    ],
    "not-leader-1.1": [[Said("fetch_failed", ORDERS, broker=2, leader=1, aux=StopReason.NOT_LEADER)]],
    "fetch-error": [
        # neither says where the log ends
        [Said("fetch_failed", ORDERS, leader=2, aux=StopReason.UNKNOWN)],
        [Said("fetch_failed", ORDERS, broker=3, leader=1, aux=StopReason.UNKNOWN)],
        [Said("fetch_failed", ORDERS, leader=2, offset=42, aux=StopReason.UNKNOWN)],
        *[[Said("fetch_failed", ORDERS, broker=3, leader=1, offset=42, aux=StopReason.UNKNOWN)]] * 3,
        [Said("fetch_failed", ORDERS, broker=2, leader=1, offset=42, aux=StopReason.UNKNOWN)],
    ],
    "follower-starts-below": [
        [Said("log_reset", ("clicks", 0), broker=3, from_offset=60, offset=56, aux=CutReason.RESET)]
    ],
}
TRACE_STATES: dict[str, list[list[Said]]] = {
    "hw-stepped": [
        *([[Said("hw_moved", T1, broker=1, hw=13)]] * 2),
        [Said("hw_moved", T1, broker=1, hw=117)],
        [Said("hw_moved", ORDERS, broker=1, hw=2)],
        [Said("hw_moved", T1, broker=1, hw=13)],
        [Said("hw_moved", T1, broker=1, hw=116)],
    ],
    "hw-set": [[Said("hw_moved", T1, broker=1, hw=88)]] * 2,
    "hw-set-2.4": [[Said("hw_moved", T1, hw=59)], [Said("hw_moved", ORDERS, hw=6)]],
    "hw-stays": [[Said("hw_sample", T1, broker=1, hw=115)]] * 3,
    # the minimum is not larger than what stands: that is at least the minimum
    "hw-stays-1.0": [
        # to 2.3 the one that stands is printed, too
        [Said("leo_sample", T1, broker=1, leo=117), Said("hw_sample", T1, broker=1, hw=116)],
        [
            Said("leo_sample", T1, broker=1, leo=117),
            Said("hw_sample", T1, broker=1, hw=115, at_least=("hw",)),
        ],
        [Said("leo_sample", ORDERS, broker=1, leo=2)],
    ],
    "follower-recorded": [
        [Said("follower_leo_recorded", T1, broker=1, replica=3, leader=1, leo=115)],
        *([[Said("follower_leo_recorded", T1, broker=1, replica=2, leader=1, leo=117)]] * 2),
    ],
    "fetch-delivered": [
        [Said("fetch_delivered", T1, broker=1, leader=2, from_offset=59, hw=88)],
        [Said("fetch_delivered", ORDERS, broker=1, leader=2, from_offset=10, hw=13)],
    ],
    "follower-appended": [
        [Said("leo_sample", T1, broker=1, leo=88)],
        [Said("leo_sample", ORDERS, broker=1, leo=13)],
    ],
    "follower-hw-set": [
        *([[Said("hw_moved", T1, broker=1, hw=88)]] * 2),
        [Said("hw_moved", T1, broker=1, hw=63)],
    ],
    "follower-hw-updated": [[Said("hw_moved", ORDERS, broker=1, hw=13)]],
    "appended": [
        [Said("appended", T1, from_offset=60, offset=89, leo=89)],
        *([[Said("appended", T1, from_offset=0, offset=9, leo=9)]] * 2),
    ],
    "appended-0.8": [[Said("appended", T1, from_offset=59, offset=88, leo=88)]],
    "fetch-sent": [
        [Said("fetch_sent", ORDERS, broker=1, leader=2, epoch=1, offset=13, aux=0)],
        [Said("fetch_sent", T1, broker=1, leader=2, epoch=1, offset=63)],
        [Said("fetch_sent", T1, leader=2, offset=63)],
        [Said("fetch_sent", T1, broker=1, leader=2, offset=63)],
    ],
    # a leader's word of its follower, and of its own high watermark a moment ago
    "request-fetch": [
        [
            Said("fetch_received", ORDERS, replica=2, epoch=3, offset=30),
            Said("hw_sample", ORDERS, hw=28, at_least=("hw",)),
        ],
        [
            Said("fetch_received", ORDERS, replica=3, epoch=3, offset=36),
            Said("fetch_diverged", ORDERS, replica=3, offset=24, aux=1),
        ],
        # a consumer; a broker that leads no more
        [],
        [],
    ],
    "request-fetch-struct": [
        [
            Said("fetch_received", ORDERS, replica=2, epoch=3, offset=30),
            Said("hw_sample", ORDERS, hw=28, at_least=("hw",)),
        ]
    ],
    "request-epoch-end": [[Said("epoch_end_answered", ORDERS, replica=2, offset=24, aux=1)]],
    "request-leader-and-isr": [
        [
            Said(
                "leader_and_isr_received",
                ORDERS,
                leader=2,
                epoch=3,
                isr=(2, 1),
                assigned=(1, 2, 3),
                partition_epoch=5,
            )
        ]
    ],
    "epoch-asked-2.7": [[Said("epoch_end_asked", T1, broker=1, leader=2, epoch=2, aux=0)]],
    "epoch-answered-2.7": [[Said("epoch_end_answered", T1, broker=1, leader=2, offset=30, aux=0)]],
    "epoch-asked": [
        # a thread of that time is called after the leader alone
        [Said("epoch_end_asked", T1, leader=2, aux=0)],
        [Said("epoch_end_asked", T1, broker=1, leader=2, epoch=2, aux=0)],
        [Said("epoch_end_asked", T1, broker=1, leader=2, aux=0)],
    ],
    "epoch-answered": [
        # before KIP-279 the answer has no epoch
        [Said("epoch_end_answered", T1, leader=2, offset=30)],
        *([[Said("epoch_end_answered", T1, broker=1, leader=2, offset=30, aux=0)]] * 2),
    ],
}
RECEIVED = Said(
    "leader_and_isr_received",
    ORDERS,
    broker=2,
    leader=1,
    epoch=0,
    isr=(1, 2),
    partition_epoch=0,
    assigned=(1, 2),
    receives=request_key("1", ORDERS, 0, 2),
)
CONTROL_STATES: dict[str, list[list[Said]]] = {
    "leader-and-isr-received": [[RECEIVED]] * 5,
    "leader-and-isr-sent-1.0": [
        [
            Said(
                "leader_and_isr_sent",
                ORDERS,
                broker=3,
                replica=2,
                leader=1,
                epoch=0,
                isr=(1, 2),
                partition_epoch=0,
                sends=request_key("1", ORDERS, 0, 2),
            )
        ]
    ],
    "metadata-sent-1.0": [
        [Said("metadata_sent", ORDERS, broker=3, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)]
    ],
    "metadata-applied-1.0": [
        [
            Said(
                "metadata_applied",
                ORDERS,
                broker=1,
                leader=-1,
                epoch=2,
                isr=(2,),
                partition_epoch=2,
                assigned=(1, 2),
            )
        ]
    ],
    "transition": [
        [Said("became_follower", ORDERS, broker=2)],
        [Said("became_leader", TRADES, broker=1, leader=1)],
        [Said("became_follower", TRADES, broker=1)],
    ],
    "leader-changed-1.1": [
        [
            Said(
                "leader_elected",
                ORDERS,
                broker=2,
                leader=2,
                epoch=2,
                isr=(2,),
                partition_epoch=5,
                aux=Election.UNCLEAN,
            )
        ],
        [Said("leader_elected", ORDERS, broker=2, leader=2, epoch=2, isr=(2, 3), partition_epoch=5)],
        [Said("leader_elected", ORDERS, broker=2, leader=2, epoch=2, isr=(2,), partition_epoch=2)],
    ],
    "replica-removed": [
        [Said("isr_committed", ORDERS, broker=2, leader=2, epoch=3, isr=(2,))],
        [Said("leaderless", ORDERS, broker=2, leader=-1, epoch=1, isr=(2,), partition_epoch=1)],
        [Said("isr_committed", ORDERS, broker=1, leader=2, epoch=3, isr=(2,), partition_epoch=7)],
    ],
    "controller-elected-1.0": [[Said("controller_elected", broker=3, epoch=1)]] * 2,
    "controller-isr-updated-3.3": [
        [Said("isr_committed", CLICKS, broker=2, leader=2, epoch=5, isr=(2, 1), partition_epoch=3)]
    ]
    * 2,
    "controller-isr-rejected": [[Said("isr_update_rejected", CLICKS, broker=2)]] * 2,
    "exit": [[Said("broker_exited")]] * 5,
}
MORE_STATES = (
    LOG_STATES | REPLICA_STATES | FETCH_STATES | TRACE_STATES | CONTROL_STATES | KRAFT_STATES | QUORUM_STATES
)
_BOTH_FAILED = [("failed_directory", "orders-0 /data1"), ("failed_directory", "clicks-1 /data1")]
MORE_FACTS: dict[str, list[list[tuple[str, str]]]] = {
    "log-dir-failed": [
        _BOTH_FAILED,
        [("failed_directory", "orders-0 /data1")],
        [("failed_directory", "orders-0 /data1")],
        [],
        [],
        _BOTH_FAILED,
        [],
        _BOTH_FAILED,
    ],
    "clean-shutdown": [[("left_clean", "")]] * 3,
    "no-clean-shutdown": [[("left_unclean", "")]] * 2,
    "kraft-log4j-registered": [[("life", "")]],
    "kraft-starting": [[("life", "")]],
    "kraft-cluster": [[("cluster", "5K2x3xTSrS2xeFGVVB_wg")]],
    "kraft-controller-cluster": [[("cluster", "uq00AzObRuC3lZ46spn0SQ")]] * 3,
    # Level 7 (MetadataVersion, 3.3.2).
    "metadata-version-updated": [[("config:metadata.version", "3.3-IV3")]],
    "metadata-version": [
        [("config:metadata.version", "3.9-IV0")],
        [("config:metadata.version", "4.1-IV1")],
        [],
    ],
    "log-created": [
        [],
        [("topic-made:orders", "cleanup.policy=;min.insync.replicas=;unclean.leader.election.enable=")],
        [("topic-made:orders", "cleanup.policy=;min.insync.replicas=;unclean.leader.election.enable=")],
        [("topic-made:orders", "cleanup.policy=;min.insync.replicas=;unclean.leader.election.enable=")],
    ],
    "topic-settings": [
        [
            (
                "topic-published:carts",
                "cleanup.policy=;min.insync.replicas=1;unclean.leader.election.enable=true",
            )
        ],
        [("topic-published:carts", "cleanup.policy=;min.insync.replicas=;unclean.leader.election.enable=")],
        [("topic-published:carts", "cleanup.policy=;min.insync.replicas=2;unclean.leader.election.enable=")],
    ],
    "topic-settings-in-zookeeper": [
        [("topic-noticed:orders", "cleanup.policy=;min.insync.replicas=2;unclean.leader.election.enable=")],
        [
            (
                "topic-noticed:orders",
                "cleanup.policy=compact;min.insync.replicas=2;unclean.leader.election.enable=",
            )
        ],
        [("topic-noticed:orders", "cleanup.policy=;min.insync.replicas=;unclean.leader.election.enable=")],
        [("topic-noticed:orders", "cleanup.policy=;min.insync.replicas=2;unclean.leader.election.enable=")],
    ],
    "topic-setting-of-controller": [
        [("topic-set:events", "unclean.leader.election.enable=true")],
        [("topic-set:orders", "min.insync.replicas=")],
    ],
    "unclean-elections-enabled": [[("topic-set:events", "unclean.leader.election.enable=true")]],
}
