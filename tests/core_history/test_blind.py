"""Where the log of a broker is missing nothing of what it says elsewhere is carried on."""

from core.history.gaps_by_others import gap_spans
from core.history.open import read_again
from core.history.positions import instant_after
from core.history.state import Role
from core.history.view import read_view
from core.trace.ids import Place
from core.trace.vocabulary import Basis
from tests.stories import SECOND, Story


def followed() -> Story:
    """Broker 2 follows; then its server.log is missing, while its log of state changes goes on."""
    story = Story("4.3.1", replicas=(1, 2))
    for broker in (1, 2):
        story.process("broker_starting", broker)
        story.add("log_created", broker)
    story.add("fetcher_removed", 2)
    story.add("became_follower", 2, leader=1, epoch=0, wait=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0, wait=0)
    story.add("leo_sample", 2, leo=10)
    return story


def test_a_new_role_without_a_change_of_fetchers_shows_a_hole() -> None:
    story = followed()
    story.add("metadata_applied", 2, leader=1, epoch=0)
    unseen = story.add("became_follower", 2, leader=1, epoch=1)
    story.add("leo_sample", 2, leo=30)
    history = story.history()

    assert history.at(unseen).replica(2).leo.lo == history.at(unseen).replica(2).leo.hi is None
    assert history.at(unseen + 1).replica(2).role is Role.FOLLOWER
    assert history.at(unseen).replica(2).role is Role.UNKNOWN
    assert history.at(len(history.trace.columns["at"])).replica(2).leo.lo == 30


def test_a_broker_that_came_back_without_a_word_is_not_seen_any_more() -> None:
    story = followed()
    story.process("broker_registered", 1, about=2)
    back = story.add("leo_sample", 1, leo=40)
    story.add("log_end_on_disk", None, about=2, leo=20)
    history = story.history()

    assert history.at(back).replica(2).leo.hi is None


def test_an_epoch_of_which_a_live_broker_has_no_word_shows_that_its_log_ends_before() -> None:
    story = followed()
    story.add("leader_elected", 1, leader=1, epoch=1)
    later = story.add("leo_sample", 1, leo=40)
    story.add("log_end_on_disk", None, about=2, leo=20)

    assert story.history().at(later).replica(2).leo.hi is None


def test_a_broker_that_is_down_says_nothing_of_a_new_epoch_and_keeps_its_log() -> None:
    story = followed()
    story.process("broker_fenced", 1, about=2)
    story.add("leader_elected", 1, leader=1, epoch=1)
    later = story.add("leo_sample", 1, leo=40)
    story.add("log_end_on_disk", None, about=2, leo=20)

    assert story.history().at(later).replica(2).leo.hi == 20


def test_to_2_0_a_follower_that_keeps_its_leader_keeps_its_fetcher() -> None:
    """Partition.makeFollower: "indicate that no follower changes are required"."""

    def seen(release: str, leader: int) -> int | None:
        story = Story(release, replicas=(1, 2))
        story.process("broker_starting", 2)
        story.add("log_created", 2)
        story.add("fetcher_removed", 2)
        story.add("became_follower", 2, leader=1, epoch=0, wait=0)
        story.add("fetcher_added", 2, leader=1, offset=0, wait=0)
        later = story.add("leo_sample", 2, leo=10)
        story.add("became_follower", 2, leader=leader, epoch=1)
        return story.history().at(later + 1).replica(2).leo.lo

    assert seen("1.1.1", leader=1) == 10
    assert seen("1.1.1", leader=3) is None
    assert seen("2.1.1", leader=1) is None


