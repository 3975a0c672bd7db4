"""The metadata quorum of every KRaft recording: terms and high watermarks, against truth and metadata log.

The truth has what the driver was answered when it asked for the quorum (DescribeQuorum): leader, epoch and
high watermark. The terms are in the text that Kafka's own tool printed of one node's log: each batch with the
epoch of the leader who wrote it, and each leader's first record (whom it names, 4.1 and later print).
"""

import json
import re
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.diagnose.verdict.check import diagnose_partition
from core.history.open import Opened, open_partition
from core.history.state import Role
from core.history.view import read_view
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER
from importers.load import load

RECORDINGS = Path(__file__).parent
KRAFT = (
    "k39-isr-flap",
    "k39-rolling-restart",
    "k39-unclean-loss",
    "k41-console",
    "k41-console-apache",
    "k41-trace",
    "k41-txn",
    "k43-chaos",
    "k43-elr",
    "k43-failover",
    "k43-snapshots",
)
WITHOUT_DATA = ("k41-console", "k41-console-apache")
BEGUN = re.compile(
    r"^\| offset: (\d+) .* (?:LeaderChange: (\{.*\})|controlType: LEADER_CHANGE)", re.MULTILINE
)
STAMPED = re.compile(r"^\| offset: (\d+) CreateTime: (\d+) ", re.MULTILINE)
BATCH = re.compile(r"^baseOffset: (\d+) lastOffset: (\d+) .*?partitionLeaderEpoch: (\d+) ", re.MULTILINE)

pytestmark = pytest.mark.broad(42)


@dataclass(frozen=True)
class Recorded:
    trace: Trace
    opened: Opened
    truth: dict[str, Any]
    node: int
    dump: str
    """What kafka-dump-log printed of this node's metadata log; "" where no data was recorded."""


@cache
def recorded(name: str) -> Recorded:
    path = RECORDINGS / f"{name}.tar.xz"
    trace = load([path])
    topics = [one.tp.topic for one in trace.partitions]
    with tarfile.open(path) as archive:
        names = archive.getnames()
        truth = json.loads(_text(archive, next(one for one in names if one.endswith("/truth.json"))))
        dumps = [one for one in names if "/metadata-dump-" in one]
        dump = _log_of(_text(archive, dumps[0])) if dumps else ""
    node = int(dumps[0].removesuffix(".txt").rpartition("-")[2]) if dumps else -1
    opened = open_partition(read_view(trace, topics.index(METADATA_TOPIC)))
    return Recorded(trace, opened, truth, node, dump)


def _log_of(dump: str) -> str:
    """What was printed of the log itself, without its snapshots."""
    parts = [one for one in dump.split("Dumping ") if one.split("\n", 1)[0].endswith(".log")]
    return "".join(parts)


def _text(archive: tarfile.TarFile, name: str) -> str:
    member = archive.extractfile(name)
    assert member is not None
    return member.read().decode()


@pytest.mark.parametrize("name", KRAFT)
def test_what_the_quorum_answered_is_so(name: str) -> None:
    """Leader and epoch are those of the answer, and its high watermark lies inside the leader's band."""
    one = recorded(name)
    answers = [sample for sample in one.truth["samples"] if "quorum" in sample]
    assert answers
    for sample in answers:
        cursor = int(np.searchsorted(one.trace.columns["at"], sample["at_ns"], "right"))
        told, history = sample["quorum"], one.opened.history
        assert (history.leader.at(cursor), history.leader_epoch.at(cursor)) == (told["leader"], told["epoch"])
        band = history.replicas[told["leader"]].hw.at(cursor)
        assert band.lo is not None
        assert band.lo <= told["hw"]
        assert band.hi is None or told["hw"] <= band.hi


@pytest.mark.parametrize("name", [one for one in KRAFT if one not in WITHOUT_DATA])
def test_terms_are_those_of_the_metadata_log(name: str) -> None:
    """Each epoch that a batch bears is a term, and no other; it begins at its leader's first record.

    A node that was stopped first has no record of the last epochs.
    """
    one = recorded(name)
    batches = [tuple(map(int, batch)) for batch in BATCH.findall(one.dump)]
    last = max(epoch for _, _, epoch in batches)
    terms = {tenure.epoch: tenure.leader for tenure in one.opened.control.tenures}
    assert {epoch for _, _, epoch in batches} == {
        epoch for epoch in terms if epoch is not None and epoch <= last
    }
    epochs = {first: epoch for first, _, epoch in batches}
    begun = {int(offset): record and json.loads(record) for offset, record in BEGUN.findall(one.dump)}
    for offset, record in begun.items():
        assert not record or terms[epochs[offset]] == record["leaderId"]
    copy, cursor = one.opened.history.replicas[one.node], len(one.trace.columns["at"])
    entries = copy.epochs.at(cursor) or ()
    assert {start for _, start in entries if start in begun} == set(begun)
    assert all(epochs[start] == epoch for epoch, start in entries if start in begun)
    assert copy.leo.at(cursor).lo == max(end for _, end, _ in batches) + 1


@pytest.mark.parametrize("name", [one for one in KRAFT if one not in WITHOUT_DATA])
def test_a_leader_has_written_what_bears_its_epoch(name: str) -> None:
    """At the time that a batch bears, who leads in its epoch holds no record behind it."""
    one = recorded(name)
    history = one.opened.history
    leaders = {tenure.epoch: tenure.leader for tenure in one.opened.control.tenures}
    stamps = {int(offset): int(ms) for offset, ms in STAMPED.findall(one.dump)}
    for first, _, epoch in BATCH.findall(one.dump):
        if int(epoch) not in leaders:
            continue
        before = int(np.searchsorted(one.trace.columns["at"], stamps[int(first)] * 1_000_000, "left"))
        low = history.replicas[leaders[int(epoch)]].leo.at(before).lo
        assert low is None or low <= int(first)


@pytest.mark.parametrize("name", KRAFT)
def test_nothing_contradicts_itself(name: str) -> None:
    """No band is crossed, no log fell unseen, and every member has a lane."""
    one = recorded(name)
    bands = one.opened.bands
    assert bands is not None
    assert not bands.falls
    for tracks in (bands.leo, bands.hw):
        for track in tracks.values():
            assert not np.count_nonzero(track.columns.lo > track.columns.hi)
    nodes = {int(node) for node in (*one.truth["brokers"], *(one.truth.get("controllers") or ()))}
    assert set(one.opened.history.replicas) == nodes


def test_a_member_that_lost_its_leader_knows_none() -> None:
    """k43-failover: broker 2 is killed as the leader of epoch 1; 3 asks for votes, 2 returns as resigned."""
    one = recorded("k43-failover")
    seeking = {
        broker: [span.epoch for span in roles.spans if span.role is Role.SEEKING]
        for broker, roles in one.opened.roles.items()
    }
    assert seeking[3][-2:] == [1, 2]
    assert seeking[2][-2:] == [1, 2]
    assert [span.epoch for span in one.opened.roles[2].spans if span.role is Role.LEADER] == [1]
    assert [span.epoch for span in one.opened.roles[3].spans if span.role is Role.LEADER] == [2]


def test_a_log_that_begins_anew_with_a_snapshot_is_not_cut() -> None:
    """Node 3 of k43-snapshots was down while the head of the log went; the snapshot has what that had."""
    one = recorded("k43-snapshots")

    assert one.trace.columns["kind"].tolist().count(NUMBER["log_reset"])
    assert diagnose_partition(one.opened.history).truncations == ()
