"""What commands read: whatever their arguments name."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from core.work import Work
from gui.commands.options import import_options, refuse_unused
from gui.workspace.sources import Opened
from gui.workspace.workspace import Workspace

T = TypeVar("T")


def stored(
    paths: Sequence[str], trace_name: str | None, told: dict[str, Any], read: Callable[[str], T]
) -> T | None:
    """What `read` gives of a data set in which it stands already; None where that must be found.

    That is so where something else is named, or options choose a part of it.
    """
    from importers.options import ImportOptions
    from importers.prepared.data_set import is_prepared
    from importers.prepared.stored import has_stored

    alone = len(paths) == 1 and trace_name is None and import_options(**told) == ImportOptions()
    return read(paths[0]) if alone and is_prepared(paths[0]) and has_stored(paths[0]) else None


@contextmanager
def opened(
    paths: Sequence[str], told: dict[str, Any], work: Work, jobs: int | None = None
) -> Generator[Opened]:
    """What `paths` name, closed again afterwards. `told` are the options of `options.reading`.

    `jobs` processes read logs; None is one for each core where there is much to read.
    """
    options = import_options(**told)
    with Workspace() as workspace:
        thing = workspace.read(paths, options, work, jobs)
        for trace in thing.memory:
            refuse_unused(options, trace.report)
        yield thing
