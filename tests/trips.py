"""Runs that were written as brokers' logs and imported again, and what such logs can show of them."""

import os
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Verdict
from core.history.open import open_history
from core.history.state import UNKNOWN_BAND, Band, Steps
from core.kafka.eras import ERAS, era
from core.sim.library import scenario, scenario_ids
from core.sim.logs.broker_logs import BEGINNING, broker_logs, ended_at
from core.sim.logs.wording import numbers
from core.trace.ids import Nanos
from core.trace.trace import Event, Trace
from core.trace.vocabulary import Basis, CutReason
from importers.load import load
from tests.runs import simulated

ERA_IDS = tuple(one.id for one in ERAS)


@dataclass(frozen=True)
class Trip:
    """A run, what was imported of its logs, and what diagnosis says of both."""

    name: str
    era: str
    run: Trace
    read: Trace
    true: Verdict
    found: Verdict

    @property
    def pairs(self) -> list[tuple[int, PartitionVerdict, PartitionVerdict]]:
        """By partition: its index in the run, the true verdict, what was found."""
        return [
            (index, self.true.partitions[index], self.found.partitions[here])
            for index, here in enumerate(self.places)
        ]

    @property
    def places(self) -> list[int]:
        """The index in the imported trace of each partition of the run, but for the log of its quorum.

        What controllers write has records that a simulation does not have: its offsets are others
        (tests/core_sim_logs/test_quorum_trip.py).
        """
        named = [str(one.tp) for one in self.run.partitions if not one.tp.of_quorum]
        found = [self.read.partition_index(one) for one in named]
        assert None not in found, "a partition is missing"
        return [one for one in found if one is not None]


@cache
def trip_names() -> tuple[str, ...]:
    """The scenarios whose runs can be written: those in which no partition moves to other brokers."""
    return tuple(name for name in scenario_ids() if 'do = "reassign"' not in scenario(name).text)


@cache
def trip_of(name: str, which: str) -> Trip:
    """The round trip of a shipped scenario in an era."""
    run = simulated(name, era(which))
    read = read_again(run)
    return Trip(name, which, run, read, diagnose(run), diagnose(read))


def untouched(_: Path) -> None:
    """Logs as brokers left them."""


def read_again(run: Trace, *, data: bool = True, on_the_way: Callable[[Path], None] = untouched) -> Trace:
    """What is imported of the logs of a run; without `data` the directories are not there.

    `on_the_way` is what happens to the folder before that.
    """
    with tempfile.TemporaryDirectory() as folder:
        written = write(run, Path(folder), data=data)
        on_the_way(written)
        return load([written])


def write(run: Trace, folder: Path, *, data: bool = True) -> Path:
    """The logs of a run in a folder, as old as the run."""
    for path, content in broker_logs(run).items():
        if not data and "/data/" in path:
            continue
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        os.utime(folder / path, ns=(ended_at(run), ended_at(run)))
    return folder


def told(trace: Trace, *kinds: str, partition: int | None = None) -> list[Event]:
    """The events of some kinds, in order."""
    events = (trace.event(seq) for seq in range(len(trace)))
    return [
        one
        for one in events
        if one.kind in kinds and (partition is None or one.get("partition") == partition)
    ]


def since(run: Trace, *release: int) -> bool:
    """Whether the release of a run is this one or a later one."""
    return numbers(run.facts["release"]) >= release


def states_log_end(run: Trace, event: Event) -> int | None:
    """The log end of the replica that an event is about, if a release prints a line about it that names it.

    Releases: Log.scala, Partition.scala, ReplicaManager.scala and ReplicaFetcherThread.scala of each era.
    """
    kind = event.kind
    leo = event.get("leo")
    if kind in ("log_loaded", "truncated") or (kind == "became_leader" and since(run, 0, 11)):
        return leo
    if kind in ("truncation_noop", "truncation_not_needed") and since(run, 0, 11):
        return leo
    if kind == "became_follower" and since(run, 2, 6):
        return leo
    if kind == "isr_shrink_proposed" and since(run, 2, 2):
        return leo
    if kind == "fetch_offset_reset":
        return event.get("from_offset")
    if kind == "fetcher_added" and not 1 <= numbers(run.facts["release"])[0] < 3:
        return event.get("offset")
    return None


