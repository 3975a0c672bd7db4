"""Export of what is open: laid out anew for paper, without the cursor, light."""

from pathlib import Path
from typing import Final

from core.errors import QuestionError
from core.picture.marks import Picture
from core.picture.notes import PlacedNote
from core.picture.words import comparison_text, timeline_text
from gui.export import export_picture
from gui.session import Session
from gui.timeline.scenes import Look, placed_notes, scene_of

WIDTH: Final = 1600.0
FRAME: Final = 120.0
RUN: Final = 40.0
LANE: Final = 150.0
"""Logical pixels of the figure: its width, and what ruler, a run's header and a lane get of its height."""
_PICTURES: Final = (".png", ".svg", ".pdf")


def export(session: Session, path: str) -> None:
    """Write a picture (.png, .svg, .pdf) or the text (.txt) of what is open. Raises TidegaugeError.

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
    elif ending in _PICTURES:
        export_picture(figure(session), path, title=content.title, replace=True)
    else:
        raise QuestionError(
            f"{ending or 'No ending'} is not a kind of picture or text",
            where=path,
            advice=f"Use {', '.join(_PICTURES)} or .txt",
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
