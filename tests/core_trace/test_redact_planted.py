"""Planted secrets: what stays in a redacted trace is Kafka's own words, whatever a secret looks like."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import QuestionError
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.known_words import is_known, known_words
from core.trace.redact import USUAL, What, redaction_of
from core.trace.redact_values import Holder, values_in
from tests.core_trace.test_redact import incident, strings_of
from tests.secrets_planted import Plant, planted_trace, plants

pytestmark = pytest.mark.broad(3)

ROOT = Path(__file__).parent.parent.parent
ALL = tuple(What)


def redacted(*lines: str, what: tuple[What, ...] = ALL, topic: str = "t1") -> list[str]:
    trace = incident(*lines, topic=topic)
    return [line.text for line in redaction_of([trace], what).trace(trace).lines]


@pytest.mark.parametrize("seed", range(5))
def test_none_of_200_planted_secrets_stays_in_a_trace(seed: int) -> None:
    trace, lines, fields = planted_trace(seed, 200)
    hidden = redaction_of([trace], ALL).trace(trace)
    told = "\n".join(strings_of(hidden)).lower()

    assert [(one.kind, one.secret) for one in lines if one.told_apart and one.secret.lower() in told] == []
    assert [field for field, secret in fields.items() if secret.lower() in told] == []


def test_no_word_of_a_planted_secret_stays_where_it_was() -> None:
    """Not only the whole secret: none of its parts that is no word of Kafka's."""
    trace, lines, _ = planted_trace(7, 400)
    hidden = redaction_of([trace], ALL).trace(trace)

    for plant, line in zip(lines, hidden.lines, strict=False):
        parts = [
            part for part in plant.secret.replace("_", " ").split() if len(part) > 3 and not is_known(part)
        ]
        assert [part for part in parts if part.lower() in line.text.lower()] == [], plant.kind


def test_a_password_that_is_a_word_of_kafkas_is_hidden_where_it_stands_and_the_word_stays_elsewhere() -> None:
    told = redacted(
        'username="bob" password="follower";',
        "INFO [Broker id=2] Follower t1-0 starts at leader epoch 2 from offset 259 with high watermark 254.",
    )

    assert "follower" not in told[0]
    assert told[1].startswith("INFO [Broker id=2] Follower ")


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ('{"clientId":"leader"}', "leader"),
        ("[Consumer clientId=leader, groupId=offset] Resetting", "offset"),
        ("\tclient.id = replica", "replica"),
        ("user.name = controller", "controller"),
        ("(id: 1 rack: follower)", "follower"),
        ("\tbroker.rack = follower", "follower"),
        ("User:CN=svc,OU=Leader,O=x", "Leader"),
        ("PLAINTEXT://broker:9092", "broker"),
        ("http://leader:follower@127.0.0.1/", "follower"),
        ("node 3 (leader/10.20.30.40:9092)", "leader"),
        ("Preparing to rebalance group epoch in state Stable", "epoch"),
        ("groupInstanceId=Some(replica)", "replica"),
        ("ConfigEntry(name=ssl.key.password, value=leader, source=X)", "leader"),
        ('"name":"sasl.jaas.config","value":"x password=\\"leader\\";"', "leader"),
        ("password = 'epoch offset", "offset"),
        ("Map(client.id -> leader, acks -> 1)", "leader"),
        ("<password>leader</password>", "leader"),
        ("the password => leader", "leader"),
    ],
)
def test_behind_a_key_that_names_somebody_a_word_of_kafkas_is_hidden_too(line: str, secret: str) -> None:
    (told,) = redacted(line)
    assert secret not in told
    assert secret in line


@pytest.mark.parametrize("name", ["leader", "offset", "a.b", "x-1", "kafka", "t"])
def test_a_topic_that_is_called_as_a_word_is_hidden_in_the_forms_of_a_partition(name: str) -> None:
    line = f"INFO [Partition {name}-0 broker=1] {name}-0 starts at leader epoch 4 from offset 15"
    (told,) = redacted(line, topic=name)
    assert told == "INFO [Partition topic-1-0 broker=1] topic-1-0 starts at leader epoch 4 from offset 15"
    assert redacted(line, topic=name, what=USUAL) == [line]


def test_ids_keep_their_length_so_that_the_grammar_reads_them() -> None:
    (told,) = redacted(
        "topicId=pmtMAnWcQ6-BgvYr-m5KvA, run 2b1e5ae1-9a3f-4c0b-8a11-0f7b7a3d1c11 in "
        "t1-0.0123456789abcdef0123456789abcdef-delete"
    )
    assert told == (
        "topicId=id-0000000000000000001, run 00000000-0000-0000-0000-000000000001 in "
        "t1-0.00000000000000000000000000000001-delete".replace("t1", "topic-1")
    )


def test_the_numbers_of_brokers_stay_where_clients_are_named_and_other_numbers_do_not() -> None:
    (told,) = redacted('{"clientId":"7"} {"clientId":"77123"}')
    assert '"clientId":"7"' in told
    assert "77123" not in told


