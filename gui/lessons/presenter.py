"""Presenting a lesson on one display or two: who gets which screen, what keys do, what time it is."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QScreen
from PySide6.QtWidgets import QWidget

from core.picture.projector import Projected, projected, smallest_letters
from core.picture.viewing import USUAL, Room, minutes_of_arc
from core.teaching.lesson import Lesson
from gui.handouts.slides import answer_of, options_of, pages_of
from gui.lessons.audience import Audience
from gui.lessons.awake import Awake
from gui.lessons.speaker import SWITCHES, Speaker
from gui.text.spoken import language, tr
from gui.theme import load_theme
from gui.workspace.lesson_player import shown
from gui.workspace.lesson_presenting import (
    Display,
    Point,
    Presenting,
    Sight,
    begun,
    displays_of,
    enlarged,
    frozen,
    is_room_known,
    measured,
    onward,
    revealed,
    to_page,
    to_step,
    with_room,
)

_MOST_STEPS: Final = 6
"""Of size, up and down."""
_LISTED: Final = (
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End),
    *(Qt.Key.Key_Return, Qt.Key.Key_Enter),
)
"""Keys of the list of steps."""


class Presenter(QObject):
    """Runs a presentation from `begin` to `leave`. Both windows are its own; the room's shows one picture."""

    ended = Signal(object)
    """the Player, when the presentation is left"""
    rooms_changed = Signal(tuple)
    """which displays a room saw lessons on, the last one first"""
    measures_changed = Signal(object)
    """the Room, when the speaker says how wide its picture is, or how far its last row sits"""

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is presented."""
        super().__init__(parent)
        self.state: Presenting | None = None
        self.room, self.speaker = Audience(pointer=False), Speaker()
        self._begun = 0.0
        self._laser: Point | None = None
        self.rooms: tuple[str, ...] = ()
        """Displays on which a room saw lessons, the last one first."""
        self.measures = USUAL
        """How wide the picture of the room is, and how far its last row sits."""
        self.choose: Callable[[str, Sequence[str], int], str] = _no_answer
        """Asks for one of several; "" is none."""
        self._placed = ""
        self._stays_on = True
        self._awake = Awake(self)
        self._awake.answered.connect(self._tell_awake)
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self._tell_time)
        self.speaker.switched.connect(self.switch)
        self.speaker.step_wanted.connect(self._go_to)
        self.speaker.counted.connect(self._count)
        self.speaker.measured.connect(self._measure)
        for picture in (self.room, self.speaker.now):
            picture.pointed.connect(self._point)
            picture.drawn.connect(self._draw)
        for window in (self.room, self.speaker):
            window.installEventFilter(self)
        self.speaker.steps.installEventFilter(self)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.screenRemoved.connect(self._screen_gone)
        self._keys = self._key_table()

    def begin(self, lesson: Lesson, step: int = 0) -> None:
        """Present a lesson from a step on. Which display is the room's is asked once, and kept by name."""
        self._ask_for_room()
        self.state = begun(lesson, step, self.measures)
        self.speaker.show_measures(self.measures)
        self._begun = time.monotonic()
        self._place()
        self._awake.hold(tr("lesson.speaker.presents"))
        self._tick.start()
        self._show()

    def leave(self) -> None:
        """Both windows go."""
        state, self.state = self.state, None
        self._tick.stop()
        self._awake.release()
        self.room.hide()
        self.speaker.hide()
        if state is not None:
            self.ended.emit(state.now.player)

    def _screens(self) -> tuple[QScreen, QScreen | None]:
        """That of the speaker and that of the room; None where there is one display, or all show the same."""
        screens = {_display(one): one for one in _all_screens()}
        mine, theirs = displays_of(tuple(screens), self.rooms)
        return screens[mine], None if theirs is None else screens[theirs]

    def _ask_for_room(self) -> None:
        displays = tuple(map(_display, _all_screens()))
        if is_room_known(displays, self.rooms):
            return
        _, proposed = displays_of(displays, self.rooms)
        names = [
            tr("lesson.speaker.display", name=one.name, width=one.box[2], height=one.box[3])
            for one in displays
        ]
        current = 0 if proposed is None else displays.index(proposed)
        answer = self.choose(tr("lesson.speaker.which-room"), names, current)
        if answer in names:
            self._keep_room(displays[names.index(answer)].name)

    def _keep_room(self, name: str) -> None:
        self.rooms = with_room(self.rooms, name)
        self.rooms_changed.emit(self.rooms)

    def _place(self) -> None:
        """Both windows on their screens; with one display the room's picture fills it."""
        mine, theirs = self._screens()
        _fill(self.room, theirs or mine)
        if theirs is None:
            self.speaker.hide()
            self._warn(tr("lesson.speaker.one-display"))
        else:
            self._warn("")
            _fill(self.speaker, mine)
        (self.speaker if theirs is not None else self.room).activateWindow()

    def _notes_here(self) -> None:
        """With one display: the speaker's screen in place of the picture, or the picture again."""
        if self._screens()[1] is not None:
            return
        if len(QGuiApplication.screens()) > 1:
            # Displays that show the same: the room would read the notes.
            return
        if self.speaker.isVisible():
            self.speaker.hide()
            _fill(self.room, self._screens()[0])
        else:
            _fill(self.speaker, self._screens()[0])
            self.room.hide()

    def _screen_gone(self, gone: QScreen) -> None:
        """What was on a display that was unplugged is hidden: nothing private moves to another one."""
        if self.state is None:
            return
        if self.speaker.screen() is gone:
            self.speaker.hide()
        elif self.room.screen() is gone:
            self.room.hide()
            self._warn(tr("lesson.speaker.room-gone"))

    def _warn(self, placed: str) -> None:
        """What the speaker has to know of the displays: who sees what, and that they may go dark."""
        self._placed = placed
        dark = "" if self._stays_on else tr("lesson.speaker.may-go-dark")
        self.speaker.warn("\n".join(filter(None, (placed, dark))))

    def _tell_awake(self, stays_on: bool) -> None:
        self._stays_on = stays_on
        self._warn(self._placed)

    def switch(self, name: str) -> None:
        """Do what a switch of the speaker does."""
        self._keys[SWITCHES[name][1]]()

    def _key_table(self) -> dict[Qt.Key, Callable[[], object]]:
        keys = Qt.Key
        change = self._change
        return {
            keys.Key_PageDown: partial(change, _onward),
            keys.Key_Right: partial(change, _onward),
            keys.Key_PageUp: partial(change, _back),
            keys.Key_Left: partial(change, _back),
            keys.Key_Space: partial(change, revealed),
            keys.Key_Period: self._blank,
            keys.Key_B: self._blank,
            keys.Key_F: partial(change, frozen),
            keys.Key_L: partial(change, lambda state: replace(state, laser=not state.laser)),
            keys.Key_E: partial(change, lambda state: replace(state, pen=not state.pen)),
            keys.Key_Z: self._zoom,
            keys.Key_Plus: partial(self._size, 1),
            keys.Key_Minus: partial(self._size, -1),
            keys.Key_D: self._darken,
            keys.Key_T: self._restart,
            keys.Key_G: lambda: self.speaker.steps.setFocus(Qt.FocusReason.ShortcutFocusReason),
            keys.Key_N: self._notes_here,
            keys.Key_S: self._swap,
            keys.Key_Escape: self.leave,
        }

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of both windows; a window that is closed ends it."""
        if self.state is None:
            return False
        if event.type() == QEvent.Type.Close:
            self.leave()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        return self.press(event, in_list=watched is self.speaker.steps)

    def press(self, event: QKeyEvent, *, in_list: bool = False) -> bool:
        """Whether a key means something, and is done. The list of steps keeps its arrows and Enter."""
        state, key = self.state, Qt.Key(event.key())
        if state is None or (in_list and key in _LISTED):
            return False
        if state.blank:
            self._change(lambda one: replace(one, blank=False))
            return True
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if key == Qt.Key.Key_Z:
                self._change(lambda one: replace(one, strokes=one.strokes[:-1]))
            return key == Qt.Key.Key_Z
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self._frame(int(key) - int(Qt.Key.Key_1))
            return True
        done = self._keys.get(key)
        if done is not None:
            done()
        return done is not None

    def _change(self, how: Callable[[Presenting], Presenting]) -> None:
        if self.state is not None:
            self.state = how(self.state)
            self._show()

    def _look(self, how: Callable[[Sight], Sight]) -> None:
        self._change(lambda state: replace(state, now=how(state.now)))

    def _go_to(self, step: int) -> None:
        self._change(lambda state: to_step(state, step))

    def _blank(self) -> None:
        self._change(lambda state: replace(state, blank=not state.blank))

    def _zoom(self) -> None:
        if self.state is not None:
            brokers = tuple(shown(self.state.now.player).content.runs[0].history.replicas)
            self._change(lambda state: enlarged(state, brokers))

    def _size(self, by: int) -> None:
        self.speaker.size_notes(by)
        self._look(lambda now: replace(now, larger=min(max(now.larger + by, -_MOST_STEPS), _MOST_STEPS)))

    def _darken(self) -> None:
        self._look(lambda now: replace(now, dark=not now.dark))

    def _frame(self, place: int) -> None:
        self._look(lambda now: replace(now, framed=None if now.framed == place else place))

    def _count(self, counts: tuple[int, ...]) -> None:
        self._look(lambda now: replace(now, counts=counts))

    def _measure(self, room: Room) -> None:
        self.measures = room
        self.measures_changed.emit(room)
        self._change(lambda state: measured(state, room))

    def _restart(self) -> None:
        self._begun = time.monotonic()
        self._tell_time()

    def _swap(self) -> None:
        mine, theirs = self._screens()
        if theirs is not None:
            self._keep_room(mine.name())
            self._place()

    def _point(self, where: Point) -> None:
        self._laser = where
        self._lay_over()

    def _draw(self, where: Point, begins: bool) -> None:
        state = self.state
        if state is None or not state.pen:
            return
        before = state.strokes if begins or not state.strokes else state.strokes[:-1]
        line = () if begins or not state.strokes else state.strokes[-1]
        self.state = replace(state, strokes=(*before, (*line, where)))
        self._lay_over()

    def _lay_over(self) -> None:
        state = self.state
        if state is not None:
            laser = self._laser if state.laser else None
            for picture in (self.room, self.speaker.now):
                picture.lay_over(state.strokes, laser)

    def _show(self) -> None:
        """Both screens, as the state is now."""
        state = self.state
        if state is None:
            return
        seen, now = state.seen, state.now
        for picture in (self.room, self.speaker.now):
            _picture(picture, seen, blank=state.blank)
        player = now.player
        after = _after(state)
        _picture(self.speaker.next, after.now, blank=False)
        waits = player.asks is not None
        self.speaker.show_state(
            state, answer_of(player.now, language()) if waits else "", options_of(player) if waits else ()
        )
        picture = self.room.picture
        if picture is not None:
            self.speaker.tell_letters(minutes_of_arc(smallest_letters(picture), self.measures))
        self._lay_over()
        self._tell_time()

    def _tell_time(self) -> None:
        if self.state is not None:
            minutes = self.state.now.player.lesson.minutes
            self.speaker.tell_time(round(time.monotonic() - self._begun), minutes, time.strftime("%H:%M"))


def _no_answer(_question: str, _choices: Sequence[str], _current: int) -> str:
    return ""


def _all_screens() -> tuple[QScreen, ...]:
    """Every display, the primary one first."""
    first = QGuiApplication.primaryScreen()
    return (first, *(one for one in QGuiApplication.screens() if one is not first))


def _display(screen: QScreen) -> Display:
    box = screen.geometry()
    return Display(screen.name(), (box.x(), box.y(), box.width(), box.height()))


def _fill(window: QWidget, screen: QScreen) -> None:
    """A window over all of a screen."""
    window.setScreen(screen)
    window.setGeometry(screen.geometry())
    window.showFullScreen()


def _pages(sight: Sight) -> Sequence[Projected]:
    player, room = sight.player, sight.room
    return pages_of(
        player, language(), framed=sight.framed, counts=sight.counts, alone=sight.alone, room=room
    )


def _onward(state: Presenting) -> Presenting:
    return onward(state, len(_pages(state.now)))


def _back(state: Presenting) -> Presenting:
    """The picture before, of this step or the last one of the step before."""
    if state.now.page:
        return to_page(state, state.now.page - 1)
    before = to_step(state, state.now.player.step - 1)
    return before if before.now.player is state.now.player else to_page(before, len(_pages(before.now)) - 1)


def _after(state: Presenting) -> Presenting:
    """What comes next: another picture of the step, what happened, or the next step."""
    if state.now.page + 1 < len(_pages(state.now)):
        return to_page(state, state.now.page + 1)
    if state.now.player.asks is not None:
        return revealed(state)
    return to_step(state, state.now.player.step + 1)


def _picture(where: Audience, sight: Sight, *, blank: bool) -> None:
    pages = _pages(sight)
    seen = projected(pages[min(sight.page, len(pages) - 1)], sight.larger, sight.room)
    where.show_picture(seen, load_theme("dark" if sight.dark else "light"), blank=blank)
