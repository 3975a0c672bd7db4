"""What a new user would do, in the real window with real keys and clicks: `python -m tests.tasks` (xvfb-run).

Counts the actions and the time of the machine: what a person needs to read and to think is not in it. Writes
docs/tasks.md, and the screen at the end of some tasks. With the path of a data set of very many partitions
task (d) is done too.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    from gui.window.main_window import MainWindow

ROOT: Final = Path(__file__).resolve().parent.parent
RECORDING: Final = "k0102-hw-loss"
_WITHIN_S: Final = 240.0
_MANY: Final = 60


@dataclass(slots=True)
class Person:
    """Somebody at the window. `named` are the files that this person names where the desktop asks for one."""

    window: "MainWindow"
    named: list[str] = field(default_factory=list[str])
    actions: list[str] = field(default_factory=list[str])

    def press(self, keys: str, into: "QWidget | None" = None) -> None:
        """Press a key, as "Ctrl+O", where the focus is. One action."""
        from PySide6.QtGui import QKeySequence
        from PySide6.QtTest import QTest

        one = QKeySequence(keys)[0]  # pyright: ignore[reportIndexIssue] - the stubs leave it out
        self.actions.append(keys)
        QTest.keyClick(into or self.focused(), one.key(), one.keyboardModifiers())
        if len(self.actions) > _MANY:
            raise TimeoutError(", ".join(self.actions))
        self.turn()

    def write(self, text: str) -> None:
        """Write a text where the focus is. One action."""
        from PySide6.QtTest import QTest

        QTest.keyClicks(self.focused(), text)
        self.actions.append("a sentence")
        self.turn()

    def click(self, widget: "QWidget", what: str, at: "QPoint | None" = None) -> None:
        """Click on something. One action."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        place = at or QPoint(widget.rect().center())
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        self.actions.append(f"click on {what}")
        self.turn()

    def drop(self, paths: list[str]) -> None:
        """Drop files on the window. One action."""
        from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
        from PySide6.QtGui import QDropEvent

        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in paths])
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        self.window.dropEvent(QDropEvent(QPointF(1, 1), Qt.DropAction.CopyAction, data, left, none))
        self.actions.append(f"drop of {len(paths)}")
        self.turn()

    def focused(self) -> "QWidget":
        """What has the focus: in the dialog that is open, else in the window."""
        from PySide6.QtWidgets import QApplication, QDialog

        dialogs = [one for one in self.window.findChildren(QDialog) if one.isVisible()]
        asked = dialogs[-1] if dialogs else self.window
        return QApplication.focusWidget() or asked.focusWidget() or asked

    def turn(self) -> None:
        """Let the window answer."""
        from PySide6.QtWidgets import QApplication

        if QApplication.activeWindow() is None:
            # A dialog was closed, and there is no window manager to give the focus back.
            self.window.activateWindow()
        for _ in range(8):
            QApplication.processEvents()

    def until(self, ready: Callable[[], bool], what: str) -> None:
        """Wait for something; after four minutes it hangs. Raises TimeoutError."""
        end = time.monotonic() + _WITHIN_S
        while not ready():
            self.turn()
            if time.monotonic() > end:
                raise TimeoutError(what)
        self.turn()

    def name_next(self) -> str:
        """The file that is named now: a path typed and confirmed in the desktop's own dialog. One action."""
        self.actions.append("the path of the file, Enter")
        return self.named.pop(0)


def person_at(window: "MainWindow") -> Person:
    """A person at a window, whose file dialogs are answered with the files that this person has in mind."""
    person = Person(window)
    window.person.dialogs = replace(
        window.person.dialogs,
        open_files=lambda *_: (person.name_next(),),
        open_folder=lambda *_: person.name_next(),
        export_to=lambda *_: person.name_next(),
        save_lesson=lambda *_: person.name_next(),
        lose_notes=lambda *_: "discard",
    )
    return person


