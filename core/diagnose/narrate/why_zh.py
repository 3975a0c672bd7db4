"""What `why` says without values in it, in Simplified Chinese: whole sentences, rules, releases, words."""

from collections.abc import Mapping
from typing import Final

SAID: Final[Mapping[str, str]] = {
    "leader epoch": "领导者纪元",
    "offset": "偏移量",
    "from offset": "起始偏移量",
    "log end offset": "日志末端",
    "high watermark": "高水位",
    "log start offset": "日志起点",
    "partition epoch": "分区纪元",
    "isr update rejected": "ISR 更新被拒",
    "log deleted": "日志已删除",
    "log start moved": "日志起点移动",
    "segment rolled": "日志段滚动",
    "log dir failed": "日志目录故障",
    " (inferred from the sets before and after)": "（由前后的集合推断）",
    "0.11.0 (KIP-98)": "0.11.0（KIP-98）",
    "0.11.0 (KIP-98); 2.5 (KIP-360)": "0.11.0（KIP-98）；2.5（KIP-360）",
    "0.11.0 to 2.7": "0.11.0 至 2.7",
    "0.8; to 2.0.0 only with unclean.leader.election.enable=true (KAFKA-7414)": (
        "0.8；到 2.0.0 为止仅当 unclean.leader.election.enable=true（KAFKA-7414）"
    ),
    "0.9; joining also by epoch start from 2.0.1": "0.9；自 2.0.1 起加入还要求达到纪元起点",
    "2.8, with inter-broker protocol 2.7 or later": "2.8，且 broker 间协议为 2.7 或更高",
    "; what others hold above its log end is not part of the log from now on.": (
        "；其他副本在其日志末端之上的内容从此不属于该日志。"
    ),
    "A broker that stops hands leadership to an in-sync replica first.": (
        "停止的 broker 先把领导权交给同步副本。"
    ),
    "A cut drops the entries that start at or above it.": "截断会丢弃起点在其处或更高的条目。",
    "A fetch beyond the leader's log end is out of range, and the follower cuts to that log end.": (
        "超出领导者日志末端的抓取越界，跟随者截断到该末端。"
    ),
    "A fetch names its last epoch; the leader says where the logs diverge, there it cuts (KAFKA-10554).": (
        "抓取指明其最后的纪元；领导者说明日志在何处分歧，它在该处截断（KAFKA-10554）。"
    ),
    "A fetch that waited is read again when it ends, and carries the high watermark of that moment.": (
        "等待过的抓取在结束时重新读取，并带上那一刻的高水位。"
    ),
    "A fetch with nothing to return waits; a rise of the high watermark alone does not wake it.": (
        "没有内容可返回的抓取会等待；仅高水位上升不会唤醒它。"
    ),
    "A follower asks for the end of its own last epoch before it fetches (KIP-101).": (
        "跟随者在抓取前询问自己最后纪元的结束处（KIP-101）。"
    ),
    "A follower asks the leader where its own last epoch ended, and cuts to that offset (KIP-101).": (
        "跟随者询问领导者自己最后的纪元在何处结束，并截断到该偏移量（KIP-101）。"
    ),
    "A follower joins by offset: its log end reaches the leader's high watermark, from "
    "2.0.1 also the start of the leader's epoch.": (
        "跟随者按偏移量加入：其日志末端达到领导者的高水位，自 2.0.1 起还要达到领导者纪元的起点。"
    ),
    "A follower leaves by time: not caught up for replica.lag.time.max.ms.": (
        "跟随者按时间离开：超过 replica.lag.time.max.ms 未追上。"
    ),
    "A follower whose log ends below the leader's log start drops its log and starts there.": (
        "日志末端低于领导者日志起点的跟随者丢弃其日志，从该起点重新开始。"
    ),
    "A follower's high watermark is min(what the answer says, its own log end).": (
        "跟随者的高水位是 min(应答中的值, 自己的日志末端)。"
    ),
    "A leader compares a batch with the last five of the same producer.": (
        "领导者把批次与同一生产者的最近五个批次比较。"
    ),
    "A leader makes the entry with its first write, from 2.0.1 at its election; followers from batches.": (
        "领导者在首次写入时登记该条目，自 2.0.1 起在当选时登记；跟随者由批次得知。"
    ),
    "A log is cut at batches, and its end is set to the offset of the cut.": (
        "日志按批次截断，其末端设为截断的偏移量。"
    ),
    "A log is loaded up to the last whole batch on the disk.": "日志加载到磁盘上最后一个完整批次。",
    "A new leader comes from the in-sync replicas, whatever its log end or high watermark.": (
        "新领导者来自同步副本，不论其日志末端或高水位。"
    ),
    "A new leader's own high watermark is a lower bound of what is committed.": (
        "新领导者自己的高水位是已提交内容的下界。"
    ),
    "A produce request that times out takes nothing back.": "超时的生产请求不会收回任何内容。",
    "A replica starts with the high watermark of its checkpoint, or its log end where that is lower.": (
        "副本以检查点中的高水位启动，若日志末端更低则用日志末端。"
    ),
    "A replica that becomes a follower cuts its log to its own high watermark.": (
        "成为跟随者的副本把日志截断到自己的高水位。"
    ),
    "A replica that left the ISR with all committed records may lead (KIP-966).": (
        "带着全部已提交记录离开 ISR 的副本可以领导（KIP-966）。"
    ),
    "A request whose leader epoch is not higher than the known one changes nothing.": (
        "领导者纪元不高于已知纪元的请求不产生任何变化。"
    ),
    "A snapshot says so, or the replicas or their directories were changed and nothing else.": (
        "快照如此记载，或仅副本或其目录有改动。"
    ),
    "A topic is known by its id, not by its name (KIP-516).": "主题以其 id 识别，而非名称（KIP-516）。",
    "After an unclean stop the tail of the log is checked, and cut at the first batch that is not whole.": (
        "未干净停止后检查日志尾部，并在第一个不完整的批次处截断。"
    ),
    "An answer given at once carries the high watermark from before this fetch raised it.": (
        "立即给出的应答带的是此次抓取抬高之前的高水位。"
    ),
    "Another broker decides from now on.": "从现在起由另一个 broker 决定。",
    "At position 0 nothing has happened yet.": "在位置 0 还没有发生任何事。",
    "Consumers are given records below the high watermark.": "消费者只能得到高水位之下的记录。",
    "Each follower makes its log a prefix of its leader's; the era decides how.": (
        "每个跟随者使其日志成为领导者日志的前缀；方式取决于版本。"
    ),
    "Every 5 s each replica's high watermark is written to replication-offset-checkpoint.": (
        "每 5 秒把每个副本的高水位写入 replication-offset-checkpoint。"
    ),
    "Every change of a partition raises its partition epoch by one.": "分区的每次改动使其分区纪元加一。",
    "Followers copy what the leader has appended, committed or not.": (
        "跟随者复制领导者追加的内容，不论是否已提交。"
    ),
    "From now on the controller counts it as dead.": "从现在起控制器视其为失效。",
    "It became a follower, and its own high watermark was {hw}.": "它成为跟随者，自己的高水位为 {hw}。",
    "It checks the tail of its logs before it serves them.": "它在提供服务前检查日志尾部。",
    "It comes from the last checkpoint, written at most 5 s before the stop.": (
        "它来自最后的检查点，写于停止前至多 5 秒。"
    ),
    "It counts as dead: it may not lead and does not join the in-sync set.": (
        "它被视为失效：不能领导，也不加入同步集合。"
    ),
    "It decides on leaders and in-sync sets from now on.": "从现在起由它决定领导者与同步集合。",
    "It goes on where it stood, with what it knew then.": "它从停顿处继续，带着当时所知。",
    "It hands over its leaderships before it goes.": "它在离开前交出领导权。",
    "It has no answer to the last attempt: the batch may be in a log, or in none.": (
        "上次尝试没有应答：该批次可能在某个日志中，也可能不在。"
    ),
    "It is the offset that it had committed, or the one that auto.offset.reset names.": (
        "这是它提交过的偏移量，或 auto.offset.reset 指定的偏移量。"
    ),
    "It knows nothing of the followers' logs yet: its high watermark waits until each has fetched.": (
        "它还不知道跟随者的日志：其高水位要等每个都抓取过。"
    ),
    "It led: until another replica is elected nothing can be written.": (
        "它曾领导：在选出另一个副本之前无法写入。"
    ),
    "It left the in-sync set with all that is committed, and may lead without loss.": (
        "它带着全部已提交内容离开同步集合，可以无丢失地领导。"
    ),
    "It may lead and join in-sync sets again.": "它可以再次领导并加入同步集合。",
    "It now asks where the leader's log ends.": "它现在询问领导者的日志末端。",
    "It stays where it is.": "它停在原处。",
    "It takes part again once the controller tells it its roles.": "控制器告知其角色后它重新参与。",
    "Its condition was not met within the limit of the script; the run goes on.": (
        "其条件在脚本的限度内未满足；运行继续。"
    ),
    "Its fetch at {came} was beyond the log of {leader}, which ends at {to}.": (
        "它在 {came} 的抓取超出 {leader} 的日志，后者末端为 {to}。"
    ),
    "Its leaderships were handed over, or it gave up trying.": "其领导权已交出，或它放弃了尝试。",
    "Its log ended before the log start of {leader}.": "其日志末端早于 {leader} 的日志起点。",
    "Its log stands still until it fetches again or leads.": "在再次抓取或领导之前，其日志保持不动。",
    "Its process begins; roles, remote log ends and the high watermark in memory are gone.": (
        "其进程开始；角色、远端日志末端和内存中的高水位都没有了。"
    ),
    "KRaft, 2.8": "KRaft，2.8",
    "No checkpoint of this replica says more.": "此副本的检查点没有更多内容。",
    "No event says why.": "没有事件说明原因。",
    "No line tells what happened to it in this time.": "没有行说明这段时间里发生了什么。",
    "None but the members of the in-sync set may lead without loss.": (
        "只有同步集合的成员可以无丢失地领导。"
    ),
    "None of it is sure to survive a failure.": "其中没有任何内容确定能经受故障。",
    "Nothing can be written or read until one of them returns.": "在其中之一恢复之前无法写入或读取。",
    "Nothing in the trace names the rule.": "轨迹中没有内容说明规则。",
    "Nothing shows that it was longer.": "没有内容表明它更长。",
    "Nothing shows that they had been committed.": "没有内容表明它们已提交。",
    "Nothing yet": "尚无内容",
    "OFFSET_OUT_OF_RANGE: the leader's log decides; auto.offset.reset says where to go on.": (
        "OFFSET_OUT_OF_RANGE：以领导者的日志为准；auto.offset.reset 说明从何处继续。"
    ),
    "OUT_OF_ORDER_SEQUENCE_NUMBER: the numbers of a producer follow one another in each partition.": (
        "OUT_OF_ORDER_SEQUENCE_NUMBER：生产者的序列号在每个分区中依次相连。"
    ),
    "Producer id, epoch and sequence numbers stand in the batch: each replica that has it knows.": (
        "生产者 id、纪元和序列号在批次中：每个持有它的副本都知道。"
    ),
    "Records that the consumer had read are gone, or the log starts later now.": (
        "消费者读过的记录已消失，或日志现在起点更晚。"
    ),
    "The batch before it is not in this log: it was lost, or it has not come yet.": (
        "其前一个批次不在此日志中：已丢失，或尚未到来。"
    ),
    "The broker parks the fetch until the high watermark rises, or fetch.max.wait.ms has passed.": (
        "broker 搁置该抓取，直到高水位上升或超过 fetch.max.wait.ms。"
    ),
    "The broker states it; nothing changed.": "broker 如此陈述；没有变化。",
    "The controller counts it as alive.": "控制器视其为存活。",
    "The controller made the partition; it has no leader yet.": "控制器创建了分区；它还没有领导者。",
    "The controller takes its leaderships away.": "控制器收回其领导权。",
    "The copy of its data directory holds no more.": "其数据目录的副本没有更多内容。",
    "The first assigned replica leads again as soon as it is in sync.": (
        "首个分配的副本一旦同步就再次领导。"
    ),
    "The first leader is the first assigned replica that is alive.": ("首个领导者是第一个存活的分配副本。"),
    "The high watermark is written to replication-offset-checkpoint every 5 s and at a clean stop.": (
        "高水位每 5 秒以及干净停止时写入 replication-offset-checkpoint。"
    ),
    "The leader answers with the end of the epoch asked for (KIP-101; with its epoch from KIP-279 on).": (
        "领导者应答所询问纪元的结束处（KIP-101；自 KIP-279 起还带上其纪元）。"
    ),
    "The leader compares the last fetched epoch of a fetch with its own epoch cache (KAFKA-10554).": (
        "领导者把抓取请求中最后的纪元与自己的纪元缓存比较（KAFKA-10554）。"
    ),
    "The leader has appended it; nobody else needs to hold it.": "领导者已追加；不要求其他副本持有。",
    "The leader is alone: its high watermark goes straight to its log end.": (
        "领导者独自一个：其高水位直接到达日志末端。"
    ),
    "The leader records the offset of a fetch as the follower's log end before it makes the answer.": (
        "领导者在应答前把抓取的偏移量记为该跟随者的日志末端。"
    ),
    "The leader's high watermark is the smallest log end among itself and counted followers.": (
        "领导者的高水位是它自己与计入的跟随者中最小的日志末端。"
    ),
    "The offset of a fetch tells the leader how far the follower's log reaches.": (
        "抓取的偏移量告诉领导者跟随者的日志到达何处。"
    ),
    "The partition has no leader": "分区没有领导者",
    "The partition is created": "分区已创建",
    "The partition is deleted": "分区已删除",
    "The process ended by its own decision.": "进程自行决定结束。",
    "The process stands still; its session and its fetches run out of time.": (
        "进程停顿；其会话和抓取会超时。"
    ),
    "The producer is answered as if the batch had come for the first time.": (
        "生产者得到的应答如同批次首次到来。"
    ),
    "The records stay in the leader's log and may still be committed.": (
        "记录留在领导者的日志中，仍可能提交。"
    ),
    "The set is the same as before.": "集合与之前相同。",
    "To 2.4 the batch fails; from 2.5 the producer begins a new epoch with 0 and sends again.": (
        "到 2.4 为止批次失败；自 2.5 起生产者以 0 开始新纪元并重新发送。"
    ),
    "What was above {to} was not on the disk.": "{to} 之上的内容不在磁盘上。",
    "Who leaves an in-sync set below min.insync.replicas stays eligible until an unclean stop (KIP-966).": (
        "离开低于 min.insync.replicas 的同步集合者，在未干净停止之前仍有资格（KIP-966）。"
    ),
    "With an empty ISR and ELR the last leader may lead again (KIP-966).": (
        "ISR 与 ELR 都为空时，最后的领导者可再次领导（KIP-966）。"
    ),
    "With unclean.leader.election.enable=true an out-of-sync replica may lead; others' records go.": (
        "当 unclean.leader.election.enable=true 时，不同步的副本可以领导；其他副本的记录会失去。"
    ),
    "Without sequence numbers the leader cannot tell it from a new one.": (
        "没有序列号，领导者无法把它与新批次区分。"
    ),
    "Without unclean election only an in-sync replica may lead.": (
        "没有不干净的选举时，只有同步副本可以领导。"
    ),
    "a clean election": "干净的选举",
    "a controlled shutdown": "受控关闭",
    "acks=all waits for the high watermark, acks=1 for the leader's append alone.": (
        "acks=all 等待高水位，acks=1 只等待领导者追加。"
    ),
    "all brokers": "所有 broker",
    "an election": "选举",
    "an election from the eligible leader replicas": "从合格领导者副本中选举",
    "an election of the last known leader": "选举最后已知的领导者",
    "an unclean election": "不干净的选举",
    "appends, then": "先追加，再",
    "are to join": "将加入",
    "are to leave": "将离开",
    "joined": "已加入",
    "left": "已离开",
    "auto.offset.reset: earliest is the log start, latest the high watermark; none is an error.": (
        "auto.offset.reset：earliest 是日志起点，latest 是高水位；none 是错误。"
    ),
    "becomes the controller": "成为控制器",
    "begins a controlled shutdown": "开始受控关闭",
    "ends its controlled shutdown": "结束受控关闭",
    "every release": "所有版本",
    "every release but 2.4 and 2.5": "除 2.4 和 2.5 外的所有版本",
    "every release with ZooKeeper": "使用 ZooKeeper 的所有版本",
    "every release; 2.4 and 2.5 answer again when it has risen": ("所有版本；2.4 和 2.5 在其上升后再次应答"),
    "every release; the default is all from 3.0": "所有版本；自 3.0 起默认为 all",
    "finds that it was not shut down": "发现自己上次未正常关闭",
    "has nothing to append, and": "没有可追加的内容，",
    "is asked to stop": "被要求停止",
    "is fenced": "被隔离",
    "is frozen": "停顿",
    "is no longer the controller": "不再是控制器",
    "is noticed to be down": "被发现已停机",
    "is registered": "已注册",
    "is to join": "将加入",
    "is to leave": "将离开",
    "is unfenced": "解除隔离",
    "is up": "已启动",
    "starts": "启动",
    "exits": "退出",
    "its high watermark": "其高水位",
    "its leader epoch was older than the leader's": "其领导者纪元比领导者的旧",
    "loses its session": "失去会话",
    "no leader": "没有领导者",
    "nobody": "无",
    "none": "无",
    "nothing yet": "尚无内容",
    "of its high watermark only what the last checkpoint says": "高水位只有最后检查点所记的值",
    "of the partition": "分区的信息",
    "fetch": "抓取",
    "question about its epoch": "纪元询问",
    "retries: a batch that failed or was not answered is sent to the leader that is known by then.": (
        "retries：失败或未得到应答的批次会发给届时已知的领导者。"
    ),
    "runs again": "恢复运行",
    "says nothing for a while": "一段时间没有消息",
    "the answer was an error": "应答是错误",
    "the broker asked does not lead": "被询问的 broker 不是领导者",
    "the election of the preferred replica": "选举首选副本",
    "the first election of the partition": "分区的首次选举",
    "the leader could not be reached": "无法连接领导者",
    "the leader has not heard of its leader epoch yet": "领导者尚不知道其领导者纪元",
    "the offset lies outside of the leader's log": "该偏移量在领导者的日志之外",
    "to 0.10.2; later only where no epoch is known": "到 0.10.2 为止；之后仅在没有已知纪元时",
    "was a member of": "曾是成员，当时的",
    "was not a member of": "不是成员，当时的",
    "committed": "已提交",
    "acknowledged": "已确认",
    "falls": "下降",
    "rises": "上升",
    "is": "为",
    " on its disk": "（磁盘上）",
    "4.0": "4.0",
    "0.11.0": "0.11.0",
    "0.8": "0.8",
    "2.8": "2.8",
    "stopped cleanly": "干净地停止",
    "went down without a shutdown": "未关闭就停机",
    "stops": "停止",
    "crashes": "崩溃",
    "{leader} answered its fetch with the offset {to}, up to which both logs agree.": (
        "{leader} 以偏移量 {to} 应答其抓取，双方日志一致到该处。"
    ),
    "{leader} answered that the epoch of its last record ended at {to}.": (
        "{leader} 应答：其最后一条记录的纪元结束于 {to}。"
    ),
}
"""By the English. Tables of rules are made at import, before a language is chosen, so they stay English."""


def words(text: str) -> str:
    """A fixed text in Chinese; one that is not in the table as it is: a name or a number."""
    return SAID.get(text, text)
