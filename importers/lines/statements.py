"""What the lines of a log state, as columns: a draft exists as an object only while somebody looks at it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from core.trace.columns import Columns, keep_of, replaced
from core.trace.ids import UNSAID
from core.trace.trace import VALUES
from core.trace.vocabulary import NAME, NUMBER, Basis
from importers.kafka.drafts import Draft, Said

NONE: Final = -1
"""No text or list, in the columns that name one."""
TEXTS: Final = ("rule", "topic", "sends", "receives", "topic_id")
"""Columns of indexes into `texts`."""
LISTS: Final = ("isr", "assigned")
"""Columns of indexes into `lists`."""
PLACE: Final = ("local_ns", "byte", "line", "ordinal", "fingerprint")
SAID_NUMBERS: Final = ("broker", "replica", "life", *VALUES)
"""Fields of `Said` that are one number."""
_NUMBERS: Final = ("number", *SAID_NUMBERS)
"""Numbers as they are said; UNSAID where they are not. `number` is the partition's within `topic`."""
TYPES: Final[Mapping[str, np.dtype[Any]]] = MappingProxyType(
    {
        **dict.fromkeys(PLACE, np.dtype(np.int64)),
        "ordinal": np.dtype(np.int32),
        "kind": np.dtype(np.int16),
        "basis": np.dtype(np.int8),
        "at_least": np.dtype(np.int16),
        **dict.fromkeys(_NUMBERS, np.dtype(np.int64)),
        **dict.fromkeys((*TEXTS, *LISTS), np.dtype(np.int32)),
    }
)
"""Every column of `Statements` with its type, in the order of a row."""
COLUMN: Final[Mapping[str, int]] = MappingProxyType({name: at for at, name in enumerate(TYPES)})
"""The place of each column in a row."""
_BLANK: Final = [NONE if name in (*TEXTS, *LISTS) else UNSAID if name in _NUMBERS else 0 for name in TYPES]
_PLACES: Final = [COLUMN[name] for name in SAID_NUMBERS]
_numbers_of: Final[Callable[[Said], tuple[int | None, ...]]] = attrgetter(*SAID_NUMBERS)
_BIT: Final = {name: 1 << at for at, name in enumerate(VALUES)}


