"""Signs of a lane: elections with their poles, rises of the high watermark, acknowledgements, samples."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import LiteralString

from core.diagnose.verdict.facts import Divergence
from core.history.state import History, Role
from core.message import message
from core.picture.axis import Axis
from core.picture.bands import gap_events
from core.picture.crowds import Crowds, Member, count_below
from core.picture.lane import Lane, events_in, names_in, number, offset_range
from core.picture.marks import Glyph, Line, Sign, Text
from core.picture.memo import Same, remembered
from core.picture.metrics import text_width
from core.picture.sheet import Depth, Sheet
from core.picture.trend import trends_of
from core.trace.broker_names import broker_name
from core.trace.trace import Event
from core.trace.vocabulary import Basis
from core.words import said, text

_LEO_KINDS = (
    "became_leader",
    "became_follower",
    "isr_shrink_proposed",
    "isr_expand_proposed",
    "leo_sample",
    "log_loaded",
    "log_end_on_disk",
    "truncated",
    "truncation_noop",
    "truncation_not_needed",
    "follower_leo_recorded",
)
_HW_KINDS = ("hw_loaded", "hw_sample", "hw_checkpointed", "truncation_decided", *_LEO_KINDS)
_APART = 8.0
_SIGNS_APART = 36.0
_FACE_NEAR = 16.0
_FLAG_WEIGHT = 4
_MARGIN = 12.0
"""How far a flag may reach beyond the end of the plot."""
_SIDEWAYS = 24.0
"""How far the water-level sign gives way to a flag."""


@dataclass(frozen=True, slots=True)
class Term:
    """The beginning of a leader epoch: who leads, how it was elected, the cursor from which it holds."""

    cursor: int
    epoch: int
    leader: int
    election: str
    same_leader: bool


def terms(lane: Lane) -> tuple[Term, ...]:
    """The leader epochs that begin on the axis, the first one of the trace included."""
    return _terms(Same((lane.history, lane.verdict), lane), lane.axis.first, lane.axis.last)


@remembered
def _terms(same: Same[Lane], first: int, last: int) -> tuple[Term, ...]:
    history = same.value.history
    elections = {(term.epoch, term.leader): term.election for term in same.value.verdict.leadership}
    found: list[Term] = []
    previous = history.leader.at(first)
    for cursor, _, epoch in history.leader_epoch.changes(first, last):
        if epoch is None:
            continue
        leader = history.leader.at(cursor)
        leader = -1 if leader is None else leader
        election = elections.get((epoch, leader), "unknown")
        found.append(Term(cursor, epoch, leader, election, same_leader=leader == previous))
        previous = leader
    return tuple(found)


def poles(history: History, lanes: Sequence[Lane], axis: Axis, sheet: Sheet) -> None:
    """One pole an epoch through all lanes of the partition: the epoch is the partition's."""
    top, bottom = lanes[0].box.band, lanes[-1].box.bottom
    for term in terms(lanes[0]):
        x = axis.x(term.cursor)
        if x <= axis.left + 1:
            continue
        dash = (5.0, 3.0) if term.election == "unclean" or term.leader < 0 else ()
        who = broker_name(history.trace, term.leader)
        leaderless = term.leader < 0
        id_: LiteralString = "picture.pole.leaderless" if leaderless else "picture.pole.leads"
        words = said(id_, epoch=term.epoch, who=who)
        ref = lanes[0].event_ref(term.cursor - 1, words)
        points = ((x + 0.5, top), (x + 0.5, bottom))
        sheet.add(Depth.POLE, Line(points, "text", opacity=0.55, dash=dash, ref=ref))


def _won(lane: Lane) -> Iterator[Term]:
    """The elections that this replica won; a folded lane has no room for their flags."""
    if not lane.box.area:
        return
    for term in terms(lane):
        if term.leader != lane.broker or term.same_leader:
            continue
        if term.election != "first" or lane.axis.x(term.cursor) > lane.axis.left + 1:
            yield term


