"""From histories to how far records of a leader epoch are known to have been committed or acknowledged."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.left_behind import log_end_left
from core.history.cuts import is_hw_cut
from core.history.positions import previous_place
from core.history.roles import Roles, RoleSpan
from core.history.state import WITHOUT_ROLE, EpochRun, Role
from core.history.validity import Validity
from core.trace.ids import Place

_ACKNOWLEDGED: Final = frozenset({"acknowledged"})
_APPENDED: Final = frozenset({"appended"})
_TAKEN_OVER: Final = frozenset({"hw_moved", "fetch_delivered"})
"""How a follower comes to a high watermark: from the answer to its fetch."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """A high watermark that is known to have been reached in an epoch.

    `seq` is the row that states it. Where none does it follows from the rules of core/history/rules.py:
    `derived` is True, and `seq` is the row that states the log end it follows from, else the row after which
    it is known.
    """

    value: int
    epoch: int
    broker: int
    seq: int
    derived: bool = False


Marks = Callable[[], tuple[Watermark, ...]]
"""The watermarks of a partition, found when they are asked for: most have neither a cut nor a loss."""


def _reached_in(case: Case, own: Roles, place: Place) -> int | None:
    """The epoch in which a value seen at a place was reached; None where it is not known.

    The row that begins an epoch, or a start of the process, finds the value of the epoch before. A follower
    in an epoch that is over may have been notified of that, and its line on it is missing.
    """
    epochs = own.epoch_at
    before = previous_place(place) if place and epochs[place] != epochs[place - 1] else place
    while before > 0 and epochs[before] is None:
        if own.role_at[before] in WITHOUT_ROLE and not case.view.exact:
            return None
        before = previous_place(before)
    return None if case.may_be_past(own, before) else epochs[before]


def _latest_below(offset: int, runs: tuple[EpochRun, ...]) -> int:
    """The last leader epoch of a replica's records below an offset; -1 where none is known.

    To 2.0 a follower that was not notified yet copies from a leader of a later epoch (KIP-320 fences that),
    and its high watermark is one of that epoch.
    """
    return max((run.epoch for run in runs if run.epoch is not None and run.start < offset), default=-1)


def _answered_in(case: Case, own: Roles, place: Place) -> int | None:
    """In a simulation, the epoch of the leader whose answer gave a follower the value seen at a place.

    To 2.0 it may be later than the follower's own, also where the answer had no records.
    """
    if not case.view.exact or own.role_at[place] is not Role.FOLLOWER:
        return None
    event = case.history.trace.event(case.view.seq_at(place))
    while event.kind in _TAKEN_OVER and event.cause is not None:
        event = case.history.trace.event(event.cause)
    return event.get("epoch") if event.kind == "fetch_answered" else None


def _first_known(epochs: list[int | None]) -> int | None:
    """The epoch that a replica is first known to be in."""
    return next((epoch for epoch in epochs if epoch is not None), None)


def _rows_by_value(stated: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """By value the numbers of the rows that state it, from (number, value)."""
    found: dict[int, list[int]] = {}
    for number, value in stated:
        found.setdefault(value, []).append(number)
    return found


def _statements(case: Case, broker: int) -> dict[int, list[int]]:
    """By value: the numbers of the rows that state a replica's high watermark, in order."""
    view = case.view
    stated = view.rows.stated_values("hw", broker, view.partition)
    cuts = [(cut.row.number, cut.to) for cut in case.cuts[broker] if is_hw_cut(view, broker, cut)]
    return _rows_by_value(sorted({*stated, *cuts}) if cuts else stated)


def _follows_from(ends: dict[int, list[int]], value: int, place: int) -> int:
    """The last row up to a place in which a replica states a log end of this value, else the row there."""
    numbers = ends.get(value, ())
    before = bisect_left(numbers, place)
    return numbers[before - 1] if before else place - 1


def _stated_by(stated: dict[int, list[int]], value: int, place: int) -> int | None:
    """The row that states a high watermark: the last up to a place, else the first after it."""
    numbers = stated.get(value)
    if not numbers:
        return None
    after = bisect_left(numbers, place)
    return numbers[after - 1 if after else 0]


