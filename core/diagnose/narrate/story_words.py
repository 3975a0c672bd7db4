"""The sentences of a story in both languages: elections, rules, causes, and what prevents them."""

from typing import Final

from core.diagnose.narrate.sayings import Saying

ELECTIONS: Final = {
    "first": Saying("as the first leader of the partition", "作为分区的首个领导者"),
    "clean": Saying("elected from the in-sync set (a clean election)", "从同步集合中选出（干净的选举）"),
    "preferred": Saying("elected as the preferred replica", "作为首选副本当选"),
    "controlled": Saying("taking over in a controlled shutdown", "在受控关闭中接任"),
    "unclean": Saying(
        "elected although it was not in the in-sync set (an unclean election)",
        "不在同步集合中却当选（不干净的选举）",
    ),
    "elr": Saying("elected from the eligible leader replicas (KIP-966)", "从合格领导者副本中选出（KIP-966）"),
    "last-known": Saying("elected as the last known leader (KIP-966)", "作为最后已知的领导者当选（KIP-966）"),
    "unknown": Saying("by an election of which nothing more is known", "选举方式未知"),
}
RULES: Final = {
    "high-watermark": Saying(
        "To 0.10, and later where no leader epoch is known, a replica that becomes a follower cuts "
        "its log to its own "
        "high watermark, which after a crash is as old as its checkpoint. From 0.11 it asks for the "
        "end of its leader "
        "epoch instead (KIP-101).",
        "到 0.10 为止（以及之后没有领导者纪元时），成为跟随者的副本把日志截断到自己的高水位；"
        "崩溃后它与检查点一样旧。"
        "自 0.11 起改为询问其领导者纪元的结束处（KIP-101）。",
    ),
    "leader-epoch": Saying(
        "From 0.11 a new follower asks the leader where the follower's last leader epoch ends, and "
        "cuts there "
        "(KIP-101; from 2.0 the answer names its epoch too, KIP-279).",
        "自 0.11 起，新的跟随者询问领导者其最后纪元的结束处并在该处截断（KIP-101；自 2.0 "
        "起应答也指明纪元，KIP-279）。",
    ),
    "diverging-epoch": Saying(
        "From 2.7 on, and in full from 2.8, the answer to a fetch says where the logs part, and the "
        "follower cuts there "
        "(KIP-595, KAFKA-10554).",
        "自 2.7 起（2.8 完整实现），抓取应答说明日志在何处分歧，跟随者在该处截断（KIP-595，KAFKA-10554）。",
    ),
    "leader-end": Saying(
        "A follower whose fetch is beyond the leader's log end cuts to that end. To 2.0.0 it does so "
        "only if unclean "
        "elections are allowed, and else ends itself (KAFKA-7414).",
        "抓取超出领导者日志末端的跟随者会截断到该末端。到 2.0.0 为止仅在允许不干净选举时如此，"
        "否则自行退出（KAFKA-7414）。",
    ),
    "reset": Saying(
        "A follower that ends before the leader's log begins drops its whole log and starts at the "
        "leader's log start.",
        "日志末端早于领导者日志起点的跟随者会丢弃整个日志，从领导者的日志起点重新开始。",
    ),
    "recovery": Saying(
        "What had not reached the disk is gone after the start; Kafka does not flush before it acknowledges.",
        "未写入磁盘的内容在启动后消失；Kafka 在确认前不刷盘。",
    ),
    "unknown": Saying("No line names the rule.", "没有任何行说明规则。"),
}
CAUSES: Final = {
    "high-watermark-truncation": Saying(
        "The replica that was elected had itself cut its log to its own high watermark before.",
        "当选的副本先前已把自己的日志截断到自己的高水位。",
    ),
    "unknown-epoch": Saying(
        "The replica that was elected had asked where its epoch ends, the leader did not know that "
        "epoch, and so it cut to its own high watermark.",
        "当选的副本先前询问其纪元在何处结束，领导者不认识该纪元，于是它截断到自己的高水位。",
    ),
    "stale-isr": Saying(
        "The replica that was elected was in the in-sync set although it did not hold these committed "
        "records.",
        "当选的副本虽在同步集合中，却没有这些已提交的记录。",
    ),
    "stale-leader": Saying(
        "A leader whose epoch was over wrote these records, or told the replica that was elected where to "
        "cut.",
        "任期已结束的领导者写入了这些记录，或告知后来当选的副本在何处截断。",
    ),
    "not-replicated": Saying(
        "The records were in the old leader's log, and the replica that was elected had not fetched them.",
        "记录在旧领导者的日志中，当选的副本尚未抓取它们。",
    ),
    "unclean-election": Saying(
        "A replica that was not in sync was elected, and its log did not hold these records.",
        "选出了一个不同步的副本，其日志中没有这些记录。",
    ),
    "disk-loss": Saying(
        "The end of the log had not reached the disk of the replica that was elected.",
        "当选副本的日志末尾没有写入磁盘。",
    ),
    "divergence": Saying(
        "The last leader holds other records at the same offsets; the copies with these were never "
        "cut to agree.",
        "最后的领导者在相同偏移量上保存着其他记录；含有这些记录的副本从未被截断到一致。",
    ),
}
CLASSES: Final = {
    "committed": Saying(
        "They had been committed: a high watermark was above them, so that consumers could read them.",
        "它们已提交：有高水位在其之上，消费者可以读到。",
    ),
    "acknowledged": Saying(
        "A producer had been told that they were written.", "生产者曾收到它们已写入的应答。"
    ),
    "possibly-acknowledged": Saying(
        "A leader had them in its log, so that acks=1 may have been answered; nothing shows that they "
        "were committed.",
        "领导者的日志中有它们，因此可能已应答 acks=1；没有证据表明它们已提交。",
    ),
    "uncommitted": Saying(
        "They had been neither acknowledged nor visible to a consumer.", "它们既未被确认，也未对消费者可见。"
    ),
}
PREVENTION: Final = {
    "high-watermark-truncation": Saying(
        "Leader epochs prevent this: Kafka 0.11 or later, with inter.broker.protocol.version and "
        "log.message.format.version at 0.11 or later too. acks=all and min.insync.replicas do not "
        "prevent it.",
        "领导者纪元可避免此事：使用 Kafka 0.11 或更高版本，且 inter.broker.protocol.version 与 "
        "log.message.format.version 也为 0.11 或更高。acks=all 与 min.insync.replicas 不能避免。",
    ),
    "unknown-epoch": Saying(
        "Kafka 2.1 or later prevents this: epochs are put down at the election and requests are "
        "fenced by them "
        "(KIP-320, KAFKA-7415).",
        "Kafka 2.1 或更高版本可避免：纪元在选举时记录，请求受其隔离（KIP-320，KAFKA-7415）。",
    ),
    "stale-isr": Saying(
        "Kafka 2.0.1 or later takes a follower into the in-sync set only if it reaches the start of the "
        "leader's epoch (KAFKA-7128); 3.5 or later in KRaft mode also refuses a broker that has restarted "
        "meanwhile (KIP-903). min.insync.replicas of at least 2 keeps a second copy.",
        "Kafka 2.0.1 或更高版本仅在跟随者到达领导者纪元的起点后才让其加入同步集合（KAFKA-7128）；KRaft "
        "模式的 3.5 或更高版本还会拒绝其间重启过的代理（KIP-903）。min.insync.replicas 至少为 2 "
        "可保留第二份副本。",
    ),
    "stale-leader": Saying(
        "Kafka 2.1 or later fences requests by their leader epoch (KIP-320), so that no follower cuts at "
        "the word of a leader that is one no more. Such a leader can still answer acks=1 until it hears of "
        "the election; acks=all with min.insync.replicas of at least 2 does not confirm that.",
        "Kafka 2.1 或更高版本按领导者纪元隔离请求（KIP-320），跟随者不会听从已卸任的领导者而截断。"
        "卸任的领导者在得知选举之前仍可能应答 acks=1；acks=all 且 min.insync.replicas 至少为 2 时不会。",
    ),
    "not-replicated": Saying(
        "Use acks=all with min.insync.replicas of at least 2: what only the leader holds is then not "
        "confirmed. With acks=1 such records go with their leader by design.",
        "使用 acks=all 且 min.insync.replicas 至少为 2：仅领导者持有的记录便不会被确认。使用 acks=1 "
        "时，这类记录按设计随领导者丢失。",
    ),
    "unclean-election": Saying(
        "With unclean.leader.election.enable=false (the default since 0.11) Kafka keeps the partition "
        "without a leader until a member of the last in-sync set returns; in an election by hand, choose the "
        "longest log. min.insync.replicas=2 with acks=all confirms nothing that one replica alone holds.",
        "unclean.leader.election.enable=false（自 0.11 起为默认）使分区在最后同步"
        "集合的成员返回之前保持无领导者；"
        "手工选举时选择最长的日志。min.insync.replicas=2 加 acks=all 不会确认仅一个副本持有的记录。",
    ),
    "disk-loss": Saying(
        "Replicas on machines that do not fail together, with min.insync.replicas of at least 2; an "
        "eligible leader replica "
        "that ended uncleanly is not elected from 4.0 on (KIP-966).",
        "将副本放在不会同时故障的机器上，min.insync.replicas 至少为 2；自 4.0 起，"
        "未干净结束的合格领导者副本不会当选（KIP-966）。",
    ),
    "divergence": Saying(
        "Kafka 2.0 or later finds where two logs part by epoch and offset (KIP-279), from 2.1 with "
        "fencing (KIP-320); no "
        "setting of an older release does.",
        "Kafka 2.0 或更高版本按纪元与偏移量找到两份日志的分歧处（KIP-279），自 2.1 起带隔离（KIP-320）"
        "；旧版本没有任何设置能做到。",
    ),
}

