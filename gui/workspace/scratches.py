"""The temporary folders of what is open in all windows: they go when the last who uses them lets go."""

from pathlib import Path

from core.leftovers import Scratch, scratch_folder


class Scratches:
    """One folder of their own, and those that were taken over from dead processes."""

    def __init__(self) -> None:
        """The folder is made."""
        self.own = scratch_folder()
        self._all = [self.own]
        self._users = 0

    def use(self) -> "Scratches":
        """One more uses them, until it calls `leave`."""
        self._users += 1
        return self

    def leave(self) -> None:
        """One less uses them; with the last one they go."""
        self._users -= 1
        if not self._users:
            for scratch in self._all:
                scratch.close()

    def add(self, scratch: Scratch) -> None:
        """Keep another folder as long."""
        self._all.append(scratch)

    def of(self, path: str) -> Scratch | None:
        """The folder that a document of no name lies in; None for one that a person named."""
        return next((one for one in self._all if Path(path).is_relative_to(one.path)), None)
