"""What happens to logs on their way to the engineer, done to a recording, the same in every run."""

import datetime as dt
import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from tests.recordings.distorting import (
    HEAD_WIDTH,
    SHARED,
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
from tests.recordings.later_distortions import LATER_CLOCKS, LATER_COLLECTORS, LATER_PARTIAL
from tests.recordings.pieces import brokers, node_of, text_logs


def _set_back(folder: Path, luck: Random) -> None:
    """The clock of the second broker is set back by five seconds."""
    first, last = whole_time(folder)
    when = first + (last - first) * luck.uniform(0.3, 0.8)
    clock(lambda at: at - dt.timedelta(seconds=5) if at >= when else at, 1)(folder, luck)


def _autumn(zone: str, day: dt.datetime) -> Distortion:
    """All logs in local time, and in the middle of the incident clocks go back. `day`: when, in UTC."""

    def distort(folder: Path, luck: Random) -> None:
        first, last = whole_time(folder)
        later = day.replace(tzinfo=None) - (first + (last - first) * luck.uniform(0.2, 0.8))

        def local(at: dt.datetime) -> dt.datetime:
            return (at + later).replace(tzinfo=dt.UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)

        clock(local, None)(folder, luck)

    return distort


def _twice(folder: Path, luck: Random) -> None:
    """Half of the lines stand there twice."""
    for path in text_logs(folder):
        lines = lines_of(path)
        doubled = (
            line for line in lines for _ in range(1 + (stamp_of(line) is not None and luck.random() < 0.5))
        )
        written(path, "".join(doubled))


def _collected_too(late_ms: tuple[int, int]) -> Distortion:
    """A second copy of every log, with the time of its arrival in front of each record."""

    def distort(folder: Path, luck: Random) -> None:
        for path in text_logs(folder):
            copy = folder / "collected" / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            found: list[str] = []
            for line in lines_of(path):
                at = stamp_of(line)
                late = dt.timedelta(milliseconds=luck.randint(*late_ms))
                found.append(line if at is None else f"{at + late:%Y-%m-%dT%H:%M:%S.%f}Z {line}")
            copy.write_text("".join(found))

    return distort


def _joined_twice(folder: Path, luck: Random) -> None:
    """A third of the logs has its first part once more behind its end."""
    for path in text_logs(folder):
        lines = lines_of(path)
        if luck.random() < 1 / 3:
            written(path, "".join([*lines, *lines[: luck.randint(0, len(lines))]]))


def _rotated_twice(folder: Path, luck: Random) -> None:
    """The older half of a log is there as a file, and compressed."""
    for path in text_logs(folder):
        lines = lines_of(path)
        half = len(lines) // 2
        if luck.random() < 0.5 and half:
            older = path.with_name(path.name + ".1")
            older.write_text("".join(lines[:half]))
            path.with_name(path.name + ".1.gz").write_bytes(gzip.compress("".join(lines[:half]).encode()))
            written(path, "".join(lines[half:]))


def _mixed(as_line: Callable[[str, dt.datetime, str], str], name: str) -> Distortion:
    """Logs of all nodes in one file, in the order of their arrival, up to 700 ms late."""

    def distort(folder: Path, luck: Random) -> None:
        found: list[tuple[dt.datetime, int, str, str]] = []
        for path in [path for path in text_logs(folder) if path.name in SHARED]:
            at: dt.datetime | None = None
            for line in lines_of(path):
                shown = stamp_of(line)
                if shown is not None:
                    at = shown + dt.timedelta(milliseconds=luck.randint(0, 700))
                if at is not None:
                    found.append((at, len(found), node_of(path, folder), line.rstrip("\n")))
            path.unlink()
        for path in text_logs(folder):
            path.unlink()
        found.sort()
        (folder / name).write_text("".join(f"{as_line(line, at, node)}\n" for at, _, node, line in found))

    return distort


def _by_pod(line: str, _: dt.datetime, node: str) -> str:
    return f"[pod/my-{node}/kafka] {line}"


def _as_object(line: str, at: dt.datetime, node: str) -> str:
    pod = {"pod_name": f"my-{node}", "namespace_name": "kafka"}
    return json.dumps({"@timestamp": f"{at:%Y-%m-%dT%H:%M:%S.%f}Z", "kubernetes": pod, "message": line})


def _shuffled(folder: Path, luck: Random) -> None:
    """Every twenty records stand in any order, as a search over logs gives them that sorts by the second."""
    for path in text_logs(folder):
        records = [line for line in lines_of(path) if stamp_of(line) is not None]
        blocks = [records[at : at + 20] for at in range(0, len(records), 20)]
        written(path, "".join(line for block in blocks for line in luck.sample(block, len(block))))


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
        written(one, second)
        written(other, first)


def _dropped(share: float) -> Distortion:
    """Lines are missing one by one."""

    def distort(folder: Path, luck: Random) -> None:
        each_line(lambda line, _: None if luck.random() < share else line)(folder, luck)

    return distort


def _written_as(head: Callable[[dt.datetime], str]) -> Distortion:
    """Another form of the time in front of each record."""

    def anew(line: str, at: dt.datetime | None) -> str:
        return line if at is None else head(at) + line[HEAD_WIDTH:]

    return each_line(anew)


def milliseconds(at: dt.datetime) -> str:
    return f"{at.microsecond // 1000:03d}"


CLOCKS: Final[dict[str, Distortion]] = {
    "3.4 s ahead": clock(ahead(seconds=3.4), 1),
    "7 s behind": clock(ahead(seconds=-7), 0),
    "4 min ahead": clock(ahead(minutes=4, seconds=11), 1),
    "five and a half hours ahead": clock(ahead(hours=5, minutes=30), 1),
    "eight hours behind": clock(ahead(hours=-8), 0),
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
    "UTF-16": encoded("utf-16"),
    "German dates": _written_as(lambda at: f"{at:%d.%m.%Y %H:%M:%S},{milliseconds(at)} "),
    "dates without year": _written_as(lambda at: f"[{at:%m-%d %H:%M:%S},{milliseconds(at)}] "),
}
"""Kinds that take nothing away: what was found without them is found with them."""
PARTIAL: Final[dict[str, Distortion]] = {
    "mixed, nobody named": _mixed(lambda line, _at, _node: line, "all.log"),
    "times without date": _written_as(lambda at: f"[{at:%H:%M:%S},{milliseconds(at)}] "),
    "one line in ten missing": _dropped(0.1),
    "four lines in ten missing": _dropped(0.4),
}
"""Kinds that take something away, or what cannot be known without asking."""


def kinds() -> Iterator[str]:
    """The names of the kinds that random incidents choose from."""
    yield from (*CLOCKS, *COLLECTORS, *PARTIAL)


def distort(folder: Path, kind: str, seed: int) -> None:
    """Distort a recording in its place. Chance is by the names of both and the seed."""
    distort_by(folder, kind, Random(f"{folder.name} {kind} {seed}"))  # noqa: S311 - the same in every run


def distort_by(folder: Path, kind: str, luck: Random) -> None:
    """Distort the logs of a cluster in their place, by whatever chance."""
    (CLOCKS | COLLECTORS | PARTIAL | LATER_CLOCKS | LATER_COLLECTORS | LATER_PARTIAL)[kind](folder, luck)
