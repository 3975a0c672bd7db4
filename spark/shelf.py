"""Columns on the driver's disk: what is known of all events is more than its memory should hold."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from core.trace.columns import Columns
from spark.target import cannot_write

_SMALL: Final = 4096
"""Columns of at most so many bytes stay in memory: small logs are many, and each is read many times."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a column lies: from byte `at` on, or in memory: all of it, or the one value that it repeats."""

    dtype: np.dtype[Any]
    at: int
    same: NDArray[Any] | None = None
    small: NDArray[Any] | None = None


class Shelved(Columns):
    """Columns that lie on a shelf."""

    __slots__ = ("_shelf", "places")

    def __init__(self, shelf: "Shelf", places: Mapping[str, _Place], rows: int) -> None:
        """All columns have `rows` rows."""
        self._shelf, self.places = shelf, places
        super().__init__(places, rows, lambda name: shelf.read(places[name], 0, rows), shelf.put)

    def part(self, first: int, end: int) -> dict[str, NDArray[Any]]:
        """Rows [first, end) of all columns, and no others are read."""
        return {name: self._shelf.read(place, first, end) for name, place in self.places.items()}


@dataclass(frozen=True, slots=True)
class Lent:
    """Columns on a shelf that has a name, for a worker who finds it by that."""

    path: str
    places: Mapping[str, _Place]

    def part(self, first: int, end: int) -> dict[str, NDArray[Any]]:
        """Rows [first, end) of all columns. Raises OSError."""
        with FileIO(self.path) as file:
            return {name: _read(file, place, first, end) for name, place in self.places.items()}


class Shelf:
    """One file in a folder, which is gone when the shelf is closed.

    Without a name it is gone when the program ends, too; with one workers can read it (`lent`).
    """

    def __init__(self, folder: Path, name: str | None = None) -> None:
        """Raises DocumentError where the folder takes no file."""
        self._folder, self._end = folder, 0
        self._path = None if name is None else folder / name
        try:
            if self._path is None:
                self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - closed by __exit__
            else:
                self._file = FileIO(self._path, "w+")
        except OSError as error:
            raise cannot_write(folder, error) from error

    def __enter__(self) -> Self:
        """It is open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing can be read any more."""
        self._file.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def lent(self, columns: Shelved) -> Lent:
        """The columns for workers, where another machine sees them: of a shelf with a name."""
        os.fsync(self._file.fileno())
        return Lent(str(self._path), columns.places)

    def put(self, columns: Mapping[str, NDArray[Any]]) -> Shelved:
        """Keep columns of equal length; each is asked for once. Raises DocumentError: the disk is full."""
        places: dict[str, _Place] = {}
        rows = 0
        try:
            for name in columns:
                column = columns[name]
                places[name], rows = self._place(column), len(column)
        except OSError as error:
            raise cannot_write(self._folder, error) from error
        return Shelved(self, places, rows)

    def _place(self, column: NDArray[Any]) -> _Place:
        if not len(column) or (column == column[0]).all():
            return _Place(column.dtype, 0, column[:1].copy())
        if column.nbytes <= _SMALL:
            return _Place(column.dtype, 0, small=column.copy())
        place = _Place(column.dtype, self._end)
        left = np.ascontiguousarray(column).data.cast("B")
        self._file.seek(self._end)
        self._end += len(left)
        while left:
            left = left[self._file.write(left) :]
        return place

    def read(self, place: _Place, first: int, end: int) -> NDArray[Any]:
        """Rows [first, end) of a column."""
        return _read(self._file, place, first, end)


def _read(file: Any, place: _Place, first: int, end: int) -> NDArray[Any]:  # noqa: ANN401 - not buffered
    if place.same is not None:
        return _repeated(place.same, end - first) if end > first else place.same[:0]
    if place.small is not None:
        return place.small[first:end].copy()
    column = np.empty(end - first, place.dtype)
    left = column.data.cast("B") if len(column) else memoryview(b"")
    file.seek(place.at + first * place.dtype.itemsize)
    while left:
        count = file.readinto(left)
        if not count:
            raise EOFError
        left = left[count:]
    return column


def _repeated(value: NDArray[Any], rows: int) -> NDArray[Any]:
    """One value as a column that cannot be written: what `np.broadcast_to` gives, without its work."""
    column = np.ndarray(rows, value.dtype, value, strides=(0,))
    column.flags.writeable = False
    return column
