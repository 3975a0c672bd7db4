"""A follower: it cuts its log to agree with the leader, fetches, appends, follows the high watermark."""

from typing import Final

from core.kafka.epochs import latest_epoch
from core.kafka.high_watermark import follower_hw
from core.kafka.truncation import (
    Ask,
    Cut,
    Next,
    follows_anew,
    gives_up,
    on_diverging_answer,
    on_epoch_answer,
    on_following,
    on_out_of_range,
    restart_offset,
)
from core.sim.consumer import refuse_all
from core.sim.disks import move_log_start
from core.sim.engine import Engine
from core.sim.leader import resign
from core.sim.messages.kinds import BrokerExit
from core.sim.messages.replication import (
    Fetch,
    FetchAnswer,
    FetchBackoffOver,
    FetchDiverged,
    FetchRefused,
    ListLocalStart,
    ListOffsets,
    ListOffsetsAnswer,
    NotLeader,
    OffsetsForLeaderEpoch,
    OffsetsForLeaderEpochAnswer,
    OffsetsForLeaderEpochRefused,
)
from core.sim.replica import append, begin_anew, carry_out, create_log, move_hw
from core.sim.state import NOBODY, Fetcher, FetchRequest, Replica
from core.trace.ids import BrokerId, LeaderEpoch, Seq
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import CutReason, StopReason

ROUNDS_AT_ONCE: Final = 60
"""So many requests that come to nothing are made as Kafka makes them, at once."""
_LOOKS_EVERY_NS: Final = 100 * MILLISECOND_NS
_RETRIED = (StopReason.NOT_LEADER, StopReason.FENCED_LEADER_EPOCH, StopReason.UNKNOWN_LEADER_EPOCH)


def start_following(
    engine: Engine, replica: Replica, leader_id: BrokerId, epoch: LeaderEpoch, cause: Seq
) -> None:
    """Follow a leader in an epoch: cut, ask or fetch, as the era does. With no leader (-1) it only stops."""
    same = replica.role == "follower" and replica.leader == leader_id and replica.fetcher is not None
    before = replica.leader_epoch
    seq = _become_follower(engine, replica, leader_id, epoch, cause)
    anew = follows_anew(replica.broker.switches.same_leader, before, epoch)
    if same and replica.fetcher is not None and not anew:
        replica.fetcher.epoch = epoch
        return
    if leader_id == NOBODY:
        if replica.fetcher is not None:
            engine.journal.tell(
                "fetcher_removed", replica.id, replica.id, partition=replica.partition.index, cause=seq
            )
        replica.fetcher = None
        return
    switches = replica.broker.switches
    first = on_following(switches.truncation, switches.epoch_answer, replica.entries, replica.leo, replica.hw)
    if isinstance(first, Cut):
        seq = carry_out(engine, replica, first, seq)
    seq = _add_fetcher(engine, replica, Fetcher(leader_id, epoch), seq)
    if isinstance(first, Ask):
        _ask(engine, replica, seq)
    else:
        try_fetch(engine, replica, seq)


def resume_following(
    engine: Engine, replica: Replica, leader_id: BrokerId, epoch: LeaderEpoch, cause: Seq
) -> None:
    """Follow a leader with which the log agrees already: the state before the first step of a script."""
    seq = _become_follower(engine, replica, leader_id, epoch, cause)
    seq = _add_fetcher(engine, replica, Fetcher(leader_id, epoch), seq)
    try_fetch(engine, replica, seq)


def _become_follower(
    engine: Engine, replica: Replica, leader_id: BrokerId, epoch: LeaderEpoch, cause: Seq
) -> Seq:
    led = replica.leading
    if not replica.exists:
        cause = create_log(engine, replica, cause)
    replica.role, replica.leader, replica.leader_epoch, replica.leading = "follower", leader_id, epoch, None
    if led is not None:
        resign(engine, replica, led)
        refuse_all(engine, replica)
    return engine.journal.tell(
        "became_follower",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=leader_id,
        epoch=epoch,
        leo=replica.leo,
        hw=replica.hw,
    )


def _add_fetcher(engine: Engine, replica: Replica, fetcher: Fetcher, cause: Seq) -> Seq:
    replica.fetcher = fetcher
    return engine.journal.tell(
        "fetcher_added",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=fetcher.leader,
        epoch=fetcher.epoch,
        offset=replica.leo,
    )


def _named_epoch(replica: Replica, fetcher: Fetcher) -> LeaderEpoch | None:
    """The leader epoch that a request carries, so that the leader can refuse a stale one (2.1, KIP-320)."""
    return fetcher.epoch if replica.broker.switches.fencing == "leader-epoch" else None


