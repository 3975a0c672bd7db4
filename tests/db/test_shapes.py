"""JSON of a document is what its shape says, or a sentence says what it is not."""

import json

import pytest

from db import budgets, shapes
from db.reported import check_facts, read_report
from db.shapes import integer, listed, loaded, nothing_or, record, text
from tests.hostile import REPORT

SHAPE = record({"id": integer(0, 9)}, {"names": listed(text(3), 2), "end": nothing_or(integer())})


@pytest.mark.parametrize(
    "value", [{"id": 0}, {"id": 9, "names": ["a", "abc"], "end": None}, {"id": 1, "more": [{}], "end": -5}]
)
def test_a_value_of_the_shape_is_read(value: object) -> None:
    assert loaded(json.dumps(value), SHAPE, "row", 100) == value


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("[]", "row is not an object: list"),
        ("{}", "row lacks id"),
        ('{"id": 10}', "row.id is not a number from 0 on: 10"),
        ('{"id": true}', "row.id is not a number from 0 on: True"),
        ('{"id": 1.0}', "row.id is not a number from 0 on: 1.0"),
        ('{"id": 1, "names": "ab"}', "row.names is not a list: 'ab'"),
        ('{"id": 1, "names": ["a", 5]}', r"row.names\[1\] is not a text: 5"),
        ('{"id": 1, "names": ["abcd"]}', r"row.names\[0\] is not a text: 'abcd'"),
        ('{"id": 1, "names": ["", "", ""]}', "row.names has 3 values, at most 2"),
        ('{"id": 1, "end": NaN}', "row is not JSON: NaN is not a number"),
        ('{"id": 1, "end": 9223372036854775808}', "row.end is not a number: 9223372036854775808"),
        ('{"id": 1', "row is not JSON"),
        ("[" * 50_000 + "]" * 50_000, "row is nested too deeply"),
        (b'{"id": "\xff"}', "row is not JSON"),
        (7, "row is not JSON: 7"),
    ],
)
def test_another_value_is_refused_with_its_place(raw: object, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        loaded(raw, SHAPE, "row", 200_000)


def test_a_text_beyond_its_budget_is_not_read() -> None:
    with pytest.raises(ValueError, match="row has 12 bytes, at most 5"):
        loaded('{"id":    1}', SHAPE, "row", 5)


def test_what_json_takes_as_objects_is_reckoned_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object, **__: object) -> None:
        pytest.fail("read before it was reckoned")

    monkeypatch.setattr(shapes.json, "loads", read)

    with pytest.raises(ValueError, match="more values than are read"):
        loaded("[" + "[]," * 3_000_000 + "[]]", SHAPE, "row", budgets.MOST_REPORT_BYTES)


def test_the_report_of_200_000_files_is_within_the_budgets() -> None:
    row = {
        "file": "broker-1/kafka-logs/orders-1234/00000000000012345678.log",
        "is": "segment",
        "broker": 1,
        "found_by": "the files of its data directory",
        "bytes": 1_073_741_824,
        "directory": "broker-1/kafka-logs",
        "copied_earlier": False,
    }
    some = json.dumps({**REPORT, "by_file": [row] * 1_000})

    assert read_report(some)["by_file"][999] == row
    assert len(some) * 200 < budgets.MOST_REPORT_BYTES
    assert shapes._held(some) * 200 < budgets.MOST_JSON_HELD


@pytest.mark.parametrize(
    "facts",
    [
        {"whole_seconds": "0 1", "seed": "7", "title": "x"},
        {"script": "schema = 9\nnew = [1]\n[settings]\n'min.insync.replicas' = 2"},
        {"log.broker-1.until": "1700000000000000000", "config.topic-a.min.insync.replicas": "2"},
        {"config.topic-a.min.insync.replicas": "changed"},
        {"version.broker-1.over-time": "1700000000000000000 0.10.2.2 1700000001000000000 ?"},
    ],
)
def test_facts_that_the_program_writes_pass(facts: dict[str, str]) -> None:
    check_facts(facts, 2)


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"whole_seconds": "2"}, "names a source that is not there: '2'"),
        ({"seed": "lucky"}, "the fact seed is not a number: 'lucky'"),
        ({"seed": "9" * 30}, "the fact seed is not a number"),
        ({"metadata.until": "²"}, "the fact metadata.until is not a number"),
        ({"config.broker-1.min.insync.replicas": "changed"}, "is not a number: 'changed'"),
        ({"version.broker-1.over-time": "2.8.2"}, "has no times and values: '2.8.2'"),
        ({"version.broker-1.over-time": "17 2.8.2 18"}, "has no times and values"),
        ({"version.broker-1.over-time": f"{'9' * 30} 2.8.2"}, "has no times and values"),
        ({"script": "= ="}, "the fact script is not TOML"),
        ({"script": "settings = 5"}, "script.settings is not an object: 5"),
    ],
)
def test_other_facts_are_refused(facts: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        check_facts(facts, 2)
