"""Words that do not follow from the words before them show that something between them was not seen."""

from core.history.gaps_by_own_lines import contradicted_spans
from core.history.state import Role
from core.history.view import read_view
from core.trace.ids import Place
from tests.stories import SECOND, Story


def holes(story: Story, broker: int) -> list[tuple[Place, Place]]:
    return contradicted_spans(read_view(story.history().trace, 0), broker)


def begun(release: str = "2.4.1") -> Story:
    """Broker 1 leads, 2 follows, each by its own words."""
    story = Story(release)
    story.begin()
    return story


def test_a_whole_story_has_no_holes() -> None:
    story = begun()
    story.add("isr_shrink_proposed", 1, leader=1, isr=(1,))
    story.add("fetch_sent", 2, leader=1, offset=3)
    story.add("became_leader", 2, leader=2, epoch=1)
    story.add("isr_expand_proposed", 2, leader=2, isr=(1, 2))

    assert holes(story, 1) == holes(story, 2) == []


def test_one_that_was_told_to_lead_and_asks_for_records_was_told_another_role() -> None:
    story = begun()
    led = story.add("isr_shrink_proposed", 1, leader=1, isr=(1,))
    asked = story.add("fetch_sent", 1, leader=2, offset=3)
    history = story.history()

    # Since its last act as a leader.
    assert holes(story, 1)[0][0] == led + 1
    assert history.at(led + 1).replica(1).role is Role.LEADER
    assert history.at(asked + 1).replica(1).role is Role.UNKNOWN


def test_an_epoch_that_is_skipped_was_led_by_somebody() -> None:
    story = begun()
    later = story.add("became_follower", 2, leader=1, epoch=2)

    assert holes(story, 2) == [(later, later)]


def test_epochs_of_members_that_were_taken_out_together_are_led_by_nobody_else() -> None:
    """A new controller of Kafka 2.4 took out 2 and 3, raised the epoch for each, and sent epoch 2 alone."""

    def skipped(isr: tuple[int, ...], version: int, leader: int = 1) -> list[tuple[Place, Place]]:
        story = Story("2.4.1", replicas=(1, 2, 3))
        story.begin()
        story.add("leader_and_isr_sent", 1, about=1, leader=1, epoch=0, isr=(1, 2, 3), partition_epoch=0)
        for kind, about, wait in (
            ("leader_and_isr_sent", 1, SECOND),
            ("leader_and_isr_received", None, 1_000_000),
        ):
            story.add(
                kind, 1, about=about, leader=leader, epoch=2, isr=isr, partition_epoch=version, wait=wait
            )
        return holes(story, 1)

    assert skipped((1,), 2) == []
    # The leader may stay in the set alone, and leads no more.
    assert skipped((1, 2), 2, leader=-1) == []
    assert skipped((1,), 3)
    assert skipped((1, 2), 2)
    assert skipped((2,), 2, leader=2)


def test_a_broker_that_registers_anew_was_not_notified_before() -> None:
    story = begun()
    story.process("broker_registered", 2)
    story.add("became_follower", 2, leader=1, epoch=2)

    assert holes(story, 2) == []


def test_an_epoch_without_a_leader_may_be_skipped() -> None:
    story = begun()
    story.add("leaderless", 1, epoch=1, leader=-1, isr=(1,))
    story.add("became_follower", 2, leader=1, epoch=2)

    assert holes(story, 2) == []


def test_what_a_broker_applies_of_a_later_epoch_comes_with_its_role() -> None:
    story = begun()
    story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("leo_sample", 2, leo=3)

    assert holes(story, 2)


