"""Lines of the state change log: what the controller sends and what a broker receives, per partition."""

from typing import Final

from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import IDS, TP, group, ids, partition_of

_STATE: Final = (
    r"\(Leader:(?P<leader>-?\d+),ISR:(?P<isr>[\d,]*),LeaderEpoch:(?P<epoch>\d+),ControllerEpoch:\d+\)"
)
_PARTITION_STATE: Final = (
    r"(?:LeaderAndIsr|UpdateMetadata)?PartitionState\((?:topicName='(?P<topic_s>[^']*)', "
    r"partitionIndex=(?P<number_s>\d+), )?controllerEpoch=-?\d+, "
    r"leader=(?P<leader>-?\d+), leaderEpoch=(?P<epoch>\d+), isr=\[?(?P<isr>[\d, ]*+)\]?(?:, )?"
    r"(?:zkVersion|partitionEpoch)=(?P<version>\d+), replicas=\[?(?P<replicas>[\d, ]*+)\]?(?:(?:, )?[a-z][^)]*)?\)"
)
"""The state of a partition in a request, from 0.10.2 in all releases."""
_WITH_LEADER: Final = r"(?: with leader (?:-?\d+|BrokerEndPoint\([^)]*\)))?"
"""What the lines of a follower end with from 2.1 to 2.5."""
_CONTROLLER: Final = r"\[Controller id=(?P<controller>\d+) epoch=(?P<controller_epoch>\d+)\] "
_BROKER: Final = r"(?:\[Broker id=(?P<broker>\d+)\] |Broker (?P<broker_o>\d+) )"
_FROM: Final = r"from controller \d+ (?:with correlation id \d+ )?epoch (?P<controller_epoch>\d+)"


def request_key(controller_epoch: str, tp: tuple[str, int], epoch: int, replica: int | None) -> str:
    """What ties a LeaderAndIsr request to its arrival."""
    return f"LeaderAndIsr {controller_epoch} {tp[0]}-{tp[1]} {epoch} {replica}"


def _speaker(message: Message) -> int | None:
    return group(message.match, "broker", "broker_o")


def _request_sent(message: Message) -> Reading:
    tp, epoch, replica = partition_of(message.match), message.number("epoch"), message.number("replica")
    said = Said(
        "leader_and_isr_sent",
        tp,
        broker=message.number("controller"),
        replica=replica,
        leader=message.number("leader"),
        epoch=epoch,
        isr=ids(message["isr"]),
        partition_epoch=group(message.match, "version"),
        sends=request_key(message["controller_epoch"], tp, epoch, replica),
    )
    return Reading((said,))


def _request_received(message: Message) -> Reading:
    tp, epoch, broker = partition_of(message.match), message.number("epoch"), _speaker(message)
    said = Said(
        "leader_and_isr_received",
        tp,
        broker=broker,
        leader=message.number("leader"),
        epoch=epoch,
        isr=ids(message["isr"]),
        partition_epoch=message.number("version"),
        assigned=ids(message["replicas"]),
        receives=request_key(message["controller_epoch"], tp, epoch, broker),
    )
    return Reading((said,))


def _metadata_sent(message: Message) -> Reading:
    said = Said(
        "metadata_sent",
        partition_of(message.match),
        broker=message.number("controller"),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        isr=ids(message["isr"]),
        partition_epoch=group(message.match, "version"),
    )
    return Reading((said,))


def _metadata_applied(message: Message) -> Reading:
    said = Said(
        "metadata_applied",
        partition_of(message.match),
        broker=_speaker(message),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        isr=ids(message["isr"]),
        partition_epoch=group(message.match, "version"),
        assigned=ids(message["replicas"]),
    )
    return Reading((said,))


def _ignored(message: Message) -> Reading:
    said = Said(
        "stale_request_ignored",
        partition_of(message.match),
        broker=_speaker(message),
        epoch=message.number("epoch"),
    )
    return Reading((said,))


def _leader_unavailable(message: Message) -> Reading:
    leader = message.number("leader")
    return Reading(
        (
            Said(
                "leader_and_isr_received",
                partition_of(message.match),
                broker=_speaker(message),
                leader=leader,
            ),
        )
    )


def _still_leader(message: Message) -> Reading:
    broker = _speaker(message)
    return Reading(
        (Said("leader_and_isr_received", partition_of(message.match), broker=broker, leader=broker),)
    )


