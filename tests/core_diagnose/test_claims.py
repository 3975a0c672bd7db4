"""Sentences of the inspector, held against the events of the run wherever they are said.

Each test has a predicate of its own over the events, and none over what a sentence was made of. A sentence
that is said nowhere fails, too: then nothing was held against anything.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from core.diagnose.narrate.why import Why, why
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.history.open import open_history
from core.kafka.eras import ERAS, Era, era
from core.message import Message, Names
from core.sim.library import scenario_ids
from core.trace.trace import Event, Trace
from core.words import text
from importers.load import load
from tests.runs import simulated

RECORDINGS = Path(__file__).parent.parent / "recordings"
NAMES = tuple(scenario_ids())
DECIDED = ("isr_committed", "leader_elected", "leaderless", "partition_created")


def ids(one: object) -> Iterator[str]:
    """All ids in a message."""
    if isinstance(one, Message):
        yield one.id
        for _, value in one.values:
            yield from ids(value)
    elif isinstance(one, Names):
        for item in one.items:
            yield from ids(item)


@cache
def told(name: str, era_id: str) -> tuple[tuple[Event, Why], ...]:
    return told_of(simulated(name, era(era_id)), 0)


def told_of(trace: Trace, partition: int) -> tuple[tuple[Event, Why], ...]:
    history = open_history(trace, partition)
    verdict = diagnose_partition(history)
    return tuple((trace.event(seq), why(history, verdict, seq + 1)) for seq in history.seqs.tolist())


def said(found: Why) -> set[str]:
    every = (found.title, *found.sentences, *(one for one in (found.rule, found.since) if one is not None))
    return {id_ for one in every for id_ in ids(one)}


def everywhere(sentence: str) -> Iterator[tuple[Trace, Era, Event, Why]]:
    """Every event at which a sentence is said, in some scenarios and all eras."""
    times = 0
    for name in NAMES:
        for rules in ERAS:
            for event, found in told(name, rules.id):
                if sentence in said(found):
                    times += 1
                    yield simulated(name, rules), rules, event, found
    assert times, f"{sentence} is never said"


def following(trace: Trace, event: Event) -> Iterator[Event]:
    for seq in range(event.seq + 1, len(trace)):
        later = trace.event(seq)
        if later.get("partition") in (None, event.get("partition")):
            yield later


def ends_of(trace: Trace, broker: int, until: int) -> tuple[int, int]:
    """Log end and high watermark of a broker after the events up to `until`, by these alone."""
    leo = hw = 0
    for event in map(trace.event, range(until + 1)):
        if event.get("replica") != broker or event.get("partition") not in (None, 0):
            continue
        leo = event.get("leo") if event.kind in ("appended", "truncated", "became_leader") else leo
        hw = event.get("hw") if event.kind in ("hw_moved", "hw_loaded", "became_leader") else hw
    return leo or 0, hw or 0


@pytest.mark.slow
def test_the_high_watermark_goes_straight_to_the_log_end_where_that_is_said() -> None:
    """Not below min ISR from 3.7 on, and not while a change is only proposed."""
    for trace, _, event, _ in everywhere("why.isr.alone"):
        assert event.kind == "isr_committed"
        leader = event.values["leader"]
        leo, hw = ends_of(trace, leader, event.seq)
        for later in following(trace, event):
            if hw >= leo or later.kind in DECIDED:
                break
            if later.kind == "hw_moved" and later.get("replica") == leader:
                hw = later.values["hw"]
                break
        assert hw >= leo, (trace.name, trace.facts["scenario"], event.seq)


@pytest.mark.slow
def test_a_high_watermark_waits_for_fetches_where_that_is_said() -> None:
    """A leader that is alone raises it by itself, two events later."""
    for trace, _, event, _ in everywhere("why.leads.then"):
        leader = event.values["replica"]
        for later in following(trace, event):
            if later.kind in ("fetch_received", "follower_leo_recorded") and later.get("broker") == leader:
                break
            moved = later.kind == "hw_moved" and later.get("replica") == leader
            assert not moved, (trace.name, trace.facts["scenario"], event.seq)
            if later.kind in DECIDED:
                break


@pytest.mark.slow
def test_only_in_sync_replicas_may_lead_where_no_others_may() -> None:
    """KIP-966: with ELR also replicas that have left the in-sync set."""
    for _, rules, _, _ in everywhere("why.rule.leaderless"):
        assert rules.switches.eligible_leaders == "off"
    for _, rules, _, _ in everywhere("why.rule.leaderless.eligible"):
        assert rules.id in ("4.0", "4.1")


@pytest.mark.slow
def test_who_leaves_by_time_was_proposed_by_the_leader() -> None:
    """A controlled shutdown and a fence are the controller's doing."""
    for trace, _, event, _ in everywhere("why.rule.isr.leaves"):
        isr = trace.isrs[event.values["isr"]]
        before = [trace.event(seq) for seq in range(event.seq + 1)]
        assert any(
            one.kind == "isr_shrink_proposed" and set(trace.isrs[one.values["isr"]]) == set(isr)
            for one in before[-60:]
        ), (trace.name, trace.facts["scenario"], event.seq)


