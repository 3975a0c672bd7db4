"""The timeline for those who hear it: a sentence at each place of the cursor, the state of each lane."""

from collections.abc import Callable

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from core.picture.outline import Part
from core.shown import shown_in_line
from gui.panels.lane_state import told_part
from gui.panels.narration import sentence
from gui.timeline.canvas import Canvas
from gui.workspace.session import Session


def tell_aloud(session: Session, canvas: Canvas) -> Callable[[], None]:
    """Tell a reader of the screen what happened at the cursor, whenever it moved in sight and nothing plays.

    Gives what tells it once more, for when the lanes come into sight.
    """

    def told(part: Part) -> Part:
        content = session.content
        return part if content is None else told_part(content, part, session.position)

    def announce(*_moved: int) -> None:
        content = session.content
        if content is None or session.playing or not canvas.isVisible() or not QAccessible.isActive():
            return
        words = shown_in_line(sentence(content, session.position))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(canvas, words))

    canvas.tell_part = told
    session.position_changed.connect(announce)
    return announce
