"""Each guard of the model, taken away alone, and the first published figure that is wrong then.

A guard is a text of core/model/actions.py and what stands there without it. The figures are TLC's
(tests/core_model/published.py): they are asked from the smallest world on, and then the second transcription.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from core.model import actions
from core.model.exploration import Limits
from core.model.plain_engine import World, explore
from core.model.state import Bounds, initial
from core.model.variants import variant
from tests.core_model.published import COUNTS, ROW
from tests.core_model.transcription import Spec, same_form

Four = tuple[int, int, int, int]
WORLDS: Final = ((2, 1, 1, 0), (2, 1, 1, 1), (2, 2, 2, 1), (2, 2, 2, 2))
TOLD_APART: Final = (2, 1, 2, 1)
"""More records than a log holds: asked where no figure of TLC is wrong."""
PAGE: Final = Path(__file__).parent.parent.parent / "docs" / "model-guards.md"
HEAD: Final = """# Guards of the model, one at a time

Each guard of the actions in core/model/actions.py, taken away alone, and what tells it: the first variant
and bounds (replicas, log size, records, largest epoch) of which a figure of TLC is wrong then, or of which
the graph is not that of the second transcription (tests/core_model/transcription.py). `make goldens
ONLY=model-guards` makes this page, and tests/core_model/test_guards.py holds it.

