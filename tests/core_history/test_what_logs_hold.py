"""Epoch caches, records by epoch, the leader's memory, and the state as JSON."""

from core.history.as_json import state_dict
from core.history.epoch_runs import cut_runs, epoch_at, joined_runs, slice_runs
from core.history.state import EpochRun
from tests.stories import SECOND, Story


def test_a_line_on_one_entry_is_not_the_whole_cache() -> None:
    # The third of three, and nobody is heard on the two before it.
    story = Story("2.8.2")
    story.begin()
    told = story.add("epoch_assigned", 1, epoch=3, offset=30, aux=3)
    later = story.add("epoch_assigned", 1, epoch=5, offset=40, aux=4)

    history = story.history()

    assert history.at(told + 1).replica(1).epochs is None
    assert history.at(later + 1).replica(1).epochs is None


def test_lines_on_all_entries_are_the_whole_cache() -> None:
    # The lines of broker 2 of the recording k111-kip279-divergence; a new term begins between them.
    story = Story("1.1.1")
    story.begin()
    story.add("epoch_assigned", 1, epoch=0, offset=0, aux=1)
    story.add("became_leader", 1, leader=1, epoch=1, leo=20, hw=20)
    told = story.add("epoch_assigned", 1, epoch=1, offset=20, aux=2)

    history = story.history()

    assert history.at(told).replica(1).epochs is None
    assert history.at(told + 1).replica(1).epochs == ((0, 0), (1, 20))


def test_a_count_that_does_not_agree_takes_back_what_was_heard() -> None:
    # Between the second line and the third the cache was cut, and nobody said so: (1, 20) may be gone.
    story = Story("1.1.1")
    story.begin()
    story.add("epoch_assigned", 1, epoch=0, offset=0, aux=1)
    story.add("epoch_assigned", 1, epoch=1, offset=20, aux=2)
    told = story.add("epoch_assigned", 1, epoch=2, offset=30, aux=2)
    again = story.add("epoch_assigned", 1, epoch=3, offset=40, aux=3)

    history = story.history()

    assert history.at(told + 1).replica(1).epochs is None
    assert history.at(again + 1).replica(1).epochs is None


def test_a_cut_and_a_later_beginning_of_the_log_cut_the_cache() -> None:
    # LeaderEpochFileCache.truncateFromEnd and truncateFromStart
    story = Story("1.1.1")
    story.begin()
    for size, (epoch, start) in enumerate(((0, 0), (1, 20), (2, 30)), start=1):
        story.add("epoch_assigned", 2, epoch=epoch, offset=start, aux=size)
    cut = story.add("truncated", 2, offset=30, leo=30)
    moved = story.add("log_start_moved", 2, log_start=25)

    history = story.history()

    assert history.at(cut + 1).replica(2).epochs == ((0, 0), (1, 20))
    assert history.at(moved + 1).replica(2).epochs == ((1, 25),)


def test_an_entry_without_records_goes_when_the_log_is_loaded() -> None:
    # A leader of 2.0.1 or later makes it at its election: it starts where the log ends.
    story = Story("2.8.2")
    story.begin()
    story.add("epoch_assigned", 1, epoch=0, offset=0, aux=1)
    made = story.add("epoch_assigned", 1, epoch=2, offset=30, aux=2)
    loaded = story.add("log_loaded", 1, leo=30)

    history = story.history()

    assert history.at(made + 1).replica(1).epochs == ((0, 0), (2, 30))
    assert history.at(loaded + 1).replica(1).epochs == ((0, 0),)


def test_a_log_that_moves_to_another_directory_may_have_forgotten_an_entry() -> None:
    # KAFKA-15608: the copy has an entry for each epoch of its records, and no line says which these are.
    story = Story("2.8.2")
    story.begin()
    story.add("epoch_assigned", 1, epoch=0, offset=0, aux=1)
    story.add("epoch_assigned", 1, epoch=2, offset=30, aux=2)
    moved = story.add("log_moved", 1)

    history = story.history()

    assert history.at(moved).replica(1).epochs == ((0, 0), (2, 30))
    assert history.at(moved + 1).replica(1).epochs is None


