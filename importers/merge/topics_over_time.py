"""The settings of topics over time: what brokers, controllers and the metadata log tell of them.

A broker that runs prints each change of a topic's settings, so that a value holds from one of its lines to
the next. Where no broker that was told of the topic ran, the value is that of the lines before and after if
both agree, else it is not known. What the metadata log has stands above all lines, up to its end.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

from core.assumptions import CHANGE_NOTICES_KEPT_FOR, CONTROLLER_TELLS_BROKERS_WITHIN
from core.trace.settings import CHANGED, NOT_SET, UNKNOWN_THEN, over_time, values_and_times
from importers.disk.metadata_settings import TOPIC, Recorded, of_kind
from importers.kafka.life import REGISTERING
from importers.kafka.topic_settings import MADE, NOTICED, PUBLISHED, SET, settings_of
from importers.merge.clock import Clocks
from importers.merge.gathered import Gathered
from importers.merge.lives import LogOf, last_before, starts, times_of, utc_of
from importers.merge.over_time import (
    SETTING,
    Values,
    changes,
    filled,
    logs_of_brokers,
    recorded_at,
)

_CHANGES: Final = (NOTICED, PUBLISHED, SET)
_WITH_ALL: Final = "all"
"""How a line tells that a log was made "with properties" of all settings, the brokers' among them."""
_NUMBER: Final = "min.insync.replicas"
_ENDLESS: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class _Told:
    """What a line tells of one setting of a topic, at a time in ns of the trace."""

    at: int
    how: str
    value: str


@dataclass(frozen=True, slots=True)
class _Life:
    """From the first to the last line of a process, in ns of the trace.

    `up` is when it was up, None where no line of its start says so. `notices`: until then it was told what
    had changed in ZooKeeper within the last minutes.
    """

    begun: int
    end: int
    up: int | None
    notices: bool

    def starting(self, at: int) -> bool:
        """Whether it was not up yet."""
        return self.up is not None and self.begun <= at <= self.up

    def keeps(self, value: str, since: int) -> bool:
        """Whether a value that held at a time in ns held at its start, too: it would have told of another."""
        told = self.notices and self.begun - since <= CHANGE_NOTICES_KEPT_FOR.ns
        return self.up is not None and (told or value == NOT_SET)


@dataclass(frozen=True, slots=True)
class _Span:
    """A value that holds from `since` on, before `until`."""

    since: int
    until: int
    value: str


def topics_over_time(
    gathered: Gathered, clocks: Clocks, recorded: Sequence[Recorded], until: int
) -> dict[str, str]:
    """As facts: `config.topic-t.min.insync.replicas`, and all values with their times where it changed.

    `recorded` is what the metadata log has, which ends at `until`.
    """
    of_log = of_kind(recorded, TOPIC)
    logs = logs_of_brokers(gathered)
    told = _told(logs, clocks)
    lives = {broker: _lives(broker, mine, clocks) for broker, mine in logs.items()} if told else {}
    settings = _of_brokers(logs) if told else {}
    facts: dict[str, str] = {}
    for topic, setting in sorted({*told, *of_log}):
        of_brokers = _effective(told.get((topic, setting), {}), settings, setting)
        found = _joined(of_brokers, lives, _committed(of_log.get((topic, setting), ()), clocks, until))
        name = f"config.topic-{topic}.{setting}"
        if len(found) > 1:
            facts |= {name: CHANGED, over_time(name): values_and_times(found)}
        elif found[0][1] not in (NOT_SET, UNKNOWN_THEN):
            facts[name] = found[0][1]
    return facts


_ByBroker: TypeAlias = Mapping[int, Sequence[_Told]]


def _told(logs: Mapping[int, Sequence[LogOf]], clocks: Clocks) -> dict[tuple[str, str], _ByBroker]:
    """What the logs of each broker tell, by topic and setting, in the order of time."""
    found: dict[tuple[str, str], dict[int, list[_Told]]] = {}
    for broker, mine in logs.items():
        for log in mine:
            for fact in log.drafts.facts:
                how = next((one for one in (MADE, *_CHANGES) if fact.name.startswith(one)), None)
                if how is None:
                    continue
                at = log.to_utc(fact.local_ns)
                at += clocks.correction(("broker", broker), at)
                values = settings_of(fact.value)
                if how == MADE and all(values.values()):
                    how = _WITH_ALL
                topic = fact.name.partition(":")[2]
                for setting, value in values.items():
                    told = found.setdefault((topic, setting), {}).setdefault(broker, [])
                    told.append(_Told(at, how, _readable(setting, value)))
    return {
        key: {broker: sorted(told, key=_at) for broker, told in by_broker.items()}
        for key, by_broker in found.items()
    }


def _readable(setting: str, value: str) -> str:
    """A value as it stands over time."""
    if setting == _NUMBER and value and not value.isdecimal():
        return UNKNOWN_THEN
    return value or NOT_SET


def _at(one: _Told) -> int:
    return one.at


def _of_brokers(logs: Mapping[int, Sequence[LogOf]]) -> Mapping[tuple[int, str], set[str]]:
    """What each broker states of its own settings, by broker and setting: all values that it had."""
    found: dict[tuple[int, str], set[str]] = {}
    for broker, mine in logs.items():
        for log in mine:
            for fact in log.drafts.facts:
                if fact.name.startswith(SETTING):
                    found.setdefault((broker, fact.name.removeprefix(SETTING)), set()).add(fact.value)
    return found


