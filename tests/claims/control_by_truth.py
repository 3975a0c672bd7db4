"""Sentences on elections, roles, in-sync sets and processes of real clusters, held against their recorder."""

from core.message import Message
from core.trace.trace import Event
from core.trace.vocabulary import CutReason
from tests.claims.by_truth import every, meets, truth
from tests.claims.claim import At
from tests.claims.seen import BEFORE, DOWN, TOLD, Seen, State

_SOON = 60_000_000_000
"""A start, or what a controller does about a stop, is over after so many ns."""


def _named_leader(at: At) -> int | None:
    leader = at.event.get("leader")
    return leader if leader is not None and leader >= 0 else None


def leads(seen: Seen, epoch: int | None, leader: int | None, at: int) -> bool | None:
    """Whether a broker led an epoch, as the cluster answered; without an epoch, about a time."""
    if not seen.known or leader is None:
        return None
    if epoch is not None and epoch in seen.led:
        return seen.led[epoch] == leader
    if epoch is None and leader in {one[0] for one in seen.around(at)}:
        return True
    return None


def _sampled(seen: Seen, isr: tuple[int, ...] | None, at: int) -> bool | None:
    """Whether an in-sync set is one that the cluster answered about a time."""
    if not seen.known or isr is None:
        return None
    sets = {told for _, _, told in seen.around(at) if told is not None}
    if tuple(sorted(isr)) in sets:
        return True
    return False if seen.complete and sets else None


