"""Children of jobs that begin with everything imported: a window's import takes a second less of work.

The program spawns them, which imports anew in each; tests/gui_workspace/test_jobs.py holds that.
"""

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from typing import Any, Final

IMPORTED: Final = ("gui.workspace.jobs", "gui.workspace.requests", "db.making", "importers.load")


def _with_environment(environment: Mapping[str, str], target: Callable[..., None], *given: Any) -> None:
    """In the child: the environment is that of the one who asks, not of the server that was there before."""
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    tempfile.tempdir = None
    target(*given)


class Forked:
    """What jobs use of a context of `multiprocessing`."""

    def __init__(self) -> None:
        """The server starts with the first child."""
        self._context = get_context("forkserver")
        self._context.set_forkserver_preload([*IMPORTED])
        self.Event, self.Pipe = self._context.Event, self._context.Pipe

    def Process(self, *, target: Callable[..., None], args: tuple[Any, ...], **more: Any) -> Any:  # noqa: N802
        """A child, forked from the server."""
        given = (dict(os.environ), target, *args)
        return self._context.Process(target=_with_environment, args=given, **more)
