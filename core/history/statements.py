"""From rows to bounds of log ends and high watermarks: what each row states, put on tracks.

A line "starts at leader epoch 3 from offset 40" puts the log end at exactly 40 right after its row. Each
branch is one rule with its source.
"""

from bisect import bisect_left
from typing import Final

import numpy as np

from core.assumptions import (
    CHECKPOINT_BEFORE_FILE_TIME_BY,
    CHECKPOINT_WRITTEN_EVERY,
    SAID_STANDS_AFTER_LOGS_FOR,
)
from core.history.cuts import Cut, is_hw_cut
from core.history.positions import (
    following,
    instant_at,
    instant_before,
    instants_at,
    place_after,
    previous,
)
from core.history.roles import Roles
from core.history.state import Role
from core.history.track import RULE_STATED, Track, Tracks
from core.history.view import InstantSpans, Row, View
from core.history.witnesses import METADATA_UNTIL, logs_end
from core.trace.ids import UNSAID, Instant
from core.trace.settings import of_broker, stated_at
from core.trace.trace import VALUES
from core.trace.units import MILLISECOND_NS, SECOND_NS
from core.trace.vocabulary import Basis, CutReason

EXACT_LEO: Final = frozenset(
    {
        "appended",
        "tier_joined",
        "leo_sample",
        "became_leader",
        "became_follower",
        "truncation_noop",
        "truncation_not_needed",
        "log_gap",
        "log_end_on_disk",
    },
)
"""Kinds that state the log end of their replica."""
_ONLY_LEO: Final = EXACT_LEO - {"log_end_on_disk"}
"""Those that state nothing else of the log."""
_HAS_A_LOG: Final = _ONLY_LEO | {"log_created", "appended", "became_leader", "became_follower"}
_ONLY_HW: Final = frozenset({"became_leader", "became_follower", "hw_sample"})
"""Kinds that state the high watermark of their replica, and nothing else of it."""
_STARTING: Final = frozenset({"broker_starting"})
_FOLLOWS: Final = frozenset({"became_follower", "leader_and_isr_received", "fetcher_added", "fetch_sent"})
"""Kinds that a broker prints when it is about to fetch."""
_FETCHERS: Final = frozenset({"fetcher_added", "fetcher_removed"})
_ROLLED: Final = frozenset({"segment_rolled"})
_ROLLING: Final = _ROLLED | {"leo_sample"}
"""What a broker prints when it begins a segment: a snapshot of its producers at the log end comes first."""
PROPOSALS: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})
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
    "truncation_decided",
}
"""Kinds that bound a log end in some other way."""
_ON_HW: Final = PROPOSALS | {
    "fetch_answered",
    "fetch_delivered",
    "fetch_offset_reset",
    "hw_loaded",
    "hw_moved",
    "log_created",
    "log_deleted",
    "log_loaded",
    "log_reset",
    "truncated",
    "truncation_decided",
}
"""Kinds that bound a high watermark in some other way."""
_CHECKPOINTED: Final = frozenset({"hw_checkpointed"})
_COPIED: Final = frozenset({"hw_checkpointed", "log_end_on_disk"})
_APPENDED: Final = frozenset({"appended"})
_LONGER_OR_SHORTER: Final = _APPENDED | {
    *("truncated", "truncation_decided", "fetch_offset_reset", "log_reset", "log_created", "log_deleted"),
    *("log_loaded", "broker_starting"),
}
_AT_LEAST: Final = "at-least"

CHECKPOINT_INTERVAL: Final = "replica.high.watermark.checkpoint.interval.ms"
"""The setting, in ms: a broker that runs writes a checkpoint so often."""
CHECKPOINTS_MISSED: Final = 2
"""So many times nothing was written: a pause of the process, or of the disk, may hide one."""


_LEO_BIT: Final = 1 << VALUES.index("leo")
_HW_BIT: Final = 1 << VALUES.index("hw")


def put_single_values(view: View, leo: Tracks, hw: Tracks) -> None:
    """Bounds from rows that state one value of their replica, at the instant after each row."""
    _put_values(view, _ONLY_LEO, "leo", leo)
    _put_values(view, _ONLY_HW, "hw", hw)


def _put_values(view: View, kinds: frozenset[str], name: str, tracks: Tracks) -> None:
    """Those of some kinds and one column of the rows."""
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
            track.some_at_least(instants_at(numbers[least] + 1), values[least], _AT_LEAST)
            own &= ~open_ended
        track.all_exactly(instants_at(numbers[own] + 1), values[own], bases[own])


