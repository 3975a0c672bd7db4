"""The importers' second passes over files that workers read: whose, in which zone, in which order, one trace.

Every pass is the importers' own function, in the sequence of `importers.load.load`; only where the files come
from differs. tests/spark/test_job.py holds both results against each other.
"""

# pyright: reportPrivateUsage=false
# The passes lie in importers/load.py between its reading and its result, and have no public name there.

from collections.abc import Sequence
from pathlib import Path

from core.trace.trace import Trace
from core.work import Work
from importers import load
from importers.build import build_trace
from importers.clock import clock_skews
from importers.disk import disk_items
from importers.files import ReadFile
from importers.gathered import gather
from importers.options import ImportOptions
from importers.order import order
from importers.report import import_report


def assemble(
    files: tuple[ReadFile, ...], sources: Sequence[str | Path], options: ImportOptions, work: Work
) -> Trace:
    """One trace of all files, sorted by path. Raises as `importers.load.load` does."""
    work.step(0, 0, "finding out whose logs these are")
    gathered = gather(files, options)
    load._refuse_nothing(gathered, sources)  # noqa: SLF001
    items, repeated = load.log_items(gathered)
    skews = clock_skews([item for chain in items for item in chain], load._registering(gathered))  # noqa: SLF001
    items = tuple(load._corrected(chain, skews) for chain in items)  # noqa: SLF001
    work.step(0, 0, "putting events in order")
    span = load._span(gathered, skews)  # noqa: SLF001
    final, snapshots = disk_items(load._on_disk(gathered), span)  # noqa: SLF001
    ordered = order([*items, *snapshots])
    report = import_report(gathered, ordered, repeated)
    name = options.name or load._name_of(Path(sources[0]))  # noqa: SLF001
    return build_trace(name, gathered, ordered, final, skews, report, options)
