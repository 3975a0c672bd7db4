"""Whether a sentence is so: predicates over the rows of a partition, apart from what it is made of."""

from collections.abc import Collection, Iterator
from typing import Final, Literal, TypeAlias

from core.diagnose.narrate.scene import Scene
from core.history.state import ReplicaState, Role
from core.history.view import Row
from core.message import Value
from core.trace.trace import NO_INDEX
from core.trace.vocabulary import NAME

Leaving: TypeAlias = Literal["time", "controller"]
_FAR: Final = 500
"""So many rows around an event are looked at; what lies further off has another reason."""
_OUT_OF_SERVICE: Final = frozenset(
    (
        "broker_fenced",
        "broker_crashed",
        "broker_exited",
        "broker_stopped",
        "shutdown_requested",
        "controlled_shutdown_begun",
        "session_expired",
        "broker_failure_noticed",
        "unclean_restart_detected",
    )
)
_DEEDS: Final = frozenset(
    ("epoch_end_asked", "epoch_end_failed", "truncation_decided", "fetch_sent", "fetch_failed")
)
_ROLE_ENDS: Final = frozenset(("became_leader", "became_follower", "broker_crashed", "broker_stopped"))
_DECIDED: Final = frozenset(("isr_committed", "leader_elected", "leaderless", "partition_created"))
_PROPOSED: Final = frozenset(("isr_shrink_proposed", "isr_expand_proposed"))
_BACK: Final = frozenset(("broker_starting", "broker_started", "broker_registered", "broker_unfenced"))
_SETS: Final = _PROPOSED | {"became_leader", "leader_and_isr_received", "metadata_applied", "isr_committed"}
"""Kinds that state by which in-sync set a leader goes."""
_NUMBERED: Final = _DECIDED | {"elr_changed", "leader_recovery_changed"}
"""Kinds that state a change of a partition's state, with its partition epoch."""


def _later(scene: Scene) -> Iterator[Row]:
    rows, first = scene.case.view.rows, scene.row.number + 1
    for number in range(first, min(first + _FAR, len(rows))):
        yield rows[number]


def _earlier(scene: Scene) -> Iterator[Row]:
    rows, last = scene.case.view.rows, scene.row.number - 1
    for number in range(last, max(last - _FAR, -1), -1):
        yield rows[number]


def watermark_reaches_end(scene: Scene, leader: int | None) -> bool:
    """Whether a leader's high watermark is at its log end, or rises there before anything is decided anew.

    Below min.insync.replicas it does not from 3.7 on (KAFKA-15583), nor while a change is only proposed.
    """
    state = scene.now(leader)
    end = None if state is None else state.leo.exact
    if state is None or end is None:
        return False
    if state.hw.exact is not None and state.hw.exact >= end:
        return True
    for row in _later(scene):
        if row.kind in _DECIDED:
            return False
        if row.kind == "hw_moved" and row.replica == leader:
            return row.hw is not None and row.hw >= end
    return False


def waits_for_followers(scene: Scene) -> bool:
    """Whether a new leader's high watermark stands until followers have fetched.

    Not of one that is alone in sync, not of one that led already and knows its followers' logs, and not where
    the high watermark rises before a follower's log end is known.
    """
    leader = scene.row.replica
    was, isr = scene.was(leader), scene.after.isr
    if (was is not None and was.role.name == "LEADER") or isr is None or len(isr) < 2:
        return False
    for row in _later(scene):
        if row.kind in ("follower_leo_recorded", "fetch_received") and row.broker == leader:
            return True
        if row.kind == "hw_moved" and row.replica == leader:
            return False
        if row.kind in _DECIDED and row.leader != leader:
            break
    return True


def went_with_the_log(scene: Scene) -> bool:
    """Whether a high watermark fell since its log is cut: the nearest row of the replica decides on a cut."""
    row, was = scene.row, scene.was(scene.row.replica)
    before = None if was is None else was.hw.exact
    if before is None or row.hw is None or row.hw >= before:
        return False
    return _nearest(scene) == "truncation_decided"


def began_anew(scene: Scene) -> bool:
    """Whether a high watermark moved since its log begins anew: so says the nearest row of the replica."""
    return _nearest(scene) == "log_reset"


