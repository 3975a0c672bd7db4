"""The style sheet of all widgets, made from the roles of a theme."""

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from gui.theme import Theme

_SHEET = """
QMainWindow, QDialog, #stage, #report, #report QWidget, #triage, #lessons, #lesson, #scenarios, #speaker,
#conformance {{
    background: {bg_panel};
}}
QWidget {{ color: {text}; placeholder-text-color: {text_3}; font-size: 12px; }}
QToolTip {{ background: {bg_inverse}; color: {text_inverse}; border: 0; padding: 4px 6px; }}
QMainWindow::separator {{ background: {line_hair}; width: 1px; height: 1px; }}
#titleBar, #tabRow, #rail, #transport, QStatusBar {{ background: {bg_window}; }}
#titleBar, #tabRow {{ border-bottom: 1px solid {line_hair}; }}
#closeTab, #allTabs, #swapRun, #closeRun {{
    border: 0; border-radius: 3px; background: transparent; padding: 0;
}}
#closeTab:hover, #allTabs:hover, #swapRun:hover, #closeRun:hover {{ background: {bg_hover}; }}
#allTabs:focus, #swapRun:focus, #closeRun:focus {{ border: 2px solid {focus}; }}
#allTabs::menu-indicator {{ image: none; width: 0; }}
#asking {{ background: {bg_selected}; border-left: 3px solid {text}; border-bottom: 1px solid {line_hair}; }}
#rail {{ border-right: 1px solid {line_hair}; }}
#transport {{ border-top: 1px solid {line_hair}; }}
QStatusBar {{ border-top: 1px solid {line_hair}; min-height: 23px; max-height: 23px; }}
QStatusBar::item {{ border: 0; }}
QStatusBar QLabel, QStatusBar QToolButton {{ color: {text_2}; font-size: 11px; }}
QStatusBar QToolButton {{ border: 0; background: transparent; padding: 1px 6px; }}
QToolBar {{ border: 0; padding: 0; spacing: 0; }}
QTabBar {{ widget-animation-duration: 0; }}
#titleBar #panelHead {{ background: {bg_window}; }}
#otherHalf QLabel[look="partition"] {{ color: {text_2}; }}
#halves::handle {{ background: {line_strong}; }}
#panelHead, #panelBody, #inspector, QScrollArea, #panel, #cells {{ background: {bg_panel}; }}
#grip {{ background: {bg_panel}; border-top: 1px solid {line_hair}; }}
#lessonBar {{ background: {bg_hover}; border-bottom: 1px solid {line_hair}; }}
#hair {{ background: {line_hair}; border: 0; }}
QLabel[look="clock"] {{ font-family: "JetBrains Mono"; font-size: 28px; font-weight: 700; }}
QLabel[look="lesson"] {{ font-size: 17px; }}
QLabel[look="lessonStep"] {{ font-size: 18px; font-weight: 700; }}
QLabel[look="question"] {{ font-size: 20px; font-weight: 700; }}
QLabel[look="lessonRule"], QLabel[look="hintText"] {{
    font-size: 13px; background: {bg_hover}; border-radius: 4px; padding: 10px 14px;
}}
QLabel[look="plateHead"] {{ font-size: 11px; font-weight: 600; }}
QLabel[look="plateWords"] {{ font-size: 14px; font-weight: 600; }}
QLabel[look="statement"] {{ font-size: 14px; background: transparent; }}
QLabel[look="plateValue"] {{ font-size: 20px; font-weight: 700; }}
#lessonNow {{ border: 0; border-left: 4px solid {text}; background: {bg_panel}; }}
#stepRow {{ text-align: left; border: 0; border-radius: 4px; padding: 0; background: {bg_panel}; }}
#stepRow:hover {{ background: {bg_hover}; }}
#stepRow:focus {{ border: 2px solid {focus}; padding: 0; }}
#eraRow, #eraHere {{ border: 0; border-bottom: 1px solid {line_hair}; background: {bg_panel}; }}
#eraHere {{ border-left: 3px solid {text}; background: {bg_selected}; }}
QLabel[look="pillHollow"] {{
    border: 1px solid {text}; border-radius: 9px; padding: 1px 8px; font-size: 11px; font-weight: 600;
}}
#plateYours {{ background: {bg_panel}; border: 2px dashed {text}; border-radius: 6px; }}
#plateTruth {{ background: {bg_inverse}; border: 2px solid {bg_inverse}; border-radius: 6px; }}
#plateTruth QLabel {{ color: {text_inverse}; background: transparent; }}
#answerNumber {{ font-family: "JetBrains Mono"; font-size: 34px; font-weight: 700; min-width: 120px; }}
QLabel[look="title"] {{ font-size: 14px; font-weight: 600; }}
QLabel[look="headline"] {{ font-size: 22px; font-weight: 600; }}
QLabel[look="partition"] {{ font-size: 15px; font-weight: 600; }}
QLabel[look="section"] {{ font-size: 12px; font-weight: 600; }}
QLabel[look="strong"] {{ font-weight: 600; }}
QLabel[look="secondary"], QLabel[look="hint"] {{ color: {text_2}; font-size: 11px; }}
QLabel[look="hint"] {{ margin-right: 28px; }}
QLabel[look="faint"] {{ color: {text_3}; font-size: 11px; }}
QLabel[look="faintMono"] {{ font-family: "JetBrains Mono"; font-size: 11px; color: {text_3}; }}
QLabel[look="row-text"] {{ color: {text_2}; }}
QLabel[look="value"] {{ font-weight: 500; }}
QLabel[look="mono"], QLabel[look="lossMono"] {{ font-family: "JetBrains Mono"; font-size: 12px; }}
QLabel[look="lossMono"] {{ color: {loss}; font-weight: 600; }}
QLabel[look="decides"] {{ font-family: "JetBrains Mono"; font-size: 12px; background: {bg_selected}; }}
QToolButton[look="release"] {{ font-family: "JetBrains Mono"; font-size: 11px; padding: 3px 4px; }}
QToolButton[look="release"]:checked {{ border: 2px solid {text}; }}
QToolButton[look="release"][loses="true"] {{ color: {loss}; }}
QLabel[look="place"] {{ font-family: "JetBrains Mono"; font-size: 12px; }}
QLabel[look="secondaryMono"] {{ font-family: "JetBrains Mono"; font-size: 11px; color: {text_2}; }}
QLabel[look="raw"] {{
    font-family: "JetBrains Mono NL"; font-size: 11px; background: {bg_hover}; padding: 4px 6px;
}}
QLabel[look="row"] {{ padding-left: 9px; }}
QLabel[look="differs"] {{ border-left: 3px solid {text}; padding-left: 6px; }}
QLabel[look="pill"] {{
    background: {bg_inverse}; color: {text_inverse}; border-radius: 9px; padding: 2px 8px; font-size: 11px;
    font-weight: 600;
}}
QLabel[look="tag"] {{
    background: {bg_hover}; color: {text_2}; border-radius: 8px; padding: 1px 8px; font-size: 11px;
}}
QLabel[look="crumb"] {{ font-size: 14px; font-weight: 600; }}
QLabel[look="crumbs"] {{ font-size: 14px; color: {text_2}; }}
QLabel[look="incident"] {{ font-size: 24px; font-weight: 700; border: 2px solid transparent; padding: 0; }}
QLabel[look="incident"]:focus {{ border: 2px solid {focus}; border-radius: 4px; }}
QLabel[look="incidentUnknown"] {{ font-size: 15px; font-weight: 500; color: {text_2}; padding: 0 0 4px 2px; }}
QLabel[look="heading"] {{ font-size: 13px; font-weight: 600; }}
QLabel[look="totalLoss"], QLabel[look="totalPlain"], QLabel[look="totalUnknown"] {{
    font-family: "JetBrains Mono"; font-size: 20px; font-weight: 600;
}}
QLabel[look="totalLoss"] {{ color: {loss}; }}
QLabel[look="totalUnknown"] {{ color: {text_2}; }}
QLabel[look="lossStrong"] {{ color: {loss}; font-weight: 600; }}
QLabel[look="okStrong"] {{ color: {ok}; font-weight: 600; }}
QLabel[look="warnStrong"] {{ color: {warn}; font-weight: 600; }}
QLabel[look="strongSmall"] {{ font-size: 11px; font-weight: 600; color: {text_2}; }}
QLabel[look="circle"], QLabel[look="circleLoss"], QLabel[look="circleHollow"] {{
    border: 1px solid {bg_inverse}; border-radius: 9px; min-width: 16px; max-width: 16px; min-height: 16px;
    max-height: 16px; background: {bg_inverse}; color: {text_inverse}; font-size: 10px; font-weight: 700;
    qproperty-alignment: AlignCenter;
}}
QLabel[look="circleLoss"] {{ background: {loss}; border-color: {loss}; }}
QLabel[look="circleHollow"] {{ background: {bg_panel}; color: {text}; border-color: {line_edge}; }}
#incident, #incident QScrollArea > QWidget {{ background: {bg_lane}; }}
#trust {{ background: {bg_panel}; border: 0; border-left: 1px solid {line_hair}; }}
#cause {{ background: {bg_window}; border: 1px solid {line_hair}; border-radius: 6px; }}
#cause[proven="true"] {{ border-left: 3px solid {loss}; }}
#causeName {{
    border: 2px solid transparent; background: transparent; padding: 0 2px; font-size: 14px; font-weight: 600;
    text-align: left;
}}
#causeName:focus {{ border: 2px solid {focus}; padding: 0 2px; }}
#chip {{ border-radius: 6px; padding: 0; }}
#chip:focus {{ padding: 0; }}
#step {{ border: 2px solid transparent; background: transparent; padding: 0; text-align: left; }}
#step:hover {{ background: {bg_hover}; }}
#step:focus {{ border: 2px solid {focus}; padding: 0; }}
#card, #welcomeCard {{ background: {bg_panel}; border: 1px solid {line_strong}; border-radius: 6px; }}
#welcomeCard:hover, #welcomeCard:focus {{ background: {bg_hover}; border-color: {text}; }}
#welcomeCard[last="true"] {{ border: 2px solid {text}; }}
#entryRow {{
    text-align: left; border: 0; border-left: 3px solid transparent; border-bottom: 1px solid {line_hair};
    border-radius: 0; padding: 0;
}}
#entryRow:hover {{ background: {bg_hover}; }}
#entryRow:focus {{ background: {bg_selected}; border-left: 3px solid {text}; padding: 0; }}
#script {{ border: 2px solid {bg_lane}; border-radius: 0; padding: 0; background: {bg_lane}; }}
#script:focus {{ border: 2px solid {focus}; }}
#verdict {{
    text-align: left; border: 0; border-radius: 0; padding: 5px 16px;
    color: {text_2}; background: {bg_window};
}}
#verdict[fault="true"] {{ color: {warn}; background: {warn_soft}; font-weight: 600; }}
#verdict:focus {{ border: 2px solid {focus}; padding: 3px 14px; }}
#dropZone {{ background: {bg_window}; border: 1px dashed {line_edge}; border-radius: 6px; }}
#notice {{ border: 0; border-bottom: 1px solid {line_hair}; background: {ok_soft}; }}
#notice[kind="failure"] {{ background: {warn_soft}; }}
#noticeTitle {{ font-weight: 600; }}
#progress {{ background: {bg_window}; border-bottom: 1px solid {line_hair}; }}
QProgressBar {{ background: {bg_sunken}; border: 0; border-radius: 3px; }}
QProgressBar::chunk {{ background: {text}; border-radius: 3px; }}
QPushButton, QToolButton {{
    background: {bg_panel}; border: 1px solid {line_strong}; border-radius: 6px; padding: 4px 10px;
}}
QPushButton:hover, QToolButton:hover {{ background: {bg_hover}; }}
QPushButton:focus, QToolButton:focus {{ border: 2px solid {focus}; padding: 3px 9px; }}
QPushButton:disabled, QToolButton:disabled {{ color: {text_3}; border-color: {line_hair}; }}
QPushButton#primary {{
    background: {bg_inverse}; color: {text_inverse}; border-color: {bg_inverse}; font-weight: 600;
}}
QPushButton#primary:hover {{ background: {text_2}; }}
QPushButton#primary:disabled {{ background: {bg_hover}; color: {text_3}; border-color: {line_hair}; }}
QLabel[look="key"] {{
    font-family: "JetBrains Mono"; font-size: 10px; color: {text_2}; border: 1px solid {line_strong};
    border-radius: 3px; padding: 0 3px;
}}
QToolButton QLabel:disabled {{ color: {line_edge}; border-color: {line_hair}; }}
QToolButton QLabel[spent="true"] {{ color: {text_3}; }}
#transport QToolButton:disabled {{ background: transparent; border: 1px dashed {line_strong}; }}
QTableCornerButton::section {{ background: {bg_panel}; border: 0; border-bottom: 1px solid {line_hair}; }}
#roles QHeaderView::section:vertical {{ padding: 0 8px 0 16px; color: {text}; font-size: 12px; }}
#roles QHeaderView::section:vertical:checked {{ background: {bg_selected}; font-weight: 600; }}
#switch:checked {{ background: {bg_selected}; border-color: {text}; }}
QPushButton:checked {{ background: {bg_selected}; border-color: {text}; }}
QToolButton[here="true"] {{ background: {bg_selected}; border-color: {bg_selected}; }}
#rail QToolButton {{
    border: 0; border-left: 3px solid transparent; border-radius: 0; background: transparent; padding: 0;
}}
#rail QToolButton:hover {{ background: {bg_hover}; }}
#rail QToolButton:checked {{ background: {bg_selected}; border-left: 3px solid {text}; }}
#rail QToolButton:focus {{ border: 2px solid {focus}; }}
#leftStrip, #rightStrip {{ background: {bg_window}; }}
#leftStrip {{ border-right: 1px solid {line_hair}; }}
#rightStrip {{ border-left: 1px solid {line_hair}; }}
#upright, #counted {{ border: 0; border-radius: 0; background: transparent; padding: 0; }}
#upright {{ placeholder-text-color: {text_3}; }}
#upright:hover, #counted:hover {{ background: {bg_hover}; }}
#upright:checked {{ background: {bg_selected}; }}
#upright:focus, #counted:focus {{ border: 2px solid {focus}; }}
#search {{ border-color: {line_hair}; padding: 0; }}
#search:hover {{ border-color: {line_strong}; }}
#search:focus {{ border: 2px solid {focus}; padding: 0; }}
#search QLabel[look="secondary"] {{ color: {text_3}; font-size: 12px; }}
#logo {{ border: 0; background: transparent; padding: 0; }}
#logo::menu-indicator {{ image: none; width: 0; }}
QListWidget, QTableWidget, QTableView, QTreeWidget {{ background: {bg_panel}; border: 0; outline: 0; }}
QTableWidget {{
    font-family: "JetBrains Mono NL"; font-size: 11px; selection-background-color: {bg_selected};
    selection-color: {text};
}}
QTableWidget[plain="true"] {{ font-family: "Inter", "Noto Sans SC"; font-size: 12px; }}
QTableWidget::item {{ padding: 0 5px; }}
#narration::item {{ padding: 0 13px; }}
#narration {{ selection-background-color: {bg_selected}; selection-color: {text}; }}
QTableWidget[inset="true"]::item {{ padding: 0 13px; }}
#focusRing {{ border: 2px solid {focus}; background: transparent; }}
QTableWidget::indicator {{
    width: 11px; height: 11px; border: 1px solid {line_edge}; border-radius: 3px; background: {bg_panel};
}}
QTableWidget::indicator:checked {{ border-color: {text}; }}
QListWidget[filter="true"]::item:selected {{ background: {bg_selected}; border-left: 3px solid {text}; }}
QListWidget[filter="true"]::item:hover {{ background: {bg_hover}; }}
QSplitter::handle {{ background: {line_hair}; image: none; }}
QHeaderView {{ background: {bg_panel}; }}
QHeaderView::section {{
    background: {bg_panel}; color: {text_2}; border: 0; border-bottom: 1px solid {line_hair};
    padding: 4px 8px; font-size: 11px;
}}
QTableWidget[inset="true"] QHeaderView::section {{ padding: 4px 16px; }}
QHeaderView::up-arrow, QHeaderView::down-arrow {{
    subcontrol-origin: padding; subcontrol-position: center right; width: 7px; height: 7px;
}}
QMenu {{ background: {bg_panel}; border: 1px solid {line_strong}; padding: 4px; }}
QMenu::item {{ padding: 5px 26px 5px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {bg_selected}; }}
QMenu::item:disabled {{ color: {text_3}; }}
QMenu::separator {{ background: {line_hair}; height: 1px; margin: 4px 8px; }}
QLineEdit, QPlainTextEdit {{
    background: {bg_panel}; border: 1px solid {line_strong}; border-radius: 6px; padding: 4px 8px;
    selection-background-color: {bg_selected}; selection-color: {text};
}}
QLineEdit:focus, QPlainTextEdit:focus {{ border: 2px solid {focus}; }}
QCheckBox {{ spacing: 6px; }}
QCheckBox::indicator {{
    width: 11px; height: 11px; border: 1px solid {line_edge}; border-radius: 3px; background: {bg_panel};
}}
QCheckBox::indicator:checked {{ border-color: {text}; }}
QCheckBox::indicator:disabled {{ border-color: {line_hair}; }}
QCheckBox:disabled {{ color: {text_3}; }}
QCheckBox:focus {{ outline: 2px solid {focus}; }}
QComboBox {{
    background: {bg_panel}; border: 1px solid {line_strong}; border-radius: 6px; padding: 2px 8px;
    selection-background-color: {bg_selected}; selection-color: {text};
}}
QComboBox::drop-down {{ border: 0; width: 20px; }}
QComboBox::down-arrow {{
    width: 0; height: 0; border-top: 5px solid {text_2};
    border-left: 4px solid {bg_panel}; border-right: 4px solid {bg_panel};
}}
QComboBox:focus {{ border: 2px solid {focus}; padding: 1px 7px; }}
QComboBox[cell="true"] {{
    border: 1px solid transparent; border-radius: 3px; background: transparent; padding: 2px 5px;
}}
QComboBox[cell="true"]:hover {{ border-color: {line_strong}; }}
QComboBox[cell="true"]:focus {{ border: 2px solid {focus}; }}
QComboBox QLineEdit, QTableWidget QLineEdit {{
    border: 0; border-radius: 0; padding: 0; background: {bg_panel};
}}
QLabel[look="refusal"] {{ color: {warn}; }}
QComboBox QAbstractItemView {{ background: {bg_panel}; border: 1px solid {line_strong}; outline: 0; }}
#overlay {{ background: {bg_panel}; border: 1px solid {line_edge}; border-radius: 6px; }}
QListView {{ background: {bg_panel}; border: 0; outline: 0; }}
#noteEditor {{ background: {note_soft}; border: 1px solid {note}; border-radius: 6px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QAbstractScrollArea::corner {{ background: transparent; border: 0; }}
QScrollBar::handle {{
    background: {line_strong}; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px;
}}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def dress(theme: Theme) -> None:
    """Give the whole program a theme's colours and sizes."""
    app, sheet = QApplication.instance(), style_sheet(theme)
    # The same sheet set again would style every widget of every window anew.
    if isinstance(app, QApplication) and app.styleSheet() != sheet:
        # In place of another sheet, Qt would style each widget once for each one that it lies in.
        app.setStyleSheet("")
        app.setPalette(palette(theme))
        app.setStyleSheet(sheet)


