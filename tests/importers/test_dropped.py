"""Lines that say that others were dropped, and what no line tells of: nothing false is said of either."""

import datetime as dt
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from importers.lines.dropped import DROPPED
from importers.lines.layout import Layout, find_layout
from importers.lines.parser import parse
from importers.lines.speakers import layout_of
from importers.load import load
from importers.options import ImportOptions
from tests.archives import unpack_recording
from tests.recordings.distorting import lines_of, stamp_of, written
from tests.recordings.pieces import node_of, text_logs
from tests.recordings.referee import (
    Heard,
    Truth,
    false_losses,
    invented_cuts,
    of_the_last_topics,
    outside,
    wrong_control,
    wrong_end,
    wrong_leaders,
)

pytestmark = pytest.mark.broad(6)
BEFORE = "[2026-11-21 03:00:01,000] INFO Truncating log t-0 to offset 249. (kafka.log.Log)\n"
AFTER = "[2026-11-21 03:00:09,000] INFO Truncating log t-0 to offset 204. (kafka.log.Log)\n"
JOURNAL = "Nov 21 03:00:0{} kafka-1 kafka-server-start.sh[812]: "
OF_JOURNALS = [
    "kafka-1 systemd-journald[312]: Suppressed 1532 messages from kafka.service",
    "kafka-1 systemd-journal[312]: Suppressed 17 messages from /system.slice/kafka.service",
    "kafka-1 rsyslogd: imjournal: begin to drop messages due to rate-limiting",
    "kafka-1 rsyslogd: imjournal: 5432 messages lost due to rate-limiting (20000 allowed within 600 seconds)",
    "kafka-1 rsyslogd-2177: imuxsock lost 123 messages from pid 812 due to rate-limiting",
    "kafka-1 rsyslogd-2177: imuxsock begins to drop messages from pid 812 due to rate-limiting",
    "kafka-1 fluentd[9]: dropping oldest chunk to make space after buffer overflow chunk_id=5f0",
]
"""As systemd (journald-rate-limit.c), rsyslog (ratelimit.c) and fluentd (buffer.rb) print them."""
OF_PEOPLE = [
    "--",
    "...",
    "[...]",
    "\N{HORIZONTAL ELLIPSIS}",
    "[... 300 lines omitted ...]",
    "<snip>",
    "--- 12 lines skipped ---",
    "...skipping...",
    "(output truncated)",
]
NO_MARKS = [
    "\t... 12 more",
    "\t... 23 common frames omitted",
    "\tSuppressed: java.io.IOException: closed",
    "\tlog.cleaner.enable = true",
    "java.io.EOFException",
]


def dropped(text: str, layout: Layout | None = None) -> list[int]:
    """The lines of the records after which lines are missing, as the parser says."""
    layout = layout or find_layout(text.encode())
    assert layout is not None
    return [fact.line for fact in parse(text.encode(), layout).facts if fact.name == DROPPED]


@pytest.mark.parametrize("mark", OF_JOURNALS)
def test_a_journal_says_that_it_dropped_lines(mark: str) -> None:
    carried = [JOURNAL.format(at) + line for at, line in ((1, BEFORE), (1, BEFORE), (9, AFTER))]

    assert dropped("".join([*carried[:2], f"Nov 21 03:00:05 {mark}\n", carried[2]])) == [2]
    assert dropped("".join([*carried[:2], carried[2]])) == []


def test_what_a_journal_dropped_of_another_host_is_not_missing_here() -> None:
    carried = [JOURNAL.format(at) + line for at, line in ((1, BEFORE), (1, BEFORE), (9, AFTER))]
    text = "".join([*carried[:2], f"Nov 21 03:00:05 {OF_JOURNALS[0]}\n", carried[2]])
    found = find_layout(text.encode())
    assert found is not None
    alone = layout_of(found, "kafka-1")

    assert dropped(text, alone) == [2]
    assert dropped(text.replace("kafka-1 systemd", "kafka-2 systemd"), alone) == []


def test_an_appender_says_that_its_buffer_was_full() -> None:
    """AsyncAppender.DiscardSummary of log4j 1, as a record of its own."""
    told = (
        "[2026-11-21 03:00:05,000] INFO Discarded 42 messages due to full event buffer including: "
        "Truncating log t-0 to offset 230. (kafka.log.Log)\n"
    )

    assert dropped(BEFORE + told + AFTER) == [1]


@pytest.mark.parametrize("mark", OF_PEOPLE)
def test_somebody_left_lines_out(mark: str) -> None:
    assert dropped(f"{BEFORE}{mark}\n{AFTER}") == [1]
    assert dropped(f"{AFTER}{mark}\n{BEFORE}") == [3], "the newest line comes first"


@pytest.mark.parametrize("line", NO_MARKS)
def test_lines_of_a_record_are_no_mark(line: str) -> None:
    assert dropped(f"{BEFORE}{line}\n{AFTER}") == []


