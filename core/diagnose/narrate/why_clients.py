"""Why consumers wait or jump, and why producers send again, are dropped or refused."""

from core.diagnose.narrate.scene import Scene, Told, capital, count, said
from core.language import say


def _consumer(scene: Scene) -> str:
    """The consumer by the name of the script, else by its number."""
    number = scene.row.aux
    names = [name for name in scene.case.history.trace.facts.get("consumers", "").split(",") if name]
    return (
        names[number - 1]
        if number is not None and 0 < number <= len(names)
        else say("a consumer", "某个消费者")
    )


def waits(scene: Scene) -> Told:
    """A consumer's fetch is parked."""
    row, who = scene.row, _consumer(scene)
    return Told(
        say(
            f"{capital(who)} waits at {scene.who} for offset {said(row.offset)}",
            f"{capital(who)} 在 {scene.who} 处等待偏移量 {said(row.offset)}",
        ),
        (
            say(
                f"The high watermark there is {said(row.hw)}: "
                f"nothing from {said(row.offset)} on may be read.",
                f"那里的高水位是 {said(row.hw)}：从 {said(row.offset)} 起不可读取。",
            ),
            "The broker parks the fetch until the high watermark rises, or fetch.max.wait.ms has passed.",
        ),
        "Consumers are given records below the high watermark.",
        "every release",
    )


def out_of_range(scene: Scene) -> Told:
    """A consumer's position is not in the log."""
    row, who = scene.row, _consumer(scene)
    return Told(
        say(
            f"{capital(who)} asks {scene.who} for offset {said(row.offset)}, which is out of range",
            f"{capital(who)} 向 {scene.who} 请求偏移量 {said(row.offset)}，该偏移量越界",
        ),
        (
            say(
                f"The log there begins at {said(row.log_start)} and ends at {said(row.leo)}.",
                f"那里的日志从 {said(row.log_start)} 开始，到 {said(row.leo)} 结束。",
            ),
            "Records that the consumer had read are gone, or the log starts later now.",
        ),
        "OFFSET_OUT_OF_RANGE: the leader's log decides; auto.offset.reset says where to go on.",
        "every release",
    )


def positioned(scene: Scene) -> Told:
    """A consumer goes to another position."""
    row, who = scene.row, _consumer(scene)
    if row.from_offset is None:
        return Told(
            say(
                f"{capital(who)} begins at offset {said(row.offset)}",
                f"{capital(who)} 从偏移量 {said(row.offset)} 开始",
            ),
            ("It is the offset that it had committed, or the one that auto.offset.reset names.",),
        )
    moved = (row.offset or 0) - row.from_offset
    effect = (
        say(f"It reads {count(-moved, 'offset')} again.", f"它重读 {count(-moved, 'offset')}。")
        if moved < 0
        else say(f"It passes over {count(moved, 'offset')}.", f"它跳过 {count(moved, 'offset')}。")
        if moved > 0
        else "It stays where it is."
    )
    return Told(
        say(
            f"{capital(who)} goes from offset {said(row.from_offset)} to {said(row.offset)}",
            f"{capital(who)} 从偏移量 {said(row.from_offset)} 移到 {said(row.offset)}",
        ),
        (
            say(
                f"{said(row.from_offset)} was out of range at the leader.",
                f"{said(row.from_offset)} 在领导者处越界。",
            ),
            effect,
        ),
        "auto.offset.reset: earliest is the log start, latest the high watermark; none is an error.",
        "every release",
    )


def sent_again(scene: Scene) -> Told:
    """A producer retries."""
    return Told(
        say(f"The producer sends its batch again, to {scene.who}", f"生产者再次发送其批次，发往 {scene.who}"),
        (
            "It has no answer to the last attempt: the batch may be in a log, or in none.",
            "Without sequence numbers the leader cannot tell it from a new one.",
        ),
        "retries: a batch that failed or was not answered is sent to the leader that is known by then.",
        "every release",
    )


def dropped(scene: Scene) -> Told:
    """A duplicate is recognised."""
    row = scene.row
    return Told(
        say(
            f"{scene.subject} knows the batch at offset {said(row.from_offset)}, and appends nothing",
            f"{scene.subject} 已有偏移量 {said(row.from_offset)} 处的批次，不再追加",
        ),
        (
            "Producer id, epoch and sequence numbers stand in the batch: each replica that has it knows.",
            "The producer is answered as if the batch had come for the first time.",
        ),
        "A leader compares a batch with the last five of the same producer.",
        "0.11.0 (KIP-98)",
    )


def refused(scene: Scene) -> Told:
    """A gap in the sequence numbers."""
    row = scene.row
    return Told(
        say(
            f"{scene.subject} refuses sequence number {said(row.aux)}",
            f"{scene.subject} 拒绝序列号 {said(row.aux)}",
        ),
        (
            "The batch before it is not in this log: it was lost, or it has not come yet.",
            "To 2.4 the batch fails; from 2.5 the producer begins a new epoch with 0 and sends again.",
        ),
        "OUT_OF_ORDER_SEQUENCE_NUMBER: the numbers of a producer follow one another in each partition.",
        "0.11.0 (KIP-98); 2.5 (KIP-360)",
    )
