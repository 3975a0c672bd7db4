"""`tidegauge lesson export -o x.html`: a page that asks, judges by the run and grades, without a network."""

import csv
import io
import json
import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Tell
from tests.cli.test_export_page import BROWSER, Addresses, data_of, needs_browser
from tests.in_browser import probed

HEAD = """+++
title = "Every kind"
line = "One question of each kind."
minutes = 5
scenario = "hw-loss"
runs = ["0.10.2"]
+++
"""
KINDS = {
    "watermark": (5, "step = 6", 'broker = "A"'),
    "cut": (7, "step = 8", 'broker = "B"'),
    "choice": (
        7,
        "step = 8",
        """options = [{ text = "B cuts", holds = "B has cut its log from 2 to 1" },
            { text = "B keeps all", holds = "B has cut nothing" }]""",
    ),
    "order": (
        6,
        "step = 8",
        """events = [{ text = "B cuts its log", step = 8, event = "truncated", broker = "B" },
            { text = "B is killed", step = 7, event = "broker_crashed", broker = "B" }]""",
    ),
    "in-sync": (9, "step = 10", ""),
    "leader": (9, "step = 10", ""),
    "lost": (10, "", ""),
}
"""By kind: where it is asked of hw-loss under 0.10.2, where it is judged, and what it needs."""
# In hw-loss under 0.10.2 B cuts m1 (offset 1), which A had promised; then B, broker 2, leads alone.
RIGHT = {
    "watermark": 2,
    "cut": 1,
    "choice": 0,
    "order": [1, 0],
    "in-sync": [2],
    "leader": 2,
    "lost": [1],
}
WRONG = {
    "watermark": 1,
    "cut": 2,
    "choice": 1,
    "order": [0, 1],
    "in-sync": [1],
    "leader": 1,
    "lost": [0],
}
NOTE = "Nobody but the speaker reads this"
PROBE = """
  const { data, judge, results } = window.tidegauge;
  const hidden = [];
  const place = (question, ANSWERS) => {
    const root = document.getElementById(`step-${question.step}`);
    const answer = ANSWERS[question.kind];
    const inputs = [...root.querySelectorAll("fieldset input")];
    hidden.push(document.querySelectorAll(".step[hidden]").length);
    if (HINT) root.querySelector(".hint").click();
    if (question.control === "number") inputs[0].value = answer;
    if (question.control === "one") inputs.find((one) => one.value === `${answer}`).checked = true;
    if (question.control === "several") {
      inputs.forEach((one) => { one.checked = answer.includes(Number(one.value)); });
    }
    if (question.control === "order") {
      const places = [...root.querySelectorAll("select")];
      places.forEach((one, place) => { one.value = answer.indexOf(place) + 1; });
    }
    root.querySelector("fieldset").dispatchEvent(new Event("change"));
    root.querySelector(".place").click();
  };
  for (const question of data.questions) place(question, ANSWERS);
  AFTERWARDS
  const named = [...document.querySelectorAll("input, select, button")].every(
    (one) => one.textContent.trim() || one.closest("label")?.textContent.trim());
  const band = [0, 1, 3, 4].map((value) => judge({ lo: 1, hi: 3 }, value).mark);
  const open = judge({ lo: null, hi: 3 }, 0).mark;
  return {
    hidden, named, band, open,
    marks: Object.fromEntries(data.questions.map((one) => [one.kind, results.get(one.step).mark])),
    given: Object.fromEntries(data.questions.map((one) => [one.kind, results.get(one.step).given])),
    happened: [...document.querySelectorAll(".reveal:not([hidden]) .happened")].length,
    left: document.querySelectorAll(".step[hidden], .reveal[hidden], #grade[hidden]").length,
    score: document.getElementById("score").textContent,
    practised: window.practised,
    csv: window.tidegauge.as_csv(), md: window.tidegauge.as_md(),
    json: window.tidegauge.as_json(), xapi: window.tidegauge.as_xapi(),
  };
"""


