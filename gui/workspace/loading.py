"""From what a person names to what is shown. It runs in a child process or the documents' thread."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.compare.comparison import Run
from core.diagnose.account.page import AccountPage
from core.diagnose.verdict.facts import PartitionVerdict
from core.diagnose.verdict.summary import Triage, sort_key
from core.document.lane_order import USUAL, LaneOrder
from core.errors import QuestionError
from core.history.open import open_history
from core.history.state import History
from core.message import Listing, message
from core.picture.leader_end import lag_trends
from core.picture.marks import Ref
from core.trace.trace import Partition, Trace
from core.work import Work
from gui.workspace.content import Content, alone, compared, made_ready
from gui.workspace.pinned import NOTHING_LATER, Later, PinnedNote

if TYPE_CHECKING:
    from db.document import Identity
    from db.notes import Note
    from importers.options import ImportOptions
    from importers.preview import Preview


LARGE: Final = 300_000
"""Events above which the partitions of a document are read one at a time."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was opened. `notes` come with the ids under which the document keeps them, by key."""

    content: Content
    traces: tuple[Trace, ...]
    path: str = ""
    notes: tuple[PinnedNote, ...] = ()
    stored: tuple[tuple[int, int], ...] = ()
    seconds: float = 0.0
    triage: Triage | None = None
    source: str = ""
    """The document or data set that partitions are read from one at a time; "" where all are in memory."""
    position: int | None = None
    """Where to look first; None is the first difference or loss."""
    selection: Ref | None = None
    lanes: LaneOrder = USUAL
    identity: "Identity | None" = None
    """Which document it is, where it is one."""
    later: Later = NOTHING_LATER
    """What only a later version shows; traces in it are called as in `traces`."""
    account: AccountPage | None = None
    """What the page on the incident says; None of several traces, and of one that is read in parts."""
    imported: str = ""
    """The document of the import that it was read from, where that was kept."""
    on_lanes: bool = False
    """Whether it takes the place of lanes that are in sight: then lanes are seen first."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a trace that is alone: None of several. `worst` is the partition to look at first."""

    triage: Triage | None = None
    account: AccountPage | None = None
    worst: str | None = None


