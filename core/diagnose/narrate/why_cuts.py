"""Why a log was cut, or was not."""

from typing import Final

from core.diagnose.narrate.scene import Scene, Told, capital, count, said
from core.diagnose.narrate.why_zh import words
from core.diagnose.verdict.facts import Loss, LossClass, Truncation
from core.language import say
from core.trace.vocabulary import CutReason

CUT_RULES: Final = {
    "high-watermark": (
        "A replica that becomes a follower cuts its log to its own high watermark.",
        "to 0.10.2; later only where no epoch is known",
    ),
    "leader-epoch": (
        "A follower asks the leader where its own last epoch ended, and cuts to that offset (KIP-101).",
        "0.11.0 to 2.7",
    ),
    "diverging-epoch": (
        "A fetch names its last epoch; the leader says where the logs diverge, there it cuts (KAFKA-10554).",
        "2.8, with inter-broker protocol 2.7 or later",
    ),
    "leader-end": (
        "A fetch beyond the leader's log end is out of range, and the follower cuts to that log end.",
        "0.8; to 2.0.0 only with unclean.leader.election.enable=true (KAFKA-7414)",
    ),
    "reset": (
        "A follower whose log ends below the leader's log start drops its log and starts there.",
        "0.8",
    ),
    "recovery": ("A log is loaded up to the last whole batch on the disk.", "every release"),
    "unknown": ("Nothing in the trace names the rule.", ""),
}
"""By rule: what it says, and since when."""

_BECAUSE: Final = {
    "high-watermark": "It became a follower, and its own high watermark was {hw}.",
    "leader-epoch": "{leader} answered that the epoch of its last record ended at {to}.",
    "diverging-epoch": "{leader} answered its fetch with the offset {to}, up to which both logs agree.",
    "leader-end": "Its fetch at {came} was beyond the log of {leader}, which ends at {to}.",
    "reset": "Its log ended before the log start of {leader}.",
    "recovery": "What was above {to} was not on the disk.",
    "unknown": "No event says why.",
}


def _fate(scene: Scene, cut: Truncation | None, first: int, end: int | None) -> str:
    """What became of the records, for the last sentence."""
    broker, leader = scene.row.replica, scene.after.leader
    if cut is None or end is None:
        return ""
    strong = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
    cited = [loss for loss in scene.verdict.losses if cut.seq in loss.evidence and loss.first_offset < end]
    lost = [loss for loss in cited if loss.end_offset > first and loss.loss_class in strong]
    state = scene.now(leader)
    holds = state is not None and leader != broker and state.leo.lo is not None and state.leo.lo >= end
    if lost and lost[0].seq == cut.seq:
        what = scene.records(broker, max(first, lost[0].first_offset), min(end, lost[0].end_offset))
        return say(
            f"{what} had been {lost[0].loss_class.value}, and no later leader holds {_them(lost[0])}: lost.",
            f"{what} 曾{words(lost[0].loss_class.value)}，而后来的领导者都没有：丢失。",
        )
    if lost and holds:
        return say(
            f"{scene.name(leader)} leads and still holds {_them(lost[0])}, but a later leader does not.",
            f"{scene.name(leader)} 领导并仍持有，但后来的领导者没有。",
        )
    if holds:
        return say(
            f"{scene.name(leader)} leads and holds what was cut: it can be fetched again.",
            f"{scene.name(leader)} 领导并持有被截断的内容：可以重新抓取。",
        )
    if cited and cut.below_high_watermark is not True:
        return "Nothing shows that they had been committed."
    return ""


def _them(loss: Loss) -> str:
    return "it" if loss.end_offset - loss.first_offset == 1 else "them"


def truncated(scene: Scene) -> Told:
    """A log was cut."""
    row = scene.row
    to = row.offset if row.offset is not None else row.leo or 0
    cut = next((one for one in scene.verdict.truncations if one.seq == row.seq), None)
    was = scene.was(row.replica)
    came = cut.from_offset if cut is not None else row.from_offset
    if cut is None and (was is None or was.leo.exact is None or was.leo.exact <= to):
        return Told(
            say(f"{scene.subject} cuts nothing", f"{scene.subject} 未截断任何内容"),
            (
                say(
                    f"{scene.subject} was told to cut its log to {to}.",
                    f"{scene.subject} 被要求将日志截断到 {to}。",
                ),
                "Nothing shows that it was longer.",
            ),
            *CUT_RULES["high-watermark" if scene.case.view.before(row.replica, 0, 11) else "unknown"],
        )
    rule = cut.rule if cut is not None else "unknown"
    start = "" if came is None else say(f" from {came}", f"从 {came} ")
    size = (
        ""
        if came is None
        else say(
            f" ({count(came - to, 'record')}: {scene.records(row.replica, to, came)})",
            f"（{count(came - to, 'record')}：{scene.records(row.replica, to, came)}）",
        )
    )
    reason = say(_BECAUSE[rule], words(_BECAUSE[rule])).format(
        hw=said(was.hw if was is not None and was.hw.exact is not None else to),
        leader=scene.name(row.leader if row.leader is not None else scene.after.leader),
        to=to,
        came=said(came),
    )
    return Told(
        say(f"{scene.subject} cuts its log{start} to {to}", f"{scene.subject} 将日志{start}截断到 {to}"),
        tuple(
            capital(text)
            for text in (
                say(
                    f"{scene.subject} cut its log{start} to {to}{size}.",
                    f"{scene.subject} 将日志{start}截断到 {to}{size}。",
                ),
                reason,
                _fate(scene, cut, to, came),
            )
            if text
        ),
        *CUT_RULES[rule],
    )