class Names:
    """Texts and lists by number, each once."""

    def __init__(self) -> None:
        """None yet."""
        self.texts: dict[str, int] = {}
        self.lists: dict[tuple[int, ...], int] = {}

    def text(self, text: str | None) -> int:
        """The number of a text, NONE for none."""
        return NONE if text is None else self.texts.setdefault(text, len(self.texts))

    def members(self, members: Sequence[int] | None) -> int:
        """The number of a list, NONE for none."""
        return NONE if members is None else self.lists.setdefault(tuple(members), len(self.lists))

    def codes(self, part: "Statements") -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The numbers here of the texts and the lists of a part, by its own; the last is NONE."""
        texts = np.array([*map(self.text, part.texts), NONE], dtype=np.int32)
        return texts, np.array([*map(self.members, part.lists), NONE], dtype=np.int32)

    def row(self, rule: str, said: Said) -> list[int]:
        """What is said as a row: every column of TYPES in order, its place left 0."""
        row = _BLANK.copy()
        row[COLUMN["kind"]] = NUMBER[said.kind]
        row[COLUMN["basis"]] = int(said.basis)
        row[COLUMN["at_least"]] = bits(said.at_least)
        row[COLUMN["rule"]] = self.text(rule)
        if said.tp is not None:
            row[COLUMN["topic"]], row[COLUMN["number"]] = self.text(said.tp[0]), said.tp[1]
        for at, value in zip(_PLACES, _numbers_of(said), strict=True):
            if value is not None:
                row[at] = value
        for name in TEXTS[2:]:
            row[COLUMN[name]] = self.text(getattr(said, name))
        for name in LISTS:
            row[COLUMN[name]] = self.members(getattr(said, name))
        return row


def bits(names: Iterable[str]) -> int:
    """Names of value columns as a set of bits."""
    return sum(_BIT[name] for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class Statements(Sequence[Draft]):
    """Drafts in the order of their lines: `columns` by the names of TYPES, with their dictionaries.

    What is taken of, moved in or joined with `Columns`, which nobody holds, is not held either.
    """

    columns: Mapping[str, NDArray[np.int64]]
    texts: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Each column in its type, whatever it came in."""
        if isinstance(self.columns, Columns):
            return
        typed = {name: np.asarray(self.columns[name], dtype=kind) for name, kind in TYPES.items()}
        object.__setattr__(self, "columns", MappingProxyType(typed))

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which knows no mapping that cannot be changed."""
        return Statements, (dict(self.columns), self.texts, self.lists)

    def __len__(self) -> int:
        """How many drafts there are."""
        columns = self.columns
        return columns.rows if isinstance(columns, Columns) else len(columns["byte"])

    @overload
    def __getitem__(self, at: int) -> Draft: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Draft]: ...
    def __getitem__(self, at: int | slice) -> Draft | Sequence[Draft]:
        """A draft as a value, or some of them, as columns."""
        if isinstance(at, slice):
            return self.taken(np.arange(*at.indices(len(self))))
        return next(iter(self.taken(np.array([range(len(self))[at]]))))

    def __iter__(self) -> Iterator[Draft]:
        """Each draft as a value."""
        columns = {name: column.tolist() for name, column in self.columns.items()}
        forms, form_of = self._forms()
        places = zip(*(columns[name] for name in PLACE), strict=True)
        said: list[tuple[str, list[Any]]] = [(name, columns[name]) for name in SAID_NUMBERS]
        for names, known in ((TEXTS[2:], self.texts), (LISTS, self.lists)):
            said += [(name, [known[one] if one != NONE else None for one in columns[name]]) for name in names]
        named = [[said[at] for at in form] for form in forms]
        rows = zip(places, form_of, columns["rule"], columns["kind"], columns["topic"], strict=True)
        for at, (place, form, rule, kind, topic) in enumerate(rows):
            moment, byte, line, ordinal, mark = place
            one = Said(
                NAME[kind],
                None if topic == NONE else (self.texts[topic], columns["number"][at]),
                **{name: values[at] for name, values in named[form]},
            )
            if columns["basis"][at]:
                one.basis = Basis(columns["basis"][at])
            if columns["at_least"][at]:
                bits_of = columns["at_least"][at]
                one.at_least = tuple(name for name, bit in _BIT.items() if bit & bits_of)
            yield Draft(moment, byte, line, ordinal, mark, self.texts[rule], one)

    def _forms(self) -> tuple[list[list[int]], list[int]]:
        """Which fields are said together, by number, and for each draft its form."""
        names = (*SAID_NUMBERS, *TEXTS[2:], *LISTS)
        none = [UNSAID] * len(SAID_NUMBERS) + [NONE] * (len(names) - len(SAID_NUMBERS))
        codes = np.zeros(len(self), dtype=np.int64)
        for at, name in enumerate(names):
            codes |= (self.columns[name] != none[at]).astype(np.int64) << at
        known, form_of = np.unique(codes, return_inverse=True)
        forms = [[at for at in range(len(names)) if code >> at & 1] for code in known.tolist()]
        return forms, form_of.tolist()

    def taken(self, at: NDArray[Any]) -> "Statements":
        """Those at the given places, or where a mask is true."""
        columns = self.columns
        if not isinstance(columns, Columns):
            taken = {name: column[at] for name, column in columns.items()}
            return Statements(taken, self.texts, self.lists)
        rows = int(np.count_nonzero(at)) if at.dtype == bool else len(at)

        def make(name: str) -> NDArray[np.int64]:
            return columns[name][at] if rows else np.empty(0, TYPES[name])

        return Statements(Columns(TYPES, rows, make, columns.keep), self.texts, self.lists)

    def kept(self) -> "Statements":
        """The same, with columns that are not made anew whenever they are asked for."""
        return Statements(keep_of(self.columns)(self.columns), self.texts, self.lists)

    def part(self, first: int, end: int) -> "Statements":
        """Those at [first, end), in memory."""
        columns = self.columns
        if isinstance(columns, Columns):
            return Statements(columns.part(first, end), self.texts, self.lists)
        return Statements({name: one[first:end] for name, one in columns.items()}, self.texts, self.lists)

    def of_kinds(self, kinds: Iterable[str]) -> "Statements":
        """Those of some kinds."""
        return self.taken(np.isin(self.columns["kind"], [NUMBER[kind] for kind in kinds]))

    def kinds(self) -> frozenset[str]:
        """The kinds that there are."""
        return frozenset(NAME[number] for number in np.unique(self.columns["kind"]).tolist())

    def moved(self, **columns: NDArray[Any]) -> "Statements":
        """The same with other columns in place of these."""
        return Statements(replaced(self.columns, columns), self.texts, self.lists)

    def shifted(self, name: str, by: int) -> "Statements":
        """The same with a number added to all values of one column; none of it is held."""
        own = self.columns

        def make(one: str) -> NDArray[np.int64]:
            return own[one] + by if one == name else own[one]

        return Statements(Columns(TYPES, len(self), make, keep_of(own)), self.texts, self.lists)


NO_STATEMENTS: Final = Statements({name: np.empty(0, kind) for name, kind in TYPES.items()}, (), ())


def statements_of(drafts: Iterable[Draft]) -> Statements:
    """Drafts as columns, in their order."""
    names = Names()
    return from_rows(rows_of(drafts, names), names)


def rows_of(drafts: Iterable[Draft], names: Names) -> NDArray[np.int64]:
    """Drafts as rows."""
    rows = [
        [one.local_ns, one.byte, one.line, one.ordinal, one.fingerprint, *names.row(one.rule, one.said)[5:]]
        for one in drafts
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, len(TYPES))


def in_order(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows by their place in the file."""
    return rows[np.lexsort((rows[:, COLUMN["ordinal"]], rows[:, COLUMN["byte"]]))]


