"""The metadata quorum: KAFKA-15489, a majority that is lost, a controller that comes back, one that lags.

Times: controller.quorum.fetch.timeout.ms 2000, controller.quorum.election.timeout.ms 1000 to twice that,
broker.session.timeout.ms 9000. What is said of releases stands in LeaderState and KafkaRaftClient at 3.6.2
and 3.7.0, and in apache/kafka PR 18240.
"""

import pytest

from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import Played, play
from core.sim.scenario import parse_scenario
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Event, Trace
from core.trace.vocabulary import QuorumRole
from tests.core_sim.test_clients import events

pytestmark = pytest.mark.broad(6)

KRAFT = tuple(one for one in ERAS if one.switches.controller == "kraft")
ZOOKEEPER = tuple(one for one in ERAS if one not in KRAFT)
WITHOUT = tuple(one for one in KRAFT if one.id in ("3.3", "3.5", "3.6"))
"""Before KAFKA-15489 was mended."""
WITH = tuple(one for one in KRAFT if one not in WITHOUT)
ASKING = tuple(one for one in KRAFT if one.id in ("4.0", "4.1"))
"""With the pre-vote (KIP-996)."""
NOT_ASKING = tuple(one for one in KRAFT if one not in ASKING)
SCENARIOS = ("two-controllers", "quorum-majority-lost", "controller-returns", "lagging-controller")
CHANGED = ("quorum-of-two", "voters-changed", "metadata-snapshot")
"""tests/core_sim/test_sc_voters.py, test_sc_snapshots.py."""
A, B, K, L, M = 1, 2, 3, 4, 5
SECOND = 1_000_000_000
QUORUM = 1
"""The partition of the metadata log in these runs, which have one other."""


def ids(one: Era) -> str:
    return one.id


def lost(played: Played, topic: str = "m") -> list[str]:
    names = [fate.name for fate in played.truth.fates() if fate.lost]
    return [name for name in names if name.startswith(topic)]


def roles(trace: Trace, voter: int, *wanted: QuorumRole) -> list[Event]:
    """When a voter was what, without a leader."""
    changes = [one for one in events(trace, "quorum_role_changed") if one.values["replica"] == voter]
    return [one for one in changes if not wanted or one.values["aux"] in wanted]


def leaders(trace: Trace) -> list[tuple[int, int]]:
    """(epoch, leader) of the quorum, in order."""
    told = [one for one in events(trace, "leader_elected") if one.values["partition"] == QUORUM]
    return [(one.values["epoch"], one.values["leader"]) for one in told]


def until(trace: Trace, kind: str, replica: int) -> int:
    """The first time of an event of a replica, in ns."""
    return next(one.at for one in events(trace, kind) if one.values["replica"] == replica)


@pytest.mark.parametrize("name", [*SCENARIOS, *CHANGED])
@pytest.mark.parametrize("one", ZOOKEEPER, ids=ids)
def test_with_zookeeper_there_is_no_quorum(name: str, one: Era) -> None:
    trace = play(scenario(name), one).trace
    assert [partition.tp.topic for partition in trace.partitions] == ["t"]
    assert {int(broker.broker_id) for broker in trace.brokers} == {A, B}


@pytest.mark.parametrize("name", [*SCENARIOS, *CHANGED])
@pytest.mark.parametrize("one", KRAFT, ids=ids)
def test_what_is_committed_is_never_lost(name: str, one: Era) -> None:
    """KIP-595: an elected leader holds every committed record; the logs agree in the end."""
    for seed in range(1, 6):
        played = play(scenario(name), one, seed=seed)
        assert [partition.tp.topic for partition in played.trace.partitions] == ["t", METADATA_TOPIC]
        assert not [fate for fate in played.truth.fates() if fate.lost and fate.committed is not None]
        epochs = [epoch for epoch, _ in leaders(played.trace)]
        assert epochs == sorted(set(epochs))


@pytest.mark.parametrize("one", WITHOUT, ids=ids)
class TestTwoControllers:
    """KAFKA-15489, to 3.6."""

    def test_two_take_themselves_for_the_controller(self, one: Era) -> None:
        """K is one until it hears of the other's epoch, when the way is whole again in step 6."""
        trace = play(scenario("two-controllers"), one).trace
        assert len(leaders(trace)) == 2
        (resigned,) = [each for each in events(trace, "controller_resigned") if each.values["replica"] == K]
        assert resigned.position == 6

    def test_what_a_acknowledges_is_lost(self, one: Era) -> None:
        played = play(scenario("two-controllers"), one)
        assert lost(played) == ["m1"]
        fenced = [each for each in events(played.trace, "broker_fenced") if each.values["replica"] == A]
        assert [each.position for each in fenced] == [3]

    def test_its_decisions_are_cut(self, one: Era) -> None:
        """K fences B in its own log, which A's broker reads nothing of: it was never committed."""
        trace = play(scenario("two-controllers"), one).trace
        (cut,) = [each for each in events(trace, "truncated") if each.values["replica"] == K]
        assert cut.position == 6
        assert [each.values["replica"] for each in events(trace, "broker_fenced")] == [A]


@pytest.mark.parametrize("one", WITH, ids=ids)
class TestItResigns:
    """KAFKA-15489, from 3.7."""

    def test_after_one_and_a_half_fetch_timeouts(self, one: Era) -> None:
        trace = play(scenario("two-controllers"), one).trace
        assert roles(trace, K)[0].values["aux"] == QuorumRole.RESIGNED
        assert roles(trace, K)[0].at == 3 * SECOND

    def test_so_a_finds_the_new_controller_and_nothing_is_lost(self, one: Era) -> None:
        played = play(scenario("two-controllers"), one)
        assert lost(played) == []
        assert not events(played.trace, "broker_fenced")

    def test_by_the_switch_alone(self, one: Era) -> None:
        without = with_switches(one, {"check-quorum": "none"})
        assert lost(play(scenario("two-controllers"), without)) == ["m1"]


