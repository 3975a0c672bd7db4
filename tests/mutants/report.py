"""docs/mutants.md: figures by package, and each survivor with its reason."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutants.listed import QUOTAS
from tests.mutants.operators import Mutant

REASONS: Final = Path("tests/mutants/survivors.toml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant. `by` is the test that noticed it; `ran` of `reaching` tests were run."""

    mutant: Mutant
    survived: bool
    by: str
    ran: int
    reaching: int


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


def report_of(outcomes: Sequence[Outcome], reasons: Mapping[str, Reason]) -> str:
    """The whole page."""
    rows = [_figures(package, outcomes, reasons) for package in QUOTAS]
    survivors = [one for one in outcomes if one.survived]
    return "\n".join(
        [
            "# Broken rules",
            "",
            "`make mutants` breaks one rule of the program at a time and runs the tests that reach it.",
            "A mutant that no test notices is a survivor. This page is made by it; the reasons stand in",
            "`tests/mutants/survivors.toml`, and how it works in `docs/adr/0016-mutants.md`.",
            "",
            "| package | mutants | noticed | equivalent | survive | of those that are not equivalent |",
            "| --- | --- | --- | --- | --- | --- |",
            *rows,
            "",
            "## Survivors",
            "",
            *(_survivor(one, reasons.get(one.mutant.key)) for one in survivors),
            *([] if survivors else ["None."]),
            "",
            "## What was broken",
            "",
            *(_line(one) for one in outcomes),
            "",
        ]
    )


def _figures(package: str, outcomes: Sequence[Outcome], reasons: Mapping[str, Reason]) -> str:
    own = [one for one in outcomes if one.mutant.package == package]
    survived = [one for one in own if one.survived]
    same = [one for one in survived if (why := reasons.get(one.mutant.key)) and why.equivalent]
    left, real = len(survived) - len(same), len(own) - len(same)
    share = f"{100 * left / real:.1f} %" if real else "-"
    return f"| {package} | {len(own)} | {len(own) - len(survived)} | {len(same)} | {left} | {share} |"


def _place(mutant: Mutant) -> str:
    return f"`{mutant.module}` {mutant.function}"


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _survivor(one: Outcome, why: Reason | None) -> str:
    kind = "no reason given" if why is None else "Equivalent: " + why.text if why.equivalent else why.text
    change = f"{_code(one.mutant.before)} made {_code(one.mutant.after)}"
    return f"- {_place(one.mutant)}, line {one.mutant.line}: {change}. {kind}"


def _line(one: Outcome) -> str:
    end = "survives" if one.survived else "noticed"
    return f"- {_place(one.mutant)}: {_code(one.mutant.before)} made {_code(one.mutant.after)}: {end}"
