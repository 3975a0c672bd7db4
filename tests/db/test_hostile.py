"""A document of a stranger opens, or is refused in words: never a defect, never the memory of the machine."""

import json
import math
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from core.shown import shown
from core.trace.trace import DTYPES
from db.tables import Base
from tests.hostile import COMMANDS, Spoil, ask_all, loosen, make_valid, say, spoiled
from tests.hostile_by_hand import FOUND, by_hand, column

pytestmark = pytest.mark.broad(24)

ROOT = Path(__file__).parent.parent.parent
SECONDS = 10
"""Processor time that a question may take."""
MEMORY_MB = 500
OTHERS = [name for name in by_hand() if name not in FOUND]
TIMES = -(-len(OTHERS) // 12)
"""One child process is asked about every so many documents: of each kind of damage some."""


@pytest.fixture(scope="session")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "valid.tide"
    make_valid(path)
    return path


def test_the_valid_document_opens(valid: Path) -> None:
    assert ask_all(valid) == []
    assert ask_all(valid, write=True) == []
    assert {say(valid, "", command).err for command in COMMANDS} == {""}


def _opens_or_is_refused(valid: Path, path: Path, spoil: Spoil) -> None:
    for write in (False, True):
        told = ask_all(spoiled(valid, path, spoil), write=write)
        assert all("cannot be" in one or "newer version" in one or "There is no" in one for one in told), told


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_opens_or_is_refused(valid: Path, tmp_path: Path, name: str) -> None:
    _opens_or_is_refused(valid, tmp_path / "spoiled.tide", by_hand()[name])


@pytest.mark.slow
@pytest.mark.thinned(7)
@pytest.mark.parametrize("name", OTHERS)
def test_a_spoiled_document_opens_or_is_refused(valid: Path, tmp_path: Path, name: str) -> None:
    _opens_or_is_refused(valid, tmp_path / "spoiled.tide", by_hand()[name])


def _ask_the_command_line(valid: Path, folder: Path, names: Sequence[str]) -> None:
    paths = [spoiled(valid, folder / f"{number}.tide", by_hand()[name]) for number, name in enumerate(names)]
    child = subprocess.run(
        [sys.executable, "-m", "tests.hostile", *map(str, paths)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    *answers, memory = map(json.loads, child.stdout.splitlines())
    assert len(answers) == len(names) * len(COMMANDS)
    for said in answers:
        said["name"] = names[int(said["name"])]
        assert 0 <= said["code"] <= 2, said
        assert "defect" not in said["err"], said
        assert "Traceback" not in said["out"] + said["err"], said
        assert (said["code"] == 2) == bool(said["err"]), said
        assert shown(said["out"] + said["err"]) == said["out"] + said["err"], said
        assert said["seconds"] < SECONDS, said
    assert memory < MEMORY_MB, names


@pytest.mark.slow
def test_the_command_line_survives_what_was_found(valid: Path, tmp_path: Path) -> None:
    _ask_the_command_line(valid, tmp_path, FOUND)


@pytest.mark.slow
@pytest.mark.thinned(TIMES)
@pytest.mark.parametrize("first", range(TIMES))
def test_the_command_line_survives(valid: Path, tmp_path: Path, first: int) -> None:
    _ask_the_command_line(valid, tmp_path, OTHERS[first::TIMES])


def test_control_characters_of_a_document_are_shown(valid: Path, tmp_path: Path) -> None:
    path = spoiled(valid, tmp_path / "spoiled.tide", by_hand()["control characters in names"])

    said = say(path, "", ("info",))

    assert r"\x1b[31m\x1b]0;title\x07\u202eevil\u2066\u200f\x85\u2028" in said.out


@pytest.mark.parametrize("name", [name for name in FOUND if "bomb" in name or "0" in name])
def test_a_document_beyond_the_budgets_is_refused(valid: Path, tmp_path: Path, name: str) -> None:
    told = ask_all(spoiled(valid, tmp_path / "spoiled.tide", by_hand()[name]))

    assert told
    assert all("It is damaged" in one for one in told)


NUMBERS = st.sampled_from([-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 255, 2**31 - 1, 2**40, 2**63 - 1])
LEAVES = st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
VALUES = (
    st.none()
    | NUMBERS
    | st.floats().filter(lambda value: not math.isnan(value))
    | st.text(st.characters(codec="utf-8"), max_size=12)
    | st.binary(max_size=40)
    | JSON.map(json.dumps)
)
PLACES = [(table.name, one.name) for table in Base.metadata.sorted_tables for one in table.columns]


@st.composite
def spoils(draw: st.DrawFn) -> Spoil:
    """Another value in any column, other values in the columns of events, or other bytes in a blob."""
    kind = draw(st.sampled_from(["value", "value", "event", "blob"]))
    if kind == "event":
        name = draw(st.sampled_from(list(DTYPES)))
        info = np.iinfo(DTYPES[name])
        places = draw(st.dictionaries(st.integers(0, 30), NUMBERS, min_size=1, max_size=4))

        def change(values: np.ndarray[Any, Any]) -> None:
            for place, value in places.items():
                values[place % len(values)] = min(max(value, info.min), info.max)

        return column(name, change, draw(st.sampled_from([1, 2])))
    table, place = draw(st.sampled_from(PLACES)) if kind == "value" else ("chunk_column", "data")
    row = draw(st.none() | st.integers(0, 40))
    value = draw(VALUES)
    flips = draw(st.dictionaries(st.integers(0, 200), st.integers(1, 255), min_size=1, max_size=5))

    def spoil(database: sqlite3.Connection) -> None:
        loosen(database)
        count = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - our own names
        one = "" if row is None or not count else f" LIMIT 1 OFFSET {row % count}"
        rows = f'(SELECT rowid FROM "{table}"{one})'  # noqa: S608
        new: object = value
        if kind == "blob":
            asked = f"SELECT data FROM chunk_column WHERE rowid IN {rows}"  # noqa: S608
            old = bytearray(database.execute(asked).fetchone()[0])
            for at, flip in flips.items():
                old[at % len(old)] ^= flip
            new = bytes(old)
        statement = f'UPDATE OR REPLACE "{table}" SET "{place}" = ? WHERE rowid IN {rows}'  # noqa: S608
        database.execute(statement, (new,))

    return spoil


@pytest.mark.slow
def test_any_value_anywhere_opens_or_is_refused(
    valid: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20 by default; a third as many as --fuzz says, 2,000 at most."""
    monkeypatch.setenv("TIDEGAUGE_TRACEBACK", "1")
    path = tmp_path / "spoiled.tide"

    @settings(
        max_examples=min(int(request.config.getoption("--fuzz") or 0) // 3, 2_000),
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(spoils())
    def opens_or_is_refused(spoil: Spoil) -> None:
        try:
            spoiled(valid, path, spoil)
        except sqlite3.IntegrityError:
            reject()  # The row's own number can be nothing else: no file can hold that.
        told = ask_all(path)
        answers = [say(path, "", command) for command in COMMANDS[:: 1 if not told else 3]]
        assert {said.code for said in answers} <= {0, 1, 2}
        for said in answers:
            assert shown(said.out + said.err) == said.out + said.err

    opens_or_is_refused()
