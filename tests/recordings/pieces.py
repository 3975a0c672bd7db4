"""What an engineer may not have: pieces of a recording taken away, the same ones in every run."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

_STAMP: Final = re.compile(rb"\[?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)")
_QUIET: Final = re.compile(rb"(?<![A-Z])(TRACE|DEBUG)(?![A-Z])")
_LOGGER: Final = re.compile(
    rb"\((kafka[\w.$]+|state\.change\.logger|org\.apache\.kafka[\w.$]+)\)\s*$", re.MULTILINE
)
_KINDS: Final = ("server.log", "state-change", "controller", "kafkaServer", "log-cleaner")
Piece = Callable[[Path, Random], None]


def node_of(path: Path, folder: Path) -> str:
    """broker-2 of broker-2/logs/server.log and of kafka-2.log, the output of a container."""
    first = path.relative_to(folder).parts[0]
    return first.replace("kafka-", "broker-").split(".")[0]


def text_logs(folder: Path) -> list[Path]:
    """The text logs of all nodes, with their rotated parts, and the output of containers."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (path.parent.name == "logs" or path.parent == folder)
    ]


def brokers(folder: Path) -> list[str]:
    names = {node_of(path, folder) for path in folder.iterdir()}
    return sorted(name for name in names if re.fullmatch(r"broker-\d\d?", name))


def _only(folder: Path, kept: str) -> None:
    for path in list(folder.iterdir()):
        if node_of(path, folder) != kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _one_broker(number: int) -> Piece:
    def take(folder: Path, _: Random) -> None:
        _only(folder, brokers(folder)[number])

    return take


def _no_data(folder: Path, _: Random) -> None:
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)


def _logs_of_one_broker(folder: Path, luck: Random) -> None:
    _only(folder, luck.choice(brokers(folder)))
    _no_data(folder, luck)


def _without(*names: str) -> Piece:
    def take(folder: Path, _: Random) -> None:
        for path in text_logs(folder):
            if path.name.startswith(names):
                path.unlink()

    return take


def _no_metadata_log(folder: Path, _: Random) -> None:
    for path in folder.glob("*/data*/__cluster_metadata-0"):
        shutil.rmtree(path)


def records_of(data: bytes) -> list[tuple[bytes, bytes]]:
    """(stamp to the second, lines) of each record; a line without a stamp belongs to the one before."""
    found: list[tuple[bytes, bytes]] = []
    for line in data.splitlines(keepends=True):
        match = _STAMP.match(line)
        if match is None and found:
            found[-1] = (found[-1][0], found[-1][1] + line)
        else:
            found.append((b" ".join(match.groups()) if match else b"", line))
    return found


def _info_only(folder: Path, _: Random) -> None:
    """As if the loggers had stood at INFO: the state change log of ZooKeeper clusters is at TRACE."""
    for path in text_logs(folder):
        kept = [
            text for _, text in records_of(path.read_bytes()) if not _QUIET.search(text.split(b"\n")[0][:60])
        ]
        path.write_bytes(b"".join(kept))


def _without_stretch(begin: float, end: float) -> Piece:
    """A part of the time is missing in all logs, as a share of the whole. Directories are as they were."""

    def take(folder: Path, _: Random) -> None:
        whole = _whole_time(folder)
        for path in text_logs(folder) if whole else ():
            _cut_out(path, whole, begin, end)

    return take


def _parts(by: Callable[[Path, Path], object]) -> Piece:
    """Each node, or each file, lacks its beginning, its end, a part in the middle, or nothing."""

    def take(folder: Path, luck: Random) -> None:
        whole = _whole_time(folder)
        cut: dict[object, tuple[float, float]] = {}
        for path in text_logs(folder) if whole else ():
            one, other = sorted((luck.random(), luck.random()))
            chosen = luck.choice(((0.0, one), (other, 1.0), (one, other), (0.5, 0.5)))
            _cut_out(path, whole, *cut.setdefault(by(path, folder), chosen))

    return take


def _whole_time(folder: Path) -> tuple[bytes, ...]:
    """The first and the last stamp of all logs; () without any."""
    stamps = sorted(
        stamp for path in text_logs(folder) for stamp, _ in records_of(path.read_bytes()) if stamp
    )
    return (stamps[0], stamps[-1]) if stamps else ()


def _cut_out(path: Path, whole: tuple[bytes, ...], begin: float, end: float) -> None:
    """Take the records out whose stamps lie between two shares of the whole time."""
    first = b"" if begin <= 0 else _moment(whole, begin)
    last = b"~" if end >= 1 else _moment(whole, end)
    kept = [text for stamp, text in records_of(path.read_bytes()) if not first <= stamp < last]
    path.write_bytes(b"".join(kept))


def _moment(whole: tuple[bytes, ...], share: float) -> bytes:
    def seconds(stamp: bytes) -> int:
        hours, minutes, rest = stamp.split(b" ")[1].split(b":")
        return (int(hours) * 60 + int(minutes)) * 60 + int(rest)

    first, last = whole
    moment = int(seconds(first) + (seconds(last) - seconds(first)) * share)
    clock = f"{moment // 3600:02}:{moment // 60 % 60:02}:{moment % 60:02}"
    return first.split(b" ")[0] + b" " + clock.encode()