def test_a_setting_of_a_topic_names_no_hidden_topic() -> None:
    trace = incident("", topic="acme.pay")
    trace = replace(trace, facts={"config.topic-acme.pay.min.insync.replicas": "2"})
    hidden = redaction_of([trace], ALL).trace(trace)
    assert hidden.facts["config.topic-topic-1.min.insync.replicas"] == "2"


def test_some_kinds_alone_are_hidden_as_they_are_recognised_and_other_words_stay() -> None:
    line = "clientId=billing-7 at kafka-9.acme.example:9092 met Frodo"
    assert redacted(line, what=(What.HOSTS,)) == ["clientId=billing-7 at host-1:9092 met Frodo"]
    assert "Frodo" not in redacted(line, what=USUAL)[0]


def test_racks_and_topics_of_others_stay_where_only_hosts_are_hidden() -> None:
    line = "broker 2 (id: 2 rack: east) topic=payslips"
    assert redacted(line, what=(What.HOSTS,)) == [line]
    assert "east" not in redacted(line)[0]
    assert "payslips" not in redacted(line, what=USUAL)[0]


def test_a_simulation_keeps_the_name_of_its_script() -> None:
    trace = simulate(scenario("hw-loss"), era("2.8"))
    hidden = redaction_of([trace], ALL).trace(trace)
    assert [one.path for one in hidden.sources] == [one.path for one in trace.sources]
    assert hidden.facts["title"] == trace.facts["title"]


@pytest.mark.parametrize(
    "token",
    ["-1" * 50_000, "a-1" * 50_000, "!a" * 50_000, "!" * 100_000 + "a", "a/" * 50_000, "host-9" * 9_000],
)
def test_a_token_of_any_length_and_make_is_cut(token: str) -> None:
    """Neither deeper than Python's stack, nor in a time that grows with the square of its length."""
    (told,) = redacted(f"INFO {token} at host-9:9092")
    assert told.startswith("INFO ")
    assert told.endswith(" at host-1:9092")


def test_secrets_are_hidden_whatever_is_asked_for() -> None:
    assert redacted('INFO password="follower" of Frodo', what=(What.TOPICS,)) == [
        'INFO password="word-1" of Frodo'
    ]


def test_every_export_of_a_document_has_the_same_pseudonyms() -> None:
    trace, _, _ = planted_trace(3, 100)
    first, second = (redaction_of([trace], ALL).trace(trace) for _ in range(2))
    assert list(first.lines) == list(second.lines)


def test_words_of_two_alphabets_that_look_alike_are_not_the_same() -> None:
    """The sign of Kelvin is a k in small letters, and is in no word of Kafka's."""
    assert is_known("kafka")
    assert not is_known("\u212aafka")
    assert not is_known("ka\u200bfka")


@pytest.mark.parametrize("token", ["10.1.2.3", "acme", "acme-3", "!$%&x*", "ab12cd", "中文", "!$%&*"])
def test_what_may_name_somebody_is_no_known_word(token: str) -> None:
    assert not is_known(token)


@pytest.mark.parametrize(
    "token",
    ["kafka.server.ReplicaManager$", "0.10.2-IV0", "leader-epoch-checkpoint", "254", "12ms", "->", "-----"],
)
def test_what_is_kafkas_own_is_known(token: str) -> None:
    assert is_known(token)


def test_the_list_of_words_is_that_of_the_grammar() -> None:
    done = subprocess.run(
        [sys.executable, ".ci/kafka_words.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_topic_or_folder_of_the_samples_is_in_the_list() -> None:
    assert known_words().isdisjoint(
        {"orders", "clicks", "audit", "trades", "accounts", "payments", "ledger", "acme"}
    )


def test_a_line_of_quotes_that_are_never_closed_is_read_once() -> None:
    """Each key begins a value that reaches to the end of the line: it is found at the first one alone."""
    found = values_in('password=\\"' * 20_000)
    assert len(found) < 20_001
    assert values_in("password=\\'x " + "password=\\'' " * 3)[0].holder is Holder.GUARDED


def test_the_planted_secrets_are_of_every_make() -> None:
    """The generator itself: secrets with blanks, punctuation, letters beyond ASCII, base64, English words."""
    made = plants(1, 1000)
    assert len({one.kind for one in made}) > 30
    for wanted in (lambda s: " " in s, lambda s: not s.isascii(), lambda s: len(s) == 22 and s.isalnum()):
        assert any(wanted(one.secret) for one in made)
    assert any(not one.told_apart for one in made)
    assert all(one.secret in one.line or one.kind == "realm" for one in made)
    assert isinstance(made[0], Plant)


def test_nothing_to_hide_is_refused() -> None:
    from core.trace.redact import parse_what

    with pytest.raises(QuestionError):
        parse_what("words")
