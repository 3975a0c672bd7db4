"""The truth of a recording can deny what the program says: what holds against it, a false one denies."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pytest

from core.diagnose.narrate.why import why
from core.diagnose.verdict.check import diagnose_partition
from core.history.open import open_history
from core.message import AtLeast, Count
from core.sim.library import scenario
from tests.claims.by_truth import BY_TRUTH
from tests.claims.claim import At, counts
from tests.claims.held import every_message
from tests.claims.recorded import NO_TRUTH, era_of, release_of_text, truth_of
from tests.claims.seen import Seen
from tests.claims.world import Run
from tests.recordings.whole import whole as whole_recording

SAID_IN: Final = ("k0102-hw-loss", "k28-epoch-fix", "k43-elr", "k41-txn", "k28-unclean-loss", "k43-failover")
MOST: Final = 40
"""Places of a sentence that are asked, in each recording."""
FAR: Final = 1_000_000
BY_LINE: Final = frozenset(
    (
        "nothing_is_flushed",
        "no_line_of_it_is_there",
        "a_fetch_beyond_the_log_is_cut",
        "its_line_says_so",
        "its_release_marks_recoveries",
        "its_release_has_transactions",
        "a_producer_wrote",
        "nothing_names_the_rule",
    )
)
"""Predicates that ask the event's own line, or the release."""
CONFIRMS_ONLY: Final = frozenset(
    (
        "these_were_eligible",  # The cluster is asked seldom: another set may have stood between two answers.
        "it_came_from_the_set",
        "it_led_last",
        "it_was_the_controller",
        "another_leads_then",
        "that_epoch_had_begun",
        "nothing_was_cut",
        "it_led_then",
    )
)
"""Predicates that the truth can confirm, and not deny."""
NOT_REACHED: Final = frozenset(
    (
        "its_log_was_empty",
        "the_checkpoint_was_written_before_the_stop",
        "it_led_and_nothing_was_confirmed",
        "who_lagged_was_stopped_or_frozen",
        "it_was_written_at_most_five_seconds_before_the_stop",
        "its_log_got_no_records",
        "it_was_told_to_stop",
    )
)
"""Predicates that deny under a truth that is false in another way than those below."""


def _numbers(truth: dict[str, Any], change: Callable[[int], int]) -> dict[str, Any]:
    """The truth with every log end, high watermark, cut and record elsewhere."""
    for sample in truth["samples"]:
        for name in ("leo", "hw", "hw_checkpoint"):
            if sample.get(name) is not None:
                sample[name] = change(sample[name])
    for cut in truth["truncations"]:
        cut["from"], cut["to"] = change(cut["from"]), change(cut["to"])
    for mark in truth.get("disk_marks") or ():
        for replicas in mark["replicas"].values():
            for one in replicas.values():
                one["leo"] = change(one["leo"])
    for partition in truth["final"].values():
        for one in partition["replicas"].values():
            one["leo"] = change(one["leo"])
            one["log_start"] = None if one.get("log_start") is None else change(one["log_start"])
            one["hw_checkpoint"] = change(one.get("hw_checkpoint") or 0)
            one["records"] = [[change(at), epoch, value] for at, epoch, value in one["records"]]
            one["epoch_checkpoint"] = [[90, change(0)]]
    truth["metadata_batches"] = {
        first: (end, epoch + 7) for first, (end, epoch) in truth["metadata_batches"].items()
    }
    return truth


def higher(truth: dict[str, Any]) -> dict[str, Any]:
    return _numbers(truth, lambda one: one + FAR)


def nothing(truth: dict[str, Any]) -> dict[str, Any]:
    return _numbers(truth, lambda _: 0)


def others(truth: dict[str, Any]) -> dict[str, Any]:
    """Other brokers led, were in sync, and were the controller; producers were answered all the time."""
    for sample in truth["samples"]:
        if sample.get("leader") is not None:
            sample["leader"] = 99 if sample["leader"] >= 0 else 1
            sample["isr"] = [98]
            sample["elr"] = [97]
        if "controller" in sample:
            sample["controller"] = 99
    for records in truth["acked"].values():
        for one in records:
            one["by_leader"] = 99
    for topic in truth["topics"]:
        topic["assignment"] = [[99] for _ in topic["assignment"]]
    return truth


