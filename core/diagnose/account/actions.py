"""From losses to what to do: by the releases and settings that the evidence names, by rules of core/kafka.

A release is advised only where every era from it on has the rule that prevents the cause. Of a simulated run
no other script of its shape is asked: its own is run by `explain` and by the switchboard.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, LiteralString

from core.diagnose.account.incident import Apart, PartitionLoss
from core.diagnose.account.replayed import later_releases_lose, replayed
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding, Loss
from core.history.gaps_by_files import lost_ends, times_of, torn_tails
from core.history.running import oldest_stated, releases_of
from core.kafka.eras import ERAS
from core.kafka.protocols import FORMAT, PROTOCOL
from core.kafka.releases import version_numbers
from core.kafka.switches import Switches
from core.message import Count, Listing, Message, Names, Value, message
from core.trace.broker_names import brokers_value
from core.trace.settings import UNKNOWN_THEN, of_broker, own_at, own_over_time, stated_at
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NUMBER


@dataclass(frozen=True, slots=True)
class _Upgrade:
    """A cause that a rule of later releases prevents.

    `prevents` says of the switches of an era whether it has the rule; `settings` must be at the release, too.
    """

    prevents: Callable[[Switches], bool]
    upgrade: LiteralString
    settings: tuple[str, ...] = (PROTOCOL,)


_EMPTIED: Final = "stale-isr with a disk that lacked records"
"""Of the causes of a member without committed records the one that KIP-903 is about."""
_UPGRADES: Final[Mapping[str, _Upgrade]] = {
    "high-watermark-truncation": _Upgrade(
        lambda one: one.truncation != "high-watermark",
        "incident.do.upgrade.high-watermark-truncation",
        (PROTOCOL, FORMAT),
    ),
    "unknown-epoch": _Upgrade(lambda one: one.epoch_entry == "election", "incident.do.upgrade.unknown-epoch"),
    "stale-isr": _Upgrade(lambda one: one.isr_join == "epoch-start", "incident.do.upgrade.stale-isr", ()),
    _EMPTIED: _Upgrade(
        lambda one: one.isr_eligible == "same-broker-epoch", "incident.do.upgrade.emptied-disk", ()
    ),
    "stale-leader": _Upgrade(lambda one: one.fencing == "leader-epoch", "incident.do.upgrade.stale-leader"),
    "divergence": _Upgrade(
        lambda one: one.epoch_answer == "epoch-and-offset" and one.fencing == "leader-epoch",
        "incident.do.upgrade.divergence",
    ),
    "disk-loss": _Upgrade(lambda one: one.eligible_leaders == "on", "incident.do.upgrade.disk-loss", ()),
}
_STARTING: Final = NUMBER["broker_starting"]
_NAMED: Final = 6
"""Partitions named in one advice; the losses have all."""
_UNCLEAN: Final = "unclean.leader.election.enable"


def actions(
    trace: Trace,
    losses: Sequence[Loss],
    by_partition: Sequence[PartitionLoss],
    apart: Sequence[Apart],
    findings: Sequence[Finding],
) -> tuple[Message, ...]:
    """What to do: first what saves records, then what would have prevented each cause, each once."""
    found = [*_save(trace, by_partition, losses), *_repair(trace, apart)]
    for cause in dict.fromkeys(one.cause for one in by_partition):
        mine = [one for one in by_partition if one.cause == cause]
        shorter = [one for one in mine if cause == "stale-isr" and _led_after_a_power_loss(trace, one)]
        if shorter:
            found.append(_after_a_power_loss(trace, shorter))
            mine = [one for one in mine if one not in shorter]
        if not mine:
            continue
        rule = _EMPTIED if cause == "stale-isr" and _had_lost_its_end(mine[0]) else cause
        told = _unclean(trace, mine) if rule == "unclean-election" else _prevents(trace, rule, mine[0].at)
        if trace.origin == Origin.SIMULATED:
            found += told
            continue
        found += (
            one
            for one in told
            if one.id != "incident.do.upgrade-from" or not later_releases_lose(trace, mine)
        )
        found.append(replayed(trace, mine))
    if apart and not by_partition:
        found += _prevents(trace, "divergence", None)
    if not by_partition and not apart:
        found += [CHECK[one.check].advice for one in findings]
    return tuple(dict.fromkeys(found))


def _had_lost_its_end(one: PartitionLoss) -> bool:
    """Whether the log of the elected replica had come back shorter from its disk."""
    mine = one.cut is not None and one.election is not None and one.cut.broker == one.election.leader
    return mine and one.cut is not None and one.cut.rule == "recovery"


def _led_after_a_power_loss(trace: Trace, one: PartitionLoss) -> bool:
    """Whether the elected replica is of a broker that had come back with a log without its end."""
    elected = one.election
    if elected is None:
        return False
    broker, until = elected.leader, elected.start
    columns = trace.columns
    starts = columns["at"][(columns["kind"] == _STARTING) & (columns["broker"] == broker)]
    last = max(starts[starts <= until].tolist(), default=0)
    times = (*times_of(trace, torn_tails(broker)), *times_of(trace, lost_ends(broker)))
    return any(last <= at <= until for at in times)


def _after_a_power_loss(trace: Trace, losses: Sequence[PartitionLoss]) -> Message:
    """With eligible leader replicas the controller takes who ended uncleanly out of the in-sync set.

    ReplicationControlManager.handleBrokerUncleanShutdown (KIP-966). No rule on how a replica joins the set
    (KAFKA-7128, KIP-903) keeps a member that lost its end from leading.
    """
    brokers = sorted({one.election.leader for one in losses if one.election is not None})
    since = _since(lambda one: one.eligible_leaders == "on")
    return message("incident.do.lost-end", who=brokers_value(trace, brokers), since=since)


def _save(trace: Trace, by_partition: Sequence[PartitionLoss], losses: Sequence[Loss]) -> Iterable[Message]:
    """Which copies of lost records are left, and may be cut."""
    left = {broker for loss in losses for broker in loss.survives_on}
    for broker in sorted(left):
        mine = [one.partition for one in by_partition if _still_on(one, broker)]
        if mine:
            who = brokers_value(trace, (broker,))
            yield message("incident.do.save", who=who, where=_names(trace, mine))


def _still_on(one: PartitionLoss, broker: int) -> bool:
    """Whether a broker holds some of the records at the end."""
    return any(broker in found.left_on for found in one.ranges)


def _repair(trace: Trace, apart: Sequence[Apart]) -> Iterable[Message]:
    """What to do about logs that differ, by pair of replicas."""
    pairs: dict[tuple[int, int], list[int]] = {}
    for one in apart:
        pairs.setdefault(one.divergence.brokers, []).append(one.partition)
    for pair, mine in pairs.items():
        who = brokers_value(trace, pair)
        yield message("incident.do.apart", where=_names(trace, mine), who=who)


def _names(trace: Trace, partitions: Sequence[int]) -> Value:
    """Partitions by name; of many the first ones, and how many more."""
    names = [str(trace.partitions[one].tp) for one in dict.fromkeys(partitions)]
    if len(names) <= _NAMED:
        return Listing(tuple(names))
    named, more = Listing(tuple(names[:_NAMED])), Count(len(names) - _NAMED)
    return message("incident.and-more", named=named, count=more)


def _prevents(trace: Trace, cause: str, at: int | None) -> Iterable[Message]:
    """The release or the setting that prevents a cause, to brokers as they ran at a time in ns."""
    if cause == "last-copy-gone":
        yield message("incident.do.old-disk")
    elif cause in ("not-replicated", "late-write"):
        yield message("incident.do.acks-all")
    elif cause in _UPGRADES:
        yield _upgrade(trace, _UPGRADES[cause], at)


def _upgrade(trace: Trace, one: _Upgrade, at: int | None) -> Message:
    """To upgrade, or to raise the settings by which a release does without its rule."""
    since = _since(one.prevents)
    why = message(one.upgrade, since=since)
    own = releases_of(trace, at)
    if not own and "release" in trace.facts:
        own = (trace.facts["release"],)
    if not own:
        return why
    running = Listing(own)
    if version_numbers(own[0]) < version_numbers(since):
        return message("incident.do.upgrade-from", own=running, why=why)
    lower = [name for name in one.settings if _is_lower(trace, name, since, at)]
    if lower:
        return message("incident.do.raise", settings=Names(tuple(lower)), since=since, own=running)
    return message("incident.do.rule-held", own=running, why=why)


def _is_lower(trace: Trace, setting: str, release: str, at: int | None) -> bool:
    """Whether some broker states a setting of an older release, at a time in ns."""
    stated = oldest_stated(trace, setting, at)
    return bool(stated) and version_numbers(stated) < version_numbers(release)


def _since(prevents: Callable[[Switches], bool]) -> str:
    """The first era from which on every era has a rule."""
    since = ERAS[-1]
    for era in reversed(ERAS):
        if not prevents(era.switches):
            break
        since = era
    return since.id


def _unclean(trace: Trace, losses: Sequence[PartitionLoss]) -> Iterable[Message]:
    """What to do about unclean elections, by the settings at the election and at the end of the logs."""
    groups: dict[LiteralString, list[str]] = {}
    topics: dict[str, list[int | None]] = {}
    for one in losses:
        elected = one.at if one.election is None else one.election.start
        topics.setdefault(trace.partitions[one.partition].tp.topic, []).append(elected)
    for topic, elections in sorted(topics.items()):
        for told in _unclean_of(trace, topic, elections):
            groups.setdefault(told, []).append(topic)
    for told, mine in groups.items():
        yield message(told, topics=Listing(tuple(mine)))


def _unclean_of(trace: Trace, topic: str, elections: Sequence[int | None]) -> Sequence[LiteralString]:
    """What is to be said of one topic, by the times of its elections in ns."""
    then = {value for at in elections for value in own_at(trace, topic, _UNCLEAN, at)}
    of_brokers = {
        value
        for broker in trace.brokers
        for at in elections
        for value in stated_at(trace, of_broker(int(broker.broker_id), _UNCLEAN), at)
    }
    last = own_over_time(trace, topic, _UNCLEAN)[-1][1]
    if len(then) > 1 or UNKNOWN_THEN in then:
        return ("incident.do.unclean.changed",)
    if then == {"true"}:
        return ("incident.do.unclean.topic" if last == "true" else "incident.do.unclean.since",)
    if then == {"false"} or (of_brokers and "true" not in of_brokers):
        return (
            ("incident.do.unclean.forbidden", "incident.do.unclean.topic")
            if last == "true"
            else ("incident.do.unclean.forbidden",)
        )
    return ("incident.do.unclean.brokers" if of_brokers else "incident.do.unclean.unknown",)
