"""Log lines in Parquet, a row a line, as collectors and jobs store them: read like an archive.

A member for each host and path, with its lines in the order of their bytes or numbers, else as they lie.
"""

# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false
# pyarrow comes without types, and makes its compute functions when it is imported.

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from importers.containers.exports import LINE_COLUMNS, PATHS, TELLERS, lines_in_order, said_by

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC: Final = b"PAR1"
SUFFIX: Final = ".parquet"
_PLACES: Final = ("byte", "offset", "log.offset", "line", "line_number", "log.file.line")
"""Columns of numbers that say where a line stands, the surest first. `line` may be the text itself."""


def is_parquet(head: bytes) -> bool:
    """Whether a file is Parquet, by its first bytes."""
    return head.startswith(MAGIC)


def line_table(source: IO[bytes]) -> "pa.Table | None":
    """The columns of a file that say a line and whose it is; None where it is no table of lines.

    Raises ValueError and OSError for what is no Parquet.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(source)
        names = columns_of(file.schema_arrow)
        return None if names is None else file.read(columns=names)
    except pa.ArrowException as error:
        raise ValueError(str(error)) from error


def joined_line_table(folder: Path, files: Sequence[Path]) -> "pa.Table | None":
    """The same of all files of a folder, with folders as columns: host=kafka-1. Raises as `line_table`."""
    import pyarrow as pa
    from pyarrow import dataset

    try:
        rows = dataset.dataset(
            [str(file) for file in files],
            format="parquet",
            partitioning="hive",
            partition_base_dir=str(folder),
        )
        names = columns_of(rows.schema)
        return None if names is None else rows.to_table(columns=names)
    except pa.ArrowException as error:
        raise ValueError(str(error)) from error


def columns_of(schema: "pa.Schema") -> list[str] | None:
    """The columns that are needed of a table of lines; None where no column is a line or says whose it is."""
    import pyarrow as pa

    lower = {name.lower(): name for name in schema.names}
    texts = [
        one for one in LINE_COLUMNS if one in lower and pa.types.is_string(schema.field(lower[one]).type)
    ]
    tellers = [one for one in (*TELLERS, *PATHS) if one in lower]
    if not texts or not tellers:
        return None
    numbers = [one for one in _PLACES if one in lower and pa.types.is_integer(schema.field(lower[one]).type)]
    wanted = (*texts[:1], *tellers, *numbers[:1])
    return [lower[one] for one in dict.fromkeys(wanted)]


def tellers_in(table: "pa.Table") -> Iterator[tuple[str, bytes]]:
    """By label the log of each teller. Rows without a line are no lines."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = table.rename_columns([name.lower() for name in table.column_names])
    text = next(one for one in LINE_COLUMNS if one in table.column_names)
    place = next((one for one in _PLACES if one in table.column_names and one != text), None)
    table = table.filter(pc.is_valid(table.column(text)))
    named = [one for one in table.column_names if one not in (text, place)]
    keys = pa.table(
        {name: pc.fill_null(table.column(name).cast(pa.string()), fill_value="") for name in named}
    )
    rows = pa.array(range(len(table)), pa.int64())
    groups = keys.append_column("row of it", rows).group_by(named).aggregate([("row of it", "list")])
    labelled: dict[str, list[Any]] = {}
    for group in groups.to_pylist():
        label = said_by({name: group[name] for name in named})
        labelled.setdefault(label, []).extend(group["row of it_list"])
    for label in sorted(labelled):
        mine = table.take(pa.array(sorted(labelled[label]), pa.int64()))
        lines = mine.sort_by(place) if place is not None else mine
        told: list[str] = lines.column(text).to_pylist()
        yield label, ("\n".join(told if place is not None else lines_in_order(told)) + "\n").encode()
