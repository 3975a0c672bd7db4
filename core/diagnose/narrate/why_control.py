"""Why a broker leads, follows, is in sync, runs or does not run."""

from typing import Final

from core.diagnose.narrate.scene import Scene, Told, capital, said
from core.diagnose.narrate.why_zh import words
from core.history.state import Role
from core.history.terms import Term
from core.language import say
from core.trace.units import SECOND_NS
from core.trace.vocabulary import Basis, Election

_KINDS: Final = {
    Election.FIRST: (
        "the first election of the partition",
        "The first leader is the first assigned replica that is alive.",
    ),
    Election.CLEAN: (
        "a clean election",
        "A new leader comes from the in-sync replicas, whatever its log end or high watermark.",
    ),
    Election.PREFERRED: (
        "the election of the preferred replica",
        "The first assigned replica leads again as soon as it is in sync.",
    ),
    Election.CONTROLLED: (
        "a controlled shutdown",
        "A broker that stops hands leadership to an in-sync replica first.",
    ),
    Election.UNCLEAN: (
        "an unclean election",
        "With unclean.leader.election.enable=true an out-of-sync replica may lead; others' records go.",
    ),
    Election.ELR: (
        "an election from the eligible leader replicas",
        "A replica that left the ISR with all committed records may lead (KIP-966).",
    ),
    Election.LAST_KNOWN: (
        "an election of the last known leader",
        "With an empty ISR and ELR the last leader may lead again (KIP-966).",
    ),
    Election.UNKNOWN: ("an election", ""),
}
_RELEASES: Final = {Election.ELR: "4.0", Election.LAST_KNOWN: "4.0"}


def _term(scene: Scene) -> Term | None:
    number = scene.case.control.term_of(scene.after.leader_epoch)
    return None if number is None else scene.case.control.terms[number]


def _isr_text(scene: Scene, isr: tuple[int, ...] | None) -> str:
    return said(None) if isr is None else f"[{', '.join(scene.name(member) for member in isr)}]"


def elected(scene: Scene) -> Told:
    """A leader was elected."""
    row, term = scene.row, _term(scene)
    if row.leader is None and row.kind == "partition_created":
        return Told("The partition is created", ("The controller made the partition; it has no leader yet.",))
    if row.epoch is None and row.leader != scene.after.leader:
        return _chosen(scene)
    leader = row.leader if row.leader is not None else scene.after.leader
    election = term.election if term is not None and term.leader == leader else Election.UNKNOWN
    if row.aux is not None and row.kind == "leader_elected":
        election = Election(row.aux)
    kind, rule = _KINDS[election]
    epoch = row.epoch if row.epoch is not None else scene.after.leader_epoch
    before = scene.before.isr
    member = before is not None and leader in before
    place = "was a member of" if member else "was not a member of"
    known = (
        ""
        if before is None
        else say(
            f" It {place} the in-sync set {_isr_text(scene, before)}.",
            f"它{words(place)}同步集合 {_isr_text(scene, before)}。",
        )
    )
    holds = _holds(scene, leader, election)
    how = (
        ""
        if term is None or term.basis is not Basis.INFERRED
        else " (inferred from the sets before and after)"
    )
    return Told(
        say(
            f"{capital(scene.name(leader))} is elected leader in epoch {said(epoch)}",
            f"{capital(scene.name(leader))} 在纪元 {said(epoch)} 当选领导者",
        ),
        tuple(
            text
            for text in (
                say(
                    f"{capital(scene.name(leader))} leads epoch {said(epoch)} by {kind}{how}.{known}",
                    f"{capital(scene.name(leader))} 领导纪元 {said(epoch)}，"
                    f"方式是{words(kind)}{words(how)}。{known}",
                ),
                holds,
            )
            if text
        ),
        rule,
        _RELEASES.get(election, "every release"),
    )


