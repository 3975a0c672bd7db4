from dataclasses import fields

import pytest

from core.errors import QuestionError
from core.kafka.eras import ERAS, era, with_switches
from core.kafka.held_words import HOLDS
from core.kafka.switches import SWITCHES, Switches
from core.message import Message
from core.words import text
from tests.in_words import in_words


def test_every_switch_of_the_record_is_described_once_and_in_its_order() -> None:
    assert [switch.field for switch in SWITCHES] == [field.name for field in fields(Switches)]
    for switch in SWITCHES:
        assert len(set(switch.values)) == len(switch.values) > 1
        assert text(switch.sentence).endswith(".")


def test_every_switch_of_an_era_names_its_release_and_ticket() -> None:
    unnamed = [switch.name for switch in SWITCHES if not (switch.release and switch.ticket)]
    assert unnamed == ["fetch-answer-hw", "visible"]  # Kafka never changed them; readers tell them so


def test_an_era_has_an_allowed_value_for_each_switch() -> None:
    for one in ERAS:
        for switch in SWITCHES:
            assert getattr(one.switches, switch.field) in switch.values


def test_what_holds_with_each_value_of_a_switch_is_said_in_a_sentence_of_its_own() -> None:
    """Messages, so that each language has them: their ids name the switch and the value."""
    for switch in SWITCHES:
        for value in switch.values:
            assert HOLDS[switch.name][value].id == f"holds.{switch.name}.{value}"


def test_an_era_has_a_title_in_each_language() -> None:
    for one in ERAS:
        assert isinstance(one.title, Message)
        assert isinstance(one.rule, Message)
        assert one.id in text(one.title)


def test_the_rule_of_truncation_by_era() -> None:
    first = {one.switches.truncation: one.id for one in reversed(ERAS)}
    assert first == {"high-watermark": "0.10.2", "epoch-request": "0.11", "fetch-divergence": "2.8"}


def test_kafka_answers_with_the_high_watermark_from_before_in_every_era() -> None:
    assert {one.switches.fetch_answer_hw for one in ERAS} == {"before"}


def test_unclean_elections_were_the_default_until_0_11() -> None:
    assert [one.id for one in ERAS if one.switches.unclean_election == "true"] == ["0.10.2"]


def test_a_switch_can_be_set_by_itself_and_shows_in_the_name() -> None:
    changed = with_switches(era("2.8"), {"fetch-answer-hw": "after", "truncation": "high-watermark"})
    assert changed.name == "2.8+truncation=high-watermark+fetch-answer-hw=after"
    assert changed.switches.fetch_answer_hw == "after"
    assert era("2.8").switches.fetch_answer_hw == "before"


def test_a_switch_set_to_what_it_was_changes_nothing() -> None:
    assert with_switches(era("0.11"), {"fetch-answer-hw": "before"}) == era("0.11")
    there = with_switches(era("0.11"), {"fetch-answer-hw": "after"})
    assert with_switches(there, {"fetch-answer-hw": "before"}) == era("0.11")


@pytest.mark.parametrize(
    ("values", "what"),
    [({"speed": "fast"}, "no switch 'speed'"), ({"truncation": "never"}, "cannot be 'never'")],
)
def test_an_unknown_switch_or_value_says_what_is_allowed(values: dict[str, str], what: str) -> None:
    with pytest.raises(QuestionError, match=what) as caught:
        with_switches(era("2.8"), values)
    assert in_words(caught.value).advice


def test_an_unknown_era_says_which_there_are() -> None:
    with pytest.raises(QuestionError) as caught:
        era("0.9")
    assert "0.10.2, 0.11, 1.1" in in_words(caught.value).advice
