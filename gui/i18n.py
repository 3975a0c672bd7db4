"""English and Simplified Chinese in the window, from a Qt Linguist catalogue.

`tr` is called with a literal, or with a text that was marked where it stands in a table; both are what
pyside6-lupdate finds. `.ci/translations.py` brings the catalogue up to date (translations/README.md).
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.language import Language
from core.message import Message
from gui.text.render import renderer

LANGUAGES: Final = ("system", "en", "zh")
"""What can be chosen; "system" is Chinese where the desktop is, else English."""
_FOLDER: Final = Path(__file__).parent / "translations"
_INSTALLED: Final[list[tuple[bytes, QTranslator]]] = []
"""Catalogues, each with the translator that reads in it and has no copy."""


def tr(text: str, /, **values: object) -> str:
    """A text in the chosen language, with its places (`{count:,}`) filled from `values`."""
    said = QCoreApplication.translate("", text)
    return said.format(**values) if values else said


def mark(text: str) -> str:
    """The text itself: in a table that is made before a language is chosen. It is shown through `tr`."""
    return text


def said(english: str, chinese: str) -> str:
    """One of two sentences that core made."""
    return chinese if language() == "zh" and chinese else english


def worded(message: Message) -> str:
    """The text of a message in the chosen language."""
    return renderer(language())(message)


def language() -> Language:
    """What the window speaks now; the language of sentences asked of core."""
    return "zh" if _INSTALLED else "en"


def wanted(choice: str) -> Language:
    """The language that one of LANGUAGES means on this desktop."""
    if choice == "system":
        return "zh" if QLocale.system().language() is QLocale.Language.Chinese else "en"
    return "zh" if choice == "zh" else "en"


def use_language(choice: str) -> Language:
    """Speak a language from now on. Widgets that are there already keep the texts they were made with."""
    for _, translator in _INSTALLED:
        QCoreApplication.removeTranslator(translator)
    _INSTALLED.clear()
    chosen = wanted(choice)
    if chosen == "zh":
        # Qt's own words first: what is installed last is asked first.
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for path in (Path(qt) / "qtbase_zh_CN.qm", _FOLDER / "tidegauge_zh_CN.qm"):
            _install(path)
    return chosen


def _install(path: Path) -> None:
    """Ask a catalogue from now on, where there is one.

    It is read whole: of a file Qt keeps only a mapping, and who writes that file anew ends the program.
    """
    try:
        raw = path.read_bytes()
    except OSError:
        return
    translator = QTranslator()
    if translator.load(raw):
        QCoreApplication.installTranslator(translator)
        _INSTALLED.append((raw, translator))
