"""Which theme the window wears: what a person chose, else what the desktop has."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from gui.theme import THEMES
from gui.window.settings import Settings

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def theme_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """The actions on the theme, by id."""
    return {
        "theme": partial(_switch, window),
        "high-contrast": partial(_raise_contrast, window),
    }


def wanted_theme(settings: Settings) -> str:
    """One of THEMES: what was chosen, else what the desktop has."""
    chosen: str = settings.get("theme")
    if chosen in THEMES:
        return chosen
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return "contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def _switch(window: "MainWindow") -> None:
    _choose(window, "dark" if window.session.theme == "light" else "light")


def _raise_contrast(window: "MainWindow") -> None:
    """To high contrast; from there back to what the desktop has."""
    _choose(window, "contrast" if window.session.theme != "contrast" else "system")


def _choose(window: "MainWindow", name: str) -> None:
    window.settings.put("theme", name)
    window.session.set_theme(wanted_theme(window.settings))
