"""The first page: open what one has, or replay what is known to go wrong."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.compare.comparison import Run
from core.shown import shown_in_line
from gui.panels.parts import Paragraph, column, empty, label, tip
from gui.panels.previews import LaneView
from gui.text.spoken import tr
from gui.theme import Theme
from gui.welcome.offers import Offer, sample_offers, scenario_offers
from gui.workspace.simulating import PAIR

_COLUMNS: Final = (3, 2)
"""Cards of scenarios beside one another on a wide page, and on one that is not."""
_WIDE: Final = 1500
_CARD: Final = 220
"""Least width of a card."""


class Card(QPushButton):
    """A button with a title and a sentence; that of a scenario has a live lane."""

    def __init__(self, offer: Offer, chosen: Callable[[], None]) -> None:
        """`chosen` is called on a click, Enter or Space."""
        super().__init__()
        self.offer = offer
        self.setAutoDefault(True)
        self.setObjectName("welcomeCard")
        self.setAccessibleName(offer.title)
        self.setAccessibleDescription(offer.text)
        self.setMinimumHeight(72)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        lines = column(self, (14, 10, 14, 10), 4)
        self.lane = LaneView() if offer.kind == "scenario" else None
        if self.lane is not None:
            lines.addWidget(self.lane)
        for text, style in ((offer.title, "strong"), (offer.text, "secondary")):
            made = Paragraph(text, style, select=False)
            made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            lines.addWidget(made)
        lines.addStretch(1)
        self.clicked.connect(chosen)

    def sizeHint(self) -> QSize:
        """As high as its text at its width, once its text has the font in which it will be seen."""
        if not self.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            return QSize(_CARD, 72)
        layout = self.layout()
        height = layout.heightForWidth(max(self.width(), _CARD)) if layout is not None else 72
        return QSize(_CARD, max(height, 72))


class WelcomePage(QWidget):
    """Drop zone and recent documents, the real pair, the scenarios."""

    open_wanted = Signal()
    folder_wanted = Signal()
    path_wanted = Signal(str)
    course_wanted = Signal()
    offer_wanted = Signal(object)
    """an Offer"""
    previews_wanted = Signal(tuple)
    """ids of the scenarios whose lanes are missing"""

    def __init__(self, recent: Callable[[], Sequence[str]], parent: QWidget | None = None) -> None:
        """`recent` are paths opened before, the newest first; they are asked for whenever it is seen."""
        super().__init__(parent)
        self._opened_before = recent
        self.setObjectName("panelBody")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.cards: list[Card] = []
        page = QWidget()
        page.setObjectName("panelBody")
        page.setMaximumWidth(1640)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(self).addWidget(scroll)
        lines = column(page, (40, 32, 40, 32), 10)
        lines.addStretch(1)
        lines.addWidget(label(tr("welcome.drop-broker-logs-here-or-replay"), "headline", wrap=True))
        said = tr("welcome.what-every-replica-of-a-partition")
        lines.addWidget(label(said, "body", wrap=True))
        lines.addSpacing(14)
        columns = QHBoxLayout()
        columns.setSpacing(28)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(4)
        mine = QVBoxLayout()
        mine.setSpacing(20)
        mine.addLayout(self._course_column())
        mine.addLayout(self._sample_column())
        mine.addLayout(self._open_column())
        mine.addStretch(1)
        columns.addLayout(mine, 1)
        columns.addLayout(self._scenario_column(), 3)
        lines.addLayout(columns)
        # Not before: a layout that comes into another makes Python keep its items, and Qt deletes them when
        # cards are put elsewhere. The next object of Python at such an address would end the program.
        self._arrange(_COLUMNS[-1])
        lines.addStretch(2)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        for card in self.cards:
            if card.lane is not None:
                card.lane.theme = theme
                card.lane.update()

    def focus(self) -> None:
        """The keyboard goes to the first button."""
        self.course.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_previews(self, runs: Mapping[str, Run]) -> None:
        """Draw the lanes of the scenarios."""
        for card in self.cards:
            if card.lane is not None and card.offer.names[0] in runs:
                card.lane.show_run(runs[card.offer.names[0]])

    def showEvent(self, event: QShowEvent) -> None:
        """List what was opened before, and ask for the lanes that are not there yet."""
        super().showEvent(event)
        self._list_recent()
        missing = tuple(
            card.offer.names[0] for card in self.cards if card.lane is not None and card.lane.run is None
        )
        if missing:
            self.previews_wanted.emit(missing)

    def _list_recent(self) -> None:
        """What was opened before, as far as it is still there."""
        empty(self._recent)
        there = [path for path in self._opened_before() if Path(path).exists()]
        if there:
            self._recent.addWidget(label(tr("welcome.opened-before"), "secondary"))
        for path in there[:5]:
            button = QPushButton(shown_in_line(Path(path).name))
            button.setToolTip(tip(path))
            button.setStyleSheet("text-align: left;")
            button.clicked.connect(lambda _checked=False, path=path: self.path_wanted.emit(path))
            self._recent.addWidget(button)

    def _open_column(self) -> QVBoxLayout:
        lines = QVBoxLayout()
        lines.setSpacing(8)
        lines.addWidget(label(tr("welcome.open"), "title"))
        zone = QFrame()
        zone.setObjectName("dropZone")
        inside = column(zone, (16, 18, 16, 16), 10)
        text = tr("welcome.folders-archives-tar-xz-tar-gz")
        inside.addWidget(label(text, "secondary", wrap=True))
        for words, signal in (
            (tr("welcome.open-files"), self.open_wanted),
            (tr("welcome.open-a-folder"), self.folder_wanted),
        ):
            button = QPushButton(words)
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
            inside.addWidget(button)
        lines.addWidget(zone)
        lines.addLayout(self._recent)
        return lines

    def _course_column(self) -> QVBoxLayout:
        lines = QVBoxLayout()
        lines.setSpacing(8)
        lines.addWidget(label(tr("welcome.learn"), "title"))
        self.course = QPushButton(tr("welcome.course"))
        self.course.setAutoDefault(True)
        self.course.clicked.connect(lambda _checked=False: self.course_wanted.emit())
        lines.addWidget(self.course)
        return lines

    def _sample_column(self) -> QVBoxLayout:
        lines = QVBoxLayout()
        lines.setSpacing(8)
        lines.addWidget(label(tr("welcome.real-clusters"), "title"))
        for offer in sample_offers():
            card = self._card(offer)
            lines.addWidget(card)
        return lines

    def _scenario_column(self) -> QVBoxLayout:
        lines = QVBoxLayout()
        lines.setSpacing(8)
        lines.addWidget(
            label(
                tr("welcome.simulated-in-kafka-and", first=", ".join(PAIR[:-1]), last=PAIR[-1]),
                "title",
            )
        )
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        self._scenarios = tuple(self._card(offer) for offer in scenario_offers())
        self._across = 0
        lines.addLayout(self._grid)
        lines.addStretch(1)
        return lines

    def _arrange(self, across: int) -> None:
        """Put the cards of the scenarios into so many columns."""
        if across == self._across:
            return
        self._across = across
        for place, card in enumerate(self._scenarios):
            self._grid.addWidget(card, place // across, place % across)
        for place in range(max(_COLUMNS)):
            self._grid.setColumnStretch(place, 1 if place < across else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More cards beside one another where there is room."""
        super().resizeEvent(event)
        self._arrange(_COLUMNS[0] if event.size().width() >= _WIDE else _COLUMNS[-1])

    def _card(self, offer: Offer) -> Card:
        card = Card(offer, lambda: self.offer_wanted.emit(offer))
        self.cards.append(card)
        return card
