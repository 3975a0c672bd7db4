"""Speed and memory of importing: `python -m tests.bench.importers [--megabytes 1000] [--recordings FOLDER]`.

The log is made of the lines of recordings, so often and so mixed that its size and its share of events are
as wanted. `rg -c` with the union of the patterns of all rules that read something is what the parser is
measured against; without rg, `grep -cE` stands in, and is named. Each part runs in a process of its own, so
that its CPU time and its peak memory are its own.
"""

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path

import numpy as np

from core.trace.trace import Trace
from db.document import create
from importers.kafka.grammar import RULES
from importers.lines.layout import STOCK, find_layout
from importers.lines.parser import parse
from importers.lines.reading import PIECE, LogReader
from importers.load import load
from tests.bench.table import Measured, print_table
from tests.memory import peak_kib

RECORDINGS = Path(__file__).parents[1] / "recordings"
GOAL_PARSE = 4.5
"""Without numba; 1.0 with it."""
GOAL_DOCUMENT = 1.0
GOAL_PEAK_MB = 600
EVENTS = 0.15
_NUMBER = re.compile(
    rb"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\]|(?<=[ =:(\[])\d{2,9}(?=[ ,.)\]}])", re.MULTILINE
)
_NO_TIME, _SECOND = timedelta(), timedelta(seconds=1)


def logs_of(folder: Path) -> Iterator[bytes]:
    """Every log in the stock layout in the archives of a folder."""
    for archive in sorted(folder.glob("*.tar*")):
        with tarfile.open(archive) as opened:
            for member in opened:
                stream = opened.extractfile(member) if member.isfile() else None
                data = b"" if stream is None else stream.read()
                if find_layout(data) == STOCK:
                    yield data if data.endswith(b"\n") else data + b"\n"


