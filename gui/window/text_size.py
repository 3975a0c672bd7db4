"""The text size of the window, with everything in it: Qt's own factor of scale, which holds at once.

Qt reads it from the environment when it starts. Later there is one function for it, of its library and not
of its Python: where this cannot be found, another size holds from the next start on.
"""

import os
from collections.abc import Callable
from ctypes import CDLL, c_double
from functools import cache
from pathlib import Path
from typing import Final

import PySide6
from PySide6.QtCore import QSizeF, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

_VARIABLE: Final = "QT_SCALE_FACTOR"
_EXACT: Final = "sizeInFull"
_LIBRARIES: Final = (
    "Qt/lib/libQt6Gui.so.6",
    "Qt/lib/QtGui.framework/Versions/A/QtGui",
    "Qt6Gui.dll",
)
_NAMES: Final = ("_ZN15QHighDpiScaling15setGlobalFactorEd", "?setGlobalFactor@QHighDpiScaling@@SAXN@Z")


@cache
def asked_for() -> float:
    """The factor of who started the program: the text size comes on top. Read once, before it is set here."""
    try:
        return float(os.environ.get(_VARIABLE, "1"))
    except ValueError:
        return 1.0


def begin_with(percent: int) -> None:
    """Start in a text size: before there is an application."""
    os.environ[_VARIABLE] = f"{asked_for() * percent / 100:g}"


def use_text_size(percent: int, dress: Callable[[], object]) -> bool:
    """Show all windows in a text size; they stay as large as they are on the screen.

    `dress` draws anew what was drawn for another size. False where it holds only at the next start.
    """
    scale = _scale()
    if scale is None:
        return False
    shown = [top for top in QApplication.topLevelWidgets() if top.isVisible() and top.windowHandle()]
    wanted = asked_for() * percent / 100
    share = float(os.environ.get(_VARIABLE, "1")) / wanted
    os.environ[_VARIABLE] = f"{wanted:g}"
    for top in shown:
        top.hide()
        top.windowHandle().destroy()
    # Qt warns of windows, which it does not lay out anew: these are made anew.
    told = qInstallMessageHandler(_say_nothing)
    try:
        scale(wanted)
    finally:
        qInstallMessageHandler(told)
    for top in shown:
        if not top.isMaximized() and not top.isFullScreen():
            size, given = top.property(_EXACT) or (QSizeF(), top.size())
            # What was rounded before would else become smaller with each change.
            exact = (size if size.isValid() and given == top.size() else QSizeF(top.size())) * share
            top.resize(exact.toSize())
            top.setProperty(_EXACT, (exact, top.size()))
            top.move(top.pos() * share)
        top.show()
    dress()
    return True


def _say_nothing(*_said: object) -> None:
    """What Qt says meanwhile is known."""


@cache
def _scale() -> Callable[[float], object] | None:
    """What sets the factor of all screens; None where it is not found."""
    folder = Path(str(PySide6.__file__)).parent
    for library in _LIBRARIES:
        if (folder / library).exists():
            found = CDLL(str(folder / library))
            for name in _NAMES:
                if hasattr(found, name):
                    scale = getattr(found, name)
                    scale.argtypes, scale.restype = [c_double], None
                    return scale
    return None
