"""Why records were written, fetched, committed, confirmed or loaded."""

from typing import Final

from core.diagnose.narrate.scene import Scene, Told, capital, count, no_records, said
from core.diagnose.narrate.why_zh import words
from core.history.state import Role
from core.language import say

HW_RULE: Final = (
    "The leader's high watermark is the smallest log end among itself and counted followers.",
    "every release",
)
FOLLOWER_RULE: Final = (
    "A follower's high watermark is min(what the answer says, its own log end).",
    "every release",
)


def appended(scene: Scene) -> Told:
    """Records were written to a log."""
    row = scene.row
    state = scene.now(row.replica)
    what = scene.records(row.replica, row.from_offset, row.offset)
    hw = said(state.hw if state is not None else None)
    if state is not None and state.role is Role.LEADER:
        first = say(
            f"{scene.subject} leads, and appended {what} in epoch {said(row.epoch)}.",
            f"{scene.subject} 是领导者，在纪元 {said(row.epoch)} 追加了 {what}。",
        )
    else:
        first = say(
            f"{scene.subject} copied {what}, written in epoch {said(row.epoch)}, from its leader.",
            f"{scene.subject} 从领导者复制了 {what}，写于纪元 {said(row.epoch)}。",
        )
    return Told(
        say(f"{scene.subject} appends {what}", f"{scene.subject} 追加 {what}"),
        (
            first,
            say(
                f"Its log now ends at {said(row.leo)}; its high watermark is {hw}.",
                f"其日志末端现为 {said(row.leo)}；高水位为 {hw}。",
            ),
        ),
        "Followers copy what the leader has appended, committed or not.",
        "every release",
    )


def loaded(scene: Scene) -> Told:
    """A log was loaded at a start."""
    row = scene.row
    was = scene.was(row.replica)
    sentences = [
        say(
            f"{scene.subject} found a log that ends at {said(row.leo)} on its disk.",
            f"{scene.subject} 在磁盘上找到末端为 {said(row.leo)} 的日志。",
        )
    ]
    known = was.leo.lo if was is not None else None
    if known is not None and row.leo is not None and known > row.leo:
        sentences.append(
            say(
                f"It had ended at {known} or more: "
                f"{count(known - row.leo, 'record')} had not reached the disk.",
                f"其末端曾为 {known} 或更高：{count(known - row.leo, 'record')} 未写入磁盘。",
            )
        )
    return Told(
        say(
            f"{scene.subject} loads its log up to {said(row.leo)}",
            f"{scene.subject} 加载日志到 {said(row.leo)}",
        ),
        tuple(sentences),
        "After an unclean stop the tail of the log is checked, and cut at the first batch that is not whole.",
        "every release",
    )


