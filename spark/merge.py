"""Parts of files become files again, with lines counted from the beginning of each file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from core.errors import SourceError
from core.trace.trace import KeptLine, Trace
from importers.evidence import NEIGHBOURS
from importers.files import ReadFile
from importers.parsed import Drafts, joined
from spark.dataset import Reject
from spark.parse import Piece, Quote, Quoted
from spark.ranges import File, Range


@dataclass(frozen=True, slots=True)
class Part:
    """A range with the number of its first line."""

    range: Range
    first_line: int


@dataclass(frozen=True, slots=True)
class Merged:
    """All files that were read, sorted by path; `places` says of each which (file, member) it was.

    `parts` are the ranges of each file, in order.
    """

    files: tuple[ReadFile, ...]
    places: tuple[tuple[int, int], ...]
    parts: Mapping[int, tuple[Part, ...]]


def merge(pieces: Iterable[Piece], ranges: Sequence[Range]) -> Merged:
    """Put pieces together, whatever their order. Raises SourceError for the first file not read."""
    of_range: dict[tuple[int, int], list[Piece]] = {}
    digests: dict[int, str] = {}
    for piece in sorted(pieces, key=lambda piece: (piece.file, piece.start, piece.member)):
        if piece.fault is not None:
            facts = piece.fault
            raise SourceError(facts.what, why=facts.why, where=facts.where, advice=facts.advice)
        if piece.read is None:
            digests[piece.file] = piece.sha256
        else:
            of_range.setdefault((piece.file, piece.start), []).append(piece)
    logs: dict[int, list[tuple[Range, Piece]]] = {}
    parts: dict[int, tuple[Part, ...]] = {}
    found: list[tuple[ReadFile, tuple[int, int]]] = []
    for one in ranges:
        read = of_range.get((one.file, one.start), [])
        if one.layout is None:
            parts[one.file] = (Part(one, 1),)
            found += [(piece.read, (one.file, piece.member)) for piece in read if piece.read is not None]
        else:
            logs.setdefault(one.file, []).append((one, read[0]))
    for file, log in logs.items():
        firsts = list(accumulate((piece.lines for _, piece in log[:-1]), initial=1))
        parts[file] = tuple(Part(one, first) for (one, _), first in zip(log, firsts, strict=True))
        found.append((_joined([piece for _, piece in log], firsts, digests[file]), (file, 0)))
    found.sort(key=lambda pair: pair[0].path)
    return Merged(tuple(read for read, _ in found), tuple(place for _, place in found), parts)


def _joined(log: Sequence[Piece], firsts: Sequence[int], sha256: str) -> ReadFile:
    """A log as if it had been read at once."""
    reads = [piece.read for piece in log if piece.read is not None]
    drafts = [read.drafts for read in reads if read.drafts is not None]
    whole = joined([_moved(part, first - 1) for part, first in zip(drafts, firsts, strict=True)])
    return replace(reads[0], sha256=sha256, drafts=whole)


def _moved(part: Drafts, before: int) -> Drafts:
    """A part with its lines counted from the beginning of the file."""
    return replace(
        part,
        drafts=part.drafts.moved(line=part.drafts.columns["line"] + before),
        facts=tuple(replace(fact, line=fact.line + before) for fact in part.facts),
        examples=tuple(replace(example, line=example.line + before) for example in part.examples),
        lines=part.lines + before,
    )


def quotes(trace: Trace, merged: Merged, files: Sequence[File]) -> tuple[Quote, ...]:
    """Which lines to read again as evidence: those that events come from, and their neighbours."""
    places = _places(trace, merged)
    wanted: dict[int, set[tuple[int, int]]] = {}
    used = np.unique(np.stack([trace.columns["source"], trace.columns["line"]]), axis=1)
    for source, line in used.T.tolist():
        if source >= 0 and line > 0:
            file, member = places[source]
            near = range(max(1, line - NEIGHBOURS), line + NEIGHBOURS + 1)
            wanted.setdefault(file, set()).update((member, number) for number in near)
    asked: list[Quote] = []
    for file, lines in sorted(wanted.items()):
        rest = sorted(lines, key=lambda pair: pair[1], reverse=True)
        for part in reversed(merged.parts[file]):
            mine = [pair for pair in rest if pair[1] >= part.first_line]
            rest = rest[len(mine) :]
            if mine:
                asked.append(Quote(files[file], part.range, part.first_line, tuple(mine)))
    return tuple(asked)


def kept(trace: Trace, merged: Merged, lines: Iterable[Quoted]) -> tuple[KeptLine, ...]:
    """Lines that were read again, as a trace keeps them."""
    source_of = {place: source for source, place in enumerate(_places(trace, merged))}
    found = [
        KeptLine(source_of[quoted.file, quoted.member], quoted.line, quoted.byte, quoted.text)
        for quoted in lines
    ]
    return tuple(sorted(found, key=lambda line: (line.source, line.line)))


def rejects(files: Iterable[ReadFile]) -> tuple[Reject, ...]:
    """Lines of Kafka's logs that no rule understood, as many of each file as the parser keeps."""
    return tuple(
        Reject(file.path, example.line, example.fate.value, example.text)
        for file in files
        if file.drafts is not None and file.drafts.kafka
        for example in file.drafts.examples
    )


def _places(trace: Trace, merged: Merged) -> list[tuple[int, int]]:
    """Which (file, member) each source of the trace is: the sources are some of the files, in their order."""
    remaining = iter(zip(merged.files, merged.places, strict=True))
    return [
        next(place for read, place in remaining if (read.path, read.sha256) == (source.path, source.sha256))
        for source in trace.sources
    ]
