"""Sentences of the story of a partition, held against the truth of a simulated run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.message import Count, Listing, Message, Names, Offsets, SimulatedMoment, Value
from core.sim.truth import Fate, Promise
from core.trace.broker_names import broker_value
from core.trace.vocabulary import CutReason, Election
from tests.claims.claim import counts
from tests.claims.world import EVERY, NOBODY, Run

ENTRIES: Final = ("story.entry", "story.entry.unknown-cause")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of the story of a run; `root` is the whole one, `story` all of them, it is at `place`."""

    run: Run
    message: Message
    root: Message
    story: tuple[Message, ...] = ()
    place: int = 0

    @property
    def said(self) -> dict[str, Value]:
        return {**dict(self.root.values), **dict(self.message.values)}

    def number(self, name: str) -> int | None:
        value = self.said.get(name)
        if isinstance(value, Count):
            return value.number
        return value if isinstance(value, int) else None

    def brokers(self, name: str = "who") -> tuple[int, ...]:
        value = self.said[name]
        named = value.items if isinstance(value, Names) else (value,)
        known = {
            broker_value(self.run.trace, int(one.broker_id)): int(one.broker_id)
            for one in self.run.trace.brokers
        }
        return tuple(known[one] for one in named)

    def offsets(self, name: str) -> set[int]:
        """The offsets that a value names."""
        value = self.said[name]
        spans = value.items if isinstance(value, Listing) else (value,)
        return {place for one in spans if isinstance(one, Offsets) for place in range(one.first, one.end)}

    @property
    def at(self) -> int | None:
        """The time that the sentence names, in ns."""
        moment = self.said.get("at")
        return moment.ns if isinstance(moment, SimulatedMoment) else None

    def entry(self) -> Message:
        """The entry of the ledger that the sentence is about: the last one before it."""
        return next(one for one in reversed(self.story[: self.place + 1]) if one.id in ENTRIES)

    def fates(self) -> Iterator[Fate]:
        """What became of the records of the partition."""
        yield from (one for one in self.run.truth.fates() if one.partition == self.run.partition)


StoryPredicate: TypeAlias = Callable[[Told], bool]


def _gone(told: Told) -> tuple[Fate, ...]:
    """What is lost, and what nobody was told of that the log of the last that led lacks.

    The latter may lie below its log start: then the simulator counts it as deleted.
    """
    last = told.run.truth.ledger.leaders[told.run.partition][1]
    return tuple(
        one for one in told.fates() if one.lost or (last not in one.held_by and one.promise is Promise.NONE)
    )


def _lost(told: Told, offsets: set[int], promises: tuple[Promise, ...]) -> bool:
    """Whether each offset had a record with one of these promises that is lost."""
    gone = {one.offset for one in told.fates() if one.lost and one.promise in promises}
    return bool(offsets) and offsets <= gone


_GIVEN: Final = (Promise.COMMITTED, Promise.ACKNOWLEDGED)


def promised_and_lost(told: Told) -> bool:
    lost = [one for one in told.fates() if one.lost and one.promise in _GIVEN]
    return counts(told.said["count"], len(lost)) and _lost(told, told.offsets("ranges"), _GIVEN)


def _left_out(told: Told) -> bool:
    """Whether the leader in office at the end lacks what is lost: else one that holds it may lead next."""
    end = told.run.worlds[-1]
    return end.leader in end.up and end.of(end.leader).role == "leader"


def nothing_promised_is_lost(told: Told) -> bool:
    """Of what a log still holds, only that which the leader in office lacks is lost."""
    lost = [one for one in told.fates() if one.lost and one.promise in _GIVEN]
    return not any(not one.held_by or _left_out(told) for one in lost)


def no_copy_is_left_of_what_was_promised(told: Told) -> bool:
    offsets = told.offsets("ranges")
    gone = {one.offset for one in told.fates() if one.lost and one.promise in _GIVEN and not one.held_by}
    return counts(told.said["count"], len(offsets)) and offsets <= gone


def nobody_was_told(told: Told) -> bool:
    """Nor had a consumer read them."""
    gone = {one.offset for one in _gone(told) if one.promise is Promise.NONE and one.read is None}
    return told.offsets("ranges") <= gone


def a_consumer_had_read_them(told: Told) -> bool:
    gone = {one.offset for one in _gone(told) if one.promise is Promise.NONE and one.read is not None}
    return told.offsets("ranges") <= gone


def an_entry_of_the_ledger(told: Told) -> bool:
    epoch = told.number("epoch")
    mine = {one.offset for one in _gone(told) if one.epoch == epoch}
    offsets = told.offsets("what")
    return counts(told.said["count"], len(offsets)) and offsets <= mine


