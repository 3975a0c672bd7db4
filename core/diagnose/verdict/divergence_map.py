"""The divergence map: for each pair of replicas which offsets hold the same content, and when.

A record is known by its leader epoch and its offset: only the leader of an epoch makes records of it. So
equal epochs at an offset are equal records, by that rule (DERIVED), unless the names of a simulation say
otherwise (a leader may lead again in its own epoch). Batches of segments, with their CRC, decide at the end
of the trace (OBSERVED).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.divergence import Batch, batches_of, ranges_of_both
from core.diagnose.verdict.holdings import Holding
from core.history.epoch_runs import end_of
from core.trace.ids import Place
from core.trace.vocabulary import Basis


class Content(StrEnum):
    """What two replicas hold at the same offsets."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Region:
    """Offsets [first_offset, end_offset) that both replicas of a pair held, for a time, in ns.

    `since` is when the first of them was on both (None: from the beginning), `until` when one of them lost
    them (None: at the end both hold them). Offsets that only one holds are in no region. `seqs` are the rows
    at `since` and `until`, and the batches that decide.
    """

    brokers: tuple[int, int]
    first_offset: int
    end_offset: int
    content: Content
    epochs: tuple[int | None, int | None]
    since: int | None
    until: int | None
    basis: Basis
    seqs: tuple[int, ...] = ()


def divergence_map(case: Case, held: Sequence[Holding]) -> tuple[Region, ...]:
    """All regions of all pairs, by pair, time and offset. Runs, never single records."""
    by_broker: dict[int, list[Holding]] = defaultdict(list)
    for one in held:
        by_broker[one.broker].append(one)
    batches = {} if case.view.exact else batches_of(case)
    found: list[Region] = []
    for pair in combinations(sorted(by_broker), 2):
        regions: list[Region] = []
        for left in by_broker[pair[0]]:
            for right in by_broker[pair[1]]:
                regions.extend(_regions(case, left, right))
        if pair[0] in batches and pair[1] in batches:
            regions = _decided(regions, batches[pair[0]], batches[pair[1]])
        found += sorted(_joined(regions), key=lambda one: (one.since or 0, one.first_offset))
    return tuple(found)


def _regions(case: Case, left: Holding, right: Holding) -> Iterator[Region]:
    """The regions of one pair."""
    first = max(left.first, right.first)
    since = max(_has_from(case, left, first), _has_from(case, right, first))
    until = min((one.until for one in (left, right) if one.until is not None), default=None)
    end = min(_held_by(case, left, until), _held_by(case, right, until))
    if first >= end or (until is not None and until <= since):
        return
    at = case.history.trace.columns["at"]
    seqs = [cursor - 1 for cursor in (since, until) if cursor]
    for begun, ended, content in _contents(left, right, first, end):
        yield Region(
            brokers=(left.broker, right.broker),
            first_offset=begun,
            end_offset=ended,
            content=content,
            epochs=(left.epoch, right.epoch),
            since=int(at[since - 1]) if since else None,
            until=None if until is None else int(at[until - 1]),
            basis=_basis(case, content),
            seqs=tuple(seqs),
        )


def _has_from(case: Case, one: Holding, offset: int) -> int:
    """The cursor from which a replica held the record at an offset; in real logs that of the first one."""
    if offset == one.first or not case.view.exact:
        return one.since
    steps = case.history.replicas[one.broker].runs
    begun = bisect_left(steps.cursors, one.since)
    gone = len(steps.cursors) if one.until is None else bisect_left(steps.cursors, one.until)
    # Up to where it went the log only grew there; after that it may reach so far again.
    came = bisect_left(steps.values, True, lo=begun, hi=gone, key=lambda runs: end_of(runs) > offset)
    return steps.cursors[came] if came < gone else one.since


def _held_by(case: Case, one: Holding, until: int | None) -> int:
    """The end of what a replica held before a cursor: the rest came when the other held its own no more."""
    if until is None or (one.whole is not None and one.whole < until):
        return one.end
    return min(one.end, end_of(case.runs(one.broker, Place(case.history.rank(until) - 1))))


def _basis(case: Case, content: Content) -> Basis:
    """How it is known that a content is the same or differs."""
    if content is Content.UNKNOWN:
        return Basis.UNKNOWN
    return Basis.OBSERVED if case.view.exact else Basis.DERIVED


def _contents(left: Holding, right: Holding, first: int, end: int) -> Iterator[tuple[int, int, Content]]:
    """The parts of a range by what they hold: by names where both have them, else by epochs."""
    if not (left.records and right.records):
        if left.epoch is None or right.epoch is None:
            yield first, end, Content.UNKNOWN
        else:
            yield first, end, Content.EQUAL if left.epoch == right.epoch else Content.DIFFERENT
        return
    mine, others = (one.records[first - one.first : end - one.first] for one in (left, right))
    if mine == others:
        yield first, end, Content.EQUAL
        return
    begun = first
    for offset in range(first, end):
        same = left.records[offset - left.first] == right.records[offset - right.first]
        following = offset + 1
        if following == end or same != (
            left.records[following - left.first] == right.records[following - right.first]
        ):
            yield begun, following, Content.EQUAL if same else Content.DIFFERENT
            begun = following


def _decided(regions: list[Region], one: Sequence[Batch], other: Sequence[Batch]) -> list[Region]:
    """Regions at the end of the trace, divided and judged by batches that both replicas' segments list."""
    found: list[Region] = []
    for region in regions:
        if region.until is not None:
            found.append(region)
            continue
        at = region.first_offset
        for both in ranges_of_both(one, other):
            first, end = max(both.first, region.first_offset), min(both.end, region.end_offset)
            if first >= end:
                continue
            found += _part(region, at, first)
            content = Content.EQUAL if both.same else Content.DIFFERENT
            (part,) = _part(region, first, end)
            seqs = (*region.seqs, *both.seqs)
            found.append(replace(part, content=content, basis=Basis.OBSERVED, seqs=seqs))
            at = end
        found += _part(region, at, region.end_offset)
    return found


def _part(region: Region, first: int, end: int) -> list[Region]:
    """A part of a region; what no batch of both decides stays as it was."""
    return [] if first >= end else [replace(region, first_offset=first, end_offset=end)]


def _joined(regions: Sequence[Region]) -> list[Region]:
    """Neighbours with the same content and time become one; of equal ones, since when does not matter."""
    whole: list[Region] = []
    for region in sorted(regions, key=lambda one: (one.until is None, one.since or 0, one.first_offset)):
        last = whole[-1] if whole else None
        if (
            last is not None
            and last.end_offset == region.first_offset
            and (last.content, last.epochs, last.until, last.basis)
            == (region.content, region.epochs, region.until, region.basis)
            and (last.since == region.since or region.content is Content.EQUAL)
        ):
            seqs = tuple(dict.fromkeys((*last.seqs, *region.seqs[-2:])))[:6]
            whole[-1] = replace(last, end_offset=region.end_offset, seqs=seqs)
        else:
            whole.append(region)
    return whole
