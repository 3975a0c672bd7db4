"""What an unclean election leaves in the metadata log (KIP-704), in a run, in its logs, in recordings."""

from functools import partial
from pathlib import Path

import pytest

from core.kafka.eras import ERAS, Era, era, with_switches
from core.kafka.quorum import Registration, change, may_grow
from core.sim.logs.broker_logs import broker_logs
from core.trace.trace import Event, Trace
from importers.load import load
from tests.archives import unpack_recording
from tests.core_sim.test_clients import events
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

UNCLEAN_BY_SETTING = ("4.0", "4.1")
"""KRaft controllers look at unclean.leader.election.enable from 3.9 on (KAFKA-12670)."""


def marks(trace: Trace) -> list[tuple[int, int]]:
    """(leader epoch, 1 recovering or 0) of each change."""
    return [(one.values["epoch"], one.values["aux"]) for one in events(trace, "leader_recovery_changed")]


@pytest.mark.parametrize("one", ERAS, ids=lambda one: one.id)
def test_the_partition_recovers_from_the_unclean_election_to_the_next_change_of_the_set(one: Era) -> None:
    trace = simulated("recovering-leader", one)

    if one.id not in UNCLEAN_BY_SETTING:
        assert marks(trace) == []
        return
    (begun, ended) = events(trace, "leader_recovery_changed")
    assert marks(trace) == [(2, 1), (2, 0)]
    assert trace.event(begun.cause or 0).kind in ("leader_elected", "elr_changed")
    joined = next(
        event
        for event in events(trace, "isr_committed")
        if event.seq > begun.seq and event.get("broker") is None
    )
    assert joined.values["partition_epoch"] == ended.values["partition_epoch"]


def test_without_the_mark_the_run_is_the_same_otherwise() -> None:
    plain = with_switches(era("4.0"), {"leader-recovery": "unmarked"})
    trace = simulated("recovering-leader", plain)
    assert marks(trace) == []
    assert [one.values["leader"] for one in events(trace, "leader_elected")] == [1, 2]


def test_a_clean_election_and_a_second_leader_keep_what_is_marked() -> None:
    """The mark goes only with the leader's own request; a leader that dies before leaves it."""
    now = Registration((1, 2), (2,), 2, recovering=True)
    after = partial(
        change, min_isr=1, eligible_leaders="off", epoch_on_shrink="kept", leader_recovery="marked"
    )
    gone = after(now, (2,), []).partition
    assert (gone.leader, gone.recovering) == (-1, True)
    back = after(gone, (2,), [2]).partition
    assert (back.leader, back.recovering) == (2, True)
    assert not after(back, (2, 1), [1, 2], recovered=True).partition.recovering


def test_a_recovering_leader_is_refused_a_larger_set_unless_it_has_recovered() -> None:
    assert not may_grow(recovering=True, recovered=False, members=2)
    assert may_grow(recovering=True, recovered=False, members=1)
    assert may_grow(recovering=True, recovered=True, members=2)


@pytest.mark.parametrize("era_id", UNCLEAN_BY_SETTING)
def test_logs_that_are_written_are_read_back(era_id: str, tmp_path: Path) -> None:
    trace = simulated("recovering-leader", era(era_id))
    for path, content in broker_logs(trace).items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    assert set(marks(trace)) <= {(one.get("epoch"), one.get("aux")) for one in read_marks(load([tmp_path]))}


def read_marks(trace: Trace) -> list[Event]:
    return events(trace, "leader_recovery_changed")


def test_k43_elr_shows_it_as_the_metadata_log_has_it(tmp_path: Path) -> None:
    """Offsets 216 and 219 of the log: the last known leader is elected uncleanly, then 1 joins it."""
    folder, _ = unpack_recording("k43-elr", tmp_path)
    trace = load([folder])
    index = trace.partition_index("accounts-0")
    told = [one.values["aux"] for one in read_marks(trace) if one.values["partition"] == index]
    assert told[0] == 1
    assert told[-1] == 0