def joined_the_tier(scene: Scene) -> bool:
    """Whether a high watermark moved since its log was built behind the remote tier (KIP-405)."""
    return _nearest(scene) == "local_start_moved"


def was_in_the_tier(scene: Scene) -> bool:
    """Whether an offset was in a segment that a leader has deleted from the remote tier (KIP-405)."""
    offset = scene.row.offset
    return offset is not None and any(
        row.kind == "tier_deleted"
        and row.from_offset is not None
        and row.offset is not None
        and row.from_offset <= offset < row.offset
        for row in _earlier(scene)
    )


def _nearest(scene: Scene) -> str | None:
    """The kind of the row of this replica right before."""
    return next((row.kind for row in _earlier(scene) if row.replica == scene.row.replica), None)


def first_deed(scene: Scene) -> str | None:
    """What a new follower does first: it asks, cuts or fetches. None where no row shows it in this role."""
    rows, replica = scene.case.view.rows, scene.row.replica
    after = slice(scene.row.number + 1, scene.row.number + 1 + _FAR)
    mine = rows.column("replica")[after] == (NO_INDEX if replica is None else replica)
    kinds = map(NAME.__getitem__, rows.column("kind")[after][mine].tolist())
    deed = next((kind for kind in kinds if kind in _DEEDS or kind in _ROLE_ENDS), None)
    return deed if deed in _DEEDS else None


def holds_the_same(was: ReplicaState, leader: ReplicaState, first: int, end: int) -> bool:
    """Whether a leader's log has the records of another log at offsets [first, end): those of its epochs.

    An epoch has one leader, so an offset and an epoch are one record. False where some epoch is not known.
    """
    if leader.role is not Role.LEADER:
        return False
    mine = _epochs(was, first, end)
    return mine is not None and mine == _epochs(leader, first, end)


def _epochs(state: ReplicaState, first: int, end: int) -> list[tuple[int, int]] | None:
    """(epoch, where it ends) through the offsets [first, end); None where one of them is not known."""
    found: list[tuple[int, int]] = []
    place = first
    for run in sorted(state.runs, key=lambda one: one.start):
        if run.end <= place or place >= end:
            continue
        if run.start > place or run.epoch is None:
            return None
        place = min(run.end, end)
        if found and found[-1][0] == run.epoch:
            found.pop()
        found.append((run.epoch, place))
    return found if found and place >= end else None


def how_they_left(scene: Scene, left: Collection[int]) -> Leaving | None:
    """Why replicas left the in-sync set: the leader proposed it for their lag, or the controller did it.

    None where no row shows it.
    """
    row = scene.row
    if row.kind == "isr_shrink_proposed":
        return "time"
    if row.kind == "isr_expand_proposed":
        return None
    members = set(row.isr or scene.after.isr or ())
    for earlier in _earlier(scene):
        if earlier.kind == "isr_shrink_proposed" and set(earlier.isr or ()) == members:
            return "time"
        if earlier.kind in _OUT_OF_SERVICE and earlier.replica in left:
            return "controller"
        if earlier.kind in _DECIDED and earlier.isr is not None and set(earlier.isr) != members | set(left):
            return None
    return None


def member_leads_next(scene: Scene, isr: Collection[int]) -> bool:
    """Whether a member of the in-sync set is elected next, though none of them has come back: it was there.

    A new controller of ZooKeeper takes a dead leader out in an epoch of its own, and elects then (KAFKA-3143,
    from 2.3 on).
    """
    for row in _later(scene):
        if row.kind == "leader_elected" and row.leader is not None:
            return row.leader in isr
        if row.kind in _BACK and row.replica in isr:
            return False
    return False


def leads_on(scene: Scene) -> bool:
    """Whether a replica may still lead: its broker is not known to be down, nor to have another role."""
    return any(one.role is Role.LEADER and one.alive is not False for one in scene.after.replicas)


def goes_by(scene: Scene, leader: int | None, isr: Collection[int]) -> bool:
    """Whether a leader goes by an in-sync set: it wrote it, or was notified of it, and of no other since."""
    own = own_set(scene, leader)
    return own is not None and set(own) == set(isr)


