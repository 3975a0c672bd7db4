"""The questions of docs/query.md, asked of the recorded loss: its truth and its logs say what is expected."""

import json
import re
import tarfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gui.workspace.query import ask
from gui.workspace.query_answer import Answer
from gui.workspace.query_tables import DocumentTables, Tables, TraceTables
from importers.load import load
from tests.archives import RECORDINGS, unpack_recording
from tests.stories import SECOND, Story

pytestmark = pytest.mark.broad(16)

GUIDE = Path(__file__).parents[2] / "docs" / "query.md"
QUESTIONS = dict(re.findall(r"### (.+?)\n\n```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL))


def question(start: str) -> str:
    (found,) = (sql for title, sql in QUESTIONS.items() if title.startswith(start))
    return found


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tables, dict[str, Any], Path]:
    """The tables of a document of the recording, its truth, and its folder."""
    from core.diagnose.verdict.check import triaged
    from db.document import create, open_document

    folder = tmp_path_factory.mktemp("recorded")
    case, truth = unpack_recording("k0102-hw-loss", folder)
    trace = load([case])
    create(folder / "loss.tide", [trace], found=[triaged(trace)])
    return DocumentTables(open_document(folder / "loss.tide"), None), truth, case


@pytest.fixture(scope="module")
def answer(recorded: tuple[Tables, dict[str, Any], Path]) -> Callable[[str], Answer]:
    return lambda start: ask(recorded[0], question(start))


def log_lines(case: Path, file: str, pattern: str) -> list[re.Match[str]]:
    text = (case / file).read_text(encoding="utf-8")
    return list(re.finditer(pattern, text))


def test_there_are_ten() -> None:
    assert len(QUESTIONS) == 10


def test_how_long_was_each_topic_without_a_leader() -> None:
    told = Story()
    told.begin()
    told.add("leaderless", 1, leader=-1, epoch=1, isr=[1], wait=60 * SECOND)
    told.add("leader_elected", 1, leader=2, epoch=2, isr=[2], aux=5, wait=41 * SECOND)
    told.add("leaderless", 1, leader=-1, epoch=3, isr=[2], wait=60 * SECOND)
    told.add("leader_elected", 1, leader=1, epoch=4, isr=[1], aux=2, wait=7 * SECOND)

    found = ask(TraceTables(told.trace()), question("How long was each topic"))

    assert found == Answer(("topic", "longest"), (("t", "0:00:41"),))


def test_no_topic_of_the_recording_is_said_to_have_no_leader(answer: Callable[[str], Answer]) -> None:
    """No line says leader -1: between the kill of broker 1 and the election the controller was down too."""
    assert answer("How long was each topic").rows == ()


def test_who_was_out_of_sync(answer: Callable[[str], Answer]) -> None:
    """From 03:29:18.1 on broker 2 was alone in all in-sync sets; 1 and 3 were down until 03:29:19.2."""
    names = [("audit", 0), *(("clicks", n) for n in range(3)), *(("orders", n) for n in range(3))]

    out = {(topic, number, 1) for topic, number in names} | {("audit", 0, 3)}

    assert answer("Who was out of sync").rows == tuple(sorted(out))


@pytest.mark.slow
def test_which_cuts_went_below_a_high_watermark(
    answer: Callable[[str], Answer], recorded: tuple[Tables, dict[str, Any], Path]
) -> None:
    cut = {(one["tp"], one["replica"], one["from"], one["to"]) for one in recorded[1]["truncations"]}

    rows = answer("Which cuts").rows
    told = {(f"{topic}-{n}", broker, start, end) for _, topic, n, broker, start, end, *_ in rows}

    # Both brokers that had led cut what had been committed; the truth saw the files shrink.
    assert {one for one in told if one[1] in (1, 2)} == {
        one for one in cut if one[1] in (1, 2) and one[3] in (205, 206)
    }
    assert {rule for _, _, _, broker, *_, rule in rows if broker == 2} == {"high-watermark"}
    assert {one[:2] for one in told if one[1] == 3} == {("audit-0", 3)}


def test_how_many_elections_did_each_broker_win(answer: Callable[[str], Answer]) -> None:
    """At 03:29:18 broker 2 was elected for seven partitions, at 03:29:23 the preferred leader 1 for all."""
    minute = "2026-11-21T03:29:00.000000000Z"

    assert answer("How many elections").rows == ((1, minute, 7), (2, minute, 7))


def test_what_was_lost(
    answer: Callable[[str], Answer], recorded: tuple[Tables, dict[str, Any], Path]
) -> None:
    lost: Counter[str] = Counter()
    for name, records in recorded[1]["lost"].items():
        lost[name.rpartition("-")[0]] += len(records)

    rows = answer("What was lost").rows

    assert {topic: records for topic, _cause, records, _first in rows} == dict(lost)
    assert {cause for _topic, cause, *_ in rows} == {"high-watermark-truncation"}


def test_who_led_when(answer: Callable[[str], Answer]) -> None:
    rows = answer("Who led orders-0").rows

    assert [(leader, epoch, how) for _, _, leader, epoch, how in rows] == [
        (1, 0, "first"),
        (2, 1, "clean"),
        (1, 2, "preferred"),
    ]
    assert [(start[11:23], until and until[11:23]) for start, until, *_ in rows] == [
        ("03:28:42.229", "03:29:18.121"),
        ("03:29:18.121", "03:29:23.218"),
        ("03:29:23.218", None),
    ]


def test_which_line_shows_each_election(
    answer: Callable[[str], Answer], recorded: tuple[Tables, dict[str, Any], Path]
) -> None:
    case = recorded[2]
    log = "broker-2/logs/controller.log"
    lines = (case / log).read_text(encoding="utf-8").splitlines()
    elected = {
        (match[1], int(match[2]))
        for match in log_lines(case, log, r"Selected new leader .* offline partition \[(\w+),(\d)\]")
    }

    rows = answer("Which line").rows

    assert {(topic, number) for topic, number, *_ in rows} == elected
    assert len(rows) == len(elected) == 7
    for _topic, _number, file, line, message in rows:
        assert file.endswith(log)
        assert lines[line - 1] == message


def test_what_every_replica_held(
    answer: Callable[[str], Answer], recorded: tuple[Tables, dict[str, Any], Path]
) -> None:
    at = 1795231752_000000000
    true = {
        one["replica"]: one["leo"]
        for one in recorded[1]["samples"]
        if one.get("tp") == "orders-0" and "leo" in one and one["at_ns"] <= at
    }

    rows = answer("What did every replica").rows

    assert [(broker, role) for broker, role, *_ in rows] == [(1, "leader"), (2, "follower")]
    for broker, _role, low, high, *_ in rows:
        assert low <= true[broker] <= high


def test_which_partitions_changed_their_in_sync_set(answer: Callable[[str], Answer]) -> None:
    """All shrank to broker 2 at its election; broker 1 came back everywhere, broker 3 to the one it has."""
    rows = answer("Which partitions changed").rows

    assert rows[0] == ("audit", 0, 3, 1)
    assert {row[2:] for row in rows[1:]} == {(2, 1)}
    assert len(rows) == 7


def test_when_was_each_broker_silent(answer: Callable[[str], Answer]) -> None:
    """Broker 3 was killed at 03:29:01.9, at a time when it had little to say, and started at 03:29:20.0."""
    rows = {broker: (began, silence) for broker, began, silence in answer("When was each").rows}

    assert sorted(rows) == [1, 2, 3]
    began, silence = rows[3]
    assert "03:28:57" < began[11:] < "03:29:02"
    assert "0:00:18" < silence < "0:00:24"


def test_the_shipped_recording_is_the_one_in_the_tests() -> None:
    """The guide says to ask the shipped archive; the truth comes with the one in tests/recordings."""
    with tarfile.open(RECORDINGS / "k0102-hw-loss.tar.xz") as archive:
        inner = archive.extractfile("k0102-hw-loss/truth.json")
        assert inner is not None
        assert json.load(inner)["name"] == "k0102-hw-loss"
