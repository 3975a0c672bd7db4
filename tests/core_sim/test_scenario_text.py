"""The language of scenarios: what a text means, and what an error says."""

import pytest

from core.errors import QuestionError, ScenarioError
from core.sim.conditions import FORMS, parse_condition
from core.sim.library import scenario, scenario_ids
from core.sim.scenario import parse_scenario
from core.sim.script import Condition, Crash, Fetch, Produce, StartReplica
from core.sim.toml_lines import lines_of
from tests.in_words import in_words

pytestmark = pytest.mark.broad(3)

LONGEST_LABEL = 20
"""So many signs the ruler has room for."""
GOOD = """\
schema = 1
id = "small"
title = { en = "Small", zh = "小" }
story = { en = "A story.", zh = "故事。" }

[cluster]
brokers = ["A", "B"]
fetching = "by-step"

[settings]
"replica.lag.time.max.ms" = 10_000

[[start.replica]]
broker = "A"
log = [{ epoch = 0, records = ["m0"] }, { epoch = 2, records = ["m1", "m2"] }]
high_watermark = 1

[[step]]
label = { en = "produce", zh = "写入" }
do = "produce"
records = ["m3"]
acks = "all"

[[step]]
label = { en = "kill", zh = "杀掉" }
do = "crash"
broker = "B"
controller_fails_over = true
until = "A has high watermark 1"
within_ms = 500
"""


def test_a_text_becomes_values() -> None:
    small = parse_scenario(GOOD, "small.toml")
    assert small.brokers == ("A", "B")
    assert not small.free_fetching
    assert small.settings.lag_time_ms == 10_000
    assert small.settings.session_timeout_ms is None
    assert small.start.leader == "A"
    assert small.start.epoch == 2
    assert small.start.replicas["A"].leo == 3
    assert (small.start.replicas["A"].high_watermark, small.start.replicas["A"].checkpoint) == (1, 1)
    assert small.start.replicas["B"] == StartReplica()
    produce, crash = small.steps
    assert (produce.line, produce.label, produce.until) == (18, {"en": "produce", "zh": "写入"}, None)
    assert produce.action == Produce(("m3",), -1)
    assert crash.action == Crash("B", controller_fails_over=True)
    assert crash.until == Condition("hw", "A", "", 1, "A has high watermark 1")
    assert crash.within_ns == 500_000_000
    assert small.text == GOOD


@pytest.mark.parametrize(
    ("old", "new", "where", "what", "allowed"),
    [
        ('do = "crash"', 'do = "kick"', "line 26, key step.2.do", "cannot be 'kick'", "produce, fetch"),
        ('broker = "B"\ncon', 'broker = "C"\ncon', "line 27, key step.2.broker", "cannot be 'C'", "A, B"),
        ("within_ms = 500", "within_ms = 0", "line 30, key step.2.within_ms", "cannot be 0", "from 1"),
        ("within_ms = 500", f"within_ms = {10**12}", "line 30", "cannot be 1000000000000", "86400000"),
        (
            "[[start.replica]]",
            '[start]\nisr = ["B"]\n[[start.replica]]',
            "line 14",
            "not in the ISR",
            "with A",
        ),
        ("[[start.replica]]", "[start]\nremote = { A = 0 }\n[[start.replica]]", "line 14", "not known", "B"),
        ("[[start.replica]]", "[start]\nremote = { B = 4 }\n[[start.replica]]", "line 14", "be 4", "to 3"),
        ("[[start.replica]]", "[start]\nepoch = 1\n[[start.replica]]", "line 14", "cannot be 1", "from 2"),
        ("within_ms = 500", "", "line 24, key step.2.within_ms", "missing", "from 1"),
        ('watermark 1"', 'water 1"', "line 29, key step.2.until", "not a condition", "B has high watermark"),
        ('"A has', '"C has', "line 29, key step.2.until", "no broker 'C'", "A, B"),
        (
            'fetching = "by-step"',
            "fetching = 5",
            "line 8, key cluster.fetching",
            "cannot be 5",
            "free, by-step",
        ),
        ("max.ms", "min.ms", "line 11, key settings.replica.lag.time.min.ms", "not known", "min.insync"),
        ('acks = "all"', 'acks = "2"', "line 22, key step.1.acks", "cannot be '2'", "0, 1, all"),
        ("high_watermark = 1", "high_watermark = 4", "line 16", "above the log end", "0 to 3"),
        ("epoch = 2, records", "epoch = 2, record", "line 15", "not known", "epoch, records"),
        ("{ epoch = 0, records", "{ epoch = 3, records", "line 15", "comes after 3", "rise"),
        ("schema = 1", "schema = 2", "line 1, key schema", "newer", "1"),
        ('["A", "B"]', '["A", "A"]', "line 7, key cluster.brokers", "twice", ""),
        ('["A", "B"]', "[]", "line 7, key cluster.brokers", "missing or not a list", ""),
        ('id = "small"', "", "key id", "missing", "text"),
        ('en = "Small", ', "", "line 3, key title.en", "missing", "text"),
        ('zh = "小"', 'zh = ""', "line 3, key title.zh", "missing", "text"),
        ('zh = "小"', 'Chinese = "小"', "line 3, key title.Chinese", "no code of a language", "zh"),
        ('records = ["m3"]', 'count = 3\nrecords = ["m3"]', "key step.1.records", "either", "list"),
        ('acks = "all"', 'acks = "all"\nspeed = 3', "line 23, key step.1.speed", "not known here", "acks"),
    ],
)
def test_an_error_names_line_key_what_is_wrong_and_what_is_allowed(
    old: str, new: str, where: str, what: str, allowed: str
) -> None:
    assert old in GOOD
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(GOOD.replace(old, new, 1), "small.toml")
    facts = in_words(caught.value)
    assert facts.where.startswith("small.toml, line ")
    assert where in facts.where
    assert what in facts.what
    assert allowed in facts.advice


