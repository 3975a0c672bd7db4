"""Lines that mention replication and say nothing new: counted as known noise, each kind with its reason."""

from typing import Final

from importers.kafka.rule import LineRule
from importers.kafka.text import TP

_NAME: Final = r"\[Controller (?:id=)?\d+\]:? "
_MACHINE: Final = (
    r"\[(?:Partition|Replica)(?: state machine on [cC]ontroller \d+\]:|StateMachine controllerId=\d+\]) "
)

NOISE_RULES = (
    LineRule(
        "election-steps",
        "0.8.2",
        "3.9",
        rf"(?:Controller \d+ epoch \d+ |\[Controller id=\d+(?: epoch=\d+)?\] )(?:[sS]tarted leader election for partition {TP}"
        r"|elected leader -?\d+ for Offline partition \S+"
        r"|[cC]hanged state of replica \d+ for partition \S+ from \w+ to \w+"
        r"|[rR]eceived (?:response .*|error .* in \w+ response .*)"
        r"|[cC]hanged partition \S+ state from \w+ to (?:OfflinePartition|NonExistentPartition)"
        r"|[eE]ncountered error .*|[iI]nitiated state change .* failed|[fF]ailed to send LeaderAndIsr request .*"
        r"|(?:Controller \d+ epoch \d+ )?[fF]ailed to change state for partition .*|Mark replicas .* as offline"
        r"|Elected leader -?\d+ for Offline partition .*|[sS]ent LeaderAndIsr request \(.*"
        r"|Sending StopReplica request .* for partition \S+|Controller \d+ epoch \d+ initiated state change .* failed)",
        (
            "[Controller id=3 epoch=1] Changed state of replica 2 for partition trades-1 from NewReplica to "
            "OnlineReplica",
            "[Controller id=3 epoch=1] Changed partition trades-1 state from OnlinePartition to OfflinePartition",
            "[Controller id=3 epoch=1] Received response {error_code=0} for request UPDATE_METADATA with correlation id "
            "0 sent to broker 127.0.0.1:19094 (id: 3 rack: null)",
            "[Controller id=3 epoch=4] Controller 3 epoch 4 failed to change state for partition orders-0 from "
            "OnlinePartition to OnlinePartition",
            "[Controller id=1 epoch=5] Elected leader 1 for Offline partition orders-0",
            "[Controller id=1 epoch=5] encountered error while electing leader for partition orders-0 due to: No replica "
            "in ISR for partition orders-0 is alive.",
            "[Controller id=3 epoch=4] Mark replicas orders-0 on broker 1 as offline",
            "[Controller id=3] Mark replicas orders-0,audit-1 on broker 1 as offline",
            "[Controller id=1 epoch=1] Sent LeaderAndIsr request (Leader:1,ISR:1,2,LeaderEpoch:1,ZkVersion:3,"
            "ControllerEpoch:1) with new replica assignment ReplicaAssignment(replicas=3,1,2, addingReplicas=3, "
            "removingReplicas=2) to leader 1 for partition being reassigned moves-0",
            "Controller 1 epoch 4 encountered error while electing leader for partition [bookings,1] due to: No other "
            "replicas in ISR 2 for [bookings,1] besides shutting down brokers 1,2,3.",
            "Controller 1 epoch 4 initiated state change for partition [bookings,1] from OnlinePartition to "
            "OnlinePartition failed",
            "[Controller id=3 epoch=4] Initiated state change for partition orders-0 from OfflinePartition to "
            "OnlinePartition failed",
            "[Controller id=3 epoch=4] Received error NONE in LeaderAndIsr response LeaderAndIsrResponseData(errorCode=0) "
            "from broker 2",
            "Controller 3 epoch 1 sent LeaderAndIsr request (Leader:1,ISR:1,2,LeaderEpoch:1,ControllerEpoch:1) with new "
            "assigned replica list 1,2 to leader 1 for partition being reassigned [moves,0]",
            "Controller 3 epoch 1 failed to send LeaderAndIsr request with new assigned replica list 1,2 to leader for "
            "partition being reassigned [moves,0]",
            "Controller 3 epoch 1 changed partition [t1,0] state from OnlinePartition to OfflinePartition",
            "Controller 2 epoch 3 started leader election for partition [orders,0]",
            "Controller 2 epoch 3 elected leader 1 for Offline partition [orders,0]",
            "Controller 3 epoch 1 changed state of replica 1 for partition [orders,0] from NonExistentReplica to "
            "NewReplica",
            "Controller 3 epoch 1 received response {error_code=0,partitions=[{topic=audit,partition=0,error_code=0}]} "
            "for a request sent to broker 127.0.0.1:19092 (id: 1 rack: null)",
        ),
        why="steps around the line that names the new leader; `Offline` is printed for preferred elections too",
        components=("Controller",),
    ),
    LineRule(
        "zookeeper-elector",
        "0.8.2",
        "0.11",
        r"New leader is \d+|\d+ successfully elected as leader",
        ("New leader is 3", "3 successfully elected as leader"),
        why="the election of the controller; the controller's own line has its epoch",
    ),
    LineRule(
        "topic-created",
        "0.8.2",
        "3.9",
        r"Topic creation \{.*\}|Creating topic \S+ with configuration \{.*\} and initial partition assignment .*",
        (
            'Topic creation {"version":1,"partitions":{"2":[1,2],"1":[1,2],"0":[1,2]}}',
            "Creating topic orders with configuration {} and initial partition assignment HashMap(0 -> "
            "ArrayBuffer(1, 2))",
        ),
        why="a request; the controller prints each partition when it has been created",
    ),
    LineRule(
        "controller-start",
        "0.8.2",
        "3.9",
        rf"{_NAME}(?:Initialized controller epoch to \d+ and zk version \d+"
        r"|Initialized broker epochs cache: .*|Updated broker epochs cache: .*"
        r"|Broker \d+ is ready to serve as the new controller with epoch \d+"
        r"|Ready to serve as the new controller with epoch \d+"
        r"|Broker \d+ starting become controller state transition|\d+ successfully elected as the controller"
        r"|List of topics (?:to be deleted|ineligible for deletion): .*|Current list of topics in the cluster: .*"
        r"|Partitions (?:undergoing|that completed) preferred replica election: .*"
        r"|Partitions (?:being|already) reassigned: .*|Resuming reassignment of partitions: .*"
        r"|Deleting isr change notifications|Registering IsrChangeNotificationListener"
        r"|(?:Reading|Incrementing) controller epoch (?:from|in) ZooKeeper|All leaders = .*"
        r"|Sending MetadataRequest to Brokers:.*)",
        (
            "[Controller id=3] Reading controller epoch from ZooKeeper",
            "[Controller 1]: Broker 1 starting become controller state transition",
            "[Controller id=1] 1 successfully elected as the controller",
            "[Controller 3]: 3 successfully elected as the controller",
            "[Controller id=3] Incrementing controller epoch in ZooKeeper",
            "[Controller id=1] All leaders = t1-0 -> (Leader:1,ISR:1,2,LeaderEpoch:5,ZkVersion:10,ControllerEpoch:2)",
            "[Controller 3]: All leaders = [t1,0] -> (Leader:1,ISR:1,2,LeaderEpoch:3,ControllerEpoch:1)",
            "[Controller 2]: Sending MetadataRequest to Brokers:ArrayBuffer(1, 2, 3) for TopicAndPartitions:"
            "Set([orders,0])",
            "[Controller 1]: Initialized controller epoch to 1 and zk version 0",
            "[Controller id=1] Initialized broker epochs cache: HashMap(1 -> 47, 2 -> 108)",
            "[Controller id=2] Updated broker epochs cache: HashMap(1 -> 146, 2 -> 108)",
            "[Controller 1]: Broker 1 is ready to serve as the new controller with epoch 2",
            "[Controller id=1] Ready to serve as the new controller with epoch 2",
            "[Controller 1]: List of topics ineligible for deletion: clicks,orders,audit",
            "[Controller id=1] Current list of topics in the cluster: HashSet(audit, clicks, orders)",
            "[Controller 1]: Partitions undergoing preferred replica election: ",
            "[Controller 1]: Resuming reassignment of partitions: Map()",
            "[Controller id=1] Deleting isr change notifications",
            "[Controller 1]: Registering IsrChangeNotificationListener",
        ),
        why="a new controller reads what is there",
    ),
    LineRule(
        "controller-partitions",
        "0.8.2",
        "3.9",
        rf"{_NAME}(?:Starting (?:preferred )?replica leader election .*|Resuming preferred replica election .*"
        r"|Skipping preferred replica election .*|Processing automatic preferred replica leader election"
        r"|New (?:topic|partition) creation callback for .*|New topics: \[.*\], deleted topics: .*"
        r"|New broker startup callback for [\d,]*|Broker failure callback for [\d,]*"
        r"|Error completing (?:preferred )?(?:replica leader election|reassignment) .*|Removing replica \d+ from ISR .*|Cannot remove replica \d+ from ISR of partition .*"
        r"|Updat(?:ing|ed) leader epoch for partition .*|Updating assignment of partition .*"
        r"|Target replicas .* have all caught up .*|Leader -?\d+ for partition \S+ being reassigned, .*"
        r"|Failed to update ISR for partition .*"
        r"|Waiting for any successful result for election .*|Retaining last ISR .*"
        r"|[pP]referred replicas by broker .*|[tT]opics not in preferred replica .*"
        r"|[lL]eader imbalance ratio for broker .*|[cC]hecking need to trigger .*"
        r"|[sS]tarting the partition rebalance scheduler|Updating ISRs for partitions: .*"
        r"|(?:Waiting for )?[nN]ew replicas .* being reassigned .*|Remov(?:ed|ing) partitions? .* reassigned partitions .*"
        r"|Handling reassignment of partition .*"
        r"|Updated path \S+ with .* for replica assignment"
        r"|\d+/\d+ replicas have caught up with the leader for partition .*|Error handling reassignment of .*"
        r"|Partition \S+ (?:failed to complete preferred|to be reassigned is already assigned) .*"
        r"|Skipping (?:reassignment of|adding partitions|replica leader election|preferred replica leader election) .*"
        r"|Ignoring (?:request to|AlterIsr|AlterPartition|AllocateProducerIds|partition change) .*"
        r"|Failed (?:to update ISR to|completing reassignment of|reassignment through zk) .*"
        r"|Error when processing Alter.*|Restoring the partition replica assignment .*"
        r"|Controller failed to .*|Error while (?:incrementing controller epoch|handling partition reassignment)"
        r"|Unclean leader election has been enabled by default|PreferredReplicaLeaderElection waiting: .*"
        r"|Invalid topic and partition JSON.*|Delete topic callback invoked .*)",
        (
            "[Controller id=1] Waiting for new replicas 3,1 for partition moves-0 being reassigned to catch up with the "
            "leader",
            "[Controller 1]: New replicas 3,1 for partition [moves,0] being reassigned not yet caught up with the leader",
            "[Controller id=1] 2/2 replicas have caught up with the leader for partition moves-0 being reassigned. Resuming "
            "partition reassignment",
            "[Controller id=2] Partition orders-0 failed to complete preferred replica leader election to 1. Leader is "
            "still 2",
            "[Controller id=2] Failed to update ISR to LeaderAndIsr(leader=1, leaderEpoch=2, isr=List(1), "
            "zkVersion=4) for partition orders-0, bad ZK version.",
            "[Controller 2]: Starting preferred replica leader election for partitions [clicks,0]",
            "[Controller id=2] Starting replica leader election (PREFERRED) for partitions orders-0,clicks-1 triggered "
            "by AutoTriggered",
            "[Controller id=1] Error completing replica leader election (PREFERRED) for partition orders-0",
            "[Controller 1]: Error completing preferred replica leader election for partitions [orders,0]",
            "[Controller 1]: Resuming preferred replica election for partitions: ",
            "[Controller 1]: Removing replica 1 from ISR 3,1,2 for partition [bookings,2].",
            "[Controller 2]: Cannot remove replica 3 from ISR of partition [bookings,1] since it is not in the ISR. "
            "Leader = 2 ; ISR = List(2)",
            "[Controller 2]: Preferred replicas by broker Map(1 -> Map([clicks,0] -> List(1, 2)))",
            "[Controller 2]: Retaining last ISR 2 of partition [orders,0] since unclean leader election is disabled",
            '[Controller id=1] Updated path /brokers/topics/moves with {"version":1,"partitions":{"0":[3,1]}} for replica '
            "assignment",
            "[Controller id=1] Updating leader epoch for partition moves-0",
            "[Controller id=1] Updated leader epoch for partition moves-0 to 1, zkVersion=3",
            "[Controller id=1] Target replicas ArrayBuffer(3, 1) have all caught up with the leader for reassigning "
            "partition moves-0",
            "[Controller id=1] Leader 1 for partition moves-0 being reassigned, is already in the new list of replicas "
            "3,1 and is alive",
            "[Controller id=3] Failed to update ISR for partition t1-0",
            "[Controller id=1] Waiting for any successful result for election type (PREFERRED) by ZkTriggered for "
            "partitions: Map(orders-2 -> Right(3))",
            "[Controller id=1] Skipping preferred replica election for partitions due to topic deletion: ",
            "[Controller id=2] Processing automatic preferred replica leader election",
            "[Controller 3]: New partition creation callback for [orders,1],[orders,2],[orders,0]",
            "[Controller id=3] New topics: [Set(orders)], deleted topics: [HashSet()], new partition replica "
            "assignment [Set()]",
            "[Controller 1]: Broker failure callback for 3",
            "[Controller 2]: preferred replicas by broker Map(1 -> Map([clicks,0] -> List(1, 2)))",
            "[Controller 2]: topics not in preferred replica Map([clicks,0] -> List(1, 2))",
            "[Controller id=2] Topics not in preferred replica for broker 1 HashMap(orders-0 -> List(1, 2))",
            "[Controller 2]: leader imbalance ratio for broker 1 is 1.000000",
            "[Controller id=2] Leader imbalance ratio for broker 1 is 1.0",
            "[Controller id=2] Checking need to trigger auto leader balancing",
            "[Controller 2]: checking need to trigger partition rebalance",
            "[Controller 1]: starting the partition rebalance scheduler",
            "[Controller id=2] Updating ISRs for partitions: Set(clicks-1).",
        ),
        why="what the controller is about to do; what it did has its own lines",
        components=("Controller",),
    ),
    LineRule(
        "state-machines",
        "0.8.2",
        "3.9",
        rf"{_MACHINE}(?:Invoking state change to \w+ for (?:partitions|replicas) .*"
        r"|Started (?:partition|replica) state machine with initial state -> .*"
        r"|Live assigned replicas for partition \S+ are: .*|After leader election, leader cache .*"
        r"|Initializing (?:partition|replica) state|Stopped (?:partition|replica) state machine"
        r"|Triggering (?:online|offline) (?:partition|replica) state changes|Error while (?:moving some|handling) .*"
        r"|Controller (?:moved to another broker when|failed to) .*|Retrying leader election with strategy .*"
        r"|Adding replica .*|(?:Topic change|Delete topics|Broker change) listener fired .*|New topics: .*"
        r"|New partitions to be added .*|Partition modification triggered .*|Starting topic deletion .*|Removing .*"
        r"|Skipping adding partitions .*|Ignoring request to delete .*)",
        (
            "[PartitionStateMachine controllerId=1] Invoking state change to OnlinePartition for partitions orders-0",
            "[PartitionStateMachine controllerId=1] Retrying leader election with strategy PreferredReplicaPartitionLeader"
            "ElectionStrategy for partitions ArrayBuffer(orders-0)",
            "[Partition state machine on Controller 3]: Invoking state change to NewPartition for partitions [orders,1]",
            "[Replica state machine on controller 1]: Invoking state change to OnlineReplica for replicas "
            "[Topic=orders,Partition=0,Replica=1]",
            "[Replica state machine on controller 1]: Started replica state machine with initial state -> Map()",
            "[Partition state machine on Controller 1]: Started partition state machine with initial state -> Map()",
            "[Partition state machine on Controller 3]: Live assigned replicas for partition [orders,1] are: "
            "[List(1, 2)]",
            "[Partition state machine on Controller 2]: After leader election, leader cache is updated to Map()",
            "[Partition state machine on Controller 1]: Stopped partition state machine",
            "[PartitionStateMachine controllerId=1] Stopped partition state machine",
            "[ReplicaStateMachine controllerId=1] Started replica state machine with initial state -> HashMap()",
            "[PartitionStateMachine controllerId=1] Started partition state machine with initial state -> HashMap()",
            "[PartitionStateMachine controllerId=1] Triggering online partition state changes",
            "[PartitionStateMachine controllerId=1] Initializing partition state",
        ),
        why="the controller's own bookkeeping, whole maps again and again",
        components=("Partition", "Replica", "PartitionStateMachine", "ReplicaStateMachine"),
    ),
    LineRule(
        "topic-deletion",
        "0.8.2",
        "3.9",
        r"\[Topic Deletion Manager \d+\],? .*",
        (
            "[Topic Deletion Manager 1], Partition deletion callback for [orders,0]",
            "[Topic Deletion Manager 1] Initializing manager with initial deletions: Set(), initial ineligible "
            "deletions: HashSet(audit)",
        ),
        why="how far the controller has come with deleting a topic; each broker says when its log is set aside",
        components=("Topic",),
    ),
    LineRule(
        "preferred-selector",
        "0.8.2",
        "1.0",
        rf"\[PreferredReplicaPartitionLeaderSelector\]: Current leader -?\d+ for partition {TP} is not the preferred "
        r"replica\. Tr[ai]+ggering preferred replica leader election"
        r"|\[ControlledShutdownLeaderSelector\]: Partition .*",
        (
            "[ControlledShutdownLeaderSelector]: Partition [bookings,3] : current leader = 1, new leader = 3",
            "[PreferredReplicaPartitionLeaderSelector]: Current leader 2 for partition [clicks,0] is not the preferred "
            "replica. Triggering preferred replica leader election",
        ),
        why="the election that follows has its own lines",
    ),
    LineRule(
        "zookeeper-listeners",
        "0.8.2",
        "1.0",
        r"\[(?:Topic|Broker|IsrChangeNotification)(?:Change)?Listener on Controller \d+\]: "
        r"(?:.* listener fired.*|New topics: \[.*\], deleted topics: .*|Sending MetadataRequest to Brokers:.*)",
        (
            "[TopicChangeListener on Controller 3]: New topics: [Set(orders)], deleted topics: [Set()], new partition "
            "replica assignment [Map([orders,1] -> List(1, 2))]",
            "[TopicChangeListener on Controller 3]: Topic change listener fired for path /brokers/topics with children "
            "orders",
            "[BrokerChangeListener on Controller 1]: Broker change listener fired for path /brokers/ids with children "
            "1,2",
            "[IsrChangeNotificationListener on Controller 2]: ISR change notification listener fired",
            "[IsrChangeNotificationListener on Controller 2]: Sending MetadataRequest to Brokers:ArrayBuffer(1, 2, 3) "
            "for TopicAndPartitions:Set([orders,0])",
        ),
        why="that something in ZooKeeper changed; what changed has its own lines",
    ),
    LineRule(
        "leader-sought",
        "0.8.2",
        "1.0",
        rf"\[OfflinePartitionLeaderSelector\]: No broker in ISR is alive for {TP}\. Pick the leader from the alive "
        r"assigned replicas:[\d, ]*",
        (
            "[OfflinePartitionLeaderSelector]: No broker in ISR is alive for [trades,1]. Pick the leader from the alive "
            "assigned replicas: 7",
            "[OfflinePartitionLeaderSelector]: No broker in ISR is alive for [trades,1]. Pick the leader from the alive "
            "assigned replicas: ",
        ),
        why="that a leader is looked for; whom the controller elects has a line of its own",
    ),
    LineRule(
        "controller-channel",
        "0.8.2",
        "3.9",
        r"The stop replica request \(delete = \w+\) sent to broker \d+ is .*"
        r"|\[Channel manager on controller \d+\]: Not sending request .*"
        r"|\[(?:Controller-\d+-to-broker-\d+-send-thread|RequestSendThread controllerId=\d+)\][,:]? .*",
        (
            "The stop replica request (delete = false) sent to broker 1 is [Topic=bookings,Partition=2,Replica=1]",
            "[Channel manager on controller 2]: Not sending request (type=StopReplicaRequest, controllerId=2, "
            "controllerEpoch=5, deletePartitions=false, partitions=bookings-1) to broker 3, since it is offline.",
            "[Controller-1-to-broker-1-send-thread], Controller 1 epoch 1 fails to send request "
            "(type=StopReplicaRequest, controllerId=1) to broker 127.0.0.1:19092 (id: 1 rack: null). Reconnecting to "
            "broker.",
            "[Controller-6-to-broker-4-send-thread]: Controller 6 epoch 1 fails to send request "
            "(type=StopReplicaRequest, controllerId=6) to broker 127.0.0.1:19092 (id: 4 rack: null). Reconnecting to "
            "broker.",
            "[RequestSendThread controllerId=1] Controller 1 epoch 1 fails to send request (type=StopReplicaRequest, "
            "controllerId=1) to broker 127.0.0.1:19092 (id: 1 rack: null). Reconnecting to broker.",
        ),
        why="whether a request reached a broker; what the broker did has its own lines",
    ),
    LineRule(
        "scheduled-task-failed",
        "0.8.2",
        "",
        r"Uncaught exception in scheduled task '[\w\-]+'",
        ("Uncaught exception in scheduled task 'isr-expiration'",),
        why="that a task was broken off, as by an expired session; what it did change has its own lines",
    ),
    LineRule(
        "request-failed",
        "0.9",
        "",
        r"\[KafkaApi-\d+\] (?:Error when handling request|Unexpected error handling request|\[Admin Manager).*",
        (
            "[KafkaApi-5] Unexpected error handling request RequestHeader(apiKey=UPDATE_METADATA, apiVersion=8, clientId=6, "
            "correlationId=6, headerVersion=2) -- UpdateMetadataRequestData(controllerId=6, controllerEpoch=1)",
            "[KafkaApi-1] Error when handling request: clientId=3, correlationId=8, api=UPDATE_METADATA, version=7, "
            "body=UpdateMetadataRequestData(controllerId=3, controllerEpoch=1)",
        ),
        why="the request was not served; what it would have changed has its own lines",
    ),
    LineRule(
        "request-of-former-life",
        "2.2",
        "3.9",
        r"\[KafkaApi-\d+\] Received (?:LeaderAndIsr|StopReplica|stop replica|UpdateMetadata|update metadata) request with "
        r"broker epoch \d+ smaller than the current broker epoch \d+(?: from controller \d+ with epoch \d+\.)?",
        (
            "[KafkaApi-2] Received LeaderAndIsr request with broker epoch 62 smaller than the current broker epoch 106",
            "[KafkaApi-2] Received update metadata request with broker epoch 62 smaller than the current broker epoch 106",
            "[KafkaApi-7] Received UpdateMetadata request with broker epoch 62 smaller than the current broker epoch 106 "
            "from controller 6 with epoch 1.",
        ),
        why="a request to the broker as it was before its start or its new session: it is not served",
    ),
    LineRule(
        "group-offsets",
        "0.9",
        "",
        r"\[Group Metadata Manager on Broker \d+\]: Removed \d+ expired offsets in \d+ milliseconds\.",
        ("[Group Metadata Manager on Broker 1]: Removed 0 expired offsets in 0 milliseconds.",),
        why="offsets that consumer groups committed: nothing of a replica",
    ),
    LineRule(
        "replica-manager",
        "0.8.2",
        "",
        r"\[Replica ?Manager (?:on Broker \d+\]:|broker=\d+\]) (?:Error (?:processing (?:fetch|delete records) .*"
        r"|while (?:making broker|changing replica dir|responding to) .*)|Leader for partition \S+ does not have a local log"
        r"|While recording the replica LEO, .*|Delete records on local logs? .*|Unable to stop stray partition .*"
        r"|Failed to delete stray partition .*|Found stray partitions .*|Request key .*|Recording follower broker \d+ log end offsets: .*"
        r"|Offset ?[rR]equest with correlation id .*)"
        r"|(?:Sending|Received) Alter(?:Isr|Partition) .*"
        r"|Controller (?:successfully handled|returned an (?:invalid|unexpected)) .*"
        r"|Broker is not authorized to send Alter(?:Isr|Partition) to controller"
        r"|Partition \S+ was sent but not included in the response|Received an unexpected topic .*"
        r"|Attempting to clear Alter(?:Isr|Partition) in-flight .*|Writing new ISR .*",
        (
            "[Replica Manager on Broker 1]: Error processing fetch operation on partition orders-0, offset 42",
            "[ReplicaManager broker=1] Error while making broker the leader for partition Topic: orders; Partition: 0 in dir "
            "None",
            "Sending AlterPartition to controller AlterPartitionRequestData(brokerId=1)",
            "Received AlterPartition response AlterPartitionResponseData(errorCode=0)",
            "Controller successfully handled AlterPartition request for orders-0: PartitionData(partitionIndex=0)",
            "Partition orders-0 was sent but not included in the response",
            "Broker is not authorized to send AlterPartition to controller",
            "Attempting to clear AlterPartition in-flight flag when no apparent request is in-flight",
            "Writing new ISR List(1, 2) to ZooKeeper with version 3 for partition orders-0",
        ),
        why="requests that fail or are on their way; what came of them has its own lines",
        components=("Replica", "ReplicaManager"),
    ),
    LineRule(
        "requests-at-debug",
        "0.8.2",
        "",
        r"(?:\[KafkaApi-\d+\] )?(?:Produce|Fetch|Offset(?: commit)?|TxnOffsetCommit|DeleteRecords) ?(?:[rR]equest )?with "
        r"correlation id \d+ from client .* failed due to .*"
        r"|Created a new (?:full|incremental|sessionless) FetchContext .*|Created fetch session .*|No fetch session created .*"
        r"|(?:Full|Incremental|Sessionless) fetch context .*|Session error (?:for|fetch context) .*"
        r"|Expiring produce request for partition \S+ with status .*|(?:Setting|Removing) \S+ (?:on|from) broker \d+ for topic:? .*"
        r"|Satisfying fetch .*|Broker (?:is (?:the|no longer the) leader|no longer knows? of) .* satisfy .*"
        r"|Partition \S+ is in an offline log directory, satisfy .*|Could not obtain last offset for leader epoch .*"
        r"|Error while fetching metadata for \S+: .*",
        (
            "[KafkaApi-2] Fetch request with correlation id 7 from client broker-1-fetcher-0 on partition orders-0 failed due to "
            "org.apache.kafka.common.errors.UnknownTopicOrPartitionException",
            "[KafkaApi-2] Produce request with correlation id 7 from client shop on partition orders-0 failed due to "
            "org.apache.kafka.common.errors.NotLeaderOrFollowerException",
            "Created a new incremental FetchContext for session id 17, epoch 2: added 0 partition(s), updated 1 "
            "partition(s), removed 0 partition(s)",
            "Created fetch session FetchSession(id=17, privileged=true, partitionMap.size=1, creationMs=5, lastUsedMs=5, "
            "epoch=1)",
            "No fetch session created for privileged=true, size=1.",
            "Full fetch context with session id 17 returning 1 partition(s)",
            "Incremental fetch context with session id 17 returning 0 partition(s)",
            "Sessionless fetch context returning 1 partition(s)",
            "Session error for 17: expected epoch 5, but got 4 instead.",
            "Expiring produce request for partition orders-0 with status [acksPending: true, error: 7, startOffset: 41, "
            "requiredOffset: 42]",
            "Setting leader.replication.throttled.replicas on broker 2 for topic: orders and partitions 0",
            "Removing leader.replication.throttled.replicas from broker 2 for topic orders",
            "Satisfying fetch FetchMetadata(minBytes=1, maxBytes=1024, onlyLeader=true, replicaId=1) immediately since it is "
            "fetching older segments.",
            "Broker is the leader of partition orders-0, but the requested epoch Optional[0] is fenced by the latest leader "
            "epoch, satisfy FetchMetadata(minBytes=1) immediately",
            "Partition orders-0 is in an offline log directory, satisfy FetchMetadata(minBytes=1) immediately",
            "Could not obtain last offset for leader epoch for partition orders-0, epochEndOffset=EpochEndOffset().",
            "Error while fetching metadata for orders-0: leader not available",
        ),
        why="kafka.server at DEBUG: requests that were refused, sessions of fetches, and fetches that are answered at once",
    ),
    LineRule(
        "log-cleaner",
        "0.8.2",
        "",
        r"Cleaner \d+: .*|Compaction for partition \S+ is resumed|Resetting first dirty offset .*"
        r"|The last checkpoint dirty offset for partition .*|Finding range of cleanable offsets for .*"
        r"|Checking if log segment may be cleaned: .*|(?:Removing|Adding) the partition offset data in checkpoint file .*"
        r"|\[kafka-log-cleaner-thread-\d+\][:,] Unexpected exception .*",
        (
            "Cleaner 0: Building offset map for log orders-0 for 2 segments in offset range [0, 42).",
            "Compaction for partition orders-0 is resumed",
            "Resetting first dirty offset of orders-0 to log start offset 7 since the checkpointed offset 3 is invalid.",
            "The last checkpoint dirty offset for partition orders-0 is 9, which is larger than the log end offset 7. "
            "Resetting to the log start offset 0.",
            "Checking if log segment may be cleaned: log='orders-0' segment.baseOffset=0 segment.largestTimestamp=1; now - "
            "compactionLag=1; is uncleanable=false",
        ),
        why="compaction: offsets stay as they are, and the log's ends too",
    ),
    LineRule(
        "startup-words",
        "0.8.2",
        "",
        r"Stat of the created znode at \S+ is: .*|Successfully created /controller_epoch with initial epoch \d+"
        r"|Updated cache from existing .*|\[ExpirationReaper-\d+-\w+\]: (?:Starting|Shutting down|Stopped|Shutdown completed)"
        r"|Client environment:.*|(?:Starting|Shutting down) the log cleaner\.?|authorizerStart completed for endpoint .*"
        r"|\[kafka-log-cleaner-thread-\d+\][:,] (?:Starting|Shutting down|Stopped|Shutdown completed) *"
        r"|\[ControllerEventThread controllerId=\d+\] (?:Starting|Shutting down|Stopped|Shutdown completed) *"
        r"|\[Controller id=\d+\] Broker \d+ has been elected as the controller, so stopping the election process\.",
        (
            # With these a log-cleaner.log, kafka-authorizer.log or the controller.log of a broker that never was the
            # controller is known as Kafka's in a layout of its own.
            "[ControllerEventThread controllerId=2] Starting",
            "[Controller id=2] Broker 1 has been elected as the controller, so stopping the election process.",
            "Starting the log cleaner",
            "Shutting down the log cleaner.",
            "[kafka-log-cleaner-thread-0], Starting ",
            "[kafka-log-cleaner-thread-0]: Shutdown completed",
            "authorizerStart completed for endpoint CONTROLLER. Endpoint is now READY.",
            "Successfully created /controller_epoch with initial epoch 0",
            "Updated cache from existing <empty> to latest FinalizedFeaturesAndEpoch(features=Features{}, epoch=0).",
            "[ExpirationReaper-1-ElectLeader]: Starting",
            "[ExpirationReaper-1-ElectLeader]: Shutting down",
            "[ExpirationReaper-1-ElectLeader]: Stopped",
            "[ExpirationReaper-1-RemoteListOffsets]: Shutdown completed",
            "Client environment:java.class.path=/opt/kafka-2.8.2/libs/argparse4j-0.7.0.jar",
        ),
        why="words of the start that only look like replication",
    ),
)
