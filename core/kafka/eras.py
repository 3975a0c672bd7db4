"""Eras of Kafka: each names one release and is a record of switches. A later era is one more record here."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from core.errors import QuestionError
from core.kafka.held_words import HOLDS
from core.kafka.switches import SWITCH, SWITCHES, Switch, Switches
from core.message import Listing, Message, message


@dataclass(frozen=True, slots=True)
class Era:
    """An era, possibly with single switches set by a person (`overrides`, in the order of the table)."""

    id: str
    release: str
    """The release whose behaviour it is, as Kafka prints it ("0.10.2.2")."""
    title: Message
    rule: Message
    """Its rule of truncation in one sentence."""
    switches: Switches
    overrides: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The id, with "+switch=value" for each switch that a person changed."""
        return "".join([self.id, *(f"+{switch}={value}" for switch, value in self.overrides)])

    @property
    def rule_in_force(self) -> Message:
        """Its rule of truncation with the switches as they are set."""
        return next(
            (one.rule for one in (era(self.id), *ERAS) if one.cuts_by == self.cuts_by),
            message("era.rule.set", what=HOLDS["truncation"][self.switches.truncation]),
        )

    @property
    def cuts_by(self) -> tuple[str, ...]:
        """The switches of which `rule` speaks."""
        switches = self.switches
        if switches.truncation != "epoch-request":
            return (switches.truncation,)
        return switches.truncation, switches.epoch_answer, switches.fencing


_K0102: Final = Switches(
    truncation="high-watermark",
    epoch_answer="offset",
    epoch_entry="none",
    epoch_lookup_below="undefined",
    epoch_lookup_undefined="log-end",
    epoch_conflict="ignored",
    epoch_cache_cut="with-log",
    epoch_old_format="trusted",
    epoch_file_flush="with-cut",
    same_leader="keep",
    fencing="none",
    out_of_range="cut-if-unclean",
    log_start="own",
    fetch_answer_hw="before",
    hw_sending="with-data",
    hw_after_cut="kept",
    diverging_answer_hw="applied",
    diverging_below_start="out-of-range",
    diverging_fetch_leo="ignored",
    hw_below_min_isr="moves",
    hw_counts="caught-up-too",
    isr_change="zookeeper",
    isr_leave="time",
    isr_join="high-watermark",
    isr_eligible="any",
    isr_last_member="stays-unless-unclean",
    epoch_on_shrink="bumped",
    controller="zookeeper",
    controller_start="keeps-isr",
    unclean_election="true",
    unclean_setting="obeyed",
    eligible_leaders="off",
    eligible_on_change="kept",
    leader_recovery="unmarked",
    lag_time_ms="10000",
    session_timeout_ms="6000",
    visible="high-watermark",
    consumer_fetch="leader",
    producer_sequence="ignored",
    transactions="none",
    tiered_storage="none",
    tier_expiry="leaks",
    directory_move="none",
    check_quorum="none",
    pre_vote="none",
    voter_change="none",
    metadata_snapshot="none",
)
_K011: Final = replace(
    _K0102,
    truncation="epoch-request",
    epoch_entry="first-write",
    log_start="leader",
    unclean_election="false",
    producer_sequence="refused",
    transactions="trusted",
)
_K11: Final = replace(
    _K011,
    epoch_lookup_undefined="undefined",
    isr_last_member="stays",
    directory_move="epochs-of-records",
)
_K20: Final = replace(_K11, epoch_answer="epoch-and-offset")
_K21: Final = replace(
    _K20,
    epoch_entry="election",
    epoch_lookup_below="lowest-start",
    epoch_conflict="replaces",
    epoch_old_format="no-cache",
    same_leader="follow-anew",
    fencing="leader-epoch",
    out_of_range="cut",
    isr_leave="time-and-behind",
    isr_join="epoch-start",
)
_K24: Final = replace(
    _K21,
    epoch_old_format="cleared",
    hw_sending="when-behind",
    hw_after_cut="lowered",
    controller_start="drops-dead",
    consumer_fetch="any-replica",
)
_K28: Final = replace(
    _K24,
    truncation="fetch-divergence",
    epoch_cache_cut="always",
    hw_sending="with-data",
    isr_change="alter-isr",
    lag_time_ms="30000",
    session_timeout_ms="18000",
    producer_sequence="starts-anew",
)
_K33: Final = replace(
    _K28,
    isr_eligible="not-fenced",
    controller="kraft",
    unclean_setting="ignored",
    leader_recovery="marked",
    session_timeout_ms="9000",
    metadata_snapshot="below-start",
)
_K35: Final = replace(_K33, diverging_answer_hw="ignored", isr_eligible="same-broker-epoch")
_K36: Final = replace(
    _K35,
    hw_counts="eligible-too",
    epoch_on_shrink="kept",
    transactions="verified",
    tiered_storage="start-kept",
    metadata_snapshot="empty-log-too",
)
_K37: Final = replace(
    _K36,
    hw_below_min_isr="stands",
    epoch_file_flush="later",
    tiered_storage="start-set",
    tier_expiry="start-of-last",
    check_quorum="resigns",
)
_K40: Final = replace(
    _K37,
    tier_expiry="start-of-highest",
    unclean_setting="obeyed",
    transactions="new-epoch",
    eligible_on_change="cleared",
    pre_vote="asked",
    voter_change="by-record",
)
_K41: Final = replace(_K40, eligible_leaders="on")

