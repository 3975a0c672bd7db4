"""Why a follower's fetch was sent, parked, answered or refused, and what it asked of the epochs."""

from typing import Final

from core.diagnose.narrate.scene import Scene, Told, capital, no_records, said
from core.diagnose.narrate.why_data import FOLLOWER_RULE, HW_RULE
from core.diagnose.narrate.why_zh import words
from core.language import say
from core.trace.vocabulary import StopReason

_PARKED_RULE: Final = (
    "A fetch that waited is read again when it ends, and carries the high watermark of that moment.",
    "every release",
)
_FETCH_RULE: Final = (
    "An answer given at once carries the high watermark from before this fetch raised it.",
    "every release; 2.4 and 2.5 answer again when it has risen",
)


def fetched(scene: Scene) -> Told:
    """A fetch on its way: sent, received, parked, answered or delivered."""
    row = scene.row
    follower, leader = (
        scene.name(row.replica),
        scene.name(row.leader if row.leader is not None else row.broker),
    )
    if row.kind in ("fetch_sent", "fetch_received"):
        return _asks(scene, leader, follower)
    if row.kind == "follower_leo_recorded":
        return Told(
            say(
                f"{capital(leader)} records {follower}'s log end as {said(row.leo)}",
                f"{capital(leader)} 记录 {follower} 的日志末端为 {said(row.leo)}",
            ),
            (
                say(
                    f"{capital(follower)} fetched at {said(row.leo)}: it holds {_below(row.leo)}.",
                    f"{capital(follower)} 在 {said(row.leo)} 抓取：它持有{_below(row.leo)}。",
                ),
            ),
            *HW_RULE,
        )
    if row.kind == "fetch_parked":
        return Told(
            say(
                f"{capital(leader)} parks {follower}'s fetch at {said(row.offset)}",
                f"{capital(leader)} 搁置 {follower} 在 {said(row.offset)} 的抓取",
            ),
            (
                say(
                    f"There is nothing at {said(row.offset)} yet: the fetch waits for data, at most 500 ms.",
                    f"{said(row.offset)} 处尚无内容：该抓取等待数据，至多 500 ms。",
                ),
            ),
            "A fetch with nothing to return waits; a rise of the high watermark alone does not wake it.",
            "every release but 2.4 and 2.5",
        )
    if row.kind == "fetch_answered":
        return _answered(scene, leader, follower)
    return _delivered(scene, follower)


def _asks(scene: Scene, leader: str, follower: str) -> Told:
    """A fetch on its way to the leader."""
    row = scene.row
    if row.kind == "fetch_sent":
        return Told(
            say(
                f"{capital(follower)} fetches at {said(row.offset)}",
                f"{capital(follower)} 在 {said(row.offset)} 抓取",
            ),
            (
                say(
                    f"{capital(follower)} asks {leader} for what follows its log end {said(row.offset)}.",
                    f"{capital(follower)} 向 {leader} 请求其日志末端 {said(row.offset)} 之后的内容。",
                ),
            ),
            "The offset of a fetch tells the leader how far the follower's log reaches.",
            "every release",
        )
    return Told(
        say(
            f"{capital(leader)} receives {follower}'s fetch at {said(row.offset)}",
            f"{capital(leader)} 收到 {follower} 在 {said(row.offset)} 的抓取",
        ),
        (
            say(
                f"{capital(leader)} learns that {follower} holds {_below(row.offset)}.",
                f"{capital(leader)} 得知 {follower} 持有{_below(row.offset)}。",
            ),
        ),
        "The leader records the offset of a fetch as the follower's log end before it makes the answer.",
        "every release",
    )


def _answered(scene: Scene, leader: str, follower: str) -> Told:
    """What a leader sends, and which high watermark with it."""
    row = scene.row
    what = scene.records(row.broker, row.from_offset, row.offset)
    state = scene.now(row.broker)
    gap = ""
    if state is not None and state.hw.exact is not None and row.hw is not None and row.hw < state.hw.exact:
        gap = say(
            f"The leader's own is {state.hw.exact} already; {follower} learns of it with a later answer.",
            f"领导者自己的已是 {state.hw.exact}；{follower} 将从后续应答中得知。",
        )
    first = say(
        f"{capital(leader)} sends {what} and high watermark {said(row.hw)}.",
        f"{capital(leader)} 发送 {what} 以及高水位 {said(row.hw)}。",
    )
    rule = _PARKED_RULE if scene.parked() else _FETCH_RULE
    title = say(
        f"{capital(leader)} answers {follower}: {what}, high watermark {said(row.hw)}",
        f"{capital(leader)} 应答 {follower}：{what}，高水位 {said(row.hw)}",
    )
    return Told(title, _some(first, gap), *rule)


