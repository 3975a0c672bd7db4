"""What a broker states of itself in one life and otherwise in another: release, protocol, format."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.kafka.protocols import FORMAT, PROTOCOL, default_of
from core.kafka.releases import version_numbers
from core.trace.settings import UNKNOWN_THEN, over_time, values_and_times
from importers.merge.clock import Clocks
from importers.merge.gathered import Gathered
from importers.merge.lives import LogOf, starts
from importers.merge.zones import to_utc

_VERSION: Final = "version"
_PROTOCOL: Final = f"config:{PROTOCOL}"
_SETTINGS: Final = {f"config:{name}": f"config.broker-{{}}.{name}" for name in (PROTOCOL, FORMAT)}
"""By what lines state: the fact of a trace, of which this is what it was over time."""


def stated_over_time(gathered: Gathered, clocks: Clocks) -> dict[str, str]:
    """As facts: what each broker stated in each life, with the start of that life in ns of the trace.

    Only where a broker stated one value and later another.
    """
    facts: dict[str, str] = {}
    for broker, logs in _logs(gathered).items():
        lives = _lives(logs)
        found = {f"version.broker-{broker}": _filled(lives.releases())}
        found |= {name.format(broker): _filled(lives.stated(said)) for said, name in _SETTINGS.items()}
        for name, values in found.items():
            changes = [
                (begun + clocks.correction(("broker", broker), begun), value)
                for place, (begun, value) in enumerate(zip(lives.begun, values, strict=True))
                if not place or value != values[place - 1]
            ]
            if len(changes) > 1:
                facts[over_time(name)] = values_and_times(changes)
    return facts


def last_releases(gathered: Gathered) -> Mapping[int, str]:
    """The last release of each broker that states one, or shows it by the default of its protocol."""
    found: dict[int, str] = {}
    for broker, logs in _logs(gathered).items():
        known = [one for one in _lives(logs).releases() if one]
        if known:
            found[broker] = known[-1]
    return found


def _logs(gathered: Gathered) -> Mapping[int, list[LogOf]]:
    """The logs of each broker."""
    logs: dict[int, list[LogOf]] = {}
    for number, (file, owner, zone) in enumerate(
        zip(gathered.files, gathered.owners, gathered.zones, strict=True)
    ):
        if file.drafts is not None and file.drafts.kafka and owner.broker is not None:
            logs.setdefault(owner.broker, []).append(LogOf(number, 0, file.drafts, to_utc(zone.name)))
    return logs


@dataclass(frozen=True, slots=True)
class _Lives:
    """When each life of a broker began, in ns UTC, and what its logs state of it, by time and name."""

    begun: Sequence[int]
    facts: Sequence[tuple[int, str, str]]

    def stated(self, name: str) -> list[str]:
        """What each life states last under a name; "" for nothing."""
        found = [""] * len(self.begun)
        for at, said, value in self.facts:
            if said == name:
                found[bisect_right(self.begun, at) - 1] = value
        return found

    def releases(self) -> list[str]:
        """The release of each life: as it is stated, else as the default of its protocol shows it."""
        stated, protocols = self.stated(_VERSION), self.stated(_PROTOCOL)
        known = set(filter(None, stated))
        both = zip(stated, protocols, strict=True)
        return [release or _of_default(protocol, known) for release, protocol in both]


def _lives(logs: Sequence[LogOf]) -> _Lives:
    """The lives in the logs of one broker. One that began before its logs is a life, too."""
    facts = sorted(
        (log.to_utc(fact.local_ns), fact.name, fact.value)
        for log in logs
        for fact in log.drafts.facts
        if fact.name == _VERSION or fact.name in _SETTINGS
    )
    begun = starts(logs)
    earlier = [facts[0][0]] if facts and (not begun or facts[0][0] < begun[0]) else []
    return _Lives((*earlier, *begun), facts)


def _of_default(protocol: str, stated: set[str]) -> str:
    """The release whose default a protocol is, by the name of such a one that is stated; "" for none."""
    shown = default_of(protocol)
    numbers = version_numbers(shown)
    same = [one for one in stated if version_numbers(one)[: len(numbers)] == numbers]
    return shown if len(same) != 1 else same[0]


def _filled(values: Sequence[str]) -> list[str]:
    """The values of lives; of one that states nothing that of its neighbours, if only one or both have it."""
    filled = list(values)
    for place, value in enumerate(values):
        if not value:
            before = next((one for one in reversed(values[:place]) if one), "")
            after = next((one for one in values[place:] if one), "")
            filled[place] = (before or after) if not before or not after or before == after else UNKNOWN_THEN
    return filled