@pytest.mark.slow
def test_whom_the_controller_takes_out_is_gone_or_on_its_way() -> None:
    gone = ("broker_fenced", "broker_crashed", "broker_stopped", "shutdown_requested", "broker_exited")
    for trace, _, event, _ in everywhere("why.rule.isr.removed"):
        before = [trace.event(seq) for seq in range(event.seq)]
        assert any(one.kind.startswith(("broker_", "session_", "controlled_", "shutdown_")) for one in before)
        assert any(one.kind in gone for one in before), (trace.name, event.seq)


@pytest.mark.slow
def test_the_answer_on_an_epoch_is_told_with_its_own_numbers() -> None:
    """The offset of the cut may be another one: a follower goes back through its own epochs (KIP-279)."""
    other = 0
    for trace, _, event, found in everywhere("why.cut.because.answered"):
        (sentence,) = [one for one in found.sentences if one.id == "why.cut.because.answered"]
        values = dict(sentence.values)
        answers = [
            one
            for one in map(trace.event, range(event.seq))
            if one.kind in ("epoch_end_answered", "fetch_diverged")
            and one.get("replica") == event.get("replica")
        ]
        assert (values["epoch"], values["end"]) == (answers[-1].get("aux"), answers[-1].get("offset"))
        other += values["end"] != event.get("offset")
    assert other, "no cut goes to another offset than the answer names"


@pytest.mark.slow
def test_the_last_five_batches_are_known_from_1_0_on() -> None:
    """KAFKA-5494."""
    eras = {rules.id for _, rules, _, _ in everywhere("why.rule.duplicate")}
    assert "0.11" not in eras
    assert {rules.id for _, rules, _, _ in everywhere("why.rule.duplicate.last")} == {"0.11"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k43-chaos", "k43-failover", "k39-unclean-loss", "k28-unclean-loss"])
def test_no_rule_of_other_releases_stands_beside_a_cut_of_a_real_cluster(name: str) -> None:
    """From 2.8 on, divergence is found on the fetch; the line is the one that KIP-101 brought."""
    trace = load([RECORDINGS / f"{name}.tar.xz"])
    rules: Counter[str] = Counter()
    for one in diagnose(trace).partitions:
        rules.update(cut.rule for cut in one.truncations)
    assert rules.total()
    assert rules["leader-epoch"] == 0
    for index in range(len(trace.partitions)):
        for _, found in told_of(trace, index):
            assert "why.rule.cut.leader-epoch" not in said(found)
            assert "why.since.epoch-end" not in said(found)


def test_both_logs_are_said_to_agree_nowhere_before_the_cut() -> None:
    """In 2.8 it was said that both agree up to 2, and then B cut to 1."""
    for _, _, event, found in everywhere("why.fetch.diverged"):
        assert event.kind == "fetch_diverged"
        assert "agree" not in " ".join(map(text, found.sentences))