def cuts(run: Trace, partition: int, *, shown: bool) -> Counter[tuple[int, int]]:
    """(broker, offset) of the cuts of a run that removed records; with `shown` those that its logs prove.

    To 0.10 "Truncating log" is printed for each new follower, whether or not something goes, and what is
    missing when a log is recovered, or with a disk that was replaced, has no line in any release: then a line
    must have named a longer log. The offset is that of the log end: a cut inside a batch takes the batch as a
    whole, and the log ends where it was asked to (Log.truncateTo).
    """
    ends = ends_in_batches(run, partition)
    longest: dict[int, int] = {}
    found: Counter[tuple[int, int]] = Counter()
    for event in told(run, *_LOG_KINDS, partition=partition):
        broker = event.values["replica"]
        if event.kind == "truncated":
            to = ends.get(event.seq, event.values["offset"])
            printed = since(run, 0, 11) and event.get("aux") != CutReason.RECOVERY
            if not shown or printed or longest.get(broker, 0) > to:
                found[broker, to] += 1
            longest[broker] = to
        elif event.kind == "log_reset":
            # One that begins anew at the leader's log start has a line in every release.
            printed = event.get("aux") == CutReason.RESET
            if printed or (not shown and event.values["from_offset"] > event.values["offset"]):
                found[broker, event.values["offset"]] += 1
        stated = states_log_end(run, event)
        # What stands on the disks as a run begins was written without a line.
        if stated is not None and event.position:
            longest[broker] = max(longest.get(broker, 0), stated)
    return found


def ends_in_batches(run: Trace, partition: int) -> dict[int | None, int]:
    """By cut that fell inside a batch: where the log ends, above the last record that is left."""
    return {gap.cause: gap.values["leo"] for gap in told(run, "log_gap", partition=partition)}


_LOG_KINDS = (
    "log_loaded",
    "log_reset",
    "truncated",
    "became_leader",
    "became_follower",
    "truncation_noop",
    "truncation_not_needed",
    "isr_shrink_proposed",
    "fetch_offset_reset",
    "fetcher_added",
)


def shown_losses(trip: Trip, index: int, verdict: PartitionVerdict) -> set[int]:
    """Offsets of committed records that were lost, as far as the logs prove that the new leader had none.

    What was lost with page caches alone, on every broker that held it, leaves no line.
    From 0.11 a leader prints the offset that it starts from. To 0.10 only a follower that asks for more
    hears its log end.
    """
    lost = {
        offset: loss.epoch
        for loss in verdict.losses
        if loss.loss_class is LossClass.COMMITTED
        for offset in range(loss.first_offset, loss.end_offset)
    }
    lost = {offset: epoch for offset, epoch in lost.items() if _cut_by_more_than_power(trip, index, offset)}
    if since(trip.run, 0, 11):
        return set(lost)
    resets = [event.values["offset"] for event in told(trip.run, "fetch_offset_reset", partition=index)]
    return {offset for offset in lost if any(end <= offset for end in resets)}


def _cut_by_more_than_power(trip: Trip, index: int, offset: int) -> bool:
    """Whether a replica lost the offset otherwise than with its page cache, or has another record there."""
    removals = told(trip.run, "truncated", "log_reset", partition=index)
    return any(
        event.values["offset"] <= offset < event.values["from_offset"]
        and event.get("aux") != CutReason.RECOVERY
        for event in removals
    ) or not any(event.values["offset"] <= offset < event.values["from_offset"] for event in removals)


