"""The left dock: findings worst first, notes, and the ledger of what was lost."""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.diagnose.verdict.counted import Sums, sums_of
from core.document.notes import NoteKind
from core.picture.marks import Ref, Sign
from core.picture.metrics import elide, wrap
from core.picture.notes import PlacedNote
from core.shown import shown, shown_in_line
from gui.glyphs import draw_sign
from gui.panels.claims import Claim, claims_of
from gui.panels.explain import place_label
from gui.panels.parts import PanelHead, clear_rows, column, empty, label, paint_row_ground, rule, tip
from gui.panels.signs import sign_of
from gui.terms import counted, counted_up_to
from gui.text.spoken import tr
from gui.theme import Theme, font
from gui.workspace.content import Content
from gui.workspace.pinned import BOOKMARK, PinnedNote
from gui.workspace.session import Session

_KEY: Final = Qt.ItemDataRole.UserRole
_FACTS: Final = Qt.ItemDataRole.UserRole + 1
_BODY: Final = Qt.ItemDataRole.UserRole + 2
_MOST_LINES: Final = 5
_MOST_OF_BODY: Final = 2
"""Lines of fact below the headline of a finding; the rest is in the tip and the inspector."""
_LEAST: Final = 220
"""Least width of these panels."""
_KEPT: Final = 1024
"""So many texts are kept in lines: a row asks when it is measured and whenever it is painted."""


class _Row(QStyledItemDelegate):
    """Draws a row: a sign, a title of a few lines, a line of facts."""

    _LEFT, _TOP, _SIGN = 16, 8, 24

    def __init__(self, parent: "_RowList") -> None:
        super().__init__(parent)
        self._list = parent
        self.theme: Theme | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As high as the title needs at the width of the list."""
        width = self._list.viewport().width()
        lines, body = len(self._lines(index, width)), len(self._body(index, width))
        facts = 16 if index.data(_FACTS) else 0
        return QSize(0, 2 * self._TOP + lines * 17 + body * 16 + facts)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The row in the theme's colours; the selected one has the bar."""
        theme = self.theme
        if theme is None:
            return
        box: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        paint_row_ground(painter, box, theme, state)
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.colour("line.hair"))
        sign = self._list.signs[index.row()]
        left = box.left() + self._LEFT + (self._SIGN if sign else 0)
        if sign is not None:
            at = replace(sign, x=box.left() + self._LEFT + 8.0, y=box.top() + self._TOP + 9.0)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_sign(painter, at, theme)
        y = box.top() + self._TOP
        painter.setFont(font(12, 600 if selected else 500))
        painter.setPen(theme.colour("text"))
        for line in self._lines(index, box.width()):
            painter.drawText(QRect(left, y, box.width(), 17), Qt.AlignmentFlag.AlignVCenter, line)
            y += 17
        painter.setFont(font(11))
        painter.setPen(theme.colour("text.2"))
        for line in self._body(index, box.width()):
            painter.drawText(QRect(left, y, box.width(), 16), Qt.AlignmentFlag.AlignVCenter, line)
            y += 16
        painter.setPen(theme.colour("text.3"))
        room = float(box.right() - left - self._TOP)
        facts = elide(index.data(_FACTS) or "", room, 11)
        painter.drawText(QRect(left, y, box.width(), 16), Qt.AlignmentFlag.AlignVCenter, facts)
        painter.restore()

    def _room(self, index: QModelIndex | QPersistentModelIndex, width: int) -> float:
        """How wide texts may be."""
        return float(max(width - self._LEFT - 20 - (self._SIGN if self._list.signs[index.row()] else 0), 60))

    def _lines(self, index: QModelIndex | QPersistentModelIndex, width: int) -> tuple[str, ...]:
        title = str(index.data(Qt.ItemDataRole.DisplayRole)).replace("\n", " ")
        return _cut_short(title, self._room(index, width), _MOST_LINES, 12, 600)

    def _body(self, index: QModelIndex | QPersistentModelIndex, width: int) -> tuple[str, ...]:
        return _cut_short(index.data(_BODY) or "", self._room(index, width), _MOST_OF_BODY, 11, 400)


@lru_cache(maxsize=_KEPT)
def _cut_short(text: str, room: float, most: int, size: int, weight: int) -> tuple[str, ...]:
    """A text in at most so many lines; the last one ends in an ellipsis where there are more."""
    lines = wrap(text, room, size, weight) if text else ()
    if len(lines) <= most:
        return lines
    return (*lines[: most - 1], elide(" ".join(lines[most - 1 :]), room, size, weight))