def test_a_request_to_a_broker_that_is_down_is_not_received() -> None:
    """Kafka 0.11 prints that it sends the request, then "Not sending request ..., since it is offline"."""

    def sent(*before: str) -> list[tuple[Place, Place]]:
        story = begun("0.11.0.3")
        for kind in before:
            story.process(kind, 1, about=2)
        story.add("leader_and_isr_sent", 1, about=2, leader=-1, epoch=1, isr=())
        story.process("broker_starting", 2)
        return holes(story, 2)

    assert sent("broker_failure_noticed") == []
    assert sent("controlled_shutdown_begun") == []
    assert sent()
    assert sent("broker_failure_noticed", "broker_registered")


def test_one_that_stops_is_told_no_roles() -> None:
    story = begun()
    story.process("controlled_shutdown_begun", 2)
    story.add("metadata_applied", 2, leader=1, epoch=1)
    story.add("leo_sample", 2, leo=3)

    assert holes(story, 2) == []


def test_one_whose_end_was_noticed_starts_before_it_speaks() -> None:
    def spoken(*between: str, last: str = "became_follower") -> list[tuple[Place, Place]]:
        story = begun()
        story.add("leo_sample", 2, leo=3, wait=40 * SECOND)
        story.process("broker_failure_noticed", 1, about=2)
        for kind in between:
            story.process(kind, 2)
        story.add(last, 2, leader=1, epoch=1)
        return holes(story, 2)

    assert spoken()
    assert spoken("broker_starting") == []
    assert spoken("session_expired") == []
    # One that is cut off from ZooKeeper does not know that its session expired, and goes on.
    assert spoken(last="fetch_failed") == []


def test_one_that_has_stopped_starts_before_it_speaks() -> None:
    story = begun()
    stopped = story.process("broker_stopped", 2)
    spoken = story.add("leo_sample", 2, leo=3)

    assert holes(story, 2) == [(stopped + 1, spoken)]


def test_a_checkpoint_is_read_once_in_a_life() -> None:
    story = begun()
    story.add("hw_loaded", 2, hw=0)
    story.add("hw_loaded", 2, hw=0, wait=1_000_000)
    assert holes(story, 2) == []

    story.add("hw_loaded", 2, hw=0, wait=20 * SECOND)
    assert holes(story, 2)


def test_a_log_of_every_fetch_ends_only_with_its_broker() -> None:
    def silent(*, ended: bool) -> list[tuple[Place, Place]]:
        story = begun()
        for offset in range(250):
            story.add("fetch_sent", 2, leader=1, offset=offset, wait=500_000_000)
        if ended:
            story.process("broker_failure_noticed", 1, about=2)
        story.add("leo_sample", 1, leo=300, wait=20 * SECOND)
        return holes(story, 2)

    assert silent(ended=False)
    assert silent(ended=True) == []


def test_a_log_that_is_shorter_later_than_it_was_fell_unseen() -> None:
    story = begun()
    story.add("leo_sample", 2, leo=50)
    before = story.add("fetch_sent", 2, leader=1, offset=50)
    story.add("fetch_sent", 2, leader=1, offset=40)
    history = story.history()

    # Neither the one nor the other says where the log ended in between.
    assert history.at(before + 1).replica(2).leo.hi is None
    assert history.at(before + 1).replica(2).leo.lo in (None, 0)


def test_a_role_in_the_very_first_row_stands_no_longer_than_that_row_where_a_later_word_denies_it() -> None:
    """Broker 1 fetches from broker 2: it was told to follow at some moment after the first row."""
    story = Story("2.4.1")
    led = story.add("became_leader", 1, leader=1, epoch=0)
    between = story.add("leo_sample", 2, leo=3)
    story.add("fetcher_added", 1, leader=2, offset=3)

    history = story.history()

    assert history.at(led + 1).replica(1).role is Role.LEADER
    assert history.at(between + 1).replica(1).role is Role.UNKNOWN


def test_a_leader_that_does_not_name_itself_leads_nevertheless() -> None:
    """Epoch 1 is skipped, whoever the line on epoch 2 names."""
    story = begun()
    later = story.add("became_leader", 2, epoch=2, leo=3)

    assert holes(story, 2) == [(later, later)]
