"""Pairs of a run and an era that no rule refuses although the era's own run of the script differs.

What the search makes of each is counted. Of 8,778 pairs that differ in 69 scenarios no rule refuses 746; all
of these are asked with `--every-case`.
"""

from collections import Counter

import pytest

from core.conform.judge import conform
from core.conform.own import candidate
from core.history.running import is_mixed
from core.kafka.eras import ERAS, Era, era
from core.schedule.search import Search, search
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import Trace
from tests.core_conform.test_simulated import first_difference
from tests.core_schedule.test_search import without_reads
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)

CLASSES = ("setting", "times", "facts", "impossible", "open")
"""The era has a run with the same events: with another setting; at other times. It has none: but one with the
same facts; and none was found with these either. Not decided."""
COUNTED = {
    "acks": (5, 0, 3, 10, 1),
    "acks-min-1": (9, 1, 1, 0, 0),
    "acks-timeout": (5, 1, 13, 0, 0),
    "batch-truncation": (0, 0, 1, 0, 1),
    "consumer-out-of-range": (4, 0, 0, 1, 1),
    "controller-fails-too": (0, 0, 0, 1, 1),
    "controller-returns": (4, 0, 2, 0, 9),
    "deleted-records": (2, 0, 2, 2, 0),
    "disk-replaced": (6, 0, 0, 0, 9),
    "diverged-below-start": (2, 0, 2, 2, 0),
    "elections": (6, 0, 2, 0, 0),
    "fetch-min-bytes": (5, 1, 13, 0, 0),
    "fetch-purgatory": (4, 0, 15, 0, 0),
    "follower-read": (4, 0, 3, 0, 0),
    "follower-restarts": (0, 0, 1, 0, 1),
    "follower-stopped": (0, 0, 1, 0, 1),
    "format-raised": (0, 0, 0, 10, 0),
    "hanging-transaction": (17, 0, 22, 11, 1),
    "hw-divergence": (0, 0, 0, 22, 0),
    "hw-divergence-ten": (0, 0, 0, 10, 0),
    "hw-is-min": (5, 0, 12, 0, 0),
    "hw-loss": (4, 0, 0, 1, 1),
    "hw-loss-ten": (4, 0, 1, 1, 0),
    "hw-never-back": (5, 0, 12, 0, 0),
    "idempotent-producer": (0, 0, 1, 0, 1),
    "isr-shrink": (3, 0, 2, 0, 0),
    "kafka-3919": (4, 0, 2, 0, 0),
    "lagging-controller": (5, 1, 1, 0, 8),
    "leader-dies-hw7": (0, 0, 0, 2, 0),
    "leader-dies-hw7-c": (0, 0, 0, 10, 0),
    "leader-failover-consistent": (0, 0, 0, 12, 0),
    "lost-tail": (6, 0, 0, 0, 0),
    "metadata-snapshot": (0, 0, 1, 0, 17),
    "min-isr-lowered": (4, 0, 1, 0, 1),
    "moved-directory": (0, 0, 2, 1, 1),
    "one-fetch": (5, 0, 12, 0, 0),
    "open-transaction": (9, 0, 10, 3, 1),
    "out-of-range": (5, 0, 8, 1, 0),
    "overview": (0, 0, 0, 2, 0),
    "protocol-raised": (4, 0, 0, 0, 0),
    "quorum-majority-lost": (4, 3, 2, 0, 8),
    "reassignment": (0, 0, 2, 0, 0),
    "recovering-leader": (3, 0, 4, 4, 3),
    "retry-duplicate": (5, 0, 0, 0, 0),
    "s1": (0, 0, 1, 0, 1),
    "s10": (6, 0, 1, 0, 1),
    "s2": (0, 0, 1, 0, 1),
    "s7": (4, 0, 0, 0, 0),
    "s8": (3, 2, 2, 0, 0),
    "s9": (3, 0, 2, 2, 0),
    "silent-divergence": (0, 0, 1, 0, 1),
    "stale-epoch-file": (0, 0, 1, 6, 1),
    "stale-hw-isr": (4, 0, 1, 0, 1),
    "stale-leader-truncation": (4, 0, 0, 0, 0),
    "three-broker-loss": (0, 0, 0, 16, 0),
    "three-replica-sync": (4, 0, 6, 9, 0),
    "tiered-forgotten": (5, 0, 1, 4, 0),
    "tiered-new-disk": (1, 0, 0, 2, 0),
    "tiered-overlap": (0, 0, 0, 10, 0),
    "tiered-stale-start": (0, 0, 2, 6, 0),
    "two-controllers": (4, 2, 2, 23, 23),
    "two-replica-sync": (5, 1, 13, 0, 0),
    "unknown-epoch-loss": (2, 0, 2, 11, 1),
    "upgrade-unknown-epoch": (0, 0, 0, 10, 0),
    "visibility": (5, 1, 13, 0, 0),
    "visibility-13": (5, 1, 13, 0, 0),
    "zombie-leader": (0, 0, 1, 10, 1),
}
"""How many pairs of each scenario come to each class; scenarios without a pair are left out."""
SLOWER = ("2.4", "2.1")
"""2.4 answers a fetch as soon as the high watermark rises (KIP-392); 2.1 comes to the same 500 ms later, and
what it makes then is not decided."""
NOTHING_COMES = (
    *("disk-replaced", "moved-directory", "recovering-leader"),
    *(
        "controller-returns",
        "lagging-controller",
        "metadata-snapshot",
        "quorum-majority-lost",
        "two-controllers",
    ),
)
"""In the last five voters of the metadata quorum draw the time at which they seek to lead: their luck is not
searched, and a vote that another era does not ask for never comes."""


