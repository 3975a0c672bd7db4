"""Sentences on elections, roles and in-sync sets."""

from core.trace.trace import Event
from core.trace.vocabulary import Election
from tests.claims.claim import At, claim
from tests.claims.world import NOBODY, World

DECIDED = ("isr_committed", "leader_elected", "leaderless", "partition_created")
_NAMED = {
    "why.election.first": Election.FIRST,
    "why.election.clean": Election.CLEAN,
    "why.election.preferred": Election.PREFERRED,
    "why.election.controlled": Election.CONTROLLED,
    "why.election.unclean": Election.UNCLEAN,
    "why.election.elr": Election.ELR,
    "why.election.last-known": Election.LAST_KNOWN,
}


def _alive(world: World, broker: int) -> bool:
    """Whether the controller counts a broker as one that may lead."""
    return broker not in world.gone and broker not in world.leaving


@claim("why.election.first", "why.rule.election.first")
def it_is_the_first_leader(at: At) -> bool:
    return not any(event.kind == "leader_elected" for event, _, _ in at.earlier())


def _no_set_between(at: At) -> bool:
    """Whether the controller took no other set before, of which no event tells yet: each has a number."""
    return (at.event.get("partition_epoch") or 0) <= at.before.partition_epoch + 1


@claim("why.election.clean", "why.rule.election.clean")
def the_leader_was_in_sync(at: At) -> bool:
    """Of a set that no event tells of yet, what the election leaves of it shows that."""
    return at.event.get("leader") in (at.before.isr if _no_set_between(at) else at.run.isr(at.event))


@claim("why.election.preferred", "why.rule.election.preferred")
def it_is_the_first_of_the_assignment_and_in_sync(at: At) -> bool:
    """Also of an assignment that was changed: then the new one counts, which the trace names no more."""
    leader = at.event.get("leader")
    assigned = at.run.trace.partitions[at.run.partition].replicas
    moved = at.run.script.id == "reassignment"
    return leader in at.before.isr and (leader == assigned[0] or moved)


@claim("why.election.controlled", "why.rule.election.controlled")
def the_leader_before_is_stopping(at: At) -> bool:
    return at.before.leader in at.before.leaving and at.event.get("leader") in at.before.isr


@claim("why.election.unclean", "why.rule.election.unclean")
def the_leader_was_neither_in_sync_nor_eligible(at: At) -> bool:
    leader = at.event.get("leader")
    return leader not in at.before.isr and leader not in at.before.eligible


@claim("why.election.elr", "why.rule.election.elr")
def the_leader_was_eligible(at: At) -> bool:
    """And it holds all that is committed, unless it stayed eligible while fewer replicas came to suffice."""
    kept = at.run.rules.switches.eligible_on_change == "kept"
    leader = at.event.get("leader")
    column = at.run.truth.ledger.committed
    held = set(at.before.of(leader).records(0, 10**9))
    every = {record for one in at.before.replicas.values() for record, _ in one.log if record >= 0}
    committed = {record for record in every if 0 <= column[record] < at.event.seq}
    return leader in at.before.eligible and leader not in at.before.isr and (kept or committed <= held)


@claim("why.election.last-known", "why.rule.election.last-known")
def the_last_leader_leads_again(at: At) -> bool:
    led = [event.get("leader") for event, _, _ in at.earlier() if event.kind == "leader_elected"]
    return bool(led) and led[0] == at.event.get("leader") and not at.before.isr


@claim("why.election.unknown")
def an_election(at: At) -> bool:
    return at.event.kind == "leader_elected"


@claim("why.elected.title", "why.elected", "why.elected.member", "why.elected.stranger")
def it_leads_from_now_on(at: At) -> bool:
    leader = at.event.get("leader")
    right = at.is_broker("who", leader) and at.number("epoch") == at.event.get("epoch") == at.after.epoch
    if at.message.id.endswith((".title", ".elected")):
        return right
    members = set(at.brokers("isr")) if at.before.isr else set[int]()
    inside = leader in at.before.isr
    right = right and _no_set_between(at)
    return right and members == set(at.before.isr) and inside == at.message.id.endswith(".member")


