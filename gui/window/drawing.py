"""How lanes are drawn, switched by keys: the vertical scale, messages, bounds."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from core.history.state import History
from core.picture.drawing import Drawing, Vertical
from core.picture.leader_end import lag_trends
from core.work import Work
from gui.text.spoken import tr

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

LAGS: Final = "lags"
"""The question of the job that finds out how far the replicas were behind."""
_TOLD_MS: Final = 4000
_SCALES: Final = {
    Vertical.AUTO: "drawing.vertical-scale-chosen-from-what-is",
    Vertical.OFFSET: "drawing.vertical-scale-offsets-from-the-log",
    Vertical.LAG: "drawing.vertical-scale-lag-counted-from-the",
}


def drawing_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """The actions on how lanes are drawn, by id."""
    return {
        "vertical-scale": partial(_other_scale, window),
        "messages": partial(_change, window, _messages),
        "bounds": partial(_change, window, _bounds),
    }


def _other_scale(window: "MainWindow") -> None:
    """The next scale. What lags are drawn by is counted beside the window: of a long run it takes a while."""
    content = window.session.content
    vertical = window.session.drawing.vertical.following()
    if content is None or LAGS in window.jobs.asked():
        return

    def draw(_made: object = None) -> None:
        if window.session.content is content:
            _change(window, lambda drawing: (replace(drawing, vertical=vertical), tr(_SCALES[vertical])))

    if vertical is Vertical.LAG:
        histories = tuple(run.history for run in content.runs)
        window.jobs.in_thread_beside(LAGS, _find_lags, (histories,), draw)
    else:
        draw()


def _find_lags(histories: tuple[History, ...], work: Work) -> None:
    """Below a second for a million events: a bar of progress would only push the lanes about."""
    for history in histories:
        if work.stopped():
            return
        lag_trends(history)


def _change(window: "MainWindow", change: Callable[[Drawing], tuple[Drawing, str]]) -> None:
    drawing, words = change(window.session.drawing)
    window.session.set_drawing(drawing)
    window.statusBar().showMessage(words, _TOLD_MS)


def _messages(drawing: Drawing) -> tuple[Drawing, str]:
    shown = not drawing.messages
    return replace(drawing, messages=shown), tr("drawing.messages-are-shown") if shown else tr(
        "drawing.messages-are-hidden"
    )


def _bounds(drawing: Drawing) -> tuple[Drawing, str]:
    boxes = not drawing.boxes
    words = tr("drawing.bounds-are-boxes") if boxes else tr("drawing.of-bounds-only-the-edges-are")
    return replace(drawing, boxes=boxes), words
