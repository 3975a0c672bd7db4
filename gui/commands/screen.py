"""Whether there is a display to draw a window on."""

import os
import sys


def has_screen() -> bool:
    """Whether a window can be shown. What a person chose for Qt counts, unless it has no windows."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if chosen:
        return chosen.split(":")[0] not in ("offscreen", "minimal")
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
