"""Parts of a log that were joined in the wrong order are put right where that is certain, and only there."""

from pathlib import Path

import pytest

from core.errors import SourceError
from core.trace.trace import Trace
from importers.load import load
from importers.options import ImportOptions
from tests.in_words import gaps_of


def led(day: int, *epochs: int) -> str:
    """A part of a log: at noon of a day and each second after it, the broker leads in the next epoch."""
    return "".join(
        f"[2026-11-{day} 12:00:{second:02},000] INFO [Broker id=1] Leader t-0 starts at leader epoch {epoch} "
        f"from offset {epoch} with high watermark {epoch} ISR [1] addingReplicas [] removingReplicas []. "
        f"Previous leader epoch was {epoch - 1}. (state.change.logger)\n"
        for second, epoch in enumerate(epochs)
    )


def cut(day: int, *seconds: int) -> str:
    """A part of a log without leader epochs."""
    return "".join(
        f"[2026-11-{day} 12:00:{second:02},500] INFO Truncating log t-0 to offset {second}. (kafka.log.Log)\n"
        for second in seconds
    )


WRONG = cut(22, 1, 2) + cut(21, 3, 4)


def imported(folder: Path, **logs: str) -> Trace:
    for name, text in logs.items():
        (folder / f"{name}.log").write_text(text)
    return load([folder], ImportOptions(broker=1))


def epochs(trace: Trace) -> list[int]:
    events = (trace.event(seq) for seq in range(len(trace)))
    return [one.values["epoch"] for one in events if one.kind == "became_leader"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (led(22, 3, 4) + led(21, 1, 2), 3),
        (led(23, 5, 6, 7) + led(22, 3, 4) + led(21, 1, 2), 6),
        # As a shell sorts them: server.log, server.log.2026-11-21-12, server.log.2026-11-22-12.
        (led(23, 5, 6, 7) + led(21, 1, 2) + led(22, 3, 4), 4),
    ],
)
def test_parts_are_read_in_the_order_of_their_times(tmp_path: Path, text: str, line: int) -> None:
    trace = imported(tmp_path, server=text)

    count = text.count("\n")
    assert epochs(trace) == list(range(1, count + 1))
    (told,) = (gap for gap in gaps_of(trace.report) if "wrong order" in gap)
    assert told.startswith("server.log: its ")
    assert told.endswith(f"from line {line} on")
    data = text.encode()
    for event in (trace.event(seq) for seq in range(count)):
        of_line = data.split(b"\n")[event.line - 1]
        assert f"leader epoch {event.values['epoch']} ".encode() in of_line
        assert data[event.position :].startswith(of_line)
        assert any((kept.line, kept.text) == (event.line, of_line.decode()) for kept in trace.lines)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(led(22, 1, 2) + led(21, 3, 4), id="a clock was set back by a day: epochs go on"),
        pytest.param(led(22, 2) + led(21, 2, 2), id="the same epoch tells nothing"),
        pytest.param(WRONG, id="nothing tells"),
        pytest.param(led(23, 5) + cut(22, 1, 2) + led(21, 1), id="nothing tells of one in the middle"),
        pytest.param(
            led(22, 4) + led(22, 1).replace(" t-0", " t-1") + led(21, 1) + led(21, 2).replace(" t-0", " t-1"),
            id="the epoch of one rises, and that of another falls",
        ),
    ],
)
def test_what_is_in_doubt_is_left_out(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match="Its times go back at line"):
        imported(tmp_path, server=text)


def test_another_log_of_the_broker_tells_that_its_clock_was_not_set_back(tmp_path: Path) -> None:
    trace = imported(tmp_path, server=WRONG, **{"state-change": led(21, 1, 2, 3, 4, 5) + led(22, 6, 7, 8)})

    events = (trace.event(seq) for seq in range(len(trace)))
    assert [one.values["offset"] for one in events if one.kind == "truncated"] == [3, 4, 1, 2]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        pytest.param(WRONG, led(21, 1, 2) + led(22, 3), id="it was not written in both parts"),
        pytest.param(WRONG, led(22, 1, 2, 3) + led(21, 4, 5, 6, 7, 8), id="its times go back, too"),
        pytest.param(cut(22, 40, 45, 1, 5), cut(22, 20, 42, 3, 30), id="its times go back by less"),
        pytest.param(
            WRONG + cut(22, 9), led(21, 1, 2, 3, 4, 5) + led(22, 6, 7, 8, 9), id="spans of parts overlap"
        ),
    ],
)
def test_another_log_that_cannot_know_tells_nothing(tmp_path: Path, text: str, other: str) -> None:
    trace = imported(tmp_path, server=text, **{"state-change": other}, own=cut(22, 30))

    assert [gap for gap in gaps_of(trace.report) if gap.startswith("server.log was left out")]
