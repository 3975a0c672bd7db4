"""Lanes: folded, hidden, pinned, moved, ordered, made higher, selected by keys; the menu of a lane's name."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from core.document.lane_order import USUAL, LaneOrder, Sorting, sorted_brokers
from core.picture.gutter import lane_ref
from core.picture.marks import Ref
from gui.text.spoken import tr
from gui.workspace.content import EVENTS
from gui.workspace.edits import arrange, replicas, show_hidden

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


Change = Callable[[LaneOrder, tuple[int, ...], int], LaneOrder]
"""From how the lanes of these brokers stand to how they shall, by what is done to one of them."""

_SORTED: Final = {
    Sorting.USUAL: "lanes.lanes-as-the-replicas-were-assigned",
    Sorting.BROKER: "lanes.lanes-by-broker-id",
    Sorting.LEADER: "lanes.lanes-with-who-leads-at-the",
    Sorting.DIVERGENCE: "lanes.lanes-by-how-many-records-differ",
}
_OF_MARK: Final = (
    ("cause", "select", "note", "arrow", "copy"),
    ("fold-lane", "hide-lane"),
)
_OF_LANE: Final = (
    ("fold-lane", "fold-others", "hide-lane", "pin-lane"),
    ("lane-up", "lane-down", "order-lanes"),
    ("show-lanes", "usual-lanes"),
)


def lane_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """The actions on lanes, by id."""
    changes: dict[str, Change] = {
        "fold-lane": partial(_fold, window),
        "fold-others": lambda lanes, brokers, broker: lanes.fold_others(brokers, broker),
        "hide-lane": lambda lanes, brokers, broker: lanes.hide(brokers, broker),
        "pin-lane": lambda lanes, _, broker: lanes.pin(broker),
        "lane-up": partial(_step, -1),
        "lane-down": partial(_step, 1),
    }
    return {
        **{name: partial(_change, window, change) for name, change in changes.items()},
        "usual-lanes": lambda: arrange(window.session, USUAL),
        "order-lanes": partial(_sort, window),
        "show-lanes": lambda: show_hidden(window.session),
        "lane-above": partial(_select, window, -1),
        "lane-below": partial(_select, window, 1),
    }


def connect_lanes(window: "MainWindow") -> None:
    """What a person does with the mouse on a lane's name, and what can be done while lanes are hidden."""
    window.stage.canvas.menu_wanted.connect(partial(open_menu, window))
    window.session.lanes_changed.connect(window.refresh_actions)


def open_menu(window: "MainWindow", ref: Ref, at: QPoint) -> None:
    """The menu of a lane's name or of a mark, at a point of the screen: actions that also have keys."""
    if ref.kind in EVENTS:
        window.stage.choose(ref)
    else:
        window.session.select(ref)
    menu = QMenu(window)
    for group in _OF_MARK if ref.kind in EVENTS else _OF_LANE:
        menu.addActions([window.actions_[name] for name in group])
        menu.addSeparator()
    # What was asked for earlier may be there while the menu waits: its actions are not for that.
    window.session.content_changed.connect(menu.close)
    menu.exec(at)
    menu.deleteLater()


def _change(window: "MainWindow", change: Change) -> None:
    """Arrange the lanes anew by the one that is selected, else by the one under the pointer."""
    session = window.session
    selected, brokers = session.selection, replicas(session)
    if selected is not None and selected.broker >= 0:
        run, broker = selected.run, selected.broker
    else:
        run, broker = window.stage.pointed_lane() or (0, None)
    if broker not in brokers:
        window.statusBar().showMessage(tr("lanes.which-lane-click-its-name-or"), 4000)
        return
    arrange(session, change(session.lanes, brokers, broker))
    window.stage.reveal_lane(broker, run)


def _fold(window: "MainWindow", lanes: LaneOrder, _brokers: tuple[int, ...], broker: int) -> LaneOrder:
    return lanes.fold(broker, by_itself=window.stage.folds_by_itself(broker))


def _step(step: int, lanes: LaneOrder, brokers: tuple[int, ...], broker: int) -> LaneOrder:
    shown = lanes.brokers(brokers)
    return lanes.move(brokers, broker, shown.index(broker) + step) if broker in shown else lanes


def _sort(window: "MainWindow") -> None:
    """Order the lanes by the next sorting; in a comparison by what the first run says."""
    session, content = window.session, window.session.content
    if content is None:
        return
    sorting, first = session.lanes.sorting.following(), content.runs[0]
    leader = first.history.leader.at(session.cursors[0])
    line = sorted_brokers(sorting, replicas(session), leader, first.verdict)
    arrange(session, session.lanes.sort(sorting, line))
    window.statusBar().showMessage(tr(_SORTED[sorting]), 4000)


def _select(window: "MainWindow", step: int) -> None:
    """Select the lane above or below the selected one; where none is, the first or the last."""
    session = window.session
    content = session.content
    if content is None:
        return
    lanes = [
        (run, broker)
        for run, each in enumerate(content.runs)
        for broker in session.lanes.brokers(each.history.replicas)
    ]
    selected = session.selection
    here = None if selected is None else (selected.run, selected.broker)
    if here in lanes:
        place = min(max(lanes.index(here) + step, 0), len(lanes) - 1)
    else:
        place = 0 if step > 0 else len(lanes) - 1
    run, broker = lanes[place]
    session.select(lane_ref(content.runs[run].history.trace, broker, run))
    window.stage.reveal_lane(broker, run)
