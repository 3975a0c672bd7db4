"""Behaviours of async-isr: ITF both ways, what TLC dumps, a trace of what was asked, decided and learnt."""

import json
from typing import Any

import pytest

from core.errors import QuestionError
from core.history.open import open_history
from core.message import message
from core.model.async_exchange import ASYNC_VOCABULARY, VARIABLES, async_behaviour_of, async_itf_of
from core.model.async_isr import ASYNC_INVARIANTS, AsyncBounds, AsyncState, Proposal, world_of
from core.model.async_trace import async_trace_of
from core.model.exploration import Counterexample
from core.model.expression import own_invariant
from core.model.invariants import Invariant
from core.model.plain_engine import explore
from core.model.replay import replay_in

FILE = "trace.json"
BOUNDS = AsyncBounds(3, 1, 2)


def shortest(holds: str) -> Counterexample[AsyncState]:
    """The shortest way to a state in which this does not hold."""
    (verdict,) = explore(world_of(BOUNDS), (own_invariant(holds, FILE, ASYNC_VOCABULARY),)).verdicts
    assert verdict.counterexample is not None
    return verdict.counterexample


@pytest.fixture(scope="module")
def learnt() -> Counterexample[AsyncState]:
    """The leader asks to remove 3, the controller does, the leader learns of it: three steps (KIP-497)."""
    return shortest("leader_version < 1 or len(requests) < 1")


def _has_not_learnt(state: AsyncState) -> bool:
    return state.leader.version < 1


def of_tlc(state: AsyncState, names: dict[int, str]) -> dict[str, Any]:
    """A state as TLC's module Json writes it: sets as lists, functions as objects with text keys."""

    def proposal(one: Proposal) -> dict[str, Any]:
        return {"isr": [names[broker] for broker in sorted(one.isr)], "version": one.version}

    own = state.leader
    return {
        "controllerState": proposal(state.controller),
        "leaderState": {
            **proposal(Proposal(own.isr, own.version)),
            "pendingIsr": [names[broker] for broker in sorted(own.pending_isr)],
            "pendingVersion": own.pending_version,
            "offsets": {names[broker]: end for broker, end in enumerate(own.ends, start=1)},
        },
        "requests": [*map(proposal, sorted(state.requests, key=lambda one: one.version))],
        "updates": [*map(proposal, sorted(state.updates, key=lambda one: one.version))],
    }


def test_itf_is_read_as_it_was_written(learnt: Counterexample[AsyncState]) -> None:
    written = json.loads(json.dumps(async_itf_of(learnt.states, learnt.steps, "loss")))
    states, bounds = async_behaviour_of(written, FILE)

    assert states == learnt.states
    assert (bounds.replicas, bounds.versions) == (3, 1)
    assert written["#meta"]["format"] == "ITF"
    assert set(VARIABLES) == set(written["vars"]) == set(written["states"][0]) - {"#meta"}
    # Nil of the specification.
    assert written["states"][0]["leaderState"]["pendingVersion"] == {"#bigint": "-1"}


def test_what_tlc_writes_is_read_whoever_leads(learnt: Counterexample[AsyncState]) -> None:
    """The leader is a constant of the specification: the one that is never removed and never behind."""
    way = shortest("leader_version < 1 or end[1] < 1")
    names = {1: "r3", 2: "r1", 3: "r2"}
    pairs = [[number, of_tlc(state, names)] for number, state in enumerate(way.states, start=1)]
    states, bounds = async_behaviour_of({"counterexample": {"state": pairs}}, FILE)
    told = replay_in(world_of(bounds), states, ASYNC_INVARIANTS)

    assert states == way.states
    assert (told.steps, told.refused) == (way.steps, None)


def test_a_step_that_the_model_has_not_is_refused(learnt: Counterexample[AsyncState]) -> None:
    """A leader that skips the controller: it takes its own proposal as decided."""
    first, asked, *_rest = learnt.states
    own = asked.leader
    taken = asked._replace(leader=own._replace(isr=own.pending_isr, version=1, pending_isr=frozenset()))
    never = Invariant("never", _has_not_learnt, message("model.invariant.own"))
    told = replay_in(world_of(BOUNDS), (first, asked, taken), (never,))

    assert (told.refused, len(told.states)) == (3, 2)
    assert told.broken == ((never, None),)


def test_lanes_show_what_was_asked_decided_and_learnt() -> None:
    way = shortest("leader_version < 1 or hw < 1 or len(requests) < 1")
    trace = async_trace_of("way", way.states, way.steps, [f"step {one.action}" for one in way.steps])
    events = [trace.event(seq) for seq in range(len(trace))]
    last = way.states[-1]

    for number, step in enumerate(way.steps, start=1):
        now = [one for one in events if one.at == number * 1_000_000_000]
        assert now, step
        assert trace.lines[now[0].line - 1].text == f"step {step.action}"
    kinds = [one.kind for one in events]
    assert {"isr_committed", "appended", "hw_moved"} <= set(kinds)
    assert kinds.count("appended") == sum(last.leader.ends)
    history = open_history(trace, 0)
    at_end = history.at(len(trace))
    replicas = {one.broker: one for one in at_end.replicas}
    assert replicas[1].hw.exact == last.leader.high_watermark
    assert [replicas[one].leo.exact for one in (1, 2, 3)] == list(last.leader.ends)
    assert set(at_end.isr or ()) == set(last.leader.isr)


@pytest.mark.parametrize(
    "document", [{}, {"states": []}, {"states": [{"controllerState": 1}]}, {"states": [[1, 2, 3]]}, [None]]
)
def test_what_is_no_behaviour_is_refused_in_one_sentence(document: object) -> None:
    with pytest.raises(QuestionError) as error:
        async_behaviour_of(document, FILE)
    assert error.value.facts.where is not None
