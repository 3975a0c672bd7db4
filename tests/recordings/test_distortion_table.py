"""docs/fidelity.md: the table of distorted recordings is that of the last whole run; nothing in it is false.

make referee                     writes what it found, seed 5
make goldens ONLY=distortions    writes the table anew
"""

from pathlib import Path

import pytest

from tests.goldens import updating
from tests.recordings.distortion_table import HEADING, KINDS, RESULTS, results, section, taken_in

TABLE = Path(__file__).parents[2] / "docs" / "fidelity.md"


def test_the_table_is_that_of_the_last_whole_run(request: pytest.FixtureRequest) -> None:
    into = Path(str(request.config.getoption("--distorted-into")) or ".distorted.jsonl")
    if updating() and into.is_file():
        seed = int(str(request.config.getoption("--distorted-from")))
        RESULTS.write_text(taken_in(into.read_text(encoding="utf-8"), seed), encoding="utf-8")
    text = TABLE.read_text(encoding="utf-8")
    if updating():
        before, _, _ = text.partition(HEADING)
        TABLE.write_text(f"{before.rstrip()}\n\n{section()}", encoding="utf-8")

    assert TABLE.read_text(encoding="utf-8").endswith(section())


def test_nothing_that_the_last_whole_run_said_was_false() -> None:
    _, cases = results()

    assert [one for one in cases if one.false] == []


def test_the_last_run_had_every_kind_on_each_of_its_recordings() -> None:
    _, cases = results()
    kinds = {kind for some in KINDS.values() for kind in some}

    for name in {one.name for one in cases}:
        assert sorted((one.kind, one.data) for one in cases if one.name == name) == sorted(
            (kind, data) for kind in kinds for data in (True, False)
        )
