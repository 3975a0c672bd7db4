"""What a person says about a source that the source does not say itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from core.trace.ids import Nanos


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Choices for one import. Nothing set means: find out, and say how.

    `zones` maps a broker id as text to the zone of its logs ("UTC", "+01:00", "Europe/Berlin"); the key None
    holds for all others. `topic` is a glob. `start` and `end` keep events with start <= at <= end. `broker`
    is the broker of files that do not say whose they are. `year` is for layouts without one. `name` names the
    trace.
    """

    zones: Mapping[str | None, str] = field(default_factory=lambda: MappingProxyType({}))
    year: int | None = None
    topic: str | None = None
    start: Nanos | None = None
    end: Nanos | None = None
    broker: int | None = None
    name: str | None = None
