"""Diagnosis of a trace: what went wrong, with evidence."""

from core.diagnose.case import open_case
from core.diagnose.commitment import acknowledged, watermarks
from core.diagnose.divergence import divergences
from core.diagnose.final import final
from core.diagnose.findings import findings, rank_of
from core.diagnose.findings_evidence import of_the_evidence
from core.diagnose.holdings import find_holdings
from core.diagnose.leadership import isr_spans, leadership
from core.diagnose.ledger import with_details
from core.diagnose.losses import losses
from core.diagnose.truncations import truncations
from core.diagnose.verdict import PartitionVerdict, Verdict
from core.diagnose.x_ray import x_rays
from core.history.open import open_history
from core.history.state import History
from core.trace.trace import Trace
from core.work import QUIET, Work


def diagnose_partition(history: History) -> PartitionVerdict:
    """Everything that can be said of one partition. Claims rest on evidence.

    What is not proven is not said.
    """
    case = open_case(history)
    marks = watermarks(case)
    terms = leadership(case)
    cuts = truncations(case, marks)
    unlike = divergences(case)
    acks = acknowledged(case)
    lost = losses(case, cuts, marks, acks, unlike)
    if lost:
        lost = with_details(case, lost, find_holdings(case), cuts, acks)
    return PartitionVerdict(
        partition=history.partition,
        leadership=terms,
        isr=isr_spans(case),
        truncations=cuts,
        losses=lost,
        divergences=unlike,
        final=final(case),
        findings=findings(case, terms, cuts, lost, unlike),
        x_rays=x_rays(case, cuts),
    )


def diagnose(trace: Trace, work: Work = QUIET) -> Verdict:
    """All partitions of a trace, and all findings.

    Worst first. Raises CancelledError if `work` was stopped.
    """
    verdicts: list[PartitionVerdict] = []
    for index, partition in enumerate(trace.partitions):
        work.step(index, len(trace.partitions), str(partition.tp))
        verdicts.append(diagnose_partition(open_history(trace, index)))
    work.step(len(trace.partitions), len(trace.partitions), "done")
    of_partitions = (one for verdict in verdicts for one in verdict.findings)
    found = sorted((*of_partitions, *of_the_evidence(trace)), key=rank_of)
    return Verdict(tuple(verdicts), tuple(found))
