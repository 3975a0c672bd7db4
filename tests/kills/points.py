"""The moments at which an operation can be stopped: each of its writing calls, and how to stop it there."""

import errno
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.kills.harness import Case, may_trace

_FULL: Final = frozenset({"openat", "write", "pwrite64", "ftruncate", "fallocate", "mkdir", "open", "pwrite"})
"""What needs room on the disk; the others fail as on a disk that is broken."""
_LASTS: Final = frozenset({"write", "pwrite64"})
"""A full disk stays full: from this call on all of its name fail."""


@dataclass(frozen=True, slots=True)
class Point:
    """One moment: what the call is called, and what `Case.perform` needs to be stopped before it."""

    name: str
    label: str
    how: Mapping[str, Any]


def kills(case: Case, **asked: Any) -> list[Point]:
    """A kill before each writing call; that is, after the one before. By strace, or else by the twin."""
    return by_strace(case, **asked) if may_trace() else by_twin(case, **asked)


def by_strace(case: Case, **asked: Any) -> list[Point]:
    """Kills that the kernel delivers when the call begins."""
    return [
        Point(
            call.name,
            f"{call.name} {call.number} {call.path}",
            _injected(call.name, f"signal=KILL:when={call.number}"),
        )
        for call in case.counted(case.recorded(**asked))
    ]


def by_twin(case: Case, **asked: Any) -> list[Point]:
    """Kills from inside of the process (tests/kills/twin.py)."""
    return [
        Point(name, f"{number} {name} {path}", {"twin": {"stop": number}})
        for number, (name, path) in enumerate(seen_by_twin(case, **asked), start=1)
    ]


def seen_by_twin(case: Case, **asked: Any) -> list[tuple[str, str]]:
    """Name and path of each call that the twin sees of a run that nobody stops."""
    log = case.run.with_name("log")
    log.unlink(missing_ok=True)
    assert case.perform(twin={"log": str(log)}, **asked).finished
    lines = log.read_text(encoding="utf-8").splitlines()
    return [(name, path) for name, _, path in (line.partition(" ") for line in lines)]


def failures(case: Case) -> list[Point]:
    """Each writing call fails: for a full disk, or because the disk is broken."""
    if not may_trace():
        return [
            Point(
                name,
                f"{number} {name} {path} fails",
                {"twin": {"stop": number, "error": errno.ENOSPC if name in _FULL else errno.EIO}},
            )
            for number, (name, path) in enumerate(seen_by_twin(case), start=1)
        ]
    points: list[Point] = []
    for call in case.counted(case.recorded()):
        if call.name != "writev" and not call.failed:
            error = "ENOSPC" if call.name in _FULL else "EIO"
            when = f"{call.number}+" if call.name in _LASTS else str(call.number)
            points.append(
                Point(
                    call.name,
                    f"{call.name} {when} {call.path} fails: {error}",
                    _injected(call.name, f"error={error}:when={when}"),
                )
            )
    return points


def _injected(name: str, what: str) -> Mapping[str, Any]:
    return {"trace": ["-o", os.devnull, "-e", f"trace={name}", "-e", f"inject={name}:{what}"]}


def dice(seed: str) -> random.Random:
    """The same numbers for the same seed."""
    return random.Random(seed)  # noqa: S311 - which moments are tried, not a secret


def sample(points: Sequence[Point], count: int | None, seed: str) -> list[Point]:
    """So many of them, the same ones for a seed, of as many kinds of calls as there are; None is all."""
    if count is None:
        return list(points)
    chance = dice(seed)
    kinds: dict[str, list[Point]] = {}
    for point in chance.sample(points, len(points)):
        kinds.setdefault(point.name, []).append(point)
    ranks = [(place, number) for number, kind in enumerate(kinds.values()) for place in range(len(kind))]
    every = list(kinds.values())
    return [every[number][place] for place, number in sorted(ranks)[:count]]
