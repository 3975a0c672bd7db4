"""The switchboard: the era, the switches, what the selected one is for, and what the flipped run costs."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.errors import ScenarioError
from core.kafka.eras import ERAS
from core.message import Count
from core.sim.ablation.protections import Ablation
from core.trace.broker_names import broker_value
from core.trace.trace import Origin
from gui.panels.choice import Choice
from gui.panels.parts import PanelHead, column, label
from gui.panels.wrapping import Wrapping
from gui.switchboard.table import SwitchTable, figures
from gui.switchboard.words import off_of, promise_of, worst_of_row
from gui.text.errors import one_line
from gui.text.spoken import tr, words
from gui.theme import Theme
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session
from gui.workspace.switchboard import Board, FindProtections, Row, board_of, known, rows_of

PROTECTIONS: Final = "protections"
"""The question of the job that runs the script once for each switch."""


class SwitchPanel(QWidget):
    """Follows the session while it is shown."""

    asked = Signal(object)
    """what is to be run: an Asked"""

    def __init__(self, session: Session, jobs: JobRunner) -> None:
        """Empty until `look`."""
        super().__init__()
        self._session, self._jobs = session, jobs
        self.board: Board | None = None
        self.rows: tuple[Row, ...] = ()
        self._found: Ablation | None = None
        """What the rows are made of."""
        self.setObjectName("panel")
        self.head = PanelHead(tr("switchboard.title"))
        self.era = Choice()
        self.era.setAccessibleName(tr("switchboard.era"))
        self.era.addItems([f"Kafka {one.id}" for one in ERAS])
        self.era.activated.connect(self._change_era)
        self.released = QPushButton(tr("switchboard.as-released"))
        self.released.clicked.connect(self._release)
        self.matters = QPushButton(tr("switchboard.matters"))
        self.matters.setCheckable(True)
        self.matters.toggled.connect(self._show_what_matters)
        self.says = label("", "secondary", wrap=True)
        self.table = SwitchTable()
        self.table.flip_wanted.connect(self._flip)
        self.table.release_wanted.connect(self._release)
        self.table.worst_wanted.connect(self._open_worst)
        self.table.currentCellChanged.connect(self._tell_row)
        self.about = label("", "secondary", wrap=True, select=True)
        self.command = label("", "mono", wrap=True, select=True)
        choices = QHBoxLayout()
        choices.setContentsMargins(16, 4, 16, 4)
        choices.addWidget(self.era)
        choices.addStretch(1)
        ways = Wrapping()
        ways.addWidget(self.matters)
        ways.addWidget(self.released)
        choices.addLayout(ways)
        outer = column(self)
        outer.addWidget(self.head)
        outer.addLayout(choices)
        for text in (self.says, self.about, self.command):
            text.setContentsMargins(16, 6, 16, 8)
        outer.addWidget(self.says)
        outer.addWidget(self.table, 1)
        outer.addWidget(self.about)
        outer.addWidget(self.command)

    def look(self) -> None:
        """Show the switches of what is open; ask what each costs where that is not known yet."""
        self.board = board = board_of(self._session.traces)
        for part in (self.era, self.released, self.matters, self.table, self.about, self.command):
            part.setVisible(board is not None)
        if board is None:
            self._show_none()
            return
        self.era.setCurrentText(f"Kafka {board.setup.era.id}")
        self.released.setEnabled(bool(board.flipped))
        self.head.fact.setText(tr("switchboard.flipped", count=Count(len(board.flipped))))
        found = known(board.setup)
        if found is not None:
            self._show(found)
            return
        self._show_no_rows()
        self.says.setText(tr("switchboard.running"))
        self._jobs.in_thread_beside(PROTECTIONS, FindProtections(board.setup), self._take)

    def stop(self) -> None:
        """Nobody looks at it any more."""
        self._jobs.cancel(PROTECTIONS)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.table.set_theme(theme)
        if self.board is not None and self.rows:
            self.table.show_rows(self.board, self.rows)

    def _show_none(self) -> None:
        self.stop()
        self._show_no_rows()
        self.head.fact.setText("")
        traces = self._session.traces
        simulated = bool(traces) and traces[0].origin == Origin.SIMULATED
        self.says.setText(tr("switchboard.none.script" if simulated else "switchboard.none.logs"))

    def _show_no_rows(self) -> None:
        self._found, self.rows = None, ()
        self.table.show_none()

    def _take(self, found: Ablation) -> None:
        if self.board is not None and self.board.setup.key == found.setup.key:
            self._show(found)

    def _show(self, found: Ablation) -> None:
        board = self.board
        if board is None:
            return
        if found is not self._found:
            self._found, self.rows = found, rows_of(found)
        lost, diverged, seconds = figures(board.outcome)
        flipped = board.flipped_outcome
        if flipped is None:
            self.says.setText(tr("switchboard.here", lost=lost, diverged=diverged, seconds=seconds))
        else:
            then = dict(zip(("then_lost", "then_diverged", "then_seconds"), figures(flipped), strict=True))
            text = tr("switchboard.beside", lost=lost, diverged=diverged, seconds=seconds, **then)
            if board.lacking is not None:
                number, step = board.lacking
                text = "\n".join((text, tr("switchboard.lacking", number=number, step=step)))
            if board.asks_in_vain is not None:
                who, leader = (broker_value(board.trace, one) for one in board.asks_in_vain)
                text = "\n".join((text, tr("switchboard.in-vain", who=who, leader=leader)))
            self.says.setText(text)
        self.command.setText(board.command)
        self.table.show_rows(board, self.rows)
        self._tell_row()

    def _show_what_matters(self, only: bool) -> None:
        self.table.matters_only = only
        if self.board is not None:
            self.table.show_rows(self.board, self.rows)

    def _tell_row(self, *_cells: int) -> None:
        place = self.table.place()
        if self.board is None or not 0 <= place < len(self.rows):
            self.about.setText("")
            return
        row = self.rows[place]
        lines = [f"{promise_of(row)}; {off_of(self.board, row)}", tr(row.effect)]
        for one in row.protections:
            lines.append(tr("switchboard.rule", name=one.switch.name, what=one.switch.sentence))
            if one.switch.ticket:
                lines.append(tr("switchboard.since", release=one.switch.release, ticket=one.switch.ticket))
        worst, scenario, _ = worst_of_row(self.board, row)
        if scenario:
            lines.append(tr("switchboard.worst", what=worst, scenario=scenario))
        self.about.setText("\n".join(lines))

    def _flip(self, place: int) -> None:
        if self.board is None or place >= len(self.rows):
            return
        try:
            asked = self.board.flip(self.rows[place], self._session.language)
        except ScenarioError as error:
            self.says.setText(one_line(error.facts, words()))
            return
        content = self._session.content
        self.asked.emit(replace(asked, opened=() if content is None else content.runs))

    def _open_worst(self, place: int) -> None:
        if self.board is not None and place < len(self.rows):
            asked = self.board.worst(self.rows[place], self._session.language)
            if asked is not None:
                self.asked.emit(asked)

    def _release(self) -> None:
        if self.board is not None and self.board.flipped:
            self.asked.emit(self.board.as_released(self._session.language))

    def _change_era(self, place: int) -> None:
        if self.board is not None and ERAS[place].id != self.board.setup.era.id:
            self.asked.emit(self.board.in_era(ERAS[place], self._session.language))