def from_archive_to_line(person: Person, archive: Path) -> None:
    """(a): from the archive of a recording to what was lost, by which truncation, with the line. By keys."""
    from gui.window.import_dialog import ImportDialog

    window = person.window
    person.named.append(str(archive))
    person.press("Ctrl+O")
    person.until(lambda: any(one.isVisible() for one in window.findChildren(ImportDialog)), "what is found")
    person.press("Return")
    person.until(lambda: window.session.content is not None and not window.jobs.asked(), "the import")
    person.press("Return")
    person.until(window.viewing.lanes_shown, "the worst partition")
    person.press("Return")
    person.press("Return")
    person.until(lambda: window.docks.drawer.isVisible() and bool(window.evidence.rows), "the line")


def from_two_archives_to_the_worst(person: Person, archives: Sequence[Path]) -> None:
    """Two archives that are dropped at once, and the worst partition that both have, compared by name."""
    window = person.window
    person.drop([str(archive) for archive in archives])
    person.until(
        lambda: (
            (content := window.session.content) is not None
            and content.comparison is not None
            and not window.jobs.asked()
        ),
        "the comparison",
    )


def to_another_incident_and_back(person: Person) -> None:
    """From one incident to another that is open, and back. By keys."""
    person.press("Ctrl+Tab")
    person.press("Alt+Left")


def annotate_and_export(person: Person, target: Path) -> None:
    """(b): a note on what is selected, and the PDF of it. By keys."""
    from gui.exports.dialog import ExportDialog
    from gui.window.exporting import EXPORT

    window = person.window
    person.press("N")
    person.write("here they were cut off")
    person.press("Return")
    person.until(lambda: len(window.session.notes) == 1, "the note")
    person.named.append(str(target))
    person.press("Ctrl+E")
    person.until(lambda: any(one.isVisible() for one in window.findChildren(ExportDialog)), "the dialog")
    dialog = window.findChildren(ExportDialog)[-1]
    while dialog.ending != ".pdf":
        person.press("Down", dialog.kind)
    person.press("Return", dialog.kind)
    person.until(lambda: target.exists() and EXPORT not in window.jobs.asked(), "the file")


def loss_beside_fix(person: Person, *, by_keys: bool) -> None:
    """(c): the loss beside the fix from the welcome page: one click, or Tab to its card and Enter."""
    window = person.window
    window.show_view("welcome")
    person.turn()
    card = window.pages.welcome.cards[0]
    if by_keys:
        while not card.hasFocus():
            person.press("Tab")
        person.press("Return")
    else:
        person.click(card, "the first card")
    person.until(
        lambda: (content := window.session.content) is not None and content.comparison is not None, "the runs"
    )


def present_the_first_lesson(person: Person, *, by_keys: bool) -> None:
    """(g): from the welcome page to the first lesson on the screen of a room."""
    window = person.window
    window.show_view("welcome")
    person.turn()
    if by_keys:
        person.press("F5")
    else:
        person.click(window.pages.welcome.course, "the course")
        person.click(window.pages.course.present, "present")
    person.until(
        lambda: (shown := window.answers.presenter) is not None and shown.room.isVisible(), "the room"
    )


def record_a_lesson(person: Person, target: Path, sentence: str) -> None:
    """(h): five stops in a scenario, one of which asks; a sentence of it is written anew; the handout."""
    window, writer = person.window, person.window.pages.course.writer
    window.show_view("welcome")
    person.turn()
    card = next(one for one in window.pages.welcome.cards if one.offer.names[0] == "hw-loss")
    person.click(card, "the card of the scenario")
    person.until(lambda: window.session.content is not None and window.viewing.lanes_shown(), "the runs")
    person.press("Home")
    # After step 7 B comes back and cuts: the lesson asks there.
    for step in range(1, 8):
        person.press("Ctrl+Right")
        if step >= 3:
            person.press("Ctrl+Shift+L")
    person.press("Ctrl+Shift+L")
    person.press("Ctrl+Alt+L")
    person.until(writer.field.hasFocus, "the text")
    person.write(sentence)
    person.named.append(str(target))
    person.click(writer.export, "the handout")
    person.until(target.exists, "the file")


