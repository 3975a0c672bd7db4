"""What is asked of the work beside the window: each request holds what it needs, and knows its answer.

A request for a process must be small (paths, names): traces travel as documents.
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.compare.comparison import Run
from core.diagnose.verdict.facts import PartitionVerdict
from core.diagnose.verdict.summary import Triage
from core.history.state import History
from core.model.exploration import Exploration
from core.model.state import State
from core.trace.trace import Trace
from core.words import Language
from core.work import Work
from gui.workspace import keeping, loading
from gui.workspace.content import Content, said_in, tied
from gui.workspace.exploring import Question, explored, played
from gui.workspace.imports import copy_import, keep_import, take_import, write_import
from gui.workspace.keeping import Added, Kept, Outcome
from gui.workspace.loading import Loaded
from gui.workspace.pinned import Later, PinnedNote
from gui.workspace.simulating import Asked, replay, runs_of

if TYPE_CHECKING:
    from db.document import Identity
    from importers.options import ImportOptions
    from importers.preview import Preview


@dataclass(frozen=True, slots=True)
class Look:
    """Find out what an import of these would find."""

    paths: tuple[str, ...]
    options: "ImportOptions"

    def answer(self, work: Work) -> "Preview":
        """What it would find. Raises what an import raises."""
        return loading.look(self.paths, self.options, work)


@dataclass(frozen=True, slots=True)
class Import:
    """Read every group into one document in `folder`; the options are for logs."""

    groups: tuple[tuple[str, ...], ...]
    folder: str
    options: "ImportOptions | None"

    def answer(self, work: Work) -> str:
        """The path of the document. Raises what an import raises."""
        return loading.import_into(self.groups, self.folder, self.options, work)


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """Open a document.

    One that only carries an import over goes then, unless it is read in parts. It, or a copy of one that is
    read in parts, is kept in the folder `imports` for the next start. `into` is a folder to which it is moved
    before.
    """

    path: str
    title: str
    named: bool = False
    """Whether a person named it."""
    beside: tuple[Trace, ...] = ()
    carries: bool = False
    imports: str = ""
    into: str = ""

    def answer(self, work: Work) -> Loaded:
        """What is in it. Raises DocumentError."""
        path = take_import(self.path, self.into) if self.into else self.path
        goes = self.carries
        try:
            loaded = loading.load_document(path, self.named, self.title, self.beside, work)
            goes = goes and not loaded.source
            if self.carries and self.imports and not self.beside and len(loaded.traces) == 1:
                keep = keep_import if goes else copy_import
                return replace(loaded, imported=keep(path, self.imports))
            return loaded
        finally:
            if goes:
                shutil.rmtree(Path(path).parent, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class OpenPartition:
    """Read one partition of a large document or of a data set; "" is the worst."""

    source: str
    partition: str = ""
    named: bool = False
    triage: Triage | None = None
    """That of the source, where it was read before."""
    expected: "Identity | None" = None
    """The document that it was then."""

    def answer(self, work: Work) -> Loaded:
        """The partition. Raises DocumentError, QuestionError."""
        return loading.load_partition(
            self.source, self.partition, self.named, self.triage, self.expected, work
        )


@dataclass(frozen=True, slots=True)
class ReadAnew:
    """Show the trace at `path` instead of `before`, with its notes: in the document, if there is one."""

    path: str
    before: Trace
    kept: Kept | None
    notes: tuple[PinnedNote, ...]
    later: Later
    title: str

    def answer(self, work: Work) -> Loaded:
        """What was read. Raises SourceError where a file of before is missing, DocumentError."""
        kept = self.kept
        document = None
        if kept is not None:
            # It is made anew; whoever writes a note into it opens it again.
            keeping.close(kept)
            document = (kept.path, kept.identity)
        try:
            loaded = loading.load_added(
                self.path, self.before, document, self.notes, self.later, self.title, work
            )
        finally:
            shutil.rmtree(Path(self.path).parent, ignore_errors=True)
        if kept is not None:
            kept.identity = loaded.identity
        return loaded


@dataclass(frozen=True, slots=True)
class Replay:
    """Run a script and check its runs."""

    asked: Asked

    def answer(self, work: Work) -> Loaded:
        """The runs. Raises QuestionError."""
        return replay(self.asked, work)


@dataclass(frozen=True, slots=True)
class Explore:
    """See every state of the model of replication within bounds."""

    asked: Question

    def answer(self, work: Work) -> Exploration[State]:
        """Figures and the verdict. Raises QuestionError where there are too many states for the memory."""
        return explored(self.asked, work)


@dataclass(frozen=True, slots=True)
class Play:
    """Find a shortest behaviour of the model that breaks an invariant."""

    asked: Question

    def answer(self, work: Work) -> Loaded:
        """Its lanes. Raises QuestionError where there is none."""
        return played(self.asked, work)


@dataclass(frozen=True, slots=True)
class Previews:
    """Replay each of these scenarios in one era."""

    scenarios: tuple[str, ...]
    era: str

    def answer(self, work: Work) -> dict[str, Run]:
        """The runs, by scenario."""
        return runs_of(self.scenarios, self.era, work)


@dataclass(frozen=True, slots=True)
class OtherPartition:
    """Show the same traces at another partition; with `lags` those are counted, as they will be drawn."""

    traces: tuple[Trace, ...]
    title: str
    """What the content is called: it stays that of what is open."""
    partition: str
    lags: bool

    def answer(self, work: Work) -> Content:
        """The content. Raises QuestionError."""
        return loading.another_partition(self.traces, self.title, self.partition, self.lags, work)


@dataclass(frozen=True, slots=True)
class Side:
    """A partition that is put beside others: of a trace in memory, or of a source that is read in parts."""

    partition: str
    trace: Trace | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Compare:
    """Put partitions beside one another; one alone is shown alone."""

    sides: tuple[Side, ...]

    def answer(self, work: Work) -> Loaded:
        """The comparison. Raises QuestionError, DocumentError."""
        traces = tuple(
            loading.load_partition(side.source, side.partition, False, None, None, work).traces[0]
            if side.trace is None
            else side.trace
            for side in self.sides
        )
        names = [side.partition for side in self.sides]
        if len(traces) == 1:
            return loading.alone_again(traces[0], work, names[0])
        return loading.compared_partitions(traces, names, work)


@dataclass(frozen=True, slots=True)
class Apart:
    """Look at each of these traces alone. `imports` is a folder in which they are kept for the next start."""

    traces: tuple[Trace, ...]
    imports: str = ""

    def answer(self, work: Work) -> tuple[Loaded, ...]:
        """What there is to see of each."""
        found = tuple(loading.alone_again(trace, work) for trace in self.traces)
        if not self.imports:
            return found
        return tuple(
            replace(one, imported=write_import(trace, one.triage, self.imports))
            for one, trace in zip(found, self.traces, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Histories:
    """Read the histories of some partitions of a trace."""

    trace: Trace
    partitions: tuple[int, ...]

    def answer(self, work: Work) -> dict[int, History]:
        """The histories, by the partitions' indexes."""
        return loading.histories_of(self.trace, self.partitions, work)


