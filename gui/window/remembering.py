"""What is open is written down as it changes, and opened again after the window was killed."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer

from core.file_lock import FileLock, HeldError, take
from core.leftovers import token
from core.state_folder import state_folder
from gui.workspace.desk import Desk
from gui.workspace.imports import ENDING, drop_imports
from gui.workspace.recall import Remembered, from_text, remembered, to_text

SETTLED_MS: Final = 300
"""What is scrubbed past is not written."""
_OPEN: Final = ".open"
_LOCK: Final = ".lock"
_MOST: Final = 50


def _folder() -> Path:
    return state_folder() / "windows"


class Remembering(QObject):
    """Writes down what desks have open, in a file of this process, until `end`. A kill leaves it there.

    Where it cannot be written nothing is remembered, and nothing is said of it.
    """

    def __init__(self, desks: Callable[[], Sequence[Desk]]) -> None:
        """`desks` are those that are open, a window each. Nothing is written yet."""
        super().__init__()
        self._desks = desks
        self._lock: FileLock | None = None
        self._path = Path()
        self._written = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED_MS)
        self._timer.timeout.connect(self.write)

    def follow(self, desk: Desk) -> None:
        """Hear from now on what changes on a desk."""
        desk.store.imports = self.imports
        session = desk.session
        for change in (session.content_changed, session.position_changed, session.notes_changed):
            change.connect(self._changed)
        session.path_changed.connect(self._changed)
        desk.tabs.changed.connect(self._changed)

    def _changed(self, _what: object) -> None:
        self._timer.start()

    def write(self) -> None:
        """Write it now."""
        text = to_text(remembered(*(desk.tabs for desk in self._desks())))
        if text == self._written:
            return
        with suppress(OSError, HeldError):
            self._begin()
            part = self._path.with_suffix(".part")
            part.write_text(text, encoding="utf-8")
            part.replace(self._path)
            self._written = text

    def imports(self) -> str:
        """The folder in which imports are kept until this window closes; "" where there can be none."""
        with suppress(OSError, HeldError):
            self._begin()
            return str(self._path.with_suffix(ENDING))
        return ""

    def _begin(self) -> None:
        if self._lock is None:
            _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            name = token()
            self._lock, self._path = take(_folder() / f"{name}{_LOCK}"), _folder() / f"{name}{_OPEN}"

    def end(self) -> None:
        """The last window closes by itself: nothing needs to be opened again."""
        self._timer.stop()
        if self._lock is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            drop_imports(self._path.with_suffix(ENDING))
            self._lock.release()
            self._lock = None


def left_open() -> Remembered | None:
    """What a killed window had open, the newest; what others had is forgotten. None where nothing was.

    The imports that it had kept stay for whoever opens it again; those of others go.
    """
    try:
        files = sorted(_folder().glob(f"*{_OPEN}"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        folders = {folder.with_suffix(_OPEN) for folder in _folder().glob(f"*{ENDING}")}
    except OSError:
        return None
    newest: Remembered | None = None
    for file in (*files[:_MOST], *(folders - set(files))):
        with suppress(OSError, HeldError):
            lock = take(file.with_suffix(_LOCK))
            try:
                what, imports = _read(file), file.with_suffix(ENDING)
                if newest is None and what is not None and what.places:
                    newest = replace(what, imports=str(imports)) if imports.is_dir() else what
                else:
                    drop_imports(imports)
            finally:
                lock.release()
    return newest


def _read(file: Path) -> Remembered | None:
    """What a file says, which is removed; None where it is not there, or damaged."""
    try:
        what = from_text(file.read_text(encoding="utf-8"))
        file.unlink()
    except (OSError, ValueError):
        return None
    return what
