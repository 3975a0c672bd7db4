"""Log end offset, high watermark and where a disk begins, as lines: only where a value is exact."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.history.state import UNKNOWN_BAND, Band, ReplicaState, Role
from core.picture.areas import Block
from core.picture.lane import Lane
from core.picture.marks import Line
from core.picture.sheet import Depth, Sheet
from core.trace.vocabulary import Basis

Point = tuple[float, float]
_UNDER = 2.0
"""How far the high watermark runs below the log end offset where both are equal."""

_UNDER_BOTH = 4.0
"""How far the last stable offset runs below the high watermark where both are equal."""
_STABLE_DASH = (5.0, 2.0)
LOCAL_START_DASH = (1.0, 3.0)
"""Of the line where a replica's own disk begins; what is below lies in the remote tier alone."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a part of a curve is drawn."""

    width: float
    dash: tuple[float, ...] = ()


@dataclass(slots=True)
class Path:
    """A part of a curve in one style, while it grows."""

    style: Style
    points: list[Point]


def curves(lane: Lane, parts: Sequence[Block], sheet: Sheet) -> None:
    """HW with its casing, then LEO over it. Where both are equal HW runs directly under LEO.

    Where transactions are known, the last stable offset runs below both.
    """

    def hw_y(state: ReplicaState) -> float:
        value = state.hw.exact or 0
        return lane.offsets.y(value) + (_UNDER if value == state.leo.exact else 0.0)

    def lso_y(state: ReplicaState) -> float:
        value = state.lso.exact or 0
        return lane.offsets.y(value) + (_UNDER_BOTH if value == state.hw.exact else 0.0)

    def leo_y(state: ReplicaState) -> float:
        return lane.offsets.y(state.leo.exact or 0)

    def local_y(state: ReplicaState) -> float:
        return lane.offsets.y(_above_start(state).exact or 0)

    if lane.replica.local_starts is not None:
        for path in _paths(parts, _above_start, local_y):
            sheet.add(Depth.BOUND, Line(tuple(path.points), "line.edge", width=1.0, dash=LOCAL_START_DASH))
    for path in _paths(parts, lambda state: state.hw, hw_y):
        points = tuple(path.points)
        if not path.style.dash:
            sheet.add(Depth.CASING, Line(points, "bg.lane", width=path.style.width + 2))
        sheet.add(Depth.HW, Line(points, "hw", width=path.style.width, dash=path.style.dash))
    if lane.replica.has_transactions:
        for path in _paths(parts, lambda state: state.lso, lso_y):
            line = Line(tuple(path.points), "lso", width=max(path.style.width - 0.4, 1.0), dash=_STABLE_DASH)
            sheet.add(Depth.HW, line)
    for path in _paths(parts, lambda state: state.leo, leo_y):
        sheet.add(Depth.LEO, Line(tuple(path.points), "leo", width=path.style.width, dash=path.style.dash))
    for block in parts:
        if block.extent is not None:
            low, high = block.extent
            line = Line(
                ((block.x0 + 0.5, lane.offsets.y(low)), (block.x0 + 0.5, lane.offsets.y(high))),
                "leo",
                width=1.0,
            )
            sheet.add(Depth.LEO, line)


def _above_start(state: ReplicaState) -> Band:
    """The local log start where it is not the log start itself: else there is nothing to draw."""
    local = state.local_start
    if local is None or local.exact is None or local.exact <= (state.log_start.lo or 0):
        return UNKNOWN_BAND
    return local


def _style(state: ReplicaState, band: Band) -> Style | None:
    if band.exact is None:
        return None
    if state.role is Role.OFFLINE:
        return Style(1.4, (3.0, 3.0))
    if band.basis is Basis.INFERRED:
        return Style(1.4, (6.0, 4.0))
    return Style(1.0 if band.basis is Basis.DERIVED else 2.0)


def _paths(
    parts: Sequence[Block],
    band_of: Callable[[ReplicaState], Band],
    y_of: Callable[[ReplicaState], float],
) -> list[Path]:
    """Step lines, one for each span of one style; a value that is not exact breaks the line."""
    paths: list[Path] = []
    last: Point | None = None
    for block in parts:
        style = _style(block.state, band_of(block.state))
        if style is None:
            last = None
            continue
        y = y_of(block.state)
        start: Point = (block.x0, y)
        if paths and last is not None and paths[-1].style == style:
            paths[-1].points.extend((start, (block.x1, y)) if last[1] != y else ((block.x1, y),))
        else:
            lead = [(block.x0, last[1])] if last is not None and last[1] != y else []
            paths.append(Path(style, [*lead, start, (block.x1, y)]))
        last = (block.x1, y)
    return paths