def own_set(scene: Scene, leader: int | None) -> tuple[int, ...] | None:
    """The in-sync set that a leader wrote or was notified of last; None where no row shows it."""
    refused = False
    for row in _earlier(scene):
        own = row.broker if row.kind in ("isr_committed", "isr_update_rejected") else row.replica
        if own != leader:
            continue
        pending = row.kind in _PROPOSED and (refused or not scene.case.view.before(leader, 2, 7, at=row.seq))
        if row.kind in _SETS and row.isr is not None and not pending:
            return tuple(row.isr)
        refused = row.kind == "isr_update_rejected" or (refused and row.kind not in _PROPOSED)
    return None


def log_end_stays(scene: Scene, leader: int | None) -> bool:
    """Whether a replica that is elected takes over with the log end that it has: until then it may fetch."""
    state = scene.now(leader)
    for row in _later(scene):
        if row.kind == "became_leader" and row.replica == leader:
            end = None if state is None else state.leo.exact
            return row.leo is None or end is None or row.leo == end
        if row.kind in _DECIDED and row.leader not in (None, leader):
            break
    return True


def set_before(scene: Scene) -> tuple[int, ...] | None:
    """The in-sync set right before an event; None where it is not known to be the one that was stated last.

    Each change of a partition's state raises its partition epoch by one. Where that goes up by more, the
    controller has taken a set of which the leader was not notified yet (KIP-497 with ZooKeeper).
    """
    number, isr = scene.row.partition_epoch, scene.before.isr
    if number is None or isr is None:
        return isr
    for row in _earlier(scene):
        if row.kind in _PROPOSED and row.isr is not None and set(row.isr) == set(isr):
            return isr
        if row.kind in _NUMBERED and row.partition_epoch is not None:
            return isr if number <= row.partition_epoch + 1 else None
    return isr


def is_newer(scene: Scene, *version: int) -> bool:
    """Whether every broker whose release is known has this one or a newer; False where none is known."""
    view = scene.case.view
    known = [one for broker in view.versions for one in view.releases(broker, scene.row.seq) if one]
    return bool(known) and min(known) >= version


def answer_on_epoch(scene: Scene, kinds: Collection[str]) -> Row | None:
    """The last answer that told a replica where an epoch ends, since it follows; None where there is none."""
    for row in _earlier(scene):
        if row.replica == scene.row.replica:
            if row.kind in kinds:
                return row
            if row.kind in ("became_follower", "became_leader", "broker_starting", "truncated"):
                return None
    return None


def out_of_range_before(scene: Scene) -> Row | None:
    """The row with the leader's log end, as a follower that was out of range heard it; None without one."""
    for row in _earlier(scene):
        if row.replica == scene.row.replica:
            if row.kind == "fetch_offset_reset":
                return row
            if row.kind not in ("truncation_decided", "hw_moved"):
                return None
    return None


def follows_whom(scene: Scene) -> int | None:
    """The leader that a replica begins to follow, -1 for nobody; None where nothing says it.

    By the event, by the request that the broker got, by where it fetches next, or by who leads that epoch.
    """
    row = scene.row
    if row.leader is not None:
        return row.leader
    for one in _earlier(scene):
        if one.replica == row.replica and one.kind in _ROLE_ENDS:
            break
        received = one.replica == row.replica and one.kind == "leader_and_isr_received"
        if received and one.leader is not None and row.epoch in (None, one.epoch):
            return one.leader
    for one in _later(scene):
        if one.replica == row.replica and one.kind == "fetcher_added" and one.leader is not None:
            return one.leader
        if one.replica == row.replica and one.kind in _ROLE_ENDS:
            break
    place = scene.case.control.tenure_number(row.epoch)
    leader = scene.after.leader if row.epoch is None else None
    if place is not None and row.epoch is not None:
        leader = scene.case.control.tenures[place].leader
    return leader if leader != row.replica else None


def followed(scene: Scene) -> Value:
    """The leader that the replica of the event follows: the controller may have named another one since."""
    if scene.row.leader is not None:
        return scene.leader
    for row in _earlier(scene):
        if row.replica == scene.row.replica and row.leader is not None and row.leader >= 0:
            if row.kind in ("became_follower", "fetcher_added", "fetch_offset_reset"):
                return scene.name(row.leader)
            if row.kind in _ROLE_ENDS:
                break
    return scene.leader