def put_leo(view: View, roles: Roles, cuts: tuple[Cut, ...], track: Track) -> None:
    """Bounds from every other statement about a replica's log end: of times cut to seconds its own alone."""
    broker = roles.broker
    cut_rows = {cut.row.number: cut for cut in cuts}
    behind = {cut.reset_behind for cut in cuts}
    unordered = view.trace.late_by > 0
    for row in view.rows.of(_ON_LEO):
        if row.partition != view.partition or (unordered and row.broker != broker):
            continue
        instant = instant_at(place_after(row.number))
        if row.kind == "fetch_offset_reset" and row.leader == broker and row.offset is not None:
            # What the leader answered shortly before: at least that now, at most that just before.
            if row.from_offset is not None and row.from_offset > row.offset:
                track.at_least(instant, row.offset, "out-of-range-answer")
                track.at_most(previous(instant), row.offset, "out-of-range-answer")
        elif row.kind == "fetch_answered" and row.broker == broker and row.offset is not None:
            track.at_least(instant, row.offset, "records-sent")
        elif row.kind in PROPOSALS and row.broker == broker and row.leo is not None:
            track.exactly(instant, row.leo, row.basis)
        if row.replica != broker or (row.kind == "fetch_failed" and _is_of_an_old_fetch(view, row, broker)):
            continue
        if row.number in cut_rows:
            _put_leo_at_cut(row, instant, cut_rows[row.number], track)
        elif row.kind == "log_loaded" and row.leo is not None:
            track.start_section(instant)
            track.exactly(instant, row.leo, row.basis)
            track.at_most(previous(instant), row.leo, "load-adds-nothing")
        elif row.number not in behind:
            _put_own_leo(view, row, instant, broker, track)


def _put_leo_at_cut(row: Row, instant: Instant, cut: Cut, track: Track) -> None:
    """The log end before and after a cut."""
    track.start_section(instant)
    if cut.row.kind == "truncation_decided":
        if cut.row.aux == CutReason.LOCAL_HIGH_WATERMARK:
            track.at_most(instant, cut.to, "cut-to-high-watermark")
        else:
            # It names the lower one of what the leader answered and the own log end.
            track.exactly(instant, cut.to, cut.row.basis)
        return
    if cut.row.kind == "log_reset" or not (row.leo is not None and row.leo != cut.to):
        track.exactly(instant, cut.to, row.basis)
    else:
        track.exactly(instant, row.leo, row.basis)
    if row.kind == "log_reset":
        if row.from_offset is not None:
            track.at_least(previous(instant), row.from_offset, RULE_STATED)
        return
    out_of_range = cut.after_reset
    if row.from_offset is not None:
        track.exactly(previous(instant), row.from_offset, row.basis)
    elif out_of_range is not None and out_of_range.from_offset is not None:
        # The thread that was refused does nothing else until it has cut. Its line may stand behind the cut's.
        refused = place_after(min(out_of_range.number, row.number))
        for between in map(Instant, range(instant_before(refused), instant)):
            for bound in (track.at_least, track.at_most):
                bound(between, out_of_range.from_offset, "fetch-at-log-end")
    elif cut.certain:
        track.at_least(previous(instant), cut.to + 1, "cut-removes")
    else:
        track.at_least(previous(instant), cut.to, "cut-within-log")


def _put_new_log(view: View, row: Row, instant: Instant, track: Track) -> None:
    """A folder that is made shows nothing of a log that was there before, as on a disk that was replaced."""
    before = view.rows.numbers(_HAS_A_LOG, replica=row.replica)
    if any(number < row.number and view.rows[number].partition == row.partition for number in before):
        track.start_section(instant)
    track.at_most(instant, row.leo or 0, "new-log-is-empty")
    track.at_least(instant, row.leo or 0, "new-log-is-empty")


