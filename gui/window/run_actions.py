"""What a person does with the runs of a comparison: another partition in place of one, swapped, closed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gui.panels.run_heads import RunHeads
from gui.text.spoken import tr
from gui.window.person import Person
from gui.workspace.content import Content
from gui.workspace.desk import Desk
from gui.workspace.requests import Side


# Signals of Qt hold those who listen weakly.
@dataclass(frozen=True, slots=True, weakref_slot=True)
class RunActions:
    """On the run of the lane that is selected, or on the one whose head is used."""

    desk: Desk
    heads: RunHeads
    person: Person
    may_leave: Callable[[], bool]
    """Asks about notes that would be lost."""
    offered: Callable[[tuple[Side, ...]], Mapping[str, Side]]
    """The partitions of all that is open, but those that stand here, by how they are named."""

    def connect(self) -> None:
        """Do what the heads are used for."""
        self.heads.partition_wanted.connect(self.another)
        self.heads.swap_wanted.connect(self.swap)
        self.heads.close_wanted.connect(self.close)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on runs, by id."""
        return {
            "run-partition": lambda: self.another(self._run(), ""),
            "swap-runs": lambda: self.swap(self._run()),
            "close-run": lambda: self.close(self._run()),
        }

    def _run(self) -> int:
        """The run of what is selected; the first where nothing is."""
        selected = self.desk.session.selection
        return 0 if selected is None else selected.run

    def _sides(self) -> list[Side]:
        content = self.desk.session.content
        if content is None or content.comparison is None:
            return []
        return [Side(_name(content, place), run.history.trace) for place, run in enumerate(content.runs)]

    def another(self, run: int, name: str) -> None:
        """Put another partition in the place of a run: of the same recording, or "" one that is asked for."""
        sides = self._sides()
        if not run < len(sides):
            return
        if name:
            sides[run] = Side(name, sides[run].trace)
        else:
            offered = self.offered(tuple(sides))
            question = tr("run-heads.which-partition", number=run + 1)
            answer = self.person.choose(question, list(offered), 0) if offered else ""
            if not answer:
                return
            sides[run] = offered[answer]
        self._show(sides)

    def swap(self, run: int) -> None:
        """A run changes places with the next one; the last with the first."""
        sides = self._sides()
        if run < len(sides):
            other = (run + 1) % len(sides)
            sides[run], sides[other] = sides[other], sides[run]
            self._show(sides)

    def close(self, run: int) -> None:
        """A run goes; of two the other one is alone then."""
        sides = self._sides()
        if run < len(sides):
            del sides[run]
            self._show(sides)

    def _show(self, sides: list[Side]) -> None:
        if sides != self._sides() and self.may_leave():
            self.desk.store.compare(tuple(sides), beside=False)


def _name(content: Content, place: int) -> str:
    history = content.runs[place].history
    return str(history.trace.partitions[history.partition].tp)