@claim("why.elected.log", "why.elected.log.first", "why.elected.log.only")
def it_holds_that_and_the_rest_is_no_part(at: At) -> bool:
    """What others hold above its log end is in no log that it leads with."""
    leader = at.event.get("leader")
    one = at.before.of(leader)
    if at.message.id.endswith(".only"):
        return at.number("end") == one.end
    if (at.number("end"), at.number("hw")) != (one.end, one.hw):
        return False
    if at.message.id.endswith(".first"):
        return True
    mine = set(one.records(0, 10**9))
    above = {
        record
        for broker, other in at.before.replicas.items()
        if broker != leader
        for record in other.records(one.end, 10**9)
        if record >= 0 and record not in mine
    }
    for event, _, world in at.later():
        if event.kind in ("leader_elected", "leaderless") and event.get("leader") != leader:
            break
        if world.of(leader).role == "leader" and above & set(world.of(leader).records(one.end, 10**9)):
            return False
    return True


@claim("why.leaderless.title")
def nobody_leads(at: At) -> bool:
    return at.after.leader == NOBODY


@claim("why.leaderless", "why.leaderless.empty")
def none_of_the_in_sync_set_may_lead(at: At) -> bool:
    isr = at.run.isr(at.event)
    if at.message.id == "why.leaderless.empty":
        return not isr
    return set(at.brokers("isr")) == set(isr) and not any(
        broker in at.before.up and _alive(at.before, broker) for broker in isr
    )


def _next_leader(at: At) -> tuple[Event, World] | None:
    return next(((event, before) for event, before, _ in at.later() if event.kind == "leader_elected"), None)


@claim("why.leaderless.next")
def a_member_leads_next(at: At) -> bool:
    found = _next_leader(at)
    if found is None:
        return False
    event, _ = found
    return event.values["epoch"] > at.after.epoch and event.get("leader") in at.run.isr(at.event)


@claim("why.leaderless.then")
def one_that_may_lead_has_to_return(at: At) -> bool:
    """Until a leader is elected nothing is confirmed to a producer with acks=all."""
    for event, _, _ in at.later():
        if event.kind == "leader_elected":
            break
        if event.kind == "acknowledged" and event.get("aux") == -1:
            return False
    return True


@claim("why.rule.leaderless")
def only_an_in_sync_replica_may_lead(at: At) -> bool:
    switches = at.run.rules.switches
    return switches.controller == "zookeeper" or switches.eligible_leaders == "off"


@claim("why.rule.leaderless.eligible")
def an_eligible_one_may_lead_too(at: At) -> bool:
    switches = at.run.rules.switches
    return switches.controller == "kraft" and switches.eligible_leaders == "on"


@claim("why.leads.title", "why.leads")
def it_begins_to_lead(at: At) -> bool:
    one = at.after.of(at.who)
    if at.message.id == "why.leads.title":
        return one.role == "leader" and at.is_broker("who", at.who) and at.number("epoch") == one.epoch
    return (at.number("end"), at.number("hw")) == (one.end, one.hw)


@claim("why.leads.then")
def its_high_watermark_waits_for_fetches(at: At) -> bool:
    if at.after.of(at.who).remote:
        return False
    for event, _, _ in at.later():
        if event.kind in ("fetch_received", "follower_leo_recorded") and event.get("broker") == at.who:
            return True
        if event.kind == "hw_moved" and event.get("replica") == at.who:
            return False
        if event.kind in DECIDED:
            return True
    return True


@claim("why.follows.title", "why.follows")
def it_begins_to_follow(at: At) -> bool:
    one = at.after.of(at.who)
    if at.message.id == "why.follows":
        return (at.number("end"), at.number("hw")) == (one.end, one.hw)
    right = one.role == "follower" and at.is_broker("who", at.who) and at.is_broker("leader", one.leader)
    return right and at.number("epoch") == one.epoch


def parted(world: World, one: int, other: int) -> int:
    """The first offset at which two logs hold different records, or the end of the shorter one."""
    mine, others = world.of(one), world.of(other)
    for offset in range(max(mine.start, others.start), min(mine.end, others.end)):
        if mine.records(offset, offset + 1) != others.records(offset, offset + 1):
            return offset
    return min(mine.end, others.end)


@claim("why.follows.asks")
def it_asks_before_it_fetches(at: At) -> bool:
    return _first_deed(at) in ("epoch_end_asked", "epoch_end_failed")