def learn_the_first_lesson(person: Person, answers: Sequence[Sequence[str]]) -> None:
    """(i): lesson 1 to its grade, by keys alone. `answers` are the keys of each question, in turn."""
    window, course = person.window, person.window.pages.course
    window.show_view("welcome")
    person.turn()
    person.press("Ctrl+0")
    person.until(lambda: bool(course.rows), "the cards")
    person.press("Return")
    person.until(course.player.isVisible, "the lesson")
    given = iter(answers)
    while course.currentWidget() is course.player:
        player = course.player.player
        for key in next(given) if player is not None and player.asks is not None else ():
            person.press(key)
        person.press("Return")


def worst_of_many(person: Person, data_set: Path) -> None:
    """(d): from a data set of very many partitions to the worst of them, at its loss. By keys."""
    window = person.window
    person.named.append(str(data_set))
    person.press("Ctrl+Shift+O")
    person.until(lambda: window.session.content is not None and not window.jobs.asked(), "the table")
    person.press("Return")
    person.until(lambda: not window.jobs.asked() and _at_a_loss(window), "the loss")


def _at_a_loss(window: "MainWindow") -> bool:
    content = window.session.content
    return content is not None and window.stage.isVisible() and content.is_at("loss", window.session.position)


def told(window: "MainWindow") -> str:
    """All that inspector and evidence say."""
    return "\n".join((window.inspector.text(), *(f"{row.place} {row.text}" for row in window.evidence.rows)))


_A: Final = "from the zip of a recording to what was lost, by which truncation, with the line"
_B: Final = "a note on it, and the PDF for the post-mortem"
_C: Final = "the loss beside the fix, from the welcome page"
_G: Final = "from the welcome page to lesson 1 on the screen of a room"
_H: Final = "a lesson of five steps, one of which asks: recorded, a sentence written anew, the handout as PDF"
_D: Final = "from {:,} partitions to the worst one, at its loss"
_HEAD: Final = """\
# Tasks, with the clock

Made by `python -m tests.tasks` (under xvfb-run): the real window at 1280 x 800, real keys and clicks.
The time is the machine's, from the first action until the answer is on the screen, on a machine that others
used too; the time of its processors (CPU) is that of the window and of what it starts, whatever others do.
What a person needs to read and to think is not in it. A path that is typed in the desktop's own dialog is one
action; that dialog is answered by the script.
`tests/gui_window/test_tasks.py` holds (a), (b), (c), (e), (g) and (h), and that lesson 1 is learnt to
its grade by keys alone.

{load}

| task | language | actions | seconds | CPU | asked |
| --- | --- | --- | --- | --- | --- |
"""
_FOOT: Final = """
(e) is (a) and (b), which are done by keys alone, and (c) with Tab and Enter; (f) is all of it in
Chinese. (d) opens the data set that `python -m tests.bench.spark_scale --large --keep FOLDER` makes of
5 GB of logs; where none is given its rows are those of an earlier day. `tests/gui_window/test_triage.py`
holds that the worst is the first row, that Enter opens it at its loss, and that 100,000 rows are sorted and
chosen from in 0.1 s of CPU.

![At the end of (a): the records that were lost, the truncation, the line](pictures/task-a-en.png)
"""


@dataclass(frozen=True, slots=True)
class Done:
    """A task that was done: what it was, how, and what it took of the machine."""

    letter: str
    what: str
    actions: tuple[str, ...]
    seconds: float
    cpu: float
    limit: str


def cpu_seconds() -> float:
    """Seconds of CPU that this process took, and the ones that it started."""
    taken = sum(os.times()[:4])
    for started in Path("/proc/self/task").glob("*/children"):
        for pid in started.read_text().split():
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                taken += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return taken


