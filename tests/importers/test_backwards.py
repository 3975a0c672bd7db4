"""Logs whose times go back: an hour that comes twice is told apart, and what is in no order is left out."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import SourceError
from importers.load import load
from importers.options import ImportOptions
from tests.in_words import gaps_of

STARTED = "[2026-11-21 03:00:00,000] INFO [Kafka Server 1], started (kafka.server.KafkaServer)\n"


def cuts(*stamps: str) -> str:
    """A line for each stamp: a log that is cut to 1, to 2, and so on."""
    lines = (
        f"[{stamp},000] INFO Truncating log t-0 to offset {number}. (kafka.log.Log)\n"
        for number, stamp in enumerate(stamps, start=1)
    )
    return "".join(lines)


def read(folder: Path, text: str, zone: str = "") -> list[tuple[int, str]]:
    """Offset and time of each cut that was read."""
    (folder / "server.log").write_text(text)
    trace = load([folder], ImportOptions(broker=1, zones={None: zone} if zone else {}))
    events = [trace.event(seq) for seq in range(len(trace))]
    return [
        (one.values["offset"], datetime.fromtimestamp(one.at / 1e9, UTC).isoformat()[:19])
        for one in events
        if one.kind == "truncated"
    ]


NIGHT = cuts("2026-10-25 01:59:00", "2026-10-25 02:40:00", "2026-10-25 02:10:00", "2026-10-25 03:10:00")


def test_an_hour_that_comes_twice_is_told_apart_by_the_order_of_its_lines(tmp_path: Path) -> None:
    """On 25 October 2026 clocks in Berlin go from 03:00 CEST back to 02:00 CET."""
    assert read(tmp_path, NIGHT, zone="Europe/Berlin") == [
        (1, "2026-10-24T23:59:00"),
        (2, "2026-10-25T00:40:00"),
        (3, "2026-10-25T01:10:00"),
        (4, "2026-10-25T02:10:00"),
    ]


def test_the_zone_follows_from_the_night_on_which_an_hour_comes_twice(tmp_path: Path) -> None:
    """03:00 back to 02:00 on 25 October 2026 is Berlin; 02:00 back to 01:00 on 1 November is America."""
    assert read(tmp_path, NIGHT) == read(tmp_path, NIGHT, zone="Europe/Berlin")
    states = cuts("2026-11-01 00:59:00", "2026-11-01 01:40:00", "2026-11-01 01:10:00", "2026-11-01 02:10:00")
    assert read(tmp_path, states) == [
        (1, "2026-11-01T04:59:00"),
        (2, "2026-11-01T05:40:00"),
        (3, "2026-11-01T06:10:00"),
        (4, "2026-11-01T07:10:00"),
    ]


def test_what_the_log_states_in_utc_chooses_among_zones_with_that_night(tmp_path: Path) -> None:
    """1793514600000 is 2026-11-01T06:30 UTC: its line says 01:30, so the clock is that of Chicago, -05:00."""
    started = (
        "[2026-11-01 01:30:00,000] INFO Kafka startTimeMs: 1793514600000 "
        "(org.apache.kafka.common.utils.AppInfoParser)\n"
    )
    night = cuts("2026-11-01 00:59:00") + started + cuts("2026-11-01 01:40:00", "2026-11-01 01:10:00")
    assert [at for _, at in read(tmp_path, night)] == [
        "2026-11-01T05:59:00",
        "2026-11-01T06:40:00",
        "2026-11-01T07:10:00",
    ]


@pytest.mark.parametrize("second", [False, True], ids=["the first hour", "the second hour"])
def test_a_log_within_that_hour_stands_where_the_others_of_its_broker_have_lines(
    tmp_path: Path, *, second: bool
) -> None:
    (tmp_path / "server.log").write_text(STARTED.replace("2026-11-21 03", "2026-10-25 01") + NIGHT)
    lines = cuts("2026-10-25 02:10:00", "2026-10-25 02:10:01") if second else cuts("2026-10-25 02:39:59")
    (tmp_path / "state-change.log").write_text(lines.replace("t-0", "u-0"))

    trace = load([tmp_path], ImportOptions(broker=1))

    times = {
        datetime.fromtimestamp(one.at / 1e9, UTC).isoformat()[11:16]
        for one in map(trace.event, range(len(trace)))
        if trace.sources[one.source].path == "state-change.log"
    }
    assert times == {"01:10" if second else "00:39"}


def test_a_broker_that_runs_through_the_hour_keeps_its_zone(tmp_path: Path) -> None:
    """One broker's clock is that of Berlin; the other one, in UTC, writes through the hour."""
    for broker, lines in (
        (1, NIGHT),
        (2, cuts("2026-10-25 01:59:00", "2026-10-25 02:30:00", "2026-10-25 03:30:00")),
    ):
        (tmp_path / f"broker-{broker}").mkdir()
        (tmp_path / f"broker-{broker}" / "server.log").write_text(
            STARTED.replace("2026-11-21 03", "2026-10-25 01").replace("Server 1", f"Server {broker}") + lines
        )

    trace = load([tmp_path])

    assert {one.broker: one.zone_basis for one in trace.sources} == {1: "inferred", 2: "assumed"}
    twice = [gap for gap in gaps_of(trace.report) if "goes back within one hour" in gap]
    assert len(twice) == 1
    assert "broker-1/server.log" in twice[0]
    assert "line 4" in twice[0]


