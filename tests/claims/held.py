"""Every sentence of a run at every event, held against its predicate."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core.diagnose.narrate.why import Why, why
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import ERAS, Era, with_switches
from core.kafka.protocols import under_metadata_version
from core.kafka.switches import SWITCHES
from core.message import Message
from core.sim.chance import Chance
from core.sim.library import scenario
from core.sim.protocols import metadata_version
from gui.workspace.script_lines import script_lines
from tests.claims import (
    clients,
    control,
    cuts,
    data,
    directories,
    fetches,
    metadata,
    processes,
    quorum,
    releases,
    tiers,
    transactions,
)
from tests.claims.claim import CLAIMS, At, messages_in
from tests.claims.world import Run
from tests.runs import played

PREDICATES: Final = (
    clients,
    control,
    cuts,
    data,
    directories,
    fetches,
    metadata,
    processes,
    quorum,
    releases,
    tiers,
    transactions,
)
"""Imported for their predicates."""
PARTS: Final = frozenset(
    (
        "broker.number",
        "controller.number",
        "why.broker.some",
        "why.broker.nobody",
        "why.consumer.unnamed",
        "why.no-records",
        "why.set",
        "why.set.more",
        "why.set.empty",
        "why.state.no-isr",
        "why.rule-since",
        "why.watermark.fetched.more",
    )
)
"""Words within sentences, which claim nothing by themselves."""
SEED: Final = 19
_ENDLESS: Final = 10_000
"""More events than any scenario has in any era: brokers ask each other the same without end, or nearly so."""


@dataclass(slots=True)
class Tally:
    """How often each sentence was said, and how often it held; `broken` says where it did not."""

    said: Counter[str] = field(default_factory=Counter[str])
    held: Counter[str] = field(default_factory=Counter[str])
    undecided: Counter[str] = field(default_factory=Counter[str])
    broken: list[str] = field(default_factory=list[str])

    def add(self, other: "Tally") -> None:
        self.said.update(other.said)
        self.held.update(other.held)
        self.undecided.update(other.undecided)
        self.broken += other.broken


def every_message(found: Why) -> Iterator[tuple[Message, Message]]:
    """(whole sentence, message in it) of an answer."""
    rest = [one for one in (found.rule, found.since) if one is not None]
    for whole in (found.title, *found.sentences, *rest):
        for one in messages_in(whole):
            yield whole, one


@lru_cache(maxsize=1)
def judged(run: Run) -> tuple[History, PartitionVerdict]:
    """What the sentences of a run are made from. The inspector and the story of the last run share it."""
    history = open_history(run.trace, run.partition)
    return history, diagnose_partition(history)


def hold(run: Run, name: str) -> Tally:
    """The sentences of the inspector at each event of a simulated run."""
    history, verdict = judged(run)
    lines = script_lines(run.trace, "en")
    tally = Tally()
    for place, event in enumerate(run.events):
        for whole, one in every_message(why(history, verdict, event.seq + 1, lines)):
            if one.id in PARTS:
                continue
            tally.said[one.id] += 1
            predicate = CLAIMS.get(one.id)
            if predicate is None:
                tally.broken.append(f"{one.id}: no predicate")
            elif predicate(At(run, place, one, whole)):
                tally.held[one.id] += 1
            else:
                tally.broken.append(f"{one.id}: {name}, event {event.seq} ({event.kind})")
    return tally


def runs_of(name: str, rules: Era) -> Iterator[Run]:
    """A scenario in an era, one run for each of its partitions.

    Nothing of a run without end, which switches can give that no release has together: its 240,000 events
    say the same again and again.
    """
    script = scenario(name)
    run = played(name, rules)
    if rules.overrides and len(run.trace) > _ENDLESS:
        return
    of_cluster = under_metadata_version(rules, metadata_version(script, rules))
    for partition in range(len(run.trace.partitions)):
        yield Run(run.trace, run.truth, script, of_cluster, partition)


def flips(name: str) -> Iterator[Era]:
    """Each switch at each of its values, flipped alone, in an era that lacks the value."""
    chance = Chance(SEED)
    for switch in SWITCHES:
        for value in switch.values:
            without = [one for one in ERAS if getattr(one.switches, switch.field) != value]
            if not without:
                continue
            place = chance.below(len(without), name, switch.name, value)
            yield with_switches(without[place], {switch.name: value})


def hold_scenario(name: str, rules: Era) -> Tally:
    """All partitions of a scenario."""
    tally = Tally()
    for run in runs_of(name, rules):
        tally.add(hold(run, f"{name} in {rules.name}"))
    return tally
