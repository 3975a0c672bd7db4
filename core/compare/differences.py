"""Where runs differ, and by which decision.

States are compared at the end of each span between two anchors, where all runs have done what belongs to
it. Runs of one script are compared by value and by what their logs hold; other runs by role, in-sync set and
what was lost, since their offsets have nothing to do with each other. What is not known of one run differs
from nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Final

from core.compare.comparison import Difference, Run, Stop
from core.compare.decisions import Answer, RunSpan, cut_answer, cut_question, value_answer, value_question
from core.history.state import ReplicaState, Role
from core.message import Message, message

_DECIDED: Final = ("leader", "isr", "leo", "hw")
"""What a decision other than a cut may set apart, strongest first. A role follows from the leader."""
_OF_PARTITION: Final = {"leader": message("compare.leader"), "isr": message("compare.in-sync-set")}
"""What is apart of the partition itself, and of no single replica."""
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences in the order of stops; the other two are as in Comparison."""

    found: tuple[Difference, ...]
    differing: tuple[tuple[int, ...], ...]
    between: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(slots=True)
class _Pair:
    """What is known of two neighbouring runs so far. `differing` has the places that differ, by stop."""

    runs: tuple[int, int]
    differing: list[set[int]]
    apart: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    """Attributes that differ, by place of the replica; -1 is the partition."""
    found: int = 0

    def places(self) -> set[int]:
        """The replicas that differ now."""
        return {place for place in self.apart if place >= 0}


@dataclass(frozen=True, slots=True)
class _Decision:
    """What differs, of whom it is, and the decision behind it: the question, and what each run answered."""

    attribute: str
    subject: Message
    question: Message
    left: Answer
    right: Answer


def find_differences(
    runs: Sequence[Run],
    lines: Sequence[Sequence[int]],
    stops: Sequence[Stop],
    heads: Sequence[int],
    *,
    exact: bool,
) -> Differences:
    """Walk the spans between anchors and note what sets neighbours apart.

    `lines` has each run's brokers by place, `heads` the stops that are anchors. `exact` compares values.
    """
    pairs = [_Pair(neighbours, [set() for _ in stops]) for neighbours in pairwise(range(len(runs)))]
    found: list[Difference] = []
    for head, end in zip(heads, [*(place - 1 for place in heads[1:]), len(stops) - 1], strict=True):
        before = stops[max(head - 1, 0)].cursors
        spans = [
            RunSpan(run, before[index], stops[end].cursors[index], tuple(lines[index]))
            for index, run in enumerate(runs)
        ]
        values = [_values(span, exact=exact) for span in spans]
        for pair in pairs:
            held = pair.places()
            since: dict[int, int] = {}
            for place, difference in _newly(pair, spans, values, stops, end, exact=exact):
                found.append(difference)
                since[place] = difference.stop
            now = pair.places()
            for stop in range(head, end):
                begun = {place for place in now if stop >= since.get(place, end)}
                pair.differing[stop] = held | begun
            pair.differing[end] = now
    found.sort(key=lambda difference: difference.stop)
    return Differences(
        tuple(found),
        tuple(
            _brokers(lines[0], set[int]().union(*(pair.differing[stop] for pair in pairs)))
            for stop in range(len(stops))
        ),
        tuple(tuple(_brokers(lines[pair.runs[0]], places) for places in pair.differing) for pair in pairs),
    )


def _brokers(line: Sequence[int], places: Collection[int]) -> tuple[int, ...]:
    return tuple(broker for place, broker in enumerate(line) if place in places)


def _values(span: RunSpan, *, exact: bool) -> dict[int, Values]:
    """What is compared of each replica, by place, and of the partition (-1), at the end of a span."""
    run, cursor = span.run, span.end
    state = run.history.at(cursor)
    place = {broker: index for index, broker in enumerate(span.line)}
    found: dict[int, Values] = {
        -1: {
            # Between two terms nobody leads; logs of other times stand elsewhere in that gap.
            "leader": place.get(state.leader, None if not exact else -1)
            if state.leader is not None
            else None,
            "isr": None if state.isr is None else frozenset(place.get(broker, -1) for broker in state.isr),
        },
    }
    for broker, index in place.items():
        replica = state.replica(broker)
        common = {"role": None if replica.role == Role.UNKNOWN else replica.role}
        if exact:
            found[index] = {**common, "leo": replica.leo.exact, "hw": replica.hw.exact, **_held(replica)}
        else:
            found[index] = {**common, "lost": span.lost_so_far(broker)}
    return found


