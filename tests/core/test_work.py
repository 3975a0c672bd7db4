"""Long work and the search for cycles."""

import gc
from collections.abc import Iterator

import pytest

from core import work
from core.work import without_collector


@pytest.fixture
def nothing_frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The collector as a program begins with it: tests freeze for their children, and may turn it off."""
    monkeypatch.setattr(work._Frozen, "seen", False)
    ran = gc.isenabled()
    gc.unfreeze()
    gc.enable()
    yield
    gc.freeze()
    if not ran:
        gc.disable()


def _searches() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())


@pytest.mark.usefixtures("nothing_frozen")
def test_what_long_work_has_made_is_not_searched_for_cycles_at_its_end() -> None:
    with without_collector():
        made = [[number] for number in range(2 * gc.get_threshold()[0])]
        before = _searches()
    made += [[0], [1], [2]]
    assert gc.isenabled()
    assert _searches() == before


@pytest.mark.usefixtures("nothing_frozen")
def test_what_somebody_has_frozen_stays_frozen() -> None:
    with without_collector():
        pass
    gc.freeze()
    frozen = gc.get_freeze_count()
    with without_collector():
        pass
    # Some of them may have gone meanwhile.
    assert gc.get_freeze_count() > frozen // 2


@pytest.mark.usefixtures("nothing_frozen")
def test_what_is_frozen_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the process of the tests a million are: to count them takes longer than to judge a partition."""
    counted: list[int] = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counted.append(1) or 7)
    for _ in range(3):
        with without_collector():
            pass
    assert counted == [1]


def test_what_is_known_is_told_now_and_then_and_at_the_end() -> None:
    """Telling that takes 10 ms may come again after 2 s: work spends a two-hundredth of its time on it."""
    now, told = [0.0], []

    def slow(what: str) -> str:
        now[0] += 0.01
        return what

    teller = work.Teller(work.Work(found=told.append), lambda: now[0])
    teller.tell(lambda: slow("first"))
    now[0] = 1.9
    teller.tell(lambda: slow("too soon"))
    now[0] = 2.1
    teller.tell(lambda: slow("second"))
    teller.tell(lambda: slow("last"), last=True)

    assert told == ["first", "second", "last"]


def test_where_nobody_looks_nothing_is_made_to_be_told() -> None:
    teller = work.Teller(work.QUIET)

    assert not teller.is_heard
    teller.tell(lambda: pytest.fail("it was made"), last=True)
