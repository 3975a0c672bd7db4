"""Times that are taken for granted: docs/assumptions.md is core/assumptions.py, and the code has no others.

`make goldens ONLY=assumptions` writes docs/assumptions.md anew; read the difference before committing it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assumptions import Assumption, assumptions
from core.trace import units
from tests.goldens import updating

ROOT = Path(__file__).parent.parent
JUDGING = ("core/history", "core/diagnose", "importers")
"""The folders that conclude something from times."""
UNITS = {name: getattr(units, name) for name in dir(units) if name.endswith("_NS")}
SOURCED = ("chosen", "recordings: ")
LEAST = 1_000_000
"""A millisecond in ns: no shorter time is assumed anywhere."""

NO_TIMES = {
    ("importers/disk/checkpoints.py", "1000000"): "how many entries of a file are read",
    ("importers/lines/digits.py", "6553601"): "a factor that joins digits",
    ("importers/lines/digits.py", "42949672960001"): "a factor that joins digits",
    ("importers/limits.py", "5000000"): "how many batches are read",
    ("importers/limits.py", "2000000"): "how many partitions are read",
    ("importers/merge/lives.py", "1000000"): "the place of an event behind all others of one line",
    ("importers/merge/lives.py", "1000001"): "the place of an event behind all others of one line",
    ("importers/containers/pace.py", "1000000.0"): "bytes of a megabyte",
    ("importers/prepared/data_set.py", "256 * 1024 * 1024"): "bytes of a file",
}
"""(module, number): what the number is instead."""

NO_THRESHOLDS = {
    ("importers/merge/clock.py", "np.full(len(names), MILLISECOND_NS)"): "how finely logs write times",
    ("importers/merge/clock.py", "ticks[[number[clocks[at]] for at in coarse.tolist()]] = SECOND_NS"): (
        "how finely logs write times"
    ),
    ("importers/merge/clock.py", "QUARTER_NS // 2"): "what is known to less has one nearest quarter",
    ("importers/merge/coarse.py", "SECOND_NS - 1"): "what a stamp of whole seconds cuts off at most",
    ("importers/merge/file_times.py", "SECOND_NS - 1"): "what a time of whole seconds cuts off at most",
    ("importers/merge/file_clocks.py", "least + SECOND_NS"): "what a time of whole seconds cuts off at most",
    ("importers/lines/json_records.py", "0 <= part < SECOND_NS"): "a part of a second is less than one",
    ("importers/merge/repeats.py", "SECOND_NS if any((_coarse(log) for log in logs)) else 1"): (
        "how finely logs write times"
    ),
    ("importers/merge/years.py", "366 * DAY_NS"): "the days of a leap year",
    ("importers/merge/zones.py", "{'start_time_ms': MILLISECOND_NS, CARRIED: 1}"): "the units of two facts",
}
"""(module, code around a unit of time): what the unit does there, if it does not convert."""

HEAD = """# Times that are taken for granted

Logs do not say when a broker was told, or whose clock is right. What is concluded all the same rests on these
times. This page is made by tests/test_assumptions.py from core/assumptions.py.

- **hard**: a wrong number can make something false that is claimed: a bound, a time, an order, a finding.
- **soft**: the number defines what is counted or worded.
- **chosen**: nothing outside of this program gives the number; what is known to bear on it stands behind.

"""


def in_words(ns: int) -> str:
    """A time in the largest unit of which it is a whole number."""
    sizes = (("d", units.DAY_NS), ("h", units.HOUR_NS), ("min", units.MINUTE_NS), ("s", units.SECOND_NS))
    return next((f"{ns // size} {unit}" for unit, size in sizes if ns % size == 0), f"{ns // LEAST:,} ms")


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def page() -> str:
    rows = [
        row(f"`{name}`", in_words(one.ns), one.claim, one.source, "hard" if one.hard else "soft")
        for name, one in assumptions().items()
    ]
    heads = ("name", "value", "what is assumed", "source", "a wrong value")
    return HEAD + row(*heads) + row(*["---"] * len(heads)) + "".join(rows)


def folded(node: ast.AST) -> float | None:
    """The value of an expression of numbers alone; None of any other."""
    if isinstance(node, ast.Constant):
        number = node.value
        return number if isinstance(number, int | float) and not isinstance(number, bool) else None
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        parts = [folded(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
        return None if None in parts else eval(ast.unparse(node), {"__builtins__": {}})  # noqa: S307
    return None


def is_binary(node: ast.expr, source: str) -> bool:
    """Whether a number is written as bits or a power of two: a size, a mask or a sentinel."""
    return (ast.get_source_segment(source, node) or "").startswith("0x") or any(
        (isinstance(one, ast.BinOp) and isinstance(one.op, ast.LShift))
        or (isinstance(one, ast.BinOp) and isinstance(one.op, ast.Pow) and folded(one.left) in (2, 1024))
        for one in ast.walk(node)
    )


def large_numbers(node: ast.AST, source: str) -> Iterator[str]:
    """The numbers of a millisecond and more in ns, each as large as it is written."""
    value = folded(node)
    if isinstance(node, ast.expr) and value is not None:
        if abs(value) >= LEAST and not is_binary(node, source):
            yield ast.unparse(node)
        return
    for one in ast.iter_child_nodes(node):
        yield from large_numbers(one, source)


def converts(node: ast.AST, unit: ast.Name) -> bool:
    """Whether an expression turns a value into ns, or ns into a unit."""
    if isinstance(node, ast.BinOp):
        other = node.left if node.right is unit else node.right
        divides = isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod) and node.right is unit
        return divides or (isinstance(node.op, ast.Mult) and folded(other) is None)
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "divmod"


def is_scaled(node: ast.AST, assumed: ast.Attribute) -> bool:
    """Whether an expression is some times an assumption, or a part of it."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult | ast.FloorDiv | ast.Div):
        return False
    return folded(node.left if node.right is assumed else node.right) is not None


