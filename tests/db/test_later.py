"""Notes and findings of kinds that only a later version knows stay in the document, and hide no other."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.summary import Triage, triage
from core.errors import DocumentError
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from db.anchors import anchor_of
from db.document import create, open_document
from db.notes import Note
from db.rebuild import rebuild

pytestmark = pytest.mark.broad(3)

MakeTrace = Callable[..., Trace]


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    """All rows of a table, in their order, without the id of the trace."""
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608 - our own names


@pytest.fixture
def noted(tmp_path: Path, make_trace: MakeTrace) -> Path:
    """Five notes, of which three have a word that no version has yet: a kind, a colour, a shape."""
    path = tmp_path / "a.tide"
    trace = make_trace()
    notes = [
        Note(0, trace.name, anchor_of(trace, place), f"note {place}", author="me", created_ns=place)
        for place in (1, 2, 3, 4, 5)
    ]
    create(path, [trace], notes=[*notes[:4], replace(notes[4], kind="range", end=anchor_of(trace, 7))])
    change(path, "UPDATE note SET kind = 'question', broker = 2 WHERE id = 2")
    change(path, "UPDATE note SET colour = 'epoch-3' WHERE id = 3")
    change(path, "UPDATE note SET shape = 'star' WHERE id = 5")
    return path


@pytest.mark.parametrize("write", [False, True])
def test_notes_of_a_later_version_do_not_hide_the_others(noted: Path, *, write: bool) -> None:
    with open_document(noted, write=write) as document:
        assert [note.text for note in document.notes()] == ["note 1", "note 4"]
        assert [note.note_id for note in document.later_notes()] == [2, 3, 5]


def test_they_stay_as_they_are_when_others_are_written(noted: Path) -> None:
    before = rows(noted, "note")
    with open_document(noted, write=True) as document:
        (first, _) = document.notes()
        document.put_note(replace(first, text="another text"))
        document.delete_note(4)

    kept = {row[0]: row for row in rows(noted, "note")}
    assert [kept[place] for place in (2, 3, 5)] == [before[place - 1] for place in (2, 3, 5)]
    assert 4 not in kept


def test_they_stay_when_the_document_is_copied_or_its_trace_read_again(
    noted: Path, tmp_path: Path, make_trace: MakeTrace
) -> None:
    before = rows(noted, "note")
    with open_document(noted) as document:
        document.copy(tmp_path / "copy.tide")

    assert rebuild(noted, make_trace(sizes=(7, 4, 5))) == ()

    assert rows(tmp_path / "copy.tide", "note") == before
    assert rows(noted, "note") == before


def test_a_note_of_a_later_version_on_a_line_that_is_gone_is_kept_and_not_listed(
    noted: Path, make_trace: MakeTrace
) -> None:
    """What is listed can be shown: a kind that is not known cannot."""
    gone = make_trace(sizes=(1,))

    lost = rebuild(noted, gone)

    assert [note.text for note in lost] == ["note 4"]
    assert [row[0] for row in rows(noted, "note")] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("column", ["kind", "colour", "shape"])
@pytest.mark.parametrize(
    "word", ["Poem", "a poem", "-poem", "po--em", "poem\n", "\u202epoem", "\x1b[31m", "<b>", "p" * 65, "诗"]
)
def test_what_no_version_writes_is_refused(noted: Path, column: str, word: str) -> None:
    change(noted, f"UPDATE note SET {column} = ? WHERE id = 2", word)  # noqa: S608 - our own names

    with (
        open_document(noted) as document,
        pytest.raises(DocumentError, match=f"note.{column} is not a word of any version"),
    ):
        document.notes()


def test_the_rest_of_a_note_of_a_later_version_is_held_to_the_same_bounds(noted: Path) -> None:
    change(noted, "UPDATE note SET anchor_position = -1 WHERE id = 2")

    with (
        open_document(noted) as document,
        pytest.raises(DocumentError, match="cannot have that anchor_position"),
    ):
        document.notes()


@pytest.fixture
def found() -> tuple[Trace, Triage]:
    """In hw-loss on 0.10.2 an acknowledged record is lost; what this version finds of it."""
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    return trace, triage(trace, diagnose(trace))


def later(trace: Trace, found: Triage, path: Path) -> None:
    """A document in which the worst finding is of a check that this version does not know."""
    create(path, [trace, replace(trace, name="other")], found=[found, found])
    change(path, "UPDATE finding SET check_id = 'clock-went-back' WHERE place = 0")
    change(
        path,
        "UPDATE summary SET check_id = 'clock-went-back', message = '{\"id\":\"clock.back\"}', detail = "
        "replace(detail, ?, '\"clock-went-back\"')",
        f'"{found.findings[0].check}"',
    )


def test_findings_of_a_later_version_are_counted_and_the_others_shown(
    tmp_path: Path, found: tuple[Trace, Triage]
) -> None:
    trace, known = found
    later(trace, known, tmp_path / "a.tide")

    with open_document(tmp_path / "a.tide") as document:
        read = document.triage(trace.name)

    assert read is not None
    assert read.later == 1
    assert read.findings == known.findings[1:]
    (row,) = read.summaries
    worst = known.findings[1]
    assert (row.check, row.reason, row.at) == (worst.check, worst.message, worst.start)
    assert row.records_lost == 1
    assert "clock-went-back" not in row.findings
    assert "clock-went-back" not in {check for _, check in row.marks}


def test_a_partition_of_which_only_a_later_version_found_something_is_shown_without_a_finding(
    tmp_path: Path, found: tuple[Trace, Triage]
) -> None:
    trace, known = found
    later(trace, known, tmp_path / "a.tide")
    change(tmp_path / "a.tide", "UPDATE finding SET check_id = 'clock-went-back'")

    with open_document(tmp_path / "a.tide") as document:
        read = document.triage(trace.name)

    assert read is not None
    assert (read.later, read.findings) == (len(known.findings), ())
    assert [(one.check, one.reason, one.at) for one in read.summaries] == [(None, None, None)]


def test_findings_of_a_later_version_are_written_again_as_they_were(
    tmp_path: Path, found: tuple[Trace, Triage]
) -> None:
    """What is read of one document and given to another is all of it."""
    trace, known = found
    later(trace, known, tmp_path / "a.tide")
    with open_document(tmp_path / "a.tide") as document:
        names = [info.name for info in document.infos()]
        create(
            tmp_path / "b.tide",
            [document.trace(name) for name in names],
            found=[*map(document.triage, names)],
        )

    for table in ("summary", "finding"):
        assert rows(tmp_path / "b.tide", table) == rows(tmp_path / "a.tide", table)


def test_reading_one_trace_again_keeps_what_a_later_version_found_of_the_other(
    tmp_path: Path, found: tuple[Trace, Triage]
) -> None:
    trace, known = found
    path = tmp_path / "a.tide"
    later(trace, known, path)
    before = {table: rows(path, table) for table in ("summary", "finding")}

    rebuild(path, trace, found=known)

    for table, all_rows in before.items():
        now = rows(path, table)
        assert [row for row in now if row[0] == 2] == [row for row in all_rows if row[0] == 2]
    with open_document(path) as document:
        assert document.triage(trace.name) == known


def test_what_this_version_knows_is_read_as_it_is(tmp_path: Path, found: tuple[Trace, Triage]) -> None:
    trace, known = found
    create(tmp_path / "a.tide", [trace], found=[known])

    with open_document(tmp_path / "a.tide") as document:
        read = document.triage()

    assert read == known
    assert read is not None
    assert (read.stored, read.later) == (None, 0)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE finding SET check_id = 'A Check'",
        "UPDATE summary SET check_id = '<b>x</b>'",
        'UPDATE summary SET detail = replace(detail, \'"marks":[\', \'"marks":[[1,"\u202e"],\')',
        'UPDATE summary SET detail = replace(detail, \'"findings":{\', \'"findings":{"a b":1,\')',
    ],
)
def test_a_check_that_no_version_has_is_refused(
    tmp_path: Path, found: tuple[Trace, Triage], statement: str
) -> None:
    trace, known = found
    create(tmp_path / "a.tide", [trace], found=[known])
    change(tmp_path / "a.tide", statement)

    with (
        open_document(tmp_path / "a.tide") as document,
        pytest.raises(DocumentError, match="is not a word of any version of this program"),
    ):
        document.triage()
