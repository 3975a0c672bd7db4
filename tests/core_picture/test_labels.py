"""Labels that would cover one another: who gives way, and what is told once."""

from core.picture.hit import bounds
from core.picture.labels import Wish, overlap, place
from core.picture.marks import Text
from core.picture.timeline import TimelineView, lay_out
from core.picture.whole import history_window
from tests.core_picture.test_folds import opened

FRAME = (0.0, 0.0, 400.0, 100.0)


def plate(x: float, y: float) -> Text:
    return Text(x, y, "HW 58–96", "text", 10.0, 500, plate=True)


def test_a_plate_hides_no_letters_of_another_label() -> None:
    """Letters that stand 11 below others are clear of them; their plate, which begins 2 higher, is not."""
    first, below, beside = plate(20, 40), plate(20, 51), plate(200, 51)
    assert overlap(bounds(first), bounds(below)) == 0

    assert place([Wish(16, ((first,),)), Wish(16, ((below,), (beside,)))], FRAME) == (first, beside)


def test_what_is_told_of_a_cut_may_stand_so_near() -> None:
    first, below = plate(20, 40), plate(20, 51)

    assert place([Wish(2, ((first,),)), Wish(6, ((below,), (plate(200, 51),)))], FRAME) == (first, below)


def test_the_numbers_of_a_cut_that_lost_nothing_cover_no_count_and_no_other_cut() -> None:
    """Broker 3 of k0102-hw-loss cuts audit-0 three times within a second, in a low lane."""
    history, verdict = opened("k0102-hw-loss", "audit-0")
    for height in (280.0, 480.0):
        marks = lay_out(TimelineView(history, verdict, None, history_window(history), 600.0, height)).marks()
        counts = [bounds(mark) for mark in marks if isinstance(mark, Text) and kind(mark) == "group"]
        numbers = [bounds(mark) for mark in marks if isinstance(mark, Text) and kind(mark) == "truncation"]
        assert counts
        assert numbers
        assert all(overlap(one, count) == 0 for one in numbers for count in counts)


def kind(mark: Text) -> str:
    return mark.ref.kind if mark.ref is not None else ""
