"""Writing step functions place by place."""

from typing import Generic, TypeVar

from core.history.state import Steps
from core.history.view import View

T = TypeVar("T")


class StepWriter(Generic[T]):
    """Collects the changes of one value.

    Places must not go back; a second value at a place replaces the first.
    """

    def __init__(self, start: T) -> None:
        """`start` holds from cursor 0 on."""
        self._places: list[int] = [0]
        self._values: list[T] = [start]

    @property
    def value(self) -> T:
        """What holds after the last change."""
        return self._values[-1]

    def put(self, place: int, value: T) -> None:
        """From `place` on it is `value`."""
        if value == self._values[-1]:
            return
        if place == self._places[-1]:
            self._values[-1] = value
            return
        self._places.append(place)
        self._values.append(value)

    def steps(self, view: View) -> Steps[T]:
        """The step function over cursors of the whole trace."""
        return Steps(tuple(view.cursors[place] for place in self._places), tuple(self._values))

    def each(self, places: int) -> list[T]:
        """The value at every place 0..places-1."""
        spread: list[T] = []
        for number, value in enumerate(self._values):
            end = self._places[number + 1] if number + 1 < len(self._places) else places
            spread.extend([value] * (end - self._places[number]))
        return spread[:places]
