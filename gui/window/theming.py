"""Which theme the window wears: what a person chose, else what the desktop has."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from gui.theme import THEMES
from gui.window.settings import Settings
from gui.workspace.session import Session


def theme_handlers(session: Session, settings: Settings) -> dict[str, Callable[[], object]]:
    """The actions on the theme, by id."""

    def switch() -> None:
        choose("dark" if session.theme == "light" else "light")

    def raise_contrast() -> None:
        """To high contrast; from there back to what the desktop has."""
        choose("contrast" if session.theme != "contrast" else "system")

    def choose(name: str) -> None:
        settings.put("theme", name)
        session.set_theme(wanted_theme(settings))

    return {"theme": switch, "high-contrast": raise_contrast}


def wanted_theme(settings: Settings) -> str:
    """One of THEMES: what was chosen, else what the desktop has."""
    chosen: str = settings.get("theme")
    if chosen in THEMES:
        return chosen
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return "contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