def test_to_2_0_an_entry_stands_beside_one_with_the_same_start() -> None:
    # core/kafka/epochs.py, `ignored`: KAFKA-7415 changed it in 2.0.1
    for version, entries in (("1.1.1", ((0, 0), (1, 20), (2, 20))), ("2.8.2", ((0, 0), (2, 20)))):
        story = Story(version)
        story.begin()
        story.add("epoch_cache_loaded", 1, aux=2)
        for epoch, start in ((0, 0), (1, 20)):
            story.add("epoch_assigned", 1, epoch=epoch, offset=start)
        last = story.add("epoch_assigned", 1, epoch=2, offset=20, aux=len(entries))

        assert story.history().at(last + 1).replica(1).epochs == entries, version


def test_runs_are_cut_sliced_and_joined_with_their_records() -> None:
    runs = (EpochRun(0, 0, 2, records=("a", "b")), EpochRun(1, 2, 4, records=("c", "d")))

    assert cut_runs(runs, 3) == (runs[0], EpochRun(1, 2, 3, records=("c",)))
    assert slice_runs(runs, 1, 3) == (EpochRun(0, 1, 2, records=("b",)), EpochRun(1, 2, 3, records=("c",)))
    assert joined_runs(cut_runs(runs, 3), (EpochRun(1, 3, 4, records=("d",)),)) == runs
    assert [epoch_at(runs, offset) for offset in (0, 1, 2, 3, 4)] == [0, 0, 1, 1, None]


def test_a_follower_copies_the_epochs_of_its_leader() -> None:
    story = Story("0.10.2.2")
    story.begin()
    story.add("leo_sample", 1, leo=30)
    story.add("leo_sample", 2, leo=30)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("became_leader", 2, leader=2, epoch=1, leo=30)
    story.add("leo_sample", 2, leo=40)
    story.add("became_follower", 1, leader=2, epoch=1, leo=30)
    story.add("fetcher_added", 1, leader=2, offset=30)
    last = story.add("leo_sample", 1, leo=40)

    runs = story.history().at(last + 1).replica(1).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(0, 0, 30), (1, 30, 40)]


def test_segments_that_name_epochs_are_believed() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("batch_on_disk", 1, epoch=0, from_offset=0, offset=20)
    story.add("batch_on_disk", 1, epoch=3, from_offset=20, offset=25)
    last = story.add("log_end_on_disk", 1, leo=25, log_start=0)

    runs = story.history().at(last + 1).replica(1).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(0, 0, 20), (3, 20, 25)]


def test_a_new_leader_remembers_nothing_until_the_first_fetch() -> None:
    story = Story(simulated=True, replicas=(1, 2, 3))
    story.begin()
    first = story.add("follower_leo_recorded", 1, about=2, leader=1, leo=4)
    again = story.add("became_leader", 1, leader=1, epoch=1, leo=5, hw=4)

    history = story.history()

    assert history.at(first + 1).replica(1).remote == ((2, 4), (3, None))
    assert history.at(again + 1).replica(1).remote == ((2, None), (3, None))
    assert history.at(again + 1).replica(2).remote == ()


def test_an_epoch_cache_read_from_a_file_is_what_the_replica_has() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("epoch_cache_loaded", 1, aux=2)
    story.add("epoch_assigned", 1, epoch=0, offset=0)
    last = story.add("epoch_assigned", 1, epoch=3, offset=254)

    history = story.history()

    assert history.at(last + 1).replica(1).epochs == ((0, 0), (3, 254))
    assert history.at(last - 2).replica(1).epochs is None


