"""One event with the state before and after it, in the words of the trace."""

from dataclasses import dataclass

from core.diagnose.narrate.explain import offsets_text
from core.diagnose.narrate.explain_zh import offsets_zh
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import Band, PartitionState, ReplicaState
from core.history.view import Row
from core.language import say


@dataclass(frozen=True, slots=True)
class Told:
    """What happened and why.

    At most three sentences, the rule as one sentence, and since which release it holds.
    """

    title: str
    sentences: tuple[str, ...]
    rule: str = ""
    release: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """An event on the stage. `before` and `after` are the states around it."""

    case: Case
    verdict: PartitionVerdict
    row: Row
    before: PartitionState
    after: PartitionState

    def name(self, broker: int | None) -> str:
        """A broker as a person calls it: its name in a simulation, else "broker 1"."""
        if broker is None:
            return say("a broker", "某个 broker")
        if broker == -1:
            return say("nobody", "无")
        for known in self.case.history.trace.brokers:
            if known.broker_id == broker and known.name and not known.name.isdigit():
                return known.name
        return f"broker {broker}"

    def names(self, brokers: tuple[int, ...]) -> str:
        """Several brokers: A; A and B; A, B and C."""
        words = [self.name(broker) for broker in brokers]
        if len(words) < 2:
            return words[0] if words else say("nobody", "无")
        return say(f"{', '.join(words[:-1])} and {words[-1]}", "、".join(words))

    @property
    def who(self) -> str:
        """Who the event is about, within a sentence."""
        return self.name(self.row.replica if self.row.replica is not None else self.row.broker)

    @property
    def subject(self) -> str:
        """Who the event is about, at the start of a sentence."""
        return capital(self.who)

    def parked(self) -> bool:
        """Whether the fetch that is answered now had been waiting."""
        for number in range(self.row.number - 1, -1, -1):
            row = self.case.view.rows[number]
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

    def records(self, broker: int | None, first: int | None, end: int | None) -> str:
        """Records [first, end) by name in a simulation ("m1"), else as offsets ("offsets 206 to 253")."""
        if first is None or end is None or end <= first:
            return no_records()
        names: list[str] = []
        for replica in (self.now(broker), self.was(broker)):
            for run in replica.runs if replica is not None else ():
                low, high = max(run.start, first), min(run.end, end)
                if run.records and low < high and len(names) < end - first:
                    names.extend(run.records[low - run.start : high - run.start])
            if names:
                break
        if names and len(names) <= 4:
            return ", ".join(names)
        return say(offsets_text(first, end), offsets_zh(first, end))


def capital(text: str) -> str:
    """The text as a sentence begins: with a capital letter, but for the name of a record ("m1")."""
    if text.startswith(_WORDS):
        return text[:1].upper() + text[1:]
    return text


_WORDS = ("broker ", "a broker", "offset", "nobody", "no records", "its ", "step")


def said(value: int | Band | None) -> str:
    """A number, a band or "not known"."""
    text = "?" if value is None else str(value)
    return say("not known", "未知") if text == "?" else text


def count(number: int, one: str) -> str:
    """1 record; 48 records."""
    return say(f"{number} {one}" if number == 1 else f"{number} {one}s", f"{number} {_COUNTED_ZH[one]}")


_COUNTED_ZH = {"record": "条记录", "offset": "个偏移量"}


def no_records() -> str:
    """What `Scene.records` says where there are none."""
    return say("no records", "没有记录")
