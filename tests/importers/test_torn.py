"""A log that ends in the middle of a line: that line states nothing, and what followed is not known."""

from pathlib import Path

import pytest

from importers.lines.layout import find_layout
from importers.lines.parser import parse
from importers.lines.torn import CUT_OFF
from importers.load import load
from importers.options import ImportOptions

WHOLE = (
    "[2026-11-21 03:00:00,000] INFO starting (kafka.server.KafkaServer)\n"
    "[2026-11-21 03:00:01,000] INFO Truncating log t-0 to offset 249. (kafka.log.Log)\n"
    "[2026-11-21 03:00:02,000] INFO Truncating log t-0 to offset 204. (kafka.log.Log)\n"
)


def said(text: str) -> tuple[list[int | None], list[int]]:
    """The offsets of the cuts that a log states, and the lines of the records at which it was cut off."""
    layout = find_layout(text.encode())
    assert layout is not None
    found = parse(text.encode(), layout)
    offsets = [draft.said.offset for draft in found.drafts if draft.said.kind == "truncated"]
    return offsets, [fact.line for fact in found.facts if fact.name == CUT_OFF]


@pytest.mark.parametrize("missing", [2, 5, 15, 19, 22, 40])
def test_a_line_that_was_cut_off_states_nothing(missing: int) -> None:
    assert said(WHOLE[:-missing]) == ([249], [3])


def test_a_last_line_with_its_logger_is_whole() -> None:
    assert said(WHOLE) == ([249, 204], [])
    assert said(WHOLE[:-1]) == ([249, 204], [])


def test_a_stack_trace_that_was_cut_off_leaves_its_record(tmp_path: Path) -> None:
    assert said(WHOLE + "java.io.IOException: no sp") == ([249, 204], [3])


def test_in_another_layout_a_pasted_line_is_whole_unless_it_ends_with_a_number() -> None:
    lines = [f"2026-11-21 03:00:0{n},000 INFO Truncating log t-0 to offset {n}.\n" for n in range(1, 8)]
    pasted = "".join(lines).rstrip("\n")

    assert said(pasted)[0] == [1, 2, 3, 4, 5, 6, 7]
    assert said(pasted.rstrip(".7") + "24")[0] == [1, 2, 3, 4, 5, 6]


def test_the_trace_says_when_each_log_of_a_broker_was_cut_off(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(WHOLE[:-30])

    trace = load([tmp_path], ImportOptions(broker=7))

    assert trace.facts["log.broker-7.server.cut-off"] == str(1_795_230_002 * 10**9)
    assert "log.broker-7.state-change.cut-off" not in trace.facts
