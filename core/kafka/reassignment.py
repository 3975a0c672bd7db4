"""How a partition moves to other brokers: who holds it meanwhile, when it is done, what raises the epoch."""

from collections.abc import Collection, Sequence

from core.kafka.switches import ControllerKind


def replicas_meanwhile(target: Sequence[int], now: Sequence[int]) -> tuple[int, ...]:
    """The assignment while a partition moves: the target in its order, then who is to go (KIP-455)."""
    return (*target, *(one for one in now if one not in target))


def is_reached(isr: Collection[int], target: Sequence[int]) -> bool:
    """Whether those that are to go can go: every replica of the target is in sync.

    ZooKeeper: KafkaController.onPartitionReassignment, steps 4 and B1. KRaft waits for those that are added
    (PartitionReassignmentReplicas.maybeCompleteReassignment); the others are in the set unless they lag.
    """
    return all(one in isr for one in target)


def raises_epoch(controller: ControllerKind, *, removes: bool) -> bool:
    """Whether a change of the assignment raises the leader epoch although the leader stays.

    Over ZooKeeper each step does: the larger assignment, the final one, and each member that is taken out of
    the in-sync set (KafkaController.updateLeaderEpochAndSendRequest). KRaft raises it only where replicas
    leave the assignment (PartitionChangeBuilder).
    """
    return controller == "zookeeper" or removes
