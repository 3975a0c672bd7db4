"""The switchboard of a simulated run: its rules as switches, what flipping each costs, and what is flipped.

The state is read from the runs that are open: the first is the run as it was, and a second one of the same
script, seed and release shows what is flipped. So undo, documents and the switchboard cannot disagree.
"""

from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from core.kafka.eras import Era, with_switches
from core.kafka.switches import changed
from core.sim.ablation.outcome import Outcome, outcome_of
from core.sim.ablation.protections import Ablation, Protection, ablate, costs_more
from core.sim.ablation.setup import Key, Setup, factors_between, one_script, setup_of
from core.trace.trace import Trace
from core.words import Language
from core.work import Work
from gui.workspace.simulating import Asked

_KEPT: Final = 16
"""Ablations that are kept: a switch that is flipped changes none of them."""


class Effect(StrEnum):
    """What a flip does, the first of which are shown first."""

    WORSE = "switchboard.effect.worse"
    BETTER = "switchboard.effect.better"
    COURSE = "switchboard.effect.course"
    NOTHING = "switchboard.effect.nothing"


@dataclass(frozen=True, slots=True)
class Row:
    """One switch, or two that are flipped at once, and what the run then costs."""

    protections: tuple[Protection, ...]
    outcome: Outcome
    effect: Effect

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """(switch, value) of what a flip sets."""
        return tuple((one.switch.name, one.other) for one in self.protections)


@dataclass(frozen=True)
class Board:
    """A run, and the values of what is flipped beside it."""

    trace: Trace
    setup: Setup
    flipped: tuple[tuple[str, str], ...] = ()
    flipped_trace: Trace | None = None

    @cached_property
    def outcome(self) -> Outcome:
        """What the run costs with nothing flipped."""
        return outcome_of(self.trace)

    @cached_property
    def flipped_outcome(self) -> Outcome | None:
        """What the run beside it costs; None where nothing is flipped."""
        return None if self.flipped_trace is None else outcome_of(self.flipped_trace)

    def is_flipped(self, row: Row) -> bool:
        """Whether all that a row flips is flipped."""
        return set(row.settings) <= set(self.flipped)

    def is_on(self, row: Row) -> bool:
        """Whether what a row is about is on in the last of the runs."""
        return row.protections[0].is_on != self.is_flipped(row)

    def flip(self, row: Row, language: Language) -> Asked:
        """The runs with this row flipped, or with it as it was; the others stay as they are."""
        if self.is_flipped(row):
            values = {name: value for name, value in self.flipped if (name, value) not in row.settings}
        else:
            values = {**dict(self.flipped), **dict(row.settings)}
        setup = self.setup
        if not values:
            return self.as_released(language)
        rules = with_switches(setup.era, values)
        return Asked(setup.scenario, (rules,), setup.seed, language=language, beside=self.trace)

    def as_released(self, language: Language) -> Asked:
        """The run alone, with nothing flipped."""
        return Asked(self.setup.scenario, (self.setup.era,), self.setup.seed, language=language)

    def in_era(self, era: Era, language: Language) -> Asked:
        """The same script in another era, with nothing flipped."""
        return Asked(self.setup.scenario, (era,), self.setup.seed, language=language)


def board_of(traces: tuple[Trace, ...]) -> Board | None:
    """The switchboard of what is open; None for logs, and for a run whose script is not known."""
    setup = setup_of(traces[0]) if traces else None
    if setup is None:
        return None
    second = setup_of(traces[1]) if len(traces) == 2 else None
    if second is None or second.era.id != setup.era.id or not one_script(setup, second):
        return Board(traces[0], setup)
    if any(one.kind != "switch" for one in factors_between(setup, second)):
        return Board(traces[0], setup)
    flipped = changed(setup.era.switches, second.era.switches)
    return Board(traces[0], setup, flipped, traces[1])


def rows_of(found: Ablation) -> tuple[Row, ...]:
    """What can be flipped: what makes the run worse first, then pairs, what mends it, and the rest."""
    plain = found.outcome
    pairs = [
        Row(chosen, outcome, Effect.WORSE)
        for chosen, outcome in zip(found.minimal_sets, found.set_outcomes, strict=True)
        if len(chosen) > 1
    ]
    single = [Row((one,), one.outcome, effect_of(one, plain)) for one in found.protections]
    by_effect = {effect: [row for row in single if row.effect is effect] for effect in Effect}
    return (
        *by_effect[Effect.WORSE],
        *pairs,
        *by_effect[Effect.BETTER],
        *by_effect[Effect.COURSE],
        *by_effect[Effect.NOTHING],
    )


def effect_of(one: Protection, plain: Outcome) -> Effect:
    """What a flip does. Worse in one respect is worse, whatever it mends in another."""
    if costs_more(one.outcome, plain):
        return Effect.WORSE
    if costs_more(plain, one.outcome):
        return Effect.BETTER
    return Effect.COURSE if one.acts else Effect.NOTHING


@dataclass(frozen=True, slots=True)
class FindProtections:
    """Run the script of a switchboard once for each switch at each other value, and for pairs."""

    setup: Setup

    def answer(self, work: Work) -> Ablation:
        """What each costs; from memory where it was asked before. Raises CancelledError."""
        key = self.setup.key
        if key not in _FOUND:
            _FOUND[key] = ablate(self.setup, work)
            while len(_FOUND) > _KEPT:
                _FOUND.popitem(last=False)
        return _FOUND[key]


_FOUND: OrderedDict[Key, Ablation] = OrderedDict()
"""Only the thread that answers writes it."""


def known(setup: Setup) -> Ablation | None:
    """What was found of a run before."""
    return _FOUND.get(setup.key)
