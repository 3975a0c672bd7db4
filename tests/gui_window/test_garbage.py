"""Cycles through widgets go in the window's thread, whichever thread makes objects meanwhile."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.window.garbage import collect_here


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def test_a_cycle_goes_in_the_window_s_thread_and_in_no_other(qtbot: QtBot) -> None:
    parent = QObject()
    gone: list[int] = []

    def cycle() -> None:
        one = QObject()
        one.itself = one  # pyright: ignore[reportAttributeAccessIssue] - as widgets hold what holds them
        weakref.finalize(one, lambda: gone.append(threading.get_ident()))

    gc.set_threshold(100, 5, 5)
    collect_here(parent)
    cycle()
    other = threading.Thread(target=lambda: [[] for _ in range(10_000)])
    other.start()
    other.join()
    assert not gone
    keep = [[] for _ in range(10_000)]
    qtbot.waitUntil(lambda: gone == [threading.get_ident()], timeout=10_000)
    assert len(keep) == 10_000


def test_in_tests_of_the_window_no_other_thread_looks() -> None:
    looked: list[int] = []

    def look(_phase: str, _found: dict[str, int]) -> None:
        looked.append(threading.get_ident())

    gc.set_threshold(100, 5, 5)
    gc.callbacks.append(look)
    other = threading.Thread(target=lambda: [[] for _ in range(10_000)])
    other.start()
    other.join()
    gc.callbacks.remove(look)
    assert other.ident not in looked
