"""Whether there is a display to draw a window on."""

import os
import re
import socket
import sys
from pathlib import Path
from typing import Final

_X11_PORT: Final = 6000
_PATIENCE_S: Final = 2.0


def has_screen() -> bool:
    """Whether a window can be shown. What a person chose for Qt counts, unless it has no windows.

    A display that is named but not there (an old session, a closed tunnel) would make Qt end the process.
    """
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if chosen:
        return chosen.split(":")[0] not in ("offscreen", "minimal")
    if not sys.platform.startswith("linux"):
        return True
    return _answers_wayland(os.environ.get("WAYLAND_DISPLAY", "")) or _answers_x11(
        os.environ.get("DISPLAY", "")
    )


def _answers_wayland(display: str) -> bool:
    folder = Path(os.environ.get("XDG_RUNTIME_DIR", "/"))
    return bool(display) and _answers(socket.AF_UNIX, str(folder / display))


def _answers_x11(display: str) -> bool:
    match = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if match:
        path = f"/tmp/.X11-unix/X{match[1]}"  # noqa: S108 - where X servers listen, by convention
        return _answers(socket.AF_UNIX, path) or _answers(socket.AF_UNIX, f"\0{path}")
    match = re.fullmatch(r"(.+):(\d+)(?:\.\d+)?", display)
    return bool(match) and _answers(socket.AF_INET, (match[1], _X11_PORT + int(match[2])))


def _answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    """Whether a server accepts a connection there."""
    with socket.socket(family, socket.SOCK_STREAM) as line:
        line.settimeout(_PATIENCE_S)
        try:
            line.connect(address)
        except OSError:
            return False
    return True
