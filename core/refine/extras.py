"""What Kafka does and the published model has no step for: each by name, with what it needs.

A run that takes none of these steps refines the variant itself. A path takes as few of them as it can.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from core.kafka.switches import Switches
from core.model.actions import has_records
from core.model.state import NO_EPOCH, NO_LEADER, Replica, State
from core.model.variants import Check, Cut, Variant


class Taken(NamedTuple):
    """A step that was found: an action of the model, or one of these."""

    name: str
    broker: int
    other: int = NO_LEADER


@dataclass(slots=True)
class Past:
    """What the state does not say of how it came to be."""

    switches: Switches
    variant: Variant
    reached: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """(leader, follower): the largest log end that the follower had while it followed this leader, in the
    same leader epoch where the variant asks for that. It is forgotten when somebody begins to lead."""
    watermarks: dict[int, set[int]] = field(default_factory=dict[int, set[int]])
    """Every high watermark that a replica has had."""
    started: frozenset[int] = frozenset()
    """Whose broker has just started."""
    interrupted: Mapping[int, int] = field(default_factory=dict[int, int])
    """Where the log of a replica ended when a cut in several rounds was broken off."""
    heard: Mapping[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """(leader, follower): the log end that the leader was told last."""

    @property
    def fenced(self) -> bool:
        """Whether leader and follower must be in the same leader epoch."""
        return self.variant.high_watermark is Check.LEADER_EPOCH

    def remember(self, before: State, after: State) -> None:
        """Take down what follows from a step."""
        numbers = range(1, len(after.replicas) + 1)
        for leader in numbers:
            own = after.of(leader)
            self.watermarks.setdefault(leader, {0}).add(own.high_watermark)
            if not after.presumes(leader):
                continue
            for follower in numbers:
                it = after.of(follower)
                if not before.presumes(leader):
                    self.reached.pop((leader, follower), None)
                if it.leader == leader and (it.epoch == own.epoch or not self.fenced):
                    self.reached[leader, follower] = max(self.reached.get((leader, follower), 0), it.end)

    def has_had(self, state: State, leader: int, follower: int, end: int) -> bool:
        """Whether a follower has this leader's records below `end`, or had them while it followed it."""
        if has_records(state, self.variant.high_watermark, leader, follower, end):
            return True
        return self.reached.get((leader, follower), -1) >= end


Moves: TypeAlias = Iterator[tuple[Taken, State]]
Extra: TypeAlias = Callable[[State, State, int, Past], Moves]
"""Of a state, the state that is to be reached, and a broker that differs in the two."""


def _hears_high_watermark(state: State, _: State, broker: int, past: Past) -> Moves:
    """An answer without records brings the leader's high watermark; in the model only a record does."""
    own = state.of(broker)
    if own.leader in (NO_LEADER, broker) or not state.presumes(own.leader):
        return
    if has_records(state, past.variant.fetch, own.leader, broker, own.end):
        told = min(state.of(own.leader).high_watermark, own.end)
        if told != own.high_watermark:
            after = state.with_replica(broker, own._replace(high_watermark=told))
            yield Taken("hears-high-watermark", broker, own.leader), after


def _counts_what_it_heard(state: State, _: State, broker: int, past: Past) -> Moves:
    """A leader counts what a member has told it, who has gone on to another leader since.

    The model's leader looks into the member's log. Kafka's, in every release, reads the log ends of the last
    fetches (Partition.maybeIncrementLeaderHW).
    """
    own = state.of(broker)
    end = own.high_watermark + 1
    if not state.presumes(broker) or own.end < end:
        return
    check = past.variant.high_watermark
    others = [one for one in own.isr if not has_records(state, check, broker, one, end)]
    if others and all(past.has_had(state, broker, one, end) for one in others):
        yield (
            Taken("counts-what-it-heard", broker, others[0]),
            state.with_replica(broker, own._replace(high_watermark=end)),
        )


def _with_isr(state: State, leader: int, isr: frozenset[int]) -> State:
    after = state.with_replica(leader, state.of(leader)._replace(isr=isr))
    return after._replace(quorum=state.quorum._replace(isr=isr))


def _epoch_start(replica: Replica) -> int:
    own = (offset for offset, record in enumerate(replica.log) if record.epoch == replica.epoch)
    return next(own, replica.end)


def _adds_by_its_last_fetch(state: State, goal: State, broker: int, past: Past) -> Moves:
    """A leader adds a follower by the log end that it has told.

    Two things differ from the model. The follower may have gone on to another leader since. And from 2.0.1
    (KAFKA-7128, Partition.maybeExpandIsr) it is the follower that must have reached the start of the leader's
    epoch, not the leader's high watermark.
    """
    own = state.of(broker)
    if not state.is_true_leader(broker):
        return
    least = max(own.high_watermark, _epoch_start(own) if past.switches.isr_join == "epoch-start" else 0)
    for follower in sorted(goal.of(broker).isr - own.isr):
        if past.has_had(state, broker, follower, least):
            yield (
                Taken("adds-by-its-last-fetch", broker, follower),
                _with_isr(state, broker, own.isr | {follower}),
            )


