"""Each release's wording of the lines that move or state something is read as what it states.

release_rows.tsv has a wording a line, from Kafka's source at each tag from 0.10.2 to 4.2: the first and
the last release that prints it ("" is still printed), the class, what is stated, the message. Topics end
in digits and have dots, dashes and underscores, brokers have four digits, and folders a space. Of a new
release the wordings are added that it changes.
"""

from pathlib import Path
from typing import Final

import pytest

from importers.kafka.drafts import Said
from importers.kafka.grammar import RULES, candidates_of
from importers.kafka.rule import LineRule, Message, key

ROWS: Final = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "release_rows.tsv").read_text(encoding="utf-8").splitlines()
]
UNSAID: Final = ("kind", "tp", "basis", "sends", "receives", "life")
LAST: Final = (99,)


def read(message: str) -> list[tuple[LineRule, Message]]:
    """The rules that read a message."""
    found = ((rule, pattern.fullmatch(message)) for rule, pattern in candidates_of(key(message.encode())))
    return [(rule, Message(match, "")) for rule, match in found if match is not None]


def shown(said: Said) -> str:
    """A statement as the table has it."""
    words = [said.kind] if said.tp is None else [said.kind, f"{said.tp[0]}-{said.tp[1]}"]
    for name in Said.__slots__:
        value = getattr(said, name)
        if name not in UNSAID and value is not None and value != ():
            words.append(f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}")
    return " ".join(words)


def release(text: str) -> tuple[int, ...]:
    """A release as numbers; none is the end."""
    return tuple(int(part) for part in text.split(".")) if text else LAST


def first_of(text: str) -> tuple[int, ...]:
    """The first release that a text names: 2.4 is 2.4.0."""
    return (*release(text), 0, 0)[:4]


@pytest.mark.parametrize(("first", "last", "source", "stated", "message"), ROWS, ids=lambda value: value[:40])
def test_a_release_is_read_as_what_it_states(
    first: str, last: str, source: str, stated: str, message: str
) -> None:
    found = read(message)

    assert [rule.name for rule, _ in found][1:] == [], source
    assert found, source
    rule, matched = found[0]
    assert rule.build is not None
    reading = rule.build(matched)
    facts = [f"fact:{name}" for name, _ in reading.facts]
    assert "; ".join([*map(shown, reading.said), *facts]) == stated
    assert first_of(rule.since) <= first_of(first), rule.name
    until = release(rule.until)
    assert until >= release(last)[: len(until)], rule.name


def test_releases_of_a_rule_are_in_order() -> None:
    assert [
        rule.name for rule in RULES if release(rule.until) < release(rule.since)[: len(release(rule.until))]
    ] == []
