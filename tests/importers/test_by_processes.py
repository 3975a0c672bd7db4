"""Members read by several processes: the same files to the byte, one progress, one stop, little in memory."""

import gzip
import io
import multiprocessing
import os
import random
import signal
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from core.errors import CancelledError, EndedError, SourceError
from core.message import Message
from core.processes import Share
from core.trace.digest import content_digest
from core.trace.kept import KeptLines
from core.trace.trace import Trace
from core.work import QUIET, Work
from importers import limits
from importers.containers.containers import Member, members, size_of
from importers.containers.pace import Pace
from importers.lines.layout import PROBE_BYTES
from importers.lines.statements import Statements
from importers.load import load
from importers.merge import by_processes
from importers.merge.by_processes import read_all
from importers.merge.so_far import ReadSoFar
from importers.options import ImportOptions
from tests.archives import RECORDINGS, recording_names, unpack_recording

LINE = b"[2026-11-21 03:29:10,161] INFO [Kafka Server 1], started (kafka.server.KafkaServer)\n"
SAMPLE = random.Random(22).sample(recording_names(), 2)  # noqa: S311 - not a secret


def plain(value: Any) -> Any:
    """A value of the importers with all that is in it, to be compared.

    Statements as values: the numbers of their texts depend on what a process has read before.
    """
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tobytes()
    if is_dataclass(value) and not isinstance(value, Statements):
        return type(value).__name__, [plain(getattr(value, one.name)) for one in fields(value)]
    if isinstance(value, Mapping):
        return [(plain(name), plain(one)) for name, one in value.items()]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(one) for one in value]
    return value


def all_of(trace: Trace) -> tuple[Any, ...]:
    """A trace with what its digest leaves out: the report, and the lines as they are packed."""
    assert isinstance(trace.lines, KeptLines)
    lines = [(one.source, one.lines.tolist(), one.places.tolist(), one.packed) for one in trace.lines.blocks]
    return content_digest(trace), lines, trace.report


def read(paths: Sequence[Path], jobs: int | None, work: Work = QUIET) -> list[list[tuple[str, str, str]]]:
    """What is read of each member, in order: of each file its name, why it was not read, a digest of all."""
    pace = Pace(work, size_of(paths))
    return [
        [
            (one.path, str(one.fault and one.fault.what), sha256(repr(plain(one)).encode()).hexdigest())
            for one in files
        ]
        for files in read_all(members(paths), pace, lambda work: work, jobs)
    ]


