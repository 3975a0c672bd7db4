"""A scenario as values: what `core.sim.scenario` parses and `core.sim.run` runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from core.sim.script_quorum import ChangeVoter, QuorumPlan, SnapshotMetadata
from core.sim.script_tiers import CleanTier, CopyToTier
from core.trace.ids import BrokerId, LeaderEpoch, Offset
from core.trace.units import MILLISECOND_NS, MINUTE_NS

Texts: TypeAlias = Mapping[str, str]
"""A text by the code of its language; the English one is always there, unless there is none at all."""
Acks: TypeAlias = Literal[0, 1, -1]
"""As Kafka counts: -1 is all."""
ACKS: Final[Mapping[str, Acks]] = {"0": 0, "1": 1, "all": -1}
"""By the word of a script."""
OffsetReset: TypeAlias = Literal["earliest", "latest", "none"]


def in_language(texts: Texts, language: str) -> str:
    """The text of that language, else the English one, else ""."""
    return texts.get(language) or texts.get("en", "")


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that a step waits for. `kind` is a key of `core.sim.conditions.FORMS`."""

    kind: str
    broker: str = ""
    other: str = ""
    number: int | None = None
    text: str = ""
    """As it stands in the script."""
    partition: int = 0


@dataclass(frozen=True, slots=True)
class Produce:
    """A producer sends these records to the leader, one request each, `every_ns` apart."""

    records: tuple[str, ...]
    acks: Acks
    every_ns: int = 0
    partitions: tuple[int, ...] = (0,)
    """In turn, record by record."""
    to: str = ""
    """The broker that the producer takes for the leader; "" is the one that leads."""
    batch: int = 1
    """How many records a request holds: one batch, which stays whole."""
    retries: int = 0
    """How often a request is sent again that failed or was not answered."""
    producer: str = ""
    """The name of an idempotent producer; "" is one without sequence numbers."""
    transaction: str = ""
    """The name of a transactional producer: the records are in its transaction."""


@dataclass(frozen=True, slots=True)
class EndTransaction:
    """A producer commits or aborts its transaction."""

    transaction: str
    aborts: bool


@dataclass(frozen=True, slots=True)
class Consume:
    """Each of these consumers may send `times` more fetches. Only where it polls by step."""

    consumers: tuple[str, ...]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Fetch:
    """Each of these followers may send `times` more fetches. Only where fetching goes by step."""

    brokers: tuple[str, ...]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Pace:
    """From now on these followers fetch freely, or only by step."""

    brokers: tuple[str, ...]
    free: bool


@dataclass(frozen=True, slots=True)
class Crash:
    """The process of a broker is killed. The controller may fail at the same moment.

    The page cache stays, but for `tail_lost` records at the end of each log: then the machine went down.
    """

    broker: str
    controller_fails_over: bool = False
    tail_lost: int = 0
    power_lost: bool = False
    """The machine loses its power: files that were not flushed are what they were before."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A clean stop: controlled shutdown, checkpoints, the session is closed."""

    broker: str


@dataclass(frozen=True, slots=True)
class Elect:
    """The controller makes a live member of the ISR the leader; "" is the preferred one.

    `unclean`: someone asks for any live replica, where no member of the ISR is live.
    """

    broker: str = ""
    partition: int = 0
    unclean: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """What the controller tells these brokers is late from now on."""

    brokers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """What was held back arrives: all of it, or `count` messages; oldest or newest first."""

    brokers: tuple[str, ...]
    count: int | None = None
    newest_first: bool = False


@dataclass(frozen=True, slots=True)
class BrokerPlan:
    """Release, inter.broker.protocol.version, log.message.format.version of a broker; "" is the default."""

    protocol: str = ""
    message_format: str = ""
    release: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """A broker that is down starts. Where fetching goes by step, its fetcher may send one fetch.

    With `disk_replaced` its disks are new: it keeps its id; logs, epoch caches and checkpoints are gone. With
    a plan its release, protocol and format are other ones from now on.
    """

    broker: str
    disk_replaced: bool = False
    plan: BrokerPlan | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """These brokers write their high watermarks to disk now."""

    brokers: tuple[str, ...]


Fault: TypeAlias = Literal[
    "crash", "crash-with-controller", "stop", "elect", "freeze", "cut-from-controller", "hold-controller"
]


