"""What is known while a run is written down: replicas, the controller, the lines so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.kafka.epochs import Entries
from core.kafka.switches import Switches
from core.sim.logs.metadata import MetadataLog
from core.sim.logs.names import topic_id
from core.sim.logs.producers import Writer
from core.sim.logs.protocols import Spoken, spoken_at
from core.sim.logs.quorum_book import QuorumBook
from core.sim.logs.stamps import stamped
from core.sim.logs.wording import numbers
from core.trace.trace import Trace

NOBODY: Final = -1


@dataclass(slots=True)
class Copy:
    """A replica: what its disk holds, and what its broker has printed of it in this life."""

    log: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """(number of the record, leader epoch) from the log start on."""
    old: set[int] = field(default_factory=set[int])
    """The offsets of records in a message format before 0.11."""
    log_start: int = 0
    disk_start: int = 0
    """Where the segment on the disk begins, if above the log start: below lies the remote tier (KIP-405)."""
    hw: int = 0
    checkpointed: int = 0
    flushed: int = 0
    entries: Entries = ()
    role: str = ""
    leader: int = NOBODY
    leader_epoch: int = -1
    isr: tuple[int, ...] = ()
    version: int = 0
    """As a leader: the in-sync set and the partition epoch that it knows."""
    fetching: bool = False
    exists: bool = False
    """Its directory is there."""
    announced: bool = False
    """Its loading was printed: that happens when the broker is told of the partition."""
    knows_others: bool = False
    """The objects of the other replicas were made (to 2.3)."""
    lowered: tuple[int, int] | None = None
    """The high watermark before and after a cut that is about to be printed."""
    remote: dict[int, int] = field(default_factory=dict[int, int])
    """As a leader: the log end of each follower as far as it was told."""

    @property
    def leo(self) -> int:
        """The log end offset."""
        return self.log_start + len(self.log)

    @property
    def first_on_disk(self) -> int:
        """The first offset that the disk holds."""
        return max(self.log_start, self.disk_start)

    def drop_from(self, end: int) -> None:
        """Forget what is at `end` and above."""
        del self.log[end - self.log_start :]
        self.old = {offset for offset in self.old if offset < end}


@dataclass(slots=True)
class Control:
    """A partition as the controller holds it."""

    leader: int = NOBODY
    epoch: int = 0
    isr: tuple[int, ...] = ()
    version: int = 0
    recovering: bool = False
    """Its leader was elected uncleanly, and has not said since that it has recovered (KRaft)."""
    decided_at: int = 0
    """When it was decided, in virtual time."""


@dataclass(slots=True)
class Life:
    """A broker's process."""

    up: bool = False
    starts: int = 0
    clean: bool = False
    """Its last stop was a clean one."""
    gone_at: int | None = None
    """When it ended, if it is not up."""
    restarting: bool = False
    """It is between its first line and `started`."""


