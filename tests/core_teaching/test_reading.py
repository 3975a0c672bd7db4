"""The text of a lesson becomes values; what is wrong with it is named by file and line."""

from pathlib import Path

import pytest

from core.errors import ScenarioError
from core.teaching.facts import FORMS, parse_fact
from core.teaching.lesson import AskKind, Claim, Fact, Lesson, Paragraph, Plain, Pointer, Rule, Spot
from core.teaching.reading import (
    ASK_KEYS,
    DIRECTIVES,
    HEAD_KEYS,
    RULE_KEYS,
    SHOW_KEYS,
    language_of_name,
    parse_lesson,
)

ROOT = Path(__file__).parent.parent.parent

HEAD = """+++
title = "A cut"
line = "What B keeps."
minutes = 5
scenario = "hw-loss"
runs = ["0.10.2"]
+++
"""
STEP = """
## B starts

```show
step = 7
from = 6
to = 8
lanes = ["B"]
```

B is back. [Its high watermark
is 1](<holds: B has high watermark 1>) [A](<mark: truncated B #1 in step 8>).
"""


def _lesson(body: str = STEP, head: str = HEAD) -> Lesson:
    return parse_lesson(head + body, "a-cut", "lesson.md")


def _error(body: str, head: str = HEAD) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        _lesson(body, head)
    return caught.value


def test_a_step_has_its_scene_and_what_the_text_says_of_it() -> None:
    (step,) = _lesson().steps

    assert step.title == "B starts"
    assert (step.scene.scenario, step.scene.runs, step.scene.brokers) == ("hw-loss", ("0.10.2",), ("B",))
    assert (step.scene.spot, step.scene.first_step, step.scene.last_step) == (Spot(7), 6, 8)
    assert step.blocks == (
        Paragraph(
            (
                Plain("B is back. "),
                Claim(
                    "Its high watermark is 1",
                    Fact("watermark", "B has high watermark 1", broker="B", number=1),
                ),
                Plain(" "),
                Pointer("A", Spot(8, "truncated", "B", 1)),
                Plain("."),
            )
        ),
    )


def test_a_step_shows_what_the_step_before_it_showed_but_for_the_part_that_is_spoken_of() -> None:
    later = _lesson(STEP + "\n## Later\n\n```show\nstep = 9\n```\n\nText.\n").steps[1].scene

    assert (later.scenario, later.runs, later.spot.step) == ("hw-loss", ("0.10.2",), 9)
    assert (later.first_step, later.brokers) == (None, ())


def test_a_question_is_judged_at_the_end_of_the_next_step_unless_it_says_otherwise() -> None:
    ask = '\n```ask\nkind = "cut"\nquestion = "Where?"\nbroker = "B"\n%s```\n'

    assert _lesson(STEP + ask % "").questions[0].judged == Spot(8)
    assert _lesson(STEP + ask % "judged = { step = 9 }\n").questions[0].judged == Spot(9)
    assert _lesson(STEP + ask % "").questions[0].kind is AskKind.CUT


def test_a_switch_that_is_flipped_stands_as_a_second_run() -> None:
    body = STEP.replace('lanes = ["B"]', 'flip = "truncation=epoch-request"')

    assert _lesson(body).steps[0].scene.runs == ("0.10.2", "0.10.2+truncation=epoch-request")


def test_chinese_lines_are_joined_without_a_blank() -> None:
    text = parse_lesson(HEAD + "\n## 步\n\n高水位\n不变。\n", "a", "lesson.zh.md")

    (paragraph,) = text.steps[0].blocks
    assert isinstance(paragraph, Paragraph)
    assert "".join(span.text for span in paragraph.spans if isinstance(span, Plain)) == "高水位不变。"
    assert text.language == "zh"


def test_the_language_of_a_text_is_in_its_name() -> None:
    assert [language_of_name(name) for name in ("x/lesson.md", "lesson.zh.md", "lesson.pt-BR.md")] == [
        "en",
        "zh",
        "pt-BR",
    ]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("\n# Too large\n", 9),
        ("\nBefore any step.\n", 8),
        (STEP.replace("step = 7", 'step = "7"'), 12),
        (STEP.replace("truncated B", "trunkated B"), 18),
        (STEP.replace("B has high watermark 1", "B is fine"), 18),
        (STEP + "\n```shwo\nstep = 1\n```\n", 21),
        (STEP + "\n```show\nstep = 1\n```\n", 21),
        (STEP + "\n```reveal\nHidden.\n```\n", 9),
        (STEP + '\n```ask\nkind = "guess"\nquestion = "?"\n```\n', 22),
        (STEP + '\n```ask\nkind = "choice"\nquestion = "?"\noptions = []\n```\n', 24),
        (STEP + "\n```note\n## No\n```\n", 22),
        (STEP + "\n![picture](x.png)\n", 21),
        (STEP.replace("lanes = ", "laness = "), 15),
    ],
)
def test_an_error_names_the_line(body: str, line: int) -> None:
    error = _error(body)

    assert error.line == line
    assert error.facts.advice is not None


def test_beside_a_recording_a_rule_with_a_switch_names_its_era() -> None:
    head = HEAD.replace('scenario = "hw-loss"\nruns = ["0.10.2"]', 'recording = "k0102-hw-loss"')
    step = '\n## B is back\n\nText.\n\n```rule\ntext = "It cuts."\nswitch = "truncation"\n%s```\n'

    (told,) = parse_lesson(head + step % 'era = "0.10.2"\n', "a", "lesson.md").steps
    assert told.rule == Rule("It cuts.", "truncation", "0.10.2")
    with pytest.raises(ScenarioError) as failed:
        parse_lesson(head + step % "", "a", "lesson.md")
    assert failed.value.line == 14


@pytest.mark.parametrize(
    "head",
    [
        "",
        HEAD.replace('"hw-loss"', '"hw-lost"'),
        HEAD.replace('runs = ["0.10.2"]', 'runs = ["0.10.3"]'),
        HEAD.replace("minutes = 5", "minutes = 0"),
        HEAD.replace('scenario = "hw-loss"', 'scenario = "hw-loss"\nrecording = "x"'),
        HEAD.replace("minutes", "minuets"),
    ],
)
def test_a_head_that_does_not_fit_is_named(head: str) -> None:
    assert _error(STEP, head).line is not None


def test_the_page_about_lessons_names_every_directive_key_kind_and_fact() -> None:
    page = (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")
    words = {*DIRECTIVES, *AskKind, *(f"`{key}`" for key in (*HEAD_KEYS, *SHOW_KEYS, *ASK_KEYS, *RULE_KEYS))}

    assert [word for word in sorted(words) if word not in page] == []
    assert [example for _, example, _ in FORMS if f"| `{example}` |" not in page] == []
    rows = [row.split("`")[1] for row in page.splitlines() if row.startswith("| `")]
    assert [row for row in rows if " " in row and parse_fact(row) is None] == []
