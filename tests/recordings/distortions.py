"""What happens to logs on their way to the engineer, done to a recording, the same in every run."""

import datetime as dt
import gzip
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from tests.recordings.pieces import brokers, node_of, text_logs

Distortion = Callable[[Path, Random], None]
Moved = Callable[[dt.datetime], dt.datetime]
_HEAD: Final = re.compile(r"\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d),(\d{3})\] ")
_SHARED: Final = ("server.log", "state-change.log", "controller.log")


def stamp_of(line: str) -> dt.datetime | None:
    """The time of a line that begins a record, in the stock layout."""
    match = _HEAD.match(line)
    if match is None:
        return None
    return dt.datetime.fromisoformat(f"{match[1]}T{match[2]}.{match[3]}")


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8", "replace").splitlines(keepends=True)


def _written(path: Path, text: bytes | str) -> None:
    """Give a file another content and leave its time."""
    kept = path.stat()
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


def _each_line(
    anew: Callable[[str, dt.datetime | None], str | None], broker: int | None = None
) -> Distortion:
    """Every line anew, None to leave it out; in the logs of all nodes, or of one broker by its number."""

    def distort(folder: Path, _: Random) -> None:
        names = brokers(folder)
        one = None if broker is None else names[broker % len(names)]
        for path in text_logs(folder):
            if one in (None, node_of(path, folder)):
                found = [anew(line, stamp_of(line)) for line in _lines(path)]
                _written(path, "".join(line for line in found if line is not None))

    return distort


def _stock(moment: dt.datetime) -> str:
    return f"[{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03d}] "


def _clock(moved: Moved, broker: int | None) -> Distortion:
    """The clock of one broker, or of all, shows another time."""

    def anew(line: str, at: dt.datetime | None) -> str:
        return line if at is None else _stock(moved(at)) + line[_HEAD_WIDTH:]

    return _each_line(anew, broker)


_HEAD_WIDTH: Final = len("[2026-11-21 02:59:26,427] ")


def _ahead(**by: float) -> Moved:
    return lambda at: at + dt.timedelta(**by)


def _whole_time(folder: Path) -> tuple[dt.datetime, dt.datetime]:
    stamps = [at for path in text_logs(folder) for line in _lines(path) if (at := stamp_of(line)) is not None]
    return min(stamps), max(stamps)


def _set_back(folder: Path, luck: Random) -> None:
    """The clock of the second broker is set back by five seconds."""
    first, last = _whole_time(folder)
    when = first + (last - first) * luck.uniform(0.3, 0.8)
    _clock(lambda at: at - dt.timedelta(seconds=5) if at >= when else at, 1)(folder, luck)


def _autumn(zone: str, day: dt.datetime) -> Distortion:
    """All logs in local time, and in the middle of the incident clocks go back. `day`: when, in UTC."""

    def distort(folder: Path, luck: Random) -> None:
        first, last = _whole_time(folder)
        later = day.replace(tzinfo=None) - (first + (last - first) * luck.uniform(0.2, 0.8))

        def local(at: dt.datetime) -> dt.datetime:
            return (at + later).replace(tzinfo=dt.UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)

        _clock(local, None)(folder, luck)

    return distort


def _twice(folder: Path, luck: Random) -> None:
    """Half of the lines stand there twice."""
    for path in text_logs(folder):
        lines = _lines(path)
        doubled = (
            line for line in lines for _ in range(1 + (stamp_of(line) is not None and luck.random() < 0.5))
        )
        _written(path, "".join(doubled))


def _collected_too(late_ms: tuple[int, int]) -> Distortion:
    """A second copy of every log, with the time of its arrival in front of each record."""

    def distort(folder: Path, luck: Random) -> None:
        for path in text_logs(folder):
            copy = folder / "collected" / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            found: list[str] = []
            for line in _lines(path):
                at = stamp_of(line)
                late = dt.timedelta(milliseconds=luck.randint(*late_ms))
                found.append(line if at is None else f"{at + late:%Y-%m-%dT%H:%M:%S.%f}Z {line}")
            copy.write_text("".join(found))

    return distort


def _joined_twice(folder: Path, luck: Random) -> None:
    """A third of the logs has its first part once more behind its end."""
    for path in text_logs(folder):
        lines = _lines(path)
        if luck.random() < 1 / 3:
            _written(path, "".join([*lines, *lines[: luck.randint(0, len(lines))]]))


