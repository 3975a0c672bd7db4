"""Kinds of distortion that came later: random incidents choose theirs by a seed among the first ones."""

import datetime as dt
import gzip
import json
from pathlib import Path
from random import Random
from typing import Final

from tests.recordings.distorting import (
    HEAD_WIDTH,
    Distortion,
    ahead,
    clock,
    each_line,
    encoded,
    lines_of,
    stamp_of,
    whole_time,
    written,
)
from tests.recordings.pieces import brokers, node_of, text_logs


def _stamped_by_a_collector(folder: Path, luck: Random) -> None:
    """Each log as a container runtime keeps it: JSON by line, in the order and with the time of arrival."""
    for path in text_logs(folder):
        found: list[tuple[dt.datetime, int, str]] = []
        at: dt.datetime | None = None
        for line in lines_of(path):
            shown = stamp_of(line)
            at = at if shown is None else shown + dt.timedelta(milliseconds=luck.randint(0, 400))
            if at is not None:
                found.append((at, len(found), line))
        kept = (
            json.dumps({"time": f"{at:%Y-%m-%dT%H:%M:%S.%f}Z", "stream": "stdout", "log": line}) + "\n"
            for at, _, line in sorted(found)
        )
        written(path, "".join(kept))


def _drifting(folder: Path, luck: Random) -> None:
    """The clock of the second broker gains 20 ms a second."""
    first, _ = whole_time(folder)
    clock(lambda at: at + (at - first) * 0.02, 1)(folder, luck)


def _suffixes_swapped(folder: Path, _: Random) -> None:
    """The oldest third of a log is .1 and the one after it .2."""
    for path in text_logs(folder):
        lines = lines_of(path)
        third = len(lines) // 3
        if third >= 10:
            path.with_name(path.name + ".1").write_text("".join(lines[:third]))
            path.with_name(path.name + ".2").write_text("".join(lines[third : 2 * third]))
            written(path, "".join(lines[2 * third :]))


def _twice_in_another_order(folder: Path, luck: Random) -> None:
    """Every six records come a second time, in any order."""
    for path in text_logs(folder):
        records = [line for line in lines_of(path) if stamp_of(line) is not None]
        blocks = [records[at : at + 6] for at in range(0, len(records), 6)]
        written(path, "".join(line for one in blocks for line in (*one, *luck.sample(one, len(one)))))


def _another_zone(folder: Path, luck: Random) -> None:
    """The second broker prints another zone from a moment on, two hours ahead."""
    first, last = whole_time(folder)
    when = first + (last - first) * luck.uniform(0.3, 0.7)
    clock(lambda at: at + dt.timedelta(hours=2) if at >= when else at, 1)(folder, luck)


def _overlapping_parts(folder: Path, luck: Random) -> None:
    """Logs were rotated by a copy: each part begins with up to 60 lines of the end of the one before it."""
    for path in text_logs(folder):
        lines = lines_of(path)
        third = len(lines) // 3
        if third < 10:
            continue
        path.with_name(path.name + ".2").write_text("".join(lines[:third]))
        begin = max(0, third - luck.randint(1, 60))
        path.with_name(path.name + ".1").write_text("".join(lines[begin : 2 * third]))
        written(path, "".join(lines[max(0, 2 * third - luck.randint(1, 60)) :]))


def _hourly_and_archived(folder: Path, _: Random) -> None:
    """The stock appender's parts, named by the hour, beside an archive of the same parts, compressed."""
    for path in text_logs(folder):
        lines = lines_of(path)
        half = len(lines) // 2
        at = next((at for line in lines if (at := stamp_of(line)) is not None), None)
        if half and at is not None:
            name = f"{path.name}.{at:%Y-%m-%d-%H}"
            path.with_name(name).write_text("".join(lines[:half]))
            archive = path.parent / "archive"
            archive.mkdir(exist_ok=True)
            for part, some in ((name, lines[:half]), (path.name, lines)):
                (archive / f"{part}.gz").write_bytes(gzip.compress("".join(some).encode()))
            written(path, "".join(lines[half:]))


def _coloured(line: str, at: dt.datetime | None) -> str:
    """As a terminal shows it: the time, the level and the logger each in a colour."""
    if at is None:
        return line
    level, _, rest = line[HEAD_WIDTH:].rstrip("\n").partition(" ")
    return f"\x1b[36m{line[: HEAD_WIDTH - 1]}\x1b[0m \x1b[32m{level}\x1b[m {rest}\x1b[0m\n"


def _journal(folder: Path, luck: Random) -> None:
    """`journalctl -u kafka`: each line, of a stack trace too, has the journal's time, to the second."""
    for path in text_logs(folder):
        at: dt.datetime | None = None
        found: list[str] = []
        pid = luck.randint(300, 30_000)
        for line in lines_of(path):
            at = stamp_of(line) or at
            if at is not None:
                found.append(
                    f"{at:%b %d %H:%M:%S} {node_of(path, folder)} kafka-server-start.sh[{pid}]: {line}"
                )
        written(path, "".join(found))