def test_a_follower_that_is_told_of_no_leader_keeps_its_fetcher() -> None:
    """It "cannot become follower since the new leader -1 is unavailable".

    No fetcher is removed, as recorded with 1.1 (k111-kip279-divergence) and 2.8 (k28-unclean-loss).
    """

    def seen(release: str, leader: int) -> int | None:
        story = Story(release, replicas=(1, 2))
        story.process("broker_starting", 2)
        story.add("log_created", 2)
        story.add("fetcher_removed", 2)
        story.add("became_follower", 2, leader=1, epoch=0, wait=0)
        story.add("fetcher_added", 2, leader=1, offset=0, wait=0)
        later = story.add("leo_sample", 2, leo=10)
        story.add("leader_and_isr_received", 2, leader=leader, epoch=1)
        story.add("became_follower", 2, wait=0)
        return story.history().at(later + 1).replica(2).leo.lo

    assert seen("2.1.1", leader=-1) == 10
    assert seen("1.1.1", leader=-1) == 10
    assert seen("2.1.1", leader=3) is None


def test_a_registration_between_two_words_that_tell_nothing_of_it_shows_a_hole() -> None:
    story = followed()
    story.process("broker_started", 2)
    unseen = story.process("broker_registered", 1, about=2)
    story.add("leo_sample", 2, leo=30)
    history = story.history()

    assert history.at(unseen + 1).replica(2).leo.hi is None
    assert history.at(unseen + 1).replica(2).role is Role.UNKNOWN


def test_a_start_that_tells_itself_is_no_hole_when_others_hear_of_it_late() -> None:
    story = followed()
    story.process("broker_stopped", 2)
    story.process("broker_starting", 2)
    late = story.process("broker_registered", 1, about=2)
    story.add("log_loaded", 2, leo=10)

    assert story.history().at(late).replica(2).leo.lo == 10


def test_a_log_that_became_shorter_without_a_cut_was_cut_unseen() -> None:
    story = followed()
    story.add("appended", 2, leo=50)
    unseen = story.process("broker_registered", 1)
    story.add("appended", 2, leo=20)
    history = story.history()

    assert history.at(unseen + 1).replica(2).leo.lo in (None, 0)
    assert history.at(unseen + 1).replica(2).leo.hi is None


def test_a_cut_that_is_told_is_no_hole() -> None:
    story = followed()
    story.add("appended", 2, leo=50)
    between = story.process("broker_registered", 1)
    story.add("truncated", 2, offset=20)
    story.add("leo_sample", 2, leo=20)

    assert story.history().at(between + 1).replica(2).leo.lo == 50


def test_records_of_an_epoch_that_a_broker_was_never_told_of_show_that_its_words_end_before() -> None:
    story = followed()
    unseen = story.process("broker_registered", 1)
    story.add("batch_on_disk", None, about=2, epoch=3, from_offset=10, offset=20)
    story.add("log_end_on_disk", None, about=2, leo=20)
    history = story.history()

    assert history.at(unseen + 1).replica(2).role is Role.UNKNOWN


def test_warnings_alone_do_not_show_that_a_log_was_never_cut() -> None:
    # The broker prints its starts and cuts at INFO: of these nothing is here.
    story = Story("2.8.2", replicas=(1, 2))
    story.add("fetch_failed", 2, leader=1, offset=30)
    later = story.add("fetch_failed", 2, leader=1, offset=20)

    assert story.history().at(later).replica(2).leo.lo in (None, 0)


def test_a_start_without_its_word_on_the_log_does_not_let_it_stand_still() -> None:
    def held(*, loaded: bool) -> int | None:
        story = Story("4.3.1", replicas=(1, 2))
        story.process("broker_starting", 2)
        if loaded:
            story.add("log_loaded", 2, leo=17)
        between = story.process("broker_registered", 1)
        story.add("became_leader", 2, leader=2, epoch=1, leo=17)
        return story.history().at(between + 1).replica(2).leo.lo

    assert held(loaded=True) == 17
    assert held(loaded=False) in (None, 0)


