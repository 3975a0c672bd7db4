"""Drives the real window and writes pictures of it: `python -m tests.screenshots OUTDIR` (under xvfb-run).

Each size runs in a process of its own, because Qt reads its scale factor once, at start.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from gui.window.main_window import MainWindow

SIZES = (
    ("1280x800", 1280, 800, "1", "en"),
    ("1920x1080", 1920, 1080, "1", "en"),
    ("3840x2160", 1920, 1080, "2", "en"),
    ("1280x800-zh", 1280, 800, "1", "zh"),
)
"""Name in pixels of the screen, width and height in logical pixels, scale factor, language."""
DOCUMENTED = "TIDEGAUGE_PICTURES"
"""Variable with the file names that are wanted, where not all are."""


def main(out: Path) -> int:
    """Take all pictures at all sizes."""
    out.mkdir(parents=True, exist_ok=True)
    for name, width, height, scale, language in SIZES:
        environment = {**os.environ, "QT_SCALE_FACTOR": scale}
        command = [
            sys.executable,
            "-m",
            "tests.screenshots",
            str(out),
            name,
            str(width),
            str(height),
            language,
        ]
        subprocess.run(command, check=True, env=environment)
    return 0


def take(out: Path, name: str, width: int, height: int, language: str) -> int:
    """Take all pictures at one size."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from gui.app import application
    from gui.i18n import use_language
    from gui.window.main_window import MainWindow
    from gui.window.settings import Settings

    app = application()
    use_language(language)
    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)))
        window.setMinimumSize(0, 0)
        window.resize(width, height)
        window.show()

        def until(ready: Callable[[], bool], what: str) -> None:
            end = time.monotonic() + 120
            while not ready():
                app.processEvents()
                if time.monotonic() > end:
                    raise TimeoutError(what)
            for _ in range(10):
                app.processEvents()

        def shoot(what: str, shown: QWidget = window) -> None:
            until(lambda: True, what)
            path = out / f"{what}-{name}.png"
            if DOCUMENTED in os.environ and path.name not in os.environ[DOCUMENTED].split():
                return
            image = shown.grab().toImage()
            if DOCUMENTED in os.environ:
                image = in_few_colours(image)
            if not image.save(str(path), quality=0):
                raise OSError(path)
            sys.stdout.write(f"{path}\n")

        tour(window, shoot, until)
        window.actions_["keys"].trigger()
        until(lambda: True, "keys")
        window.close()
    return 0


def tour(
    window: "MainWindow", shoot: Callable[..., None], until: Callable[[Callable[[], bool], str], None]
) -> None:
    """Go through the window as a person would, with a picture at each place."""
    from core.teaching.library import lesson
    from gui.exports.dialog import ExportDialog
    from gui.text.spoken import language
    from gui.welcome.offers import sample_offers
    from gui.workspace.simulating import PAIR

    def opened(begin: Callable[[], None], what: str) -> None:
        before = window.session.content
        begin()
        until(lambda: window.session.content not in (None, before) or window.notices.isVisible(), what)

    until(window.isVisible, "window")
    lanes = [card.lane for card in window.pages.welcome.cards if card.lane is not None]
    until(lambda: all(lane.run is not None for lane in lanes), "lanes of the cards")
    shoot("welcome")
    opened(lambda: window.store.open_simulated("hw-loss", PAIR), "demo")
    shoot("first-sight")
    window.actions_["first"].trigger()
    window.actions_["next-truncation"].trigger()
    shoot("at-the-truncation")
    window.actions_["last"].trigger()
    window.stage.reveal(0)
    shoot("at-the-end")
    window.actions_["previous-loss"].trigger()
    window.actions_["select"].trigger()
    window.actions_["select"].trigger()
    shoot("inspector-evidence")
    window.docks.drawer.hide()
    window.actions_["theme"].trigger()
    shoot("dark")
    window.actions_["theme"].trigger()
    opened(lambda: window.opening.open_offer(sample_offers()[0]), "pair")
    shoot("two-recordings")
    window.actions_["next-loss"].trigger()
    window.actions_["select"].trigger()
    window.actions_["select"].trigger()
    shoot("two-recordings-loss")
    opened(lambda: window.opening.open_offer(sample_offers()[1]), "recording")
    window.actions_["timeline"].trigger()
    shoot("one-recording")
    window.actions_["next-loss"].trigger()
    window.actions_["export"].trigger()
    (dialog,) = window.findChildren(ExportDialog)
    until(lambda: not dialog.picture.pixmap().isNull(), "its preview")
    shoot("export", dialog)
    dialog.close()
    for page in ("triage", "report", "lessons", "articles", "counterexamples", "scenario"):
        window.actions_[page].trigger()
        shoot(page)
    opened(lambda: window.opening.open_offer(sample_offers()[2]), "another recording")
    window.actions_["timeline"].trigger()
    window.actions_["split"].trigger()
    window.actions_["other-half"].trigger()
    shoot("two-tabs")
    course = window.pages.course
    window.actions_["course"].trigger()
    until(lambda: bool(course.rows) and all(card.lane.run is not None for card in course.rows), "the cards")
    shoot("course")
    course.begin(lesson("loss-by-truncation", language()), 4)
    shoot("lesson")


def in_few_colours(image: "QImage") -> "QImage":
    """The image in 256 colours, a third of the size, for what the repository keeps."""
    import numpy as np
    from PySide6.QtGui import QImage

    image = image.convertToFormat(QImage.Format.Format_RGB32)
    high, wide = image.height(), image.width()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(high, -1)[:, :wide] & 0xFFFFFF
    colours, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    parts = np.stack([colours >> shift & 255 for shift in (16, 8, 0)], axis=1).astype(np.int32)
    most = np.argsort(counts)[::-1][:192].tolist()
    apart = np.min([np.abs(parts - parts[place]).sum(axis=1) for place in most], axis=0)
    # The rest are the ones that are least like any other: a small sign keeps its colour.
    while len(most) < 256 and apart.max() > 0:
        most.append(int(apart.argmax()))
        apart = np.minimum(apart, np.abs(parts - parts[most[-1]]).sum(axis=1))
    nearest = np.array([np.abs(parts[most] - part).sum(axis=1).argmin() for part in parts], np.uint8)
    cells = np.zeros((high, -(-wide // 4) * 4), np.uint8)
    cells[:, :wide] = nearest[places].reshape(high, wide)
    few = QImage(cells.tobytes(), wide, high, cells.shape[1], QImage.Format.Format_Indexed8)
    few.setColorTable([0xFF000000 | int(colour) for colour in colours[most]])
    return few.copy()


if __name__ == "__main__":
    root = str(Path(__file__).resolve().parent.parent)
    if root not in sys.path:
        sys.path.insert(0, root)
    if len(sys.argv) == 2:
        sys.exit(main(Path(sys.argv[1])))
    sys.exit(take(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]))
