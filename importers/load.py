"""From what a person names to a trace: read, attribute, put into one order, build."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.errors import Facts, SourceError, at
from core.history.gaps_by_files import searched, unread
from core.message import Count, Message, message
from core.message_json import plain
from core.trace.kept import KeptBlock, KeptLines, with_more
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER
from core.work import QUIET, Work, without_collector
from importers.containers.containers import Member, members, size_of
from importers.containers.pace import Pace
from importers.disk.incarnations import incarnations, with_ids, with_new_ids
from importers.disk.metadata_quorum import quorum_items, stated_ends
from importers.disk.metadata_replay import METADATA_RULE, replay
from importers.disk.metadata_spine import MetadataCopy, spine
from importers.lines.evidence import around, kept_lines, once
from importers.lines.items import Item, Items, items_of
from importers.lines.reading import lines_again
from importers.lines.statements import Statements
from importers.merge.apart import Ask, ask_here
from importers.merge.build import KEPT_SETTINGS, build_trace
from importers.merge.by_processes import read_all
from importers.merge.clock import Clocks
from importers.merge.clusters import of_one_cluster, stated_cluster
from importers.merge.file_clocks import files_ahead, told_of_ahead, with_time_less
from importers.merge.file_times import Span
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered, gather
from importers.merge.histories import of_one_history
from importers.merge.left_out import AS_ASKED, searched_brokers, unread_lines
from importers.merge.log_facts import ends_of_logs, facts_of_logs, log_times
from importers.merge.order import order
from importers.merge.over_time import stated_over_time
from importers.merge.power_losses import facts_of_lost_ends
from importers.merge.report import import_report
from importers.merge.searched import of_whole_topics
from importers.merge.so_far import Reading
from importers.merge.statements_on_disk import OnDisk, disk_items, untimed
from importers.merge.timed import timed
from importers.merge.topics_over_time import topics_over_time
from importers.options import ImportOptions

_NO_OPTIONS: Final = ImportOptions()
_MOST_AT: Final = (1 << 63) - (1 << 60)


def load(
    paths: Sequence[str | Path],
    options: ImportOptions = _NO_OPTIONS,
    work: Work = QUIET,
    jobs: int | None = 1,
) -> Trace:
    """One trace of everything that the sources hold.

    `paths` are folders at any depth, log files, .tar, .zip, .gz, .xz, .zst and .bz2, one in the other. A
    damaged file costs only itself, and is told in the report. `jobs` processes read, whatever the number the
    same; None is one for each core where there is much to read. Raises SourceError for what cannot be opened
    or holds nothing that is read, QuestionError for a zone that does not exist, CancelledError, EndedError.
    """
    files: list[ReadFile] = []
    so_far = Reading(work, options)

    def wanted() -> Iterator[Member]:
        for member in members(paths, work):
            if options.leaves_out(member.path):
                files.append(_left_out(member))
            else:
                yield member

    for read in read_all(wanted(), Pace(work, size_of(paths)), so_far.beside, jobs):
        files += read
        so_far.add(read)
    so_far.end()
    with without_collector():
        trace = assemble(tuple(sorted(files, key=lambda file: file.path)), paths, options, work)
    return _with_all_lines(trace, paths, _last_lines(files), work)


def _left_out(member: Member) -> ReadFile:
    """A file that somebody did not want; the report says so."""
    return ReadFile(member.path, "", 0, member.mtime_ns, Role.IGNORED, fault=_as_asked(member.path))


def _as_asked(path: str) -> Facts:
    return Facts(message(AS_ASKED), where=at(path))


def _last_lines(files: Sequence[ReadFile]) -> Mapping[str, int]:
    """The line of the last record of each log, by path."""
    last: dict[str, int] = {}
    for file in files:
        if file.drafts is not None and len(file.drafts.lines):
            last[file.path] = max(last.get(file.path, 0), int(file.drafts.lines.max()))
    return last


def _with_all_lines(trace: Trace, paths: Sequence[str | Path], last: Mapping[str, int], work: Work) -> Trace:
    """The trace with the lines that only the second passes asked for: a last sign of life may be any line."""
    asked = _missing_lines(trace, last)
    more: list[KeptBlock] = []
    for member in members(paths, work) if asked else ():
        mine = {one: lines for one, lines in asked.items() if trace.sources[one].path == member.path}
        if mine and member.stream is not None:
            quotes = lines_again(member.stream, around(np.concatenate(list(mine.values()))))
            more += kept_lines(dict.fromkeys(mine, quotes), mine).blocks
    return replace(trace, lines=with_more(trace.lines, more)) if isinstance(trace.lines, KeptLines) else trace


def _missing_lines(trace: Trace, last: Mapping[str, int]) -> Mapping[int, NDArray[np.int64]]:
    """The lines of events that are not kept, or have a neighbour that is not, by source."""
    lines = trace.lines
    kept: dict[int, list[NDArray[np.int64]]] = {}
    for block in lines.blocks if isinstance(lines, KeptLines) else ():
        kept.setdefault(block.source, []).append(block.lines)
    missing: dict[int, NDArray[np.int64]] = {}
    for source in range(len(trace.sources)):
        used = once(trace.columns["line"][trace.columns["source"] == source])
        used = used[used > 0]
        near = around(used)
        within = (near > 0) & (near <= max(last.get(trace.sources[source].path, 0), *used[-1:].tolist(), 0))
        lacking = _not_in(near[within], np.concatenate([*kept.get(source, ()), used[:0]]))
        if len(lacking):
            missing[source] = used[np.isin(used, around(lacking))]
    return missing


def _not_in(lines: NDArray[np.int64], have: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lines that are not there; both are sorted."""
    if not len(have):
        return lines
    return lines[have[np.minimum(np.searchsorted(have, lines), len(have) - 1)] != lines]


