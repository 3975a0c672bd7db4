"""From a trace to its verdict: what went wrong in each partition, with evidence."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Final

import numpy as np

from core.diagnose.verdict.alike import Shapes, can_be_reused, verdict_of_alike
from core.diagnose.verdict.case import Case, case_of, open_case
from core.diagnose.verdict.commitment import acknowledged, watermarks
from core.diagnose.verdict.divergence import divergences
from core.diagnose.verdict.facts import Finding, PartitionVerdict, Verdict
from core.diagnose.verdict.final import final
from core.diagnose.verdict.findings import findings, worst_findings_first
from core.diagnose.verdict.findings_evidence import of_the_evidence
from core.diagnose.verdict.holdings import find_holdings
from core.diagnose.verdict.leadership import isr_spans, leadership
from core.diagnose.verdict.ledger import with_details
from core.diagnose.verdict.losses import losses
from core.diagnose.verdict.seen import seen_in
from core.diagnose.verdict.so_far import judged_so_far
from core.diagnose.verdict.summary import PartitionSummary, Triage, ranked, summarise, triage
from core.diagnose.verdict.truncations import truncations
from core.diagnose.verdict.x_ray import x_rays
from core.history.open import open_partition, open_together
from core.history.state import History
from core.history.view import TraceFacts, View, read_trace_facts, read_view
from core.message import message
from core.processes import cores, in_processes
from core.trace.by_partition import ByPartition, by_partition
from core.trace.ids import NO_INDEX
from core.trace.trace import Trace
from core.work import QUIET, Teller, Work, without_collector

TOGETHER: Final = 2_000
"""Partitions are opened together until they have so many rows."""
EVENTS_A_PROCESS: Final = 50_000
"""Another process is begun for so many events: with fewer its start takes longer than it saves."""
_EVENTS_OF_A_PIECE: Final = 2_000
"""Events of the partitions that a process is given at a time."""
_MOST_AT_A_TIME: Final = 200
"""Partitions that a process is given at a time, at most."""


def diagnose_partition(history: History) -> PartitionVerdict:
    """The verdict on one partition.

    Each claim rests on evidence; what is not proven is not claimed.
    """
    return _judge(open_case(history))


def open_and_judge(trace: Trace, partition: int) -> tuple[History, PartitionVerdict]:
    """The history of one partition of a trace, and the verdict on it: its rows are read once for both."""
    opened = open_partition(read_view(trace, partition))
    return opened.history, _judge(case_of(opened))


def _judge(case: Case) -> PartitionVerdict:
    """The verdict on one partition, from its case."""
    marks = cache(lambda: watermarks(case))
    tenures = leadership(case)
    cuts = truncations(case, marks)
    unlike = divergences(case)
    acks = acknowledged(case)
    spans = isr_spans(case)
    lost = losses(case, cuts, marks, acks, unlike)
    if lost:
        lost = with_details(case, lost, find_holdings(case), cuts, acks)
    return PartitionVerdict(
        partition=case.history.partition,
        leadership=tenures,
        isr=spans,
        truncations=cuts,
        losses=lost,
        divergences=unlike,
        final=final(case),
        findings=findings(case, tenures, spans, cuts, lost, unlike),
        x_rays=x_rays(case, cuts),
    )


def judge_partitions(trace: Trace, partitions: Iterable[int]) -> Iterator[tuple[History, PartitionVerdict]]:
    """Some partitions of a trace, one after the other.

    Small ones are opened together, which costs less; no more histories than of so many rows are held.
    """
    yield from _judged_of(trace, partitions, by_partition(trace), read_trace_facts(trace))


def _judged_of(
    trace: Trace, partitions: Iterable[int], rows: ByPartition, facts: TraceFacts
) -> Iterator[tuple[History, PartitionVerdict]]:
    """The same, with what is found once for all partitions."""
    views: list[View] = []
    held = 0
    for index in partitions:
        views.append(read_view(trace, index, rows.seqs_of(index), facts))
        held += len(views[-1].rows)
        if held >= TOGETHER:
            yield from _judged(views)
            views, held = [], 0
    yield from _judged(views)


def _judged(views: Sequence[View]) -> Iterator[tuple[History, PartitionVerdict]]:
    """The histories and verdicts of partitions that are opened together."""
    for opened in open_together(views):
        yield opened.history, _judge(case_of(opened))


def _nobody(_verdict: PartitionVerdict) -> None:
    """Nothing is done with a verdict before all are there."""


def diagnose(
    trace: Trace,
    work: Work = QUIET,
    jobs: int = 1,
    judged: Callable[[PartitionVerdict], object] = _nobody,
) -> Verdict:
    """All partitions of a trace, and all findings.

    Worst first. `jobs` processes judge, whatever the number the same (`jobs_for`). `judged` is called with
    each verdict when it is there, in the order of partitions. Raises CancelledError if `work` was stopped.
    """
    verdicts: list[PartitionVerdict] = []

    def step() -> None:
        done = len(verdicts)
        named = message("progress.named", name=str(trace.partitions[done].tp))
        work.step(done, len(trace.partitions), named)

    with without_collector():
        for verdict in _verdicts(trace, jobs, step):
            step()
            verdicts.append(verdict)
            judged(verdict)
    work.step(len(trace.partitions), len(trace.partitions), message("progress.done"))
    of_partitions = [one for verdict in verdicts for one in verdict.findings]
    found = (*of_partitions, *_without_stated_crashes(of_the_evidence(trace), of_partitions))
    return Verdict(tuple(verdicts), worst_findings_first(trace, found))


def jobs_for(trace: Trace) -> int:
    """How many processes judge a trace the fastest on this machine: one a core, for few events fewer."""
    return max(min(cores(), len(trace) // EVENTS_A_PROCESS, len(trace.partitions)), 1)


def _verdicts(trace: Trace, jobs: int, waiting: Callable[[], None]) -> Iterator[PartitionVerdict]:
    """The verdicts on all partitions in their order; of those that are alike the first is judged.

    So many processes judge; `waiting` is called meanwhile.
    """
    rows, facts = by_partition(trace), read_trace_facts(trace)
    like = _alike(trace, rows)
    alone = [index for index in range(len(trace.partitions)) if index not in like]
    if jobs == 1:
        judged = (verdict for _, verdict in _judged_of(trace, alone, rows, facts))
    else:
        some = in_processes(trace, _judge_some, _pieces(trace, alone), jobs, waiting)
        judged = chain.from_iterable(some)
    again = set(like.values())
    kept: dict[int, PartitionVerdict] = {}
    for index in range(len(trace.partitions)):
        known = kept.get(like.get(index, -1))
        if known is not None:
            seqs = rows.seqs_of(known.partition).tolist()
            told = verdict_of_alike(known, index, seqs, rows.seqs_of(index).tolist(), len(trace) - 1)
            if can_be_reused(trace, told):
                yield told
                continue
        if index in like:
            ((_, verdict),) = _judged_of(trace, (index,), rows, facts)
        else:
            verdict = next(judged)
        if index in again and can_be_reused(trace, verdict):
            kept[index] = verdict
        yield verdict


def _alike(trace: Trace, rows: ByPartition) -> dict[int, int]:
    """By partition that is like an earlier one: the first of these."""
    shapes = Shapes(trace)
    first_of: dict[bytes, int] = {}
    like: dict[int, int] = {}
    for index in range(len(trace.partitions)):
        seqs = rows.seqs_of(index)
        shape = shapes.of(index, seqs)
        first = index if shape is None else first_of.setdefault(shape, index)
        if first != index and shapes.alike(rows.seqs_of(first), seqs):
            like[index] = first
    return like


def _judge_some(trace: Trace, partitions: Sequence[int]) -> list[PartitionVerdict]:
    """What a process does with the partitions that it is given."""
    return [verdict for _, verdict in _judged_of(trace, partitions, *_kept(trace))]


@lru_cache(maxsize=1)
def _kept(trace: Trace) -> tuple[ByPartition, TraceFacts]:
    """What a process, which is given some partitions at a time, finds once for all of them."""
    return by_partition(trace), read_trace_facts(trace)


def _pieces(trace: Trace, partitions: Iterable[int]) -> Iterator[list[int]]:
    """Partitions in pieces for processes, each with a few thousand events."""
    owner = trace.columns["partition"]
    sizes = np.bincount(owner[owner != NO_INDEX], minlength=len(trace.partitions)).tolist()
    some: list[int] = []
    held = 0
    for index in partitions:
        if some and (held + sizes[index] > _EVENTS_OF_A_PIECE or len(some) >= _MOST_AT_A_TIME):
            yield some
            some, held = [], 0
        some.append(index)
        held += sizes[index]
    if some:
        yield some


def _without_stated_crashes(gaps: Iterable[Finding], told: Iterable[Finding]) -> Iterator[Finding]:
    """Findings on the evidence, without the silence of a crash that its partitions tell already."""
    crashes = {(one.brokers, one.start) for one in told if one.check == "unclean-stop"}
    for one in gaps:
        if one.check != "evidence-gap" or (one.brokers, one.start) not in crashes:
            yield one


def triaged(trace: Trace, work: Work = QUIET, jobs: int = 1) -> Triage:
    """The whole trace diagnosed by so many processes, and what a table of its partitions shows of that.

    Rows are told while others are made (core/work.py). Raises CancelledError.
    """
    seen, teller = seen_in(trace), Teller(work)
    rows: list[PartitionSummary] = []

    def judged(verdict: PartitionVerdict) -> None:
        rows.append(summarise(trace, verdict, seen))
        teller.tell(partial(judged_so_far, trace, rows))

    verdict = diagnose(trace, work, jobs, judged)
    return Triage(tuple(rows), verdict.findings)


def worst_partition(trace: Trace, verdict: Verdict) -> int:
    """The index of the partition that triage lists first: of two with losses the one that lost more.

    0 where the trace has no partition.
    """
    names = {index: str(partition.tp) for index, partition in enumerate(trace.partitions)}
    return next((one.partition for one in ranked(triage(trace, verdict).summaries, names)), 0)
