"""Whether two sources are of one cluster: what speaks for it and what against it, and what is proposed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.compare.comparison import Run
from core.history.running import releases_of
from core.history.state import History
from core.message import Listing, Message, message
from core.trace.settings import CLUSTER_ID
from core.trace.trace import Trace


class Answer(StrEnum):
    """What a person says."""

    NONE = ""
    TWO = "two"
    ONE = "one"


@dataclass(frozen=True, slots=True)
class Question:
    """One cluster or two? Until it is answered they are two."""

    name: str
    """Of the source that came second."""
    one: bool
    """What is proposed."""
    reasons: tuple[Message, ...]
    paths: tuple[str, ...] = ()
    """From where both can be read as one incident."""
    answer: Answer = Answer.NONE
    asked_in: int = 0
    """Of an incident that was made of two: the tab in which they are compared."""


def question_of(first: Run, second: Run, paths: Sequence[str] = ()) -> Question:
    """What to ask of two runs, each of its own source.

    One cluster is proposed only where something proves it: the cluster id, or terms of the partition that
    continue under the same replicas. What is alike by chance proves nothing.
    """
    traces = first.history.trace, second.history.trace
    ids = [trace.facts.get(CLUSTER_ID, "") for trace in traces]
    terms = _terms(first.history, second.history)
    replicas = _same_replicas(*traces)
    one = ids[0] == ids[1] if all(ids) else terms is _Terms.CONTINUE and replicas is not False
    reasons = (
        *_of_ids(ids),
        *_of_releases(*traces),
        _SAID[terms],
        *_of_replicas(replicas),
        *_of_time(*traces),
    )
    return Question(traces[1].name, one, reasons, tuple(paths))


class _Terms(StrEnum):
    CONTINUE = "continue"
    DIFFER = "differ"
    UNKNOWN = "unknown"


_SAID: Mapping[_Terms, Message] = {
    _Terms.CONTINUE: message("one-or-two.terms.continue"),
    _Terms.DIFFER: message("one-or-two.terms.differ"),
    _Terms.UNKNOWN: message("one-or-two.terms.unknown"),
}


def _leaders(history: History) -> dict[int, int]:
    """The leader of each epoch of the partition, as far as both are known at one instant."""
    found: dict[int, int] = {}
    for cursor, epoch in zip(history.leader_epoch.cursors, history.leader_epoch.values, strict=True):
        leader = history.leader.at(cursor)
        if epoch is not None and leader is not None and leader >= 0:
            found[epoch] = leader
    return found


def _terms(first: History, second: History) -> _Terms:
    """Whether the terms of one partition are those of the other: the same leader in each epoch of both.

    Epochs that both have, under one leader each, or those of one that follow on those of the other. An
    epoch says nothing by itself: each new topic begins at 0, so at least one above 0 has to agree.
    """
    names = {str(one.trace.partitions[one.partition].tp) for one in (first, second)}
    mine, other = _leaders(first), _leaders(second)
    if len(names) > 1 or not mine or not other:
        return _Terms.UNKNOWN
    both = mine.keys() & other.keys()
    if any(mine[epoch] != other[epoch] for epoch in both):
        return _Terms.DIFFER
    if any(epoch > 0 for epoch in both):
        return _Terms.CONTINUE
    if both:
        return _Terms.UNKNOWN
    earlier, later = sorted((mine, other), key=max)
    follows = min(later) == max(earlier) + 1
    return _Terms.CONTINUE if follows else _Terms.DIFFER if min(later) <= max(earlier) else _Terms.UNKNOWN


def _same_replicas(first: Trace, second: Trace) -> bool | None:
    """Whether partitions of one name have the same replicas; None where none is assigned in both."""
    known = {str(one.tp): set(one.replicas) for one in first.partitions if one.replicas}
    pairs = [
        (known[str(one.tp)], set(one.replicas))
        for one in second.partitions
        if one.replicas and str(one.tp) in known
    ]
    return all(one == other for one, other in pairs) if pairs else None


def _of_ids(ids: Sequence[str]) -> tuple[Message, ...]:
    if not all(ids):
        return ()
    if ids[0] == ids[1]:
        return (message("one-or-two.id.same", name=ids[0]),)
    return (message("one-or-two.id.other", first=ids[0], second=ids[1]),)


def _of_releases(first: Trace, second: Trace) -> tuple[Message, ...]:
    mine, other = releases_of(first), releases_of(second)
    if not mine or not other:
        return ()
    if mine == other:
        return (message("one-or-two.releases.same", names=Listing(mine)),)
    return (message("one-or-two.releases.other", first=Listing(mine), second=Listing(other)),)


def _of_replicas(same: bool | None) -> tuple[Message, ...]:
    if same is None:
        return ()
    return (message("one-or-two.replicas.same") if same else message("one-or-two.replicas.other"),)


def _of_time(first: Trace, second: Trace) -> tuple[Message, ...]:
    if not len(first) or not len(second):
        return ()
    begins = [int(trace.columns["at"][0]) for trace in (first, second)]
    ends = [int(trace.columns["at"][-1]) for trace in (first, second)]
    shared = max(begins) <= min(ends)
    return (message("one-or-two.time.shared") if shared else message("one-or-two.time.apart"),)
