"""What holds while a run has a value of a switch, or of a setting that people reach for: in words."""

from collections.abc import Mapping
from typing import Final

from core.message import Message, message

HOLDS: Final[Mapping[str, Mapping[str, Message]]] = {
    "truncation": {
        "leader-end": message("holds.truncation.leader-end"),
        "high-watermark": message("holds.truncation.high-watermark"),
        "epoch-request": message("holds.truncation.epoch-request"),
        "fetch-divergence": message("holds.truncation.fetch-divergence"),
    },
    "epoch-answer": {
        "offset": message("holds.epoch-answer.offset"),
        "epoch-and-offset": message("holds.epoch-answer.epoch-and-offset"),
    },
    "epoch-entry": {
        "none": message("holds.epoch-entry.none"),
        "first-write": message("holds.epoch-entry.first-write"),
        "election": message("holds.epoch-entry.election"),
    },
    "epoch-lookup-below": {
        "undefined": message("holds.epoch-lookup-below.undefined"),
        "lowest-start": message("holds.epoch-lookup-below.lowest-start"),
    },
    "epoch-lookup-undefined": {
        "log-end": message("holds.epoch-lookup-undefined.log-end"),
        "undefined": message("holds.epoch-lookup-undefined.undefined"),
    },
    "epoch-conflict": {
        "ignored": message("holds.epoch-conflict.ignored"),
        "replaces": message("holds.epoch-conflict.replaces"),
    },
    "epoch-cache-cut": {
        "with-log": message("holds.epoch-cache-cut.with-log"),
        "always": message("holds.epoch-cache-cut.always"),
    },
    "epoch-old-format": {
        "trusted": message("holds.epoch-old-format.trusted"),
        "no-cache": message("holds.epoch-old-format.no-cache"),
        "cleared": message("holds.epoch-old-format.cleared"),
    },
    "same-leader": {
        "keep": message("holds.same-leader.keep"),
        "follow-after-gap": message("holds.same-leader.follow-after-gap"),
        "follow-anew": message("holds.same-leader.follow-anew"),
    },
    "fencing": {
        "none": message("holds.fencing.none"),
        "leader-epoch": message("holds.fencing.leader-epoch"),
    },
    "out-of-range": {
        "cut-if-unclean": message("holds.out-of-range.cut-if-unclean"),
        "cut": message("holds.out-of-range.cut"),
    },
    "log-start": {
        "own": message("holds.log-start.own"),
        "leader": message("holds.log-start.leader"),
    },
    "fetch-answer-hw": {
        "before": message("holds.fetch-answer-hw.before"),
        "after": message("holds.fetch-answer-hw.after"),
    },
    "hw-sending": {
        "with-data": message("holds.hw-sending.with-data"),
        "when-behind": message("holds.hw-sending.when-behind"),
    },
    "hw-after-cut": {
        "kept": message("holds.hw-after-cut.kept"),
        "lowered": message("holds.hw-after-cut.lowered"),
    },
    "diverging-answer-hw": {
        "applied": message("holds.diverging-answer-hw.applied"),
        "ignored": message("holds.diverging-answer-hw.ignored"),
    },
    "diverging-fetch-leo": {
        "recorded": message("holds.diverging-fetch-leo.recorded"),
        "ignored": message("holds.diverging-fetch-leo.ignored"),
    },
    "hw-below-min-isr": {
        "moves": message("holds.hw-below-min-isr.moves"),
        "stands": message("holds.hw-below-min-isr.stands"),
    },
    "hw-counts": {
        "isr": message("holds.hw-counts.isr"),
        "caught-up-too": message("holds.hw-counts.caught-up-too"),
        "eligible-too": message("holds.hw-counts.eligible-too"),
    },
    "isr-change": {
        "zookeeper": message("holds.isr-change.zookeeper"),
        "alter-isr": message("holds.isr-change.alter-isr"),
    },
    "isr-leave": {
        "time": message("holds.isr-leave.time"),
        "time-and-behind": message("holds.isr-leave.time-and-behind"),
    },
    "isr-join": {
        "high-watermark": message("holds.isr-join.high-watermark"),
        "epoch-start": message("holds.isr-join.epoch-start"),
    },
    "isr-eligible": {
        "any": message("holds.isr-eligible.any"),
        "not-fenced": message("holds.isr-eligible.not-fenced"),
        "same-broker-epoch": message("holds.isr-eligible.same-broker-epoch"),
    },
    "isr-last-member": {
        "stays-unless-unclean": message("holds.isr-last-member.stays-unless-unclean"),
        "stays": message("holds.isr-last-member.stays"),
    },
    "epoch-on-shrink": {
        "bumped": message("holds.epoch-on-shrink.bumped"),
        "kept": message("holds.epoch-on-shrink.kept"),
    },
    "controller": {
        "zookeeper": message("holds.controller.zookeeper"),
        "kraft": message("holds.controller.kraft"),
    },
    "controller-start": {
        "keeps-isr": message("holds.controller-start.keeps-isr"),
        "drops-dead": message("holds.controller-start.drops-dead"),
    },
    "unclean-election": {
        "true": message("holds.unclean-election.true"),
        "false": message("holds.unclean-election.false"),
    },
    "unclean-setting": {
        "ignored": message("holds.unclean-setting.ignored"),
        "obeyed": message("holds.unclean-setting.obeyed"),
    },
    "eligible-leaders": {
        "off": message("holds.eligible-leaders.off"),
        "on": message("holds.eligible-leaders.on"),
    },
    "lag-time-ms": {
        "10000": message("holds.lag-time-ms.10000"),
        "30000": message("holds.lag-time-ms.30000"),
    },
    "session-timeout-ms": {
        "6000": message("holds.session-timeout-ms.6000"),
        "18000": message("holds.session-timeout-ms.18000"),
        "9000": message("holds.session-timeout-ms.9000"),
    },
    "visible": {
        "log-end": message("holds.visible.log-end"),
        "high-watermark": message("holds.visible.high-watermark"),
    },
    "consumer-fetch": {
        "leader": message("holds.consumer-fetch.leader"),
        "any-replica": message("holds.consumer-fetch.any-replica"),
    },
    "producer-sequence": {
        "ignored": message("holds.producer-sequence.ignored"),
        "refused": message("holds.producer-sequence.refused"),
        "starts-anew": message("holds.producer-sequence.starts-anew"),
    },
    "epoch-file-flush": {
        "with-cut": message("holds.epoch-file-flush.with-cut"),
        "later": message("holds.epoch-file-flush.later"),
    },
    "eligible-on-change": {
        "kept": message("holds.eligible-on-change.kept"),
        "cleared": message("holds.eligible-on-change.cleared"),
    },
    "diverging-below-start": {
        "answered": message("holds.diverging-below-start.answered"),
        "out-of-range": message("holds.diverging-below-start.out-of-range"),
    },
    "leader-recovery": {
        "unmarked": message("holds.leader-recovery.unmarked"),
        "marked": message("holds.leader-recovery.marked"),
    },
    "transactions": {
        "none": message("holds.transactions.none"),
        "trusted": message("holds.transactions.trusted"),
        "verified": message("holds.transactions.verified"),
        "new-epoch": message("holds.transactions.new-epoch"),
    },
    "tiered-storage": {
        "none": message("holds.tiered-storage.none"),
        "start-kept": message("holds.tiered-storage.start-kept"),
        "start-set": message("holds.tiered-storage.start-set"),
    },
    "tier-expiry": {
        "leaks": message("holds.tier-expiry.leaks"),
        "start-of-last": message("holds.tier-expiry.start-of-last"),
        "start-of-highest": message("holds.tier-expiry.start-of-highest"),
    },
    "directory-move": {
        "epochs-carried": message("holds.directory-move.epochs-carried"),
        "none": message("holds.directory-move.none"),
        "epochs-of-records": message("holds.directory-move.epochs-of-records"),
    },
    "check-quorum": {
        "none": message("holds.check-quorum.none"),
        "resigns": message("holds.check-quorum.resigns"),
    },
    "pre-vote": {
        "none": message("holds.pre-vote.none"),
        "asked": message("holds.pre-vote.asked"),
    },
    "voter-change": {
        "none": message("holds.voter-change.none"),
        "by-record": message("holds.voter-change.by-record"),
    },
    "metadata-snapshot": {
        "none": message("holds.metadata-snapshot.none"),
        "below-start": message("holds.metadata-snapshot.below-start"),
        "empty-log-too": message("holds.metadata-snapshot.empty-log-too"),
    },
    "acks": {
        "1": message("holds.acks.1"),
        "all": message("holds.acks.all"),
    },
    "min.insync.replicas": {
        "1": message("holds.min.insync.replicas.1"),
        "2": message("holds.min.insync.replicas.2"),
    },
    "unclean.leader.election.enable": {
        "true": message("holds.unclean.leader.election.enable.true"),
        "false": message("holds.unclean.leader.election.enable.false"),
    },
}
"""By switch or setting, and by value. The sentences begin in lower case."""
