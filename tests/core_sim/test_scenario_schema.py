"""docs/scenario.schema.json against the reader: the same keys, the same bounds, both ways.

The reader is asked by texts with one thing wrong: its errors say what is allowed.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from core.errors import ScenarioError
from core.sim.conditions import FORMS
from core.sim.library import scenario, scenario_ids
from core.sim.scenario import parse_scenario
from tests.in_words import in_words

pytestmark = pytest.mark.broad(3)

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "scenario.schema.json").read_text(encoding="utf-8")
)
STEPS = {one["properties"]["do"]["const"]: one for one in SCHEMA["$defs"]["step"]["oneOf"]}
TEXTS = {"en": "x", "zh": "文"}
WAY = {"from": ["A"], "to": ["B"]}
# For each `do` the keys without which it is not a step.
NEEDED: dict[str, dict[str, Any]] = {
    "produce": {"count": 1, "acks": "1"},
    "fetch": {"brokers": ["A"]},
    "consume": {"consumers": ["c"]},
    "end-transaction": {"transaction": "t", "result": "abort"},
    "fetch-freely": {"brokers": ["A"]},
    "fetch-by-step": {"brokers": ["A"]},
    "crash": {"broker": "A"},
    "stop": {"broker": "A"},
    "start": {"broker": "A"},
    "checkpoint": {"brokers": ["A"]},
    "wait": {"for_ms": 1},
    "elect": {},
    "hold-controller": {"brokers": ["A"]},
    "release-controller": {"brokers": ["A"]},
    "delete-records": {},
    "retain": {"brokers": ["A"], "offset": 0},
    "copy-to-tier": {"offset": 1},
    "clean-tier": {},
    "move-log": {"brokers": ["A"]},
    "freeze": {"brokers": ["A"]},
    "thaw": {"brokers": ["A"]},
    "disconnect": WAY,
    "heal": WAY,
    "reassign": {"brokers": ["A"]},
    "configure": {"min.insync.replicas": 1},
    "slow": {**WAY, "latency_us": 1},
    "add-voter": {"controller": "K"},
    "remove-voter": {"controller": "K"},
    "snapshot": {"controllers": ["K"]},
    "clean-metadata": {"controllers": ["K"]},
    "workload": {"records_per_s": 1, "lasts_ms": 1, "acks": "1"},
    "faults": {"kinds": ["stop"], "every_ms": 1, "down_ms": 1, "lasts_ms": 1},
    "repeat": {"times": 1, "step": [{"do": "wait", "for_ms": 1, "label": TEXTS}]},
}


def document(step: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The smallest scenario with a table of each kind, and one step."""
    return {
        "schema": 1,
        "id": "x",
        "title": dict(TEXTS),
        "story": dict(TEXTS),
        "cluster": {"brokers": [*"ABCDEFGHI"], "partitions": 1_000},
        "settings": {},
        "limits": {},
        "quorum": {"voters": ["K"]},
        "start": {"replica": [{"broker": "A", "log": [{"count": 1}]}]},
        "consumer": [{"name": "c"}],
        "step": [dict(step or {"do": "wait", "for_ms": 1, "label": TEXTS})],
    }


def step_of(do: str, **keys: Any) -> dict[str, Any]:
    label = {} if do == "repeat" else {"label": TEXTS}
    return {"do": do, **label, **NEEDED[do], **keys}


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def refusal(text: Mapping[str, Any]) -> ScenarioError | None:
    """What the reader says against a document, or None."""
    try:
        parse_scenario("".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in text.items()))
    except ScenarioError as error:
        return error
    return None


def allowed_by_reader(text: Mapping[str, Any], table: dict[str, Any]) -> set[str]:
    """The keys that the reader takes in a table of the document: it lists them where it meets another one."""
    table["no such key"] = 1
    error = refusal(text)
    del table["no such key"]
    assert error is not None
    assert "'no such key' is not known here" in in_words(error).what
    return set(in_words(error).advice.removeprefix("Allowed: ").split(", "))


