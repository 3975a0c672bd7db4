"""What collectors do to a log: a stamp in front, lines twice, lines in the order in which they arrived."""

import re
from pathlib import Path
from random import Random

import pytest

from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_sample
from tests.in_words import gaps_of

STAMP = re.compile(r"\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d),(\d{3})\] ")


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A part of a broker's log, with lines that belong to the one before: settings, stack traces."""
    folder = unpack_sample("k0102-hw-loss", tmp_path_factory.mktemp("sample"))
    text = (folder / "broker-1" / "logs" / "server.log").read_text()
    found = text.splitlines(keepends=True)[:700]
    assert any(STAMP.match(line) is None for line in found)
    return found


def read(folder: Path, **logs: list[str]) -> Trace:
    for name, some in logs.items():
        (folder / f"{name}.log").write_text("".join(some))
    return load([folder])


def told(trace: Trace) -> list[tuple[str, int, int | None, int | None]]:
    """What is said, and when; lines of one time in any order."""
    events = [trace.event(seq) for seq in range(len(trace))]
    return sorted(
        (one.kind, one.at, one.values.get("leo"), one.values.get("offset") or 0)
        for one in events
        if one.kind not in ("broker_crashed", "evidence_gap")
    )


def stamped(lines: list[str], late_ms: tuple[int, int], *, each: bool) -> list[str]:
    """The time of arrival in front of each line, or of those alone that begin a record."""
    luck = Random(1)  # noqa: S311 - the same lateness in every run
    found: list[str] = []
    front = ""
    for line in lines:
        match = STAMP.match(line)
        if match:
            ms = min(int(match[3]) + luck.randint(*late_ms), 999)
            front = f"{match[1]}T{match[2]}.{ms:03d}417Z "
        found.append(front + line if match or each else line)
    return found


@pytest.mark.parametrize("late_ms", [(0, 3), (2, 900)])
@pytest.mark.parametrize("each", [True, False])
def test_the_brokers_own_stamp_holds_behind_that_of_a_collector(
    tmp_path: Path, lines: list[str], late_ms: tuple[int, int], *, each: bool
) -> None:
    (tmp_path / "alone").mkdir()
    (tmp_path / "collected").mkdir()
    alone = told(read(tmp_path / "alone", server=lines))

    assert told(read(tmp_path / "collected", server=stamped(lines, late_ms, each=each))) == alone


@pytest.mark.parametrize("each", [True, False])
def test_a_log_and_what_a_collector_made_of_it_are_one(
    tmp_path: Path, lines: list[str], *, each: bool
) -> None:
    (tmp_path / "alone").mkdir()
    (tmp_path / "both").mkdir()
    alone = told(read(tmp_path / "alone", server=lines))

    assert told(read(tmp_path / "both", server=lines, collected=stamped(lines, (2, 900), each=each))) == alone


def test_a_line_that_was_collected_twice_is_one_statement(tmp_path: Path, lines: list[str]) -> None:
    luck = Random(2)  # noqa: S311 - the same lines in every run
    doubled = [line for line in lines for _ in range(2 if STAMP.match(line) and luck.random() < 0.5 else 1)]
    (tmp_path / "alone").mkdir()
    (tmp_path / "doubled").mkdir()

    trace = read(tmp_path / "doubled", server=doubled)

    assert told(trace) == told(read(tmp_path / "alone", server=lines))
    assert sum(row.get("repeated", 0) for row in trace.report["by_file"]) > 0


def test_lines_in_the_order_of_their_arrival_are_read_in_that_of_their_stamps(
    tmp_path: Path, lines: list[str]
) -> None:
    luck = Random(3)  # noqa: S311 - the same order in every run
    records = [line for line in lines if STAMP.match(line)]

    def arrival(line: str) -> float:
        match = STAMP.match(line)
        assert match is not None
        hours, minutes, seconds = map(int, match[2].split(":"))
        return (hours * 60 + minutes) * 60 + seconds + int(match[3]) / 1000 + luck.random() * 0.7

    (tmp_path / "alone").mkdir()
    (tmp_path / "mixed").mkdir()
    alone = read(tmp_path / "alone", server=records)
    mixed = read(tmp_path / "mixed", server=sorted(records, key=arrival))

    assert told(mixed) == told(alone)
    text = (tmp_path / "mixed" / "server.log").read_text()
    for seq in range(len(mixed)):
        one = mixed.event(seq)
        if one.kind == "truncated":
            assert "Truncat" in text[one.position :].split("\n")[0]
            assert text[: one.position].count("\n") == one.line - 1


FEW = (
    "00:00,000] INFO [Broker id=1] Creating new partition t-0 with topic id x. (state.change.logger)",
    "00:10,000] INFO [BrokerServer id=1] Transition from SHUTDOWN to STARTING (kafka.server.BrokerServer)",
    "00:20,000] INFO Created log for partition t-0 in /d/t-0 with properties {} (kafka.log.LogManager)",
    "00:20,000] INFO [Partition t-0 broker=1] No checkpointed highwatermark is found for partition t-0 (k)",
    "01:10,000] INFO [Partition t-0 broker=1] ISR updated to 1,3,2  and version updated to 2 (kafka)",
    "01:20,000] INFO [Partition t-0 broker=1] ISR updated to 1,3  and version updated to 3 (kafka)",
)


@pytest.mark.parametrize("order", [(4, 1, 5, 2, 3, 0), (2, 1, 4, 3, 5, 0), (5, 4, 1, 3, 0, 2)])
def test_a_log_of_few_lines_that_goes_back_three_times_is_in_no_order(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    """A clock that is set back thrice in six lines is none; what is sorted by hand is."""
    (tmp_path / "alone").mkdir()
    (tmp_path / "mixed").mkdir()
    records = [f"[2026-01-05 10:{line}\n" for line in FEW]
    alone = read(tmp_path / "alone", server=records)

    assert told(read(tmp_path / "mixed", server=[records[at] for at in order])) == told(alone)


@pytest.mark.parametrize(
    "again", [slice(None), slice(0, 300), slice(250, None)], ids=["whole", "head", "tail"]
)
def test_a_part_that_was_joined_twice_is_read_once(tmp_path: Path, lines: list[str], again: slice) -> None:
    """`cat server.log.1 server.log*` writes the older part twice."""
    (tmp_path / "alone").mkdir()
    (tmp_path / "joined").mkdir()

    trace = read(tmp_path / "joined", server=[*lines, *lines[again]])

    assert told(trace) == told(read(tmp_path / "alone", server=lines))
    assert [gap for gap in gaps_of(trace.report) if "stands in it twice" in gap]
