"""Lines of the KRaft controller: brokers fenced and let in, partitions created and changed.

Records of the metadata log are replayed by every controller, and again at each start: what such a line says
is so, but not when it came about. Its statements are REPORTED, and only the active controller's own acts are
told with their time.
"""

import re
from typing import Final

from core.trace.vocabulary import Basis, Election
from importers.kafka.drafts import Said
from importers.kafka.rule import Build, LineRule, Message, Reading
from importers.kafka.text import TOPIC_ID, TP, group, ids, partition_of

_NAME: Final = r"\[(?:QuorumController id=|Controller )(?P<controller>\d+)\] "
_LIST_CHANGE: Final = re.compile(r"(?<!\w)(\w+): \[([\d, ]*)\] -> \[([\d, ]*)\]")
_MOVING: Final = ("addingReplicas", "removingReplicas")
_TOO_LONG: Final = re.compile(r"\d{19}")
_CHANGE: Final = re.compile(r"(?<!\w)(\w+): (\S+) -> ([^,\s]+)")


def _controller_elected(message: Message) -> Reading:
    epoch = group(message.match, "epoch", "epoch_x")
    first = group(message.match, "life")
    said = Said("controller_elected", broker=message.number("controller"), epoch=epoch, life=first)
    return Reading((said,))


def _controller_resigned(message: Message) -> Reading:
    return Reading((Said("controller_resigned", broker=message.number("controller")),))


def _created(message: Message) -> Reading:
    said = Said(
        "partition_created",
        partition_of(message.match),
        broker=message.number("controller"),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        isr=ids(message["isr"]),
        assigned=ids(message["replicas"]),
        basis=Basis.REPORTED,
        topic_id=message["topic_id"],
    )
    return Reading((said,))


def _how(message: Message, changes: dict[str, tuple[str, str]], leader: int) -> Election | None:
    """How a leader was elected, as far as the line shows it; None where it does not.

    From 3.7 to 3.9 UNCLEAN is printed for an eligible leader replica too, and from 4.1 again while a
    partition recovers: only the step to RECOVERING is an unclean election (KIP-704; 3.0 and 3.1 have none).
    It is printed of a leader that was not in the set before. One that has just caught up enters it as the
    reassignment completes, and leads at once (PartitionChangeBuilder.completeReassignmentIfNeeded).
    """
    before = {name: ids(changes[name][0]) for name in ("elr", "lastKnownElr") if name in changes}
    if leader in before.get("elr", ()):
        return Election.ELR
    recovery = changes.get("leaderRecoveryState")
    unclean = recovery is not None and recovery[1] == "RECOVERING"
    if before.get("lastKnownElr") == (leader,) and unclean:
        return Election.LAST_KNOWN
    completes = any(changes.get(name, ("", ""))[0] and not changes[name][1] for name in _MOVING)
    if completes and message["unclean"] and not unclean:
        return Election.CLEAN
    if unclean or (message["unclean"] and recovery is None and "elr" not in changes):
        return Election.UNCLEAN
    return None


def _changed(message: Message) -> Reading:
    """Raises ValueError for a number beyond 64 bits, also in a list that only says how a leader was elected."""
    if _TOO_LONG.search(message["changes"]) is not None:
        raise ValueError("no cluster has such a number")
    lists = {name: (old, new) for name, old, new in _LIST_CHANGE.findall(message["changes"])}
    changes = {name: (old, new) for name, old, new in _CHANGE.findall(message["changes"])} | lists
    tp, controller = partition_of(message.match), message.number("controller")
    isr = ids(lists["isr"][1]) if "isr" in lists else None
    version = int(changes["partitionEpoch"][1]) if "partitionEpoch" in changes else None
    besides = (*_recovery(message, changes), *_reassigned(message, lists, version))
    if "leader" in changes and "leaderEpoch" in changes:
        leader = int(changes["leader"][1])
        said = Said(
            "leader_elected" if leader >= 0 else "leaderless",
            tp,
            broker=controller,
            leader=leader,
            epoch=int(changes["leaderEpoch"][1]),
            partition_epoch=version,
            isr=isr,
            aux=_how(message, changes, leader) if leader >= 0 else None,
            basis=Basis.REPORTED,
        )
        return Reading((said, *besides))
    if isr is None:
        return Reading(besides)
    said = Said(
        "isr_committed", tp, broker=controller, isr=isr, partition_epoch=version, basis=Basis.REPORTED
    )
    return Reading((said, *besides))


