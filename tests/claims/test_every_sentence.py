"""Every sentence of the inspector is so wherever it is said: scenarios, eras, switches, recordings.

The predicates stand in this folder. A sentence without one fails, and so does one that nothing here gives
and that is not listed with its reason in docs/claims.md.
"""

from collections.abc import Sequence
from functools import cache

import pytest

from core.kafka.eras import ERAS, Era, era
from core.sim.library import scenario, scenario_ids
from core.sim.run import play
from tests.claims.held import PARTS, Tally, flips, hold, hold_scenario, runs_of
from tests.claims.recorded import NAMES, hold_recording
from tests.claims.stories_held import hold_story
from tests.claims.table import NEVER, TABLE, table_of, texts, without_predicate
from tests.claims.world import GAP, Run
from tests.goldens import updating
from tests.recordings.whole import grouped
from tests.runs import one_of

REPLAYED = ("hw-loss", "batch-truncation", "deleted-records", "reassignment", "lost-tail")


@cache
def in_all_eras(name: str) -> Tally:
    tally = Tally()
    for rules in ERAS:
        tally.add(hold_scenario(name, rules))
    return tally


@cache
def stories_in_all_eras(name: str) -> Tally:
    tally = Tally()
    for rules in ERAS:
        tally.add(stories_with(name, rules))
    return tally


def stories_with(name: str, rules: Era) -> Tally:
    tally = Tally()
    for run in runs_of(name, rules):
        tally.add(hold_story(run, f"{name} in {rules.name}"))
    return tally


@cache
def in_a_recording(name: str) -> tuple[Tally, Tally]:
    """Of the inspector, and of stories."""
    return hold_recording(name)


def with_stories(name: str, rules: Era) -> Tally:
    """Both of a run of a scenario, which is judged once for them."""
    tally = Tally()
    for run in runs_of(name, rules):
        tally.add(hold(run, f"{name} in {rules.name}"))
        tally.add(hold_story(run, f"the story of {name} in {rules.name}"))
    return tally


@pytest.mark.slow
@pytest.mark.thinned(1)
@pytest.mark.parametrize("name", scenario_ids())
def test_sentences_hold_in_every_era(name: str, request: pytest.FixtureRequest) -> None:
    """A scenario in a third of the eras, and an era with a third of the scenarios; --every-case: all."""
    if request.config.getoption("--every-case"):
        assert not in_all_eras(name).broken
        return
    for rules in one_of(3, name):
        assert not hold_scenario(name, rules).broken


@pytest.mark.slow
@pytest.mark.thinned(14)
@pytest.mark.parametrize("name", scenario_ids())
def test_stories_hold_in_every_era(name: str) -> None:
    assert not stories_in_all_eras(name).broken


def some(name: str, request: pytest.FixtureRequest) -> Sequence[Era]:
    """Of the flips of a scenario one or two, of the next scenario others; all with --every-case."""
    every = tuple(flips(name))
    return every if request.config.getoption("--every-case") else one_of(len(scenario_ids()), name, every)


@pytest.mark.slow
@pytest.mark.thinned(1)
@pytest.mark.parametrize("name", scenario_ids())
def test_both_hold_with_each_switch_at_each_value(name: str, request: pytest.FixtureRequest) -> None:
    assert not [one for rules in some(name, request) for one in with_stories(name, rules).broken]


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(NAMES))
def test_sentences_hold_of_recordings(name: str) -> None:
    assert not in_a_recording(name)[0].broken


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(NAMES))
def test_stories_hold_of_recordings(name: str) -> None:
    assert not in_a_recording(name)[1].broken


def test_every_sentence_has_a_predicate() -> None:
    assert without_predicate() == []
    assert set(NEVER) <= set(texts())


def test_the_table_has_each_sentence_as_it_is_said_now() -> None:
    page = TABLE.read_text(encoding="utf-8")
    for id_, sentence in texts().items():
        assert id_ in PARTS or f"| `{id_}` | {sentence} |" in page


@pytest.mark.slow
def test_the_table_is_what_the_runs_give(request: pytest.FixtureRequest) -> None:
    """All of the runs take more than a minute: with `make referee` and `make goldens` alone."""
    if not (updating() or request.config.getoption("--every-case")):
        pytest.skip("compares the whole table, which takes every run: --every-case")
    eras, recordings, stories, told = Tally(), Tally(), Tally(), Tally()
    for name in scenario_ids():
        eras.add(in_all_eras(name))
        stories.add(stories_in_all_eras(name))
    for name in NAMES:
        recordings.add(in_a_recording(name)[0])
        told.add(in_a_recording(name)[1])
    made = table_of(eras, recordings, stories, told)
    assert "| ? |" not in made, "a sentence is never said, and no reason is given"
    if updating():
        TABLE.write_text(made, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == made


@pytest.mark.parametrize("name", REPLAYED)
@pytest.mark.parametrize("era_id", ["0.10.2", "2.1", "3.5", "4.1"])
def test_the_replay_comes_to_the_logs_of_the_simulator(name: str, era_id: str) -> None:
    """Else the predicates would ask another world."""
    played = play(scenario(name), era(era_id))
    for partition in range(len(played.trace.partitions)):
        run = Run(played.trace, played.truth, scenario(name), era(era_id), partition)
        for (index, broker), (start, log) in played.truth.logs.items():
            if index == partition:
                one = run.worlds[-1].of(broker)
                assert one.start == start or not one.log
                assert [record for record, _ in one.log] == [GAP if record < 0 else record for record in log]