def _election(lane: Lane, term: Term) -> Member:
    rank, kind = (7, "unclean election") if term.election == "unclean" else (8, "election")
    return Member(lane.axis.x(term.cursor), rank, kind, term.cursor - 1)


def election_members(lane: Lane) -> tuple[Member, ...]:
    """The flags of a lane as marks that may crowd."""
    return tuple(_election(lane, term) for term in _won(lane))


def flags(lane: Lane, sheet: Sheet, crowds: Crowds) -> None:
    """The flag of each election that this replica won."""
    for term in _won(lane):
        member = _election(lane, term)
        if member in crowds.hidden:
            continue
        x = member.x
        unclean = term.election == "unclean"
        suffix = {"preferred": " p", "elr": " elr"}.get(term.election, "")
        label = f"e{term.epoch}{suffix}"
        wide = max(24.0, text_width(label, 10, 600) + (20 if unclean else 12))
        who = broker_name(lane.trace, lane.broker)
        id_: LiteralString = "picture.flag.unclean" if unclean else "picture.flag.election"
        words = said(id_, who=who, epoch=term.epoch)
        ref = lane.event_ref(term.cursor - 1, words)
        glyph = Glyph.UNCLEAN_ELECTION if unclean else Glyph.ELECTION
        y = lane.box.strip + 14.5
        if x + wide > lane.axis.right + _MARGIN:
            # At the end of the picture it hangs on the other side of its pole.
            x -= wide + (20 if unclean else 0)
        sign = Sign(
            x + wide / 2, y, glyph, wide, "text", epoch=term.epoch % 6, label=label, rank=member.rank, ref=ref
        )
        sheet.add(Depth.FLAG, sign)
        if member in crowds.counts:
            count_below(lane, crowds.counts[member], x + wide / 2, (y - 8, y + 8), sheet)
        sheet.keep_clear((x, y - 8, wide + (20 if unclean else 2), 16), weight=_FLAG_WEIGHT)


def hw_rises(lane: Lane, sheet: Sheet) -> None:
    """The water-level sign at each rise of a high watermark, with its value where there is room."""
    last_x = -1e9
    for cursor, before, after in lane.replica.hw.changes(lane.axis.first, lane.axis.last):
        old, new = before.exact, after.exact
        if old is None or new is None or new <= old:
            continue
        leads = lane.replica.role.at(cursor) is Role.LEADER
        x = lane.axis.x(cursor) + 18
        if (not leads and not lane.simulated) or x - last_x < _SIGNS_APART or x > lane.axis.right - 6:
            continue
        last_x = x
        if not lane.is_placed(cursor):
            continue
        y = lane.y(new, cursor)
        if not sheet.is_clear((x - 5, y - 8, 10, 9)):
            x += _SIDEWAYS
        who = broker_name(lane.trace, lane.broker)
        ref = lane.event_ref(
            cursor - 1,
            said("picture.watermark.moved", who=who, new=new),
        )
        sign = Sign(x, y - 4, Glyph.HW_RISE, 10, "hw", rank=13, ref=ref)
        names = names_in(lane.replica.runs.at(cursor), old, new) if leads and new - old == 1 else ()
        texts = ([said("picture.watermark.visible", hw=number(new), record=names[0])] if names else []) + [
            said("picture.watermark.at", hw=number(new))
        ]
        sheet.add(Depth.FLAG, sign)
        sheet.keep_clear((x - 5, y - 8, 10, 9))
        sheet.wish(13, *([Text(x + 9, y - 6, words, "hw", 10, 600, plate=True, ref=ref)] for words in texts))