def groups_of(paths: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """How many incidents were named: each document is one, all logs and folders together are one."""
    from db.recognise import is_document

    documents = [(path,) for path in paths if is_document(path)]
    logs = tuple(path for path in paths if not is_document(path))
    return (*documents, *((logs,) if logs else ()))


def logs_in(paths: Sequence[str]) -> tuple[str, ...]:
    """The logs, folders and archives among what was named: what is looked at before it is imported.

    Documents, data sets and tables of events were imported before, the shipped samples are known.
    """
    from db.recognise import is_document
    from importers.contract.tables_at import is_event_table
    from importers.prepared.data_set import is_prepared
    from importers.samples import SAMPLES, sample_path

    def is_table(path: str) -> bool:
        return is_document(path) or is_prepared(path) or is_event_table(path)

    known = {sample_path(sample.id).resolve() for sample in SAMPLES}
    return tuple(path for path in paths if not is_table(path) and Path(path).resolve() not in known)


def look(paths: tuple[str, ...], options: "ImportOptions", work: Work) -> "Preview":
    """What an import of these would find."""
    from importers.preview import preview

    return preview(paths, options, work)


def import_into(
    groups: tuple[tuple[str, ...], ...], folder: str, options: "ImportOptions | None", work: Work
) -> str:
    """Read every group into one document in `folder`; the options are for logs. Gives its path."""
    from core.diagnose.verdict.check import jobs_for, triaged
    from db.document import create
    from db.recognise import is_document
    from gui.workspace.sources import open_any

    target = str(Path(folder) / "import.tide")
    traces: list[Trace] = []
    for group in groups:
        logs = not any(map(is_document, group))
        opened = open_any(group, options if logs else None, work)
        traces.extend(opened.traces)
        opened.close()
    named = unique_names(traces)
    create(target, named, found=[triaged(trace, work, jobs_for(trace)) for trace in named], work=work)
    return target


def unique_names(traces: Sequence[Trace]) -> tuple[Trace, ...]:
    """The traces, with a number after a name that another one has already."""
    taken: set[str] = set()
    named: list[Trace] = []
    for trace in traces:
        name, count = trace.name, 1
        while name in taken:
            count += 1
            name = f"{trace.name} ({count})"
        taken.add(name)
        named.append(trace if name == trace.name else replace(trace, name=name))
    return tuple(named)


def content_of(
    traces: Sequence[Trace],
    title: str,
    partition: str | None,
    work: Work,
    ties: Sequence[Sequence[int]] = (),
    opened: Sequence[Run] = (),
) -> Content:
    """One trace alone, two to four as a comparison. `partition` None is the one with most to tell.

    `ties` are cursors, one a trace, that somebody said are the same moment. `opened` are runs that are open
    already, of these traces or of others.
    """
    from core.compare.align import compare, is_too_many, make_runs, wrong_number

    if not traces:
        raise QuestionError(
            message("error.open.nothing-to-show"), advice=message("error.open.nothing-to-show.way-out")
        )
    if is_too_many(len(traces)):
        raise wrong_number([trace.name for trace in traces])
    work.step(0, 0, message("progress.checking", names=Listing(tuple(trace.name for trace in traces))))
    runs = make_runs(traces, partition, opened)
    if len(runs) == 1:
        history = runs[0].history
        return made_ready(alone(title or str(history.trace.partitions[history.partition].tp), runs[0]))
    return made_ready(compared(title, compare(runs, ties)))


def load_document(
    path: str,
    named: bool,
    title: str,
    beside: tuple[Trace, ...],
    work: Work,
) -> Loaded:
    """Read a document: whole, or of a large one that is alone the worst partition.

    `named` is False for one that only carries an import over from its process.
    """
    from db.document import open_document
    from db.ties import cursors_of

    begun = time.monotonic()
    with open_document(path) as document:
        infos = document.infos()
        large = len(infos) == 1 and infos[0].events > LARGE and len(infos[0].partitions) > 1
        if large and not beside and document.triage() is not None:
            return load_partition(path, "", named, None, document.identity, work)
        traces = tuple(document.trace(info.name) for info in document.infos())
        stored, tied, lanes = document.notes(), document.ties(), document.lanes()
        triages = tuple(document.triage(trace.name) for trace in traces)
        stored_triage = triages[0] if len(triages) == 1 else None
        later = document.later_notes()
    shown = unique_names((*beside, *traces))
    found = found_in(shown, stored_triage, work)
    content = content_of(shown, title, found.worst, work, () if beside else cursors_of(tied, traces))
    # By the names in the document: beside another trace a run may have been given another one.
    places = {trace.name: len(beside) + place for place, trace in enumerate(traces)}
    notes: list[PinnedNote] = []
    ids: list[tuple[int, int]] = []
    for key, note in enumerate(stored, start=1):
        notes.append(pinned(key, note, shown, places.get(note.trace_name)))
        ids.append((key, note.note_id))
    # Beside another trace it is no longer the document that was opened: nothing is written into it.
    keep = named and not beside
    return Loaded(
        content,
        shown,
        path if keep else "",
        tuple(notes),
        tuple(ids),
        time.monotonic() - begun,
        found.triage,
        lanes=USUAL if beside else lanes,
        identity=document.identity if keep else None,
        account=found.account,
        later=_later(later, [trace.name for trace in traces], triages, shown[len(beside) :]),
    )


def _later(
    notes: "Sequence[Note]", names: Sequence[str], triages: Sequence[Triage | None], shown: Sequence[Trace]
) -> Later:
    """What a later version wrote on traces with these names in their document, now called as `shown` is."""
    called = dict(zip(names, (trace.name for trace in shown), strict=True))
    return Later(
        tuple(replace(note, trace_name=called.get(note.trace_name, note.trace_name)) for note in notes),
        tuple(
            (called[name], found) for name, found in zip(names, triages, strict=True) if found and found.later
        ),
    )


def load_partition(
    source: str,
    partition: str,
    named: bool,
    triage: Triage | None,
    expected: "Identity | None",
    work: Work,
) -> Loaded:
    """One partition of a large document, or of a data set; "" is the worst. Others stay unread.

    `triage` is that of the source, where it was read before, and `expected` the document that it was then.
    """
    from db.document import open_document
    from db.recognise import is_document

    begun = time.monotonic()
    if not is_document(source):
        return _of_data_set(source, partition, triage, work)
    with open_document(source, expected=expected) as document:
        (info,) = document.infos()
        triage = triage or document.triage()
        stored, lanes = document.notes(), document.lanes()
        later = Later(document.later_notes())
        name = partition or _worst(triage, [one.partition for one in info.partitions])
        trace = document.partition_trace(info.name, name)
    notes = tuple(pinned(key, note, (trace,), 0) for key, note in enumerate(stored, start=1))
    return Loaded(
        content_of((trace,), name, name, work),
        (trace,),
        source if named else "",
        notes,
        tuple((key, note.note_id) for key, note in enumerate(stored, start=1)),
        time.monotonic() - begun,
        triage,
        source,
        lanes=lanes,
        identity=document.identity,
        later=later,
    )


def _of_data_set(folder: str, partition: str, triage: Triage | None, work: Work) -> Loaded:
    from importers.prepared.data_set import dictionaries_of, load_prepared
    from importers.prepared.triage import read_triage

    begun = time.monotonic()
    triage = triage or read_triage(folder)
    name = partition or _worst(triage, dictionaries_of(folder)["partitions"])
    trace = load_prepared(folder, work=work, partitions=[name])
    content = content_of((trace,), name, name, work)
    return Loaded(content, (trace,), seconds=time.monotonic() - begun, triage=triage, source=folder)


def _worst(triage: Triage | None, partitions: Sequence[Partition]) -> str:
    """The name of the partition that ranks first. Raises QuestionError where there is none."""
    if triage is None or not triage.summaries:
        raise QuestionError(
            message("error.open.no-partition"), advice=message("error.open.no-partition.way-out")
        )
    names = {index: str(partition.tp) for index, partition in enumerate(partitions)}
    return names[min(triage.summaries, key=lambda one: sort_key(one, names[one.partition])).partition]


def found_in(traces: Sequence[Trace], stored: Triage | None, work: Work) -> Found:
    """What was found of a trace that is alone; its triage is made now where the document does not have it."""
    from core.diagnose.account.page import page_of
    from core.diagnose.verdict.check import diagnose, worst_partition
    from core.diagnose.verdict.summary import triage

    if len(traces) != 1:
        return Found()
    (trace,) = traces
    verdict = diagnose(trace, work)
    several = len(trace.partitions) > 1
    worst = str(trace.partitions[worst_partition(trace, verdict)].tp) if several else None
    return Found(stored or triage(trace, verdict), page_of(trace, verdict), worst)


def load_added(
    path: str,
    before: Trace,
    document: "tuple[str, Identity | None] | None",
    notes: tuple[PinnedNote, ...],
    later: Later,
    title: str,
    work: Work,
) -> Loaded:
    """The trace at `path` instead of `before`, with its notes.

    A document (its path, and which it is) is made anew and keeps its notes; else `notes` go to where their
    evidence is in the new trace, and those of a later version stay where they are anchored. Raises
    SourceError where a file that `before` was made from is missing.
    """
    from db.document import open_document
    from db.rebuild import rebuild
    from gui.workspace.adding import refuse_missing

    begun = time.monotonic()
    with open_document(path) as carried:
        after, found = carried.trace(before.name), carried.triage(before.name)
    refuse_missing(before, after, title if document is None else document[0])
    if document is not None:
        target, identity = document
        rebuild(target, after, work, found=found, expected=identity)
        return load_document(target, True, Path(target).name, (), work)
    moved = tuple(pinned(note.key, to_store(note, (before,), 0), (after,), 0) for note in notes)
    told = found_in((after,), found, work)
    content = content_of((after,), title, told.worst, work)
    return Loaded(
        content,
        (after,),
        notes=moved,
        seconds=time.monotonic() - begun,
        triage=told.triage,
        later=Later(later.notes),
        account=told.account,
    )


def another_partition(
    traces: tuple[Trace, ...], title: str, partition: str, lags: bool, work: Work
) -> Content:
    """The same traces, seen at another partition; with `lags` those are counted, as they will be drawn."""
    content = content_of(traces, title, partition, work)
    if lags:
        for run in content.runs:
            lag_trends(run.history)
    return content


def compared_partitions(traces: Sequence[Trace], names: Sequence[str], work: Work) -> Loaded:
    """A comparison of one partition of each trace; a trace may be there twice. Raises QuestionError."""
    from core.compare.align import compare, is_too_many, make_run, wrong_number

    begun = time.monotonic()
    if len(traces) < 2 or is_too_many(len(traces)):
        raise wrong_number([trace.name for trace in traces])
    shown = unique_names(traces)
    work.step(0, 0, message("progress.checking", names=Listing(tuple(names))))
    runs = [make_run(trace, name) for trace, name in zip(shown, names, strict=True)]
    content = made_ready(compared(" | ".join(names), compare(runs)))
    return Loaded(content, shown, seconds=time.monotonic() - begun)


def alone_again(trace: Trace, work: Work, partition: str = "") -> Loaded:
    """One of several traces that are in memory, as if it had been opened alone; "" is its worst partition."""
    begun = time.monotonic()
    found = found_in((trace,), None, work)
    content = content_of((trace,), trace.name, partition or found.worst, work)
    seconds = time.monotonic() - begun
    return Loaded(content, (trace,), seconds=seconds, triage=found.triage, account=found.account)


def histories_of(trace: Trace, partitions: Sequence[int], work: Work) -> dict[int, History]:
    """The histories of some partitions of a trace, by their indexes."""
    found: dict[int, History] = {}
    for partition in partitions:
        work.step(0, 0, message("progress.named", name=str(trace.partitions[partition].tp)))
        found[partition] = open_history(trace, partition)
    return found


def part_of(trace: Trace, partition: int, work: Work) -> tuple[History, PartitionVerdict]:
    """One partition of a trace, opened and judged."""
    from core.diagnose.verdict.check import diagnose_partition

    (history,) = histories_of(trace, (partition,), work).values()
    return history, diagnose_partition(history)


def pinned(key: int, note: "Note", traces: Sequence[Trace], run: int | None) -> PinnedNote:
    """A stored note, with its anchor resolved in the trace that it belongs to."""
    from db.anchors import resolve

    cursor = None if run is None else resolve(traces[run], note.anchor)
    end = None if run is None or note.end is None else resolve(traces[run], note.end)
    return PinnedNote(
        key,
        run or 0,
        # Half of a range or of an arrow has no place either.
        None if note.end is not None and end is None else cursor,
        note.text,
        note.created_ns,
        note.author,
        note.broker,
        note.kind,
        end,
        note.end_broker,
        note.colour,
        note.shape,
        note if run is None else replace(note, trace_name=traces[run].name),
    )


def write_document(
    path: str,
    traces: tuple[Trace, ...],
    notes: tuple[PinnedNote, ...],
    ties: Sequence[Sequence[int]],
    lanes: LaneOrder,
    work: Work,
    *,
    later: Later = NOTHING_LATER,
) -> "tuple[tuple[tuple[int, int], ...], Identity]":
    """Write a document with its notes, ties and arrangement of lanes, and give (key, id) of each note.

    `later` is what a later version wrote: it goes into the new document as it is.

    What stood there is replaced, in one step: either all of it is there afterwards, or what was there before.
    """
    from core.diagnose.verdict.check import triaged
    from db.document import create, open_document
    from db.ties import tie_of

    known = dict(later.found)
    stored = create(
        path,
        traces,
        notes=[
            *(to_store(note, traces, 0) for note in notes),
            *(replace(note, note_id=0) for note in later.notes),
        ],
        ties=[tie_of(traces, tie) for tie in ties],
        lanes=lanes,
        found=[known.get(trace.name) or triaged(trace, work) for trace in traces],
        replace=True,
        work=work,
    )
    with open_document(path) as document:
        ids = tuple((note.key, one.note_id) for note, one in zip(notes, stored, strict=False))
        return ids, document.identity


def to_store(note: PinnedNote, traces: Sequence[Trace], note_id: int) -> "Note":
    """A note as the document keeps it. One without a place in what is open stays where it was anchored."""
    from db.anchors import anchor_of
    from db.notes import Note

    if note.cursor is None:
        if note.stored is None:
            message = f"note {note.key} has neither a place nor an anchor"
            raise ValueError(message)
        return replace(
            note.stored,
            note_id=note_id,
            text=note.text,
            author=note.author,
            colour=note.colour,
            shape=note.shape,
        )
    trace = traces[note.run]
    return Note(
        note_id,
        trace.name,
        anchor_of(trace, note.cursor),
        note.text,
        note.author,
        note.created_ns,
        note.kind,
        note.broker,
        None if note.end is None else anchor_of(trace, note.end),
        note.end_broker,
        note.colour,
        note.shape,
    )
