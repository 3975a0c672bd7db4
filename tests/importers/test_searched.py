"""Logs of which a search kept the lines with one topic: nothing is taken from what they state of others."""

import re
import shutil
from pathlib import Path

import pytest

from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_recording
from tests.importers.test_logs_of_brokers import written
from tests.recordings.pieces import text_logs
from tests.recordings.referee import (
    Heard,
    false_losses,
    invented_cuts,
    of_the_last_topics,
    outside,
    wrong_end,
    wrong_leaders,
)

pytestmark = pytest.mark.broad(3)

LOGGER = "(kafka.server.ReplicaFetcherManager)"


def at(second: int, text: str) -> str:
    return f"[2026-11-21 03:00:{second:02d},000] INFO {text}\n"


def added(second: int, *topics: str) -> str:
    """A line of 2.8 on fetchers, for as many partitions as there are topics."""
    fetched = ", ".join(
        f"{one}-0 -> InitialFetchState(BrokerEndPoint(id=1, host=h:9092),0,5)" for one in topics
    )
    text = f"[ReplicaFetcherManager on broker 2] Added fetcher to broker 1 for partitions Map({fetched})"
    return at(second, f"{text} {LOGGER}")


def cut(second: int, topic: str) -> str:
    head = f"[Log partition={topic}-0, dir=/data] Truncating to offset 3"
    return at(second, f"{head} (kafka.log.Log)")


def topics_of(trace: Trace) -> set[str]:
    return {one.tp.topic for one in trace.partitions}


@pytest.mark.parametrize("searched", [True, False])
def test_a_log_in_which_every_line_names_one_topic_tells_nothing_of_others(
    tmp_path: Path, *, searched: bool
) -> None:
    lines = [added(1, "orders", "clicks"), cut(2, "orders"), added(3, "orders", "clicks"), cut(4, "orders")]
    if not searched:
        lines.append(cut(5, "clicks"))

    trace = load([written(tmp_path, {"broker-2/server.log": "".join(lines)})])

    assert topics_of(trace) == ({"orders"} if searched else {"orders", "clicks"})
    left = [(row["lines"], row["reason"]["id"]) for row in trace.report["left_out"]]
    assert left == ([(2, "report.searched")] if searched else [])


def test_lines_that_always_name_the_same_topics_show_no_search(tmp_path: Path) -> None:
    lines = "".join(added(second, "orders", "clicks") for second in range(4))

    trace = load([written(tmp_path, {"broker-2/server.log": lines})])

    assert topics_of(trace) == {"orders", "clicks"}


@pytest.mark.parametrize("topic", ["orders", "clicks", "audit"])
def test_of_logs_that_were_searched_for_a_topic_nothing_false_is_said(topic: str, tmp_path: Path) -> None:
    """Followers fetched from 247 for all partitions in one line; that they then cut to 216 is in others."""
    folder, truth = unpack_recording("k28-ibp0102-hw-loss", tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    for path in text_logs(folder):
        lines = path.read_text("utf-8", "replace").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if topic in line))
    truth, heard = of_the_last_topics(truth), Heard(load([folder]))

    for claims in (false_losses, invented_cuts, wrong_leaders, wrong_end):
        assert claims(truth, heard) == []
    assert outside(truth, heard, step=3)[0] == []


@pytest.mark.parametrize("words", [r"WARN|ERROR|Trunc|ISR", r"(?i)truncat", r"(?i)leader"])
def test_of_logs_that_were_searched_for_words_nothing_false_is_said(words: str, tmp_path: Path) -> None:
    """No start is left: broker 2 comes back with a lower high watermark, 204, than it had before."""
    folder, truth = unpack_recording("k28-ibp0102-hw-loss", tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    for path in text_logs(folder):
        lines = path.read_text("utf-8", "replace").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if re.search(words, line)))
    truth, heard = of_the_last_topics(truth), Heard(load([folder]))

    for claims in (false_losses, invented_cuts, wrong_leaders, wrong_end):
        assert claims(truth, heard) == []
    assert outside(truth, heard, step=1)[0] == []
    left = heard.trace.report["left_out"]
    assert {row["reason"]["id"] for row in left} == {"report.searched-words"}
    assert "broker-2/logs/server.log" in {row["file"] for row in left}


def test_a_part_of_a_log_that_was_not_searched_is_not_called_so(tmp_path: Path) -> None:
    cuts = [at(number, f"Truncating log t-0 to offset {number}. (kafka.log.Log)") for number in range(30)]
    pasted = tmp_path / "pasted" / "broker-1" / "server.log"
    whole = tmp_path / "whole" / "broker-1" / "server.log"
    for place, text in ((pasted, cuts[:19]), (whole, [*cuts, at(31, "[Kafka Server 1], started (kafka.K)")])):
        place.parent.mkdir(parents=True)
        place.write_text("".join(text))

        assert load([place.parent.parent]).report["left_out"] == []

    whole.write_text("".join(cuts))
    (row,) = load([tmp_path / "whole"]).report["left_out"]
    assert row["reason"]["id"] == "report.searched-words"
