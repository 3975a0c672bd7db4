"""Files that are left out, and files that somebody says are of another broker: `--leave-out`, `--broker`."""

import shutil
from pathlib import Path

import pytest

from core.message_json import stored
from core.words import text
from db.document import open_document
from importers.options import ImportOptions, broker_named, names_file
from tests.archives import unpack_sample
from tests.cli.conftest import Tell


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_sample("k0102-hw-loss", tmp_path_factory.mktemp("case"))


@pytest.mark.parametrize(
    ("name", "path", "fits"),
    [
        ("a/server.log", "a/server.log", True),
        ("a", "a/server.log", True),
        ("a", "ab/server.log", False),
        ("case.zip", "case.zip!/a/server.log", True),
        ("server.log", "a/server.log", False),
        ("server.log*", "a/b/server.log.2026-11-21-03", True),
        ("*/data-at-*", "broker-1/data-at-031712/meta.properties", True),
        ("a/*.log", "b/a/x.log", False),
        ("a[1]", "a[1]/x.log", True),
    ],
)
def test_what_a_name_names(name: str, path: str, fits: bool) -> None:  # noqa: FBT001 - a row of the table
    assert names_file(name, path) is fits


def test_the_longest_name_that_fits_decides() -> None:
    told = {"a": 1, "a/b": 2, "*": 3}

    assert [broker_named(told, path) for path in ("a/x", "a/b/x", "c")] == [1, 2, 3]
    assert ImportOptions(brokers=told).unused(["a/x"]) == ("a/b",)


@pytest.mark.slow
def test_files_left_out_say_nothing_and_are_told(case: Path, tell: Tell) -> None:
    whole = tell("info", case, "--json").json["traces"][0]
    told = tell("info", case, "--leave-out", "*/data*", "--leave-out", "broker-3/", "--json")

    assert told.code == 0, told.err
    trace = told.json["traces"][0]
    out = {row["file"] for row in trace["report"]["by_file"] if text(stored(row.get("fault"))) == "As asked"}
    files = {row["file"] for row in whole["report"]["by_file"]}
    assert out == {one for one in files if one.startswith("broker-3/") or "/data" in one}
    assert out
    assert all(row["bytes"] == 0 for row in trace["report"]["by_file"] if row["file"] in out)
    assert {row["broker"] for row in trace["report"]["by_file"] if row.get("recognised")} == {1, 2}


def test_a_folder_is_said_to_be_of_another_broker(case: Path, tell: Tell) -> None:
    told = tell("info", case, "--broker", "broker-3=7", "--json")

    assert told.code == 0, told.err
    rows = told.json["traces"][0]["report"]["by_file"]
    mine = [row for row in rows if row["file"].startswith("broker-3/")]
    assert {(row["broker"], row["found_by"]) for row in mine} == {(7, "stated")}
    assert 7 not in {row["broker"] for row in rows if not row["file"].startswith("broker-3/")}


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--leave-out", "brokre-1"), "'brokre-1' names no file"),
        (("--broker", "nowhere=1"), "'nowhere' names no file"),
        (("--broker", "two"), "'two' is no broker"),
        (("--broker", "1", "--broker", "2"), "cannot be of 2 brokers"),
    ],
)
def test_what_names_nothing_is_said_and_nothing_is_written(
    options: tuple[str, ...], word: str, case: Path, tell: Tell, tmp_path: Path
) -> None:
    told = tell("import", case, *options, "-o", tmp_path / "case.tide")

    assert told.code == 2
    assert word in told.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_document_remembers_what_was_left_out(case: Path, tell: Tell, tmp_path: Path) -> None:
    logs, later, made = tmp_path / "logs", tmp_path / "later", tmp_path / "case.tide"
    shutil.copytree(case / "broker-1", logs / "broker-1")
    shutil.copytree(case / "broker-2", later / "broker-2")
    assert tell("import", logs, "--leave-out", "broker-1/data*", "-o", made).code == 0

    told = tell("import", later, "--into", made, "--leave-out", "later/broker-2/data*", "--json")

    assert told.code == 0, told.err
    with open_document(made) as document:
        rows = document.trace().report["by_file"]
    read = {row["file"] for row in rows if text(stored(row.get("fault"))) != "As asked"}
    assert {one.split("/")[0] for one in read} == {"logs", "later"}
    assert not any("/data" in one for one in read)