def test_times_that_go_back_without_such_an_hour_are_no_log(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"Its times go back at line 3.*name the zone"):
        read(tmp_path, NIGHT.replace("10-25", "10-26"))
    with pytest.raises(SourceError, match="Its times go back at line 3"):
        read(tmp_path, NIGHT.replace("10-25", "10-26"), zone="Europe/Berlin")


def test_a_log_with_the_newest_line_first_is_read_from_its_end(tmp_path: Path) -> None:
    seconds = [f"2026-11-21 03:00:{second}" for second in range(41, 60)]
    lines = cuts(*seconds).splitlines(keepends=True)

    assert [number for number, _ in read(tmp_path, "".join(reversed(lines)))] == list(range(1, 20))


def test_a_short_log_beside_one_with_the_newest_line_first_is_turned_round_too(tmp_path: Path) -> None:
    lines = cuts(*(f"2026-11-21 03:00:{second}" for second in range(41, 60))).splitlines(keepends=True)
    (tmp_path / "log-cleaner.log").write_text(
        "".join(reversed(cuts("2026-11-21 03:01:01", "2026-11-21 03:09:00").splitlines(True)))
    )

    found = read(tmp_path, "".join(reversed(lines)))

    assert [number for number, _ in found] == [*range(1, 20), 1, 2]


def test_parts_that_were_joined_in_the_wrong_order_are_left_out(tmp_path: Path) -> None:
    older = cuts("2026-11-21 03:00:01", "2026-11-21 03:00:05", "2026-11-21 03:00:06")
    newer = cuts("2026-11-21 03:00:10", "2026-11-21 03:00:11", "2026-11-21 03:00:20")

    with pytest.raises(SourceError, match="go back at line 4"):
        read(tmp_path, newer + older)
    assert len(read(tmp_path, older + newer)) == 6


def test_others_are_read_where_one_is_in_no_order(tmp_path: Path) -> None:
    (tmp_path / "state-change.log").write_text(NIGHT.replace("10-25", "10-26"))
    (tmp_path / "server.log").write_text(STARTED + cuts("2026-11-21 03:00:01", "2026-11-21 03:00:02"))

    trace = load([tmp_path], ImportOptions(broker=1))

    assert [gap for gap in gaps_of(trace.report) if "its times go back at line 3" in gap]
    assert {trace.sources[trace.event(seq).source].path for seq in range(len(trace))} == {"server.log"}


def test_a_thread_that_prints_late_and_a_clock_that_is_set_right_change_nothing(tmp_path: Path) -> None:
    text = cuts("2026-11-21 03:00:05", "2026-11-21 03:00:20", "2026-11-21 03:00:08", "2026-11-21 03:00:30")

    assert [offset for offset, _ in read(tmp_path, text)] == [1, 2, 3, 4]


