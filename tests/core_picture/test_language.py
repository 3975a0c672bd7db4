"""A picture in Chinese: the same marks with other words, and no English sentence left."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from core.compare.align import compare, make_runs
from core.compare.comparison import Comparison
from core.kafka.eras import era
from core.picture.cells import CellsView, lay_out_cells
from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.figure import comparison_figure, timeline_figure
from core.picture.marks import Picture, Text
from core.picture.timeline import TimelineView, lay_out
from core.picture.whole import history_window
from core.sim.library import scenario
from core.sim.run import simulate

NAMES = re.compile(
    r"\b(LEO|HW|ISR|Kafka|KIP|acks|all|[Bb]roker|Broker [AB]|[ABCep]\d*|m\d+|Leader|Epoch|P\d*|us|ms|UTC)\b"
)
"""Kafka's own terms, and what the scenario calls its brokers and records."""


def texts(picture: Picture) -> list[str]:
    return [mark.text for layer in picture.layers for mark in layer.marks if isinstance(mark, Text)]


def english(picture: Picture) -> list[str]:
    return [text for text in texts(picture) if re.search(r"[A-Za-z]{2}", NAMES.sub("", text))]


def kinds(picture: Picture) -> Counter[str]:
    """All but labels, of which a longer one may be dropped."""
    marks = (mark for layer in picture.layers for mark in layer.marks)
    return Counter(type(mark).__name__ for mark in marks if type(mark).__name__ in ("Line", "Segments"))


@pytest.fixture(scope="module")
def compared() -> Comparison:
    script = scenario("hw-loss")
    traces = [simulate(script, era(name)) for name in ("0.10.2", "2.8")]
    return compare(make_runs(traces))


def test_the_words_of_a_comparison_are_chinese(compared: Comparison) -> None:
    view = ComparisonView(compared, compared.stops.index(compared.stops[-1]), 1600.0, 900.0, lang="zh")
    picture = lay_out_comparison(view)

    said = " ".join(texts(picture))
    assert all(word in said for word in ("领导者 · 纪元 0", "跟随者", "一致性", "截断 2 → 1", "运行 1"))
    assert english(picture) == []


def test_only_the_words_differ(compared: Comparison) -> None:
    view = ComparisonView(compared, 3, 1600.0, 900.0, lang="zh")

    assert kinds(lay_out_comparison(view)) == kinds(lay_out_comparison(replace(view, lang="en")))


@pytest.mark.parametrize("run", [0, 1])
def test_the_words_of_a_timeline_are_chinese(compared: Comparison, run: int) -> None:
    shown = compared.runs[run]
    view = TimelineView(
        shown.history, shown.verdict, None, history_window(shown.history), 1600.0, 700.0, lang="zh"
    )

    assert "领导者 · 纪元 0" in texts(lay_out(view))
    assert english(lay_out(view)) == []


def test_the_words_of_a_figure_are_chinese(compared: Comparison) -> None:
    shown = compared.runs[0]
    window = history_window(shown.history)
    alone = TimelineView(shown.history, shown.verdict, None, window, 1600.0, 700.0, lang="zh")
    both = ComparisonView(compared, None, 1600.0, 900.0, lang="zh")

    for figure in (timeline_figure(alone), comparison_figure(both)):
        said = " ".join(texts(figure))
        assert all(word in said for word in ("图 1.", "高水位", "尚未提交", "领导过", "来源"))
        # A trace names its scenario and the places of its script in English.
        story = shown.history.trace.facts["title"]
        left = [
            text.replace(story, "").replace("Tidegauge", "") for text in texts(figure) if ".toml" not in text
        ]
        assert not [text for text in left if re.search(r"[A-Za-z]{2}", NAMES.sub("", text))]


def test_after_a_chinese_picture_the_english_one_is_english(compared: Comparison) -> None:
    view = ComparisonView(compared, None, 1600.0, 900.0, lang="zh")
    lay_out_comparison(view)

    assert not any(
        re.search(r"[\u4e00-\u9fff]", text) for text in texts(lay_out_cells(cells(compared, "en")))
    )
    assert english(lay_out_cells(cells(compared, "zh"))) == []


def cells(compared: Comparison, lang: str) -> CellsView:
    return CellsView(
        compared.runs, tuple(compared.stops[-1].cursors), 1600.0, lang="zh" if lang == "zh" else "en"
    )
