"""The gutter left of a lane: who it is, and its values at the cursor."""

from collections.abc import Iterable

from core.document.lane_order import LaneOrder
from core.history.state import Band, ReplicaState, Role
from core.picture.lane import Lane, LaneBox, number, role_word
from core.picture.marks import Align, Box, Line, Mark, Ref, Text
from core.picture.metrics import elide, text_width
from core.trace.broker_names import broker_name, short_name
from core.trace.trace import Trace
from core.words import said

INSET = 16.0
_VALUE = 50.0
NARROW_GUTTER = 100.0
"""Below this width there is room for the name and the log end offset alone."""
NARROW_INSET = 8.0
_NARROW_LABEL = 24.0


def band_words(band: Band) -> str:
    """A band as the gutter shows it, thousands separated: 30, 30–35, ≥ 30, ≤ 35 or ?."""
    if band.lo is None:
        return "?" if band.hi is None else f"≤ {number(band.hi)}"
    if band.hi is None:
        return f"≥ {number(band.lo)}"
    return number(band.lo) if band.lo == band.hi else f"{number(band.lo)}–{number(band.hi)}"


def lane_ref(trace: Trace, broker: int, run: int = 0) -> Ref:
    """What stands for a whole lane."""
    return Ref("lane", run, broker, broker, broker_name(trace, broker))


def name_within(trace: Trace, broker: int, room: float, size: float, weight: int) -> str:
    """What a broker is called in so much room: its id alone tells "broker 1001" from "broker 1002"."""
    name = broker_name(trace, broker)
    if text_width(name, size, weight) <= room:
        return name
    return elide(short_name(trace, broker), room, size, weight)


def lane_name(lane: Lane, width: float) -> tuple[Mark, ...]:
    """The broker's name, and the area that stands for the whole lane."""
    ref, box = lane_ref(lane.trace, lane.broker, lane.run), lane.box
    inset, size = (NARROW_INSET, 11.0) if width < NARROW_GUTTER else (INSET, 13.0)
    name = name_within(lane.trace, lane.broker, width - 2 * inset, size, 600)
    return (
        Box(0, box.top + 1, width, box.end - box.top - 1, ref=ref),
        Text(inset, box.band + size - 0.5, name, "text", size, 600),
    )


def arrangement_signs(box: LaneBox, width: float, *, folded: bool, pinned: bool) -> tuple[Mark, ...]:
    """What tells beside a name that a person folded the lane (a chevron) or pinned it (a pin)."""
    marks: list[Mark] = []
    if folded:
        # Beside the name, which begins further left where the gutter is narrow.
        x = 1.5 if width < NARROW_GUTTER else 5.5
        marks.append(Line(((x, box.band + 4), (x + 4, box.band + 8), (x, box.band + 12)), "text.2", 1.4))
    if pinned:
        x = width - 12
        marks.append(Box(x - 3, box.band + 2, 6, 6, fill="text.2", radius=3))
        marks.append(Line(((x, box.band + 8), (x, box.band + 14)), "text.2", 1.4))
    return tuple(marks)


def hidden_words(replicas: Iterable[int], order: LaneOrder, right: float, y: float) -> tuple[Text, ...]:
    """How many brokers' lanes are hidden, before `right`; a click on it shows them. () where none is."""
    usual = tuple(replicas)
    count = len(usual) - len(order.brokers(usual))
    if not count:
        return ()
    words = said("picture.gutter.hidden", number=count)
    ref = Ref("hidden", 0, count, text=words)
    return (Text(right, y, words, "text.2", 11, align=Align.RIGHT, ref=ref),)


def role_words(lane: Lane, state: ReplicaState, leader: int | None) -> str:
    """The role in two words: "follower of 2, e1", "leader, e1", "offline"."""
    if state.role not in (Role.LEADER, Role.FOLLOWER):
        return role_word(state.role)
    epoch = "" if state.epoch is None else f", e{state.epoch}"
    role = role_word(state.role)
    if state.role is Role.FOLLOWER and leader is not None and leader >= 0 and leader != lane.broker:
        role = said("picture.gutter.follows", leader=short_name(lane.trace, leader))
    return f"{role}{epoch}"


def gutter_values(lane: Lane, cursor: int, width: float) -> tuple[Mark, ...]:
    """LEO, HW and ISR at the cursor; the role too where the lane is high enough.

    A narrow gutter has the log end offset alone.
    """
    state = lane.replica.at(cursor)
    isr = lane.history.isr.at(cursor)
    box = lane.box
    if not box.area:
        return ()
    if width < NARROW_GUTTER:
        return _end_alone(band_words(state.leo), box, width)
    height = box.bottom - box.band
    with_role = height >= 112
    first = 46.0 if with_role else 31.0
    with_stable = lane.replica.has_transactions
    step = min(20.0, max((height - first - 2) / (3 if with_stable else 2), 13.0))
    marks: list[Mark] = []
    if with_role:
        words = elide(role_words(lane, state, lane.history.leader.at(cursor)), width - INSET - 12, 11)
        marks.append(Text(INSET, box.band + 27, words, "text.2", 11))
    members = "?"
    if state.in_isr is not None:
        members = said("picture.gutter.in") if state.in_isr else said("picture.gutter.out")
    if state.role is Role.LEADER and isr is not None:
        members = ", ".join(short_name(lane.trace, broker) for broker in isr)
    rows = (
        ("LEO", band_words(state.leo), "text"),
        ("HW", band_words(state.hw), "hw"),
        *((("LSO", band_words(state.lso), "lso"),) if with_stable else ()),
        ("ISR", members, "text.2"),
    )
    for place, (label, value, role) in enumerate(rows):
        y = round(box.band + first + place * step)
        marks.append(Text(INSET, y, label, "text.3", 11))
        size = 12.0
        room = width - INSET - _VALUE + 10
        marks.append(Text(_VALUE, y, elide(value, room, size, 600, mono=True), role, size, 600, mono=True))
    return tuple(marks)


def _end_alone(leo: str, box: LaneBox, width: float) -> tuple[Mark, ...]:
    """The log end offset under the name, after its label where there is room for both."""
    y, room = box.band + 22, width - 2 * NARROW_INSET
    labelled = _NARROW_LABEL + text_width(leo, 11, 600, mono=True) <= room
    label = (Text(NARROW_INSET, y, "LEO", "text.3", 10),) if labelled else ()
    x = NARROW_INSET + (_NARROW_LABEL if labelled else 0.0)
    return (*label, Text(x, y, elide(leo, room, 11, 600, mono=True), "text", 11, 600, mono=True))
