"""What is said of a loss, sentence by sentence, in both languages."""

import pytest

from core.diagnose.verdict.case import Case, open_case
from core.diagnose.verdict.commitment import Watermark
from core.diagnose.verdict.facts import Loss, LossClass, Severity, Shown, Truncation
from core.diagnose.verdict.loss_sentences import loss_sentence
from core.diagnose.verdict.made import RULES
from core.diagnose.verdict.x_ray import RELEASES
from core.history.open import open_history
from core.history.tenures import Tenure
from core.message import Message
from core.trace.ids import Place
from core.trace.vocabulary import Basis, Election
from gui.text.render import renderer
from tests.stories import Story


@pytest.fixture(scope="module")
def case() -> Case:
    story = Story("2.8.2", (1, 2, 3))
    story.begin()
    return open_case(open_history(story.trace(), 0))


def a_loss(
    first: int = 5,
    end: int = 9,
    epoch: int | None = 3,
    loss_class: LossClass = LossClass.COMMITTED,
    survives_on: tuple[int, ...] = (),
    removed_from: tuple[int, ...] = (),
) -> Loss:
    said = Message("a.loss")
    commit = Shown.SHOWN if loss_class is LossClass.COMMITTED else Shown.NO_EVIDENCE
    return Loss(
        0,
        first,
        end,
        epoch,
        removed_from,
        survives_on,
        loss_class,
        "unknown",
        None,
        said,
        Severity.LOSS,
        commit=commit,
    )


def a_term(election: Election = Election.CLEAN) -> Tenure:
    return Tenure(place=Place(1), epoch=4, leader=2, election=election, basis=Basis.OBSERVED, evidence=(0,))


def a_cut(from_offset: int | None = 9) -> Truncation:
    return Truncation(0, 2, 0, from_offset, 5, "high-watermark", None, Basis.OBSERVED)


MARK = Watermark(9, 3, 1, 0)
LED = "was elected from the in-sync replicas in epoch 4"
LED_ZH = "在纪元 4 从同步集合中当选"
IN_THE_LOG = (
    "The record at offset 5 of epoch 3 was in the leader's log, and nothing shows that it was committed."
)
IN_SOME_LOG = (
    "The records at offsets 5 to 8 were in a log; in which epoch, and whether as committed, is not known."
)


def both(message: Message) -> tuple[str, str]:
    return renderer("en")(message), renderer("zh")(message)


@pytest.mark.parametrize(
    ("start", "own", "english", "chinese"),
    [
        (None, None, f"Broker 2 {LED}.", f"broker 2 {LED_ZH}。"),
        (5, None, f"Broker 2 {LED} with log end offset 5.", f"broker 2 {LED_ZH}，日志末端为 5。"),
        (
            5,
            a_cut(),
            f"Broker 2 cut its log from 9 to 5 (its own high watermark), and {LED} with log end offset 5.",
            f"broker 2 曾将日志从 9 截断到 5（它自己的高水位），之后{LED_ZH}，日志末端为 5。",
        ),
        (
            None,
            a_cut(None),
            f"Broker 2 cut its log to 5 (its own high watermark), and {LED}.",
            f"broker 2 曾将日志截断到 5（它自己的高水位），之后{LED_ZH}。",
        ),
    ],
)
def test_who_led_without_the_records(
    case: Case, start: int | None, own: Truncation | None, english: str, chinese: str
) -> None:
    told = both(loss_sentence(case, a_loss(), a_term(), start, own, MARK, unlike=False, again=False))

    assert told[0].startswith(f"{english} The records at offsets 5 to 8 of epoch 3 were committed: broker 1 ")
    assert told[1].startswith(f"{chinese}纪元 3 中位移 5 至 8 的记录已提交：broker 1 的高水位曾为 9。")


def test_who_led_with_other_records(case: Case) -> None:
    told = both(loss_sentence(case, a_loss(), a_term(), None, None, MARK, unlike=True, again=False))

    assert told[0].startswith(f"Broker 2 {LED}, and holds other records at offsets 5 to 8. The records")
    assert told[1].startswith(f"broker 2 {LED_ZH}，并在位移 5 至 8 上保存着其他记录。纪元 3")


