"""Eras of Kafka: each names one release and is a record of switches. A later era is one more record here."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.errors import QuestionError
from core.kafka.switches import SWITCH, SWITCHES, Switches, changed


@dataclass(frozen=True, slots=True)
class Era:
    """An era, possibly with single switches set by a person (`overrides`, in the order of the table)."""

    id: str
    release: str
    """The release whose behaviour it is, as Kafka prints it ("0.10.2.2")."""
    title: str
    rule: str
    """Its rule of truncation in one sentence."""
    switches: Switches
    overrides: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The id, with "+switch=value" for each switch that a person changed."""
        return "".join([self.id, *(f"+{switch}={value}" for switch, value in self.overrides)])


_K0102: Final = Switches(
    truncation="high-watermark",
    epoch_answer="offset",
    epoch_entry="none",
    epoch_lookup_below="undefined",
    epoch_cache_cut="with-log",
    same_leader="keep",
    fencing="none",
    out_of_range="cut-if-unclean",
    fetch_answer_hw="before",
    hw_after_cut="kept",
    diverging_answer_hw="applied",
    isr_change="zookeeper",
    isr_leave="time",
    isr_join="high-watermark",
    controller_start="keeps-isr",
    unclean_election="true",
    lag_time_ms="10000",
    session_timeout_ms="6000",
)
_K011: Final = replace(
    _K0102, truncation="epoch-request", epoch_entry="first-write", unclean_election="false"
)
_K28: Final = replace(
    _K011,
    truncation="fetch-divergence",
    epoch_answer="epoch-and-offset",
    epoch_entry="election",
    epoch_lookup_below="lowest-start",
    epoch_cache_cut="always",
    same_leader="follow-anew",
    fencing="leader-epoch",
    out_of_range="cut",
    hw_after_cut="lowered",
    isr_change="alter-isr",
    isr_leave="time-and-behind",
    isr_join="epoch-start",
    controller_start="drops-dead",
    lag_time_ms="30000",
    session_timeout_ms="18000",
)

ERAS: Final[tuple[Era, ...]] = (
    Era(
        "0.10.2",
        "0.10.2.2",
        "Kafka 0.10.2",
        "A replica that becomes a follower cuts its log to its own high watermark.",
        _K0102,
    ),
    Era(
        "0.11",
        "0.11.0.3",
        "Kafka 0.11",
        "A new follower asks the leader where the follower's last epoch ends, and cuts to the answer.",
        _K011,
    ),
    Era(
        "2.8",
        "2.8.2",
        "Kafka 2.8",
        "A fetch names its last epoch; the leader says where the logs diverge, and the follower cuts there.",
        _K28,
    ),
)
"""Oldest first."""


def era(era_id: str) -> Era:
    """The era of that id. Raises QuestionError with the ids that there are."""
    for known in ERAS:
        if known.id == era_id:
            return known
    ids = ", ".join(known.id for known in ERAS)
    raise QuestionError(f"There is no era {era_id!r}", advice=f"Eras are {ids}")


def with_switches(base: Era, values: Mapping[str, str]) -> Era:
    """The era with single switches set. Raises QuestionError for an unknown switch or value."""
    wanted: dict[str, str] = {}
    for name, value in values.items():
        switch = SWITCH.get(name)
        if switch is None:
            names = ", ".join(known.name for known in SWITCHES)
            raise QuestionError(f"There is no switch {name!r}", advice=f"Switches are {names}")
        if value not in switch.values:
            allowed = ", ".join(switch.values)
            raise QuestionError(f"The switch {name} cannot be {value!r}", advice=f"Allowed are {allowed}")
        wanted[switch.field] = value
    switches = replace(base.switches, **wanted)
    return replace(base, switches=switches, overrides=changed(era(base.id).switches, switches))