def from_rows(rows: NDArray[np.int64], names: Names) -> Statements:
    """Rows as columns, with the texts and lists that they name and no others."""
    # Copies: a view would hold all rows as long as one column lives.
    columns = {name: rows[:, at].astype(TYPES[name]) for name, at in COLUMN.items()}
    texts, lists = tuple(names.texts), tuple(names.lists)
    for group, known in ((TEXTS, texts), (LISTS, lists)):
        named = np.unique(np.concatenate([columns[name] for name in group]))
        named = named[named != NONE]
        for name in group:
            columns[name] = np.where(columns[name] == NONE, NONE, np.searchsorted(named, columns[name]))
        if known is texts:
            texts = tuple(texts[at] for at in named.tolist())
        else:
            lists = tuple(lists[at] for at in named.tolist())
    return Statements(columns, texts, lists)


class Gathering:
    """Statements that come in parts. The columns grow where they are: a copy would need the memory twice."""

    def __init__(self) -> None:
        """None yet."""
        self._names = Names()
        self._columns: dict[str, NDArray[Any]] = {name: np.empty(0, kind) for name, kind in TYPES.items()}
        self._held = 0

    def add(self, part: Statements) -> None:
        """The next ones."""
        start, end = self._held, self._held + len(part)
        if end > len(self._columns["byte"]):
            self._resize(end + end // 8)
        texts, lists = self._names.codes(part)
        for name, column in part.columns.items():
            codes = texts if name in TEXTS else lists if name in LISTS else None
            self._columns[name][start:end] = column if codes is None else codes[column]
        self._held = end

    def _resize(self, rows: int) -> None:
        for column in self._columns.values():
            column.resize(rows, refcheck=False)

    def done(self) -> Statements:
        """All of them; nothing can be added any more."""
        self._resize(self._held)
        return Statements(self._columns, tuple(self._names.texts), tuple(self._names.lists))


def joined_statements(parts: Iterable[Statements]) -> Statements:
    """All drafts of the parts, one after the other."""
    parts = list(parts)
    if any(isinstance(part.columns, Columns) for part in parts):
        return _joined_when_asked(parts)
    whole = Gathering()
    for part in parts:
        whole.add(part)
    return whole.done()


def _joined_when_asked(parts: Sequence[Statements]) -> Statements:
    """The same where some are not held."""
    names = Names()
    codes = [names.codes(part) for part in parts]
    edges = np.cumsum([0, *map(len, parts)]).tolist()

    def make(name: str) -> NDArray[np.int64]:
        column = np.empty(edges[-1], TYPES[name])
        for part, (texts, lists), (start, end) in zip(parts, codes, pairwise(edges), strict=True):
            of = texts if name in TEXTS else lists if name in LISTS else None
            own = part.columns[name]
            column[start:end] = own if of is None else of[own]
        return column

    keep = next(part.columns.keep for part in parts if isinstance(part.columns, Columns))
    return Statements(Columns(TYPES, edges[-1], make, keep), tuple(names.texts), tuple(names.lists))