def _chosen(scene: Scene) -> Told:
    """A choice of the controller whose epoch is told later."""
    row, who = scene.row, scene.name(scene.row.leader)
    kind = "" if row.aux is None else _KINDS[Election(row.aux)][0]
    how = say(f" by {kind}", f"（{words(kind)}）") if kind else ""
    return Told(
        say(f"{capital(who)} is chosen as leader", f"{capital(who)} 被选为领导者"),
        (
            say(
                f"The controller chooses {who}{how}; the epoch follows.",
                f"控制器选择 {who}{how}；纪元随后给出。",
            ),
        ),
    )


def _holds(scene: Scene, leader: int | None, election: Election) -> str:
    """What the log of a new leader holds, and what that means for the others."""
    state = scene.now(leader)
    if state is None:
        return ""
    has = say(
        f"Its log end offset is {said(state.leo)}, and its high watermark is {said(state.hw)}",
        f"其日志末端为 {said(state.leo)}，高水位为 {said(state.hw)}",
    )
    if election is Election.FIRST:
        return has + say(".", "。")
    return has + say(
        "; what others hold above its log end is not part of the log from now on.",
        "；其他副本在其日志末端之上的内容从此不属于该日志。",
    )


def leaderless(scene: Scene) -> Told:
    """Nobody leads."""
    isr = scene.row.isr if scene.row.isr is not None else scene.after.isr
    return Told(
        "The partition has no leader",
        (
            say(
                f"No member of the in-sync set {_isr_text(scene, isr)} is alive.",
                f"同步集合 {_isr_text(scene, isr)} 中没有存活的成员。",
            ),
            "Nothing can be written or read until one of them returns.",
        ),
        "Without unclean election only an in-sync replica may lead.",
        "every release",
    )


def became_leader(scene: Scene) -> Told:
    """A replica took its role as leader."""
    row = scene.row
    state = scene.now(row.replica)
    epoch = row.epoch if row.epoch is not None else state.epoch if state is not None else None
    leo, hw = (None, None) if state is None else (state.leo, state.hw)
    return Told(
        say(
            f"{scene.subject} begins to lead epoch {said(epoch)}",
            f"{scene.subject} 开始领导纪元 {said(epoch)}",
        ),
        (
            say(
                f"{scene.subject} leads from log end offset {said(leo)}, with high watermark {said(hw)}.",
                f"{scene.subject} 从日志末端 {said(leo)} 开始领导，高水位为 {said(hw)}。",
            ),
            "It knows nothing of the followers' logs yet: its high watermark waits until each has fetched.",
        ),
        "A new leader's own high watermark is a lower bound of what is committed.",
        "every release",
    )


def became_follower(scene: Scene) -> Told:
    """A replica took its role as follower."""
    row = scene.row
    state = scene.now(row.replica)
    leader = row.leader if row.leader is not None else scene.after.leader
    epoch = row.epoch if row.epoch is not None else state.epoch if state is not None else None
    leo, hw = (None, None) if state is None else (state.leo, state.hw)
    return Told(
        say(
            f"{scene.subject} follows {scene.name(leader)} in epoch {said(epoch)}",
            f"{scene.subject} 在纪元 {said(epoch)} 跟随 {scene.name(leader)}",
        ),
        (
            say(
                f"{scene.subject} follows with log end offset {said(leo)} and high watermark {said(hw)}.",
                f"{scene.subject} 以日志末端 {said(leo)}、高水位 {said(hw)} 开始跟随。",
            ),
            say(
                f"Before it fetches from {scene.name(leader)} its log must agree with that leader's.",
                f"从 {scene.name(leader)} 抓取之前，其日志必须与该领导者一致。",
            ),
        ),
        "Each follower makes its log a prefix of its leader's; the era decides how.",
        "every release",
    )