def test_an_epoch_in_a_file_that_is_later_than_any_word_before_it_was_told_unseen() -> None:
    """A copy of a data directory made before a restart, whose log lacks what was before it."""
    story = followed()
    unseen = story.add("leo_sample", 2, leo=50)
    story.add("batch_on_disk", None, about=2, epoch=1, from_offset=50, offset=60)
    story.process("broker_starting", 2)
    story.add("became_follower", 2, leader=1, epoch=3)

    assert story.history().at(unseen + 1).replica(2).role is Role.UNKNOWN


def test_one_that_came_back_unseen_held_less_when_it_stopped_than_when_it_was_in_sync_again() -> None:
    story = Story("2.4.1", replicas=(1, 2))
    story.begin()
    story.add("leo_sample", 2, leo=10)
    stopped = story.process("broker_stopped", 2)
    story.add("isr_shrink_proposed", 1, leader=1, isr=(1,))
    story.process("broker_registered", 1, about=2)
    story.add("isr_expand_proposed", 1, leader=1, isr=(1, 2))
    story.add("hw_sample", 1, hw=40)

    bands = read_again(story.history()).bands
    assert bands is not None
    assert bands.leo[2].low(instant_after(Place(stopped))) == 10


def test_a_log_without_epochs_ends_early_where_others_tell_of_another_leader() -> None:
    def upper(leader: int) -> int | None:
        story = Story("0.10.2.2", replicas=(1, 2, 3))
        for broker in (1, 2):
            story.process("broker_starting", broker)
            story.add("log_created", broker)
        story.add("fetcher_added", 2, leader=1, offset=0)
        story.add("leader_and_isr_sent", 1, about=3, leader=1, epoch=0, isr=(1, 2, 3))
        story.add("leader_and_isr_sent", 1, about=3, leader=leader, epoch=1, isr=(1, 2))
        later = story.add("leo_sample", 1, leo=40)
        story.add("log_end_on_disk", None, about=2, leo=20)
        return story.history().at(later).replica(2).leo.hi

    assert upper(leader=1) == 20
    assert upper(leader=3) is None


def test_a_log_that_files_of_two_moments_show_shorter_later_fell_unseen() -> None:
    story = Story("2.8.2", replicas=(1, 2))
    story.process("broker_starting", 1)
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("fetcher_removed", 1)
    first = story.add("epoch_assigned", 1, epoch=2, offset=567, in_a_file=True)
    story.add("log_end_on_disk", 1, leo=107, in_a_file=True, wait=40 * SECOND)
    leo = story.history().at(first).replica(1).leo

    assert (leo.lo, leo.hi) == (None, None)


def test_a_new_role_is_not_all_that_a_broker_says_of_it() -> None:
    """The log ends within the start: the role is told in another file, and what came with it nowhere."""

    def upper(*, whole: bool) -> int | None:
        story = followed()
        story.process("broker_starting", 2)
        story.add("log_loaded", 2, leo=20, wait=SECOND)
        story.add("became_follower", 2, leader=1, epoch=1, leo=20, hw=20, wait=SECOND)
        if whole:
            story.add("fetcher_removed", 2, wait=0)
            story.add("fetcher_added", 2, leader=1, epoch=1, offset=20, wait=0)
        later = story.add("leo_sample", 1, leo=40)
        story.add("log_end_on_disk", None, about=2, leo=30)
        return story.history().at(later).replica(2).leo.hi

    assert upper(whole=True) == 30
    assert upper(whole=False) is None


def test_a_start_that_comes_to_no_end_goes_on_unseen() -> None:
    def lower(*, up: bool) -> int | None:
        story = followed()
        story.process("broker_starting", 2)
        story.add("log_loaded", 2, leo=20, wait=SECOND)
        registered = story.process("broker_registered", 2, wait=SECOND)
        if up:
            registered = story.process("broker_started", 2, wait=SECOND)
        story.add("log_end_on_disk", None, about=2, leo=30)
        return story.history().at(registered + 1).replica(2).leo.lo

    assert lower(up=True) == 20
    assert lower(up=False) is None


