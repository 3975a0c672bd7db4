"""In Chinese one term stands for one thing: in the window, the scenarios, the questions and the course."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.pofile import read_po

from core.sim import translations
from gui.text.catalogues import FOLDER

LESSONS: Final = Path(translations.__file__).parents[1] / "lessons"
OTHERWISE: Final = {
    "an offset, which is 位移": re.compile("偏移"),
    "an epoch, which is 纪元": re.compile(r"(?<![\w.-])epochs?(?![\w.=-])", re.IGNORECASE),
    "a leader, who is 领导者": re.compile(r"(?<![\w.-])Leader(?![\w-])"),
    "a follower, who is 跟随者": re.compile(r"(?<![\w.-])Follower(?![\w-])"),
    "a fetch, which is 拉取": re.compile("抓取"),
    "a record, which is 记录": re.compile("条消息|(提交|确认|写入|删除|拥有|持有|读过)的?消息"),
    "an unclean election, which is 不干净选举": re.compile("不干净的选举|非干净选举|unclean 选举"),
}
"""Words that some Chinese texts on Kafka have and these do not, by what they would be called by."""
TOLD_ONCE: Final = "（leader epoch）"
"""What the explanation of the term says that it is in English."""


def sentences() -> Iterator[tuple[str, str]]:
    """Each text in Chinese and its file, without what is filled in."""
    for path in sorted((FOLDER / "zh").glob("*.po")):
        with path.open("rb") as file:
            for entry in read_po(file, locale="zh"):
                told = entry.string or ""
                for text in (told,) if isinstance(told, str) else told:
                    yield path.name, re.sub(r"\{[^}]*\}", "", text)
    for path in sorted((LESSONS / "zh").rglob("*.toml")):
        for text in texts_in(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield path.name, text
    for path in sorted(LESSONS.glob("course/*/lesson.zh.md")):
        yield path.parent.name, prose(path.read_text(encoding="utf-8"))


def texts_in(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from texts_in(value)
        else:
            yield value


def prose(lesson: str) -> str:
    """What a lesson says: without its questions' keys and the claims behind its words."""
    return re.sub(r"^\w+ = .*$|\(<[^>]*>\)", "", lesson, flags=re.MULTILINE)


def test_texts_are_read_from_everywhere() -> None:
    files = {file for file, _ in sentences()}
    assert {"window.po", "hw-loss.toml", "questions.toml", "articles.toml", "07-leader-epochs"} <= files


@pytest.mark.parametrize("thing", OTHERWISE)
def test_one_thing_has_one_term(thing: str) -> None:
    found = [
        f"{file}: {text.strip()[:80]}"
        for file, text in sentences()
        if OTHERWISE[thing].search(text.replace(TOLD_ONCE, ""))
    ]
    assert found == []