class _RowList(QListWidget):
    """A list whose rows are a title and a line of facts, as high as they need to be."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.signs: list[Sign | None] = []
        """The sign of each row. Items of Qt hold texts and numbers: freeing objects of Python, it crashed."""
        self._row = _Row(self)
        self.setItemDelegate(self._row)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._row.theme = theme
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows wrap anew where a scroll bar came, or the dock has another width: Qt asks only for heights."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()

    def clear_rows(self) -> None:
        """Take all rows away, and tell nobody which one was the current one meanwhile."""
        self.blockSignals(True)
        clear_rows(self)
        self.blockSignals(False)
        self.signs.clear()

    def add(self, title: str, facts: str, key: int | None, sign: Sign | None = None) -> None:
        """Append a row; `key` comes back as the item's data."""
        item = QListWidgetItem(shown(title))
        item.setData(_KEY, key)
        item.setData(_FACTS, shown_in_line(facts))
        self.signs.append(sign)
        item.setToolTip(tip(f"{title}\n{facts}"))
        self.addItem(item)

    def add_claim(self, claim: Claim, key: int, sign: Sign) -> None:
        """Append the row of a finding."""
        item = QListWidgetItem(shown(claim.title))
        item.setData(_KEY, key)
        item.setData(_FACTS, shown_in_line(claim.when))
        item.setData(_BODY, shown_in_line(claim.fact))
        self.signs.append(sign)
        item.setToolTip(tip(f"{claim.words}\n{claim.when}"))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{claim.title}. {claim.words} {claim.when}")
        self.addItem(item)


