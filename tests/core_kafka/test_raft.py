"""The metadata quorum's rules. Cases: LeaderStateTest, KafkaRaftClientTest (3.7), KIP-595, KIP-996."""

from core.kafka.raft import (
    LogEnd,
    backoff_bound_ms,
    check_quorum_ns,
    committed_end,
    cut_to,
    diverging_end,
    fetched_by_majority,
    first_to_ask,
    grants_pre_vote,
    grants_vote,
    is_caught_up,
    is_majority,
    lost_election,
    preferred_successors,
    refusal,
    resigns,
    successor_waits_ms,
)
from core.kafka.switches import VoterChange
from core.trace.vocabulary import VoterRefusal

SECOND = 1_000_000_000


class TestVotes:
    def test_more_than_half(self) -> None:
        assert [is_majority(members, 3) for members in (1, 2, 3)] == [False, True, True]
        assert [is_majority(members, 4) for members in (2, 3)] == [False, True]
        assert is_majority(1, 1)

    def test_the_later_epoch_of_the_last_record_counts_before_the_offset(self) -> None:
        """OffsetAndEpoch.compareTo: epoch first."""
        own = LogEnd(2, 10)
        assert grants_vote(own, candidate=1, candidates_end=LogEnd(3, 5))
        assert grants_vote(own, candidate=1, candidates_end=LogEnd(2, 10))
        assert not grants_vote(own, candidate=1, candidates_end=LogEnd(2, 9))
        assert not grants_vote(own, candidate=1, candidates_end=LogEnd(1, 90))

    def test_one_vote_an_epoch(self) -> None:
        own = end = LogEnd(1, 5)
        assert grants_vote(own, candidate=1, candidates_end=end, voted=1)
        assert not grants_vote(own, candidate=2, candidates_end=end, voted=1)

    def test_no_vote_against_a_known_leader(self) -> None:
        assert not grants_vote(LogEnd(1, 5), candidate=2, candidates_end=LogEnd(1, 9), leader=3)

    def test_lost_when_the_others_are_no_majority(self) -> None:
        assert [lost_election(rejecting, 3) for rejecting in (0, 1, 2)] == [False, False, True]
        assert lost_election(2, 4)


class TestPreVote:
    """PR 17807: a follower grants it while it has not fetched, a leader never."""

    def test_who_has_a_leader_says_no(self) -> None:
        own = end = LogEnd(1, 5)
        assert grants_pre_vote(own, candidates_end=end, leads=False, has_fetched=False)
        assert not grants_pre_vote(own, candidates_end=end, leads=False, has_fetched=True)
        assert not grants_pre_vote(own, candidates_end=end, leads=True, has_fetched=False)

    def test_a_log_that_is_behind_gets_none(self) -> None:
        assert not grants_pre_vote(LogEnd(1, 5), candidates_end=LogEnd(1, 4), leads=False, has_fetched=False)

    def test_before_it_one_stands_at_once(self) -> None:
        assert first_to_ask("none") == "candidate"
        assert first_to_ask("asked") == "prospective"


class TestHighWatermark:
    """LeaderStateTest.testUpdateHighWatermarkQuorumSizeTwo and ..Three."""

    def test_a_majority_holds_it(self) -> None:
        assert committed_end((16, 16, None), 15, None) == 16
        assert committed_end((20, 18, 17), 15, 16) == 18
        assert committed_end((20, 18), 15, 16) == 18

    def test_unknown_until_a_record_of_the_own_epoch_is_replicated(self) -> None:
        """testUpdateHighWatermarkQuorumSizeThree: at the epoch's start itself nothing is committed."""
        assert committed_end((16, 15, 15), 15, None) is None
        assert committed_end((16, None, None), 15, None) is None

    def test_it_never_goes_back(self) -> None:
        assert committed_end((20, 10, 10), 5, 15) == 15

    def test_an_only_voter_commits_at_once(self) -> None:
        assert committed_end((6,), 5, None) == 6


class TestDivergence:
    """KafkaMetadataLogTest: testTruncateToEndOffset, testValidateOffset..."""

    ENTRIES = ((1, 0), (2, 10), (4, 20))

    def test_a_fetch_that_fits(self) -> None:
        assert diverging_end(self.ENTRIES, 30, 20, 2) is None
        assert diverging_end(self.ENTRIES, 30, 30, 4) is None
        assert diverging_end(self.ENTRIES, 30, 0, 0) is None

    def test_beyond_the_end_of_its_epoch(self) -> None:
        assert diverging_end(self.ENTRIES, 30, 25, 2) == LogEnd(2, 20)

    def test_an_epoch_that_the_leader_never_saw(self) -> None:
        assert diverging_end(self.ENTRIES, 30, 25, 3) == LogEnd(2, 20)

    def test_the_follower_cuts_to_where_both_end(self) -> None:
        follower = ((1, 0), (2, 10), (3, 18))
        assert cut_to(follower, 25, LogEnd(2, 20)) == 18
        assert cut_to(((1, 0), (2, 10)), 25, LogEnd(2, 20)) == 20

    def test_and_to_the_end_of_the_epoch_before_where_it_never_had_that_epoch(self) -> None:
        assert cut_to(((1, 0), (3, 18)), 25, LogEnd(2, 20)) == 18

    def test_epoch_zero_has_an_offset_alone(self) -> None:
        assert cut_to(((1, 0),), 25, LogEnd(0, 7)) == 7


