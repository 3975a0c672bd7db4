"""The metadata log: copies merged, snapshots, transactions, and what a replay makes of the records."""

import struct
from collections.abc import Sequence
from typing import Any

import pytest

from core.kafka.crc32c import crc32c
from core.kafka.metadata_records import NO_UUID, encode_control, encode_record
from core.trace.vocabulary import Basis, Election
from core.words import text
from importers.disk.metadata_log import is_metadata, read_metadata
from importers.disk.metadata_replay import replay
from importers.disk.metadata_spine import MetadataCopy, spine
from importers.kafka.drafts import Said

TOPIC = "o91x-2lORP6XOFDf5nQo7w"
OTHER = "8VSRivgKSmSC3x9iq5VHEw"
MS = 1_000_000


def varint(number: int) -> bytes:
    left = number << 1 if number >= 0 else (-number << 1) - 1
    out = bytearray()
    while left > 0x7F:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes((*out, left))


def batch(offset: int, epoch: int, at_ms: int, records: Sequence[bytes], key: bytes | None = None) -> bytes:
    """A batch of magic 2; with a key it is a control batch."""
    body = b""
    for place, value in enumerate(records):
        keyed = varint(-1) if key is None else varint(len(key)) + key
        record = b"\0" + varint(0) + varint(place) + keyed + varint(len(value)) + value + varint(0)
        body += varint(len(record)) + record
    count, attributes = len(records), 0 if key is None else 0x20
    checked = struct.pack(">hiqqqhii", attributes, count - 1, at_ms, at_ms, -1, -1, -1, count) + body
    return struct.pack(">qiibI", offset, len(checked) + 9, epoch, 2, crc32c(checked)) + checked


def leader(offset: int, epoch: int, node: int, voters: Sequence[int], at_ms: int = 1000) -> bytes:
    listed = [{"voterId": voter} for voter in voters]
    data = {"version": 0, "leaderId": node, "voters": listed, "grantingVoters": listed}
    key, value = encode_control("LeaderChange", data)
    return batch(offset, epoch, at_ms, [value], key)


def topic(name: str = "t", topic_id: str = TOPIC) -> bytes:
    return encode_record("TopicRecord", 0, {"name": name, "topicId": topic_id})


def partition(topic_id: str = TOPIC, **changed: Any) -> bytes:
    data = {
        "partitionId": 0,
        "topicId": topic_id,
        "replicas": [1, 2, 3],
        "isr": [1, 2, 3],
        "removingReplicas": [],
        "addingReplicas": [],
        "leader": 1,
        "leaderEpoch": 0,
        "partitionEpoch": 0,
        "directories": [NO_UUID] * 3,
    }
    return encode_record("PartitionRecord", 2, data | changed)


def change(topic_id: str = TOPIC, **changed: Any) -> bytes:
    return encode_record("PartitionChangeRecord", 2, {"partitionId": 0, "topicId": topic_id, **changed})


def copy(
    *batches: bytes, source: int = 0, node: int = 100, name: str = "00000000000000000000.log"
) -> MetadataCopy:
    return MetadataCopy(source, node, read_metadata(b"".join(batches), name))