def logs_differ(told: Told) -> bool:
    one, other = sorted(told.brokers())
    mine = [each for each in told.run.truth.diverged if each.partition == told.run.partition]
    places = {
        place
        for each in mine
        if each.brokers == (one, other)
        for place in range(each.first_offset, each.end_offset)
    }
    return told.offsets("what") <= places


def some_logs_differ(told: Told) -> bool:
    return any(one.partition == told.run.partition for one in told.run.truth.diverged)


def it_is_so_at_the_end(told: Told) -> bool:
    (broker,) = told.brokers()
    world = told.run.worlds[-1]
    one = world.of(broker)
    up = broker in world.up
    role = {"leader": "leader", "follower": "follower"}.get(told.message.id.split(".")[2])
    right = told.number("leo") in (None, one.end) and told.number("hw") in (None, one.hw)
    return right and (not up if told.message.id.endswith("offline") else role is None or one.role == role)


def it_holds_none_at_the_end(told: Told) -> bool:
    (broker,) = told.brokers()
    kinds = [
        event.kind
        for event in told.run.events
        if event.get("replica") == broker and event.kind in ("log_created", "log_deleted")
    ]
    return kinds[-1:] != ["log_created"] and not told.run.worlds[-1].of(broker).log


def it_cut(told: Told) -> bool:
    (broker,) = told.brokers()
    for event, before, world in told.run.between(0, len(told.run.events)):
        if event.seq == told.message.evidence[0] and event.kind in ("truncated", "log_reset"):
            start, to = told.number("start"), told.number("to")
            right = event.get("replica") == broker and to == event.get("offset")
            if told.message.id != "story.was-reset":
                right = right and to is not None and to <= before.of(broker).end
            if told.message.id == "story.was-cut.records":
                right = right and told.number("count") == before.of(broker).end - (to or 0)
            return right and start in (None, before.of(broker).end) and world.of(broker).end == to
    return False


def it_led(told: Told) -> bool:
    (broker,) = told.brokers()
    epoch, start = told.number("epoch"), told.number("start")
    for event, before, _ in told.run.between(0, len(told.run.events)):
        elected = event.kind in ("leader_elected", "became_leader", "isr_committed", "partition_created")
        if elected and (event.get("leader"), event.get("epoch")) == (broker, epoch):
            return start is None or start >= before.of(broker).start
    return False


def nobody_led(told: Told) -> bool:
    """Also an epoch that began without one: a dead member is taken out of the set while nobody leads."""
    epoch = told.number("epoch")
    return any(
        event.kind in ("leaderless", "isr_committed")
        and event.get("leader") == NOBODY
        and event.get("epoch") == epoch
        for event in told.run.events
    )


def these_were_committed(told: Told) -> bool:
    """Some leader of the epoch had this high watermark, or one above."""
    hw, epoch = told.number("hw") or 0, told.number("epoch")
    return any(
        one.epoch == epoch and one.role == "leader" and one.hw >= hw
        for world in told.run.worlds
        for one in world.replicas.values()
    )


def a_producer_was_told(told: Told) -> bool:
    """In that epoch: its leader said so; the records may be of an epoch before."""
    epoch = told.number("epoch")
    mine: set[int] = set()
    for event, before, _ in told.run.between(0, len(told.run.events)):
        if event.kind == "acknowledged" and before.of(event.get("replica")).epoch == epoch:
            mine.update(range(event.values["from_offset"], event.values["offset"]))
    return told.offsets("what") <= mine


def by_this_election(told: Told) -> bool:
    wanted = Election[told.message.id.split(".")[2].replace("-", "_").upper()]
    (broker,), epoch = told.brokers(), told.number("epoch")
    return any(
        event.kind == "leader_elected"
        and (event.get("leader"), event.get("epoch"), event.get("aux")) == (broker, epoch, wanted)
        for event in told.run.events
    )


def the_loss_was_committed(told: Told) -> bool:
    """Of the epoch that the sentence names."""
    epoch, offsets = told.number("epoch"), told.offsets("offsets")
    mine = {one.offset for one in told.fates() if one.epoch == epoch and one.committed is not None}
    return offsets <= mine


def the_loss_was_acknowledged(told: Told) -> bool:
    epoch, offsets = told.number("epoch"), told.offsets("offsets")
    mine = {one.offset for one in told.fates() if one.epoch == epoch and one.acknowledged is not None}
    return offsets <= mine