def test_files_of_two_moments_with_an_epoch_more_show_a_role_that_was_not_seen() -> None:
    story = followed()
    story.add("epoch_assigned", 2, epoch=1, offset=12, in_a_file=True)
    later = story.add("leo_sample", 1, leo=40)
    story.add("epoch_assigned", 2, epoch=3, offset=11, in_a_file=True)
    story.add("leo_sample", 2, leo=30)

    assert story.history().at(later + 1).replica(2).leo.hi is None


def test_a_checkpoint_above_the_log_shows_a_cut_that_nobody_tells_of() -> None:
    """To 0.10 the leader prints no log end: what its high watermark reached is all that is said of it."""
    story = Story("0.10.2.2")
    story.begin()
    asked = story.add("metadata_applied", 1, leader=1, epoch=0)
    story.add("hw_checkpointed", 1, in_a_file=True, hw=254)
    story.add("log_end_on_disk", 1, in_a_file=True, leo=218)

    view = read_view(story.trace(), 0)

    assert any(first <= asked + 1 <= last for first, last in gap_spans(view, 1))
    # It may have held more than it holds at the end.
    assert story.history().at(asked + 1).replica(1).leo.hi is None


def test_a_checkpoint_that_keeps_what_a_cut_removed_shows_no_other_cut() -> None:
    """To 2.3 a cut leaves the high watermark in memory where it was, until the next fetch."""

    def holes(wait: int) -> tuple[tuple[int, int], ...]:
        story = Story("0.10.2.2")
        story.begin()
        story.add("truncated", 2, offset=206)
        story.add("hw_checkpointed", 2, in_a_file=True, hw=254, wait=wait * SECOND)
        story.add("log_end_on_disk", 2, in_a_file=True, leo=218)
        return gap_spans(read_view(story.trace(), 0), 2)

    assert holes(2) == ()
    assert len(holes(20)) == 1


def test_a_start_after_which_a_log_in_use_is_not_loaded_shows_that_its_lines_are_missing() -> None:
    def holes(*, loaded: bool) -> tuple[tuple[int, int], ...]:
        story = Story("2.8.2")
        story.begin()
        story.add("leo_sample", 2, leo=20)
        story.process("broker_stopped", 2)
        story.process("broker_starting", 2)
        if loaded:
            story.add("log_loaded", 2, leo=20)
        story.add("fetcher_added", 2, leader=1, epoch=0, offset=20)
        story.add("log_end_on_disk", 2, in_a_file=True, leo=40)
        return gap_spans(read_view(story.trace(), 0), 2)

    assert holes(loaded=True) == ()
    assert len(holes(loaded=False)) == 1


def test_a_registration_beside_which_only_fetches_fail_shows_that_its_log_says_no_more() -> None:
    """Lines of INFO are missing: a start is told at INFO, a fetch that fails at WARN."""

    def holes(*, own: bool) -> tuple[tuple[int, int], ...]:
        story = followed()
        story.process("broker_registered", 1, about=2, basis=Basis.REPORTED)
        if own:
            story.process("broker_registered", 2, wait=0)
        story.add("fetch_failed", 2, wait=SECOND, leader=1, aux=1)
        story.add("fetch_failed", 2, leader=1, aux=1)
        return gap_spans(read_view(story.trace(), 0), 2)

    assert holes(own=True) == ()
    assert len(holes(own=False)) == 1


def test_a_broker_that_prints_its_new_registration_and_nothing_after_it_has_no_gap() -> None:
    """A follower of Kafka 1.0 goes on after its session has expired, and no line tells of its fetcher."""

    def holes(*, own: bool) -> tuple[tuple[int, int], ...]:
        story = followed()
        if own:
            story.process("broker_registered", 2)
        story.process("broker_registered", 1, about=2, wait=SECOND if own else 10 * SECOND)
        story.add("leo_sample", 1, leo=40)
        return gap_spans(read_view(story.trace(), 0), 2)

    assert holes(own=True) == ()
    assert len(holes(own=False)) == 1
