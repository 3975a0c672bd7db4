"""The selected partition, beside the table: small lanes, what was found, who shares its cause, numbers."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QSizePolicy, QWidget

from core.diagnose.account.page import AccountPage
from core.trace.times import clock
from gui.panels.count_lists import KEY, add_row, filter_list, fit_rows
from gui.panels.parts import Elided, column, empty, label, rule
from gui.panels.same_cause import same_cause
from gui.terms import counted, lasting, percent
from gui.text.spoken import tr, worded
from gui.theme import Theme
from gui.triage.rows import Row, Table, story
from gui.triage.small_lanes import SmallLanes
from gui.workspace.session import Session

_INSET: Final = 16
_STORY: Final = 12
_SHARED: Final = 8
"""Partitions of the same cause that are listed."""


class Side(QWidget):
    """What is known of one row of the table."""

    partition_wanted = Signal(str, object)
    """a partition of the same cause, to be opened; None: where it has most to tell"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Empty until a row is shown."""
        super().__init__(parent)
        self.lanes = SmallLanes(session)
        self.shared = filter_list(tr("triage.same-cause"))
        self.shared.itemActivated.connect(self._open)
        self.shared.itemClicked.connect(self._open)
        self._lines = column(self, (_INSET, 8, _INSET, 16), 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Small lanes where there is room for them."""
        super().resizeEvent(event)
        self.lanes.give_room(event.size().width() - 2 * _INSET)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.lanes.set_theme(theme)

    def show_row(self, row: Row | None, table: Table, account: AccountPage | None) -> None:
        """Show a row; None is that no row fits what is asked for."""
        for kept in (self.lanes, self.shared):
            # Taken out of the layout, so that they are not deleted with the rest.
            self._lines.removeWidget(kept)
            kept.setParent(self)
            kept.hide()
        empty(self._lines)
        self.lanes.show_partition(None if row is None else row.summary.partition)
        if row is None:
            self._lines.addWidget(label(tr("triage.no-partition-fits-what-is-asked"), "secondary", wrap=True))
            self._lines.addStretch(1)
            return
        add = self._lines.addWidget
        add(label(row.name, "title", select=True))
        add(label(tr("triage.place-of-all", place=row.place, every=len(table.rows)), "secondary"))
        add(self.lanes)
        for finding in story(table, row)[:_STORY]:
            add(rule())
            add(label(clock(finding.start), "secondaryMono"))
            add(label(worded(finding.message), wrap=True, select=True))
        if not row.summary.findings:
            add(label(tr("lists.nothing-lost-nothing-diverged-in-what"), wrap=True))
        self._add_shared(row, account)
        add(rule())
        for name, value in facts_of(row):
            add(_fact(name, value))
        self._lines.addStretch(1)

    def _add_shared(self, row: Row, account: AccountPage | None) -> None:
        """The partitions that lost by the same cause in the same incident."""
        found = None if account is None else same_cause(account, row.summary.partition)
        if found is None:
            return
        self.shared.clear()
        for name, count in found.others[:_SHARED]:
            add_row(self.shared, name, count, name)
        fit_rows(self.shared)
        self._lines.addWidget(rule())
        self._lines.addWidget(label(tr("triage.same-cause"), "section"))
        self._lines.addWidget(label(found.size, "secondary", wrap=True))
        self._lines.addWidget(label(found.sentence, wrap=True, select=True))
        self._lines.addWidget(self.shared)
        self.shared.show()
        more = len(found.others) - _SHARED
        if more > 0:
            self._lines.addWidget(label(tr("triage.more", count=more), "secondary"))

    def _open(self, item: QListWidgetItem) -> None:
        self.partition_wanted.emit(item.data(KEY), None)


def _fact(name: str, value: str) -> QWidget:
    line = QWidget()
    both = QHBoxLayout(line)
    both.setContentsMargins(0, 0, 0, 0)
    both.setSpacing(12)
    told = label(name, "secondary", wrap=True)
    # As narrow as its longest word: the value has its room first.
    told.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    both.addWidget(told, 1)
    both.addWidget(Elided(value, "mono"))
    return line


def facts_of(row: Row) -> tuple[tuple[str, str], ...]:
    """What is counted of a partition, as (name, value)."""
    summary = row.summary
    open_ended = summary.possible_at_least
    possible = tr("lists.possibly-lost") if open_ended else tr("triage.possibly-lost-at-most")
    removed = counted(summary.records_uncommitted, at_least=summary.uncommitted_at_least)
    return (
        (tr("explain.records-lost"), counted(summary.records_lost, at_least=summary.lost_at_least)),
        (possible, counted(summary.records_possible, at_least=open_ended)),
        (tr("triage.removed-only-acks-1-or-none"), removed),
        (tr("triage.under-replicated"), lasting(summary.under_replicated_ns)),
        (tr("triage.under-min-insync-replicas"), lasting(summary.under_min_isr_ns)),
        (tr("triage.without-a-leader"), lasting(summary.leaderless_ns)),
        (tr("triage.unclean-elections"), f"{summary.unclean_elections:,}"),
        (tr("triage.gaps-of-evidence"), f"{summary.gaps:,}"),
        (tr("triage.evidence-covers"), tr("triage.of-broker-time", seen=percent(summary.seen))),
    )