def _removes_by_its_last_fetch(state: State, goal: State, broker: int, past: Past) -> Moves:
    """A leader removes a member that has all, as it has not heard so; to 2.0 also one that was silent.

    From 2.1 (KAFKA-7152) nobody is removed who has told the leader that it has all.
    """
    own = state.of(broker)
    if not state.is_true_leader(broker):
        return
    for member in sorted(own.isr - goal.of(broker).isr - {broker}):
        by_time = past.switches.isr_leave == "time"
        if by_time or past.heard.get((broker, member)) != own.end:
            yield (
                Taken("removes-by-its-last-fetch", broker, member),
                _with_isr(state, broker, own.isr - {member}),
            )


def _keeps_following(state: State, goal: State, broker: int, past: Past) -> Moves:
    """To 2.0.0 a follower of the same leader in a new leader epoch cuts nothing (Partition.makeFollower)."""
    own, aim = state.of(broker), goal.of(broker)
    same = own.leader == aim.leader not in (NO_LEADER, broker)
    told = any((one.epoch, one.leader) == (aim.epoch, aim.leader) for one in state.requests)
    if past.switches.same_leader == "keep" and same and told and aim.epoch > own.epoch:
        after = own._replace(epoch=aim.epoch, isr=aim.isr)
        yield Taken("keeps-following", broker, own.leader), state.with_replica(broker, after)


def _cuts_where_nothing_is_said(state: State, goal: State, broker: int, past: Past) -> Moves:
    """To 2.0.0 a leader says nothing of an epoch below all, or above all, that its log holds (KAFKA-7415).

    The follower cuts to its own high watermark then. kip-101 has the second; in kip-279 it cuts where the
    logs part.
    """
    own, aim = state.of(broker), goal.of(broker)
    asks = past.switches.truncation == "epoch-request" and past.switches.epoch_entry == "first-write"
    if not asks or not own.log or aim.leader in (NO_LEADER, broker) or aim.epoch <= own.epoch:
        return
    if all((one.epoch, one.leader) != (aim.epoch, aim.leader) for one in state.requests):
        return
    known = {record.epoch for record in state.of(aim.leader).log}
    asked = own.log[-1].epoch
    if asked in known or (known and min(known) < asked < max(known)):
        return
    end = min(own.high_watermark, own.end)
    after = own._replace(log=own.log[:end], high_watermark=end)
    after = after._replace(epoch=aim.epoch, leader=aim.leader, isr=aim.isr)
    yield Taken("cuts-where-nothing-is-said", broker, aim.leader), state.with_replica(broker, after)


def _cuts_to_leaders_end(state: State, _: State, broker: int, past: Past) -> Moves:
    """A follower whose log is longer than its leader's cuts it to the leader's end (OFFSET_OUT_OF_RANGE)."""
    own = state.of(broker)
    if own.leader in (NO_LEADER, broker) or past.variant.cut is Cut.FENCED_FIRST_DIFFERENCE:
        return
    end = state.of(own.leader).end
    if state.presumes(own.leader) and end < own.end:
        cut = own._replace(log=own.log[:end], high_watermark=min(end, own.high_watermark))
        yield Taken("cuts-to-leaders-end", broker, own.leader), state.with_replica(broker, cut)


def _cuts_and_is_interrupted(state: State, _: State, broker: int, past: Past) -> Moves:
    """From 2.0 a cut takes several rounds, and a new epoch may come between. The model has one step."""
    own, end = state.of(broker), past.interrupted.get(broker)
    if end is not None and end < own.end:
        cut = own._replace(log=own.log[:end], high_watermark=min(end, own.high_watermark))
        yield Taken("cuts-and-is-interrupted", broker), state.with_replica(broker, cut)


def _starts_again(state: State, goal: State, broker: int, past: Past) -> Moves:
    """A broker starts: it knows of no leader, and its high watermark is one that it has had."""
    own, aim = state.of(broker), goal.of(broker)
    if broker in past.started and aim.epoch == NO_EPOCH:
        had = past.watermarks.get(broker, {0})
        if aim.high_watermark in had or (aim.high_watermark == own.end and max(had) > own.end):
            blank = Replica(own.log, aim.high_watermark, NO_EPOCH, NO_LEADER, frozenset())
            yield Taken("starts-again", broker), state.with_replica(broker, blank)


def _controller_removes_alone(state: State, goal: State, broker: int, past: Past) -> Moves:
    """From 3.6 (KRaft, KAFKA-15021) the leader epoch stays when a follower leaves the in-sync set."""
    _, leader, isr = state.quorum
    if past.switches.epoch_on_shrink != "kept" or past.switches.controller != "kraft" or broker != leader:
        return
    for member in sorted(isr - goal.quorum.isr - {leader}):
        after = state._replace(quorum=state.quorum._replace(isr=isr - {member}))
        if state.is_true_leader(leader):
            after = _with_isr(state, leader, isr - {member})
        yield Taken("controller-removes-alone", leader, member), after


EXTRAS: Final[tuple[Extra, ...]] = (
    _hears_high_watermark,
    _counts_what_it_heard,
    _adds_by_its_last_fetch,
    _removes_by_its_last_fetch,
    _keeps_following,
    _cuts_where_nothing_is_said,
    _cuts_to_leaders_end,
    _cuts_and_is_interrupted,
    _starts_again,
    _controller_removes_alone,
)
