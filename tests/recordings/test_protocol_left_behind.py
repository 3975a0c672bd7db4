"""k28-ibp0102-hw-loss held against the scenario protocol-raised: 2.8 with the protocol of 0.10.2 in both.

What is expected comes from the recording's truth and from the truth of the run, never from what is diagnosed.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Truncation
from core.history.running import rules_of_broker
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import Played, play
from core.sim.truth import Promise
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason, Election
from tests.core_sim.test_clients import events
from tests.recordings.whole import Whole, whole

RECORDING = "k28-ibp0102-hw-loss"
LOST = ("orders-0", "orders-1", "clicks-0", "clicks-1", "audit-0")
B = 2
"""In both the broker that is killed, comes back, and leads without what it has cut."""
ALL = -1
_RAISED = 13
"""The first step of the scenario in which a broker starts with the new protocol."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group(f"recording {RECORDING}"),
]


@cache
def run() -> tuple[Played, PartitionVerdict]:
    played = play(scenario("protocol-raised"), era("2.8"))
    return played, diagnose(played.trace).partitions[0]


def first_cut(verdict: PartitionVerdict) -> Truncation:
    """The first cut of the broker that leads afterwards."""
    return min((one for one in verdict.truncations if one.broker == B), key=lambda one: one.seq)


def recorded(name: str) -> tuple[Whole, int, PartitionVerdict]:
    found = whole(RECORDING)
    place = found.trace.partition_index(name)
    assert place is not None
    return found, place, found.verdict.partitions[place]


def questions(trace: Trace, place: int, until: int | None = None) -> Iterator[Event]:
    """Where a broker asked for the end of an epoch, or named its last one in a fetch; to a step."""
    for event in (
        *events(trace, "epoch_end_asked"),
        *events(trace, "fetch_sent"),
        *events(trace, "fetch_diverged"),
    ):
        named = event.kind != "fetch_sent" or event.get("aux") is not None
        if named and event.get("partition") == place and (until is None or event.position < until):
            yield event


def test_the_recording_lost_what_the_test_speaks_of() -> None:
    lost = whole(RECORDING).truth["lost"]
    assert {name for name, records in lost.items() if records} == set(LOST)


@pytest.mark.parametrize("name", LOST)
def test_the_same_cut_by_the_same_rule(name: str) -> None:
    """Broker 2 cut to its own high watermark as it began to follow, as B does in the run."""
    found, place, verdict = recorded(name)
    true = min(
        (one for one in found.truth["truncations"] if (one["tp"], one["replica"]) == (name, B)),
        key=lambda one: one["at_ns"],
    )
    cut, simulated = first_cut(verdict), first_cut(run()[1])

    assert (cut.from_offset, cut.to_offset) == (true["from"], true["to"])
    # In the run: m1, which A had committed, is at 1.
    (told,) = [one for one in events(run()[0].trace, "truncated", step=7) if one.values["replica"] == B]
    assert (
        (simulated.from_offset, simulated.to_offset)
        == (told.values["from_offset"], told.values["offset"])
        == (2, 1)
    )
    assert told.values["aux"] == CutReason.LOCAL_HIGH_WATERMARK
    assert cut.rule == simulated.rule

    # Nobody asked a leader: neither there nor before the protocol is raised here.
    assert not list(questions(found.trace, place))
    assert not list(questions(run()[0].trace, 0, until=_RAISED))
    assert list(questions(run()[0].trace, 0))


def test_the_brokers_ran_by_the_same_rules() -> None:
    """From what the recorded brokers printed of themselves; from what the script names."""
    trace = run()[0].trace
    simulated = {rules_of_broker(trace, one)[0].switches for one in trace.brokers}
    real = whole(RECORDING).trace

    assert len(simulated) == 1
    assert {one.switches for broker in real.brokers for one in rules_of_broker(real, broker)} == simulated


def loss_at(verdict: PartitionVerdict, offset: int) -> Loss:
    (found,) = [one for one in verdict.losses if one.first_offset <= offset < one.end_offset]
    return found


@pytest.mark.parametrize("name", LOST)
def test_the_same_loss_of_the_same_class(name: str) -> None:
    """What was acknowledged with acks=all is a committed loss in both, and the cause is the same."""
    found, _place, verdict = recorded(name)
    gone = found.truth["lost"][name]
    played, of_run = run()
    (m1,) = [one for one in played.truth.fates() if one.lost]
    simulated = loss_at(of_run, m1.offset)

    assert (m1.name, m1.promise) == ("m1", Promise.COMMITTED)
    assert simulated.loss_class is LossClass.COMMITTED
    assert any(one["acks"] == ALL for one in gone) or name.startswith("clicks")
    for one in gone:
        loss = loss_at(verdict, one["offset"])
        assert (loss.cause, loss.loss_class) == (simulated.cause, simulated.loss_class)
        assert loss.first_offset == first_cut(verdict).to_offset


@pytest.mark.parametrize("name", LOST)
def test_the_election_was_a_clean_one(name: str) -> None:
    _found, place, _verdict = recorded(name)
    for trace, at in ((whole(RECORDING).trace, place), (run()[0].trace, 0)):
        ways = {one.get("aux") for one in events(trace, "leader_elected") if one.values["partition"] == at}
        assert Election.UNCLEAN not in ways
