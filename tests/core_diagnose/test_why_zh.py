"""The inspector's sentences in Chinese: whole, and with the same numbers as the English ones."""

import re

import pytest

from core.diagnose.narrate.why import why
from core.diagnose.verdict.check import diagnose_partition
from core.history.open import open_history
from core.kafka.eras import era
from gui.text.render import renderer
from gui.workspace.script_lines import script_lines
from tests.runs import simulated

NAMES = re.compile(
    r"Kafka|KRaft|ZooKeeper|KIP-\d+|KAFKA-\d+|[Bb]roker|ISR|ELR|Leader|Follower|Epoch|HW|LEO|acks"
    r"|early|late|strict|reader|retries|[a-z]+(?:[.-][a-z]+)+|[A-Z]+(?:_[A-Z]+)+|min\(|[a-z]+\d+|P\d?|id|ms|true|all|earliest|latest|none"
)
"""Kafka's names of settings, files, errors and tickets; what a scenario calls its brokers and records."""


def told(name: str, release: str) -> list[tuple[str, str]]:
    trace = simulated(name, era(release))
    history = open_history(trace, 0)
    verdict = diagnose_partition(history)
    both: list[tuple[str, str]] = []
    for cursor in [0, *(seq + 1 for seq in history.seqs.tolist())]:
        spoken: list[list[str]] = []
        for language in ("en", "zh"):
            one = why(history, verdict, cursor, script_lines(trace, language))
            parts = (one.title, *one.sentences, one.rule, one.since)
            spoken.append([renderer(language)(part) for part in parts if part is not None])
        both += zip(*spoken, strict=True)
    return both


CASES = [
    ("hw-loss", "0.10.2"),
    ("hw-loss", "2.8"),
    ("s7", "4.1"),
    ("consumer-out-of-range", "2.8"),
    ("idempotent-producer", "2.8"),
    ("batch-truncation", "0.11"),
    ("zombie-leader", "0.10.2"),
    ("controller-fails-too", "3.3"),
]


@pytest.mark.parametrize(("name", "release"), CASES)
def test_every_sentence_is_chinese(name: str, release: str) -> None:
    left = {zh for _, zh in told(name, release) if re.search(r"[A-Za-z]{2}", NAMES.sub("", zh))}

    assert left == set()


@pytest.mark.parametrize(("name", "release"), CASES)
def test_both_languages_have_the_same_numbers(name: str, release: str) -> None:
    apart = {
        (en, zh)
        for en, zh in told(name, release)
        if set(re.findall(r"\d+", en)) != set(re.findall(r"\d+", zh)) and "step" not in en.lower()
    }

    assert apart == set()