def _put_own_leo(view: View, row: Row, instant: Instant, broker: int, track: Track) -> None:
    """Statements about the replica's own log end that start no section."""
    if row.kind == "log_end_on_disk" and row.leo is not None and _is_lower_bound(view, row, broker):
        track.at_least(instant, row.leo, _AT_LEAST)
    elif row.kind == "log_end_on_disk" and row.leo is not None:
        _put_end_on_disk(view, row, instant, broker, track)
    elif row.kind == "log_created":
        _put_new_log(view, row, instant, track)
    elif row.kind == "fetcher_added" and row.offset is not None:
        # Log end to 1.0; the high watermark from 1.1 to 2.7; either of them later (AbstractFetcherManager).
        if view.before(broker, 1, 1, at=row.seq):
            track.exactly(instant, row.offset, row.basis)
        else:
            track.at_least(instant, row.offset, "fetch-start")
    elif row.kind in ("fetch_sent", "fetch_failed") and row.offset is not None and row.broker == broker:
        track.exactly(instant, row.offset, row.basis)
    elif row.kind == "fetch_delivered" and row.from_offset is not None:
        track.exactly(instant, row.from_offset, row.basis)
    elif row.kind == "fetch_received" and row.offset is not None:
        track.at_least(instant, row.offset, "fetch-at-log-end")
    elif row.kind == "follower_leo_recorded" and row.leo is not None:
        low = row.leo if _may_have_fetched(view, row, broker) else 0
        track.at_least(instant, low, "remembered-log-end")
    elif row.kind == "fetch_offset_reset" and row.from_offset is not None:
        track.at_least(previous(instant), row.from_offset, "fetch-at-log-end")
        track.at_most(previous(instant), row.from_offset, "fetch-at-log-end")
    else:
        _put_leo_of_files(view, row, instant, broker, track)


def _put_end_on_disk(view: View, row: Row, instant: Instant, broker: int, track: Track) -> None:
    """The log end that the files of the end show."""
    end = row.leo or 0
    if _may_be_cut_since(view, row):
        track.start_section(instant)
    track.exactly(instant, end, row.basis)
    if row.number >= max(view.rows.own_lines(broker)[-1:], default=-1):
        # The copy was made after all lines of the broker; what is behind it then, other files say.
        track.at_most(Instant(len(track) - 1), end, RULE_STATED)
        if view.rows[len(view.rows) - 1].at == row.at:
            ends = np.full(len(track) - instant, end, np.int64)
            track.all_at_least(instant, ends, RULE_STATED)
            track.all_at_most(instant, ends, RULE_STATED)


def _is_of_an_old_fetch(view: View, row: Row, broker: int) -> bool:
    """Whether a fetch that failed had been sent before its fetcher was removed, or went to another leader.

    A process that stood still prints the failure when it goes on: its log may have grown or been cut since.
    """
    told = view.rows.own_lines_of(broker, _FETCHERS)
    at = bisect_left(told, row.number)
    last = view.rows[told[at - 1]] if at else None
    if last is None:
        return False
    elsewhere = None not in (last.leader, row.leader) and last.leader != row.leader
    return last.kind == "fetcher_removed" or elsewhere


def _may_have_fetched(view: View, row: Row, broker: int) -> bool:
    """Whether a follower may have fetched since its last start, so that its leader knows this log of it.

    Until then the leader remembers the log of the life before, which may have been longer.
    """
    begun = view.rows.own_lines_of(broker, _STARTING)
    at = bisect_left(begun, row.number)
    if not at:
        return True
    notified = view.rows.own_lines_of(broker, _FOLLOWS)
    return bisect_left(notified, begun[at - 1]) < bisect_left(notified, row.number)


def _is_lower_bound(view: View, row: Row, broker: int) -> bool:
    """Whether files show only that a log was at least so long.

    Where they end at the last segment that the broker began, in order to append to it, that one is missing.
    Where it had stated more, and no cut since, the copy was made before that, or a line on a cut is missing.
    """
    rolled = [
        one.offset
        for one in view.rows.of(_ROLLED)
        if one.replica == broker and one.partition == view.partition and not one.disk
    ]
    return bool(row.at_least & _LEO_BIT) or rolled[-1:] == [row.leo] or _stated_more(view, row, broker)


def _stated_more(view: View, row: Row, broker: int) -> bool:
    """Whether the last append that a broker states ends behind what files have, with no cut since."""
    for number in reversed(view.rows.own_lines_of(broker, _LONGER_OR_SHORTER)):
        one = view.rows[number]
        if number < row.number and one.replica == broker and one.partition in (view.partition, None):
            exact = one.kind in _APPENDED and one.leo is not None and not one.at_least & _LEO_BIT
            return exact and (one.leo or 0) > (row.leo or 0)
    return False


def _may_be_cut_since(view: View, row: Row) -> bool:
    """Whether a log may have been cut between the last line of any log and this copy of it.

    Then it may have been longer before than it is now. A copy is made when the logs are.
    """
    ends = [logs_end(view, broker) for broker in view.brokers]
    ends.append(int(view.trace.facts.get(METADATA_UNTIL, 0)))
    return row.at > max(ends) + SAID_STANDS_AFTER_LOGS_FOR.ns


