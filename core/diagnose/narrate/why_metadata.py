"""Why a controller wrote something on a partition, besides elections and in-sync sets."""

from core.diagnose.narrate.scene import EVERY_RELEASE, Explanation, Scene
from core.diagnose.narrate.values import number
from core.message import Listing, message


def partition_state_stated(scene: Scene) -> Explanation:
    """The whole registration of a partition: a snapshot has it, or something else of it was changed."""
    row, epoch, version = scene.row, number(scene.row.epoch), number(scene.row.partition_epoch)
    members = (
        Listing(tuple(scene.name(member) for member in row.isr)) if row.isr else message("why.state.no-isr")
    )
    if row.leader == -1:
        title = message("why.state.leaderless.title", epoch=epoch)
        first = message("why.state.leaderless", members=members, version=version)
    else:
        leader = scene.name(row.leader)
        title = message("why.state.title", leader=leader, epoch=epoch)
        first = message("why.state", leader=leader, members=members, version=version)
    return Explanation(
        title,
        (first, message("why.state.because")),
        message("why.rule.state"),
        message("why.since.kraft"),
    )


def removed(scene: Scene) -> Explanation:
    """The topic was deleted."""
    topic = scene.case.history.trace.partitions[scene.case.history.partition].tp.topic
    return Explanation(
        message("why.removed.title"),
        (message("why.removed", topic=topic),),
        message("why.rule.removed"),
        message("why.since.topic-ids"),
    )


def reassigned(scene: Scene) -> Explanation:
    """Other brokers hold the partition: a reassignment begins, ends or is cancelled."""
    return Explanation(
        message("why.reassigned.title", members=scene.names(scene.row.isr or ())),
        (message("why.reassigned"),),
        message("why.rule.reassigned"),
        EVERY_RELEASE,
    )


def elr_changed(scene: Scene) -> Explanation:
    """The eligible leader replicas are others."""
    row = scene.row
    sentences = [message("why.elr.may-lead") if row.isr else message("why.elr.none-but-isr")]
    if row.aux is not None:
        sentences.append(message("why.elr.last-leader", leader=scene.name(row.aux)))
    return Explanation(
        message("why.elr.title", members=scene.names(row.isr or ())),
        tuple(sentences),
        message("why.rule.elr"),
        message("why.since.elr"),
    )


def recovery_changed(scene: Scene) -> Explanation:
    """The partition is marked as recovering after an unclean election, or its leader has recovered."""
    row = scene.row
    leader = scene.name(row.leader)
    recovers = bool(row.aux)
    title = "why.recovery.begins.title" if recovers else "why.recovery.ends.title"
    return Explanation(
        message(title, leader=leader, epoch=number(row.epoch)),
        (
            message("why.recovery.begins" if recovers else "why.recovery.ends", leader=leader),
            *((message("why.recovery.nothing"),) if recovers else ()),
        ),
        message("why.rule.recovery"),
        message("why.since.recovery"),
    )
