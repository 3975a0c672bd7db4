"""Sentences that are made without a language have their Chinese."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import Facts
from gui.i18n import use_language
from gui.sentences import chinese, one_line, sentence, told
from tests.said_texts import PLACE, said_texts

TABLE = Path(__file__).parent.parent.parent / "gui" / "translations" / "sentences_zh_CN.toml"
ONLY_VALUES = re.compile(rf"[\W\d]*(?:{PLACE}[\W\d]*)*")
WITHOUT_ENGLISH = re.compile(r"[\[\]]*x7[\[\]]*")


@pytest.fixture
def speaking_chinese() -> Iterator[None]:
    use_language("zh")
    yield
    use_language("en")


@pytest.mark.slow
def test_every_sentence_of_an_error_of_progress_and_of_a_report_has_its_chinese() -> None:
    missing = [
        f"{where} {text}"
        for where, text in said_texts()
        if not ONLY_VALUES.fullmatch(text) and chinese(text) is None
    ]

    assert missing == []


@pytest.mark.slow
def test_the_texts_of_the_program_are_found() -> None:
    found = [text for _, text in said_texts()]

    assert len(set(found)) > 250
    assert {"The key x7 is not known here", "putting events in order", "no x7 of broker x7"} <= set(found)


def test_both_sides_of_the_table_have_the_same_places() -> None:
    places = re.compile(r"\{(\w+)\}")
    rows = [row for part in tomllib.loads(TABLE.read_text("utf-8")).values() for row in part.items()]

    assert [en for en, zh in rows if sorted(set(places.findall(en))) != sorted(places.findall(zh))] == []
    assert len({en for en, _ in rows}) == len(rows)


@pytest.mark.usefixtures("qapp", "speaking_chinese")
def test_values_are_put_where_chinese_has_them() -> None:
    assert sentence("There is no partition 'x-1' in night") == "night 中没有分区 'x-1'"
    gap = "nothing from broker 3 between 10:00:01.000 and 10:04:00.000 UTC: it was not stopped cleanly"
    assert sentence(gap) == "broker 3 在 10:00:01.000 与 10:04:00.000 UTC 之间没有任何消息：它没有干净地停止"
    fault = "a/b.tgz was not read to its end: the archive is damaged or incomplete (bad crc)"
    assert sentence(fault) == "a/b.tgz 没有读完：归档已损坏或不完整（bad crc）"


@pytest.mark.usefixtures("qapp", "speaking_chinese")
def test_what_nobody_translated_stays_as_it_is() -> None:
    for text in ("", "orders-3", "/data/Allow to write", "a broken pipe to nowhere at all"):
        assert sentence(text) == text


@pytest.mark.usefixtures("qapp")
def test_an_error_is_told_in_the_chosen_language() -> None:
    facts = Facts("The document cannot be written", "Permission denied", "/a/b.tide")
    assert told(facts) == facts
    assert one_line(facts) == "The document cannot be written. Permission denied. Where: /a/b.tide."

    use_language("zh")
    try:
        assert one_line(facts) == "文档无法写入。没有权限。位置：/a/b.tide。"
    finally:
        use_language("en")