def _difference(at: At, seen: Seen) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who left and who joined the set, by what the cluster had answered before."""
    before = [
        state[2] for when, state in seen.control if when < at.event.at - BEFORE and state[2] is not None
    ]
    if not before or not seen.known or at.event.get("isr") is None:
        return (), ()
    old, new = set(before[-1]), set(at.run.isr(at.event))
    return tuple(sorted(old - new)), tuple(sorted(new - old))


@truth("why.elected.title", "why.elected", "why.leads.title", "why.rule.leads", "why.elr.last-leader")
def it_led_in_that_epoch(at: At, seen: Seen) -> bool | None:
    leader = at.who if at.event.kind == "became_leader" else _named_leader(at)
    if at.message.id == "why.elr.last-leader":
        (leader,) = at.brokers("leader")
        led = [
            state[0] for when, state in seen.control if when <= at.event.at + TOLD and (state[0] or -1) >= 0
        ]
        return None if not led else True if led[-1] == leader else None
    epoch = at.number("epoch") if "epoch" in at.said else at.event.get("epoch")
    return leads(seen, epoch, leader, at.event.at)


@truth("why.elected.member", "why.elected.stranger")
def it_led_and_was_in_the_set_or_not(at: At, seen: Seen) -> bool | None:
    """The set that is named is one that the cluster answered about that time."""
    leader = _named_leader(at)
    named = at.brokers("isr")
    right = None if leader is None else (leader in named) == at.message.id.endswith("member")
    return every(
        right, leads(seen, at.number("epoch"), leader, at.event.at), _sampled(seen, named, at.event.at)
    )


@truth("why.election.first", "why.rule.election.first")
def it_led_the_first_epoch(at: At, seen: Seen) -> bool | None:
    """Epoch 0, and nobody was seen to lead before."""
    led = [one for one in seen.led if one < (at.event.get("epoch") or 0)]
    return leads(seen, at.event.get("epoch"), _named_leader(at), at.event.at) if not led else False


def _states_before(at: At, seen: Seen) -> tuple[list[State], bool | None]:
    """What was seen of earlier epochs, and whether the last set had the new leader, if it is known."""
    leader, epoch = _named_leader(at), at.event.get("epoch")
    if not seen.known or leader is None or epoch is None:
        return [], None
    before = [state for _, state in seen.control if state[1] is not None and state[1] < epoch]
    if not before or before[-1][2] is None:
        return [], None
    return before, leader in before[-1][2]


@truth(
    "why.election.clean", "why.rule.election.clean", "why.election.controlled", "why.rule.election.controlled"
)
def it_came_from_the_set(at: At, seen: Seen) -> bool | None:
    """It was in a set that was seen right before; the leader before it was told to stop, if controlled."""
    before, inside = _states_before(at, seen)
    if inside is None:
        return None
    if "controlled" not in at.message.id:
        return True if inside else None
    old = [state[0] for state in before if state[0] not in (None, -1)]
    told = old and any(
        do == "term" and abs(when - at.event.at) < _SOON for when, do in seen.steps(old[-1] or 0)
    )
    return True if inside and told else None


@truth("why.election.unclean", "why.rule.election.unclean")
def it_was_not_in_the_set(at: At, seen: Seen) -> bool | None:
    _, inside = _states_before(at, seen)
    if inside is None:
        return None
    return not inside if seen.complete else None if inside else True


@truth("why.election.preferred", "why.rule.election.preferred")
def it_is_the_first_of_its_assignment(at: At, seen: Seen) -> bool | None:
    topic, number = seen.tp.rsplit("-", 1)
    assigned = [one["assignment"] for one in seen.truth["topics"] if one["name"] == topic]
    moved = any(one["do"] == "reassign" for one in seen.truth["steps"])
    if not assigned or moved or not seen.known:
        return None
    return _named_leader(at) == assigned[0][int(number)][0]


@truth("why.election.elr", "why.rule.election.elr", "why.election.last-known", "why.rule.election.last-known")
def it_was_eligible_or_led_last(at: At, seen: Seen) -> bool | None:
    """As the answers before said of eligible and last known leaders."""
    epoch, leader = at.event.get("epoch"), _named_leader(at)
    told = [one for one in seen.answers if one.get("elr") is not None and one["leader_epoch"] < (epoch or 0)]
    if not told or leader is None:
        return None
    if "last-known" in at.message.id:
        led = [one["leader"] for one in told if one["leader"] >= 0]
        return bool(led) and led[-1] == leader
    return leader in told[-1]["elr"] or None


@truth("why.elr.title", "why.elr.may-lead", "why.elr.none-but-isr")
def these_were_eligible(at: At, seen: Seen) -> bool | None:
    """One of the answers about that time has them."""
    members = set(at.run.isr(at.event))
    told = [
        set(one["elr"])
        for one in seen.answers
        if one.get("elr") is not None and abs(one["at_ns"] - at.event.at) <= 10 * TOLD
    ]
    return True if members in told else None


@truth("why.leaderless.title")
def nobody_led(at: At, seen: Seen) -> bool | None:
    epoch = at.event.get("epoch")
    if not seen.known or epoch is None:
        return None
    return True if epoch in seen.leaderless else False if epoch in seen.led else None


@truth("why.leaderless", "why.leaderless.empty")
def no_member_ran(at: At, seen: Seen) -> bool | None:
    """Down, fenced or shutting down: a frozen one counts so, and one that starts as well."""
    isr = at.run.isr(at.event)
    if at.message.id.endswith("empty"):
        return _sampled(seen, (), at.event.at)
    runs = [_serves(seen, one, at.event.at) for one in isr or at.brokers("isr")]
    return False if True in runs else None if None in runs else True


def _serves(seen: Seen, broker: int, at: int) -> bool | None:
    """Whether a process ran that was not frozen, had not been started just now, and was not told to stop."""
    last = seen.last_step(broker, at)
    if last is None or abs(at - last[0]) <= TOLD or (last[1] in ("start", "thaw") and at - last[0] < _SOON):
        return None if last is None or last[1] in ("start", "thaw") else False
    return last[1] in ("start", "thaw")


@truth("why.leaderless.then")
def nothing_was_confirmed(at: At, seen: Seen) -> bool | None:
    """To a producer, from then on until the cluster answers with a leader again."""
    if not seen.known:
        return None
    back = [when for when, state in seen.control if when > at.event.at and (state[0] or -1) >= 0]
    till = back[0] if back else at.event.at
    gone = [when for when, state in seen.control if at.event.at - TOLD <= when <= till and state[0] == -1]
    if not gone:
        return None
    acked = [one["at_ns"] for one in seen.truth["acked"].get(seen.tp, ())]
    return not any(gone[0] < when < gone[-1] for when in acked)


@truth("why.stopped.led")
def it_led_and_nothing_was_confirmed(at: At, seen: Seen) -> bool | None:
    """The answers before have it as the leader; none of its confirmations is from after the stop."""
    before = [state[0] for when, state in seen.control if when <= at.event.at + BEFORE]
    if not seen.known or not before:
        return None
    acked = [one["at_ns"] for one in seen.truth["acked"].get(seen.tp, ()) if one["by_leader"] == at.who]
    starts = [when for when, do in seen.steps(at.who) if do == "start" and when > at.event.at]
    till = min(starts, default=1 << 63)
    # The last sign of a broker may be some seconds older than its end.
    down = [when for when, do in seen.steps(at.who) if do in DOWN and at.event.at - _SOON < when < till]
    if not down or any(down[-1] + TOLD < when < till for when in acked):
        return False if down else None
    return True if at.who in before[-2:] or at.who in {one[0] for one in seen.around(at.event.at)} else None


@truth("why.leads.then")
def its_high_watermark_waits(at: At, seen: Seen) -> bool | None:
    """It led then, and its high watermark is known to be no higher than its log end."""
    return leads(seen, at.event.get("epoch"), at.who, at.event.at)


@truth("why.follows.title", "why.follows.fetches", "why.follows.asks", "why.follows.cuts", "why.rule.follows")
def it_followed_that_leader(at: At, seen: Seen) -> bool | None:
    """The one that is named, in the epoch that is named, or that the event has; it led not itself."""
    told = dict(at.whole.values)
    leader = _named_leader(at)
    if (
        "leader" in at.said
        and isinstance(at.said["leader"], Message)
        and at.said["leader"].id in ("broker.number", "controller.number")
    ):
        (leader,) = at.brokers("leader")
    epoch = at.event.get("epoch")
    if epoch is None and isinstance(told.get("epoch"), int):
        epoch = at.number("epoch") if "epoch" in at.said else None
    if leader is None:
        near = {state[0] for state in seen.around(at.event.at)}
        return True if seen.known and near and at.who not in near else None
    return leader != at.who and leads(seen, epoch, leader, at.event.at)


@truth("why.fetcher.added")
def it_asks_the_leader(at: At, seen: Seen) -> bool | None:
    (leader,) = at.brokers("leader")
    epoch = at.event.get("epoch")
    return leads(seen, epoch, leader, at.event.at)


@truth("why.fetcher.removed.leads")
def it_led_then(at: At, seen: Seen) -> bool | None:
    return True if seen.known and at.who in {state[0] for state in seen.around(at.event.at)} else None


@truth("why.fetcher.removed")
def its_log_got_no_records(at: At, seen: Seen) -> bool | None:
    """It ended no higher, by the samples, until it fetches or leads."""
    kinds = ("fetcher_added", "became_leader", "became_follower", "fetch_sent", "broker_starting")
    till = next(
        (
            event.at
            for event in at.run.events[at.place + 1 :]
            if event.get("replica") == at.who and event.kind in kinds
        ),
        None,
    )
    if till is None or till - at.event.at < 4 * BEFORE:
        return None
    first, last = seen.log_end(at.who, at.event.at + 2 * BEFORE), seen.log_end(at.who, till - 2 * BEFORE)
    if first is None or last is None:
        return None
    return last[0] <= first[1]


@truth("why.isr.title", "why.isr.only", "why.isr.alone", "why.isr.same")
def that_was_the_set(at: At, seen: Seen) -> bool | None:
    isr = at.run.isr(at.event)
    if at.message.id in ("why.isr.only", "why.isr.alone") and len(isr) != 1:
        return False
    return _sampled(seen, isr, at.event.at)


@truth("why.isr.proposed.title", "why.isr.to-leave", "why.isr.left.time", "why.rule.isr.leaves")
def who_lagged_was_stopped_or_frozen(at: At, seen: Seen) -> bool | None:
    """The set that is proposed is answered by the cluster later."""
    if at.message.id == "why.isr.proposed.title":
        isr = tuple(sorted(at.run.isr(at.event)))
        later = {state[2] for when, state in seen.control if 0 <= when - at.event.at + TOLD <= _SOON}
        return True if isr in later else None
    brokers = at.brokers("who") if "who" in at.said else _difference(at, seen)[0]
    if not brokers:
        return None
    found: list[bool | None] = []
    for broker in brokers:
        disturbed = [
            when for when, do in seen.steps(broker) if do in (*DOWN, "freeze") and when <= at.event.at
        ]
        found.append(True if disturbed and at.event.at - disturbed[-1] <= _SOON else None)
    return every(*found)


@truth("why.isr.left.controller", "why.rule.isr.removed")
def who_left_was_down(at: At, seen: Seen) -> bool | None:
    """Killed, told to stop, started or frozen not long before: one that served all the time stays in."""
    brokers = at.brokers("who") if "who" in at.said else _difference(at, seen)[0]
    if not brokers:
        return None
    answers: list[bool | None] = []
    for broker in brokers:
        last = [(when, do) for when, do in seen.steps(broker) if when <= at.event.at + TOLD]
        disturbed = [
            when for when, do in last if do in (*DOWN, "freeze", "stopped", "exited", "thaw", "start")
        ]
        answers.append(None if not last else bool(disturbed) and at.event.at - disturbed[-1] <= 2 * _SOON)
    return every(*answers)


@truth("why.isr.joined", "why.isr.to-join", "why.rule.isr.joins", "why.isr.joined.behind")
def who_joined_had_the_committed_records(at: At, seen: Seen) -> bool | None:
    """Its log ended at the leader's high watermark or above, as far as the samples can tell."""
    brokers = at.brokers("who") if "who" in at.said else _difference(at, seen)[1]
    leader = _named_leader(at)
    hw = (
        meets(at.said["hw"], seen.high_watermark(leader, at.event.at)) if "hw" in at.said and leader else None
    )
    ends = [seen.log_end(one, at.event.at) for one in brokers]
    if not brokers or None in ends or at.message.id.endswith("behind"):
        return None
    said = at.number("hw") if "hw" in at.said else None
    if hw is False:
        return False
    if said is None and leader is not None:
        bounds = seen.high_watermark(leader, at.event.at)
        said = None if bounds is None else bounds[0]
    return None if said is None else all(one is not None and one[1] >= said for one in ends)