@dataclass(slots=True)
class Scribe:
    """Everything while a run is written down. It is changed by the functions of this folder."""

    trace: Trace
    own: Spoken
    """What controllers run by, and every broker that the era alone decides."""
    settings: Mapping[str, str]
    origin: int
    """Nanoseconds UTC at which the run began."""
    controller: int
    created_at: int
    """When the partitions were created, in virtual time."""
    writers: Mapping[int, Writer] = field(default_factory=dict[int, Writer])
    """The producers of the records of transactions, by the number of the record."""
    quorum: QuorumBook | None = None
    """The metadata quorum, where it is simulated itself."""
    spoken: Mapping[int, tuple[tuple[int, Spoken], ...]] = field(
        default_factory=dict[int, tuple[tuple[int, Spoken], ...]]
    )
    """By broker what it runs by, each from a time on, where it is not what the era alone decides."""
    tier: dict[tuple[int, int, int], Entries] = field(default_factory=dict[tuple[int, int, int], Entries])
    """The leader epochs of each segment that was copied to the remote tier, by partition, start and end."""
    raises: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """When someone raises the metadata.version, and to which: what is still to come."""
    moves: bool = False
    """A log moves within its broker: each broker has two directories."""
    silent: bool = False
    """Nothing is printed."""
    controller_epoch: int = 1
    metadata: MetadataLog | None = None
    """In KRaft: what the controllers have written, the partitions and topics in it, what brokers applied."""
    known: set[int] = field(default_factory=set[int])
    topics: set[str] = field(default_factory=set[str])
    applied: dict[tuple[int, int], tuple[tuple[int, ...], int]] = field(
        default_factory=dict[tuple[int, int], tuple[tuple[int, ...], int]]
    )
    """By (partition, broker): in-sync set and partition epoch."""
    at: int = 0
    lives: dict[int, Life] = field(default_factory=dict[int, Life])
    copies: dict[tuple[int, int], Copy] = field(default_factory=dict[tuple[int, int], Copy])
    """By (partition, broker)."""
    controls: dict[int, Control] = field(default_factory=dict[int, Control])
    aside: set[tuple[int, object]] = field(default_factory=set[tuple[int, object]])
    """(broker, partition by name): the logs that lie in the second directory of their broker (KIP-113)."""
    correlations: dict[int, int] = field(default_factory=dict[int, int])
    """How many requests the controller has sent to a broker."""
    requests: dict[tuple[int, int], Mapping[str, Any]] = field(
        default_factory=dict[tuple[int, int], Mapping[str, Any]]
    )
    """By (partition, broker): the request of the controller that the broker is carrying out, in words."""
    written: dict[tuple[int, str], list[tuple[int, str]]] = field(
        default_factory=dict[tuple[int, str], list[tuple[int, str]]]
    )
    """(time, text) by broker and file, in the order in which they were found."""

    @property
    def release(self) -> str:
        """The release of the controllers."""
        return self.own.release

    @property
    def switches(self) -> Switches:
        """The rules of the era."""
        return self.own.switches

    def runs_by(self, broker: int) -> Spoken:
        """What a broker runs by now."""
        lives = self.spoken.get(broker)
        return self.own if lives is None else spoken_at(lives, self.at)

    def release_of(self, broker: int) -> tuple[int, ...]:
        """The numbers of the release that a broker runs now."""
        return numbers(self.runs_by(broker).release)

    def copy(self, partition: int, broker: int) -> Copy:
        """The replica of a partition on a broker."""
        return self.copies.setdefault((partition, broker), Copy())

    def life(self, broker: int) -> Life:
        """The process of a broker."""
        return self.lives.setdefault(broker, Life())

    def control(self, partition: int) -> Control:
        """What the controller holds of a partition."""
        return self.controls.setdefault(partition, Control())


def comma(ids: tuple[int, ...], between: str = ",") -> str:
    """Broker ids as Kafka lists them."""
    return between.join(str(one) for one in ids)


def directory(broker: int, *, second: bool = False) -> str:
    """A data directory as the broker's own lines name it."""
    return f"/var/lib/kafka{'-2' if second else ''}/broker-{broker}"


def port(broker: int) -> int:
    """The port at which a broker listens."""
    return 19091 + broker


def about(scribe: Scribe, partition: int) -> dict[str, Any]:
    """How lines name a partition."""
    tp = scribe.trace.partitions[partition].tp
    replicas = tuple(int(one) for one in scribe.trace.partitions[partition].replicas)
    return {
        "tp": str(tp),
        "btp": f"[{tp.topic},{tp.partition}]",
        "topic": tp.topic,
        "topic_id": topic_id(tp.topic),
        "number": tp.partition,
        "replicas": comma(replicas),
        "replica_list": comma(replicas, ", "),
        "factor": len(replicas),
    }


def setting(scribe: Scribe, broker: int, name: str) -> str:
    """The value of a setting that a broker has now; "" where it has none."""
    return scribe.runs_by(broker).settings.get(name) or scribe.settings.get(name, "")


def say(scribe: Scribe, broker: int, name: str, /, **said: object) -> None:
    """Print a line into a file of the broker now, if the release has it."""
    say_at(scribe, scribe.at, broker, name, **said)


def say_at(scribe: Scribe, at: int, broker: int, name: str, /, **said: object) -> None:
    """The same at another moment of virtual time."""
    mine = scribe.runs_by(broker)
    line = mine.lines.get(name)
    if line is None or scribe.silent:
        return
    words: dict[str, Any] = {
        "broker": broker,
        "message_version": mine.message_version,
        "dir": directory(broker, second=(broker, said.get("tp")) in scribe.aside),
        "port": port(broker),
        "release": mine.release,
        "controller": scribe.controller,
        "controller_epoch": scribe.controller_epoch,
        "quorum": "QuorumController id=" if numbers(mine.release) >= (3, 5) else "Controller ",
    }
    words.update(said)
    if "leader" in words:
        words["leader_port"] = port(int(words["leader"]))
    text = line.text.format(**words)
    head = f"[{stamped(scribe.origin + at)}] {line.level} {text} ({line.logger})\n"
    rows = scribe.written.setdefault((broker, line.file), [])
    rows.append((at, head + line.tail.format(**words)))
