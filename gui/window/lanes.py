"""Lanes: folded, hidden, pinned, moved, ordered, made higher, selected by keys; the menu of a lane's name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from core.document.lane_order import USUAL, LaneOrder, Sorting, sorted_brokers
from core.picture.gutter import lane_ref
from core.picture.marks import Ref
from gui.text.spoken import tr
from gui.timeline.stage import Stage
from gui.window.person import Say
from gui.workspace.content import EVENTS
from gui.workspace.edits import arrange, replicas, show_hidden
from gui.workspace.session import Session

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


class Lanes:
    """Arranges the lanes of a session, by the lane that is selected or pointed at."""

    def __init__(
        self, session: Session, stage: Stage, actions: Mapping[str, QAction], over: QWidget, say: Say
    ) -> None:
        """The menu of a lane offers `actions`, over a widget."""
        self._session, self._stage, self._actions, self._over, self._say = session, stage, actions, over, say
        stage.canvas.menu_wanted.connect(self.open_menu)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on lanes, by id."""
        changes: dict[str, Change] = {
            "fold-lane": self._fold,
            "fold-others": lambda lanes, brokers, broker: lanes.fold_others(brokers, broker),
            "hide-lane": lambda lanes, brokers, broker: lanes.hide(brokers, broker),
            "pin-lane": lambda lanes, _, broker: lanes.pin(broker),
            "lane-up": partial(_step, -1),
            "lane-down": partial(_step, 1),
        }
        return {
            **{name: partial(self._change, change) for name, change in changes.items()},
            "usual-lanes": lambda: arrange(self._session, USUAL),
            "order-lanes": self._sort,
            "show-lanes": lambda: show_hidden(self._session),
            "lane-above": partial(self._select, -1),
            "lane-below": partial(self._select, 1),
        }

    def open_menu(self, ref: Ref, at: QPoint) -> None:
        """The menu of a lane's name or of a mark, at a point of the screen: actions that also have keys."""
        if ref.kind in EVENTS:
            self._stage.choose(ref)
        else:
            self._session.select(ref)
        menu = QMenu(self._over)
        for group in _OF_MARK if ref.kind in EVENTS else _OF_LANE:
            menu.addActions([self._actions[name] for name in group])
            menu.addSeparator()
        # What was asked for earlier may be there while the menu waits: its actions are not for that.
        changed = self._session.content_changed

        def close(_content: object) -> None:
            menu.close()

        changed.connect(close)
        menu.exec(at)
        changed.disconnect(close)
        menu.deleteLater()

    def _change(self, change: Change) -> None:
        """Arrange the lanes anew by the one that is selected, else by the one under the pointer."""
        session = self._session
        selected, brokers = session.selection, replicas(session)
        if selected is not None and selected.broker >= 0:
            run, broker = selected.run, selected.broker
        else:
            run, broker = self._stage.pointed_lane() or (0, None)
        if broker not in brokers:
            self._say(tr("lanes.which-lane-click-its-name-or"), 4000)
            return
        arrange(session, change(session.lanes, brokers, broker))
        self._stage.reveal_lane(broker, run)

    def _fold(self, lanes: LaneOrder, _brokers: tuple[int, ...], broker: int) -> LaneOrder:
        return lanes.fold(broker, by_itself=self._stage.folds_by_itself(broker))

    def _sort(self) -> None:
        """Order the lanes by the next sorting; in a comparison by what the first run says."""
        session, content = self._session, self._session.content
        if content is None:
            return
        sorting, first = session.lanes.sorting.following(), content.runs[0]
        leader = first.history.leader.at(session.cursors[0])
        line = sorted_brokers(sorting, replicas(session), leader, first.verdict)
        arrange(session, session.lanes.sort(sorting, line))
        self._say(tr(_SORTED[sorting]), 4000)

    def _select(self, step: int) -> None:
        """Select the lane above or below the selected one; where none is, the first or the last."""
        session = self._session
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
        self._stage.reveal_lane(broker, run)


def _step(step: int, lanes: LaneOrder, brokers: tuple[int, ...], broker: int) -> LaneOrder:
    shown = lanes.brokers(brokers)
    return lanes.move(brokers, broker, shown.index(broker) + step) if broker in shown else lanes
