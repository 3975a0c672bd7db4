"""The story of a partition: sentences, their evidence, both languages."""

import re
from dataclasses import replace

import pytest

from core.diagnose.narrate.story import Story as Told
from core.diagnose.narrate.story import tell
from core.diagnose.narrate.story_text import story_dict, story_markdown
from core.diagnose.verdict.check import diagnose_partition
from core.errors import QuestionError
from core.history.open import open_history
from core.kafka.eras import ERAS, era, with_switches
from core.message_json import from_plain
from core.sim.library import scenario_ids
from core.words import text
from gui.text.render import renderer
from tests.runs import diagnosed, one_of, simulated
from tests.stories import SECOND, Story


def loss_and_fix(era_id: str, language: str = "en", loss: int | None = None) -> tuple[Told, str]:
    trace = simulated("hw-loss", era(era_id))
    history = open_history(trace, 0)
    story = tell(history, diagnose_partition(history), loss)
    return story, story_markdown(trace, story, renderer(language))


def test_the_loss_is_told_from_the_cut_to_what_would_have_prevented_it() -> None:
    _, text = loss_and_fix("0.10.2")

    # domain.md section 3: B cut m1 away, led without it, and A cut it too.
    assert "**Lost: 1 record that had been committed or acknowledged, offset 1.**" in text
    assert "B cut its log from 2 to 1: 1 record removed." in text
    assert "Kafka 0.11 or later" in text
    assert "No copy is left" in text
    assert f"0.10.2 1, 0.11–{ERAS[-1].id} 2" in text


def test_where_nothing_is_lost_nothing_is_to_be_prevented() -> None:
    story, text = loss_and_fix("2.8")

    assert "**Nothing that is known to have been committed or acknowledged is lost.**" in text
    assert "prevention" not in {section.key for section in story.sections}
    assert "**Lost" not in text


def test_in_chinese_the_same_sections_with_the_same_evidence() -> None:
    english, text = loss_and_fix("0.10.2")
    chinese, chinese_text = loss_and_fix("0.10.2", "zh")

    assert chinese == english
    assert "丢失：1 条记录" in chinese_text
    # The lines of evidence come last, under a heading of their own.
    assert chinese_text.count("\n## ") == text.count("\n## ") == len(english.sections) + 1
    assert re.findall(r"\[\d+\]", chinese_text) == re.findall(r"\[\d+\]", text)


def test_json_has_the_message_beside_each_text() -> None:
    story, _ = loss_and_fix("0.10.2")
    told = story_dict(simulated("hw-loss", era("0.10.2")), story, renderer("zh"), "zh")

    sentences = [*told["summary"], *(one for part in told["sections"] for one in part["sentences"])]
    assert len(sentences) > 20
    for one in sentences:
        assert renderer("zh")(from_plain(one["message"])) == one["text"]
    cut = next(one["message"] for one in sentences if one["message"]["id"] == "story.was-cut.records")
    # domain.md section 3: B cuts 2 to 1.
    assert (cut["values"]["who"], cut["values"]["start"]) == ("B", 2)
    assert (cut["values"]["to"], cut["values"]["count"]) == (1, {"count": 1})
    assert cut["evidence"]


def test_one_loss_alone_leaves_the_rest_out() -> None:
    whole, _ = loss_and_fix("0.10.2")
    story, _ = loss_and_fix("0.10.2", loss=1)
    told = {section.key: section.sentences for section in story.sections}

    assert len(told["happened"]) < len(
        next(section.sentences for section in whole.sections if section.key == "happened")
    )
    assert "notes" not in told


def test_a_loss_that_there_is_not() -> None:
    with pytest.raises(QuestionError, match="There is no loss 7"):
        loss_and_fix("0.10.2", loss=7)


def test_an_epoch_that_rises_under_the_same_leader_is_no_election() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leader_elected", 1, leader=1, epoch=1, isr=(1,), partition_epoch=1)
    history = story.history()

    text = story_markdown(history.trace, tell(history, diagnose_partition(history)), renderer())

    assert "the leader epoch rose to 1, and broker 1 stayed the leader" in text


def test_numbers_of_evidence_lead_to_file_and_line() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 2, leo=30)
    story.add("truncated", 2, offset=20)
    history = story.history()

    text = story_markdown(history.trace, tell(history, diagnose_partition(history)), renderer())

    cut = next(line for line in text.splitlines() if "cut its log from 30 or more to 20" in line)
    number = cut.split("[")[1].split("]")[0]
    (listed,) = [line for line in text.splitlines() if line.startswith(f"{number}. ")]
    assert listed.startswith(f"{number}. `server.log:")


def test_what_no_log_says_is_named_as_unknown() -> None:
    story = Story("0.10.2.2", (1, 2))
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    history = story.history()

    told = tell(history, diagnose_partition(history))
    unknown = next(section for section in told.sections if section.key == "unknown")

    assert any("nothing of its own log was given" in text(one) for one in unknown.sentences)


@pytest.mark.slow
@pytest.mark.thinned(1)
@pytest.mark.parametrize("name", scenario_ids())
def test_every_run_can_be_told(name: str, request: pytest.FixtureRequest) -> None:
    """In a third of the eras, in which the next scenario is not; --every-case: in all of them."""
    every = request.config.getoption("--every-case")
    for rules in ERAS if every else one_of(3, name):
        trace = simulated(name, rules)
        for index in range(len(trace.partitions)):
            history = open_history(trace, index)
            story = tell(history, diagnosed(name, rules).partitions[index])
            for language in ("en", "zh"):
                words = renderer(language)
                assert "None" not in story_markdown(trace, story, words)
                assert "{" not in "".join(
                    map(words, (one for part in story.sections for one in part.sentences))
                )
                assert story_dict(trace, story, words, language)["lang"] == language


