"""Opens, saves and keeps: between the session, the jobs and the document on the disk."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.compare.comparison import Run
from core.document.lane_order import LaneOrder
from core.errors import Facts
from core.kafka.eras import era
from core.picture.drawing import Vertical
from core.sweeping import adopt
from core.teaching.lesson import Scene
from core.trace.trace import Origin, Trace
from gui.workspace import requests
from gui.workspace.changes import Change, Told
from gui.workspace.content import Content, Moment, first_of
from gui.workspace.exploring import Question
from gui.workspace.jobs import Failure, JobRunner
from gui.workspace.keeping import Added, Kept, Outcome
from gui.workspace.lesson_runs import LessonPreviews
from gui.workspace.loading import Loaded
from gui.workspace.part_reader import HISTORIES, PART, PartReader
from gui.workspace.pinned import Later, PinnedNote
from gui.workspace.scratches import Scratches
from gui.workspace.session import Session
from gui.workspace.simulating import Asked
from gui.workspace.sources import has_triage
from gui.workspace.stamps import is_same_path, stamp_of
from gui.workspace.tabs import Behind

if TYPE_CHECKING:
    from importers.options import ImportOptions
    from importers.preview import Preview as FoundPreview

PREVIEWS: Final = "previews"
APART: Final = "apart"
UNSAID: Final = (PREVIEWS, HISTORIES, PART, APART, "keep")
"""Questions that a person did not ask: nothing is said of how far they are."""
PREVIEW_ERA: Final = "0.10.2"
"""The era in which the scenarios go wrong."""
CONTENT: Final = "content"
"""The question of what is to be shown: a newer one replaces it."""
KEEP: Final = "keep"
"""The question of whether the document has what was added; a newer one asks for all of it."""
SAVE: Final = "save"
CLOSING: Final = "close "
"""How the questions begin that let others write a document."""


@dataclass(frozen=True, slots=True)
class StoreChanges:
    """What a store tells."""

    opened: Change[Loaded] = field(default_factory=Told[Loaded])
    """something new is shown"""
    saved: Change[str] = field(default_factory=Told[str])
    """a path"""
    partition_shown: Change[str] = field(default_factory=Told[str])
    """the name of another partition of what is open, which is shown"""
    missing: Change[Facts] = field(default_factory=Told[Facts])
    """The document is not in its place any more, and something could not be written into it."""


class Store:
    """Turns wishes ("open this", "save there") into jobs, and edits of notes into transactions."""

    def __init__(
        self,
        session: Session,
        jobs: JobRunner,
        changes: StoreChanges | None = None,
        scratches: Scratches | None = None,
    ) -> None:
        """Nothing is open. `scratches` are those of the other windows, too."""
        self._session, self._jobs = session, jobs
        self._kept: Kept | None = None
        self._source = self._imported = ""
        self.parts = PartReader(session, jobs, lambda: self._source)
        self._asked = Added()
        self.imports: Callable[[], str] = lambda: ""
        """Gives the folder in which imports are kept for the next start; "" for none."""
        self.wanted: tuple[str, ...] = ()
        """Paths that a person asked for, until they are open."""
        self.make_room: Callable[[bool, str], object] = lambda _beside, _stamp: None
        """Called before something else is shown: True where it is to stand beside what is open, and what it
        was read from (stamps.py)."""
        self.bring: Callable[[str], bool] = lambda _path: False
        """Brings what is open behind of the document of this path to the front; whether there is such."""
        self._new = False
        """Whether what is on its way is something new, that does not belong to what is in front."""
        # Imports travel from their process as documents in its own folder.
        self._scratches = (scratches or Scratches()).use()
        self.tell_through(changes or StoreChanges())
        self.follow()

    def tell_through(self, changes: StoreChanges) -> None:
        """Tell through these from now on; who listened to others hears nothing any more."""
        self.opened, self.saved = changes.opened, changes.saved
        self.partition_shown, self.missing = changes.partition_shown, changes.missing

    def follow(self) -> None:
        """Write what changes of notes, ties and lanes into the document, from now on."""
        self._session.notes_changed.connect(self._follow)
        self._session.content_changed.connect(self._follow)
        self._session.lanes_changed.connect(self._follow)
        self._session.path_changed.connect(self._follow_path)

    def reword(self) -> None:
        """Tell what is open in the language that is spoken now, unless something else is on its way."""
        content = self._session.content
        if content is None or CONTENT in self._jobs.asked():
            return

        def show(said: Content) -> None:
            if self._session.content is content:
                self._session.reword(said)

        self._jobs.in_thread(CONTENT, requests.Reword(content, self._session.language), show)

    def look(
        self, paths: tuple[str, ...], options: "ImportOptions", show: "Callable[[FoundPreview], None]"
    ) -> None:
        """Find out what an import of these would find. What is open stays."""
        self._jobs.cancel(PREVIEWS)
        self._new = True
        # In the thread: it is short, and a process of its own would take longer to begin than to look.
        self._jobs.in_thread(CONTENT, requests.Look(paths, options), show)

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
        self._new = True
        traces = self._session.traces if beside else ()
        if len(groups) == 1 and len(groups[0]) == 1 and is_document(groups[0][0]):
            # A document has one writer: opened twice, it could not be written the second time.
            if not beside and self.bring(groups[0][0]):
                return
            again = not beside and is_same_path(groups[0][0], self._session.path)
            stamp = "" if traces else stamp_of(groups[0])
            self._load(groups[0][0], named=True, title=title, traces=traces, stamp=stamp, beside=not again)
            return
        stamp = stamp_of(groups[0]) if len(groups) == 1 and not traces else ""
        alone = len(groups) == 1 and len(groups[0]) == 1 and not traces
        if alone and Path(groups[0][0]).is_dir() and has_triage(groups[0][0]):
            self._jobs.in_thread(
                CONTENT, requests.OpenPartition(groups[0][0]), partial(self._show, stamp=stamp)
            )
            return
        name = title or (Path(groups[0][0]).name if len(groups) == 1 else "")

        def read(path: str) -> None:
            self._load(path, named=False, title=name, traces=traces, stamp=stamp)

        folder = tempfile.mkdtemp(dir=self._scratches.own.path)
        self._jobs.in_process(CONTENT, requests.Import(groups, folder, options), read)

    def open_found(self, document: Path, title: str) -> bool:
        """Open a document that a killed window never saved, with its notes (core/sweeping.py).

        False where another process was quicker.
        """
        scratch = adopt(document)
        if scratch is None:
            return False
        self._scratches.add(scratch)
        self._new = True
        self._jobs.in_thread(CONTENT, requests.OpenDocument(str(document), title), self._show)
        return True

    def open_import(self, document: str, title: str, stamp: str) -> None:
        """Open what a killed window had imported, and had kept."""
        self._new = True
        into = tempfile.mkdtemp(dir=self._scratches.own.path)
        asked = requests.OpenDocument(document, title, carries=True, imports=self.imports(), into=into)
        self._jobs.in_thread(CONTENT, asked, partial(self._show, stamp=stamp))

    def add_logs(self, paths: tuple[str, ...], options: "ImportOptions") -> None:
        """Read the one trace that is open anew, from `paths`: old sources and new ones together.

        A document is made anew with its notes; what was never saved stays in memory, with its notes too.
        """
        session = self._session
        before, target = session.traces[0], session.path
        title = session.content.title if session.content is not None else ""

        def read(path: str) -> None:
            kept, notes, asked = self._kept, session.notes, self._asked
            later = session.later

            def show(loaded: Loaded) -> None:
                late = self._asked != asked
                self._show(replace(loaded, path=target), beside=False)
                if target and late:
                    # Notes that were written meanwhile are in the document by now.
                    self._load(target, named=True, title="", traces=(), beside=False)

            self._jobs.in_thread(CONTENT, requests.ReadAnew(path, before, kept, notes, later, title), show)

        self._new = False
        folder = tempfile.mkdtemp(dir=self._scratches.own.path)
        self._jobs.in_process(CONTENT, requests.Import((paths,), folder, options), read)

    def open_simulated(self, scenario: str, eras: tuple[str, ...]) -> None:
        """Replay a scenario of the library in one or more eras. Raises QuestionError."""
        from core.sim.library import scenario as script_of

        script = script_of(scenario)
        asked = Asked(script, tuple(era(name) for name in eras), language=self._session.language)
        self.replay(asked)

    def replay(self, asked: Asked) -> None:
        """Run a script and show its runs beside what is open."""
        self._jobs.cancel(PREVIEWS)
        self._new, self.wanted = True, ()
        self._jobs.in_thread(CONTENT, requests.Replay(asked), self._show)

    def simulate(self, asked: Asked) -> None:
        """Run a script and show its runs, in the place of simulated runs where those are in front."""
        self._instead(requests.Replay(asked))

    def play(self, asked: Question) -> None:
        """Show a shortest behaviour of the model that breaks an invariant, in the place of simulated runs."""
        self._instead(requests.Play(asked))

    def _instead(self, asked: requests.Replay | requests.Play) -> None:
        self._jobs.cancel(PREVIEWS)
        self._new, self.wanted = False, ()
        self._jobs.in_thread(CONTENT, asked, partial(self._show, beside=not self.replaces))

    @property
    def replaces(self) -> bool:
        """Whether runs of a script take the place of what is in front: it was simulated, too."""
        traces = self._session.traces
        return bool(traces) and all(trace.origin == Origin.SIMULATED for trace in traces)

    def compare(self, sides: tuple[requests.Side, ...], *, beside: bool = True) -> None:
        """Show partitions beside one another, of whatever they are. Nothing in memory is read again.

        One alone is shown alone. It is in a tab of its own, or not `beside` in the place of what is in front.
        """
        self._new = beside

        def show(loaded: Loaded) -> None:
            self._show(replace(loaded, on_lanes=not beside), beside=beside)

        self._jobs.in_thread(CONTENT, requests.Compare(sides), show)

    def take_apart(self, traces: tuple[Trace, ...], show: Callable[[tuple[Loaded, ...]], object]) -> None:
        """Find out what there is to see of each of these alone. What is open stays."""
        self._jobs.in_thread(APART, requests.Apart(traces, self.imports()), show)

    def preview(self, scenarios: tuple[str, ...], show: Callable[[dict[str, Run]], object]) -> None:
        """Draw the lanes of the first page's cards, until something is opened."""
        self._jobs.in_thread(PREVIEWS, requests.Previews(scenarios, PREVIEW_ERA), show)

    def preview_lessons(
        self, scenes: tuple[tuple[str, Scene], ...], show: Callable[[dict[str, Run]], object]
    ) -> None:
        """The same for the cards of lessons: (id, scene) each."""
        self._jobs.in_thread(PREVIEWS, LessonPreviews(scenes), show)

    def show_partition(self, name: str, moment: Moment | None = None) -> None:
        """Show another partition of what is open, at a moment; None is at its first loss."""
        session = self._session
        if session.content is None:
            return
        traces, notes = session.traces, session.notes
        self._new = False
        if self._source:
            identity = None if self._kept is None else self._kept.identity
            asked = requests.OpenPartition(self._source, name, bool(session.path), session.triage, identity)

            def show_part(loaded: Loaded) -> None:
                # Another part of the same: its lanes stand as these do, its cursors are those of its trace.
                loaded = replace(loaded, lanes=session.lanes, imported=self._imported)
                if moment is not None:
                    loaded = replace(loaded, position=loaded.content.place(Moment(moment.at)))
                self._take(loaded)
                self.partition_shown.emit(name)

            self._jobs.in_thread(CONTENT, asked, show_part)
            return

        def show(content: Content) -> None:
            position = first_of(content) if moment is None else content.place(moment)
            session.change_view(content, notes=notes, position=position)
            self.partition_shown.emit(name)

        title, lags = session.content.title, session.drawing.vertical is Vertical.LAG
        self._jobs.in_thread(CONTENT, requests.OtherPartition(traces, title, name, lags), show)

    def save(self, path: str) -> None:
        """Write a document; from then on, what is added is written into it at once."""
        from db.recognise import is_document

        session, kept, added = self._session, self._kept, self._added()
        # A deleted document is no document any more, and still the one that partitions are read from.
        in_parts = kept is not None and bool(self._source)
        source = self._source if in_parts or (self._source and is_document(self._source)) else ""

        def written(new: Kept) -> None:
            scratch = None if kept is None else self._scratches.of(kept.path)
            if kept is not None and scratch is not None:
                scratch.forget(Path(kept.path))
            if source:
                self._source = path
            self._attach(new, added)
            session.set_path(path)
            # What was added while the document was written.
            self._asked = new.written
            self._follow()
            self.saved.emit(path)

        self._jobs.in_thread(SAVE, requests.Save(kept, source, path, added, session.traces), written)

    def keep_again(self) -> None:
        """Try again to write what could not be written."""
        if self._kept is not None:
            self._keep(self._kept, self._added())

    @property
    def is_missing(self) -> bool:
        """Whether the document was found not to be in its place any more."""
        return self._kept is not None and self._kept.missing

    def settle(self) -> None:
        """Wait until what was added is written, or could not be. For those who ask whether all is saved."""
        if KEEP in self._jobs.asked():
            self._jobs.cancel(CONTENT)
        self._jobs.wait_for(KEEP)

    @property
    def behind(self) -> Behind:
        """What stands behind what is in front."""
        return Behind(self._kept, self._source, self._asked, self._imported)

    def park(self) -> Behind:
        """What stands behind what is in front, to `resume` later; nothing does from now on.

        What was asked about it and is not answered yet is dropped; what is being opened goes on.
        """
        if not self._new:
            self._jobs.cancel(CONTENT)
        behind = self.behind
        self._kept, self._source, self._asked = None, "", Added()
        return behind

    def resume(self, behind: Behind) -> None:
        """This stands behind what the session will show next."""
        self._kept, self._source, self._asked = behind.kept, behind.source, behind.asked
        self._imported = behind.imported

    def let_go(self, behind: Behind) -> None:
        """Let others write a document that was parked; it is opened again where something is written."""
        if behind.kept is not None:
            self._jobs.in_thread(f"{CLOSING}{id(behind.kept)}", requests.LetGo(behind.kept), _nothing)

    def hand_over(self, behind: Behind) -> None:
        """Let go of a document that was parked, and wait until another store may write it."""
        self.let_go(behind)
        for question in [one for one in self._jobs.asked() if one.startswith(CLOSING)]:
            self._jobs.wait_for(question)

    def close(self) -> None:
        """Let go of the document, whole, then end the jobs."""
        self._attach(None, Added())
        self._jobs.close()
        self._scratches.leave()

    def _load(
        self,
        path: str,
        *,
        named: bool,
        title: str,
        traces: tuple[Trace, ...],
        stamp: str = "",
        beside: bool = True,
    ) -> None:
        name = title or (Path(path).name if named else "")
        imports = "" if named else self.imports()
        asked = requests.OpenDocument(path, name, named, traces, carries=not named, imports=imports)
        show = partial(self._show, beside=beside, stamp=stamp)
        self._jobs.in_thread(CONTENT, asked, partial(self._show_beside, traces) if traces else show)

    def _show_beside(self, first_ones: tuple[Trace, ...], loaded: Loaded) -> None:
        """The notes that are there come along: their runs are the first ones still."""
        if self._session.traces is not first_ones:
            self._show(replace(loaded, stored=()))
            return
        here = self._session.notes
        first = max((note.key for note in here), default=0)
        more = tuple(replace(note, key=note.key + first) for note in loaded.notes)
        before, new = self._session.later, loaded.later
        later = Later((*before.notes, *new.notes), (*before.found, *new.found))
        self._show(replace(loaded, notes=(*here, *more), stored=(), later=later))

    def _show(self, loaded: Loaded, *, beside: bool = True, stamp: str = "") -> None:
        self.make_room(beside, stamp)
        self._take(loaded)
        self.opened.emit(loaded)

    def _take(self, loaded: Loaded) -> None:
        from db.recognise import is_document

        self._source, self._imported = loaded.source, loaded.imported
        # Of a large import notes go to the document that carried it here: they are on any of its partitions.
        carrier = loaded.source if loaded.source and is_document(loaded.source) else ""
        path, content = loaded.path or carrier, loaded.content
        added = _added_to(content, loaded.notes, loaded.lanes, loaded.later)
        kept = Kept(path, loaded.identity, dict(loaded.stored), added) if path else None
        self._attach(kept, added)
        self._session.show(
            content,
            loaded.traces,
            triage=loaded.triage,
            account=loaded.account,
            path=loaded.path,
            notes=loaded.notes,
            position=first_of(content) if loaded.position is None else loaded.position,
            lanes=loaded.lanes,
            later=loaded.later,
        )
        self._session.select(loaded.selection)

    def _attach(self, kept: Kept | None, added: Added) -> None:
        """From now on what is added goes into this document, which has `added` already."""
        before, self._kept, self._asked = Behind(self._kept), kept, added
        self._session.set_unwritten(0)
        self.let_go(before)

    def _follow_path(self, path: str) -> None:
        kept = self._kept
        if path or kept is None:
            return
        if self._session.content is None or self._scratches.of(kept.path) is None:
            self._attach(None, Added())

    def _added(self) -> Added:
        session = self._session
        return _added_to(session.content, session.notes, session.lanes, session.later)

    def _follow(self, _changed: object = None) -> None:
        """Have the document keep what was added, if that is not what it was asked to keep last."""
        added = self._added()
        if self._kept is not None and self._session.content is not None and added != self._asked:
            self._keep(self._kept, added)

    def _keep(self, kept: Kept, added: Added) -> None:
        self._asked = added
        scratch = self._scratches.of(kept.path)
        if scratch is not None and self._session.content is not None:
            # Should this process die, the next start offers what is in it.
            scratch.keep(Path(kept.path), self._session.content.title)

        def told(outcome: Outcome) -> None:
            if kept is not self._kept:
                return
            self._session.set_unwritten(outcome.unwritten)
            if outcome.facts is not None and kept.missing:
                self.missing.emit(outcome.facts)
            elif outcome.facts is not None:
                self._jobs.failed.emit(Failure(outcome.facts))

        self._jobs.in_thread(KEEP, requests.Keep(kept, added, self._session.traces), told)


def _added_to(content: Content | None, notes: Sequence[PinnedNote], lanes: LaneOrder, later: Later) -> Added:
    by_key = tuple(sorted(notes, key=lambda note: note.key))
    return Added(by_key, content.ties if content else (), lanes, later)


def _nothing(_result: object) -> None:
    """There is nothing to do after it."""
