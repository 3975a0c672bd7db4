"""The changes of a workspace as signals of Qt: a widget that is deleted hears nothing any more."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from PySide6.QtCore import QEventLoop, QObject, Signal

from gui.text.spoken import language
from gui.workspace.desk import Desk
from gui.workspace.jobs import JobChanges, JobRunner
from gui.workspace.scratches import Scratches
from gui.workspace.session import Session
from gui.workspace.session_changes import SessionChanges
from gui.workspace.store import Store, StoreChanges
from gui.workspace.tabbing import Tabs

T = TypeVar("T")


class Signals(QObject):
    """What tells the changes of one object."""


class _OfSession(Signals):
    content_changed = Signal(object)
    causes_changed = Signal(object)
    position_changed = Signal(int)
    selection_changed = Signal(object)
    window_changed = Signal(object)
    range_changed = Signal(object)
    lanes_changed = Signal(object)
    drawing_changed = Signal(object)
    notes_changed = Signal(object)
    playing_changed = Signal(bool)
    speed_changed = Signal(float)
    theme_changed = Signal(str)
    triage_changed = Signal(object)
    scenario_changed = Signal(object)
    path_changed = Signal(str)
    unwritten_changed = Signal(int)
    undo_changed = Signal(object)


class _OfJobs(Signals):
    progressed = Signal(object)
    found = Signal(object)
    started = Signal(str)
    ended = Signal(str)
    failed = Signal(object)
    stopped = Signal(object)


class _OfStore(Signals):
    opened = Signal(object)
    saved = Signal(str)
    partition_shown = Signal(str)
    missing = Signal(object)


class _OfTabs(Signals):
    changed = Signal(object)


class Mail(QObject):
    """The mailbox of the thread that made it: calls come in turns of its loop of events."""

    _came = Signal(object)
    _called = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self._came.connect(self._call)

    def post(self, call: Callable[[], None], /) -> None:
        """From any thread: call this in the thread of this object."""
        self._came.emit(call)

    def wait_until(self, is_so: Callable[[], bool], /) -> None:
        """Take what comes until it is so. Nothing that a person does is taken meanwhile."""
        while not is_so():
            loop = QEventLoop()
            self._called.connect(loop.quit)
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def _call(self, call: Callable[[], None]) -> None:
        try:
            call()
        finally:
            self._called.emit()


def session_signals(parent: QObject) -> SessionChanges:
    """Signals for a session; they go with `parent`."""
    return _changes(SessionChanges, _OfSession(parent))


def job_signals(parent: QObject) -> JobChanges:
    """Signals for jobs; they go with `parent`."""
    return _changes(JobChanges, _OfJobs(parent))


def store_signals(parent: QObject) -> StoreChanges:
    """Signals for a store; they go with `parent`."""
    return _changes(StoreChanges, _OfStore(parent))


def desk_of(parent: QObject, scratches: Scratches, first: int) -> Desk:
    """A desk whose changes are signals, in the language of the window; answers come into its thread.

    `scratches` are those of all windows; keys of its tabs are counted from `first`.
    """
    session = Session(session_signals(parent), language)
    jobs = JobRunner(Mail(parent), job_signals(parent))
    store = Store(session, jobs, store_signals(parent), scratches)
    return Desk(session, jobs, store, Tabs(session, store, _OfTabs(parent).changed, first))


def tell_anew(parent: QObject, desk: Desk) -> None:
    """Tell the changes of a desk through other signals: who listened until now hears nothing any more."""
    for signals in parent.findChildren(Signals):
        signals.deleteLater()
    desk.session.tell_through(session_signals(parent))
    desk.jobs.tell_through(job_signals(parent))
    desk.store.tell_through(store_signals(parent))
    desk.store.follow()
    desk.tabs.tell_through(_OfTabs(parent).changed)
    desk.tabs.follow()


def _changes(kind: Callable[..., T], sender: Any) -> T:  # noqa: ANN401 - one of the classes above
    """The signals of a sender under the names that a class of changes has for them."""
    return kind(**{one.name: getattr(sender, one.name) for one in fields(kind)})  # pyright: ignore[reportArgumentType]