def test_the_state_as_json_has_the_names_of_the_design() -> None:
    story = Story()
    story.begin()
    story.process("broker_starting", 2)

    history = story.history()
    answer = state_dict(history.trace, [history], len(history.trace))
    replica = answer["partitions"][0]["replicas"][1]

    assert set(answer) == {"at", "cursor", "partitions"}
    assert set(replica) == {
        "broker",
        "role",
        "alive",
        "in_isr",
        "epoch",
        "log_start",
        "local_start",
        "leo",
        "hw",
        "lso",
        "epochs",
    }
    assert replica["role"] == "unknown"
    assert set(replica["leo"]) == {"lo", "hi", "basis", "rules"}
    assert set(replica["log_start"]) == {"lo", "hi", "basis"}
    assert answer["at"].endswith("Z")
    assert state_dict(history.trace, [history], 0)["at"] is None


def test_what_a_log_may_have_got_before_or_after_a_change_of_leader_is_of_no_known_epoch() -> None:
    # Broker 2 held between 20 and 50 records when it was told of epoch 1: which of them are of epoch 0?
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin()
    story.add("leo_sample", 1, leo=50)
    story.add("leo_sample", 2, leo=20)
    story.add("became_leader", 3, leader=3, epoch=1, leo=25, hw=20)
    story.add("became_follower", 2, leader=3, epoch=1)
    story.add("leo_sample", 3, leo=60)
    last = story.add("leo_sample", 2, leo=60)

    runs = story.history().at(last + 1).replica(2).runs

    assert epoch_at(runs, 19) == 0
    assert epoch_at(runs, 24) == 0
    assert epoch_at(runs, 25) is None


def test_what_a_log_held_when_its_epoch_changed_was_not_written_in_the_new_one() -> None:
    """The log of broker 1 is missing where it leads epoch 0: no line says that it stops its fetcher."""
    story = Story("4.3.1")
    story.begin()
    story.add("fetcher_removed", 1, wait=0)
    story.add("hw_sample", 1, hw=34)
    told = story.add("became_follower", 1, leader=2, epoch=1, leo=36, hw=34)
    story.add("leo_sample", 1, leo=36)

    runs = story.history().at(told + 1).replica(1).runs

    assert all(run.epoch in (0, None) for run in runs)
    assert runs[-1].end == 36


def test_what_comes_until_a_replica_says_where_it_takes_over_is_of_the_epoch_before() -> None:
    # "starts at leader epoch 1 from offset 50" (Partition.makeLeader): the old fetcher had brought 20 to 50.
    story = Story("2.0.1", replicas=(1, 2))
    story.begin()
    story.add("leo_sample", 2, leo=20)
    story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(1, 2))
    story.add("became_leader", 2, leader=2, epoch=1, leo=50, wait=SECOND // 2)
    last = story.add("leo_sample", 2, leo=60)

    runs = story.history().at(last + 1).replica(2).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(0, 0, 50), (1, 50, 60)]


def test_what_a_follower_holds_beyond_its_leader_is_of_an_epoch_up_to_its_own() -> None:
    # To 0.10 a leader prints no offset: broker 1 may have taken over with all 50, or with less.
    story = Story("0.10.2.2", replicas=(1, 2, 3))
    story.begin(leader=3)
    story.add("leo_sample", 1, leo=20)
    story.add("leo_sample", 2, leo=20)
    story.add("became_leader", 1, leader=1, epoch=1)
    story.add("became_follower", 2, leader=1, epoch=1)
    last = story.add("leo_sample", 2, leo=50)

    runs = story.history().at(last + 1).replica(2).runs

    assert [(run.epoch, run.latest, run.start, run.end) for run in runs] == [
        (0, None, 0, 20),
        (None, 1, 20, 50),
    ]