def stated(scene: Scene) -> Told:
    """A line or a file that states what a log holds, and changes nothing."""
    row = scene.row
    if row.kind == "batch_on_disk":
        what = scene.records(row.replica, row.from_offset, row.offset)
        title = say(f"{scene.subject} has {what} on its disk", f"{scene.subject} 的磁盘上有 {what}")
        epoch = "" if row.epoch is None else say(f" of epoch {row.epoch}", f"（纪元 {row.epoch}）")
        return Told(
            title,
            (
                say(
                    f"A batch{epoch} in a segment of its log holds {what}.",
                    f"其日志段中的一个批次{epoch}含有 {what}。",
                ),
            ),
        )
    if row.kind == "epoch_cache_loaded":
        entries = (
            ""
            if row.aux is None
            else say(f" It has {row.aux} {'entry' if row.aux == 1 else 'entries'}.", f"共有 {row.aux} 条。")
        )
        return Told(
            say(f"{scene.subject} loads its leader epoch cache", f"{scene.subject} 加载其领导者纪元缓存"),
            (
                say(
                    f"{scene.subject} knows again at which offset each leader epoch began.{entries}",
                    f"{scene.subject} 重新知道每个领导者纪元从哪个偏移量开始。{entries}",
                ),
            ),
        )
    if row.kind == "flushed":
        upto = said(row.offset)
        return Told(
            say(
                f"{scene.subject} has written its log up to {upto} to the disk",
                f"{scene.subject} 已把日志写入磁盘，直到 {upto}",
            ),
            (
                say(
                    f"What lies below {upto} survives a failure of the machine.",
                    f"{upto} 之下的内容在机器故障后仍在。",
                )
                if row.offset
                else "None of it is sure to survive a failure.",
            ),
        )
    disk = row.kind == "log_end_on_disk"
    return Told(
        say(
            f"{scene.subject}'s log ends at {said(row.leo)}{' on its disk' if disk else ''}",
            f"{scene.subject} 的日志末端为 {said(row.leo)}{words(' on its disk' if disk else '')}",
        ),
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
            say(
                f"{scene.subject} writes its high watermark {said(hw)} to its checkpoint",
                f"{scene.subject} 将高水位 {said(hw)} 写入检查点",
            ),
            (
                say(
                    f"After a crash {scene.who} would start with high watermark {said(hw)}.",
                    f"崩溃后 {scene.who} 将从高水位 {said(hw)} 开始。",
                ),
            ),
            "Every 5 s each replica's high watermark is written to replication-offset-checkpoint.",
            "every release",
        )
    if row.kind == "hw_loaded":
        return Told(
            say(
                f"{scene.subject} starts with high watermark {said(hw)}",
                f"{scene.subject} 以高水位 {said(hw)} 启动",
            ),
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
    path = (
        say(f"from {before} to {hw}", f"从 {before} 到 {hw}")
        if before is not None and before != hw
        else said(hw)
    )
    title = say(
        f"{scene.subject}'s high watermark {verb} {path}", f"{scene.subject} 的高水位{words(verb)} {path}"
    )
    if now is not None and now.role is Role.LEADER:
        return Told(title, _leader_rise(scene, before, hw), *HW_RULE)
    committed = scene.records(row.replica, before, hw) if not back else ""
    first = say(
        f"{scene.subject} took over what its leader told it, as far as its own log reaches.",
        f"{scene.subject} 采纳了领导者告知的值，但不超过自己的日志。",
    )
    one = hw is not None and before is not None and hw - before == 1
    known = committed not in ("", no_records())
    then = (
        say(
            f"It now knows that {committed} {'is' if one else 'are'} committed.",
            f"它现在知道 {committed} 已提交。",
        )
        if known
        else ""
    )
    return Told(title, tuple(text for text in (first, then) if text), *FOLLOWER_RULE)


def _leader_rise(scene: Scene, before: int | None, hw: int | None) -> tuple[str, ...]:
    """Which logs the leader counted, and what is visible now."""
    row = scene.row
    now = scene.now(row.replica)
    if now is None:
        return ()
    isr = scene.after.isr or ()
    counted = [say(f"its own log ends at {said(now.leo)}", f"自己的日志末端为 {said(now.leo)}")]
    counted += [
        say(f"{scene.name(broker)} has fetched up to {leo}", f"{scene.name(broker)} 已抓取到 {leo}")
        for broker, leo in now.remote
        if broker in isr and leo is not None
    ]
    sentences = [capital(say(f"{'; '.join(counted)}.", f"{'; '.join(counted)}。"))]
    if len(isr) == 1:
        sentences = [
            say(
                f"{scene.subject} is alone in the in-sync set, and its log ends at {said(now.leo)}.",
                f"{scene.subject} 独自在同步集合中，其日志末端为 {said(now.leo)}。",
            )
        ]
    what = scene.records(row.replica, before, hw)
    if what != no_records():
        sentences.append(
            say(f"Now committed and visible to consumers: {what}.", f"现已提交并对消费者可见：{what}。")
        )
    return tuple(sentences)


def epoch_entry(scene: Scene) -> Told:
    """The leader epoch cache changed."""
    row = scene.row
    if row.kind == "epoch_cache_cut":
        return Told(
            say(
                f"{scene.subject} drops epochs from {said(row.offset)} on",
                f"{scene.subject} 丢弃从 {said(row.offset)} 起的纪元",
            ),
            (
                say(
                    f"Entries that start at {said(row.offset)} or above went with the cut.",
                    f"起点在 {said(row.offset)} 或更高的条目随截断删除。",
                ),
            ),
            "A cut drops the entries that start at or above it.",
            "0.11.0",
        )
    return Told(
        say(
            f"{scene.subject} notes epoch {said(row.epoch)} from offset {said(row.offset)}",
            f"{scene.subject} 登记纪元 {said(row.epoch)}，自偏移量 {said(row.offset)}",
        ),
        (
            say(
                f"The first record of epoch {said(row.epoch)} has offset {said(row.offset)}.",
                f"纪元 {said(row.epoch)} 的第一条记录的偏移量为 {said(row.offset)}。",
            ),
        ),
        "A leader makes the entry with its first write, from 2.0.1 at its election; followers from batches.",
        "0.11.0",
    )


def client(scene: Scene) -> Told:
    """A producer or a consumer."""
    row = scene.row
    what = scene.records(row.replica, row.from_offset, row.offset)
    acks = {0: "0", 1: "1", -1: "all"}.get(row.aux if row.aux is not None else 9, said(None))
    state = scene.now(row.replica)
    if row.kind == "produced":
        size = count((row.offset or 0) - (row.from_offset or 0), "record")
        return Told(
            say(
                f"A producer sends {size} to {scene.name(row.replica)}",
                f"生产者向 {scene.name(row.replica)} 发送 {size}",
            ),
            (say(f"The producer asks for acks={acks}.", f"生产者要求 acks={acks}。"),),
        )
    if row.kind == "acknowledged":
        told = (
            say(
                f"The high watermark {said(state.hw if state is not None else None)} has passed it.",
                f"高水位 {said(state.hw if state is not None else None)} 已越过它。",
            )
            if acks == "all"
            else "The leader has appended it; nobody else needs to hold it."
        )
        return Told(
            say(f"{scene.subject} acknowledges {what}", f"{scene.subject} 确认 {what}"),
            (
                say(
                    f"With acks={acks} the producer is now told that {what} is written.",
                    f"在 acks={acks} 下，生产者现在被告知 {what} 已写入。",
                ),
                told,
            ),
            "acks=all waits for the high watermark, acks=1 for the leader's append alone.",
            "every release; the default is all from 3.0",
        )
    if row.kind == "produce_failed":
        return Told(
            say(f"The producer gets no confirmation of {what}", f"生产者没有得到 {what} 的确认"),
            ("The records stay in the leader's log and may still be committed.",),
            "A produce request that times out takes nothing back.",
            "every release",
        )
    return Told(
        say(f"A consumer reads {what}", f"消费者读取 {what}"),
        (
            say(
                f"It sees everything below the high watermark {said(row.hw)}, and nothing above.",
                f"它能看到高水位 {said(row.hw)} 之下的全部内容，其上的都看不到。",
            ),
        ),
        "Consumers are given records below the high watermark.",
        "every release",
    )