def _reassigned(message: Message, lists: dict[str, tuple[str, str]], version: int | None) -> tuple[Said, ...]:
    """Other brokers hold the partition: all of them, old and new, while it moves; then the new ones alone."""
    if "replicas" not in lists:
        return ()
    replicas = ids(lists["replicas"][1])
    said = Said(
        "replicas_assigned",
        partition_of(message.match),
        broker=message.number("controller"),
        isr=replicas,
        assigned=replicas,
        partition_epoch=version,
        basis=Basis.REPORTED,
    )
    return (said,)


def _recovery(message: Message, changes: dict[str, tuple[str, str]]) -> tuple[Said, ...]:
    """The partition recovers after an unclean election, or its leader has recovered (KIP-704)."""
    if "leaderRecoveryState" not in changes:
        return ()
    said = Said(
        "leader_recovery_changed",
        partition_of(message.match),
        broker=message.number("controller"),
        leader=int(changes["leader"][1]) if "leader" in changes else None,
        epoch=int(changes["leaderEpoch"][1]) if "leaderEpoch" in changes else None,
        partition_epoch=int(changes["partitionEpoch"][1]) if "partitionEpoch" in changes else None,
        aux=int(changes["leaderRecoveryState"][1] == "RECOVERING"),
        basis=Basis.REPORTED,
    )
    return (said,)


def _about_broker(kind: str, aux: int | None = None) -> Build:
    def build(message: Message) -> Reading:
        said = Said(
            kind,
            broker=message.number("controller"),
            replica=group(message.match, "about", "about_x"),
            aux=aux,
            basis=Basis.REPORTED,
            life=group(message.match, "life"),
        )
        return Reading((said,))

    return build


def _rejected(message: Message) -> Reading:
    """From 4.3 the line ends with what is in force."""
    tp, controller = partition_of(message.match), message.number("controller")
    epoch, version = group(message.match, "epoch"), group(message.match, "version")
    rejected = Said("isr_update_rejected", tp, broker=controller, epoch=epoch)
    if epoch is None or version is None:
        return Reading((rejected,))
    current = Said(
        "isr_committed",
        tp,
        broker=controller,
        epoch=epoch,
        isr=ids(message["isr"]),
        partition_epoch=version,
        basis=Basis.REPORTED,
    )
    return Reading((rejected, current))


