"""From a case to min.insync.replicas of its topic, place by place, as far as something states it."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.diagnose.verdict.case import Case
from core.trace.ids import Place
from core.trace.settings import script_tables, topic_setting_over_time

NAME: Final = "min.insync.replicas"
_STEPS: Final = frozenset({"step"})
_NOT_MET: Final = frozenset({"condition_not_met"})


@dataclass(frozen=True, slots=True)
class MinIsr:
    """The values that hold one after the other: each from its place on; None where it is not known."""

    places: tuple[Place, ...] = ()
    values: tuple[int | None, ...] = ()

    def at(self, place: Place) -> int | None:
        """The value after the row of a place; None where it is not known."""
        index = bisect_right(self.places, place) - 1
        return self.values[index] if index >= 0 else None

    def spans(self, first: Place, last: Place) -> Iterator[tuple[Place, Place, int | None]]:
        """The places first..last, `last` not among them, cut where the value changes.

        Each with its first place, the one at which it ends, and the value; None where it is not known.
        """
        begins = (first, *(place for place in self.places if first < place < last))
        for since, until in zip(begins, (*begins[1:], last), strict=True):
            yield since, until, self.at(since)


def min_isr(case: Case) -> MinIsr:
    """What the topic states, else all brokers; of a simulation what its script sets, and each step sets anew.

    The default of Kafka is not an observation; a script runs with it where it names none.
    """
    trace = case.history.trace
    script = script_tables(trace)
    if script is not None:
        return _of_script(case, script)
    stated = topic_setting_over_time(trace, trace.partitions[case.view.partition].tp.topic, NAME)
    at = case.view.rows.column("at")
    places = [Place(int(at.searchsorted(since))) for since, _ in stated]
    values = [int(value) if value is not None and value.isdecimal() else None for _, value in stated]
    return MinIsr(tuple(places), tuple(values))


def _of_script(case: Case, script: Mapping[str, Any]) -> MinIsr:
    steps = list(_unrolled(script.get("step", [])))
    first = int(script.get("settings", {}).get(NAME, 1))
    changes = {number: int(step[NAME]) for number, step in enumerate(steps, start=1) if NAME in step}
    # A change that is asked for while no controller is active has no effect, and no event tells when one is.
    if changes and any(step.get("controller_fails_over") for step in steps):
        return MinIsr()
    missed = {row.aux for row in case.view.rows.of(_NOT_MET)}
    set_anew = [
        (case.place_of(row.seq), changes[row.aux])
        for row in case.view.rows.of(_STEPS)
        if row.aux in changes and row.aux not in missed
    ]
    return MinIsr((Place(0), *(place for place, _ in set_anew)), (first, *(value for _, value in set_anew)))


def _unrolled(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The steps in the order of their numbers: a block is run as often as it says."""
    for step in steps:
        if step.get("do") != "repeat":
            yield step
            continue
        for _ in range(int(step["times"])):
            yield from _unrolled(step["step"])
