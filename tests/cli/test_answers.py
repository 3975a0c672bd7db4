"""What commands answer, and with which exit code. Numbers are the articles' and the recordings' truth."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from importers.samples import sample_path

pytestmark = pytest.mark.broad(42)
Tell = Callable[..., Any]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z")


def test_state_answers_each_moment_in_the_order_asked(tell: Tell, kept: Path) -> None:
    told = tell("state", kept / "hw.tide", "--trace", "0.10.2", "--at", 114, "--at", 0, "--json")

    last, first = (json.loads(line) for line in told.out.splitlines())
    assert told.code == 0
    assert (last["cursor"], first["cursor"], first["at"]) == (114, 0, None)
    assert TIME.fullmatch(last["at"])
    (partition,) = last["partitions"]
    assert set(partition) == {"topic", "partition", "leader", "leader_epoch", "isr", "replicas"}
    # m1 is gone, m2 stands at its offset: both end at 2, B leads in epoch 1.
    assert (partition["leader"], partition["leader_epoch"]) == (2, 1)
    for replica in partition["replicas"]:
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
        assert replica["leo"] == {"lo": 2, "hi": 2, "basis": "observed", "rules": ["stated"]}


def test_a_time_means_after_all_events_up_to_then(tell: Tell, kept: Path) -> None:
    document = kept / "loss.tide"
    events = [json.loads(line) for line in tell("events", document, "--json").out.splitlines()]
    at = events[500]["at"]
    upto = sum(1 for event in events if event["at"] <= at)

    answer = tell("state", document, "--at", at, "--json").json

    assert (answer["cursor"], answer["at"]) == (upto, at)
    assert tell("state", document, "--at", "1999-01-01T00:00:00Z", "--json").json["cursor"] == 0


def test_a_time_may_stand_without_its_date(tell: Tell, kept: Path) -> None:
    """The recording is of less than a minute: 03:29:10 is of one day, 04:29:10 of none."""
    document = kept / "loss.tide"

    short, whole, outside, none = (
        tell("state", document, "--at", at, "--json")
        for at in ("03:29:10.161", "2026-11-21T03:29:10.161Z", "04:29:10", "25:29:10")
    )

    assert short.json == whole.json
    assert (outside.code, none.code) == (2, 2)
    assert "04:29:10" in outside.err
    assert "2026-11-21T03:28:39.618" in outside.err
    assert "'25:29:10' is not a time" in none.err


def test_a_file_of_moments_gives_a_line_each(tell: Tell, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "at.txt").write_text("2026-11-21T03:29:10.161Z\n\n7\n7\n", encoding="utf-8")

    told = tell("state", kept / "loss.tide", "--at-file", tmp_path / "at.txt", "--json")

    answers = [json.loads(line) for line in told.out.splitlines()]
    assert [answer["cursor"] for answer in answers][1:] == [7, 7]
    assert len(answers[0]["partitions"]) == 7


def test_state_speaks_to_a_person(tell: Tell, kept: Path) -> None:
    told = tell("state", kept / "hw.tide", "--trace", "2.8")

    assert re.search(r"t-0 +1 +follower +1 +in +0 +3 +3 +\(0, 0\) \(1, 2\)", told.out)


def test_state_says_why_down_to_lines_of_the_logs(tell: Tell, kept: Path) -> None:
    """Read in the files: broker 1's checkpoint says 218 at the end, its segment of orders-2 ends at 218."""
    asked = ("state", kept / "loss.tide", "--partition", "orders-2", "--at", "2026-11-21T03:29:26Z", "--why")

    (partition,) = tell(*asked, "--json").json["partitions"]
    leo = partition["replicas"][0]["leo"]
    lower, upper = leo["because"]
    assert [(one["value"], one["side"], one["bound"], one["rule"]) for one in lower] == [
        ("leo", "at least", 218, "in-sync-holds-committed"),
        ("hw", "at least", 218, "checkpoint"),
    ]
    assert lower[0]["evidence"] == []
    (line,) = lower[1]["evidence"]
    assert line["file"].endswith("broker-1/data/replication-offset-checkpoint")
    assert line["text"] == "orders 2 218"
    assert (leo["lo"], leo["hi"]) == (lower[0]["bound"], upper[0]["bound"])

    told = tell(*asked).out
    assert "Why: orders-2, broker 1" in told
    assert re.search(r"03:29:27\.482 +High watermark of broker 1 at least 218: the checkpoint", told)
    assert re.search(r"broker-1/data/replication-offset-checkpoint:8 +orders 2 218", told)
    assert re.search(r"broker-1/data/orders-2/0{20}\.log @ [\d,]+$", told, re.MULTILINE)