def style_sheet(theme: Theme) -> str:
    """The whole style sheet in a theme's colours."""
    roles = {role.replace(".", "_"): theme.colour(role).name() for role in USED}
    return _SHEET.format(**roles)


USED = (
    "bg.window", "bg.panel", "bg.lane", "bg.sunken", "bg.hover", "bg.selected", "bg.inverse",
    "line.hair", "line.strong", "line.edge", "text", "text.2", "text.3", "text.inverse",
    "focus", "loss", "loss.soft", "warn", "warn.soft", "ok", "ok.soft", "note", "note.soft",
)  # fmt: skip
"""The roles that widgets use. Lane colours are for lanes alone."""


def palette(theme: Theme) -> QPalette:
    """The palette for what the style sheet does not reach."""
    made = QPalette()
    pairs: tuple[tuple[QPalette.ColorRole, str], ...] = (
        (QPalette.ColorRole.Window, "bg.panel"),
        (QPalette.ColorRole.Base, "bg.panel"),
        (QPalette.ColorRole.AlternateBase, "bg.hover"),
        (QPalette.ColorRole.Button, "bg.panel"),
        (QPalette.ColorRole.WindowText, "text"),
        (QPalette.ColorRole.Text, "text"),
        (QPalette.ColorRole.ButtonText, "text"),
        (QPalette.ColorRole.PlaceholderText, "text.3"),
        (QPalette.ColorRole.Highlight, "bg.selected"),
        (QPalette.ColorRole.HighlightedText, "text"),
        (QPalette.ColorRole.Link, "text"),
        (QPalette.ColorRole.Accent, "hw"),
    )
    for place, role in pairs:
        colour: QColor = theme.colour(role)
        made.setColor(place, colour)
    return made
