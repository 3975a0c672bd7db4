"""Transactions: the last stable offset, a late batch, a time-out (KIP-98, KIP-890, KAFKA-14402)."""

from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import ERAS, Era, era
from core.sim.logs.broker_logs import broker_logs
from core.trace.trace import Trace
from importers.load import load
from tests.core_sim.test_clients import events, play_text, position
from tests.runs import simulated
from tests.trips import trip_of

pytestmark = pytest.mark.broad(3)

TRANSACTIONAL = tuple(one.id for one in ERAS if one.switches.transactions != "none")
HANGS = tuple(one.id for one in ERAS if one.switches.transactions == "trusted")
SCENARIOS = ("open-transaction", "hanging-transaction")


def end_of(history: History) -> int:
    return len(history.trace)


def stable_at_the_end(trace: Trace, broker: int) -> tuple[int | None, int | None]:
    """(last stable offset, high watermark) of a replica when a run is over."""
    history = open_history(trace, 0)
    state = history.at(end_of(history)).replica(broker)
    return state.lso.exact, state.hw.exact


@pytest.mark.parametrize("era_id", TRANSACTIONAL)
def test_the_late_batch_hangs_to_3_5_and_nowhere_later(era_id: str) -> None:
    """m0 at 0, the marker at 1, to 3.5 m1 at 2; n0 is committed and behind it."""
    trace = simulated("hanging-transaction", era(era_id))

    appended = [one.values["offset"] for one in events(trace, "appended") if one.values["replica"] == 1]
    if era_id in HANGS:
        assert appended[-1] == 4
        assert stable_at_the_end(trace, 1) == (2, 4)
        assert position(trace, "careful", 7) == 2
    else:
        assert appended[-1] == 3
        assert stable_at_the_end(trace, 1) == (3, 3)
        assert position(trace, "careful", 7) == 3
    assert position(trace, "hasty", 7) == appended[-1]


def test_from_3_6_the_leader_refuses_it_and_from_4_0_the_epoch_fences_it() -> None:
    for one in ERAS:
        trace = simulated("hanging-transaction", one)
        expected = {"verified": ["transaction_refused"], "new-epoch": ["producer_fenced"]}
        told = [event.kind for event in events(trace, "transaction_refused", "producer_fenced")]
        assert told == expected.get(one.switches.transactions, [])


def test_without_transactions_m1_is_one_more_record_and_all_is_visible() -> None:
    trace = simulated("hanging-transaction", era("0.10.2"))

    assert not events(trace, "lso_moved", "transaction_written")
    assert stable_at_the_end(trace, 1) == (3, 3)
    assert position(trace, "careful", 7) == position(trace, "hasty", 7) == 3


@pytest.mark.parametrize("era_id", TRANSACTIONAL)
def test_an_open_transaction_hides_what_is_committed_behind_it_also_from_the_next_leader(era_id: str) -> None:
    """m0 0, commit 1, m1 2, abort 3, m2 4, n0 5, abort 6: readers stop at 4 until the abort is committed."""
    trace = simulated("open-transaction", era(era_id))
    history = open_history(trace, 0)
    (led,) = [one for one in events(trace, "became_leader") if one.values["replica"] == 2]
    (timed_out,) = events(trace, "transaction_timed_out")

    assert position(trace, "careful", 7) == 4
    assert position(trace, "hasty", 7) == 6
    state = history.at(led.seq + 1).replica(2)
    assert (state.lso.exact, state.hw.exact) == (4, 6)
    # 8 s after m2 the transaction is too old; the coordinator looks every 10 s.
    assert timed_out.at == 20_000_000_000
    marker = events(trace, "transaction_aborted")[-1]
    assert marker.values["epoch"] == timed_out.values["epoch"], "the transaction's own epoch"
    assert stable_at_the_end(trace, 2) == (7, 7)
    assert position(trace, "careful", 9) == 7
    assert len(events(trace, "produce_failed", step=9)) == 1


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("one", ERAS, ids=lambda one: one.id)
def test_what_history_derives_is_what_the_brokers_say(name: str, one: Era) -> None:
    trace = simulated(name, one)
    history = open_history(trace, 0)
    for event in events(trace, "lso_moved"):
        state = history.at(event.seq + 1).replica(event.values["replica"])
        assert state.lso.exact == event.values["offset"]


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("era_id", ["0.11", "2.8", "4.0"])
def test_logs_that_are_written_are_read_back(name: str, era_id: str, tmp_path: Path) -> None:
    trace = simulated(name, era(era_id))
    for path, content in broker_logs(trace).items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    read = load([tmp_path])

    kinds = ("transaction_written", "transaction_committed", "transaction_aborted")
    for kind in kinds:
        for broker in (1, 2):
            before, after = (
                {
                    (one.values["offset"], one.values["aux"], one.values["epoch"])
                    for one in events(of, kind)
                    if one.values["replica"] == broker
                }
                for of in (trace, read)
            )
            if kind == "transaction_written":
                # Batches side by side are one statement there.
                assert {one[1:] for one in before} == {one[1:] for one in after}
            else:
                assert {one[:2] for one in before} == {one[:2] for one in after}
    place = read.partition_index("t-0")
    assert place is not None
    history = open_history(read, place)
    true, _ = stable_at_the_end(trace, 2)
    band = history.at(len(read)).replica(2).lso
    assert true is not None
    assert band.lo is not None
    assert band.lo <= true
    assert band.hi is None or true <= band.hi


def test_a_transaction_needs_acks_all() -> None:
    text = '[[step]]\nlabel = "s"\ndo = "produce"\nrecords = ["a"]\nacks = "1"\ntransaction = "p"\n'
    with pytest.raises(Exception, match="acks"):
        play_text(text)


@pytest.mark.parametrize(("which", "told"), [("3.5", 1), ("3.6", 0)])
def test_logs_and_disks_of_the_run_show_what_hangs(which: str, told: int) -> None:
    """KAFKA-14402, from segments and settings alone."""
    read = trip_of("hanging-transaction", which).read
    assert [one.check for one in diagnose(read).findings].count("hanging-transaction") == told
