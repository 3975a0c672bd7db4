"""`[start]` of a scenario: the state before its first step."""

from collections.abc import Sequence
from typing import Final

from core.message import message
from core.sim.script import Batch, StartReplica, StartState
from core.sim.toml_reader import Reader
from core.trace.ids import LeaderEpoch, Offset
from core.trace.units import MILLISECOND_NS

_MAX_OFFSET: Final = 2**53
_MAX_RECORDS: Final = 1_000_000
_DAY_MS: Final = 86_400_000


def read_start(table: Reader, every: Sequence[str], brokers: Sequence[str]) -> StartState:
    """`[start]` of a scenario with the brokers `every`, of which `brokers` hold the first partition."""
    table.only("leader", "epoch", "isr", "replica", "remote", "down", "controller_elected_ms")
    down = table.table("down")
    down.only(*every)
    replicas: dict[str, StartReplica] = {}
    for replica in table.tables("replica"):
        name = replica.choice("broker", brokers)
        if name in replicas:
            replica.fail(
                "broker", message("error.scenario.replica-twice", name=name), message("allowed.replicas")
            )
        replicas[name] = _start_replica(replica)
    leader = table.choice("leader", brokers, brokers[0])
    isr = table.names("isr", brokers, brokers)
    if leader not in isr:
        table.fail(
            "isr",
            message("error.scenario.leader-outside", name=leader),
            message("allowed.list-with", name=leader),
        )
    remote = table.table("remote")
    remote.only(*(name for name in brokers if name != leader))
    held = replicas.get(leader, StartReplica())
    epochs = [batch.epoch for replica in replicas.values() for batch in replica.log]
    latest = max(epochs, default=0)
    elected = table.maybe_number("controller_elected_ms", most=_DAY_MS)
    return StartState(
        leader=leader,
        epoch=LeaderEpoch(table.number("epoch", latest, least=latest)),
        isr=isr,
        replicas={name: replicas.get(name, StartReplica()) for name in brokers},
        remote={name: Offset(remote.number(name, most=held.leo)) for name in remote.values},
        down={name: down.number(name, most=_DAY_MS) * MILLISECOND_NS for name in down.values},
        controller_elected_ns=None if elected is None else elected * MILLISECOND_NS,
    )


def _start_replica(table: Reader) -> StartReplica:
    table.only("broker", "log", "log_start", "high_watermark", "checkpoint", "epochs")
    log: list[Batch] = []
    log_start = end = table.number("log_start", 0, most=_MAX_OFFSET)
    for batch in table.tables("log"):
        epoch = batch.number("epoch", 0)
        if log and epoch < log[-1].epoch:
            batch.fail(
                "epoch",
                message("error.scenario.epoch-falls", one=epoch, other=log[-1].epoch),
                message("allowed.rising-epochs"),
            )
        log.append(Batch(LeaderEpoch(epoch), _held(batch, end)))
        end += len(log[-1].records)
    hw = table.number("high_watermark", log_start, most=_MAX_OFFSET)
    checkpoint = table.number("checkpoint", hw, most=_MAX_OFFSET)
    for key, value in (("high_watermark", hw), ("checkpoint", checkpoint)):
        if not log_start <= value <= end:
            what = (
                message("error.scenario.above-end", key=key, value=value)
                if value > end
                else message("error.scenario.below-start", key=key, value=value)
            )
            table.fail(key, what, message("allowed.from-to", first=log_start, last=end))
    return StartReplica(tuple(log), Offset(hw), Offset(checkpoint), Offset(log_start), _entries(table, end))


def _entries(table: Reader, end: int) -> tuple[tuple[LeaderEpoch, Offset], ...] | None:
    """The leader epoch cache where the script states it: rising, and not above the end of the log."""
    if "epochs" not in table.values:
        return None
    entries: list[tuple[LeaderEpoch, Offset]] = []
    for one in table.tables("epochs"):
        one.only("epoch", "start")
        entry = LeaderEpoch(one.number("epoch")), Offset(one.number("start", most=end))
        if entries and not (entries[-1][0] < entry[0] and entries[-1][1] <= entry[1]):
            one.fail("epoch", message("error.scenario.entries-fall"), message("allowed.rising-epochs"))
        entries.append(entry)
    return tuple(entries)


def _held(batch: Reader, start: int) -> tuple[str, ...]:
    """The names of a batch's records: listed, or so many, called by their offsets."""
    batch.only("epoch", "records", "count", "name")
    if ("records" in batch.values) == ("count" in batch.values):
        batch.fail("records", message("error.scenario.batch"), message("allowed.records-or-count"))
    if "records" in batch.values:
        return batch.names("records")
    name = batch.text("name", "r")
    count = batch.number("count", least=1, most=_MAX_RECORDS)
    return tuple(f"{name}{offset}" for offset in range(start, start + count))
