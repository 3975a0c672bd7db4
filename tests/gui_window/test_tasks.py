"""What a new user would do, with the clock and with the actions counted (tests/tasks.py)."""

import shutil
from pathlib import Path

import pytest

from core.diagnose.verdict.facts import Severity
from gui.window.main_window import MainWindow
from tests.archives import unpack_sample
from tests.tasks import (
    RECORDING,
    annotate_and_export,
    from_archive_to_line,
    loss_beside_fix,
    person_at,
    told,
)

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
