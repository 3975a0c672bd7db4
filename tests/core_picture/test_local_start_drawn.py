"""Where a replica's own disk begins, in the lanes, in the legend and in the state (KIP-405)."""

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.as_json import state_dict
from core.history.open import open_history
from core.history.state import Band
from core.kafka.eras import era
from core.picture.curves import LOCAL_START_DASH
from core.picture.legend import entries
from core.picture.marks import Line, Mark
from core.picture.timeline import TimelineView, lay_out
from core.trace.trace import Trace
from core.trace.vocabulary import Basis
from tests.runs import simulated
from tests.trips import read_again

A, B, C = 1, 2, 3
WORDS = "local log start: below it the remote tier alone"


def drawn(name: str, era_id: str) -> list[Mark]:
    trace = simulated(name, era(era_id))
    (verdict,) = diagnose(trace).partitions
    window = int(trace.columns["at"][0]), int(trace.columns["at"][-1])
    picture = lay_out(TimelineView(open_history(trace, 0), verdict, None, window, 1400.0, 600.0))
    return [mark for layer in picture.layers for mark in layer.marks]


def steps(marks: list[Mark]) -> list[Line]:
    """The line of a consumer's position has the same dots in another colour."""
    dotted = [one for one in marks if isinstance(one, Line) and one.dash == LOCAL_START_DASH]
    return [one for one in dotted if one.role == "line.edge"]


def at_last(trace: Trace, kind: str, replica: int) -> int:
    """The cursor after the last event of a kind on a replica."""
    found = [
        seq
        for seq in range(len(trace))
        if trace.event(seq).kind == kind and trace.event(seq).get("replica") == replica
    ]
    return found[-1] + 1


def test_each_disk_that_begins_above_the_log_has_a_dotted_step() -> None:
    marks = drawn("tiered-new-disk", "4.1")
    assert len(steps(marks)) == 3, "A and B retain from 6, C is built there"
    assert WORDS in [entry.words for entry in entries(marks)]


@pytest.mark.parametrize(("name", "era_id"), [("tiered-new-disk", "3.5"), ("tiered-forgotten", "4.1")])
def test_without_a_disk_that_begins_higher_nothing_is_drawn(name: str, era_id: str) -> None:
    marks = drawn(name, era_id)
    assert not steps(marks)
    assert WORDS not in [entry.words for entry in entries(marks)]


def test_the_step_ends_where_the_log_begins_as_high() -> None:
    """B retains from 7, and cleans the tier 10 ms later: from 3.8 its log begins there."""
    (step,) = steps(drawn("tiered-overlap", "4.1"))
    assert step.points[-1][0] - step.points[0][0] < 20


def test_it_is_never_below_the_log_start() -> None:
    """From 3.8 the log of tiered-overlap begins at 7 in the end, where B's disk does."""
    trace = simulated("tiered-overlap", era("4.1"))
    history = open_history(trace, 0)
    kept = at_last(trace, "local_start_moved", B)
    assert history.at(0).replica(B).local_start == Band(0, 0, Basis.OBSERVED, "stated")
    before, after = history.at(kept).replica(B), history.at(len(trace)).replica(B)
    assert (before.log_start.exact, after.log_start.exact) == (0, 7)
    assert before.local_start is not None
    assert after.local_start is not None
    assert (before.local_start.exact, after.local_start.exact) == (7, 7)


def test_a_disk_that_is_replaced_begins_where_the_log_does() -> None:
    trace = simulated("tiered-stale-start", era("4.1"))
    history = open_history(trace, 0)
    local = history.at(at_last(trace, "log_reset", B)).replica(B).local_start
    assert local is not None
    assert local.exact == 0


def test_of_real_logs_it_lies_between_two_lines() -> None:
    """A line may be missing: what was stated is a lower bound, the next one an upper."""
    read = read_again(simulated("tiered-new-disk", era("4.1")))
    (where,) = (place for place, one in enumerate(read.partitions) if not one.tp.of_quorum)
    history = open_history(read, where)
    moved = at_last(read, "local_start_moved", A)
    before, after = history.at(moved - 1).replica(A), history.at(moved).replica(A)
    assert before.local_start == Band(0, 6, Basis.BOUNDED)
    assert after.local_start == Band(6, None, Basis.BOUNDED)
    (partition,) = (one for one in state_dict(read, [history], moved)["partitions"])
    told = {one["broker"]: one["local_start"] for one in partition["replicas"]}
    assert told[A] == {"lo": 6, "hi": None, "basis": "bounded"}
