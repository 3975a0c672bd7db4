"""Where a replica cuts. Cases: the domain's rows, the KIPs, and what recorded clusters did."""

import pytest

from core.kafka.epochs import NO_END, Entries, EpochEnd, end_of_epoch
from core.kafka.truncation import (
    Ask,
    Cut,
    Keep,
    Next,
    diverges,
    follows_anew,
    on_diverging_answer,
    on_epoch_answer,
    on_following,
    on_out_of_range,
)
from core.trace.vocabulary import CutReason

HW = CutReason.LOCAL_HIGH_WATERMARK
EPOCH = CutReason.LEADER_EPOCH
ONE: Entries = ((0, 0),)


class TestBeginningToFollow:
    def test_to_0_10_it_cuts_to_its_own_high_watermark(self) -> None:
        assert on_following("high-watermark", "offset", (), 2, 1) == Cut(1, HW, needed=True)
        assert on_following("high-watermark", "offset", (), 2, 2) == Cut(2, HW, needed=False)

    def test_0_10_may_hold_a_high_watermark_above_its_log_end(self) -> None:
        assert on_following("high-watermark", "offset", (), 206, 254) == Cut(254, HW, needed=False)

    def test_0_11_asks_for_the_end_of_its_latest_epoch(self) -> None:
        assert on_following("epoch-request", "offset", ((0, 0), (3, 7)), 9, 1) == Ask(3)

    def test_without_an_epoch_0_11_asks_for_minus_1_and_2_1_cuts_to_its_high_watermark(self) -> None:
        assert on_following("epoch-request", "offset", (), 5, 3) == Ask(-1)
        assert on_following("epoch-request", "epoch-and-offset", (), 5, 3) == Cut(3, HW, needed=True)

    def test_2_8_fetches_at_once_if_it_knows_an_epoch(self) -> None:
        assert on_following("fetch-divergence", "epoch-and-offset", ONE, 2, 1) == Keep()
        assert on_following("fetch-divergence", "epoch-and-offset", (), 2, 1) == Cut(1, HW, needed=True)


class TestTheSameLeaderInANewEpoch:
    def test_to_2_0_0_a_follower_goes_on(self) -> None:
        assert not follows_anew("keep", 1, 2)
        assert not follows_anew("keep", 1, 7)

    def test_in_2_0_1_it_begins_anew_if_it_missed_an_epoch(self) -> None:
        assert not follows_anew("follow-after-gap", 1, 2)
        assert follows_anew("follow-after-gap", 1, 3)

    def test_from_2_1_at_every_change(self) -> None:
        assert follows_anew("follow-anew", 1, 2)
        assert not follows_anew("follow-anew", 2, 2)


def test_asking_for_the_log_end_keeps_all_and_leaves_the_cut_to_the_fetch() -> None:
    assert on_following("leader-end", "offset", ONE, 2, 1) == Keep()


