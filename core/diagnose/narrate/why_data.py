"""Why records were written, fetched, committed, confirmed or loaded."""

from typing import Final

from core.diagnose.narrate.holds import began_anew, goes_by, joined_the_tier, went_with_the_log
from core.diagnose.narrate.rules import shows_the_log_end
from core.diagnose.narrate.scene import EVERY_RELEASE, NO_RECORDS, Explanation, Scene
from core.diagnose.narrate.values import number
from core.history.state import Role
from core.message import Count, Message, Value, message
from core.trace.trace import VALUES

HW_RULE: Final = (message("why.rule.watermark.leader"), EVERY_RELEASE)
_CUT_RULE: Final = (message("why.rule.watermark.cut"), message("why.since.watermark.cut"))
_TIER_RULE: Final = (message("why.rule.watermark.tier"), message("why.since.tier"))
_RESET_RULE: Final = (message("why.rule.watermark.reset"), EVERY_RELEASE)
_LOG_END: Final = 1 << VALUES.index("leo")
"""In `at_least` of a row: its log end is a lower bound."""
FOLLOWER_RULE: Final = (message("why.rule.watermark.follower"), EVERY_RELEASE)


def appended(scene: Scene) -> Explanation:
    """Records were written to a log."""
    row, who = scene.row, scene.who
    state = scene.now(row.replica)
    what = scene.records(row.replica, row.from_offset, row.offset)
    hw, epoch = number(state.hw if state is not None else None), number(row.epoch)
    if state is not None and state.role is Role.LEADER:
        first = message("why.appended.by-leader", who=who, what=what, epoch=epoch)
    else:
        first = message("why.appended.by-follower", who=who, what=what, epoch=epoch)
    return Explanation(
        message("why.appended.title", who=who, what=what),
        (
            first,
            message("why.appended.end.only", end=number(row.leo))
            if state is None or (state.hw.lo is None and state.hw.hi is None)
            else message("why.appended.end", end=number(row.leo), hw=hw),
        ),
        message("why.rule.appended"),
        EVERY_RELEASE,
    )


def loaded(scene: Scene) -> Explanation:
    """A log was loaded at a start."""
    row, who = scene.row, scene.who
    was, end = scene.was(row.replica), number(scene.row.leo)
    sentences = [message("why.loaded", who=who, end=end)]
    known = was.leo.lo if was is not None else None
    if known is not None and row.leo is not None and known > row.leo:
        sentences.append(message("why.loaded.shorter", known=known, count=Count(known - row.leo)))
    return Explanation(
        message("why.loaded.title", who=who, end=end),
        tuple(sentences),
        message("why.rule.loaded"),
        EVERY_RELEASE,
    )


def stated(scene: Scene) -> Explanation:
    """A line or a file that states what a log holds, and changes nothing."""
    row, who = scene.row, scene.who
    if row.kind == "batch_on_disk":
        what = scene.records(row.replica, row.from_offset, row.offset)
        return Explanation(
            message("why.batch.title", who=who, what=what),
            (
                message("why.batch.unknown-epoch", what=what)
                if row.epoch is None
                else message("why.batch", epoch=row.epoch, what=what),
            ),
        )
    if row.kind == "epoch_cache_loaded":
        return Explanation(
            message("why.epoch-cache.on-disk.title", who=who)
            if row.disk
            else message("why.epoch-cache.title", who=who),
            (
                message("why.epoch-cache.on-disk", count=Count(row.aux or 0))
                if row.disk
                else message("why.epoch-cache", who=who)
                if row.aux is None
                else message("why.epoch-cache.entries", who=who, count=Count(row.aux)),
            ),
        )
    if row.kind == "flushed":
        upto = number(row.offset)
        return Explanation(
            message("why.flushed.title", who=who, offset=upto),
            (message("why.flushed", offset=upto) if row.offset else message("why.flushed.nothing"),),
        )
    end = number(row.leo)
    if row.kind == "log_end_on_disk":
        return Explanation(
            message("why.log-end.on-disk.title", who=who, end=end), (message("why.log-end.on-disk"),)
        )
    if row.at_least & _LOG_END:
        return Explanation(
            message("why.log-end.at-least.title", who=who, end=end), (message("why.log-end.at-least"),)
        )
    return Explanation(message("why.log-end.title", who=who, end=end), (message("why.log-end"),))


def watermark(scene: Scene) -> Explanation:
    """A high watermark moved or was stated."""
    row, who = scene.row, scene.who
    was, now = scene.was(row.replica), scene.now(row.replica)
    before = was.hw.exact if was is not None else None
    hw = row.hw
    if row.kind == "hw_checkpointed":
        return Explanation(
            message("why.watermark.checkpoint.title", who=who, hw=number(hw)),
            (message("why.watermark.checkpoint", who=who, hw=number(hw)),),
            message("why.rule.checkpoint"),
            EVERY_RELEASE,
        )
    if row.kind == "hw_loaded":
        return Explanation(
            message("why.watermark.loaded.title", who=who, hw=number(hw)),
            (message("why.watermark.loaded") if hw else message("why.watermark.loaded.zero"),),
            message("why.rule.watermark.loaded"),
            EVERY_RELEASE,
        )
    title = _moved(who, before, hw)
    if now is not None and now.role is Role.LEADER:
        return Explanation(title, _leader_rise(scene, before, hw), *HW_RULE)
    if began_anew(scene):
        return Explanation(title, (message("why.watermark.reset", who=who),), *_RESET_RULE)
    if joined_the_tier(scene):
        return Explanation(title, (message("why.watermark.tier"),), *_TIER_RULE)
    if went_with_the_log(scene):
        return Explanation(title, (message("why.watermark.cut", who=who),), *_CUT_RULE)
    if now is None or now.role is not Role.FOLLOWER:
        return Explanation(title, (message("why.watermark.stated"),))
    sentences = [message("why.watermark.follower", who=who)]
    if before is not None and hw is not None and hw > before:
        what = scene.records(row.replica, before, hw)
        sentences.append(message("why.watermark.follower.knows", count=Count(hw - before), what=what))
    return Explanation(title, tuple(sentences), *FOLLOWER_RULE)


