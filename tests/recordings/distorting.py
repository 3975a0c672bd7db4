"""What all distortions of logs need: lines, their times, and files with another content."""

import datetime as dt
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from tests.recordings.pieces import brokers, node_of, text_logs

Distortion = Callable[[Path, Random], None]
Moved = Callable[[dt.datetime], dt.datetime]
_HEAD: Final = re.compile(r"\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d),(\d{3})\] ")
HEAD_WIDTH: Final = len("[2026-11-21 02:59:26,427] ")
SHARED: Final = ("server.log", "state-change.log", "controller.log")
"""The logs of a broker that say what no other of its logs does."""


def stamp_of(line: str) -> dt.datetime | None:
    """The time of a line that begins a record, in the stock layout."""
    match = _HEAD.match(line)
    if match is None:
        return None
    return dt.datetime.fromisoformat(f"{match[1]}T{match[2]}.{match[3]}")


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8", "replace").splitlines(keepends=True)


def written(path: Path, text: bytes | str) -> None:
    """Give a file another content and leave its time."""
    kept = path.stat()
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


def each_line(anew: Callable[[str, dt.datetime | None], str | None], broker: int | None = None) -> Distortion:
    """Every line anew, None to leave it out; in the logs of all nodes, or of one broker by its number."""

    def distort(folder: Path, _: Random) -> None:
        names = brokers(folder)
        one = None if broker is None else names[broker % len(names)]
        for path in text_logs(folder):
            if one in (None, node_of(path, folder)):
                found = [anew(line, stamp_of(line)) for line in lines_of(path)]
                written(path, "".join(line for line in found if line is not None))

    return distort


def stock(moment: dt.datetime) -> str:
    return f"[{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03d}] "


def clock(moved: Moved, broker: int | None) -> Distortion:
    """The clock of one broker, or of all, shows another time."""

    def anew(line: str, at: dt.datetime | None) -> str:
        return line if at is None else stock(moved(at)) + line[HEAD_WIDTH:]

    return each_line(anew, broker)


def ahead(**by: float) -> Moved:
    return lambda at: at + dt.timedelta(**by)


def whole_time(folder: Path) -> tuple[dt.datetime, dt.datetime]:
    stamps = [
        at for path in text_logs(folder) for line in lines_of(path) if (at := stamp_of(line)) is not None
    ]
    return min(stamps), max(stamps)


def encoded(encoding: str) -> Distortion:
    def distort(folder: Path, _: Random) -> None:
        for path in text_logs(folder):
            written(path, "".join(lines_of(path)).replace("\n", "\r\n").encode(encoding, "replace"))

    return distort
