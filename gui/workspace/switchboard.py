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
from core.sim.ablation.outcome import Outcome, outcome_of, rounds_in_vain
from core.sim.ablation.protections import Ablation, Protection, ablate, costs_more
from core.sim.ablation.settings import FIELDS, SETTING, value_of, with_values
from core.sim.ablation.setup import Key, Setup, factors_between, one_script, setup_of
from core.sim.ablation.worst import Worst, worst_of
from core.sim.library import scenario
from core.sim.step_words import label_of
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER
from core.words import Language
from core.work import Work
from gui.workspace.simulating import Asked

_KEPT: Final = 16
"""Ablations that are kept: a switch that is flipped changes none of them."""


class Group(StrEnum):
    """What a rule is about: the rows stand under these heads, in this order."""

    PAIRS = "switchboard.group.pairs"
    TRUNCATION = "switchboard.group.truncation"
    EPOCHS = "switchboard.group.epochs"
    WATERMARK = "switchboard.group.watermark"
    ISR = "switchboard.group.isr"
    ELECTION = "switchboard.group.election"
    CLIENTS = "switchboard.group.clients"
    SETTINGS = "switchboard.group.settings"


_GROUPS: Final[dict[str, Group]] = {
    **dict.fromkeys(
        (
            *("truncation", "epoch-answer", "same-leader", "out-of-range", "log-start", "tiered-storage"),
            "tier-expiry",
        ),
        Group.TRUNCATION,
    ),
    **dict.fromkeys(
        (
            *("epoch-entry", "epoch-lookup-below", "epoch-lookup-undefined", "epoch-conflict"),
            *("epoch-cache-cut", "epoch-file-flush", "fencing", "epoch-on-shrink", "directory-move"),
            "epoch-old-format",
        ),
        Group.EPOCHS,
    ),
    **dict.fromkeys(
        (
            *("fetch-answer-hw", "hw-sending", "hw-after-cut", "diverging-answer-hw", "diverging-fetch-leo"),
            "diverging-below-start",
            *("hw-below-min-isr", "hw-counts"),
        ),
        Group.WATERMARK,
    ),
    **dict.fromkeys(
        ("isr-change", "isr-leave", "isr-join", "isr-eligible", "isr-last-member", "lag-time-ms"), Group.ISR
    ),
    **dict.fromkeys(
        (
            *("controller", "controller-start", "unclean-election", "unclean-setting", "eligible-leaders"),
            *("session-timeout-ms", "leader-recovery", "eligible-on-change", "check-quorum", "pre-vote"),
            *("voter-change", "metadata-snapshot"),
        ),
        Group.ELECTION,
    ),
    **dict.fromkeys(("visible", "consumer-fetch", "producer-sequence", "transactions"), Group.CLIENTS),
    **dict.fromkeys(SETTING, Group.SETTINGS),
}


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

    @property
    def group(self) -> Group:
        """The head that it stands under."""
        one, *others = self.protections
        return Group.PAIRS if others else _GROUPS[one.switch.name]

    def worst(self, era: Era) -> Worst | None:
        """What its flip does where it does most, in a release as it was; None is nothing."""
        one, *others = self.protections
        return None if others or era.overrides else worst_of(era.id, one.setting)


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

    @cached_property
    def lacking(self) -> tuple[int, str] | None:
        """The first step that does not come about because of what is flipped: its number and label."""
        if self.flipped_trace is None:
            return None
        new = sorted(_unmet(self.flipped_trace) - _unmet(self.trace))
        return (new[0], label_of(self.setup.scenario.steps[new[0] - 1])) if new else None

    @cached_property
    def asks_in_vain(self) -> tuple[int, int] | None:
        """Who asks whom again and again because of what is flipped, the first of them: two brokers' ids."""
        if self.flipped_trace is None or rounds_in_vain(self.trace):
            return None
        found = rounds_in_vain(self.flipped_trace)
        return found[0] if found else None

    def is_flipped(self, row: Row) -> bool:
        """Whether all that a row flips is flipped."""
        return set(row.settings) <= set(self.flipped)

    def is_on(self, row: Row) -> bool:
        """Whether what a row is about is on in the last of the runs."""
        return row.protections[0].is_on != self.is_flipped(row)

    def flip(self, row: Row, language: Language) -> Asked:
        """The runs with this row flipped, or with it as it was; the others stay as they are.

        Raises ScenarioError where the text of the script cannot be given a setting.
        """
        if self.is_flipped(row):
            values = {name: value for name, value in self.flipped if (name, value) not in row.settings}
        else:
            values = {**dict(self.flipped), **dict(row.settings)}
        setup = self.setup
        if not values:
            return self.as_released(language)
        settings = {name: value for name, value in values.items() if name in SETTING}
        switches = {name: value for name, value in values.items() if name not in SETTING}
        script = with_values(setup.scenario, settings) if settings else setup.scenario
        rules = with_switches(setup.era, switches)
        return Asked(script, (rules,), setup.seed, language=language, beside=self.trace)

    def worst(self, row: Row, language: Language) -> Asked | None:
        """The scenario in which a flip does most, as released and flipped; None where it does nothing."""
        found = row.worst(self.setup.era)
        if found is None:
            return None
        script, era = scenario(found.scenario), self.setup.era
        flips = {name: value for name, value in row.settings if name not in SETTING}
        eras = (era, with_switches(era, flips)) if flips else (era,)
        return Asked(script, eras, language=language)

    def as_released(self, language: Language) -> Asked:
        """The run alone, as it is open already: nothing is flipped."""
        return Asked(self.setup.scenario, (), self.setup.seed, language=language, beside=self.trace)

    @property
    def command(self) -> str:
        """What a terminal gives the same figures by. Settings stand in the script, and are not named."""
        setup = self.setup
        switches = (
            *setup.era.overrides,
            *((name, value) for name, value in self.flipped if name not in SETTING),
        )
        return " ".join(
            (
                f"tidegauge ablate {setup.scenario.id} --era {setup.era.id}",
                *(f"--set {name}={value}" for name, value in switches),
            )
        )

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
    flipped: list[tuple[str, str]] = []
    for one in factors_between(setup, second):
        if one.kind == "switch":
            flipped.append((one.name, one.right))
        elif one.name in _KAFKAS:
            flipped.append((_KAFKAS[one.name], value_of(second, _KAFKAS[one.name])))
        else:
            return Board(traces[0], setup)
    return Board(traces[0], setup, tuple(flipped), traces[1])


