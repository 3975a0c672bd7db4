"""What the metadata log of a KRaft cluster says of a partition besides elections and in-sync sets."""

from core.diagnose.narrate.scene import Scene, Told, capital, said
from core.diagnose.narrate.why_zh import words
from core.language import say


def state_told(scene: Scene) -> Told:
    """The whole registration of a partition: a snapshot has it, or something else of it was changed."""
    row = scene.row
    leader = (
        "no leader"
        if row.leader == -1
        else say(f"leader {scene.name(row.leader)}", f"领导者 {scene.name(row.leader)}")
    )
    members = "none" if not row.isr else ", ".join(scene.name(member) for member in row.isr)
    return Told(
        say(
            f"The metadata log has {leader} in epoch {said(row.epoch)}",
            f"元数据日志中，纪元 {said(row.epoch)} 为{words(leader)}",
        ),
        (
            say(
                f"{capital(leader)}, in-sync replicas: {members}; "
                f"partition epoch {said(row.partition_epoch)}.",
                f"{words(capital(leader))}，同步副本：{words(members)}；"
                f"分区纪元 {said(row.partition_epoch)}。",
            ),
            "A snapshot says so, or the replicas or their directories were changed and nothing else.",
        ),
        "Every change of a partition raises its partition epoch by one.",
        "KRaft, 2.8",
    )


def removed(scene: Scene) -> Told:
    """The topic was deleted."""
    topic = scene.case.history.trace.partitions[scene.case.history.partition].tp.topic
    return Told(
        "The partition is deleted",
        (
            say(
                f"The topic {topic} is deleted; what is created under its name later is another topic.",
                f"主题 {topic} 已删除；之后以同名创建的是另一个主题。",
            ),
        ),
        "A topic is known by its id, not by its name (KIP-516).",
        "2.8",
    )


def elr_changed(scene: Scene) -> Told:
    """The eligible leader replicas are others."""
    row = scene.row
    members = "nobody" if not row.isr else scene.names(row.isr)
    sentences = [
        "It left the in-sync set with all that is committed, and may lead without loss."
        if row.isr
        else "None but the members of the in-sync set may lead without loss."
    ]
    if row.aux is not None:
        sentences.append(
            say(
                f"{capital(scene.name(row.aux))} is remembered as the last leader.",
                f"{capital(scene.name(row.aux))} 被记为最后的领导者。",
            )
        )
    return Told(
        say(
            f"Eligible to lead beside the in-sync set: {members}",
            f"同步集合之外有资格领导的：{words(members)}",
        ),
        tuple(sentences),
        "Who leaves an in-sync set below min.insync.replicas stays eligible until an unclean stop (KIP-966).",
        "4.0",
    )
