"""Ways in which logs are handed over that were not read once, or read wrong; each by a seed."""

import datetime as dt
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from tests.recordings.distorting import SHARED, lines_of, stamp_of, written
from tests.recordings.pieces import node_of, text_logs

Record = tuple[dt.datetime, str]
_LOGGER: Final = re.compile(r"\((?:[\w$-]+\.)+([\w$-]+)\)$")


def _logs(folder: Path) -> list[Path]:
    return [path for path in text_logs(folder) if path.parent.name == "logs"]


def _of_nodes(folder: Path) -> dict[str, list[Record]]:
    """The lines of each node's three logs in the order of time, each with the time of its record.

    The logs are taken away.
    """
    found: dict[str, list[Record]] = {}
    for path in _logs(folder):
        if path.name in SHARED:
            at: dt.datetime | None = None
            for line in lines_of(path):
                at = stamp_of(line) or at
                if at is not None:
                    found.setdefault(node_of(path, folder), []).append((at, line.rstrip("\n")))
        path.unlink()
    return {node: sorted(lines, key=lambda one: one[0]) for node, lines in found.items()}


def _collected(
    folder: Path, luck: Random, name: str, as_line: Callable[[str, dt.datetime, str], str]
) -> None:
    """All nodes in one file by arrival, up to 40 ms late; the lines of a node in their order."""
    found: list[tuple[dt.datetime, int, str]] = []
    for node, lines in _of_nodes(folder).items():
        last = lines[0][0]
        for at, line in lines:
            last = max(last, at + dt.timedelta(milliseconds=luck.randint(0, 40)))
            found.append((last, len(found), as_line(node, last, line)))
    (folder / name).write_text("".join(f"{line}\n" for _, _, line in sorted(found)), encoding="utf-8")


def _joined(folder: Path, luck: Random) -> None:
    """`cat *.log` of each broker, in any order."""
    for logs in sorted({path.parent for path in _logs(folder)}):
        paths = [logs / name for name in SHARED if (logs / name).is_file()]
        luck.shuffle(paths)
        text = "".join(line for path in paths for line in lines_of(path))
        for path in paths:
            path.unlink()
        (logs / "all.log").write_text(text, encoding="utf-8")


def _class_alone(folder: Path, _: Random) -> None:
    """A pattern with `%c{1}`."""
    for path in _logs(folder):
        written(path, "".join(_LOGGER.sub(r"(\1)", line.rstrip("\n")) + "\n" for line in lines_of(path)))


def _journal(folder: Path, luck: Random) -> None:
    """`journalctl -o json` of a host to which all send."""

    def entry(node: str, at: dt.datetime, line: str) -> str:
        moment = int(at.replace(tzinfo=dt.UTC).timestamp() * 1_000_000)
        return json.dumps(
            {"__REALTIME_TIMESTAMP": str(moment), "_HOSTNAME": f"kafka-{node[-1]}", "MESSAGE": line}
        )

    _collected(folder, luck, "journal.json", entry)


def _logcli(folder: Path, luck: Random) -> None:
    """`logcli query`, the newest line first."""
    _collected(
        folder,
        luck,
        "logcli.txt",
        lambda node, at, line: f'{at:%Y-%m-%dT%H:%M:%S}Z {{pod="my-{node}"}} {line}',
    )
    place = folder / "logcli.txt"
    place.write_text("".join(reversed(lines_of(place))), encoding="utf-8")


def _framed(folder: Path, _: Random) -> None:
    """Syslog over TCP, as it came."""
    for node, lines in _of_nodes(folder).items():
        frames = [
            f"<134>1 {at:%Y-%m-%dT%H:%M:%S.%f}Z host-{node[-1]} kafka 4711 - - {line}".encode()
            for at, line in lines
        ]
        data = b"".join(b"%d %s" % (len(frame), frame) for frame in frames)
        (folder / f"host-{node[-1]}.syslog").write_bytes(data)


def _logfmt(folder: Path, luck: Random) -> None:
    """All that is known of a line by name."""
    _collected(
        folder, luck, "logs.txt",
        lambda node, at, line: f"ts={at:%Y-%m-%dT%H:%M:%S.%f}Z level=info host={node} msg={json.dumps(line)}",
    )  # fmt: skip


def _wrapped(folder: Path, luck: Random) -> None:
    """What a terminal of any width showed."""
    width = luck.randint(72, 180)
    for path in _logs(folder):
        lines = [line.rstrip("\n") for line in lines_of(path)]
        parts = [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)]
        written(path, "".join(f"{part}\n" for part in parts))


def _page(folder: Path, _: Random) -> None:
    """The source of a page that shows a log."""
    for path in _logs(folder):
        written(path, html.escape(path.read_text("utf-8", "replace")))


HANDED_OVER: Final[dict[str, Callable[[Path, Random], None]]] = {
    "joined without headings": _joined,
    "classes without packages": _class_alone,
    "the journal's objects": _journal,
    "logcli": _logcli,
    "framed syslog": _framed,
    "logfmt": _logfmt,
    "wrapped": _wrapped,
    "a page": _page,
}