@dataclass(frozen=True, slots=True)
class Workload:
    """For some time records are written at random moments, each to one of these partitions."""

    records_per_s: int
    lasts_ns: int
    acks: Acks
    partitions: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Faults:
    """For some time faults happen at random moments, `every_ns` apart in the mean, to one of these brokers.

    Each is over after `down_ns` in the mean; never are more than `most_down` of the brokers down at once.
    """

    kinds: tuple[Fault, ...]
    brokers: tuple[str, ...]
    every_ns: int
    down_ns: int
    lasts_ns: int
    most_down: int = 1


@dataclass(frozen=True, slots=True)
class DeleteRecords:
    """Someone asks the leader to delete what is below an offset; None is the high watermark (KIP-107)."""

    offset: Offset | None = None
    partition: int = 0


@dataclass(frozen=True, slots=True)
class Retain:
    """On these brokers the segments below an offset are old enough to be deleted."""

    brokers: tuple[str, ...]
    offset: Offset
    partition: int = 0


@dataclass(frozen=True, slots=True)
class MoveLog:
    """These brokers move their log to another of their directories (1.1, KIP-113)."""

    brokers: tuple[str, ...]
    partition: int = 0


@dataclass(frozen=True, slots=True)
class Freeze:
    """The processes of these brokers are paused: no timer fires, what is sent to them waits."""

    brokers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thaw:
    """They go on where they stood, with what they knew then."""

    brokers: tuple[str, ...]


CONTROLLER: Final = "controller"
CLIENTS: Final = "clients"


@dataclass(frozen=True, slots=True)
class Disconnect:
    """What is sent one of these ways does not arrive.

    A way is from and to a broker, CONTROLLER or CLIENTS.
    """

    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Heal:
    """These ways work again, at their usual pace."""

    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Slow:
    """A message takes so long on these ways, in ns."""

    ways: tuple[tuple[str, str], ...]
    latency_ns: int


@dataclass(frozen=True, slots=True)
class Reassign:
    """The partition is to be held by these brokers, in this order, and by no other."""

    brokers: tuple[str, ...]
    partition: int = 0


@dataclass(frozen=True, slots=True)
class Configure:
    """Someone sets min.insync.replicas anew, or raises the metadata.version."""

    min_isr: int | None = None
    metadata_version: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is done; time passes."""


Process: TypeAlias = Crash | Stop | Start
Control: TypeAlias = Elect | Hold | Release
World: TypeAlias = (
    DeleteRecords
    | Retain
    | CopyToTier
    | CleanTier
    | MoveLog
    | Freeze
    | Thaw
    | Disconnect
    | Heal
    | Slow
    | Reassign
    | Configure
    | ChangeVoter
    | SnapshotMetadata
)
"""Steps of core/sim/world.py."""
Random: TypeAlias = Workload | Faults
Clients: TypeAlias = Produce | Consume | EndTransaction
Action: TypeAlias = Clients | Fetch | Pace | Process | Checkpoint | Wait | Control | World | Random


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the script. It ends when `until` holds, at the latest after `within_ns`.

    Without `until` it ends when no message is under way. `line` is where it begins in the text.
    """

    number: int
    line: int
    label: Texts
    action: Action
    effect: Texts = field(default_factory=dict[str, str])
    round: str = ""
    """In a block that is repeated which round it is, as it stands behind the label: "#2"."""
    at_ns: int | None = None
    """It begins at this time of the run, not before; None is as soon as the one before is over."""
    until: Condition | None = None
    within_ns: int = MINUTE_NS
    for_ns: int | None = None
    """How long the step lasts, instead of a condition."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of one leader epoch in a log at the start."""

    epoch: LeaderEpoch
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartReplica:
    """A replica's log, high watermark and checkpointed high watermark before the first step."""

    log: tuple[Batch, ...] = ()
    high_watermark: Offset = Offset(0)
    checkpoint: Offset = Offset(0)
    log_start: Offset = Offset(0)
    epochs: tuple[tuple[LeaderEpoch, Offset], ...] | None = None
    """Its leader epoch cache; None is what its log makes of it."""

    @property
    def leo(self) -> int:
        """The log end offset."""
        return self.log_start + sum(len(batch.records) for batch in self.log)


@dataclass(frozen=True, slots=True)
class StartState:
    """The partition before the first step."""

    leader: str
    epoch: LeaderEpoch
    isr: tuple[str, ...]
    replicas: Mapping[str, StartReplica]
    remote: Mapping[str, Offset]
    """The log end of followers as the leader remembers it; unknown where not named."""
    down: Mapping[str, int] = field(default_factory=dict[str, int])
    """The brokers that do not run, and since how long, in ns: their processes had been killed."""
    controller_elected_ns: int | None = None
    """There is no controller, and the next one begins after so long; None is that there is one."""


