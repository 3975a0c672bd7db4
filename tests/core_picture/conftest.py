"""Histories written by hand: what the pictures show is known before any simulator or importer runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from core.compare.comparison import Comparison, Difference, Stop
from core.compare.comparison import Run as ComparedRun
from core.diagnose.verdict.facts import (
    Leadership,
    Loss,
    LossClass,
    PartitionVerdict,
    Severity,
    Truncation,
)
from core.history.state import UNKNOWN_BAND, Band, EpochRun, History, ReplicaHistory, Role, Steps
from core.message import Message, in_languages
from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, Origin, Partition
from core.trace.vocabulary import Basis

A, B = 1, 2
MS = 1_000_000
ATTRIBUTES = ("role", "alive", "in_isr", "epoch", "log_start", "leo", "hw", "epochs", "runs", "remote")


def exact(value: int) -> Band:
    return Band(value, value, Basis.OBSERVED)


def between(low: int | None, high: int | None) -> Band:
    return Band(low, high, Basis.BOUNDED)


@dataclass
class Tape:
    """Writes events and, beside them, what became true. `at` is in milliseconds."""

    brokers: Mapping[int, str]
    origin: Origin = Origin.SIMULATED
    builder: TraceBuilder = field(default_factory=TraceBuilder)
    values: dict[tuple[int, str], list[tuple[int, Any]]] = field(default_factory=dict)
    shared: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    marks: list[int] = field(default_factory=list)

    def start(self, broker: int, **given: Any) -> None:
        first: dict[str, Any] = {
            "role": Role.UNKNOWN,
            "alive": True,
            "in_isr": True,
            "epoch": 0,
            "log_start": exact(0),
            "leo": exact(0),
            "hw": exact(0),
            "epochs": None,
            "runs": (),
            "remote": (),
            **given,
        }
        for name in ATTRIBUTES:
            self.values[broker, name] = [(0, first[name])]

    def event(self, at_ms: int, kind: str, **columns: Any) -> int:
        columns.setdefault("partition", 0)
        return self.builder.add(at_ms * MS, kind, **columns)

    def now(self, broker: int, **changed: Any) -> None:
        """Set values of a replica from the cursor after the last event on."""
        for name, value in changed.items():
            self._put(self.values[broker, name], value)

    def all_now(self, **changed: Any) -> None:
        for name, value in changed.items():
            self._put(self.shared.setdefault(name, [(0, None)]), value)

    def mark(self) -> None:
        """The end of a step of the script."""
        self.marks.append(len(self.builder))

    def _put(self, steps: list[tuple[int, Any]], value: Any) -> None:
        cursor = len(self.builder)
        if steps[-1][0] == cursor:
            steps[-1] = (cursor, value)
        elif steps[-1][1] != value:
            steps.append((cursor, value))

    def history(self, name: str, records: Sequence[str] = ()) -> History:
        trace = self.builder.build(
            name,
            self.origin,
            brokers=[Broker(BrokerId(number), text) for number, text in self.brokers.items()],
            partitions=[Partition(TopicPartition("orders", 3), tuple(BrokerId(b) for b in self.brokers))],
            records=records,
        )
        replicas = {
            broker: ReplicaHistory(
                broker,
                caps=None,
                stable=None,
                **{name: steps_of(self.values[broker, name]) for name in ATTRIBUTES},
            )
            for broker in self.brokers
        }
        shared = {
            name: steps_of(self.shared.get(name, [(0, None)])) for name in ("leader", "leader_epoch", "isr")
        }
        return History(trace, 0, np.arange(len(trace), dtype=np.int64), replicas=replicas, **shared)


def steps_of(pairs: Sequence[tuple[int, Any]]) -> Steps[Any]:
    return Steps(tuple(cursor for cursor, _ in pairs), tuple(value for _, value in pairs))


def log(*names: str, epoch: int = 0, start: int = 0) -> tuple[EpochRun, ...]:
    return (EpochRun(epoch, start, start + len(names), Basis.OBSERVED, names),) if names else ()


def fetch(tape: Tape, at: int, offset: int, *, answered: bool = True, who: int = B, leader: int = A) -> None:
    columns = {"broker": who, "replica": who, "leader": leader}
    tape.event(at, "fetch_sent", offset=offset, **columns)
    tape.event(at + 1, "fetch_received", offset=offset, broker=leader, replica=who, leader=leader)
    if answered:
        answer = {"from_offset": offset, "offset": offset, "replica": who, "leader": leader}
        tape.event(at + 1, "fetch_answered", broker=leader, **answer)
        tape.event(at + 2, "fetch_delivered", broker=who, **answer)


def _until_the_stop(tape: Tape) -> None:
    """Steps 0 to 7, which are the same in every era."""
    tape.start(A, role=Role.LEADER)
    tape.start(B, role=Role.FOLLOWER)
    tape.event(0, "step", aux=0)
    tape.all_now(leader=A, leader_epoch=0, isr=(A, B))
    tape.mark()
    tape.event(1000, "appended", broker=A, replica=A, epoch=0, from_offset=0, offset=1, leo=1, aux=0)
    tape.now(A, leo=exact(1), runs=log("m0"))
    tape.event(1000, "acknowledged", broker=A, replica=A, from_offset=0, offset=1, aux=1)
    tape.mark()
    fetch(tape, 2000, 0)
    tape.event(2002, "appended", broker=B, replica=B, epoch=0, from_offset=0, offset=1, leo=1, aux=0)
    tape.now(B, leo=exact(1), runs=log("m0"))
    tape.mark()
    fetch(tape, 3000, 1)
    tape.event(3002, "hw_moved", broker=A, replica=A, hw=1)
    tape.now(A, hw=exact(1), remote=((B, 1),))
    tape.event(3002, "hw_moved", broker=B, replica=B, hw=1)
    tape.now(B, hw=exact(1))
    tape.mark()
    tape.event(4000, "appended", broker=A, replica=A, epoch=0, from_offset=1, offset=2, leo=2, aux=1)
    tape.now(A, leo=exact(2), runs=log("m0", "m1"))
    tape.event(4000, "acknowledged", broker=A, replica=A, from_offset=1, offset=2, aux=1)
    tape.mark()
    fetch(tape, 5000, 1)
    tape.event(5002, "appended", broker=B, replica=B, epoch=0, from_offset=1, offset=2, leo=2, aux=1)
    tape.now(B, leo=exact(2), runs=log("m0", "m1"))
    tape.mark()
    fetch(tape, 6000, 2, answered=False)
    tape.event(6001, "fetch_parked", broker=A, replica=B, leader=A, offset=2)
    tape.event(6001, "hw_moved", broker=A, replica=A, hw=2)
    tape.now(A, hw=exact(2), remote=((B, 2),))
    tape.mark()
    tape.event(7000, "broker_stopped", broker=B, replica=B)
    tape.now(B, role=Role.OFFLINE, alive=False)
    tape.mark()


def _after_the_start(tape: Tape, *, kept: bool) -> None:
    """Steps 9 to 13; `kept` is whether B still holds m1."""
    end = 2 if kept else 1
    tape.event(9000, "broker_crashed", broker=A, replica=A)
    tape.now(A, role=Role.OFFLINE, alive=False, in_isr=False)
    tape.all_now(isr=(B,))
    tape.mark()
    tape.event(10000, "leader_elected", broker=B, leader=B, epoch=1, isr=(B,), aux=2)
    tape.all_now(leader=B, leader_epoch=1)
    tape.now(B, role=Role.LEADER, epoch=1, hw=exact(end))
    tape.mark()
    tape.event(11000, "broker_started", broker=A, replica=A)
    tape.now(A, role=Role.FOLLOWER, alive=True, epoch=1)
    if not kept:
        tape.event(11000, "truncated", broker=A, replica=A, from_offset=2, offset=1, leo=1, aux=4)
        tape.now(A, leo=exact(1), hw=exact(1), runs=log("m0"))
    tape.mark()
    fetch(tape, 12000, end, who=A, leader=B)
    tape.mark()
    tape.event(13000, "isr_committed", broker=B, leader=B, epoch=1, isr=(B, A))
    tape.now(A, in_isr=True)
    tape.all_now(isr=(B, A))
    tape.mark()


def hw_loss(*, kept: bool) -> tuple[History, PartitionVerdict, list[int]]:
    """The loss (0.10.2) or, with `kept`, the fix (0.11): history, verdict, and the cursor after each step."""
    tape = Tape({A: "A", B: "B"})
    _until_the_stop(tape)
    tape.event(8000, "broker_started", broker=B, replica=B)
    tape.now(B, role=Role.FOLLOWER, alive=True)
    cuts = []
    if not kept:
        seq = tape.event(8000, "truncated", broker=B, replica=B, from_offset=2, offset=1, leo=1, aux=1)
        tape.now(B, leo=exact(1), runs=log("m0"))
        cuts.append(Truncation(seq, B, 8000 * MS, 2, 1, "high-watermark", True, Basis.OBSERVED))
    tape.mark()
    _after_the_start(tape, kept=kept)
    history = tape.history("0.11" if kept else "0.10.2", ("m0", "m1"))
    terms = (
        Leadership(0, A, 0, 0, 10000 * MS, "first", Basis.OBSERVED),
        Leadership(1, B, 1, 10000 * MS, None, "clean", Basis.OBSERVED),
    )
    if kept:
        return history, PartitionVerdict(0, leadership=terms), tape.marks
    seq = next(
        s
        for s in range(len(history.trace))
        if history.trace.event(s).at == 11000 * MS and history.trace.event(s).kind == "truncated"
    )
    cuts.append(Truncation(seq, A, 11000 * MS, 2, 1, "leader-end", True, Basis.OBSERVED))
    loss = Loss(
        seq,
        1,
        2,
        0,
        (A, B),
        (),
        LossClass.COMMITTED,
        "high-watermark-truncation",
        11000 * MS,
        Message("a.loss"),
        Severity.LOSS,
    )
    return history, PartitionVerdict(0, leadership=terms, truncations=tuple(cuts), losses=(loss,)), tape.marks


CUTS = "a new follower cuts to its own high watermark"
ASKS = "a follower asks the leader where its epoch ends"
LABELS = (
    ("create", "A leads, e0"),
    ("produce", "m0"),
    ("B fetch @0", "gets m0"),
    ("B fetch @1", "HW 1"),
    ("produce", "m1"),
    ("B fetch @1", "gets m1"),
    ("B fetch @2", "waits; HW 2"),
    ("B stops", "unanswered"),
    ("B starts", "follows A"),
    ("A crashes", "no answer"),
    ("election", "B leads, e1"),
    ("A starts", "follows B"),
    ("A fetches", "caught up"),
    ("ISR grows", "A, B"),
)


def plainly(text: str) -> Message:
    """A text as it is."""
    return in_languages({"en": text})


def loss_beside_fix() -> Comparison:
    """The pair of the first picture: one stop a step."""
    loss, loss_verdict, loss_marks = hw_loss(kept=False)
    fix, fix_verdict, fix_marks = hw_loss(kept=True)
    stops = tuple(
        Stop((left, right), f"step {place}", *map(plainly, LABELS[place]))
        for place, (left, right) in enumerate(zip(loss_marks, fix_marks, strict=True))
    )
    cut = loss_verdict.truncations[0].seq
    first = Difference(
        8, (0, 1), plainly("broker B"),
        plainly("Broker B returns as a follower of broker A. What did it cut its log to?"),
        plainly("cut 2 → 1"), plainly("kept 2"), (plainly("high-watermark"),), (cut, None),
    )  # fmt: skip
    differing = tuple(() if place < 8 else (B,) if place < 11 else (A, B) for place in range(len(stops)))
    return Comparison(
        (
            ComparedRun(
                "Kafka 0.10.2", plainly("a new follower cuts to its own high watermark"), loss, loss_verdict
            ),
            ComparedRun(
                "Kafka 0.11", plainly("a follower asks the leader where its epoch ends"), fix, fix_verdict
            ),
        ),
        "script",
        stops,
        (first,),
        differing,
    )


@pytest.fixture(name="loss_and_fix", scope="session")
def _loss_and_fix() -> Comparison:
    return loss_beside_fix()


@pytest.fixture(name="unknown_band", scope="session")
def _unknown_band() -> Band:
    return UNKNOWN_BAND