class TestEpochAnswer:
    def test_kip_101_an_answer_at_or_above_the_log_end_cuts_nothing(self) -> None:
        answer = on_epoch_answer(EpochEnd(0, 2), ONE, 2, 1, answer="offset", below="undefined")
        assert answer == Cut(2, EPOCH, needed=False)
        answer = on_epoch_answer(EpochEnd(0, 93), ONE, 73, 70, answer="offset", below="undefined")
        assert (answer.offset, answer.needed) == (93, False)

    def test_hw_divergence_ten_epoch_1_ended_at_8(self) -> None:
        leader: Entries = ((1, 0), (2, 8))
        end = end_of_epoch(leader, 9, 1, "undefined")
        assert end.offset == 8
        answer = on_epoch_answer(end, ((1, 0),), 10, 7, answer="offset", below="undefined")
        assert answer == Cut(8, EPOCH, needed=True)

    @pytest.mark.parametrize("answer", ["offset", "epoch-and-offset"])
    def test_an_undefined_answer_cuts_to_the_high_watermark_in_every_era(self, answer: str) -> None:
        cut = on_epoch_answer(NO_END, ONE, 5, 3, answer=answer, below="lowest-start")  # pyright: ignore[reportArgumentType]
        assert cut == Cut(3, HW, needed=True)

    def test_kip_279_as_recorded_1_1_cuts_to_30_and_2_8_to_20(self) -> None:
        leader: Entries = ((0, 0), (3, 30))
        follower: Entries = ((0, 0), (1, 20))
        end = end_of_epoch(leader, 40, 1, "lowest-start")
        old = on_epoch_answer(end, follower, 36, 36, answer="offset", below="lowest-start")
        new = on_epoch_answer(end, follower, 36, 36, answer="epoch-and-offset", below="lowest-start")
        assert (old.offset, old.needed) == (30, True)
        assert (new.offset, new.needed, new.then) == (20, True, Next.FETCH)

    def test_kip_279_an_epoch_unknown_to_the_follower_is_asked_for_again(self) -> None:
        follower: Entries = ((0, 0), (2, 10), (4, 20))
        cut = on_epoch_answer(
            EpochEnd(3, 15), follower, 25, 12, answer="epoch-and-offset", below="lowest-start"
        )
        assert cut == Cut(20, EPOCH, needed=True, then=Next.ASK)

    def test_nothing_is_ever_cut_above_the_log_end(self) -> None:
        cut = on_epoch_answer(EpochEnd(0, 50), ONE, 7, 7, answer="epoch-and-offset", below="lowest-start")
        assert cut == Cut(7, EPOCH, needed=False)


class TestFetchDivergence:
    @pytest.mark.parametrize(
        ("end", "last_epoch", "offset", "expected"),
        [
            pytest.param(EpochEnd(0, 2), 0, 2, False, id="hw-loss: both end epoch 0 at 2"),
            pytest.param(EpochEnd(0, 2), 0, 3, True, id="hw-divergence: A has m3 beyond the end"),
            pytest.param(EpochEnd(0, 2), 1, 3, True, id="hw-divergence: epoch 1 is not known to A"),
            pytest.param(EpochEnd(0, 9), 1, 3, True, id="an older epoch, even if it is long"),
            pytest.param(EpochEnd(1, 9), 1, 3, False, id="behind, and the same history"),
        ],
    )
    def test_when_logs_diverge(self, end: EpochEnd, last_epoch: int, offset: int, *, expected: bool) -> None:
        assert diverges(end, last_epoch, offset) is expected

    def test_the_follower_cuts_to_the_end_of_the_common_epoch(self) -> None:
        cut = on_diverging_answer(EpochEnd(0, 2), ((0, 0), (1, 2)), 3, "lowest-start")
        assert cut == Cut(2, CutReason.DIVERGING_EPOCH, needed=True)
        cut = on_diverging_answer(EpochEnd(0, 2), ONE, 3, "lowest-start")
        assert cut == Cut(2, CutReason.DIVERGING_EPOCH, needed=True)


class TestOutOfRange:
    def test_a_fetch_beyond_the_leader_is_cut_to_its_log_end(self) -> None:
        end = CutReason.LEADER_END
        assert on_out_of_range("cut-if-unclean", 1, 2, unclean_allowed=True) == Cut(1, end, needed=True)
        assert on_out_of_range("cut", 1, 2, unclean_allowed=False) == Cut(1, end, needed=True)

    def test_to_2_0_0_the_broker_exits_if_unclean_elections_are_not_allowed(self) -> None:
        assert on_out_of_range("cut-if-unclean", 139, 169, unclean_allowed=False) is None

    def test_a_leader_that_has_grown_meanwhile_cuts_nothing(self) -> None:
        cut = on_out_of_range("cut-if-unclean", 5, 5, unclean_allowed=False)
        assert cut == Cut(5, CutReason.LEADER_END, needed=False)
