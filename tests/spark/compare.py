"""A data set beside the local import of the same sources: the same, field by field."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.diagnose.account.as_json import check_dict
from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.verdict.check import diagnose, judge_partitions
from core.diagnose.verdict.facts import (
    Divergence,
    FinalReplica,
    IsrSpan,
    Leadership,
    Loss,
    PartitionVerdict,
    Truncation,
    Verdict,
    XRay,
    of_partition,
)
from core.diagnose.verdict.summary import Triage, triage
from core.history.state_rows import StateChange, state_changes
from core.trace.by_partition import by_partition
from core.trace.digest import content_digest
from core.trace.part import part_of
from core.trace.trace import Origin, Trace
from core.words import bare
from gui.commands.describe import described, described_set
from gui.workspace.query_tables import DataSetTables, TraceTables
from importers.contract.columns import TABLES
from importers.load import load
from importers.prepared.data_set import load_prepared
from importers.prepared.stored import describe, stored_verdict
from importers.prepared.triage import read_owned, read_triage

VERDICT: dict[str, Any] = {
    "leadership": Leadership,
    "isr": IsrSpan,
    "truncations": Truncation,
    "losses": Loss,
    "divergences": Divergence,
    "final": FinalReplica,
    "x_rays": XRay,
}
"""Fields of a verdict that are tables."""
FOLDER = {"isr": "isr_spans"}
"""Tables that are not called as the field is."""


@dataclass(frozen=True)
class Local:
    """What this machine finds without Spark: a trace, verdicts and states by partition, triage."""

    trace: Trace
    verdicts: dict[int, PartitionVerdict]
    states: dict[int, list[StateChange]]
    triage: Triage


def local_of(source: Path) -> Local:
    """A source imported and judged here."""
    trace = load([source])
    judged = list(judge_partitions(trace, range(len(trace.partitions))))
    return Local(
        trace,
        {verdict.partition: verdict for _, verdict in judged},
        {index: states_of(trace, index) for index in range(len(trace.partitions))},
        triage(trace, diagnose(trace)),
    )


def states_of(trace: Trace, partition: int) -> list[StateChange]:
    """The states of one partition opened alone, at cursors of the whole trace, by broker."""
    seqs = np.union1d(by_partition(trace).seqs_of(partition), [len(trace) - 1])
    ((history, _),) = judge_partitions(part_of(trace, seqs), (partition,))
    cursors = [0, *(int(seq) + 1 for seq in seqs)]
    return sorted(state_changes(history, cursors), key=lambda one: (one.broker, one.cursor))


def assert_same_trace(prepared: Trace, imported: Trace) -> None:
    """Field by field, so that a difference is told by its name; then as a whole."""
    assert len(prepared) == len(imported) > 0
    assert_same_columns(prepared.columns, imported.columns)
    for name in ("name", "brokers", "partitions", "sources", "isrs", "records", "lines", "facts", "report"):
        assert getattr(prepared, name) == getattr(imported, name), name
    assert (prepared.origin, imported.origin) == (Origin.PREPARED, Origin.IMPORTED)
    assert content_digest(prepared) == content_digest(replace(imported, origin=Origin.PREPARED))


def assert_same_columns(one: Mapping[str, NDArray[Any]], other: Mapping[str, NDArray[Any]]) -> None:
    """Each column the same, so that a difference is told by its name."""
    assert [*one] == [*other]
    for name in one:
        assert np.array_equal(one[name], other[name]), name


def assert_same_findings(folder: Path, local: Local) -> None:
    """Summaries, findings, states and every table of verdicts."""
    assert read_triage(folder) == local.triage
    for field in fields(PartitionVerdict):
        if (kind := VERDICT.get(field.name)) is not None:
            rows = table_by_partition(folder, FOLDER.get(field.name, field.name), kind)
            for partition, verdict in local.verdicts.items():
                expected = getattr(verdict, field.name)
                assert sorted(rows[partition], key=repr) == sorted(expected, key=repr), field.name
    states = table_by_partition(folder, "states", StateChange)
    for partition, changes in local.states.items():
        assert states[partition] == changes, "states"


def table_by_partition(folder: Path, table: str, kind: type[Any]) -> dict[int, list[Any]]:
    """The values of a table, by partition, in the order of their rows."""
    found: dict[int, list[Any]] = defaultdict(list)
    for partition, value in read_owned(folder, table, kind):
        found[partition].append(value)
    return found


def assert_same_answers(folder: Path) -> None:
    """What `check` and `info` say by what is stored, and what they say of the whole trace judged anew."""
    whole = load_prepared(folder)
    trace, verdict = stored_verdict(folder)
    expected = diagnose(whole)
    assert check_dict(trace, verdict, bare) == check_dict(whole, expected, bare)
    assert account_lines(trace, verdict) == account_lines(whole, expected)
    assert described_set(describe(folder)) == described(whole)
    for name in sorted({str(one.tp) for one in whole.partitions}):
        last = whole.partitions[whole.partition_index(name) or 0].tp
        own = [index for index, one in enumerate(whole.partitions) if one.tp == last]
        trace, verdict = stored_verdict(folder, name)
        part = of_partition(expected, own)
        assert check_dict(trace, verdict, bare) == check_dict(whole, part, bare), name


def assert_same_rows(folder: Path) -> None:
    """What a question in SQL is about, of what is stored and of the whole trace judged anew."""
    stored, anew = DataSetTables(folder), TraceTables(load_prepared(folder))
    for name, columns in TABLES.items():
        names = [one.name for one in columns]
        found, expected = (one.read(name, names).to_pylist() for one in (stored, anew))
        assert sorted(found, key=repr) == sorted(expected, key=repr), name


def account_lines(trace: Trace, verdict: Verdict) -> list[Any]:
    """All that is told of all incidents."""
    return [account(trace, one) for one in find_incidents(trace, verdict)]


def assert_local(folder: Path, local: Local) -> None:
    """A data set is what this machine finds without Spark."""
    assert_same_trace(load_prepared(folder), local.trace)
    assert_same_findings(folder, local)
    assert_same_answers(folder)
    assert_same_rows(folder)
