"""Somebody who hits everything in the window: keys, wheel, drags, clicks and actions, by a seed.

Nothing depends on how long something takes (by_hand.py): one seed is one run, on any machine.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from core.picture.marks import Box
from gui.actions import ACTIONS
from gui.text.spoken import language
from gui.window.dialogs import ASKING, Dialogs
from gui.window.main_window import MainWindow
from gui.workspace.simulating import PAIR
from tests.by_hand import Clock, answered, close_popups, close_what_waits, parts_of, settle

_LEFT_ALONE: Final = frozenset({"quit", "full-screen", "present"})
"""What ends the test, and what offscreen has no meaning or is a window of its own."""
_KEYS: Final = (
    *(Qt.Key[f"Key_{letter}"] for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789"),
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Return,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Space,
    Qt.Key.Key_F2,
    Qt.Key.Key_F6,
    Qt.Key.Key_Plus,
    Qt.Key.Key_Minus,
    Qt.Key.Key_Question,
    Qt.Key.Key_Slash,
)
"""Without Q: it ends the test."""
_MODIFIERS: Final = (
    *(Qt.KeyboardModifier.NoModifier,) * 6,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
_ASKING: Final = ("process", "export", "settings", "keys", "about")
"""Actions that open a dialog, in which somebody stays for a while."""
_OF_LANES: Final = tuple(spec.id for spec in ACTIONS if "lane" in spec.id or "fold" in spec.id)
_NAME_X: Final = 30
"""Where the name of a lane stands on the picture."""
_PASSES_MS: Final = (0, 0, 0, 20, 70, 300, 500)
"""How much time passes after a thing: timers of the window wait up to 400 ms, playing 9 to 2,400 a step."""
_MOST_TABS: Final = 8
_SCENARIOS: Final = ("hw-loss", "overview")
_SIZES: Final = ((640, 400), (960, 540), (1280, 720), (1440, 900), (1600, 1000), (1920, 1080))


def going_back() -> Dialogs:
    """Dialogs in which the person always goes back."""
    answers: dict[str, Any] = {one.name: lambda *_: "" for one in fields(ASKING)}
    answers |= {
        "open_files": lambda *_: (),
        "lose_notes": lambda *_: "discard",
        "lose_text": lambda *_: "discard",
    }
    return Dialogs(**answers)


@dataclass(slots=True)
class Monkey:
    """Acts on a window that was made `by_hand`, and remembers what it did: one seed is one run.

    After each thing it waits until all that follows from it is done, and lets some time of the clock pass.
    """

    window: MainWindow
    chance: random.Random
    clock: Clock
    did: list[str] = field(default_factory=list[str])
    reached: Counter[str] = field(default_factory=Counter[str])
    """What of the window was there to be hit, and how often."""

    def act(self) -> None:
        """One thing, and what follows from it."""
        kind = self.chance.choices(_KINDS, _WEIGHTS)[0]
        kind(self)
        close_what_waits()
        self.window.statusBar().clearMessage()
        self.settle()
        self.clock.pass_by(self.chance.choice(_PASSES_MS), self.settle)
        self._bring_back()

    def _bring_back(self) -> None:
        """What went to windows of its own comes back: this one is looked at."""
        windows = self.window.windows
        for other in windows.others(self.window):
            settle(other.desk.jobs, self.clock)
            keys = [tab.key for tab in other.desk.tabs.open.tabs]
            for key in keys:
                windows.send(key, other, self.window)
            if not keys:
                other.close()
            self.settle()

    def settle(self) -> None:
        """Wait until nothing more follows from what was done."""
        settle(self.window.jobs, self.clock)

    def _note(self, what: str) -> None:
        self.did.append(what)

    def action(self) -> None:
        """An action that is enabled, once or a few times."""
        spec = self.chance.choice([one for one in ACTIONS if one.id not in _LEFT_ALONE])
        action = self.window.actions_[spec.id]
        # At the ends of things it is the second time that breaks.
        for _ in range(self.chance.choice((1, 1, 2, 3))):
            if action.isEnabled():
                self._note(f"action {spec.id}")
                action.trigger()

    def edge(self) -> None:
        """To an end of all positions, and one further."""
        for name in self.chance.choice((("last", "forward"), ("first", "back"))):
            self._note(f"action {name}")
            self.window.actions_[name].trigger()

    def key(self) -> None:
        """A key where the focus is."""
        key, held = self.chance.choice(_KEYS), self.chance.choice(_MODIFIERS)
        target = QApplication.focusWidget() or self.window
        self._note(f"key {key.name} {held.name} in {type(target).__name__}")
        QTest.keyClick(target, key, held)

    def click(self) -> None:
        """A click, or two, on some widget."""
        widget = self._somewhere()
        at = self._point(widget)
        self._note(f"click {type(widget).__name__} {widget.objectName()} {at.x()},{at.y()}")
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        if shiboken6.isValid(widget) and self.chance.random() < 0.2:
            QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)

    def drag(self) -> None:
        """From one point of a widget to another, in a few moves."""
        widget = self._somewhere()
        self._drag(widget, self._point(widget), self._point(widget))

    def lane(self) -> None:
        """A lane by its name: selected, folded, dragged, made higher, its menu, and what keys do with it."""
        canvas = self.window.stage.canvas
        edges = [
            round(mark.y + mark.h)
            for mark in (canvas.picture.marks() if canvas.picture else ())
            if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "lane"
        ]
        if not canvas.isVisible() or not edges:
            return
        view = canvas.viewport()
        first, last = (QPoint(_NAME_X, self._point(view).y()) for _ in range(2))
        self.reached["lane"] += 1
        what = self.chance.choice(("select", "fold", "drag", "drag", "edge", "menu", "leave"))
        self._note(f"lane {what} {first.toTuple()} {last.toTuple()}")
        match what:
            case "select":
                QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, first)
            case "fold":
                QTest.mouseDClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, first)
            case "drag":
                self._drag(view, first, last)
            case "edge":
                self.reached["edge"] += 1
                self._drag(view, QPoint(_NAME_X, self.chance.choice(edges)), last)
            case "menu":
                reason, at = QContextMenuEvent.Reason.Mouse, view.mapToGlobal(first)
                with answered(self._choose_in_menu):
                    QApplication.sendEvent(view, QContextMenuEvent(reason, first, at))
            case _:
                # Let go where no lane is.
                self._drag(view, first, QPoint(view.width() + 50, -50))
        for _ in range(self.chance.choice((0, 1, 3))):
            self._trigger(self.chance.choice(_OF_LANES))

    def _choose_in_menu(self, menu: QMenu) -> None:
        self.reached["menu"] += 1
        actions = [one for one in menu.actions() if one.isEnabled() and not one.isSeparator()]
        if actions:
            action = self.chance.choice(actions)
            self._note(f"in a menu, {action.text()}")
            action.trigger()

    def grid(self) -> None:
        """The grid of partitions and brokers: chosen, clicked, walked through, left."""
        self._trigger("triage")
        page = self.window.pages.triage
        if not page.isVisible():
            return
        page.as_grid.click()
        for _ in range(self.chance.choice((2, 6))):
            self.settle()
            if not page.grid.isVisible():
                return
            self.reached["grid"] += 1
            where = self.chance.choice((page.grid.cells.viewport(), page.strip))
            at = self._point(where)
            self._note(f"in the grid, click {type(where).__name__} {at.toTuple()}")
            QTest.mouseClick(where, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
            key = self.chance.choice(_KEYS)
            self._note(f"in the grid, key {key.name}")
            QTest.keyClick(page.grid.cells, key)
        if page.isVisible() and self.chance.random() < 0.5:
            page.as_list.click()

    def dialog(self) -> None:
        """A dialog that is hit for a while before it is closed."""
        name = self.chance.choice(_ASKING)
        self._trigger(name)
        for _ in range(self.chance.choice((3, 12))):
            close_popups()
            self.settle()
            shown = [one for one in self.window.findChildren(QDialog) if one.isVisible()]
            if not shown:
                break
            self.reached[f"dialog {name}"] += 1
            part = self.chance.choice(parts_of(shown[-1]))
            if self.chance.random() < 0.5:
                at = self._point(part)
                self._note(f"in {name}, click {type(part).__name__} {at.toTuple()}")
                QTest.mouseClick(part, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
            else:
                key = self.chance.choice(_KEYS)
                self._note(f"in {name}, key {key.name} in {type(part).__name__}")
                QTest.keyClick(part, key)

    def _trigger(self, name: str) -> None:
        action = self.window.actions_[name]
        if action.isEnabled():
            self._note(f"action {name}")
            action.trigger()

    def _drag(self, widget: QWidget, first: QPoint, last: QPoint) -> None:
        self._note(f"drag {type(widget).__name__} {first.toTuple()} {last.toTuple()}")
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        steps = [(QEvent.Type.MouseButtonPress, first, left, left)]
        steps += [
            (QEvent.Type.MouseMove, first + (last - first) * part / 3, none, left) for part in (1, 2, 3)
        ]
        steps.append((QEvent.Type.MouseButtonRelease, last, left, none))
        held_key = Qt.KeyboardModifier.NoModifier
        for kind, at, button, held in steps:
            if not shiboken6.isValid(widget):
                return
            where = QPointF(widget.mapToGlobal(at))
            QApplication.sendEvent(widget, QMouseEvent(kind, QPointF(at), where, button, held, held_key))

    def wheel(self) -> None:
        """The wheel over some widget, sideways, or with Ctrl."""
        widget = self._somewhere()
        at = self._point(widget)
        turn = self.chance.choice((-360, -120, -15, 15, 120, 360))
        angle = QPoint(turn, 0) if self.chance.random() < 0.3 else QPoint(0, turn)
        held = self.chance.choice(_MODIFIERS)
        self._note(f"wheel {type(widget).__name__} {angle.toTuple()} {held.name}")
        event = QWheelEvent(
            QPointF(at),
            QPointF(widget.mapToGlobal(at)),
            QPoint(),
            angle,
            Qt.MouseButton.NoButton,
            held,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)

    def resize(self) -> None:
        """Another size of the window."""
        width, height = self.chance.choice(_SIZES)
        self._note(f"resize {width}x{height}")
        self.window.resize(width, height)

    def speak(self) -> None:
        """The other language: all parts of the window are made anew."""
        choice = "en" if language() == "zh" else "zh"
        self._note(f"language {choice}")
        self.window.settings.put("language", choice)
        self.window.speak_anew("language")

    def tab(self) -> None:
        """Something with tabs: another place is opened, or one is chosen, moved, closed, opened again."""
        window = self.window
        keys = [tab.key for tab in window.tabs.open.tabs]
        what = self.chance.choice(
            ("open", "choose", "choose", "move", "close", "reopen", "own", "beside", "window")
        )
        key = self.chance.choice(keys) if keys else 0
        self._note(f"tab {what} {key}")
        match what:
            case "open" if len(keys) < _MOST_TABS:
                window.store.open_simulated(self.chance.choice(_SCENARIOS), PAIR[: self.chance.randint(1, 2)])
            case "choose":
                window.side_by_side.choose(key)
            case "move":
                window.tabs.move(key, self.chance.randrange(_MOST_TABS))
            case "close":
                window.side_by_side.close(key)
            case "reopen":
                window.side_by_side.reopen()
            case "window":
                window.sending.own_window(key)
            case "own" if 0 < len(keys) < _MOST_TABS:
                window.side_by_side.own_tab()
            case "beside" if 0 < len(keys) < _MOST_TABS:
                names = window.session.partitions
                if names:
                    window.side_by_side.beside(self.chance.choice(names))
            case _:
                pass

    def _somewhere(self) -> QWidget:
        """A widget that is shown, the centre more often than the rest."""
        canvas = self.window.stage.canvas
        if canvas.isVisible() and self.chance.random() < 0.4:
            return canvas.viewport()
        shown = parts_of(self.window)
        return self.chance.choice(shown) if shown else self.window

    def _point(self, widget: QWidget) -> QPoint:
        # By shares: of a widget of another size the same chances are taken.
        return QPoint(int(self.chance.random() * widget.width()), int(self.chance.random() * widget.height()))


_KINDS: Final[tuple[Callable[[Monkey], None], ...]] = (
    Monkey.action,
    Monkey.key,
    Monkey.click,
    Monkey.drag,
    Monkey.wheel,
    Monkey.resize,
    Monkey.edge,
    Monkey.speak,
    Monkey.lane,
    Monkey.grid,
    Monkey.dialog,
    Monkey.tab,
)
_WEIGHTS: Final = (30, 30, 14, 8, 16, 1, 1, 0.2, 4, 1, 1, 3)


class StaysOpen(QObject):
    """An event filter that lets nobody close a window: the palette and the menu know how to quit, too."""

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - the name that Qt calls
        """Whether the event ends here."""
        if event.type() == QEvent.Type.Close:
            event.ignore()
            return True
        return False
