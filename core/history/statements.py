"""What rows state about a log end offset or a high watermark, put on tracks.

Each branch is one rule with its source.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.assumptions import CHECKPOINT_BEFORE_FILE_TIME_BY, CHECKPOINT_WRITTEN_EVERY
from core.history.roles import Roles
from core.history.state import Role
from core.history.track import RULE_STATED, Track, Tracks
from core.history.view import Row, Spans, View
from core.trace.ids import UNSAID
from core.trace.trace import VALUES
from core.trace.units import MILLISECOND_NS, SECOND_NS
from core.trace.vocabulary import Basis, CutReason

EXACT_LEO: Final = frozenset(
    {
        "appended",
        "leo_sample",
        "became_leader",
        "became_follower",
        "truncation_noop",
        "truncation_not_needed",
        "log_gap",
        "log_end_on_disk",
    },
)
_PLAIN_LEO: Final = EXACT_LEO - {"log_end_on_disk"}
"""Kinds that state the log end of their replica, and nothing else of it."""
_PLAIN_HW: Final = frozenset({"became_leader", "became_follower", "hw_sample"})
_ROLLED: Final = frozenset({"segment_rolled"})
PROPOSALS: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})
_CUTTING: Final = frozenset(
    {
        "fetch_offset_reset",
        "truncation_decided",
        "fetch_diverged",
        "epoch_end_answered",
        "became_follower",
        "became_leader",
        "log_loaded",
        "fetcher_added",
        "truncated",
        "log_reset",
    },
)
"""Kinds of cuts, of what leads to one, and of what ends that."""
_ON_LEO: Final = PROPOSALS | {
    "epoch_assigned",
    "fetch_answered",
    "fetch_delivered",
    "fetch_failed",
    "fetch_offset_reset",
    "fetch_received",
    "fetch_sent",
    "fetcher_added",
    "flushed",
    "follower_leo_recorded",
    "log_created",
    "log_deleted",
    "log_end_on_disk",
    "log_loaded",
    "log_reset",
    "segment_rolled",
    "truncated",
}
"""Kinds that tell of a log end in some other way."""
_ON_HW: Final = PROPOSALS | {
    "fetch_answered",
    "fetch_delivered",
    "hw_loaded",
    "hw_moved",
    "log_created",
    "log_deleted",
    "log_reset",
    "truncated",
    "truncation_decided",
}
_CHECKPOINTED: Final = frozenset({"hw_checkpointed"})
_AT_LEAST: Final = "the row says: at least"

CHECKPOINT_INTERVAL: Final = "replica.high.watermark.checkpoint.interval.ms"
"""No file is older than this while its broker runs."""


_LEO_BIT: Final = 1 << VALUES.index("leo")
_HW_BIT: Final = 1 << VALUES.index("hw")


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut that the replica's own log states. `certain` is False where the line may be a no-op."""

    row: Row
    to: int
    certain: bool
    after_reset: Row | None
    """The row of a fetch out of range that led to it."""
    decided: Row | None
    """The row that gives the reason."""


def find_cuts(view: View, broker: int) -> tuple[Cut, ...]:
    """The cuts of one replica in order, without those that the log itself calls no-ops."""
    about = view.rows.about(broker, view.partition)
    cuts: list[Cut] = []
    reset: Row | None = None
    decided: Row | None = None
    for row in view.rows.of(_CUTTING):
        if row.partition != view.partition or row.replica != broker:
            continue
        if row.kind == "fetch_offset_reset":
            reset = row
        elif row.kind in ("truncation_decided", "fetch_diverged", "epoch_end_answered"):
            decided = row
        elif row.kind in ("became_follower", "became_leader", "log_loaded", "fetcher_added"):
            reset = decided = None
        elif row.kind == "truncated" and row.offset is not None:
            after = bisect_right(about, row.number)
            follower = view.rows[about[after]] if after < len(about) else None
            noop = (
                follower is not None and follower.kind == "truncation_noop" and follower.offset == row.offset
            )
            if not noop:
                # To 0.10 it is printed at every becoming follower, also when nothing goes (Log.truncateTo).
                certain = not view.before(broker, 0, 11) and bool(view.versions.get(broker))
                certain = certain or (row.from_offset is not None and row.from_offset > row.offset)
                fits = reset if reset is not None and reset.offset == row.offset else None
                cuts.append(Cut(row, row.offset, certain, fits, decided))
            reset = decided = None
        elif row.kind == "log_reset" and row.offset is not None:
            cuts.append(Cut(row, row.offset, certain=True, after_reset=reset, decided=decided))
            reset = decided = None
    return tuple(cuts)


