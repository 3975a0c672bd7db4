"""Several changes of a log in one pixel: what the log holds after them is drawn up to the next change."""

from core.compare.align import compare, make_runs
from core.kafka.eras import era
from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.marks import Box, Mark
from tests.runs import simulated

WIDTH, HEIGHT = 1184.0, 748.0


def committed_areas(marks: list[Mark], epoch: int) -> list[Box]:
    return [mark for mark in marks if isinstance(mark, Box) and mark.fill == f"e{epoch}.committed"]


def test_what_a_log_holds_at_the_start_of_a_script_is_drawn_through_its_steps() -> None:
    """Both logs of moved-directory hold three records of epoch 1 from the start to the end."""
    runs = make_runs([simulated("moved-directory", era(name)) for name in ("2.8", "4.1")])

    picture = lay_out_comparison(ComparisonView(compare(runs), 0, WIDTH, HEIGHT))

    areas = committed_areas(list(picture.marks()), 1)
    lanes = sorted({round(box.y + box.h) for box in areas})
    assert len(lanes) == 4
    for bottom in lanes:
        drawn = sum(box.w for box in areas if round(box.y + box.h) == bottom)
        assert drawn > 0.8 * WIDTH
