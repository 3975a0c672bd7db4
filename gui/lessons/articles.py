"""What the articles say, what Kafka does: both rules with the number that tells them apart, and the risks."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from core.sim.articles import Claim, Degree, Outcome, claims, risks
from core.sim.script import Texts, in_language
from gui.lessons.page import EntryList, EntryRow, opens
from gui.lessons.rows import Entry, claim_entries
from gui.panels.parts import (
    Elided,
    Flow,
    Paragraph,
    column,
    label,
    rule,
    scrolling_panel,
    upright_rule,
)
from gui.text.spoken import language, tr
from gui.theme import Theme

_NARROW: Final = 68
"""Least width of a column of an era."""
_LEAST_TABLE: Final = 540
"""Least width of the table of risks: where there is less room it is scrolled."""
_WIDE: Final = 142
"""Width of the names of rows: the longest id of a scenario fits."""
_OF_REPLICA: Final = {
    "hw": "articles.measure.hw",
    "leo": "articles.measure.leo",
    "last-visible": "articles.measure.last-visible",
}
_DEGREES: Final[Mapping[Degree | None, str]] = {
    "high": "articles.high",
    "low": "articles.low",
    None: "articles.not-told",
}
_OF_RUN: Final = {"lost": "articles.measure.lost", "diverged": "articles.measure.diverged"}


class ArticlesPage(QWidget):
    """The claims on the left, the closing table of risks on the right. It knows nothing of what is open."""

    chosen = Signal(object)
    """the Entry to be opened"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """No rows until it is seen."""
        super().__init__(parent)
        self.setObjectName("lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.claims = EntryList(tr("articles.claims"))
        self.claims.chosen.connect(self.chosen)
        self.outcomes: list[QPushButton] = []
        self._openers = QButtonGroup(self)
        self._openers.idClicked.connect(self._open_outcome)
        head = QHBoxLayout()
        head.setContentsMargins(16, 9, 16, 9)
        head.setSpacing(16)
        head.addWidget(label(tr("actions.what-the-articles-say"), "title"))
        head.addWidget(Elided(tr("articles.each-opens-both"), "secondary"), 1)
        both = QHBoxLayout()
        both.setSpacing(0)
        both.addWidget(self.claims, 3)
        both.addWidget(upright_rule())
        both.addWidget(self._risks(), 2)
        lines = column(self)
        lines.addLayout(head)
        lines.addWidget(rule())
        lines.addLayout(both, 1)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the rows when they are seen first."""
        super().showEvent(event)
        if not self.claims.rows:
            pairs = zip(claim_entries(language()), claims(), strict=True)
            self.claims.fill([_row(entry, claim) for entry, claim in pairs])
            self.claims.choose("")

    def set_theme(self, theme: Theme) -> None:
        """The style sheet has all its colours."""

    def focus(self) -> None:
        """The keyboard goes to the first row."""
        if self.claims.rows:
            self.claims.focus(self.claims.rows[0])

    def _risks(self) -> QWidget:
        """The table in a column that scrolls."""
        inside = QWidget()
        inside.setObjectName("panelBody")
        lines = column(inside, (16, 12, 16, 16), 12)
        lines.addWidget(Paragraph(tr("articles.table"), "row-text"))
        lines.addWidget(self._table())
        lines.addWidget(Paragraph(tr("articles.unclean"), "row-text"))
        lines.addStretch(1)
        return scrolling_panel(tr("articles.risks"), inside)

    def _table(self) -> QWidget:
        """A column an era: its rule, the articles' words, and what each scenario costs."""
        box = Flow()
        box.setMinimumWidth(_LEAST_TABLE)
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, _WIDE)
        names = ("", tr("articles.cut"), tr("articles.loss"), tr("articles.consistency"))
        for row, name in enumerate(names):
            grid.addWidget(Paragraph(name, "secondary"), row, 0, Qt.AlignmentFlag.AlignTop)
        for place, risk in enumerate(risks(), start=1):
            grid.setColumnMinimumWidth(place, _NARROW)
            grid.setColumnStretch(place, 1)
            grid.addWidget(label(risk.era, "strong"), 0, place)
            grid.addWidget(Paragraph(_said(risk.rule), "body"), 1, place, Qt.AlignmentFlag.AlignTop)
            for row, degree in enumerate((risk.loss, risk.consistency), start=2):
                shown = Paragraph(tr(_DEGREES[degree]), "body" if degree else "secondary")
                grid.addWidget(shown, row, place, Qt.AlignmentFlag.AlignTop)
            for row, outcome in enumerate(risk.outcomes, start=len(names)):
                grid.addWidget(_cost(outcome), row, place)
        for row, outcome in enumerate(risks()[0].outcomes, start=len(names)):
            grid.addWidget(self._opener(outcome.scenario), row, 0)
        return box

    def _opener(self, scenario: str) -> QPushButton:
        """Opens a scenario in the eras of the table."""
        button = QPushButton(scenario)
        button.setObjectName("entryRow")
        button.setAutoDefault(True)
        self._openers.addButton(button, len(self.outcomes))
        self.outcomes.append(button)
        return button

    def _open_outcome(self, place: int) -> None:
        scenario = risks()[0].outcomes[place].scenario
        self.chosen.emit(Entry("", scenario, "", scenario, tuple(risk.era for risk in risks())))


def _row(entry: Entry, claim: Claim) -> EntryRow:
    """Both rules side by side, each under its number."""
    value = claim.value
    box = Flow()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 2, 0, 2)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(3)
    measured = _measured(claim)
    sides = (
        (tr("articles.say"), claim.article, value.article),
        (tr("articles.kafka"), claim.kafka, value.kafka),
    )
    for place, (name, texts, number) in enumerate(sides):
        grid.setColumnStretch(place, 1)
        grid.addWidget(label(name, "secondary"), 0, place)
        grid.addWidget(Paragraph(_said(texts), "row-text"), 1, place, Qt.AlignmentFlag.AlignTop)
        shown = tr("articles.no-number") if number is None else str(number)
        grid.addWidget(Paragraph(tr("articles.value", what=measured, value=shown), "value"), 2, place)
    row = EntryRow(entry, opens(entry), box)
    row.setAccessibleDescription(row_text(claim))
    return row


def row_text(claim: Claim) -> str:
    """What a row says, for a screen reader."""
    return tr("articles.row", article=_said(claim.article), kafka=_said(claim.kafka))


def _measured(claim: Claim) -> str:
    """What the number of a claim counts."""
    value = claim.value
    if value.broker:
        return tr(_OF_REPLICA[value.of], broker=value.broker, step=claim.place.step)
    return tr(_OF_RUN[value.of])


def _cost(outcome: Outcome) -> QWidget:
    if not outcome.lost and not outcome.diverged:
        return label(tr("articles.nothing"), "secondary")
    if not outcome.diverged:
        return label(tr("articles.lost", lost=outcome.lost), "lossMono")
    if not outcome.lost:
        return label(tr("articles.differ", differ=outcome.diverged), "mono")
    both = tr("articles.lost-and-differ", lost=outcome.lost, differ=outcome.diverged)
    return Paragraph(both, "lossMono")


def _said(texts: Texts) -> str:
    return in_language(texts, language())
