"""The metadata quorum of a run, written as the logs of its controllers and read again.

A written log begins with records that a simulation does not have: metadata.version (from 4.1 also
eligible.leader.replicas.version), the topic, and each broker unfenced. So its offsets are some further.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from core.history.open import Opened, open_partition
from core.history.view import read_view
from core.kafka.eras import ERAS, Era, era
from core.sim.library import scenario
from core.sim.logs.broker_logs import BEGINNING
from core.sim.logs.wording import numbers
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason
from tests.core_sim.test_sc_quorum import CHANGED, SCENARIOS
from tests.runs import simulated
from tests.trips import read_again, told

pytestmark = pytest.mark.thinned(3)

KRAFT = tuple(one for one in ERAS if one.switches.controller == "kraft")
QUORUM = 1
CASES = [
    pytest.param(name, one, id=f"{name}-{one.id}", marks=pytest.mark.xdist_group(name))
    for name in (*SCENARIOS, *CHANGED)
    for one in KRAFT
]
QUIET = 20_000_000
"""Nothing happens for so long, in ns: lines have milliseconds, and come from several files."""


def further(one: Era) -> int:
    features = 2 if one.id == "4.1" else 1
    topics, brokers = 1, 2
    return features + topics + brokers


@cache
def trip(name: str, one: Era) -> tuple[Trace, Trace, Opened]:
    run = simulated(name, one)
    read = read_again(run)
    index = read.partition_index(f"{METADATA_TOPIC}-0")
    assert index is not None
    return run, read, open_partition(read_view(read, index))


def told_of_quorum(trace: Trace, kind: str) -> list[Event]:
    return [one for one in told(trace, kind) if _of_quorum(trace, one.get("partition"))]


def voters_told(trace: Trace, *, by_lines: bool = True) -> list[tuple[int, ...]]:
    """(reader, offset of the record, voters …), by who has read it or by the record itself."""
    return sorted(
        (event.values.get("replica", 0), event.values["offset"], *trace.isrs[event.values["isr"]])
        for event in told_of_quorum(trace, "voters_changed")
        if ("replica" in event.values) == by_lines
    )


def said(trace: Trace, kind: str, *columns: str) -> list[tuple[int, ...]]:
    """What events of a kind say after the first step has begun, in order of time and voter."""
    begun = told(trace, "step")[0].at if told(trace, "step") else BEGINNING
    found = [one for one in told(trace, kind) if one.at >= begun and _of_quorum(trace, one.get("partition"))]
    return [tuple(one.values[column] for column in columns) for one in found]


def _of_quorum(trace: Trace, partition: int | None) -> bool:
    return partition is not None and trace.partitions[partition].tp.of_quorum


@pytest.mark.parametrize(("name", "one"), CASES)
def test_every_line_is_understood(name: str, one: Era) -> None:
    report = trip(name, one)[1].report
    assert (report["unrecognised"], report["malformed"]) == (0, 0), report["examples"]


@pytest.mark.parametrize(("name", "one"), CASES)
def test_voters_terms_roles_and_votes_are_those_of_the_run(name: str, one: Era) -> None:
    run, read, opened = trip(name, one)
    assert set(opened.history.replicas) >= {int(voter) for voter in run.partitions[QUORUM].replicas}
    terms = {(term.epoch, term.leader) for term in opened.control.tenures}
    assert terms == {
        (event.values["epoch"], event.values["leader"])
        for event in told(run, "leader_elected", partition=QUORUM)
    }
    for kind, columns in (
        ("quorum_role_changed", ("replica", "epoch", "aux")),
        ("vote_answered", ("replica", "leader", "epoch", "aux")),
    ):
        assert sorted(said(read, kind, *columns)) == sorted(said(run, kind, *columns)), kind


@pytest.mark.parametrize(("name", "one"), CASES)
def test_voters_are_those_of_the_run(name: str, one: Era) -> None:
    """Each controller prints what its log says (KIP-853); the log itself has it, too, and names no reader."""
    run, read, _ = trip(name, one)

    expected = [(who, offset + further(one), *ids) for who, offset, *ids in voters_told(run)]
    assert voters_told(read) == expected
    assert voters_told(read, by_lines=False) == sorted({(0, *rest) for _, *rest in expected})


@pytest.mark.parametrize(("name", "one"), CASES)
def test_cuts_and_ends_are_those_of_the_run(name: str, one: Era) -> None:
    run, read, opened = trip(name, one)
    cut = [(who, to - further(one)) for who, to in said(read, "truncated", "replica", "offset")]
    assert cut == said(run, "truncated", "replica", "offset")
    true = open_partition(read_view(run, QUORUM)).history
    for voter, replica in true.replicas.items():
        end = replica.leo.at(len(run)).exact
        found = opened.history.replicas[voter].leo.at(len(read))
        assert end is not None
        assert found.lo is not None
        assert found.lo <= end + further(one)
        assert found.hi is None or end + further(one) <= found.hi


@pytest.mark.parametrize("one", KRAFT, ids=[one.id for one in KRAFT])
def test_log_starts_and_snapshots_are_those_of_the_run(one: Era) -> None:
    """What is deleted below a snapshot is printed by UnifiedLog, from 3.6 on also who drops a log for one.

    To 3.5 its disk alone tells (KafkaRaftClient.handleFetchSnapshotResponse): the first segment begins there.
    """
    run, read, opened = trip("metadata-snapshot", one)
    moved = [
        (who, start - further(one)) for who, start in said(read, "log_start_moved", "replica", "log_start")
    ]
    assert sorted(moved) == sorted(said(run, "log_start_moved", "replica", "log_start"))
    resets = said(run, "log_reset", "replica", "offset", "aux")
    given = [(who, to) for who, to, aux in resets if aux == CutReason.RESET]
    told_of = [(who, to - further(one)) for who, to in said(read, "log_reset", "replica", "offset")]
    assert told_of == (given if numbers(one.id) >= (3, 6) else [])
    true = open_partition(read_view(run, QUORUM)).history
    for voter, replica in true.replicas.items():
        start = replica.log_start.at(len(run)).exact
        assert start is not None
        found = opened.history.replicas[voter].log_start.at(len(read))
        assert found.lo == (start + further(one) if start else 0), voter


@pytest.mark.parametrize(("name", "one"), CASES)
def test_log_ends_and_high_watermarks_lie_inside_their_bands(name: str, one: Era) -> None:
    """Asked where nothing happens for a while, on each voter that runs."""
    run, read, opened = trip(name, one)
    true, asked = open_partition(read_view(run, QUORUM)).history, 0
    times = run.columns["at"]
    begun = told(run, "step")[0].at
    for place, (before, after) in enumerate(pairwise(times.tolist()), start=1):
        if before < begun or after - before < QUIET:
            continue
        at = BEGINNING + before + QUIET // 2
        cursor = int(np.searchsorted(read.columns["at"], at, "right"))
        for voter, replica in true.replicas.items():
            if not replica.alive.at(place):
                continue
            for kind in ("leo", "hw"):
                value = getattr(replica, kind).at(place).exact
                band = getattr(opened.history.replicas[voter], kind).at(cursor)
                where = (voter, kind, before, value + further(one), band)
                assert band.lo is None or band.lo <= value + further(one) or value == 0, where
                assert band.hi is None or value + further(one) <= band.hi, where
                asked += 1
    assert asked > 30


def test_the_voters_of_now_commit_not_those_of_the_first_record() -> None:
    """L and M are removed and dead: K and N commit that B is fenced, and K leads in its first epoch still."""
    plain = scenario("voters-changed").text
    before = plain[: plain.index('[[step]]\nlabel = "K is removed"')]
    does = (
        *(("remove-voter", "controller", "L", 1_000), ("crash", "broker", "L", 10)),
        *(("remove-voter", "controller", "M", 1_000), ("crash", "broker", "M", 10)),
        ("crash", "broker", "B", 15_000),
    )
    more = "".join(f'[[step]]\ndo = "{do}"\n{key} = "{who}"\nfor_ms = {ms}\n' for do, key, who, ms in does)
    run = simulate(parse_scenario(before + more), era("4.1"))
    assert told(run, "broker_fenced")
    read = read_again(run)
    index = read.partition_index(f"{METADATA_TOPIC}-0")
    assert index is not None
    opened, true = open_partition(read_view(read, index)), open_partition(read_view(run, QUORUM)).history
    for voter in ("K", "N"):
        who = next(int(one.broker_id) for one in run.brokers if one.name == voter)
        end = true.replicas[who].hw.at(len(run)).exact
        assert end is not None
        band = opened.history.replicas[who].hw.at(len(read))
        assert band.hi is None or end + further(era("4.1")) <= band.hi, voter