def _held(replica: ReplicaState) -> Values:
    """What a log holds, where that is known up to its end: the records by name, else the runs of epochs.

    Two logs of one length may hold different records. Names come first: the same record may have another
    epoch in another release, because controllers count epochs differently.
    """
    end = replica.leo.exact
    held = replica.runs[-1].end if replica.runs else 0
    if end is None or held != end:
        return {}
    if all(len(run.records) == run.end - run.start for run in replica.runs):
        return {"records": tuple(chain.from_iterable(run.records for run in replica.runs))}
    return {"epochs": tuple((run.epoch, run.start, run.end) for run in replica.runs)}


def _differing(left: Values, right: Values) -> set[str]:
    """Names of values that both runs know, and that are not the same."""
    return {
        name
        for name, value in left.items()
        if value is not None and right.get(name) is not None and value != right[name]
    }


def _newly(
    pair: _Pair,
    spans: Sequence[RunSpan],
    values: Sequence[Mapping[int, Values]],
    stops: Sequence[Stop],
    end: int,
    *,
    exact: bool,
) -> Iterator[tuple[int, Difference]]:
    """(place, difference) for each decision of this span that sets the pair apart."""
    first, second = pair.runs
    left, right = spans[first], spans[second]
    for place in sorted(set(values[first]) & set(values[second])):
        apart = _differing(values[first][place], values[second][place])
        fresh = apart - pair.apart.get(place, set())
        if apart:
            pair.apart[place] = apart
        else:
            pair.apart.pop(place, None)
        new = _new_decision(pair, left, right, place, fresh, exact=exact)
        if new is None:
            continue
        answers = (new.left, new.right)
        stop = max(
            _stop_of(stops, run, answer.seq, end) for run, answer in zip(pair.runs, answers, strict=True)
        )
        pair.found += 1
        yield (
            place,
            Difference(
                stop=stop,
                runs=pair.runs,
                subject=new.subject,
                decision=new.question,
                left=new.left.message,
                right=new.right.message,
                rules=tuple(dict.fromkeys(answer.rule for answer in answers if answer.rule is not None)),
                seqs=(new.left.seq, new.right.seq),
                attribute=new.attribute,
                broker=left.line[place] if place >= 0 else -1,
            ),
        )


def _new_decision(
    pair: _Pair,
    left: RunSpan,
    right: RunSpan,
    place: int,
    fresh: set[str],
    *,
    exact: bool,
) -> _Decision | None:
    """The decision behind the `fresh` attributes that differ; None where these only follow."""
    if place >= 0:
        if left.cuts(place, exact=exact) != right.cuts(place, exact=exact):
            asked, other = (left, right) if left.cuts(place, exact=exact) else (right, left)
            return _Decision(
                "cut",
                message("compare.value", value=left.name(place)),
                cut_question(asked, other, place),
                cut_answer(left, place),
                cut_answer(right, place),
            )
        if left.cuts(place, exact=exact):
            return None  # Cut alike: what was apart before stays apart, and no decision made it so.
    # After the first difference values drift apart by themselves; a leader or in-sync set is chosen anew.
    named = [name for name in _DECIDED if name in fresh and (name in ("leader", "isr") or not pair.found)]
    if not named:
        return None
    name = named[0]
    return _Decision(
        name,
        _OF_PARTITION[name] if place < 0 else message("compare.value", value=left.name(place)),
        value_question(left, place, name),
        value_answer(left, place, name),
        value_answer(right, place, name),
    )


def _stop_of(stops: Sequence[Stop], run: int, seq: int | None, end: int) -> int:
    """The first stop that has applied an event, at the latest the end of the span."""
    if seq is None:
        return end
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        if stops[middle].cursors[run] > seq:
            high = middle
        else:
            low = middle + 1
    return low
