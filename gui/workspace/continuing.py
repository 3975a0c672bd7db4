"""A real incident, continued: from a moment of it to a scenario that is edited and run beside it."""

from dataclasses import dataclass

from core.errors import QuestionError
from core.lab.choices import Stance
from core.lab.lift import Lifted, lift
from core.lab.material import material_of
from core.lab.prevent import before, incident_of
from core.message import message
from core.trace.trace import Trace
from core.work import Work
from gui.workspace.draft import Draft


@dataclass(frozen=True, slots=True)
class Lift:
    """Make a scenario of one partition of a real trace, from a cursor on.

    `cursor` None is the last moment before the incident.
    """

    trace: Trace
    partition: int
    cursor: int | None
    stance: Stance

    def answer(self, work: Work) -> Lifted:
        """The scenario, and what was taken where the logs leave something open.

        Raises QuestionError: nothing was lost, nobody led then, no release is known.
        """
        work.step(0, 0, message("progress.lifting"))
        material = material_of(self.trace, self.partition)
        if self.cursor is not None:
            if self.cursor == 0:
                raise QuestionError(message("error.lab.before-all"), advice=message("error.lab.no-leader.do"))
            return lift(material, self.cursor, self.stance)
        incident = incident_of(material)
        if incident is None:
            raise QuestionError(
                message("error.lab.nothing-lost-here"), advice=message("error.lab.nothing-lost-here.do")
            )
        cursor, at = before(material, incident)
        return lift(material, cursor, self.stance, at=at)


def draft_of_lift(trace: Trace, lifted: Lifted) -> Draft:
    """A draft of a lifted incident, to be run under the rules of its cluster beside what really happened."""
    return Draft(lifted.scenario.text, eras=(lifted.era.id,), switches=lifted.era.overrides, origin=trace)
