"""`make goldens` leaves nothing out, and says what changed."""

import re
import subprocess
from pathlib import Path

import pytest

from tests import goldens
from tests.goldens import GROUPS, PARTS, ROOT, Part, changes, chosen, main


def modules_that_write() -> set[str]:
    """The test modules that write a golden or a document when they are told to."""
    asking = re.compile(r"^ +if updating\(\):", re.MULTILINE)
    found = (path for path in (ROOT / "tests").rglob("test_*.py") if asking.search(path.read_text("utf-8")))
    return {path.relative_to(ROOT).as_posix() for path in found}


def test_every_test_that_writes_is_in_a_part() -> None:
    named = {test.partition("::")[0] for part in PARTS.values() for test in part.tests}

    assert named == modules_that_write()


def test_every_page_that_says_what_made_it_is_in_a_part() -> None:
    made_by = re.compile(r"\b[Mm]ade by tests/")
    pages = (path for path in (ROOT / "docs").rglob("*.md") if made_by.search(path.read_text("utf-8")))
    made = {path for part in PARTS.values() for path in part.makes}

    assert {path.relative_to(ROOT).as_posix() for path in pages} <= made


@pytest.mark.parametrize("name", PARTS)
def test_what_a_part_makes_and_what_makes_it_are_there(name: str) -> None:
    part = PARTS[name]

    assert bool(part.script) != bool(part.tests)
    assert all((ROOT / path).exists() for path in part.makes)
    assert all((ROOT / test.partition("::")[0]).is_file() for test in part.tests or [part.script])


def test_every_golden_has_a_part() -> None:
    made = {path for part in PARTS.values() for path in part.makes}

    assert {f"tests/golden/{path.name}" for path in (ROOT / "tests" / "golden").iterdir()} <= made


def test_parts_are_chosen_by_name_and_by_group() -> None:
    assert chosen("") == tuple(PARTS)
    assert chosen("by-era, timelines") == ("timelines", "by-era")
    assert set(chosen("scenarios")) == set(GROUPS["scenarios"])
    assert not set(GROUPS) & set(PARTS)
    assert all(set(parts) <= set(PARTS) for parts in GROUPS.values())
    with pytest.raises(ValueError, match=r"^there is no part 'time': scenarios, "):
        chosen("time")


def test_a_wrong_name_is_an_error_and_help_lists_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline"]) == 2
    assert "there is no part 'timeline'" in capsys.readouterr().out
    assert main(["help"]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name} " in told for name in (*PARTS, *GROUPS))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one page, of which a part is made; and a page of somebody else."""
    (tmp_path / "made.md").write_text("one\n")
    (tmp_path / "other.md").write_text("one\n")
    for command in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    writes = "import pathlib; pathlib.Path('made.md').write_text('one\\ntwo\\n'); pathlib.Path('new').mkdir()"
    (tmp_path / "write.py").write_text(f"{writes}; pathlib.Path('new/a.txt').write_text('a')")
    (tmp_path / "fail.py").write_text("raise SystemExit('no Chinese yet')")
    parts = {
        "page": Part("a page", ("made.md", "new"), script="write.py"),
        "words": Part("words", ("words.txt",), script="fail.py"),
    }
    monkeypatch.setattr(goldens, "ROOT", tmp_path)
    monkeypatch.setattr(goldens, "PARTS", parts)
    return tmp_path


def test_it_tells_what_changed_and_what_is_new_and_nothing_else(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / "other.md").write_text("changed by hand\n")
    assert changes(("page",)) == ""

    assert main(["page"]) == 0

    told = capsys.readouterr().out
    assert re.search(r"^ made\.md \| 1 \+$", told, re.MULTILINE)
    assert " new/a.txt (new)\n" in told
    assert "other.md" not in told


def test_a_command_that_fails_is_told_with_what_it_said_and_the_others_are_made(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([""]) == 1

    told = capsys.readouterr().out
    assert "no Chinese yet" in told
    assert told.endswith("Not made, or made and still wrong: words. What is wrong stands above.\n")
    assert (checkout / "made.md").read_text() == "one\ntwo\n"


def test_make_hands_on_what_was_asked_for() -> None:
    ask = ["make", "--dry-run", "goldens", "ONLY=scenarios", "OF=hw-loss"]
    done = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True)

    assert 'tests.goldens "scenarios" --of "hw-loss"' in done.stdout
