"""`tidegauge simulate --search`: what is printed, what is written, and the exit code."""

from pathlib import Path

import pytest

from tests.cli.conftest import Tell


@pytest.mark.slow
def test_a_broken_promise_is_written_as_a_script_that_can_be_replayed(tell: Tell, tmp_path: Path) -> None:
    script = tmp_path / "found.toml"
    told = tell("simulate", "--search", 2, "--seed", 117, "--era", "0.10.2", "-o", script)

    assert told.code == 1
    assert "0.10.2: 2 runs, seeds 117 to 118" in told.out
    assert "A leader holds every record that was committed" in told.out
    assert f"tidegauge simulate {script} --era 0.10.2" in told.out

    tell("simulate", script, "--era", "0.10.2,2.8", "-o", tmp_path / "found.tide")
    checked = tell("check", tmp_path / "found.tide", "--trace", "0.10.2", "--json")
    assert checked.code == 1
    assert [loss["class"] for loss in checked.json["partitions"][0]["losses"]] != []
    assert tell("check", tmp_path / "found.tide", "--trace", "2.8").code == 0


@pytest.mark.slow
def test_without_a_file_the_script_is_printed(tell: Tell) -> None:
    told = tell("simulate", "--search", 2, "--seed", 117, "--era", "0.10.2")

    assert told.code == 1
    assert 'do = "crash"' in told.out


def test_nothing_found_is_said_and_nothing_is_written(tell: Tell, tmp_path: Path) -> None:
    told = tell("simulate", "--search", 5, "--seed", 100, "--era", "2.8", "-o", tmp_path / "none.toml")

    assert told.code == 0
    assert "seeds 100 to 104" in told.out
    assert "no promise was broken" in told.out
    assert not (tmp_path / "none.toml").exists()


def test_a_file_that_is_there_is_refused_before_anything_is_searched(tell: Tell, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("mine")
    told = tell("simulate", "--search", 1_000_000, "--era", "2.8", "-o", tmp_path / "mine.toml")

    assert told.code == 2
    assert "--replace" in told.err
    assert (tmp_path / "mine.toml").read_text() == "mine"