_ASKS: Final = message("era.rule.asks")
_ASKS_TILL_AGREED: Final = message("era.rule.asks-till-agreed")
_ASKS_FENCED: Final = message("era.rule.asks-fenced")
_OWN_HW: Final = message("era.rule.own-high-watermark")
_ON_FETCH: Final = message("era.rule.on-fetch")


def _kafka(release: str) -> Message:
    return message("era.title", release=release)


ERAS: Final[tuple[Era, ...]] = (
    Era("0.10.2", "0.10.2.2", _kafka("0.10.2"), _OWN_HW, _K0102),
    Era("0.11", "0.11.0.3", _kafka("0.11"), _ASKS, _K011),
    Era("1.1", "1.1.1", _kafka("1.1"), _ASKS, _K11),
    Era("2.0", "2.0.0", _kafka("2.0"), _ASKS_TILL_AGREED, _K20),
    Era("2.1", "2.1.1", _kafka("2.1"), _ASKS_FENCED, _K21),
    Era("2.4", "2.4.1", _kafka("2.4"), _ASKS_FENCED, _K24),
    Era("2.8", "2.8.2", _kafka("2.8"), _ON_FETCH, _K28),
    Era("3.3", "3.3.2", message("era.title.kraft", release="3.3"), _ON_FETCH, _K33),
    Era("3.5", "3.5.2", _kafka("3.5"), _ON_FETCH, _K35),
    Era("3.6", "3.6.2", _kafka("3.6"), _ON_FETCH, _K36),
    Era("3.7", "3.7.2", _kafka("3.7"), _ON_FETCH, _K37),
    Era("4.0", "4.0.0", _kafka("4.0"), _ON_FETCH, _K40),
    Era("4.1", "4.1.2", message("era.title.range", first="4.1", last="4.3"), _ON_FETCH, _K41),
)
"""Oldest first. Each names the release whose rules it has; 2.0 is 2.0.0, before the fixes of 2.0.1."""


def by_era(switch: Switch) -> str:
    """The values of a switch through all eras: "offset to 1.1; epoch-and-offset from 2.0"."""
    spans: list[list[str]] = []
    for one in ERAS:
        value = getattr(one.switches, switch.field)
        if spans and spans[-1][0] == value:
            spans[-1][2] = one.id
        else:
            spans.append([value, one.id, one.id])
    if len(spans) == 1:
        return spans[0][0]
    middle = [f"{value} {first}" + (f" to {last}" if last != first else "") for value, first, last in spans]
    ends = f"{spans[0][0]} to {spans[0][2]}", f"{spans[-1][0]} from {spans[-1][1]}"
    return "; ".join((ends[0], *middle[1:-1], ends[1]))


def era(era_id: str) -> Era:
    """The era of that id. Raises QuestionError with the ids that there are."""
    for known in ERAS:
        if known.id == era_id:
            return known
    ids = Listing(tuple(known.id for known in ERAS))
    raise QuestionError(message("error.era.none", name=era_id), advice=message("error.era.known", names=ids))


def changed(old: Switches, new: Switches) -> tuple[tuple[str, str], ...]:
    """(switch, new value) for each switch that differs, in the order of the table."""
    return tuple(
        (field.name.replace("_", "-"), getattr(new, field.name))
        for field in fields(Switches)
        if getattr(old, field.name) != getattr(new, field.name)
    )


def with_switches(base: Era, values: Mapping[str, str]) -> Era:
    """The era with single switches set. Raises QuestionError for an unknown switch or value."""
    wanted: dict[str, str] = {}
    for name, value in values.items():
        switch = SWITCH.get(name)
        if switch is None:
            names = Listing(tuple(known.name for known in SWITCHES))
            raise QuestionError(
                message("error.switch.none", name=name), advice=message("error.switch.known", names=names)
            )
        if value not in switch.values:
            allowed = Listing(tuple(switch.values))
            raise QuestionError(
                message("error.switch.value", name=name, value=value),
                advice=message("error.allowed-are", names=allowed),
            )
        wanted[switch.field] = value
    switches = replace(base.switches, **wanted)
    return replace(base, switches=switches, overrides=changed(era(base.id).switches, switches))


def era_named(name: str) -> Era:
    """The era of an `Era.name`: its id, with "+switch=value" for each switch that was set.

    Raises QuestionError as `era` and `with_switches` do.
    """
    base, *switches = name.split("+")
    chosen = (switch.partition("=") for switch in switches)
    return with_switches(era(base), {switch: value for switch, _, value in chosen})
