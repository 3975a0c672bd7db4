"""Findings that a story tells, held against the truth of a simulated run."""

from collections.abc import Callable, Iterator

from core.message import Count, Duration, Message
from core.trace.trace import Event
from core.trace.vocabulary import CutReason, Election, StopReason
from tests.claims.stories import Told, tells
from tests.claims.world import EVERY, NOBODY, Replica, World


def _time(told: Told, name: str = "time") -> int | None:
    value = told.said.get(name)
    return value.ns if isinstance(value, Duration) else None


def _bound(told: Told, name: str) -> tuple[int, int]:
    """The least and the greatest value that a number of the sentence leaves."""
    value = told.said[name]
    if isinstance(value, Message) and value.id == "number.or-less":
        most = dict(value.values)["number"]
        assert isinstance(most, int)
        return 0, most
    number = value.number if isinstance(value, Count) else value
    assert isinstance(number, int)
    return number, number


def _replicas(told: Told, broker: int) -> Iterator[tuple[Event, Replica, Replica]]:
    """A replica before and after each event."""
    for event, before, world in told.run.between(0, len(told.run.events)):
        yield event, before.of(broker), world.of(broker)


@tells("finding.unclean-election")
def it_was_elected_out_of_sync(told: Told) -> bool:
    (broker,), epoch = told.brokers(), told.number("epoch")
    wanted = (broker, epoch, Election.UNCLEAN)
    return any(
        event.kind == "leader_elected"
        and (event.get("leader"), event.get("epoch"), event.get("aux")) == wanted
        and broker not in before.isr
        for event, before, _ in told.run.between(0, len(told.run.events))
    )


@tells("finding.stale-leader")
def its_changes_were_refused(told: Told) -> bool:
    """So many of them, the last of them so long after the first."""
    (broker,), count, time = told.brokers(), told.number("count") or 0, _time(told)
    times = [
        event.at
        for event in told.run.events
        if event.kind == "isr_update_rejected" and event.get("broker") == broker
    ]
    return any(times[first + count - 1] - times[first] == time for first in range(len(times) - count + 1))


def _alone(told: Told, broker: int) -> list[tuple[int, int | None]]:
    """The times from which on, and to which, a broker was alone in the set; None: to the end."""
    found: list[tuple[int, int | None]] = []
    since: int | None = None
    for event, _, world in told.run.between(0, len(told.run.events)):
        now = world.isr == (broker,)
        if now and since is None:
            since = event.at
        elif since is not None and not now:
            found.append((since, event.at))
            since = None
    return found if since is None else [*found, (since, None)]


@tells("finding.last-replica-standing", "finding.last-replica-standing.min-unknown")
def it_was_alone_that_long(told: Told) -> bool:
    """At least: what the set was may have been stated again, or min.insync.replicas been set anew."""
    (broker,), time = told.brokers(), _time(told) or 0
    last = told.run.events[-1].at
    return any((last if end is None else end) - begun >= time for begun, end in _alone(told, broker))


@tells("finding.last-replica-standing.to-the-end")
def it_was_alone_to_the_end(told: Told) -> bool:
    (broker,) = told.brokers()
    return told.run.worlds[-1].isr == (broker,)


@tells("finding.leader-paused")
def it_was_alone_and_took_them_back(told: Told) -> bool:
    """They ran all the while: one that had ended was late itself."""
    (broker,), others, time = told.brokers(), set(told.brokers("others")), _time(told)
    steps = list(told.run.between(0, len(told.run.events)))
    for begun, end in _alone(told, broker):
        if end is None or end - begun != time:
            continue
        after = next(world.isr for event, _, world in steps if event.at == end and world.isr != (broker,))
        ran = all(others <= world.up for event, _, world in steps if begun <= event.at <= end)
        if ran and others <= set(after):
            return True
    return False


@tells("finding.isr-flapping")
def it_left_that_often(told: Told) -> bool:
    (broker,), count, time = told.brokers(), told.number("count") or 0, _time(told)
    times = [
        event.at
        for event, before, world in told.run.between(0, len(told.run.events))
        if broker in before.isr and broker not in world.isr
    ]
    return any(times[first + count - 1] - times[first] == time for first in range(len(times) - count + 1))


