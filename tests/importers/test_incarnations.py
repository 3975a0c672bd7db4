"""A topic that was deleted and made again under its name is another topic."""

from importers.disk.incarnations import Incarnations, incarnations, with_ids
from importers.disk.metadata_replay import METADATA_RULE
from importers.kafka.drafts import Said
from importers.kafka.logs import LOG_RULES
from importers.kafka.rule import Message
from importers.lines.items import Item

OLD, NEW = "rG8yobaoRmaD1tqUpL6lXQ", "XuhtgTmqRMSsWeldkLogdA"
TEMP = ("temp", 0)


def item(at: int, kind: str, broker: int = 1, rule: str = "line", topic_id: str | None = None) -> Item:
    return Item(at, 0, 0, at, 1, 0, broker, rule, Said(kind, TEMP, topic_id=topic_id))


def made(at: int, topic_id: str) -> Item:
    return item(at, "partition_created", 100, METADATA_RULE, topic_id)


LOG = [made(10, OLD), item(50, "partition_removed", 100, METADATA_RULE, OLD), made(60, NEW)]


def ids(*items: Item) -> list[str | None]:
    (found,) = with_ids([items], incarnations(LOG))
    return [one.said.topic_id for one in found]


def test_a_topic_that_was_made_once_needs_no_id() -> None:
    assert incarnations([made(10, OLD)]).made == {}
    (found,) = with_ids([[made(10, OLD), item(20, "log_created")]], incarnations([made(10, OLD)]))
    assert [one.said.topic_id for one in found] == [None, None]


def test_a_line_without_an_id_is_of_the_topic_of_its_time() -> None:
    assert ids(item(20, "log_created"), item(30, "became_leader"), item(70, "log_created")) == [OLD, OLD, NEW]


def test_a_broker_that_was_down_goes_on_with_the_log_that_it_has() -> None:
    """Broker 3 of k43-snapshots: it returns after the topic was made anew, and loads what it had."""
    loaded = item(90, "log_loaded", 3, topic_id=OLD)

    assert ids(loaded, item(91, "leo_sample", 3), item(95, "became_follower", 2)) == [OLD, OLD, NEW]


def test_a_new_log_is_of_the_id_that_is_named_next() -> None:
    """Broker 1 of k43-snapshots alone: its log is there a little before a line names the topic's id."""
    lines = [
        item(11, "log_created"),
        item(12, "fetcher_added", topic_id=OLD),
        item(50, "log_deleted"),
        item(58, "fetcher_removed"),
        item(59, "log_created"),
        item(60, "became_leader", topic_id=NEW),
        item(70, "leo_sample"),
    ]

    (found,) = with_ids([lines], incarnations(lines))

    assert [one.said.topic_id for one in found] == [OLD, OLD, OLD, NEW, NEW, NEW, NEW]


def test_no_id_is_no_topic() -> None:
    """Uuid.ZERO_UUID, as a request prints it that has no id."""
    lines = [item(11, "fetcher_added", topic_id=OLD), item(12, "fetch_failed", topic_id="A" * 22)]

    assert incarnations(lines).made == {}


def test_the_one_made_later_ranks_later() -> None:
    known = incarnations(LOG)

    assert (known.rank("temp", OLD), known.rank("temp", NEW)) == (0, 1)
    assert known.at("temp", 5) == OLD
    assert Incarnations().rank("temp", NEW) == -1


def test_a_directory_that_is_to_be_deleted_says_nothing_of_the_live_log() -> None:
    import re

    rule = next(rule for rule in LOG_RULES if rule.name == "log-loaded-2.6")
    text = (
        "Completed load of Log(dir=/var/lib/kafka/broker-1/temp-0{}, topicId=rG8yobaoRmaD1tqUpL6lXQ, "
        "topic=temp, partition=0, highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=9) "
        "with 1 segments, "
        "local-log-start-offset 0 and log-end-offset 9 in 5ms (1/4 completed in /var/lib/kafka/broker-1)"
    )

    def read(suffix: str) -> tuple[Said, ...]:
        match = re.fullmatch(rule.pattern, text.format(suffix))
        assert match is not None
        assert rule.build is not None
        return rule.build(Message(match, "")).said

    assert read(".b1becb48bee64c259ddfb3db1bf99b16-delete") == ()
    assert read(".0f16e07cea784958a91f77488c4018b6-stray") == ()
    assert [(said.leo, said.topic_id) for said in read("")] == [(9, OLD)]


def test_without_ids_the_controller_tells_a_topic_that_is_made_anew() -> None:
    """ZooKeeper before 2.8: the partition goes from NonExistentPartition to NewPartition once more."""
    lines = [
        item(11, "partition_created"),
        item(20, "log_created", 2),
        item(50, "log_deleted", 2),
        item(60, "partition_created"),
        item(61, "log_created", 2),
        item(70, "leo_sample", 2),
    ]

    known = incarnations(lines)
    (found,) = with_ids([lines], known)

    assert [one.said.topic_id for one in found] == ["1", "1", "1", "2", "2", "2"]
    assert (known.rank("temp", "1"), known.rank("temp", "2")) == (0, 1)


def test_a_topic_is_made_anew_at_one_time_for_all_its_partitions() -> None:
    """The controller prints one partition after the other."""
    other = Item(59, 0, 0, 59, 1, 0, 1, "line", Said("partition_created", ("temp", 1)))
    gone = Item(51, 0, 0, 51, 1, 0, 2, "line", Said("log_deleted", ("temp", 1)))
    lines = [item(11, "partition_created"), item(50, "log_deleted", 2), gone, other]
    lines.append(item(60, "partition_created"))

    assert incarnations(lines).made == {"temp": ((11, "1"), (59, "2"))}


def test_a_replica_that_moves_away_and_back_is_of_the_same_topic() -> None:
    """A reassignment deletes a log too, and the controller makes no partition then."""
    lines = [
        item(11, "partition_created"),
        item(50, "log_deleted", 2),
        item(61, "log_created", 2),
        item(80, "log_deleted", 3),
    ]

    assert incarnations(lines).made == {}


def test_ids_tell_more_than_lines_without_them() -> None:
    lines = [
        item(11, "partition_created"),
        item(12, "log_created", topic_id=OLD),
        item(50, "log_deleted", 2),
        item(60, "partition_created"),
    ]

    assert incarnations(lines).made == {}
