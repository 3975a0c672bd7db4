"""The dialog of an export: options on the left, what will come out on the right."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPalette, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.picture.figure import Part
from core.shown import shown_in_line
from core.trace.redact import USUAL, What
from gui.exports.plan import (
    ANIMATION,
    DOCUMENTS,
    ENDINGS,
    PAGE,
    PICTURES,
    TABLES,
    TEXT,
    VECTORS,
    WIDTH,
    Plan,
)
from gui.exports.preview import Sketch
from gui.exports.stretch import Stretch
from gui.panels.choice import Choice
from gui.panels.parts import Tick, column, label, rule, upright_rule
from gui.text.spoken import tr
from gui.theme import THEME_NAMES
from gui.workspace.session import SPEEDS

KINDS: Final = {
    ".png": "exports.picture-png",
    ".svg": "exports.vector-picture-svg",
    ".pdf": "exports.pdf",
    ".html": "exports.page-that-scrubs-by-itself-html",
    ".gif": "exports.moving-picture-gif",
    ".txt": "exports.search-text",
    ".csv": "exports.events-csv",
    ".json": "exports.events-json",
    ".parquet": "exports.events-parquet",
}
WIDTHS: Final = {1600: "exports.screen-or-wiki", 826: "exports.a4-portrait", 1248: "exports.a4-landscape"}
SLIDE: Final = 0
"""Of the widths: that of a slide, which has none of its own."""
_HIDDEN: Final = {
    What.HOSTS: "exports.hosts",
    What.CLIENTS: "exports.clients",
    What.KEYS: "exports.record-keys",
    What.PATHS: "exports.folders",
    What.TOPICS: "exports.topics",
}
_SHOWN: Final = {
    Part.TITLE: "exports.title",
    Part.ACCOUNT: "exports.account",
    Part.NOTES: "exports.notes",
    Part.LEGEND: "exports.legend",
    Part.CAPTION: "exports.caption",
    Part.SOURCES: "exports.sources",
}
_SIZE: Final = QSize(1180, 720)
_OPTIONS: Final = 300
_USUALLY: Final = Plan()


class _Options(QScrollArea):
    """A column that scrolls, and is as wide as what is in it in any language."""

    def __init__(self, inside: QWidget) -> None:
        """Scrolls `inside` up and down."""
        super().__init__()
        self._inside = inside
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        """Its content, with the bar beside it."""
        bar = self.verticalScrollBar().sizeHint().width()
        needed = self._inside.minimumSizeHint().width() + bar
        return QSize(max(_OPTIONS, needed), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """As wide as its content, and as low as any area."""
        return QSize(self.sizeHint().width(), super().minimumSizeHint().height())


class ExportDialog(QDialog):
    """Asks how to export. It does not export: its signals carry the plan. Esc leaves everything as it was."""

    plan_changed = Signal(object, str)
    """Plan and ending: a preview of it is wanted"""
    export_wanted = Signal(object, str)
    copy_wanted = Signal(object)

    def __init__(self, timed: bool, choices: Sequence[Stretch], parent: QWidget | None = None) -> None:
        """`timed`: what is open has times; a comparison has stops. `choices`: stretches, the best first."""
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(tr("exports.export"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._timed, self._choices = timed, tuple(choices)
        self._base, self._at = Plan(), ""
        self._image = QPixmap()
        self._heads: dict[QWidget, QLabel] = {}
        self.kind, self.stretch = Choice(), Choice()
        self.first, self.last = QLineEdit(), QLineEdit()
        self.theme, self.width_ = Choice(), Choice()
        self.scale, self.speed = Choice(), Choice()
        self.cursor_ = Tick(tr("exports.cursor"))
        self.arranged = Tick(tr("exports.lanes-as-shown"))
        self.patterns = Tick(tr("exports.patterns-for-print-in-grey"))
        self.outlines = Tick(tr("exports.letters-as-shapes"))
        self.title, self.caption = QLineEdit(), QLineEdit()
        self.redact = {what: Tick(tr(text)) for what, text in _HIDDEN.items()}
        self.parts = {part: Tick(tr(text)) for part, text in _SHOWN.items()}
        self.picture, self.text = QLabel(), label("", "mono", select=True, lines=True)
        self.review_button = QPushButton(tr("exports.what-stays-in-clear"))
        self.review_text = label("", "mono", select=True, lines=True)
        self.refusal = label("", "refusal", wrap=True)
        self.export_button, self.copy_button = (
            QPushButton(tr("actions.export")),
            QPushButton(tr("actions.copy-as-picture")),
        )
        self._fill()
        self._lay_out()
        self._connect()
        self.resize(_SIZE if parent is None else _SIZE.boundedTo(parent.size() - QSize(40, 40)))

    def start(self, base: Plan, ending: str, at: str) -> None:
        """Show the choices that `base` and what was exported last suggest, and ask for a preview.

        `at` is where the cursor is, as `Plan.at` says it; "" where that cannot be said.
        """
        self._base, self._at = base, at
        with QSignalBlocker(self):
            self.kind.setCurrentIndex(max(self.kind.findData(ending), 0))
            self._kind_changed()
        self._changed()

    @property
    def ending(self) -> str:
        """The kind that is chosen, by its ending."""
        return self.kind.currentData()

    def plan(self) -> Plan:
        """What the person chose. What has no place in the chosen kind is left as it is without options."""
        drawn = self.ending in (*PICTURES, PAGE, ANIMATION)
        plan = replace(self._base, redact=tuple(what for what, box in self.redact.items() if box.isChecked()))
        plan = self._with_stretch(plan)
        if self.ending in TABLES:
            plan = replace(plan, lang="en")
        if not drawn or not self.arranged.isChecked():
            plan = replace(plan, lanes=_USUALLY.lanes, drawing=_USUALLY.drawing)
        if not drawn:
            return plan
        return replace(
            plan,
            theme=self.theme.currentData(),
            width=self.width_.currentData() or WIDTH,
            slide=self.width_.currentData() == SLIDE and self.ending in PICTURES,
            patterns=self.patterns.isEnabled() and self.patterns.isChecked(),
            outlines=self.outlines.isEnabled() and self.outlines.isChecked(),
            scale=self.scale.currentData(),
            left_out=frozenset(part for part, box in self.parts.items() if not box.isChecked()),
            title=self.title.text().strip(),
            caption=self.caption.text().strip(),
            at=self._at if self.cursor_.isEnabled() and self.cursor_.isChecked() else None,
            speed=self.speed.currentData() if self.ending == ANIMATION else 1.0,
        )

    def _with_stretch(self, plan: Plan) -> Plan:
        if self.ending == TEXT:
            return plan
        chosen: Stretch | None = self.stretch.currentData()
        if chosen is None:
            return replace(plan, window=(self.first.text().strip() or None, self.last.text().strip() or None))
        stops = chosen.stops if self.ending in (PAGE, ANIMATION) else None
        # Times of events are exact; a picture has a little room around them.
        return replace(plan, window=chosen.listed if self.ending in TABLES else chosen.drawn, stops=stops)

    def show_sketch(self, made: Sketch) -> None:
        """Show what will come out, and the words that are proposed for it."""
        self.refusal.setText(made.refusal)
        self.refusal.setVisible(bool(made.refusal))
        self.export_button.setEnabled(not made.refusal)
        self.copy_button.setEnabled(not made.refusal and made.image is not None)
        if made.image is not None:
            self._image = QPixmap.fromImage(made.image)
            self.title.setPlaceholderText(shown_in_line(made.title))
            self.caption.setPlaceholderText(shown_in_line(made.caption))
        self.text.setText(made.text)
        self.review_text.setText(made.review)
        self.review_button.setEnabled(bool(made.review))
        if not made.review:
            self.review_button.setChecked(False)
        self._show_page()
        self._fit()

    def _show_page(self, *_now: object) -> None:
        """What will come out, or the review of its names."""
        reviewed = self.review_button.isChecked()
        self.review_text.setVisible(reviewed)
        self.text.setVisible(bool(self.text.text()) and not reviewed)
        self.picture.setVisible(not self.text.text() and not reviewed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The preview is as wide as there is room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._image.isNull():
            return
        ratio = self.devicePixelRatioF()
        room = round((self._page.viewport().width() - 2) * ratio)
        shown = self._image.scaledToWidth(
            min(room, self._image.width()), Qt.TransformationMode.SmoothTransformation
        )
        shown.setDevicePixelRatio(ratio)
        self.picture.setPixmap(shown)

    def _ticks(self) -> tuple[Tick, ...]:
        """All but those of names."""
        return (*self.parts.values(), self.cursor_, self.arranged, self.patterns, self.outlines)

    def _fill(self) -> None:
        for ending in ENDINGS:
            self.kind.addItem(tr(KINDS[ending]), ending)
        for choice in self._choices:
            self.stretch.addItem(tr(choice.name), choice)
        if self._timed:
            self.stretch.addItem(tr("exports.these-times"), None)
        for name, text in THEME_NAMES.items():
            self.theme.addItem(tr(text), name)
        for width, name in WIDTHS.items():
            self.width_.addItem(tr("exports.wide", name=tr(name), width=width), width)
        self.width_.addItem(tr("exports.slide-16-9"), SLIDE)
        for scale in (1, 2, 3):
            self.scale.addItem(f"{scale}×", scale)
        self.scale.setCurrentIndex(1)
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        for what, box in self.redact.items():
            box.setChecked(what in USUAL)
        for box in self.parts.values():
            box.setChecked(True)
        # The frame of a tick is made from the colour of the window, and would be black on black.
        framed = self.palette()
        framed.setColor(QPalette.ColorRole.Window, framed.color(QPalette.ColorRole.PlaceholderText))
        self.arranged.setChecked(True)
        for box in (*self.redact.values(), *self._ticks()):
            box.setPalette(framed)
        for field, name in (
            (self.first, tr("exports.first-time-utc")),
            (self.last, tr("exports.last-time-utc")),
        ):
            field.setPlaceholderText("2026-11-21T03:29:10Z")
            field.setAccessibleName(name)
        named: tuple[tuple[QWidget, str], ...] = (
            (self.kind, tr("exports.kind")),
            (self.stretch, tr("exports.range")),
            (self.theme, tr("exports.theme-of-the-picture")),
            (self.width_, tr("exports.width-of-the-layout")),
            (self.scale, tr("exports.pixels-of-the-picture")),
            (self.speed, tr("exports.speed-of-the-moving-picture")),
            (self.title, tr("exports.title-of-the-figure")),
            (self.caption, tr("exports.caption-of-the-figure")),
        )
        for widget, name in named:
            widget.setAccessibleName(name)

    def _lay_out(self) -> None:
        options = QWidget()
        lines = column(options, (16, 14, 12, 14), 4)
        for text, widget in ((tr("exports.kind"), self.kind), (tr("exports.range"), self.stretch)):
            lines.addWidget(label(text, "secondary"))
            lines.addWidget(widget)
        self._times = QWidget()
        times = QHBoxLayout(self._times)
        times.setContentsMargins(0, 0, 0, 0)
        times.addWidget(self.first)
        times.addWidget(label(tr("exports.to"), "secondary"))
        times.addWidget(self.last)
        lines.addWidget(self._times)
        _boxes(lines, tr("exports.hide-behind-stable-names"), tuple(self.redact.values()))
        self.review_button.setCheckable(True)
        self.review_button.setAutoDefault(False)
        lines.addWidget(self.review_button)
        _boxes(lines, tr("exports.with"), (*self.parts.values(), self.cursor_, self.arranged))
        for box in (self.patterns, self.outlines):
            lines.addWidget(box)
        lines.addSpacing(6)
        for text, widget in (
            (tr("exports.title"), self.title),
            (tr("exports.caption"), self.caption),
            (tr("exports.theme"), self.theme),
            (tr("exports.width"), self.width_),
            (tr("exports.pixels"), self.scale),
            (tr("exports.speed"), self.speed),
        ):
            self._heads[widget] = label(text, "secondary")
            lines.addWidget(self._heads[widget])
            lines.addWidget(widget)
        lines.addStretch(1)
        left = _Options(options)
        left.setWidgetResizable(True)
        left.setFrameShape(QFrame.Shape.NoFrame)
        left.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        both = QHBoxLayout()
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        both.addWidget(left)
        both.addWidget(upright_rule())
        both.addWidget(self._preview_area(), 1)
        outer = column(self)
        outer.addLayout(both, 1)
        outer.addWidget(rule())
        outer.addLayout(self._foot())

    def _preview_area(self) -> QScrollArea:
        self.picture.setAccessibleName(tr("exports.preview-of-the-first-page"))
        self.picture.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.text.setContentsMargins(12, 12, 12, 12)
        self.text.hide()
        self.review_text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.review_text.setContentsMargins(12, 12, 12, 12)
        self.review_text.setAccessibleName(tr("exports.what-stays-in-clear-and-what"))
        self.review_text.hide()
        self.picture.setText(tr("exports.the-preview-is-being-drawn"))
        page = QWidget()
        lines = column(page)
        lines.addWidget(self.picture)
        lines.addWidget(self.text)
        lines.addWidget(self.review_text)
        lines.addStretch(1)
        self._page = QScrollArea()
        self._page.setWidget(page)
        self._page.setWidgetResizable(True)
        self._page.setFrameShape(QFrame.Shape.NoFrame)
        self._page.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        return self._page

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 10, 16, 12)
        foot.setSpacing(8)
        cancel = QPushButton(tr("exports.cancel"))
        cancel.clicked.connect(self.reject)
        for button in (cancel, self.copy_button):
            button.setAutoDefault(False)
        self.export_button.setObjectName("primary")
        self.export_button.setDefault(True)
        foot.addWidget(self.copy_button)
        foot.addWidget(self.refusal, 1)
        foot.addStretch(0)
        foot.addWidget(cancel)
        foot.addWidget(self.export_button)
        self.refusal.hide()
        return foot

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(self._kind_changed)
        for box in (self.stretch, self.theme, self.width_, self.scale, self.speed):
            box.currentIndexChanged.connect(self._changed)
        for tick in (*self.redact.values(), *self._ticks()):
            tick.toggled.connect(self._changed)
        for field in (self.first, self.last, self.title, self.caption):
            field.editingFinished.connect(self._changed)
        self.review_button.toggled.connect(self._show_page)
        self.export_button.clicked.connect(lambda: self.export_wanted.emit(self.plan(), self.ending))
        self.copy_button.clicked.connect(lambda: self.copy_wanted.emit(self.plan()))

    def _kind_changed(self, *_now: object) -> None:
        """Only what has a place in the kind can be changed."""
        drawn = self.ending in (*PICTURES, PAGE, ANIMATION)
        for widget in (self.title, self.caption, self.width_, *self.parts.values()):
            widget.setEnabled(drawn)
        self.parts[Part.ACCOUNT].setEnabled(self.ending in DOCUMENTS)
        self.theme.setEnabled(drawn and self.ending != PAGE)
        self.scale.setEnabled(self.ending == ".png")
        self.speed.setEnabled(self.ending == ANIMATION)
        for widget in (self.scale, self.speed):
            # Of one kind each: beside the others they would only be asked about.
            for part in (widget, self._heads[widget]):
                part.setVisible(widget.isEnabled())
        otherwise = (self._base.lanes, self._base.drawing) != (_USUALLY.lanes, _USUALLY.drawing)
        self.arranged.setEnabled(drawn and otherwise)
        self.cursor_.setEnabled(self.ending in PICTURES and bool(self._at))
        self.patterns.setEnabled(self.ending in PICTURES)
        self.outlines.setEnabled(self.ending in VECTORS)
        # All stops of a comparison stand in its picture; a timeline as text is told whole.
        self.stretch.setEnabled(self.ending != TEXT if self._timed else self.ending in (PAGE, ANIMATION))
        self._changed()

    def _changed(self, *_now: object) -> None:
        self._times.setVisible(self.stretch.currentData() is None)
        self._times.setEnabled(self.stretch.isEnabled())
        self.plan_changed.emit(self.plan(), self.ending)


def _boxes(lines: QVBoxLayout, text: str, boxes: Sequence[Tick]) -> None:
    """Ticks in rows of two under a head."""
    lines.addSpacing(6)
    lines.addWidget(label(text, "secondary"))
    for place in range(0, len(boxes), 2):
        row = QHBoxLayout()
        for box in boxes[place : place + 2]:
            row.addWidget(box, 1)
        if len(boxes[place : place + 2]) == 1:
            row.addStretch(1)
        lines.addLayout(row)
