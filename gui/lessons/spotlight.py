"""From a step of a lesson to what its text speaks of in the lanes that are drawn."""

from typing import Final

from core.picture.lane import Lane
from core.picture.marks import Picture
from core.picture.spotlight import Spot, with_spotlight
from core.teaching.facts import broker_ids
from gui.timeline.scenes import ComparisonScene, Look, TraceScene
from gui.workspace.content import Content
from gui.workspace.lesson_player import Player, spoken_of

_BEFORE: Final = 96.0
"""So far left of what is hidden, the state counts from which it is decided."""
_INSIDE: Final = 4.0
"""So far inside of the picture it ends."""
_BESIDE: Final = 10.0
"""So far beyond the first and the last event it goes."""


def lit(
    picture: Picture,
    player: Player,
    scene: ComparisonScene | TraceScene,
    look: Look,
    content: Content,
    ends: tuple[float, float],
) -> Picture:
    """The picture with the spotlight of the step that is on. `ends`: of the lanes, of what is beside them."""
    spot = spot_of(player, scene, look, content, ends)
    return picture if spot is None else with_spotlight(picture, spot, look.gutter)


def spot_of(
    player: Player,
    scene: ComparisonScene | TraceScene,
    look: Look,
    content: Content,
    ends: tuple[float, float],
) -> Spot | None:
    """The spot of the step that is on; None where its text speaks of all.

    While a question waits it is what stands before what is hidden, in the lanes that are asked about.
    """
    right, edge = ends[0], ends[1] - _INSIDE
    lanes, asked = scene.lanes(look), player.asks
    brokers = player.now.scene.brokers
    if asked is not None and asked.broker:
        brokers = (asked.broker,)
    lit_places = frozenset(place for place, one in enumerate(lanes) if _speaks_of(one, brokers, content))
    if not lit_places:
        return None
    rows = tuple((one.run, one.box.top, one.box.end) for one in lanes)
    if asked is not None:
        return Spot(max(right - _BEFORE, look.gutter), edge, rows, lit_places)
    spoken = spoken_of(player.now.scene, content)
    if spoken is None and not brokers:
        return None
    if spoken is None:
        return Spot(look.gutter, right, rows, lit_places)
    left, end = (scene.x_of(position, look) for position in spoken)
    return Spot(max(left - _BESIDE, look.gutter), min(end + _BESIDE, right), rows, lit_places)


def _speaks_of(lane: Lane, brokers: tuple[str, ...], content: Content) -> bool:
    ids = broker_ids(content.runs[lane.run])
    return not brokers or lane.broker in {ids.get(one) for one in brokers}
