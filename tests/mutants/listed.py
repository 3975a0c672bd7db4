"""Which rules `make mutants` breaks: a sample by hash, so the same ones while their code stays the same."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from tests.mutants.operators import Mutant, modules, mutants_of

QUOTAS: Final = {"core/kafka": 60, "core/history": 75, "core/diagnose": 45, "importers": 45, "db": 35}
"""How many of each package."""
SEED: Final = "tidegauge 1"
SECOND_QUOTAS: Final = {"core/history": 40}
SECOND_SEED: Final = "tidegauge 2"
"""A second sample, drawn anew: it said whether tests for survivors of the first one held more than these."""
PER_FUNCTION: Final = 3
OPERATOR_SHARE: Final = 0.2
"""No operator makes more than this share of a package's mutants."""

TEXTS: Final = frozenset(
    {
        "core/diagnose/narrate/explain.py",
        "core/diagnose/narrate/story_text.py",
        "core/diagnose/narrate/story_words.py",
        "core/history/own_lines.py",
    }
)
"""Modules of sentences: no rules."""

ONCE_UNNOTICED: Final = frozenset(
    {
        (
            "core/history/rules.py",
            "bands.view.before(leading.broker, 3, 7)",
            "bands.view.before(leading.broker, 4, 0)",
        ),
        ("core/history/positions.py", "by_instant[1::2]", "by_instant[0::2]"),
        (
            "core/history/rules.py",
            "tenure.epoch != number or tenure.leader != tenures[0].leader",
            "tenure.leader != tenures[0].leader",
        ),
        ("importers/disk/segments.py", "delta < 0", "delta >= 0"),
        ("db/rebuild.py", "moved(note.end)", "note.end"),
    }
)
"""(module, before, after) of mutants that no test noticed once: always broken."""


def listed(root: Path, packages: Iterable[str] = QUOTAS) -> list[Mutant]:
    """The mutants of some packages, by package and line."""
    return [one for package in packages for one in _of_package(root, package, QUOTAS[package], SEED)]


def second(root: Path) -> list[Mutant]:
    """The second sample, without what is in the first one."""
    first = {one.key for one in listed(root, SECOND_QUOTAS)}
    found = (_of_package(root, *quota, SECOND_SEED) for quota in SECOND_QUOTAS.items())
    return [mutant for own in found for mutant in own if mutant.key not in first]


def _of_package(root: Path, package: str, quota: int, seed: str) -> list[Mutant]:
    every = _every(root, package)
    chosen = {one.key: one for one in every if seed == SEED and _once_unnoticed(one)}
    in_function: Counter[tuple[str, str]] = Counter()
    by_operator: Counter[str] = Counter()
    for one in sorted(every, key=lambda one: _rank(one, seed)):
        if len(chosen) >= quota:
            break
        if (
            in_function[one.module, one.function] < PER_FUNCTION
            and by_operator[one.operator] < OPERATOR_SHARE * quota
            and one.key not in chosen
        ):
            in_function[one.module, one.function] += 1
            by_operator[one.operator] += 1
            chosen[one.key] = one
    return sorted(chosen.values(), key=lambda one: (one.module, one.line, one.key))


@cache
def _every(root: Path, package: str) -> tuple[Mutant, ...]:
    """All mutants of a package. Two samples are drawn of them, and the second one leaves out the first."""
    names = [name for name in modules(root, package) if name not in TEXTS]
    return tuple(one for name in names for one in mutants_of(name, (root / name).read_text(encoding="utf-8")))


def _rank(mutant: Mutant, seed: str) -> bytes:
    return hashlib.sha256(f"{seed}|{mutant.key}".encode()).digest()


def _once_unnoticed(mutant: Mutant) -> bool:
    return (mutant.module, mutant.before, mutant.after) in ONCE_UNNOTICED
