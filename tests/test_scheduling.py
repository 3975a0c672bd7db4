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
def test_a_module_that_starts_java_is_given_to_one_worker() -> None:
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
    ]

    done = subprocess.run(
        [*command, "tests/spark/test_session.py", "-k", "test_the_version_of_java_is_read"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    named = [line for line in done.stdout.splitlines() if "PASSED" in line]
    assert named
    assert all(line.rstrip().endswith("@test_session") for line in named)