def told_role(scene: Scene) -> Told:
    """The controller's request about leader and ISR reached a broker."""
    row = scene.row
    parts = [] if row.epoch is None else [say(f"epoch {row.epoch}", f"纪元 {row.epoch}")]
    parts += (
        []
        if row.leader is None
        else [
            say("no leader", "没有领导者")
            if row.leader < 0
            else say(f"leader {scene.name(row.leader)}", f"领导者 {scene.name(row.leader)}")
        ]
    )
    parts += (
        []
        if row.isr is None
        else [say(f"in-sync set {_isr_text(scene, row.isr)}", f"同步集合 {_isr_text(scene, row.isr)}")]
    )
    what = say(", ", "，").join(parts) or say("of the partition", "分区的信息")
    if row.kind == "stale_request_ignored":
        return Told(
            say(
                f"{scene.subject} ignores a request of epoch {said(row.epoch)}",
                f"{scene.subject} 忽略纪元 {said(row.epoch)} 的请求",
            ),
            (
                say(
                    f"{scene.subject} already knows this epoch or a later one.",
                    f"{scene.subject} 已知道该纪元或更新的纪元。",
                ),
            ),
            "A request whose leader epoch is not higher than the known one changes nothing.",
            "every release with ZooKeeper",
        )
    sent = row.kind in ("leader_and_isr_sent", "metadata_sent")
    if sent:
        to = "all brokers" if row.replica is None else scene.name(row.replica)
        return Told(
            say(f"The controller sends {what}", f"控制器发送{words(what)}"),
            (
                say(
                    f"{capital(scene.name(row.broker))}, the controller, tells {to}.",
                    f"控制器 {capital(scene.name(row.broker))} 告知 {words(to)}。",
                ),
            ),
        )
    return Told(
        say(f"{scene.subject} is told {what}", f"{scene.subject} 被告知{words(what)}"),
        (say(f"{scene.subject} has heard from the controller.", f"{scene.subject} 收到了控制器的消息。"),),
    )


def isr_changed(scene: Scene) -> Told:
    """The in-sync set changed, or a change was proposed."""
    row = scene.row
    old, new = scene.before.isr, row.isr if row.isr is not None else scene.after.isr
    before, after = set(old or ()), set(new or ())
    left, joined = tuple(sorted(before - after)), tuple(sorted(after - before))
    proposed = row.kind.endswith("_proposed")
    verb = "proposes" if proposed else "is"
    leader = scene.now(row.leader if row.leader is not None else scene.after.leader)
    sentences: list[str] = []
    if left and old is not None:
        sentences.append(
            say(
                f"{capital(scene.names(left))} {_leaves(left, proposed=proposed)}: "
                "not caught up for the lag time, or known to be down.",
                f"{capital(scene.names(left))} {words(_leaves(left, proposed=proposed))}："
                f"超过滞后时间未追上，或已知停机。",
            )
        )
    if joined and old is not None:
        hw = said(leader.hw if leader is not None else None)
        sentences.append(
            say(
                f"{capital(scene.names(joined))} {_joins(joined, proposed=proposed)} "
                f"the leader's high watermark {hw}.",
                f"{capital(scene.names(joined))} "
                f"{words(_joins(joined, proposed=proposed))}领导者的高水位 {hw}。",
            )
        )
    if leader is not None and len(after) == 1:
        sentences.append("The leader is alone: its high watermark goes straight to its log end.")
    elif not left and not joined:
        sentences.append("The set is the same as before.")
    title = say(f"The in-sync set {verb} {_isr_text(scene, new)}", f"同步集合为 {_isr_text(scene, new)}")
    title = (
        say(
            f"{scene.subject} proposes the in-sync set {_isr_text(scene, new)}",
            f"{scene.subject} 提议同步集合 {_isr_text(scene, new)}",
        )
        if proposed
        else title
    )
    rule = (
        "A follower leaves by time: not caught up for replica.lag.time.max.ms."
        if left
        else "A follower joins by offset: its log end reaches the leader's high watermark, "
        "from 2.0.1 also the start of the leader's epoch."
    )
    return Told(title, tuple(sentences[:3]), rule, "0.9; joining also by epoch start from 2.0.1")


