"""Results as files that other programs read."""

import csv
import io
import json
from dataclasses import replace

import pytest

from core.teaching.answers import Mark
from core.teaching.grades import COLUMNS, Answered, Result, Try, as_csv, as_json, as_xapi, result_of

ROWS = (
    Answered(5, "cut", "Where?", "2", Mark.WRONG, 0.0, 1, 24.0),
    Answered(6, "leader", "Who?", "B", Mark.RIGHT, 1.0, 0, 3.5),
)
TWICE = Answered(*(5, "cut", "Where?", "1", Mark.RIGHT, 0.5, 0, 4.0), (Try("2", Mark.WRONG, 0.0, 1, 24.0),))
PRACTISED = Result("loss", "The loss", "en", "ab", 1_000_000_000, (TWICE,), learner="Ada")
RESULT = Result("loss", "The loss", "en", "ab", 1_000_000_000, ROWS, learner="Ada")


def test_a_row_of_the_csv_for_each_question() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([RESULT, RESULT]))))

    assert list(rows[0]) == list(COLUMNS)
    assert [row["given"] for row in rows] == ["2", "B", "2", "B"]
    assert (rows[1]["points"], rows[1]["mark"], rows[1]["seconds"]) == ("1", "right", "3.5")
    assert rows[0]["finished"] == "1970-01-01T00:00:01.000000000Z"


def test_no_cell_is_a_formula() -> None:
    hostile = Result("x", "=1+1", "en", "", 0, ROWS, learner="@cmd")

    rows = list(csv.DictReader(io.StringIO(as_csv([hostile]))))
    assert (rows[0]["title"], rows[0]["learner"]) == ("'=1+1", "'@cmd")


def test_a_result_is_read_back_from_json_and_what_is_none_is_refused() -> None:
    assert result_of(json.loads(json.dumps(as_json(RESULT)))) == RESULT
    assert (RESULT.points, RESULT.right) == (1.0, 1)
    for wrong in ({}, [], None, {**as_json(RESULT), "schema": 2}, {**as_json(RESULT), "answered": [{}]}):
        with pytest.raises(ValueError):  # noqa: PT011 - the message is that of what is wrong in it
            result_of(wrong)


def test_xapi_has_a_statement_a_question_and_one_for_the_lesson() -> None:
    statements = json.loads(as_xapi([RESULT]))

    assert [one["verb"]["id"].rpartition("/")[2] for one in statements] == [
        "answered",
        "answered",
        "completed",
    ]
    assert [one["result"].get("success") for one in statements] == [False, True, None]
    # One right of two.
    assert statements[-1]["result"]["score"] == {"raw": 1.0, "max": 2, "scaled": 0.5}
    assert all(one["actor"]["account"]["name"] == "Ada" for one in statements)


def test_each_try_has_a_row_and_a_statement_and_is_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv([PRACTISED]))))
    assert [(row["try"], row["given"], row["mark"], row["points"]) for row in rows] == [
        ("1", "2", "wrong", "0"),
        ("2", "1", "right", "0.5"),
    ]
    *each, whole = json.loads(as_xapi([PRACTISED]))
    assert [one["result"]["success"] for one in each] == [False, True]
    assert whole["result"]["score"] == {"raw": 0.5, "max": 1, "scaled": 0.5}
    assert result_of(json.loads(json.dumps(as_json(PRACTISED)))) == PRACTISED


def test_what_was_saved_before_there_were_tries_is_read() -> None:
    raw = as_json(RESULT)
    old = {
        **raw,
        "answered": [{name: one[name] for name in one if name != "earlier"} for one in raw["answered"]],
    }

    assert result_of(old) == RESULT


def test_a_worse_try_takes_no_points_and_one_that_is_none_is_refused() -> None:
    worse = replace(TWICE, points=0.0, mark=Mark.WRONG, earlier=(Try("1", Mark.PARTLY, 0.4, 0, 1.0),))

    assert replace(PRACTISED, answered=(worse,)).points == 0.4
    raw = as_json(PRACTISED)
    for wrong in ({"mark": "well"}, {"points": "0"}, {"given": 3}, {"hints": 0.5}, {"more": 1}):
        earlier = [{**raw["answered"][0]["earlier"][0], **wrong}]
        with pytest.raises(ValueError):  # noqa: PT011 - the message is that of what is wrong in it
            result_of({**raw, "answered": [{**raw["answered"][0], "earlier": earlier}]})