@claim("why.follows.cuts")
def it_cuts_before_it_fetches(at: At) -> bool:
    return _first_deed(at) == "truncation_decided"


@claim("why.follows.fetches")
def it_fetches_at_once(at: At) -> bool:
    return _first_deed(at) in ("fetch_sent", "fetch_failed")


def _first_deed(at: At) -> str | None:
    """What a follower does first; None where its role ends before."""
    deeds = ("epoch_end_asked", "epoch_end_failed", "truncation_decided", "fetch_sent", "fetch_failed")
    for event, _, _ in at.later():
        if event.get("replica") == at.who:
            if event.kind in deeds:
                return event.kind
            if event.kind in ("became_leader", "became_follower", "broker_crashed", "broker_stopped"):
                return None
    return None


@claim("why.isr.title", "why.isr.proposed.title")
def the_set_is_that(at: At) -> bool:
    isr = at.run.isr(at.event)
    proposed = at.message.id == "why.isr.proposed.title"
    return set(at.brokers("isr")) == set(isr) and at.event.kind.endswith("_proposed") == proposed


def _reason(at: At, broker: int) -> str:
    """Why a broker is out of the set: the leader's lag rule, the controller, or another assignment."""
    isr = set(at.run.isr(at.event))
    if at.event.kind == "isr_shrink_proposed":
        return "time"
    if broker in at.before.gone or broker not in at.before.up or broker in at.before.leaving:
        down = True
    else:
        down = False
    for event in (*at.caused(), *(one for one, _, _ in at.earlier())):
        if event.kind == "isr_shrink_proposed" and set(at.run.isr(event)) == isr:
            return "time"
        if event.kind == "step":
            break
    return "controller" if down else "other"


def _had(at: At) -> tuple[int, ...]:
    """The set before: of a proposal that which its leader goes by, until it is notified of another one."""
    return at.before.of(at.event.get("leader")).isr if at.event.kind.endswith("_proposed") else at.before.isr


def _gone(at: At) -> tuple[int, ...]:
    return tuple(sorted(set(_had(at)) - set(at.run.isr(at.event))))


@claim("why.isr.left")
def who_left_is_not_in_the_set(at: At) -> bool:
    gone = set(at.brokers("who"))
    return not gone & set(at.run.isr(at.event)) and gone <= set(at.before.isr)


@claim("why.isr.to-leave")
def who_is_to_leave_lags(at: At) -> bool:
    """The leader takes them out of the set that it goes by, for their lag."""
    leader = at.before.of(at.who)
    lag = at.run.lag_time
    for broker in at.brokers("who"):
        fetches = [
            event.at
            for event, _, _ in at.earlier()
            if event.kind == "fetch_received"
            and (event.get("replica"), event.get("broker")) == (broker, at.who)
        ]
        if broker not in leader.isr or (
            fetches and at.event.at - fetches[0] <= lag and _caught_up(at, broker)
        ):
            return False
    return True


def _caught_up(at: At, broker: int) -> bool:
    """Whether a follower has all that the leader has."""
    leader = at.before.of(at.who)
    return leader.remote.get(broker) == leader.end


@claim("why.isr.left.time")
def who_left_was_proposed_for_its_lag(at: At) -> bool:
    return all(_reason(at, broker) == "time" for broker in at.brokers("who"))


@claim("why.isr.outdated")
def it_leads_no_more(at: At) -> bool:
    return at.before.leader != at.who and at.before.of(at.who).role == "leader"


@claim("why.isr.left.controller")
def who_left_is_gone_or_stopping(at: At) -> bool:
    """Dead, fenced, without a session, or in a controlled shutdown."""
    down = at.before.gone | at.before.leaving
    return all(broker in down or broker not in at.before.up for broker in at.brokers("who"))


@claim("why.isr.joined", "why.isr.to-join")
def who_joined_has_reached_the_high_watermark(at: At) -> bool:
    leader = at.before.of(at.after.leader)
    hw = at.number("hw")
    joined = at.brokers("who")
    right = set(joined) <= set(at.run.isr(at.event)) and hw == leader.hw
    return right and all((leader.remote.get(one) or 0) >= (hw or 0) for one in joined)


@claim("why.isr.joined.behind")
def who_joined_is_behind_again(at: At) -> bool:
    leader = at.before.of(at.after.leader)
    return any((leader.remote.get(one) or 0) < leader.hw for one in at.brokers("who"))


