import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("question", [["check"], ["format", "--check"]], ids=["check", "format"])
def test_ruff_has_nothing_to_say(question: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ruff", *question, "--no-cache", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout + run.stderr
