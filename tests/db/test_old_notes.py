"""Notes with an end, a colour and a shape, and documents from before there were any."""

import sqlite3
from pathlib import Path

import pytest

from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from tests.db.conftest import MakeTrace, make_older


@pytest.mark.parametrize("write", [False, True])
def test_a_document_of_version_3_keeps_its_notes_and_takes_new_kinds(
    tmp_path: Path, make_trace: MakeTrace, *, write: bool
) -> None:
    path = tmp_path / "old.tide"
    trace = make_trace()
    old = Note(0, trace.name, anchor_of(trace, 3), "as ever", author="me", created_ns=7, broker=2)
    create(path, [trace], notes=[old])
    with sqlite3.connect(path) as database:
        make_older(database, "0003")

    new = Note(
        0, trace.name, anchor_of(trace, 4), "an arrow", kind="arrow", broker=1,
        end=anchor_of(trace, 9), end_broker=3, colour="ok", shape="round",
    )  # fmt: skip
    with open_document(path, write=write) as document:
        (kept,) = document.notes()
        assert (kept.text, kept.author, kept.created_ns, kept.broker) == ("as ever", "me", 7, 2)
        assert (kept.end, kept.end_broker, kept.colour, kept.shape) == (None, None, "", "")
        if write:
            stored = document.put_note(new)
            assert document.notes() == (kept, stored)
