"""Behaviours of other tools: ITF both ways, the JSON that TLC dumps, and both as a trace."""

import json
from typing import Any

import pytest

from core.errors import QuestionError
from core.model.as_trace import trace_of
from core.model.exchange import behaviour_of, itf_of
from core.model.exploration import Counterexample
from core.model.fast_engine import FastEngine
from core.model.invariants import STRONG_ISR, USUAL
from core.model.replay import replay
from core.model.state import Bounds, State
from core.model.variants import KIP_101, KIP_320, KIP_320_FIRST_TRY, TRUNCATE_TO_HW, Variant

FILE = "trace.json"


def shortest(variant: Variant, *bounds: int) -> Counterexample[State]:
    (verdict,) = FastEngine(Bounds(*bounds), variant).explore((STRONG_ISR,)).verdicts
    assert verdict.counterexample is not None
    return verdict.counterexample


def of_tlc(state: State, *, slots: int) -> dict[str, Any]:
    """A state as TLC's module Json writes it: functions as objects with text keys, sets as lists."""

    def assignment(epoch: int, leader: int, isr: frozenset[int]) -> dict[str, Any]:
        name = f"b{leader}" if leader else "NONE"
        return {"leader": name, "leaderEpoch": epoch, "isr": [f"b{one}" for one in sorted(isr)]}

    logs: dict[str, Any] = {}
    beliefs: dict[str, Any] = {}
    for broker, own in enumerate(state.replicas, start=1):
        records: dict[str, Any] = {str(slot): -1 for slot in range(slots)}
        records |= {str(at): {"id": one.id, "epoch": one.epoch} for at, one in enumerate(own.log)}
        logs[f"b{broker}"] = {"endOffset": own.end, "records": records}
        beliefs[f"b{broker}"] = {**assignment(own.epoch, own.leader, own.isr), "hw": own.high_watermark}
    return {
        "replicaLog": logs,
        "replicaState": beliefs,
        "nextRecordId": state.next_record,
        "nextLeaderEpoch": state.next_epoch,
        "leaderAndIsrRequests": [assignment(*one) for one in sorted(state.requests)],
        "quorumState": assignment(*state.quorum),
    }


def tlc_dump(found: Counterexample[State], *, slots: int) -> dict[str, Any]:
    """What `-dumpTrace json` writes: pairs of number and state, in any order of actions beside them."""
    pairs = [[number, of_tlc(state, slots=slots)] for number, state in enumerate(found.states, start=1)]
    return {"counterexample": {"action": [], "state": pairs}}


def test_itf_is_read_as_it_was_written() -> None:
    bounds = Bounds(2, 2, 2, 2)
    found = shortest(KIP_101, 2, 2, 2, 2)
    text = json.dumps(itf_of(found.states, found.steps, bounds, "loss"))

    assert behaviour_of(json.loads(text), FILE) == (found.states, bounds)


def test_itf_has_the_marks_of_its_format() -> None:
    found = shortest(KIP_101, 2, 2, 2, 2)
    written = itf_of(found.states, found.steps, Bounds(2, 2, 2, 2), "loss")
    first, last = written["states"][0], written["states"][-1]

    assert written["#meta"]["format"] == "ITF"
    assert set(written["vars"]) == set(first) - {"#meta"}
    assert first["quorumState"] == {
        "leaderEpoch": {"#bigint": "-1"},
        "leader": "NONE",
        "isr": {"#set": ["b1", "b2"]},
    }
    assert last["#meta"]["index"] == len(found) - 1
    assert last["#meta"]["action"] == "becomes-follower"


def test_the_json_of_tlc_is_read_and_each_of_its_steps_is_found() -> None:
    found = shortest(TRUNCATE_TO_HW, 2, 2, 2, 1)
    states, bounds = behaviour_of(tlc_dump(found, slots=2), FILE)
    told = replay(states, bounds, TRUNCATE_TO_HW, USUAL)

    assert states == found.states
    assert (bounds, told.refused) == (Bounds(2, 2, 1, 1), None)
    assert told.steps == found.steps
    assert {one.name: at for one, at in told.broken}["StrongIsr"] == len(found) == 10