def every_kind() -> str:
    """A lesson that asks one question of each kind."""
    steps = [
        f"## About {kind}\n\nLook at **both** logs before the {kind}.\n\n```show\nstep = {stop}\n```\n\n"
        f'```ask\nkind = "{kind}"\nquestion = "What of the {kind}?"\n{rest}\n'
        f'judged = {{ {judged} }}\nhints = ["Think of {kind}."]\n```\n\n'
        f"```reveal\nRevealed text of {kind}.\n```\n\n```note\n{NOTE}.\n```\n"
        for kind, (stop, judged, rest) in KINDS.items()
    ]
    return "\n".join((HEAD, *steps))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from gui.cli import run

    folder = tmp_path_factory.mktemp("lesson")
    (folder / "lesson.md").write_text(every_kind(), encoding="utf-8")
    assert run(["lesson", "export", str(folder), "-o", str(folder / "a.html")]) == 0
    return folder / "a.html"


@pytest.mark.slow
def test_a_page_of_the_course_is_whole_small_and_loads_nothing(tell: Tell, tmp_path: Path) -> None:
    from core.teaching.library import lesson

    told = tell("lesson", "export", "loss-by-truncation", "-o", tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    reader = Addresses()
    reader.feed(text)
    words = unescape(re.sub(r"<(script|style|svg)\b.*?</\1>|<[^>]+>", "", text, flags=re.DOTALL))

    assert told.code == 0
    assert (tmp_path / "a.html").stat().st_size <= 3_000_000
    assert data_of(text)["lesson"]["id"] == "loss-by-truncation"
    assert reader.found == []
    assert not re.findall(r"url\((?!#)|@import|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(", text)
    for step in lesson("loss-by-truncation").steps:
        assert step.title in words
        assert step.ask is None or step.ask.question in words
    # A figure a step, and one more after each reveal.
    told_lesson = lesson("loss-by-truncation")
    assert text.count("<figure") == len(told_lesson.steps) + len(told_lesson.questions)
    assert tell("lesson", "export", "loss-by-truncation", "-o", tmp_path / "a.html").code == 2
    assert tell("lesson", "export", "loss-by-truncation", "-o", tmp_path / "a.doc").code == 2


@pytest.mark.slow
def test_notes_are_written_where_they_are_asked_for(tell: Tell, page: Path, tmp_path: Path) -> None:
    assert NOTE not in page.read_text(encoding="utf-8")
    told = tell("lesson", "export", page.parent, "--notes", "-o", tmp_path / "notes.html")
    assert told.code == 0
    assert (tmp_path / "notes.html").read_text(encoding="utf-8").count(NOTE) == len(KINDS)


def test_the_answers_of_the_page_are_those_of_the_run(page: Path) -> None:
    found = {one["kind"]: one for one in data_of(page.read_text(encoding="utf-8"))["questions"]}

    assert list(found) == list(KINDS)
    for kind in ("watermark", "cut", "choice", "leader"):
        assert (found[kind]["lo"], found[kind]["hi"]) == (RIGHT[kind], RIGHT[kind])
    assert (found["in-sync"]["members"], found["lost"]["members"]) == ([2], [1])
    assert (found["order"]["order"], found["order"]["before"]) == ([1, 0], [[1, 0]])


def asked(
    page: Path, answers: dict[str, Any], folder: Path, *, hint: bool = False, afterwards: str = ""
) -> dict[str, Any]:
    code = PROBE.replace("place(question, ANSWERS);", f"place(question, {json.dumps(answers)});")
    code = code.replace("AFTERWARDS", afterwards).replace("HINT", json.dumps(hint))
    return probed(BROWSER, page, code, folder)


@pytest.mark.slow
@needs_browser
def test_in_a_browser_every_right_answer_is_right_and_the_result_can_be_taken_home(
    page: Path, tmp_path: Path
) -> None:
    from core.teaching.grades import COLUMNS, result_of

    found = asked(page, RIGHT, tmp_path)

    assert found["marks"] == dict.fromkeys(KINDS, "right")
    assert found["hidden"] == [6, 5, 4, 3, 2, 1, 0], "what comes after a question waits for it"
    assert (found["happened"], found["left"], found["named"]) == (7, 0, True)
    assert (found["band"], found["open"]) == (["wrong", "right", "right", "wrong"], "right")
    assert found["score"] == "7 points, 7 of 7 right"
    assert (found["given"]["leader"], found["given"]["order"]) == ("B", "B is killed, B cuts its log")
    head, *rows = csv.reader(io.StringIO(found["csv"]))
    assert tuple(head) == COLUMNS
    assert [row[COLUMNS.index("mark")] for row in rows] == ["right"] * 7
    result = result_of(json.loads(found["json"]))
    assert (result.points, result.right, result.title) == (7, 7, "Every kind")
    # A head and a row a question, told as the window tells them.
    table = [line for line in found["md"].splitlines() if line.startswith("|")]
    assert len(table) == 2 + 7
    assert [cell.strip() for cell in table[2].split("|")][1:6] == [
        "1",
        "What of the watermark?",
        "1",
        "2",
        "Right",
    ]
    *each, whole = json.loads(found["xapi"])
    assert [one["result"]["success"] for one in each] == [True] * 7
    assert whole["result"]["score"] == {"raw": 7, "max": 7, "scaled": 1}
    assert (found["asked"], found["loaded"]) == ([], [])


@pytest.mark.slow
@needs_browser
def test_in_a_browser_a_wrong_answer_is_wrong_and_a_hint_costs_half(page: Path, tmp_path: Path) -> None:
    wrong = asked(page, WRONG, tmp_path)
    assert wrong["marks"] == dict.fromkeys(KINDS, "wrong")
    assert wrong["score"] == "0 points, 0 of 7 right"

    shutil.rmtree(tmp_path / "profile")
    hinted = asked(page, RIGHT, tmp_path, hint=True)
    assert hinted["score"] == "3.5 points, 7 of 7 right"


PRACTISE = f"""
  const practise = document.getElementById("practise");
  const before = [practise.hidden, document.getElementById("score").textContent];
  practise.click();
  const asked_again = [...document.querySelectorAll(".again:not([hidden])")].length;
  const covered = document.querySelectorAll(".reveal:not([hidden])").length;
  for (const question of data.questions) place(question, {json.dumps(RIGHT)});
  window.practised = {{ before, asked_again, covered, after: practise.hidden }};
"""


@pytest.mark.slow
@needs_browser
def test_in_a_browser_what_was_missed_comes_again_and_each_try_is_kept(page: Path, tmp_path: Path) -> None:
    from core.teaching.grades import COLUMNS, result_of

    mixed = {**RIGHT, "cut": WRONG["cut"], "order": WRONG["order"]}
    code = PRACTISE.replace("for (const question of data.questions)", "for (const question of missed)")
    code = "const missed = data.questions.filter((one) => results.get(one.step).mark !== 'right');" + code
    found = asked(page, mixed, tmp_path, afterwards=code)

    # Two of seven were missed: they are asked again, what happened is covered, a right answer counts half.
    assert found["score"] == "6 points, 7 of 7 right"
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [
        (row["kind"], row["try"], row["mark"], row["points"])
        for row in rows
        if row["kind"] in ("cut", "order")
    ] == [
        ("cut", "1", "wrong", "0"),
        ("cut", "2", "right", "0.5"),
        ("order", "1", "wrong", "0"),
        ("order", "2", "right", "0.5"),
    ]
    assert len(rows) == 9
    assert list(rows[0]) == list(COLUMNS)
    result = result_of(json.loads(found["json"]))
    assert (result.points, result.right) == (6, 7)
    assert [len(one.tries) for one in result.answered] == [1, 2, 1, 2, 1, 1, 1]
    assert len(json.loads(found["xapi"])) == 9 + 1
    assert found["practised"] == {
        "before": [False, "5 points, 5 of 7 right"],
        "asked_again": 2,
        "covered": 5,
        "after": True,
    }


@pytest.mark.slow
@needs_browser
def test_in_a_browser_a_lesson_for_practice_takes_one_more_answer(tmp_path: Path) -> None:
    from gui.cli import run

    told = every_kind().replace("minutes = 5\n", "minutes = 5\npractice = true\n")
    (tmp_path / "lesson.md").write_text(told, encoding="utf-8")
    assert run(["lesson", "export", str(tmp_path), "-o", str(tmp_path / "a.html")]) == 0
    again = f"for (const question of data.questions) place(question, {json.dumps(RIGHT)});"
    code = f"window.practised = results.size; {again}"

    found = asked(tmp_path / "a.html", WRONG, tmp_path, afterwards=code)
    # Nothing is revealed by the first answers; each right one then counts half.
    assert (found["practised"], found["score"]) == (0, "3.5 points, 7 of 7 right")
