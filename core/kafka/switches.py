"""The switches in which eras of Kafka differ: one record, and one table that describes it."""

from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias, get_args

TruncationRule: TypeAlias = Literal["high-watermark", "epoch-request", "fetch-divergence"]
EpochAnswer: TypeAlias = Literal["offset", "epoch-and-offset"]
EpochEntry: TypeAlias = Literal["none", "first-write", "election"]
LookupBelow: TypeAlias = Literal["undefined", "lowest-start"]
CacheCut: TypeAlias = Literal["with-log", "always"]
SameLeader: TypeAlias = Literal["keep", "follow-anew"]
Fencing: TypeAlias = Literal["none", "leader-epoch"]
OutOfRange: TypeAlias = Literal["cut-if-unclean", "cut"]
FetchAnswerHw: TypeAlias = Literal["before", "after"]
HwAfterCut: TypeAlias = Literal["kept", "lowered"]
DivergingAnswerHw: TypeAlias = Literal["applied", "ignored"]
IsrChange: TypeAlias = Literal["zookeeper", "alter-isr"]
IsrLeave: TypeAlias = Literal["time", "time-and-behind"]
IsrJoin: TypeAlias = Literal["high-watermark", "epoch-start"]
ControllerStart: TypeAlias = Literal["keeps-isr", "drops-dead"]
Unclean: TypeAlias = Literal["true", "false"]
LagTime: TypeAlias = Literal["10000", "30000"]
SessionTimeout: TypeAlias = Literal["6000", "18000"]


@dataclass(frozen=True, slots=True)
class Switches:
    """The value of every switch of an era. A field `fetch_answer_hw` is the switch `fetch-answer-hw`."""

    truncation: TruncationRule
    epoch_answer: EpochAnswer
    epoch_entry: EpochEntry
    epoch_lookup_below: LookupBelow
    epoch_cache_cut: CacheCut
    same_leader: SameLeader
    fencing: Fencing
    out_of_range: OutOfRange
    fetch_answer_hw: FetchAnswerHw
    hw_after_cut: HwAfterCut
    diverging_answer_hw: DivergingAnswerHw
    isr_change: IsrChange
    isr_leave: IsrLeave
    isr_join: IsrJoin
    controller_start: ControllerStart
    unclean_election: Unclean
    lag_time_ms: LagTime
    session_timeout_ms: SessionTimeout


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its allowed values, oldest first, and where the newest value comes from."""

    name: str
    values: tuple[str, ...]
    release: str
    """The first release with the last value; "" where a switch is a person's, not an era's."""
    ticket: str
    sentence: str

    @property
    def field(self) -> str:
        """The name of the field of `Switches`."""
        return self.name.replace("-", "_")


SWITCHES: Final[tuple[Switch, ...]] = (
    Switch(
        "truncation",
        get_args(TruncationRule),
        "0.11 (epoch-request), 2.8 (fetch-divergence)",
        "KIP-101, KAFKA-1211; KIP-595, KAFKA-10554",
        "How a new follower finds where to cut its log: its own high watermark, a request for the end of its "
        "last epoch, or the answer to its fetch.",
    ),
    Switch(
        "epoch-answer",
        get_args(EpochAnswer),
        "2.0",
        "KIP-279, KAFKA-6361",
        "What the answer to the epoch request carries: an end offset, or also the epoch that it belongs to.",
    ),
    Switch(
        "epoch-entry",
        get_args(EpochEntry),
        "0.11 (first-write), 2.0.1 (election)",
        "KIP-101; KAFKA-7415",
        "When an entry is put into the leader epoch cache: never, at the first batch of the epoch, or when "
        "the leader is elected.",
    ),
    Switch(
        "epoch-lookup-below",
        get_args(LookupBelow),
        "2.0.1",
        "KAFKA-7415",
        "What a leader answers for an epoch older than all it knows: undefined, or the start of its oldest.",
    ),
    Switch(
        "epoch-cache-cut",
        get_args(CacheCut),
        "2.8",
        "KAFKA-10706",
        "Whether epoch entries at or above a cut go only if the log is cut too, or always.",
    ),
    Switch(
        "same-leader",
        get_args(SameLeader),
        "2.1",
        "KIP-320, KAFKA-7395",
        "What a follower does when the leader epoch changes and the leader does not: go on, or begin to "
        "follow anew.",
    ),
    Switch(
        "fencing",
        get_args(Fencing),
        "2.1",
        "KIP-320, KAFKA-7395",
        "Whether fetches and epoch requests carry the leader epoch, and one that differs is refused.",
    ),
    Switch(
        "out-of-range",
        get_args(OutOfRange),
        "2.0.1",
        "KAFKA-7414",
        "A fetch beyond the leader's log end: cut to it only if unclean elections are allowed, else the "
        "broker exits; or cut in any case.",
    ),
    Switch(
        "fetch-answer-hw",
        get_args(FetchAnswerHw),
        "",
        "",
        "Whether an answer carries the high watermark from before or after the update by its own fetch. "
        "Kafka: before. The articles: after.",
    ),
    Switch(
        "hw-after-cut",
        get_args(HwAfterCut),
        "2.4",
        "apache/kafka PR 7055",
        "Whether a cut below the high watermark leaves it as it is in memory, or lowers it to the cut.",
    ),
    Switch(
        "diverging-answer-hw",
        get_args(DivergingAnswerHw),
        "3.5",
        "KAFKA-14704",
        "Whether a follower takes over the high watermark of an answer that tells it to cut, before it cuts.",
    ),
    Switch(
        "isr-change",
        get_args(IsrChange),
        "2.7",
        "KIP-497",
        "How a leader changes the in-sync set: it writes to ZooKeeper, or it asks the controller and counts "
        "the larger set until the answer comes.",
    ),
    Switch(
        "isr-leave",
        get_args(IsrLeave),
        "2.1",
        "KAFKA-7152",
        "A follower leaves the in-sync set when it was not caught up for the lag time; or only if its log "
        "end also differs from the leader's.",
    ),
    Switch(
        "isr-join",
        get_args(IsrJoin),
        "2.0.1",
        "KAFKA-7128",
        "A follower joins the in-sync set at the high watermark, or only if it also reached the start of the "
        "leader's epoch.",
    ),
    Switch(
        "controller-start",
        get_args(ControllerStart),
        "2.3",
        "KAFKA-3143",
        "Whether a new controller leaves brokers that died before its election in the in-sync set, or takes "
        "them out.",
    ),
    Switch(
        "unclean-election",
        get_args(Unclean),
        "0.11",
        "KIP-106, KAFKA-4623",
        "The default of unclean.leader.election.enable; a scenario may set it.",
    ),
    Switch(
        "lag-time-ms",
        get_args(LagTime),
        "2.5",
        "KIP-537, KAFKA-9102",
        "The default of replica.lag.time.max.ms; a scenario may set it.",
    ),
    Switch(
        "session-timeout-ms",
        get_args(SessionTimeout),
        "2.5",
        "KIP-537, KAFKA-9102",
        "The default of zookeeper.session.timeout.ms; a scenario may set it.",
    ),
)

SWITCH: Final[dict[str, Switch]] = {switch.name: switch for switch in SWITCHES}


def changed(old: Switches, new: Switches) -> tuple[tuple[str, str], ...]:
    """(switch, new value) for each switch that differs, in the order of the table."""
    return tuple(
        (field.name.replace("_", "-"), getattr(new, field.name))
        for field in fields(Switches)
        if getattr(old, field.name) != getattr(new, field.name)
    )
