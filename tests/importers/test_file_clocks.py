"""Times of files that are of another clock than the lines: by how much, and where nothing shows it."""

import os
from pathlib import Path

import pytest

from core.diagnose.verdict.check import triaged
from core.trace.units import HOUR_NS, MILLISECOND_NS, SECOND_NS
from importers.load import load
from importers.merge.clock import Clocks, Skew, Skews
from importers.merge.file_clocks import LogEnd, files_ahead
from tests.archives import unpack_recording
from tests.recordings.distortions import distort

AT = 1_795_231_800 * SECOND_NS


def ends(broker: int, *seconds: float, late: int) -> list[LogEnd]:
    """Logs of a broker that end so many seconds after a moment, each file written that much later."""
    lasts = [AT + round(one * 1000) * MILLISECOND_NS for one in seconds]
    return [LogEnd(broker, last, last + late) for last in lasts]


def cut(logs: list[LogEnd]) -> list[LogEnd]:
    """The same with times of files in whole seconds, as an archive keeps them."""
    return [LogEnd(log.broker, log.last, log.written // SECOND_NS * SECOND_NS) for log in logs]


def test_logs_that_are_all_late_by_two_hours_show_it() -> None:
    assert files_ahead(ends(1, 0.2, 9.7, 12.4, late=2 * HOUR_NS)) == {1: 2 * HOUR_NS}
    assert files_ahead(cut(ends(1, 0.2, 9.7, 12.4, late=2 * HOUR_NS))) == {1: 2 * HOUR_NS}


def test_a_span_that_is_no_zone_is_known_to_the_second() -> None:
    late = 27 * 24 * HOUR_NS + 788_222 * MILLISECOND_NS

    (found,) = files_ahead(cut(ends(1, 0.2, 9.7, 12.4, late=late))).values()

    assert 0 <= late - found < SECOND_NS


def test_a_span_that_is_a_second_more_than_a_zones_is_none() -> None:
    """A file whose time was cut to seconds is no later than that: the others would be earlier."""
    late = 40 * HOUR_NS + 1_150 * MILLISECOND_NS

    (found,) = files_ahead(cut(ends(1, 0.2, 9.7, 12.4, late=late))).values()

    assert 0 <= late - found < SECOND_NS


def test_files_that_were_written_with_their_lines_show_nothing() -> None:
    assert files_ahead(cut(ends(1, 0.2, 9.7, 12.4, late=3 * MILLISECOND_NS))) == {}


@pytest.mark.parametrize("seconds", [(5.0,), (5.0, 5.1, 6.2)], ids=["one log", "all end at once"])
def test_logs_that_end_at_one_time_show_nothing(seconds: tuple[float, ...]) -> None:
    """A copy of them is later than all, too."""
    assert files_ahead(ends(1, *seconds, late=2 * HOUR_NS)) == {}


def test_files_that_were_copied_at_one_time_show_nothing() -> None:
    copied = AT + HOUR_NS
    logs = [LogEnd(1, AT + second * SECOND_NS, copied) for second in (0, 7, 19, 30)]

    assert files_ahead(logs) == {}


def test_a_broker_with_one_log_has_what_all_others_have() -> None:
    others = [*ends(1, 0, 9, late=HOUR_NS), *ends(2, 1, 8, late=HOUR_NS)]

    assert files_ahead([*others, *ends(3, 5, late=HOUR_NS)]) == dict.fromkeys((1, 2, 3), HOUR_NS)
    assert 3 not in files_ahead([*ends(1, 0, 9, late=HOUR_NS), *ends(3, 5, late=HOUR_NS)])


@pytest.mark.slow
@pytest.mark.parametrize("hours", [-5, 2])
def test_an_archive_that_was_unpacked_in_another_zone_loses_nothing(hours: int, tmp_path: Path) -> None:
    """Zip keeps local times without their zone. 248 of its records were lost (truth.json)."""
    folder, truth = unpack_recording("k0102-divergence", tmp_path)
    for path in folder.rglob("*"):
        if path.is_file():
            at = path.stat().st_mtime_ns + hours * HOUR_NS
            os.utime(path, ns=(at, at))

    trace = load([folder])

    lost = sum(one.records_lost for one in triaged(trace).summaries)
    assert lost == sum(len(records) for records in truth["lost"].values())
    told = [gap["id"] for gap in trace.report["gaps"]]
    assert told.count("report.files-ahead" if hours > 0 else "report.files-behind") == 3


@pytest.mark.slow
def test_files_of_a_broker_whose_clock_was_set_are_as_late_as_their_own_lines(tmp_path: Path) -> None:
    """Broker 2 was killed, and printed two hours more from its next start on; its files did not."""
    folder, truth = unpack_recording("k0102-divergence", tmp_path)
    distort(folder, "another zone from a moment on", 7)

    trace = load([folder])

    lost = sum(one.records_lost for one in triaged(trace).summaries)
    assert lost == sum(len(records) for records in truth["lost"].values())
    events = [trace.event(seq) for seq in range(len(trace))]
    silences = [event.values["aux"] for event in events if event.kind == "evidence_gap"]
    assert len(silences) == 3
    assert max(silences) < 30 * SECOND_NS


def test_a_clock_that_was_set_shows_a_time_by_what_held_then() -> None:
    """Until 10 s it was right, from 7,210 s on it was two hours ahead: in between it showed nothing."""
    own = ("broker", 2)
    ten, hours = 10 * SECOND_NS, 2 * HOUR_NS
    pieces = (Skew(0, 0, 0, end=ten + hours), Skew(-hours, -hours, -hours, start=ten + hours))
    clocks = Clocks(None, {own: Skews(pieces)})

    assert clocks.stamp(own, ten - 1) == ten - 1
    assert clocks.stamp(own, ten) == ten + hours
    assert [clocks.correction(own, clocks.stamp(own, at)) for at in (ten - 1, ten)] == [0, -hours]
    assert clocks.was_set(own, SECOND_NS)
    assert not clocks.was_set(("broker", 1), SECOND_NS)
    assert clocks.stamp(("broker", 1), ten) == ten
