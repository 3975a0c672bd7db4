"""Every kind of line that Kafka writes about replication is read as what it states, in each of its wordings.

catalogue_rows.tsv has a wording a line: the row of the catalogue of Kafka's lines (L leader and follower, I
in-sync set, H high watermark, T truncation, F fetching, E epochs, S storage, Z and K controllers, B broker,
Q quorum, D debug), the kinds of events that it states (`fact:` for what is no event, `-` for a line that says
nothing new), the message.
"""

import re
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

from importers.kafka.grammar import RULES, candidates_of
from importers.kafka.rule import LineRule, Message, key

pytestmark = pytest.mark.broad(3)

FILE = Path(__file__).parent / "catalogue_rows.tsv"
ROWS: Final = [tuple(line.split("\t", 2)) for line in FILE.read_text(encoding="utf-8").splitlines()]
SIZES: Final = {
    "L": 26,
    "I": 16,
    "H": 7,
    "T": 21,
    "F": 16,
    "E": 12,
    "S": 23,
    "Z": 17,
    "K": 24,
    "B": 14,
    "Q": 8,
    "D": 14,
}
"""How many rows each part has."""
NO_RULE: Final = {
    "H6": "no wording of its own: the high watermark in lines of L and I",
    "L11": "the wording of L10; it is only in 4.2 that its last words are right",
    "S7": "how many logs were loaded: each log has its own line",
}


def fitting(message: str) -> list[tuple[LineRule, re.Match[str]]]:
    """The rules that read a message, each once."""
    found = {rule.name: (rule, match) for rule, pattern in candidates_of(key(message.encode()))
             if (match := pattern.fullmatch(message)) is not None}  # fmt: skip
    return list(found.values())


@pytest.mark.parametrize(("row", "kinds", "message"), ROWS, ids=lambda value: str(value)[:40])
def test_a_wording_of_the_catalogue_states_what_it_means(row: str, kinds: str, message: str) -> None:
    found = fitting(message)

    assert [rule.name for rule, _ in found][1:] == [], row
    assert found, row
    rule, match = found[0]
    assert (rule.build is None) == (kinds == "-")
    if rule.build is not None:
        reading = rule.build(Message(match, ""))
        told = [one.kind for one in reading.said] + [f"fact:{name}" for name, _ in reading.facts]
        assert ",".join(dict.fromkeys(told)) == (kinds if kinds != "nothing" else "")


def test_every_row_of_the_catalogue_is_here_or_says_why_not() -> None:
    here: dict[str, int] = defaultdict(int)
    for row, _, _ in ROWS:
        here[row] += 1
    wanted = {f"{part}{number}" for part, size in SIZES.items() for number in range(1, size + 1)}

    assert wanted - set(here) == set(NO_RULE)
    assert set(here) <= wanted


def test_every_rule_that_says_nothing_new_says_why() -> None:
    assert [rule.name for rule in RULES if rule.build is None and not rule.why] == []
