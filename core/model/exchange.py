"""Behaviours as other tools write them: ITF of Apalache and Quint, written and read, and TLC's JSON, read.

All three name the six variables as the published specification does. A function of TLC from 1 on is a list,
any other one an object; ITF marks sets, functions and whole numbers (Apalache's ADR 015).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, cast

from core.errors import QuestionError
from core.message import Message, message
from core.model.actions import Step
from core.model.state import NO_LEADER, Assignment, Bounds, Record, Replica, State

NOBODY: Final = "NONE"
"""How the specification calls "no leader"."""
EMPTY_SLOT: Final = -1
VARIABLES: Final = (
    "replicaLog",
    "replicaState",
    "nextRecordId",
    "nextLeaderEpoch",
    "leaderAndIsrRequests",
    "quorumState",
)
_MOST_STATES: Final = 10_000


def itf_of(
    states: Sequence[State], steps: Sequence[Step], bounds: Bounds, description: str
) -> dict[str, Any]:
    """A behaviour as ITF JSON. What happened stands in the meta data of the state after it."""
    return {
        "#meta": {"format": "ITF", "description": description},
        "vars": list(VARIABLES),
        "states": [
            {"#meta": meta_of(number, steps[number - 1] if number else None), **_variables(state, bounds)}
            for number, state in enumerate(states)
        ],
    }


def meta_of(number: int, step: Step | None) -> dict[str, Any]:
    """The meta data of a state: its number, and what happened before it."""
    if step is None:
        return {"index": number}
    return {"index": number, "action": step.action, "broker": step.broker, "other": step.other or None}


def _variables(state: State, bounds: Bounds) -> dict[str, Any]:
    logs = [
        [
            broker_called(broker),
            {"endOffset": whole_number(state.of(broker).end), "records": _slots(state, broker, bounds)},
        ]
        for broker in bounds.brokers
    ]
    beliefs = [
        [
            broker_called(broker),
            {
                "hw": whole_number(own.high_watermark),
                **_assignment(Assignment(own.epoch, own.leader, own.isr)),
            },
        ]
        for broker in bounds.brokers
        for own in (state.of(broker),)
    ]
    return {
        "replicaLog": {"#map": logs},
        "replicaState": {"#map": beliefs},
        "nextRecordId": whole_number(state.next_record),
        "nextLeaderEpoch": whole_number(state.next_epoch),
        "leaderAndIsrRequests": {
            "#set": [_assignment(one) for one in sorted(state.requests, key=lambda one: one.epoch)]
        },
        "quorumState": _assignment(state.quorum),
    }


def _slots(state: State, broker: int, bounds: Bounds) -> dict[str, Any]:
    """All slots of a log, the empty ones too, as the specification has them."""
    log = state.of(broker).log
    return {
        "#map": [
            [
                whole_number(slot),
                {"id": whole_number(log[slot].id), "epoch": whole_number(log[slot].epoch)}
                if slot < len(log)
                else whole_number(EMPTY_SLOT),
            ]
            for slot in range(bounds.log_size)
        ]
    }


def _assignment(one: Assignment) -> dict[str, Any]:
    return {
        "leaderEpoch": whole_number(one.epoch),
        "leader": NOBODY if one.leader == NO_LEADER else broker_called(one.leader),
        "isr": {"#set": [broker_called(broker) for broker in sorted(one.isr)]},
    }


def broker_called(broker: int) -> str:
    """How a broker is called in a file."""
    return f"b{broker}"


def whole_number(number: int) -> dict[str, str]:
    """A number as ITF marks it."""
    return {"#bigint": str(number)}


def behaviour_of(document: object, where: str) -> tuple[tuple[State, ...], Bounds]:
    """The states of a file of ITF or of TLC, and the least bounds that they fit into.

    `document` is the JSON, `where` the file for errors. Replicas get their numbers in the order of their
    names. Raises QuestionError.
    """
    rows = rows_of(document, where)
    states: list[State] = []
    slots = 1
    for number, row in enumerate(rows, start=1):
        try:
            read = _Reader(plain(row))
            states.append(read.state())
        except (LookupError, TypeError, ValueError) as error:
            raise QuestionError(
                message("error.model.trace.state", number=number),
                where=where,
                advice=message("error.model.trace.variables", names=", ".join(VARIABLES)),
            ) from error
        slots = max(slots, read.slots, *(one.end for one in states[-1].replicas))
    if len({len(state.replicas) for state in states}) != 1:
        refuse(message("error.model.trace.replicas"), where)
    bounds = Bounds(
        replicas=len(states[0].replicas),
        log_size=slots,
        records=max(state.next_record for state in states),
        epochs=max(0, *(state.next_epoch - 1 for state in states)),
    )
    return tuple(states), bounds


def refuse(what: Message, where: str) -> NoReturn:
    """Say what is wrong with a file."""
    raise QuestionError(what, where=where)


def rows_of(document: object, where: str) -> list[Any]:
    """The states one by one, at least one. Raises QuestionError.

    Of ITF `states`; of TLC `state`, pairs of number and state, or a bare list.
    """
    found = document
    if isinstance(found, dict):
        outer = cast("dict[str, Any]", found)
        inner = cast("dict[str, Any]", outer.get("counterexample", outer))
        found = inner.get("states", inner.get("state"))
    if not isinstance(found, list):
        refuse(message("error.model.trace.form"), where)
    rows = cast("list[Any]", found)
    if not rows:
        refuse(message("error.model.trace.no-states"), where)
    if len(rows) > _MOST_STATES:
        refuse(message("error.model.trace.long", most=_MOST_STATES), where)
    return [row[1] if isinstance(row, list) and len(cast("list[Any]", row)) == 2 else row for row in rows]


def plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Without the marks of ITF: whole numbers, lists for sets, dictionaries for functions."""
    if isinstance(value, list):
        return [plain(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    if "#bigint" in fields:
        return int(fields["#bigint"])
    for mark in ("#set", "#tup"):
        if mark in fields:
            return plain(fields[mark])
    if "#map" in fields:
        return {plain(key): plain(one) for key, one in fields["#map"]}
    return {key: plain(one) for key, one in fields.items()}


class _Reader:
    """One state of a file, whose replicas are called as the file calls them."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.row = row
        self.beliefs, self.logs = function_of(row["replicaState"]), function_of(row["replicaLog"])
        names = sorted(self.beliefs, key=lambda name: (len(str(name)), str(name)))
        self.numbers = {str(name): number for number, name in enumerate(names, start=1)}
        self.names = names
        self.slots = 1

    def state(self) -> State:
        """As a value. Raises KeyError, TypeError, ValueError where it is none."""
        requests = frozenset(self._assignment(one) for one in self.row["leaderAndIsrRequests"])
        return State(
            replicas=tuple(self._replica(name) for name in self.names),
            next_record=int(self.row["nextRecordId"]),
            next_epoch=int(self.row["nextLeaderEpoch"]),
            requests=requests,
            quorum=self._assignment(self.row["quorumState"]),
        )

    def _replica(self, name: object) -> Replica:
        belief = self.beliefs[name]
        own = self._assignment(belief)
        return Replica(self._log(self.logs[name]), int(belief["hw"]), own.epoch, own.leader, own.isr)

    def _log(self, log: Mapping[str, Any]) -> tuple[Record, ...]:
        records = {int(slot): one for slot, one in function_of(log["records"], first=0).items()}
        self.slots = max(self.slots, len(records))
        return tuple(
            Record(int(records[slot]["id"]), int(records[slot]["epoch"]))
            for slot in range(int(log["endOffset"]))
        )

    def _assignment(self, one: Mapping[str, Any]) -> Assignment:
        leader = str(one["leader"])
        number = NO_LEADER if leader == NOBODY else self.numbers[leader]
        return Assignment(
            int(one["leaderEpoch"]), number, frozenset(self.numbers[str(name)] for name in one["isr"])
        )


def function_of(value: Any, *, first: int = 1) -> Mapping[Any, Any]:  # noqa: ANN401 - JSON
    """A function: an object, or a list of its values from its first argument on."""
    if isinstance(value, list):
        return dict(enumerate(cast("list[Any]", value), start=first))
    return dict(value)
