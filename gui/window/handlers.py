"""What the actions of files, of editing and of views do. Others are beside what they are about."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from core.shown import shown_in_line
from gui.panels.evidence import EvidencePanel
from gui.panels.inspector import Inspector
from gui.panels.note_editor import NoteEditor
from gui.panels.parts import BREAK
from gui.text.spoken import tr
from gui.timeline.stage import Stage
from gui.window.docks import Docks, Strips
from gui.window.exporting import file_name
from gui.window.importing import Importing
from gui.window.opening import Opening
from gui.window.pages import Pages, Viewing
from gui.window.person import Person
from gui.window.settings import STRIPS, Settings
from gui.workspace.noting import is_begun_arrow
from gui.workspace.session import Session
from gui.workspace.store import Store

Handler = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Files:
    """Opens and saves what a person names."""

    session: Session
    store: Store
    settings: Settings
    person: Person
    opening: Opening
    importing: Importing

    def handlers(self) -> dict[str, Handler]:
        """The actions on files, by id."""
        return {
            "open": partial(self._open, folder=False, beside=False),
            "open-folder": partial(self._open, folder=True, beside=False),
            "add-run": partial(self._open, folder=False, beside=True),
            "add-logs": partial(self._add_logs, folder=False),
            "add-folder": partial(self._add_logs, folder=True),
            "save": partial(self._save, ask=False),
            "save-as": partial(self._save, ask=True),
        }

    def _open(self, *, folder: bool, beside: bool) -> None:
        paths = self._named(folder=folder)
        if paths:
            self.opening.open_paths(paths, beside=beside)

    def _add_logs(self, *, folder: bool) -> None:
        self.importing.add_logs(self._named(folder=folder))

    def _named(self, *, folder: bool) -> tuple[str, ...]:
        """What a person names in the dialog of the desktop."""
        start = self.settings.get("folder")
        if folder:
            path = self.person.open_folder(start)
            paths = (path,) if path else ()
        else:
            paths = self.person.open_files(start)
        if paths:
            self.settings.put("folder", str(Path(paths[0]).parent))
        return paths

    def _save(self, *, ask: bool) -> None:
        session = self.session
        content = session.content
        if content is None:
            return
        if session.path and not ask and session.unwritten and not self.store.is_missing:
            self.store.keep_again()
            return
        if session.path and not ask and not session.unwritten:
            self.person.tell(
                tr("window.everything-is-saved"),
                tr("window.notes-are-written-into-as-they", path=session.path),
            )
            return
        kept = Path(self.settings.get("folder") or Path.home())
        folder = Path(session.path).parent if session.path else kept
        path = self.person.save_document(str(folder / f"{file_name(content.title)}.tide"))
        if path:
            self.settings.put("folder", str(Path(path).parent))
            self.settings.remember_path(path)
            self.store.save(path)


@dataclass(frozen=True, slots=True)
class Editing:
    """Undoes, does again, copies."""

    session: Session
    evidence: EvidencePanel
    inspector: Inspector
    viewing: Viewing
    pages: Pages

    def handlers(self) -> dict[str, Handler]:
        """The actions of editing, by id."""
        return {"undo": self.session.undo.undo, "redo": self.session.undo.redo, "copy": self._copy}

    def _copy(self) -> None:
        """What is selected where the focus is: marked text, evidence, the account, else the inspector's."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QLabel) and focused.hasSelectedText():
            QGuiApplication.clipboard().setText(focused.selectedText().replace(BREAK, ""))
        elif focused is self.evidence.table:
            self.evidence.copy()
        elif self.viewing.name == "incident":
            self.pages.incident.copy()
        else:
            QGuiApplication.clipboard().setText(self.inspector.text())


@dataclass(frozen=True, slots=True)
class Looking:
    """Shows views, docks and strips; moves the keyboard; clears what lies over the lanes."""

    session: Session
    person: Person
    viewing: Viewing
    docks: Docks
    strips: Strips
    stage: Stage
    editor: NoteEditor
    opening: Opening
    pages: Pages
    panes: Callable[[], Sequence[QWidget]]
    """What the keyboard goes through, pane by pane."""

    def handlers(self) -> dict[str, Handler]:
        """The actions of views, by id."""
        stage, docks = self.stage, self.docks
        return {
            "welcome": partial(self.viewing.show, "welcome"),
            "timeline": self._show_lanes,
            "compare": self._show_lanes,
            "triage": self._show_triage,
            "incident": self._show_incident,
            "query": self._show_query,
            "conformance": self._show_conformance,
            "report": partial(self.viewing.show, "report"),
            "reading": self._show_reading,
            "partition": self._choose_partition,
            "left-dock": partial(docks.toggle, docks.left),
            "inspector": partial(docks.toggle, docks.right),
            "evidence": partial(docks.toggle, docks.drawer),
            **{strip.key: partial(self.strips.toggle, strip.key) for strip in STRIPS},
            "zoom-in": partial(stage.zoom, 1.5),
            "zoom-out": partial(stage.zoom, 1 / 1.5),
            "pan-left": partial(stage.canvas.pan, -0.25),
            "pan-right": partial(stage.canvas.pan, 0.25),
            "next-pane": partial(self._pane, 1),
            "previous-pane": partial(self._pane, -1),
            "clear": self._clear,
        }

    def _show_lanes(self) -> None:
        if not self.viewing.lanes_shown():
            self.viewing.show("timeline")
            self.docks.show()
        self.viewing.focus_lanes(Qt.FocusReason.ShortcutFocusReason)

    def _show_triage(self) -> None:
        self.viewing.show("triage")
        self.pages.triage.focus()

    def _show_reading(self) -> None:
        self.viewing.show("reading")
        self.pages.reading.focus()

    def _show_query(self) -> None:
        self.viewing.show("query")
        self.pages.query.focus()

    def _show_conformance(self) -> None:
        self.viewing.show("conformance")
        self.pages.conformance.focus()

    def _show_incident(self) -> None:
        self.viewing.show("incident")
        self.pages.incident.focus()

    def _choose_partition(self) -> None:
        session = self.session
        content = session.content
        if content is None or not session.partitions:
            return
        names = {shown_in_line(name): name for name in session.partitions}
        here = content.partition
        now = session.partitions.index(here) if here in session.partitions else 0
        answer = self.person.choose(tr("search.partition"), list(names), now)
        # The question waits for a person: something else may be open by now.
        if answer and session.content is content:
            self.opening.open_partition(names[answer])

    def _pane(self, step: int) -> None:
        panes = [pane for pane in self.panes() if pane.isVisible()]
        if not panes:
            return
        focused = QApplication.focusWidget()
        here = (
            next((at for at, pane in enumerate(panes) if focused is pane or pane.isAncestorOf(focused)), None)
            if focused
            else None
        )
        pane = panes[0 if here is None else (here + step) % len(panes)]
        following = pane.nextInFocusChain()
        target = following if pane.focusPolicy() == Qt.FocusPolicy.NoFocus and following is not None else pane
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def _clear(self) -> None:
        """The uppermost thing first: the field of a note, a message, the selection."""
        session = self.session
        if self.editor.isVisible():
            self.editor.cancel()
        elif self.person.notices.isVisible():
            self.person.notices.hide()
        elif self.docks.close_over():
            self.viewing.focus_lanes()
        elif session.playing:
            session.set_playing(False)
        elif is_begun_arrow(session):
            session.draft = None
        elif session.tie:
            session.tie = MappingProxyType({})
            self.person.say("")
        elif session.range is not None:
            session.set_range(None)
        else:
            session.select(None)
