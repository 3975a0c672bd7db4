"""The x-ray of a cut in the inspector, and the life of a record that was chosen among the cells."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.kafka.eras import era
from core.picture.hit import bounds
from core.picture.marks import Box, Ref
from core.work import QUIET
from gui.panels.explain import explain
from gui.panels.x_ray import XRayShown, x_ray_of
from gui.panels.x_ray_box import XRayBox
from gui.window.main_window import MainWindow
from gui.workspace.content import Content
from gui.workspace.simulating import Asked, replay
from tests.runs import scenario


def run_of(name: str, release: str) -> Content:
    return replay(Asked(scenario(name), (era(release),)), QUIET).content


def x_rays(name: str, release: str) -> list[XRayShown]:
    run = run_of(name, release).runs[0]
    shown = [x_ray_of(run, cut.seq) for cut in run.verdict.truncations]
    return [one for one in shown if one is not None]


def seen_boxes(window: MainWindow) -> list[XRayBox]:
    """Those that the inspector shows now: it keeps some of earlier steps."""
    return [one for one in window.inspector.findChildren(XRayBox) if one.isVisibleTo(window.inspector)]


def test_a_cut_to_its_own_high_watermark_asks_nobody_and_later_releases_keep_the_record() -> None:
    """KIP-101: to 0.10.2 B cuts to its own high watermark 1; from 0.11 on it asks A, and keeps offset 1."""
    first, _ = x_rays("hw-loss", "0.10.2")

    question, answer, _, result = first.steps
    assert question.text == "None: no one is asked before it follows A."
    assert answer.text == "None: nothing was asked."
    assert result.text == "From 2 to 1: 1 record removed. High watermark 1 before, 1 after."
    ends = {one.releases: one.log_end for one in first.outcomes}
    assert ends == {"0.10.2": "1", "0.11 to 2.4": "2", "2.8 to 4.1": "2"}
    assert [one.note for one in first.caches] == ["As its records show; no cache was seen."] * 2


def test_the_epoch_that_both_know_decides_where_the_logs_agree() -> None:
    """KIP-279: A lacks epoch 1 and answers with epoch 0; B's own epoch 0 ends at 1, to which it cuts.

    To 1.1 B takes the end of A's epoch 0 for that of its own: it keeps offset 1 of another epoch.
    """
    (shown,) = x_rays("silent-divergence", "2.0")

    follower, leader = shown.caches
    assert follower.rows == (("0", "0", "1"), ("1", "1", "2"))
    assert follower.deciding == 0
    assert leader.rows == (("0", "0", "2"), ("2", "2", "3"))
    ends = {one.releases: one.log_end for one in shown.outcomes}
    assert ends["0.11 to 1.1"] == "2"
    assert ends["2.0 to 4.1"] == "1"


def test_only_releases_that_cut_what_this_cut_lost_are_told_to_lose() -> None:
    """The last copy goes when A follows B, which lacks the record by then: each release cuts it there."""
    first, last = x_rays("hw-loss", "0.10.2")

    assert not any(one.loses for one in first.outcomes)
    assert all(one.loses for one in last.outcomes)


@pytest.mark.slow
def test_the_inspector_shows_it_at_a_cut_alone_and_copies_all_of_it(demo: MainWindow) -> None:
    demo.actions_["first"].trigger()
    assert seen_boxes(demo) == []
    demo.actions_["next-truncation"].trigger()

    (box,) = seen_boxes(demo)
    said = demo.inspector.text()

    assert "Truncation x-ray" in said
    assert "None: nothing was asked." in said
    assert "0.11 to 2.4: 2." in said
    assert box.words.text().startswith("0.11 to 2.4:"), "the first release with another outcome"
    button = box.buttons.button(0)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert box.words.text().startswith("0.10.2: By its own high watermark it cuts to 1.")


@pytest.mark.slow
def test_a_click_on_a_cell_tells_what_became_of_its_record(demo: MainWindow) -> None:
    """Offset 1 held m1, of which no copy is left, and holds m2 of epoch 1 afterwards."""
    demo.actions_["last"].trigger()
    cells = demo.stage.cells
    assert cells.picture is not None
    place = next(
        bounds(mark)
        for mark in cells.picture.marks()
        if isinstance(mark, Box)
        and mark.ref is not None
        and (mark.ref.kind, mark.ref.run, mark.ref.key) == ("cell", 0, 1)
    )

    x, y, wide, high = place
    middle = QPoint(int(x + wide / 2), int(y + high / 2))
    QTest.mouseClick(cells, Qt.MouseButton.LeftButton, pos=middle)

    assert demo.session.selection is not None
    told = demo.inspector.text()
    assert told.startswith("Life of a record")
    assert "Offset 1 of epoch 0, appended by A: committed (A had a high watermark of 2). No copy" in told
    assert "Offset 1 of epoch 1, appended by B: committed" in told


def test_of_an_offset_that_nobody_held_nothing_is_told() -> None:
    content = run_of("hw-loss", "0.10.2")
    told = explain(content, content.last, Ref("cell", 0, 77))
    assert "No log is known to have held a record of a known leader epoch at this offset." in told.text()
