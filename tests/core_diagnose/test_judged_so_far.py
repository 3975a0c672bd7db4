"""What is told of partitions that are judged while others still are."""

import pytest

from core.diagnose.verdict import so_far
from core.diagnose.verdict.check import diagnose, triaged
from core.diagnose.verdict.so_far import JudgedSoFar
from core.diagnose.verdict.summary import ranked, triage
from core.work import Work
from tests.bench.diagnosis import many_partitions


def test_rows_that_are_told_early_are_those_of_triage() -> None:
    trace = many_partitions(30, alike=False)
    found: list[object] = []
    done = triaged(trace, Work(found=found.append))

    assert done == triage(trace, diagnose(trace))
    assert found
    whole = {one.partition: one for one in done.summaries}
    for told in found:
        assert isinstance(told, JudgedSoFar)
        assert told.partitions == 30
        for one in told.worst:
            row = whole[one.summary.partition]
            assert one.tp == trace.partitions[row.partition].tp
            assert (one.summary.check, one.summary.reason) == (row.check, row.reason)
            assert (one.summary.records_lost, one.summary.truncations) == (row.records_lost, row.truncations)


def test_the_worst_are_told_first_and_no_more_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(so_far, "MOST", 4)
    trace = many_partitions(10, alike=False)
    rows = triaged(trace).summaries
    names = {index: str(one.tp) for index, one in enumerate(trace.partitions)}
    told = so_far.judged_so_far(trace, rows)

    assert (told.judged, told.partitions) == (10, 10)
    expected = [one.partition for one in ranked(rows, names)[:4]]
    assert [one.summary.partition for one in told.worst] == expected
