"""Opens, saves and keeps: between the session, the jobs and the document on the disk."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from core.history.state import History
from core.kafka.eras import era
from core.picture.drawing import Vertical
from core.picture.lane_order import USUAL, LaneOrder
from core.trace.trace import Trace
from core.work import QUIET, Work
from gui import loading
from gui.content import Content, Moment, said_in
from gui.i18n import language
from gui.jobs import JobRunner
from gui.loading import Loaded
from gui.previews import runs_of
from gui.session import PinnedNote, Session
from gui.simulating import Asked, replay

if TYPE_CHECKING:
    from db.document import Document
    from importers.options import ImportOptions
    from importers.preview import Preview as FoundPreview

PREVIEWS: Final = "previews"
HISTORIES: Final = "histories"
UNSAID: Final = (PREVIEWS, HISTORIES)
"""Questions that a person did not ask: nothing is said of how far they are."""
PREVIEW_ERA: Final = "0.10.2"
"""The era in which the scenarios go wrong."""
CONTENT: Final = "content"
"""The question of what is to be shown: a newer one replaces it."""


@dataclass(slots=True)
class _Kept:
    """The open document, used in the documents' thread only. `ids` are those of notes in it, by key."""

    path: str
    ids: dict[int, int] = field(default_factory=dict[int, int])
    document: "Document | None" = None


