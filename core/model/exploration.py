"""What an exploration finds, and where it ends early. Both engines give this."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from core.model.invariants import Invariant

S = TypeVar("S")

EndedBy: TypeAlias = Literal["", "states", "depth", "memory", "time", "violation"]
"""Why the exploration ended: "" where all states were seen."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """Where to end early. A level of the search that would go beyond is left out whole."""

    states: int | None = None
    """So many distinct states at most."""
    depth: int | None = None
    """Behaviours of so many states at most."""
    memory_bytes: int | None = None
    """So much for states at most, as each engine reckons it."""
    out_of_time: Callable[[], bool] = _never
    """Asked often."""
    until_violation: bool = False
    """End with the level in which the last of the invariants that were asked has been broken."""

    def end_before(self, states: int, held_bytes: int) -> EndedBy:
        """Why there may not be so many states, which take so much; "" where there may."""
        if self.states is not None and states > self.states:
            return "states"
        if self.memory_bytes is not None and held_bytes > self.memory_bytes:
            return "memory"
        return "time" if self.out_of_time() else ""

    def end_after(self, depth: int, *, all_broken: bool) -> EndedBy:
        """Why there is no further level after so many; "" where there is."""
        if self.until_violation and all_broken:
            return "violation"
        return "depth" if self.depth is not None and depth >= self.depth else ""


UNLIMITED: Final = Limits()


@dataclass(frozen=True, slots=True)
class Counterexample(Generic[S]):
    """A shortest behaviour to a state in which the invariant does not hold: states, and the steps between."""

    states: tuple[S, ...]
    steps: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True, slots=True)
class Verdict(Generic[S]):
    """Of one invariant. `holds` is None where not all states were seen and none breaks it."""

    invariant: Invariant[S]
    holds: bool | None
    counterexample: Counterexample[S] | None


@dataclass(frozen=True, slots=True)
class Exploration(Generic[S]):
    """Figures and verdicts. `depth` counts the states of the longest shortest behaviour, as TLC does."""

    distinct: int
    depth: int
    ended_by: EndedBy
    verdicts: tuple[Verdict[S], ...]

    @property
    def exhausted(self) -> bool:
        """Whether all states were seen."""
        return not self.ended_by
