"""What a broker states of itself at one time and otherwise at another: its release and its settings."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from core.kafka.protocols import PROTOCOL, default_of
from core.kafka.releases import version_numbers
from core.trace.settings import NOT_SET, UNKNOWN_THEN, of_broker, over_time, values_and_times
from importers.disk.metadata_settings import ALL_BROKERS, BROKER, Recorded, of_kind
from importers.merge.clock import Clocks
from importers.merge.gathered import Gathered
from importers.merge.lives import LogOf, starts
from importers.merge.zones import to_utc

_VERSION: Final = "version"
SETTING: Final = "config:"
_PROTOCOL: Final = f"{SETTING}{PROTOCOL}"
Values: TypeAlias = list[tuple[int, str]]
"""From when on, in ns, and the value; "" where nothing states one."""


def stated_over_time(
    gathered: Gathered, clocks: Clocks, settings: Sequence[str], recorded: Iterable[Recorded] = ()
) -> dict[str, str]:
    """As facts: the releases and settings of each broker, with the times in ns of the trace from which on.

    Only what was stated in one way and later in another, and what the metadata log has of settings
    (`recorded`): its own stands above one of all brokers, and that above what the logs state.
    """
    facts: dict[str, str] = {}
    of_log = of_kind(recorded, BROKER)
    for broker, logs in logs_of_brokers(gathered).items():
        lives = _lives(logs, settings)
        found = {f"version.broker-{broker}": list(zip(lives.begun, lives.releases(), strict=True))}
        for setting in settings:
            found[of_broker(broker, setting)] = lives.stated(f"{SETTING}{setting}")
        for name, values in found.items():
            stated = [
                (at + clocks.correction(("broker", broker), at), value)
                for at, value in changes(filled(values))
            ]
            setting = name.removeprefix(of_broker(broker, ""))
            above = [of_log.get((one, setting), ()) for one in (str(broker), ALL_BROKERS)]
            if any(above):
                over = [[(recorded_at(one, clocks), one.value) for one in mine] for mine in above]
                stated = changes(_first_of([*over, stated]))
            if stated and any(above):
                facts[name] = stated[-1][1]
            if len(stated) > 1 and not any(" " in value for _, value in stated):
                facts[over_time(name)] = values_and_times(stated)
    return facts


def recorded_at(one: Recorded, clocks: Clocks) -> int:
    """The time in ns of the trace at which the metadata log has a setting."""
    return one.at + clocks.correction(None if one.node is None else ("records", one.node), one.at)


def _first_of(stacked: Sequence[Values]) -> Values:
    """At each time the value of the first of several that has one then."""
    times = sorted({at for values in stacked for at, _ in values})
    found: Values = []
    for at in times:
        then = (_then(values, at) for values in stacked)
        found.append((at, next((value for value in then if value not in ("", NOT_SET)), UNKNOWN_THEN)))
    return found


def _then(values: Values, at: int) -> str:
    """The value at a time; the first holds before its time, too."""
    place = bisect_right(values, at, key=lambda one: one[0])
    return values[max(place - 1, 0)][1] if values else ""


def releases_in_order(gathered: Gathered) -> Mapping[int, list[str]]:
    """The releases of each broker that states one, or shows it by the default of its protocol, by life."""
    found = {
        broker: _lives(logs, (PROTOCOL,)).releases() for broker, logs in logs_of_brokers(gathered).items()
    }
    known = {broker: list(filter(None, of_lives)) for broker, of_lives in found.items()}
    return {broker: releases for broker, releases in known.items() if releases}


def last_releases(gathered: Gathered) -> Mapping[int, str]:
    """The last of `releases_in_order`."""
    return {broker: releases[-1] for broker, releases in releases_in_order(gathered).items()}


def logs_of_brokers(gathered: Gathered) -> Mapping[int, list[LogOf]]:
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

    def stated(self, name: str) -> Values:
        """What is stated under a name: the first of each life from its start on, "" where there is none."""
        found: Values = []
        for begun, mine in zip(self.begun, self._by_life(name), strict=True):
            found.append((begun, mine[0][1] if mine else ""))
            found += mine[1:]
        return found

    def of_lives(self, name: str) -> list[str]:
        """What each life states last under a name; "" for nothing."""
        return [mine[-1][1] if mine else "" for mine in self._by_life(name)]

    def _by_life(self, name: str) -> list[Values]:
        """What each life states under a name, in the order of time."""
        found: list[Values] = [[] for _ in self.begun]
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
    names = {_VERSION, *(f"{SETTING}{one}" for one in settings)}
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


def filled(values: Values) -> Values:
    """The values; where nothing is stated that of the neighbours, if only one of them or both have it."""
    filled: Values = []
    for place, (at, value) in enumerate(values):
        if value:
            filled.append((at, value))
            continue
        before = next((one for _, one in reversed(values[:place]) if one), "")
        after = next((one for _, one in values[place:] if one), "")
        agree = not before or not after or before == after
        filled.append((at, (before or after) if agree else UNKNOWN_THEN))
    return filled


def changes(values: Values) -> Values:
    """The values without those that repeat the one before."""
    return [one for place, one in enumerate(values) if not place or one[1] != values[place - 1][1]]
