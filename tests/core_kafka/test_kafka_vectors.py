"""Vectors of Kafka's own tests and of a published description, against our rules. Data: vectors/*.toml."""

import tomllib
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.kafka.epochs import Entries, EpochEnd, assign, cut_end, cut_start, end_of_epoch, latest_epoch
from core.kafka.fencing import refusal
from core.kafka.high_watermark import follower_hw
from core.kafka.switches import EpochAnswer, TruncationRule
from core.kafka.truncation import (
    Ask,
    Cut,
    Next,
    diverges,
    follows_anew,
    on_diverging_answer,
    on_epoch_answer,
    on_following,
    on_out_of_range,
    restart_offset,
)
from core.trace.vocabulary import CutReason, StopReason

BELOW = "lowest-start"


def cases(name: str, kind: str) -> list[Any]:
    text = (Path(__file__).parent / "vectors" / f"{name}.toml").read_text(encoding="utf-8")
    return [pytest.param(case, id=case["id"]) for case in tomllib.loads(text)[kind]]


def entries_of(log: list[int]) -> Entries:
    """The cache of a log that was written record by record."""
    entries: Entries = ()
    for offset, epoch in enumerate(log):
        entries = assign(entries, epoch, offset, "replaces")
    return entries


@pytest.mark.parametrize("case", cases("divergence", "case"))
def test_divergence_of_two_logs(case: dict[str, Any]) -> None:
    follower, leader = entries_of(case["follower"]), entries_of(case["leader"])
    leader = assign(leader, case["epoch"], len(case["leader"]), "replaces")
    leo = len(case["follower"])
    end = end_of_epoch(leader, len(case["leader"]), latest_epoch(follower), BELOW)
    assert diverges(end, latest_epoch(follower), leo) is ("answer" in case)
    if "answer" in case:
        assert end == EpochEnd(*case["answer"])
        cut = on_diverging_answer(end, follower, leo, BELOW)
        assert cut == Cut(case["cut"], CutReason.DIVERGING_EPOCH, needed=True)


@pytest.mark.parametrize("case", cases("epoch_cache", "case"))
def test_epoch_cache(case: dict[str, Any]) -> None:
    entries: Entries = ()
    for verb, *values in case["steps"]:
        match verb:
            case "put":
                epoch, start = values
                entries = assign(entries, epoch, start, "replaces")
            case "cut-end":
                entries = cut_end(entries, *values)
            case "cut-start":
                entries = cut_start(entries, *values)
            case "clear":
                entries = ()
            case "holds":
                assert [list(entry) for entry in entries] == values[0]
            case "latest":
                assert latest_epoch(entries) == values[0]
            case "end":
                asked, leo, epoch, offset = values
                assert end_of_epoch(entries, leo, asked, BELOW) == EpochEnd(epoch, offset)
            case _:
                pytest.fail(f"unknown step {verb}")
        assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(entries))


@dataclass
class Follower:
    """A follower that fetches one record at a time until its log is the leader's."""

    log: list[int]
    hw: int
    cuts: list[tuple[int, int]] = field(default_factory=list)
    """(log end, high watermark) after each cut."""

    def agree(self, leader: list[int], leader_hw: int, rule: TruncationRule, answer: EpochAnswer) -> None:
        known = entries_of(leader)
        first = on_following(rule, answer, entries_of(self.log), len(self.log), self.hw)
        while isinstance(first, Ask):
            asked = latest_epoch(entries_of(self.log))
            end = end_of_epoch(known, len(leader), asked, BELOW)
            cut = on_epoch_answer(
                end, entries_of(self.log), len(self.log), self.hw, answer=answer, below=BELOW
            )
            self.carry_out(cut)
            if cut.then != Next.ASK:
                break
        else:
            if isinstance(first, Cut):
                self.carry_out(first)
        for _ in range(50):
            if self.fetched(leader, known, leader_hw, asks=rule == "epoch-request"):
                return
        pytest.fail("the logs never agree")

    def fetched(self, leader: list[int], known: Entries, leader_hw: int, *, asks: bool) -> bool:
        """One fetch. Gives whether there was nothing left to take."""
        last, leo = latest_epoch(entries_of(self.log)), len(self.log)
        if last >= 0 and not asks:
            end = end_of_epoch(known, len(leader), last, BELOW)
            if diverges(end, last, leo):
                self.carry_out(on_diverging_answer(end, entries_of(self.log), leo, BELOW))
                return False
        self.log += leader[leo : leo + 1]
        self.hw = follower_hw(leader_hw, len(self.log))
        return leo == len(leader)

    def carry_out(self, cut: Cut) -> None:
        if cut.needed:
            del self.log[cut.offset :]
            self.hw = min(self.hw, cut.offset)
            self.cuts.append((len(self.log), self.hw))