@claim("why.isr.alone")
def the_high_watermark_goes_to_the_log_end(at: At) -> bool:
    leader = at.event.values["leader"]
    one = at.after.of(leader)
    if one.hw >= one.end:
        return True
    for event, _, _ in at.later():
        if event.kind in DECIDED:
            return False
        if event.kind == "hw_moved" and event.get("replica") == leader:
            return event.values["hw"] >= one.end
    return False


@claim("why.isr.only")
def the_leader_is_the_only_member(at: At) -> bool:
    return at.run.isr(at.event) == (at.after.leader,)


@claim("why.isr.same")
def the_set_stays(at: At) -> bool:
    return set(at.run.isr(at.event)) == set(_had(at))


@claim("why.rule.isr.leaves")
def it_left_by_time(at: At) -> bool:
    gone = _gone(at)
    return bool(gone) and all(_reason(at, broker) == "time" for broker in gone)


@claim("why.rule.isr.removed")
def the_controller_took_it_out(at: At) -> bool:
    gone = _gone(at)
    down = at.before.gone | at.before.leaving
    return bool(gone) and all(one in down or one not in at.before.up for one in gone)


@claim("why.rule.isr.joins")
def it_joined_by_offset(at: At) -> bool:
    """When the leader proposed it."""
    joined = set(at.run.isr(at.event)) - set(_had(at))
    place = at.place
    for event in at.caused():
        if event.kind == "isr_expand_proposed" and not at.event.kind.endswith("_proposed"):
            place = at.run.place_of(event)
            break
    leader = at.run.worlds[place].of(at.event.get("leader"))
    return bool(joined) and all((leader.remote.get(one) or 0) >= leader.hw for one in joined)


@claim("why.elr.title")
def these_are_eligible(at: At) -> bool:
    isr = at.run.isr(at.event)
    return tuple(at.brokers("members")) == isr if isr else True


@claim("why.elr.may-lead")
def they_were_in_sync_and_no_unclean_stop_is_known(at: At) -> bool:
    """Since they were in sync they have not been registered after an unclean stop."""
    waiting = set(at.run.isr(at.event))
    for event, before, _ in at.earlier():
        waiting -= set(before.isr)
        if event.kind == "broker_registered" and event.get("replica") in waiting:
            return False
    return not waiting


@claim("why.elr.none-but-isr")
def none_is_eligible(at: At) -> bool:
    return not at.run.isr(at.event)


@claim("why.elr.last-leader")
def it_led_last(at: At) -> bool:
    led = [event.get("leader") for event, _, _ in at.earlier() if event.kind == "leader_elected"]
    return bool(led) and at.is_broker("leader", led[0])


@claim("why.rule.elr")
def it_left_below_min_isr(at: At) -> bool:
    return at.run.rules.switches.eligible_leaders == "on"


@claim("why.recovery.begins.title", "why.recovery.begins", "why.recovery.nothing", "why.since.recovery")
def an_unclean_election_marks_it(at: At) -> bool:
    """The election right before it is unclean: its leader was not in the in-sync set."""
    if at.message.id == "why.since.recovery":
        return at.run.release >= (3, 2)
    epoch = "epoch" not in at.said or at.number("epoch") == at.event.get("epoch")
    named = "leader" not in at.said or at.is_broker("leader", at.event.get("leader"))
    chosen = next(event for event in at.caused() if event.kind == "leader_elected")
    unclean = Election(chosen.values["aux"]) in (Election.UNCLEAN, Election.LAST_KNOWN)
    return epoch and named and unclean and at.event.get("aux") == 1


@claim("why.recovery.ends.title", "why.recovery.ends")
def the_leader_has_changed_the_set(at: At) -> bool:
    epoch = "epoch" not in at.said or at.number("epoch") == at.event.get("epoch")
    named = "leader" not in at.said or at.is_broker("leader", at.event.get("leader"))
    asked = any(event.kind.startswith("isr_") for event in at.caused())
    return epoch and named and asked and at.event.get("aux") == 0


@claim("why.rule.recovery")
def it_recovers_since_an_unclean_election(at: At) -> bool:
    marked = [at.event, *(event for event, _, _ in at.earlier() if event.kind == "leader_recovery_changed")]
    return any(event.get("aux") == 1 for event in marked)
