"""Sentences that are made without a language have their Chinese."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.i18n import use_language
from gui.sentences import sentence

TABLE = Path(__file__).parent.parent.parent / "gui" / "translations" / "sentences_zh_CN.toml"


@pytest.fixture
def speaking_chinese() -> Iterator[None]:
    use_language("zh")
    yield
    use_language("en")




def test_both_sides_of_the_table_have_the_same_places() -> None:
    places = re.compile(r"\{(\w+)\}")
    rows = [row for part in tomllib.loads(TABLE.read_text("utf-8")).values() for row in part.items()]

    assert [en for en, zh in rows if sorted(set(places.findall(en))) != sorted(places.findall(zh))] == []
    assert len({en for en, _ in rows}) == len(rows)


@pytest.mark.usefixtures("qapp", "speaking_chinese")
def test_values_are_put_where_chinese_has_them() -> None:
    gap = "nothing from broker 3 between 10:00:01.000 and 10:04:00.000 UTC: it was not stopped cleanly"
    assert sentence(gap) == "broker 3 在 10:00:01.000 与 10:04:00.000 UTC 之间没有任何消息：它没有干净地停止"
    fault = "a/b.tgz was not read to its end: the archive is damaged or incomplete (bad crc)"
    assert sentence(fault) == "a/b.tgz 没有读完：归档已损坏或不完整（bad crc）"


@pytest.mark.usefixtures("qapp", "speaking_chinese")
def test_what_nobody_translated_stays_as_it_is() -> None:
    for text in ("", "orders-3", "/data/Allow to write", "a broken pipe to nowhere at all"):
        assert sentence(text) == text
