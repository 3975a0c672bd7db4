"""Where Tidegauge remembers between runs what it is making on the disk. Loads nothing: every command asks."""

import os
import sys
from pathlib import Path
from typing import Final

STATE: Final = "TIDEGAUGE_STATE"
"""The environment variable that names another folder."""


def state_folder() -> Path:
    """The folder of this user for what lasts from run to run; perhaps it is not there yet."""
    if named := os.environ.get(STATE):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tidegauge"
    named = os.environ.get("XDG_STATE_HOME", "")
    # The standard says that a path which is not absolute is to be ignored.
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "state") / "tidegauge"


def making_folder() -> Path:
    """Where each process writes down what it is making (core/leftovers.py)."""
    return state_folder() / "making"


def is_anything_made() -> bool:
    """Whether some process, alive or dead, has something written down."""
    try:
        with os.scandir(making_folder()) as entries:
            return any(True for _ in entries)
    except OSError:
        return False
