"""The inspector's answers: numbers of the trace, the rule, at most three sentences."""

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from core.diagnose.narrate import why as why_module
from core.diagnose.narrate.scene import Explanation
from core.diagnose.narrate.why import NOTHING_YET, Why, why
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import Loss, LossClass, Severity
from core.history.open import open_history
from core.kafka.eras import era, with_switches
from core.message import Message
from core.trace.trace import Trace
from core.trace.vocabulary import KINDS
from core.words import text
from gui.workspace.script_lines import script_lines
from tests.recordings.whole import sampled
from tests.runs import simulated
from tests.stories import Story


@dataclass(frozen=True)
class Answer:
    """An answer and its texts in English."""

    told: Why
    title: str
    sentences: tuple[str, ...]
    rule: str
    since: str


def in_english(told: Why) -> Answer:
    rule, since = (text(one) if one else "" for one in (told.rule, told.since))
    return Answer(told, text(told.title), tuple(map(text, told.sentences)), rule, since)


def answers_of(trace: Trace, partition: int) -> list[tuple[str, Answer]]:
    history = open_history(trace, partition)
    verdict, script = diagnose_partition(history), script_lines(trace, "en")
    return [
        (trace.event(seq).kind, in_english(why(history, verdict, seq + 1, script)))
        for seq in history.seqs.tolist()
    ]


def answers(era_id: str) -> list[tuple[str, Answer]]:
    """Kind and answer for each event of hw-loss in an era."""
    return answers_of(simulated("hw-loss", era(era_id)), 0)


def the(kind: str, found: list[tuple[str, Answer]]) -> list[Answer]:
    return [answer for name, answer in found if name == kind]


@pytest.fixture(scope="module", params=["k0102-hw-loss", "k28-epoch-fix"])
def recorded(request: pytest.FixtureRequest) -> list[tuple[str, Answer]]:
    """Kind and answer for each event of orders-0 in a recording."""
    trace = sampled(request.param)
    partition = trace.partition_index("orders-0")
    assert partition is not None
    return answers_of(trace, partition)


@pytest.mark.slow
def test_sentences_about_logs_read_as_english(recorded: list[tuple[str, Answer]]) -> None:
    for kind, answer in recorded:
        for sentence in (answer.title, *answer.sentences):
            assert not re.search(r"[a-z,;] Broker \d", sentence), sentence
            assert sentence[0].isupper(), sentence
            assert ".." not in sentence
            assert kind.replace("_", " ") + "," not in sentence, f"{kind} is told by its columns"
        # What the title says is not said again.
        assert f"{answer.title}." not in answer.sentences


def test_a_step_is_told_in_the_words_of_the_script() -> None:
    steps = the("step", answers("0.11"))

    assert steps[7].title == "Step 8 of the script: B starts"
    assert "follows A" in steps[7].sentences[0]


def test_a_step_without_its_script_is_told_by_its_number() -> None:
    trace = simulated("hw-loss", era("0.11"))
    history = open_history(trace, 0)
    seq = next(seq for seq in history.seqs.tolist() if trace.event(seq).kind == "step")

    told = in_english(why(history, diagnose_partition(history), seq + 1))

    assert told.title == "Step 1 of the script"
    assert told.sentences == ("The script begins its step 1.",)


def test_lines_of_a_script_are_in_the_language_that_is_asked_for_or_else_in_english() -> None:
    trace = simulated("hw-loss", era("0.11"))
    script = trace.facts["script"]
    later = replace(trace, facts={"script": script.replace("schema = 1", "schema = 2")})

    assert script_lines(trace, "en")[8].label == script_lines(trace, "fr")[8].label == "B starts"
    assert re.search("[\u4e00-\u9fff]", script_lines(trace, "zh")[8].label)
    assert script_lines(later, "en") == {}


def test_each_sentence_has_the_event_and_what_it_cites_as_evidence() -> None:
    first = the("truncated", answers("0.10.2"))[-1].told

    assert {one.evidence[0] for one in (first.title, *first.sentences)} == {first.seq}
    # The last sentence says that the record is lost: more than the cut proves it.
    assert len(first.sentences[-1].evidence) > 1
    assert set(first.sentences[-1].evidence) <= set(first.evidence)


