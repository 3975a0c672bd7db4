"""Where tracing is forbidden, the twin in Python sees the same calls as strace, and stops at them."""

import errno
import re

import pytest

from tests.kills.calls import Call
from tests.kills.harness import Cases, may_trace
from tests.kills.points import by_twin, sample, seen_by_twin
from tests.kills.twin import is_possible

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("kills"),
    pytest.mark.skipif(not is_possible(), reason="Python's sqlite3 has an SQLite of its own, out of reach"),
]
_TOKEN = re.compile("[0-9a-f]{16}")
"""Chance in the names of half-made files."""
NAMES = {"openat": "open", "pwrite": "pwrite64", "replace": "rename", "remove": "unlink"}


def _seen(calls: list[Call]) -> list[tuple[str, str]]:
    """Those that the twin can see: all but the syncs of SQLite, and what is said."""
    return [
        (NAMES.get(call.name, call.name), call.path)
        for call in calls
        if call.name not in {"fdatasync", "writev"}
    ]


@pytest.mark.skipif(not may_trace(), reason="without strace there is nothing to compare with")
@pytest.mark.parametrize("name", ["notes", "replace", "journal-read"])
def test_the_twin_sees_what_strace_sees(cases: Cases, name: str) -> None:
    case = cases[name]

    traced = _seen(case.counted(case.recorded()))
    seen = [(NAMES.get(kind, kind), path) for kind, path in seen_by_twin(case)]

    assert [(kind, _TOKEN.sub("", path)) for kind, path in seen] == [
        (kind, _TOKEN.sub("", path)) for kind, path in traced
    ]


@pytest.mark.parametrize("name", ["notes", "replace"])
def test_a_kill_by_the_twin_loses_nothing_either(cases: Cases, name: str, *, every: bool) -> None:
    case = cases[name]
    wrong: list[str] = []

    for point in sample(by_twin(case), None if every else 3, name):
        outcome = case.perform(**point.how)
        if outcome.finished:
            wrong.append(f"{point.label}: the operation was not stopped there")
        wrong.extend(f"{point.label}: {text}" for text in case.complaints(outcome))

    assert wrong == []


def test_a_full_disk_by_the_twin_is_told_in_words(cases: Cases) -> None:
    case = cases["notes"]
    seen = seen_by_twin(case)
    first = 1 + next(
        place for place, (name, path) in enumerate(seen) if path.endswith("-journal") and name != "open"
    )

    outcome = case.perform(twin={"stop": first, "error": errno.ENOSPC})

    assert "cannot be written" in outcome.refused[0]
    assert outcome.did == [1, 2, 3, 4, 5, 6]
    assert case.complaints(outcome) == []