@tells("finding.under-min-isr")
def the_set_was_too_small(told: Told) -> bool:
    """Some set that was decided is smaller than the setting of the script, or of one of its steps."""
    wanted = told.number("wanted") or 0
    return any(0 < len(world.isr) < wanted for world in told.run.worlds)


@tells("finding.zombie-leader")
def it_led_on(told: Told) -> bool:
    """Its own role was that of a leader, of that epoch, when the other had been elected in the later one."""
    (broker,), (other,) = told.brokers(), told.brokers("other")
    epoch, later, time = told.number("epoch"), told.number("later"), _time(told) or 0
    for event, before, _ in told.run.between(0, len(told.run.events)):
        one = before.of(broker)
        leads = one.role == "leader" and one.epoch == epoch
        if leads and before.leader == other:
            elected = [
                each.at
                for each, world, _ in told.run.between(0, told.run.place_of(event))
                if each.kind == "leader_elected"
                and (each.get("leader"), each.get("epoch")) == (other, later)
                and world.leader != other
            ]
            if any(event.at - at == time for at in elected):
                return True
    return False


@tells("finding.epoch-storm")
def epochs_rose_in_that_time(told: Told) -> bool:
    first, last, time = told.number("first"), told.number("last"), _time(told)
    times: dict[int, int] = {}
    for event, _, world in told.run.between(0, len(told.run.events)):
        times.setdefault(world.epoch, event.at)
    return first in times and last in times and times[last] - times[first] == time


def _repeated(told: Told, found: Callable[[Event], bool]) -> bool:
    """Whether events came so often in that time."""
    count, time = told.number("count") or 0, _time(told)
    times = [event.at for event in told.run.events if found(event)]
    return any(times[one + count - 1] - times[one] == time for one in range(len(times) - count + 1))


@tells("finding.out-of-range-loop", "finding.out-of-range-loop.moved")
def its_fetch_failed_again_and_again(told: Told) -> bool:
    (broker,), offset = told.brokers(), told.number("offset")

    def failed(event: Event, kind: str) -> bool:
        mine = event.get("replica") == broker and offset in (event.get("from_offset"), event.get("offset"))
        reason = event.kind != "fetch_failed" or event.get("aux") == StopReason.OFFSET_OUT_OF_RANGE
        return mine and reason and event.kind == kind

    moved = any(event.kind == "log_moved" for event in told.run.events)
    kinds = ("fetch_failed", "fetch_offset_reset", "log_reset")
    repeated = any(_repeated(told, lambda event, kind=kind: failed(event, kind)) for kind in kinds)
    return repeated and (moved or not told.message.id.endswith("moved"))


@tells("finding.follower-stuck")
def it_came_to_the_same_cut(told: Told) -> bool:
    (broker,), offset = told.brokers(), told.number("offset")
    kinds = ("epoch_end_answered", "fetch_diverged", "truncation_decided", "truncation_noop")
    return any(
        _repeated(
            told,
            lambda event, kind=kind: (
                event.kind == kind and event.get("replica") == broker and event.get("offset") == offset
            ),
        )
        for kind in kinds
    )


@tells("finding.refused-to-truncate.exited")
def it_ended_itself(told: Told) -> bool:
    (broker,) = told.brokers()
    return any(event.kind == "broker_exited" and event.get("replica") == broker for event in told.run.events)


@tells("finding.hw-went-back", "finding.hw-went-back.by-then")
def its_high_watermark_fell_while_it_ran(told: Told) -> bool:
    """From a value that it had to a lower one, without a start between."""
    (broker,), high, (low, most) = told.brokers(), told.number("before"), _bound(told, "after")
    had = False
    for event, old, new in _replicas(told, broker):
        if event.kind == "broker_starting" and event.get("replica") == broker:
            had = False
        had = had or high in (old.hw, new.hw)
        if had and new.hw < old.hw and low <= new.hw <= most:
            return True
    return False


@tells("finding.hw-checkpoint-stale")
def it_began_again_with_an_older_one(told: Told) -> bool:
    """It crashed, or exited, after it had had the one, and loaded the other."""
    (broker,), high, (low, most) = told.brokers(), told.number("before"), _bound(told, "after")
    had = down = False
    for event, old, new in _replicas(told, broker):
        had = had or old.hw == high
        mine = event.get("replica") == broker
        down = down or (had and mine and event.kind in ("broker_crashed", "broker_exited"))
        if down and low <= new.hw <= most and new.hw < (high or 0):
            return True
    return False


