"""What `lift` and `prevent` share: the partition and the moment that are meant."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, LiteralString

from core.errors import QuestionError
from core.message import message
from core.work import Work

if TYPE_CHECKING:
    from core.trace.trace import Trace

TAKEN: Final[Mapping[str, LiteralString]] = {
    "worst": "command.lift.taken.worst",
    "best": "command.lift.taken.best",
}
"""By stance the head above what was taken."""


def partition_meant(trace: "Trace", name: str | None, work: Work) -> int | None:
    """The partition of that name, else the one that lost most; None where none lost anything.

    Raises QuestionError for a name that there is not.
    """
    from core.diagnose.account.find import find_incidents
    from core.diagnose.verdict.check import diagnose
    from gui.workspace.named import partitions_of

    if name is not None:
        return partitions_of(trace, name)[0]
    incidents = find_incidents(trace, diagnose(trace, work))
    return next((lost.partition for one in incidents for lost in one.losses), None)


def moment_meant(trace: "Trace", text: str | None) -> tuple[int, int] | None:
    """The cursor and the time, in ns, of `--at`; None without it. Raises QuestionError."""
    from gui.workspace.named import position_of

    if text is None:
        return None
    cursor, at = position_of(trace, text)
    if cursor == 0:
        raise QuestionError(message("error.lab.before-all"), advice=message("error.lab.no-leader.do"))
    return cursor, int(trace.columns["at"][cursor - 1]) if at is None else at
