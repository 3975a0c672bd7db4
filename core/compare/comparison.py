"""A comparison as a value: runs under one axis of stops (design of the window, "A comparison")."""

from dataclasses import dataclass

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.message import Message
from core.sim.ablation.outcome import Aspect, Outcome
from core.sim.ablation.setup import Factor


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a comparison: an opened partition and its verdict. `title` is "Kafka 0.10.2"."""

    title: str
    rule: Message | None
    """The rule of this run in one sentence; None for an imported one whose version is not known."""
    history: History
    verdict: PartitionVerdict


@dataclass(frozen=True, slots=True)
class Stop:
    """One place of the shared axis: a cursor per run, none ever below that of the stop before.

    `anchor` is the key that ties the runs here ("step 8", "stop of the leader, 1st"), "" between two anchors.
    `label` and `detail` are what the ruler shows, of a landmark what happened and for which time.
    """

    cursors: tuple[int, ...]
    anchor: str = ""
    label: Message | None = None
    detail: Message | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A stop at which two runs differ by a decision; `left` and `right` say what each did, in numbers."""

    stop: int
    runs: tuple[int, int]
    subject: Message
    """What it is about: "broker 2"."""
    decision: Message
    """The decision as a question: "Broker 2 returns as a follower. What did it cut its log to?"."""
    left: Message
    right: Message
    rules: tuple[Message, ...]
    seqs: tuple[int | None, int | None]
    attribute: str = ""
    """What differs: "leader", "isr", "leo", "hw", or "cut"."""
    broker: int = -1
    """Of which replica, by its id in the first of the two runs; -1 is the partition."""


@dataclass(frozen=True, slots=True)
class FirstChange:
    """The first event that a set of factors changes in a run, as it is there, and what is there instead.

    None is the end of the run. `stop` is where the event lies on the shared axis.
    """

    run: int
    seq: int | None
    stop: int | None
    before: Message | None
    after: Message | None


@dataclass(frozen=True, slots=True)
class ResponsibleSet:
    """Factors that carry a difference of outcomes, and no fewer of them, with the first event they change."""

    factors: tuple[Factor, ...]
    change: FirstChange


@dataclass(frozen=True, slots=True)
class PairCauses:
    """What carries the differences of two simulated runs.

    `carried` has each aspect in which the outcomes differ, the worst first, with the responsible sets: none
    where no set of at most four does it. `first` has those that carry the first difference.
    """

    runs: tuple[int, int]
    outcomes: tuple[Outcome, Outcome]
    carried: tuple[tuple[Aspect, tuple[ResponsibleSet, ...]], ...]
    first: tuple[tuple[Factor, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs, stops and differences. `axis` is "script", "landmarks" or "hand"."""

    runs: tuple[Run, ...]
    axis: str
    stops: tuple[Stop, ...]
    differences: tuple[Difference, ...]
    differing: tuple[tuple[int, ...], ...]
    """Per stop, the brokers (ids of run 0) whose compared state differs between any two neighbours."""
    between: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """Per pair of neighbours (run i and i + 1), per stop, the brokers (ids of run i) that differ there."""
    ties: tuple[tuple[int, ...], ...] = ()
    """Cursors, one a run, that somebody said are the same moment."""
    causes: tuple[PairCauses, ...] = ()
    """Per pair of neighbours that can be run again, once that was done (`core/compare/cause.py`)."""

    @property
    def first(self) -> Difference | None:
        """The first difference, or None where the runs decide alike."""
        return self.differences[0] if self.differences else None