@truth("why.process.starting", "why.process.unclean-restart")
def its_process_had_been_started(at: At, seen: Seen) -> bool | None:
    """Its last step is a start, not long ago; after a kill, where it was not shut down."""
    last = seen.last_step(at.who, at.event.at)
    if last is None:
        return None
    starts = [when for when, do in seen.steps(at.who) if do == "start" and when <= at.event.at + BEFORE]
    started = last[1] in ("start", "freeze", "thaw") and bool(starts) and at.event.at - starts[-1] <= _SOON
    if at.message.id != "why.process.unclean-restart" or not started:
        return started
    before = [do for when, do in seen.steps(at.who) if when < starts[-1] and do in (*DOWN, "freeze")]
    return bool(before) and before[-1] != "term"


@truth("why.process.started", "why.process.registered", "why.process.unfenced")
def its_process_ran(at: At, seen: Seen) -> bool | None:
    """It had been started, and was not down."""
    last = seen.last_step(at.who, at.event.at)
    return None if last is None else last[1] not in ("kill", "stopped", "exited")


@truth("why.process.hands-over")
def it_was_told_to_stop(at: At, seen: Seen) -> bool | None:
    last = seen.last_step(at.who, at.event.at)
    if last is None or not any(do == "term" for _, do in seen.steps(at.who)):
        return None
    return last[1] == "term" or (None if last[1] in ("start", "thaw") else False)