@dataclass(frozen=True, slots=True)
class ConsumerPlan:
    """A consumer of one partition."""

    name: str
    partition: int = 0
    position: Offset | None = None
    """Where it begins: its committed offset; without one as `reset` says."""
    reset: OffsetReset = "latest"
    """auto.offset.reset: what it does without a valid offset."""
    near: str = ""
    """The broker in its rack, which it reads from where the era allows it; "" is none."""
    committed_only: bool = False
    """isolation.level read_committed: it reads up to the last stable offset, and no aborted records."""
    free: bool = True
    """It polls again as soon as it has its answer; else only when a step lets it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Kafka's settings. None is the default of the era."""

    lag_time_ms: int | None = None
    unclean_election: bool | None = None
    session_timeout_ms: int | None = None
    min_isr: int = 1
    checkpoint_interval_ms: int = 5_000
    fetch_wait_max_ms: int = 500
    fetch_backoff_ms: int = 1_000
    request_timeout_ms: int = 30_000
    fetch_min_bytes: int = 1
    """replica.fetch.min.bytes; each record counts `Limits.record_bytes`."""
    consumer_wait_max_ms: int = 500
    """fetch.max.wait.ms of consumers."""
    retry_backoff_ms: int = 100
    """retry.backoff.ms of clients."""
    transaction_timeout_ms: int = 60_000
    """transaction.timeout.ms of producers."""
    tiered: bool = False
    """remote.storage.enable of the topic, of which releases to 3.5 know nothing."""
    acks: Acks | None = None
    """acks of every producer, whatever its step says; None leaves it to the steps."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The simulated world: how long messages take, how much one fetch carries."""

    latency_ns: int = MILLISECOND_NS
    jitter_ns: int = 0
    records_per_fetch: Mapping[str, int] = field(default_factory=dict[str, int])
    """By broker name; a follower that is not named takes all that there is."""
    record_bytes: int = 1


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario. It knows nothing of eras and runs unchanged in each."""

    id: str
    title: Texts
    story: Texts
    brokers: tuple[str, ...]
    """Names; all hold a replica, the first is preferred."""
    topic: str
    partitions: int
    """Every broker holds a replica of each; the preferred leader is another one each time."""
    free_fetching: bool
    settings: Settings
    limits: Limits
    start: StartState
    start_line: int
    """The line of the text that events before the first step point to."""
    steps: tuple[Step, ...]
    consumers: tuple[ConsumerPlan, ...]
    text: str
    """The script itself."""
    path: str = ""
    replication_factor: int | None = None
    """How many brokers hold each partition; None is all."""
    first_partition: int = 0
    """What the topic calls the first partition; steps count from 0 all the same."""
    ids: tuple[int, ...] = ()
    """The ids of the brokers, in their order; empty is 1, 2, …"""
    quorum: QuorumPlan | None = None
    """The metadata quorum, where it is to be simulated itself."""
    plans: Mapping[str, BrokerPlan] = field(default_factory=dict[str, BrokerPlan])
    """By broker: release, protocol and format at the start, where the era alone does not decide."""
    releases: tuple[str, ...] = ()
    """Every release that the script names, for a broker at the start or in a step."""
    metadata_version: str = ""
    """The metadata.version of the cluster, with KRaft; "" is that of the oldest release at the start."""

    @property
    def has_own_releases(self) -> bool:
        """Whether more than the era decides: a release, protocol, format or metadata.version is named."""
        actions = [step.action for step in self.steps]
        started = any(isinstance(one, Start) and one.plan for one in actions)
        raised = any(isinstance(one, Configure) and one.metadata_version for one in actions)
        return bool(self.plans or self.metadata_version or started or raised)

    def broker_id(self, name: str) -> BrokerId:
        """The id of a broker: the one that the script gives it, else its place in the list, from 1.

        The controllers of the quorum have the ids after the greatest.
        """
        if self.quorum is not None and name in self.quorum.controllers:
            greatest = max(self.ids, default=len(self.brokers))
            return BrokerId(greatest + 1 + self.quorum.controllers.index(name))
        place = self.brokers.index(name)
        return BrokerId(self.ids[place] if self.ids else place + 1)
