"""A spoiled record of the metadata log that names no leader of the quorum costs only itself."""

from collections.abc import Mapping

from core.kafka.metadata_records import MetadataRecord
from importers.disk.metadata_log import MetadataEntry
from importers.disk.metadata_quorum import quorum_items
from importers.disk.metadata_spine import Spine, SpineEntry


def entry(offset: int, epoch: int, data: Mapping[str, object]) -> SpineEntry:
    record = MetadataRecord(2, "LeaderChange", 0, dict(data))
    return SpineEntry(0, MetadataEntry(offset, epoch, offset, offset, True, record), True)


def test_it_names_nobody_and_the_next_one_counts() -> None:
    spoiled = entry(0, 1, {"version": 0})
    whole = entry(1, 2, {"leaderId": 3, "voters": [{"voterId": 3}, {}]})

    (chain,) = quorum_items(Spine((spoiled, whole), ()), {})

    assert {item.broker for item in chain} == {3}
    assert [item.said.kind for item in chain] == ["leader_elected", "appended"]
