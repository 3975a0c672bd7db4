"""Presenting: on two displays no note is ever on the room's; on one a key toggles; keys and clickers."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.picture.marks import Picture, Text
from core.picture.viewing import Room
from core.teaching.library import lesson
from gui.lessons.awake import Awake
from gui.lessons.presenter import Presenter
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.broad(12)

ROOT = Path(__file__).parents[2]
NOTE = "Wait for hands before anybody answers aloud"
TEXT = f"""+++
title = "One cut"
line = "A question with a note."
minutes = 5
scenario = "hw-loss"
runs = ["0.10.2"]
+++

## B is killed

```show
step = 7
```

A has nothing more to send.

```note
{NOTE}.
```

## Where will B cut

```show
step = 7
```

B starts again.

```ask
kind = "cut"
question = "At which offset does its log end then?"
broker = "B"
judged = {{ step = 8 }}
```

```note
{NOTE}.
```
"""
CUT = 4


@pytest.mark.slow
@pytest.mark.thinned(2)
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_no_note_is_ever_on_the_screen_of_the_room(size: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "lesson.md").write_text(TEXT, encoding="utf-8")
    asked = [str(tmp_path), *map(str, size), str(tmp_path / "lesson.md")]
    subprocess.run([sys.executable, "-m", "tests.two_screens", *asked], cwd=ROOT, check=True, timeout=600)

    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [(one["step"], one["waits"]) for one in found] == [(1, False), (2, True), (2, False)]
    for one in found:
        assert one["sizes"] == [list(size), list(size)]
        assert one["note"] == f"{NOTE}."
        # The marker is a colour that only notes have: they are seen by the speaker, and by nobody else.
        assert one["built-in"] > 1000
        assert one["projector"] == 0
    if shutil.which("tesseract"):
        room, speaker = (_read(tmp_path / f"02-{name}.png") for name in ("projector", "built-in"))
        assert "hands" not in room
        assert "At which offset" in room
        assert "hands" in speaker


@pytest.mark.slow
def test_the_display_of_the_room_is_asked_for_once_and_kept_by_its_name(tmp_path: Path) -> None:
    # The first step alone: displays are chosen when it begins.
    (tmp_path / "lesson.md").write_text(TEXT.partition("## Where")[0], encoding="utf-8")
    asked = [str(tmp_path), "1280", "720", str(tmp_path / "lesson.md")]
    notes: list[tuple[int, int]] = []
    questions: list[list[list[str]]] = []
    for room in ("built-in", ""):
        subprocess.run(
            [sys.executable, "-m", "tests.two_screens", *asked, room], cwd=ROOT, check=True, timeout=600
        )
        (first, *_) = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
        notes.append((first["built-in"], first["projector"]))
        questions.append(json.loads((tmp_path / "questions.json").read_text(encoding="utf-8")))

    # What is not built in is proposed. Another answer holds in the next session, too, and nobody asks again.
    names = ["built-in, 1280 × 720", "projector, 1280 × 720"]
    assert questions == [[["Which display does the room see?", *names, names[1]]], []]
    for built_in, projector in notes:
        assert built_in == 0
        assert projector > 1000


def _read(picture: Path) -> str:
    # Threads of its own would wait for each other in loops: the other worker has the second processor.
    done = subprocess.run(
        ["tesseract", str(picture), "-", "--psm", "11"],
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return " ".join(done.stdout.split())


@pytest.fixture
def presenter(window: MainWindow, qtbot: QtBot) -> Presenter:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("loss-by-truncation"))
    window.actions_["present"].trigger()
    made = window.answers.presenter
    assert made is not None
    qtbot.waitUntil(made.room.isVisible)
    return made


def _step(presenter: Presenter) -> int:
    assert presenter.state is not None
    return presenter.state.now.player.step


def _picture(presenter: Presenter) -> Picture:
    picture = presenter.room.picture
    assert picture is not None
    return picture


def _words(presenter: Presenter) -> str:
    return " ".join(one.text for one in _picture(presenter).marks() if isinstance(one, Text))


def test_with_one_display_the_picture_fills_it_and_a_key_shows_the_notes_in_its_place(
    presenter: Presenter,
) -> None:
    assert not presenter.speaker.isVisible()
    assert presenter.room.isFullScreen()

    QTest.keyClick(presenter.room, Qt.Key.Key_N)
    assert (presenter.room.isVisible(), presenter.speaker.isVisible()) == (False, True)
    assert presenter.speaker.warning.isVisible()
    assert presenter.speaker.warning.text().split("\n")[0] == "One display: the room sees this"
    QTest.keyClick(presenter.speaker, Qt.Key.Key_N)
    assert (presenter.room.isVisible(), presenter.speaker.isVisible()) == (True, False)


@pytest.mark.parametrize(("stays_on", "told"), [(True, False), (False, True)])
def test_the_speaker_reads_that_displays_may_go_dark(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, *, stays_on: bool, told: bool
) -> None:
    done: list[str] = []
    monkeypatch.setattr(Awake, "hold", lambda awake, _: (done.append("hold"), awake.answered.emit(stays_on)))
    monkeypatch.setattr(Awake, "release", lambda _: done.append("release"))
    presenter: Presenter = request.getfixturevalue("presenter")

    words = presenter.speaker.warning.text().split("\n")
    presenter.leave()

    assert words[0] == "One display: the room sees this"
    assert ("Displays may go dark: this desktop takes no request to keep them on" in words) is told
    assert done == ["hold", "release"]


def test_keys_and_clickers_go_through_the_steps_and_none_reveals_by_one_slip(presenter: Presenter) -> None:
    for _ in range(2):
        QTest.keyClick(presenter.room, Qt.Key.Key_PageDown)
    assert _step(presenter) == 2
    assert "What happened" not in _words(presenter)
    QTest.keyClick(presenter.room, Qt.Key.Key_PageDown)
    assert "What happened" not in _words(presenter)
    QTest.keyClick(presenter.room, Qt.Key.Key_PageDown)
    # B's fetch at offset 2 tells A that both hold all below 2.
    assert "What happened: 2" in _words(presenter)
    QTest.keyClick(presenter.room, Qt.Key.Key_PageUp)
    assert _step(presenter) == 1

    QTest.keyClick(presenter.room, Qt.Key.Key_Escape)
    assert not presenter.room.isVisible()


def test_a_step_of_three_releases_is_shown_one_after_the_other_and_back(presenter: Presenter) -> None:
    presenter.begin(lesson("unclean-elections"), 5)
    seen: list[str] = []
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp):
        seen.append(_pill(presenter))
        QTest.keyClick(presenter.room, key)
    assert seen == [
        f"Kafka {era} ({place} of 3)" for place, era in ((1, "2.8"), (2, "3.3"), (3, "4.0"), (2, "3.3"))
    ]
    assert (_step(presenter), _pill(presenter)) == (5, "Kafka 2.8 (1 of 3)")

    # Before its first picture comes the last one of the step before.
    presenter.begin(lesson("one-fetch-too-late"), 3)
    QTest.keyClick(presenter.room, Qt.Key.Key_PageUp)
    assert _step(presenter) == 2
    assert _pill(presenter).endswith("(2 of 2)")


def _pill(presenter: Presenter) -> str:
    return next(
        one.text for one in _picture(presenter).marks() if isinstance(one, Text) and "Kafka" in one.text
    )


def test_a_blank_screen_comes_back_by_any_key_and_hands_are_seen_with_the_answer(
    presenter: Presenter, qtbot: QtBot
) -> None:
    presenter.begin(lesson("loss-by-truncation"), CUT)
    QTest.keyClick(presenter.room, Qt.Key.Key_Period)
    image = presenter.room.grab().toImage()
    assert {image.pixelColor(x, image.height() // 2).rgb() for x in range(0, image.width(), 7)} == {
        image.pixelColor(0, 0).rgb()
    }
    QTest.keyClick(presenter.room, Qt.Key.Key_X)
    assert presenter.state is not None
    assert not presenter.state.blank

    for field, hands in zip(presenter.speaker.counts, (2, 9, 13), strict=True):
        field.setValue(hands)
    assert "13" not in _words(presenter)
    QTest.keyClick(presenter.room, Qt.Key.Key_Space)
    assert "offset 1 9" in " ".join(_words(presenter).split())


def test_the_pen_draws_is_undone_and_gone_with_the_step(presenter: Presenter, qtbot: QtBot) -> None:
    QTest.keyClick(presenter.room, Qt.Key.Key_E)
    for begin in (100, 300):
        QTest.mousePress(presenter.room, Qt.MouseButton.LeftButton, pos=QPoint(begin, 100))
        QTest.mouseMove(presenter.room, QPoint(begin + 50, 150))
        QTest.mouseRelease(presenter.room, Qt.MouseButton.LeftButton, pos=QPoint(begin + 50, 150))
    assert presenter.state is not None
    assert len(presenter.state.strokes) == 2
    QTest.keyClick(presenter.room, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(presenter.state.strokes) == 1
    QTest.keyClick(presenter.room, Qt.Key.Key_PageDown)
    assert presenter.state.strokes == ()


def test_letters_grow_by_a_key_and_the_room_is_dark_by_another(presenter: Presenter) -> None:
    before = _picture(presenter).width
    QTest.keyClick(presenter.room, Qt.Key.Key_Minus)
    assert _picture(presenter).width > before

    ground = presenter.room.grab().toImage().pixelColor(2, 2).lightness()
    QTest.keyClick(presenter.room, Qt.Key.Key_D)
    assert presenter.room.grab().toImage().pixelColor(2, 2).lightness() < ground / 2


def test_letters_follow_the_picture_and_the_last_row_and_are_kept(
    presenter: Presenter, window: MainWindow
) -> None:
    speaker, before = presenter.speaker, _picture(presenter).width
    assert (speaker.wide.value(), speaker.far.value()) == (2.4, 8.0)
    # A capital of 40 pixels, 2.4 m wide, at eight metres: 16 minutes of arc.
    assert "16" in speaker.letters.text()

    speaker.far.setValue(10.0)
    assert _picture(presenter).width < before
    assert "16" in speaker.letters.text()
    # A small screen far away: no step has room for letters that are read there, and the speaker is told.
    speaker.wide.setValue(0.5)
    assert speaker.letters.text().startswith("The last row does not read")
    speaker.wide.setValue(3.0)
    presenter.leave()

    assert window.settings.room() == Room(300, 1000)
    presenter.begin(lesson("loss-by-truncation"))
    assert (speaker.wide.value(), speaker.far.value()) == (3.0, 10.0)
    # 10 m of a picture of 3 m are 8 m of one of 2.4 m.
    assert _picture(presenter).width == before


def test_from_the_first_page_a_lesson_is_presented_in_two_actions(window: MainWindow, qtbot: QtBot) -> None:
    window.show_view("welcome")
    window.pages.welcome.course.click()
    qtbot.keyClick(window, Qt.Key.Key_F5)

    assert window.answers.presenter is not None
    qtbot.waitUntil(window.answers.presenter.room.isVisible)
    assert _step(window.answers.presenter) == 0
    window.answers.presenter.leave()


def test_what_was_presented_is_the_lesson_that_is_on_afterwards(
    window: MainWindow, presenter: Presenter
) -> None:
    QTest.keyClick(presenter.room, Qt.Key.Key_PageDown)
    presenter.leave()

    assert window.pages.course.on is not None
    assert window.pages.course.on.step == 1


def test_a_window_that_is_closed_takes_its_presentation_along(
    presenter: Presenter, window: MainWindow
) -> None:
    window.close()

    assert not presenter.room.isVisible()
    assert not presenter.speaker.isVisible()
    assert presenter.state is None
