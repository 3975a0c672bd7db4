"""Each rule of a run at another of its values: what the run then costs, alone and two together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from core.kafka.eras import with_switches
from core.kafka.switches import SWITCHES, Switch
from core.message import message
from core.sim.ablation.outcome import Outcome, outcome_of
from core.sim.ablation.settings import SETTINGS, value_of, with_setting
from core.sim.ablation.setup import Setup, same_events
from core.sim.truth import Promise
from core.trace.trace import Trace
from core.work import QUIET, Work


@dataclass(frozen=True, slots=True)
class Protection:
    """A switch or a setting and one other value of it: `on` is the newer, or the one that protects."""

    switch: Switch
    on: str
    off: str
    is_on: bool
    """Whether the run has the newer one; then flipping takes the protection out."""
    outcome: Outcome
    """What the run costs with the switch flipped."""
    acts: bool
    """Whether any event differs then."""

    @property
    def other(self) -> str:
        """The value that the run does not have."""
        return self.off if self.is_on else self.on

    @property
    def setting(self) -> str:
        """How it is flipped, as `--set` takes it of a switch."""
        return f"{self.switch.name}={self.other}"


@dataclass(frozen=True, slots=True)
class Ablation:
    """A run with each of its protections flipped.

    `minimal_sets` are protections that are on, one or two, without which the run costs more: of two, either
    alone costs nothing more.
    """

    setup: Setup
    outcome: Outcome
    protections: tuple[Protection, ...]
    minimal_sets: tuple[tuple[Protection, ...], ...]
    set_outcomes: tuple[Outcome, ...]
    """What the run costs without each of `minimal_sets`."""
    settings: tuple[Protection, ...] = ()
    """Settings that people reach for, each at the value that the script does not have."""


def costs_more(one: Outcome, than: Outcome) -> bool:
    """Whether more is lost, more offsets differ, or nobody leads for longer, by a second or more.

    A committed record in the place of one that was only acknowledged is more.
    """
    return (
        one.records_lost > than.records_lost
        or one.lost_of(Promise.COMMITTED) > than.lost_of(Promise.COMMITTED)
        or one.offsets_diverged > than.offsets_diverged
        or one.leaderless_s > than.leaderless_s
    )


def ablate(setup: Setup, work: Work = QUIET) -> Ablation:
    """The run with each switch at each of its other values, then without two protections at once.

    Two of which neither changes any event alone are not tried together. Raises CancelledError if `work` was
    stopped.
    """
    plain = setup.run()
    outcome = outcome_of(plain)
    values = [
        (switch, value)
        for switch in SWITCHES
        for value in switch.values
        if value != getattr(setup.era.switches, switch.field)
    ]
    found: list[Protection] = []
    for place, (switch, value) in enumerate(values):
        work.step(place, len(values), message("progress.named", name=switch.name))
        found.append(_flipped(setup, plain, switch, value))
    alone = tuple((one,) for one in found if one.is_on and costs_more(one.outcome, outcome))
    harmless = [one for one in found if one.is_on and not costs_more(one.outcome, outcome)]
    pairs = _pairs(setup, outcome, harmless, work)
    sets = (*alone, *(pair for pair, _ in pairs))
    outcomes = (*(one.outcome for (one,) in alone), *(cost for _, cost in pairs))
    settings = tuple(_with_other_value(setup, plain, one) for one in SETTINGS)
    return Ablation(setup, outcome, tuple(found), sets, outcomes, settings)


def _flipped(setup: Setup, plain: Trace, switch: Switch, value: str) -> Protection:
    now = getattr(setup.era.switches, switch.field)
    return _protection(switch, now, value, plain, _with(setup, {switch.name: value}).run())


def _with_other_value(setup: Setup, plain: Trace, setting: Switch) -> Protection:
    """A setting at its other value; the text of the script stays, so that events keep their lines."""
    now = value_of(setup, setting.name)
    value = next(one for one in setting.values if one != now)
    script = setup.scenario
    changed = replace(script, settings=with_setting(script.settings, setting.name, value))
    return _protection(setting, now, value, plain, replace(setup, scenario=changed).run())


def _protection(switch: Switch, now: str, value: str, plain: Trace, trace: Trace) -> Protection:
    is_on = switch.values.index(value) < switch.values.index(now)
    return Protection(
        switch,
        on=now if is_on else value,
        off=value if is_on else now,
        is_on=is_on,
        outcome=outcome_of(trace),
        acts=not same_events(plain, trace),
    )


def _pairs(
    setup: Setup, outcome: Outcome, harmless: Sequence[Protection], work: Work
) -> tuple[tuple[tuple[Protection, ...], Outcome], ...]:
    pairs = [
        (one, other)
        for one, other in combinations(harmless, 2)
        if one.switch is not other.switch and (one.acts or other.acts)
    ]
    costly: list[tuple[tuple[Protection, ...], Outcome]] = []
    for place, pair in enumerate(pairs):
        names = f"{pair[0].switch.name}, {pair[1].switch.name}"
        work.step(place, len(pairs), message("progress.named", name=names))
        trace = _with(setup, {one.switch.name: one.other for one in pair}).run()
        cost = outcome_of(trace)
        if costs_more(cost, outcome):
            costly.append((pair, cost))
    return tuple(costly)


def _with(setup: Setup, values: dict[str, str]) -> Setup:
    return Setup(setup.scenario, with_switches(setup.era, values), setup.seed)
