"""What `check` answers: losses, what was left out, exit codes, a source as its document."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.message_json import from_plain
from gui.text.render import renderer
from importers.samples import sample_path
from tests.archives import unpack_sample
from tests.importers.test_clusters import moved_broker

pytestmark = pytest.mark.broad(42)
Tell = Callable[..., Any]


@pytest.mark.slow
def test_check_finds_the_recorded_loss_and_exits_with_1(tell: Tell, kept: Path) -> None:
    told = tell("check", kept / "loss.tide", "--json")

    answer = told.json
    assert (told.code, told.err) == (1, "")
    assert {
        "schema",
        "document",
        "origin",
        "complete",
        "left_out",
        "kafka_versions",
        "partitions",
        "findings",
        "report",
    } <= set(answer)
    assert (answer["schema"], answer["origin"]) == (2, "imported")
    orders = next(p for p in answer["partitions"] if (p["topic"], p["partition"]) == ("orders", 0))
    lost = [
        (loss["first_offset"], loss["end_offset"])
        for loss in orders["losses"]
        if loss["class"] == "committed"
    ]
    assert lost == [(206, 254)]
    assert [(c["broker"], c["from_offset"], c["to_offset"]) for c in orders["truncations"]] == [
        (2, 254, 206),
        (1, 256, 254),
        (1, 254, 206),
    ]
    for evidence in orders["losses"][0]["evidence"]:
        assert set(evidence) == {"file", "line", "byte", "text"}


def test_check_tells_each_text_as_a_message_too(tell: Tell, kept: Path) -> None:
    """A program reads the numbers; a person of another language reads the same in that language."""
    answer = tell("check", kept / "loss.tide", "--json").json
    told = [(one["text"], one["message"]) for one in answer["findings"]]
    for partition in answer["partitions"]:
        told += [(loss["explanation"], loss["message"]) for loss in partition["losses"]]
        told += [(one["text"], one["message"]) for loss in partition["losses"] for one in loss["collect"]]
        for ray in (cut["x_ray"] for cut in partition["truncations"]):
            told += [(ray[name], message) for name, message in ray["messages"].items() if message is not None]
            told += [(one["text"], one["message"]) for one in ray["eras"]]

    assert len(told) > 50
    for text, message in told:
        assert renderer("en")(from_plain(message)) == text
        assert renderer("zh")(from_plain(message)) != text
    first = next(one["message"] for one in answer["findings"] if one["check"] == "hw-above-leo")
    assert first["id"] == "finding.hw-above-leo.kept"
    assert (first["values"]["hw"], first["values"]["leo"]) == (254, 206)


def test_check_of_the_fix_exits_with_0(tell: Tell, kept: Path) -> None:
    told = tell("check", kept / "fix.tide", "--json")

    assert told.code == 0
    assert {finding["severity"] for finding in told.json["findings"]} <= {"notice"}


NO_LOSS = """\
[2026-11-21 03:00:00,001] INFO [Kafka Server 1], started (kafka.server.KafkaServer)
[2026-11-21 03:00:01,001] INFO Truncating log t-0 to offset 4. (kafka.log.Log)
"""


def test_check_that_found_nothing_exits_with_3_where_a_log_was_left_out(tell: Tell, tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(NO_LOSS)
    assert tell("check", tmp_path).code == 0
    assert tell("check", tmp_path, "--json").json["left_out"] == []
    (tmp_path / "controller.log").write_text(NO_LOSS.replace("[2026-11-21 ", "[") * 2)

    told = tell("check", tmp_path)
    assert told.code == 3
    assert told.out.splitlines()[0].startswith("1 file is not read, not placed, or says too little")
    assert told.out.splitlines()[1] == "  controller.log: The times of this log have no date"
    assert "Nothing found in the rest." in told.out
    answer = tell("check", tmp_path, "--json").json
    assert answer["complete"] is False
    assert [(one["file"], one["lines"], one["message"]["id"]) for one in answer["left_out"]] == [
        ("controller.log", None, "error.log.no-day")
    ]
    assert tell("check", tmp_path, "--leave-out", "controller.log").code == 0
    assert tell("check", tmp_path, "--date", "2026-11-21").code == 0
    document = tmp_path / "kept.tide"
    assert tell("import", tmp_path, "-o", document).code == 0
    assert tell("check", document).code == 3


def test_check_counts_lines_of_which_no_one_knows_the_broker(tell: Tell, tmp_path: Path) -> None:
    lines = NO_LOSS + NO_LOSS.replace("Server 1", "Server 2").replace("t-0", "t-1").replace("03:00", "03:01")
    (tmp_path / "all.log").write_text(lines)

    told = tell("check", tmp_path, "--json")

    assert told.code == 3
    assert [(one["file"], one["lines"]) for one in told.json["left_out"]] == [("all.log", 2)]


def test_check_finds_no_loss_between_two_clusters_and_says_what_it_left_out(
    tell: Tell, tmp_path: Path
) -> None:
    moved_broker(tmp_path)

    found = tell("check", tmp_path)

    assert found.code == 3
    assert "6 lines: these lines are of cluster AUUcWrmzRmyLn4cI0EmoaQ" in " ".join(found.out.split())


@pytest.mark.slow
def test_a_source_and_its_document_give_the_same_answer(tell: Tell, kept: Path) -> None:
    of_document = tell("check", kept / "fix.tide", "--json").json
    of_source = tell("check", sample_path("k28-epoch-fix"), "--json").json

    assert of_source.pop("document") != of_document.pop("document")
    assert of_source == of_document


def test_check_of_one_partition_has_that_partition(tell: Tell, kept: Path) -> None:
    answer = tell("check", kept / "loss.tide", "--partition", "clicks-1", "--json").json

    assert [(p["topic"], p["partition"]) for p in answer["partitions"]] == [("clicks", 1)]
    assert {(f["topic"], f["partition"]) for f in answer["findings"]} == {("clicks", 1)}


def test_check_chooses_a_trace(tell: Tell, kept: Path) -> None:
    codes = {era: tell("check", kept / "hw.tide", "--trace", era).code for era in ("0.10.2", "0.11", "2.8")}

    assert codes == {"0.10.2": 1, "0.11": 0, "2.8": 0}


def test_check_speaks_to_a_person(tell: Tell, kept: Path) -> None:
    told = tell("check", kept / "loss.tide", "--partition", "orders-0", "--all")

    assert "206–253" in told.out
    assert re.search(r"orders-0 +2 +\S+ \S+ +254 +206 +high watermark", told.out)
    assert "\x1b" not in told.out
    assert all(line == line.rstrip() for line in told.out.splitlines())


def test_check_says_once_what_holds_for_several_partitions(tell: Tell, kept: Path) -> None:
    told = tell("check", kept / "loss.tide", "--all")

    stops = [line for line in told.out.splitlines() if "stopped without" in line]
    # Every broker was killed; 1 and 2 hold all seven partitions, 3 only audit-0 (truth.json).
    assert [re.findall(r"notice +(\S+(?: partitions)?) ", line)[0] for line in stops] == [
        "7 partitions",
        "audit-0",
        "7 partitions",
    ]
    assert all(f" {name}" in stops[0] for name in ("audit-0", "clicks-2", "orders-1"))
    # Broker 2 wrote a checkpoint at 03:28:57 and was silent until its log begins again.
    assert re.search(r" 2026-11-21 03:28:57\.\d+ +2026-11-21 03:29:09\.535 +Broker 2 ", stops[0])
    severities = [line.split()[0] for line in told.out.splitlines() if line.startswith(("loss", "notice"))]
    assert severities == sorted(severities)
    # The same crash is no second finding: the gap in the broker's log is what shows it.
    assert not [
        line for line in told.out.splitlines() if line.startswith("notice   ") and "says nothing" in line
    ]
    assert told.out.index("\nRecords removed\n") < told.out.index("\nTruncations\n")


def test_topics_of_kafka_come_last_and_their_offsets_are_no_records(tell: Tell, tmp_path: Path) -> None:
    """The recorded loss with one of its topics under the name of Kafka's own; 325 are lost (truth.json)."""
    case = unpack_sample("k0102-hw-loss", tmp_path)
    for broker in (1, 2, 3):
        for log in (case / f"broker-{broker}" / "logs").glob("*.log"):
            log.write_text(log.read_text().replace("audit", "__transaction_state"))
        for data in (case / f"broker-{broker}").glob("data*"):
            shutil.rmtree(data)

    out = tell("check", case, "--all").out
    answer = tell("check", case, "--json").json

    records = out.split("\nRecords removed\n")[1].split("\nOffsets removed from compacted topics")[0]
    offsets = out.split("\nOffsets removed from compacted topics")[1].split("\nTruncations\n")[0]
    assert "orders-0 " in records
    assert "__transaction_state" not in records
    assert " records " not in offsets
    rows = [line for line in offsets.splitlines() if "high watermark truncation" in line]
    assert {line.split()[0] for line in rows} == {"__transaction_state-0"}
    assert {one["counted"] for one in _losses(answer, "__transaction_state")} == {"offsets"}
    assert {one["counted"] for one in _losses(answer, "orders")} == {"records"}
    ours = [one["topic"] == "__transaction_state" for one in answer["findings"] if one["severity"] == "loss"]
    assert ours == sorted(ours)
    assert set(ours) == {True, False}


def _losses(answer: dict[str, Any], topic: str) -> list[dict[str, Any]]:
    return [one for part in answer["partitions"] if part["topic"] == topic for one in part["losses"]]


def test_check_of_a_simulation_has_names_and_no_dates(tell: Tell, kept: Path) -> None:
    out = tell("check", kept / "hw.tide", "--trace", "0.10.2", "--all").out

    assert re.search(r"t-0 +1 +1 +0 +committed +high watermark truncation +A, B +none", out)
    assert re.search(r"t-0 +B +00:00:\d\d\.\d+ +2 +1 +high watermark", out)
    assert "1970" not in out