def told(*copies: MetadataCopy) -> list[tuple[int, Said]]:
    return [(item.at // MS, item.said) for item in replay(spine(copies)).items]


def settings(*copies: MetadataCopy) -> list[tuple[str, str, int, str]]:
    return [(one.of, one.name, one.at, one.value) for one in replay(spine(copies)).settings]


def states(*copies: MetadataCopy) -> list[tuple[str, Any, Any, Any, Any]]:
    return [
        (said.kind, said.leader, said.epoch, said.partition_epoch, said.isr)
        for _, said in told(*copies)
        if said.tp is not None and said.kind not in ("elr_changed", "replicas_assigned")
    ]


def test_the_history_of_accounts_0_in_k43_elr() -> None:
    """The changes of README-cluster-metadata.md, with what happened beside each."""
    log = copy(
        leader(0, 1, 100, [100]),
        batch(1, 1, 2000, [topic("accounts"), partition()]),
        batch(3, 1, 3000, [change(isr=[1, 2])]),
        batch(4, 1, 4000, [change(isr=[1], eligibleLeaderReplicas=[2])]),
        batch(5, 1, 5000, [change(isr=[], leader=-1, eligibleLeaderReplicas=[1, 2], lastKnownElr=[1])]),
        batch(6, 1, 6000, [change(isr=[2], leader=2, eligibleLeaderReplicas=[1], lastKnownElr=[])]),
        batch(7, 1, 7000, [change(isr=[2, 3], eligibleLeaderReplicas=[])]),
        batch(8, 1, 8000, [change(isr=[], leader=-1, eligibleLeaderReplicas=[2], lastKnownElr=[2])]),
        batch(9, 1, 9000, [change(eligibleLeaderReplicas=[])]),
        batch(10, 1, 9500, [change(isr=[2], leader=2, leaderRecoveryState=1, lastKnownElr=[])]),
    )

    assert states(log) == [
        ("partition_created", 1, 0, 0, (1, 2, 3)),
        ("isr_committed", 1, 0, 1, (1, 2)),
        ("isr_committed", 1, 0, 2, (1,)),
        ("leaderless", -1, 1, 3, ()),
        ("leader_elected", 2, 2, 4, (2,)),
        ("isr_committed", 2, 2, 5, (2, 3)),
        ("leaderless", -1, 3, 6, ()),
        ("leader_elected", 2, 4, 8, (2,)),
        ("leader_recovery_changed", 2, 4, 8, None),
    ]
    elections = [said.aux for _, said in told(log) if said.kind == "leader_elected"]
    assert elections == [Election.ELR, Election.LAST_KNOWN]
    eligible = [(said.isr, said.aux) for _, said in told(log) if said.kind == "elr_changed"]
    assert eligible == [
        ((2,), None),
        ((1, 2), 1),
        ((1,), None),
        ((), None),
        ((2,), 2),
        ((), 2),
        ((), None),
    ]
    assert [at for at, said in told(log) if said.kind == "leader_elected"] == [6000, 9500]


@pytest.mark.parametrize(
    ("before", "after", "how"),
    [
        ([], [change(isr=[2, 3], leader=2)], Election.CLEAN),
        # As a reassignment completes, who has just caught up enters the set, and leads.
        (
            [change(replicas=[4, 1, 2, 3], addingReplicas=[4], removingReplicas=[2, 3])],
            [change(replicas=[4, 1], isr=[1, 4], addingReplicas=[], removingReplicas=[], leader=4)],
            Election.CLEAN,
        ),
        ([change(isr=[1, 2, 3], leader=2)], [change(leader=1)], Election.PREFERRED),
        ([], [change(isr=[2, 3], leader=2), "stopping"], Election.CONTROLLED),
        ([change(isr=[1])], [change(isr=[3], leader=3, leaderRecoveryState=1)], Election.UNCLEAN),
    ],
)
def test_how_a_leader_came_to_lead(before: list[bytes], after: list[Any], how: Election) -> None:
    fields = {"brokerId": 1, "brokerEpoch": 5, "inControlledShutdown": 1}
    stopping = encode_record("BrokerRegistrationChangeRecord", 1, fields)
    records = [stopping if one == "stopping" else one for one in after]
    log = copy(
        leader(0, 1, 100, [100]),
        batch(1, 1, 2000, [topic(), partition()]),
        *(batch(3 + place, 1, 3000, [one]) for place, one in enumerate(before)),
        batch(10, 1, 4000, records),
    )
    # The hole in the offsets is there on purpose for the cases without an earlier change: none is replayed.
    elected = [said.aux for _, said in told(_without_holes(log)) if said.kind == "leader_elected"]

    assert elected[-1] == how


def _without_holes(log: MetadataCopy) -> MetadataCopy:
    """The same records, numbered through."""
    from dataclasses import replace

    entries = tuple(replace(one, offset=place) for place, one in enumerate(log.file.entries))
    return replace(log, file=replace(log.file, entries=entries))


def test_a_leader_epoch_also_grows_when_the_same_broker_is_named() -> None:
    log = copy(batch(0, 1, 1000, [topic(), partition()]), batch(2, 1, 2000, [change(isr=[1, 2], leader=1)]))

    assert states(log)[-1] == ("isr_committed", 1, 1, 1, (1, 2))


def test_a_reassignment_that_changes_nobody_still_counts_for_the_partition_epoch() -> None:
    log = copy(
        batch(0, 1, 1000, [topic(), partition()]),
        batch(2, 1, 2000, [change(replicas=[1, 2, 3, 4], addingReplicas=[4])]),
        batch(3, 1, 3000, [change(isr=[2, 3, 4], leader=4, replicas=[4, 2, 3], addingReplicas=[])]),
    )

    assert states(log)[1:] == [
        ("partition_state", 1, 0, 1, (1, 2, 3)),
        ("leader_elected", 4, 1, 2, (2, 3, 4)),
    ]
    assigned = [said for _, said in told(log) if said.kind == "replicas_assigned"]
    assert [(one.partition_epoch, one.isr, one.assigned) for one in assigned] == [
        (1, (1, 2, 3, 4), (1, 2, 3, 4)),
        (2, (4, 2, 3), (4, 2, 3)),
    ]


def test_of_two_records_at_one_offset_that_of_the_later_epoch_stands() -> None:
    """What an old controller wrote last was never committed: its successor wrote others there."""
    head = [leader(0, 1, 100, [100, 101, 102]), batch(1, 1, 2000, [topic(), partition()])]
    old = copy(*head, batch(3, 1, 3000, [change(isr=[1])]), batch(4, 1, 3500, [change(leader=3)]), node=100)
    new = copy(*head, leader(3, 2, 101, [100, 101, 102], 4000), source=1, node=101)
    third = copy(*head, leader(3, 2, 101, [100, 101, 102], 4000), source=2, node=102)

    assert states(old, new, third) == [("partition_created", 1, 0, 0, (1, 2, 3))]
    assert [s.epoch for _, s in told(old, new, third) if s.kind == "controller_elected"] == [1, 2]


def test_what_a_majority_does_not_hold_is_only_inferred() -> None:
    head = [leader(0, 1, 100, [100, 101, 102]), batch(1, 1, 2000, [topic(), partition()])]
    one = copy(*head, batch(3, 1, 3000, [change(isr=[1, 2])]), node=100)
    other = copy(*head, source=1, node=101)

    bases = {said.kind: said.basis for _, said in told(one, other)}

    assert bases["partition_created"] is Basis.OBSERVED
    assert bases["isr_committed"] is Basis.INFERRED


def test_a_quorum_of_one_commits_what_it_writes() -> None:
    log = copy(leader(0, 1, 100, [100]), batch(1, 1, 2000, [topic(), partition()]))

    assert {said.basis for _, said in told(log)} == {Basis.OBSERVED}


def test_records_of_an_aborted_transaction_do_not_count() -> None:
    begin = encode_record("BeginTransactionRecord", 0, {"name": "x"})
    abort, end = encode_record("AbortTransactionRecord", 0, {}), encode_record("EndTransactionRecord", 0, {})
    aborted = copy(batch(0, 1, 1000, [begin, topic(), partition(), abort]))
    split = copy(batch(0, 1, 1000, [begin, topic()]), batch(2, 1, 1000, [partition(), end]))

    assert told(aborted) == []
    assert states(split) == [("partition_created", 1, 0, 0, (1, 2, 3))]


def snapshot(end: int, *records: bytes, at_ms: int) -> MetadataCopy:
    header = encode_control("SnapshotHeader", {"version": 0, "lastContainedLogTimestamp": at_ms})
    footer = encode_control("SnapshotFooter", {"version": 0})
    return copy(
        batch(0, 1, 99_000, [header[1]], header[0]),
        batch(1, 1, 99_000, list(records)),
        batch(1 + len(records), 1, 99_000, [footer[1]], footer[0]),
        source=7,
        name=f"{end:020}-0000000001.checkpoint",
    )


def test_where_the_head_is_gone_a_snapshot_tells_the_state() -> None:
    state = snapshot(
        50, topic(), partition(isr=[2, 3], leader=2, leaderEpoch=4, partitionEpoch=9), at_ms=5000
    )
    tail = copy(batch(50, 1, 6000, [change(isr=[3], leader=3)]), name="00000000000000000050.log")

    assert states(state, tail) == [
        ("partition_state", 2, 4, 9, (2, 3)),
        ("leader_elected", 3, 5, 10, (3,)),
    ]
    assert told(state, tail)[0][0] == 5000  # the last record that it stands for, not when it was written


def test_what_lies_behind_a_hole_waits_for_a_snapshot() -> None:
    head = copy(batch(0, 1, 1000, [topic(), partition()]))
    tail = copy(
        batch(20, 1, 6000, [change(isr=[3], leader=3)]),
        batch(21, 1, 7000, [change(leader=2)]),
        source=1,
        name="00000000000000000020.log",
    )
    state = snapshot(21, topic(), partition(isr=[3], leader=3, leaderEpoch=7, partitionEpoch=8), at_ms=6000)

    assert states(head, tail) == [("partition_created", 1, 0, 0, (1, 2, 3))]
    assert tuple(map(text, replay(spine([head, tail])).doubts)) == (
        "offsets 2 to 19 of the metadata log are in no file",
    )
    assert states(head, tail, state)[1:] == [
        ("partition_state", 3, 7, 8, (3,)),
        ("leader_elected", 2, 8, 9, (3,)),
    ]


def test_a_snapshot_of_what_the_log_holds_says_nothing_twice() -> None:
    log = copy(batch(0, 1, 1000, [topic(), partition()]), batch(2, 1, 2000, [change(isr=[1, 2])]))

    assert states(log, snapshot(2, topic(), partition(), at_ms=1000)) == states(log)


def test_a_topic_that_is_made_again_is_another_one() -> None:
    gone = encode_record("RemoveTopicRecord", 0, {"topicId": TOPIC})
    log = copy(
        batch(0, 1, 1000, [topic(), partition()]),
        batch(2, 1, 2000, [change(isr=[2, 3], leader=2)]),
        batch(3, 1, 3000, [gone]),
        batch(4, 1, 4000, [topic(topic_id=OTHER), partition(OTHER, leader=3)]),
    )

    assert [(said.kind, said.epoch, said.topic_id) for _, said in told(log)] == [
        ("partition_created", 0, TOPIC),
        ("leader_elected", 1, TOPIC),
        ("partition_removed", None, TOPIC),
        ("partition_created", 0, OTHER),
    ]


def test_fencing_is_told_once_and_settings_become_facts() -> None:
    def registration(**changed: int) -> bytes:
        return encode_record(
            "BrokerRegistrationChangeRecord", 1, {"brokerId": 2, "brokerEpoch": 5, **changed}
        )

    def config(value: str | None) -> bytes:
        name = "min.insync.replicas"
        return encode_record(
            "ConfigRecord", 0, {"resourceType": 2, "resourceName": "t", "name": name, "value": value}
        )

    feature = encode_record("FeatureLevelRecord", 0, {"name": "metadata.version", "featureLevel": 27})
    log = copy(
        batch(0, 1, 1000, [registration(fenced=-1), registration(fenced=1), registration(fenced=1)]),
        batch(3, 1, 1000, [feature, config("2")]),
    )

    assert [said.kind for _, said in told(log)] == ["broker_unfenced", "broker_fenced"]
    assert replay(spine([log])).facts == {
        "feature.metadata.version": "27",
        # The stamp of the last record: what was decided later is not known.
        "metadata.until": "1000000000",
    }
    assert settings(log) == [("topic", "t", 1_000_000_000, "2")]
    removed = copy(batch(0, 1, 1000, [config("2")]), batch(1, 1, 2000, [config(None)]))
    assert settings(removed) == [("topic", "t", 1_000_000_000, "2"), ("topic", "t", 2_000_000_000, "-")]


def test_a_record_that_cannot_be_read_costs_only_itself() -> None:
    log = copy(batch(0, 1, 1000, [topic(), b"\x01\x63\x00\x00", partition()[:9], partition()]))

    assert [one[0] for one in states(log)] == ["partition_created"]
    assert tuple(map(text, log.file.doubts)) == (
        "a record at offset 1: record type 99 is not known",
        "PartitionRecord at offset 2: 16 bytes are announced at byte 7, and 2 are left",
    )


def test_a_torn_tail_ends_the_log() -> None:
    whole = batch(0, 1, 1000, [topic(), partition()])
    torn = copy(whole, batch(2, 1, 2000, [change(isr=[1])])[:-5])

    assert torn.file.torn == len(whole)
    assert states(torn) == [("partition_created", 1, 0, 0, (1, 2, 3))]


@pytest.mark.parametrize(
    "name", ["quorum-state", "00000000000000000000.index", "x.log", "leader-epoch-checkpoint"]
)
def test_other_files_are_no_part_of_it(name: str) -> None:
    assert not is_metadata(name)