def test_a_consumer_keeps_its_name_and_one_without_begins_with_a_capital() -> None:
    named = answers_of(simulated("consumer-out-of-range", era("0.10.2")), 0)
    story = Story()
    story.begin()
    seq = story.add("consume_parked", 1, offset=3, hw=3, aux=1)
    history = story.history()

    unnamed = in_english(why(history, diagnose_partition(history), seq + 1))

    assert any(one.title == "early goes from offset 2 to 0" for one in the("consumer_positioned", named))
    assert unnamed.title == "A consumer waits at broker 1 for offset 3"


def test_at_position_0_nothing_has_happened() -> None:
    story = Story()
    story.begin()
    history = story.history()

    assert why(history, diagnose_partition(history), 0) == NOTHING_YET


def test_the_cut_to_the_own_high_watermark() -> None:
    first, second = the("truncated", answers("0.10.2"))

    # domain.md section 3: B cuts to 1; A's fetch at 2 is out of range on B, and it cuts 2 to B's LEO 1.
    assert first.title == "B cuts its log from 2 to 1"
    assert "m1" in first.sentences[0]
    assert "its own high watermark was 1" in first.sentences[1]
    assert first.since.startswith("to 0.10.2")
    assert second.title == "A cuts its log from 2 to 1"
    assert "fetch at 2 was beyond the log of B, which ends at 1" in second.sentences[1]
    assert "lost" in second.sentences[2]


def test_with_leader_epochs_nothing_is_cut_and_it_says_why() -> None:
    found = answers("0.11")

    assert the("truncated", found) == []
    kept = [*the("truncation_noop", found), *the("truncation_not_needed", found)]
    assert kept
    assert any("KIP-101" in answer.rule for answer in kept)


def test_a_rise_of_the_high_watermark_names_whom_it_counted() -> None:
    rises = [answer for answer in the("hw_moved", answers("2.8")) if answer.title.startswith("A's")]

    assert rises[0].title == "A's high watermark rises from 0 to 1"
    assert rises[0].sentences == (
        "Its own log ends at 1; B has fetched up to 1.",
        "Committed and visible to consumers: m0.",
    )


def test_an_acknowledgement_says_what_it_waited_for() -> None:
    one, every = the("acknowledged", answers("0.10.2"))[:2]

    assert one.sentences == (
        "With acks=1 the producer is now told that m0 is written.",
        "The leader has appended it; nobody else needs to hold it.",
    )
    assert every.sentences[0].startswith("With acks=all")
    assert every.sentences[1] == "The high watermark 2 has passed it."


def test_a_clean_election_may_lose_and_says_whose_log_counts() -> None:
    elected = the("leader_elected", answers("0.10.2"))[-1]

    assert elected.title == "B is elected leader in epoch 1"
    assert "clean election" in elected.sentences[0]
    assert "[A, B]" in elected.sentences[0]
    assert "log end offset is 1" in elected.sentences[1]


@pytest.mark.parametrize("era_id", ["0.10.2", "0.11", "2.8"])
def test_every_event_has_a_short_answer(era_id: str) -> None:
    for kind, answer in answers(era_id):
        assert answer.title, kind
        assert 1 <= len(answer.sentences) <= 3, kind
        assert all(sentence.endswith((".", "?", "!")) for sentence in answer.sentences), (
            kind,
            answer.sentences,
        )
        assert answer.told.evidence[0] == answer.told.seq


