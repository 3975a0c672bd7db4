"""What would have prevented a loss or a divergence: releases and settings, each tried in a run."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, LiteralString

from core.kafka.eras import ERAS, Era
from core.message import Count, Listing, Message, message
from core.sim.ablation.outcome import Outcome, outcome_of
from core.sim.ablation.settings import asked_acks
from core.sim.ablation.setup import Setup
from core.sim.script import Scenario
from core.work import QUIET, Work

_MIN_ISR: Final = 2


@dataclass(frozen=True, slots=True)
class Tried:
    """A run of the script with something changed."""

    what: LiteralString
    """A release by its era, or the id of the sentence on settings."""
    outcome: Outcome

    @property
    def prevents(self) -> bool:
        """Whether nothing is lost, and no logs differ."""
        return not self.outcome.records_lost and not self.outcome.offsets_diverged


@dataclass(frozen=True, slots=True)
class Advice:
    """What was tried. `releases` are those after the run's own, oldest first."""

    setup: Setup
    outcome: Outcome
    releases: tuple[tuple[Era, Outcome], ...]
    settings: tuple[Tried, ...]

    @property
    def first_release(self) -> Era | None:
        """The first release in which nothing is lost and no logs differ."""
        return next((one for one, outcome in self.releases if _is_whole(outcome)), None)

    @property
    def first_without_divergence(self) -> Era | None:
        """The release from which on no logs differ, of a run in which they do."""
        found: Era | None = None
        for one, outcome in reversed(self.releases):
            if not self.outcome.offsets_diverged or outcome.offsets_diverged:
                break
            found = one
        return found


def _is_whole(outcome: Outcome) -> bool:
    return not outcome.records_lost and not outcome.offsets_diverged


def advise(setup: Setup, work: Work = QUIET) -> Advice | None:
    """What prevents the losses and divergences of a run; None where it has none.

    Every later release is tried with its own switches, and in the run's own release the settings that people
    reach for, alone and together. Raises CancelledError if `work` was stopped.
    """
    outcome = outcome_of(setup.run(work))
    if _is_whole(outcome):
        return None
    later = ERAS[[one.id for one in ERAS].index(setup.era.id) + 1 :]
    releases = tuple((one, outcome_of(replace(setup, era=one).run(work))) for one in later)
    settings = tuple(
        Tried(what, outcome_of(replace(setup, scenario=script).run(work)))
        for what, script in _settings(setup)
    )
    return Advice(setup, outcome, releases, settings)


def _settings(setup: Setup) -> Iterator[tuple[LiteralString, Scenario]]:
    """The scripts with settings changed, as far as that changes them."""
    script = setup.scenario
    unclean = script.settings.unclean_election
    if unclean or (unclean is None and setup.era.switches.unclean_election == "true"):
        yield "advice.setting.unclean", _with_settings(script, unclean_election=False)
    if script.settings.min_isr < _MIN_ISR:
        yield "advice.setting.min-isr", _with_settings(script, min_isr=_MIN_ISR)
    asked = all(acks == -1 for acks in asked_acks(script))
    every = script if asked else _with_settings(script, acks=-1)
    if not asked:
        yield "advice.setting.acks", every
        yield "advice.setting.acks-and-min-isr", _with_settings(every, min_isr=_MIN_ISR)
    both = _with_settings(every, min_isr=_MIN_ISR, unclean_election=False)
    if both != script:
        yield "advice.setting.all", both


def _with_settings(script: Scenario, **values: int) -> Scenario:
    return replace(script, settings=replace(script.settings, **values))


def advice_messages(advice: Advice) -> Iterator[Message]:
    """The advice in sentences: the release, the settings, and what does not help, all of them tried."""
    own, first = advice.setup.era.name, advice.first_release
    tried = Count(len(advice.releases) + len(advice.settings))
    if first is None:
        yield message("advice.no-release", own=own)
        agreeing = advice.first_without_divergence
        if agreeing is not None:
            yield message("advice.release.no-divergence", release=agreeing.id)
    else:
        outcome = dict(advice.releases)[first]
        if outcome.leaderless_s:
            yield message("advice.release.leaderless", release=first.id, seconds=outcome.leaderless_s)
        else:
            yield message("advice.release", release=first.id)
        order = [one for one, _ in advice.releases]
        again = [one.id for one, result in advice.releases[order.index(first) :] if not _is_whole(result)]
        if again:
            yield message("advice.again", releases=Listing(tuple(again)))
    helping = [one for one in advice.settings if one.prevents]
    for one in helping:
        setting = message(one.what)
        if one.outcome.leaderless_s:
            seconds = one.outcome.leaderless_s
            yield message("advice.setting.leaderless", setting=setting, own=own, seconds=seconds)
        else:
            yield message("advice.setting", setting=setting, own=own)
    others = tuple(message(one.what) for one in advice.settings if not one.prevents)
    if others:
        yield message("advice.no-help", settings=Listing(others), own=own)
    yield message("advice.replayed", count=tried)
