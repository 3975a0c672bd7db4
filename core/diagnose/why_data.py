"""Why records were written, fetched, committed, confirmed or loaded."""

from typing import Final

from core.diagnose.scene import Scene, Told, capital, count, said
from core.history.state import Role
from core.trace.vocabulary import StopReason

_HW_RULE: Final = (
    "The leader's high watermark is the smallest log end among itself and counted followers.",
    "every release",
)
_FOLLOWER_RULE: Final = (
    "A follower's high watermark is min(what the answer says, its own log end).",
    "every release",
)
_PARKED_RULE: Final = (
    "A fetch that waited is read again when it ends, and carries the high watermark of that moment.",
    "every release",
)
_FETCH_RULE: Final = (
    "An answer given at once carries the high watermark from before this fetch raised it.",
    "every release; 2.4 and 2.5 answer again when it has risen",
)


def appended(scene: Scene) -> Told:
    """Records were written to a log."""
    row = scene.row
    state = scene.now(row.replica)
    what = scene.records(row.replica, row.from_offset, row.offset)
    hw = said(state.hw if state is not None else None)
    if state is not None and state.role is Role.LEADER:
        first = f"{scene.subject} leads, and appended {what} in epoch {said(row.epoch)}."
    else:
        first = f"{scene.subject} copied {what}, written in epoch {said(row.epoch)}, from its leader."
    return Told(
        f"{scene.subject} appends {what}",
        (first, f"Its log now ends at {said(row.leo)}; its high watermark is {hw}."),
        "Followers copy what the leader has appended, committed or not.",
        "every release",
    )


def loaded(scene: Scene) -> Told:
    """A log was loaded at a start."""
    row = scene.row
    was = scene.was(row.replica)
    sentences = [f"{scene.subject} found a log that ends at {said(row.leo)} on its disk."]
    known = was.leo.lo if was is not None else None
    if known is not None and row.leo is not None and known > row.leo:
        sentences.append(
            f"It had ended at {known} or more: {count(known - row.leo, 'record')} had not reached the disk."
        )
    return Told(
        f"{scene.subject} loads its log up to {said(row.leo)}",
        tuple(sentences),
        "After an unclean stop the tail of the log is checked, and cut at the first batch that is not whole.",
        "every release",
    )


def stated(scene: Scene) -> Told:
    """A line or a file that states what a log holds, and changes nothing."""
    row = scene.row
    if row.kind == "batch_on_disk":
        what = scene.records(row.replica, row.from_offset, row.offset)
        title = f"{scene.subject} has {what} on its disk"
        epoch = "" if row.epoch is None else f" of epoch {row.epoch}"
        return Told(title, (f"A batch{epoch} in a segment of its log holds {what}.",))
    if row.kind == "epoch_cache_loaded":
        entries = "" if row.aux is None else f" It has {row.aux} {'entry' if row.aux == 1 else 'entries'}."
        return Told(
            f"{scene.subject} loads its leader epoch cache",
            (f"{scene.subject} knows again at which offset each leader epoch began.{entries}",),
        )
    if row.kind == "flushed":
        upto = said(row.offset)
        return Told(
            f"{scene.subject} has written its log up to {upto} to the disk",
            (
                f"What lies below {upto} survives a failure of the machine."
                if row.offset
                else "None of it is sure to survive a failure.",
            ),
        )
    disk = row.kind == "log_end_on_disk"
    return Told(
        f"{scene.subject}'s log ends at {said(row.leo)}{' on its disk' if disk else ''}",
        (
            "The copy of its data directory holds no more."
            if disk
            else "The broker states it; nothing changed.",
        ),
    )


def watermark(scene: Scene) -> Told:
    """A high watermark moved or was stated."""
    row = scene.row
    was, now = scene.was(row.replica), scene.now(row.replica)
    before = was.hw.exact if was is not None else None
    hw = row.hw
    if row.kind == "hw_checkpointed":
        return Told(
            f"{scene.subject} writes its high watermark {said(hw)} to its checkpoint",
            (f"After a crash {scene.who} would start with high watermark {said(hw)}.",),
            "Every 5 s each replica's high watermark is written to replication-offset-checkpoint.",
            "every release",
        )
    if row.kind == "hw_loaded":
        return Told(
            f"{scene.subject} starts with high watermark {said(hw)}",
            (
                "It comes from the last checkpoint, written at most 5 s before the stop."
                if hw
                else "No checkpoint of this replica says more.",
            ),
            "A replica starts with the high watermark of its checkpoint, or its log end where that is lower.",
            "every release",
        )
    back = before is not None and hw is not None and hw < before
    verb = "falls" if back else "rises" if before is not None and hw is not None and hw > before else "is"
    path = f"from {before} to {hw}" if before is not None and before != hw else said(hw)
    title = f"{scene.subject}'s high watermark {verb} {path}"
    if now is not None and now.role is Role.LEADER:
        return Told(title, _leader_rise(scene, before, hw), *_HW_RULE)
    committed = scene.records(row.replica, before, hw) if not back else ""
    first = f"{scene.subject} took over what its leader told it, as far as its own log reaches."
    one = hw is not None and before is not None and hw - before == 1
    known = committed not in ("", "no records")
    then = f"It now knows that {committed} {'is' if one else 'are'} committed." if known else ""
    return Told(title, tuple(text for text in (first, then) if text), *_FOLLOWER_RULE)


