"""The program with one of its precautions taken out: the harness must see each of them missing."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from core import placing
from db import engine, making, owner


def _synchronous(word: str) -> Callable[[], None]:
    def apply() -> None:
        really = engine._set_up

        def set_up(made: sa.Engine, pragmas: tuple[str, ...]) -> None:
            really(made, tuple(text.replace("EXTRA", word) for text in pragmas))

        engine._set_up = set_up

    return apply


def _no_sync() -> None:
    def nothing(_path: Path) -> None:
        pass

    placing.sync = nothing


def _in_place() -> None:
    """A document is made where it will stand."""

    @contextmanager
    def staging(target: Path, **_more: Any) -> Generator[Path]:
        target.unlink(missing_ok=True)
        yield target

    making.staging = staging
    making.put = lambda _part, _target: None


def _side_files_stay() -> None:
    owner.SIDE_FILES = ()
    owner._recover_unless_used = lambda _target: None


def _no_journal() -> None:
    really = engine._set_up

    def set_up(made: sa.Engine, pragmas: tuple[str, ...]) -> None:
        really(made, tuple(text.replace("=DELETE", "=MEMORY") for text in pragmas))

    engine._set_up = set_up


BROKEN: Final[dict[str, Callable[[], None]]] = {
    "synchronous FULL": _synchronous("FULL"),
    "synchronous NORMAL": _synchronous("NORMAL"),
    "synchronous OFF": _synchronous("OFF"),
    "no sync before the rename": _no_sync,
    "made in its place": _in_place,
    "side files stay": _side_files_stay,
    "no journal on the disk": _no_journal,
}
"""By what is missing; the process is thrown away afterwards."""
