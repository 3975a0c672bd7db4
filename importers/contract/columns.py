"""The tables of the contract and their columns: the only list, for whoever writes, reads or asks.

docs/contract.md says what each column means, docs/contract.schema.json is this list for programs. pyarrow is
imported inside the functions: help and errors need the names alone.
"""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.diagnose.verdict.facts import LossClass, Severity, Shown
from core.history.state import Role
from core.trace.vocabulary import KIND, Basis, CutReason, Election, StopReason

if TYPE_CHECKING:
    import pyarrow as pa

VERSION: Final = 1
"""Rises when a column goes or changes its meaning. A new column that may be null changes nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `kind` is a word of TYPES; `least` the least number, `words` what a text may be.

    `required`: null in no row, and the table has none without it. `also` is another name that it may have.
    """

    name: str
    kind: str
    required: bool = False
    least: int | None = None
    words: tuple[str, ...] = ()
    also: str = ""


TYPES: Final = {
    "time": "timestamp[ns, UTC]",
    "text": "string",
    "int": "int32",
    "long": "int64",
    "flag": "bool",
    "share": "double",
    "ints": "list<int32>",
    "longs": "list<int64>",
    "texts": "list<string>",
}
"""The types of columns, and what Arrow calls them."""

BASES: Final = tuple(one.name.lower() for one in Basis)
HOWS: Final = tuple(
    dict.fromkeys(
        one.name.lower().replace("_", "-") for words in (Election, CutReason, StopReason) for one in words
    )
)
NO_LEADER: Final = -1


def _offset(name: str) -> Column:
    return Column(name, "long", least=0)


def _epoch(name: str = "leader_epoch") -> Column:
    return Column(name, "long", least=-1)


_TOPIC: Final = Column("topic", "text")
_PARTITION: Final = Column("partition", "int", least=0)
_OF: Final = (_TOPIC, _PARTITION)
_WHOSE: Final = (Column("topic", "text", required=True), Column("partition", "int", required=True, least=0))
_TIME: Final = Column("time", "time", required=True, also="at")
_MAYBE: Final = Column("time", "time")
_UNTIL: Final = Column("until", "time")
_BASIS: Final = Column("basis", "text", words=BASES)
_BROKER: Final = Column("broker", "int", required=True, least=0)
_LEADER: Final = Column("leader", "int", least=NO_LEADER)
_SEQ: Final = Column("seq", "long", least=0)
_AT_LEAST: Final = Column("at_least", "texts")
_TOLD: Final = (
    _SEQ,
    Column("text", "text"),
    Column("message", "text"),
    Column("evidence", "longs", least=0),
)