def test_the_trace_says_when_lines_of_each_log_are_missing(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(f"{BEFORE}[...]\n{AFTER}")

    trace = load([tmp_path], ImportOptions(broker=7))

    assert trace.facts["log.broker-7.server.cut-off"] == str(1_795_230_001 * 10**9)


def in_bursts(folder: Path, keep: int, mark: Callable[[dt.datetime, int, str], str] | None) -> None:
    """Of the lines of each second the first ones are kept, and what a journal says of the others."""
    for path in text_logs(folder):
        found: list[str] = []
        second: dt.datetime | None = None
        at: dt.datetime | None = None
        count = gone = 0
        for line in lines_of(path):
            at = stamp_of(line) or at
            if at is None:
                continue
            if at.replace(microsecond=0) != second:
                found += [mark(at, gone, node_of(path, folder))] if gone and mark else []
                second, count, gone = at.replace(microsecond=0), 0, 0
            count += 1
            head = f"{at:%b %d %H:%M:%S} {node_of(path, folder)} kafka[812]: " if mark else ""
            found += [head + line] if count <= keep else []
            gone += count > keep
        written(path, "".join(found))


def by_journald(at: dt.datetime, gone: int, node: str) -> str:
    return f"{at:%b %d %H:%M:%S} {node} systemd-journald[1]: Suppressed {gone} messages from kafka.service\n"


def beginnings(folder: Path, lines: int) -> None:
    """`head -n` of each log."""
    for path in text_logs(folder):
        written(path, "".join(lines_of(path)[:lines]))


def without_word(folder: Path, word: str) -> None:
    """`grep -v -i` of each log."""
    for path in text_logs(folder):
        written(path, "".join(line for line in lines_of(path) if word not in line.lower()))


def around_cuts(folder: Path) -> None:
    """`grep -C3 Truncat` of each log."""
    for path in text_logs(folder):
        lines = lines_of(path)
        hits = [at for at, line in enumerate(lines) if "Truncat" in line]
        kept = sorted({one for at in hits for one in range(max(at - 3, 0), min(at + 4, len(lines)))})
        between = [
            ["--\n"] if number and at != kept[number - 1] + 1 else [] for number, at in enumerate(kept)
        ]
        written(
            path, "".join(part for mark, at in zip(between, kept, strict=True) for part in (*mark, lines[at]))
        )


def server_log_of_one_ends(folder: Path) -> None:
    """Of the first broker's server.log the last lines are missing, exactly behind a line."""
    for path in text_logs(folder):
        if node_of(path, folder) == "broker-1" and path.name.startswith(("server", "kafkaServer")):
            lines = lines_of(path)
            written(path, "".join(lines[: int(len(lines) * 0.95)]))


def offsets_masked(folder: Path) -> None:
    for path in text_logs(folder):
        written(path, "".join(re.sub(r"offset \d+", "offset ***", line) for line in lines_of(path)))


def chunks_again(folder: Path) -> None:
    """A shipper sends a third of its chunks again, behind the next one."""
    for path in text_logs(folder):
        lines = lines_of(path)
        chunks = [lines[at : at + 50] for at in range(0, len(lines), 50)]
        again = [chunks[at - 1] if at % 3 == 1 else [] for at in range(len(chunks))]
        written(
            path, "".join(line for pair in zip(chunks, again, strict=True) for part in pair for line in part)
        )


WAYS: dict[str, Callable[[Path], None]] = {
    "bursts, no mark": lambda folder: in_bursts(folder, 12, None),
    "bursts, journal": lambda folder: in_bursts(folder, 12, by_journald),
    "head -n 300": lambda folder: beginnings(folder, 300),
    "head -n 100": lambda folder: beginnings(folder, 100),
    "grep -v truncat": lambda folder: without_word(folder, "truncat"),
    "grep -C3 Truncat": around_cuts,
    "server.log of one ends": server_log_of_one_ends,
    "offsets masked": offsets_masked,
    "chunks again": chunks_again,
}


def false_claims(truth: Truth, heard: Heard) -> list[object]:
    claims = (false_losses, invented_cuts, wrong_leaders, wrong_control, wrong_end)
    return [one for claim in claims for one in claim(truth, heard)] + outside(truth, heard, step=1)[0]


@pytest.mark.thinned(5)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "name",
    ["k28-ibp0102-hw-loss", "k28-unclean-loss", "k111-kip279-divergence", "k43-failover", "k0102-trace"],
)
def test_where_lines_are_missing_nothing_false_is_said(name: str, way: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    WAYS[way](folder)

    assert false_claims(of_the_last_topics(truth), Heard(load([folder]))) == []


def test_logs_with_one_number_of_lines_are_beginnings(tmp_path: Path) -> None:
    """`head -n 100`: what broker 7 did after its last line nobody knows. A log that is shorter is whole."""
    for name, count in (("server.log", 130), ("state-change.log", 130), ("controller.log", 55)):
        lines = [BEFORE, *[f"\tof {name}\n"] * count]
        (tmp_path / name).write_text("".join(lines[:100]))

    trace = load([tmp_path], ImportOptions(broker=7))

    assert trace.facts["log.broker-7.server.cut-off"] == ",".join([str(1_795_230_001 * 10**9)] * 2)


def test_what_a_shipper_sends_again_is_read_once(tmp_path: Path) -> None:
    """Times go back by minutes, and the clock was not set back: the same milliseconds stand there twice."""
    lines = [
        f"[2026-11-21 03:{at:02d}:01,{at:03d}] INFO Truncating log t-0 to offset {99 - at}. (kafka.log.Log)\n"
        for at in range(40)
    ]
    (tmp_path / "plain.log").write_text("".join(lines))
    (tmp_path / "again.log").write_text("".join([*lines[:20], *lines[10:20], *lines[20:30], *lines[20:40]]))

    plain, again = (load([tmp_path / name], ImportOptions(broker=7)) for name in ("plain.log", "again.log"))

    assert again.columns["at"].tolist() == plain.columns["at"].tolist()
    assert again.columns["offset"].tolist() == plain.columns["offset"].tolist()
