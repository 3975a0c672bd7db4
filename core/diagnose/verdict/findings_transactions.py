"""From the transactions in a log to findings: those that nobody ends (KIP-664, KIP-890)."""

from collections.abc import Iterable

from core.assumptions import TRANSACTION_ABORTED_WITHIN, TRANSACTION_LASTS_AT_MOST
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.made import made, who
from core.history.stable import open_transactions
from core.message import Duration, message
from core.trace.settings import script_tables, topic_setting
from core.trace.units import MILLISECOND_NS


def hanging_transactions(case: Case) -> Iterable[Finding]:
    """Transactions in the last leader's log that are open for longer than any may last.

    A coordinator that knows of a transaction aborts it once its timeout is over. One that it does not know of
    stays: to 3.5 a batch that comes after the marker begins one (KAFKA-14402).
    """
    leader = case.control.leader_at[-1]
    if leader is None or leader not in case.history.replicas:
        return
    limit, end = _longest(case), int(case.history.trace.columns["at"][-1])
    for row in open_transactions(case.view, leader):
        begun = row.at if row.stamp is None else row.stamp
        if end - begun > limit + TRANSACTION_ABORTED_WITHIN.ns:
            sentence = message(
                "finding.hanging-transaction",
                who=who(case, leader),
                offset=row.from_offset or 0,
                time=Duration(end - begun),
                limit=Duration(limit),
            )
            yield made(case, "hanging-transaction", row, (leader,), sentence, end=end)


def _longest(case: Case) -> int:
    """How long a transaction may last, in ns; in a simulation all have the timeout of its script."""
    trace = case.history.trace
    script = script_tables(trace)
    if script is not None:
        return int(script.get("settings", {}).get("transaction.timeout.ms", 60_000)) * MILLISECOND_NS
    topic = trace.partitions[case.view.partition].tp.topic
    stated = topic_setting(trace, topic, "transaction.max.timeout.ms")
    known = stated is not None and stated.isdecimal()
    return int(stated) * MILLISECOND_NS if known and stated else TRANSACTION_LASTS_AT_MOST.ns