def _moved(who: Value, before: int | None, hw: int | None) -> Message:
    """The title: it falls, rises or is."""
    if before is None or hw is None or hw == before:
        return message("why.watermark.is.title", who=who, hw=number(hw))
    if hw < before:
        return message("why.watermark.falls.title", who=who, before=before, hw=hw)
    return message("why.watermark.rises.title", who=who, before=before, hw=hw)


def _leader_rise(scene: Scene, before: int | None, hw: int | None) -> tuple[Message, ...]:
    """Which logs the leader counted, and what is visible now."""
    row = scene.row
    now = scene.now(row.replica)
    if now is None:
        return ()
    isr = scene.after.isr or ()
    end = number(now.leo)
    alone = len(isr) == 1 and goes_by(scene, row.replica, isr)
    fetched = [
        message("why.watermark.fetched", broker=scene.name(broker), end=leo)
        for broker, leo in now.remote
        if (broker in isr or (len(isr) == 1 and not alone)) and leo is not None
    ]
    if alone:
        sentences = [message("why.watermark.alone", who=scene.who, end=end)]
    elif not fetched:
        sentences = [message("why.watermark.own", end=end)]
    else:
        joined = fetched[0]
        for one in fetched[1:]:
            joined = message("why.watermark.fetched.more", head=joined, last=one)
        sentences = [message("why.watermark.counted", end=end, fetched=joined)]
    what = scene.records(row.replica, before, hw)
    if what != NO_RECORDS:
        sentences.append(message("why.watermark.committed", what=what))
    return tuple(sentences)


def epoch_entry(scene: Scene) -> Explanation:
    """The leader epoch cache changed."""
    row, who, offset = scene.row, scene.who, number(scene.row.offset)
    if row.kind == "epoch_cache_cut":
        return Explanation(
            message("why.epoch.dropped.title", who=who, offset=offset),
            (message("why.epoch.dropped", offset=offset),),
            message("why.rule.epoch.dropped"),
            message("why.since.epochs"),
        )
    epoch = number(row.epoch)
    if row.disk:
        title = message("why.epoch.on-disk.title", who=who, epoch=epoch, offset=offset)
        told = message("why.epoch.on-disk", epoch=epoch, offset=offset)
    else:
        title = message("why.epoch.noted.title", who=who, epoch=epoch, offset=offset)
        told = message("why.epoch.noted", epoch=epoch, offset=offset)
    # Between two message formats records of the epoch may stand below that do not name it.
    unsaid = scene.case.view.mixes_formats and not row.disk
    return Explanation(
        title,
        () if unsaid else (told,),
        message("why.rule.epoch.noted"),
        message("why.since.epochs"),
    )


def client(scene: Scene) -> Explanation:
    """A producer or a consumer."""
    row, who = scene.row, scene.who
    what = scene.records(row.replica, row.from_offset, row.offset)
    acks: Value = {0: "0", 1: "1", -1: "all"}.get(row.aux if row.aux is not None else 9, number(None))
    if row.kind == "produced":
        size = Count((row.offset or 0) - (row.from_offset or 0))
        return Explanation(
            message("why.produced.title", count=size, who=scene.name(row.replica)),
            (message("why.produced", acks=acks),),
        )
    if row.kind == "acknowledged":
        state = scene.now(row.replica)
        passed = number(state.hw if state is not None else None)
        return Explanation(
            message("why.acknowledged.title", who=who, what=what),
            (
                message("why.acknowledged", acks=acks, what=what),
                message("why.acknowledged.all", hw=passed)
                if acks == "all"
                else message("why.acknowledged.leader"),
            ),
            message("why.rule.acknowledged"),
            message("why.since.acks"),
        )
    if row.kind == "produce_failed":
        if row.from_offset is None:
            return Explanation(message("why.produce-refused.title"), (message("why.produce-refused"),))
        return Explanation(
            message("why.produce-failed.title", what=what),
            (message("why.produce-failed"),),
            message("why.rule.produce-failed"),
            EVERY_RELEASE,
        )
    if shows_the_log_end(scene):
        return Explanation(
            message("why.consumed.title", what=what),
            (message("why.consumed.log-end"),),
            message("why.rule.below-the-log-end"),
            message("why.since.log-end"),
        )
    return Explanation(
        message("why.consumed.title", what=what),
        (message("why.consumed", hw=number(row.hw)),),
        message("why.rule.below-the-watermark"),
        EVERY_RELEASE,
    )
