"""What happened in a stretch, against the story of hw-loss under Kafka 0.10.2."""

from collections import Counter
from itertools import pairwise

import pytest

from core.diagnose.narrate.marked_range import marked_range
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import era
from tests.runs import simulated

Case = tuple[History, PartitionVerdict]


@pytest.fixture(scope="module")
def case() -> Case:
    history = open_history(simulated("hw-loss", era("0.10.2")), 0)
    return history, diagnose_partition(history)


def test_the_whole_of_it_is_the_whole_story(case: Case) -> None:
    """m1 is lost once; B leads in epoch 1; a restarted follower cuts 2 to 1, then the old leader does."""
    history, verdict = case
    found = marked_range(history, verdict, 0, len(history.trace))
    assert found.events == len(history.seqs)
    assert dict(found.kinds) == Counter(history.trace.event(int(seq)).kind for seq in history.seqs)
    assert found.records_lost == 1
    assert [(cut.from_offset, cut.to_offset) for cut in found.cuts] == [(2, 1), (2, 1)]
    assert [epoch for epoch, _ in found.elections] == [0, 1]
    assert found.losses == verdict.losses


def test_what_is_outside_does_not_count(case: Case) -> None:
    history, verdict = case
    cut = verdict.truncations[0].seq
    before, at, after = (
        marked_range(history, verdict, *ends) for ends in ((0, cut), (cut, cut + 1), (cut + 1, cut + 2))
    )
    assert not before.cuts
    assert [one.seq for one in at.cuts] == [cut]
    assert not after.cuts
    assert at.start == at.end == verdict.truncations[0].at
    (grown,) = (one for one in at.replicas if one.broker == verdict.truncations[0].broker)
    assert [band.exact for band in grown.leo] == [2, 1]
    assert marked_range(history, verdict, cut + 1, cut) == at


def test_parts_add_up_to_the_whole(case: Case) -> None:
    history, verdict = case
    size = len(history.trace)
    ends = [0, size // 3, size // 2, size]
    parts = [marked_range(history, verdict, *pair) for pair in pairwise(ends)]
    whole = marked_range(history, verdict, 0, size)
    assert sum(part.events for part in parts) == whole.events
    assert sum((Counter(dict(part.kinds)) for part in parts), Counter()) == dict(whole.kinds)
    assert sum((part.elections for part in parts), ()) == whole.elections
    for broker, (left, joined) in whole.isr.items():
        moves = [part.isr.get(broker, (0, 0)) for part in parts]
        assert (sum(one for one, _ in moves), sum(two for _, two in moves)) == (left, joined)


def test_those_who_left_and_joined_the_set(case: Case) -> None:
    """The dead leader leaves the set once, and joins it again after its cut."""
    history, verdict = case
    found = marked_range(history, verdict, 0, len(history.trace))
    sets = [value for value in history.isr.values if value is not None]
    left = Counter(broker for one, two in pairwise(sets) for broker in set(one) - set(two))
    assert left
    assert {broker: out for broker, (out, _) in found.isr.items() if out} == left


def test_nothing_is_in_a_stretch_without_length(case: Case) -> None:
    found = marked_range(*case, 5, 5)
    assert (found.events, found.start, found.kinds, found.cuts) == (0, None, (), ())