def test_a_simulation_has_no_bounds_to_explain(tell: Tell, kept: Path) -> None:
    answer = tell("state", kept / "hw.tide", "--trace", "2.8", "--why", "--json").json

    assert {json.dumps(one["leo"]["because"]) for one in answer["partitions"][0]["replicas"]} == {"[]"}


def test_events_come_one_a_line_in_order(tell: Tell, kept: Path) -> None:
    told = tell("events", kept / "hw.tide", "--trace", "0.10.2", "--json")

    events = [json.loads(line) for line in told.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(len(events)))
    cuts = [event for event in events if event["kind"] == "truncated"]
    assert [(cut["replica"], cut["from_offset"], cut["offset"]) for cut in cuts] == [(2, 2, 1), (1, 2, 1)]
    assert set(cuts[0]["evidence"]) == {"file", "line", "byte"}
    assert cuts[0]["evidence"]["file"] == "hw-loss.toml"
    assert all(event["cause"] is None or event["cause"] < event["seq"] for event in events)


def test_events_can_be_chosen(tell: Tell, kept: Path) -> None:
    told = tell("events", kept / "loss.tide", "--partition", "orders-0", "--kind", "truncated", "--json")

    events = [json.loads(line) for line in told.out.splitlines()]
    assert {(event["kind"], event["partition"]) for event in events} == {("truncated", "orders-0")}
    assert 206 in [event["offset"] for event in events]


def test_info_says_what_is_in_it(tell: Tell, kept: Path) -> None:
    answer = tell("info", kept / "hw.tide", "--json").json

    assert [trace["name"] for trace in answer["traces"]] == ["0.10.2", "0.11", "2.8"]
    assert all(re.fullmatch(r"[0-9a-f]{64}", trace["digest"]) for trace in answer["traces"])
    assert len({trace["digest"] for trace in answer["traces"]}) == 3
    text = tell("info", kept / "loss.tide").out
    assert "orders-0" in text
    assert "0.10.2.2" in text


def test_info_and_the_report_of_an_import_speak_chinese(tell: Tell, tmp_path: Path) -> None:
    path = sample_path("k0102-hw-loss")
    told = tell("info", path, "--lang", "zh").out
    report = tell("import", path, "-o", tmp_path / "a.tide", "--lang", "zh").out

    for words in (told, report):
        assert not [word for word in ("missing", "replicas", "recognised", "files") if word in words]
        assert "缺失：broker 1 " in words
    assert "60 个文件" in report
    assert re.search(r"^分区 +副本 +事件$", told, re.MULTILINE)


def test_the_digest_is_that_of_the_source(tell: Tell, kept: Path) -> None:
    of_document = tell("info", kept / "loss.tide", "--json").json["traces"][0]
    of_source = tell("info", sample_path("k0102-hw-loss"), "--json").json["traces"][0]

    assert of_source["digest"] == of_document["digest"]


def test_compare_names_the_first_difference_and_exits_with_1(tell: Tell, kept: Path) -> None:
    told = tell("compare", kept / "loss.tide", kept / "fix.tide", "--partition", "orders-0", "--json")

    assert told.code == 1
    answer = told.json
    assert answer["axis"] == "landmarks"
    assert answer["first"]["left"] == "254 → 206: cut to its own high watermark"
    assert {"left", "right", "key"} <= set(answer["anchors"][0])


