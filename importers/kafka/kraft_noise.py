"""KRaft lines that mention replication and say nothing new: the metadata quorum, its loader, the controller's steps."""

from typing import Final

from importers.kafka.rule import LineRule
from importers.kafka.topic_settings import CONTROLLER_SETS

_CONTROLLER: Final = r"\[(?:QuorumController id=|Controller )\d+\] "

KRAFT_NOISE_RULES = (
    LineRule(
        "kraft-election-by-id",
        "3.2",
        "",
        r"Setting new leader for topicId \S+, partition \d+ to -?\d+(?: using .*)?"
        r"|(?:Failed to find a new leader with current state|A partition will have an empty ISR)[:.] .*"
        r"|Try to elect last known leader for .*",
        (
            "Failed to find a new leader with current state: PartitionChangeBuilder(partition=PartitionRegistration("
            "replicas=[1, 2], isr=[1], leader=1), topicId=sa13CsJbRGiPllj0nHH9wA, partitionId=0)",
            "Setting new leader for topicId c73CMOMmSL-ywIE0ppADog, partition 0 to 2 using an unclean election",
            "Setting new leader for topicId sa13CsJbRGiPllj0nHH9wA, partition 2 to 2 using ELR. Previous partition: "
            "PartitionRegistration(replicas=[3, 1, 2], isr=[3], leader=3), change record: PartitionChangeRecord("
            "partitionId=2, topicId=sa13CsJbRGiPllj0nHH9wA, isr=null, leader=-2)",
        ),
        why="the topic only by its id; the change has a line with its name, or the new leader has. The record in the line "
        "is printed before it is filled in",
    ),
    LineRule(
        "kraft-controller-steps",
        "2.8",
        "",
        rf"{_CONTROLLER}(?!{CONTROLLER_SETS})(?:In the new epoch \d+, the leader is .*|Replayed (?!PartitionRecord for new ).*|Replaying .*|Registered new broker: .*"
        r"|Re-registered broker .*|(?:Unf|F)enced broker: .*|Created topic .*|Created partition [\w\-]{22}:\d+ with .*|Node \d+ has altered ISR for .*"
        r"|AlterPartition request from node \d+ for \S+ completed the ongoing .*|[\w\-]++(?:\[[^\]]*\])?: changing \d+ "
        r"partition\(s\)|maybe\w++: .*|Periodic task .*|Registering periodic task .*|Removed ELRs from .*"
        r"|Successfully altered \d+ out of \d+ partition reassignment.*|CreateTopics result.*|Ignoring no-op registration "
        r"change .*|Performing controller activation\..*|(?:Cannot trigger|Triggering) unclean leader election for .*"
        r"|ConfigResource\(type=\w+, name='[^']*+'\): set configuration .*|\S++ has overlapping ISR=.*|Loading snapshot .*|The feature \S+ .*|Generating .*|Unable to \w+ .*"
        r"|Resetting to empty state.*|\S++ event failed .*|\w++: (?:event )?(?:unable|failed) .*|Broker \d+ \S+.*"
        r"|Shutdown request .*|Not (?:un)?fencing .*|Removed topic .*|Upgrading? .*|Updated .*"
        r"|AlterIsr request from node .*|Rejecting (?:alterIsr|AlterPartition) request for unknown .*"
        r"|Modified partition .*|Applied ISR change record: .*|createTopics result.*|Unregistered broker: .*"
        r"|[\w\-]++(?:\[[^\]]*\])?: changing partition\(s\): .*|Starting to (?:load|replay) .*"
        r"|(?:Atomically a|A)ppended \d+ record.*|Skipping .*|Transitioning ZK migration .*"
        r"|AssignReplicasToDirsRequest from .*|Removing heartbeat tracker entry .*|Amending registration of .*"
        r"|The request from broker \d+ to (?:unfence|shut down) can ?not yet be granted .*|Can't find the min isr .*"
        r"|Error replaying record .*|Creating in-memory snapshot .*|Deleting (?:in-memory snapshots|snapshot) .*)",
        (
            "[QuorumController id=101] In the new epoch 1, the leader is (none).",
            "[QuorumController id=100] Replayed BrokerRegistrationChangeRecord modifying the registration for broker 2: "
            "BrokerRegistrationChangeRecord(brokerId=2, brokerEpoch=7, fenced=-1, inControlledShutdown=0, logDirs=[])",
            "[QuorumController id=101] Replaying ProducerIdsRecord ProducerIdsRecord(brokerId=1, brokerEpoch=6, "
            "nextProducerId=1000)",
            "[Controller 1] Registered new broker: RegisterBrokerRecord(brokerId=1, brokerEpoch=2)",
            "[Controller 1] Re-registered broker id 1: RegisterBrokerRecord(brokerId=1, brokerEpoch=10)",
            "[Controller 1] Unfenced broker: UnfenceBrokerRecord(id=1, epoch=2)",
            "[Controller 1] Fenced broker: FenceBrokerRecord(id=1, epoch=2)",
            "[Controller 1] Replayed TopicRecord for topic orders with topic ID PpK_1VIoTpGd9q9daYwG_g.",
            "[Controller 100] ConfigResource(type=TOPIC, name='events'): set configuration retention.ms to 60000",
            "[QuorumController id=1] Node 1 has altered ISR for orders-0 to [1, 2].",
            "[QuorumController id=1] AlterPartition request from node 1 for orders-0 completed the ongoing partition "
            "reassignment and triggered a leadership change. Returning NEW_LEADER_ELECTED.",
            "[QuorumController id=100] handleBrokerFenced: changing 2 partition(s)",
            "[QuorumController id=100] handleBrokerUnfenced: changing 1 partition(s)",
            "[QuorumController id=100] handleBrokerUnregistered: changing 1 partition(s)",
            "[QuorumController id=100] handleBrokerUncleanShutdown: changing 3 partition(s)",
            "[QuorumController id=100] handleBrokerShutdown: changing 3 partition(s)",
            "[QuorumController id=100] handleDirectoriesOffline[1:1nQCPAmKTVuIPAbnTeWVbA]: changing 3 partition(s)",
            "[QuorumController id=100] offline-dir-assignment: changing 3 partition(s)",
            "[Controller 1] Created partition p3mFxbNZRjSN5673ktRmxg:0 with PartitionControlInfo(replicas=[1, 2, 3], "
            "isr=[1, 2, 3], removingReplicas=null, addingReplicas=null, leader=1, leaderEpoch=0, partitionEpoch=0).",
            "[QuorumController id=100] enterControlledShutdown[1]: changing 2 partition(s)",
            "[QuorumController id=100] maybeElectUncleanLeaders: generated 1 records in 500 microseconds.",
            "[QuorumController id=100] Periodic task electUnclean generated 1 records in 500 microseconds.",
            "[QuorumController id=2] Removed ELRs from 0 partitions of topic orders.",
            "[QuorumController id=100] Successfully altered 1 out of 1 partition reassignment(s).",
            "[QuorumController id=102] CreateTopics result(s): CreatableTopic(name='orders', numPartitions=1): SUCCESS",
            "[QuorumController id=100] Ignoring no-op registration change for BrokerRegistration(id=1, epoch=12)",
            "[QuorumController id=100] Triggering unclean leader election for offline partition orders-0.",
            "[Controller 1] AlterIsr request from node 1 for orders-0 completed the ongoing partition reassignment.",
            "[Controller 1] Rejecting alterIsr request for unknown topic ID PpK_1VIoTpGd9q9daYwG_g.",
            "[Controller 1] Modified partition p3mFxbNZRjSN5673ktRmxg:0: isr: [1, 2, 3] -> [1, 2].",
            "[Controller 1] handleBrokerFenced: changing partition(s): PartitionChangeRecord(partitionId=0)",
            "[Controller 1] The request from broker 2 to shut down can not yet be granted because the lowest active offset "
            "17 is not greater than the broker's shutdown offset 18.",
            "[QuorumController id=100] Cannot trigger unclean leader election for offline partition orders-0: "
            "ELIGIBLE_LEADERS_NOT_AVAILABLE",
        ),
        why="a record read again at every start, a cause or a count; what changed has its own lines",
        components=("QuorumController", "Controller"),
    ),
    LineRule(
        "kraft-quorum",
        "2.7",
        "",
        r"\[(?:RaftLog|MetadataLog|MetadataLoader|SnapshotGenerator|SnapshotEmitter|ControllerRegistrationManager"
        r"|ControllerApis|BrokerMetadataListener|BrokerMetadataSnapshotter|BrokerRegistrationTracker"
        r"|AssignmentsManager|KRaftMigrationDriver|MetadataCache)[^\]]*\] ?.*"
        r"|\[BrokerMetadataPublisher[^\]]*\] (?:Publishing (?:initial )?metadata at offset (?:\d+|OffsetAndEpoch\([^)]*\))\."
        r"|Publishing (?:metadata|delta) .*|Error publishing .*)"
        r"|\[RaftManager(?! nodeId=\d+\] Graceful shutdown completed)[^\]]*\] (?!Completed transition to |High watermark set to |Vote request |Truncated to offset "
        r"|Fully truncated the log at |Completed graceful shutdown of |Latest set of voters "
        r"|Aborting add voter operation for \S+ \S+ at \S+ since (?:it is|API_VERSIONS)).*"
        r"|Initialized snapshots with IDs .*|(?:Node|Broker) to controller channel manager for \S+ shutdown"
        r"|Deleted (?:unneeded snapshot file with path|snapshot files for snapshot) .*"
        r"|Unable to read the broker epoch in .*|(?:The c|C)leaning for partition \S+ is (?:aborted|resumed).*"
        r"|Sent auto-creation request for .*|Created (?:a new|new) (?:epoch|metadata) .*",
        (
            "[RaftManager id=1] Attempting durable transition to FollowerState(fetchTimeoutMs=2000, epoch=1, leader=100, "
            "highWatermark=Optional.empty) from Unattached(epoch=0, votedKey=null, voters=[100])",
            "[RaftManager id=1] Setting the next offset of org.apache.kafka.image.loader.MetadataLoader@1619656657 to 0 "
            "since there are no snapshots",
            "[RaftManager id=1] Latest kraft.version is KRAFT_VERSION_1 at offset 1",
            "[RaftManager id=1] Leader is not in the committed voter set [ReplicaKey(id=2, directoryId="
            "VZB0gZ_jQQDl8AuXZuwgVw)] resign from epoch 3",
            "[RaftManager id=100] Loading snapshot (OffsetAndEpoch[offset=0, epoch=0]) since log start offset (0) is "
            "greater than the internal listener's next offset (-1)",
            "[RaftManager id=1] Did not receive fetch request from the majority of the voters within 1500ms. Current "
            "fetched voters are [].",
            "[RaftLog partition=__cluster_metadata-0] Initialized snapshots with IDs [] from "
            "/var/lib/kafka/broker-1/__cluster_metadata-0",
            # To 3.9, with a dynamic quorum.
            "Initialized snapshots with IDs SortedSet(OffsetAndEpoch(offset=0, epoch=0)) from "
            "/var/lib/kafka/controller-1/__cluster_metadata-0",
            "[RaftLog partition=__cluster_metadata-0, nodeId=1] Marking snapshot OffsetAndEpoch[offset=48, epoch=1] for "
            "deletion because its timestamp (1795232024727) is now (1795232076644) older than the retention (12000)",
            "[RaftLog partition=__cluster_metadata-0] Deleted unneeded snapshot file with path SnapshotPath[]",
            "[MetadataLog partition=__cluster_metadata-0, nodeId=1] Marking snapshot OffsetAndEpoch(offset=48, epoch=1) "
            "for deletion",
            "[BrokerMetadataListener id=1] Starting to publish metadata events at offset 9.",
            "[BrokerMetadataPublisher id=1] Publishing initial metadata at offset 9.",
            "[BrokerMetadataPublisher id=1] Publishing initial metadata at offset OffsetAndEpoch(offset=9, epoch=1).",
            "[KRaftMigrationDriver id=3000] 3000 transitioning from WAIT_FOR_BROKERS to BECOME_CONTROLLER state",
            "[MetadataLoader id=1] InitializeNewPublishers: initializing SnapshotGenerator with a snapshot at offset 9",
            "[MetadataLoader id=1] initializeNewPublishers: The loader is still catching up because we have loaded up to "
            "offset -1, but the high water mark is 9",
            "[MetadataLoader id=1] maybePublishMetadata(LOG_DELTA): The loader is still catching up because we have "
            "loaded up to offset 0, but the high water mark is 9",
            "Node to controller channel manager for alter-partition shutdown",
            "Broker to controller channel manager for alterPartition shutdown",
            "Deleted unneeded snapshot file with path SnapshotPath[path=/var/lib/kafka/broker-1/__cluster_metadata-0/"
            "00000000000000000058-0000000001.checkpoint.deleted, snapshotId=OffsetAndEpoch[offset=58, epoch=1], "
            "partial=false, deleted=true]",
            "Deleted snapshot files for snapshot OffsetAndEpoch[offset=58, epoch=1].",
            "Unable to read the broker epoch in /var/lib/kafka/broker-1.",
            "The cleaning for partition clicks-1 is aborted and paused",
            "Cleaning for partition clicks-0 is resumed",
            "Sent auto-creation request for Set(__consumer_offsets) to the active controller.",
        ),
        why="steps of the metadata quorum whose results have lines of their own, its snapshots and its listeners; broker start",
        components=(
            "RaftManager",
            "RaftLog",
            "MetadataLoader",
            "SnapshotGenerator",
            "SnapshotEmitter",
            "ControllerRegistrationManager",
            "ControllerApis",
            "MetadataLog",
            "BrokerMetadataListener",
            "BrokerMetadataSnapshotter",
            "BrokerRegistrationTracker",
            "AssignmentsManager",
            "KRaftMigrationDriver",
            "MetadataCache",
        ),
    ),
    LineRule(
        "coordinators",
        "0.9",
        "",
        r"\[(?:GroupCoordinator|TransactionCoordinator|GroupMetadataManager|Transaction State Manager"
        r"|TxnMarkerSenderThread|Transaction Marker)[^\]]*\]:? .*"
        r"|Creating new marker queue for .*|\[Dynamic(?:ConfigPublisher|TopicClusterQuotaPublisher) [^\]]*\] "
        r"(?!Updating (?:topic|broker|node|cluster) ).*",
        (
            "[GroupCoordinator 1]: Resigned as the group coordinator for partition 0 in epoch OptionalInt[0]",
            "[GroupCoordinator 2]: Elected as the group coordinator for partition 0 in epoch 0",
            "[GroupCoordinator 2]: Preparing to rebalance group dashboards in state PreparingRebalance with old "
            "generation 0 (__consumer_offsets-0) (reason: Adding new member)",
            "[GroupMetadataManager brokerId=1] Scheduling unloading of offsets and group metadata from "
            "__consumer_offsets-0",
            "[GroupMetadataManager brokerId=2] Scheduling loading of offsets and group metadata from "
            "__consumer_offsets-0 for epoch 0",
            "[GroupMetadataManager brokerId=2] Finished loading offsets and group metadata from __consumer_offsets-0 in "
            "7 milliseconds for epoch 0, of which 4 milliseconds was spent in the scheduler.",
            "[TransactionCoordinator id=1] Resigned as the txn coordinator for partition 0 at epoch Some(0)",
            "[TransactionCoordinator id=1] Elected as the txn coordinator for partition 0 at epoch 0",
            "[Transaction State Manager 2]: Loading transaction metadata from __transaction_state-0 at epoch 0",
            "Creating new marker queue for txn partition 0 to destination broker 2",
            "[DynamicConfigPublisher broker id=1] Updating client metrics orders with new configuration : interval.ms -> 60000",
        ),
        why="coordinators of groups and transactions, and settings: nothing of a replica's log",
        components=(
            "GroupCoordinator",
            "TransactionCoordinator",
            "Transaction",
            "GroupMetadataManager",
            "DynamicConfigPublisher",
        ),
    ),
)
