"""What workers find in parts of all items, without Spark: the same rows as are found here."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import DocumentError
from core.work import QUIET
from importers.containers.containers import members
from importers.lines.items import Items, joined_items
from importers.merge.apart import Question, by_partitions, parts_of
from importers.merge.files import read_files
from importers.merge.gathered import gather
from importers.merge.order import edge_rows
from importers.merge.telling import telling
from importers.merge.ties import tie_rows
from importers.merge.timed import log_items
from importers.options import ImportOptions
from spark.asking import Answer, answer, asked_of
from spark.shelf import Shelf
from tests.in_words import in_words

pytestmark = pytest.mark.spark

ARCHIVES = sorted((Path(__file__).parents[1] / "recordings").glob("*.tar.xz"))
ALONE = ("k41-console", "k41-trace")
"""Recordings in whose logs nothing ties brokers: what assigned their epochs is in the metadata log alone."""


def telling_of(archive: Path) -> Items:
    """The items of a recording's logs that tell something."""
    files = tuple(read for member in members([archive]) for read in read_files(member, QUIET))
    logs, _ = log_items(gather(files, ImportOptions()))
    items = joined_items(logs)
    return items.taken(telling(items))


def answers(items: Items, question: Question, most: int, folder: Path) -> tuple[list[int], Sequence[Answer]]:
    """What workers answer, the last part first; and where parts begin."""
    order, edges = parts_of(items, most)
    with Shelf(folder, ".items") as shelf:
        asked = asked_of(items, order, edges, question, shelf, folder)
        assert set(asked.rules.values()) == {one.rule for one in items}
        return edges, [answer(asked, part) for part in reversed(range(len(edges) - 1))][::-1]


@pytest.mark.slow
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name.removesuffix(".tar.xz"))
def test_workers_find_what_is_found_here(archive: Path, tmp_path: Path) -> None:
    items, count = telling_of(archive), 0
    for question in (tie_rows, edge_rows):
        edges, found = answers(items, question, 100, tmp_path)
        expected = [question(told) for _, told in by_partitions(items, 100)]
        assert len(expected) == len(edges) - 1 > 1
        assert [one.rows for one in found] == [rows.tobytes() for rows in expected]
        count += sum(map(len, expected))
        assert [one.part for one in found] == list(range(len(expected)))
    assert [*tmp_path.iterdir()] == []
    assert count or archive.name.startswith(ALONE)


def test_a_worker_that_does_not_find_the_items_says_why(tmp_path: Path) -> None:
    items = telling_of(ARCHIVES[0])
    order, edges = parts_of(items, 100)
    with Shelf(tmp_path, ".items") as shelf:
        asked = asked_of(items, order, edges, tie_rows, shelf, tmp_path)
        lost = replace(asked, said=replace(asked.said, path=str(tmp_path / "gone")))
        found = answer(lost, 0)
    assert found.fault is not None
    assert "No such file" in in_words(DocumentError.of(found.fault)).why
