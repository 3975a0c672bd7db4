"""What the actions of this page do: new, open, save, run, and another course from the cursor on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from core.errors import DocumentError, ScenarioError, SourceError, TidegaugeError
from core.lab.choices import Stance
from core.lab.lift import Lifted
from core.message import message
from core.picture.marks import Ref
from core.sim.forking import Move, forked, moves, plan_of, steps_kept
from core.sim.library import scenario
from core.sim.scenario import parse_scenario
from core.sim.translations import translated
from core.system_errors import reason
from core.trace.trace import Trace
from core.words import text as text_of
from gui.scenarios.page import ScenarioPage
from gui.text.spoken import language, tr
from gui.workspace.content import Content
from gui.workspace.continuing import Lift, draft_of_lift
from gui.workspace.draft import Draft, draft_of_run, eras_of, written_out
from gui.workspace.files import write_text
from gui.workspace.jobs import Failure, failure_of
from gui.workspace.session import Session
from gui.workspace.simulating import SHOWN_FIRST, Asked, step_at

_MOVES: Final = {
    "crash": "scenarios.is-killed",
    "crash-with-controller": "scenarios.is-killed-and-the-controller-fails",
    "stop": "scenarios.is-stopped-cleanly",
    "freeze": "scenarios.is-frozen",
    "cut-from-brokers": "scenarios.the-network-cuts-from-the-other",
    "cut-from-controller": "scenarios.the-network-cuts-from-the-controller",
    "elect": "scenarios.is-elected",
    "start": "scenarios.starts",
}


@dataclass(frozen=True, slots=True)
class Person:
    """What this page asks and tells the person in front of the window. One who goes back answers ""."""

    may_leave: Callable[[], bool]
    """Whether what is open may be closed."""
    may_drop_text: Callable[[], bool]
    """Whether the text that is edited may give way."""
    open_files: Callable[[str], tuple[str, ...]]
    save_scenario: Callable[[str], str]
    choose: Callable[[str, Sequence[str], int], str]
    tell: Callable[[str, str], object]
    fail: Callable[[Failure], object]
    show_view: Callable[[str], object]
    lift: Callable[[Lift, Callable[[Lifted], None]], object]
    """Make a scenario of a real incident beside the window, and hand it on."""


class Kept(Protocol):
    """What is remembered between two starts."""

    def get(self, key: str, /) -> Any:  # noqa: ANN401 - each key has its own type
        """The value of a key."""
        ...

    def put(self, key: str, value: object, /) -> None:
        """Remember a value."""
        ...

    def remember_path(self, path: str, /) -> None:
        """Put a path at the head of the recent ones."""
        ...


class Scenarios:
    """Edits, writes and runs the draft of a session."""

    def __init__(
        self,
        session: Session,
        page: Callable[[], ScenarioPage],
        simulate: Callable[[Asked], object],
        person: Person,
        kept: Kept,
    ) -> None:
        """`page` shows the draft, and is made when it is first asked for; `simulate` runs it."""
        self._session, self._page, self._simulate = session, page, simulate
        self._person, self._kept = person, kept

    def connect(self, page: ScenarioPage) -> None:
        """Hear what is chosen on the page."""
        page.wanted.connect(self.choose)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of this page."""
        return {
            "scenario": self._show,
            "new-scenario": self._new,
            "open-scenario": self._open,
            "save-scenario": self._save,
            "run-scenario": self._run,
            "fork": self._fork,
            "continue-incident": self._continue_incident,
        }

    def _show(self) -> None:
        """The page; at first with the script of what is open, else with the canonical loss."""
        session = self._session
        if session.scenario == Draft():
            traces = [trace for trace in session.traces if "script" in trace.facts]
            text = traces[0].facts["script"] if traces else scenario(SHOWN_FIRST).text
            session.set_scenario(Draft(written_out(text)))
        self._person.show_view("scenario")
        self._page().focus()

    def choose(self, name: str) -> None:
        """Edit a scenario of the library, run as the one before; what was written comes back by undo."""
        if self._person.may_drop_text():
            draft = self._session.scenario
            text = scenario(name).text
            self._session.set_scenario(replace(draft, text=text, path="", origin=None, kept=None))

    def _new(self) -> None:
        """A small scenario to begin with; what was written comes back by undo."""
        if not self._person.may_drop_text():
            return
        self._session.set_scenario(Draft())
        self._person.show_view("scenario")
        self._page().focus()

    def _open(self) -> None:
        path = next(iter(self._person.open_files(self._kept.get("folder"))), "")
        if path:
            self._kept.put("folder", str(Path(path).parent))
            self.open_file(path)

    def open_file(self, path: str) -> None:
        """Show the text of a file, valid or not, after asking about a text that would be lost."""
        if not self._person.may_drop_text():
            return
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = reason(error) if isinstance(error, OSError) else message("error.scenario.no-text")
            self._person.fail(
                failure_of(SourceError(message("error.scenario.cannot-read"), why=why, where=path))
            )
            return
        self._session.set_scenario(Draft(written_out(text), path))
        self._kept.remember_path(path)
        self._person.show_view("scenario")
        self._page().focus()

    def _save(self) -> None:
        """Write the text as it stands, valid or not: the reader of the file says what is wrong, as here."""
        draft = self._session.scenario
        folder = self._kept.get("folder") or str(Path.home())
        path = self._person.save_scenario(draft.path or str(Path(folder) / _file_name(draft.text)))
        if not path:
            return
        try:
            write_text(Path(path), draft.text)
        except DocumentError as error:
            self._person.fail(failure_of(error))
            return
        self._kept.put("folder", str(Path(path).parent))
        self._session.set_scenario(self._session.scenario.with_path(path))
        self._person.tell(tr("scenarios.saved"), path)

    def _run(self) -> None:
        """Run the draft; a text that is no scenario is shown with its fault instead."""
        draft = self._session.scenario
        try:
            script = translated(parse_scenario(draft.text, draft.path))
            eras = eras_of(draft)
        except TidegaugeError as error:
            self._person.show_view("scenario")
            self._page().check()
            if isinstance(error, ScenarioError) and error.line:
                self._page().editor.go_to_line(error.line)
            self._person.fail(failure_of(error))
            return
        if not eras:
            self._person.tell(tr("scenarios.no-era-is-chosen"), tr("scenarios.choose-one-to-four-eras-to"))
        elif self._person.may_leave():
            asked = Asked(script, eras, draft.seed, language=language(), beside=draft.compared)
            self._simulate(asked)

    def _fork(self) -> None:
        """Take the script of the run at the cursor, and let something else happen from there on."""
        content = self._session.content
        if content is None:
            return
        run = _run_of(self._session.selection, content)
        history = content.runs[run].history
        trace = history.trace
        cursor = self._session.cursors[run]
        script = parse_scenario(trace.facts["script"], trace.sources[0].path)
        state = history.at(cursor)
        up = {replica.broker: replica.alive is not False for replica in state.replicas}
        offered = moves([(name, up.get(script.broker_id(name), True)) for name in script.brokers])
        texts = [tr(_MOVES[move.kind], broker=move.broker) for move in offered]
        steps = steps_kept(script, step_at(history, cursor))
        asked = (
            tr("scenarios.after-step-instead-of-what-followed", step=steps)
            if steps
            else tr("scenarios.from-the-start-instead")
        )
        answer = self._person.choose(asked, texts, 0)
        if answer in texts and self._person.may_drop_text():
            move: Move = offered[texts.index(answer)]
            text = forked(script, steps, plan_of(move, script.brokers))
            self._session.set_scenario(draft_of_run(trace, text))
            self._person.show_view("scenario")
            self._page().editor.go_to_line(parse_scenario(text).steps[-1].line)

    def _continue_incident(self) -> None:
        """Make a scenario of what really happened, from a moment on; run, it stands beside it."""
        content = self._session.content
        if content is None:
            return
        history = content.runs[0].history
        trace, cursor = history.trace, self._session.cursors[0]
        ways = {
            tr("scenarios.lift.before-worst"): (None, Stance.WORST),
            tr("scenarios.lift.before-best"): (None, Stance.BEST),
            tr("scenarios.lift.cursor-worst"): (cursor, Stance.WORST),
            tr("scenarios.lift.cursor-best"): (cursor, Stance.BEST),
        }
        answer = self._person.choose(tr("scenarios.lift.from"), tuple(ways), 0)
        if answer in ways and self._person.may_drop_text():
            where, stance = ways[answer]
            self._person.lift(
                Lift(trace, history.partition, where, stance), partial(self._show_lifted, trace)
            )

    def _show_lifted(self, trace: Trace, lifted: Lifted) -> None:
        """The scenario of an incident, to be changed and run; what it leaves out is told."""
        self._session.set_scenario(draft_of_lift(trace, lifted))
        self._person.show_view("scenario")
        self._page().focus()
        self._person.tell(
            tr("scenarios.lift.done", partition=lifted.partition),
            "\n".join((tr("scenarios.lift.how"), *map(text_of, lifted.left_out))),
        )


def _file_name(text: str) -> str:
    try:
        return f"{parse_scenario(text).id}.toml"
    except ScenarioError:
        return "scenario.toml"


def _run_of(selection: Ref | None, content: Content) -> int:
    """The run that is meant: that of what is selected, else the first."""
    return selection.run if selection is not None and selection.run < len(content.runs) else 0
