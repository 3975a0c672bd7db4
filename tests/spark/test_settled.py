"""Of equal keys, verdicts and states are equal: on recordings that end earlier and later."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.diagnose.verdict.check import judge_partitions
from core.history.gaps_by_files import cut_off, log_ends, silent_on_loading, unread
from core.history.state_rows import state_changes
from core.history.witnesses import log_until
from core.trace.by_partition import by_partition
from core.trace.part import part_of
from core.trace.trace import Trace
from core.trace.units import HOUR_NS, SECOND_NS
from importers.load import load
from spark.settled import Local, common_of, key_of, of_partition
from tests.archives import unpack_recording
from tests.spark.growing import STAMP, with_line

pytestmark = pytest.mark.spark


def alone(trace: Trace) -> Iterator[tuple[int, str, Trace]]:
    """The index and key of each partition, and its trace alone, as a worker has it."""
    common, rows = common_of(trace), by_partition(trace)
    for index in range(len(trace.partitions)):
        own = rows.seqs_of(index)
        part = part_of(trace, np.union1d(own, [len(trace) - 1]))
        yield index, key_of(common, part, index, len(own), ()), part


def keys(trace: Trace) -> dict[str, str]:
    """The key of each partition, by its name."""
    return {str(trace.partitions[index].tp): key for index, key, _ in alone(trace)}


def judged(trace: Trace) -> Iterator[tuple[str, str, Local]]:
    """The name, the key and the verdict of each partition."""
    for index, key, part in alone(trace):
        ((history, verdict),) = judge_partitions(part, (index,))
        found = Local(of_partition(verdict, 0), tuple(state_changes(history)))
        yield str(trace.partitions[index].tp), key, found


def ended(root: Path, place: Path, part: float) -> Path:
    """The logs of a recording as they were when so much of its records had been written."""
    logs = {one.relative_to(root): one.read_bytes() for one in root.glob("*/logs/*.log")}
    times = sorted(time for log in logs.values() for time in STAMP.findall(log))
    end = times[int(len(times) * part)] if part < 1 else b"~"
    for name, log in logs.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        stop = next((one.start() for one in STAMP.finditer(log) if one[1] >= end), len(log))
        (place / name).write_bytes(log[:stop])
    return place


@pytest.fixture(scope="module")
def trace(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """A recording with a line of one partition five seconds behind all others."""
    return load([with_line(ended(recordings / "k0102-hw-loss", tmp_path_factory.mktemp("tree"), 1))])


def server_log_ends(broker: int) -> str:
    return log_ends(broker, "server")


def news(trace: Trace, facts: dict[str, str]) -> set[str]:
    """The partitions whose keys change with some facts."""
    before, after = keys(trace), keys(replace(trace, facts={**trace.facts, **facts}))
    return {name for name in before if before[name] != after[name]}


def test_a_fact_unsettles_the_partitions_that_it_bears_on(trace: Trace) -> None:
    every = {str(one.tp) for one in trace.partitions}
    of_broker_3 = {str(one.tp) for one in trace.partitions if 3 in one.replicas}
    assert news(trace, {"config.broker-3.inter.broker.protocol.version": "0.9"}) >= of_broker_3
    assert news(trace, {"config.broker-9.inter.broker.protocol.version": "0.9"}) == set()
    # Where brokers differ in it, no topic's setting is known.
    assert news(trace, {"config.broker-9.min.insync.replicas": "9"}) == every
    clicks = {name for name in every if name.startswith("clicks-")}
    assert news(trace, {"config.topic-clicks.min.insync.replicas": "7"}) == clicks > set()
    assert news(trace, {"clock.broker-3": "7"}) == set()
    assert news(trace, {unread(3): "40"}) >= of_broker_3
    assert news(trace, {silent_on_loading(3): "1"}) >= of_broker_3
    assert news(trace, {cut_off(3, "server"): "1795231760000000000,1795231763000000000"}) >= of_broker_3
    assert news(trace, {"cluster": "another"}) == every


def test_a_log_unsettles_only_what_it_reaches_into(trace: Trace) -> None:
    """One that goes on behind the last row of a partition says of it what any later end says."""

    def until(at: int) -> dict[str, str]:
        names = [name(broker) for broker in (1, 2, 3) for name in (log_until, server_log_ends)]
        return dict.fromkeys(names, str(at))

    last = int(trace.columns["at"][-1])
    longer = replace(trace, facts={**trace.facts, **until(last + SECOND_NS)})
    assert news(longer, until(last + HOUR_NS)) == set()
    assert news(longer, until(last - HOUR_NS)) == {str(one.tp) for one in trace.partitions}


def test_the_next_event_of_others_counts_while_a_last_value_is_shown(trace: Trace) -> None:
    def later(by: int) -> dict[str, str]:
        at = trace.columns["at"].copy()
        at[-1] = at[-2] + by
        return keys(replace(trace, columns={**trace.columns, "at": at}))

    own = {"orders-0"}
    soon, late, later_still = (later(by) for by in (1_000_000, SECOND_NS, HOUR_NS))
    assert {name for name in late if late[name] != later_still[name]} == own
    assert {name for name in late if late[name] != soon[name]} > own


def test_a_row_that_says_something_else_is_news(trace: Trace) -> None:
    rows = np.flatnonzero(trace.columns["partition"] == trace.partition_index("orders-0"))
    before = keys(trace)
    for name in ("leo", "hw", "epoch", "leader", "isr", "offset", "basis", "replica"):
        column = trace.columns[name].copy()
        column[rows[len(rows) // 2]] = 0 if column[rows[len(rows) // 2]] else 1
        after = keys(replace(trace, columns={**trace.columns, name: column}))
        assert {one for one in before if before[one] != after[one]} == {"orders-0"}, name


def test_a_line_of_one_partition_unsettles_it_alone(recordings: Path, tmp_path: Path) -> None:
    # A last row stands beside the next event: what was last of all before is unsettled by any line.
    tree = with_line(ended(recordings / "k0102-hw-loss", tmp_path / "k0102-hw-loss", 1))
    whole = {name: (key, found) for name, key, found in judged(load([tree]))}
    more = {name: (key, found) for name, key, found in judged(load([with_line(tree)]))}
    assert {name for name in whole if whole[name][0] != more[name][0]} == {"orders-0"}
    assert {name for name in whole if whole[name][1] != more[name][1]} <= {"orders-0"}


@pytest.mark.parametrize("name", ["k0102-hw-loss", "k0102-rolling-restart"])
def test_of_logs_that_go_further_equal_keys_have_equal_verdicts(name: str, tmp_path: Path) -> None:
    unpack_recording(name, tmp_path)
    known: dict[str, Local] = {}
    for part in (0.5, 0.7, 0.9, 1.0):
        for _, key, found in judged(load([ended(tmp_path / name, tmp_path / f"{part}", part)])):
            assert known.setdefault(key, found) == found
