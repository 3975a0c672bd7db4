"""`tidegauge conform`: exit codes, the JSON, and what a person reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from importers.samples import sample_path

pytestmark = pytest.mark.broad(8)

Tell = Callable[..., Any]


def test_a_trace_is_taken_by_its_own_release(tell: Tell, kept: Path) -> None:
    told = tell("conform", kept / "loss.tide", "--json")

    assert (told.code, told.json["schema"], told.json["own_release"]) == (0, 1, "0.10.2")
    eras = {one["era"]: one for one in told.json["eras"]}
    assert list(eras)[:3] == ["0.10.2", "0.11", "1.1"]
    assert (eras["0.10.2"]["accepted"], eras["0.10.2"]["breaks_at"]) == (True, None)
    broken = eras["2.8"]["breaks_at"]
    assert set(broken) == {"seq", "at", "rule", "text", "evidence"}
    assert broken["evidence"][0]["line"] == 394
    assert "254" in broken["text"]
    assert eras["2.8"]["bounds"]["fitting"] > 0


def test_an_era_that_refuses_exits_with_1_and_each_asked_one_counts(tell: Tell, kept: Path) -> None:
    assert tell("conform", kept / "loss.tide", "--era", "2.8", "--json").code == 1
    told = tell("conform", kept / "loss.tide", "--era", "0.10.2", "--era", "2.8", "--json")

    assert told.code == 1
    assert [one["accepted"] for one in told.json["eras"]] == [True, False]


def test_an_era_with_a_switch_is_asked_by_its_name(tell: Tell, kept: Path) -> None:
    """0.10.2 could have made that loss; with the request of KIP-101 it could not."""
    plain, asks = "0.10.2+unclean-election=false", "0.10.2+truncation=epoch-request+epoch-entry=first-write"
    told = [tell("conform", kept / "loss.tide", "--era", name, "--json") for name in (plain, asks)]

    assert [one.code for one in told] == [0, 1]
    assert [one.json["eras"][0]["era"] for one in told] == [plain, asks]
    assert told[1].json["eras"][0]["breaks_at"]["rule"] == "truncation.cut"


def test_nothing_that_is_decided_exits_with_3(tell: Tell, tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("[2026-01-01 00:00:00,000] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)\n")
    told = tell("conform", log, "--era", "2.8", "--json")

    assert (told.code, told.json["eras"][0]["accepted"]) == (3, None)


@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "In 2.0, 2.1 and 2.4 a follower asks"), ("zh", "它自己的版本：0.10.2")],
)
def test_a_person_reads_what_breaks_once_for_all_eras_alike(
    tell: Tell, kept: Path, language: str, says: str
) -> None:
    eras = [word for one in ("2.0", "2.1", "2.4") for word in ("--era", one)]
    told = tell("conform", kept / "loss.tide", *eras, "--lang", language)

    assert told.code == 1
    assert says in " ".join(told.out.split())
    assert told.out.count("254") == 1


def test_what_is_not_decided_is_told_with_what_is_missing(tell: Tell) -> None:
    """4.0 has eligible leader replicas by choice (KIP-966): logs do not say whether they were on."""
    told = tell("conform", sample_path("k43-elr"), "--era", "4.0", "--json")
    bounds = told.json["eras"][0]["bounds"]

    assert sum(one["count"] for one in bounds["missing"]) == bounds["not_decided"] > 0
    said = {one["rule"]: one["text"] for one in bounds["missing"]}
    assert "eligible.leader.replicas.version" in said["election.eligible"]
    assert {one["rule"] for one in told.json["unread"]} >= {"controller.zookeeper", "fetch.last-epoch"}
    human = tell("conform", sample_path("k43-elr"), "--era", "4.0")
    assert "(election.eligible) stay open in 4.0: nothing states" in " ".join(human.out.split())


def test_what_cannot_be_asked_is_refused_in_one_sentence(tell: Tell, kept: Path) -> None:
    for more, what in (
        (("--era", "2.9"), "2.8"),
        (("--era", "2.8+truncation=never"), "fetch-divergence"),
        (("--partition", "nothing-0"), "orders-0"),
    ):
        told = tell("conform", kept / "loss.tide", *more)
        assert (told.code, told.out) == (2, ""), more
        assert what in told.err


def test_a_search_refuses_what_no_rule_refuses_and_names_the_setting_of_another_release(
    tell: Tell, tmp_path: Path
) -> None:
    """A fetch of 2.1 names no epoch of its last record; 2.8 does not either with a protocol before 2.7."""
    run = tmp_path / "run.tide"
    assert tell("simulate", "one-fetch", "--era", "2.1", "-o", run).code == 0
    asked = [word for one in ("2.8", "3.3") for word in ("--era", one)]
    plain = tell("conform", run, *asked, "--json")
    told = tell("conform", run, *asked, "--search", "--json")

    assert [one["accepted"] for one in plain.json["eras"]] == [True, True]
    assert "search" not in plain.json["eras"][0]
    kept, refused = told.json["eras"]
    assert (told.code, kept["accepted"], refused["accepted"]) == (1, True, False)
    assert (kept["search"]["outcome"], kept["search"]["era"]) == ("found", "2.8+truncation=epoch-request")
    assert refused["breaks_at"]["rule"] == "search"
    assert (refused["search"]["outcome"], refused["search"]["same_facts"]) == ("impossible", True)
    human = " ".join(tell("conform", run, *asked, "--states", "50").out.split())
    assert "one of 2.8+truncation=epoch-request." in human
    assert "In 3.3 fetch_sent comes with another aux." in human


def test_logs_are_not_searched_and_it_is_said_why(tell: Tell, kept: Path) -> None:
    told = tell("conform", kept / "loss.tide", "--era", "0.10.2", "--search", "--json")

    assert (told.code, told.json["eras"][0]["accepted"]) == (0, True)
    assert told.json["eras"][0]["search"]["outcome"] == "open"
    assert "simulated" in told.json["eras"][0]["search"]["text"]