def _put_leo_of_files(view: View, row: Row, instant: Instant, broker: int, track: Track) -> None:
    """Statements about the files of a log."""
    if row.kind == "epoch_assigned" and row.offset is not None:
        # From 2.0.1 a leader makes its entry when it takes over, with nothing written yet (KAFKA-7415).
        if view.before(broker, 2, 0, 1, at=row.seq) and not row.disk and not _rolls_first(view, row, broker):
            track.at_least(instant, row.offset + 1, "epoch-has-record")
        elif row.disk:
            # An entry is made at the log end, and goes with what a cut removes (LeaderEpochFileCache).
            track.at_least(instant, row.offset, "epoch-within-log")
    elif row.kind == "segment_rolled" and row.offset is not None and not row.disk:
        # Log.roll, under the lock of the append that does not fit any more.
        track.at_least(instant, row.offset, "roll-at-log-end")
        track.at_most(instant, row.offset, "roll-at-log-end")
    elif row.kind == "flushed" and row.offset is not None and not row.disk:
        track.at_least(instant, row.offset, "flush-within-log")
    elif row.kind == "log_deleted":
        track.start_section(instant)


def _rolls_first(view: View, entry: Row, broker: int) -> bool:
    """Whether the append that makes an entry begins a segment, which is printed after the entry (Log.append).

    A follower appends several batches at once, and the entry may be of a later one of them.
    """
    about = view.rows.about(broker, view.partition)
    after = (view.rows[about[at]] for at in range(bisect_left(about, entry.number + 1), len(about)))
    later = next((row for row in after if row.kind != "epoch_assigned"), None)
    if later is None or later.kind not in _ROLLING:
        return False
    end = later.offset if later.kind in _ROLLED else later.leo
    return end is not None and entry.offset is not None and end <= entry.offset


def _part_from_copies(view: View, broker: int, track: Track) -> None:
    """A section for what files show of a high watermark, where the log may have been cut before."""
    for row in view.rows.of(_COPIED):
        mine = row.replica == broker and row.partition == view.partition
        if mine and row.disk and _may_be_cut_since(view, row):
            track.start_section(instant_at(place_after(row.number)))


def put_hw(view: View, roles: Roles, cuts: tuple[Cut, ...], track: Track) -> None:
    """Bounds from every other statement about one replica's high watermark, and sections as it may fall."""
    broker = roles.broker
    cut_rows = {cut.row.number: cut for cut in cuts}
    for start in roles.starts:
        track.start_section(instant_at(start))
    _part_from_copies(view, broker, track)
    for row in view.rows.of(_ON_HW):
        if row.partition != view.partition:
            continue
        instant = instant_at(place_after(row.number))
        _put_hw_of_leader(row, instant, roles, track)
        if row.replica != broker:
            continue
        if row.number in cut_rows:
            _put_hw_at_cut(view, row, instant, cut_rows[row.number], broker, track)
        elif row.kind == "hw_loaded" and row.hw is not None:
            track.start_section(instant)
            track.exactly(instant, row.hw, row.basis)
        elif row.kind == "log_created":
            track.exactly(instant, 0, Basis.DERIVED)
        elif row.kind == "hw_moved" and row.hw is not None and row.at_least & _HW_BIT:
            track.at_least(instant, row.hw, _AT_LEAST)
        elif row.kind == "hw_moved" and row.hw is not None:
            if roles.role_at[row.number + 1] is not Role.LEADER:
                track.start_section(instant)
            track.exactly(instant, row.hw, row.basis)
        elif (
            row.kind == "truncation_decided"
            and row.hw is not None
            and row.aux == CutReason.LOCAL_HIGH_WATERMARK
        ):
            track.exactly(instant, row.hw, row.basis)
        elif row.kind in ("log_deleted", "log_loaded"):
            # It is loaded with the checkpoint, also where no line says that a process began.
            track.start_section(instant)


def _put_hw_of_leader(row: Row, instant: Instant, roles: Roles, track: Track) -> None:
    """What a leader states of its own high watermark, to the controller or in answers to followers."""
    broker = roles.broker
    if row.hw is None:
        return
    if row.kind in PROPOSALS and row.broker == broker:
        track.exactly(instant, row.hw, row.basis)
    in_answer = row.kind == "fetch_answered" and row.broker == broker
    # What it sent while it led does not bound it as a follower.
    leads = roles.role_at[row.number + 1] is Role.LEADER
    if in_answer or (row.kind == "fetch_delivered" and row.leader == broker and leads):
        track.at_least(instant, row.hw, "sent-to-follower")


