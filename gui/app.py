"""The composition root of the window: the application, its fonts and settings, the hook for crashes."""

import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from PySide6.QtCore import QSettings, Qt, QTimer, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from core.trace.times import show_in
from gui.accessible import read_painted_widgets
from gui.i18n import use_language
from gui.theme import font, load_fonts
from gui.window.crash import qt_messages
from gui.window.focus_ring import ring_focus
from gui.window.garbage import collect_here
from gui.window.settings import Settings, zone_of
from gui.window.text_size import begin_with
from gui.window.theming import wanted_theme
from gui.workspace.jobs import Failure, failure_of

NAME: Final = "Tidegauge"
DEMO: Final = "hw-loss"
"""The scenario that `tidegauge demo` shows, in the eras of gui.welcome.page.PAIR."""


def application() -> QApplication:
    """The one QApplication, made and dressed once: name, style, fonts, whole and fractional scaling."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        app = QApplication(sys.argv[:1])
    if app.organizationName() == NAME:
        return app
    app.setApplicationName(NAME)
    app.setApplicationDisplayName(NAME)
    app.setOrganizationName(NAME)
    app.setDesktopFileName("tidegauge")
    app.setStyle("Fusion")
    load_fonts()
    app.setFont(font(12))
    app.focusChanged.connect(ring_focus)
    read_painted_widgets()
    return app


def run_window(
    paths: Sequence[str | Path] = (),
    *,
    demo: bool = False,
    lang: str | None = None,
    size: tuple[int, int] | None = None,
) -> int:
    """Open the window on `paths`, on the demo, or on the welcome page, and run until it is closed.

    Gives the exit code, 0. `lang` is for this time only; without it the settings choose the language.
    `size` is in logical pixels; without it the window is as large as it was last.
    """
    from gui.window.main_window import MainWindow
    from gui.window.opening import offer_found
    from gui.window.remembering import left_open
    from gui.workspace.simulating import PAIR

    settings = Settings(QSettings(NAME, NAME))
    begin_with(settings.get("text_size"))
    app = application()
    collect_here(app)
    use_language(lang or settings.get("language"))
    show_in(zone_of(settings.get("zone")))
    # What was asked for is on its way: the welcome page would only flash by.
    window = MainWindow(settings, view="timeline" if demo or paths else "welcome")
    tell = window.windows.tell_failure
    sys.excepthook, threading.excepthook = crash_hooks(tell)
    qInstallMessageHandler(qt_messages(lambda text: tell(failure_of(RuntimeError(text)))))
    hints = app.styleHints()
    for changed in (hints.colorSchemeChanged, hints.accessibility().contrastPreferenceChanged):
        changed.connect(lambda: window.windows.wear(wanted_theme(settings)))
    if size is not None:
        window.resize(*size)
    window.show()

    def begin() -> None:
        # After the first frame: the window is there while the work goes on.
        if demo:
            window.store.open_simulated(DEMO, PAIR)
        elif paths:
            window.opening.open_paths(tuple(str(path) for path in paths))
        elif (what := left_open()) is not None:
            window.side_by_side.restore(what)
        else:
            offer_found(window.person, window.store)

    QTimer.singleShot(0, begin)
    return app.exec()


def crash_hooks(
    tell: Callable[[Failure], None],
) -> tuple[
    Callable[[type[BaseException], BaseException, TracebackType | None], None],
    Callable[[threading.ExceptHookArgs], None],
]:
    """Hooks that print a defect and show it as a message; the window lives on."""

    def in_main(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        traceback.print_exception(kind, error, trace)
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
        else:
            tell(failure_of(error))

    def in_thread(crash: threading.ExceptHookArgs) -> None:
        if crash.exc_value is not None:
            traceback.print_exception(crash.exc_value)
            tell(failure_of(crash.exc_value))

    return in_main, in_thread
