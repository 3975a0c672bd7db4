"""The importers' values survive the way through Arrow, whole."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Loss
from core.kafka.eras import era
from core.kafka.metadata_records import MetadataRecord
from core.message import message
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.vocabulary import Basis
from importers.containers.containers import members
from importers.disk.metadata_log import MetadataEntry, MetadataFile
from importers.kafka.drafts import Draft, Example, Fate, Said
from importers.lines.parsed import Drafts, records_of
from importers.lines.statements import statements_of
from importers.merge.files import ReadFile, Role, read_files
from importers.prepared.arrow_rows import arrow_type, from_table, to_batch
from importers.samples import SAMPLES, sample_path
from spark.parse import Piece


def there_and_back(kind: type, value: Any) -> Any:
    table = pa.Table.from_batches([to_batch(kind, [value])])
    return from_table(kind, table)[0]


def assert_equal(one: Any, other: Any, where: str) -> None:
    """Arrays have no equality of their own, so it is looked for field by field."""
    assert type(one) is type(other), where
    if is_dataclass(one):
        for field in fields(one):
            assert_equal(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, Mapping):
        assert one.keys() == other.keys(), where
        for key, value in one.items():
            assert_equal(value, other[key], f"{where}.{key}")
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, where
        assert np.array_equal(one, other), where
    else:
        assert one == other, where


@pytest.mark.slow
@pytest.mark.parametrize("name", [sample.id for sample in SAMPLES])
def test_every_file_of_a_recording_comes_back(name: str) -> None:
    files = [
        replace(file, quotes=()) for member in members([sample_path(name)]) for file in read_files(member)
    ]
    assert {file.role for file in files} >= {
        Role.LOG,
        Role.SEGMENT,
        Role.OFFSETS,
        Role.PROPERTIES,
        Role.IGNORED,
    }
    for file in files:
        assert_equal(there_and_back(ReadFile, file), file, file.path)


def test_extremes_and_nothing_come_back() -> None:
    said = Said("isr_committed", ("t-é", 0), isr=(), assigned=(3, 1), epoch=-1, hw=-1, leo=2**63 - 1,
                at_least=("leo", "hw"), basis=Basis.INFERRED)  # fmt: skip
    draft = Draft(-1, 2**40, 1, 0, 2**63 - 1, "rule", said)
    empty = np.array([], dtype=np.int64)
    odd = Example(Fate.MALFORMED, 1, "\0\ufffd")
    drafts = Drafts(statements_of([draft]), (), dict.fromkeys(Fate, 0), (odd,),
                    records_of(empty, empty, empty), kafka=False)  # fmt: skip
    piece = Piece(0, 2**50, read=ReadFile("p", "", 0, None, Role.LOG, drafts=drafts))
    assert_equal(there_and_back(Piece, piece), piece, "piece")
    assert there_and_back(Piece, Piece(1, 0)) == Piece(1, 0)


def test_a_type_without_a_column_is_refused() -> None:
    with pytest.raises(TypeError, match="no Arrow type"):
        arrow_type(Path)


def test_a_decoded_metadata_record_comes_back() -> None:
    data = {"topicId": "AAAAAAAAAAAAAAAAAAAAAA", "isr": [1, 2], "leader": -1, "elr": None}
    entry = MetadataEntry(
        7, 2, 5, 61, control=False, record=MetadataRecord(5, "PartitionChangeRecord", 0, data)
    )
    held = MetadataFile((entry,), None, 99, (message("report.tool.number", line=3),))

    assert there_and_back(MetadataFile, held) == held


def test_rows_that_were_cut_out_of_a_table_come_back() -> None:
    """Offsets of a slice do not begin at 0, and those of a null say nothing."""
    record = MetadataRecord(5, "PartitionChangeRecord", 0, {})
    kept = [
        MetadataFile((), None, 1, (message("report.batch.no-lz4"), message("report.tool.number", line=3))),
        MetadataFile((MetadataEntry(7, 2, 5, 61, control=True, record=record),), None, 2, ()),
        MetadataFile(
            (MetadataEntry(8, 2, 5, 61, control=False, record=record),),
            None,
            3,
            (message("report.tool.number", line=4),),
        ),
    ]
    table = pa.Table.from_batches([to_batch(MetadataFile, kept)])

    assert from_table(MetadataFile, table) == kept
    assert from_table(MetadataFile, table.slice(1)) == kept[1:]
    assert from_table(MetadataFile, pa.concat_tables([table.slice(2), table.slice(0, 1)])) == [
        kept[2],
        kept[0],
    ]


def test_a_table_from_before_a_field_was_added_has_its_default() -> None:
    """Loss had no `at_least`: a data set that was written then opens."""
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    losses = [loss for one in diagnose(trace).partitions for loss in one.losses]
    assert losses
    before = pa.Table.from_batches([to_batch(Loss, losses)]).drop_columns(["at_least"])

    assert from_table(Loss, before) == losses


def test_a_table_without_a_field_that_has_no_default_is_refused() -> None:
    table = pa.Table.from_batches([to_batch(Loss, [])]).drop_columns(["cause"])

    with pytest.raises(KeyError):
        from_table(Loss, table)
