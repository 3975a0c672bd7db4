"""How lanes are drawn, switched by keys: the vertical scale, messages, bounds, quiet time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from core.history.state import History
from core.picture.drawing import Drawing, Vertical
from core.picture.leader_end import lag_trends
from core.work import Work
from gui.text.spoken import tr
from gui.window.person import Say
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session

LAGS: Final = "lags"
"""The question of the job that finds out how far the replicas were behind."""
_TOLD_MS: Final = 4000
_SCALES: Final = {
    Vertical.AUTO: "drawing.vertical-scale-chosen-from-what-is",
    Vertical.OFFSET: "drawing.vertical-scale-offsets-from-the-log",
    Vertical.LAG: "drawing.vertical-scale-lag-counted-from-the",
}


@dataclass(frozen=True, slots=True)
class _FindLags:
    """Count how far the replicas were behind."""

    histories: tuple[History, ...]

    def answer(self, work: Work) -> None:
        """Below a second for a million events: a bar of progress would only push the lanes about."""
        for history in self.histories:
            if work.stopped():
                return
            lag_trends(history)


@dataclass(frozen=True, slots=True)
class Drawings:
    """Switches how a session draws its lanes."""

    session: Session
    jobs: JobRunner
    say: Say

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on how lanes are drawn, by id."""
        return {
            "vertical-scale": self._other_scale,
            "messages": partial(self._change, _messages),
            "bounds": partial(self._change, _bounds),
            "quiet-time": partial(self._change, _quiet_time),
            "fit-all": partial(self._fit, folds=False),
            "fit-incident": partial(self._fit, folds=True),
        }

    def _fit(self, *, folds: bool) -> None:
        """Show all of the trace: as it is, or with quiet time folded, so that what went wrong fills it."""
        self.session.set_drawing(
            replace(self.session.drawing, folds=folds, opened=frozenset(), folded=frozenset())
        )
        self.session.set_window(None)

    def _other_scale(self) -> None:
        """The next scale. Lags are counted beside the window: of a long run it takes a while."""
        content = self.session.content
        vertical = self.session.drawing.vertical.following()
        if content is None or LAGS in self.jobs.asked():
            return

        def draw(_made: object = None) -> None:
            if self.session.content is content:
                self._change(lambda drawing: (replace(drawing, vertical=vertical), tr(_SCALES[vertical])))

        if vertical is Vertical.LAG:
            histories = tuple(run.history for run in content.runs)
            self.jobs.in_thread_beside(LAGS, _FindLags(histories), draw)
        else:
            draw()

    def _change(self, change: Callable[[Drawing], tuple[Drawing, str]]) -> None:
        drawing, words = change(self.session.drawing)
        self.session.set_drawing(drawing)
        self.say(words, _TOLD_MS)


def _messages(drawing: Drawing) -> tuple[Drawing, str]:
    shown = not drawing.messages
    return replace(drawing, messages=shown), tr("drawing.messages-are-shown") if shown else tr(
        "drawing.messages-are-hidden"
    )


def _quiet_time(drawing: Drawing) -> tuple[Drawing, str]:
    folds = not drawing.folds
    words = tr("drawing.quiet-time-is-folded") if folds else tr("drawing.quiet-time-is-not-folded")
    return replace(drawing, folds=folds, opened=frozenset()), words


def _bounds(drawing: Drawing) -> tuple[Drawing, str]:
    boxes = not drawing.boxes
    words = tr("drawing.bounds-are-boxes") if boxes else tr("drawing.of-bounds-only-the-edges-are")
    return replace(drawing, boxes=boxes), words