_PLACE = {kind: place for place, kind in enumerate(reversed(LossClass))}
_PLACE[LossClass.POSSIBLY_ACKNOWLEDGED] = _PLACE[LossClass.UNCOMMITTED]
"""Weak to strong. Logs do not say who was told what: that a record may have been promised claims nothing."""


def stronger(claimed: LossClass, true: LossClass) -> bool:
    """Whether a claim on a record says more than what is so."""
    return _PLACE[claimed] > _PLACE[true]


def classes(verdict: PartitionVerdict) -> dict[int, LossClass]:
    """The strongest class by offset."""
    found: dict[int, LossClass] = {}
    for loss in verdict.losses:
        for offset in range(loss.first_offset, loss.end_offset):
            found[offset] = max(loss.loss_class, found.get(offset, loss.loss_class), key=_PLACE.__getitem__)
    return found


def isr_sets(verdict: PartitionVerdict) -> list[tuple[int, ...]]:
    """The in-sync sets in order, each sorted, without repetitions."""
    sets = [tuple(sorted(span.isr)) for span in verdict.isr]
    return [one for place, one in enumerate(sets) if place == 0 or one != sets[place - 1]]


BEFORE, AFTER = 50_000_000, 100_000_000
"""What a row states is shown as exact for an instant.

The hull of the bands from so long before to so long after.
"""


def outside_bands(run: Trace, read: Trace, index: int, here: int) -> list[tuple[int, int, str]]:
    """(time, broker, leo or hw) at which the true value lies outside what is claimed of it.

    That a log came back as long as it was is inferred, and with it what follows from that: it fails where a
    machine lost its page cache, and then what is inferred does not count.
    """
    tails = any(
        event.get("aux") == CutReason.RECOVERY
        for event in told(run, "truncated", "log_reset", partition=index)
    )
    true, claims = open_history(run, index), open_history(read, here)
    found: list[tuple[int, int, str]] = []
    for now in sorted(set(run.columns["at"].tolist())):
        first = read.cursor_at(Nanos(BEGINNING + now - BEFORE))
        last = read.cursor_at(Nanos(BEGINNING + now + AFTER))
        cursor = run.cursor_at(now)
        for broker, replica in true.replicas.items():
            said = claims.replicas.get(broker)
            for name in ("leo", "hw") if said is not None else ():
                steps: Steps[Band] = getattr(said, name)
                bands = [band for _, _, band in steps.spans(first, last)]
                if tails:
                    bands = [UNKNOWN_BAND if band.basis is Basis.INFERRED else band for band in bands]
                value = getattr(replica, name).at(cursor).exact
                low = any(band.lo is None or band.lo <= value for band in bands)
                if not low or not any(band.hi is None or value <= band.hi for band in bands):
                    found.append((now, broker, name))
    return found


TOLD = 500_000_000
"""Brokers are told later than the controller decides: at most so many ns."""


def denied(run: Trace, read: Trace, index: int, here: int) -> list[tuple[int, str]]:
    """(time, leader, leader_epoch or isr) at which all that is said around that time is not so.

    Behind the end of the evidence nothing is held against it. What is unknown denies nothing.
    """
    true, claims = open_history(run, index), open_history(read, here)
    ends = int(read.columns["at"][-1])
    found: list[tuple[int, str]] = []
    for now in sorted(set(run.columns["at"].tolist())):
        if BEGINNING + now > ends:
            break
        first = read.cursor_at(Nanos(BEGINNING + now - TOLD))
        last = read.cursor_at(Nanos(BEGINNING + now + TOLD))
        for name in ("leader", "leader_epoch", "isr"):
            steps: Steps[Any] = getattr(claims, name)
            said = {_comparable(value) for _, _, value in steps.spans(first, last)}
            so = _comparable(getattr(true, name).at(run.cursor_at(now)))
            if None not in said and so is not None and so not in said:
                found.append((now, name))
    return found


def _comparable(value: Any) -> Any:
    return tuple(sorted(value)) if isinstance(value, tuple) else value
