"""`tidegauge lesson`, as a person and as a program would call it."""

import csv
import io
import json
from pathlib import Path

import pytest

from core.teaching.answers import Mark
from core.teaching.grades import Answered, Result, as_json
from gui.cli import run


def test_the_course_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lesson", "list", "--json"]) == 0

    found = {one["lesson"]: one for one in json.loads(capsys.readouterr().out)}
    assert found["loss-by-truncation"]["questions"] == 4


def test_a_new_lesson_holds_and_one_that_says_what_is_not_so_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    assert run(["lesson", "new", str(folder)]) == 0
    assert run(["lesson", "check", str(folder)]) == 0

    text = (folder / "lesson.md").read_text(encoding="utf-8")
    (folder / "lesson.md").write_text(
        text.replace("high watermark 2>", "high watermark 1>"), encoding="utf-8"
    )
    capsys.readouterr()
    assert run(["lesson", "check", str(folder), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert [(one["step"], one["id"]) for one in found["problems"]] == [(1, "lesson.problem.false")]


def test_nothing_is_written_over_and_errors_name_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lesson.md").write_text("# no head\n", encoding="utf-8")

    assert run(["lesson", "new", str(tmp_path)]) == 2
    assert (tmp_path / "lesson.md").read_text(encoding="utf-8") == "# no head\n"
    assert run(["lesson", "check", str(tmp_path / "lesson.md")]) == 2
    assert "lesson.md, line 1" in capsys.readouterr().err
    assert run(["lesson", "check", str(tmp_path / "nothing")]) == 2


def _saved(folder: Path, learner: str, marks: tuple[Mark, ...], hints: int = 0) -> str:
    rows = tuple(
        Answered(step, "cut", f"Question {step}?", "1", mark, float(mark is Mark.RIGHT), hints, 10.0)
        for step, mark in enumerate(marks, start=1)
    )
    result = Result("loss", "The loss", "en", "ab", 0, rows, learner)
    path = folder / f"{learner.strip('=')}.json"
    path.write_text(json.dumps(as_json(result)), encoding="utf-8")
    return str(path)


def test_results_of_many_learners_are_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        _saved(tmp_path, "Bo", (Mark.RIGHT, Mark.WRONG)),
        _saved(tmp_path, "=Ada", (Mark.RIGHT, Mark.RIGHT), hints=1),
        _saved(tmp_path, "Cy", (Mark.WRONG, Mark.SKIPPED)),
    ]
    assert run(["lesson", "results", *files, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    ada = next(one for one in told["learners"] if one["learner"] == "=Ada")
    assert (ada["points"], ada["right"], ada["questions"], ada["hints"], ada["seconds"]) == (2, 2, 2, 2, 20)
    # The first question was answered right by Bo and Ada, the second by Ada alone.
    counts = [(one["right"], one["wrong"], one["skipped"], one["answers"]) for one in told["questions"]]
    assert counts == [(2, 1, 0, 3), (1, 1, 1, 3)]

    assert run(["lesson", "results", *files, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["learner"], row["right"]) for row in rows] == [("'=Ada", "2"), ("Bo", "1"), ("Cy", "0")]

    assert run(["lesson", "results", *files]) == 0
    assert "Question 2?" in capsys.readouterr().out


def test_what_is_no_result_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = json.loads(Path(_saved(tmp_path, "Bo", (Mark.RIGHT,))).read_text(encoding="utf-8"))
    texts = ("{}", "no JSON", json.dumps({**good, "answered": [{**good["answered"][0], "seconds": "1"}]}))
    for text in texts:
        (tmp_path / "b.json").write_text(text, encoding="utf-8")
        assert run(["lesson", "results", str(tmp_path / "b.json")]) == 2
        assert "b.json" in capsys.readouterr().err
    assert run(["lesson", "results", str(tmp_path / "none.json")]) == 2


def test_thirty_files_of_a_folder_are_one_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(30):
        right = number % 3 == 0
        _saved(tmp_path, f"L{number:02}", (Mark.RIGHT, Mark.RIGHT if right else Mark.WRONG))
    (tmp_path / "L00.xapi.json").write_text("[]", encoding="utf-8")

    assert run(["lesson", "results", str(tmp_path), "--markdown"]) == 0
    table, asked = capsys.readouterr().out.split("\n\n")
    assert len(table.splitlines()) == 2 + 30
    # All of thirty answered the first question right, every third one the second.
    assert [line.split("|")[3:5] for line in asked.splitlines()[2:4]] == [[" 30 ", " 30 "], [" 10 ", " 30 "]]

    assert run(["lesson", "results", str(tmp_path), "--xapi"]) == 0
    statements = json.loads(capsys.readouterr().out)
    assert len(statements) == 30 * 3
    assert sum(one["result"].get("success", False) for one in statements) == 30 + 10

    (tmp_path / "none").mkdir()
    assert run(["lesson", "results", str(tmp_path / "none")]) == 2


def test_a_name_in_a_sheet_is_no_markdown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _saved(tmp_path, "a|<b>", (Mark.RIGHT,))

    assert run(["lesson", "results", file, "--markdown"]) == 0
    assert "| a\\|\\<b> |" in capsys.readouterr().out


@pytest.mark.slow
def test_a_final_test_is_written_as_a_page(tmp_path: Path) -> None:
    assert run(["lesson", "export", "final-test:3", "-o", str(tmp_path / "t.html")]) == 0
    text = (tmp_path / "t.html").read_text(encoding="utf-8")
    assert "Final test, seed 3" in text
    assert text.count("<fieldset>") == 12
    assert run(["lesson", "export", "final-test:x", "-o", str(tmp_path / "x.html")]) == 2


def test_a_lesson_is_recorded_from_stops_and_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--record", "hw-loss", "--stops", "3,5?,7?,9?,13"]
    assert run(["lesson", "new", str(tmp_path / "mine"), *asked]) == 0
    assert run(["lesson", "check", str(tmp_path / "mine"), "--json"]) == 0
    capsys.readouterr()
    text = (tmp_path / "mine" / "lesson.md").read_text(encoding="utf-8")

    # After step 7 B comes back and cuts; after step 9, where A crashed, B is elected.
    assert [line for line in text.splitlines() if line.startswith("kind")] == [
        'kind = "watermark"',
        'kind = "cut"',
        'kind = "leader"',
    ]
    assert text.count("```show") == 5
    assert run(["lesson", "new", str(tmp_path / "zh"), *asked, "--lang", "zh"]) == 0
    assert run(["lesson", "check", str(tmp_path / "zh" / "lesson.zh.md")]) == 0


@pytest.mark.parametrize(
    "asked",
    [
        ("--record", "hw-loss"),
        ("--record", "hw-loss", "--stops", "x"),
        ("--record", "hw-loss", "--stops", "99"),
        ("--record", "no-such", "--stops", "1"),
        ("--record", "hw-loss", "--stops", "1", "--era", "9.9"),
        ("--stops", "1"),
    ],
)
def test_what_cannot_be_recorded_is_named_and_nothing_is_written(
    asked: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lesson", "new", str(tmp_path / "mine"), *asked]) == 2
    assert not (tmp_path / "mine").exists()
    assert "Traceback" not in capsys.readouterr().err
