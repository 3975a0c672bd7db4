"""What a replica that begins to follow does to its log until it can fetch: the rules of an era in a row.

The simulator carries out the same rules with messages and time between them. Here the leader answers at once,
and its log stands still.
"""

from dataclasses import dataclass
from typing import Final, Literal

from core.kafka.epochs import UNDEFINED, Entries, cut_end, end_of_epoch, latest_epoch
from core.kafka.switches import Switches
from core.kafka.truncation import (
    Ask,
    Cut,
    Next,
    diverges,
    on_diverging_answer,
    on_epoch_answer,
    on_following,
    on_out_of_range,
    restart_offset,
)
from core.trace.vocabulary import CutReason

_MOST: Final = 1_000
"""No more questions than this: each one cuts, or ends the walk."""


@dataclass(frozen=True, slots=True)
class FollowerLog:
    """The log of the replica that follows: its leader epoch cache, log end offset and high watermark."""

    entries: Entries
    leo: int
    hw: int


@dataclass(frozen=True, slots=True)
class LeaderLog:
    """The log of the leader: its leader epoch cache, log start and log end offset."""

    entries: Entries
    start: int
    leo: int


@dataclass(frozen=True, slots=True)
class Step:
    """One question, its answer and what was done.

    `asked_epoch` is the epoch named in the question (None: nothing was asked of the leader), `asked_offset`
    the offset of a fetch. `said_epoch` and `said_offset` are the answer; None is not said, UNDEFINED (-1) is
    Kafka's undefined. `to` is where the log was cut, None where it was not.
    """

    asked_epoch: int | None
    asked_offset: int | None
    said_epoch: int | None
    said_offset: int | None
    reason: CutReason
    to: int | None


@dataclass(frozen=True, slots=True)
class Walk:
    """All steps, and the log end offset with which the replica goes on to fetch.

    `exits` is True where the broker stops instead (to 2.0.0 out of range, unclean election off).
    """

    steps: tuple[Step, ...]
    leo: int
    exits: bool = False


def rejoin(switches: Switches, own: FollowerLog, leader: LeaderLog, *, unclean_allowed: bool) -> Walk:
    """How far back a replica cuts that begins to follow `leader` with the rules of an era.

    Sources are those of the rules in core/kafka/truncation.py. `unclean_allowed` is the topic's
    `unclean.leader.election.enable`.
    """
    steps: list[Step] = []
    log = own
    first = on_following(switches.truncation, switches.epoch_answer, log.entries, log.leo, log.hw)
    if isinstance(first, Cut):
        log = _cut(log, first, steps, None, None, None, None)
    elif isinstance(first, Ask):
        log = _ask(switches, log, leader, steps)
    for _ in range(_MOST):
        if log.leo < leader.start:
            break
        fetched = _fetch(switches, log, leader)
        if fetched == "records":
            break
        if fetched == "out of range":
            return _out_of_range(switches, log, leader, steps, unclean_allowed=unclean_allowed)
        last = latest_epoch(log.entries)
        end = end_of_epoch(leader.entries, leader.leo, last, switches.epoch_lookup_below)
        log = _cut(log, fetched, steps, last, log.leo, end.epoch, end.offset)
    if log.leo > leader.leo or restart_offset(leader.start, log.leo) is not None:
        return _out_of_range(switches, log, leader, steps, unclean_allowed=unclean_allowed)
    return Walk(tuple(steps), log.leo)


def _fetch(
    switches: Switches, log: FollowerLog, leader: LeaderLog
) -> Cut | Literal["records", "out of range"]:
    """What a fetch that names its last epoch comes to.

    To 2.7 a fetch names no epoch, and so it does where the follower knows none.
    """
    last = latest_epoch(log.entries)
    if switches.truncation != "fetch-divergence" or last == UNDEFINED:
        return "records"
    end = end_of_epoch(leader.entries, leader.leo, last, switches.epoch_lookup_below)
    if end.offset < 0:
        return "out of range"
    if not diverges(end, last, log.leo):
        return "records"
    return on_diverging_answer(end, log.entries, log.leo, switches.epoch_lookup_below)


def _ask(switches: Switches, own: FollowerLog, leader: LeaderLog, steps: list[Step]) -> FollowerLog:
    """Ask for the end of the latest epoch until the answer needs no further question (KIP-101, KIP-279)."""
    log = own
    below, undefined = switches.epoch_lookup_below, switches.epoch_lookup_undefined
    for _ in range(_MOST):
        asked = latest_epoch(log.entries)
        end = end_of_epoch(leader.entries, leader.leo, asked, below, undefined)
        cut = on_epoch_answer(
            end, log.entries, log.leo, log.hw, answer=switches.epoch_answer, below=switches.epoch_lookup_below
        )
        said_epoch = end.epoch if switches.epoch_answer == "epoch-and-offset" else None
        log = _cut(log, cut, steps, asked, None, said_epoch, end.offset)
        if cut.then is not Next.ASK or not cut.needed:
            break
    return log


def _out_of_range(
    switches: Switches, log: FollowerLog, leader: LeaderLog, steps: list[Step], *, unclean_allowed: bool
) -> Walk:
    cut = on_out_of_range(switches.out_of_range, leader.leo, log.leo, unclean_allowed=unclean_allowed)
    if cut is None:
        steps.append(Step(None, log.leo, None, leader.leo, CutReason.LEADER_END, None))
        return Walk(tuple(steps), log.leo, exits=True)
    restart = None if cut.needed else restart_offset(leader.start, log.leo)
    if restart is not None:
        steps.append(Step(None, log.leo, None, restart, CutReason.RESET, restart))
        return Walk(tuple(steps), restart)
    fetched_at = log.leo
    log = _cut(log, cut, steps, None, fetched_at, None, leader.leo)
    return Walk(tuple(steps), log.leo)


def _cut(
    log: FollowerLog,
    cut: Cut,
    steps: list[Step],
    asked_epoch: int | None,
    asked_offset: int | None,
    said_epoch: int | None,
    said_offset: int | None,
) -> FollowerLog:
    """Write the step down, and give the log after it."""
    to = cut.offset if cut.needed else None
    steps.append(Step(asked_epoch, asked_offset, said_epoch, said_offset, cut.reason, to))
    if to is None:
        return log
    return FollowerLog(cut_end(log.entries, to), to, min(log.hw, to))