def _delivered(scene: Scene, follower: str) -> Told:
    """What a follower appends, and what it takes over."""
    row = scene.row
    what = scene.records(row.leader, row.from_offset, row.offset)
    does = "has nothing to append, and" if what == no_records() else "appends, then"
    return Told(
        say(
            f"{capital(follower)} receives {what} and high watermark {said(row.hw)}",
            f"{capital(follower)} 收到 {what} 以及高水位 {said(row.hw)}",
        ),
        (
            say(
                f"{capital(follower)} {does} takes min({said(row.hw)}, its log end) as its high watermark.",
                f"{capital(follower)} {words(does)}取 min({said(row.hw)}, 自己的日志末端) 作为高水位。",
            ),
        ),
        *FOLLOWER_RULE,
    )


def _below(offset: int | None) -> str:
    if offset == 0:
        return say("nothing yet", "尚无内容")
    return say(f"everything below {said(offset)}", f" {said(offset)} 之下的全部内容")


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
        at = "" if row.offset is None else say(f" at {row.offset}", f"在 {row.offset} ")
        return Told(
            say(
                f"{scene.subject} begins to fetch from {leader}{at}",
                f"{scene.subject} 开始从 {leader} {at}抓取",
            ),
            (
                say(
                    f"From now on {scene.who} asks {leader} for records, one fetch after the other.",
                    f"从现在起 {scene.who} 向 {leader} 请求记录，一次接一次地抓取。",
                ),
            ),
        )
    if row.kind == "fetcher_removed":
        return Told(
            say(f"{scene.subject} stops fetching", f"{scene.subject} 停止抓取"),
            ("Its log stands still until it fetches again or leads.",),
        )
    return Told(
        say(f"{scene.subject} creates an empty log", f"{scene.subject} 创建空日志"),
        (say(f"The log of {scene.who} begins at offset 0.", f"{scene.who} 的日志从偏移量 0 开始。"),),
    )


def failed(scene: Scene) -> Told:
    """A fetch or a question about an epoch got no answer, or an error."""
    row = scene.row
    what = "fetch" if row.kind == "fetch_failed" else "question about its epoch"
    at = "" if row.offset is None else say(f" at {row.offset}", f"在 {row.offset} ")
    reason = _STOPPED[StopReason(row.aux or 0)]
    keeps = say(
        f"{scene.subject} keeps its log as it is and tries again.", f"{scene.subject} 保持日志原样并重试。"
    )
    if row.aux == StopReason.OFFSET_OUT_OF_RANGE:
        keeps = "It now asks where the leader's log ends."
    return Told(
        say(f"{scene.subject}'s {what}{at} fails", f"{scene.subject} {at}的{words(what)}失败"),
        (
            say(
                f"{scene.subject}'s {what}{at} to {scene.name(row.leader)} failed: {reason}.",
                f"{scene.subject} {at}对 {scene.name(row.leader)} 的{words(what)}失败：{words(reason)}。",
            ),
            keeps,
        ),
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
            say(
                f"{scene.subject} asks {leader} for the end of epoch {said(row.aux)}",
                f"{scene.subject} 向 {leader} 询问纪元 {said(row.aux)} 的结束处",
            ),
            (
                say(
                    f"{scene.subject}'s last record is of epoch {said(row.aux)}: where did that epoch end?",
                    f"{scene.subject} 的最后一条记录属于纪元 {said(row.aux)}：该纪元在何处结束？",
                ),
            ),
            *rule,
        )
    if row.kind == "fetch_diverged":
        return Told(
            say(
                f"{capital(leader)} answers that the logs part at {said(row.offset)}",
                f"{capital(leader)} 应答：日志在 {said(row.offset)} 处分歧",
            ),
            (
                say(
                    f"{scene.subject}'s epoch does not fit {leader}: both agree up to {said(row.offset)}.",
                    f"{scene.subject} 的纪元与 {leader} 不符：双方一致到 {said(row.offset)}。",
                ),
            ),
            "The leader compares the last fetched epoch of a fetch with its own epoch cache (KAFKA-10554).",
            "2.8, with inter-broker protocol 2.7 or later",
        )
    return Told(
        say(
            f"{capital(leader)} answers that the epoch ended at {said(row.offset)}",
            f"{capital(leader)} 应答：该纪元结束于 {said(row.offset)}",
        ),
        (
            say(
                f"The end of an epoch is the start of the next one in {leader}'s cache, or its log end.",
                f"纪元的结束处是 {leader} 缓存中下一纪元的起点，或其日志末端。",
            ),
        ),
        "The leader answers with the end of the epoch asked for (KIP-101; with its epoch from KIP-279 on).",
        "0.11.0 to 2.7",
    )