def is_hw_cut(view: View, broker: int, cut: Cut) -> bool:
    """Whether the cut is to the replica's own high watermark.

    To 0.10 every cut on becoming a follower is (ReplicaManager.makeFollowers); later only where the line says
    so.
    """
    if cut.row.kind != "truncated" or cut.after_reset is not None:
        return False
    if cut.row.aux is not None and cut.row.aux != CutReason.UNKNOWN:
        return cut.row.aux == CutReason.LOCAL_HIGH_WATERMARK
    if cut.decided is not None and cut.decided.aux is not None:
        return cut.decided.aux == CutReason.LOCAL_HIGH_WATERMARK
    return view.before(broker, 0, 11)


def put_plain(view: View, leo: Tracks, hw: Tracks) -> None:
    """What rows state of their replica alone, each at its own place."""
    _put_plain(view, _PLAIN_LEO, "leo", leo)
    _put_plain(view, _PLAIN_HW, "hw", hw)


def _put_plain(view: View, kinds: frozenset[str], name: str, tracks: Tracks) -> None:
    rows = view.rows
    numbers = rows.numbers_of(kinds)
    mine = (rows.column("partition")[numbers] == view.partition) & (rows.column(name)[numbers] != UNSAID)
    numbers = numbers[mine]
    if not len(numbers):
        return
    replicas, values = rows.column("replica")[numbers], rows.column(name)[numbers]
    bases = rows.column("basis")[numbers]
    open_ended = (rows.column("at_least")[numbers] & (1 << VALUES.index(name))) != 0
    some_open = bool(np.count_nonzero(open_ended))
    for broker, track in tracks.items():
        own = replicas == broker
        if some_open:
            least = own & open_ended
            track.some_at_least(2 * numbers[least] + 2, values[least], _AT_LEAST)
            own &= ~open_ended
        track.all_exactly(2 * numbers[own] + 2, values[own], bases[own])


def put_leo(view: View, roles: Roles, cuts: tuple[Cut, ...], track: Track) -> None:
    """Every other statement about one replica's log end offset.

    `place` is the instant after a row, one less that before. Where logs are cut to seconds, what another
    broker says of it may be of before or after what it says itself.
    """
    broker = roles.broker
    cut_rows = {cut.row.number: cut for cut in cuts}
    unordered = view.trace.late_by > 0
    for row in view.rows.of(_ON_LEO):
        if row.partition != view.partition or (unordered and row.broker != broker):
            continue
        place = 2 * row.number + 2
        if row.kind == "fetch_offset_reset" and row.leader == broker and row.offset is not None:
            # What the leader answered a moment ago: at least that now, at most that just before.
            if row.from_offset is not None and row.from_offset > row.offset:
                track.at_least(place, row.offset, "the leader's answer to a fetch out of range")
                track.at_most(place - 1, row.offset, "the leader's answer to a fetch out of range")
        elif row.kind == "fetch_answered" and row.broker == broker and row.offset is not None:
            track.at_least(place, row.offset, "the leader sent records up to there")
        elif row.kind in PROPOSALS and row.broker == broker and row.leo is not None:
            track.exactly(place, row.leo, row.basis)
        if row.replica != broker:
            continue
        if row.number in cut_rows:
            _cut_leo(row, place, cut_rows[row.number], track)
        elif row.kind == "log_loaded" and row.leo is not None:
            track.start_section(place)
            track.exactly(place, row.leo, row.basis)
            track.at_most(place - 1, row.leo, "loading a log adds nothing to it")
        else:
            _plain_leo(view, row, place, broker, track)


def _cut_leo(row: Row, place: int, cut: Cut, track: Track) -> None:
    track.start_section(place)
    if cut.row.kind == "log_reset" or not (row.leo is not None and row.leo != cut.to):
        track.exactly(place, cut.to, row.basis)
    else:
        track.exactly(place, row.leo, row.basis)
    if row.kind == "log_reset":
        if row.from_offset is not None:
            track.at_least(place - 1, row.from_offset, RULE_STATED)
        return
    reset = cut.after_reset
    if row.from_offset is not None:
        track.exactly(place - 1, row.from_offset, row.basis)
    elif reset is not None and reset.from_offset is not None:
        # The thread that was refused does nothing else until it has cut.
        for between in range(2 * reset.number + 1, place):
            track.at_least(between, reset.from_offset, "a follower fetches from its log end")
            track.at_most(between, reset.from_offset, "a follower fetches from its log end")
    elif cut.certain:
        track.at_least(place - 1, cut.to + 1, "a cut removes something")
    else:
        track.at_least(place - 1, cut.to, "a cut is not beyond the log end")


