"""`tidegauge simulate --logs`: the files of real brokers, which `import` and `check` read like any other."""

from pathlib import Path

import pytest

from core.kafka.eras import ERAS
from tests.cli.conftest import Tell


def test_what_is_written_can_be_checked(tell: Tell, tmp_path: Path) -> None:
    told = tell("simulate", "hw-loss", "--era", "0.10.2", "--logs", tmp_path / "logs")

    assert told.code == 0
    assert (tmp_path / "logs/broker-1/logs/server.log").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
    # The disks are as old as the run, which begins on 2026-01-01: 18 s until the loss.
    seconds = (tmp_path / "logs/broker-1/data/meta.properties").stat().st_mtime - 1_767_225_600
    assert 18 <= seconds < 60
    found = tell("check", tmp_path / "logs")
    assert found.code == 1
    assert "committed" in found.out


@pytest.mark.slow
def test_eras_stand_beside_each_other(tell: Tell, tmp_path: Path) -> None:
    assert tell("simulate", "hw-loss", "--logs", tmp_path / "logs").code == 0

    assert {path.name for path in (tmp_path / "logs").iterdir()} == {one.id for one in ERAS}
    assert tell("check", tmp_path / "logs/2.8").code == 0


def test_a_folder_is_replaced_only_when_that_is_said(tell: Tell, tmp_path: Path) -> None:
    target = tmp_path / "logs"
    arguments = ("simulate", "hw-loss", "--era", "2.8", "--logs", target)
    tell(*arguments)
    (target / "broker-1/old").touch()

    assert tell(*arguments).code == 2
    assert (target / "broker-1/old").exists()
    assert tell(*arguments, "--replace").code == 0
    assert not (target / "broker-1/old").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_a_folder_with_other_things_is_never_replaced(tell: Tell, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / "thesis.txt").write_text("precious", encoding="utf-8")

    told = tell("simulate", "hw-loss", "--era", "2.8", "--logs", target, "--replace")

    assert told.code == 2
    assert "mine" in told.err
    assert (target / "thesis.txt").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("place", ["nowhere/logs", "file/logs"])
def test_a_place_that_cannot_be_written(tell: Tell, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")

    told = tell("simulate", "hw-loss", "--era", "2.8", "--logs", tmp_path / place)

    assert told.code == 2
    assert str(tmp_path) in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_era_under_a_controller_that_is_not_its_own_writes_nothing(tell: Tell, tmp_path: Path) -> None:
    told = tell(
        "simulate", "hw-loss", "--era", "2.8", "--set", "controller=kraft", "--logs", tmp_path / "logs"
    )

    assert told.code == 2
    assert "controller=zookeeper" in told.err
    assert not list(tmp_path.iterdir())