@dataclass(frozen=True, slots=True)
class Part:
    """Read one partition of a trace, with what is wrong in it."""

    trace: Trace
    partition: int

    def answer(self, work: Work) -> tuple[History, PartitionVerdict]:
        """Its history and its verdict."""
        return loading.part_of(self.trace, self.partition, work)


@dataclass(frozen=True, slots=True)
class Reword:
    """Tell the same content in another language."""

    content: Content
    language: Language

    def answer(self, _work: Work) -> Content:
        """The same positions, in other words."""
        return said_in(self.content, self.language)


@dataclass(frozen=True, slots=True)
class TieRuns:
    """Compare the same runs with other ties."""

    content: Content
    ties: tuple[tuple[int, ...], ...]

    def answer(self, _work: Work) -> Content:
        """The comparison. Raises QuestionError for ties that cannot be."""
        return tied(self.content, self.ties)


@dataclass(frozen=True, slots=True)
class Save:
    """Write what is open as a document."""

    kept: Kept | None
    source: str
    """The document that partitions are read from one at a time, "" where all are in memory."""
    path: str
    added: Added
    traces: tuple[Trace, ...]

    def answer(self, work: Work) -> Kept:
        """The document. Raises DocumentError."""
        return keeping.save(self.kept, self.source, self.path, self.added, self.traces, work)


@dataclass(frozen=True, slots=True)
class Keep:
    """Write what differs from what the document has."""

    kept: Kept
    added: Added
    traces: tuple[Trace, ...]

    def answer(self, _work: Work) -> Outcome:
        """What could not be written, and why."""
        return keeping.keep(self.kept, self.added, self.traces)


@dataclass(frozen=True, slots=True)
class LetGo:
    """Let others write the document."""

    kept: Kept

    def answer(self, _work: Work) -> None:
        """Nothing."""
        keeping.close(self.kept)
