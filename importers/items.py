"""A draft that knows its broker, its time and its source: what is put in order."""

from dataclasses import dataclass

from importers.drafts import Said


@dataclass(frozen=True, slots=True)
class Item:
    """One event to be. `at` is UTC after clock correction; `rank` decides at equal times, lower first."""

    at: int
    rank: int
    source: int
    byte: int
    line: int
    ordinal: int
    broker: int | None
    rule: str
    said: Said

    @property
    def place(self) -> tuple[int, int, int, int, int]:
        """How items without other evidence are ordered: time, then the kind of file, then the place in it."""
        return self.at, self.rank, self.source, self.byte, self.ordinal


def about(item: Item) -> int | None:
    """The broker that the item is about."""
    return item.broker if item.said.replica is None else item.said.replica