def _leader_rise(scene: Scene, before: int | None, hw: int | None) -> tuple[str, ...]:
    """Which logs the leader counted, and what is visible now."""
    row = scene.row
    now = scene.now(row.replica)
    if now is None:
        return ()
    isr = scene.after.isr or ()
    counted = [f"its own log ends at {said(now.leo)}"]
    counted += [
        f"{scene.name(broker)} has fetched up to {leo}"
        for broker, leo in now.remote
        if broker in isr and leo is not None
    ]
    sentences = [capital(f"{'; '.join(counted)}.")]
    if len(isr) == 1:
        sentences = [f"{scene.subject} is alone in the in-sync set, and its log ends at {said(now.leo)}."]
    what = scene.records(row.replica, before, hw)
    if what != "no records":
        sentences.append(f"Now committed and visible to consumers: {what}.")
    return tuple(sentences)


def fetched(scene: Scene) -> Told:
    """A fetch on its way: sent, received, parked, answered or delivered."""
    row = scene.row
    follower, leader = (
        scene.name(row.replica),
        scene.name(row.leader if row.leader is not None else row.broker),
    )
    if row.kind == "fetch_sent":
        return Told(
            f"{capital(follower)} fetches at {said(row.offset)}",
            (f"{capital(follower)} asks {leader} for what follows its log end {said(row.offset)}.",),
            "The offset of a fetch tells the leader how far the follower's log reaches.",
            "every release",
        )
    if row.kind == "fetch_received":
        return Told(
            f"{capital(leader)} receives {follower}'s fetch at {said(row.offset)}",
            (f"{capital(leader)} learns that {follower} holds {_below(row.offset)}.",),
            "The leader records the offset of a fetch as the follower's log end before it makes the answer.",
            "every release",
        )
    if row.kind == "follower_leo_recorded":
        return Told(
            f"{capital(leader)} records {follower}'s log end as {said(row.leo)}",
            (f"{capital(follower)} fetched at {said(row.leo)}: it holds {_below(row.leo)}.",),
            *_HW_RULE,
        )
    if row.kind == "fetch_parked":
        return Told(
            f"{capital(leader)} parks {follower}'s fetch at {said(row.offset)}",
            (f"There is nothing at {said(row.offset)} yet: the fetch waits for data, at most 500 ms.",),
            "A fetch with nothing to return waits; a rise of the high watermark alone does not wake it.",
            "every release but 2.4 and 2.5",
        )
    if row.kind == "fetch_answered":
        what = scene.records(row.broker, row.from_offset, row.offset)
        state = scene.now(row.broker)
        gap = ""
        if (
            state is not None
            and state.hw.exact is not None
            and row.hw is not None
            and row.hw < state.hw.exact
        ):
            gap = (
                f"The leader's own is {state.hw.exact} already; {follower} learns of it with a later answer."
            )
        first = f"{capital(leader)} sends {what} and high watermark {said(row.hw)}."
        rule = _PARKED_RULE if scene.parked() else _FETCH_RULE
        title = f"{capital(leader)} answers {follower}: {what}, high watermark {said(row.hw)}"
        return Told(title, _some(first, gap), *rule)
    what = scene.records(row.leader, row.from_offset, row.offset)
    does = "has nothing to append, and" if what == "no records" else "appends, then"
    return Told(
        f"{capital(follower)} receives {what} and high watermark {said(row.hw)}",
        (f"{capital(follower)} {does} takes min({said(row.hw)}, its log end) as its high watermark.",),
        *_FOLLOWER_RULE,
    )


def _below(offset: int | None) -> str:
    return "nothing yet" if offset == 0 else f"everything below {said(offset)}"


def _some(*texts: str) -> tuple[str, ...]:
    return tuple(text for text in texts if text)


_STOPPED: Final = {
    StopReason.UNKNOWN: "the answer was an error",
    StopReason.UNREACHABLE: "the leader could not be reached",
    StopReason.FENCED_LEADER_EPOCH: "its leader epoch was older than the leader's",
    StopReason.UNKNOWN_LEADER_EPOCH: "the leader has not heard of its leader epoch yet",
    StopReason.NOT_LEADER: "the broker asked does not lead",
    StopReason.OFFSET_OUT_OF_RANGE: "the offset lies outside of the leader's log",
}


