"""What carries the differences of runs, as messages: factors, outcomes beside each other, first changes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, LiteralString

from core.compare.comparison import FirstChange, PairCauses, ResponsibleSet, Run
from core.kafka.switches import SWITCH
from core.message import Listing, Message, Names, Offsets, Value, message
from core.sim.ablation.outcome import Aspect, Outcome
from core.sim.ablation.setup import Factor
from core.sim.truth import Promise
from core.trace.broker_names import broker_value

_ASPECTS: Final[Mapping[Aspect, LiteralString]] = {
    Aspect.LOST: "cause.aspect.lost",
    Aspect.DIVERGED: "cause.aspect.diverged",
    Aspect.LEADERLESS: "cause.aspect.leaderless",
}
_NOTHING: Final = message("cause.nothing")
_DEFAULT: Final = message("cause.default")


def factor_message(one: Factor) -> Message:
    """A factor with its two values, and where a release brought it the release and its ticket."""
    left, right = (value or _DEFAULT for value in (one.left, one.right))
    switch = SWITCH.get(one.name) if one.kind == "switch" else None
    if switch is None or not switch.ticket:
        return message("cause.factor", name=one.name, left=left, right=right)
    return message(
        "cause.factor.released",
        name=one.name,
        left=left,
        right=right,
        release=switch.release,
        ticket=switch.ticket,
    )


def set_message(factors: Sequence[Factor]) -> Message:
    """A set of factors in one line."""
    return message("cause.set", factors=Names(tuple(factor_message(one) for one in factors)))


def aspect_message(aspect: Aspect, pair: PairCauses, run: Run) -> Message:
    """What two outcomes have of an aspect, beside each other. `run` is one of the two: it names brokers."""
    left, right = (_part(aspect, outcome, run) for outcome in pair.outcomes)
    return message(_ASPECTS[aspect], left=left, right=right)


def _part(aspect: Aspect, outcome: Outcome, run: Run) -> Value:
    if aspect is Aspect.LEADERLESS:
        return message("cause.leaderless", seconds=outcome.leaderless_s)
    ranges = tuple(_lost(outcome) if aspect is Aspect.LOST else _diverged(outcome, run))
    return Listing(ranges) if ranges else _NOTHING


def _lost(outcome: Outcome) -> Iterator[Message]:
    for one in outcome.lost:
        records = Offsets(one.first_offset, one.end_offset)
        if one.promise is Promise.COMMITTED:
            yield message("cause.lost.committed", records=records)
        else:
            yield message("cause.lost.acknowledged", records=records)


def _diverged(outcome: Outcome, run: Run) -> Iterator[Message]:
    for one in outcome.diverged:
        brokers = Names(tuple(broker_value(run.history.trace, broker) for broker in one.brokers))
        records = Offsets(one.first_offset, one.end_offset)
        yield message("cause.diverged", records=records, brokers=brokers)


def change_message(change: FirstChange) -> Message:
    """The first event that a set changes, as the run has it, and what is there with the set flipped."""
    end = message("cause.end")
    return message("cause.changes", before=change.before or end, after=change.after or end)


def responsible_messages(sets: Sequence[ResponsibleSet]) -> tuple[Message, ...]:
    """Each set in a line; one that says so where there is none."""
    return tuple(set_message(one.factors) for one in sets) or (message("cause.no-set"),)


def first_messages(pair: PairCauses) -> tuple[Message, ...]:
    """What carries the first difference, a set in a line."""
    return tuple(
        message("cause.first", factors=Names(tuple(factor_message(one) for one in factors)))
        for factors in pair.first
    )
