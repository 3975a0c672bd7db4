"""`tidegauge model`: figures of TLC, shortest counterexamples, and invariants of one's own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core_model.published import ASYNC_ISR, COUNTS, LENGTHS

Tell = Callable[..., Any]


def test_what_holds_exits_with_0_and_what_tlc_counted_is_told(tell: Tell) -> None:
    told = tell("model", "kip-320", "--json")

    assert (told.code, told.err) == (0, "")
    assert (told.json["distinct_states"], told.json["depth"]) == COUNTS["kip-320", (2, 2, 2, 2)]
    assert [one["holds"] for one in told.json["invariants"]] == [True] * 4
    assert told.json["ended_by"] is None


def test_a_broken_invariant_exits_with_1_and_its_shortest_sequence_is_told(tell: Tell) -> None:
    told = tell("model", "kip-101", "--invariant", "WeakIsr", "--json")

    assert told.code == 1
    (weak,) = told.json["invariants"]
    assert weak["holds"] is False
    length, _, _ = LENGTHS["kip-101", (2, 2, 2, 2)]
    assert length is not None
    assert len(weak["counterexample"]) == length - 1
    assert weak["counterexample"][0]["action"] == "controller-elects"


@pytest.mark.parametrize(
    ("language", "says"), [("en", "WeakIsr is broken after 12 states"), ("zh", "12 个状态")]
)
def test_a_person_reads_a_step_a_line(tell: Tell, language: str, says: str) -> None:
    out = tell("model", "kip-101", "--invariant", "WeakIsr", "--lang", language).out

    assert says in out
    assert [line.split(".")[0] for line in out.splitlines()[-11:]] == [str(one) for one in range(1, 12)]


def test_the_model_of_alter_partition_is_asked_by_its_name(tell: Tell) -> None:
    told = tell("model", "async-isr", "--log-size", "2", "--epochs", "3", "--json").json

    assert told["distinct_states"] == ASYNC_ISR[2, 2, 3]


def test_an_invariant_of_ones_own_is_asked(tell: Tell, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("all(hw[b] <= end[b] for b in brokers)")
    never = tmp_path / "never.txt"
    never.write_text("next_record < 2")

    told = tell("model", "--invariant-file", str(file), "--invariant-file", str(never), "--json")

    assert told.code == 1
    assert [one["holds"] for one in told.json["invariants"]] == [True, False]


def test_what_cannot_be_asked_is_refused_in_one_sentence(tell: Tell, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("().__class__")
    for arguments, what in (
        (("model", "kip-9"), "kip-320-first-try"),
        (("model", "--replicas", "9"), "--replicas"),
        (("model", "kip-101", "--without", "fetch"), "kip-101"),
        (("model", "--without", "fetching"), "expand-wait"),
        (("model", "--invariant", "Weak"), "WeakIsr"),
        (("model", "--invariant-file", str(file)), "Attribute"),
    ):
        told = tell(*arguments)
        assert (told.code, told.out) == (2, ""), arguments
        assert what in told.err


def test_an_early_end_leaves_open_what_was_not_broken(tell: Tell) -> None:
    told = tell("model", "kip-320", "--states", "100", "--json")

    assert told.code == 0
    assert told.json["ended_by"] == "states"
    assert [one["holds"] for one in told.json["invariants"]] == [None] * 4
