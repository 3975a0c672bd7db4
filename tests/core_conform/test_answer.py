"""The answer as values: what breaks, what is not decided and for want of what, what nothing was read for."""

import pytest

from core.conform.answer import Conformance, alike, answer_of, open_alike
from core.conform.judge import judge
from core.conform.own import candidate, own_candidate
from core.conform.table import RULES
from core.kafka.eras import ERAS, era
from core.message import Listing
from core.trace.trace import Trace
from tests.runs import simulated
from tests.trips import read_again

pytestmark = pytest.mark.broad(4)


def answered(trace: Trace) -> Conformance:
    every = [candidate(one) for one in ERAS]
    return answer_of(trace, own_candidate(trace), judge(trace, every, range(len(trace.partitions))))


def test_what_is_the_same_of_several_eras_is_said_once() -> None:
    """hw-loss in 0.10.2: eras that ask for the end of an epoch would have cut to 2, as KIP-101 tells."""
    found = answered(simulated("hw-loss", era("0.10.2")))
    said = {names: breaks for breaks, names in alike(found.eras)}

    assert found.own == "0.10.2"
    (breaks,) = (one for names, one in said.items() if "0.11" in names)
    assert breaks.rule == "truncation.cut"
    assert breaks.instead is not None
    assert dict(breaks.instead.values) == {"offset": 2}
    named = [name for names in said for name in names]
    assert sorted(named) == sorted(one.era for one in found.eras if one.accepted is False)
    told = breaks.sentence(Listing(("0.11", "1.1")))
    assert dict(told.values)["era"] == Listing(("0.11", "1.1"))


def test_the_event_is_one_of_the_partition_that_broke() -> None:
    run = simulated("hw-loss", era("0.10.2"))
    (breaks,) = {one.breaks for one in answered(run).eras if one.era == "0.11"}

    assert breaks is not None
    assert breaks.evidence[0] == breaks.seq
    assert breaks.at == run.event(breaks.seq).at
    assert breaks.partition == run.event(breaks.seq).values["partition"]


def test_eligible_leader_replicas_are_open_in_the_release_that_has_them_by_choice() -> None:
    """KIP-966: 4.0 has the feature, off unless somebody raises eligible.leader.replicas.version."""
    of = {one.era: one for one in answered(simulated("s9", era("4.1"))).eras}

    missing = {one.missing.id for one in of["4.0"].undecided}
    assert "conform.missing.eligible" in missing
    assert "conform.missing.eligible" not in {one.missing.id for one in of["4.1"].undecided}
    assert sum(one.count for one in of["4.0"].undecided) == len(of["4.0"].open_at) > 0


RUNS = (("s9", "4.1"), ("hw-loss", "0.10.2"), ("unknown-epoch-loss", "2.0"), ("acks", "2.4"))


@pytest.mark.parametrize("logs", [False, True], ids=["run", "logs"])
def test_a_rule_that_leaves_a_decision_open_says_what_is_missing(*, logs: bool) -> None:
    open_rules: set[str] = set()
    for name, which in RUNS:
        run = simulated(name, era(which))
        found = answered(read_again(run, data=False) if logs else run)
        for undecided, names in open_alike(found.eras):
            open_rules.add(undecided.rule)
            assert undecided.missing.id.startswith("conform.missing."), undecided
            assert names

    assert open_rules
    assert open_rules <= {rule.id for rule in RULES if rule.missing is not None}


def test_rules_without_a_decision_are_told_with_what_they_read() -> None:
    """Logs at INFO have no requests; a run of 2.8 has fetches, and no ZooKeeper-less controller."""
    logs = answered(read_again(simulated("hw-loss", era("0.10.2")), data=False))
    run = answered(simulated("hw-loss", era("2.8")))

    unread = {one.rule: one.needs.id for one in logs.unread}
    assert unread["fetch.last-epoch"] == "conform.needs.requests"
    assert "truncation.cut" not in unread
    of_run = {one.rule for one in run.unread}
    assert "fetch.last-epoch" not in of_run
    assert "controller.kraft" in of_run