def at_second(number: int, offset: int) -> str:
    return cuts(f"2026-11-21 03:{number // 60:02}:{number % 60:02}").replace("offset 1.", f"offset {offset}.")


def test_a_clock_that_was_set_back_goes_on(tmp_path: Path) -> None:
    """Two logs fall by up to 30 s; the third has no line in that time."""
    seconds = (0, 10, 40, 12, 20, 25, 50)
    server = "".join(at_second(number, offset) for offset, number in enumerate(seconds, start=1))
    (tmp_path / "server.log").write_text(STARTED.replace("03:00", "02:59") + server)
    state = "".join(at_second(number, 1) for number in (5, 41, 11, 21, 23, 55))
    (tmp_path / "state-change.log").write_text(state.replace("t-0", "u-0"))
    (tmp_path / "controller.log").write_text((at_second(30, 1) + at_second(52, 2)).replace("t-0", "v-0"))

    trace = load([tmp_path], ImportOptions(broker=1))

    first = datetime(2026, 11, 21, 3, tzinfo=UTC).timestamp()
    times: dict[str, list[int]] = {}
    for seq in range(len(trace)):
        one = trace.event(seq)
        if one.kind == "truncated":
            times.setdefault(trace.sources[one.source].path, []).append(round(one.at / 1e9 - first))
    assert times == {
        "server.log": [0, 10, 40, 42, 50, 55, 80],
        "state-change.log": [5, 41, 41, 51, 53, 85],
        "controller.log": [30, 82],
    }
    told = [gap for gap in gaps_of(trace.report) if "the clock of its broker was set back by" in gap]
    assert len(told) == 3


def test_a_log_that_does_not_fall_goes_on_with_the_one_that_tells_of_the_same(tmp_path: Path) -> None:
    """server.log falls by 28 s. state-change.log told of what it told of at 20 s the second time."""
    seconds = (0, 10, 40, 12, 20, 25, 50)
    server = "".join(at_second(number, offset) for offset, number in enumerate(seconds, start=1))
    (tmp_path / "server.log").write_text(STARTED.replace("03:00", "02:59") + server)
    (tmp_path / "state-change.log").write_text((at_second(10, 1) + at_second(20, 2)).replace("t-0", "u-0"))
    (tmp_path / "controller.log").write_text(at_second(30, 1).replace("t-0", "v-0"))

    trace = load([tmp_path], ImportOptions(broker=1))

    first = datetime(2026, 11, 21, 3, tzinfo=UTC).timestamp()
    events = [trace.event(seq) for seq in range(len(trace))]
    times = [
        (trace.sources[one.source].path, round(one.at / 1e9 - first))
        for one in events
        if one.kind == "truncated" and trace.sources[one.source].path != "server.log"
    ]
    assert sorted(times) == [("controller.log", 30), ("state-change.log", 10), ("state-change.log", 48)]


@pytest.mark.parametrize("seconds", [(0, 10, 40, 12, 41, 50), (0, 40, 12, 41, 50, 60)])
def test_a_line_that_a_thread_prints_late_is_no_clock_set_back(
    tmp_path: Path, seconds: tuple[int, ...]
) -> None:
    (tmp_path / "server.log").write_text("".join(at_second(number, 1) for number in seconds))

    trace = load([tmp_path], ImportOptions(broker=1))

    assert gaps_of(trace.report) == [gap for gap in gaps_of(trace.report) if "set back" not in gap]


def test_a_log_of_nobody_in_the_order_of_arrival_is_read_in_that_of_its_stamps(tmp_path: Path) -> None:
    """Each second line came a second too late, and nothing tells whose log it is."""
    swapped = (second for early in range(10, 40, 2) for second in (early + 1, early))
    text = "".join(at_second(second, second) for second in swapped)
    (tmp_path / "some.log").write_text(text)

    trace = load([tmp_path])

    events = [trace.event(seq) for seq in range(len(trace))]
    assert [one.values["offset"] for one in events if one.kind == "truncated"] == list(range(10, 40))