HEADINGS: Final = {
    "happened": Saying("What happened", "发生了什么"),
    "committed": Saying("What had been committed", "哪些记录已提交"),
    "cuts": Saying("What was cut, and by which rule", "截断了什么，按哪条规则"),
    "losses": Saying("What was removed or is lost, and how we know", "删除或丢失了什么，如何得知"),
    "lives": Saying("What became of each range of records", "每段记录的去向"),
    "divergences": Saying("Where replicas differ at the end", "结束时副本在哪里不同"),
    "contents": Saying("Which replicas held the same, and when", "哪些副本在何时内容相同"),
    "notes": Saying("Worth noting", "值得注意"),
    "end": Saying("How it ended", "结局"),
    "unknown": Saying("What cannot be known from this evidence", "由现有证据无法得知的内容"),
    "prevention": Saying("What would have prevented it", "怎样可以避免"),
    "words": Saying("Words", "术语"),
    "evidence": Saying("Evidence", "证据"),
}
WORDS: Final = (
    Saying(
        "Log end offset: where a replica's next record goes. A range such as 206–218 means that "
        "evidence bounds it so.",
        "日志末端（log end offset）：副本下一条记录的位置。206–218 这样的范围表示证据给出的界限。",
    ),
    Saying(
        "High watermark: below it records are committed, that is on every in-sync replica and visible "
        "to consumers.",
        "高水位（high watermark）：低于它的记录已提交，即在每个同步副本上且对消费者可见。",
    ),
    Saying(
        "In-sync set (ISR): the replicas that acks=all waits for and from which a leader may be elected.",
        "同步集合（ISR）：acks=all 所等待的副本，领导者从中选出。",
    ),
    Saying(
        "Leader epoch: the number of a leader's term; a record is named by its epoch and offset.",
        "领导者纪元（leader epoch）：领导任期的编号；一条记录由其纪元与偏移量指明。",
    ),
)
