"""Random incidents, written as brokers' logs and read again: nothing false, nothing missed that could be
shown.

`--incidents N` says how many (the figures of docs/fidelity-incidents.md: 2,000), `--incidents-from` the seed
of the first. `make goldens` writes the figures of this run there.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import PartitionVerdict
from core.sim.script_text import Plan
from tests.goldens import updating
from tests.incident_plans import Draw, cluster, wide
from tests.incidents import MEASURES, Judged, could_show, judge_claims, judge_missed, judged, run_of

TABLE = Path(__file__).parents[2] / "docs" / "fidelity-incidents.md"
INTRO = """\
# Random incidents

Made by tests/core_sim_logs/test_incidents.py. Each seed makes an incident: an era, one to five brokers, one
to three partitions, a replication factor, min.insync.replicas, session and lag times, a checkpoint interval,
unclean elections allowed or not; then producers with acks 0, 1 and all, kills, clean stops, lost page caches,
replaced disks, pauses, cut and slow networks, controllers that fail over, late news, preferred elections.
What brokers of that era would have left (`simulate --logs`) is imported, with data directories and without,
and diagnosed.

What the evidence could show of a committed record that is gone: that it *stood* (a broker named a log end
above it while its log held it, or its disk holds it at the end), and that a later leader *had none* (it
printed that it takes over at that offset or below; to 0.10, where leaders print none, a follower was told to
go back to there). As a *committed* one: a broker also named a high watermark above it while it held it.
Partition moves are not among them.
"""


def table(first: int, wanted: int, total: dict[str, Judged]) -> str:
    rows = [f"Seeds {first} to {first + wanted - 1}.\n", f"| measure | {' | '.join(total)} |"]
    rows.append(f"| --- |{' --- |' * len(total)}")
    rows += [
        f"| {name} | {' | '.join(f'{one.counts[name]:,}' for one in total.values())} |"
        for name in next(iter(total.values())).counts
    ]
    rows += [
        f"| **{measure}** | {' | '.join(str(len(one.wrong[measure])) for one in total.values())} |"
        for measure in MEASURES
    ]
    return "\n".join([INTRO, *rows]) + "\n"


@pytest.mark.slow
def test_nothing_false_and_nothing_missed(request: pytest.FixtureRequest) -> None:
    wanted = int(request.config.getoption("--incidents") or 0)
    first = int(request.config.getoption("--incidents-from") or 0)
    total = {"with data directories": Judged(), "logs alone": Judged()}
    bad: list[str] = []
    for seed in range(first, first + wanted):
        run = run_of(seed)
        for name, data in zip(total, (True, False), strict=True):
            found = judged(run, data=data)
            total[name].add(found)
            bad += [f"incident {seed}, {name}: {one}" for one in found.bad[:3]]
    text = table(first, wanted, total)
    print(text)  # noqa: T201 - figures of a long run
    if updating():
        TABLE.write_text(text, encoding="utf-8")

    assert not bad, bad


MENDED = (
    *(27, 110, 120, 183, 372, 374, 390, 398, 406, 422, 490, 495, 508, 530, 547, 604, 617, 619, 633, 646, 792),
    *(822, 842, 949, 992, 1085, 1212, 1230, 1518, 1539, 1551, 1633, 1701, 1752, 1770, 1902),
    *(2018, 2134, 2207, 2281, 2542, 2553, 40142, 40170, 40269, 61067, 61085, 61135),
)
"""Seeds whose logs once led to a false claim or hid a loss."""
WIDE = (2055,)
"""The same in clusters of five brokers."""


@pytest.mark.slow
@pytest.mark.thinned(5)
@pytest.mark.parametrize(
    ("seed", "shape_of"), [*((seed, cluster) for seed in MENDED), *((seed, wide) for seed in WIDE)]
)
def test_what_was_wrong_once_stays_mended(seed: int, shape_of: Callable[[Draw], Plan]) -> None:
    run = run_of(seed, shape_of)

    assert not [*judged(run, data=True).bad, *judged(run, data=False).bad]


def test_the_judge_sees_what_is_missed_and_what_is_false() -> None:
    """Seed 7 loses committed records, as its logs show; where nothing was lost the same claims are false."""
    run = run_of(7)
    truth = diagnose(run).partitions[0]
    nothing = PartitionVerdict(0)

    missed, false = Judged(), Judged()
    judge_missed(missed, run, truth, nothing, data=False)
    judge_claims(false, nothing, truth)

    assert could_show(run, truth, data=False)[0]
    assert missed.wrong["missed loss"]
    assert false.wrong["false loss"]
