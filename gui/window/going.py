"""Where the cursor goes: steps, jumps to landmarks and notes, playing, to the cause."""

from collections.abc import Callable
from functools import partial
from typing import Final

from core.picture.callouts import callouts_of
from core.picture.marks import Ref
from core.words import speaking
from gui.panels.explain import explain
from gui.text.spoken import language, tr
from gui.window.person import Say
from gui.workspace.content import LANDMARKS, Content
from gui.workspace.session import SPEEDS, Session

_NOUNS: Final = {
    "loss": "terms.loss",
    "truncation": "window.truncation",
    "election": "window.election",
    "isr": "window.change-of-the-in-sync-set",
    "crash": "window.crash-stop-or-start",
    "gap": "window.evidence-gap",
    "story": "window.step-of-the-story",
    "difference": "window.difference",
    "anchor": "window.step",
}


class Going:
    """Moves the cursor of a session, and what is selected with it."""

    def __init__(
        self,
        session: Session,
        say: Say,
        reveal: Callable[[int], object],
        go_finding: Callable[[int], object],
        show_evidence: Callable[[], object],
    ) -> None:
        """`reveal` brings the lanes of a run into sight; findings are counted from 0."""
        self._session, self._say, self._reveal = session, say, reveal
        self._go_finding, self._show_evidence = go_finding, show_evidence

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions of going, by id."""
        session = self._session
        made: dict[str, Callable[[], object]] = {
            "forward": lambda: session.set_position(session.position + 1),
            "back": lambda: session.set_position(session.position - 1),
            "first": lambda: session.set_position(0),
            "last": lambda: session.set_position(session.content.last if session.content else 0),
            "play": self._play,
            "slower": partial(self._speed, -1),
            "faster": partial(self._speed, 1),
            "next-note": partial(self._jump_note, 1),
            "previous-note": partial(self._jump_note, -1),
            "select": self._select,
            "cause": self._to_cause,
        }
        for landmark in LANDMARKS:
            made[f"next-{landmark}"] = partial(self.jump, landmark, 1)
            made[f"previous-{landmark}"] = partial(self.jump, landmark, -1)
        for number in range(1, 10):
            made[f"finding-{number}"] = partial(self._go_finding, number - 1)
        return made

    def jump(self, landmark: str, step: int) -> None:
        """To the next or previous landmark; where there is none, say so and stay."""
        session = self._session
        if session.content is None:
            return
        place = session.content.next_of(landmark, session.position, step)
        if place is None:
            self._say(
                tr("window.no-more-from-here", what=tr(_NOUNS[landmark]))
                if step > 0
                else tr("window.no-earlier-from-here", what=tr(_NOUNS[landmark])),
                3000,
            )
            return
        session.set_position(place)
        self._reveal(self._run_of(landmark))
        if landmark == "story":
            self._tell_step(session.content)

    def _tell_step(self, content: Content) -> None:
        """Which step of the story of its partition this is, and what happened in it."""
        with speaking(language()):
            for number, run in enumerate(content.runs):
                steps = callouts_of(run.history, run.verdict)
                here = (
                    one for one in steps if content.position_of(number, one.seq + 1) == self._session.position
                )
                for one in here:
                    last = steps[-1].number
                    self._say(
                        tr("window.step-of-so-many", number=one.number, last=last, title=one.title), 6000
                    )
                    return

    def _run_of(self, landmark: str) -> int:
        """The run whose lanes a jump is about: that of a difference's first side, else the one that moved."""
        session = self._session
        content = session.content
        if content is None:
            return 0
        if landmark == "difference" and content.comparison is not None:
            return min(
                (d.runs[0] for d in content.comparison.differences if d.stop == session.position), default=0
            )
        return next((run for run, _, _ in content.moved(session.position)), 0)

    def _play(self) -> None:
        session = self._session
        content = session.content
        if content is not None and not session.playing and session.position >= content.last:
            session.set_position(0)
        session.set_playing(not session.playing)

    def _speed(self, step: int) -> None:
        place = SPEEDS.index(self._session.speed) + step
        self._session.set_speed(SPEEDS[max(0, min(place, len(SPEEDS) - 1))])

    def _jump_note(self, step: int) -> None:
        session = self._session
        placed = [
            (place, note) for note in session.notes if (place := session.note_position(note)) is not None
        ]
        ahead = [(place, note) for place, note in placed if (place - session.position) * step > 0]
        if ahead:
            place, note = min(ahead, key=lambda pair: abs(pair[0] - session.position))
            session.set_position(place)
            session.select(Ref("note", note.run, note.key, text=note.text))

    def _select(self) -> None:
        """Select the event that is told at the cursor; once it is selected, show its raw lines."""
        session = self._session
        content = session.content
        if content is None:
            return
        if session.selection is not None:
            self._show_evidence()
            return
        told = explain(content, session.position, None, session.notes)
        if told.evidence:
            run, seq = told.evidence[0]
            session.select(Ref("event", run, seq))

    def _to_cause(self) -> None:
        session = self._session
        content = session.content
        if content is None:
            return
        selected = session.selection
        moved = list(content.moved(session.position))
        if selected is not None and selected.kind in ("event", "loss", "truncation"):
            run, seq = selected.run, selected.key
        elif moved:
            run, _, now = moved[0]
            seq = now - 1
        else:
            return
        cause = content.runs[run].history.trace.event(seq).cause
        if cause is None:
            self._say(tr("window.no-cause-is-known-for-this"), 3000)
            return
        session.set_position(content.position_of(run, cause + 1))
        session.select(Ref("event", run, cause))