def _leaves(brokers: tuple[int, ...], *, proposed: bool) -> str:
    return ("is to leave" if len(brokers) == 1 else "are to leave") if proposed else "left"


def _joins(brokers: tuple[int, ...], *, proposed: bool) -> str:
    one = len(brokers) == 1
    joins = ("is to join" if one else "are to join") if proposed else "joined"
    return say(
        f"{joins}: {'its log has' if one else 'their logs have'} reached", f"{words(joins)}：日志已达到"
    )


PROCESS: Final = {
    "broker_starting": (
        "starts",
        "Its process begins; roles, remote log ends and the high watermark in memory are gone.",
    ),
    "broker_started": ("is up", "It takes part again once the controller tells it its roles."),
    "broker_registered": ("is registered", "The controller counts it as alive."),
    "broker_fenced": ("is fenced", "It counts as dead: it may not lead and does not join the in-sync set."),
    "broker_unfenced": ("is unfenced", "It may lead and join in-sync sets again."),
    "shutdown_requested": ("is asked to stop", "It hands over its leaderships before it goes."),
    "controlled_shutdown_begun": (
        "begins a controlled shutdown",
        "It hands over its leaderships before it goes.",
    ),
    "controlled_shutdown_ended": (
        "ends its controlled shutdown",
        "Its leaderships were handed over, or it gave up trying.",
    ),
    "broker_exited": ("exits", "The process ended by its own decision."),
    "unclean_restart_detected": (
        "finds that it was not shut down",
        "It checks the tail of its logs before it serves them.",
    ),
    "broker_frozen": ("is frozen", "The process stands still; its session and its fetches run out of time."),
    "broker_thawed": ("runs again", "It goes on where it stood, with what it knew then."),
    "broker_failure_noticed": ("is noticed to be down", "The controller takes its leaderships away."),
    "session_expired": ("loses its session", "From now on the controller counts it as dead."),
    "evidence_gap": ("says nothing for a while", "No line tells what happened to it in this time."),
    "controller_elected": ("becomes the controller", "It decides on leaders and in-sync sets from now on."),
    "controller_resigned": ("is no longer the controller", "Another broker decides from now on."),
}


def process(scene: Scene) -> Told:
    """Something happened to a broker as a whole."""
    did, then = PROCESS.get(scene.row.kind, (scene.row.kind.replace("_", " "), ""))
    did = say(did, words(did))
    if scene.row.kind == "evidence_gap" and scene.row.aux is not None:
        seconds = scene.row.aux // SECOND_NS
        did = say(f"says nothing for {seconds} s", f"{seconds} 秒没有消息")
    title = f"{scene.subject} {did}"
    return Told(title, (then or say(f"{title}.", f"{title}。"),))


def stopped(scene: Scene) -> Told:
    """A broker went down."""
    row = scene.row
    was = scene.was(row.replica)
    clean = row.kind == "broker_stopped"
    sentences = [
        say(
            f"{scene.subject} {'stopped cleanly' if clean else 'went down without a shutdown'}.",
            f"{scene.subject} {words('stopped cleanly' if clean else 'went down without a shutdown')}。",
        )
    ]
    if was is not None:
        keeps = say(
            f"On its disk stays a log that ends at {said(was.leo)}",
            f"其磁盘上留有末端为 {said(was.leo)} 的日志",
        )
        mark = "its high watermark" if clean else "of its high watermark only what the last checkpoint says"
        sentences.append(say(f"{keeps}, and {mark}.", f"{keeps}，以及{words(mark)}。"))
        if was.role is Role.LEADER:
            sentences.append("It led: until another replica is elected nothing can be written.")
    return Told(
        say(
            f"{scene.subject} {'stops' if clean else 'crashes'}",
            f"{scene.subject} {words('stops' if clean else 'crashes')}",
        ),
        tuple(sentences),
        "The high watermark is written to replication-offset-checkpoint every 5 s and at a clean stop.",
        "every release",
    )
