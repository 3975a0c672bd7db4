"""The log with which a leader's process ended, as its next start finds it."""

from core.diagnose.verdict.case import Case
from core.history.positions import previous_place
from core.history.roles import Roles
from core.history.state import Role
from core.trace.ids import Place


def log_end_left(case: Case, own: Roles, number: int) -> tuple[int, Place] | None:
    """The log end that surely was there when span `number` of a replica's roles ended, and the next start.

    None where the process did not end with that span, or nothing states the log end. What starts appends
    nothing; it may have lost the end of its log.
    """
    start = next((one for one in own.spans[number + 1 :] if one.role is not Role.OFFLINE), None)
    if start is None or start.role is not Role.STARTING:
        return None
    found = case.surely_reaches(own.broker, start.first, previous_place(start.end))
    return (found, start.first) if found else None
