"""Lines of a log that moves to another directory (KIP-113), read in 1.1.1, 2.0.1, 2.1.1, 2.4.1, 2.8.1, 3.3.2, 3.6.0 and 3.9.0."""

from typing import Final

from core.sim.logs.wording import SERVER, Line

_MANAGER: Final = "kafka.log.LogManager"
_THREAD: Final = "kafka.server.ReplicaAlterLogDirsThread"
_LOG: Final = "Log(dir={%s}, {id}topic={topic}, partition={number}, highWatermark={hw}, lastStableOffset={hw}, logStartOffset={log_start}, logEndOffset={leo})"
_COPYING: Final = "Beginning/resuming copy of partition {tp} from offset 0. Including this partition, there are 1 remaining partitions to copy by this thread."

LINES: Final = (
    # To 2.3 the line names the directory alone, as that of a new log does.
    Line(
        "copy-created", "1.1", "2.4", SERVER, "INFO", _MANAGER,
        "Created log for partition {tp} in {target} with properties {{message.format.version -> {format}}}.",
    ),
    Line(
        "copy-created", "2.4", "2.6", SERVER, "INFO", _MANAGER,
        "Created log for partition {tp} in {future} with properties {{message.format.version -> {format}}}.",
    ),
    Line(
        "copy-created", "2.6", "", SERVER, "INFO", _MANAGER,
        "Created log for partition {tp} in {future} with properties {{}}",
    ),
    Line("copy-begun", "2.3", "3.3", SERVER, "INFO", _THREAD, "[ReplicaAlterLogDirsThread-0]: " + _COPYING),
    Line("copy-begun", "3.3", "", SERVER, "INFO", "kafka.server.LocalLeaderEndPoint", _COPYING),
    Line(
        "log-replacing", "2.3", "", SERVER, "INFO", _MANAGER,
        f"Attempting to replace current log {_LOG % 'current'} with {_LOG % 'future'} for {{tp}}",
    ),
    Line(
        "log-replaced", "1.1", "", SERVER, "INFO", _MANAGER,
        "The current replica is successfully replaced with the future replica for {tp}",
    ),
)  # fmt: skip
