"""Exports of what is open in the window: the dialog's plan becomes a job; a picture goes to the clipboard."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.trace.redact import USUAL, Redaction
from core.trace.trace import Trace
from core.work import Work
from gui.exports.devices import image_of
from gui.exports.dialog import ExportDialog
from gui.exports.gate import gate_of
from gui.exports.material import Material, of_opened, redacted, review_lines
from gui.exports.plan import Plan
from gui.exports.preview import Sketch, sketch
from gui.exports.stretch import VISIBLE, WHOLE, stretches
from gui.exports.views import figure_of, view_of, zoom_of
from gui.exports.write import write
from gui.text.spoken import language, tr
from gui.theme import load_theme
from gui.window.person import Person
from gui.window.settings import Settings
from gui.workspace.edits import replicas
from gui.workspace.jobs import JobRunner
from gui.workspace.loading import to_store
from gui.workspace.session import Session
from gui.workspace.store import Store

if TYPE_CHECKING:
    from db.notes import Note

EXPORT: Final = "export"
PREVIEW: Final = "export preview"
"""Questions of the jobs: a newer preview replaces an older one."""
COPY: Final = "copy as picture"


@dataclass(slots=True)
class _Desk:
    """What previews are made of, read once. Used in the thread of pictures only.

    `hidden` is what the names were replaced in, by what was to be hidden: the dialog changes the rest more.
    """

    read: Callable[[Work], Material]
    material: Material | None = None
    hidden: dict[tuple[object, ...], tuple[Material, Plan, Redaction | None]] = field(
        default_factory=dict[tuple[object, ...], tuple[Material, Plan, Redaction | None]]
    )

    def whole(self, work: Work) -> Material:
        """The material as it is open."""
        if self.material is None:
            self.material = self.read(work)
        return self.material

    def redacted(self, plan: Plan, work: Work) -> tuple[Material, Plan, Redaction | None]:
        """Material and plan with the names hidden, and what became what."""
        key = (plan.redact, plan.title, plan.caption, plan.partition)
        if key not in self.hidden:
            self.hidden = {key: redacted(self.whole(work), plan, work)}
        material, told, redaction = self.hidden[key]
        changed = replace(plan, partition=told.partition, title=told.title, caption=told.caption)
        return material, changed, redaction


@dataclass(frozen=True, slots=True)
class _Preview:
    """Draw what will come out."""

    desk: _Desk
    plan: Plan
    ending: str

    def answer(self, work: Work) -> Sketch:
        """The picture, and what is hidden in it."""
        # Previews come and go with every tick: their progress is nothing to look at.
        quiet = Work(stopped=work.stopped)
        quiet.step(0, 0)
        material, plan, redaction = self.desk.redacted(self.plan, quiet)
        made = sketch(material, plan, self.ending, quiet)
        if redaction is None:
            return made
        # Tables are written in English; whoever reviews them reads the window's language.
        return replace(made, review=review_lines(material, replace(plan, lang=language()), redaction))


@dataclass(frozen=True, slots=True)
class _Write:
    """Write a file. The dialog of the desktop has asked before an existing one is replaced."""

    desk: _Desk
    plan: Plan
    target: Path

    def answer(self, work: Work) -> None:
        """Nothing; raises what `write` raises."""
        write(self.desk.whole(work), self.plan, self.target, work, replace=True)


@dataclass(frozen=True, slots=True)
class _Draw:
    """Draw the figure of a plan."""

    desk: _Desk
    plan: Plan

    def answer(self, work: Work) -> QImage:
        """The image."""
        material, plan, redaction = self.desk.redacted(self.plan, work)
        figure = figure_of(view_of(material, plan, work), plan)
        if redaction is not None:
            gate_of(redaction).check_picture(figure)
        scale = plan.scale * zoom_of(figure, plan)
        return image_of(figure, load_theme(plan.theme), scale, enlarged=plan.slide)


class Exporting:
    """Exports what a session has open."""

    def __init__(
        self,
        session: Session,
        store: Store,
        jobs: JobRunner,
        settings: Settings,
        person: Person,
        over: QWidget,
    ) -> None:
        """The dialog stands over a widget."""
        self._session, self._store, self._jobs = session, store, jobs
        self._settings, self._person, self._over = settings, person, over

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions of exports, by id."""
        return {"export": self.open, "copy-picture": self.copy_picture}

    def open(self) -> None:
        """Ask how to export what is open, with a picture of what will come out."""
        session = self._session
        content = session.content
        if content is None:
            return
        desk = _Desk(reader(session, self._store.source))
        dialog = ExportDialog(content.comparison is None, stretches(session), self._over)
        dialog.plan_changed.connect(partial(self._preview, dialog, desk))
        dialog.export_wanted.connect(partial(self._ask_where, dialog, desk))
        dialog.copy_wanted.connect(partial(self._copy, desk))
        dialog.finished.connect(self._forget_preview)
        # A partition that is read by itself counts its own positions, not those of the document.
        place = session.position if content.comparison else session.cursors[0]
        at = "" if self._store.source else str(place)
        dialog.start(plan_of(session), self._settings.get("export"), at)
        dialog.open()

    def _forget_preview(self, _how: int) -> None:
        self._jobs.cancel(PREVIEW)

    def copy_picture(self) -> None:
        """Put the figure of what is visible on the clipboard, with the usual names hidden."""
        session = self._session
        if session.content is None:
            return
        seen = next((one for one in stretches(session) if one.name == VISIBLE), WHOLE)
        plan = replace(plan_of(session), window=seen.drawn, redact=USUAL)
        self._copy(_Desk(reader(session, self._store.source)), plan)

    def _preview(self, dialog: ExportDialog, desk: _Desk, plan: Plan, ending: str) -> None:
        def show(made: Sketch) -> None:
            if isValid(dialog):
                dialog.show_sketch(made)

        self._jobs.in_thread_beside(PREVIEW, _Preview(desk, plan, ending), show)

    def _ask_where(self, dialog: ExportDialog, desk: _Desk, plan: Plan, ending: str) -> None:
        content = self._session.content
        if content is None:
            return
        folder = Path(self._settings.get("folder") or Path.home())
        path = self._person.export_to(str(folder / f"{file_name(content.title)}{ending}"), dialog)
        if not path:
            return
        self._settings.put("folder", str(Path(path).parent))
        self._settings.put("export", ending)
        dialog.accept()

        def tell(_done: object) -> None:
            self._person.tell(tr("exporting.exported"), path)

        self._jobs.in_thread_beside(EXPORT, _Write(desk, plan, Path(path)), tell)

    def _copy(self, desk: _Desk, plan: Plan) -> None:
        def keep(image: QImage) -> None:
            QGuiApplication.clipboard().setImage(image)
            names = ", ".join(plan.redact)
            self._person.tell(
                tr("exporting.copied-as-a-picture"),
                tr("exporting.hidden-in-it", names=names) if names else "",
            )

        self._jobs.in_thread_beside(COPY, _Draw(desk, plan), keep)


