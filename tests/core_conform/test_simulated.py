"""Runs whose every event is known, held against every era: what each era takes, and where it refuses.

The measure is the simulator itself: the same script and the same luck in another era. What is the same in
both up to some event, the other era can have made up to there.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from core.conform.decision import Rule
from core.conform.judge import Judgement, conform
from core.conform.own import candidate, own_candidate
from core.conform.table import RULES
from core.history.running import is_mixed
from core.kafka.eras import ERAS, era, with_switches
from core.kafka.switches import SWITCH
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import DTYPES, Trace
from core.trace.vocabulary import Election
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)

ALL = [candidate(one) for one in ERAS]
RULE = {rule.id: rule for rule in RULES}


def judged(trace: Trace, rules: Sequence[Rule] = RULES) -> dict[str, Judgement]:
    found = conform(trace, ALL, range(len(trace.partitions)), rules=rules)
    return {one.candidate.name: one for one in found}


def of_each_broker(trace: Trace) -> Judgement:
    """The judgement of the rules that each broker had by what it states."""
    own = own_candidate(trace)
    assert own is not None
    return conform(trace, [own], range(len(trace.partitions)))[0]


def first_difference(one: Trace, other: Trace) -> int | None:
    """The Seq of the first event in which two runs differ; None where they are the same."""
    length = min(len(one), len(other))
    differs = np.zeros(length, np.bool_)
    for name in DTYPES:
        left, right = one.columns[name][:length], other.columns[name][:length]
        if name == "isr":
            pairs = zip(left.tolist(), right.tolist(), strict=True)
            sets = [(place >= 0 and one.isrs[place], at >= 0 and other.isrs[at]) for place, at in pairs]
            differs |= np.array([mine != theirs for mine, theirs in sets], np.bool_)
        else:
            differs |= left != right
    places = np.flatnonzero(differs)
    return int(places[0]) if len(places) else None if len(one) == len(other) else length


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", scenario_ids())
def test_an_era_takes_its_own_runs_and_refuses_none_before_its_own_would_differ(name: str) -> None:
    runs = [simulated(name, one) for one in ERAS]
    for run, own in zip(runs, ERAS, strict=True):
        if is_mixed(run):
            # Each broker had rules of its own: no era is that of all.
            assert of_each_broker(run).accepted is True, (own.id, of_each_broker(run).broken)
            continue
        found = judged(run)
        assert found[own.id].accepted is True, (own.id, found[own.id].broken)
        for other, held in zip(runs, found.values(), strict=True):
            same_up_to = first_difference(run, other)
            if held.broken is not None and not is_mixed(other):
                assert same_up_to is not None, (own.id, held.candidate.name, held.broken)
                assert held.broken.decision.seq >= same_up_to, (own.id, held.candidate.name, held.broken)


REFUSED = (
    ("truncation.cut", "hw-loss", "0.10.2", "0.11", "truncation_decided"),
    ("truncation.cut", "acks", "2.4", "2.8", "truncation_decided"),
    ("truncation.first-act", "hw-loss", "2.8", "0.10.2", "fetch_sent"),
    ("truncation.first-act", "deleted-records", "2.0", "2.1", "fetch_sent"),
    ("truncation.fetch-offset", "hw-loss", "2.8", "0.10.2", "fetcher_added"),
    ("truncation.asked", "hw-loss", "2.4", "2.8", "epoch_end_asked"),
    ("truncation.told-on-fetch", "acks", "2.8", "2.4", "fetch_diverged"),
    ("epochs.answer", "silent-divergence", "1.1", "2.0", "epoch_end_answered"),
    ("epochs.answer", "s7", "0.11", "1.1", "epoch_end_answered"),
    ("epochs.begun", "hw-loss", "2.1", "2.0", "epoch_assigned"),
    ("epochs.begun", "hw-loss", "2.0", "2.1", "hw_moved"),
    ("epochs.known", "hw-loss", "0.11", "0.10.2", "epoch_assigned"),
    ("epochs.on-shrink", "acks-min-1", "3.5", "3.6", "isr_committed"),
    ("epochs.on-shrink", "acks-min-1", "3.6", "3.5", "isr_committed"),
    ("watermark.after-cut", "hw-divergence", "2.1", "2.4", "truncated"),
    ("watermark.after-cut", "hw-divergence", "2.4", "2.1", "truncated"),
    ("watermark.below-min-isr", "acks", "3.6", "3.7", "hw_moved"),
    ("isr.change", "hw-loss", "2.4", "2.8", "isr_committed"),
    ("isr.change", "hw-loss", "2.8", "2.4", "isr_committed"),
    ("isr.leave", "s7", "2.0", "2.1", "isr_shrink_proposed"),
    ("isr.join", "stale-hw-isr", "2.0", "2.1", "isr_expand_proposed"),
    ("isr.last-member", "s9", "4.1", "3.7", "leaderless"),
    ("isr.last-member-left", "recovering-leader", "0.11", "1.1", "leaderless"),
    ("election.eligible", "s9", "4.1", "3.7", "elr_changed"),
    ("fetch.last-epoch", "hw-loss", "2.8", "2.4", "fetch_sent"),
    ("fetch.leader-epoch", "hw-loss", "2.1", "2.0", "fetch_sent"),
    ("fetch.no-leader-epoch", "hw-loss", "2.0", "2.1", "fetch_sent"),
    ("fencing.refused", "s1", "2.1", "2.0", "fetch_failed"),
    ("producer.sequence", "idempotent-producer", "0.11", "0.10.2", "duplicate_dropped"),
    ("controller.zookeeper", "hw-loss", "2.8", "3.3", "leader_and_isr_received"),
    ("controller.kraft", "hw-loss", "3.3", "2.8", "metadata_applied"),
)
"""Rule, scenario, era of the run, era that cannot have made it, and what it could not make."""


@pytest.mark.parametrize(("rule", "name", "own", "other", "kind"), REFUSED)
def test_a_rule_refuses_what_another_release_changed(
    rule: str, name: str, own: str, other: str, kind: str
) -> None:
    run = simulated(name, era(own))
    found = judged(run, [RULE[rule]])

    assert found[own].broken is None
    broken = found[other].broken
    assert broken is not None
    assert run.event(broken.decision.seq).kind == kind


def test_every_rule_that_can_refuse_is_held_by_a_case() -> None:
    """An unclean election alone refuses nothing: a setting or an operator may have asked for it."""
    assert {rule.id for rule in RULES} - {one[0] for one in REFUSED} == {"election.unclean"}


DECIDED_BY = {
    "truncation.cut": ("truncation", "epoch-answer", "epoch-entry", "epoch-lookup-below", "out-of-range"),
    "truncation.first-act": ("truncation", "same-leader", "epoch-answer", "epoch-entry"),
    "epochs.answer": ("epoch-answer", "epoch-entry", "epoch-lookup-below", "epoch-lookup-undefined"),
    "isr.last-member": ("eligible-leaders", "unclean-setting", "controller"),
    "election.eligible": ("eligible-leaders", "unclean-setting", "controller"),
}
"""Rules on which more than their own switch has a say."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_parts_only_eras_whose_switches_differ(rule: Rule) -> None:
    """Of two eras side by side it refuses a run of one for the other only where its switch changed."""
    fields = [SWITCH[one].field for one in DECIDED_BY.get(rule.id, (rule.switch,))]
    for name in dict.fromkeys(one[1] for one in REFUSED if one[0] == rule.id):
        for older, newer in pairwise(ERAS):
            for own, other in ((older, newer), (newer, older)):
                if judged(simulated(name, own), [rule])[other.id].accepted is False:
                    changed = [getattr(older.switches, one) != getattr(newer.switches, one) for one in fields]
                    assert any(changed), (name, own.id, other.id)