"""


@dataclass(frozen=True)
class Guard:
    """What it asks, the text that asks it, and the text without it."""

    asks: str
    text: str
    without: str


# fmt: off
GUARDS: Final = (
    Guard("the controller removes: epochs are left",
          "if state.next_epoch > bounds.epochs:\n        return\n    _epoch", "_epoch"),
    Guard("the controller elects: epochs are left",
          "if state.next_epoch > bounds.epochs:\n        return\n    for", "for"),
    Guard("the controller removes: the last member stays while it leads",
          "isr if len(isr) == 1 else isr - {broker}", "isr - {broker}"),
    Guard("the controller removes: who does not lead is a member", "elif broker in isr:", "else:"),
    Guard("the controller elects: a member", "state.quorum.isr - {state.quorum.leader}",
          "set(bounds.brokers) - {state.quorum.leader}"),
    Guard("the controller elects: another than leads", "state.quorum.isr - {state.quorum.leader}",
          "state.quorum.isr"),
    Guard("a leader begins: the request names one", "if leader != NO_LEADER and request.epoch >",
          "if request.epoch >"),
    Guard("a leader begins: the epoch is newer", " and request.epoch > state.of(leader).epoch", ""),
    Guard("a follower begins: the request names a leader",
          "        if leader == NO_LEADER:\n            continue\n", ""),
    Guard("a follower begins: the leader is in this epoch", "if fenced and", "if False and"),
    Guard("a follower begins: it is not the leader", "follower == leader or request.epoch", "request.epoch"),
    Guard("a follower begins: the epoch is newer", "follower == leader or request.epoch <= own.epoch",
          "follower == leader"),
    Guard("a follower begins: the cut is not beyond its log",
          "            if offset <= own.end:\n", "            if True:\n"),
    Guard("a cut lowers the high watermark", "min(offset, own.high_watermark)", "own.high_watermark"),
    Guard("the end of an epoch: an empty log is not asked about",
          "    if not own.log:\n        return 0\n", "    if not own.log:\n        return len(log)\n"),
    Guard("the end of an epoch: the leader's last epoch ends its log",
          "    if log[-1].epoch == asked:\n        return len(log)\n", ""),
    Guard("the end of an epoch: the next later one", "if record.epoch > asked", "if record.epoch >= asked"),
    Guard("a write: it takes itself for the leader", "if state.presumes(broker) and state.next_record",
          "if own.epoch >= 0 and state.next_record"),
    Guard("a write: records are left", " and state.next_record < bounds.records", ""),
    Guard("a write: its log has room", " and own.end < bounds.log_size:\n            longer",
          ":\n            longer"),
    Guard("what a follower has: it follows",
          "    if not state.follows(follower, leader):\n        return False\n", ""),
    Guard("what a follower has: both are in one leader epoch",
          "    if check is Check.LEADER_EPOCH and one.epoch != other.epoch:\n        return False\n", ""),
    Guard("what a follower has: the log is long enough",
          "    if one.end < end or other.end < end:\n        return False\n",
          "    if one.end < end or other.end < end:\n        return check is not Check.RECORD_EPOCHS\n"),
    Guard("what a follower has: the last record is of one epoch",
          "return check is not Check.RECORD_EPOCHS or one", "return True or one"),
    Guard("the in-sync set: the leader leads in the controller's view and its own",
          "if leader != NO_LEADER and state.is_true_leader(leader)", "if leader != NO_LEADER"),
    Guard("the leader removes: a member that lags",
          "if not has_records(state, variant.shrink, leader, follower, own.end):", "if True:"),
    Guard("the leader adds: its high watermark has reached its epoch",
          "if variant.expand_waits and not _has_reached_epoch(state, leader):", "if False:"),
    Guard("the leader adds: who is no member",
          "if follower not in own.isr and has_records", "if has_records"),
    Guard("the high watermark: it takes itself for the leader",
          "        if not state.presumes(leader):\n            continue\n        end", "        end"),
    Guard("the high watermark: every member has the record",
          "if all(has_records(state, variant.high_watermark, leader, one, end) for one in own.isr):",
          "if own.end >= end:"),
    Guard("a copy: the leader presumes it", " and state.presumes(own.leader)", ""),
    Guard("a copy: the leader has more", "min(len(log), bounds.log_size)", "bounds.log_size"),
    Guard("a copy: what the fetch asks",
          "variant.fetch, leader, follower, own.end", "Check.OFFSETS, leader, follower, own.end"),
    Guard("a copy: no more of the high watermark than it holds",
          "min(state.of(leader).high_watermark, own.end + 1)", "state.of(leader).high_watermark"),
    Guard("a later cut: the logs differ", "        if differs:\n", "        if True:\n"),
)
# fmt: on


def without(guard: Guard) -> ModuleType:
    """core.model.actions with one guard less."""
    source = Path(actions.__file__).read_text(encoding="utf-8")
    assert source.count(guard.text) == 1, guard.asks
    module = ModuleType("actions_without_a_guard")
    exec(compile(source.replace(guard.text, guard.without), guard.asks, "exec"), module.__dict__)  # noqa: S102
    return module


def told_by(guard: Guard) -> str | None:
    """What tells that the guard is missing: a variant and bounds of which something is wrong without it."""
    module = without(guard)
    for bounds in WORLDS:
        for name in ROW:
            if _figures(module, name, bounds) != COUNTS[name, bounds]:
                return f"TLC's figures of {name} {bounds}"
    for name in ROW:
        if _graph(module, name, TOLD_APART) != Spec(name, *TOLD_APART).graph():
            return f"the graph of the second transcription of {name} {TOLD_APART}"
    return None


def _figures(module: ModuleType, name: str, bounds: Four) -> tuple[int, int] | None:
    """Distinct states and depth; None where the model has become endless or meets what it cannot answer."""
    world, chosen = Bounds(*bounds), variant(name)
    most = Limits(states=2 * COUNTS[name, bounds][0])
    try:
        found = explore(World(initial(world), lambda state: module.steps(state, world, chosen)), (), most)
    except LookupError:
        return None
    return (found.distinct, found.depth) if found.exhausted else None


def _graph(module: ModuleType, name: str, bounds: Four) -> dict[Any, set[Any]]:
    """Every state and what follows it, steps that change nothing too."""
    world, chosen = Bounds(*bounds), variant(name)
    found: dict[Any, set[Any]] = {}
    waiting = [initial(world)]
    while waiting:
        state = waiting.pop()
        if same_form(state) not in found:
            after = [one for _step, one in module.steps(state, world, chosen)]
            found[same_form(state)] = set(map(same_form, after))
            waiting += after
    return found


def page(rows: Mapping[str, str | None]) -> str:
    """The table, as Markdown."""
    body = "".join(f"| {asks} | {told or '**nothing**'} |\n" for asks, told in rows.items())
    return f"{HEAD}| guard that is missing | what is wrong then |\n| --- | --- |\n{body}"


if __name__ == "__main__":
    PAGE.write_text(page({guard.asks: told_by(guard) for guard in GUARDS}), encoding="utf-8")
