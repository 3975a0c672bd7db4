"""Exports of what is open in the window: the dialog's plan becomes a job; a picture goes to the clipboard."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QGuiApplication, QImage
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
from gui.workspace.edits import replicas
from gui.workspace.loading import to_store
from gui.workspace.session import Session

if TYPE_CHECKING:
    from db.notes import Note
    from gui.window.main_window import MainWindow

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


def open_export(window: "MainWindow") -> None:
    """Ask how to export what is open, with a picture of what will come out."""
    session = window.session
    content = session.content
    if content is None:
        return
    desk = _Desk(reader(session, window.store.source))
    dialog = ExportDialog(content.comparison is None, stretches(session), window)
    dialog.plan_changed.connect(partial(_preview, window, dialog, desk))
    dialog.export_wanted.connect(partial(_ask_where, window, dialog, desk))
    dialog.copy_wanted.connect(partial(_copy, window, desk))
    dialog.finished.connect(partial(_forget_preview, window))
    # A partition that is read by itself counts its own positions, not those of the document.
    place = session.position if content.comparison else session.cursors[0]
    at = "" if window.store.source else str(place)
    dialog.start(plan_of(session), window.settings.get("export"), at)
    dialog.open()


def _forget_preview(window: "MainWindow", _how: int) -> None:
    window.jobs.cancel(PREVIEW)


def copy_picture(window: "MainWindow") -> None:
    """Put the figure of what is visible on the clipboard, with the usual names hidden."""
    session = window.session
    if session.content is None:
        return
    seen = next((one for one in stretches(session) if one.name == VISIBLE), WHOLE)
    plan = replace(plan_of(session), window=seen.drawn, redact=USUAL)
    _copy(window, _Desk(reader(session, window.store.source)), plan)


def _preview(window: "MainWindow", dialog: ExportDialog, desk: _Desk, plan: Plan, ending: str) -> None:
    def show(made: Sketch) -> None:
        if isValid(dialog):
            dialog.show_sketch(made)

    window.jobs.in_thread_beside(PREVIEW, _sketched, (desk, plan, ending), show)


def _sketched(desk: _Desk, plan: Plan, ending: str, work: Work) -> Sketch:
    # Previews come and go with every tick: their progress is nothing to look at.
    quiet = Work(stopped=work.stopped)
    quiet.step(0, 0)
    material, plan, redaction = desk.redacted(plan, quiet)
    made = sketch(material, plan, ending, quiet)
    if redaction is None:
        return made
    # Tables are written in English; whoever reviews them reads the window's language.
    return replace(made, review=review_lines(material, replace(plan, lang=language()), redaction))


def _ask_where(window: "MainWindow", dialog: ExportDialog, desk: _Desk, plan: Plan, ending: str) -> None:
    content = window.session.content
    if content is None:
        return
    folder = Path(window.settings.get("folder") or Path.home())
    path = window.dialogs.export_to(dialog, str(folder / f"{file_name(content.title)}{ending}"))
    if not path:
        return
    window.settings.put("folder", str(Path(path).parent))
    window.settings.put("export", ending)
    dialog.accept()

    def tell(_done: object) -> None:
        window.notices.tell(tr("exporting.exported"), path)

    window.jobs.in_thread_beside(EXPORT, _written, (desk, plan, Path(path)), tell)


def _written(desk: _Desk, plan: Plan, target: Path, work: Work) -> None:
    # The dialog of the desktop has asked before an existing file is replaced.
    write(desk.whole(work), plan, target, work, replace=True)


def _copy(window: "MainWindow", desk: _Desk, plan: Plan) -> None:
    def keep(image: QImage) -> None:
        QGuiApplication.clipboard().setImage(image)
        names = ", ".join(plan.redact)
        window.notices.tell(
            tr("exporting.copied-as-a-picture"), tr("exporting.hidden-in-it", names=names) if names else ""
        )

    window.jobs.in_thread_beside(COPY, _drawn, (desk, plan), keep)


def _drawn(desk: _Desk, plan: Plan, work: Work) -> QImage:
    material, plan, redaction = desk.redacted(plan, work)
    figure = figure_of(view_of(material, plan, work), plan)
    if redaction is not None:
        gate_of(redaction).check_picture(figure)
    return image_of(figure, load_theme(plan.theme), plan.scale * zoom_of(figure, plan), enlarged=plan.slide)


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