def test_a_setting_that_is_changed_meanwhile_refuses_no_era_its_own_run() -> None:
    """From 3.7 A's high watermark moves in a set of one once min.insync.replicas is 1 and no longer 2."""
    run = simulated("min-isr-lowered", era("3.7"))

    assert judged(run, [RULE["watermark.below-min-isr"]])["3.7"].accepted is True


def test_what_a_setting_decides_is_left_open() -> None:
    """Unclean elections are on by default to 0.10; later somebody must have asked for one."""
    run = simulated("three-broker-loss", era("2.8"))
    found = judged(run, [RULE["election.unclean"]])

    elections = [run.event(seq) for seq in range(len(run))]
    assert Election.UNCLEAN in [one.get("aux") for one in elections if one.kind == "leader_elected"]
    assert (found["0.10.2"].accepted, found["2.8"].accepted) == (True, None)
    assert found["2.8"].open > 0


def test_a_switch_that_was_set_by_hand_is_part_of_the_own_release() -> None:
    """2.8 with the cut to the high watermark: taken as such, and refused by 2.8 as it is."""
    rules = with_switches(era("2.8"), {"truncation": "high-watermark"})
    run = simulate(scenario("hw-loss"), rules)
    own = own_candidate(run)

    assert own is not None
    assert own.name == "2.8+truncation=high-watermark"
    mine, plain = conform(run, [own, candidate(era("2.8"))], [0])
    assert (mine.accepted, plain.accepted) == (True, False)


def test_no_partition_and_no_decision_is_not_decided() -> None:
    run = simulated("hw-loss", era("2.8"))
    found = conform(run, ALL, [])

    assert {one.accepted for one in found} == {None}