def test_compare_exits_with_0_where_runs_decide_alike(tell: Tell, kept: Path) -> None:
    told = tell("compare", kept / "hw.tide", "--trace", "0.11", "--trace", "2.8", "--json")

    assert told.code == 0
    assert (told.json["axis"], told.json["differences"], told.json["first"]) == ("script", [], None)


def test_compare_speaks_to_a_person(tell: Tell, kept: Path) -> None:
    out = tell("compare", kept / "hw.tide").out

    assert "Broker B (2) starts and follows broker A. How far back does it cut?" in out
    assert "2 → 1: cut to its own high watermark" in out


def test_import_says_what_it_read(tell: Tell, tmp_path: Path) -> None:
    told = tell("import", sample_path("k28-epoch-fix"), "-o", tmp_path / "a.tide", "--json")

    (trace,) = told.json["traces"]
    assert told.code == 0
    assert {broker["broker"]: broker["version"] for broker in trace["brokers"]} == {
        1: "2.8.2",
        2: "2.8.2",
        3: "2.8.2",
    }
    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]


@pytest.mark.slow
def test_import_replaces_only_when_told(tell: Tell, tmp_path: Path) -> None:
    target = tmp_path / "a.tide"
    target.write_text("precious", encoding="utf-8")

    refused = tell("import", sample_path("k28-epoch-fix"), "-o", target)
    assert (refused.code, target.read_text(encoding="utf-8")) == (2, "precious")

    assert tell("import", sample_path("k28-epoch-fix"), "-o", target, "--replace").code == 0
    assert tell("info", target).code == 0


def test_simulations_are_the_same_each_time(tell: Tell, kept: Path, tmp_path: Path) -> None:
    tell("simulate", "hw-loss", "--era", "2.8,0.10.2", "-o", tmp_path / "a.tide")

    again = {t["name"]: t["digest"] for t in tell("info", tmp_path / "a.tide", "--json").json["traces"]}
    before = {t["name"]: t["digest"] for t in tell("info", kept / "hw.tide", "--json").json["traces"]}
    assert list(again) == ["2.8", "0.10.2"]
    assert again == {name: before[name] for name in again}


def test_a_switch_can_be_set(tell: Tell, tmp_path: Path) -> None:
    told = tell(
        *("simulate", "two-replica-sync", "--era", "0.10.2", "--set", "fetch-answer-hw=after"),
        *("-o", tmp_path / "a.tide"),
    )

    assert told.code == 0
    (trace,) = tell("info", tmp_path / "a.tide", "--json").json["traces"]
    assert trace["name"] == "0.10.2+fetch-answer-hw=after"


def test_a_scenario_may_be_a_file(tell: Tell, tmp_path: Path) -> None:
    from core.sim.library import scenario

    (tmp_path / "mine.toml").write_text(scenario("hw-loss").text, encoding="utf-8")

    told = tell("simulate", tmp_path / "mine.toml", "--era", "0.10.2", "-o", tmp_path / "a.tide")

    assert told.code == 0
    assert tell("check", tmp_path / "a.tide").code == 1


def test_one_trace_an_era_is_too_many_to_compare_and_both_commands_say_how_to_choose(
    tell: Tell, tmp_path: Path
) -> None:
    from core.kafka.eras import ERAS

    told = tell("simulate", "one-fetch", "-o", tmp_path / "a.tide")
    *lines, hint = told.out.splitlines()
    refused = tell("compare", tmp_path / "a.tide")

    assert len(lines) == len(ERAS) > 4
    assert refused.code == 2
    assert f"There are {', '.join(one.id for one in ERAS)}." in refused.err
    for said in (hint, refused.err):
        assert f"--trace {ERAS[0].id} --trace {ERAS[-1].id}" in said
    assert tell(*hint.partition("tidegauge ")[2].split()).code in (0, 1)
    # Two of them fit, and need no choice.
    told = tell("simulate", "one-fetch", "--era", "0.10.2,2.8", "-o", tmp_path / "b.tide")
    assert told.out.splitlines()[-1].endswith("b.tide")
    assert tell("compare", tmp_path / "b.tide").code in (0, 1)


