"""Two tabs that are seen at once, as values."""

from gui.workspace.halves import WHOLE, Halves, begun, still
from gui.workspace.tabs import Open, Tab


def three(front: int) -> Open:
    return Open(tabs=(Tab(1, 10), Tab(2, 10), Tab(3, 20)), current=front)


def test_another_tab_stands_at_the_right_of_the_one_in_front() -> None:
    assert begun(three(2), 1) == Halves(left=2, right=1)
    assert begun(three(2), 2) == WHOLE
    assert begun(three(2), 7) == WHOLE


def test_each_of_the_two_is_seen_beside_the_other_and_a_third_alone() -> None:
    halves = Halves(1, 3)
    assert [halves.other(key) for key in (1, 2, 3, 0)] == [3, 0, 1, 0]
    assert WHOLE.other(0) == 0


def test_one_that_is_closed_leaves_the_other_alone() -> None:
    assert still(Halves(1, 3), three(2)) == Halves(1, 3)
    assert still(Halves(1, 4), three(2)) == WHOLE