def try_fetch(engine: Engine, replica: Replica, cause: Seq | None) -> None:
    """Send the next fetch, unless one is under way, the log is being cut, or the script holds it back."""
    fetcher = replica.fetcher
    if fetcher is None or fetcher.token is not None or fetcher.truncating or not _may_fetch(replica):
        return
    switches = replica.broker.switches
    epoch = _named_epoch(replica, fetcher)
    replica.allowed -= not replica.free
    if not _connects(engine, replica, fetcher):
        engine.journal.tell(
            "fetch_failed",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            leader=fetcher.leader,
            epoch=epoch,
            offset=replica.leo,
            aux=StopReason.UNREACHABLE,
        )
        retry_later(engine, replica)
        return
    known = LeaderEpoch(latest_epoch(replica.entries))
    last_epoch = known if switches.truncation == "fetch-divergence" and known >= 0 else None
    sent = engine.journal.tell(
        "fetch_sent",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=fetcher.leader,
        epoch=epoch,
        offset=replica.leo,
        aux=last_epoch,
    )
    fetcher.token = engine.token()
    request = FetchRequest(
        replica,
        fetcher.leader,
        fetcher.epoch,
        replica.leo,
        last_epoch,
        fetcher.token,
        sent,
        replica.broker.epoch,
    )
    engine.send(Fetch(request), replica.id, fetcher.leader)


def _connects(engine: Engine, replica: Replica, fetcher: Fetcher) -> bool:
    """Whether the leader's broker runs and there is a connection to it, or one can be made."""
    cut = engine.world.cut
    ways = ((replica.id, fetcher.leader), (fetcher.leader, replica.id))
    fetcher.connected = engine.brokers[fetcher.leader].reachable and (
        fetcher.connected or not any(way in cut for way in ways)
    )
    return fetcher.connected


def _may_fetch(replica: Replica) -> bool:
    return replica.free or replica.allowed > 0


def retry_later(engine: Engine, replica: Replica) -> None:
    """Go on after the backoff, if the replica then still follows the same leader in the same epoch."""
    timer = FetchBackoffOver(replica, replica.fetcher, replica.broker.life)
    engine.after(engine.rules.fetch_backoff, timer)


def on_retry(engine: Engine, message: FetchBackoffOver) -> None:
    """The backoff is over."""
    replica, fetcher, life = message.replica, message.fetcher, message.life
    if not replica.broker.up or replica.broker.life != life or replica.fetcher is not fetcher:
        return
    if fetcher is not None and fetcher.heard is not None:
        if fetcher.heard == _asked_of(engine, replica, fetcher) and (
            fetcher.truncating or _may_fetch(replica)
        ):
            _look_later(engine, replica, fetcher)
            return
        fetcher.heard = None
    if fetcher is not None and fetcher.truncating and fetcher.token is None:
        _ask(engine, replica, None)
    else:
        try_fetch(engine, replica, None)


def connection_lost(engine: Engine, replica: Replica, leader_id: BrokerId) -> None:
    """The leader's broker died: what was asked of it stays unanswered, and the follower tries again later."""
    fetcher = replica.fetcher
    if fetcher is not None and fetcher.leader == leader_id and fetcher.token is not None:
        give_up(engine, replica, fetcher)


def give_up(engine: Engine, replica: Replica, fetcher: Fetcher) -> None:
    """Nothing more is expected of a request: its connection is closed, and it is made again later."""
    fetcher.token, fetcher.connected = None, False
    retry_later(engine, replica)


def _answered(replica: Replica, request: FetchRequest) -> Fetcher | None:
    """The fetcher that an answer is for, or None if it has asked for something else since."""
    fetcher = replica.fetcher
    if not replica.broker.up or fetcher is None or fetcher.token != request.token:
        return None
    fetcher.token = None
    return fetcher


def on_answer(engine: Engine, answer: FetchAnswer) -> None:
    """An answer with records and a high watermark arrives."""
    request = answer.request
    replica = request.follower
    if _answered(replica, request) is None:
        return
    seq: Seq = engine.journal.tell(
        "fetch_delivered",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=answer.cause,
        leader=request.leader,
        from_offset=request.offset,
        offset=request.offset + len(answer.records),
        hw=answer.hw,
        aux=len(answer.records),
    )
    delivered = seq
    if answer.records:
        seq = append(engine, replica, answer.records, answer.epochs, delivered, answer.old_format)
    move_hw(engine, replica, follower_hw(answer.hw, replica.leo), delivered)
    if replica.broker.switches.log_start == "leader":
        move_log_start(engine, replica, answer.log_start, delivered)
    try_fetch(engine, replica, seq)


