"""From an event to the values of its sentences: brokers, records and states before and after it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.diagnose.narrate.values import number
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import PartitionState, ReplicaState
from core.history.view import Row
from core.message import Listing, Message, Names, Offsets, Value, message
from core.trace.broker_names import broker_value

NO_RECORDS: Final = message("why.no-records")
"""What `Scene.records` gives where there are none."""
EVERY_RELEASE: Final = message("why.since.every")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What happened at an event, and why.

    At most three sentences, the rule as one sentence, and the release since which it holds.
    """

    title: Message
    sentences: tuple[Message, ...]
    rule: Message | None = None
    since: Message | None = None


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """The label of a step in the script of a simulation, and the text on its effect; "" for none."""

    label: str
    effect: str


@dataclass(frozen=True, slots=True)
class Scene:
    """An event with its partition and the states around it; `script` has the lines of a scenario by step."""

    case: Case
    verdict: PartitionVerdict
    row: Row
    before: PartitionState
    after: PartitionState
    script: Mapping[int, ScriptLine]

    def name(self, broker: int | None) -> Value:
        """A broker as a person calls it: its name in a simulation, else "broker 1"."""
        if broker is None:
            return message("why.broker.some")
        if broker == -1:
            return message("why.broker.nobody")
        return broker_value(self.case.history.trace, broker)

    def names(self, brokers: tuple[int, ...]) -> Names:
        """Several brokers: A; A and B; A, B and C."""
        return Names(tuple(self.name(broker) for broker in brokers))

    def members(self, brokers: tuple[int, ...] | None) -> Value:
        """A set of replicas in brackets, as Kafka prints it."""
        if brokers is None:
            return number(None)
        if not brokers:
            return message("why.set.empty")
        inside = self.name(brokers[0])
        for broker in brokers[1:]:
            inside = message("why.set.more", head=inside, last=self.name(broker))
        return message("why.set", members=inside)

    @property
    def who(self) -> Value:
        """The broker or replica that the event is about."""
        return self.name(self.row.replica if self.row.replica is not None else self.row.broker)

    @property
    def leader(self) -> Value:
        """The leader that the event names, else the one after it; nobody follows itself."""
        if self.row.leader is not None:
            return self.name(self.row.leader)
        return self.name(self.after.leader if self.after.leader != self.row.replica else None)

    def parked(self) -> bool:
        """Whether the fetch that is answered now had been waiting."""
        for place in range(self.row.number - 1, -1, -1):
            row = self.case.view.rows[place]
            if row.replica == self.row.replica and row.kind in (
                "fetch_parked",
                "fetch_received",
                "fetch_answered",
            ):
                return row.kind == "fetch_parked"
        return False

    def was(self, broker: int | None) -> ReplicaState | None:
        """A replica before the event."""
        return next((replica for replica in self.before.replicas if replica.broker == broker), None)

    def now(self, broker: int | None) -> ReplicaState | None:
        """A replica after the event."""
        return next((replica for replica in self.after.replicas if replica.broker == broker), None)

    def records(self, broker: int | None, first: int | None, end: int | None) -> Value:
        """Records [first, end) by name in a simulation ("m1"), else as offsets ("offsets 206 to 253")."""
        if first is None or end is None or end <= first:
            return NO_RECORDS
        names: list[str] = []
        for replica in (self.now(broker), self.was(broker)):
            for run in replica.runs if replica is not None else ():
                low, high = max(run.start, first), min(run.end, end)
                if run.records and low < high and len(names) < end - first:
                    names.extend(run.records[low - run.start : high - run.start])
            if names:
                break
        if names and len(names) <= _NAMED:
            return Listing(tuple(names))
        return Offsets(first, end)


_NAMED: Final = 4
"""Up to so many records are called by their names, more by their offsets."""
