"""What a person says about a source that the source does not say itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase

from core.trace.ids import Nanos


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Choices for one import. Nothing set means: find out, and say how.

    `zones` maps a broker id as text to the zone of its logs ("UTC", "+01:00", "Europe/Berlin"); the key None
    holds for all others. `topic` is a glob. `start` and `end` keep events with start <= at <= end. `broker`
    is the broker of files that do not say whose they are; `brokers` maps files to theirs, by `ReadFile.name`,
    and holds above all that was found out. The key "" of `zones` is for files whose broker is not known.
    `left_out` are files that are not read, by their paths. Both may name a folder or an archive for all that
    is in it, or be a glob (`names_file`). `year` and `day` are those in which layouts without them begin.
    `name` names the trace.
    """

    zones: Mapping[str | None, str] = field(default_factory=dict[str | None, str])
    year: int | None = None
    day: date | None = None
    topic: str | None = None
    start: Nanos | None = None
    end: Nanos | None = None
    broker: int | None = None
    name: str | None = None
    brokers: Mapping[str, int] = field(default_factory=dict[str, int])
    left_out: frozenset[str] = frozenset()

    def leaves_out(self, path: str) -> bool:
        """Whether a file is not to be read."""
        return path in self.left_out or any(names_file(one, path) for one in self.left_out)

    def unused(self, files: Iterable[str]) -> tuple[str, ...]:
        """What `brokers` and `left_out` name and no file is called, sorted."""
        known = tuple(files)
        named = {*self.brokers, *self.left_out}
        return tuple(sorted(one for one in named if not any(names_file(one, file) for file in known)))


def names_file(name: str, path: str) -> bool:
    """Whether what a person wrote names a file of a source.

    It is its path, or a folder or archive that it lies in, or a glob: over the whole path, where `*` crosses
    folders, or without a slash over the last part of it.
    """
    if path == name or path.startswith((f"{name}/", f"{name}!/")):
        return True
    if not any(sign in name for sign in "*?["):
        return False
    return fnmatchcase(path, name) or ("/" not in name and fnmatchcase(path.rpartition("/")[2], name))


def broker_named(brokers: Mapping[str, int], name: str) -> int | None:
    """The broker that was stated for a file; the longest of several names that fit decides."""
    if name in brokers:
        return brokers[name]
    fitting = [one for one in brokers if names_file(one, name)]
    return brokers[max(fitting, key=lambda one: (len(one), one))] if fitting else None