class Store(QObject):
    """Turns wishes ("open this", "save there") into jobs, and edits of notes into transactions."""

    opened = Signal(object)
    """Loaded: something new is shown"""
    saved = Signal(str)
    """a path"""
    partition_shown = Signal()
    """Another partition of what is open is shown."""

    def __init__(self, session: Session, jobs: JobRunner, parent: QObject | None = None) -> None:
        """Nothing is open."""
        super().__init__(parent)
        self._session, self._jobs = session, jobs
        self._kept: _Kept | None = None
        self._source = ""
        self._written: dict[int, PinnedNote] = {}
        self._ties: tuple[tuple[int, ...], ...] = ()
        self._lanes = USUAL
        self._edits = 0
        # Imports travel from their process as documents in this folder; it goes with the window.
        self._folder = tempfile.TemporaryDirectory(prefix="tidegauge-", ignore_cleanup_errors=True)
        self.follow()

    def follow(self) -> None:
        """Write what changes of notes, ties and lanes into the document, from now on."""
        self._session.notes_changed.connect(self._follow_notes)
        self._session.content_changed.connect(self._follow_ties)
        self._session.lanes_changed.connect(self._follow_lanes)
        self._session.path_changed.connect(self._follow_path)

    def reword(self) -> None:
        """Tell what is open in the language that is spoken now, unless something else is on its way."""
        content = self._session.content
        if content is None or CONTENT in self._jobs.asked():
            return

        def show(said: Any) -> None:  # noqa: ANN401 - the result of a job
            if self._session.content is content:
                self._session.reword(said)

        self._jobs.in_thread(CONTENT, said_in, (content, language()), show)

    def look(
        self, paths: tuple[str, ...], options: "ImportOptions", show: "Callable[[FoundPreview], None]"
    ) -> None:
        """Find out what an import of these would find. What is open stays."""
        self._jobs.cancel(PREVIEWS)
        # In the thread: it is short, and a process of its own would take longer to begin than to look.
        self._jobs.in_thread(CONTENT, loading.look, (paths, options), show)

    @property
    def reads_parts(self) -> bool:
        """Whether what is open is read one partition at a time, and keeps no notes of the others."""
        return bool(self._source) and self._kept is None

    @property
    def source(self) -> str:
        """What partitions are read from one at a time; "" where all are in memory."""
        return self._source

    def open_groups(
        self,
        groups: tuple[tuple[str, ...], ...],
        *,
        title: str = "",
        beside: bool = False,
        options: "ImportOptions | None" = None,
    ) -> None:
        """Open several incidents, each a run of its own, or put them beside what is open.

        `options` are for logs. What is open stays until the new is there.
        """
        from db.recognise import is_document

        self._jobs.cancel(PREVIEWS)
        traces = self._session.traces if beside else ()
        if len(groups) == 1 and len(groups[0]) == 1 and is_document(groups[0][0]):
            self._load(groups[0][0], named=True, title=title, traces=traces)
            return
        alone = len(groups) == 1 and len(groups[0]) == 1 and not traces
        if alone and Path(groups[0][0]).is_dir() and _has_triage(groups[0][0]):
            self._jobs.in_thread(CONTENT, loading.load_partition, (groups[0][0], "", False, None), self._show)
            return
        name = title or (Path(groups[0][0]).name if len(groups) == 1 else "")

        def read(path: str) -> None:
            self._load(path, named=False, title=name, traces=traces)

        folder = tempfile.mkdtemp(dir=self._folder.name)
        self._jobs.in_process(CONTENT, loading.import_into, (groups, folder, options), read)

    def add_logs(self, paths: tuple[str, ...], options: "ImportOptions") -> None:
        """Read the one trace that is open anew, from `paths`: old sources and new ones together.

        A document is made anew with its notes; what was never saved stays in memory, with its notes too.
        """
        session = self._session
        before, target = session.traces[0], session.path
        title = session.content.title if session.content is not None else ""

        def read(path: str) -> None:
            kept, notes, edits = self._kept, session.notes, self._edits

            def show(loaded: Loaded) -> None:
                late = self._edits != edits
                self._show(loaded)
                if target and late:
                    # Notes that were written meanwhile are in the document by now.
                    self._load(target, named=True, title="", traces=())

            self._jobs.in_thread(CONTENT, _added, (path, before, kept, notes, title), show)

        folder = tempfile.mkdtemp(dir=self._folder.name)
        self._jobs.in_process(CONTENT, loading.import_into, ((paths,), folder, options), read)

    def open_simulated(self, scenario: str, eras: tuple[str, ...]) -> None:
        """Replay a scenario of the library in one or more eras. Raises QuestionError."""
        from core.sim.library import scenario as script_of

        script = script_of(scenario)
        self.simulate(Asked(script, tuple(era(name) for name in eras), language=language()))

    def simulate(self, asked: Asked) -> None:
        """Run a script and show its runs."""
        self._jobs.cancel(PREVIEWS)
        self._jobs.in_thread(CONTENT, replay, (asked,), self._show)

    def preview(self, scenarios: tuple[str, ...], show: Callable[[Any], None]) -> None:
        """Draw the lanes of the welcome page's cards, until something is opened."""
        self._jobs.in_thread(PREVIEWS, runs_of, (scenarios, PREVIEW_ERA), show)

    def show_partition(self, name: str, moment: Moment | None = None) -> None:
        """Show another partition of what is open, at a moment; None is at its first loss."""
        session = self._session
        if session.content is None:
            return
        traces, notes = session.traces, session.notes
        if self._source:
            asked = (self._source, name, bool(session.path), session.triage)

            def show_part(loaded: Loaded) -> None:
                # It is another part of the same: its lanes stand as these do.
                loaded = replace(loaded, lanes=session.lanes)
                if moment is not None:
                    # Its cursors are those of its own trace.
                    loaded = replace(loaded, position=loaded.content.place(Moment(moment.at)))
                self._take(loaded)
                self.partition_shown.emit()

            self._jobs.in_thread(CONTENT, loading.load_partition, asked, show_part)
            return

        def show(content: Any) -> None:  # noqa: ANN401 - the result of a job
            position = _first_of(content) if moment is None else content.place(moment)
            session.change_view(content, notes=notes, position=position)
            self.partition_shown.emit()

        lags = session.drawing.vertical is Vertical.LAG
        self._jobs.in_thread(CONTENT, loading.another_partition, (traces, name, lags), show)

    def save(self, path: str) -> None:
        """Write a document; from then on, notes are written into it at once."""
        from db.recognise import is_document

        traces, notes, lanes = self._session.traces, self._session.notes, self._session.lanes

        def written(ids: Any) -> None:  # noqa: ANN401 - the result of a job
            self._attach(path, dict(ids), notes)
            self._session.set_path(path)
            # What was written while the document was made.
            self._follow_notes(self._session.notes)
            if self._session.lanes != lanes:
                self._write_lanes()
            self.saved.emit(path)

        if self._source and is_document(self._source):
            self._source, source = path, self._source
            self._jobs.in_thread("save", loading.copy_document, (source, path, notes), written)
            return
        told = (path, traces, notes, self._ties, lanes)
        self._jobs.in_thread("save", loading.write_document, told, written)

    def read_histories(self, show: Callable[[dict[int, History]], None], partitions: tuple[int, ...]) -> None:
        """Read partitions of the one trace that is open, where all of it is in memory."""
        traces = self._session.traces
        if len(traces) == 1 and not self._source:
            self._jobs.in_thread(HISTORIES, loading.histories_of, (traces[0], partitions), show)

    def close(self) -> None:
        """Let go of the document, whole, then end the jobs."""
        self._attach("", {}, ())
        self._jobs.close()
        self._folder.cleanup()

    def _load(self, path: str, *, named: bool, title: str, traces: tuple[Trace, ...]) -> None:
        name = title or (Path(path).name if named else "")
        task = loading.load_document if named else _load_and_remove
        show = self._show_beside if traces else self._show
        self._jobs.in_thread(CONTENT, task, (path, named, name, traces), show)

    def _show_beside(self, loaded: Loaded) -> None:
        """The notes that are there stay: their runs are the first ones still."""
        here = self._session.notes
        first = max((note.key for note in here), default=0)
        more = tuple(replace(note, key=note.key + first) for note in loaded.notes)
        self._show(replace(loaded, notes=(*here, *more), stored=()))

    def _show(self, loaded: Loaded) -> None:
        self._take(loaded)
        self.opened.emit(loaded)

    def _take(self, loaded: Loaded) -> None:
        from db.recognise import is_document

        self._source = loaded.source
        # Of a large import notes go to the document that carried it here: they are on any of its partitions.
        carrier = loaded.source if loaded.source and is_document(loaded.source) else ""
        self._attach(loaded.path or carrier, dict(loaded.stored), loaded.notes)
        content = loaded.content
        self._ties, self._lanes = content.ties, loaded.lanes
        self._session.show(
            content,
            loaded.traces,
            triage=loaded.triage,
            path=loaded.path,
            notes=loaded.notes,
            position=_first_of(content) if loaded.position is None else loaded.position,
            lanes=loaded.lanes,
        )
        self._session.select(loaded.selection)

    def _attach(self, path: str, ids: dict[int, int], notes: Sequence[PinnedNote]) -> None:
        before, self._kept = self._kept, (_Kept(path, ids) if path else None)
        self._written = {note.key: note for note in notes}
        if before is not None:
            self._edits += 1
            self._jobs.in_thread(f"close {self._edits}", _close, (before,), _nothing)

    def _follow_path(self, path: str) -> None:
        if not path and self._kept is not None:
            self._attach("", {}, ())

    def _follow_ties(self, content: Content | None) -> None:
        """Write the ties of a comparison, if they are others than before."""
        ties = content.ties if content is not None else ()
        kept, before, self._ties = self._kept, self._ties, ties
        if kept is not None and ties != before and len(self._session.traces) > 1:
            self._edits += 1
            self._jobs.in_thread(f"ties {self._edits}", _tie, (kept, ties, self._session.traces), _nothing)

    def _follow_lanes(self, lanes: LaneOrder) -> None:
        """Write how the lanes are arranged, if that is not how they came."""
        before, self._lanes = self._lanes, lanes
        if lanes != before:
            self._write_lanes()

    def _write_lanes(self) -> None:
        if self._kept is not None:
            self._edits += 1
            self._jobs.in_thread(
                f"lanes {self._edits}", _arrange, (self._kept, self._session.lanes), _nothing
            )

    def _follow_notes(self, notes: tuple[PinnedNote, ...]) -> None:
        """Write what changed, one transaction an edit."""
        kept, traces = self._kept, self._session.traces
        now = {note.key: note for note in notes}
        changed = [note for note in notes if self._written.get(note.key) != note]
        gone = [key for key in self._written if key not in now]
        self._written = now
        if kept is None:
            return
        for note in changed:
            self._edits += 1
            self._jobs.in_thread(f"note {self._edits}", _put, (kept, note, traces), _nothing)
        for key in gone:
            self._edits += 1
            self._jobs.in_thread(f"note {self._edits}", _drop, (kept, key), _nothing)