def on_refused(engine: Engine, message: FetchRefused) -> None:
    """The leader refuses a fetch."""
    _refused(engine, message.request, message.reason, message.cause)


def on_not_leader(engine: Engine, message: NotLeader) -> None:
    """A parked fetch is refused because its leader leads no more."""
    _refused(engine, message.request, StopReason.NOT_LEADER, message.cause)


def _refused(engine: Engine, request: FetchRequest, reason: StopReason, cause: Seq) -> None:
    """Out of range: ask for the leader's log end. Else try again later."""
    replica = request.follower
    if _answered(replica, request) is None:
        return
    seq = _tell_failed(engine, request, reason, cause)
    replica.allowed += not replica.free
    if reason == StopReason.OFFSET_OUT_OF_RANGE:
        _ask_log_end(engine, replica, request.leader, seq)
    elif reason == StopReason.OFFSET_MOVED_TO_TIERED_STORAGE:
        _ask_local_start(engine, replica, request.leader, seq)
    elif reason in _RETRIED:
        retry_later(engine, replica)


def _tell_failed(engine: Engine, request: FetchRequest, reason: StopReason, cause: Seq) -> Seq:
    """Put down that a follower's fetch failed; the Seq of the event."""
    replica = request.follower
    return engine.journal.tell(
        "fetch_failed",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=request.leader,
        offset=request.offset,
        aux=reason,
    )


def _ask_log_end(engine: Engine, replica: Replica, leader: BrokerId, cause: Seq) -> None:
    """Ask the leader where its log begins and ends. No fetch is sent until the answer is there."""
    if replica.fetcher is not None:
        replica.fetcher.token = engine.token()
        engine.send(ListOffsets(replica, replica.fetcher, cause), replica.id, leader)


def _ask_local_start(engine: Engine, replica: Replica, leader: BrokerId, cause: Seq) -> None:
    """Ask the leader where its disk begins (KIP-405). No fetch is sent until the answer is there."""
    if replica.fetcher is not None:
        replica.fetcher.token = engine.token()
        engine.send(ListLocalStart(replica, replica.fetcher, cause), replica.id, leader)


def on_leader_end(engine: Engine, answer: ListOffsetsAnswer) -> None:
    """Where the leader's log begins and ends arrives, after a fetch that was out of range."""
    replica, fetcher = answer.follower, answer.fetcher
    if not replica.broker.up or replica.fetcher is not fetcher:
        return
    fetcher.token = None
    rule, allowed = replica.broker.switches.out_of_range, replica.broker.rules.unclean_allowed
    cut = on_out_of_range(rule, answer.leo, replica.leo, unclean_allowed=allowed)
    if cut is None:
        engine.soon(0, BrokerExit(replica.broker, answer.cause))
        return
    restart = None if cut.needed else restart_offset(answer.log_start, replica.leo)
    seq = engine.journal.tell(
        "fetch_offset_reset",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=answer.cause,
        leader=fetcher.leader,
        from_offset=replica.leo,
        offset=cut.offset if restart is None else restart,
    )
    if restart is not None:
        seq = begin_anew(engine, replica, restart, CutReason.RESET, seq)
    elif cut.needed:
        seq = carry_out(engine, replica, cut, seq)
    if not _is_in_vain(engine, replica, fetcher, seq):
        try_fetch(engine, replica, seq)


def _is_in_vain(engine: Engine, replica: Replica, fetcher: Fetcher, cause: Seq) -> bool:
    """Whether the next request waits for a change, as so many before it left the replica where it was.

    Kafka has no pause there: after a fetch that was out of range and after a cut it asks again at once, for
    ever if nothing changes (AbstractFetcherThread.handleOutOfRangeError and truncateOnFetchResponse, 2.8.0
    and 3.5.0; KAFKA-15608). A run says so once.
    """
    state = (replica.log_start, replica.leo, replica.hw, replica.entries)
    rounds = fetcher.rounds[state] = fetcher.rounds.get(state, 0) + 1
    if rounds < ROUNDS_AT_ONCE:
        return False
    if rounds == ROUNDS_AT_ONCE:
        engine.journal.tell(
            "rounds_in_vain",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            leader=fetcher.leader,
            offset=replica.leo,
            aux=rounds,
        )
    if fetcher.heard is None:
        _look_later(engine, replica, fetcher)
    fetcher.heard = _asked_of(engine, replica, fetcher)
    return True


