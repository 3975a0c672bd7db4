"""The file of leader epochs is flushed later than a cut, from 3.7 on (KAFKA-15046)."""

import pytest

from core.kafka.epochs import entries_loaded
from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import play, simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from tests.core_sim.test_clients import events
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

B = 2


def cuts(trace: Trace) -> list[tuple[int, int]]:
    return [(one.values["from_offset"], one.values["offset"]) for one in events(trace, "truncated")]


def entries_after(trace: Trace, step: int) -> list[tuple[int, int]]:
    """The epoch cache that B loads in a step."""
    loaded = [one for one in events(trace, "epoch_cache_loaded", step=step) if one.values["replica"] == B]
    told = events(trace, "epoch_assigned", step=step)
    causes = {one.seq for one in loaded}
    return [(one.values["epoch"], one.values["offset"]) for one in told if one.cause in causes]


@pytest.mark.parametrize("one", [one for one in ERAS if one.id != "0.10.2"], ids=lambda one: one.id)
def test_the_entry_that_was_cut_is_back_after_a_power_failure_from_3_7_on(one: Era) -> None:
    """B's log has r0 to r9 of epoch 0 alone; epoch 1 at 5 is what it had before."""
    trace = simulated("stale-epoch-file", one)

    if one.switches.epoch_file_flush == "later":
        assert entries_after(trace, 4) == [(0, 0), (1, 5)]
        assert cuts(trace) == [(6, 5), (10, 5)], "records are cut that are those of the leader"
    else:
        assert entries_after(trace, 4) == [(0, 0)]
        assert cuts(trace) == [(6, 5)]


def test_without_the_power_failure_the_page_cache_has_the_cut() -> None:
    text = scenario("stale-epoch-file").text.replace("power_lost = true\n", "")
    trace = simulate(parse_scenario(text), era("4.0"))
    assert entries_after(trace, 4) == [(0, 0)]
    assert cuts(trace) == [(6, 5)]


def test_after_a_while_the_file_is_flushed() -> None:
    text = scenario("stale-epoch-file").text.replace(
        'do = "start"\nbroker = "B"\nuntil', 'do = "start"\nbroker = "B"\nfor_ms = 300\n#'
    )
    text = text.replace(
        'within_ms = 60_000\n\n[[step]]\nlabel = "the power', '\n[[step]]\nlabel = "the power'
    )
    trace = simulate(parse_scenario(text), era("2.8"))
    flushed = simulate(parse_scenario(text), with_switches(era("2.8"), {"epoch-file-flush": "later"}))
    assert cuts(trace) == cuts(flushed)


def test_the_records_come_again_and_nothing_differs_in_the_end() -> None:
    played = play(scenario("stale-epoch-file"), era("4.1"))
    assert not played.truth.diverged
    lost = {played.truth.names[number] for number in played.truth.lost}
    assert lost <= {"x5"}


def test_loading_drops_what_begins_at_or_above_the_log_end() -> None:
    assert entries_loaded(((0, 0), (1, 5), (3, 9)), 9) == ((0, 0), (1, 5))