def test_simulate_without_a_document_is_text(tell: Tell) -> None:
    told = tell("simulate", "hw-loss", "--era", "0.10.2")

    assert told.code == 0
    assert "broker A" in told.out
    assert "truncated" in told.out


def test_scenarios_and_eras_are_listed(tell: Tell) -> None:
    scenarios = tell("scenarios", "--json").json
    eras = tell("eras", "--json").json

    assert {"hw-loss", "hw-divergence", "two-replica-sync", "three-replica-sync", "isr-shrink"} <= {
        one["scenario"] for one in scenarios
    }
    assert set(scenarios[0]["title"]) == {"en", "zh"}
    assert [era["era"] for era in eras["eras"]][:1] == ["0.10.2"]
    assert {switch["switch"] for switch in eras["switches"]} == set(eras["eras"][0]["switches"])
    assert "hw-loss" in tell("scenarios").out
    others = {one["scenario"]: one["other_names"] for one in scenarios}
    assert others["silent-divergence"] == ["s4"]
    assert not {"s3", "s4", "s5", "s6"} & set(others)
    assert "fetch-answer-hw" in tell("eras").out


def test_doctor_looks_at_everything(tell: Tell) -> None:
    told = tell("doctor", "--json")

    found = {one["what"]: one for one in told.json}
    assert told.code == 0
    assert found["numpy"]["well"]
    assert found["Qt"]["well"]
    assert not found["display"]["well"]
    assert found["display"]["advice"]


@pytest.mark.parametrize(
    ("ending", "head"),
    [
        pytest.param(".png", b"\x89PNG", marks=pytest.mark.slow),
        (".svg", b"<?xml"),
        (".pdf", b"%PDF"),
        (".txt", b""),
    ],
)
def test_export_writes_what_the_ending_says(
    tell: Tell, kept: Path, tmp_path: Path, ending: str, head: bytes
) -> None:
    one, both = tmp_path / f"one{ending}", tmp_path / f"both{ending}"

    assert tell("export", kept / "loss.tide", "--partition", "orders-0", "-o", one).code == 0
    assert tell("export", kept / "loss.tide", kept / "fix.tide", "-o", both).code == 0

    assert one.read_bytes().startswith(head)
    assert both.read_bytes().startswith(head)
    assert one.read_bytes() != both.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([one.name, both.name])


def test_a_note_is_in_the_picture(tell: Tell, kept: Path, tmp_path: Path) -> None:
    from core.sim.library import scenario
    from db.anchors import anchor_of
    from db.document import open_document
    from db.notes import Note

    assert scenario("hw-loss")
    target = tmp_path / "a.tide"
    target.write_bytes((kept / "hw.tide").read_bytes())
    with open_document(target, write=True) as document:
        trace = document.trace("0.10.2")
        document.put_note(Note(0, "0.10.2", anchor_of(trace, 64), "Unmistakable"))

    tell("export", target, "-o", tmp_path / "all.svg")
    tell("export", target, "--trace", "0.10.2", "-o", tmp_path / "one.svg")
    tell("export", target, "--trace", "2.8", "-o", tmp_path / "other.svg")

    texts = {
        name: (tmp_path / name).read_text(encoding="utf-8") for name in ("all.svg", "one.svg", "other.svg")
    }
    assert "Unmistakable" in texts["all.svg"]
    assert "Unmistakable" in texts["one.svg"]
    assert "Unmistakable" not in texts["other.svg"]


@pytest.mark.slow
def test_demo_without_a_display_writes_pictures_twice(tell: Tell, tmp_path: Path) -> None:
    for replaced in (0, 2):
        told = tell("demo", "--out", tmp_path)

        assert told.code == 0
        assert "no display" in told.out
        assert sorted(file.name for file in tmp_path.iterdir()) == ["hw-loss.png", "hw-loss.svg"]
        assert all(str(tmp_path / name) in told.out for name in ("hw-loss.png", "hw-loss.svg"))
        assert told.out.count("(replaced)") == replaced


