"""Changes of a script, and what replays say of them, by hand-made values."""

from collections.abc import Mapping
from typing import Any

import pytest

from core.kafka.eras import era
from core.lab.changes import Cost, changes
from core.lab.choices import Stance
from core.lab.lift import Lifted
from core.lab.prevent import Verdict, verdict_of
from core.lab.replay import Replay, replay
from core.sim.ablation.outcome import LostRange, Outcome, Unlike
from core.sim.ablation.setup import Setup
from core.sim.scenario import parse_scenario
from core.sim.script_text import Plan, Value, as_toml
from core.sim.truth import Promise

STEPS: tuple[dict[str, Any], ...] = (
    {"do": "produce", "at_ms": 0, "count": 4, "acks": "1", "for_ms": 0},
    {"do": "crash", "at_ms": 5_000, "broker": "3"},
    {"do": "stop", "at_ms": 20_000, "broker": "2"},
    {"do": "crash", "at_ms": 30_000, "broker": "1"},
    {"do": "start", "at_ms": 40_000, "broker": "3", "until": "3 sends a fetch", "within_ms": 9_000},
    {"do": "start", "broker": "2"},
    {"do": "elect", "at_ms": 50_000, "broker": "3", "unclean": True},
    {"do": "start", "at_ms": 60_000, "broker": "1"},
    {"do": "wait", "at_ms": 60_000, "for_ms": 30_000},
)


def lifted(era_id: str = "2.8", settings: Mapping[str, Value] | None = None) -> Lifted:
    plan = Plan(("1", "2", "3"), settings or {}, 0, STEPS, {"topic": "t"})
    scenario = parse_scenario(as_toml(plan, "x", "", "story"), "x.toml")
    return Lifted("t-0", 1, 0, Stance.WORST, era(era_id), plan, scenario, (), ())


def named(found: Lifted) -> dict[str, Any]:
    return {one.name: one for one in changes(found)}


def done(change: Any, found: Lifted) -> list[tuple[str, str, int | None]]:
    """What each step of the changed script does, to whom, and when."""
    steps = change.applied(found).scenario.steps
    return [
        (
            type(one.action).__name__.lower(),
            getattr(one.action, "broker", ""),
            None if one.at_ns is None else one.at_ns // 1_000_000,
        )
        for one in steps
    ]


def test_only_what_is_not_so_already_is_tried() -> None:
    assert "unclean.leader.election.enable=false" not in named(lifted())
    assert "unclean.leader.election.enable=false" in named(
        lifted(settings={"unclean.leader.election.enable": True})
    )
    assert "unclean.leader.election.enable=false" in named(lifted("0.10.2"))
    assert "min.insync.replicas=2" in named(lifted())
    assert "min.insync.replicas=2" not in named(lifted(settings={"min.insync.replicas": 2}))
    releases = [name for name in named(lifted("3.7")) if name.startswith("release=")]
    assert releases == ["release=4.0", "release=4.1"]


def test_kraft_to_3_8_has_no_use_for_a_setting_that_it_ignores() -> None:
    found = named(lifted("3.5", {"unclean.leader.election.enable": True}))

    assert "unclean.leader.election.enable=false" not in found


def test_a_start_that_waits_for_another_broker_comes_behind_it() -> None:
    found = lifted()

    later = done(named(found)["start-later=3>1"], found)
    assert later[-2:] == [("start", "3", 65_000), ("wait", "", 60_000)]
    # The step that had followed on it at once has its time now.
    assert ("start", "2", 40_000) in later


def test_the_one_that_is_started_first_comes_before_all_that_came_before_it() -> None:
    found = lifted()

    first = done(named(found)["start-first=1"], found)
    assert first[-4:] == [
        ("start", "1", 60_000),
        ("start", "3", 65_000),
        ("start", "2", 65_000),
        ("wait", "", 60_000),
    ]


def test_what_an_operator_leaves_out_is_left_out() -> None:
    found = lifted()

    assert not [one for one in done(named(found)["no-election=3"], found) if one[0] == "elect"]
    kept = done(named(found)["no-stop=2"], found)
    assert not [one for one in kept if one[1] == "2"]


def test_acks_is_asked_for_by_every_producer() -> None:
    found = lifted()

    change = named(found)["acks=all"]
    assert change.cost is Cost.RESTART
    assert 'acks = "all"' in change.applied(found).scenario.text
    assert 'acks = "1"' not in change.applied(found).scenario.text


COMMITTED = Replay(Outcome((LostRange(0, Promise.COMMITTED, 1, 2),)), 0, 0, 0)
ALONE = Replay(Outcome((LostRange(0, Promise.ACKNOWLEDGED, 1, 2),)), 0, 0, 0)
APART = Replay(Outcome((), (Unlike(0, (1, 2), 1, 2),)), 0, 0, 0)
NOTHING = Replay(Outcome(), 0, 0, 0)


@pytest.mark.parametrize(
    ("worst", "best", "verdict"),
    [
        (NOTHING, NOTHING, Verdict.PREVENTS),
        (ALONE, NOTHING, Verdict.COMMITTED),
        (COMMITTED, NOTHING, Verdict.BEST_ONLY),
        (COMMITTED, ALONE, Verdict.BEST_ONLY),
        (APART, NOTHING, Verdict.BEST_ONLY),
        (NOTHING, COMMITTED, Verdict.WORST_ONLY),
        (COMMITTED, COMMITTED, Verdict.NOT),
    ],
)
def test_a_change_prevents_what_it_prevents_over_all_that_is_open(
    worst: Replay, best: Replay, verdict: Verdict
) -> None:
    assert verdict_of({Stance.WORST: worst, Stance.BEST: best}) is verdict


def test_the_time_without_a_leader_runs_from_its_death_to_the_next_one() -> None:
    """The leader dies at 1 s; nobody else is there; it is back at 11 s."""
    plan = Plan(
        ("1",),
        {},
        0,
        (
            {"do": "produce", "count": 2, "acks": "all", "for_ms": 0},
            {"do": "crash", "at_ms": 1_000, "broker": "1"},
            {"do": "produce", "at_ms": 2_000, "count": 3, "acks": "all", "for_ms": 0},
            {"do": "start", "at_ms": 11_000, "broker": "1", "until": "1 leads", "within_ms": 60_000},
        ),
    )
    run = replay(Setup(parse_scenario(as_toml(plan, "x", "", "story"), "x.toml"), era("2.8")))

    assert run.unled_s == 10
    assert run.unconfirmed == 3
    assert run.loses_nothing


def test_times_of_brokers_are_tried_where_they_are_not_about_so_already() -> None:
    """Kafka's defaults of before and after KIP-537, and checkpoints five times as often."""
    lag, session = "replica.lag.time.max.ms", "zookeeper.session.timeout.ms"
    found = named(lifted("2.8", {lag: 30_000, session: 17_892}))
    times = [name for name in found if name.split("=")[0].endswith(".ms")]
    assert times == [
        f"{lag}=10000",
        f"{session}=6000",
        f"{session}=45000",
        "replica.high.watermark.checkpoint.interval.ms=1000",
    ]
    assert {found[name].cost for name in times} == {Cost.RESTART}
    setup = found[f"{session}=45000"].applied(lifted("2.8", {lag: 30_000, session: 17_892}))
    assert setup.scenario.settings.session_timeout_ms == 45_000
    assert "broker.session.timeout.ms=45000" in named(lifted("4.1", {lag: 30_000, session: 9_000}))
