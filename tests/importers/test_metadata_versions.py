"""metadata.version of a cluster over time: raised while brokers run, from their lines or the metadata log."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.history.running import rules_over_time
from core.kafka.metadata_records import encode_record
from core.kafka.metadata_versions import name_of, of_new_cluster
from core.trace.trace import Trace
from importers.disk.metadata_replay import replay
from tests.importers.test_metadata_log import batch, copy, spine
from tests.importers.test_over_time import life, traced

NINE = 1_767_258_000_000_000_000
MINUTE_NS = 60_000_000_000
PUBLISHER = "[2026-01-01 09:{minute}:00,000] INFO [BrokerMetadataPublisher id=1] "
HOUR_MS = 3_600_000


def switches_over_time(trace: Trace) -> list[tuple[int, str, str]]:
    """Who may join the in-sync set, and what a shrink does to the epoch: until which minute after nine each.

    The last holds on.
    """
    found = [
        (at, era.switches.isr_eligible, era.switches.epoch_on_shrink)
        for at, era in rules_over_time(trace, trace.brokers[0])
        if era is not None
    ]
    ends = [(at - NINE) // MINUTE_NS for at, *_ in found[1:]] + [-1]
    spans = [(end, *one[1:]) for end, one in zip(ends, found, strict=True)]
    return [one for one, later in zip(spans, [*spans[1:], ()], strict=True) if one[1:] != later[1:]]


def test_it_is_raised_while_a_broker_runs(tmp_path: Path) -> None:
    began = (
        f"{PUBLISHER.format(minute='31')}Publishing initial metadata at offset "
        "OffsetAndEpoch(offset=9, epoch=1) with metadata.version 3.4-IV0.\n"
    )
    raised = (
        f"{PUBLISHER.format(minute='45')}Updating metadata.version to 14 at offset "
        "OffsetAndEpoch(offset=88, epoch=1).\n"
    )

    trace = traced(tmp_path, life(9, release="3.7.2"), began, raised)

    # KIP-903 comes with 3.5, KAFKA-15021 with 3.6; the broker's release knew both from its start on.
    assert switches_over_time(trace) == [(45, "not-fenced", "bumped"), (-1, "same-broker-epoch", "kept")]


def test_the_metadata_log_tells_it_where_no_line_does(tmp_path: Path) -> None:
    def feature(level: int) -> bytes:
        return encode_record("FeatureLevelRecord", 0, {"name": "metadata.version", "featureLevel": level})

    begun = NINE // 1_000_000
    log = copy(
        batch(0, 1, begun, [feature(8)]),
        batch(1, 1, begun, [feature(8)]),
        batch(2, 1, begun + HOUR_MS, [feature(14)]),
    )
    facts = replay(spine([log])).facts

    trace = traced(tmp_path, life(9, release="3.7.2"))
    trace = replace(trace, facts={**trace.facts, **facts})

    assert facts["feature.metadata.version"] == "14"
    assert switches_over_time(trace) == [(60, "not-fenced", "bumped"), (-1, "same-broker-epoch", "kept")]


@pytest.mark.parametrize(
    ("level", "name"),
    [(0, ""), (1, "3.0-IV1"), (7, "3.3-IV3"), (19, "3.7-IV4"), (30, "4.3-IV0"), (99, "4.3-IV0")],
)
def test_levels_have_the_names_of_kafka(level: int, name: str) -> None:
    assert name_of(level) == name


@pytest.mark.parametrize(
    ("release", "name", "level"),
    [("3.3.2", "3.3-IV3", 7), ("3.6.2", "3.6-IV2", 14), ("4.0.0", "4.0-IV3", 25), ("4.1.1", "4.1-IV1", 27)],
)
def test_a_new_cluster_has_the_newest_of_its_release(release: str, name: str, level: int) -> None:
    assert of_new_cluster(release) == (name, level)