def records_of(data: bytes) -> tuple[list[bytes], set[int]]:
    """The records of a log, and which of them are events."""
    found = parse(data, STOCK)
    starts = found.bytes.tolist()
    events = set(found.drafts.columns["byte"].tolist())
    texts = [data[begin:end] for begin, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    return texts, {number for number, start in enumerate(starts) if start in events}


def moved(text: bytes, turn: int, now: datetime) -> tuple[bytes, datetime]:
    """A log that goes on from a moment, and when it ends.

    Its times never go back: records are as far apart as they were, and at most a second. Its numbers of two
    digits and more are others in each turn.
    """
    last: datetime | None = None

    def change(match: re.Match[bytes]) -> bytes:
        nonlocal now, last
        found = match[0]
        if not found.endswith(b"]"):
            return b"%d" % (int(found) + 37 * turn)
        told = datetime.fromisoformat(found[1:-1].decode().replace(",", "."))
        now += min(max(told - (last or told), _NO_TIME), _SECOND)
        last = told
        return b"[%s]" % now.isoformat(" ", "milliseconds").replace(".", ",").encode()

    return _NUMBER.sub(change, text), now


def write_log(path: Path, size: int, folder: Path) -> tuple[int, int]:
    """Make the log; gives its records and its events.

    The logs of the recordings follow each other whole, so that events stand as close together as they do in
    a cluster; behind each come records that are no events, until the share of events is as wanted.
    """
    logs = [records_of(data) for data in logs_of(folder)]
    quiet = cycle([text for texts, events in logs for n, text in enumerate(texts) if n not in events])
    written = turn = count = told = 0
    now = datetime(2001, 1, 1)  # noqa: DTZ001 - as brokers print it
    with path.open("wb") as out:
        while written < size:
            turn += 1
            for texts, events in logs:
                filling = max(0, round(len(events) / EVENTS) - len(texts))
                text, now = moved(b"".join((*texts, *(next(quiet) for _ in range(filling)))), turn, now)
                written += out.write(text)
                count += len(texts) + filling
                told += len(events)
                if written >= size:
                    break
    return count, told


def union(*, extended: bool) -> str:
    """The patterns of all rules that read something, one a line, as rg takes them, or as grep -E does."""
    lines: list[str] = []
    for rule in RULES:
        if rule.build is None:
            continue
        line = plain_pattern(rule.pattern)
        if extended:
            line = re.sub(r"([*+?}])\?", r"\1", line.replace("(?:", "("))
            line = re.sub(r"(\[[^\]]*)\\d", r"\g<1>0-9", line).replace(r"\d", "[0-9]")
        lines.append(line)
    return "\n".join(lines) + "\n"


def plain_pattern(pattern: str) -> str:
    """A rule's pattern without names of groups and what must not follow, which other engines do not know.

    Nor with needless escapes, which rg refuses.
    """
    line = re.sub(r"\(\?!(?:[^()]|\([^()]*\))*\)", "", re.sub(r"\(\?P<\w+>", "(?:", pattern))
    return re.sub(r"\\([\"'` ,:;=<>/#@!%&~])", r"\1", line)


def search(log: Path, patterns: Path) -> tuple[str, float]:
    """What searched the log, and its CPU seconds."""
    rg = shutil.which("rg")
    patterns.write_text(union(extended=rg is None), "utf-8")
    command = (
        [
            rg,
            "-j1",
            "--mmap",
            "--no-unicode",
            "--no-config",
            "--regex-size-limit",
            "1G",
            "--dfa-size-limit",
            "1G",
        ]
        if rg is not None
        else ["env", "LC_ALL=C", "grep", "-E"]
    )
    before = _children()
    done = subprocess.run(
        [*command, "-c", "-f", str(patterns), str(log)], check=False, capture_output=True, text=True
    )
    if done.returncode not in (0, 1) or not done.stdout.strip().isdigit():
        raise SystemExit(f"the search failed: {done.stderr[-500:]}")
    return ("rg -c" if rg is not None else "grep -cE, in place of rg -c,"), _children() - before


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def parse_file(log: Path) -> int:
    """Typed parse: all columns and statements of a log, piece by piece as an import reads it, and held."""
    reader = LogReader(STOCK)
    with log.open("rb") as file:
        while piece := file.read(PIECE):
            reader.feed(piece)
    places = reader.end()[0].drafts.columns["byte"]
    return int(np.count_nonzero(np.diff(places, prepend=-1)))


def write_document(log: Path) -> int:
    """From the log to a document on disk."""
    trace: Trace = load([log])
    with tempfile.TemporaryDirectory(dir=log.parent) as folder:
        create(Path(folder) / "bench.tide", [trace])
    return len(trace)


PARTS = {"parse": parse_file, "document": write_document}


def run_part(part: str, log: Path) -> dict[str, float]:
    """A part in a process of its own: CPU seconds, peak memory, and how many events it found."""
    command = [sys.executable, "-m", "tests.bench.importers", "--part", part, "--log", str(log)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def told_part(part: str, log: Path) -> str:
    """What `run_part` reads."""
    begun = time.process_time()
    found = PARTS[part](log)
    peak = peak_kib() / 1024
    return json.dumps({"seconds": time.process_time() - begun, "peak_mb": peak, "found": found})


def measure(megabytes: int, recordings: Path, where: Path) -> list[Measured]:
    """All figures, on a log that is made now."""
    log = where / "server.log"
    records, events = write_log(log, megabytes * 1_000_000, recordings)
    sys.stdout.write(f"{megabytes} MB, {records:,} records, {events / records:.0%} events\n")
    # Once before, so that the file is in memory for all.
    search(log, where / "patterns")
    name, seconds = search(log, where / "patterns")
    rows: list[Measured] = []
    for part, what, goal in (
        ("parse", "typed parse", GOAL_PARSE),
        ("document", "log to document", GOAL_DOCUMENT),
    ):
        got = run_part(part, log)
        if part == "parse" and got["found"] != events:
            raise SystemExit(f"{events} events were written, and {got['found']:.0f} were found")
        ratio = got["seconds"] / seconds
        rows.append(
            Measured(
                f"{what}, CPU over {name} ({seconds:.2f} s)",
                f"<= {goal} x",
                f"{ratio:.1f} x, {got['seconds']:.1f} s, {megabytes / got['seconds']:.0f} MB/s",
                ratio <= goal,
                ratio,
            )
        )
        peak = got["peak_mb"]
        rows.append(
            Measured(f"{what}, peak memory", f"<= {GOAL_PEAK_MB} MB", f"{peak:.0f} MB", peak <= GOAL_PEAK_MB)
        )
    return rows


def main() -> int:
    """The table, or one part of it for the process that measures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--recordings", type=Path, default=RECORDINGS)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--log", type=Path)
    chosen = parser.parse_args()
    if chosen.part:
        sys.stdout.write(told_part(chosen.part, chosen.log))
        return 0
    with tempfile.TemporaryDirectory() as where:
        return print_table("importers", measure(chosen.megabytes, chosen.recordings, Path(where)))


if __name__ == "__main__":
    sys.exit(main())
