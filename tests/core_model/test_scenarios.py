"""Known counterexamples, told step by step: each is a behaviour of its variant, and a shortest one."""

import pytest

from core.model.actions import Step, steps
from core.model.exploration import Limits
from core.model.fast_engine import FastEngine
from core.model.invariants import LOG_MATCHING, STRONG_ISR, WEAK_ISR, Invariant
from core.model.state import Bounds, Record, State, initial
from core.model.stories import STORIES, Story
from core.model.variants import KIP_101, KIP_279, TRUNCATE_TO_HW, Variant


def behaviour(bounds: Bounds, one: Variant, script: str) -> list[State]:
    """The states after each step of a script: "action broker other epoch" a line, as far as it has them."""
    states = [initial(bounds)]
    for line in script.strip().splitlines():
        words = line.split()
        wanted = Step(words[0], *map(int, words[1:]))  # pyright: ignore[reportArgumentType]
        after = [state for step, state in steps(states[-1], bounds, one) if step == wanted]
        assert len(after) == 1, line
        states.append(after[0])
    return states


def first_broken(states: list[State], invariant: Invariant[State]) -> int:
    """How many states it takes until it does not hold."""
    return 1 + [invariant.holds(state) for state in states].index(False)


LOSS = """
controller-elects 1 0 0
controller-removes 2
becomes-leader 1 0 1
writes 1 0 1
becomes-follower 2 1 0
leader-adds 1 2
copies 2 1
raises-high-watermark 1
becomes-follower 2 1 1
"""


def test_s1_loss_by_truncation_to_the_high_watermark() -> None:
    bounds = Bounds(2, 2, 2, 1)
    states = behaviour(bounds, TRUNCATE_TO_HW, LOSS)

    assert first_broken(states, STRONG_ISR) == 10 == len(states)
    assert states[-1].of(1).log == (Record(0, 1),)
    assert states[-1].of(1).high_watermark == 1
    assert states[-1].of(2).log == ()
    assert states[-1].quorum.isr == {1, 2}


def test_s2_the_same_up_to_divergence() -> None:
    """b1 keeps m0 by its own high watermark, and m0 counts as the acknowledgement of m1."""
    script = """
controller-elects 1 0 0
becomes-leader 1 0 0
writes 1 0 0
controller-removes 2
becomes-follower 2 1 0
copies 2 1
"""
    states = behaviour(Bounds(2, 2, 2, 2), TRUNCATE_TO_HW, script)
    assert states[-1].of(2).log == (Record(0, 0),)

    found = FastEngine(Bounds(2, 2, 2, 2), TRUNCATE_TO_HW).explore((LOG_MATCHING,)).verdicts[0]
    assert found.counterexample is not None
    last = found.counterexample.states[-1]
    assert len(found.counterexample) == 15
    assert {last.of(1).log[0].id, last.of(2).log[0].id} == {0, 1}
    assert min(last.of(1).high_watermark, last.of(2).high_watermark) == 1


def test_s3_loss_by_an_epoch_that_the_leader_does_not_know() -> None:
    script = """
controller-elects 1 0 0
controller-elects 2 0 1
controller-elects 1 0 2
becomes-leader 1 0 0
writes 1 0 0
becomes-follower 2 1 0
copies 2 1
raises-high-watermark 1
becomes-leader 2 0 1
writes 2 0 1
becomes-follower 2 1 2
"""
    states = behaviour(Bounds(2, 2, 2, 2), KIP_101, script)

    assert first_broken(states, STRONG_ISR) == 12 == len(states)
    assert states[-2].of(2).log == (Record(0, 0), Record(1, 1))
    assert states[-1].of(2).log == ()


def test_s4_silent_divergence() -> None:
    script = """
controller-elects 1 0 0
controller-elects 2 0 1
controller-elects 1 0 2
becomes-leader 1 0 0
writes 1 0 0
becomes-leader 2 0 1
writes 2 0 1
becomes-leader 1 0 2
writes 1 0 2
becomes-follower 2 1 2
raises-high-watermark 1
copies 2 1
"""
    states = behaviour(Bounds(2, 3, 3, 3), KIP_101, script)

    assert first_broken(states, LOG_MATCHING) == 13 == len(states)
    assert states[-1].of(1).log == (Record(0, 0), Record(2, 2))
    assert states[-1].of(2).log == (Record(1, 1), Record(2, 2))


@pytest.mark.slow
def test_s6_truncation_by_a_stale_leader() -> None:
    """The shortest one ends as a broker reads a request of an epoch that is over."""
    script = """
controller-elects 1 0 0
controller-elects 2 0 1
controller-elects 1 0 2
becomes-leader 1 0 2
leader-removes 1 2
"""
    with pytest.raises(AssertionError):
        # A leader does not remove itself.
        behaviour(Bounds(3, 2, 2, 2), KIP_279, script.replace("leader-removes 1 2", "leader-removes 1 1"))
    states = behaviour(Bounds(3, 2, 2, 2), KIP_279, script)
    assert states[-1].quorum.isr == {1, 3}

    found = FastEngine(Bounds(3, 2, 2, 2), KIP_279).explore((WEAK_ISR,)).verdicts[0]
    assert found.counterexample is not None
    assert len(found.counterexample) == 11
    last = found.counterexample.steps[-1]
    cut = found.counterexample.states[-1].of(last.broker)
    assert last.action == "becomes-follower"
    # The request that it reads is older than the epoch in which the partition is led.
    assert cut.epoch < found.counterexample.states[-1].quorum.epoch


STATES = {"s1": 10, "s2": 15, "s3": 12, "s4": 13, "s5": 12, "s6": 11, "s7": 13}
"""TLC's lengths; the initial state is counted."""


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
def test_each_story_is_found_anew_as_short_as_tlc_finds_it(story: Story) -> None:
    limits = Limits(until_violation=True)
    found = FastEngine(story.bounds, story.variant).explore((story.invariant,), limits).verdicts[0]

    assert found.counterexample is not None
    assert len(found.counterexample) == STATES[story.id]
    assert story.invariant.holds(found.counterexample.states[-2])
