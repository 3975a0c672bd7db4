"""A grid of partitions and brokers: which role each broker has for each partition at one moment.

A history tells roles and the in-sync set. A summary knows only who led when: of the other replicas it says
that they are assigned, and no more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.diagnose.verdict.summary import PartitionSummary
from core.history.state import History, Role
from core.picture.bands import member_marks, role_marks
from core.picture.hatch import Rect
from core.picture.joining import commas
from core.picture.lane import STRIP_HEIGHT, role_word
from core.picture.marks import Align, Box, Mark, Text
from core.picture.metrics import text_width
from core.picture.roles import epoch_role
from core.words import said

_SIZE: Final = 10.0
_PAD: Final = 5.0


@dataclass(frozen=True, slots=True)
class GridCell:
    """One replica at a moment. `role` None: it is assigned, and its role was not read.

    `in_isr` None is not known. `read` is False where only a summary tells. `silent` is a leader or follower
    that may have gone: its last line is past, and it has not come back.
    """

    role: Role | None
    epoch: int | None = None
    in_isr: bool | None = None
    read: bool = True
    silent: bool = False


GridRow = tuple[GridCell | None, ...]
"""A row of the grid, in the order of the brokers asked for; None is no replica.

Where no line names the replicas of a partition, nobody is said to have none.
"""


def grid_row_of_history(history: History, cursor: int, brokers: Sequence[int]) -> GridRow:
    """What a history says of these brokers at a cursor of its trace."""
    assigned = history.trace.partitions[history.partition].replicas

    def of(broker: int) -> GridCell | None:
        replica = history.replicas.get(broker)
        if replica is None:
            return None if assigned else GridCell(Role.UNKNOWN)
        role, alive = replica.role.at(cursor), replica.alive.at(cursor)
        if role is Role.ABSENT:
            return None
        silent = alive is None and role in (Role.LEADER, Role.FOLLOWER)
        return GridCell(role, replica.epoch.at(cursor), replica.in_isr.at(cursor), silent=silent)

    return tuple(map(of, brokers))


def grid_row_of_summary(
    summary: PartitionSummary, replicas: Sequence[int], at: int, brokers: Sequence[int]
) -> GridRow:
    """What a summary says of these brokers at a time, ns: the leader, and who else is assigned."""
    # A term begins with its event: at that time it holds already.
    spell = next((one for one in reversed(summary.spells) if one.start <= at <= one.end), None)

    def of(broker: int) -> GridCell | None:
        if spell is not None and spell.leader == broker:
            return GridCell(Role.LEADER, spell.epoch, read=False)
        if not replicas:
            return GridCell(Role.UNKNOWN, read=False)
        return GridCell(None, read=False) if broker in replicas else None

    return tuple(map(of, brokers))


def grid_cell_words(cell: GridCell | None) -> str:
    """A cell in words: "leader, epoch 3"."""
    if cell is None:
        return said("picture.grid.no-replica")
    if cell.role is None:
        return said("picture.grid.role-not-read")
    return commas(_parts(cell, cell.role))


def _parts(cell: GridCell, role: Role) -> Iterator[str]:
    believes = role in (Role.LEADER, Role.FOLLOWER)
    yield role_word(role)
    if cell.silent:
        yield said("picture.silent")
    if role is Role.FOLLOWER and cell.in_isr is None:
        yield said("picture.grid.isr-unknown")
    elif cell.in_isr is not None and (role is Role.FOLLOWER or cell.in_isr is not believes):
        # A leader is in the set, and who is down is not: only where it is otherwise a word is needed.
        yield _member_word(member=cell.in_isr)
    if believes:
        epoch = cell.epoch
        yield said("picture.epoch.unknown") if epoch is None else said("picture.epoch.number", epoch=epoch)


def _member_word(*, member: bool) -> str:
    return said("picture.isr.in-sync") if member else said("picture.isr.out-of-sync")


def _short(cell: GridCell) -> tuple[str, ...]:
    """Words for a cell, longest first."""
    role, epoch = cell.role, "" if cell.epoch is None else f"e{cell.epoch}"
    if role is None:
        return (said("picture.grid.not-read"),)
    if cell.silent:
        return (said("picture.silent"),)
    if role not in (Role.LEADER, Role.FOLLOWER):
        return (role_word(role),)
    follows = role is Role.FOLLOWER and cell.in_isr is not None
    word = _member_word(member=bool(cell.in_isr)) if follows else role_word(role)
    return (f"{word} · {epoch}", word, epoch) if epoch else (word,)


def grid_cell_marks(cell: GridCell | None, rect: Rect) -> tuple[Mark, ...]:
    """A cell as a lane shows its replica: the role's band, below it the strip of membership.

    A follower out of sync is an outline: a row of narrow cells has no words that tell it apart.
    """
    if cell is None:
        return ()
    x, y, w, h = rect
    band = (x, y, w, h - STRIP_HEIGHT - 1)
    frame = (x + 0.5, y + 0.5, w - 1, band[3] - 1)
    if cell.role is None:
        box: tuple[Mark, ...] = (Box(*frame, edge="line.strong", dash=(2.0, 3.0)),)
    elif cell.role is Role.FOLLOWER and cell.in_isr is False and not cell.silent:
        box = (Box(*frame, edge=epoch_role(cell.epoch, "edge")),)
    else:
        box = role_marks(band, cell.role, cell.epoch, silent=cell.silent)
    strip = member_marks(x, x + w, y + h - STRIP_HEIGHT, member=cell.in_isr) if cell.read else ()
    return (*box, *strip, *_text(cell, band))


def _text(cell: GridCell, band: Rect) -> tuple[Mark, ...]:
    x, y, w, h = band
    hatched = cell.silent or cell.role in (Role.OFFLINE, Role.UNKNOWN)
    leads = cell.role is Role.LEADER and not cell.silent
    for words in _short(cell):
        wide = text_width(words, _SIZE, 600)
        if words and wide + 2 * _PAD <= w:
            role = epoch_role(cell.epoch, "ink") if leads else "text.2"
            plate = Box(x + w / 2 - wide / 2 - 4, y, wide + 8, h, fill="bg.lane", opacity=0.9)
            text = Text(x + w / 2, y + h / 2 + 3.5, words, role, _SIZE, 600, align=Align.CENTRE)
            return (plate, text) if hatched else (text,)
    return ()
