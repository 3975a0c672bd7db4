"""Every lesson as a page, in both languages, in a real browser: each question answered wrong, then right.

What is right is what the run answers, not what the page says. Five pages by default; all of them with
`--every-case`.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from core.teaching.answers import Given, Mark
from core.teaching.grades import result_of
from core.teaching.lesson import AskKind, Lesson, Step
from core.teaching.library import lesson, lesson_ids
from core.words import speaking, text
from gui.exports.devices import offscreen_app
from gui.handouts.page import lesson_page
from gui.workspace.lesson_player import Player, answered, at_step, highest_end, right_answer, shown
from gui.workspace.lesson_runs import runs_of
from gui.workspace.lesson_words import MARK_WORDS, answer_words, rule_words
from tests.cli.test_export_page import BROWSER, needs_browser
from tests.gui_workspace.test_every_lesson import right_of, wrong_of
from tests.in_browser import probed

EVERY = [(name, language) for name in lesson_ids() for language in ("en", "zh")]
PROBE = """
  const { data, judge, results } = window.tidegauge;
  const asked = ASKED;
  const fill = (question, answer) => {
    const root = document.getElementById(`step-${question.step}`);
    const inputs = [...root.querySelectorAll("fieldset input")];
    if (question.control === "number") inputs[0].value = answer;
    if (question.control === "one") inputs.find((one) => one.value === `${answer}`).checked = true;
    if (question.control === "several") {
      inputs.forEach((one) => { one.checked = answer.includes(Number(one.value)); });
    }
    if (question.control === "range") {
      inputs[0].value = answer.length ? answer[0] : "";
      inputs[1].value = answer.length ? answer[answer.length - 1] : "";
    }
    if (question.control === "order") {
      [...root.querySelectorAll("select")].forEach((one, at) => { one.value = answer.indexOf(at) + 1; });
    }
    root.querySelector("fieldset").dispatchEvent(new Event("change"));
    const button = root.querySelector(".place");
    const ready = !button.disabled;
    button.click();
    return ready;
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const seen = () => all(".step:not([hidden])").map((one) => Number(one.dataset.step));
  const of = (question) => asked.find((one) => one.step === question.step);
  const wrongly = data.questions.map((question) => {
    const marks = of(question).wrong.map((answer) => judge(question, answer).mark);
    const before = seen();
    const ready = fill(question, of(question).miss);
    return { step: question.step, marks, ready, before, mark: results.get(question.step).mark };
  });
  document.getElementById("practise").click();
  const rightly = data.questions.map((question) => {
    const ready = fill(question, of(question).right);
    const root = document.getElementById(`step-${question.step}`);
    const text = (selector) => root.querySelector(selector)?.textContent ?? "";
    return {
      step: question.step, ready, mark: results.get(question.step).mark,
      tries: window.tidegauge.tries(question.step).length,
      verdict: text(".verdict"), yours: text(".yours"), happened: text(".happened"), rule: text(".rule"),
      shown: !root.querySelector(".reveal").hidden,
    };
  });
  const empty = all("figure svg").filter((one) => one.getBoundingClientRect().width < 200).length;
  return {
    wrongly, rightly, seen: seen(), empty, figures: all("figure svg").length,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    texts: all("h2, legend").map((one) => one.textContent),
    json: window.tidegauge.as_json(),
  };
"""


def _plain(given: Given) -> int | list[int]:
    """An answer as JSON has it."""
    if isinstance(given, int):
        return given
    return sorted(given) if isinstance(given, frozenset) else list(given)


def _miss(step: Step, wrong: Iterable[Given], right: Given) -> Given:
    """One wrong answer that every kind of control takes: of lost records a single one."""
    if step.ask is not None and step.ask.kind is AskKind.LOST:
        return frozenset({0}) if right != frozenset({0}) else frozenset({1})
    return next(iter(wrong))


def _asked(told: Lesson) -> list[dict[str, Any]]:
    """By step, what the run answers and what it does not."""
    player, found = Player(told), list[dict[str, Any]]()
    for place, step in enumerate(told.steps):
        player = at_step(player, place)
        if step.ask is None:
            continue
        answer, most = right_answer(step), highest_end(shown(player).content.runs[0])
        right, wrong = right_of(answer), list(wrong_of(step.ask, answer, step, most))
        found.append(
            {
                "step": place + 1,
                "right": _plain(right),
                "wrong": [_plain(one) for one in wrong],
                "miss": _plain(_miss(step, wrong, right)),
            }
        )
        player = answered(player, None)
    return found


@pytest.mark.slow
@needs_browser
@pytest.mark.thinned(7)
@pytest.mark.parametrize(("name", "language"), EVERY)
def test_a_page_takes_every_wrong_answer_as_wrong_and_then_the_right_ones(
    name: str, language: str, tmp_path: Path
) -> None:
    offscreen_app()
    told = lesson(name, language)
    page = tmp_path / "a.html"
    page.write_text(lesson_page(told, language), encoding="utf-8")
    assert page.stat().st_size <= 3_000_000
    asked = _asked(told)

    found = probed(BROWSER, page, PROBE.replace("ASKED", json.dumps(asked)), tmp_path)

    assert (found["asked"], found["loaded"]) == ([], [])
    questions = [place for place, step in enumerate(told.steps, start=1) if step.ask is not None]
    assert [one["step"] for one in found["wrongly"]] == questions
    for one in found["wrongly"]:
        # What comes after a question waits for its answer.
        assert one["before"] == list(range(1, one["step"] + 1))
        assert one["ready"]
        assert {*one["marks"], one["mark"]} <= {Mark.WRONG, Mark.PARTLY}, one["step"]
    with speaking(language):
        for one in found["rightly"]:
            step = told.steps[one["step"] - 1]
            assert step.ask is not None
            assert (one["mark"], one["tries"], one["ready"], one["shown"]) == (Mark.RIGHT, 2, True, True)
            happened = answer_words(step.ask, right_answer(step), runs_of(step.scene)[0])
            assert (one["happened"], one["rule"]) == (happened, rule_words(step))
            assert one["yours"]
        assert {one["verdict"] for one in found["rightly"]} == {text(MARK_WORDS[Mark.RIGHT])}
    assert found["seen"] == list(range(1, len(told.steps) + 1))
    # A figure a step, and one more after each reveal; none is empty, and nothing is wider than the page.
    assert (found["figures"], found["empty"], found["wide"]) == (len(told.steps) + len(questions), 0, False)
    for step in told.steps:
        assert any(one.endswith(step.title) for one in found["texts"])
        assert step.ask is None or step.ask.question in found["texts"]
    result = result_of(json.loads(found["json"]))
    assert (result.right, len(result.answered)) == (len(questions), len(questions))
