"""The first page after an import: one account of the incident. Every number on it is the account's."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.diagnose.account.page import AccountPage, Cause, Chip, IncidentPage, Total
from core.diagnose.account.story import Step
from core.diagnose.verdict.facts import Severity
from core.message import Count
from core.picture.marks import Glyph
from core.shown import shown_in_line
from core.trace.trace import Trace
from gui.incident.causes import CauseBox
from gui.incident.flowing import Flowing
from gui.incident.stops import Area, Headline, Stop
from gui.incident.story import StorySection
from gui.incident.text import account_text
from gui.incident.trust import CoverageBar, Mark, advice_row, collect_section, trust_section
from gui.panels.parts import Elided, Paragraph, column, label, rule
from gui.text.spoken import tr, worded
from gui.theme import Theme
from gui.workspace.content import Moment
from gui.workspace.jobs import failure_of
from gui.workspace.session import Session

_BESIDE: Final = 1100
"""From this width on the column of trust is beside the others."""
_TRUST: Final = 468
_INSET: Final = 32
_LOOKS: Final = {"loss": "totalLoss", "plain": "totalPlain", "unknown": "totalUnknown"}
_IN_TWO: Final = 860
"""From this width on what stands now is beside what to do."""


class IncidentView(QWidget):
    """The page. What it shows is the session's account."""

    partition_wanted = Signal(str, object)
    """topic-partition, to be opened at a Moment; None is where it has most to tell"""
    all_wanted = Signal(str)
    """all partitions with this worst finding; "" is all of them"""
    view_wanted = Signal(str)
    """another page, by its name"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("incident")
        self._session = session
        self._theme: Theme | None = None
        self._shown: AccountPage | None = None
        self._stale = True
        self.number = 0
        """Which of the incidents is shown, from 0."""
        self.headline = Headline()
        self.causes: list[CauseBox] = []
        self.story: StorySection | None = None
        self._pair: QBoxLayout | None = None
        self.area = Area()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column(self).addWidget(self.area)
        self.body = QWidget()
        self.columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.body)
        self.side = QFrame()
        session.content_changed.connect(self._wait_or_fill)
        session.triage_changed.connect(self._wait_or_fill)

    @property
    def page(self) -> IncidentPage | None:
        """What is shown."""
        of = self._session.account
        return of.pages[min(self.number, len(of.pages) - 1)] if of is not None else None

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        for cause in self.causes:
            cause.set_theme(theme)
        if self.story is not None:
            self.story.set_theme(theme)
        for kind in (Mark, CoverageBar):
            for one in self.findChildren(kind):
                one.theme = theme
                one.update()

    def focus(self) -> None:
        """The keyboard goes to the headline."""
        self.headline.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def copy(self) -> None:
        """The account of this incident, as text, to the clipboard."""
        of, page = self._session.account, self.page
        if of is not None and page is not None:
            QGuiApplication.clipboard().setText(account_text(of, page))

    def _wait_or_fill(self, _changed: object = None) -> None:
        """A page that nobody sees is filled when somebody does; another partition changes nothing of it."""
        if self._session.account is not self._shown:
            self.number = 0
            self._stale = True
        if self._stale and self.isVisible():
            self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was opened while it was hidden."""
        super().showEvent(event)
        if self._stale:
            self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room the column of trust is below."""
        super().resizeEvent(event)
        self._reflow(event.size().width())

    def _reflow(self, width: int) -> None:
        beside = width >= _BESIDE
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self.columns.setDirection(way)
        self.columns.setStretch(0, 1 if beside else 0)
        self.columns.setStretch(self.columns.count() - 1, 0 if beside else 1)
        self.side.setMinimumWidth(_TRUST if beside else 0)
        self.side.setMaximumWidth(_TRUST if beside else 16_777_215)
        if self._pair is not None:
            main = width - (_TRUST if beside else 0)
            two = main >= _IN_TWO
            self._pair.setDirection(
                QBoxLayout.Direction.LeftToRight if two else QBoxLayout.Direction.TopToBottom
            )

    def _fill(self) -> None:
        """Build the page anew."""
        self._stale, self._shown = False, self._session.account
        self.causes, self.story, self._pair = [], None, None
        self.body = QWidget()
        self.body.setObjectName("panelBody")
        self.columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.body)
        self.columns.setContentsMargins(0, 0, 0, 0)
        self.columns.setSpacing(0)
        self.side = QFrame()
        self.side.setObjectName("trust")
        main = QWidget()
        lines = column(main, (_INSET, 20, _INSET, 24), 10)
        page = self.page
        if page is None or self._shown is None:
            self.headline = Headline()
            lines.addWidget(label(tr("incident.page.in-parts"), "body", wrap=True))
            lines.addLayout(self._ways(page))
            self.columns.addWidget(main, 1)
        else:
            self._fill_main(lines, page)
            self._section(column(self.side, (16, 16, 16, 20), 8), partial(self._side_of, page))
            self.columns.addWidget(main, 1)
            self.columns.addWidget(self.side)
            self.columns.addStretch(0)
        lines.addStretch(1)
        self.area.setWidget(self.body)
        self._reflow(self.width())
        if self._theme is not None:
            self.set_theme(self._theme)

    def _fill_main(self, lines: QVBoxLayout, page: IncidentPage) -> None:
        self._section(lines, partial(self._head_of, page))
        if page.causes:
            self._section(lines, partial(self._causes_of, page))
        if page.story is not None and page.causes:
            self._section(lines, partial(self._story_of, page))
        if page.incident is not None:
            self._section(lines, partial(self._pair_of, page))
        lines.addWidget(rule())
        lines.addLayout(self._ways(page))

    def _section(self, lines: QVBoxLayout, build: Callable[[], QWidget]) -> None:
        """A part of the page; where it cannot be made it says so, and the others stand."""
        try:
            lines.addWidget(build())
        except Exception as error:  # noqa: BLE001 - whatever it is, the other parts are shown
            report = failure_of(error).report
            row = QHBoxLayout()
            row.addWidget(label(tr("incident.page.failed"), "warnStrong"))
            button = QPushButton(tr("incident.page.copy-report"))
            button.clicked.connect(partial(QGuiApplication.clipboard().setText, report))
            row.addWidget(button)
            row.addStretch(1)
            lines.addLayout(row)

    def _head_of(self, page: IncidentPage) -> QWidget:
        """Headline, what is not known, when, and the totals."""
        made = QWidget()
        lines = column(made, spacing=6)
        self.headline = Headline(worded(page.headline))
        self.headline.chosen.connect(self._open_worst)
        unknown = "" if page.unknown is None else worded(page.unknown)
        self.headline.setAccessibleDescription(unknown)
        top = Flowing()
        # Files that nobody looked at come first; what was found in those that were read follows.
        before = page.unknown is not None and page.unknown.id == "incident.page.not-checked"
        parts = [self.headline, label(unknown, "incidentUnknown")] if unknown else [self.headline]
        for part in reversed(parts) if before else parts:
            top.add(part)
        line = QHBoxLayout()
        line.setSpacing(10)
        sign = _sign(page)
        if sign is not None:
            line.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(top, 1)
        lines.addLayout(line)
        lines.addWidget(label(f"{worded(page.when)}   ·   {worded(page.release)}", "secondary", select=True))
        if page.totals:
            totals = Flowing(gap=32)
            for total in page.totals:
                totals.add(_total(total))
            lines.addSpacing(4)
            lines.addWidget(totals)
        of = self._session.account
        if of is not None and len(of.pages) > 1:
            row = QHBoxLayout()
            row.addWidget(
                label(tr("incident.page.of-all", number=self.number + 1, all=len(of.pages)), "strong")
            )
            following = QPushButton(tr("incident.page.next"))
            following.clicked.connect(self._next)
            row.addWidget(following)
            row.addStretch(1)
            lines.addLayout(row)
        return made

    def _next(self) -> None:
        of = self._session.account
        if of is not None:
            self.number = (self.number + 1) % len(of.pages)
            self._fill()
            self.focus()

    def _causes_of(self, page: IncidentPage) -> QWidget:
        made = QWidget()
        lines = column(made, spacing=8)
        lines.addWidget(rule())
        title = tr("incident.page.causes-title" if page.incident is not None else "story.heading.notes")
        lines.addLayout(_heading(title, tr("incident.page.causes-hint")))
        of = self._session.account
        if of is None:
            return made
        for cause in page.causes:
            box = CauseBox(of.trace, cause, self._go_chip, self._show_all)
            self.causes.append(box)
            lines.addWidget(box)
        return made

    def _story_of(self, page: IncidentPage) -> QWidget:
        made = QWidget()
        lines = column(made, spacing=8)
        of, story = self._session.account, page.story
        if of is None or story is None:
            return made
        hint = tr("incident.page.story-hint", count=Count(story.records)) if story.records else ""
        lines.addWidget(rule())
        lines.addLayout(_heading(tr("incident.page.story-title"), hint))
        self.story = StorySection(of.trace, story, self._go_step)
        lines.addWidget(self.story)
        return made

    def _pair_of(self, page: IncidentPage) -> QWidget:
        """Where things stand, and what to do, side by side."""
        made = QWidget()
        lines = column(made, spacing=8)
        lines.addWidget(rule())
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(28)
        left, right = QWidget(), QWidget()
        now = column(left, spacing=4)
        now.addLayout(_heading(tr("incident.page.now-title"), ""))
        for line in page.now:
            now.addWidget(Paragraph(worded(line), "body"))
        now.addStretch(1)
        do = column(right, spacing=4)
        do.addLayout(_heading(tr("incident.page.do-title"), tr("incident.page.do-hint")))
        for one in page.advice:
            do.addWidget(advice_row(one))
        if not page.advice:
            do.addWidget(label(tr("incident.page.do-none"), "body", wrap=True))
        do.addStretch(1)
        self._pair.addWidget(left, 1)
        self._pair.addWidget(right, 1)
        lines.addLayout(self._pair)
        return made

    def _side_of(self, page: IncidentPage) -> QWidget:
        """Trust, and what to collect."""
        made = QWidget()
        lines = column(made, spacing=8)
        of = self._session.account
        if of is None:
            return made
        lines.addLayout(_heading(tr("incident.page.trust-title"), ""))
        lines.addWidget(trust_section(of.trace, page))
        if page.incident is not None:
            lines.addSpacing(6)
            lines.addWidget(rule())
            lines.addLayout(_heading(tr("incident.page.collect-title"), tr("incident.page.collect-hint")))
            lines.addWidget(collect_section(page))
        lines.addSpacing(6)
        lines.addWidget(rule())
        name = self._read_from(of.trace)
        lines.addLayout(_heading(tr("incident.page.same-title"), ""))
        lines.addWidget(Elided(tr("incident.page.same-command", name=name), "mono"))
        lines.addWidget(Paragraph(tr("incident.page.same-hint"), "secondary"))
        lines.addStretch(1)
        return made

    def _read_from(self, trace: Trace) -> str:
        """What a command would be given to say the same: a file, as far as it is known by its name."""
        if self._session.path:
            return Path(self._session.path).name
        content = self._session.content
        title = "" if content is None else content.title
        # What comes with the program has a title of its own.
        return title if title.startswith(trace.name) else trace.name

    def _ways(self, page: IncidentPage | None) -> QHBoxLayout:
        """What can be opened from here."""
        row = QHBoxLayout()
        row.setSpacing(8)
        made: list[QPushButton] = []
        if page is not None:
            worst = Stop(tr("incident.page.worst"))
            worst.setObjectName("primary")
            worst.clicked.connect(self._open_worst)
            made.append(worst)
            copy = Stop(tr("incident.page.copy"))
            copy.clicked.connect(self.copy)
            made.append(copy)
        every = Stop(tr("incident.page.all-partitions"))
        every.clicked.connect(partial(self.all_wanted.emit, ""))
        read = Stop(tr("incident.page.what-was-read"))
        read.clicked.connect(partial(self.view_wanted.emit, "report"))
        for button in (*made, every, read):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def stops(self) -> list[QWidget]:
        """What the arrows go through: headline, causes with their chips, steps."""
        found: list[QWidget] = [self.headline]
        for cause in self.causes:
            found += cause.stops()
        found += self.story.steps if self.story is not None else []
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down through causes, chips and steps; Home is the headline."""
        key, stops = event.key(), self.stops()
        if key == Qt.Key.Key_Home:
            self._show_stop(stops[0])
            self.area.verticalScrollBar().setValue(0)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            here = next((place for place, one in enumerate(stops) if one.hasFocus()), -1)
            place = here + (1 if key == Qt.Key.Key_Down else -1)
            self._show_stop(stops[min(max(place, 0), len(stops) - 1)])
        else:
            super().keyPressEvent(event)

    def _show_stop(self, stop: QWidget) -> None:
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        self.area.ensureWidgetVisible(stop, 0, 60)

    def _open_worst(self) -> None:
        """The first partition of the first cause; without causes what is open."""
        chips = [chip for cause in self.causes for chip in cause.chips]
        if chips:
            self._go_chip(chips[0].chip)
        elif self._session.content is not None:
            self.partition_wanted.emit(self._session.content.partition, None)

    def _go_chip(self, chip: Chip) -> None:
        moment = None  # Of what was lost: where that is told first.
        if chip.at is not None and not chip.lost and not chip.possible:
            moment = Moment(chip.at, None if chip.seq is None else chip.seq + 1)
        self._go(chip.partition, moment)

    def _go_step(self, step: Step) -> None:
        page = self.page
        partition = step.partition
        if partition is None and page is not None and page.incident is not None:
            partition = next(iter(page.incident.partitions), None)
        moment = Moment(step.at, None if step.seq is None else step.seq + 1)
        if partition is not None:
            self._go(partition, moment)

    def _go(self, partition: int, moment: Moment | None) -> None:
        of = self._session.account
        if of is not None:
            self.partition_wanted.emit(str(of.trace.partitions[partition].tp), moment)

    def _show_all(self, cause: Cause) -> None:
        """All partitions with the finding that is the worst of most partitions of a cause."""
        triage = self._session.triage
        mine = {chip.partition for group in cause.groups for chip in group.chips}
        checks = Counter(
            one.check for one in (triage.summaries if triage is not None else ()) if one.partition in mine
        )
        worst = checks.most_common(1)
        self.all_wanted.emit(worst[0][0] or "" if worst else "")


def _heading(title: str, hint: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    row.addWidget(label(title, "heading"))
    if hint:
        told = label(hint, "secondary", wrap=True)
        row.addWidget(told, 1)
    else:
        row.addStretch(1)
    return row


def _sign(page: IncidentPage) -> Mark | None:
    """The sign of the worst: lost, possibly lost, divergent; none where nothing was."""
    incident = page.incident
    if incident is None:
        return None
    if incident.severity is Severity.LOSS:
        return Mark(Glyph.LOSS, "loss", 32)
    if incident.losses:
        return Mark(Glyph.POSSIBLE_LOSS, "loss", 32)
    return Mark(Glyph.DIVERGENCE, "text", 32) if incident.apart else None


def _total(total: Total) -> QWidget:
    """A number with what it counts below."""
    made = QWidget()
    lines = column(made, spacing=0)
    value, told = worded(total.value), worded(total.label)
    number = label(value, _LOOKS[total.weight.value], select=True)
    number.setAccessibleName(shown_in_line(f"{value} {told}"))
    lines.addWidget(number)
    lines.addWidget(label(told, "secondary"))
    return made
