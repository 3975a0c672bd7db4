"""Runs written as the logs of brokers and read again, with data and without: their own era takes them.

What a log does not show refuses nothing. All runs with `--every-case`, a sample of them by default.
"""

import pytest

from core.conform.judge import conform
from core.conform.own import candidate, own_candidate
from core.conform.table import RULES
from core.conform.wording import wording
from core.history.running import is_mixed
from core.kafka.eras import ERAS, era
from core.trace.vocabulary import NUMBER
from importers.lines.wording import printed_in
from tests.runs import simulated
from tests.trips import ERA_IDS, read_again, trip_names

pytestmark = pytest.mark.broad(4)

CUTS = tuple(rule for rule in RULES if rule.id == "truncation.cut")
UNDECIDED = {
    ("stale-epoch-file", "2.8", False),
    ("format-raised", "2.8", False),
    ("tiered-forgotten", "2.8", False),
}
"""Logs of which no rule decides anything: without data neither the high watermark nor the epochs of a log are
known where it is cut or fetches. A replica that did not lead states no epoch of its records."""
RUNS = [(name, which) for name in trip_names() for which in ERA_IDS]


@pytest.mark.thinned(60)
@pytest.mark.parametrize("data", [False, True], ids=["logs", "logs-and-data"])
@pytest.mark.parametrize(("name", "which"), RUNS)
def test_the_logs_of_a_run_are_taken_by_its_own_era(name: str, which: str, *, data: bool) -> None:
    run = simulated(name, era(which))
    read = read_again(run, data=data)
    own = own_candidate(read)
    assert own is not None

    rules = (*RULES, wording(printed_in(read)))
    both = [own, candidate(era(which))]
    own_of_logs, own_of_run = conform(read, both, range(len(read.partitions)), rules=rules)

    taken = None if (name, which, data) in UNDECIDED else True
    assert own_of_logs.accepted is taken, (own.name, own_of_logs.broken)
    if not is_mixed(run):
        # Else brokers had rules of their own, which only what they state takes.
        assert own_of_run.accepted is taken, own_of_run.broken


REFUSED = (
    ("hw-loss", "0.10.2", ("0.11", "2.0", "2.8")),
    ("hw-loss-ten", "0.10.2", ("0.11", "2.1", "2.8")),
    ("unknown-epoch-loss", "2.0", ("2.8",)),
    ("silent-divergence", "2.0", ("0.11", "1.1")),
)
"""Runs, and eras that would have cut elsewhere, or not at all."""


@pytest.mark.parametrize("data", [False, True], ids=["logs", "logs-and-data"])
@pytest.mark.parametrize(("name", "which", "others"), REFUSED)
def test_logs_of_a_loss_are_refused_at_the_cut_that_another_era_does_not_make(
    name: str, which: str, others: tuple[str, ...], *, data: bool
) -> None:
    """The first cut that took records is the one, by broker and offset, in the run as in its logs."""
    run = simulated(name, era(which))
    decided = [run.event(seq) for seq in range(len(run)) if run.columns["kind"][seq] == NUMBER["truncated"]]
    cuts = [(one.values["replica"], one.values["offset"]) for one in decided]
    read = read_again(run, data=data)

    for found in conform(read, [candidate(era(one)) for one in others], [0], rules=CUTS):
        assert found.broken is not None, found.candidate.name
        at = read.event(found.broken.decision.seq)
        assert (at.kind, at.values["replica"], at.values["offset"]) == ("truncated", *cuts[0])


def test_candidates_are_named_once_each() -> None:
    assert [candidate(one).name for one in ERAS] == list(ERA_IDS)
