"""How one cell of a log is drawn, and the post of the high watermark between cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, LiteralString

from core.history.state import Band
from core.message import message
from core.picture.cell_slots import Slots
from core.picture.cell_transactions import InTransaction
from core.picture.fold_marks import slashes
from core.picture.hatch import Rect, dots, hatched
from core.picture.marks import Align, Box, Glyph, Hatch, Line, Mark, Ref, Sign, Text
from core.picture.metrics import elide
from core.picture.roles import epoch_role
from core.words import text

_SIZE = 11.0


class CellState(StrEnum):
    """What a replica holds at an offset (visual design 5.1)."""

    COMMITTED = "committed"
    OPEN = "not yet committed"
    MAYBE = "may exist"
    HOLE = "no record"
    """Compaction has taken it, or a cut inside a batch has left it: it is not lost, and holds nothing."""
    NEXT = "next offset"
    REMOVED = "removed, as designed"
    LOST = "lost"


_STATES: Final[Mapping[CellState, LiteralString]] = {
    CellState.COMMITTED: "picture.cell.committed",
    CellState.OPEN: "picture.cell.open",
    CellState.MAYBE: "picture.cell.maybe",
    CellState.HOLE: "picture.cell.hole",
    CellState.NEXT: "picture.cell.next",
    CellState.REMOVED: "picture.cell.removed",
    CellState.LOST: "picture.cell.lost",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One offset of one replica, or a fold of them. `acknowledged` None: nobody was told; True: acks=all."""

    offset: int
    state: CellState
    text: str
    epoch: int | None
    visible: bool = False
    acknowledged: bool | None = None
    diverged: bool = False
    alike: int = 0
    """How many offsets are folded into it; 0 where it is of one."""
    part: InTransaction | None = None
    """What it is in a transaction."""

    @property
    def end(self) -> int:
        """The offset after it."""
        return self.offset + (self.alike or 1)


def cell_marks(cell: Cell, box: Rect, run: int) -> list[Mark]:
    """The marks of a cell inside its box."""
    x, y, w, h = box
    last = cell.end - 1 if cell.alike else -1
    ref = Ref("cell", run, cell.offset, -1, _name(cell), last)
    marks: list[Mark] = [*_body(cell, box, ref)]
    following = cell.state is CellState.NEXT
    room = w - 22 if cell.alike else w - 3
    words = elide(cell.text, room, 10.0 if following or cell.alike else _SIZE, 500, mono=True)
    if following and words != cell.text:
        words = ""
    if words and not (cell.diverged and w < 40):
        marks.append(_words(cell, box, words))
    if cell.alike:
        role = epoch_role(cell.epoch, "ink") if cell.state is CellState.COMMITTED else "text.2"
        marks.extend(mark for across in (x + 6, x + w - 6) for mark in slashes(across, y + h / 2, role=role))
    if cell.visible:
        marks.append(Box(x, y + h + 1, w, 3, fill="hw"))
    if cell.acknowledged is not None:
        glyph = Glyph.ACK_ALL if cell.acknowledged else Glyph.ACK_ONE
        marks.append(Sign(x + w - 3, y + 1, glyph, 9, "text", rank=13))
    marks.extend(_of_transaction(cell, box))
    if cell.diverged:
        across = x + w - 9 if w >= 40 else x + w / 2
        marks.append(Sign(across, y + h / 2, Glyph.DIVERGENCE, 15, "loss", rank=4, ref=ref))
    return marks


def _of_transaction(cell: Cell, box: Rect) -> Sequence[Mark]:
    """An aborted record is struck through, an open one has dots below, a marker a bar at its end."""
    x, y, w, h = box
    role = epoch_role(cell.epoch, "ink") if cell.state is CellState.COMMITTED else "text.2"
    match cell.part:
        case InTransaction.ABORTED:
            return (Line(((x + 3, y + h / 2), (x + w - 3, y + h / 2)), role, 1.2),)
        case InTransaction.OPEN:
            return (Line(((x + 3, y + h - 3), (x + w - 3, y + h - 3)), role, 1.2, dash=(1.5, 2.5)),)
        case InTransaction.MARKER:
            return (Line(((x + w - 4, y + 3), (x + w - 4, y + h - 3)), role, 2.0),)
        case _:
            return ()


_PARTS: Final[Mapping[InTransaction, LiteralString]] = {
    InTransaction.OPEN: "picture.cell.in-open-transaction",
    InTransaction.COMMITTED: "picture.cell.in-committed-transaction",
    InTransaction.ABORTED: "picture.cell.in-aborted-transaction",
    InTransaction.MARKER: "picture.cell.transaction-marker",
}