TABLES: Final[dict[str, tuple[Column, ...]]] = {
    "events": (
        _TIME,
        Column("kind", "text", required=True, words=tuple(KIND)),
        _BASIS,
        _TOPIC,
        _PARTITION,
        Column("broker", "int", least=0),
        Column("replica", "int", least=0),
        _LEADER,
        _epoch(),
        Column("partition_epoch", "long", least=-1),
        _offset("log_end_offset"),
        _offset("high_watermark"),
        _offset("log_start_offset"),
        _offset("from_offset"),
        _offset("to_offset"),
        Column("isr", "ints", least=0),
        Column("how", "text", words=HOWS),
        Column("aux", "long"),
        Column("stated_time", "time"),
        _AT_LEAST,
        Column("at_most", "texts"),
        _SEQ,
        Column("ordinal", "long", least=0),
        Column("cause", "long", least=0),
        Column("file", "text"),
        Column("line", "long", least=1),
        Column("byte", "long", least=0),
    ),
    "lines": (
        Column("host", "text"),
        Column("path", "text", required=True),
        Column("line", "long", least=1),
        Column("byte", "long", least=0, also="offset"),
        Column("message", "text", required=True),
    ),
    "partitions": (*_WHOSE, Column("incarnation", "text"), Column("replicas", "ints", least=0)),
    "brokers": (_BROKER, Column("name", "text"), Column("version", "text")),
    "files": (
        Column("file", "text", required=True),
        Column("sha256", "text"),
        Column("bytes", "long", least=0),
        Column("broker", "int", least=0),
        Column("zone", "text"),
        Column("zone_basis", "text"),
    ),
    "summaries": (
        *_WHOSE,
        Column("check", "text"),
        Column("severity", "text", words=tuple(Severity)),
        Column("rank", "int", least=1),
        _MAYBE,
        Column("text", "text"),
        Column("message", "text"),
        *(
            Column(name, "long", least=0)
            for name in (
                "records_lost",
                "records_possibly_lost",
                "records_uncommitted",
                "cuts",
                "cuts_below_high_watermark",
                "high_watermark_falls",
                "log_end_falls",
                "elections",
                "unclean_elections",
                "isr_changes",
                "under_replicated_ns",
                "under_min_isr_ns",
                "leaderless_ns",
                "gaps",
            )
        ),
        Column("seen", "share"),
        _AT_LEAST,
    ),
    "findings": (
        Column("check", "text", required=True),
        Column("severity", "text", required=True, words=tuple(Severity)),
        Column("rank", "int", least=1),
        *_OF,
        Column("brokers", "ints", least=0),
        _TIME,
        _UNTIL,
        *_TOLD,
    ),
    "losses": (
        *_WHOSE,
        Column("first_offset", "long", required=True, least=0),
        Column("end_offset", "long", required=True, least=0),
        Column("records", "long", least=0),
        _epoch(),
        Column("class", "text", required=True, words=tuple(LossClass)),
        Column("severity", "text", words=tuple(Severity)),
        Column("cause", "text"),
        _MAYBE,
        Column("commit", "text", words=tuple(Shown)),
        Column("acknowledgement", "text", words=tuple(Shown)),
        Column("removed_from", "ints", least=0),
        Column("survives_on", "ints", least=0),
        Column("may_be_held_by", "ints", least=0),
        *_TOLD,
        _AT_LEAST,
    ),
    "cuts": (
        *_WHOSE,
        _TIME,
        _BROKER,
        _offset("from_offset"),
        Column("to_offset", "long", required=True, least=0),
        Column("records", "long", least=0),
        Column("rule", "text"),
        Column("below_high_watermark", "flag"),
        _BASIS,
        _SEQ,
        Column("evidence", "longs", least=0),
    ),
    "leaders": (
        *_WHOSE,
        _TIME,
        _UNTIL,
        _LEADER,
        _epoch(),
        _offset("start_offset"),
        Column("election", "text"),
        _BASIS,
        Column("evidence", "longs", least=0),
    ),
    "isrs": (
        *_WHOSE,
        _TIME,
        _UNTIL,
        Column("isr", "ints", required=True, least=0),
        _BASIS,
        Column("evidence", "longs", least=0),
    ),
    "divergences": (
        *_WHOSE,
        Column("brokers", "ints", required=True, least=0),
        Column("first_offset", "long", required=True, least=0),
        Column("end_offset", "long", required=True, least=0),
        _BASIS,
        Column("evidence", "longs", least=0),
    ),
    "states": (
        *_WHOSE,
        _MAYBE,
        _UNTIL,
        Column("cursor", "long", required=True, least=0),
        _BROKER,
        Column("role", "text", words=tuple(Role)),
        Column("alive", "flag"),
        Column("in_isr", "flag"),
        _epoch(),
        _offset("log_end_lo"),
        _offset("log_end_hi"),
        Column("log_end_basis", "text", words=BASES),
        _offset("high_watermark_lo"),
        _offset("high_watermark_hi"),
        Column("high_watermark_basis", "text", words=BASES),
    ),
}
"""Every table, and its columns in order."""


def arrow_type(kind: str) -> "pa.DataType":
    """The type of a column in Arrow."""
    import pyarrow as pa

    types = {
        "time": pa.timestamp("ns", "UTC"),
        "text": pa.string(),
        "int": pa.int32(),
        "long": pa.int64(),
        "flag": pa.bool_(),
        "share": pa.float64(),
        "ints": pa.list_(pa.int32()),
        "longs": pa.list_(pa.int64()),
        "texts": pa.list_(pa.string()),
    }
    return types[kind]


def arrow_schema(table: str) -> "pa.Schema":
    """All columns of a table in Arrow; the version of the contract is in its metadata."""
    import pyarrow as pa

    fields = [pa.field(one.name, arrow_type(one.kind), nullable=not one.required) for one in TABLES[table]]
    return pa.schema(fields, metadata={"tidegauge.table": table, "tidegauge.contract": str(VERSION)})


def as_json() -> dict[str, object]:
    """The contract for programs: docs/contract.schema.json."""
    return {
        "format": "tidegauge tables",
        "version": VERSION,
        "tables": {
            name: [
                {
                    "name": one.name,
                    "type": TYPES[one.kind],
                    "required": one.required,
                    **({} if one.least is None else {"least": one.least}),
                    **({"words": list(one.words)} if one.words else {}),
                    **({"also": one.also} if one.also else {}),
                }
                for one in columns
            ]
            for name, columns in TABLES.items()
        },
    }
