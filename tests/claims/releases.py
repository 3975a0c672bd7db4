"""The releases that stand beside a rule, held against the release of the broker that the event is about."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from core.message import Listing
from tests.claims.claim import At, claim
from tests.claims.world import Run

Release = tuple[int, ...]


def _always(_: Release) -> bool:
    return True


SPANS: Final[Mapping[str, Callable[[Release], bool]]] = MappingProxyType(
    {
        "why.since.every": _always,
        "why.since.first": _always,
        "why.since.isr": _always,
        "why.since.isr.leaves": _always,
        "why.since.acks": _always,
        "why.since.leaderless": _always,
        "why.since.cut.high-watermark": _always,  # Later ones only where no epoch is known: see below.
        "why.since.cut.leader-end": _always,  # To 2.0.0 only with unclean election: see below.
        "why.since.answer": _always,
        "why.since.parked": lambda one: not (2, 4) <= one < (2, 6),
        "why.since.parked.woken": lambda one: (2, 4) <= one < (2, 6),
        "why.since.epochs": lambda one: one >= (0, 11),
        "why.since.idempotence": lambda one: one >= (0, 11),
        "why.since.sequence": lambda one: one >= (0, 11),
        "why.since.duplicate": lambda one: one >= (1, 0),
        "why.since.watermark.cut": lambda one: one >= (2, 4),
        "why.since.kraft": lambda one: one >= (2, 8),
        "why.since.topic-ids": lambda one: one >= (2, 8),
        "why.since.diverging-epoch": lambda one: one >= (2, 8),
        "why.since.epoch-end": lambda one: (0, 11) <= one < (4, 0),
        "why.since.zookeeper": lambda one: one < (4, 0),
        "why.since.elr": lambda one: one >= (4, 0),
    }
)
"""By the text on releases: whether it leaves a release in. From 2.8 to 3.9 an older protocol may be set."""


def release_of(run: Run, broker: int | None) -> Release | None:
    """The release of a broker, or the one that all have; None where no line states it."""
    known = {int(one.broker_id): _numbers(one.version) for one in run.trace.brokers if one.version}
    if broker in known:
        return known[broker]
    return next(iter(known.values())) if len(set(known.values())) == 1 else None


def _numbers(version: str) -> Release:
    return tuple(int(part) for part in version.split("-", maxsplit=1)[0].split(".") if part.isdigit())


@claim(*(one for one in SPANS if not one.startswith("why.since.cut.")), by_lines=True)
def the_release_is_left_in(at: At) -> bool:
    release = release_of(at.run, at.event.get("replica") or at.event.get("broker"))
    return release is None or SPANS[at.message.id](release)


@claim("why.since.set")
def a_switch_is_set_by_hand(at: At) -> bool:
    """All that are set by hand, or that of the rule alone."""
    said = at.said["switches"]
    named = tuple(f"{name}={value}" for name, value in at.run.rules.overrides)
    return isinstance(said, Listing) and said.items != () and set(said.items) <= set(named)


@claim("why.since.answer.after", "why.since.log-end")
def no_release_has_it(at: At) -> bool:
    """What documents say, or a reader asks: the switch of the run is set by hand."""
    value = "after" if at.message.id.endswith("after") else "log-end"
    return value in dict(at.run.rules.overrides).values() and at.run.rules.overrides != ()


@claim("why.since.cut.high-watermark", "why.rule.cut.high-watermark")
def by_the_own_high_watermark(at: At) -> bool:
    """To 0.10.2 always; later where the own cache is empty, or the leader's answer names no offset."""
    if at.run.rules.switches.truncation == "high-watermark" or not at.before.of(at.who).entries:
        return True
    for event, _, _ in at.earlier():
        if event.kind in ("epoch_end_answered", "fetch_diverged") and event.get("replica") == at.who:
            return event.values["offset"] < 0
    return False


@claim("why.since.cut.leader-end", "why.rule.cut.leader-end")
def by_the_end_of_the_leader(at: At) -> bool:
    unclean = at.run.script.settings.unclean_election
    switches = at.run.rules.switches
    allowed = switches.unclean_election == "true" if unclean is None else unclean
    return switches.out_of_range == "cut" or allowed
