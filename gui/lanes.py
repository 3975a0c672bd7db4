"""Lanes of a timeline: folded, pinned, moved, selected by keys."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from core.picture.gutter import lane_ref
from core.picture.lane_order import USUAL, LaneOrder
from gui.edits import ArrangeLanes
from gui.i18n import tr
from gui.session import Session

if TYPE_CHECKING:
    from gui.main_window import MainWindow


Change = Callable[[LaneOrder, tuple[int, ...], int], LaneOrder]
"""From how the lanes of these brokers stand to how they shall, by what is done to one of them."""


def lane_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """The actions on lanes, by id."""
    changes: dict[str, Change] = {
        "fold-lane": lambda lanes, _, broker: lanes.fold(broker),
        "fold-others": lambda lanes, brokers, broker: lanes.fold_others(brokers, broker),
        "pin-lane": lambda lanes, _, broker: lanes.pin(broker),
        "lane-up": partial(_step, -1),
        "lane-down": partial(_step, 1),
    }
    return {
        **{name: partial(_change, window, change) for name, change in changes.items()},
        "usual-lanes": lambda: arrange(window.session, USUAL),
        "lane-above": partial(_select, window, -1),
        "lane-below": partial(_select, window, 1),
    }


def arrange(session: Session, lanes: LaneOrder) -> None:
    """Arrange the lanes; undo brings back how they were."""
    if lanes != session.lanes:
        session.undo.push(ArrangeLanes(session, lanes))


def replicas(session: Session) -> tuple[int, ...]:
    """The brokers of the timeline in their usual order; () where there is none."""
    content = session.content
    return () if content is None or content.comparison else tuple(content.runs[0].history.replicas)


def _change(window: "MainWindow", change: Change) -> None:
    """Arrange the lanes anew by the one that is selected, else by the one under the pointer."""
    session = window.session
    selected, brokers = session.selection, replicas(session)
    broker = window.stage.pointed_broker() if selected is None or selected.broker < 0 else selected.broker
    if broker not in brokers:
        window.statusBar().showMessage(tr("Which lane? Click its name, or point at it"), 4000)
        return
    arrange(session, change(session.lanes, brokers, broker))
    window.stage.reveal_lane(broker)


def _step(step: int, lanes: LaneOrder, brokers: tuple[int, ...], broker: int) -> LaneOrder:
    return lanes.move(brokers, broker, lanes.brokers(brokers).index(broker) + step)


def _select(window: "MainWindow", step: int) -> None:
    """Select the lane above or below the selected one; where none is, the first or the last."""
    session = window.session
    content = session.content
    brokers = session.lanes.brokers(replicas(session))
    if content is None or not brokers:
        return
    selected = session.selection
    if selected is not None and selected.broker in brokers:
        place = min(max(brokers.index(selected.broker) + step, 0), len(brokers) - 1)
    else:
        place = 0 if step > 0 else len(brokers) - 1
    session.select(lane_ref(content.runs[0].history.trace, brokers[place]))
    window.stage.reveal_lane(brokers[place])
