"""Until a follower cuts to agree with its leader it appends nothing: its log ends as its fetcher began."""

import pytest

from core.trace.units import MILLISECOND_NS, SECOND_NS
from core.trace.vocabulary import CutReason
from tests.core_history.bands_after import leo
from tests.stories import Story


def before_the_cut(wait_ns: int, answered: int, *, between: str = "") -> tuple[int | None, int | None]:
    """The log end right before a cut to 20, of a follower in epoch 2 that came back with 35 records."""
    story = Story("4.1.0")
    story.begin()
    story.add("broker_starting", 2)
    story.add("log_loaded", 2, leo=35, log_start=0)
    story.add("became_follower", 2, leader=1, epoch=2, leo=35)
    story.add("fetcher_removed", 2, wait=0)
    story.add("fetcher_added", 2, leader=1, epoch=2, offset=35)
    if between == "cut":
        story.add("truncation_decided", 2, epoch=1, offset=30, aux=CutReason.LEADER_EPOCH, wait=0)
        story.add("truncated", 2, offset=30, wait=0)
    if between == "fetched":
        story.add("leo_sample", 2, leo=40, wait=MILLISECOND_NS)
    decided = story.add(
        "truncation_decided", 2, epoch=answered, offset=20, aux=CutReason.LEADER_EPOCH, wait=wait_ns
    )
    story.add("truncated", 2, offset=20)
    band = leo(story.history(), 2, decided)
    return band.lo, band.hi


def test_a_first_answer_that_names_an_earlier_epoch_came_before_any_record() -> None:
    assert before_the_cut(70 * MILLISECOND_NS, 1) == (35, 35)


def test_in_a_longer_time_the_leader_may_have_come_back_with_less() -> None:
    """Its log lost all of epoch 2, of which the follower had some by then (a power loss)."""
    assert before_the_cut(2 * SECOND_NS, 1) == (35, None)


def test_an_answer_in_the_epoch_of_the_fetcher_comes_after_records_of_it() -> None:
    assert before_the_cut(70 * MILLISECOND_NS, 2) == (35, None)


@pytest.mark.parametrize(("between", "expected"), [("cut", (30, None)), ("fetched", (40, None))])
def test_what_was_cut_or_stated_meanwhile_holds(between: str, expected: tuple[int, int | None]) -> None:
    assert before_the_cut(70 * MILLISECOND_NS, 1, between=between) == expected