def accepted(name: str) -> list[tuple[Era, Era, Trace, int]]:
    """Era of the run, other era, run, and the first event in which their runs differ."""
    runs = [simulated(name, one) for one in ERAS]
    every = [candidate(one) for one in ERAS]
    found: list[tuple[Era, Era, Trace, int]] = []
    for own, run in zip(ERAS, runs, strict=True):
        if is_mixed(run):
            # Each broker had rules of its own: no era is that of all.
            continue
        judged = conform(run, every, range(len(run.partitions)))
        for other, held, theirs in zip(ERAS, judged, runs, strict=True):
            differs = first_difference(run, theirs)
            if is_mixed(theirs):
                continue
            if held.accepted is not False and differs is not None:
                found.append((own, other, run, differs))
    return found


def class_of(found: Search) -> str:
    if found.outcome == "found":
        return "setting" if found.era.overrides else "times"
    return "open" if found.outcome == "open" else "impossible" if found.alike is None else "facts"


@pytest.mark.thinned(11)
@pytest.mark.parametrize("name", scenario_ids())
def test_each_pair_that_no_rule_refuses_comes_to_a_class(name: str) -> None:
    counted: Counter[str] = Counter()
    for own, other, run, differs in accepted(name):
        found = search(run, other)
        kind = class_of(found)
        counted[kind] += 1
        if kind == "setting" and found.in_time and not found.waits:
            assert without_reads(simulate(scenario(name), found.era)) == without_reads(run), found.era.name
        if found.outcome == "impossible":
            # Up to there the other era's own run is the same: it has made all of it.
            assert found.seq is not None
            assert found.seq >= differs, (own.id, other.id)
        if kind == "open":
            assert (own.id, other.id) == SLOWER or name in NOTHING_COMES, (own.id, other.id)

    assert tuple(counted[one] for one in CLASSES) == COUNTED.get(name, (0,) * len(CLASSES))


def test_the_counts_are_those_of_the_readme() -> None:
    sums = [sum(row[place] for row in COUNTED.values()) for place in range(len(CLASSES))]

    assert sums == [203, 14, 217, 215, 97]
    assert sum(sums) == 746


@pytest.mark.parametrize("name", ["one-fetch", "elections"])
def test_no_rule_refuses_an_era_with_the_setting_that_was_found(name: str) -> None:
    run = simulated(name, era("4.0"))
    found = search(run, era("4.1"))

    assert class_of(found) in ("setting", "times")
    (again,) = conform(run, [candidate(found.era)], range(len(run.partitions)))
    assert again.accepted is True
