"""The recipe for a rule of the grammar: a line that tells of a cut in other words. No release prints it."""

import pytest

from tests.recipes.follow import Copy, follow

RULE = """\
    LineRule(
        "torn-log-cut",
        "4.4",
        "",
        r"\\[UnifiedLog partition=(?P<topic>[\\w.\\-]+)-(?P<number>\\d+), dir=.*\\] Torn at (?P<to>\\d+)",
        ("[UnifiedLog partition=orders-0, dir=/data1] Torn at 206",),
        _torn,
    ),
"""
BUILDER = """\
def _torn(message: Message) -> Reading:
    tp = message["topic"], message.number("number")
    return Reading((Said("truncated", tp, offset=message.number("to")),))


"""
STATES = """\
    "torn-log-cut": [[Said("truncated", ORDERS, offset=206)]],
"""


def add_the_rule(copy: Copy) -> None:
    copy.insert("importers/kafka/directories.py", BUILDER, before="DIRECTORY_RULES = (\n")
    copy.insert("importers/kafka/directories.py", RULE, before='    LineRule(\n        "truncate-and-start",')


def say_what_it_states(copy: Copy) -> None:
    copy.insert("tests/importers/grammar_states.py", STATES, before='    "log-loaded-1.0.2": [')


@pytest.mark.long
@pytest.mark.slow
def test_a_rule_of_the_grammar(copy: Copy) -> None:
    follow(
        copy,
        "Add a rule of the grammar",
        {1: add_the_rule, 2: say_what_it_states},
        words={"module": "directories", "name": "torn-log-cut"},
        left_out=2,
        reds={"test_a_sample_says_what_the_catalogue_says", "test_the_list_of_words_is_that_of_the_grammar"},
    )
