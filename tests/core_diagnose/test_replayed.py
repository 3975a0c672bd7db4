"""Advice for real incidents: the scenario with their shape, and what its runs gave. All of it is run here."""

from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from core.diagnose.account import replayed as module
from core.diagnose.account.find import find_incidents
from core.diagnose.account.replayed import NOTHING, Replay, Shape, replays, shape_of
from core.diagnose.verdict.check import diagnose
from core.history.running import era_of
from core.kafka.eras import ERAS, Era, era
from core.sim.ablation.advice import Advice, advise
from core.sim.ablation.outcome import outcome_of
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from core.sim.script import MoveLog, Produce
from core.words import text
from importers.load import load
from tests.core_diagnose.test_taken import at, led_by_one
from tests.goldens import updating
from tests.importers.test_logs_of_brokers import written
from tests.recordings.whole import whole
from tests.runs import diagnosed, simulated

pytestmark = pytest.mark.broad(3)

TABLE = Path(module.__file__).parent / "replayed.txt"


def shapes(name: str, era_id: str) -> set[Shape]:
    trace = simulated(name, era(era_id))
    if not outcome_of(trace).records_lost:
        return set()
    incidents = find_incidents(trace, diagnosed(name, era(era_id)))
    return {shape_of(one, era_id) for incident in incidents for one in incident.losses if one.lost}


def exists_in(name: str, rules: Era) -> bool:
    """Whether clusters of an era can do all that a scenario is about. Elsewhere it runs, without that.

    There are producers with sequence numbers and transactions from 0.11 on (KIP-98), moves between
    directories from 1.1 (KIP-113), a metadata quorum from 3.3 (KIP-595), a remote tier from 3.6 (KIP-405).
    """
    script, switches = scenario(name), rules.switches
    actions = [step.action for step in script.steps]
    numbered = any(isinstance(one, Produce) and (one.producer or one.transaction) for one in actions)
    moved = any(isinstance(one, MoveLog) for one in actions)
    return (
        (switches.tiered_storage != "none" or not script.settings.tiered)
        and (switches.producer_sequence != "ignored" or not numbered)
        and (switches.directory_move != "none" or not moved)
        and (switches.controller == "kraft" or script.quorum is None)
    )


def made() -> Iterator[tuple[Shape, Replay]]:
    """By shape the scenario that has the fewest others, of several one that is named by words.

    A scenario that names releases says nothing of an era: its brokers do not run it.
    """
    for rules in ERAS:
        every = [name for name in scenario_ids() if not scenario(name).releases and exists_in(name, rules)]
        found = {name: shapes(name, rules.id) for name in every}
        for shape in sorted({one for every in found.values() for one in every}, key=str):
            fitting = [one for one in found if shape in found[one]]
            name = min(fitting, key=lambda one: (len(found[one]), one[1:].isdigit(), len(one), one))
            advice = advise(Setup(scenario(name), rules))
            assert advice is not None
            lasting = from_which_on_none_loses(advice)
            helps = [one.what.removeprefix("advice.setting.") for one in advice.settings if one.prevents]
            release = NOTHING if lasting is None else lasting.id
            yield shape, Replay(name, release, helps[0] if helps else NOTHING)


def from_which_on_none_loses(advice: Advice) -> Era | None:
    """The first later release: one after which it is lost again is no advice."""
    found: Era | None = None
    for one, outcome in reversed(advice.releases):
        if outcome.records_lost or outcome.offsets_diverged:
            break
        found = one
    return found


@pytest.mark.slow
def test_the_table_is_what_the_runs_give() -> None:
    rows = [" ".join((*astuple(shape), *astuple(run))) for shape, run in made()]
    if updating():
        TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8").splitlines() == rows


@pytest.mark.parametrize("shape", sorted(replays(), key=str), ids=str)
def test_what_is_replayed_exists_in_its_release(shape: Shape) -> None:
    """No loss of 0.10.2 is replayed as one of a remote tier, nor of producers that number their batches."""
    assert exists_in(replays()[shape].scenario, era(shape.era))


def advice_on(name: str) -> list[str]:
    trace = whole(name).trace
    (worst, *_) = find_incidents(trace, diagnose(trace))
    return [
        text(one) for one in worst.actions if one.id.startswith(("incident.do.replayed", "incident.do.not"))
    ]


UNCLEAN = "no later release prevents it for good; unclean.leader.election.enable=false does."


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "k0102-hw-loss",
            "from Kafka 0.11 on it loses nothing; no setting that was tried prevents it.",  # KIP-101
        ),
        ("k28-ibp0102-hw-loss", "under the rules of 0.10.2: from Kafka 0.11 on"),  # by its protocol
        ("k28-unclean-loss", UNCLEAN),
        ("k28-kip279-fix", UNCLEAN),
        ("k43-chaos", UNCLEAN),
    ],
)
def test_a_real_incident_is_told_what_was_replayed(name: str, told: str) -> None:
    (found,) = advice_on(name)
    assert found.startswith("Replayed as scenario ")
    assert told in found


@pytest.mark.parametrize("name", ["k0102-divergence", "k111-kip279-divergence", "k39-unclean-loss"])
def test_where_no_scenario_has_the_shape_nothing_was_replayed(name: str) -> None:
    assert advice_on(name) == [
        "No scenario loses records in this way under these rules: nothing was replayed."
    ]


def test_without_a_release_nothing_is_replayed() -> None:
    trace = whole("k0102-hw-loss").trace
    bare = replace(trace, brokers=tuple(replace(one, version="") for one in trace.brokers))
    assert era_of(trace) == "0.10.2"
    assert era_of(bare) is None


@pytest.mark.thinned(10)
@pytest.mark.parametrize("shape", sorted(replays(), key=str), ids=str)
def test_what_a_shape_advises_loses_nothing(shape: Shape) -> None:
    found = replays()[shape]
    later = ERAS[[one.id for one in ERAS].index(shape.era) + 1 :]
    assert outcome_of(simulated(found.scenario, era(shape.era))).records_lost
    if found.release != NOTHING:
        for rules in later[[one.id for one in later].index(found.release) :]:
            assert not outcome_of(simulated(found.scenario, rules)).records_lost


def test_no_release_is_advised_that_loses_in_the_same_way_too(tmp_path: Path) -> None:
    """Kafka 4.1 elects no replica that ended uncleanly (KIP-966), but for the last leader where all did."""
    release = at(0, 0, "Kafka version : 2.1.1 (org.apache.kafka.common.utils.AppInfoParser)")
    logs = led_by_one("", 0, 42)
    logs["broker-1/server.log"] = release + logs["broker-1/server.log"]
    trace = load([written(tmp_path, logs)])

    (incident,) = find_incidents(trace, diagnose(trace))
    assert [one.cause for one in incident.losses] == ["disk-loss"]
    told = [one.id for one in incident.actions]
    assert "incident.do.replayed.nothing" in told
    assert "incident.do.upgrade-from" not in told
