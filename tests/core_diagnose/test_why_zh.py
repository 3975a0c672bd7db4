"""The inspector's sentences in Chinese: whole, and with the same numbers as the English ones."""

import ast
import re
from pathlib import Path

import pytest

from core.diagnose.narrate.why import why
from core.diagnose.narrate.why_zh import SAID
from core.diagnose.verdict.check import diagnose_partition
from core.history.open import open_history
from core.kafka.eras import era
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
        english, chinese = (why(history, verdict, cursor, lang) for lang in ("en", "zh"))
        assert len(english.sentences) == len(chinese.sentences)
        both += [(english.title, chinese.title), (english.rule, chinese.rule)]
        both += [(english.release, chinese.release), *zip(english.sentences, chinese.sentences, strict=True)]
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


def test_every_fixed_sentence_of_the_tables_has_its_chinese() -> None:
    folder = Path(__file__).parent.parent.parent / "core" / "diagnose" / "narrate"
    sentences: set[str] = set()
    for path in (
        *folder.glob("why_c*.py"),
        folder / "why_data.py",
        folder / "why_fetches.py",
        folder / "why_metadata.py",
    ):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
        }
        spoken = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say"
            for part in ast.walk(node)
        }
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and isinstance(node.body[0], ast.Expr)
        }
        sentences |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.endswith((".", "!", "?"))
            and " " in node.value
            and id(node) not in inside | spoken | docs
        }

    assert len(sentences) > 60
    assert sentences - set(SAID) == {"By rule: what it says, and since when."}
