"""How far records of a leader epoch are known to have been committed or acknowledged."""

from bisect import bisect_left
from dataclasses import dataclass

from core.diagnose.case import Case
from core.history.statements import is_hw_cut
from core.history.view import Row


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


def _reached_in(epochs: list[int | None], place: int) -> int | None:
    """The epoch in which a value seen at a place was reached.

    The row that begins an epoch, or a start of the process, finds the value of the epoch before.
    """
    before = place - 1 if place and epochs[place] != epochs[place - 1] else place
    while before > 0 and epochs[before] is None:
        before -= 1
    return epochs[before]


def _first_known(epochs: list[int | None]) -> int | None:
    """The epoch that a replica is first known to be in."""
    return next((epoch for epoch in epochs if epoch is not None), None)


def _statements(case: Case, broker: int) -> dict[int, list[Row]]:
    """By value: the rows that state a replica's high watermark, in order."""
    found: dict[int, list[Row]] = {}
    cuts = {cut.row.seq: cut for cut in case.cuts[broker]}
    told = (row for row in case.view.rows.stating("hw") if row.partition == case.view.partition)
    for row in sorted({*told, *(cut.row for cut in case.cuts[broker])}, key=lambda row: row.number):
        cut = cuts.get(row.seq)
        values = {row.hw} if row.replica == broker and row.hw is not None else set[int]()
        if cut is not None and is_hw_cut(case.view, broker, cut):
            values.add(cut.to)
        for value in values:
            found.setdefault(value, []).append(row)
    return found


def _log_ends(case: Case, broker: int) -> dict[int, list[Row]]:
    """By value: the rows that state a replica's log end, in order."""
    found: dict[int, list[Row]] = {}
    for row in case.view.rows:
        if row.replica == broker and row.leo is not None:
            found.setdefault(row.leo, []).append(row)
    return found


def _follows_from(case: Case, ends: dict[int, list[Row]], value: int, place: int) -> int:
    """The last row up to a place in which a replica states a log end of this value, else the row there."""
    rows = ends.get(value, ())
    before = bisect_left(rows, place, key=lambda row: row.number)
    return (rows[before - 1] if before else case.view.rows[place - 1]).seq


def _stated_by(stated: dict[int, list[Row]], value: int, place: int) -> int | None:
    """The row that states a high watermark: the last up to a place, else the first after it."""
    rows = stated.get(value)
    if not rows:
        return None
    after = bisect_left(rows, place, key=lambda row: row.number)
    return rows[after - 1 if after else 0].seq


def watermarks(case: Case) -> tuple[Watermark, ...]:
    """Every high watermark that some replica is known to have had, with the epoch in which it was reached."""
    found: list[Watermark] = []
    for broker, replica in case.history.replicas.items():
        epochs = case.roles[broker].epoch_at
        last: tuple[int, int] | None = None
        ends: dict[int, list[Row]] | None = None
        stated = _statements(case, broker)
        for cursor, band in zip(replica.hw.cursors, replica.hw.values, strict=True):
            place = case.history.rank(cursor)
            epoch = _reached_in(epochs, place)
            if epoch is None and case.view.exact:
                # The state before the first step of a simulation: reached in the epoch that stands then.
                epoch = _first_known(epochs)
            if band.lo is None or not band.lo or epoch is None or last == (band.lo, epoch):
                continue
            last = (band.lo, epoch)
            seq = _stated_by(stated, band.lo, place)
            if seq is not None:
                found.append(Watermark(band.lo, epoch, broker, seq))
            elif place and not case.view.exact:
                ends = _log_ends(case, broker) if ends is None else ends
                seq = _follows_from(case, ends, band.lo, place)
                found.append(Watermark(band.lo, epoch, broker, seq, derived=True))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Records [first, end) of one epoch that a producer was told about. `seq` is the row."""

    first: int
    end: int
    epoch: int
    seq: int


def acknowledged(case: Case) -> tuple[Acknowledged, ...]:
    """Every acknowledgement with the epoch of the leader that gave it."""
    found: list[Acknowledged] = []
    for row in case.rows():
        if row.kind != "acknowledged" or row.from_offset is None or row.offset is None or row.replica is None:
            continue
        own = case.roles.get(row.replica)
        epoch = own.epoch_at[row.number + 1] if own is not None else None
        if epoch is not None:
            found.append(Acknowledged(row.from_offset, row.offset, epoch, row.seq))
    return tuple(found)
