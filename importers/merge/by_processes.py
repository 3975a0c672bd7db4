"""Members read by one process a core: the same files in the same order, whoever read them.

A file on the disk is opened by the process that reads it. What an archive holds is read out of it here, where
it is counted against the limits, and goes to the processes as bytes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Final, Protocol, TypeAlias, cast

from core.errors import Facts
from core.processes import Share, Workers, cores
from core.work import Work
from importers.containers.containers import Member, borrowed
from importers.containers.pace import Pace
from importers.limits import DamagedError, Lent, Recounted, Stream
from importers.lines.layout import PROBE_BYTES
from importers.lines.reading import PIECE
from importers.merge.files import ReadFile, read_files

BYTES_A_PROCESS: Final = 32 * 1024**2
"""Another process is begun for so many unpacked bytes: with fewer its start takes longer than it saves.

It takes half a second, and as long again until it has found out what the shapes of lines say; a second reads
some 20 MB.
"""
MOST_HELD: Final = 64 * 1024**2
"""Unpacked bytes of one member that go to a process; a longer one is read here. Once so many are on the way,
no more are read until they are back."""
_TOGETHER_BYTES: Final = 1024**2
_TOGETHER: Final = 256
"""Small files go to a process together: so many bytes, and members."""

Files: TypeAlias = tuple[ReadFile, ...]


def read_all(
    members: Iterable[Member], pace: Pace, beside: Callable[[Work], Work], jobs: int | None
) -> Iterator[Files]:
    """`read_files` of each member, in order, by so many processes.

    None is one for each core, and fewer, or this one alone, where there is little to read. `beside` makes the
    work to read with from that of `pace`. Raises what reading raises, CancelledError, and EndedError.
    """
    return _Reader(pace, beside, jobs).read(members)


class _Task(Protocol):
    """A member that another process reads. `label` is its path, `size` how many bytes it has."""

    @property
    def label(self) -> str: ...
    @property
    def size(self) -> int: ...
    def read(self, share: Share) -> tuple[Files, int]:
        """What it is, and how many bytes were read."""
        ...


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """A file on the disk. `progress`: for how many bytes of the source it counts."""

    label: str
    path: str
    size: int
    progress: int

    def read(self, share: Share) -> tuple[Files, int]:
        """Open it and read it."""
        taken = told = 0

        def took(count: int) -> None:
            nonlocal taken, told
            taken += count
            more = min(taken, self.progress) - told
            told += more
            share.step(more)

        files: Files = ()
        for member in borrowed(Path(self.path), self.label, took):
            files += read_files(member)
        share.step(self.progress - told)
        return files, taken


@dataclass(frozen=True, slots=True)
class _Held:
    """What was read out of an archive, in pieces, to its end or to where it is damaged."""

    label: str
    mtime_ns: int | None
    pieces: Sequence[bytes]
    fault: Facts | None
    size: int
    progress: int

    def read(self, share: Share) -> tuple[Files, int]:
        """Read the pieces."""
        source = _Again(self.pieces, self._end)
        files = read_files(Member(self.label, _recounted(source, lambda _: share.step()), self.mtime_ns))
        share.step(self.progress)
        return files, self.size

    def _end(self, _count: int) -> bytes:
        if self.fault is not None:
            raise DamagedError.of(self.fault)
        return b""


class _Again:
    """Pieces that were read of a stream, and what follows them, as a file."""

    def __init__(self, pieces: Iterable[bytes], rest: Callable[[int], bytes]) -> None:
        self._pieces, self._rest = deque(pieces), rest

    def read(self, count: int) -> bytes:
        """At most so many bytes; a piece is only cut where it is longer."""
        if not self._pieces:
            return self._rest(count)
        piece = self._pieces.popleft()
        if len(piece) > count:
            self._pieces.appendleft(piece[count:])
        return piece[:count]


def _recounted(source: _Again, took: Callable[[int], None]) -> Stream:
    """A stream of what was counted before, which `took` hears of."""
    return Stream(cast("IO[bytes]", source), Recounted("", BytesIO(), 0, took), "")


def _pieces_of(stream: Stream) -> Iterator[bytes]:
    """A stream in the pieces in which `read_files` takes a log: lines are kept in the same blocks."""
    while (probe := stream.peek(PROBE_BYTES)) and not probe.strip(b"\0"):
        yield stream.read(len(probe))
    while piece := stream.read(PIECE):
        yield piece


def _same(share: Share) -> Share:
    """What a process keeps for all that it reads."""
    return share


def _read_some(share: Share, tasks: Sequence[_Task]) -> list[tuple[Files, int]]:
    """What a process does with the members that it is given."""
    return [task.read(share) for task in tasks]


@dataclass(slots=True)
class _Given:
    """Members that follow each other: of each what it is, or that others read it, where any was `sent`.

    `name` is that of the first; `held` are the bytes that are in memory for them. `files` are there when all
    of them are read.
    """

    name: str
    slots: Sequence[Files | Lent | None]
    sent: bool
    held: int
    files: Sequence[Files] | None = None


class _Reader:
    """Reads members, here until the rest is worth processes. Progress is in bytes on disk."""

    def __init__(self, pace: Pace, beside: Callable[[Work], Work], jobs: int | None) -> None:
        """Nothing is read yet."""
        self._pace, self._beside, self._jobs = pace, beside, jobs
        self._workers: Workers[Sequence[_Task], list[tuple[Files, int]]] | None = None
        self._place = self._elsewhere = self._unpacked = 0
        # Those that go to a process together, and those that went, or were read here since.
        self._tasks: list[_Task] = []
        self._slots: list[Files | Lent | None] = []
        self._name = ""
        self._given: deque[_Given] = deque()
        self._held = 0

    def read(self, members: Iterable[Member]) -> Iterator[Files]:
        """The files of each member, in order."""
        with ExitStack() as ending:
            for member in members:
                stream = member.stream
                if stream is None:
                    self._slots.append(read_files(member))
                elif member.alone or not self._is_shared(ending):
                    self._here(member, stream)
                elif not stream.on_disk:
                    self._hold(member, stream)
                elif (lent := stream.lend()) is None:
                    self._here(member, stream)
                else:
                    self._lend(member, lent)
                yield from self._ready()
            yield from self._rest()

    def _is_shared(self, ending: ExitStack) -> bool:
        """Whether other processes read: from the member on from which the rest is worth it."""
        if self._workers is None:
            jobs = self._jobs
            if jobs is None:
                unpacked = max(1.0, self._unpacked / max(1, self._place))
                left = (self._pace.total - self._place) * unpacked
                jobs = min(cores(), int(left / BYTES_A_PROCESS))
            if jobs > 1:
                self._workers = ending.enter_context(Workers(jobs, _same, _read_some, self._tell))
        return self._workers is not None

    def _here(self, member: Member, stream: Stream) -> None:
        """Read a member in this process; `stream` is what it comes from."""
        self._give()
        work = self._pace.over(member.path, lambda: self._behind(stream.done))
        # Reading may settle, and then gives away what was gathered.
        files = read_files(member, self._beside(work))
        self._slots.append(files)
        self._place = max(self._place, stream.done)
        self._unpacked += stream.taken

    def _lend(self, member: Member, lent: Lent) -> None:
        """Let others read a file."""
        lent.total.settle = self._settle
        self._add(_OnDisk(member.path, lent.path, lent.size, self._given_away(lent.done)), lent)

    def _hold(self, member: Member, stream: Stream) -> None:
        """Let others read what an archive holds, where it is not too long."""
        pieces: list[bytes] = []
        size, fault = 0, None
        try:
            for piece in _pieces_of(stream):
                pieces.append(piece)
                size += len(piece)
                if size > MOST_HELD:
                    again = _recounted(_Again(pieces, stream.read), lambda _: None)
                    self._here(Member(member.path, again, member.mtime_ns), stream)
                    return
        except DamagedError as error:
            fault = error.facts
        progress = self._given_away(stream.done)
        self._add(_Held(member.path, member.mtime_ns, pieces, fault, size, progress), None)
        self._held += size

    def _given_away(self, place: int) -> int:
        """For how many bytes on disk a member counts that is read elsewhere, and that ends at this place."""
        progress = max(0, place - self._place)
        self._place += progress
        self._elsewhere += progress
        return progress

    def _add(self, task: _Task, lent: Lent | None) -> None:
        self._name = self._name or task.label
        self._tasks.append(task)
        self._slots.append(lent)

    def _give(self) -> None:
        """Let others begin with what was gathered. The next thing to do is `_ready`."""
        if self._workers is not None and self._tasks:
            self._workers.give(self._tasks)
        if self._slots:
            held = sum(task.size for task in self._tasks if isinstance(task, _Held))
            self._given.append(_Given(self._name, self._slots, bool(self._tasks), held))
        self._tasks, self._slots, self._name = [], [], ""

    def _ready(self) -> Iterator[Files]:
        """What is read of what was given; waits where others have enough to do, or too much is held."""
        size = sum(task.size for task in self._tasks)
        if not self._tasks or size >= _TOGETHER_BYTES or len(self._slots) >= _TOGETHER:
            self._give()
        while self._given and (self._is_full() or self._is_read()):
            yield from self._take()

    def _rest(self) -> Iterator[Files]:
        """All that was given."""
        self._give()
        while self._given:
            yield from self._take()

    def _is_full(self) -> bool:
        return self._held >= MOST_HELD or (self._workers is not None and self._workers.full)

    def _is_read(self) -> bool:
        first = self._given[0]
        return first.files is not None or self._workers is None or not first.sent or self._workers.ready

    def _take(self) -> Iterator[Files]:
        """The files of what was given first."""
        files = self._files_of(self._given[0])
        self._given.popleft()
        yield from files

    def _settle(self) -> None:
        """Wait for all that was given, so that it is counted as what was read of it."""
        self._give()
        for given in self._given:
            self._files_of(given)

    def _files_of(self, given: _Given) -> Sequence[Files]:
        """What was given, read. They must be asked for in order."""
        if given.files is not None:
            return given.files
        results: Iterator[tuple[Files, int]] = iter(())
        if self._workers is not None and given.sent:
            results = iter(self._workers.take())
            self._tell()
        files: list[Files] = []
        for slot in given.slots:
            if isinstance(slot, tuple):
                files.append(slot)
                continue
            read, taken = next(results)
            files.append(read)
            if slot is not None:
                slot.came_back(taken)
        self._held -= given.held
        given.files = files
        return files

    def _tell(self) -> None:
        """How far all of them are. Raises CancelledError."""
        name = next((one.name for one in self._given if one.files is None and one.sent), "")
        self._beside(self._pace.over(name, self._behind)).step(0, 0)

    def _behind(self, here: int = 0) -> int:
        done = 0 if self._workers is None else self._workers.done
        return max(self._place, here) - self._elsewhere + done
