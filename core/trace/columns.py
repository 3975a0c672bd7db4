"""Columns that nobody holds: each is made when it is asked for, so that one at a time is in memory."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeAlias

from numpy.typing import NDArray

Keep: TypeAlias = Callable[[Mapping[str, NDArray[Any]]], Mapping[str, NDArray[Any]]]
"""Takes columns, each once, and gives them as often as they are asked for."""


class Columns(Mapping[str, NDArray[Any]]):
    """Columns by name, all of `rows` rows. `make` gives one by its name, each time anew.

    `keep` is where that which is made of them is kept, so that it is made only once.
    """

    __slots__ = ("_make", "_names", "keep", "rows")

    def __init__(
        self, names: Collection[str], rows: int, make: Callable[[str], NDArray[Any]], keep: Keep = dict
    ) -> None:
        """Nothing is made yet."""
        self._names, self.rows, self._make, self.keep = names, rows, make, keep

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The column of this name. Raises KeyError."""
        if name not in self._names:
            raise KeyError(name)
        return self._make(name)

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._names)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self._names)

    def part(self, first: int, end: int) -> dict[str, NDArray[Any]]:
        """Rows [first, end) of all columns, in memory."""
        return {name: self[name][first:end] for name in self._names}


def keep_of(columns: Mapping[str, NDArray[Any]]) -> Keep:
    """Where that which is made of columns is kept: where they are themselves, else in memory."""
    return columns.keep if isinstance(columns, Columns) else dict


def replaced(
    columns: Mapping[str, NDArray[Any]], others: Mapping[str, NDArray[Any]]
) -> Mapping[str, NDArray[Any]]:
    """The same with others in place of some; what was not held still is not."""
    if not isinstance(columns, Columns):
        return {**columns, **others}
    own = columns

    def make(name: str) -> NDArray[Any]:
        return others[name] if name in others else own[name]

    return Columns([*own], own.rows, make, own.keep)