def test_a_text_that_is_not_toml_says_where() -> None:
    with pytest.raises(ScenarioError, match="line 2") as caught:
        parse_scenario("schema = 1\nid = = 3\n", "bad.toml")
    assert in_words(caught.value).where == "bad.toml"


def test_a_text_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(ScenarioError, match="nested too deeply"):
        parse_scenario("a = " + "[" * 100_000)


def test_a_scenario_without_steps_is_none() -> None:
    with pytest.raises(ScenarioError, match="no step"):
        parse_scenario(GOOD[: GOOD.index("[[step]]")])


def test_a_wait_must_wait_for_something() -> None:
    text = GOOD + '\n[[step]]\nlabel = { en = "w", zh = "w" }\ndo = "wait"\n'
    with pytest.raises(ScenarioError, match="waits for nothing"):
        parse_scenario(text)


def test_a_text_of_several_lines_becomes_one_also_in_chinese() -> None:
    story = 'story = { en = "A story.", zh = "故事。" }'
    long = '[story]\nen = """\nOne\ntwo.\n"""\nzh = """\n高水\n位。\n由 A\n更新，\nB 跟随 A\nB。\n"""\n'
    text = GOOD.replace(story, "").replace("[cluster]", long + "[cluster]")
    assert parse_scenario(text).story == {"en": "One two.", "zh": "高水位。由 A 更新，B 跟随 A B。"}


def test_lines_are_found_past_long_texts_and_nested_tables() -> None:
    text = 'a = """\n[b]\nc = 1\n"""\n[b]\nc = 1\n[[d]]\n[[d.e]]\n[[d.e]]\nf = 2\n[[d]]\n"g.h" = 3\n'
    lines = lines_of(text)
    assert lines["a",] == 1
    assert lines["b", "c"] == 6
    assert lines["d", 0, "e", 1, "f"] == 10
    assert lines["d", 1, "g.h"] == 12


@pytest.mark.parametrize(("kind", "words"), [(kind, words) for kind, words, _ in FORMS])
def test_the_example_of_each_condition_is_one(kind: str, words: str) -> None:
    condition = parse_condition(words)
    assert condition is not None
    assert condition.kind == kind


def test_a_fetch_may_be_waited_for_at_an_offset() -> None:
    condition = parse_condition("B  sends a fetch at offset 2")
    assert condition == Condition("sends_fetch", "B", "", 2, "B sends a fetch at offset 2")
    assert parse_condition("B sends a letter") is None


@pytest.mark.parametrize("name", scenario_ids())
def test_a_shipped_scenario_speaks_both_languages_and_fits_on_the_ruler(name: str) -> None:
    found = scenario(name)
    assert found.id == name
    for texts in (found.title, found.story, *(step.label for step in found.steps)):
        assert set(texts) == {"en", "zh"}
    assert all(len(step.label["en"]) <= LONGEST_LABEL for step in found.steps)
    assert all(step.effect for step in found.steps)


def test_fetching_by_step_names_its_followers() -> None:
    assert scenario("three-replica-sync").steps[1].action == Fetch(("B", "C"))


def test_an_unknown_scenario_says_which_there_are() -> None:
    with pytest.raises(QuestionError) as caught:
        scenario("hw-gain")
    assert "hw-loss" in in_words(caught.value).advice
