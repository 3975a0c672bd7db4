"""The page of the scenario editor: the script on the left, how it is run on the right."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QIntValidator, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from core.errors import ScenarioError
from core.shown import shown_in_line
from core.sim.library import scenario, scenario_ids
from core.sim.scenario import parse_scenario
from core.sim.script import in_language
from core.work import Work
from gui.panels.choice import Choice
from gui.panels.parts import PanelHead, Tick, column, label, rule, tip, upright_rule
from gui.scenarios.choices import EraBoxes, SwitchList
from gui.scenarios.editor import ScriptEdit
from gui.text.errors import one_line
from gui.text.spoken import language, tr, words
from gui.theme import Theme
from gui.workspace.draft import Draft
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session
from gui.workspace.store import PREVIEWS

_PAUSE_MS: Final = 250
"""How long nothing is typed before the text is read."""
_SIDE: Final = 356
CHECK: Final = "scenario"
"""The question whether the text is a scenario."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the reader says of a text: a fault with its line, or what the scenario has."""

    fault: str = ""
    line: int | None = None
    steps: int = 0
    brokers: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """Read a text."""

    text: str
    path: str

    def answer(self, _work: Work) -> Checked:
        """What the reader says of it."""
        try:
            script = parse_scenario(self.text, self.path)
        except ScenarioError as error:
            return Checked(one_line(replace(error.facts, where=None, background=None), words()), error.line)
        return Checked(steps=len(script.steps), brokers=len(script.brokers))


