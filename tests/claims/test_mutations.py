"""A predicate that is changed is noticed: comparisons of a seeded sample are negated, each by itself.

What a sentence claims is weak where its predicate may say anything. A negated comparison has to make it deny
the sentence in some run in which that is said.
"""

import ast
import inspect
import textwrap
from collections import defaultdict
from functools import cache
from hashlib import sha256
from typing import Any, Final

import pytest

from core.diagnose.narrate.why import why
from core.diagnose.verdict.check import diagnose_partition
from core.history.open import open_history
from core.kafka.eras import era
from gui.workspace.script_lines import script_lines
from tests.claims.claim import CLAIMS, At, Predicate
from tests.claims.held import SEED, every_message, runs_of

SCENARIOS: Final = (
    *("hw-loss", "s1", "s8", "lost-tail", "deleted-records", "idempotent-producer", "follower-read"),
    *("elections", "reassignment", "consumer-out-of-range", "stale-hw-isr", "batch-truncation"),
)
ERAS_SAID: Final = ("0.10.2", "2.1", "4.1")
SAMPLE: Final = 40
MOST: Final = 60
"""Places of each sentence that are asked."""
_SEARCH: Final = "which event is looked for: negated, the search passes it by, and the sentence stands"
_OTHER_WAY: Final = "one of two ways in which the sentence is so: negated, it is so the other way"
SURVIVES: Final[dict[tuple[str, int], str]] = {
    ("after_a_crash_it_starts_with_that", 2): _SEARCH,
    ("after_a_crash_it_starts_with_that", 5): _OTHER_WAY,
    ("a_served_offset_is_recorded_before_the_answer", 1): _SEARCH,
    ("it_takes_part_once_told", 1): _SEARCH,
    ("by_the_own_high_watermark", 1): _SEARCH,
    ("by_the_own_high_watermark", 2): _SEARCH,
    ("what_it_had_read_is_gone", 5): _SEARCH,
    ("only_an_in_sync_replica_may_lead", 1): _OTHER_WAY,
    ("nothing_is_written_until_an_election", 1): _SEARCH,
    ("nothing_is_written_until_an_election", 4): _SEARCH,
    ("who_left_is_gone_or_stopping", 1): _OTHER_WAY,
    ("one_that_may_lead_has_to_return", 0): _SEARCH,
    ("none_of_the_in_sync_set_may_lead", 2): _OTHER_WAY,
    ("no_checkpoint_says_more", 1): _OTHER_WAY,
}
"""(predicate, place) of those that nothing notices, each with the reason."""
_NEGATED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@cache
def said() -> dict[str, list[At]]:
    """Where each sentence is said, in some runs."""
    found: dict[str, list[At]] = defaultdict(list)
    for name in SCENARIOS:
        for era_id in ERAS_SAID:
            for run in runs_of(name, era(era_id)):
                history = open_history(run.trace, run.partition)
                verdict = diagnose_partition(history)
                lines = script_lines(run.trace, "en")
                for place, event in enumerate(run.events):
                    for whole, one in every_message(why(history, verdict, event.seq + 1, lines)):
                        if one.id in CLAIMS and len(found[one.id]) < MOST:
                            found[one.id].append(At(run, place, one, whole))
    return found


def _tree(predicate: Predicate) -> ast.Module:
    tree = ast.parse(textwrap.dedent(inspect.getsource(predicate)))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list = []
    return tree


def comparisons(tree: ast.Module) -> list[ast.Compare]:
    """Those that are about what is so; "isr" in said asks only which values the sentence has."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and not (isinstance(node.comparators[0], ast.Name) and node.comparators[0].id == "said")
        and not (isinstance(node.comparators[0], ast.Attribute) and node.comparators[0].attr == "said")
    ]


def mutant(predicate: Predicate, place: int) -> Predicate:
    """The predicate with one of its comparisons negated."""
    tree = _tree(predicate)
    node = comparisons(tree)[place]
    node.ops[0] = _NEGATED[type(node.ops[0])]()
    module = inspect.getmodule(predicate)
    assert module is not None
    scope: dict[str, Any] = dict(vars(module))
    exec(compile(ast.fix_missing_locations(tree), "mutant", "exec"), scope)  # noqa: S102 - of this folder
    return scope[predicate.__name__]


@cache
def every_mutant() -> list[tuple[Predicate, int]]:
    """(predicate, place of a comparison) of each predicate that is a function of its own and asked here."""
    asked = {
        one.__name__: one for id_, one in CLAIMS.items() if said().get(id_) and "<" not in one.__qualname__
    }
    every = [(one, place) for one in asked.values() for place in range(len(comparisons(_tree(one))))]
    # By chance, and yet a new predicate moves no other one out of the sample.
    return sorted(every, key=lambda one: sha256(f"{SEED} {one[0].__name__} {one[1]}".encode()).digest())


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_negated_comparison_is_noticed(number: int) -> None:
    predicate, place = every_mutant()[number]
    places = [at for id_, one in CLAIMS.items() if one is predicate for at in said().get(id_, ())]
    assert all(predicate(at) for at in places)
    changed = mutant(predicate, place)

    def denies(at: At) -> bool:
        try:
            return not changed(at)
        except (AssertionError, AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError):
            return True

    noticed = any(denies(at) for at in places)
    assert noticed != ((predicate.__name__, place) in SURVIVES), (predicate.__name__, place)
