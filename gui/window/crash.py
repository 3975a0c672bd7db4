"""What goes into a report of a defect: versions, the traceback, what Qt said; nothing private."""

import platform
import re
import sys
from collections import deque
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import PySide6
from PySide6.QtCore import QMessageLogContext, QtMsgType, qVersion
from PySide6.QtGui import QGuiApplication

_QUOTED: Final = re.compile(
    r"""(?P<quote>["'])(?:[A-Za-z]:)?[\\/][^"'\n]*[\\/](?P<name>[^"'\\/\n]+)(?P=quote)"""
)
_BARE: Final = re.compile(
    r"""(?<![\w.…:/\\])(?:[A-Za-z]:)?(?:[\\/][^\s\\/:"'<>|,;]+)+[\\/](?P<name>[^\s\\/:"'<>|,;]+)"""
)
SAID_BY_QT: Final[deque[str]] = deque(maxlen=20)
"""The last messages of Qt, oldest first."""


def versions() -> tuple[tuple[str, str], ...]:
    """(what, version) of the program and of what it runs on."""
    try:
        own = version("tidegauge")
    except PackageNotFoundError:
        own = "crash.from-its-source-folder"
    return (
        ("Tidegauge", own),
        ("Python", platform.python_version()),
        ("Qt", qVersion()),
        ("PySide6", PySide6.__version__),
        ("crash.system", f"{platform.system()} {platform.release()}, {platform.machine()}"),
        ("crash.screen", QGuiApplication.platformName()),
    )


def without_paths(text: str) -> str:
    """A text in which every absolute path is only "…/" and its last name, and the person's home is "~"."""
    home = str(Path.home())
    text = text.replace(home, "~") if len(home) > 1 else text
    text = _QUOTED.sub(r"\g<quote>…/\g<name>\g<quote>", text)
    text = _BARE.sub(r"…/\g<name>", text)
    return re.sub(r"~(?:[\\/][^\s\\/:\"'<>|,;]+)*[\\/]([^\s\\/:\"'<>|,;]+)", r"…/\1", text)


def crash_report(shown: str, traceback: str) -> str:
    """What Copy report gives: the message, versions, traceback and what Qt said last, without paths."""
    parts = [shown, "\n".join(f"{what}: {number}" for what, number in versions()), traceback.rstrip()]
    if SAID_BY_QT:
        parts.append("\n".join(("Qt said last:", *SAID_BY_QT)))
    return without_paths("\n\n".join(part for part in parts if part)) + "\n"


def qt_messages(tell: Callable[[str], None]) -> Callable[[QtMsgType, QMessageLogContext, str], None]:
    """A handler for qInstallMessageHandler: remembers what Qt says, prints it, and tells what is critical."""

    def handle(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if kind is QtMsgType.QtDebugMsg or kind is QtMsgType.QtInfoMsg:
            return
        SAID_BY_QT.append(text)
        sys.stderr.write(f"Qt: {text}\n")
        if kind is not QtMsgType.QtWarningMsg:
            tell(text)

    return handle
