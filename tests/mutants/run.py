"""Break a listed rule at a time, and see whether a test notices: `make mutants`, docs/mutants.md."""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.mutants.children import Broken, Child, Chosen, Endless, ended, result_of, run_tests, start
from tests.mutants.kept import read_outcomes, state_of, write_outcome
from tests.mutants.listed import listed, second
from tests.mutants.operators import Mutant, broken
from tests.mutants.reach import IMPORT, Reach, own_tests, preload, read_reach, wanted_lines
from tests.mutants.readers import Lines, Places, Readers
from tests.mutants.report import REASONS, Outcome, read_reasons, report_of

ROOT: Final = Path(__file__).parent.parent.parent
FOLDERS: Final = (
    "tests/core_sim",
    "tests/importers",
    "tests/core_diagnose",
    "tests/core_history",
    "tests/core_compare",
    "tests/core_kafka",
    "tests/core_trace",
    "tests/db",
)
"""Tests that judge: those of the packages that are broken, and of what stands on them without a window."""
MOST_TESTS: Final = 240
MOST_CALLS: Final = 10_000_000
"""As many tests are run for a mutant, or as call so many functions together, whichever comes first."""
QUICK: Final = ("-m", "not slow and not spark")
NO_TEST_RAN: Final = 5
"""The exit code of pytest where no test was there to run."""

LONGEST_REACH: Final = 3600.0
"""Seconds after which a folder of tests that is watched is given up."""

Work = tuple[str, Callable[[], dict[str, Any]], float]
"""A name, what is done in a process of its own, and how many seconds it may take."""


@dataclass(frozen=True, slots=True)
class Run:
    """The project, a folder for results, how many processes run at once, and the least seconds of each."""

    root: Path
    folder: Path
    workers: int
    patience: float
    tests: Sequence[str] = FOLDERS


def in_processes(run: Run, works: Sequence[Work]) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """What each work gave, as they end; None where it had no end. Raises RuntimeError where one failed."""
    waiting, running = list(works), dict[str, Child]()
    while waiting or running:
        while waiting and len(running) < run.workers:
            name, work, seconds = waiting.pop(0)
            running[name] = start(work, run.folder, name, seconds)
        for name, child in list(running.items()):
            status = ended(child)
            if status is not None:
                del running[name]
                shutil.rmtree(run.folder / name, ignore_errors=True)
                try:
                    yield name, result_of(child, status)
                except Endless:
                    yield name, None
        time.sleep(0.02)


def reach_of(run: Run, keep: Path, places: Mapping[str, Places]) -> dict[str, dict[str, Any]]:
    """What tests reach of the places of mutants, by test; a folder of tests is watched once for its state.

    Raises RuntimeError where a folder has no end.
    """
    lines = wanted_lines(places.values())
    folders = [tests for tests in run.tests if (run.root / tests).is_dir()]
    paths = {tests: keep / f"reach-{state_of(run.root, [tests], lines)}.json" for tests in folders}
    names = {tests.replace("/", "-"): tests for tests, path in paths.items() if not path.exists()}

    def work(name: str) -> dict[str, Any]:
        reach = Reach(run.root, lines)
        run_tests([*QUICK, names[name]], [reach, Chosen(())], run.folder, name)
        return reach.found

    works: list[Work] = [(name, partial(work, name), LONGEST_REACH) for name in names]
    for name, found in in_processes(run, works):
        if found is None:
            raise RuntimeError(f"{names[name]} had no end")
        red = [test for test, one in found.items() if not one["passed"]]
        say(f"{names[name]}: {len(found) - 1} tests" + (f", not used: {', '.join(red)}" if red else ""))
        paths[names[name]].write_text(json.dumps(found), encoding="utf-8")
    return read_reach(paths.values())


def tests_for(
    mutant: Mutant, places: Places, reach: Mapping[str, dict[str, Any]]
) -> tuple[list[str], float, int]:
    """The tests for a mutant, those first that say most by least work; their seconds; how many reach it.

    One case of each test function comes before the second of any, and the package's own tests before others.
    What runs only at import is judged by the tests that read what it made, and by all of the package's own: a
    test may read a table itself.
    """
    own = own_tests(mutant)
    hit = _reaching(places.own, reach)
    if mutant.names or (not hit and _reaching(places.own, reach, imports=True)):
        hit |= _reaching(places.made, reach)
        hit |= {name for name, one in reach.items() if name.startswith(own) and one["passed"]}
    of_function: dict[str, list[str]] = {}
    for name in sorted(hit, key=lambda name: (reach[name]["calls"], name)):
        of_function.setdefault(name.partition("[")[0], []).append(name)
    turns = [
        (turn, not name.startswith(own), reach[name]["calls"], name)
        for names in of_function.values()
        for turn, name in enumerate(names)
    ]
    chosen: list[str] = []
    calls = 0
    for *_, more, name in sorted(turns):
        if len(chosen) < MOST_TESTS and (calls + more < MOST_CALLS or not chosen):
            chosen.append(name)
            calls += more
    return chosen, sum(reach[name]["seconds"] for name in chosen), len(hit)


def _reaching(
    places: Sequence[Lines], reach: Mapping[str, dict[str, Any]], *, imports: bool = False
) -> set[str]:
    asked = {f"{path}:{line}" for path, lines in places for line in lines}
    return {
        name
        for name, one in reach.items()
        if one["passed"] and (name == IMPORT) is imports and not asked.isdisjoint(one["lines"])
    }


