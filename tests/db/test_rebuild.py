"""What hangs on lines of a log stays on them when the document is made again from a log that has grown."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import KeptLine, Origin, Partition, Source, Trace
from db.anchors import Anchor, anchor_of
from db.document import create, open_document
from db.notes import Note
from db.rebuild import rebuild
from db.ties import Tie

SHORT, GROWN = "a" * 64, "b" * 64
"""The digests of server.log when it was read first, and an hour later with more lines at its end."""


def incident(
    digest: str, lines: int, *, path: str = "server.log", name: str = "incident", changed: int | None = None
) -> Trace:
    """One log of `lines` lines, an event each, 50 bytes apart; line `changed` has another text."""
    builder = TraceBuilder()
    for line in range(1, lines + 1):
        builder.add(
            line,
            "leo_sample",
            partition=0,
            broker=1,
            replica=1,
            leo=line,
            position=line * 50,
            line=line,
            source=0,
        )
    return builder.build(
        name,
        Origin.IMPORTED,
        partitions=[Partition(TopicPartition("t", 0), (BrokerId(1),))],
        sources=(Source(path, digest, lines * 50),),
        lines=[
            KeptLine(0, line, line * 50, f"line {line}{' again' if line == changed else ''}")
            for line in range(1, lines + 1)
        ],
    )


def noted(trace: Trace, start: int, end: int | None, kind: str) -> Note:
    return Note(
        0,
        trace.name,
        anchor_of(trace, start),
        f"{kind} from {start}",
        kind=kind,
        broker=1,
        end=None if end is None else anchor_of(trace, end),
        end_broker=None if end is None else 1,
    )


def rebuilt(path: Path, before: list[Trace], notes: list[Note], after: Trace) -> tuple[Note, ...]:
    """The notes of a document of `before` after its first trace was read again as `after`."""
    create(path, before, notes=notes)
    rebuild(path, after)
    with open_document(path) as document:
        return document.notes()


@pytest.mark.parametrize("kind", ["range", "arrow"])
def test_both_ends_of_a_note_move_to_the_grown_file(tmp_path: Path, kind: str) -> None:
    before, after = incident(SHORT, 4), incident(GROWN, 9)

    (note,) = rebuilt(tmp_path / "a.tide", [before], [noted(before, 2, 4, kind)], after)

    assert note.anchor == Anchor(GROWN, 100, "t-0", 0)
    assert note.end == Anchor(GROWN, 200, "t-0", 0)


def test_a_note_without_an_end_has_none_afterwards(tmp_path: Path) -> None:
    before = incident(SHORT, 4)

    (note,) = rebuilt(tmp_path / "a.tide", [before], [noted(before, 2, None, "position")], incident(GROWN, 9))

    assert (note.anchor.key, note.end) == (GROWN, None)


def test_an_end_whose_line_is_another_one_stays_and_its_beginning_moves(tmp_path: Path) -> None:
    before, after = incident(SHORT, 4), incident(GROWN, 9, changed=4)

    (note,) = rebuilt(tmp_path / "a.tide", [before], [noted(before, 2, 4, "range")], after)

    assert (note.anchor.key, note.end and note.end.key) == (GROWN, SHORT)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("broker-1/server.log", GROWN),
        ("other.log", SHORT),
        ("old-server.log", SHORT),
    ],
)
def test_a_file_that_has_grown_is_known_by_the_end_of_its_path(tmp_path: Path, path: str, key: str) -> None:
    before = incident(SHORT, 4)

    (note,) = rebuilt(
        tmp_path / "a.tide", [before], [noted(before, 2, 3, "range")], incident(GROWN, 9, path=path)
    )

    assert (note.anchor.key, note.end and note.end.key) == (key, key)


def test_a_file_that_is_there_unchanged_keeps_its_notes_where_they_are(tmp_path: Path) -> None:
    """Both the old file and a longer one are read: a note stays on the one that it was written on."""
    before = incident(SHORT, 4)
    grown = incident(GROWN, 9)
    after = replace(grown, sources=(*grown.sources, Source("kept/server.log", SHORT, 200)))

    (note,) = rebuilt(tmp_path / "a.tide", [before], [noted(before, 2, 3, "range")], after)

    assert (note.anchor.key, note.end and note.end.key) == (SHORT, SHORT)


def test_notes_and_ties_of_another_trace_do_not_move(tmp_path: Path) -> None:
    """Two imports of the same file: only that which is read again has the grown one."""
    before, other = incident(SHORT, 4), incident(SHORT, 4, name="kept")
    path = tmp_path / "a.tide"
    tie = Tie((("incident", anchor_of(before, 2)), ("kept", anchor_of(other, 3))))
    create(
        path, [before, other], notes=[noted(before, 2, 4, "range"), noted(other, 2, 4, "range")], ties=[tie]
    )

    assert rebuild(path, incident(GROWN, 9)) == ()

    with open_document(path) as document:
        keys = {note.trace_name: (note.anchor.key, note.end and note.end.key) for note in document.notes()}
        assert keys == {"incident": (GROWN, GROWN), "kept": (SHORT, SHORT)}
        assert [[(name, end.key) for name, end in one.ends] for one in document.ties()] == [
            [("incident", GROWN), ("kept", SHORT)]
        ]
        assert len(document.trace("kept")) == 4
        assert len(document.trace("incident")) == 9


def test_notes_whose_line_is_gone_are_kept_and_listed(tmp_path: Path) -> None:
    before = incident(SHORT, 4)
    path = tmp_path / "a.tide"
    create(path, [before], notes=[noted(before, 2, None, "position"), noted(before, 4, None, "position")])

    lost = rebuild(path, incident(GROWN, 9, changed=4))

    assert [note.anchor.position for note in lost] == [200]
    with open_document(path) as document:
        assert len(document.notes()) == 2
