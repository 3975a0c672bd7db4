"""The head of a run in a comparison says which partition it is of, and what it was read from."""

import pytest

from core.compare.align import compare, make_run
from core.compare.comparison import Comparison
from core.kafka.eras import era
from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.marks import Text
from importers.samples import SAMPLES
from tests.recordings.whole import sampled
from tests.runs import simulated


def texts(comparison: Comparison, width: float = 1200.0) -> list[str]:
    picture = lay_out_comparison(ComparisonView(comparison, 0, width, 900.0))
    return [mark.text for layer in picture.layers for mark in layer.marks if isinstance(mark, Text)]


@pytest.fixture(name="recorded", scope="module")
def _recorded() -> Comparison:
    return compare([make_run(sampled(sample.id), "orders-0") for sample in SAMPLES[:2]])


@pytest.mark.slow
def test_recordings_are_named_with_their_partition(recorded: Comparison) -> None:
    said = texts(recorded)

    assert "orders-0 of k0102-hw-loss" in said
    assert "orders-0 of k28-epoch-fix" in said


def test_a_simulation_is_named_by_its_partition_alone() -> None:
    runs = [make_run(simulated("hw-loss", era(name))) for name in ("0.10.2", "0.11")]
    named = str(runs[0].history.trace.partitions[0].tp)

    assert texts(compare(runs)).count(named) == 2


@pytest.mark.slow
def test_beside_a_recording_a_simulation_says_that_it_is_one() -> None:
    real = make_run(sampled(SAMPLES[0].id), "orders-0")
    made = make_run(simulated("hw-loss", era("0.10.2")))
    named = str(made.history.trace.partitions[0].tp)

    assert f"{named}, simulated" in texts(compare([real, made]))


def test_where_there_is_no_room_it_is_elided_and_the_verdict_stays(recorded: Comparison) -> None:
    said = texts(recorded, 530.0)
    assert "orders-0 of k0102-hw-loss" not in said
    assert any(one.endswith("…") and "orders-0 of k0102-hw-loss".startswith(one[:-1]) for one in said)
    assert any("lost" in one for one in said)
