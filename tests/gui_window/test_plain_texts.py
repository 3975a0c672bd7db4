"""Text from a file is drawn as it is: Qt obeys no tag in it, and no character turns the line around."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.picture.marks import Text
from gui.panels.parts import BREAK, Elided, Paragraph, label, tip

STEERING = "a\u202eb\x1b[31m<b>c</b>"
SEEN = r"a\u202eb\x1b[31m<b>c</b>"


@pytest.mark.parametrize("wrap", [False, True])
def test_a_label_shows_what_would_steer(qapp: QApplication, *, wrap: bool) -> None:
    made = label(STEERING, wrap=wrap)

    assert made.text().replace(BREAK, "") == SEEN
    assert made.textFormat() == Qt.TextFormat.PlainText


def test_a_paragraph_and_a_line_that_ends_in_an_ellipsis_do_so_too(qapp: QApplication) -> None:
    assert Paragraph(STEERING, "secondary").text().replace(BREAK, "") == SEEN
    assert Elided(STEERING).text() == SEEN


def test_a_tip_shows_tags(qapp: QApplication) -> None:
    assert tip("<b>c</b>\u202e") == r"<p style='white-space: pre-wrap'>&lt;b&gt;c&lt;/b&gt;\u202e</p>"
    assert tip("orders-0") == "orders-0"


def test_a_mark_of_a_picture_is_made_of_what_is_drawn() -> None:
    assert Text(0, 0, STEERING).text == SEEN
    assert Text(0, 0, "orders-0 ≥ 5").text == "orders-0 ≥ 5"