def acknowledgements(lane: Lane, sheet: Sheet) -> None:
    """Ring (acks=1) or disc (acks=all) 9 above the step of the leader's log end."""
    for event in events_in(lane.history, lane.axis, ("acknowledged",)):
        if event.get("broker") != lane.broker and event.get("replica") != lane.broker:
            continue
        end = event.get("offset")
        x = lane.axis.x(event.seq + 1) + 12
        if not lane.is_placed(event.seq + 1):
            continue
        y = (lane.offsets.bottom if end is None else lane.y(end, event.seq + 1)) - 10
        every = event.get("aux") == -1
        acks = "all" if every else str(event.get("aux") if event.get("aux") is not None else "?")
        first = event.get("from_offset")
        told = message("picture.acked", acks=acks)
        if end is not None and first is None:
            told = message("picture.acked.up-to", offset=end - 1, acks=acks)
        elif end is not None and first is not None:
            told = message("picture.acked.from", offset=first, acks=acks)
        ref = lane.event_ref(event.seq, text(told))
        sign = Sign(x, y, Glyph.ACK_ALL if every else Glyph.ACK_ONE, 12, "text", rank=13, ref=ref)
        words = Text(x + 10, y + 3.5, said("picture.acked.short"), "text.2", 10, ref=ref)
        above = replace(sign, y=max(y - 15, lane.box.strip + 10))
        above_words = replace(words, y=above.y + 3.5)
        # Below the log end, where the room above it is taken: an acknowledgement that is not drawn is none.
        below = [replace(sign, x=px, y=y + dy) for px, dy in ((x, 23.0), (x, 38.0), (x + 26, 23.0))]
        sheet.wish(13, [sign, words], [sign], [above, above_words], [above], *([one] for one in below))


def samples(lane: Lane, sheet: Sheet) -> None:
    """What a line states: a disc where a broker speaks of itself, a ring where of another.

    Simulations need none.
    """
    if lane.simulated or not lane.box.area:
        return
    taken: dict[str, tuple[float, float]] = {}
    for event in events_in(lane.history, lane.axis, _HW_KINDS):
        if event.get("replica") != lane.broker:
            continue
        for column, role in (("hw", "hw"), ("leo", "leo")):
            mark = _sample(lane, event, column, role)
            if mark is None:
                continue
            last = taken.get(role, (-1e9, 0.0))
            if mark.x - last[0] >= _APART or abs(mark.y - last[1]) >= _APART:
                taken[role] = (mark.x, mark.y)
                sheet.add(Depth.SAMPLE, mark)
                sheet.keep_clear((mark.x - 4, mark.y - 4, 8, 8))


def _sample(lane: Lane, event: Event, column: str, role: str) -> Sign | None:
    value = event.get(column)
    if value is None or (column == "leo" and event.kind not in _LEO_KINDS):
        return None
    if not lane.is_placed(event.seq + 1):
        return None
    x, y = lane.axis.x(event.seq + 1), lane.y(value, event.seq + 1)
    about_itself = event.get("broker") == lane.broker and event.basis is Basis.OBSERVED
    id_: LiteralString = "picture.sample.watermark" if column == "hw" else "picture.sample.log-end"
    who = broker_name(lane.trace, event.values.get("broker", lane.broker))
    whose = broker_name(lane.trace, lane.broker)
    ref = lane.event_ref(
        event.seq,
        said(id_, who=who, whose=whose, value=number(value)),
    )
    glyph = Glyph.OBSERVED if about_itself else Glyph.REPORTED
    return Sign(x, y, glyph, 6.4 if about_itself else 6.8, role, rank=15, ref=ref)


def hw_drops(lane: Lane, sheet: Sheet) -> None:
    """The water-level sign where a high watermark moved back, unless a cut face stands there and tells it."""
    falls = trends_of(lane.history)[lane.broker].hw.falls
    first, last = falls[:, 0].searchsorted([lane.axis.first, lane.axis.last], "right")
    if first == last:
        return
    cut_xs = [lane.axis.x(cut.seq + 1) for cut in lane.verdict.truncations if cut.broker == lane.broker]
    name = broker_name(lane.trace, lane.broker)
    for cursor, before, after in falls[first:last].tolist():
        x, y = lane.axis.x(cursor), lane.y(after, cursor)
        words = said("picture.watermark.back", who=name, before=before, after=after)
        if not any(abs(x - other) < _FACE_NEAR for other in cut_xs) and not _begins_anew(lane, cursor):
            ref = lane.event_ref(cursor - 1, words)
            sheet.add(Depth.FLAG, Sign(x, y - 4, Glyph.HW_BACK, 10, "hw", rank=9, ref=ref))


