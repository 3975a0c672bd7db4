"""The tables of the contract that a path holds: Parquet files, of one table or of several."""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import SourceError
from core.message import message
from core.system_errors import reason
from importers.containers.regular import NoFileError, open_file
from importers.contract.columns import TABLES, Column

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIX: Final = ".parquet"
MAGIC: Final = b"PAR1"
_TABLE_KEY: Final = b"tidegauge.table"
_SHOWN_BY: Final = (
    ("events", frozenset({"kind"})),
    ("lines", frozenset({"path", "message"})),
    ("losses", frozenset({"first_offset", "end_offset", "class"})),
    ("findings", frozenset({"check", "severity", "brokers"})),
    ("summaries", frozenset({"topic", "partition", "records_lost"})),
)
"""Columns by which a table is recognised that neither says nor is called what it is."""


@dataclass(frozen=True, slots=True)
class Part:
    """A Parquet file of a table; `label` is its path within what was named."""

    table: str
    path: Path
    label: str


def parts_at(place: Path) -> tuple[Part, ...]:
    """The Parquet files of a table or of a folder of tables, by label. None where no table is recognised.

    Files and folders whose names begin with `_` or `.` are bookkeeping, as everywhere. Raises SourceError
    for a file that cannot be read as Parquet.
    """
    return tuple(_parts(place))


def _parts(place: Path) -> Iterator[Part]:
    for path in parquet_files(place):
        label = path.relative_to(place).as_posix() if place.is_dir() else path.name
        table = _table_of(path, label if place.is_dir() else "", place)
        if table is not None:
            yield Part(table, path, label)


def parquet_files(place: Path) -> list[Path]:
    """The Parquet files of a folder at any depth, or the file itself, sorted."""
    if place.is_file():
        return [place] if _is_parquet(place) else []
    found: list[Path] = []
    # A folder that cannot be read, or is gone by now, has no tables. Where logs are read, it is named.
    for where, folders, names in os.walk(place):
        folders[:] = [name for name in folders if not _is_bookkeeping(name)]
        paths = (Path(where, name) for name in names if name.endswith(SUFFIX) and not _is_bookkeeping(name))
        found += (path for path in paths if path.is_file())
    return sorted(found)


def _is_bookkeeping(name: str) -> bool:
    return name.startswith(("_", "."))


def _is_parquet(path: Path) -> bool:
    try:
        with open_file(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, NoFileError):
        return False


def _table_of(path: Path, label: str, place: Path) -> str | None:
    """Which table a file is of: as it says, as a folder is called that it lies in, or by its columns."""
    schema = schema_of(path)
    said = (schema.metadata or {}).get(_TABLE_KEY, b"").decode("utf-8", "replace")
    if said in TABLES:
        return said
    folders = (*reversed(label.split("/")[:-1]), place.name.removesuffix(SUFFIX), path.stem)
    for name in folders:
        if name in TABLES and _fits(name, schema.names):
            return name
    return next((name for name, names in _SHOWN_BY if names <= set(schema.names)), None)


def _fits(table: str, names: Sequence[str]) -> bool:
    """Whether a table has at least half of the columns that it must have: else it is called so by chance."""
    needed = [one for one in TABLES[table] if one.required]
    return 2 * sum(found_as(one, names) is not None for one in needed) >= len(needed)


def found_as(column: Column, names: Sequence[str]) -> str | None:
    """The name under which a column is there."""
    return next((name for name in (column.name, column.also) if name and name in names), None)


def schema_of(path: Path) -> "pa.Schema":
    """The columns of a file. Raises SourceError."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with open_file(path) as file:
            return parquet.read_schema(file)
    except (OSError, NoFileError, pa.ArrowException) as error:
        raise cannot_read(path, error) from error


def read_part(part: Part) -> "pa.Table":
    """All rows of a file. Raises SourceError."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(part.path).read()
    except (OSError, pa.ArrowException) as error:
        raise cannot_read(part.path, error) from error


def cannot_read(path: Path, error: Exception) -> SourceError:
    """The one message for a file that is no Parquet, or is damaged."""
    return SourceError(
        message("error.contract.unreadable"),
        why=reason(error)
        if isinstance(error, OSError) and error.errno is not None
        else message("error.contract.unreadable.why", words=str(error)),
        where=str(path),
    )


def tables_in(place: Path) -> Mapping[str, tuple[Part, ...]]:
    """The parts of each table. Raises SourceError."""
    found: dict[str, list[Part]] = {}
    for part in parts_at(place):
        found.setdefault(part.table, []).append(part)
    return {table: tuple(parts) for table, parts in found.items()}


def is_event_table(place: str | Path) -> bool:
    """Whether this is a table of events of the contract, or a folder with one and no other source of events.

    Cheap where it is not: what is no Parquet file and no folder of such is not opened.
    """
    path = Path(place)
    if "://" in str(place) or not path.exists():
        return False
    files = parquet_files(path)
    if not files:
        return False
    try:
        return any(part.table == "events" for part in parts_at(path))
    except SourceError:
        return False