class TestCheckQuorum:
    """KAFKA-15489: 1.5 times the fetch timeout, LeaderStateTest.testCheckQuorum."""

    def test_one_and_a_half_fetch_timeouts(self) -> None:
        assert check_quorum_ns(2 * SECOND) == 3 * SECOND

    def test_it_resigns_from_3_7_on(self) -> None:
        assert resigns("resigns", 3, 3 * SECOND, 2 * SECOND)
        assert not resigns("resigns", 3, 3 * SECOND - 1, 2 * SECOND)
        assert not resigns("none", 3, 90 * SECOND, 2 * SECOND)

    def test_an_only_voter_never_does(self) -> None:
        assert not resigns("resigns", 1, 90 * SECOND, 2 * SECOND)

    def test_the_leader_counts_itself(self) -> None:
        """Three voters: one other is enough; five: two."""
        assert [fetched_by_majority(range(many), 3) for many in (0, 1)] == [False, True]
        assert [fetched_by_majority(range(many), 5) for many in (1, 2)] == [False, True]


class TestBackoff:
    def test_the_range_doubles_up_to_a_second(self) -> None:
        assert [backoff_bound_ms(retries) for retries in (1, 2, 3, 4, 30)] == [200, 400, 800, 1001, 1001]

    def test_successors_are_named_by_how_far_their_log_goes(self) -> None:
        assert preferred_successors(((2, 5), (3, 9), (4, None))) == (3, 2, 4)

    def test_the_first_of_them_does_not_wait(self) -> None:
        """strictExponentialElectionBackoffMs: 1000 >> (n - 1), doubled for each place."""
        assert [successor_waits_ms(place, 3) for place in (0, 1, 2)] == [0, 250, 500]


class TestVoters:
    """AddVoterHandler and RemoveVoterHandler at 3.9.0-rc3; the order of what they check."""

    def asked(
        self,
        who: int = 4,
        *,
        adds: bool = True,
        rule: VoterChange = "by-record",
        voters: tuple[int, ...] = (1, 2, 3),
        committed: int | None = 9,
        changed_at: int = 8,
        answers: bool = True,
        caught_up: bool = True,
    ) -> VoterRefusal | None:
        return refusal(
            rule,
            voters,
            who,
            adds=adds,
            committed=committed,
            changed_at=changed_at,
            answers=answers,
            caught_up=caught_up,
        )

    def test_one_that_has_caught_up_is_added_and_a_voter_removed(self) -> None:
        assert self.asked() is None
        assert self.asked(2, adds=False) is None
        assert self.asked(2, adds=False, answers=False, caught_up=False) is None, "nobody asks who is removed"

    def test_to_3_8_the_voters_are_configured(self) -> None:
        assert self.asked(rule="none") == VoterRefusal.UNSUPPORTED

    def test_the_change_of_before_must_lie_below_the_high_watermark(self) -> None:
        for who, adds in ((4, True), (2, False)):
            assert self.asked(who, adds=adds, changed_at=9) == VoterRefusal.PENDING
            assert self.asked(who, adds=adds, committed=None) == VoterRefusal.PENDING

    def test_who_is_what_already(self) -> None:
        assert self.asked(3) == VoterRefusal.ALREADY
        assert self.asked(4, adds=False) == VoterRefusal.NONE_SUCH
        assert self.asked(1, adds=False, voters=(1,)) == VoterRefusal.NONE_SUCH

    def test_one_that_is_added_answers_and_has_caught_up(self) -> None:
        assert self.asked(answers=False, caught_up=False) == VoterRefusal.UNREACHABLE
        assert self.asked(caught_up=False) == VoterRefusal.LAGGING

    def test_it_has_caught_up_with_the_end_of_now_or_of_its_fetch_before(self) -> None:
        """LeaderState.ReplicaState.updateFollowerState."""
        assert is_caught_up(9, 9, None)
        assert is_caught_up(8, 9, 8)
        assert not is_caught_up(8, 9, 9)
        assert not is_caught_up(0, 9, 0)

    def test_a_leader_that_is_no_voter_does_not_count_itself(self) -> None:
        """LeaderState.updateCheckQuorumForFollowingVoter: two of three others."""
        assert fetched_by_majority({2}, 3)
        assert not fetched_by_majority({2}, 3, with_leader=False)
        assert fetched_by_majority({2, 3}, 3, with_leader=False)
