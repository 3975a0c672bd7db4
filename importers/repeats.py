"""The same line in two files of one broker is one statement: stdout repeats what server.log says."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from importers.drafts import Draft
from importers.lives import LogOf

_CONSOLE: Final = (
    ".out",
    "stdout",
    "nohup",
    "console",
    "journal",
    "docker",
    "container",
    "-json.log",
    "syslog",
)
_SECOND: Final = 1_000_000_000
_CHANCE: Final = 5


def without_repeats(
    logs: Sequence[LogOf], paths: Sequence[str]
) -> Iterator[tuple[LogOf, tuple[Draft, ...], int]]:
    """Each log of one broker with the drafts that no log before it has, and how many records it repeats.

    The same message at the same time is the same record, in whatever layout; a layout without milliseconds
    makes all times of this broker as coarse. Console output comes last, so that evidence points into the
    files that are kept for long. A record that a file holds n times is repeated only as often as another file
    holds it.
    """
    tick = _SECOND if any(_coarse(log) for log in logs) else 1
    known: Counter[tuple[int, int]] = Counter()
    for log, _ in sorted(zip(logs, paths, strict=True), key=lambda pair: (_is_console(pair[1]), pair[1])):
        here: Counter[tuple[int, int]] = Counter()
        fresh: list[Draft] = []
        repeats: set[int] = set()
        for draft in log.drafts.drafts:
            record = draft.fingerprint, log.to_utc(draft.local_ns) // tick
            if draft.ordinal == 0:
                here[record] += 1
            if here[record] <= known[record]:
                repeats.add(draft.byte)
            else:
                fresh.append(draft)
        known |= here
        yield log, tuple(fresh), len(repeats)


def _coarse(log: LogOf) -> bool:
    """Whether all stamps are whole seconds. A single record may be one by chance."""
    stamps = log.drafts.stamps
    return len(stamps) > _CHANCE and not (stamps % _SECOND).any()


def _is_console(path: str) -> bool:
    return any(word in path.rsplit("/", 1)[-1].lower() for word in _CONSOLE)