def led_by_all(truth: dict[str, Any]) -> dict[str, Any]:
    """Whoever follows leads, and is in sync."""
    for sample in truth["samples"]:
        if sample.get("leader") is not None:
            sample["leader"], sample["isr"] = 2 if sample["leader"] == 1 else 1, [1, 2, 3]
    return truth


def nothing_done(truth: dict[str, Any]) -> dict[str, Any]:
    """All processes were stopped long before, by a kill, and transactions ended the other way."""
    made = [one for one in truth["steps"] if one["do"] in ("create_topic", "txn")]
    for one in made:
        if one["do"] == "txn":
            one["end"] = {"commit": "abort", "abort": "commit"}.get(one["end"], one["end"])
        else:
            one["at_ns"] -= 10**13
    stops = [{"do": "kill", "broker": broker, "at_ns": 0} for broker in range(1, 4)]
    begun = [{"do": "term", "broker": broker, "at_ns": 1} for broker in range(100, 104)]
    truth["steps"] = [*stops, *begun, *made]
    return truth


def always_up(truth: dict[str, Any]) -> dict[str, Any]:
    """All processes ran all the time, stopped once in order before; producers were confirmed throughout."""
    made = [one for one in truth["steps"] if one["do"] == "create_topic"]
    nodes = {step.get("broker", step.get("node")) for step in truth["steps"]} - {None}
    truth["steps"] = [
        step
        for node in nodes
        for step in (
            {"do": "term", "broker": node, "at_ns": 0},
            {"do": "start", "broker": node, "at_ns": 1},
        )
    ] + made
    first = min(one["at_ns"] for one in truth["samples"])
    last = max(one["at_ns"] for one in truth["samples"])
    times = range(first, last, 100_000_000)
    for name in truth["final"]:
        truth["acked"][name] = [
            {"at_ns": at, "by_leader": who, "offset": FAR, "value": "", "acks": -1}
            for at in times
            for who in (1, 2, 3)
        ]
    return truth


FALSE: Final = (higher, nothing, others, led_by_all, nothing_done, always_up)


@cache
def said() -> dict[str, list[tuple[At, str, str]]]:
    """By predicate: where its sentences are said and held, with the recording and the partition."""
    found: dict[str, list[tuple[At, str, str]]] = {}
    for name in SAID_IN:
        trace = whole_recording(name).trace
        rules = era_of(max(release_of_text(one.version) for one in trace.brokers if one.version))
        asked: dict[str, int] = {}
        for partition, told in enumerate(trace.partitions):
            run = Run(trace, NO_TRUTH, scenario("hw-loss"), rules, partition)
            history = open_history(trace, partition)
            verdict = diagnose_partition(history)
            seen = Seen(truth_of(name), str(told.tp))
            for place, event in enumerate(run.events):
                for whole, one in every_message(why(history, verdict, event.seq + 1)):
                    at = At(run, place, one, whole)
                    if asked.get(one.id, 0) < MOST and one.id in BY_TRUTH and BY_TRUTH[one.id](at, seen):
                        asked[one.id] = asked.get(one.id, 0) + 1
                        found.setdefault(BY_TRUTH[one.id].__name__, []).append((at, name, str(told.tp)))
    return found


@cache
def falsified(name: str, tp: str, number: int) -> Seen:
    return Seen(FALSE[number](copy.deepcopy(truth_of(name))), tp)


def test_at_least_so_many_claims_that_there_are_no_fewer() -> None:
    assert counts(AtLeast(19), 30)
    assert counts(AtLeast(19), 19)
    assert not counts(AtLeast(19), 18)
    assert counts(Count(19), 19)
    assert not counts(Count(19), 30)


@pytest.mark.slow
def test_a_false_truth_is_noticed() -> None:
    """Each predicate that held denies its sentence somewhere, under one of the false truths."""
    blind = {
        name
        for name, places in said().items()
        if not any(
            BY_TRUTH[at.message.id](at, falsified(recording, tp, number)) is False
            for at, recording, tp in places
            for number in range(len(FALSE))
        )
    }
    assert blind <= BY_LINE | CONFIRMS_ONLY | NOT_REACHED
    assert len(said()) > 60
