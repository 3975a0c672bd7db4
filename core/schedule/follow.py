"""One run of an era along a trace: the simulator deals with what is due, but for what has to come later.

Each step of the script begins where the trace has it. A message may take any time from its latency on, and a
timer may be late; neither is early. So the only thing that is chosen is what waits, and for what.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush, heapreplace
from typing import Final, Literal, TypeAlias

from core.message import message
from core.schedule.wanted import STEPS, DepartsError, EarlyError, Follower, Row, Wanted
from core.sim import steps
from core.sim.ablation.setup import Setup
from core.sim.begin import set_up
from core.sim.engine import Engine, Item
from core.sim.journal import Journal
from core.sim.run import engine_of, frozen
from core.trace.ids import Nanos, Seq
from core.trace.trace import Trace
from core.trace.units import SECOND_NS
from core.trace.vocabulary import NAME
from core.work import Work

_PATIENCE: Final = 35 * SECOND_NS
"""How much later than in the trace its next event may come: no timer of replication is longer."""
_MOST: Final = 2_000
"""So many messages and timers may be dealt with before the next event of the trace comes."""


@dataclass(frozen=True, slots=True)
class Wait:
    """For what a message or a timer waits."""

    position: int = 0
    """Until so many of the wanted events have come."""
    due: int = 0
    """And until this time, in ns."""


NO_WAIT: Final = Wait()
Late: TypeAlias = Mapping[int, Wait]
"""By the number of a message or timer, in the order in which the run makes them."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """What is dealt with: a message, a timer (`number` in the order of the run), or the script (None)."""

    number: int | None
    what: str
    """Its class; "script"."""
    position: int
    """How many of the wanted events had come before."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: it said all that is wanted, something else, what is wanted too early, or nothing."""

    how: Literal["along", "departs", "early", "waits"]
    position: int
    """How many of the wanted events have come."""
    dealt: Dealt
    row: Row | None = None
    """What it says in place of the next one, where it departs."""
    in_time: bool = True
    """Whether each event so far has come at its own time."""
    due: int = 0
    """When the next one is wanted, in ns, where it comes too early."""
    trace: Trace | None = None
    """All that it said, where it went along to the end."""


def follow(setup: Setup, wanted: Wanted, late: Late, work: Work) -> Ended:
    """Run a script under the rules of an era along a trace. Raises CancelledError."""
    run = _Run(setup, wanted, late, work)
    try:
        return run.to_the_end()
    except DepartsError as departs:
        return replace(run.ended("departs"), row=departs.row)
    except EarlyError as early:
        return replace(run.ended("early"), due=early.due)


@dataclass(slots=True)
class _Run:
    setup: Setup
    wanted: Wanted
    late: Late
    work: Work
    said: Follower = field(init=False)
    engine: Engine = field(init=False)
    dealt: Dealt = field(init=False)
    waiting: list[Item] = field(default_factory=list[Item])
    """What is due and has to wait."""

    def __post_init__(self) -> None:
        self.said = Follower(self.wanted)
        self.engine = engine_of(self.setup.scenario, self.setup.era, self.setup.seed)
        self.engine.journal = Journal(self.said)
        self.dealt = Dealt(None, "script", 0)

    def ended(self, how: Literal["along", "departs", "early", "waits"]) -> Ended:
        """Where the run stands."""
        return Ended(how, self.said.position, self.dealt, in_time=self.said.in_time)

    def to_the_end(self) -> Ended:
        """Run until all that is wanted was said, or nothing comes. Raises DepartsError and EarlyError."""
        engine, scenario = self.engine, self.setup.scenario
        set_up(engine, scenario)
        begun: Seq | None = None
        todo = list(scenario.steps)
        while self._goes_on():
            if not self._to_next_step():
                return self.ended("waits")
            if not self._goes_on():
                break
            self._deal_with(None, "script")
            if self._next_kind() == "condition_not_met" or not todo:
                engine.journal.tell(
                    "condition_not_met", None, None, cause=begun, partition=None, aux=engine.journal.step
                )
                continue
            step = todo.pop(0)
            self.work.step(step.number - 1, len(scenario.steps), message("progress.named", name=scenario.id))
            engine.journal.step, engine.journal.line = step.number, step.line
            begun = engine.journal.tell("step", None, None, cause=None, partition=None, aux=step.number)
            steps.act(engine, scenario, step.action, begun)
        trace = frozen(engine, scenario, self.setup.era, self.setup.seed)
        return replace(self.ended("along"), trace=trace)

    def _goes_on(self) -> bool:
        return self.said.position < len(self.wanted.rows)

    def _next_kind(self) -> str:
        return NAME[self.wanted.rows[self.said.position].kind]

    def _to_next_step(self) -> bool:
        """Deal with what is due until the script has the next word, or nobody. False if nothing comes."""
        engine, quiet, before = self.engine, 0, self.said.position
        while self._goes_on():
            self._let_come()
            self._hold_back()
            position = self.said.position
            quiet = quiet + 1 if position == before else 0
            before = position
            by = max(self.wanted.times[position], engine.now)
            next_at = engine.heap[0][0] if engine.heap else None
            if self.wanted.rows[position].kind in STEPS and (next_at is None or next_at > by):
                engine.journal.now = Nanos(by)
                return True
            if next_at is None or next_at > by + _PATIENCE or quiet > _MOST:
                return False
            _, number, _, what, _ = engine.heap[0]
            self._deal_with(number, type(what).__name__)
            engine.run_next()
        return True

    def _deal_with(self, number: int | None, what: str) -> None:
        self.dealt = Dealt(number, what, self.said.position)
        self.said.handled_from = self.said.position

    def _has_to_wait(self, number: int) -> bool:
        return self.said.position < self.late.get(number, NO_WAIT).position

    def _hold_back(self) -> None:
        """Take off the heap what is due next and has to wait."""
        heap = self.engine.heap
        while heap:
            at, number, awaited, what, target = heap[0]
            due = self.late.get(number, NO_WAIT).due
            if self._has_to_wait(number):
                self.waiting.append(heappop(heap))
            elif at < due:
                heapreplace(heap, (due, number, awaited, what, target))
            else:
                return

    def _let_come(self) -> None:
        """What need not wait for an event any more comes now."""
        for item in [one for one in self.waiting if not self._has_to_wait(one[1])]:
            self.waiting.remove(item)
            at, number, awaited, what, target = item
            heappush(self.engine.heap, (max(at, self.engine.now), number, awaited, what, target))
