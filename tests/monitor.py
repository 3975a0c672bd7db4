"""A table of events as another job makes it: what a monitor saw, written by the guide's example of DuckDB."""

import os
import re
from pathlib import Path

import duckdb

_GUIDE = Path(__file__).parents[1] / "docs" / "contract.md"
_SEEN = """\
seen_ms,topic,partition,broker,leader,epoch,isr
1795231740000,orders,0,1,1,4,1 2 3
1795231745000,orders,0,1,1,4,1 2
1795231746000,orders,0,1,1,4,1
1795231755000,orders,0,1,1,4,1 2 3
"""


def monitored(folder: Path) -> Path:
    """The table, made in an empty folder."""
    (sql,) = re.findall(r"```sql\n(COPY.*?)```", _GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / "monitor.csv").write_text(_SEEN, encoding="utf-8")
    before = Path.cwd()
    os.chdir(folder)
    try:
        duckdb.sql(sql)
    finally:
        os.chdir(before)
    return folder / "events.parquet"