def not_truncated(scene: Scene) -> Told:
    """The log was asked about and left as it is."""
    row = scene.row
    was = scene.was(row.replica)
    end = row.leo if row.leo is not None else was.leo if was is not None else None
    leader = scene.name(row.leader if row.leader is not None else scene.after.leader)
    if row.aux == CutReason.LOCAL_HIGH_WATERMARK:
        why = say(
            f"Its own high watermark {said(row.offset)} is not below its log end offset {said(end)}.",
            f"它自己的高水位 {said(row.offset)} 不低于其日志末端 {said(end)}。",
        )
        rule = CUT_RULES["high-watermark"]
    elif row.kind == "truncation_not_needed" or row.aux == CutReason.LEADER_EPOCH:
        why = say(
            f"{leader} answered {said(row.offset)}, and the log of {scene.who} ends at {said(end)}.",
            f"{leader} 应答 {said(row.offset)}，而 {scene.who} 的日志末端为 {said(end)}。",
        )
        rule = CUT_RULES["leader-epoch"]
    else:
        why = say(
            f"The offset {said(row.offset)} is not below its log end offset {said(end)}.",
            f"偏移量 {said(row.offset)} 不低于其日志末端 {said(end)}。",
        )
        old = scene.case.view.before(row.replica, 0, 11)
        rule = CUT_RULES["high-watermark"] if old else CUT_RULES["unknown"]
    return Told(
        say(f"{scene.subject} cuts nothing", f"{scene.subject} 未截断任何内容"),
        (say(f"{scene.subject} kept its whole log.", f"{scene.subject} 保留了整个日志。"), capital(why)),
        *rule,
    )


_REASONS: Final = {
    CutReason.LOCAL_HIGH_WATERMARK: "high-watermark",
    CutReason.LEADER_EPOCH: "leader-epoch",
    CutReason.DIVERGING_EPOCH: "diverging-epoch",
    CutReason.LEADER_END: "leader-end",
    CutReason.RESET: "reset",
    CutReason.RECOVERY: "recovery",
}


def decided(scene: Scene) -> Told:
    """A follower decided to where it cuts."""
    row = scene.row
    rule = _REASONS.get(CutReason(row.aux or 0), "unknown")
    was = scene.was(row.replica)
    reason = say(_BECAUSE[rule], words(_BECAUSE[rule])).format(
        hw=said(row.hw),
        leader=scene.name(row.leader if row.leader is not None else scene.after.leader),
        to=said(row.offset),
        came=said(row.from_offset),
    )
    end = row.from_offset if row.from_offset is not None else was.leo if was is not None else None
    return Told(
        say(
            f"{scene.subject} decides to cut to {said(row.offset)}",
            f"{scene.subject} 决定截断到 {said(row.offset)}",
        ),
        (
            say(
                f"{scene.subject}, with log end offset {said(end)}, "
                f"has nothing above {said(row.offset)} to cut.",
                f"{scene.subject} 的日志末端为 {said(end)}，{said(row.offset)} 之上没有可截断的内容。",
            )
            if said(end) == said(row.offset)
            else say(
                f"{scene.subject}, with log end offset {said(end)}, cuts to {said(row.offset)}.",
                f"{scene.subject} 的日志末端为 {said(end)}，截断到 {said(row.offset)}。",
            ),
            capital(reason),
        ),
        *CUT_RULES[rule],
    )


def out_of_range(scene: Scene) -> Told:
    """A follower's fetch was beyond the leader's log."""
    row = scene.row
    leader = scene.name(row.leader)
    return Told(
        say(
            f"{scene.subject}'s fetch at {said(row.from_offset)} is out of range",
            f"{scene.subject} 在 {said(row.from_offset)} 的抓取越界",
        ),
        (
            say(
                f"{scene.subject} fetched at {said(row.from_offset)}; "
                f"{leader}'s log ends at {said(row.offset)}.",
                f"{scene.subject} 在 {said(row.from_offset)} "
                f"抓取；{leader} 的日志末端为 {said(row.offset)}。",
            ),
            say(
                f"It goes back to {said(row.offset)} and cuts what it holds above.",
                f"它退回到 {said(row.offset)}，并截断其上的内容。",
            ),
        ),
        *CUT_RULES["leader-end"],
    )


def gap(scene: Scene) -> Told:
    """A cut fell inside a batch."""
    row = scene.row
    return Told(
        say(
            f"{scene.subject} holds nothing from offset {said(row.from_offset)} to {said(row.offset)}",
            f"{scene.subject} 在偏移量 {said(row.from_offset)} 至 {said(row.offset)} 没有内容",
        ),
        (
            say(
                f"The cut to {said(row.offset)} fell inside a batch, and a batch goes as a whole.",
                f"截断到 {said(row.offset)} 落在一个批次内部，而批次整体删除。",
            ),
            say(
                f"The log end is {said(row.leo)} all the same, so the offsets below it are never fetched.",
                f"日志末端仍为 {said(row.leo)}，因此其下的偏移量不会再被抓取。",
            ),
        ),
        "A log is cut at batches, and its end is set to the offset of the cut.",
        "every release",
    )
