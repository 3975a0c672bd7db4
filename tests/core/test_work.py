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
