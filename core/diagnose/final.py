"""Every replica at the end of the trace."""

from core.diagnose.case import Case
from core.diagnose.verdict import FinalReplica
from core.history.state import Role


def final(case: Case) -> tuple[FinalReplica, ...]:
    """Role, epoch, log and high watermark of each replica after the last event."""
    state = case.history.at(len(case.history.trace))
    return tuple(
        FinalReplica(
            broker=replica.broker,
            role=Role.UNKNOWN.value if replica.role is Role.STARTING else replica.role.value,
            epoch=replica.epoch,
            log_start=replica.log_start.exact,
            leo=replica.leo,
            hw=replica.hw,
            epochs=replica.epochs,
        )
        for replica in state.replicas
    )
