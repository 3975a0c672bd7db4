"""Painted widgets for those who do not see them: each part of a picture has a name and an action.

Qt asks for an interface of a widget only where something reads the screen: else nothing here is made.
docs/adr/0019 says what the binding can do, and what it cannot.
"""

from functools import partial
from typing import Final, Protocol, TypeAlias, cast, runtime_checkable

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QWidget

from core.picture.outline import Part
from core.shown import shown_in_line

_Path: TypeAlias = tuple[object, ...]
"""Of a part: the refs from the outermost on. While it means the same, it is the same object for readers."""
_NOTHING: Final = shiboken6.VoidPtr(0)


@runtime_checkable
class Painted(Protocol):
    """A widget that paints what others have widgets for."""

    def accessible_parts(self) -> tuple[Part, ...]:
        """What is painted now."""
        ...

    def press_part(self, part: Part) -> None:
        """Do what a click on a part does."""
        ...


def read_painted_widgets() -> None:
    """From now on screen readers find the parts of painted widgets."""
    QAccessible.installFactory(_interface_of)


def parts_changed(widget: QWidget) -> None:
    """Another picture is painted. What is not in it any more is gone for readers, too."""
    known = _READ.get(id(widget))
    if known is not None:
        known.forget_what_is_gone()


def _interface_of(_kind: str, asked: QObject | None) -> QAccessibleInterface | None:
    """The interface of a painted widget; None for all others, which Qt knows."""
    if not isinstance(asked, QWidget) or not isinstance(asked, Painted):
        return None
    made = _READ[id(asked)] = _Whole(asked, asked)
    asked.destroyed.connect(partial(_forget, id(asked)))
    return made


def _forget(which: int) -> None:
    known = _READ.pop(which, None)
    if known is not None:
        known.forget_all()