def watermarks(case: Case) -> tuple[Watermark, ...]:
    """Every high watermark that some replica is known to have had, with the epoch in which it was reached."""
    found: list[Watermark] = []
    rows, seqs = case.view.rows, case.view.seqs
    for broker, replica in case.history.replicas.items():
        own = case.roles[broker]
        last: tuple[int, int] | None = None
        ends: dict[int, list[int]] | None = None
        stated = _statements(case, broker)
        for cursor, band in zip(replica.hw.cursors, replica.hw.values, strict=True):
            place = Place(case.history.rank(cursor))
            epoch = _reached_in(case, own, place)
            if epoch is None and case.view.exact:
                # The state before the first step of a simulation: reached in the epoch that stands then.
                epoch = _first_known(own.epoch_at)
            if band.lo is None or not band.lo or epoch is None:
                continue
            answered = _answered_in(case, own, place)
            epoch = max(epoch, answered or -1, _latest_below(band.lo, replica.runs.at(cursor)))
            if last == (band.lo, epoch):
                continue
            last = (band.lo, epoch)
            number = _stated_by(stated, band.lo, place)
            if number is not None:
                found.append(Watermark(band.lo, epoch, broker, seqs.item(number)))
            elif place and not case.view.exact:
                ends = (
                    _rows_by_value(rows.stated_values("leo", broker, case.view.partition))
                    if ends is None
                    else ends
                )
                number = _follows_from(ends, band.lo, place)
                found.append(Watermark(band.lo, epoch, broker, seqs.item(number), derived=True))
    return (*found, *_reached_alone(case), *_waited_above(case))


def _waited_above(case: Case) -> Iterator[Watermark]:
    """The high watermark of a leader whose log ends below it, at each append: that commits what it is above.

    To 2.3 a cut leaves the high watermark where it is (apache/kafka PR 7055). Known in a simulation.
    """
    cuts = case.cuts.items() if case.view.exact else ()
    above = {
        broker
        for broker, own in cuts
        if any((case.hw(broker, Place(cut.row.number + 1)).lo or 0) > cut.to for cut in own)
    }
    for row in case.of(_APPENDED) if above else ():
        if row.replica not in above or row.from_offset is None:
            continue
        place, own = Place(row.number + 1), case.roles[row.replica]
        hw, epoch = case.hw(row.replica, place).lo or 0, own.epoch_at[place]
        if own.role_at[place] is Role.LEADER and epoch is not None and hw > row.from_offset:
            yield Watermark(hw, epoch, row.replica, row.seq)


def _reached_alone(case: Case) -> Iterator[Watermark]:
    """The high watermark that a leader had when its process ended, where it was alone in its in-sync set.

    Every append raises it to the log end (Partition.maybeIncrementLeaderHW: the least log end of the set),
    and the next start finds how far that was. The last append counts: between it and the high watermark a
    process does nothing that takes time. From 3.7 on min.insync.replicas may hold it (KIP-966).
    """
    for broker, own in case.roles.items():
        if case.view.exact:
            continue
        for number, led in enumerate(own.spans):
            if led.role is not Role.LEADER or led.epoch is None or not _alone_to_the_end(case, broker, led):
                continue
            if not case.view.before(broker, 3, 6, at=case.view.seq_at(led.first)):
                continue
            left = log_end_left(case, own, number)
            if left is None:
                continue
            found, start = left
            stated = case.view.rows.stated_values("leo", broker, case.view.partition)
            begun = previous_place(start)
            row = next((at for at, value in stated if at >= begun and value == found), begun)
            yield Watermark(found, led.epoch, broker, case.view.seqs.item(row), derived=True)


def _alone_to_the_end(case: Case, broker: int, led: RoleSpan) -> bool:
    """Whether a leader was alone in its in-sync set from some place on until its process ended.

    It was so when that was stated last in its epoch, and the very next epoch has no leader and the same set.
    To 3.5 whoever takes a replica out of the set on its behalf begins an epoch: had it taken others in before
    it ended, the set would be another, or the epoch a later one (KAFKA-15021).
    """
    control = case.control
    tenure = control.tenure_number(led.epoch)
    after = None if tenure is None else next(iter(control.tenures[tenure + 1 :]), None)
    if after is None or after.leader != -1 or after.epoch is None or after.epoch - 1 != led.epoch:
        return False
    alone, last = (broker,), previous_place(after.place)
    if control.isr_of_tenure[after.place] != alone or control.isr_of_tenure[last] != alone:
        return False
    known = range(led.first, min(led.end, after.place))
    return any(
        control.isr_of_tenure[place] == alone
        and control.epoch_at[place] == led.epoch
        and control.isr_known[place] != Validity.NO
        for place in known
    )


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Records [first, end) of one epoch that were acknowledged to a producer, by the row `seq`."""

    first: int
    end: int
    epoch: int
    seq: int


def acknowledged(case: Case) -> tuple[Acknowledged, ...]:
    """Every acknowledgement with the epoch of the leader that gave it."""
    found: list[Acknowledged] = []
    for row in case.of(_ACKNOWLEDGED):
        if row.from_offset is None or row.offset is None or row.replica is None:
            continue
        own = case.roles.get(row.replica)
        epoch = own.epoch_at[row.number + 1] if own is not None else None
        if epoch is not None:
            found.append(Acknowledged(row.from_offset, row.offset, epoch, row.seq))
    return tuple(found)