def test_a_step_can_wait_for_a_voter_to_lead() -> None:
    """Here for K to lead again; in an era without a quorum it waits for nothing."""
    text = scenario("quorum-majority-lost").text.replace("A has high watermark 3", "K leads the quorum")
    waiting = parse_scenario(text)
    trace = play(waiting, era("3.7")).trace
    assert not events(trace, "condition_not_met")
    assert events(trace, "controller_elected")[-1].seq == len(trace) - 1
    assert not events(play(waiting, era("2.8")).trace, "condition_not_met")


class TestMajorityLost:
    @pytest.mark.parametrize("one", KRAFT, ids=ids)
    def test_no_decision_while_k_is_alone(self, one: Era) -> None:
        """B is dead for 20 s and not fenced; m1 is not acknowledged, m2 (acks=1) is."""
        trace = play(scenario("quorum-majority-lost"), one).trace
        for step in (4, 5, 6):
            assert not events(trace, "broker_fenced", step=step)
            assert not events(trace, "isr_committed", step=step)
        assert not events(trace, "acknowledged", step=5)
        assert len(events(trace, "acknowledged", step=6)) == 1

    @pytest.mark.parametrize("one", WITHOUT, ids=ids)
    def test_to_3_6_k_goes_on_as_soon_as_l_is_back(self, one: Era) -> None:
        """It had decided to fence B: that is committed with the first fetch of L."""
        trace = play(scenario("quorum-majority-lost"), one).trace
        assert leaders(trace) == [(1, K)]
        begun = events(trace, "step")[6].at
        assert until(trace, "broker_fenced", B) - begun < SECOND // 10

    @pytest.mark.parametrize("one", WITH, ids=ids)
    def test_from_3_7_on_sessions_begin_anew(self, one: Era) -> None:
        trace = play(scenario("quorum-majority-lost"), one).trace
        active = events(trace, "controller_elected")[-1].at
        assert 9 * SECOND <= until(trace, "broker_fenced", B) - active < 9 * SECOND + SECOND // 10


class TestReturns:
    @pytest.mark.parametrize("one", NOT_ASKING, ids=ids)
    def test_its_epoch_puts_the_leader_out_of_office(self, one: Era) -> None:
        """Each election of M fails and raises the epoch. Cut off for 20 s it stands at least six times."""
        trace = play(scenario("controller-returns"), one).trace
        stood = [each.values["epoch"] for each in roles(trace, M, QuorumRole.CANDIDATE) if each.position < 5]
        assert stood == list(range(2, len(stood) + 2))
        assert len(stood) >= 6
        resigned = events(trace, "controller_resigned")
        assert next((each.position, each.values["replica"]) for each in resigned) == (5, K)
        assert leaders(trace)[-1][0] > stood[-1]

    @pytest.mark.parametrize("one", ASKING, ids=ids)
    def test_with_the_pre_vote_nothing_happens(self, one: Era) -> None:
        """K and L have a leader, and say that they would not vote for M (2: refused, of a pre-vote)."""
        trace = play(scenario("controller-returns"), one).trace
        assert leaders(trace) == [(1, K)]
        assert not roles(trace, M, QuorumRole.CANDIDATE)
        assert {each.values["aux"] for each in events(trace, "vote_answered")} <= {2}

    @pytest.mark.parametrize("one", ASKING, ids=ids)
    def test_by_the_switch_alone(self, one: Era) -> None:
        without = with_switches(one, {"pre-vote": "none"})
        assert len(leaders(play(scenario("controller-returns"), without).trace)) > 1

    def test_b_is_fenced_later_where_sessions_begin_anew(self) -> None:
        """B's session is over 9 s after its last heartbeat, or 9 s after another controller began."""
        anew, kept = (play(scenario("controller-returns"), era(name)).trace for name in ("3.7", "4.0"))
        assert until(kept, "broker_fenced", B) < until(anew, "broker_fenced", B)
        began = events(anew, "controller_elected")[-1].at
        assert until(anew, "broker_fenced", B) - began >= 9 * SECOND


class TestLags:
    @pytest.mark.parametrize("seed", range(1, 9))
    @pytest.mark.parametrize("one", KRAFT, ids=ids)
    def test_whoever_lacks_a_decision_is_never_elected(self, one: Era, seed: int) -> None:
        trace = play(scenario("lagging-controller"), one, seed=seed).trace
        assert {leader for _, leader in leaders(trace)} == {K, L}

    @pytest.mark.parametrize("one", KRAFT, ids=ids)
    def test_a_decision_of_before_holds(self, one: Era) -> None:
        """B was taken out of the in-sync set by K; under L the record needs A alone."""
        trace = play(scenario("lagging-controller"), one).trace
        assert len(events(trace, "isr_committed")) == 1
        assert not events(trace, "condition_not_met")

    @pytest.mark.parametrize("one", KRAFT, ids=ids)
    def test_the_new_leader_commits_with_a_record_of_its_own(self, one: Era) -> None:
        """LeaderState: L's high watermark passes the old records only with those of its epoch."""
        trace = play(scenario("lagging-controller"), one).trace
        began = next(
            each
            for each in events(trace, "became_leader")
            if each.values["partition"] == QUORUM and each.values["replica"] == L
        )
        moved = [
            each.values["hw"]
            for each in events(trace, "hw_moved")
            if each.values["partition"] == QUORUM and each.values["replica"] == L and each.seq > began.seq
        ]
        assert moved[0] == began.values["leo"] + 1
