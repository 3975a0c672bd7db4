"""Why consumers wait or jump, and why producers send again, are dropped or refused."""

from core.diagnose.narrate.holds import was_in_the_tier
from core.diagnose.narrate.rules import shows_the_log_end
from core.diagnose.narrate.scene import EVERY_RELEASE, Explanation, Scene
from core.diagnose.narrate.values import number
from core.message import Count, Value, message


def _consumer(scene: Scene) -> Value:
    """The consumer by the name of the script, where it has one."""
    place = scene.row.aux
    names = [name for name in scene.case.history.trace.facts.get("consumers", "").split(",") if name]
    return (
        names[place - 1] if place is not None and 0 < place <= len(names) else message("why.consumer.unnamed")
    )


def waits(scene: Scene) -> Explanation:
    """A consumer's fetch is parked."""
    offset = number(scene.row.offset)
    title = message("why.consumer.waits.title", consumer=_consumer(scene), who=scene.who, offset=offset)
    if scene.row.hw is not None and scene.row.offset is not None and scene.row.offset < scene.row.hw:
        # It reads committed transactions alone, and one is open there.
        return Explanation(
            title,
            (
                message("why.consumer.waits.stable", hw=scene.row.hw, offset=scene.row.offset),
                message("why.consumer.waits.parked.stable"),
            ),
            message("why.rule.stable"),
            message("why.since.transactions"),
        )
    if shows_the_log_end(scene):
        return Explanation(
            title,
            (
                message("why.consumer.waits.log-end", offset=offset),
                message("why.consumer.waits.parked.log-end"),
            ),
            message("why.rule.below-the-log-end"),
            message("why.since.log-end"),
        )
    return Explanation(
        title,
        (
            message("why.consumer.waits.watermark", hw=number(scene.row.hw), offset=offset),
            message("why.consumer.waits.parked"),
        ),
        message("why.rule.below-the-watermark"),
        EVERY_RELEASE,
    )


def out_of_range(scene: Scene) -> Explanation:
    """A consumer's position is not in the log."""
    row, who = scene.row, _consumer(scene)
    title = message("why.consumer.out-of-range.title", consumer=who, who=scene.who, offset=number(row.offset))
    if (row.log_start or 0) <= (row.offset or 0) <= (row.leo or 0):
        if was_in_the_tier(scene):
            return Explanation(
                title,
                (message("why.consumer.out-of-range.deleted", start=number(row.log_start)),),
                message("why.rule.out-of-range.deleted"),
                message("why.since.tier"),
            )
        return Explanation(
            title,
            (message("why.consumer.out-of-range.tier", who=scene.who),),
            message("why.rule.out-of-range.tier"),
            message("why.since.tier.start-kept"),
        )
    return Explanation(
        title,
        (
            message("why.consumer.out-of-range.log", start=number(row.log_start), end=number(row.leo)),
            message("why.consumer.out-of-range.gone"),
        ),
        message("why.rule.out-of-range"),
        EVERY_RELEASE,
    )


def positioned(scene: Scene) -> Explanation:
    """A consumer goes to another position."""
    row, who, to = scene.row, _consumer(scene), number(scene.row.offset)
    if row.from_offset is None:
        return Explanation(
            message("why.consumer.begins.title", consumer=who, offset=to),
            (message("why.consumer.begins"),),
        )
    moved = (row.offset or 0) - row.from_offset
    if moved < 0:
        effect = message("why.consumer.reads-again", count=Count(-moved))
    elif moved > 0:
        effect = message("why.consumer.passes-over", count=Count(moved))
    else:
        effect = message("why.consumer.stays")
    return Explanation(
        message("why.consumer.goes.title", consumer=who, start=row.from_offset, to=to),
        (message("why.consumer.goes.because", start=row.from_offset), effect),
        message("why.rule.offset-reset"),
        EVERY_RELEASE,
    )


def sent_again(scene: Scene) -> Explanation:
    """A producer retries."""
    return Explanation(
        message("why.producer.retries.title", who=scene.who),
        (message("why.producer.retries.no-answer"), message("why.producer.retries.unnumbered")),
        message("why.rule.retries"),
        EVERY_RELEASE,
    )


def dropped(scene: Scene) -> Explanation:
    """A duplicate is recognised. To 0.11 a leader knew one batch of each producer (KAFKA-5494)."""
    old = scene.case.view.before(scene.row.broker, 1, 0, at=scene.row.seq)
    return Explanation(
        message("why.duplicate.title", who=scene.who, offset=number(scene.row.from_offset)),
        (message("why.duplicate.known"), message("why.duplicate.answered")),
        message("why.rule.duplicate.last") if old else message("why.rule.duplicate"),
        message("why.since.idempotence") if old else message("why.since.duplicate"),
    )


def refused(scene: Scene) -> Explanation:
    """A gap in the sequence numbers."""
    return Explanation(
        message("why.sequence.title", who=scene.who, number=number(scene.row.aux)),
        (message("why.sequence.gap"), message("why.sequence.then")),
        message("why.rule.sequence"),
        message("why.since.sequence"),
    )
