"""Each way to spoil a document that was thought of, by a name that says what is wrong."""

# ruff: noqa: S608 - statements against a file that is made to be damaged

import json
import sqlite3
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import zstandard

from core.trace.trace import DTYPES
from db.codec import decode, encode
from tests.hostile import IMPORTED, MIB, REPORT, Spoil, loosen


def _sql(*statements: str) -> Spoil:
    return lambda database: [database.execute(statement) for statement in statements]


def _set(place: str, value: object, where: str = "1") -> Spoil:
    """Put a value into a column of the table: "note.kind"."""
    table, _, column = place.partition(".")

    def spoil(database: sqlite3.Connection) -> None:
        if value is None:
            loosen(database)
        database.execute(f'UPDATE OR REPLACE "{table}" SET "{column}" = ? WHERE {where}', (value,))

    return spoil


def _json(place: str, value: object) -> Spoil:
    return _set(place, json.dumps(value))


def _report(key: str, value: object) -> Spoil:
    return _set("trace.report", json.dumps({**REPORT, key: value}), "id = 1")


def _fact(key: str, value: object, trace: int = 1) -> Spoil:
    return lambda database: database.execute(
        "INSERT OR REPLACE INTO fact VALUES (?, ?, ?)", (trace, key, value)
    )


def _detail(key: str, value: object) -> Spoil:
    whole = {"findings": {}, "spells": [], "marks": []}
    return _set("summary.detail", json.dumps({**whole, key: value}))


def column(name: str, change: Callable[[np.ndarray[Any, Any]], None], trace: int = 1) -> Spoil:
    """Change a column of a chunk, with its own codec."""
    dtype = np.dtype(np.int64) if name == "seq" else DTYPES[name]

    def spoil(database: sqlite3.Connection) -> None:
        asked = "SELECT id, events FROM chunk WHERE trace_id = ?"
        for chunk, count in database.execute(asked, (trace,)).fetchall():
            where = (chunk, name)
            codec, data = database.execute(
                "SELECT codec, data FROM chunk_column WHERE chunk_id = ? AND name = ?", where
            ).fetchone()
            values = decode(codec, data, dtype, count).copy()
            change(values)
            database.execute(
                "UPDATE chunk_column SET codec = ?, data = ? WHERE chunk_id = ? AND name = ?",
                (*encode(values, delta=name == "seq"), *where),
            )

    return spoil


def _first(value: int) -> Callable[[np.ndarray[Any, Any]], None]:
    def change(values: np.ndarray[Any, Any]) -> None:
        values[0] = value

    return change


