"""A recording whose logs were cut and joined in the wrong order says what it says in the right one."""

import re
from pathlib import Path
from typing import Any

import pytest

from core.history.open import open_partition
from core.history.state import Role
from core.history.view import read_view
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_recording
from tests.in_words import gaps_of

RECORD = re.compile(rb"^\[\d{4}-", re.MULTILINE)
SEGMENT = re.compile(r"\d{20}\.log")
FEW = 20
"""Records of a log that is not worth cutting."""


def turn_round(log: Path, parts: int) -> bool:
    """Join the parts of a log, the newest first, as a rotated log's; False where it is too short."""
    data = log.read_bytes()
    begins = [match.start() for match in RECORD.finditer(data)]
    if len(begins) < FEW:
        return False
    cuts = [0, *(begins[len(begins) * part // parts] for part in range(1, parts)), len(data)]
    log.write_bytes(b"".join(data[cuts[at] : cuts[at + 1]] for at in reversed(range(parts))))
    return True


def told(trace: Trace) -> list[tuple[Any, ...]]:
    """All events with the text of the line of each, but for its number."""
    texts = {(kept.source, kept.line): kept.text for kept in trace.lines}
    events = (trace.event(seq) for seq in range(len(trace)))
    return [
        (one.kind, one.at, dict(one.values), one.cause, one.source, texts.get((one.source, one.line)))
        for one in events
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k0102-rolling-restart", "k28-rolling-restart"])
def test_logs_joined_newest_first_say_the_same(name: str, tmp_path: Path) -> None:
    folder, _ = unpack_recording(name, tmp_path)
    expected = told(load([folder]))
    logs = [log for log in sorted(folder.rglob("*.log")) if not SEGMENT.fullmatch(log.name)]
    turned = {log.relative_to(folder).as_posix() for log in logs if turn_round(log, 2)}

    trace = load([folder])

    assert told(trace) == expected
    wrong = {gap.partition(": its 2 parts")[0] for gap in gaps_of(trace.report) if "wrong order" in gap}
    assert wrong == turned
    assert len(turned) == 9


@pytest.mark.slow
def test_logs_of_controllers_are_ordered_by_the_epochs_of_the_quorum(tmp_path: Path) -> None:
    """Both logs of each controller were cut: server.log says the epochs of the metadata quorum."""
    folder, _ = unpack_recording("k39-rolling-restart", tmp_path)
    terms = terms_of(folder)
    logs = [log for log in sorted(folder.rglob("*.log")) if not SEGMENT.fullmatch(log.name)]
    turned = {log.relative_to(folder).as_posix() for log in logs if turn_round(log, 2)}

    gaps = gaps_of(load([folder]).report)

    left_out = {gap.partition(" was left out: its times go back")[0] for gap in gaps if "go back" in gap}
    put_right = {gap.partition(": its 2 parts")[0] for gap in gaps if "wrong order" in gap}
    assert not left_out
    assert put_right == turned
    assert any(name.startswith("controller-") for name in put_right)
    assert terms_of(folder) == terms


def terms_of(folder: Path) -> list[tuple[int | None, int, list[Role]]]:
    """The terms of the metadata quorum, and what each leader of one was in turn."""
    trace = load([folder])
    topics = [one.tp.topic for one in trace.partitions]
    opened = open_partition(read_view(trace, topics.index(METADATA_TOPIC)))
    return [
        (one.epoch, one.leader, [span.role for span in opened.roles[one.leader].spans])
        for one in opened.control.tenures
    ]
