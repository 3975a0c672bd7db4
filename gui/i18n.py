"""The language of the window: what was chosen or what the desktop has, with Qt's own words for it."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from gui.text.catalogues import FIRST, languages
from gui.text.spoken import speak

SYSTEM: Final = "system"
"""The choice of what the desktop speaks."""
_INSTALLED: Final[list[tuple[bytes, QTranslator]]] = []
"""Qt's catalogues, each with the translator that reads in it and has no copy."""


def wanted(choice: str) -> str:
    """The language that a choice means on this desktop: SYSTEM, or one of `languages()`; else English."""
    code = QLocale.languageToCode(QLocale.system().language()) if choice == SYSTEM else choice
    return code if code in languages() else FIRST


def use_language(choice: str) -> str:
    """Speak a language from now on, and give it. Widgets that are there already keep their texts."""
    for _, translator in _INSTALLED:
        QCoreApplication.removeTranslator(translator)
    _INSTALLED.clear()
    chosen = speak(wanted(choice))
    if chosen != FIRST:
        _install(QLocale(chosen).name())
    return chosen


def _install(locale: str) -> None:
    """Use Qt's own words for its dialogs in the language of a locale ("zh_CN"), where Qt has them.

    The file is read whole: of a file Qt keeps only a mapping, and who writes that file anew ends the program.
    """
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    names = (f"qtbase_{locale}.qm", f"qtbase_{locale.partition('_')[0]}.qm")
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    translator = QTranslator()
    if path is not None and translator.load(raw := path.read_bytes()):
        QCoreApplication.installTranslator(translator)
        _INSTALLED.append((raw, translator))
