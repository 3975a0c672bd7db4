"""The same line in two files of one broker is one statement: stdout repeats what server.log says."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from importers.drafts import Draft
from importers.lives import LogOf

_CONSOLE: Final = (".out", "stdout", "nohup", "console", "journal")


def without_repeats(
    logs: Sequence[LogOf], paths: Sequence[str]
) -> Iterator[tuple[LogOf, tuple[Draft, ...], int]]:
    """Each log of one broker with the drafts that no log before it has, and how many records it repeats.

    Console output comes last, so that evidence points into the files that are kept for long. A record that a
    file holds n times is repeated only as often as another file holds it.
    """
    known: Counter[int] = Counter()
    for log, _ in sorted(zip(logs, paths, strict=True), key=lambda pair: (_is_console(pair[1]), pair[1])):
        here: Counter[int] = Counter()
        fresh: list[Draft] = []
        repeats: set[int] = set()
        for draft in log.drafts.drafts:
            if draft.ordinal == 0:
                here[draft.fingerprint] += 1
            if here[draft.fingerprint] <= known[draft.fingerprint]:
                repeats.add(draft.byte)
            else:
                fresh.append(draft)
        known |= here
        yield log, tuple(fresh), len(repeats)


def _is_console(path: str) -> bool:
    return any(word in path.rsplit("/", 1)[-1].lower() for word in _CONSOLE)
