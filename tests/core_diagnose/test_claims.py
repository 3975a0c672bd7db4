"""Rules of releases beside real cuts, and what is not said. Each sentence as a claim: tests/claims."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from core.diagnose.narrate.why import Why, why
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.history.open import open_history
from core.kafka.eras import Era, era
from core.message import Message, Names
from core.sim.library import scenario_ids
from core.trace.trace import Event, Trace
from core.words import text
from tests.recordings.whole import whole
from tests.runs import one_of, simulated

NAMES = tuple(scenario_ids())


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
    """Every event at which a sentence is said, of each scenario in a third of the eras, and so of each era.

    All sentences in all eras: tests/claims.
    """
    times = 0
    for name in NAMES:
        for rules in one_of(3, name):
            for event, found in told(name, rules.id):
                if sentence in said(found):
                    times += 1
                    yield simulated(name, rules), rules, event, found
    assert times, f"{sentence} is never said"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k43-chaos", "k43-failover", "k39-unclean-loss", "k28-unclean-loss"])
def test_no_rule_of_other_releases_stands_beside_a_cut_of_a_real_cluster(name: str) -> None:
    """From 2.8 on, divergence is found on the fetch; the line is the one that KIP-101 brought."""
    trace = whole(name).trace
    rules: Counter[str] = Counter()
    for one in diagnose(trace).partitions:
        rules.update(cut.rule for cut in one.truncations)
    assert rules.total()
    assert rules["leader-epoch"] == 0
    for index in range(len(trace.partitions)):
        for _, found in told_of(trace, index):
            assert "why.rule.cut.leader-epoch" not in said(found)
            assert "why.since.epoch-end" not in said(found)


@pytest.mark.slow
def test_both_logs_are_said_to_agree_nowhere_before_the_cut() -> None:
    """In 2.8 it was said that both agree up to 2, and then B cut to 1."""
    for _, _, event, found in everywhere("why.fetch.diverged"):
        assert event.kind == "fetch_diverged"
        assert "agree" not in " ".join(map(text, found.sentences))
