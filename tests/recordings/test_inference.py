"""Each rule of inference taken away: what is sure becomes less, and never something else.

`make goldens ONLY=inference` writes docs/inference.md, with what each rule carries in the recordings.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.history.inference import REMOVABLE, RULES, InferenceRule
from core.history.open import open_history
from core.history.state import Band, Steps
from core.trace.trace import Trace
from core.trace.vocabulary import Basis
from gui.text.render import renderer
from tests.archives import recording_names
from tests.goldens import updating
from tests.recordings.whole import grouped, whole

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "inference.md"
NONE, EVER = -1, 1 << 62
"""Of a band without a lower bound, and without an upper one."""
Bounds = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]

HEAD = """\
# Rules of inference

Made by tests/recordings/test_inference.py from core/history/inference.py; `make goldens ONLY=inference`.

A bound of a log end offset or a high watermark that no line states was set by one of these rules.
`tidegauge state --without RULE` takes one away; the JSON of `state` names those that set a bound. A rule that
can fail gives way to hard evidence.

**Carries**: in how many of the recordings a band is wider, somewhere, without the rule, and the share of all
(replica, value, event) that are wider there. Rules overlap: what one carries alone another may give too.

| rule | what it says | reads | bounds | can fail | in Kafka | carries |
| --- | --- | --- | --- | --- | --- | --- |
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inference")


def bounds(trace: Trace, without: frozenset[str] = frozenset()) -> dict[tuple[int, int, str], Bounds]:
    """By partition, broker and value, after each event: both bounds, and whether they are sure."""
    found: dict[tuple[int, int, str], Bounds] = {}
    for partition in range(len(trace.partitions)):
        history = open_history(trace, partition, without)
        for broker, replica in history.replicas.items():
            found[partition, broker, "leo"] = each(replica.leo, len(trace))
            found[partition, broker, "hw"] = each(replica.hw, len(trace))
    return found


def each(steps: Steps[Band], events: int) -> Bounds:
    which = np.searchsorted(steps.cursors, np.arange(events + 1), "right") - 1
    lows = np.array([NONE if band.lo is None else band.lo for band in steps.values], np.int64)
    highs = np.array([EVER if band.hi is None else band.hi for band in steps.values], np.int64)
    sure = np.array([band.basis is not Basis.INFERRED for band in steps.values], np.bool_)
    return lows[which], highs[which], sure[which]


@lru_cache(maxsize=1)
def with_all_rules(name: str) -> dict[tuple[int, int, str], Bounds]:
    return bounds(whole(name).trace)


def carried(name: str, rule: str) -> tuple[int, int, int]:
    """Of all values: how many are wider without a rule, how many are elsewhere, and how many there are.

    Elsewhere are those that are sure: what a rule that can fail says may stand where what contradicts it is
    taken away.
    """
    wider = other = count = 0
    without = bounds(whole(name).trace, frozenset({rule}))
    for key, (low, high, _) in with_all_rules(name).items():
        less, more, sure = without[key]
        wider += int(((less < low) | (more > high)).sum())
        other += int((((less > low) | (more < high)) & sure).sum())
        count += len(low)
    return wider, other, count


@pytest.mark.slow
@pytest.mark.thinned(7)
@pytest.mark.parametrize("name", grouped(recording_names()))
def test_without_a_rule_bands_only_widen(name: str, request: pytest.FixtureRequest) -> None:
    """A quarter of the rules, others in the next recording; --every-case: all of them in all recordings."""
    every = request.config.getoption("--every-case")
    rules = REMOVABLE if every else REMOVABLE[recording_names().index(name) % 4 :: 4]
    for rule in rules:
        assert (rule, carried(name, rule)[1]) == (rule, 0)


def test_each_rule_is_used_under_its_own_name() -> None:
    code = "".join(
        path.read_text("utf-8")
        for path in (ROOT / "core" / "history").glob("*.py")
        if path.name != "inference.py"
    )
    assert [one for one in RULES if f'"{one}"' not in code] == []


def test_the_page_has_each_rule_as_it_is_now() -> None:
    page = PAGE.read_text("utf-8")
    for rule in RULES.values():
        assert row_of(rule) in page


def row_of(rule: InferenceRule) -> str:
    reads, limits = (", ".join(values) for values in (rule.reads, rule.bounds))
    fails = "yes" if rule.can_fail else ""
    return f"| `{rule.id}` | {renderer()(rule.says)} | {reads} | {limits} | {fails} | {rule.source} |"


@pytest.mark.slow
def test_the_page_has_what_each_rule_carries(request: pytest.FixtureRequest, folder: Path) -> None:
    """All recordings with each rule taken away take minutes: with `make goldens` and --every-case alone."""
    if not (updating() or request.config.getoption("--every-case")):
        pytest.skip("opens every recording without each rule, which takes minutes: --every-case")
    made = HEAD + "".join(rows(folder))
    if updating():
        PAGE.write_text(made, encoding="utf-8")
    assert PAGE.read_text("utf-8") == made


def rows(folder: Path) -> Iterator[str]:
    names = recording_names()
    # All rules of a recording together: its bounds with all of them are found once.
    by_name = {name: {one: carried(name, one) for one in REMOVABLE} for name in names}
    for rule in RULES.values():
        found = [] if rule.always else [by_name[name][rule.id] for name in names]
        wider, count = sum(one[0] for one in found), sum(one[2] for one in found)
        some = sum(one[0] > 0 for one in found)
        share = f"{some} of {len(names)}; {100 * wider / count:.1f} %" if some else "nothing alone"
        yield f"{row_of(rule)} {share if found else '–'} |\n"
