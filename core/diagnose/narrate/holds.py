"""Whether a sentence is so: predicates over the rows of a partition, apart from what it is made of."""

from collections.abc import Collection, Iterator
from typing import Final, Literal, TypeAlias

from core.diagnose.narrate.scene import Scene
from core.history.view import Row

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
_DECIDED: Final = frozenset(("isr_committed", "leader_elected", "leaderless", "partition_created"))


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


def is_newer(scene: Scene, *version: int) -> bool:
    """Whether every broker whose release is known has this one or a newer; False where none is known."""
    known = [numbers for numbers in scene.case.view.versions.values() if numbers]
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
