"""A behaviour of the model as a trace, which lanes show like any other run: each step at its own second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from core.model.actions import Action, Step
from core.model.state import NO_LEADER, Record, State
from core.model.step_events import StepEvents
from core.model.variants import Cut, Variant
from core.trace.ids import Seq
from core.trace.trace import Trace
from core.trace.vocabulary import CutReason, Election

_REASONS: Final[Mapping[Cut, CutReason]] = MappingProxyType(
    {
        Cut.HIGH_WATERMARK: CutReason.LOCAL_HIGH_WATERMARK,
        Cut.END_OF_EPOCH: CutReason.LEADER_EPOCH,
        Cut.END_OF_EPOCH_CLAMPED: CutReason.LEADER_EPOCH,
        Cut.FIRST_DIFFERENCE: CutReason.LEADER_EPOCH,
        Cut.FENCED_FIRST_DIFFERENCE: CutReason.LEADER_EPOCH,
        Cut.NOWHERE: CutReason.DIVERGING_EPOCH,
    }
)
"""What a cut of each kind is called in a log. Who keeps its log at first cuts it while it fetches."""


def trace_of(
    name: str, variant: Variant, states: Sequence[State], steps: Sequence[Step], sentences: Sequence[str]
) -> Trace:
    """The trace of a behaviour; `sentences` say each step, and are the lines that its events come from."""
    teller = _Teller(variant)
    teller.begin(states[0])
    for number, (before, step, after) in enumerate(zip(states, steps, states[1:], strict=False), start=1):
        teller.events.number = number
        teller.tell(step, before, after)
    record_count = max(state.next_record for state in states)
    return teller.events.trace(name, variant.name, len(states[0].replicas), record_count, sentences)


@dataclass(slots=True)
class _Teller:
    """Adds the events of one step after the other."""

    variant: Variant
    events: StepEvents = field(default_factory=StepEvents)
    version: int = 0
    """How often the in-sync set changed."""
    decisions: dict[int, Seq] = field(default_factory=dict[int, Seq])
    """What the controller decided, by leader epoch."""

    def add(self, kind: str, broker: int, **columns: Any) -> Seq:  # noqa: ANN401 - the columns of an event
        """An event of this step about `broker`, which tells it itself."""
        return self.events.add(kind, broker, broker, **columns)

    def begin(self, state: State) -> None:
        """All run, logs are empty, nobody leads."""
        self.events.start(range(1, len(state.replicas) + 1))
        self.events.add("partition_created", None, isr=sorted(state.quorum.isr), partition_epoch=0)

    def tell(self, step: Step, before: State, after: State) -> None:
        """What a step changes, as events."""
        if after.quorum != before.quorum:
            self._decided(step, before, after)
        elif step.action == "becomes-leader":
            self._leads(step.broker, after)
        elif step.action in ("becomes-follower", "cuts-later"):
            self._follows(step, before, after)
        else:
            self._grows(step, before, after)

    def _decided(self, step: Step, before: State, after: State) -> None:
        """The controller, or the leader, changed who leads or who is in sync."""
        self.version += 1
        epoch, leader, isr = after.quorum
        no_leader = -1 if leader == NO_LEADER else leader
        kind, aux = _DECISIONS.get(step.action, "isr_committed"), None
        if kind == "leader_elected":
            aux = Election.FIRST if before.quorum.epoch < 0 else Election.CLEAN
        elif leader == NO_LEADER:
            kind = "leaderless"
        by_leader = step.action in ("leader-adds", "leader-removes")
        self.decisions[epoch] = self.events.add(
            kind,
            step.broker if by_leader else None,
            leader=no_leader,
            epoch=epoch,
            isr=sorted(isr),
            partition_epoch=self.version,
            aux=aux,
        )

    def _leads(self, broker: int, after: State) -> None:
        own = after.of(broker)
        self.add(
            "became_leader",
            broker,
            cause=self.decisions.get(own.epoch),
            leader=broker,
            epoch=own.epoch,
            leo=own.end,
            hw=own.high_watermark,
            isr=sorted(own.isr),
        )

    def _follows(self, step: Step, before: State, after: State) -> None:
        """It cuts its log, and in most variants begins to follow with that."""
        broker = step.broker
        was, own = before.of(broker), after.of(broker)
        cause = self.decisions.get(own.epoch) if step.action == "becomes-follower" else None
        if own.end < was.end:
            reason = _REASONS[self.variant.cut]
            cause = self.add(
                "truncation_decided",
                broker,
                cause=cause,
                epoch=own.epoch,
                from_offset=was.end,
                offset=own.end,
                hw=was.high_watermark,
                aux=reason,
            )
            self._marked(broker, was.high_watermark, own.high_watermark, cause)
            cause = self.add(
                "truncated",
                broker,
                cause=cause,
                epoch=own.epoch,
                from_offset=was.end,
                offset=own.end,
                leo=own.end,
                aux=reason,
            )
            if self._knows_epochs and _epochs(own.log) != _epochs(was.log):
                self.add("epoch_cache_cut", broker, cause=cause, offset=own.end)
        if step.action == "becomes-follower":
            self.add(
                "became_follower",
                broker,
                cause=cause,
                leader=own.leader,
                epoch=own.epoch,
                leo=own.end,
                hw=own.high_watermark,
            )

    def _grows(self, step: Step, before: State, after: State) -> None:
        """A record more, or a high watermark that moves."""
        was, own = before.of(step.broker), after.of(step.broker)
        cause = None
        if own.end > was.end:
            record = own.log[-1]
            cause = self.add(
                "appended",
                step.broker,
                epoch=record.epoch,
                from_offset=was.end,
                offset=own.end,
                leo=own.end,
                aux=record.id,
            )
            if self._knows_epochs and _epochs(own.log) != _epochs(was.log):
                self.add("epoch_assigned", step.broker, cause=cause, epoch=record.epoch, offset=was.end)
        self._marked(step.broker, was.high_watermark, own.high_watermark, cause)

    def _marked(self, broker: int, was: int, now: int, cause: Seq | None) -> None:
        if now != was:
            self.add("hw_moved", broker, cause=cause, hw=now)

    @property
    def _knows_epochs(self) -> bool:
        """Whether brokers of this variant remember where epochs begin (KIP-101)."""
        return self.variant.cut is not Cut.HIGH_WATERMARK


_DECISIONS: Final[Mapping[Action, str]] = MappingProxyType({"controller-elects": "leader_elected"})


def _epochs(log: Sequence[Record]) -> list[int]:
    """The epochs in a log, in order, each once for each run of its records."""
    return [one.epoch for place, one in enumerate(log) if place == 0 or log[place - 1].epoch != one.epoch]