class _Whole(QAccessibleInterface):
    """A painted widget: its children are the parts of its picture."""

    def __init__(self, widget: QWidget, painted: Painted) -> None:
        super().__init__()
        self._widget, self._painted = widget, painted
        self._parts: dict[_Path, Part] | None = None
        self._kept: dict[_Path, tuple[_Piece, int]] = {}
        """What readers know, with the number under which Qt knows it. Qt owns none of them."""

    def parts(self) -> dict[_Path, Part]:
        """All parts of the picture that is painted now, by path."""
        if self._parts is None:
            found: dict[_Path, Part] = {}
            waiting = [((part.ref,), part) for part in reversed(self._painted.accessible_parts())]
            while waiting:
                path, part = waiting.pop()
                found[path] = part
                waiting += [((*path, one.ref), one) for one in reversed(part.parts)]
            self._parts = found
        return self._parts

    def below(self, path: _Path) -> list[_Path]:
        """The parts in a part, or the outermost ones of all."""
        if not path:
            return [one for one in self.parts() if len(one) == 1]
        part = self.parts().get(path)
        return [(*path, one.ref) for one in part.parts] if part is not None else []

    def piece(self, path: _Path) -> "_Piece":
        """The object of a part: always the same one."""
        if path not in self._kept:
            made = _Piece(self, path)
            self._kept[path] = made, QAccessible.registerAccessibleInterface(made)
        return self._kept[path][0]

    def place(self, path: _Path, child: QAccessibleInterface) -> int:
        """Which child of a part an object is; -1 where it is none."""
        found = child.path if isinstance(child, _Piece) else ()
        below = self.below(path)
        return below.index(found) if found in below else -1

    def at(self, path: _Path, x: int, y: int) -> QAccessibleInterface | None:
        """The child of a part that is at a point of the screen."""
        point = QPoint(x, y)
        found = (self.piece(one) for one in reversed(self.below(path)))
        return next((one for one in found if one.rect().contains(point)), None)

    def on_screen(self, path: _Path) -> QRect:
        """Where a part is."""
        part = self.parts().get(path)
        if part is None or not self.isValid():
            return QRect()
        x, y, width, height = (round(value) for value in part.box)
        # Of a lane that is higher than the window, what is seen of it.
        seen = QRect(x, y, max(width, 1), max(height, 1)) & self._widget.visibleRegion().boundingRect()
        return QRect(self._widget.mapToGlobal(seen.topLeft()), seen.size())

    def press(self, path: _Path) -> None:
        """Do what a click does, when the reader has its answer: afterwards the part may be gone."""
        QTimer.singleShot(0, self._widget, partial(self._press, path))

    def _press(self, path: _Path) -> None:
        part = self.parts().get(path)
        if part is not None:
            self._painted.press_part(part)

    def forget_what_is_gone(self) -> None:
        """Take the picture that is painted now."""
        self._parts = None
        if not self._kept:
            return
        gone = [path for path in self._kept if path not in self.parts()]
        self._delete(gone)
        if gone:
            QAccessible.updateAccessibility(QAccessibleEvent(self._widget, QAccessible.Event.ObjectReorder))

    def forget_all(self) -> None:
        """The widget is gone."""
        self._parts = {}
        self._delete(list(self._kept))

    def _delete(self, paths: list[_Path]) -> None:
        for path in paths:
            # In this order: Qt must not ask an object that is gone.
            QAccessible.deleteAccessibleInterface(self._kept[path][1])
            del self._kept[path]

    def isValid(self) -> bool:
        """Whether there is still a widget."""
        return shiboken6.isValid(self._widget)

    def window(self) -> QWindow:
        """The window that it is in."""
        return self._widget.window().windowHandle()

    def object(self) -> QObject:
        """The widget."""
        return self._widget

    def parent(self) -> QAccessibleInterface | None:
        """What it is in."""
        around = self._widget.parentWidget()
        return None if around is None else QAccessible.queryAccessibleInterface(around)

    def childCount(self) -> int:
        """How many parts are not in another one."""
        return len(self.below(()))

    def child(self, index: int) -> QAccessibleInterface | None:
        """A part that is in no other."""
        below = self.below(())
        return self.piece(below[index]) if 0 <= index < len(below) else None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:
        """The part at a point of the screen."""
        return self.at((), x, y)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Which of its parts an object is."""
        return self.place((), child)

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, and what its picture says as a whole."""
        if kind == QAccessible.Text.Name:
            return self._widget.accessibleName()
        return self._widget.accessibleDescription() if kind == QAccessible.Text.Description else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of it can be written."""

    def rect(self) -> QRect:
        """Where it is on the screen."""
        return QRect(self._widget.mapToGlobal(QPoint(0, 0)), self._widget.size())

    def role(self) -> QAccessible.Role:
        """A group of what it has."""
        return QAccessible.Role.Grouping

    def state(self) -> QAccessible.State:
        """Whether the keyboard is here."""
        state = QAccessible.State()
        state.focusable, state.focused = 1, int(self._widget.hasFocus())
        state.invisible = int(not self._widget.isVisible())
        return state


class _Press(QAccessibleActionInterface):
    """What can be done with a part: what a click does."""

    def __init__(self, whole: _Whole, path: _Path) -> None:
        super().__init__()
        self._whole, self._path = whole, path

    def actionNames(self) -> list[str]:
        """One."""
        return [QAccessibleActionInterface.pressAction()]

    def doAction(self, name: str) -> None:
        """Press it."""
        if name == QAccessibleActionInterface.pressAction():
            self._whole.press(self._path)

    def keyBindingsForAction(self, name: str) -> list[str]:
        """None of its own."""
        return []


class _Piece(QAccessibleInterface):
    """A part of a picture: a lane or a row with what is in it, a mark, a cell."""

    def __init__(self, whole: _Whole, path: _Path) -> None:
        super().__init__()
        self._whole, self.path = whole, path
        self._press = _Press(whole, path)
        # A number would end the program here (docs/adr/0019).
        self._pressed = shiboken6.VoidPtr(shiboken6.getCppPointer(self._press)[0])

    @property
    def _part(self) -> Part | None:
        return self._whole.parts().get(self.path)

    def isValid(self) -> bool:
        """Whether it is still painted."""
        return self._whole.isValid() and self._part is not None

    def window(self) -> QWindow:
        """The window that it is in."""
        return self._whole.window()

    def object(self) -> QObject | None:
        """None: there is no widget."""
        return None

    def parent(self) -> QAccessibleInterface:
        """What it is in."""
        return self._whole.piece(self.path[:-1]) if len(self.path) > 1 else self._whole

    def childCount(self) -> int:
        """How many parts it has."""
        return len(self._whole.below(self.path))

    def child(self, index: int) -> QAccessibleInterface | None:
        """One of its parts."""
        below = self._whole.below(self.path)
        return self._whole.piece(below[index]) if 0 <= index < len(below) else None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:
        """Its part at a point of the screen."""
        return self._whole.at(self.path, x, y)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Which of its parts an object is."""
        return self._whole.place(self.path, child)

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, and what is told beside it."""
        part = self._part
        if part is None or kind not in (QAccessible.Text.Name, QAccessible.Text.Description):
            return ""
        return shown_in_line(part.name if kind == QAccessible.Text.Name else part.about)

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of it can be written."""

    def rect(self) -> QRect:
        """Where it is on the screen."""
        return self._whole.on_screen(self.path)

    def role(self) -> QAccessible.Role:
        """A list where it has parts, else an item of one."""
        part = self._part
        has = part is not None and (part.parts or part.ref.kind in ("lane", "row"))
        return QAccessible.Role.List if has else QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Whether the cursor is at it."""
        state, part = QAccessible.State(), self._part
        if part is not None:
            state.selectable, state.selected = 1, int(part.current)
        else:
            state.invisible = 1
        return state

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        """The action."""
        found = self._pressed if kind == QAccessible.InterfaceType.ActionInterface else _NOTHING
        # The binding takes a pointer here, and says that it is a number.
        return cast("int", found)


_READ: Final[dict[int, _Whole]] = {}
"""What was read of each painted widget, by its id while it lives: Qt does not keep the objects of Python."""