def _rotated_twice(folder: Path, luck: Random) -> None:
    """The older half of a log is there as a file, and compressed."""
    for path in text_logs(folder):
        lines = _lines(path)
        half = len(lines) // 2
        if luck.random() < 0.5 and half:
            older = path.with_name(path.name + ".1")
            older.write_text("".join(lines[:half]))
            path.with_name(path.name + ".1.gz").write_bytes(gzip.compress("".join(lines[:half]).encode()))
            _written(path, "".join(lines[half:]))


def _mixed(written: Callable[[str, dt.datetime, str], str], name: str) -> Distortion:
    """Logs of all nodes in one file, in the order of their arrival, up to 700 ms late."""

    def distort(folder: Path, luck: Random) -> None:
        found: list[tuple[dt.datetime, int, str, str]] = []
        for path in [path for path in text_logs(folder) if path.name in _SHARED]:
            at: dt.datetime | None = None
            for line in _lines(path):
                shown = stamp_of(line)
                if shown is not None:
                    at = shown + dt.timedelta(milliseconds=luck.randint(0, 700))
                if at is not None:
                    found.append((at, len(found), node_of(path, folder), line.rstrip("\n")))
            path.unlink()
        for path in text_logs(folder):
            path.unlink()
        found.sort()
        (folder / name).write_text("".join(f"{written(line, at, node)}\n" for at, _, node, line in found))

    return distort


def _by_pod(line: str, _: dt.datetime, node: str) -> str:
    return f"[pod/my-{node}/kafka] {line}"


def _as_object(line: str, at: dt.datetime, node: str) -> str:
    pod = {"pod_name": f"my-{node}", "namespace_name": "kafka"}
    return json.dumps({"@timestamp": f"{at:%Y-%m-%dT%H:%M:%S.%f}Z", "kubernetes": pod, "message": line})


def _shuffled(folder: Path, luck: Random) -> None:
    """Every twenty records stand in any order, as a search over logs gives them that sorts by the second."""
    for path in text_logs(folder):
        records = [line for line in _lines(path) if stamp_of(line) is not None]
        blocks = [records[at : at + 20] for at in range(0, len(records), 20)]
        _written(path, "".join(line for block in blocks for line in luck.sample(block, len(block))))


def _no_settings(folder: Path, _: Random) -> None:
    """Folders that do not say which broker they are of."""
    for number, name in enumerate(brokers(folder)):
        shutil.rmtree(folder / name / "config", ignore_errors=True)
        if (folder / name).is_dir():
            (folder / name).rename(folder / f"machine-{'abcdefgh'[number]}")


def _swapped(folder: Path, _: Random) -> None:
    """The server logs of two brokers lie in each other's folder."""
    both = [folder / name / "logs" / "server.log" for name in brokers(folder)[:2]]
    if len(both) == 2 and all(log.is_file() for log in both):
        one, other = both
        first, second = one.read_bytes(), other.read_bytes()
        _written(one, second)
        _written(other, first)


def _dropped(share: float) -> Distortion:
    """Lines are missing one by one."""

    def distort(folder: Path, luck: Random) -> None:
        _each_line(lambda line, _: None if luck.random() < share else line)(folder, luck)

    return distort


def _encoded(encoding: str) -> Distortion:
    def distort(folder: Path, _: Random) -> None:
        for path in text_logs(folder):
            _written(path, "".join(_lines(path)).replace("\n", "\r\n").encode(encoding, "replace"))

    return distort


def _written_as(head: Callable[[dt.datetime], str]) -> Distortion:
    """Another form of the time in front of each record."""

    def anew(line: str, at: dt.datetime | None) -> str:
        return line if at is None else head(at) + line[_HEAD_WIDTH:]

    return _each_line(anew)


def _milliseconds(at: dt.datetime) -> str:
    return f"{at.microsecond // 1000:03d}"


def _stamped_by_a_collector(folder: Path, luck: Random) -> None:
    """Each log as a container runtime keeps it: JSON by line, in the order and with the time of arrival."""
    for path in text_logs(folder):
        found: list[tuple[dt.datetime, int, str]] = []
        at: dt.datetime | None = None
        for line in _lines(path):
            shown = stamp_of(line)
            at = at if shown is None else shown + dt.timedelta(milliseconds=luck.randint(0, 400))
            if at is not None:
                found.append((at, len(found), line))
        kept = (
            json.dumps({"time": f"{at:%Y-%m-%dT%H:%M:%S.%f}Z", "stream": "stdout", "log": line}) + "\n"
            for at, _, line in sorted(found)
        )
        _written(path, "".join(kept))


