"""Records of the metadata log, against bytes that real controllers wrote (3.9.2, 4.1.2, 4.3.1).

The values beside them are what Kafka's own kafka-dump-log prints for the same offset.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kafka.metadata_records import (
    BadRecordError,
    decode_control,
    decode_record,
    encode_control,
    encode_record,
    unsigned_varint,
)
from core.message import Message
from core.words import text

# k43-elr, offset 71: broker 1 was the last of the ISR and is fenced; ELR holds 1 and 2.
LEADERLESS = (
    "010502000000 00a3dd71fb694e44fe973850dfe67428ef040001010104ffffffff060903000000010000000207050200000001"
)
VECTORS = {
    "partition change with ELR": (
        LEADERLESS.replace(" ", ""),
        "PartitionChangeRecord",
        2,
        {
            "partitionId": 0,
            "topicId": "o91x-2lORP6XOFDf5nQo7w",
            "isr": [],
            "leader": -1,
            "eligibleLeaderReplicas": [1, 2],
            "lastKnownElr": [1],
        },
    ),
    "reassignment ends": (
        ("0105010000000066bfd32e0aab4f99a3bc17549d7fba5304000903000000020000000301040000000302090300000003"
        "00000002082103115e6dfa585c551656998ad54e3475a22006f8a88439d9bfb6053c139bce4690"),
        "PartitionChangeRecord",
        1,
        {
            "partitionId": 0,
            "topicId": "Zr_TLgqrT5mjvBdUnX-6Uw",
            "isr": [2, 3],
            "leader": 3,
            "replicas": [3, 2],
            "directories": ["EV5t-lhcVRZWmYrVTjR1og", "IAb4qIQ52b-2BTwTm85GkA"],
        },
    ),
    "partition": (
        ("01030100000000d59556ebbe33459183666a062c322e3404000000010000000200000003040000000100000002000000"
        "03010100000001000000000000000004cab3fc5842a007e6c7ce7a4e0f0a14ae2006f8a88439d9bfb6053c139bce4690"
        "115e6dfa585c551656998ad54e3475a200"),
        "PartitionRecord",
        1,
        {
            "partitionId": 0,
            "topicId": "1ZVW674zRZGDZmoGLDIuNA",
            "replicas": [1, 2, 3],
            "isr": [1, 2, 3],
            "removingReplicas": [],
            "addingReplicas": [],
            "leader": 1,
            "leaderEpoch": 0,
            "partitionEpoch": 0,
            "directories": ["yrP8WEKgB-bHznpODwoUrg", "IAb4qIQ52b-2BTwTm85GkA", "EV5t-lhcVRZWmYrVTjR1og"],
        },
    ),
    "topic": (
        "01020007636c69636b73d59556ebbe33459183666a062c322e3400",
        "TopicRecord",
        0,
        {"name": "clicks", "topicId": "1ZVW674zRZGDZmoGLDIuNA"},
    ),
    "broker fenced no more": (
        "011100000000020000000000000007010001ff",
        "BrokerRegistrationChangeRecord",
        0,
        {"brokerId": 2, "brokerEpoch": 7, "fenced": -1},
    ),
    "no log directory cordoned": (
        "01110300000002000000000000000d01030101",
        "BrokerRegistrationChangeRecord",
        3,
        {"brokerId": 2, "brokerEpoch": 13, "cordonedLogDirs": []},
    ),
    "registration with structs, a null and a tagged array": (
        ("0100030000000200c48717c7743446c4b706a1e826c4007e0000000000000007020a504c41494e544558540a3132372e"
        "302e302e3171a5000000030e6b726166742e76657273696f6e0000000100116d657461646174612e76657273696f6e00"
        "01001500000100010011022006f8a88439d9bfb6053c139bce4690"),
        "RegisterBrokerRecord",
        3,
        {
            "brokerId": 2,
            "isMigratingZkBroker": False,
            "incarnationId": "xIcXx3Q0RsS3BqHoJsQAfg",
            "brokerEpoch": 7,
            "endPoints": [
                {"name": "PLAINTEXT", "host": "127.0.0.1", "port": 29093, "securityProtocol": 0},
            ],
            "features": [
                {"name": "kraft.version", "minSupportedVersion": 0, "maxSupportedVersion": 1},
                {"name": "metadata.version", "minSupportedVersion": 1, "maxSupportedVersion": 21},
            ],
            "rack": None,
            "fenced": True,
            "inControlledShutdown": False,
            "logDirs": ["IAb4qIQ52b-2BTwTm85GkA"],
        },
    ),
    "configuration of a topic": (
        "0104000207636c69636b731566696c652e64656c6574652e64656c61792e6d73053130303000",
        "ConfigRecord",
        0,
        {"resourceType": 2, "resourceName": "clicks", "name": "file.delete.delay.ms", "value": "1000"},
    ),
    "heart beat": ("01140000", "NoOpRecord", 0, {}),
    "transaction": ("01170001001212426f6f747374726170207265636f726473", "BeginTransactionRecord", 0,
                    {"name": "Bootstrap records"}),
    "ELR of a topic emptied": ("011c000a7472616e736665727300", "ClearElrRecord", 0,
                               {"topicName": "transfers"}),
}  # fmt: skip
LEADER_CHANGE = bytes.fromhex("00000000006402000000640002000000640000")
VOTERS = bytes.fromhex(
    "0000020000006404e0286ddbcd4566b4809d97f198e1c9020b434f4e54524f4c4c45520a3132372e302e302e31720800"
    "00000001000000"
)


def said(doubt: Message | None) -> str:
    """What is wrong, in words."""
    return "" if doubt is None else text(doubt)


@pytest.mark.parametrize("name", VECTORS)
def test_a_record_of_a_controller_is_read_and_written_alike(name: str) -> None:
    raw, kind, version, data = VECTORS[name]

    record = decode_record(bytes.fromhex(raw))

    assert (record.name, record.version, record.doubt) == (kind, version, None)
    assert record.data == data
    assert encode_record(kind, version, data).hex() == raw


def test_control_records_are_read_and_written_alike() -> None:
    leader = {
        "version": 0,
        "leaderId": 100,
        "voters": [{"voterId": 100}],
        "grantingVoters": [{"voterId": 100}],
    }
    voter = {
        "voterId": 100,
        "voterDirectoryId": "BOAobdvNRWa0gJ2X8ZjhyQ",
        "endpoints": [{"name": "CONTROLLER", "host": "127.0.0.1", "port": 29192}],
        "kRaftVersionFeature": {"minSupportedVersion": 0, "maxSupportedVersion": 1},
    }

    assert decode_control(bytes.fromhex("00000002"), LEADER_CHANGE).data == leader
    assert encode_control("LeaderChange", leader) == (bytes.fromhex("00000002"), LEADER_CHANGE)
    assert decode_control(bytes.fromhex("00000006"), VOTERS).data == {"version": 0, "voters": [voter]}
    assert encode_control("KRaftVoters", {"version": 0, "voters": [voter]})[1] == VOTERS


def test_a_tag_that_nobody_knows_is_skipped_by_its_size() -> None:
    # The change of k43-elr with one more tagged field, number 40, of three bytes.
    raw = bytes.fromhex(LEADERLESS.replace(" ", ""))
    longer = raw[:23] + b"\x05" + raw[24:] + b"\x28\x03abc"

    assert decode_record(longer).data == decode_record(raw).data
    assert decode_record(longer).doubt is None


def test_a_field_of_a_vendor_without_a_tag_is_told() -> None:
    raw = bytes.fromhex(VECTORS["topic"][0])

    assert said(decode_record(raw + b"\x01\x02").doubt) == "2 bytes follow the last known field"


def test_a_newer_version_is_read_as_far_as_it_is_known_and_told() -> None:
    raw = bytes.fromhex(VECTORS["topic"][0])

    record = decode_record(raw[:2] + b"\x07" + raw[3:])

    assert record.data["name"] == "clicks"
    assert "version 7 is newer" in said(record.doubt)


def test_a_key_that_nobody_knows_is_told() -> None:
    assert said(decode_record(b"\x01\x63\x00\x00").doubt) == "record type 99 is not known"
    assert said(decode_record(b"\x02\x05\x00\x00").doubt) == "frame version 2, and only 1 is known"


def test_counts_that_lie_are_told_and_cost_nothing() -> None:
    # An ISR of two billion members in a record of thirty bytes.
    raw = b"\x01\x05\x00" + bytes(4) + bytes(16) + b"\x01\x00\x05" + b"\xff\xff\xff\xff\x07"

    assert "announces" in said(decode_record(raw).doubt)


def test_a_tagged_field_that_is_longer_than_its_size_is_told() -> None:
    # The change of k43-elr, whose last tag (eligibleLeaderReplicas, one broker: 5 bytes) now says 4 bytes.
    raw = bytes.fromhex(LEADERLESS.replace(" ", ""))
    record = decode_record(raw)
    place = raw.index(b"\x05\x02", 23)
    shorter = raw[:place] + b"\x04" + raw[place + 1 :]

    assert record.doubt is None
    assert "longer than its size 4" in said(decode_record(shorter).doubt)


def test_a_control_record_too_short_for_its_version_or_type_is_told() -> None:
    assert said(decode_control(bytes.fromhex("00000002"), b"\x00").doubt) == "a control record of 1 bytes"
    assert said(decode_control(bytes.fromhex("00000002"), b"").doubt) == "a control record of 0 bytes"
    assert said(decode_control(b"\x00\x00\x00", LEADER_CHANGE).doubt) == "a control key of 3 bytes"


@pytest.mark.slow
@pytest.mark.parametrize("name", VECTORS)
@given(data=st.data())
def test_whatever_the_bytes_are_nothing_is_raised(name: str, data: st.DataObject) -> None:
    raw = bytearray.fromhex(VECTORS[name][0])
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))

    decode_record(bytes(raw[:cut]))
    decode_control(bytes(raw[:4]), bytes(raw[4:cut]))


def test_what_is_missing_or_not_known_is_refused_when_writing() -> None:
    with pytest.raises(BadRecordError, match="topicId is missing"):
        encode_record("TopicRecord", 0, {"name": "t"})
    with pytest.raises(BadRecordError, match="no version 9"):
        encode_record("TopicRecord", 9, {"name": "t", "topicId": "1ZVW674zRZGDZmoGLDIuNA"})
    with pytest.raises(BadRecordError, match="no uuid"):
        encode_record("TopicRecord", 0, {"name": "t", "topicId": "short"})


@pytest.mark.parametrize(("number", "raw"), [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02")])
def test_unsigned_varints(number: int, raw: str) -> None:
    assert unsigned_varint(number).hex() == raw


def test_a_record_that_ends_early_is_told_wherever_it_ends() -> None:
    """Behind the head, which says what it is, each number, id and list needs its bytes."""
    raw = bytes.fromhex(LEADERLESS.replace(" ", ""))

    for length in range(3, len(raw)):
        found = decode_record(raw[:length])
        assert found.name == "PartitionChangeRecord"
        assert found.doubt is not None
        assert found.doubt.id in {"report.record.bytes", "report.record.tag", "report.record.entries"}
