"""`tidegauge lesson`, as a person and as a program would call it."""

import json
from pathlib import Path

import pytest

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
