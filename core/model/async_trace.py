"""A behaviour of async-isr as a trace: what the leader asks, the controller decides, the leader learns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.model.actions import Step
from core.model.async_isr import LEADER, AsyncState
from core.model.step_events import StepEvents
from core.model.variants import ASYNC_ISR
from core.trace.ids import Seq
from core.trace.trace import Trace

_EPOCH: Final = 0
"""The leader stays, and so does its epoch."""
_ASKS: Final = {
    "leader-asks-to-remove": "isr_shrink_proposed",
    "leader-asks-to-add": "isr_expand_proposed",
}
_DECIDES: Final = ("controller-removes", "controller-accepts")


def async_trace_of(
    name: str, states: Sequence[AsyncState], steps: Sequence[Step], sentences: Sequence[str]
) -> Trace:
    """The trace of a behaviour; `sentences` say each step, and are the lines that its events come from."""
    teller = _Teller()
    teller.begin(states[0])
    for number, (before, step, after) in enumerate(zip(states, steps, states[1:], strict=False), start=1):
        teller.events.number = number
        teller.tell(step, before, after)
    record_count = max(state.leader.ends[0] for state in states)
    return teller.events.trace(name, ASYNC_ISR, len(states[0].leader.ends), record_count, sentences)


@dataclass(slots=True)
class _Teller:
    """Adds the events of one step after the other."""

    events: StepEvents = field(default_factory=StepEvents)
    decisions: dict[int, Seq] = field(default_factory=dict[int, Seq])
    """What the controller decided, by version."""

    def begin(self, state: AsyncState) -> None:
        """All run, logs are empty, broker 1 leads."""
        brokers, isr = range(1, len(state.leader.ends) + 1), sorted(state.controller.isr)
        self.events.start(brokers)
        first = self.events.add(
            "partition_created", None, leader=LEADER, epoch=_EPOCH, isr=isr, partition_epoch=0
        )
        self.decisions[0] = first
        led: dict[str, Any] = {"leader": LEADER, "epoch": _EPOCH, "leo": 0}
        self.events.add("became_leader", LEADER, LEADER, cause=first, hw=0, isr=isr, **led)
        for broker in brokers[1:]:
            self.events.add("became_follower", broker, broker, cause=first, **led)

    def tell(self, step: Step, before: AsyncState, after: AsyncState) -> None:
        """What a step changes, as events."""
        own = after.leader
        led: dict[str, Any] = {"leader": LEADER, "epoch": _EPOCH}
        cause: Seq | None = None
        if step.action in _DECIDES:
            version = after.controller.version
            self.decisions[version] = self.events.add(
                *("isr_committed", None), isr=sorted(after.controller.isr), partition_epoch=version, **led
            )
        elif step.action in _ASKS:
            change = frozenset((step.other,))
            isr = own.isr - change if step.action == "leader-asks-to-remove" else own.isr | change
            mark = before.leader.high_watermark
            led |= {"isr": sorted(isr), "leo": own.ends[0], "hw": mark}
            cause = self.events.add(_ASKS[step.action], LEADER, LEADER, **led)
        elif step.action == "leader-learns":
            cause = self.events.add(
                *("isr_committed", LEADER),
                cause=self.decisions.get(own.version),
                isr=sorted(own.isr),
                partition_epoch=own.version,
                **led,
            )
        else:
            end = own.ends[step.broker - 1]
            cause = self.events.add(
                *("appended", step.broker, step.broker),
                epoch=_EPOCH,
                from_offset=end - 1,
                offset=end,
                leo=end,
                aux=end - 1,
            )
        if own.high_watermark != before.leader.high_watermark:
            self.events.add("hw_moved", LEADER, LEADER, cause=cause, hw=own.high_watermark)
