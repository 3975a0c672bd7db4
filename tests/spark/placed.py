"""The raw lines of a trace in memory, put where a data set is made, as workers do it."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from core.trace.trace import Trace
from spark.clustered import LINE, RAW, RAW_LINES, file_of, needed_by, raw_rows
from spark.quote import events_of
from spark.raw_lines import Raw


def placed(trace: Trace, folder: Path) -> Raw:
    """All lines of the trace, and none that a finding reads."""
    columns, begins = events_of(trace)
    files = file_of(columns["partition"], len(trace.partitions))
    lines = [*trace.lines]
    rows = pa.table([[getattr(one, name) for one in lines] for name in LINE.names], schema=LINE)
    source = rows.column("source").to_numpy()
    (folder / RAW).mkdir()
    with parquet.ParquetWriter(folder / RAW / "rows.parquet", RAW_LINES) as out:
        for one in np.unique(source).tolist():
            mine = slice(begins[one], begins[one + 1])
            partition, line = (columns[name][mine].astype(np.int64) for name in ("partition", "line"))
            needed = needed_by(partition, line, len(trace.partitions))
            out.write_table(raw_rows(rows.filter(pa.array(source == one)), needed, files))
    return Raw(len(lines), int(files[-1]) + 1, {})
