"""The head over the lanes of one partition: its name, what it is made of, and the times that are shown."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.picture.whole import whole_span
from core.trace.settings import topic_setting
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin
from gui.panels.parts import Elided, Still, label, tip
from gui.terms import lasting
from gui.text.spoken import tr
from gui.workspace.content import Content
from gui.workspace.session import Session

_SETTINGS = ("min.insync.replicas", "unclean.leader.election.enable")
"""Those that decide what a loss needs."""
_FEW = 6
_GAP = 12
_TAG_GAP = 6


class PartitionHead(QWidget):
    """Hidden beside a comparison, whose runs have heads of their own. Follows the session."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Empty until something is open."""
        super().__init__(parent)
        self.setObjectName("panelHead")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(40)
        self._session = session
        self.name, self.when = label("", "partition"), Elided("", "secondary")
        self._alone = True
        self._fitted: tuple[object, ...] = ()
        """For which tags and what room they were chosen last."""
        self.tags: list[QLabel] = []
        self._tags = QHBoxLayout()
        self._tags.setSpacing(_TAG_GAP)
        self._more = label("", "tag")
        self._more.hide()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.name)
        row.addLayout(self._tags)
        row.addWidget(self._more, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.when.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._when_room = Still(self.when)
        row.addWidget(self._when_room)
        session.content_changed.connect(self._fill)
        session.window_changed.connect(self._show_window)

    def stand_alone(self, *, alone: bool) -> None:
        """Stand over the lanes with the name, else beside other words that have the name already."""
        self._alone = alone
        self._row.setContentsMargins(16 if alone else 0, 0, 16 if alone else 0, 0)
        self.name.setVisible(alone)
        self._fit()

    def _fill(self, content: Content | None) -> None:
        self.setVisible(content is not None and content.comparison is None)
        if content is None or content.comparison is not None:
            return
        for tag in self.tags:
            self._tags.removeWidget(tag)
            tag.deleteLater()
        self.name.setText(content.partition)
        self.tags = [Elided(words, "tag") for words in head_tags(content)]
        for tag in self.tags:
            tag.ensurePolished()
            self._tags.addWidget(tag, 0, Qt.AlignmentFlag.AlignVCenter)
        self._show_window(None)
        self._when_room.renew()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What it is made of is said as far as there is room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the first of the tags that fit whole, and how many do not; the tip has those."""
        margins = self._row.contentsMargins()
        room = self.width() - margins.left() - margins.right() - self._when_room.sizeHint().width() - 3 * _GAP
        room -= self.name.sizeHint().width() if self._alone else 0
        wide = [tag.sizeHint().width() + _TAG_GAP for tag in self.tags]
        fitted = room, *wide, *map(id, self.tags)
        if fitted == self._fitted:
            # Each frame of a pan asks: the words that are tried below would lay out the whole window.
            return
        self._fitted = fitted
        self._more.setText(tr("partition-head.more", count=len(self.tags)))
        more = self._more.sizeHint().width() + _GAP
        count = len(wide)
        while count > 1 and sum(wide[:count]) + (more if count < len(wide) else 0) > room:
            count -= 1
        for place, tag in enumerate(self.tags):
            tag.setVisible(place < count)
        left = [tag.text() for tag in self.tags[count:]]
        self._more.setVisible(bool(left))
        self._more.setText(tr("partition-head.more", count=len(left)))
        self._more.setToolTip(tip("\n".join(left)))
        self._more.setAccessibleName(", ".join(left))

    def _show_window(self, _window: object) -> None:
        content = self._session.content
        if content is not None and content.comparison is None:
            history = content.runs[0].history
            first, last = self._session.window or whole_span(history)
            words = virtual_time if history.trace.origin == Origin.SIMULATED else clock
            told = {"first": words(first), "last": words(last), "span": lasting(last - first)}
            self.when.setText(tr("partition-head.first-last-span", **told))
            self._fit()


def head_tags(content: Content) -> tuple[str, ...]:
    """The replicas, the version, and the settings of the topic: its own, else those of all brokers alike."""
    history = content.runs[0].history
    topic = history.trace.partitions[history.partition].tp.topic
    return (
        *_replicas(tuple(history.replicas)),
        content.runs[0].title,
        *(f"{name}={value}" for name in _SETTINGS if (value := topic_setting(history.trace, topic, name))),
    )


def _replicas(brokers: tuple[int, ...]) -> tuple[str, ...]:
    """Each by its number, as long as there is room for that."""
    if len(brokers) > _FEW:
        return (tr("partition-head.replicas", count=len(brokers)),)
    return (tr("partition-head.replicas-are", replicas=", ".join(map(str, brokers))),) if brokers else ()
