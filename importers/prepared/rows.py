"""Rows of events/ and lines/ under the names that a trace has for their columns, whichever layout they have.

Since layout 5 these are tables of the contract (importers/contract): words and times under its names, and
beside them, where a trace has numbers, those numbers in columns whose names begin with `_`.
"""

# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false
# pyarrow comes without types, and makes its compute functions when it is imported.

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.trace.trace import DTYPES
from importers.contract.columns import arrow_schema
from importers.contract.told import OF_EVENTS

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import dataset

HIDDEN: Final = ("partition", "kind", "basis", "isr", "source", "at_least", "at_most")
"""Columns of events that are numbers of the trace's own."""
_SAME: Final = {trace: name for name, trace in OF_EVENTS.items() if trace not in HIDDEN}
EVENT_NAMES: Final[Mapping[str, str]] = {
    "seq": "seq",
    **{name: f"_{name}" if name in HIDDEN else _SAME[name] for name in DTYPES},
}
"""Where a column of a trace is stored."""
LINE_NAMES: Final[Mapping[str, str]] = {
    "partition": "_partition",
    "source": "_source",
    "line": "line",
    "byte": "byte",
    "text": "message",
}
ROW: Final = "_row"
"""The column of the other tables with a row as the program has it."""
OWNER: Final = "_partition"


def stored_schema(table: str, schema: "pa.Schema", names: Mapping[str, str]) -> "pa.Schema":
    """What a table of layout 5 has: the contract's columns, then the hidden ones as in `schema`."""
    import pyarrow as pa

    shown = [field.with_nullable(nullable=True) for field in arrow_schema(table)]
    hidden = [
        pa.field(stored, schema.field(name).type) for name, stored in names.items() if stored.startswith("_")
    ]
    return pa.schema([*shown, *hidden], metadata=arrow_schema(table).metadata)


@dataclass(frozen=True, slots=True)
class Rows:
    """Files as one table; `schema` is what is read of them, by the names of a trace."""

    files: Any
    names: Mapping[str, str]
    schema: "pa.Schema"

    def field(self, name: str) -> "dataset.Expression":
        """A column, for a filter. Times are integers in layout 4, and times since."""
        from pyarrow import dataset

        return dataset.field(self.names.get(name, name))

    def at(self, moment: int) -> Any:  # noqa: ANN401 - of pyarrow
        """A time, to compare the column `at` with."""
        import pyarrow as pa

        kind = self.files.schema.field(self.names.get("at", "at")).type
        return pa.scalar(moment, pa.int64()).cast(kind)

    def to_table(self, names: Sequence[str] | None = None, chosen: Any = None) -> "pa.Table":  # noqa: ANN401
        """Some columns of the rows that a filter chooses."""
        return self.files.to_table(columns=self._columns(names), filter=chosen)

    def to_batches(self, names: Sequence[str], size: int) -> "Iterator[pa.RecordBatch]":
        """Some columns of all rows, at most `size` rows at a time."""
        return self.files.to_batches(columns=self._columns(names), batch_size=size)

    def fragments(self) -> Iterator[Any]:
        """File by file."""
        return self.files.get_fragments()

    def read(self, fragment: Any, names: Sequence[str] | None = None) -> "pa.Table":  # noqa: ANN401
        """Some columns of a file or of some of its row groups, in this thread alone."""
        return fragment.to_table(schema=self.files.schema, columns=self._columns(names), use_threads=False)

    def _columns(self, names: Sequence[str] | None) -> "dict[str, dataset.Expression]":
        import pyarrow.compute as pc
        from pyarrow import dataset

        wanted = self.schema.names if names is None else names
        columns = {name: dataset.field(self.names.get(name, name)) for name in wanted}
        if "line" in columns:
            # Of binary files the contract has no line, and a trace has line 0.
            columns["line"] = pc.coalesce(columns["line"], pc.scalar(0))
        return {name: column.cast(self.schema.field(name).type) for name, column in columns.items()}
