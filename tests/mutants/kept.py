"""What a run in pieces keeps in a folder: what tests reach, and what became of each mutant, with its day."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tests.mutants.operators import Mutant
from tests.mutants.reach import Wanted
from tests.mutants.report import Outcome

_CODE: Final = ("core", "db", "importers")
_OUTCOMES: Final = "outcomes.json"


def state_of(root: Path, tests: Sequence[str], lines: Wanted) -> str:
    """A number of the code, of some folders of tests, and of the lines that are asked for."""
    found = hashlib.sha256(repr(sorted((name, sorted(own)) for name, own in lines.items())).encode())
    for path in sorted({*_sources(root, (*_CODE, *tests)), *(root / "tests").glob("*.py")}):
        found.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _sources(root: Path, folders: Iterable[str]) -> list[Path]:
    """What decides how the tests of some folders go: modules, and the data beside them."""
    every = (path for name in folders for path in (root / name).rglob("*"))
    return [path for path in every if path.suffix in {".py", ".toml", ".json"} and path.is_file()]


def write_outcome(folder: Path, one: Outcome) -> None:
    """Keep what became of a mutant; what was kept of it before is replaced."""
    kept = _read(folder)
    kept[one.mutant.key] = {
        "survived": one.survived,
        "by": one.by,
        "ran": one.ran,
        "reaching": one.reaching,
        "day": one.day,
        "state": one.state,
        "tests": one.tests,
    }
    part = folder / f"{_OUTCOMES}.part"
    part.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    part.replace(folder / _OUTCOMES)


def read_outcomes(folder: Path, mutants: Sequence[Mutant]) -> list[Outcome]:
    """What is kept of some mutants, in their order."""
    kept = _read(folder)
    blank = Outcome(mutants[0], survived=False, by="", ran=0, reaching=0) if mutants else None
    return [replace(blank, mutant=one, **kept[one.key]) for one in mutants if blank and one.key in kept]


def _read(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / _OUTCOMES
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
