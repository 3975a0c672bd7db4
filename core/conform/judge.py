"""From a trace to the eras that could have made it, and the first event that each other could not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.conform.decision import Decision, Rule
from core.conform.own import Candidate
from core.conform.table import RULES
from core.diagnose.verdict.case import Case, case_of
from core.history.open import open_together
from core.history.view import read_trace_facts, read_view
from core.kafka.eras import Era
from core.message import message
from core.trace.by_partition import by_partition
from core.trace.trace import Column, Trace
from core.work import QUIET, Work

_LOOKS_UP: Final = 1_000
"""After so many decisions of a rule it is asked whether somebody stopped the work."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The first decision that an era does not allow, and the era whose rules the broker would have had."""

    rule: Rule
    decision: Decision
    era: Era
    partition: int
    """The index of the partition whose rules it was held against."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of one candidate. `accepted` is None where no decision that the trace shows could be judged."""

    candidate: Candidate
    accepted: bool | None
    broken: Broken | None
    fitting: int
    """Decisions that the era takes so."""
    open: int
    """Decisions of which nobody can say: what decides is not known, or a setting does that nothing states."""
    open_by_rule: tuple[tuple[Rule, int], ...]
    """How many of these each rule leaves open; rules that leave none are not there."""
    fits_at: tuple[int, ...]
    """The Seqs of the decisions that fit, in order."""
    open_at: tuple[int, ...]
    """The Seqs of the others, in order."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of all candidates, in their order."""

    found: tuple[Judgement, ...]
    unread: tuple[Rule, ...]
    """Rules of which the trace shows no decision."""


def conform(
    trace: Trace,
    candidates: Sequence[Candidate],
    partitions: Sequence[int],
    work: Work = QUIET,
    *,
    rules: Sequence[Rule] = RULES,
) -> tuple[Judgement, ...]:
    """Each candidate's judgement, in their order. Raises CancelledError."""
    return judge(trace, candidates, partitions, work, rules=rules).found


def judge(
    trace: Trace,
    candidates: Sequence[Candidate],
    partitions: Sequence[int],
    work: Work = QUIET,
    *,
    rules: Sequence[Rule] = RULES,
) -> Judged:
    """The same, with the rules that had nothing to judge. Raises CancelledError."""
    times = trace.columns["at"]
    tallies = [_Tally(one, times) for one in candidates]
    unread = {rule.id: rule for rule in rules if rule.switch}
    for done, case in enumerate(_cases(trace, partitions)):
        name = str(trace.partitions[case.view.partition].tp)
        work.step(done, len(partitions), message("progress.named", name=name))
        for rule in rules:
            for number, decision in enumerate(rule.decisions(case)):
                if number % _LOOKS_UP == 0:
                    work.step(done, len(partitions), message("progress.named", name=name))
                unread.pop(rule.id, None)
                for tally in tallies:
                    tally.take(rule, decision, case.view.partition)
    work.step(len(partitions), len(partitions), message("progress.done"))
    return Judged(tuple(tally.judgement() for tally in tallies), tuple(unread.values()))


def _cases(trace: Trace, partitions: Sequence[int]) -> Iterator[Case]:
    rows, facts = by_partition(trace), read_trace_facts(trace)
    for index in partitions:
        if trace.partitions[index].tp.of_quorum:
            # It is replicated by the rules of Raft (KIP-595), which are none of these.
            continue
        (opened,) = open_together([read_view(trace, index, rows.seqs_of(index), facts)])
        yield case_of(opened)


class _Tally:
    """What was judged of one candidate so far."""

    def __init__(self, candidate: Candidate, times: Column) -> None:
        self._candidate = candidate
        self._times = times
        """When each event of the trace was, in ns."""
        self._broken: Broken | None = None
        self._worded: Broken | None = None
        """The same of rules without a switch."""
        self._fits_at: list[int] = []
        self._open_at: list[int] = []
        self._open_by_rule: dict[str, tuple[Rule, int]] = {}

    def take(self, rule: Rule, decision: Decision, partition: int) -> None:
        """Judge a decision; of those that do not fit the first one by Seq is kept."""
        eras = self._candidate.eras_of(decision.broker, int(self._times[decision.seq]))
        found = [decision.fits(era) for era in eras]
        if not any(found) and None not in found:
            broken = Broken(rule, decision, eras[0], partition)
            if rule.switch:
                self._broken = _earlier(self._broken, broken)
            else:
                self._worded = _earlier(self._worded, broken)
        elif rule.switch and any(found):
            self._fits_at.append(decision.seq)
        elif rule.switch:
            self._open_at.append(decision.seq)
            self._open_by_rule[rule.id] = rule, self._open_by_rule.get(rule.id, (rule, 0))[1] + 1

    def judgement(self) -> Judgement:
        """The sum of it."""
        broken = self._broken or self._worded
        fits_at, open_at = tuple(sorted(self._fits_at)), tuple(sorted(self._open_at))
        accepted = False if broken is not None else True if fits_at else None
        by_rule = tuple(self._open_by_rule.values())
        return Judgement(
            *(self._candidate, accepted, broken, len(fits_at), len(open_at)),
            *(by_rule, fits_at, open_at),
        )


def _earlier(known: Broken | None, found: Broken) -> Broken:
    return found if known is None or found.decision.seq < known.decision.seq else known