def file_name(title: str) -> str:
    """A title as the name of a file."""
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in title.strip().lower())
    return "-".join(part for part in kept.split("-") if part) or "tidegauge"


def plan_of(session: Session) -> Plan:
    """The plan that what is shown now suggests: the partition that all runs show."""
    content = session.content
    if content is None:
        return Plan()
    names = {str(run.history.trace.partitions[run.history.partition].tp) for run in content.runs}
    return Plan(
        partition=names.pop() if len(names) == 1 else None,
        lang=language(),
        lanes=session.lanes.drawn(replicas(session)),
        drawing=session.drawing,
    )


def reader(session: Session, source: str) -> Callable[[Work], Material]:
    """How the traces and notes of what is open are read, in another thread.

    A large document, or a data set, is read whole from `source`, so that its pseudonyms are the command's.
    """
    if source:
        return partial(_read_source, source)
    traces, path = session.traces, session.path
    notes = tuple(to_store(note, traces, 0) for note in session.notes if note.cursor is not None)
    return partial(_in_memory, traces, notes, path)


def _read_source(source: str, work: Work) -> Material:
    from gui.workspace.sources import open_any
    from importers.options import ImportOptions

    thing = open_any((source,), ImportOptions(), work)
    try:
        return of_opened([thing])
    finally:
        thing.close()


def _in_memory(traces: tuple[Trace, ...], notes: "tuple[Note, ...]", path: str, _work: Work) -> Material:
    from db.document import open_document

    if not path:
        return Material(traces, notes)
    with open_document(path) as document:
        return Material(traces, notes, document.ties())