def _transition(message: Message) -> Reading:
    broker = _speaker(message)
    leads = message["role"] == "leader"
    kind = "became_leader" if leads else "became_follower"
    said = Said(kind, partition_of(message.match), broker=broker, leader=broker if leads else None)
    return Reading((said,))


REQUEST_RULES = (
    LineRule(
        "leader-and-isr-sent-1.0",
        "1.0",
        "3.9",
        rf"{_CONTROLLER}Sending become-(?:leader|follower) LeaderAndIsr request {_PARTITION_STATE} to broker "
        rf"(?P<replica>\d+) for partition {TP}",
        (
            "[Controller id=3 epoch=1] Sending become-follower LeaderAndIsr request PartitionState(controllerEpoch=1, "
            "leader=1, leaderEpoch=0, isr=1,2, zkVersion=0, replicas=1,2, isNew=true) to broker 2 for partition "
            "orders-0",
        ),
        _request_sent,
    ),
    LineRule(
        "metadata-sent-1.0",
        "1.0",
        "3.9",
        # From the controller's cache: it lags behind an ISR change that the leader wrote itself.
        rf"{_CONTROLLER}Sending UpdateMetadata request {_PARTITION_STATE} to brokers \w+\({IDS}\) for partition {TP}",
        (
            "[Controller id=3 epoch=1] Sending UpdateMetadata request PartitionState(controllerEpoch=1, leader=1, "
            "leaderEpoch=0, isr=[1, 2], zkVersion=0, replicas=[1, 2], offlineReplicas=[]) to brokers Set(1, 2, 3) for "
            "partition orders-0",
        ),
        _metadata_sent,
    ),
    LineRule(
        "metadata-applied-1.0",
        "1.0",
        "3.9",
        rf"{_BROKER}Cached leader info {_PARTITION_STATE} for partition {TP} in response to UpdateMetadata request sent "
        r"by controller \d+ epoch \d+ with correlation id \d+",
        (
            "[Broker id=1] Cached leader info PartitionState(controllerEpoch=1, leader=-1, leaderEpoch=2, isr=[2], "
            "zkVersion=2, replicas=[1, 2], offlineReplicas=[2]) for partition orders-0 in response to UpdateMetadata "
            "request sent by controller 3 epoch 1 with correlation id 0",
        ),
        _metadata_applied,
    ),
    LineRule(
        "leader-and-isr-sent",
        "0.8.2",
        "0.11",
        rf"Controller (?P<controller>\d+) epoch (?P<controller_epoch>\d+) sending become-(?:leader|follower) "
        rf"LeaderAndIsr request {_STATE} to broker (?P<replica>\d+) for partition {TP}",
        (
            "Controller 3 epoch 1 sending become-follower LeaderAndIsr request (Leader:1,ISR:1,2,LeaderEpoch:0,"
            "ControllerEpoch:1) to broker 2 for partition [orders,0]",
        ),
        _request_sent,
    ),
    LineRule(
        "leader-and-isr-received",
        "0.10.2",
        "4.1",
        # From 2.4 the state names the partition, and nothing stands behind the controller's epoch.
        rf"{_BROKER}[rR]eceived LeaderAndIsr request {_PARTITION_STATE} correlation id \d+ from controller \d+ "
        rf"epoch (?P<controller_epoch>\d+)(?: for partition {TP})?",
        (
            "[Broker id=2] Received LeaderAndIsr request PartitionState(controllerEpoch=1, leader=1, leaderEpoch=0, "
            "isr=1,2, zkVersion=0, replicas=1,2, isNew=true) correlation id 1 from controller 3 epoch 1 for partition "
            "orders-0",
            "[Broker id=2] Received LeaderAndIsr request LeaderAndIsrPartitionState(topicName='orders', "
            "partitionIndex=0, controllerEpoch=1, leader=1, leaderEpoch=0, isr=[1, 2], zkVersion=0, replicas=[1, 2], "
            "addingReplicas=[], removingReplicas=[], isNew=true) correlation id 1 from controller 3 epoch 1 for "
            "partition orders-0",
            "Broker 2 received LeaderAndIsr request PartitionState(controllerEpoch=1, leader=1, leaderEpoch=0, "
            "isr=[1, 2], zkVersion=0, replicas=[1, 2]) correlation id 1 from controller 3 epoch 1 for partition "
            "[orders,0]",
            "Broker 2 received LeaderAndIsr request PartitionState(controllerEpoch=1, leader=1, leaderEpoch=0, "
            "isr=1,2, zkVersion=0, replicas=1,2) correlation id 1 from controller 3 epoch 1 for partition [orders,0]",
            "[Broker id=2] Received LeaderAndIsr request LeaderAndIsrPartitionState(topicName='orders', "
            "partitionIndex=0, controllerEpoch=1, leader=1, leaderEpoch=0, isr=[1, 2], zkVersion=0, replicas=[1, 2], "
            "addingReplicas=[], removingReplicas=[], isNew=true) correlation id 1 from controller 3 epoch 1",
        ),
        _request_received,
    ),
    LineRule(
        "metadata-sent",
        "0.8.2",
        "0.11",
        # From the controller's cache: it lags behind an ISR change that the leader wrote itself.
        rf"Controller (?P<controller>\d+) epoch \d+ sending UpdateMetadata request {_STATE} to brokers \w+\({IDS}\) "
        rf"for partition {TP}",
        (
            "Controller 3 epoch 1 sending UpdateMetadata request (Leader:1,ISR:1,2,LeaderEpoch:0,ControllerEpoch:1) "
            "to brokers Set(1, 2, 3) for partition orders-0",
        ),
        _metadata_sent,
    ),
    LineRule(
        "metadata-applied",
        "0.8.2",
        "0.11",
        rf"{_BROKER}cached leader info \(LeaderAndIsrInfo:{_STATE},ReplicationFactor:\d+\),"
        rf"AllReplicas:(?P<replicas>[\d,]*)\) for partition {TP} in response to UpdateMetadata request sent by "
        r"controller \d+ epoch \d+ with correlation id \d+",
        (
            "Broker 3 cached leader info (LeaderAndIsrInfo:(Leader:1,ISR:1,2,LeaderEpoch:0,ControllerEpoch:1),"
            "ReplicationFactor:2),AllReplicas:1,2) for partition orders-0 in response to UpdateMetadata request sent by "
            "controller 3 epoch 1 with correlation id 3",
        ),
        _metadata_applied,
    ),
    LineRule(
        "stale-request",
        "0.8.2",
        "4.1",
        # `epoch` is the one that the broker holds.
        rf"{_BROKER}[iI]gnoring LeaderAndIsr request from controller \d+ with correlation id \d+ epoch \d+ for "
        rf"partition {TP} since its associated leader epoch \d+ is (?:old|not higher than|smaller than)"
        r"[^\d]*(?P<epoch>\d+)",
        (
            "Broker 1 ignoring LeaderAndIsr request from controller 1 with correlation id 1 epoch 2 for partition "
            "[orders,0] since its associated leader epoch 0 is not higher than the current leader epoch 0",
            "[Broker id=1] Ignoring LeaderAndIsr request from controller 3 with correlation id 9 epoch 1 for partition "
            "orders-0 since its associated leader epoch 4 is smaller than the current leader epoch 5",
        ),
        _ignored,
    ),
    LineRule(
        "same-epoch-request",
        "2.3",
        "4.1",
        rf"{_BROKER}Ignoring LeaderAndIsr request from controller \d+ with correlation id \d+ epoch \d+ for "
        rf"partition {TP} since its associated leader epoch (?P<epoch>\d+) matches the current leader epoch",
        (
            "[Broker id=1] Ignoring LeaderAndIsr request from controller 1 with correlation id 1 epoch 2 for partition "
            "audit-0 since its associated leader epoch 0 matches the current leader epoch",
        ),
        _ignored,
    ),
    LineRule(
        "leader-unavailable",
        "0.8.2",
        "4.1",
        # It does not become a follower: its epoch and its fetchers stay as they were.
        rf"{_BROKER}[rR]eceived LeaderAndIsrRequest with correlation id \d+ from controller \d+ epoch \d+ for partition "
        rf"{TP}(?: \(last update controller epoch \d+\))? but cannot become follower since the new leader "
        r"(?P<leader>-?\d+) is unavailable\.",
        (
            "Broker 2 received LeaderAndIsrRequest with correlation id 1 from controller 3 epoch 1 for partition "
            "orders-0 but cannot become follower since the new leader -1 is unavailable.",
            "[Broker id=2] Received LeaderAndIsrRequest with correlation id 1 from controller 2 epoch 3 for partition "
            "audit-0 (last update controller epoch 2) but cannot become follower since the new leader 1 is "
            "unavailable.",
        ),
        _leader_unavailable,
    ),
    LineRule(
        "still-leader",
        "0.9",
        "3.2",
        rf"{_BROKER}[sS]kipped the become-leader state change after marking its partition as leader with correlation id "
        rf"\d+ from controller \d+ epoch \d+ for partition {TP}(?: \(last update controller epoch \d+\))? since it "
        r"is already the leader for the partition\.",
        (
            "Broker 1 skipped the become-leader state change after marking its partition as leader with correlation "
            "id 3 from controller 1 epoch 2 for partition orders-0 since it is already the leader for the partition.",
            "[Broker id=1] Skipped the become-leader state change after marking its partition as leader with "
            "correlation id 3 from controller 1 epoch 2 for partition audit-0 (last update controller epoch 2) since "
            "it is already the leader for the partition.",
        ),
        _still_leader,
    ),
    LineRule(
        "same-leader",
        "0.8.2",
        "3.2",
        rf"{_BROKER}[sS]kipped the become-follower state change after marking its partition as follower with "
        rf"correlation id \d+ from controller \d+ epoch \d+ for partition {TP}(?: \(last update controller epoch "
        r"\d+\))? since the new leader \d+ is the same as the old leader",
        (
            "Broker 3 skipped the become-follower state change after marking its partition as follower with "
            "correlation id 5 from controller 4 epoch 1 for partition orders-0 since the new leader 1 is the same as "
            "the old leader",
            "[Broker id=3] Skipped the become-follower state change after marking its partition as follower with "
            "correlation id 5 from controller 4 epoch 1 for partition orders-0 (last update controller epoch 1) since "
            "the new leader 1 is the same as the old leader",
        ),
        why="it goes on fetching as it did; the request that it is about has its own line",
    ),
    LineRule(
        "transition",
        "0.8.2",
        "4.1",
        # Its leader epoch is in the request received just before. The line `completed …` comes after the cut.
        rf"{_BROKER}[hH]andling LeaderAndIsr request correlationId \d+ {_FROM} starting the "
        rf"become-(?P<role>leader|follower) transition for partition {TP}{_WITH_LEADER}",
        (
            "Broker 2 handling LeaderAndIsr request correlationId 1 from controller 3 epoch 1 starting the "
            "become-follower transition for partition orders-0",
            "[Broker id=1] Handling LeaderAndIsr request correlationId 2 from controller 3 epoch 1 starting the "
            "become-leader transition for partition trades-0",
            "[Broker id=1] Handling LeaderAndIsr request correlationId 3 from controller 3 epoch 1 starting the "
            "become-follower transition for partition trades-0 with leader 2",
        ),
        _transition,
    ),
    LineRule(
        "transition-completed",
        "0.8.2",
        "4.1",
        rf"{_BROKER}[cC]ompleted LeaderAndIsr request correlationId \d+ {_FROM} for the become-(?:leader|follower) "
        rf"transition for partition {TP}{_WITH_LEADER}",
        (
            "[Broker id=1] Completed LeaderAndIsr request correlationId 3 from controller 3 epoch 1 for the "
            "become-follower transition for partition trades-0 with leader -1",
            "Broker 2 completed LeaderAndIsr request correlationId 1 from controller 3 epoch 1 for the "
            "become-follower transition for partition orders-0",
            "[Broker id=1] Completed LeaderAndIsr request correlationId 2 from controller 3 epoch 1 for the "
            "become-leader transition for partition trades-0",
        ),
        why="the transition is an event where it starts",
    ),
    LineRule(
        "transition-fetchers",
        "0.8.2",
        "4.1",
        rf"{_BROKER}(?:[sS]topped fetchers|[sS]tarted fetcher to new leader) as part of become-(?:leader|follower) request "
        rf"{_FROM} with correlation id \d+ for partition {TP}(?: \(last update controller epoch \d+\))?{_WITH_LEADER}"
        r"|(?:\[Broker id=\d+\] |Broker \d+ )[sS]kipped the adding-fetcher step of the become-follower state change .*",
        (
            "[Broker id=2] Stopped fetchers as part of become-follower request from controller 3 epoch 1 with "
            "correlation id 1 for partition trades-1",
            "[Broker id=2] Started fetcher to new leader as part of become-follower request from controller 3 epoch 1 "
            "with correlation id 1 for partition trades-1",
            "[Broker id=1] Stopped fetchers as part of become-leader request from controller 3 epoch 1 with correlation "
            "id 2 for partition trades-0 (last update controller epoch 1)",
            "[Broker id=1] Started fetcher to new leader as part of become-follower request from controller 3 epoch 1 "
            "with correlation id 3 for partition trades-0 with leader BrokerEndPoint(id=2, host=127.0.0.1:19093)",
            "Broker 2 skipped the adding-fetcher step of the become-follower state change with correlation id 9 from "
            "controller 2 epoch 2 for partition bookings-1 since it is shutting down",
            "[Broker id=2] Skipped the adding-fetcher step of the become-follower state change with correlation id 9 "
            "from controller 2 epoch 2 for partition bookings-1 since it is shutting down",
            "Broker 2 stopped fetchers as part of become-follower request from controller 3 epoch 1 with correlation "
            "id 1 for partition orders-0",
            "Broker 2 started fetcher to new leader as part of become-follower request from controller 3 epoch 1 with "
            "correlation id 1 for partition orders-0",
        ),
        why="the fetcher manager says it with the offsets",
    ),
    LineRule(
        "transition-truncated",
        "0.8.2",
        "2.5",
        rf"{_BROKER}[tT]runcated logs and checkpointed recovery boundaries for partition {TP} as part of "
        r"become-follower request with correlation id \d+ from controller \d+ epoch \d+(?: with leader \d+)?",
        (
            "[Broker id=2] Truncated logs and checkpointed recovery boundaries for partition trades-1 as part of "
            "become-follower request with correlation id 1 from controller 3 epoch 1",
            "Broker 2 truncated logs and checkpointed recovery boundaries for partition orders-0 as part of "
            "become-follower request with correlation id 1 from controller 3 epoch 1",
        ),
        why="printed whether or not anything was cut; the log's own line says to where",
    ),
    LineRule(
        "request-counts",
        "0.8.2",
        "",
        r"(?:\[Broker id=\d+\] |Broker \d+ )(?:Handling (?:LeaderAndIsr|StopReplica) request correlationId \d+ from "
        r"controller \d+ for \d+ partitions|(?:[hH]andling|[fF]inished handling) stop replica \(delete=\w+\) for "
        r"partition \S+|Ignoring StopReplica request .*|Received update metadata request .* from an old controller .*"
        r"|A ZooKeeper client exception has occurred\b.*|[iI]gnoring LeaderAndIsr request from controller \d+ with "
        r"correlation id \d+ (?:epoch \d+ )?since its controller epoch \d+ is old\. Latest known controller epoch is \d+"
        r"|Finished LeaderAndIsr request in \d+ms correlationId \d+ from controller \d+ for \d+ partitions"
        r"|Stopped fetchers as part of (?:LeaderAndIsr request correlationId \d+ )?(?:become-follower request )?from "
        r"controller \d+ epoch \d+ (?:with correlation id \d+ )?(?:as part of the become-leader transition )?for \d+ "
        r"partitions|Add \d+ partitions and deleted \d+ partitions from metadata cache in response to UpdateMetadata "
        r"request sent by controller \d+ epoch \d+ with correlation id \d+)",
        (
            "[Broker id=1] Handling LeaderAndIsr request correlationId 2 from controller 3 for 3 partitions",
            "[Broker id=1] Handling StopReplica request correlationId 7 from controller 1 for 2 partitions",
            "[Broker id=1] Ignoring LeaderAndIsr request from controller 3 with correlation id 9 since its controller epoch 2 "
            "is old. Latest known controller epoch is 3",
            "Broker 1 ignoring LeaderAndIsr request from controller 3 with correlation id 9 since its controller epoch 2 is "
            "old. Latest known controller epoch is 3",
            "[Broker id=1] Ignoring StopReplica request (delete=false) from controller 1 with correlation id 7 epoch 1 "
            "for partition orders-1 since its associated leader epoch 0 matches the current leader epoch",
            "Broker 1 handling stop replica (delete=false) for partition bookings-2",
            "Broker 1 finished handling stop replica (delete=false) for partition bookings-2",
            "[Broker id=1] Received update metadata request with correlation id 8 from an old controller 3 with epoch "
            "1. Latest known controller epoch is 2",
            "[Broker id=1] A ZooKeeper client exception has occurred and makeLeader will be skipping the state change "
            "for the partition orders-0 with leader epoch: 5",
            "[Broker id=1] Finished LeaderAndIsr request in 487ms correlationId 2 from controller 3 for 3 partitions",
            "[Broker id=1] Stopped fetchers as part of LeaderAndIsr request correlationId 2 from controller 3 epoch 1 "
            "as part of the become-leader transition for 3 partitions",
            "[Broker id=1] Stopped fetchers as part of become-follower request from controller 2 epoch 3 with "
            "correlation id 1 for 7 partitions",
            "[Broker id=1] Add 3 partitions and deleted 0 partitions from metadata cache in response to UpdateMetadata "
            "request sent by controller 3 epoch 1 with correlation id 3",
        ),
        why="counts, and requests about what the broker gives up; each partition's change has its own line",
    ),
    LineRule(
        "request-refused",
        "0.8.2",
        "",
        rf"{_BROKER}(?:[iI]gnoring LeaderAndIsr request from controller \d+ with correlation id \d+ epoch \d+ for partition "
        r"\S+ as .*|[iI]gnoring stop replica \(delete=\w+\) for partition .*"
        r"|[rR]eceived stop replica request from an old controller .*|Received StopReplica request .*"
        r"|[dD]eleted partition \S+ from metadata cache in response to .*"
        r"|Skipped the become-(?:leader|follower) state change (?:with correlation id .*"
        r"|for \S+ with topic id \S+ due to .*)|Skipped the update topic ID step of .*"
        r"|Error while processing LeaderAndIsr request .*|Updating (?:log for|PartitionFetchState for) .*"
        r"|Topic I[dD] in memory: .*|Unable to (?:bring up|delete|start fetching) .*"
        r"|Creating new partition \S+ with topic id \S+\.A topic with the same name .*"
        r"|While handling full LeaderAndIsr request .*|Applied \d+ deferred partitions.*"
        r"|Ignoring handlePartitionChanges .*|Metadata changes are .*|(?:Applying|Applied) deferred .*"
        r"|Deferring metadata changes .*)",
        (
            "Broker 1 ignoring LeaderAndIsr request from controller 3 with correlation id 9 epoch 1 for partition [orders,0] "
            "as itself is not in assigned replica list 2,3",
            "[Broker id=1] Ignoring LeaderAndIsr request from controller 3 with correlation id 9 epoch 1 for partition "
            "orders-0 as the local replica for the partition is in an offline log directory",
            "Broker 1 ignoring stop replica (delete=true) for partition orders-0 as replica doesn't exist on broker",
            "Broker 1 received stop replica request from an old controller epoch 1. Latest known controller epoch is 2",
            "Broker 1 deleted partition [orders,0] from metadata cache in response to UpdateMetadata request sent by "
            "controller 3 epoch 1 with correlation id 3",
            "[Broker id=1] Deleted partition orders-0 from metadata cache in response to UpdateMetadata request sent by "
            "controller 3 epoch 1 with correlation id 3",
            "[Broker id=1] Skipped the become-leader state change for orders-0 with topic id "
            "Some(8VSRivgKSmSC3x9iq5VHEw) due to a storage error Log directory /data1 is offline",
            "[Broker id=1] Unable to bring up new local leader orders-0 with topic id 8VSRivgKSmSC3x9iq5VHEw because it "
            "resides in an offline log directory.",
        ),
        why="a request that the broker does not follow, or what it forgets; its replica stays as it was",
        components=("Broker",),
    ),
    LineRule(
        "controller-counts",
        "2.6.0",
        "3.9",
        r"\[Controller id=\d+ epoch=\d+\] Sending (?:UpdateMetadata request to brokers \w+\([\d, ]*\) for \d+ "
        r"partitions|LeaderAndIsr request to broker \d+ with \d+ become-leader and \d+ become-follower partitions"
        r"|StopReplica request (?:\(delete = \w+\) )?for \d+ replicas to broker \d+)",
        (
            "[Controller id=1 epoch=1] Sending StopReplica request for 1 replicas to broker 2",
            "[Controller id=1 epoch=2] Sending UpdateMetadata request to brokers HashSet(1, 2) for 0 partitions",
            "[Controller id=1 epoch=2] Sending LeaderAndIsr request to broker 1 with 7 become-leader and 0 "
            "become-follower partitions",
        ),
        why="counts only; each partition has its own line",
    ),
)
