"""A document gives back what was put into it: traces, single partitions, notes."""

import sqlite3
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import DocumentError, QuestionError
from core.message import Message, message
from core.trace.builder import TraceBuilder
from core.trace.digest import content_digest
from core.trace.ids import NO_INDEX, UNSAID, BrokerId, TopicPartition
from core.trace.trace import DTYPES, Column, KeptLine, Origin, Partition, Source, Trace
from core.trace.vocabulary import KINDS, Basis
from core.work import Work
from db import chunks
from db.anchors import anchor_of
from db.codec import decode
from db.document import create, open_document
from db.notes import Note
from tests.db.conftest import RARE_EVENT, make_older

pytestmark = pytest.mark.broad(3)

MakeTrace = Callable[..., Trace]


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Any trace that a builder can make: all kinds, all columns, said or not."""
    builder = TraceBuilder()
    partitions = draw(st.integers(0, 4))
    at = draw(st.integers(-(2**40), 2**61))
    number = st.none() | st.integers(-(2**63) + 1, 2**63 - 1)
    for _ in range(draw(st.integers(0, 30))):
        kind = draw(st.sampled_from(KINDS))
        at += draw(st.integers(0, 2**40))
        said: dict[str, Any] = {}
        for column in (*kind.columns, *(("aux",) if kind.aux else ())):
            if column in ("broker", "replica"):
                said[column] = draw(st.integers(0, 5))
            elif column != "isr":
                said[column] = draw(number)
        isr = draw(st.lists(st.integers(0, 5), max_size=3)) if "isr" in kind.columns else None
        place = draw(st.none() | st.integers(0, partitions - 1)) if partitions else None
        builder.add(
            at,
            kind.name,
            basis=draw(st.sampled_from(Basis)),
            isr=isr,
            cause=draw(st.none() | st.integers(0, len(builder) - 1)) if len(builder) else None,
            partition=place,
            **said,
        )
    texts = st.text(max_size=20)
    return builder.build(
        draw(st.text(min_size=1, max_size=20).filter(lambda text: text.isprintable())),
        draw(st.sampled_from(Origin)),
        partitions=[Partition(TopicPartition("t", place)) for place in range(partitions)],
        facts=draw(st.dictionaries(texts.filter(str.isprintable), texts.filter(str.isprintable), max_size=3)),
    )


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(traces())
def test_any_trace_comes_back(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "any.tide"

    create(path, [trace], replace=True)

    with open_document(path) as document:
        back = document.trace()
        assert content_digest(back) == content_digest(trace) == document.infos()[0].digest
        assert all(back.columns[name].tolist() == trace.columns[name].tolist() for name in DTYPES)


def test_everything_of_a_trace_comes_back(tmp_path: Path, make_trace: MakeTrace) -> None:
    trace = make_trace()
    create(tmp_path / "a.tide", [trace, make_trace("other", sizes=(2,))])

    with open_document(tmp_path / "a.tide") as document:
        assert [(info.name, info.events) for info in document.infos()] == [("incident", 21), ("other", 4)]
        back = document.trace("incident")

    for field in ("name", "origin", "brokers", "partitions", "sources", "isrs", "records", "lines"):
        assert getattr(back, field) == getattr(trace, field), field
    assert dict(back.facts) == dict(trace.facts)
    assert dict(back.report) == dict(trace.report)


def test_a_list_of_partitions_needs_no_events(tmp_path: Path, make_trace: MakeTrace) -> None:
    create(tmp_path / "a.tide", [make_trace(sizes=(6, 0, 5))])

    with open_document(tmp_path / "a.tide") as document:
        partitions = document.infos()[0].partitions

    assert [(str(one.partition.tp), one.events) for one in partitions] == [
        ("orders-0", 6),
        ("orders-1", 0),
        ("orders-2", 5),
    ]
    assert (partitions[1].first_at, partitions[1].last_at) == (None, None)
    assert partitions[0].first_at == 1_002


def test_a_partition_is_a_trace_of_its_own(tmp_path: Path, make_trace: MakeTrace) -> None:
    trace = make_trace()
    create(tmp_path / "a.tide", [trace])

    with open_document(tmp_path / "a.tide") as document:
        part = document.partition_trace(None, "orders-1")
        seqs = document.partition_seqs(None, "orders-1")

    last = np.flatnonzero(trace.columns["partition"] == NO_INDEX)[-1:]
    assert seqs.tolist() == np.union1d(trace.seqs_of(1), last).tolist()
    assert part.partition_index("orders-1") == 1
    for name in DTYPES:
        if name != "cause":
            assert part.columns[name].tolist() == trace.columns[name][seqs].tolist(), name
    for seq, cause in enumerate(part.columns["cause"].tolist()):
        whole = int(trace.columns["cause"][seqs[seq]])
        assert (UNSAID if cause == UNSAID else int(seqs[cause])) == whole


def test_a_topic_that_was_made_anew_opens_as_its_later_one(tmp_path: Path) -> None:
    """As in a trace that is open as a whole: its lanes would be empty beside the rows of the earlier one."""
    builder = TraceBuilder()
    for place, ends in enumerate((5, 7, 7)):
        for end in range(ends):
            builder.add(10 * place + end, "leo_sample", partition=min(place, 1), broker=1, replica=1, leo=end)
    old, new = (Partition(TopicPartition("t", 0, made), (BrokerId(1),)) for made in ("old", "new"))
    trace = builder.build("run", Origin.IMPORTED, partitions=[old, new])
    create(tmp_path / "run.tide", [trace])

    with open_document(tmp_path / "run.tide") as document:
        part = document.partition_trace(None, "t-0")
        seqs = document.partition_seqs(None, "t-0")

    index = part.partition_index("t-0")
    assert index == trace.partition_index("t-0") == 1
    assert np.count_nonzero(part.columns["partition"] == index) == 14
    assert seqs.tolist() == list(range(5, 19))


def test_a_partition_comes_with_the_events_of_its_brokers_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broker 7 holds none of it by its assignment, but an event says that it does; broker 9 is the last."""
    builder = TraceBuilder()
    for at in range(1, 400):
        builder.add(at, "broker_registered", broker=at % 100, replica=at % 100)
    builder.add(400, "controller_elected", broker=3)
    builder.add(401, "leo_sample", partition=0, broker=7, replica=7, leo=1)
    builder.add(402, "broker_registered", broker=9, replica=9)
    held = [Partition(TopicPartition("t", 0), (BrokerId(2), BrokerId(3)))]
    trace = builder.build("t", Origin.IMPORTED, partitions=held)
    decoded: list[str] = []

    def counted(codec: str, data: bytes, dtype: np.dtype[Any], rows: int) -> Column:
        decoded.append(codec)
        return decode(codec, data, dtype, rows)

    monkeypatch.setattr(chunks, "BROKER_CHUNK", 10)
    monkeypatch.setattr(chunks, "decode", counted)
    create(tmp_path / "a.tide", [trace])

    with open_document(tmp_path / "a.tide") as document:
        seqs = document.partition_seqs(None, "t-0")
        few = len(decoded)
        assert content_digest(document.trace()) == content_digest(trace)

    assert seqs.tolist() == [*trace.seqs_of(0).tolist(), len(trace) - 1]
    assert set(trace.columns["broker"][seqs].tolist()) == {2, 3, 7, 9}
    # Of forty chunks one column each, of at most seven all, and those of the partition's own.
    assert few <= 40 + 8 * len(["seq", *DTYPES])


