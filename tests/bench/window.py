"""The window on a million events: `python -m tests.bench.window [--events N] [--replicas N]`.

CPU of the window's thread. A frame is a change of what is shown, laid out and painted; a step moves the
cursor by one event, with every panel open. On the platform of QT_QPA_PLATFORM, offscreen unless said.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.bench.table import Measured, print_table

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

GOAL_FRAME_MS: Final = 16.0
GOAL_STEP_MS: Final = 8.0
GOAL_TURN_MS: Final = 50.0
GOAL_FOLDS: Final = 1.25
"""Folds and callouts are some marks more, and no more events: so much may they cost."""
_FRAMES: Final = 60
_SIZE: Final = (1600, 1000)


def _times_ms(each: Callable[[int], None]) -> list[float]:
    """What each frame costs; the first one, which fills the caches, is left out."""
    from PySide6.QtWidgets import QApplication

    times: list[float] = []
    for number in range(_FRAMES + 1):
        begun = time.thread_time()
        each(number)
        QApplication.processEvents()
        times.append((time.thread_time() - begun) * 1000)
    return times[1:]


def _row(what: str, times: list[float], goal: float) -> Measured:
    middle, most = (float(one) for one in np.percentile(times, (50, 95)))
    return Measured(what, f"p95 <= {goal:.0f} ms", f"p50 {middle:.1f}, p95 {most:.1f} ms", most <= goal)


def frames(window: "MainWindow") -> list[Measured]:
    """Pan, zoom, scroll and scrub on what is open."""
    session, bar = window.session, window.stage.lanes_bar
    times = session.traces[0].columns["at"]
    begin, whole = int(times[0]), int(times[-1] - times[0])

    def pan(number: int) -> None:
        first = begin + number * whole // 100
        session.set_window((first, first + whole // 4))

    def zoom(number: int) -> None:
        middle, span = begin + whole // 2, int(whole / 1.2**number)
        session.set_window((middle - span // 2, middle + span // 2))

    def scroll(number: int) -> None:
        bar.setValue(bar.maximum() * number // _FRAMES)

    def scrub(number: int) -> None:
        session.set_position(len(times) // 2 + number)

    measured = [
        _row("a frame of a pan", _times_ms(pan), GOAL_FRAME_MS),
        _row("a frame of a zoom, by 1.2 to 50,000 times", _times_ms(zoom), GOAL_FRAME_MS),
    ]
    session.set_window(None)
    measured.append(_row("a frame of a scroll", _times_ms(scroll), GOAL_FRAME_MS))
    bar.setValue(0)
    measured.append(_row("a step, all of it in sight", _times_ms(scrub), GOAL_STEP_MS))
    session.set_window((begin + whole // 2, begin + whole // 2 + whole // 5_000))
    measured.append(_row("a step, zoomed in", _times_ms(scrub), GOAL_STEP_MS))
    return measured


def folds(window: "MainWindow") -> list[Measured]:
    """What folds, callouts and their tethers cost: frames and steps with them, by those without, in one run.

    On the recording with a loss that comes with the program.
    """
    from importers.samples import SAMPLES, sample_path

    window.store.open_groups(((str(sample_path(SAMPLES[0].id)),),))
    _until_open(window)
    window.show_view("timeline")
    session = window.session
    plain = replace(session.drawing, folds=False, callouts=False)
    times = session.traces[0].columns["at"]
    begin, whole = int(times[0]), int(times[-1] - times[0])

    def pan(number: int) -> None:
        first = begin + number * whole // 100
        session.set_window((first, first + whole // 2))

    def step(number: int) -> None:
        session.set_position(number)

    rows: list[Measured] = []
    for what, each in (("a frame of a pan", pan), ("a step", step)):
        middle: list[float] = []
        for drawing in (plain, replace(session.drawing, folds=True, callouts=True)):
            session.set_drawing(drawing)
            session.set_window(None)
            middle.append(float(np.median(_times_ms(each))))
        ratio = middle[1] / middle[0]
        told = f"{ratio:.2f}: {middle[1]:.1f} and {middle[0]:.1f} ms"
        rows.append(
            Measured(
                f"{what} with folds and callouts, by one without",
                f"<= {GOAL_FOLDS}",
                told,
                ratio <= GOAL_FOLDS,
            )
        )
    return rows


def _until_open(window: "MainWindow") -> None:
    from PySide6.QtWidgets import QApplication

    before = window.session.content
    while window.session.content is before or window.jobs.asked():
        QApplication.processEvents()


def turns(window: "MainWindow", folder: str, events: int) -> list[Measured]:
    """The longest turn of the loop while documents of long partitions open, logs are read, a script is run.

    The usual tests count the calls of such turns (tests/gui_window/test_watchdog.py).
    """
    from db.document import create
    from tests.archives import unpack_recording
    from tests.bench.diagnosis import long_partition
    from tests.bench.long_runs import long_run

    calm, churned = (str(Path(folder) / name) for name in ("calm.tide", "long.tide"))
    create(calm, [long_run(20_000, 3)])
    create(churned, [long_partition(events)])
    logs, _ = unpack_recording("k28-unclean-loss", Path(folder))
    store = window.store
    return [
        _turn(window, "20,000 calm events open", lambda: store.open_groups(((calm,),))),
        _turn(window, f"{events:,} events open", lambda: store.open_groups(((churned,),))),
        _turn(window, "logs are imported", lambda: store.open_groups(((str(logs),),))),
        _turn(window, "a script is run", lambda: store.open_simulated("hw-loss", ("0.10.2", "2.8"))),
    ]


def _turn(window: "MainWindow", what: str, begin: Callable[[], None]) -> Measured:
    from tests.gui_window.watchdog import longest_turn_s

    before = window.session.content
    worst = 1000 * longest_turn_s(
        begin, lambda: not window.jobs.asked() and window.session.content is not before, within_s=3_600
    )
    told = f"longest turn while {what}"
    return Measured(told, f"<= {GOAL_TURN_MS:.0f} ms", f"{worst:.0f} ms", worst <= GOAL_TURN_MS)


def measure(events: int, replicas: int) -> list[Measured]:
    """All of it, in one window."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from core.compare.comparison import Run
    from core.diagnose.verdict.facts import PartitionVerdict
    from core.history.open import open_history
    from gui.app import application
    from gui.text.catalogues import FIRST
    from gui.text.spoken import speak
    from gui.window.main_window import MainWindow
    from gui.window.settings import Settings
    from gui.workspace.content import alone, made_ready
    from gui.workspace.loading import Loaded
    from tests.bench.long_runs import long_run

    app = application()
    speak(FIRST)
    trace = long_run(events, replicas)
    # Without a verdict: that of 50 replicas takes hours, and only its signs would be drawn.
    run = Run("long run", None, open_history(trace, 0), PartitionVerdict(0))
    content = made_ready(alone("long run", run))
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(Settings(settings))
        window.resize(*_SIZE)
        window.show()
        QApplication.processEvents()
        window.session.show(content, (trace,))
        window.store.opened.emit(Loaded(content, (trace,)))
        window.docks.drawer.show()
        for _ in range(10):
            app.processEvents()
        measured = frames(window)
        measured += folds(window)
        measured += turns(window, folder, events)
        window.close()
    return measured


def main() -> int:
    """Measure, print, and give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--replicas", type=int, default=50)
    asked = parser.parse_args()
    rows = measure(asked.events, asked.replicas)
    subject = f"window, {asked.events:,} events in {asked.replicas} lanes, {os.environ['QT_QPA_PLATFORM']}"
    return print_table(subject, rows)


if __name__ == "__main__":
    sys.exit(main())