def _whole_records_as_objects(folder: Path, luck: Random) -> None:
    """As a shipper that joins lines keeps it: an object for each record, its newlines escaped, some late."""
    for path in text_logs(folder):
        records: list[tuple[dt.datetime, str]] = []
        for line in lines_of(path):
            at = stamp_of(line)
            if at is not None:
                records.append((at + dt.timedelta(milliseconds=luck.randint(1, 900)), line))
            elif records:
                records[-1] = (records[-1][0], records[-1][1] + line)
        host = {"name": node_of(path, folder)}
        source = {"file": {"path": f"/var/log/kafka/{path.name}"}}
        kept = (
            {"@timestamp": f"{at:%FT%T.%f}Z", "host": host, "log": source, "message": record.rstrip("\n")}
            for at, record in records
        )
        written(path, "".join(json.dumps(one) + "\n" for one in kept))


def _newest_first(folder: Path, _: Random) -> None:
    """As a search shows it: the newest line first."""
    for path in text_logs(folder):
        written(path, "".join(line for line in reversed(lines_of(path)) if stamp_of(line) is not None))


def _two_bundles(folder: Path, luck: Random) -> None:
    """Logs were collected twice: once in the middle of the incident, once after it."""
    first, last = whole_time(folder)
    until = first + (last - first) * luck.uniform(0.4, 0.8)
    for path in text_logs(folder):
        copy = folder / "first-bundle" / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        found: list[str] = []
        for line in lines_of(path):
            at = stamp_of(line)
            if at is not None and at > until:
                break
            found.append(line)
        copy.write_text("".join(found))


def _iso_with_comma(line: str, at: dt.datetime | None) -> str:
    """ISO 8601 as many countries write it: a comma before the fraction, and an offset."""
    if at is None:
        return line
    return f"{at:%Y-%m-%dT%H:%M:%S},{at.microsecond // 1000:03d}+0000 {line[HEAD_WIDTH:]}"


def _torn_in_a_line(folder: Path, luck: Random) -> None:
    """Each log is cut in the middle of a line, each at a place of its own."""
    for path in text_logs(folder):
        text = path.read_bytes()
        written(path, text[: int(len(text) * luck.uniform(0.5, 1))])


def _end_missing(folder: Path, luck: Random) -> None:
    """The logs of one broker lack their last part, up to four tenths of the time."""
    first, last = whole_time(folder)
    until = first + (last - first) * luck.uniform(0.6, 0.8)
    whose = luck.choice(brokers(folder))
    for path in text_logs(folder):
        if node_of(path, folder) == whose:
            lines = lines_of(path)
            gone = next((n for n, line in enumerate(lines) if (stamp_of(line) or first) > until), len(lines))
            written(path, "".join(lines[:gone]))


def _two_in_one_file(folder: Path, _: Random) -> None:
    """The server logs of two brokers in one file in the order of their times, nobody named, with CRLF."""
    both = [folder / name / "logs" / "server.log" for name in brokers(folder)[:2]]
    if len(both) == 2 and all(log.is_file() for log in both):
        found: list[tuple[dt.datetime, int, str]] = []
        for log in both:
            at: dt.datetime | None = None
            for line in lines_of(log):
                at = stamp_of(line) or at
                if at is not None:
                    found.append((at, len(found), line))
            log.unlink()
        text = "".join(line for _, _, line in sorted(found))
        (folder / "both.log").write_bytes(text.replace("\n", "\r\n").encode())


def _cut_at(width: int) -> Distortion:
    """A tool shows lines up to a width, with dots for the rest."""

    def anew(line: str, _: dt.datetime | None) -> str:
        text = line.rstrip("\n")
        return line if len(text) <= width else f"{text[: width - 3]}...\n"

    return each_line(anew)


def _no_warnings(line: str, at: dt.datetime | None) -> str | None:
    """Somebody kept what is at INFO or worse than WARN: fetches out of range are not told."""
    return None if at is not None and line[HEAD_WIDTH:].startswith("WARN") else line


LATER_CLOCKS: Final[dict[str, Distortion]] = {
    "a clock that drifts": _drifting,
    "logs of another day": clock(ahead(days=-3), 1),
    "90 s ahead": clock(ahead(seconds=90), 0),
    "another zone from a moment on": _another_zone,
}
LATER_COLLECTORS: Final[dict[str, Distortion]] = {
    "CRLF": encoded("utf-8"),
    "stamped by a collector": _stamped_by_a_collector,
    "suffixes swapped": _suffixes_swapped,
    "twice in another order": _twice_in_another_order,
    "parts that overlap": _overlapping_parts,
    "by the hour, and archived": _hourly_and_archived,
    "colours": each_line(_coloured),
    "from the journal": _journal,
    "whole records as objects": _whole_records_as_objects,
    "newest first": _newest_first,
    "two bundles": _two_bundles,
    "ISO with comma and offset": each_line(_iso_with_comma),
}
LATER_PARTIAL: Final[dict[str, Distortion]] = {
    "torn in a line": _torn_in_a_line,
    "the end of one broker missing": _end_missing,
    "two brokers in one file": _two_in_one_file,
    "lines cut at 160": _cut_at(160),
    "no warnings": each_line(_no_warnings),
}
