"""Which stretches of what is open can be exported: what is visible, what is marked, all of it. Values."""

from dataclasses import dataclass
from typing import Final

from core.trace.times import rfc3339
from gui.workspace.content import marked_times, with_room
from gui.workspace.session import Session

Window = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch by its name: times to draw, times of the events to list, or stops of a comparison."""

    name: str
    drawn: Window = (None, None)
    listed: Window = (None, None)
    stops: tuple[int, int] | None = None


VISIBLE: Final = "exports.what-is-visible"
WHOLE: Final = Stretch("exports.all-of-it")


def stretches(session: Session) -> tuple[Stretch, ...]:
    """What can be chosen now; the first is what the person most likely means."""
    content, found = session.content, list[Stretch]()
    marked, shown = session.range, session.window
    if content is not None and marked is not None and marked[1] is not None:
        if content.comparison:
            found.append(Stretch("exports.the-marked-stops", stops=(marked[0], marked[1])))
        else:
            times = marked_times(content, marked[0], marked[1])
            found.append(Stretch("exports.the-marked-range", _texts(with_room(times)), _texts(times)))
    if shown is not None and content is not None and not content.comparison:
        found.append(Stretch(VISIBLE, _texts(shown), _texts(shown)))
    return (*found, WHOLE)


def _texts(window: tuple[int, int]) -> Window:
    return rfc3339(window[0]), rfc3339(window[1])