def test_what_a_leader_appends_until_it_is_told_its_next_epoch_is_of_the_epoch_before() -> None:
    """The epoch rises as a dead replica is taken out of the set. Partition.makeLeader prints the log end."""
    story = Story("2.0.1")
    story.begin()
    story.add("leo_sample", 1, leo=20)
    story.add("leader_and_isr_received", 1, leader=1, epoch=1, isr=(1,))
    story.add("became_leader", 1, leader=1, epoch=1, leo=50, wait=SECOND // 2)
    last = story.add("leo_sample", 1, leo=60)

    runs = story.history().at(last + 1).replica(1).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(0, 0, 50), (1, 50, 60)]


def test_what_a_follower_copies_beyond_the_log_with_which_its_leader_took_over_is_of_that_leaders_epoch() -> (
    None
):
    """Broker 3 takes over with 25 records: what stands from 25 on was written in epoch 1."""
    story = Story("2.8.2", replicas=(1, 2, 3))
    story.begin()
    story.add("leo_sample", 2, leo=20)
    story.add("became_leader", 3, leader=3, epoch=1, leo=25, hw=20)
    story.add("became_follower", 2, leader=3, epoch=1, leo=20)
    last = story.add("leo_sample", 2, leo=60)

    runs = story.history().at(last + 1).replica(2).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(0, 0, 25), (1, 25, 60)]


def test_what_a_broker_says_without_a_partition_takes_nothing_from_a_log() -> None:
    story = Story(simulated=True, records=("m0", "m1"))
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=2, leo=2, aux=0)
    after = story.process("log_deleted", 1)

    assert story.history().at(after + 1).replica(1).runs[0].records == ("m0", "m1")


def test_what_a_leader_held_at_an_unstated_takeover_may_be_of_any_epoch_before() -> None:
    """To 0.10 no line has a leader's log end at its takeover; a high watermark bounds it from below alone."""
    story = Story("0.10.2.2")
    story.add("became_leader", 1, leader=1, epoch=5)
    story.add("hw_sample", 1, hw=10)
    last = story.add("hw_sample", 1, hw=30)

    runs = story.history().at(last + 1).replica(1).runs

    assert [(run.epoch, run.latest, run.start, run.end) for run in runs] == [(None, 5, 0, 30)]


def test_a_leader_wrote_itself_what_lies_behind_the_log_with_which_it_surely_took_over() -> None:
    """Its log ended at 20 in its tenure, so no higher at its takeover: what is behind 20 is of its epoch."""
    story = Story("0.10.2.2")
    story.add("became_leader", 1, leader=1, epoch=5)
    story.add("leo_sample", 1, leo=20)
    last = story.add("hw_sample", 1, hw=30)

    runs = story.history().at(last + 1).replica(1).runs

    assert [(run.epoch, run.start, run.end) for run in runs] == [(None, 0, 20), (5, 20, 30)]


def test_what_a_follower_gets_of_a_leader_without_a_log_may_be_older_than_its_epoch() -> None:
    """Broker 1 led epoch 5 with a log of which no line is left: what it sent may have been there before."""
    story = Story("0.10.2.2")
    story.add("became_follower", 2, leader=1, epoch=5)
    story.add("leo_sample", 2, leo=10)
    last = story.add("leo_sample", 2, leo=30)

    runs = story.history().at(last + 1).replica(2).runs

    assert [(run.epoch, run.latest, run.start, run.end) for run in runs] == [(None, 5, 0, 30)]


def test_in_the_first_epoch_of_a_partition_there_are_no_older_records() -> None:
    """Epochs are given out from 0 on (LeaderAndIsr.initialLeaderEpoch)."""
    story = Story("0.10.2.2")
    story.add("became_leader", 1, leader=1, epoch=0)
    story.add("became_follower", 2, leader=1, epoch=0)
    story.add("leo_sample", 2, leo=10)
    last = story.add("hw_sample", 1, hw=30)

    state = story.history().at(last + 1)

    assert [(run.epoch, run.start, run.end) for run in state.replica(1).runs] == [(0, 0, 30)]
    assert [(run.epoch, run.start, run.end) for run in state.replica(2).runs] == [(0, 0, 10)]