@pytest.mark.parametrize("election", Election)
@pytest.mark.parametrize("start", [None, 7])
def test_every_kind_of_election_has_its_words(case: Case, election: Election, start: int | None) -> None:
    english, chinese = both(
        loss_sentence(case, a_loss(), a_term(election), start, None, MARK, unlike=False, again=False)
    )

    led, led_zh = english.split(". ")[0], chinese.split("。")[0]
    assert led.startswith("Broker 2 ")
    assert "epoch 4" in led
    assert "纪元 4" in led_zh
    assert "{" not in led + led_zh
    assert ("with log end offset" in led) is ("日志末端" in led_zh) is (start is not None)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("start", [None, 7])
def test_no_two_kinds_of_election_have_the_same_words(case: Case, language: str, start: int | None) -> None:
    told = {
        renderer(language)(
            loss_sentence(case, a_loss(), a_term(one), start, None, MARK, unlike=False, again=False)
        )
        for one in Election
    }

    assert len(told) == len(Election)


@pytest.mark.parametrize(
    ("loss", "english", "chinese"),
    [
        (
            a_loss(5, 6),
            "The record at offset 5 of epoch 3 was committed: broker 1 had a high watermark of 9.",
            "纪元 3 中位移 5 的记录已提交：broker 1 的高水位曾为 9。",
        ),
        (
            a_loss(5, 7, loss_class=LossClass.ACKNOWLEDGED),
            "A producer had been told that the records at offsets 5 and 6 of epoch 3 were written.",
            "生产者曾收到纪元 3 中位移 5 至 6 的记录已写入的应答。",
        ),
        (
            a_loss(5, 6, loss_class=LossClass.UNCOMMITTED),
            "The record at offset 5 of epoch 3 was never acknowledged or visible.",
            "纪元 3 中位移 5 的记录从未被确认，也从未可见。",
        ),
        (
            a_loss(5, 6, loss_class=LossClass.POSSIBLY_ACKNOWLEDGED),
            IN_THE_LOG,
            "纪元 3 中位移 5 的记录在领导者的日志中，没有证据表明已提交。",
        ),
        (
            a_loss(epoch=None, loss_class=LossClass.POSSIBLY_ACKNOWLEDGED),
            IN_SOME_LOG,
            "位移 5 至 8 的记录曾在某个日志中；属于哪个纪元、是否已提交，均不得而知。",
        ),
    ],
)
def test_which_promise_the_records_had(case: Case, loss: Loss, english: str, chinese: str) -> None:
    told = both(loss_sentence(case, loss, a_term(), None, None, MARK, unlike=False, again=False))

    assert told[0].endswith(f"in epoch 4. {english}")
    assert told[1].endswith(f"当选。{chinese}")


def test_a_high_watermark_that_no_line_states_is_said_to_follow_from_others(case: Case) -> None:
    derived = Watermark(9, 3, 1, 0, derived=True)

    told = both(loss_sentence(case, a_loss(), a_term(), None, None, derived, unlike=False, again=False))

    assert told[0].endswith("broker 1 had a high watermark of 9, as its log end and the in-sync set show.")
    assert told[1].endswith("broker 1 的高水位曾为 9，由其日志末端与同步集合得知。")


@pytest.mark.parametrize(
    ("loss", "english", "chinese"),
    [
        (
            a_loss(5, 6, survives_on=(1,)),
            "Broker 1 still holds it, and no leader serves it.",
            "broker 1 仍保存着它们，但没有领导者提供。",
        ),
        (
            a_loss(survives_on=(1, 3), removed_from=(2,)),
            "Broker 1 and broker 3 still hold them, and no leader serves them.",
            "broker 1、broker 3 仍保存着它们，但没有领导者提供。",
        ),
        (
            a_loss(5, 6, removed_from=(1, 3)),
            "Broker 1 and broker 3 removed it.",
            "broker 1、broker 3 删除了它们。",
        ),
    ],
)
def test_where_the_records_are_now(case: Case, loss: Loss, english: str, chinese: str) -> None:
    told = both(loss_sentence(case, loss, a_term(), None, None, MARK, unlike=False, again=False))

    assert told[0].endswith(f" {english}")
    assert told[1].endswith(f"。{chinese}")


def test_every_rule_of_truncation_has_words_and_releases() -> None:
    assert set(RULES) == set(RELEASES)