def judge(
    run: Run, mutants: Sequence[Mutant], places: Mapping[str, Places], reach: Mapping[str, dict[str, Any]]
) -> Iterator[Outcome]:
    """Each mutant with what became of it, as they end.

    Of each package one set of tests runs on the whole code before. Raises RuntimeError where it is not green:
    then red tests would say nothing.
    """
    plans = {mutant.key: tests_for(mutant, places[mutant.key], reach) for mutant in mutants}
    asked = [mutant for mutant in mutants if plans[mutant.key][0]]
    named = {f"mutant-{number}": mutant for number, mutant in enumerate(asked)}
    whole = {f"whole-{package}".replace("/", "-"): mutant for mutant in asked if (package := mutant.package)}

    def work(name: str) -> dict[str, Any]:
        mutant = named.get(name) or whole[name]
        if name in named:
            source = (run.root / mutant.module).read_text(encoding="utf-8")
            sys.meta_path.insert(0, Broken(mutant.module, broken(source, mutant), run.root))
        tests = plans[mutant.key][0]
        chosen = Chosen(tests)
        files = sorted({test.partition("::")[0] for test in tests})
        code = run_tests(["-x", *QUICK, *files], [chosen], run.folder, name)
        return {"code": code, "red": chosen.red, "ran": chosen.ran}

    def works(names: Mapping[str, Mutant]) -> list[Work]:
        return [
            (name, partial(work, name), run.patience + 5 * plans[mutant.key][1])
            for name, mutant in names.items()
        ]

    for name, result in in_processes(run, works(whole)):
        if result is None or result["code"]:
            raise RuntimeError(f"{name}: tests are red on the whole code: {result}")
    for mutant in mutants:
        if not plans[mutant.key][0]:
            say(f"SURVIVES {mutant.module}:{mutant.line} {mutant.function}: no test reaches {mutant.before}")
            yield Outcome(mutant, survived=True, by="", ran=0, reaching=0)
    for name, result in in_processes(run, works(named)):
        yield _outcome(named[name], result, plans[named[name].key][2])


def _outcome(mutant: Mutant, result: dict[str, Any] | None, reaching: int) -> Outcome:
    if result is None:
        one = Outcome(mutant, survived=False, by="ran without end", ran=0, reaching=reaching)
    else:
        survived = result["code"] in (0, NO_TEST_RAN)
        one = Outcome(mutant, survived, result["red"], result["ran"], reaching)
    say(
        f"{'SURVIVES' if one.survived else 'noticed '} {mutant.module}:{mutant.line} {mutant.function}: "
        f"{mutant.before} -> {mutant.after} ({one.ran} of {one.reaching} tests) {one.by}"
    )
    return one


def places_of(mutants: Sequence[Mutant], root: Path) -> dict[str, Places]:
    """By mutant where it is asked for."""
    names = [path.relative_to(root).as_posix() for path in root.glob("*/**/*.py")]
    names = [name for name in names if name.startswith(("core/", "db/", "importers/"))]
    readers = Readers({name: (root / name).read_text(encoding="utf-8") for name in names})
    return {mutant.key: readers.places(mutant) for mutant in mutants}


def say(line: str) -> None:
    """A line of progress."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _judge_kept(run: Run, keep: Path, mutants: Sequence[Mutant], only: str) -> None:
    """Judge those whose key has this text, and keep what became of each; not again what is kept already."""
    places = places_of(mutants, run.root)
    state = state_of(run.root, run.tests, wanted_lines(places.values()))
    known = {one.mutant.key for one in read_outcomes(keep, mutants) if one.state == state}
    asked = [one for one in mutants if only in one.key and one.key not in known]
    say(f"{len(asked)} mutants to judge, {len(known)} are judged")
    if asked:
        reach = reach_of(run, keep, places)
        day = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
        for one in judge(run, asked, places, reach):
            write_outcome(keep, replace(one, day=day, state=state, tests=" ".join(run.tests)))


def main() -> int:
    """Run all, write the page, list what survives without a reason. Gives 1 where there is such a mutant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="judge mutants whose key contains this text")
    parser.add_argument(
        "--keep", type=Path, help="a folder where results stay: the next run goes on from there"
    )
    parser.add_argument("--tests", nargs="+", default=FOLDERS, help="folders of tests that judge")
    parser.add_argument("--list", action="store_true", help="print the mutants, and run nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="the project whose rules are broken")
    parser.add_argument("--patience", type=float, default=30.0, help="seconds of processor time given to all")
    options = parser.parse_args()
    root: Path = options.root.resolve()
    samples = {"first": listed(root), "second": second(root)}
    mutants = [one for own in samples.values() for one in own]
    if options.list:
        for one in mutants:
            say(one.key)
        return 0
    os.chdir(root)
    sys.path.insert(0, str(root))
    preload()
    with tempfile.TemporaryDirectory(prefix="tidegauge-mutants-") as name:
        keep: Path = (options.keep or Path(name)).resolve()
        keep.mkdir(parents=True, exist_ok=True)
        run = Run(root, Path(name), options.workers, options.patience, options.tests)
        _judge_kept(run, keep, mutants, options.only)
        found = {sample: (own, read_outcomes(keep, own)) for sample, own in samples.items()}
    reasons = read_reasons(root / REASONS)
    if options.keep or not options.only:
        (root / "docs" / "mutants.md").write_text(report_of(found, reasons), encoding="utf-8")
    outcomes = [one for _, own in found.values() for one in own]
    left = [one for one in outcomes if one.survived and one.mutant.key not in reasons]
    say(
        f"{len(outcomes)} of {len(mutants)} mutants, {sum(one.survived for one in outcomes)} survive, "
        f"{len(left)} without a reason"
    )
    for one in left:
        say(one.mutant.key)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
