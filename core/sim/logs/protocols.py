"""What each broker runs by in each of its lives: protocol, message format, and the rules by them."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.kafka.eras import Era
from core.kafka.protocols import (
    FORMAT,
    PROTOCOL,
    fetches_old_records,
    under_protocol,
    writes_old_records,
)
from core.kafka.switches import Switches
from core.trace.settings import of_broker, stated_at, stated_over_time
from core.trace.trace import Trace

_OLD, _NEW = 1, 2
"""The versions of the message format to 0.10 and from 0.11 on, as lines name them."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a broker runs by. `settings` are those of its own that are not everybody's."""

    switches: Switches
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    writes_old: bool = False
    fetches_old: bool = False

    @property
    def message_version(self) -> int:
        """The version of its message format, as lines of a log name it."""
        return _OLD if self.writes_old else _NEW


def spoken_over_time(trace: Trace, rules: Era) -> Mapping[int, tuple[tuple[int, Spoken], ...]]:
    """By broker what it ran by, each from a time in ns on; nothing of one that the era alone decides."""
    found: dict[int, tuple[tuple[int, Spoken], ...]] = {}
    for one in trace.brokers:
        broker = int(one.broker_id)
        names = [of_broker(broker, setting) for setting in (PROTOCOL, FORMAT)]
        times = sorted({at for name in names for at, _ in stated_over_time(trace, name)})
        if times:
            found[broker] = tuple((at, _spoken(trace, rules, names, at)) for at in times)
    return found


def _spoken(trace: Trace, rules: Era, names: list[str], at: int) -> Spoken:
    protocol, message_format = ("".join(stated_at(trace, name, at)) for name in names)
    return Spoken(
        switches=under_protocol(rules, protocol, message_format).switches,
        settings={PROTOCOL: protocol, FORMAT: message_format},
        writes_old=writes_old_records(protocol, message_format),
        fetches_old=fetches_old_records(protocol),
    )


def spoken_at(lives: tuple[tuple[int, Spoken], ...], at: int) -> Spoken:
    """What holds at a time in ns; before the first one that one."""
    return lives[max(bisect_right(lives, at, key=lambda one: one[0]) - 1, 0)][1]