def _put_hw_at_cut(view: View, row: Row, instant: Instant, cut: Cut, broker: int, track: Track) -> None:
    """The high watermark before and after a cut."""
    if is_hw_cut(view, broker, cut):
        track.exactly(previous(instant), cut.to, Basis.DERIVED)
        track.exactly(instant, cut.to, Basis.DERIVED)
        return
    track.start_section(instant, keep=cut.to)
    if row.kind == "log_reset":
        track.exactly(instant, cut.to, Basis.DERIVED)
    elif view.since(broker, 2, 4, at=row.seq):
        # From 2.4 the high watermark lives in the log, which lowers it with the cut.
        track.at_most(instant, cut.to, "cut-lowers-high-watermark")
    else:
        track.may_fall_from.add(instant)


def put_checkpoints(view: View, broker: int, track: Track, above: InstantSpans) -> None:
    """Bounds from replication-offset-checkpoint. To be called when all sections of the track are known.

    A file whose time is after the broker's last own line was copied at the end: when it was written is not
    known. `above` are the instants at which the high watermark may be above the log end: it falls with an
    answer.
    """
    written = view.rows.of(_CHECKPOINTED)
    own_lines = view.rows.own_lines(broker) if written else []
    last = view.rows[own_lines[-1]] if own_lines else None
    for row in written:
        if row.partition == view.partition and row.replica == broker:
            copied = last is None or row.number > last.number
            if not copied:
                _put_checkpoint(view, row, row, track, above)
            elif last is not None and last.kind == "broker_stopped":
                _put_checkpoint(view, row, last, track, above)
            else:
                _put_copied_checkpoint(view, row, last, track, above)


def _put_copied_checkpoint(view: View, row: Row, last: Row | None, track: Track, above: InstantSpans) -> None:
    """The bounds of a file that a running broker wrote at most two intervals before its last line, or later.

    It is older where its time shows so, as after a pause. Since then the high watermark may have fallen.
    """
    last_at = row.at if last is None else last.at
    configured = "".join(stated_at(view.trace, of_broker(row.replica or 0, CHECKPOINT_INTERVAL), last_at))
    interval = int(configured) * MILLISECOND_NS if configured.isdecimal() else CHECKPOINT_WRITTEN_EVERY.ns
    after = instant_at(place_after(row.number))

    def stands_since(intervals: int) -> Instant | None:
        """The instant since which the file may have been written, if the high watermark cannot fall then."""
        moment = -1 if last is None else last.at - intervals * interval
        begun = _last_row_until(view, row.number, moment if row.stamp is None else min(moment, row.stamp))
        fell = track.starts_section(instant_at(place_after(begun)), following(after))
        return None if fell else instant_before(place_after(begun))

    if stands_since(1) is not None:
        track.at_least(after, row.hw or 0, "checkpoint")
    written = stands_since(CHECKPOINTS_MISSED)
    if written is not None:
        _put_cap_before(track, written, row.hw or 0, above)


def _put_cap_before(track: Track, instant: Instant, value: int, above: InstantSpans) -> None:
    """An upper bound at an instant, if the high watermark is not above the log end there: it only grows."""
    if not any(first <= instant <= last for first, last in above):
        track.at_most(instant, value, "checkpoint")


def _last_row_until(view: View, number: int, moment: int) -> int:
    """The number of the last row, up to `number`, that is not later than a moment, in ns."""
    later = int(view.rows.column("at").searchsorted(moment, "right"))
    return max(min(number, later - 1), 0)


def _put_checkpoint(view: View, row: Row, written: Row, track: Track, above: InstantSpans) -> None:
    """The bounds of one value, at the time stamp of its file, which may be cut to the second."""
    value, after = row.hw or 0, instant_at(place_after(row.number))
    track.at_least(after, value, "checkpoint")
    whole_second = (written.at + 1) % SECOND_NS == 0
    moment = written.at - CHECKPOINT_BEFORE_FILE_TIME_BY.ns if whole_second else written.at
    below = _last_row_until(view, written.number, moment)
    if not track.starts_section(instant_at(place_after(below)), following(after)):
        _put_cap_before(track, instant_before(place_after(below)), value, above)
