"""Who deals with a message that arrives, or with a timer that is due."""

from typing import Final

from core.sim import (
    assignment,
    consumer,
    disks,
    follower,
    insync,
    leader,
    log_ends,
    network,
    observer,
    processes,
    producer,
    quorum,
    steps,
    tiers,
    transactions,
    zookeeper,
)
from core.sim.engine import Engine, Handlers, handled
from core.sim.messages import clients, control, replication
from core.sim.messages import quorum as of_quorum
from core.sim.messages.kinds import (
    ActionDue,
    BrokerExit,
    CheckpointDue,
    EpochFileFlushDue,
    GivenUp,
    IsrCheckDue,
)
from core.sim.voters import elections, fetches, observers, requests, roles


def _on_alter_partition(engine: Engine, message: control.AlterPartition) -> None:
    engine.control.on_alter_partition(engine, message)


def _on_partition_altered(engine: Engine, message: control.AlterPartitionAnswer) -> None:
    engine.control.on_partition_altered(engine, message)


def _on_alter_refused(engine: Engine, message: control.AlterPartitionRefused) -> None:
    engine.control.on_alter_refused(engine, message)


def _on_elected(engine: Engine, message: control.ControllerElected) -> None:
    engine.control.on_elected(engine, message)


HANDLERS: Final[Handlers] = dict(
    (
        handled(replication.Fetch, leader.on_fetch),
        handled(replication.FetchAnswer, follower.on_answer),
        handled(replication.FetchRefused, follower.on_refused),
        handled(replication.FetchDiverged, follower.on_diverged),
        handled(replication.NotLeader, follower.on_not_leader),
        handled(replication.FetchDelayed, leader.on_answer_after),
        handled(replication.FetchWaitOver, leader.on_parked_timeout),
        handled(replication.FetchBackoffOver, follower.on_retry),
        handled(replication.ListOffsets, log_ends.on_list_offsets),
        handled(replication.ListOffsetsAnswer, follower.on_leader_end),
        handled(replication.ListLocalStart, log_ends.on_list_local_start),
        handled(replication.ListLocalStartAnswer, tiers.on_local_start),
        handled(replication.OffsetsForLeaderEpoch, log_ends.on_epoch_end_asked),
        handled(replication.OffsetsForLeaderEpochAnswer, follower.on_epoch_end),
        handled(replication.OffsetsForLeaderEpochRefused, follower.on_epoch_end_refused),
        handled(replication.IsrAdopted, leader.update_hw_later),
        handled(clients.ProduceDue, producer.on_due),
        handled(clients.Produce, leader.on_produce),
        handled(clients.WriteTxnMarkers, leader.on_produce),
        handled(clients.EndTransactionDue, transactions.on_end_due),
        handled(clients.TransactionTimeout, transactions.on_timeout),
        handled(clients.ProduceAnswer, producer.on_answered),
        handled(clients.ProduceTimeout, producer.on_unanswered),
        handled(clients.ProduceBackoffOver, producer.on_again),
        handled(clients.OutOfOrderSequence, producer.on_sequence_refused),
        handled(clients.AcksTimeout, leader.on_produce_timeout),
        handled(clients.DeleteRecords, disks.on_delete_records),
        handled(clients.ConsumerFetch, consumer.on_read),
        handled(clients.ConsumerFetchAnswer, consumer.on_answered),
        handled(clients.ConsumerFetchRefused, consumer.on_refused),
        handled(clients.PreferredReadReplica, consumer.on_sent_on),
        handled(clients.ConsumerOffsetOutOfRange, consumer.on_out_of_range),
        handled(clients.ConsumerFetchWaitOver, consumer.on_read_waited),
        handled(clients.ConsumerBackoffOver, consumer.on_retry),
        handled(clients.ConsumerTimeout, consumer.on_watch),
        handled(clients.ConsumerListOffsets, consumer.on_reset_asked),
        handled(clients.ConsumerListOffsetsRefused, consumer.on_reset_refused),
        handled(clients.ConsumerListOffsetsAnswer, consumer.on_reset_told),
        handled(control.AlterPartition, _on_alter_partition),
        handled(control.AlterPartitionAnswer, _on_partition_altered),
        handled(control.AlterPartitionRefused, _on_alter_refused),
        handled(control.AlterPartitionOutdated, observer.on_isr_outdated),
        handled(control.IsrNoticed, assignment.on_noticed),
        handled(control.DeleteReplica, assignment.on_delete),
        handled(control.ControllerElected, _on_elected),
        handled(control.ShutdownAnswer, processes.on_stopped),
        handled(control.LeaderAndIsr, zookeeper.on_leader_and_isr),
        handled(control.StopReplica, zookeeper.on_stop_replica),
        handled(control.BrokerRegistered, zookeeper.on_registered),
        handled(control.ZooKeeperSessionTimeout, zookeeper.on_session_expired),
        handled(control.SilentSessionTimeout, zookeeper.on_silent_too_long),
        handled(control.ZooKeeperReconnected, zookeeper.on_connected_anew),
        handled(control.Metadata, observer.on_metadata),
        handled(control.MetadataRead, observer.on_metadata_read),
        handled(control.BrokerRegistration, quorum.on_register),
        handled(control.BrokerRegistrationAnswer, observer.on_registered),
        handled(control.BrokerRegistrationDue, observer.on_register_due),
        handled(control.BrokerHeartbeat, quorum.on_heartbeat),
        handled(control.UnfenceRequest, quorum.on_heartbeat),
        handled(control.BrokerHeartbeatDue, observer.on_heartbeat_due),
        handled(control.BrokerSessionTimeout, quorum.on_session_expired),
        handled(CheckpointDue, processes.on_checkpoint),
        handled(IsrCheckDue, insync.on_check),
        handled(EpochFileFlushDue, processes.on_epoch_file_flush),
        handled(BrokerExit, processes.on_exit),
        handled(ActionDue, steps.on_due),
        handled(GivenUp, network.on_given_up),
    )
)

WITH_QUORUM: Final[Handlers] = {
    **HANDLERS,
    **dict(
        (
            handled(of_quorum.Vote, elections.on_vote),
            handled(of_quorum.VoteAnswer, elections.on_vote_answer),
            handled(of_quorum.BeginQuorumEpoch, elections.on_begin),
            handled(of_quorum.EndQuorumEpoch, elections.on_end),
            handled(of_quorum.VoterTimeout, elections.on_timeout),
            handled(of_quorum.BeginQuorumEpochDue, roles.on_begin_due),
            handled(of_quorum.VoterFetch, fetches.on_fetch),
            handled(of_quorum.VoterFetchAnswer, fetches.on_answer),
            handled(of_quorum.VoterFetchDue, fetches.on_fetch_due),
            handled(of_quorum.SnapshotFetch, fetches.on_snapshot_fetch),
            handled(of_quorum.SnapshotAnswer, fetches.on_snapshot_answer),
            handled(of_quorum.LeaderSought, fetches.on_sought),
            handled(of_quorum.ResignDue, roles.on_resign_due),
            handled(of_quorum.FetchWaitIsOver, fetches.on_wait_over),
            handled(of_quorum.CheckQuorumDue, fetches.on_check_quorum),
            handled(of_quorum.ObserverFetch, observers.on_fetch),
            handled(of_quorum.ObserverFetchAnswer, observers.on_answer),
            handled(of_quorum.ObserverFetchDue, observers.on_due),
            handled(of_quorum.ControllerAwaited, requests.on_controller_awaited),
            handled(control.BrokerSessionTimeout, requests.on_session_expired),
        )
    ),
}
"""The same while the metadata quorum itself is simulated."""
