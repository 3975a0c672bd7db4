"""A broker whose clock is off or whose logs are in another zone, with files missing: what is shown holds."""

import datetime as dt
import os
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from core.trace.trace import Trace
from importers.load import load
from importers.merge.zones import to_utc
from tests.archives import recording_names, unpack_recording
from tests.recordings.pieces import PIECES, brokers, node_of, text_logs

pytestmark = [pytest.mark.slow, pytest.mark.thinned(23)]

MS = 1_000_000
SHIFTS = {"two seconds behind": -2000, "37 ms ahead": 37, "an hour ahead": 3_600_000, "west": -18_900_000}
"""Ms that are added to every stamp of one broker's logs; the last one is the zone of -05:15."""
MISSING = ("nothing", "at random", "parts of each node", "deep in the folders")
_HEAD = re.compile(rb"^(\[?)(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)([,.])(\d{3})", re.MULTILINE)


def shift(folder: Path, broker: int, add_ms: int) -> None:
    """Every line of a broker's logs shows another time; the files keep theirs."""

    def later(match: re.Match[bytes]) -> bytes:
        begin, day, between, clock, point, ms = match.groups()
        stamp = dt.datetime.fromisoformat(f"{day.decode()}T{clock.decode()}.{ms.decode()}")
        moved = stamp + dt.timedelta(milliseconds=add_ms)
        shown = f"{moved:%Y-%m-%d}{between.decode()}{moved:%H:%M:%S}{point.decode()}"
        return begin + f"{shown}{moved.microsecond // 1000:03d}".encode()

    for path in text_logs(folder):
        if node_of(path, folder) == f"broker-{broker}":
            stat = path.stat()
            path.write_bytes(_HEAD.sub(later, path.read_bytes()))
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def zones(trace: Trace) -> Mapping[int, int]:
    """By how many ms the zone of each broker's logs is ahead of UTC, as the importer has it."""
    noon = 1_795_230_000_000_000_000
    return {int(one.broker): (noon - to_utc(one.zone)(noon)) // MS for one in trace.sources if one.zone_basis}


def wrong_intervals(trace: Trace, broker: int, add_ms: int) -> list[str]:
    """The intervals that do not hold what must be added to a clock: all clocks of a recording were one."""
    ahead = zones(trace)
    off = {one: -ahead.get(one, 0) for one in {*ahead, broker}}
    off[broker] += add_ms
    clocks = {f"broker {one}": ms for one, ms in off.items()}
    rows = trace.report["clocks"]
    reference = next((clocks.get(row["clock"], 0) for row in rows if row["reference"]), 0)
    found: list[str] = []
    for row in rows:
        lo, hi = row["add_ns"]["lo"], row["add_ns"]["hi"]
        true = (reference - clocks.get(row["clock"], 0)) * MS
        if (lo is not None and true < lo) or (hi is not None and hi < true):
            found.append(f"{row['clock']}: {true} and not {lo}..{hi} ns")
    return found


@pytest.mark.parametrize("add_ms", SHIFTS.values(), ids=SHIFTS)
@pytest.mark.parametrize("name", recording_names())
def test_the_true_shift_lies_in_what_is_shown(name: str, add_ms: int, tmp_path: Path) -> None:
    wrong: list[object] = []
    for piece in MISSING:
        luck = Random(f"{name} {piece} {add_ms}")  # noqa: S311 - the same ones in every run
        folder, _ = unpack_recording(name, tmp_path / piece)
        broker = int(luck.choice(brokers(folder)).removeprefix("broker-"))
        PIECES.get(piece, lambda *_: None)(folder, luck)
        shift(folder, broker, add_ms)
        if text_logs(folder):
            trace = load([folder])
            wrong += [(piece, one) for one in wrong_intervals(trace, broker, add_ms)]
    assert wrong == []
