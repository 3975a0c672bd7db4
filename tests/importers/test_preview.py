"""What is found before an import, from the beginning and end of each file, against what the import finds."""

import gzip
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import CancelledError
from core.words import text
from core.work import Work
from importers.lines.layout import PROBE_BYTES
from importers.load import load
from importers.options import ImportOptions
from importers.preview import FoundFile, Is, Preview, preview
from importers.samples import sample_path
from tests.archives import unpack_sample
from tests.in_words import gaps_of

SECOND = 1_000_000_000
LOADED = "Completed load of log orders-0 with 1 log segments, log start offset 0 and log end offset 7 in 3 ms"


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * SECOND


def stock(first: str, count: int, logger: str = "kafka.log.Log", message: str = LOADED) -> bytes:
    """So many lines of the stock layout, one a second from `first` on."""
    begin = at(first) // SECOND
    lines: list[str] = []
    for number in range(count):
        moment = datetime.fromtimestamp(begin + number, tz=UTC)
        lines.append(f"[{moment:%Y-%m-%d %H:%M:%S},000] INFO {message} ({logger})\n")
    return "".join(lines).encode()


def by_path(found: Preview) -> dict[str, FoundFile]:
    return {file.path: file for file in found.files}


@pytest.mark.slow
def test_a_recording_is_seen_as_the_import_reads_it() -> None:
    """k0102-hw-loss: three brokers of 0.10.2.2, five logs each."""
    found = preview([sample_path("k0102-hw-loss")])
    assert found.versions == {1: "0.10.2.2", 2: "0.10.2.2", 3: "0.10.2.2"}
    logs = {file.path: file for file in found.files if file.is_ is Is.LOG}
    rows = {row["file"]: row for row in load([sample_path("k0102-hw-loss")]).report["by_file"]}
    assert len(logs) == 15
    for path, file in logs.items():
        told = rows[path]
        assert (file.broker, file.found_by) == (told["broker"], told["found_by"])
        assert (file.zone.name, file.zone.basis) == (told["zone"], told["zone_basis"])  # type: ignore[union-attr]
        for stamp, key in ((file.first_local, "from"), (file.last_local, "to")):
            assert stamp is not None
            assert datetime.fromtimestamp(stamp // SECOND, tz=UTC).isoformat()[:19] == told[key][:19]
        assert file.size == told["bytes"]
    assert by_path(found)["k0102-hw-loss/broker-1/config/server.properties"].is_ is Is.SETTINGS
    assert by_path(found)["k0102-hw-loss/broker-1/config/log4j.properties"].is_ is Is.UNREAD
    segment = by_path(found)["k0102-hw-loss/broker-1/data/orders-0/00000000000000000000.log"]
    assert (segment.is_, segment.broker, segment.directory) == (Is.DATA, 1, "k0102-hw-loss/broker-1/data")


@pytest.mark.parametrize("name", ["server.log", "server.log.gz"])
def test_of_a_large_log_only_the_beginning_and_the_end_are_read(tmp_path: Path, name: str) -> None:
    """The day in the middle is another one: whoever reads it sees a later end."""
    middle = stock("2031-01-01 00:00:00", 3_000)
    text = stock("2026-03-01 10:00:00", 4_000) + middle + stock("2026-03-02 10:00:00", 4_000)
    assert len(text) > 1_000_000
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    (file,) = preview([path]).files
    assert file.is_ is Is.LOG
    assert file.size == len(text)
    assert file.first_local == at("2026-03-01 10:00:00")
    assert file.last_local == at("2026-03-02 10:00:00") + 3_999 * SECOND


def test_a_small_log_is_seen_once_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(stock("2026-03-01 10:00:00", 600))
    (file,) = preview([path]).files
    assert (file.first_local, file.last_local) == (at("2026-03-01 10:00:00"), at("2026-03-01 10:09:59"))


def test_what_is_wrong_with_a_file_is_told_with_it_and_costs_only_it(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes(stock("2026-03-01 10:00:00", 9))
    (tmp_path / "torn.tar.gz").write_bytes(gzip.compress(os.urandom(5_000))[:2_000])
    odd = "".join(f"2026-03-01 10:00:0{n} | | | leader epoch {n} happened\n" for n in range(9))
    (tmp_path / "odd.log").write_text(odd, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    found = by_path(preview([tmp_path]))
    assert {path: file.is_ for path, file in found.items()} == {
        "server.log": Is.LOG,
        "torn.tar.gz": Is.DAMAGED,
        "odd.log": Is.DAMAGED,
        "picture.png": Is.UNREAD,
    }
    assert found["torn.tar.gz"].fault is not None
    assert "layout" in text(found["odd.log"].fault.what)  # type: ignore[union-attr]


def test_the_year_of_a_log_without_one_is_that_of_its_file(tmp_path: Path) -> None:
    """It ends in January and was written in January 2025: it begins in December 2024."""
    path = tmp_path / "syslog"
    days = [("Dec 30", n) for n in range(5)] + [("Jan  2", n) for n in range(5)]
    head = "{} 10:00:0{} host kafka[7]: [2024-12-30 10:00:00,000] INFO {} (kafka.log.Log)\n"
    text = "".join(
        head.replace("[2024-12-30 10:00:00,000] INFO ", "INFO ").format(day, n, LOADED) for day, n in days
    )
    path.write_text(text, encoding="utf-8")
    written = at("2025-01-02 10:00:10") // SECOND
    os.utime(path, (written, written))
    found = preview([path])
    (file,) = found.files
    assert file.yearless
    assert found.year == 2024
    assert (file.first_local, file.last_local) == (at("2024-12-30 10:00:00"), at("2025-01-02 10:00:04"))
    assert preview([path], ImportOptions(year=2020)).year == 2020


def test_it_can_be_stopped_and_says_how_far_it_is(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"server.log.{number}").write_bytes(stock("2026-03-01 10:00:00", 50))
    steps: list[tuple[int, int]] = []

    def stopped() -> bool:
        return len(steps) >= 3

    with pytest.raises(CancelledError):
        preview([tmp_path], work=Work(lambda done, total, _what: steps.append((done, total)), stopped))
    assert all(total > 0 for _, total in steps[1:])


def test_what_is_left_out_is_not_read_and_told(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "server.log").write_bytes(stock("2026-03-01 10:00:00", 3))
    (tmp_path / "two.log").write_bytes(stock("2026-03-01 11:00:00", 3))
    trace = load([tmp_path], ImportOptions(left_out=frozenset({"two.log"})))
    assert {source.path for source in trace.sources} >= {"one/server.log"}
    hour = at("2026-03-01 11:00:00")
    assert len(trace) > 0
    assert int(trace.columns["at"].max()) < hour
    assert "two.log was left out: as asked" in gaps_of(trace.report)


def test_the_broker_of_one_file_can_be_said(tmp_path: Path) -> None:
    """Without a word, nobody knows whose these are; what is said of one is not said of the other."""
    (tmp_path / "a.log").write_bytes(stock("2026-03-01 10:00:00", 3))
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "b.log").write_bytes(stock("2026-03-01 11:00:00", 3))
    assert {file.broker for file in preview([tmp_path]).files} == {None}
    options = ImportOptions(brokers={"a.log": 7})
    found = by_path(preview([tmp_path], options))
    assert (found["a.log"].broker, found["a.log"].found_by) == (7, "stated")
    assert found["z/b.log"].broker is None
    owners = {row["file"]: row["broker"] for row in load([tmp_path], options).report["by_file"]}
    assert owners == {"a.log": 7, "z/b.log": None}


def test_the_zone_of_logs_of_nobody_can_be_said_alone(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(stock("2026-03-01 10:00:00", 3))
    (tmp_path / "broker-2").mkdir()
    (tmp_path / "broker-2" / "server.log").write_bytes(stock("2026-03-01 10:00:00", 3))
    found = by_path(preview([tmp_path], ImportOptions(zones={"": "+02:00"})))
    assert found["a.log"].zone.name == "+02:00"  # type: ignore[union-attr]
    assert found["broker-2/server.log"].zone.name == "UTC"  # type: ignore[union-attr]


def test_data_directories_in_an_archive_are_found_without_reading_them_whole(tmp_path: Path) -> None:
    unpack_sample("k28-epoch-fix", tmp_path)
    folder = preview([tmp_path])
    packed = preview([sample_path("k28-epoch-fix")])
    assert by_path(folder) == by_path(packed)


def test_of_a_large_log_the_last_line_of_the_beginning_is_not_read_on_at_the_end(tmp_path: Path) -> None:
    """The beginning stops right before the day of a line of January, the end begins with one of February."""
    line, until_day = len(stock("2026-01-31 10:00:00", 1)), len("[2026-01-")
    first = stock("2026-01-31 10:00:00", 1, message=LOADED + "." * ((PROBE_BYTES - until_day) % line))
    last = stock("2026-02-01 20:00:00", 1, message=LOADED + "." * ((64 * 1024 + until_day) % line))
    path = tmp_path / "server.log"
    path.write_bytes(first + stock("2026-01-31 10:00:01", 4_000) + stock("2026-02-01 10:00:00", 4_000) + last)

    (file,) = preview([path]).files

    assert file.first_local == at("2026-01-31 10:00:00")
    assert file.last_local == at("2026-02-01 20:00:00")


def test_a_stamp_without_a_zone_has_none_printed(tmp_path: Path) -> None:
    lines = "".join(f"[2026-03-01T10:00:0{n},000+02:00] INFO {LOADED} (kafka.log.Log)\n" for n in range(5))
    (tmp_path / "plain.log").write_bytes(stock("2026-03-01 10:00:00", 5))
    (tmp_path / "zoned.log").write_text(lines, encoding="utf-8")

    printed = {path: file.printed for path, file in by_path(preview([tmp_path])).items()}

    assert printed == {"plain.log": False, "zoned.log": True}


def test_the_layout_of_another_programs_log_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes(stock("2026-03-01 10:00:00", 5))
    (tmp_path / "other.log").write_bytes(
        stock("2026-03-01 10:00:00", 50, logger="org.example.Shop", message="Order 7 was paid")
    )

    found = by_path(preview([tmp_path]))

    assert {path: (file.is_, file.layout is None) for path, file in found.items()} == {
        "other.log": (Is.OTHER, True),
        "server.log": (Is.LOG, False),
    }
