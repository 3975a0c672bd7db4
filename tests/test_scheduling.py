"""A run of the tests ends, and says what happened, when one of its workers dies."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DIES = """
import os
import time

import pytest


@pytest.mark.parametrize("number", range(12))
def test_one(number):
    time.sleep(0.1)
    if number == 3:
        os._exit(11)
"""


@pytest.mark.slow
def test_a_run_ends_when_a_worker_has_died(tmp_path: Path) -> None:
    (tmp_path / "test_dies.py").write_text(DIES)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-p", "tests.scheduling"]

    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 1
    assert "worker 'gw" in done.stdout
    assert "1 failed, 11 passed" in done.stdout


@pytest.mark.slow
def test_what_shares_java_or_the_runs_of_a_scenario_is_given_to_one_worker() -> None:
    """The rows of a scenario need its runs in all eras, which other tests of the scenario have made."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "1",
        "--dist",
        "loadgroup",
        "-v",
        "-p",
        "no:cacheprovider",
        "-k",
        "test_the_version_of_java_is_read or (test_a_scenario_has_its_rows and hw-loss)",
    ]

    done = subprocess.run(
        [*command, "tests/spark/test_session.py", "tests/recordings/test_diagnosis_table.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    named = [line.rstrip() for line in done.stdout.splitlines() if "PASSED" in line]
    java = [line for line in named if "test_session.py" in line]
    rows = [line for line in named if "[hw-loss]" in line]
    assert java
    assert rows
    assert all(line.endswith("@test_session") for line in java)
    assert all(line.endswith("@hw-loss") for line in rows)
