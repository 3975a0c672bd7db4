"""Messages that do not stop anyone: one bar above the content, with what happened and what to do."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.errors import Facts
from core.message import Message
from gui.panels.parts import BREAK, label
from gui.text.errors import body, headline
from gui.text.spoken import tr, words
from gui.window.crash import crash_report
from gui.workspace.jobs import Failure


class NoticeBar(QFrame):
    """Shows the last failure or message until it is dismissed. Never takes the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Hidden until there is something to say."""
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAccessibleName(tr("notices.message"))
        self._report = ""
        self._title, self._body = (label(wrap=True, select=True) for _ in range(2))
        self._title.setObjectName("noticeTitle")
        self._way_out: Callable[[], object] | None = None
        self._offer = QPushButton()
        self._offer.clicked.connect(self._take_offer)
        self._copy = QPushButton(tr("notices.copy-report"))
        self._copy.clicked.connect(self._copy_report)
        dismiss = QPushButton(tr("notices.dismiss"))
        dismiss.clicked.connect(self.hide)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._title)
        texts.addWidget(self._body)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 10)
        row.addLayout(texts, 1)
        row.addWidget(self._offer, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(dismiss, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def text(self) -> str:
        """What is shown, "" where nothing is."""
        said = f"{self._title.text()}\n{self._body.text()}".strip().replace(BREAK, "")
        return "" if self.isHidden() else said

    def fail(self, failure: Failure) -> None:
        """Say why something could not be done. What was open stays open."""
        self._report, self._way_out = failure.report, None
        facts = failure.facts
        self._show(headline(facts, words()), body(facts, words()), kind="failure")

    def tell(self, title: str, body: str = "") -> None:
        """Say that something was done."""
        self._report, self._way_out = "", None
        self._show(title, body, kind="message")

    def stop(self, facts: Facts) -> None:
        """Say what work left that somebody stopped."""
        self.tell(headline(facts, words()), body(facts, words()))

    def offer(self, text: str, way_out: Callable[[], object]) -> None:
        """Offer something to do about what was just said."""
        self._way_out = way_out
        self._offer.setText(text)
        self._offer.show()

    def _take_offer(self) -> None:
        way_out = self._way_out
        self.hide()
        if way_out is not None:
            way_out()

    def _show(self, title: str, body: str, *, kind: str) -> None:
        self.setProperty("kind", kind)
        self.style().polish(self)
        self._title.setText(title)
        self._body.setText(body)
        self._body.setVisible(bool(body))
        self._copy.setVisible(bool(self._report))
        self._offer.setVisible(self._way_out is not None)
        self.show()

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(crash_report(self.text(), self._report))


SHOWN_AFTER_MS: Final = 1000
"""What is done sooner shows no progress: a bar that comes and goes lays all below it out twice more.

A flip of a switch on a slow machine takes 300 to 700 ms; people take a second for an answer at once.
"""


class ProgressBar(QFrame):
    """What a job is doing, how far it is, and a way to stop it. Shown once it has worked for a while."""

    cancelled = Signal(str)
    """the question whose job should stop"""
    look_wanted = Signal()
    """the person wants to see what is known already"""
    seen = Signal()
    """the job takes so long that it is shown"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Hidden until a job reports."""
        super().__init__(parent)
        self.setObjectName("progress")
        self._question = ""
        self._what = label()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName(tr("notices.progress"))
        self.look = QPushButton(tr("reading.look"))
        self.look.clicked.connect(self.look_wanted)
        self.look.hide()
        cancel = QPushButton(tr("exports.cancel"))
        cancel.clicked.connect(lambda: self.cancelled.emit(self._question))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(16)
        row.addWidget(self._what)
        row.addWidget(self._bar, 1)
        row.addWidget(self.look)
        row.addWidget(cancel)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SHOWN_AFTER_MS)
        self._later.timeout.connect(self.show)
        self.hide()

    def report(self, question: str, done: int, total: int, what: Message | None) -> None:
        """Show how far a job is; total 0 is not known."""
        if self.isHidden() and not self._later.isActive():
            self._later.start()
        self._question = question
        count = f"{done * 100 // total} %" if total else f"{done:,}" if done else ""
        said = "" if what is None else words()(what)
        self._what.setText(f"{said}  {count}".strip())
        self._bar.setRange(0, total)
        self._bar.setValue(min(done, total))

    def showEvent(self, event: QShowEvent) -> None:
        """Who shows more of long work hears of it."""
        super().showEvent(event)
        self.seen.emit()

    def offer_look(self, *, offered: bool) -> None:
        """Whether there is something to look at already that is not seen."""
        self.look.setVisible(offered)

    def end(self, question: str) -> None:
        """The job has ended."""
        if question == self._question:
            self._later.stop()
            self.hide()
