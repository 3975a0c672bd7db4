"""What a click on a switch costs in the window, by scenario: `python -m tests.bench.clicks [SCENARIO...]`.

CPU time of the whole process, all of its threads, from the press of the mouse on a switch until both runs are
painted, what is responsible is found and nothing is left to do; at most 300 ms. Of each scenario those two
flips are clicked, in a window of 1600 x 1000, that take most beside the window and that give most events
(`switchboard.py` has all of them): alone, another one on top of it, and both back. All are clicked in as many
runs that are opened anew as `--rounds` says, and the least time counts: others use the machine, too.

The switches are there before: what each costs when it is flipped, which is found once for a run, is left out.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from core.kafka.eras import era
from core.sim.ablation import causes
from core.sim.ablation.outcome import Outcome
from core.sim.ablation.protections import Ablation
from core.sim.ablation.settings import SETTING
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from gui.workspace.switchboard import remember
from tests.bench.switchboard import ms_of, print_dearest, rows_of_run, unlike
from tests.bench.table import fixed_loop_s

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

_SIZE: Final = (1600, 1000)
_WARM: Final = "acks-timeout"
_POLL_MS: Final = 5
_IDLE_MS: Final = 300
"""So long nothing comes after a click is over: what is timed, as the search for garbage, is counted, too."""
_PATIENCE_S: Final = 600
_AT: Final = (30, 23)
"""Where the switch is in its row."""

_BROKEN: Final[list[BaseException]] = []
"""What was raised in the window's loop of events, which goes on: a click that broke costs nothing."""

Flip = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, order=True)
class Click:
    """What a click took, ms of CPU: of the process, and of it the window's own thread."""

    ms: float
    own_ms: float
    what: str


def measured(window: "MainWindow", name: str, rounds: int) -> Click:
    """The dearest click of a scenario."""
    found: dict[str, Click] = {}
    for era_id, flip in dearest_flips(name):
        for _ in range(rounds):
            _open(window, name, era_id)
            for click in _clicks(window, flip):
                what = f"{era_id}+{click.what}"
                found[what] = min(replace(click, what=what), found.get(what, click))
    return max(found.values())


def dearest_flips(name: str) -> tuple[tuple[str, Flip], ...]:
    """The era and what is flipped, of the flip that takes most beside the window and of the longest run."""
    every = [(ms_of(asked), events, flip) for flip, asked, events in unlike(name, every=False)]
    most = (max(every), max(every, key=lambda one: one[1]))
    return tuple(dict.fromkeys(_flip_of(flip) for _, _, flip in most))


def _flip_of(flip: str) -> tuple[str, Flip]:
    era_id, setting = flip.split("+", 1)
    name, value = setting.rsplit("=", 1)
    return era_id, ((name, value),)


def _open(window: "MainWindow", name: str, era_id: str) -> None:
    """A run that nobody looked at before, with its switches, and no answer from an earlier round."""
    from gui.workspace.simulating import Asked

    setup = Setup(scenario(name), era(era_id))
    remember(setup, _switches(setup))
    window.store.simulate(Asked(setup.scenario, (setup.era,)))
    _until(lambda: not window.jobs.asked())
    panel = window.switchboard.panel
    if not window.switchboard.isVisible():
        window.actions_["switchboard"].trigger()
    _until(lambda: bool(panel.rows) and not window.jobs.asked())
    causes._ANSWERS.clear()
    _turn(_IDLE_MS)


def _switches(setup: Setup) -> Ablation:
    """Each switch and setting at each other value, as if it cost nothing."""
    rows = [row.protections[0] for row in rows_of_run(setup)]
    switches = tuple(one for one in rows if one.switch.name not in SETTING)
    settings = tuple(one for one in rows if one.switch.name in SETTING)
    return Ablation(setup, Outcome(), switches, (), (), settings)


def _clicks(window: "MainWindow", flip: Flip) -> Iterator[Click]:
    """The flip, another one on top of it, that one back, and the flip back."""
    rows = window.switchboard.panel.rows
    other = next(row.settings for row in rows if len(row.settings) == 1 and row.settings[0][0] != flip[0][0])
    one, two = (f"{name}={value}" for (name, value), *_ in (flip, other))
    clicks = (one, flip), (f"{one}, {two}", other), (f"{one}, {two} back", other), (f"{one} back", flip)
    for what, settings in clicks:
        yield _click(window, what, settings)


def _click(window: "MainWindow", what: str, settings: Flip) -> Click:
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    panel, table = window.switchboard.panel, window.switchboard.panel.table
    place = next(place for place, row in enumerate(panel.rows) if row.settings == settings)
    item = table.item(table.line_of(place), 0)
    assert item is not None
    assert panel.board is not None
    table.scrollToItem(item)
    _turn(_IDLE_MS)
    box, before = table.visualItemRect(item), panel.board.flipped
    at = QPoint(box.left() + _AT[0], box.top() + _AT[1])

    def is_over() -> bool:
        flipped = panel.board is not None and panel.board.flipped != before
        return flipped and not window.jobs.asked() and window.stage.canvas.answers

    own, every = time.thread_time(), time.process_time()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    _until(is_over)
    _turn(_IDLE_MS)
    every, own = time.process_time() - every, time.thread_time() - own
    return Click(1000 * every, 1000 * own, what)


def _until(is_so: Callable[[], bool]) -> None:
    """Take what comes, without looking for it all the time: that would be counted."""
    begun = time.monotonic()
    while not is_so():
        _turn(_POLL_MS)
        if _BROKEN:
            raise _BROKEN[0]
        if time.monotonic() - begun > _PATIENCE_S:
            message = "the window is never done"
            raise AssertionError(message)


def _turn(ms: int) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def _broke(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _BROKEN.append(error)
    sys.__excepthook__(kind, error, trace)


def main(chosen: Sequence[str], rounds: int) -> int:
    """Print the dearest click of each scenario, then those that cost too much; 1 where one does."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings

    from gui.app import application
    from gui.window.garbage import collect_here
    from gui.window.main_window import MainWindow
    from gui.window.settings import Settings

    sys.excepthook = _broke
    app = application()
    collect_here(app)
    loop_ms = 1000 * fixed_loop_s()
    found: list[tuple[Click, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        kept = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(Settings(kept), view="timeline")
        window.resize(*_SIZE)
        window.show()
        sys.stdout.write(f"{'scenario':28} {'CPU':>7} {'of it the window':>16} {'of the loop':>11}  click\n")
        # The first click of a window makes what stays: widgets of a comparison, glyphs, widths of words.
        measured(window, _WARM, 1)
        for name in chosen:
            click = measured(window, name, rounds)
            found.append((click, name))
            sys.stdout.write(
                f"{name:28} {click.ms:4.0f} ms {click.own_ms:13.0f} ms"
                f" {click.ms / loop_ms:11.2f}  {click.what}\n"
            )
            sys.stdout.flush()
        window.close()
    costs = [(click.ms, f"{name} {click.what}") for click, name in found]
    return print_dearest(f"a click on a switch, {os.environ['QT_QPA_PLATFORM']}", costs, loop_ms)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("scenarios", nargs="*", default=scenario_ids())
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    raise SystemExit(main(options.scenarios, options.rounds))
