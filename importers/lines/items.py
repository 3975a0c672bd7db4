"""A draft that knows its broker, its time and its source: what is put in order. As values, and as columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.kafka.drafts import Draft, Said
from importers.lines.statements import Statements, joined_statements, statements_of

_MOST_KEY: Final = 1 << 62
_FEW: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Item:
    """One event to be. `at` is UTC after clock correction; `rank` decides at equal times, lower first."""

    at: int
    rank: int
    source: int
    byte: int
    line: int
    ordinal: int
    broker: int | None
    rule: str
    said: Said

    @property
    def place(self) -> tuple[int, int, int, int, int]:
        """How items without other evidence are ordered: time, then the kind of file, then the place in it."""
        return self.at, self.rank, self.source, self.byte, self.ordinal


def about(item: Item) -> int | None:
    """The broker that the item is about."""
    return item.broker if item.said.replica is None else item.said.replica


@dataclass(frozen=True, slots=True, eq=False)
class Items(Sequence[Item]):
    """Items as columns; `broker` is UNSAID where nobody is known. A value exists while somebody uses it."""

    at: NDArray[np.int64]
    rank: NDArray[Any]
    source: NDArray[Any]
    broker: NDArray[np.int64]
    said: Statements

    def __post_init__(self) -> None:
        """Each in a type that is wide enough: of all items of a large set they are most of what is held."""
        object.__setattr__(self, "rank", np.asarray(self.rank, dtype=np.int8))
        object.__setattr__(self, "source", np.asarray(self.source, dtype=np.int32))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.at)

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> "Items": ...
    def __getitem__(self, at: int | slice) -> "Item | Items":
        """An item as a value, or some of them as columns."""
        if isinstance(at, slice):
            return self.taken(np.arange(*at.indices(len(self))))
        return next(iter(self.taken(np.array([range(len(self))[at]]))))

    def __iter__(self) -> Iterator[Item]:
        """Each item as a value."""
        columns = (self.at, self.rank, self.source, self.broker)
        places = zip(*(column.tolist() for column in columns), strict=True)
        for (at, rank, source, broker), draft in zip(places, self.said, strict=True):
            yield Item(
                at,
                rank,
                source,
                draft.byte,
                draft.line,
                draft.ordinal,
                None if broker == UNSAID else broker,
                draft.rule,
                draft.said,
            )

    def taken(self, at: NDArray[Any]) -> "Items":
        """Those at the given places, or where a mask is true."""
        if len(at) == len(self) and (at.all() if at.dtype == bool else (at == np.arange(len(at))).all()):
            return self
        places = (self.at[at], self.rank[at], self.source[at], self.broker[at])
        return Items(*places, self.said.taken(at))

    def kept(self) -> "Items":
        """The same, with what they say made once."""
        return replace(self, said=self.said.kept())

    def part(self, first: int, end: int) -> "Items":
        """Those at [first, end), in memory."""
        at, rank, source, broker = (
            column[first:end] for column in (self.at, self.rank, self.source, self.broker)
        )
        return Items(at, rank, source, broker, self.said.part(first, end))

    def of_kinds(self, kinds: Iterable[str]) -> "Items":
        """Those of some kinds."""
        return self.taken(np.isin(self.said.columns["kind"], [NUMBER[kind] for kind in kinds]))

    def about(self) -> NDArray[np.int64]:
        """The broker that each is about; UNSAID for nobody."""
        replica = self.said.columns["replica"]
        return np.where(replica == UNSAID, self.broker, replica)

    def by_place(self) -> NDArray[np.int64]:
        """The numbers of all items by their places; equal ones in their order."""
        columns = self.said.columns
        return np.lexsort((columns["ordinal"], columns["byte"], self.source, self.rank, self.at))


def items_of(items: Iterable[Item]) -> Items:
    """Items as columns, in their order."""
    if isinstance(items, Items):
        return items
    held = tuple(items)
    rows = [(one.at, one.rank, one.source, UNSAID if one.broker is None else one.broker) for one in held]
    places = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    drafts = (Draft(one.at, one.byte, one.line, one.ordinal, 0, one.rule, one.said) for one in held)
    return Items(places[0], places[1], places[2], places[3], statements_of(drafts))


def joined_items(parts: Sequence[Items]) -> Items:
    """All items of the parts, one after the other."""
    parts = [part for part in parts if len(part)] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return items_of(())
    return Items(
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.broker for part in parts]),
        joined_statements([part.said for part in parts]),
    )


def distinct(*columns: NDArray[Any]) -> NDArray[np.int64]:
    """The number of the first row of each combination of values that some columns have."""
    return np.unique(_combined(columns), return_index=True)[1]


def same_as(rows: NDArray[np.int64], *columns: NDArray[Any]) -> NDArray[np.int64]:
    """For every row the number, among some rows, of the one with the same values; each is there."""
    keys = _combined(columns)
    order = np.argsort(keys[rows])
    return order[np.searchsorted(keys[rows][order], keys)]


def _combined(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """One number for each combination of values."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    most = 1
    for column in columns:
        code, count = _codes(column)
        if most * count > _MOST_KEY:
            known, key = np.unique(key, return_inverse=True)
            most = len(known)
        key = key * count + code
        most *= count
    return key


def _codes(column: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """A small number for each value, and how many there are at most."""
    values = column.astype(np.int64)
    said = values != UNSAID
    low = int(values.min(where=said, initial=_MOST_KEY))
    high = int(values.max(where=said, initial=-_MOST_KEY))
    if low <= high and high - low < _FEW:
        return np.where(said, values - low + 1, 0), high - low + 2
    known, code = np.unique(values, return_inverse=True)
    return code, max(len(known), 1)