def test_names_of_replicas_and_steps_in_which_nothing_happens_do_not_matter() -> None:
    found = shortest(KIP_101, 2, 2, 2, 2)
    text = json.dumps(tlc_dump(found, slots=2)).replace('"b1"', '"r10"').replace('"b2"', '"r9"')
    pairs = json.loads(text)["counterexample"]["state"]
    twice = [state for _number, state in pairs for _time in range(2)]
    states, bounds = behaviour_of(twice, FILE)
    told = replay(states, bounds, KIP_101, USUAL)

    assert (len(states), len(told.states), told.refused) == (24, 12, None)


@pytest.mark.parametrize("variant", [KIP_320, KIP_320_FIRST_TRY])
def test_a_variant_refuses_the_step_that_its_rule_forbids(variant: Variant) -> None:
    """KIP-320 cuts at the first difference: the last step of the loss under KIP-101 is none of its own."""
    found = shortest(KIP_101, 2, 2, 2, 2)
    told = replay(found.states, Bounds(2, 2, 2, 2), variant, USUAL)

    assert told.refused is not None
    assert all(at is None for _one, at in told.broken)


def test_what_does_not_begin_as_the_model_does_is_refused_at_once() -> None:
    found = shortest(KIP_101, 2, 2, 2, 2)

    assert replay(found.states[1:], Bounds(2, 2, 2, 2), KIP_101, USUAL).refused == 1


@pytest.mark.parametrize(
    "document",
    [
        3,
        {},
        [],
        {"states": 1},
        {"states": [3]},
        {"states": [{"replicaState": {}, "replicaLog": []}]},
        {"states": [{"#map": [[[1], 2]]}]},
        {"states": [{"#bigint": "x"}]},
    ],
)
def test_what_is_no_behaviour_is_refused(document: object) -> None:
    with pytest.raises(QuestionError) as error:
        behaviour_of(document, FILE)
    assert FILE in str(error.value)


def test_a_state_with_one_odd_value_is_refused_with_its_number() -> None:
    dump = tlc_dump(shortest(KIP_101, 2, 2, 2, 2), slots=2)
    for change in (
        {"quorumState": {"leader": "b7", "leaderEpoch": 0, "isr": []}},
        {"nextRecordId": None},
        {"replicaLog": {"b1": {"endOffset": 2, "records": {"0": -1, "1": -1}}}},
    ):
        pairs = dump["counterexample"]["state"]
        spoiled = [*pairs[:3], [4, {**pairs[3][1], **change}], *pairs[4:]]
        with pytest.raises(QuestionError, match="State 4"):
            behaviour_of({"state": spoiled}, FILE)


def test_a_behaviour_is_told_as_events_that_end_in_its_last_state() -> None:
    """S1: the last events of each replica say what logs and high watermarks are in the last state."""
    found = shortest(TRUNCATE_TO_HW, 2, 2, 2, 1)
    words = [one.action for one in found.steps]
    trace = trace_of("loss", TRUNCATE_TO_HW, found.states, found.steps, words)
    events = [trace.event(seq) for seq in range(len(trace))]
    last = found.states[-1]

    for broker in (1, 2):
        ends = [one.values["leo"] for one in events if one.get("replica") == broker and "leo" in one.values]
        marks = [
            one.values["hw"] for one in events if one.get("replica") == broker and one.kind == "hw_moved"
        ]
        assert ends[-1] == last.of(broker).end
        assert ([0, *marks])[-1] == last.of(broker).high_watermark
    assert [line.text for line in trace.lines] == words
    assert {one.line for one in events if one.at} <= set(range(1, len(words) + 1))
    decided = next(one for one in events if one.kind == "leader_elected")
    followed = [one for one in events if one.kind == "became_leader"]
    assert followed[0].cause is not None
    assert followed[0].cause >= decided.seq
