"""The questions of core/lessons/questions.toml: each is answered, and what it points to exists."""

import tomllib
from importlib.resources import files

import pytest

from core.kafka.switches import SWITCH
from core.sim.library import scenario, scenario_ids

TEXT = (files("core.lessons") / "questions.toml").read_text(encoding="utf-8")
QUESTIONS = tomllib.loads(TEXT)["question"]
ASKED_IN_THE_DOMAIN = 18


def test_every_question_of_the_domain_is_there_once() -> None:
    asked = [one["ask"]["en"] for one in QUESTIONS]
    assert len(asked) == len(set(asked)) == ASKED_IN_THE_DOMAIN


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one["ask"]["en"])
class TestEachQuestion:
    def test_it_is_asked_and_answered_in_both_languages(self, question: dict[str, dict[str, str]]) -> None:
        for part in ("ask", "answer"):
            texts = question[part]
            assert set(texts) == {"en", "zh"}
            assert texts["en"].isascii()
            assert any("\u4e00" <= sign <= "\u9fff" for sign in texts["zh"])
        assert question["ask"]["en"].endswith("?")
        assert question["answer"]["en"].endswith(".")

    def test_it_points_to_a_scenario_a_step_and_a_switch_that_exist(
        self, question: dict[str, str | int]
    ) -> None:
        assert set(question) == {"ask", "answer", "scenario", "step", "switch"}
        assert question["scenario"] in scenario_ids()
        assert 1 <= int(question["step"]) <= len(scenario(str(question["scenario"])).steps)
        assert question["switch"] == "" or question["switch"] in SWITCH