def section(story: Told, key: str) -> list[str]:
    return [text(one) for part in story.sections if part.key == key for one in part.sentences]


def test_what_became_of_each_range_is_told_and_is_data() -> None:
    story, _ = loss_and_fix("0.10.2")
    trace = simulated("hw-loss", era("0.10.2"))

    # domain.md section 3: m1 at offset 1 was committed by A, B cut it, then A cut it to B's log end.
    (lost,) = [text for text in section(story, "lives") if "No copy is left" in text]
    assert lost.startswith("Offset 1 of epoch 0, appended by A: committed (A had a high watermark of 2).")
    assert "B lost them at" in lost
    assert "cut to its own high watermark" in lost
    (line,) = [one for one in story_dict(trace, story, renderer(), "en")["life_lines"] if not one["held_by"]]
    assert (line["first_offset"], line["end_offset"], line["appended_by"]) == (1, 2, 1)
    assert [copy["removed_by"] for copy in line["copies"]] == ["leader-end", "high-watermark"]


@pytest.mark.parametrize(("era_id", "differ"), [("0.10.2", True), ("2.8", False)])
def test_where_two_replicas_differ_and_for_how_long(era_id: str, *, differ: bool) -> None:
    trace = simulated("lost-tail", era(era_id))
    history = open_history(trace, 0)
    story = tell(history, diagnose_partition(history))

    # The scenario: A keeps m1 at offset 1 in 0.10.2, where B has m2; by leader epochs A cuts it.
    told = [text for text in section(story, "contents") if "different records at offset 1" in text]
    assert any(text.endswith("to the end.") for text in told) is differ
    contents = story_dict(trace, story, renderer(), "en")["contents"]
    standing = [one for one in contents if one["content"] == "different" and one["to"] is None]
    assert bool(standing) is differ


def test_a_loss_alone_has_its_own_life_lines_only() -> None:
    story, _ = loss_and_fix("0.10.2", loss=1)

    assert len(section(story, "lives")) == 1
    assert section(story, "contents") == []


def test_times_have_dates_where_the_partition_spans_days() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(1, 2), wait=3 * 24 * 3600 * SECOND)
    history = story.history()

    text = story_markdown(history.trace, tell(history, diagnose_partition(history)), renderer())

    led = next(line for line in text.splitlines() if "broker 2 led from here in epoch 1" in line)
    assert led.startswith("- 1970-01-04 00:0")
    about = next(line for line in text.splitlines() if line.startswith("Partition t-0"))
    assert about.count("1970-01-01") == 1
    assert about.count("1970-01-04") == 1


def test_times_of_one_day_have_no_dates() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(1, 2))
    history = story.history()

    text = story_markdown(history.trace, tell(history, diagnose_partition(history)), renderer())

    assert text.count("1970-01-01") == 1


def test_a_cut_above_the_high_watermark_took_nothing_that_was_committed() -> None:
    """Scenario acks: A cuts what no follower had fetched."""
    history = open_history(simulated("acks", era("0.10.2")), 0)

    told = section(tell(history, diagnose_partition(history)), "cuts")

    assert "Nothing of what went had been committed." in told[0]


def test_an_entry_of_the_ledger_counts_its_records() -> None:
    story, _ = loss_and_fix("0.10.2")

    # domain.md section 3: m1 at offset 1, in A's epoch 0.
    assert section(story, "losses")[0].startswith("Entry 1: 1 record of epoch 0, offset 1.")


def test_a_cut_long_after_a_loss_that_it_has_no_part_in_is_left_out_of_its_story() -> None:
    history = open_history(simulated("hw-loss", era("0.10.2")), 0)
    verdict = diagnose_partition(history)
    last = verdict.truncations[-1]
    later = replace(last, seq=len(history.trace) - 1, at=last.at + 3600 * SECOND, evidence=())
    with_later = replace(verdict, truncations=(*verdict.truncations, later))

    # domain.md section 3: B cut m1 away, then A did.
    told = section(tell(history, with_later, 1), "cuts")
    assert [one.split(", ")[1] for one in told if ", to 1: " in one] == ["B", "A"]


@pytest.mark.parametrize(("oldest", "advised"), [("2.8.2", False), ("0.10.2.2", True)])
def test_a_release_that_one_broker_lacks_is_still_advised(oldest: str, *, advised: bool) -> None:
    """High watermark truncation is set by hand; 0.11 has the rule against it, and one broker runs less."""
    rules = with_switches(era("2.8"), {"truncation": "high-watermark"})
    trace = simulated("hw-loss", rules)
    first, *others = trace.brokers
    brokers = (replace(first, version=oldest), *(replace(one, version="2.8.2") for one in others))
    history = open_history(replace(trace, brokers=brokers), 0)

    told = section(tell(history, diagnose_partition(history)), "prevention")

    assert any("Kafka 0.11 or later" in one for one in told) is advised


def test_the_end_of_a_simulated_process_is_one_moment() -> None:
    """The script kills A and B once each; domain.md section 3."""
    story, _ = loss_and_fix("0.10.2")

    ends = [one.split("s: ")[1] for one in section(story, "happened") if "without a clean stop" in one]

    assert ends == ["B ended without a clean stop.", "A ended without a clean stop."]
