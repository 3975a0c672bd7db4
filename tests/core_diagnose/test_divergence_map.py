"""Which replicas held the same, and when. Expected: the scripts' stories and the recordings' READMEs."""

from collections.abc import Iterable

from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.divergence_map import Content, Region, divergence_map
from core.diagnose.verdict.holdings import find_holdings
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.trace import Trace
from core.trace.vocabulary import Basis
from tests.recordings.whole import whole
from tests.runs import simulated
from tests.stories import Story


def map_of(trace: Trace, partition: int = 0) -> tuple[Region, ...]:
    case = open_case(open_history(trace, partition))
    return divergence_map(case, find_holdings(case))


def spans(regions: Iterable[Region], content: Content) -> list[tuple[int, int]]:
    return [(one.first_offset, one.end_offset) for one in regions if one.content is content]


def test_kip_279s_record_differs_from_the_moment_both_hold_one_there() -> None:
    found = map_of(simulated("silent-divergence", era("1.1")))

    (unlike,) = [one for one in found if one.content is Content.DIFFERENT]

    assert (unlike.first_offset, unlike.end_offset, unlike.epochs) == (1, 2, (0, 1))
    assert unlike.until is None
    assert spans(found, Content.EQUAL) == [(0, 1), (2, 3)]


def test_the_fix_ends_the_difference() -> None:
    found = map_of(simulated("silent-divergence", era("2.8")))

    assert all(one.until is not None for one in found if one.content is Content.DIFFERENT)


def test_logs_differ_at_an_offset_that_the_other_had_already_until_it_cut_there() -> None:
    """A appends m2 at 2, where B has held n2 for a time; B cuts all of it, and has m2 in the end."""
    found = map_of(simulated("batch-truncation", era("2.1")))

    unlike = [one for one in found if one.content is Content.DIFFERENT]
    assert [(one.first_offset, one.end_offset, one.epochs) for one in unlike] == [
        (1, 2, (0, 1)),
        (2, 3, (2, 1)),
    ]
    assert {one.until for one in unlike} == {8_000_000}


def test_kafka_3919_differs_in_its_2228_offsets() -> None:
    found = map_of(simulated("kafka-3919", era("0.10.2")))

    assert spans(found, Content.DIFFERENT) == [(1239740602, 1239742830)]


def test_batches_decide_in_a_recording() -> None:
    trace = whole("k111-kip279-divergence").trace
    index = trace.partition_index("trades-0")
    assert index is not None

    found = map_of(trace, index)

    # README of the recording: 20 to 29 differ for ever; what 2 had above 30 it cut and copied anew.
    last = [one for one in found if one.until is None]
    assert spans(last, Content.DIFFERENT) == [(20, 30)]
    assert spans(last, Content.EQUAL) == [(0, 20), (30, 39)]
    assert {one.basis for one in last} == {Basis.OBSERVED}
    passing = [one for one in found if one.until is not None]
    # The truth of the recording: when 2 cut its log from 36, at 03:10:17.005, that of 1 ended at 35.
    assert spans(passing, Content.DIFFERENT) == [(30, 35)]
    assert {one.basis for one in passing} == {Basis.DERIVED}


def test_an_epoch_that_segments_show_was_that_before_them_too() -> None:
    # No line says where broker 1 took over: of which epoch 20 to 50 are, is open until segments are read.
    story = Story("0.11.0.3", replicas=(1, 2, 3))
    story.begin(leader=3)
    for broker in (1, 2):
        story.add("leo_sample", broker, leo=20)
    story.add("became_leader", 1, leader=1, epoch=1)
    story.add("became_follower", 2, leader=1, epoch=1)
    came = story.add("leo_sample", 2, leo=50)
    story.add("leo_sample", 1, leo=50)
    for broker in (1, 2):
        story.add("batch_on_disk", broker, epoch=0, from_offset=0, offset=20)
        story.add("batch_on_disk", broker, epoch=1, from_offset=20, offset=50)
        story.add("log_end_on_disk", broker, leo=50, log_start=0)

    case = open_case(story.history())
    held = find_holdings(case)

    mine = [(one.epoch, one.first, one.end, one.until) for one in held if one.broker == 2]
    assert mine == [(0, 0, 20, None), (1, 20, 50, None)]
    assert next(one.whole for one in held if one.broker == 2 and one.first == 20) == came + 1
    pair = [one for one in divergence_map(case, held) if one.brokers == (1, 2)]
    assert {one.content for one in pair} == {Content.EQUAL}
