"""Whether two sources are of one cluster: only what proves it proposes so."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from core.compare.align import make_run
from core.trace.settings import CLUSTER_ID
from core.trace.trace import Trace
from gui.workspace.one_or_two import question_of
from importers.samples import SAMPLES
from tests.recordings.whole import sampled
from tests.stories import Story


def story(*, replicas: tuple[int, ...] = (1, 2), leaders: tuple[int, ...] = (1,), first: int = 0) -> Trace:
    """A run of t-0 whose epochs from `first` on are led by these."""
    told = Story("2.8.0", replicas)
    for broker in replicas:
        told.process("broker_starting", broker)
    for epoch, leader in enumerate(leaders, start=first):
        told.add(
            "leader_elected", leader, leader=leader, epoch=epoch, isr=replicas, partition_epoch=epoch, aux=1
        )
        told.add("became_leader", leader, leader=leader, epoch=epoch, leo=0, hw=0)
    return told.trace()


def ask(one: Trace, other: Trace) -> tuple[bool, list[str]]:
    question = question_of(make_run(one), make_run(other))
    return question.one, [reason.id for reason in question.reasons]


def with_id(trace: Trace, cluster: str) -> Trace:
    return replace(trace, facts=MappingProxyType({**trace.facts, CLUSTER_ID: cluster}))


def test_the_cluster_id_decides() -> None:
    trace = story()
    assert ask(with_id(trace, "a"), with_id(trace, "a"))[0]
    same = story(leaders=(1, 2))
    assert not ask(with_id(same, "a"), with_id(same, "b"))[0]


def test_the_same_leaders_of_later_epochs_are_one_cluster() -> None:
    one, reasons = ask(story(leaders=(1, 2)), story(leaders=(1, 2)))
    assert one
    assert "one-or-two.terms.continue" in reasons


def test_the_first_epoch_alone_proves_nothing() -> None:
    """Each topic begins at epoch 0, led by its preferred replica."""
    one, reasons = ask(story(leaders=(1,)), story(leaders=(1,)))
    assert not one
    assert "one-or-two.terms.unknown" in reasons


def test_another_leader_of_one_epoch_is_another_cluster() -> None:
    """Kafka: one epoch has one leader."""
    one, reasons = ask(story(leaders=(1, 2)), story(leaders=(1, 1)))
    assert not one
    assert "one-or-two.terms.differ" in reasons


def test_epochs_that_follow_are_one_cluster() -> None:
    assert ask(story(leaders=(1, 2)), story(leaders=(1,), first=2))[0]


def test_other_replicas_are_two_clusters() -> None:
    one, reasons = ask(story(leaders=(1, 2)), story(replicas=(1, 2, 3), leaders=(1, 2)))
    assert not one
    assert "one-or-two.replicas.other" in reasons


@pytest.mark.slow
def test_recordings_state_their_clusters() -> None:
    """Logs of 0.10.1 to 3.9 and data directories say "Cluster ID": the two recordings are of two clusters."""
    first, second = (sampled(sample.id) for sample in SAMPLES[:2])
    for trace in (first, second):
        assert len(trace.facts[CLUSTER_ID]) == 22

    one, reasons = ask(first, second)
    assert not one
    assert "one-or-two.id.other" in reasons
    again, reasons = ask(first, first)
    assert again
    assert "one-or-two.id.same" in reasons