def assemble(
    files: tuple[ReadFile, ...],
    paths: Sequence[str | Path],
    options: ImportOptions,
    work: Work,
    ask: Ask = ask_here,
) -> Trace:
    """The second passes: one trace of files that were read, sorted by path. `paths` is what the person named.

    The same for files that the Spark pipeline read: where what they say lies on disk, the trace's columns do
    so too, and workers find what each partition tells of clocks and order (`ask`). Raises as `load` does.
    """
    work.step(0, 0, message("progress.whose"))
    unused = options.unused(name for file in files for name in {file.path, file.name})
    of_cluster = of_one_cluster([_wanted(file, options) for file in files], options)
    wanted = of_whole_topics(of_one_history(of_cluster, options))
    read = gather(wanted, options)
    _refuse_nothing(read, paths)
    log = spine(_metadata_copies(read))
    metadata = replay(log)
    metadata_items, doubts = _fitting((metadata.items,), read)
    gathered, ahead, logs, repeated, clocks = timed(read, metadata_items, ask)
    quorum, more_of_quorum = _fitting(quorum_items(log, stated_ends(logs)), gathered)
    items = tuple(_corrected(chain, clocks) for chain in (*metadata_items, *quorum, *logs))
    topics = incarnations(item for chain in items for item in with_new_ids(chain))
    work.step(0, 0, message("progress.order"))
    span = _span(gathered, clocks)
    on_disk = _on_disk(gathered, files_ahead(ends_of_logs(gathered, clocks)))
    final, snapshots = disk_items(on_disk, span)
    (final, *snapshots), more_doubts = _fitting((final, *snapshots), gathered)
    *named, final = with_ids([*items, *snapshots, final], topics)
    # Of a large set each of these is gigabytes.
    del items, logs
    ordered = order(named, ask)
    del named
    report = import_report(gathered, ordered, repeated, clocks)
    name = options.name or _name_of(Path(paths[0]))
    more = [*metadata.doubts, *doubts, *more_of_quorum, *more_doubts, *untimed(on_disk, span)]
    more += told_of_ahead(ahead)
    more += [message("report.unused", name=one) for one in unused]
    report["gaps"] += [plain(gap) for gap in more]
    facts = {
        **metadata.facts,
        **stated_cluster(wanted),
        **facts_of_logs(gathered, clocks),
        **facts_of_lost_ends(ordered.items),
        **stated_over_time(gathered, clocks, KEPT_SETTINGS, metadata.settings),
        **topics_over_time(gathered, clocks, metadata.settings, metadata.until),
        **{searched(broker): "1" for broker in sorted(searched_brokers(gathered))},
        **{unread(broker): str(lines) for broker, lines in unread_lines(gathered, ordered.items).items()},
    }
    return build_trace(
        name, gathered, ordered, final, clocks, report, options, more_facts=facts, topics=topics
    )


def _wanted(file: ReadFile, options: ImportOptions) -> ReadFile:
    """A file that was read by somebody who did not know what is left out."""
    if file.fault is not None or not options.leaves_out(file.path):
        return file
    return ReadFile(file.path, "", 0, file.mtime_ns, Role.IGNORED, fault=_as_asked(file.path))


def _fitting(
    chains: Sequence[tuple[Item, ...]], gathered: Gathered
) -> tuple[tuple[Items, ...], list[Message]]:
    """The items whose numbers are of the size of Kafka's own, and a message for each file with others."""
    wrong = Counter(
        item.source for chain in chains for item in chain if not item.said.fits() or abs(item.at) > _MOST_AT
    )
    if not wrong:
        return tuple(map(items_of, chains)), []
    told = [
        message("report.beyond-bounds", file=gathered.files[source].path, count=Count(count))
        for source, count in wrong.items()
    ]
    kept = (
        items_of(item for item in chain if item.said.fits() and abs(item.at) <= _MOST_AT) for chain in chains
    )
    return tuple(kept), told