def _first_of(content: Content) -> int:
    """Where to look first: the first difference, or the first loss; in a timeline without one, the end."""
    losses = content.landmarks.get("loss", ())
    if content.comparison:
        return (content.landmarks.get("difference", ()) or losses or (0,))[0]
    return (losses or (content.last,))[0]


def _nothing(_result: object) -> None:
    """There is nothing to do after it."""


def _load_and_remove(path: str, named: bool, title: str, beside: tuple[Trace, ...], work: Work) -> Loaded:
    """Read a document that only carried an import over, and remove it unless it is read in parts."""
    source = ""
    try:
        loaded = loading.load_document(path, named, title, beside, work)
        source = loaded.source
        return loaded
    finally:
        if not source:
            shutil.rmtree(Path(path).parent, ignore_errors=True)


def _added(
    path: str, before: Trace, kept: _Kept | None, notes: tuple[PinnedNote, ...], title: str, work: Work
) -> Loaded:
    """What was read anew instead of `before`, with its notes: in the document, if there is one."""
    try:
        return loading.load_added(path, before, None if kept is None else _closed(kept), notes, title, work)
    finally:
        shutil.rmtree(Path(path).parent, ignore_errors=True)


def _has_triage(path: str) -> bool:
    # Only here: what reads data sets takes long to load.
    from importers.prepared_triage import has_triage

    return has_triage(path)


def _closed(kept: _Kept) -> str:
    """The path of a document that is made anew; whoever writes a note into it opens it again."""
    _close(kept, QUIET)
    return kept.path


def _opened(kept: _Kept) -> "Document":
    from db.document import open_document

    if kept.document is None:
        kept.document = open_document(kept.path, write=True)
    return kept.document


def _put(kept: _Kept, note: PinnedNote, traces: tuple[Trace, ...], _work: Work) -> None:
    if note.cursor is not None:
        stored = _opened(kept).put_note(loading.to_store(note, traces, kept.ids.get(note.key, 0)))
        kept.ids[note.key] = stored.note_id


def _drop(kept: _Kept, key: int, _work: Work) -> None:
    stored = kept.ids.pop(key, 0)
    if stored:
        _opened(kept).delete_note(stored)


def _tie(kept: _Kept, ties: tuple[tuple[int, ...], ...], traces: tuple[Trace, ...], _work: Work) -> None:
    """Keep these ties between the traces, and those between others."""
    from db.ties import tied_among

    document = _opened(kept)
    document.put_ties(tied_among(document.ties(), traces, ties))


def _arrange(kept: _Kept, lanes: LaneOrder, _work: Work) -> None:
    _opened(kept).put_lanes(lanes)


def _close(kept: _Kept, _work: Work) -> None:
    if kept.document is not None:
        kept.document.close()
        kept.document = None
