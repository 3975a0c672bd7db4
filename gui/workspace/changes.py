"""How those who listen hear of a change: by plain calls, or by whatever the window puts in their place."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Change(Protocol[T]):
    """Tells a value to whoever listens. A signal of Qt is one, too."""

    def connect(self, listener: Callable[[T], object], /) -> object:
        """Call `listener` with each value from now on."""
        ...

    def disconnect(self, listener: Callable[[T], object], /) -> object:
        """Do not call it any more."""
        ...

    def emit(self, value: T, /) -> object:
        """Tell a value."""
        ...


class Told(Generic[T]):
    """A change without Qt: listeners are called at once, in the order in which they came."""

    def __init__(self) -> None:
        """Nobody listens."""
        self._listeners: list[Callable[[T], object]] = []

    def connect(self, listener: Callable[[T], object], /) -> None:
        """Call `listener` with each value from now on."""
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[[T], object], /) -> None:
        """Do not call it any more. Raises ValueError for one that was not called."""
        self._listeners.remove(listener)

    def emit(self, value: T, /) -> None:
        """Tell a value."""
        for listener in tuple(self._listeners):
            listener(value)
