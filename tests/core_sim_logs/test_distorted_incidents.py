"""Random incidents whose logs were distorted on their way: whatever is missed, nothing false is said.

`--incidents N` says how many, `--incidents-from` the seed of the first; `make referee` reads 2,000. The seed
also chooses the distortion, of all kinds in tests/recordings/distortions.py, and whether there are data
directories.
"""

from random import Random

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import LossClass
from core.errors import SourceError
from core.trace.trace import Trace
from tests.incidents import Judged, judge_claims, run_of
from tests.recordings.distortions import distort_by, kinds
from tests.trips import read_again

pytestmark = pytest.mark.broad(4)

KINDS = tuple(kinds())
SAYS_NOTHING = {"times without date"}
"""Logs of this kind are refused without a date, unless a data directory has one."""
NEVER = (
    "false loss",
    "loss stronger than the truth",
    "truncation invented",
    "truncation from too far",
    "false divergence",
    "false leader",
)


def distorted(run: Trace, seed: int) -> tuple[str, Trace | None]:
    """What was done to the logs of a run, and what is imported of them; None where nothing can be."""
    luck = Random(seed)  # noqa: S311 - the same in every run
    kind, data = luck.choice(KINDS), luck.random() < 0.5
    name = f"{kind}, with data" if data else f"{kind}, logs alone"
    try:
        return name, read_again(run, data=data, on_the_way=lambda folder: distort_by(folder, kind, luck))
    except SourceError:
        assert kind in SAYS_NOTHING
        return name, None


def false_claims(run: Trace, read: Trace) -> list[str]:
    """What the verdict on a trace says that the run denies, a sentence each."""
    true, found = diagnose(run), diagnose(read)
    result = Judged()
    for index, partition in enumerate(run.partitions):
        here = read.partition_index(str(partition.tp))
        if here is not None:
            judge_claims(result, true.partitions[index], found.partitions[here])
    return [f"{measure}: {one}" for measure in NEVER for one in result.wrong[measure]]


def test_a_restart_within_milliseconds_and_lines_by_arrival_are_no_cut() -> None:
    """Broker 1 stops and starts within 4 ms: no step back is long, and many are. It kept its 5 records."""
    run = run_of(63)
    name, read = distorted(run, 63)
    assert name == "mixed, as objects, with data"
    assert read is not None

    assert false_claims(run, read) == []
    assert [cut for one in diagnose(read).partitions for cut in one.truncations] == []


@pytest.mark.parametrize("seed", [414, 504, 542, 1215, 1226, 1284, 1953])
def test_a_log_that_came_back_shorter_is_told_once(seed: int) -> None:
    """Its lines stand in another order within a millisecond, or the line of the next start is missing."""
    run = run_of(seed)
    _, read = distorted(run, seed)
    assert read is not None

    assert false_claims(run, read) == []
    true, found = (
        [cut for one in diagnose(trace).partitions for cut in one.truncations if cut.rule == "recovery"]
        for trace in (run, read)
    )
    assert 1 <= len(found) <= len(true)


@pytest.mark.parametrize("seed", [2068, 2801, 2990, 3403, 3735, 4739])
def test_nothing_is_called_cut_or_lost_for_what_lines_do_not_order(seed: int) -> None:
    """Clocks are apart, lines missing or in the order of arrival: nothing is concluded from their order."""
    run = run_of(seed)
    _, read = distorted(run, seed)
    assert read is not None

    assert false_claims(run, read) == []


def test_a_reset_that_arrives_behind_its_cut_is_no_second_cut() -> None:
    """Broker 2 was refused at 10 and cut to 8, both in one millisecond: its lines arrived the other way."""
    run = run_of(7322)
    name, read = distorted(run, 7322)
    assert name == "mixed, by pod, logs alone"
    assert read is not None

    assert false_claims(run, read) == []
    cuts = [cut for one in diagnose(read).partitions for cut in one.truncations]
    assert [(cut.broker, cut.from_offset, cut.to_offset, cut.rule) for cut in cuts] == [
        (2, 10, 8, "leader-end")
    ]


def test_few_lines_in_no_order_show_no_second_life() -> None:
    """Nineteen lines go back four times, once by more than all others: no clock was set, nothing was cut."""
    run = run_of(7123)
    name, read = distorted(run, 7123)
    assert name == "shuffled, with data"
    assert read is not None

    assert false_claims(run, read) == []
    assert [one.truncations for one in diagnose(read).partitions] == [(), ()]


def test_what_a_leader_remembers_of_a_follower_is_of_its_life_before() -> None:
    """Broker 2 crashed with 1 record, came back with none, and crashed again before it fetched any."""
    run = run_of(6188)
    name, read = distorted(run, 6188)
    assert name == "lines twice, with data"
    assert read is not None

    assert false_claims(run, read) == []
    cuts = [cut for one in diagnose(read).partitions for cut in one.truncations]
    assert [(cut.broker, cut.to_offset) for cut in cuts] == [(2, 0)]


def test_a_role_in_an_earlier_epoch_below_a_later_one_shows_the_order_of_arrival() -> None:
    """Two elections in 56 ms, and few steps back that show that lines came late: nothing was lost."""
    run = run_of(6234)
    name, read = distorted(run, 6234)
    assert name == "mixed, by pod, logs alone"
    assert read is not None

    assert false_claims(run, read) == []
    assert [one.losses for one in diagnose(read).partitions] == [()]


def test_what_was_committed_before_a_leader_came_back_without_it_was_committed() -> None:
    """Broker 2 led on in epoch 0 without its records; all three had them before, with high watermark 2."""
    run = run_of(41)
    (loss,) = diagnose(run).partitions[1].losses

    assert (loss.first_offset, loss.end_offset) == (0, 2)
    assert loss.loss_class is LossClass.COMMITTED
    name, read = distorted(run, 41)
    assert name == "rotated twice, with data"
    assert read is not None
    assert false_claims(run, read) == []


def test_a_clock_that_was_set_in_a_pause_is_found_by_how_a_controller_let_brokers_in() -> None:
    """3.7, logs alone: broker 2 is 5 s behind after a pause, and no message goes back and forth."""
    run = run_of(995)
    name, read = distorted(run, 995)
    assert name == "set back by 5 s, logs alone"
    assert read is not None

    assert false_claims(run, read) == []
    assert diagnose(read).partitions[0].losses == ()


@pytest.mark.slow
def test_whatever_happened_to_the_logs_nothing_false_is_said(request: pytest.FixtureRequest) -> None:
    wanted = int(request.config.getoption("--incidents") or 0)
    first = int(request.config.getoption("--incidents-from") or 0)
    bad: list[str] = []
    for seed in range(first, first + wanted):
        run = run_of(seed)
        name, read = distorted(run, seed)
        if read is not None:
            bad += [f"incident {seed}, {name}: {one}" for one in false_claims(run, read)[:3]]

    assert not bad, "\n".join(bad)
