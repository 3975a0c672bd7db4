"""The switches in which eras of Kafka differ: one record, and one table that describes it."""

from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias, get_args

TruncationRule: TypeAlias = Literal["leader-end", "high-watermark", "epoch-request", "fetch-divergence"]
EpochAnswer: TypeAlias = Literal["offset", "epoch-and-offset"]
EpochEntry: TypeAlias = Literal["none", "first-write", "election"]
LookupBelow: TypeAlias = Literal["undefined", "lowest-start"]
LookupUndefined: TypeAlias = Literal["log-end", "undefined"]
EpochConflict: TypeAlias = Literal["ignored", "replaces"]
CacheCut: TypeAlias = Literal["with-log", "always"]
SameLeader: TypeAlias = Literal["keep", "follow-after-gap", "follow-anew"]
Fencing: TypeAlias = Literal["none", "leader-epoch"]
OutOfRange: TypeAlias = Literal["cut-if-unclean", "cut"]
LogStart: TypeAlias = Literal["own", "leader"]
FetchAnswerHw: TypeAlias = Literal["before", "after"]
HwSending: TypeAlias = Literal["with-data", "when-behind"]
HwAfterCut: TypeAlias = Literal["kept", "lowered"]
DivergingAnswerHw: TypeAlias = Literal["applied", "ignored"]
DivergingFetchLeo: TypeAlias = Literal["recorded", "ignored"]
HwBelowMinIsr: TypeAlias = Literal["moves", "stands"]
HwCounts: TypeAlias = Literal["isr", "caught-up-too", "eligible-too"]
IsrChange: TypeAlias = Literal["zookeeper", "alter-isr"]
IsrLeave: TypeAlias = Literal["time", "time-and-behind"]
IsrJoin: TypeAlias = Literal["high-watermark", "epoch-start"]
IsrEligible: TypeAlias = Literal["any", "not-fenced", "same-broker-epoch"]
EpochOnShrink: TypeAlias = Literal["bumped", "kept"]
ControllerKind: TypeAlias = Literal["zookeeper", "kraft"]
ControllerStart: TypeAlias = Literal["keeps-isr", "drops-dead"]
Unclean: TypeAlias = Literal["true", "false"]
UncleanSetting: TypeAlias = Literal["ignored", "obeyed"]
EligibleLeaders: TypeAlias = Literal["off", "on"]
LagTime: TypeAlias = Literal["10000", "30000"]
SessionTimeout: TypeAlias = Literal["6000", "18000", "9000"]
Visible: TypeAlias = Literal["log-end", "high-watermark"]
ConsumerFetch: TypeAlias = Literal["leader", "any-replica"]
ProducerSequence: TypeAlias = Literal["ignored", "refused", "starts-anew"]