def tables(text: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each table of a document but steps, with its part of the schema."""
    top = SCHEMA["properties"]
    replica = top["start"]["properties"]["replica"]["items"]
    yield text, SCHEMA
    yield from ((text[name], top[name]) for name in ("cluster", "settings", "limits", "quorum", "start"))
    yield text["consumer"][0], top["consumer"]["items"]
    yield text["start"]["replica"][0], replica
    yield text["start"]["replica"][0]["log"][0], replica["properties"]["log"]["items"]


def test_the_smallest_document_is_read_and_fits() -> None:
    assert refusal(document()) is None
    assert list(misfits(document(), SCHEMA)) == []


def test_the_tables_have_the_keys_of_the_reader() -> None:
    text = document()
    for table, part in tables(text):
        assert allowed_by_reader(text, table) == set(part["properties"])
        assert part["additionalProperties"] is False


def test_the_steps_are_those_of_the_reader_with_its_keys() -> None:
    error = refusal(document({"do": "kick", "label": TEXTS}))
    assert error is not None
    assert in_words(error).advice.removeprefix("Allowed: ").split(", ") == list(STEPS)
    assert set(STEPS) == set(NEEDED)
    for do, part in STEPS.items():
        text = document(step_of(do))
        assert refusal(text) is None, do
        assert list(misfits(text, SCHEMA)) == [], do
        assert allowed_by_reader(text, text["step"][0]) == set(part["properties"]), do
        assert part["additionalProperties"] is False


@pytest.mark.parametrize("do", STEPS)
def test_what_a_step_must_have_is_what_the_reader_misses(do: str) -> None:
    whole = step_of(do)
    missed = {
        key
        for key in whole
        if refusal(document({name: value for name, value in whole.items() if name != key})) is not None
    }
    choices = {
        key for one in (*STEPS[do].get("oneOf", ()), *STEPS[do].get("anyOf", ())) for key in one["required"]
    }
    assert set(STEPS[do]["required"]) == missed - choices


def complains_of(text: Mapping[str, Any], key: str) -> bool:
    error = refusal(text)
    return error is not None and in_words(error).where.endswith(f".{key}")


def test_numbers_have_the_bounds_of_the_reader() -> None:
    tried = 0
    places = [(document(), table) for table in range(len(list(tables(document()))))]
    for text, place in places:
        table, part = list(tables(text))[place]
        tried += assert_bounds(text, table, part["properties"])
    for do, part in STEPS.items():
        text = document(step_of(do))
        tried += assert_bounds(text, text["step"][0], part["properties"])
    assert tried > 60


# Their bounds depend on another key; the schema has the widest.
MOVING = {"epoch", "high_watermark", "checkpoint", "records_per_s", "within_ms", "schema"}


def assert_bounds(text: dict[str, Any], table: dict[str, Any], keys: Mapping[str, Any]) -> int:
    tried = 0
    for key, part in keys.items():
        if part.get("type") != "integer" or key in MOVING:
            continue
        before = dict(table)
        if key == "count":
            table.pop("records", None)
        for value, fits in ((part["minimum"], True), (part["maximum"], True), (part["minimum"] - 1, False),
                            (part["maximum"] + 1, False)):  # fmt: skip
            table[key] = value
            if key != "count" or value < 1_000 or not fits:
                assert complains_of(text, key) is not fits, (key, value)
            tried += 1
        table.clear()
        table.update(before)
    return tried


def test_texts_of_few_have_the_choices_of_the_reader() -> None:
    text = document()
    kinds = STEPS["faults"]["properties"]["kinds"]["items"]["enum"]
    choices = [
        (table, key, part["properties"][key]) for table, part in tables(text) for key in part["properties"]
    ]
    tried = 0
    for table, key, part in choices:
        if "enum" in part:
            before = table.get(key)
            table[key] = "no such"
            error = refusal(text)
            assert error is not None
            assert in_words(error).advice == f"Allowed: {', '.join(part['enum'])}"
            del table[key]
            table.update({} if before is None else {key: before})
            tried += 1
    for do, key in (("produce", "acks"), ("workload", "acks")):
        error = refusal(document(step_of(do, **{key: "2"})))
        assert error is not None
        assert in_words(error).advice == f"Allowed: {', '.join(STEPS[do]['properties'][key]['enum'])}"
    error = refusal(document(step_of("faults", kinds=["flood"])))
    assert error is not None
    assert in_words(error).advice == f"Allowed: a list of {', '.join(kinds)}"
    assert tried == 5


def test_conditions_are_those_of_the_reader() -> None:
    part = SCHEMA["$defs"]["condition"]
    assert part["examples"] == [words for _, words, _ in FORMS]
    for _, words, _ in FORMS:
        for text in (words, f"{words} in partition 3", f"{words} or so", words.replace("B", "broker-2")):
            read = refusal(document(step_of("elect", until=text, within_ms=1)))
            known = read is None or "is not a condition" not in in_words(read).what
            assert bool(re.search(part["pattern"], text)) is known, text


@pytest.mark.parametrize("name", scenario_ids())
def test_every_shipped_scenario_fits(name: str) -> None:
    assert list(misfits(tomllib.loads(scenario(name).text), SCHEMA)) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"schema": 2}, "schema"),
        ({"colour": "red"}, "colour"),
        ({"title": {"zh": "x"}}, "title"),
        ({"title": {"en": "x", "English": "x"}}, "title"),
        ({"title": " "}, "title"),
        ({"cluster": {"brokers": []}}, "cluster.brokers"),
        ({"settings": {"min.insync.replicas": True}}, "settings.min.insync.replicas"),
        ({"step": [step_of("crash", until="B leads")]}, "step.0"),
        ({"step": [step_of("produce", records=["m"])]}, "step.0"),
        ({"step": [{**step_of("wait"), "for_ms": -1}]}, "step.0"),
    ],
)
def test_what_does_not_fit_is_found_and_refused_by_the_reader_too(change: dict[str, Any], where: str) -> None:
    text = {**document(), **change}
    assert any(found.startswith(where) for found in misfits(text, SCHEMA))
    assert refusal(text) is not None


def misfits(value: Any, part: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Where a value does not fit a schema: the part of draft 2020-12 that ours uses."""
    if "$ref" in part:
        part = SCHEMA["$defs"][part["$ref"].removeprefix("#/$defs/")]
    types = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    wanted = part.get("type")
    if wanted is not None and (
        not isinstance(value, types[wanted]) or (wanted == "integer" and isinstance(value, bool))
    ):
        yield path
        return
    if ("const" in part and value != part["const"]) or ("enum" in part and value not in part["enum"]):
        yield path
    if isinstance(value, str):
        if len(value) < part.get("minLength", 0) or not re.search(part.get("pattern", ""), value):
            yield path
    elif isinstance(value, int):
        if not part.get("minimum", value) <= value <= part.get("maximum", value):
            yield path
    elif isinstance(value, list):
        yield from list_misfits(value, part, path)
    elif isinstance(value, dict):
        yield from table_misfits(value, part, path)
    fitting = [one for one in part.get("oneOf", ()) if not list(misfits(value, one, path))]
    if "oneOf" in part and len(fitting) != 1:
        yield path
    if "anyOf" in part and all(list(misfits(value, one, path)) for one in part["anyOf"]):
        yield path
    if "not" in part and not list(misfits(value, part["not"], path)):
        yield path


def list_misfits(value: list[Any], part: Mapping[str, Any], path: str) -> Iterator[str]:
    if not part.get("minItems", 0) <= len(value) <= part.get("maxItems", len(value)):
        yield path
    if part.get("uniqueItems") and len({json.dumps(one) for one in value}) != len(value):
        yield path
    for number, one in enumerate(value):
        yield from misfits(one, part.get("items", {}), f"{path}.{number}".strip("."))


def table_misfits(value: dict[str, Any], part: Mapping[str, Any], path: str) -> Iterator[str]:
    keys = part.get("properties", {})
    yield from (path for key in value if list(misfits(key, part.get("propertyNames", {}))))
    yield from (path for key in part.get("required", ()) if key not in value)
    for key, others in part.get("dependentRequired", {}).items():
        yield from (path for other in others if key in value and other not in value)
    for key, one in value.items():
        below = f"{path}.{key}".strip(".")
        if key in keys:
            yield from misfits(one, keys[key], below)
        elif part.get("additionalProperties") is False:
            yield below
        elif isinstance(part.get("additionalProperties"), dict):
            yield from misfits(one, part["additionalProperties"], below)
