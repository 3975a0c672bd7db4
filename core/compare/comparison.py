"""A comparison as a value: runs under one axis of stops (design of the window, "A comparison")."""

from dataclasses import dataclass

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.message import Message


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

    @property
    def first(self) -> Difference | None:
        """The first difference, or None where the runs decide alike."""
        return self.differences[0] if self.differences else None