KRAFT_CONTROLLER_RULES = (
    LineRule(
        "kraft-controller-active",
        "2.8",
        "",
        rf"{_NAME}(?:Becoming (?:the )?active (?:controller )?at (?:controller )?epoch (?P<epoch>\d+)[.,]"
        r"(?: next write offset (?P<life>\d+)\.|.*)"
        r"|We were the leader in epoch \d+, and are still the leader in the new epoch (?P<epoch_x>\d+)\.)",
        (
            "[Controller 1] We were the leader in epoch 3, and are still the leader in the new epoch 4.",
            "[QuorumController id=1] We were the leader in epoch 3, and are still the leader in the new epoch 4.",
            "[QuorumController id=100] Becoming the active controller at epoch 1, next write offset 1.",
            "[Controller 1] Becoming active at controller epoch 1.",
            "[Controller 1] Becoming the active controller at epoch 1, committed offset 9 and committed epoch 1.",
        ),
        _controller_elected,
    ),
    LineRule(
        "kraft-controller-resigned",
        "2.8",
        "",
        rf"{_NAME}Renouncing the leadership (?:due to|at oldEpoch) .*",
        (
            "[QuorumController id=101] Renouncing the leadership due to a metadata log event. We were the leader at "
            "epoch 3, but in the new epoch 4, the leader is (none). Reverting to last stable offset 152.",
            "[Controller 1] Renouncing the leadership at oldEpoch 1 due to a metadata log event. Reverting to last "
            "committed offset 200.",
        ),
        _controller_resigned,
    ),
    LineRule(
        "kraft-partition-created",
        "3.0",
        "",
        rf"{_NAME}(?:Replayed PartitionRecord for new|Created) partition {TP} with topic ID {TOPIC_ID} and "
        r"PartitionRegistration\(replicas=\[(?P<replicas>[\d, ]*)\], (?>.{0,65536}?isr=\[)(?P<isr>[\d, ]*)\], "
        r"(?>.{0,65536}?leader=)(?P<leader>-?\d+), (?>.{0,65536}?leaderEpoch=)(?P<epoch>\d+), partitionEpoch=\d+\)\.",
        (
            "[QuorumController id=101] Replayed PartitionRecord for new partition metrics-0 with topic ID "
            "iUP1kGcGRROHqlTaua7l5g and PartitionRegistration(replicas=[1, 2, 3], "
            "directories=[eXk_JAlwDtskaeQP_Q3uFA, fY4EkcVbNvEWe90YNrsrmg, VUpPHk9KTn_uMoN4qiVXOw], isr=[1, 2], "
            "removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], leader=1, "
            "leaderRecoveryState=RECOVERED, leaderEpoch=0, partitionEpoch=0).",
            "[Controller 1] Created partition metrics-0 with topic ID iUP1kGcGRROHqlTaua7l5g and "
            "PartitionRegistration(replicas=[1, 2, 3], isr=[1, 2], removingReplicas=[], addingReplicas=[], leader=1, "
            "leaderRecoveryState=RECOVERED, leaderEpoch=0, partitionEpoch=0).",
            "[QuorumController id=100] Created partition metrics-0 with topic ID iUP1kGcGRROHqlTaua7l5g and "
            "PartitionRegistration(replicas=[1, 2, 3], isr=[1, 2], removingReplicas=[], addingReplicas=[], leader=1, "
            "leaderRecoveryState=RECOVERED, leaderEpoch=0, partitionEpoch=0).",
        ),
        _created,
    ),
    LineRule(
        "kraft-partition-changed",
        "3.0",
        "",
        rf"{_NAME}(?P<unclean>UNCLEAN )?partition change for {TP} with topic ID \S+: (?P<changes>.{{0,65536}})",
        (
            "[QuorumController id=100] UNCLEAN partition change for carts-2 with topic ID sa13CsJbRGiPllj0nHH9wA: "
            "isr: [3] -> [2], leader: 3 -> 2, leaderRecoveryState: RECOVERED -> RECOVERING, leaderEpoch: 2 -> 3, "
            "partitionEpoch: 4 -> 5",
            "[QuorumController id=100] UNCLEAN partition change for sessions-0 with topic ID ozaEh9J8SmW22s26ZAObYg: "
            "isr: [] -> [3], leader: -1 -> 3, leaderRecoveryState: RECOVERED -> RECOVERING, leaderEpoch: 2 -> 3, "
            "lastKnownElr: [3] -> [], partitionEpoch: 5 -> 6",
            "[QuorumController id=100] UNCLEAN partition change for orders-0 with topic ID p3mFxbNZRjSN5673ktRmxg: "
            "isr: [] -> [2], leader: -1 -> 2, elr: [1, 2] -> [1], leaderEpoch: 2 -> 3, partitionEpoch: 5 -> 6",
            "[QuorumController id=100] partition change for orders-0 with topic ID p3mFxbNZRjSN5673ktRmxg: isr: "
            "[1, 2, 3] -> [1, 2], partitionEpoch: 0 -> 1",
            "[QuorumController id=100] UNCLEAN partition change for orders-0 with topic ID p3mFxbNZRjSN5673ktRmxg: "
            "replicas: [4, 1, 2, 3] -> [4, 1], isr: [2, 1] -> [1, 4], removingReplicas: [2, 3] -> [], addingReplicas: [4] "
            "-> [], leader: 2 -> 4, leaderEpoch: 1 -> 2, partitionEpoch: 2 -> 3",
            "[QuorumController id=100] partition change for orders-0 with topic ID p3mFxbNZRjSN5673ktRmxg: isr: "
            "[1] -> [], leader: 1 -> -1, leaderEpoch: 0 -> 1, partitionEpoch: 1 -> 2",
            # Its name to 3.4.
            "[Controller 1] UNCLEAN partition change for orders-0 with topic ID p3mFxbNZRjSN5673ktRmxg: isr: [1] -> [2], "
            "leader: -1 -> 2, leaderEpoch: 2 -> 3, partitionEpoch: 5 -> 6",
            "[Controller 1] partition change for orders-0 with topic ID p3mFxbNZRjSN5673ktRmxg: isr: [1, 2, 3] -> [1, 2], "
            "partitionEpoch: 0 -> 1",
        ),
        _changed,
    ),
    LineRule(
        "kraft-broker-fenced",
        "2.8",
        "",
        # A crash as it looks from outside; also printed some seconds after a clean stop.
        rf"{_NAME}(?:Fencing broker (?P<about>\d+)(?: at epoch (?P<life>\d+))? because its session has timed out\."
        r"|Unfenced broker (?P<about_x>\d+) has requested and been granted fencing)",
        (
            "[QuorumController id=3] Unfenced broker 1 has requested and been granted fencing",
            "[Controller 3] Unfenced broker 1 has requested and been granted fencing",
            "[QuorumController id=3] Fencing broker 1 at epoch 16 because its session has timed out.",
            "[Controller 1] Fencing broker 2 because its session has timed out.",
        ),
        _about_broker("broker_fenced"),
    ),
    LineRule(
        "kraft-broker-unfenced",
        "2.8",
        "",
        rf"{_NAME}The request from broker (?P<about>\d+) to unfence has been granted because "
        r"(?:.* register broker record (?P<life>\d+)\.|.*)",
        (
            "[QuorumController id=100] The request from broker 2 to unfence has been granted because it has caught up "
            "with the offset of its register broker record 7.",
            "[Controller 1] The request from broker 2 to unfence has been granted because it has caught up with the "
            "last committed metadata offset 7.",
        ),
        _about_broker("broker_unfenced"),
    ),
    LineRule(
        "kraft-broker-registers",
        "3.9",
        "",
        rf"{_NAME}(?:Registering a new incarnation of|No previous registration found for) broker (?P<about>\d+)\. "
        r"(?:.*[Bb]roker epoch (?:is|will become) (?P<life>\d+)\.|.*)",
        (
            "[QuorumController id=3] No previous registration found for broker 1. New incarnation ID is "
            "lFLwPZ3QQSWopwyhaaVfBw.  Generated 0 record(s) to clean up previous incarnations. New broker epoch is 16.",
            "[QuorumController id=102] Registering a new incarnation of broker 1. Previous incarnation ID was "
            "dFnmvbdAS_Gnu9hMI_NQkg; new incarnation ID is yf7lkEr6QgG3aKaG5CaUyQ. Generated 0 record(s) to clean up "
            "previous incarnations. Broker epoch will become 56.",
        ),
        _about_broker("broker_registered"),
    ),
    LineRule(
        "kraft-shutdown-asked",
        "2.8",
        "",
        rf"{_NAME}Unfenced broker (?P<about>\d+) has requested and been granted a controlled shutdown\.",
        (
            "[QuorumController id=100] Unfenced broker 1 has requested and been granted a controlled shutdown.",
            "[Controller 1] Unfenced broker 1 has requested and been granted a controlled shutdown.",
        ),
        _about_broker("controlled_shutdown_begun"),
    ),
    LineRule(
        "kraft-shutdown-granted",
        "2.8",
        "",
        rf"{_NAME}(?:(?:Unf|F)enced broker (?P<about_x>\d+) has requested and been granted an immediate shutdown\."
        r"|The request from broker (?P<about>\d+) to shut down has been granted since .*)",
        (
            "[QuorumController id=100] The request from broker 1 to shut down has been granted since the lowest active "
            "offset 149 is now greater than the broker's controlled shutdown offset 147.",
            "[QuorumController id=100] Unfenced broker 1 has requested and been granted an immediate shutdown.",
            "[QuorumController id=100] Fenced broker 1 has requested and been granted an immediate shutdown.",
            "[Controller 100] Unfenced broker 1 has requested and been granted an immediate shutdown.",
            "[Controller 100] Fenced broker 1 has requested and been granted an immediate shutdown.",
            "[Controller 1] The request from broker 1 to shut down has been granted since the lowest active offset 18 "
            "is now greater than the broker's controlled shutdown offset 17.",
        ),
        _about_broker("controlled_shutdown_ended", 1),
    ),
    LineRule(
        "kraft-isr-rejected",
        "3.0",
        "",
        rf"{_NAME}Rejecting (?:AlterPartition|alterIsr) request from node \d+ for {TP} because (?:the|it) "
        r".*?(?:current ISR is \[(?P<isr>[\d, ]*)\]\. Current replica set is \[[\d, ]*\]\. Current partitionEpoch is "
        r"(?P<version>\d+)\. Current leaderEpoch is (?P<epoch>\d+)\.)?",
        (
            "[QuorumController id=100] Rejecting AlterPartition request from node 3 for carts-2 because the current "
            "partition epoch is 13, not 12. Proposed ISR was [BrokerState(brokerId=3, brokerEpoch=150)] and current "
            "ISR is [3]. Current replica set is [3, 1, 2]. Current partitionEpoch is 13. Current leaderEpoch is 6.",
            "[QuorumController id=1] Rejecting AlterPartition request from node 1 for orders-0 because the current "
            "leader is 2.",
            "[Controller 1] Rejecting AlterPartition request from node 1 for orders-0 because it specified ineligible "
            "replicas [3 (fenced)] in the new ISR [1, 2, 3].",
        ),
        _rejected,
    ),
    LineRule(
        "kraft-directories-offline",
        "3.7",
        "",
        rf"{_NAME}Directories \[[^\]]*\] in broker (?P<about>\d+) marked offline, remaining directories: \[[^\]]*\]",
        (
            "[QuorumController id=1] Directories [1nQCPAmKTVuIPAbnTeWVbA] in broker 2 marked offline, remaining "
            "directories: [yJuTQDjaS5mC7SIdjt0pcA]",
        ),
        _about_broker("log_dir_failed"),
    ),
)
