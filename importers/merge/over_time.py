"""What a broker states of itself at one time and otherwise at another: its release and its settings."""

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from core.kafka.protocols import PROTOCOL, default_of
from core.kafka.releases import version_numbers
from core.trace.settings import UNKNOWN_THEN, of_broker, over_time, values_and_times
from importers.merge.clock import Clocks
from importers.merge.gathered import Gathered
from importers.merge.lives import LogOf, starts
from importers.merge.zones import to_utc

_VERSION: Final = "version"
_SETTING: Final = "config:"
_PROTOCOL: Final = f"{_SETTING}{PROTOCOL}"
_Values: TypeAlias = list[tuple[int, str]]
"""From when on, in ns, and the value; "" where nothing states one."""


def stated_over_time(gathered: Gathered, clocks: Clocks, settings: Sequence[str]) -> dict[str, str]:
    """As facts: the releases and settings of each broker, with the times in ns of the trace from which on.

    Only what was stated in one way and later in another.
    """
    facts: dict[str, str] = {}
    for broker, logs in _logs(gathered).items():
        lives = _lives(logs, settings)
        found = {f"version.broker-{broker}": list(zip(lives.begun, lives.releases(), strict=True))}
        for setting in settings:
            found[of_broker(broker, setting)] = lives.stated(f"{_SETTING}{setting}")
        for name, values in found.items():
            changes = [
                (at + clocks.correction(("broker", broker), at), value)
                for at, value in _changes(_filled(values))
            ]
            if len(changes) > 1 and not any(" " in value for _, value in changes):
                facts[over_time(name)] = values_and_times(changes)
    return facts


def releases_in_order(gathered: Gathered) -> Mapping[int, list[str]]:
    """The releases of each broker that states one, or shows it by the default of its protocol, by life."""
    found = {broker: _lives(logs, (PROTOCOL,)).releases() for broker, logs in _logs(gathered).items()}
    known = {broker: list(filter(None, of_lives)) for broker, of_lives in found.items()}
    return {broker: releases for broker, releases in known.items() if releases}


def last_releases(gathered: Gathered) -> Mapping[int, str]:
    """The last of `releases_in_order`."""
    return {broker: releases[-1] for broker, releases in releases_in_order(gathered).items()}


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

    def stated(self, name: str) -> _Values:
        """What is stated under a name: the first of each life from its start on, "" where there is none."""
        found: _Values = []
        for begun, mine in zip(self.begun, self._by_life(name), strict=True):
            found.append((begun, mine[0][1] if mine else ""))
            found += mine[1:]
        return found

    def of_lives(self, name: str) -> list[str]:
        """What each life states last under a name; "" for nothing."""
        return [mine[-1][1] if mine else "" for mine in self._by_life(name)]

    def _by_life(self, name: str) -> list[_Values]:
        """What each life states under a name, in the order of time."""
        found: list[_Values] = [[] for _ in self.begun]
        for at, said, value in self.facts:
            if said == name:
                found[bisect_right(self.begun, at) - 1].append((at, value))
        return found

    def releases(self) -> list[str]:
        """The release of each life: as it is stated, else as the default of its protocol shows it."""
        stated, protocols = self.of_lives(_VERSION), self.of_lives(_PROTOCOL)
        known = set(filter(None, stated))
        both = zip(stated, protocols, strict=True)
        return [release or _of_default(protocol, known) for release, protocol in both]


def _lives(logs: Sequence[LogOf], settings: Sequence[str]) -> _Lives:
    """The lives in the logs of one broker, also one that began before its logs.

    No process changes its release: another one begins a life, too, where no line tells of its start.
    """
    names = {_VERSION, *(f"{_SETTING}{one}" for one in settings)}
    facts = sorted(
        (log.to_utc(fact.local_ns), fact.name, fact.value)
        for log in logs
        for fact in log.drafts.facts
        if fact.name in names
    )
    begun = starts(logs)
    if facts and (not begun or facts[0][0] < begun[0]):
        begun = [facts[0][0], *begun]
    releases = [(at, value) for at, name, value in facts if name == _VERSION]
    for (before, old), (at, new) in pairwise(releases):
        if old != new and bisect_right(begun, before) == bisect_right(begun, at):
            insort(begun, at)
    return _Lives(begun, facts)


def _of_default(protocol: str, stated: set[str]) -> str:
    """The release whose default a protocol is, by the name of such a one that is stated; "" for none."""
    shown = default_of(protocol)
    numbers = version_numbers(shown)
    same = [one for one in stated if version_numbers(one)[: len(numbers)] == numbers]
    return shown if len(same) != 1 else same[0]


def _filled(values: _Values) -> _Values:
    """The values; where nothing is stated that of the neighbours, if only one of them or both have it."""
    filled: _Values = []
    for place, (at, value) in enumerate(values):
        if value:
            filled.append((at, value))
            continue
        before = next((one for _, one in reversed(values[:place]) if one), "")
        after = next((one for _, one in values[place:] if one), "")
        agree = not before or not after or before == after
        filled.append((at, (before or after) if agree else UNKNOWN_THEN))
    return filled


def _changes(values: _Values) -> _Values:
    """The values without those that repeat the one before."""
    return [one for place, one in enumerate(values) if not place or one[1] != values[place - 1][1]]
