"""From gathered files to what each log says, with the clock of each broker and the times of files on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from core.assumptions import COPIED_FILES_LIE_WITHIN
from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.kafka.life import REGISTERING
from importers.lines.items import Items, items_of, joined_items
from importers.lines.statements import Statements, joined_statements
from importers.merge.apart import Ask
from importers.merge.attribution import Owner
from importers.merge.clock import AS_PRINTED, Clocks, clocks_of, zone_ahead
from importers.merge.clock_steps import set_back_steps, silences
from importers.merge.coarse import in_whole_seconds, late_by
from importers.merge.copies import without_copies, without_doubles
from importers.merge.file_clocks import with_times_of_lines
from importers.merge.file_times import copied_anew, written_at
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered
from importers.merge.lives import LogOf, Sign, breaks, unsaid_starts
from importers.merge.log_facts import ends_of_logs
from importers.merge.repeats import without_repeats
from importers.merge.statements_on_disk import CHECKPOINT_RANK
from importers.merge.telling import telling
from importers.merge.zones import ASSUMED, Zone, all_utc, offset_name, to_utc

_RANKS: Final = (("controller", 0), ("state-change", 1))
"""Equal times: the controller decides, then requests arrive, then the broker acts."""
_FIRST_RANK: Final = -1
"""In the second in which it starts a broker does nothing before."""


class Timed(NamedTuple):
    """What was gathered, with the times of files on the clocks of lines; what logs say; and these clocks.

    `ahead` is by how many ns files were ahead, by broker; `repeated` how many records were, by source.
    """

    gathered: Gathered
    ahead: Mapping[int, int]
    logs: tuple[Items, ...]
    repeated: Mapping[int, int]
    clocks: Clocks


def timed(read: Gathered, others: Sequence[Items], ask: Ask) -> Timed:
    """Find the clocks; anew where they show another zone of a log, or that a clock was set.

    Lines from before a clock was set and lines from after it are apart from their files by two spans.
    """
    found = _with_clocks(read, AS_PRINTED, others, ask)
    zones = _other_zones(found.gathered, found.clocks)
    if zones != read.zones:
        read = replace(read, zones=zones)
        found = _with_clocks(read, AS_PRINTED, others, ask)
    if any(found.clocks.was_set(("broker", one), COPIED_FILES_LIE_WITHIN.ns) for one in found.ahead):
        found = _with_clocks(read, found.clocks, others, ask)
    return found


def _with_clocks(read: Gathered, known: Clocks, others: Sequence[Items], ask: Ask) -> Timed:
    """The clocks that logs and the other items show, by what is known of them so far."""
    gathered, ahead = with_times_of_lines(read, ends_of_logs(read, known))
    logs, repeated = log_items(gathered, known)
    return Timed(gathered, ahead, logs, repeated, _clocks((*others, *logs), gathered, ask))


def log_items(gathered: Gathered, clocks: Clocks = AS_PRINTED) -> tuple[tuple[Items, ...], Mapping[int, int]]:
    """One chain of items per log, uncorrected in time; and how many records were repeated, by source.

    Without what another log of the same broker says in the same words, and with the ends of lives. The times
    of files are corrected ones where `clocks` are given.
    """
    logs: dict[int | None, list[LogOf]] = {}
    for number, (file, owner) in enumerate(zip(gathered.files, gathered.owners, strict=True)):
        if file.drafts is not None and file.drafts.kafka:
            zone = to_utc(gathered.zones[number].name)
            logs.setdefault(owner.broker, []).append(
                LogOf(number, _rank(file.path), file.drafts, zone, late_by(file))
            )
    chains: list[Items] = []
    repeated: dict[int, int] = {}
    for broker, found in logs.items():
        signs = _written_by(broker, gathered, clocks)
        lives = breaks(broker, found, signs) if broker is not None else ()
        begun = unsaid_starts(found) if broker is not None else {}
        chains += [items_of((item,)) for item in lives if gathered.files[item.source].role is not Role.LOG]
        paths = [gathered.files[log.source].path for log in found]
        for log, drafts, count in without_repeats(found, paths, of_one=broker is not None):
            repeated[log.source] = count
            printed = _with_starts(drafts, begun[log.source]) if log.source in begun else drafts
            said = without_doubles(without_copies(printed))
            ends = items_of(item for item in lives if item.source == log.source)
            chain = (
                joined_items([_chain(log, said, broker), ends]) if len(ends) else _chain(log, said, broker)
            )
            columns = chain.said.columns
            chains.append(chain.taken(np.lexsort((columns["ordinal"], columns["byte"]))))
    return tuple(chains), repeated


def _with_starts(said: Statements, begun: Statements) -> Statements:
    """What a log says, in the order of its lines, with starts of which it says nothing."""
    both = joined_statements([said, begun])
    return both.taken(np.lexsort((both.columns["ordinal"], both.columns["byte"])))


def _chain(log: LogOf, said: Statements, broker: int | None) -> Items:
    """What a log says, by whom it says, else by its broker."""
    columns = said.columns
    rows = len(said)
    ranks = np.broadcast_to(np.int8(log.rank), rows)
    if log.late_by:
        ranks = np.where(columns["kind"] == NUMBER["broker_starting"], _FIRST_RANK, ranks).astype(np.int8)
    named = columns["broker"]
    speaker = np.where(named == UNSAID, UNSAID if broker is None else broker, named)
    if rows and (speaker == speaker[0]).all():
        speaker = np.broadcast_to(speaker[0], rows)
    return Items(
        all_utc(columns["local_ns"], log.to_utc),
        ranks,
        np.broadcast_to(np.int32(log.source), rows),
        speaker,
        said,
    )


def _written_by(broker: int | None, gathered: Gathered, clocks: Clocks) -> tuple[Sign, ...]:
    """When, by its own clock, a broker wrote files of its data directory: signs of life beside its logs."""
    clock = ("broker", -1 if broker is None else broker)
    signs: list[Sign] = []
    copied = copied_anew(gathered.files)
    for number, (file, owner) in enumerate(zip(gathered.files, gathered.owners, strict=True)):
        latest = written_at(file)
        written = owner.broker == broker and file.role in (Role.OFFSETS, Role.EPOCHS)
        kept = file.place is None or file.place.directory not in copied
        if written and kept and file.mtime_ns is not None and latest is not None:
            at, until = (clocks.stamp(clock, time) for time in (file.mtime_ns, latest))
            signs.append(Sign(at, until, number, CHECKPOINT_RANK, file.size, 1))
    return tuple(signs)


def _registering(gathered: Gathered) -> Mapping[int, Sequence[int]]:
    """When each broker said that it was about to register, in UTC; a repeated line counts once."""
    times: dict[int, set[int]] = {}
    for file, zone in zip(gathered.files, gathered.zones, strict=True):
        utc = to_utc(zone.name)
        for fact in file.drafts.facts if file.drafts is not None else ():
            if fact.name == REGISTERING:
                times.setdefault(int(fact.value), set()).add(utc(fact.local_ns))
    return {broker: sorted(found) for broker, found in times.items()}


def _rank(path: str) -> int:
    name = path.rsplit("/", 1)[-1]
    return next((rank for start, rank in _RANKS if name.startswith(start)), 2)


def _clocks(chains: Sequence[Items], gathered: Gathered, ask: Ask) -> Clocks:
    told = joined_items([chain.taken(telling(chain)) for chain in chains]).kept()
    cut = (number for number, file in enumerate(gathered.files) if in_whole_seconds(file))
    return clocks_of(told, _registering(gathered), cut, silences(gathered), ask, set_back_steps(gathered))


def _other_zones(gathered: Gathered, clocks: Clocks) -> tuple[Zone, ...]:
    """The zones that follow from what ties brokers together; those of before where these fit."""
    return tuple(
        zone if (found := _zone_by_ties(file, owner, zone, clocks)) is None else found
        for file, owner, zone in zip(gathered.files, gathered.owners, gathered.zones, strict=True)
    )


def _zone_by_ties(file: ReadFile, owner: Owner, zone: Zone, clocks: Clocks) -> Zone | None:
    """The zone of a log that does not show one itself, where its clock is apart by a zone; else None."""
    if owner.broker is None or file.drafts is None or not (zone == ASSUMED or zone.shared):
        return None
    further = zone_ahead(clocks.of_broker(owner.broker))
    if further is None:
        return None
    first = int(file.drafts.stamps[0]) if len(file.drafts.stamps) else 0
    read_ahead = first - to_utc(zone.name)(first)
    return Zone(offset_name(read_ahead + further), "inferred")
