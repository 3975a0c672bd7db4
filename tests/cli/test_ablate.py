"""`tidegauge ablate` and the causes in `tidegauge compare`, as a person and as a program read them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.kafka.eras import era
from core.kafka.switches import SWITCH
from core.sim.ablation.protections import ablate
from core.sim.ablation.setup import Setup
from core.sim.library import scenario
from core.sim.truth import Promise
from gui.workspace.switchboard import rows_of

pytestmark = pytest.mark.broad(8)

Tell = Callable[..., Any]


def test_ablate_answers_a_program_in_the_shape_of_the_contract(tell: Tell) -> None:
    told = tell("ablate", "hw-loss", "--era", "2.8", "--json")

    assert (told.code, told.err) == (0, "")
    answer = told.json
    assert (answer["scenario"], answer["era"]) == ("hw-loss", "2.8")
    assert answer["outcome"] == {"lost": 0, "lost_committed": 0, "diverged": 0, "leaderless_ms": 0}
    without = {(one["switch"], one["off"]): one for one in answer["switches"] if one["is_on"]}
    kip_101 = without["truncation", "high-watermark"]
    assert (kip_101["on"], kip_101["outcome"]["lost"]) == ("fetch-divergence", 1)
    assert "KIP-101" in kip_101["ticket"]
    assert ["truncation=high-watermark"] in answer["minimal_sets"]


def test_ablate_tells_a_person_what_matters_here_and_which_two_matter_together(tell: Tell) -> None:
    out = tell("ablate", "silent-divergence").out

    assert out.splitlines()[0] == "silent-divergence in 2.8: lost 1, diverged 0, without a leader 0 s"
    assert "truncation=epoch-request and epoch-answer=offset" in out
    assert "KIP-101" in out
    assert "controller-start" not in out


def test_ablate_takes_switches_that_are_set(tell: Tell) -> None:
    told = tell("ablate", "hw-loss", "--era", "2.8", "--set", "truncation=high-watermark", "--json").json

    assert told["era"] == "2.8+truncation=high-watermark"
    assert told["outcome"]["lost"] == 1


def test_ablate_says_what_it_does_not_know(tell: Tell) -> None:
    for arguments, what in (
        (("ablate", "hw-los"), "hw-loss"),
        (("ablate", "hw-loss", "--era", "0.9"), "0.10.2"),
        (("ablate", "hw-loss", "--set", "truncation"), "SWITCH=VALUE"),
    ):
        told = tell(*arguments)
        assert (told.code, told.out) == (2, "")
        assert what in told.err


def test_compare_tells_the_first_difference_and_what_is_responsible_apart(tell: Tell, tmp_path: Path) -> None:
    """KAFKA-15583: two records lost in 3.6, one in 3.7; it was said that the runs decide alike."""
    document = tmp_path / "s8.tide"
    tell("simulate", "s8", "--era", "3.6,3.7", "-o", document)

    told = tell("compare", document)
    assert told.code == 1
    lines = told.out.splitlines()
    switch = "hw-below-min-isr: moves | stands (3.7; KIP-966, KAFKA-15583)"
    assert f"Made by {switch}" in lines
    place = lines.index("Responsible for the outcome")
    assert lines[place + 1] == "Lost: offsets 1 and 2, committed | offset 1, committed"
    assert lines[place + 2] == f"  {switch}"
    assert "It changes this first: A's high watermark rises from 2 to 3 | " in lines[place + 3]


def test_of_several_runs_it_is_said_whose_first_difference_was_made_by_what(
    tell: Tell, tmp_path: Path
) -> None:
    document = tmp_path / "zombie.tide"
    tell("simulate", "zombie-leader", "--era", "0.11,2.0,4.0", "-o", document)

    lines = tell("compare", document).out.splitlines()
    assert "Run 2 | Run 3: Made by controller: zookeeper | kraft (3.3; KIP-500, KIP-631, KIP-833)" in lines


def test_ablate_tells_a_committed_record_from_one_that_was_only_acknowledged(tell: Tell) -> None:
    """It was said of s9 in 4.1 that a high watermark that moves below min.insync.replicas costs the same."""
    rows = [line.split() for line in tell("ablate", "s9", "--era", "4.1").out.splitlines()]
    assert ["hw-below-min-isr", "on:", "stands", "moves", "1", "1", "0", "11"] in [row[:8] for row in rows]


def test_explain_advises_what_was_tried(tell: Tell, tmp_path: Path) -> None:
    """On hw-divergence in 0.10.2 it named 2.0 and KIP-279, though its run in 0.11 does not diverge."""
    document = tmp_path / "a.tide"
    tell("simulate", "hw-divergence", "--era", "0.10.2", "-o", document)

    out = tell("explain", document).out
    assert "From Kafka 0.11 on no logs differ in this case" in out
    assert "Each was replayed: 17 runs of the script." in out
    assert "KIP-279" not in out


def test_the_switchboard_has_the_figures_of_the_command(tell: Tell) -> None:
    told = tell("ablate", "silent-divergence", "--era", "2.8", "--json").json
    rows = rows_of(ablate(Setup(scenario("silent-divergence"), era("2.8"))))

    shown = {
        row.settings[0]: (
            row.outcome.records_lost,
            row.outcome.lost_of(Promise.COMMITTED),
            row.outcome.offsets_diverged,
            row.outcome.leaderless_ms,
        )
        for row in rows
        # The command flips rules of Kafka; settings are flipped in the window alone.
        if len(row.protections) == 1 and row.settings[0][0] in SWITCH
    }
    printed = {
        (one["switch"], one["off" if one["is_on"] else "on"]): tuple(one["outcome"].values())
        for one in told["switches"]
    }
    assert shown == printed
    pairs = [[one.setting for one in row.protections] for row in rows if len(row.protections) > 1]
    assert pairs == [one for one in told["minimal_sets"] if len(one) > 1]
    assert pairs