def _begins_anew(lane: Lane, cursor: int) -> bool:
    """Whether the high watermark from a cursor on is that of a new log, after the old one was deleted."""
    hw = lane.replica.hw
    before = hw.cursors[max(bisect_right(hw.cursors, cursor) - 2, 0)]
    return lane.replica.role.at(before) is Role.ABSENT


def _apart(lane: Lane) -> Iterator[tuple[Member, Divergence]]:
    for divergence in lane.verdict.divergences:
        if lane.broker in divergence.brokers and divergence.evidence:
            seq = max(divergence.evidence)
            if lane.axis.first < seq + 1 <= lane.axis.last:
                yield Member(lane.axis.x(seq + 1), 4, "divergence", seq), divergence


def divergence_members(lane: Lane) -> tuple[Member, ...]:
    """The diamonds of a lane as marks that may crowd."""
    return tuple(member for member, _ in _apart(lane))


def divergence_xs(lane: Lane, crowds: Crowds) -> Iterator[float]:
    """The middles of the diamonds of a lane."""
    return (_diamond_x(lane, member) for member, _ in _apart(lane) if member not in crowds.hidden)


def _diamond_x(lane: Lane, member: Member) -> float:
    return min(max(member.x + 12, lane.axis.left + 9), lane.axis.right - 9)


def divergences(lane: Lane, sheet: Sheet, crowds: Crowds) -> None:
    """The diamond at the lowest offset at which this log and another hold different records."""
    for member, divergence in _apart(lane):
        if member in crowds.hidden:
            continue
        seq = member.seq
        one, other = (broker_name(lane.trace, broker) for broker in divergence.brokers)
        where = offset_range(divergence.first_offset, divergence.end_offset)
        ref = lane.event_ref(
            seq,
            said("picture.divergence", one=one, other=other, where=where),
        )
        x = _diamond_x(lane, member)
        y = lane.y(divergence.first_offset, seq + 1) - lane.offsets.record_height / 2
        y = min(max(y, lane.box.area_top + 8), lane.box.bottom - 9) if lane.box.area else lane.box.band + 8
        sheet.add(Depth.FLAG, Sign(x, y, Glyph.DIVERGENCE, 17, "loss", rank=4, ref=ref))
        sheet.keep_clear((x - 9, y - 9, 18, 18))
        if member in crowds.counts:
            count_below(lane, crowds.counts[member], x, (y - 9, y + 9), sheet)


def gaps(lane: Lane, sheet: Sheet) -> None:
    """Brackets where the evidence of this broker ends for a while."""
    for event in gap_events(lane):
        who = broker_name(lane.trace, lane.broker)
        ref = lane.event_ref(
            event.seq,
            said("picture.gap", who=who),
        )
        x, y = lane.axis.x(event.seq + 1), lane.box.band + 8
        sheet.add(Depth.FLAG, Sign(x, y, Glyph.GAP, 14, "unknown", rank=11, ref=ref))


def spared(lane: Lane, sheet: Sheet) -> None:
    """A few words where a follower compared its log with the leader's and had nothing to cut."""
    for event in events_in(lane.history, lane.axis, ("truncation_noop", "truncation_not_needed")):
        if event.get("replica") != lane.broker:
            continue
        x, leo = lane.axis.x(event.seq + 1), lane.replica.leo.at(event.seq + 1).exact
        if leo == 0:
            continue
        words = (
            (said("picture.spared.nothing"),)
            if leo is None
            else (
                said("picture.spared.nothing-keeps", end=number(leo)),
                said("picture.spared.keeps", end=number(leo)),
            )
        )
        who = broker_name(lane.trace, lane.broker)
        ref = lane.event_ref(event.seq, said("picture.spared.broker", who=who))
        y = lane.box.area_top + 10
        sheet.wish(
            12,
            *(
                [Text(x + 8, y + dy, line, "text", 10, 600, plate=True, ref=ref)]
                for line in words
                for dy in (0, 14)
            ),
        )
