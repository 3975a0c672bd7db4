"""The state before the first step: brokers start, partitions get their leaders, records came since."""

from typing import Final

from core.kafka.epochs import Entries
from core.sim.logs import kraft, life, raft, replicas
from core.sim.logs.disk import seqs_of
from core.sim.logs.handlers import QUIET_AT_FIRST, handlers
from core.sim.logs.scribe import Scribe, comma, say
from core.trace.trace import Event

STARTED: Final = -30_000_000_000
"""When the brokers were started, in virtual time: well before the run begins."""
CREATED: Final = -20_000_000_000
"""When the partitions got the leaders that they have as the run begins."""


def begin(scribe: Scribe, beginning: list[Event]) -> None:
    """The state before the first step: the starts of all brokers, the first elections, what came since."""
    trace = scribe.trace
    for index, partition in enumerate(trace.partitions):
        for replica in () if partition.tp.of_quorum else partition.replicas:
            scribe.copy(index, int(replica))
    scribe.silent = True
    for event in beginning:
        handler = QUIET_AT_FIRST.get(event.kind)
        if handler is not None:
            handler(scribe, event)
    scribe.silent, scribe.at = False, STARTED
    epochs = {
        event.values["partition"]: event.values["epoch"]
        for event in beginning
        if event.kind == "leader_elected"
    }
    since = {place: _turn_back(scribe, place, epochs[place[0]]) for place in sorted(scribe.copies)}
    _start_all(scribe)
    scribe.at = scribe.created_at
    for event in beginning:
        if event.kind not in {*QUIET_AT_FIRST, "broker_started"}:
            for handler in handlers(scribe).get(event.kind, ()):
                handler(scribe, event)
    for (partition, broker), (log, hw, entries) in since.items():
        copy = scribe.copy(partition, broker)
        for epoch, offset in entries[len(copy.entries) :]:
            replicas.assign_epoch(scribe, partition, broker, epoch, offset)
        copy.log, copy.hw = log, hw


def _turn_back(
    scribe: Scribe, place: tuple[int, int], epoch: int
) -> tuple[list[tuple[int, int]], int, Entries]:
    """Take from a replica what came in its leader's epoch. Gives log, high watermark and epochs of now."""
    copy = scribe.copies[place]
    now = copy.log, copy.hw, copy.entries
    copy.log = [one for one in copy.log if one[1] < epoch]
    copy.hw = min(copy.hw, copy.leo)
    copy.entries = tuple(one for one in copy.entries if one[0] < epoch)
    return now


def _start_all(scribe: Scribe) -> None:
    """The starts of all brokers, those that are only controllers first."""
    others = [scribe.controller] if scribe.quorum is None else list(scribe.quorum.members)
    for seq in seqs_of(scribe.trace, "controller_elected"):
        if scribe.trace.event(seq).get("broker") is None:
            others.append(others[-1] + 1)
    if scribe.switches.controller == "kraft":
        _start_kraft(scribe, others)
        return
    for broker in others:
        life.start_at_once(scribe, broker)
    life.take_over(scribe)
    for one in scribe.trace.brokers:
        broker = int(one.broker_id)
        life.boot(scribe, broker)
        _load_all(scribe, broker)
        life.register(scribe, broker)
        life.finish(scribe, broker)
        say(
            scribe, scribe.controller, "brokers-changed", added=broker, gone="", live=comma(life.live(scribe))
        )


def _start_kraft(scribe: Scribe, controllers: list[int]) -> None:
    kraft.begin(scribe, controllers)
    if scribe.quorum is not None:
        raft.begin(scribe, scribe.quorum)
    for broker in life.brokers_of(scribe):
        kraft.boot(scribe, broker)
        held = _load_all(scribe, broker)
        say(scribe, broker, "logs-loaded", count=held)
        kraft.register(scribe, broker)
        kraft.unfence(scribe, broker)


def _load_all(scribe: Scribe, broker: int) -> int:
    """Load what the disk holds. Gives how many logs."""
    held = 0
    for (partition, owner), copy in sorted(scribe.copies.items()):
        if owner == broker and copy.leo:
            copy.exists, held = True, held + 1
            life.load(scribe, partition, broker, copy.leo)
    return held
