"""The one table of findings. Triage, lists, exports and Spark use its ranks and no other."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from core.assumptions import ALONE_IN_SYNC_FOR_MORE_THAN, LEADER_PAUSED_AT_MOST
from core.diagnose.verdict.facts import Severity
from core.trace.units import MILLISECOND_NS


@dataclass(frozen=True, slots=True)
class Check:
    """A kind of finding. `rank` sorts, 1 is worst.

    `threshold` is what must be passed, in the unit that the sentence names.

    `sentence` says what the check looks for, for help and lists; a finding has its own text. `advice` says
    what to do or to read next. Both have their Chinese beside them.
    """

    id: str
    severity: Severity
    rank: int
    threshold: int | None
    sentence: str
    sentence_zh: str
    advice: str
    advice_zh: str


_LOSS, _DANGER, _NOTICE = Severity.LOSS, Severity.DANGER, Severity.NOTICE

_Row: TypeAlias = tuple[str, Severity, int | None, str, str, str, str]


def _row(id_: str, severity: Severity, threshold: int | None, *texts: str) -> _Row:
    """A row of the table; four texts."""
    sentence, sentence_zh, advice, advice_zh = texts
    return id_, severity, threshold, sentence, sentence_zh, advice, advice_zh


# Id, severity, threshold, then sentence and advice, each in English and in Chinese.
#
# The order is the rank: proven loss, possible loss, differing logs, a high watermark that moved back, unclean
# election, epoch storm, flapping, harmless cut, with what is near to each of them beside it.
#
# Danger is what may have cost records or kept two logs apart, and what no sound cluster does. All else is a
# notice, so that a healthy cluster raises no alarm. Of those that look worse than that:
# - hw-went-back follows every cut below what consumers saw; where that cost records the ledger has the alarm
# - isr-behind-hw is what to 0.10 every unclean restart of a follower does, as it cuts to its checkpoint
# - zombie-leader and uncommitted-tail concern acks=1 alone, which never survived a change of leader
# - broken-promise is the loss or the divergence seen from the protocol's side, or evidence at odds with
#   itself
# - leaderless, under-min-isr and last-replica-standing cost availability, not records
_TABLE: Final[tuple[_Row, ...]] = (
    _row(
        "committed-loss",
        _LOSS,
        None,
        "Committed records are held by no later leader",
        "已提交的记录不在任何后来的领导者上",
        "Keep the disks of every replica as they are; a copy that no leader serves can still be read "
        "with kafka-dump-log",
        "保留所有副本的磁盘原样；没有领导者提供的副本仍可用 kafka-dump-log 读取",
    ),
    _row(
        "acknowledged-loss",
        _LOSS,
        None,
        "Acknowledged records are held by no later leader",
        "已确认的记录不在任何后来的领导者上",
        "Keep the disks of every replica as they are; use acks=all with min.insync.replicas of at least 2",
        "保留所有副本的磁盘原样；使用 acks=all，并把 min.insync.replicas 设为至少 2",
    ),
    _row(
        "possible-loss",
        _DANGER,
        None,
        "Records that may have been committed are held by no later leader",
        "可能已提交的记录不在任何后来的领导者上",
        "Ask the producers what they were told; a log or a data directory of the old leader may settle it",
        "向生产者核实收到的应答；旧领导者的日志或数据目录或可澄清",
    ),
    _row(
        "divergence",
        _DANGER,
        None,
        "Two replicas hold different records at the same offset",
        "两个副本在同一偏移量上保存着不同的记录",
        "Kafka does not repair this: decide which copy is right, and rebuild the other replica from it",
        "Kafka 不会修复它：先判断哪一份正确，再由它重建另一个副本",
    ),
    _row(
        "hw-went-back",
        _NOTICE,
        None,
        "A high watermark moved back while its process ran on",
        "进程未重启而高水位后退",
        "Consumers may have read records above the new value; see the cut or the election beside it",
        "消费者可能读过新值之上的记录；请查看旁边的截断或选举",
    ),
    _row(
        "unclean-election",
        _DANGER,
        None,
        "A replica that was not in sync was elected",
        "选出了一个不同步的副本作为领导者",
        "Set unclean.leader.election.enable=false; before an election by hand compare the log ends of "
        "all replicas",
        "设置 unclean.leader.election.enable=false；手工选举前先比较所有副本的日志末端",
    ),
    _row(
        "isr-empty-disk",
        _DANGER,
        None,
        "A replica was in the in-sync set with a log that began anew, while records had been committed",
        "一个副本的日志从空开始，却仍在同步集合中，而此前已有提交的记录",
        "Move leadership away from it and let it leave the in-sync set before its disk is replaced "
        "(KAFKA-14139, "
        "from 3.5 the controller refuses it)",
        "更换磁盘前先移走领导权并使其离开同步集合（KAFKA-14139，自 3.5 起控制器会拒绝）",
    ),
    _row(
        "refused-to-truncate",
        _DANGER,
        None,
        "A broker ended itself because it may not cut its log to its leader's end",
        "一个代理因不允许截断日志而自行退出",
        "Compare both logs before restarting it; to 2.0.0 unclean.leader.election.enable=false "
        "forbids this cut, "
        "from 2.0.1 it is made (KAFKA-7414)",
        "重启前先比较两份日志；到 2.0.0 为止 unclean.leader.election.enable=false 会禁止该截断，自 "
        "2.0.1 起允许（KAFKA-7414）",
    ),
    _row(
        "isr-behind-hw",
        _NOTICE,
        None,
        "A member of the in-sync set ended below the leader's high watermark",
        "同步集合中的一个成员的日志末端低于领导者的高水位",
        "If it is elected now, committed records go: do not stop the leader before it has caught up",
        "若此时选它为领导者，已提交的记录会丢失：在它追上之前不要停止领导者",
    ),
    _row(
        "broken-promise",
        _NOTICE,
        None,
        "A promise of replication does not hold in this trace",
        "复制协议的一项保证在此记录中不成立",
        "Read the evidence of both sides: either the cluster broke the promise, or the evidence "
        "contradicts itself",
        "查看双方的证据：要么集群违背了保证，要么证据自相矛盾",
    ),
    _row(
        "zombie-leader",
        _NOTICE,
        None,
        "A broker went on as a leader after another had been elected in a later epoch",
        "在更新的纪元选出别的领导者之后，一个代理仍以领导者自居",
        "What it told with acks=1 in that time is removed when it follows; use acks=all",
        "它在此期间以 acks=1 应答的记录会在其转为跟随者时删除；请使用 acks=all",
    ),
    _row(
        "leaderless",
        _NOTICE,
        None,
        "The partition had no leader",
        "分区没有领导者",
        "Bring back a member of the last in-sync set; an unclean election would lose what only they hold",
        "恢复最后同步集合的成员；不干净的选举会丢失只有它们持有的记录",
    ),
    _row(
        "epoch-storm",
        _NOTICE,
        10,
        "The leader epoch rose at least as often as the threshold within a minute",
        "领导者纪元在一分钟内上升的次数达到阈值",
        "Look at the controller and at brokers that start and stop again and again",
        "检查控制器以及反复启停的代理",
    ),
    _row(
        "isr-flapping",
        _NOTICE,
        3,
        "A replica left the in-sync set at least as often as the threshold within five minutes",
        "一个副本在五分钟内离开同步集合的次数达到阈值",
        "Look at that broker's disk, network and pauses; replica.lag.time.max.ms may be too short for it",
        "检查该代理的磁盘、网络与停顿；replica.lag.time.max.ms 可能过短",
    ),
    _row(
        "last-replica-standing",
        _NOTICE,
        ALONE_IN_SYNC_FOR_MORE_THAN.ns // MILLISECOND_NS,
        "The leader was the only member of the in-sync set for longer than the threshold, in ms",
        "领导者作为同步集合唯一成员的时间超过阈值（毫秒）",
        "With min.insync.replicas=2 nothing is confirmed to acks=all by one copy alone (KIP-966 keeps "
        "such a leader "
        "eligible)",
        "min.insync.replicas=2 时不会仅凭一份副本确认 acks=all（KIP-966 使这样的领导者保持资格）",
    ),
    _row(
        "under-min-isr",
        _NOTICE,
        None,
        "The in-sync set was smaller than min.insync.replicas",
        "同步集合小于 min.insync.replicas",
        "Producers with acks=all are refused in that time; bring the missing replicas back",
        "此间 acks=all 的生产者会被拒绝；请恢复缺失的副本",
    ),
    _row(
        "leader-paused",
        _NOTICE,
        LEADER_PAUSED_AT_MOST.ns // MILLISECOND_NS,
        "A leader put out every follower and took one back within the threshold, in ms: it had "
        "paused, not they",
        "领导者移出全部跟随者又在阈值（毫秒）内收回：停顿的是领导者而非跟随者",
        "Look at the leader for a long garbage collection, a frozen machine or a slow disk",
        "检查领导者是否有长时间垃圾回收、机器冻结或磁盘缓慢",
    ),
    _row(
        "follower-stuck",
        _NOTICE,
        5,
        "A follower came to the same cut at least as often as the threshold, and its log did not grow",
        "跟随者得到同一截断的次数达到阈值，且日志没有增长",
        "An epoch entry at its log end that the leader does not have does that to 2.7 (KAFKA-10706): "
        "restart it",
        "到 2.7 为止，日志末端有领导者所没有的纪元条目会如此（KAFKA-10706）：重启该副本",
    ),
    _row(
        "out-of-range-loop",
        _NOTICE,
        3,
        "A follower's fetch was out of range at the same offset at least as often as the threshold",
        "跟随者在同一偏移量上抓取越界的次数达到阈值",
        "Compare its log end with the leader's log start and end; on an idle partition see KAFKA-15608",
        "将其日志末端与领导者的日志起点、末端比较；空闲分区见 KAFKA-15608",
    ),
    _row(
        "leo-jumped-back",
        _NOTICE,
        None,
        "A log came back shorter than it had been, and no line tells of a cut",
        "日志恢复后比先前短，且没有任何行说明截断",
        "The end of the log had not reached the disk: look for a crash of the machine, or a torn segment",
        "日志末尾未写入磁盘：请查找机器崩溃或残缺的日志段",
    ),
    _row(
        "hw-above-leo",
        _NOTICE,
        None,
        "A high watermark stood above the log end offset of its replica",
        "副本的高水位高于其日志末端",
        "To 2.3 a cut does not lower the high watermark in memory; it is corrected by the next answer "
        "of the leader",
        "到 2.3 为止截断不会降低内存中的高水位；领导者的下一次应答会纠正它",
    ),
    _row(
        "hw-checkpoint-stale",
        _NOTICE,
        None,
        "After a start without a clean stop a replica loaded an older high watermark than it had had",
        "未干净停止后重新启动的副本载入了比先前更旧的高水位",
        "The checkpoint is written every replica.high.watermark.checkpoint.interval.ms (5 s); to 0.10 "
        "the follower cuts "
        "to it",
        "检查点每隔 replica.high.watermark.checkpoint.interval.ms（5 秒）写入；到 0.10 为止跟随者会截断到它",
    ),
    _row(
        "unclean-stop",
        _NOTICE,
        None,
        "A broker that holds a replica stopped without a clean shutdown",
        "持有副本的代理未干净关闭就停止",
        "The end of its log may not have reached the disk; its high watermark checkpoint may be old",
        "其日志末尾可能未写入磁盘；其高水位检查点可能已旧",
    ),
    _row(
        "cut-below-hw",
        _NOTICE,
        None,
        "A replica removed committed records that the leader still holds",
        "一个副本删除了领导者仍持有的已提交记录",
        "Nothing is lost while that leader lives; to 0.10 every follower cuts so",
        "只要该领导者存活就没有丢失；到 0.10 为止每个跟随者都如此截断",
    ),
    _row(
        "uncommitted-tail",
        _NOTICE,
        None,
        "Records that only acks=1 can have confirmed were removed",
        "仅可能由 acks=1 确认的记录被删除",
        "A producer that used acks=1 may have been told that they were written; acks=all was not",
        "使用 acks=1 的生产者可能已收到写入应答；acks=all 没有",
    ),
    _row(
        "sources-disagree",
        _NOTICE,
        None,
        "Two sources state values of one replica that cannot both be so",
        "两个来源对同一副本的陈述不能同时成立",
        "Both are shown; a wrong zone, a mixed-up folder or a copied file is the usual reason",
        "两者都会显示；常见原因是时区错误、目录混淆或复制的文件",
    ),
    _row(
        "clock-contradiction",
        _NOTICE,
        None,
        "What one broker says cannot have come after what another says, though its clock says so",
        "某代理的时钟与事件的先后矛盾",
        "State the zone of that broker with --zone, or give the logs of the controller",
        "用 --zone 指明该代理的时区，或提供控制器的日志",
    ),
    _row(
        "evidence-gap",
        _NOTICE,
        None,
        "A broker's log is silent before a start, or its replica became shorter without a word",
        "某代理的日志在启动前中断，或其副本无声变短",
        "Give the missing files, if there are any; what the broker did in that time is not known",
        "如有缺失文件请补充；该代理此间的行为未知",
    ),
    _row(
        "false-alarm",
        _NOTICE,
        None,
        "A warning of Kafka that means no harm",
        "Kafka 的一条无害警告",
        "Nothing needs to be done",
        "无需处理",
    ),
)

CHECKS: Final[tuple[Check, ...]] = tuple(
    Check(id_, severity, rank, threshold, *texts)
    for rank, (id_, severity, threshold, *texts) in enumerate(_TABLE, start=1)
)
CHECK: Final[dict[str, Check]] = {check.id: check for check in CHECKS}


def threshold_of(check: str) -> int:
    """The threshold of a check that has one. Raises ValueError for one that has none."""
    value = CHECK[check].threshold
    if value is None:
        raise ValueError(f"the check {check} has no threshold")
    return value
