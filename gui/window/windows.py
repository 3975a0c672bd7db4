"""The windows of one workspace: a tab of one can go to another, and what holds for one holds for all."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QObject, QPoint

from gui.text.spoken import tr
from gui.window.person import Say
from gui.window.remembering import Remembering
from gui.window.signals import desk_of
from gui.window.tab_bar import TabRow
from gui.workspace.desk import Desk
from gui.workspace.jobs import Failure
from gui.workspace.scratches import Scratches
from gui.workspace.stamps import is_same_path
from gui.workspace.tabs import Tab
from gui.workspace.workspace import Workspace

_KEYS: Final = 1_000_000
"""Keys of tabs that a window may give."""


class OneWindow(Protocol):
    """What a window is to the others."""

    desk: Desk

    def show_place(self) -> None:
        """Show the page of the tab in front."""
        ...

    def come_forward(self) -> None:
        """Lie over the others, with the focus."""
        ...

    def lies_at(self, at: QPoint) -> bool:
        """Whether a point of the screen is on it, and no other window over it there."""
        ...

    def close(self) -> bool:
        """Close it, if the person wants that."""
        ...

    def speak_anew(self, key: str) -> None:
        """Hold to what the settings have for "language" or "zone"."""
        ...

    def dress_anew(self) -> None:
        """Draw again what was drawn for another size of the text."""
        ...


class Windows:
    """All windows of a workspace, from the one that was opened first on."""

    def __init__(self) -> None:
        """None is open."""
        self.workspace = Workspace()
        self.remembering = Remembering(lambda: self.workspace.desks)
        self._scratches = Scratches()
        self._open: list[OneWindow] = []
        self._made = 0
        self._under_way: frozenset[int] = frozenset()
        """Tabs that have left one window, and are in no other yet."""

    @property
    def open(self) -> tuple[OneWindow, ...]:
        """Those that are open, in the order in which they came."""
        return tuple(self._open)

    def new_desk(self, parent: QObject) -> Desk:
        """What a window that is being made has open; its signals go with `parent`."""
        first = self._made * _KEYS
        self._made += 1
        desk = self.workspace.new_desk(partial(desk_of, parent, self._scratches, first))
        self.remembering.follow(desk)
        return desk

    def add(self, window: OneWindow) -> None:
        """It is open. A document that another window has open is brought to the front there."""
        self._open.append(window)
        window.desk.store.bring = partial(self._bring, window)

    def remove(self, window: OneWindow) -> None:
        """It is closed; with the last one the workspace is."""
        if window not in self._open:
            return
        self._open.remove(window)
        if not self._open:
            self.remembering.end()
        self.workspace.close_desk(window.desk)
        if not self._open:
            self.workspace.close()

    def others(self, window: OneWindow) -> tuple[OneWindow, ...]:
        """All that are open but this one."""
        return tuple(one for one in self._open if one is not window)

    def has(self, key: int) -> bool:
        """Whether a tab is open in any of them."""
        return key in self._under_way or any(one.desk.tabs.open.tab(key) for one in self._open)

    def bring_tab(self, key: int) -> None:
        """Bring a tab to the front, and its window."""
        for window in self._open:
            if window.desk.tabs.open.tab(key) is not None:
                window.desk.tabs.choose(key)
                window.show_place()
                window.come_forward()

    def close_all(self) -> None:
        """Close all, the newest first, until a person wants one to stay."""
        for window in reversed(self.open):
            if not window.close():
                return

    def send(self, key: int, here: OneWindow, there: OneWindow) -> None:
        """A tab of one window goes to another, with all that is in it; one that is left empty is closed."""
        self._under_way = frozenset(tab.key for tab in here.desk.tabs.open.tabs)
        went = here.desk.tabs.hand_over(key)
        if went is not None:
            there.desk.tabs.join(went)
        self._under_way = frozenset()
        if went is None:
            return
        there.show_place()
        there.come_forward()
        if here.desk.tabs.open.tabs:
            here.show_place()
        else:
            here.close()

    def wear(self, theme: str) -> None:
        """All wear a theme."""
        for window in self._open:
            window.desk.session.set_theme(theme)

    def speak_anew(self, key: str) -> None:
        """All hold to what the settings have for "language" or "zone"."""
        for window in self._open:
            window.speak_anew(key)

    def dress_anew(self) -> None:
        """All draw again what was drawn for another size of the text."""
        for window in self._open:
            window.dress_anew()

    def tell_failure(self, failure: Failure) -> None:
        """Say why something could not be done, from any thread."""
        if self._open:
            self._open[0].desk.jobs.failed.emit(failure)

    def show_elsewhere(self, window: OneWindow, stamp: str) -> bool:
        """Bring the tab of another window to the front that was read from this; whether there is one."""
        for other in self.others(window):
            key = other.desk.tabs.key_of(stamp)
            if key:
                self.bring_tab(key)
                return True
        return False

    def _bring(self, window: OneWindow, path: str) -> bool:
        if window.desk.tabs.bring(path):
            return True
        for other in self.others(window):
            if is_same_path(path, other.desk.session.path) or other.desk.tabs.bring(path):
                other.show_place()
                other.come_forward()
                return True
        return False


class Sending:
    """What a person does to send tabs of a window to another."""

    def __init__(
        self,
        windows: Windows,
        here: OneWindow,
        another: Callable[[], OneWindow],
        row: TabRow,
        say: Say,
    ) -> None:
        """`another` opens a window; `row` tells of tabs that are dragged out."""
        self._windows, self._here, self._another, self._say = windows, here, another, say
        row.torn.connect(self._torn)
        row.own_window.connect(self.own_window)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on windows, by id."""
        tabs = self._here.desk.tabs
        return {
            "own-window": lambda: self.own_window(tabs.open.current),
            "other-window": self.other_window,
        }

    def own_window(self, key: int) -> None:
        """A tab goes to a window of its own. One that is alone in its window has that already."""
        tabs = self._here.desk.tabs
        if len(tabs.together(key)) == len(tabs.open.tabs):
            self._say(tr("tabs.this-has-a-window-of-its-own"), 4000)
        else:
            self._windows.send(key, self._here, self._another())

    def apart(self, groups: Sequence[Sequence[int]]) -> None:
        """Each of these groups of tabs goes to a window of its own, as long as others stay."""
        for keys in groups:
            if {tab.key for tab in self._here.desk.tabs.open.tabs} <= set(keys):
                continue
            there = self._another()
            for key in keys:
                self._windows.send(key, self._here, there)

    def other_window(self) -> None:
        """The tab in front goes to the next window, round about."""
        others = self._windows.others(self._here)
        if not others:
            self._say(tr("tabs.there-is-no-other-window"), 4000)
            return
        place = self._windows.open.index(self._here)
        self._windows.send(self._here.desk.tabs.open.current, self._here, others[place % len(others)])

    def _torn(self, key: int, at: QPoint) -> None:
        """A tab was let go outside its row: over another window it goes there."""
        there = next((one for one in self._windows.others(self._here) if one.lies_at(at)), None)
        if there is not None:
            self._windows.send(key, self._here, there)
        else:
            self.own_window(key)


def tabs_elsewhere(windows: Windows, here: OneWindow) -> tuple[tuple[Desk, Tab], ...]:
    """The tabs of all other windows, each with its desk."""
    return tuple((one.desk, tab) for one in windows.others(here) for tab in one.desk.tabs.open.tabs)
