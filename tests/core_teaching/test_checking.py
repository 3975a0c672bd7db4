"""A lesson that says what is not so is named; those of the course say nothing that is not so."""

import pytest

from core.teaching.checking import problems
from core.teaching.library import lesson, lesson_ids
from core.teaching.reading import parse_lesson
from core.teaching.runs import simulated_runs
from core.words import text
from gui.workspace.lesson_runs import runs_of

pytestmark = pytest.mark.broad(4)

HEAD = """+++
title = "A cut"
line = "What B keeps."
minutes = 5
scenario = "hw-loss"
runs = ["0.10.2", "0.11"]
+++

## B starts

```show
step = 8
```

"""


def _told(body: str) -> list[str]:
    return [text(one.what) for one in problems(parse_lesson(HEAD + body, "x", "lesson.md"), simulated_runs)]


def test_words_that_hold_in_one_run_alone_are_named_unless_they_say_of_which() -> None:
    false = _told("[B cut to 1](<holds: B has cut its log from 2 to 1>).\n")

    assert len(false) == 1
    assert "Kafka 0.11" in false[0]
    assert _told("[B cut to 1](<holds: B has cut its log from 2 to 1 in run 1>).\n") == []
    assert len(_told("[B cut to 1](<holds: B has cut its log from 2 to 1 in run 2>).\n")) == 1


def test_a_mark_that_no_run_has_is_named() -> None:
    assert _told("A cut [A](<mark: truncated B in step 8>).\n") == []
    assert len(_told("A cut [A](<mark: truncated A in step 8>).\n")) == 1
    assert len(_told("A cut [A](<mark: truncated C in step 8>).\n")) == 1


def test_a_question_needs_one_answer_in_every_run() -> None:
    ask = (
        'Guess.\n\n```ask\nkind = "choice"\nquestion = "?"\njudged = { step = 8 }\n'
        'options = [{ text = "cut", holds = "B has log end offset 1" }, '
        '{ text = "kept", holds = "%s" }]\n```\n'
    )

    assert _told(ask % "B has log end offset 2") == []
    assert len(_told(ask % "B has log end offset 3")) == 1
    assert len(_told(ask % "A leads")) == 1, "both hold in 0.10.2"


def test_a_text_that_does_not_fit_beside_the_lanes_is_named() -> None:
    assert _told("word " * 120 + "\n") == []
    assert len(_told("word " * 121 + "\n")) == 1


@pytest.mark.parametrize("lesson_id", lesson_ids())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_lessons_of_the_course_hold(lesson_id: str, language: str) -> None:
    found = problems(lesson(lesson_id, language), runs_of)

    assert [(one.step, one.line, text(one.what)) for one in found] == []
