"""Open whatever a person names: a document, logs, a prepared data set. Nothing else in gui/ imports."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import DocumentError, QuestionError, SourceError
from core.leftovers import scratch_folder
from core.message import Listing, Value, message
from core.system_errors import reason
from core.trace.trace import Trace
from core.work import QUIET, Work
from db.recognise import is_document
from gui.workspace.adding import READ_FROM, among_others, refuse_missing, remembered, told_by
from importers.options import ImportOptions

if TYPE_CHECKING:
    from db.document import Document

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Opened:
    """What was opened. Logs and data sets are one trace in memory; a document reads its traces when asked."""

    path: str
    """What the person named; several sources are joined by ", "."""
    document: "Document | None"
    memory: tuple[Trace, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the traces."""
        if self.document is not None:
            return tuple(info.name for info in self.document.infos())
        return tuple(trace.name for trace in self.memory)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """All traces, whole."""
        return tuple(self.trace(name) for name in self.names)

    def trace(self, name: str | None = None) -> Trace:
        """A whole trace; None is the only one. Raises QuestionError, DocumentError."""
        if self.document is not None:
            return self.document.trace(name)
        for trace in self.memory:
            if name in (None, trace.name):
                return trace
        raise QuestionError(
            message("error.trace.none", name=name or ""),
            where=self.path,
            advice=message("error.choose-from", names=Listing(tuple(self.names))),
        )

    def close(self) -> None:
        """Close the document, if it is one."""
        if self.document is not None:
            self.document.close()


def open_any(
    paths: Sequence[str | Path],
    options: ImportOptions | None = None,
    work: Work = QUIET,
    *,
    write: bool = False,
    jobs: int | None = None,
) -> Opened:
    """Open one document, one prepared data set, or any number of logs, folders and archives as one incident.

    "-" is standard input. `write` opens a document for notes. `jobs` processes read logs; None is one for
    each core where there is much to read. Raises SourceError, DocumentError, QuestionError, EndedError, and
    CancelledError from `work`.
    """
    chosen = options or ImportOptions()
    if not paths:
        raise QuestionError(message("error.open.nothing-named"), advice=message("error.open.name-some"))
    name = ", ".join(str(path) for path in paths)
    _refuse_missing(paths)
    if len(paths) == 1 and is_document(paths[0]):
        return Opened(name, _document(paths[0], chosen, write=write), ())
    if any(is_document(path) for path in paths):
        raise QuestionError(message("error.open.merged"), where=name)
    return Opened(name, None, (_imported(paths, chosen, work, jobs),))


def _refuse_missing(paths: Sequence[str | Path]) -> None:
    for path in paths:
        try:
            there = str(path) == STDIN or "://" in str(path) or Path(path).exists()
        except OSError as error:
            raise SourceError(
                message("error.source.cannot-read"), why=reason(error), where=str(path)
            ) from error
        if not there:
            raise SourceError(message("error.open.not-there"), where=str(path))


def _document(path: str | Path, options: ImportOptions, *, write: bool) -> "Document":
    from db.document import open_document

    if options != ImportOptions():
        raise DocumentError(
            message("error.open.imported-before"),
            where=str(path),
            advice=message("error.open.imported-before.way-out"),
        )
    return open_document(path, write=write)


def _imported(paths: Sequence[str | Path], options: ImportOptions, work: Work, jobs: int | None) -> Trace:
    from importers.contract.reading import load_events
    from importers.contract.tables_at import is_event_table
    from importers.prepared.data_set import is_prepared, load_prepared
    from importers.prepared.folder import is_uri, without_secrets

    if len(paths) == 1 and str(paths[0]) != STDIN and is_prepared(paths[0]):
        return load_prepared(paths[0], options, work)
    if len(paths) == 1 and str(paths[0]) != STDIN and is_event_table(paths[0]):
        return load_events(paths[0], options, work)
    if address := next((str(path) for path in paths if is_uri(path)), None):
        raise QuestionError(
            message("error.open.address-alone"),
            why=message("error.open.address-alone.why"),
            where=without_secrets(address),
        )
    from importers.load import load

    with _stdin_as_file(paths) as readable:
        trace = load(readable, options, work, jobs)
    return remembered(trace, [path for path in paths if str(path) != STDIN], options)


@contextmanager
def _stdin_as_file(paths: Sequence[str | Path]) -> "Generator[list[Path]]":
    """Paths that can be read twice: standard input is kept in a file for as long as it is read."""
    if STDIN not in map(str, paths):
        yield [Path(path) for path in paths]
        return
    with scratch_folder() as scratch:
        kept = scratch.path / "stdin.log"
        with kept.open("wb") as file:
            while block := sys.stdin.buffer.read(1 << 20):
                file.write(block)
        try:
            yield [kept if str(path) == STDIN else Path(path) for path in paths]
        except SourceError as error:
            # Nobody knows the file that it was kept in.
            raise SourceError.of(
                error.facts.changed(lambda text: _from_standard_input(text, kept))
            ) from error


def _from_standard_input(text: str, kept: Path) -> Value:
    before, found, rest = text.partition(str(kept))
    return message("error.place.standard-input", before=before, rest=rest) if found else text


def read_again(
    document: "Document",
    name: str | None,
    paths: Sequence[str | Path],
    options: ImportOptions | None = None,
    work: Work = QUIET,
    jobs: int | None = None,
) -> Trace:
    """The trace of that name, read from where it was read before and from `paths`. Nothing is written.

    What was said before about zones, years and filters holds, unless `options` say otherwise. Raises
    QuestionError for a trace that was not imported, SourceError where a file that the document was made from
    is in none of the places (then a trace of the new logs alone would lose what the document shows), and
    what an import raises.
    """
    before = document.trace(name)
    now = options or ImportOptions()
    # What is said now names files as they are called now, old ones beside new ones.
    old, merged = told_by(before, replace(now, brokers={}, left_out=frozenset()), str(document.path))
    new = [path for path in paths if str(Path(path).resolve()) not in old]
    if not (old or new):
        raise SourceError(
            message("error.add.logs-gone"),
            where=", ".join((before.report.get(READ_FROM) or {}).get("paths", ())) or str(document.path),
            advice=message("error.add.logs-gone.way-out"),
        )
    known = among_others(merged, old, new)
    chosen = replace(known, brokers={**known.brokers, **now.brokers}, left_out=known.left_out | now.left_out)
    after = open_any([*old, *new], chosen, work, jobs=jobs).trace()
    refuse_missing(before, after, document.path)
    return after


def has_triage(path: str) -> bool:
    """Whether a data set has its triage beside it."""
    # Only here, and not by what reads data sets, which takes long to load.
    from importers.prepared import data_set

    return data_set.has_triage(path)
