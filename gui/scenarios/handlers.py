"""What the actions of this page do: new, open, save, run, and another course from the cursor on."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import DocumentError, ScenarioError, SourceError, TidegaugeError
from core.message import message
from core.picture.marks import Ref
from core.sim.forking import Move, forked, moves, plan_of, steps_kept
from core.sim.library import scenario
from core.sim.scenario import parse_scenario
from core.sim.translations import translated
from core.system_errors import reason
from gui.text.spoken import language, tr
from gui.window.opening import may_drop_text, may_leave
from gui.workspace.content import Content
from gui.workspace.draft import Draft, draft_of_run, eras_of, written_out
from gui.workspace.files import write_text
from gui.workspace.jobs import failure_of
from gui.workspace.simulating import SHOWN_FIRST, Asked, step_at

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

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


def scenario_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """A function for every action of this page."""
    return {
        "scenario": partial(_show, window),
        "new-scenario": partial(_new, window),
        "open-scenario": partial(_open, window),
        "save-scenario": partial(_save, window),
        "run-scenario": partial(_run, window),
        "fork": partial(_fork, window),
    }


def _show(window: "MainWindow") -> None:
    """The page; at first with the script of what is open, else with the canonical loss."""
    session = window.session
    if session.scenario == Draft():
        traces = [trace for trace in session.traces if "script" in trace.facts]
        text = traces[0].facts["script"] if traces else scenario(SHOWN_FIRST).text
        session.set_scenario(Draft(written_out(text)))
    window.show_view("scenario")
    window.scenarios.focus()


def choose_scenario(window: "MainWindow", name: str) -> None:
    """Edit a scenario of the library, run as the one before; what was written comes back by undo."""
    if may_drop_text(window):
        draft = window.session.scenario
        text = scenario(name).text
        window.session.set_scenario(replace(draft, text=text, path="", origin=None, kept=None))


def _new(window: "MainWindow") -> None:
    """A small scenario to begin with; what was written comes back by undo."""
    if not may_drop_text(window):
        return
    window.session.set_scenario(Draft())
    window.show_view("scenario")
    window.scenarios.focus()


def _open(window: "MainWindow") -> None:
    path = next(iter(window.dialogs.open_files(window, window.settings.get("folder"))), "")
    if path:
        window.settings.put("folder", str(Path(path).parent))
        open_scenario(window, path)


def open_scenario(window: "MainWindow", path: str) -> None:
    """Show the text of a file, valid or not, after asking about a text that would be lost."""
    if not may_drop_text(window):
        return
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else message("error.scenario.no-text")
        window.show_failure(
            failure_of(SourceError(message("error.scenario.cannot-read"), why=why, where=path))
        )
        return
    window.session.set_scenario(Draft(written_out(text), path))
    window.settings.remember_path(path)
    window.welcome.show_recent(window.settings.get("recent"))
    window.show_view("scenario")
    window.scenarios.focus()


def _save(window: "MainWindow") -> None:
    """Write the text as it stands, valid or not: the reader of the file says what is wrong, as here."""
    draft = window.session.scenario
    folder = window.settings.get("folder") or str(Path.home())
    path = window.dialogs.save_scenario(window, draft.path or str(Path(folder) / _file_name(draft.text)))
    if not path:
        return
    try:
        write_text(Path(path), draft.text)
    except DocumentError as error:
        window.show_failure(failure_of(error))
        return
    window.settings.put("folder", str(Path(path).parent))
    window.session.set_scenario(window.session.scenario.with_path(path))
    window.notices.tell(tr("scenarios.saved"), path)


def _file_name(text: str) -> str:
    try:
        return f"{parse_scenario(text).id}.toml"
    except ScenarioError:
        return "scenario.toml"


def _run(window: "MainWindow") -> None:
    """Run the draft; a text that is no scenario is shown with its fault instead."""
    draft = window.session.scenario
    try:
        script = translated(parse_scenario(draft.text, draft.path))
        eras = eras_of(draft)
    except TidegaugeError as error:
        window.show_view("scenario")
        window.scenarios.check()
        if isinstance(error, ScenarioError) and error.line:
            window.scenarios.editor.go_to_line(error.line)
        window.show_failure(failure_of(error))
        return
    if not eras:
        window.notices.tell(tr("scenarios.no-era-is-chosen"), tr("scenarios.choose-one-to-four-eras-to"))
    elif may_leave(window):
        asked = Asked(script, eras, draft.seed, language=language(), beside=draft.compared)
        window.store.simulate(asked)


def _fork(window: "MainWindow") -> None:
    """Take the script of the run at the cursor, and let something else happen from there on."""
    content = window.session.content
    if content is None:
        return
    run = _run_of(window.session.selection, content)
    history = content.runs[run].history
    trace = history.trace
    cursor = window.session.cursors[run]
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
    answer = window.dialogs.choose(window, asked, texts, 0)
    if answer in texts and may_drop_text(window):
        move: Move = offered[texts.index(answer)]
        text = forked(script, steps, plan_of(move, script.brokers))
        window.session.set_scenario(draft_of_run(trace, text))
        window.show_view("scenario")
        window.scenarios.editor.go_to_line(parse_scenario(text).steps[-1].line)


def _run_of(selection: Ref | None, content: Content) -> int:
    """The run that is meant: that of what is selected, else the first."""
    return selection.run if selection is not None and selection.run < len(content.runs) else 0
