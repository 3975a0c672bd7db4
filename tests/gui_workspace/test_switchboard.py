"""The switchboard as values: its rows, and what a flip asks for."""

from collections import OrderedDict
from typing import Any

import pytest

from core.kafka.eras import Era, era, with_switches
from core.sim.ablation import setup
from core.sim.ablation.outcome import outcome_of
from core.sim.ablation.protections import ablate
from core.sim.ablation.setup import Setup
from core.sim.library import scenario
from core.sim.run import simulate
from core.sim.script import Scenario
from core.trace.trace import Trace
from core.work import QUIET
from gui.workspace.simulating import Asked, replay
from gui.workspace.switchboard import Board, Effect, FindProtections, Row, board_of, known, rows_of
from tests.gui_workspace.given import trace_of
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)


def board(*traces: Trace) -> Board:
    found = board_of(traces)
    assert found is not None
    return found


def rows(name: str, era_id: str) -> tuple[Row, ...]:
    return rows_of(ablate(Setup(scenario(name), era(era_id))))


def row(rows: tuple[Row, ...], *settings: tuple[str, str]) -> Row:
    return next(one for one in rows if one.settings == settings)


def runs(asked: Asked) -> tuple[Trace, ...]:
    return replay(asked, QUIET).traces


HW_LOSS = ("truncation", "high-watermark")
"""How 0.10.2 cut, before KIP-101."""


def test_what_kip_101_prevents_stands_first() -> None:
    first = rows("hw-loss", "2.8")[0]

    assert first.settings == (HW_LOSS,)
    assert first.effect is Effect.WORSE
    assert first.outcome.records_lost == 1


def test_two_of_which_neither_alone_does_anything_are_one_row() -> None:
    """KIP-279: from 2.8 on a follower asks no more, and is safe by that, too."""
    pairs = [one for one in rows("silent-divergence", "2.8") if len(one.protections) > 1]

    names = {frozenset(part.switch.name for part in one.protections) for one in pairs}
    assert frozenset({"truncation", "epoch-answer"}) in names
    for one in pairs:
        rules = with_switches(era("2.8"), dict(one.settings))
        assert one.outcome == outcome_of(simulated("silent-divergence", rules))
        assert one.outcome.offsets_diverged > 0


def test_a_flip_puts_the_flipped_run_beside_the_plain_one_and_flips_back() -> None:
    plain = simulated("hw-loss", era("2.8"))
    truncation = row(rows("hw-loss", "2.8"), HW_LOSS)

    flipped = runs(board(plain).flip(truncation, "en"))
    after = board(*flipped)
    assert len(flipped) == 2
    assert after.flipped == (HW_LOSS,)
    assert after.is_flipped(truncation)
    assert (after.outcome.records_lost, after.is_on(truncation)) == (0, False)
    assert after.flipped_outcome is not None
    assert after.flipped_outcome.records_lost == 1

    back = runs(after.flip(truncation, "en"))
    assert len(back) == 1
    assert board(*back).flipped == ()


def test_a_second_flip_is_added_to_the_first() -> None:
    found = rows("hw-loss", "2.8")
    fencing = row(found, ("fencing", "none"))
    after = board(*runs(board(simulated("hw-loss", era("2.8"))).flip(row(found, HW_LOSS), "en")))

    both = board(*runs(after.flip(fencing, "en")))
    assert set(both.flipped) == {HW_LOSS, ("fencing", "none")}


def test_a_flip_runs_the_script_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a flip costs: one run, and not the unflipped one again."""
    truncation = row(rows("hw-loss", "2.8"), HW_LOSS)
    asked = board(simulated("hw-loss", era("2.8"))).flip(truncation, "en")
    ran: list[str] = []

    def counted(script: Scenario, rules: Era, **how: Any) -> Trace:
        ran.append(rules.name)
        return simulate(script, rules, **how)

    monkeypatch.setattr(setup, "_RUNS", OrderedDict())
    monkeypatch.setattr(setup, "simulate", counted)
    runs(asked)

    assert ran == ["2.8+truncation=high-watermark"]


def test_two_releases_beside_each_other_are_no_flip() -> None:
    found = board(simulated("hw-loss", era("0.10.2")), simulated("hw-loss", era("2.8")))

    assert found.setup.era.id == "0.10.2"
    assert found.flipped == ()


def test_logs_have_no_switchboard() -> None:
    assert board_of((trace_of(1, 2),)) is None
    assert board_of(()) is None


def test_a_run_is_ablated_once() -> None:
    setup = Setup(scenario("one-fetch"), era("2.8"), 7)
    assert known(setup) is None

    found = FindProtections(setup).answer(QUIET)

    assert FindProtections(Setup(scenario("one-fetch"), era("2.8"), 7)).answer(QUIET) is found
    assert known(setup) is found
