"""From rows to findings about leaders that led on after the next election, and followers left behind."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from core.assumptions import EPOCH_STORM_LASTS, EXIT_TAKES_AT_MOST, STALE_LEADER_LASTS
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import threshold_of
from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.findings_evidence import log_not_cut
from core.diagnose.verdict.made import made, number_value, who
from core.history.own_lines import is_own_line
from core.history.state import Role
from core.history.tenures import Tenure
from core.history.view import Row
from core.message import Count, Duration, message
from core.trace.vocabulary import StopReason

_ACTS: Final = frozenset(
    {
        "appended",
        "produced",
        "acknowledged",
        "isr_shrink_proposed",
        "isr_expand_proposed",
        "isr_update_rejected",
        "broker_thawed",
    }
)
"""What a broker prints while it acts as a leader, so that it surely ran."""
_ROUNDS: Final = frozenset({"epoch_end_answered", "fetch_diverged", "truncation_decided", "truncation_noop"})
_GROWS: Final = frozenset(
    {"appended", "tier_joined", "became_leader", "broker_starting", "log_reset", "truncated"}
)
_OUT: Final = frozenset({"fetch_failed", "fetch_offset_reset", "log_reset"})
_MOVES: Final = frozenset({"log_moved"})
_EXITS: Final = frozenset({"broker_exited"})
_ISR_ENDS: Final = frozenset(
    {"isr_update_rejected", "isr_committed", "became_leader", "became_follower", "broker_starting"}
)
"""A refused change of the in-sync set, and what shows that its leader learned the newer state."""


def zombies(case: Case) -> Iterable[Finding]:
    """A broker that acts as leader of an epoch while a later one has another leader."""
    found: set[tuple[int, int]] = set()
    for row in case.view.rows.of(_ACTS):
        one = row.replica if row.replica is not None else row.broker
        if one is None or one not in case.roles or row.disk:
            continue
        place, own = row.number + 1, case.roles[one]
        epoch, later = own.epoch_at[place], case.control.epoch_at[place]
        leader = case.control.leader_at[place]
        if own.role_at[place] is not Role.LEADER or epoch is None or later is None or later <= epoch:
            continue
        number = case.control.tenure_number(later)
        if leader is None or leader in (-1, one) or number is None or (one, epoch) in found:
            continue
        found.add((one, epoch))
        taken, since = _taken_over(case, number, later, epoch)
        began = case.view.rows[taken.place - 1]
        yield made(
            case,
            "zombie-leader",
            row,
            (one,),
            message(
                "finding.zombie-leader",
                who=who(case, one),
                epoch=epoch,
                time=Duration(row.at - began.at),
                other=who(case, leader),
                later=since,
            ),
            evidence=(began.seq,),
        )


def _taken_over(case: Case, number: int, epoch: int, after: int) -> tuple[Tenure, int]:
    """The tenure, and its epoch, with which the leader of a tenure began to lead: it may lead on since."""
    tenures = case.control.tenures
    while number and tenures[number - 1].leader == tenures[number].leader:
        earlier = tenures[number - 1].epoch
        if earlier is None or earlier <= after:
            break
        number, epoch = number - 1, earlier
    return tenures[number], epoch


def stale_leaders(case: Case) -> Iterable[Finding]:
    """A leader whose changes of the in-sync set are refused again and again (KAFKA-2729).

    It holds an older version of the partition's state than the controller, and does not learn the newer one.
    """
    refused: dict[int, list[Row]] = {}
    ended: list[list[Row]] = []
    for row in case.view.rows.of(_ISR_ENDS):
        one = row.broker
        if row.partition == case.view.partition and row.kind == "isr_update_rejected" and one is not None:
            refused.setdefault(one, []).append(row)
        elif one in refused and (row.partition == case.view.partition or row.kind == "broker_starting"):
            ended.append(refused.pop(one))
    for rows in (*ended, *refused.values()):
        lasted_ns = rows[-1].at - rows[0].at
        many = len(rows) >= threshold_of("stale-leader") and lasted_ns >= STALE_LEADER_LASTS.ns
        if many and rows[0].broker is not None:
            yield made(
                case,
                "stale-leader",
                rows[0],
                (rows[0].broker,),
                message(
                    "finding.stale-leader",
                    who=who(case, rows[0].broker),
                    count=Count(len(rows)),
                    time=Duration(lasted_ns),
                ),
                end=rows[-1].at,
                evidence=tuple(row.seq for row in rows[:4]),
            )


def epoch_storms(case: Case) -> Iterable[Finding]:
    """Many leader epochs in a short time."""
    tenures = [tenure for tenure in case.control.tenures if tenure.epoch is not None]
    wanted, place = threshold_of("epoch-storm"), 0
    while place + wanted < len(tenures):
        rows = [case.view.rows[tenure.place - 1] for tenure in tenures[place:]]
        count = sum(row.at - rows[0].at <= EPOCH_STORM_LASTS.ns for row in rows)
        if count > wanted:
            last = rows[count - 1]
            yield made(
                case,
                "epoch-storm",
                rows[0],
                (),
                message(
                    "finding.epoch-storm",
                    first=number_value(tenures[place].epoch),
                    last=number_value(tenures[place + count - 1].epoch),
                    time=Duration(last.at - rows[0].at),
                ),
                end=last.at,
                evidence=(last.seq,),
            )
            place += count
        else:
            place += 1


def stuck_followers(case: Case) -> Iterable[Finding]:
    """KAFKA-10706: the leader's answer leads to a cut that removes nothing, again and again."""
    streaks: dict[tuple[int, str, int], list[Row]] = defaultdict(list)
    for row in case.of(_GROWS | _ROUNDS):
        if row.replica is None:
            continue
        if row.kind in _GROWS:
            yield from _streaks_of(case, streaks, row.replica)
        elif row.offset is not None:
            streaks[row.replica, row.kind, row.offset].append(row)
    for broker in case.roles:
        yield from _streaks_of(case, streaks, broker)