def _drifting(folder: Path, luck: Random) -> None:
    """The clock of the second broker gains 20 ms a second."""
    first, _ = _whole_time(folder)
    _clock(lambda at: at + (at - first) * 0.02, 1)(folder, luck)


def _suffixes_swapped(folder: Path, _: Random) -> None:
    """The oldest third of a log is .1 and the one after it .2."""
    for path in text_logs(folder):
        lines = _lines(path)
        third = len(lines) // 3
        if third >= 10:
            path.with_name(path.name + ".1").write_text("".join(lines[:third]))
            path.with_name(path.name + ".2").write_text("".join(lines[third : 2 * third]))
            _written(path, "".join(lines[2 * third :]))


def _twice_in_another_order(folder: Path, luck: Random) -> None:
    """Every six records come a second time, in any order."""
    for path in text_logs(folder):
        records = [line for line in _lines(path) if stamp_of(line) is not None]
        blocks = [records[at : at + 6] for at in range(0, len(records), 6)]
        _written(path, "".join(line for one in blocks for line in (*one, *luck.sample(one, len(one)))))


CLOCKS: Final[dict[str, Distortion]] = {
    "3.4 s ahead": _clock(_ahead(seconds=3.4), 1),
    "7 s behind": _clock(_ahead(seconds=-7), 0),
    "4 min ahead": _clock(_ahead(minutes=4, seconds=11), 1),
    "five and a half hours ahead": _clock(_ahead(hours=5, minutes=30), 1),
    "eight hours behind": _clock(_ahead(hours=-8), 0),
    "set back by 5 s": _set_back,
    "autumn in Berlin": _autumn("Europe/Berlin", dt.datetime(2026, 10, 25, 1, tzinfo=dt.UTC)),
    "autumn in Chicago": _autumn("America/Chicago", dt.datetime(2026, 11, 1, 7, tzinfo=dt.UTC)),
}
"""Kinds after which times are not those of the truth."""
COLLECTORS: Final[dict[str, Distortion]] = {
    "lines twice": _twice,
    "collected too, late": _collected_too((2, 900)),
    "collected too, at once": _collected_too((0, 3)),
    "joined twice": _joined_twice,
    "rotated twice": _rotated_twice,
    "mixed, by pod": _mixed(_by_pod, "all.log"),
    "mixed, as objects": _mixed(_as_object, "all.json"),
    "shuffled": _shuffled,
    "folders without ids": _no_settings,
    "logs swapped": _swapped,
    "UTF-16": _encoded("utf-16"),
    "German dates": _written_as(lambda at: f"{at:%d.%m.%Y %H:%M:%S},{_milliseconds(at)} "),
    "dates without year": _written_as(lambda at: f"[{at:%m-%d %H:%M:%S},{_milliseconds(at)}] "),
}
"""Kinds that take nothing away: what was found without them is found with them."""
PARTIAL: Final[dict[str, Distortion]] = {
    "mixed, nobody named": _mixed(lambda line, _at, _node: line, "all.log"),
    "times without date": _written_as(lambda at: f"[{at:%H:%M:%S},{_milliseconds(at)}] "),
    "one line in ten missing": _dropped(0.1),
    "four lines in ten missing": _dropped(0.4),
}
"""Kinds that take something away, or what cannot be known without asking."""

LATER_CLOCKS: Final[dict[str, Distortion]] = {
    "a clock that drifts": _drifting,
    "logs of another day": _clock(_ahead(days=-3), 1),
}
LATER_COLLECTORS: Final[dict[str, Distortion]] = {
    "CRLF": _encoded("utf-8"),
    "stamped by a collector": _stamped_by_a_collector,
    "suffixes swapped": _suffixes_swapped,
    "twice in another order": _twice_in_another_order,
}
"""Kinds that came later: random incidents choose theirs by a seed among those above."""


def kinds() -> Iterator[str]:
    """The names of the kinds that random incidents choose from."""
    yield from (*CLOCKS, *COLLECTORS, *PARTIAL)


def distort(folder: Path, kind: str, seed: int) -> None:
    """Distort a recording in its place. Chance is by the names of both and the seed."""
    distort_by(folder, kind, Random(f"{folder.name} {kind} {seed}"))  # noqa: S311 - the same in every run


def distort_by(folder: Path, kind: str, luck: Random) -> None:
    """Distort the logs of a cluster in their place, by whatever chance."""
    (CLOCKS | COLLECTORS | PARTIAL | LATER_CLOCKS | LATER_COLLECTORS)[kind](folder, luck)
