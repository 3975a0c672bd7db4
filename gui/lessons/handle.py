"""The handle on the ladder: a cut or a high watermark is dragged to its offset, beside its lane."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.compare.comparison import Run
from core.picture.ladder import BESIDE, Ladder, Placed, lens_width, moved_aside, with_ladder, with_lens
from core.picture.lane import Lane, number
from core.picture.letters import with_veil
from core.picture.marks import Picture
from core.teaching.facts import broker_ids
from core.teaching.lesson import Ask, AskKind
from gui.lessons.answering import AnswerField, NumberField, kept_words
from gui.text.spoken import tr
from gui.timeline.stage import Stage

ROOM: Final = 250
"""Width right of the lanes that ladder and grip need."""
_SPOT: Final = 96.0
"""So far left of the veil the lane that is asked about is marked."""
_EACH: Final = 24
"""With more offsets than these the ladder may need a lens."""
_EDGE: Final = 8.0
_ABOVE: Final = 13.0
"""A press so far above the highest rung still means it."""


class LadderHandle(QWidget):
    """Takes the mouse over the ladder, which is a part of the picture: this draws nothing."""

    chosen = Signal(int)
    """the offset whose rung the mouse is on"""

    def __init__(self, stage: Stage) -> None:
        """Over the lanes of `stage`; hidden while no offset is asked for."""
        super().__init__(stage.canvas)
        self.setObjectName("ladderHandle")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        self.setAccessibleName(tr("lesson.answer.offset"))
        self.hide()
        self.ladder: Ladder | None = None
        """As it is drawn; None where there is none."""
        self._stage = stage
        self._ask: Ask | None = None
        self._broker = -1
        self._around: int | None = None
        """What the lens stays around while it is dragged in; None: what is chosen."""
        self._field: NumberField | None = None

    def ask(self, ask: Ask | None, run: Run, field: AnswerField | None) -> None:
        """Take the answer to a question about a run, beside its field; hide where it asks for no offset."""
        self._ask = self._field = None
        if ask is None or not isinstance(field, NumberField):
            self._show(None)
            return
        self._ask, self._field = ask, field
        self._broker = broker_ids(run)[ask.broker]
        self.chosen.connect(field.spin.setValue)
        field.changed.connect(self._stage.redraw)

    @property
    def least_room(self) -> int:
        """How much width right of the lanes it needs now."""
        if self._field is None:
            return 0
        most = self._field.spin.maximum()
        return ROOM if most <= _EACH else ROOM + round(lens_width(most)) + 12

    def veiled(self, picture: Picture, left: float, head: float, lanes: Sequence[Lane]) -> Picture:
        """The picture with the veil right of `left` and under `head`, and the ladder where one is."""
        ladder = self._ladder(picture, left, lanes)
        chosen = None if self._field is None else self._field.given()
        if ladder is not None and chosen is not None:
            around = chosen if self._around is None else self._around
            ladder = with_lens(ladder, around, head, picture.height)
        self._show(ladder)
        if ladder is None:
            return with_veil(picture, left, head, tr("lesson.veil"))
        middle = moved_aside(ladder, head, picture.height)
        words = "" if middle is None else tr("lesson.veil")
        # What is laid over a picture lies under what was laid over it before.
        return with_veil(with_ladder(picture, ladder, self._placed(lanes)), left, head, words, middle)

    def _lane(self, lanes: Sequence[Lane]) -> Lane | None:
        """The lane that is asked about, where its heights are offsets."""
        found = (one for one in lanes if (one.run, one.broker) == (0, self._broker))
        return next((one for one in found if one.box.area and one.lag is None), None)

    def _ladder(self, picture: Picture, left: float, lanes: Sequence[Lane]) -> Ladder | None:
        lane = self._lane(lanes)
        if self._ask is None or self._field is None or lane is None:
            return None
        low = max(lane.offsets.lowest, 0)
        high = min(self._field.spin.maximum(), lane.offsets.top)
        if self._ask.kind is AskKind.CUT:
            high = min(high, _log_end(lane) or high)
        box = lane.box
        return Ladder(
            left=left + BESIDE,
            right=picture.width - _EDGE,
            scale=lane.offsets,
            low=low,
            high=max(low, high),
            lane=(left - _SPOT, box.top + 2, picture.width - _EDGE / 2 - left + _SPOT, box.end - box.top - 4),
        )

    def _placed(self, lanes: Sequence[Lane]) -> Placed:
        offset = None if self._field is None else self._field.given()
        if self._ask is None or offset is None:
            return Placed(None, tr("lesson.ladder.drag"))
        keeps = kept_words(self._ask.kind, offset)
        if self._ask.kind is AskKind.WATERMARK:
            return Placed(offset, tr("lesson.ladder.watermark", offset=number(offset)), keeps, role="hw")
        lane = self._lane(lanes)
        end = None if lane is None else _log_end(lane)
        return Placed(offset, tr("lesson.ladder.cut", offset=number(offset)), keeps, end)

    def _show(self, ladder: Ladder | None) -> None:
        """Lie over the ladder and its grip."""
        self.ladder = ladder
        if ladder is None:
            self.hide()
            return
        x, y, w, h = ladder.grip(None)
        _, lens, _, tall = ladder.lens.box if ladder.lens is not None else (x, y, w, h)
        top, end = round(min(y, lens)) - 2, round(max(ladder.bottom + h / 2, lens + tall))
        self.setGeometry(QRect(round(ladder.left), top, round(ladder.right - ladder.left), end - top))
        self.show()
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """On the ladder or in its lens: the offset there. The grip is only held."""
        event.accept()
        ladder, at = self.ladder, event.position() + QPointF(self.pos())
        if ladder is None:
            return
        lens = ladder.lens
        if lens is not None and lens.left <= at.x() <= lens.left + lens.width:
            self._around = lens.around
            self.chosen.emit(ladder.offset_in_lens(at.y()))
        elif (lens is None or at.x() < lens.left) and at.y() >= ladder.top - _ABOVE:
            self.chosen.emit(ladder.offset_at(at.y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The grip follows, from rung to rung; in the lens each offset is as far as a rung of it."""
        event.accept()
        if self.ladder is not None and event.buttons() & Qt.MouseButton.LeftButton:
            y = event.position().y() + self.y()
            fine = self._around is not None
            self.chosen.emit(self.ladder.offset_in_lens(y) if fine else self.ladder.offset_at(y))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The lens stands around what was chosen."""
        event.accept()
        if self._around is not None:
            self._around = None
            self._stage.redraw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The lanes under it are not zoomed."""
        event.accept()


def _log_end(lane: Lane) -> int | None:
    """The log end offset of a lane where its run stops, as far as it is proven."""
    return lane.replica.leo.at(len(lane.trace)).lo
