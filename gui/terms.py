"""Words of core's vocabularies as the window says them: checks, classes, certainties."""

from typing import Final

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.summary import PartitionSummary
from core.trace.units import SECOND_NS
from gui.text.spoken import tr, worded

WORDS: Final = {
    "committed": "terms.committed",
    "acknowledged": "terms.acknowledged",
    "possibly-acknowledged": "terms.possibly-acknowledged",
    "uncommitted": "terms.uncommitted",
    "loss": "terms.loss",
    "danger": "terms.danger",
    "notice": "terms.notice",
    "leader": "search.leader",
    "leader epoch": "search.leader-epoch",
    "follower": "terms.follower",
    "starting": "terms.starting",
    "seeking": "terms.seeking",
    "offline": "terms.offline",
    "absent": "terms.absent",
    "unknown": "terms.unknown",
    "observed": "terms.observed",
    "reported": "terms.reported",
    "derived": "terms.derived",
    "held": "terms.held",
    "bounded": "terms.bounded",
    "inferred": "terms.inferred",
    "printed": "terms.printed",
    "stated": "terms.stated",
    "assumed": "terms.assumed",
    "first": "terms.first",
    "clean": "terms.clean",
    "preferred": "terms.preferred",
    "controlled": "terms.controlled",
    "unclean": "terms.unclean",
    "elr": "terms.elr",
    "last-known": "terms.last-known",
    "none": "report-rows.none",
    "yes": "terms.yes",
    "no": "terms.no",
    "empty": "search.empty",
    "high watermark truncation": "terms.high-watermark-truncation",
    "unknown epoch": "terms.unknown-epoch",
    "stale isr": "terms.stale-isr",
    "late write": "terms.late-write",
    "stale leader": "terms.stale-leader",
    "not replicated": "terms.not-replicated",
    "unclean election": "terms.unclean-election",
    "disk loss": "terms.disk-loss",
    "last copy gone": "terms.last-copy-gone",
    "divergence": "terms.divergence",
    "Kafka log": "terms.kafka-log",
    "data directory": "report-rows.data-directory",
    "settings": "terms.settings",
    "log of another program": "terms.log-of-another-program",
    "not read": "report-rows.not-read",
    "cannot be read": "terms.cannot-be-read",
    "log": "terms.log",
    "segment": "terms.segment",
    "offset checkpoint": "terms.offset-checkpoint",
    "leader epoch checkpoint": "terms.leader-epoch-checkpoint",
    "metadata log": "terms.metadata-log",
    "partition metadata": "terms.partition-metadata",
    "clean shutdown marker": "terms.clean-shutdown-marker",
    "properties": "terms.properties",
    "output of a tool": "terms.output-of-a-tool",
    "ignored": "terms.ignored",
    "offset": "terms.offset",
    "from offset": "terms.from-offset",
    "log end offset": "terms.log-end-offset",
    "log start offset": "terms.log-start-offset",
    "partition epoch": "terms.partition-epoch",
}
"""Values of enumerations and short answers, with their ids. A word that is not here is shown as it is."""


def term(word: str) -> str:
    """One of WORDS in the chosen language."""
    return tr(WORDS[word]) if word in WORDS else word


def check_words(check: str) -> str:
    """A check in two or three words; the initials of Kafka's terms stay capital."""
    return worded(CHECK[check].title)


def lasting(ns: int) -> str:
    """How long something lasts: "1.5 s", "4 min 10 s", "3 h 20 min"."""
    seconds = ns / SECOND_NS
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def percent(share: float) -> str:
    """A share as people read it: 0.5 is "50 %". Neither all nor nothing is said of what is near it."""
    whole = round(share * 100)
    return f"{min(max(whole, 1), 99) if 0 < share < 1 else whole} %"


def counted(count: int, *, at_least: bool) -> str:
    """How many; "≥ 19" where there may be more."""
    return f"≥ {count:,}" if at_least else f"{count:,}"


def lost_words(one: PartitionSummary) -> str:
    """The records that a partition lost, or may have lost: "≤ 391" or "≥ 19" where that is a bound."""
    if one.records_lost:
        return counted(one.records_lost, at_least=one.lost_at_least)
    return counted_up_to(one.records_possible, at_least=one.possible_at_least)


def counted_up_to(count: int, *, at_least: bool) -> str:
    """How many there may be: "≤ 19", or with an open end "≥ 19"."""
    if at_least or not count:
        return counted(count, at_least=at_least and count > 0)
    return f"≤ {count:,}"
