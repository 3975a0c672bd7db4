"""From the rows of a partition to what a leader knows of its followers' log ends: remote log end offsets."""

from typing import Final

from core.history.positions import place_after
from core.history.roles import Roles
from core.history.state import Role, Steps
from core.history.steps import StepWriter
from core.history.view import View

_CHANGING: Final = frozenset({"became_leader", "follower_leo_recorded"})
RemoteLogEnds = tuple[tuple[int, int | None], ...]


def remote_steps(view: View, own: Roles) -> Steps[RemoteLogEnds]:
    """(follower, remote log end offset) of each follower while the replica leads, () while it does not.

    The offset is None until the follower's first fetch in the epoch: the leader's high watermark waits for
    it. All are None again when the replica begins to lead.
    """
    writer: StepWriter[RemoteLogEnds] = StepWriter(())
    others = tuple(broker for broker in view.brokers if broker != own.broker)
    epoch: int | None = None
    rows = {
        place_after(row.number): row for row in view.rows.of(_CHANGING) if row.partition == view.partition
    }
    for place in sorted(rows.keys() | {one.first for one in own.spans} - {0}):
        row = rows.get(place)
        leads = own.role_at[place] is Role.LEADER
        begins = row is not None and row.kind == "became_leader" and row.replica == own.broker
        if not leads:
            writer.put(place, ())
            epoch = None
            continue
        if begins or not writer.value or own.epoch_at[place] != epoch:
            writer.put(place, tuple((other, None) for other in others))
            epoch = own.epoch_at[place]
        if row is not None and row.kind == "follower_leo_recorded" and row.broker == own.broker:
            log_ends = tuple((other, row.leo if other == row.replica else leo) for other, leo in writer.value)
            writer.put(place, log_ends)
    return writer.steps(view)
