"""From rows of a partition to the leader epochs that began and ended within one batch of requests.

A controller over ZooKeeper takes brokers that are down out of the in-sync set one by one, and raises the
leader epoch each time. It sends only what came of it: no broker is notified of the epochs between, and none
acts in them (ReplicaStateMachine.handleStateChanges, KafkaController.removeReplicaFromIsr; 0.8 to 3.9).
"""

from typing import Final

from core.history.view import Row, View

_STATED: Final = frozenset(
    {"leader_elected", "leaderless", "leader_and_isr_sent", "leader_and_isr_received", "metadata_sent"}
)
"""Kinds that state leader, leader epoch and in-sync set together, when they were decided or sent."""


def epochs_at_once(view: View) -> frozenset[int]:
    """The leader epochs that no broker was notified of, since the next one came with the same requests.

    Shown by the set: of two statements that follow each other, the later has the same leader or none, and one
    member less for each leader epoch. Where both have the version of ZooKeeper's node, that grew as often.
    """
    found: set[int] = set()
    before: Row | None = None
    for row in view.rows.of(_STATED):
        if row.partition != view.partition or row.epoch is None or row.isr is None or row.leader is None:
            continue
        if before is None or row.epoch >= (before.epoch or 0):
            if before is not None and _taken_out_at_once(before, row):
                found.update(range((before.epoch or 0) + 1, row.epoch))
            before = row
    return frozenset(found)


def _taken_out_at_once(before: Row, row: Row) -> bool:
    """Whether members that left the set account for all the epochs between two statements."""
    members, left = set(before.isr or ()), set(row.isr or ())
    epochs = (row.epoch or 0) - (before.epoch or 0)
    if epochs < 2 or not left <= members:
        return False
    versions = (before.partition_epoch, row.partition_epoch)
    if versions[0] is not None and versions[1] is not None and versions[1] - versions[0] != epochs:
        return False
    taken_out = len(members) - len(left)
    # Without a leader the last member may stay in the set, and the epoch is raised all the same.
    return (
        taken_out == epochs if row.leader == before.leader else row.leader == -1 and taken_out >= epochs - 1
    )
