"""The role band and the strip of in-sync replicas of a lane."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from core.history.state import Role
from core.picture.hatch import Rect, hatched
from core.picture.lane import BAND_HEIGHT, STRIP_HEIGHT, Lane, StateSpan, events_in, role_word, seqs_in
from core.picture.marks import Align, Box, Glyph, Hatch, Line, Mark, Ref, Segments, Sign, Text
from core.picture.metrics import text_width
from core.picture.roles import epoch_role
from core.picture.sheet import Depth, Sheet
from core.trace.broker_names import broker_name
from core.trace.trace import Event
from core.words import Words, in_force, said

_TEXT_SIZE = 10.0
_SIGNS_APART = 36.0
"""Between two signs of the strip where events stand closer than pixels."""
_CRASHES = ("broker_crashed", "broker_failure_noticed", "session_expired")
_STOPS = ("broker_stopped", "broker_exited", "controlled_shutdown_ended", "shutdown_requested")


def _groups(lane: Lane, parts: Sequence[StateSpan]) -> Iterator[StateSpan]:
    """Neighbouring spans with one role and epoch as one span, in the state of the first."""
    start = 0
    for place in range(1, len(parts) + 1):
        first = parts[start]
        if place < len(parts) and _look(parts[place]) == _look(first):
            continue
        end = parts[place].x0 if place < len(parts) else lane.axis.right
        yield replace(first, x1=end)
        start = place


def _look(part: StateSpan) -> tuple[Role, int | None, bool]:
    role = part.state.role
    return (role, part.state.epoch if role in (Role.LEADER, Role.FOLLOWER) else None, _is_silent(part))


def _is_silent(part: StateSpan) -> bool:
    """Whether nobody knows if the process still runs: its last line is past, and it has not come back."""
    return part.state.alive is None and part.state.role in (Role.LEADER, Role.FOLLOWER)


def _was_away(part: StateSpan) -> bool:
    """Whether what follows is a start."""
    return part.state.role in (Role.OFFLINE, Role.UNKNOWN) or _is_silent(part)


def band(lane: Lane, parts: Sequence[StateSpan], sheet: Sheet, signs: Iterable[float]) -> None:
    """Role and leader epoch that the replica believes in, with the signs of stop, crash and start.

    Words stand clear of `signs`, the middles of what others put on the band.
    """
    before: StateSpan | None = None
    taken, name = sorted(signs), broker_name(lane.trace, lane.broker)
    groups = tuple(_groups(lane, parts))
    for part, after in zip(groups, (*groups[1:], None), strict=True):
        x0, x1 = part.x0, part.x1
        if x1 - x0 >= 2 or before is None:
            sheet.add(Depth.BAND, *_fill(lane, part, name))
        else:
            sheet.add(Depth.BAND, Box(x0, lane.box.band, max(x1 - x0, 2.0), BAND_HEIGHT, fill="text"))
        started = before is not None and _was_away(before)
        # The sign of a crash lies half on what was before it.
        end = x1 - 5 if after is not None and after.state.role is Role.OFFLINE else x1
        sheet.add(Depth.BAND, *_words(lane, (x0, end), part, taken, after_start=started))
        if before is not None:
            sheet.add(Depth.FLAG, *_signs(lane, x0, (before, part), name))
        before = part


def _fill(lane: Lane, part: StateSpan, name: str) -> tuple[Mark, ...]:
    rect = (part.x0, lane.box.band, part.x1 - part.x0, BAND_HEIGHT)
    ref = lane.event_ref(max(part.cursor - 1, 0), f"{name} {band_text(part, full=True)}")
    return role_marks(rect, part.state.role, part.state.epoch, silent=_is_silent(part), ref=ref)


def role_marks(
    rect: Rect, role: Role, epoch: int | None, *, silent: bool = False, ref: Ref | None = None
) -> tuple[Mark, ...]:
    """A box in the look of a role. `silent` is a leader or follower that may have gone."""
    x, y, w, h = rect
    frame = (x + 0.5, y + 0.5, max(w - 1, 1.0), h - 1)
    if silent:
        old = Box(*rect, fill=epoch_role(epoch), opacity=0.2, ref=ref)
        return (old, *hatched(rect, Hatch.FALLING, 6.0, (x, y), "offline", opacity=0.9))
    if role is Role.LEADER:
        return (Box(*frame, fill=epoch_role(epoch), edge=epoch_role(epoch, "edge"), ref=ref),)
    if role is Role.FOLLOWER:
        return (
            Box(*rect, fill=epoch_role(epoch), opacity=0.2),
            Box(*frame, edge=epoch_role(epoch, "edge"), ref=ref),
        )
    if role in (Role.STARTING, Role.SEEKING):
        return (Box(*frame, edge="line.edge", dash=(1.0, 2.0), ref=ref),)
    if role is Role.ABSENT:
        return (Box(*frame, edge="line.edge", dash=(1.0, 5.0), ref=ref),)
    if role is Role.OFFLINE:
        tint = Box(*rect, fill="offline", opacity=0.12, ref=ref)
        return (tint, *hatched(rect, Hatch.FALLING, 6.0, (x, y), "offline", opacity=0.9))
    hatch = hatched(rect, Hatch.RISING, 9.0, (x, y), "unknown", opacity=0.7)
    return (*hatch, Box(*frame, edge="unknown", dash=(2.0, 3.0), ref=ref))


def band_text(part: StateSpan, *, full: bool) -> str:
    """The words of a band: "leader · epoch 1" or "leader · e1"."""
    return _state_words(part.state.role, part.state.epoch, full, in_force())


@lru_cache(maxsize=512)
def _state_words(role: Role, epoch: int | None, full: bool, _in_force: Words) -> str:  # noqa: FBT001
    """`band_text` of a state. Each frame says it twice of each band."""
    if role not in (Role.LEADER, Role.FOLLOWER) or epoch is None:
        return role_word(role)
    if full:
        return said("picture.band.epoch", role=role_word(role), epoch=epoch)
    return f"{role_word(role)} · e{epoch}"


def gap_events(lane: Lane) -> tuple[Event, ...]:
    """Where the evidence of this broker ends for a while."""
    found = events_in(lane.history, lane.axis, ("evidence_gap",))
    return tuple(event for event in found if event.get("replica") == lane.broker)


def _words(
    lane: Lane, span: tuple[float, float], part: StateSpan, taken: Sequence[float], *, after_start: bool
) -> tuple[Mark, ...]:
    """The role in words, as many as fit, clear of the signs at `taken`, which rise."""
    x0, x1 = span
    role, epoch = part.state.role, part.state.epoch
    y = lane.box.band + 11.5
    inset = 13.0 if after_start else 7.0
    if role is Role.STARTING:
        return ()
    if role in (Role.OFFLINE, Role.UNKNOWN) or _is_silent(part):
        word = _offline_word(lane, part.cursor) if role is Role.OFFLINE else role_word(Role.UNKNOWN)
        word = said("picture.silent") if _is_silent(part) else word
        if text_width(word, _TEXT_SIZE, 600) + 22 > x1 - x0:
            return ()
        width = text_width(word, _TEXT_SIZE, 600) + 12
        middle = (x0 + x1) / 2 if x1 - x0 < 240 else x0 + 48
        # Behind a sign, where the word would lie under it.
        for sign in taken:
            if middle - width / 2 - 10 < sign < middle + width / 2 + 10:
                middle = sign + 10 + width / 2
        if middle + width / 2 > x1:
            return ()
        return (
            Box(middle - width / 2, lane.box.band, width, BAND_HEIGHT, fill="bg.lane", opacity=0.9),
            Text(middle, y, word, "text.2", _TEXT_SIZE, 600, align=Align.CENTRE),
        )
    ink = epoch_role(epoch, "ink") if role is Role.LEADER else "text.2"
    starts = [x0 + inset, *(sign + 12 for sign in taken if x0 - 12 < sign < x1)]
    for words in _choices(part):
        wide = text_width(words, _TEXT_SIZE, 600)
        for left in starts:
            clear = left >= x0 + 5 and all(sign + 10 < left or sign - 10 > left + wide for sign in taken)
            if words and left + wide + 5 <= x1 and clear:
                return (Text(left, y, words, ink, _TEXT_SIZE, 600),)
    return ()


def _choices(part: StateSpan) -> Iterator[str]:
    """The words of a band, the longest first: the shorter ones are made where those before have no room."""
    yield band_text(part, full=True)
    yield band_text(part, full=False)
    if part.state.epoch is not None:
        yield f"e{part.state.epoch}"


def _cause_of_end(lane: Lane, cursor: int) -> Event | None:
    """The last line that says why the broker went, at or shortly before a cursor."""
    place = int(lane.history.seqs.searchsorted(cursor))
    for seq in reversed(lane.history.seqs[max(place - 60, 0) : place].tolist()):
        event = lane.trace.event(seq)
        if event.get("replica") == lane.broker and event.kind in (*_CRASHES, *_STOPS):
            return event
    return None


def _offline_word(lane: Lane, cursor: int) -> str:
    event = _cause_of_end(lane, cursor)
    if event is not None and event.kind == "broker_crashed":
        return said("picture.band.crashed")
    if event is not None and event.kind in _STOPS:
        return said("picture.band.stopped")
    return role_word(Role.OFFLINE)


def _signs(lane: Lane, x: float, change: tuple[StateSpan, StateSpan], name: str) -> tuple[Mark, ...]:
    (before, part), y = change, lane.box.band + BAND_HEIGHT / 2
    if part.state.role is Role.OFFLINE:
        event = _cause_of_end(lane, part.cursor)
        seq = part.cursor - 1 if event is None else event.seq
        if event is not None and event.kind in _STOPS:
            words = said("picture.broker.stopped", who=name)
            return (Sign(x, y, Glyph.STOP, 11, "text", rank=10, ref=lane.event_ref(seq, words)),)
        words = said("picture.broker.offline", who=name)
        return (Sign(x, y, Glyph.CRASH, 18, "text", rank=10, ref=lane.event_ref(seq, words)),)
    if before.state.role is Role.OFFLINE or (_is_silent(before) and part.state.role is Role.STARTING):
        ref = lane.event_ref(part.cursor - 1, said("picture.broker.started", who=name))
        return (Sign(x, y, Glyph.START, 12, "text", rank=10, ref=ref),)
    return ()


def strip(lane: Lane, parts: Sequence[StateSpan], sheet: Sheet) -> None:
    """Membership as the controller has it: solid in, dots out, hollow while a change is proposed."""
    y = lane.box.strip
    start, drawn = 0, -_SIGNS_APART
    for place in range(1, len(parts) + 1):
        member = parts[start].state.in_isr
        if place < len(parts) and parts[place].state.in_isr is member:
            continue
        x0, x1 = parts[start].x0, parts[place].x0 if place < len(parts) else lane.axis.right
        sheet.add(Depth.STRIP, *member_marks(x0, x1, y, member=member))
        crowded = lane.bins is not None and x0 - drawn < _SIGNS_APART
        if start and parts[start - 1].state.in_isr is not None and member is not None and not crowded:
            drawn = x0
            glyph = Glyph.ISR_GROW if member else Glyph.ISR_SHRINK
            who = broker_name(lane.trace, lane.broker)
            joined = said("picture.isr.joined", who=who)
            words = joined if member else said("picture.isr.left", who=who)
            ref = lane.event_ref(parts[start].cursor - 1, words)
            aside = ((0, 12), (-9, 12), (9, 12), (0, 26))
            signs = (Sign(x0 + dx, y + dy, glyph, 13, "text.2", rank=12, ref=ref) for dx, dy in aside)
            sheet.wish(12, *([sign] for sign in signs))
        start = place
    _proposals(lane, sheet)


def member_marks(x0: float, x1: float, y: float, *, member: bool | None) -> tuple[Mark, ...]:
    """A span of the strip: solid in the set, dots outside, hatched where that is not known."""
    if member:
        return (Box(x0, y, max(x1 - x0, 1.0), STRIP_HEIGHT, fill="text.2"),)
    if member is False:
        points = tuple((x, y + 2.0, x + 1.0, y + 2.0) for x in _every(x0 + 2, x1 - 1, 5.0))
        return (Segments(points, "line.strong", width=1.0),)
    return hatched((x0, y, x1 - x0, STRIP_HEIGHT), Hatch.RISING, 6.0, (x0, y), "unknown", opacity=0.6)


def _proposals(lane: Lane, sheet: Sheet) -> None:
    """Hollow spans between a proposed expansion of the set and its end.

    The maximal set counts the replica.
    """
    if not len(seqs_in(lane.history, lane.axis, ("isr_expand_proposed",))):
        return
    kinds = ("isr_expand_proposed", "isr_committed", "isr_update_rejected", "leader_elected")
    since: Event | None = None
    for event in events_in(lane.history, lane.axis, kinds):
        if event.kind == "isr_expand_proposed":
            isr = lane.trace.isrs[event.values["isr"]] if "isr" in event.values else ()
            if lane.broker in isr and not lane.replica.in_isr.at(event.seq):
                since = event
        elif since is not None:
            x0, x1 = lane.axis.x(since.seq + 1), lane.axis.x(event.seq + 1)
            if x1 - x0 >= 2:
                who = broker_name(lane.trace, lane.broker)
                words = said("picture.isr.proposed", who=who)
                ref = lane.event_ref(since.seq, words)
                y = lane.box.strip
                sheet.add(
                    Depth.STRIP,
                    Box(x0, y, x1 - x0, STRIP_HEIGHT, fill="bg.lane"),
                    Box(x0 + 0.5, y + 0.5, x1 - x0 - 1, STRIP_HEIGHT - 1, edge="text.2", ref=ref),
                )
            since = None


def _every(first: float, last: float, step: float) -> Iterator[float]:
    x = first
    while x < last:
        yield x
        x += step


def separator(lane: Lane, x0: float, x1: float) -> Line:
    """The hair line over a lane, across the whole centre."""
    return Line(((x0, lane.box.top + 0.5), (x1, lane.box.top + 0.5)), "line.hair")