def begun(scene: Scene) -> Told:
    """A fetcher was added or removed, or a log created."""
    row = scene.row
    leader = scene.name(row.leader if row.leader is not None else scene.after.leader)
    if row.kind == "fetcher_added":
        at = "" if row.offset is None else f" at {row.offset}"
        return Told(
            f"{scene.subject} begins to fetch from {leader}{at}",
            (f"From now on {scene.who} asks {leader} for records, one fetch after the other.",),
        )
    if row.kind == "fetcher_removed":
        return Told(
            f"{scene.subject} stops fetching",
            ("Its log stands still until it fetches again or leads.",),
        )
    return Told(f"{scene.subject} creates an empty log", (f"The log of {scene.who} begins at offset 0.",))


def failed(scene: Scene) -> Told:
    """A fetch or a question about an epoch got no answer, or an error."""
    row = scene.row
    what = "fetch" if row.kind == "fetch_failed" else "question about its epoch"
    at = "" if row.offset is None else f" at {row.offset}"
    reason = _STOPPED[StopReason(row.aux or 0)]
    keeps = f"{scene.subject} keeps its log as it is and tries again."
    if row.aux == StopReason.OFFSET_OUT_OF_RANGE:
        keeps = "It now asks where the leader's log ends."
    return Told(
        f"{scene.subject}'s {what}{at} fails",
        (f"{scene.subject}'s {what}{at} to {scene.name(row.leader)} failed: {reason}.", keeps),
    )


def asked(scene: Scene) -> Told:
    """The request of KIP-101 and its answer; a fetch that found the logs apart."""
    row = scene.row
    leader = scene.name(row.leader)
    if row.kind == "epoch_end_asked":
        rule = (
            "A follower asks for the end of its own last epoch before it fetches (KIP-101).",
            "0.11.0 to 2.7",
        )
        return Told(
            f"{scene.subject} asks {leader} for the end of epoch {said(row.aux)}",
            (f"{scene.subject}'s last record is of epoch {said(row.aux)}: where did that epoch end?",),
            *rule,
        )
    if row.kind == "fetch_diverged":
        return Told(
            f"{capital(leader)} answers that the logs part at {said(row.offset)}",
            (f"{scene.subject}'s epoch does not fit {leader}: both agree up to {said(row.offset)}.",),
            "The leader compares the last fetched epoch of a fetch with its own epoch cache (KAFKA-10554).",
            "2.8, with inter-broker protocol 2.7 or later",
        )
    return Told(
        f"{capital(leader)} answers that the epoch ended at {said(row.offset)}",
        (f"The end of an epoch is the start of the next one in {leader}'s cache, or its log end.",),
        "The leader answers with the end of the epoch asked for (KIP-101; with its epoch from KIP-279 on).",
        "0.11.0 to 2.7",
    )


def epoch_entry(scene: Scene) -> Told:
    """The leader epoch cache changed."""
    row = scene.row
    if row.kind == "epoch_cache_cut":
        return Told(
            f"{scene.subject} drops epochs from {said(row.offset)} on",
            (f"Entries that start at {said(row.offset)} or above went with the cut.",),
            "A cut drops the entries that start at or above it.",
            "0.11.0",
        )
    return Told(
        f"{scene.subject} notes epoch {said(row.epoch)} from offset {said(row.offset)}",
        (f"The first record of epoch {said(row.epoch)} has offset {said(row.offset)}.",),
        "A leader makes the entry with its first write, from 2.0.1 at its election; followers from batches.",
        "0.11.0",
    )


def client(scene: Scene) -> Told:
    """A producer or a consumer."""
    row = scene.row
    what = scene.records(row.replica, row.from_offset, row.offset)
    acks = {0: "0", 1: "1", -1: "all"}.get(row.aux if row.aux is not None else 9, "not known")
    state = scene.now(row.replica)
    if row.kind == "produced":
        size = count((row.offset or 0) - (row.from_offset or 0), "record")
        return Told(
            f"A producer sends {size} to {scene.name(row.replica)}",
            (f"The producer asks for acks={acks}.",),
        )
    if row.kind == "acknowledged":
        told = (
            f"The high watermark {said(state.hw if state is not None else None)} has passed it."
            if acks == "all"
            else "The leader has appended it; nobody else needs to hold it."
        )
        return Told(
            f"{scene.subject} acknowledges {what}",
            (f"With acks={acks} the producer is now told that {what} is written.", told),
            "acks=all waits for the high watermark, acks=1 for the leader's append alone.",
            "every release; the default is all from 3.0",
        )
    if row.kind == "produce_failed":
        return Told(
            f"The producer gets no confirmation of {what}",
            ("The records stay in the leader's log and may still be committed.",),
            "A produce request that times out takes nothing back.",
            "every release",
        )
    return Told(
        f"A consumer reads {what}",
        (f"It sees everything below the high watermark {said(row.hw)}, and nothing above.",),
        "Consumers are given records below the high watermark.",
        "every release",
    )
