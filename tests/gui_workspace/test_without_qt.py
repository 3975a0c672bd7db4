"""A workspace is there for the window, for commands and for tests: it brings no Qt along."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_the_workspace_brings_no_qt_along() -> None:
    modules = sorted(path.stem for path in (ROOT / "gui" / "workspace").glob("*.py"))
    imports = "\n".join(f"import gui.workspace.{name}" for name in modules if name != "__init__")
    program = f"{imports}\nimport sys\nprint([n for n in ('PySide6', 'pyqtgraph') if n in sys.modules])"

    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert "session" in modules
    assert (run.stdout.strip(), run.stderr) == ("[]", "")


def test_asking_whether_logs_are_a_data_set_loads_nothing_that_reads_one() -> None:
    """It is asked in the window's thread before logs are read: pyarrow was most of that turn."""
    program = (
        "import sys\n"
        "from gui.workspace.sources import has_triage\n"
        "print(has_triage('docs'), [n for n in ('pyarrow', 'pandas') if n in sys.modules])"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (run.stdout.strip(), run.stderr) == ("False []", "")