def _effective(by_broker: _ByBroker, settings: Mapping[tuple[int, str], set[str]], setting: str) -> _ByBroker:
    """The same; where some lines have the brokers' settings in them, so have all, if these are known."""
    if not any(one.how == _WITH_ALL for told in by_broker.values() for one in told):
        return by_broker
    found: dict[int, Sequence[_Told]] = {}
    for broker, told in by_broker.items():
        stated = settings.get((broker, setting), set())
        own = next(iter(stated)).replace(" ", "").strip("[]") if len(stated) == 1 else ""
        found[broker] = [
            replace(one, value=_readable(setting, own)) if one.value == NOT_SET else one for one in told
        ]
    return found


def _lives(broker: int, logs: Sequence[LogOf], clocks: Clocks) -> Sequence[_Life]:
    """The lives that the logs of one broker show, also one that began before them."""
    begun, utc = starts(logs), [utc_of(log) for log in logs]
    first = min((int(stamps[0]) for stamps in utc if len(stamps)), default=0)
    begun = begun if begun and begun[0] <= first else [first, *begun]
    up = times_of(logs, "broker_started")
    registering = [
        log.to_utc(fact.local_ns) for log in logs for fact in log.drafts.facts if fact.name == REGISTERING
    ]

    def corrected(at: int) -> int:
        return at + clocks.correction(("broker", broker), at)

    found: list[_Life] = []
    for since, until in pairwise((*begun, _ENDLESS)):
        last = last_before(until, logs, utc)
        end = since if last is None else max(since, last.at)
        is_up = next((corrected(at) for at in up if since <= at <= end), None)
        notices = any(since <= at <= end for at in registering)
        found.append(_Life(corrected(since), corrected(end), is_up, notices))
    return found


def _committed(recorded: Sequence[Recorded], clocks: Clocks, until: int) -> Sequence[_Span]:
    """The values that the metadata log has."""
    ats = [recorded_at(one, clocks) for one in recorded]
    ends = [*ats[1:], max(until, *ats[-1:]) + 1] if ats else []
    return [_Span(at, max(at, end), one.value) for at, end, one in zip(ats, ends, recorded, strict=True)]


def _spans(told: Sequence[_Told], lives: Sequence[_Life]) -> Iterator[_Span]:
    """The values that the lines of one broker show, life by life."""
    kept: _Span | None = None
    for life in lives:
        mine = [one for one in told if life.begun <= one.at <= life.end]
        told_anew = any(life.starting(one.at) for one in mine)
        if kept is not None and not told_anew and life.keeps(kept.value, kept.until):
            mine = [_Told(life.begun, MADE, kept.value), *mine]
        mine = [one for place, one in enumerate(mine) if not place or one.value != mine[place - 1].value]
        for one, following in pairwise(mine):
            # A change reaches a broker late, and a log that is made later says nothing of when it came.
            until = following.at - CONTROLLER_TELLS_BROKERS_WITHIN.ns if following.how in _CHANGES else one.at
            yield _Span(one.at, max(until, one.at + 1), one.value)
        kept = _Span(mine[-1].at, max(life.end, mine[-1].at) + 1, mine[-1].value) if mine else None
        if kept is not None:
            yield kept


def _joined(by_broker: _ByBroker, lives: Mapping[int, Sequence[_Life]], committed: Sequence[_Span]) -> Values:
    """One value at each time, from what brokers tell and the metadata log has."""
    spans = [one for broker, told in by_broker.items() for one in _spans(told, lives[broker])]
    known = [one for one in committed if one.value != UNKNOWN_THEN]
    found: Values = [(0, UNKNOWN_THEN)] if _begins_unknown(by_broker, lives, committed) else []
    for since, of_log, of_brokers in _at_edges(known, spans):
        values = of_log or of_brokers
        found.append((since, "" if not values else min(values) if len(values) == 1 else UNKNOWN_THEN))
    return changes(filled(found)) or [(0, UNKNOWN_THEN)]


def _at_edges(
    of_log: Sequence[_Span], of_brokers: Sequence[_Span]
) -> Iterator[tuple[int, Collection[str], Collection[str]]]:
    """The values that hold from each begin or end of a span on, but the last end: of the log, of brokers."""
    now = Counter[str](), Counter[str]()
    edges: dict[int, list[tuple[Counter[str], str, int]]] = {}
    for counts, spans in zip(now, (of_log, of_brokers), strict=True):
        for one in spans:
            edges.setdefault(one.since, []).append((counts, one.value, 1))
            edges.setdefault(one.until, []).append((counts, one.value, -1))
    for at in sorted(edges)[:-1]:
        for counts, value, step in edges[at]:
            counts[value] += step
        of_now = [[value for value, count in counts.items() if count] for counts in now]
        yield at, of_now[0], of_now[1]


def _begins_unknown(
    by_broker: _ByBroker, lives: Mapping[int, Sequence[_Life]], committed: Sequence[_Span]
) -> bool:
    """Whether nothing tells of the value before the first that is told: the first line is on a change."""
    if committed and committed[0].value == UNKNOWN_THEN:
        return True
    first, broker = min(
        ((told[0], broker) for broker, told in by_broker.items()),
        key=lambda one: one[0].at,
        default=(None, 0),
    )
    if first is None or first.how not in _CHANGES or (committed and committed[0].since <= first.at):
        return False
    made = [one.at for told in by_broker.values() for one in told if one.how not in _CHANGES]
    if any(abs(at - first.at) <= CONTROLLER_TELLS_BROKERS_WITHIN.ns for at in made):
        return False
    return first.how == NOTICED or not any(life.starting(first.at) for life in lives[broker])
