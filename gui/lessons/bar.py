"""The question that the runs on the screen answer, and its answer, over the lanes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.sim.script import in_language
from gui.panels.parts import Flow, Paragraph, column
from gui.text.spoken import language, tr
from gui.workspace.content import Content
from gui.workspace.session import Session


class LessonBar(Flow):
    """Hidden where what is open was not opened for a question. Follows the session."""

    def __init__(self, session: Session) -> None:
        """Empty until a question is opened."""
        super().__init__()
        self.setObjectName("lessonBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("lessons.bar"))
        self.ask, self.answer = Paragraph("", "strong"), Paragraph("", "row-text")
        self.close_button = QToolButton()
        self.close_button.setText(tr("lessons.bar.close"))
        self.close_button.clicked.connect(self.hide)
        texts = QWidget()
        lines = column(texts, spacing=2)
        lines.addWidget(self.ask)
        lines.addWidget(self.answer)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 10, 6)
        row.setSpacing(12)
        row.addWidget(texts, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        session.content_changed.connect(self._fill)
        self._fill(session.content)

    def _fill(self, content: Content | None) -> None:
        lesson = None if content is None else content.lesson
        self.setVisible(lesson is not None)
        if lesson is None:
            return
        spoken = language()
        self.ask.setText(in_language(lesson.ask, spoken))
        answer = in_language(lesson.answer, spoken)
        if lesson.article is not None:
            answer = tr("articles.row", article=in_language(lesson.article, spoken), kafka=answer)
        self.answer.setText(answer)
