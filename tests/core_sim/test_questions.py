"""The questions of core/lessons/questions.toml: each is answered, and what it points to exists."""

import pytest

from core.kafka.eras import era_named
from core.kafka.switches import SWITCH
from core.sim.library import scenario, scenario_ids
from core.sim.questions import Question, questions
from core.trace.vocabulary import NUMBER

ASKED_IN_THE_DOMAIN = (
    "ask the leader for its LEO before it cuts",
    "Why cut at all on restart",
    "A is already dead",
    "copy uncommitted records",
    "drop when a slower follower fetches",
    "who moves the HW",
    "exceed the lowest LEO",
    "joined by AND or",
    "What does acks=all wait for",
    "Which offset is in an epoch entry",
    "reach every broker and keep growing",
    "no entry with a start offset greater than 2",
    "start offsets alone be enough",
    "change for what consumers can see",
    "on both replicas already: why cut it",
    "page cache or disk",
    "epoch entries reach the followers",
    "all remote replicas have a value",
)
"""Words of each question of the domain's fourth section, in its order."""
LONG = {"LEO": "log end", "HW": "high watermark"}


def test_every_question_of_the_domain_is_there_once_and_in_its_order() -> None:
    asked = [one.ask["en"].replace('"', "") for one in questions()]
    assert len(asked) == len(set(asked)) == len(ASKED_IN_THE_DOMAIN)
    for text, words in zip(asked, ASKED_IN_THE_DOMAIN, strict=True):
        for short, long in LONG.items():
            words = words.replace(short, long)  # noqa: PLW2901 - the domain abbreviates, the page does not
        assert words in text


@pytest.mark.parametrize("question", questions(), ids=lambda one: one.ask["en"])
class TestEachQuestion:
    def test_it_is_asked_and_answered_in_both_languages(self, question: Question) -> None:
        for texts in (question.ask, question.answer):
            assert set(texts) == {"en", "zh"}
            assert texts["en"].isascii()
            assert any("\u4e00" <= sign <= "\u9fff" for sign in texts["zh"])
        assert question.ask["en"].endswith("?")
        assert question.answer["en"].endswith(".")

    def test_it_points_to_what_exists(self, question: Question) -> None:
        assert question.scenario in scenario_ids()
        script = scenario(question.scenario)
        assert 1 <= question.place.step <= len(script.steps)
        assert question.switch == "" or question.switch in SWITCH
        assert 1 <= len([era_named(name) for name in question.runs]) <= 4
        if question.place.event:
            assert question.place.event in NUMBER
            assert question.place.broker in script.brokers
