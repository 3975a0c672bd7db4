"""The facts of an error become text at the edge: one line, or a headline and a body, in each language."""

import errno
import pickle

import pytest

from core.errors import DocumentError, Facts, QuestionError, ScenarioError, at, because
from core.message import Listing, message
from core.system_errors import reason
from core.words import text
from gui.text.errors import body, headline, one_line
from gui.text.render import renderer

EN, ZH = renderer("en"), renderer("zh")
FACTS = Facts(
    message("error.document.cannot-write"),
    message("system.no-permission"),
    at("/a/b.tide"),
    None,
    message("error.choose-from", names=Listing(("a", "b"))),
)


def test_an_error_is_one_line_in_each_language() -> None:
    assert one_line(FACTS, EN) == (
        "The document cannot be written. Permission denied. Where: /a/b.tide. Choose from a, b."
    )
    assert one_line(FACTS, ZH) == "文档无法写入。没有权限。位置：/a/b.tide。可选：a、b。"


def test_an_error_has_a_headline_and_a_body() -> None:
    assert headline(FACTS, EN) == "The document cannot be written"
    assert body(FACTS, EN).splitlines() == ["Permission denied.", "Where: /a/b.tide.", "Choose from a, b."]
    assert body(Facts(FACTS.what), ZH) == ""


@pytest.mark.parametrize("words", ["It ends.", "Does it end?", "It ends!", "它结束。"])
def test_a_sentence_that_has_an_end_gets_no_other(words: str) -> None:
    assert one_line(Facts(because(words)), EN) == words
    assert one_line(Facts(because(words)), ZH) == words


def test_the_text_of_an_error_is_its_facts() -> None:
    error = QuestionError(FACTS.what, why=FACTS.why, where="/a/b.tide", advice=FACTS.advice)

    assert error.facts == FACTS
    assert str(error) == one_line(FACTS, EN)
    assert at("") is None


def test_an_error_goes_to_another_process_with_its_facts() -> None:
    error = ScenarioError.of(FACTS)
    error.line = 7
    came = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here

    assert type(came) is ScenarioError
    assert (came.facts, came.line, str(came)) == (FACTS, 7, str(error))


def test_what_the_system_says_is_told_by_its_number() -> None:
    said = OSError(errno.ENOSPC, "Auf dem Gerät ist kein Speicherplatz mehr verfügbar")

    assert (EN(reason(said)), ZH(reason(said))) == ("No space left on device", "磁盘已满")
    assert text(reason(OSError(errno.EBUSY, "x"))) == "Device or resource busy"
    assert text(reason(OSError("no number"))) == "no number"


def test_texts_from_the_evidence_can_be_changed_in_all_facts() -> None:
    error = DocumentError(
        because("/kept/x is odd"),
        where="/kept/x",
        advice=message("error.choose-from", names=Listing(("/kept/x",))),
    )
    changed = error.facts.changed(lambda one: one.replace("/kept/x", "night.log"))

    assert one_line(changed, EN) == "night.log is odd. Where: night.log. Choose from night.log."