def _streaks_of(case: Case, streaks: dict[tuple[int, str, int], list[Row]], broker: int) -> Iterable[Finding]:
    """The longest of a replica's streaks, if it is long enough; all of them end."""
    mine = [key for key in streaks if key[0] == broker]
    none: list[Row] = []
    rows = max((streaks[key] for key in mine), key=len, default=none)
    for key in mine:
        del streaks[key]
    if len(rows) >= threshold_of("follower-stuck"):
        yield made(
            case,
            "follower-stuck",
            rows[0],
            (broker,),
            message(
                "finding.follower-stuck",
                who=who(case, broker),
                offset=number_value(rows[0].offset),
                count=Count(len(rows)),
                time=Duration(rows[-1].at - rows[0].at),
            ),
            end=rows[-1].at,
            evidence=tuple(row.seq for row in rows[:4]),
        )


def out_of_range_loops(case: Case) -> Iterable[Finding]:
    """The same follower, the same offset, out of range again and again (KAFKA-15608, KAFKA-20961)."""
    streaks: dict[int, list[Row]] = {}
    found: list[list[Row]] = []
    for row in case.of(_OUT):
        failed = row.kind == "fetch_failed"
        if row.replica is None or (failed and row.aux != StopReason.OFFSET_OUT_OF_RANGE):
            continue
        streak = streaks.get(row.replica, [])
        if streak and (streak[0].kind, _at(streak[0])) == (row.kind, _at(row)):
            streak.append(row)
        elif not failed or not streak or _at(streak[0]) != _at(row):
            streaks[row.replica] = [row]
            found.append(streaks[row.replica])
    for streak in found:
        if len(streak) >= threshold_of("out-of-range-loop") and streak[0].replica is not None:
            yield _loop(case, streak, streak[0].replica)


def _loop(case: Case, streak: list[Row], broker: int) -> Finding:
    """One loop. Where the leader's log had moved to another directory before, that is said too."""
    first, last = streak[0], streak[-1]
    told, offset = who(case, broker), number_value(_at(first))
    count, time = Count(len(streak)), Duration(last.at - first.at)
    moves = [row for row in case.of(_MOVES) if row.replica == first.leader and row.number < last.number]
    evidence = tuple(row.seq for row in (*moves[-1:], *streak[:4]))
    sentence = message("finding.out-of-range-loop", who=told, offset=offset, count=count, time=time)
    if moves and first.leader is not None:
        leader = who(case, first.leader)
        sentence = message(
            "finding.out-of-range-loop.moved", who=told, offset=offset, count=count, time=time, leader=leader
        )
    return made(case, "out-of-range-loop", first, (broker,), sentence, end=last.at, evidence=evidence)


def _at(row: Row) -> int | None:
    """The offset at which a fetch was out of range."""
    return row.from_offset if row.from_offset is not None else row.offset


def refusals(case: Case) -> Iterable[Finding]:
    """A broker that may not cut (to 2.0.0): it exits, or hangs on its way out (seen in 0.10.2.2)."""
    for row in case.view.rows.of(_EXITS):
        if row.replica is None or row.replica not in case.roles:
            continue
        tp = case.history.trace.partitions[case.view.partition].tp
        if not case.view.exact and log_not_cut(case.history.trace, row.seq) not in (tp.topic, str(tp)):
            continue
        last, broker = _last_line_before_exit(case, row), who(case, row.replica)
        if last is None:
            sentence = message("finding.refused-to-truncate.exited", who=broker)
            yield made(case, "refused-to-truncate", row, (row.replica,), sentence)
        else:
            sentence = message(
                "finding.refused-to-truncate.hangs", who=broker, time=Duration(last.at - row.at)
            )
            yield made(case, "refused-to-truncate", row, (row.replica,), sentence, evidence=(last.seq,))


def _last_line_before_exit(case: Case, exit_: Row) -> Row | None:
    """The last row of a process that was about to exit, and never stated that it did; or None."""
    last: Row | None = None
    rows = case.view.rows
    for row in (rows[number] for number in range(exit_.number + 1, len(rows))):
        if row.replica == exit_.replica and row.kind in ("broker_stopped", "broker_starting"):
            return None if row.kind == "broker_stopped" else last
        if (
            exit_.replica is not None
            and is_own_line(row, exit_.replica)
            and row.at > exit_.at + EXIT_TAKES_AT_MOST.ns
        ):
            last = row
    return last
