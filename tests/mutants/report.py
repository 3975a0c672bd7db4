"""docs/mutants.md: figures by package, and each survivor with its reason."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutants.operators import Mutant

REASONS: Final = Path("tests/mutants/survivors.toml")
_HEADS: Final = (
    *("package", "sample", "mutants", "noticed", "equivalent", "survive"),
    *("of those that are not equivalent", "judged (UTC)"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant. `by` is the test that noticed it; `ran` of `reaching` tests were run."""

    mutant: Mutant
    survived: bool
    by: str
    ran: int
    reaching: int
    day: str = ""
    """On which day, and when, it was judged."""
    state: str = ""
    """A number of the code and the tests that it was judged by."""
    tests: str = ""
    """The folders of tests that were asked."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a mutant may survive: `equivalent`, or what is missing to notice it."""

    equivalent: bool
    text: str


def read_reasons(path: Path) -> dict[str, Reason]:
    """Reasons by the key of the mutant."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
    return {
        "|".join(
            (one["module"], one["function"], one["before"], one["after"], str(one.get("nth", 1)))
        ): Reason(bool(one["equivalent"]), one["reason"])
        for one in entries
    }


def report_of(
    samples: Mapping[str, tuple[Sequence[Mutant], Sequence[Outcome]]], reasons: Mapping[str, Reason]
) -> str:
    """The whole page. `samples` gives by name the mutants listed, and what became of those judged."""
    rows = [
        _figures(name, package, listed, outcomes, reasons)
        for name, (listed, outcomes) in samples.items()
        for package in dict.fromkeys(one.package for one in listed)
    ]
    every = {one.mutant.key: one for _, outcomes in samples.values() for one in outcomes}
    survivors = [one for one in every.values() if one.survived]
    judged = [one for listed, _ in samples.values() for one in listed if one.key not in every]
    return "\n".join(
        [
            "# Broken rules",
            "",
            "`make mutants` breaks one rule of the program at a time and runs the tests that reach it.",
            "A mutant that no test notices is a survivor. This page is made by it; the reasons stand in",
            "`tests/mutants/survivors.toml`, and how it works in `docs/adr/0016-mutants.md`.",
            "15 of the second sample survived while tests stood for the first alone; now they do for both.",
            "",
            f"| {' | '.join(_HEADS)} |",
            "|" + " --- |" * len(_HEADS),
            *rows,
            "",
            "## Survivors",
            "",
            *(_survivor(one, reasons.get(one.mutant.key)) for one in survivors),
            *([] if survivors else ["None."]),
            "",
            "## What was broken",
            "",
            *(_line(one) for one in every.values()),
            *(f"{_change(one)}: not judged" for one in judged),
            "",
        ]
    )


def _figures(
    sample: str,
    package: str,
    listed: Sequence[Mutant],
    outcomes: Sequence[Outcome],
    reasons: Mapping[str, Reason],
) -> str:
    own = [one for one in outcomes if one.mutant.package == package]
    survived = [one for one in own if one.survived]
    same = [one for one in survived if (why := reasons.get(one.mutant.key)) and why.equivalent]
    left, real = len(survived) - len(same), len(own) - len(same)
    share = f"{100 * left / real:.1f} %" if real else "-"
    number = sum(one.package == package for one in listed)
    counts = f"{len(own)} of {number}" if len(own) < number else f"{number}"
    days = sorted({one.day for one in own})
    when = " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "never"
    asked = {folder for one in own for folder in one.tests.split()}
    when += f", by {asked.pop()}" if len(asked) == 1 else ""
    return (
        f"| {package} | {sample} | {counts} | {len(own) - len(survived)} | {len(same)} | {left} "
        f"| {share} | {when} |"
    )


def _place(mutant: Mutant) -> str:
    return f"`{mutant.module}` {mutant.function}"


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _survivor(one: Outcome, why: Reason | None) -> str:
    kind = "no reason given" if why is None else "Equivalent: " + why.text if why.equivalent else why.text
    change = f"{_code(one.mutant.before)} made {_code(one.mutant.after)}"
    return f"- {_place(one.mutant)}, line {one.mutant.line}: {change}. {kind}"


def _line(one: Outcome) -> str:
    return f"{_change(one.mutant)}: {'survives' if one.survived else 'noticed'}"


def _change(one: Mutant) -> str:
    return f"- {_place(one)}: {_code(one.before)} made {_code(one.after)}"