def _name(cell: Cell) -> str:
    state = message(_STATES[cell.state])
    name = message("picture.cell.record", offset=cell.offset, record=cell.text, state=state)
    if not cell.text:
        name = message("picture.cell.bare", offset=cell.offset, state=state)
    if cell.part is not None:
        name = message(_PARTS[cell.part], cell=name)
    return text(message("picture.cell.diverged", cell=name) if cell.diverged else name)


def _body(cell: Cell, box: Rect, ref: Ref) -> Sequence[Mark]:
    x, y, w, h = box
    frame = (x + 0.7, y + 0.7, w - 1.4, h - 1.4)
    epoch = epoch_role(cell.epoch)
    match cell.state:
        case CellState.COMMITTED:
            return (Box(*box, fill=epoch, ref=ref),)
        case CellState.OPEN:
            tint = Box(*box, fill=epoch, opacity=0.18)
            hatch = hatched(box, Hatch.RISING, 6.0, (x, y + h), epoch, opacity=0.55)
            return (tint, *hatch, Box(*frame, edge=epoch_role(cell.epoch, "edge"), edge_width=1.4, ref=ref))
        case CellState.MAYBE:
            return (
                *dots(box, 6.0, (x, y), "text.3"),
                Box(*frame, edge="line.edge", dash=(1.0, 2.0), ref=ref),
            )
        case CellState.NEXT:
            return (Box(*frame, edge="line.edge", dash=(2.0, 2.0), ref=ref),)
        case CellState.HOLE:
            middle = y + h / 2
            return (
                Line(((x + w / 2 - 3, middle), (x + w / 2 + 3, middle)), "text.3", 1.2),
                Box(*frame, edge="line.edge", ref=ref),
            )
        case CellState.REMOVED | CellState.LOST:
            lost = cell.state is CellState.LOST
            role = "loss" if lost else "line.edge"
            return (
                Box(*box, fill="loss" if lost else "offline", opacity=0.12),
                Line(((x + 2, y + h - 2), (x + w - 2, y + 2)), role, 1.2),
                Box(*frame, edge=role, edge_width=1.2, dash=(3.0, 2.0), ref=ref),
            )


def _words(cell: Cell, box: Rect, words: str) -> Text:
    x, y, w, h = box
    plain = cell.state is CellState.COMMITTED
    role = epoch_role(cell.epoch, "ink") if plain else "text.3" if cell.state is CellState.NEXT else "text.2"
    if cell.state is CellState.OPEN:
        role = "text"
    plate = cell.state not in (CellState.COMMITTED, CellState.NEXT)
    left_over = 9.0 if cell.diverged else 0.0
    size = 10.0 if cell.state is CellState.NEXT or cell.alike else _SIZE
    return Text(
        x + (w - left_over) / 2,
        round(y + h / 2 + 4),
        words,
        role,
        size,
        500,
        mono=True,
        align=Align.CENTRE,
        plate=plate,
    )


def lso_post(lso: Band, slots: Slots, across: tuple[float, float], down: tuple[float, float]) -> list[Mark]:
    """A dashed post left of the first record that readers of committed transactions do not see."""
    x0, cell = across
    y, high = down
    if lso.exact is None or not slots.first <= lso.exact <= slots.end:
        return []
    x = round(x0 + slots.at(lso.exact) * cell - 0.75)
    return [Line(((x, y - 4), (x, y + high + 4)), "lso", 2.0, dash=(3.0, 2.0))]


def hw_post(hw: Band, slots: Slots, across: tuple[float, float], down: tuple[float, float]) -> list[Mark]:
    """2 px of water left of the first record that is not visible; two dotted posts and a bar for a bound."""
    first, end = slots.first, slots.end
    x0, cell = across
    y, high = down
    top, bottom = y - 4, y + high + 4

    def at(offset: int) -> float:
        return round(x0 + slots.at(offset) * cell - 0.75)

    if hw.exact is not None:
        if not first <= hw.exact <= end:
            return []
        x = at(hw.exact)
        sign: list[Mark] = [
            Line(((x, top), (x, bottom)), "hw", 2.0),
            Line(((x, top - 7), (x, top)), "hw", 0.0, arrow=7.0),
        ]
        return sign
    posts: list[Mark] = [
        Line(((at(offset), top), (at(offset), bottom)), "hw", 2.0, dash=(2.0, 2.0))
        for offset in (hw.lo, hw.hi)
        if offset is not None and first <= offset <= end
    ]
    if hw.lo is not None and hw.hi is not None:
        left = max(at(max(hw.lo, first)), x0)
        right = min(at(min(hw.hi, end)), x0 + slots.width * cell)
        if right > left:
            posts.append(Box(left, top, right - left, 2, fill="hw", opacity=0.5))
    return posts