def packed(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Recordings as folders and as archives, and what is in the way of reading."""
    folder = tmp_path_factory.mktemp("sources")
    for name in SAMPLE:
        unpack_recording(name, folder)
    odd = folder / "odd"
    odd.mkdir()
    long = LINE * 30_000
    contents = {
        "zeros-first.log": bytes(PROBE_BYTES + 5_000) + LINE * 400,
        "long.log.gz": gzip.compress(long),
        "torn.log.gz": gzip.compress(long)[:-30],
        "wide.log": (LINE * 30).decode().encode("utf-16"),
        "torn.tar.gz": packed({f"{number}/server.log": LINE * 2_000 for number in range(4)})[:-40],
        "broken.zip": b"PK\x03\x04 and then nothing",
        "other.log": b"2026-11-21 03:29:10 sshd[1]: Accepted publickey\n" * 9,
        "00000000000000000000.index": bytes(64),
        "empty.log": b"",
    }
    for name, content in contents.items():
        (odd / name).write_bytes(content)
    return [*(folder / name for name in SAMPLE), odd, *(RECORDINGS / f"{name}.tar.xz" for name in SAMPLE)]


@pytest.mark.slow
def test_each_member_is_read_as_in_one_process(sources: list[Path]) -> None:
    found = read(sources, 2)

    assert len(found) > 100
    assert found == read(sources, 1)


@pytest.mark.slow
@pytest.mark.parametrize("packed_up", [False, True])
def test_a_trace_is_the_same_to_the_byte_and_so_is_what_is_told(
    sources: list[Path], *, packed_up: bool
) -> None:
    source = sources[-2] if packed_up else sources[0]
    options = ImportOptions(left_out=frozenset(["*/controller.log"]))
    told: list[list[object]] = [[], []]

    one, two = (load([source], options, Work(found=told[jobs - 1].append), jobs=jobs) for jobs in (1, 2))

    assert len(one)
    assert all_of(two) == all_of(one)
    alone, together = ([one for one in some if isinstance(one, ReadSoFar)] for some in told)
    assert together[-1] == alone[-1]
    assert together[-1].whole


@pytest.mark.slow
def test_the_limits_are_those_of_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hole a piece counts: so of the files behind it as many are read as in one process."""
    topic = tmp_path / "data" / "orders-0"
    topic.mkdir(parents=True)
    with (topic / "00000000000000000000.log").open("wb") as segment:
        segment.truncate(300_000)
    for name in "pqrst":
        (tmp_path / f"{name}.log").write_bytes(LINE * 1_000)
    (tmp_path / "u.tar.gz").write_bytes(packed({"server.log": LINE * 1_000}))
    monkeypatch.setattr(limits, "MOST_TOTAL_BYTES", 400_000)

    found = read([tmp_path], 2)

    assert found == read([tmp_path], 1)
    refused = [name for ((name, fault, _),) in found if "error.source.too-large" in fault]
    assert refused == ["t.log", "u.tar.gz"]


@pytest.mark.slow
def test_a_member_that_is_too_long_to_be_held_is_read_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = {f"{number}/server.log": LINE * count for number, count in enumerate([9, 30_000, 9])}
    source = tmp_path / "logs.tar.gz"
    source.write_bytes(packed(logs))
    alone = read([source], 1)
    here: list[str] = []
    read_files = by_processes.read_files

    def noted(member: Member, *work: Work) -> Any:
        here.append(member.path)
        return read_files(member, *work)

    monkeypatch.setattr(by_processes, "MOST_HELD", 2_200_000)
    monkeypatch.setattr(by_processes, "read_files", noted)

    assert read([source], 2) == alone
    assert here == ["1/server.log"]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Ten logs of 1.7 MB: each goes to a process by itself."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(10):
        (folder / f"{number}.log").write_bytes(LINE * 20_000)
    return folder


@pytest.mark.slow
def test_one_progress_that_goes_forward_to_the_end(logs: Path) -> None:
    told: list[tuple[int, int, Message | None]] = []

    read([logs], 2, Work(lambda *step: told.append(step)))

    places = [done for done, _, _ in told]
    assert places == sorted(places)
    assert places[-1] == size_of([logs]) // 1024
    assert len(set(places)) > 3


@pytest.mark.slow
def test_a_stop_ends_all_processes(logs: Path) -> None:
    places: list[int] = []

    def stopped() -> bool:
        return bool(places) and places[-1] > 0

    with pytest.raises(CancelledError):
        read([logs], 2, Work(lambda done, _total, _what: places.append(done), stopped))

    assert max(places) < size_of([logs]) // 1024
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_a_process_that_is_killed_ends_the_import_with_one_error(logs: Path) -> None:
    killed: list[int] = []

    def progress(_done: int, _total: int, _what: Message | None) -> None:
        children = multiprocessing.active_children()
        if children and not killed:
            (killed[:],) = [[children[0].pid or 0]]
            os.kill(killed[0], signal.SIGKILL)

    with pytest.raises(EndedError, match="one of its processes was killed"):
        load([logs], work=Work(progress), jobs=2)

    assert killed
    assert multiprocessing.active_children() == []


class InThisProcess:
    """Stands in for processes: what is given is read when it is taken, in this one."""

    most = 0
    made = 0

    def __init__(self, jobs: int, begin: Any, function: Any, _waiting: Any) -> None:
        type(self).made = jobs
        self._share = Share(1)
        self._read = lambda tasks: function(begin(self._share), tasks)
        self._given: list[Any] = []
        self.ready, self.done = False, 0

    @property
    def full(self) -> bool:
        return len(self._given) == 6

    def give(self, tasks: Sequence[Any]) -> None:
        assert not self.full
        self._given.append(tasks)
        held = sum(
            len(piece) for some in self._given for task in some for piece in getattr(task, "pieces", ())
        )
        type(self).most = max(self.most, held)

    def take(self) -> Any:
        return self._read(self._given.pop(0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> type[InThisProcess]:
    monkeypatch.setattr(by_processes, "Workers", InThisProcess)
    monkeypatch.setattr(by_processes, "cores", lambda: 4)
    InThisProcess.most = InThisProcess.made = 0
    return InThisProcess


def test_no_more_of_an_archive_is_held_than_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_this_process: type[InThisProcess]
) -> None:
    source = tmp_path / "logs.tar.gz"
    source.write_bytes(packed({f"{number:02}/server.log": LINE * 1_000 for number in range(40)}))
    monkeypatch.setattr(by_processes, "_TOGETHER_BYTES", 50_000)
    monkeypatch.setattr(by_processes, "MOST_HELD", 200_000)

    found = read([source], 3)

    assert len(found) == 40
    assert 200_000 <= in_this_process.most < 200_000 + 1_000 * len(LINE)


def test_processes_begin_where_there_is_much_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_this_process: type[InThisProcess]
) -> None:
    for number in range(4):
        (tmp_path / f"{number}.log").write_bytes(LINE * 1_000)
    for each, jobs in ((200_000, 0), (150_000, 2), (1_000, 4)):
        in_this_process.made = 0
        monkeypatch.setattr(by_processes, "BYTES_A_PROCESS", each)
        read([tmp_path], None)

        assert in_this_process.made == jobs
    read([tmp_path], 1)


def test_of_an_archive_it_is_told_by_what_came_out_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_this_process: type[InThisProcess]
) -> None:
    """It is a hundredth of what it holds, which nobody knows before some of it is read."""
    noise = random.Random(1)  # noqa: S311 - not a secret
    source = tmp_path / "logs.tar.gz"
    lines = [LINE.replace(b"161", b"%03d" % noise.randrange(1000)) for _ in range(8_000)]
    source.write_bytes(packed({f"{number:02}.log": b"".join(lines) for number in range(6)}))
    monkeypatch.setattr(by_processes, "BYTES_A_PROCESS", 300_000)

    assert source.stat().st_size < 2 * 300_000
    read([source], None)
    assert in_this_process.made > 1


def test_one_log_that_was_named_is_read_here(tmp_path: Path, in_this_process: type[InThisProcess]) -> None:
    source = tmp_path / "server.log"
    source.write_bytes(LINE * 1_000)

    assert len(read([source], 2)) == 1
    assert in_this_process.made == 0
    (tmp_path / "torn.gz").write_bytes(gzip.compress(LINE * 1_000)[:-30])
    with pytest.raises(SourceError):
        read([tmp_path / "torn.gz"], 2)