@dataclass(frozen=True, slots=True)
class Switches:
    """The value of every switch of an era. A field `fetch_answer_hw` is the switch `fetch-answer-hw`."""

    truncation: TruncationRule
    epoch_answer: EpochAnswer
    epoch_entry: EpochEntry
    epoch_lookup_below: LookupBelow
    epoch_lookup_undefined: LookupUndefined
    epoch_conflict: EpochConflict
    epoch_cache_cut: CacheCut
    same_leader: SameLeader
    fencing: Fencing
    out_of_range: OutOfRange
    log_start: LogStart
    fetch_answer_hw: FetchAnswerHw
    hw_sending: HwSending
    hw_after_cut: HwAfterCut
    diverging_answer_hw: DivergingAnswerHw
    diverging_fetch_leo: DivergingFetchLeo
    hw_below_min_isr: HwBelowMinIsr
    hw_counts: HwCounts
    isr_change: IsrChange
    isr_leave: IsrLeave
    isr_join: IsrJoin
    isr_eligible: IsrEligible
    epoch_on_shrink: EpochOnShrink
    controller: ControllerKind
    controller_start: ControllerStart
    unclean_election: Unclean
    unclean_setting: UncleanSetting
    eligible_leaders: EligibleLeaders
    lag_time_ms: LagTime
    session_timeout_ms: SessionTimeout
    visible: Visible
    consumer_fetch: ConsumerFetch
    producer_sequence: ProducerSequence


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its allowed values, and where they come from."""

    name: str
    values: tuple[str, ...]
    """Oldest first. Before them one that no release had, where documents or readers tell it so."""
    release: str
    """The first release with the last value, or with each; "" where a switch is a person's, not an era's."""
    ticket: str
    sentence: str
    scenario: str = ""
    """The id of a scenario that shows its effect; "" where none does yet."""

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
        "How a new follower finds where to cut its log: the leader's log end (no release had this), its own "
        "high watermark, a request for the end of its last epoch, or the answer to its fetch.",
        scenario="hw-loss",
    ),
    Switch(
        "epoch-answer",
        get_args(EpochAnswer),
        "2.0",
        "KIP-279, KAFKA-6361",
        "What the answer to the epoch request carries: an end offset, or also the epoch that it belongs to.",
        scenario="silent-divergence",
    ),
    Switch(
        "epoch-entry",
        get_args(EpochEntry),
        "0.11 (first-write), 2.0.1 (election)",
        "KIP-101; KAFKA-7415",
        "When an entry is put into the leader epoch cache: never, at the first batch of the epoch, or when "
        "the leader is elected.",
        scenario="unknown-epoch-loss",
    ),
    Switch(
        "epoch-lookup-below",
        get_args(LookupBelow),
        "2.0.1",
        "KAFKA-7415",
        "What a leader answers for an epoch older than all it knows: undefined, or the start of its oldest.",
        scenario="stale-leader-truncation",
    ),
    Switch(
        "epoch-lookup-undefined",
        get_args(LookupUndefined),
        "1.0.2",
        "KAFKA-6857",
        "What a leader that knows no epoch answers to a follower that knows none: its log end, or undefined.",
        scenario="stale-leader-truncation",
    ),
    Switch(
        "epoch-conflict",
        get_args(EpochConflict),
        "2.0.1",
        "KAFKA-7415",
        "An epoch entry that contradicts those there (an older epoch, or a smaller start) is left out, or "
        "takes their place.",
        scenario="stale-leader-truncation",
    ),
    Switch(
        "epoch-cache-cut",
        get_args(CacheCut),
        "2.8",
        "KAFKA-10706",
        "Whether epoch entries at or above a cut go only if the log is cut too, or always.",
        scenario="unknown-epoch-loss",
    ),
    Switch(
        "same-leader",
        get_args(SameLeader),
        "2.0.1 (follow-after-gap), 2.1 (follow-anew)",
        "KAFKA-7164; KIP-320, KAFKA-7395",
        "What a follower does when the leader epoch changes and the leader does not: go on; begin to follow "
        "anew if it missed an epoch; or always.",
        scenario="isr-shrink",
    ),
    Switch(
        "fencing",
        get_args(Fencing),
        "2.1",
        "KIP-320, KAFKA-7395",
        "Whether fetches and epoch requests carry the leader epoch, and one that differs is refused.",
        scenario="stale-leader-truncation",
    ),
    Switch(
        "out-of-range",
        get_args(OutOfRange),
        "2.0.1",
        "KAFKA-7414",
        "A fetch beyond the leader's log end: cut to it only if unclean elections are allowed, else the "
        "broker exits; or cut in any case.",
        scenario="out-of-range",
    ),
    Switch(
        "log-start",
        get_args(LogStart),
        "0.11",
        "KIP-107, KAFKA-4586",
        "Whether each broker moves its log start by its own retention alone, or a follower moves it with the "
        "leader's too, and records can be deleted by request.",
        scenario="deleted-records",
    ),
    Switch(
        "fetch-answer-hw",
        get_args(FetchAnswerHw),
        "",
        "",
        "Whether an answer carries the high watermark from before or after the update by its own fetch. "
        "Kafka: before. The articles: after.",
        scenario="two-replica-sync",
    ),
    Switch(
        "hw-sending",
        get_args(HwSending),
        "2.4 to 2.5 (before and after: with-data)",
        "KIP-392; KAFKA-9731",
        "Whether a fetch with nothing to return waits for data, or is answered as soon as the high watermark "
        "is above the one last sent to that follower.",
        scenario="two-replica-sync",
    ),
    Switch(
        "hw-after-cut",
        get_args(HwAfterCut),
        "2.4",
        "apache/kafka PR 7055",
        "Whether a cut below the high watermark leaves it as it is in memory, or lowers it to the cut.",
        scenario="hw-loss",
    ),
    Switch(
        "diverging-answer-hw",
        get_args(DivergingAnswerHw),
        "3.5",
        "KAFKA-14704",
        "Whether a follower takes over the high watermark of an answer that tells it to cut, before it cuts.",
        scenario="hw-divergence",
    ),
    Switch(
        "diverging-fetch-leo",
        get_args(DivergingFetchLeo),
        "2.8.1",
        "KAFKA-13141",
        "Whether a leader takes the offset of a diverging fetch for the follower's log end, and so lets it "
        "join the in-sync set or move the high watermark.",
        scenario="hw-divergence",
    ),
    Switch(
        "hw-below-min-isr",
        get_args(HwBelowMinIsr),
        "3.7",
        "KIP-966, KAFKA-15583",
        "Whether the high watermark still moves while the in-sync set is smaller than min.insync.replicas.",
        scenario="acks",
    ),
    Switch(
        "hw-counts",
        get_args(HwCounts),
        "0.10.2 (caught-up-too), 3.6 (eligible-too)",
        "KAFKA-4485; KAFKA-15021",
        "Whom the high watermark waits for: the in-sync set alone, also followers that are caught up, or of "
        "these only those that may join the set.",
        scenario="follower-stopped",
    ),
    Switch(
        "isr-change",
        get_args(IsrChange),
        "2.7",
        "KIP-497",
        "How a leader changes the in-sync set: it writes to ZooKeeper, or it asks the controller and counts "
        "the larger set until the answer comes.",
        scenario="isr-rejoin",
    ),
    Switch(
        "isr-leave",
        get_args(IsrLeave),
        "2.1",
        "KAFKA-7152",
        "A follower leaves the in-sync set when it was not caught up for the lag time; or only if its log "
        "end also differs from the leader's.",
        scenario="isr-rejoin",
    ),
    Switch(
        "isr-join",
        get_args(IsrJoin),
        "2.0.1",
        "KAFKA-7128",
        "A follower joins the in-sync set at the high watermark, or only if it also reached the start of the "
        "leader's epoch.",
        scenario="stale-hw-isr",
    ),
    Switch(
        "isr-eligible",
        get_args(IsrEligible),
        "3.3 (not-fenced), 3.5 (same-broker-epoch)",
        "KIP-841, KAFKA-13916; KIP-903, KAFKA-14139",
        "Who may be in the in-sync set: any follower, one that is neither fenced nor shutting down, or one "
        "that also fetches in the life that the controller knows.",
        scenario="disk-replaced",
    ),
    Switch(
        "epoch-on-shrink",
        get_args(EpochOnShrink),
        "3.6",
        "KAFKA-15021",
        "Whether the controller raises the leader epoch when it takes a replica out of the in-sync set and "
        "the leader stays.",
        scenario="follower-stopped",
    ),
    Switch(
        "controller",
        get_args(ControllerKind),
        "3.3",
        "KIP-500, KIP-631, KIP-833",
        "Who decides on leaders: a broker, by ZooKeeper's sessions and requests to each broker, or a quorum, "
        "by a metadata log, heartbeats and fencing.",
        scenario="hw-loss",
    ),
    Switch(
        "controller-start",
        get_args(ControllerStart),
        "2.3",
        "KAFKA-3143",
        "Whether a new controller leaves brokers that died before its election in the in-sync set, or takes "
        "them out.",
        scenario="controller-fails-too",
    ),
    Switch(
        "unclean-election",
        get_args(Unclean),
        "0.11",
        "KIP-106, KAFKA-4623",
        "The default of unclean.leader.election.enable; a scenario may set it.",
        scenario="hw-loss",
    ),
    Switch(
        "unclean-setting",
        get_args(UncleanSetting),
        "3.9 with KRaft (with ZooKeeper always obeyed)",
        "KAFKA-12670",
        "Whether the controller obeys unclean.leader.election.enable, or elects uncleanly only when an "
        "operator asks for it.",
        scenario="three-broker-loss",
    ),
    Switch(
        "eligible-leaders",
        get_args(EligibleLeaders),
        "4.1 for new clusters, from 4.0 by choice",
        "KIP-966, KAFKA-15332",
        "Whether the controller remembers who left the in-sync set below min.insync.replicas: they hold all "
        "that was committed, so one of them may lead cleanly.",
        scenario="s9",
    ),
    Switch(
        "lag-time-ms",
        get_args(LagTime),
        "2.5",
        "KIP-537, KAFKA-9102",
        "The default of replica.lag.time.max.ms; a scenario may set it.",
        scenario="hw-loss-ten",
    ),
    Switch(
        "session-timeout-ms",
        get_args(SessionTimeout),
        "2.5 (18000), 3.3 (9000)",
        "KIP-537, KAFKA-9102; KIP-631",
        "The default of zookeeper.session.timeout.ms, with KRaft of broker.session.timeout.ms; a scenario "
        "may set it.",
        scenario="hw-divergence",
    ),
    Switch(
        "visible",
        get_args(Visible),
        "",
        "",
        "Up to where consumers read: the log end (no release had this), or the high watermark.",
        scenario="leader-failover-consistent",
    ),
    Switch(
        "consumer-fetch",
        get_args(ConsumerFetch),
        "2.4",
        "KIP-392, KAFKA-8443",
        "Who serves consumers: the leader alone, or a follower near them too, up to its own high watermark.",
        scenario="follower-read",
    ),
    Switch(
        "producer-sequence",
        get_args(ProducerSequence),
        "0.11 (refused), 2.5 (starts-anew)",
        "KIP-98, KAFKA-4817; KIP-360, KAFKA-7190, KAFKA-8805",
        "What becomes of an idempotent producer's sequence numbers: there are none; a batch out of order "
        "fails; or the producer then begins a new epoch and sends again.",
        scenario="idempotent-producer",
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