def test_explain_tells_the_recorded_loss_with_file_and_line(tell: Tell, kept: Path) -> None:
    told = tell("explain", kept / "loss.tide", "--partition", "orders-0")

    assert told.code == 0
    assert "**Lost: 48 records that had been committed or acknowledged, offsets 206 to 253.**" in told.out
    assert "broker-2/logs/server.log:394" in told.out


def test_explain_without_a_partition_takes_the_worst_and_speaks_chinese_as_json(
    tell: Tell, kept: Path
) -> None:
    answer = tell("explain", kept / "loss.tide", "--lang", "zh", "--json").json

    assert answer["lang"] == "zh"
    # Of the partitions with losses audit-0 lost most: 49 records, the others 48.
    assert answer["partition"] == "audit-0"
    assert any("丢失" in one["text"] for one in answer["summary"])
    assert {one["key"] for one in answer["sections"]} >= {"happened", "cuts", "losses", "prevention"}


def test_explain_of_a_loss_that_there_is_not_exits_with_2(tell: Tell, kept: Path) -> None:
    told = tell("explain", kept / "fix.tide", "--partition", "orders-0", "--loss", "9")

    assert (told.code, told.out) == (2, "")
    assert "There is no loss 9" in told.err


def test_ties_are_kept_in_the_document_until_others_are(tell: Tell, kept: Path, tmp_path: Path) -> None:
    place = tmp_path / "tied.tide"
    place.write_bytes((kept / "hw.tide").read_bytes())
    asked = ("compare", place, "--trace", "0.11", "--trace", "2.8", "--json")

    assert tell(*asked).json["axis"] == "script"
    assert tell(*asked, "--tie", "17=23").json["axis"] == "hand"
    assert tell(*asked).json["axis"] == "script"

    assert tell(*asked, "--tie", "17=23", "--keep").json["axis"] == "hand"
    again = tell(*asked).json
    assert again["axis"] == "hand"
    assert (17, 23) in {(one["left"], one["right"]) for one in again["anchors"]}

    assert tell(*asked, "--keep").json["axis"] == "script"
    assert tell(*asked).json["axis"] == "script"


@pytest.mark.slow
def test_ties_between_logs_have_no_place_to_be_kept(tell: Tell) -> None:
    sample = Path(__file__).parents[1] / "recordings" / "k43-elr.tar.xz"
    said = tell("compare", sample, sample, "--tie", "3=4", "--keep")

    assert said.code == 2
    assert "Ties are kept in a document" in said.err


def test_the_last_stable_offset_has_a_column_where_there_are_transactions(
    tell: Tell, kept: Path, tmp_path: Path
) -> None:
    """m0 and m1 have the offsets 0 and 2, their markers 1 and 3; m2 at 4 is open, and n0 stands behind it."""
    document = tmp_path / "open.tide"
    tell("simulate", "open-transaction", "--era", "4.1", "-o", document)
    events = [json.loads(line) for line in tell("events", document, "--json").out.splitlines()]
    moves = [one for one in events if (one["kind"], one.get("replica"), one.get("hw")) == ("hw_moved", 2, 6)]
    _, head, *rows = tell("state", document, "--at", moves[0]["seq"] + 1).out.splitlines()
    assert head.split()[5:9] == ["start", "LEO", "HW", "LSO"]
    assert [row.split()[-5:-2] for row in rows] == [["6", "6", "4"]] * 2
    assert "LSO" not in tell("state", kept / "loss.tide").out


def test_a_disk_behind_a_remote_tier_has_a_column(tell: Tell, kept: Path, tmp_path: Path) -> None:
    """KIP-405: the log begins at 0 on each broker, the disk at 6; without a tier there is no such column."""
    document = tmp_path / "tiered.tide"
    tell("simulate", "tiered-new-disk", "--era", "4.1", "-o", document)
    assert "start  on disk  LEO" in tell("state", document).out
    partition = json.loads(tell("state", document, "--json").out)["partitions"][0]
    places = [(one["log_start"]["lo"], one["local_start"]["lo"]) for one in partition["replicas"]]
    assert places == [(0, 6)] * 3
    assert "on disk" not in tell("state", kept / "loss.tide").out
