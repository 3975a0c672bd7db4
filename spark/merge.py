"""Parts of files become files again, with lines counted from the beginning of each file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import Facts
from core.message import message
from core.trace.columns import Columns, keep_of
from core.trace.trace import Trace
from core.words import text
from importers.lines.parsed import RECORDS, Drafts, joined
from importers.merge.files import ReadFile, Role
from spark.parse import Piece
from spark.ranges import File, Range

Place: TypeAlias = tuple[int, int, int]
"""File, stream and member."""


@dataclass(frozen=True, slots=True)
class Part:
    """A range with the number of its first line."""

    range: Range
    first_line: int


@dataclass(frozen=True, slots=True)
class Reject:
    """What is not in the events: the file, and the line from 1 or the byte from 0 at which it begins.

    `fate` is what became of it; `text` is the line itself, or why the rest of the file was not read.
    """

    file: str
    line: int | None
    byte: int | None
    fate: str
    text: str


@dataclass(frozen=True, slots=True)
class Merged:
    """All files, sorted by path; `places` says of each which it was, `lines` how many it has.

    `parts` are the ranges of each file that were read, in order. A file that was not read is IGNORED and has
    its fault; a log of which some range was not read ends before that range.
    """

    files: tuple[ReadFile, ...]
    places: tuple[Place, ...]
    lines: tuple[int, ...]
    parts: Mapping[int, tuple[Part, ...]]


_Found: TypeAlias = tuple[ReadFile, Place, int]
"""A file, its place and how many lines it has."""


def merge(
    pieces: Iterable[Piece],
    files: Sequence[File],
    ranges: Sequence[Range],
    gone: Mapping[int, Facts] = MappingProxyType({}),
) -> Merged:
    """Put pieces together, whatever their order. `gone` are files of which nothing can be used, and why."""
    of_range: dict[tuple[int, int], list[Piece]] = {}
    digests: dict[int, str] = {}
    lost = dict(gone)
    for piece in sorted(pieces, key=lambda piece: (piece.file, piece.start, piece.member)):
        if piece.changed and piece.fault is not None:
            lost.setdefault(piece.file, piece.fault)
        elif piece.sha256:
            digests[piece.file] = piece.sha256
        else:
            of_range.setdefault((piece.file, piece.start), []).append(piece)
    logs: dict[int, list[tuple[Range, Piece]]] = {}
    parts: dict[int, tuple[Part, ...]] = {}
    found: list[_Found] = [(_unread(files[file], fault), (file, 0, 0), 0) for file, fault in lost.items()]
    for one in ranges:
        read = of_range.get((one.file, one.start), [])
        if one.file in lost:
            continue
        if one.layout is None:
            parts[one.file] = (Part(one, 1),)
            found += [_whole(piece, files[one.file]) for piece in read]
        else:
            logs.setdefault(one.file, []).append((one, read[0]))
    for file, log in logs.items():
        parts[file], *whole = _log(log, files[file], digests.get(file, ""))
        found += whole
    found.sort(key=lambda one: one[0].path)
    return Merged(
        tuple(read for read, _, _ in found),
        tuple(place for _, place, _ in found),
        tuple(lines for _, _, lines in found),
        parts,
    )


def _whole(piece: Piece, file: File) -> _Found:
    """One file of those that a file is or contains, or that there is no reading it."""
    place = (piece.file, piece.stream, piece.member)
    if piece.read is not None:
        return piece.read, place, piece.lines
    # A fault behind what could be read: a row of its own, as in an archive.
    return _unread(file, piece.fault or Facts(message("error.source.file-cannot-read"))), place, 0


def _log(log: Sequence[tuple[Range, Piece]], file: File, sha256: str) -> tuple[tuple[Part, ...], _Found]:
    """A log as if it had been read at once, up to the first range that could not be read."""
    good = list(takewhile(lambda pair: pair[1].fault is None, log))
    fault = log[len(good)][1].fault if len(good) < len(log) else None
    place = (log[0][0].file, 0, 0)
    if not good:
        return (), (_unread(file, fault or Facts(message("error.source.file-cannot-read"))), place, 0)
    firsts = list(accumulate((piece.lines for _, piece in good[:-1]), initial=1))
    parts = tuple(Part(one, first) for (one, _), first in zip(good, firsts, strict=True))
    reads = [piece.read for _, piece in good if piece.read is not None]
    drafts = [read.drafts for read in reads if read.drafts is not None]
    whole = joined([_moved(part, first - 1) for part, first in zip(drafts, firsts, strict=True)])
    size = file.size if fault is None else good[-1][0].end
    read = replace(reads[0], mtime_ns=file.mtime_ns, sha256=sha256, size=size, drafts=whole, fault=fault)
    return parts, (read, place, sum(whole.counts.values()))


def _unread(file: File, fault: Facts) -> ReadFile:
    return ReadFile(file.label, "", 0, file.mtime_ns, Role.IGNORED, fault=fault)


def _moved(part: Drafts, before: int) -> Drafts:
    """A part with its lines counted from the beginning of the file."""
    return replace(
        part,
        drafts=part.drafts.shifted("line", before),
        facts=tuple(replace(fact, line=fact.line + before) for fact in part.facts),
        examples=tuple(replace(example, line=example.line + before) for example in part.examples),
        records=_shifted(part.records, before),
    )


def _shifted(records: Mapping[str, NDArray[np.int64]], before: int) -> Columns:
    def make(name: str) -> NDArray[np.int64]:
        return records[name] + before if name == "lines" else records[name]

    return Columns(RECORDS, len(records["stamps"]), make, keep_of(records))


def rejects(files: Iterable[ReadFile]) -> tuple[Reject, ...]:
    """What is not in the events: files and parts of files that were not read, and lines not understood.

    Of lines as many of each file as the parser keeps.
    """
    return tuple(reject for file in files for reject in _rejects(file))


def _rejects(file: ReadFile) -> Iterator[Reject]:
    if file.fault is not None:
        unread = file.role is Role.IGNORED
        what, why = file.fault.what, file.fault.why
        told = text(what if why is None else message("report.rejected", what=what, why=why))
        yield Reject(file.path, None, 0 if unread else file.size, "unread" if unread else "cut short", told)
    # A segment of the metadata log is both.
    for torn in {file.segment and file.segment.torn, file.metadata and file.metadata.torn}:
        if torn is not None:
            yield Reject(file.path, None, torn, "damaged", text(message("report.no-batches")))
    if file.drafts is not None and file.drafts.kafka:
        for example in file.drafts.examples:
            yield Reject(file.path, example.line, None, example.fate.value, example.text)


def numbers_of(trace: Trace, merged: Merged) -> list[int]:
    """Which of the files each source of the trace is: the sources are some of the files, in their order."""
    remaining = iter(enumerate(merged.files))
    return [
        next(at for at, read in remaining if (read.path, read.sha256) == (source.path, source.sha256))
        for source in trace.sources
    ]
