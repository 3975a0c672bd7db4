"""`tidegauge lift` and `tidegauge prevent`, as a person and as a program read them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.sim.scenario import parse_scenario
from importers.samples import sample_path
from tests.archives import RECORDINGS

pytestmark = pytest.mark.broad(16)

Tell = Callable[..., Any]
LOSS = sample_path("k0102-hw-loss")
HEALTHY = sample_path("k28-epoch-fix")
BEFORE_THE_RETURN = "2026-11-21T03:29:05Z"


def test_a_lifted_moment_is_a_scenario_that_simulate_runs_and_check_judges(
    tell: Tell, tmp_path: Path
) -> None:
    script, run = tmp_path / "orders.toml", tmp_path / "orders.tide"
    told = tell("lift", LOSS, "--partition", "orders-0", "--at", BEFORE_THE_RETURN, "-o", script)
    assert (told.code, told.err) == (0, "")
    assert f"tidegauge simulate {script} --era 0.10.2" in told.out
    assert "broker 1 crashed" in told.out

    assert tell("simulate", script, "--era", "0.10.2,2.8", "-o", run).code == 0
    lost = tell("check", run, "--trace", "0.10.2", "--json").json
    ranges = [
        (one["first_offset"], one["end_offset"])
        for one in lost["partitions"][0]["losses"]
        if one["class"] == "committed"
    ]
    assert ranges == [(206, 254)]
    assert tell("check", run, "--trace", "2.8").code == 0


def test_without_a_file_the_scenario_is_printed_and_it_may_be_redacted(tell: Tell) -> None:
    plain = tell("lift", LOSS, "--partition", "orders-0").out
    hidden = tell("lift", LOSS, "--partition", "orders-0", "--redact").out

    assert "orders" in plain
    assert "2026" in plain
    assert parse_scenario(hidden).steps
    for told in ("orders", "2026", "03:2"):
        assert told not in hidden


def test_the_bounds_are_taken_at_either_end(tell: Tell) -> None:
    script = {
        one: tell("lift", LOSS, "--partition", "orders-0", "--take", one).out for one in ("worst", "best")
    }
    worst, best = (parse_scenario(script[one]).start.replicas["1"] for one in ("worst", "best"))

    # The last checkpoint of the follower said 206; up to its return the leader had 254 records copied.
    assert (worst.high_watermark, best.high_watermark) == (254, 206)
    assert 'acks = "1"' in script["worst"]
    assert 'acks = "all"' in script["best"]


def test_without_a_partition_it_is_the_one_that_lost_most(tell: Tell) -> None:
    assert 'topic = "audit"' in tell("lift", LOSS).out


def test_prevent_answers_a_program(tell: Tell) -> None:
    told = tell("prevent", LOSS, "--partition", "orders-0", "--json")

    assert (told.code, told.err) == (0, "")
    answer = told.json
    assert (answer["partition"], answer["reproduced"]) == ("orders-0", True)
    assert answer["lost"][0]["first_offset"] == 206
    assert answer["lost"][0]["end_offset"] == 254
    first = answer["changes"][0]
    assert (first["change"], first["cost"], first["verdict"]) == ("release=0.11", "upgrade", "committed")
    assert first["best"]["lost"] == []
    assert [one["class"] for one in first["worst"]["lost"]] == ["acknowledged"]
    taken = answer["lifted"]["worst"]["choices"]
    assert any(one["id"] == "lab.choice.crash" and one["lo"] < one["taken"] for one in taken)


def test_prevent_tells_a_person_the_cheapest_change_first(tell: Tell) -> None:
    lines = tell("prevent", LOSS, "--partition", "orders-0").out.splitlines()

    rows = [line.split("  ")[0] for line in lines]
    assert rows.index("Kafka 0.11, 1.1, 2.0, 2.1") < rows.index(
        "to start broker 2 only when broker 1 is back"
    )
    assert "These do not help, or only with one end of the bounds:" in lines


def test_where_nothing_is_lost_there_is_nothing_to_prevent(tell: Tell) -> None:
    told = tell("prevent", HEALTHY)

    assert told.code == 0
    assert "nothing to prevent" in told.out
    assert tell("prevent", HEALTHY, "--json").json["changes"] == []


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("lift", HEALTHY), "--partition"),
        (("lift", LOSS, "--partition", "orders-9"), "orders-9"),
        (("lift", LOSS, "--partition", "orders-0", "--at", "0"), "first event"),
        (("lift", LOSS, "--partition", "orders-0", "--at", "3"), "led"),
        (("lift", LOSS, "--take", "middle"), "middle"),
    ],
)
def test_what_cannot_be_lifted_is_said_in_one_sentence(
    tell: Tell, arguments: tuple[object, ...], what: str
) -> None:
    told = tell(*arguments)

    assert (told.code, told.out) == (2, "")
    assert what in told.err


def test_a_simulated_run_has_a_script_already(tell: Tell, kept: Path) -> None:
    told = tell("prevent", kept / "hw.tide", "--trace", "0.10.2")

    assert told.code == 2
    assert "simulated" in told.err


def test_an_existing_file_is_not_written_over(tell: Tell, tmp_path: Path) -> None:
    script = tmp_path / "x.toml"
    script.write_text("mine", encoding="utf-8")

    assert tell("lift", LOSS, "-o", script).code == 2
    assert script.read_text(encoding="utf-8") == "mine"
    assert tell("lift", LOSS, "-o", script, "--replace").code == 0
    assert parse_scenario(script.read_text(encoding="utf-8")).topic == "audit"


def test_what_a_replay_does_not_lose_no_change_prevents(tell: Tell) -> None:
    """Three records may be lost; nothing shows it, and a replay whose leader copies in time loses none."""
    told = tell("prevent", RECORDINGS / "k28-trace.tar.xz")

    assert told.code == 3
    assert "says little about this incident" in told.out
