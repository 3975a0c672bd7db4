"""Sentences on what stands in a log, on high watermarks, checkpoints and epoch caches."""

from core.trace.evidence import evidence_of
from core.trace.vocabulary import CutReason
from tests.claims.claim import At, claim
from tests.claims.world import Replica

_FAR = 10**9


@claim("why.appended.title", "why.appended.by-leader", "why.appended.by-follower")
def it_appends_these(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    one = at.after.of(at.who)
    right = at.is_broker("who", at.who) and at.is_records("what", one.records(first, end), first, end)
    if at.message.id == "why.appended.title":
        return right
    led = one.role == "leader"
    return right and at.number("epoch") == one.log[-1][1] and led == at.message.id.endswith("leader")


@claim("why.appended.end", "why.appended.end.only")
def its_log_ends_there_now(at: At) -> bool:
    one = at.after.of(at.who)
    if at.message.id.endswith(".only"):
        return at.number("end") == one.end
    return (at.number("end"), at.number("hw")) == (one.end, one.hw)


@claim("why.rule.appended")
def followers_copy_what_the_leader_has(at: At) -> bool:
    """A follower's records come from an answer, committed or not."""
    if at.after.of(at.who).role != "follower":
        return True
    return any(
        event.kind in ("fetch_delivered", "partition_created", "broker_started") for event in at.caused()
    )


@claim(
    "why.loaded.title",
    "why.loaded",
    "why.log-end.title",
    "why.log-end.at-least.title",
    "why.log-end.on-disk.title",
)
def its_log_ends_there(at: At) -> bool:
    return at.is_broker("who", at.who) and at.number("end") == at.after.of(at.who).end


@claim("why.loaded.shorter")
def records_had_not_reached_the_disk(at: At) -> bool:
    """They went when the log was loaded; with a new disk they had reached the old one."""
    known, count = at.number("known"), at.number("count")
    for event, before, _ in at.earlier():
        if event.get("replica") == at.who and event.kind in ("broker_crashed", "broker_stopped"):
            end = before.of(at.who).end
            return known == end and count == end - at.after.of(at.who).end
    return False


@claim(
    *("why.rule.loaded", "why.log-end", "why.log-end.at-least", "why.log-end.on-disk"),
    *("why.batch.title", "why.batch"),
)
def nothing_changes(at: At) -> bool:
    return at.before.of(at.who).log == at.after.of(at.who).log


@claim("why.batch.unknown-epoch")
def a_batch_without_an_epoch(at: At) -> bool:
    return at.event.get("epoch") is None


@claim("why.epoch-cache.title", "why.epoch-cache", "why.epoch-cache.entries")
def it_loads_its_cache(at: At) -> bool:
    """As many entries follow as it says, and they are those from before."""
    count = at.event.values["aux"]
    told = [event for event, _, _ in at.run.between(at.place + 1, at.place + 1 + count)]
    right = all(event.kind == "epoch_assigned" and event.get("replica") == at.who for event in told)
    said = at.message.id != "why.epoch-cache.entries" or at.number("count") == count
    return right and said and len(told) == count


@claim("why.epoch-cache.on-disk.title", "why.epoch-cache.on-disk", by_lines=True)
def its_file_has_so_many(at: At) -> bool:
    """As many entries as its second line says, which stands in a file of a data directory."""
    found = evidence_of(at.run.trace, at.event.seq)
    named = found is not None and found.file.endswith("/leader-epoch-checkpoint")
    return named and ("count" not in at.said or at.number("count") == at.event.get("aux"))


@claim("why.epoch.on-disk.title", "why.epoch.on-disk", by_lines=True)
def its_file_has_the_entry(at: At) -> bool:
    found = evidence_of(at.run.trace, at.event.seq)
    epoch = "epoch" not in at.said or at.number("epoch") == at.event.get("epoch")
    return (
        found is not None
        and "checkpoint" in found.file
        and epoch
        and at.number("offset") == at.event.get("offset")
    )


@claim("why.log-created.title", "why.log-created")
def it_has_an_empty_log(at: At) -> bool:
    one = at.after.of(at.who)
    start = "start" not in at.said or at.number("start") == one.start
    return at.is_broker("who", at.who) and not one.log and start


@claim("why.log-deleted.title", "why.log-deleted")
def its_log_is_gone(at: At) -> bool:
    return at.is_broker("who", at.who) and not at.after.of(at.who).log


@claim("why.watermark.checkpoint.title", "why.watermark.checkpoint")
def after_a_crash_it_starts_with_that(at: At) -> bool:
    """Or with its log end, where that is lower then, or its log start."""
    hw = at.before.of(at.who).hw
    if at.number("hw") != hw:
        return False
    for event, before, _ in at.later():
        if event.get("replica") == at.who:
            if event.kind in ("hw_checkpointed", "log_reset"):
                break
            if event.kind == "hw_loaded":
                one = before.of(at.who)
                return event.values["hw"] == max(min(hw, one.end), one.start) or event.values["hw"] == hw
    return True


@claim("why.rule.checkpoint")
def it_is_written_every_five_seconds(at: At) -> bool:
    """At a multiple of the interval since the start of the process, at its stop, or before the first step."""
    return at.event.values["hw"] == at.before.of(at.who).hw


@claim("why.watermark.loaded.title")
def it_starts_with_that(at: At) -> bool:
    return at.is_broker("who", at.who) and at.number("hw") == at.after.of(at.who).hw


def _loaded_from(at: At) -> Replica:
    return at.before.of(at.who)


@claim("why.watermark.loaded")
def it_comes_from_the_checkpoint(at: At) -> bool:
    """A clean stop writes one (ReplicaManager.shutdown); else the last one may be of an earlier life."""
    one = _loaded_from(at)
    if at.event.values["hw"] not in (one.checkpoint, max(min(one.checkpoint, one.end), one.start)):
        return False
    ends = ("broker_crashed", "broker_stopped", "broker_exited")
    for event, before, _ in at.earlier():
        if event.get("replica") == at.who and event.kind in ends:
            return event.kind != "broker_stopped" or before.of(at.who).hw == one.checkpoint
    return False


@claim("why.watermark.loaded.zero")
def no_checkpoint_says_more(at: At) -> bool:
    return _loaded_from(at).checkpoint == 0 or _loaded_from(at).end == 0


@claim("why.rule.watermark.loaded")
def of_its_checkpoint_or_its_log_end(at: At) -> bool:
    one, hw = _loaded_from(at), at.event.values["hw"]
    return hw in (one.checkpoint, max(min(one.checkpoint, one.end), one.start))


@claim("why.watermark.is.title", "why.watermark.rises.title", "why.watermark.falls.title")
def it_moves_so(at: At) -> bool:
    was, now = at.before.of(at.who).hw, at.after.of(at.who).hw
    if not at.is_broker("who", at.who) or at.number("hw") != now:
        return False
    if at.message.id == "why.watermark.is.title":
        return True
    return at.number("before") == was and (now > was) == at.message.id.endswith("rises.title")


def _answer(at: At) -> int | None:
    """The high watermark of the answer that made it move."""
    for event in at.caused():
        if event.kind == "fetch_delivered":
            return event.values["hw"]
        if event.kind in ("truncation_decided", "log_reset", "became_follower"):
            return None
        if event.kind == "fetch_diverged":
            return at.before.of(event.get("leader")).hw
    return None


@claim("why.watermark.follower", "why.rule.watermark.follower")
def it_took_over_what_it_was_told(at: At) -> bool:
    if at.event.kind == "fetch_delivered":
        return _after_the_answer(at)
    answer, one = _answer(at), at.after.of(at.who)
    return answer is not None and one.hw == min(answer, one.end)


def _after_the_answer(at: At) -> bool:
    """What the high watermark is once the answer was taken in."""
    wanted = at.event.values["hw"]
    found = at.after.of(at.who)
    for event, _, world in at.later():
        if event.get("replica") != at.who or event.at != at.event.at or at.event.seq != event.cause:
            if event.at != at.event.at:
                break
            continue
        found = world.of(at.who)
    return found.hw == min(wanted, found.end)


@claim("why.watermark.cut", "why.rule.watermark.cut")
def it_went_with_the_log(at: At) -> bool:
    """Lowered to the offset of the cut."""
    lowered = at.run.rules.switches.hw_after_cut == "lowered"
    cut = next(at.caused())
    return lowered and cut.kind == "truncation_decided" and at.after.of(at.who).hw == cut.values["offset"]


@claim("why.watermark.reset", "why.rule.watermark.reset")
def it_began_anew_with_the_log(at: At) -> bool:
    one = at.after.of(at.who)
    return next(at.caused()).kind == "log_reset" and not one.log and one.hw == one.start


@claim("why.watermark.follower.knows")
def it_takes_these_to_be_committed(at: At) -> bool:
    """Where its log is not the leader's (before 2.0 a leader does not see it) they may not be."""
    was, one = at.before.of(at.who).hw, at.after.of(at.who)
    return at.is_records("what", one.records(was, one.hw), was, one.hw) and one.role == "follower"


@claim("why.watermark.stated")
def nothing_tells_why(at: At) -> bool:
    """Before the first step, where a script says it: no answer and no cut came before."""
    return not any(
        event.kind in ("fetch_delivered", "truncation_decided", "log_reset") for event in at.caused()
    )


@claim("why.watermark.own")
def its_own_log_ends_there(at: At) -> bool:
    one = at.before.of(at.who)
    members = [broker for broker in one.isr if broker != at.who]
    return at.number("end") == one.end and not any(broker in one.remote for broker in members)


@claim("why.watermark.counted")
def its_log_and_those_of_the_counted(at: At) -> bool:
    """The high watermark is the smallest of what the sentence names, or less where others count too."""
    one = at.after.of(at.who)
    return at.number("end") == one.end and one.hw <= one.end


@claim("why.watermark.fetched")
def it_has_fetched_up_to(at: At) -> bool:
    (broker,) = at.brokers("broker")
    return at.before.of(at.who).remote.get(broker) == at.number("end")


@claim("why.watermark.alone")
def it_is_alone(at: At) -> bool:
    one = at.before.of(at.who)
    return one.isr == (at.who,) and at.number("end") == one.end and one.hw <= one.end


@claim("why.watermark.committed")
def these_are_committed_and_visible(at: At) -> bool:
    """By the ledger they are; those of a former leader's had been before."""
    was, one = at.before.of(at.who).hw, at.after.of(at.who)
    log = one.records(was, one.hw)
    return at.is_records("what", log, was, one.hw) and at.committed(log)


@claim("why.rule.watermark.leader")
def the_smallest_log_end_of_the_counted(at: At) -> bool:
    """Held against the rule at each rise: no member of the in-sync set that the leader goes by is below."""
    if at.event.kind == "follower_leo_recorded":
        return True
    one = at.after.of(at.who)
    members = set(one.isr) | set(one.proposed or ())
    known = [one.remote[broker] for broker in members if broker in one.remote]
    unknown = [broker for broker in members if broker not in one.remote and broker != at.who]
    return not unknown and one.hw <= min([one.end, *known])


@claim("why.epoch.dropped.title", "why.epoch.dropped", "why.rule.epoch.dropped")
def entries_from_there_on_are_gone(at: At) -> bool:
    offset = at.event.values["offset"]
    was, now = at.before.of(at.who).entries, at.after.of(at.who).entries
    return now == tuple(entry for entry in was if entry[1] < offset) and now != was


@claim("why.epoch.noted.title")
def the_entry_is_in_the_cache(at: At) -> bool:
    epoch, offset = at.event.values["epoch"], at.event.values["offset"]
    right = (at.number("epoch"), at.number("offset")) == (epoch, offset)
    return right and (epoch, offset) in at.after.of(at.who).entries


@claim("why.epoch.noted")
def none_of_the_epoch_stands_below(at: At) -> bool:
    epoch, offset = at.event.values["epoch"], at.event.values["offset"]
    one = at.after.of(at.who)
    own = [place for place, (_, other) in enumerate(one.log, one.start) if other == epoch]
    return the_entry_is_in_the_cache(at) and all(place >= offset for place in own)


@claim("why.rule.epoch.noted")
def by_a_write_an_election_or_a_batch(at: At) -> bool:
    kinds = ("appended", "became_leader", "epoch_cache_loaded")
    return at.event.cause is not None and next(at.caused()).kind in kinds


@claim("why.flushed.title", "why.flushed", "why.flushed.nothing")
def what_is_flushed_stays(at: At) -> bool:
    return at.event.kind == "flushed"


@claim("why.log-start.title", "why.log-start", "why.log-start.offset")
def the_log_begins_there(at: At) -> bool:
    said = at.message.id != "why.log-start.offset" or at.number("offset") == at.after.of(at.who).start
    return said and at.event.kind == "log_start_moved"


@claim("why.rule.cut.reset")
def it_starts_where_the_leader_does(at: At) -> bool:
    one = at.before.of(at.who)
    if at.event.kind == "fetch_offset_reset":
        return one.end < at.before.of(one.leader).start == at.event.get("offset")
    reset = at.event.get("aux") == CutReason.RESET
    return reset and one.end < at.before.of(one.leader).start == at.after.of(at.who).start
