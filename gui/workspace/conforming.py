"""Which eras could have made what is open: the question, its answer, and where in the lanes it leads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from core.conform.answer import Conformance, answer_of
from core.conform.judge import judge
from core.conform.own import candidate, own_candidate
from core.conform.table import RULES
from core.conform.wording import wording
from core.kafka.eras import ERAS, era_named
from core.schedule.answer import searched
from core.schedule.search import STATES
from core.trace.trace import Origin, Trace
from core.work import Work
from gui.workspace.content import Content
from gui.workspace.jobs import JobRunner
from gui.workspace.named import partitions_of
from importers.lines.wording import printed_in

CONFORM: Final = "conform"
"""The question of the page; a newer one replaces it."""
MOST_AT_ONCE: Final = 64
"""Of a trace with more partitions the one in front is held against the rules, until somebody asks for all."""


def conformance(
    trace: Trace,
    partitions: Sequence[int],
    work: Work,
    eras: Sequence[str] = (),
    *,
    states: int = 0,
) -> Conformance:
    """What these eras (none is every one, and what ran) could have made of some partitions of a trace.

    With `states` a run is searched of each that no rule refuses, with at most so many tries. Raises
    QuestionError for an era that is none, CancelledError.
    """
    candidates = [candidate(era_named(name)) for name in eras]
    own = own_candidate(trace)
    if not candidates:
        candidates = [candidate(era) for era in ERAS]
        if own is not None and own.name not in {one.name for one in candidates}:
            candidates.append(own)
    rules = (*RULES, wording(printed_in(trace)))
    answer = answer_of(trace, own, judge(trace, candidates, partitions, work, rules=rules))
    return searched(trace, answer, states=states, work=work) if states else answer


@dataclass(frozen=True, slots=True)
class Subject:
    """What is held against the rules: a run's trace, or one partition of it."""

    run: int
    trace: Trace
    partition: int | None
    """The index of the partition; None is all of them."""
    searched: bool = False
    """Whether a run is searched of each era that no rule refuses."""

    @property
    def can_be_searched(self) -> bool:
        """Whether it is a simulated run."""
        return self.trace.origin is Origin.SIMULATED

    @property
    def name(self) -> str:
        """What its partition is called; "" where it is all of them."""
        return "" if self.partition is None else str(self.trace.partitions[self.partition].tp)


@dataclass(frozen=True, slots=True)
class Conform:
    """Hold a subject against every era, and against each broker's own release and protocol."""

    subject: Subject

    def answer(self, work: Work) -> Conformance:
        """What was found. Raises CancelledError."""
        trace, partition = self.subject.trace, self.subject.partition
        partitions = partitions_of(trace, None) if partition is None else (partition,)
        return conformance(trace, partitions, work, states=STATES if self.subject.searched else 0)


def subjects_of(content: Content | None) -> tuple[Subject, ...]:
    """What can be held against the rules, what is looked at first in front; () where nothing is open.

    Of a comparison each run with its partition; of one trace all partitions, and the one in front.
    """
    if content is None:
        return ()
    shown = tuple(
        Subject(number, run.history.trace, run.history.partition) for number, run in enumerate(content.runs)
    )
    first, *others = shown
    if others or len(first.trace.partitions) == 1:
        return shown
    whole = Subject(0, first.trace, None)
    return (whole, first) if len(first.trace.partitions) <= MOST_AT_ONCE else (first, whole)


class Conforming:
    """Answers each question once: an answer lives as long as its trace is open somewhere."""

    def __init__(self, jobs: JobRunner) -> None:
        """Nothing was asked yet."""
        self.jobs = jobs
        self._known: WeakKeyDictionary[Trace, dict[tuple[int | None, bool], Conformance]] = (
            WeakKeyDictionary()
        )

    def __len__(self) -> int:
        """Of how many traces something is known."""
        return len(self._known)

    def known(self, subject: Subject) -> Conformance | None:
        """The answer that was given before; None where there is none."""
        return self._known.get(subject.trace, {}).get((subject.partition, subject.searched))

    def ask(self, subject: Subject, done: Callable[[Conformance], object]) -> None:
        """Hand the answer to `done`: at once where it is known, else when the work on it is done."""
        if self.jobs.is_closed:
            return
        known = self.known(subject)
        if known is not None:
            # Nobody waits for an older question any more.
            self.jobs.cancel(CONFORM)
            done(known)
            return

        def take(found: Conformance) -> None:
            self._known.setdefault(subject.trace, {})[subject.partition, subject.searched] = found
            done(found)

        self.jobs.in_thread_beside(CONFORM, Conform(subject), take)


@dataclass(frozen=True, slots=True)
class Where:
    """An event of what was held against the rules: its run, Seq and time, and the partition that shows it."""

    run: int
    partition: str
    seq: int
    at: int


def where_of(subject: Subject, answer: Conformance, era: int) -> Where | None:
    """The event that an era, by its place, could not have made; None where there is none."""
    breaks = answer.eras[era].breaks
    if breaks is None:
        return None
    name = str(subject.trace.partitions[breaks.partition].tp)
    return Where(subject.run, name, breaks.seq, breaks.at)


def is_in_front(content: Content, where: Where) -> bool:
    """Whether the partition of an event is the one that is seen of its run."""
    history = content.runs[where.run].history
    return str(history.trace.partitions[history.partition].tp) == where.partition