@pytest.mark.slow
def test_no_kind_of_event_is_without_words() -> None:
    for kind in KINDS:
        story = Story(simulated=True)
        story.begin()
        values = set(kind.columns) - {"broker", "replica", "isr"}
        columns: dict[str, Any] = dict.fromkeys(values, 1)
        if "broker" in kind.columns:
            columns["broker"] = 1
        if "replica" in kind.columns:
            columns["replica"] = 2
        if kind.group not in ("process", "script"):
            columns["partition"] = 0
        if kind.name not in ("truncated", "truncation_decided", "truncation_noop") and kind.aux:
            columns["aux"] = 1
        isr = (1, 2) if "isr" in kind.columns else None
        seq = story.builder.add(story.now + 1, kind.name, isr=isr, **columns)
        history = story.history()

        answer = why(history, diagnose_partition(history), seq + 1)

        assert answer.seq == seq, kind.name
        assert answer.sentences, kind.name


@pytest.mark.parametrize(
    ("said", "isr", "words"),
    [
        ({"leader": -1}, (1,), "no leader"),
        ({"leader": -1}, None, "no leader"),
        ({"leader": 1}, (1,), "leader"),
        ({"epoch": 3}, (1,), "epoch 3"),
        ({}, (1,), "in-sync"),
    ],
)
def test_a_request_says_what_it_names(said: dict[str, Any], isr: tuple[int, ...] | None, words: str) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leader_and_isr_received", 2, isr=isr, **said)
    history = story.history()

    told = why(history, diagnose_partition(history), len(history.trace))

    assert words in text(told.title)
    assert ("in-sync" in text(told.title)) is (isr is not None)


def test_a_cut_whose_end_is_only_the_log_end_0_is_one_to_0() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("truncated", 2, leo=0)
    history = story.history()

    told = why(history, diagnose_partition(history), len(history.trace))

    assert "to 0" in text(told.sentences[0])


def test_of_more_than_three_sentences_the_first_three_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    four = tuple(Message(f"a.sentence-{number}") for number in range(4))
    told = Explanation(Message("a.title"), four)
    monkeypatch.setattr(why_module, "_teller", lambda *_: lambda _scene: told)
    story = Story("2.8.2")
    story.begin()
    history = story.history()

    sentences = why(history, diagnose_partition(history), len(history.trace)).sentences

    assert [one.id for one in sentences] == [one.id for one in four[:3]]


@pytest.mark.parametrize(("controller", "eligible"), [("kraft", True), ("zookeeper", False)])
def test_eligible_leader_replicas_are_those_of_a_quorum(controller: str, *, eligible: bool) -> None:
    """KIP-966: the KRaft controller keeps them; with ZooKeeper there are none, whatever is set."""
    trace = simulated("acks-min-1", with_switches(era("4.1"), {"controller": controller}))
    history = open_history(trace, 0)
    gone = next(row for row in range(len(trace)) if trace.event(row).kind == "leaderless")

    told = why(history, diagnose_partition(history), gone + 1)

    assert told.rule is not None
    assert (told.rule.id == "why.rule.leaderless.eligible") is eligible


@pytest.mark.parametrize(
    ("below", "cited", "told"),
    [
        (False, True, True),
        (None, True, True),
        (True, True, False),
        (False, False, False),
        (None, False, False),
    ],
)
def test_what_was_cut_is_said_to_be_uncommitted_where_the_ledger_says_so(
    below: bool | None,  # noqa: FBT001 - a case
    *,
    cited: bool,
    told: bool,
) -> None:
    """The leader cuts its own log: nobody else is known to hold what went."""
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=30)
    story.add("truncated", 1, offset=20, wait=0)
    history = story.history()
    found = diagnose_partition(history)
    (cut,) = found.truncations
    loss = Loss(
        seq=0,
        first_offset=20,
        end_offset=30,
        epoch=0,
        removed_from=(1,),
        survives_on=(),
        loss_class=LossClass.POSSIBLY_ACKNOWLEDGED,
        cause="not-replicated",
        at=0,
        message=Message("a.loss"),
        severity=Severity.DANGER,
        evidence=(cut.seq,),
    )
    cut = replace(cut, from_offset=30, below_high_watermark=below)
    by_hand = replace(found, truncations=(cut,), losses=(loss,) if cited else ())

    sentences = why(history, by_hand, len(history.trace)).sentences

    assert ("why.cut.not-committed" in {one.id for one in sentences}) is told
