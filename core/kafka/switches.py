"""The switches in which eras of Kafka differ: one record, and one table that describes it."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from core.message import Message, message
from core.words import text

TruncationRule: TypeAlias = Literal["leader-end", "high-watermark", "epoch-request", "fetch-divergence"]
EpochAnswer: TypeAlias = Literal["offset", "epoch-and-offset"]
EpochEntry: TypeAlias = Literal["none", "first-write", "election"]
LookupBelow: TypeAlias = Literal["undefined", "lowest-start"]
LookupUndefined: TypeAlias = Literal["log-end", "undefined"]
EpochConflict: TypeAlias = Literal["ignored", "replaces"]
CacheCut: TypeAlias = Literal["with-log", "always"]
EpochOldFormat: TypeAlias = Literal["trusted", "no-cache", "cleared"]
EpochFileFlush: TypeAlias = Literal["with-cut", "later"]
SameLeader: TypeAlias = Literal["keep", "follow-after-gap", "follow-anew"]
Fencing: TypeAlias = Literal["none", "leader-epoch"]
OutOfRange: TypeAlias = Literal["cut-if-unclean", "cut"]
LogStart: TypeAlias = Literal["own", "leader"]
FetchAnswerHw: TypeAlias = Literal["before", "after"]
HwSending: TypeAlias = Literal["with-data", "when-behind"]
HwAfterCut: TypeAlias = Literal["kept", "lowered"]
DivergingAnswerHw: TypeAlias = Literal["applied", "ignored"]
DivergingBelowStart: TypeAlias = Literal["answered", "out-of-range"]
DivergingFetchLeo: TypeAlias = Literal["recorded", "ignored"]
HwBelowMinIsr: TypeAlias = Literal["moves", "stands"]
HwCounts: TypeAlias = Literal["isr", "caught-up-too", "eligible-too"]
IsrChange: TypeAlias = Literal["zookeeper", "alter-isr"]
IsrLeave: TypeAlias = Literal["time", "time-and-behind"]
IsrJoin: TypeAlias = Literal["high-watermark", "epoch-start"]
IsrEligible: TypeAlias = Literal["any", "not-fenced", "same-broker-epoch"]
IsrLastMember: TypeAlias = Literal["stays-unless-unclean", "stays"]
EpochOnShrink: TypeAlias = Literal["bumped", "kept"]
ControllerKind: TypeAlias = Literal["zookeeper", "kraft"]
ControllerStart: TypeAlias = Literal["keeps-isr", "drops-dead"]
Unclean: TypeAlias = Literal["true", "false"]
UncleanSetting: TypeAlias = Literal["ignored", "obeyed"]
EligibleLeaders: TypeAlias = Literal["off", "on"]
EligibleOnChange: TypeAlias = Literal["kept", "cleared"]
LeaderRecovery: TypeAlias = Literal["unmarked", "marked"]
LagTime: TypeAlias = Literal["10000", "30000"]
SessionTimeout: TypeAlias = Literal["6000", "18000", "9000"]
Visible: TypeAlias = Literal["log-end", "high-watermark"]
ConsumerFetch: TypeAlias = Literal["leader", "any-replica"]
ProducerSequence: TypeAlias = Literal["ignored", "refused", "starts-anew"]
Transactions: TypeAlias = Literal["none", "trusted", "verified", "new-epoch"]
TieredStorage: TypeAlias = Literal["none", "start-kept", "start-set"]
TierExpiry: TypeAlias = Literal["leaks", "start-of-last", "start-of-highest"]
DirectoryMove: TypeAlias = Literal["epochs-carried", "none", "epochs-of-records"]
CheckQuorum: TypeAlias = Literal["none", "resigns"]
PreVote: TypeAlias = Literal["none", "asked"]
VoterChange: TypeAlias = Literal["none", "by-record"]
MetadataSnapshot: TypeAlias = Literal["none", "below-start", "empty-log-too"]


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
    epoch_old_format: EpochOldFormat
    epoch_file_flush: EpochFileFlush
    same_leader: SameLeader
    fencing: Fencing
    out_of_range: OutOfRange
    log_start: LogStart
    fetch_answer_hw: FetchAnswerHw
    hw_sending: HwSending
    hw_after_cut: HwAfterCut
    diverging_answer_hw: DivergingAnswerHw
    diverging_below_start: DivergingBelowStart
    diverging_fetch_leo: DivergingFetchLeo
    hw_below_min_isr: HwBelowMinIsr
    hw_counts: HwCounts
    isr_change: IsrChange
    isr_leave: IsrLeave
    isr_join: IsrJoin
    isr_eligible: IsrEligible
    isr_last_member: IsrLastMember
    epoch_on_shrink: EpochOnShrink
    controller: ControllerKind
    controller_start: ControllerStart
    unclean_election: Unclean
    unclean_setting: UncleanSetting
    eligible_leaders: EligibleLeaders
    eligible_on_change: EligibleOnChange
    leader_recovery: LeaderRecovery
    lag_time_ms: LagTime
    session_timeout_ms: SessionTimeout
    visible: Visible
    consumer_fetch: ConsumerFetch
    producer_sequence: ProducerSequence
    transactions: Transactions
    tiered_storage: TieredStorage
    tier_expiry: TierExpiry
    directory_move: DirectoryMove
    check_quorum: CheckQuorum
    pre_vote: PreVote
    voter_change: VoterChange
    metadata_snapshot: MetadataSnapshot


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its allowed values, and where they come from."""

    name: str
    values: tuple[str, ...]
    """Oldest first. Before them one that no release had, where documents or readers tell it so."""
    release: str | Message
    """The first release with the last value, or with each; "" where a switch is a person's, not an era's."""
    ticket: str
    sentence: Message
    """What it decides."""
    scenario: str = ""
    """The id of a scenario that shows its effect; "" where none does yet."""

    @property
    def released(self) -> str:
        """`release` as text, in the language spoken now."""
        return self.release if isinstance(self.release, str) else text(self.release)

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
        message("switch.truncation"),
        scenario="hw-loss",
    ),
    Switch(
        "epoch-answer",
        get_args(EpochAnswer),
        "2.0",
        "KIP-279, KAFKA-6361",
        message("switch.epoch-answer"),
        scenario="silent-divergence",
    ),
    Switch(
        "epoch-entry",
        get_args(EpochEntry),
        "0.11 (first-write), 2.0.1 (election)",
        "KIP-101; KAFKA-7415",
        message("switch.epoch-entry"),
        scenario="unknown-epoch-loss",
    ),
    Switch(
        "epoch-lookup-below",
        get_args(LookupBelow),
        "2.0.1",
        "KAFKA-7415",
        message("switch.epoch-lookup-below"),
        scenario="stale-leader-truncation",
    ),
    Switch(
        "epoch-lookup-undefined",
        get_args(LookupUndefined),
        "1.0.2",
        "KAFKA-6857",
        message("switch.epoch-lookup-undefined"),
        scenario="stale-leader-truncation",
    ),
    Switch(
        "epoch-conflict",
        get_args(EpochConflict),
        "2.0.1",
        "KAFKA-7415",
        message("switch.epoch-conflict"),
        scenario="stale-leader-truncation",
    ),
    Switch(
        "epoch-cache-cut",
        get_args(CacheCut),
        "2.6.1",
        "KAFKA-10706",
        message("switch.epoch-cache-cut"),
        scenario="unknown-epoch-loss",
    ),
    Switch(
        "epoch-old-format",
        get_args(EpochOldFormat),
        "2.1.1 (no-cache), 2.2.1 (cleared)",
        "KAFKA-7897; KAFKA-7601",
        message("switch.epoch-old-format"),
        scenario="format-raised",
    ),
    Switch(
        "epoch-file-flush",
        get_args(EpochFileFlush),
        "3.7",
        "KAFKA-15046",
        message("switch.epoch-file-flush"),
        scenario="stale-epoch-file",
    ),
    Switch(
        "same-leader",
        get_args(SameLeader),
        "2.0.1 (follow-after-gap), 2.1 (follow-anew)",
        "KAFKA-7164; KIP-320, KAFKA-7395",
        message("switch.same-leader"),
        scenario="isr-shrink",
    ),
    Switch(
        "fencing",
        get_args(Fencing),
        "2.1",
        "KIP-320, KAFKA-7395",
        message("switch.fencing"),
        scenario="stale-leader-truncation",
    ),
    Switch(
        "out-of-range",
        get_args(OutOfRange),
        "2.0.1",
        "KAFKA-7414",
        message("switch.out-of-range"),
        scenario="out-of-range",
    ),
    Switch(
        "log-start",
        get_args(LogStart),
        "0.11",
        "KIP-107, KAFKA-4586",
        message("switch.log-start"),
        scenario="deleted-records",
    ),
    Switch(
        "fetch-answer-hw",
        get_args(FetchAnswerHw),
        "",
        "",
        message("switch.fetch-answer-hw"),
        scenario="two-replica-sync",
    ),
    Switch(
        "hw-sending",
        get_args(HwSending),
        message("switch.hw-sending.release"),
        "KIP-392; KAFKA-9731",
        message("switch.hw-sending"),
        scenario="two-replica-sync",
    ),
    Switch(
        "hw-after-cut",
        get_args(HwAfterCut),
        "2.4",
        "apache/kafka PR 7055",
        message("switch.hw-after-cut"),
        scenario="hw-loss",
    ),
    Switch(
        "diverging-answer-hw",
        get_args(DivergingAnswerHw),
        "3.5",
        "KAFKA-14704",
        message("switch.diverging-answer-hw"),
        scenario="hw-divergence",
    ),
    Switch(
        "diverging-below-start",
        get_args(DivergingBelowStart),
        "2.8.1",
        "KAFKA-12996",
        message("switch.diverging-below-start"),
        scenario="diverged-below-start",
    ),
    Switch(
        "diverging-fetch-leo",
        get_args(DivergingFetchLeo),
        "2.7.2, 2.8.1",
        "KAFKA-13141",
        message("switch.diverging-fetch-leo"),
        scenario="hw-divergence",
    ),
    Switch(
        "hw-below-min-isr",
        get_args(HwBelowMinIsr),
        "3.7",
        "KIP-966, KAFKA-15583",
        message("switch.hw-below-min-isr"),
        scenario="acks",
    ),
    Switch(
        "hw-counts",
        get_args(HwCounts),
        "0.10.2 (caught-up-too), 3.6 (eligible-too)",
        "KAFKA-4485; KAFKA-15021",
        message("switch.hw-counts"),
        scenario="follower-stopped",
    ),
    Switch("isr-change", get_args(IsrChange), "2.7", "KIP-497", message("switch.isr-change"), "isr-rejoin"),
    Switch("isr-leave", get_args(IsrLeave), "2.1", "KAFKA-7152", message("switch.isr-leave"), "isr-rejoin"),
    Switch("isr-join", get_args(IsrJoin), "2.0.1", "KAFKA-7128", message("switch.isr-join"), "stale-hw-isr"),
    Switch(
        "isr-eligible",
        get_args(IsrEligible),
        "3.3 (not-fenced), 3.5 (same-broker-epoch)",
        "KIP-841, KAFKA-13916; KIP-903, KAFKA-14139",
        message("switch.isr-eligible"),
        scenario="disk-replaced",
    ),
    Switch(
        "isr-last-member",
        get_args(IsrLastMember),
        "1.1",
        "KAFKA-5642",
        message("switch.isr-last-member"),
        scenario="recovering-leader",
    ),
    Switch(
        "epoch-on-shrink",
        get_args(EpochOnShrink),
        "3.6",
        "KAFKA-15021",
        message("switch.epoch-on-shrink"),
        scenario="follower-stopped",
    ),
    Switch(
        "controller",
        get_args(ControllerKind),
        "3.3",
        "KIP-500, KIP-631, KIP-833",
        message("switch.controller"),
        scenario="hw-loss",
    ),
    Switch(
        "controller-start",
        get_args(ControllerStart),
        "2.3",
        "KAFKA-3143",
        message("switch.controller-start"),
        scenario="controller-fails-too",
    ),
    Switch(
        "unclean-election",
        get_args(Unclean),
        "0.11",
        "KIP-106, KAFKA-4623",
        message("switch.unclean-election"),
        scenario="hw-loss",
    ),
    Switch(
        "unclean-setting",
        get_args(UncleanSetting),
        message("switch.unclean-setting.release"),
        "KAFKA-12670",
        message("switch.unclean-setting"),
        scenario="three-broker-loss",
    ),
    Switch(
        "eligible-leaders",
        get_args(EligibleLeaders),
        message("switch.eligible-leaders.release"),
        "KIP-966, KAFKA-15332",
        message("switch.eligible-leaders"),
        scenario="s9",
    ),
    Switch(
        "eligible-on-change",
        get_args(EligibleOnChange),
        "4.0",
        "KIP-966, KAFKA-15332",
        message("switch.eligible-on-change"),
        scenario="min-isr-lowered",
    ),
    Switch(
        "leader-recovery",
        get_args(LeaderRecovery),
        "3.2",
        "KIP-704, KAFKA-13587",
        message("switch.leader-recovery"),
        scenario="recovering-leader",
    ),
    Switch(
        "lag-time-ms",
        get_args(LagTime),
        "2.5",
        "KIP-537, KAFKA-9102",
        message("switch.lag-time-ms"),
        scenario="hw-loss-ten",
    ),
    Switch(
        "session-timeout-ms",
        get_args(SessionTimeout),
        "2.5 (18000), 3.3 (9000)",
        "KIP-537, KAFKA-9102; KIP-631",
        message("switch.session-timeout-ms"),
        scenario="hw-divergence",
    ),
    Switch(
        "visible", get_args(Visible), "", "", message("switch.visible"), scenario="leader-failover-consistent"
    ),
    Switch(
        "consumer-fetch",
        get_args(ConsumerFetch),
        "2.4",
        "KIP-392, KAFKA-8443",
        message("switch.consumer-fetch"),
        scenario="follower-read",
    ),
    Switch(
        "producer-sequence",
        get_args(ProducerSequence),
        "0.11 (refused), 2.5 (starts-anew)",
        "KIP-98, KAFKA-4817; KIP-360, KAFKA-7190, KAFKA-8805",
        message("switch.producer-sequence"),
        scenario="idempotent-producer",
    ),
    Switch(
        "transactions",
        get_args(Transactions),
        "0.11 (trusted), 3.6 (verified), 4.0 (new-epoch)",
        "KIP-98, KAFKA-4815; KIP-890, KAFKA-14402",
        message("switch.transactions"),
        scenario="hanging-transaction",
    ),
    Switch(
        "tiered-storage",
        get_args(TieredStorage),
        "3.6 (start-kept), 3.7 (start-set)",
        "KIP-405, KAFKA-7739; KAFKA-15695, KAFKA-15241",
        message("switch.tiered-storage"),
        scenario="tiered-stale-start",
    ),
    Switch(
        "tier-expiry",
        get_args(TierExpiry),
        "3.6 (leaks), 3.7.1 (start-of-last), 3.8 (start-of-highest)",
        "KIP-405, KAFKA-7739; KAFKA-16511; KAFKA-16890",
        message("switch.tier-expiry"),
        scenario="tiered-overlap",
    ),
    Switch(
        "directory-move",
        get_args(DirectoryMove),
        "1.1",
        "KIP-113, KAFKA-5163; KAFKA-15608, KAFKA-20961",
        message("switch.directory-move"),
        scenario="moved-directory",
    ),
    Switch(
        "check-quorum",
        get_args(CheckQuorum),
        "3.7",
        "KAFKA-15489",
        message("switch.check-quorum"),
        scenario="two-controllers",
    ),
    Switch(
        "pre-vote",
        get_args(PreVote),
        "4.0",
        "KIP-996, KAFKA-16164",
        message("switch.pre-vote"),
        scenario="controller-returns",
    ),
    Switch(
        "voter-change",
        get_args(VoterChange),
        "3.9",
        "KIP-853, KAFKA-14094",
        message("switch.voter-change"),
        scenario="quorum-of-two",
    ),
    Switch(
        "metadata-snapshot",
        get_args(MetadataSnapshot),
        "3.0",
        "KIP-630, KAFKA-15078",
        message("switch.metadata-snapshot"),
        scenario="metadata-snapshot",
    ),
)

SWITCH: Final[dict[str, Switch]] = {switch.name: switch for switch in SWITCHES}
