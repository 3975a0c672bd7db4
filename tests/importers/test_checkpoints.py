import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers.disk.checkpoints import read_epochs, read_offsets, read_properties


def test_an_offset_checkpoint() -> None:
    found = read_offsets(b"0\n2\norders 0 266\nmy-topic.x 11 0\n")

    assert [(e.topic, e.partition, e.offset, e.line, e.byte) for e in found.entries] == [
        ("orders", 0, 266, 3, 4),
        ("my-topic.x", 11, 0, 4, 17),
    ]
    assert found.doubt is None


def test_a_leader_epoch_checkpoint() -> None:
    found = read_epochs(b"0\n2\n0 0\n3 254\n")

    assert [(e.epoch, e.start_offset, e.line) for e in found.epochs] == [(0, 0, 3), (3, 254, 4)]
    assert found.doubt is None


@pytest.mark.parametrize(
    "data",
    [
        b"0\n99\norders 0 1\n",
        b"0\n-1\norders 0 1\n",
        b"0\n1\n",
        b"0\n1\norders 0\n",
        b"\xff\xfe\n\0\0\n\0",
        b"0\n1\norders 0 99999999999999999999\n",
    ],
)
def test_a_count_that_lies_or_a_bad_line_is_named(data: bytes) -> None:
    assert read_offsets(data).doubt


def test_what_can_be_read_of_a_lying_file_is_read() -> None:
    assert [entry.offset for entry in read_offsets(b"0\n4000000000\norders 0 7\n").entries] == [7]


def test_an_empty_checkpoint_is_no_doubt() -> None:
    assert read_offsets(b"").doubt is None
    assert read_offsets(b"0\n0\n").entries == ()


@given(st.binary(max_size=300))
def test_any_bytes_end(data: bytes) -> None:
    read_offsets(data)
    read_epochs(data)
    read_properties(data)


def test_properties() -> None:
    text = b"#\n#Sat Nov 21 03:18:12 UTC 2026\nbroker.id=1\nversion = 0\ncluster.id: 0lV\n! no\nlisteners=PLAINTEXT://h:1\n"

    assert read_properties(text) == {
        "broker.id": "1",
        "version": "0",
        "cluster.id": "0lV",
        "listeners": "PLAINTEXT://h:1",
    }


@pytest.mark.parametrize("cut", range(len(b"0\n2\n0 0\n3 254\n")))
def test_a_part_of_a_file_is_not_the_whole_and_half_a_number_is_none(cut: int) -> None:
    """Brokers write such a file anew and rename it (CheckpointFile.write): a part is what a copy left."""
    found = read_epochs(b"0\n2\n0 0\n3 254\n"[:cut])

    assert not found.whole
    assert [(one.epoch, one.start_offset) for one in found.epochs] in ([], [(0, 0)])
    assert read_epochs(b"0\n2\n0 0\n3 254\n").whole