class ScenarioPage(QWidget):
    """Shows the session's draft and changes it; it runs and writes nothing itself."""

    checked = Signal(object)
    """Checked: the text was read"""
    wanted = Signal(str)
    """the person chose this scenario of the library"""

    def __init__(
        self,
        session: Session,
        jobs: JobRunner,
        actions: Mapping[str, QAction],
        parent: QWidget | None = None,
    ) -> None:
        """Follows the session. `actions` are the window's."""
        super().__init__(parent)
        self.setObjectName("scenarios")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session, self._jobs = session, jobs
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_PAUSE_MS)
        self._wait.timeout.connect(self.check)
        self.editor = ScriptEdit()
        self.state = QPushButton()
        self.state.setObjectName("verdict")
        self.name = label("", "secondary")
        self.library = Choice()
        self.library.setAccessibleName(tr("scenarios.scenario-of-the-library"))
        self.eras, self.switches = EraBoxes(), SwitchList()
        self.seed = QLineEdit()
        self.seed.setAccessibleName(tr("scenarios.seed"))
        self.seed.setValidator(QIntValidator(0, 2**31 - 1, self))
        self.beside = Tick(tr("scenarios.beside-the-run-that-it-came"))
        self.last = Checked()
        """What the reader said last."""
        lines = column(self)
        lines.addLayout(self._head(actions))
        lines.addWidget(rule())
        both = QHBoxLayout()
        both.setSpacing(0)
        both.addWidget(self._script(), 1)
        both.addWidget(upright_rule())
        both.addWidget(self._side())
        lines.addLayout(both, 1)
        self._connect()
        self._follow(session.scenario)

    def _head(self, actions: Mapping[str, QAction]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, 7, 16, 7)
        row.setSpacing(8)
        row.addWidget(label(tr("scenarios.scenario"), "title"))
        row.addWidget(self.library)
        row.addWidget(self.name)
        row.addStretch(1)
        self.library.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.library.setMinimumWidth(200)
        for text, action in (
            (tr("scenarios.new"), "new-scenario"),
            (tr("scenarios.open"), "open-scenario"),
            (tr("scenarios.save"), "save-scenario"),
            (tr("scenarios.run"), "run-scenario"),
        ):
            button = QPushButton(text)
            button.setToolTip(f"{actions[action].text()} ({actions[action].shortcut().toString()})")
            button.clicked.connect(actions[action].trigger)
            if action == "run-scenario":
                button.setObjectName("primary")
            row.addWidget(button)
        return row

    def _script(self) -> QWidget:
        made = QWidget()
        lines = column(made)
        lines.addWidget(self.editor, 1)
        lines.addWidget(rule())
        lines.addWidget(self.state)
        return made

    def _side(self) -> QWidget:
        made = QWidget()
        made.setFixedWidth(_SIDE)
        lines = column(made)
        self.era_head = PanelHead(tr("scenarios.eras"))
        lines.addWidget(self.era_head)
        lines.addWidget(self.eras)
        lines.addWidget(self.beside)
        self.beside.setContentsMargins(16, 0, 16, 8)
        self.beside.setStyleSheet("margin-left: 16px; margin-bottom: 8px;")
        lines.addWidget(rule())
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 16, 6)
        row.addWidget(label(tr("scenarios.seed"), "section"), 1)
        self.seed.setFixedWidth(132)
        row.addWidget(self.seed)
        lines.addLayout(row)
        lines.addWidget(rule())
        self.switch_head = PanelHead(tr("scenarios.switches"))
        lines.addWidget(self.switch_head)
        lines.addWidget(self.switches, 1)
        return made

    def _connect(self) -> None:
        session = self._session
        session.scenario_changed.connect(self._follow)
        self.editor.textChanged.connect(self._change_text)
        self.eras.changed.connect(self._change_eras)
        self.switches.changed.connect(self._change_switches)
        self.seed.textEdited.connect(self._change_seed)
        self.beside.clicked.connect(self._change_beside)
        self.library.activated.connect(self._choose)
        self.state.clicked.connect(self._go_to_fault)

    def showEvent(self, event: QShowEvent) -> None:
        """The titles of the library and the switches are made when they are seen first."""
        super().showEvent(event)
        if not self.library.count():
            self.switches.fill()
            self.library.addItem(tr("scenarios.own-text"), "")
            for name in scenario_ids():
                self.library.addItem(f"{name}: {in_language(scenario(name).title, language())}", name)
            self._follow(self._session.scenario)
        self._wait.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """A text that nobody sees is not read: the window may be closing."""
        super().hideEvent(event)
        self._wait.stop()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.editor.set_theme(theme)

    def focus(self) -> None:
        """The keyboard goes to the text."""
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def check(self) -> None:
        """Read the text beside the window, and say what is wrong."""
        draft = self._session.scenario
        # The lanes of the welcome page can wait: they are asked for again when it is seen.
        self._jobs.cancel(PREVIEWS)
        self._jobs.in_thread(CHECK, Check(draft.text, draft.path), self._show_checked)

    def _show_checked(self, checked: Checked) -> None:
        self.last = checked
        self.editor.show_fault(checked.line)
        if checked.fault:
            said = (
                tr("scenarios.line", line=checked.line, fault=checked.fault)
                if checked.line
                else checked.fault
            )
        else:
            said = tr("scenarios.steps-brokers", steps=checked.steps, brokers=checked.brokers)
        self.state.setText(
            self.state.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, self.editor.width() - 40)
        )
        self.state.setToolTip(tip(said))
        self.state.setAccessibleName(shown_in_line(said))
        self.state.setProperty("fault", bool(checked.fault))
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)
        self.checked.emit(checked)

    def _go_to_fault(self) -> None:
        self.editor.go_to_line(self.last.line or self.editor.textCursor().blockNumber() + 1)

    def _change_text(self) -> None:
        draft, text = self._session.scenario, self.editor.toPlainText()
        if text != draft.text:
            self._session.set_scenario(draft.typed(text))

    def _change_eras(self, chosen: tuple[str, ...]) -> None:
        self._session.set_scenario(replace(self._session.scenario, eras=chosen))

    def _change_switches(self, chosen: tuple[tuple[str, str], ...]) -> None:
        self._session.set_scenario(replace(self._session.scenario, switches=chosen))

    def _change_seed(self, text: str) -> None:
        if self.seed.hasAcceptableInput():
            self._session.set_scenario(replace(self._session.scenario, seed=int(text)))

    def _change_beside(self, ticked: bool) -> None:
        self._session.set_scenario(replace(self._session.scenario, beside=ticked))

    def _choose(self, place: int) -> None:
        name = self.library.itemData(place)
        if name:
            self.wanted.emit(name)
        # Until the window agrees, the list says what is shown.
        self._follow(self._session.scenario)

    def _follow(self, draft: Draft) -> None:
        """Show a draft."""
        if self.editor.toPlainText() != draft.text:
            self.editor.put_text(draft.text)
        known = {scenario(name).text: name for name in scenario_ids()} if self.library.count() else {}
        self.library.setCurrentIndex(max(self.library.findData(known.get(draft.text, "")), 0))
        self.name.setText(Path(draft.path).name)
        self.name.setToolTip(tip(draft.path))
        self.eras.show_chosen(draft.eras, draft.room)
        self.era_head.fact.setText(tr("scenarios.of-at-most", count=len(draft.eras), most=draft.room))
        self.switches.show_chosen(draft.switches)
        self.switch_head.fact.setText(
            tr("scenarios.flipped", count=len(draft.switches)) if draft.switches else ""
        )
        if self.seed.text() != str(draft.seed):
            self.seed.setText(str(draft.seed))
        self.beside.setVisible(draft.origin is not None)
        self.beside.setChecked(draft.beside)
        if self.isVisible():
            self._wait.start()