def thresholds(tree: ast.AST) -> Iterator[str]:
    """The expressions and statements in which a unit is more than a unit, or an assumption is scaled."""
    for node in ast.walk(tree):
        for one in ast.iter_child_nodes(node):
            if isinstance(one, ast.Name) and one.id in UNITS and not converts(node, one):
                yield ast.unparse(node)
            if isinstance(one, ast.Attribute) and one.attr == "ns" and is_scaled(node, one):
                yield ast.unparse(node)


def named_by_unit(tree: ast.Module) -> Iterator[str]:
    """The constants of a module whose names say that they are a time."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for one in targets:
            if isinstance(one, ast.Name) and re.search(r"_(NS|US|MS|S|SECONDS|MINUTES|HOURS)$", one.id):
                yield one.id


def sources() -> dict[str, str]:
    paths = [path for folder in JUDGING for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_the_page_is_what_the_module_says() -> None:
    path = ROOT / "docs" / "assumptions.md"
    if updating():
        path.write_text(page(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page()


def test_each_says_in_a_sentence_what_it_assumes_and_what_it_rests_on() -> None:
    for name, one in assumptions().items():
        assert one.ns > 0, name
        assert re.fullmatch(r"[A-Z][^|\n]+\.", one.claim), name
        kafka = re.match(r"[a-z]+(\.[a-z]+)+\.ms=\d+", one.source)
        assert one.source.startswith((*SOURCED, "the tz database")) or kafka, name
        assert "|" not in one.source, name


def test_no_claim_is_made_twice() -> None:
    claims = [one.claim for one in assumptions().values()]
    assert len(set(claims)) == len(claims)


@pytest.mark.slow
def test_each_is_used() -> None:
    code = "\n".join(sources().values())
    assert [name for name in assumptions() if not re.search(rf"\b{name}\.ns\b", code)] == []


@pytest.mark.slow
def test_no_number_elsewhere_is_a_time() -> None:
    found = {
        (name, number) for name, text in sources().items() for number in large_numbers(ast.parse(text), text)
    }
    assert found == set(NO_TIMES)


@pytest.mark.slow
def test_a_unit_converts_and_no_more() -> None:
    found = {(name, code) for name, text in sources().items() for code in thresholds(ast.parse(text))}
    assert found == set(NO_THRESHOLDS)


@pytest.mark.slow
def test_no_constant_elsewhere_is_named_as_a_time() -> None:
    found = [f"{name} {one}" for name, text in sources().items() for one in named_by_unit(ast.parse(text))]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "_SOON = 5_000_000_000",
        "f(at + 10**9)",
        "SOON = -1 * 1_000 * 1_000",
        "late = 5e9",
        "x(a=30 * 1_000_000)",
    ],
)
def test_a_time_in_numbers_is_found(code: str) -> None:
    assert list(large_numbers(ast.parse(code), code))


@pytest.mark.parametrize(
    "code",
    [
        "_SOON = 5 * SECOND_NS",
        "late = at > told + MINUTE_NS",
        "_SOON: Final = SECOND_NS",
        "at - before < SECOND_NS",
        "at > told + 2 * EXIT_TAKES_AT_MOST.ns",
    ],
)
def test_a_time_in_units_is_found(code: str) -> None:
    assert list(thresholds(ast.parse(code)))


def test_what_is_no_time_is_let_be() -> None:
    code = "a = 1 << 33\nb = 2**62\nc = 64 * 1024**2\nd = 0xFF00FF00\ne = 2_000\nf = told * SECOND_NS\n"
    code += "g = at // MINUTE_NS\nh = divmod(at, SECOND_NS)\ni = at > told + EXIT_TAKES_AT_MOST.ns\n"

    assert [*large_numbers(ast.parse(code), code), *thresholds(ast.parse(code))] == []


def test_a_value_is_written_in_its_largest_unit() -> None:
    ns = [50 * LEAST, 1_100 * LEAST, 90 * units.SECOND_NS, 300 * units.SECOND_NS, 48 * units.HOUR_NS]

    assert [in_words(one) for one in ns] == ["50 ms", "1,100 ms", "90 s", "5 min", "2 d"]


def test_the_units_follow_from_each_other() -> None:
    sizes = [1_000, 1_000**2, 1_000**3, 60 * 1_000**3, 900 * 1_000**3, 3_600 * 1_000**3, 86_400 * 1_000**3]

    assert sorted(UNITS.values()) == sizes
    assert Assumption(1, "It is.", "chosen", hard=True).ns == 1
