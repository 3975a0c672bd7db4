"""The facts of an error as text: one line for the command line, a headline and a body for the window."""

from core.errors import Facts
from core.message import message
from core.words import Words


def one_line(facts: Facts, words: Words) -> str:
    """All facts, one behind the other."""
    return words(facts.told())


def headline(facts: Facts, words: Words) -> str:
    """What went wrong, without a full stop."""
    return words(facts.what)


def body(facts: Facts, words: Words) -> str:
    """Everything but the headline, one sentence a line; "" where there is nothing else."""
    where = None if facts.where is None else message("error.where", where=facts.where)
    parts = (facts.why, where, facts.background, facts.advice)
    return "\n".join(words(message("error.told.one", part=part)) for part in parts if part is not None)
