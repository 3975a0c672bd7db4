"""One cluster or two? A notice over the lanes that stops nobody: question, proposal, reasons, answers."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from core.shown import shown_in_line
from gui.panels.parts import Elided, label
from gui.text.spoken import tr, words
from gui.workspace.one_or_two import Answer, Question


class AskingBar(QFrame):
    """Shows the question of the tab in front, or what was answered with a way back."""

    answered = Signal(str)
    """an Answer; Answer.NONE takes back what was answered"""
    dismissed = Signal()

    def __init__(self) -> None:
        """Hidden until there is something to ask."""
        super().__init__()
        self.setObjectName("asking")
        self.setAccessibleName(tr("tabs.one-cluster-or-two"))
        self._title = label()
        self._title.setObjectName("noticeTitle")
        self._proposal, self._short = label(), Elided("", "secondary")
        self._all = label(wrap=True)
        self.two = QPushButton(tr("tabs.two-compare"))
        self.one = QPushButton(tr("tabs.one-merge"))
        self.why = QPushButton(tr("tabs.why"))
        self.why.setCheckable(True)
        self.undo = QPushButton(tr("actions.undo"))
        dismiss = QPushButton(tr("notices.dismiss"))
        self.two.clicked.connect(lambda: self.answered.emit(Answer.TWO))
        self.one.clicked.connect(lambda: self.answered.emit(Answer.ONE))
        self.undo.clicked.connect(lambda: self.answered.emit(Answer.NONE))
        self.why.toggled.connect(self._show_why)
        dismiss.clicked.connect(self.dismissed)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._title)
        head.addWidget(self._proposal)
        head.addStretch(1)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addLayout(head)
        texts.addWidget(self._short)
        texts.addWidget(self._all)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 5, 12, 5)
        row.setSpacing(8)
        row.addLayout(texts, 1)
        for button in (self.two, self.one, self.why, self.undo, dismiss):
            row.addWidget(button)
        self.hide()

    def text(self) -> str:
        """What is shown, "" where nothing is."""
        if self.isHidden():
            return ""
        return f"{self._title.text()}\n{self._proposal.text()}\n{self._all.text()}".strip()

    def ask(self, question: Question | None) -> None:
        """Ask, or say what was answered; None hides it."""
        if question is None:
            self.hide()
            return
        said = words()
        name = shown_in_line(question.name)
        open_ = question.answer is Answer.NONE
        match question.answer:
            case Answer.TWO:
                title, proposal = tr("tabs.two-clusters"), tr("tabs.they-are-compared")
            case Answer.ONE:
                title, proposal = tr("tabs.one-cluster"), tr("tabs.they-were-read-as-one-incident")
            case Answer.NONE:
                title = tr("tabs.one-cluster-or-two")
                proposal = (
                    tr("tabs.is-proposed-as-part-of-the-same", name=name)
                    if question.one
                    else tr("tabs.is-proposed-as-a-second-one", name=name)
                )
        reasons = [said(reason) for reason in question.reasons]
        self._title.setText(title)
        self._proposal.setText(proposal)
        self._short.setText(tr("tabs.between-reasons").join(reasons))
        self._all.setText("\n".join(reasons))
        for button, proposed in ((self.two, not question.one), (self.one, question.one)):
            button.setVisible(open_)
            button.setObjectName("primary" if proposed else "")
            button.style().polish(button)
        self.one.setEnabled(len(question.paths) > 1)
        self.why.setVisible(open_)
        self.undo.setVisible(not open_)
        self._short.setVisible(open_ and not self.why.isChecked())
        self._all.setVisible(open_ and self.why.isChecked())
        self.show()

    def _show_why(self, shown: bool) -> None:
        self._short.setVisible(not shown)
        self._all.setVisible(shown)
