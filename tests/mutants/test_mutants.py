"""The tool that breaks rules: it finds a rule that no test holds, and writes nothing into the modules."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.kept import read_outcomes, state_of, write_outcome
from tests.mutants.listed import QUOTAS, listed, second
from tests.mutants.operators import broken, mutants_of
from tests.mutants.report import REASONS, Outcome, Reason, read_reasons, report_of

ROOT = Path(__file__).parent.parent.parent

RULES = """
def may_join(leo, hw):
    return leo >= hw

def is_alone(isr):
    return len(isr) == 1

def down_to(epoch):
    while epoch:
        epoch -= 1
    return epoch

def never_asked(epoch):
    return not epoch
"""
TESTS = """
from core.kafka.rules import down_to, is_alone, may_join

def test_it_joins_at_the_high_watermark():
    assert may_join(5, 5) and not may_join(4, 5) and may_join(6, 5)

def test_it_says_whether_it_is_alone():
    assert is_alone({1}) in (True, False)

def test_it_ends():
    assert down_to(3) == 0
"""


SETTINGS = """[pytest]
pythonpath = .
addopts = --import-mode=importlib
markers =
    slow
    spark
"""


def keys(source: str) -> set[str]:
    return {mutant.key for mutant in mutants_of("core/kafka/rules.py", source)}


def test_every_operator_makes_its_change() -> None:
    source = """
_GATE = (3, 7)

def rule(view, rows, one, two):
    if not one and two:
        return None
    if view.before(one, 3, 7):
        rows[1::2] = two.searchsorted(one, "left")
    for row in rows[:-1]:
        if row < 2000:
            continue
        view.note(row)
        one += 1
    return max(one, two) if one & two else moved(one - 1)
