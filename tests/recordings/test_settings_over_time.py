"""Unclean elections that are allowed by hand, before or after an incident: what was in force then is told."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.diagnose.account.find import find_incidents
from core.diagnose.verdict.check import diagnose
from core.trace.settings import topic_setting
from core.trace.trace import Trace
from core.words import text
from importers.load import load
from tests.archives import unpack_recording
from tests.recordings.referee import Heard, false_losses, invented_cuts, of_the_last_topics, outside
from tests.recordings.test_upgrades import STAMP, stamps

pytestmark = pytest.mark.slow

UNCLEAN = "unclean.leader.election.enable"
MADE = re.compile(r"(Created log for partition events-\d+ in \S+ with properties )\{[^}]*\}")
ENABLED = "Unclean leader election has been enabled for topic events"
CHANGE = "Processing override for entityPath: topics/events with config: Map({})"


def set_by_hand(folder: Path, changes: dict[datetime, str]) -> None:
    """The topic is made without settings, and each broker that ran then prints each change."""
    for log in folder.glob("broker-*/logs/server.log"):
        lines = MADE.sub(r"\1{}", log.read_text(encoding="utf-8")).splitlines(keepends=True)
        for at, listed in changes.items():
            later = (place for place, line in enumerate(lines) if any(one >= at for one in stamps(line)))
            told = f"[{at.strftime(STAMP)[:-3]}] INFO {CHANGE.format(listed)}"
            lines.insert(next(later, len(lines)), f"{told} (kafka.server.DynamicConfigManager)\n")
        log.write_text("".join(lines), encoding="utf-8")
    for log in folder.glob("broker-*/logs/controller.log"):
        kept = [
            line for line in log.read_text(encoding="utf-8").splitlines(keepends=True) if ENABLED not in line
        ]
        log.write_text("".join(kept), encoding="utf-8")


def elections(trace: Trace) -> list[int]:
    """When a leader of the topic was elected from outside of the in-sync set, in ns."""
    return [
        term.start
        for one in diagnose(trace).partitions
        if trace.partitions[one.partition].tp.topic == "events"
        for term in one.leadership
        if term.election == "unclean"
    ]


def advice(trace: Trace) -> str:
    return "\n".join(text(action) for one in find_incidents(trace, diagnose(trace)) for action in one.actions)


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
@pytest.mark.parametrize(
    ("when", "then", "told"),
    [
        ("before", "true", "=false on topic events"),
        ("taken back", "true", "is no longer: leave it so"),
        ("after", "false", "=false on topic events"),
    ],
)
def test_what_is_said_of_an_election_is_what_was_in_force_then(
    when: str, then: str | None, told: str, tmp_path: Path, *, data: bool
) -> None:
    folder, truth = unpack_recording("k28-unclean-loss", tmp_path)
    if not data:
        for path in sorted(folder.glob("*/data*/**/*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
    (first, *_) = sorted(elections(load([folder])))
    at = datetime.fromtimestamp(first // 1_000_000 / 1_000, UTC)
    before, after = at - timedelta(milliseconds=40), at + timedelta(seconds=12)
    on, off = f"{UNCLEAN} -> true", f"{UNCLEAN} -> false"
    set_by_hand(
        folder, {"before": {before: on}, "taken back": {before: on, after: off}, "after": {after: on}}[when]
    )

    trace = load([folder])

    assert topic_setting(trace, "events", UNCLEAN, first) == then
    assert topic_setting(trace, "events", UNCLEAN) is None
    assert told in advice(trace)
    heard, truth = Heard(trace, diagnose(trace)), of_the_last_topics(truth)
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert outside(truth, heard, step=5)[0] == []
