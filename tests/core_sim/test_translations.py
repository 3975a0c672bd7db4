"""Texts of the lessons in other languages: each has its place, and what is missing is said in English."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.compare.script import script_title, step_texts
from core.kafka.eras import era
from core.picture.joining import text_of
from core.sim import translations
from core.sim.forking import Move, forked, plan_of
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.translations import QUESTIONS, languages, texts_of_page, texts_of_scenario, translated
from core.words import speaking, text
from gui.workspace.draft import NEW_TEXT

LESSONS = Path(translations.__file__).parents[1] / "lessons"
EARLIER = """
schema = 1
id = "mine"
title = { en = "Mine", zh = "我的", de = "Meins" }
story = { en = "A story.", zh = "故事。", de = "Geschichte." }
cluster.brokers = ["A"]

[[step]]
label = { en = "wait", zh = "等待", pt-BR = "esperar" }
effect = { en = "nothing", zh = "无" }
do = "wait"
for_ms = 1
"""
"""As the window wrote them when a text was a pair, and with other languages."""


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def texts_in(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Labels and effects, those within blocks too."""
    for step in steps:
        yield from (step[key] for key in ("label", "effect") if key in step)
        yield from texts_in(step.get("step", ()))


def test_there_is_another_language() -> None:
    assert "zh" in languages()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["new.toml", *(f"scenarios/{name}.toml" for name in scenario_ids())])
def test_each_text_of_a_scenario_has_its_place_and_none_is_left_of_a_text_that_is_gone(
    name: str, language: str
) -> None:
    script = toml(LESSONS / name)
    other = toml(LESSONS / language / name)
    assert set(other) == {"title", "story", "steps"}
    assert set(other["steps"]) == set(texts_in(script["step"]))
    assert all(text.strip() for text in (other["title"], other["story"], *other["steps"].values()))


@pytest.mark.parametrize("language", languages())
def test_each_question_has_its_place_and_no_file_is_of_a_scenario_that_is_gone(language: str) -> None:
    asked = toml(LESSONS / "questions.toml")["question"]
    texts = {one[key] for one in asked for key in ("ask", "answer")}
    assert set(toml(LESSONS / language / "questions.toml")) == texts
    files = {path.stem for path in (LESSONS / language / "scenarios").iterdir()}
    assert files == set(scenario_ids())


@pytest.fixture
def half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A library of two scenarios, of which a language has one text alone."""
    for name in ("one", "two"):
        script = EARLIER.replace('"mine"', f'"{name}"').replace("\nlabel = {", "\nlabel = 'wait' # {")
        script = script.replace("\ntitle = {", "\ntitle = 'Mine' # {").replace("\nstory", "\nstory='S.' # ")
        (tmp_path / "scenarios").mkdir(exist_ok=True)
        (tmp_path / "scenarios" / f"{name}.toml").write_text(script, encoding="utf-8")
    (tmp_path / "xx" / "scenarios").mkdir(parents=True)
    (tmp_path / "xx" / "scenarios" / "one.toml").write_text('title = "Xx"', encoding="utf-8")
    cached = (translations.languages, translations.scenario_ids, texts_of_scenario, texts_of_page)
    monkeypatch.setattr(translations, "LESSONS", tmp_path)
    for one in cached:
        one.cache_clear()
    yield tmp_path / "scenarios"
    for one in cached:
        one.cache_clear()


def test_what_a_language_lacks_is_said_in_english(half: Path) -> None:
    first, second = (translated(parse_scenario((half / f"{one}.toml").read_text())) for one in ("one", "two"))
    with speaking("xx"):
        traces = [simulate(one, era("2.8")) for one in (first, second)]
        assert [script_title(one) for one in traces] == ["Xx", "Mine"]
        assert [text_of(step_texts(one)[1][0]) for one in traces] == ["wait", "wait"]
    assert texts_of_page(QUESTIONS) == {}


def test_a_script_with_tables_of_texts_opens_in_each_of_its_languages_and_is_kept_as_it_stands() -> None:
    trace = simulate(parse_scenario(EARLIER), era("2.8"))
    assert trace.facts["script"] == EARLIER
    titles = {
        "en": ("Mine", "wait"),
        "zh": ("我的", "等待"),
        "de": ("Meins", "wait"),
        "pt-BR": ("Mine", "esperar"),
    }
    for language, (title, label) in titles.items():
        with speaking(language):
            assert (script_title(trace), text_of(step_texts(trace)[1][0])) == (title, label)
    fork = forked(parse_scenario(EARLIER), 1, plan_of(Move("stop", "A"), ["A"]))
    kept = [line for line in EARLIER.splitlines() if "zh" in line]
    assert [line for line in fork.splitlines() if line in kept] == kept


def test_a_fork_and_a_copy_keep_what_was_not_changed() -> None:
    script = scenario("hw-loss")
    fork = translated(parse_scenario(forked(script, 3, plan_of(Move("stop", "A"), script.brokers))))
    assert fork.title == script.title
    assert [step.label for step in fork.steps[:3]] == [step.label for step in script.steps[:3]]

    text = script.text.replace('label = "produce m0"', 'label = "produce it"')
    changed = translated(parse_scenario(text.replace('effect = "A holds it"', 'effect = "hers"', 1)))
    assert changed.steps[0].label == {"en": "produce it"}
    assert changed.steps[1:] == script.steps[1:]


def test_a_text_of_the_script_itself_stays() -> None:
    text = scenario("hw-loss").text.replace(
        'label = "produce m0"', 'label = { en = "produce m0", zh = "自己的" }'
    )
    first, second, *_ = translated(parse_scenario(text)).steps
    assert (first.label["zh"], second.label["zh"]) == ("自己的", "B 从 0 拉取")


def test_a_new_draft_is_said_in_each_language() -> None:
    trace = simulate(parse_scenario(NEW_TEXT), era("2.8"))
    with speaking("zh"):
        assert script_title(trace) == "领导者带着记录宕机"
        label, effect = step_texts(trace)[2]
        assert label is not None
        assert (text(label), effect) == ("A 宕机", None)