def in_language(language: str, pictures: Path, data_set: Path | None) -> list[Done]:
    """Do all tasks in one language, with a picture at the end of some."""
    from PySide6.QtCore import QSettings

    from gui.app import application
    from gui.i18n import use_language
    from gui.window.garbage import collect_here
    from gui.window.main_window import MainWindow
    from gui.window.settings import Settings
    from importers.prepared.data_set import read_manifest
    from tests.archives import unpack_sample
    from tests.screenshots import in_few_colours

    collect_here(application())
    use_language(language)
    done: list[Done] = []
    with tempfile.TemporaryDirectory() as folder:
        logs = unpack_sample(RECORDING, Path(folder) / "logs")
        archive = Path(shutil.make_archive(f"{folder}/incident", "zip", logs.parent, logs.name))
        window = MainWindow(Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)))
        window.resize(1280, 800)
        window.show()
        person = person_at(window)
        person.until(lambda: not window.jobs.asked(), "the lanes of the cards")

        def do(letter: str, what: str, limit: str, work: Callable[[], None]) -> None:
            person.actions.clear()
            begun, used = time.monotonic(), cpu_seconds()
            work()
            seconds, cpu = time.monotonic() - begun, cpu_seconds() - used
            done.append(Done(letter, what, tuple(person.actions), seconds, cpu, limit))
            if letter in "ad":
                image = in_few_colours(window.grab().toImage())
                image.save(str(pictures / f"task-{letter}-{language}.png"), quality=0)

        do("a", _A, "60 s, 6 actions", partial(from_archive_to_line, person, archive))
        do("b", _B, "60 s", partial(annotate_and_export, person, Path(folder) / "incident.pdf"))
        window.actions_["close"].trigger()
        do("c, by keys", _C, "keys alone", partial(loss_beside_fix, person, by_keys=True))
        window.actions_["close"].trigger()
        do("c", _C, "1 click", partial(loss_beside_fix, person, by_keys=False))
        window.actions_["close"].trigger()
        do("g", _G, "3 actions", partial(present_the_first_lesson, person, by_keys=False))
        if window.answers.presenter is not None:
            window.answers.presenter.leave()
        do(
            "h",
            _H,
            "25 actions",
            partial(record_a_lesson, person, Path(folder) / "lesson.pdf", "One fetch late."),
        )
        if data_set is not None:
            window.actions_["close"].trigger()
            do(
                "d",
                _D.format(read_manifest(data_set)["counts"]["partitions"]),
                "10 s",
                partial(worst_of_many, person, data_set),
            )
        window.close()
    return done


def _load() -> str:
    """What else the machine did, in a sentence."""
    cores, load = os.cpu_count(), os.getloadavg()[2]
    return f"The machine had {cores} cores, and at the end of the tasks a load of {load:.0f}."


def main(docs: Path, data_set: list[str]) -> int:
    """Do all tasks in both languages, each in a process of its own; write docs/tasks.md and its pictures.

    Without a data set the rows of (d) stay as they were.
    """
    lines: list[str] = []
    before = (docs / "tasks.md").read_text(encoding="utf-8").splitlines()
    for language in ("en", "zh"):
        told = subprocess.run(
            [sys.executable, "-m", "tests.tasks", f"--{language}", *data_set],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        for one in json.loads(told.stdout.splitlines()[-1]):
            how = f"{len(one['actions'])}: {', '.join(one['actions'])}"
            task = f"({one['letter']}) {one['what']}"
            lines.append(
                f"| {task} | {language} | {how} | {one['seconds']:.1f} | {one['cpu']:.1f} | {one['limit']} |"
            )
        if not data_set:
            lines += [row for row in before if row.startswith("| (d)") and f"| {language} |" in row]
    (docs / "tasks.md").write_text(
        _HEAD.format(load=_load()) + "\n".join(lines) + "\n" + _FOOT, encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] in (["--en"], ["--zh"]):
        pictures = ROOT / "docs" / "pictures"
        tasks = in_language(sys.argv[1][2:], pictures, Path(sys.argv[2]) if sys.argv[2:] else None)
        sys.stdout.write(json.dumps([asdict(one) for one in tasks]))
        sys.exit(0)
    sys.exit(main(ROOT / "docs", sys.argv[1:]))
