"""What a person says about a source that the source does not say itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.trace.ids import Nanos


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Choices for one import. Nothing set means: find out, and say how.

    `zones` maps a broker id as text to the zone of its logs ("UTC", "+01:00", "Europe/Berlin"); the key None
    holds for all others. `topic` is a glob. `start` and `end` keep events with start <= at <= end. `broker`
    is the broker of files that do not say whose they are; `brokers` maps single files to theirs, by
    `ReadFile.name`, and holds above all that was found out. The key "" of `zones` is for files whose broker
    is not known. `left_out` are the paths of files that are not read. `year` is for layouts without one.
    `name` names the trace.
    """

    zones: Mapping[str | None, str] = field(default_factory=dict[str | None, str])
    year: int | None = None
    topic: str | None = None
    start: Nanos | None = None
    end: Nanos | None = None
    broker: int | None = None
    name: str | None = None
    brokers: Mapping[str, int] = field(default_factory=dict[str, int])
    left_out: frozenset[str] = frozenset()
