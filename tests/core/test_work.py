"""Long work and the search for cycles."""

import gc
from collections.abc import Iterator

import pytest

from core.work import without_collector


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    """The collector as a program begins with it: tests freeze for their children, and may turn it off."""
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


def test_what_somebody_has_frozen_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with without_collector():
        pass
    # Some of them may have gone meanwhile.
    assert gc.get_freeze_count() > frozen // 2
