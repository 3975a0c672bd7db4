"""The list of findings: a headline with the number, lines of fact; a click explains the claim itself."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.picture.metrics import wrap
from gui.panels.claims import claims_of
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.broad(6)

Opened = Callable[[Callable[[], None]], MainWindow]


def opened_loss(window: MainWindow, opened: Opened) -> MainWindow:
    """orders-0 of the recording k0102-hw-loss, of which 48 records were lost: offsets 206 to 253."""
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.docks.left.show()
    return shown


@pytest.mark.slow
def test_the_first_row_is_the_loss_with_its_number(window: MainWindow, opened: Opened) -> None:
    shown = opened_loss(window, opened)
    content = shown.session.content
    assert content is not None

    claim = claims_of(content, 0)[0]

    # Of audit-0, which lost most.
    assert claim.title == "49 committed records lost"
    assert claim.fact.startswith("206–254, epoch 0")
    assert shown.findings.list.item(0).text() == claim.title
    assert content.runs[0].verdict.findings[0].seq + 1
    assert claim.words in shown.findings.list.item(0).toolTip().replace("&#x27;", "'")


def test_a_headline_stands_on_two_lines_at_most(window: MainWindow, opened: Opened) -> None:
    shown = opened_loss(window, opened)
    content = shown.session.content
    assert content is not None

    titles = [claim.title for claim in claims_of(content, 0)]

    assert len(titles) > 3
    assert all(len(wrap(title, 212.0, 12, 600)) <= 2 for title in titles)


def test_a_click_explains_the_claim(window: MainWindow, opened: Opened) -> None:
    """The loss with its offsets, every other finding with its own sentence, wherever the cursor was."""
    shown = opened_loss(window, opened)
    content, rows = shown.session.content, shown.findings.list
    assert content is not None
    findings = content.runs[0].verdict.findings

    for place in range(min(rows.count(), 5)):
        rows.scrollToItem(rows.item(place))
        middle = rows.visualItemRect(rows.item(place)).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(middle.x(), middle.y()))
        told = shown.inspector.text()
        claim = claims_of(content, 0)[place]
        assert claim.words[:40] in told, claim
        assert shown.session.position == content.position_of(0, findings[place].seq + 1)
    assert shown.session.selection is not None
