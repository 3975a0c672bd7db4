"""All that is open: any number of desks, and of sources that were read without one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from core.work import QUIET, Work
from gui.workspace.sources import Opened, open_any
from importers.options import ImportOptions

if TYPE_CHECKING:
    from gui.workspace.desk import Desk


def _plain() -> "Desk":
    # Only here: a command that reads needs nothing of what desks are made of, which takes long to load.
    from gui.workspace.desk import plain_desk

    return plain_desk()


class Workspace:
    """What the window, a command or a test drives. Whoever makes one closes it."""

    def __init__(self, make_desk: "Callable[[], Desk]" = _plain) -> None:
        """Nothing is open. `make_desk` gives an empty desk."""
        self._make_desk = make_desk
        self._desks: list[Desk] = []
        self._read: list[Opened] = []

    @property
    def desks(self) -> "tuple[Desk, ...]":
        """All desks, in the order in which they came."""
        return tuple(self._desks)

    @property
    def sources(self) -> tuple[Opened, ...]:
        """What was read without a desk, and is open."""
        return tuple(self._read)

    def new_desk(self, make: "Callable[[], Desk] | None" = None) -> "Desk":
        """One more desk, made in its own way where there is one; nothing is open on it."""
        desk = (make or self._make_desk)()
        self._desks.append(desk)
        return desk

    def close_desk(self, desk: "Desk") -> None:
        """Let go of what is open on a desk, and end its work. Raises ValueError for one that is closed."""
        self._desks.remove(desk)
        desk.close()

    def read(
        self,
        paths: Sequence[str | Path],
        options: ImportOptions | None = None,
        work: Work = QUIET,
        jobs: int | None = None,
    ) -> Opened:
        """What `paths` name, now and without a desk: a document, a data set, or logs as one incident.

        It is open until the workspace is closed. `jobs` as in `open_any`. Raises what that raises.
        """
        thing = open_any(paths, options, work, jobs=jobs)
        self._read.append(thing)
        return thing

    def close(self) -> None:
        """Let go of all that is open."""
        while self._desks:
            self.close_desk(self._desks[-1])
        while self._read:
            self._read.pop().close()

    def __enter__(self) -> Self:
        """To be closed afterwards."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()
