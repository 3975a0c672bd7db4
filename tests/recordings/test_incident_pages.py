"""The page on an incident, of every recording: its numbers are those of the losses, counted one by one."""

from collections import Counter

import pytest

from core.diagnose.account.page import page_of
from core.diagnose.account.story import StepKind
from core.diagnose.verdict.counted import is_compacted
from core.diagnose.verdict.facts import Severity
from core.message import Count, Message
from core.picture.incident import lay_out_story
from core.picture.marks import Glyph, Sign, Text
from tests.archives import recording_names
from tests.numbers import records_by_hand
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(72)


def count_in(one: Message, name: str) -> int:
    value = dict(one.values)[name]
    assert isinstance(value, Count)
    return value.number


@pytest.mark.parametrize("name", grouped(recording_names()))
def test_the_numbers_of_the_page_are_those_of_the_losses(name: str) -> None:
    trace, verdict = whole(name).trace, whole(name).verdict
    by_hand = {
        severity: Counter(
            {one.partition: count for one in verdict.partitions if (count := records_by_hand(one, severity))}
        )
        for severity in (Severity.LOSS, Severity.DANGER)
    }

    pages = page_of(trace, verdict).pages

    lost, possible = Counter[int](), Counter[int]()
    for cause in (cause for page in pages for cause in page.causes):
        chips = [chip for group in cause.groups for chip in group.chips]
        lost.update({chip.partition: chip.lost for chip in chips if chip.lost})
        possible.update({chip.partition: chip.possible for chip in chips if chip.possible})
        if any(chip.lost for chip in chips):
            assert count_in(cause.size, "count") == sum(chip.lost for chip in chips)
    assert lost == by_hand[Severity.LOSS]
    assert possible == by_hand[Severity.DANGER]
    heads = sum(count_in(one.value, "number") for page in pages for one in page.totals if one.key == "lost")
    assert heads == sum(
        count for partition, count in by_hand[Severity.LOSS].items() if not is_compacted(trace, partition)
    )


@pytest.mark.parametrize("name", grouped(recording_names()))
def test_the_story_ends_with_what_is_lost_and_left_nowhere(name: str) -> None:
    trace, verdict = whole(name).trace, whole(name).verdict

    for page in page_of(trace, verdict).pages:
        if page.story is None or page.incident is None:
            continue
        story = page.story
        left = [one.steps[-1][1] for one in story.held if one.steps]
        assert all(count >= 0 for one in story.held for _, count in one.steps)
        assert all(one.most <= story.records for one in story.held)
        gone = [one.records for one in story.steps if one.kind is StepKind.GONE]
        may_be = [one.records for one in story.steps if one.kind is StepKind.GONE and one.possible]
        # A story is of what is proven lost, or of what may be.
        proven = any(total.key == "lost" and count_in(total.value, "number") for total in page.totals)
        assert may_be == ([] if proven else gone)
        held_nowhere = story.records - max(left, default=0)
        assert sum(gone) <= held_nowhere
        marks = lay_out_story(trace, story, 1300).marks()
        pills = [mark.label for mark in marks if isinstance(mark, Sign) and mark.glyph is Glyph.LOSS]
        assert sorted(pills) == sorted(f"−{count:,}" for count in gone if not may_be)
        bounds = [mark.text for mark in marks if isinstance(mark, Text) and mark.text.startswith("≤")]
        assert sorted(bounds) == sorted(f"≤{count:,}" for count in may_be)


def test_the_story_of_the_loss_by_high_watermark() -> None:
    """As the lab did it: 2 and 3 are killed, then 1; 2 comes back, cuts, leads; 1 and 3 cut to it."""
    told = whole("k0102-hw-loss")

    (page,) = page_of(told.trace, told.verdict).pages

    assert page.story is not None
    assert [(one.kind, one.brokers, one.records) for one in page.story.steps] == [
        (StepKind.SILENT, (2, 3), 0),
        (StepKind.SILENT, (1,), 0),
        (StepKind.CUT, (2,), 325),
        (StepKind.ELECTED, (2,), 0),
        (StepKind.GONE, (1,), 276),
        (StepKind.GONE, (3,), 49),
    ]
