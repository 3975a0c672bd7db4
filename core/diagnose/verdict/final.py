"""Every replica at the end of the trace."""

from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import FinalReplica
from core.history.state import Role

_ROLES: Final = {role: Role.UNKNOWN.value if role is Role.STARTING else role.value for role in Role}


def final(case: Case) -> tuple[FinalReplica, ...]:
    """Role, epoch, log and high watermark of each replica after the last event."""
    return tuple(
        FinalReplica(
            broker=replica.broker,
            role=_ROLES[replica.role.values[-1]],
            epoch=replica.epoch.values[-1],
            log_start=replica.log_start.values[-1].exact,
            leo=replica.leo.values[-1],
            hw=replica.hw.values[-1],
            epochs=replica.epochs.values[-1],
        )
        for replica in case.history.replicas.values()
    )
