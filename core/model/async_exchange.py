"""Behaviours of async-isr as other tools write them, and its states for an invariant of one's own.

The four variables are called as in the published specification. Who leads is no variable there but a
constant: in a file it is who is always in sync and never behind.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.errors import QuestionError
from core.message import message
from core.model.actions import Step
from core.model.async_isr import AsyncBounds, AsyncState, LeaderView, Proposal
from core.model.exchange import broker_called, function_of, meta_of, plain, rows_of, whole_number
from core.model.expression import Vocabulary

VARIABLES: Final = ("controllerState", "leaderState", "requests", "updates")


def async_itf_of(states: Sequence[AsyncState], steps: Sequence[Step], description: str) -> dict[str, Any]:
    """A behaviour as ITF JSON. What happened stands in the meta data of the state after it."""
    return {
        "#meta": {"format": "ITF", "description": description},
        "vars": list(VARIABLES),
        "states": [
            {"#meta": meta_of(number, steps[number - 1] if number else None), **_variables(state)}
            for number, state in enumerate(states)
        ],
    }


def _variables(state: AsyncState) -> dict[str, Any]:
    own = state.leader
    ends = [[broker_called(broker), whole_number(end)] for broker, end in enumerate(own.ends, start=1)]
    return {
        "controllerState": _proposal(state.controller),
        "leaderState": {
            "isr": _brokers(own.isr),
            "version": whole_number(own.version),
            "pendingIsr": _brokers(own.pending_isr),
            "pendingVersion": whole_number(own.pending_version),
            "offsets": {"#map": ends},
        },
        "requests": _proposals(state.requests),
        "updates": _proposals(state.updates),
    }


def _brokers(brokers: frozenset[int]) -> dict[str, Any]:
    return {"#set": [broker_called(one) for one in sorted(brokers)]}


def _proposal(one: Proposal) -> dict[str, Any]:
    return {"isr": _brokers(one.isr), "version": whole_number(one.version)}


def _proposals(many: frozenset[Proposal]) -> dict[str, Any]:
    ordered = sorted(many, key=lambda one: (one.version, sorted(one.isr)))
    return {"#set": [_proposal(one) for one in ordered]}


def async_behaviour_of(document: object, where: str) -> tuple[tuple[AsyncState, ...], AsyncBounds]:
    """The states of a file of ITF or of TLC, and the least bounds that they fit into.

    `document` is the JSON, `where` the file for errors. The leader gets number 1, the others follow in the
    order of their names. Raises QuestionError.
    """
    rows = rows_of(document, where)
    states: list[AsyncState] = []
    try:
        read = [plain(row) for row in rows]
        numbers = _numbers(read)
        states.extend(_state(row, numbers) for row in read)
    except (LookupError, TypeError, ValueError) as error:
        raise QuestionError(
            message("error.model.trace.state", number=len(states) + 1),
            where=where,
            advice=message("error.model.trace.variables", names=", ".join(VARIABLES)),
        ) from error
    bounds = AsyncBounds(
        replicas=len(numbers),
        offsets=max(end for one in states for end in one.leader.ends),
        versions=max(one.controller.version for one in states),
    )
    return tuple(states), bounds


def _numbers(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The replicas by name, each with its number; raises what a row raises that is no state."""
    offsets = [_offsets(row) for row in rows]
    names = sorted(offsets[0], key=lambda name: (len(name), name))

    def leads(name: str) -> bool:
        in_sync = all(
            name in map(str, row[where]["isr"])
            for row in rows
            for where in ("controllerState", "leaderState")
        )
        return in_sync and all(one[name] == max(one.values()) for one in offsets)

    leader = next((name for name in names if leads(name)), names[0])
    ordered = [leader, *(name for name in names if name != leader)]
    return {name: number for number, name in enumerate(ordered, start=1)}


def _offsets(row: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): int(end) for name, end in function_of(row["leaderState"]["offsets"]).items()}


def _state(row: Mapping[str, Any], numbers: Mapping[str, int]) -> AsyncState:
    def brokers(names: Sequence[object]) -> frozenset[int]:
        return frozenset(numbers[str(name)] for name in names)

    def proposal(one: Mapping[str, Any]) -> Proposal:
        return Proposal(brokers(one["isr"]), int(one["version"]))

    own, ends = row["leaderState"], _offsets(row)
    view = LeaderView(
        brokers(own["isr"]),
        int(own["version"]),
        brokers(own["pendingIsr"]),
        int(own["pendingVersion"]),
        tuple(ends[name] for name in numbers),
    )
    return AsyncState(
        proposal(row["controllerState"]),
        view,
        frozenset(proposal(one) for one in row["requests"]),
        frozenset(proposal(one) for one in row["updates"]),
    )


def _values(state: AsyncState) -> dict[str, Any]:
    own = state.leader
    brokers = range(1, len(own.ends) + 1)
    return {
        "brokers": tuple(brokers),
        "end": dict(zip(brokers, own.ends, strict=True)),
        "hw": own.high_watermark,
        "leader_isr": own.isr,
        "leader_version": own.version,
        "pending_isr": own.pending_isr,
        "pending_version": own.pending_version,
        "isr": state.controller.isr,
        "version": state.controller.version,
        "requests": state.requests,
        "updates": state.updates,
    }


ASYNC_VOCABULARY: Final[Vocabulary[AsyncState]] = Vocabulary(
    (
        *("brokers", "end", "hw", "isr", "leader_isr", "leader_version"),
        *("pending_isr", "pending_version", "requests", "updates", "version"),
    ),
    _values,
)
"""What of a state can be named in an invariant of one's own: `isr` and `version` are the controller's."""