def _corrected(chain: Items, clocks: Clocks) -> Items:
    """The items with the times that the clocks give them."""
    at = chain.at.copy()
    logged = np.isin(
        chain.said.columns["rule"],
        [number for number, text in enumerate(chain.said.texts) if text == METADATA_RULE],
    )
    for what, mine in (("records", logged), ("broker", ~logged)):
        for broker in np.unique(chain.broker[mine]).tolist():
            some = np.flatnonzero(mine & (chain.broker == broker))
            stamps = chain.at[some]
            for skew in clocks.of((what, broker)):
                within = (skew.start <= stamps) & (stamps < skew.end)
                at[some[within]] += skew.correction
    return replace(chain, at=at, said=_with_lengths(chain, at, clocks))


def _with_lengths(chain: Items, at: NDArray[np.int64], clocks: Clocks) -> Statements:
    """What items say, with the length of each gap from its corrected beginning to its corrected end.

    A clock that was set within a gap made it longer or shorter.
    """
    gaps = np.flatnonzero(chain.said.columns["kind"] == NUMBER["evidence_gap"])
    if not len(gaps):
        return chain.said
    aux = chain.said.columns["aux"].copy()
    for row in gaps.tolist():
        end = int(chain.at[row]) + int(aux[row])
        aux[row] = end + clocks.correction(("broker", int(chain.broker[row])), end) - int(at[row])
    return replace(chain.said, columns={**chain.said.columns, "aux": aux})


def _span(gathered: Gathered, clocks: Clocks) -> Span:
    """From the first to the last record of any log, corrected."""
    times = [(first, last) for _, _, first, last in log_times(gathered, clocks)]
    return Span(
        min((first for first, _ in times), default=None), max((last for _, last in times), default=None)
    )


def _on_disk(gathered: Gathered, ahead: Mapping[int, int]) -> tuple[OnDisk, ...]:
    """The files of data directories, with their times as the clock of the lines shows them."""
    return tuple(
        OnDisk(number, owner.broker, with_time_less(file, ahead.get(owner.broker, 0)))
        for number, (file, owner) in enumerate(zip(gathered.files, gathered.owners, strict=True))
        if file.place is not None and owner.broker is not None
    )


def _metadata_copies(gathered: Gathered) -> tuple[MetadataCopy, ...]:
    """Every file of the metadata log, by whichever node it was kept."""
    return tuple(
        MetadataCopy(number, owner.broker, file.metadata)
        for number, (file, owner) in enumerate(zip(gathered.files, gathered.owners, strict=True))
        if file.metadata is not None
    )


def _refuse_nothing(gathered: Gathered, paths: Sequence[str | Path]) -> None:
    """Raise SourceError where nothing of the sources is a broker's."""
    if any(file.role in (Role.SEGMENT, Role.OFFSETS, Role.EPOCHS, Role.METADATA) for file in gathered.files):
        return
    if any(file.drafts is not None and (file.drafts.drafts or file.drafts.facts) for file in gathered.files):
        return
    where = ", ".join(str(path) for path in paths)
    faults = [file.fault for file in gathered.files if file.fault is not None]
    if faults:
        first = faults[0]
        raise SourceError.of(replace(first, why=_with_others(first.why, len(faults) - 1)))
    logs = [file.path for file in gathered.files if file.drafts is not None]
    if logs:
        raise SourceError(
            message("error.source.no-line"),
            why=message("error.source.no-line.one", name=logs[0])
            if len(logs) == 1
            else message("error.source.no-line.some", count=Count(len(logs))),
            where=where,
            advice=message("error.source.no-line.way-out"),
        )
    raise SourceError(
        message("error.source.nothing-known"),
        why=message("error.source.nothing-known.one")
        if len(gathered.files) == 1
        else message("error.source.nothing-known.some", count=Count(len(gathered.files))),
        where=where,
        advice=message("error.source.nothing-known.way-out"),
    )


def _name_of(path: Path) -> str:
    name = path.resolve().name
    for suffix in (".tar.xz", ".tar.gz", ".tar.bz2", ".tgz", ".txz", ".tar", ".zip", ".gz", ".log"):
        name = name.removesuffix(suffix)
    return name or "import"


def _with_others(why: Message | None, others: int) -> Message | None:
    """Why the first file cannot be read, and how many others cannot."""
    if not others:
        return why
    if why is None:
        return message("error.source.others", count=Count(others))
    return message("error.source.and-others", why=why, count=Count(others))
