"""Below the findings: which other partitions lost by the same cause. A click or Enter opens one."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QListWidgetItem, QVBoxLayout, QWidget

from gui.panels.count_lists import KEY, add_row, filter_list
from gui.panels.parts import PanelHead, column, label, rule
from gui.panels.same_cause import same_cause
from gui.text.spoken import tr
from gui.workspace.content import Content
from gui.workspace.session import Session

_MOST: Final = 30
_SEEN: Final = 4
"""Rows that are seen at once."""


class SharedCausePanel(QWidget):
    """Hidden where the partition stands alone, and in comparisons. Follows the session."""

    partition_wanted = Signal(str)
    """a partition of the same cause"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Empty until a partition with a shared cause is shown."""
        super().__init__(parent)
        self._session = session
        self.head = PanelHead(tr("triage.same-cause"))
        self.sentence = label("", "secondary", wrap=True)
        self.list = filter_list(tr("triage.same-cause"))
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        outer = column(self)
        said = QVBoxLayout()
        # After a change of the theme a label that had been hidden stood without margins of its own.
        said.setContentsMargins(16, 0, 16, 4)
        said.addWidget(self.sentence)
        for part in (rule(), self.head):
            outer.addWidget(part)
        outer.addLayout(said)
        outer.addWidget(self.list)
        session.content_changed.connect(self._fill)
        self.hide()

    def _fill(self, content: Content | None) -> None:
        account, found = self._session.account, None
        if content is not None and content.comparison is None and account is not None:
            names = [str(one.tp) for one in account.trace.partitions]
            if content.partition in names:
                found = same_cause(account, names.index(content.partition))
        self.setVisible(found is not None)
        self.list.clear()
        if found is None:
            return
        self.head.fact.setText(found.size)
        self.sentence.setText(found.sentence)
        for name, count in found.others[:_MOST]:
            add_row(self.list, name, count, name)
        rows = [self.list.sizeHintForRow(row) for row in range(min(_SEEN, self.list.count()))]
        self.list.setFixedHeight(sum(rows) + 10)

    def _open(self, item: QListWidgetItem) -> None:
        self.partition_wanted.emit(item.data(KEY))
