"""Whether a leader answers a request, by the leader epoch that the request was made in."""

from core.kafka.switches import Fencing
from core.trace.vocabulary import StopReason


def refusal(rule: Fencing, *, leads: bool, asked: int, epoch: int) -> StopReason | None:
    """Why a broker that is in leader epoch `epoch` refuses a fetch or an epoch request, or None.

    To 2.0 requests carry no epoch: whoever leads, or believes so, answers. From 2.1 (KIP-320) `asked` must
    be the epoch of the leader: an older one is fenced, a later one not known yet.
    """
    if not leads:
        return StopReason.NOT_LEADER
    if rule == "none" or asked == epoch:
        return None
    return StopReason.FENCED_LEADER_EPOCH if asked < epoch else StopReason.UNKNOWN_LEADER_EPOCH
