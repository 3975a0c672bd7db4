"""Histories and comparisons as text. The numbers are those of KIP-101 and of the recordings' truth."""

import re
from typing import Literal

import pytest

from core.compare.align import compare, make_runs
from core.compare.comparison import Comparison
from core.kafka.eras import era
from core.picture.words import cells, comparison_text, timeline_text
from core.sim.library import scenario
from core.trace.trace import Trace
from tests.recordings.whole import sampled
from tests.runs import simulated
from tests.visible_texts import english_in


def blocks_of(text: str) -> dict[str, list[str]]:
    """The lines of each block by its first line."""
    return {block.splitlines()[0]: block.splitlines()[1:] for block in text.strip().split("\n\n")}


@pytest.fixture(scope="module")
def three_eras() -> str:
    traces = [simulated("hw-loss", era(name)) for name in ("0.10.2", "0.11", "2.8")]
    return comparison_text(compare(make_runs(traces)))


def test_the_text_timeline_names_the_loss(loss_and_fix: Comparison) -> None:
    run = loss_and_fix.runs[0]

    lines = timeline_text(run.history, run.verdict).splitlines()

    (lost,) = [line for line in lines if "LOST" in line]
    assert "[1, 2) committed" in lost
    assert "truncated A" in lines[lines.index(lost) - 1]
    assert len(lines) == len(run.history.seqs) + 2


def test_the_comparison_as_text_marks_the_steps_that_differ(loss_and_fix: Comparison) -> None:
    blocks = [block for block in comparison_text(loss_and_fix).split("\n\n") if block.startswith("step")]

    assert ["≠" in block for block in blocks] == [False] * 8 + [True] * 6
    assert ["(differs)" in block.splitlines()[0] for block in blocks] == ["≠" in block for block in blocks]


def test_a_comparison_has_one_block_for_each_step(three_eras: str) -> None:
    blocks = blocks_of(three_eras)

    steps = [head for head in blocks if head.startswith("step")]
    assert len(steps) == len(scenario("hw-loss").steps)
    # At step 8 B returns: to 0.10.2 it cuts to its own high watermark 1, by epochs it keeps m1.
    assert blocks["step 8: B starts, follows A (differs)"] == [
        "   A  Kafka 0.10.2  leader e0    LEO 2  HW 2  in ISR      e0 m0 m1",
        "   A  Kafka 0.11    leader e0    LEO 2  HW 2  in ISR      e0 m0 m1",
        "   A  Kafka 2.8     leader e0    LEO 2  HW 2  in ISR      e0 m0 m1",
        "≠  B  Kafka 0.10.2  follower e0  LEO 1  HW 1  in ISR      e0 m0",
        "≠  B  Kafka 0.11    follower e0  LEO 2  HW 1  in ISR      e0 m0 m1",
        "   B  Kafka 2.8     follower e0  LEO 2  HW 1  in ISR      e0 m0 m1",
    ]


def test_a_comparison_begins_with_the_runs_and_ends_with_what_was_lost(three_eras: str) -> None:
    parts = three_eras.strip().split("\n\n")

    assert parts[0].splitlines()[::2] == [
        "Run 1  Kafka 0.10.2  t-0  m1 lost",
        "Run 2  Kafka 0.11    t-0  nothing lost",
        "Run 3  Kafka 2.8     t-0  nothing lost",
    ]
    assert parts[1].startswith("First difference, step 8 (B starts): Broker B (2) starts")
    assert parts[1].count("Then, ") == 1
    lost = parts[-1].splitlines()
    assert [line.strip() for line in lost if "nothing" in line] == [
        "Run 2  Kafka 0.11: nothing",
        "Run 3  Kafka 2.8: nothing",
    ]
    assert lost[0] == "Lost"
    assert lost[2].startswith("    committed, offset 1. B cut its log from 2 to 1")
    assert ".." not in three_eras


NAMES = frozenset(["Kafka", "ISR", "LEO", "HW", "isr", "broker", "Broker", "Leader", "Epoch"])
"""What is said so in Chinese, too."""


def texts_in(lang: Literal["en", "zh"], traces: list[Trace]) -> list[str]:
    runs = make_runs(traces, None if "script" in traces[0].facts else "orders-0")
    timelines = [timeline_text(run.history, run.verdict, lang) for run in runs]
    return [comparison_text(compare(runs), lang), *timelines]


@pytest.mark.parametrize("source", ["runs", pytest.param("recordings", marks=pytest.mark.slow)])
def test_in_chinese_the_same_is_told(source: str) -> None:
    """No English word is left, every state is there, and what stands in columns does so in cells."""
    if source == "runs":
        traces = [simulated("hw-loss", era(name)) for name in ("0.10.2", "2.8")]
    else:
        traces = [sampled(name) for name in ("k0102-hw-loss", "k28-epoch-fix")]
    for english, chinese in zip(texts_in("en", traces), texts_in("zh", traces), strict=True):
        assert english_in(chinese, NAMES) == []
        assert len(english.splitlines()) == len(chinese.splitlines())
        for line, said in zip(english.splitlines(), chinese.splitlines(), strict=True):
            states = [re.findall(r"(?:LEO|HW) (?:[≤≥] )?[\d–,]+", text) for text in (line, said)]
            assert states[0] == states[1]
        blocks = [block.splitlines()[1:] for block in chinese.split("\n\n") if "  LEO " in block]
        places = {cells(line.split("  LEO ")[0]) for lines in blocks for line in lines}
        assert len(places) <= 1


@pytest.mark.slow
def test_recordings_have_a_block_for_each_landmark() -> None:
    traces = [sampled(name) for name in ("k0102-hw-loss", "k28-epoch-fix")]
    comparison = compare(make_runs(traces, "orders-0"))

    text = comparison_text(comparison)

    anchors = [stop for stop in comparison.stops if stop.anchor]
    assert len(text.strip().split("\n\n")) == len(anchors) + 3
    assert "committed, offsets 206 to 253. " in text
    assert "high watermark.." not in text


def test_a_timeline_names_steps_and_records() -> None:
    trace = simulated("hw-loss", era("0.10.2"))
    (run, _) = make_runs([trace, trace])

    lines = timeline_text(run.history, run.verdict).splitlines()

    assert any("step 8: B starts" in line for line in lines)
    cuts = [line for line in lines if " truncated " in line]
    assert ["2 → 1 (m1)" in line for line in cuts] == [True, True]
    assert not any("leader A leader A" in line for line in lines)
