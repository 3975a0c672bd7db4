"""A presentation on two displays, in a process of its own: Qt's offscreen platform is told of them first.

    python -m tests.two_screens FOLDER WIDTH HEIGHT LESSON.md [ROOM]

answers the question which display is the room's with ROOM, else with none, and goes through the lesson. It
writes into the folder what each display shows at each step, with a JSON of what was seen of the marker, a
colour that the notes alone have, and one of the questions that were asked.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtGui import QImage, QScreen

MARKER: Final = "#ff00fe"
_LITTLE_PACKED: Final = 90
"""Of Qt's qualities of a PNG, which are all without loss: most of the time would go into packing."""


def main(folder: Path, width: int, height: int, text: Path, room: str) -> None:
    """Present the lesson to its end."""
    questions: list[list[str]] = []

    def choose(_parent: object, question: str, choices: Sequence[str], current: int) -> str:
        questions.append([question, *choices, choices[current]])
        return next((one for one in choices if room and one.startswith(room)), "")

    _tell_screens(folder, width, height)
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={folder / 'screens.json'}"

    from PySide6.QtCore import QSettings, Qt
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtTest import QTest

    from core.teaching.library import lessons_of
    from core.words import use
    from gui.app import application
    from gui.text.render import renderer
    from gui.window.dialogs import ASKING
    from gui.window.main_window import MainWindow
    from gui.window.settings import Settings

    app = application()
    use(renderer, "en")
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    # Nobody looks at the first page, whose lanes take seconds.
    window = MainWindow(Settings(store), replace(ASKING, choose=choose), view="timeline")
    window.show()
    ((_, lesson),) = lessons_of(text)
    window.pages.course.begin(lesson)
    window.actions_["present"].trigger()
    presenter = window.answers.presenter
    assert presenter is not None
    presenter.speaker.notes.setStyleSheet(f"background: {MARKER}; color: black; font-size: 30px;")
    found: list[dict[str, object]] = []
    while True:
        state = presenter.state
        assert state is not None
        app.processEvents()
        name = f"{state.now.player.step + 1:02}{'-revealed' if state.now.player.asks is None else ''}"
        grabbed = {one.name(): _grabbed(one) for one in QGuiApplication.screens()}
        for screen, image in grabbed.items():
            image.save(str(folder / f"{name}-{screen}.png"), None, _LITTLE_PACKED)
        found.append(
            {
                "step": state.now.player.step + 1,
                "waits": state.now.player.asks is not None,
                "note": presenter.speaker.notes.text(),
                **{screen: _marked(image) for screen, image in grabbed.items()},
                "sizes": [[image.width(), image.height()] for image in grabbed.values()],
            }
        )
        last = state.now.player.step == len(lesson.steps) - 1 and state.now.player.asks is None
        if last:
            break
        # A question is asked, and the speaker is asked once more before the reveal.
        for _ in range(2 if state.now.player.asks is not None else 1):
            QTest.keyClick(presenter.speaker, Qt.Key.Key_PageDown)
    presenter.leave()
    window.close()
    (folder / "found.json").write_text(json.dumps(found), encoding="utf-8")
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")


def _tell_screens(folder: Path, width: int, height: int) -> None:
    """Write down which displays there are, for Qt."""
    places = ((0, "built-in"), (width, "projector"))
    screens = [
        {
            "name": name,
            "x": x,
            "y": 0,
            "width": width,
            "height": height,
            "logicalDpi": 96,
            "logicalBaseDpi": 96,
            "dpr": 1,
        }
        for x, name in places
    ]
    (folder / "screens.json").write_text(json.dumps({"screens": screens}), encoding="utf-8")


def _grabbed(screen: "QScreen") -> "QImage":
    """All that a display shows."""
    box = screen.geometry()
    return screen.grabWindow(0, box.x(), box.y(), box.width(), box.height()).toImage()


def _marked(image: "QImage") -> int:
    """How many pixels of a picture have the colour of the notes."""
    import numpy as np
    from PySide6.QtGui import QColor, QImage

    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32).reshape(plain.height(), -1)[:, : plain.width()]
    return int(((pixels & 0xFFFFFF) == (QColor(MARKER).rgb() & 0xFFFFFF)).sum())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), "".join(sys.argv[5:]))