@truth("why.process.shutdown-ended")
def another_leads_then(at: At, seen: Seen) -> bool | None:
    """Or it gave up trying, which no answer of the cluster says."""
    after = [state[0] for when, state in seen.control if when > at.event.at + TOLD]
    return True if seen.known and after and after[0] != at.who else None


@truth("why.process.fenced", "why.process.session-expired", "why.process.failure-noticed")
def it_leads_nothing_until_it_is_back(at: At, seen: Seen) -> bool | None:
    kinds = ("broker_unfenced", "broker_registered", "broker_started")

    def back(event: Event) -> bool:
        return event.get("replica") == at.who and event.kind in kinds

    till = next((event.at for event in at.run.events[at.place + 1 :] if back(event)), 1 << 63)
    led = [state[0] for when, state in seen.control if at.event.at + TOLD < when < till - TOLD]
    return at.who not in led if seen.known and led else None


@truth("why.process.controller")
def it_was_the_controller(at: At, seen: Seen) -> bool | None:
    """Under ZooKeeper the recorder asked who is; with KRaft who leads the quorum."""
    asked = [(one["at_ns"], one["controller"]) for one in seen.truth["samples"] if "controller" in one]
    before = [who for when, who in asked if when <= at.event.at + TOLD]
    after = [who for when, who in asked if when > at.event.at + TOLD]
    near = {*before[-1:], *after[:1]}
    return True if at.who in near or at.event.get("replica") in near else None


@truth("why.created", "why.created.title")
def it_was_created(at: At, seen: Seen) -> bool | None:
    topic = seen.tp.rsplit("-", 1)[0]
    made = [
        one["at_ns"] for one in seen.truth["steps"] if one["do"] == "create_topic" and one["topic"] == topic
    ]
    return any(abs(when - at.event.at) <= _SOON for when in made) if made else None


@truth("why.stale-request", "why.stale-request.title", "why.rule.stale-request")
def that_epoch_had_begun(at: At, seen: Seen) -> bool | None:
    """The cluster had answered with this epoch, or a later one, by then."""
    epoch = at.event.get("epoch")
    begun = [state[1] for when, state in seen.control if when <= at.event.at + TOLD and state[1] is not None]
    return True if seen.known and epoch is not None and begun and max(begun) >= epoch else None


@truth("why.rule.cut.unknown")
def nothing_names_the_rule(at: At, seen: Seen) -> bool | None:
    return at.event.get("aux") in (None, CutReason.UNKNOWN)
