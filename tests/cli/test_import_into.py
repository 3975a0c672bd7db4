"""`import --into`: logs that arrive later are added to a document, and what people wrote stays."""

import shutil
from pathlib import Path

import pytest

from core.trace.digest import content_digest
from db.anchors import anchor_of
from db.document import open_document
from db.notes import Note
from importers.load import load
from importers.options import ImportOptions
from tests.archives import unpack_sample
from tests.cli.conftest import Tell

LATER = ("broker-2", "broker-3")


@pytest.fixture
def incident(tmp_path: Path) -> Path:
    """The recording with broker 1 in `logs`, and the other brokers' material beside it in `later`."""
    case = unpack_sample("k0102-hw-loss", tmp_path)
    logs, later = tmp_path / "logs", tmp_path / "later"
    logs.mkdir()
    later.mkdir()
    for broker in sorted(case.iterdir()):
        if broker.is_dir():
            shutil.move(broker, (later if broker.name in LATER else logs) / broker.name)
    return tmp_path


@pytest.fixture
def document(incident: Path, tell: Tell) -> Path:
    """A document of broker 1 alone, with a note on the last event of its server.log."""
    path = incident / "case.tide"
    assert tell("import", incident / "logs", "-o", path).code == 0
    with open_document(path, write=True) as made:
        trace = made.trace()
        logs = [source for source, one in enumerate(trace.sources) if one.path.endswith("server.log")]
        last = max(seq for seq in range(len(trace)) if trace.event(seq).source in logs)
        made.put_note(Note(0, trace.name, anchor_of(trace, last + 1), "look here"))
    return path


@pytest.mark.slow
def test_logs_that_arrive_later_give_what_all_together_give(
    incident: Path, document: Path, tell: Tell
) -> None:
    told = tell("import", incident / "later", "--into", document, "--json")

    assert told.code == 0, told.err
    assert told.json["unresolved_notes"] == []
    together = load([incident / "logs", incident / "later"], ImportOptions(name="logs"))
    with open_document(document) as now:
        trace = now.trace()
        assert content_digest(trace) == content_digest(together)
        assert {broker.broker_id for broker in trace.brokers} >= {1, 2, 3}
        assert [note.text for note in now.notes()] == ["look here"]
        assert now.unresolved() == ()


@pytest.mark.slow
def test_a_note_stays_on_its_line_where_the_file_has_grown(
    incident: Path, document: Path, tell: Tell
) -> None:
    with open_document(document) as before:
        (note,) = before.notes()
        trace = before.trace()
        source = next(one for one in trace.sources if one.sha256 == note.anchor.key)
    grown = incident / "logs" / source.path
    with grown.open("a") as file:
        file.write("[2026-11-21 03:40:00,000] INFO nothing more happened (kafka.server.KafkaServer)\n")

    told = tell("import", "--into", document, "--json")

    assert told.code == 0, told.err
    assert told.json["unresolved_notes"] == []
    with open_document(document) as now:
        (moved,) = now.notes()
        assert moved.anchor.key != note.anchor.key
        assert (moved.anchor.position, moved.text) == (note.anchor.position, note.text)
        assert now.unresolved() == ()


@pytest.mark.slow
def test_logs_that_went_away_are_named_and_the_document_stays(
    incident: Path, document: Path, tell: Tell
) -> None:
    before = document.read_bytes()
    shutil.rmtree(incident / "logs")

    told = tell("import", incident / "later", "--into", document)

    assert told.code == 2
    assert "is not there any more" in told.err
    assert "broker-1/" in told.err
    assert document.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("logs",), "Where the logs go is not clear"),
        (("logs", "-o", "a.tide", "--into", "b.tide"), "Where the logs go is not clear"),
        (("-o", "a.tide"), "No source was named"),
        (("logs", "--into", "none.tide"), "There is no such document"),
    ],
)
def test_an_unclear_wish_is_one_message(arguments: tuple[str, ...], message: str, tell: Tell) -> None:
    told = tell("import", *arguments)

    assert told.code == 2
    assert message in told.err


def test_a_simulated_trace_takes_no_logs(kept: Path, incident: Path, tell: Tell) -> None:
    told = tell("import", incident / "logs", "--into", kept / "hw.tide", "--trace", "0.11")

    assert told.code == 2
    assert "was not made from logs" in told.err
