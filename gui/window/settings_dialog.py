"""The settings that a person chooses, made from their table. They hold at once, or it is said when."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.panels.choice import Choice
from gui.panels.parts import label
from gui.text.spoken import tr, worded
from gui.window.settings import SETTINGS, Settings
from gui.window.text_size import use_text_size
from gui.window.theming import wanted_theme
from gui.workspace.session import Session


class SettingsDialog(QDialog):
    """One line a setting that has choices. Made anew each time it is asked for."""

    def __init__(
        self,
        settings: Settings,
        session: Session,
        speak_anew: Callable[[str], object],
        dress: Callable[[], object],
        over: QWidget,
    ) -> None:
        """`speak_anew` makes the window anew after another language or zone, `dress` draws it for a size."""
        super().__init__(over)
        self._settings, self._session, self._speak_anew, self._over = settings, session, speak_anew, over
        self._dress = dress
        self.boxes: dict[str, QComboBox] = {}
        self.setWindowTitle(tr("settings-dialog.settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(24, 20, 24, 16)
        lines.setSpacing(12)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        for row, setting in enumerate(one for one in SETTINGS if one.choices):
            name = label(tr(setting.title))
            box = Choice()
            for value, text in setting.offered():
                box.addItem(text if isinstance(text, str) else worded(text), value)
            box.setCurrentIndex(max(box.findData(settings.get(setting.key)), 0))
            box.setAccessibleName(tr(setting.title))
            box.currentIndexChanged.connect(partial(self._chosen, setting.key))
            name.setBuddy(box)
            grid.addWidget(name, row, 0)
            grid.addWidget(box, row, 1)
            self.boxes[setting.key] = box
        lines.addLayout(grid)
        self.later = label("", "secondary", wrap=True)
        lines.addWidget(self.later)
        foot = QHBoxLayout()
        close = QPushButton(tr("search.close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot.addStretch(1)
        foot.addWidget(close)
        lines.addLayout(foot)

    def _chosen(self, key: str, _index: int) -> None:
        value = self.boxes[key].currentData()
        self._settings.put(key, value)
        if key == "theme":
            self._session.set_theme(wanted_theme(self._settings))
        elif key in ("language", "zone"):
            # This dialog is made anew too: not while its box still tells what was chosen.
            QTimer.singleShot(0, self._over, partial(self._begin_anew, key))
        elif key == "text_size":
            # The box closes its list first: a window of its own, which would be made anew, too.
            QTimer.singleShot(0, self, partial(self._resize_text, value))

    def _resize_text(self, percent: int) -> None:
        holds = use_text_size(percent, self._dress)
        self.later.setText("" if holds else tr("settings-dialog.the-text-size-changes-when-tidegauge"))

    def _begin_anew(self, key: str) -> None:
        """In the other language, and the keyboard where it was."""
        self._speak_anew(key)
        dialog = SettingsDialog(self._settings, self._session, self._speak_anew, self._dress, self._over)
        dialog.open()
        dialog.boxes[key].setFocus()
