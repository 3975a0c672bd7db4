"""A file that several share is read the same, wherever in it each of them comes up."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.trace.trace import Trace
from core.work import QUIET
from importers.lines.layout import find_layout
from importers.lines.speakers import SharedLog
from importers.load import load
from importers.options import ImportOptions
from importers.preview import preview
from spark.ranges import cut, list_files
from tests.archives import unpack_sample

CUT = "[2026-11-21 03:{:02}:{:02},161] INFO Truncating log t-0 to offset {}. (kafka.log.Log)"
MANY = 2_500
"""More lines than a layout is learnt from."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[str]]:
    """By broker its log, and a shell's line before it: the first one is longer than what is judged by."""
    folder = unpack_sample("k0102-hw-loss", tmp_path_factory.mktemp("sample"))
    logs: dict[str, Sequence[str]] = {}
    for number in (1, 2, 3):
        lines = (folder / f"broker-{number}/logs/server.log").read_text().splitlines()
        logs[f"broker-{number}"] = ["===> Launching kafka", *lines]
    idle = [f"{logs['broker-1'][-1][:25]} INFO Nothing to do (kafka.Idle)"] * MANY
    logs["broker-1"] = [*logs["broker-1"], *idle]
    return logs


def in_turn(logs: Mapping[str, Sequence[str]]) -> str:
    longest = max(len(lines) for lines in logs.values())
    rows = [(name, lines[at]) for at in range(longest) for name, lines in logs.items() if at < len(lines)]
    return "Attaching to broker-1\n" + "".join(f"{name}  | {line}\n" for name, line in rows)


def one_after_the_other(logs: Mapping[str, Sequence[str]]) -> str:
    rows = [(name, line) for name, lines in logs.items() for line in lines]
    return "Attaching to broker-1\n" + "".join(f"{name}  | {line}\n" for name, line in rows)


def told(trace: Trace) -> list[tuple[Any, ...]]:
    """All events but for their places."""
    events = (trace.event(seq) for seq in range(len(trace)))
    return [(event.kind, event.at, dict(event.values)) for event in events]


def rows(trace: Trace) -> list[dict[str, Any]]:
    """What the report says of each part of the file."""
    return [{**row, "bytes": None} for row in trace.report["by_file"]]


@pytest.mark.slow
def test_one_after_the_other_is_read_as_in_turn(logs: Mapping[str, Sequence[str]], tmp_path: Path) -> None:
    """`kubectl logs --prefix -l app=kafka` prints one pod after the other."""
    path = tmp_path / "compose.log"
    path.write_text(in_turn(logs))
    expected = load([path])
    text = one_after_the_other(logs)
    path.write_text(text)

    trace = load([path])

    assert [source.broker for source in trace.sources] == [1, 2, 3]
    assert told(trace) == told(expected)
    assert rows(trace) == rows(expected)
    lines = text.split("\n")
    assert all(kept.text == lines[kept.line - 1] for kept in trace.lines)
    of_3 = next(event for seq in range(len(trace)) if (event := trace.event(seq)).source == 2)
    assert {of_3.line - 1, of_3.line, of_3.line + 1} <= {kept.line for kept in trace.lines}


def test_whatever_the_pieces_are(logs: Mapping[str, Sequence[str]]) -> None:
    data = one_after_the_other({name: lines[:300] for name, lines in logs.items()}).encode()
    layout = find_layout(data)
    assert layout is not None
    found: list[Any] = []
    for size in (len(data), 1_009, 70_001):
        log = SharedLog(layout)
        for at in range(0, len(data), size):
            log.feed(data[at : at + size])
        found.append(
            [(own.label, list(one.drafts), one.counts, one.lines.tolist()) for own, one, _ in log.end()]
        )
    assert [label for label, *_ in found[0]] == ["broker-1", "broker-2", "broker-3"]
    assert found[1] == found[0]
    assert found[2] == found[0]


def test_a_single_speaker_shares_with_nobody(tmp_path: Path) -> None:
    path = tmp_path / "compose.log"
    path.write_text("".join(f"kafka  | {CUT.format(0, second, second)}\n" for second in range(10)))

    assert [row.get("part") for row in load([path], ImportOptions(broker=7)).report["by_file"]] == [None]


@pytest.mark.parametrize(
    ("logger", "named"), [("kafka.server.KafkaServer", True), ("io.example.Gateway", False)]
)
def test_a_broker_whose_lines_have_another_layout_is_named(
    tmp_path: Path, logger: str, *, named: bool
) -> None:
    """Nothing of broker 3 is read, so the import must not say that nothing was left out."""
    others = [f"2026/11/21 03:00:{at:02} - {logger} -> INFO -> of the kafka broker" for at in range(5)]
    others[2:2] = [f"\tsetting.{at} = kafka" for at in range(3_000)]
    lines = [f"broker-{one}  | {CUT.format(0, at, at)}" for at in range(20) for one in (1, 2)]
    path = tmp_path / "compose.log"
    path.write_text("\n".join([*lines, *(f"broker-3  | {line}" for line in others), ""]))

    trace = load([path])

    left = [(one["file"], one["reason"]["id"]) for one in trace.report["left_out"]]
    assert left == ([("compose.log (broker-3)", "error.log.layout")] if named else [])
    assert [source.broker for source in trace.sources if source.broker is not None] == [1, 2]


def late(folder: Path, *, shared: bool) -> Path:
    """A log in which a second broker speaks behind all that a layout is learnt from, or none does."""
    path = folder / "compose.log"
    lines = [f"broker-1  | {CUT.format(at // 60, at % 60, at)}\n" for at in range(MANY)]
    path.write_text("".join(lines) + f"broker-{2 if shared else 1}  | {CUT.format(50, 0, 7)}\n")
    return path


def test_a_preview_has_who_speaks_at_the_end(tmp_path: Path) -> None:
    found = preview([late(tmp_path, shared=True)]).files

    assert [(file.name, file.broker) for file in found] == [
        ("compose.log (broker-1)", 1),
        ("compose.log (broker-2)", 2),
    ]


@pytest.mark.parametrize("shared", [True, False])
def test_a_log_is_cut_into_ranges_where_nobody_shares_it(tmp_path: Path, shared: bool) -> None:  # noqa: FBT001
    files = list_files([late(tmp_path, shared=shared)], QUIET)

    ranges = cut(files, 100_000)

    assert [one.layout for one in ranges] == [None] if shared else all(one.layout for one in ranges)
    assert (len(ranges) == 1) == shared


@pytest.mark.slow
def test_more_speakers_than_can_be_told_apart_are_read(tmp_path: Path) -> None:
    """Each host of a journal says something once: nothing of it is lost, and it ends."""
    path = tmp_path / "compose.log"
    lines = (f"host{at}x  | {CUT.format(at // 60, at % 60, at)}\n" for at in range(300))
    path.write_text("".join(lines))

    trace = load([path], ImportOptions(broker=1))

    assert sorted(trace.event(seq).values["offset"] for seq in range(len(trace))) == list(range(300))
    assert len(trace.sources) == 101
