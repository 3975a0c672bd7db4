"""What each broker runs by in each of its lives: release, protocol, message format, and the rules by them."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.kafka.eras import Era
from core.kafka.protocols import (
    FORMAT,
    METADATA_VERSION,
    PROTOCOL,
    fetches_old_records,
    under_protocol,
    writes_old_records,
)
from core.kafka.switches import Switches
from core.sim.logs.tables import LINES
from core.sim.logs.wording import Line, lines_of
from core.sim.protocols import base_of
from core.trace.settings import of_broker, stated_at, stated_over_time, version_of
from core.trace.trace import Broker, Trace

_OLD, _NEW = 1, 2
"""The versions of the message format to 0.10 and from 0.11 on, as lines name them."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a broker runs by. `settings` are those of its own that are not everybody's."""

    release: str
    switches: Switches
    lines: Mapping[str, Line]
    """What the release prints, by name."""
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    writes_old: bool = False
    fetches_old: bool = False

    @property
    def message_version(self) -> int:
        """The version of its message format, as lines of a log name it."""
        return _OLD if self.writes_old else _NEW


def metadata_versions(trace: Trace) -> tuple[tuple[int, str], ...]:
    """Each metadata.version of the cluster, with its time in ns; () where it is the era's own."""
    return stated_over_time(trace, of_broker(int(trace.brokers[0].broker_id), METADATA_VERSION))


def spoken_over_time(
    trace: Trace, rules: Era, settings_of: Callable[[Era], Mapping[str, str]]
) -> Mapping[int, tuple[tuple[int, Spoken], ...]]:
    """By broker what it ran by, each from a time in ns on; nothing of one that the era alone decides.

    `settings_of` gives the settings of a release.
    """
    found: dict[int, tuple[tuple[int, Spoken], ...]] = {}
    for one in trace.brokers:
        broker = int(one.broker_id)
        names = version_of(broker), *(of_broker(broker, setting) for setting in (PROTOCOL, FORMAT))
        times = sorted({at for name in names for at, _ in stated_over_time(trace, name)})
        if not times and one.version != rules.release:
            times = [0]
        if times:
            found[broker] = tuple((at, _spoken(trace, one, rules, settings_of, at)) for at in times)
    return found


def _spoken(
    trace: Trace, broker: Broker, rules: Era, settings_of: Callable[[Era], Mapping[str, str]], at: int
) -> Spoken:
    names = (of_broker(broker.broker_id, setting) for setting in (PROTOCOL, FORMAT))
    protocol, message_format = ("".join(stated_at(trace, name, at)) for name in names)
    release = "".join(stated_at(trace, version_of(broker.broker_id), at)) or broker.version
    base = base_of(rules, release)
    own = {PROTOCOL: protocol, FORMAT: message_format} if protocol else {}
    return Spoken(
        release=base.release,
        switches=under_protocol(base, protocol, message_format).switches,
        lines=lines_of(base.release, LINES),
        settings={**settings_of(base), **own},
        writes_old=writes_old_records(protocol, message_format),
        fetches_old=fetches_old_records(protocol),
    )


def spoken_at(lives: tuple[tuple[int, Spoken], ...], at: int) -> Spoken:
    """What holds at a time in ns; before the first one that one."""
    return lives[max(bisect_right(lives, at, key=lambda one: one[0]) - 1, 0)][1]