def the_loss_was_never_told(told: Told) -> bool:
    """And read by a consumer only where the sentence says so."""
    epoch, offsets = told.number("epoch"), told.offsets("offsets")
    read = told.message.id.endswith(".read")
    mine = {
        one.offset
        for one in told.fates()
        if one.epoch == epoch and one.promise is Promise.NONE and (one.read is not None) is read
    }
    return offsets <= mine


def _cuts(told: Told, *reasons: CutReason) -> bool:
    kinds = ("truncated", "log_reset")
    return any(event.kind in kinds and event.get("aux") in reasons for event in told.run.events)


def an_election_was_unclean(told: Told) -> bool:
    return any(
        event.kind == "leader_elected" and event.get("aux") == Election.UNCLEAN for event in told.run.events
    )


def a_later_leader_had_cut_to_its_own_high_watermark(told: Told) -> bool:
    """Before it led: what the controller had decided may reach it later (s2)."""
    cut: set[int | None] = set()
    for event in told.run.events:
        if event.kind == "truncated" and event.get("aux") == CutReason.LOCAL_HIGH_WATERMARK:
            cut.add(event.get("replica"))
        if event.kind == "became_leader" and event.get("replica") in cut:
            return True
    return False


def a_disk_lacked_the_end(told: Told) -> bool:
    return _cuts(told, CutReason.RECOVERY)


def a_leader_did_not_know_the_epoch(told: Told) -> bool:
    return any(event.kind == "epoch_end_answered" and event.values["offset"] < 0 for event in told.run.events)


def a_member_lacked_committed_records(told: Told) -> bool:
    """Some broker that was elected from the in-sync set, or by ELR, lacked a record committed by then."""
    for event, before, _ in told.run.between(0, len(told.run.events)):
        by_elr = event.get("aux") == Election.ELR
        if event.kind == "leader_elected" and (by_elr or event.get("leader") in before.isr):
            held = set(before.of(event.get("leader")).records(0, EVERY))
            lost = [one for one in told.fates() if one.lost and one.committed is not None]
            if any((one.committed or 0) < event.seq and one.number not in held for one in lost):
                return True
    return False


def a_later_leader_had_cut_in_an_epoch_that_was_over(told: Told) -> bool:
    cut: set[int | None] = set()
    for event, before, _ in told.run.between(0, len(told.run.events)):
        who = event.get("replica")
        if event.kind == "truncated" and before.of(who).epoch < before.epoch:
            cut.add(who)
        if event.kind == "leader_elected" and event.get("leader") in cut:
            return True
    return False


def a_leader_wrote_when_its_epoch_was_over(told: Told) -> bool:
    """Some record that is gone was appended by a broker that led in an epoch before the controller's."""
    gone = {one.number for one in _gone(told)}
    for event, before, _ in told.run.between(0, len(told.run.events)):
        one = before.of(event.get("replica"))
        if event.kind == "appended" and one.role == "leader" and one.epoch < before.epoch:
            first, count = event.values["aux"], event.values["offset"] - event.values["from_offset"]
            if gone & set(range(first, first + count)):
                return True
    return False


def the_next_leader_had_not_fetched_them(told: Told) -> bool:
    for event, before, _ in told.run.between(0, len(told.run.events)):
        if event.kind == "leader_elected":
            held = set(before.of(event.get("leader")).records(0, EVERY))
            if any(one.number not in held for one in _gone(told)):
                return True
    return False


def _before(*release: int) -> Callable[[Told], bool]:
    """Whether the release that a sentence advises is a later one than the run's."""

    def is_older(told: Told) -> bool:
        return told.run.release < release

    return is_older


def the_release_or_its_protocol_is_older(told: Told) -> bool:
    """It names the protocol and the message format, too."""
    plans = told.run.script.plans.values()
    old = any("0.10.2" in (one.release, one.protocol, one.message_format) for one in plans)
    return old or told.run.release < (0, 11)


def _from(*release: int) -> Callable[[Told], bool]:
    def is_newer(told: Told) -> bool:
        return told.run.release >= release

    return is_newer


def followers_ask(told: Told) -> bool:
    asks = any(one.truncation == "epoch-request" for one in told.run.ran_by)
    return asks and _cuts(told, CutReason.LEADER_EPOCH)


def answers_tell_where_logs_part(told: Told) -> bool:
    """Also where the switch of an earlier release was set so, which another sentence then says."""
    switch = told.run.rules.switches.truncation
    of_quorum = told.run.trace.partitions[told.run.partition].tp.of_quorum
    return not of_quorum and switch == "fetch-divergence" and _cuts(told, CutReason.DIVERGING_EPOCH)


