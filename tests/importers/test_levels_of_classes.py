"""Classes of Kafka whose logger somebody set to WARN: their lines are missing, and nothing happened there."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.message_json import stored
from core.words import text
from importers.load import load
from importers.merge.silent import PARTITION as PARTITION_LOGGER
from importers.merge.silent import silent_loggers
from tests.archives import unpack_recording
from tests.importers.test_dropped import false_claims
from tests.recordings.distorting import lines_of, written
from tests.recordings.pieces import text_logs
from tests.recordings.referee import Heard, Truth, claimed, lost, of_the_last_topics

pytestmark = pytest.mark.broad(6)
LOG_MANAGER = re.compile(r" INFO .*\((?:kafka|org\.apache\.kafka\.storage\.internals)\.log\.LogManager\)$")
"""Each log that a broker loads or creates, from 0.10 on."""
LOGS = re.compile(r" INFO .*\((?:kafka|org\.apache\.kafka\.storage\.internals)\.log\.(?:Unified)?Log\$?\)$")
"""Each cut that a log makes; why it is cut, and to which offset, its fetcher says before."""

SERVER = re.compile(
    r" INFO .*\(kafka\.server\.(?:KafkaServer|BrokerServer|KafkaRaftServer|ControllerServer)\)$"
)
"""That a process starts, is up, and stops; a start also dumps its settings, which KafkaConfig prints."""

PARTITION = re.compile(r" INFO .*\(kafka\.cluster\.Partition\)$")
FETCHERS = re.compile(r" INFO .*\(kafka\.server\.ReplicaFetcherManager\)$")


def at_warn(folder: Path, of_class: Callable[[str], object]) -> int:
    """Take the lines of a class away; how many they were."""
    taken = 0
    for path in text_logs(folder):
        lines = lines_of(path)
        kept = [line for line in lines if not of_class(line.rstrip("\r\n"))]
        taken += len(lines) - len(kept)
        written(path, "".join(kept))
    return taken


def missed(truth: Truth, heard: Heard) -> set[tuple[str, int]]:
    """The lost records that are not claimed, as partition and offset."""
    return {
        (tp, offset) for tp in truth["final"] for offset in lost(truth, tp) - claimed(heard, tp, strong=False)
    }


@pytest.mark.parametrize("name", ["k28-unclean-loss", "k39-unclean-loss", "k43-failover"])
def test_brokers_that_print_no_loading_of_logs_lose_no_claim(name: str, tmp_path: Path) -> None:
    folder, recorded = unpack_recording(name, tmp_path)
    truth = of_the_last_topics(recorded)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    assert at_warn(folder, LOG_MANAGER.search) > 0

    heard = Heard(load([folder]))

    assert missed(truth, heard) == set()
    assert false_claims(truth, heard) == []


@pytest.mark.parametrize("name", ["k39-unclean-loss", "k43-failover"])
def test_a_cut_that_its_fetcher_decided_needs_no_line_of_the_log(name: str, tmp_path: Path) -> None:
    folder, recorded = unpack_recording(name, tmp_path)
    truth = of_the_last_topics(recorded)
    assert at_warn(folder, lambda line: LOGS.search(line) or LOG_MANAGER.search(line)) > 0

    heard = Heard(load([folder]))

    assert missed(truth, heard) == set()
    assert false_claims(truth, heard) == []


@pytest.mark.parametrize("name", ["k0102-hw-loss", "k011-epoch-fix"])
def test_where_neither_loading_nor_cuts_are_printed_no_log_is_whole(name: str, tmp_path: Path) -> None:
    """To 3.0 no other class says each cut: a log that a follower fetches on from may have been longer."""
    folder, recorded = unpack_recording(name, tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    assert at_warn(folder, re.compile(r" INFO .*\(kafka\.log\.\w+\$?\)$").search) > 0

    assert false_claims(of_the_last_topics(recorded), Heard(load([folder]))) == []


@pytest.mark.parametrize("name", ["k0102-trace", "k0102-hw-loss", "k39-unclean-loss", "k43-elr"])
def test_a_start_of_which_the_server_prints_nothing_is_seen_by_what_else_it_prints(
    name: str, tmp_path: Path
) -> None:
    folder, recorded = unpack_recording(name, tmp_path)
    truth = of_the_last_topics(recorded)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    assert at_warn(folder, SERVER.search) > 0

    heard = Heard(load([folder]))

    assert missed(truth, heard) == set()
    assert false_claims(truth, heard) == []


@pytest.mark.parametrize(
    ("of_class", "logger", "unknown"),
    [
        (LOG_MANAGER, "kafka.log.LogManager=INFO", "where each log ended when it was loaded"),
        (PARTITION, "kafka.cluster.Partition=INFO", "when its in-sync set changed"),
        (FETCHERS, "kafka.server.ReplicaFetcherManager=INFO", "from whom each replica copied"),
    ],
    ids=["LogManager", "Partition", "ReplicaFetcherManager"],
)
def test_a_class_of_which_no_line_is_there_is_named_with_what_stays_unknown(
    of_class: re.Pattern[str], logger: str, unknown: str, tmp_path: Path
) -> None:
    folder, _ = unpack_recording("k39-unclean-loss", tmp_path)

    before, _ = asked_of(folder)
    assert at_warn(folder, of_class.search) > 0
    after, what = asked_of(folder)

    assert after - before == {(broker, f"next time: {logger}") for broker in (1, 2, 3)}
    assert unknown in what


def test_an_in_sync_set_whose_changes_are_not_printed_is_not_known_to_last(tmp_path: Path) -> None:
    """A cluster with ZooKeeper: its leaders alone tell of the set between two elections."""
    folder, recorded = unpack_recording("k28-ibp0102-hw-loss", tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    assert at_warn(folder, PARTITION.search) > 0

    assert false_claims(of_the_last_topics(recorded), Heard(load([folder]))) == []


@pytest.mark.parametrize(
    ("releases", "silent"),
    [(("0.10.2.2",), False), (("0.11.0.3", "1.0.2"), False), (("1.0.2", "2.8.2"), True), ((), False)],
    ids=str,
)
def test_before_1_0_a_healthy_partition_says_nothing_of_itself(
    releases: tuple[str, ...], *, silent: bool
) -> None:
    """Partition.scala of 0.10.2.2 and 0.11.0.3 prints no loading; Replica.scala of 1.0.2 does."""
    found = list(silent_loggers({"log_loaded", "fetcher_added"}, releases))

    assert found == ([PARTITION_LOGGER] if silent else [])


def asked_of(folder: Path) -> tuple[set[tuple[int, str]], str]:
    """What is to be collected of each broker, and all that it would settle."""
    rows = [row for row in load([folder]).report["further"] if row["broker"] is not None]
    asked = {(row["broker"], text(stored(row["evidence"]))) for row in rows}
    return asked, " ".join(text(stored(row["settles"])) for row in rows)


@pytest.mark.parametrize("name", ["k28-unclean-loss"])
def test_what_a_follower_states_as_it_follows_a_shorter_leader_needs_no_line_on_its_cut(
    name: str, tmp_path: Path
) -> None:
    """To 3.0 the log class alone prints a cut."""
    folder, recorded = unpack_recording(name, tmp_path)
    truth = of_the_last_topics(recorded)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    assert at_warn(folder, LOGS.search) > 0

    heard = Heard(load([folder]))

    assert missed(truth, heard) == set()
    assert false_claims(truth, heard) == []
