"""The heads over a comparison, one for each run: its recording, its partition, and what is done with it."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from core.compare.align import partitions_of_all
from core.compare.comparison import Run
from core.shown import shown_in_line
from gui.icons import icon
from gui.panels.parts import Elided, label, tip
from gui.text.spoken import tr
from gui.theme import Theme, load_theme
from gui.workspace.content import Content
from gui.workspace.session import Session

HEIGHT = 36
_MOST_NAMED = 40
"""Of more partitions the rest is asked for."""


class RunHeads(QWidget):
    """Hidden where one partition is alone. Follows the session."""

    partition_wanted = Signal(int, str)
    """a run, and the partition that is to stand there; "" is one that is asked for"""
    swap_wanted = Signal(int)
    """a run that changes places with the next one"""
    close_wanted = Signal(int)
    """a run that is to go"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Empty until runs stand beside one another."""
        super().__init__(parent)
        self.setObjectName("panelHead")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(tr("run-heads.name"))
        self._session, self._theme = session, load_theme(session.theme)
        self._room = True
        self.heads: list[_Head] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 0, 8, 0)
        self._row.setSpacing(16)
        session.content_changed.connect(self._fill)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        for head in self.heads:
            head.set_theme(theme)

    def give_room(self, *, room: bool) -> None:
        """Stand over the lanes, or leave all the height to them: the actions do the same."""
        self._room = room
        self._show(self._session.content)

    def _show(self, content: Content | None) -> None:
        self.setVisible(self._room and content is not None and content.comparison is not None)

    def _fill(self, content: Content | None) -> None:
        runs = () if content is None or content.comparison is None else content.runs
        for head in self.heads:
            self._row.removeWidget(head)
            head.deleteLater()
        self.heads = [_Head(place, run, len(runs), self) for place, run in enumerate(runs)]
        for head in self.heads:
            head.set_theme(self._theme)
            self._row.addWidget(head, 1)
        self._show(content)


class _Head(QFrame):
    """One run."""

    def __init__(self, place: int, run: Run, runs: int, heads: RunHeads) -> None:
        super().__init__(heads)
        trace, name = run.history.trace, str(run.history.trace.partitions[run.history.partition].tp)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        number = tr("run-heads.run", number=place + 1)
        row.addWidget(label(number, "strong"))
        self.partition = QToolButton()
        self.partition.setText(shown_in_line(name))
        self.partition.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.partition.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.partition.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.partition.setAccessibleName(tr("run-heads.partition", run=number, name=name))
        self.partition.setToolTip(tip(tr("run-heads.another-partition")))
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self._offer(menu, place, run, heads))
        self.partition.setMenu(menu)
        row.addWidget(self.partition)
        # A simulated run is called by its era, which its title says, too.
        origin = trace.facts.get("scenario", trace.name)
        row.addWidget(Elided(tr("run-heads.of", name=origin, release=run.title), "secondary"), 1)
        self._buttons: list[tuple[QToolButton, str]] = []
        for shape, words, told, there in (
            ("swap", "run-heads.swap", heads.swap_wanted, place + 1 < runs),
            ("close", "run-heads.close", heads.close_wanted, True),
        ):
            if there:
                row.addWidget(self._button(shape, tr(words, run=number), lambda told=told: told.emit(place)))

    def _button(self, shape: str, words: str, does: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"{shape}Run")
        button.setFixedSize(26, 26)
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(words)
        button.setToolTip(tip(words))
        button.clicked.connect(lambda _checked=False: does())
        self._buttons.append((button, shape))
        return button

    def set_theme(self, theme: Theme) -> None:
        for button, shape in self._buttons:
            button.setIcon(icon(shape, theme.colour("text.2"), 14))

    def _offer(self, menu: QMenu, place: int, run: Run, heads: RunHeads) -> None:
        menu.clear()
        for name in partitions_of_all((run.history.trace,))[:_MOST_NAMED]:
            one = menu.addAction(shown_in_line(name).replace("&", "&&"))
            one.setCheckable(True)
            one.setChecked(name == str(run.history.trace.partitions[run.history.partition].tp))
            one.triggered.connect(lambda _checked=False, name=name: heads.partition_wanted.emit(place, name))
        menu.addSeparator()
        more = menu.addAction(tr("run-heads.of-all-that-are-open"))
        more.triggered.connect(lambda _checked=False: heads.partition_wanted.emit(place, ""))