def _look_later(engine: Engine, replica: Replica, fetcher: Fetcher) -> None:
    """Look in a moment whether the leader would answer something else; a step waits for that."""
    engine.soon(_LOOKS_EVERY_NS, FetchBackoffOver(replica, fetcher, replica.broker.life))


def _asked_of(engine: Engine, replica: Replica, fetcher: Fetcher) -> tuple[object, ...]:
    """All that a leader's answer to the same request depends on."""
    one, world = replica.partition.replicas[fetcher.leader], engine.world
    return (
        *(fetcher.epoch, one.broker.reachable, one.broker.life, one.role, one.leader_epoch, one.entries),
        *(one.log_start, one.disk_start, one.local_start, one.leo, one.hw, replica.partition.assigned),
        *(tuple(world.cut), fetcher.leader in world.paused),
    )


def on_diverged(engine: Engine, message: FetchDiverged) -> None:
    """The leader says where the logs diverge (2.8, KIP-595)."""
    request, end, hw, cause = message.request, message.end, message.hw, message.cause
    replica = request.follower
    fetcher = _answered(replica, request)
    if fetcher is None:
        return
    replica.allowed += not replica.free
    switches = replica.broker.switches
    if gives_up(switches.diverging_below_start, log_start=message.log_start, hw=replica.hw):
        _give_partition_up(engine, replica, request, cause)
        return
    if switches.diverging_answer_hw == "applied":
        move_hw(engine, replica, follower_hw(hw, replica.leo), cause)
    cut = on_diverging_answer(end, replica.entries, replica.leo, switches.epoch_lookup_below)
    seq = carry_out(engine, replica, cut, cause, said=end.offset)
    if not _is_in_vain(engine, replica, fetcher, seq):
        try_fetch(engine, replica, seq)


def _give_partition_up(engine: Engine, replica: Replica, request: FetchRequest, cause: Seq) -> None:
    """The fetcher marks the partition as failed: it fetches no more until a leader is told anew."""
    failed = _tell_failed(engine, request, StopReason.OFFSET_OUT_OF_RANGE, cause)
    replica.fetcher = None
    engine.journal.tell(
        "fetcher_removed", replica.id, replica.id, partition=replica.partition.index, cause=failed
    )


def _ask(engine: Engine, replica: Replica, cause: Seq | None) -> None:
    """Ask the leader where the own latest epoch ends (0.11, KIP-101)."""
    fetcher = replica.fetcher
    if fetcher is None:
        return
    fetcher.truncating = True
    epoch = _named_epoch(replica, fetcher)
    asked = LeaderEpoch(latest_epoch(replica.entries))
    if not _connects(engine, replica, fetcher):
        engine.journal.tell(
            "epoch_end_failed",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            leader=fetcher.leader,
            epoch=epoch,
            aux=StopReason.UNREACHABLE,
        )
        retry_later(engine, replica)
        return
    seq = engine.journal.tell(
        "epoch_end_asked",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=fetcher.leader,
        epoch=epoch,
        aux=asked,
    )
    fetcher.token = engine.token()
    request = FetchRequest(replica, fetcher.leader, fetcher.epoch, replica.leo, asked, fetcher.token, seq)
    engine.send(OffsetsForLeaderEpoch(request), replica.id, fetcher.leader)


def on_epoch_end(engine: Engine, message: OffsetsForLeaderEpochAnswer) -> None:
    """The end of an epoch arrives: cut to it, and ask again or fetch."""
    request, end, cause = message.request, message.end, message.cause
    replica = request.follower
    fetcher = _answered(replica, request)
    if fetcher is None:
        return
    switches = replica.broker.switches
    cut = on_epoch_answer(
        end,
        replica.entries,
        replica.leo,
        replica.hw,
        answer=switches.epoch_answer,
        below=switches.epoch_lookup_below,
    )
    seq = carry_out(engine, replica, cut, cause, said=None if end.offset < 0 else end.offset)
    if cut.then == Next.ASK:
        if not _is_in_vain(engine, replica, fetcher, seq):
            _ask(engine, replica, seq)
        return
    fetcher.truncating = False
    try_fetch(engine, replica, seq)


def on_epoch_end_refused(engine: Engine, message: OffsetsForLeaderEpochRefused) -> None:
    """The leader does not say where the epoch ends: ask again later."""
    request, reason, cause = message.request, message.reason, message.cause
    replica = request.follower
    if _answered(replica, request) is None:
        return
    engine.journal.tell(
        "epoch_end_failed",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=request.leader,
        aux=reason,
    )
    retry_later(engine, replica)
