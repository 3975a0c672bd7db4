"""Clusters with KRaft against their truth."""

import json
import re
import tarfile
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.trace.evidence import evidence_of
from core.trace.ids import METADATA_TOPIC
from importers.disk.metadata_log import MetadataEntry, is_metadata, read_metadata
from tests.archives import RECORDINGS
from tests.recordings.referee import (
    TOLD,
    Heard,
    asked,
    claimed,
    false_losses,
    lost,
    of_the_last_topics,
    outside,
    wrong_control,
    wrong_end,
    wrong_leaders,
)
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(24)

WHOLE = (
    "k39-isr-flap",
    "k39-rolling-restart",
    "k39-unclean-loss",
    "k41-trace",
    "k41-txn",
    "k43-chaos",
    "k43-elr",
    "k43-failover",
    "k43-snapshots",
)
HEALTHY = ("k39-isr-flap", "k39-rolling-restart", "k41-txn")
QUICK = ("k39-isr-flap", "k43-elr")
"""Those of the quick round: a healthy one and a loss."""


def in_rounds(names: tuple[str, ...]) -> list[object]:
    return [
        param for one in names for param in grouped((one,), *(() if one in QUICK else (pytest.mark.slow,)))
    ]


@dataclass(frozen=True)
class Case:
    """A recording, imported whole and diagnosed, beside its truth."""

    truth: dict[str, Any]
    heard: Heard


@pytest.fixture(scope="module", params=in_rounds(WHOLE))
def case(request: pytest.FixtureRequest) -> Case:
    told = whole(request.param)
    return Case(of_the_last_topics(told.truth), told.heard())


@pytest.mark.slow
def test_every_lost_record_is_claimed_and_nothing_false(case: Case) -> None:
    for tp in case.truth["final"]:
        assert lost(case.truth, tp) <= claimed(case.heard, tp, strong=False), tp
    assert false_losses(case.truth, case.heard) == []


def test_each_epoch_has_the_leader_that_the_cluster_answered(case: Case) -> None:
    assert wrong_leaders(case.truth, case.heard) == []
    for sample in case.truth["samples"]:
        if sample.get("tp") and sample.get("leader_epoch") is not None:
            terms = {term.epoch: term.leader for term in case.heard.verdicts[sample["tp"]].leadership}
            assert terms[sample["leader_epoch"]] == sample["leader"], sample


def test_the_in_sync_set_of_the_end_is_the_true_one(case: Case) -> None:
    for tp, final in case.truth["final"].items():
        assert sorted(case.heard.verdicts[tp].isr[-1].isr) == sorted(final["isr"]), tp


def test_the_logs_of_the_end_are_those_of_the_disks(case: Case) -> None:
    for tp, final in case.truth["final"].items():
        replicas = {one.broker: one for one in case.heard.verdicts[tp].final}
        for broker, true in final["replicas"].items():
            mine = replicas[int(broker)]
            assert mine.leo.exact == true["leo"], (tp, broker)
            assert [list(entry) for entry in mine.epochs or ()] == true["epoch_checkpoint"], (tp, broker)


def test_every_cut_that_was_seen_is_found_and_none_invented(case: Case) -> None:
    """The truth polls: of the end of a cut it has an upper bound; a cut may be missed, or seen twice."""
    # Nobody watched the log of the metadata quorum.
    watched = {tp: one for tp, one in case.heard.verdicts.items() if not tp.startswith(METADATA_TOPIC)}
    for tp, verdict in watched.items():
        true = [one for one in case.truth["truncations"] if one["tp"] == tp and one["to"] < one["from"]]
        whole = [one for one in case.truth["truncations"] if one["tp"] == tp and one["to"] >= one["from"]]
        cuts = [cut for cut in verdict.truncations if cut.from_offset != cut.to_offset]
        for one in true:
            assert any(cut.broker == one["replica"] and cut.to_offset <= one["to"] for cut in cuts), one
        for cut in cuts:
            fits = [one for one in true if one["replica"] == cut.broker and cut.to_offset <= one["to"]]
            lines = [evidence_of(case.heard.trace, seq) for seq in cut.evidence]
            printed = any(line and f"Truncating to offset {cut.to_offset} " in line.text for line in lines)
            assert fits or printed or any(one["replica"] == cut.broker for one in whole), (tp, cut)


def test_every_sample_lies_within_its_bands(case: Case) -> None:
    misses, unknown, count = outside(case.truth, case.heard, step=1)

    assert misses == []
    assert unknown <= 0.2 * count


def test_every_answer_on_leader_and_set_is_what_stands_then(case: Case) -> None:
    """With the metadata log nothing of them is unknown."""
    assert wrong_control(case.truth, case.heard) == []
    assert wrong_end(case.truth, case.heard) == []
    times = case.heard.trace.columns["at"]
    for sample in asked(case.truth):
        cursor = int(bisect_right(times, sample["at_ns"] + TOLD))
        assert case.heard.histories[sample["tp"]].isr.at(cursor) is not None, sample


@pytest.mark.parametrize("name", in_rounds(HEALTHY))
def test_a_healthy_cluster_has_lost_nothing(name: str) -> None:
    assert [loss for one in whole(name).verdict.partitions for loss in one.losses] == []


def dumps() -> Iterator[tuple[str, str]]:
    for name in WHOLE:
        with tarfile.open(RECORDINGS / f"{name}.tar.xz") as archive:
            for member in archive.getnames():
                if re.search(r"/metadata-dump-[\w-]+\.txt$", member):
                    yield name, member


@pytest.mark.parametrize(("name", "member"), list(dumps()), ids=lambda value: value.rsplit("/", 1)[-1])
def test_the_metadata_log_reads_as_kafkas_own_tool_prints_it(name: str, member: str) -> None:
    node = member.rsplit("metadata-dump-", 1)[1].removesuffix(".txt")
    with tarfile.open(RECORDINGS / f"{name}.tar.xz") as archive:
        stream = archive.extractfile(member)
        assert stream is not None
        printed = _printed(stream.read().decode())
        read: dict[int, MetadataEntry] = {}
        for info in archive:
            path = Path(info.name)
            if (
                f"/{node}/data/__cluster_metadata-0/" in info.name
                and path.suffix == ".log"
                and is_metadata(path.name)
            ):
                segment = archive.extractfile(info)
                assert segment is not None
                read.update(
                    {entry.offset: entry for entry in read_metadata(segment.read(), path.name).entries}
                )

    assert len(printed) > 40
    for offset, told in printed.items():
        entry = read[offset]
        assert re.sub(r"(?<!^)(?=[A-Z])", "_", entry.record.name).upper() == told["type"], offset
        assert (entry.record.version, entry.record.doubt) == (told["version"], None)
        assert entry.record.data == told["data"], offset


def _printed(text: str) -> dict[int, dict[str, Any]]:
    """By offset, what the dump has of segments; snapshots number their records anew."""
    found: dict[int, dict[str, Any]] = {}
    segment = False
    for line in text.splitlines():
        if line.startswith("Dumping "):
            segment = line.endswith(".log")
        match = re.match(r"\| offset: (\d+) .*? payload: (\{.*\})$", line)
        if segment and match is not None:
            found[int(match[1])] = json.loads(match[2])
    return found
