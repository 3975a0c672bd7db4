"""Children that are killed: programs of a few lines, which end themselves by SIGKILL at a named point."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parent.parent

DIE = """
import os, signal
def die(*_ignored, **_too):
    os.kill(os.getpid(), signal.SIGKILL)
"""
"""A program begins with it: `die()` kills it at once."""


def child(program: str, env: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    """Start a program that reads a line of stdin to go on, and tells by lines of stdout where it is."""
    return subprocess.Popen(
        [sys.executable, "-c", DIE + dedent(program)],
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed(program: str, env: Mapping[str, str] | None = None, stdin: str = "") -> str:
    """Run a program that must end by its own SIGKILL. Gives what it wrote to stdout."""
    run = child(program, env)
    out, err = run.communicate(stdin)
    assert run.returncode == -signal.SIGKILL, (run.returncode, out, err)
    return out
