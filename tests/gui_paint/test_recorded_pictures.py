"""Pictures of the two recordings that ship with the program."""

import pytest

from core.compare.align import compare, make_run
from core.compare.comparison import Comparison
from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.marks import Box, Glyph, Sign, Text
from core.picture.timeline import TimelineView, lay_out
from core.picture.whole import history_window
from importers.samples import SAMPLES
from tests.recordings.whole import sampled


@pytest.fixture(name="recorded", scope="module")
def _recorded() -> Comparison:
    return compare([make_run(sampled(sample.id), "orders-0") for sample in SAMPLES[:2]])


@pytest.mark.slow
def test_the_real_loss_stands_beside_the_real_fix(recorded: Comparison) -> None:
    picture = lay_out_comparison(ComparisonView(recorded, None, 1184, 748))
    words = [mark.text for mark in picture.marks() if isinstance(mark, Text)]
    losses = [mark for mark in picture.marks() if isinstance(mark, Sign) and mark.glyph is Glyph.LOSS]

    assert "cut 254 → 206" in words
    # 5 records of broker 1 were cut of which no line says whether a producer had been told.
    assert "no committed record lost" in words
    assert losses
    assert {mark.ref.run for mark in losses if mark.ref} == {0}


def test_what_lies_between_two_lines_is_a_box_and_no_line(recorded: Comparison) -> None:
    run = recorded.runs[0]
    picture = lay_out(TimelineView(run.history, run.verdict, None, history_window(run.history), 924, 560))
    boxes = [mark for mark in picture.marks() if isinstance(mark, Box)]

    assert any(box.fill == "hw" and box.opacity == 0.15 for box in boxes)
    assert any(box.fill == "leo" and box.opacity == 0.055 for box in boxes)
    assert any(isinstance(mark, Sign) and mark.glyph is Glyph.OBSERVED for mark in picture.marks())
