"""How lanes are arranged is kept in a document."""

import sqlite3
from pathlib import Path

from core.document.lane_order import USUAL, LaneOrder, Sorting
from db.document import create, open_document
from db.engine import VERSION
from db.rebuild import rebuild
from tests.db.conftest import MakeTrace, make_older

ARRANGED = LaneOrder(
    order=(3, 1, 12),
    folded=frozenset({1}),
    pinned=frozenset({3}),
    hidden=frozenset({2, 7}),
    opened=frozenset({12}),
    heights=((1, 60), (9, 200)),
)


def test_lanes_come_back_as_they_were_arranged(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with open_document(path, write=True) as document:
        assert document.lanes() == USUAL
        document.put_lanes(ARRANGED.sort(Sorting.BROKER, ARRANGED.order))
    with open_document(path, write=True) as document:
        # By what they were sorted is not kept: only how they stand.
        assert document.lanes() == ARRANGED
        document.put_lanes(LaneOrder(folded=frozenset({4})))
    with open_document(path) as document:
        assert document.lanes() == LaneOrder(folded=frozenset({4}))


def test_lanes_stay_when_a_trace_is_read_again(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()], lanes=ARRANGED)
    rebuild(path, make_trace())
    with open_document(path) as document:
        assert document.lanes() == ARRANGED


def test_a_document_from_before_has_its_lanes_as_usual(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "old.tide"
    create(path, [make_trace()])
    with sqlite3.connect(path) as database:
        make_older(database, "0004")
    database.close()
    with open_document(path) as document:
        assert document.lanes() == USUAL
    with open_document(path, write=True) as document:
        document.put_lanes(ARRANGED)
    with open_document(path) as document:
        assert document.lanes() == ARRANGED
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (VERSION,)
    database.close()
