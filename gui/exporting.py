"""Export of what is open: laid out anew for paper, without the cursor, light."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from core.errors import QuestionError
from core.picture.marks import Picture
from core.picture.notes import PlacedNote
from core.picture.words import comparison_text, timeline_text
from core.trace.times import rfc3339
from gui.commands.event_tables import event_table, write_events
from gui.commands.pictures import timeline_view
from gui.export import export_picture
from gui.scrub.page import page
from gui.session import Session
from gui.timeline.scenes import Look, placed_notes, scene_of

WIDTH: Final = 1600.0
FRAME: Final = 120.0
RUN: Final = 40.0
LANE: Final = 150.0
"""Logical pixels of the figure: its width, and what ruler, a run's header and a lane get of its height."""
_PICTURES: Final = (".png", ".svg", ".pdf")
_TABLES: Final = (".csv", ".json", ".parquet")


def export(session: Session, path: str) -> None:
    """Write what is open as the ending says: a picture, a page (of one run), a table of events, a text.

    Of the visible stretch of time where one is chosen. Raises TidegaugeError.

    What stands at `path` is replaced: the dialog has asked.
    """
    content = session.content
    if content is None:
        raise QuestionError("Nothing is open that could be exported")
    ending = Path(path).suffix.lower()
    if ending == ".txt":
        text = (
            comparison_text(content.comparison)
            if content.comparison
            else timeline_text(content.runs[0].history, content.runs[0].verdict)
        )
        write_text(path, text)
    elif ending in _TABLES:
        partition = str(content.runs[0].history.trace.partitions[content.runs[0].history.partition].tp)
        traces = [run.history.trace for run in content.runs]
        write_events(event_table(traces, partition, _stretch(session)), Path(path))
    elif ending == ".html" and content.comparison is None:
        view = timeline_view(content.runs[0], (), _stretch(session), round(WIDTH))
        write_text(path, page(replace(view, notes=placed_notes(session))))
    elif ending in _PICTURES:
        export_picture(figure(session), path, title=content.title, replace=True)
    else:
        raise QuestionError(
            f"{ending or 'No ending'} is not a kind of picture or text",
            where=path,
            advice=f"Use {', '.join((*_PICTURES, *_TABLES))}, .txt, or .html for a single run",
        )


def _stretch(session: Session) -> tuple[str | None, str | None]:
    return (
        (None, None) if session.window is None else (rfc3339(session.window[0]), rfc3339(session.window[1]))
    )


def figure(session: Session) -> Picture:
    """The figure of what is open: with title, notes, legend and sources, without the cursor."""
    content = session.content
    if content is None:
        raise QuestionError("Nothing is open that could be exported")
    lanes = sum(len(run.history.replicas) for run in content.runs)
    height = FRAME + len(content.runs) * RUN + lanes * LANE
    return scene_of(content).figure(Look(None, WIDTH, height, session.window, _written(session)))


def write_text(path: str, text: str) -> None:
    """Write a text whole or not at all."""
    target = Path(path)
    part = target.with_name(f"{target.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise QuestionError("The text cannot be written", why=error.strerror or "", where=path) from error


def _written(session: Session) -> tuple[PlacedNote, ...]:
    """The notes of a figure: bookmarks are for whoever works with the document."""
    return tuple(note for note in placed_notes(session) if note.number)
