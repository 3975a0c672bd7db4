"""What commands read: whatever their arguments name."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from core.work import Work
from gui.commands.options import import_options, refuse_unused
from gui.workspace.sources import Opened
from gui.workspace.workspace import Workspace


@contextmanager
def opened(paths: Sequence[str], told: dict[str, Any], work: Work) -> Generator[Opened]:
    """What `paths` name, closed again afterwards. `told` are the options of `options.reading`."""
    options = import_options(**told)
    with Workspace() as workspace:
        thing = workspace.read(paths, options, work)
        for trace in thing.memory:
            refuse_unused(options, trace.report)
        yield thing