def the_release_has_it_and_switches_are_set(told: Told) -> bool:
    said = told.said["switches"]
    named = tuple(f"{name}={value}" for name, value in told.run.rules.overrides)
    return told.run.release >= (0, 11) and isinstance(said, Listing) and said.items == named != ()


def the_quorum_tells_where_logs_part(told: Told) -> bool:
    return told.run.trace.partitions[told.run.partition].tp.of_quorum and _cuts(
        told, CutReason.DIVERGING_EPOCH
    )


def the_rule_is_set_by_hand(told: Told) -> bool:
    """That of the metadata quorum has no switch."""
    said = told.said["switches"]
    named = tuple(f"{name}={value}" for name, value in told.run.rules.overrides if name == "truncation")
    of_quorum = told.run.trace.partitions[told.run.partition].tp.of_quorum
    return not of_quorum and isinstance(said, Listing) and said.items == named != ()


STORIES: Final[dict[str, StoryPredicate]] = {
    **dict.fromkeys(("story.lost", "story.lost.unknown-cause"), promised_and_lost),
    "story.lost.nothing": nothing_promised_is_lost,
    "story.lost.no-copy": no_copy_is_left_of_what_was_promised,
    "story.lost.never": nobody_was_told,
    "story.lost.never.read": a_consumer_had_read_them,
    **dict.fromkeys(("story.entry", "story.entry.unknown-cause"), an_entry_of_the_ledger),
    "story.unlike": logs_differ,
    "story.diverged": some_logs_differ,
    **dict.fromkeys(
        ("story.end.leader", "story.end.follower", "story.end.offline", "story.end.unknown"),
        it_is_so_at_the_end,
    ),
    "story.end.absent": it_holds_none_at_the_end,
    **dict.fromkeys(
        ("story.was-cut", "story.was-cut.from", "story.was-cut.records", "story.was-reset"), it_cut
    ),
    **dict.fromkeys(
        (
            "story.led",
            "story.led.isr",
            "story.led.start",
            "story.led.start.isr",
            "story.stayed",
            "story.stayed.isr",
            "story.stayed.start",
            "story.stayed.start.isr",
        ),
        it_led,
    ),
    **dict.fromkeys(("story.leaderless", "story.leaderless.until"), nobody_led),
    **dict.fromkeys(("story.committed.exact", "story.committed.by-rule"), these_were_committed),
    "story.told": a_producer_was_told,
    **dict.fromkeys(
        (
            f"story.election.{one}"
            for one in ("first", "clean", "preferred", "controlled", "unclean", "elr", "last-known")
        ),
        by_this_election,
    ),
    **dict.fromkeys(("loss.committed", "loss.committed.derived"), the_loss_was_committed),
    "story.cause.unclean-election": an_election_was_unclean,
    "story.cause.high-watermark-truncation": a_later_leader_had_cut_to_its_own_high_watermark,
    "story.cause.disk-loss": a_disk_lacked_the_end,
    "story.cause.unknown-epoch": a_leader_did_not_know_the_epoch,
    "story.cause.stale-isr": a_member_lacked_committed_records,
    "story.cause.stale-leader": a_later_leader_had_cut_in_an_epoch_that_was_over,
    "story.cause.late-write": a_leader_wrote_when_its_epoch_was_over,
    "story.cause.not-replicated": the_next_leader_had_not_fetched_them,
    "story.rule.leader-epoch": followers_ask,
    "story.rule.diverging-epoch": answers_tell_where_logs_part,
    "story.rule.quorum": the_quorum_tells_where_logs_part,
    "story.rule.set": the_rule_is_set_by_hand,
    "story.prevention.high-watermark-truncation": the_release_or_its_protocol_is_older,
    "story.prevention.unknown-epoch": _before(2, 1),
    "story.prevention.stale-isr": _before(3, 5),
    "story.prevention.stale-leader": _before(2, 1),
    "story.prevention.divergence": _before(2, 1),
    "story.prevention.set-by-hand": the_release_has_it_and_switches_are_set,
    "story.prevention.release-has-it": _from(2, 1),
    "loss.acknowledged": the_loss_was_acknowledged,
    **dict.fromkeys(("loss.uncommitted", "loss.uncommitted.read"), the_loss_was_never_told),
}
"""By sentence of a story: whether it is so.

More are in stories_lives.py, stories_cuts.py, stories_losses.py and findings.py.
"""


def tells(*ids: str) -> Callable[[StoryPredicate], StoryPredicate]:
    """The predicate of these sentences of a story."""

    def noted(predicate: StoryPredicate) -> StoryPredicate:
        for one in ids:
            assert one not in STORIES, one
            STORIES[one] = predicate
        return predicate

    return noted