def _deep(folder: Path, luck: Random) -> None:
    """Single files, of directories too: a segment, a checkpoint, a rotated part of a log."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and luck.random() < 0.3:
            path.unlink()


def _at_random(folder: Path, luck: Random) -> None:
    for path in [*text_logs(folder), *sorted(folder.glob("*/data*"))]:
        if luck.random() < 0.4:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _files_at_random(folder: Path, luck: Random) -> None:
    """As a copy that was broken off, or made by hand: also single segments and checkpoints are missing."""
    share = luck.choice((0.2, 0.5, 0.8))
    for path in sorted(folder.rglob("*")):
        if path.is_file() and luck.random() < share:
            path.unlink()


def _kinds_at_random(folder: Path, luck: Random) -> None:
    """Each node's logs of some kinds are missing, and half of the data directories."""
    share = luck.choice((0.3, 0.5, 0.7))
    logs = text_logs(folder)
    for node in sorted({node_of(path, folder) for path in folder.iterdir()}):
        gone = tuple(kind for kind in _KINDS if luck.random() < share)
        for path in logs:
            if node_of(path, folder) == node and path.name.startswith(gone):
                path.unlink()
        if luck.random() < 0.5:
            for path in folder.glob(f"{node}/data*"):
                shutil.rmtree(path)


def _window(folder: Path, luck: Random) -> None:
    """Each node has its logs of another stretch of time."""
    whole = _whole_time(folder)
    kept: dict[str, list[float]] = {}
    for path in text_logs(folder) if whole else ():
        first, last = kept.setdefault(node_of(path, folder), sorted((luck.random(), luck.random())))
        _cut_out(path, whole, 0, first)
        _cut_out(path, whole, last, 1)


def _torn(folder: Path, luck: Random) -> None:
    """A copy that ends early: half of the logs lack their begin or end, some files of directories theirs."""
    logs = text_logs(folder)
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        if luck.random() >= (0.5 if path in logs else 0.15):
            continue
        data, kept = path.read_bytes(), path.stat().st_mtime_ns
        at = luck.randrange(len(data) + 1)
        path.write_bytes(data[at:] if path in logs and luck.random() < 0.5 else data[:at])
        os.utime(path, ns=(kept, kept))


def _rotated_away(folder: Path, luck: Random) -> None:
    """Of half of the logs one rotated part is lost."""
    for path in text_logs(folder):
        if luck.random() < 0.5:
            continue
        records = records_of(path.read_bytes())
        parts = luck.randint(2, 5)
        gone = luck.randrange(parts)
        kept = [text for at, (_, text) in enumerate(records) if at * parts // len(records) != gone]
        path.write_bytes(b"".join(kept))


def _loggers(folder: Path, luck: Random) -> None:
    """Three loggers were off on some nodes."""
    logs = text_logs(folder)
    nodes = sorted({node_of(path, folder) for path in logs})
    where = set(luck.sample(nodes, luck.randint(1, len(nodes))))
    names = sorted({name for path in logs for name in _LOGGER.findall(path.read_bytes())})
    gone = set(luck.sample(names, min(3, len(names))))
    for path in logs:
        if node_of(path, folder) in where:
            records = records_of(path.read_bytes())
            kept = [text for _, text in records if not gone.intersection(_LOGGER.findall(text))]
            path.write_bytes(b"".join(kept))


def take_middles(folder: Path) -> None:
    """Each log lacks the middle third of its records: at other times in a log of many lines than of few."""
    for path in text_logs(folder):
        records = [text for _, text in records_of(path.read_bytes())]
        path.write_bytes(b"".join(records[: len(records) // 3] + records[2 * len(records) // 3 :]))


def take_rotated_middles(folder: Path) -> None:
    """Each log was rotated twice, and the file between is missing: a third of its lines."""
    for path in text_logs(folder):
        lines = path.read_bytes().splitlines(keepends=True)
        oldest, newest = lines[: len(lines) // 3], lines[2 * len(lines) // 3 :]
        path.with_name(path.name + ".1").write_bytes(b"".join(oldest))
        path.write_bytes(b"".join(newest))


def _times_lost(folder: Path, luck: Random) -> None:
    """`cp -r` a minute after the end: every file of a directory has the time of the copy."""
    ends = max(path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file())
    for path in sorted(folder.glob("*/data*/**/*")):
        if path.is_file():
            copied = ends + 60_000_000_000 + luck.randrange(2_000_000_000)
            os.utime(path, ns=(copied, copied))


PIECES: Final[dict[str, Piece]] = {
    "no data": _no_data,
    "only the first broker": _one_broker(0),
    "only the last broker": _one_broker(-1),
    "logs of one broker": _logs_of_one_broker,
    "no control logs": _without("state-change", "controller"),
    "no server log": _without("server", "kafkaServer"),
    "no metadata log": _no_metadata_log,
    "INFO only": _info_only,
    "second half": _without_stretch(0, 0.5),
    "last two thirds": _without_stretch(0, 1 / 3),
    "first half": _without_stretch(0.55, 1),
    "a hole in the middle": _without_stretch(0.4, 0.6),
    "parts of each node": _parts(node_of),
    "parts of each file": _parts(lambda path, _: path),
    "deep in the folders": _deep,
    "at random": _at_random,
    "at random, again": _at_random,
    "files at random": _files_at_random,
    "files at random, again": _files_at_random,
    "kinds of logs at random": _kinds_at_random,
    "a window of each node": _window,
    "torn": _torn,
    "a rotated part": _rotated_away,
    "three loggers": _loggers,
    "times of files": _times_lost,
}


def take_away(folder: Path, piece: str) -> None:
    """Remove a piece from a recording; chance is by the names of both."""
    luck = Random(folder.name + piece)  # noqa: S311 - which files are missing, always the same ones
    PIECES[piece](folder, luck)
