"""What of a simulated run is held against the model: its first partition after each message."""

from dataclasses import dataclass, field

import numpy as np

from core.history.running import mixes_formats, releases_of
from core.kafka.eras import Era
from core.sim.engine import Engine
from core.sim.messages.kinds import Message
from core.sim.run import play
from core.sim.script import Scenario
from core.sim.state import GAP, Fetcher, Partition, Replica
from core.trace.ids import BrokerId
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER, CutReason, Election

NOTHING = 0
"""No broker. Brokers are numbered from 1 here, in the order of their ids, as the model numbers them."""


@dataclass(frozen=True, slots=True)
class Held:
    """A replica as its broker has it."""

    log: tuple[tuple[int, int], ...]
    """Number and leader epoch of each record."""
    high_watermark: int
    role: str
    leader: int
    epoch: int
    life: int
    """How often its broker has started."""
    isr: frozenset[int]
    """What it counts as in sync, of a leader."""
    heard: tuple[tuple[int, int], ...]
    """The log end of each follower that has told it one, of a leader."""
    token: int | None
    """The request that it waits for, of a follower."""
    truncating: bool
    """It waits to hear where its log parts from the leader's."""
    fetcher: Fetcher | None = field(compare=False)
    """To tell one fetcher from the next."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A partition after a message was dealt with, or after the script did something (`message` is None)."""

    held: tuple[Held, ...]
    leader: int
    epoch: int
    isr: frozenset[int]
    """What the controller says, as are leader and epoch."""
    message: Message | None = field(compare=False)
    end: int = field(compare=False)
    """How many events the trace had then."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run with its moments."""

    era: Era
    trace: Trace
    moments: tuple[Moment, ...]
    place: dict[int, int]
    """The number of each broker here, by its id."""
    beyond: frozenset[str]
    """What happened in it of which the model knows nothing at all: such a run is not held against it."""


def looked_at(scenario: Scenario, era: Era, seed: int = 1) -> Run:
    """Simulate a scenario, and look at its first partition after each message."""
    watcher = _Watcher()
    trace = play(scenario, era, seed=seed, look=watcher.look).trace
    return Run(era, trace, tuple(watcher.moments), watcher.place, frozenset(watcher.beyond | _beyond(trace)))


def _beyond(trace: Trace) -> set[str]:
    """What the model knows nothing of, and only an event tells."""
    kinds, reasons = trace.columns["kind"], trace.columns["aux"]
    cut = np.isin(kinds, (NUMBER["truncated"], NUMBER["log_reset"]))
    found: set[str] = set()
    if (cut & (reasons == CutReason.RECOVERY)).any():
        found.add("disk-lost")
    if ((kinds == NUMBER["leader_elected"]) & (reasons == Election.UNCLEAN)).any():
        found.add("unclean-election")
    if (kinds == NUMBER["elr_changed"]).any():
        found.add("eligible-leaders")  # KIP-966
    if {*releases_of(trace)} - {trace.facts["release"]}:
        found.add("releases")
    if mixes_formats(trace):
        # Records of the old format name no leader epoch; all of the model's do.
        found.add("formats")
    return found


class _Watcher:
    """Takes down every moment in which something is otherwise than before, or a message came."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.place: dict[int, int] = {}
        self.beyond: set[str] = set()

    def look(self, engine: Engine, message: Message | None) -> None:
        """Take down how things stand now. The script does nothing without an event."""
        end = len(engine.journal.builder)
        if message is None and self.moments and end == self.moments[-1].end:
            return
        partition = engine.partitions[0]
        if not self.place:
            self.place = {broker: number for number, broker in enumerate(sorted(partition.assigned), start=1)}
        self._note_beyond(partition)
        moment = Moment(
            held=tuple(self._held(partition.replicas[BrokerId(one)]) for one in sorted(self.place)),
            leader=self._number(partition.leader),
            epoch=partition.epoch,
            isr=frozenset(map(self._number, partition.isr)),
            message=message,
            end=end,
        )
        if message is not None or not self.moments or moment != self.moments[-1]:
            self.moments.append(moment)

    def _number(self, broker: int) -> int:
        return self.place.get(broker, NOTHING)

    def _held(self, replica: Replica) -> Held:
        leading, fetcher = replica.leading, replica.fetcher
        remotes = {} if leading is None else leading.remotes
        return Held(
            log=tuple(zip(replica.records, replica.epochs, strict=True)),
            high_watermark=replica.hw,
            role=replica.role,
            leader=self._number(replica.leader),
            epoch=replica.leader_epoch,
            life=replica.broker.life,
            isr=frozenset() if leading is None else frozenset(map(self._number, leading.isr)),
            heard=tuple((self._number(one), it.leo) for one, it in remotes.items() if it.leo is not None),
            token=None if fetcher is None else fetcher.token,
            truncating=fetcher is not None and fetcher.truncating,
            fetcher=fetcher,
        )

    def _note_beyond(self, partition: Partition) -> None:
        if set(partition.assigned) != set(self.place) or partition.target:
            self.beyond.add("reassignment")
        for replica in partition.replicas.values():
            if replica.log_start or replica.disk_start:
                self.beyond.add("log-start")
            if GAP in replica.records:
                self.beyond.add("gap")
