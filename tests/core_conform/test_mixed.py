"""Brokers with protocols of their own: each decision is held against what its broker ran by at that time."""

import pytest

from core.conform.judge import conform
from core.conform.own import Candidate, candidate, own_candidate
from core.conform.table import RULES
from core.diagnose.verdict.case import case_of
from core.history.open import open_partition
from core.history.running import releases_of
from core.history.view import read_view
from core.kafka.eras import era
from core.trace.trace import Trace
from tests.runs import simulated
from tests.trips import read_again

OLD_2_8 = "+".join(
    (
        *("2.8", "truncation=high-watermark", "epoch-answer=offset", "epoch-entry=none", "fencing=none"),
        *("log-start=own", "isr-change=zookeeper"),
    )
)
A, B = 1, 2


def own_of(trace: Trace) -> Candidate:
    found = own_candidate(trace)
    assert found is not None
    return found


@pytest.mark.parametrize("logs", [False, True], ids=["run", "logs"])
def test_what_raised_its_protocol_is_held_against_both_each_in_its_time(*, logs: bool) -> None:
    run = simulated("protocol-raised", era("2.8"))
    trace = read_again(run, data=True) if logs else run

    own = own_of(trace)
    assert [one.name for one in own.eras] == [OLD_2_8, "2.8"]
    (mine, plain) = conform(trace, [own, candidate(era("2.8"))], [0])
    assert mine.accepted is True, mine.broken
    if not logs:
        # B cut to its high watermark, which 2.8 with its own protocol does not. Logs leave the epochs open.
        assert plain.accepted is False


@pytest.mark.parametrize("other", ["2.4", "2.8"])
def test_the_order_matters(other: str) -> None:
    """The same rules the other way round refuse the run: it is not that any of them may have decided."""
    run = simulated("protocol-raised", era(other))
    own = own_of(run)
    turned = {
        broker: tuple((at, rules) for (at, _), (_, rules) in zip(lives, reversed(lives), strict=True))
        for broker, lives in own.by_broker.items()
    }

    (found,) = conform(run, [Candidate("turned", own.eras, turned)], [0])
    assert found.accepted is False


def test_while_nobody_says_what_a_broker_ran_by_any_of_its_rules_may_decide() -> None:
    old, new = era("0.10.2"), era("2.8")
    own = Candidate("x", (old, new), {A: ((0, old), (10, None), (20, new))})

    assert own.eras_of(A, 5) == (old,)
    assert own.eras_of(A, -5) == (old,)
    assert own.eras_of(A, 15) == (old, new)
    assert own.eras_of(A, 20) == (new,)
    assert own.eras_of(B, 5) == own.eras_of(None, 5) == (old, new)


def test_a_question_for_an_epoch_is_its_follower_s_whoever_answers_it() -> None:
    run = simulated("protocol-raised", era("2.0"))
    rule = next(one for one in RULES if one.id == "truncation.asked")
    asked = list(rule.decisions(case_of(open_partition(read_view(run, 0)))))
    assert {run.event(one.seq).kind for one in asked} == {"epoch_end_asked", "epoch_end_answered"}
    for one in asked:
        assert one.broker == run.event(one.seq).values["replica"]


@pytest.mark.parametrize("logs", [False, True], ids=["run", "logs"])
@pytest.mark.parametrize(
    ("name", "other", "releases"),
    [
        ("upgrade-unknown-epoch", "2.4", {A: ["2.0.0", "2.4.1"], B: ["2.4.1"]}),
        ("upgrade-min-isr", "3.7", {A: ["3.6.2", "3.7.2"], B: ["3.6.2", "3.7.2"]}),
    ],
)
def test_each_decision_is_held_against_the_release_of_its_broker(
    name: str, other: str, releases: dict[int, list[str]], *, logs: bool
) -> None:
    run = simulated(name, era(other))
    trace = read_again(run, data=True) if logs else run

    found = {broker: list(releases_of(trace, brokers=(broker,))) for broker in releases}
    assert found == releases
    place = trace.partition_index("t-0")
    assert place is not None
    (mine, plain) = conform(trace, [own_of(trace), candidate(era(other))], [place])
    assert mine.accepted is True, mine.broken
    if not logs:
        assert plain.accepted is False, "the newer release alone did not make this"