class _Following(QWidget):
    """Shows what is open. Nothing is made of it while nobody sees it."""

    def __init__(self, session: Session, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._session, self._late = session, False
        session.content_changed.connect(self._content_changed)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was opened while hidden."""
        super().showEvent(event)
        self.catch_up()

    def catch_up(self) -> None:
        """Show what is open now, if that is not what is shown."""
        if self._late:
            self._late = False
            self._fill(self._session.content)

    def _content_changed(self, content: Content | None) -> None:
        self._late = True
        if content is None or self.isVisible():
            self.catch_up()

    def _fill(self, content: Content | None) -> None:
        """Show this; None is nothing."""


class FindingsPanel(_Following):
    """What diagnosis found, worst first. Enter or a click moves the cursor there, and explains the claim."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(session, parent)
        self._places: list[tuple[Ref, int]] = []
        """What each row selects, and the Seq of the event that it goes to."""
        self.setMinimumWidth(_LEAST)
        self.head = PanelHead(tr("lists.findings"))
        self.list = _RowList(tr("lists.findings-worst-first"))
        self.list.currentItemChanged.connect(self._follow)
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        outer = column(self)
        outer.addWidget(self.head)
        outer.addWidget(self.list, 1)

    def go(self, place: int) -> None:
        """Move to the finding at a place of the list, if there is one."""
        self.catch_up()
        item = self.list.item(place)
        if place < self.list.count():
            self.list.setCurrentItem(item)
            self._open(item)

    def _fill(self, content: Content | None) -> None:
        self.list.clear_rows()
        self._places = []
        self.head.fact.setText("")
        if content is None:
            return
        for index, run in enumerate(content.runs):
            for claim, finding in zip(claims_of(content, index), run.verdict.findings, strict=True):
                self._places.append((claim.ref, finding.seq))
                self.list.add_claim(claim, len(self._places) - 1, sign_of(finding.check))
        count = self.list.count()
        self.head.fact.setText(tr("lists.worst-first", count=count) if count else "")
        if not count:
            self.list.add(tr("lists.nothing-lost-nothing-diverged-in-what"), "", None)
            self.list.item(0).setFlags(Qt.ItemFlag.NoItemFlags)

    def _follow(self, item: QListWidgetItem | None) -> None:
        """The timeline follows the arrow keys in the list."""
        if item is not None and self.list.hasFocus():
            self._open(item)

    def _open(self, item: QListWidgetItem) -> None:
        place, content = item.data(_KEY), self._session.content
        if place is not None and content is not None:
            ref, seq = self._places[place]
            self._session.set_position(content.position_of(ref.run, seq + 1))
            self._session.select(ref)


class NotesPanel(QWidget):
    """The notes and bookmarks, by position. Enter or a click goes to one; a double click edits it."""

    edit_wanted = Signal(int)
    """key of the note"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self._session = session
        self.head = PanelHead(tr("lists.notes-bookmarks"))
        self.list = _RowList(tr("lists.notes-and-bookmarks-by-position"))
        self.list.setMinimumHeight(60)
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        self.list.itemDoubleClicked.connect(self._edit)
        self.later = label("", "secondary", wrap=True)
        self.later.setContentsMargins(16, 4, 16, 8)
        outer = column(self)
        outer.addWidget(self.head)
        outer.addWidget(self.list, 1)
        outer.addWidget(self.later)
        session.notes_changed.connect(self._fill)

    def _edit(self, item: QListWidgetItem) -> None:
        self.edit_wanted.emit(item.data(_KEY))

    def _fill(self, *_changed: object) -> None:
        self.list.clear_rows()
        session = self._session
        number = 0
        for note in session.notes:
            number += note.kind != BOOKMARK
            position = session.note_position(note)
            placed = PlacedNote(number, position or 0, note.text, colour=note.colour, shape=note.shape)
            sign = None if note.kind == BOOKMARK else placed.tag(0, 0)
            self.list.add(note.text, note_facts(session, note), note.key, sign)
        self.head.fact.setText(str(len(session.notes)) if session.notes else tr("lists.n-or-b-adds-one"))
        count = len(session.later.notes)
        self.later.setText(
            tr("lists.1-note-was-written-by-a")
            if count == 1
            else tr("lists.notes-were-written-by-a-later", count=count)
        )
        self.later.setVisible(bool(count))

    def _open(self, item: QListWidgetItem) -> None:
        note = self._session.note(item.data(_KEY))
        if note is None:
            return
        position = self._session.note_position(note)
        if position is not None:
            self._session.set_position(position)
        self._session.select(Ref("note", note.run, note.key, text=note.text))


def note_facts(session: Session, note: PinnedNote) -> str:
    """What a note is tied to, in words."""
    content, position = session.content, session.note_position(note)
    if content is None or position is None:
        return tr("lists.its-place-is-not-in-what")
    where = ", ".join(part for part in place_label(content, position) if part)
    end = "" if note.end is None else place_label(content, content.position_of(note.run, note.end))[0]
    broker = note.broker
    match note.kind:
        case NoteKind.BOOKMARK:
            return tr("lists.bookmark", where=where)
        case NoteKind.RANGE:
            return tr("lists.range-to", where=where, end=end)
        case NoteKind.LANE:
            return tr("lists.replica-on-broker", broker=str(broker))
        case NoteKind.ARROW:
            return tr(
                "lists.arrow-broker-to-to",
                broker=str(broker),
                other=str(note.end_broker),
                where=where,
                end=end,
            )
        case _ if broker is not None:
            return tr("lists.broker", broker=broker, where=where)
        case _:
            return where


class LedgerPanel(_Following):
    """How many records went, by what had been promised about them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(session, parent)
        self.head = PanelHead(tr("lists.loss-ledger"))
        self.head.fact.setText(tr("lists.records"))
        outer = column(self)
        outer.addWidget(rule())
        outer.addWidget(self.head)
        self._body = QWidget()
        self._column = column(self._body, (16, 0, 16, 12), 4)
        outer.addWidget(self._body)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is narrow needs more lines; a splitter does not ask for them."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Its lines ask for another height, too, when they get their font after they got their width."""
        answered = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return answered

    def _fit(self) -> None:
        self._body.setMinimumHeight(max(self._column.heightForWidth(max(self.width(), _LEAST)), 0))

    def _fill(self, content: Content | None) -> None:
        empty(self._column)
        if content is None:
            return
        promised = (tr("lists.committed-then-gone"), tr("lists.acknowledged-then-gone"))
        for text, counts in ledger(content):
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(label(text, "body", wrap=True), 1)
            for count in counts:
                red = count not in ("0", "?") and text in promised
                cell = label(count, "lossMono" if red else "mono")
                cell.setMinimumWidth(26)
                cell.setAlignment(Qt.AlignmentFlag.AlignRight)
                row.addWidget(cell)
            self._column.addWidget(line)
        self._fit()


def ledger(content: Content) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(what, records per run): removed from a log, then lost by promise, then what may have been promised."""
    sums = [sums_of(run.verdict) for run in content.runs]
    rows = (
        (
            tr("lists.removed-from-a-log"),
            [counted(one.removed, at_least=one.removed_at_least) for one in sums],
        ),
        (
            tr("lists.committed-then-gone"),
            [counted(one.committed, at_least=one.lost_at_least) for one in sums],
        ),
        (tr("lists.acknowledged-then-gone"), [_acknowledged(one) for one in sums]),
        (
            tr("lists.possibly-lost"),
            [counted_up_to(one.possible, at_least=one.possible_at_least) for one in sums],
        ),
        (
            tr("lists.possibly-acknowledged"),
            [counted_up_to(one.rest_possibly_acknowledged, at_least=one.rest_at_least) for one in sums],
        ),
        (tr("lists.never-committed"), [_exactly(one.rest - one.rest_possibly_acknowledged) for one in sums]),
        (tr("lists.still-on-a-replica"), [_exactly(one.left) for one in sums]),
    )
    return tuple((text, tuple(counts)) for text, counts in rows)


def _exactly(count: int) -> str:
    return f"{count:,}"


def _acknowledged(sums: Sums) -> str:
    """Lost records that a producer was told of; "?" where nothing in the evidence could tell."""
    if sums.acknowledged_at_least and not sums.acknowledged:
        return "?"
    return counted(sums.acknowledged, at_least=sums.acknowledged_at_least)