@pytest.mark.parametrize("few", [0, 500])
def test_chunks_of_one_broker_each_are_found_by_their_one_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Of each of four brokers four events in two chunks: the column of brokers is one value in each."""
    builder = TraceBuilder()
    for at in range(1, 17):
        builder.add(at, "broker_registered", broker=at % 4, replica=at % 4)
    builder.add(20, "leo_sample", partition=0, broker=2, replica=2, leo=1)
    held = [Partition(TopicPartition("t", 0), (BrokerId(2), BrokerId(3)))]
    trace = builder.build("t", Origin.IMPORTED, partitions=held)
    monkeypatch.setattr(chunks, "BROKER_CHUNK", 2)
    monkeypatch.setattr(chunks, "_FEW", few)
    monkeypatch.setattr(chunks, "FLOOR_EVENTS", 3)
    create(tmp_path / "a.tide", [trace])

    with open_document(tmp_path / "a.tide") as document:
        seqs = document.partition_seqs(None, "t-0")
        assert content_digest(document.trace()) == content_digest(trace)

    of_two_and_three = [seq for seq in range(16) if (seq + 1) % 4 in (2, 3)]
    # The last broker-level event is one of broker 0.
    assert seqs.tolist() == [*of_two_and_three, 15, 16]


def test_a_cause_outside_of_the_partition_is_not_said(tmp_path: Path) -> None:
    builder = TraceBuilder()
    far = builder.add(1, "leo_sample", partition=0, broker=1, replica=1, leo=1)
    builder.add(2, "leo_sample", partition=1, broker=1, replica=1, leo=1, cause=far)
    trace = builder.build(
        "t",
        Origin.IMPORTED,
        partitions=[Partition(TopicPartition("t", 0)), Partition(TopicPartition("t", 1))],
    )
    create(tmp_path / "a.tide", [trace])

    with open_document(tmp_path / "a.tide") as document:
        assert document.partition_trace(None, "t-1").columns["cause"].tolist() == [UNSAID]


def test_a_partition_has_the_lines_of_its_events_and_their_neighbours(tmp_path: Path) -> None:
    builder = TraceBuilder()
    for line in range(1, 1_001):
        mine = int(line in (300, 900))
        builder.add(line, "leo_sample", partition=mine, broker=1, replica=1, leo=line, source=0, line=line)
    trace = builder.build(
        "t",
        Origin.IMPORTED,
        partitions=[Partition(TopicPartition("t", number)) for number in range(2)],
        sources=[Source("server.log", "a" * 64, 50_000)],
        lines=[KeptLine(0, line, line * 50, f"line {line}") for line in range(1, 1_001)],
    )
    create(tmp_path / "a.tide", [trace])

    with open_document(tmp_path / "a.tide") as document:
        part = document.partition_trace(None, "t-1")

    assert [line.line for line in part.lines] == [*range(298, 303), *range(898, 903)]
    assert part.lines[2].text == "line 300"


def test_opening_a_partition_reads_only_its_chunks(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 64)
    monkeypatch.setattr(chunks, "SMALL", 16)
    create(tmp_path / "a.tide", [make_trace(sizes=(200, 3, 3, 150))])
    decoded: list[int] = []
    read = chunks._chunk

    def watched(connection: object, chunk_id: int, names: Collection[str]) -> object:
        decoded.append(chunk_id)
        return read(connection, chunk_id, names)  # type: ignore[arg-type]

    monkeypatch.setattr(chunks, "_chunk", watched)
    with sqlite3.connect(tmp_path / "a.tide") as database:
        parts = database.execute("SELECT chunk_id, partition FROM chunk_part").fetchall()
    with open_document(tmp_path / "a.tide") as document:
        document.partition_trace(None, "orders-3")

    assert sorted(decoded) == sorted(chunk for chunk, partition in parts if partition in (3, NO_INDEX))
    assert len({chunk for chunk, partition in parts if partition == 3}) == 3  # 150 events in chunks of 64
    shared = [chunk for chunk, partition in parts if partition in (1, 2)]
    assert shared[0] == shared[1]


def test_large_and_small_partitions_come_back_together(
    tmp_path: Path, make_trace: MakeTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 64)
    monkeypatch.setattr(chunks, "SMALL", 16)
    trace = make_trace(sizes=(200, 3, 15, 15, 15, 15, 150))
    create(tmp_path / "a.tide", [trace])

    with open_document(tmp_path / "a.tide") as document:
        assert content_digest(document.trace()) == content_digest(trace)


def test_how_far_a_document_is_written_is_told_from_nothing_to_all_events(
    tmp_path: Path, make_trace: MakeTrace
) -> None:
    trace = make_trace(sizes=(6, 6))
    told: list[tuple[int, int]] = []
    words: list[Message | None] = []

    def progress(done: int, total: int, what: Message | None) -> None:
        told.append((done, total))
        words.append(what)

    create(tmp_path / "a.tide", [trace], work=Work(progress=progress))

    assert told[0] == (0, len(trace))
    assert words[0] == message("progress.document")
    assert told == sorted(told)
    assert told[-1] == (len(trace), len(trace))


@pytest.mark.parametrize("write", [False, True])
def test_the_copy_of_events_in_a_document_of_version_6_goes_when_it_is_written(
    tmp_path: Path, make_trace: MakeTrace, *, write: bool
) -> None:
    path, trace = tmp_path / "a.tide", make_trace()
    create(path, [trace])
    with sqlite3.connect(path) as database:
        make_older(database, "0006")

    with open_document(path, write=write) as document:
        assert content_digest(document.trace()) == content_digest(trace)

    with sqlite3.connect(path) as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema")}
    assert ("rare_event" in tables, "ix_rare_event_kind" in tables) == (not write, not write)


def test_a_document_of_today_has_no_table_of_an_earlier_version(
    tmp_path: Path, make_trace: MakeTrace
) -> None:
    path = tmp_path / "a.tide"
    create(path, [make_trace()])
    with sqlite3.connect(path) as database:
        database.execute(RARE_EVENT)

    with pytest.raises(DocumentError, match="damaged"):
        open_document(path)


def test_two_traces_of_one_name_are_refused(tmp_path: Path, make_trace: MakeTrace) -> None:
    with pytest.raises(DocumentError, match="same name"):
        create(tmp_path / "a.tide", [make_trace(), make_trace()])


def test_the_trace_has_to_be_named_where_there_are_two(tmp_path: Path, make_trace: MakeTrace) -> None:
    create(tmp_path / "a.tide", [make_trace("one"), make_trace("two")])

    with open_document(tmp_path / "a.tide") as document:
        with pytest.raises(QuestionError, match="one, two"):
            document.trace()
        with pytest.raises(QuestionError, match="three"):
            document.trace("three")
        with pytest.raises(QuestionError, match="orders-9"):
            document.partition_trace("one", "orders-9")


def test_notes_are_kept_changed_deleted_and_brought_back(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    trace = make_trace()
    create(path, [trace])
    with open_document(path, write=True) as document:
        first = document.put_note(Note(0, "incident", anchor_of(trace, 3), "look here", "ab", 5, broker=2))
        second = document.put_note(Note(0, "incident", anchor_of(trace, 7), "and here"))
        changed = document.put_note(Note(first.note_id, "incident", first.anchor, "look there", "ab", 5))
        document.delete_note(second.note_id)
        assert document.notes() == (changed,)
        document.put_note(second)

    assert [file.name for file in tmp_path.iterdir()] == ["a.tide"]
    with open_document(path) as document:
        assert document.notes() == (changed, second)
        assert document.unresolved() == ()


def test_a_note_that_lost_its_evidence_is_listed(tmp_path: Path, make_trace: MakeTrace) -> None:
    path = tmp_path / "a.tide"
    trace = make_trace()
    create(path, [trace])
    gone = make_trace(sizes=(400,))
    with open_document(path, write=True) as document:
        document.put_note(Note(0, "incident", anchor_of(trace, 3), "stays"))
        lost = document.put_note(Note(0, "incident", anchor_of(gone, len(gone)), "of another log"))
        strange = document.put_note(Note(0, "gone", anchor_of(trace, 3), "of another trace"))

        assert document.unresolved() == (lost, strange)