_KAFKAS: Final = {field: name for name, field in FIELDS.items()}


def _unmet(trace: Trace) -> set[int]:
    """The numbers of the steps of which a run did not see the end that they wait for."""
    columns = trace.columns
    return set(columns["aux"][columns["kind"] == NUMBER["condition_not_met"]].tolist())


def rows_of(found: Ablation) -> tuple[Row, ...]:
    """What can be flipped, by groups; in each what makes the run worse first, what mends it, and the rest."""
    plain = found.outcome
    pairs = [
        Row(chosen, outcome, Effect.WORSE)
        for chosen, outcome in zip(found.minimal_sets, found.set_outcomes, strict=True)
        if len(chosen) > 1
    ]
    single = [
        Row((one,), one.outcome, effect_of(one, plain)) for one in (*found.protections, *found.settings)
    ]
    every = [*pairs, *single]
    order = list(Effect)
    return tuple(
        row
        for group in Group
        for row in sorted(
            (one for one in every if one.group is group), key=lambda one: order.index(one.effect)
        )
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
        found = known(self.setup)
        if found is None:
            found = ablate(self.setup, work)
            remember(self.setup, found)
        return found


_FOUND: OrderedDict[Key, Ablation] = OrderedDict()
"""Only the thread that answers writes it."""


def known(setup: Setup) -> Ablation | None:
    """What was found of a run before."""
    return _FOUND.get(setup.key)


def remember(setup: Setup, found: Ablation) -> None:
    """Keep what was found of a run; of the runs before, the last ones stay."""
    _FOUND[setup.key] = found
    while len(_FOUND) > _KEPT:
        _FOUND.popitem(last=False)