@pytest.mark.parametrize("case", cases("truncation", "agree"))
def test_a_follower_comes_to_agree(case: dict[str, Any]) -> None:
    for rule, answer in case["rules"]:
        follower = Follower(list(case["follower"]), case["hw"])
        follower.agree(case["leader"], case["leader_hw"], rule, answer)
        assert [leo for leo, _ in follower.cuts] == case["cuts"]
        assert follower.log == case["leader"]
        assert follower.hw == case["hw_after"]
        if "hw_at_first_cut" in case:
            assert follower.cuts[0][1] == case["hw_at_first_cut"]


@pytest.mark.parametrize("case", cases("truncation", "answer"))
def test_answers_to_an_epoch_request(case: dict[str, Any]) -> None:
    entries: Entries = tuple((epoch, start) for epoch, start in case["entries"])
    leo, hw, cuts = case["leo"], case.get("hw", 0), []
    for number, (epoch, offset) in enumerate(case["answers"], start=1):
        cut = on_epoch_answer(
            EpochEnd(epoch, offset), entries, leo, hw, answer="epoch-and-offset", below=BELOW
        )
        entries, leo = cut_end(entries, cut.offset), min(leo, cut.offset)
        cuts.append(leo)
        assert cut.then == (Next.ASK if number < len(case["answers"]) else Next.FETCH)
    assert cuts == case["cuts"]


@pytest.mark.parametrize("case", cases("truncation", "high_watermark"))
def test_where_no_epoch_can_be_asked_for_the_high_watermark_decides(case: dict[str, Any]) -> None:
    entries: Entries = tuple((epoch, start) for epoch, start in case["entries"])
    cut = on_following(case["rule"], "epoch-and-offset", entries, case["leo"], case["hw"])
    assert cut == Cut(case["hw"], CutReason.LOCAL_HIGH_WATERMARK, needed=True)


@pytest.mark.parametrize("case", cases("truncation", "epoch"))
def test_requests_in_another_epoch(case: dict[str, Any]) -> None:
    expected = StopReason[case["refused"]] if case["refused"] else None
    assert refusal("leader-epoch", leads=True, asked=case["asked"], epoch=case["leader"]) == expected
    assert refusal("none", leads=True, asked=case["asked"], epoch=case["leader"]) is None
    assert (
        refusal("leader-epoch", leads=False, asked=case["asked"], epoch=case["leader"])
        == StopReason.NOT_LEADER
    )


@pytest.mark.parametrize("case", cases("truncation", "range"))
def test_fetches_out_of_range(case: dict[str, Any]) -> None:
    start, end = case["leader"]
    cut = on_out_of_range("cut", end, case["leo"], unclean_allowed=False)
    assert cut is not None
    assert cut.needed is case["cuts"]
    restart = restart_offset(start, case["leo"])
    assert (restart if restart is not None else cut.offset) == case["goes_on_at"]


def test_no_cut_where_the_epoch_did_not_change() -> None:
    assert not any(follows_anew(rule, 5, 5) for rule in ("keep", "follow-after-gap", "follow-anew"))
