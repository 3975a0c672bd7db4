"""Logs that grow: stamps of their records, and a line more."""

import re
from datetime import datetime, timedelta
from pathlib import Path

STAMP = re.compile(rb"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3})\]", re.MULTILINE)
_TIME = "%Y-%m-%d %H:%M:%S,%f"


def with_line(tree: Path) -> Path:
    """The logs of a recording, and five seconds later one line more of one partition."""
    last = max(time for log in tree.rglob("*.log") for time in STAMP.findall(log.read_bytes())).decode()
    later = datetime.strptime(last, _TIME) + timedelta(seconds=5)  # noqa: DTZ007 - as the log has it
    line = f"[{later.strftime(_TIME)[:-3]}] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"
    with (tree / "broker-2" / "logs" / "server.log").open("ab") as more:
        more.write(line.encode())
    return tree