@tells("finding.leo-jumped-back")
def its_log_came_back_shorter(told: Told) -> bool:
    (broker,), start, to = told.brokers(), told.number("before"), told.number("after")
    return any(
        event.kind == "truncated"
        and event.get("replica") == broker
        and event.get("aux") == CutReason.RECOVERY
        and (old.end, new.end) == (start, to)
        for event, old, new in _replicas(told, broker)
    )


def _is_behind(world: World, told: Told) -> bool:
    """Whether a member of the set ends below the high watermark of the leader, as the sentence says."""
    (broker,), (leader,) = told.brokers(), told.brokers("leader")
    member, leads = world.of(broker), world.of(leader)
    ends = (member.end, leads.hw) == (told.number("leo"), told.number("hw"))
    return ends and {broker, leader} <= set(world.isr) and world.leader == leader


@tells("finding.isr-behind-hw")
def a_member_ends_below_the_watermark(told: Told) -> bool:
    return any(_is_behind(world, told) for world in told.run.worlds)


@tells("finding.isr-empty-disk")
def a_member_began_anew(told: Told) -> bool:
    """Its log was made, or dropped, before."""
    (broker,) = told.brokers()
    return any(
        event.kind in ("log_created", "log_reset") and event.get("replica") == broker
        for event in told.run.events
    ) and any(_is_behind(world, told) for world in told.run.worlds)


@tells("finding.hw-above-leo", "finding.hw-above-leo.kept")
def its_watermark_was_above_its_log(told: Told) -> bool:
    (broker,), hw, leo = told.brokers(), told.number("hw"), told.number("leo")
    return any((one.hw, one.end) == (hw, leo) for one in (world.of(broker) for world in told.run.worlds))


@tells("finding.broken-promise.committed-record-kept")
def a_leader_lacked_committed_records(told: Told) -> bool:
    """The last one, or one before it as it took over, of an earlier epoch."""
    fates = [one for one in told.fates() if one.committed is not None]
    for event, before, _ in told.run.between(0, len(told.run.events)):
        if event.kind == "became_leader":
            log = before.of(event.get("replica"))
            held = set(log.records(0, EVERY))
            if any(
                (one.committed or 0) < event.seq and one.number not in held and one.offset >= log.start
                for one in fates
            ):
                return True
    return any(one.lost for one in fates)


@tells("finding.broken-promise.logs-agree")
def they_differ_below_both_watermarks(told: Told) -> bool:
    one, other = sorted(told.brokers())
    end = told.run.worlds[-1]
    return any(
        each.brokers == (one, other) and each.first_offset < min(end.of(one).hw, end.of(other).hw)
        for each in told.run.truth.diverged
        if each.partition == told.run.partition
    )


@tells("finding.broken-promise.one-leader")
def both_led_one_epoch(told: Told) -> bool:
    led = [
        {
            event.get("epoch")
            for event in told.run.events
            if event.kind == "became_leader" and event.get("replica") == broker
        }
        for broker in told.brokers()
    ]
    return bool(set.intersection(*led))


@tells("finding.broken-promise.high-watermark-rises")
def it_fell_while_it_led(told: Told) -> bool:
    (broker,) = told.brokers()
    return any(
        new.hw < old.hw and old.role == new.role == "leader" for _, old, new in _replicas(told, broker)
    )


@tells("finding.hanging-transaction")
def a_transaction_is_open_for_long(told: Told) -> bool:
    """Since it was written at that offset no marker of its producer has come into the last leader's log."""
    (broker,), offset, time = told.brokers(), told.number("offset"), _time(told)
    last = told.run.trace.columns["at"][-1]
    for event in told.run.events:
        begun = event.get("stamp") if event.get("stamp") is not None else event.at
        mine = event.kind == "transaction_written" and event.get("replica") == broker
        if mine and event.get("from_offset") == offset and int(last) - (begun or 0) == time:
            return told.run.worlds[-1].leader in (broker, NOBODY)
    return False
