"""What a new user would do, with the clock and with the actions counted (tests/tasks.py)."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from pypdf import PdfReader

from core.diagnose.verdict.facts import Severity
from core.teaching.library import lesson_ids
from gui.window.import_dialog import ImportDialog
from gui.window.main_window import MainWindow
from gui.workspace.jobs import JobRunner
from tests.archives import unpack_sample
from tests.tasks import (
    RECORDING,
    annotate_and_export,
    from_archive_to_line,
    from_two_archives_to_the_worst,
    learn_the_first_lesson,
    loss_beside_fix,
    person_at,
    present_the_first_lesson,
    record_a_lesson,
    to_another_incident_and_back,
    told,
)

FIXED: Final = "k28-epoch-fix"
"""The same script, recorded on a release that goes by leader epochs."""

pytestmark = [
    # Of the offscreen platform: it has no window manager to tell how small a dialog may become.
    pytest.mark.qt_log_ignore("does not support propagateSizeHints"),
]


@pytest.mark.slow
def test_from_an_archive_to_the_loss_and_its_figure_by_keys(window: MainWindow, tmp_path: Path) -> None:
    """(a), (b) and (e): the sentence and the line after at most six actions, then a note and the PDF."""
    folder = unpack_sample(RECORDING, tmp_path / "logs")
    archive = Path(shutil.make_archive(str(tmp_path / "incident"), "zip", folder.parent, folder.name))
    person = person_at(window)
    from_archive_to_line(person, archive)
    assert len(person.actions) <= 6, person.actions
    # Of the recording's truth: audit-0 lost most, 206 to 254, 49 records. Its last copies went at broker 3.
    assert window.pages.incident.headline.text().startswith("325 committed records lost")
    assert window.findings.list.item(0).text() == "49 committed records lost"
    text = told(window)
    assert "Broker 3 cuts its log from 208 to 206" in text
    assert "206" in text
    assert "lost" in text
    assert "server.log" in text
    # The lines have the focus now, and N is a note there too.
    assert window.evidence.table.hasFocus()
    annotate_and_export(person, tmp_path / "incident.pdf")
    assert not any(action.startswith("click") for action in person.actions)
    assert (tmp_path / "incident.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_the_loss_beside_the_fix_is_one_click(window: MainWindow) -> None:
    """(c)."""
    person = person_at(window)
    loss_beside_fix(person, by_keys=False)
    assert len(person.actions) == 1
    content = window.session.content
    assert content is not None
    lost = [any(loss.severity is Severity.LOSS for loss in run.verdict.losses) for run in content.runs]
    assert lost == [True, False]


@pytest.mark.slow
def test_and_a_few_keys(window: MainWindow) -> None:
    """(c) and (e)."""
    person = person_at(window)
    loss_beside_fix(person, by_keys=True)
    assert len(person.actions) <= 10, person.actions


@pytest.mark.slow
def test_from_an_archive_to_the_sentence_in_two_actions(window: MainWindow, tmp_path: Path) -> None:
    """The drop, and Enter on what was found in it: the headline has the figure of the recording's truth."""
    folder = unpack_sample(RECORDING, tmp_path / "logs")
    person = person_at(window)
    person.drop([str(folder)])
    person.until(lambda: any(one.isVisible() for one in window.findChildren(ImportDialog)), "what is found")
    person.press("Return")
    person.until(lambda: window.session.content is not None and not window.jobs.asked(), "the import")
    assert window.pages.incident.isVisible()
    assert window.pages.incident.headline.text().startswith("325 committed records lost")
    assert len(person.actions) <= 2, person.actions


@pytest.mark.slow
def test_from_two_archives_to_their_worst_partition_and_on_to_another_incident_and_back(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four actions at most to the comparison, by its name; then no file is read a second time."""
    asked: list[str] = []
    for way in ("in_thread", "in_process"):
        real = getattr(JobRunner, way)

        def counting(
            self: JobRunner, question: str, request: Any, done: Any, real: Callable[..., None] = real
        ) -> None:
            asked.append(type(request).__name__)
            real(self, question, request, done)

        monkeypatch.setattr(JobRunner, way, counting)
    archives: list[Path] = []
    for name in (RECORDING, FIXED):
        folder = unpack_sample(name, tmp_path / name)
        archives.append(Path(shutil.make_archive(str(tmp_path / name), "zip", folder.parent, folder.name)))
    person = person_at(window)
    from_two_archives_to_the_worst(person, archives)
    assert len(person.actions) <= 4, person.actions
    here = window.tabs.open.here
    content = window.session.content
    assert here is not None
    assert content is not None
    # The recording lost most of audit-0: 49 records, 206 to 254. Both recordings have it.
    assert here.label.what == "audit-0 | audit-0"
    lost = [any(loss.severity is Severity.LOSS for loss in run.verdict.losses) for run in content.runs]
    assert lost == [True, False]
    person.until(lambda: len(window.tabs.open.tabs) == 3, "each of them alone")
    assert asked.count("Import") == 1

    before, traces = len(asked), window.session.traces
    window.visits.settle()
    to_another_incident_and_back(person)
    person.press("Ctrl+Tab")
    assert window.session.traces is not traces
    person.press("Ctrl+Shift+Tab")
    assert window.session.traces is traces
    assert asked[before:] == []


@pytest.mark.slow
@pytest.mark.parametrize("by_keys", [True, False])
def test_from_the_welcome_page_to_presenting_the_first_lesson_in_three_actions(
    window: MainWindow, *, by_keys: bool
) -> None:
    """(g)."""
    person = person_at(window)
    present_the_first_lesson(person, by_keys=by_keys)
    presenter = window.answers.presenter
    assert presenter is not None
    assert presenter.state is not None
    assert presenter.state.now.player.lesson.id == lesson_ids()[0]
    assert len(person.actions) <= 3, person.actions
    presenter.leave()


@pytest.mark.slow
def test_a_lesson_is_recorded_edited_and_exported_in_25_actions(window: MainWindow, tmp_path: Path) -> None:
    """(h): five steps, one prediction, a handout with the sentence that was written."""
    person = person_at(window)
    record_a_lesson(person, tmp_path / "mine.pdf", "B comes back with a high watermark that is too old.")
    assert len(person.actions) <= 25, person.actions
    told = window.pages.course.writer.now.lesson
    assert told is not None
    assert [one.scene.spot.step for one in told.steps] == [3, 4, 5, 6, 7]
    # After step 7 B comes back: whether it cuts its log is what KIP-101 is about.
    assert [one.kind for one in told.questions] == ["cut"]
    assert window.pages.course.writer.now.wrong == ()
    words = " ".join("".join(page.extract_text() for page in PdfReader(tmp_path / "mine.pdf").pages).split())
    assert "B comes back with a high watermark that is too old." in words
    assert "B decides now how much of its log it keeps." in words


@pytest.mark.slow
def test_the_first_lesson_to_its_grade_by_keys_alone(window: MainWindow) -> None:
    """(i): the answers are what Kafka does, as the lesson tells it."""
    person = person_at(window)
    learn_the_first_lesson(
        person,
        (
            ("1",),
            ("0",),
            # Kept back, appended by the leader, answered, appended by the follower.
            ("Down", "Down", "Alt+Up", "Alt+Up", "Down", "Down", "Down", "Alt+Up", "Alt+Up"),
            ("7",),
        ),
    )
    assert window.pages.course.results.score.text() == "4 points, 4 of 4 right"
    assert not any(action.startswith("click") for action in person.actions)