def _plain_leo(view: View, row: Row, place: int, broker: int, track: Track) -> None:
    """Statements about the replica's own log end that start no era."""
    if row.kind == "log_end_on_disk" and row.leo is not None and _is_lower_bound(view, row, broker):
        track.at_least(place, row.leo, _AT_LEAST)
    elif row.kind == "log_end_on_disk" and row.leo is not None:
        track.exactly(place, row.leo, row.basis)
        if row.number >= max(view.rows.own_lines(broker)[-1:], default=-1):
            # The copy was made after everything that the broker said.
            track.at_most(len(track) - 1, row.leo, RULE_STATED)
    elif row.kind == "log_created":
        track.at_most(place, row.leo or 0, "a new log is empty")
        track.at_least(place, row.leo or 0, "a new log is empty")
    elif row.kind == "fetcher_added" and row.offset is not None:
        # Log end to 1.0; the high watermark from 1.1 to 2.7; either of them later (AbstractFetcherManager).
        if view.before(broker, 1, 1):
            track.exactly(place, row.offset, row.basis)
        else:
            track.at_least(place, row.offset, "a fetch starts at the high watermark or at the log end")
    elif row.kind in ("fetch_sent", "fetch_failed") and row.offset is not None and row.broker == broker:
        track.exactly(place, row.offset, row.basis)
    elif row.kind == "fetch_delivered" and row.from_offset is not None:
        track.exactly(place, row.from_offset, row.basis)
    elif row.kind == "fetch_received" and row.offset is not None:
        track.at_least(place, row.offset, "a follower fetches from its log end")
    elif row.kind == "follower_leo_recorded" and row.leo is not None:
        track.at_least(place, row.leo, "what the leader remembers of a follower")
    elif row.kind == "fetch_offset_reset" and row.from_offset is not None:
        track.at_least(place - 1, row.from_offset, "a follower fetches from its log end")
        track.at_most(place - 1, row.from_offset, "a follower fetches from its log end")
    else:
        _files_leo(view, row, place, broker, track)


def _is_lower_bound(view: View, row: Row, broker: int) -> bool:
    """Whether files show only that a log was so long at least.

    Where they end at the last segment that the broker began, in order to append to it, that one is missing.
    """
    rolled = [
        one.offset
        for one in view.rows.of(_ROLLED)
        if one.replica == broker and one.partition == view.partition and not one.disk
    ]
    return bool(row.at_least & _LEO_BIT) or rolled[-1:] == [row.leo]


def _files_leo(view: View, row: Row, place: int, broker: int, track: Track) -> None:
    """What is said of a log's files."""
    if row.kind == "epoch_assigned" and row.offset is not None:
        # From 2.0.1 a leader makes its entry when it takes over, with nothing written yet (KAFKA-7415).
        if view.before(broker, 2, 0, 1) and not row.disk:
            track.at_least(place, row.offset + 1, "the first record of an epoch makes its entry")
        elif row.disk:
            # An entry is made at the log end, and goes with what a cut removes (LeaderEpochFileCache).
            track.at_least(place, row.offset, "no epoch begins behind the log end")
    elif row.kind == "segment_rolled" and row.offset is not None and not row.disk:
        # Log.roll, under the lock of the append that does not fit any more.
        track.at_least(place, row.offset, "a segment is rolled at the log end")
        track.at_most(place, row.offset, "a segment is rolled at the log end")
    elif row.kind == "flushed" and row.offset is not None and not row.disk:
        track.at_least(place, row.offset, "a flush ends no later than the log")
    elif row.kind == "log_deleted":
        track.start_section(place)


def put_hw(view: View, roles: Roles, cuts: tuple[Cut, ...], track: Track) -> None:
    """Every other statement about one replica's high watermark, and where it may fall."""
    broker = roles.broker
    cut_rows = {cut.row.number: cut for cut in cuts}
    for start in roles.starts:
        track.start_section(2 * start)
    for row in view.rows.of(_ON_HW):
        if row.partition != view.partition:
            continue
        place = 2 * row.number + 2
        _hw_by_leader(row, place, roles, track)
        if row.replica != broker:
            continue
        if row.number in cut_rows:
            _cut_hw(view, row, place, cut_rows[row.number], broker, track)
        elif row.kind == "hw_loaded" and row.hw is not None:
            track.start_section(place)
            track.exactly(place, row.hw, row.basis)
        elif row.kind == "log_created":
            track.exactly(place, 0, Basis.DERIVED)
        elif row.kind == "hw_moved" and row.hw is not None and row.at_least & _HW_BIT:
            track.at_least(place, row.hw, _AT_LEAST)
        elif row.kind == "hw_moved" and row.hw is not None:
            if roles.role_at[row.number + 1] is not Role.LEADER:
                track.start_section(place)
            track.exactly(place, row.hw, row.basis)
        elif (
            row.kind == "truncation_decided"
            and row.hw is not None
            and row.aux == CutReason.LOCAL_HIGH_WATERMARK
        ):
            track.exactly(place, row.hw, row.basis)
        elif row.kind == "log_deleted":
            track.start_section(place)