"""
    changes = {(mutant.before, mutant.after) for mutant in mutants_of("core/kafka/rules.py", source)}

    assert changes >= {
        ("not one and two", "not one or two"),
        ("not one and two", "two"),
        ("if not one and two:", "if False:"),
        ("view.before(one, 3, 7)", "view.before(one, 4, 0)"),
        ("rows[1::2]", "rows[0::2]"),
        ("rows[1::2]", "rows[::2]"),
        ("two.searchsorted(one, 'left')", "two.searchsorted(one, 'right')"),
        ("row < 2000", "row <= 2000"),
        ("row < 2000", "row >= 2000"),
        ("row < 2000", "row < 2001"),
        ("row < 2000", "row < 4000"),
        ("continue", "break"),
        ("view.note(row)", "pass"),
        ("one += 1", "one -= 1"),
        ("max(one, two)", "min(one, two)"),
        ("one & two", "one | two"),
        ("moved(one - 1)", "one - 1"),
        ("one - 1", "one + 1"),
        ("_GATE = (3, 7)", "_GATE = (4, 7)"),
    }


def test_types_decorators_and_messages_are_no_rules() -> None:
    source = '''
"""A module of 3 lines."""
from dataclasses import dataclass

@dataclass(frozen=True)
class Batch:
    """A batch of 2."""
    ends: tuple[int, 3]

    def check(self, offset: Literal[4]) -> Literal[5]:
        raise ValueError(f"below {6 + 1}", offset < 2)
'''
    assert keys(source) == set()


def test_a_mutant_keeps_its_name_when_the_module_changes_around_it() -> None:
    longer = '"""Rules."""\nimport os\n\ndef before(offset):\n    return offset > 3\n' + RULES

    assert keys(RULES) <= keys(longer)


def test_a_broken_module_differs_in_one_place_and_keeps_its_lines() -> None:
    whole = ast.unparse(ast.parse(RULES)).splitlines()
    for mutant in mutants_of("core/kafka/rules.py", RULES):
        tree = broken(RULES, mutant)
        other = ast.unparse(tree).splitlines()
        compile(tree, "rules.py", "exec")
        assert len([pair for pair in zip(whole, other, strict=True) if len(set(pair)) > 1]) == 1, mutant.key
    with pytest.raises((LookupError, AttributeError)):
        broken("pass", mutants_of("core/kafka/rules.py", RULES)[-1])


@pytest.mark.slow
def test_the_list_is_the_same_each_time_and_long_enough() -> None:
    assert sum(QUOTAS.values()) >= 200
    first, second = listed(ROOT, ["core/kafka"]), listed(ROOT, ["core/kafka"])

    assert [one.key for one in first] == [one.key for one in second]
    assert len({one.key for one in first}) == QUOTAS["core/kafka"]


@pytest.mark.slow
def test_every_reason_is_of_a_mutant_that_can_be_made() -> None:
    reasons = read_reasons(ROOT / REASONS)
    modules = {key.partition("|")[0] for key in reasons}
    made = {
        mutant.key
        for module in modules
        for mutant in mutants_of(module, (ROOT / module).read_text(encoding="utf-8"))
    }

    assert set(reasons) - made == set()
    assert all(len(reason.text) > 20 for reason in reasons.values())


def test_the_page_counts_what_is_not_equivalent() -> None:
    mutants = mutants_of("core/kafka/rules.py", RULES)[:4]
    outcomes = [
        Outcome(one, place > 1, "", 1, 1, "2026-01-0" + str(place + 1)) for place, one in enumerate(mutants)
    ]
    reasons = {mutants[2].key: Reason(equivalent=True, text="nothing below it is ever asked")}

    page = report_of({"first": (mutants, outcomes), "second": (mutants[:3], outcomes[:1])}, reasons)

    assert "| core/kafka | first | 4 | 2 | 1 | 1 | 33.3 % | 2026-01-01 to 2026-01-04 |" in page
    assert "| core/kafka | second | 1 of 3 | 1 | 0 | 0 | 0.0 % | 2026-01-01 |" in page
    assert "Equivalent: nothing below it is ever asked" in page
    assert page.count("no reason given") == 1


def test_what_became_of_a_mutant_is_kept_until_it_is_judged_again(tmp_path: Path) -> None:
    one, other, third = mutants_of("core/kafka/rules.py", RULES)[:3]
    write_outcome(tmp_path, Outcome(one, True, "", 3, 3, "2026-01-01", "a"))
    write_outcome(tmp_path, Outcome(other, False, "a test", 1, 3, "2026-01-01", "a"))
    write_outcome(tmp_path, Outcome(one, False, "a test", 1, 4, "2026-01-02", "b"))

    assert read_outcomes(tmp_path, [third, other, one]) == [
        Outcome(other, False, "a test", 1, 3, "2026-01-01", "a"),
        Outcome(one, False, "a test", 1, 4, "2026-01-02", "b"),
    ]
    assert read_outcomes(tmp_path / "elsewhere", [one]) == []


def test_a_changed_module_or_test_is_another_state_and_other_tests_are_none(tmp_path: Path) -> None:
    for name in ("core/kafka/rules.py", "tests/core_kafka/test_rules.py", "tests/db/test_document.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("first", encoding="utf-8")
    lines = {"core/kafka/rules.py": frozenset({3})}
    states = [state_of(tmp_path, ["tests/core_kafka"], lines)]
    for name in ("tests/db/test_document.py", "core/kafka/rules.py", "tests/core_kafka/test_rules.py"):
        (tmp_path / name).write_text("second", encoding="utf-8")
        states.append(state_of(tmp_path, ["tests/core_kafka"], lines))
    states.append(state_of(tmp_path, ["tests/core_kafka"], {"core/kafka/rules.py": frozenset({4})}))

    assert states[0] == states[1]
    assert len(set(states)) == 4


@pytest.mark.slow
def test_the_second_sample_has_none_of_the_first() -> None:
    first = {one.key for one in listed(ROOT, ["core/history"])}
    other = {one.key for one in second(ROOT)}

    assert len(other) >= 30
    assert first.isdisjoint(other)


@pytest.mark.slow
def test_it_finds_a_rule_that_no_test_holds(tmp_path: Path) -> None:
    files = {
        "core/__init__.py": "",
        "core/kafka/__init__.py": "",
        "core/kafka/rules.py": RULES,
        "tests/core_kafka/test_rules.py": TESTS,
        "tests/mutants/survivors.toml": "",
        "docs/README.md": "",
        "pytest.ini": SETTINGS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    command = [sys.executable, "-m", "tests.mutants.run", "--root", str(tmp_path), "--patience", "4"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    told = {line.partition(": ")[2]: line for line in ended.stdout.splitlines() if "rules.py:" in line}
    survivors = {line.partition(" (")[0] for line, whole in told.items() if whole.startswith("SURVIVES")}
    assert survivors == {
        "len(isr) == 1 -> len(isr) != 1",
        "len(isr) == 1 -> len(isr) == 2",
        "no test reaches return not epoch",
    }, ended.stdout + ended.stderr
    noticed = {line.partition(" (")[0] for line in told} - survivors
    assert noticed == {
        "leo >= hw -> leo > hw",
        "leo >= hw -> leo < hw",
        "epoch -= 1 -> epoch += 1",
        "epoch -= 1 -> epoch -= 2",
    }
    assert ended.returncode == 1
    assert "| core/kafka | first | 7 | 4 | 0 | 3 | 42.9 % | 2" in (tmp_path / "docs/mutants.md").read_text(
        "utf-8"
    )
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {name for name in left if "__pycache__" not in name} == {*files, "docs/mutants.md"}
    assert {name: (tmp_path / name).read_text("utf-8") for name in files} == files