def _bomb(size: int) -> bytes:
    """A zstd blob of that many blanks, made in pieces."""
    press = zstandard.ZstdCompressor(level=1).compressobj(size=size)
    pieces = [press.compress(b" " * MIB) for _ in range(size // MIB)]
    return b"".join((*pieces, press.flush()))


def _blocks(lines: object) -> Spoil:
    raw = lines if isinstance(lines, bytes) else json.dumps(lines).encode()
    data = zstandard.ZstdCompressor(level=1).compress(raw)
    return lambda database: database.execute("UPDATE kept_block SET size = ?, data = ?", (len(raw), data))


def _many(statement: str, count: int) -> Spoil:
    """Insert `count` rows numbered as `n`."""
    return _sql(
        f"WITH RECURSIVE many(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM many WHERE n < {1000 + count}) "
        f"INSERT OR REPLACE {statement} FROM many"
    )


def _constant_chunk(events: int) -> Spoil:
    """A chunk whose columns are one value each, for that many events."""

    def spoil(database: sqlite3.Connection) -> None:
        database.execute("UPDATE trace SET events = ? WHERE id = 1", (events,))
        database.execute("UPDATE chunk SET events = ? WHERE trace_id = 1", (events,))
        database.execute("DELETE FROM chunk_part WHERE trace_id = 1 AND start > 0")
        database.execute("UPDATE chunk_part SET events = ? WHERE trace_id = 1", (events,))
        database.execute("DELETE FROM chunk WHERE trace_id = 1 AND id > (SELECT min(id) FROM chunk)")
        chunks = "SELECT id FROM chunk WHERE trace_id = 1"
        for name, dtype in {"seq": np.dtype(np.int64), **DTYPES}.items():
            database.execute(
                "UPDATE chunk_column SET codec = 'constant', data = ? "
                f"WHERE name = ? AND chunk_id IN ({chunks})",
                (bytes(dtype.itemsize), name),
            )

    return spoil


def _many_chunks(count: int) -> Spoil:
    """Chunks of 65,536 events whose columns are one value each but for Seq: 2 kB a chunk, 10 MB unpacked."""

    def spoil(database: sqlite3.Connection) -> None:
        for table in ("chunk", "chunk_part", "chunk_column"):
            database.execute(f"DELETE FROM {table}")
        database.execute("UPDATE trace SET events = ?", (0,))
        database.execute("UPDATE trace SET events = ? WHERE id = 1", (count * 65_536,))
        for chunk in range(count):
            seqs = np.arange(chunk * 65_536, (chunk + 1) * 65_536, dtype=np.int64)
            database.execute("INSERT INTO chunk VALUES (?, 1, 65536)", (chunk + 1,))
            database.execute("INSERT INTO chunk_part VALUES (?, 0, 1, 0, 65536)", (chunk + 1,))
            rows = [(chunk + 1, "seq", *encode(seqs, delta=True))]
            rows += [(chunk + 1, name, "constant", bytes(dtype.itemsize)) for name, dtype in DTYPES.items()]
            database.executemany("INSERT INTO chunk_column VALUES (?, ?, ?, ?)", rows)

    return spoil


def _no_keys(database: sqlite3.Connection) -> None:
    """Every row of a chunk's list twice."""
    database.execute("ALTER TABLE chunk RENAME TO gone")
    database.execute("CREATE TABLE chunk (id INTEGER, trace_id INTEGER, events INTEGER)")
    database.execute("INSERT INTO chunk SELECT * FROM gone")
    database.execute("INSERT INTO chunk SELECT * FROM gone")
    database.execute("DROP TABLE gone")


def _endless_version(database: sqlite3.Connection) -> None:
    """The version is asked of a view that never ends."""
    database.execute("DROP TABLE alembic_version")
    database.execute(
        "CREATE VIEW alembic_version AS "
        "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) "
        "SELECT n AS version_num FROM more WHERE n < 0"
    )


def _page(number: int, at: int, content: bytes) -> Spoil:
    """Bytes of a page of the file itself, after SQLite has let go of it."""

    def spoil(database: sqlite3.Connection) -> None:
        (_, _, file), *_ = database.execute("PRAGMA database_list").fetchall()
        database.close()
        with Path(file).open("r+b") as raw:
            raw.seek((number - 1) * 4096 + at)
            raw.write(content)

    return spoil


_DEEP: Final = "[" * 100_000 + "]" * 100_000
_CONTROL: Final = "\x1b[31m\x1b]0;title\x07\u202eevil\u2066\u200f\u0085\u2028"
_HAND: Final[dict[str, Spoil]] = {
    # What the issue found.
    "a bomb of kept lines": lambda database: database.execute(
        "UPDATE kept_block SET size = ?, data = ?", (3000 * MIB, _bomb(3000 * MIB))
    ),
    "a bomb of kept lines that tells a small size": lambda database: database.execute(
        "UPDATE kept_block SET data = ?", (_bomb(300 * MIB),)
    ),
    "200,000 replicas": _json("partition.replicas", list(range(200_000))),
    "50,000 traces": _many("INTO trace SELECT n, 't' || n, 'imported', 0, '', '{}'", 50_000),
    "a constant of 2 thousand million events": _constant_chunk(2_000_000_000),
    "a constant of 60,000 events": _constant_chunk(60_000),
    "constants of 10 million events in small chunks": _many_chunks(160),
    "replicas are an object": _json("partition.replicas", {"1": 2}),
    "an in-sync set that is not there": column("isr", _first(99)),
    "a text where a chunk's column should be": _set("chunk_column.data", "text", "name = 'at'"),
    "a note with a negative ordinal": _set("note.anchor_ordinal", -5),
    "a tie with a negative ordinal": _set("tie.anchor_ordinal", -5),
    "control characters in names": _sql(
        *(
            f"UPDATE {place.partition('.')[0]} SET {place.partition('.')[2]} = '{_CONTROL}'"
            for place in ("partition.topic", "source.path", "broker.name", "broker.version", "note.text")
        )
    ),
    # The file and its schema.
    "a page of zeros": _page(2, 0, bytes(4096)),
    "noise in the first table": _page(1, 110, bytes(range(256))),
    "a page that is its own child": _page(3, 8, (3).to_bytes(4, "big") * 20),
    "no pages after the first": _page(1, 28, (1).to_bytes(4, "big")),
    "a page size that cannot be": _page(1, 16, b"\x00\x03"),
    "a text encoding that cannot be": _page(1, 56, (9).to_bytes(4, "big")),
    "a schema format that cannot be": _page(1, 44, (99).to_bytes(4, "big")),
    "a huge cache": _page(1, 48, (2**31 - 1).to_bytes(4, "big")),
    "UTF-16": lambda database: [database.execute("PRAGMA encoding='UTF-16'"), database.execute("VACUUM")],
    "a view instead of the version": _endless_version,
    "no version": _sql("DELETE FROM alembic_version"),
    "a version that is a blob": _set("alembic_version.version_num", b"0005"),
    "a version of control characters": _set("alembic_version.version_num", _CONTROL),
    "a version that is NULL": _set("alembic_version.version_num", None),
    "an earlier version than its tables": _set("alembic_version.version_num", "0002"),
    "a trigger": _sql("CREATE TRIGGER t AFTER INSERT ON note BEGIN DELETE FROM note; END"),
    "a view": _sql("CREATE VIEW v AS SELECT * FROM note"),
    "a view instead of a table": _sql(
        "DROP TABLE tie", "CREATE VIEW tie AS SELECT * FROM trace, trace b, trace c"
    ),
    "an endless view instead of notes": _sql(
        "DROP TABLE note",
        "CREATE VIEW note AS WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) "
        "SELECT n AS id FROM more",
    ),
    "a virtual table": _sql("CREATE VIRTUAL TABLE v USING fts5(x)"),
    "a table of a stranger": _sql("CREATE TABLE stranger (x)"),
    "an index on an expression": _sql("CREATE INDEX i ON note (hex(text))"),
    "a column that is computed": _sql("ALTER TABLE note ADD COLUMN more AS (hex(text))"),
    "a column more": _sql("ALTER TABLE trace ADD COLUMN more TEXT"),
    "a check that runs long": _sql(
        "ALTER TABLE lane ADD COLUMN more INTEGER CHECK (more < 5)",
    ),
    "a thousand tables": lambda database: [
        database.execute(f"CREATE TABLE t{number} (x)") for number in range(1_000)
    ],
    "a table without its key": _no_keys,
    "a table with another column": _sql("ALTER TABLE broker RENAME COLUMN name TO title"),
    "the roots of two tables are one": _sql(
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'note') "
        "WHERE name = 'lane'",
    ),
    "a schema that is no SQL": _sql(
        "PRAGMA writable_schema=ON", "UPDATE sqlite_schema SET sql = 'CREATE nothing' WHERE name = 'tie'"
    ),
    **{
        f"no table {table}": _sql(f'DROP TABLE "{table}"')
        for table in (
            *("alembic_version", "document", "trace", "fact", "broker", "partition", "source", "isr_set"),
            *("record_name", "chunk", "chunk_part", "chunk_column", "kept_block", "summary", "finding"),
            *("note", "tie", "lane"),
        )
    },
    # Traces and their sizes.
    "no trace": _sql("DELETE FROM trace"),
    "no document": _sql("DELETE FROM document"),
    "two documents": _sql("INSERT INTO document VALUES (7, 'x', 1)"),
    "an origin of no kind": _set("trace.origin", "dreamt"),
    "fewer events than the trace says": _sql("UPDATE trace SET events = events + 1"),
    "no events where chunks have some": _sql("UPDATE trace SET events = 0"),
    "2^62 events": _sql(f"UPDATE trace SET events = {2**62}", f"UPDATE chunk SET events = {2**62}"),
    "a name of control characters": _set("trace.name", _CONTROL, "id = 1"),
    "a name of 100 kB": _set("trace.name", "x" * 100_000, "id = 1"),
    "a name that is no UTF-8": _sql("UPDATE trace SET name = CAST(x'ff00fe' AS TEXT) WHERE id = 1"),
    "no report": _set("trace.report", ""),
    "a report that is a list": _json("trace.report", []),
    "a report that is a number": _json("trace.report", 5),
    "a report nested 100,000 deep": _set("trace.report", _DEEP),
    "a report of NaN": _set("trace.report", '{"files": NaN}'),
    "a report of a number of 10,000 digits": _set("trace.report", '{"files": ' + "9" * 10_000 + "}"),
    "a report of 20 million lists": _set("trace.report", "[" + "[]," * 20_000_000 + "[]]", "id = 1"),
    "gaps that are a number": _report("gaps", 5),
    "gaps that are numbers": _report("gaps", [5]),
    "contradictions without a line": _report("contradictions", [{"file": "b.log"}]),
    "contradictions that are a text": _report("contradictions", "b.log"),
    "clocks without bounds": _report("clocks", [{"clock": "broker 1"}]),
    "a clock of no number": _report("clocks", [{**REPORT["clocks"][0], "clock": "broker x"}]),
    "a clock with texts for bounds": _report(
        "clocks", [{**REPORT["clocks"][0], "add_ns": {"lo": "a", "hi": "b"}}]
    ),
    "a clock at no time": _report("clocks", [{**REPORT["clocks"][0], "from": "yesterday"}]),
    "further evidence of nobody": _report("further", [{"evidence": 5}]),
    "further evidence that is a list": _report("further", [[1, 2]]),
    "files that are texts": _report("by_file", ["server.log"]),
    "a file of a broker that is a list": _report("by_file", [{"file": "x", "is": "log", "broker": [1]}]),
    "brokers that are numbers": _report("by_broker", [1]),
    "examples without text": _report("examples", [{"file": "x"}]),
    "files that are negative": _report("files", -1),
    "where it was read from is a number": _report("read_from", 7),
    "paths that are numbers": _report("read_from", {"paths": [1]}),
    "whole seconds of a source that is not there": _fact("whole_seconds", "7"),
    "whole seconds that are a text": _fact("whole_seconds", "a b"),
    "a script that is no TOML": _fact("script", "= = ="),
    "a script nested deeply": _fact("script", "a = " + _DEEP[:50_000]),
    "a script whose settings are a number": _fact("script", "settings = 5"),
    "a script with a text for min.insync.replicas": _fact(
        "script", "[settings]\n'min.insync.replicas' = 'two'"
    ),
    "a script that is empty": _fact("script", "", 2),
    "a script whose title is a number": _fact("script", "title = 5", 2),
    "a seed that is a text": _fact("seed", "lucky", 2),
    "an era that is not known": _fact("era", "99.9", 2),
    "a release of digits that are none": _fact("release", "²", 2),
    "switches that are none": _fact("switches", "a=b,c", 2),
    "min.insync.replicas that is a text": _fact("config.topic-orders.min.insync.replicas", "two"),
    "the end of a log at no time": _fact("log.broker-1.until", "late"),
    "the end of the metadata log at no time": _fact("metadata.until", "late"),
    "a fact that is a number": lambda database: database.execute("INSERT INTO fact VALUES (1, x'00', x'01')"),
    "a fact of 10 MB": _fact("title", "x" * 10 * MIB),
    # Dictionaries.
    "replicas that are texts": _json("partition.replicas", ["1", "2"]),
    "replicas that are true": _json("partition.replicas", [True]),
    "replicas that are huge": _json("partition.replicas", [2**70]),
    "replicas that are negative": _json("partition.replicas", [-7]),
    "replicas nested deeply": _set("partition.replicas", _DEEP),
    "replicas that are no JSON": _set("partition.replicas", "[1,"),
    "the same replica twice": _json("partition.replicas", [1, 1, 1]),
    "no replicas": _json("partition.replicas", []),
    "members that are lists": _json("isr_set.members", [[1]]),
    "members that are null": _json("isr_set.members", None),
    "100,000 members": _json("isr_set.members", list(range(100_000))),
    "places with a gap": _sql("UPDATE partition SET place = place + 5"),
    "places that are negative": _sql("UPDATE source SET place = place - 3"),
    "no partitions": _sql("DELETE FROM partition"),
    "no brokers": _sql("DELETE FROM broker"),
    "no sources": _sql("DELETE FROM source"),
    "no in-sync sets": _sql("DELETE FROM isr_set"),
    "no records": _sql("DELETE FROM record_name"),
    "no facts": _sql("DELETE FROM fact"),
    "partitions of one name": _sql("UPDATE partition SET topic = 'x', number = 0"),
    "a broker of 2^40": _set("broker.broker_id", 2**40),
    "a partition of 2^40": _set("partition.number", 2**40),
    "20,000 brokers": _many("INTO broker SELECT 1, n, n, '', ''", 20_000),
    # Events.
    "no chunks": _sql("DELETE FROM chunk", "DELETE FROM chunk_part", "DELETE FROM chunk_column"),
    "no columns": _sql("DELETE FROM chunk_column"),
    "a column less": _sql("DELETE FROM chunk_column WHERE name = 'hw'"),
    "a part beyond its chunk": _sql("UPDATE chunk_part SET start = start + 1000"),
    "a part that begins before its chunk": _sql("UPDATE chunk_part SET start = -1 WHERE start = 0"),
    "a part of no events": _sql("UPDATE chunk_part SET events = 0"),
    "parts that overlap": _sql("UPDATE chunk_part SET events = events + 1"),
    "parts of other partitions": _sql("UPDATE chunk_part SET partition = partition + 1"),
    "parts of a partition that is not there": _sql("UPDATE chunk_part SET partition = 77"),
    "parts of a chunk that is not there": _sql("UPDATE chunk_part SET chunk_id = chunk_id + 100"),
    "parts of another trace": _sql("UPDATE chunk_part SET trace_id = 3 - trace_id"),
    "chunks of another trace": _sql("UPDATE chunk SET trace_id = 3 - trace_id"),
    "a codec that is not known": _set("chunk_column.codec", "brotli"),
    "a codec that is a blob": _set("chunk_column.codec", b"constant"),
    "a codec that is NULL": _set("chunk_column.codec", None),
    "all columns constant": _set("chunk_column.codec", "constant"),
    "all columns zstd": _set("chunk_column.codec", "delta+shuffle+zstd"),
    "a column of NULL": _set("chunk_column.data", None),
    "an empty column": _set("chunk_column.data", b""),
    "a column that is no zstd": _set("chunk_column.data", b"\x28\xb5\x2f\xfd" + bytes(range(40))),
    "a column that is a bomb": lambda database: database.execute(
        "UPDATE chunk_column SET data = ?, codec = 'shuffle+zstd'", (_bomb(500 * MIB),)
    ),
    "a name of a column that is a number": _sql("UPDATE chunk_column SET name = 5 WHERE name = 'hw'"),
    **{
        f"{name} is {value}": column(name, _first(value), trace)
        for name, value, trace in (
            *(("kind", value, 1) for value in (-1, 0, 199, 32_767)),
            *(("basis", value, 1) for value in (-1, 7, 127)),
            *(("partition", value, 1) for value in (-2, 3, 2**31 - 1)),
            *(("source", value, 1) for value in (-2, 2, 2**31 - 1)),
            *(("isr", value, 1) for value in (-2, 2**31 - 1)),
            *((name, -7, 1) for name in ("broker", "replica", "position", "line", "at_least", "at_most")),
            *(("cause", value, 1) for value in (-7, 21, 2**62)),
            *(("seq", value, 1) for value in (-1, 0, 2, 99, 2**62)),
            *(("at", value, 1) for value in (-(2**63), -(2**62), 2**62)),
            *(
                (name, value, 2)
                for name, value in product(
                    ("leo", "hw", "epoch", "leader", "aux", "offset", "from_offset", "log_start", "stamp"),
                    (-(2**62), 2**63 - 1),
                )
            ),
            ("at_least", 32_767, 1),
            ("broker", 2**31 - 1, 1),
            ("replica", 2**31 - 1, 1),
        )
    },
    "all events at once": column("at", lambda values: values.fill(5)),
    "all events of one kind": column("kind", lambda values: values.fill(values[0]), 2),
    "events in the wrong order": column("seq", lambda values: values.sort()),
    "events backwards": column("at", lambda values: np.copyto(values, values[::-1].copy())),
    # Kept lines.
    "lines that are an object": _blocks({"1": 2}),
    "lines that are numbers": _blocks([1, 2, 3]),
    "lines of two values": _blocks([[1, 2]]),
    "lines with a text for a number": _blocks([["1", 2, "x"]]),
    "lines with a number for a text": _blocks([[1, 2, 3]]),
    "lines that are true": _blocks([[True, False, "x"]]),
    "lines with a huge number": _blocks([[2**70, 2**70, "x"]]),
    "lines before the first": _blocks([[-1, -1, "x"]]),
    "lines that are lists": _blocks([[1, 2, ["x"]]]),
    "lines nested deeply": _blocks(_DEEP.encode()),
    "lines that are no JSON": _blocks(b"hello"),
    "lines that are no UTF-8": _blocks(b'[[1, 2, "\xff"]]'),
    "no lines in a block": _blocks([]),
    "a line of control characters": _blocks([[2, 50, _CONTROL + "\ud800"]]),
    "lines of 5 million lists": _blocks(b"[" + b"[]," * 5_000_000 + b"[]]"),
    "lines of a source that is not there": _sql("UPDATE kept_block SET source = source + 50"),
    "lines of a source before the first": _sql("UPDATE kept_block SET source = source - 50"),
    "lines of another size": _sql("UPDATE kept_block SET size = size + 1"),
    "lines of a negative size": _sql("UPDATE kept_block SET size = -1"),
    "lines that are a text": _set("kept_block.data", "text"),
    "lines at a text": _set("kept_block.last_line", "many"),
    "lines at a negative place": _set("kept_block.first_line", -9),
    # Triage.
    "a check that is not known": _set("summary.check_id", "doom"),
    "a finding of a check that is not known": _set("finding.check_id", "doom"),
    "a finding of a check of control characters": _set("finding.check_id", _CONTROL),
    "counts of a check of control characters": _detail("findings", {_CONTROL: 1}),
    "a severity of no kind": _set("finding.severity", "mild"),
    "a finding of a partition that is not there": _set("finding.partition", 50),
    "a finding at an event that is not there": _set("finding.seq", 10**6),
    "evidence that is not there": _json("finding.evidence", [10**6]),
    "evidence that is negative": _json("finding.evidence", [-1]),
    "evidence that is a text": _json("finding.evidence", "x"),
    "evidence of floats": _json("finding.evidence", [1.5]),
    "brokers of a finding that are null": _json("finding.brokers", None),
    "a summary of a partition that is not there": _sql("UPDATE summary SET place = place + 50"),
    "a message that is a list": _json("finding.message", []),
    "a message of nothing": _json("summary.message", {}),
    "a message that is null": _set("finding.message", None),
    "a message that is a blob": _set("finding.message", b"\x00\xff"),
    "a message of another type of value": _json("finding.message", {"id": "a.b", "values": {"x": [1]}}),
    "a message with a huge number": _json(
        "finding.message", {"id": "a.b", "values": {"x": {"moment": 2**70}}}
    ),
    "a message nested deeply": _set("finding.message", _DEEP),
    "a detail that is a list": _json("summary.detail", []),
    "a detail of nothing": _json("summary.detail", {}),
    "spells of three values": _detail("spells", [[1, 2, 3]]),
    "spells of texts": _detail("spells", [["1", "2", None, None]]),
    "marks of a check that is not known": _detail("marks", [[1, "doom"]]),
    "marks that are numbers": _detail("marks", [1]),
    "findings that are a list": _detail("findings", [1]),
    "findings that are texts": _detail("findings", {"leaderless": "many"}),
    "more than all was seen": _set("summary.seen", 7.5),
    "infinitely much was seen": _set("summary.seen", float("inf")),
    "a negative count": _set("summary.elections", -3),
    # What people add.
    "a note of no kind": _set("note.kind", "poem"),
    "a note of a kind of control characters": _set("note.kind", _CONTROL),
    "a note of a kind of 100 kB": _set("note.kind", "x" * 100_000),
    "a note of no colour": _set("note.colour", "red"),
    "a note of no shape": _set("note.shape", "star"),
    "a note with half an end": _set("note.end_position", None),
    "a note with a text for an ordinal": _set("note.anchor_ordinal", "third"),
    "a note at a huge ordinal": _set("note.anchor_ordinal", 2**62),
    "a note at a huge position": _set("note.anchor_position", 2**63 - 1),
    "a note of a trace that is not there": _set("note.trace_name", "gone"),
    "a note of 10 MB": _set("note.text", "x" * 10 * MIB),
    "a note of a blob": _set("note.text", b"\x00\xff"),
    "a note of NUL": _set("note.text", "a\0b"),
    "a note of a negative lane": _set("note.broker", -9),
    "200,000 notes": _many(
        "INTO note SELECT n, 'incident', 'start', 0, '', 0, 'x', '', 0, 'position', NULL, "
        "NULL, NULL, NULL, NULL, NULL, '', ''",
        200_000,
    ),
    "ids of notes at their end": _sql("UPDATE sqlite_sequence SET seq = 9223372036854775807"),
    "a tie of one end": _sql("DELETE FROM tie WHERE place > 0"),
    "a tie to a trace that is not there": _set("tie.trace_name", "gone"),
    "a tie of one trace twice": _set("tie.trace_name", IMPORTED),
    "a tie of texts": _set("tie.anchor_position", "x"),
    "a lane of a text": _set("lane.folded", "yes"),
    "a lane that is half folded": _set("lane.folded", 7),
    "a lane of a huge height": _set("lane.height", 2**40),
    "a lane of a negative height": _set("lane.height", -5),
    "a lane of a negative broker": _set("lane.broker", -5),
}
"""Each has a name that says what is wrong."""


FOUND: Final = tuple(_HAND)[:13]
"""Those that an earlier version did not survive: memory, time, a defect, or a steered terminal."""


def by_hand() -> Mapping[str, Spoil]:
    """All ways to spoil the document that were thought of."""
    return _HAND
