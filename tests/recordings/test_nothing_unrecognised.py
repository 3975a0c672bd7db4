"""The real recordings, ZooKeeper and KRaft: no line that looks as if it were about replication is unknown."""

from typing import Final

import pytest

from tests.archives import recording_names
from tests.recordings.whole import grouped, whole

EXPLAINED: Final[dict[str, str]] = {}
"""The beginning of a line -> why no rule reads it. Empty: every one of them has a rule."""


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(recording_names()))
def test_the_real_recordings_leave_no_relevant_line_unrecognised(name: str) -> None:
    report = whole(name).trace.report

    unknown = [one for one in report["examples"] if not one["text"].startswith(tuple(EXPLAINED))]
    print(f"{name}: {report['lines']} lines, unrecognised but looks relevant: {unknown}")  # noqa: T201 - a list to read
    assert unknown == []
    assert report["unrecognised"] == sum(one["fate"] == "unrecognised" for one in report["examples"])
    assert report["malformed"] == 0
    assert report["recognised"] > 1000


def test_there_are_recordings_of_both_kinds() -> None:
    names = recording_names()

    assert len(names) == 24
    assert sum(name.startswith(("k39", "k41", "k43")) for name in names) == 11
