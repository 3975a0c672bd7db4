"""What a scenario is run in: one to four eras, and switches that are flipped in each of them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QWidget

from core.kafka.eras import ERAS
from core.kafka.switches import SWITCHES, Switch
from gui.panels.choice import Choice
from gui.panels.parts import Tick, column, label
from gui.text.spoken import tr, worded

_ACROSS: Final = 4


class EraBoxes(QWidget):
    """A box for each era. Those that there is no room for cannot be ticked."""

    changed = Signal(tuple)
    """ids of the eras that are ticked, oldest first"""

    def __init__(self) -> None:
        """None is ticked."""
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 2, 16, 8)
        grid.setSpacing(4)
        self.boxes: dict[str, Tick] = {}
        for place, era in enumerate(ERAS):
            box = Tick(era.id)
            title, rule = worded(era.title), worded(era.rule)
            box.setAccessibleName(title)
            box.setToolTip(tr("scenarios.title-and-rule", title=title, rule=rule))
            box.clicked.connect(self._tell)
            self.boxes[era.id] = box
            grid.addWidget(box, place // _ACROSS, place % _ACROSS)

    def show_chosen(self, chosen: Sequence[str], room: int) -> None:
        """Tick these; beyond `room` no more can be."""
        for name, box in self.boxes.items():
            box.setChecked(name in chosen)
            box.setEnabled(name in chosen or len(chosen) < room)

    def _tell(self, *_clicked: object) -> None:
        self.changed.emit(tuple(name for name, box in self.boxes.items() if box.isChecked()))


class SwitchRow(QWidget):
    """One switch: its name, its value, and the release and ticket that it comes from."""

    changed = Signal()

    def __init__(self, switch: Switch) -> None:
        """As the eras have it."""
        super().__init__()
        self.switch = switch
        self.setToolTip(worded(switch.sentence))
        lines = column(self, (16, 5, 16, 5), 1)
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(label(switch.name, "place", wrap=True), 1)
        self.values = Choice()
        self.values.setAccessibleName(switch.name)
        self.values.setAccessibleDescription(worded(switch.sentence))
        self.values.setMinimumWidth(132)
        self.values.addItem(tr("scenarios.as-the-era-has-it"), "")
        for value in switch.values:
            self.values.addItem(value, value)
        self.values.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.values.currentIndexChanged.connect(self.changed)
        first.addWidget(self.values)
        lines.addLayout(first)
        since = " · ".join(part for part in (switch.released, switch.ticket) if part)
        lines.addWidget(label(since or tr("scenarios.of-no-release-a-persons"), "faint", wrap=True))

    def value(self) -> str:
        """What was chosen, "" where the era decides."""
        return str(self.values.currentData())

    def show_value(self, value: str) -> None:
        """Choose a value, silently."""
        before = self.values.blockSignals(True)
        self.values.setCurrentIndex(max(self.values.findData(value), 0))
        self.values.blockSignals(before)


class SwitchList(QScrollArea):
    """The table of core/kafka/switches.py, to be flipped."""

    changed = Signal(tuple)
    """(switch, value) of each that is set"""

    def __init__(self) -> None:
        """No rows yet."""
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("scenarios.switches"))
        inside = QWidget()
        inside.setObjectName("panelBody")
        self._lines = column(inside)
        self.rows: dict[str, SwitchRow] = {}
        self.setWidget(inside)

    def fill(self) -> None:
        """Make a row for each switch; a window that only shows logs never needs them."""
        self.rows = {switch.name: SwitchRow(switch) for switch in SWITCHES}
        for row in self.rows.values():
            row.changed.connect(self._tell)
            self._lines.addWidget(row)
        self._lines.addStretch(1)

    def show_chosen(self, chosen: Sequence[tuple[str, str]]) -> None:
        """Show which are set."""
        values = dict(chosen)
        for name, row in self.rows.items():
            row.show_value(values.get(name, ""))

    def _tell(self) -> None:
        self.changed.emit(tuple((name, row.value()) for name, row in self.rows.items() if row.value()))
