"""Sentences on transactions. What a log holds of them comes from the script and from the world's logs."""

from core.sim.script import Produce
from core.trace.evidence import evidence_of
from tests.claims.claim import At, claim
from tests.claims.world import Replica


def _writers(at: At) -> dict[str, str]:
    """By the name of a record the producer in whose transaction the script has it written."""
    actions = [step.action for step in at.run.script.steps]
    produced = [one for one in actions if isinstance(one, Produce) and one.transaction]
    return {name: one.transaction for one in produced for name in one.records}


def _ends(at: At) -> dict[int, str]:
    """By the number of a marker its producer."""
    names = at.run.trace.facts.get("producers", "").split(",")
    found: dict[int, str] = {}
    for place, event in enumerate(at.run.events):
        if event.kind in ("transaction_committed", "transaction_aborted"):
            log = at.run.worlds[place + 1].of(event.get("replica"))
            (record,) = log.records(event.values["offset"], event.values["offset"] + 1)
            found[record] = names[event.values["aux"] - 1]
    return found


def _stable(at: At, replica: Replica) -> int:
    """The last stable offset of a log, read from its first record on."""
    writers, ends, hw = _writers(at), _ends(at), replica.hw
    ongoing: dict[str, int] = {}
    unstable = [hw]
    for offset, (record, _) in enumerate(replica.log, replica.start):
        name = at.run.truth.names[record]
        if name in writers:
            ongoing.setdefault(writers[name], offset)
        elif record in ends and ends[record] in ongoing:
            first = ongoing.pop(ends[record])
            unstable += [first] if offset >= hw else []
    return min([*unstable, *ongoing.values()])


def _producer(at: At) -> bool:
    return at.said["producer"] == at.run.trace.facts["producers"].split(",")[at.event.values["aux"] - 1]


@claim("why.transaction.written.on-disk", by_lines=True)
def a_file_holds_them(at: At) -> bool:
    """A batch in a segment file, of which the event says no more than its offsets."""
    return at.event.kind == "transaction_written" and evidence_of(at.run.trace, at.event.seq) is not None


@claim("why.transaction.written.title", "why.transaction.written")
def these_are_in_a_transaction(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    log = at.after.of(at.who).records(first, end)
    writers = {_writers(at).get(at.run.truth.names[record]) for record in log}
    if at.message.id == "why.transaction.written":
        return len(writers) == 1 and None not in writers
    return writers == {at.said["producer"]} and at.is_records("what", log, first, end)


@claim("why.stable")
def readers_of_transactions_stop_there(at: At) -> bool:
    """Right after the row the offset may still be told by the next one, of the same instant."""
    return at.number("lso") == _stable(at, at.after.of(at.who)) and at.is_broker("who", at.who)


@claim("why.stable.moved.title", "why.stable.hidden", "why.stable.all")
def the_stable_offset_is_there(at: At) -> bool:
    replica = at.after.of(at.who)
    hidden = replica.hw - _stable(at, replica)
    if at.message.id == "why.stable.moved.title":
        return at.number("lso") == at.event.values["offset"] == _stable(at, replica)
    if at.message.id == "why.stable.all":
        return not hidden
    return at.number("hw") == replica.hw and at.number("count") == hidden > 0


@claim("why.rule.stable", "why.since.transactions")
def since_transactions(at: At) -> bool:
    return at.run.release >= (0, 11)


@claim("why.producer.id")
def by_its_number(at: At) -> bool:
    return at.number("id") == at.event.get("aux")


@claim("why.transaction.committed.title", "why.transaction.aborted.title")
def a_marker_is_there(at: At) -> bool:
    return _producer(at) and at.number("offset") == at.after.of(at.who).end - 1


@claim("why.transaction.committed", "why.transaction.aborted")
def the_transaction_is_over(at: At) -> bool:
    (record,) = at.after.of(at.who).records(at.event.values["offset"], at.event.values["offset"] + 1)
    word = "abort" if at.message.id.endswith("aborted") else "commit"
    return at.run.truth.names[record] == word


@claim("why.transaction.refused.title", "why.transaction.refused", "why.transaction.refused.else")
def nothing_of_it_is_appended(at: At) -> bool:
    return at.event.kind == "transaction_refused" and at.before == at.after


@claim("why.rule.verified", "why.since.verified")
def the_coordinator_is_asked(at: At) -> bool:
    return at.run.rules.switches.transactions in ("verified", "new-epoch")


@claim("why.producer.fenced.title", "why.producer.fenced")
def an_old_epoch(at: At) -> bool:
    """The log holds a later epoch of the same producer."""
    later = [
        event.values["epoch"]
        for event in at.run.events[: at.place]
        if event.kind.startswith("transaction_")
        and event.get("aux") == at.event.get("aux")
        and event.get("replica") == at.who
    ]
    epoch = at.event.values["epoch"]
    told = at.message.id.endswith("title") or at.number("epoch") == epoch
    return told and at.before == at.after and (max(later, default=epoch) >= epoch)


@claim("why.rule.producer-epoch", "why.since.producer-epoch")
def an_epoch_fences(at: At) -> bool:
    return at.event.kind == "producer_fenced"


@claim("why.transaction.timed-out.title", "why.transaction.timed-out", "why.rule.timed-out")
def its_marker_raises_the_epoch(at: At) -> bool:
    told = not at.message.id.endswith("title") or _producer(at)
    return told and at.event.kind == "transaction_timed_out"


@claim("why.consumer.waits.stable", "why.consumer.waits.parked.stable")
def an_open_transaction_is_there(at: At) -> bool:
    offset, hw = at.event.values["offset"], at.before.of(at.who).hw
    there = offset < hw and _stable(at, at.before.of(at.who)) <= offset
    told = "hw" not in at.said or (at.number("hw"), at.number("offset")) == (hw, offset)
    return told and there and at.run.script.consumers[at.event.values["aux"] - 1].committed_only