def _hw_by_leader(row: Row, place: int, roles: Roles, track: Track) -> None:
    """What a leader says of its high watermark, to the controller or in the answers to its followers."""
    broker = roles.broker
    if row.hw is None:
        return
    if row.kind in PROPOSALS and row.broker == broker:
        track.exactly(place, row.hw, row.basis)
    answered = row.kind == "fetch_answered" and row.broker == broker
    # What it told while it led says nothing of it as a follower.
    leads = roles.role_at[row.number + 1] is Role.LEADER
    if answered or (row.kind == "fetch_delivered" and row.leader == broker and leads):
        track.at_least(place, row.hw, "the leader told it to a follower")


def _cut_hw(view: View, row: Row, place: int, cut: Cut, broker: int, track: Track) -> None:
    if is_hw_cut(view, broker, cut):
        track.exactly(place - 1, cut.to, Basis.DERIVED)
        track.exactly(place, cut.to, Basis.DERIVED)
        return
    track.start_section(place, keep=cut.to)
    if row.kind == "log_reset":
        track.exactly(place, cut.to, Basis.DERIVED)
    elif view.since(broker, 2, 4):
        # From 2.4 the high watermark lives in the log, which lowers it with the cut.
        track.at_most(place, cut.to, "a cut lowers the high watermark with it")
    else:
        track.may_fall_from.add(place)


def put_checkpoints(view: View, broker: int, track: Track, above: Spans) -> None:
    """Lines of replication-offset-checkpoint. To be called when all eras of the track are known.

    A file that is told after the broker's last word was found at the end: nobody says when it was written.
    `above` are the instants at which the high watermark may be above the log end: it falls with an answer.
    """
    written = view.rows.of(_CHECKPOINTED)
    own_lines = view.rows.own_lines(broker) if written else []
    last = view.rows[own_lines[-1]] if own_lines else None
    for row in written:
        if row.partition == view.partition and row.replica == broker:
            found = last is None or row.number > last.number
            if not found:
                _checkpoint(view, row, row, track, above)
            elif last is not None and last.kind == "broker_stopped":
                _checkpoint(view, row, last, track, above)
            else:
                _found_checkpoint(view, row, last, track, above)


def _found_checkpoint(view: View, row: Row, last: Row | None, track: Track, above: Spans) -> None:
    """A broker that was not stopped wrote the file at most an interval before its last word, or later.

    Since then the high watermark may have fallen.
    """
    told = view.trace.facts.get(f"config.broker-{row.replica}.{CHECKPOINT_INTERVAL}", "")
    interval = int(told) * MILLISECOND_NS if told.isdecimal() else CHECKPOINT_WRITTEN_EVERY.ns
    earliest = _place_at(view, row.number, -1 if last is None else last.at - interval)
    after = 2 * row.number + 2
    if not track.starts_section(2 * earliest + 2, after + 1):
        track.at_least(after, row.hw or 0, "high watermark checkpoint")
        _no_more_before(track, 2 * earliest + 1, row.hw or 0, above)


def _no_more_before(track: Track, instant: int, value: int, above: Spans) -> None:
    """A high watermark only grows, but where it was above the log end."""
    if not any(first <= instant <= last for first, last in above):
        track.at_most(instant, value, "high watermark checkpoint")


def _place_at(view: View, place: int, moment: int) -> int:
    """The last place, not above `place`, whose row is not later than a moment."""
    later = int(view.rows.column("at").searchsorted(moment, "right"))
    return max(min(place, later - 1), 0)


def _checkpoint(view: View, row: Row, written: Row, track: Track, above: Spans) -> None:
    """One value, at the time stamp of its file, which may be cut to the second."""
    value, after = row.hw or 0, 2 * row.number + 2
    track.at_least(after, value, "high watermark checkpoint")
    whole_second = (written.at + 1) % SECOND_NS == 0
    moment = written.at - CHECKPOINT_BEFORE_FILE_TIME_BY.ns if whole_second else written.at
    below = _place_at(view, written.number, moment)
    if not track.starts_section(2 * below + 2, after + 1):
        _no_more_before(track, 2 * below + 1, value, above)
