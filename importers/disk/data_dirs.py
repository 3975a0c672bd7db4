"""Data directories: what a folder's name and the names in it say."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

OFFSET_IN_NAME: Final = r"0[0-8]\d{18}"
"""An offset as the names of files have it: twenty digits, of which 64 bits need nineteen (LogFileUtils)."""
PARTITION_DIR: Final = re.compile(
    r"(?P<topic>[\w.\-]+)-(?P<number>\d{1,9})(?:\.[0-9a-f]{32}-(?P<state>delete|future|stray))?"
)
"""`t-0`; `t-0.<32 hex>-delete`: to be deleted; `-future`: being moved here; `-stray` (3.7): not a replica any
more (UnifiedLog, LocalLog)."""
PARTITION_FILE: Final = "partition.metadata"
CLEAN_FILE: Final = ".kafka_cleanshutdown"
PRODUCER_FILE: Final = re.compile(r"(\d{20})\.snapshot")
"""State of producers when the log was complete up to the offset that is its name (ProducerStateManager)."""
EARLIER: Final = re.compile(r"-at-|snapshot|backup|before|copy", re.IGNORECASE)
"""In the name of a data directory: a copy made before the end."""


@dataclass(frozen=True, slots=True)
class DataPlace:
    """Where a file lies: the data directory, whether it is a copy made earlier, the partition.

    `state` is "delete", "future" or "stray" for a partition's directory that holds no live replica, else "".
    """

    directory: str
    snapshot: bool
    tp: tuple[str, int] | None
    state: str = ""


def place_in(directory: PurePosixPath, partition: str = "") -> DataPlace:
    """The place of a file in the folder `partition` of a data directory, or in the directory itself."""
    match = PARTITION_DIR.fullmatch(partition)
    tp = (match["topic"], int(match["number"])) if match else None
    state = match["state"] or "" if match else ""
    return DataPlace(directory.as_posix(), bool(EARLIER.search(directory.name)), tp, state)
