"""`tidegauge explore`: figures of TLC, shortest counterexamples, limits, files, one's own invariants."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from db.document import open_document
from tests.core_model.published import ASYNC_ISR, COUNTS, LENGTHS, ORBITS, SMALL_ABLATIONS

pytestmark = pytest.mark.broad(4)

Tell = Callable[..., Any]
KEYS = ["variant", "replicas", "log_size", "records", "epochs", "symmetry", "exhausted", "distinct", "depth"]


def test_what_holds_exits_with_0_and_what_tlc_counted_is_told(tell: Tell) -> None:
    told = tell("explore", "kip-320", "--json")

    assert (told.code, told.err) == (0, "")
    assert list(told.json) == [*KEYS, "seconds", "invariants"]
    assert (told.json["distinct"], told.json["depth"]) == COUNTS["kip-320", (2, 2, 2, 2)]
    assert [one["holds"] for one in told.json["invariants"]] == [True] * 4
    assert told.json["exhausted"] is True


def test_a_broken_invariant_exits_with_1_and_its_shortest_sequence_is_told(tell: Tell) -> None:
    told = tell("explore", "kip-101", "--invariant", "WeakIsr", "--json")

    assert told.code == 1
    (weak,) = told.json["invariants"]
    assert (weak["holds"], weak["counterexample_states"]) == (False, LENGTHS["kip-101", (2, 2, 2, 2)][0])
    assert len(weak["steps"]) == weak["counterexample_states"] - 1
    assert weak["steps"][0]["action"] == "controller-elects"


def test_an_action_is_swapped_by_its_name_and_symmetry_counts_orbits(tell: Tell) -> None:
    small = ("--replicas", 3, "--epochs", 1, "--symmetry", "--json")
    whole, swapped = (tell("explore", "kip-320", *more, *small) for more in ((), ("--ablate", "expand-wait")))

    assert (whole.code, whole.json["distinct"], whole.json["depth"]) == (0, *ORBITS["kip-320", (3, 2, 2, 1)])
    by_name = {one["name"]: one["counterexample_states"] for one in swapped.json["invariants"]}
    assert by_name["StrongIsr"] == SMALL_ABLATIONS["expand-wait"][1]
    assert (swapped.code, swapped.json["variant"]) == (1, "kip-320 without expand-wait")


@pytest.mark.parametrize(
    ("language", "says"), [("en", "WeakIsr is broken after 12 states"), ("zh", "12 个状态")]
)
def test_a_person_reads_a_step_a_line(tell: Tell, language: str, says: str) -> None:
    out = tell("explore", "kip-101", "--invariant", "WeakIsr", "--lang", language).out

    assert says in out
    assert [line.split(".")[0] for line in out.splitlines()[-11:]] == [str(one) for one in range(1, 12)]


def test_the_model_of_alter_partition_is_asked_by_its_name(tell: Tell) -> None:
    told = tell("explore", "async-isr", "--log-size", "2", "--epochs", "3", "--json").json

    assert told["distinct"] == ASYNC_ISR[2, 2, 3]


def test_a_behaviour_of_alter_partition_is_a_document_and_a_file_that_is_read_again(
    tell: Tell, tmp_path: Path
) -> None:
    """The shortest way to a high watermark of 1 that a removed broker held up: removed, written, copied."""
    own, document, file = tmp_path / "own.txt", tmp_path / "way.tide", tmp_path / "way.json"
    own.write_text("hw < 1 or isr == leader_isr")
    bounds = ("--log-size", "2", "--epochs", "2")
    told = tell(
        *("explore", "async-isr", *bounds, "--invariant", own, "-o", document, "--itf", file, "--json")
    )

    assert told.code == 1
    (broken,) = told.json["invariants"]
    assert sorted(one["action"] for one in broken["steps"]) == [
        "controller-removes",
        "follower-copies",
        "leader-appends",
    ]
    with open_document(document) as opened:
        assert [one.name for one in opened.infos()] == ["async-isr own.txt"]
    again = tell("explore", "async-isr", "--replay", file, "--json")
    assert (again.code, again.json["refused_state"], again.json["states"]) == (0, None, 4)
    assert again.json["steps"] == broken["steps"]
    # ValidHighWatermark holds in all states: there is nothing to write.
    nothing = tell("explore", "async-isr", *bounds, "-o", tmp_path / "none.tide")
    assert (nothing.code, (tmp_path / "none.tide").exists()) == (0, False)


def test_an_invariant_of_ones_own_is_asked(tell: Tell, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("all(hw[b] <= end[b] for b in brokers)")
    never = tmp_path / "never.txt"
    never.write_text("next_record < 2")

    told = tell("explore", "--invariant", str(file), "--invariant", str(never), "--json")

    assert told.code == 1
    assert [one["holds"] for one in told.json["invariants"]] == [True, False]


def test_what_cannot_be_asked_is_refused_in_one_sentence(tell: Tell, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("().__class__")
    logs = tmp_path / "logs.txt"
    logs.write_text("len(log[1]) < 2")
    odd = tmp_path / "odd.json"
    odd.write_text('{"states": [{"replicaLog": 1}]}')
    for arguments, what in (
        (("explore", "kip-9"), "kip-320-first-try"),
        (("explore", "--replicas", "9"), "--replicas"),
        (("explore", "kip-101", "--ablate", "fetch"), "kip-101"),
        (("explore", "--ablate", "fetching"), "expand-wait"),
        (("explore", "--invariant", "Weak"), "WeakIsr"),
        (("explore", "--invariant", str(file)), "Attribute"),
        (("explore", "async-isr", "--ablate", "fetch"), "--ablate"),
        (("explore", "async-isr", "--replay", str(odd)), "controllerState"),
        (("explore", "async-isr", "--invariant", str(logs)), "leader_isr"),
        (("explore", "--replay", str(file)), "JSON"),
        (("explore", "--replay", str(odd)), "State 1"),
        (("explore", "--replay", str(tmp_path / "nothing")), "cannot be read"),
        (("explore", "-o", str(odd)), "odd.json"),
    ):
        told = tell(*arguments)
        assert (told.code, told.out) == (2, ""), arguments
        assert what in told.err


@pytest.mark.parametrize(
    ("limit", "says"),
    [(("--max-states", "100"), "--max-states"), (("--time", "0"), "--time"), (("--memory", "1"), "--memory")],
)
def test_an_early_end_is_told_and_leaves_open_what_was_not_broken(
    tell: Tell, limit: tuple[str, str], says: str
) -> None:
    told = tell("explore", "kip-320", "--replicas", "3", *limit, "--json")

    assert told.code == 3
    assert says in told.err
    assert told.json["exhausted"] is False
    assert [one["holds"] for one in told.json["invariants"]] == [None] * 4


def test_a_counterexample_becomes_a_document_and_a_file_that_is_read_again(
    tell: Tell, tmp_path: Path
) -> None:
    """Of the loss by truncation to the high watermark: the follower's cut is an event at its last second."""
    document, itf = tmp_path / "loss.tide", tmp_path / "loss.itf.json"
    told = tell("explore", "truncate-to-hw", "--epochs", 1, "-o", document, "--itf", itf)

    assert told.code == 1
    weak, strong, _matching = LENGTHS["truncate-to-hw", (2, 2, 2, 1)]
    with open_document(document) as opened:
        names = [one.name for one in opened.infos()]
    assert names == ["truncate-to-hw WeakIsr", "truncate-to-hw StrongIsr"]
    events = tell("events", document, "--trace", "truncate-to-hw StrongIsr", "--kind", "truncated", "--json")
    (cut,) = [json.loads(line) for line in events.out.splitlines()]
    assert strong is not None
    assert cut["at"] == f"1970-01-01T00:00:{strong - 1:02}.000000000Z"
    assert len(json.loads(itf.read_text())["states"]) == weak

    again = tell("explore", "truncate-to-hw", "--replay", itf, "--json")
    assert again.code == 1
    assert (again.json["states"], again.json["refused_state"]) == (weak, None)
    assert again.json["invariants"][0]["broken_state"] == weak
    refused = tell("explore", "kip-320", "--replay", itf, "--json")
    assert (refused.code, refused.json["refused_state"] is None) == (1, False)


def test_where_nothing_is_broken_no_file_is_written(tell: Tell, tmp_path: Path) -> None:
    told = tell("explore", "kip-320", "-o", tmp_path / "none.tide")

    assert told.code == 0
    assert "no file" in told.err
    assert list(tmp_path.iterdir()) == []
